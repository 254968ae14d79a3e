"""The report of label sets: each label alone, whole sets, items, annotators and label pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import xarray as xr
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.analyses.diagnose.page import rows_of
from iaa_jax.report.columns import Column, not_shown, print_columns
from iaa_jax.report.notes import method_said
from iaa_jax.report.records import DataFacts, plain
from iaa_jax.report.text import (
    count,
    counted,
    decimals_for,
    interval,
    listed,
    number,
    percent,
    put,
    visible,
)

PAIRS_SHOWN = 10
"""Label pairs that are printed unless another number is asked for."""

LABELS_SHOWN = 20
"""Labels that are printed unless another number is asked for."""

ANNOTATORS_SHOWN = 20

NARROW = 60
"""Width below which observed and expected agreement are left out."""

FEW_SWAPPED = 3
"""Fewer swapped items than this say nothing of a pair of labels."""

_WRAPPED = (
    "Expert Coder Index",
    "Compared with",
    "Items swapped",
    "Share swapped",
    "One label each",
)
"""Headings that may take two lines; their figures are short."""

WITH_INTERVAL = 2
"""Coefficients of a label that have room for their interval."""


@dataclass(frozen=True)
class BinaryReport:
    """Each label as a binary problem; for label sets also the study of whole sets."""

    data: DataFacts
    labels: xr.Dataset
    sets: xr.Dataset | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    set_titles: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    top: int | None = None  # labels and pairs of labels to show

    def record(self) -> dict[str, Any]:
        """All of it for JSON."""
        made: dict[str, Any] = {
            "data": {name: plain(value) for name, value in asdict(self.data).items()},
            "labels": _label_records(self.labels),
        }
        if self.sets is not None:
            made["label_sets"] = _set_record(self.sets)
        made["provenance"] = plain(dict(self.provenance))
        return made


def _label_records(found: xr.Dataset) -> dict[str, Any]:
    own = {row.pop("label"): row for row in rows_of(found, "label")}
    records: dict[str, Any] = {}
    for place, (label, row) in enumerate(own.items()):
        of_label = rows_of(found.isel(label=place, drop=True), "coefficient")
        row["coefficients"] = {each.pop("coefficient"): each for each in of_label}
        records[str(label)] = row
    return records


def _set_record(found: xr.Dataset) -> dict[str, Any]:
    made: dict[str, Any] = {
        "coefficients": {row.pop("coefficient"): row for row in rows_of(found, "coefficient")},
        "floor": plain(float(found["floor"])),
        "bands": rows_of(found, "band"),
        "histogram": rows_of(found, "bin"),
        "items_without_majority": int(found["no_majority"].sum()),
    }
    if "annotator" in found.dims:
        made["annotators"] = rows_of(found, "annotator")
    if "label_pair" in found.dims:
        made["label_pairs"] = rows_of(found, "label_pair")
    made["left_out"] = str(found.attrs.get("left_out", ""))
    return made


def print_binary(console: Console, report: BinaryReport) -> None:
    """Print the tables, and what to know beside them."""
    facts = report.data
    put(
        console,
        Text(
            f"{counted(facts.items, 'item')}, {counted(facts.annotators, 'annotator')}, "
            f"{counted(facts.labels, 'label')}, {counted(facts.ratings, 'rating')}. "
            f"Skipped: {visible(facts.skipped) or 'nothing'}."
        ),
    )
    if facts.read_as:
        put(console, Text(f"Read as {visible(facts.read_as)}."))
    for notice in facts.notices:
        put(console, Text(f"Note: {visible(notice)}."))
    confidence = float(report.provenance.get("confidence", 0.95))
    sentences = [*_print_labels(console, report, confidence), *_of_labels(report.labels)]
    if report.labels.attrs.get("interval"):
        made = report.labels.attrs
        sentences.append(f"{method_said(str(made['interval']), made)}.")
    top = report.top or PAIRS_SHOWN
    if report.sets is not None:
        sets = report.sets
        _print_coefficients(console, report, sets, confidence)
        _print_bands(console, sets, confidence)
        _print_annotators(console, sets)
        _print_pairs(console, sets, top)
        if console.width < NARROW and sets.sizes.get("coefficient"):
            sentences += not_shown(["Observed", "Expected"], "--json has them")
        sentences += _of_sets(sets, top)
    console.print()
    for sentence in sentences:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row("-", Text(sentence))
        put(console, grid)


def _print_labels(console: Console, report: BinaryReport, confidence: float) -> Iterator[str]:
    every = report.labels
    given = np.nan_to_num(every["prevalence"].values, nan=-1.0)
    order = np.argsort(-given, kind="stable")[: report.top or LABELS_SHOWN]
    found = every.isel(label=order)
    decimals = decimals_for(found["standard_error"].values.reshape(-1).tolist())
    columns = [
        Column("Label", [visible(label) for label in found["label"].values.tolist()], "name"),
        Column("Given", [_share(float(share)) for share in found["prevalence"].values]),
    ]
    for place, name in enumerate(str(name) for name in found["coefficient"].values):
        one = found.isel(coefficient=place)
        cells = [number(float(estimate), decimals) for estimate in one["estimate"].values]
        # the first coefficient stays, and its interval is the last of the others to go
        columns.append(Column(_short(report.titles.get(name, name)), cells, spare=2 * place))
        if found.attrs.get("interval") and place < WITH_INTERVAL:
            ends = zip(one["ci_low"].values, one["ci_high"].values, strict=True)
            cells = [interval(float(low), float(high), decimals) for low, high in ends]
            heading = f"{100 * confidence:g} % interval"
            columns.append(Column(heading, cells, spare=2 * place + 1))
    console.print()
    left_out = print_columns(console, columns)
    if len(order) < every.sizes["label"]:
        yield (
            f"Shown: the {count(len(order))} most frequent of "
            f"{counted(every.sizes['label'], 'label')}; --top N shows more, --json has all."
        )
    yield from not_shown(left_out, "--json has them")


def _print_coefficients(
    console: Console, report: BinaryReport, sets: xr.Dataset, confidence: float
) -> None:
    if not sets.sizes.get("coefficient"):
        return
    decimals = decimals_for(sets["standard_error"].values.tolist())
    table = _table("Whole sets", "Estimate", f"{100 * confidence:g} % interval")
    for wide in ("Observed", "Expected"):
        if console.width >= NARROW:
            table.add_column(wide, justify="right", no_wrap=True)
    for row in rows_of(sets, "coefficient"):
        title = report.set_titles.get(row["coefficient"], row["coefficient"])
        cells = [
            title,
            number(_real(row["estimate"]), decimals),
            interval(_real(row["ci_low"]), _real(row["ci_high"]), decimals),
        ]
        if console.width >= NARROW:
            cells += [number(_real(row[name]), decimals) for name in ("observed", "expected")]
        table.add_row(*cells)
    console.print()
    put(console, table)


def _print_bands(console: Console, sets: xr.Dataset, confidence: float) -> None:
    table = _table(
        "Items with agreement", "Share", f"{100 * confidence:g} % interval", "One label each"
    )
    for row in rows_of(sets, "band"):
        single = row["band_single_label"]
        table.add_row(
            f"{row['band_low']:g} to {row['band_high']:g}",
            _share(row["band_share"]),
            interval(_real(row["band_ci_low"]), _real(row["band_ci_high"])),
            _share(single),
        )
    console.print()
    put(console, table)


def _print_annotators(console: Console, sets: xr.Dataset) -> None:
    if "annotator" not in sets.dims:
        return
    index = sets["expert_coder_index"].values
    order = np.argsort(-np.nan_to_num(index, nan=-np.inf), kind="stable")[:ANNOTATORS_SHOWN]
    table = _table("Annotator", "Expert Coder Index", "Compared with")
    names = sets["annotator"].values
    for place in order:
        others = int(sets["compared_annotators"][place])
        table.add_row(visible(names[place]), number(float(index[place])), count(others))
    console.print()
    put(console, table)


def _print_pairs(console: Console, sets: xr.Dataset, top: int) -> None:
    if "label_pair" not in sets.dims:
        return
    table = _table("Labels", "Disagreement", "Items swapped", "Share swapped")
    for row in rows_of(sets.isel(label_pair=slice(top)), "label_pair"):
        table.add_row(
            f"{visible(row['first_label'])} | {visible(row['second_label'])}",
            number(_real(row["pair_disagreement"])),
            count(_whole(row["swapped_items"])),
            _share(row["swapped_share"]),
        )
    console.print()
    put(console, table)


def _of_labels(found: xr.Dataset) -> Iterator[str]:
    for column, name in enumerate(found["coefficient"].values.tolist()):
        one = found.isel(coefficient=column)
        reasons: dict[str, list[str]] = {}
        for label, reason in zip(one["label"].values, one["reason"].values, strict=True):
            if reason:
                reasons.setdefault(str(reason), []).append(visible(label))
        for reason, labels in reasons.items():
            yield f"Undefined: {name} of {listed(labels, len(labels))} ({reason})."
    yield (
        "Given: prevalence, the share of an item's ratings with the label, the mean over items. "
        "Presence: agreement on it, how often another annotator gives a label that one gave."
    )


def _of_sets(sets: xr.Dataset, top: int) -> Iterator[str]:
    if sets.attrs.get("left_out"):
        yield f"Not measured: {visible(str(sets.attrs['left_out']))}."
    floor = float(sets["floor"])
    yield (
        "Agreement of an item: the share of label pairs on which two annotators match, absence of "
        f"both labels included. One different label each still scores {number(floor)}."
    )
    without = int(sets["no_majority"].sum())
    none = int((sets["no_majority"] & sets["majority_empty"]).sum())
    if without:
        said = f"{counted(without, 'item')} without a label that more than half of the ratings give"
        yield f"{said}; on {count(none)} of them more than half give no label at all."
    if "annotator" in sets.dims:
        what = "A_m" if sets.attrs.get("index") == "am_agreement" else "agreement"
        yield f"Expert Coder Index: the mean {what} with the other annotators."
    if "label_pair" in sets.dims:
        pairs = sets.sizes["label_pair"]
        if pairs > top:
            yield f"Shown: {count(top)} of {counted(pairs, 'pair')} of labels; --top N shows more."
        yield (
            "Disagreement: 1 less the agreement on the two labels together. Swapped: one annotator "
            "has only the first, the other only the second; as a share of the pairs of annotators "
            "of which one at least has exactly one of the two. Frequent labels disagree most; what "
            "is taken for what shows in the share swapped."
        )
        yield from _most_swapped(sets)


def _most_swapped(sets: xr.Dataset) -> Iterator[str]:
    rows = [row for row in rows_of(sets, "label_pair") if row["swapped_items"] >= FEW_SWAPPED]
    rows.sort(key=lambda row: -_real(row["swapped_share"]))
    if rows:
        named = (
            f"{visible(row['first_label'])} | {visible(row['second_label'])} "
            f"({_share(row['swapped_share'])}, {counted(_whole(row['swapped_items']), 'item')})"
            for row in rows[:3]
        )
        yield f"Most often swapped: {', '.join(named)}."


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", no_wrap=name not in _WRAPPED)
    return table


def _short(title: str) -> str:
    short = {
        "Krippendorff's alpha": "Alpha",
        "Specific agreement": "Presence",
        "Percent agreement": "Percent",
    }
    return short.get(title, title)


def _share(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else percent(value)


def _real(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value
