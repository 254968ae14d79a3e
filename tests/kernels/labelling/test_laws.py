"""Laws of every method: order, names, gaps, weights, forms of votes, and how it is run."""

from __future__ import annotations

import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.computing import UNASKED
from iaa_jax.engine.fits import Tolerance
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.engine.precision import scope
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.votes import DenseVotes
from tests.kernels.labelling.votes import (
    MODELS,
    OF_VOTES,
    counts,
    fitted,
    listed,
    one_hot,
    sparse,
)
from tests.taken import one_of

EACH = pytest.mark.parametrize("name", OF_VOTES)
SOME = Tolerance(-1.0, 5)
VOTES = counts(14, 5, 3, missing=0.25)
KNOWN = one_hot({1: 2, 6: 0}, 14, 3)


def close(found: Any, wanted: Any, tolerance: float = 1e-10) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)


def settled(name: str, votes: Any, **options: Any) -> Any:
    return fitted(name, votes, tolerance=options.pop("tolerance", SOME), **options).state


@EACH
def test_the_order_of_items_and_annotators_does_not_matter(name: str) -> None:
    random = np.random.default_rng(0)
    items, annotators = random.permutation(14), random.permutation(5)
    plain = settled(name, VOTES, known=KNOWN)
    turned = settled(name, VOTES[items][:, annotators], known=KNOWN[items])
    close(turned.probability, plain.probability[items])
    close(turned.skill, plain.skill[annotators])


@EACH
def test_the_order_of_labels_matters_only_where_they_are_tied(name: str) -> None:
    given = np.sort(VOTES.sum(axis=1), axis=1)
    votes, order = VOTES[given[:, -1] > given[:, -2]], [2, 0, 1]
    plain, renamed = settled(name, votes), settled(name, votes[:, :, order])
    close(renamed.probability, plain.probability[:, order])
    close(renamed.skill, plain.skill)


@EACH
def test_whole_weights_are_repeated_items(name: str) -> None:
    times = np.random.default_rng(1).integers(0, 4, size=14)
    weighted = settled(name, VOTES, known=KNOWN, item_weight=times.astype(float))
    repeated = settled(name, np.repeat(VOTES, times, axis=0), known=np.repeat(KNOWN, times, axis=0))
    close(np.repeat(weighted.probability, times, axis=0), repeated.probability)
    close(weighted.skill, repeated.skill)
    if name in MODELS:
        close(weighted.log_likelihood, repeated.log_likelihood, 1e-8)


@EACH
def test_an_annotator_of_weight_0_is_left_out(name: str) -> None:
    weight = np.array([1.0, 1.0, 0.0, 1.0, 1.0])
    kept = [0, 1, 3, 4]
    weighted = settled(name, VOTES, annotator_weight=weight)
    without = settled(name, VOTES[:, kept])
    voted = VOTES[:, kept].sum(axis=(1, 2)) > 0
    close(weighted.probability[voted], without.probability[voted])
    close(weighted.skill[kept], without.skill)


@EACH
def test_what_nobody_voted_on_changes_nothing(name: str) -> None:
    extended = np.zeros((14, 6, 3))
    extended[:, :5] = VOTES
    plain, more = settled(name, VOTES), settled(name, extended)
    close(more.probability, plain.probability)
    close(more.skill[:5], plain.skill)


@EACH
@pytest.mark.parametrize("known", [None, KNOWN], ids=["", "control items"])
@pytest.mark.parametrize("form", [listed, sparse])
def test_every_form_of_votes_is_the_same(name: str, form: Any, known: Any) -> None:
    plain = settled(name, VOTES, known=known)
    other = settled(name, VOTES, known=known, form=form)
    close(other.probability, plain.probability)
    close(other.skill, plain.skill)


@EACH
@pytest.mark.parametrize("form", one_of(2, [DenseVotes, listed]))
def test_compiled_is_eager(name: str, form: Any) -> None:
    weights = Weights(np.ones(14), np.ones(5))
    start = np.full((14, 3), 1 / 3)
    method = METHODS[name].method
    eager = method.step(
        form(VOTES, KNOWN), weights, method.start(form(VOTES, KNOWN), weights, start, ()), ()
    )
    with scope("float64"):

        @jax.jit
        def once(data: Any, weights: Any, start: Any) -> Any:
            return method.step(data, weights, method.start(data, weights, start, ()), ())

        result = once(*jax.tree.map(jnp.asarray, (form(VOTES, KNOWN), weights, start)))
        compiled = jax.tree.map(np.asarray, result)
    close(compiled.probability, eager.probability)
    close(compiled.skill, eager.skill)


