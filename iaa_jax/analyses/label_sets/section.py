"""Label sets in a report."""

from __future__ import annotations

from iaa_jax.analyses.label_sets.page import page
from iaa_jax.analyses.label_sets.per_label import per_label
from iaa_jax.analyses.label_sets.study import label_sets as of_sets
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page


def label_sets(asked: Asked) -> Page | None:
    """Sets as a whole, and each label as present or absent; none of single labels."""
    if asked.task != "multi_label":
        return None
    how = {"options": asked.options, "progress": asked.progress}
    labels = per_label(asked.ratings, **how)
    several = asked.ratings.sizes["label"] > 1
    return page(labels, of_sets(asked.ratings, **how) if several else None)
