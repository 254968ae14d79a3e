"""A second file about items or annotators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read
from iaa_jax.data.provenance import parts_of

Write = Callable[..., Path]

TABLE = {
    1: ("x", "x", "y"),
    2: ("y", "x", "y"),
    3: ("x", "x", "x"),
    4: ("y", "y", "y"),
    5: ("y", "y", "x"),
    6: ("x", "y", "x"),
}
WHO = ("ann", "ben", "cem")
LONG = "item,annotator,label\n" + "".join(
    f"{item},{who},{label}\n"
    for item, labels in TABLE.items()
    for who, label in zip(WHO, labels, strict=True)
)
PEOPLE = "who,team,age\ncem,blue,\nann,red,30\nben,red,41\n"
BATCHES = "nr;batch\n" + "".join(f"{nr};{'A' if nr < 4 else 'B'}\n" for nr in (6, 1, 5, 2, 4, 3))


@pytest.fixture
def ratings_file(write: Write) -> Path:
    return write(LONG)


def test_columns_about_annotators(write: Write, ratings_file: Path) -> None:
    ratings = read(ratings_file, join=write(PEOPLE, "people.csv"))
    assert ratings["team"].dims == ratings["age"].dims == ("annotator",)
    assert ratings["team"].values.tolist() == ["red", "red", "blue"]
    np.testing.assert_array_equal(ratings["age"].values, [30, 41, np.nan])
    note = parts_of(ratings, "read_as")[-1]
    assert note.code == "read_joined"
    assert (note.values["axis"], note.values["column"]) == ("annotator", "who")


def test_columns_about_items(write: Write, ratings_file: Path) -> None:
    ratings = read(ratings_file, join=write(BATCHES, "b.csv"))
    assert ratings["batch"].dims == ("item",)
    assert ratings["batch"].values.tolist() == list("AAABBB")
    groups = iaa.agreement_by(ratings, "batch", "percent_agreement", interval=None)
    pairs = [
        [a == b for labels in items for k, a in enumerate(labels) for b in labels[k + 1 :]]
        for items in ([TABLE[k] for k in (1, 2, 3)], [TABLE[k] for k in (4, 5, 6)])
    ]
    np.testing.assert_allclose(groups["estimate"].values.ravel(), [np.mean(p) for p in pairs])


def test_a_file_on_some_of_the_items_leaves_the_others_empty(
    write: Write, ratings_file: Path
) -> None:
    ratings = read(ratings_file, join=write("item,truth\n2,x\n4,y\n", "gold.csv"))
    truth = dict(zip(ratings["item"].values.tolist(), ratings["truth"].values, strict=True))
    assert {item: label for item, label in truth.items() if label} == {2: "x", 4: "y"}
    assert "4 of 6 items have no row" in ratings.attrs["read_as"]
    with pytest.raises(IaaError, match="or take out 1 row on no item of these"):
        read(ratings_file, join=write("item,truth\n2,x\n99,y\n", "gold.csv"))


def test_what_is_joined_may_be_kept(write: Write, ratings_file: Path) -> None:
    people = write(PEOPLE, "people.csv")
    assert "team" in read(ratings_file, join=people, keep="team").coords
    with pytest.raises(IaaError, match=r"'who', 'team', 'age'"):
        read(ratings_file, join=people, keep="house")


@pytest.mark.parametrize("name", ["p.json", "p.tsv"])
def test_other_formats(write: Write, ratings_file: Path, name: str) -> None:
    text = PEOPLE.replace(",", "\t")
    if name == "p.json":
        text = '{"ann": {"team": "red"}, "ben": {"team": "red"}, "cem": {"team": "blue"}}'
    ratings = read(ratings_file, join=write(text, name))
    assert ratings["team"].values.tolist() == ["red", "red", "blue"]


def test_rows_about_nobody_are_counted(write: Write, ratings_file: Path) -> None:
    people = write(PEOPLE + "dia,blue,50\n,red,51\n", "people.csv")
    (note,) = parts_of(read(ratings_file, join=people), "skipped")
    assert (note.code, note.values["rows"]) == ("skipped_joined_rows", 2)


def test_names_that_ratings_use_are_left_out(write: Write, ratings_file: Path) -> None:
    ratings = read(ratings_file, join=write("who,label,team\nann,1,a\nben,2,b\ncem,3,c\n", "p.csv"))
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["columns"]) == ("skipped_joined_columns", ["label"])
    assert ratings["label"].values.tolist() == ["x", "y"]


def test_rows_that_repeat(write: Write, ratings_file: Path) -> None:
    alike = write(PEOPLE + "ann,red,30\n", "p.csv")
    assert read(ratings_file, join=alike)["team"].values.tolist() == ["red", "red", "blue"]
    with pytest.raises(IaaError, match=r"p\.csv line 5 contradicts .*p\.csv line 3"):
        read(ratings_file, join=write(PEOPLE + "ann,blue,30\n", "p.csv"))


def test_numbers_that_may_be_items_or_annotators(write: Write) -> None:
    table = write("item,annotator,label\n1,1,x\n1,2,y\n2,1,x\n2,2,x\n")
    with pytest.raises(IaaError, match=r"p\.csv: its rows may be of the items by 'nr' or the ann"):
        read(table, join=write("nr,team\n1,red\n2,blue\n", "p.csv"))
    for key, dim in (("rater", "annotator"), ("task", "item")):
        ratings = read(table, join=write(f"{key},team\n1,red\n2,blue\n", "p.csv"))
        assert ratings["team"].dims == (dim,)


def test_a_column_of_groups_is_no_key(write: Write) -> None:
    table = write("item,annotator,label\n1,1,x\n1,2,y\n2,1,x\n2,2,x\n3,1,y\n3,2,y\n")
    ratings = read(table, join=write("nr,batch\n1,1\n2,2\n3,1\n", "p.csv"))
    assert ratings["batch"].dims == ("item",)
    assert ratings["batch"].values.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PEOPLE.replace("ben", "Ben"), r"p\.csv: 1 annotator .*'who'.*'ben'; did you mean 'Ben'"),
        ("x,team\n11,red\n", r"no column of .*p\.csv has the items \(as '1', '2'\)"),
        (
            "who,label\nann,1\nben,2\ncem,3\n",
            "no column besides 'who' that could be joined: 'label' already names a part of the "
            "ratings; rename it in that file",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    write: Write, ratings_file: Path, text: str, message: str
) -> None:
    with pytest.raises(IaaError, match=message):
        read(ratings_file, join=write(text, "p.csv"))


def test_files_that_are_none(write: Write, ratings_file: Path, tmp_path: Path) -> None:
    with pytest.raises(IaaError, match="there is no such file"):
        read(ratings_file, join=tmp_path / "none.csv")
    with pytest.raises(IaaError, match="join must be"):
        read(ratings_file, join=3)  # type: ignore[arg-type]
    write(PEOPLE, "p.csv")
    with pytest.raises(IaaError, match="holds 2 tables"):
        read(ratings_file, join=tmp_path)


def test_anonymous_ratings_have_items_alone(write: Write) -> None:
    table = write("item,label\n1,x\n1,y\n2,x\n2,x\n")
    ratings = read(table, label="label", anonymous=True, join=write("i,b\n1,A\n2,B\n", "p.csv"))
    assert ratings["b"].dims == ("item",)


def test_the_encoding_is_that_of_both_files(write: Write, tmp_path: Path) -> None:
    text = LONG.replace("ann,", "Ña,")
    file, people = tmp_path / "r.csv", tmp_path / "p.csv"
    file.write_bytes(text.encode("cp1252"))
    for encoding in ("cp1252", "utf-8"):
        people.write_bytes(PEOPLE.replace("ann,red", "Ña,röt").encode(encoding))
        ratings = read(file, join=people, encoding="cp1252")
        team = dict(zip(ratings["annotator"].values, ratings["team"].values, strict=True))
        assert team == {"Ña": "röt", "ben": "red", "cem": "blue"}
    with pytest.raises(IaaError, match="there is no encoding 'x'"):
        read(file, join=people, encoding="x")


def test_long_tables_have_the_columns_too(write: Write, ratings_file: Path) -> None:
    table = iaa.read_long(ratings_file, join=write(PEOPLE, "people.csv"))
    assert table.columns.tolist() == ["item", "annotator", "label", "team", "age"]
    team = {"ann": "red", "ben": "red", "cem": "blue"}
    assert table["team"].tolist() == table["annotator"].map(team).tolist()
    assert "'team', 'age' from" in table.attrs["read_as"]
    table = iaa.read_long(ratings_file, join=write(BATCHES, "b.csv"), keep="batch")
    assert table["batch"].tolist() == ["A" if item < 4 else "B" for item in table["item"]]
    with pytest.raises(IaaError, match=r"people\.csv: 1 annotator of the ratings without a row"):
        iaa.read_long(ratings_file, join=write(PEOPLE.replace("cem,blue,\n", ""), "people.csv"))
    with pytest.raises(IaaError, match=r"those of .*people\.csv are"):
        iaa.read_long(ratings_file, join=write(PEOPLE, "people.csv"), keep="tem")


def test_exports_have_them_also_where_one_annotator_is_there(write: Write) -> None:
    task = '{"text": "%s", "_input_hash": %d, "_view_id": "classification", "label": "y", '
    task += '"answer": "accept", "_annotator_id": "ann"}\n'
    export = write("".join(task % (f"t{k}", k) for k in range(3)), "tasks.jsonl")
    people = write("who,team\nann,red\nbob,blue\n", "people.csv")
    table = iaa.read_long(export, join=people)
    assert table["team"].tolist() == ["red"] * 3
    assert f"1 row of {people} that match" in table.attrs["skipped"]
