"""Bootstrap replicates of a difference: both sets of several coefficients in one program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.engine import Prepared, Problem, over_rows
from iaa_jax.engine.rows import Progress


def resampled_differences(
    sides: Sequence[tuple[Problem, Problem]],
    sets: TwoSets,
    replicates: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Floats]:
    """Replicates (replicate,) of B - A for coefficients by their problems in A and in B.

    The rows of both sets go through one and the same problem, unless the sets differ in who is
    there: then each has a problem of its own, and reads its own rows alone.
    """
    if not sides:
        return []
    identified = [a.measure.identified for a, _ in sides]
    wanted, tables = sets.tables(identified=any(identified), exchangeable=not all(identified))
    differ = [a.annotator_weight is not b.annotator_weight for a, b in sides]
    problems_of_b = [
        replace(b, table=a.table) for (a, b), apart in zip(sides, differ, strict=True) if apart
    ]
    sizes: list[int] = []

    def stacked() -> Iterator[tuple[Floats, ...]]:
        for rows in sets.bootstrap(wanted, replicates, seed):
            sizes.append(len(rows.a[0]))
            yield tuple(np.concatenate(pair) for pair in zip(rows.a, rows.b, strict=True))

    def done(count: int, weight_rows: int) -> None:
        if progress is not None:
            progress(count // 2, weight_rows // 2)

    prepared = Prepared([*(a for a, _ in sides), *problems_of_b])
    values = over_rows(prepared, tables, stacked(), 2 * replicates, progress=done)
    of_a = np.concatenate([np.repeat([True, False], size) for size in sizes])
    differences, index_of_b = [], len(sides)
    for index, apart in enumerate(differ):
        source = index_of_b if apart else index
        index_of_b += apart
        differences.append(values[source][~of_a] - values[index][of_a])
    return differences
