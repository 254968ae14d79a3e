"""MACE: annotators know the true label of an item, or spam from their own distribution.

Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013). With theta_a the competence of annotator a, which
is the probability of knowing the true label, and xi_a the distribution of the annotator's spam, the
votes have the confusion matrix

    c_atl = theta_a [l = t] + (1 - theta_a) xi_al

and all true labels are equally probable. Competence has a Beta prior and spam a Dirichlet prior.
Variational Bayes alternately updates their posteriors and the posterior of the true labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.confusion import expected_votes, posterior_of
from iaa_jax.kernels.labelling.method import Options, Parameters, Weights
from iaa_jax.kernels.labelling.votes import Votes, clamped
from iaa_jax.kernels.namespace import (
    Array,
    divided,
    largest_change,
    like,
    namespace,
    special,
)


class MacePriors(NamedTuple):
    """Pseudo votes added to the observed ones; the defaults are the paper's."""

    knows: float = 0.5
    """Pseudo votes by knowledge: the first parameter of the Beta prior of competence."""

    spams: float = 0.5
    """Pseudo votes by spamming: the second parameter of the Beta prior of competence."""

    spam_labels: float = 10.0
    """Pseudo votes for each label by spamming: the Dirichlet prior."""


class Competence(NamedTuple):
    """The state: labels, and the posteriors of competence and spam."""

    probability: Array  # (item, true label)
    prior: Array  # (true label,) uniform
    knows: Array  # (annotator,) first parameter of the Beta posterior
    spams: Array  # (annotator,) second parameter of the Beta posterior
    spam_labels: Array  # (annotator, label) parameters of the Dirichlet posterior
    log_likelihood: Array  # the variational lower bound, which the steps raise
    change: Array

    @property
    def skill(self) -> Array:
        """Competence: the posterior mean."""
        return self.knows / (self.knows + self.spams)

    @property
    def confusion(self) -> Array:
        """The confusion matrices (annotator, true label, label) at the posterior means."""
        xp = namespace(self.knows)
        eye = xp.eye(self.spam_labels.shape[-1], dtype=self.knows.dtype)
        spam = self.spam_labels / xp.sum(self.spam_labels, axis=-1, keepdims=True)
        knows = self.skill[..., None, None]
        return knows * eye + (1 - knows) * spam[..., None, :]


class _Expected(NamedTuple):
    """Variational parameters: exponentials of the expected log parameters."""

    knows: Array  # (annotator, 1)
    spams: Array  # (annotator, label)


@dataclass(frozen=True)
class Mace:
    """Variational Bayes for competence and spam."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the parameters of the posteriors."""
        return ("knows", "spams", "spam_labels")

    def within(self, parameters: Parameters, options: Options) -> Parameters:
        """Return the parameters, raised to those of the prior if they are smaller."""
        xp = namespace(*parameters)
        priors = [like(xp, least, parameters[0]) for least in options or MacePriors()]
        return tuple(
            xp.where(number < least, least, number)
            for number, least in zip(parameters, priors, strict=True)
        )

    def start(
        self, data: Votes, weights: Weights, probability: Array, options: Options
    ) -> Competence:
        """Return posteriors from initial probabilities, as if half of all votes were spam."""
        numbers = options or MacePriors()
        xp = namespace(probability, *weights, *numbers)
        labels = probability.shape[1]
        prior = xp.zeros_like(probability[0, :]) + 1 / labels
        knows = xp.zeros_like(weights.annotator)[:, None] + 0.5
        expected = _Expected(knows, knows * prior)
        infinite = xp.asarray(xp.inf, dtype=probability.dtype)
        probability = clamped(data, probability)
        return _maximised(data, weights, numbers, probability, prior, expected, -infinite, infinite)

    def step(
        self, data: Votes, weights: Weights, state: Competence, options: Options
    ) -> Competence:
        """Return the state after one iteration."""
        numbers = options or MacePriors()
        xp = namespace(state.probability, *weights, *numbers)
        expected = _expected(state)
        eye = xp.eye(state.prior.shape[0], dtype=state.prior.dtype)
        confusion = expected.knows[:, :, None] * eye + expected.spams[:, None, :]
        posterior = posterior_of(data, weights.annotator, state.prior, confusion)
        # not a matrix product, because starting BLAS threads costs more than the sum
        likelihood = xp.sum(weights.item * posterior.log_likelihood)
        bound = likelihood - _divergence(state, numbers)
        change = largest_change(xp, posterior.probability, state.probability)
        return _maximised(
            data,
            weights,
            numbers,
            posterior.probability,
            state.prior,
            expected,
            bound,
            change,
        )


def _maximised(
    votes: Votes,
    weights: Weights,
    options: MacePriors,
    probability: Array,
    prior: Array,
    expected: _Expected,
    bound: Array,
    change: Array,
) -> Competence:
    xp = namespace(probability, *weights)
    by_truth = expected_votes(votes, weights, probability)
    right = xp.sum(by_truth * xp.eye(prior.shape[0], dtype=prior.dtype), axis=1)
    known = right * divided(xp, expected.knows, expected.knows + expected.spams)
    spam = xp.sum(by_truth, axis=1) - known
    return Competence(
        probability,
        prior,
        options.knows + xp.sum(known, axis=1),
        options.spams + xp.sum(spam, axis=1),
        options.spam_labels + spam,
        bound,
        change,
    )


def _expected(state: Competence) -> _Expected:
    xp = namespace(state.knows)
    total = special(xp, "digamma", state.knows + state.spams)
    knows = xp.exp(special(xp, "digamma", state.knows) - total)
    spams = xp.exp(special(xp, "digamma", state.spams) - total)
    of_all = special(xp, "digamma", xp.sum(state.spam_labels, axis=1, keepdims=True))
    labels = xp.exp(special(xp, "digamma", state.spam_labels) - of_all)
    return _Expected(knows[:, None], spams[:, None] * labels)


def _divergence(state: Competence, options: MacePriors) -> Array:
    xp = namespace(state.knows, *options)
    prior = [like(xp, value, state.knows) + xp.zeros_like(state.knows) for value in options]
    numbers = xp.stack([state.knows, state.spams], axis=1)
    of_competence = _dirichlet_divergence(numbers, xp.stack(prior[:2], axis=1))
    labels = prior[2][:, None] + xp.zeros_like(state.spam_labels)
    return xp.sum(of_competence + _dirichlet_divergence(state.spam_labels, labels))


def _dirichlet_divergence(posterior: Array, prior: Array) -> Array:
    xp = namespace(posterior, prior)
    both = xp.sum(posterior, axis=1, keepdims=True)

    def log_beta(numbers: Array) -> Array:
        of_sum = special(xp, "gammaln", xp.sum(numbers, axis=1))
        return xp.sum(special(xp, "gammaln", numbers), axis=1) - of_sum

    logs = special(xp, "digamma", posterior) - special(xp, "digamma", both)
    moved = xp.sum((posterior - prior) * logs, axis=1)
    return moved - log_beta(posterior) + log_beta(prior)


MACE = Mace()
