"""``iaa spans FILE --show N``: the most disputed passages, with the marks under their text."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[2] / "io" / "samples"
NER = str(SAMPLES / "prodigy" / "synthetic_ner_manual_sessions.jsonl")
FAST = ("--interval", "none")

SHOWN = """\
The most disputed passages, 1 of 3

1. 77102, 28 to 40: 3.0 disputed spans for each pair of annotators
              Siemens opened an office in Paris, Texas.
ner_demo-ana  ─────── ORG                 ──────────── GPE
ner_demo-ben  ─────── ORG                 ───── GPE
                                                 ───── GPE
"""


def test_the_worst_passage_is_shown(iaa: Callable[..., Any]) -> None:
    assert SHOWN in iaa("spans", NER, *FAST, "--show", "1").stdout
    assert "The most disputed passages" not in iaa("spans", NER, *FAST).stdout


def test_files_have_what_was_marked(iaa: Callable[..., Any], folder: Path) -> None:
    done = iaa("spans", NER, *FAST, "--show", "2", "--output", "tables/", "--json", "x.json")
    assert not done.exit_code, done.output
    table = (folder / "tables" / "passages.csv").read_text()
    rows = list(csv.DictReader(table.splitlines()))
    assert {row["passage"] for row in rows} == {"1", "2"}
    assert {"GPE", "ORG"} <= {row["label"] for row in rows}
    marks = json.loads((folder / "x.json").read_text())["passages"]["marks"]
    assert len(marks) == len(rows)
    assert {mark["mark_annotator"] for mark in marks} == {"ner_demo-ana", "ner_demo-ben"}


@pytest.mark.parametrize("ending", ["md", "tex"])
def test_documents_have_the_passages(iaa: Callable[..., Any], folder: Path, ending: str) -> None:
    assert not iaa("spans", NER, *FAST, "--show", "1", "--output", f"x.{ending}").exit_code
    assert SHOWN.partition("annotators\n")[2] in (folder / f"x.{ending}").read_text()


def test_places_stand_for_a_text_that_is_not_there(iaa: Callable[..., Any], folder: Path) -> None:
    rows = "d,a,0,5,x\nd,b,0,4,x\nd,b,7,9,y\n"
    (folder / "s.csv").write_text(f"document,annotator,start,end,label\n{rows}")
    shown = iaa("spans", "s.csv", *FAST, "--show", "2").stdout
    assert "a  x 0-5\nb  x 0-4\n" in shown
    assert "a  -\nb  y 7-9\n" in shown
    assert "not the text of the documents" in " ".join(shown.split())
