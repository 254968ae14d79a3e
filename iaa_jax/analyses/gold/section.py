"""Gold labels in a report."""

from __future__ import annotations

from iaa_jax.analyses.gold.page import page, page_of_spans
from iaa_jax.analyses.gold.spans import gold_spans
from iaa_jax.analyses.gold.study import gold as gold_labels
from iaa_jax.data.kind import Kind
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page


def gold(asked: Asked) -> Page | None:
    """The best label of each item by majority, the least certain first; none of numbers."""
    if not asked.has_labels:
        return None
    if asked.kind is Kind.SPANS:
        return page_of_spans(gold_spans(asked.ratings))
    return page(gold_labels(asked.ratings))
