"""Gamma's disorder by trying every alignment (Mathet, Widlöcher and Métivier 2015, section 4).

A continuum is ``{annotator: [(start, end, label), ...]}``; nothing here is shared with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

Unit = tuple[float, float, str]
Continuum = dict[str, list[Unit]]
Alignment = list[list[Unit | None]]


def nominal(one: str, other: str) -> float:
    return float(one != other)


def positional(u: Unit, v: Unit) -> float:
    moved = abs(u[0] - v[0]) + abs(u[1] - v[1])
    return (moved / ((u[1] - u[0]) + (v[1] - v[0]))) ** 2


def unitary_cost(
    unitary: list[Unit | None],
    alpha: float,
    beta: float,
    delta: float,
    labels: Callable[[str, str], float],
) -> float:
    """The mean dissimilarity of the pairs of a unitary alignment."""
    total, pairs = 0.0, 0
    for u, v in combinations(unitary, 2):
        pairs += 1
        if u is None or v is None:
            total += delta
        else:
            total += alpha * positional(u, v) * delta + beta * labels(u[2], v[2]) * delta
    return total / pairs


def alignments(continuum: Continuum) -> Iterator[Alignment]:
    """Every way to put all units into unitary alignments."""
    names = sorted(continuum)
    filled = [name for name in names if continuum[name]]
    if not filled:
        yield []
        return
    first = names.index(filled[0])
    head, *_ = continuum[filled[0]]
    choices = [
        [None, *range(len(continuum[name]))] if place > first else [None]
        for place, name in enumerate(names)
    ]
    for chosen in product(*choices):
        unitary: list[Unit | None] = [
            None if k is None else continuum[name][k] for name, k in zip(names, chosen, strict=True)
        ]
        unitary[first] = head
        rest = {
            name: [unit for k, unit in enumerate(continuum[name]) if k != taken]
            for name, taken in zip(names, chosen, strict=True)
        }
        rest[filled[0]] = continuum[filled[0]][1:]
        for others in alignments(rest):
            yield [unitary, *others]


def disorder(
    continuum: Continuum,
    alpha: float = 3.0,
    beta: float = 1.0,
    delta: float = 1.0,
    labels: Callable[[str, str], float] = nominal,
) -> float:
    """The least cost of an alignment, by the mean number of units of an annotator."""
    best = min(
        sum(unitary_cost(each, alpha, beta, delta, labels) for each in alignment)
        for alignment in alignments(continuum)
    )
    return best * len(continuum) / sum(len(units) for units in continuum.values())
