"""The page of annotators against themselves."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax.analyses.diagnose.columns import groups_table
from iaa_jax.catalog import title_of
from iaa_jax.pages import Block, Page, Remarks, intervals
from iaa_jax.wording import Note


def repeats_page(result: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.annotators.repeats`."""
    answer = []
    for place, name in enumerate(result["coefficient"].values.tolist()):
        of_all = result.isel(coefficient=place)
        ends = [float(of_all[f"ci_{end}_of_all"]) for end in ("low", "high")]
        values = {
            "title": title_of(str(name)),
            "items": int(result.attrs["repeated_items"]),
            "estimate": float(of_all["estimate_of_all"]),
            "ends": "" if np.isnan(ends).any() else Note("repeats_ends", {"ends": ends}),
        }
        answer.append(Note("repeats_first" if place == 0 else "repeats_further", values))
    blocks: list[Block] = [groups_table(result)]
    made = intervals.descriptions(result.attrs, intervals.figures_of(result, title_of))
    remarks = [Note("repeats_ceiling"), *made]
    title = "Annotators against themselves"
    return Page(title, answer, [*blocks, Remarks(remarks)], results={"": result})
