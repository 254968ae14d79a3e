"""The page of several questions: what is to be known of each."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import iaa_jax as iaa
from iaa_jax.pages import Facts


def test_each_question_brings_its_own_notes(tmp_path: Path) -> None:
    """Of what is said of reading a question, and of its labels, nothing is lost."""
    table = pd.DataFrame(
        {
            "item": [k // 2 for k in range(24)],
            "annotator": ["ann", "ben"] * 12,
            "clear": ["x", "x", "y", "y"] * 6,
            "tags": ["a; b", "a", "b", "a; b"] * 6,
            "case": ["Ja", "ja", "nein", "Nein"] * 6,
            "points": [k % 4 for k in range(24)],
        }
    )
    table.to_csv(tmp_path / "t.csv", index=False)
    names = ("clear", "tags", "case", "points")
    read = {name: iaa.read(tmp_path / "t.csv", label=name) for name in names}
    page = iaa.page(iaa.agree.questions(read, interval=None))
    (facts,) = (block for block in page.blocks if isinstance(block, Facts))
    notes = [text for heading, text in facts.rows if heading == "Note"]
    told = {note.values["question"]: note.values["note"].code for note in notes}
    assert told == {"tags": "labels_joined", "case": "labels_alike"}
    of_answer = {
        note.values["question"]: note.values["note"].code
        for note in page.answer
        if note.code == "of_question"
    }
    assert of_answer.keys() == {"points"}
    assert "reading_in_doubt" in {note.code for note in page.answer}
    without = iaa.page(iaa.agree.questions({"clear": read["clear"]}, interval=None))
    assert {note.code for note in without.answer} == {"questions_measured"}
