"""Pad arrays to one of few sizes (buckets), so that new data rarely need a compilation."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

SMALLEST = 64

FEW_ANNOTATORS = 4
"""The smallest bucket for annotators or pairs; it is small because each of them adds sums."""

Number = TypeVar("Number", bound=np.generic)


def bucket(items: int, smallest: int = SMALLEST) -> int:
    """Return the padded number of items: 64, 96, 128, 192, 256, ...

    From ``smallest`` on, at most a third is padding.

    Examples
    --------
    >>> [bucket(items) for items in (1, 64, 65, 100, 1000)]
    [64, 64, 96, 128, 1024]
    >>> [bucket(annotators, FEW_ANNOTATORS) for annotators in (2, 5, 100)]
    [4, 6, 128]
    """
    size = smallest
    while size < items:
        if size + size // 2 >= items:
            return size + size // 2
        size *= 2
    return size


def in_chunks(
    index: NDArray[np.integer], width: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Assign numbers to chunks of at most ``width`` numbers with the same index.

    Return the chunk of each number, its position in the chunk, and the number of chunks per index.

    Examples
    --------
    >>> chunk, within, chunks = in_chunks(np.array([2, 0, 2, 2]), 2)
    >>> chunk.tolist(), within.tolist(), chunks.tolist()
    ([1, 0, 1, 2], [0, 0, 1, 0], [1, 0, 2])
    """
    order = np.argsort(index, kind="stable")
    size = np.bincount(index)
    chunks = -(-size // width)
    position = np.arange(len(order)) - np.repeat(np.cumsum(size) - size, size)
    chunk, within = np.empty((2, len(order)), dtype=np.intp)
    chunk[order] = np.repeat(np.cumsum(chunks) - chunks, size) + position // width
    within[order] = position % width
    return chunk, within, chunks


def pad_items(array: NDArray[Number]) -> NDArray[Number]:
    """Pad the data to the size that `bucket` returns, with copies of the first item.

    The copies get weight 0. Missing ratings are no padding, because a user's own coefficient may
    not handle them.
    """
    missing = bucket(len(array)) - len(array)
    return np.concatenate([array, np.repeat(array[:1], missing, axis=0)]) if missing else array


def pad(array: NDArray[np.floating], fill: float, axis: int = 0) -> NDArray[np.floating]:
    """Pad an axis of the array, by default the first, to the size that `bucket` returns."""
    missing = bucket(array.shape[axis]) - array.shape[axis]
    if not missing:
        return array
    widths = [(0, missing if index == axis else 0) for index in range(array.ndim)]
    return np.pad(array, widths, constant_values=fill)
