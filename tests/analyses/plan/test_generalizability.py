"""Variance components by item, annotator and the rest, and what designs make of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.wording import load_notes
from tests.analyses.made import by_slot, random_rows, wide
from tests.oracles.icc import icc_of_mean_squares
from tests.oracles.variance import (
    Distance,
    henderson,
    mean_square_components,
    pair_mean_components,
)


def drawn(
    seed: int, items: int, annotators: int, sds: tuple[float, float, float] = (2.0, 1.0, 1.5)
) -> np.ndarray:
    """Numbers with effects of items, annotators and the rest."""
    rng = np.random.default_rng(seed)
    item, annotator = rng.normal(0, sds[0], (items, 1)), rng.normal(0, sds[1], annotators)
    return 50 + item + annotator + rng.normal(0, sds[2], (items, annotators))


def with_gaps(table: np.ndarray, share: float, seed: int = 0) -> np.ndarray:
    gaps = table.astype(float).copy()
    gaps[np.random.default_rng(seed).random(table.shape) < share] = np.nan
    return gaps


def ratings_of(table: Any) -> list[tuple[int, int, Any]]:
    return [(i, a, x) for i, row in enumerate(table) for a, x in enumerate(row) if x is not None]


def same(x: Any, y: Any) -> float:
    return float(x != y)


def squared(x: float, y: float) -> float:
    return (x - y) ** 2


def relative(x: float, y: float) -> float:
    return ((x - y) / (x + y)) ** 2


def components(ratings: xr.Dataset, **options: Any) -> np.ndarray:
    return np.asarray(iaa.variance(ratings, **options).variance.values)


def test_numbers_of_complete_data_are_the_analysis_of_variance() -> None:
    table = drawn(1, 12, 4)
    result = iaa.variance(iaa.from_values(table), per_item=[1, 4])
    assert result.variance.values == pytest.approx(mean_square_components(table.tolist()), abs=1e-9)
    icc = icc_of_mean_squares(table.tolist())
    wanted = [icc["icc3"], icc["icc3k"]], [icc["icc2"], icc["icc2k"]]
    assert result.generalizability.values == pytest.approx(wanted[0], abs=1e-9)
    assert result.dependability.values == pytest.approx(wanted[1], abs=1e-9)


def test_labels_of_complete_data_are_the_means_of_pairs() -> None:
    rows = random_rows(2, items=9, annotators=3, missing=0.0)
    assert components(wide(rows)) == pytest.approx(pair_mean_components(rows, same), abs=1e-9)
    weights = np.array([[1, 0.9, 0.3], [0.9, 1, 0.2], [0.3, 0.2, 1]])

    def weighted(x: str, y: str) -> float:
        return float(1 - weights["abc".index(x), "abc".index(y)])

    found = components(wide(rows), weights=weights)
    assert found == pytest.approx(pair_mean_components(rows, weighted), abs=1e-9)


@pytest.mark.parametrize(
    ("level", "distance"), [("interval", squared), ("ratio", relative), ("nominal", same)]
)
def test_gaps_are_hendersons(level: str, distance: Distance) -> None:
    table = with_gaps(np.random.default_rng(3).integers(1, 6, (12, 5)), 0.4)
    ratings = iaa.from_values(table)
    rows = ratings_of([[None if np.isnan(x) else x for x in row] for row in table])
    assert components(ratings, level=level) == pytest.approx(henderson(rows, distance), abs=1e-9)


def test_ordinal_labels_lie_as_far_apart_as_ratings_lie_between_them() -> None:
    rows = random_rows(4, items=10, annotators=4)
    given = [x for row in rows for x in row if x is not None]
    middle = {
        x: (sum(y < x for y in given) + sum(y == x for y in given) / 2) / len(given) for x in "abc"
    }
    wanted = henderson(ratings_of(rows), lambda x, y: squared(middle[x], middle[y]))
    assert components(wide(rows), level="ordinal") == pytest.approx(wanted, abs=1e-9)


def test_label_sets_lie_apart_by_their_distance() -> None:
    rng = np.random.default_rng(5)
    rows = [[["xyz"[k] for k in range(3) if rng.random() < 0.5] for _ in "abc"] for _ in range(10)]

    def jaccard(x: list[str], y: list[str]) -> float:
        union = {*x, *y}
        return 1 - len({*x} & {*y}) / len(union) if union else 0.0

    found = components(iaa.from_sets(rows), distance="jaccard")
    assert found == pytest.approx(pair_mean_components(rows, jaccard), abs=1e-9)
    plain = components(iaa.from_sets(rows))
    assert plain == pytest.approx(pair_mean_components(rows, same), abs=1e-9)


def test_a_secondary_label_is_a_point_between_two() -> None:
    rng = np.random.default_rng(6)
    rows = [[tuple(rng.permutation(3)[:2]) for _ in range(3)] for _ in range(8)]
    cells = [(i, a, "xyz"[p], "xyz"[s]) for i, a, (p, s) in ratings_of(rows)]
    columns = dict(
        zip(("item", "annotator", "label", "secondary"), zip(*cells, strict=True), strict=True)
    )
    ratings = iaa.from_long(columns, secondary="secondary")

    def apart(x: tuple[int, int], y: tuple[int, int]) -> float:
        eye = np.eye(3) * [[0.7], [0.7], [0.7]], np.eye(3) * 0.3
        first, second = eye[0][x[0]] + eye[1][x[1]], eye[0][y[0]] + eye[1][y[1]]
        return float(((first - second) ** 2).sum() / 2)

    assert components(ratings, p=0.7) == pytest.approx(pair_mean_components(rows, apart), abs=1e-9)


def test_soft_ratings_are_points_between_labels() -> None:
    shares = np.random.default_rng(6).dirichlet([1, 1, 1], (8, 3))

    def apart(x: np.ndarray, y: np.ndarray) -> float:
        return float(((x - y) ** 2).sum() / 2)

    wanted = pair_mean_components([list(row) for row in shares], apart)
    assert components(iaa.from_mass(shares)) == pytest.approx(wanted, abs=1e-9)


def test_secondary_labels_have_levels() -> None:
    """Numbers between the two, at the level of intervals."""
    rng = np.random.default_rng(6)
    rows = [[tuple(rng.permutation(3)[:2]) for _ in range(3)] for _ in range(8)]
    cells = [(i, a, int(p), int(s)) for i, a, (p, s) in ratings_of(rows)]
    columns = dict(
        zip(("item", "annotator", "label", "secondary"), zip(*cells, strict=True), strict=True)
    )
    ratings = iaa.from_long(columns, secondary="secondary")
    between = [[0.75 * p + 0.25 * s for p, s in row] for row in rows]
    found = components(ratings, p=0.75, level="interval")
    assert found == pytest.approx(mean_square_components(between), abs=1e-9)
    given = np.array(
        [[0.75 * (x == p) + 0.25 * (x == s) for x in range(3)] for r in rows for p, s in r]
    )
    count = given.sum(axis=0)
    middle = (np.cumsum(count) - count / 2) / count.sum()
    ranks = [[0.75 * middle[p] + 0.25 * middle[s] for p, s in row] for row in rows]
    found = components(ratings, p=0.75, level="ordinal")
    assert found == pytest.approx(mean_square_components(ranks), abs=1e-9)


def test_repeats_tell_the_interaction() -> None:
    rng = np.random.default_rng(7)
    effect = rng.normal(0, 1, (9, 3))
    rows = [
        (i, f"ann{a}", float(round(10 + 4 * effect[i, a] + rng.normal(), 3)))
        for i in range(9)
        for a in range(3)
        for _ in range(1 + (i + a) % 2)
        if (i, a) != (0, 0)
    ]
    columns = dict(zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True))
    ratings = iaa.from_long(columns, duplicates="apart")
    result = iaa.variance(ratings, level="interval")
    assert result.component.values.tolist() == ["item", "annotator", "interaction", "rest"]
    assert result.variance.values == pytest.approx(henderson(rows, squared), abs=1e-9)
    assert result.repeated_cells == sum((i + a) % 2 for i in range(9) for a in range(3))
    first = iaa.data.keep_annotators(ratings, ["ann0", "ann1", "ann2"])
    assert np.array_equal(
        result.half_width, iaa.variance(first, level="interval").half_width, equal_nan=True
    )


def reml(table: np.ndarray) -> list[float]:
    """Crossed random effects by statsmodels."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    item, annotator = np.nonzero(~np.isnan(table))
    frame = pd.DataFrame({"x": table[item, annotator], "item": item, "annotator": annotator})
    parts = {"item": "0 + C(item)", "annotator": "0 + C(annotator)"}
    model = MixedLM.from_formula(
        "x ~ 1", frame, groups=np.ones(len(frame)), re_formula="0", vc_formula=parts
    )
    fit = model.fit(reml=True, method="bfgs", gtol=1e-8)
    by_name = dict(zip(model.exog_vc.names, fit.vcomp, strict=True))
    return [float(by_name["item"]), float(by_name["annotator"]), float(fit.scale)]


