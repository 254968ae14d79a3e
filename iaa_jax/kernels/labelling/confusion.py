"""Models of annotators by confusion matrices: probabilities of labels given the true label.

Let n_ial be the number of votes of annotator a for label l on item i, pi_t the share of true label
t, and c_atl the probability that annotator a gives label l to an item of true label t; v_a and w_i
are the weights of annotators and items. All these models have the posterior

    P_it ~ pi_t prod_al c_atl^(v_a n_ial)

and differ in how they estimate c from the expected votes ``sum_i w_i P_it n_ial``.
"""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.votes import Votes
from iaa_jax.kernels.namespace import (
    Array,
    divided,
    namespace,
    softmax_of_rows,
    sum_of_rows,
)

CLIP = 1e-10
"""The smallest probability of a vote, so that no single vote rules out a label."""


LEAST = 1e-300
"""The number that replaces a prior of 0, which has no logarithm."""


class Posterior(NamedTuple):
    """The posterior of each item's true label, given the votes."""

    probability: Array  # (item, label)
    log_likelihood: Array  # (item,)


def posterior_of(
    votes: Votes, annotator_weight: Array, prior: Array, confusion: Array
) -> Posterior:
    """Return P_it and the log of its normalising sum; items with a known label keep this label."""
    xp = namespace(prior, confusion)
    weighted = annotator_weight[:, None, None] * xp.log(confusion)
    logs = xp.permute_dims(weighted, (0, 2, 1))
    products = votes.products(logs)
    if products is None:
        return posterior_by(votes, votes.scores(logs), xp.log(xp.where(prior > 0, prior, LEAST)))
    joint = products * prior
    total = xp.sum(joint, axis=1)
    return Posterior(joint / total[:, None], xp.log(total))


def posterior_by(votes: Votes, scores: Array, log_prior: Array) -> Posterior:
    """Return the posterior from log likelihoods ``scores`` (item, label) and the log prior."""
    xp = namespace(scores)
    if votes.known is not None:
        excluded = (votes.known == 0) & (xp.sum(votes.known, axis=1, keepdims=True) > 0)
        scores = xp.where(excluded, -xp.inf, scores)
    return Posterior(*softmax_of_rows(xp, scores, log_prior))


def expected_votes(votes: Votes, weights: Weights, probability: Array) -> Array:
    """Return the expected votes (annotator, true label, label)."""
    xp = namespace(probability, *weights)
    annotators, labels = weights.annotator.shape[0], probability.shape[1]
    totals = votes.totals(weights.item[:, None] * probability, annotators, labels)
    return xp.permute_dims(totals, (0, 2, 1))


def smoothed_posterior(
    votes: Votes,
    weights: Weights,
    probability: Array,
    prior: Array,
    confusion: Array,
    pseudo: float,
) -> Array:
    """Return P_it with ``pseudo`` votes added to every cell of the confusion matrices.

    ``c'_atl = (n_at c_atl + h) / (n_at + h L)``, with n_at the expected votes on items of true
    label t, h the number of pseudo votes, and L labels.
    """
    xp = namespace(probability, confusion)
    labels = prior.shape[0]
    total = xp.sum(expected_votes(votes, weights, probability), axis=2, keepdims=True)
    smoothed = (total * confusion + pseudo) / (total + pseudo * labels)
    return posterior_of(votes, weights.annotator, prior, smoothed).probability


def prior_of(item_weight: Array, probability: Array) -> Array:
    """Return the share of each true label, the weighted mean of ``probability``."""
    xp = namespace(item_weight, probability)
    return sum_of_rows(xp, item_weight, probability) / xp.sum(item_weight)


def shares_of_rows(counts: Array) -> Array:
    """Return counts (..., label) as shares of rows, clipped at `CLIP`; empty rows are uniform."""
    xp = namespace(counts)
    shares = divided(xp, counts, xp.sum(counts, axis=-1, keepdims=True))
    clipped = xp.where(shares < CLIP, CLIP, shares)
    return clipped / xp.sum(clipped, axis=-1, keepdims=True)


def share_right(prior: Array, confusion: Array) -> Array:
    """Return the probability that an annotator gives the true label, ``sum_t pi_t c_att``.

    Priors (..., label) and matrices (..., annotator, true label, label) may hold several fits.
    """
    xp = namespace(prior, confusion)
    eye = xp.eye(prior.shape[-1], dtype=prior.dtype)
    return xp.sum(confusion * eye * prior[..., None, :, None], axis=(-1, -2))
