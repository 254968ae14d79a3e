"""Read cells and names of tables, and build ratings Datasets, for all constructors of ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.cells import array_cells, frame_cells
from iaa_jax.data.coded_sets import CodedSets
from iaa_jax.data.label_values import (
    AS_WHOLE,
    EXACT,
    booleans_as_text,
    refuse_no_text,
    text_of,
)
from iaa_jax.data.labels import CodedLabels, Where
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.data.provenance import with_caution
from iaa_jax.data.schema import validate
from iaa_jax.data.slots import to_usual_form
from iaa_jax.data.storage import codings, label_memory, python_value, slot_attrs
from iaa_jax.data.tables import TableLike
from iaa_jax.data.usual_names import ITEM, usual_name
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

GIVEN_BY = "given_by"
"""Name of the coordinate with the real annotator, such as "ann", of repeated ratings that were
attributed to a new annotator, such as "ann (2)".
"""

FIRST = 1000  # number of rows that are examined first

IndexedNames = tuple[Integers, Values]
"""The code of each row's name (-1: missing), and the distinct names."""


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
    """Return a validated ratings Dataset from codes of primary and, if any, secondary labels."""
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
    grids: Mapping[str, Values | CodedSets],
    items: Values,
    annotators: Values,
    *,
    task: str,
    labelled: CodedLabels | None = None,
    item_weight: NDArray[np.float64] | None = None,
    annotator_of: NDArray[np.int32] | None = None,
    anonymous: bool = False,
) -> xr.Dataset:
    """Return a validated ratings Dataset from arrays, names and attributes.

    The first dimensions of ``grids`` are (item, annotator). If `annotator_of` is given, they are
    (item, slot): a slot is the position of a rating within its item, and `annotator_of` is the
    index of the annotator of each slot. Ratings of a crowd (many annotators, few per item) are
    converted to slots.
    """
    dims = ("item", "annotator" if annotator_of is None else "slot", "label")
    data: dict[str, object] = {name: (dims[: grid.ndim], grid) for name, grid in grids.items()}
    # an index of objects avoids the conversion of perhaps a million ids to pandas' text type
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
    for note in () if labelled is None else labelled.notes:
        ratings = with_caution(ratings, note)
    return ratings


def grid_of(table: TableLike) -> tuple[Values, Values, Values]:
    """Return the cells, the item names and the annotator names of a table from `as_table`."""
    if isinstance(table, pd.DataFrame):
        items, annotators = axis_names(table.index, "item"), axis_names(table.columns, "annotator")
        return frame_cells(table), items, annotators
    cells = array_cells(table)
    return cells, np.arange(len(cells)), annotator_names(cells.shape[1])


def name_of_rows(table: TableLike) -> object:
    """Return the name of a frame's index; None for an array, or if the index has no name."""
    return table.index.name if isinstance(table, pd.DataFrame) else None


def refuse_no_annotators(cells: Values, names: Values, otherwise: str) -> None:
    """Refuse columns of item ids, or of texts that all differ and occur in no other column.

    ``otherwise`` ends the message, with a remedy for columns that are not ids.
    """
    ids = usual_name([str(name) for name in names], ITEM)
    different = []
    for k, name in enumerate(names.tolist()):
        column = pd.Series(cells[:, k]).dropna()
        text = str(name) == ids or any(isinstance(value, str) for value in column[:FIRST])
        # in a column of labels, values repeat within the first rows
        if len(column) > 2 and text and _differ(column[:FIRST]) and _differ(column):
            different.append(k)
    if not different:
        return
    try:
        others = set(np.delete(cells, different, axis=1).ravel().tolist())
    except TypeError:  # lists are refused later, with another message
        return
    wrong = [
        names[k]
        for k in different
        if str(names[k]) == ids or (others and others.isdisjoint(cells[:, k].tolist()))
    ]
    if wrong:
        index = ids if ids in wrong else wrong[0]
        raise IaaError(
            f"{counted(len(wrong), 'column')} without ratings: {shown(wrong)}, where every item "
            f"has a different value; name the items by frame.set_index({brief(index)}) {otherwise}"
        )


def _differ(cells: pd.Series) -> bool:
    try:
        return bool(cells.is_unique)
    except TypeError:  # lists are refused later, with another message
        return False


