"""GLAD: the ability of annotators and the difficulty of items.

Whitehill, Ruvolo, Wu, Bergsma and Movellan (2009). With alpha_a the ability of annotator a,
negative for an adversary, and 1 / beta_i the difficulty of item i,

    P(vote of a on i is right) = 1 / (1 + exp(-alpha_a beta_i)),

all wrong labels are equally probable, and so are all true labels. With n_iat the votes of a for
label t on item i, and L labels, the probability of true label t of item i is proportional to P_it:

    P_it = exp(beta_i sum_a alpha_a n_iat + log(L - 1) sum_a n_iat).

alpha and log beta have normal priors. EM finds the joint mode; its M-step takes a few damped Newton
steps, alternately in alpha and log beta.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.confusion import posterior_by
from iaa_jax.kernels.labelling.method import Options, Parameters, Weights
from iaa_jax.kernels.labelling.votes import VotePairs, Votes, clamped
from iaa_jax.kernels.namespace import Array, largest_change, namespace, special


class GladPriors(NamedTuple):
    """The normal priors of ability (alpha) and log ease (log beta); the paper's by default."""

    ability: float = 1.0
    """Mean of alpha."""

    ability_sd: float = 1.0
    """Standard deviation of alpha."""

    log_ease: float = 1.0
    """Mean of log beta."""

    log_ease_sd: float = 1.0
    """Standard deviation of log beta."""


class Abilities(NamedTuple):
    """The state: labels, abilities of annotators and ease of items."""

    probability: Array  # (item, true label)
    prior: Array  # (true label,) uniform
    ability: Array  # (annotator,) alpha
    log_ease: Array  # (item,) log beta
    log_likelihood: Array  # includes the log density of the priors, up to a constant
    change: Array

    @property
    def item_parts(self) -> tuple[str, ...]:
        """Names of the state's arrays that have an item axis."""
        return ("probability", "log_ease")

    @property
    def skill(self) -> Array:
        """Ability: the log odds of being right on an item whose ease is 1."""
        return self.ability

    @property
    def difficulty(self) -> Array:
        """The difficulty of items, ``1 / beta`` (item,)."""
        return namespace(self.log_ease).exp(-self.log_ease)


@dataclass(frozen=True)
class Glad:
    """EM with ``climbs`` Newton steps of alpha and log beta after each posterior."""

    climbs: int = 2

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return ("ability", "log_ease")

    @property
    def item_moves(self) -> tuple[str, ...]:
        """Names of the parameters with an item axis."""
        return ("log_ease",)

    def within(self, parameters: Parameters, options: Options) -> Parameters:
        """Return the parameters unchanged, because every number is admissible."""
        return parameters

    def start(
        self, data: Votes, weights: Weights, probability: Array, options: Options
    ) -> Abilities:
        """Return abilities and ease after Newton steps from the means of their priors."""
        numbers = options or GladPriors()
        xp = namespace(probability, *weights, *numbers)
        prior = xp.zeros_like(probability[0, :]) + 1 / probability.shape[1]
        infinite = xp.asarray(xp.inf, dtype=probability.dtype)
        ability = xp.zeros_like(weights.annotator) + numbers.ability
        log_ease = xp.zeros_like(weights.item) + numbers.log_ease
        state = Abilities(clamped(data, probability), prior, ability, log_ease, -infinite, infinite)
        return self._climbed(data, weights, state, numbers)

    def step(self, data: Votes, weights: Weights, state: Abilities, options: Options) -> Abilities:
        """Return the state after one iteration."""
        numbers = options or GladPriors()
        xp = namespace(state.probability, *weights, *numbers)
        labels = state.prior.shape[0]
        log_others = math.log(max(labels - 1, 1))
        eye = xp.eye(labels, dtype=state.prior.dtype)[None, :, :]
        skilled = weights.annotator * state.ability
        both = xp.stack([skilled, weights.annotator], axis=1)
        sums = data.scores(both[:, None, :, None] * eye[:, :, None, :])  # (item, 2, label)
        ease = xp.exp(state.log_ease)
        scores = ease[:, None] * sums[:, 0, :] + log_others * sums[:, 1, :]
        posterior = posterior_by(data, scores, xp.log(state.prior))

        pairs = data.pairs(labels)
        wrong = _log_sigmoid(-pairs.each(state.ability) * ease[:, None]) - log_others
        of_items = posterior.log_likelihood + pairs.by_item(pairs.each(weights.annotator) * wrong)
        # not a matrix product, because starting BLAS threads costs more than the sum
        densities = of_items + _log_normal(state.log_ease, *numbers[2:])
        likelihood = xp.sum(weights.item * densities)
        likelihood = likelihood + xp.sum(_log_normal(state.ability, *numbers[:2]))
        change = largest_change(xp, posterior.probability, state.probability)
        state = state._replace(
            probability=posterior.probability, log_likelihood=likelihood, change=change
        )
        return self._climbed(data, weights, state, numbers)

    def _climbed(
        self, votes: Votes, weights: Weights, state: Abilities, options: GladPriors
    ) -> Abilities:
        xp = namespace(state.probability, *weights, *options)
        labels, annotators = state.prior.shape[0], weights.annotator.shape[0]
        eye = xp.eye(labels, dtype=state.prior.dtype)
        pairs = votes.pairs(labels)
        ability, log_ease = state.ability, state.log_ease
        for _ in range(self.climbs):
            ease = xp.exp(log_ease)
            counted = weights.item * ease
            right = votes.totals(counted[:, None] * state.probability, annotators, labels)
            chance, spread = _sigmoids(pairs, ability, ease)
            slope = xp.sum(right * eye, axis=(1, 2)) - pairs.by_annotator(
                counted[:, None] * chance, annotators
            )
            bend = pairs.by_annotator((counted * ease)[:, None] * spread, annotators)
            ability = _moved(ability, slope, bend, options.ability, options.ability_sd)

            skilled = weights.annotator * ability
            table = skilled[:, None, None] * eye[None, :, :]
            right = xp.sum(votes.scores(table) * state.probability, axis=1)
            chance, spread = _sigmoids(pairs, ability, ease)
            skill = pairs.each(skilled)
            slope = ease * (right - pairs.by_item(skill * chance))
            bend = ease**2 * pairs.by_item(skill * pairs.each(ability) * spread)
            log_ease = _moved(log_ease, slope, bend, options.log_ease, options.log_ease_sd)
        return state._replace(ability=ability, log_ease=log_ease)


def _sigmoids(pairs: VotePairs, ability: Array, ease: Array) -> tuple[Array, Array]:
    product = pairs.each(ability) * ease[:, None]
    chance = special(namespace(product), "expit", product)
    return chance, chance * (1 - chance)


def _moved(values: Array, slope: Array, bend: Array, mean: Array, sd: Array) -> Array:
    """Return the values after a Newton step of at most 1; the prior makes the divisor positive."""
    xp = namespace(values, mean, sd)
    precision = 1 / (sd * sd)
    step = (slope - (values - mean) * precision) / (bend + precision)
    return values + xp.where(step > 1, 1.0, xp.where(step < -1, -1.0, step))


def _log_sigmoid(x: Array) -> Array:
    """Return ``log(1 / (1 + exp(-x)))``, stable for large x of either sign."""
    xp = namespace(x)
    return xp.where(x < 0, x, 0.0) - xp.log1p(xp.exp(-xp.abs(x)))


def _log_normal(values: Array, mean: Array, sd: Array) -> Array:
    return -(((values - mean) / sd) ** 2) / 2


GLAD = Glad()
