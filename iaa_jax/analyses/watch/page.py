"""The page of agreement as it comes in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.analyses.watch.declared import DIFFERENCE, LOOKS
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Band, Block, Column, Curve, Mark, Page, Picture, Remarks, Table, Text
from iaa_jax.pages.blocks import spread
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import both_ends, confidence, ends_of, title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes

SHOWN = 12

_FAR_WIDER = 3.0
"""Times the interval of one look that are worth a word."""

_LEAST_TOLD, _MOST_TOLD = 0.1, 10_000
"""Evidence that is told in digits."""

_LEAST_ITEMS = 30
"""Items at which a sequence by influence begins."""


def page(result: xr.Dataset) -> Page:
    """Whether it is decided, the looks so far, and what looking costs."""
    attrs = result.attrs
    order = str(attrs["order"])
    arrivals = {"arrivals": int(result["look"][-1]), "order": order}
    looks = Note("looks_arrival" if order else "looks_one", arrivals)
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
    code = str(attrs["conclusion"])
    low, high = ends_of(last)
    values: dict[str, object] = {
        "title": title(result),
        "bar": float(attrs["bar"]),
        "estimate": float(last["estimate"]),
        "ends": Note("ends", {**confidence(result), "ends": [low, high]}),
        "items": int(last["items"]),
        "low": low,
        "high": high,
        "decided": "",
        "more": "",
    }
    if code == "open":
        wanted = float(attrs["items_that_decide"])
        known = {"wanted": wanted, "items": values["items"]}
        values["more"] = Note("no_more_items" if np.isnan(wanted) else "more_items", known)
    elif code in ("above", "below") and attrs["decided_at"] != str(last["arrival"].item()):
        values["decided"] = Note("decided_before", {"at": str(attrs["decided_at"])})
    yield Note(code, values)
    if attrs["fallen_since"]:
        yield Note("fallen", {"bar": values["bar"], "since": str(attrs["fallen_since"])})
    if "difference" in result:
        ends = ends_of(last, "difference")
        differs = ends[0] > 0 or ends[1] < 0
        figures = {"difference": float(last["difference"]), "ends": ends, **confidence(result)}
        yield Note("differs" if differs else "not_differs", figures)


def _looks(result: xr.Dataset) -> Table:
    column = FigureColumns((*LOOKS, *DIFFERENCE), result)
    shared = confidence(result)
    meaning = Note("all_looks_meaning", shared)
    ends, one = (both_ends(result, name) for name in ("ci", "one_look_ci"))
    columns = [
        column.key("arrival", "Until"),
        column("items"),
        column("estimate"),
        Column("ci", Note("all_looks"), ends, "interval", 3, meaning=meaning),
        Column("one_look_ci", Note("one_look"), one, "interval", 3, spare=2),
    ]
    if "e_value" in result:
        evidence = Note("evidence_meaning", {"bar": float(result.attrs["bar"])})
        for name, spare in (("e_value", 1), ("e_value_below", 3)):
            whole = column(name, in_files=True)
            first = evidence if name == "e_value" else None
            brief = Column(
                f"{name}_shown",
                whole.heading,
                _brief(result[name].values),
                "text",
                spare=spare,
                meaning=first,
                in_words=True,
            )
            columns += [brief, whole]
    rows = spread(result.sizes["look"], SHOWN)
    return column.table("looks", columns, "look", noun="looks", shown=rows)


def _brief(evidence: Floats) -> list[str]:
    """Evidence in two digits, as far as it is worth telling.

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
    (low, high), one = ends_of(last), ends_of(last, "one_look")
    width = one[1] - one[0]
    times = (high - low) / width if width > 0 else np.nan
    population = float(attrs["population"])
    known = not np.isnan(population)
    values: dict[str, object] = {"population": population, "least": _LEAST_ITEMS}
    if attrs["method"] == "betting":
        yield Note("by_betting_in_all" if known else "by_betting", values)
    else:
        why = Note(f"why_{attrs['why_not_exact']}")
        point = Note("ends_in_a_point", values) if known else ""
        yield Note("by_influence", {**values, "why": why, "point": point})
    if times > 1:
        yield Note("cost", {"one": one, "times": float(f"{times:.2g}")})
    if attrs["method"] == "betting" and times >= _FAR_WIDER:
        yield Note("far_wider")
    notes = load_notes(attrs["notes"])
    if not any(note.code in ("no_order", "as_they_stand") for note in notes):
        yield Note("random_order")
    yield from notes
    if attrs["conclusion"] in ("open", "followed"):
        yield Note("next_planned")


def _picture(result: xr.Dataset) -> Picture:
    shared = confidence(result)
    items = result["items"].values
    values = {**shared, "items": int(items[-1])}
    bar = float(result.attrs["bar"])
    heading: Text = Note("picture", {"title": title(result)})
    return Picture(
        "looks",
        "lines",
        heading,
        Note("picture_of", values),
        items.astype(np.float64),
        Note("picture_axis"),
        [Curve("estimate", result["estimate"].values)],
        [Band("interval", result["ci_low"].values, result["ci_high"].values)],
        [] if np.isnan(bar) else [Mark(Note("bar_line", {"bar": bar}), y=bar)],
    )


PAGES = {("watch",): page}
"""Results that have a page of their own."""
