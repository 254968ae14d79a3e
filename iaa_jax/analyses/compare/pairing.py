"""Pair the items of two sets of ratings, and put both sets on one table.

A pattern is a distinct row of ratings. On one table of patterns, each set is a row of weights (how
often each pattern occurs), with the same labels and common columns of annotators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.analyses.compare.splitting import Halves
from iaa_jax.data.compression import PATTERNS
from iaa_jax.data.joining import concatenate
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.data.provenance import READING, parts_of
from iaa_jax.data.schema import int_if_whole, summary, validate
from iaa_jax.data.select import select_annotators
from iaa_jax.data.slots import to_slots
from iaa_jax.data.storage import annotator_of, array_of, rated, weight_of, with_coding
from iaa_jax.wording import Note, keyword

Rows = tuple[NDArray[np.intp], NDArray[np.intp]]

MOST_SHARED = 0.9
"""Minimum share of the smaller set's items that must be in both sets for "auto" to pair them."""

SHARED_IN_FILE = 0.5
"""`MOST_SHARED` for two sets from one file, where ids are reliable."""

PAIRABLE_SHARED = 0.5
"""Minimum number of shared items with two ratings in both sets that "auto" needs, as a share of
those with two ratings in A or in B, whichever are fewer.
"""

_READ = ("files", "table_of", "reading", "read_as", "skipped", "notices")

_DENSE = 0.5
"""Ids look like row numbers only if they fill at least this share of their range."""

_FEW = 50
"""Maximum number of different values in id columns beside row numbers."""

_KINDS = {
    Kind.LABELS: "one label per rating",
    Kind.DOUBLES: "a primary and a secondary label",
    Kind.SETS: "label sets",
    Kind.SHARES: "shares of labels",
    Kind.NUMBERS: "numbers without labels",
    Kind.SPANS: "spans",
}


class Pairing(NamedTuple):
    """The rows of paired items, or None without pairs, with the reason."""

    rows: Rows | None
    shared: int | float
    why: Note
    caution: Note | None = None


def paired_items(
    a: xr.Dataset,
    b: xr.Dataset,
    names: tuple[str, str],
    paired: bool | Literal["auto"],
    *,
    one_file: bool,
) -> Pairing:
    """Decide whether to pair items with the same id, and find them."""
    rows = _shared_rows(a, b)
    shared = _items(a, rows[0])
    if paired is False:
        code = "pairing_refused_though_shared" if shared else "pairing_as_asked"
        return Pairing(None, shared, Note(code, {"shared": shared}))
    same_weights = _same_weights(a, b, rows)
    nameless = _hold_other_patterns(a, b)
    if paired is True:
        _refuse_pairs(shared, same_weights=same_weights, nameless=nameless)
        return Pairing(rows, shared, Note("pairing_as_asked"))
    if nameless:
        return Pairing(None, shared, Note("pairing_patterns"))
    if shared < 2:
        return Pairing(None, shared, Note("pairing_nothing_shared"))
    of_a, of_b = (
        _items(ratings, np.intersect1d(row, pairable_rows(ratings)))
        for ratings, row in zip((a, b), rows, strict=True)
    )
    both = pairable_in_both(a, b)
    if both < PAIRABLE_SHARED * min(of_a, of_b):
        values: dict[str, object] = {"shared": shared, "a": of_a, "b": of_b, "both": both}
        values |= {"name_a": names[0], "name_b": names[1]}
        return Pairing(None, shared, Note("pairing_few_pairable", values))
    smaller = min(_items(ratings, rated_rows(ratings)) for ratings in (a, b))
    if shared < (SHARED_IN_FILE if one_file else MOST_SHARED) * smaller:
        return Pairing(
            None, shared, Note("pairing_few_shared", {"shared": shared, "items": smaller})
        )
    if not same_weights:
        return Pairing(None, shared, Note("pairing_weights_differ"))
    by_row = _are_row_numbers(a) and _are_row_numbers(b)
    by_row = by_row and (not one_file or _are_two_sheets(a, b))
    caution = Note("pairing_row_numbers", {}, "caution") if by_row else None
    return Pairing(rows, shared, Note("pairing_shared", {"shared": shared}), caution)


def _refuse_pairs(shared: float, *, same_weights: bool, nameless: bool) -> None:
    unpaired = keyword("paired", False)
    if nameless:
        raise IaaError(
            "items that were counted by pattern have lost their names, so it is unknown which of "
            f"the two sets are the same: read both as they are, or compare them with {unpaired}"
        )
    if shared < 2:
        raise IaaError(
            f"paired sets need at least two items rated in both, and these share {shared}: give "
            f"the same items the same ids in both, or compare them with {unpaired}"
        )
    if not same_weights:
        raise IaaError(
            "the same items stand for different numbers of items in the two sets (item_weight): "
            f"they cannot be paired: use {unpaired}"
        )


