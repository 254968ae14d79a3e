"""Data sets of Stata: values as stored, whole numbers as such, and damaged files refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
from tests.io.tools import mutants

RATINGS = {"nr": [1, 2, 3, 4], "ann": [1.0, 2, 2, np.nan], "bob": [1, 2, 1, 2]}


def stata(folder: Path, columns: dict[str, object] | None = None, **options: object) -> Path:
    path = folder / "data.dta"
    frame = pd.DataFrame(RATINGS if columns is None else columns)
    frame.to_stata(path, write_index=False, **options)  # type: ignore[arg-type]
    return path


def test_a_wide_data_set(tmp_path: Path) -> None:
    ratings = read(stata(tmp_path), item="nr", annotators="ann,bob")
    assert ratings.item.values.tolist() == [1, 2, 3, 4]
    assert ratings.label.values.tolist() == [1, 2]
    assert ratings.primary.values.tolist() == [[0, 0], [1, 1], [1, 0], [-1, 1]]
    # of the three cases with two ratings: 2 of 6 pairs differ, of 30 by chance 18
    found = krippendorff_alpha(ratings, interval=None).estimate
    assert float(found) == pytest.approx(1 - (2 / 6) / (18 / 30))


@pytest.mark.parametrize("version", [114, 118])
def test_texts_and_versions(tmp_path: Path, version: int) -> None:
    columns = {"item": [1, 1], "annotator": ["ann", "bob"], "label": ["yes", "no"]}
    ratings = read(stata(tmp_path, columns, version=version))
    assert ratings.label.values.tolist() == ["no", "yes"]
    assert ratings.attrs["layout"] == "long"


def test_values_are_those_stored_and_labels_are_named(tmp_path: Path) -> None:
    labels = {"ann": {1: "no", 2: "yes"}}
    ratings = read(stata(tmp_path, value_labels=labels), item="nr", annotators="ann,bob")
    assert ratings.label.values.tolist() == [1, 2]
    assert "values of 'ann' as stored, without their labels" in str(ratings.attrs)


def test_short_floats_are_as_written(tmp_path: Path) -> None:
    columns = {"nr": [1, 2], "ann": np.float32([0.1, 2.5]), "bob": [0.1, 2.5]}
    ratings = read(stata(tmp_path, columns), item="nr", annotators="ann,bob")
    assert ratings.label.values.tolist() == [0.1, 2.5]


def test_kinds_of_missing_are_counted(tmp_path: Path) -> None:
    """Stata has 27: "." says nothing, and ".a" to ".z" are what somebody made of them."""
    columns = {"nr": [1, 2, 3, 4], "ann": [1.0, 2.0, 4.0, np.nan], "bob": np.int8([1, 2, 2, 100])}
    path = stata(tmp_path, columns, version=114)
    data = path.read_bytes()
    # as doubles, little end first: 4, and .a
    four, a = np.array([4.0], "<f8").tobytes(), np.array([0x7FE0010000000000], "<u8").tobytes()
    assert data.count(four) == 1
    assert data.count(b"\x64") == 1  # 100; 103 is .b of a byte
    path.write_bytes(data.replace(four, a).replace(b"\x64", b"\x67"))
    ratings = read(path, item="nr", annotators="ann,bob")
    assert ratings.primary.values.tolist() == [[0, 0], [1, 1], [-1, 1], [-1, -1]]
    said = "declared missing in the file: 1 cell of 'ann' ('.a'), 1 cell of 'bob' ('.b')"
    assert ratings.attrs["read_as"].endswith(said)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    data = stata(tmp_path).read_bytes()
    path = tmp_path / "damaged.dta"
    for mutant in mutants.byte_mutants(data, 120):
        path.write_bytes(mutant)
        mutants.check([path])
        with suppress(IaaError):
            read(path, item="nr", annotators="ann,bob")
    path.write_bytes(data[:300])
    with pytest.raises(IaaError, match="cannot be read as a file of Stata"):
        read(path)
