"""Names for the types that several packages speak of."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]
Places = NDArray[np.integer | np.floating]
"""Where spans begin and end: counted, or measured."""

Values = NDArray[np.generic]
"""Names, labels or numbers: an array of any type."""

Columns = dict[str, NDArray[Any]]
"""Figures and texts along one axis, by name: who reads one knows of what type it is."""

Variables = dict[str, tuple[str | tuple[str, ...], NDArray[Any]]]
"""Variables of a Dataset by name: along what each goes, and its values."""

PathLike = str | os.PathLike[str]
"""A file as callers name it."""

Attributes = Mapping[Any, Any]
"""Attributes of a Dataset: xarray gives them no type."""
