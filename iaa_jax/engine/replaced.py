"""A coefficient with one annotator's ratings replaced, for many replacements."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from iaa_jax.engine.batch_sizes import batch_size_of
from iaa_jax.engine.inputs import inputs_of_ratings
from iaa_jax.engine.padding import bucket, pad_items
from iaa_jax.engine.problem import Floats, Integers, Problem
from iaa_jax.engine.rows import Progress


def replaced_estimates(
    problem: Problem,
    cells: Floats,
    codes: Integers,
    rows: Iterable[tuple[int, Integers, Floats]],
    total: int,
    progress: Progress | None = None,
) -> Floats:
    """Return estimates (row,), each with one annotator's ratings replaced.

    The ratings are ``codes`` (item, annotator), -1 for a missing rating; ``cells`` has the rating
    of each code. ``rows`` yields the annotator's column, its new codes (item,) and item weights.
    """
    import jax

    from iaa_jax.engine import compiled

    with problem.computing.scope("float64"):
        batch = batch_size_of(problem, "float64", len(codes))
        missing = bucket(len(cells) + 1) - len(cells)
        undefined = np.full((missing, *cells.shape[1:]), np.nan)
        all_cells = jax.device_put(np.concatenate([cells, undefined]))
        setting = inputs_of_ratings(problem, "float64")
        setting = setting._replace(
            annotator_of=None, annotator_weight=setting.annotator_weight[: codes.shape[1]]
        )
    known = pad_items(np.where(codes < 0, len(cells), codes).astype(np.int32))
    estimates: list[Floats] = []
    done = 0
    remaining = iter(rows)
    while part := list(islice(remaining, batch)):
        sources = np.repeat(known[None], batch, axis=0)
        weights = np.zeros((batch, len(known)))
        for number, (column, new_codes, weight) in enumerate(part):
            sources[number, : len(new_codes), column] = np.where(
                new_codes < 0, len(cells), new_codes
            )
            weights[number, : len(new_codes)] = weight
        # padding items have weight 0; being copies, they are valid for any coefficient
        sources[:, len(codes) :] = sources[:, :1]
        with problem.computing.scope("float64"):
            values = compiled.permuted_rows(
                all_cells, sources, weights, setting, problem.measure.kernel, batch
            )
            estimates.append(np.asarray(values)[: len(part)])
        done += len(part)
        if progress is not None:
            progress(done, total)
    return np.concatenate(estimates)
