"""Figures of each label, or of each annotator, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Columns
from iaa_jax.engine import Resampling
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.labels import LABELS_TOGETHER
from iaa_jax.measure.measurement import Measurement
from iaa_jax.measure.request import Request
from iaa_jax.measure.results import variables_of, with_doubt
from iaa_jax.measure.uncertainty import measure_requests
from iaa_jax.wording import Note


class OfLabels(NamedTuple):
    """What the table of labels says: columns, what is noted of each label, and of several."""

    columns: Columns
    noted: list[tuple[Note, ...]]
    notes: list[Note]


def named_figures(name: str, figures: Columns, estimate: str | None = None) -> Columns:
    """The estimate and its uncertainty under a name."""
    parts = ("standard_error", "ci_low", "ci_high", "interval")
    return {estimate or name: figures["estimate"]} | {
        f"{name}_{part}": figures[part] for part in parts
    }


def coefficient_of_labels(figures: Columns) -> Columns:
    """The coefficient of each label, and why it is undefined."""
    return named_figures("coefficient", figures, "coefficient_estimate") | {
        f"coefficient_{name}": figures[name] for name in ("code", "reason")
    }


def columns_of_figures(
    figures: Iterable[tuple[Request, Measurement]], options: IntervalOptions
) -> Columns:
    """Several figures as columns."""
    columns = [
        with_doubt(variables_of(request, figure, options), None, request, figure.made_by)
        for request, figure in figures
    ]
    return {name: np.array([column[name] for column in columns]) for name in columns[0]}


def measured_in_parts(
    requests: Iterable[Request],
    options: IntervalOptions,
    pairable: float,
    progress: Callable[[int, int], None] | None,
    resampling: Resampling,
) -> Iterator[tuple[Request, Measurement]]:
    """Requests with their figures; those of a part are compiled as one."""
    left = iter(requests)
    while part := [*islice(left, LABELS_TOGETHER)]:
        figures = measure_requests(part, options, pairable, progress, resampling)
        yield from zip(part, figures, strict=True)
