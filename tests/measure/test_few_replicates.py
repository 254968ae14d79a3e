"""Intervals from too few replicates are refused: a tail must hold at least one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError

ROWS = [["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9
WIDE = iaa.from_wide(ROWS).assign_coords(week=("item", [k % 5 for k in range(25)]))
SETS = iaa.from_sets([[set("ab"[: 1 + k % 2]), set("ab"[: 1 + k % 3 % 2])] for k in range(20)])
DOUBLES = iaa.from_long(
    {
        "item": [k // 2 for k in range(24)],
        "annotator": ["x", "y"] * 12,
        "label": ["abbc"[k % 4] for k in range(24)],
        "secondary": ["bac"[k % 3] if k % 3 == 0 and "abbc"[k % 4] != "bac"[k % 3] else None
                      for k in range(24)],
    },
    secondary="secondary",
)  # fmt: skip

PLACES: dict[str, Callable[..., Any]] = {
    "agreement": lambda **o: iaa.agreement(WIDE, "cohen_kappa", **o),
    "a coefficient": lambda **o: iaa.cohen_kappa(WIDE, **o),
    "labels": lambda **o: iaa.labels(WIDE, **o),
    "annotators": lambda **o: iaa.annotators(WIDE, **o),
    "agreement_by": lambda **o: iaa.agreement_by(WIDE, "week", "cohen_kappa", **o),
    "per_label": lambda **o: iaa.per_label(SETS, **o),
    "label_sets": lambda **o: iaa.label_sets(SETS, **o),
    "am_agreement": lambda **o: iaa.am_agreement(SETS, **o),
    "sweep": lambda **o: iaa.sweep(DOUBLES, p=[0.5, 1.0], **o),
    "compare": lambda **o: iaa.compare(WIDE, WIDE, "cohen_kappa", permutations=0, **o),
    "drift": lambda **o: iaa.drift(WIDE, "week", "cohen_kappa", permutations=0, **o),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("replicates", [1, 39])
def test_too_few_are_refused(place: str, replicates: int) -> None:
    noun = "replicate is" if replicates == 1 else "replicates are"
    what = "a band" if place in ("sweep", "drift") else "an interval"
    with pytest.raises(IaaError) as caught:
        PLACES[place](replicates=replicates)
    assert str(caught.value).startswith(
        f"{replicates} {noun} too few for {what} of 95 %: at least one must lie beyond each end "
        "(2.5 % of them); give 40 or more (2,000 is usual)"
    )


@pytest.mark.parametrize(
    ("confidence", "least"),
    [(0.5, 4), (0.8, 10), (0.9, 20), (0.95, 40), (0.99, 200), (0.999, 2000)],
)
@pytest.mark.parametrize("method", ["auto", "percentile", "basic", "bca", "studentized"])
def test_the_least_number(confidence: float, least: int, method: str) -> None:
    def end(replicates: int) -> float:
        found = iaa.cohen_kappa(
            WIDE, interval=method, confidence=confidence, replicates=replicates, seed=1
        )
        return float(found.ci_low)

    with pytest.raises(IaaError, match=f"; give {least:,} or more"):
        end(least - 1)
    # a studentized interval may have no end for reasons of its own
    assert method == "studentized" or end(least) <= float(
        iaa.cohen_kappa(WIDE, interval=None).estimate
    )


@pytest.mark.parametrize("interval", [None, "normal", "t", "abc", "auto"])
def test_intervals_without_replicates_take_any_number(interval: str | None) -> None:
    sampling = iaa.Sampling(cluster="week") if interval == "auto" else None
    found = iaa.cohen_kappa(WIDE, interval=interval, sampling=sampling, replicates=1)
    assert np.isfinite(found.ci_low) == (interval is not None)


@pytest.mark.parametrize("place", ["sweep", "drift"])
def test_bands_need_replicates_for_every_interval(place: str) -> None:
    with pytest.raises(IaaError, match="39 replicates are too few for a band of 95 %"):
        PLACES[place](replicates=39, interval="normal")
    PLACES[place](replicates=1, interval=None)


def test_replicates_alone_may_be_few_but_make_no_interval() -> None:
    drawn = iaa.bootstrap(WIDE, "cohen_kappa", replicates=30)
    assert drawn.sizes["replicate"] == 30
    with pytest.raises(IaaError, match="30 replicates are too few for an interval of 95 %"):
        iaa.bootstrap.intervals(drawn, "percentile")
    assert np.isfinite(iaa.bootstrap.intervals(drawn, "percentile", confidence=0.9).ci_low)
    assert np.isfinite(iaa.bootstrap.intervals(drawn, "normal").ci_low)


def test_few_replicates_that_are_defined() -> None:
    drawn = iaa.bootstrap(WIDE, "cohen_kappa", replicates=100)
    drawn["replicates"] = drawn["replicates"].where(np.arange(100) < 39)
    found = iaa.bootstrap.intervals(drawn, "percentile")
    assert np.isnan(found.ci_low)
    assert np.isnan(found.ci_high)
    assert found.withheld.item() == (
        "39 of 100 resamples are defined, too few for an interval of 95 %, which needs 40"
    )


def test_the_needed_items_of_a_plan() -> None:
    with pytest.raises(IaaError, match="39 replicates are too few for an interval of 95 %"):
        iaa.plan(WIDE, "cohen_kappa", replicates=39, simulations=0)
    iaa.plan(WIDE, "cohen_kappa", replicates=0, simulations=0)


def test_in_words_need_replicates() -> None:
    with pytest.raises(IaaError, match="19 replicates are too few for a certainty of 95 %"):
        iaa.in_words(iaa.bootstrap(WIDE, "cohen_kappa", replicates=19), method="replicates")
    drawn = iaa.bootstrap(WIDE, "cohen_kappa", replicates=20)
    found: xr.Dataset = iaa.in_words(drawn, method="replicates")
    assert "probability" in found
