"""Methods for primary and secondary labels, run for many values of p, the primary label's share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from iaa_jax.kernels.labelling.masses import DenseMasses, ListedMasses
from iaa_jax.kernels.labelling.method import Method, Weights
from iaa_jax.kernels.labelling.sharpening import Numbers
from iaa_jax.kernels.namespace import Array


class MassesOverP(NamedTuple):
    """Masses (ratings as distributions over labels) at any p.

    They are affine in p, so two values of p determine them.
    """

    at_one: Array  # (item, column, label)
    at_half: Array  # (item, column, label)
    rated: Array  # (item, column)
    annotator: Array = None  # (item, column), if columns are not annotators

    def at(self, p: Array) -> DenseMasses | ListedMasses:
        """Return the masses at a share of the primary label."""
        mass = self.at_half + (2 * p - 1) * (self.at_one - self.at_half)
        if self.annotator is None:
            return DenseMasses(mass, self.rated)
        return ListedMasses(mass, self.rated, self.annotator)


class Setting(NamedTuple):
    """A share of the primary label, and the numeric options of sharpening."""

    p: Array
    floor: Array
    least: Array
    prior: Array
    accepted: Array

    @property
    def numbers(self) -> Numbers:
        """The numeric options of sharpening, without p."""
        return Numbers(self.floor, self.least, self.prior, self.accepted)


@dataclass(frozen=True)
class OverP:
    """A method applied at the p of each setting."""

    method: Method

    def start(
        self, data: MassesOverP, weights: Weights, probability: Array, options: Setting
    ) -> Any:
        """Return the initial state, at the p of the options."""
        return self.method.start(data.at(options.p), weights, probability, options.numbers)

    def step(self, data: MassesOverP, weights: Weights, state: Any, options: Setting) -> Any:
        """Return the next state, at the p of the options."""
        return self.method.step(data.at(options.p), weights, state, options.numbers)
