"""Two sets of ratings on one table: the same labels, and a column for each annotator.

Where both stand on one table of patterns, each set is a row of weights on it, and so is any
exchange of items between them. Labels are then the same, and as many, for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.data.joining import concatenate
from iaa_jax.data.reading import READING
from iaa_jax.data.select import select_annotators
from iaa_jax.data.slots import to_slots
from iaa_jax.data.storage import annotator_of, array_of, rated, with_coding

_KINDS = {
    "single": "one label per rating",
    "primary_secondary": "a primary and a secondary label",
    "multi_label": "label sets",
    "soft": "shares of labels",
    "value": "numbers without labels",
    "spans": "spans",
}


@dataclass(frozen=True)
class Pool:
    """The items of A, and then those of B, as ratings of one set.

    Attributes
    ----------
    ratings : xarray.Dataset
        All of them, by the annotators who gave any. One that both sets know has one column; of the
        others the first of A shares its column with the first of B, and so on.
    items_of_a : int
        Rows that belong to A.
    in_a, in_b : array (annotator,)
        1 where the column holds an annotator of the set.
    by_name : bool
        Whether columns were shared by name alone.
    shared_names : int
        Annotators of either set with a name that stands in the other.
    same_annotator : array (annotator,)
        Whether a column holds an annotator whom both sets know by name.
    """

    ratings: xr.Dataset
    items_of_a: int
    in_a: NDArray[np.float64]
    in_b: NDArray[np.float64]
    by_name: bool
    shared_names: int
    same_annotator: NDArray[np.bool_]

    @property
    def same_columns(self) -> bool:
        """Whether every column holds an annotator of either set."""
        return bool(self.in_a.all() and self.in_b.all())


def pool_sets(a: xr.Dataset, b: xr.Dataset) -> Pool:
    """Put two sets of ratings on one table."""
    a, b = _to_one_task(a, b)
    anonymous = any(ratings.attrs.get("anonymous", 0) for ratings in (a, b))
    if anonymous:
        a, b = _without_names(a), _without_names(b)
    a, b = (select_annotators(ratings, _raters(ratings)) for ratings in (a, b))
    names_a, names_b = ([str(name) for name in array_of(part, "annotator")] for part in (a, b))
    columns, names = _columns_of_b(names_a, names_b)
    ratings = concatenate(_rename(a, names[: len(names_a)]), _rename(b, names[columns]))
    if "item_weight" not in a.variables and "item_weight" not in b.variables:
        ratings = ratings.drop_vars("item_weight")
    for attribute in (*READING, "notices"):  # what was read of A alone
        ratings.attrs.pop(attribute, None)
    in_a, in_b = np.zeros(len(names)), np.zeros(len(names))
    in_a[: len(names_a)] = 1.0
    in_b[columns] = 1.0
    shared = len({*names_a} & {*names_b})
    by_name = shared == min(len(names_a), len(names_b))
    same = np.isin(names, list({*names_a} & {*names_b})) & (not anonymous)
    shared = 0 if anonymous else shared
    return Pool(ratings, a.sizes["item"], in_a, in_b, by_name, shared, same)


def _to_one_task(a: xr.Dataset, b: xr.Dataset) -> tuple[xr.Dataset, xr.Dataset]:
    """Both with the same storage; single labels are primary ones without a second."""
    task_a, task_b = str(a.attrs["task"]), str(b.attrs["task"])
    if task_a == task_b:
        return a, b
    if {task_a, task_b} == {"single", "primary_secondary"}:
        return _with_secondary(a), _with_secondary(b)
    message = (
        f"the two sets hold different kinds of ratings: A {_KINDS[task_a]}, B {_KINDS[task_b]}; "
        "read both in the same way"
    )
    raise IaaError(message)


def _with_secondary(ratings: xr.Dataset) -> xr.Dataset:
    if ratings.attrs["task"] == "primary_secondary":
        return ratings
    none = xr.full_like(ratings["primary"], -1)
    return ratings.assign(secondary=none).assign_attrs(task="primary_secondary")


def _without_names(ratings: xr.Dataset) -> xr.Dataset:
    """The ratings of an item side by side, by whomever."""
    if ratings.attrs.get("anonymous", 0):
        return ratings
    part = ratings if annotator_of(ratings) is not None else to_slots(ratings)
    part = part.drop_vars([name for name, var in part.variables.items() if "annotator" in var.dims])
    part = part.drop_vars("annotator_of").rename_dims(slot="annotator")
    for attribute in ("slots", "annotator_order"):
        part.attrs.pop(attribute, None)
    names = [f"rating {column + 1}" for column in range(part.sizes["annotator"])]
    return with_coding(_rename(part, names).assign_attrs(anonymous=1))


def _raters(ratings: xr.Dataset) -> NDArray[np.bool_]:
    """Which annotators gave any rating."""
    is_rated, annotators = rated(ratings), annotator_of(ratings)
    if annotators is None:
        return np.asarray(is_rated.any(axis=0))
    return np.bincount(annotators[is_rated], minlength=ratings.sizes["annotator"]) > 0


def _columns_of_b(
    names_a: Sequence[str], names_b: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.object_]]:
    """The column of each annotator of B on the common axis, which begins with those of A."""
    column_of = {name: index for index, name in enumerate(names_a)}
    shared = column_of.keys() & {*names_b}
    free = iter([index for name, index in column_of.items() if name not in shared])
    names = list(names_a)
    columns = []
    for name in names_b:
        index = column_of[name] if name in column_of else next(free, -1)
        if index < 0:
            index = len(names)
            names.append(name)
        columns.append(index)
    return np.array(columns, dtype=np.intp), np.array(names, dtype=object)


def _rename(ratings: xr.Dataset, names: Sequence[str] | NDArray[np.object_]) -> xr.Dataset:
    return ratings.assign_coords(annotator=np.array(names, dtype=object))
