"""Small calls through the public functions, everything compiled."""

from __future__ import annotations

from collections.abc import Iterator

import krippendorff
import numpy as np
import xarray as xr
from coefficients import EIGHT
from points import peer_alpha
from results import Line, Target
from tables import numbers, ratings_table
from timing import in_turn

import iaa_jax as iaa


def warm(quick: bool) -> Iterator[Line]:
    """Against the package krippendorff, and against what any such call has to do."""
    table = ratings_table(100, 3, 4, 0.1)
    ratings = iaa.from_wide(table)
    runs = 10 if quick else 100
    found = iaa.krippendorff_alpha(ratings, interval=None)
    variables = {name: ((), value) for name, value in found.variables.items()}
    ours, theirs, limit = in_turn(
        runs,
        lambda: iaa.krippendorff_alpha(ratings, interval=None),
        lambda: peer_alpha(table),
        lambda: xr.Dataset(variables, attrs=found.attrs),
    )
    yield Line(
        "alpha, 100 x 3",
        ours,
        "krippendorff.alpha",
        theirs,
        Target(seconds=1e-3),
        "making the Dataset",
        limit,
    )
    replicates = 2000
    stream = np.random.Generator(np.random.Philox(0))
    patterns = np.unique(np.nan_to_num(table, nan=-1), axis=0, return_counts=True)[1]
    ours, theirs, limit = in_turn(
        runs,
        lambda: iaa.agreement(ratings, EIGHT, replicates=replicates),
        lambda: peer_alpha(table),
        lambda: stream.multinomial(100, patterns / 100, size=replicates),
    )
    work = f"{len(EIGHT)} coefficients with BCa intervals, 100 x 3"
    yield Line(
        work, ours, "krippendorff.alpha", theirs, Target(), "2,000 NumPy multinomials", limit
    )
    yield _many_values(10_000 if quick else 100_000)


def _many_values(count: int) -> Line:
    values = iaa.from_values(numbers(count))
    held = values.value.values
    small = held[:250]
    ours, theirs, limit = in_turn(
        3,
        lambda: iaa.krippendorff_alpha(values, interval=None),
        lambda: krippendorff.alpha(small.T, level_of_measurement="interval"),
        lambda: np.sort(held, axis=None),
    )
    return Line(
        f"interval alpha, {count:,} distinct values",
        ours,
        "krippendorff.alpha on 500 of them",
        theirs,
        Target(),
        "sorting them",
        limit,
    )
