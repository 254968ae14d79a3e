"""What else changed where agreement did: who rated, and which labels were given."""

from __future__ import annotations

from typing import Any

import numpy as np

from iaa_jax.engine.problem import Floats
from iaa_jax.metrics.options import Chooser
from iaa_jax.studies.asking import weights_of_items
from iaa_jax.studies.membership import label_shares


def panel(
    chooser: Chooser, position: Floats, change: float, coords: dict[str, Any]
) -> dict[str, Any]:
    """The ratings of each annotator before a change and from it on.

    ``panel_change`` is half the sum of the differences of their shares: 0 where everybody gives
    the same share of the ratings as before, 1 where others rate.
    """
    names = chooser.ratings["annotator"].values
    nothing: dict[str, Any] = {"panel_change": ((), np.nan)}
    if chooser.anonymous or np.isnan(change):
        return nothing
    found = chooser.tables.identified
    rated = found.codes >= 0
    sides = []
    for count in _sides(chooser, position, change):
        if found.annotator_of is None:
            sides.append(count @ rated)
            continue
        row, slot = np.nonzero(rated)
        who = found.annotator_of[row, slot]
        sides.append(np.bincount(who, weights=count[row], minlength=len(names)).astype(np.float64))
    coords["annotator"] = names
    before, after = sides
    return {
        "ratings_before": ("annotator", before),
        "ratings_after": ("annotator", after),
        "panel_change": ((), _shift(before, after)),
    }


def label_shift(
    chooser: Chooser, position: Floats, change: float, coords: dict[str, Any]
) -> dict[str, Any]:
    """The share of each label among the ratings before a change and from it on."""
    if chooser.tables.task == "value" or np.isnan(change):
        return {}
    shares = label_shares(chooser.tables, sets_as_labels=False)
    codes = chooser.tables.identified.codes
    row, place = np.nonzero(codes >= 0)
    sides = []
    for count in _sides(chooser, position, change):
        ratings = np.bincount(codes[row, place], weights=count[row], minlength=len(shares))
        found = ratings @ shares
        sides.append(found / max(float(ratings.sum()), 1e-300))
    coords["label"] = chooser.ratings["label"].values
    return {
        "label_share_before": ("label", sides[0]),
        "label_share_after": ("label", sides[1]),
    }


def _sides(chooser: Chooser, position: Floats, change: float) -> tuple[Floats, Floats]:
    """How many items show each identified pattern, before and from the change on."""
    found = chooser.tables.identified
    weight = weights_of_items(chooser.ratings)
    # positions that are not known belong to neither side
    before, after = (
        np.bincount(
            found.pattern_of, weights=np.where(side, weight, 0.0), minlength=len(found.codes)
        ).astype(np.float64)
        for side in (position < change, position >= change)
    )
    return before, after


def _shift(before: Floats, after: Floats) -> float:
    if not (before.sum() and after.sum()):
        return float("nan")
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)
