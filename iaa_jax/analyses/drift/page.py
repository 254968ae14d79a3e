"""Agreement over time: for the terminal, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import xarray as xr
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.analyses.diagnose.records import rows_of
from iaa_jax.analyses.drift.advice import NAMES_SHOWN, advice, short, texts_of
from iaa_jax.report.columns import Column, not_shown, print_columns
from iaa_jax.report.facts import print_short_facts
from iaa_jax.report.notes import few_items, method_said
from iaa_jax.report.records import DataFacts, plain
from iaa_jax.report.text import (
    count,
    counted,
    decimals_for,
    interval,
    listed,
    number,
    put,
    visible,
)

POINTS_SHOWN = 12
BATCHES_SHOWN = 40
PICTURE = 25
"""Characters of the picture of a row."""


@dataclass(frozen=True)
class DriftReport:
    """All that one study of drift says."""

    title: str
    data: DataFacts
    found: xr.Dataset
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The report for JSON; dates are text."""
        found = _with_texts(self.found)
        axes = {"points": "point", "cuts": "cut", "annotators": "annotator", "labels": "label"}
        return {
            "data": {name: plain(value) for name, value in asdict(self.data).items()},
            "coefficient": str(found.attrs["coefficient"]),
            **{
                str(name): plain(variable.values.item())
                for name, variable in found.data_vars.items()
                if not variable.dims
            },
            **{name: rows_of(found, axis) for name, axis in axes.items() if axis in found.dims},
            "unit": str(found.attrs["unit"]),
            "bandwidth": plain(float(found.attrs["bandwidth"])),
            "kind": str(found.attrs["kind"]),
            "note": str(found.attrs.get("note", "")),
            "provenance": plain(dict(self.provenance)),
        }


def print_drift(console: Console, report: DriftReport) -> None:
    """Print the table, what it comes to, and what to know beside it."""
    found = report.found
    by = visible(found.attrs["by"])
    weights = str(found.attrs.get("weights", ""))
    said = f", {weights}" if weights.startswith("level ") and weights != "level nominal" else ""
    put(console, Text(f"{report.title}{said} by {by} ({found.attrs['read_as']})"))
    overall = float(found["overall"])
    ends = float(found["overall_ci_low"]), float(found["overall_ci_high"])
    all_items = f"All together: {number(overall)}"
    if not math.isnan(ends[0]):
        all_items += f" ({interval(*ends)})"
    put(console, Text(all_items))
    console.print()
    print_short_facts(console, report.data)
    left_out = _print_points(console, found)
    console.print()
    _print_list(console, advice(found, report.title))
    console.print()
    _print_list(console, _beside(report, left_out))


def _print_list(console: Console, sentences: Iterator[str]) -> None:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for sentence in sentences:
        grid.add_row("-", Text(sentence))
    put(console, grid)


def _print_points(console: Console, found: xr.Dataset) -> list[str]:
    places = _shown_places(found)
    confidence = 100 * float(found.attrs["confidence"])
    errors = found["standard_error"].values
    decimals = decimals_for(errors[~np.isnan(errors)].tolist())
    rows = found.isel(point=places)
    batches = found.attrs["kind"] == "batches"
    names = [visible(name) for name in texts_of(found, "point")[places]]
    worth = rows["effective_items"].values.tolist()
    estimates = rows["estimate"].values.tolist()
    columns = [
        Column("Batch" if batches else "Around", names, "name"),
        Column("Items", [f"{items:,.0f}" for items in worth], spare=2),
        Column("Estimate", [number(one, decimals) for one in estimates]),
    ]
    for name, heading, spare in (
        ("ci", f"{confidence:g} % here", 1),
        ("band", f"{confidence:g} % everywhere", 4),
    ):
        lows, highs = rows[f"{name}_low"].values, rows[f"{name}_high"].values
        if np.isfinite(lows).any():
            cells = [
                interval(float(a), float(b), decimals) for a, b in zip(lows, highs, strict=True)
            ]
            columns.append(Column(heading, cells, spare=spare))
    heading, cells = _picture(rows, float(found["overall"]))
    if cells:
        columns.append(Column(heading, cells, "label", 3))
    return print_columns(console, columns)


def _shown_places(found: xr.Dataset) -> Any:
    """All batches, or some windows: of those that have a figure, where any has."""
    batches = found.attrs["kind"] == "batches"
    known = np.flatnonzero(np.isfinite(found["estimate"].values))
    places = np.arange(found.sizes["point"]) if batches or not len(known) else known
    most = BATCHES_SHOWN if batches else POINTS_SHOWN
    shown = np.linspace(0, len(places) - 1, min(len(places), most)).round().astype(int)
    return places[np.unique(shown)]


