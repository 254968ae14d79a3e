"""The page of shares."""

from __future__ import annotations

import xarray as xr

from iaa_jax.analyses.shares.words import WORDS  # isort: skip
from iaa_jax.pages import Block, Column, Page, Remarks, Table
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.wording import Note, joined, load_notes

ALL_WORDS = joined(RATINGS, WORDS)


def page(result: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.shares`."""
    columns = [
        Column("label", "Label", result["label"].values, "label"),
        Column("share", "Share", result["share"].values, "share"),
    ]
    blocks: list[Block] = [
        short_facts(result.attrs),
        Table("labels", columns, noun="labels"),
        Remarks(load_notes(result.attrs["notes"])),
    ]
    answer = [Note(result.attrs["conclusion"])]
    return Page("Shares of labels", answer, blocks, ALL_WORDS, {"shares": result})


PAGES = {"shares": page}
