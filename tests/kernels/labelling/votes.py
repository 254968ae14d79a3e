"""Random votes in every form, and fits of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Fit, Tolerance, fit
from iaa_jax.engine.sparse import SparseVotes
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from iaa_jax.kernels.labelling.voting import shares_of
from tests.oracles.labelling import Task

OF_VOTES = [name for name, row in METHODS.items() if row.data == "votes"]
MODELS = [name for name in OF_VOTES if METHODS[name].modelled]

SHAPES = [(12, 4, 2), (9, 3, 3), (7, 6, 4), (11, 5, 5), (6, 2, 3)]
"""Items, annotators and labels."""


def counts(items: int, annotators: int, labels: int, seed: int = 0, missing: float = 0.3) -> Any:
    """Votes (item, annotator, label) of annotators of very different skill."""
    random = np.random.default_rng([seed, items, annotators, labels])
    truth = random.integers(labels, size=items)
    skill = random.uniform(0.3, 0.95, size=annotators)
    right = random.random((items, annotators)) < skill
    given = np.where(right, truth[:, None], random.integers(labels, size=(items, annotators)))
    votes = np.eye(labels)[given]
    votes[random.random((items, annotators)) < missing] = 0
    return votes


def task_of(votes: Any) -> Task:
    """Return the votes one by one."""
    rows = [
        tuple(cell) for cell in np.argwhere(votes > 0).tolist() for _ in range(int(votes[*cell]))
    ]
    return Task(rows, *votes.shape)


def listed(votes: Any, known: Any = None) -> ListedVotes:
    """Return the votes as a list for each item, with empty places."""
    items, _, labels = votes.shape
    width = max(int((votes > 0).sum(axis=(1, 2)).max()), 1)
    cell = np.zeros((items, width), dtype=np.int64)
    share = np.zeros((items, width))
    for item in range(items):
        for place, (annotator, label) in enumerate(np.argwhere(votes[item] > 0)):
            cell[item, place] = annotator * labels + label
            share[item, place] = votes[item, annotator, label]
    return ListedVotes(cell, share, known)


def sparse(votes: Any, known: Any = None) -> SparseVotes:
    return SparseVotes.of(listed(votes, known), votes.shape[1] * votes.shape[2])


def fitted(
    name: str,
    votes: Any,
    *,
    known: Any = None,
    item_weight: Any = None,
    annotator_weight: Any = None,
    tolerance: Tolerance | None = None,
    form: Any = DenseVotes,
    options: Any = (),
) -> Fit:
    items, annotators, labels = votes.shape
    weights = Weights(
        np.ones(items) if item_weight is None else item_weight,
        np.ones(annotators) if annotator_weight is None else annotator_weight,
    )
    data = form(votes, known)
    shares = shares_of(data, weights.annotator, labels)
    start = np.where(shares.sum(axis=1, keepdims=True) > 0, shares, 1 / labels)
    return fit(
        METHODS[name].method,
        data,
        weights,
        start,
        tolerance or Tolerance(1e-10, METHODS[name].steps),
        options,
    )


def one_hot(known: dict[int, int], items: int, labels: int) -> Any:
    """Control items as the methods take them."""
    rows = np.zeros((items, labels))
    for item, label in known.items():
        rows[item, label] = 1
    return rows
