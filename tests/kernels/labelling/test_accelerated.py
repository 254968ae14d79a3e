"""Extrapolated steps: no likelihood falls, ends are those of plain steps, steps are fewer."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np
import pytest

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.computing import UNASKED
from iaa_jax.engine.fits import Tolerance, fit, states
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.engine.sparse import SparseVotes
from iaa_jax.kernels.labelling.accelerated import Squared
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from tests.taken import one_of

CLIMBING = ("dawid_skene", "one_coin", "mace", "glad")

CROWDS: dict[str, dict[str, Any]] = {
    "few ratings": {"items": 400, "annotators": 60, "each": 2, "labels": 4, "skill": (0.3, 0.7)},
    "spammers": {"items": 500, "annotators": 60, "each": 4, "labels": 4, "spam": 0.5},
    "one label mostly": {"items": 500, "annotators": 50, "each": 3, "labels": 4, "mostly": 0.95},
    "near chance": {"items": 300, "annotators": 30, "each": 4, "labels": 3, "skill": (0.2, 0.5)},
    "two labels": {"items": 600, "annotators": 40, "each": 3, "labels": 2, "skill": (0.4, 0.8)},
}
"""Crowds on which models have flat likelihoods, saddles and many ends."""


@cache
def crowd(name: str, seed: int = 0) -> ListedVotes:
    """The votes of one of them."""
    return drawn(**CROWDS[name], seed=seed)


def drawn(
    items: int,
    annotators: int,
    each: int,
    labels: int,
    skill: tuple[float, float] = (0.4, 0.9),
    spam: float = 0.0,
    mostly: float | None = None,
    seed: int = 0,
) -> ListedVotes:
    """Votes of annotators of very different skill, some of whom vote at random."""
    chance = np.random.default_rng([seed, items, annotators, labels])
    first = 1 / labels if mostly is None else mostly
    truth = chance.choice(labels, items, p=[first, *[(1 - first) / (labels - 1)] * (labels - 1)])
    who = np.argsort(chance.random((items, annotators)), axis=1)[:, :each]
    right = chance.random(who.shape) < chance.uniform(*skill, annotators)[who]
    wrong = (truth[:, None] + chance.integers(1, labels, who.shape)) % labels
    spams = chance.random(annotators) < spam
    given = np.where(right, truth[:, None], wrong)
    given = np.where(spams[who], chance.integers(0, labels, who.shape), given)
    return ListedVotes(who * labels + given, np.ones(who.shape))


def parts_of(votes: ListedVotes, crowd_of: dict[str, Any]) -> tuple[SparseVotes, Weights, Any]:
    """Votes as a matrix, weights of one, and the shares that methods start from."""
    items, labels, annotators = len(votes.cell), crowd_of["labels"], crowd_of["annotators"]
    shares = np.eye(labels)[votes.cell % labels].mean(axis=1)
    form = SparseVotes.of(votes, annotators * labels)
    return form, Weights(np.ones(items), np.ones(annotators)), shares


def plain(method: Any, parts: tuple[Any, Weights, Any], tolerance: Tolerance) -> Any:
    """Return the result of plain steps, and their number."""
    ((steps, end),) = deque(enumerate(states(method, *parts, tolerance)), maxlen=1)
    return end, steps


@pytest.mark.parametrize("name", one_of(2, CROWDS))
@pytest.mark.parametrize("method", CLIMBING)
def test_no_likelihood_falls(method: str, name: str) -> None:
    parts = parts_of(crowd(name), CROWDS[name])
    trace = [
        float(at.state.log_likelihood)
        for at in islice(states(Squared(METHODS[method].method), *parts, Tolerance(1e-9, 800)), 800)
    ][1:]
    assert len(trace) > 5
    assert np.diff(trace).min() >= -1e-12 * abs(trace[-1])


@pytest.mark.parametrize("method", one_of(4, CLIMBING[::-1]))
def test_ends_are_those_of_plain_steps_but_for_one_of_ten(method: str) -> None:
    """With a flat likelihood, extrapolation may reach another end, which plain steps reach too."""
    model, tolerance = METHODS[method].method, Tolerance(1e-9, 40_000)
    elsewhere = []
    for name, seed in product(CROWDS, (0, 1)):
        form, weights, shares = parts_of(crowd(name, seed), CROWDS[name])
        slow, _ = plain(model, (form, weights, shares), tolerance)
        quick = fit(model, form, weights, shares, tolerance)
        assert quick.converged
        later = quick.state
        for _ in range(200):
            later = model.step(form, weights, later, ())
        assert np.abs(later.probability - quick.state.probability).max() < 1e-6
        if np.abs(slow.probability - quick.state.probability).max() > 1e-5:
            elsewhere.append((name, seed))
        else:
            assert abs(quick.state.log_likelihood - slow.log_likelihood) < 1e-7
    assert len(elsewhere) < 2, elsewhere


@pytest.mark.parametrize("name", ["few ratings", "spammers", "two labels"])
def test_steps_are_fewer(name: str) -> None:
    parts, model = parts_of(crowd(name), CROWDS[name]), METHODS["dawid_skene"].method
    tolerance = Tolerance(1e-7, 40_000)
    _, steps = plain(model, parts, tolerance)
    assert fit(model, *parts, tolerance).iterations < 0.7 * steps


@pytest.mark.parametrize("method", CLIMBING)
def test_so_many_steps_without_a_tolerance_are_plain(method: str) -> None:
    model, parts = METHODS[method].method, parts_of(crowd("spammers"), CROWDS["spammers"])
    (*_, last) = islice(states(model, *parts, Tolerance(-1.0, 60)), 61)
    for never in (-1.0, 1e-300):
        found = fit(model, *parts, Tolerance(never, 60)).state
        np.testing.assert_array_equal(found.probability, last.probability)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["near chance", pytest.param("few ratings", marks=pytest.mark.slow)]
)
def test_restarts_find_no_worse_end(name: str) -> None:
    model, parts = METHODS["dawid_skene"].method, parts_of(crowd(name), CROWDS[name])
    form, weights, shares = parts
    best = []
    for quick in (False, True):
        chance = np.random.default_rng(5)
        ends = []
        for _ in range(8):
            start = shares * chance.exponential(size=shares.shape)
            start /= start.sum(axis=1, keepdims=True)
            each = (form, weights, start)
            end = fit(model, *each, Tolerance(1e-7, 20_000)).state if quick else None
            end = end or plain(model, each, Tolerance(1e-7, 20_000))[0]
            ends.append(float(end.log_likelihood))
        best.append(max(ends))
    assert best[1] >= best[0] - 1e-4


@pytest.mark.parametrize("method", one_of(2, CLIMBING))
def test_rows_side_by_side_end_where_each_alone_does(method: str) -> None:
    model, labels = METHODS[method].method, 3
    votes = drawn(60, 6, 4, labels, (0.4, 0.9))
    counts = np.zeros((60, 6 * labels))
    np.add.at(counts, (np.arange(60)[:, None], votes.cell), 1)
    dense = DenseVotes(counts.reshape(60, 6, labels))
    shares = dense.counts.sum(axis=1) / dense.counts.sum(axis=(1, 2))[:, None]
    item = np.random.default_rng(1).multinomial(60, np.full(60, 1 / 60), size=5).astype(float)
    weights = Weights(item, np.ones((5, 6)))
    tolerance, numbers = Tolerance(1e-9, 5000), METHODS[method].options
    options = type(numbers)(*(np.full(5, number) for number in numbers)) if numbers else ()
    (fits,) = fit_rows(model, dense, [(weights, options)], shares, tolerance, computing=UNASKED)
    for row in range(5):
        alone = fit(model, dense, Weights(item[row], np.ones(6)), shares, tolerance, numbers)
        counted = item[row] > 0
        np.testing.assert_allclose(
            fits.state.probability[row][counted],
            alone.state.probability[counted],
            rtol=0,
            atol=1e-6,
        )
        assert abs(int(fits.iterations[row]) - int(alone.iterations)) <= 0.2 * alone.iterations + 6
