"""Pairs of labels that are confused more often than chance explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine import Resampling, sampled_rows
from iaa_jax.kernels.confusing import FEWEST_FOR_FACTORS, chances, neighbour_chances
from iaa_jax.measure.intervals.family_wise import max_t
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.spread import error_of
from iaa_jax.measure.shared.confusions import coincidences_of_items
from iaa_jax.measure.shared.labels import label_shares

Pair = tuple[int, int]
"""The indices of two labels."""


class ConfusedPairs(NamedTuple):
    """Numbers of confusions, numbers expected by chance, and adjusted p-values: arrays (pair,)."""

    confused: Floats
    by_chance: Floats
    p_value: Floats


def confused_pairs(
    tables: Rated,
    pairs: Sequence[Pair],
    replicates: int,
    options: IntervalOptions,
    resampling: Resampling,
    *,
    ordered: bool = False,
) -> ConfusedPairs:
    """Compare the confusion of pairs of labels with several models of chance.

    The p-value is the largest over the models; for each model, it is adjusted for all pairs (max-T
    over replicates). If labels are ``ordered``, the models explain only which neighbouring labels
    are confused, and take the numbers of other confusions from the data.
    """
    if not pairs:
        return ConfusedPairs(np.zeros(0), np.zeros(0), np.zeros(0))
    of_patterns = coincidences_of_items(
        tables.exchangeable.codes, label_shares(tables, sets_as_labels=False)
    )
    size = len(tables.label_names)
    left, right = np.array(pairs).T
    table = tables.exchangeable_table

    def excess(weights: Floats) -> tuple[Floats, list[Floats]]:
        sums = (weights @ of_patterns).reshape(*weights.shape[:-1], size, size)
        confused = sums[..., left, right]
        models = [neighbour_chances(model, sums) if ordered else model for model in chances(sums)]
        by_chance = [model[..., left, right] for model in models]
        # with ordered labels, the last two models would fit the confusions of neighbours, because
        # they have a parameter for each label
        used = by_chance if size >= FEWEST_FOR_FACTORS and not ordered else by_chance[:2]
        return confused, [np.asarray(expected) for expected in used]

    confused, by_chance = excess(table.count)
    drawn = sampled_rows([table], replicates, options.seed, resampling)
    parts = [excess(rows) for (rows,) in drawn]
    drawn_confused = np.concatenate([part[0] for part in parts])[:replicates]
    p_values = []
    for number, expected in enumerate(by_chance):
        drawn_chance = np.concatenate([part[1][number] for part in parts])[:replicates]
        drawn_above = drawn_confused - drawn_chance
        above = confused - expected
        test = max_t(above, error_of(drawn_above), drawn_above, options.confidence, two_sided=False)
        p_values.append(np.where(np.isnan(test.step_down), 1.0, test.step_down))
    return ConfusedPairs(confused, np.max(by_chance, axis=0), np.max(p_values, axis=0))


def confused_by_one(
    tables: Rated,
    pair: Pair,
    replicates: int,
    options: IntervalOptions,
    *,
    ordered: bool = False,
) -> str | None:
    """Return the annotator without whom chance explains the confusion of a pair, or None.

    Only the annotator with the largest part in these confusions is tested. If fewer than two items
    have two ratings by others, this annotator is returned without a test. With two annotators, or
    with anonymous counts, the result is None.
    """
    if tables.anonymous or tables.annotators < 3:
        return None
    codes = tables.codes
    rows, columns, raters = codes.ratings()
    shares = label_shares(tables, sets_as_labels=False)
    mass = shares[codes.codes[rows, columns]][:, list(pair)]  # (rating, label of the pair)
    sums = np.stack([np.bincount(rows, label, tables.items) for label in mass.T], axis=1)[rows]
    part = (mass[:, ::-1] * (sums - mass)).sum(axis=1) * tables.item_weight[rows]
    main = int(np.argmax(np.bincount(raters, part, tables.annotators)))
    without = codes.codes.copy()
    without[rows[raters == main], columns[raters == main]] = -1
    others = tables.with_ratings(replace(codes, codes=without))
    if others.totals["pairable_items"] >= 2:
        resampling = resampling_of(options.random, others)
        (p_value,) = confused_pairs(
            others, [pair], replicates, options, resampling, ordered=ordered
        ).p_value
        if p_value < 1 - options.confidence:
            return None
    return str(tables.annotator_names[main])
