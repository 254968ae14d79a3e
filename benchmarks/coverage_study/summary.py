"""coverage.md and coverage_rule.json, made from the tables of figures; nothing is by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from coverage_study import absolute, drifting, labelling, rules, tables
from coverage_study.cells import AUTOMATIC
from coverage_study.running import BY_FACTS, CLASSES
from coverage_study.tables import markdown, percent

WORST = 12


def rule_of(table: Path) -> dict[str, Any]:
    """The rule for the package."""
    frame = tables.read(table)
    usual = frame[frame.confidence == 0.95]
    return rules.rule_of(tables.plain(frame), _facts(table), usual[~_is_plain(usual)])


def written(table: Path) -> str:
    """The summary in Markdown."""
    frame = tables.read(table)
    usual = tables.plain(frame)
    others = frame[(frame.confidence == 0.95) & ~_is_plain(frame)]
    rule = rule_of(table)
    sections = [
        _opening(frame, usual),
        _recommendation(rule, usual),
        "## By interval\n\n" + _by_interval(tables.by_interval(usual)),
        "The share of designs that hold (within two points), the share that are too low and too "
        "high, and the mean distance from 95, all in percent or points. Truth below (above): the "
        "whole interval lies above (below) the truth. Width: the median width over that of BCa, "
        "the geometric mean over designs. None: no interval although the coefficient is defined; "
        "no width: both ends are the same. Both count as misses when they miss.",
        "## Designs that hold, by family (percent)\n\n"
        + _wide(tables.shares(usual, "family"), "family"),
        "## Designs that hold, by the number of items whose ratings differ (percent)\n\n"
        "Of the median data set of the design.\n\n"
        + _wide(_sorted(tables.shares(tables.with_classes(usual), "disagreeing_class")), "items"),
        "## Designs that hold, by the number of informative items (percent)\n\n"
        "Those with two ratings or more, not all of them the commonest label.\n\n"
        + _wide(
            _sorted(tables.shares(tables.with_classes(usual, "informative"), "informative_class")),
            "items",
        ),
        "## Designs that hold, by coefficient (percent)\n\n"
        + _wide(tables.shares(usual, "coefficient"), "coefficient"),
        "## What a data set shows: coverage of auto (percent)\n\n"
        "All data sets of all designs above, by how many of their items have ratings that differ "
        "(rows) and how many have two ratings or more, not all the commonest label (columns). "
        "Designs are not met equally often in a project: read this as where misses come from.\n\n"
        + _shown(_facts(table), AUTOMATIC, usual),
        "## Annotators drawn anew for each data set (coverage in percent)\n\n"
        "The truth is that of all annotators there are. Items and annotators: both are drawn for "
        "a replicate, and the standard error adds the jackknife over annotators; t has the degrees "
        "of freedom of that sum (Satterthwaite).\n\n" + _elsewhere(others, "random annotators"),
        "## Items of documents (coverage in percent)\n\n"
        "Documents of five items that share how hard they are and lean to one label.\n\n"
        + _elsewhere(others, "documents"),
        "## At 90 %\n\nThe designs of the family sizes, mean coverage in percent.\n\n"
        + _ninety(frame),
        f"## The {WORST} worst designs of auto\n\n" + _worst(usual, AUTOMATIC),
        absolute.section(),
        drifting.section(),
        labelling.section(),
    ]
    return "\n\n".join(sections) + "\n"


def _facts(table: Path) -> pd.DataFrame:
    return pd.read_csv(table.with_name(BY_FACTS), keep_default_na=False)


def _is_plain(frame: pd.DataFrame) -> pd.Series:
    return (frame.annotators_are == "fixed") & (frame.document == 0)


def _opening(frame: pd.DataFrame, usual: pd.DataFrame) -> str:
    first = frame.iloc[0]
    pairs = usual.groupby(["design", "coefficient"]).ngroups
    return (
        "# How often the intervals hold the truth\n\n"
        "Made by `python benchmarks/coverage.py --write` from `coverage.csv` (a row for each "
        "design, coefficient and interval) and `coverage_facts.csv`; `coverage_rule.json` has the "
        "rule below for the package.\n\n"
        f"{frame.design.nunique()} cells of {first.data_sets:,} data sets, each with "
        f"{first.replicates:,} replicates (seed {first.seed}); a design is a cell and a "
        f"coefficient: {pairs} with fixed annotators and items on their own. The Monte-Carlo error "
        "of a coverage of 95 % is half a point. An interval *holds* in a design if its coverage is "
        "within two points of nominal. Data sets whose coefficient is undefined are left out "
        "(their share stands in the table, `no_figure`); an interval that cannot be had, or has no "
        "width, although the coefficient is defined, is a miss. The truth is the coefficient of an "
        "endless population of items (and annotators, where these are drawn anew)."
    )


def _recommendation(rule: dict[str, Any], usual: pd.DataFrame) -> str:
    interval, rest = rule["interval"], rule["otherwise"]
    own = usual[usual.interval == AUTOMATIC]
    lines = [
        "## Recommendation\n",
        "Rule: the interval that holds in most designs; of equals, the one nearest on average. "
        "The region: the bounds on what can be counted in the data, beyond which at least "
        f"{100 * rules.ENOUGH:g} % of the designs hold, that leave the most that do.\n",
        f"**Of intervals that know nothing but the items seen it is {interval}**, with the "
        "binomial lower end where nothing disagrees (the row auto below; what the package takes "
        "for each kind of figure is judged in [coverage_kinds.md](coverage_kinds.md)). It holds in "
        f"{percent(own.holds.mean())} % of all "
        f"designs, and in {percent(rest['designs_that_hold'])} % of the {rest['designs']} designs "
        f"outside the regions below (mean coverage {percent(rest['mean_coverage'])} %, lowest "
        f"{percent(rest['lowest_coverage'])} %, highest {percent(rest['highest_coverage'])} %).\n",
        "Its coverage is poor in these designs:\n",
    ]
    rows = []
    for one in rule["poor"]:
        mask = usual[one["fact"]] < one["below"]
        best = usual[mask].groupby(["design", "coefficient"]).holds.any()
        rows.append(
            {
                "in the median data set": _fewer(one["below"], rules.ASKED[one["fact"]]),
                "designs": one["designs"],
                "hold": one.get("designs_that_hold"),
                "mean coverage": one.get("mean_coverage"),
                "lowest": one.get("lowest_coverage"),
                "some interval holds": float(best.mean()) if len(best) else float("nan"),
                "coverage where data show it": one.get("coverage_where_data_show_it"),
            }
        )
    frame = pd.DataFrame(rows)
    formats = {name: percent for name in frame.columns[2:]}
    check = rule["otherwise_in_families_left_out"]
    after = (
        "The bounds were chosen on these designs. Chosen without a family, they leave "
        f"{percent(check['designs_that_hold'])} % of the designs of that family that lie beyond "
        f"them holding ({check['designs']} designs, lowest {percent(check['lowest_coverage'])} %)."
        " Where a data set shows none of this, whatever its design, the interval covers "
        f"{percent(rest['coverage_where_data_show_it'])} %."
    )
    return "\n".join(lines) + "\n" + markdown(frame, formats) + "\n\n" + after + _special(rule)


def _fewer(least: int, what: str) -> str:
    if least == 1:
        return f"no {what}"
    return f"fewer than {least} {what}"


def _special(rule: dict[str, Any]) -> str:
    """What to say of annotators drawn anew and of documents."""
    lines = [""]
    for key, words, drawn in (
        ("random_annotators", "Annotators drawn anew", "items and annotators"),
        ("documents", "Items of documents", "documents"),
    ):
        if found := rule[key]:
            best, own = found["best"], found[drawn]
            lines.append(
                f"{words}: auto covers {percent(found['items']['mean_coverage'])} % "
                f"on average (lowest {percent(found['items']['lowest_coverage'])} %) where items "
                f"are drawn, {percent(own['mean_coverage'])} % (lowest "
                f"{percent(own['lowest_coverage'])} %) where {drawn} are. There {best['interval']} "
                f"holds most often: in {percent(best['designs_that_hold'])} % of {best['designs']} "
                f"designs, {percent(best['mean_coverage'])} % on average "
                f"({percent(best['lowest_coverage'])} to {percent(best['highest_coverage'])} %)."
            )
    return "\n\n".join(lines) if len(lines) > 1 else ""


def _by_interval(frame: pd.DataFrame) -> str:
    formats: dict[str, Callable[[float], str]] = {
        name: percent for name in frame.columns if name not in ("interval", "worst design", "width")
    }
    return markdown(frame, {**formats, "width": "{:.2f}".format})


def _wide(frame: pd.DataFrame, name: str) -> str:
    shown = frame.reset_index(names=name)
    formats = {one: "{:.0f}".format for one in frame.columns if one != "designs"}
    for one in formats:
        shown[one] = 100 * shown[one]
    return markdown(shown, formats)


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_index(key=lambda names: [int(name.split()[0]) for name in names])


def _shown(facts: pd.DataFrame, interval: str, usual: pd.DataFrame) -> str:
    own = facts[(facts.interval == interval) & facts.design.isin(usual.design)]
    sums = own.groupby(["disagreeing", "informative"])[["held", "intervals"]].sum()
    share = 100 * (sums.held / sums.intervals)[sums.intervals >= 500]
    frame = share.unstack("informative")
    frame.index, frame.columns = ([_class(one) for one in axis] for axis in frame.axes)
    shown = frame.reset_index(names="ratings differ")
    return markdown(shown, {name: "{:.0f}".format for name in frame.columns})


def _class(least: int) -> str:
    place = CLASSES.index(least)
    if place + 1 == len(CLASSES):
        return f"{least} or more"
    last = CLASSES[place + 1] - 1
    return str(least) if last == least else f"{least} to {last}"


def _elsewhere(others: pd.DataFrame, family: str) -> str:
    own = others[others.family == family]
    found = tables.means(own, ["items", "annotators", "drawn"]).reset_index()
    names = [one for one in found.columns if one not in ("items", "annotators", "drawn")]
    found[names] = 100 * found[names]
    return markdown(found, {name: "{:.1f}".format for name in names})


def _ninety(frame: pd.DataFrame) -> str:
    own = tables.plain(frame, 0.9)
    found = tables.means(own, ["items"]).reset_index()
    names = [one for one in found.columns if one != "items"]
    found[names] = 100 * found[names]
    return markdown(found, {name: "{:.1f}".format for name in names})


def _worst(usual: pd.DataFrame, interval: str) -> str:
    own = usual[usual.interval == interval].sort_values(["coverage", "design", "coefficient"])
    columns = [
        "design",
        "coefficient",
        "coverage",
        "above",
        "below",
        "no_width",
        "disagreeing",
        "informative",
    ]
    formats = {name: percent for name in ("coverage", "above", "below", "no_width")}
    return markdown(own[columns].head(WORST), {**formats, "disagreeing": "{:g}".format})
