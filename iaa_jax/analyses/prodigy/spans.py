"""Prodigy's statistics of spans: F1 of pairs of annotators, each pair once, and its labels."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._types import Variables
from iaa_jax.catalog.spans import BY_LABEL, GAINS, MATCHES
from iaa_jax.data.marked.documents import documents_of
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.spans import confusion_of_labels, labels_and_none, support_of_labels
from iaa_jax.measure.studies import weights_of_items

AVERAGES = ("micro", "macro", "weighted")
FIGURES = ("estimate", "standard_error", "ci_low", "ci_high")


def span_agreement(
    ratings: xr.Dataset, match: str, options: IntervalOptions, progress: Progress | None
) -> xr.Dataset:
    """F1 of pairs in its averages, of each label, and what partial matches gain on strict."""
    name = MATCHES[match]
    _, parts = agreement_and_labels(
        ratings,
        [],
        {
            **{average: (name, {"average": average}) for average in AVERAGES},
            "label_f1": (BY_LABEL, {"match": match}),
            "gap": (GAINS[0], {}),
            "label_gap": (GAINS[1], {}),
        },
        LabelOptions(),
        options,
        progress,
    )
    columns = {
        figure: np.array([parts[average][figure].item() for average in AVERAGES])
        for figure in (*FIGURES, "code", "reason")
    }
    variables: Variables = {figure: ("average", values) for figure, values in columns.items()}
    for part, dims in (("label_f1", ("label",)), ("gap", ()), ("label_gap", ("label",))):
        for figure in FIGURES:
            key = part if figure == "estimate" else f"{part}_{figure}"
            variables[key] = (dims, parts[part][figure].values)
    _, documents = documents_of(ratings)
    weight, labels = weights_of_items(ratings), ratings["label"].values
    variables |= support_of_labels(documents, "set", weight)
    variables |= confusion_of_labels(documents, match, "set", weight)
    either = labels_and_none(labels)
    coords = {"average": [*AVERAGES], "label": labels, "label_a": either, "label_b": either}
    return xr.Dataset(variables, coords, {**parts["micro"].attrs, "match": match})
