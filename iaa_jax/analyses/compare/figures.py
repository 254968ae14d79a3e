"""The figures of a comparison: both estimates, their difference, and how it varies by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.analyses.compare.design import Design, Rows
from iaa_jax.analyses.compare.pool import Pool
from iaa_jax.analyses.compare.zero_spread import ZeroSpreadBound, alone
from iaa_jax.engine import (
    Prepared,
    Problem,
    Table,
    estimates,
    influences,
    over_rows,
    unit_influences,
)
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels import intervals
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.request import Request
from iaa_jax.measure.uncertainty import pairs_behind, unsteady

NO_SPREAD = 1e-12
"""A standard error, or a difference, that is only what rounding leaves of 0."""

_NEAR = 1e-9
"""How far rounding may take a replicate from a difference that does not vary."""

_LIKE_PANELS = 0.1
"""By what share mean numbers of ratings an item may differ where panels are exchanged."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Compared:
    """One coefficient of both sets; replicates and exchanges are (row,) differences B - A."""

    request: Request
    a: Agreement
    b: Agreement
    error_a: float
    error_b: float
    error: float
    degrees: float
    skewness: float
    replicates: Floats | None
    exchanged: Floats | None
    withheld: str
    not_exchanged: str
    unseen: ZeroSpreadBound | None = None

    @property
    def difference(self) -> float:
        """How much more B agrees than A."""
        return float(self.b.estimate) - float(self.a.estimate)


class Drawing(NamedTuple):
    """What is drawn, how often, and from which seed."""

    replicates: int
    permutations: int
    seed: int


def compared(
    requests: Sequence[Request],
    pool: Pool,
    design: Design,
    drawing: Drawing,
    progress: Progress | None = None,
) -> list[Compared]:
    """Several coefficients of two sets, on the same replicates and the same exchanges."""
    of_a = [_of_side(request.problem, design.a, pool.in_a, pool) for request in requests]
    of_b = [_of_side(request.problem, design.b, pool.in_b, pool) for request in requests]
    prepared = Prepared(of_a), Prepared(of_b)
    found = [estimates(side) for side in prepared]
    withheld = [
        _withheld(one, design, prepared, (a, b))
        for one, a, b in zip(requests, of_a, of_b, strict=True)
    ]
    known = [
        place
        for place in range(len(requests))
        if not withheld[place] and all(side[place].code == 0 for side in found)
    ]
    count = len(requests)
    replicates: list[Floats | None] = [None] * count
    exchanged: list[Floats | None] = [None] * count
    gradients: list[tuple[Floats, Floats] | None] = [None] * count
    bars = [_bar(request, pool, design) for request in requests]
    if known:
        both = [influences(side.part(known)) for side in prepared]
        for place, a, b in zip(known, *both, strict=True):
            gradients[place] = (a, b)
        rows = _Rows(of_a, of_b, known, design)
        if drawing.replicates:
            drawn = design.bootstrap(rows.wanted, drawing.replicates, drawing.seed)
            for place, part in zip(known, rows(drawn, drawing.replicates, progress), strict=True):
                replicates[place] = part
        open_to_exchange = [place for place in known if not bars[place]]
        if drawing.permutations and open_to_exchange:
            rows = _Rows(of_a, of_b, open_to_exchange, design)
            drawn = design.exchanges(rows.wanted, drawing.permutations, drawing.seed)
            parts = rows(drawn, drawing.permutations, progress)
            for place, part in zip(open_to_exchange, parts, strict=True):
                exchanged[place] = part
    several = [
        Compared(
            requests[place],
            found[0][place],
            found[1][place],
            *_spread(requests[place], gradients[place], design),
            replicates[place],
            exchanged[place],
            withheld[place],
            bars[place],
        )
        for place in range(count)
    ]
    return [_unseen(one, design, (a, b)) for one, a, b in zip(several, of_a, of_b, strict=True)]


