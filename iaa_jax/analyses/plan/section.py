"""A plan in a report."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.analyses.plan.page import page
from iaa_jax.analyses.plan.study import HALF_WIDTH, plan as design
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page, Remarks
from iaa_jax.wording import Note


def plan(asked: Asked) -> Page:
    """What more items, or more annotators, would buy."""
    result = design(asked.ratings, asked.coefficient, half_width=HALF_WIDTH, **asked.how)
    shown = page(result, designs=False)
    return replace(shown, blocks=[*shown.blocks, Remarks([Note("precision_alone")])])
