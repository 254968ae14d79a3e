"""Plain tables that are read: layouts, separators, missing cells, several files."""

from __future__ import annotations

import gzip
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
from iaa_jax import read
from iaa_jax.io.table.cells import MISSING
from iaa_jax.wording import load_notes
from tests.io.alike import alike

Write = Callable[..., Path]

LONG = "item,annotator,label\n1,ann,x\n1,bob,y\n2,ann,\n2,bob,x\n"
WIDE = "id,ann,bob\n1,x,y\n2,,x\n"


def grid(ratings: xr.Dataset) -> list[list[object]]:
    values = ratings["label"].values.tolist()
    rows = ratings["primary"].values.tolist()
    return [[None if code < 0 else values[code] for code in row] for row in rows]


def test_a_long_table(write: Write, tmp_path: Path) -> None:
    ratings = read(write(LONG))
    assert grid(ratings) == [["x", "y"], [None, "x"]]
    assert ratings["item"].values.tolist() == [1, 2]
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    attrs = ratings.attrs
    assert json.loads(attrs.pop("files")) == [str(tmp_path / "t.csv")]
    assert [note.code for note in load_notes(attrs.pop("reading"))] == ["read_as"]
    assert attrs == {
        "task": "single",
        "labels_declared": 0,
        "labels_ordered": 0,
        "anonymous": 0,
        "label_order": '["x", "y"]',
        "read_as": "long table, items from 'item', annotators from 'annotator', "
        "labels from 'label'",
        "skipped": "",
        "layout": "long",
    }


def test_a_wide_table(write: Write) -> None:
    ratings = read(str(write(WIDE)))
    assert grid(ratings) == [["x", "y"], [None, "x"]]
    assert ratings.attrs["read_as"] == "wide table, items from 'id', annotators: ann, bob"
    assert ratings.attrs["skipped"] == ""


@pytest.mark.parametrize("text", [LONG, WIDE])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("form", ["plain", "mark", "crlf", "gzip", "blank lines", "no end"])
def test_forms_of_a_file(write: Write, text: str, delimiter: str, form: str) -> None:
    expected = read(write(text))
    data = text.replace(",", delimiter).encode()
    if form == "mark":
        data = b"\xef\xbb\xbf" + data
    elif form == "crlf":
        data = data.replace(b"\n", b"\r\n")
    elif form == "gzip":
        data = gzip.compress(data)
    elif form == "blank lines":
        data = b"\n\n" + data.replace(b"\n", b"\n\n  \n")
    elif form == "no end":
        data = data.rstrip(b"\n")
    assert alike(read(write(data, "u.txt")), expected)


def test_the_ending_tsv_decides(write: Write) -> None:
    text = "id\ta,b\tc,d\n1\tx\tx\n2\ty\tx\n"
    assert read(write(text, "t.tsv"))["annotator"].values.tolist() == ["a,b", "c,d"]
    assert read(write(gzip.compress(text.encode()), "t.TSV.gz")).sizes["item"] == 2


def test_the_separator_is_the_one_that_cuts_all_rows_alike(write: Write) -> None:
    text = 'id;ann;bob;text\n1;x;x;"a; b, c"\n2;y;x;d, e\n3;x;y;f\n'
    ratings = read(write(text), annotators="ann,bob")
    assert grid(ratings) == [["x", "x"], ["y", "x"], ["x", "y"]]


def test_quoted_newlines_separators_and_quotes(write: Write) -> None:
    text = 'id,ann,bob\n"1\n2",x,"x, ""y"""\n3,"x, ""y""",x\n'
    ratings = read(write(text))
    assert ratings["item"].values.tolist() == ["1\n2", "3"]
    assert grid(ratings) == [["x", 'x, "y"'], ['x, "y"', "x"]]


def test_quotes_inside_cells(write: Write) -> None:
    ratings = read(write('id,ann,bob\n1,5" nail,x\n2,x,5" nail\n'))
    assert ratings["label"].values.tolist() == ['5" nail', "x"]


