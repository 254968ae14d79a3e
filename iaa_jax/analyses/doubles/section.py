"""Primary and secondary labels in a report."""

from __future__ import annotations

from iaa_jax.analyses.doubles.page import page_of_results
from iaa_jax.analyses.doubles.with_items import sweep_with_items
from iaa_jax.data.kind import Kind
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page


def sweep(asked: Asked) -> Page | None:
    """How agreement changes when second labels count; none where there are none."""
    if asked.kind is not Kind.DOUBLES:
        return None
    return page_of_results(sweep_with_items(asked.ratings, **asked.how))
