"""Tables with a row for each label of an item."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from iaa_jax import IaaError, read
from iaa_jax.data.provenance import parts_of
from iaa_jax.data.storage import rated

Write = Callable[..., Path]

LABELS = ("anger", "fear", "joy")
SCORES = {  # item: annotator: strengths
    1: {"ann": (0, 0.5, 1), "bob": (0, 0, 80)},
    2: {"ann": (0, 0, 0), "bob": (1, 0, 0)},
    3: {"bob": (3, 2, 0)},
}
LONG = "item,annotator,emotion,score,batch\n" + "".join(
    f"{item},{who},{label},{value},{'AB'[item % 2]}\n"
    for item, of_item in SCORES.items()
    for who, values in of_item.items()
    for label, value in zip(LABELS, values, strict=True)
)
WIDE = "item,emotion,ann,bob,batch\n" + "".join(
    f"{item},{label},{of_item.get('ann', ('',) * 3)[k]},{of_item['bob'][k]},{'AB'[item % 2]}\n"
    for item, of_item in SCORES.items()
    for k, label in enumerate(LABELS)
)
MASS = np.full((3, 2, 3), np.nan)
for _item, _scores in SCORES.items():
    for _who, _values in _scores.items():
        MASS[_item - 1, ["ann", "bob"].index(_who)] = np.array(_values) > 0


@pytest.mark.parametrize(
    ("text", "options"),
    [(LONG, {"strength": "score"}), (WIDE, {"annotators": "ann,bob"})],
)
def test_labels_above_0_are_a_set(write: Write, text: str, options: dict[str, str]) -> None:
    ratings = read(write(text), label="emotion", keep="batch", **options)  # type: ignore[arg-type]
    assert ratings.attrs["task"] == "multi_label"
    assert ratings["label"].values.tolist() == list(LABELS)
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    seen = ~np.isnan(MASS)
    np.testing.assert_array_equal(ratings["mass"].values[seen], MASS[seen])
    assert not (ratings["mass"].values[2, 0] > 0).any()
    assert ratings["batch"].values.tolist() == ["B", "A", "B"]


def test_an_empty_set_is_an_answer_and_an_empty_row_is_none(write: Write) -> None:
    ratings = read(write(LONG), label="emotion", strength="score")
    assert rated(ratings).sum() == 5


def test_single_cells_that_are_empty_are_counted(write: Write) -> None:
    text = "item,emotion,ann,bob\n1,joy,1,0\n1,fear,,1\n2,joy,,1\n2,fear,,0\n3,joy,1,1\n"
    ratings = read(write(text), label="emotion", annotators="ann,bob")
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["cells"]) == ("skipped_strengths", 1)
    assert rated(ratings).sum() == 5


def test_repeats(write: Write) -> None:
    text = LONG + "1,ann,joy,0,B\n"
    with pytest.raises(IaaError, match=r"t\.csv line 17 .*repeats .*t\.csv line 4"):
        read(write(text), label="emotion", strength="score")
    for how, joy in (("first", 1), ("last", 0)):
        ratings = read(write(text), label="emotion", strength="score", duplicates=how)
        assert ratings["mass"].values[0, 0].tolist() == [0, 1, joy]
    with pytest.raises(IaaError, match="duplicates='apart' does not apply to tables with a row"):
        read(write(text), label="emotion", strength="score", duplicates="apart")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (LONG.replace(",80,", ",-80,"), {"strength": "score"}, r"'-80' at .*t\.csv line 7"),
        (LONG.replace(",80,", ",much,"), {"strength": "score"}, r"'much' at .*t\.csv line 7"),
        (LONG.replace(",80,", ",inf,"), {"strength": "score"}, r"'inf' at .*t\.csv line 7"),
        (LONG.replace("1,bob,joy", "1,bob,"), {"strength": "score"}, r"t\.csv line 7"),
        (LONG.replace("1,bob,joy", ",bob,joy"), {"strength": "score"}, r"t\.csv line 7"),
        (WIDE.replace("1,joy", ",joy"), {"annotators": "ann,bob"}, r"t\.csv line 4"),
        (LONG, {"strength": "scores"}, "'scores'"),
        (LONG, {"strength": "score", "annotators": "a"}, "name the labels by label"),
        (LONG, {"strength": "score", "anonymous": True}, "anonymous"),
    ],
)
def test_what_is_refused(write: Write, text: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(IaaError, match=message):
        read(write(text), label="emotion", **options)  # type: ignore[arg-type]


def test_marks_of_0_and_1(write: Write) -> None:
    text = "item,annotator,emotion,given\n" + "".join(
        f"{item},{who},{label},{word}\n"
        for item in (1, 2)
        for who in ("a", "b")
        for label, word in (("joy", "yes"), ("fear", "FALSE"))
    )
    ratings = read(write(text), label="emotion", strength="given")
    assert ratings["mass"].values[0, 0].tolist() == [1, 0]
