"""Texts of documents beside their spans: what was marked stands at its places."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import IaaError, read, read_spans
from iaa_jax.data.marked.texts import places_of

HERE = Path(__file__).parent / "samples"


def marked(path: Path, **options: Any) -> dict[str, set[str]]:
    """Return the marked texts of each document."""
    spans = read_spans(path, keep="text", **options)
    assert spans["text"].dims == ("document",)
    found: dict[str, set[str]] = {str(name): set() for name in spans["document"].values}
    for document, start, end in zip(
        *(spans[name].values.tolist() for name in ("document_of", "start", "end")), strict=True
    ):
        places = places_of(str(spans["text"].values[document]))
        assert end <= len(places)
        found[str(spans["document"].values[document])].add("".join(places[start:end]))
    return found


@pytest.mark.parametrize(
    ("sample", "question", "texts"),
    [
        ("brat/synthetic_two_annotators", "spans", {"Dr. Hill", "quick brown fox", "Ana"}),
        ("gate/synthetic_two_documents", "annotations", {"Rome", "is old"}),
        ("label_studio/synthetic_three_annotators_json_export.json", "ner", {"Berlin", "Nokia"}),
        ("redewiedergabe/synthetic_two_annotators", "stwr.type", {"Er ", "sagte ", "ja "}),
        ("conll/synthetic_conll_one_file_per_annotator", None, {"New York ", "Ada Lovelace "}),
        ("mmax2/synthetic_two_annotators", "opinion.polarity", {"The bread ", "was old "}),
        ("doccano/synthetic_two_annotators_sequence", None, {"Peter Blackburn", "British", "EU"}),
        ("inception/synthetic_project_export", None, {"John Smith", "Acme", "The blackboard"}),
        ("lighttag/synthetic_task_download.json", None, {"Ramah", "Hannah"}),
        ("prodigy/synthetic_ner_manual_sessions.jsonl", None, {"Marie Curie", "Paris, Texas"}),
    ],
)
def test_marks_have_their_text(sample: str, question: str | None, texts: set[str]) -> None:
    found = marked(HERE / sample, question=question, duplicates="first")
    assert texts <= set().union(*found.values())


def test_texts_keep_their_blanks(tmp_path: Path) -> None:
    task = {"_input_hash": 1, "_view_id": "ner_manual", "answer": "accept"}
    text = "  In\tRome\n "
    span, other = ({"start": 5, "end": 9, "label": label} for label in ("PLACE", "WORD"))
    lines = [
        {**task, "text": text, "spans": [span, other][:given], "_annotator_id": who}
        for who, given in (("ann", 1), ("bob", 2))
    ]
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    spans = read_spans(path, keep="text")
    assert spans["text"].values.tolist() == [text]
    assert marked(path) == {"1": {"Rome"}}


def test_without_texts_keep_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spans.csv"
    path.write_text("document,annotator,start,end,label\nd,a,0,5,x\nd,b,0,5,x\n")
    with pytest.raises(IaaError, match=r"has no field 'text'|no such column|'text'"):
        read_spans(path, keep="text")


def test_no_text_is_kept_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    from iaa_jax.io.export.judgements import Export

    seen: list[Callable[..., object]] = []
    own = Export.add_text

    def add_text(self: Export, item: object, text: str) -> None:
        own(self, item, text)
        seen.append(self.texts.get)
        assert not self.texts

    monkeypatch.setattr(Export, "add_text", add_text)
    read_spans(HERE / "prodigy" / "synthetic_ner_manual_sessions.jsonl")
    assert seen


def test_labels_of_items_have_no_text_by_place(tmp_path: Path) -> None:
    """There a field of the name is needed, as for any other column."""
    told = [
        ("ner", "labels", {"start": 3, "end": 7, "text": "Rome", "labels": ["PLACE"]}),
        ("mood", "choices", {"choices": ["good"]}),
    ]
    result = [
        {"id": name, "from_name": name, "to_name": "body", "type": kind, "value": value}
        for name, kind, value in told
    ]
    annotations = [{"id": who, "completed_by": who, "result": result} for who in (1, 2)]
    path = tmp_path / "export.json"
    path.write_text(
        json.dumps([{"id": 1, "data": {"body": "In Rome"}, "annotations": annotations}])
    )
    assert marked(path, question="ner") == {"1": {"Rome"}}
    with pytest.raises(IaaError, match="has no field 'text'"):
        read(path, question="mood", keep="text")
