"""Control items, whose true label is known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import keyword, named

Control = Mapping[Any, Any] | str | None
"""The true label of each control item, or the name of a coordinate with the true labels."""


def control_codes(ratings: Rated, control: Control, option: str = "control") -> Integers | None:
    """Return the code of the true label of each item (item,); -1 for items that are not controls.

    An item with an empty or missing label in a coordinate is not a control. Unknown items and
    labels raise an error. Without ``control``, the result is None. ``option`` is the name of the
    option that holds ``control``.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = Rated(iaa.from_wide([["a", "b"], ["b", "b"]]))
    >>> control_codes(ratings, {1: "b"})
    array([-1,  1])
    """
    if control is None:
        return None
    of_items = true_labels(ratings, control, option)
    codes = {str(label): code for code, label in enumerate(ratings.label_names.tolist())}
    refuse_unknown(
        ratings,
        (label for label in of_items if not is_missing(label) and _named(label) not in codes),
        option,
    )
    return np.array([-1 if is_missing(label) else codes[_named(label)] for label in of_items])


def true_labels(ratings: Rated, control: Mapping[Any, Any] | str, option: str) -> list[Any]:
    """Return the true label of each item, or a missing label (`is_missing`).

    Unknown items, and controls without a single true label, raise an error.
    """
    of_items = labels_by_item(ratings, control, option)
    if isinstance(control, Mapping):
        unknown = [*control.keys() - set(ratings.item_names.tolist())]
        if unknown:
            raise IaaError(
                f"{named(option)} has items that the ratings do not have: {shown(unknown)}"
            )
    if all(map(is_missing, of_items)):
        raise IaaError(f"no item has a known label by {named(option)}: leave it out, or name some")
    return of_items


def refuse_unknown(ratings: Rated, unknown: Iterable[object], option: str) -> None:
    """Raise an error if there are unknown labels."""
    if names := dict.fromkeys(unknown):
        raise IaaError(
            f"{named(option)} has labels that the ratings do not know: {shown(names)}; the labels "
            f"are {shown(ratings.label_names.tolist())}, and {keyword('labels')} declares others"
        )


def labels_by_item(ratings: Rated, known: Control, option: str) -> list[Any]:
    """Return the known label of each item, or a missing label (`is_missing`).

    An unknown coordinate is refused. ``option`` is the name of the option that holds ``known``.
    """
    if isinstance(known, Mapping):
        return [known.get(item) for item in ratings.item_names.tolist()]
    if not isinstance(known, str):
        raise IaaError(
            f"{keyword(option)} must be labels by item, as {{'item 1': 'yes'}}, or the name of a "
            f"coordinate along items, not {known!r}"
        )
    along = ratings.along("item")
    if known not in along:
        raise IaaError(
            f"{keyword(option, known)} names no column along items; there are {shown([*along])}"
        )
    _, values = along[known]
    return list(values.tolist())


def is_missing(value: Any) -> bool:
    """Tell whether a value means that an item has no known label."""
    return value is None or value != value or value == ""


def _named(label: Any) -> str:
    """Return a label as text; whole floats, as in a column of integers with gaps, lose the ".0"."""
    whole = isinstance(label, float) and label.is_integer()
    return str(int(label)) if whole else str(label)
