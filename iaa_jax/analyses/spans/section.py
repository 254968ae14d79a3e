"""Spans in a report."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.analyses.spans.page import page
from iaa_jax.analyses.spans.with_coefficients import span_f1_with_coefficients
from iaa_jax.data.kind import Kind
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page, Table

PASSAGES = 5
"""Passages that are shown with what each annotator marked."""


def spans(asked: Asked) -> Page | None:
    """What annotators of spans differ on, with marked passages; none of other ratings."""
    if asked.kind is not Kind.SPANS:
        return None
    passages = PASSAGES if asked.texts else 0
    shown = page(
        span_f1_with_coefficients(
            asked.ratings, passages=passages, options=asked.options, progress=asked.progress
        )
    )
    # the head of the report has the coefficients
    blocks = [
        replace(block, in_files=True)
        if isinstance(block, Table) and block.id == "coefficients"
        else block
        for block in shown.blocks
    ]
    return replace(shown, blocks=blocks)
