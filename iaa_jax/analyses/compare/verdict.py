"""The verdict of a comparison in words: what it comes to, the figures behind it, what next."""

from __future__ import annotations

import math
from collections.abc import Iterator

from iaa_jax.analyses.compare.report import (
    UNSEEN,
    CompareReport,
    Row,
    alpha_of,
    by_names,
    p_shown,
    signed,
    undefined_too_often,
)
from iaa_jax.analyses.diagnose.records import rows_of
from iaa_jax.report.notes import UNWEIGHTED
from iaa_jax.report.text import count, counted, decimals_for, interval, number

_ROUNDING = 1e-12


def verdict(report: CompareReport) -> Iterator[str]:
    """What the comparison comes to, of the first coefficient; the figures behind it; what next."""
    row = rows_of(report.found, "coefficient")[0]
    title = report.titles[str(row["coefficient"])]
    a, b = report.a.name, report.b.name
    if row["code"]:
        yield f"Nothing can be said: {title} is undefined ({by_names(row['reason'], report)})."
        return
    if row["standard_error"] is None and row["interval"] != UNSEEN:
        yield (
            f"{_figures(report, row)}; how sure that is cannot be told "
            f"({by_names(str(row['note']), report)})."
        )
        return
    if undefined_too_often(row, report.found):
        yield (
            f"No verdict: {_figures(report, row, ends=False)}, {_where(report)}. "
            f"{count(row['undefined_replicates'])} of {count(report.found.attrs['replicates'])} "
            "replicates are undefined: neither an interval from them nor p is to be trusted."
        )
        yield from _against_percent(report, row)
        return
    alpha, margin = alpha_of(report), report.found.attrs.get("margin")
    alike, higher_for = row["equivalence_p_value"], _shown(row, alpha)
    within = margin is not None and alike is not None and alike <= alpha
    said = f"{_figures(report, row)}, {_where(report)}."
    if higher_for:
        higher, lower = (b, a) if row["difference"] > 0 else (a, b)
        yield (
            f"Agreement is higher for {higher} than for {lower}: "
            f"{_figures(report, row, as_read=False)}, {_where(report)}."
        )
    elif within:
        yield f"{a} and {b} agree alike: {said}"
    else:
        yield f"No difference can be shown between {a} and {b}: {said}"
    yield from _of_annotators(report, row)
    yield from _of_unseen(report, row, shown=higher_for)
    if margin is not None:
        yield _of_margin(report, row, float(margin), within=within)
    if not higher_for and not within:
        yield from _of_power(report, row)
    yield from _against_percent(report, row)


def _of_annotators(report: CompareReport, row: Row) -> Iterator[str]:
    """Groups of annotators: whom this speaks of, and whether other groups differ as much."""
    if not report.of_annotators:
        return
    attrs = report.found.attrs
    sizes = attrs["annotators_a"], attrs["annotators_b"]
    who = " and ".join(
        f"{count(size)} ({side.name})"
        for size, side in zip(sizes, (report.a, report.b), strict=True)
    )
    yield f"This is about these annotators, {who}, alone; other annotators may differ."
    p_value = row.get("annotator_p_value")
    if p_value is None:
        return
    ways, groups = attrs["annotator_ways"], f"groups of {count(sizes[0])} and {count(sizes[1])}"
    if attrs["annotator_ways_all"]:
        alike = round(p_value * ways)
        verb = "differs" if alike == 1 else "differ"
        said = f"Of the {count(ways)} ways to deal them out to {groups}, {count(alike)} {verb}"
    else:
        said = f"Dealt out at random to {groups}, {100 * p_value:.1f} % differ"
    said += f" as much or more, this one included (p {p_shown(p_value)})"
    if p_value > alpha_of(report) and _shown(row, alpha_of(report)):
        said += ": that it is the kind of annotator, and not who was taken, cannot be shown"
    yield f"{said}."


def _of_unseen(report: CompareReport, row: Row, *, shown: bool) -> Iterator[str]:
    """What items without disagreement leave open."""
    if row["interval"] != UNSEEN or shown or row["difference"] == 0:
        return
    attrs = report.found.attrs
    sides = [
        f"{counted(attrs[f'pairable_items_{letter}'], 'item')} without disagreement ({side.name})"
        for letter, side in (("a", report.a), ("b", report.b))
        if row[f"standard_error_{letter}"] == 0 and row[f"estimate_{letter}"] >= 1 - _ROUNDING
    ]
    if sides:
        yield f"{' and '.join(sides)} cannot show more."
    low, high, p_value = row["ci_low"], row["ci_high"], row["p_value"]
    if low is not None and (low > 0 or high < 0) and p_value is not None:
        yield (
            f"The interval leaves 0 out, but exchanges give p {p_shown(p_value)}: too little to go "
            "by."
        )


