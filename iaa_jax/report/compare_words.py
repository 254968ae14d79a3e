"""What a comparison comes to, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.report.diagnosis_records import rows_of
from iaa_jax.report.notes import MANY_UNDEFINED, UNWEIGHTED, few_items, method_said
from iaa_jax.report.records import DataFacts, plain
from iaa_jax.report.text import count, counted, decimals_for, interval, number, visible

LABELS_SHOWN = 10

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """One of the two sets: its name in sentences and above a column, and what was read."""

    name: str
    heading: str
    data: DataFacts


@dataclass(frozen=True)
class CompareReport:
    """All that one comparison says."""

    a: Side
    b: Side
    found: xr.Dataset
    titles: Mapping[str, str]
    labels: xr.Dataset | None = None
    by: str | None = None
    without_labels: str = ""
    together: bool = True  # several coefficients were asked for, and are one family
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The report for JSON."""
        attrs = self.found.attrs
        design = (
            "paired",
            "pairing",
            "shared_items",
            "items_a",
            "items_b",
            "left_out_items_a",
            "left_out_items_b",
            "annotators_a",
            "annotators_b",
            "shared_annotators",
        )
        return {
            "a": {"name": self.a.name, **_facts(self.a)},
            "b": {"name": self.b.name, **_facts(self.b)},
            "design": {
                name: bool(attrs[name]) if name == "paired" else plain(attrs[name])
                for name in design
            },
            "verdict": " ".join(verdict(self)),
            "coefficients": {
                row.pop("coefficient"): row for row in rows_of(self.found, "coefficient")
            },
            "labels": [] if self.labels is None else rows_of(self.labels, "label"),
            "provenance": plain(dict(self.provenance)),
        }


def _facts(side: Side) -> dict[str, Any]:
    return {name: plain(value) for name, value in asdict(side.data).items()}


def verdict(report: CompareReport) -> Iterator[str]:
    """What the comparison comes to, of the first coefficient; the figures behind it; what next."""
    row = rows_of(report.found, "coefficient")[0]
    title = report.titles[str(row["coefficient"])]
    a, b = report.a.name, report.b.name
    if row["code"]:
        yield f"Nothing can be said: {title} is undefined ({_by_names(row['reason'], report)})."
        return
    if row["standard_error"] is None:
        yield (
            f"{_figures(report, row)}; how sure that is cannot be told "
            f"({_by_names(str(row['note']), report)})."
        )
        return
    margin = report.found.attrs.get("margin")
    within = margin is not None and (row["equivalence_p_value"] or 0.0) <= _alpha(report)
    said = f"{_figures(report, row)}, {_where(report)}."
    if _shown(row, _alpha(report)):
        higher, lower = (b, a) if row["difference"] > 0 else (a, b)
        yield (
            f"Agreement is higher for {higher} than for {lower}: "
            f"{_figures(report, row, as_read=False)}, {_where(report)}."
        )
    elif within:
        yield f"{a} and {b} agree alike: {said}"
    else:
        yield f"No difference can be shown between {a} and {b}: {said}"
    if margin is not None:
        yield _of_margin(report, row, float(margin), within=within)
    if not _shown(row, _alpha(report)) and not within:
        yield from _of_power(report, row)
    yield from _against_percent(report, row)


def _figures(report: CompareReport, row: Row, *, as_read: bool = True) -> str:
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
    if row["ci_low"] is not None:
        level = f"{100 * float(report.found.attrs['confidence']):g} %"
        ends = (-row["ci_high"], -row["ci_low"]) if turned else (row["ci_low"], row["ci_high"])
        text += f" ({level}: {interval(*ends, decimals)})"
    elif row["p_value"] is not None:
        text += f" (p {p_shown(row['p_value'])})"
    return text


def _where(report: CompareReport) -> str:
    attrs = report.found.attrs
    if attrs["paired"]:
        if attrs["pairing_caution"]:
            return f"on {counted(attrs['items_a'], 'item')} with the same ids"
        return f"on the same {counted(attrs['items_a'], 'item')}"
    return (
        f"on {counted(attrs['items_a'], 'item')} ({report.a.name}) and "
        f"{counted(attrs['items_b'], 'item')} ({report.b.name})"
    )


def _shown(row: Row, alpha: float) -> bool:
    """Whether there is a difference: by the interval, where there is one."""
    if row["ci_low"] is not None:
        return bool(row["ci_low"] > 0 or row["ci_high"] < 0)
    return row["p_value"] is not None and bool(row["p_value"] <= alpha)


def _alpha(report: CompareReport) -> float:
    return 1 - float(report.found.attrs["confidence"])


