"""Methods on the reference tables, each case by its id at its own tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Fit, Tolerance, fit
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.votes import DenseVotes
from iaa_jax.kernels.labelling.voting import shares_of, winners
from tests.reference.aggregation import AggregationCase, aggregation_cases

EXACTLY = Tolerance(1e-13, 10_000)


def fitted(
    case: AggregationCase, name: str, tolerance: Tolerance = EXACTLY, known: Any = None
) -> Fit:
    table = case.votes
    votes = DenseVotes(table.counts, known)
    weights = Weights(table.item_weight, np.ones(len(table.annotators)))
    shares = shares_of(votes, weights.annotator, len(table.labels))
    return fit(METHODS[name].method, votes, weights, shares, tolerance)


def by_id(*methods: str) -> Any:
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.id) for case in aggregation_cases(*methods)]
    )


def check_probability(case: AggregationCase, probability: Any, expected: Any) -> None:
    table = case.votes
    assert set(expected) == set(table.items)
    wanted = [[expected[item][label] for label in table.labels] for item in table.items]
    np.testing.assert_allclose(probability, wanted, rtol=0, atol=case.abs_tol)


def check_winners(case: AggregationCase, probability: Any) -> None:
    table = case.votes
    for item, tied in zip(table.items, winners(np, probability) > 0, strict=True):
        found = [label for label, is_tied in zip(table.labels, tied, strict=True) if is_tied]
        assert found == case.expected["winners"][item]


def check_skills(case: AggregationCase, skill: Any, expected: Any) -> None:
    wanted = [expected[annotator] for annotator in case.votes.annotators]
    np.testing.assert_allclose(skill, wanted, rtol=0, atol=case.abs_tol)


@by_id("majority_vote")
def test_majority(case: AggregationCase) -> None:
    state = fitted(case, "majority").state
    check_probability(case, state.probability, case.expected["probabilities"])
    check_winners(case, state.probability)
    for row, item in zip(state.probability, case.votes.items, strict=True):
        best = case.votes.labels[int(winners(np, row[None])[0].argmax())]
        assert best == case.expected["first_in_label_order"][item]
        assert case.expected["strict_majority"][item] == (best if row.max() > 0.5 else None)


@by_id("wawa", "zero_based_skill")
def test_votes_by_skill(case: AggregationCase) -> None:
    if case.method == "wawa":
        state = fitted(case, "wawa").state
    else:
        steps = case.options["n_iter"]
        state = fitted(case, "zero_based_skill", Tolerance(-1.0, steps)).state
    check_skills(case, state.skill, case.expected["skills"])
    check_probability(case, state.probability, case.expected["probabilities"])
    check_winners(case, state.probability)


def check_prior(case: AggregationCase, prior: Any) -> None:
    wanted = [case.expected["prior"][label] for label in case.votes.labels]
    np.testing.assert_allclose(prior, wanted, rtol=0, atol=case.abs_tol)


@by_id("dawid_skene")
def test_dawid_skene(case: AggregationCase) -> None:
    rounds = case.options["n_iter"]
    converged = rounds == "until converged"
    found = fitted(case, "dawid_skene", EXACTLY if converged else Tolerance(-1.0, rounds))
    check_prior(case, found.state.prior)
    if "posterior" in case.expected:
        check_probability(case, found.state.probability, case.expected["posterior"])
    if "error_rates" in case.expected:
        rates = [case.expected["error_rates"][name] for name in case.votes.annotators]
        np.testing.assert_allclose(found.state.confusion, rates, rtol=0, atol=case.abs_tol)
    if converged:
        assert found.converged
        likelihood = case.expected["log_likelihood"]
        assert found.state.log_likelihood == pytest.approx(likelihood, abs=case.abs_tol)


@by_id("one_coin_dawid_skene")
def test_one_coin(case: AggregationCase) -> None:
    state = fitted(case, "one_coin", Tolerance(-1.0, case.options.get("n_iter", 5))).state
    check_probability(case, state.probability, case.expected["posterior"])
    check_skills(case, state.skill, case.expected["skills"])


@by_id("fast_dawid_skene")
def test_fast_dawid_skene(case: AggregationCase) -> None:
    state = fitted(case, "fast_dawid_skene").state
    labels = [case.votes.labels[code] for code in state.probability.argmax(axis=1)]
    assert dict(zip(case.votes.items, labels, strict=True)) == case.expected["labels"]
    check_prior(case, state.prior)


@by_id("weighted_vote")
def test_weighted_vote(case: AggregationCase) -> None:
    table = case.votes
    weight = np.array([case.options["weights"][name] for name in table.annotators])
    shares = shares_of(DenseVotes(table.counts), weight, len(table.labels))
    check_probability(case, shares, case.expected["probabilities"])
    check_winners(case, shares)


@by_id("gold_weighted_vote")
def test_vote_weighted_by_control_items(case: AggregationCase) -> None:
    table = case.votes
    control = case.options["control_items"]
    known = np.array(
        [[control.get(item) == label for label in table.labels] for item in table.items]
    )
    state = fitted(case, "wawa", known=known.astype(float)).state
    check_skills(case, state.skill, case.expected["skills"])
    check_probability(case, state.probability, case.expected["probabilities"])


@by_id("data_metrics")
def test_skills_are_the_accuracy_on_aggregates(case: AggregationCase) -> None:
    skill = fitted(case, "wawa").state.skill
    check_skills(case, skill, case.expected["accuracy_on_aggregates"])
