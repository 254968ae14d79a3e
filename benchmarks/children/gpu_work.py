"""Replicates on a device: python gpu_work.py KIND ITEMS LABELS REPLICATES DTYPE WHERE

KIND is "items" or "two-way"; WHERE is a kind of device that draws by itself, or "host": the host
draws for the CPU, some of the replicates, and the time of all follows from those. Five annotators.
Prints seconds and more as JSON, or why nothing was measured.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np

import iaa_jax as iaa
from iaa_jax.engine import Prepared, Resampling, bootstrap, estimates, over_rows, sampled_rows
from iaa_jax.engine.devices import devices_of, working_on
from iaa_jax.engine.drawing import rows_at_once
from iaa_jax.engine.drawing.annotators import annotator_rows
from iaa_jax.engine.on_device import DeviceDraws, bootstrap_on
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.precision import scope
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.route import Route
from iaa_jax.engine.units import drawn_annotators
from iaa_jax.measure.resolver import Resolver
from iaa_jax.measure.studies import with_identities

sys.path.insert(0, str(Path(__file__).parent.parent))

from coefficients import EIGHT
from tables import ratings_table
from timing import seconds

ANNOTATORS = 5

COMPARED = 1024
"""Replicates whose estimates in both precisions are compared."""

BY_HOST, HELD = 2048, 1 << 25
"""Replicates that the host draws at most, and weights of these that it holds beforehand."""


def main() -> None:
    kind, where = sys.argv[1], sys.argv[6]
    items, labels, replicates = map(int, sys.argv[2:5])
    resampling = Resampling(annotators=kind == "two-way")
    try:
        devices = devices_of("cpu" if where == "host" else where)
    except iaa.IaaError as error:
        print(json.dumps({"unmeasured": str(error)}))
        return
    resolver = Resolver(iaa.from_wide(ratings_table(items, ANNOTATORS, labels, 0.0)))
    problems = [resolver.request(name).problem for name in EIGHT]
    if resampling.annotators:
        problems = [with_identities(resolver, problem) for problem in problems]
    prepared = Prepared(problems)
    estimates(prepared)  # the statistics are there
    jax.block_until_ready(jax.device_put(np.zeros(1), devices[0]))
    measure = on_host if where == "host" else on_devices
    found = measure(prepared, resampling, replicates, sys.argv[5], devices)
    patterns = max(len(table.count) for table in tables_of(problems))
    print(json.dumps({"patterns": patterns, "device": where_of(where, devices), **found}))


def on_devices(
    prepared: Prepared,
    resampling: Resampling,
    replicates: int,
    dtype: Any,
    devices: Sequence[jax.Device],
) -> dict[str, float | int | None]:
    """Whole, and by its two parts: drawing, and what is made of the draws."""

    def whole(count: int = replicates, dtype: Any = dtype) -> list[np.ndarray]:
        return bootstrap_on(
            devices, prepared, replicates=count, seed=0, resampling=resampling, dtype=dtype
        )

    taken = timed(whole)
    peaks = [(device.memory_stats() or {}).get("peak_bytes_in_use") for device in devices]
    with scope(dtype):
        tables = tables_of(prepared.problems)
        annotators = {}
        if resampling.annotators:
            annotators = {ANNOTATORS: drawn_annotators(prepared.problems, ANNOTATORS)}
        draws = DeviceDraws(devices, tables, 0, resampling, dtype, annotators)
        route = Route(
            *(prepared, tables, replicates, dtype), annotators=[*annotators], devices=devices
        )
        size = draws.rows_at_once(replicates, route.width)
        numbers, blocks = np.arange(size), -(-replicates // size)
        held = jax.block_until_ready(draws.weights(numbers))
        drawing = seconds(lambda: jax.block_until_ready(draws.weights(numbers)))
        jax.block_until_ready(route(held))
        products = seconds(lambda: jax.block_until_ready(route(held)))
    return {
        **taken,
        "drawing": drawing * blocks,
        "products": products * blocks,
        "replicates": replicates,
        "at_once": size,
        "peak": None if None in peaks else max(peaks),
        "apart": apart(lambda each: whole(min(replicates, COMPARED), each), dtype),
    }


def on_host(
    prepared: Prepared,
    resampling: Resampling,
    replicates: int,
    dtype: Any,
    devices: Sequence[jax.Device],
) -> dict[str, float | int | None]:
    """The same where the host draws."""
    del devices
    tables = tables_of(prepared.problems)
    patterns = max(len(table.count) for table in tables)
    count = min(replicates, BY_HOST, max(HELD // patterns // 64, 1) * 64)

    def whole(count: int = count, dtype: Any = dtype) -> list[np.ndarray]:
        with working_on("cpu"):
            return bootstrap(prepared, replicates=count, seed=0, resampling=resampling, dtype=dtype)

    taken = timed(whole)
    drawn: list[tuple[np.ndarray, ...]] = []
    drawing = seconds(lambda: drawn.extend(sampled_rows(tables, count, 0, resampling)))
    annotators = list(annotator_rows(ANNOTATORS, count, 0, resampling))

    def of_draws() -> list[np.ndarray]:
        of_annotators = (lambda _: annotators) if resampling.annotators else None
        return over_rows(prepared, tables, drawn, count, annotators=of_annotators, dtype=dtype)

    of_draws()  # other blocks than of the whole may compile anew
    products = seconds(of_draws)
    times = replicates / count
    return {
        "compiling": taken["compiling"],
        "seconds": taken["seconds"] * times,
        "drawing": drawing * times,
        "products": products * times,
        "replicates": count,
        "at_once": rows_at_once(max(bucket(len(table.count)) for table in tables)),
        "peak": None,
        "apart": apart(lambda each: whole(min(count, COMPARED), each), dtype),
    }


def where_of(where: str, devices: Sequence[jax.Device]) -> str:
    """What works, and what draws."""
    kind = devices[0].device_kind
    several = f"{len(devices)} x {kind}" if len(devices) > 1 else kind
    return f"{several}, the host draws" if where == "host" else f"{several}, draws itself"


def timed(call: Callable[[], object]) -> dict[str, float]:
    """Seconds of a later call, and what the first one took beyond them."""
    first = seconds(call)
    later = min(seconds(call) for _ in range(2))
    return {"seconds": later, "compiling": first - later}


def apart(call: Callable[[str], list[np.ndarray]], dtype: str) -> float | None:
    """Largest difference of estimates from those of double precision, of the same draws."""
    if dtype == "float64":
        return None
    return max(map(difference, call(dtype), call("float64")))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """The largest; infinite where a replicate is undefined in one precision alone."""
    if not np.array_equal(np.isnan(one), np.isnan(other)):
        return float("inf")
    return float(np.nanmax(np.abs(one - other), initial=0.0))


if __name__ == "__main__":
    main()
