"""Files of no one tool: published tables and the usual layouts, each read with its known values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

from iaa_jax import cohen_kappa, krippendorff_alpha, read

SAMPLES = Path(__file__).parent / "samples" / "universal"


def ratings_of(name: str, **options: Any) -> xr.Dataset:
    return read(SAMPLES / name, **options)


@pytest.mark.parametrize(
    ("name", "sizes", "level", "alpha"),
    [
        ("gwet_12x4", (12, 4, 5), "nominal", 0.7434),
        ("gwet_12x4", (12, 4, 5), "ordinal", 0.8154),
        ("gwet_12x4", (12, 4, 5), "interval", 0.8491),
        ("hayes_krippendorff_40x5", (40, 5, 4), "nominal", 0.4765),
        ("hayes_krippendorff_40x5", (40, 5, 4), "ordinal", 0.7598),
        ("hayes_krippendorff_40x5", (40, 5, 4), "interval", 0.7574),
    ],
)
def test_published_wide_tables(
    name: str, sizes: tuple[int, int, int], level: str, alpha: float
) -> None:
    ratings = ratings_of(f"real_wide_{name}.tsv")
    assert tuple(ratings.sizes[dim] for dim in ("item", "annotator", "label")) == sizes
    assert ratings.attrs["layout"] == "wide"
    found = krippendorff_alpha(ratings, level=level, interval=None)
    assert float(found.estimate) == pytest.approx(alpha, abs=5e-5)


def test_contingency_table() -> None:
    ratings = ratings_of("synthetic_contingency_2_raters.csv", format="contingency")
    kappa = cohen_kappa(ratings, interval=None)
    table = np.array([[11, 3, 0], [2, 14, 4], [1, 2, 9]]) / 46
    observed, expected = np.trace(table), table.sum(1) @ table.sum(0)
    assert float(kappa.observed) == pytest.approx(observed)
    assert float(kappa.estimate) == pytest.approx((observed - expected) / (1 - expected))


def test_counts() -> None:
    ratings = ratings_of("synthetic_counts_items_by_category.csv", counts="a,b,c")
    assert ratings.label.values.tolist() == ["a", "b", "c"]
    given = (ratings.primary >= 0).sum("annotator")
    assert given.values.tolist() == [4, 4, 4, 3, 1, 4]


def test_long_tables() -> None:
    ratings = ratings_of("synthetic_long.parquet")
    assert ratings.primary.values.tolist() == [[0, 0], [1, 0], [-1, 1]]
    first = ratings_of("synthetic_long_ratings.csv", duplicates="first")
    assert first.label.values.tolist() == ["irrelevant", "partly", "relevant"]
    assert first.primary.values.tolist() == [[2, 2, 1], [0, 0, -1], [1, 2, -1], [2, -1, 2]]
    assert first.attrs["skipped"] == "1 repeated rating (kept the first in the order of the file)"
    last = ratings_of("synthetic_long_ratings.csv", duplicates="last", label="score")
    assert last.label.values.tolist() == [0, 2, 3]
    assert last.primary.values.tolist() == [[2, 1, 1], [0, 0, -1], [1, 2, -1], [2, -1, 2]]


def test_several_labels_in_a_cell() -> None:
    ratings = ratings_of("synthetic_long_multilabel.csv", label="codes", separator="|")
    assert ratings.label.values.tolist() == ["access", "cost", "quality"]
    assert ratings.mass.values[0].tolist() == [[0, 1, 1], [0, 0, 1]]
    assert ratings.mass.values[2].tolist() == [[1, 0, 0], [1, 1, 0]]


def test_primary_and_secondary_labels() -> None:
    name = "synthetic_long_primary_secondary.csv"
    ratings = ratings_of(name, label="primary", secondary="secondary")
    assert ratings.primary.values.tolist() == [[0, 1], [1, 1], [2, 2]]
    assert ratings.secondary.values.tolist() == [[1, 0], [-1, 0], [-1, -1]]


def test_wide_table_of_labels() -> None:
    ratings = ratings_of("synthetic_wide_labels.csv", item="id", annotators="ann_*")
    assert ratings.label.values.tolist() == ["info", "other", "req"]
    assert ratings.primary.values.tolist() == [
        [2, 2, 2],
        [0, 1, -1],
        [1, 1, 1],
        [0, 0, 2],
        [-1, -1, 1],
    ]


def test_a_column_for_each_label() -> None:
    ratings = ratings_of(
        "synthetic_hf_one_row_per_rating_onehot.csv",
        item="id",
        annotator="rater_id",
        multi_hot="admiration,anger,joy,neutral",
    )
    assert ratings.mass.values[0, :2].tolist() == [[1, 0, 1, 0], [1, 0, 0, 0]]
    assert ratings.mass.values[2, 1:].tolist() == [[0, 1, 0, 0], [0, 1, 0, 0]]
