"""Further columns of the files become coordinates of the ratings, in the same pass."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings, strategies as st

import iaa_jax as iaa
from iaa_jax import IaaError, read

Write = Callable[..., Path]
Refused = Callable[..., str]

UNIVERSAL = {
    name: Path(__file__).parent / "samples" / "universal" / f"synthetic_{name}.csv"
    for name in ("long_multilabel", "long_ratings", "wide_labels")
}

LONG = """\
item,annotator,label,batch,team,time,page
1,ann,x,first,home,2024-01-01,7
1,bob,x,first,away,2024-01-02,7
2,ann,y,second,home,2024-01-03,
2,bob,x,second,away,,
"""


def values(ratings: Any, name: str) -> tuple[tuple[str, ...], list[Any]]:
    return ratings[name].dims, ratings[name].values.tolist()


def test_a_column_goes_along_what_it_describes(write: Write) -> None:
    ratings = read(write(LONG), keep="batch,team,time")
    assert values(ratings, "batch") == (("item",), ["first", "second"])
    assert values(ratings, "team") == (("annotator",), ["home", "away"])
    times = [["2024-01-01", "2024-01-02"], ["2024-01-03", ""]]
    assert values(ratings, "time") == (("item", "annotator"), times)
    plain = read(write(LONG))
    assert "batch" not in plain.coords
    assert ratings.drop_vars(["batch", "team", "time"]).identical(plain)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("1", "2"), [1, 2]),
        (("1", "2.5"), [1.0, 2.5]),
        (("7", ""), [7.0, None]),
        (("1", "x"), ["1", "x"]),
        (("007", "010"), ["007", "010"]),
        (("1_000", "2"), ["1_000", "2"]),
        (("0", "-0.5"), [0, -0.5]),
        (("9007199254740993", "1"), ["9007199254740993", "1"]),
        (("NA", "x"), ["NA", "x"]),
        (("", ""), ["", ""]),
        ((" padded ", "x"), ["padded", "x"]),
    ],
)
def test_numbers_and_texts(
    write: Write, cells: tuple[str, str], expected: list[float | str | None]
) -> None:
    path = write(f"id,ann,bob,more\n1,x,y,{cells[0]}\n2,y,y,{cells[1]}\n")
    kept = read(path, annotators="ann,bob", keep=["more"])["more"]
    known = [None if value != value else value for value in kept.values.tolist()]
    assert known == expected
    assert kept.dtype.kind == ("O" if isinstance(expected[0], str) else kept.dtype.kind)


LAYOUTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "long": (LONG, {}, "item"),
    "wide": (
        "id,ann,bob,batch\n1,x,x,first\n2,y,x,second\n",
        {"annotators": "ann,bob"},
        "item",
    ),
    "wide, guessed": ("id,ann,bob,batch\n1,x,x,first\n2,y,x,second\n", {}, "item"),
    "counts": (
        "id,n_x,n_y,batch\n1,2,0,first\n2,1,1,second\n",
        {"counts": "n_*"},
        "item",
    ),
    "one-hot": (
        "id,annotator,x,y,batch\n1,a,1,0,first\n1,b,1,0,first\n2,a,0,1,second\n2,b,1,0,second\n",
        {"one_hot": "x,y"},
        "item",
    ),
    "label sets": (
        "id,annotator,x,y,batch\n1,a,1,0,first\n1,b,1,1,first\n2,a,0,1,second\n2,b,1,0,second\n",
        {"multi_hot": "x,y"},
        "item",
    ),
    "sets in cells": (
        "id,annotator,label,batch\n1,a,x;y,first\n1,b,y,first\n2,a,x,second\n2,b,x;y,second\n",
        {"separator": ";"},
        "item",
    ),
    "lists of anonymous ratings": (
        "id,label,batch\n1,x;y,first\n2,x;x,second\n",
        {"separator": ";", "anonymous": True, "label": "label"},
        "item",
    ),
    "transposed": (
        "who,i1,i2,i3,batch\nann,x,y,x,first\nbob,x,y,y,second\n",
        {"format": "transposed"},
        "annotator",
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_keeps_columns(write: Write, layout: str) -> None:
    text, options, axis = LAYOUTS[layout]
    ratings = read(write(text), **options, keep="batch")
    assert values(ratings, "batch") == ((axis,), ["first", "second"])
    assert "batch" not in ratings[next(iter(ratings.data_vars))].dims


REPEATED = LONG.replace("2,ann,y,second,home,2024-01-03,", "1,ann,y,first,home,2024-01-03,8")


@pytest.mark.parametrize("duplicates", ["error", "first", "last", "apart", "votes", "combine"])
def test_a_frame_keeps_columns_as_its_file_does(write: Write, duplicates: str) -> None:
    text = LONG if duplicates == "error" else REPEATED
    asked: dict[str, Any] = {"keep": "*", "duplicates": duplicates}
    if duplicates == "combine":  # rows of one set differ in their times
        asked["keep"] = ["batch", "team"]
    of_file = read(write(text), **asked)
    frame = pd.read_csv(io.StringIO(text))
    of_frame = iaa.from_long(frame, **asked)
    for name in asked["keep"] if asked["keep"] != "*" else ("batch", "team", "time", "page"):
        assert of_frame[name].dims == of_file[name].dims
        left, right = (each.sortby("annotator")[name].values for each in (of_frame, of_file))
        np.testing.assert_array_equal(left, right)
    assert not {"batch", "team"} & {*iaa.from_long(frame, duplicates=duplicates).coords}


def test_cells_of_a_frame_are_kept_as_what_they_are() -> None:
    frame = pd.read_csv(io.StringIO(LONG))
    kinds = {
        "time": pd.to_datetime(frame["time"]),
        "sure": [True, True, False, False],
        "code": ["1", "1", None, None],
        "list": [[1], [1], None, None],
        "whole": pd.Series([2**53 + 1, 2**53 + 1, 7, 7], dtype="Int64"),
    }
    kept = iaa.from_long(frame.assign(**kinds), keep=list(kinds))
    assert kept["time"].dtype.kind == "M"
    assert np.isnat(kept["time"].values[1, 1])
    assert values(kept, "sure") == (("item",), ["True", "False"])
    assert values(kept, "code") == (("item",), ["1", ""])
    assert values(kept, "list") == (("item",), ["[1]", ""])
    assert values(kept, "whole") == (("item",), [2**53 + 1, 7])


def test_a_wide_frame_keeps_columns_that_are_no_annotators(write: Write) -> None:
    text = "id,ann,bob,batch,words\n1,x,x,first,7\n2,y,x,second,\n"
    of_file = read(write(text), item="id", annotators="ann,bob", keep="batch,words")
    frame = pd.read_csv(io.StringIO(text), index_col="id")
    ratings = iaa.from_wide(frame, keep=["batch", "words"])
    xr.testing.assert_equal(ratings, of_file.assign_coords(item=[1, 2]))


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        ("label", "column 'label' holds labels, which cannot be kept"),
        ("teem", "there is no column 'teem'; .* did you mean 'team'"),
        ("secondary", "the column 'secondary' cannot be kept under its name"),
        (["time"], "the rows of a label set differ in the column 'time'"),
    ],
)
def test_a_frame_refuses_to_keep(keep: str | list[str], said: str) -> None:
    frame = pd.read_csv(io.StringIO(REPEATED)).assign(secondary="x")
    with pytest.raises(IaaError, match=said):
        iaa.from_long(frame, keep=keep, duplicates="combine")
    with pytest.raises(IaaError, match="keep is for columns of a DataFrame"):
        iaa.from_wide([["x", "x"]], keep=keep)


def test_a_contingency_table_keeps_none(refused: Refused) -> None:
    message = refused(",x,y\nx,3,1\ny,1,3\n", format="contingency", keep="x")
    assert "a contingency table cannot keep further columns: its rows are labels" in message


def test_records_and_pipes(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"item": 1, "annotator": "a", "label": "x", "about": {"batch": "first"}},
        {"item": 1, "annotator": "b", "label": "y", "about": {"batch": "first"}},
    ]
    ratings = read(write(json.dumps(rows), "t.json"), keep="about.batch")
    assert values(ratings, "about.batch") == (("item",), ["first"])
    pipe = io.TextIOWrapper(io.BytesIO(LONG.encode()))
    monkeypatch.setattr("sys.stdin", pipe)
    assert values(read("-", keep="batch"), "batch") == (("item",), ["first", "second"])


def test_several_files_and_stars(write: Write) -> None:
    one = write("id,ann,bob,of_1,of_2\n1,x,y,p,1\n", "one.csv")
    two = write("id,ann,bob,of_1,of_2\n2,y,y,q,2\n", "two.csv")
    ratings = read([one, two], annotators="ann,bob", keep="of_*")
    assert values(ratings, "of_1") == (("item",), ["p", "q"])
    assert values(ratings, "of_2") == (("item",), [1, 2])
    short = write("id,ann,bob,of_1\n3,y,y,q\n", "three.csv")
    with pytest.raises(IaaError, match=r"three\.csv has no column 'of_2'"):
        read([one, short], annotators="ann,bob", keep="of_*")


def test_rows_that_are_left_out(write: Write) -> None:
    repeated = LONG + "1,ann,y,first,home,2025-05-05,8\n,ann,,lost,home,2026-06-06,9\n"
    first = read(write(repeated), duplicates="first", keep="time")
    assert first["time"].values.tolist()[0] == ["2024-01-01", "2024-01-02"]
    last = read(write(repeated), duplicates="last", keep="time")
    assert last["time"].values.tolist()[0] == ["2025-05-05", "2024-01-02"]
    wide = "id,ann,bob,more\n1,x,y,p\n1,x,x,q\n2,y,y,r\n"
    for how, kept in (("first", ["p", "r"]), ("last", ["q", "r"])):
        ratings = read(write(wide), annotators="ann,bob", duplicates=how, keep="more")
        assert ratings["more"].values.tolist() == kept


def test_names_that_ratings_have_anyway(write: Write, refused: Refused) -> None:
    assert read(write(LONG), keep="item,annotator").identical(read(write(LONG)))
    message = refused("id,ann,bob,slot\n1,x,y,p\n", annotators="ann,bob", keep="slot")
    assert "the column 'slot' cannot be kept under its name, which ratings use" in message
    assert "has no column 'teem'" in (message := refused(LONG, keep="teem"))
    assert "'team'" in message


def test_columns_that_hold_the_ratings(refused: Refused) -> None:
    assert "column 'label' describes ratings, and is their label" in refused(LONG, keep="label")
    wide = "id,ann,bob\n1,x,y\n2,y,y\n"
    named = refused(wide, annotators="ann,bob", keep="bob")
    assert "column 'bob' holds the ratings of an annotator" in named
    assert refused(wide, keep="bob").endswith("or name all annotators by annotators=")


def test_what_needs_one_value_each_refuses_columns_of_ratings(write: Write) -> None:
    ratings = read(write(LONG), keep="time")
    message = r"'time' describes ratings, not items or annotators: item 1 has '2024-01-01' and '20"
    with pytest.raises(IaaError, match=message):
        iaa.agreement_by(ratings, "time")
    with pytest.raises(IaaError, match="'time' describes ratings"):
        iaa.krippendorff_alpha(ratings, sampling=iaa.Sampling("time"))


def test_whole_numbers_of_ratings_stay_as_written(write: Write) -> None:
    rows = [
        "1,ann,x,1",
        "1,bob,x,1",
        "2,ann,y,2",
        "2,bob,x,1",
        "3,ann,y,2",
        "3,bob,y,2",
        "4,ann,x,2",
    ]
    ratings = read(write("\n".join(["id,annotator,label,round", *rows])), keep="round")
    for between in (None, ("1", "2"), (1, 2), (1.0, 2.0), ("1.0", "2.0")):
        found = iaa.compare(ratings, by="round", between=between, interval=None)
        assert (found.attrs["name_a"], found.attrs["name_b"]) == ("round 1", "round 2")
    with pytest.raises(IaaError, match="no value '3'; its values are '1', '2'"):
        iaa.compare(ratings, by="round", between=(1, 3))
    with pytest.raises(IaaError) as refused:
        iaa.agreement_by(ratings, "round")
    message = str(refused.value)
    assert "item 2 has 2 and 1; " in message
    assert message.endswith("make it part of the item by item='id,round'")


def crowd(write: Write, rows: list[tuple[int, int, int]]) -> Path:
    lines = [f"{item},w{who},{'xyz'[label]},{item * 1000 + who}" for item, who, label in rows]
    return write("item,worker,label,time\n" + "\n".join(lines) + "\n")


@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(seed=st.integers(0, 2**16))
def test_columns_of_ratings_follow_their_ratings(write: Write, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = [
        (item, int(who), int(random.integers(3)))
        for item in range(8)
        for who in random.choice(12, random.integers(2, 5), replace=False)
    ]
    ratings = read(crowd(write, rows), keep="time")
    slots = iaa.data.in_slots(ratings)
    some = [f"w{who}" for who in {who for _, who, _ in rows if who % 3}]
    for kept in (
        ratings,
        slots,
        iaa.data.in_grid(slots),
        iaa.data.keep_labels(ratings, ["x", "y"]),
        iaa.data.keep_labels(slots, ["x", "y"]),
        *(iaa.data.keep_annotators(form, some) for form in (ratings, slots)),
    ):
        of_whom = kept.get("annotator_of")
        items, places = np.nonzero(iaa.data.rated(kept))
        for item, place in zip(items, places, strict=True):
            who = place if of_whom is None else int(of_whom.values[item, place])
            name = int(str(kept["annotator"].values[who])[1:])
            assert kept["time"].values[item, place] == kept["item"].values[item] * 1000 + name


ALONE = {
    "domain": "id,ann,bob,domain\n1,x,y,news\n2,y,y,blog\n3,x,x,news\n",
    "truth": "id,ann,bob,truth\n1,x,y,x\n2,y,y,y\n3,x,x,x\n",
    "asked": "text,asked,ann_1,ann_2,ann_3\n"
    + "".join(
        f"some text {k},{name},{k % 2},{k % 2},{k * at % 2}\n"
        for k in range(20)
        for at, name in enumerate(("joy", "fear", "anger"))
    ),
}


GUESSED = [*LAYOUTS, *ALONE, *UNIVERSAL]
GUESSED.remove("transposed")  # where every column is an item but those to keep


@pytest.mark.parametrize("table", GUESSED)
def test_to_keep_a_column_never_changes_how_a_table_is_read(write: Write, table: str) -> None:
    text, options = LAYOUTS[table][:2] if table in LAYOUTS else (ALONE.get(table), {})
    path = UNIVERSAL[table] if text is None else write(text)
    names = pd.read_csv(path, nrows=0).columns
    several = []
    for name in (None, *names):
        try:
            several.append(read(path, **options, keep=name, duplicates="first"))
        except IaaError:  # it holds ratings, or nothing else tells how the table is read
            continue
    kept = names.difference(["item", "annotator", "label"])
    first, *others = (ratings.drop_vars(kept, errors="ignore") for ratings in several)
    assert all(ratings.equals(first) for ratings in others)
