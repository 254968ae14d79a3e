"""The commands ``iaa convert`` and ``iaa formats``."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest

import iaa_jax
from iaa_jax.analyses.files.page import formats
from iaa_jax.io.base import Options
from iaa_jax.io.choosing import ToolFiles
from iaa_jax.io.registry import READERS, TOOLS, tools
from iaa_jax.io.request import FileRequest
from tests.io.samples import name_of, samples

TASKS = "\n".join(
    json.dumps({"_input_hash": k, "_view_id": "choice", "_annotator_id": who} | answer)
    for k, who, answer in (
        (1, "ann", {"answer": "accept", "accept": ["joy"]}),
        (1, "bob", {"answer": "accept", "accept": ["None"]}),
        (2, "ann", {"answer": "ignore"}),
        (2, "bob", {"answer": "accept", "accept": ["fear"]}),
        (2, "bob", {"answer": "accept", "accept": ["joy"]}),
    )
)


@pytest.fixture
def export(folder: Path) -> str:
    (folder / "e.jsonl").write_text(TASKS)
    return "e.jsonl"


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet"])
def test_a_table_is_written_and_said(iaa, ran, export: str, folder: Path, name: str) -> None:
    said = " ".join(ran("convert", export, "-o", name).stdout.split())
    assert said.startswith(f"Wrote 5 rows to {name}: 2 items, 2 annotators; 4 answered, 1 skipped.")
    assert "Read as Prodigy" in said
    assert "to read the table with it, give --labels joy,None,fear" in said
    assert (folder / name).stat().st_size
    asked = ("--labels", "joy,None,fear", "--interval", "none")
    assert iaa("agree", name, "--duplicates", "last", *asked).exit_code == 0


def test_standard_output_has_the_table_alone(iaa, export: str) -> None:
    done = iaa("convert", export)
    assert list(pd.read_csv(io.StringIO(done.stdout)).columns) == [
        "item",
        "annotator",
        "label",
        "status",
    ]
    assert "iaa: 'None' is a label that a table would treat as 'not rated'" in done.stderr
    lines = iaa("convert", export, "-o", "-.jsonl").stdout.splitlines()
    assert json.loads(lines[2]) == {"item": 2, "annotator": "ann", "status": "skipped"}


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("convert e.jsonl -o e.jsonl", 2, "e.jsonl holds the ratings: name another file"),
        ("convert e.jsonl -o t.txt", 2, "must end in .csv, .tsv, .jsonl, .parquet"),
        ("convert e.jsonl -o none/t.csv", 1, "there is no folder none"),
        ("convert e.jsonl --duplicates error", 1, "of the same item by the same annotator"),
        ("convert e.jsonl --duplicates combine", 2, "'combine' is not one of"),
        ("convert e.jsonl --question tone", 1, "there is no question 'tone'; read one of them by"),
        ("convert e.jsonl --format none", 2, "is not one of: "),
        ("convert none.jsonl", 1, "there is no such file"),
    ],
)
@pytest.mark.usefixtures("export")
def test_what_is_refused(iaa, folder: Path, line: str, code: int, message: str) -> None:
    done = iaa(*shlex.split(line))
    assert done.exit_code == code
    assert message in done.stderr
    assert done.stdout == ""
    assert (folder / "e.jsonl").read_text() == TASKS


def test_options_of_exports(iaa, export: str) -> None:
    done = iaa("convert", export, "--duplicates", "last", "--keep", "_view_id", "--missing", "joy")
    table = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False)
    assert table["status"].tolist() == ["missing", "answered", "skipped", "missing"]
    assert set(table["_view_id"]) == {"choice"}


def test_every_format_is_listed(iaa, ran) -> None:
    done = ran("formats")
    words = done.stdout.split()
    assert {*TOOLS, *READERS} <= set(words)
    assert max(map(len, done.stdout.splitlines())) <= 80
    record = json.loads(iaa("formats", "--json", "-").stdout)
    assert "formats" in json.dumps(record)


def test_formats_in_files(iaa, folder: Path) -> None:
    assert iaa("formats", "--output", "f.csv", "--output", "f.md").exit_code == 0
    table = pd.read_csv(folder / "f.csv")
    assert table["format"].tolist() == [*TOOLS, *READERS]
    assert table["example"].str.startswith("iaa ").all()
    assert "Label Studio" in (folder / "f.md").read_text()


def test_the_examples_are_options_of_the_command() -> None:
    known, listed = iaa_jax.formats(), formats()
    for tool in tools():
        line = listed["example"].sel(format=tool.name).item()
        assert line.startswith(("iaa spans ", "iaa agree "))
        assert known[tool.name] == tool.summary
        assert tool.known_by


def test_which_formats_hold_spans_alone() -> None:
    held = {}
    for path in samples():
        with suppress(iaa_jax.IaaError), FileRequest(path, Options()).opened() as chosen:
            if isinstance(chosen, ToolFiles) and chosen.tool.example.startswith("spans"):
                kinds = {q.kind for q in chosen.export(Options()).questions.values()}
                held[name_of(path)] = kinds
    assert held
    assert {name: kinds for name, kinds in held.items() if kinds - {"spans"}} == {}
