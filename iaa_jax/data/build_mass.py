"""Make ratings from shares: an array with the share of each label in each rating."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Values
from iaa_jax.data.assemble import (
    annotator_names,
    checked_names,
    ratings_dataset,
)
from iaa_jax.data.build_counts import labels_of_axis
from iaa_jax.data.checks import SOFT_TOLERANCE
from iaa_jax.data.labels import OFFENDERS
from iaa_jax.data.notices.finished import finished
from iaa_jax.data.storage import python_value
from iaa_jax.data.tables import as_table, unmask
from iaa_jax.wording.formats import counted

MassLike = xr.DataArray | Values | Iterable[Iterable[Iterable[object] | None]]
"""Types in which users give shares: a DataArray, an array, or nested lists."""

DIMS = ("item", "annotator", "label")
SINGLE_PRECISION = 1e-5
"""Maximum difference between a sum of shares and 1: the rounding error of single precision."""


def from_mass(
    array: MassLike,
    labels: Sequence[object] | None = None,
    items: Sequence[object] | None = None,
    annotators: Sequence[object] | None = None,
) -> xr.Dataset:
    """Make ratings from shares: how much of each rating falls on each label.

    Shares may be the probabilities of a model, or state how annotators divide a rating among
    labels. `mass` is the inverse of this function.

    Parameters
    ----------
    array
        Shares (item, annotator, label), which are not negative and sum to 1 over labels, as an
        array or nested lists. A missing rating is NaN on all labels, or None in place of its
        list of shares. The dimensions item, annotator and label of a DataArray may be in any order;
        its coordinates name items, annotators and labels.
    labels
        Names of the labels in order (1, 2, ... if None). For a DataArray that names its labels, all
        possible labels, including its own.
    items, annotators
        Names of the items (numbers from 0 if None) and of the annotators.

    Returns
    -------
    xarray.Dataset
        Ratings of task "soft". If rounding in single precision makes the sum of shares differ from
        1, the shares are divided by the sum. Ratings of a crowd are stored by slot, as in
        `from_long`.

    Raises
    ------
    IaaError
        If the array does not hold numbers along three dimensions, names do not fit, the shares of
        a rating are negative, partly missing, or do not sum to 1, or no item has two ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_mass(
    ...     [[[0.75, 0.25], [1, 0]], [[0, 1], None]], labels=["yes", "no"], annotators=["m", "h"]
    ... )
    >>> ratings.attrs["task"], iaa.summary(ratings).ratings
    ('soft', 3)
    >>> iaa.data.mass(ratings).sel(label="yes").values.tolist()
    [[0.75, 1.0], [0.0, nan]]
    """
    names: dict[str, pd.Index | None] = dict.fromkeys(DIMS)
    if isinstance(array, xr.DataArray):
        if set(array.dims) != set(DIMS):
            dims = ", ".join(map(str, array.dims))
            raise IaaError(f"a mass must have the dimensions {', '.join(DIMS)}, not {dims}")
        array = array.transpose(*DIMS)
        names = {name: array.indexes.get(name) for name in DIMS}
        array = array.values
    shares = _numbers(as_table(array))
    rated_items = checked_names(items, names["item"], shares.shape[0], "item")
    if rated_items is None:
        rated_items = np.arange(shares.shape[0])
    raters = checked_names(annotators, names["annotator"], shares.shape[1], "annotator")
    if raters is None:
        raters = annotator_names(shares.shape[1])
    labelled, codes = labels_of_axis(names["label"], shares.shape[2], labels, "shares")
    _refuse_shares(shares, rated_items, raters)
    sums = shares.sum(axis=2, keepdims=True)
    shares = np.where(np.abs(sums - 1) > SOFT_TOLERANCE, shares / sums, shares)
    mass = np.where(np.isnan(sums), np.nan, np.zeros((*shares.shape[:2], len(labelled.values))))
    mass[:, :, codes] = shares
    ratings = ratings_dataset({"mass": mass}, rated_items, raters, task="soft", labelled=labelled)
    return finished(ratings)


def _numbers(array: MassLike) -> NDArray[np.float64]:
    if isinstance(array, np.ma.MaskedArray):
        array = unmask(array)
    try:
        cells = np.asarray(_even(array) if isinstance(array, (list, tuple)) else array)
        if cells.dtype.kind == "O" and not _holds_text(cells):
            cells = cells.astype(np.float64)
    except (TypeError, ValueError):
        cells = np.empty(0, dtype=object)
    if cells.dtype.kind not in "biuf":
        raise IaaError("a mass must hold numbers, in lists of the same length (None: not rated)")
    if cells.ndim != 3:
        raise IaaError(
            f"a mass must have three dimensions, items x annotators x labels, not {cells.ndim}"
        )
    if 0 in cells.shape:
        shape = " x ".join(map(str, cells.shape))
        raise IaaError(f"there is no rating in the data: the mass is empty, {shape}")
    return cells.astype(np.float64)


def _even(rows: Sequence[object]) -> list[list[object]]:
    """Return nested lists, with each missing rating (None) replaced by NaN on all labels."""
    kinds = (list, tuple, np.ndarray)
    ratings = [list(row) if isinstance(row, kinds) else [row] for row in rows]
    lists = (cell for row in ratings for cell in row if isinstance(cell, kinds) and np.ndim(cell))
    missing = [np.nan] * len(next(lists, ()))
    return [[missing if cell is None else cell for cell in row] for row in ratings]


def _holds_text(cells: Values) -> bool:
    return any(isinstance(cell, (str, bytes)) for cell in cells.ravel())


def _refuse_shares(shares: NDArray[np.float64], items: Values, annotators: Values) -> None:
    absent = np.isnan(shares)
    rated = ~absent.all(axis=2)
    sums = np.where(absent, 0, shares).sum(axis=2)
    least = np.where(absent, np.inf, shares).min(axis=2, initial=np.inf)
    for wrong, what, remedy in (
        (
            rated & absent.any(axis=2),
            "NaN for a part of the labels",
            "NaN on all labels means not rated, and 0 means no share of a label",
        ),
        (rated & (least < 0), "a share below 0", "make shares of them first, as softmax does"),
        (rated & (sums == 0), "0 on all labels", "write NaN where nobody rated"),
        (
            rated & ~(np.abs(sums - 1) <= SINGLE_PRECISION),
            "shares that do not sum to 1",
            "divide the shares by their sum, or correct them",
        ),
    ):
        cells = np.argwhere(wrong)
        if len(cells):
            first = "; ".join(
                f"item {python_value(items[i])!r}, annotator {python_value(annotators[k])!r} (sum "
                f"{sums[i, k]:.6g})"
                for i, k in cells[:OFFENDERS]
            )
            more = f"; and {len(cells) - OFFENDERS:,} more" if len(cells) > OFFENDERS else ""
            raise IaaError(f"{counted(len(cells), 'rating')} with {what}: {first}{more}; {remedy}")
