"""Numbers however they are written: scores as "7/10", and one label for one number beside texts."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import read
from iaa_jax.wording import load_notes
from tests.io.test_workbooks import book
from tests.oracles import COEFFICIENTS
from tests.oracles.ratings import single_labels

Write = Callable[..., Path]

RATINGS = [(3, 4), (7, 7), (10, 9), (2, 2), (5, 6), (8, 8)]
LONG = "item,annotator,label\n"


def long(spell: Callable[[int, int], str]) -> str:
    cells = [spell(value, k) for k, value in enumerate(v for pair in RATINGS for v in pair)]
    return LONG + "".join(f"t{k // 2},{'ab'[k % 2]},{cell}\n" for k, cell in enumerate(cells))


def wide(spell: Callable[[int, int], str]) -> str:
    rows = [
        f"t{item},{','.join(spell(value, 2 * item + k) for k, value in enumerate(pair))}\n"
        for item, pair in enumerate(RATINGS)
    ]
    return "item,ann,bob\n" + "".join(rows)


def codes(ratings) -> list[str]:
    return [note.code for note in load_notes(ratings.attrs["reading"])]


@pytest.mark.parametrize("layout", [long, wide])
@pytest.mark.parametrize("end", ["/10", " / 10", "/10.0"])
@pytest.mark.parametrize("level", ["ordinal", "interval", "nominal"])
def test_scores_are_the_numbers(write: Write, layout, end: str, level: str) -> None:
    scores = read(write(layout(lambda value, _: f"{value}{end}")))
    numbers = read(write(layout(lambda value, _: str(value))))
    assert "labels_of_scores" not in codes(scores)
    if end == "/10.0":  # no whole number: nothing is guessed
        assert scores["label"].dtype == object
        return
    assert scores["label"].values.tolist() == numbers["label"].values.tolist()
    figures = [float(iaa.krippendorff_alpha(r, level=level).estimate) for r in (scores, numbers)]
    assert figures[0] == figures[1]
    assert f"scores such as '3{end}' as numbers (3)" in scores.attrs["read_as"]


@pytest.mark.parametrize(
    ("spell", "noted"),
    [
        (lambda value, k: str(value) if k % 5 == 0 else f"{value}/10", True),
        (lambda value, k: f"{value}/{10 + 10 * (k % 5 == 0)}", False),
        (lambda value, _: f"{value}/5", False),  # 8 of 5 is no score
        (lambda value, k: "yes" if k % 5 == 0 else f"{value}/10", False),
    ],
)
def test_mixtures_are_not_guessed(write: Write, spell, noted: bool) -> None:
    ratings = read(write(long(spell)))
    assert ratings["label"].dtype == object
    assert ("labels_of_scores" in codes(ratings)) == noted
    if noted:
        assert "'4/10' (1 rating)" in ratings.attrs["notices"]
    with pytest.raises(iaa.IaaError, match="needs labels that are numbers"):
        iaa.krippendorff_alpha(ratings, level="interval")


def test_declared_labels_stay(write: Write) -> None:
    labels = [f"{k}/10" for k in range(11)]
    ratings = read(write(long(lambda value, _: f"{value}/10")), labels=labels)
    assert ratings["label"].values.tolist() == labels


def test_a_scan_reads_the_same(write: Write) -> None:
    pytest.importorskip("duckdb")
    file = write(long(lambda value, _: f"{value}/10"))
    scanned = iaa.scan(file)
    assert scanned["label"].values.tolist() == read(file)["label"].values.tolist()


CODES = [("1", "1", "2"), ("2", "2", "2"), ("1", "2", "1"), ("none",) * 3, ("2", "none", "2")]
WRITTEN = [{"1": "1.0", "2": "2.0"}, {"1": "1", "2": "2"}, {"1": "1.", "2": "2.00"}]
"""How each annotator writes the numbers."""
PEOPLE = ("ann", "bob", "model")
CELLS = [[WRITTEN[k].get(code, code) for k, code in enumerate(row)] for row in CODES]
ROWS = [
    {"item": f"t{k}", "annotator": name, "label": cell}
    for k, row in enumerate(CELLS)
    for name, cell in zip(PEOPLE, row, strict=True)
]


def _table(path: Path, rows: list[dict[str, object]]) -> Path:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return path


def _by_item(cells: list[list[str]]) -> list[dict[str, object]]:
    return [{"item": f"t{k}"} | dict(zip(PEOPLE, row, strict=True)) for k, row in enumerate(cells)]


def _wide(folder: Path) -> Path:
    return _table(folder / "t.csv", _by_item(CELLS))


def _a_file_each(folder: Path) -> list[Path]:
    return [
        _table(folder / f"{name}.csv", [row for row in ROWS if row["annotator"] == name])
        for name in PEOPLE
    ]


def _from_json(folder: Path) -> Path:
    path = folder / "t.jsonl"
    # the first writes 1.0 and the second 1, both without quotes; the third "1."
    cells = [
        [cell if k == 2 or cell == "none" else float(cell) if k == 0 else int(cell)
         for k, cell in enumerate(row)]
        for row in CELLS
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, _by_item(cells))))
    return path


def _parquet(folder: Path) -> Path:
    pd.DataFrame(ROWS).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def _workbook(folder: Path) -> Path:
    cells = [[float(c) if k < 2 and c != "none" else c for k, c in enumerate(row)] for row in CELLS]
    rows = [[f"t{k}", *row] for k, row in enumerate(cells)]
    return book(folder / "t.xlsx", ratings=[["item", *PEOPLE], *rows])


@pytest.mark.parametrize("form", [_wide, _a_file_each, _from_json, _parquet, _workbook])
def test_one_number_is_one_label_beside_texts(tmp_path: Path, form) -> None:
    ratings = read(form(tmp_path))
    assert ratings["label"].values.tolist() == ["1", "2", "none"]
    right = COEFFICIENTS["krippendorff_alpha"](single_labels(CODES), labels=["1", "2", "none"])
    alpha = iaa.krippendorff_alpha(ratings, interval=None).estimate
    assert float(alpha) == pytest.approx(right.estimate, abs=1e-12)
    assert "labels_of_one_number" not in codes(ratings)  # whole numbers with a point: nothing odd


def test_one_number_is_one_label_in_sets_counts_and_spans(tmp_path: Path) -> None:
    lists = _table(tmp_path / "s.csv", _by_item([[json.dumps([c, "x"]) for c in r] for r in CELLS]))
    sets = [[{code: 1.0, "x": 1.0} for code in row] for row in CODES]
    of_sets = COEFFICIENTS["am_agreement"](sets, labels=["1", "2", "none", "x"])
    found = iaa.am_agreement(read(lists), interval=None).estimate
    assert float(found) == pytest.approx(of_sets.estimate, abs=1e-12)

    names = {"1": "1.0", "2": "2", "none": "none"}
    counts = [{"item": k} | {names[n]: row.count(n) for n in names} for k, row in enumerate(CODES)]
    table = read(_table(tmp_path / "c.csv", counts), item="item", counts=list(names.values()))
    assert table["label"].values.tolist() == ["1", "2", "none"]

    place = {"document": "d", "start": 0, "end": 3}
    labels = [("ann", "1.0"), ("bob", "1"), ("ann", "x"), ("bob", "x")]
    marked = [{**place, "annotator": who, "label": label} for who, label in labels]
    spans = iaa.read_spans(_table(tmp_path / "spans.csv", marked))
    assert spans["label"].values.tolist() == ["1", "x"]


@pytest.mark.parametrize(
    ("cells", "labels", "noted"),
    [
        ("01 02 x", ["01", "02", "x"], ""),
        ("01 02 1 x", ["1", "2", "x"], "labels_of_one_number"),
        ("1.1 1.10 x", ["1.1", "x"], "labels_of_one_number"),
        ("2e0 2 x", ["2", "x"], "labels_of_one_number"),
        ("01 1 2", [1, 2], "labels_of_one_number"),
        ("1.5 1.50 2", [1.5, 2.0], ""),
        ("3,5 3.5 x", ["3,5", "3.5", "x"], "labels_of_number_apart"),
    ],
)
def test_numbers_in_unlike_spellings_are_noted(write: Write, cells: str, labels, noted) -> None:
    rows = "".join(f't{k},"{cell}","{cell}"\n' for k, cell in enumerate(cells.split()))
    file = write("item,ann,bob\n" + rows)
    ratings = read(file)
    assert ratings["label"].values.tolist() == labels
    assert [code for code in codes(ratings) if "of_one_n" in code or "apart" in code] == (
        [noted] if noted else []
    )
    # declared as they are written they stay apart
    assert read(file, labels=cells.split()).sizes["label"] == len(cells.split())


@pytest.mark.parametrize(("below", "measured"), [(5.72, True), (0.0, False)])
def test_many_decimals_some_below_0_are_numbers(write: Write, below: float, measured: bool) -> None:
    rows = [[1.25 * item - below, 1.5 * item - below] for item in range(12)]
    text = "".join(f"t{item},{a},{b}\n" for item, (a, b) in enumerate(rows))
    ratings = read(write(f"item,ann,bob\n{text}"))
    assert (ratings.attrs["task"] == "value") == measured
    expected = iaa.krippendorff_alpha(iaa.from_values(rows)).estimate
    assert float(iaa.krippendorff_alpha(ratings, level="interval").estimate) == pytest.approx(
        float(expected), rel=1e-12
    )
    names = read(write(f"item,ann,bob\n{text}"), labels=sorted({*np.ravel(rows).tolist()}))
    assert names.attrs["task"] == "single"
