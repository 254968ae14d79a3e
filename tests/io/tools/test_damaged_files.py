"""Damaged exports of every tool: each is refused in a sentence, or read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from iaa_jax.io.registry import TOOLS
from tests.archives import packed
from tests.io.tools import (
    mutants,
    test_appraise as appraise,
    test_argilla as argilla,
    test_boris as boris,
    test_brat as brat,
    test_conll as conll,
    test_crowdflower as crowdflower,
    test_doccano as doccano,
    test_elan as elan,
    test_gate as gate,
    test_hugging_face as hugging_face,
    test_inception as inception,
    test_label_sleuth as label_sleuth,
    test_lewidi as lewidi,
    test_lighttag as lighttag,
    test_mmax2 as mmax2,
    test_mqm as mqm,
    test_mturk as mturk,
    test_nltk as nltk,
    test_potato as potato,
    test_prodigy as prodigy,
    test_redewiedergabe as redewiedergabe,
    test_refi_qda as refi_qda,
    test_sagemaker as sagemaker,
    test_span_table as span_table,
    test_teamware as teamware,
    test_toloka as toloka,
    test_webanno_tsv as webanno_tsv,
    test_zooniverse as zooniverse,
)
from tests.taken import one_of

Asked = dict[str, Any]

ELSEWHERE = {
    "uima": "test_uima.py, which needs a package more",
    "label_studio": "test_label_studio_files.py",
}

SPAN = {"label": "PER", "start": 0, "end": 3}
RESPONSE = min(sagemaker.RESPONSES.rglob("*.json"))
DEEP = "[" * 100_000


class Files(NamedTuple):
    """The file of a tool that is damaged, what it may hold, and what stands beside it."""

    name: str
    texts: Sequence[str | bytes | Path]
    asked: Sequence[Asked] = ({},)
    beside: dict[str, str | Path] = {}  # noqa: RUF012


def form_batch(answer: str) -> str:
    return mturk.batch("Answer.taskAnswers", ("H1", "w1", answer), ("H1", "w2", FORM))


ENTITY = {"startOffset": 0, "endOffset": 4, "label": "City"}
FORM = json.dumps(
    [{"a": {"label": "x"}, "b": {"on": True}, "c": {"entities": [ENTITY]}, "d": {"labels": ["y"]}}]
)
STATE = potato.STATES / "noor" / "user_state.json"
OF_SPAN = potato.state("u", {}, instance_id_to_span_to_value={"d": [[potato.SPAN, "1"]]})
EXPORTED = (potato.EXPORTS / "annotations.jsonl").read_text().splitlines()[4]
MARKED = gate.annotation("Place", 0, 4, kind="city") + gate.annotation("Word", 5, 7)
ROWS = "\n".join(
    json.dumps(dict(zip(span_table.NAMES.strip().split(","), row, strict=True)))
    for row in (("d", "ann", 0, 5, "X"), ("d", "bob", None, None, None))
)


def tree(folder: Path) -> dict[str, str | Path]:
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}


DAMAGED: dict[str, list[Files]] = {
    "appraise": [Files("f.csv", [appraise.EXPORT])],
    "argilla": [
        Files(
            "r.json",
            [
                argilla.records(q=[("x", "y")], s=[([SPAN], [])], o=[(["a", "b"], ["b", "a"])]),
                argilla.FLAT.read_text().splitlines()[0],
                json.dumps(argilla.OLD[1]),
            ],
            ({"question": "q"}, {"question": "o", "include": ["predictions", "drafts"]}),
        )
    ],
    "boris": [
        Files(
            "ann.tsv",
            [boris.EVENTS / "ann.tsv", boris.ABOVE + boris.HEAD + boris.ROWS],
            beside={"bob.tsv": boris.EVENTS / "bob.tsv"},
        )
    ],
    "brat": [
        Files(
            "ann/d.ann",
            [brat.TWO / "ana" / "doc1.ann"],
            ({}, {"question": "spans"}),
            {"bob/d.ann": "T1\tX 0 1\ta\n"},
        )
    ],
    "conll": [
        Files(
            "bob.conll",
            [conll.columns(conll.IOB2), conll.columns(conll.POS)],
            beside={"ann.conll": conll.columns(conll.IOB2)},
        )
    ],
    "crowdflower": [
        Files(
            "f.csv",
            [crowdflower.REPORT, crowdflower.HEAD + crowdflower.ROWS],
            ({"question": "tone"},),
        )
    ],
    "doccano": [
        Files(
            "alice.jsonl",
            [
                doccano.SEQUENCES / "alice.jsonl",
                doccano.LEGACY,
                doccano.SINGLE / "relation_extraction_example.jsonl",
            ],
            beside={"bob.jsonl": doccano.SEQUENCES / "bob.jsonl"},
        )
    ],
    "elan": [Files("talk.eaf", [elan.TALK], ({"question": "gesture"},))],
    "gate": [
        Files(
            "d.xml",
            [gate.document(ann=MARKED, bob=gate.annotation("Place", 0, 4, kind="x"))],
            ({}, {"question": "annotations"}),
        )
    ],
    "hugging_face": [
        Files("t.jsonl", [hugging_face.PARALLEL, hugging_face.OBJECTS], ({"question": "label"},))
    ],
    "inception": [
        Files("x.json", [inception.JSON]),
        Files("x.csv", [inception.CSV, inception.DIAGNOSIS]),
    ],
    "label_sleuth": [
        Files(
            "ana.csv",
            [label_sleuth.FILES[0]],
            ({"question": "refund"},),
            {"ben.csv": label_sleuth.FILES[1]},
        )
    ],
    "lewidi": [Files("f.json", [lewidi.OLD, lewidi.NEW])],
    "lighttag": [Files("task.json", [lighttag.SAMPLE])],
    "mmax2": [
        Files(str(name), [mmax2.TWO / name], ({"question": "opinion.polarity"},), tree(mmax2.TWO))
        for name in (
            mmax2.OPINION,
            Path("basedata", "menu_words.xml"),
            Path("bob", "menu.mmax"),
        )
    ],
    "mqm": [Files("mqm.tsv", [mqm.TEXT], ({"question": "errors"}, {"question": "score"}))],
    "mturk": [
        Files("a.csv", [mturk.ITEMS], ({}, {"item": "Input.item"}, {"question": "rating1"})),
        Files("a.csv", [form_batch(FORM), form_batch(DEEP)], ({"question": "a"},)),
    ],
    "nltk": [Files("t.txt", [nltk.SAMPLE])],
    "potato": [
        Files(
            "noor.json",
            [STATE, json.dumps(OF_SPAN), EXPORTED],
            ({"question": "sentiment"},),
            {"maya.json": potato.STATES / "maya" / "user_state.json"},
        ),
        Files("a.csv", [potato.EXPORTS / "annotations.csv"], ({"question": "clarity"},)),
    ],
    "prodigy": [Files("t.jsonl", [prodigy.CHOICES, prodigy.NER], ({"duplicates": "first"},))],
    "redewiedergabe": [
        Files(
            "ann/tsv/d.tsv",
            [redewiedergabe.ANN],
            ({}, {"question": "stwr.type"}, {"question": "token.type"}),
            {"bob/tsv/d.tsv": redewiedergabe.BOB},
        )
    ],
    "refi_qda": [
        Files("p.qde", [refi_qda.QDE], ({"question": "texts"},)),
        Files(
            "p.qdpx",
            [packed({"project.qde": refi_qda.QDE.encode(), **refi_qda.TEXTS})],
            ({"question": "texts"},),
        ),
    ],
    "sagemaker": [Files(f"0/{path.name}", [path]) for path in (sagemaker.REQUEST, RESPONSE)],
    "spans": [
        Files(
            "spans.csv",
            [span_table.NAMED, span_table.SAMPLES / "real_pygamma_AlexPaulSuzan.csv"],
        ),
        Files("spans.jsonl", [ROWS]),
    ],
    "teamware": [
        Files(path.name, [path], ({"question": "aspects"},))
        for path in (teamware.RAW, teamware.CSV)
    ],
    "toloka": [Files("a.tsv", [toloka.ASSIGNMENTS])],
    "webanno_tsv": [
        Files(
            name,
            [webanno_tsv.PROJECT / name],
            ({}, {"include": ["drafts", "curator"]}),
            tree(webanno_tsv.PROJECT),
        )
        for name in (
            next(webanno_tsv.PROJECT.glob("*.json")).name,
            "annotation/doc1.txt/ana.tsv",
        )
    ],
    "zooniverse": [Files("f.csv", [zooniverse.EXPORT], ({"question": "T1"},))],
}


def bytes_of(text: str | bytes | Path) -> bytes:
    if isinstance(text, Path):
        return text.read_bytes()
    return text.encode() if isinstance(text, str) else text


def test_every_tool_is_here() -> None:
    assert {*DAMAGED, *ELSEWHERE} == {*TOOLS}


@pytest.mark.parametrize("tool", one_of(2, DAMAGED))
def test_damaged_files_are_refused(tool: str, tmp_path: Path) -> None:
    for number, (name, texts, asked, beside) in enumerate(DAMAGED[tool]):
        top = tmp_path / str(number)
        for inner, text in {**beside, name: ""}.items():
            (top / inner).parent.mkdir(parents=True, exist_ok=True)
            (top / inner).write_bytes(bytes_of(text))
        paths = [top] if "/" in name or len(beside) > 1 else sorted(top.iterdir())
        layouts = set()
        for data in map(bytes_of, texts):
            (top / name).write_bytes(data)
            layouts |= mutants.check(paths, asked)
            for mutant in mutants.of(data):
                (top / name).write_bytes(mutant)
                mutants.check(paths, asked)
        assert tool in layouts
