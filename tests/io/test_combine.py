"""Rows of one annotator on one item as one set of labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from iaa_jax import IaaError, from_long, from_sets, read
from iaa_jax._errors import OptionError

Write = Callable[..., Path]
Refused = Callable[..., str]

ROWS = [
    ("t1", "ann", "joy", "m"), ("t1", "ann", "fear", "m"), ("t1", "bob", "joy", "n"),
    ("t2", "bob", "joy", "m"), ("t2", "ann", "anger", "m"), ("t2", "bob", "fear", "m"),
    ("t2", "bob", "anger", "m"), ("t3", "ann", "joy", "n"), ("t3", "bob", "", "n"),
]  # fmt: skip
FRAME = pd.DataFrame(ROWS, columns=["item", "annotator", "label", "more"])
TEXT = FRAME.to_csv(index=False)
ANN = [{"joy", "fear"}, {"anger"}, {"joy"}]
BOB = [{"joy"}, {"joy", "fear", "anger"}, None]
SETS = from_sets(pd.DataFrame({"ann": ANN, "bob": BOB}, index=["t1", "t2", "t3"]))
MARKED = "item,annotator,is_joy,is_fear\n1,a,1,0\n1,a,0,1\n1,b,1,0\n"


def test_a_table_in_memory_is_no_file() -> None:
    with pytest.raises(IaaError, match=r"is a DataFrame, no file: iaa_jax\.from_long takes"):
        read(FRAME)  # type: ignore[arg-type]


def test_rows_become_sets(write: Write) -> None:
    ratings = read(write(TEXT), duplicates="combine")
    assert ratings.equals(SETS)
    assert ratings.attrs["task"] == "multi_label"
    assert ratings.attrs["read_as"].endswith("rows of an annotator on an item as one set of labels")
    assert not ratings.attrs["skipped"]
    frame = FRAME.replace({"label": {"": None}})
    assert from_long(frame, duplicates="combine").equals(SETS)


def test_sets_without_repeated_rows_are_sets(write: Write) -> None:
    once = FRAME.iloc[[0, 2, 3, 4]]
    ratings = read(write(once.to_csv(index=False)), duplicates="combine")
    assert ratings.attrs["task"] == "multi_label"
    assert from_long(once, duplicates="combine").equals(ratings)


def test_cells_with_several_labels_unite(write: Write) -> None:
    text = "item,annotator,label\nt1,ann,joy\nt1,bob,joy\nt1,ann,fear;joy\nt2,ann,anger\n"
    text += "t2,bob,joy;fear\nt2,bob,anger\nt3,ann,joy\n"
    assert read(write(text), separator=";", duplicates="combine").equals(SETS)
    united = read(write(MARKED), multi_hot="is_*", duplicates="combine")
    assert united["mass"].values.tolist() == [[[1.0, 1.0], [1.0, 0.0]]]


def test_a_crowd(write: Write) -> None:
    rows = [
        (f"t{k}", f"w{(7 * k + j) % 300}", label)
        for k in range(400)
        for j in range(3)
        for label in "xy"[: 1 + j % 2]
    ]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    ratings = read(write(frame.to_csv(index=False)), duplicates="combine")
    assert "slot" in ratings.dims
    assert ratings.equals(from_long(frame, duplicates="combine"))
    assert int(ratings["mass"].sum()) == len(rows)


def test_numbers_and_declared_labels(write: Write) -> None:
    text = "item,annotator,label\n1,a,1\n1,a,2.0\n1,b,2\n"
    assert read(write(text), duplicates="combine")["label"].values.tolist() == [1, 2]
    declared = read(write(TEXT), duplicates="combine", labels="joy,fear,anger,calm")
    assert declared["label"].values.tolist() == ["joy", "fear", "anger", "calm"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"secondary": "more", "annotator": "who"}, "a set of labels has no secondary ones"),
        ({"anonymous": True}, "it is unknown which rows are of one annotator"),
    ],
)
def test_what_cannot_be_combined(refused: Refused, options: dict[str, Any], why: str) -> None:
    text = TEXT.replace("annotator", "who", 1)
    assert refused(text, duplicates="combine", **options).endswith(why)


def test_secondary_labels_of_a_frame() -> None:
    with pytest.raises(OptionError, match="makes sets, which have no secondary labels"):
        from_long(FRAME, secondary="more", duplicates="combine")


def test_tables_whose_rows_are_no_ratings(refused: Refused) -> None:
    wide = "id,ann,bob\n1,x,y\n1,y,y\n2,x,x\n"
    message = refused(wide, annotators="ann,bob", anonymous=True, duplicates="combine")
    assert "duplicates='combine' cannot be used with anonymous" in message
    assert "name the columns by multi_hot" in refused(MARKED, one_hot="is_*", duplicates="combine")


def test_a_column_that_differs_within_a_set(write: Write, refused: Refused) -> None:
    kept = read(write(TEXT.replace(",m\n", ",n\n")), duplicates="combine", keep="more")
    assert kept["more"].values.tolist() == ["n"] * 3
    text = TEXT + "t4,ann,joy,k\nt4,bob,joy,l\n"
    kept = read(write(text), duplicates="combine", keep="more")
    assert kept["more"].dims == ("item", "annotator")
    assert "the rows of a label set differ in the column 'more'" in refused(
        text + "t4,bob,fear,k\n", duplicates="combine", keep="more"
    )


def test_the_refusal_of_repeated_ratings_says_it(refused: Refused, iaa: Callable[..., Any]) -> None:
    words = "combine them into one set of labels with duplicates='combine'"
    assert words in refused(TEXT)
    assert words not in refused(TEXT, secondary="more")
    with pytest.raises(IaaError, match=words):
        from_long(FRAME)
    Path("rows.csv").write_text(TEXT)
    assert "one set of labels with --duplicates combine" in iaa("agree", "rows.csv").stderr
    combined = iaa("agree", "rows.csv", "--duplicates", "combine", "--interval", "none")
    assert "one set of labels" in " ".join(combined.stdout.split())


@pytest.mark.parametrize("how", ["first", "last"])
def test_a_frame_of_which_one_of_each_is_kept(write: Write, how: str) -> None:
    frame = FRAME.replace({"label": {"": None}})
    kept = from_long(frame, duplicates=how)
    assert kept.equals(read(write(TEXT), duplicates=how))
    assert kept.attrs["skipped"] == f"3 repeated ratings (kept the {how} in the order of the table)"
    with pytest.raises(IaaError, match="duplicates must be one of error, first, last, combine"):
        from_long(frame, duplicates="none")


def test_several_columns_that_name_an_item(write: Write, refused: Refused) -> None:
    rows = "".join(
        f"{k},{feeling},{who},{(k + len(who)) % 2}\n"
        for k in range(4)
        for feeling in ("joy", "fear", "anger")
        for who in ("ann", "ben")
    )
    text = "id,emotion,annotator,label\n" + rows
    told = refused(text, item="id")
    assert "16 repeated ratings" in told
    assert "if several columns name an item together, give them all, as in item='NAME,NAME'" in told
    assert read(write(text), item="id,emotion").sizes["item"] == 12
