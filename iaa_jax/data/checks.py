"""Refuse invalid ratings, with messages that say what is wrong and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.coded_sets import coded_sets
from iaa_jax.data.duplicates import ways_out
from iaa_jax.data.notices.similar import alike, alike_numbers, differences
from iaa_jax.data.orders import check_annotator_order, check_coding, check_label_order
from iaa_jax.data.storage import (
    MARKED_ALONG_SPAN,
    REPEATED,
    STORAGES,
    TASKS,
    annotator_of,
    array_of,
    in_order,
    panel_sizes,
    python_value,
    rated,
    rating_dim,
    repeats_of,
    task_of,
    weight_of,
)
from iaa_jax.wording import keyword, named
from iaa_jax.wording.formats import counted

SOFT_TOLERANCE = 1e-9
"""Maximum difference between a sum of shares and 1."""

FEWEST_ITEMS = 2 - 1e-9
"""Minimum sum of item weights if some are fractions; with a smaller sum, coefficients with a
correction for few items leave their range.
"""

MOST_ITEMS = 2.0**53
"""Maximum sum of item weights; above it, float64 does not distinguish n from n + 1."""

BLOCK = 1024  # number of items that are examined first in the search for one with two ratings


def check(ratings: xr.Dataset, *, any_order: bool = False, pairable: bool = True) -> None:
    """Refuse ratings with a wrong layout or invalid values, or without items or annotators.

    If `any_order`, slots (the positions of ratings within an item) need not be sorted by annotator.
    If `pairable`, at least one item must have two ratings (or two votes of one annotator).
    """
    task = task_of(ratings)
    _check_layout(ratings, task)
    if 0 in [ratings.sizes[name] for name in ("item", "annotator", rating_dim(ratings))]:
        _refuse_empty(ratings)
    annotators = annotator_of(ratings)
    if annotators is not None:
        check_annotator_order(ratings)
    check_coding(ratings)
    if annotators is not None:
        _check_slots(ratings, annotators, any_order=any_order)
    if task == "value":
        _check_values(ratings)
    elif task in ("single", "primary_secondary"):
        _check_codes(ratings, task)
    elif task == "spans":
        _check_marked(ratings)
    else:
        _check_mass(ratings, task)
    weight = weight_of(ratings)
    if weight is not None:
        _check_weight(weight)
    cells = rated(ratings)
    if annotators is not None:
        _check_filled(ratings, annotators >= 0, cells)
    if pairable:
        _check_pairable(ratings, cells, weight)


def _check_layout(ratings: xr.Dataset, task: str) -> None:
    grid = ("item", rating_dim(ratings))
    required: dict[str, tuple[str, ...]] = {
        name: (*grid, "label") if name == "mass" else grid for name in TASKS[task]
    }
    if grid[1] == "slot":
        required["annotator_of"] = grid
    if "item_weight" in ratings.variables:
        required["item_weight"] = ("item",)
    for name, dims in required.items():
        if name not in ratings.variables:
            raise IaaError(f"ratings of task {task!r} need the variable {name!r}, which is missing")
        if ratings.variables[name].dims != dims:
            if "slot" in ratings.variables[name].dims and grid[1] != "slot":
                raise IaaError(
                    f"{name!r} is stored by slot, but there is no variable 'annotator_of' (item, "
                    "slot) that names the annotator of each slot; make slots with in_slots"
                )
            raise IaaError(
                f"the variable {name!r} has the dimensions {ratings.variables[name].dims}, "
                f"not {dims}; put them in order with ratings.transpose"
            )
    extra = [name for name in STORAGES if name in ratings.variables and name not in required]
    if extra:
        raise IaaError(
            f"ratings of task {task!r} must hold only {shown(TASKS[task])}, but these also hold "
            f"{shown(extra)}"
        )
    for name in ("item", "annotator", *(() if task == "value" else ("label",))):
        if name not in ratings.coords:
            raise IaaError(f"ratings need the coordinate {name!r}, which is missing")
        # names of items may repeat, because a resample of items is also a ratings Dataset
        if name == "item":
            continue
        index = ratings.variables[name].to_index()
        if index.hasnans:
            nameless = np.count_nonzero(index.isna())
            raise IaaError(f"{nameless:,} of {len(index)} {name}s have no name (NaN or None)")
        if not index.is_unique:
            twice = index[index.duplicated()].unique()
            raise IaaError(
                f"{len(twice):,} {name} name{'s' * (len(twice) > 1)} occurring more than once: "
                f"{shown(twice)}"
            )


def _refuse_empty(ratings: xr.Dataset) -> None:
    raise IaaError(
        f"there is no rating in the data ({ratings.sizes['item']} items, "
        f"{ratings.sizes['annotator']} annotators): nothing can be measured"
    )


def _check_slots(ratings: xr.Dataset, annotator_index: Integers, *, any_order: bool) -> None:
    _check_numbers("annotator_of", annotator_index, "i")
    annotators = ratings.sizes["annotator"]
    if annotator_index.min() < -1 or annotator_index.max() >= annotators:
        wrong = np.argwhere((annotator_index < -1) | (annotator_index >= annotators))
        items = np.asarray(ratings.variables["item"])
        first = [
            f"{annotator_index[i, k]} at item {brief(python_value(items[i]))}, slot {k}"
            for i, k in wrong[:3]
        ]
        more = f"; and {len(wrong) - 3:,} more" if len(wrong) > 3 else ""
        raise IaaError(
            f"`annotator_of` points outside -1 to {annotators - 1}: {'; '.join(first)}{more}"
        )
    are_votes = bool(ratings.attrs.get(REPEATED))
    ordered = in_order(annotator_index)
    if ordered and (are_votes or not repeats_of(annotator_index).any()):
        return
    order = np.argsort(annotator_index, axis=1, kind="stable")
    again = np.zeros(annotator_index.shape, dtype=bool)
    repeats = repeats_of(np.take_along_axis(annotator_index, order, axis=1))
    np.put_along_axis(again, order, repeats, axis=1)
    if again.any() and not are_votes:
        raise IaaError(
            f"an annotator has more than one slot of an item in {_cells(ratings, again)}; "
            f"make the ratings of all rows with from_long, and {ways_out()}"
        )
    if not any_order:
        raise IaaError(
            "the slots are not in order: within each item the annotators must ascend in "
            "`annotator_of`, with empty slots (-1) last; in_slots(ratings) puts them in order"
        )


def _check_filled(ratings: xr.Dataset, named: NDArray[np.bool_], cells: NDArray[np.bool_]) -> None:
    if np.array_equal(named, cells):
        return
    for wrong, fault, remedy in (
        (cells & ~named, "without an annotator in `annotator_of`", "name the annotator"),
        (named & ~cells, "without a label or number", "set `annotator_of` to -1"),
    ):
        if wrong.any():
            raise IaaError(f"slots {fault}: {_cells(ratings, wrong)}; {remedy} there")


def _check_values(ratings: xr.Dataset) -> None:
    value = array_of(ratings, "value")
    _check_numbers("value", value, "f")
    wrong = np.isinf(value)
    if wrong.any():
        raise IaaError(
            f"{_cells(ratings, wrong)} with a number that is not finite; "
            "correct these cells, or set them to NaN"
        )


def _check_codes(ratings: xr.Dataset, task: str) -> None:
    labels = ratings.sizes["label"]
    check_label_order(ratings)
    for name in TASKS[task]:
        codes = np.asarray(ratings.variables[name].values)
        _check_numbers(name, codes, "i")
        if codes.min() < -1 or codes.max() >= labels:
            wrong = (codes < -1) | (codes >= labels)
            raise IaaError(
                f"`{name}` has codes outside -1 to {labels - 1} in {_cells(ratings, wrong)}"
            )
    if task == "single":
        return
    primary, secondary = array_of(ratings, "primary"), array_of(ratings, "secondary")
    without_primary = (secondary >= 0) & (primary < 0)
    if without_primary.any():
        raise IaaError(
            f"a secondary label without a primary one in {_cells(ratings, without_primary)}; "
            "make it the primary label, or leave it out"
        )
    equal = (secondary >= 0) & (primary == secondary)
    if equal.any():
        raise IaaError(
            f"the secondary label equals the primary one in {_cells(ratings, equal)}; "
            "leave the secondary label out there"
        )


def _check_marked(ratings: xr.Dataset) -> None:
    check_label_order(ratings)
    check_along_span(ratings, MARKED_ALONG_SPAN)
    _check_numbers("marked", np.asarray(ratings.variables["marked"].values), "i")


def _check_numbers(name: str, values: Values, kind: str) -> None:
    if values.dtype.kind != kind:
        numbers = {"i": "signed whole numbers", "f": "floating-point numbers"}[kind]
        raise IaaError(f"`{name}` must hold {numbers}, not {values.dtype}")


def check_along_span(data: xr.Dataset, names: Sequence[str]) -> None:
    """Refuse spans that lack variables, or that xarray has joined with other spans."""
    for name in names:
        if name not in data.variables:
            raise IaaError(
                f"spans need the variable {name!r}, which is missing: make them with from_spans"
            )
        if data.variables[name].dims != ("span",):
            raise IaaError(
                f"the variable {name!r} has the dimensions {data.variables[name].dims}, not "
                "('span',): spans are joined with `data.merge`, not by xarray"
            )


def _check_mass(ratings: xr.Dataset, task: str) -> None:
    if ratings.sizes["label"] == 0:
        raise IaaError(
            f"no rating names a label: declare the possible labels with {named('labels')}"
        )
    if task == "multi_label" and coded_sets(ratings) is not None:
        return  # these masses are 0 or 1 by construction
    shares = array_of(ratings, "mass")
    _check_numbers("mass", shares, "f")
    absent = np.isnan(shares)
    partly_absent = np.asarray(absent.any(axis=2) & ~absent.all(axis=2))
    if partly_absent.any():
        raise IaaError(
            f"NaN for a part of the labels in {_cells(ratings, partly_absent)}; "
            "NaN on all labels means not rated, and a label that was not chosen has mass 0"
        )
    missing = absent[:, :, 0]
    if task == "multi_label":
        wrong = ((shares != 0) & (shares != 1)).any(axis=2) & ~missing
        rule = "the mass of each label must be 0 or 1"
    else:
        below = ((shares < 0) | np.isinf(shares)).any(axis=2)
        finite = np.where(np.isfinite(shares), shares, 0.0)
        wrong = (below | (np.abs(finite.sum(axis=2) - 1) > SOFT_TOLERANCE)) & ~missing
        rule = "the masses of a rating must be 0 or more and sum to 1"
    if wrong.any():
        raise IaaError(f"{rule}; this does not hold for {_cells(ratings, wrong)}")


def _check_weight(weight: NDArray[np.float64]) -> None:
    wrong = ~(np.isfinite(weight) & (weight >= 0))
    if wrong.any():
        offenders = weight[wrong].tolist()
        raise IaaError(
            f"{len(offenders):,} item weights are not finite numbers from 0 up: {shown(offenders)}"
        )
    with np.errstate(over="ignore"):
        items = float(weight.sum())
    if items > MOST_ITEMS:
        raise IaaError(
            f"the item weights sum to {items:.3g}: they are numbers of items, and at "
            f"most {MOST_ITEMS:.3g} items can be counted; divide them all by the same number"
        )


def check_items(ratings: xr.Dataset) -> None:
    """Refuse item weights that look like shares: fractions with a sum of less than two items.

    This is not part of `check`, because a part of the data that is merged later may have fewer
    items.
    """
    weight = weight_of(ratings)
    if weight is None or len(weight) < 2:
        return
    items = float(weight.sum())
    if 0 < items < FEWEST_ITEMS and np.any(weight != np.rint(weight)):
        raise IaaError(
            f"the item weights sum to {items:.3g}, less than two items: weights are numbers of "
            "items, and the correction for chance depends on them; multiply shares by the number "
            f"of items, these {len(weight):,} by {len(weight) / items:.3g}"
        )


def _check_pairable(
    ratings: xr.Dataset, cells: NDArray[np.bool_], weight: NDArray[np.float64] | None
) -> None:
    start, stop = 0, BLOCK
    while start < len(cells):
        panel = panel_sizes(cells[start:stop])
        if weight is not None:
            panel[weight[start:stop] <= 0] = 0
        if (panel >= 2).any():
            return
        start, stop = stop, 4 * stop  # in most data, the first items suffice
    counted = cells if weight is None else cells & (weight > 0)[:, None]
    annotator_index = annotator_of(ratings)
    active = (
        np.flatnonzero(counted.any(axis=0))
        if annotator_index is None
        else np.unique(annotator_index[counted])
    )
    if len(active) == 0:
        _refuse_empty(ratings)
    of_item = counted.sum(axis=1)
    times = np.ones(len(counted)) if weight is None else np.where(of_item > 0, weight, 0.0)
    total, items = round(float(of_item @ times)), round(float(times[of_item > 0].sum()))
    if len(active) == 1 and not ratings.attrs.get("anonymous", 0):
        name = python_value(np.asarray(ratings.variables["annotator"])[active[0]])
        raise IaaError(
            f"only one annotator ({name!r}) rated anything ({total:,} ratings): "
            "two are needed; also give the files of other annotators, or check which columns hold "
            "annotators"
        )
    aside = ""
    if weight is None:  # a weighted row can stand for several items
        item = python_value(np.asarray(ratings.variables["item"])[of_item.argmax()])
        aside = f", the first on item {brief(item)}"
    refuse_unpaired(items, aside, _merging(array_of(ratings, "item").tolist()))


def _merging(names: Sequence[object]) -> str:
    """Return advice on how to merge item names that hardly differ; "" if all clearly differ."""
    texts = [str(name) for name in names]
    groups = alike_numbers(texts) or alike(texts)
    if not groups:
        return ""
    first = [texts[place] for place in groups[0]]
    option = keyword("merge_ids", ",".join(differences(first)))
    return f"; {shown(first, 3)} hardly differ: if they are one item, give {option}"


def refuse_unpaired(items: int, aside: str = "", way_out: str = "") -> NoReturn:
    """Raise the error for ratings in which no item has two ratings."""
    raise IaaError(
        f"no item has two ratings: {counted(items, 'rating')} on as many items{aside}; two are "
        "needed: also give those of another annotator, or check that the names of items match"
        f"{way_out}"
    )


def _cells(ratings: xr.Dataset, wrong: NDArray[np.bool_]) -> str:
    count = int(np.count_nonzero(wrong))
    first = np.argwhere(wrong)[:3]
    items, annotators = (np.asarray(ratings.variables[name]) for name in ("item", "annotator"))
    annotator_index = annotator_of(ratings)
    if annotator_index is not None:
        # the index -1 of an empty slot refers to the last entry
        annotators = np.array([*annotators.tolist(), None], dtype=object)
    names = [
        f"item {brief(python_value(items[i]))}, annotator "
        f"{python_value(annotators[a if annotator_index is None else annotator_index[i, a]])!r}"
        for i, a in first
    ]
    more = f" and {count - len(names):,} more" if count > len(names) else ""
    return f"{count:,} rating{'s' if count > 1 else ''} ({'; '.join(names)}{more})"
