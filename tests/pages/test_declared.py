"""Columns of declared figures."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording.figures import ENDS, Figure

FIGURES = (
    Figure("share", "of all", "share", "Share", beside=ENDS),
    Figure("kappa", "of the two", heading="Kappa", beside=ENDS, decimals=2),
    Figure("count", "of all", "count", "Ratings"),
)


@pytest.fixture
def columns() -> FigureColumns:
    values = {
        "share": [0.25, 0.75],
        "share_ci_low": [0.2, np.nan],
        "share_ci_high": [0.3, np.nan],
        "kappa": [0.5, 0.6],
        "kappa_ci_low": [np.nan, np.nan],
        "kappa_ci_high": [np.nan, np.nan],
        "ci_low": [0.5, 0.5],
        "ci_high": [0.5004, 0.51],
        "count": [1, 3],
    }
    rows = {name: ("label", np.array(each)) for name, each in values.items()}
    return FigureColumns(FIGURES, xr.Dataset(rows, attrs={"confidence": 0.95}))


def test_a_column_has_what_is_declared_but_where_the_page_says_otherwise(
    columns: FigureColumns,
) -> None:
    kappa = columns("kappa", spare=3)
    assert (kappa.heading, kappa.kind, kappa.decimals, kappa.spare) == ("Kappa", "estimate", 2, 3)
    other = columns("kappa", heading="Of two", decimals=4)
    assert (other.key, other.heading, other.decimals) == ("kappa", "Of two", 4)
    assert columns("count").values.tolist() == [1, 3]


def test_an_interval_is_of_the_kind_of_its_figure_and_left_out_where_no_row_has_one(
    columns: FigureColumns,
) -> None:
    (of_share,) = columns.ends("share")
    assert (of_share.key, of_share.kind) == ("share_ci", "share_interval")
    assert of_share.values[0].tolist() == [0.2, 0.3]
    assert [*columns.ends("kappa")] == []


def test_decimals_of_an_interval_are_by_its_width_unless_they_are_given(
    columns: FigureColumns,
) -> None:
    (narrow,) = columns.ends("", heading="Interval")
    (given,) = columns.ends("", decimals=3)
    assert (narrow.key, narrow.heading, narrow.decimals) == ("ci", "Interval", 4)
    assert (given.kind, given.decimals) == ("interval", 3)
