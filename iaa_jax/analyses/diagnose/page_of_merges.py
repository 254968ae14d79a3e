"""The page about merges of labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.analyses.diagnose.words import MERGES
from iaa_jax.catalog import title_of
from iaa_jax.measure.sampling import sampling_from
from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
from iaa_jax.pages import Block, Column, Facts, Page, Remarks, Table
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.wording import Note, joined, load_notes
from iaa_jax.wording.formats import decimals_for

SHOWN = 10

WORDS = joined(RATINGS, OF_FIGURES, OF_RESULTS, MERGES)


def merges_page(result: xr.Dataset, top: int | None = None) -> Page:
    """The page of a result of `iaa_jax.labels.merges`."""
    blocks: list[Block] = [Facts(list(short_facts(result.attrs).rows))]
    if result.sizes["step"]:
        blocks.append(_steps(result))
    if result.sizes["pair"]:
        blocks.append(_pairs(result, top or SHOWN))
    remarks = [*_remarks(result), *load_notes(result.attrs["notes"])]
    blocks.append(Remarks(remarks))
    return Page("Labels to merge", [*_answer(result)], blocks, WORDS, {"": result})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    code = str(result.attrs["conclusion"])
    values: dict[str, object] = {
        "title": title_of(str(result.attrs["coefficient"])),
        "estimate": float(result["estimate"]),
    }
    if code == "merge":
        last = result.isel(step=-1)
        values |= {
            "merged": [str(name) for name in result["merged"].values.tolist()],
            "then": float(last["agreement_then"]),
            "lost": float(last["share_lost_then"]),
            "recode": str(result.attrs["recode"]),
        }
    elif code in ("keep", "no_gain"):
        place = int(np.argmin(result["p_value"].values)) if code == "no_gain" else 0
        first = result.isel(pair=place)
        values |= {
            "first": str(first["first"].item()),
            "second": str(first["second"].item()),
            "gain": float(first["gain"]),
            "p": float(first["p_value"]),
            "elsewhere": float(result["elsewhere"]),
        }
    yield Note(f"merges_{code}", values)
    if code == "merge":
        yield Note("merges_recode", values)


def _steps(result: xr.Dataset) -> Table:
    columns = [
        Column("merged", "Merged", result["merged"].values, "label"),
        Column("labels_left", "Labels left", result["labels_left"].values, "count"),
        Column("agreement_then", "Agreement", result["agreement_then"].values),
        Column("gain_then", "Gain", result["gain_then"].values, "signed"),
        Column(
            "share_lost_then",
            "Lost",
            result["share_lost_then"].values,
            "share",
            meaning=Note("lost_meaning", {"entropy": float(result["entropy"])}),
        ),
        Column("p_value_then", "p", result["p_value_then"].values, "p"),
    ]
    return Table("steps", columns, Note("steps_caption"), "merges")


def _pairs(result: xr.Dataset, top: int) -> Table:
    ends = np.stack([result[f"gain_ci_{end}"].values for end in ("low", "high")], axis=1)
    decimals = decimals_for(ends[:, 1] - ends[:, 0])
    columns = [
        Column("first", "Label", result["first"].values, "label"),
        Column("second", "And", result["second"].values, "label"),
        Column("agreement", "Agreement", result["agreement"].values, spare=3),
        Column("gain", "Gain", result["gain"].values, "signed", decimals),
        Column("gain_ci", "Interval", ends, "interval", decimals, 2),
        Column("share_lost", "Lost", result["share_lost"].values, "share"),
        Column("bits_lost", "Bits lost", result["bits_lost"].values, in_files=True),
        Column("confused", "Confused", result["confused"].values, "estimate", 1, spare=1),
        Column(
            "by_chance",
            "By chance",
            result["by_chance"].values,
            "estimate",
            1,
            spare=1,
            meaning=Note("by_chance_meaning"),
        ),
        Column("p_value", "p", result["p_value"].values, "p", meaning=Note("merge_p_meaning")),
    ]
    shown = range(min(top, result.sizes["pair"]))
    return Table("pairs", columns, Note("merges_caption"), "pairs of labels", shown)


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    if not result.sizes["pair"]:
        return
    yield Note("merges_read_first")
    halves = {"picked": float(result["picked"]), "elsewhere": float(result["elsewhere"])}
    yield Note("merges_on_halves", {**halves, "splits": int(result.attrs["splits"])})
    units = "merge_items" if sampling_from(result.attrs).cluster is None else "merge_clusters"
    values = {name: result.attrs[name] for name in ("replicates", "seed")}
    yield Note("merges_drawn", {**values, "units": Note(units)})