def annotator_names(count: int) -> Values:
    """Return default names for annotators without names."""
    return np.array([f"annotator {number}" for number in range(1, count + 1)], dtype=object)


def checked_names(
    names: Sequence[object] | None, index: pd.Index | None, count: int, noun: str
) -> Values | None:
    """Return ``names`` or, if the caller gives none, the names in the index of the axis.

    None if both are None.
    """
    if names is None:
        if index is None:
            return None
        return axis_names(index, noun)
    if isinstance(names, str) or not hasattr(names, "__len__") or len(names) != count:
        listed = hasattr(names, "__len__") and not isinstance(names, str)
        actual = counted(len(names), "name") if listed else repr(names)
        raise IaaError(
            f"{named(f'{noun}s')} must name each of {counted(count, noun)}, and this is {actual}"
        )
    return axis_names(pd.Index(list(names), dtype=object), noun)


def axis_names(index: pd.Index, noun: str) -> Values:
    """Return the names in the index of an axis; refuse missing and repeated names."""
    nameless = np.flatnonzero(
        index.to_frame().isna().any(axis=1) if isinstance(index, pd.MultiIndex) else index.isna()
    )
    if nameless.size:
        places = shown([int(place) + 1 for place in nameless])
        raise IaaError(
            f"{counted(nameless.size, noun)} without a name (None or NaN), at position {places}: "
            f"name each {noun}, or leave it out"
        )
    names = names_of(index)
    refuse_repeated(names, noun)
    return names


def refuse_repeated(names: Values, noun: str) -> None:
    """Refuse items or annotators with the same name; 1 and "1" count as the same name."""
    index = pd.Index(names, dtype=names.dtype)  # texts are not converted to another type
    if not index.is_unique:
        twice = index[index.duplicated()].unique().tolist()
        raise IaaError(
            f"{counted(len(twice), f'{noun} name')} occurring more than once: "
            f"{shown(twice)}; each {noun} needs a name of its own, and values such as 1 and '1' "
            "are the same name: write them in the same way, or rename one"
        )


def names_of(index: pd.Index) -> Values:
    """Return the names in an index: integers if all are whole numbers, else texts."""
    if isinstance(index, pd.MultiIndex):
        return joined_text([_values_of(index.get_level_values(k)) for k in range(index.nlevels)])
    return name_array(_values_of(index))


def _values_of(index: pd.Index) -> Values:
    kind = getattr(index.dtype, "kind", "O")
    if kind in "mM":
        return np.asarray(index.astype(object))
    if kind in "iu" and not isinstance(index.dtype, np.dtype):
        return index.to_numpy(dtype=np.int64 if kind == "i" else np.uint64)
    return np.asarray(index)


def name_array(values: Values) -> Values:
    """Return values as names: integers if a numeric array has only whole numbers, else texts.

    Examples
    --------
    >>> name_array(np.array([7.0, 8.0])), name_array(np.array([7, "a"], dtype=object))
    (array([7, 8]), array(['7', 'a'], dtype=object))
    """
    if values.dtype.kind in "iu":
        return values
    if values.dtype.kind == "f" and np.isfinite(values).all() and (values % 1 == 0).all():
        _refuse_inexact(values.tolist())
        return values.astype(np.int64)
    known = values.tolist() if values.dtype == object else [python_value(each) for each in values]
    if not _are_texts(values):
        _refuse_inexact([value for value in known if isinstance(value, float)])
    return _texts(known)


def _are_texts(values: Values) -> bool:
    return pd.api.types.infer_dtype(values, skipna=False) == "string"


def _texts(values: Sequence[object]) -> Values:
    texts = np.empty(len(values), dtype=object)
    texts[:] = [value if type(value) is str else text_of(value) for value in values]
    refuse_no_text(texts)
    return texts


def _refuse_inexact(floats: Sequence[float]) -> None:
    wrong = [number for number in floats if EXACT <= abs(number) < math.inf]
    if wrong:
        raise IaaError(
            f"{counted(len(wrong), 'id')} that floats cannot hold exactly: {shown(wrong)}; "
            f"{AS_WHOLE}"
        )


def joined_text(parts: Sequence[Values]) -> Values:
    """Join id columns into texts such as "12 | joy"."""
    columns = [[text_of(value) for value in part] for part in parts]
    return _texts([JOINT.join(row) for row in zip(*columns, strict=True)])


