"""Spans: strict and other matches, by label, by pair of annotators, and where they differ."""

from __future__ import annotations

from collections.abc import Callable

import xarray as xr

from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.label_options import LabelOptions


def measure_spans(
    ratings: xr.Dataset,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """All coefficients of spans, and F1 by label, on the same replicates."""
    coefficients, by_label = agreement_and_labels(
        ratings, None, ["label_span_f1"], LabelOptions(), options, progress
    )
    return {"coefficients": coefficients, **by_label}
