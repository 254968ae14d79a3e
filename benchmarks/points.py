"""Estimates alone, conversion to ratings included."""

from __future__ import annotations

from collections.abc import Iterator

import krippendorff
import numpy as np
from numpy.typing import NDArray
from results import Line, Target
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from tables import ratings_table
from timing import in_turn

import iaa_jax as iaa


def peer_alpha(table: NDArray[np.float64]) -> float:
    """Nominal alpha by the package krippendorff."""
    return krippendorff.alpha(table.T, level_of_measurement="nominal")


def points(quick: bool) -> Iterator[Line]:
    """Against three peers, with one pass over the same memory as the limit."""
    items = 20_000 if quick else 1_000_000
    runs = 3 if quick else 5
    table = ratings_table(items, 5, 10, 0.2)
    size = f"{items:,} x 5, 10 labels, 20 % missing"
    for work, target, call in (
        ("alpha", 30, lambda: iaa.krippendorff_alpha(iaa.from_wide(table), interval=None)),
        ("all coefficients", 15, lambda: iaa.agreement(iaa.from_wide(table), interval=None)),
    ):
        ours, theirs, limit = in_turn(runs, call, lambda: peer_alpha(table), table.sum)
        yield Line(
            f"{work}, {size}",
            ours,
            "krippendorff.alpha",
            theirs,
            Target(target),
            "sum of the table",
            limit,
        )
    whole = np.nan_to_num(table).astype(int)
    two = np.ascontiguousarray(whole[:, :2])
    pair, complete = iaa.from_wide(two), iaa.from_wide(whole)
    for work, peer, call, other, codes in (
        (
            f"Cohen's kappa of ratings, {items:,} x 2",
            "sklearn cohen_kappa_score",
            lambda: iaa.cohen_kappa(pair, interval=None),
            lambda: cohen_kappa_score(two[:, 0], two[:, 1]),
            pair.primary.values,
        ),
        (
            f"Fleiss' kappa of ratings, {items:,} x 5",
            "statsmodels fleiss_kappa",
            lambda: iaa.fleiss_kappa(complete, interval=None),
            lambda: fleiss_kappa(aggregate_raters(whole)[0]),
            complete.primary.values,
        ),
    ):
        ours, theirs, limit = in_turn(runs, call, other, codes.copy)
        yield Line(work, ours, peer, theirs, Target(), "copy of the codes", limit)
