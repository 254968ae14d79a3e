"""Which items of two sets are the same, and what each set leaves out to be compared on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.analyses.compare.pool import Places, Pool
from iaa_jax.data.assemble import JOINT
from iaa_jax.data.schema import validate
from iaa_jax.data.storage import rated, weight_of

MOST_SHARED = 0.9
"""Share of the smaller set's items that both rated from which "auto" pairs them."""

PAIRABLE_SHARED = 0.5
"""Share of the shared items with two ratings in the set with fewer of them that have two in both,
below which "auto" does not pair: most of either figure stands on items that say nothing of the
other."""

_DENSE = 0.5
_FEW = 50
"""A count uses half of its numbers or more, and what stands beside it has few values."""


@dataclass(frozen=True)
class Matched:
    """Which items go together, if any, and why."""

    rows: tuple[Places, Places] | None
    shared: int
    why: str
    caution: str = ""

    def attrs(
        self, a: xr.Dataset, b: xr.Dataset, kept_a: xr.Dataset, kept_b: xr.Dataset, pool: Pool
    ) -> dict[str, Any]:
        """What a result says of the two sets."""
        said: dict[str, Any] = {
            "design": "independent" if self.rows is None else "paired",
            "paired": int(self.rows is not None),
            "shared_items": self.shared,
            "pairing": self.why,
            "pairing_caution": self.caution,
        }
        for name, whole, kept, there in (
            ("a", a, kept_a, pool.in_a),
            ("b", b, kept_b, pool.in_b),
        ):
            known = rated_rows(kept)
            weight = weight_of(kept)
            said[f"items_{name}"] = _whole(
                float(len(known) if weight is None else weight[known].sum())
            )
            pairable = pairable_rows(kept)
            said[f"pairable_items_{name}"] = _whole(
                float(len(pairable) if weight is None else weight[pairable].sum())
            )
            said[f"left_out_items_{name}"] = len(rated_rows(whole)) - len(known)
            anonymous = bool(pool.ratings.attrs.get("anonymous", 0))
            said[f"annotators_{name}"] = 0 if anonymous else int(there.sum())
        said["pairable_items_both"] = both_pairable(kept_a, kept_b)
        said["shared_annotators"] = pool.shared_names
        said["annotators_matched"] = "by name" if pool.by_name else "by name, then by order"
        return said


def matched(a: xr.Dataset, b: xr.Dataset, paired: bool | str) -> Matched:
    """Decide whether items with the same id are the same items."""
    rows = shared_rows(a, b)
    shared = len(rows[0])
    smaller = min(len(rated_rows(one)) for one in (a, b))
    alike = _same_weights(a, b, rows)
    if paired is False:
        why = "asked for"
        if shared:
            why += f", though {shared:,} item ids stand in both"
        return Matched(None, shared, why)
    if paired is True:
        if shared < 2:
            message = (
                f"paired sets need two items or more that both rated, and these share {shared}: "
                "give the same items the same ids in both, or compare them with paired=False"
            )
            raise IaaError(message)
        if not alike:
            message = (
                "the same items stand for different numbers of items in the two sets "
                "(item_weight): they cannot be paired; use paired=False"
            )
            raise IaaError(message)
        return Matched(rows, shared, "asked for")
    if shared < 2:
        return Matched(None, shared, "no two items stand in both")
    if not pairable_alike(a, b):
        one, other = (
            len(pairable_rows(part.isel(item=row))) for part, row in zip((a, b), rows, strict=True)
        )
        why = (
            f"{shared:,} items were rated in both, of which {one:,} have two ratings in A and "
            f"{other:,} in B, but only {both_pairable(a, b):,} in both; paired=True compares on "
            "them all the same"
        )
        return Matched(None, shared, why)
    if shared < MOST_SHARED * smaller:
        why = (
            f"only {shared:,} of the {smaller:,} items of the smaller set have ids that stand in "
            "both; if these are the same items, paired=True compares on them alone"
        )
        return Matched(None, shared, why)
    if not alike:
        return Matched(None, shared, "the same ids stand for different numbers of items")
    caution = ""
    if _row_numbers(a) and _row_numbers(b):
        caution = "item ids look like row numbers: if these are different items, use paired=False"
    return Matched(rows, shared, f"{shared:,} items were rated in both", caution)


def _same_weights(a: xr.Dataset, b: xr.Dataset, rows: tuple[Places, Places]) -> bool:
    given = weight_of(a), weight_of(b)
    if all(weight is None for weight in given):
        return True
    one, other = (
        np.ones(len(row)) if weight is None else weight[row]
        for weight, row in zip(given, rows, strict=True)
    )
    return bool(np.array_equal(one, other))


def _row_numbers(ratings: xr.Dataset) -> bool:
    """Whether items are named by counting, so that other items may well have the same names.

    An id of several columns counts if one of them does and the others have few values.
    """
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
    a: xr.Dataset, b: xr.Dataset, rows: tuple[Places, Places]
) -> tuple[xr.Dataset, xr.Dataset]:
    """Both sets on the items that both rated, in the same order."""
    kept = []
    for name, ratings, places in zip("AB", (a, b), rows, strict=True):
        part = ratings.isel(item=places)
        try:
            validate(part)
        except IaaError as error:
            message = (
                f"on the {len(places):,} items that both sets rated, {name} cannot be measured: "
                f"{error}"
            )
            raise IaaError(message) from None
        kept.append(part)
    return kept[0], kept[1]


def shared_rows(a: xr.Dataset, b: xr.Dataset) -> tuple[Places, Places]:
    """The rows of the items that both sets rated, in the order of A."""
    rows_b = rated_rows(b)
    names_a, names_b = a["item"].values.tolist(), b["item"].values.tolist()
    known = {str(names_b[row]): row for row in rows_b.tolist()}
    rows = [(row, known.get(str(names_a[row]), -1)) for row in rated_rows(a).tolist()]
    both = np.array([pair for pair in rows if pair[1] >= 0], dtype=np.intp).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def rated_rows(ratings: xr.Dataset) -> Places:
    """The rows of the items that somebody rated."""
    return np.flatnonzero(np.asarray(rated(ratings).any(axis=1)))


def pairable_rows(ratings: xr.Dataset) -> Places:
    """The rows of the items with two ratings or more."""
    return np.flatnonzero(np.asarray(rated(ratings).sum(axis=1)) >= 2)


def both_pairable(a: xr.Dataset, b: xr.Dataset) -> int:
    """How many items have two ratings or more in each set."""
    one, other = (
        {str(name) for name in ratings["item"].values[pairable_rows(ratings)].tolist()}
        for ratings in (a, b)
    )
    return len(one & other)


def pairable_alike(a: xr.Dataset, b: xr.Dataset) -> bool:
    """Whether enough of the shared items with two ratings have two in both to pair them unasked."""
    fewer = min(
        len(pairable_rows(part.isel(item=row)))
        for part, row in zip((a, b), shared_rows(a, b), strict=True)
    )
    return both_pairable(a, b) >= PAIRABLE_SHARED * fewer


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number
