"""Ratings as points: a disagreement as the squared distance of two of them.

A number is its own point. Of labels with disagreements ``D`` the points are the classical scaling
of Gower (1966): the eigenvectors of ``-C D C / 2``, C the centring matrix. Where D is no squared
distance some eigenvalues are below 0, and these dimensions count negatively.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.kind import Kind
from iaa_jax.kernels.label_agreement import ratio_distance
from iaa_jax.measure.level import level_of
from iaa_jax.measure.magnitude import from_middle, rescale
from iaa_jax.measure.resolver import Resolver
from iaa_jax.wording import keyword

MOST_LABELS = 1000
"""Labels beyond which they are not laid out pair by pair."""

_NOTHING = 1e-12
"""A share of the largest eigenvalue that rounding leaves of none."""


@dataclass(frozen=True)
class RatingPoints:
    """Where each rating lies, by its code; ``sign`` says which dimensions count negatively.

    ``power`` is that of the two with which places must be multiplied to be in the ratings' unit.
    """

    place: Floats  # (code, dimension)
    sign: Floats  # (dimension,)
    distance: str
    power: int = 0

    def dimensions(self, codes: Integers) -> Iterator[tuple[float, Floats]]:
        """The sign of each dimension, and the numbers that ratings are in it."""
        for sign, place in zip(self.sign.tolist(), self.place.T, strict=True):
            yield sign, place[codes]


def points_of(resolver: Resolver, codes: Integers, weight: Floats) -> RatingPoints:
    """The points of ratings (their codes, and for how many each stands), as the options say."""
    options, tables = resolver.options, resolver.tables
    level = options.level or ("" if resolver.weights_given else level_of(resolver))
    if tables.kind is Kind.NUMBERS:
        numbers = tables.distinct_numbers
        numbers, power = _moderate(level, numbers)
        place, sign = _of_numbers(level, numbers, _count(codes, weight, len(numbers)))
        return RatingPoints(place, sign, level, power)
    power = 0
    # of each label of the mass, a point; a rating of several labels lies between theirs
    if level in ("ordinal", "interval", "ratio"):
        labels = np.arange(tables.label_count) if level == "ordinal" else tables.labels
        count = _count(codes, weight, len(labels))
        if tables.kind is Kind.DOUBLES:
            _refuse_many(len(labels))
            mixed = _mixed(resolver, np.eye(len(labels)))
            count = _count(codes, weight, len(mixed)) @ mixed
        numbers, power = _moderate(level, labels.astype(np.float64))
        place, sign = _of_numbers(level, numbers, count)
    else:
        _refuse_many(tables.label_count)
        known = None if level else resolver.label_agreements.matrix(None)
        agreement = np.eye(tables.label_count) if known is None else (known + known.T) / 2
        place, sign = scaled(1 - agreement)
    distance = level or resolver.label_agreements.used(None)
    return RatingPoints(_mixed(resolver, place), sign, distance, power)


def _moderate(level: str, numbers: Floats) -> tuple[Floats, int]:
    """The numbers at a size and place where squares lose no digits, and the power of two back."""
    if level == "interval":
        return from_middle(numbers)
    return (rescale(numbers, "ratios")[0] if level == "ratio" else numbers), 0


def _count(codes: Integers, weight: Floats, distinct: int) -> Floats:
    return np.bincount(codes, weight, minlength=distinct).astype(np.float64)


def _mixed(resolver: Resolver, place: Floats) -> Floats:
    """The points of ratings by their codes, from those of labels."""
    tables = resolver.tables
    if tables.kind is Kind.SHARES:
        return np.asarray(tables.distinct_masses @ place)
    if tables.kind is Kind.DOUBLES:
        # the code of a rating is its primary label and, counted from 1, its secondary one
        primary, secondary = place[:, None], place[None]
        both = tables.p * primary + (1 - tables.p) * secondary
        return np.asarray(np.concatenate([primary, both], axis=1).reshape(-1, place.shape[1]))
    return place


def _of_numbers(level: str, numbers: Floats, count: Floats) -> tuple[Floats, Floats]:
    """The points of distinct numbers, in ascending order, that stand so often."""
    if level == "interval":
        return numbers[:, None], np.ones(1)
    if level == "ordinal":
        ranks = (np.cumsum(count) - count / 2) / count.sum()
        return ranks[:, None], np.ones(1)
    _refuse_many(len(numbers))
    if level == "ratio":
        return scaled(np.asarray(ratio_distance(numbers)))
    return scaled(1 - np.eye(len(numbers)))


def _refuse_many(labels: int) -> None:
    if labels > MOST_LABELS:
        message = (
            f"{labels:,} different labels are too many to compare each with each (up to "
            f"{MOST_LABELS:,}): merge rare ones, or, if they are numbers, say "
            f"{keyword('level', 'interval')} or {keyword('level', 'ordinal')}"
        )
        raise IaaError(message)


def scaled(distance: Floats) -> tuple[Floats, Floats]:
    """Points whose squared distances are those of a table, and the signs of their dimensions.

    Examples
    --------
    >>> place, sign = scaled(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]))
    >>> sign.tolist(), np.abs(np.diff(place[:, 0])).round(6).tolist()
    ([1.0], [1.0, 1.0])
    """
    centred = distance - distance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    value, vector = np.linalg.eigh(-centred / 2)
    kept = np.abs(value) > _NOTHING * max(np.abs(value).max(initial=0.0), 1e-300)
    return vector[:, kept] * np.sqrt(np.abs(value[kept])), np.sign(value[kept])