@pytest.mark.filterwarnings("ignore")
def test_gaps_are_near_restricted_maximum_likelihood() -> None:
    """Equal without gaps; with 3 of 10 missing the root mean square is 2/3 standard errors at most.

    Method I has errors of its own: over 30 such sets those of items, annotators and the rest have
    root mean squares of 1.02, .93 and 1.26 times those of REML.
    """
    whole = drawn(9, 50, 10)
    assert components(iaa.from_values(whole)) == pytest.approx(reml(whole), rel=1e-3)
    apart = []
    for seed in range(6):
        table = with_gaps(drawn(seed, 50, 10), 0.3, seed)
        result = iaa.variance(iaa.from_values(table))
        apart.append((result.variance.values - reml(table)) / result.standard_error.values)
    assert np.abs(apart).max() < 1.2
    assert (np.mean(np.square(apart), axis=0) < (2 / 3) ** 2).all()


def test_a_weight_is_a_repetition() -> None:
    rows = random_rows(9, items=20)
    repeated = iaa.variance(wide([*rows, *rows, *rows]))
    ratings = wide([*rows, *rows, *rows])
    packed = iaa.variance(iaa.data.compress(ratings))
    for name in ("variance", "standard_error", "error_from_annotators", "half_width"):
        found = packed[name].values
        assert np.allclose(found, repeated[name], rtol=0, atol=1e-10, equal_nan=True)
    slots = iaa.variance(by_slot([*rows, *rows, *rows]))
    assert slots.variance.values == pytest.approx(repeated.variance.values, abs=1e-12)


