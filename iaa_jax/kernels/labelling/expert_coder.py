"""The Expert Coder Index: gold labels by strict majority, or otherwise by the best annotator."""

from __future__ import annotations

from dataclasses import dataclass

from iaa_jax.kernels.labelling.masses import Masses
from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.kernels.labelling.voting import TIED, Voted, winners
from iaa_jax.kernels.namespace import Array, divided, namespace


@dataclass(frozen=True)
class ExpertCoder:
    """A label with over half of the votes, or the label of the annotator with the highest index.

    The index of annotator a is the share of agreement in comparisons with other annotators,

        sum_i w_i sum_(b not a) v_b m_ia . m_ib / sum_i w_i sum_(b not a) v_b

    over the items i of annotator a, with w_i and v_b the weights of items and annotators, and m_ia
    the mass of the annotator's rating. ``probability`` is the share of the votes if one label has
    more than half. Otherwise it is 1 for the label of the item's best annotator, or divided equally
    between the labels of several best annotators.

    If an annotator has several votes on an item, the data contain their mean, and ``rated`` their
    number.
    """

    def start(self, data: Masses, weights: Weights, probability: Array, options: Options) -> Voted:
        """Return the index as skill, and the labels that follow from it."""
        xp = namespace(*weights, data.mass)
        annotators = weights.annotator.shape[0]
        voice = data.at_ratings(weights.annotator) * xp.astype(data.rated > 0, data.mass.dtype)
        weighted = voice[..., None] * data.mass
        others = xp.sum(weighted, axis=1, keepdims=True) - weighted
        agreed = xp.sum(data.mass * others, axis=2)
        compared = (xp.sum(voice, axis=1, keepdims=True) - voice) * (data.rated > 0)
        of_item = weights.item[:, None]
        agreeing = data.totals(of_item * agreed, annotators)
        comparisons = data.totals(of_item * compared, annotators)
        index = xp.where(comparisons > TIED, divided(xp, agreeing, comparisons), xp.nan)
        votes = voice * data.rated
        sums = xp.sum(votes[..., None] * data.mass, axis=1)
        shares = divided(xp, sums, xp.sum(votes, axis=1)[:, None])
        strict = xp.max(shares, axis=1, keepdims=True) > 0.5 + TIED
        expert = _expert_labels(data, voice, index)
        return Voted(xp.where(strict, shares, expert), index, xp.zeros_like(weights.annotator[0]))

    def step(self, data: Masses, weights: Weights, state: Voted, options: Options) -> Voted:
        """Return the same state."""
        return state


def _expert_labels(data: Masses, voice: Array, index: Array) -> Array:
    xp = namespace(index, data.mass)
    known = data.at_ratings(xp.where(xp.isnan(index), -xp.ones_like(index), index))
    counts = voice > 0
    of_rating = xp.where(counts, known, -2 * xp.ones_like(voice))
    best = counts & (of_rating >= xp.max(of_rating, axis=1, keepdims=True) - TIED)
    largest = xp.max(data.mass, axis=2, keepdims=True)
    labels = best[..., None] & (data.mass >= largest - TIED)
    return winners(xp, xp.astype(xp.any(labels, axis=1), data.mass.dtype))


EXPERT_CODER = ExpertCoder()
