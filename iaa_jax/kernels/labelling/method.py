"""The protocol of a method that estimates gold labels: a start, and a step to repeat."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array

Data = Any
"""Votes (`iaa_jax.kernels.labelling.votes`) or other data of a method, items first."""

Options = Any
"""The numeric options of a method, as a named tuple; () if it has none."""

Parameters = tuple[Array, ...]
"""The parts of a state from which a step starts."""


class Weights(NamedTuple):
    """The weight of each item and each annotator."""

    item: Array  # (item,)
    annotator: Array  # (annotator,)


class Method(Protocol):
    """An initial state and a step. Methods with equal fields are equal, so that they compile once.

    A state is a named tuple of arrays, with the ``probability`` (item, label), the ``skill``
    (annotator,) as the method defines it, and the size of the last ``change``. If other arrays have
    an item axis, ``item_parts`` names all of them.
    """

    def start(self, data: Data, weights: Weights, probability: Array, options: Options) -> Any:
        """Return the first state, from a first probability (item, label)."""

    def step(self, data: Data, weights: Weights, state: Any, options: Options) -> Any:
        """Return the next state."""


def items_of(state: Any, which: Any) -> Any:
    """Return the state of some items alone, given as a slice or by index."""
    names = getattr(state, "item_parts", ("probability",))
    return state._replace(**{name: getattr(state, name)[which] for name in names})
