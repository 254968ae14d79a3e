"""Make ratings from tables whose cells are label sets or numbers."""

from __future__ import annotations

from collections.abc import Sequence, Set as AbstractSet
from decimal import Decimal
from numbers import Integral, Real

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Integers, Values
from iaa_jax.data.assemble import (
    IndexedNames,
    cell_name,
    describe_cell,
    grid_of,
    name_of_rows,
    ratings_dataset,
    refuse_no_annotators,
)
from iaa_jax.data.cells import floats_hold, is_missing
from iaa_jax.data.coded_sets import distinct_sets, mass_of_sets, packed_sets
from iaa_jax.data.factorize import factorize
from iaa_jax.data.labels import CodedLabels, Where, code_columns
from iaa_jax.data.notices.finished import finished
from iaa_jax.data.rating_cells import check_room, rating_cells
from iaa_jax.data.storage import python_value
from iaa_jax.data.tables import TableLike, as_table
from iaa_jax.wording.formats import counted


def from_sets(rows: TableLike, labels: Sequence[object] | None = None) -> xr.Dataset:
    """Make ratings in which an annotator gives each item any number of labels.

    Parameters
    ----------
    rows
        A table of items x annotators, in any form that `from_wide` takes, whose cells are
        collections of labels (list, set, tuple, frozenset). None means not rated; an empty
        collection means that the annotator chose none of the labels.
    labels
        All possible labels in their order; if None, the labels that occur.

    Returns
    -------
    xarray.Dataset
        Ratings of task "multi_label"; ratings of a crowd are stored by slot, as in `from_long`.

    Raises
    ------
    IaaError
        If a cell is not a collection, a member is missing or not among the declared labels, or no
        item has two ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets([[{"joy"}, {"joy", "fear"}], [[], None]])
    >>> ratings["label"].values.tolist()
    ['fear', 'joy']
    >>> ratings["mass"].values.tolist()
    [[[0.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [nan, nan]]]
    """
    table = as_table(rows)
    cells, items, annotators = grid_of(table)
    flat = cells.ravel()
    sets = [_members(cell) for cell in flat]
    where = describe_cell(items, annotators)

    wrong = [k for k, members in enumerate(sets) if members is None]
    if wrong:
        raise IaaError(
            f"{counted(len(wrong), 'cell')} not a collection of labels: "
            f"{brief(flat[wrong[0]])} at {where(wrong[0])}; write [label] for a single label, "
            "[] for none of the labels and None for not rated"
        )
    sizes = [len(members or ()) for members in sets]
    cell_of = np.repeat(np.arange(len(sets)), sizes)
    chosen = (member for members in sets for member in members or ())
    members = np.fromiter(chosen, dtype=object, count=len(cell_of))
    labelled = code_columns([factorize(members)], labels, lambda k: where(int(cell_of[k])))
    missing = np.flatnonzero(labelled.codes[0] < 0)
    if missing.size:
        raise IaaError(
            f"{counted(missing.size, 'set')} with a missing member (None or NaN), "
            f"the first at {where(int(cell_of[missing[0]]))}; remove it from the set"
        )
    rated_cells = np.flatnonzero([not is_missing(cell) for cell in flat])
    packed = _packed(np.searchsorted(rated_cells, cell_of), labelled, len(rated_cells))
    where_rated = np.divmod(rated_cells, max(len(annotators), 1))
    ratings = _ratings_from_sets(where_rated, distinct_sets(packed), items, annotators, labelled)
    return finished(ratings, rows=name_of_rows(table))


def set_ratings(
    items: IndexedNames,
    annotators: IndexedNames,
    answers: tuple[Integers, Sequence[tuple[object, ...]]],
    labels: Sequence[object] | None,
    where: Where,
    *,
    parse: bool = True,
    anonymous: bool = False,
    votes: bool = False,
) -> xr.Dataset:
    """Make ratings from rows with label sets, whose items and annotators are already coded.

    `answers` are the index of each row's set (-1: not rated), and the distinct sets as tuples of
    labels. If an annotator rates an item in several rows, the sets are united, unless the rows are
    `votes`. `where` describes a row in messages.
    """
    (item_codes, item_names), (annotator_codes, annotator_names) = items, annotators
    codes, sets = answers
    rated_rows = np.flatnonzero(codes >= 0)
    members = [(number, member) for number, group in enumerate(sets) for member in group]
    set_of = np.array([number for number, _ in members], dtype=np.int64)

    def row_of(position: int) -> str:
        return where(int(np.argmax(codes == set_of[position])))

    flat = np.fromiter((member for _, member in members), dtype=object, count=len(members))
    labelled = code_columns([factorize(flat)], labels, row_of, parse=parse)
    missing = np.flatnonzero(labelled.codes[0] < 0)
    if missing.size:
        raise IaaError(
            f"{counted(missing.size, 'set')} with a missing member, the first at "
            f"{row_of(int(missing[0]))}; remove it from the set"
        )
    chosen = _packed(set_of, labelled, len(sets)), codes[rated_rows]
    key = item_codes[rated_rows] * np.int64(max(len(annotator_names), 1))
    key += annotator_codes[rated_rows]
    rating_of, ratings = pd.factorize(key)
    votes = votes and len(ratings) < len(key)
    if len(ratings) < len(key) and not votes:
        chosen, key = _united(*chosen, rating_of), ratings
        _check_table(len(chosen[0]), labelled, int(np.unpackbits(chosen[0]).sum()))
    rows = np.divmod(key, max(len(annotator_names), 1))
    names = (item_names, annotator_names)
    return _ratings_from_sets(rows, chosen, *names, labelled, anonymous=anonymous, votes=votes)


