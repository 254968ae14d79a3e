"""Tables of items, annotators and labels: for the terminal, and as records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.analyses.diagnose.records import MATRIX_NAMES, Diagnosis, group_rows, rows_of
from iaa_jax.report.columns import LONGEST, Column, not_shown, print_columns, shortened
from iaa_jax.report.facts import print_short_facts
from iaa_jax.report.notes import MANY_UNDEFINED, UNWEIGHTED, method_said
from iaa_jax.report.text import (
    count,
    counted,
    decimals_for,
    interval,
    number,
    percent,
    put,
    visible,
)

__all__ = ["print_diagnosis", "rows_of"]

ITEMS_SHOWN = 20
OTHERS_SHOWN = 50
PAIRS_SHOWN = 10

_SPARE = 100
"""Columns of the study go before those that the user asked for."""


def print_diagnosis(console: Console, diagnosis: Diagnosis) -> None:
    """Print the tables and what to know beside them."""
    print_short_facts(console, diagnosis.data)
    printers = {"item": _print_items, "annotator": _print_annotators, "label": _print_labels}
    sentences = [*printers[diagnosis.axis](console, diagnosis)]
    if diagnosis.groups is not None:
        sentences += _print_groups(console, diagnosis.groups, diagnosis.title)
    made = diagnosis.groups if diagnosis.groups is not None else diagnosis.found
    if made.attrs.get("interval") and (diagnosis.axis != "item" or made is diagnosis.groups):
        sentences.append(f"{method_said(str(made.attrs['interval']), made.attrs)}.")
    note = str(diagnosis.found.attrs.get("note", ""))
    sentences += [f"{part[:1].upper()}{part[1:]}." for part in note.split("; ") if part]
    console.print()
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for sentence in sentences:
        grid.add_row("-", Text(sentence))
    put(console, grid)


def _headline(console: Console, diagnosis: Diagnosis) -> None:
    """The coefficient that the table is about, and how labels agree in it."""
    attrs = diagnosis.found.attrs
    weights = str(attrs.get("weights", ""))
    said = "" if weights in UNWEIGHTED else f" ({weights})"
    line = f"{diagnosis.title}{said} of all {diagnosis.axis}s: {number(float(attrs['estimate']))}"
    put(console, Text(line))
    console.print()


def _exact(diagnosis: Diagnosis, columns: str) -> Iterator[str]:
    """A level is one of the coefficient: what the columns count is told where it is not."""
    options = diagnosis.provenance.get("options", {})
    if options.get("level") and not (options.get("weights") or options.get("distance")):
        yield f"{columns}: exact matches; --weights counts near ones in part."


def _kept(diagnosis: Diagnosis, rows: Sequence[Mapping[str, Any]]) -> Iterator[Column]:
    """The columns that the user asked for: the last to go, and cut at their end."""
    for place, name in enumerate(diagnosis.kept, 1):
        cells = [visible(_said(row[name])) for row in rows]
        yield Column(visible(name), cells, "text", place)


def _print_items(console: Console, diagnosis: Diagnosis) -> Iterator[str]:
    found = diagnosis.found
    shown = found.isel(item=slice(None if diagnosis.limited else ITEMS_SHOWN))
    values = diagnosis.data.task == "value"
    _headline(console, diagnosis)
    rows = rows_of(shown, "item")
    columns = [
        Column("Item", [visible(row["item"]) for row in rows], "name"),
        Column("Ratings", [count(row["ratings"]) for row in rows], spare=_SPARE + 1),
    ]
    if values:
        columns += [_figures("Mean", rows, "mean", spare=_SPARE), _figures("Distance", rows)]
    else:
        mostly = [visible(row["most_frequent"]) + " (tied)" * (row["tied"] > 1) for row in rows]
        columns += [
            _figures("Agree", rows, "agreement"),
            _figures("Entropy", rows, "entropy", 2, spare=_SPARE + 2),
            Column("Mostly", mostly, "name", _SPARE),
            _figures("Share", rows, "share", 2, spare=_SPARE + 3),
        ]
    columns += [_figures("Influence", rows, "influence"), *_kept(diagnosis, rows)]
    left_out = print_columns(console, columns)
    yield from _of_shown(shown.sizes["item"], diagnosis.data.items, "item", found.sizes["item"])
    yield from not_shown(left_out)
    if not values:
        entropy = (
            " Entropy of its labels: 0 where unanimous, 1 where all labels are equally frequent."
        )
        yield (
            "Agree: share of the item's pairs of ratings that agree."
            f"{entropy * ('Entropy' not in left_out)}"
        )
        yield from _exact(diagnosis, "Agree")
    else:
        yield "Distance: mean squared difference of the item's pairs of ratings."
    yield (
        f"Influence on {diagnosis.title}: below 0 the item lowers it. Without the item it moves by "
        "about influence / items the other way ('change' in --csv and --json)."
    )


def _print_annotators(console: Console, diagnosis: Diagnosis) -> Iterator[str]:
    found = diagnosis.found
    shown = found.isel(annotator=slice(None if diagnosis.limited else OTHERS_SHOWN))
    values = diagnosis.data.task == "value"
    confidence = float(found.attrs.get("confidence", 0.95))
    _headline(console, diagnosis)
    rows = rows_of(shown, "annotator")
    columns = [
        Column("Annotator", [visible(row["annotator"]) for row in rows], "name"),
        Column("Ratings", [count(_whole(row["ratings"])) for row in rows], spare=_SPARE + 3),
    ]
    if values:
        columns += [_figures("Distance", rows), _figures("Bias", rows, "bias")]
    else:
        decimals = decimals_for(shown["agreement_standard_error"].values.tolist())
        columns.append(_figures("Agree", rows, "agreement", decimals))
        if not np.isnan(found["agreement_ci_low"].values).all():
            columns.append(_intervals(rows, "agreement", confidence, decimals))
        columns += [
            _figures("Kappa", rows, "kappa"),
            _figures("Majority", rows, "majority_agreement", spare=_SPARE + 2),
        ]
    columns.append(_figures("Without", rows, "without", spare=_SPARE))
    if not values:
        columns.append(Column("Leans to", _leanings(shown), "label", _SPARE + 1))
    left_out = print_columns(console, [*columns, *_kept(diagnosis, rows)])
    if not values:
        _print_pairs(console, found)
    size = diagnosis.data.annotators
    yield from _of_shown(shown.sizes["annotator"], size, "annotator", found.sizes["annotator"])
    yield from not_shown(left_out)
    if values:
        yield (
            "Distance: mean squared difference from another's rating. Bias: mean difference from "
            "the mean of the others."
        )
    else:
        ties = "split" if found.attrs["ties"] == "split" else "skipped"
        majority = f" Majority: share of items with the others' most frequent label (ties {ties})."
        yield (
            "Agree: share of comparisons with another's rating that agree. Kappa: against the "
            f"others as a group.{majority * ('Majority' not in left_out)}"
        )
        yield from _exact(diagnosis, "Agree and Kappa")
        if "Leans to" not in left_out:
            yield (
                "Leans to: the label given more often than by the others on the same items (share "
                "of ratings), where the interval leaves 0 out."
            )
        yield from _unsteady(shown)
    if "Without" not in left_out:
        yield f"Without: {diagnosis.title} if the annotator had not rated."


def _unsteady(shown: xr.Dataset) -> Iterator[str]:
    """Annotators with so few items that many replicates hold none of them."""
    replicates = int(shown.attrs.get("replicates", 0))
    lost = shown["kappa_undefined_replicates"].values
    many = int((lost > MANY_UNDEFINED * replicates).sum())
    if replicates and many:
        yield (
            f"In more than {100 * MANY_UNDEFINED:g} % of the replicates there is no figure for "
            f"{counted(many, 'annotator')} with few items: do not use their intervals."
        )


def _leanings(shown: xr.Dataset) -> list[str]:
    """The label that each annotator gives too often, where the interval leaves 0 out."""
    names = shown["label"].values.tolist()
    found = []
    for bias, low in zip(shown["bias"].values, shown["bias_ci_low"].values, strict=True):
        sure = np.where(low > 0, bias, -1.0)
        place = int(np.argmax(sure)) if len(sure) else 0
        told = len(sure) and sure[place] > 0
        found.append(f"{visible(names[place])} (+{bias[place]:.2f})" if told else "")
    return found


def _print_pairs(console: Console, found: xr.Dataset) -> None:
    """Kappa of each pair of annotators, where the table fits."""
    if "pair_kappa" not in found or not 3 <= found.sizes["annotator_2"] <= MATRIX_NAMES:
        return
    others = found["annotator_2"].values.tolist()
    # in the order of the table above; those it leaves out come last, as columns alone
    names = list(dict.fromkeys([*found["annotator"].values.tolist(), *others]))
    places = [others.index(name) for name in names]
    longest = min(max(len(visible(name)) for name in names), LONGEST)
    if 8 * len(names) + longest + 6 > console.width:
        return
    console.print("\nKappa of each pair (shared items below)\n")
    table = _table()
    table.add_column("")
    table.add_column("", no_wrap=True)
    for place in range(len(names)):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    dots = "..." if console.options.ascii_only else "…"
    order = {name: place for place, name in enumerate(found["annotator"].values.tolist())}
    for place, name in enumerate(names):
        if name not in order:
            continue
        kappas = found["pair_kappa"].values[order[name]][places]
        shared = found["pair_shared_items"].values[order[name]][places]
        cells = [
            "" if other == place else f"{number(kappa, 2)}\n{count(_whole(items))}"
            for other, (kappa, items) in enumerate(zip(kappas, shared, strict=True))
        ]
        table.add_row(str(place + 1), shortened(visible(name), LONGEST, dots), *cells)
    put(console, table)


def _print_labels(console: Console, diagnosis: Diagnosis) -> Iterator[str]:
    found = diagnosis.found
    shown = found.isel(label=slice(None if diagnosis.limited else OTHERS_SHOWN))
    confidence = float(found.attrs.get("confidence", 0.95))
    intervals = not np.isnan(found["specific_agreement_ci_low"].values).all()
    decimals = decimals_for(found["specific_agreement_standard_error"].values.tolist())
    rows = rows_of(shown, "label")
    columns = [
        Column("Label", [visible(row["label"]) for row in rows], "name"),
        Column("Ratings", [count(_whole(row["count"])) for row in rows], spare=2),
        Column("Share", [percent(_real(row["share"])) for row in rows], spare=4),
        _figures("Agree", rows, "specific_agreement", decimals),
    ]
    if intervals:
        columns.append(_intervals(rows, "specific_agreement", confidence, decimals, spare=1))
    columns.append(_figures("Alone", rows, "coefficient_estimate", decimals))
    if intervals:
        columns.append(_intervals(rows, "coefficient", confidence, decimals, spare=3))
    left_out = print_columns(console, columns)
    yield from _of_shown(shown.sizes["label"], diagnosis.data.labels, "label", found.sizes["label"])
    yield from not_shown(left_out)
    yield (
        "Agree: of the ratings beside a rating with the label, the share that has it too. Alone: "
        f"{diagnosis.title} of the label against all others together."
    )
    if "pair" not in found.dims:
        return
    pairs = found.isel(pair=slice(PAIRS_SHOWN))
    confused = [row for row in rows_of(pairs, "pair") if (row["confused"] or 0) > 0]
    if not confused:
        yield "No two labels are confused."
        return
    console.print()
    half = LONGEST // 2 if console.width < 2 * LONGEST + 30 else LONGEST
    dots = "..." if console.options.ascii_only else "…"
    names = [
        " - ".join(shortened(visible(row[f"confused_label_{k}"]), half, dots) for k in (1, 2))
        for row in confused
    ]
    columns = [
        Column("Confused", names, "label"),
        Column("Pairs", [count(round(row["confused"], 1)) for row in confused]),
        Column("Share", [percent(_real(row["confused_share"])) for row in confused]),
        _figures("Lift", confused, "confused_lift", 2),
    ]
    print_columns(console, columns)
    yield (
        "Confused: pairs of ratings of an item with these two labels (each item counted by its "
        "ratings), and their share of all such pairs. Lift: times as many as by chance."
    )
    if found.attrs.get("task") == "multi_label":
        yield "Of label sets: one rating has the first without the second, the other the reverse."


def _print_groups(console: Console, groups: xr.Dataset, title: str) -> Iterator[str]:
    console.print()
    by = visible(str(groups.attrs["by"]))
    confidence = float(groups.attrs.get("confidence", 0.95))
    rows = group_rows(groups)
    decimals = decimals_for(_real(row["standard_error"]) for row in rows)
    columns = [
        Column(by, [visible(row["group"]) for row in rows], "name"),
        Column("Items", [count(_whole(row["group_items"])) for row in rows], spare=1),
        Column("Ratings", [count(_whole(row["group_ratings"])) for row in rows], spare=2),
        _figures("Estimate", rows, "estimate", decimals),
        _intervals(rows, "", confidence, decimals),
        _figures("SE", rows, "standard_error", decimals, spare=3),
    ]
    yield from not_shown(print_columns(console, columns), "--json has them")
    if groups.attrs["axis"] == "item":
        yield f"{title} of the items of each {by}; the labels are those of all items."
    else:
        yield f"{title} among the annotators of each {by}; the labels are those of all."
    undefined = [row for row in rows if row["code"]]
    if undefined:
        reasons = "; ".join(dict.fromkeys(row["reason"] for row in undefined))
        yield f"Undefined in {counted(len(undefined), 'group')}: {reasons}."


def _of_shown(shown: int, every: float, noun: str, found: int) -> Iterator[str]:
    if shown < found:
        yield f"Shown: {count(shown)} of {counted(found, noun)}; --top N shows more."
    elif found < every:
        yield f"Shown: {count(found)} of {counted(every, noun)}."


def _figures(
    heading: str,
    rows: Sequence[Mapping[str, Any]],
    name: str = "disagreement",
    decimals: int = 3,
    *,
    spare: int = 0,
) -> Column:
    return Column(heading, [_number(row[name], decimals) for row in rows], spare=spare)


def _intervals(
    rows: Sequence[Mapping[str, Any]],
    name: str,
    confidence: float,
    decimals: int,
    *,
    spare: int = 0,
) -> Column:
    low, high = (f"{name}_ci_{end}" if name else f"ci_{end}" for end in ("low", "high"))
    cells = [interval(_real(row[low]), _real(row[high]), decimals) for row in rows]
    return Column(f"{100 * confidence:g} % interval", cells, spare=spare)


def _table() -> Table:
    return Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


def _real(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _number(value: float | None, decimals: int) -> str:
    return number(_real(value), decimals)


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _said(value: object) -> str:
    return "" if value is None else str(value)
