"""A part of many alike cases by default; the others by `.ci/run slow`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_of(every: int, cases: Iterable[object], first: int = 0) -> list[Any]:
    """Every so many of the cases, from the first on; the others are slow tests."""
    return [case if k % every == first else _slow(case) for k, case in enumerate(cases)]


def _slow(case: object) -> object:
    return pytest.param(*(case if type(case) is tuple else (case,)), marks=pytest.mark.slow)
