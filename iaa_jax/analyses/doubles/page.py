"""A sweep over p, and what items and pairs of ratings look like: for the terminal, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import xarray as xr
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.analyses.diagnose.records import rows_of
from iaa_jax.report.columns import not_shown
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
    percent,
    put,
    visible,
)

POINTS_SHOWN = 11
NAMES_SHOWN = 10
NARROW = 66
"""Width below which the less needed columns are left out."""

_MEANINGS = {
    1: "one label, and agreed on",
    2: "no agreement, however labels count",
    3: "agreed on the primary label alone",
    4: "primary and secondary exchanged",
}
_ONCE = ("maximum", "p_at_maximum", "at_one", "at_half", "doubles", "double_share", "band_factor")
_CHANGE = ("change", "change_standard_error", "change_ci_low", "change_ci_high")


@dataclass(frozen=True)
class SweepReport:
    """All that one sweep says."""

    title: str
    data: DataFacts
    curve: xr.Dataset
    classes: xr.Dataset
    items: xr.Dataset  # figures of items at both ends and at the maximum
    patterns: xr.Dataset
    pairs: xr.Dataset
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The report for JSON."""
        curve, classes = self.curve, self.classes
        return {
            "data": {name: plain(value) for name, value in asdict(self.data).items()},
            "coefficient": str(curve.attrs["coefficient"]),
            "curve": rows_of(curve, "p"),
            **{name: plain(curve[name].values.tolist()) for name in (*_ONCE, *_CHANGE)},
            "classes": {
                str(reading): {
                    str(name): {
                        "class": int(place),
                        "items": float(classes["count"].sel(reading=reading)[place - 1]),
                        "share": plain(float(classes["share"].sel(reading=reading)[place - 1])),
                        "item_names": _named(classes, reading, place),
                    }
                    for place, name in enumerate(classes["class_name"].values.tolist(), 1)
                }
                for reading in classes["reading"].values.tolist()
            },
            "moved_items": plain(classes["item"].values[classes["moved"].values].tolist()),
            "items_above": [
                {
                    "cut": float(cut),
                    "p": float(p),
                    "items": float(self.items["items_above"].sel(cut=cut, p=p)),
                    "share": plain(float(self.items["share_above"].sel(cut=cut, p=p))),
                    "item_names": _above(self.items, float(cut), float(p)),
                }
                for cut in self.items["cut"].values
                for p in self.items["p"].values
            ],
            "patterns": [
                {**row, "credit": dict(zip(_texts(self.patterns["p"]), credit, strict=True))}
                for row, credit in zip(
                    rows_of(self.patterns, "pattern"),
                    self.patterns["credit"].values.tolist(),
                    strict=True,
                )
            ],
            "label_pairs": [
                {**row, "gain": dict(zip(_texts(self.pairs["p"]), plain(gain), strict=True))}
                for row, gain in zip(
                    rows_of(self.pairs, "pair"), self.pairs["gain"].values.tolist(), strict=True
                )
            ],
            "note": str(curve.attrs.get("note", "")),
            "provenance": plain(dict(self.provenance)),
        }


def _named(classes: xr.Dataset, reading: str, place: int) -> list[Any]:
    held = classes["item_class"].sel(reading=reading).values == place
    return list(plain(classes["item"].values[held].tolist()))


def _above(items: xr.Dataset, cut: float, p: float) -> list[Any]:
    held = np.nan_to_num(items["estimate"].sel(p=p).values, nan=-np.inf) > cut
    return list(plain(items["item"].values[held].tolist()))


def _texts(p: xr.DataArray) -> list[str]:
    return [f"{value:.6g}" for value in p.values.tolist()]


def print_sweep(console: Console, report: SweepReport) -> None:
    """Print the tables, and what to know beside them.

    Parameters
    ----------
    console
        Where to print.
    report
        What to say.
    """
    curve = report.curve
    doubles, share = float(curve["doubles"]), float(curve["double_share"])
    ratings = report.data.ratings
    put(console, Text(f"{report.title} over p, the share of the primary label"))
    named = f"{_count(doubles)} of {count(ratings)} ratings ({percent(share)}) name two labels"
    put(console, Text(named))
    console.print()
    print_short_facts(console, report.data)
    _print_curve(console, curve)
    console.print()
    _print_classes(console, report.classes)
    console.print()
    _print_patterns(console, report.patterns)
    if report.pairs.sizes["pair"]:
        console.print()
        _print_pairs(console, report.pairs)
    console.print()
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    narrow = console.width < NARROW
    for sentence in _sentences(report, narrow=narrow):
        grid.add_row("-", Text(sentence))
    put(console, grid)


