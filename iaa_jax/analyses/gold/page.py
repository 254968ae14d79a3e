"""The page of gold labels."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax.analyses.gold.words import WORDS
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.pages.blocks import Block, Column, Page, Remarks, Table
from iaa_jax.pages.generic import SHOWN, with_the_rest
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.wording import Note, joined, load_notes

ALL_WORDS = joined(RATINGS, WORDS)


def page(result: xr.Dataset, top: int = SHOWN) -> Page:
    """Gold labels, the least certain first, and annotators by skill."""
    row = METHODS[str(result.attrs["method"])]
    items = int((result["gold"] != "").sum())
    blocks: list[Block] = [
        short_facts(result.attrs),
        _items(result, top),
        _annotators(result, Note("skill", {"skill": row.skill}), top),
        Remarks(load_notes(result.attrs["notes"])),
    ]
    answer = [Note("gold_labels", {"items": items, "method": row.title})]
    return Page("Gold labels", answer, blocks, ALL_WORDS, {"": result})


def _items(result: xr.Dataset, top: int) -> Table:
    rows = result.isel(item=np.argsort(result["margin"].values, kind="stable"))
    columns = [
        Column("item", "Item", rows["item"].values, "label"),
        Column("gold", "Gold", rows["gold"].values, "label"),
        Column("certainty", "Certainty", rows["certainty"].values),
        Column("margin", "Margin", rows["margin"].values, spare=1),
        Column("votes", "Votes", rows["votes"].values, "count", spare=2),
    ]
    noun = "items, the least certain first"
    return Table("items", with_the_rest(columns, rows, "item"), noun=noun, shown=top)


def _annotators(result: xr.Dataset, skill: Note, top: int) -> Table:
    rows = result.isel(annotator=np.argsort(-np.nan_to_num(result["skill"].values), kind="stable"))
    columns = [
        Column("annotator", "Annotator", rows["annotator"].values, "label"),
        Column("skill", "Skill", rows["skill"].values, meaning=skill),
        Column("ratings", "Ratings", rows["ratings"].values, "count"),
    ]
    noun = "annotators, the best first"
    return Table("annotators", with_the_rest(columns, rows, "annotator"), noun=noun, shown=top)


PAGES = {"gold": page}
"""Results that have a page of their own."""
