"""A plan as advice: what to annotate, the tables behind it, and what it rests on."""

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

from iaa_jax.analyses.plan.advice import (
    Advice,
    annotators_said,
    items_said,
    short,
    size_said,
    span_said,
)
from iaa_jax.report.columns import Column, print_columns
from iaa_jax.report.facts import print_short_facts
from iaa_jax.report.records import DataFacts, plain
from iaa_jax.report.text import UNKNOWN, count, number, put


@dataclass(frozen=True)
class PlanReport:
    """All that one plan says."""

    title: str
    data: DataFacts
    found: xr.Dataset
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The plan for JSON: None for what cannot be reached or is not known."""
        found = self.found
        return {
            "data": {name: plain(value) for name, value in asdict(self.data).items()},
            "coefficient": str(found.attrs["coefficient"]),
            "plan": {
                str(name): plain(values.item())
                for name, values in found.data_vars.items()
                if not values.dims
            },
            "annotators": _rows(found, "annotators"),
            "designs": _designs(found),
            "looks": _rows(found, "look") if "look" in found.dims else [],
            "note": str(found.attrs.get("note", "")),
            "provenance": plain(dict(self.provenance)),
        }


def _rows(found: xr.Dataset, axis: str) -> list[dict[str, Any]]:
    names = [axis, *(str(name) for name, one in found.data_vars.items() if one.dims == (axis,))]
    columns = [found[name].values.tolist() for name in names]
    return [
        {name: plain(value) for name, value in zip(names, row, strict=True)}
        for row in zip(*columns, strict=True)
    ]


def _designs(found: xr.Dataset) -> list[dict[str, Any]]:
    dims = ("items", "annotators")
    names = [str(name) for name, one in found.data_vars.items() if one.dims == dims]
    return [
        {
            "items": int(items),
            "annotators": plain(annotators),
            **{name: plain(float(found[name].values[row, column])) for name in names},
        }
        for row, items in enumerate(found["items"].values.tolist())
        for column, annotators in enumerate(found["annotators"].values.tolist())
    ]


def print_plan(console: Console, report: PlanReport) -> None:
    """Print the advice, the tables, and what the plan rests on."""
    print_short_facts(console, report.data)
    plan = _Tables(report.title, report.found)
    put(console, Text(plan.headline()))
    console.print()
    _bullets(console, plan.advice())
    for end in plan.reached if plan.varied or plan.costs_apart else ():
        console.print(f"\nItems needed {plan.goal_said(end)}\n")
        print_columns(console, list(plan.needs(end)))
    for title, columns in plan.tables():
        console.print(f"\n{title}\n")
        print_columns(console, columns)
    checked = list(plan.checked())
    if checked:
        console.print("\nSimulated ratings beside the formula\n")
        print_columns(console, checked)
    if "look" in report.found.dims:
        console.print("\nLooks on the way\n")
        print_columns(console, list(plan.looks()))
    console.print()
    _bullets(console, plan.rests_on())


def _bullets(console: Console, sentences: Iterator[str]) -> None:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for sentence in sentences:
        grid.add_row("-", Text(sentence))
    put(console, grid)


class _Tables(Advice):
    """The tables behind the words."""

    def needs(self, end: str) -> Iterator[Column]:
        """The table of items by annotators an item, for a part of the goal."""
        found = self.found
        confidence = 100 * float(self.attrs["confidence"])
        shown = self._of_null(end)
        yield Column("Annotators", [size_said(column) for column in self.columns])
        items = [items_said(one) for one in found[f"items_needed{end}"].values]
        yield Column(f"If {number(self.value('estimate'))}" if shown else "Items", items)
        low, high = (found[f"items_needed{end}_{side}"].values for side in ("low", "high"))
        if not np.isnan(low).all():
            spans = [span_said(a, b) for a, b in zip(low, high, strict=True)]
            yield Column(f"{confidence:g} % interval", spans)
        if shown and self.cautious:
            planned = found[f"items_planned{end}"].values
            yield Column(
                f"If {number(self.value('cautious_estimate'))}",
                [items_said(one) for one in planned],
            )
        ratings = found[f"ratings_planned{end}"].values
        yield Column(
            "Ratings", [items_said(math.ceil(one)) if one == one else UNKNOWN for one in ratings]
        )
        if self.costs_apart:
            yield Column("Cost", [items_said(one) for one in found[f"cost_planned{end}"].values])

    def tables(self) -> Iterator[tuple[str, list[Column]]]:
        """Figures of each design."""
        across = "by items (down) and annotators an item"
        if len(self.columns) == 1:
            across = f"by items, with {annotators_said(self.columns[0])} an item"
        aim = "" if self.half_width is None else f"\n(* reaches {short(self.half_width)})"
        yield (f"Half-width of the interval {across}{aim}", self._grid("half_width", 3))
        if self.null is not None and self.reached[-1:] == self.ends[-1:]:
            power = short(self.attrs["target_power"])
            yield (
                f"Power to rule out {short(self.null)} {across}\nif the true value is "
                f"{number(self.value('planned_estimate'))} (* reaches {power})",
                self._grid(self._power, 2, "power"),
            )

    @property
    def _power(self) -> str:
        """The power at the true value that is planned for."""
        return "cautious_power" if self.cautious else "power"

    def _grid(self, name: str, decimals: int, aim: str = "half_width") -> list[Column]:
        values, found = self.found[name].values, self.found
        reached = np.zeros(values.shape, dtype=bool)
        if f"reaches_{aim}" in found:
            reached = found[f"reaches_{aim}"].values
        columns = [Column("Items", [count(one) for one in found["items"].values.tolist()])]
        for place, size in enumerate(self.columns):
            cells = [
                f"{number(value, decimals)}{'*' if mark else ' '}"
                for value, mark in zip(values[:, place], reached[:, place], strict=True)
            ]
            columns.append(Column(size_said(size), cells))
        return columns

    def checked(self) -> Iterator[Column]:
        """The designs that were simulated."""
        if not self.simulated:
            return
        found = self.found
        places = np.argwhere(~np.isnan(found["simulated_standard_error"].values)).tolist()

        def cells(name: str, decimals: int) -> list[str]:
            values = found[name].values
            return [number(float(values[row, column]), decimals) for row, column in places]

        items = found["items"].values
        yield Column("Items", [count(int(items[row])) for row, _ in places])
        yield Column("Annotators", [size_said(self.columns[column]) for _, column in places])
        shown = "_null" in self.reached or self._of_null(self.ends[0])
        yield Column("SE", cells("standard_error", 4))
        yield Column("simulated", cells("simulated_standard_error", 4))
        if self.half_width is not None:
            yield Column("+-", cells("half_width", 3))
            yield Column("simulated", cells("simulated_half_width", 3))
        if shown:
            yield Column("Power", cells(self._power, 2))
            yield Column("simulated", cells(f"simulated_{self._power}", 2))
        if self.attrs["model"]:
            model = found["simulated_on_model"].values
            sources = ["model" if model[row, column] else "pilot" for row, column in places]
            yield Column("from", sources, spare=1)

    def looks(self) -> Iterator[Column]:
        """When to look, and how far the interval reaches."""
        found = self.found
        yield Column("Look", [str(one) for one in found["look"].values.tolist()])
        yield Column("Items", [items_said(one) for one in found["look_items"].values])
        yield Column("Interval +-", _finite(found["look_half_width"].values, 3))
        yield Column("if looked at once", _finite(found["look_single_half_width"].values, 3))


def _finite(values: Sequence[float] | np.ndarray, decimals: int) -> list[str]:
    return [number(one, decimals) if math.isfinite(one) else UNKNOWN for one in values]
