"""coverage_kinds.md, made from the table of figures; nothing is by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from coverage_study.tables import NEAR, markdown, percent

TABLE = Path(__file__).parents[1] / "coverage_kinds.csv"
PAGE = TABLE.with_suffix(".md")

TOLD = 5
"""Items that tell something, and disagree, from which it is asked for."""

WORST = 15


ABOUT = (
    "Made by `python -m coverage_study.by_kind --page` in this folder, from `coverage_kinds.csv`, "
    "which `python -m coverage_study.by_kind --write` fills: a row for each design, coefficient "
    "and interval. Data sets are drawn as `coverage_study/kinds.py` says, and measured by the "
    "public functions. Cells were halved by a hash of their names before any interval was looked "
    "at: one half was there to choose the automatic interval, and the other judges it. Data sets "
    "without a figure are left out; no interval is a miss. The width is the median one over that "
    "of BCa (of t over clusters or annotators), the geometric mean over designs; all else in "
    "percent."
)


def read() -> pd.DataFrame:
    """The figures, with the width over that of BCa (over clusters and annotators: of t)."""
    frame = pd.read_csv(TABLE)
    usual = frame[frame.interval.isin(["bca", "t"])]
    width = usual.set_index(["cell", "coefficient"]).median_width
    own = pd.MultiIndex.from_frame(frame[["cell", "coefficient"]])
    frame["width"] = frame.median_width / width.reindex(own).replace(0, np.nan).to_numpy()
    return judged(frame)


def judged(frame: pd.DataFrame) -> pd.DataFrame:
    """With the distance from nominal: 93 % is enough for 95 %, and at other levels as far off."""
    away = frame.coverage - frame.confidence
    return frame.assign(away=away, enough=away >= -NEAR - 1e-9, near=away.abs() <= NEAR + 1e-9)


def by_kind(frame: pd.DataFrame) -> str:
    """A row for each kind of ratings and interval; other levels than 95 % have their own."""
    rows = []
    key = ["kind", "confidence", "interval"]
    for (kind, level, interval), part in frame.groupby(key, sort=True):
        rows.append(
            {
                "ratings": kind if level == 0.95 else f"{kind}, {100 * level:g} %",
                "interval": interval,
                "designs": len(part),
                "high enough": part.enough.mean(),
                "within two points": part.near.mean(),
                "mean": part.coverage.mean(),
                "lowest": part.coverage.min(),
                "truth below": part.truth_below.mean(),
                "truth above": part.truth_above.mean(),
                "width": float(np.exp(np.log(part.width[part.width > 0]).mean())),
                "doubted": part.doubted.mean(),
            }
        )
    shares = ("high enough", "within two points", "mean", "lowest", "truth below", "truth above")
    formats = dict.fromkeys((*shares, "doubted"), percent)
    return markdown(pd.DataFrame(rows), formats | {"width": "{:.2f}".format})


def worst(frame: pd.DataFrame) -> str:
    """The designs in which the automatic interval holds the truth least often for its level."""
    own = frame[frame.interval == "auto"].round({"away": 6})
    own = own.sort_values(["away", "cell", "coefficient"]).head(WORST)
    columns = ["cell", "coefficient", "coverage", "truth_below", "truth_above", "width", "doubted"]
    shown = own[columns].rename(columns=lambda name: name.replace("_", " "))
    shares = ("coverage", "truth below", "truth above", "doubted")
    return markdown(shown, dict.fromkeys(shares, percent) | {"width": "{:.2f}".format})


def in_short(frame: pd.DataFrame) -> str:
    """What the issue asks of the automatic interval, counted."""
    own = frame[frame.interval == "auto"]
    told = own[~(own.disagreeing < TOLD) & ~(own.informative < TOLD)]
    enough, low = own[own.enough], own[own.away < -0.05]
    lines = [
        f"- {len(own)} designs (a cell and a coefficient); in {percent(own.enough.mean())} % of "
        f"them intervals hold often enough (93 % for 95 %), in {percent(own.near.mean())} % within "
        f"two points; lowest {percent(0.95 + own.away.min())} % for 95 %.",
        f"- Where at least {TOLD} items tell something and {TOLD} disagree, or that is not counted "
        f"(numbers, sets, spans): {len(told)} designs, {percent(told.enough.mean())} % high "
        f"enough, lowest {percent(0.95 + told.away.min())} % for 95 %.",
        f"- Below 90 % for 95 %: {len(low)} designs, of which {int((low.doubted > 0.5).sum())} are "
        "doubted in most data sets.",
        f"- Where they hold often enough, {percent(enough.doubted.mean())} % of the data sets are "
        "doubted.",
    ]
    usual = frame[frame.interval == "bca"].set_index(["cell", "coefficient"])
    where = pd.MultiIndex.from_frame(own[["cell", "coefficient"]])
    holds = usual.enough.reindex(where, fill_value=False).to_numpy()
    if holds.any():
        wide = own[holds].width
        lines.append(
            f"- Where BCa holds often enough ({int(holds.sum())} designs): the width is "
            f"{wide.median():.2f} of BCa's, at most {wide.max():.2f}, above 1.15 in "
            f"{percent((wide > 1.15).mean())} %."
        )
    return "\n".join(lines)


def written() -> str:
    """The page."""
    frame = read()
    judging, choosing = (frame[frame.half == half] for half in ("judging", "choosing"))
    first = judging[judging.interval == "auto"].data_sets.min()
    return (
        "\n\n".join(
            [
                "# Intervals of every kind of ratings",
                ABOUT,
                f"## The half that judges ({first:,} data sets a cell or more)",
                in_short(judging),
                by_kind(judging),
                f"### The {WORST} worst designs of it, by coverage less its level",
                worst(judging),
                f"## The half that chose ({choosing.data_sets.min():,} data sets a cell or more)",
                by_kind(choosing),
            ]
        )
        + "\n"
    )