def _of_margin(report: CompareReport, row: Row, margin: float, *, within: bool) -> str:
    p_value = row["equivalence_p_value"]
    tests = f"two one-sided tests, p {p_shown(p_value)}" if p_value is not None else "no test"
    if within:
        there = ": it is there, and too small to matter" * _shown(row, _alpha(report))
        return f"The difference lies within ±{margin:g} ({tests}){there}."
    return f"That the difference lies within ±{margin:g} cannot be shown ({tests})."


def _of_power(report: CompareReport, row: Row) -> Iterator[str]:
    if row["detectable"] is None or not row["detectable"] > 0:
        return
    attrs = report.found.attrs
    target = float(attrs["needed_for"])
    found = f"four times in five these data would show a true difference of {row['detectable']:.2f}"
    yield f"{found[:1].upper()}{found[1:]} or more."
    if row["detectable"] <= target:
        return
    if attrs["paired"]:
        needed = f"about {count(_rounded(row['items_needed_a']))} items rated in both"
    else:
        needed = (
            f"about {count(_rounded(row['items_needed_a']))} items ({report.a.name}) and "
            f"{count(_rounded(row['items_needed_b']))} ({report.b.name})"
        )
    yield f"One of {target:g} takes {needed}."


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
    alpha = _alpha(report)
    if other["difference"] is None or not _shown(other, alpha):
        return
    if _shown(row, alpha) and other["difference"] * row["difference"] > 0:
        return
    sides = [(report.a, other["estimate_a"]), (report.b, other["estimate_b"])]
    sides.sort(key=lambda side: -side[1])
    (higher, most), (_, least) = sides
    yield (
        f"Percent agreement, though, is higher for {higher.name} ({number(most)} against "
        f"{number(least)}): its labels are spread less evenly, and more of its agreement is what "
        "chance gives."
    )


def label_sentences(report: CompareReport, labels: xr.Dataset) -> Iterator[str]:
    """Which labels differ, or which moved most."""
    rows, alpha = moved(labels), _alpha(report)
    title = report.titles[str(labels.attrs["coefficient"])]
    total = len(rows)
    known = [row for row in rows if row["difference"] is not None]
    if not known:
        return
    found = [row for row in known if row["adjusted_p_value"] is not None]
    found = [row for row in found if row["adjusted_p_value"] <= alpha]
    if found:
        names = ", ".join(
            f"{visible(row['label'])} ({signed(row['difference'], 2)})"
            for row in found[:LABELS_SHOWN]
        )
        more = f" and {count(len(found) - LABELS_SHOWN)} more" * (len(found) > LABELS_SHOWN)
        if len(found) == total:
            differ = f"All {count(total)} labels differ"
        else:
            verb = "differs" if len(found) == 1 else "differ"
            differ = f"Of {counted(total, 'label')}, {count(len(found))} {verb}"
        yield (
            f"{differ}, with all tested at once (adjusted p at most {alpha:.3g}): {names}{more}. "
            "'iaa labels' on each set shows what they are taken for."
        )
    else:
        top = known[0]
        if abs(top["difference"]) < 0.005:
            yield f"No label moved by more than {abs(top['difference']):.3f}."
            return
        yield (
            f"No single label can be shown to differ with all {count(total)} tested at once; "
            f"{visible(top['label'])} moved most ({signed(top['difference'], 2)})."
        )
    if any(row["band_low"] is not None and row["band_low"] < 0 < row["band_high"] for row in found):
        yield (
            "Adjusted p goes step by step, from the surest label on, and so shows more than "
            "intervals for all at once: one of these may hold 0."
        )
    shown = min(total, LABELS_SHOWN)
    rest = f" The {shown} that moved most of {total} are shown; --json has all." * (total > shown)
    yield f"Labels: {title} of each label against all others together.{rest}"
    undefined = [row for row in rows if row["code"]]
    if undefined:
        names = ", ".join(visible(row["label"]) for row in undefined[:LABELS_SHOWN])
        reason = _by_names(str(undefined[0]["reason"]), report)
        yield f"Undefined for {counted(len(undefined), 'label')}: {names} ({reason})."


