"""Unitary alignments that a best alignment may hold.

A unitary alignment of k of n annotators' units costs the mean dissimilarity of its n (n - 1) / 2
pairs, where a pair with an empty unit has delta. So k units alone cost k delta, and joining two
unitary alignments saves ::

    delta - sum over their pairs (d - delta) / (n (n - 1) / 2)

One that costs more than its parts is no candidate (Mathet et al. 2015, 5.1.1, prune by k = n).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.disorder.continua import Continua, Dissimilarity
from iaa_jax.data.marked.numbers import expanded

_TIE = 1e-9
"""Difference of costs, relative to delta, up to which two alignments cost the same."""

_MOST = 1 << 24
"""Most unitary alignments in a batch for which the best alignment is computed."""

_TOO_MANY = (
    "so many units lie close together that the best alignment is out of reach: keep fewer "
    "annotators, or measure with span_f1"
)


@dataclass(frozen=True)
class Candidates:
    """Unitary alignments of two and more units.

    Attributes
    ----------
    units : array (candidate, annotator)
        The units of each, padded with -1.
    saving : array (candidate,)
        How much less it costs than its units alone.
    """

    units: Integers
    saving: Floats


def near_pairs(continua: Continua, dissimilarity: Dissimilarity) -> tuple[Integers, Integers]:
    """Pairs of units that one unitary alignment may hold, the earlier annotator's first.

    With k - 2 further units, a pair is worth it below (n (n - 1) / 2 + k - 1) delta.
    """
    annotators = continua.annotators
    limit = annotators * (annotators - 1) / 2 + annotators - 1
    alpha = dissimilarity.alpha
    # |start - start'| + |end - end'| is at least twice the distance of the middles: a unit reaches
    # units no longer than itself within this share of its length
    reach = np.sqrt(limit / alpha) if alpha > 0 else np.inf
    length, middle = continua.end - continua.start, (continua.start + continua.end) / 2
    low = np.full(continua.number, np.inf)
    high = np.full(continua.number, -np.inf)
    np.minimum.at(low, continua.continuum, middle)
    np.maximum.at(high, continua.continuum, middle)
    # continua are laid end to end, so that one sorted search serves all
    width = np.where(low <= high, high - low, 0.0)
    begins = np.cumsum(width + 1) - width
    at = middle - low[continua.continuum] + begins[continua.continuum]
    order = np.argsort(at, kind="stable")
    radius = np.minimum(reach * length, (width + 0.25)[continua.continuum])
    slack = 1e-9 * (1 + at)
    left = np.searchsorted(at[order], at - radius - slack)
    right = np.searchsorted(at[order], at + radius + slack)
    if int((right - left).sum()) > 4 * _MOST:
        raise IaaError(_TOO_MANY)
    one, place = expanded(left, right)
    other = order[place]
    longer = (length[one] > length[other]) | ((length[one] == length[other]) & (one > other))
    kept = longer & (continua.annotator[one] != continua.annotator[other])
    kept &= continua.continuum[one] == continua.continuum[other]
    one, other = one[kept], other[kept]
    turned = continua.annotator[one] > continua.annotator[other]
    one, other = np.where(turned, other, one), np.where(turned, one, other)
    distance = dissimilarity(continua, one, other)
    near = distance <= (limit + _TIE) * dissimilarity.empty
    one, other = one[near], other[near]
    order = np.lexsort([other, one])
    return one[order], other[order]


def candidates_of(continua: Continua, dissimilarity: Dissimilarity) -> Candidates:
    """All unitary alignments that save something."""
    annotators, units = continua.annotators, len(continua.label)
    pairs, empty = annotators * (annotators - 1) / 2, dissimilarity.empty
    first, second = near_pairs(continua, dissimilarity)
    gap = dissimilarity(continua, first, second) - empty
    begins = np.searchsorted(first, np.arange(units + 1))
    keys = first * units + second  # ascends
    members = np.stack([first, second], axis=1)
    # of each unit: how far it is from the others in its unitary alignment
    strain = np.stack([gap, gap], axis=1)
    kept_units, kept_savings = [], []
    while len(members):
        size = members.shape[1]
        saving = (size - 1) * empty - strain.sum(axis=1) / 2 / pairs
        worth = (strain <= (pairs + _TIE) * empty).all(axis=1) & (saving >= -_TIE * empty)
        padded = np.full((int(worth.sum()), annotators), -1)
        padded[:, :size] = members[worth]
        kept_units.append(padded)
        kept_savings.append(saving[worth])
        if size == annotators:
            break
        members, strain = _extended(members, strain, begins, keys, gap)
        # a further unit can lower the strain by delta at most
        room = pairs + annotators - members.shape[1] if len(members) else 0
        possible = (strain <= (room + _TIE) * empty).all(axis=1)
        members, strain = members[possible], strain[possible]
    if not kept_units:
        return Candidates(np.empty((0, annotators), dtype=np.int64), np.empty(0))
    return Candidates(np.concatenate(kept_units), np.concatenate(kept_savings))


def _extended(
    members: Integers, strain: Floats, begins: NDArray[np.intp], keys: Integers, gap: Floats
) -> tuple[Integers, Floats]:
    """Each unitary alignment with each unit of a later annotator that is near all of its units."""
    last, units = members[:, -1], len(begins) - 1
    if int((begins[last + 1] - begins[last]).sum()) > _MOST:
        raise IaaError(_TOO_MANY)
    of_member, place = expanded(begins[last], begins[last + 1])
    added = keys[place] % units
    members, strain = members[of_member], strain[of_member]
    gaps = np.empty(members.shape)
    gaps[:, -1] = gap[place]
    near = np.ones(len(members), dtype=bool)
    for column in range(members.shape[1] - 1):
        wanted = members[:, column] * units + added
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        near &= keys[found] == wanted
        gaps[:, column] = gap[found]
    grown = np.column_stack([strain + gaps, gaps.sum(axis=1)])
    return np.column_stack([members, added])[near], grown[near]