def test_errors_are_those_of_leaving_one_out() -> None:
    rows = random_rows(10, items=12, annotators=4)
    result = iaa.variance(wide(rows))

    def error(others: Callable[[int], list[list[Any]]], number: int) -> np.ndarray:
        parts = np.array([components(wide(others(k))) for k in range(number)])
        return np.sqrt((number - 1) / number * ((parts - parts.mean(axis=0)) ** 2).sum(axis=0))

    of_items = error(lambda k: [row for i, row in enumerate(rows) if i != k], 12)
    of_annotators = error(lambda k: [row[:k] + row[k + 1 :] for row in rows], 4)
    assert result.error_from_items.values == pytest.approx(of_items, abs=1e-9)
    assert result.error_from_annotators.values == pytest.approx(of_annotators, abs=1e-9)
    assert result.standard_error.values == pytest.approx(np.hypot(of_items, of_annotators))


@pytest.mark.slow
def test_errors_are_near_those_of_other_samples() -> None:
    """The standard deviation over 200 samples, of 8 annotators, is up to a half less."""
    results = [iaa.variance(iaa.from_values(drawn(seed, 30, 8))) for seed in range(200)]
    spread = np.std([r.variance.values for r in results], axis=0)
    told = np.sqrt(np.mean([r.standard_error.values**2 for r in results], axis=0))
    assert (told > 0.9 * spread).all()
    assert (told < 1.5 * spread).all()
    mean = np.mean([r.variance.values for r in results], axis=0)
    assert np.abs(mean - [4, 1, 2.25]).max() < (3 * spread / 200**0.5).max()


