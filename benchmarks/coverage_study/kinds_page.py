"""coverage_kinds.md, made from tables of figures; nothing is by hand."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from coverage_study import tables
from coverage_study.tables import NEAR, markdown, percent

TABLE = Path(__file__).parents[1] / "coverage_kinds.csv"
PAGE = TABLE.with_suffix(".md")
BEFORE = TABLE.with_name("coverage.csv")
SKILLS = TABLE.with_name("coverage_labelling.csv")

WORST = 15

WIDTHS = dict.fromkeys(("median width", "mean width"), "{:.2f}".format)
"""How widths are written."""

BESIDE = ("auto", "bca", "t, range")
"""Intervals of the study before that today's automatic one is shown beside."""

ABOUT = (
    "Made by `python -m coverage_study.by_kind --page` in this folder, from `coverage_kinds.csv`, "
    "which `python -m coverage_study.by_kind --write` fills: a row for each design, coefficient "
    "and interval; the last two sections have tables of their own. Data sets are drawn as "
    "`coverage_study/kinds.py` says, and measured by the public functions (tables of numbers by "
    "`coverage_study/of_numbers.py`, which a test holds to them). Cells were halved by a "
    "hash of their names before any interval was looked "
    "at: one half was there to choose the automatic interval, and the other judges it. Data sets "
    "without a figure are left out; no interval is a miss. Widths are means over designs of the "
    "median and of the mean one (where that is far larger, some say nothing); all else in percent. "
    "Labels over items alone are judged in [coverage_hostile.md](coverage_hostile.md). Figures of "
    "spans, of drawn annotators, and of documents in the half that chose are from "
    "before kurtosis t had three degrees of freedom at least and a scale that begins at the lowest "
    "figure, and before wide intervals were doubted: two cells of spans and two of drawn "
    "annotators that were measured again had the same coverage, and widths to .4 %."
)


def read() -> pd.DataFrame:
    """The figures, judged."""
    return judged(pd.read_csv(TABLE))


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
                "median width": part.median_width.mean(),
                "mean width": part.mean_width.mean(),
                "doubted": part.doubted.mean(),
            }
        )
    shares = ("high enough", "within two points", "mean", "lowest", "truth below", "truth above")
    formats = dict.fromkeys((*shares, "doubted"), percent)
    return markdown(pd.DataFrame(rows), formats | WIDTHS)


def worst(frame: pd.DataFrame) -> str:
    """The designs in which the automatic interval holds the truth least often for its level."""
    own = frame[frame.interval == "auto"].round({"away": 6})
    own = own.sort_values(["away", "cell", "coefficient"]).head(WORST)
    columns = ["cell", "coefficient", "coverage", "truth_below", "truth_above"]
    columns += ["median_width", "mean_width", "doubted"]
    names = {name: name.replace("_", " ") for name in columns}
    shown = own[columns].rename(columns=names)
    shares = ("coverage", "truth below", "truth above", "doubted")
    return markdown(shown, dict.fromkeys(shares, percent) | WIDTHS)


def before() -> pd.DataFrame:
    """The study before at 95 %, over what each cell draws, by the names that cells have here."""
    frame = tables.read(BEFORE)
    plain = (frame.annotators_are == "fixed") & (frame.document == 0)
    frame = frame[(frame.confidence == 0.95) & ((frame.drawn == "items") == plain)]
    units = frame["items"] // frame.document.clip(lower=1)
    parts = zip(frame.design, frame["items"], units, strict=True)
    return frame.assign(
        cell=[f"{name.replace(f' n={items}', '')} n={number}" for name, items, number in parts]
    )


