"""The tests of the engine run compiled code on small data too; one file compares it with NumPy."""

from __future__ import annotations

import pytest

from iaa_jax.engine import on_numpy


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_numpy, "MOST_CELLS", -1)
