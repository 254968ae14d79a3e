"""Objects of JSON in the cells of a table: their fields are columns, as those of JSON records."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xarray as xr
from typer.testing import CliRunner

from iaa_jax import IaaError, read, scan
from iaa_jax.cli.app import app
from iaa_jax.io.base import Options
from iaa_jax.io.questions import options_of_questions
from iaa_jax.io.request import FileRequest

Write = Callable[..., Path]

ANSWERS = [
    ("t1", "ann", {"toxicity": "yes", "score": 3, "why": {"sure": True}}),
    ("t1", "bob", {"toxicity": "no", "score": 3, "why": {"sure": True}}),
    ("t2", "ann", {"toxicity": "no", "score": 1}),
    ("t2", "bob", {"toxicity": "no", "score": 2, "why": {"sure": False}}),
    ("t3", "ann", None),
    ("t3", "bob", {"toxicity": "yes", "score": 1}),
]
NAMES = ("task_id", "worker_id", "answers")


def as_csv(rows: Sequence[Sequence[object]], spell: Callable[[object], str] = json.dumps) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(NAMES)
    writer.writerows((item, who, "" if cell is None else spell(cell)) for item, who, cell in rows)
    return text.getvalue()


def as_records() -> str:
    return "\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in ANSWERS)


def in_form(form: str, tmp_path: Path) -> Path:
    """Write the answers as a file of some format."""
    path = tmp_path / f"t.{form.split()[0]}"
    cells = [(item, who, cell and json.dumps(cell)) for item, who, cell in ANSWERS]
    if form == "xlsx":
        book = openpyxl.Workbook()
        sheet = book.worksheets[0]
        for row in (NAMES, *cells):
            sheet.append(row)
        book.save(path)
    elif form == "parquet":
        columns = dict(zip(NAMES, map(list, zip(*cells, strict=True)), strict=True))
        pq.write_table(pa.table(columns), path)
    elif form == "jsonl of texts":
        lines = [json.dumps(dict(zip(NAMES, row, strict=True))) for row in cells]
        path.write_text("\n".join(lines))
    else:
        path.write_text(as_csv(ANSWERS, repr if form == "csv of Python" else json.dumps))
    return path


def labels_of(ratings: xr.Dataset) -> list[list[object]]:
    known = [*ratings["label"].values.tolist(), None]
    return [[known[code] for code in row] for row in ratings["primary"].values]


@pytest.mark.parametrize("form", ["csv", "csv of Python", "xlsx", "parquet", "jsonl of texts"])
@pytest.mark.parametrize("part", ["toxicity", "score", "why.sure"])
def test_fields_are_those_of_records(write: Write, tmp_path: Path, form: str, part: str) -> None:
    records = read(write(as_records(), "records.jsonl"), label=f"answers.{part}")
    table = read(in_form(form, tmp_path), label=f"answers.{part}")
    assert labels_of(table) == labels_of(records)
    assert table.attrs["read_as"] == records.attrs["read_as"]


def test_a_field_that_stands_in_the_last_row_alone(write: Write) -> None:
    rows = [(f"t{k // 2}", "ab"[k % 2], {"q": "x", "text": "y" * 200}) for k in range(400)]
    rows += [("t0", "c", {"late": "1"}), ("t0", "d", {"late": "2"})]
    ratings = read(write(as_csv(rows)), label="answers.late")
    assert np.count_nonzero(ratings["primary"].values >= 0) == len(rows[-2:])
    asked = FileRequest(write(as_csv(rows)), Options())
    assert [*options_of_questions(asked, ["answers.*"])][-1] == "answers.late"


def test_columns_are_kept_from_cells(write: Write) -> None:
    text = 'item,annotator,label,meta\n1,a,x,"{""batch"": 1}"\n1,b,x,"{""batch"": 1}"\n'
    text += '2,a,y,"{""batch"": 2}"\n2,b,x,"{""batch"": 2}"\n'
    ratings = read(write(text), keep="meta.batch")
    assert ratings["meta.batch"].values.tolist() == [1, 2]


def test_lines_that_repeat_the_names_are_left_out(write: Write) -> None:
    text = as_csv(ANSWERS)
    ratings = read(write(text + text.split("\n")[0] + "\n"), label="answers.toxicity")
    assert "1 row" in ratings.attrs["skipped"]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ('"{""toxicity"": "', "this is not JSON: Expecting value (column 13)"),
        ("yes", "this is not JSON: Expecting value (column 1)"),
        (
            '"{""toxicity"": ""a"", ""toxicity"": ""b""}"',
            "the key 'toxicity' occurs more than once",
        ),
    ],
)
def test_what_is_no_object_is_refused_by_its_row(write: Write, cell: str, said: str) -> None:
    file = write(as_csv(ANSWERS) + "".join(f"t{k},ann,{{}}\n" for k in range(2000)))
    file.write_text(file.read_text() + f"t3,cy,{cell}\nt4,cy,{cell}\n")
    with pytest.raises(IaaError) as caught:
        read(file, label="answers.toxicity")
    start = f"t.csv line 2008, column 'answers': {said}"
    assert start in str(caught.value)
    assert "and so 1 further row" in str(caught.value)
    with pytest.raises(IaaError, match="holds JSON objects"):
        read(file, label="answers")


def test_a_name_that_a_column_has_already_is_refused(write: Write) -> None:
    text = 'item,annotator,meta,meta.q\n1,a,"{""q"": 1, ""r"": 2}",x\n1,b,"{""q"": 1}",x\n'
    with pytest.raises(IaaError, match=r"not unique: 'meta\.q'"):
        read(write(text), label="meta.q")


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_whole_objects_are_no_labels(write: Write, name: str) -> None:
    file = write(as_csv(ANSWERS) if name == "t.csv" else as_records(), name)
    done = CliRunner().invoke(app, ["agree", str(file), "--label", "answers"])
    assert done.exit_code != 0
    words = " ".join(done.output.split())
    assert "'answers' holds JSON objects" in words
    assert "--label answers.toxicity" in words
    assert "--questions 'answers.*'" in words


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_all_parts_are_questions(write: Write, name: str) -> None:
    file = write(as_csv(ANSWERS) if name == "t.csv" else as_records(), name)
    done = CliRunner().invoke(app, ["agree", str(file), "--questions", "answers.*"])
    assert done.exit_code == 0, done.output
    for part in ("answers.toxicity", "answers.score", "answers.why.sure"):
        assert re.search(rf"^{re.escape(part)} ", done.output, re.MULTILINE)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_parts_are_proposed(write: Write, name: str) -> None:
    file = write(as_csv(ANSWERS) if name == "t.csv" else as_records(), name)
    with pytest.raises(IaaError) as caught:
        read(file)
    every = "--questions answers.score,answers.toxicity,answers.why.sure"
    assert every in str(caught.value)


@pytest.mark.parametrize("annotators", [None, "ann,bob"])
def test_objects_of_a_column_for_each_annotator(write: Write, annotators: str | None) -> None:
    cells = ('"{""tone"": ""warm"", ""score"": 1}"', '"{""tone"": ""cold"", ""score"": 2}"')
    rows = [f"{k},{cells[k % 2]},{cells[k % 3 == 0]}" for k in range(12)]
    file = write("\n".join(["id,ann,bob", *rows]))
    with pytest.raises(IaaError) as caught:
        read(file, annotators=annotators)
    way = "*.tone" if annotators is None else "ann.tone,bob.tone"
    assert f"annotators='{way}'" in str(caught.value)
    assert "ann.score,bob.tone" not in str(caught.value)
    assert read(file, annotators="ann.tone,bob.tone")["label"].values.tolist() == ["cold", "warm"]


def test_whole_objects_are_not_scanned(write: Write) -> None:
    pytest.importorskip("duckdb")
    with pytest.raises(IaaError, match=r"'answers' holds JSON objects.*a column for each field"):
        scan(write(as_csv(ANSWERS)), label="answers")
