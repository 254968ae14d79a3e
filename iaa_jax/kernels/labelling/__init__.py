"""Methods that estimate gold labels by repeated steps, on any array library.

A method has a ``start``, which returns a state for given votes, and a ``step``, which returns the
next state. Repeat steps until the state's ``change`` falls below a tolerance. Votes are
`DenseVotes` (item, annotator, label), or `ListedVotes` for a crowd; both may contain the true
labels of control items (items for which the label is known). `Sharpening` takes ratings as masses,
distributions over the labels, in `DenseMasses` or `ListedMasses`.

Examples
--------
>>> import jax, jax.numpy as jnp
>>> from iaa_jax.kernels.labelling import DAWID_SKENE, DenseVotes, Weights, shares_of
>>> labels = jnp.array([[0, 0, 1], [1, 1, 1], [0, 1, 1], [0, 0, 0]])  # items x annotators
>>> votes = DenseVotes(jax.nn.one_hot(labels, 2))
>>> @jax.jit
... def skills(item_weight):
...     weights = Weights(item_weight, jnp.ones(3))
...     state = DAWID_SKENE.start(votes, weights, shares_of(votes, jnp.ones(3), 2), ())
...     step = lambda _, state: DAWID_SKENE.step(votes, weights, state, ())
...     return jax.lax.fori_loop(0, 10, step, state).skill
>>> jax.vmap(skills)(jnp.array([[1.0, 1, 1, 1], [1, 2, 0, 1]])).shape
(2, 3)
"""

from __future__ import annotations

from iaa_jax.kernels.labelling.dawid_skene import (
    DAWID_SKENE,
    FAST_DAWID_SKENE,
    ONE_COIN,
    ConfusionModel,
)
from iaa_jax.kernels.labelling.glad import GLAD, Glad, GladPriors
from iaa_jax.kernels.labelling.mace import MACE, Mace, MacePriors
from iaa_jax.kernels.labelling.masses import DenseMasses, ListedMasses
from iaa_jax.kernels.labelling.method import Method, Weights
from iaa_jax.kernels.labelling.sharpening import SHARPENING, Sharpening
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from iaa_jax.kernels.labelling.voting import MAJORITY, WAWA, agreement_with, shares_of, winners
from iaa_jax.kernels.labelling.zero_based_skill import ZERO_BASED_SKILL, LearningRate

__all__ = [
    "DAWID_SKENE",
    "FAST_DAWID_SKENE",
    "GLAD",
    "MACE",
    "MAJORITY",
    "ONE_COIN",
    "SHARPENING",
    "WAWA",
    "ZERO_BASED_SKILL",
    "ConfusionModel",
    "DenseMasses",
    "DenseVotes",
    "Glad",
    "GladPriors",
    "LearningRate",
    "ListedMasses",
    "ListedVotes",
    "Mace",
    "MacePriors",
    "Method",
    "Sharpening",
    "Weights",
    "agreement_with",
    "shares_of",
    "winners",
]
