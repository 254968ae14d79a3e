"""The Expert Coder Index as a method: references, both forms of masses, rows of weights."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax.engine.computing import UNASKED
from iaa_jax.engine.fits import Tolerance, fit
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.kernels.labelling.expert_coder import EXPERT_CODER
from iaa_jax.kernels.labelling.masses import DenseMasses
from iaa_jax.kernels.labelling.method import Weights
from tests.kernels.labelling.masses import dense, listed, noise
from tests.reference.aggregation import AggregationCase, aggregation_cases


@pytest.mark.parametrize("case", aggregation_cases("expert_coder_index"), ids=lambda case: case.id)
def test_the_reference_repeated_votes_included(case: AggregationCase) -> None:
    """Repeated votes count one by one for the majority, and as their mean for the index."""
    votes = case.votes
    times = votes.counts.sum(axis=2)
    masses = DenseMasses(votes.counts / np.maximum(times, 1)[..., None], times)
    weights = Weights(np.ones(len(votes.items)), np.ones(len(votes.annotators)))
    start = np.ones((len(votes.items), len(votes.labels)))
    state = fit(EXPERT_CODER, masses, weights, start, Tolerance()).state
    expected = [case.expected["index"][name] for name in votes.annotators]
    expected = [np.nan if index is None else index for index in expected]
    np.testing.assert_allclose(state.skill, expected, atol=case.abs_tol)
    first = state.probability.argmax(axis=1)
    gold = [str(case.expected["gold"][item]) for item in votes.items]
    assert [votes.labels[code] for code in first] == gold
    shared = (state.probability > state.probability.max(axis=1, keepdims=True) - 1e-9).sum(axis=1)
    tied = [case.expected["decided_by"][item] == "expert_coder_tie" for item in votes.items]
    assert (shared > 1).tolist() == tied


def test_a_crowd_and_a_table_are_one() -> None:
    mass = noise(3)
    weights, start = Weights(np.ones(9), np.ones(4)), np.ones((9, 3))
    table, crowd = (
        fit(EXPERT_CODER, form(mass), weights, start, Tolerance()).state for form in (dense, listed)
    )
    np.testing.assert_allclose(table.skill, crowd.skill, atol=1e-12)
    np.testing.assert_allclose(table.probability, crowd.probability, atol=1e-12)


def test_rows_of_weights_are_single_fits_and_whole_weights_are_repetitions() -> None:
    mass, start = noise(5), np.ones((9, 3))
    rng = np.random.default_rng(1)
    rows = Weights(rng.integers(1, 4, (3, 9)).astype(float), np.ones((3, 4)))
    rows.annotator[2, 1] = 0.0
    (several,) = fit_rows(
        EXPERT_CODER, dense(mass), [(rows, ())], start, Tolerance(), computing=UNASKED
    )
    for number in range(3):
        one = Weights(rows.item[number], rows.annotator[number])
        alone = fit(EXPERT_CODER, dense(mass), one, start, Tolerance()).state
        np.testing.assert_allclose(several.state.skill[number], alone.skill, atol=1e-10)
        np.testing.assert_allclose(several.state.probability[number], alone.probability, atol=1e-10)
        if number < 2:
            again = np.repeat(mass, rows.item[number].astype(int), axis=0)
            ones = Weights(np.ones(len(again)), np.ones(4))
            repeated = fit(EXPERT_CODER, dense(again), ones, np.ones((len(again), 3)), Tolerance())
            np.testing.assert_allclose(repeated.state.skill, alone.skill, atol=1e-12)


def test_an_annotator_of_no_weight_is_not_there() -> None:
    mass = noise(6)
    without = np.delete(mass, 1, axis=1)
    weights = Weights(np.ones(9), np.array([1.0, 0.0, 1.0, 1.0]))
    found = fit(EXPERT_CODER, dense(mass), weights, np.ones((9, 3)), Tolerance()).state
    weights = Weights(np.ones(9), np.ones(3))
    other = fit(EXPERT_CODER, dense(without), weights, np.ones((9, 3)), Tolerance()).state
    np.testing.assert_allclose(found.probability, other.probability, atol=1e-12)
    np.testing.assert_allclose(np.delete(found.skill, 1), other.skill, atol=1e-12)
