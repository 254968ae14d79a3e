"""What a method that makes gold labels is: a start, and a step that is repeated."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array

Data = Any
"""Votes (`iaa_jax.kernels.labelling.votes`), or what else a method works on: items first."""

Options = Any
"""Numbers that a method takes, as a named tuple; () where it takes none."""

Parameters = tuple[Array, ...]
"""The parts of a state that a step sets out from."""


class Weights(NamedTuple):
    """How much each item, and each annotator, counts."""

    item: Array  # (item,)
    annotator: Array  # (annotator,)


class Method(Protocol):
    """A start and a step; a value that compares by its choices, so that it compiles once.

    A state is a named tuple of arrays, with the ``probability`` (item, label), the ``skill``
    (annotator,) in the method's own terms, and ``change``, how far the last step moved. One with
    other arrays of items names all of them in ``item_parts``.
    """

    def start(self, data: Data, weights: Weights, probability: Array, options: Options) -> Any:
        """The first state, from a first probability (item, label)."""

    def step(self, data: Data, weights: Weights, state: Any, options: Options) -> Any:
        """The next state."""


def items_of(state: Any, which: Any) -> Any:
    """The state of some items alone: a slice, or their numbers."""
    names = getattr(state, "item_parts", ("probability",))
    return state._replace(**{name: getattr(state, name)[which] for name in names})
