"""Coefficients of several questions on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.measure.agreement import agreement
from iaa_jax.measure.studies import lead_of


def of_questions(
    questions: Mapping[str, xr.Dataset],
    coefficients: Sequence[str] | None,
    label_options: LabelOptions,
    options: IntervalOptions,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Coefficients along ``question`` and ``coefficient``, of several questions on one file.

    A coefficient that does not fit one of them is undefined there.
    """
    results = [
        agreement(
            ratings, coefficients, label_options=label_options, options=options, progress=progress
        )
        for ratings in questions.values()
    ]
    along = pd.Index([*questions], name="question", dtype=object)
    joined = xr.concat(results, along, join="outer", combine_attrs="drop")
    name = lead_of(joined["coefficient"].values.tolist(), in_order=coefficients is not None)
    return joined.assign_attrs(results[0].attrs | {"coefficient": name} | _extremes(joined, name))


def _extremes(result: xr.Dataset, name: str) -> dict[str, object]:
    """On which question the coefficient is lowest and highest."""
    figures = result["estimate"].sel(coefficient=name).values
    if np.isnan(figures).all():
        return {"conclusion": "undefined"}
    questions = result["question"].values.tolist()
    ends = {"lowest": int(np.nanargmin(figures)), "highest": int(np.nanargmax(figures))}
    return {
        "conclusion": "measured",
        **{f"{end}_question": questions[place] for end, place in ends.items()},
        **{f"{end}_estimate": float(figures[place]) for end, place in ends.items()},
    }
