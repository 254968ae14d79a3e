"""The page about how many independent judges a jury is worth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.analyses.judge.declared import JURY_ASSUMED, JURY_PAIRS
from iaa_jax.pages import Block, Column, Page, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import drawn, ends_of
from iaa_jax.wording import Note, load_notes

_VALUES = ("n_eff", "rho", "plain_rho", "one_judge", "majority")


def page_of_jury(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.judge.jury`."""
    blocks: list[Block] = [_pairs(result), _assumed(result)]
    remarks = [Note("jury_meaning"), *drawn("jury_drawn", result.attrs)]
    blocks.append(Remarks([*remarks, *load_notes(result.attrs["notes"])]))
    return Page("A jury of judges", [*_answer(result)], blocks, results={"": result})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    attrs = result.attrs
    values: dict[str, object] = {
        "judges": attrs["judges"],
        "items": attrs["items_compared"],
        **{name: float(result[name]) for name in _VALUES},
    }
    for name in ("n_eff", "rho"):
        ends = ends_of(result, name)
        values[f"{name}_ends"] = "" if np.isnan(ends).any() else Note("jury_ends", {"ends": ends})
    independent = float(result["independent"])
    values_of_note = {"independent": independent}
    values["independent"] = (
        "" if np.isnan(independent) else Note("jury_independent", values_of_note)
    )
    yield Note("jury_untold" if attrs["conclusion"] == "untold" else "jury_worth", values)
    yield Note("jury_majority", values)


def _pairs(result: xr.Dataset) -> Table:
    column = FigureColumns(JURY_PAIRS, result)
    columns = [column.key("judge", "Judge")]
    for name in result["other"].values.tolist():
        values = result["pair_rho"].sel(other=name).values
        columns.append(Column(f"pair_rho_{name}", str(name), values, "estimate"))
    untold = bool(np.isnan(result["pair_rho"].values).all())
    return Table("judges", columns, Note("jury_pairs"), "judges", in_files=untold)


def _assumed(result: xr.Dataset) -> Table:
    column = FigureColumns(JURY_ASSUMED, result)
    columns = [
        Column("assumed", "rho", result["assumed"].values, "estimate", 1),
        column("n_eff_if"),
    ]
    is_estimated = result.attrs["conclusion"] != "untold"
    caption = Note("jury_assumed")
    return column.table(
        "assumed", columns, "assumed", caption, "correlations", in_files=is_estimated
    )
