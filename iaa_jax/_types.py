"""Names for the types that several packages speak of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Integers = NDArray[np.integer]

Values = NDArray[np.generic]
"""Names, labels or numbers: an array of any type."""

Attributes = Mapping[Any, Any]
"""Attributes of a Dataset: xarray gives them no type."""
