"""Best alignments: the units of a continuum in unitary alignments that cost least together.

This is a set partition problem. It splits into components of units that candidates connect. For two
annotators it is an assignment problem. For more, the linear relaxation of all components is solved
at once, and components with a fractional solution are solved again in integers.
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
"""Candidates that are solved in one program."""

_MANY = 500
"""Number of candidates from which a component has a program of its own."""

_WHOLE = 1e-6

_FEW = 14
"""Largest component, in units, for which enumeration is faster than an integer program."""

_PREFERRED = 1e-7
"""Bonus for aligning a pair where costs are equal, relative to delta."""

_SCALE = 1e3
"""Scale that lifts this bonus above the solver's tolerances."""


@dataclass(frozen=True)
class Alignments:
    """The best alignment of each of several continua.

    Attributes
    ----------
    continua : Continua
    units : array (unitary alignment, annotator)
        Unitary alignments of two or more units, padded with -1; other units stand alone.
    cost : array (continuum,)
        Total cost of the unitary alignments of a continuum.
    """

    continua: Continua
    units: Integers
    cost: Floats

    @property
    def disorder(self) -> Floats:
        """Cost divided by the mean number of units of an annotator; NaN without units."""
        units = self.continua.units
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.cost * self.continua.annotators / units)


def best_alignments(continua: Continua, dissimilarity: Dissimilarity) -> Alignments:
    """The cheapest alignment of each continuum.

    Among equally cheap ones, it aligns the most pairs.
    """
    candidates = candidates_of(continua, dissimilarity)
    size = (candidates.units >= 0).sum(axis=1)
    preferred = candidates.saving / dissimilarity.empty + _PREFERRED * size * (size - 1)
    chosen = _chosen(Candidates(candidates.units, preferred), len(continua.label))
    units, saving = candidates.units[chosen], candidates.saving[chosen]
    saved = np.bincount(continua.continuum[units[:, 0]], saving, continua.number)
    return Alignments(continua, units, continua.units * dissimilarity.empty - saved)


def _chosen(candidates: Candidates, units: int) -> Integers:
    """The candidates that together save most, without using a unit twice."""
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
    """The candidates that are still open, and those certain to be in a best alignment.

    A unit is in at most one alternative. If the best alternatives of a candidate's units together
    save no more than the candidate, some best alignment contains it.
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
        # a candidate that is best for all of its units
        places = np.bincount(leads, minlength=len(saving))
        others = np.bincount(leads, against, minlength=len(saving))
        held = (places == (members >= 0).sum(axis=1)) & (saving >= others) & (places > 0)
        if not held.any():
            break
        settled.append(np.flatnonzero(held))
        taken = np.zeros(units, dtype=bool)
        taken[unit[held[row]]] = True
        gone = np.zeros(len(saving), dtype=bool)
        gone[row[taken[unit]]] = True
        row, unit = row[~gone[row]], unit[~gone[row]]
    return np.unique(row), np.concatenate([np.empty(0, dtype=np.intp), *settled])


def _assigned(candidates: Candidates, part: Integers) -> Integers:
    """The best choice for two annotators, in one component."""
    from scipy.optimize import linear_sum_assignment

    first, row = np.unique(candidates.units[part, 0], return_inverse=True)
    second, column = np.unique(candidates.units[part, 1], return_inverse=True)
    saving = np.zeros((len(first), len(second)))
    place = np.full(saving.shape, -1)
    saving[row, column], place[row, column] = candidates.saving[part], part
    found = place[linear_sum_assignment(saving, maximize=True)]
    return found[found >= 0]


def _best_in_whole_numbers(
    of_unit: sparse.csr_array, saving: Floats, component: Integers
) -> Integers:
    """The best choice in components whose relaxation is fractional."""
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
    """The best choice among some candidates, by an integer program."""
    share = _solved(of_unit[part], saving[part], whole=True) if part else np.empty(0)
    return [place for place, each in zip(part, share, strict=True) if each > 1 / 2]


def _packed(masks: list[int], saving: list[float]) -> tuple[int, ...]:
    """The disjoint sets of units that save most; each bit of a mask is a unit."""

    @cache
    def best(free: int) -> tuple[float, tuple[int, ...]]:
        if not free:
            return 0.0, ()
        unit = free & -free
        most, chosen = best(free & ~unit)
        for place, mask in enumerate(masks):
            if mask & unit and mask & free == mask:
                rest, others = best(free & ~mask)
                if rest + saving[place] > most:
                    most, chosen = rest + saving[place], (*others, place)
        return most, chosen

    return best((1 << max(mask.bit_length() for mask in masks)) - 1)[1]


def _solved(of_unit: sparse.csr_array, saving: Floats, *, whole: bool) -> Floats:
    """The weight of each candidate in the solution."""
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
