"""Primary and secondary labels in a report."""

from __future__ import annotations

from iaa_jax.analyses.doubles.item_classes import item_classes, item_curves
from iaa_jax.analyses.doubles.label_pairs import labels
from iaa_jax.analyses.doubles.page import page
from iaa_jax.analyses.doubles.patterns import patterns
from iaa_jax.analyses.doubles.study import sweep as over_p
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page


def sweep(asked: Asked) -> Page | None:
    """How agreement changes when second labels count; none where there are none."""
    if asked.task != "primary_secondary":
        return None
    ratings, of_labels = asked.ratings, {"label_options": asked.label_options}
    curve = over_p(ratings, **asked.how)
    return page(
        curve,
        item_classes(ratings, **of_labels),
        item_curves(ratings, p=curve, **of_labels),
        patterns(ratings, p=(0.5, 0.75, 1.0)),
        labels(ratings, **of_labels),
    )
