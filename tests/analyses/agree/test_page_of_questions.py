"""The page of several questions: what is to be known of each."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
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
    assert without.answer == []  # one question is neither the lowest nor the highest


def test_a_figure_in_doubt_is_in_doubt_among_questions() -> None:
    """The leading coefficient comes first on each question, with the doubt that it has alone."""
    few = [[k % 3, k % 3] for k in range(30)] + [[90, 60], [0, 70], [80, 80]]
    ratings = {"tone": iaa.from_wide([[0, 9], [1, 2], [3, 1]] * 9), "sources": iaa.from_wide(few)}
    alone = str(iaa.page(iaa.agreement(ratings["sources"], level="interval")))
    assert "in doubt: a few items decide it" in " ".join(alone.split())
    page = str(iaa.page(iaa.agree.questions(ratings, level="interval")))
    said = " ".join(page.split())
    assert ", in doubt). Items" in said
    assert "- Interval of every coefficient in doubt on sources: a few items decide it." in said
    rows = [line.split()[:2] for line in page.splitlines() if line.startswith(("tone", "sources"))]
    firsts = [row for before, row in itertools.pairwise([["", ""], *rows]) if before[0] != row[0]]
    assert firsts == [["tone", "Krippendorff's"], ["sources", "Krippendorff's"]]


def test_each_figure_says_how_it_was_made_and_on_how_many_items() -> None:
    """A method, a gap and a note of one question are named with it; those of all stand alone."""
    draw = np.random.default_rng(1)
    size = draw.normal(0, 5, (40, 1)) + draw.normal(size=(40, 3)).round(1)
    size[:15, 2] = np.nan
    grade = np.clip(draw.integers(1, 5, (40, 1)) + draw.integers(-1, 2, (40, 3)), 1, 4)
    ratings = {"grade": iaa.from_wide(grade), "size": iaa.from_values(size)}
    result = iaa.agree.questions(
        ratings, ["krippendorff_alpha", "icc2"], level={"grade": "ordinal"}, replicates=100
    )
    assert result["question_measured_items"].values.tolist() == [[40, 40], [40, 25]]
    said = " ".join(str(iaa.page(result)).split())
    assert "- 95 % intervals: empirical Bayes over items, 100 draws" in said
    assert "- 95 % intervals of Krippendorff's alpha on size: jackknife t." in said
    assert "- size: ICC(2): 15 of 40 items are left out, as not every annotator rated" in said
    assert said.count("ICC(2): the interval generalises to other items") == 1
    assert "fewer where a note says so" in said


def test_each_question_says_how_many_items_it_has(tmp_path: Path) -> None:
    """Facts about the first question once stood for all."""
    tone = [["a", "a"], ["b", "a"], ["b", "b"], ["a", "a"]]
    topic = [["x", "x", "x"], ["y", "y", None], ["y", None, None]]
    ratings = {"tone": iaa.from_wide(tone * 6), "topic": iaa.from_wide(topic * 5)}
    result = iaa.agree.questions(ratings, "krippendorff_alpha", interval=None)
    assert result["question_items"].values.tolist() == [24, 15]
    assert result["question_pairable_items"].values.tolist() == [24, 10]
    assert result["question_annotators"].values.tolist() == [2, 3]
    iaa.page(result).save(tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text()
    assert "- Items: 15 to 24 by question, 10 to 24 with two ratings or more\n" in text
    assert "- Annotators: 2 to 3 by question\n" in text
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| t")]
    assert [(name.strip(), int(items)) for name, items in rows] == [("tone", 24), ("topic", 10)]
    assert "- Items: those with two ratings or more" in text
    same = iaa.agree.questions({"a": ratings["tone"], "b": ratings["tone"]}, interval=None)
    iaa.page(same).save(tmp_path / "same.md")
    same_text = (tmp_path / "same.md").read_text()
    assert "- Items: 24, all with two ratings or more\n" in same_text
    assert "Items: those" not in same_text
    fewer = iaa.from_wide([["a", "b"], ["b", "b"], ["a", None], ["a", "a"]] * 6)
    one_size = iaa.agree.questions({"a": ratings["tone"], "b": fewer}, interval=None)
    iaa.page(one_size).save(tmp_path / "size.md")
    size = "- Items: 24 in each question, 18 to 24 with two ratings or more\n"
    assert size in (tmp_path / "size.md").read_text()
