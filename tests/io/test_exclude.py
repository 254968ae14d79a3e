"""Rows that the caller wants left out: the file then reads as though it had none of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import xarray as xr

from iaa_jax import IaaError, read, read_long, read_spans
from iaa_jax.data.provenance import parts_of

Write = Callable[..., Path]
Refused = Callable[..., str]

ROWS = [
    ("t1", "ann", "no", "rejected", 1.0),
    ("t1", "bob", "yes", "ok", 0.0),
    ("t2", "ann", "yes", "ok", 0.0),
    ("t2", "bob", "maybe", "rejected", 0.0),
    ("t2", "cleo", "no", "draft", 1.0),
    ("t3", "bob", "no", "ok", 0.0),
    ("t3", "ann", "yes", "ok", 0.0),
    ("t1", "ann", "yes", None, 0.0),
]
TABLE = pd.DataFrame(ROWS, columns=["item", "annotator", "label", "status", "control"])
WIDE = "item,ann,bob,status\nt1,x,y,ok\nt2,x,x,rejected\nt3,y,y,ok\nTotal,2,2,ok\n,x,y,ok\n"


def figures(ratings: xr.Dataset) -> dict:
    """The ratings without the notes on how they came to be."""
    return ratings.drop_attrs().to_dict()


def as_file(table: pd.DataFrame, folder: Path, ending: str) -> Path:
    path = folder / f"t{len(table)}.{ending}"
    if ending == "csv":
        table.to_csv(path, index=False)
    elif ending == "tsv":
        table.to_csv(path, index=False, sep="\t")
    elif ending == "xlsx":
        table.to_excel(path, index=False)
    elif ending == "jsonl":
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_parquet(path)
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("exclude", "lost"),
    [
        (["status=rejected", "status=draft"], TABLE.status.isin(["rejected", "draft"])),
        (["status = draft", "status="], TABLE.status.isin(["draft", None])),
        ("control=1", TABLE.control == 1),
        (["label=maybe", "annotator=cleo"], TABLE.index.isin([3, 4])),
        ("status != ok", TABLE.status != "ok"),
        ("control!=0", TABLE.control != 0),
    ],
)
def test_it_is_as_if_the_rows_were_not_there(tmp_path, ending, exclude, lost) -> None:
    left = read(as_file(TABLE, tmp_path, ending), exclude=exclude, duplicates="last")
    rest = read(as_file(TABLE[~lost], tmp_path, ending), duplicates="last")
    assert figures(left) == figures(rest)


def test_what_was_left_out_is_counted_each_row_once(tmp_path) -> None:
    file = as_file(TABLE, tmp_path, "csv")
    ratings = read(file, exclude=["status=rejected", "control=1", "status="])
    assert ratings.attrs["skipped"] == (
        "2 rows with 'status' = 'rejected'; 1 row with 'control' = '1'; "
        "1 row with nothing in 'status'"
    )
    counted = [note.values["rows"] for note in parts_of(ratings, "skipped")]
    assert counted == [2, 1, 1]


def test_wide_tables_and_their_rows_of_something_else(write: Write) -> None:
    told = ["status=rejected", "item=Total", "item="]
    ratings = read(write(WIDE), exclude=told)
    plain = read(write("item,ann,bob\nt1,x,y\nt3,y,y\n", "plain.csv"))
    assert figures(ratings) == figures(plain)
    named = read(write(WIDE), exclude=told, annotators="ann,bob", keep="status")
    assert named["status"].values.tolist() == ["ok", "ok"]


def test_tables_of_counts(write: Write) -> None:
    text = "item,yes,no\nt1,2,1\nt2,0,3\nSumme,2,4\n"
    ratings = read(write(text), counts="yes,no", exclude="item=Summe")
    assert ratings["item"].values.tolist() == ["t1", "t2"]


def test_several_files_and_all_rows_of_one(write: Write, tmp_path) -> None:
    head = "item,annotator,label,status\n"
    write(head + "1,a,x,ok\n1,b,y,bad\n2,a,x,ok\n", "one.csv")
    write(head + "3,a,x,bad\n", "two.csv")
    write(head + "1,b,x,ok\n2,b,x,ok\n", "three.csv")
    files = [tmp_path / f"{name}.csv" for name in ("one", "two", "three")]
    ratings = read(files, exclude="status=bad")
    assert ratings["item"].values.tolist() == [1, 2]
    assert ratings.attrs["skipped"] == "2 rows with 'status' = 'bad'"


def test_names_of_columns_may_hold_the_sign(write: Write) -> None:
    text = "item,annotator,label,a=b\n1,a,x,c=d\n1,b,y,\n1,c,y,\n"
    assert read(write(text), exclude="a=b=c=d").sizes["annotator"] == 2


def test_where_rows_stand_is_said_of_the_file(refused: Refused) -> None:
    text = "item,annotator,label,status\n1,a,x,bad\n1,b,y,ok\n1,b,x,ok\n"
    assert "line 4" in refused(text, exclude="status=bad")


LONG = "item,annotator,label,status\n1,a,x,Rejected\n1,b,x,ok\n2,a,y,ok\n2,b,y,ok\n"


@pytest.mark.parametrize(
    ("exclude", "words"),
    [
        ("status=rejected", "no row has 'rejected' in the column 'status'"),
        ("status=rejected", "did you mean 'Rejected'?"),
        ("statu=Rejected", "has no column 'statu' (named by exclude='statu=Rejected')"),
        ("statu=Rejected", "did you mean 'status'?"),
        ("status=", "no row has '' in the column 'status'"),
        ("status!=rejected", "no row has 'rejected' in the column 'status'"),
        (["status=ok", "status=Rejected"], "exclude leaves no row"),
    ],
)
def test_refused(refused: Refused, exclude: object, words: str) -> None:
    assert words in refused(LONG, exclude=exclude)


def test_a_table_of_unknown_layout_of_which_no_row_is_left(refused: Refused) -> None:
    rows = [f"{k // 2},{'Joy' if k % 2 else 'Fear'},{k % 3},{k % 4}\n" for k in range(24)]
    table = "text,emotion,Annotator-1,Annotator-2\n" + "".join(rows)
    assert "did you mean 'Joy'?" in refused(table, exclude="emotion!=joy")


@pytest.mark.parametrize("wrong", ["status", "=x", 3, [3], ["status=ok", "x"]])
def test_it_is_a_column_and_a_value(write: Write, wrong: object) -> None:
    with pytest.raises(IaaError, match="exclude"):
        read(write(LONG), exclude=wrong)


def test_judgements_of_exports_by_their_fields(write: Write) -> None:
    task = {"text": "x", "_task_hash": 1, "_view_id": "classification", "answer": "accept"}
    rows = [(1, "ann", "old"), (1, "bob", "old"), (2, "ann", "new"), (2, "bob", "new")]
    rows += [(3, "bob", "")]
    lines = [
        json.dumps(
            {**task, "_input_hash": n, "label": "y", "_annotator_id": who, "meta": {"round": when}}
        )
        for n, who, when in rows
    ]
    for exclude, start, stop in (("meta.round=new", 0, 2), ("meta.round!=new", 2, 4)):
        told = [*([exclude] if stop == 4 else [exclude, "meta.round="])]
        left = read(write("\n".join(lines), "tasks.jsonl"), exclude=told)
        rest = read(write("\n".join(lines[start:stop]), "rest.jsonl"))
        assert figures(left) == figures(rest)
    assert left.attrs["skipped"] == "3 rows with 'meta.round' != 'new'"
    for told, words in (
        ("meta.rund=new", "has no field 'meta.rund' (named by exclude='meta.rund')"),
        ("meta.round!=mew", "did you mean 'new'?"),
        (["meta.round=new", "meta.round!=new"], "exclude leaves no row"),
    ):
        with pytest.raises(IaaError, match=re.escape(words)):
            read(write("\n".join(lines), "tasks.jsonl"), exclude=told)


def test_spans_and_tables_to_convert(write: Write) -> None:
    spans = (
        "document,annotator,start,end,label,status\n"
        "d,ann,0,3,X,ok\nd,bob,0,3,X,ok\nd,bob,4,6,Y,bad\n"
    )
    told = read_spans(write(spans), exclude="status=bad")
    assert told["label"].values.tolist() == ["X"]
    assert told.attrs["skipped"] == "1 row with 'status' = 'bad'"
    table = read_long(write(LONG), exclude="status=Rejected")
    assert len(table) == 3
    assert table.attrs["skipped"] == "1 row with 'status' = 'Rejected'"


TOTALS = "text,ann,bob\nt1,1,2\nt2,3,3\nt3,1,1\n"
NAMELESS = "item,annotator,label\nt1,a,x\nt1,b,x\n,b,y\nt2,b,y\nt2,a,x\n"


@pytest.mark.parametrize(
    ("text", "options", "advised"),
    [
        (TOTALS + "Total,5,6\n", {"item": "text"}, "text=Total"),
        (TOTALS + "Mittelwert,1.67,2\n", {"item": "text"}, "text=Mittelwert"),
        (TOTALS + ",3,2\n", {"item": "text"}, "text="),
        (TOTALS + ",3,2\n", {"annotators": "ann,bob", "item": "text", "duplicates": "combine"},
         "text="),
        (TOTALS + "Summe:,5,6\n", {"counts": "ann,bob", "item": "text"}, "text=Summe:"),
        (TOTALS + ",5,6\n", {"counts": "ann,bob", "item": "text"}, "text="),
        (NAMELESS, {}, "item="),
        (NAMELESS.replace(",b,y", "t1,,y"), {}, "annotator="),
        (NAMELESS.replace(",b,y", "t1,N/A,y"), {}, "annotator=N/A"),
        (NAMELESS, {"duplicates": "combine"}, "item="),
        ("a,b," + NAMELESS[5:].replace("t1", "1,1").replace("t2", "1,2").replace("\n,", "\n1,,"),
         {"item": "a,b"}, "b="),
        ("item,annotator,x,y\n1,a,1,0\n1,b,1,0\n,b,0,1\n", {"one_hot": "x,y"}, "item="),
        ("who,t1,t2\nann,x,y\nbob,x,x\n,y,y\n", {"format": "transposed"}, "who="),
        ("item,annotator,x,y\n1,a,1,0\n1,b,1,0\n,b,0,1\n", {"multi_hot": "x,y"}, "item="),
    ],
)  # fmt: skip
def test_what_a_refusal_advises_works(
    write: Write, refused: Refused, text: str, options: dict, advised: str
) -> None:
    assert f"exclude={advised!r}" in refused(text, **options)
    read(write(text), **options, exclude=advised)


def test_a_last_row_that_may_hold_totals_is_noted_with_the_way_out(write: Write) -> None:
    file = write(TOTALS + "Total,1,2\n")
    ratings = read(file, item="text")
    assert ratings.attrs["notices"].endswith("leave it out with exclude='text=Total'")
    assert "notices" not in read(file, item="text", exclude="text=Total").attrs
