"""What was guessed and may be meant otherwise is said beside the ratings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from iaa_jax import read

Write = Callable[..., Path]


def notices(path: Path, **options: object) -> list[str]:
    return str(read(path, **options).attrs.get("notices", "")).splitlines()


def wide(*cells: str) -> str:
    rows = [f"{row},{cell},yes\n{row}b,yes,no\n" for row, cell in enumerate(cells)]
    return "id,ann,bob\n" + "".join(rows)


@pytest.mark.parametrize("text", [wide("yes", "no"), wide("", "NA"), wide("null", "NaN", "None")])
def test_nothing_to_say(write: Write, text: str) -> None:
    assert "notices" not in read(write(text)).attrs


@pytest.mark.parametrize(
    "label",
    [
        "NULL",
        "none",
        "#N/A",
        "-",
        "n/a",
        "na",
        "Null",
        "nil",
        "--",
        "—",
        "?",
        "<NA>",
        "(none)",
        "missing",
        "Skip",
        "skipped",
    ],
)
def test_labels_that_look_like_gaps(write: Write, label: str) -> None:
    path = write(wide(label, label, "no"))
    assert notices(path) == [
        f"{label!r} (2 ratings) may mean 'not rated' and was read as a label; if so, give "
        f"missing='{label}'"
    ]
    assert not notices(path, missing=label)
    assert not notices(path, labels=["yes", "no", label])
    assert (read(path, missing=label)["primary"].values >= 0).sum() == 10


def test_several_such_labels(write: Write) -> None:
    assert notices(write(wide("NULL", "-", "NULL", "none"))) == [
        "'-' (1 rating), 'NULL' (2 ratings) and 'none' (1 rating) may mean 'not rated' and were "
        "read as labels; if so, give missing='-,NULL,none'"
    ]


def test_invisible_labels(write: Write) -> None:
    assert notices(write(wide("\u200b", "no"))) == [
        "'\\u200b' (1 rating) has no visible character and was read as a label; leave these cells "
        "empty if nobody rated there"
    ]


def test_label_sets_and_second_labels(write: Write) -> None:
    sets = "item,annotator,label\n1,a,none;x\n1,b,x\n2,a,none\n2,b,x\n"
    assert notices(write(sets), separator=";")[0].startswith("'none' (2 ratings) may mean")
    pairs = "item,annotator,label,more\n1,a,x,-\n1,b,x,y\n2,a,y,-\n2,b,y,\n"
    assert notices(write(pairs), secondary="more")[0].startswith("'-' (2 ratings) may mean")


def test_labels_that_do_differ(write: Write) -> None:
    assert not notices(write(wide("oui", "ou\u00ef", "a1", "a1.5")))
    assert not notices(write("id,ann,bob\n1,1,1.0\n2,2,1\n"))
    assert unicodedata.is_normalized("NFC", "ou\u00ef")


@pytest.mark.parametrize("name", ["annotator", "Rater ID", "worker", "user"])
def test_a_table_that_may_stand_the_other_way_round(write: Write, name: str) -> None:
    path = write(f"{name},i1,i2,i3\nann,x,y,x\nbob,x,y,y\n")
    ratings = read(path)
    assert ratings["annotator"].values.tolist() == ["i1", "i2", "i3"]
    assert notices(path) == [
        f"each row was read as an item, though {name!r} seems to name annotators; if a "
        "row is an annotator and a column an item, give format='transposed'"
    ]
    turned = read(path, format="transposed")
    assert turned["annotator"].values.tolist() == ["ann", "bob"]
    assert "notices" not in turned.attrs
    assert not notices(path, item=name)
    assert not notices(path, annotators="i1,i2,i3", item=name)


@pytest.mark.parametrize("start", ["t", "q", "Question "])
def test_columns_named_like_questions(write: Write, start: str) -> None:
    path = write(f",{start}1,{start}2,{start}3\nann,x,y,x\nbob,x,y,y\ncy,x,y,y\n")
    assert "though they are named like items" in notices(path)[0]


def test_columns_named_like_items(write: Write) -> None:
    path = write("who,item 1,item 2,item 3\nann,x,y,x\nbob,x,y,y\n")
    assert notices(path) == [
        "columns were read as annotators, though they are named like items "
        "('item 1', 'item 2', 'item 3'); if a row is an annotator and a column an item, give "
        "format='transposed'"
    ]
    assert not notices(path, annotators="item*", item="who")
    assert not notices(write("id,item 1,bob\n1,x,y\n2,y,y\n3,x,x\n"))


def both(*cells: str) -> str:
    return "id,ann,bob\n" + "".join(f"{row},{cell},{cell}\n" for row, cell in enumerate(cells))


@pytest.mark.parametrize("labels", ["x y y x", "0 2 2 1", "3 4 5 3"])
@pytest.mark.parametrize("code", ["-1", "-99"])
def test_codes_below_zero_may_say_not_rated(write: Write, labels: str, code: str) -> None:
    path = write(both(*labels.split(), code))
    (told,) = notices(path)
    assert told == (
        f"'{code}' (2 ratings) may mean 'not rated' and was read as a label; if so, give "
        f"missing='{code}'"
    )
    assert not notices(path, missing=code)
    assert not notices(path, labels=[code, *sorted({*labels.split()}), "a", "b"])


@pytest.mark.parametrize("labels", ["-1 0 1 0", "-1 1 1 1", "-2 -1 0 3", "-1 0.5 2 2", "-1 2 x y"])
def test_numbers_below_zero_on_a_scale(write: Write, labels: str) -> None:
    assert "not rated" not in " ".join(notices(write(both(*labels.split()))))


def test_several_notices(write: Write) -> None:
    path = write("annotator,i1,i2,i3\nann,x,X,x\nbob,X,NULL,x\ncy,x,X,NULL\n")
    starts = [
        "each row was read as an item",
        "'NULL' (2 ratings)",
        "labels that differ only in case",
    ]
    assert all(map(str.startswith, notices(path), starts))
    assert len(notices(path)) == 3


def kinds(rows: int, seed: int, *, gap: bool, sets: bool = False, word: str = "none") -> str:
    """Ratings of three annotators with 'none': what an item is, or where nobody looked."""
    draw = np.random.default_rng(seed)
    lines = []
    for item in range(rows):
        kind = draw.choice(["hate", "rude"] if gap else ["hate", "rude", word])
        for who in "abc":
            label = kind if draw.random() < 0.8 else draw.choice(["hate", "rude"])
            if gap and draw.random() < 0.25:
                label = word
            if sets and label != word and draw.random() < 0.5:
                label = "hate;rude"
            lines.append(f"{item},{who},{label}")
    return "\n".join(["item,annotator,label", *lines])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rows", [25, 200])
@pytest.mark.parametrize(("word", "sets"), [("none", False), ("none", True), ("skip", False)])
def test_none_that_annotators_agree_on_is_a_label(
    write: Write, rows: int, seed: int, word: str, sets: bool
) -> None:
    options = {"separator": ";"} if sets else {}
    told = notices(write(kinds(rows, seed, gap=False, sets=sets, word=word)), **options)
    assert not any("not rated" in note for note in told)
    told = notices(write(kinds(rows, seed, gap=True, sets=sets, word=word)), **options)
    assert any(f"'{word}'" in note and "not rated" in note for note in told)


@pytest.mark.parametrize("seed", range(3))
def test_a_none_read_as_a_gap_is_noted_if_annotators_agree_on_it(write: Write, seed: int) -> None:
    path = write(kinds(60, seed, gap=False, word="None"))
    assert re.search(
        r"'None' \(\d+ cells\) was read as not rated, yet annotators agree on it; if it is a "
        "label, give labels='None,hate,rude'",
        notices(path)[0],
    )
    for options in ({"labels": "None,hate,rude"}, {"missing": "None"}):
        assert not any("not rated" in note for note in notices(path, **options))
    path = write(kinds(60, seed, gap=True, word="None"))
    assert not any("'None'" in note for note in notices(path))


def test_none_of_items_that_nobody_rated_is_noted(write: Write) -> None:
    labels = ["x", "y"] * 10 + ["none"] * 10
    rows = [f"{k},{who},{label}" for k, label in enumerate(labels) for who in "ab"]
    assert "not rated" in notices(write("\n".join(["item,annotator,label", *rows])))[0]


@pytest.mark.parametrize("others", ["0,1,2", "yes"])
def test_none_among_numbers_or_one_label_is_noted(write: Write, others: str) -> None:
    labels = others.split(",")
    rows = [
        f"{k},{who},{labels[k % len(labels)] if k % 3 and (k > 4 or who == 'a') else 'none'}"
        for k in range(30)
        for who in "ab"
    ]
    told = notices(write("\n".join(["item,annotator,label", *rows])))
    assert any("'none'" in note and "not rated" in note for note in told)
