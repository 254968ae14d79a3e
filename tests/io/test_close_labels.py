"""Labels that are made like others are said: a letter apart, or several in one cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read
from iaa_jax.wording import load_notes
from tests.noted import cautioned, cautions_of

Write = Callable[..., Path]


def long(*odd: str, labels: tuple[str, ...] = ("good", "poor"), rows: int = 150) -> str:
    """A pair of ratings in each row of so many; the odd labels are the last."""
    cells = [*(labels[k % len(labels)] for k in range(2 * rows - len(odd))), *odd]
    return "item,annotator,label\n" + "".join(
        f't{k // 2},{"xy"[k % 2]},"{cell}"\n' for k, cell in enumerate(cells)
    )


def notices(path: Path, **options: object) -> list[str]:
    return str(read(path, **options).attrs.get("notices", "")).splitlines()


@pytest.mark.parametrize("label", ["goo", "goodd", "god", "gopd", "ogod", "xgood", "g\u00f6od"])
def test_a_label_a_letter_away_from_a_common_one(write: Write, label: str) -> None:
    path = write(long(label))
    (told,) = cautions_of(read(path))
    assert told.code == "labels_misspelt"
    near = {"label": label, "ratings": 1, "other": "good", "others": 150}
    assert [note.values for note in told.values["near"]] == [near]
    assert not notices(path, labels=["good", "poor", label])
    with pytest.raises(IaaError, match="with a label that was not declared"):
        read(path, labels=["good", "poor"])


def test_several_labels_a_letter_away(write: Write) -> None:
    odd = ("gopd", "poot", "goud", "poog", "poof")
    (told,) = notices(write(long(*odd, rows=1000)))
    assert told.startswith(
        "'gopd' (1 rating) is one character away from 'good' (998 ratings); 'goud'"
    )
    assert "(997 ratings), and 2 more are as near to another: they may be misspelt" in told
    (alone,) = notices(write(long("gopd")))
    assert alone.endswith("; declare the right labels with labels=, so that others are refused")


@pytest.mark.parametrize(
    ("odd", "common"),
    [
        (["goat"], "good"),  # two letters away
        (["gopd"] * 3, "good"),  # not so rare
        (["no"], "not"),  # of two letters
        (["label 2"], "label 1"),
        (["10:05"], "10:15"),
        (["NNPS"], "NNP"),  # a code
        (["enjoy"], "joy"),
    ],
)
def test_labels_that_are_no_misspelt_ones(write: Write, odd: list[str], common: str) -> None:
    told = cautioned(read(write(long(*odd, labels=(common, "a word")))))
    assert "labels_misspelt" not in told


def test_rare_labels_are_the_rule_among_many(write: Write) -> None:
    odd = [f"go{letter}d" for letter in "abcdefghijklmnpqrstuvwxyz"]
    assert not notices(write(long(*odd, rows=3000)))
    assert not notices(write(long("gopd", rows=20)))  # more than one in a hundred


@pytest.mark.parametrize("separator", [";", "|", ",", "/", "+"])
@pytest.mark.parametrize("cell", ["good{}poor", "good{}good", "poor {} good"])
def test_a_cell_that_may_hold_several_labels(write: Write, separator: str, cell: str) -> None:
    label = cell.format(separator)
    path = write(long(label))
    (told,) = cautions_of(read(path))
    assert (told.code, told.values["separator"]) == ("labels_joined", separator)
    assert [note.values for note in told.values["labels"]] == [{"label": label, "ratings": 1}]
    assert not notices(path, separator=separator)
    assert not notices(path, labels=["good", "poor", label])


def test_cells_that_all_hold_several_labels(write: Write) -> None:
    path = write("item,ann,ben\n1,a;b,b;c\n2,a;c,a;b\n3,b;c,a;b\n")
    (told,) = cautions_of(read(path))
    assert {note.values["label"]: note.values["ratings"] for note in told.values["labels"]} == {
        **{"a;b": 3, "a;c": 1, "b;c": 2}
    }
    assert not notices(path, separator=";")


def test_cells_of_several_labels_of_which_some_stand_nowhere_else(write: Write) -> None:
    path = write("item,ann,ben\n1,a;b,a\n2,c;a,a\n3,a,c;a\n")
    (told,) = notices(path)
    assert told.startswith(
        "'a;b' (1 rating) and 'c;a' (2 ratings) hold ';' between what may be labels"
    )


@pytest.mark.parametrize("cell", ["l{0};l{1};l{2}", "A text of one; number {0}.{1}.{2}, it ends"])
def test_very_many_different_labels_that_are_several_each(write: Write, cell: str) -> None:
    """Lists of labels have more combinations than labels, as texts have; these are no lists."""
    ids = [(a, b, c) for a in range(20) for b in range(a) for c in range(b)]
    text = "item,ann,ben\n" + "".join(
        f'{k},"{cell.format(*ids[k])}","{cell.format(*ids[-k])}"\n' for k in range(len(ids))
    )
    told = [note for note in cautions_of(read(write(text))) if note.code == "labels_joined"]
    assert len(told) == cell.startswith("l")
    assert all(note.values["count"] == 1140 for note in told)


@pytest.mark.parametrize("label", ["yes/no", "n/a;x", "good;", ";", "good;very good"])
def test_signs_that_join_no_labels(write: Write, label: str) -> None:
    assert "labels_joined" not in cautioned(read(write(long(label))))


def test_scores_of_one_number_are_no_lists(write: Callable[..., Path]) -> None:
    """No separator is advised for them: it would cut each into two labels."""
    text = "item,annotator,label\n" + "".join(
        f"{k},{who},{(k + shift) % 4 + 6}/10\n" for k in range(6) for shift, who in enumerate("ab")
    )
    codes = {note.code for note in load_notes(read(write(text)).attrs["reading"])}
    assert not {"labels_of_scores", "labels_joined"} & codes
    fractions = text.replace("6/10", "6/12")
    codes = {note.code for note in load_notes(read(write(fractions)).attrs["reading"])}
    assert "labels_of_scores" not in codes
