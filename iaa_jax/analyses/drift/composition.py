"""Annotators and labels before and after a change, and label frequencies over time."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.drift.timeline import blocks_of
from iaa_jax.data.kind import Kind
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.labels import bonferroni, label_use
from iaa_jax.measure.shared.times import Times

_STRETCHES, _LEAST_BLOCK = 8, 10.0


def compositions(resolver: Resolver, times: Times, change: float) -> tuple[dict[str, object], ...]:
    """Return variables and coordinates of annotators and labels before and after a change.

    ``panel_change`` is half the sum of the absolute differences of the annotators' shares of the
    ratings: 0 if nothing changes, and 1 if all annotators are new.
    """
    variables: dict[str, object] = {"panel_change": ((), np.nan)}
    coords: dict[str, object] = {}
    if np.isnan(change):
        return variables, coords
    sides = _sides(resolver, times.position, change)
    if not resolver.anonymous:
        coords["annotator"] = resolver.tables.annotator_names
        before, after = (_annotator_counts(resolver, count) for count in sides)
        variables |= {
            "ratings_before": ("annotator", before),
            "ratings_after": ("annotator", after),
            "panel_change": ((), _share_moved(before, after)),
        }
    if resolver.tables.kind is not Kind.NUMBERS:
        coords["label"] = resolver.tables.label_names
        before, after = (_label_shares(resolver, count) for count in sides)
        variables |= {
            "label_share_before": ("label", before),
            "label_share_after": ("label", after),
        }
    return variables, coords


def _sides(resolver: Resolver, position: Floats, change: float) -> tuple[Floats, Floats]:
    """Count items by pattern (distinct row of ratings), before the change and from it on."""
    identified = resolver.tables.identified
    weight = resolver.tables.item_weight
    before, after = (
        np.bincount(
            identified.pattern_of,
            weights=np.where(side, weight, 0.0),
            minlength=len(identified.codes),
        ).astype(np.float64)
        for side in (position < change, position >= change)
    )
    return before, after


def _annotator_counts(resolver: Resolver, count: Floats) -> Floats:
    """Count each annotator's ratings, given the items with each pattern."""
    identified = resolver.tables.identified
    rated = identified.codes >= 0
    if identified.annotator_of is None:
        return np.asarray(count @ rated)
    row, slot = np.nonzero(rated)
    raters = identified.annotator_of[row, slot]
    size = resolver.tables.annotators
    return np.bincount(raters, weights=count[row], minlength=size).astype(np.float64)


def _label_shares(resolver: Resolver, count: Floats) -> Floats:
    """Return each label's share of the ratings, given the items with each pattern."""
    counts, ratings = label_use(resolver.tables, resolver.tables.identified.codes)
    return np.asarray(count @ counts / max(float(count @ ratings), 1e-300))


def _share_moved(before: Floats, after: Floats) -> float:
    if not (before.sum() and after.sum()):
        return float("nan")
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def label_change(resolver: Resolver, times: Times, cluster: str | None) -> dict[str, object]:
    """Test whether labels are equally frequent at all times, in batches or in eight stretches.

    For each label, ``sum (share - mean)^2 / SE^2`` over the batches or stretches with 10 items or
    more has a chi-square distribution; SE comes from all items, or from all clusters of items.
    ``label_p_value`` is the smallest p-value, adjusted for the number of labels (Bonferroni). For
    spans, shares are of all spans.
    """
    untested: dict[str, object] = {"label_p_value": ((), np.nan)}
    if resolver.tables.kind is Kind.NUMBERS:
        return untested
    identified = resolver.tables.identified
    counts, whole = label_use(resolver.tables, identified.codes)
    panel = np.maximum((identified.codes >= 0).sum(axis=1), 1)
    shares, whole = counts / panel[:, None], whole / panel
    rated = np.asarray((identified.codes >= 0).any(axis=1))[identified.pattern_of]
    weight = np.where(rated, resolver.tables.item_weight, 0.0)
    timed = np.isfinite(times.position) & (weight > 0)
    position, weight = times.position[timed], weight[timed]
    block = blocks_of(position, weight, times, _STRETCHES)
    rows = np.zeros((int(block.max()) + 1, len(shares)))
    np.add.at(rows, (block, identified.pattern_of[timed]), weight)
    items, total = rows.sum(axis=1), rows @ whole
    large_enough = np.asarray((items >= _LEAST_BLOCK) & (total > 0))
    if large_enough.sum() < 2:
        return untested
    share = (rows @ shares) / np.where(total > 0, total, np.nan)[:, None]
    overall = rows[large_enough].sum(axis=0) / items[large_enough].sum()
    mean = overall @ shares / (overall @ whole)
    # from all items: within a batch that lacks a label, the variance would be 0
    deviation = shares - whole[:, None] * mean
    spread = overall @ deviation**2
    if cluster is not None:
        number = cluster_codes(resolver.tables, cluster)[0][timed]
        sums = np.zeros((int(number.max()) + 1, len(mean)))
        np.add.at(sums, number, weight[:, None] * deviation[identified.pattern_of[timed]])
        spread = (sums**2).sum(axis=0) / weight.sum()
    varies = np.asarray(spread > 1e-12)
    if not varies.any():
        return {"label_p_value": ((), 1.0)}
    squared_deviation = (share[large_enough] - mean)[:, varies] ** 2
    precision = total[large_enough] ** 2 / items[large_enough]
    q = (squared_deviation * precision[:, None]).sum(axis=0) / spread[varies]
    p = chdtrc(large_enough.sum() - 1, q)
    # two labels change equally: rounding must not decide which is named
    label = int(np.flatnonzero(varies)[np.flatnonzero(q >= (1 - 1e-9) * q.max())[0]])
    column = np.where(large_enough, share[:, label], np.nan)
    lowest, highest = int(np.nanargmin(column)), int(np.nanargmax(column))
    first = [position[block == which].min() for which in (lowest, highest)]
    at = times.coordinate_of(np.array(first))
    return {
        "label_p_value": ((), bonferroni(p)),
        "label_changed": ((), str(resolver.tables.label_names[label])),
        "label_lowest": ((), float(column[lowest])),
        "label_lowest_at": ((), at[0]),
        "label_highest": ((), float(column[highest])),
        "label_highest_at": ((), at[1]),
    }


def counts_by_label(resolver: Resolver, codes: Integers) -> Floats:
    """Return the number of ratings, or spans, by label: (pattern, label); for numbers, in all."""
    if resolver.tables.kind is Kind.NUMBERS:
        return np.asarray((codes >= 0).sum(axis=1, keepdims=True), dtype=np.float64)
    return label_use(resolver.tables, codes)[0]