def test_blanks_around_cells_do_not_count(write: Write) -> None:
    ratings = read(write("item , annotator,label\n1, ann,x \n1,bob , x\n 1,cy,y\n"))
    assert grid(ratings) == [["x", "x", "y"]]
    assert ratings["annotator"].values.tolist() == ["ann", "bob", "cy"]


@pytest.mark.parametrize("cell", sorted(MISSING | {"  ", " NA "}))
def test_missing_cells(write: Write, cell: str) -> None:
    assert grid(read(write(f"id,ann,bob\n1,x,x\n2,{cell},y\n3,y,x\n"))) == [
        ["x", "x"],
        [None, "y"],
        ["y", "x"],
    ]
    long = f"item,annotator,label\n1,a,x\n1,b,x\n2,a,{cell}\n2,b,y\n"
    assert grid(read(write(long))) == [["x", "x"], [None, "y"]]


def test_a_declared_label_is_never_missing(write: Write) -> None:
    ratings = read(write("id,ann,bob\n1,None,yes\n2,NA,None\n"), labels=["None", "yes"])
    assert grid(ratings) == [["None", "yes"], [None, "None"]]


def test_words_that_mean_missing_may_be_items(write: Write) -> None:
    ratings = read(write("item,ann,bob\nnull,x,x\nNA,x,y\n"))
    assert ratings["item"].values.tolist() == ["null", "NA"]


def test_labels_that_are_numbers(write: Write) -> None:
    ratings = read(write("id,ann,bob\n1,1,1.0\n2, 2,10\n3,10.0,2e0\n"))
    assert ratings["label"].values.tolist() == [1, 2, 10]
    assert ratings["label"].dtype == np.int64
    assert ratings.attrs["labels_ordered"] == 1
    assert grid(ratings) == [[1, 1], [2, 10], [10, 2]]
    assert read(write("id,ann,bob\n1,1,a\n2,1.0,a\n"), format="wide").sizes["label"] == 2


@pytest.mark.parametrize("labels", ["3,2,1", ["3", "2", "1"], [3, 2, 1], (3.0, "2.0", 1)])
def test_declared_numbers(write: Write, labels: Any) -> None:
    ratings = read(write("id,ann,bob\n1,1,1.0\n2,2,1\n"), labels=labels)
    assert ratings["label"].values.tolist() == [3, 2, 1]
    assert ratings["primary"].values.tolist() == [[2, 2], [1, 2]]
    assert ratings.attrs["labels_declared"] == 1


def test_item_ids_keep_their_spelling(write: Write) -> None:
    ratings = read(write("id,ann,bob\n007,x,x\n7,y,x\n7.0,y,y\n"))
    assert ratings["item"].values.tolist() == ["007", "7", "7.0"]


@pytest.mark.parametrize("item", ["text,emotion", ["text", "emotion"], ("text", "emotion")])
def test_several_item_columns(write: Write, item: Any) -> None:
    wide = "text,emotion,a,b\n1,joy,0,0\n1,fear,1,0\n2,joy,1,1\n"
    ratings = read(write(wide), item=item, annotators="a,b")
    assert ratings["item"].values.tolist() == ["1 | joy", "1 | fear", "2 | joy"]
    assert ratings.attrs["read_as"].startswith("wide table, items from 'text', 'emotion',")
    long = "text,emotion,who,value\n1,joy,a,0\n1,joy,b,0\n1,fear,a,1\n"
    ratings = read(write(long), item=item, annotator="who", label="value")
    assert ratings["item"].values.tolist() == ["1 | joy", "1 | fear"]


def test_a_column_name_with_a_comma(write: Write) -> None:
    text = '"id,no",a,b\n1,x,x\n2,y,y\n'
    assert read(write(text), item="id,no", annotators="a,b")["item"].values.tolist() == [1, 2]


