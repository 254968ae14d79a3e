"""Types that several packages of iaa_jax use, with short names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]
Places = NDArray[np.integer | np.floating]
"""Starts and ends of spans: whole numbers (of characters, say), or floats (of seconds, say)."""

Values = NDArray[np.generic]
"""An array of any type: names, labels or numbers."""

Columns = dict[str, NDArray[Any]]
"""Arrays of numbers or texts along one axis, by name."""

Variables = dict[str, tuple[str | tuple[str, ...], NDArray[Any]]]
"""Variables of a Dataset by name, each as its dimensions and its values."""

PathLike = str | os.PathLike[str]
"""A path of a file, as users give it."""

Attributes = Mapping[Any, Any]
"""Attributes of a Dataset; xarray does not say their types."""