@EACH
@pytest.mark.parametrize("form", [DenseVotes, listed])
def test_rows_are_a_loop(name: str, form: Any) -> None:
    random = np.random.default_rng(2)
    weights = Weights(random.integers(0, 3, size=(3, 14)) * 1.0, np.ones((3, 5)))
    weights.annotator[1, 2] = 0
    start = np.full((14, 3), 1 / 3)
    method, data = METHODS[name].method, form(VOTES, KNOWN)
    (found,) = fit_rows(method, data, [(weights, ())], start, Tolerance(-1.0, 4), computing=UNASKED)
    for row in range(3):
        alone = Weights(weights.item[row], weights.annotator[row])
        state = method.start(data, alone, start, ())
        for _ in range(4):
            state = method.step(data, alone, state, ())
        close(found.state.probability[row], state.probability)
        close(found.state.skill[row], state.skill)


@EACH
def test_new_data_and_numbers_of_the_same_size_compile_nothing(name: str) -> None:
    method = METHODS[name].method
    start = np.full((14, 3), 1 / 3)
    weights = Weights(np.ones((2, 14)), np.ones((2, 5)))
    numbers = METHODS[name].options
    rows = type(numbers)(*(np.full(2, value) for value in numbers))
    list(
        fit_rows(
            method, DenseVotes(VOTES), [(weights, rows)], start, Tolerance(), computing=UNASKED
        )
    )
    before = TRACES["fit_rows"]
    other = type(numbers)(*(np.full(2, value * 1.5) for value in numbers))
    votes = DenseVotes(counts(14, 5, 3, seed=9)[:13])
    fewer = Weights(np.ones((2, 13)), np.ones((2, 5)))
    list(
        fit_rows(method, votes, [(fewer, other)], start[:13], Tolerance(1e-3, 7), computing=UNASKED)
    )
    assert TRACES["fit_rows"] == before


def one_label() -> Any:
    return np.ones((5, 3, 1))


def same_label() -> Any:
    votes = np.zeros((5, 3, 2))
    votes[:, :, 1] = 1
    return votes


def one_annotator() -> Any:
    return counts(6, 1, 3, missing=0.0)


def all_tied() -> Any:
    votes = np.zeros((4, 2, 2))
    votes[:, 0, 0] = votes[:, 1, 1] = 1
    return votes


def an_item_and_an_annotator_without_votes() -> Any:
    votes = counts(6, 4, 3, missing=0.0)
    votes[2] = 0
    votes[:, 1] = 0
    return votes


@EACH
@pytest.mark.parametrize(
    "votes",
    [
        one_label(),
        same_label(),
        one_annotator(),
        all_tied(),
        an_item_and_an_annotator_without_votes(),
    ],
    ids=["one label", "one label of two", "one annotator", "all tied", "gaps"],
)
@pytest.mark.parametrize("form", [DenseVotes, sparse])
def test_at_the_edges_nothing_leaks(name: str, votes: Any, form: Any) -> None:
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        state = fitted(name, votes, form=form).state
    voted = votes.sum(axis=(1, 2)) > 0
    close(state.probability[voted].sum(axis=1), 1.0)
    given = votes.sum(axis=(0, 2)) > 0
    assert np.isfinite(np.asarray(state.skill)[given]).all()
    given_by = votes.sum(axis=1)
    unanimous = ((given_by > 0).sum(axis=1) == 1) & (len(votes[0]) > 1)
    if unanimous[voted].all():
        assert (state.probability.argmax(axis=1) == given_by.argmax(axis=1))[voted].all()


@pytest.mark.parametrize("name", MODELS)
def test_control_items_are_held_to_their_labels(name: str) -> None:
    state = fitted(name, VOTES, known=KNOWN).state
    controlled = KNOWN.sum(axis=1) > 0
    close(state.probability[controlled], KNOWN[controlled])


def test_an_annotator_without_control_items_keeps_the_skill_of_the_method() -> None:
    votes = VOTES.copy()
    votes[[1, 6], 4] = 0
    plain, controlled = settled("wawa", votes), settled("wawa", votes, known=KNOWN)
    close(controlled.skill[4], plain.skill[4])
    assert (controlled.skill[:4] != plain.skill[:4]).any()
