"""Drift in a report."""

from __future__ import annotations

from iaa_jax.analyses.drift.page import page
from iaa_jax.analyses.drift.study import drift as course
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page

USUAL = "time"
"""The coordinate that holds times where none is named."""


def drift(asked: Asked) -> Page | None:
    """How agreement changes over times or batches; none where there are none."""
    by = asked.by or USUAL
    if asked.by is None and by not in asked.ratings.dataset.coords:
        return None
    return page(course(asked.ratings, by, asked.coefficient, **asked.how))
