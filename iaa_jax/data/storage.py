"""How ratings are stored, by task, and the access to it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError

TASKS: dict[str, tuple[str, ...]] = {
    "single": ("primary",),
    "primary_secondary": ("primary", "secondary"),
    "multi_label": ("mass",),
    "soft": ("mass",),
    "value": ("value",),
}
STORAGES = ("primary", "secondary", "mass", "value")


REMEMBERED_LABELS = 1000


def label_memory(labels: NDArray[Any]) -> str:
    """The labels in the order of the codes, as text for ``attrs["label_order"]``.

    Codes do not follow when xarray moves, drops or joins labels; with this it is noticed.
    """
    return json.dumps([str(label) for label in labels[:REMEMBERED_LABELS].tolist()])


def rated(ratings: xr.Dataset) -> NDArray[np.bool_]:
    """Tell which cells hold a rating, as a boolean array (item, annotator).

    Parameters
    ----------
    ratings
        A ratings Dataset.

    Returns
    -------
    numpy.ndarray
        True where the annotator rated the item.

    Examples
    --------
    >>> from iaa_jax.data import from_wide, rated
    >>> rated(from_wide([["a", None], ["a", "b"]])).tolist()
    [[True, False], [True, True]]
    """
    task = task_of(ratings)
    cells = stored(ratings, TASKS[task][0])
    if task in ("single", "primary_secondary"):
        return np.asarray(cells >= 0)
    return np.asarray(~np.isnan(cells if task == "value" else cells[:, :, 0]))


def task_of(ratings: xr.Dataset) -> str:
    """Read the task, and refuse an unknown one."""
    task = ratings.attrs.get("task")
    if task not in TASKS:
        known = ", ".join(repr(name) for name in TASKS)
        msg = (
            f'ratings.attrs["task"] is {task!r}, not one of {known}; '
            "make ratings with from_long, from_wide or another constructor"
        )
        raise IaaError(msg)
    return str(task)


def stored(ratings: xr.Dataset, name: str) -> NDArray[Any]:
    """Give a variable as an array."""
    # `.variables` skips the alignment of coordinates that `ratings[name]` pays for
    return np.asarray(ratings.variables[name].values)


def weight_of(ratings: xr.Dataset) -> NDArray[np.float64] | None:
    """Give the weights of items, None where each row is one item."""
    if "item_weight" not in ratings.variables:
        return None
    return np.asarray(stored(ratings, "item_weight"), dtype=np.float64)
