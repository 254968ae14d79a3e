"""The steps that the constructors share: names, grids of cells, and the finished Dataset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.labels import CodedLabels, Where
from iaa_jax.data.schema import validate
from iaa_jax.data.slots import slot_attrs, to_usual_form
from iaa_jax.data.storage import codings, label_memory, python_value
from iaa_jax.data.usual import ITEM, usual_name
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

FIRST = 1000  # rows that are looked at first
JOINT = " | "  # between the parts of an item id that was made of several columns

TableLike = pd.DataFrame | Values | Iterable[Iterable[object]]
"""A table as users have it: a frame, an array, or rows of cells."""

IndexedNames = tuple[Integers, Values]  # code of each row (-1: missing), names


def single_ratings(
    labelled: CodedLabels,
    grids: Sequence[Values],
    items: Values,
    annotators: Values,
    *,
    item_weight: NDArray[np.float64] | None = None,
    annotator_of: NDArray[np.int32] | None = None,
    anonymous: bool = False,
) -> xr.Dataset:
    """Wrap grids of codes (primary, then any secondary) in a validated ratings Dataset."""
    task = "single" if len(grids) == 1 else "primary_secondary"
    return ratings_dataset(
        dict(zip(("primary", "secondary"), grids, strict=False)),
        items,
        annotators,
        task=task,
        labelled=labelled,
        item_weight=item_weight,
        annotator_of=annotator_of,
        anonymous=anonymous,
    )


def ratings_dataset(
    grids: dict[str, Values],
    items: Values,
    annotators: Values,
    *,
    task: str,
    labelled: CodedLabels | None = None,
    item_weight: NDArray[np.float64] | None = None,
    annotator_of: NDArray[np.int32] | None = None,
    anonymous: bool = False,
) -> xr.Dataset:
    """Put storage, names and attributes together in the form that the size asks for, and validate.

    The storage is dense, or by slot where `annotator_of` (item, slot) is given.
    """
    dims = ("item", "annotator" if annotator_of is None else "slot", "label")
    data: dict[str, object] = {name: (dims[: grid.ndim], grid) for name, grid in grids.items()}
    # an index of objects spares a million ids the way through the text type of pandas
    index = pd.Index(items, dtype=object) if items.dtype == object else items
    coords: dict[str, object] = {"item": index, "annotator": annotators}
    if labelled is not None:
        coords["label"] = labelled.values
    if item_weight is not None:
        data["item_weight"] = ("item", item_weight)
    attrs: dict[str, int | str] = {
        "task": task,
        "labels_declared": int(labelled is not None and labelled.declared),
        "labels_ordered": int(labelled is not None and labelled.ordered),
        "anonymous": int(anonymous),
    }
    if task in ("single", "primary_secondary") and labelled is not None:
        attrs["label_order"] = label_memory(labelled.values)
    if annotator_of is not None:
        data["annotator_of"] = (dims[:2], annotator_of)
        attrs |= slot_attrs(annotators, annotator_of)
    data |= codings(attrs, len(items))
    ratings = xr.Dataset(data, coords=coords, attrs=attrs)
    if annotator_of is None:
        ratings = to_usual_form(ratings)
    validate(ratings)
    return ratings


def grid_of(table: TableLike) -> tuple[Values, Values, Values]:
    """Take a table of items x annotators apart: cells, item names, annotator names."""
    if isinstance(table, pd.DataFrame):
        items, annotators = names_of(table.index), names_of(table.columns)
        _refuse_repeated(items, "item")
        _refuse_repeated(annotators, "annotator")
        return _frame_cells(table), items, annotators
    cells = _array_cells(table)
    return cells, np.arange(len(cells)), annotator_names(cells.shape[1])


def refuse_no_annotators(cells: Values, names: Values, otherwise: str) -> None:
    """Refuse columns that hold no ratings: ids of items, and texts that nobody gave twice."""
    ids = usual_name([str(name) for name in names], ITEM)
    different = []
    for k, name in enumerate(names.tolist()):
        column = pd.Series(cells[:, k]).dropna()
        text = str(name) == ids or any(isinstance(value, str) for value in column[:FIRST])
        # labels repeat among the first already
        if len(column) > 2 and text and column[:FIRST].is_unique and column.is_unique:
            different.append(k)
    if not different:
        return
    others = set(np.delete(cells, different, axis=1).ravel().tolist())
    wrong = [
        names[k]
        for k in different
        if str(names[k]) == ids or (others and others.isdisjoint(cells[:, k].tolist()))
    ]
    if wrong:
        index = ids if ids in wrong else wrong[0]
        msg = (
            f"{counted(len(wrong), 'column')} without ratings: {shown(wrong)}, where every item "
            f"has a value of its own; name the items by frame.set_index({brief(index)}) {otherwise}"
        )
        raise IaaError(msg)


def annotator_names(count: int) -> Values:
    """Names of annotators that nobody named."""
    return np.array([f"annotator {number}" for number in range(1, count + 1)], dtype=object)


def checked_names(
    wanted: Sequence[object] | None, index: pd.Index | None, count: int, noun: str
) -> Values | None:
    """The names along an axis: those given, else those that it has; None where there are none."""
    if wanted is None:
        if index is None:
            return None
        names = names_of(index)
    elif isinstance(wanted, str) or len(wanted) != count:
        what = repr(wanted) if isinstance(wanted, str) else counted(len(wanted), "name")
        msg = f"{named(f'{noun}s')} names each of {counted(count, noun)}, and this is {what}"
        raise IaaError(msg)
    else:
        names = names_of(pd.Index(list(wanted)))
    _refuse_repeated(names, noun)
    return names


def _refuse_repeated(names: Values, noun: str) -> None:
    index = pd.Index(names)
    if not index.is_unique:
        twice = index[index.duplicated()].unique().tolist()
        msg = (
            f"{counted(len(twice), f'{noun} name')} occurring more than once: "
            f"{shown(twice)}; each {noun} needs a name of its own"
        )
        raise IaaError(msg)


def names_of(index: pd.Index) -> Values:
    """Make coordinate values from an index: whole numbers stay, anything else becomes text."""
    if isinstance(index, pd.MultiIndex):
        return joined_text([np.asarray(index.get_level_values(k)) for k in range(index.nlevels)])
    return name_array(np.asarray(index))


def name_array(values: Values) -> Values:
    """Make coordinate values: whole numbers stay, anything else becomes text."""
    if values.dtype.kind in "iu":
        return values
    if values.dtype.kind == "f" and np.isfinite(values).all() and (values % 1 == 0).all():
        return values.astype(np.int64)
    texts = np.empty(len(values), dtype=object)
    texts[:] = [value if type(value) is str else str(python_value(value)) for value in values]
    return texts


def joined_text(parts: Sequence[Values]) -> Values:
    """Join id columns to texts such as "12 | joy"."""
    texts = np.empty(len(parts[0]), dtype=object)
    columns = [[str(python_value(value)) for value in part] for part in parts]
    texts[:] = [JOINT.join(row) for row in zip(*columns, strict=True)]
    return texts


def join_ids(ids: Sequence[IndexedNames]) -> IndexedNames:
    """Merge indexed id columns to one; an id with a missing part is missing."""
    codes, names = ids[0]
    if len(ids) == 1:
        return codes, names
    key = codes.astype(np.int64)
    missing = codes < 0
    for more, part in ids[1:]:
        key = key * len(part) + more
        missing |= more < 0
    rows = np.flatnonzero(~missing)
    known, distinct = pd.factorize(key[rows])
    index = np.full(len(key), -1)
    index[rows] = known
    first = np.empty(len(distinct), dtype=np.int64)
    first[known[::-1]] = rows[::-1]  # the last write wins: the first row of each id
    return index, joined_text([part[codes_of[first]] for codes_of, part in ids])


def told_apart(items: IndexedNames, annotators: IndexedNames, rated: Values) -> IndexedNames:
    """Annotators, with the second rating of an item by "ann" as one by "ann (2)", and so on."""
    code, names = annotators[0].astype(np.int64), annotators[1]
    rows = np.flatnonzero(np.asarray(rated, dtype=bool) & (items[0] >= 0) & (code >= 0))
    frame = pd.DataFrame({"item": items[0][rows], "annotator": code[rows]})
    turn = frame.groupby(["item", "annotator"], sort=False).cumcount().to_numpy()
    repeats, place = np.unique(
        np.stack([turn[turn > 0], code[rows][turn > 0]]), axis=1, return_inverse=True
    )
    again = [repeated_name(names[who], int(number)) for number, who in repeats.T.tolist()]
    new = code.copy()
    new[rows[turn > 0]] = len(names) + place.reshape(-1)
    every = np.empty(len(names) + len(again), dtype=object)
    every[:] = [*(python_value(name) for name in names), *again]
    return new, every


def repeated_name(name: object, number: int) -> str:
    """The name under which an annotator's further ratings of the same items stand."""
    return f"{python_value(name)} ({number + 1})"


