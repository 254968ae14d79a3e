"""Judges in the place of people, and everyone against gold labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from iaa_jax.analyses.judge.gold import judge_against_gold
from iaa_jax.analyses.judge.study import EPSILON, SIZES, judge
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.declared import of_everyone
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike

if TYPE_CHECKING:
    import xarray as xr


@public
@of_everyone
def judge_with_gold(
    ratings: Rated,
    judges: str | Sequence[str],
    gold: Mapping[Any, Any] | str | xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    epsilon: float | Sequence[float] = EPSILON,
    false_discovery_rate: float = 0.05,
    min_items: int = 30,
    score: str | None = None,
    margin: float = 0.1,
    sizes: Sequence[int] = SIZES,
    replicates: int = 2000,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa judge --gold`` prints of judges: their test, and everyone's accuracy.

    Parameters
    ----------
    ratings, judges, coefficient, epsilon, false_discovery_rate, min_items, score, margin, sizes
        As `iaa_jax.judge` takes them.
    gold : mapping, str or xarray.Dataset
        As `iaa_jax.judge.against_gold` takes it.
    replicates : int
        Bootstrap replicates over items, of both; 0 for none.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "judge" and "against_gold": results of `iaa_jax.judge` and `iaa_jax.judge.against_gold`.
        `iaa_jax.page` takes both as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.judge` and `iaa_jax.judge.against_gold` do.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import pandas as pd
    >>> rows = [["a", "a", "a", "a"], ["b", "b", "b", "b"], ["a", "b", "a", "a"]] * 12
    >>> ratings = iaa.from_wide(pd.DataFrame(rows, columns=["ann", "ben", "cy", "model"]))
    >>> gold = dict(zip(ratings.item.values.tolist(), ["a", "b", "a"] * 12))
    >>> results = iaa.judge.with_gold(ratings, "model", gold, replicates=0)
    >>> results["judge"].winning_rate.sel(epsilon=0.1).item()
    1.0
    >>> results["against_gold"].accuracy.round(2).values
    array([1.  , 0.67, 1.  , 1.  ])
    """
    judged = judge(
        ratings,
        judges,
        coefficient,
        epsilon=epsilon,
        false_discovery_rate=false_discovery_rate,
        min_items=min_items,
        score=score,
        margin=margin,
        sizes=sizes,
        replicates=replicates,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    compared = judge_against_gold(
        ratings,
        gold,
        replicates=replicates,
        label_options=label_options,
        options=options,
        progress=progress,
    )
    return {"judge": judged, "against_gold": compared}
