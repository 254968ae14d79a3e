"""Sharpening: weights of annotators and weights of items, computed from each other in turn.

Annotators are weighted by agreement with the group of the other annotators, and items by agreement
within the group. After Rosenberg and Binkowski (2004), who give no formulas, a step maps annotator
weights a to new weights. Without annotator j, the group's label distribution on item i is ``p(-j) =
sum_l a_l x_il / sum_l a_l`` over the other annotators l, with x_il the mass of l's rating (its
share on each label). The concentration of p(-j) is the weight of the item. The next weight of j
follows from j's weighted kappa with the group. `iaa_jax.sharpen` has the full formulas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax.kernels.labelling.masses import Masses
from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace

CONCENTRATIONS = ("entropy", "variance", "none")
"""Measures of concentration, for the weight of an item."""

LINKS = ("linear", "logodds")
"""Links from kappa to an annotator's weight."""

FALLING, PATIENCE, LEAST_STEP = 0.99, 5, 1 / 64
"""If PATIENCE steps bring no residual below FALLING times `Sharpened.best`, steps are halved.

The residual of a step is the largest change of a weight. Steps are never shorter than LEAST_STEP
times the full step.
"""

NO_CHANCE = 1e-9
"""The minimum of 1 minus chance agreement; kappa is set to 0 below it."""

MOST_KAPPA = 0.99
"""The maximum of kappa before log odds are taken."""


class Numbers(NamedTuple):
    """The numeric options of sharpening."""

    floor: Array = 0.01  # lower kappas are raised to this
    least: Array = 0.01  # the smallest item weight
    prior: Array = 0.0  # number of pseudo-items with the mean kappa, added to an annotator's items
    accepted: Array = 1e-6  # iteration stops below this residual


class Compared(NamedTuple):
    """Each annotator compared with the group of the other annotators: (annotator,)."""

    kappa: Array  # NaN for an annotator who shares no item
    items: Array


class Sharpened(NamedTuple):
    """The state: the best weights so far, or the final weights when iteration ends."""

    probability: Array  # (item, label)
    skill: Array  # (annotator,) the weights
    kappa: Array  # (annotator,) kappa with the group at these weights
    change: Array  # the residual of the last step, without damping
    at: Array  # (annotator,) the weights from which the next step starts
    smallest: Array  # the smallest residual so far
    best: Array  # the residual with which later residuals are compared
    stalled: Array  # number of steps since ``best``
    eta: Array  # damping: the fraction of a step taken


