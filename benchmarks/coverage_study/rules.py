"""What follows from the table: which interval is the automatic one, and where it does not hold."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from coverage_study.cells import AUTOMATIC
from coverage_study.tables import NEAR

LEAST = {
    "pairable": (0, 20, 30, 50),
    "disagreeing": (1, 3, 5, 10, 20),
    "informative": (0, 5, 10, 15, 20, 30),
    "agreeing": (0, 1, 3, 5, 10),
}
"""Least numbers that are tried as bounds of the region where the interval holds."""

ENOUGH = 0.975
"""Share of the designs within the region in which the interval is to hold."""

ASKED = {
    "pairable": "items with two ratings or more",
    "disagreeing": "items whose ratings differ",
    "informative": "items with two ratings or more that are not all the commonest label",
    "agreeing": "items whose ratings are all one label that is not the commonest",
}
"""The facts in words."""


def automatic(frame: pd.DataFrame) -> str:
    """The interval that holds in most designs; of equals, the one nearest on average."""
    frame = frame[frame.interval != AUTOMATIC]
    by = frame.groupby("interval").agg(holds=("holds", "sum"), away=("distance", "mean"))
    return str(by.sort_values(["holds", "away"], ascending=[False, True]).index[0])


NONE_AT_ALL = ("disagreeing", "agreeing")
"""Facts of which one item less than one is worth a line of its own."""


def region(frame: pd.DataFrame) -> dict[str, int]:
    """Least numbers of items beyond which one interval holds.

    Of all bounds beyond which at least 39 of 40 designs hold, those that leave the most designs
    that hold; of equals the lowest. A design's number is that of its median data set.
    """
    holds = frame.holds.to_numpy()
    numbers = {fact: frame[fact].to_numpy() for fact in LEAST}
    found: list[tuple[int, int, dict[str, int]]] = []
    for values in product(*LEAST.values()):
        bounds = dict(zip(LEAST, values, strict=True))
        kept = np.all([numbers[fact] >= least for fact, least in bounds.items()], axis=0)
        if kept.any() and holds[kept].mean() >= ENOUGH:
            found.append((-int(holds[kept].sum()), sum(values), bounds))
    return min(found, key=lambda one: one[:2])[2]


def left_out(frame: pd.DataFrame) -> dict[str, Any]:
    """The check of the region: bounds chosen without a family, and how many of its designs hold."""
    kept = []
    for family in frame.family.unique():
        own = frame.family == family
        kept.append(frame[own & _inside(frame, region(frame[~own]))])
    return _designs(pd.concat(kept))


def rule_of(frame: pd.DataFrame, facts: pd.DataFrame, others: pd.DataFrame) -> dict[str, Any]:
    """The rule for the package, as JSON takes it.

    ``frame`` has the plain designs, ``others`` those with random annotators or documents, ``facts``
    the outcomes by what a data set shows.
    """
    interval = automatic(frame)
    own = frame[frame.interval == AUTOMATIC]
    bounds = region(own)
    shown = facts[(facts.interval == AUTOMATIC) & facts.design.isin(own.design)]
    poor = [
        {"fact": fact, "below": 1, **_designs(own[own[fact] < 1])} | _shown(shown[shown[fact] < 1])
        for fact in NONE_AT_ALL
    ]
    clear = shown
    for fact, least in bounds.items():
        if least <= min(LEAST[fact]):
            continue
        one = {"fact": fact, "below": least, **_designs(own[own[fact] < least])}
        if fact in shown:
            one |= _shown(shown[shown[fact] < least])
            clear = clear[clear[fact] >= least]
        poor.append(one)
    return {
        "interval": interval,
        "nominal": 0.95,
        "near": NEAR,
        "facts": ASKED,
        "poor": poor,
        "otherwise": {**_designs(own[_inside(own, bounds)]), **_shown(clear)},
        "otherwise_in_families_left_out": left_out(own),
        "random_annotators": _elsewhere(others, AUTOMATIC, "random annotators"),
        "documents": _elsewhere(others, AUTOMATIC, "documents"),
    }


def _elsewhere(others: pd.DataFrame, interval: str, family: str) -> dict[str, Any]:
    """The automatic interval drawn in either way, and the one that holds most often there."""
    own = others[others.family == family]
    if own.empty:
        return {}
    drawn = own.drawn.unique()[-1]  # items first, then what the design is about
    both = own[own.drawn == drawn]
    best = automatic(both)
    found: dict[str, Any] = {
        "items": _designs(own[(own.drawn == "items") & (own.interval == interval)]),
        drawn: _designs(both[both.interval == interval]),
        "best": {"interval": best, **_designs(both[both.interval == best])},
    }
    if family == "documents":
        mean = both[both.interval == interval].groupby("items").coverage.mean()
        found["by_documents"] = {
            str(items // int(both.document.iloc[0])): round(float(one), 3)
            for items, one in mean.items()
        }
    return found


def _inside(frame: pd.DataFrame, bounds: dict[str, int]) -> pd.Series:
    inside = pd.Series(True, index=frame.index)
    for fact, least in bounds.items():
        inside &= frame[fact] >= least
    return inside


def _designs(frame: pd.DataFrame) -> dict[str, Any]:
    """How well designs hold whose median data set is such."""
    if not len(frame):
        return {"designs": 0}
    return {
        "designs": len(frame),
        "designs_that_hold": round(float(frame.holds.mean()), 3),
        "mean_coverage": round(float(frame.coverage.mean()), 3),
        "lowest_coverage": round(float(frame.coverage.min()), 3),
        "highest_coverage": round(float(frame.coverage.max()), 3),
    }


def _shown(facts: pd.DataFrame) -> dict[str, Any]:
    """How often intervals held where a data set shows it, whatever the design."""
    total = int(facts.intervals.sum())
    share = float(facts.held.sum() / total) if total else float("nan")
    return {"intervals_where_data_show_it": total, "coverage_where_data_show_it": round(share, 3)}
