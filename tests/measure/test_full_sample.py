"""Studies in one report measure a coefficient once, and never reuse another's figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG, Measure
from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure.intervals.measurement import Measurement
from iaa_jax.measure.intervals.uncertainty import measure_requests
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.shared import full_sample
from tests.overview.ratings import second, sets, single, spans


def numbered() -> xr.Dataset:
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 5, 60)
    ratings = truth[:, None] + rng.integers(0, 2, (60, 3))
    return iaa.from_wide(ratings, labels=[1, 2, 3, 4, 5]).assign_coords(
        batch=("item", np.arange(60) // 6)
    )


ASKED: list[dict[str, Any]] = [
    {},
    {"level": "ordinal"},
    {"level": "interval"},
    {"level": "ratio"},
    {"weights": "linear"},
    {"weights": "quadratic"},
    {"weights": np.eye(5) + 0.5 * np.eye(5, k=1) + 0.5 * np.eye(5, k=-1)},
    {"confidence": 0.9},
    {"interval": "percentile"},
    {"interval": "percentile", "seed": 1},
    {"interval": "percentile", "replicates": 500},
    {"interval": iaa.Interval("t", standard_error="jackknife")},
    {"interval": None},
    {"sampling": iaa.Sampling(cluster="batch")},
    {"sampling": iaa.Sampling(annotators="random")},
    {"sampling": iaa.Sampling(population=100)},
    {"dtype": "float32"},
]


def test_figures_measured_with_other_options_are_not_reused() -> None:
    ratings = numbered()
    alone = [iaa.krippendorff_alpha(ratings, **how) for how in ASKED]
    opened = Rated.of(ratings)
    together = [iaa.krippendorff_alpha(opened, **how) for how in ASKED]
    for one, other in zip(alone, together, strict=True):
        xr.testing.assert_identical(one, other)


VARIED = [
    (row.name, {option: choice})
    for row in CATALOG.values()
    if not row.measure.compares and not row.measure.takes_values and row.measure.annotators is None
    for option, choices in row.variants.items()
    for choice in choices
]


def test_variants_are_measured_separately() -> None:
    ratings = numbered()
    opened = Rated.of(ratings)
    together = [getattr(iaa, name)(opened, **how) for name, how in VARIED]
    for result, (name, how) in zip(together, VARIED, strict=True):
        xr.testing.assert_identical(getattr(iaa, name)(ratings, **how), result)


def test_each_p_is_measured_separately() -> None:
    opened = Rated.of(second())
    figures = [iaa.krippendorff_alpha(opened, p=p) for p in (0.6, 1.0)]
    assert figures[0].estimate != figures[1].estimate


def test_a_report_measures_each_coefficient_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[tuple[str, str, Measure]] = []

    def counting(
        requests: Sequence[Request],
        options: IntervalOptions,
        pairable: float,
        progress: object = None,
        resampling: Resampling | None = None,
    ) -> list[Measurement]:
        measured.extend((each.name, each.used, each.problem.measure) for each in requests)
        return measure_requests(requests, options, pairable, None, resampling)

    monkeypatch.setattr(full_sample, "measure_requests", counting)
    for ratings, by in ((single(), "batch"), (spans(), None), (sets(), None)):
        iaa.report(ratings, by=by)
        assert len(measured) == len({*measured}) > 2
        measured.clear()
