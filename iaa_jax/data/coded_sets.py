"""Store label sets as codes: a table of the distinct sets, and the index of each rating's set.

Annotators choose few different sets, so each distinct set of a large table is stored once. NumPy
and xarray treat this form as an ordinary array of masses: 1 for each label in the set of a rating,
0 for the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike, NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers, Values

_AXES = 3  # item, annotator or slot, label


class CodedSets(NDArrayOperatorsMixin):
    """The mass (item, annotator, label) of label sets, with each distinct set stored once.

    Selections that keep all three axes return this form.

    Attributes
    ----------
    codes : array (item, annotator)
        Index of the set of each rating; -1 for a missing rating.
    sets : array (set + 1, label)
        1 for the labels of each set, 0 for the others; the last row, for code -1, is NaN.
    """

    def __init__(self, codes: Integers, sets: Floats) -> None:
        self.codes = codes
        self.sets = sets

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of items, annotators and labels."""
        items, annotators = self.codes.shape
        return items, annotators, int(self.sets.shape[1])

    @property
    def dtype(self) -> np.dtype[np.float64]:
        """The data type of the mass."""
        return np.dtype(np.float64)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return _AXES

    @property
    def size(self) -> int:
        """The number of masses."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return int(self.codes.nbytes + self.sets.nbytes)

    def __len__(self) -> int:
        return len(self.codes)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Values:
        laid_out = np.take(self.sets.astype(dtype or self.dtype, copy=False), self.codes, axis=0)
        # read-only unless the caller wants a copy, because changes would not reach the codes
        laid_out.flags.writeable = bool(copy)
        return laid_out

    def __getitem__(self, key: Any) -> Any:
        parts = _parts(key)
        if parts is None:
            return np.asarray(self)[key]
        *cells, labels = parts
        if _along_axes(parts):
            codes = self.codes[tuple(part[:, :, 0] for part in cells)]
            return CodedSets(codes, self.sets[:, labels[0, 0]])
        codes = self.codes[tuple(cells)]
        whole = all(isinstance(part, slice) for part in cells)
        if not isinstance(labels, np.ndarray) or (whole and labels.ndim == 1):
            sets = self.sets[:, labels]
            held = np.ndim(codes) == self.codes.ndim and sets.ndim == self.sets.ndim
            return CodedSets(codes, sets) if held else sets[codes]
        if not any(isinstance(part, slice) for part in cells):
            return self.sets[codes, labels]
        return np.asarray(self)[key]

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError(
            "the cells of a large table of label sets cannot be changed in place: lay it out first "
            "by ratings.assign(mass=iaa_jax.data.mass(ratings))"
        )  # xarray expects this type of error

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*_laid_out(inputs), **kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: object, args: Any, kwargs: Any
    ) -> Any:
        return func(*_laid_out(args), **_laid_out(kwargs))

    def astype(self, dtype: DTypeLike, **options: Any) -> Values:
        """Return the array of masses in another type."""
        return np.asarray(self).astype(dtype, **options)

    def transpose(self, *axes: Any) -> Values:
        """Return the array of masses with its axes in another order."""
        return np.asarray(self).transpose(*axes)

    def reshape(self, *shape: Any) -> Values:
        """Return the array of masses in another shape."""
        return np.asarray(self).reshape(*shape)

    def kept(self, keep: NDArray[np.bool_]) -> CodedSets:
        """Return the ratings in some cells; the other cells become empty."""
        return CodedSets(np.where(keep, self.codes, self.codes.dtype.type(-1)), self.sets)

    def with_sets(self, sets: Floats) -> CodedSets:
        """Return the same codes with another table of sets, such as one with recoded labels."""
        return CodedSets(self.codes, sets)


def mass_of_sets(codes: Integers, packed: NDArray[np.uint8], labels: int) -> Floats | CodedSets:
    """Return the mass of ratings from the codes of their sets; a large array is `CodedSets`.

    A code of -1 means not rated. ``packed`` has the distinct sets as rows of bits.
    """
    sets = np.full((len(packed) + 1, labels), np.nan)
    sets[:-1] = np.unpackbits(packed, axis=1, count=labels)
    coded = CodedSets(codes, sets)
    return coded if coded.size > thresholds.SET_TABLE_CELLS else sets[codes]


def coded_sets(ratings: xr.Dataset) -> CodedSets | None:
    """Return the label sets of ratings if they are stored as codes, otherwise None."""
    data = ratings.variables["mass"].data if "mass" in ratings.variables else None
    return data if isinstance(data, CodedSets) else None


def times_given(ratings: xr.Dataset) -> NDArray[np.integer]:
    """Count the ratings that give each label a mass above 0, for ratings stored as masses."""
    coded = coded_sets(ratings)
    if coded is None:
        return np.asarray(np.count_nonzero(ratings.variables["mass"].values > 0, axis=(0, 1)))
    times = np.bincount(coded.codes.reshape(-1) + 1, minlength=len(coded.sets))[1:]
    return np.asarray(times @ (coded.sets[:-1] > 0))


def packed_sets(set_of: Integers, labels: Integers, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return sets of labels as rows of bits.

    ``set_of`` and ``labels`` are the set and the label of each member of a set. ``shape`` is the
    number of sets, and of possible labels.
    """
    packed = np.zeros((shape[0], -(-shape[1] // 8)), dtype=np.uint8)
    bit = np.uint8(0x80) >> (labels % 8).astype(np.uint8)
    np.bitwise_or.at(packed, (set_of, labels // 8), bit)
    return packed


def distinct_sets(packed: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return the distinct rows of bits in ascending order, and the index of each row among them.

    Examples
    --------
    >>> rows = np.packbits([[1, 0], [0, 1], [1, 0]], axis=1)
    >>> distinct, number = distinct_sets(rows)
    >>> np.unpackbits(distinct, axis=1, count=2).tolist(), number.tolist()
    ([[0, 1], [1, 0]], [1, 0, 1])
    """
    width = packed.shape[1]
    if width > 8:
        distinct, number = np.unique(packed, axis=0, return_inverse=True)
        return distinct, number.reshape(-1)
    # whole numbers sort faster than rows of bits, in the same order
    padded = np.zeros((len(packed), 8), dtype=np.uint8)
    padded[:, :width] = packed
    numbers = padded.view(">u8").astype(np.uint64).reshape(-1)
    known, number = np.unique(numbers, return_inverse=True)
    bits = known.astype(">u8").view(np.uint8).reshape(-1, 8)
    return bits[:, :width], number.reshape(-1)


def _parts(key: Any) -> tuple[Any, ...] | None:
    """Return the index along each axis; None if only NumPy can interpret the key."""
    parts = key if isinstance(key, tuple) else (key,)
    gaps = [place for place, part in enumerate(parts) if part is Ellipsis]
    if gaps:
        left = (slice(None),) * (_AXES + 1 - len(parts))
        parts = (*parts[: gaps[0]], *left, *parts[gaps[0] + 1 :])
    parts = (*parts, *(slice(None),) * (_AXES - len(parts)))
    plain = all(
        isinstance(part, (slice, int, np.integer))
        or (isinstance(part, np.ndarray) and (part.dtype.kind != "b" or part.ndim == 1))
        for part in parts
    )
    return parts if plain and len(gaps) < 2 and len(parts) == _AXES else None


def _along_axes(parts: tuple[Any, ...]) -> bool:
    """Tell whether the index takes all combinations of positions along the axes, as xarray does."""
    if not all(isinstance(part, np.ndarray) and part.ndim == _AXES for part in parts):
        return False
    items, annotators, labels = (part.shape for part in parts)
    return bool(items[2] == annotators[2] == labels[0] == labels[1] == 1)


def _laid_out(value: Any) -> Any:
    if isinstance(value, CodedSets):
        return np.asarray(value)
    if isinstance(value, dict):
        return {name: _laid_out(part) for name, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_laid_out, value))
    return value
