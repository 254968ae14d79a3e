"""Best alignments: the units of a continuum in unitary alignments that cost least together.

That is a set partition. It falls apart into components, units that candidates tie together. Two
annotators make it an assignment problem; for more the linear relaxation of all components at once
is solved, and as whole numbers those components alone where it is not whole.
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
"""Candidates of a component from which it has a program of its own."""

_WHOLE = 1e-6

_FEW = 14
"""Units of a component up to which trying is faster than a program in whole numbers."""

_PREFERRED = 1e-7
"""What aligning a pair is worth where the costs are equal, by delta."""

_SCALE = 1e3
"""Makes that more than the tolerances of the solver."""


@dataclass(frozen=True)
class Alignments:
    """The best alignment of each of several continua.

    Attributes
    ----------
    continua : Continua
    units : array (unitary alignment, annotator)
        Those of two and more units, -1 in the last places; other units stand alone.
    cost : array (continuum,)
        What all unitary alignments of a continuum cost.
    """

    continua: Continua
    units: Integers
    cost: Floats

    @property
    def disorder(self) -> Floats:
        """Cost by the mean number of units of an annotator; NaN where there are none."""
        units = self.continua.units
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.cost * self.continua.annotators / units)


def best_alignments(continua: Continua, dissimilarity: Dissimilarity) -> Alignments:
    """The alignment of each continuum that costs least.

    Of several, it is one that aligns the most pairs.
    """
    candidates = candidates_of(continua, dissimilarity)
    size = (candidates.units >= 0).sum(axis=1)
    preferred = candidates.saving / dissimilarity.empty + _PREFERRED * size * (size - 1)
    chosen = _chosen(Candidates(candidates.units, preferred), len(continua.label))
    units, saving = candidates.units[chosen], candidates.saving[chosen]
    saved = np.bincount(continua.continuum[units[:, 0]], saving, continua.number)
    return Alignments(continua, units, continua.units * dissimilarity.empty - saved)


def _chosen(candidates: Candidates, units: int) -> Integers:
    """The candidates that together save most, no unit twice."""
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
    """The candidates that are still open, and those that save as much as what they stand against.

    Of what a unit could be in instead a choice holds one at most: where the next best of all units
    of a candidate save no more together than it does, a best alignment holds it.
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
        # a candidate that leads at all of its units
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
    """The same of two annotators, in one component."""
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
    """The best choice in components whose relaxation is not whole."""
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
    """The best choice among some candidates, by a program in whole numbers."""
    share = _solved(of_unit[part], saving[part], whole=True) if part else np.empty(0)
    return [place for place, each in zip(part, share, strict=True) if each > 1 / 2]


def _packed(masks: list[int], saving: list[float]) -> tuple[int, ...]:
    """The sets without a common unit that save most; bits of masks are units."""

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
    """The share of each candidate in the best choice."""
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
