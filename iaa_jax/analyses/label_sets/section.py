"""Label sets in a report."""

from __future__ import annotations

from iaa_jax.analyses.label_sets.page import page_of_results
from iaa_jax.analyses.label_sets.with_labels import label_sets_with_labels
from iaa_jax.data.kind import Kind
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page


def label_sets(asked: Asked) -> Page | None:
    """Sets as a whole, and each label as present or absent; none of single labels."""
    if asked.kind is not Kind.SETS:
        return None
    return page_of_results(
        label_sets_with_labels(asked.ratings, options=asked.options, progress=asked.progress)
    )
