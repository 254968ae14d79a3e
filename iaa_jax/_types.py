"""Names for types that several packages use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]
Places = NDArray[np.integer | np.floating]
"""Begin and end of spans: counted, or measured."""

Values = NDArray[np.generic]
"""Names, labels or numbers: an array of any type."""

Columns = dict[str, NDArray[Any]]
"""Figures and texts along one axis, by name; each has a type that its users know."""

Variables = dict[str, tuple[str | tuple[str, ...], NDArray[Any]]]
"""Variables of a Dataset by name: the dimensions and the values of each."""

PathLike = str | os.PathLike[str]
"""Path of a file, as callers give it."""

Attributes = Mapping[Any, Any]
"""Attributes of a Dataset, which xarray leaves untyped."""
