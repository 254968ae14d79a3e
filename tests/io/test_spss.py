"""Data sets of SPSS: values as stored, whole numbers as such, and damaged files refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
from iaa_jax.io.table import packages
from iaa_jax.io.table.source import Source
from tests.io.tools import mutants

pyreadstat = pytest.importorskip("pyreadstat")

RATINGS = {"nr": [1, 2, 3, 4], "ann": [1.0, 2, 2, np.nan], "bob": [1, 2, 1, 2]}


def spss(folder: Path, columns: dict[str, Any] | None = None, **options: Any) -> Path:
    path = folder / ("data.zsav" if options.get("compress") else "data.sav")
    pyreadstat.write_sav(pd.DataFrame(RATINGS if columns is None else columns), path, **options)
    return path


@pytest.mark.parametrize("compress", [False, True])
def test_a_wide_data_set(compress: bool, tmp_path: Path) -> None:
    ratings = read(spss(tmp_path, compress=compress), item="nr", annotators="ann,bob")
    assert ratings.item.values.tolist() == [1, 2, 3, 4]
    assert ratings.label.values.tolist() == [1, 2]
    assert ratings.primary.values.tolist() == [[0, 0], [1, 1], [1, 0], [-1, 1]]
    # of the three cases with two ratings: 2 of 6 pairs differ, of 30 by chance 18
    found = krippendorff_alpha(ratings, interval=None).estimate
    assert float(found) == pytest.approx(1 - (2 / 6) / (18 / 30))


def test_texts_and_an_ending_that_says_nothing(tmp_path: Path) -> None:
    columns = {"item": [1, 1], "annotator": ["ann", "bob"], "label": ["yes", "nö"]}
    path = spss(tmp_path, columns).rename(tmp_path / "ratings.dat")
    ratings = read(path)
    assert ratings.label.values.tolist() == ["nö", "yes"]
    assert ratings.attrs["layout"] == "long"


def test_values_are_those_stored_and_labels_are_named(tmp_path: Path) -> None:
    labels = {"ann": {1: "no", 2: "yes"}}
    ratings = read(spss(tmp_path, variable_value_labels=labels), item="nr", annotators="ann,bob")
    assert ratings.label.values.tolist() == [1, 2]
    assert "values of 'ann' as stored, without their labels" in str(ratings.attrs)


def test_what_is_declared_missing_is_missing_and_counted(tmp_path: Path) -> None:
    columns = {
        "nr": [1, 2, 3, 4, 5],
        "ann": [1, 9, 2, 97.5, np.nan],
        "bob": [1, 2, 2, 9, 1],
        "other": [9, 9, 9, 9, 9],
    }
    declared = {"ann": [9, {"lo": 97, "hi": 99}], "bob": [8], "other": [9]}
    path = spss(tmp_path, columns, missing_ranges=declared)
    ratings = read(path, item="nr", annotators="ann,bob")
    assert ratings.label.values.tolist() == [1, 2, 9]
    assert ratings.primary.values.tolist() == [[0, 0], [-1, 1], [1, 1], [-1, 2], [-1, 0]]
    # not what is empty, what is declared and not there, and columns that are not read
    said = "declared missing in the file: 2 cells of 'ann' ('9', '97.5')"
    assert ratings.attrs["read_as"].endswith(said)


def test_declared_texts_of_several_files_are_counted_together(tmp_path: Path) -> None:
    columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": [*"ababab"], "label": [*"y??nyn"]}
    path = spss(tmp_path, columns, missing_ranges={"label": ["?"]})
    columns["item"] = [4, 4, 5, 5, 6, 6]
    (tmp_path / "more").mkdir()
    more = spss(tmp_path / "more", columns, missing_ranges={"label": ["?"]})
    ratings = read([path, more])
    assert "declared missing in the file: 4 cells of 'label' ('?')" in ratings.attrs["read_as"]


def test_durations_are_seconds_and_dates_dates(tmp_path: Path) -> None:
    """A day and a half is no noon; a date beyond all calendars leaves its column as it is."""
    data = pd.DataFrame(
        {"item": [1.0, 2.0], "span": [43_200.0, 129_600.0], "day": [13_000_000_000.0, np.nan],
         "far": [1e15, 0.0]}
    )  # fmt: skip
    path = tmp_path / "times.sav"
    formats = {"span": "TIME11.2", "day": "DATE11", "far": "DATETIME20"}
    pyreadstat.write_sav(data, path, variable_format=formats)
    columns = packages._stored(Source(path)).columns.to_pandas()
    assert columns.span.tolist() == [43_200, 129_600]
    assert str(columns.day[0]) == "1994-09-26 23:06:40"  # 780,620,800 seconds since 1970
    assert columns.day.isna().tolist() == [False, True]
    assert columns.far.tolist() == [1e15, 0]


def test_endless_numbers_are_no_whole_ones(tmp_path: Path) -> None:
    columns = {"nr": [1, 2], "ann": [1.0, np.inf], "bob": [1, 2]}
    with pytest.raises(IaaError, match="inf"):
        read(spss(tmp_path, columns), item="nr", annotators="ann,bob")


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Of some the process that reads them dies."""
    path = spss(tmp_path)
    mutants.check_table(path, item="nr", annotators="ann,bob")
    data = path.read_bytes()
    path.write_bytes(data[:300])
    with pytest.raises(IaaError, match="cannot be read as a file of SPSS"):
        read(path)


def test_without_the_reader_the_way_out_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = spss(tmp_path)
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(IaaError, match=r"pip install 'iaa_jax\[stats\]'"):
        read(path)