def _unseen(one: Compared, design: Design, problems: tuple[Problem, Problem]) -> Compared:
    """The same with what bounds it, where a standard error of 0 would say too much."""
    if not np.isfinite(one.error) or min(one.error, one.error_a, one.error_b) > 0:
        return one
    replicates = one.replicates
    still = replicates is None or not bool((np.abs(replicates - one.difference) > _NEAR).any())
    same = design.paired and one.error == 0 and still and abs(one.difference) <= NO_SPREAD
    units = [float(side.identified.count[design.panel >= 2].sum()) for side in (design.a, design.b)]
    if design.grouped is not None:
        units = [min(pair) for pair in zip(units, design.grouped.numbers, strict=True)]
    of_a, of_b = (
        alone(one.request, problem, agreement, error, number)
        for problem, agreement, error, number in zip(
            problems, (one.a, one.b), (one.error_a, one.error_b), units, strict=True
        )
    )
    of_what = "items" if design.grouped is None else "clusters"
    unseen = ZeroSpreadBound(of_a, of_b, same, of_what)
    return replace(one, error=np.nan, replicates=None, unseen=unseen)


def _of_side(problem: Problem, side: tuple[Table, Table], present: Floats, pool: Pool) -> Problem:
    """The coefficient on the items of one set, among its own annotators."""
    weight = problem.annotator_weight
    if problem.measure.identified and not pool.same_places:
        weight = present
    table = side[1 if problem.measure.identified else 0]
    return replace(problem, table=table, annotator_weight=weight)


def _withheld(
    request: Request,
    design: Design,
    prepared: tuple[Prepared, Prepared],
    problems: tuple[Problem, Problem],
) -> str:
    """Why nothing can be said of the spread of one of the two figures."""
    for name, side, ready, problem in zip(
        "AB", (design.a, design.b), prepared, problems, strict=True
    ):
        pairable = float(side.identified.count[design.panel >= 2].sum())
        if pairable < 2:
            return f"the items of {name} with two ratings weigh {pairable:g}: no standard error"
        if design.grouped is not None:
            clusters = design.grouped.a if name == "A" else design.grouped.b
            held = clusters.of(side.identified) @ np.where(design.panel >= 2, 1.0, 0.0)
            if (held > 0).sum() < 2:
                return f"the items of {name} with two ratings are in one cluster: no standard error"
        one = replace(request, problem=problem)
        if reason := unsteady(one, pairs_behind(ready, one)):
            return f"{name}: {reason}"
    return ""


def _bar(request: Request, pool: Pool, design: Design) -> str:
    """Why the panels of the two sets cannot be exchanged, if they cannot."""
    if not design.whole:
        return "items have weights that are not whole, so that they cannot be exchanged one by one"
    annotators = int(pool.in_a.sum()), int(pool.in_b.sum())
    if request.problem.measure.identified and annotators[0] != annotators[1]:
        return f"it tells annotators apart (A: {annotators[0]} of them, B: {annotators[1]})"
    panels = [
        float(design.panel @ side.identified.count) / side.identified.items
        for side in (design.a, design.b)
    ]
    if abs(panels[0] - panels[1]) <= _LIKE_PANELS * max(panels):
        return ""
    return f"panels are not alike (A: {panels[0]:.1f} ratings an item, B: {panels[1]:.1f})"


