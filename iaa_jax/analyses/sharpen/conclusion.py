"""The conclusion of sharpening (annotators and items are weighted in turn), and remarks.

A group of annotators may agree with each other much more than with anybody else. They may be the
best annotators, or copies of one another. Labels alone cannot show which is true, and sharpening
gives the group the most weight in either case.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS, enough_to_name
from iaa_jax.measure.results import MANY_UNDEFINED
from iaa_jax.measure.shared.annotator_pairs import meetings
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.measure.shared.labels import label_shares
from iaa_jax.wording import Note

_EQUAL = 1e-6
"""Weights whose difference is smaller count as equal."""

COMMON = 20
"""Minimum number of common items on which two annotators are compared."""

_NEARLY = 0.95
"""Minimum agreement of annotators whose labels count as nearly the same."""

_FARTHER = 4.0
"""Minimum ratio of the disagreement with others to the disagreement within a group."""

_ANNOTATORS = 500
"""Maximum number of annotators whose pairs are compared."""

_MEETINGS = 1 << 24
"""Maximum number of pairs of ratings, over items, for which annotators are compared."""


def conclude(result: xr.Dataset) -> dict[str, object]:
    """Return the conclusion, and the annotators with the most and the least weight."""
    weight = result["annotator_weight"].values
    names = result["annotator"].values
    known = np.flatnonzero(~np.isnan(result["kappa"].values))
    named = np.flatnonzero(enough_to_name(result["shared_items"].values))
    named = named if len(named) else known  # a remark states that nobody has many items
    floored = np.flatnonzero(result["on_floor"].values)
    concluded: dict[str, object] = {
        "conclusion": _code(result, weight[known]),
        "floored": json.dumps([str(name) for name in names[floored]], ensure_ascii=False),
    }
    if len(known):
        highest, lowest = (named[end(weight[named])] for end in (np.argmax, np.argmin))
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


def remarks(result: xr.Dataset, ratings: Rated, requested: int, unsettled: int) -> Iterator[Note]:
    """Yield remarks on weights, intervals and labels.

    ``requested`` is the number of replicates in the options, and ``unsettled`` the number of
    replicates that did not converge.
    """
    tied = float(ratings.item_weight[result["tied"].values].sum())
    if tied:
        yield Note("tied_items", {"items": int_if_whole(tied)}, "caution")
    isolated = result["annotator"].values[np.isnan(result["kappa"].values)].tolist()
    if isolated:
        yield Note("nobody_beside", {"annotators": len(isolated), "names": isolated}, "caution")
    shared = result["shared_items"].values
    few = int(((shared > 0) & (shared < ANNOTATOR_RATINGS)).sum())
    if few:
        values = {"annotators": few, "items": ANNOTATOR_RATINGS}
        yield Note("few_items_each", values, "caution")
    replicates = int(result.attrs.get("replicates", 0)) if result.attrs.get("interval") else 0
    if not replicates:
        return
    figures = ("annotator_weight", "kappa", "agreement", "change")
    if any(_has_no_width(result, name) for name in figures):
        yield Note("weights_still", {}, "caution")
    if replicates < requested:
        yield Note("fewer_replicates", {"replicates": replicates, "asked": requested})
    if unsettled:
        level = "caution" if unsettled > MANY_UNDEFINED * replicates else "info"
        values = {"count": unsettled, "replicates": replicates}
        yield Note("unsettled_replicates", values, level)  # type: ignore[arg-type]


def _has_no_width(result: xr.Dataset, name: str) -> bool:
    return bool((result[f"{name}_ci_high"] - result[f"{name}_ci_low"] <= _EQUAL).any())


def nearly_alike(votes: VoteTables) -> Note | None:
    """Return a note on the most isolated group of annotators, if there is one."""
    size = votes.annotators
    panel = votes.masses.rated.sum(axis=1)
    if size < 3 or size > _ANNOTATORS or float((panel**2).sum()) > _MEETINGS:
        return None
    agreement = _agreement(votes)
    group = _group(agreement)
    if group is None:
        return None
    inside = agreement[np.ix_(group, group)]
    others = np.delete(agreement[group], group, axis=1)
    names = votes.tables.annotator_names[group]
    values = {
        "names": [str(name) for name in names],
        "within": float(np.nanmean(inside)),
        "highest": float(np.nanmax(others)),
    }
    return Note("nearly_alike", values, "caution").on(map(str, names))


def _agreement(votes: VoteTables) -> Floats:
    """Return each pair's agreement on common items; NaN on the diagonal and for too few items.

    The agreement on an item is the share that both annotators give to the same labels, or for sets
    the share of labels on which both agree.
    """
    tables, size = votes.tables, votes.annotators
    shares = label_shares(tables, sets_as_labels=False)
    sets = tables.kind is Kind.SETS
    agreed, common = np.zeros(size * size), np.zeros(size * size)
    codes, count = tables.slot_codes, tables.identified_table.count
    for first, second, code, other, weight in meetings(codes, count):
        if sets:
            agreement = 1 - np.abs(shares[code] - shares[other]).mean(axis=1)
        else:
            agreement = np.minimum(shares[code], shares[other]).sum(axis=1)
        pair = first.astype(np.int64) * size + second
        agreed += np.bincount(pair, weights=weight * agreement, minlength=size * size)
        common += np.bincount(pair, weights=weight, minlength=size * size)
    agreed, common = (
        part.reshape(size, size) + part.reshape(size, size).T for part in (agreed, common)
    )
    return np.where(common >= COMMON, agreed / np.where(common > 0, common, 1.0), np.nan)


def _group(agreement: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]] | None:
    """Return the group with nearly the same labels that agrees least with anybody else, or None.

    A group has at most half of all annotators, or two of three.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(agreement)
    near = csr_array((np.nan_to_num(agreement) >= _NEARLY).astype(np.int64))
    _, number = connected_components(near, directed=False)
    best: tuple[float, np.ndarray[tuple[int], np.dtype[np.intp]]] | None = None
    for component in np.flatnonzero(np.bincount(number) >= 2):
        group = np.flatnonzero(number == component)
        others = np.delete(agreement[group], group, axis=1)
        if len(group) > max(2, size // 2) or not np.isfinite(others).any():
            continue
        within = 1 - float(np.nanmean(agreement[np.ix_(group, group)]))
        outside = 1 - float(np.nanmax(others))
        isolated = outside >= _FARTHER * within and outside > 1 - _NEARLY
        if isolated and (best is None or outside > best[0]):
            best = (outside, group)
    return None if best is None else best[1]
