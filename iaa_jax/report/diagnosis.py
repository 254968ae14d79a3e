"""Tables of items, annotators and labels: for the terminal, and as records."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import xarray as xr
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.report.diagnosis_records import MATRIX_NAMES, Diagnosis, group_rows, rows_of
from iaa_jax.report.notes import MANY_UNDEFINED
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

_LONGEST = 28
"""Characters of a name that a table shows."""


def print_diagnosis(console: Console, diagnosis: Diagnosis) -> None:
    """Print the tables and what to know beside them."""
    printers = {"item": _print_items, "annotator": _print_annotators, "label": _print_labels}
    sentences = [*printers[diagnosis.axis](console, diagnosis)]
    if diagnosis.groups is not None:
        sentences += _print_groups(console, diagnosis.groups, diagnosis.title)
    note = str(diagnosis.found.attrs.get("note", ""))
    sentences += [f"{part[:1].upper()}{part[1:]}." for part in note.split("; ") if part]
    console.print()
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for sentence in sentences:
        grid.add_row("-", Text(sentence))
    put(console, grid)


def _print_items(console: Console, diagnosis: Diagnosis) -> Iterator[str]:
    found = diagnosis.found
    shown = found.isel(item=slice(None if diagnosis.limited else ITEMS_SHOWN))
    values = diagnosis.data.task == "value"
    estimate = float(found.attrs["estimate"])
    console.print(f"{diagnosis.title} of all items: {number(estimate)}\n")
    table = _table()
    table.add_column("Item", overflow="fold", max_width=_LONGEST)
    for heading in ("Ratings", *(("Mean", "Distance") if values else ("Agree", "Entropy"))):
        table.add_column(heading, justify="right", no_wrap=True)
    if not values:
        table.add_column("Mostly", overflow="fold", max_width=_LONGEST)
        table.add_column("Share", justify="right", no_wrap=True)
    table.add_column("Influence", justify="right", no_wrap=True)
    for name in diagnosis.kept:
        table.add_column(visible(name), overflow="ellipsis", no_wrap=True, ratio=1)
    for row in rows_of(shown, "item"):
        cells = [visible(row["item"]), count(row["ratings"])]
        if values:
            cells += [_number(row["mean"], 3), _number(row["disagreement"], 3)]
        else:
            tied = " (tied)" if row["tied"] > 1 else ""
            cells += [_number(row["agreement"], 3), _number(row["entropy"], 2)]
            cells += [visible(row["most_frequent"]) + tied, _number(row["share"], 2)]
        cells.append(_number(row["influence"], 3))
        cells += [visible(_said(row[name])) for name in diagnosis.kept]
        table.add_row(*cells)
    put(console, table)
    yield from _of_shown(shown.sizes["item"], diagnosis.data.items, "item", found.sizes["item"])
    if not values:
        yield (
            "Agree: share of the item's pairs of ratings that agree. Entropy of its labels: 0 "
            "where unanimous, 1 where all labels are equally frequent."
        )
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
    console.print(
        f"{diagnosis.title} of all annotators: {number(float(found.attrs['estimate']))}\n"
    )
    table = _table()
    table.add_column("Annotator", overflow="fold", max_width=_LONGEST)
    table.add_column("Ratings", justify="right", no_wrap=True)
    if values:
        headings = ["Distance", "Bias"]
    else:
        headings = ["Agree", f"{100 * confidence:g} % interval", "Kappa", "Majority"]
        if np.isnan(found["agreement_ci_low"].values).all():
            headings.pop(1)
    for heading in (*headings, "Without"):
        table.add_column(heading, justify="right", no_wrap=True)
    if not values:
        table.add_column("Leans to", overflow="fold")
    for name in diagnosis.kept:
        table.add_column(visible(name), overflow="ellipsis", no_wrap=True, ratio=1)
    leanings = [""] * shown.sizes["annotator"] if values else _leanings(shown)
    errors = [] if values else [x for x in shown["agreement_standard_error"].values.tolist()]
    decimals = decimals_for(errors)
    for row, leaning in zip(rows_of(shown, "annotator"), leanings, strict=True):
        cells = [visible(row["annotator"]), count(_whole(row["ratings"]))]
        if values:
            cells += [_number(row["disagreement"], 3), _number(row["bias"], 3)]
        else:
            cells.append(_number(row["agreement"], decimals))
            if len(headings) == 4:
                low, high = (_real(row[f"agreement_ci_{end}"]) for end in ("low", "high"))
                cells.append(interval(low, high, decimals))
            cells += [_number(row[name], 3) for name in ("kappa", "majority_agreement")]
        cells.append(_number(row["without"], 3))
        if not values:
            cells.append(leaning)
        cells += [visible(_said(row[name])) for name in diagnosis.kept]
        table.add_row(*cells)
    put(console, table)
    if not values:
        _print_pairs(console, found)
    size = diagnosis.data.annotators
    yield from _of_shown(shown.sizes["annotator"], size, "annotator", found.sizes["annotator"])
    if values:
        yield (
            "Distance: mean squared difference from another's rating. Bias: mean difference from "
            "the mean of the others."
        )
    else:
        yield (
            "Agree: share of comparisons with another's rating that agree. Kappa: against the "
            "others as a group. Majority: share of items with the others' most frequent label "
            f"(ties {'split' if found.attrs['ties'] == 'split' else 'skipped'})."
        )
        yield (
            "Leans to: the label given more often than by the others on the same items (share of "
            "ratings), where the interval leaves 0 out."
        )
        yield from _unsteady(shown)
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
    names = found["annotator_2"].values.tolist()
    longest = min(max(len(visible(name)) for name in names), _LONGEST)
    if 8 * len(names) + longest + 6 > console.width:
        return
    console.print("\nKappa of each pair (shared items below)\n")
    table = _table()
    table.add_column("")
    table.add_column("", max_width=_LONGEST, overflow="fold")
    for place in range(len(names)):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    order = {name: place for place, name in enumerate(found["annotator"].values.tolist())}
    for place, name in enumerate(names):
        if name not in order:
            continue
        kappas = found["pair_kappa"].values[order[name]]
        shared = found["pair_shared_items"].values[order[name]]
        cells = [
            "" if other == place else f"{number(kappa, 2)}\n{count(_whole(items))}"
            for other, (kappa, items) in enumerate(zip(kappas, shared, strict=True))
        ]
        table.add_row(str(place + 1), visible(name), *cells)
    put(console, table)


def _print_labels(console: Console, diagnosis: Diagnosis) -> Iterator[str]:
    found = diagnosis.found
    shown = found.isel(label=slice(None if diagnosis.limited else OTHERS_SHOWN))
    confidence = float(found.attrs.get("confidence", 0.95))
    intervals = not np.isnan(found["specific_agreement_ci_low"].values).all()
    table = _table()
    table.add_column("Label", overflow="fold", max_width=_LONGEST)
    for heading in ("Ratings", "Share", "Agree"):
        table.add_column(heading, justify="right", no_wrap=True)
    if intervals:
        table.add_column(f"{100 * confidence:g} % interval", justify="right", no_wrap=True)
    table.add_column("Alone", justify="right", no_wrap=True)
    if intervals:
        table.add_column(f"{100 * confidence:g} % interval", justify="right", no_wrap=True)
    decimals = decimals_for(found["specific_agreement_standard_error"].values.tolist())
    for row in rows_of(shown, "label"):
        cells = [visible(row["label"]), count(_whole(row["count"])), percent(_real(row["share"]))]
        for name, estimate in (
            ("specific_agreement", "specific_agreement"),
            ("coefficient", "coefficient_estimate"),
        ):
            cells.append(_number(row[estimate], decimals))
            if intervals:
                low, high = (_real(row[f"{name}_ci_{end}"]) for end in ("low", "high"))
                cells.append(interval(low, high, decimals))
        table.add_row(*cells)
    put(console, table)
    yield from _of_shown(shown.sizes["label"], diagnosis.data.labels, "label", found.sizes["label"])
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
    table = _table()
    table.add_column("Confused", overflow="fold", max_width=2 * _LONGEST)
    for heading in ("Pairs", "Share", "Lift"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in confused:
        both = f"{visible(row['confused_label_1'])} - {visible(row['confused_label_2'])}"
        table.add_row(
            both,
            count(round(row["confused"], 1)),
            percent(_real(row["confused_share"])),
            _number(row["confused_lift"], 2),
        )
    put(console, table)
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
    table = _table()
    table.add_column(by, overflow="fold", max_width=_LONGEST)
    headings = ("Items", "Ratings", "Estimate", f"{100 * confidence:g} % interval", "SE")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    rows = group_rows(groups)
    decimals = decimals_for(_real(row["standard_error"]) for row in rows)
    for row in rows:
        table.add_row(
            visible(row["group"]),
            count(_whole(row["group_items"])),
            count(_whole(row["group_ratings"])),
            _number(row["estimate"], decimals),
            interval(_real(row["ci_low"]), _real(row["ci_high"]), decimals),
            _number(row["standard_error"], decimals),
        )
    put(console, table)
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


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


def _real(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _number(value: float | None, decimals: int) -> str:
    return number(_real(value), decimals)


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _said(value: object) -> str:
    return "" if value is None else str(value)
