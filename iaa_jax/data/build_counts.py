"""Make ratings from the counts of each item's labels, or from a contingency table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Integers, Values
from iaa_jax.data.assemble import axis_names, single_ratings
from iaa_jax.data.categories import ordered_categories
from iaa_jax.data.cells import flat_column
from iaa_jax.data.factorize import factorize
from iaa_jax.data.label_values import listed
from iaa_jax.data.labels import CodedLabels, code_columns
from iaa_jax.data.margins import (
    lines_of,
    notes_on_contingency,
    notes_on_counts,
    refuse_totals,
)
from iaa_jax.data.notices.finished import finished
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.data.provenance import with_caution
from iaa_jax.data.rating_cells import NAME_BYTES, check_room
from iaa_jax.data.tables import TableLike, as_table, unmask
from iaa_jax.wording.formats import counted

NO_NUMBERS = (complex, np.complexfloating, date, timedelta, np.datetime64, np.timedelta64)
"""Types of cells that are not counts, although NumPy would convert them to numbers."""


def from_counts(table: TableLike, labels: Sequence[object] | None = None) -> xr.Dataset:
    """Make ratings from the number of times that each item received each label.

    The annotators are unknown.

    Parameters
    ----------
    table
        A table of items x labels with non-negative whole numbers: a frame whose columns are labels,
        or an array, in any form that `from_wide` accepts.
    labels
        Names of the labels in order. For an array, these are the labels of its columns (1, 2, ...
        if None); for a DataFrame, all possible labels, including those of its columns.

    Returns
    -------
    xarray.Dataset
        Ratings of task "single" with the anonymous annotators "rating 1", "rating 2", ..., as many
        as the maximum number of ratings of an item. The ratings of an item are in the order of the
        labels.

    Raises
    ------
    IaaError
        If a count is negative, not whole, missing or masked, a row or column contains totals, a
        name occurs twice, labels do not fit, or no item has two ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_counts([[2, 1], [0, 2]], labels=["no", "yes"])
    >>> ratings["primary"].values.tolist()
    [[0, 0, 1], [1, 1, -1]]
    """
    return finished(counted_ratings(table, labels))


def counted_ratings(table: TableLike, labels: Sequence[object] | None) -> xr.Dataset:
    """Return what `from_counts` returns, without the cautions that `finished` adds."""
    counts, rows, columns = _counts(table)
    lines = lines_of(counts, rows, columns)
    refuse_totals(lines)
    labelled, codes = labels_of_axis(columns, counts.shape[1], labels, "counts")
    row_names = _row_names(rows, len(counts))
    _refuse_counts(counts, row_names, labelled.values[codes])
    dense = np.zeros((len(counts), len(labelled.values)), dtype=np.int64)
    dense[:, codes] = counts
    _check_totals(counts, row_names)
    totals = dense.sum(axis=1)
    slots = int(totals.max(initial=0))
    primary = np.full((len(dense), slots), -1, dtype=codes.dtype)
    label = np.tile(np.arange(dense.shape[1], dtype=codes.dtype), len(dense))
    primary[np.arange(slots) < totals[:, None]] = np.repeat(label, dense.ravel())
    annotators = np.array([f"rating {k}" for k in range(1, slots + 1)], dtype=object)
    ratings = single_ratings(labelled, [primary], row_names, annotators, anonymous=True)
    for note in notes_on_counts(*lines):
        ratings = with_caution(ratings, note)
    return ratings


def from_contingency(table: TableLike, labels: Sequence[object] | None = None) -> xr.Dataset:
    """Make ratings of two annotators from their contingency table: label x label counts.

    Parameters
    ----------
    table
        A square table: rows are labels of annotator 1, columns labels of annotator 2. The index and
        columns of a DataFrame are names of labels; its rows are put in the order of its columns. If
        both axes have names, and these differ, they are the names of the annotators.
    labels
        Names of the labels in order. For an array, these are the labels of its rows and columns (1,
        2, ... if None); for a DataFrame, all possible labels, including those of the table.

    Returns
    -------
    xarray.Dataset
        Ratings of task "single" with one item for each cell, and the cell's count as `item_weight`.

    Raises
    ------
    IaaError
        If the table is not square, a row or column contains totals, its rows and columns name
        different labels, a count is negative, not whole or missing, or all counts are zero.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> ratings["primary"].values.tolist(), ratings["item_weight"].values.tolist()
    ([[0, 0], [0, 1], [1, 0], [1, 1]], [20.0, 5.0, 10.0, 15.0])
    """
    return finished(cross_ratings(table, labels), made_up_items=True)


def cross_ratings(table: TableLike, labels: Sequence[object] | None) -> xr.Dataset:
    """Return what `from_contingency` returns, without the cautions that `finished` adds."""
    counts, rows, columns = _counts(table)
    lines = lines_of(counts, rows, columns)
    refuse_totals(lines)
    if counts.shape[0] != counts.shape[1]:
        raise IaaError(
            f"a contingency table must be square, not {counts.shape[0]} rows x "
            f"{counts.shape[1]} columns; add the labels that one annotator never used with "
            "counts of 0"
        )
    labelled, codes = labels_of_axis(columns, counts.shape[1], labels, "counts")
    annotators = np.array(["annotator 1", "annotator 2"], dtype=object)
    if rows is not None and columns is not None:
        counts = counts[_row_order(rows, columns)]
        axes = (rows.name, columns.name)
        if None not in axes and axes[0] != axes[1]:
            annotators[:] = [str(name) for name in axes]
    column_names = labelled.values[codes]
    row_names = np.array([f"annotator 1: {name}" for name in column_names], dtype=object)
    _refuse_counts(counts, row_names, column_names)
    dense = np.zeros((len(labelled.values),) * 2)
    dense[np.ix_(codes, codes)] = counts
    first, second = np.indices(dense.shape).reshape(2, -1)
    primary = np.stack([first, second], axis=1).astype(labelled.codes[0].dtype)
    texts = [str(value) for value in labelled.values.tolist()]
    items = np.array([f"{a}{JOINT}{b}" for a in texts for b in texts], dtype=object)
    ratings = single_ratings(labelled, [primary], items, annotators, item_weight=dense.ravel())
    for note in notes_on_contingency(*lines):
        ratings = with_caution(ratings, note)
    return ratings


def _counts(table: TableLike) -> tuple[Floats, pd.Index | None, pd.Index | None]:
    """Return the counts of a table as float64 (NaN: missing), and the names of rows and columns."""
    table = as_table(table)
    rows, columns = (
        (table.index, table.columns) if isinstance(table, pd.DataFrame) else (None, None)
    )
    try:
        cells = _frame_cells(table) if isinstance(table, pd.DataFrame) else _array_cells(table)
        no_number = _find_non_numbers(cells)
        numeric = np.where(no_number, 0, cells.astype(object)) if no_number.any() else cells
        counts = numeric.astype(np.float64)
    except (TypeError, ValueError):
        raise IaaError("a table of counts must hold numbers in rows of the same length") from None
    if counts.ndim != 2:
        raise IaaError(f"a table of counts must have two dimensions, not {counts.ndim}")
    if counts.size == 0:
        raise IaaError("the table of counts is empty: there is no rating in the data")
    if no_number.any():
        headers = np.arange(1, counts.shape[1] + 1) if columns is None else np.asarray(columns)
        remedy = "counts are whole numbers: convert these first"
        _refuse(cells, no_number, (_row_names(rows, len(counts)), headers), "not a number", remedy)
    return counts, rows, columns


def _array_cells(table: TableLike) -> Values:
    """Return the cells of an array or of a list of rows; masked cells and None become NaN."""
    if isinstance(table, np.ma.MaskedArray):
        table = unmask(table)
    elif isinstance(table, (list, tuple)):
        kinds = (list, tuple, np.ma.MaskedArray)
        hidden = np.ma.masked
        if any(cell is hidden for row in table if isinstance(row, kinds) for cell in row):
            table = [[None if cell is hidden else cell for cell in row] for row in table]
    cells = np.asarray(table)
    return np.where(pd.isna(cells), np.nan, cells) if cells.dtype.kind == "O" else cells


def _frame_cells(table: pd.DataFrame) -> Values:
    columns = [flat_column(table.iloc[:, k]) for k in range(table.shape[1])]
    if columns and all(column.dtype.kind in "biuf" for column in columns):
        return np.column_stack(columns)
    cells = np.empty(table.shape, dtype=object)
    for k, column in enumerate(columns):
        cells[:, k] = column
        cells[pd.isna(column), k] = np.nan
    return cells


def _find_non_numbers(cells: Values) -> NDArray[np.bool_]:
    """Tell which cells are times or complex numbers, which NumPy would convert to counts."""
    if cells.dtype.kind != "O":
        return np.full(cells.shape, cells.dtype.kind in "cmM")
    hits = np.frompyfunc(lambda cell: isinstance(cell, NO_NUMBERS), 1, 1)(cells)
    return np.asarray(hits, dtype=bool)


def labels_of_axis(
    columns: pd.Index | None, width: int, labels: Sequence[object] | None, noun: str
) -> tuple[CodedLabels, Integers]:
    """Return the labels, and the code of the label of each column.

    ``columns`` are the names of the columns, if they have any. ``noun`` is what a column contains,
    such as "counts", for messages.
    """
    if labels is not None:
        labels = listed(labels)
    elif columns is not None:
        labels = ordered_categories([columns.dtype])
    if columns is None:
        if labels is not None and len(labels) != width:
            raise IaaError(f"{len(labels):,} labels are declared for {width:,} columns of {noun}")
        names = list(range(1, width + 1)) if labels is None else list(labels)
    else:
        names = columns.tolist()
        repeated = columns[columns.duplicated()].unique().tolist()
        if repeated:
            raise IaaError(
                f"{counted(len(repeated), 'label')} named by several columns: {shown(repeated)}"
            )
    flat = np.fromiter(names, dtype=object, count=len(names))
    labelled = code_columns([factorize(flat)], labels, _column)
    missing = np.flatnonzero(labelled.codes[0] < 0)
    if missing.size:
        raise IaaError(
            f"{counted(missing.size, 'column')} of {noun} without a label: {_column(missing[0])}"
        )
    _refuse_one_label(labelled, columns, noun)
    if labels is None and not labelled.ordered:
        # text labels keep the order of the columns, although nobody declared this order
        by_column = code_columns(
            [factorize(flat)], labelled.values[labelled.codes[0]].tolist(), _column
        )
        labelled = CodedLabels(by_column.codes, by_column.values, declared=False, ordered=False)
    return labelled, labelled.codes[0]


def _refuse_one_label(labelled: CodedLabels, columns: pd.Index | None, noun: str) -> None:
    """Refuse columns whose names spell the same number in different ways."""
    again = pd.Series(labelled.codes[0]).duplicated(keep=False).to_numpy()
    if columns is not None and again.any():
        raise IaaError(
            f"{counted(int(again.sum()), 'column')} of {noun} have names that spell the same "
            f"number: {shown(columns[again].tolist())}; add them up, or rename them"
        )


def _column(index: int) -> str:
    return f"column {index + 1}"


def _row_order(rows: pd.Index, columns: pd.Index) -> Integers:
    order = rows.get_indexer(columns) if rows.is_unique else np.array([-1])
    if (order < 0).any():
        raise IaaError(
            f"rows and columns of a contingency table must name the same labels: "
            f"rows {shown(rows.tolist())}, columns {shown(columns.tolist())}; if they are in the "
            "same order, give a DataFrame with frame.index = frame.columns"
        )
    return np.asarray(order)


def _row_names(rows: pd.Index | None, count: int) -> Values:
    return np.arange(count) if rows is None else axis_names(rows, "item")


def _check_totals(counts: Floats, rows: Values) -> None:
    totals = counts.sum(axis=1)
    row = int(totals.argmax())
    slots = int(totals[row])
    check_room(
        slots * (len(counts) + NAME_BYTES),
        counts.size,
        lambda: (
            f"the counts of row {rows[row]!s} add up to {slots:,}: "
            f"a table of {counted(len(counts), 'item')} x {slots:,} ratings"
        ),
        "correct them",
    )


def _refuse_counts(counts: Floats, rows: Values, columns: Values) -> None:
    for wrong, fault, remedy in (
        (np.isnan(counts), "missing", "write 0 where nobody chose the label"),
        (np.isinf(counts), "not finite", "correct them"),
        (counts < 0, "negative", "correct them"),
        (np.trunc(counts) != counts, "not whole", "convert shares back to counts"),
    ):
        if wrong.any():
            _refuse(counts, wrong, (rows, columns), fault, remedy)


def _refuse(
    cells: Values,
    wrong: NDArray[np.bool_],
    names: tuple[Values, Values],
    fault: str,
    remedy: str,
) -> None:
    positions = np.argwhere(wrong)
    rows, columns = names
    first = "; ".join(
        f"{_text(cells[i, j])} at row {rows[i]!s}, column {columns[j]!s}" for i, j in positions[:3]
    )
    more = f"; and {len(positions) - 3:,} more" if len(positions) > 3 else ""
    raise IaaError(f"{counted(len(positions), 'count')} {fault}: {first}{more}; {remedy}")


def _text(cell: object) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
