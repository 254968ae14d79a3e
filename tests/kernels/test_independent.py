"""Terms of a few independent items estimate each coefficient without bias."""

from __future__ import annotations

from itertools import product
from typing import Any

import jax
import numpy as np
import pytest

from iaa_jax.catalog import Measure
from iaa_jax.kernels import Kernel
from iaa_jax.kernels.betting import bets_on, log_wealth_above, log_wealth_below
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed
from tests.kernels.cases import (
    MEASURES,
    VALUES,
    agreement_matrix,
    allowed,
    codes_to_values,
    hard_mass,
    soft_mass,
)


def has_terms(measure: Measure) -> bool:
    return isinstance(measure.kernel, Kernel) and measure.kernel.independent is not None


WITH_TERMS = {name: each for name, each in (MEASURES | VALUES).items() if has_terms(each)}


def taken(statistics: Any, rows: np.ndarray[Any, Any]) -> Any:
    return type(statistics)(
        *(each if isinstance(each, Fixed) else each[rows] for each in statistics)
    )


@pytest.mark.parametrize("kind", ["complete", "gaps", "weights of labels", "shares"])
@pytest.mark.parametrize("name", WITH_TERMS)
def test_terms_of_all_groups_of_items_are_the_coefficient(name: str, kind: str) -> None:
    """Of items drawn again and again, so that Krippendorff's pairs of a rating with itself go."""
    kernel = WITH_TERMS[name].kernel
    assert isinstance(kernel, Kernel)
    shape = (8, 2 if name in MEASURES and not allowed(name, 4) else 4, 3)
    mass = (soft_mass if kind == "shares" else hard_mass)(1, shape, 0.0)
    if kind == "gaps":  # but no item with a single rating
        mass[::3, -1] = np.nan
    of_values = name in VALUES
    data = codes_to_values(mass, np.array([0.0, 1.5, 7.0])) if of_values else mass
    weighted = kind == "weights of labels" and not (of_values or name.endswith("ordinal"))
    agreement = agreement_matrix(2, 3) if weighted else None
    raters = Raters(np.linspace(1.0, 2.0, shape[1]))
    disagreement = kernel.disagreement(data, agreement)
    statistics = kernel.statistics_among(data, raters)(data, raters, disagreement)
    independent = kernel.independent
    assert independent is not None
    if not independent.holds(statistics, disagreement):
        assert kind == "gaps"
        return
    groups = np.array([*product(range(len(data)), repeat=independent.size)])
    items = [taken(statistics, groups[:, place]) for place in range(independent.size)]
    terms = independent.terms(items, raters.weight, disagreement)
    keywords = {} if agreement is None else {"label_agreement": agreement}
    truth = kernel(
        data, item_weight=np.full(len(data), 1e8), annotator_weight=raters.weight, **keywords
    )
    assert 1 - terms.observed.mean() / terms.expected.mean() == pytest.approx(
        float(truth.estimate), abs=1e-7
    )
    largest = independent.largest(statistics, disagreement, 49.0)
    for values, most in zip(terms, largest, strict=True):
        assert values.min() >= 0
        assert values.max() <= most * (1 + 1e-12)


def test_ordinal_terms_reach_their_largest() -> None:
    """Four items show the bounds, so that no smaller ones hold: rank differences of two ratings."""
    kernel = MEASURES["krippendorff_alpha/level=ordinal"].kernel
    assert isinstance(kernel, Kernel)
    assert kernel.independent is not None
    rng = np.random.default_rng(0)
    reached = np.zeros(2)
    for labels in (2, 4):
        mass = np.eye(labels)[rng.integers(0, labels, (20_000, 4, 2))].reshape(-1, 2, labels)
        raters = Raters(np.ones(2))
        statistics = kernel.statistics(mass, raters, None)
        groups = np.arange(len(mass)).reshape(-1, 4)
        items = [taken(statistics, groups[:, place]) for place in range(4)]
        terms = kernel.independent.terms(items, raters.weight, None)
        largest = kernel.independent.largest(statistics, None, 0.0)
        reached = np.array([terms.observed.max(), terms.expected.max()]) / largest
        assert (reached <= 1 + 1e-12).all()
        assert (reached >= 1 - 1e-9).all()


def made_bets(seed: int, sets: tuple[int, ...] = ()) -> Any:
    rng = np.random.default_rng(seed)
    expected = rng.random((*sets, 60)) < 0.6
    observed = rng.integers(0, 4, (*sets, 60)) / 4 * (rng.random((*sets, 60)) < 0.4)
    return bets_on(observed, expected.astype(float), 1.0, 1.0, 0.05)


def test_wealth_falls_above_and_rises_below_and_never_ends() -> None:
    """So what is ruled out lies on either side of an interval."""
    bets = made_bets(0)
    k = np.linspace(-1, 1, 41)[:, None]
    for log_wealth, sign in ((log_wealth_above, -1), (log_wealth_below, 1)):
        wealth = log_wealth(bets, k)
        assert np.isfinite(wealth).all()
        assert (sign * np.diff(wealth, axis=0) >= -1e-12).all()


def test_a_bet_depends_on_earlier_ones_alone() -> None:
    whole, part = made_bets(1), made_bets(1)
    part = bets_on(part.observed[:30], part.expected[:30], 1.0, 1.0, 0.05)
    assert (whole.stake[:30] == part.stake).all()
    changed = bets_on(
        np.append(part.observed[:-1], 1.0), np.append(part.expected[:-1], 0.0), 1.0, 1.0, 0.05
    )
    assert (changed.stake == part.stake).all()


def test_wealth_is_worth_what_was_bet_where_the_coefficient_is_as_said() -> None:
    """On average over all ways that four bets can go, each as likely."""
    ways = np.array([*product([(0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (0.5, 0.75)], repeat=4)])
    bets = bets_on(ways[..., 0], ways[..., 1], 1.0, 1.0, 0.05)
    k = 1 - 1.5 / 2.75
    for log_wealth in (log_wealth_above, log_wealth_below):
        assert np.exp(log_wealth(bets, k)).mean(axis=0) == pytest.approx(np.ones(4), abs=1e-12)
    assert (np.exp(log_wealth_above(bets, k + 0.1)).mean(axis=0) < 1).all()
    assert (np.exp(log_wealth_below(bets, k - 0.1)).mean(axis=0) < 1).all()


def test_bets_run_compiled_and_side_by_side() -> None:
    with jax.enable_x64(True):
        eager = made_bets(2, (3,))

        def wealth(observed: Any, expected: Any) -> Any:
            return log_wealth_above(bets_on(observed, expected, 1.0, 1.0, 0.05), 0.3)

        compiled = jax.jit(jax.vmap(wealth))(eager.observed, eager.expected)
        assert np.asarray(compiled) == pytest.approx(log_wealth_above(eager, 0.3), abs=1e-12)
