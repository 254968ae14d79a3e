"""The work that is timed inside one process: estimates, replicates, and small warm calls."""

from __future__ import annotations

from collections.abc import Iterator

import krippendorff
import numpy as np
import xarray as xr
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from timing import Line, in_turn

import iaa_jax as iaa
from iaa_jax.engine import Prepared, bootstrap, bootstrap_rows, over_rows
from iaa_jax.metrics.options import Chooser, LabelOptions

EXCHANGEABLE = [
    "percent_agreement",
    "fleiss_kappa",
    "brennan_prediger",
    "gwet_ac1",
    "krippendorff_alpha",
]
AWARE = [*EXCHANGEABLE, "conger_kappa", "mean_pairwise_cohen_kappa"]


def ratings_table(items: int, annotators: int, labels: int, gaps: float) -> NDArray[np.float64]:
    """Labels 0, 1, ... as numbers, NaN where not rated; annotators agree more than by chance."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, labels, items)
    guess = rng.integers(0, labels, (items, annotators))
    table = np.where(rng.random((items, annotators)) < 0.6, truth[:, None], guess).astype(float)
    table[rng.random(table.shape) < gaps] = np.nan
    return table


def peer_alpha(table: NDArray[np.float64]) -> float:
    """Nominal alpha by the package krippendorff."""
    return krippendorff.alpha(table.T, level_of_measurement="nominal")


def points(quick: bool) -> Iterator[Line]:
    """Estimates alone, conversion to ratings included."""
    items = 100_000 if quick else 1_000_000
    table = ratings_table(items, 5, 10, 0.2)
    size = f"{items:,} x 5, 10 labels, 20 % missing"
    runs = 3 if quick else 5
    ours, theirs = in_turn(
        lambda: iaa.krippendorff_alpha(iaa.from_wide(table), interval=None),
        lambda: peer_alpha(table),
        runs,
    )
    yield Line(f"alpha, {size}", ours, "krippendorff.alpha", theirs, "20")
    ours, theirs = in_turn(
        lambda: iaa.agreement(iaa.from_wide(table), interval=None),
        lambda: peer_alpha(table),
        runs,
    )
    yield Line(f"all coefficients, {size}", ours, "krippendorff.alpha", theirs, "10")
    two = np.nan_to_num(table[:, :2]).astype(int)
    pair = iaa.from_wide(two)
    ours, theirs = in_turn(
        lambda: iaa.cohen_kappa(pair, interval=None),
        lambda: cohen_kappa_score(two[:, 0], two[:, 1]),
        runs,
    )
    yield Line(f"Cohen's kappa, {items:,} x 2", ours, "sklearn cohen_kappa_score", theirs, "-")
    whole = np.nan_to_num(table).astype(int)
    complete = iaa.from_wide(whole)
    ours, theirs = in_turn(
        lambda: iaa.fleiss_kappa(complete, interval=None),
        lambda: fleiss_kappa(aggregate_raters(whole)[0]),
        runs,
    )
    yield Line(f"Fleiss' kappa, {items:,} x 5", ours, "statsmodels fleiss_kappa", theirs, "-")
    codes = complete.primary.values
    ours, theirs = in_turn(
        lambda: iaa.krippendorff_alpha(complete, interval=None), lambda: codes.copy(), runs
    )
    yield Line(f"alpha of ratings, {items:,} x 5", ours, "one copy of the codes", theirs, "limit")


def replicates(quick: bool) -> Iterator[Line]:
    """One bootstrap replicate of several coefficients together, against one call of the peer."""
    sizes = [(10_000, 5, ("1/150", "1/300"), ("1/40", "1/100"))]
    if not quick:
        sizes.append((1_000_000, 10, ("1/3000", "-"), ("1/150", "-")))
    for items, labels, targets_exchangeable, targets_aware in sizes:
        table = ratings_table(items, 5, labels, 0.0)
        ratings = iaa.from_wide(table)
        count = 2048 if items < 100_000 else 128
        for names, targets, kind in (
            (EXCHANGEABLE, targets_exchangeable, "exchangeable"),
            (AWARE, targets_aware, "with the annotator-aware"),
        ):
            yield from _replicates(ratings, table, names, targets, kind, count)


def _replicates(
    ratings: xr.Dataset,
    table: NDArray[np.float64],
    names: list[str],
    targets: tuple[str, str],
    kind: str,
    count: int,
) -> Iterator[Line]:
    chooser = Chooser(ratings, LabelOptions(), 1.0)
    prepared = Prepared([chooser.asked(name).problem for name in names])
    tables = list({id(problem.table): problem.table for problem in prepared.problems}.values())
    drawn = list(bootstrap_rows(tables, count, 0))
    work = f"one replicate, {kind}, {len(table):,} x 5 ({len(tables[-1].count):,} patterns)"
    for what, target, call in (
        ("drawing included", targets[0], lambda: bootstrap(prepared, replicates=count, seed=0)),
        (
            "without drawing",
            targets[1],
            lambda: over_rows(prepared, tables, iter(drawn), count),
        ),
    ):
        ours, theirs = in_turn(call, lambda: peer_alpha(table), 3)
        yield Line(f"{work}, {what}", ours / count, "krippendorff.alpha", theirs, target)


def warm(quick: bool) -> Iterator[Line]:
    """Small calls through the public functions."""
    table = ratings_table(100, 3, 4, 0.1)
    ratings = iaa.from_wide(table)
    runs = 20 if quick else 100
    ours, theirs = in_turn(
        lambda: iaa.krippendorff_alpha(ratings, interval=None), lambda: peer_alpha(table), runs
    )
    yield Line("alpha, 100 x 3, warm", ours, "krippendorff.alpha", theirs, "ours < 1.5 ms")
    ours, theirs = in_turn(
        lambda: iaa.agreement(ratings, replicates=2000), lambda: peer_alpha(table), runs
    )
    yield Line(
        "8 coefficients with BCa intervals, 100 x 3, warm", ours, "krippendorff.alpha", theirs, "-"
    )
    values = iaa.from_values(np.random.default_rng(0).lognormal(size=(50_000, 2)))
    numbers = values.value.values
    small = numbers[:250]
    ours, theirs = in_turn(
        lambda: iaa.krippendorff_alpha(values, interval=None),
        lambda: krippendorff.alpha(small.T, level_of_measurement="interval"),
        3,
    )
    yield Line(
        "interval alpha, 100,000 distinct values",
        ours,
        "krippendorff.alpha on 500 of them",
        theirs,
        "linear memory",
    )