def index_column(column: pd.Series, noun: str) -> IndexedNames:
    """Return the code of each row's item or annotator, and the names.

    Different values that have the same name as text, such as 1 and "1", are refused.
    """
    try:
        codes, distinct = pd.factorize(column)
        are_texts = isinstance(column.dtype, pd.StringDtype) or _are_texts(np.asarray(distinct))
        if column.dtype == object and not are_texts:  # True and 1 have the same hash
            column = pd.Series(booleans_as_text(column.to_numpy()), dtype=object)
            codes, distinct = pd.factorize(column)
    except TypeError:
        raise IaaError(
            f"the column {column.name!r} of {noun}s holds lists or similar objects, which are no "
            "names"
        ) from None
    names = names_of(pd.Index(distinct))
    if not are_texts and names.dtype == object:
        refuse_repeated(names, noun)
    return codes, names


def join_ids(ids: Sequence[IndexedNames], noun: str = "item") -> IndexedNames:
    """Join several columns of names into one; a name with a missing part is missing."""
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
    first[known[::-1]] = rows[::-1]  # written backwards, so that the first row stays
    joined = joined_text([part[codes_of[first]] for codes_of, part in ids])
    refuse_repeated(joined, noun)
    return index, joined


def repeats_as_new_annotators(
    items: IndexedNames, annotators: IndexedNames, rated: Values
) -> IndexedNames:
    """Return the annotators of rows; repeated ratings get new annotators, such as "ann (2)"."""
    code, names = annotators[0].astype(np.int64), annotators[1]
    rows = np.flatnonzero(np.asarray(rated, dtype=bool) & (items[0] >= 0) & (code >= 0))
    frame = pd.DataFrame({"item": items[0][rows], "annotator": code[rows]})
    turn = frame.groupby(["item", "annotator"], sort=False).cumcount().to_numpy()
    repeats, position = np.unique(
        np.stack([turn[turn > 0], code[rows][turn > 0]]), axis=1, return_inverse=True
    )
    again = [f"{python_value(names[who])} ({turn + 1})" for turn, who in repeats.T.tolist()]
    new = code.copy()
    new[rows[turn > 0]] = len(names) + position.reshape(-1)
    every = np.empty(len(names) + len(again), dtype=object)
    every[:] = [*(python_value(name) for name in names), *again]
    return new, every


def with_givers(ratings: xr.Dataset, before: IndexedNames, after: IndexedNames) -> xr.Dataset:
    """Add a coordinate that names who gave the ratings of new annotators: "ann" for "ann (2)"."""
    (codes, names), (new_codes, new_names) = before, after
    if len(new_names) == len(names):
        return ratings
    giver = np.arange(len(new_names))
    giver[new_codes[new_codes >= 0]] = codes[new_codes >= 0]
    of_name = {str(new_names[new]): str(new_names[old]) for new, old in enumerate(giver.tolist())}
    given_by = [of_name[str(name)] for name in ratings["annotator"].values.tolist()]
    return ratings.assign_coords({GIVEN_BY: ("annotator", np.array(given_by, dtype=object))})


def further_ratings(names: Sequence[object], given_by: Sequence[object]) -> dict[str, list[str]]:
    """Return the new names of each annotator's repeated ratings, by annotator.

    ``given_by`` (annotator,) is the annotator who gave the ratings under each name.
    """
    names_of_giver: dict[str, list[str]] = {}
    for name, giver in zip(names, given_by, strict=True):
        names_of_giver.setdefault(str(giver), []).append(str(name))
    return {each[0]: each[1:] for each in names_of_giver.values() if len(each) > 1}


def item_and_annotator(items: IndexedNames, annotators: IndexedNames, row: int) -> str:
    """Return the item and the annotator of a row as words for a message."""
    item, annotator = (
        None if codes[row] < 0 else python_value(names[codes[row]])
        for codes, names in (items, annotators)
    )
    return cell_name(item, annotator)


def cell_name(item: object, annotator: object) -> str:
    """Return an item and an annotator as words for a message."""
    return f"item {brief(python_value(item))}, annotator {brief(python_value(annotator))}"


def describe_cell(items: Values, annotators: Values) -> Where:
    """Return a function that describes the cell at a flat position by its item and annotator."""

    def where(position: int) -> str:
        row, column = divmod(position, len(annotators))
        return cell_name(items[row], annotators[column])

    return where
