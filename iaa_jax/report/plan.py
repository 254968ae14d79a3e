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

from iaa_jax.report.columns import Column, print_columns
from iaa_jax.report.facts import print_short_facts
from iaa_jax.report.plan_advice import (
    Advice,
    annotators_said,
    items_said,
    short,
    size_said,
    span_said,
)
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
    if plan.reached and (plan.varied or plan.costs_apart):
        console.print(f"\nItems needed {plan.goal_said()}\n")
        print_columns(console, list(plan.needs()))
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

    def needs(self) -> Iterator[Column]:
        """The table of items by annotators an item."""
        found = self.found
        confidence = 100 * float(self.attrs["confidence"])
        yield Column("Annotators", [size_said(one) for one in self.columns])
        yield Column("Items", [items_said(one) for one in found["items_needed"].values])
        low, high = found["items_needed_low"].values, found["items_needed_high"].values
        if not np.isnan(low).all():
            cells = [
                UNKNOWN if math.isnan(a) else span_said(a, b)
                for a, b in zip(low, high, strict=True)
            ]
            yield Column(f"{confidence:g} % interval", cells)
        ratings = found["ratings_needed"].values
        yield Column(
            "Ratings", [items_said(math.ceil(one)) if one == one else UNKNOWN for one in ratings]
        )
        if self.costs_apart:
            yield Column("Cost", [items_said(one) for one in found["cost_needed"].values])

    def tables(self) -> Iterator[tuple[str, list[Column]]]:
        """Figures of each design."""
        across = "annotators an item across"
        if len(self.columns) == 1:
            across = f"with {annotators_said(self.columns[0])} an item"
        aim = "" if self.half_width is None else f" (* reaches {short(self.half_width)})"
        yield (
            f"Half-width of the interval by items, {across}{aim}",
            self._grid("half_width", 3, self.half_width, below=True),
        )
        if self.null is not None and self.reached:
            wanted = float(self.attrs["target_power"])
            yield (
                f"Power to rule out {short(self.null)} by items, {across} (* reaches "
                f"{short(wanted)})",
                self._grid("power", 2, wanted, below=False),
            )

    def _grid(self, name: str, decimals: int, wanted: float | None, *, below: bool) -> list[Column]:
        values = self.found[name].values
        columns = [Column("Items", [count(one) for one in self.found["items"].values.tolist()])]
        for place, size in enumerate(self.columns):
            cells = []
            for value in values[:, place]:
                reached = wanted is not None and (value <= wanted if below else value >= wanted)
                cells.append(f"{number(value, decimals)}{'*' if reached else ' '}")
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
        yield Column("SE", cells("standard_error", 4))
        yield Column("simulated", cells("simulated_standard_error", 4))
        if self.null is None:
            yield Column("Half-width", cells("half_width", 3))
            yield Column("simulated", cells("simulated_half_width", 3))
        else:
            yield Column("Power", cells("power", 2))
            yield Column("simulated", cells("simulated_power", 2))

    def looks(self) -> Iterator[Column]:
        """When to look, and how far the interval reaches."""
        found = self.found
        yield Column("Look", [str(one) for one in found["look"].values.tolist()])
        yield Column("Items", [items_said(one) for one in found["look_items"].values])
        z = found["look_z"].values
        yield Column("z", [number(one, 3) if math.isfinite(one) else "none" for one in z])
        yield Column("Interval +-", _finite(found["look_half_width"].values, 3))
        yield Column("p below", [_p_value(one) for one in found["look_p_value"].values])


def _finite(values: Sequence[float] | np.ndarray, decimals: int) -> list[str]:
    return [number(one, decimals) if math.isfinite(one) else UNKNOWN for one in values]


def _p_value(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"
