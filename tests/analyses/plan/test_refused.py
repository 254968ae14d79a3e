"""What a plan refuses, and pilots that tell nothing."""

from __future__ import annotations

from typing import Any

import pytest

import iaa_jax as iaa
from tests.analyses.plan.pilots import ratings

FAST: dict[str, Any] = {"simulations": 0, "replicates": 0}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"half_width": 0}, "half_width must be above 0"),
    ({"half_width": float("nan")}, "half_width must be above 0"),
    ({"power": 0.8}, "for ruling out a value: give null= as well"),
    ({"null": 0.3, "power": 1.0}, "power must lie between 0 and 1"),
    ({"null": 0.3, "power": 0.01}, "chance alone"),
    ({"null": 1.0}, "below 1"),
    ({"items": [1, 100]}, "items takes whole numbers from 2 to 1,000,000,000,000"),
    ({"items": []}, "items takes whole numbers"),
    ({"per_item": [2.5]}, "per_item takes whole numbers"),
    ({"sampling": iaa.Sampling(population=29)}, "smaller than the 30 rated items"),
    ({"sampling": iaa.Sampling(bayesian=True)}, "nobody has given yet"),
    ({"sampling": iaa.Sampling(cluster="document")}, "not a coordinate along items"),
    ({"sampling": iaa.Sampling(annotators="random"), "looks": 3}, "say annotators='fixed'"),
    ({"cost_item": -1}, "costs"),
    ({"cost_rating": 0}, "costs"),
    ({"simulations": -1}, "simulations must be a whole number"),
    ({"replicates": 2.5}, "replicates must be a whole number"),
    ({"confidence": 2}, "confidence"),
    ({"seed": -1}, "seed"),
    ({"looks": 0}, "looks are a whole number"),
    ({"coefficient": "cohens_kapa"}, "cohens_kapa"),
    ({"coefficient": "specific_agreement"}, "one estimate per label"),
]


def test_what_is_refused() -> None:
    pilot = ratings(30, 3, 24)
    for options, message in REFUSED:
        with pytest.raises(iaa.IaaError, match=message):
            iaa.plan(pilot, **{**FAST, **options})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "a"], ["b", "b"], ["a", "a"]], "Krippendorff's alpha is 1.000"),
        ([["a", "a"], ["a", "a"]], "undefined"),
        ([["a", "b"], ["a", None], ["b", None]], "fewer than two items"),
    ],
)
def test_pilots_that_tell_nothing(rows: list[list[str | None]], message: str) -> None:
    with pytest.raises(iaa.IaaError, match=message):
        iaa.plan(iaa.from_wide(rows), **FAST)


@pytest.mark.parametrize("name", ["cohen_kappa", None])
def test_two_annotators_do_not_show_how_annotators_differ(name: str | None) -> None:
    with pytest.raises(iaa.IaaError, match="say annotators='fixed'"):
        iaa.plan(ratings(30, 2, 24), name, sampling=iaa.Sampling(annotators="random"), **FAST)
