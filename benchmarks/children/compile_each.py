"""Compile time of each coefficient: python compile_each.py [NUMBER]

Replicates of every coefficient of the catalogue, or of the first so many, by compiled code,
whatever its size, with nothing kept of the one before. Prints a record for each as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import xarray as xr

import iaa_jax as iaa
from iaa_jax import _thresholds as thresholds
from iaa_jax.catalog import CATALOG

sys.path.insert(0, str(Path(__file__).parent.parent))

from tables import label_sets, numbers, primary_secondary, ratings_table
from timing import Compilations, seconds

REPLICATES = 64

LENGTH = 50
"""Of a document."""


def main() -> None:
    names = list(CATALOG)[: int(sys.argv[1]) if len(sys.argv) > 1 else None]
    thresholds.NUMPY_CELLS = -1
    several = list(data())
    jax.block_until_ready(jax.numpy.zeros(1))
    xla = Compilations().seconds
    print(json.dumps([measured(name, several, xla) for name in names]))


def data() -> Iterator[xr.Dataset]:
    """Ratings of each kind, small; every coefficient takes some of them."""
    yield iaa.from_wide(ratings_table(100, 3, 4, 0.0))
    yield iaa.from_wide(ratings_table(100, 2, 4, 0.0))
    yield iaa.from_wide(ratings_table(100, 2, 2, 0.0))
    yield iaa.from_values(numbers(200))
    yield primary_secondary(100, 3, 4)
    yield label_sets(100, 3, 4)
    yield spans([(start, start + 4) for start in range(0, LENGTH, 10)])
    yield spans([(start, start + 10) for start in range(0, LENGTH, 10)])


def spans(marks: list[tuple[int, int]]) -> xr.Dataset:
    """Documents in which the second annotator moves the first border within."""
    (start, border), *rest = marks
    after = [(border + 1, end) if begin == border else (begin, end) for begin, end in rest]
    moved = [(start, border + 1), *after]
    documents = [f"document {number}" for number in range(20)]
    marked = {
        who: [(*mark, "ab"[place % 2]) for place, mark in enumerate(own)]
        for who, own in (("ann", marks), ("ben", moved))
    }
    lengths = dict.fromkeys(documents, LENGTH)
    return iaa.from_spans(dict.fromkeys(documents, marked), lengths=lengths)


def measured(name: str, several: list[xr.Dataset], xla: list[float]) -> dict[str, Any]:
    """On the first data that the coefficient takes."""
    for ratings in several:
        try:
            iaa.bootstrap(ratings, name, replicates=2)
        except iaa.IaaError:
            continue

        def call(ratings: xr.Dataset = ratings) -> None:
            iaa.bootstrap(ratings, name, replicates=REPLICATES)

        jax.clear_caches()
        xla.clear()
        first = seconds(call)
        compiled, programs = sum(xla), len(xla)
        later = min(seconds(call) for _ in range(3))
        return {"work": name, "first": first, "xla": compiled, "later": later, "programs": programs}
    raise ValueError(f"no data here are for {name}")


if __name__ == "__main__":
    main()