def _same_weights(a: xr.Dataset, b: xr.Dataset, rows: Rows) -> bool:
    weights = weight_of(a), weight_of(b)
    if all(weight is None for weight in weights):
        return True
    weight_a, weight_b = (
        np.ones(len(row)) if weight is None else weight[row]
        for weight, row in zip(weights, rows, strict=True)
    )
    return bool(np.array_equal(weight_a, weight_b))


def _are_two_sheets(a: xr.Dataset, b: xr.Dataset) -> bool:
    """Return whether sets from one file are the numbered rows of two sheets.

    They are if an annotator is in both sets, since in one sheet, an annotator rates a row only
    once.
    """
    numbered = all(
        any(part.code == "read_items_numbered" for part in parts_of(ratings, "read_as"))
        for ratings in (a, b)
    )
    names = [{*ratings["annotator"].values.tolist()} for ratings in (a, b) if numbered]
    return numbered and bool(set.intersection(*names))


def _are_row_numbers(ratings: xr.Dataset) -> bool:
    """Return whether item ids look like row numbers, which different items may share.

    Of several columns, one must number the rows, and the others must have few values.
    """
    if PATTERNS in ratings.attrs:
        return False
    names = ratings["item"].values.tolist()
    columns = list(zip(*(str(name).split(JOINT) for name in names), strict=False))
    counting = [_counts(column) for column in columns]
    others = [
        len(set(column)) for column, counts in zip(columns, counting, strict=True) if not counts
    ]
    return any(counting) and all(size <= _FEW for size in others)


def _counts(column: Sequence[str]) -> bool:
    if not all(part.isdecimal() for part in column):
        return False
    numbers = {int(part) for part in column}
    return len(numbers) >= _DENSE * (max(numbers) - min(numbers) + 1)


def on_shared(
    a: xr.Dataset, b: xr.Dataset, rows: Rows, names: tuple[str, str]
) -> tuple[xr.Dataset, xr.Dataset]:
    """Restrict both sets to the items rated in both, in the same order."""
    parts = [ratings.isel(item=row) for ratings, row in zip((a, b), rows, strict=True)]
    for name, part in zip(names, parts, strict=True):
        try:
            validate(part)
        except IaaError as error:
            raise IaaError(
                f"on the {len(rows[0]):,} items that both sets rated, {name} cannot be measured: "
                f"{error.message}"
            ) from None
    return parts[0], parts[1]


def _hold_other_patterns(a: xr.Dataset, b: xr.Dataset) -> bool:
    """Return whether items with equal ratings were merged in one set only, or differently."""
    return a.attrs.get(PATTERNS) != b.attrs.get(PATTERNS)


def _items(ratings: xr.Dataset, rows: NDArray[np.intp]) -> int | float:
    weight = weight_of(ratings)
    return len(rows) if weight is None else int_if_whole(float(weight[rows].sum()))


def _shared_rows(
    a: xr.Dataset, b: xr.Dataset, among: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None
) -> Rows:
    """Return the rows of shared items in A and in B, among rated items or given rows."""
    if _hold_other_patterns(a, b):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    of_a, of_b = (rated_rows(a), rated_rows(b)) if among is None else among
    names_a, names_b = a["item"].values.tolist(), b["item"].values.tolist()
    known = {str(names_b[row]): row for row in of_b.tolist()}
    rows = [(row, known.get(str(names_a[row]), -1)) for row in of_a.tolist()]
    both = np.array([pair for pair in rows if pair[1] >= 0], dtype=np.intp).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def rated_rows(ratings: xr.Dataset) -> NDArray[np.intp]:
    """Return the rows of the items with a rating."""
    return np.flatnonzero(rated(ratings).any(axis=1))


def pairable_rows(ratings: xr.Dataset) -> NDArray[np.intp]:
    """Return the rows of the items with two ratings or more."""
    return np.flatnonzero(rated(ratings).sum(axis=1) >= 2)


def pairable_in_both(a: xr.Dataset, b: xr.Dataset) -> int | float:
    """Return the number of shared items with two ratings or more in A and in B."""
    return _items(a, _shared_rows(a, b, (pairable_rows(a), pairable_rows(b)))[0])


