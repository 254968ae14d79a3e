"""Zero-based skill: every annotator starts with the skill of chance, and learns it in rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.kernels.labelling.votes import Votes, clamped
from iaa_jax.kernels.labelling.voting import (
    agreement_with,
    by_control,
    first_of_winners,
    shares_by_skill,
)
from iaa_jax.kernels.namespace import Array, namespace


class LearningRate(NamedTuple):
    """How far a round moves the skills."""

    rate: float = 1.0
    """All the way to the agreement with the vote: 1 at first."""

    factor: float = 0.5
    """What it is multiplied with ..."""

    every: float = 20.0
    """... after so many rounds each."""

    above_chance: float = 1e-5
    """By how much the first skill exceeds 1 / labels."""


class Learned(NamedTuple):
    """The state: votes counted by the skills so far."""

    probability: Array  # (item, label) shares of the votes
    skill: Array  # (annotator,)
    change: Array  # how far skills are from the agreement with the vote
    rounds: Array


@dataclass(frozen=True)
class ZeroBasedSkill:
    """A weighted vote and a step of all skills towards agreement with it, in turn.

    An annotator of control items has the skill shown there from the start.
    """

    def start(self, data: Votes, weights: Weights, probability: Array, options: Options) -> Learned:
        """Every skill just above chance; of annotators without votes undefined."""
        numbers = options or LearningRate()
        xp = namespace(*weights, *numbers)
        labels = probability.shape[1]
        equal = xp.zeros_like(weights.annotator) + (1 / labels + numbers.above_chance)
        shares = shares_by_skill(data, equal, weights, labels)
        voted = agreement_with(data, first_of_winners(xp, shares), weights)
        skill = by_control(data, xp.where(xp.isnan(voted), xp.nan, equal), weights)
        shares = shares_by_skill(data, skill, weights, labels)
        none = xp.zeros_like(weights.annotator[0])
        return Learned(shares, skill, none + xp.inf, none)

    def step(self, data: Votes, weights: Weights, state: Learned, options: Options) -> Learned:
        """One round: the vote by skill, then the step of all skills."""
        numbers = options or LearningRate()
        xp = namespace(state.probability, *weights, *numbers)
        rounds = state.rounds + 1
        rate = numbers.rate * numbers.factor ** xp.floor(rounds / numbers.every)
        gold = clamped(data, first_of_winners(xp, state.probability))
        agreement = by_control(data, agreement_with(data, gold, weights), weights)
        apart = agreement - state.skill
        skill = state.skill + rate * apart
        shares = shares_by_skill(data, skill, weights, state.probability.shape[1])
        change = xp.max(xp.abs(xp.where(xp.isnan(apart), 0.0, apart)))
        return Learned(shares, skill, change, rounds)


ZERO_BASED_SKILL = ZeroBasedSkill()
