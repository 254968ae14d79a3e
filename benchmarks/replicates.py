"""One bootstrap replicate of several coefficients together, against one call of the peer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from coefficients import AWARE, EXCHANGEABLE
from numpy.typing import NDArray
from points import peer_alpha
from results import Line, Target
from tables import numbers, ratings_table
from timing import Call, in_turn

import iaa_jax as iaa
from iaa_jax.engine import PatternTable, Prepared, bootstrap, bootstrap_rows, over_rows
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver

NO_TARGET = Target()

SORTS = 20
"""A replicate of an interval over distinct numbers may take as long as so many sorts of them."""


def replicates(quick: bool) -> Iterator[Line]:
    """With the drawing and without; the limits are the drawing and the products alone."""
    sizes = [(10_000, 5, (Target(150), Target(300)), (Target(40), Target(100)))]
    if not quick:
        sizes.append((1_000_000, 10, (Target(5000), NO_TARGET), (Target(400), NO_TARGET)))
    for items, labels, exchangeable, aware in sizes:
        table = ratings_table(items, 5, labels, 0.0)
        ratings = iaa.from_wide(table)
        count = 128 if items > 100_000 else 512 if quick else 2048
        for names, targets, kind in (
            (EXCHANGEABLE, exchangeable, "exchangeable"),
            (AWARE, aware, "with the annotator-aware"),
        ):
            yield from _replicates(ratings, table, names, targets, kind, count)
    yield _of_many_values(*((10_000, 200) if quick else (100_000, 2000)))


def _of_many_values(count: int, replicates: int) -> Line:
    """An interval over distinct numbers, all of it, against sorting them for each replicate."""
    values = iaa.from_values(numbers(count))
    held = values.value.values
    whole, sort = in_turn(
        1,
        lambda: iaa.krippendorff_alpha(values, replicates=replicates),
        lambda: np.sort(held, axis=None),
    )
    return Line(
        f"one replicate of interval alpha and its interval, {count:,} distinct values",
        whole / replicates,
        f"{SORTS} sorts of the values",
        SORTS * sort,
        Target(1),
    )


def _replicates(
    ratings: xr.Dataset,
    table: NDArray[np.float64],
    names: tuple[str, ...],
    targets: tuple[Target, Target],
    kind: str,
    count: int,
) -> Iterator[Line]:
    resolver = Resolver(Rated.of(ratings))
    prepared = Prepared([resolver.request(name).problem for name in names])
    tables = list({id(problem.table): problem.table for problem in prepared.problems}.values())
    drawn = list(bootstrap_rows(tables, count, 0))
    work = f"one replicate, {kind}, {len(table):,} x 5 ({len(tables[-1].count):,} patterns)"
    for what, target, call, limit, bare in (
        (
            "drawing included",
            targets[0],
            lambda: bootstrap(prepared, replicates=count, seed=0),
            "NumPy multinomial",
            bare_drawing(tables[-1], count),
        ),
        (
            "without drawing",
            targets[1],
            lambda: over_rows(prepared, tables, iter(drawn), count),
            "the products alone",
            bare_products(prepared, tables, drawn),
        ),
    ):
        taken = in_turn(5, call, lambda: peer_alpha(table), bare)
        ours, theirs, least = taken[0] / count, taken[1], taken[2] / count
        yield Line(f"{work}, {what}", ours, "krippendorff.alpha", theirs, target, limit, least)


def bare_drawing(table: PatternTable, count: int) -> Call:
    """Counts of the finest table's patterns, drawn by NumPy alone on one thread.

    No limit in earnest: ours draws the same distribution with fewer numbers where patterns are
    many, and on several threads.
    """
    stream = np.random.Generator(np.random.Philox(0))
    chance = table.count / table.items
    return lambda: stream.multinomial(round(table.items), chance, size=count)


def bare_products(
    prepared: Prepared, tables: list[PatternTable], drawn: list[tuple[NDArray[np.floating], ...]]
) -> Call:
    """Weights times statistics by NumPy, and SciPy where they stand by an index."""
    flats = {
        problem.shared_key: (
            next(place for place, table in enumerate(tables) if table is problem.table),
            prepared.statistics(problem),
        )
        for problem in prepared.problems
    }
    plain = [
        np.concatenate([flat.dense for where, flat in flats.values() if where == place], axis=1)
        for place in range(len(tables))
    ]
    indexed = [(place, flat.indexed) for place, flat in flats.values() if flat.indexed is not None]

    def products() -> None:
        for rows in drawn:
            for weights, matrix in zip(rows, plain, strict=True):
                weights @ matrix
            for place, sparse in indexed:
                sparse @ np.ascontiguousarray(rows[place].T)

    return products
