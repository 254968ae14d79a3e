"""The page on agreement as ratings come in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.analyses.watch.declared import DIFFERENCE, LOOKS
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Band, Block, Column, Curve, Mark, Page, Picture, Remarks, Table
from iaa_jax.pages.blocks import Text, spread
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import both_ends, confidence, ends_of, title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes

SHOWN = 12

_LEAST_TOLD, _MOST_TOLD = 0.1, 10_000
"""Smallest and largest evidence shown as a number; beyond them, only the limit is shown."""


def page(result: xr.Dataset) -> Page:
    """Return the page: the conclusion, the looks so far, and how much they widen the interval."""
    attrs = result.attrs
    code = "arrival" if attrs["order"] else ("run" if attrs["arrivals"] > 1 else "one")
    values = {name: attrs[name] for name in ("arrivals", "order")}
    looks = Note(f"looks_{code}", {**values, "items": int(result["items"][-1])})
    blocks: list[Block] = [
        measured_facts(result, UNSAID, ("Looks", looks)),
        _looks(result),
        Remarks([*_remarks(result)]),
    ]
    if result.sizes["look"] > 1:
        blocks.append(_picture(result))
    return Page("Agreement as it comes in", [*_answer(result)], blocks, results={"": result})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    attrs, last = result.attrs, result.isel(look=-1)
    code, wanted = str(attrs["conclusion"]), float(attrs["items_that_decide"])
    low, high = ends_of(last)
    held = result["arrival"].values.astype(str) == attrs["held_until"]
    before = ends_of(result.isel(look=int(np.flatnonzero(held)[-1]))) if held.any() else [low, high]
    decided = str(attrs["decided_at"])
    values: dict[str, object] = {
        "title": title(result),
        "bar": float(attrs["bar"]),
        "estimate": float(last["estimate"]),
        "ends": Note("ends", {**confidence(result), "low": low, "high": high}),
        "items": int(last["items"]),
        "low": before[0],
        "high": before[1],
        "held": str(attrs["held_until"]),
        "estimate_since": float(attrs["estimate_since"]),
        "since": str(attrs["fallen_since"]),
        "at": str(attrs["fall_shown_at"]),
        "more": Note("too_close" if np.isnan(wanted) else "more_items", {"wanted": wanted}),
        "decided": "",
        "or_rare": Note("or_rare") if attrs["method"] == "influence" else "",
    }
    if decided not in ("", str(last["arrival"].item())):
        values["decided"] = Note("decided_before", {"at": decided})
    yield Note(code, values)
    if values["since"] and code != "fallen":
        yield Note("fell_and_rose", values)
    if "differs" in attrs:
        figures = {"difference": float(last["difference"]), "ends": ends_of(last, "difference")}
        yield Note("differs" if attrs["differs"] else "not_differs", figures | confidence(result))


def _looks(result: xr.Dataset) -> Table:
    attrs = result.attrs
    column = FigureColumns((*LOOKS, *DIFFERENCE), result)
    ends, one = (both_ends(result, name) for name in ("ci", "one_look_ci"))
    estimate = result["estimate"].values
    beyond = (estimate < ends[:, 0]) | (estimate > ends[:, 1])
    ends = np.where(beyond[:, None], np.nan, ends)  # ends that leave out the estimate are invalid
    meaning = Note("all_looks_meaning", confidence(result))
    columns = [
        column.key("arrival", "Until"),
        column("items"),
        column("estimate"),
        Column("ci", Note("all_looks"), ends, "interval", 3, meaning=meaning),
        Column("one_look_ci", Note("one_look"), one, "interval", 3, spare=2),
    ]
    if "e_value" in result:
        roughly = Note("roughly") if attrs["method"] == "influence" else ""
        decides = round(2 / (1 - float(attrs["confidence"])))
        numbers = {"bar": float(attrs["bar"]), "decides": decides}
        evidence = Note("evidence_meaning", {**numbers, "roughly": roughly})
        for name, spare in (("e_value", 1), ("e_value_below", 3)):
            whole = column(name, in_files=True)
            brief = Column(
                f"{name}_shown",
                whole.heading,
                _brief(result[name].values),
                "text",
                spare=spare,
                meaning=evidence if name == "e_value" else None,
                in_words=True,
            )
            columns += [brief, whole]
    named_arrivals = [attrs[name] for name in ("decided_at", "fallen_since", "fall_shown_at")]
    named = np.flatnonzero(
        np.isin(result["arrival"].values.astype(str), [*filter(None, named_arrivals)])
    )
    rows = sorted({*spread(result.sizes["look"], SHOWN), *named.tolist()})
    return column.table("looks", columns, "look", noun="looks", shown=rows)


def _brief(evidence: Floats) -> list[str]:
    """Return evidence as texts of two digits, or as a limit if it is very small or very large.

    Examples
    --------
    >>> _brief(np.array([0.0123, 3.456, 43.21, 1e9, np.nan]))
    ['< 0.1', '3.5', '43', '> 10,000', '-']
    """
    texts = []
    for value in evidence.tolist():
        if np.isnan(value):
            texts.append("-")
        elif value < _LEAST_TOLD or value > _MOST_TOLD:
            texts.append("< 0.1" if value < 1 else "> 10,000")
        else:
            texts.append(f"{float(f'{value:.2g}'):,g}")
    return texts


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    attrs, last = result.attrs, result.isel(look=-1)
    population = float(attrs["population"])
    values: dict[str, object] = {"population": population, "least": int(attrs["begins_at"])}
    if attrs["method"] == "betting":
        yield Note("by_betting_in_all" if population else "by_betting", values)
    else:
        why = Note(f"why_{attrs['why_not_exact']}")
        point = Note("ends_in_a_point", values) if population else ""
        yield Note("by_influence", {**values, "why": why, "point": point})
    if (times := float(attrs["times_as_wide"])) > 1:
        yield Note("cost", {"one": ends_of(last, "one_look"), "times": float(f"{times:.2g}")})
    yield from load_notes(attrs["notes"])
    if attrs["conclusion"] in ("moved", "fallen") and attrs["order"]:
        yield Note("next_drift", {"order": str(attrs["order"])})
    elif attrs["conclusion"] == "open":
        yield Note("next_planned", {"bar": f"{attrs['bar']:g}"})


def _picture(result: xr.Dataset) -> Picture:
    items, bar = result["items"].values, float(result.attrs["bar"])
    heading: Text = Note("picture", {"title": title(result)})
    return Picture(
        "looks",
        "lines",
        heading,
        Note("picture_of", {**confidence(result), "items": int(items[-1])}),
        items.astype(np.float64),
        Note("picture_axis"),
        [Curve("estimate", result["estimate"].values)],
        [Band("interval", *np.sort(both_ends(result, "ci"), axis=1).T)],
        [] if np.isnan(bar) else [Mark(Note("bar_line", {"bar": bar}), y=bar)],
    )


PAGES = {("watch",): page}
