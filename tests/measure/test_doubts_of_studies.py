"""Studies doubt each figure as `iaa_jax.agreement` does."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa
from tests.analyses.doubles.made import ratings_of
from tests.noted import notes_of


def sets_that_are_never_equal(items: int) -> xr.Dataset:
    """Of six labels each annotator gives three, of which one or two are the same."""
    stream = np.random.default_rng(1)
    drawn = [stream.permutation(list("abcdef")) for _ in range(items)]
    start = stream.integers(1, 3, items)
    rows = zip(drawn, start.tolist(), strict=True)
    return iaa.from_sets([[list(row[:3]), list(row[first : first + 3])] for row, first in rows])


def neighbours(items: int, commonest: float) -> xr.Dataset:
    """Two annotators never give the same number, and never numbers far apart."""
    stream = np.random.default_rng(2)
    lower = np.where(stream.random(items) < commonest, 1, stream.integers(1, 7, items))
    return ratings_of(
        [[(str(low), str(low + 1)), (str(low + 1), None)] for low in lower.tolist()], "1234567"
    )


def test_label_sets_are_doubted_one_figure_at_a_time() -> None:
    never = sets_that_are_never_equal(60)
    assert not notes_of(iaa.label_sets(never, replicates=100), "no_telling_item")
    found = iaa.label_sets(never, interval="bca", replicates=100)
    (note,) = notes_of(found, "no_telling_item")
    assert note.about == ("am_agreement",)
    assert not notes_of(found, "few_carriers")


def test_a_weighted_curve_is_in_doubt_if_few_items_make_its_spread() -> None:
    how = {"p": [0.5, 1.0], "weights": "quadratic", "replicates": 100}
    even = iaa.sweep(neighbours(60, 0), "krippendorff_alpha", **how)
    assert not notes_of(even, "no_telling_item") + notes_of(even, "few_carriers")
    rare = iaa.sweep(neighbours(60, 0.97), "krippendorff_alpha", **how)
    (note,) = notes_of(rare, "few_carriers")
    assert note.about == ("krippendorff_alpha",)
    nominal = iaa.sweep(neighbours(60, 0), "krippendorff_alpha", p=[1.0], replicates=100)
    assert notes_of(nominal, "no_telling_item")


def test_a_curve_without_an_interval_is_not_doubted() -> None:
    one_pair = ratings_of([[("a", "b"), ("a", None)], [("b", None), None]], "ab")
    found = iaa.sweep(one_pair, "krippendorff_alpha", p=[0.5, 1.0], replicates=100)
    assert np.isnan(found.ci_low).all()
    assert "intervals are" not in str(iaa.page(found))