@dataclass(frozen=True)
class Sharpening:
    """Iteration between annotator and item weights; with ``sets``, a rating may have many labels.

    ``concentration`` is one of `CONCENTRATIONS`, and ``link`` one of `LINKS`.
    """

    concentration: str = "entropy"
    link: str = "linear"
    sets: bool = False

    def start(
        self, data: Masses, weights: Weights, probability: Array, options: Options
    ) -> Sharpened:
        """Return the state with equal annotator weights."""
        xp = namespace(data.mass, *weights)
        ones = xp.ones_like(weights.annotator)
        zero = xp.zeros_like(weights.annotator[0])
        shares = posterior_of(data, weights.annotator, ones)
        infinite = zero + xp.inf
        return Sharpened(
            shares, ones, ones * xp.nan, infinite, ones, infinite, infinite, zero, zero + 1
        )

    def step(self, data: Masses, weights: Weights, state: Sharpened, options: Options) -> Sharpened:
        """Return the state after one step, damped if the residual stopped falling."""
        xp = namespace(data.mass, *weights)
        numbers = options or Numbers()
        compared = self.compared(data, weights, state.at, numbers)
        labels = 2 if self.sets else data.mass.shape[2]
        mapped = next_weights(compared, labels, self.link, numbers)
        residual = xp.max(xp.abs(mapped - state.at))
        ended = residual < numbers.accepted
        better = ended | (residual < state.smallest)
        reached = xp.where(ended, mapped, state.at)
        skill = xp.where(better, reached, state.skill)
        falls = residual < FALLING * state.best
        stalled = xp.where(falls, 0.0, state.stalled + 1)
        halves = stalled >= PATIENCE
        eta = xp.where(halves, xp.maximum(state.eta / 2, LEAST_STEP + 0 * state.eta), state.eta)
        return Sharpened(
            posterior_of(data, weights.annotator, skill),
            skill,
            xp.where(better, compared.kappa, state.kappa),
            residual,
            state.at + eta * (mapped - state.at),
            xp.minimum(residual, state.smallest),
            xp.where(falls | halves, residual, state.best),
            xp.where(halves, 0.0, stalled),
            eta,
        )

    def compared(
        self, data: Masses, weights: Weights, annotator_weight: Array, numbers: Numbers
    ) -> Compared:
        """Return each annotator's kappa with the group, at the given annotator weights."""
        xp = namespace(data.mass, annotator_weight, *weights)
        others = without_each(xp, data, weights.annotator, annotator_weight)
        counted = others.enters * weights.item[:, None]  # (item, column)
        kappa_of = self._set_kappa if self.sets else self._label_kappa
        annotators = weights.annotator.shape[0]
        kappa = kappa_of(xp, data, others.shares, counted, annotators, numbers)
        items = data.totals(counted, annotators)
        return Compared(xp.where(items > 0, kappa, xp.nan), items)

    def _label_kappa(
        self,
        xp: Namespace,
        data: Masses,
        group: Array,
        counted: Array,
        annotators: int,
        numbers: Numbers,
    ) -> Array:
        weight = counted * xp.maximum(self.concentrated(group), numbers.least + 0 * counted)
        of_annotator = data.totals(weight[..., None] * data.mass, annotators)
        of_group = data.totals(weight[..., None] * group, annotators)
        agreed = data.totals(weight * xp.sum(data.mass * group, axis=2), annotators)
        total = data.totals(weight, annotators)
        chance = divided(xp, xp.sum(of_annotator * of_group, axis=1), total * total)
        return _kappa(xp, divided(xp, agreed, total), chance)

    def _set_kappa(
        self,
        xp: Namespace,
        data: Masses,
        group: Array,
        counted: Array,
        annotators: int,
        numbers: Numbers,
    ) -> Array:
        either = xp.stack([group, 1 - group], axis=3)
        weight = self.concentrated(either)
        weight = counted[..., None] * xp.maximum(weight, numbers.least + 0 * weight)
        mass = data.mass
        agreed = data.totals(weight * (mass * group + (1 - mass) * (1 - group)), annotators)
        of_labels = data.totals(weight, annotators)  # (annotator, label)
        of_annotator = divided(xp, data.totals(weight * mass, annotators), of_labels)
        of_group = divided(xp, data.totals(weight * group, annotators), of_labels)
        chance = of_annotator * of_group + (1 - of_annotator) * (1 - of_group)
        total = xp.sum(of_labels, axis=1)
        expected = divided(xp, xp.sum(of_labels * chance, axis=1), total)
        return _kappa(xp, divided(xp, xp.sum(agreed, axis=1), total), expected)

    def concentrated(self, shares: Array) -> Array:
        """Return the concentration of shares (..., label): 1 on one label, 0 if uniform."""
        return concentration_of(shares, self.concentration)

    def item_weight(self, probability: Array) -> Array:
        """Return item weights, the concentration of their labels; for sets the mean over labels."""
        xp = namespace(probability)
        if not self.sets:
            return self.concentrated(probability)
        either = xp.stack([probability, 1 - probability], axis=2)
        return xp.mean(self.concentrated(either), axis=1)


class Others(NamedTuple):
    """The label shares of each rating's item, computed without the rating's annotator."""

    shares: Array  # (item, column, label)
    enters: Array  # (item, column) 1 for a rating whose item another annotator rated, too


