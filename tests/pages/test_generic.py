"""Pages of results that need no words of their own."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.pages.generic import generic_page


def test_figures_along_two_axes() -> None:
    ratings = iaa.from_wide([["a", "a"]] * 9 + [["a", "b"]] * 4 + [["b", "b"]] * 7)
    drawn = iaa.bootstrap(ratings, ["scott_pi", "gwet_ac1"], replicates=50)
    result = iaa.bootstrap.probability_above(drawn, [0.1, 0.3, 0.9])
    (table,) = (table for table in iaa.page(result).tables if table.id == "probability")
    assert table.columns[0].values.tolist() == [0.1, 0.3, 0.9]
    figures = np.column_stack([column.values for column in table.columns[1:]])
    np.testing.assert_array_equal(figures, result.probability.values)
    assert "gwet_ac1" in str(iaa.page(result))


def test_what_has_no_room_is_named() -> None:
    far = xr.Dataset({"far_figures": (("x", "y"), np.zeros((30, 30)))}, attrs={"made_by": "made"})
    assert "Only in the result: far figures." in str(generic_page(far, {}))
