"""What sharpening comes to, and what is noted of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.floors import ANNOTATOR_RATINGS, enough_to_name
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.results import MANY_UNDEFINED
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr

_EQUAL = 1e-6
"""Weights nearer than this are the same."""


def conclude(result: xr.Dataset) -> dict[str, object]:
    """The conclusion, and who counts most and least."""
    weight = result["annotator_weight"].values
    names = result["annotator"].values
    known = np.flatnonzero(~np.isnan(result["kappa"].values))
    named = np.flatnonzero(enough_to_name(result["shared_items"].values))
    named = named if len(named) else known  # a remark says that all have few
    floored = np.flatnonzero(result["on_floor"].values)
    concluded: dict[str, object] = {
        "conclusion": _code(result, weight[known]),
        "floored": json.dumps([str(name) for name in names[floored]], ensure_ascii=False),
    }
    if len(known):
        highest, lowest = (named[place(weight[named])] for place in (np.argmax, np.argmin))
        concluded |= {"highest": str(names[highest]), "lowest": str(names[lowest])}
        concluded |= {
            "highest_weight": float(weight[highest]),
            "lowest_weight": float(weight[lowest]),
        }
    return concluded


def _code(result: xr.Dataset, weight: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    if not len(weight):
        return "undefined"
    if str(result["status"].values) != "converged":
        return "not_converged"
    kappa = result["kappa"].values
    if np.nanmax(kappa) <= float(result.attrs["epsilon"]):
        return "nobody_above_floor"
    if np.ptp(weight) < _EQUAL:
        return "equal"
    return "floored" if result["on_floor"].values.any() else "weighted"


def remarks(result: xr.Dataset, ratings: Rated, asked: int, unsettled: int) -> Iterator[Note]:
    """What to know of the figures, intervals and labels."""
    tied = float(ratings.item_weight[result["tied"].values].sum())
    if tied:
        yield Note("tied_items", {"items": int_if_whole(tied)}, "caution")
    alone = result["annotator"].values[np.isnan(result["kappa"].values)].tolist()
    if alone:
        yield Note("nobody_beside", {"annotators": len(alone), "names": alone}, "caution")
    shared = result["shared_items"].values
    few = int(((shared > 0) & (shared < ANNOTATOR_RATINGS)).sum())
    if few:
        values = {"annotators": few, "items": ANNOTATOR_RATINGS}
        yield Note("few_items_each", values, "caution")
    replicates = int(result.attrs.get("replicates", 0)) if result.attrs.get("interval") else 0
    if not replicates:
        return
    figures = ("annotator_weight", "kappa", "agreement", "change")
    if any(_still(result, name) for name in figures):
        yield Note("weights_still", {}, "caution")
    if replicates < asked:
        yield Note("fewer_replicates", {"replicates": replicates, "asked": asked})
    if unsettled:
        level = "caution" if unsettled > MANY_UNDEFINED * replicates else "info"
        values = {"count": unsettled, "replicates": replicates}
        yield Note("unsettled_replicates", values, level)  # type: ignore[arg-type]


def _still(result: xr.Dataset, name: str) -> bool:
    """Whether an interval of a figure has no width."""
    return bool((result[f"{name}_ci_high"] - result[f"{name}_ci_low"] <= _EQUAL).any())
