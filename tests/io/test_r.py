"""Data frames of R: factors by their levels, names of rows, and damaged files refused."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
from iaa_jax.io.table import package_reader, packages
from tests.io.tools import mutants

rdata = pytest.importorskip("rdata")

RATINGS = {"nr": [1, 2, 3, 4], "ann": [1.0, 2, 2, np.nan], "bob": [1, 2, 1, 2]}


def rds(folder: Path, data: Any = None, **options: Any) -> Path:
    path = folder / "data.rds"
    rdata.write_rds(path, pd.DataFrame(RATINGS) if data is None else data, **options)
    return path


@pytest.mark.parametrize("file_format", ["xdr", "ascii"])
def test_a_wide_data_frame(file_format: str, tmp_path: Path) -> None:
    ratings = read(rds(tmp_path, file_format=file_format), item="nr", annotators="ann,bob")
    assert ratings.item.values.tolist() == [1, 2, 3, 4]
    assert ratings.primary.values.tolist() == [[0, 0], [1, 1], [1, 0], [-1, 1]]
    # of the three cases with two ratings: 2 of 6 pairs differ, of 30 by chance 18
    found = krippendorff_alpha(ratings, interval=None).estimate
    assert float(found) == pytest.approx(1 - (2 / 6) / (18 / 30))


def test_factors_are_their_levels_and_rows_have_names(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"ann": pd.Categorical(["no", "yes", None]), "bob": pd.Categorical(["no", "no", "yes"])},
        index=pd.Index(["d1", "d2", "d3"], dtype=object),
    )
    path = rds(tmp_path, frame)
    ratings = read(path, item="row.names", annotators="ann,bob")
    # R itself writes the smallest number where nothing is known, this writer 0
    plain = gzip.decompress(path.read_bytes())
    codes = np.array([1, 2, 0], dtype=">i4").tobytes()
    assert plain.count(codes) == 1
    of_r = np.array([1, 2, np.iinfo(np.int32).min], dtype=">i4").tobytes()
    path.write_bytes(gzip.compress(plain.replace(codes, of_r)))
    again = read(path, item="row.names", annotators="ann,bob")
    assert again.primary.equals(ratings.primary)
    assert ratings.item.values.tolist() == ["d1", "d2", "d3"]
    assert ratings.label.values.tolist() == ["no", "yes"]
    assert ratings.primary.values.tolist() == [[0, 0], [1, 0], [-1, 1]]


def test_days_and_times_are_times(tmp_path: Path) -> None:
    """As R stores them: numbers of days, or seconds, and the class of the column."""
    days = package_reader._times(np.array([0.0, 19_000.5, np.nan]), {}, seconds=86_400)
    assert days.astype("datetime64[h]").astype(str).tolist() == [
        "1970-01-01T00", "2022-01-08T12", "NaT",
    ]  # fmt: skip
    seconds = np.ma.array([1.5, 2.0], mask=[False, True])
    times = package_reader._times(seconds, {}, seconds=1)
    assert times.astype(str).tolist() == ["1970-01-01T00:00:01.500000", "NaT"]


def test_what_is_no_data_frame_is_said_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Any] = []
    run = packages.subprocess.run
    monkeypatch.setattr(
        packages.subprocess, "run", lambda *a, **k: (begun.append(a), run(*a, **k))[1]
    )
    with pytest.raises(IaaError, match=r"it holds no data frame: saveRDS"):
        read(rds(tmp_path, np.arange(4)))
    assert len(begun) == 1  # and not once for each reader that looks at the file


def test_a_matrix_of_days_is_no_data_frame_either() -> None:
    days = np.ma.array([[0.0, 1.0], [2.0, 3.0]], mask=False)
    assert package_reader._times(days, {}, seconds=86_400).shape == (2, 2)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = rds(tmp_path)
    mutants.check_table(path, item="nr", annotators="ann,bob")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(IaaError):
        read(path)


def test_without_the_reader_the_way_out_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = rds(tmp_path)
    monkeypatch.setitem(sys.modules, "rdata", None)
    with pytest.raises(IaaError, match=r"pip install 'iaa_jax\[stats\]', or write it as CSV"):
        read(path)
