"""Zero-based skill: skills start just above chance, and are learned in many steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.kernels.labelling.votes import Votes, clamped
from iaa_jax.kernels.labelling.voting import (
    agreement_with,
    by_control,
    first_winner,
    shares_by_skill,
)
from iaa_jax.kernels.namespace import Array, namespace


class LearningRate(NamedTuple):
    """The learning rate of each step, and the initial skill."""

    rate: float = 1.0
    """The rate of the first steps; at 1, skills become the agreement with the vote."""

    factor: float = 0.5
    """The factor by which the rate is multiplied at each change."""

    every: float = 20.0
    """The number of steps between changes of the rate."""

    above_chance: float = 1e-5
    """The excess of the initial skill over 1 / L, with L labels."""


class Learned(NamedTuple):
    """The state: votes weighted by the skills so far."""

    probability: Array  # (item, label) shares of the votes
    skill: Array  # (annotator,)
    change: Array  # largest distance of a skill from the agreement with the vote
    rounds: Array


@dataclass(frozen=True)
class ZeroBasedSkill:
    """A method that alternates between a weighted vote and a change of skills towards the vote.

    The skill of annotators who rated control items is their accuracy on these items from the start.
    """

    def start(self, data: Votes, weights: Weights, probability: Array, options: Options) -> Learned:
        """Return the initial skills, NaN for annotators without votes, and their vote shares."""
        numbers = options or LearningRate()
        xp = namespace(*weights, *numbers)
        labels = probability.shape[1]
        equal = xp.zeros_like(weights.annotator) + (1 / labels + numbers.above_chance)
        shares = shares_by_skill(data, equal, weights, labels)
        voted = agreement_with(data, first_winner(xp, shares), weights)
        skill = by_control(data, xp.where(xp.isnan(voted), xp.nan, equal), weights)
        shares = shares_by_skill(data, skill, weights, labels)
        zero = xp.zeros_like(weights.annotator[0])
        return Learned(shares, skill, zero + xp.inf, zero)

    def step(self, data: Votes, weights: Weights, state: Learned, options: Options) -> Learned:
        """Return the state after one step."""
        numbers = options or LearningRate()
        xp = namespace(state.probability, *weights, *numbers)
        rounds = state.rounds + 1
        rate = numbers.rate * numbers.factor ** xp.floor(rounds / numbers.every)
        gold = clamped(data, first_winner(xp, state.probability))
        agreement = by_control(data, agreement_with(data, gold, weights), weights)
        difference = agreement - state.skill
        skill = state.skill + rate * difference
        shares = shares_by_skill(data, skill, weights, state.probability.shape[1])
        change = xp.max(xp.abs(xp.where(xp.isnan(difference), 0.0, difference)))
        return Learned(shares, skill, change, rounds)


ZERO_BASED_SKILL = ZeroBasedSkill()
