"""The protocol of a method that estimates gold labels: an initial state, and a step to repeat."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array

Data = Any
"""Votes (`iaa_jax.kernels.labelling.votes`) or other data, with items on the first axis."""

Options = Any
"""The numeric options of a method, as a named tuple; () if it has none."""

Parameters = tuple[Array, ...]
"""The arrays of a state from which a step starts."""


class Weights(NamedTuple):
    """The weight of each item and each annotator."""

    item: Array  # (item,)
    annotator: Array  # (annotator,)


class Method(Protocol):
    """A method that estimates gold labels.

    Methods with equal fields are equal, so they are compiled only once. A state is a named tuple of
    arrays, with the ``probability`` (item, label), the ``skill`` (annotator,) as the method defines
    it, and the ``change`` in the last step, which is small when steps may end. If arrays besides
    ``probability`` have an item axis, ``item_parts`` names all arrays that have one.
    """

    def start(self, data: Data, weights: Weights, probability: Array, options: Options) -> Any:
        """Return the initial state, from initial probabilities (item, label)."""

    def step(self, data: Data, weights: Weights, state: Any, options: Options) -> Any:
        """Return the next state."""


def items_of(state: Any, which: Any) -> Any:
    """Return the state for the items that ``which``, a slice or an index, selects."""
    names = getattr(state, "item_parts", ("probability",))
    return state._replace(**{name: getattr(state, name)[which] for name in names})
