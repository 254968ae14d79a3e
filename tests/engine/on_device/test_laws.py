"""Counts and weights drawn on a device have the plain distributions, and faults are detected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta, binom, chisquare, kstest

from iaa_jax.engine import PatternTable, Resampling
from iaa_jax.engine.on_device import DeviceDraws
from iaa_jax.engine.on_device.counts import LARGE, DeviceMultinomial
from iaa_jax.engine.on_device.gammas import DeviceDirichlet
from tests.engine.drawing.test_multinomial import refined
from tests.engine.drawing.test_reference import CASES, check_law
from tests.engine.on_device.laws import cpu_as_gpu, errors_of_moments, rows_by, rows_of
from tests.taken import one_of

COUNT = np.array([1.0, 2.0, 3.0, 0.0, 7.0, 50.0, 130.0])
"""Counts of one table, and of two for large ones; one pattern that no item shows."""

MANY = 20_000

ENOUGH = 5.0
"""Errors of its own that no moment is off by where the law is right."""

SHAPE = np.array([0.05, 0.4, 1.0, 2.5, 12.0, 80.0])


def plan_of(count: np.ndarray) -> DeviceMultinomial:
    return DeviceMultinomial.of(count, np.zeros(len(count), dtype=np.intp), 1, count.sum())


def errors_of_counts(plan: DeviceMultinomial, count: np.ndarray = COUNT) -> float:
    rows = rows_by(plan, np.array([count.sum()]), MANY)[:, : len(count)]
    assert np.all(rows.sum(axis=1) == count.sum())
    covariance = np.diag(count) - np.outer(count, count) / count.sum()
    return errors_of_moments(rows, count, covariance)


def test_counts_are_multinomial() -> None:
    plan = plan_of(COUNT)
    assert plan.base.last.any(), "Poisson numbers are drawn"
    assert plan.further.last.any(), "of large counts several"
    assert errors_of_counts(plan) < ENOUGH
    rows = rows_by(plan, np.array([COUNT.sum()]), MANY)
    for column, count in enumerate(COUNT):
        seen = np.bincount(rows[:, column].astype(int))
        law = MANY * binom.pmf(np.arange(len(seen)), COUNT.sum(), count / COUNT.sum())
        common = law > 5
        pairs = [np.append(each[common], MANY - each[common].sum()) for each in (seen, law)]
        if common.sum() > 1:
            assert chisquare(*(pair + 1e-9 for pair in pairs)).pvalue > 1e-4, column


@pytest.mark.slow
def test_parts_of_large_counts_are_independent() -> None:
    count = np.full(20, 200.0)
    assert errors_of_counts(plan_of(count), count) < ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize("count", [[1.5, 0.5, 20.25, 20.25, 0.0], [0.3, 1.7, 250.5, 1e-3]])
def test_weights_that_are_not_whole(count: list[float]) -> None:
    """By tables where few differ and none is large, else item by item."""
    (rows,) = rows_of((PatternTable(np.array(count)),), np.arange(4_000))
    draws = max(round(sum(count)), 1)
    share = np.array(count) / sum(count)
    covariance = draws * (np.diag(share) - np.outer(share, share))
    counts = rows * (draws / sum(count))
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-9)
    assert errors_of_moments(counts, draws * share, covariance) < ENOUGH


@pytest.mark.slow
def test_parts_are_independent_of_their_roots() -> None:
    fine = refined([[20.0, 20.0], [20.0, 20.0]])
    (rows,) = rows_of((fine,), np.arange(10_000))
    covariance = np.diag(fine.count) - np.outer(fine.count, fine.count) / fine.count.sum()
    assert errors_of_moments(rows, fine.count, covariance) < ENOUGH


def test_annotators_are_drawn_apart_from_items() -> None:
    everyone = np.arange(40)
    table = PatternTable(np.ones(40))
    for weights in ("multinomial", "dirichlet"):
        draws = DeviceDraws(
            *(cpu_as_gpu(), [table], 3, Resampling(weights), "float64", {40: everyone})
        )
        items, annotators = (np.asarray(each)[:, :40] for each in draws.weights(np.arange(400)))
        assert abs(np.corrcoef(items.ravel(), annotators.ravel())[0, 1]) < 0.05


@pytest.mark.slow
def test_a_mean_of_two_percent_less_is_seen() -> None:
    """Poisson numbers of the pattern with 50 items, as if it had 49."""
    less = np.where(COUNT == 50, 49, COUNT)
    assert errors_of_counts(replace(plan_of(COUNT), base=plan_of(less).base)) > 1.5 * ENOUGH


@pytest.mark.slow
def test_shares_of_single_items_two_percent_off_are_seen() -> None:
    """Where the place of each item is listed, and where it is searched for."""
    plan = plan_of(COUNT)
    before = plan.before.copy()
    before[1:] -= 0.02 * before[-1] * (before[1:] < before[-1])
    of_item = plan.of_item.copy()
    items = int(before[-1])
    of_item[:items] = np.roll(of_item[:items], -items // 50)
    of_item[items - items // 50 : items] = of_item.max()
    assert errors_of_counts(replace(plan, of_item=of_item)) > 1.5 * ENOUGH
    searched = replace(plan, of_item=of_item[:0], before=before)
    assert errors_of_counts(searched) > 1.5 * ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize("group", [np.zeros(6, dtype=int), np.array([0, 1, 1, 0, 2, 3])])
def test_a_list_of_items_gives_the_places_that_a_search_gives(group: np.ndarray) -> None:
    count = np.array([40.0, 7.0, 0.0, 3.0, 1.0, 0.0])
    plan = DeviceMultinomial.of(count, group, int(group.max()) + 1, count.sum())
    assert len(plan.of_item)
    totals = np.bincount(group, count)
    listed, searched = (
        rows_by(each, totals, 500) for each in (plan, replace(plan, of_item=plan.of_item[:0]))
    )
    np.testing.assert_array_equal(listed, searched)


@pytest.mark.slow
def test_a_large_group_and_totals_that_are_less_than_its_numbers() -> None:
    """What the coarse table leaves of a group may be any number; its shares hold all the same."""
    count = np.array([LARGE * 0.7, LARGE * 0.6, 30.0, 20.0, 10.0, 200.0, 100.0])
    group = np.array([0, 0, 1, 1, 1, 2, 2])
    plan = DeviceMultinomial.of(count, group, 3, count.sum())
    totals = np.array([LARGE, 80.0, 5.0])
    rows = rows_by(plan, totals, 2_000)[:, : len(count)]
    expected = totals[group] * count / np.bincount(group, count)[group]
    covariance = np.zeros((len(count), len(count)))
    for number, total in enumerate(totals):
        mean = np.where(group == number, expected, 0.0)
        assert np.all(rows[:, group == number].sum(axis=1) == total)
        covariance += np.diag(mean) - np.outer(mean, mean) / total
    assert errors_of_moments(rows, expected, covariance) < ENOUGH


def errors_of_weights(plan: DeviceDirichlet) -> float:
    rows = rows_by(plan, np.array([1.0]), MANY // 2)[:, : len(SHAPE)]
    np.testing.assert_allclose(rows.sum(axis=1), 1.0)
    share = SHAPE / SHAPE.sum()
    covariance = (np.diag(share) - np.outer(share, share)) / (SHAPE.sum() + 1)
    return errors_of_moments(rows, share, covariance)


def test_weights_are_dirichlet() -> None:
    plan = DeviceDirichlet.of(SHAPE, np.zeros(len(SHAPE), dtype=np.intp), 1)
    assert errors_of_weights(plan) < ENOUGH
    rows = rows_by(plan, np.array([1.0]), MANY // 4)
    for column, shape in enumerate(SHAPE):
        law = beta(shape, SHAPE.sum() - shape)
        assert kstest(rows[:, column], law.cdf).pvalue > 1e-4, column
    tilted = plan.shape.copy()
    tilted[4] *= 1.02
    assert errors_of_weights(replace(plan, shape=tilted)) > ENOUGH


def test_weights_of_groups_are_dirichlet_within_each() -> None:
    shape, group = np.array([0.5, 2.0, 3.0, 1.0, 4.0, 6.0]), np.array([0, 1, 1, 2, 2, 0])
    totals = np.array([2.0, 0.0, 7.0])
    rows = rows_by(DeviceDirichlet.of(shape, group, 3), totals, 5_000)[:, : len(shape)]
    for number, total in enumerate(totals):
        np.testing.assert_allclose(rows[:, group == number].sum(axis=1), total)
    for column in (0, 3):
        law = beta(shape[column], shape[group == group[column]].sum() - shape[column])
        assert kstest(rows[:, column] / totals[group[column]], law.cdf).pvalue > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("root", [False, True], ids=["given coarse counts", "from the total"])
@pytest.mark.parametrize("case", [*CASES])
def test_the_distribution_is_that_of_the_host(case: str, root: bool) -> None:
    fine, replicates = refined(CASES[case]), 64 if case == "huge" else 1024
    if root:
        fine = PatternTable(fine.count)
    (rows,) = rows_of((fine,), np.arange(replicates))
    check_law(rows, fine)


@pytest.mark.slow
@pytest.mark.parametrize("weights", one_of(2, ["multinomial", "dirichlet"]))
def test_what_else_is_asked_changes_nothing(weights: str) -> None:
    fine = refined(CASES["rare and common"])
    other = refined(CASES["equal"])
    assert fine.coarse is not None
    numbers, resampling = np.arange(40), Resampling(weights)
    (alone,) = rows_of((fine.coarse,), numbers, resampling=resampling)
    coarse, parts, _ = rows_of((fine.coarse, fine, other), numbers, resampling=resampling)
    assert np.array_equal(alone, coarse)
    for group in range(len(coarse[0])):
        of_group = parts[:, fine.pattern_of == group].sum(axis=1)
        np.testing.assert_allclose(of_group, coarse[:, group], atol=1e-9)
