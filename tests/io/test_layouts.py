"""Counts, anonymous annotators, one-hot columns, lists in cells, contingency and transposed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import read

Write = Callable[..., Path]
Refused = Callable[..., str]


def grid(ratings: xr.Dataset) -> list[list[object]]:
    values = ratings["label"].values.tolist()
    rows = ratings["primary"].values.tolist()
    return [[None if code < 0 else values[code] for code in row] for row in rows]


def sets(ratings: xr.Dataset) -> list[list[set[object] | None]]:
    values = ratings["label"].values.tolist()
    return [
        [
            None if np.isnan(cell).any() else {values[k] for k in np.flatnonzero(cell)}
            for cell in row
        ]
        for row in ratings["mass"].values
    ]


# counts


@pytest.mark.parametrize("counts", ["yes,no", ["yes", "no"]])
def test_counts(write: Write, counts: Any) -> None:
    ratings = read(write("id,no,yes,n\nq,1,2,3\nr,0,2,2\n"), counts=counts)
    assert ratings["label"].values.tolist() == ["yes", "no"]
    assert grid(ratings) == [["yes", "yes", "no"], ["yes", "yes", None]]
    assert ratings["item"].values.tolist() == ["q", "r"]
    assert ratings.attrs["anonymous"] == 1
    assert ratings.attrs["read_as"] == (
        "count table, items from 'id', annotators unknown, labels: 'yes', 'no'"
    )


def test_counts_by_a_star(write: Write) -> None:
    ratings = read(write("n_1,n_2,n_3\n2,1,0\n0.0,0,3.0\n"), counts="n_*")
    assert ratings["label"].values.tolist() == [1, 2, 3]
    assert ratings["item"].values.tolist() == [1, 2]
    assert "items are row numbers" in ratings.attrs["read_as"]
    ratings = read(write("n_1,n_2\n2,1\n0,3\n"), counts="n_*", labels="1,2,3")
    assert ratings["label"].values.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (
            "q,1,x\n",
            {},
            "1 count of 'yes' not a whole number from 0: 'x' at t.csv line 2 (item 'q'",
        ),
        ("q,1,\n", {}, "1 count of 'yes' not a whole number from 0: '' at t.csv line 2"),
        ("q,1,1\nr,-1,2\n", {}, "1 count of 'no' not a whole number from 0: '-1' at t.csv line 3"),
        ("q,1,1.5\n", {}, "1 count of 'yes' not a whole number from 0: '1.5'"),
        ("q,1,2\nq,1,2\n", {}, "1 repeated row of the same item (from 'id'): t.csv line 3"),
        (",1,2\n", {}, "1 row without item (from 'id'): t.csv line 2"),
        ("q,1,0\nr,0,1\n", {}, "t.csv: no item has two ratings"),
        ("q,1,2\n", {"counts": "no,maybe"}, "t.csv has no column 'maybe' (named by counts)"),
        ("q,1,2\n", {"annotator": "id"}, "t.csv: annotator cannot be used with a counts table"),
    ],
)
def test_counts_that_are_none(
    refused: Callable[..., str], rows: str, options: dict[str, Any], message: str
) -> None:
    found = refused("id,no,yes\n" + rows, **{"counts": "no,yes", "format": "counts", **options})
    assert found.startswith(message)


# anonymous annotators


LONG = "article,student,topic\n" + "".join(
    f"t{k},{who},{'abc'[(k + (k % 4 == place)) % 3]}{'; d' * (k % 7 == place)}\n"
    for k in range(30)
    for place, who in enumerate(("dan", "bob", "cem"))
)
WIDE = "article,dan,bob,cem\n" + "".join(
    f"t{k},"
    + ",".join("abc"[(k + (k % 4 == place)) % 3] + ";d" * (k % 7 == place) for place in range(3))
    + "\n"
    for k in range(30)
)


def test_anonymous_ratings_fill_slots(write: Write) -> None:
    ratings = read(write("id,label\nb,1\na,2\nb,NA\nb,3\nb,1\na,2\n"), anonymous=True)
    assert ratings["item"].values.tolist() == ["b", "a"]
    assert grid(ratings) == [[1, 3, 1], [2, 2, None]]
    assert ratings["annotator"].values.tolist() == ["rating 1", "rating 2", "rating 3"]
    assert ratings.attrs["anonymous"] == 1
    assert ratings.attrs["read_as"] == (
        "long table, items from 'id', annotators unknown, labels from 'label', not rated: 'NA'"
    )


def test_anonymous_secondary_labels(write: Write) -> None:
    text = "id,label,second\n1,a,b\n1,b,\n2,a,\n"
    ratings = read(write(text), anonymous=True, secondary="second")
    assert ratings["secondary"].values.tolist() == [[1, -1], [-1, -1]]


def test_anonymous_columns(write: Write) -> None:
    ratings = read(write("id,r1,r2\n1,x,y\n2,,x\n"), annotators="r*", anonymous=True)
    assert ratings["annotator"].values.tolist() == ["rating 1", "rating 2"]
    assert ratings.attrs["anonymous"] == 1
    read_as = ratings.attrs["read_as"]
    assert read_as.endswith("a column for each annotator, taken as anonymous")
    assert "r1" not in read_as
    assert "r2" not in read_as


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (LONG, {"separator": ";"}),
        (LONG, {"separator": ";", "label": "topic"}),
        (LONG, {"separator": ";", "label": "topic", "item": "article"}),
        (LONG.replace("article,student,topic", "item,annotator,label"), {"separator": ";"}),
        (LONG.replace("; d", ""), {}),
        (WIDE, {}),
        (WIDE, {"separator": ";", "item": "article"}),
    ],
)
def test_anonymous_tables_are_read_as_without_and_names_forgotten(
    write: Write, lines: str, options: dict[str, str]
) -> None:
    """A cell with two labels of one person is a set of theirs, not the ratings of two."""
    path = write(lines)
    who = {"annotator": "student"} if "student" in lines and "label" in options else {}
    known, unknown = read(path, **options, **who), read(path, **options, anonymous=True)
    assert unknown.attrs["anonymous"] == 1
    assert unknown["annotator"].values.tolist() == ["rating 1", "rating 2", "rating 3"]
    for figure in ("estimate", "ci_low"):
        of_both = [iaa.krippendorff_alpha(each) for each in (known, unknown)]
        assert float(of_both[0][figure]) == pytest.approx(float(of_both[1][figure]))
    assert "taken as anonymous" in unknown.attrs["read_as"]
    assert not any(name in str(unknown.attrs) for name in ("dan", "bob", "cem"))


def test_a_name_beside_a_list_of_all_ratings_is_not_who_rated(write: Write) -> None:
    rows = "".join(f't{k},{"xy"[k % 2]},"[1, 2, {k % 3}]"\n' for k in range(12))
    ratings = read(write(f"item,user,scores\n{rows}"), label="scores", anonymous=True)
    assert grid(ratings)[:2] == [[1, 2, 0], [1, 2, 1]]


def test_an_annotator_who_rated_twice_is_no_two_annotators_if_names_are_forgotten(
    write: Write, refused: Callable[..., str]
) -> None:
    text = "item,annotator,label\n1,a,x\n1,a,y\n1,b,x\n"
    assert "of the same item by the same annotator" in refused(text, anonymous=True)
    assert grid(read(write(text), anonymous=True, duplicates="last")) == [["y", "x"]]


def test_named_annotators_are_forgotten(write: Write, refused: Callable[..., str]) -> None:
    file = write("item,who,why,label\n1,a,p,x\n1,b,p,x\n2,a,q,x\n2,b,q,y\n")
    ratings = read(file, item="item", annotator="who", label="label", anonymous=True)
    assert grid(ratings) == [["x", "x"], ["x", "y"]]
    assert ratings.attrs["anonymous"]
    message = refused("id,label\n1,x\n1,y\n,x\n", anonymous=True)
    assert "1 rating without item: t.csv line 4 (item None)" in message


def test_a_table_without_annotators_names_the_way_out(refused: Callable[..., str]) -> None:
    message = refused("id,label\n1,x\n1,y\n", label="label")
    assert "give anonymous=True if the file does not say who rated" in message


# lists in cells


@pytest.mark.parametrize(
    ("cell", "options"),
    [
        ('"[""joy"", ""fear""]"', {}),
        ("\"['joy', 'fear']\"", {}),
        ("joy; fear", {"separator": ";"}),
        ("joy|fear|", {"separator": "|"}),
    ],
)
def test_label_sets_in_cells(write: Write, cell: str, options: dict[str, Any]) -> None:
    single = "joy" if options else '"[""joy""]"'
    ratings = read(write(f"item,annotator,label\n1,a,{cell}\n1,b,{single}\n2,a,\n"), **options)
    assert ratings.attrs["task"] == "multi_label"
    assert sets(ratings) == [[{"joy", "fear"}, {"joy"}], [None, None]]
    assert ratings.attrs["read_as"].endswith("each a set of labels")
    ratings = read(write(f"id,a,b\n1,{cell},{single}\n2,,{single}\n"), annotators="a,b", **options)
    assert sets(ratings) == [[{"joy", "fear"}, {"joy"}], [None, {"joy"}]]
    assert ratings.attrs["read_as"].endswith("cells as sets of labels")


def test_an_empty_list_is_an_answer(write: Write) -> None:
    ratings = read(write('id,a,b\n1,[],"[1, 2]"\n2,[1.0],[]\n'), annotators="a,b")
    assert sets(ratings) == [[set(), {1, 2}], [{1}, set()]]


def test_texts_in_brackets_are_no_lists(write: Write) -> None:
    assert read(write("id,a,b\n1,[x],[y]\n2,[x],[x]\n")).attrs["task"] == "single"
    assert read(write("id,a,b\n1,[1],2\n2,2,[1]\n")).attrs["task"] == "single"


@pytest.mark.parametrize(
    ("cells", "blank", "options"),
    [(("x;y", "x"), ";", {"separator": ";"}), (('"[""x"", ""y""]"', '"[""x""]"'), "[]", {})],
)
def test_blank_cells_beside_sets_are_told_in_rows_of_ratings(
    write: Write, cells: tuple[str, str], blank: str, options: dict[str, str]
) -> None:
    rows = [("1", "a", cells[0]), ("1", "b", cells[1]), ("2", "a", ""), ("2", "b", cells[1])]
    long = write("\n".join(["item,annotator,label", *map(",".join, rows)]) + "\n")
    told = read(long, **options).attrs["skipped"]
    assert told == f"1 blank cell (if no label: give blank={blank!r})"
    filled = read(long, blank=blank, **options)
    assert sets(filled) == [[{"x", "y"}, {"x"}], [set(), {"x"}]]
    assert filled.attrs["skipped"] == ""
    assert "1 blank cell as sets without a label" in filled.attrs["read_as"]
    wide = write(f"item,a,b\n1,{cells[0]},{cells[1]}\n2,,{cells[1]}\n", "w.csv")
    assert read(wide, **options, annotators="a,b").attrs["skipped"] == ""
    assert sets(read(wide, **options, annotators="a,b", blank=blank)) == sets(filled)


def test_ratings_in_a_list(write: Write) -> None:
    text = 'id,scores\n1,"[1, 2, 2]"\n2,"[3, null, 1]"\n3,\n'
    ratings = read(write(text), annotators="scores")
    assert grid(ratings) == [[1, 2, 2], [3, None, 1], [None, None, None]]
    assert ratings["annotator"].values.tolist() == ["annotator 1", "annotator 2", "annotator 3"]
    ratings = read(write(text), label="scores", anonymous=True)
    assert grid(ratings) == [[1, 2, 2], [3, 1, None], [None, None, None]]
    ratings = read(write("id,scores\n1,3;-1;4\n2,3\n"), label="scores", anonymous=True,
                   separator=";", missing="-1")  # fmt: skip
    assert grid(ratings) == [[3, 4], [3, None]]


def test_lists_of_several_lengths(refused: Callable[..., str]) -> None:
    message = refused('id,scores\n1,"[1, 2, 2]"\n2,"[1, 3]"\n', annotators="scores")
    assert message.startswith("lists of 2 to 3 ratings, as at t.csv line 3 (item 2")
    message = refused('id,scores\n1,"[1, 2]"\n2,"[1, 4]"\n', annotators="scores", labels=[1, 2, 3])
    assert "'4', at t.csv line 3 (item 2, annotator 'scores'), position 2 in the list" in message


def test_sets_that_cannot_be_used(refused: Callable[..., str]) -> None:
    head = "item,annotator,label\n"
    message = refused(head + "1,a,x;z\n1,b,x\n", separator=";", labels="x,y")
    assert "not declared: 'z', at t.csv line 2 (item 1, annotator 'a')" in message
    message = refused(head + '1,a,[null]\n1,b,"[""x""]"\n')
    assert "1 set with a missing member, the first at t.csv line 2 (item 1" in message
    message = refused(head + "1,a,x;y\n1,a,x\n1,b,x\n", separator=";")
    assert "1 repeated rating of the same item by the same annotator: t.csv line 3" in message
    message = refused(head + "1,,x;y\n1,a,x\n1,b,x\n", separator=";")
    assert "1 rating without annotator: t.csv line 2" in message


def test_repeated_sets(write: Write) -> None:
    text = "item,annotator,label\n1,a,x;y\n1,a,x\n1,b,x\n"
    ratings = read(write(text), separator=";", duplicates="last")
    assert sets(ratings) == [[{"x"}, {"x"}]]
    assert ratings.attrs["skipped"] == "1 repeated rating (kept the last in the order of the file)"


# one-hot columns

HOT = "item,annotator,is.1,is.0,is.-1\n"


def test_one_hot_columns(write: Write) -> None:
    text = HOT + "q,a,1,0,0\nq,b,0,0,1\nr,a,,,\nr,b,0,1.0,\ns,a,False,True,no\n"
    ratings = read(write(text), one_hot="is.*")
    assert ratings["label"].values.tolist() == [-1, 0, 1]
    assert grid(ratings) == [[1, -1], [None, 0], [0, None]]
    assert ratings.attrs["read_as"] == (
        "one-hot table, items from 'item', annotators from 'annotator', labels: '1', '0', '-1'"
    )
    ratings = read(write(text), one_hot="is.*", labels="1,0,-1,-2")
    assert ratings["label"].values.tolist() == [1, 0, -1, -2]


def test_one_hot_columns_without_annotators(write: Write) -> None:
    ratings = read(write("id,x,y\n1,1,0\n1,0,1\n2,1,0\n"), one_hot="x,y", anonymous=True)
    assert grid(ratings) == [["x", "y"], ["x", None]]


def test_multi_hot_columns(write: Write) -> None:
    text = HOT + "q,a,1,0,1\nq,b,0,0,0\nr,a,,,\nr,b,0,1,0\n"
    ratings = read(write(text), multi_hot="is.*")
    assert sets(ratings) == [[{1, -1}, set()], [None, {0}]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("q,a,1,0,1\nq,b,1,0,0\n", "1 row with several labels marked: t.csv line 2 (item 'q', an"),
        ("q,a,1,0,0\nq,b,0,0,0\n", "1 row with no label marked: t.csv line 3"),
        ("q,a,1,0,2\nq,b,1,0,0\n", "1 cell of 'is.-1' neither 0 nor 1: '2' at t.csv line 2"),
        ("q,a,1,0,0\nq,a,1,0,0\n", "1 repeated rating of the same item by the same annotator"),
    ],
)
def test_one_hot_columns_that_are_none(
    refused: Callable[..., str], rows: str, message: str
) -> None:
    assert message in refused(HOT + rows, one_hot="is.*")


# contingency and transposed tables


def test_a_contingency_table(write: Write) -> None:
    path = write("first \\ second,yes,no\nno,10,15\nyes,20,5\n")
    ratings = read(path, format="contingency")
    kappa = float(iaa.cohen_kappa(ratings, interval=None).estimate)
    assert kappa == pytest.approx(0.4)
    assert ratings.attrs["read_as"] == "contingency table of two annotators, labels: 'yes', 'no'"
    numbers = read(write(",1,2\n1.0,3,1\n2.0,0,4\n"), format="contingency")
    assert numbers["label"].values.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",a,b\na,1,x\nb,1,1\n", "1 count of 'b' not a whole number from 0: 'x' at t.csv line 2"),
        (",a,b\na,1,\nb,1,1\n", "1 count of 'b' not a whole number from 0: '' at t.csv line 2"),
        (",a,b\na,1,1\n,1,1\n", "t.csv line 3: a row without a label in its first cell"),
        (",a,b\na,1,1\nc,1,1\n", "t.csv: rows and columns of a contingency table must name the s"),
        (",a,b\na,1,1\n", "t.csv: a contingency table must be square"),
    ],
)
def test_contingency_tables_that_are_none(
    refused: Callable[..., str], text: str, message: str
) -> None:
    assert refused(text, format="contingency").startswith(message)


def test_a_transposed_table(write: Write) -> None:
    path = write("who,q1,q2,q3\nann,x,y,\nbob,x,,y\n")
    ratings = read(path, format="transposed")
    assert grid(ratings) == [["x", "x"], ["y", None], [None, "y"]]
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert ratings["item"].values.tolist() == ["q1", "q2", "q3"]
    assert read(path, format="transposed", annotator="who").equals(ratings)


def test_transposed_tables_that_are_none(refused: Callable[..., str]) -> None:
    options = {"format": "transposed"}
    message = refused("who,q1\nann,x\nann,x\nbob,y\n", **options)
    assert "2 rows of annotators with several rows: t.csv line 2; t.csv line 3" in message
    message = refused("who,q1\nann,x\nbob,y\n", labels=["x"], **options)
    assert "'y', at t.csv line 3 (item 'q1', annotator 'bob')" in message
    assert "1 row without annotator" in refused("who,q1\nann,x\n,y\n", **options)


def test_json_lists_and_csv_lists_are_the_same(write: Write) -> None:
    records = [
        {"item": 1, "annotator": "a", "label": ["x", "y"]},
        {"item": 1, "annotator": "b", "label": []},
        {"item": 2, "annotator": "b", "label": None},
    ]
    ratings = read(write(json.dumps(records), "t.json"))
    assert sets(ratings) == [[{"x", "y"}, set()], [None, None]]


def test_lists_where_there_is_no_cell(refused: Callable[..., str]) -> None:
    options = {"separator": ";"}
    assert "there is no rating" in refused("id,a\n1,\n2,\n", annotators="a", **options)
    assert "there is no rating" in refused("item,annotator,label\n1,a,\n2,b,\n", **options)


TICKS = "id,ann,bob,cleo,dan\nt1,X,,X,\nt2,X,x,X,\nt3,,,,\nt4,,X,,\nt5,,NA,,\n,,,,\n"


def test_a_blank_counts_as_a_label_on_request(write: Write, refused: Refused) -> None:
    path = write(TICKS)
    told: dict[str, Any] = {"merge_labels": "case", "annotators": "ann,bob,cleo,dan"}
    ratings = read(path, blank="no", **told)
    ticked = [[1, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    filled = [[("no", "X")[tick] for tick in row] for row in ticked]
    for row in filled:
        row[3] = ""  # dan gave no label
    filled[4][1] = "NA"
    lines = ["id,ann,bob,cleo,dan", *(f"t{k},{','.join(row)}" for k, row in enumerate(filled, 1))]
    whole = read(write("\n".join(lines) + "\n", "whole.csv"), **told)
    assert ratings.drop_attrs().equals(whole.drop_attrs())
    of_rows = ["item,who,what", ",ann,", "t9,,"]
    for line in TICKS.splitlines()[1:-1]:
        item, *cells = line.split(",")
        of_rows += [f"{item},{w},{c}" for w, c in zip(COLUMNS, cells, strict=True)]
    long = write("\n".join(of_rows) + "\n", "long.csv")
    columns = {"item": "item", "annotator": "who", "label": "what", "merge_labels": "case"}
    of_long = read(long, blank="no", **columns).sel(annotator=["ann", "bob", "cleo"])
    rows = grid(of_long.sel(item=[f"t{number}" for number in range(1, 6)]))
    assert rows == [[cell if cell != "NA" else None for cell in row[:3]] for row in filled]
    assert "has no effect" in refused("id,ann,bob\n1,x,y\n2,y,y\n", blank="no")
    assert "cannot be used with a counts table" in refused(
        "id,n_a,n_b\n1,2,1\n2,1,2\n", counts="n_*", blank="no"
    )


COLUMNS = ("ann", "bob", "cleo", "dan")


def test_blanks_beside_one_label_are_asked_about(write: Write) -> None:
    ticks = read(write(TICKS.replace(",,NA,", ",,,")))
    assert "If a blank means not ticked, give blank='no' and merge_labels='case'." in notices(ticks)
    ones = read(write("id,ann,bob\n1,1,\n2,1,1\n3,,1\n"))
    assert "give blank='0'." in notices(ones)
    assert "blank" not in notices(read(write("id,ann,bob\n1,1,NA\n2,1,1\n3,NA,1\n")))
    assert "blank" not in notices(read(write("id,ann,bob\n1,1,\n2,1,0\n3,,1\n")))


def notices(ratings: xr.Dataset) -> str:
    return str(ratings.attrs.get("notices", ""))


def test_a_blank_in_one_of_several_rows_of_an_item_is_of_its_annotator(write: Write) -> None:
    path = write("id,ann,bob\n1,x,\n1,,y\n2,x,y\n")
    told = {"item": "id", "annotators": "ann,bob", "duplicates": "apart"}
    filled = read(write("id,ann,bob\n1,x,z\n1,z,y\n2,x,y\n", "f.csv"), **told)
    assert read(path, blank="z", **told).drop_attrs().equals(filled.drop_attrs())