def _print_curve(console: Console, curve: xr.Dataset) -> None:
    points = curve.sizes["p"]
    shown = np.unique(np.linspace(0, points - 1, min(points, POINTS_SHOWN)).round().astype(int))
    errors = curve["standard_error"].values
    decimals = decimals_for(errors[~np.isnan(errors)].tolist())
    with_interval = bool(np.isfinite(curve["ci_low"].values).any())
    ceiling = bool(np.isfinite(curve["estimate_at_ceiling"].values).any())
    confidence = 100 * float(curve.attrs["confidence"])
    table = _table()
    table.add_column("p", justify="right", no_wrap=True)
    table.add_column("Estimate", justify="right", no_wrap=True)
    if with_interval:
        table.add_column(f"{confidence:g} % at this p", justify="right", no_wrap=True)
        if console.width >= NARROW:
            table.add_column(f"{confidence:g} % at every p", justify="right", no_wrap=True)
    if ceiling:
        table.add_column("Ceiling", justify="right", no_wrap=True)
    for place in shown:
        at = curve.isel(p=int(place))
        cells = [f"{float(at['p']):.3g}", number(float(at["estimate"]), decimals)]
        for name in ("ci", "band") if with_interval else ():
            if name == "ci" or console.width >= NARROW:
                ends = float(at[f"{name}_low"]), float(at[f"{name}_high"])
                cells.append(interval(*ends, decimals))
        if ceiling:
            cells.append(number(float(at["estimate_at_ceiling"]), decimals))
        table.add_row(*cells)
    put(console, table)


def _print_classes(console: Console, classes: xr.Dataset) -> None:
    table = _table()
    table.add_column("Class of items", overflow="fold")
    table.add_column("As published", justify="right", no_wrap=True)
    table.add_column("Normalised", justify="right", no_wrap=True)
    if console.width >= NARROW:
        table.add_column("", overflow="fold")
    names = classes["class_name"].values.tolist()
    for place, name in enumerate(names):
        cells = [f"{place + 1} {name}"]
        for reading in ("literal", "normalised"):
            held = classes.sel(reading=reading)
            items, share = float(held["count"][place]), float(held["share"][place])
            cells.append(f"{_count(items)} ({_percent(share)})")
        if console.width >= NARROW:
            cells.append(_MEANINGS[place + 1])
        table.add_row(*cells)
    put(console, table)


def _print_patterns(console: Console, patterns: xr.Dataset) -> None:
    table = _table()
    table.add_column("Two ratings", no_wrap=True)
    table.add_column("Pairs", justify="right", no_wrap=True)
    table.add_column("Share", justify="right", no_wrap=True)
    wide = console.width >= NARROW
    if wide:
        table.add_column("Credit", overflow="fold")
    for p in patterns["p"].values.tolist():
        table.add_column(f"p = {p:g}", justify="right", no_wrap=True)
    for place, name in enumerate(patterns["pattern"].values.tolist()):
        row = patterns.isel(pattern=place)
        table.add_row(
            Text(str(name)),
            _count(float(row["pairs"])),
            _percent(float(row["share"])),
            *([str(row["polynomial"].values)] if wide else []),
            *(number(credit, 2) for credit in row["credit"].values.tolist()),
        )
    put(console, table)


def _print_pairs(console: Console, pairs: xr.Dataset) -> None:
    table = _table()
    table.add_column("Labels named together", overflow="fold", max_width=40)
    table.add_column("Ratings", justify="right", no_wrap=True)
    table.add_column("Items", justify="right", no_wrap=True)
    table.add_column("Class 4", justify="right", no_wrap=True)
    for p in pairs["p"].values.tolist():
        table.add_column(f"Gain, p = {p:g}", justify="right")
    for place, name in enumerate(pairs["pair"].values.tolist()):
        row = pairs.isel(pair=place)
        table.add_row(
            visible(name),
            _count(float(row["ratings"])),
            _count(float(row["items"])),
            _percent(float(row["class_4_share"])),
            *(_signed(gain) for gain in row["gain"].values.tolist()),
        )
    put(console, table)


