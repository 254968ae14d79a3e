"""Tables of figures on disk, and that of the study in a few smaller ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

NEAR = 0.02
"""Within so much of the nominal level an interval is said to hold."""

CLASSES = (0, 1, 3, 5, 10, 15, 20, 50, np.inf)
"""Bounds of classes of the median number of items of a kind."""


def put(
    table: Path, rows: pd.DataFrame, key: Sequence[str], order: Sequence[str] | None = None
) -> None:
    """Write rows in the place of those with the same key, or last; or all in some order.

    The file is replaced whole, so that it never has half a cell; other rows stay as written.
    """
    if table.exists():
        before = pd.read_csv(table, keep_default_na=False, dtype=str)
        own = pd.MultiIndex.from_frame(rows[[*key]].astype(str))
        same = pd.MultiIndex.from_frame(before[[*key]]).isin(own)
        place = int(np.argmax(same)) if same.any() else len(before)
        rows = pd.concat([before[:place], rows, before[place:][~same[place:]]])
    new = table.with_suffix(".new")
    (rows.sort_values([*order]) if order else rows).to_csv(new, index=False)
    new.replace(table)


def read(table: Path) -> pd.DataFrame:
    """The table of the study; empty names are empty, and not missing."""
    frame = pd.read_csv(table, keep_default_na=False, na_values=["nan"])
    frame["away"] = frame.coverage - frame.confidence
    frame["distance"] = frame.away.abs()
    frame["holds"] = frame.distance <= NEAR + 1e-9
    return frame


def plain(frame: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """Designs with fixed annotators and items on their own, at one confidence."""
    return frame[
        (frame.confidence == confidence)
        & (frame.annotators_are == "fixed")
        & (frame.document == 0)
        & (frame.drawn == "items")
    ]


def by_interval(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each interval, the one that holds most often first."""
    against = frame[frame.interval == "bca"].set_index(["design", "coefficient"]).median_width
    rows = []
    for interval, part in frame.groupby("interval", sort=False):
        worst = part.loc[part.coverage.idxmin()]
        own = part.set_index(["design", "coefficient"]).median_width
        ratio = (own / against).replace([0, np.inf], np.nan).dropna()
        rows.append(
            {
                "interval": interval,
                "holds": part.holds.mean(),
                "too low": (part.away < -NEAR).mean(),
                "too high": (part.away > NEAR).mean(),
                "mean distance": part.away.abs().mean(),
                "worst": worst.coverage,
                "worst design": f"{worst.design}, {worst.coefficient}",
                "truth below": part.above.mean(),
                "truth above": part.below.mean(),
                "width": float(np.exp(np.log(ratio).mean())),
                "none": part.no_interval.mean(),
                "no width": part.no_width.mean(),
            }
        )
    return pd.DataFrame(rows).sort_values(
        ["holds", "mean distance"], ascending=[False, True], ignore_index=True
    )


def shares(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """Share of designs that hold, a row for each class and a column for each interval."""
    found = frame.pivot_table(index=by, columns="interval", values="holds", sort=False)
    order = [name for name in dict.fromkeys(frame.interval) if name in found]
    found = found[order]
    found.insert(0, "designs", frame.groupby(by, sort=False).design.size() // len(order))
    return found


def means(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Mean coverage, a row for each class and a column for each interval."""
    found = frame.pivot_table(index=list(by), columns="interval", values="coverage", sort=False)
    return found[[name for name in dict.fromkeys(frame.interval) if name in found]]


def with_classes(frame: pd.DataFrame, fact: str = "disagreeing") -> pd.DataFrame:
    """The same with the class of the median number of items of a kind."""
    names = [
        f"{int(low)} to {int(high) - 1}" if np.isfinite(high) else f"{int(low)} or more"
        for low, high in pairwise(CLASSES[1:])
    ]
    edges = [-1, *(one - 0.25 for one in CLASSES[1:])]
    classes = pd.cut(frame[fact], edges, labels=["0", *names])
    return frame.assign(**{f"{fact}_class": classes.astype(str)})


def markdown(frame: pd.DataFrame, formats: Mapping[str, Callable[[float], str]]) -> str:
    """A frame as a table in Markdown."""
    lines = [
        "| " + " | ".join(map(str, frame.columns)) + " |",
        "| "
        + " | ".join("---:" if is_numeric_dtype(frame[one]) else "---" for one in frame)
        + " |",
    ]
    for row in frame.itertuples(index=False):
        cells = [
            formats[name](value) if name in formats and value == value else _cell(value)
            for name, value in zip(frame.columns, row, strict=True)
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(value: object) -> str:
    return "-" if value != value else str(value)


def percent(value: float) -> str:
    """A share in percent, to one place."""
    return f"{100 * value:.1f}"
