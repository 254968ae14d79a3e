"""Masses of small tables for tests of sharpening, in both forms, and its fits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.fits import Fit, Tolerance, fit
from iaa_jax.kernels.labelling.masses import DenseMasses, ListedMasses
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.sharpening import Numbers, Sharpening
from tests.oracles.sharpening import Votes
from tests.reference.aggregation import AggregationCase

Floats = NDArray[np.float64]

TIGHT = 1e-10


def one_hot(codes: NDArray[Any], labels: int) -> Floats:
    """A table of codes (item, annotator), -1 for none, as masses with NaN."""
    mass = np.eye(labels)[codes]
    mass[codes < 0] = np.nan
    return mass


def noise(seed: int, items: int = 9, annotators: int = 4, labels: int = 3) -> Floats:
    """Random labels with gaps, of annotators of unequal skill; every item has two ratings."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    codes = np.where(
        rng.random((items, annotators)) < np.linspace(0.95, 0.4, annotators),
        truth[:, None],
        rng.integers(0, labels, (items, annotators)),
    )
    codes[:, 2:][rng.random((items, annotators - 2)) < 0.3] = -1
    return one_hot(codes, labels)


def dense(mass: Floats) -> DenseMasses:
    """Masses with NaN, annotator by annotator."""
    known = ~np.isnan(mass[..., 0])
    return DenseMasses(np.nan_to_num(mass), known.astype(float))


def listed(mass: Floats) -> ListedMasses:
    """Return the masses listed by rating."""
    known = ~np.isnan(mass[..., 0])
    slots = int(known.sum(axis=1).max())
    made = ListedMasses(
        np.zeros((len(mass), slots, mass.shape[2])),
        np.zeros((len(mass), slots)),
        np.zeros((len(mass), slots), dtype=np.int64),
    )
    for item, row in enumerate(known):
        for slot, annotator in enumerate(np.flatnonzero(row)):
            made.mass[item, slot] = mass[item, annotator]
            made.rated[item, slot] = 1
            made.annotator[item, slot] = annotator
    return made


def sharpened(
    mass: Floats,
    method: Sharpening | None = None,
    *,
    item: Floats | None = None,
    annotator: Floats | None = None,
    slots: bool = False,
    most: int = 500,
    **numbers: float,
) -> Fit:
    """The alternation on NumPy."""
    data = listed(mass) if slots else dense(mass)
    weights = Weights(
        np.ones(len(mass)) if item is None else item,
        np.ones(mass.shape[1]) if annotator is None else annotator,
    )
    given = Numbers(**{"accepted": TIGHT, **numbers})
    ones = np.ones((len(mass), mass.shape[2]))
    return fit(method or Sharpening(), data, weights, ones, Tolerance(given.accepted, most), given)


def votes_of(mass: Floats) -> Votes:
    """Return the votes for the oracle, with items and annotators named by number."""
    return {
        str(item): {
            str(annotator): vote.tolist()
            for annotator, vote in enumerate(row)
            if not np.isnan(vote[0])
        }
        for item, row in enumerate(mass)
    }


def votes_of_case(case: AggregationCase) -> Votes:
    """A reference case for the oracle, repeated votes of an annotator averaged."""
    labels = case.options["labels"]
    given = case.record.get("soft_ratings") or case.record.get("multilabel_ratings")
    if given is not None:
        return {
            item: {who: [vote.get(label, 0.0) for label in labels] for who, vote in row.items()}
            for item, row in given.items()
        }
    all_votes: dict[str, dict[str, list[list[float]]]] = {}
    for item, who, label in case.rows:
        vote = [float(label == one) for one in labels]
        all_votes.setdefault(item, {}).setdefault(who, []).append(vote)
    return {
        item: {who: np.mean(votes, axis=0).tolist() for who, votes in row.items()}
        for item, row in all_votes.items()
    }


def mass_of(votes: Votes) -> tuple[list[str], Floats]:
    """The annotators in order, and the votes as a table with NaN."""
    names = sorted({who for row in votes.values() for who in row})
    labels = len(next(iter(next(iter(votes.values())).values())))
    mass = np.full((len(votes), len(names), labels), np.nan)
    for item, row in enumerate(votes.values()):
        for who, vote in row.items():
            mass[item, names.index(who)] = vote
    return names, mass
