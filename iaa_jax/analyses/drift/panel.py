"""What else changed where agreement did: who rated, and which labels were given."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc

from iaa_jax.analyses.drift.line import blocks_of
from iaa_jax.analyses.drift.times import Times
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.items import weights_of_items
from iaa_jax.measure.label_shares import label_shares
from iaa_jax.measure.request import Resolver

_STRETCHES, _LEAST_BLOCK = 8, 10.0


def panel(
    resolver: Resolver, position: Floats, change: float, coords: dict[str, Any]
) -> dict[str, Any]:
    """The ratings of each annotator before a change and from it on.

    ``panel_change`` is half the sum of the differences of their shares: 0 where everybody gives
    the same share of the ratings as before, 1 where others rate.
    """
    names = resolver.ratings["annotator"].values
    nothing: dict[str, Any] = {"panel_change": ((), np.nan)}
    if resolver.anonymous or np.isnan(change):
        return nothing
    found = resolver.tables.identified
    rated = found.codes >= 0
    sides = []
    for count in _sides(resolver, position, change):
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
    resolver: Resolver, position: Floats, change: float, coords: dict[str, Any]
) -> dict[str, Any]:
    """The share of each label among the ratings before a change and from it on."""
    if resolver.tables.task == "value" or np.isnan(change):
        return {}
    shares = label_shares(resolver.tables, sets_as_labels=False)
    codes = resolver.tables.identified.codes
    row, place = np.nonzero(codes >= 0)
    sides = []
    for count in _sides(resolver, position, change):
        ratings = np.bincount(codes[row, place], weights=count[row], minlength=len(shares))
        found = ratings @ shares
        sides.append(found / max(float(ratings.sum()), 1e-300))
    coords["label"] = resolver.ratings["label"].values
    return {
        "label_share_before": ("label", sides[0]),
        "label_share_after": ("label", sides[1]),
    }


def label_change(resolver: Resolver, times: Times) -> dict[str, Any]:
    """Whether labels occur as often at all times, in batches or in eight stretches of items.

    Of each label the items' shares are compared: ``sum (share - mean)^2 / SE^2`` is chi-square.
    ``label_p_value`` is the smallest p-value times the number of labels (Bonferroni).
    """
    nothing: dict[str, Any] = {"label_p_value": ((), np.nan)}
    if resolver.tables.task == "value":
        return nothing
    shares, found = label_shares(resolver.tables, sets_as_labels=False), resolver.tables.identified
    rated = found.codes >= 0
    size = rated.sum(axis=1)
    cells = np.where(rated, found.codes, 0)
    row, slot = np.nonzero(rated)
    of_pattern = np.zeros((len(cells), shares.shape[1]))
    np.add.at(of_pattern, row, shares[cells[row, slot]])
    of_pattern /= np.maximum(size, 1)[:, None]
    weight = np.where(size[found.pattern_of] > 0, weights_of_items(resolver.ratings), 0.0)
    held = np.isfinite(times.position) & (weight > 0)
    position, weight, pattern = times.position[held], weight[held], found.pattern_of[held]
    block = blocks_of(position, weight, times, _STRETCHES)
    blocks = int(block.max()) + 1
    rows = np.zeros((blocks, len(cells)))
    np.add.at(rows, (block, pattern), weight)
    total = rows.sum(axis=1)
    kept = total >= _LEAST_BLOCK
    if kept.sum() < 2:
        return nothing
    share = (rows @ of_pattern) / total[:, None]
    every = rows[kept].sum(axis=0) / total[kept].sum()
    mean = every @ of_pattern
    # the spread of all items, which no batch without a label takes for certainty
    spread = np.maximum(every @ of_pattern**2 - mean**2, 0.0)
    held_labels = spread > 1e-12
    if not held_labels.any():
        return {"label_p_value": ((), 1.0)}
    away = (share[kept] - mean)[:, held_labels] ** 2
    q = (away * total[kept][:, None]).sum(axis=0) / spread[held_labels]
    p = chdtrc(kept.sum() - 1, q)
    found_label = int(np.flatnonzero(held_labels)[np.argmin(p)])
    column = np.where(kept, share[:, found_label], np.nan)
    lowest, highest = int(np.nanargmin(column)), int(np.nanargmax(column))
    ends = np.array([position[block == one].min() for one in (lowest, highest)])
    names = times.shown(ends)
    labels = max(int(held_labels.sum()) - (held_labels.sum() == 2), 1)
    return {
        "label_p_value": ((), min(1.0, float(p.min()) * labels)),
        "label_changed": ((), str(resolver.ratings["label"].values[found_label])),
        "label_lowest": ((), float(column[lowest])),
        "label_lowest_at": ((), names[0]),
        "label_highest": ((), float(column[highest])),
        "label_highest_at": ((), names[1]),
    }


def _sides(resolver: Resolver, position: Floats, change: float) -> tuple[Floats, Floats]:
    """How many items show each identified pattern, before and from the change on."""
    found = resolver.tables.identified
    weight = weights_of_items(resolver.ratings)
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
