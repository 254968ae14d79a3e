"""Agreement in a report: its head."""

from __future__ import annotations

import xarray as xr

from iaa_jax.analyses.agree.page import page
from iaa_jax.analyses.agree.study import agree
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import Page
from iaa_jax.pages.ratings import with_guesses_first


def agreement(asked: Asked) -> Page:
    """All coefficients with their intervals, and what was read; labels have their own section."""
    results: dict[str, xr.Dataset] = agree(
        asked.ratings, asked.coefficients or None, scale=asked.scale, **asked.how
    )
    beside = [results[name] for name in ("contingency",) if name in results]
    shown = page(results["coefficients"], *beside, sentence=True)
    return with_guesses_first(shown)
