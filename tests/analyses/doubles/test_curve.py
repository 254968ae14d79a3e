"""The picture of a sweep: what is written on it, and where its axis ends."""

from __future__ import annotations

import pytest

import iaa_jax
from iaa_jax.analyses.doubles.curve import _highest, curve_picture
from tests.analyses.doubles.made import made_rows, ratings_of


def test_the_source_stands_below_the_title_as_it_is() -> None:
    pytest.importorskip("matplotlib")
    curve = iaa_jax.sweep(ratings_of(made_rows(20, 3, 4, seed=3), "abcd"), p=5, replicates=50)
    text = curve_picture(curve, "Augmented kappa", ".svg", "d$a$.csv, column label").decode()
    assert "d$a$.csv, column label" in text
    assert f"{float(curve['maximum']):.3f} at p = " in text


@pytest.mark.parametrize("scale", [0.1, 0.5, 1.0, 3.0])
def test_the_axis_ends_above_what_is_drawn_and_not_beyond_1_05(scale: float) -> None:
    curve = iaa_jax.sweep(ratings_of(made_rows(20, 3, 4, seed=3), "abcd"), p=5, replicates=50)
    names = ("estimate", "ci_high", "band_high", "estimate_at_ceiling")
    scaled = curve.assign({name: curve[name] * scale for name in names})
    top = max(float(scaled[name].max()) for name in names)
    assert _highest(scaled) <= 1.05
    assert _highest(scaled) > min(top, 1.04)
