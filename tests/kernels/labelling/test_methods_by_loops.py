"""Every method against slow loops written from its paper, on random votes with gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from iaa_jax.engine.fits import Tolerance
from tests.kernels.labelling.votes import SHAPES, counts, fitted, one_hot, task_of
from tests.oracles import labelling as loops

ROUNDS = 6
SOME = Tolerance(-1.0, ROUNDS)
EACH = pytest.mark.parametrize("shape", SHAPES, ids=str)
CONTROLLED = pytest.mark.parametrize("known", [{}, {0: 1, 3: 0}], ids=["", "control items"])


def close(found: Any, wanted: Any, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)


def at_once(name: str, votes: Any, known: dict[int, int], tolerance: Tolerance = SOME) -> Any:
    hot = one_hot(known, votes.shape[0], votes.shape[2]) if known else None
    return fitted(name, votes, known=hot, tolerance=tolerance).state


@EACH
def test_majority(shape: tuple[int, int, int]) -> None:
    votes = counts(*shape)
    state = fitted("majority", votes).state
    voted = votes.sum(axis=(1, 2)) > 0
    close(state.probability[voted], np.array(loops.vote_shares(task_of(votes)))[voted])


@EACH
@CONTROLLED
def test_wawa(shape: tuple[int, int, int], known: dict[int, int]) -> None:
    votes = counts(*shape)
    state = at_once("wawa", votes, known)
    shares, skills = loops.wawa(task_of(votes), known)
    voted = votes.sum(axis=(1, 2)) > 0
    close(state.probability[voted], np.array(shares)[voted])
    close(state.skill, skills)


@EACH
@CONTROLLED
def test_zero_based_skill(shape: tuple[int, int, int], known: dict[int, int]) -> None:
    votes = counts(*shape)
    state = at_once("zero_based_skill", votes, known, Tolerance(-1.0, 100))
    shares, skills = loops.zero_based_skill(task_of(votes), known=known)
    voted = votes.sum(axis=(1, 2)) > 0
    close(state.probability[voted], np.array(shares)[voted])
    close(state.skill, skills)


@EACH
@CONTROLLED
@pytest.mark.parametrize("name", ["dawid_skene", "one_coin", "fast_dawid_skene"])
def test_models_by_confusion(shape: tuple[int, int, int], known: dict[int, int], name: str) -> None:
    votes = counts(*shape)
    state = at_once(name, votes, known)
    matrices = loops.one_coin_matrices if name == "one_coin" else loops.confusion_matrices
    hard = name == "fast_dawid_skene"
    model = loops.dawid_skene(task_of(votes), ROUNDS, matrices, hard=hard, known=known)
    close(state.probability, model.posterior)
    close(state.prior, model.prior)
    close(state.confusion, model.confusion)
    close(state.log_likelihood, model.log_likelihood, 1e-8)


@EACH
@CONTROLLED
def test_mace(shape: tuple[int, int, int], known: dict[int, int]) -> None:
    votes = counts(*shape)
    state = at_once("mace", votes, known)
    model = loops.mace(task_of(votes), ROUNDS, known=known)
    close(state.probability, model.posterior)
    close(state.skill, model.competence)
    close(state.spam_labels, model.spam_labels)
    close(state.log_likelihood, model.bound)
    close(state.confusion.sum(axis=2), 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_of_mace_never_falls(seed: int) -> None:
    votes = counts(20, 5, 3, seed)
    bounds = [
        float(fitted("mace", votes, tolerance=Tolerance(-1.0, rounds)).state.log_likelihood)
        for rounds in range(1, 25)
    ]
    assert np.diff(bounds).min() > -1e-9


@EACH
@CONTROLLED
def test_glad_ends_at_the_most_probable_abilities_and_ease(
    shape: tuple[int, int, int], known: dict[int, int]
) -> None:
    votes = counts(*shape)
    task = task_of(votes)
    state = at_once("glad", votes, known, Tolerance(1e-12, 5000))
    posterior, objective = loops.glad_posterior(task, state.ability, state.log_ease, known)
    close(state.probability, posterior, 1e-8)
    close(state.log_likelihood, objective, 1e-8)

    def lost(numbers: Any) -> float:
        ability, log_ease = numbers[: task.annotators], numbers[task.annotators :]
        return -loops.glad_posterior(task, ability, log_ease, known)[1]

    at = np.concatenate([state.ability, state.log_ease])
    assert np.abs(approx_fprime(at, lost)).max() < 1e-4
    far = np.random.default_rng(1).normal(1, 1, size=at.shape)  # drawn from the priors
    for start in (np.ones_like(at), far):
        found = minimize(lost, start, method="L-BFGS-B")
        assert found.fun == pytest.approx(lost(at), abs=1e-5)


@pytest.mark.parametrize("name", ["dawid_skene", "one_coin", "glad"])
def test_the_likelihood_never_falls(name: str) -> None:
    votes = counts(30, 5, 3, 1)
    likelihoods = [
        float(fitted(name, votes, tolerance=Tolerance(-1.0, rounds)).state.log_likelihood)
        for rounds in range(1, 30)
    ]
    assert np.diff(likelihoods).min() > -1e-7