@pytest.mark.parametrize("k", [2, 3])
def test_errors_of_means_are_those_of_all_panels(k: int) -> None:
    """Of all panels of k of six annotators, whose means scatter around that of the six."""
    table = np.random.default_rng(11).integers(0, 3, (10, 6))
    table[:, :4] = np.where(np.random.default_rng(1).random((10, 4)) < 0.7, table[:, :1], 0)
    table[:, 5] = 2
    result = iaa.variance(iaa.from_wide(table), per_item=[k])
    shares = np.eye(3)[table]
    panels = [shares[:, list(panel)].mean(axis=1) for panel in combinations(range(6), k)]
    off = np.array(panels) - shares.mean(axis=1)
    left = 1 - k / 6  # the panels are of these six alone
    absolute = (off**2).sum(axis=2).mean() / 2
    assert result.absolute_error.item() * left == pytest.approx(absolute, abs=1e-12)
    off -= off.mean(axis=1, keepdims=True)
    relative = (off**2).sum(axis=2).sum(axis=1).mean() / 9 / 2
    assert result.relative_error.item() * left == pytest.approx(relative, abs=1e-12)


@pytest.mark.slow
def test_designs_hold_in_simulation() -> None:
    """Of 4,000 sets with three annotators: errors, and both coefficients as correlations."""
    result = iaa.variance(iaa.from_values(drawn(12, 2000, 200)), per_item=[3], items=[20])
    rng = np.random.default_rng(13)
    item = rng.normal(0, 2, (4000, 20))
    annotator, rest = rng.normal(0, 1, (4000, 1, 3)), rng.normal(0, 1.5, (4000, 20, 3))
    mean = item + (annotator + rest).mean(axis=2)
    assert result.absolute_error.item() == pytest.approx(np.var(mean - item), rel=0.1)
    within = (mean - item) - (mean - item).mean(axis=1, keepdims=True)
    assert result.relative_error.item() == pytest.approx((within**2).sum() / 4000 / 19, rel=0.1)
    assert result.mean_error.item() == pytest.approx(np.var(mean.mean(axis=1)), rel=0.1)
    across = np.corrcoef(mean.reshape(-1), item.reshape(-1))[0, 1] ** 2
    assert result.dependability.item() == pytest.approx(across, abs=0.02)
    left = (x - x.mean(axis=1, keepdims=True) for x in (mean, item))
    along = np.corrcoef(*(x.reshape(-1) for x in left))[0, 1] ** 2
    assert result.generalizability.item() == pytest.approx(along, abs=0.02)


@pytest.mark.parametrize("sampling", [None, iaa.Sampling(annotators="random")])
@pytest.mark.parametrize("annotators", [2, 4])
def test_half_widths_are_the_plans(sampling: iaa.Sampling | None, annotators: int) -> None:
    ratings = wide(random_rows(14, items=60, annotators=annotators, missing=0.0))
    designs: dict[str, Any] = {"items": [60, 200], "per_item": [2, 3, 5], "sampling": sampling}
    costs = {"cost_item": 2.0, "cost_rating": 0.5}
    result = iaa.variance(ratings, **designs, **costs)
    if sampling is not None and annotators == 2:
        assert result.half_width.isnull().all()
        return
    quick: dict[str, Any] = {"simulations": 0, "replicates": 0, "level": "nominal"}
    plan = iaa.plan(ratings, **designs, **costs, **quick)
    if sampling is not None:  # too few annotators for a plan, not for a table
        assert plan.attrs["conclusion"] == "pilot_too_small"
        assert np.isfinite(result.half_width).all()
        return
    for name in ("ratings", "cost"):
        assert np.array_equal(result[name], plan[name]), name
    assert result.half_width.values == pytest.approx(1.959964 * plan.standard_error.values)
    assert (result.half_width < plan.half_width).all()  # which allows for what is not known


