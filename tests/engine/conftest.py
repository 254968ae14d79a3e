"""Engine tests run compiled code on small data too; one file compares it with NumPy."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _compiled(compiled: None) -> None:
    """For all of them."""
