"""The page of gold labels by several methods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.analyses.gold.declared import COMPARED, OF_METHODS
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.pages import Block, Column, Page, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.generic import SHOWN
from iaa_jax.pages.item_sheet import own_columns
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, Words, load_notes

WORDS: Words = {
    "methods_agree": "The {methods:count} methods give every item the same gold label.",
    "methods_differ": (
        "The {methods:count} methods give the same gold label on {same:count} of {items:count} "
        "items and differ on {differing:count}."
    ),
    "changes_most": (
        "Compared with {first}, {method} changes most ({changed:count item}) and {least} least "
        "({least_changed:count})."
    ),
    "right_most": (
        "Of {items:count item} with a known label, {method} gets most right ({right:share})"
        "{beside_first}."
    ),
    "first_right": "; {first} gets {right:share}",
    "methods_left_out": "Not available for these ratings: {names:join , }.",
    "same_labels": "Share of items with the same gold label, by number of the method",
}


def methods_page(result: xr.Dataset, top: int = SHOWN) -> Page:
    """Return the page that compares methods, with the items on which they differ."""
    differ = _differing(result, top)
    blocks: list[Block] = [short_facts(result.attrs), _methods(result)]
    blocks += [] if differ is None else [_pairs(result), differ]
    blocks.append(Remarks(load_notes(result.attrs["notes"])))
    return Page("Gold labels by method", [*_answer(result)], blocks, results={"": result})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    attrs = result.attrs
    names = result["method"].values.tolist()
    items = float(result["gold_items"].values.max())
    values = {
        "methods": len(names),
        "items": items,
        "differing": attrs["differing_items"],
        "same": items - attrs["differing_items"],
    }
    yield Note(str(attrs["conclusion"]), values)
    changed = result["changed_items"].values[1:]
    if len(changed) > 1 and changed.max() > changed.min():
        most, least = int(changed.argmax()), int(changed.argmin())
        values = {"method": METHODS[names[1 + most]].title, "changed": changed[most]}
        values |= {"least": METHODS[names[1 + least]].title, "least_changed": changed[least]}
        yield Note("changes_most", values | {"first": METHODS[names[0]].in_words})
    right = result["right"].values
    if not np.isnan(right).any():
        best = int(right.argmax())
        values = {"items": attrs["truth_items"], "method": METHODS[names[best]].title}
        of_first = {"first": METHODS[names[0]].in_words, "right": right[0]}
        values |= {
            "right": right[best],
            "beside_first": Note("first_right", of_first) if best else "",
        }
        yield Note("right_most", values)


def _methods(result: xr.Dataset) -> Table:
    first = METHODS[str(result["method"].values[0])].in_words
    titles = [METHODS[name].title for name in result["method"].values.tolist()]
    column = FigureColumns(OF_METHODS, result, first=first)
    columns = [
        Column("number", "", [str(number) for number in range(1, len(titles) + 1)], "word"),
        Column("title", "Method", titles, "word", in_words=True),
        Column("method", "method", result["method"].values, "label", in_files=True),
        column("changed_items"),
        column("tied_items", spare=2),
        column("mean_certainty", spare=3),
        column("unsure_items", spare=1),
    ]
    if not np.isnan(result["right"].values).any():
        columns.append(column("right"))
    return column.table("methods", columns, "method")


def _pairs(result: xr.Dataset) -> Table:
    names = result["method"].values.tolist()
    columns = [
        Column("number", "", [str(number) for number in range(1, len(names) + 1)], "word"),
        Column("method", "", names, "label", in_files=True),
    ]
    columns += [
        Column(name, str(index + 1), result["same"].values[:, index], "share", spare=index)
        for index, name in enumerate(names)
    ]
    return Table("same", columns, Note("same_labels"), "methods", whole=True)


def _differing(result: xr.Dataset, top: int) -> Table | None:
    differ = np.flatnonzero(result["choices"].values > 1)
    if not len(differ):
        return None
    rows = result.isel(item=differ)
    rows = rows.isel(item=np.argsort(-rows["choices"].values, kind="stable"))
    column = FigureColumns(COMPARED, rows)
    columns = [
        column.key("item", "Item"),
        *own_columns(rows, without=result.attrs["gold"]),
        column("votes_by_label", spare=1),
        column("by_label"),
    ]
    if (rows["known_label"].values != "").any():
        columns.append(column("known_label"))
    columns += [
        Column(f"by {name}", "", rows["gold"].values[:, index], "label", in_files=True)
        for index, name in enumerate(rows["method"].values.tolist())
    ]
    noun = "items on which methods differ"
    return column.table("items", columns, "item", noun=noun, shown=top)
