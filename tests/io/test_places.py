"""A character beyond 16 bits is one place or two, as the tool counts: its text tells which."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

import iaa_jax as iaa
from iaa_jax.data.marked.texts import places_of
from tests.io.tools.marks import Write, folder

TEXT = "😀 in Rome"
CHARACTERS, UNITS = (5, 9), (6, 10)
"""Where "Rome" stands: by characters, and by units of UTF-16."""


def prodigy() -> Mapping[str, str]:
    start, end = CHARACTERS
    task = {"text": TEXT, "_input_hash": 1, "_view_id": "ner_manual", "answer": "accept"}
    spans = [{"start": start, "end": end, "label": "PLACE"}]
    lines = [json.dumps({**task, "spans": spans, "_annotator_id": who}) for who in ("ann", "bob")]
    return {"export.jsonl": "\n".join(lines)}


def brat() -> Mapping[str, str]:
    start, end = CHARACTERS
    files = {f"{who}/d.ann": f"T1\tPLACE {start} {end}\tRome\n" for who in ("ann", "bob")}
    return {**files, **{f"{who}/d.txt": TEXT for who in ("ann", "bob")}}


def doccano() -> Mapping[str, str]:
    record = {"id": 1, "text": TEXT, "label": [[*CHARACTERS, "PLACE"]], "Comments": []}
    return {f"{who}.jsonl": json.dumps(record) for who in ("ann", "bob")}


def gate() -> Mapping[str, str]:
    start, end = UNITS
    parts = (TEXT.partition("Rome")[0], "Rome")
    nodes = f'<Node id="0"/>{parts[0]}<Node id="{start}"/>{parts[1]}<Node id="{end}"/>'
    span = f'<Annotation Id="1" Type="PLACE" StartNode="{start}" EndNode="{end}"/>'
    sets = "".join(f'<AnnotationSet Name="{who}">{span}</AnnotationSet>' for who in ("ann", "bob"))
    body = f"<TextWithNodes>{nodes}</TextWithNodes>{sets}"
    return {"d.xml": f'<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument>{body}</GateDocument>'}


def webanno() -> Mapping[str, str]:
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n\n\n"
    rows = ["1-1\t0-2\t😀\t_\t", "1-2\t3-5\tin\t_\t", "1-3\t6-10\tRome\tPLACE\t"]
    text = head + f"#Text={TEXT}\n" + "\n".join(rows) + "\n"
    return {f"{who}/d.tsv": text for who in ("ann", "bob")}


def label_studio() -> Mapping[str, str]:
    start, end = UNITS
    value = {"start": start, "end": end, "text": "Rome", "labels": ["PLACE"]}
    result = [{"from_name": "ner", "to_name": "text", "type": "labels", "value": value, "id": "r"}]
    given = [{"id": who, "completed_by": who, "result": result} for who in (1, 2)]
    return {"export.json": json.dumps([{"id": 1, "data": {"text": TEXT}, "annotations": given}])}


EXPORTS = {
    "prodigy": (prodigy, CHARACTERS, 9),
    "brat": (brat, CHARACTERS, 9),
    "doccano": (doccano, CHARACTERS, None),
    "gate": (gate, UNITS, 10),
    "webanno_tsv": (webanno, UNITS, 10),
    "label_studio": (label_studio, UNITS, 10),
}


@pytest.mark.parametrize("tool", EXPORTS)
def test_marks_stand_where_the_tool_has_them(write: Write, tool: str) -> None:
    files, places, length = EXPORTS[tool]
    path = folder(write, files())
    spans = iaa.read_spans(path, keep="text", format=tool)
    assert spans.sizes["span"] == 2
    for start, end, document in zip(spans.start, spans.end, spans.document_of, strict=True):
        assert (int(start), int(end)) == places
        text = places_of(str(spans.text.values[int(document)]))
        assert "".join(text[int(start) : int(end)]) == "Rome"
    # the length is in the same unit, so that places nobody marked can be counted
    assert ("length" in spans) == (length is not None)
    if length is not None:
        assert spans.length.values.tolist() == [length]
        assert iaa.data.token_ratings(spans).item_weight.values.sum() == length


def test_lengths_where_characters_are_the_only_unit(write: Write) -> None:
    """doccano may count either way: a text without such characters is as long both ways."""
    plain = {"id": 1, "text": "in Röme", "label": [[3, 7, "PLACE"]], "Comments": []}
    path = folder(write, {f"{who}.jsonl": json.dumps(plain) for who in ("ann", "bob")})
    spans = iaa.read_spans(path)
    assert spans.length.values.tolist() == [7]
    assert iaa.data.token_ratings(spans).sizes["item"] == 2
    beyond = json.dumps(plain | {"label": [[3, 8, "PLACE"]]})
    (path / "bob.jsonl").write_text(beyond)
    assert "length" not in iaa.read_spans(path)
