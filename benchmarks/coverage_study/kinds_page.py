"""coverage_kinds.md, made from the table of figures; nothing is by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from coverage_study.tables import markdown, percent

TABLE = Path(__file__).parents[1] / "coverage_kinds.csv"
PAGE = TABLE.with_suffix(".md")

ENOUGH = 0.93
"""Coverage of intervals of 95 % that is asked for."""

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
    # at 90 and 99 % as far from nominal as 93 % from 95 %
    frame["enough"] = frame.coverage >= frame.confidence - (0.95 - ENOUGH) - 1e-9
    frame["near"] = (frame.coverage - frame.confidence).abs() <= 0.02 + 1e-9
    return frame


def by_kind(frame: pd.DataFrame) -> str:
    """A row for each kind of ratings and interval."""
    rows = []
    for (kind, interval), part in frame.groupby(["kind", "interval"], sort=True):
        rows.append(
            {
                "ratings": kind,
                "interval": interval,
                "designs": len(part),
                "high enough": part.enough.mean(),
                "within two points": part.near.mean(),
                "mean": part.coverage.mean(),
                "lowest": part.coverage.min(),
                "truth below": part.truth_below.mean(),
                "truth above": part.truth_above.mean(),
                "width": round(float(np.exp(np.log(part.width[part.width > 0]).mean())), 2),
                "doubted": part.doubted.mean(),
            }
        )
    shares = ("high enough", "within two points", "mean", "lowest", "truth below", "truth above")
    return markdown(pd.DataFrame(rows), dict.fromkeys((*shares, "doubted"), percent))


def worst(frame: pd.DataFrame) -> str:
    """The designs in which the automatic interval holds the truth least often."""
    own = frame[frame.interval == "auto"].sort_values("coverage").head(WORST)
    columns = ["cell", "coefficient", "coverage", "truth_below", "truth_above", "width", "doubted"]
    shares = ("coverage", "truth_below", "truth_above", "doubted")
    return markdown(own[columns].round({"width": 2}), dict.fromkeys(shares, percent))


def in_short(frame: pd.DataFrame) -> str:
    """What the issue asks of the automatic interval, counted."""
    own = frame[frame.interval == "auto"]
    told = own[~(own.disagreeing < TOLD) & ~(own.informative < TOLD)]
    enough, low = own[own.enough], own[own.coverage < own.confidence - 0.05]
    lines = [
        f"- {len(own)} designs (a cell and a coefficient); in {percent(own.enough.mean())} % of "
        f"them intervals hold often enough (93 % for 95 %), in {percent(own.near.mean())} % within "
        f"two points; lowest {percent((own.coverage - own.confidence).min() + 0.95)} % for 95 %.",
        f"- Where at least {TOLD} items tell something and {TOLD} disagree, or that is not counted "
        f"(numbers, sets, spans): {len(told)} designs, {percent(told.enough.mean())} % high "
        f"enough, lowest {percent(told.coverage.min())} %.",
        f"- Below 90 % for 95 %: {len(low)} designs, of which {int((low.doubted > 0.5).sum())} are "
        "doubted in most data sets.",
        f"- Where they hold often enough, {percent(enough.doubted.mean())} % of the data sets are "
        "doubted.",
    ]
    usual = frame[frame.interval == "bca"].set_index(["cell", "coefficient"])
    where = pd.MultiIndex.from_frame(own[["cell", "coefficient"]])
    holds = usual.coverage.reindex(where).to_numpy() >= ENOUGH
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
                f"### The {WORST} worst designs of it",
                worst(judging),
                f"## The half that chose ({choosing.data_sets.min():,} data sets a cell or more)",
                by_kind(choosing),
            ]
        )
        + "\n"
    )