def test_rows_are_counted_where_no_column_names_the_item(write: Write) -> None:
    first = write("ann1,ann2,note\nx,x,foo\ny,x,bar\n")
    ratings = read([first, write("ann2,ann1\ny,x\n", "u.csv")], annotators=["ann1", "ann2"])
    assert ratings["item"].values.tolist() == [1, 2, 3]
    assert grid(ratings) == [["x", "x"], ["y", "x"], ["x", "y"]]
    assert ratings.attrs["read_as"] == (
        "wide table, items are row numbers, annotators: ann1, ann2, 2 files"
    )


def test_named_columns_leave_others_aside(write: Write) -> None:
    text = "text_id,text,ann,bob,majority\n1,foo,x,x,x\n2,bar,y,x,y\n"
    ratings = read(write(text), annotators="bob,ann")
    assert ratings.attrs["read_as"] == "wide table, items from 'text_id', annotators: bob, ann"
    assert grid(ratings) == [["x", "x"], ["x", "y"]]
    # a column of different texts names the items; with another one, or one twice, none does
    for header, said, items in (
        ("note,ann,bob,n", "items from 'note'", ["foo", "bar"]),
        ("note,ann,bob,m", "items are row numbers", [1, 2]),
    ):
        other = "vw" if header.endswith("m") else "12"
        rows = f"foo,x,x,{other[0]}\nbar,y,x,{other[1]}\n"
        ratings = read(write(f"{header}\n{rows}"), annotators="ann,bob")
        assert said in ratings.attrs["read_as"]
        assert ratings["item"].values.tolist() == items
    twice = write("note,ann,bob\nfoo,x,x\nfoo,y,x\n")
    assert read(twice, annotators="ann,bob")["item"].values.tolist() == [1, 2]


def test_a_table_of_annotators_who_are_to_count_as_unknown(write: Write) -> None:
    path = write("note,ann,bob\nfoo,x,x\nbar,y,x\nbaz,y,y\n")
    ratings = read(path, anonymous=True)
    assert ratings.attrs["anonymous"] == 1
    assert ratings["item"].values.tolist() == ["foo", "bar", "baz"]
    assert ratings.identical(read(path, item="note", annotators="ann,bob", anonymous=True))


def test_a_named_format_takes_all_columns(write: Write) -> None:
    ratings = read(write("k,a,age\n1,x,20\n2,x,x\n"), format="wide")
    assert ratings.attrs["read_as"] == "wide table, items from 'k', annotators: a, age"


def test_an_index_without_name_and_a_last_comma(write: Write) -> None:
    ratings = read(write(",ann,bob,\n0,x,x,\n1,y,x,\n2,y,y,\n"))
    assert ratings.attrs["read_as"] == "wide table, items from 'column 1', annotators: ann, bob"


def test_usual_names_of_long_tables(write: Write) -> None:
    text = "id,Text ID,Worker_ID,rating,time\n1,t1,w1,5,9\n2,t1,w2,4,9\n3,t2,w1,5,9\n"
    ratings = read(write(text))
    assert ratings.attrs["read_as"] == (
        "long table, items from 'Text ID', annotators from 'Worker_ID', labels from 'rating'"
    )


def test_secondary_labels(write: Write) -> None:
    text = "item,annotator,label,second\n1,a,x,y\n1,b,y,\n2,a,z,NA\n"
    ratings = read(write(text), secondary="second")
    assert ratings.attrs["task"] == "primary_secondary"
    assert ratings["secondary"].values.tolist() == [[1, -1], [-1, -1]]
    assert ratings.attrs["read_as"].endswith(
        "labels from 'label', secondary labels from 'second', not rated: 'NA'"
    )