def beside(frame: pd.DataFrame) -> str:
    """Today's automatic interval on the cells of the study before, and what that study has."""
    key = ["cell", "coefficient"]
    study = before()
    today = frame[(frame.before == 1) & (frame.interval == "auto")]
    today = today.merge(study[[*key, "drawn"]].drop_duplicates(), on=key)
    same = judged(study.merge(today[key], on=key))
    rows = []
    for drawn in same.drawn.unique():
        parts = {f"{name} of coverage.md": same[same.interval == name] for name in BESIDE}
        for name, part in {"auto, today": today, **parts}.items():
            own = part[part.drawn == drawn]
            rows.append(
                {
                    "drawn": drawn,
                    "interval": name,
                    "designs": len(own),
                    "within two points": own.near.mean(),
                    "too low": 1 - own.enough.mean(),
                    "93 % or more": own.enough.mean(),
                    "mean distance": own.away.abs().mean(),
                    "lowest": own.coverage.min(),
                }
            )
    formats = dict.fromkeys([*rows[0]][3:], percent)
    about = (
        f"Both halves together: the {today.cell.nunique()} of the {study.cell.nunique()} cells of "
        "[coverage.md](coverage.md) in which documents are random, or annotators too, with today's "
        f"automatic interval, by the public functions ({today.data_sets.min():,} data sets a cell "
        f"or more). The other rows are from `coverage.csv` ({same.data_sets.min():,} data sets), "
        "drawn anew from the same populations: auto was BCa then, with a binomial end where "
        "nothing disagrees, over documents t on the range, and over annotators t. Too low: more "
        "than two points below 95 %; the mean distance is in points."
    )
    return f"{about}\n\n{markdown(pd.DataFrame(rows), formats)}"


def skills() -> str:
    """A row for each way to gold labels: how often intervals of skills hold the true one."""
    frame = pd.read_csv(SKILLS)
    frame = judged(frame.assign(coverage=frame.skill, confidence=0.95))
    cells = frame.cell.nunique()
    rows = []
    for method, part in frame.groupby("method", sort=False):
        worst = part.loc[part.coverage.idxmin()]
        rows.append(
            {
                "method": method,
                "designs": f"{len(part)} of {cells}",
                "93 % or more": part.enough.mean(),
                "within two points": part.near.mean(),
                "mean": part.coverage.mean(),
                "lowest": worst.coverage,
                "in": worst.cell,
                "truth below": part.skill_below.mean(),
                "truth above": part.skill_above.mean(),
            }
        )
    shares = [name for name in rows[0] if name not in ("method", "designs", "in")]
    about = (
        f"Of {cells} cells by `python -m coverage_study.labelling`, from "
        "`coverage_labelling.csv`, a section of [coverage.md](coverage.md) with widths and "
        "certainty: annotators of known skill, through `iaa.gold`. A design is a cell and a "
        "method; its coverage is the share of annotators whose interval of 95 % holds the skill, "
        f"over {frame.data_sets.min()} data sets or more. In {percent(frame.enough.mean())} % of "
        f"the {len(frame)} designs that is 93 % or more, in {percent(frame.near.mean())} % within "
        f"two points, {percent(frame.coverage.mean())} % on average. By MACE the skill of who "
        "answers by chance is 0, the end of its range, where no interval reaches."
    )
    return f"{about}\n\n{markdown(pd.DataFrame(rows), dict.fromkeys(shares, percent))}"


def in_short(frame: pd.DataFrame) -> str:
    """What the issue asks of the automatic interval, counted."""
    own = frame[frame.interval == "auto"]
    enough, low = own[own.enough], own[own.away < -0.05]
    lines = [
        f"- {len(own)} designs (a cell and a coefficient); in {percent(own.enough.mean())} % of "
        f"them intervals hold often enough (93 % for 95 %), in {percent(own.near.mean())} % within "
        f"two points; lowest {percent(0.95 + own.away.min())} % for 95 %.",
        f"- Below 90 % for 95 %: {len(low)} designs, of which {int((low.doubted > 0.5).sum())} are "
        "doubted in most data sets.",
        f"- Where they hold often enough, {percent(enough.doubted.mean())} % of the data sets are "
        "doubted.",
    ]
    return "\n".join(lines)


def written() -> str:
    """The page."""
    frame = read()
    judging, choosing = (frame[frame.half == half] for half in ("judging", "choosing"))
    first = judging[judging.interval == "auto"].data_sets.min()
    return (
        "\n\n".join(
            [
                "# Intervals of numbers, documents, spans, and annotators drawn anew",
                ABOUT,
                f"## The half that judges ({first:,} data sets a cell or more)",
                in_short(judging),
                by_kind(judging),
                f"### The {WORST} worst designs of it, by coverage less its level",
                worst(judging),
                f"## The half that chose ({choosing.data_sets.min():,} data sets a cell or more)",
                by_kind(choosing),
                "## The cells of the study before",
                beside(frame),
                "## Skills of gold labels",
                skills(),
            ]
        )
        + "\n"
    )
