"""Find best alignments: partitions of the units of a document into unitary alignments.

A unitary alignment has at most one unit of each annotator, and a best alignment has the lowest
total cost. Candidates are the unitary alignments of two or more units that a best alignment may
contain, and the saving of a candidate is how much less it costs than its units if unaligned.
Choosing candidates with the largest total saving, in which no unit occurs twice, is a set packing
problem. It is solved separately for each set of units that candidates connect (a component). For
two annotators, it is an assignment problem. For more annotators, the linear relaxations of many
components are solved together, and components with a fractional solution are solved again in
integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
from scipy import sparse

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.disorder.candidates import Candidates, candidates_of
from iaa_jax.data.marked.disorder.continua import Continua, Dissimilarity

_BATCH = 20_000
"""Approximate number of candidates in one linear program."""

_MANY = 500
"""Maximum number of candidates of a component that shares an integer program with others."""

_WHOLE = 1e-6
"""Maximum difference from 0 or 1 of a solution that counts as integral."""

_FEW = 14
"""Maximum number of units of a component that is solved by enumeration, which is then faster."""

_PREFERRED = 1e-7
"""Bonus for each unit of an aligned pair, as a multiple of the cost of an unaligned unit.

It decides among alignments of equal cost.
"""

_SCALE = 1e3
"""Factor for savings in a linear program, so that the bonus exceeds the solver's tolerances."""


@dataclass(frozen=True)
class Alignments:
    """The best alignment of each of several continua.

    Attributes
    ----------
    continua : Continua
    units : array (unitary alignment, annotator)
        Unitary alignments of two or more units, padded with -1; other units are unaligned.
    cost : array (continuum,)
        Total cost of the alignment of each continuum.
    """

    continua: Continua
    units: Integers
    cost: Floats

    @property
    def disorder(self) -> Floats:
        """The cost of each continuum, divided by its mean number of units per annotator."""
        units = self.continua.units
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.cost * self.continua.annotators / units)


def best_alignments(continua: Continua, dissimilarity: Dissimilarity) -> Alignments:
    """Return the alignment of each continuum with the lowest cost.

    Among alignments of equal cost, one with the most aligned pairs is returned.
    """
    candidates = candidates_of(continua, dissimilarity)
    size = (candidates.units >= 0).sum(axis=1)
    preferred = candidates.saving / dissimilarity.empty + _PREFERRED * size * (size - 1)
    chosen = _chosen(Candidates(candidates.units, preferred), len(continua.label))
    units, saving = candidates.units[chosen], candidates.saving[chosen]
    saved = np.bincount(continua.continuum[units[:, 0]], saving, continua.number)
    return Alignments(continua, units, continua.units * dissimilarity.empty - saved)