def _picture(rows: xr.Dataset, overall: float) -> tuple[str, list[str]]:
    """Estimates and their intervals on one scale, with a mark at the figure of all items."""
    estimate, low, high = (rows[name].values for name in ("estimate", "ci_low", "ci_high"))
    drawn = np.concatenate([estimate, low, high, [overall]])
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2 or drawn.max() - drawn.min() < 1e-9:
        return "", []
    least = math.floor(20 * drawn.min() + 1e-9) / 20
    most = math.ceil(20 * drawn.max() - 1e-9) / 20

    def place(value: float) -> int:
        return round((value - least) / (most - least) * (PICTURE - 1))

    cells = []
    for at, ends in zip(estimate, zip(low, high, strict=True), strict=True):
        row = [" "] * PICTURE
        if math.isfinite(overall):
            row[place(overall)] = ":"
        if all(map(math.isfinite, ends)):
            for column in range(place(ends[0]), place(ends[1]) + 1):
                row[column] = "-"
        if math.isfinite(at):
            row[place(at)] = "o"
        cells.append("".join(row).rstrip())
    ends_said = f"{least:.2f}", f"{most:.2f}"
    return ends_said[0] + ends_said[1].rjust(PICTURE - len(ends_said[0])), cells


def _beside(report: DriftReport, left_out: Sequence[str]) -> Iterator[str]:
    found, attrs = report.found, report.found.attrs
    points, shown = found.sizes["point"], len(_shown_places(found))
    if shown < points:
        kind = "batch" if attrs["kind"] == "batches" else "window"
        yield f"Shown: {shown} of {count(points)} {kind}{'e' * (kind == 'batch')}s; --json has all."
    yield from not_shown(left_out, "--json has the figures")
    if attrs["kind"] != "batches":
        reach, unit = float(attrs["bandwidth"]), visible(attrs["unit"])
        within = (
            f"items within {short(reach)} {unit}s"
            if unit in ("day", "item")
            else f"items whose {visible(attrs['by'])} lies within {short(reach)}"
        )
        yield (
            f"Around: {within} to each side, the nearer the more "
            f"(--bandwidth {reach:.4g}); at both ends of the time they lie on one side alone. "
            "Items: how many the window is worth."
        )
    yield from _without_figure(found)
    if attrs["interval"]:
        band = (
            f" Everywhere: the interval widened to hold at all {count(points)} points together."
            if np.isfinite(found["band_low"].values).any()
            and not any("everywhere" in heading for heading in left_out)
            else ""
        )
        yield f"{method_said(str(attrs['interval']), attrs)}.{band}"
    permutations = int(attrs["permutations"])
    if permutations:
        yield from _of_tests(found)
    yield from few_items(report.data.pairable_items)
    for part in str(attrs.get("note", "")).split("; "):
        if part:
            yield f"{visible(part[:1].upper() + part[1:])}."


def _of_tests(found: xr.Dataset) -> Iterator[str]:
    attrs = found.attrs
    if math.isnan(float(found["p_value"])):
        return
    kind = "batches" if attrs["kind"] == "batches" else f"{attrs['stretches']} stretches of items"
    tried = (
        f" The step is the largest of {counted(found.sizes['cut'], 'cut')}, and tested as that."
        if found.sizes["cut"] > 1 and not math.isnan(float(found["change_p_value"]))
        else ""
    )
    yield (
        f"Tests: p is the larger of two. One compares the own figures of {kind} by their errors "
        "(labels may occur differently). The other shuffles times among items, "
        f"{counted(int(attrs['permutations']), 'time')}, seed {attrs['seed']} "
        f"({attrs['permuted']}): exact if nothing at all changes, label "
        f"frequencies included.{tried}"
    )
    if (
        float(found["p_value"])
        > 1 - float(attrs["confidence"])
        >= float(found["any_change_p_value"])
    ):
        yield (
            f"By shuffles alone p = {float(found['any_change_p_value']):.3f}: something changes, "
            "which may be how often labels occur."
        )


def _without_figure(found: xr.Dataset) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    names = texts_of(found, "point")
    for name, reason in zip(names, found["reason"].values.tolist(), strict=True):
        if reason:
            reasons.setdefault(reason, []).append(name)
    for reason, where in reasons.items():
        kind = "batch" if found.attrs["kind"] == "batches" else "window"
        plural = f"{kind}{'e' * (kind == 'batch')}s"
        many = f"1 {kind}" if len(where) == 1 else f"{count(len(where))} {plural}"
        yield f"No figure in {many} ({listed(where, len(where), NAMES_SHOWN)}): {reason}."
    lost = int(found["undefined_replicates"].values.sum())
    if lost:
        yield f"Undefined replicates, left out of the intervals: {count(lost)} in all."


def _with_texts(found: xr.Dataset) -> xr.Dataset:
    """Dates as text, and what is no date as nothing."""
    changed = {}
    for name, variable in found.variables.items():
        if variable.dtype.kind == "M":
            texts = np.array(np.datetime_as_string(variable.values, unit="s"), dtype=object)
            texts[np.isnat(variable.values)] = None
            changed[name] = (variable.dims, texts)
    data = {name: one for name, one in changed.items() if name in found.data_vars}
    coords = {name: one for name, one in changed.items() if name in found.coords}
    return found.assign(data).assign_coords(coords)