class _Rows:
    """Differences B - A at rows of weights, all sides and coefficients in one program.

    The rows of both sets go through one and the same problem, unless the sets differ in who is
    there: then each has a problem of its own, and reads its own rows alone.
    """

    def __init__(
        self,
        of_a: Sequence[Problem],
        of_b: Sequence[Problem],
        places: Sequence[int],
        design: Design,
    ) -> None:
        a, b = [of_a[place] for place in places], [of_b[place] for place in places]
        identified = [one.measure.identified for one in a]
        self.wanted, self._tables = design.tables(
            identified=any(identified), exchangeable=not all(identified)
        )
        self._apart = [
            one.annotator_weight is not two.annotator_weight for one, two in zip(a, b, strict=True)
        ]
        own = [
            replace(two, table=one.table)
            for one, two, apart in zip(a, b, self._apart, strict=True)
            if apart
        ]
        self._prepared = Prepared([*a, *own])
        self._size = len(a)

    def __call__(
        self, drawn: Iterator[Rows], total: int, progress: Progress | None
    ) -> list[Floats]:
        sizes: list[int] = []

        def stacked() -> Iterator[tuple[Floats, ...]]:
            for rows in drawn:
                sizes.append(len(rows.a[0]))
                yield tuple(np.concatenate(pair) for pair in zip(rows.a, rows.b, strict=True))

        def done(count: int, every: int) -> None:
            if progress is not None:
                progress(count // 2, every // 2)

        found = over_rows(self._prepared, self._tables, stacked(), 2 * total, progress=done)
        of_a = np.concatenate([np.repeat([True, False], size) for size in sizes])
        differences, further = [], self._size
        for place, apart in enumerate(self._apart):
            source = further if apart else place
            further += apart
            differences.append(found[source][~of_a] - found[place][of_a])
        return differences


def _spread(
    request: Request, gradients: tuple[Floats, Floats] | None, design: Design
) -> tuple[float, float, float, float, float]:
    """Standard errors of A, of B and of the difference, degrees of freedom, and acceleration."""
    if gradients is None:
        return np.nan, np.nan, np.nan, np.nan, np.nan
    place = 1 if request.problem.measure.identified else 0
    (a, b), counts = _units(gradients, place, design)
    errors = [_error(derivative, count) for derivative, count in zip((a, b), counts, strict=True)]
    if design.paired:
        if design.grouped is not None:
            apart, count = b - a, counts[0]
        else:
            table, of_a, of_b = design.of_pairs(place)
            apart, count = b[of_b] - a[of_a], table.count
        skewness = float(intervals.acceleration(apart, count))
        return errors[0], errors[1], _error(apart, count), float(count.sum()) - 1, skewness
    # of two samples the influences of A count against the difference; each has mean 0 in its own
    centred = [
        sign * intervals.centred_influence(derivative, count) / count.sum()
        for sign, derivative, count in zip((-1, 1), (a, b), counts, strict=True)
    ]
    together = np.concatenate(centred), np.concatenate(counts)
    squares = np.square(errors)
    freedom = [count.sum() - 1 for count in counts]
    with np.errstate(invalid="ignore", divide="ignore"):
        degrees = squares.sum() ** 2 / (squares**2 / freedom).sum()
    return (
        errors[0],
        errors[1],
        float(np.sqrt(squares.sum())),
        float(degrees),
        float(intervals.acceleration(*together)),
    )


def _units(
    gradients: tuple[Floats, Floats], place: int, design: Design
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """What each item of a pattern, or each cluster, adds to A and to B, and how many there are."""
    tables = design.a[place], design.b[place]
    a, b = (
        np.where(table.count > 0, np.asarray(gradient, dtype=np.float64), 0.0)
        for gradient, table in zip(gradients, tables, strict=True)
    )
    if design.grouped is None:
        return (a, b), (tables[0].count, tables[1].count)
    of_a, of_b = design.grouped.a, design.grouped.b
    added = unit_influences(a, tables[0], of_a), unit_influences(b, tables[1], of_b)
    return added, (of_a.count, of_b.count)


def _error(derivative: Floats, count: Floats) -> float:
    """The standard error; 0 where only rounding is left of it."""
    error = float(intervals.infinitesimal_jackknife(derivative, count))
    return 0.0 if error <= NO_SPREAD else error


def undefined_exchanges(one: Compared) -> int:
    """Exchanges that leave a figure undefined."""
    return 0 if one.exchanged is None else int(np.isnan(one.exchanged).sum())


def stacked_replicates(several: Sequence[Compared]) -> NDArray[np.float64] | None:
    """Replicates (replicate, coefficient), NaN for what has none; None where nothing has any."""
    sizes = [len(one.replicates) for one in several if one.replicates is not None]
    if not sizes:
        return None
    nothing = np.full(sizes[0], np.nan)
    return np.stack(
        [nothing if one.replicates is None else one.replicates for one in several], axis=1
    )
