"""Voting by majority, and voting with annotators weighted by agreement with the majority."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.kernels.labelling.votes import Votes, clamped
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace

TIED = 1e-9
"""Shares that differ by less than this count as tied, because sums of weights are rounded."""


class Voted(NamedTuple):
    """The state of a method that needs no steps."""

    probability: Array  # (item, label)
    skill: Array  # (annotator,)
    change: Array  # 0


@dataclass(frozen=True)
class Majority:
    """Voting that does not take account of the annotators' skills.

    The skill of an annotator is the share of the annotator's votes that win. Tied labels share a
    win equally. On control items, which have a known label, this label wins.
    """

    def start(self, data: Votes, weights: Weights, probability: Array, options: Options) -> Voted:
        """Return the vote shares, and each annotator's share of votes that win."""
        xp = namespace(*weights)
        shares = shares_of(data, weights.annotator, probability.shape[1])
        skill = agreement_with(data, clamped(data, winners(xp, shares)), weights)
        return Voted(shares, skill, xp.zeros_like(weights.annotator[0]))

    def step(self, data: Votes, weights: Weights, state: Voted, options: Options) -> Voted:
        """Return the same state."""
        return state


@dataclass(frozen=True)
class Wawa:
    """Votes weighted by agreement with the majority (the first label if tied).

    The skill of annotators who rated control items is their accuracy on these items instead.
    """

    def start(self, data: Votes, weights: Weights, probability: Array, options: Options) -> Voted:
        """Return the skills, and vote shares weighted by the skills."""
        xp = namespace(*weights)
        labels = probability.shape[1]
        majority = first_winner(xp, shares_of(data, weights.annotator, labels))
        skill = by_control(data, agreement_with(data, majority, weights), weights)
        shares = shares_by_skill(data, skill, weights, labels)
        return Voted(shares, skill, xp.zeros_like(weights.annotator[0]))

    def step(self, data: Votes, weights: Weights, state: Voted, options: Options) -> Voted:
        """Return the same state."""
        return state


def shares_by_skill(votes: Votes, skill: Array, weights: Weights, labels: int) -> Array:
    """Return vote shares (item, label), weighted by skill as well as by annotator weight.

    An unknown skill (NaN) counts as 0.
    """
    xp = namespace(skill, *weights)
    known = xp.where(xp.isnan(skill), xp.zeros_like(skill), skill)
    return shares_of(votes, weights.annotator * known, labels)


def by_control(votes: Votes, skill: Array, weights: Weights) -> Array:
    """Return each annotator's accuracy on control items, or ``skill`` if they rated none."""
    if votes.known is None:
        return skill
    xp = namespace(skill, *weights)
    accuracy = agreement_with(votes, votes.known, weights)
    return xp.where(xp.isnan(accuracy), skill, accuracy)


def shares_of(votes: Votes, weight: Array, labels: int) -> Array:
    """Return vote shares (item, label), ``sum_a v_a n_ial / sum_al v_a n_ial``.

    v_a is the ``weight`` of annotator a, and n_ial the number of a's votes for label l on item i.
    If all votes of an item have weight 0, they count equally.
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
    """Return 1 for an item's most probable label, divided between tied labels: (item, label)."""
    tied = probability >= xp.max(probability, axis=1, keepdims=True) - TIED
    shares = xp.astype(tied, probability.dtype)
    return shares / xp.sum(shares, axis=1, keepdims=True)


def first_winner(xp: Namespace, probability: Array) -> Array:
    """Return each item's most probable label, the first if tied, as one-hot rows (item, label)."""
    tied = winners(xp, probability) > 0
    before = xp.cumulative_sum(xp.astype(tied, xp.int32), axis=1)
    return xp.astype(tied & (before == 1), probability.dtype)


def agreement_with(votes: Votes, gold: Array, weights: Weights) -> Array:
    """Return the share of each annotator's votes that match ``gold``, g_il for label l of item i.

    It is ``sum_i w_i sum_l n_ial g_il / sum_i w_i sum_l n_ial sum_l g_il`` for annotator a, with
    w_i the item weights and n_ial as in `shares_of`. It is NaN if the annotator has no vote on
    items with a gold label.
    """
    xp = namespace(gold, *weights)
    annotators, labels = weights.annotator.shape[0], gold.shape[1]
    by_label = votes.totals(weights.item[:, None] * gold, annotators, labels)
    compared = xp.sum(by_label, axis=(1, 2))
    agreed = xp.sum(by_label * xp.eye(labels, dtype=gold.dtype), axis=(1, 2))
    return xp.where(compared > 0, divided(xp, agreed, compared), xp.nan)


MAJORITY, WAWA = Majority(), Wawa()
