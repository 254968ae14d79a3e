"""Replicates on a device: python gpu_work.py KIND ITEMS LABELS COUNT DTYPES WHERE

KIND is "items", "two-way" or "intervals"; DTYPES are joined by commas. WHERE is a kind of device
that draws by itself, or "host": the host draws for the CPU, of replicates only some, and the time
of all follows from those. Five annotators. Prints as JSON what was found in each precision, or why
nothing was measured.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count as numbers_from
from pathlib import Path
from typing import Any

import jax
import numpy as np

import iaa_jax as iaa
from iaa_jax.engine import Prepared, Resampling, bootstrap, estimates, over_rows, sampled_rows
from iaa_jax.engine.drawing.annotators import annotator_rows
from iaa_jax.engine.on_device import DeviceDraws
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.route import Route
from iaa_jax.engine.units import drawn_annotators
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.intervals.uncertainty import with_unseen_patterns
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities

sys.path.insert(0, str(Path(__file__).parent.parent))

from coefficients import EIGHT
from devices import Amount, least, name_of, peak_of, timed, working
from tables import ratings_table
from timing import seconds

ANNOTATORS = 5

BY_HOST, HELD = 1024, 1 << 25
"""Replicates that the host draws at most, and weights of these that it holds beforehand."""

Found = dict[str, Any]


def main() -> None:
    kind, dtypes, where = sys.argv[1], sys.argv[5].split(","), sys.argv[6]
    items, labels, count = map(int, sys.argv[2:5])
    try:
        about: Found = {"device": name_of(where)}
    except iaa.IaaError as error:
        print(json.dumps({"unmeasured": str(error)}))
        return
    ratings = iaa.from_wide(ratings_table(items, ANNOTATORS, labels, 0.0))
    resolver = Resolver(Rated.of(ratings, working(where)))
    whole = partial(intervals, resolver)
    measure = whole if kind == "intervals" else Replicates(resolver, kind, where)
    found: dict[str, Found] = {}
    results: dict[str, list[np.ndarray]] = {}
    for dtype in sorted(dtypes):  # single precision first: the peak is of all that has been
        results[dtype], found[dtype] = measure(count, dtype)
        found[dtype] |= {**about, "peak": peak_of(where)}
    for dtype, each in found.items():
        each["least"] = least(each.pop("amount"), where, dtype)
    if len(results) == 2:
        found["float32"]["apart"] = apart(results["float32"], results["float64"])
    print(json.dumps([found[dtype] for dtype in dtypes]))


class Replicates:
    """All coefficients on replicates over items, and over annotators beside them."""

    def __init__(self, resolver: Resolver, kind: str, where: str) -> None:
        self.by_host = where == "host"
        problems = [resolver.request(name).problem for name in EIGHT]
        self.resampling = Resampling(annotators=kind == "two-way")
        if self.resampling.annotators:
            problems = [with_identities(resolver, problem) for problem in problems]
        self.prepared, self.tables = Prepared(problems), tables_of(problems)
        estimates(self.prepared)  # the statistics are there

    def __call__(self, count: int, dtype: DType) -> tuple[list[np.ndarray], Found]:
        """Replicates, and how long they take."""
        patterns = max(len(table.count) for table in self.tables)
        done = count
        if self.by_host:
            done = min(count, BY_HOST, max(HELD // patterns // 64, 1) * 64)
        result, found = timed(
            lambda: bootstrap(
                self.prepared, replicates=done, seed=0, resampling=self.resampling, dtype=dtype
            )
        )
        drawing, products = (self._here if self.by_host else self._there)(done, dtype)
        times = count / done
        found |= {"drawing": drawing, "products": products}
        found |= {name: found[name] * times for name in ("seconds", "drawing", "products")}
        return result, {
            **found,
            "patterns": patterns,
            "replicates": done,
            "count": count,
            "amount": amount_of(self.prepared, count, dtype),
        }

    def _there(self, count: int, dtype: DType) -> tuple[float, float]:
        """Seconds of drawing, and of what is made of the draws, by one block of each."""
        computing, annotators = self.tables[0].computing, {}
        if self.resampling.annotators:
            annotators = {ANNOTATORS: drawn_annotators(self.prepared.problems, ANNOTATORS)}
        with computing.scope(dtype):
            draws = DeviceDraws(computing, self.tables, 0, self.resampling, dtype, annotators)
            route = Route(
                *(self.prepared, self.tables, count, dtype),
                annotators=[*annotators],
                drawn_by=computing,
            )
            size = draws.rows_at_once(count, route.width)
            numbers = np.arange(size)
            held = jax.block_until_ready(draws.weights(numbers))
            drawing = seconds(lambda: jax.block_until_ready(draws.weights(numbers)))
            jax.block_until_ready(route(held))
            products = seconds(lambda: jax.block_until_ready(route(held)))
        blocks = -(-count // size) / len(computing.devices)
        return drawing * blocks, products * blocks

    def _here(self, count: int, dtype: DType) -> tuple[float, float]:
        """The same where the host draws."""
        drawn: list[tuple[np.ndarray, ...]] = []
        drawing = seconds(
            lambda: drawn.extend(sampled_rows(self.tables, count, 0, self.resampling))
        )
        computing = self.tables[0].computing
        annotators = list(
            annotator_rows(ANNOTATORS, count, 0, self.resampling, computing=computing)
        )

        def of_draws() -> list[np.ndarray]:
            of_annotators = (lambda _: annotators) if self.resampling.annotators else None
            return over_rows(
                *(self.prepared, self.tables, drawn, count), annotators=of_annotators, dtype=dtype
            )

        of_draws()  # other blocks than of the whole may compile anew
        return drawing, seconds(of_draws)


def intervals(resolver: Resolver, count: int, dtype: DType) -> tuple[list[np.ndarray], Found]:
    """The automatic intervals of all coefficients, after the table is counted."""
    tables = resolver.tables
    seeds = numbers_from()  # what was measured of a table is kept, by all options

    def whole() -> list[np.ndarray]:
        options = IntervalOptions(replicates=count, seed=next(seeds), dtype=dtype)
        found, _ = agreement_and_labels(tables, EIGHT, (), LabelOptions(), options)
        return [found[name].values for name in ("ci_low", "ci_high")]

    requests = [resolver.request(name) for name in EIGHT]
    own = [request.interval(IntervalOptions()) for request in requests]
    problems = [request.problem for request in with_unseen_patterns(requests, own)]
    drawn_from, resampling = tables_of(problems), Resampling("dirichlet")
    agreement_and_labels(*(tables, EIGHT, (), LabelOptions(), IntervalOptions(interval=None)))
    result, found = timed(whole)
    drawing = min(seconds(lambda: _drawn(drawn_from, count, resampling, dtype)) for _ in range(2))
    amount = amount_of(Prepared(problems), count, dtype)
    return result, {
        **found,
        "drawing": drawing,
        "products": max(found["seconds"] - drawing, 0.0),
        "patterns": max(len(table.count) for table in drawn_from),
        "replicates": count,
        "count": count,
        # a Gamma number takes a normal and a uniform one
        "amount": amount._replace(numbers=2 * amount.numbers),
    }


def _drawn(tables: Sequence[Any], count: int, resampling: Resampling, dtype: DType) -> None:
    """Draw so many replicates where they are drawn here, and keep none."""
    rows: Iterator[Any] = sampled_rows(tables, count, 0, resampling)
    computing = tables[0].computing
    if computing.drawer is not None:
        rows = DeviceDraws(computing, tables, 0, resampling, dtype).several(count)
    for row in rows:
        jax.block_until_ready(row)


def amount_of(prepared: Prepared, count: int, dtype: DType) -> Amount:
    """At least: a random number a weight of the largest table, sums of all weights, each once."""
    tables = tables_of(prepared.problems)
    cells = count * sum(len(table.count) for table in tables)
    factored = [prepared.problems[index] for index in prepared.factored]
    shared = {problem.shared_key: prepared.statistics(problem).rows for problem in factored}
    products = 2.0 * count * sum(rows.size for rows in shared.values())
    largest = count * max(len(table.count) for table in tables)
    return Amount(largest, products, 2.0 * np.dtype(dtype).itemsize * cells)


def apart(found: Sequence[np.ndarray], exact: Sequence[np.ndarray]) -> float:
    """The largest difference; infinite where a replicate is undefined in one precision alone."""
    return max(map(difference, found, exact))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Of two arrays."""
    if not np.array_equal(np.isnan(one), np.isnan(other)):
        return float("inf")
    return float(np.nanmax(np.abs(one - other), initial=0.0))


if __name__ == "__main__":
    main()
