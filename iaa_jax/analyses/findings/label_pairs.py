"""Find a pair of labels that all annotators confuse, and whether to merge them.

A merge is worth its loss if it removes a larger share of the disagreement than it loses of the
information in the labels.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from iaa_jax.analyses.findings.causes import Cause
from iaa_jax.analyses.findings.mending import Measured
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.requests.floors import worth_merging
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.shared.confused_pairs import confused_by_one, confused_pairs
from iaa_jax.measure.shared.labels import bits_lost

_REPLICATES = 1000
_REPORTED = 0.02
"""Minimum gain of a reported pair whose merge is not worth its loss."""

_MOST_LABELS = 40


def merged_pair(
    whole: Measured, coefficient: CoefficientLike | None, options: IntervalOptions
) -> tuple[Cause, Measured] | None:
    """Return the confused pair whose merge gains most, and the coefficient after the merge.

    Merges that are worth their loss are preferred. Otherwise the gain must be clear: guidelines may
    then separate the two labels.
    """
    rated, label_options = whole.resolver.tables, whole.resolver.options
    labels = np.unique(rated.codes.codes[rated.codes.codes >= 0]).tolist()
    pairs = [*combinations(labels, 2)]
    if not 3 <= len(labels) <= _MOST_LABELS or label_options.level not in (None, "nominal"):
        return None
    resampling = resampling_of(options.random, rated)
    confused = confused_pairs(rated, pairs, _REPLICATES, options, resampling)
    sure = np.flatnonzero(confused.p_value < 1 - options.confidence)
    lost, entropy = bits_lost(rated, pairs)
    best = None
    for at in sure.tolist():
        left, right = pairs[at]
        codes = np.where(rated.codes.codes == right, left, rated.codes.codes)
        merged = rated.with_ratings(replace(rated.codes, codes=codes))
        then = Measured.of(Resolver(merged, label_options), coefficient)
        gain, error, _, _ = then.gain_on(whole, options.confidence)
        share, gained = lost[at] / entropy, gain / (1 - whole.estimate)
        worth = bool(worth_merging(np.array(gain), np.array(error), whole.estimate, share))
        if not worth and gain < max(_REPORTED, 2 * error):
            continue
        if confused_by_one(rated, pairs[at], _REPLICATES, options) is not None:
            continue
        cause = Cause(
            "confused_pair",
            float(confused.p_value[at]),
            float(confused.confused[at]),
            label=left,
            other_label=right,
            values={"share_lost": float(share)} | ({} if worth else {"share_gained": gained}),
        )
        if best is None or (worth, gain) > best[0]:
            best = (worth, gain), cause, then
    return None if best is None else best[1:]
