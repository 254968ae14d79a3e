"""Fit labelling methods for many rows of weights: one by one on NumPy, or compiled in parallel."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.fits import Fit, FitRow, Tolerance, accelerated, fit
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.sparse import sparse
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Data, Method, Options, Weights
from iaa_jax.kernels.labelling.votes import ListedVotes

_THREADS = min(4, os.cpu_count() or 1)


def fit_rows(
    method: Method,
    data: Data,
    rows: Iterable[tuple[Weights, Options]],
    probability: Floats,
    tolerance: Tolerance,
    *,
    computing: Computing,
) -> Iterator[Fit]:
    """Yield fits for rows of weights and options, block by block.

    Each fit starts at ``probability`` (item, label). With a single block, each row may have its own
    starting point (row, item, label). ``rows`` yields weights (row, item) and (row, annotator) and
    options, for any number of rows. On a CPU, rows of listed data (a crowd's ratings, item by item)
    are fitted one by one, because a sparse product takes a tenth of the time of a compiled indexed
    sum. Methods without iteration are also fitted one by one. All other fits are compiled.
    """
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return iter(())
    all_rows = chain([first], rows)
    shape = probability.shape[-2:]
    listed = isinstance(data, ListedVotes | ListedMasses) and computing.on_processor
    if listed or _repeats_nothing(method, data, first, probability, tolerance):
        form = sparse(data, first[0].annotator.shape[1], shape[1])
        most = max(1, min(BLOCK, thresholds.FIT_CELLS // math.prod(shape)))
        return _one_by_one(method, form, _blocks(all_rows, probability, most), tolerance)
    from iaa_jax.engine import compiled_fits

    largest = max(part.size // len(part) * bucket(len(part)) for part in data if part is not None)
    cells = thresholds.FIT_CELLS if computing.on_processor else thresholds.DEVICE_FIT_CELLS
    most = max(1, min(BLOCK, cells // largest))
    return compiled_fits.fit_blocks(
        accelerated(method, tolerance),
        data,
        _blocks(all_rows, probability, most),
        tolerance,
        most=most,
        alike=probability.ndim == 2,
        computing=computing,
    )


def _blocks(
    rows: Iterable[tuple[Weights, Options]], probability: Floats, most: int
) -> Iterator[list[FitRow]]:
    for weights, options in rows:
        block = [
            FitRow(
                Weights(weights.item[number], weights.annotator[number]),
                type(options)(*(part[number] for part in options)),
                probability if probability.ndim == 2 else probability[number],
            )
            for number in range(len(weights.item))
        ]
        yield from (block[first : first + most] for first in range(0, len(block), most))


def _repeats_nothing(
    method: Method,
    data: Data,
    rows: tuple[Weights, Options],
    probability: Floats,
    tolerance: Tolerance,
) -> bool:
    """Tell whether the method needs no steps after its start."""
    ((first, *_), *_) = _blocks([rows], probability, 1)
    start = method.start(data, first.weights, first.start, first.options)
    return bool(start.change < tolerance.change)


def _one_by_one(
    method: Method, data: Data, blocks: Iterable[list[FitRow]], tolerance: Tolerance
) -> Iterator[Fit]:
    """Yield fits by NumPy and SciPy; rows with many items are fitted in parallel threads."""

    def fit_one(row: FitRow) -> Fit:
        return fit(method, data, row.weights, row.start, tolerance, row.options)

    with ThreadPoolExecutor(_THREADS) as pool:
        for block in blocks:
            long = len(block[0].start) >= thresholds.FIT_LONG
            yield Fit.stacked(pool.map(fit_one, block) if long else map(fit_one, block))
