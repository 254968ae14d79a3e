"""Files in which annotators rated items several times: read as votes, or refused with a way out."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read
from iaa_jax._errors import OptionError
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.data.long_rows import long_rows
from iaa_jax.data.provenance import parts_of
from iaa_jax.io.export.answers import Span
from iaa_jax.io.export.ratings import ratings_of
from iaa_jax.io.export.spans import spans_of
from tests.data.votes import COLUMNS, ROWS, random_rows, votes
from tests.io.conftest import Refused, Write
from tests.io.exports import export_of

FRAME = pd.DataFrame(ROWS, columns=COLUMNS)
TEXT = FRAME.to_csv(index=False)


def named(message: str) -> set[str]:
    """The choices that a message names."""
    return {name for name in (*DUPLICATES, "keep") if f"duplicates={name!r}" in message}


def test_referee_spans_2_a_long_table_of_votes(write: Write) -> None:
    ratings = read(write(TEXT), duplicates="votes")
    assert ratings.equals(votes(ROWS))
    said = "3 repeated ratings as further votes of their annotators"
    assert said in ratings.attrs["read_as"]
    apart = read(write(TEXT), duplicates="apart").attrs["read_as"]
    assert "3 repeated ratings as those of 3 further annotators, as 'ann (2)'" in apart
    once = FRAME.drop_duplicates(["item", "annotator"]).to_csv(index=False)
    for how in ("votes", "apart"):
        assert read(write(once), duplicates=how).identical(read(write(once)))


def test_back_and_forth_every_vote_stays(write: Write) -> None:
    for seed in range(3):
        text = pd.DataFrame(random_rows(seed), columns=COLUMNS).to_csv(index=False)
        ratings = read(write(text), duplicates="votes")
        table = long_rows(ratings)
        again = read(write(table.to_csv(index=False)), duplicates="votes")
        order = ["item", "annotator", "label"]
        pd.testing.assert_frame_equal(
            long_rows(again).sort_values(order, ignore_index=True),
            table.sort_values(order, ignore_index=True),
        )
        kept = iaa.read_long(write(text))  # a plain table, of which all is kept
        assert sorted(kept[order].values.tolist()) == sorted(map(list, random_rows(seed)))


def test_what_describes_votes_is_kept_vote_by_vote(write: Write) -> None:
    timed = FRAME.assign(time=np.arange(9), team=FRAME["annotator"].str[0])
    ratings = read(write(timed.to_csv(index=False)), duplicates="votes", keep="time,team")
    assert ratings["team"].values.tolist() == ["a", "b", "c"]
    wanted = [[0, 2, 3, 1], [5, 4, 6, np.nan], [7, 8, np.nan, np.nan]]
    np.testing.assert_array_equal(ratings["time"], wanted)


def test_second_choices_and_sets_may_be_votes(write: Write) -> None:
    doubled = FRAME.assign(second=["y", "", "", "", "y", "", "", "", ""])
    ratings = read(write(doubled.to_csv(index=False)), secondary="second", duplicates="votes")
    assert ratings.attrs["task"] == "primary_secondary"
    assert ratings["secondary"].values.tolist() == [[1, -1, -1, -1], [-1, 1, -1, -1], [-1] * 4]
    sets = FRAME.assign(label=["x;y", "y", "y", "x", "x", "y", "x", "x", "y"])
    ratings = read(write(sets.to_csv(index=False)), separator=";", duplicates="votes")
    assert ratings.attrs["repeated"] == 1
    assert ratings["mass"].values[0].tolist() == [[1, 1], [0, 1], [1, 0], [0, 1]]
    listed = [json.dumps(label.split(";")) for label in sets["label"]]
    lists = read(write(sets.assign(label=listed).to_csv(index=False)), duplicates="votes")
    assert lists.equals(ratings)


MARKED = (
    "item,annotator,is_x,is_y\n1,ann,1,0\n1,ann,0,1\n1,ann,1,0\n1,bob,0,1\n2,ann,1,0\n2,bob,1,0\n"
)


@pytest.mark.parametrize("option", ["one_hot", "multi_hot"])
def test_columns_of_marks(write: Write, refused: Refused, option: str) -> None:
    marks = {option: "is_*"}
    ratings = read(write(MARKED), duplicates="votes", **marks)
    assert ratings["annotator_of"].values.tolist() == [[0, 0, 0, 1], [0, 1, -1, -1]]
    apart = read(write(MARKED), duplicates="apart", **marks)
    assert apart["annotator"].values.tolist() == ["ann", "bob", "ann (2)", "ann (3)"]
    assert "2 further annotators, as 'ann (2)'" in apart.attrs["read_as"]
    others = {"error", "keep", *(["combine"] if option == "one_hot" else [])}
    assert named(refused(MARKED, **marks)) == {*DUPLICATES} - others


def test_referee_spans_3_the_refusal_names_every_choice(refused: Refused) -> None:
    every = {*DUPLICATES} - {"error"}
    assert named(refused(TEXT)) == every
    alike = FRAME.assign(label="x").to_csv(index=False)
    assert named(refused(alike)) == every
    doubles = FRAME.assign(second="").to_csv(index=False)
    assert named(refused(doubles, secondary="second")) == every - {"combine"}
    assert named(refused(FRAME.assign(label="x;y").to_csv(index=False), separator=";")) == every


def test_rows_of_items_offer_every_choice(refused: Refused) -> None:
    wide = "id,ann,bob\n1,x,y\n1,y,y\n2,x,x\n"
    assert named(refused(wide, annotators="ann,bob")) == {*DUPLICATES} - {"error"}
    anonymous = refused(wide, annotators="ann,bob", anonymous=True)
    assert named(anonymous) == {"first", "last"}


JUDGED = [
    *(("1", "ann", ["yes"]), ("1", "ann", ["no"]), ("1", "bob", ["no"])),
    *(("2", "ann", ["no"]), ("2", "bob", ["no"])),
]
SPANS = [("d1", "ann", []), ("d1", "ann", []), ("d1", "bob", []), ("d2", "bob", [])]


def test_judgements_of_a_tool() -> None:
    ratings = ratings_of(export_of(JUDGED, duplicates="votes"))
    assert ratings["annotator_of"].values.tolist() == [[0, 0, 1], [0, 1, -1]]
    assert ratings["primary"].values.tolist() == [[1, 0, 0], [0, 0, -1]]
    with pytest.raises(IaaError) as refused:
        ratings_of(export_of(JUDGED))
    assert named(str(refused.value)) == {*DUPLICATES} - {"error"}


def test_spans_are_no_votes() -> None:
    with pytest.raises(OptionError, match="duplicates='votes' cannot be used with spans"):
        spans_of(export_of(SPANS, kind="spans", duplicates="votes"))
    with pytest.raises(IaaError) as refused:
        spans_of(export_of(SPANS, kind="spans"))
    assert named(str(refused.value)) == {"first", "last", "apart"}


def test_a_table_names_the_choices_that_a_table_has(write: Write) -> None:
    path = write(TEXT)
    with pytest.raises(IaaError) as refused:
        iaa.read_long(path, duplicates="error")
    assert named(str(refused.value)) == {"keep", "first", "last"}
    assert len(iaa.read_long(path, duplicates="first")) == 6


def test_what_is_scanned_has_no_votes(write: Write) -> None:
    with pytest.raises(IaaError, match="already rated the item") as refused:
        iaa.scan(write(TEXT))
    assert named(str(refused.value)) == {*DUPLICATES} - {"error"}


def test_spans_of_a_second_time_are_those_of_a_further_annotator() -> None:
    rows = [
        *(("d1", "ann", [Span(0, 3, "A")]), ("d1", "ann", [Span(5, 7, "B")])),
        *(("d1", "bob", [Span(0, 3, "A")]), ("d2", "ann", []), ("d2", "bob", [])),
    ]
    spans = spans_of(export_of(rows, kind="spans", duplicates="apart"))
    assert spans["annotator"].values.tolist() == ["ann", "bob", "ann (2)"]
    assert spans["annotator_of"].values.tolist() == [0, 2, 1]
    assert spans["seen"].values.tolist() == [[True, True, True], [True, True, False]]
    (note,) = [part for part in parts_of(spans, "read_as") if part.code == "read_as_apart"]
    assert note.values == {"ratings": 1, "annotators": 1, "name": "ann (2)"}
