"""Ratings and pieces of studies that the tests of drift share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.shared.times import times_of
from tests.analyses.made import LABELS, wide
from tests.oracles import alpha, drift as oracle, fleiss, pairwise, percent
from tests.oracles.ratings import single_labels

FAST: dict[str, Any] = {"replicates": 100, "permutations": 99}
FIGURES = ("estimate", "standard_error", "ci_low", "ci_high", "band_low", "effective_items")


def with_times(rows: list[list[Any]], times: Any, form: Any = wide) -> xr.Dataset:
    return form(rows).assign_coords(time=("item", times))


def made(items: int, seed: int, quality: Any, annotators: int = 3) -> list[list[str]]:
    """Labels around a truth; ``quality`` is the chance of seeing it, of each item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    seen = rng.random((items, annotators)) < np.broadcast_to(quality, items)[:, None]
    codes = np.where(seen, truth[:, None], rng.integers(0, 3, (items, annotators)))
    return [[LABELS[code] for code in row] for row in codes]


def figure_of(rows: list[list[Any]], name: str) -> oracle.Figure:
    cells = single_labels(rows)
    modules = {
        "conger_kappa": pairwise,
        "krippendorff_alpha": alpha,
        "fleiss_kappa": fleiss,
        "percent_agreement": percent,
    }
    function = getattr(modules[name], name)

    def figure(weights: Sequence[float]) -> float:
        return function(cells, labels=LABELS, item_weight=weights).estimate

    return figure


def course_of(ratings: xr.Dataset, name: str, points: int = 5) -> DriftSetup:
    """The pieces of a study, for looking inside."""
    resolver = Resolver(Rated.of(ratings))
    times = times_of(Rated.of(ratings), "time")
    return DriftSetup.of(
        resolver, one_coefficient(resolver, name), times, IntervalOptions(), points, bandwidth=None
    )
