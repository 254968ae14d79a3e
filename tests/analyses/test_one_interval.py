"""A figure that has one name has one interval, whichever function shows it.

The figure is a coefficient of all ratings; the reference is `iaa_jax.agreement`. `EXCEPTIONS` names
what has other intervals, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.analyses.marked import marked

ALPHA = "krippendorff_alpha"
REPLICATES = 400
ITEMS = 90


class Figure(NamedTuple):
    estimate: float
    low: float
    high: float


def figure(result: xr.Dataset, name: str = "estimate", ends: str = "") -> Figure:
    prefix = ends or ("" if name == "estimate" else f"{name}_")
    values = (result[name], result[f"{prefix}ci_low"], result[f"{prefix}ci_high"])
    return Figure(*(float(value.item()) for value in values))


def labels_with_gaps() -> xr.Dataset:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, ITEMS)
    seen = rng.random((ITEMS, 4)) < 0.75
    codes = np.where(seen, truth[:, None], rng.integers(0, 3, (ITEMS, 4)))
    cells = np.array(list("xyz"), dtype=object)[codes]
    cells[rng.random(cells.shape) < 0.2] = None
    return _with_columns(iaa.from_wide(cells.tolist()))


def numbers() -> xr.Dataset:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(ITEMS, 1)) + 0.6 * rng.normal(size=(ITEMS, 4))
    return _with_columns(iaa.from_values(values.round(1)))


def _with_columns(ratings: xr.Dataset) -> xr.Dataset:
    return ratings.assign_coords(
        batch=("item", np.repeat(["b1", "b2", "b3"], ITEMS // 3)),
        day=("item", np.arange(float(ITEMS))),
        one=("item", ["all"] * ITEMS),
        chance=("item", np.full(ITEMS, 0.5)),
        document=("item", np.arange(ITEMS) // 3),
    )


DATA = {"labels": labels_with_gaps, "numbers": numbers}
USUAL: dict[str, Any] = {"replicates": REPLICATES}

ROUTES: dict[str, Callable[[xr.Dataset, dict[str, Any]], Figure]] = {
    "agreement of several": lambda r, how: figure(iaa.agreement(r, **how).sel(coefficient=ALPHA)),
    "krippendorff_alpha": lambda r, how: figure(iaa.krippendorff_alpha(r, **how)),
    "agreement_by": lambda r, how: figure(iaa.agreement_by(r, "one", ALPHA, **how)),
    "in_words": lambda r, how: figure(iaa.in_words(iaa.agreement(r, [ALPHA], **how))),
    "drift by batch": lambda r, how: figure(
        iaa.drift(r, "batch", permutations=0, **how), "overall"
    ),
    "drift by day": lambda r, how: figure(iaa.drift(r, "day", permutations=0, **how), "overall"),
}
OF_LABELS = {
    "prodigy": lambda r, how: figure(iaa.prodigy(r, **how).sel(coefficient=ALPHA)),
    "sharpen": lambda r, how: figure(iaa.sharpen(r, **how).sel(weighting="equal"), "agreement"),
}


@pytest.mark.parametrize("route", [*ROUTES, *OF_LABELS])
@pytest.mark.parametrize("data", DATA)
def test_one_figure_has_one_interval(data: str, route: str) -> None:
    ratings = DATA[data]()
    if data == "numbers" and route in OF_LABELS:
        return  # which take labels alone
    expected = figure(iaa.agreement(ratings, [ALPHA], **USUAL))
    found = {**ROUTES, **OF_LABELS}[route](ratings, USUAL)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert found.low < found.estimate < found.high


@pytest.mark.parametrize("data", DATA)
def test_where_replicates_are_usual(data: str) -> None:
    """Functions that do not say how many replicates there are take the usual number."""
    ratings = DATA[data]()
    expected = figure(iaa.agreement(ratings, [ALPHA], confidence=0.9))
    how: dict[str, Any] = {"confidence": 0.9}
    missing = iaa.missing(ratings, points=1, imputations=2, **how)
    weighted = iaa.missing.inverse_probability(ratings, probability="chance", **how)
    complete = iaa.missing(ratings.isel(item=[0]), **how)
    for found in (
        figure(missing, "as_rated"),
        figure(weighted, "unweighted"),
        figure(weighted),  # equal chances change nothing
    ):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert complete.attrs["conclusion"] in ("complete", "undefined")


@pytest.mark.parametrize("interval", ["percentile", "bca", "normal", "t"])
def test_also_where_it_is_chosen(interval: str) -> None:
    for data in DATA.values():
        ratings = data()
        how = {**USUAL, "interval": interval}
        expected = figure(iaa.agreement(ratings, [ALPHA], **how))
        for route in ("drift by batch", "agreement_by"):
            np.testing.assert_allclose(ROUTES[route](ratings, how), expected, rtol=0, atol=1e-12)


def test_also_over_clusters() -> None:
    how = {**USUAL, "sampling": iaa.Sampling(cluster="document")}
    for data in DATA.values():
        ratings = data()
        expected = figure(iaa.agreement(ratings, [ALPHA], **how))
        for route in ("drift by batch", "agreement_by"):
            np.testing.assert_allclose(ROUTES[route](ratings, how), expected, rtol=0, atol=1e-12)


def test_items_without_a_time_are_left_out_of_both() -> None:
    ratings = labels_with_gaps()
    day = np.where(np.arange(ITEMS) % 5, ratings["day"], np.nan)
    found = iaa.drift(ratings.assign_coords(day=("item", day)), "day", permutations=0, **USUAL)
    timed = iaa.agreement(ratings.isel(item=~np.isnan(day)), [ALPHA], **USUAL)
    np.testing.assert_allclose(figure(found, "overall"), figure(timed), rtol=0, atol=1e-12)


def test_nothing_disagrees_and_no_interval() -> None:
    same = _with_columns(iaa.from_wide([[label] * 3 for label in "xy" * (ITEMS // 2)]))
    expected = figure(iaa.agreement(same, [ALPHA], **USUAL))
    found = iaa.drift(same, "batch", permutations=0, **USUAL)
    np.testing.assert_allclose(figure(found, "overall"), expected, rtol=0, atol=1e-12)
    none = iaa.drift(same, "batch", permutations=0, interval=None)
    assert np.isnan(none.overall_ci_low)
    assert none.attrs["overall_interval"] == ""


def test_labels_one_by_one() -> None:
    ratings = labels_with_gaps()
    of_labels = iaa.labels(ratings, **USUAL)
    alone = iaa.per_label(ratings, **USUAL)
    specific = iaa.specific_agreement(ratings, **USUAL)
    for name, other in (
        ("coefficient", alone.sel(coefficient=ALPHA)),
        ("specific_agreement", alone.sel(coefficient="specific_agreement")),
        ("specific_agreement", specific),
    ):
        for part in ("ci_low", "ci_high", "standard_error"):
            np.testing.assert_allclose(of_labels[f"{name}_{part}"], other[part], rtol=0, atol=1e-12)


def test_labels_of_sets_one_by_one() -> None:
    rng = np.random.default_rng(6)
    rows = [[["xyz"[k] for k in range(3) if rng.random() < 0.5] for _ in "abc"] for _ in range(40)]
    sets = iaa.from_sets(rows)
    of_labels, alone = iaa.labels(sets, **USUAL), iaa.per_label(sets, **USUAL)
    for name, coefficient in (("coefficient", ALPHA), ("specific_agreement",) * 2):
        other = alone.sel(coefficient=coefficient)
        for part in ("ci_low", "ci_high", "standard_error"):
            np.testing.assert_allclose(of_labels[f"{name}_{part}"], other[part], rtol=0, atol=1e-12)


def test_label_sets_and_spans() -> None:
    rng = np.random.default_rng(5)
    rows = [
        [["xyz"[k] for k in range(3) if rng.random() < 0.5] for _ in range(3)] for _ in range(40)
    ]
    sets = iaa.from_sets(rows)
    of_sets = iaa.label_sets(sets, **USUAL)
    lead = str(of_sets["coefficient"].values[0])
    expected = figure(iaa.agreement(sets, [lead], **USUAL))
    found = figure(of_sets.sel(coefficient=lead))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    spans = marked(12, 1)
    for result, name in (
        (iaa.span_f1(spans, **USUAL), "span_f1"),
        (iaa.gamma(spans, **USUAL), "gamma"),
    ):
        expected = figure(iaa.agreement(spans, [name], **USUAL))
        np.testing.assert_allclose(figure(result), expected, rtol=0, atol=1e-12)


EXCEPTIONS = {
    "sweep": "one set of replicates serves all p, so that a band can hold for the whole curve",
    "intervals": "kept replicates are those of the bootstrap: a posterior has pseudo-items",
    "judge": "a mean over pairs, on replicates that compare it with the judges",
    "drift at a point": "items are drawn with their times: batches hold other numbers of them",
    "inverse_probability": "weights of a sample are no numbers of items",
    "covariance": "a band, which holds for several coefficients at once",
}
"""What has an interval of its own; the documentation of each function says which."""


def test_exceptions_differ_in_the_kind_alone() -> None:
    """Asked for one kind by name, these too have the interval that others have."""
    ratings = labels_with_gaps()
    how: dict[str, Any] = {**USUAL, "interval": "bca"}
    kept = iaa.bootstrap(ratings, [ALPHA], **USUAL)
    found = figure(iaa.bootstrap.intervals(kept, "bca").sel(coefficient=ALPHA))
    expected = figure(iaa.agreement(ratings, [ALPHA], **how))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    rng = np.random.default_rng(2)
    cells = [
        (item, f"ann{who}", "xyz"[k], "xyz"[(k + 1) % 3] if rng.random() < 0.4 else None)
        for item, row in enumerate(rng.integers(0, 3, (40, 3)))
        for who, k in enumerate(row)
    ]
    names = ("item", "annotator", "label", "secondary")
    columns = dict(zip(names, zip(*cells, strict=True), strict=True))
    doubles = iaa.from_long(columns, secondary="secondary")
    curve = iaa.sweep(doubles, p=[0.5, 1.0], **how)
    for p in (0.5, 1.0):
        alone = iaa.augmented_kappa(doubles, p=p, **how)
        np.testing.assert_allclose(figure(curve.sel(p=p)), figure(alone), rtol=0, atol=1e-9)
