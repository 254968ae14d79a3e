"""Spans in a report."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.analyses.spans.coefficients import span_f1_coefficients
from iaa_jax.analyses.spans.page import page
from iaa_jax.analyses.spans.passages import span_f1_passages
from iaa_jax.analyses.spans.study import span_f1
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page, Table

PASSAGES = 5
"""Passages that are shown with what each annotator marked."""


def spans(asked: Asked) -> Page | None:
    """What annotators of spans differ on, with marked passages; none of other ratings."""
    if asked.task != "spans":
        return None
    how = {"options": asked.options, "progress": asked.progress}
    results = [span_f1(asked.ratings, **how), span_f1_coefficients(asked.ratings, **how)]
    if asked.texts:
        results.append(span_f1_passages(asked.ratings, PASSAGES))
    shown = page(*results)
    # the head of the report has the coefficients
    blocks = [
        replace(block, in_files=True)
        if isinstance(block, Table) and block.id == "coefficients"
        else block
        for block in shown.blocks
    ]
    return replace(shown, blocks=blocks)
