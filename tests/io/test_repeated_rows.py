"""Several rows of an item, with a column for each annotator."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_long
from iaa_jax.data.provenance import parts_of

Write = Callable[..., Path]

TEXT = "id,ann,bob,batch,time\n1,x,y,A,1\n1,y,y,A,2\n2,x,x,B,3\n3,y,,B,4\n3,,x,B,5\n,,,,\n"


def test_rows_are_a_set(write: Write) -> None:
    ratings = read(write(TEXT), annotators="ann,bob", duplicates="combine", keep="batch")
    assert ratings["mass"].values.tolist() == [
        [[1, 1], [0, 1]],
        [[1, 0], [1, 0]],
        [[0, 1], [1, 0]],
    ]
    assert ratings["batch"].values.tolist() == ["A", "B", "B"]
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["rows"]) == ("skipped_rows_of_nothing", 1)


def test_later_rows_are_of_further_annotators(write: Write) -> None:
    ratings = read(write(TEXT), annotators="ann,bob", duplicates="apart", keep="time")
    assert ratings["annotator"].values.tolist() == ["ann", "bob", "ann (2)", "bob (2)"]
    assert ratings["primary"].values.tolist() == [[0, 1, 1, 1], [0, 0, -1, -1], [1, 0, -1, -1]]
    assert ratings["time"].values[0].tolist() == [1, 1, 2, 2]
    assert ratings["time"].values[2, :2].tolist() == [4, 5]


def test_rows_are_votes(write: Write) -> None:
    ratings = read(write(TEXT), annotators="ann,bob", duplicates="votes")
    assert ratings["annotator_of"].values.tolist() == [[0, 0, 1, 1], [0, 1, -1, -1], [0, 1, -1, -1]]
    table = read_long(write(TEXT), annotators="ann,bob")
    assert len(table) == 8


def test_lists_in_cells(write: Write) -> None:
    text = "id,ann,bob\n1,x;y,y\n1,z,y\n2,x,x;z\n"
    for how, expected in (
        ("combine", [[[1, 1, 1], [0, 1, 0]], [[1, 0, 0], [1, 0, 1]]]),
        ("apart", [[[1, 1, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 1]]]),
    ):
        ratings = read(write(text), annotators="ann,bob", duplicates=how, separator=";")
        assert ratings["mass"].values[:, :2].tolist() == expected


def test_rows_that_do_not_repeat_are_read_as_ever(write: Write) -> None:
    text = "id,ann,bob\n1,x,y\n2,x,x\n"
    for how in ("error", "apart", "votes"):
        ratings = read(write(text), annotators="ann,bob", duplicates=how)
        assert ratings["primary"].values.tolist() == [[0, 1], [0, 0]]
    ratings = read(write(text), annotators="ann,bob", duplicates="combine")
    assert ratings["mass"].values.tolist() == [[[1, 0], [0, 1]], [[1, 0], [1, 0]]]


def test_ratings_without_an_item_are_refused(write: Write) -> None:
    text = "id,ann,bob\n1,x,y\n1,x,x\n,x,y\n"
    with pytest.raises(IaaError, match=r"t\.csv line 4"):
        read(write(text), annotators="ann,bob", duplicates="apart")


def test_guessed_annotators_are_refused(write: Write) -> None:
    with pytest.raises(IaaError, match=re.escape("annotators='rater1,rater2'")):
        read(write("id,rater1,rater2\n1,x,y\n1,x,x\n"), duplicates="apart")


@pytest.mark.parametrize("before", ["", "p1,", "ward 1,"])
def test_items_whose_annotators_have_rows_of_their_own(
    refused: Callable[..., str], write: Write, before: str
) -> None:
    """Taken together, they are read as if each item had one row."""
    people, labels = ("ann", "bob", "cy"), ("xyx", "yyy", "zxz", "xx", "yzy", "zz") * 2
    head = "site," * bool(before) + "letter,ann,bob,cy\n"
    text = head + "".join(
        f"{before}L{item},{','.join(label if who == at else '' for at in range(3))}\n"
        for item, answers in enumerate(labels)
        for who, label in enumerate(answers)
    )
    given = {"item": "letter", "annotators": "ann,bob,cy"}
    options = "item='letter', annotators='ann,bob,cy' and duplicates='apart'"
    way = f"if rows with the same 'letter' are one item, give {options}"
    assert f"{way} (12 items, 3 annotators, 32 ratings)" in refused(text)
    message = refused(text, **given)
    assert "nobody rated an item twice: take the rows of an item together with" in message
    assert "combine" not in message
    ratings = read(write(text), **given, duplicates="apart")
    assert tuple(ratings["annotator"].values) == people
    codes = [["xyz".index(label) for label in answers.ljust(3)[:2]] for answers in labels]
    assert ratings["primary"].values[:, :2].tolist() == codes


def test_ids_that_repeat_before_the_column_that_names_items(
    refused: Callable[..., str], write: Write
) -> None:
    """The advice once took the numbers of letters and wards for labels of annotators."""
    answers = [(1, 2, 1), (2, 2, 2), (1, 1, 2), (2, "", 2), (1, 1, 1), (2, 2, 1), ("", 1, 1)]
    rows = [(100 + k // 2, k + 1, 1 + k // 4, *each) for k, each in enumerate(answers)]
    text = "patient,letter,ward,ann,bob,cy\n" + "".join(
        ",".join(map(str, row)) + "\n" for row in rows
    )
    message = refused(text)
    assert "3 repeated rows of the same item (from 'patient')" in message
    _, _, ways = message.partition("; if ")
    assert ways == (
        "'letter' names the items, give item='letter' and annotators='ann,bob,cy' "
        "(7 items, 3 annotators, 19 ratings)"
    )
    assert read(write(text), item="letter", annotators="ann,bob,cy").sizes["item"] == 7
    first = "\n".join(",".join((b, a, *rest)) for a, b, *rest in map(_cells, text.splitlines()))
    assert "if a row is one item, give item='letter' and annotators=" in refused(f"{first}\n")


def _cells(line: str) -> list[str]:
    return line.split(",")