def _chosen(candidates: Candidates, units: int) -> Integers:
    """Return candidates that share no unit and have the largest total saving."""
    from scipy.sparse.csgraph import connected_components

    left, settled = _settled(candidates, units)
    if not len(left):
        return settled
    members = candidates.units[left]
    rows, columns = np.nonzero(members >= 0)
    of_unit = sparse.csr_array(
        (np.ones(len(rows)), (rows, members[rows, columns])), shape=(len(left), units)
    )
    _, component = connected_components(of_unit.T @ of_unit, directed=False)
    component = component[members[:, 0]]
    order = np.argsort(component, kind="stable")
    begins = np.flatnonzero(np.diff(component[order], prepend=-1))
    chosen = [settled]
    if members.shape[1] == 2:
        parts = np.split(left[order], begins[1:])
        return np.concatenate([settled, *(_assigned(candidates, part) for part in parts)])
    saving = candidates.saving[left]
    cuts = begins[np.flatnonzero(np.diff(begins // _BATCH, prepend=0))]
    for part in np.split(order, cuts):
        share = _solved(of_unit[part], saving[part], whole=False)
        broken = np.isin(component[part], component[part[(share > _WHOLE) & (share < 1 - _WHOLE)]])
        chosen.append(left[part[(share > 1 / 2) & ~broken]])
        if broken.any():
            part = part[broken]
            chosen.append(
                left[part[_best_in_whole_numbers(of_unit[part], saving[part], component[part])]]
            )
    return np.concatenate(chosen)


def _settled(candidates: Candidates, units: int) -> tuple[Integers, Integers]:
    """Return the undecided candidates, and candidates that belong to a best alignment.

    If a candidate is not chosen, each of its units is in at most one chosen candidate. So if the
    best other candidates of its units together save no more than the candidate, a best alignment
    contains the candidate.
    """
    members, saving = candidates.units, candidates.saving
    rows, columns = np.nonzero(members >= 0)
    unit = members[rows, columns]
    order = np.lexsort([rows, -saving[rows], unit])
    row, unit = rows[order], unit[order]
    settled: list[Integers] = []
    while len(row):
        first = np.diff(unit, prepend=-1) != 0
        leads = row[first]
        second = np.flatnonzero(first) + 1
        has_second = (second < len(row)) & ~np.append(first, True)[second]
        against = np.zeros(len(leads))
        against[has_second] = saving[row[second[has_second]]]
        places = np.bincount(leads, minlength=len(saving))
        others = np.bincount(leads, against, minlength=len(saving))
        held = (places == (members >= 0).sum(axis=1)) & (saving >= others) & (places > 0)
        if not held.any():
            break
        settled.append(np.flatnonzero(held))
        used = np.zeros(units, dtype=bool)
        used[unit[held[row]]] = True
        gone = np.zeros(len(saving), dtype=bool)
        gone[row[used[unit]]] = True
        row, unit = row[~gone[row]], unit[~gone[row]]
    return np.unique(row), np.concatenate([np.empty(0, dtype=np.intp), *settled])


def _assigned(candidates: Candidates, part: Integers) -> Integers:
    from scipy.optimize import linear_sum_assignment

    first, row = np.unique(candidates.units[part, 0], return_inverse=True)
    second, column = np.unique(candidates.units[part, 1], return_inverse=True)
    saving = np.zeros((len(first), len(second)))
    place = np.full(saving.shape, -1)
    saving[row, column], place[row, column] = candidates.saving[part], part
    assigned = place[linear_sum_assignment(saving, maximize=True)]
    return assigned[assigned >= 0]


def _best_in_whole_numbers(
    of_unit: sparse.csr_array, saving: Floats, component: Integers
) -> Integers:
    chosen: list[int] = []
    together: list[int] = []
    units, begins = of_unit.indices.tolist(), of_unit.indptr.tolist()
    for each in np.unique(component):
        part = np.flatnonzero(component == each).tolist()
        members = [units[begins[place] : begins[place + 1]] for place in part]
        number = {unit: k for k, unit in enumerate(sorted({*chain(*members)}))}
        if len(number) <= _FEW:
            masks = [sum(1 << number[unit] for unit in of_member) for of_member in members]
            chosen += [part[k] for k in _packed(masks, saving[part].tolist())]
        elif len(part) <= _MANY:
            together += part
        else:
            chosen += _whole(of_unit, saving, part)
    chosen += _whole(of_unit, saving, together)
    return np.array(chosen, dtype=np.intp)


def _whole(of_unit: sparse.csr_array, saving: Floats, part: list[int]) -> list[int]:
    share = _solved(of_unit[part], saving[part], whole=True) if part else np.empty(0)
    return [place for place, each in zip(part, share, strict=True) if each > 1 / 2]


def _packed(masks: list[int], saving: list[float]) -> tuple[int, ...]:
    """Return the indices of disjoint sets of units (bit masks) with the largest total saving."""

    @cache
    def best(free: int) -> tuple[float, tuple[int, ...]]:
        if not free:
            return 0.0, ()
        unit = free & -free
        most, chosen = best(free & ~unit)
        for place, mask in enumerate(masks):
            if mask & unit and mask & free == mask:
                saved, others = best(free & ~mask)
                if saved + saving[place] > most:
                    most, chosen = saved + saving[place], (*others, place)
        return most, chosen

    return best((1 << max(mask.bit_length() for mask in masks)) - 1)[1]


def _solved(of_unit: sparse.csr_array, saving: Floats, *, whole: bool) -> Floats:
    """Return the share of each candidate in the best solution, 0 or 1 if ``whole``."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    used = of_unit[:, np.unique(of_unit.indices)].T
    solution = milp(
        -_SCALE * saving,
        integrality=np.full(len(saving), int(whole)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(used, ub=np.ones(used.shape[0])),
        options={"mip_rel_gap": 0.0, "presolve": whole},
    )
    if solution.x is None and not whole:
        return _solved(of_unit, saving, whole=True)
    if solution.x is None:
        raise IaaError(f"the best alignment was not found: {solution.message}")
    return np.asarray(solution.x)
