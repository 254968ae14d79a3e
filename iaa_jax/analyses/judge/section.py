"""Models beside people in a report."""

from __future__ import annotations

from iaa_jax.analyses.judge.page import page
from iaa_jax.analyses.judge.study import judge as test
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page


def judge(asked: Asked) -> Page | None:
    """Whether judges may replace people; none where nobody is named as a judge."""
    if not asked.judges:
        return None
    return page(test(asked.everyone, asked.judges, asked.coefficient, **asked.how))