def facts_of_sets(
    halves: Halves, kept: tuple[xr.Dataset, xr.Dataset], pool: Pool, pairing: Pairing
) -> dict[str, object]:
    """Return attributes of a result on the sets; ``kept`` are the compared items."""
    facts: dict[str, object] = {
        "design": "independent" if pairing.rows is None else "paired",
        "paired": int(pairing.rows is not None),
        "pairing": pairing.why.code.removeprefix("pairing_"),
        "shared_items": pairing.shared,
        "pairable_items_both": pairable_in_both(*kept),
        "shared_annotators": pool.shared_names,
        "annotators_matched": "by name" if pool.by_name else "by name, then by order",
    }
    anonymous = bool(pool.ratings.attrs.get("anonymous", 0))
    whole_sets, inside = (halves.a, halves.b), (pool.in_a, pool.in_b)
    for index, letter in enumerate("ab"):
        counts = summary(kept[index])
        of_set = {
            "name": halves.names[index],
            "items": counts.items - counts.unrated_items,
            "pairable_items": counts.pairable_items,
            "left_out_items": _items(whole_sets[index], rated_rows(whole_sets[index]))
            - _items(kept[index], rated_rows(kept[index])),
            "annotators": 0 if anonymous else int(inside[index].sum()),
            "labels": counts.labels,
            "ratings": counts.ratings,
            "largest_panel": counts.largest_panel,
        }
        of_set |= {name: value for name in _READ if (value := whole_sets[index].attrs.get(name))}
        facts |= {f"{name}_{letter}": value for name, value in of_set.items()}
    return facts


@dataclass(frozen=True)
class Pool:
    """The items of A, followed by the items of B, as one set of ratings.

    Attributes
    ----------
    ratings : xarray.Dataset
        All ratings, by the annotators who gave at least one. An annotator in both sets has one
        column. Among the other annotators, the first of A shares a column with the first of B, and
        so on.
    items_of_a : int
        Number of rows that belong to A.
    in_a, in_b : array (annotator,)
        1 if the column holds an annotator of the set.
    by_name : bool
        Whether annotators of A and B share columns only if they have the same name.
    shared_names : int
        Number of annotators whose name occurs in the other set too.
    same_annotator : array (annotator,)
        Whether a column holds an annotator with the same name in both sets.
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
        """Whether every column holds an annotator of A and one of B."""
        return bool(self.in_a.all() and self.in_b.all())


def pool_sets(a: xr.Dataset, b: xr.Dataset) -> Pool:
    """Return the pool of two sets."""
    a, b = _to_one_task(a, b)
    anonymous = any(ratings.attrs.get("anonymous", 0) for ratings in (a, b))
    if anonymous:
        a, b = _without_names(a), _without_names(b)
    a, b = (select_annotators(ratings, _active_annotators(ratings)) for ratings in (a, b))
    names_a, names_b = ([str(name) for name in array_of(part, "annotator")] for part in (a, b))
    columns, names = _columns_of_b(names_a, names_b)
    ratings = concatenate(_rename(a, names[: len(names_a)]), _rename(b, names[columns]))
    if "item_weight" not in a.variables and "item_weight" not in b.variables:
        ratings = ratings.drop_vars("item_weight")
    for attribute in (*READING, "notices"):  # attributes that describe how A alone was read
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
    """Give both sets the same kind of ratings; single labels may become primary labels."""
    of_a, of_b = (Kind(ratings.attrs["task"]) for ratings in (a, b))
    if of_a is of_b:
        return a, b
    if {of_a, of_b} == {Kind.LABELS, Kind.DOUBLES}:
        return _with_secondary(a), _with_secondary(b)
    raise IaaError(
        f"the two sets hold different kinds of ratings: A {_KINDS[of_a]}, B {_KINDS[of_b]}; "
        "read both in the same way"
    )


def _with_secondary(ratings: xr.Dataset) -> xr.Dataset:
    if kind_of(ratings.attrs) is Kind.DOUBLES:
        return ratings
    none = xr.full_like(ratings["primary"], -1)
    return ratings.assign(secondary=none).assign_attrs(task=Kind.DOUBLES.value)


def _without_names(ratings: xr.Dataset) -> xr.Dataset:
    if ratings.attrs.get("anonymous", 0):
        return ratings
    part = ratings if annotator_of(ratings) is not None else to_slots(ratings)
    part = part.drop_vars([name for name, var in part.variables.items() if "annotator" in var.dims])
    part = part.drop_vars("annotator_of").rename_dims(slot="annotator")
    for attribute in ("slots", "annotator_order"):
        part.attrs.pop(attribute, None)
    names = [f"rating {column + 1}" for column in range(part.sizes["annotator"])]
    return with_coding(_rename(part, names).assign_attrs(anonymous=1))


def _active_annotators(ratings: xr.Dataset) -> NDArray[np.bool_]:
    is_rated, annotators = rated(ratings), annotator_of(ratings)
    if annotators is None:
        return np.asarray(is_rated.any(axis=0))
    return np.bincount(annotators[is_rated], minlength=ratings.sizes["annotator"]) > 0


def _columns_of_b(
    names_a: Sequence[str], names_b: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.object_]]:
    """Return the column of each annotator of B, and the names of all columns, A's first."""
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
