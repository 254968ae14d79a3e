"""Votes by weight: majority, and annotators weighted by how often they agree with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.kernels.labelling.votes import Votes, clamped
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace

TIED = 1e-9
"""Shares nearer than this are tied: sums of weights round."""


class Voted(NamedTuple):
    """Votes counted by the skills of annotators."""

    probability: Array  # (item, label) shares of the votes
    skill: Array  # (annotator,)
    change: Array


@dataclass(frozen=True)
class Majority:
    """Every vote counts the same; skill is the share of an annotator's votes that win."""

    def start(self, data: Votes, weights: Weights, probability: Array, options: Options) -> Voted:
        """Shares of the votes."""
        xp = namespace(*weights)
        shares = shares_of(data, weights.annotator, probability.shape[1])
        skill = agreement_with(data, clamped(data, winners(xp, shares)), weights)
        return Voted(shares, skill, xp.zeros_like(weights.annotator[0]))

    def step(self, data: Votes, weights: Weights, state: Voted, options: Options) -> Voted:
        """Nothing changes."""
        return state


@dataclass(frozen=True)
class Wawa:
    """Votes weighted by agreement with the majority, of tied labels the first.

    An annotator of control items has the skill shown there instead; where all have, this is the
    vote weighted by control items.
    """

    def start(self, data: Votes, weights: Weights, probability: Array, options: Options) -> Voted:
        """Skill with the majority, and the vote by it."""
        xp = namespace(*weights)
        labels = probability.shape[1]
        majority = first_of_winners(xp, shares_of(data, weights.annotator, labels))
        skill = by_control(data, agreement_with(data, majority, weights), weights)
        shares = shares_by_skill(data, skill, weights, labels)
        return Voted(shares, skill, xp.zeros_like(weights.annotator[0]))

    def step(self, data: Votes, weights: Weights, state: Voted, options: Options) -> Voted:
        """Nothing changes."""
        return state


def shares_by_skill(votes: Votes, skill: Array, weights: Weights, labels: int) -> Array:
    """The share of the votes for each label, by skill; an unknown skill counts nothing."""
    xp = namespace(skill, *weights)
    known = xp.where(xp.isnan(skill), xp.zeros_like(skill), skill)
    return shares_of(votes, weights.annotator * known, labels)


def by_control(votes: Votes, skill: Array, weights: Weights) -> Array:
    """The share of votes on control items that are right; ``skill`` of annotators of none."""
    if votes.known is None:
        return skill
    xp = namespace(skill, *weights)
    shown = agreement_with(votes, votes.known, weights)
    return xp.where(xp.isnan(shown), skill, shown)


def shares_of(votes: Votes, weight: Array, labels: int) -> Array:
    """The weighted share of the votes for each label (item, label); equal votes where none weighs.

    ``sum_a v_a n_ial / sum_al v_a n_ial``
    """
    xp = namespace(weight)
    eye = xp.eye(labels, dtype=weight.dtype)[None, :, :]
    summed = votes.scores(weight[:, None, None] * eye)
    plain = votes.scores(xp.ones_like(weight)[:, None, None] * eye)
    total = xp.sum(summed, axis=1, keepdims=True)
    shares = divided(xp, summed, total)
    of_equal = divided(xp, plain, xp.sum(plain, axis=1, keepdims=True))
    return xp.where(total > 0, shares, of_equal)


def winners(xp: Namespace, probability: Array) -> Array:
    """The labels with the largest figure (item, label): tied ones share 1."""
    tied = probability >= xp.max(probability, axis=1, keepdims=True) - TIED
    shares = xp.astype(tied, probability.dtype)
    return shares / xp.sum(shares, axis=1, keepdims=True)


def first_of_winners(xp: Namespace, probability: Array) -> Array:
    """One-hot (item, label): the label with the largest figure, the first of tied ones."""
    tied = winners(xp, probability) > 0
    before = xp.cumulative_sum(xp.astype(tied, xp.int32), axis=1)
    return xp.astype(tied & (before == 1), probability.dtype)


def agreement_with(votes: Votes, gold: Array, weights: Weights) -> Array:
    """The share of each annotator's votes that the gold labels (item, label) also have.

    ``sum_i w_i sum_l n_ial g_il / sum_i w_i sum_l n_ial sum_l g_il``; NaN for who gave no vote on
    an item with a gold label.
    """
    xp = namespace(gold, *weights)
    annotators, labels = weights.annotator.shape[0], gold.shape[1]
    by_label = votes.totals(weights.item[:, None] * gold, annotators, labels)
    given = xp.sum(by_label, axis=(1, 2))
    agreed = xp.sum(by_label * xp.eye(labels, dtype=gold.dtype), axis=(1, 2))
    return xp.where(given > 0, divided(xp, agreed, given), xp.nan)


MAJORITY, WAWA = Majority(), Wawa()
