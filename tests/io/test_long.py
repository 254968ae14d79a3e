"""The tidy long table: every judgement, and what stands in it reads back to the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax
import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.analyses.files.writing import ENDINGS, ending_of, table_bytes
from iaa_jax.data.storage import STORAGES
from tests.io.samples import name_of, questions, samples
from tests.taken import one_of

Write = Callable[..., Path]


def written(table: pd.DataFrame, folder: Path, ending: str) -> Path:
    path = folder / f"table{ending}"
    path.write_bytes(table_bytes(table, ending))
    return path


@pytest.mark.parametrize("path", one_of(6, samples()), ids=name_of)
def test_what_is_written_reads_back_to_the_same(path: Path, tmp_path: Path) -> None:
    try:
        every = [*questions(path)]
    except IaaError:
        return  # no export, or one for options: the tests of its reader have it
    for question, count in every:
        whole = iaa.read_long(path, question=question)
        names = ["document", "annotator"] if "start" in whole else ["item", "annotator"]
        idle = "who answered nothing" in whole.attrs["skipped"]
        assert len(whole) >= count or idle or "start" not in whole
        assert not whole["status"].isna().any()
        once = iaa.read_long(path, question=question, duplicates="first")
        assert list(once.columns[:2]) == names
        if "start" in once:
            check_spans(path, question, once, tmp_path)
        else:
            check_ratings(path, question, once, tmp_path)


def check_spans(path: Path, question: str, table: pd.DataFrame, folder: Path) -> None:
    try:
        spans = iaa.read_spans(path, question=question, duplicates="first")
    except IaaError:
        with pytest.raises(IaaError):
            iaa.from_spans(table)
        return
    spans = spans.drop_vars("length", errors="ignore")
    xr.testing.assert_equal(iaa.from_spans(table), spans)
    file = written(table, folder, ".csv")
    gaps = {"start": "", "end": "", "unit": ""}
    again = pd.read_csv(file, keep_default_na=False, na_values=gaps, dtype={"label": str})
    again.loc[again["start"].isna(), "label"] = None
    again = again.astype({"document": table["document"].dtype, "annotator": object})
    xr.testing.assert_equal(iaa.from_spans(again), spans)
    xr.testing.assert_equal(iaa.read_spans(file), spans)


def check_ratings(path: Path, question: str, table: pd.DataFrame, folder: Path) -> None:
    def read(path: Path, **options: object) -> xr.Dataset | None:
        try:
            return iaa.read(path, **options)  # type: ignore[arg-type]
        except IaaError:
            return None

    ratings = read(path, question=question, duplicates="first")
    said = "would treat as 'not rated'" in table.attrs["notices"]
    labels = sorted(set(table["label"].dropna())) if said else None
    for ending in ENDINGS:
        again = read(written(table, folder, ending), labels=labels)
        assert (again is None) == (ratings is None)
        if again is not None and ratings is not None:
            check_same(again, ratings)


def check_same(again: xr.Dataset, ratings: xr.Dataset) -> None:
    if ratings["item"].dtype == object:  # a table's whole numbers are numbers, not texts
        again = again.assign_coords(item=again["item"].astype(str).astype(object))
    for axis in ("item", "annotator"):
        assert sorted(again[axis].values.tolist()) == sorted(ratings[axis].values.tolist())
    again = again.sel({axis: ratings[axis].values for axis in ("item", "annotator")})
    for name in STORAGES:
        assert (name in again) == (name in ratings)
        if name in ratings:
            np.testing.assert_array_equal(again[name].values, ratings[name].values)
    assert again["label"].values.tolist() == ratings["label"].values.tolist()


TASK = {"_view_id": "choice", "answer": "accept"}
ANSWERS = [
    {"_input_hash": 1, "_annotator_id": "ann", "accept": ["None"], "_timestamp": 5},
    {"_input_hash": 1, "_annotator_id": "bob", "accept": ["joy, fear"], "meta": {"n": 1}},
    {"_input_hash": 2, "_annotator_id": "ann", "accept": []},
    {"_input_hash": 2, "_annotator_id": "bob", "accept": ["None"], "answer": "ignore"},
    {"_input_hash": 2, "_annotator_id": "bob", "accept": ["None"]},
]


@pytest.fixture
def export(write: Write) -> Path:
    return write("\n".join(json.dumps(TASK | answer) for answer in ANSWERS), "e.jsonl")


def test_every_judgement_has_a_row(export: Path) -> None:
    table = iaa.read_long(export, keep="meta.n")
    assert table.drop(columns="time").values.tolist() == [
        [1, "ann", "None", "answered", None],
        [1, "bob", "joy, fear", "answered", "1"],
        [2, "ann", None, "empty", None],
        [2, "bob", None, "skipped", None],
        [2, "bob", "None", "answered", None],
    ]
    assert table["time"].tolist()[0] == 5.0
    assert iaa.read_long(export, duplicates="last")["label"].tolist()[-1] == "None"
    with pytest.raises(IaaError, match="of the same item by the same annotator"):
        iaa.read_long(export, duplicates="error")


def test_labels_that_a_table_takes_for_nothing_are_said(export: Path, tmp_path: Path) -> None:
    table = iaa.read_long(export, duplicates="last")
    assert table.attrs["notices"] == (
        "'None' is a label that a table would treat as 'not rated': to read the table with it, "
        "declare all labels with labels="
    )
    file = written(table, tmp_path, ".csv")
    ratings = iaa.read(export, duplicates="last")
    check_same(iaa.read(file, labels=["None", "joy, fear"]), ratings)


def test_one_annotator_is_enough(write: Write) -> None:
    path = write(json.dumps(TASK | ANSWERS[0]), "one.jsonl")
    assert len(iaa.read_long(path)) == 1
    assert len(iaa.read_long(path, missing="None")) == 1
    assert iaa.read_long(path, missing="None")["status"].tolist() == ["missing"]


def test_declared_and_merged_labels(export: Path) -> None:
    with pytest.raises(IaaError, match=r"e\.jsonl line 2: 'joy, fear' is not among the declared"):
        iaa.read_long(export, labels="None")
    merged = iaa.read_long(export, merge_ids="case", merge_labels="case")
    assert merged["label"].tolist()[0] == "None"


def test_columns_of_its_own_are_not_kept_over(export: Path) -> None:
    with pytest.raises(IaaError, match="names a column that the table has anyway"):
        iaa.read_long(export, keep="time")


@pytest.mark.parametrize(
    "text",
    [
        "item,annotator,label\n1,a,x\n1,b,y\n2,b,x\n",
        "item,annotator,label\n1,a,3\n1,b,2.5\n2,b,1\n",
        "text_id,ann,bob\n1,yes,no\n2,,yes\n",
        'item,annotator,label\n1,a,"[""x"", ""y""]"\n1,b,[]\n2,a,"[""x""]"\n',
    ],
)
def test_plain_tables_go_by_their_ratings(write: Write, tmp_path: Path, text: str) -> None:
    path = write(text)
    ratings = iaa.read(path)
    for ending in ENDINGS:
        check_same(iaa.read(written(iaa.read_long(path), tmp_path, ending)), ratings)


def test_secondary_labels_and_columns_of_tables(write: Write, tmp_path: Path) -> None:
    path = write("item,annotator,label,second,batch\n1,a,x,y,b1\n1,b,y,,b1\n2,a,x,,b2\n2,b,x,,b2\n")
    table = iaa.read_long(path, secondary="second", keep="batch")
    assert list(table.columns) == ["item", "annotator", "label", "secondary", "batch"]
    again = iaa.read(written(table, tmp_path, ".csv"), secondary="secondary", keep="batch")
    ratings = iaa.read(path, secondary="second", keep="batch")
    check_same(again, ratings)
    assert again["batch"].values.tolist() == ratings["batch"].values.tolist()


def test_tables_without_annotators(write: Write, tmp_path: Path) -> None:
    table = iaa.read_long(write("item,x,y\n1,2,1\n2,0,2\n"), counts="x,y")
    assert list(table.columns) == ["item", "label"]
    check_same(
        iaa.read(written(table, tmp_path, ".csv"), anonymous=True),
        iaa.read(write("item,x,y\n1,2,1\n2,0,2\n"), counts="x,y"),
    )
    square = write("a,x,y\nx,2,1\ny,1,3\n")
    with pytest.raises(IaaError, match="counts of items cannot be written as a table"):
        iaa.read_long(square, format="contingency")


def test_the_ending_says_how_a_table_is_written() -> None:
    assert [ending_of(path) for path in ("a.CSV", "-", "-.jsonl", "b/c.parquet")] == [
        ".csv",
        ".csv",
        ".jsonl",
        ".parquet",
    ]
    for path in ("a", "a.txt", "-.md", "csv"):
        with pytest.raises(IaaError, match=r"end in \.csv, \.tsv, \.jsonl, \.parquet"):
            ending_of(path)


def test_lines_of_json_have_lists(write: Write, tmp_path: Path) -> None:
    table = iaa.read_long(write('item,annotator,label\n1,a,"[""x""]"\n1,b,[]\n'))
    lines = written(table, tmp_path, ".jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"item": 1, "annotator": "a", "label": ["x"]}


@pytest.mark.parametrize("ending", ENDINGS)
def test_spans_read_back_where_the_first_row_has_none(
    write: Write, tmp_path: Path, ending: str
) -> None:
    lines = ["d1,ann,,,", "d1,bob,0,5,PER", "d2,ann,3,4,LOC", "d2,bob,,,"]
    path = write("\n".join(["document,annotator,start,end,label", *lines]), "spans.csv")
    table = iaa.read_long(path)
    spans = iaa.read_spans(written(table, tmp_path, ending))
    xr.testing.assert_equal(spans, iaa.read_spans(path))
    assert spans["seen"].values.all()


LIVE = ("=1+1", "'=1+1", "x;=1", "\uff1d1", "@x", "it's", "-1", '"q"', "a\nb", "\x1b[1m")


@pytest.mark.parametrize("ending", ENDINGS)
def test_robustness_B15_what_is_written_reads_back_to_every_letter(
    tmp_path: Path, ending: str
) -> None:
    rows = [(name, who, other) for name in LIVE for who, other in (("=a", name), ("'=a", "=1+1"))]
    table = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    ratings = iaa.from_long(table)
    again = iaa.read(written(iaa.read_long(written(table, tmp_path, ".jsonl")), tmp_path, ending))
    check_same(again, ratings)


@pytest.mark.parametrize("target", ["t.csv", "t.tsv", "-", "t.jsonl", "t.parquet", "-.jsonl"])
def test_robustness_B15_what_a_spreadsheet_may_run_is_said(iaa, folder: Path, target: str) -> None:
    text = "item,ann,bob\n=1+1,=x,=x\n2,-1,-1\n3,=x,-1\n"
    (folder / "r.csv").write_text(text, encoding="utf-8")
    done = iaa("convert", "r.csv", "--annotators", "ann,bob", "--output", target)
    assert done.exit_code == 0, done.output
    said = done.stderr if target.startswith("-") else done.stdout
    warned = (
        "2 texts look like formulas ('=1+1', '=x'), and are written unchanged, so that the "
        "table can be read again: a spreadsheet may run them unless it imports the columns as text"
    )
    assert (warned in " ".join(said.split())) == target.endswith(("-", "csv", "tsv"))
    if target == "-":
        assert done.stdout.splitlines()[1] == "=1+1,ann,=x"


def test_a_carriage_return_ends_no_row_and_is_said(iaa, folder: Path) -> None:
    rows = [(item, who, "x") for item in ("a\rb", "c") for who in ("ann", "bob")]
    names = ("item", "annotator", "label")
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    (folder / "r.jsonl").write_text("\n".join(lines))
    done = iaa("convert", "r.jsonl", "--output", "t.csv")
    assert done.exit_code == 0, done.output
    assert "1 text has a carriage return or a null character" in " ".join(done.stdout.split())
    assert iaa_jax.read("t.csv")["item"].values.tolist() == ["a\nb", "c"]