def from_values(array: TableLike) -> xr.Dataset:
    """Make ratings whose values are numbers on an interval or ratio scale.

    Parameters
    ----------
    array
        A table of items x annotators, in any form that `from_wide` takes, whose cells are numbers;
        None and NaN mean not rated.

    Returns
    -------
    xarray.Dataset
        Ratings of task "value"; ratings of a crowd are stored by slot, as in `from_long`.

    Raises
    ------
    IaaError
        If a cell is not a finite number, a column of a DataFrame contains ids, or no item has two
        ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> iaa.from_values([[1.5, 2], [3, None]])["value"].values.tolist()
    [[1.5, 2.0], [3.0, nan]]
    """
    table = as_table(array)
    cells, items, annotators = grid_of(table)
    if isinstance(table, pd.DataFrame):
        otherwise = "or rename the column if an annotator gave these numbers"
        refuse_no_annotators(cells, annotators, otherwise)
    if cells.dtype.kind in "bf" or (cells.dtype.kind in "iu" and floats_hold(cells)):
        value = cells.astype(np.float64)
    else:
        value = _numbers(cells, items, annotators)
    ratings = ratings_dataset({"value": value}, items, annotators, task="value")
    return finished(ratings, rows=name_of_rows(table))


def _packed(set_of: Integers, labelled: CodedLabels, sets: int) -> NDArray[np.uint8]:
    """Return label sets as rows of bits; ``set_of`` is the set that each member belongs to."""
    _check_table(sets, labelled, len(set_of))
    return packed_sets(set_of, labelled.codes[0], (sets, len(labelled.values)))


def _check_table(sets: int, labelled: CodedLabels, members: int) -> None:
    labels = len(labelled.values)
    check_room(
        8 * labels * sets,
        8 * members,
        lambda: f"a table of {labels:,} labels in {sets:,} sets",
        "are these sets of labels, or texts that were split?",
    )


def _united(
    packed: NDArray[np.uint8], codes: Integers, rating_of: Integers
) -> tuple[NDArray[np.uint8], Integers]:
    order = np.argsort(rating_of, kind="stable")
    first = np.flatnonzero(np.diff(rating_of[order], prepend=-1))
    return distinct_sets(np.bitwise_or.reduceat(packed[codes[order]], first, axis=0))


def _ratings_from_sets(
    rows: tuple[Integers, Integers],
    chosen: tuple[NDArray[np.uint8], Integers],
    items: Values,
    annotators: Values,
    labelled: CodedLabels,
    *,
    anonymous: bool = False,
    votes: bool = False,
) -> xr.Dataset:
    """Make ratings from label sets as rows of bits.

    ``rows`` are the item and the annotator of each rating. ``chosen`` are the distinct sets, and
    the index of each rating's set.
    """
    packed, codes = chosen
    codes = codes.astype(np.min_scalar_type(-len(packed) - 1))
    size, names = codes.itemsize, (items, annotators)
    storage, _ = rating_cells(*rows, names, anonymous=anonymous, size=size, votes=votes)
    mass = mass_of_sets(storage.filled(codes), packed, len(labelled.values))
    return ratings_dataset(
        {"mass": mass},
        items,
        annotators,
        task="multi_label",
        labelled=labelled,
        annotator_of=storage.annotator_of,
        anonymous=anonymous,
    )


def _members(cell: object) -> tuple[object, ...] | None:
    """Return the labels in a cell, () for a missing rating; None if the cell is no collection."""
    if isinstance(cell, (list, tuple, AbstractSet)):
        # a set has no order: sorting makes the Dataset the same whenever the data are the same
        return tuple(sorted(cell, key=str) if isinstance(cell, AbstractSet) else cell)
    if isinstance(cell, np.ndarray) and cell.ndim == 1:
        return tuple(cell.tolist())
    return () if is_missing(cell) else None


def _numbers(cells: Values, items: Values, annotators: Values) -> NDArray[np.float64]:
    flat = cells.ravel()
    absent = np.asarray(pd.isna(flat))
    real = [
        isinstance(cell, (Real, Decimal)) and not isinstance(cell, np.timedelta64) for cell in flat
    ]
    text = ~np.array(real, dtype=bool) & ~absent
    if text.any():
        position = int(text.argmax())
        row, column = divmod(position, len(annotators))
        cell = brief(python_value(flat[position]))
        raise IaaError(
            f"{counted(int(text.sum()), 'cell')} not a number: {cell} at "
            f"{cell_name(items[row], annotators[column])}; labels that are not numbers go to "
            "from_wide"
        )
    lost = [_is_whole(cell) and not _held(int(cell)) for cell in flat]
    if any(lost):
        row, column = divmod(lost.index(True), len(annotators))
        raise IaaError(
            f"{counted(sum(lost), 'whole number')} that floats cannot hold exactly: "
            f"{brief(python_value(flat[lost.index(True)]))} at "
            f"{cell_name(items[row], annotators[column])}; subtract the same number from all "
            "ratings, which changes no coefficient that depends on differences only"
        )
    value = np.full(flat.shape, np.nan)
    value[~absent] = flat[~absent].astype(np.float64)
    return value.reshape(cells.shape)


def _is_whole(cell: object) -> bool:
    if isinstance(cell, Decimal):
        return cell.is_finite() and cell == cell.to_integral_value()
    return isinstance(cell, Integral)


def _held(number: int) -> bool:
    """Tell whether a float equals this whole number."""
    try:
        return int(float(number)) == number
    except OverflowError:
        return False
