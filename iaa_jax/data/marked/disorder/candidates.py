"""Find the unitary alignments that a best alignment may contain (candidates).

A unitary alignment has one unit, or an empty unit, of each of n annotators. Its cost is the mean
dissimilarity of its n (n - 1) / 2 pairs, and a pair with an empty unit has the dissimilarity delta.
Therefore k unaligned units cost k delta. If two unitary alignments are joined, the cost falls by
the following amount. The sum is over all pairs of a unit of the first and a unit of the second, and
d is the dissimilarity of a pair ::

    delta - sum of (d - delta) / (n (n - 1) / 2)

A unitary alignment is not a candidate if it costs less to leave one of its units, or all of them,
unaligned. (Mathet et al. 2015, 5.1.1, apply this rule with n units.)
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
"""Maximum difference between costs that count as equal, relative to delta."""

_MOST = 1 << 24
"""Maximum number of extensions of unitary alignments to examine together.

With more, or with four times as many pairs of units, the computation is refused.
"""

_TOO_MANY = (
    "so many units lie close together that the best alignment cannot be computed: keep fewer "
    "annotators, or measure with span_f1"
)


@dataclass(frozen=True)
class Candidates:
    """Unitary alignments of two or more units.

    Attributes
    ----------
    units : array (candidate, annotator)
        The units of each candidate, padded with -1.
    saving : array (candidate,)
        How much less each candidate costs than its units if they are left unaligned.
    """

    units: Integers
    saving: Floats


def near_pairs(continua: Continua, dissimilarity: Dissimilarity) -> tuple[Integers, Integers]:
    """Return the pairs of units that a candidate may contain, the earlier annotator's unit first.

    In a candidate of k units, two units have a dissimilarity of at most
    (n (n - 1) / 2 + k - 1) delta.
    """
    annotators = continua.annotators
    limit = annotators * (annotators - 1) / 2 + annotators - 1
    alpha = dissimilarity.alpha
    # |start - start'| + |end - end'| is at least twice the distance of the middles. So a unit can
    # pair only with shorter units whose middles are at most ``reach`` times its length away.
    reach = np.sqrt(limit / alpha) if alpha > 0 else np.inf
    length, middle = continua.end - continua.start, (continua.start + continua.end) / 2
    low = np.full(continua.number, np.inf)
    high = np.full(continua.number, -np.inf)
    np.minimum.at(low, continua.continuum, middle)
    np.maximum.at(high, continua.continuum, middle)
    # continua are placed one after another on a line, so that a single search serves all
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
    """Return the unitary alignments of two or more units that a best alignment may contain."""
    annotators, units = continua.annotators, len(continua.label)
    pairs, empty = annotators * (annotators - 1) / 2, dissimilarity.empty
    first, second = near_pairs(continua, dissimilarity)
    gap = dissimilarity(continua, first, second) - empty
    begins = np.searchsorted(first, np.arange(units + 1))
    keys = first * units + second  # ascends
    members = np.stack([first, second], axis=1)
    # for each unit, the sum of d - delta over its pairs in the unitary alignment
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
        # a further unit lowers the strain by at most delta
        room = pairs + annotators - members.shape[1] if len(members) else 0
        possible = (strain <= (room + _TIE) * empty).all(axis=1)
        members, strain = members[possible], strain[possible]
    if not kept_units:
        return Candidates(np.empty((0, annotators), dtype=np.int64), np.empty(0))
    return Candidates(np.concatenate(kept_units), np.concatenate(kept_savings))


def _extended(
    members: Integers, strain: Floats, begins: NDArray[np.intp], keys: Integers, gap: Floats
) -> tuple[Integers, Floats]:
    """Return unitary alignments extended by a unit of a later annotator, and their strains.

    The new unit must be in a near pair with each unit of the unitary alignment.
    """
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
        position = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        near &= keys[position] == wanted
        gaps[:, column] = gap[position]
    grown = np.column_stack([strain + gaps, gaps.sum(axis=1)])
    return np.column_stack([members, added])[near], grown[near]