def without_each(xp: Namespace, data: Masses, counted: Array, annotator_weight: Array) -> Others:
    """Return the other annotators' shares for each rating.

    Annotators whose ``counted`` is 0 are left out.
    """
    present = data.rated * xp.astype(data.at_ratings(counted) > 0, data.rated.dtype)
    enters = present * xp.astype(xp.sum(present, axis=1, keepdims=True) >= 2, present.dtype)
    weight = present * data.at_ratings(counted * annotator_weight)
    weighted = weight[..., None] * data.mass
    others = xp.sum(weighted, axis=1, keepdims=True) - weighted
    # 0 for annotators alone on an item, where only rounding error is left
    total = xp.sum(weight, axis=1, keepdims=True) - weight
    shares = divided(xp, others, xp.where(enters > 0, total, 0.0)[..., None])
    return Others(xp.clip(shares, 0.0, 1.0), enters)


def concentration_of(shares: Array, kind: str) -> Array:
    """Return how concentrated shares (..., label) are: 1 on one label, 0 if uniform.

    With the ``kind`` "entropy" it is 1 minus the entropy relative to its maximum, with "variance"
    the scaled sum of squares, and with "none" always 1.
    """
    xp = namespace(shares)
    labels = shares.shape[-1]
    if kind == "none" or labels == 1:
        return xp.ones_like(shares[..., 0])
    if kind == "variance":
        concentration = (xp.sum(shares * shares, axis=-1) - 1 / labels) / (1 - 1 / labels)
    else:
        logs = xp.log(xp.where(shares > 0, shares, 1.0))
        concentration = 1 + xp.sum(shares * logs, axis=-1) / xp.log(labels + 0 * shares[..., 0])
    return xp.clip(concentration, 0.0, 1.0)


def _kappa(xp: Namespace, agreed: Array, chance: Array) -> Array:
    room = 1 - chance
    none = room < NO_CHANCE
    return xp.where(none, 0.0, (agreed - chance) / xp.where(none, 1.0, room))


def next_weights(compared: Compared, labels: int, link: str, numbers: Numbers) -> Array:
    """Return the next weights: kappas, shrunk towards their mean and floored, or their log odds.

    Weights are divided by their mean. The weight of an annotator without a kappa is 1.
    """
    xp = namespace(compared.kappa)
    defined = ~xp.isnan(compared.kappa)
    kappa = xp.where(defined, compared.kappa, 0.0)
    items = xp.where(defined, compared.items, 0.0)
    mean = divided(xp, xp.sum(items * kappa), xp.sum(items))
    kappa = divided(xp, items * kappa + numbers.prior * mean, items + numbers.prior)
    weight = xp.maximum(kappa, numbers.floor + 0 * kappa)
    if link == "logodds":
        odds = xp.minimum(weight, MOST_KAPPA + 0 * weight)
        weight = xp.log((1 + (labels - 1) * odds) / (1 - odds))
    some = xp.astype(defined, kappa.dtype)
    scale = divided(xp, xp.sum(some * weight), xp.sum(some))
    return xp.where(defined, weight / xp.where(scale > 0, scale, 1.0), 1.0)


def posterior_of(data: Masses, counted: Array, annotator_weight: Array) -> Array:
    """Return the weighted mean mass of each item (item, label), or the plain mean if weights are 0.

    Items without ratings have a mean of 0.
    """
    xp = namespace(data.mass, counted, annotator_weight)
    weight = data.rated * data.at_ratings(counted * annotator_weight)
    total = xp.sum(weight, axis=1, keepdims=True)
    shares = divided(xp, xp.sum(weight[..., None] * data.mass, axis=1), total)
    plain = xp.sum(data.rated[..., None] * data.mass, axis=1)
    ratings = xp.sum(data.rated, axis=1, keepdims=True)
    return xp.where(total > 0, shares, divided(xp, plain, ratings))


SHARPENING = Sharpening()
"""Sharpening with entropy as concentration and kappas as weights."""