def compare_notes(report: CompareReport, rows: Sequence[Row]) -> Iterator[str]:
    """What a reader has to know beside the figures."""
    attrs = report.found.attrs
    yield from _of_tests(report, rows)
    yield from _of_scope(report)
    replicates = int(attrs["replicates"])
    for row in rows:
        title = visible(report.titles[str(row["coefficient"])])
        if row["code"] and row is not rows[0]:
            yield f"{title} is undefined ({_by_names(str(row['reason']), report)})."
        if row["undefined_replicates"] and not row["code"]:
            much = " So many that the interval should not be used." * (
                row["undefined_replicates"] > MANY_UNDEFINED * replicates
            )
            yield f"{title}: {counted(row['undefined_replicates'], 'replicate')} undefined.{much}"
    weighted = [row for row in rows if row["weights"] not in UNWEIGHTED]
    for weights in dict.fromkeys(str(row["weights"]) for row in weighted):
        of = [
            visible(report.titles[str(row["coefficient"])])
            for row in weighted
            if row["weights"] == weights
        ]
        yield f"How labels agree: {weights} ({', '.join(of)})."
    notes: dict[str, list[str]] = {}
    for row in rows:
        for part in str(row["note"]).split("; "):
            if part:
                title = visible(report.titles[str(row["coefficient"])])
                notes.setdefault(_by_names(part, report), []).append(title)
    for part, titles in notes.items():
        who = "" if len(titles) == len(rows) else f"{', '.join(titles)}: "
        text = f"{who}{part}"
        yield f"{text[:1].upper()}{text[1:]}."
    if attrs.get("left_out"):
        yield f"Not compared: {visible(str(attrs['left_out']))}."
    yield from few_items(min(side.data.pairable_items for side in (report.a, report.b)))


def _of_tests(report: CompareReport, rows: Sequence[Row]) -> Iterator[str]:
    attrs, row = report.found.attrs, rows[0]
    if any(one["ci_low"] is not None for one in rows):
        together = " of both sets together" if attrs["paired"] else ", in each set by itself"
        said = method_said(str(attrs["interval"]), attrs).replace(
            "over items", f"over items{together}"
        )
        yield f"{said}."
    text = "p: of no difference, two-sided, normal with the standard error of the difference."
    exchanged = row["permutation_p_value"]
    if any(one["permutation_p_value"] is not None for one in rows):
        how = (
            "the two sets' ratings of an item change sides at random"
            if attrs["paired"]
            else "items are dealt out anew between the sets"
        )
        text += (
            f" Swap p: {how} ({counted(attrs['permutations'], 'time')}); it asks whether "
            "the sets differ in any way."
        )
    yield text
    alpha = _alpha(report)
    both = exchanged is not None and row["p_value"] is not None
    if both and (exchanged <= alpha) != (row["p_value"] <= alpha):
        yield (
            f"The two p-values lie on either side of {alpha:.3g}: the difference is at the edge of "
            "what these data can show."
        )
    if attrs["family"] and report.together:
        how = "step-down max-t" if attrs["family"] == "max-t" else "Holm"
        yield f"Adjusted: for all {count(len(rows))} coefficients together ({how})."


def _of_scope(report: CompareReport) -> Iterator[str]:
    attrs = report.found.attrs
    shared, sizes = attrs["shared_annotators"], (attrs["annotators_a"], attrs["annotators_b"])
    if not shared:
        who = ""
    elif shared == sizes[0] == sizes[1]:
        who = " Their names are the same in both sets."
    else:
        who = f" {counted(shared, 'name')} {'stands' if shared == 1 else 'stand'} in both sets."
    yield (
        "Items are what is random: this speaks of further items by these annotators, not of other "
        f"annotators.{who}"
    )
    if attrs["labels"]:
        used = (report.a.data.labels, report.b.data.labels)
        if used != (attrs["labels"],) * 2:
            yield (
                f"Both sets are measured on the {counted(attrs['labels'], 'label')} of both "
                f"together; {report.a.name} has {count(used[0])} of them and {report.b.name} "
                f"{count(used[1])}."
            )


def _by_names(text: str, report: CompareReport) -> str:
    """A reason of the study with the sets by their names."""
    for letter, side in (("A", report.a), ("B", report.b)):
        text = text.replace(f"{letter}: ", f"{side.name}: ").replace(
            f"items of {letter} ", f"items of {side.name} "
        )
    return visible(text)


def moved(labels: xr.Dataset) -> list[dict[str, Any]]:
    """The labels by how far they moved; undefined ones last."""
    order = np.argsort(-np.abs(np.nan_to_num(labels["difference"].values, nan=0.0)), kind="stable")
    rows = rows_of(labels, "label")
    told = [rows[place] for place in order if rows[place]["difference"] is not None]
    return told + [row for row in rows if row["difference"] is None]


def signed(value: float | None, decimals: int = 3) -> str:
    """A difference with its sign."""
    return "-" if value is None else f"{value:+z.{decimals}f}"


def p_shown(value: float | None, *, bare: bool = False) -> str:
    """A p-value: "= 0.012", or alone; what is not nothing never looks like nothing."""
    if value is None:
        return "-"
    small = value < 0.001
    text = "0.001" if small else f"{value:.3f}"
    if bare:
        return f"<{text}" if small else text
    return f"< {text}" if small else f"= {text}"
