"""Dawid and Skene's model (1979) and simpler forms: EM over confusion matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.confusion import (
    CLIP,
    LEAST,
    expected_votes,
    posterior_of,
    prior_of,
    share_right,
    shares_of_rows,
)
from iaa_jax.kernels.labelling.method import Options, Parameters, Weights
from iaa_jax.kernels.labelling.votes import Votes, clamped
from iaa_jax.kernels.labelling.voting import first_winner
from iaa_jax.kernels.namespace import Array, divided, largest_change, namespace


class Confused(NamedTuple):
    """The state of a model with confusion matrices."""

    probability: Array  # (item, true label)
    prior: Array  # (true label,)
    confusion: Array  # (annotator, true label, label)
    log_likelihood: Array
    change: Array

    @property
    def skill(self) -> Array:
        """The probability that an annotator gives the true label."""
        return share_right(self.prior, self.confusion)


@dataclass(frozen=True)
class ConfusionModel:
    """EM, in which ``confusion_of`` estimates confusion matrices from expected votes.

    If ``hard``, every item takes its most probable label with certainty, the first if tied.
    """

    confusion_of: Callable[[Array], Array]
    hard: bool = False

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the parameters that acceleration extrapolates; none if ``hard``."""
        return () if self.hard else ("prior", "confusion")

    def within(self, parameters: Parameters, options: Options) -> Parameters:
        """Return the prior and the confusion matrices, without probabilities near 0."""
        prior, confusion = parameters
        xp = namespace(prior, confusion)
        prior = xp.where(prior < LEAST, LEAST, prior)
        return prior / xp.sum(prior), shares_of_rows(xp.where(confusion < CLIP, CLIP, confusion))

    def start(
        self, data: Votes, weights: Weights, probability: Array, options: Options
    ) -> Confused:
        """Return the state with parameters from initial probabilities, such as vote shares."""
        xp = namespace(probability, *weights)
        infinite = xp.asarray(xp.inf, dtype=probability.dtype)
        probability = clamped(data, probability)
        if self.hard:
            probability = first_winner(xp, probability)
        return self._maximised(data, weights, probability, -infinite, infinite)

    def step(self, data: Votes, weights: Weights, state: Confused, options: Options) -> Confused:
        """Return the state after one iteration."""
        xp = namespace(state.probability, *weights)
        posterior = posterior_of(data, weights.annotator, state.prior, state.confusion)
        # not a matrix product, because starting BLAS threads costs more than 20,000 additions
        likelihood = xp.sum(weights.item * posterior.log_likelihood)
        probability = posterior.probability
        if self.hard:
            probability = first_winner(xp, probability)
        change = largest_change(xp, probability, state.probability)
        return self._maximised(data, weights, probability, likelihood, change)

    def _maximised(
        self, votes: Votes, weights: Weights, probability: Array, likelihood: Array, change: Array
    ) -> Confused:
        counts = expected_votes(votes, weights, probability)
        prior = prior_of(weights.item, probability)
        return Confused(probability, prior, self.confusion_of(counts), likelihood, change)


def one_coin_confusion(counts: Array) -> Array:
    """Return confusion matrices with one skill per annotator and equally likely wrong labels."""
    xp = namespace(counts)
    labels = counts.shape[-1]
    eye = xp.eye(labels, dtype=counts.dtype)
    hits = xp.sum(counts * eye, axis=(-1, -2))
    total = xp.sum(counts, axis=(-1, -2))
    skill = xp.where(total > 0, divided(xp, hits, total), 1 / labels)[..., None, None]
    return shares_of_rows(eye * skill + (1 - eye) * (1 - skill) / max(labels - 1, 1))


DAWID_SKENE = ConfusionModel(shares_of_rows)
"""One confusion matrix per annotator."""

ONE_COIN = ConfusionModel(one_coin_confusion)
"""One skill per annotator."""

FAST_DAWID_SKENE = ConfusionModel(shares_of_rows, hard=True)
"""One confusion matrix per annotator, with hard labels (Sinha, Rao, Balasubramanian 2018)."""