def _sentences(report: SweepReport, *, narrow: bool) -> Iterator[str]:
    curve, classes, items = report.curve, report.classes, report.items
    ends = float(curve["at_half"]), float(curve["at_one"])
    yield (
        f"Largest at p = {float(curve['p_at_maximum']):.3g}: {number(float(curve['maximum']))}; "
        f"at p = 1 (secondary labels ignored) {number(ends[1])}, at p = 0.5 (both labels count "
        f"the same) {number(ends[0])}."
    )
    yield from _of_curve(report)
    if narrow:
        bands = bool(np.isfinite(curve["band_low"].values).any())
        left_out = [*(["interval at every p"] if bands else []), "what the classes are", "Credit"]
        yield from not_shown(left_out, "--json has the figures")
    yield from _change(curve)
    for cut in items["cut"].values.tolist():
        parts = [
            f"{_count(float(items['items_above'].sel(cut=cut, p=p)))} "
            f"({_percent(float(items['share_above'].sel(cut=cut, p=p)))}) at p = {p:.3g}"
            for p in items["p"].values.tolist()
        ]
        yield f"Items with a figure above {cut:g}: {'; '.join(parts)}."
    yield (
        "Classes as published: by the formulas of Rosenberg and Binkowski (2004), who give no "
        "thresholds (--tau and --high are ours). Normalised: identical ratings score 1 whatever p "
        "is, and chance agreement is that at p = 1."
    )
    moved = classes["item"].values[classes["moved"].values].tolist()
    if moved:
        yield (
            "As published, identical ratings with two labels disagree in part at p = 0.5 (class "
            f"3); normalised they agree. {counted(len(moved), 'item')} in another class then: "
            f"{listed(moved, len(moved), NAMES_SHOWN)}."
        )
    if classes.attrs["without_pair"]:
        yield f"{counted(_whole(classes.attrs['without_pair']), 'item')} with one rating: no class."
    if classes.attrs["chance"] != curve.attrs["coefficient"]:
        yield (f"Chance agreement of the items, and gains, are those of {classes.attrs['chance']}.")
    used, shown = int(report.pairs.attrs["pairs_used"]), report.pairs.sizes["pair"]
    if shown:
        more = f" {count(used)} pairs of labels are used, the {shown} most frequent are shown." * (
            used > shown
        )
        yield (
            "Gain: what the coefficient gains if the two labels together become a label of their "
            f"own.{more}"
        )
    for part in str(curve.attrs.get("note", "")).split("; "):
        if part:
            yield f"{part[:1].upper()}{part[1:]}."


def _of_curve(report: SweepReport) -> Iterator[str]:
    """How many points the table leaves out, how intervals were made, and how far to trust them."""
    curve = report.curve
    if (points := curve.sizes["p"]) > POINTS_SHOWN:
        yield f"Shown: {POINTS_SHOWN} of {counted(points, 'point')} of the curve; --json has all."
    if np.isfinite(curve["ci_low"].values).any():
        yield f"{method_said(str(curve.attrs['interval']), curve.attrs)}."
        yield from few_items(report.data.pairable_items)


def _change(curve: xr.Dataset) -> Iterator[str]:
    change, low, high = (
        float(curve[name]) for name in ("change", "change_ci_low", "change_ci_high")
    )
    if math.isnan(change):
        return
    said = f"From p = 1 to p = 0.5 the figure changes by {_signed(change)}"
    if not math.isnan(low):
        said += f" ({interval(low, high)})"
    yield f"{said}."
    at_half, at_one = (curve.isel(p=place) for place in (0, -1))
    reach = float(at_half["estimate_at_ceiling"])
    if math.isnan(reach) or float(at_half["p"]) != 0.5 or float(at_one["p"]) != 1.0:
        return
    yield (
        "Ratings with two labels cannot agree fully unless p = 1: at p = 0.5 these reach "
        f"{number(reach)} at most. Of what is within reach the figure is "
        f"{number(float(at_half['share_of_ceiling']))} at p = 0.5 and "
        f"{number(float(at_one['share_of_ceiling']))} at p = 1."
    )


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _count(value: float) -> str:
    return count(_whole(value))


def _percent(share: float) -> str:
    return "-" if math.isnan(share) else percent(share)


def _signed(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+z.3f}"


__all__: Sequence[str] = ("SweepReport", "print_sweep")
