"""Item counts are padded to buckets, so that data of a new size rarely compiles anew."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

SMALLEST = 64

Number = TypeVar("Number", bound=np.generic)


def bucket(items: int) -> int:
    """The padded number of items: 64, 96, 128, 192, 256, ... (at most a third is padding).

    Examples
    --------
    >>> [bucket(items) for items in (1, 64, 65, 100, 1000)]
    [64, 64, 96, 128, 1024]
    """
    size = SMALLEST
    while size < items:
        if size + size // 2 >= items:
            return size + size // 2
        size *= 2
    return size


def pad_items(array: NDArray[Number]) -> NDArray[Number]:
    """The data with copies of its first item up to the bucket.

    Their weight is 0; a coefficient of the user's own need not know what to do with missing items.
    """
    missing = bucket(len(array)) - len(array)
    return np.concatenate([array, np.repeat(array[:1], missing, axis=0)]) if missing else array


def pad(array: NDArray[np.floating], fill: float, axis: int = 0) -> NDArray[np.floating]:
    """The array with its item axis filled up to the bucket."""
    missing = bucket(array.shape[axis]) - array.shape[axis]
    if not missing:
        return array
    widths = [(0, missing if index == axis else 0) for index in range(array.ndim)]
    return np.pad(array, widths, constant_values=fill)