def item_and_annotator(items: IndexedNames, annotators: IndexedNames, row: int) -> str:
    """Name item and annotator of a row; None where one is missing."""
    item, annotator = (
        None if codes[row] < 0 else python_value(names[codes[row]])
        for codes, names in (items, annotators)
    )
    return cell_name(item, annotator)


def cell_name(item: object, annotator: object) -> str:
    """Name a cell in a message."""
    return f"item {brief(python_value(item))}, annotator {brief(python_value(annotator))}"


def flat_column(column: pd.Series) -> Values:
    """Give a column as a NumPy array without copying numbers through objects."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind not in "mM":
        return np.asarray(column)
    if pd.api.types.is_bool_dtype(column.dtype) or not pd.api.types.is_numeric_dtype(column.dtype):
        return column.astype(object).to_numpy()
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _frame_cells(table: pd.DataFrame) -> Values:
    columns = [flat_column(table.iloc[:, k]) for k in range(table.shape[1])]
    if not columns:
        return np.empty(table.shape, dtype=object)
    if all(column.dtype.kind in "iuf" for column in columns):
        return np.column_stack(columns)
    cells = np.empty(table.shape, dtype=object)
    for k, column in enumerate(columns):
        cells[:, k] = column
    return cells


def _array_cells(table: Values | Iterable[Iterable[object]]) -> Values:
    if not isinstance(table, np.ndarray):
        try:
            rows = [list(row) if not isinstance(row, (str, bytes)) else None for row in table]
        except TypeError:
            rows = [None]
        if None in rows:
            msg = "ratings must be a table with a row for each item and a column for each annotator"
            raise IaaError(msg)
        width = len(rows[0] or []) if rows else 0
        uneven = [k for k, row in enumerate(rows) if len(row or []) != width]
        if uneven:
            msg = (
                f"{counted(len(uneven), 'row')} not as long as the first ({width:,} cells): "
                f"row {shown(uneven)}; write None where an item was not rated"
            )
            raise IaaError(msg)
        # cell by cell: np.array would turn [["a", None]] and [[1, "a"]] into text
        flat = (None if cell is np.ma.masked else cell for row in rows for cell in row or [])
        table = np.fromiter(flat, dtype=object, count=len(rows) * width).reshape(len(rows), width)
    if table.ndim != 2:
        msg = f"ratings must have two dimensions, items x annotators, not {table.ndim}"
        raise IaaError(msg)
    if np.ma.isMaskedArray(table):
        return unmask(table)
    return as_objects(table) if table.dtype.kind in "mM" else table


def unmask(array: Values) -> Values:
    """Put None where a masked array hides a cell."""
    cells = np.ma.getdata(array).astype(object)
    cells[np.ma.getmaskarray(array)] = None
    return np.asarray(cells)


def as_objects(times: Values) -> Values:
    """Bring times to objects that are times: NumPy itself makes numbers of them."""
    return np.asarray(pd.Series(times.ravel()).astype(object)).reshape(times.shape)


def is_missing(cell: object) -> bool:
    """Whether a cell holds nothing."""
    return cell is None or cell is pd.NA or (pd.api.types.is_scalar(cell) and cell != cell)


def describe_cell(items: Values, annotators: Values) -> Where:
    """What names the item and the annotator of a cell of a table, by its number row by row."""

    def where(position: int) -> str:
        row, column = divmod(position, len(annotators))
        return cell_name(items[row], annotators[column])

    return where
