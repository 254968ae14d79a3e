"""Replicates over items and annotators together, and standard errors over both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from coverage_study import drawing, program
from coverage_study.figures import Figures
from coverage_study.populations import mass_of
from iaa_jax.engine.precision import scope
from iaa_jax.kernels import intervals

Floats = NDArray[np.floating]


class BothWays(NamedTuple):
    """One figure on some data sets, with its standard errors over items and over annotators."""

    estimate: Floats  # (data set,)
    over_items: Floats
    over_annotators: Floats
    skewness: Floats
    replicates: Floats  # (replicate, data set)


_TOGETHER = 2_000_000
"""Cells (data set, replicate, place, annotator) that are worked on together."""


def parts(
    figures: Figures,
    codes: Any,
    counts: Any,
    labels: int,
    number: int,
    draw: np.random.Generator,
) -> Iterator[list[BothWays]]:
    """The figures on some data sets at a time.

    Pairs of annotators weigh ``v_a v_b``; the error over annotators is that of leaving one out.
    """
    annotators = codes.shape[1]
    data = drawing.compressed(counts, np.arange(len(codes)))
    order = data.rows.astype(np.intp)
    kernels = tuple(measure.kernel for measure in figures.measures)
    sets = len(counts)
    together = max(1, min(sets, _TOGETHER // (number * order.shape[1] * annotators)))
    ones = np.ones(annotators)
    with scope("float64"):
        wholes = program.on_data_sets(
            data.count, figures.rows[order], figures.settings, figures.figures, (0.95,)
        )
        for start in range(0, sets, together):
            begin = min(start, sets - together)
            part, kept = slice(begin, begin + together), slice(start - begin, None)
            mass = mass_of(codes, labels)[order[part]]
            weights = drawing.replicates(data.count[part], number, draw)
            drawn = draw.multinomial(annotators, ones / annotators, size=weights.shape[:2])
            found = estimates(weights, drawn.astype(np.float64), mass, kernels)
            without = np.broadcast_to(1 - np.eye(annotators), (together, annotators, annotators))
            same = np.repeat(data.count[part][:, None, :], annotators, axis=1)
            left = estimates(same, without, mass, kernels)
            yield [
                _of_figure(whole, part, kept, np.asarray(rows), np.asarray(rest), ones)
                for whole, rows, rest in zip(wholes, found, left, strict=True)
            ]


def _of_figure(
    whole: Any, part: slice, kept: slice, rows: Floats, rest: Floats, ones: Floats
) -> BothWays:
    return BothWays(
        np.asarray(whole.estimate)[part][kept],
        np.asarray(whole.standard_error)[part][kept],
        intervals.jackknife(rest.T, ones)[kept],
        np.asarray(whole.skewness)[part][kept],
        rows.T[:, kept],
    )


@partial(jax.jit, static_argnames="kernels")
def estimates(
    weights: Any, annotators: Any, mass: Any, kernels: tuple[Callable[..., Any], ...]
) -> tuple[Any, ...]:
    """Estimates (data set, row) for weights of both kinds (data set, row, ...)."""

    def of(kernel: Callable[..., Any]) -> Any:
        def one(weight: Any, annotator_weight: Any, data: Any) -> Any:
            found = kernel(data, item_weight=weight, annotator_weight=annotator_weight)
            return jnp.asarray(found.estimate)

        return jax.vmap(jax.vmap(one, in_axes=(0, 0, None)))(weights, annotators, mass)

    return tuple(of(kernel) for kernel in kernels)
