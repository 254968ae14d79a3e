"""JSON, Parquet, zip archives, encodings, decimal commas, codes for missing."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xarray as xr

from iaa_jax import IaaError, read
from tests.archives import packed
from tests.io.alike import alike

Write = Callable[..., Path]

CSV = "item,annotator,label\n1,ann,x\n1,bob,y\n2,ann,\n2,bob,x\n"
RECORDS: list[dict[str, Any]] = [
    {"item": 1, "annotator": "ann", "label": "x"},
    {"item": 1, "annotator": "bob", "label": "y"},
    {"item": 2, "annotator": "ann", "label": None},
    {"item": 2, "annotator": "bob", "label": "x"},
]


def grid(ratings: xr.Dataset) -> list[list[object]]:
    values = ratings["label"].values.tolist()
    rows = ratings["primary"].values.tolist()
    return [[None if code < 0 else values[code] for code in row] for row in rows]


def said(path: Path, **options: Any) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{path.parent}/", "")


# JSON


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (json.dumps(RECORDS), "t.json"),
        (json.dumps(RECORDS, indent=1), "t.json"),
        (json.dumps({"about": "x", "tags": [{}], "rows": RECORDS}), "t.json"),
        ("\n\n".join(map(json.dumps, RECORDS)), "t.jsonl"),
        ("\n".join(map(json.dumps, RECORDS)) + "\n", "t.ndjson"),
        ("\n".join(map(json.dumps, RECORDS)), "t.json"),
        ("\n".join(map(json.dumps, RECORDS)), "export"),
        (json.dumps(RECORDS), "export.data"),
        ("\ufeff" + json.dumps(RECORDS), "t.json"),
    ],
)
def test_forms_of_json(write: Write, text: str, name: str) -> None:
    expected = read(write(CSV))
    ratings = read(write(text, name))
    assert ratings.drop_attrs().identical(expected.drop_attrs())
    packed = read(write(gzip.compress(text.encode()), f"{name}.gz"))
    assert alike(packed, ratings)


def test_the_records_are_named(write: Write) -> None:
    document = {"rows": RECORDS * 2, "deep": {"rows": RECORDS}}
    path = write(json.dumps(document), "t.json")
    ratings = read(path, records="deep.rows")
    assert ratings.attrs["read_as"].endswith("records from 'deep.rows'")
    assert "repeated" in said(path)
    message = said(path, records="deep.lines")
    assert message == "t.json has no field 'lines' (named by records); the fields there are 'rows'"


def test_fields_inside_fields(write: Write) -> None:
    records = [
        {"meta": {"id": k}, "answers": [{"by": "a", "is": k}, {"by": "b", "is": 1}]} for k in (1, 2)
    ]
    path = write(json.dumps(records), "t.json")
    ratings = read(path, item="meta.id", annotators="answers.0.is,answers.1.is")
    assert grid(ratings) == [[1, 1], [2, 1]]
    assert "has no column 'answers.2.is' (named by annotators)" in said(
        path, item="meta.id", annotators="answers.1.is,answers.2.is"
    )


def test_objects_keyed_by_item(write: Write) -> None:
    path = write(json.dumps({"q": {"a": 1, "b": True}, "r": {"a": 1.0, "b": True}}), "t.json")
    ratings = read(path, annotators="a,b")
    assert ratings["item"].values.tolist() == ["q", "r"]
    assert grid(ratings) == [["1", "True"], ["1", "True"]]


def test_a_file_of_keys_and_values_for_each_annotator(write: Write) -> None:
    ann = write('{"q": 1, "r": "?"}', "round1-ann.json")
    bob = write('{"q": 2, "r": 1, "s": 2}', "round2-bob.json")
    ratings = read([ann, bob], file_pattern="round?-{annotator}.json", missing="?")
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert grid(ratings) == [[1, 2], [None, 1], [None, 2]]
    assert ratings.attrs["read_as"] == (
        "long table, items from 'key', annotators from file names, labels from 'value', "
        "keys and values, not rated: '?', 2 files"
    )


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "t.json", "t.json has no records"),
        ("[]", "t.json", "t.json has no records"),
        ("[1, 2]", "t.json", "t.json record 1: int where an object with named fields is needed"),
        ("3", "t.json", "t.json holds int, not records with named fields"),
        ('[{"a": 1},\n{"a": }]', "t.json", "t.json line 2: this is not JSON: Expecting value"),
        ('{"a": 1}\n{"a": \n', "t.jsonl", "t.jsonl line 2: this is not JSON: Expecting value"),
        ('{"a": 1}\n\n{"a": \n', "t.json", "t.json line 3: this is not JSON: Expecting value"),
        ('{"a": 1}\n[2]\n', "t.jsonl", "t.jsonl line 2: list where an object"),
        ('{"a": {"b": 1}, "c": 2}', "t.json", "t.json: cannot tell where the records are"),
        ("[" * 100_000, "t.json", "t.json record 1: this is nested too deeply"),
    ],
)
def test_json_that_is_no_table(write: Write, text: str, name: str, message: str) -> None:
    assert said(write(text, name)).startswith(message)


def test_records_are_named_in_errors(write: Write) -> None:
    records = [*RECORDS, {"item": 1, "annotator": "ann", "label": "y"}]
    path = write(json.dumps(records), "t.json")
    assert "t.json record 5 (item 1, annotator 'ann') repeats t.json record 1" in said(path)
    path = write("\n".join(map(json.dumps, records)), "t.jsonl")
    assert "t.jsonl line 5 (item 1, annotator 'ann') repeats t.jsonl line 1" in said(path)


# Parquet


def test_parquet(tmp_path: Path, write: Write) -> None:
    frame = pd.DataFrame(
        {
            "item": [1, 1, 2, 2],
            "annotator": pd.Categorical(["ann", "bob", "ann", "bob"]),
            "label": ["x", "y", None, "x"],
            "score": [1.0, 2.5, float("nan"), 1.0],
            "sets": [["x"], ["x", "y"], None, []],
            "deep": [{"a": 1}, {"a": 2}, {"a": 1}, {"a": None}],
        }
    )
    path = tmp_path / "t.parquet"
    frame.to_parquet(path, row_group_size=3)
    assert read(path, label="label").drop_attrs().identical(read(write(CSV)).drop_attrs())
    assert grid(read(path, label="score")) == [[1, 2.5], [None, 1]]
    assert grid(read(path, label="deep.a")) == [[1, 2], [1, None]]
    ratings = read(path, label="sets")
    assert ratings["mass"].values[0].tolist() == [[1, 0], [1, 1]]
    assert ratings["mass"].values[1, 1].tolist() == [0, 0]
    message = said(path, label="label", labels=["x"])
    assert "'y', at t.parquet row 2 (item 1, annotator 'bob')" in message
    path.write_bytes(b"PAR1" + b"0" * 50)
    assert said(path).startswith("t.parquet cannot be read as Parquet")


# zip archives


def test_a_table_in_an_archive(write: Write) -> None:
    members = {"d/r.csv": CSV, "__MACOSX/d/._r.csv": "\0", "d/.r.csv": "", "README.md": "hello"}
    path = write(packed(members), "t.zip")
    ratings = read(path)
    assert ratings.drop_attrs().identical(read(write(CSV)).drop_attrs())
    assert ratings.attrs["skipped"] == (
        "3 files of t.zip ('__MACOSX/d/._r.csv', 'd/.r.csv', 'README.md')"
    )
    assert "no column 'who' (named by annotator)" in said(path, annotator="who")
    assert said(path, annotator="who").startswith("t.zip/d/r.csv has no column 'who'")


def test_one_member_an_annotator(write: Write) -> None:
    members = {
        "x/r-ann.csv": "id,label\n1,x\n2,y\n",
        "x/r-bob.csv": "id,label\n1,x\n",
        "x/notes.csv": "a,b\n1,2\n",
    }
    path = write(packed(members), "t.zip")
    ratings = read(path, file_pattern="r-{annotator}.csv")
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert grid(ratings) == [["x", "x"], ["y", None]]
    assert ratings.attrs["skipped"] == "1 file of t.zip ('x/notes.csv')"


def test_archives_that_cannot_be_read(write: Write) -> None:
    path = write(packed({"a.csv": CSV}), "t.zip")
    assert "t.zip holds no table to read: its members are 'a.csv'" in said(path, file_pattern="b*")
    office = write(packed({"[Content_Types].xml": ""}), "t.xlsx")
    assert said(office).startswith("t.xlsx cannot be read as a spreadsheet")
    assert "does not follow the file pattern 'b*'" in said(write(CSV), file_pattern="b*")
    assert "more than once" in said(path, file_pattern="{annotator}{annotator}")
    broken = bytearray(packed({"a.csv": CSV * 50}))
    broken[45] ^= 0xFF
    assert "a.csv is compressed and cannot be unpacked" in said(write(bytes(broken), "t.zip"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_of_one_name(write: Write) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, label in (("a.csv", "x"), ("b.csv", "x"), ("a.csv", "y")):
            archive.writestr(name, f"item,label\n1,{label}\n1,{label}\n")
    path = write(data.getvalue(), "t.zip")
    message = said(path, anonymous=True)
    assert message == (
        "t.zip: 'a.csv', 'a.csv' have the same name, packed or not: keep one of them, or "
        "rename them"
    )
    assert read(path, file_pattern="b.csv", anonymous=True).sizes["item"] == 1


# encodings


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_encodings_told_by_their_mark(write: Write, encoding: str) -> None:
    text = CSV.replace("x", "é")
    assert alike(read(write(text.encode(encoding))), read(write(text)))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le"])
def test_encodings_that_are_named(write: Write, encoding: str) -> None:
    text = CSV.replace("x", "é") + "3,ann,x\n" * 20_000
    path = write(text.encode(encoding))
    expected = read(write(text, "u.csv"), duplicates="first")
    assert read(path, encoding=encoding, duplicates="first").equals(expected)


def test_encodings_that_are_wrong(write: Write) -> None:
    path = write(CSV.replace("x", "é").encode("latin-1"))
    assert "save the file as UTF-8, or name its encoding, as in encoding='latin-1'" in said(path)
    assert "t.csv: byte 28 of the file is not ascii" in said(path, encoding="ascii")
    for name in ("latin-7000", "base64", "a\0b"):
        assert said(path, encoding=name).startswith(f"there is no encoding {name!r}")


def test_a_separator_that_is_empty(write: Write) -> None:
    message = "separator is empty: name the text between labels, such as ';'"
    assert said(write(CSV), separator="") == message


# numbers and missing cells


@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_decimal_commas(write: Write, separator: str) -> None:
    quote = '"' if separator == "," else ""
    cells = [["id", "a", "b"], ["1", "3,5", "4"], ["2", "-0,25", "3,5"]]
    text = "\n".join(separator.join(f"{quote}{cell}{quote}" for cell in row) for row in cells)
    ratings = read(write(text), annotators="a,b")
    assert grid(ratings) == [[3.5, 4], [-0.25, 3.5]]
    assert ratings.attrs["read_as"].endswith("decimal commas")


def test_commas_that_are_not_decimal(write: Write) -> None:
    for row in ("1;1,000;2,000", "1;1,5;x", "1;1,5;2.5"):
        ratings = read(write(f"id;a;b\n{row}\n{row.replace('1;', '2;', 1)}\n"), annotators="a,b")
        assert "decimal" not in ratings.attrs["read_as"]
        assert ratings["label"].dtype == object


@pytest.mark.parametrize("missing", ["-1,?", ["-1", "?"], [-1.0, "?"]])
def test_codes_for_missing(write: Write, missing: Any) -> None:
    ratings = read(write("id,a,b\n1,3,3\n2,-1,2\n3,-1.0,?\n"), annotators="a,b", missing=missing)
    assert grid(ratings) == [[3, 3], [None, 2], [None, None]]


def test_a_code_for_missing_is_no_label(write: Write) -> None:
    path = write("id,a,b\n1,3,3\n2,-1,2\n")
    message = said(path, annotators="a,b", missing="-1", labels="-1,2,3")
    assert message == "t.csv: '-1' cannot be both a label and a code for missing"


@pytest.mark.parametrize("change", ["", "quotes", "blank lines", "blank cells"])
def test_progress(write: Write, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    rows = [f"{item},{who},x" for item in range(100) for who in ("ann", "bob")]
    text = "\n".join(["item,annotator,label", *rows]) + "\n"
    if change == "quotes":
        text = text.replace("bob", '"bob"')
    elif change:
        text = text.replace(
            "\n90,ann", "\n\n90,ann" if change == "blank lines" else '\n" "\n90,ann'
        )
    monkeypatch.setattr("iaa_jax.io.table.delimited.BLOCK", 50)
    seen: list[tuple[int, int]] = []
    path = write(text)
    for shortest_of_arrow in (1 << 12, 0):
        monkeypatch.setattr("iaa_jax.io.table.delimited.SHORT", shortest_of_arrow)
        seen.clear()
        ratings = read(path, progress=lambda done, total: seen.append((done, total)))
        assert ratings.sizes["item"] == 100
        assert seen[-1] == (200, 200)
        assert len(seen) > 4 or change == "quotes" or shortest_of_arrow
        assert all(0 < done <= total and 200 <= total <= 201 for done, total in seen)
    seen.clear()
    read([path, write("item,annotator,label\n900,ann,x\n", "u.csv")],
         progress=lambda done, total: seen.append((done, total)))  # fmt: skip
    assert seen == [(1, 2), (2, 2)]
