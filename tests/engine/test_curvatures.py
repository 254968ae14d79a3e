"""Second derivatives against finite differences, as the ABC programs of Efron take them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.engine import PatternTable, Prepared, estimates, influences
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.curvature import curvatures, estimates_at
from iaa_jax.kernels import intervals
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.engine.real import made
from tests.engine.test_studentized import DATA, own_share
from tests.oracles import alpha, fleiss, gwet, kappa, pairwise
from tests.oracles.ratings import single_labels
from tests.oracles.resampling import abc_numbers

ITEMS = 12


def codes() -> np.ndarray:
    """Twelve items, some alike, with gaps."""
    found = made(ITEMS, 3, 3, seed=8).primary.values.copy()
    found[5] = found[4]
    found[9] = found[4]
    return found


ORACLES: dict[str, Callable[..., float]] = {
    "krippendorff_alpha": alpha.krippendorff_alpha,
    "fleiss_kappa": fleiss.fleiss_kappa,
    "conger_kappa": pairwise.conger_kappa,
    "gwet_ac2": gwet.gwet_ac2,
    "cohen_kappa": kappa.cohen_kappa,
}


@pytest.mark.parametrize("name", ORACLES)
def test_numbers_of_abc_are_those_of_finite_differences(name: str) -> None:
    table = codes()[:, :2] if name == "cohen_kappa" else codes()
    rows = [[None if code < 0 else int(code) for code in row] for row in table]
    ratings = iaa.from_wide([[None if x is None else x for x in row] for row in rows])
    cells = single_labels(rows)

    def estimate(shares: list[float]) -> float:
        weights = [ITEMS * share for share in shares]
        return ORACLES[name](cells, labels=[0, 1, 2], item_weight=weights).estimate

    wanted = abc_numbers(estimate, ITEMS)
    problem = Resolver(Rated.of(ratings)).request(name).problem
    assert problem.table.count.max() > 1
    prepared = Prepared([problem])
    found = curvatures(prepared)[0]
    assert found.sigma == pytest.approx(wanted.sigma, rel=1e-6)
    assert found.acceleration == pytest.approx(wanted.acceleration, abs=1e-6)
    assert found.bias == pytest.approx(wanted.bias, rel=1e-3, abs=1e-6)
    assert found.quadratic == pytest.approx(wanted.quadratic, rel=1e-3, abs=1e-5)
    steps = np.stack(
        intervals.abc_multipliers(
            found.acceleration, found.bias, found.quadratic, found.sigma, 0.95
        )
    )
    tilted = problem.table.count + steps[:, None] * found.direction
    ends = estimates_at(prepared, [tilted])[0]
    np.testing.assert_allclose(ends, wanted.ends, atol=2e-5)


ALIKE = ("icc1k", "icc2k", "icc3k", "scott_pi", "gwet_ac1")
"""A kernel with another's statistics and nearly its formula."""


def second_derivative(prepared: Prepared, towards: np.ndarray, step: float) -> np.ndarray:
    (problem,) = prepared.problems
    count = problem.table.count
    up, middle, down = estimates_at(
        prepared, [np.stack([count + k * step * towards for k in (1, 0, -1)])]
    )[0]
    return np.asarray((up - 2 * middle + down) / step**2)


@pytest.mark.slow
@pytest.mark.parametrize("name", DATA)
def test_every_coefficient_bends_as_differences_say(name: str) -> None:
    """Also those with a figure per label, of numbers, of slots, and of a user's own."""
    problems = [one for one in DATA[name] if one[0] not in ALIKE]
    prepared = Prepared([problem for _, problem in problems])
    found = curvatures(prepared)
    for (label, problem), curved in zip(problems, found, strict=True):
        one = Prepared([problem])
        count, items = problem.table.count, problem.table.items
        bias = 0.0
        for pattern in np.flatnonzero(count > 0):
            towards = -count.copy()
            towards[pattern] += items
            bias = bias + count[pattern] * second_derivative(one, towards, 2e-4)
        bias = bias / (2 * items**2)
        np.testing.assert_allclose(curved.bias, bias, rtol=2e-3, atol=2e-5, err_msg=label)
        for figure in np.ndindex(np.shape(curved.sigma)):
            bent = second_derivative(one, curved.direction[figure], 1e-2)[figure]
            sigma = curved.sigma[figure]
            assert curved.quadratic[figure] == pytest.approx(
                bent / (2 * sigma) if sigma > 0 else 0.0, rel=2e-3, abs=2e-4
            ), label


def test_patterns_with_counts_are_items_one_by_one() -> None:
    """Repeated rows of weight 1 give equal numbers."""
    ratings = iaa.from_wide(np.where(codes() < 0, np.nan, codes()))
    for name in ("krippendorff_alpha", "conger_kappa"):
        problem = Resolver(Rated.of(ratings)).request(name).problem
        rows = np.repeat(np.arange(len(problem.data)), problem.table.count.astype(int))
        written_out = replace(
            problem, table=PatternTable(np.ones(len(rows))), ratings=problem.data[rows]
        )
        one, other = curvatures(Prepared([problem, written_out]))
        for part in ("sigma", "acceleration", "bias", "quadratic"):
            assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-13)


def test_undefined_estimates_have_no_curvature() -> None:
    ratings = iaa.from_wide([["a", "a"], ["a", "a"]], labels=["a", "b"])
    problem = Resolver(Rated.of(ratings)).request("cohen_kappa").problem
    found = curvatures(Prepared([problem]))[0]
    assert np.isnan([found.sigma, found.bias, found.quadratic]).all()
    percent = Resolver(Rated.of(ratings)).request("percent_agreement").problem
    still = curvatures(Prepared([percent]))[0]
    assert (still.sigma, still.bias, still.quadratic) == (0, 0, 0)


def test_parts_and_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = Resolver(Rated.of(made(70, 4)))
    names = ("krippendorff_alpha", "conger_kappa", own_share)
    problems = [resolver.request(name).problem for name in names]
    whole = curvatures(Prepared(problems))
    before = dict(TRACES)
    other = Resolver(Rated.of(made(70, 4, seed=3)))
    curvatures(Prepared([other.request(name).problem for name in names]))
    assert dict(TRACES) == before
    monkeypatch.setattr("iaa_jax._thresholds.CURVATURES_TOGETHER", 7)
    for one, again in zip(whole, curvatures(Prepared(problems)), strict=True):
        for part, same in zip(one, again, strict=True):
            np.testing.assert_allclose(part, same, rtol=1e-11, atol=1e-13)


def test_evaluated_takes_weights_below_zero() -> None:
    cases = DATA["gaps"][::2]
    problems = [problem for _, problem in cases]
    prepared = Prepared(problems)
    same = estimates_at(prepared, [problem.table.count[None] for problem in problems])
    for one, plain in zip(same, estimates(prepared), strict=True):
        np.testing.assert_allclose(one[0], plain.estimate, atol=1e-14)
    rows = []
    for problem in problems:
        row = problem.table.count.copy()
        row[0] = -0.25
        rows.append(np.stack([row, problem.table.count]))
    # label by label, and slope by slope: a little below zero is a step further from one item
    for (label, problem), one, slope in zip(
        cases, estimates_at(prepared, rows), influences(prepared), strict=True
    ):
        assert np.isfinite(one).all(), label
        step = 0.25 + problem.table.count[0]
        np.testing.assert_allclose(one[0] - one[1], -step * slope[..., 0], atol=0.03, err_msg=label)
