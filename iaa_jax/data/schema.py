"""The ratings Dataset: its layout, validation and summary, and its shares of labels (masses).

A ratings Dataset has the dimensions ``item`` and ``annotator``, each with a coordinate of names,
and the coordinate ``label`` (except for numbers). ``attrs["task"]`` states how ratings are stored:

=================== ========================= ===================================================
task                variables                 meaning
=================== ========================= ===================================================
"single"            primary                   codes into ``label``; -1: not rated
"primary_secondary" primary, secondary        codes; secondary -1: no secondary label
"multi_label"       mass (..., label)         0 or 1; all 0: no label chosen; NaN: not rated
"soft"              mass (..., label)         shares that sum to 1; NaN: not rated
"value"             value                     numbers; NaN: not rated
"spans"             marked                    codes of markings; -1: not seen (`data.marked`)
=================== ========================= ===================================================

A marking is what an annotator marked in a document. A large array ``mass`` of label sets stores
each distinct set once, with the index of each rating's set; NumPy and xarray treat it as the full
array (`iaa_jax.data.coded_sets`).

If there are many annotators, but few ratings per item, the variables have the dimension ``slot``
instead of ``annotator`` (`iaa_jax.data.slots`). ``attrs["slots"]`` is the number of slots, if there
are slots. If ``attrs["repeated"]`` is 1, an annotator may have several slots of an item, one for
each vote (`iaa_jax.data.votes`).

The optional ``item_weight`` (item) is the number of items that a row stands for. The optional
``item_coding`` (item) is a digest of the names and markings that an item's codes and slots refer
to. If it does not match ``attrs["label_order"]``, ``attrs["annotator_order"]`` and
``attrs["markings"]``, ratings with different names or markings were joined. ``attrs["patterns"]``
marks compressed ratings, in which a row is not an item with a name, but a pattern: all items with
the same ratings. There may be further coordinates along ``item``, ``annotator`` or both. Attributes
are only texts and whole numbers, so that ``to_netcdf`` works.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_first_share
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.checks import check, check_items
from iaa_jax.data.storage import (
    TASKS,
    array_of,
    items_by_panel,
    rated,
    rating_dim,
    task_of,
    weight_of,
    without_further_votes,
)
from iaa_jax.data.votes import refuse_votes
from iaa_jax.kernels.namespace import is_concrete

__all__ = ["TASKS", "Summary", "mass", "rated", "summary", "validate"]


@dataclass(frozen=True)
class Summary:
    """Counts of items and ratings (weighted by ``item_weight``), and of annotators and labels."""

    items: int | float
    annotators: int  # 0 if annotators are anonymous
    labels: int  # 0 if ratings are numbers
    ratings: int | float  # each vote of an annotator counts
    missing_share: float
    pairable_items: int | float  # rated by two or more annotators
    single_rated_items: int | float  # rated by one annotator
    unrated_items: int | float
    smallest_panel: int  # minimum number of ratings of a rated item
    largest_panel: int  # maximum number of ratings of an item
    task: str
    anonymous: bool
    labels_declared: bool


def validate(ratings: xr.Dataset) -> None:
    """Refuse a Dataset that is not a ratings Dataset, or on which agreement cannot be measured.

    Parameters
    ----------
    ratings
        The Dataset to check; it is not changed.

    Raises
    ------
    IaaError
        If the layout or a value is invalid, there are no ratings, or no item was rated by two
        annotators.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> iaa.data.validate(iaa.from_wide([["a", "b"], ["a", "a"]]))
    """
    check(span_ratings(ratings))
    check_items(span_ratings(ratings))


def mass(ratings: xr.Dataset, p: float = 1.0) -> xr.DataArray:
    """Return the mass of each rating on each label, from which formulas compute agreement.

    The masses of a rating are shares that sum to 1; in a label set, each label has mass 1.

    Parameters
    ----------
    ratings
        A ratings Dataset with labels.
    p
        Share of the primary label, from 0.5 to 1, if a rating has a secondary label; the secondary
        label has the share ``1 - p``.

    Returns
    -------
    xarray.DataArray
        float64 (item, annotator, label); NaN for a missing rating. If ratings are stored by slot,
        the dimensions are (item, slot, label), with the coordinate `annotator_of` (item, slot).

    Raises
    ------
    IaaError
        If ratings are numbers or spans, an annotator has several votes on an item, or p is out of
        range.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> iaa.data.mass(iaa.from_wide([["a", "b"], [None, "a"]])).values.tolist()
    [[[1.0, 0.0], [0.0, 1.0]], [[nan, nan], [1.0, 0.0]]]
    """
    if not is_concrete(p):
        raise OptionError(
            "p is traced, but the ratings cannot be traced: compute whole = mass(ratings).values "
            "and half = mass(ratings, 0.5).values outside the traced function, and in the function "
            "(2 * p - 1) * whole + (2 - 2 * p) * half, since the mass is linear in p "
            "(docs/accelerators.md)"
        )
    check_first_share("p", p)
    task = task_of(ratings)
    if task == "spans":
        raise IaaError(
            "these are spans, which have no shares of labels: see iaa.span_f1 and other functions "
            "of spans"
        )
    if task == "value":
        raise IaaError("these ratings are numbers without labels: use their `value`, not a mass")
    refuse_votes(ratings, "a mass is one judgement of an annotator on an item")
    if task in ("multi_label", "soft"):
        dense = np.array(ratings.variables["mass"].data, dtype=np.float64)
    else:
        dense = _dense(ratings, task, float(p))
    dims = ("item", rating_dim(ratings), "label")
    coords = {name: ratings.coords[name] for name in dims if name in ratings.coords}
    if dims[1] == "slot":
        coords["annotator_of"] = ratings["annotator_of"]
    return xr.DataArray(dense, dims=dims, coords=coords, name="mass")


def summary(ratings: xr.Dataset) -> Summary:
    """Count items, annotators, labels and ratings.

    Parameters
    ----------
    ratings
        A ratings Dataset.

    Returns
    -------
    Summary
        The counts; items and ratings are weighted by ``item_weight``.

    Examples
    --------
    >>> from iaa_jax import from_wide, summary
    >>> counts = summary(from_wide([["a", "b"], ["a", None]]))
    >>> counts.items, counts.ratings, counts.pairable_items, counts.missing_share
    (2, 3, 1, 0.25)
    """
    ratings = span_ratings(ratings)
    task = task_of(ratings)
    known, weight = rated(ratings), weight_of(ratings)
    votes = items_by_panel(known, weight)
    once = without_further_votes(ratings, known)
    items = votes if once is known else items_by_panel(once, weight)
    panel = np.arange(len(votes))
    panels = panel[(votes > 0) & (panel > 0)]
    anonymous = bool(ratings.attrs.get("anonymous", 0))
    annotators = ratings.sizes["annotator"]
    cells = float(items.sum()) * annotators
    filled = float(items @ panel)
    return Summary(
        items=int_if_whole(items.sum()),
        annotators=0 if anonymous else annotators,
        labels=0 if task == "value" else ratings.sizes["label"],
        ratings=int_if_whole(float(votes @ panel)),
        missing_share=1 - filled / cells if cells else 0.0,
        pairable_items=int_if_whole(items[2:].sum()),
        single_rated_items=int_if_whole(items[1]),
        unrated_items=int_if_whole(items[0]),
        smallest_panel=int(panels[0]) if len(panels) else 0,
        largest_panel=int(panels[-1]) if len(panels) else 0,
        task=task,
        anonymous=anonymous,
        labels_declared=bool(ratings.attrs.get("labels_declared", 0)),
    )


def ints_if_whole(values: Floats | Integers) -> NDArray[Any]:
    """Return numbers as integers if all are whole, otherwise unchanged."""
    return values.astype(np.int64) if (values % 1 == 0).all() else values


def int_if_whole(number: float | np.floating) -> int | float:
    """Return a number as an int if it is whole, otherwise as a float."""
    return int(number) if float(number).is_integer() else float(number)


def _dense(ratings: xr.Dataset, task: str, p: float) -> NDArray[np.float64]:
    grid = array_of(ratings, "primary")
    primary = grid.ravel()
    flat = np.zeros((primary.size, ratings.sizes["label"]))
    flat[primary < 0] = np.nan
    cells = np.flatnonzero(primary >= 0)
    flat[cells, primary[cells]] = 1.0
    if task == "primary_secondary":
        secondary = array_of(ratings, "secondary").ravel()
        doubles = np.flatnonzero(secondary >= 0)
        flat[doubles, primary[doubles]] = p
        flat[doubles, secondary[doubles]] = 1.0 - p
    return flat.reshape(*grid.shape, -1)