def _figures(report: CompareReport, row: Row, *, as_read: bool = True, ends: bool = True) -> str:
    """Both figures and the difference: B less A, or the higher less the lower."""
    decimals = decimals_for([row["standard_error"] or math.nan])
    weights = "" if row["weights"] in UNWEIGHTED else f" ({row['weights']})"
    title = report.titles[str(row["coefficient"])] + weights
    turned = not as_read and row["difference"] < 0
    figures = [
        f"{number(row[f'estimate_{letter}'], decimals)} ({side.name})"
        for letter, side in (("b", report.b), ("a", report.a))
    ]
    if turned:
        figures.reverse()
    difference = signed(row["difference"], decimals)
    if not as_read:
        difference = number(abs(row["difference"]), decimals)
    text = f"{title} {figures[0]} against {figures[1]}, a difference of {difference}"
    if as_read:
        text = f"{title} {figures[1]} and {figures[0]}, a difference of {difference}"
    if not ends:
        return text
    if row["ci_low"] is not None:
        level = f"{100 * float(report.found.attrs['confidence']):g} %"
        low, high = (-row["ci_high"], -row["ci_low"]) if turned else (row["ci_low"], row["ci_high"])
        text += f" ({level}: {interval(low, high, decimals)})"
    elif row["p_value"] is not None:
        text += f" (p {p_shown(row['p_value'])})"
    return text


def _where(report: CompareReport) -> str:
    attrs = report.found.attrs
    items = attrs["items_a"], attrs["items_b"]
    telling = attrs["pairable_items_a"], attrs["pairable_items_b"]
    if not attrs["paired"]:
        few = " with two ratings or more" * (telling != items)
        return (
            f"on {counted(telling[0], 'item')} ({report.a.name}) and "
            f"{counted(telling[1], 'item')} ({report.b.name}){few}"
        )
    both = attrs["pairable_items_both"]
    if telling != items and both == min(telling):
        return (
            f"on {counted(items[0], 'item')} rated in both ({count(both)} with two ratings or more "
            "in both)"
        )
    if telling != items:
        return (
            f"on {counted(items[0], 'item')} rated in both, of which {count(telling[0])} "
            f"({report.a.name}) and {count(telling[1])} ({report.b.name}) have two ratings or "
            f"more, {count(both)} in both"
        )
    if attrs["pairing_caution"]:
        return f"on {counted(items[0], 'item')} with the same ids"
    return f"on the same {counted(items[0], 'item')}"


def _shown(row: Row, alpha: float) -> bool:
    """Whether there is a difference: by the interval, where there is one.

    Where a side has no spread to show, p (by exchange) has to say so too.
    """
    unseen = row["interval"] == UNSEEN
    if row["ci_low"] is not None:
        apart = bool(row["ci_low"] > 0 or row["ci_high"] < 0)
        return apart and not (unseen and row["p_value"] is not None and row["p_value"] > alpha)
    return not unseen and row["p_value"] is not None and bool(row["p_value"] <= alpha)


def _of_margin(report: CompareReport, row: Row, margin: float, *, within: bool) -> str:
    p_value = row["equivalence_p_value"]
    tests = f"two one-sided tests, p {p_shown(p_value)}" if p_value is not None else "no test"
    if within:
        there = ": it is there, and too small to matter" * _shown(row, alpha_of(report))
        return f"The difference lies within ±{margin:g} ({tests}){there}."
    return f"That the difference lies within ±{margin:g} cannot be shown ({tests})."


def _of_power(report: CompareReport, row: Row) -> Iterator[str]:
    if row["detectable"] is None or not row["detectable"] > 0:
        return
    attrs = report.found.attrs
    target = float(attrs["needed_for"])
    decimals = 2 if row["detectable"] >= 0.01 else 3
    least = number(row["detectable"], decimals)
    if float(least) == 0:
        return
    yield f"Four times in five these data would show a true difference of {least} or more."
    if row["detectable"] <= target:
        return
    if attrs["paired"]:
        needed = f"about {count(_rounded(row['items_needed_a']))} items rated in both"
    else:
        needed = (
            f"about {count(_rounded(row['items_needed_a']))} items ({report.a.name}) and "
            f"{count(_rounded(row['items_needed_b']))} ({report.b.name})"
        )
    yield f"One of {target:g} takes {needed}, rated like these."


def _rounded(items: float) -> int:
    """Two digits: a plan is no more exact than its pilot."""
    digits = max(len(str(int(items))) - 2, 0)
    return int(math.ceil(items / 10**digits) * 10**digits)


def _against_percent(report: CompareReport, row: Row) -> Iterator[str]:
    """Percent agreement that goes the other way says that chance agreement differs."""
    others = {one["coefficient"]: one for one in rows_of(report.found, "coefficient")}
    other = others.get("percent_agreement")
    if other is None or other is row or row["coefficient"] == "percent_agreement":
        return
    alpha = alpha_of(report)
    if other["difference"] is None or not _shown(other, alpha):
        return
    if _shown(row, alpha) and other["difference"] * row["difference"] > 0:
        return
    sides = [
        (side, other[f"estimate_{letter}"], _by_chance(other, row, letter))
        for letter, side in (("a", report.a), ("b", report.b))
    ]
    sides.sort(key=lambda side: -side[1])
    (higher, most, expected), (_, least, other_expected) = sides
    said = f"Percent agreement, though, is higher for {higher.name} ({number(most)} against "
    said += f"{number(least)})"
    if row["weights"] in UNWEIGHTED and expected > other_expected:
        said += (
            ": its labels are spread less evenly, and more of its agreement is what chance gives"
        )
    yield f"{said}."


def _by_chance(other: Row, row: Row, letter: str) -> float:
    """The agreement by chance that a coefficient takes off percent agreement."""
    observed, estimate = other[f"estimate_{letter}"], row[f"estimate_{letter}"]
    return float((observed - estimate) / (1 - estimate)) if estimate < 1 else math.nan
