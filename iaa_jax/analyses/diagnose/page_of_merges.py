"""The page on merges of labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.diagnose.declared_merges import MERGES, STEPS
from iaa_jax.pages import Block, Column, Facts, Page, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import drawn, title
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for
from iaa_jax.wording.undecided import UNDECIDED

SHOWN, FEW_SHOWN = 10, 3
"""Usual numbers of rows of the table of merges: without suggestions, and below them."""


def merges_page(result: xr.Dataset, top: int | None = None) -> Page:
    """Return the page of a result of `iaa_jax.labels.merges`."""
    blocks: list[Block] = [Facts(list(short_facts(result.attrs).rows))]
    if result.sizes["step"]:
        blocks.append(_steps(result))
    if result.sizes["pair"]:
        undecided = result.attrs["conclusion"] == UNDECIDED
        usual = FEW_SHOWN if result.sizes["step"] else SHOWN
        blocks.append(replace(_pairs(result, top or usual), in_files=undecided))
    remarks = [*_remarks(result), *load_notes(result.attrs["notes"])]
    blocks.append(Remarks(remarks))
    return Page("Labels to merge", [*_answer(result)], blocks, results={"": result})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    code = str(result.attrs["conclusion"])
    than = Note("than_neighbours" if result.attrs["ordered"] else "than_at_random")
    values: dict[str, object] = {
        "title": title(result),
        "estimate": float(result["estimate"]),
        "than": than,
    }
    if code == "merge":
        last = result.isel(step=-1)
        values |= {
            "merged": [str(name) for name in result["merged"].values.tolist()],
            "then": float(last["agreement_then"]),
            "lost": float(last["share_lost_then"]),
            "recode": str(result.attrs["recode"]),
        }
    elif code in ("keep", "no_gain", "no_cost"):
        number = max(int(result.attrs["confused_place"]), 0)
        first = result.isel(pair=number)
        most = {name: result[name].values[0] for name in ("first", "second", "gain")}
        values |= {
            "more": Note("merges_other_gains", {**most, "than": than}) if number else "",
            "first": str(first["first"].item()),
            "second": str(first["second"].item()),
            "gain": float(first["gain"]),
            "lost": float(first["share_lost"]),
            "p": float(first["p_value"]),
            "elsewhere": float(result["elsewhere"]),
        }
    elif code == "one_annotator":
        number = int(np.argmax(result["confused_by"].values != ""))
        names = ("first", "second", "confused_by")
        values |= {name: str(result[name].values[number]) for name in names}
    on_a_scale = "_on_a_scale" if code == "keep" and result.attrs["ordered"] else ""
    yield Note(f"merges_{code}{on_a_scale}", values)
    if code == "merge":
        yield Note("merges_recode", values)
    if code == "one_annotator":
        yield from _confused_by_all(result, values)


def _confused_by_all(result: xr.Dataset, values: Mapping[str, object]) -> Iterator[Note]:
    """Yield a note on why the next pair that several annotators confuse is not merged."""
    surely = result["p_value"].values < 1 - result.attrs["confidence"]
    others = np.flatnonzero(surely & (result["confused_by"].values == ""))
    if others.size:
        pair = result.isel(pair=int(others[0]))
        names = {name: str(pair[name].item()) for name in ("first", "second")}
        figures = {"gain": float(pair["gain"]), "lost": float(pair["share_lost"])}
        yield Note("merges_also_confused", {**values, **names, **figures})


def _steps(result: xr.Dataset) -> Table:
    column = FigureColumns(STEPS, result, entropy=float(result["entropy"]))
    columns = [
        *map(column, ("merged", "labels_left", "agreement_then", "gain_then")),
        column("share_lost_then"),
        column("p_value_then"),
    ]
    return column.table("steps", columns, "step", Note("steps_caption"), "merges")


def _pairs(result: xr.Dataset, top: int) -> Table:
    column = FigureColumns(MERGES, result)
    ends = np.stack([result[f"gain_ci_{end}"].values for end in ("low", "high")], axis=1)
    decimals = decimals_for(ends[:, 1] - ends[:, 0])
    columns = [
        *map(column, ("first", "second")),
        column("agreement", spare=3),
        column("gain", decimals=decimals),
        Column("gain_ci", "Interval", ends, "interval", decimals, 2),
        column("share_lost"),
        column("confused", spare=1),
        column("by_chance", spare=1),
        column("p_value"),
        *([column("confused_by")] if (result["confused_by"].values != "").any() else []),
    ]
    shown = range(min(top, result.sizes["pair"]))
    return column.table("pairs", columns, "pair", Note("merges_caption"), "pairs of labels", shown)


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    if not result.sizes["pair"] or result.attrs["conclusion"] == UNDECIDED:
        return
    if result.attrs["ordered"]:
        yield Note("merges_of_a_scale")
    yield Note("merges_read_first")
    halves = {"picked": float(result["picked"]), "elsewhere": float(result["elsewhere"])}
    yield Note("merges_on_halves", {**halves, "splits": int(result.attrs["splits"])})
    yield from drawn("merges_drawn", result.attrs)