def noted(result: xr.Dataset) -> list[str]:
    return [note.code for note in load_notes(result.attrs["notes"])]


def test_what_it_comes_to() -> None:
    apart = np.repeat(np.arange(20) % 2, 3).reshape(20, 3)
    apart[0, 0], apart[1, 1] = 1, 0
    result = iaa.variance(iaa.from_wide(apart))
    assert result.attrs["conclusion"] == "dependable"
    result = iaa.variance(iaa.from_values(drawn(15, 40, 4)), target=0.95)
    assert result.attrs["conclusion"] == "more_annotators"
    wanted = int(result.needed_annotators)
    more = iaa.variance(iaa.from_values(drawn(15, 40, 4)), per_item=[wanted - 1, wanted])
    assert (more.dependability.values >= 0.95).tolist() == [False, True]
    opposed = iaa.variance(iaa.from_wide([["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"]]))
    assert opposed.attrs["conclusion"] == "out_of_reach"
    assert {"variance_below_zero", "errors_of_items_alone"} <= {*noted(opposed)}
    assert opposed.variance.values[0] < 0 == opposed.share.values[0]
    alike = iaa.variance(iaa.from_wide([["a", "a"]] * 4, labels=["a", "b"]))
    assert alike.attrs["conclusion"] == "nothing_varies"
    assert "no_forecast" in noted(alike)


def test_a_disagreement_that_is_no_squared_distance_is_noted() -> None:
    far = 1 - np.array([[0, 1, 0.1], [1, 0, 0.1], [0.1, 0.1, 0]])
    rows = random_rows(16)
    assert "no_squared_distance" in noted(iaa.variance(wide(rows), weights=far))
    assert "no_squared_distance" not in noted(iaa.variance(wide(rows)))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([["a", "b"]], "two items, not one: 2 or more"),
        ([["a", "b", None, None], [None, None, "b", "a"]], "no annotator rated two"),
    ],
)
def test_ratings_that_do_not_tell_are_refused(rows: list[list[Any]], why: str) -> None:
    with pytest.raises(iaa.IaaError, match=why):
        iaa.variance(iaa.from_wide(rows))


def test_others_are_refused() -> None:
    twice = {"item": [0, 0, 1, 1], "annotator": list("aabb"), "label": list("xyxx")}
    with pytest.raises(iaa.IaaError, match="no item was rated by two annotators"):
        iaa.variance(iaa.from_long(twice, duplicates="apart"))
    alone = {"item": [0, 0, 1, 1], "annotator": ["ann"] * 4, "label": list("xyxx")}
    with pytest.raises(iaa.IaaError, match="two annotators, not one: 2 or more"):
        iaa.variance(iaa.from_long(alone, duplicates="apart"))
    with pytest.raises(iaa.IaaError, match="do not say who rated"):
        iaa.variance(iaa.from_counts([[2, 1], [0, 3]]))
    spans = iaa.from_spans({"d": {"ann": [(0, 2, "x")], "bob": [(0, 2, "x")]}})
    with pytest.raises(iaa.IaaError, match=r"spans of documents: iaa_jax\.plan"):
        iaa.variance(spans)
    with pytest.raises(iaa.IaaError, match="too many to compare each with each"):
        iaa.variance(iaa.from_values(np.arange(2200.0).reshape(-1, 2)), level="nominal")
    ratings = iaa.from_wide(random_rows(17))
    with pytest.raises(iaa.IaaError, match="needs labels that are numbers"):
        iaa.variance(ratings, level="interval")
    with pytest.raises(iaa.IaaError, match="needs labels in order"):
        iaa.variance(ratings, level="ordinal")
    for wrong in ({"target": 1.0}, {"per_item": [0]}, {"items": [1]}, {"cost_rating": -1.0}):
        with pytest.raises(iaa.IaaError):
            iaa.variance(ratings, **wrong)