@pytest.mark.parametrize(("keep", "label"), [("first", "x"), ("last", "z")])
def test_repeated_ratings(write: Write, keep: str, label: str) -> None:
    text = "item,annotator,label\n1,a,x\n1,b,y\n1,a,z\n1,b,\n"
    ratings = read(write(text), duplicates=keep)
    assert grid(ratings) == [[label, "y"]]
    assert ratings["label"].values.tolist() == sorted([label, "y"])
    assert (
        ratings.attrs["skipped"] == f"1 repeated rating (kept the {keep} in the order of the file)"
    )


@pytest.mark.parametrize(("keep", "labels"), [("first", ["x", "y"]), ("last", ["z", "y"])])
def test_repeated_rows(write: Write, keep: str, labels: list[str]) -> None:
    path = write("id,a,b\n1,x,y\n2,y,y\n1,z,y\n")
    ratings = read(path, annotators="a,b", duplicates=keep)
    assert grid(ratings.sel(item=[1])) == [labels]
    assert ratings.sizes["item"] == 2
    assert "xz".replace(labels[0], "") not in ratings["label"].values.tolist()
    assert ratings.attrs["skipped"] == f"1 repeated row (kept the {keep} in the order of the file)"


def test_rows_without_anything_are_counted(write: Write) -> None:
    ratings = read(write("item,annotator,label\n1,a,x\n,,\n1,b,x\n2,,\n"))
    assert ratings.attrs["skipped"] == "2 rows without label and without item or annotator"
    ratings = read(write("id,a,b\n1,x,x\n,,\n2,,\n3,x,x\n"))
    assert ratings.attrs["skipped"] == "1 row without item and without ratings"
    assert ratings["item"].values.tolist() == [1, 2, 3]


def test_several_files(write: Write) -> None:
    first = write("item,annotator,label\n1,a,x\n2,a,y\n", "a.csv")
    second = write("label\tnote\titem\tannotator\nx\t?\t1\tb\nz\t!\t3\tb\n", "b.tsv")
    ratings = read([first, second])
    assert grid(ratings) == [["x", "x"], ["y", None], [None, "z"]]
    assert ratings.attrs["read_as"].endswith("labels from 'label', 2 files")


def test_many_annotators_are_named_in_part(write: Write) -> None:
    names = [f"a{k}" for k in range(12)]
    text = "\n".join([",".join(["id", *names]), "1" + ",x" * 12, "2" + ",y" * 12])
    assert read(write(text)).attrs["read_as"].endswith("a8, a9 and 2 more")


CELLS = st.sampled_from(["x", "y", "z,", 'q"', "new\nline", "", "NA"])


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=2, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_layouts_are_what_the_constructors_make(write: Write, rows: list[list[str]]) -> None:
    rows[0][:2] = ["x", "y"]
    frame = pd.DataFrame(rows, columns=["a", "b", "c"]).rename_axis("id")
    labels = ["x", "y", "z,", 'q"', "new\nline"]
    expected = iaa.from_wide(frame.where(~frame.isin(["", "NA"]), None), labels=labels)
    wide = read(write(frame.to_csv()), format="wide", labels=labels)
    long = frame.reset_index().melt("id", var_name="annotator", value_name="label")
    read_long = read(write(long.to_csv(index=False)), labels=labels)
    for ratings in (wide, read_long):
        assert ratings["primary"].equals(expected["primary"].assign_coords(item=ratings["item"]))


def test_brighter(data_folder: Path) -> None:
    path = data_folder / "brighter" / "swe_individuals.csv.gz"
    annotators = [f"Annotator-{k}" for k in (1, 2, 3)]
    ratings = read(path, item=["text_id", "emotion"], annotators=annotators)
    counts = iaa.summary(ratings)
    assert (counts.items, counts.annotators, counts.labels) == (15_444, 3, 4)
    assert (counts.ratings, counts.missing_share) == (46_332, 0)
    frame = pd.read_csv(path)
    np.testing.assert_array_equal(ratings["primary"].values, frame[annotators].to_numpy())
