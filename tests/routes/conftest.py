"""Low thresholds: small data take every code path of large data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from iaa_jax import _thresholds

LOW: Mapping[str, int] = {
    "SUMMED_TOGETHER": 3,
    "LAID_OUT_TOGETHER": 50,
    "ROWS_TOGETHER": 2000,
    "FORMULA_CELLS": 500,
    "FIGURES_HELD": 200,
    "ON_THIS_THREAD": 64,
    "KERNEL_CELLS": 4000,
    "GRADIENTS_TOGETHER": 3,
    "GRADIENT_CELLS": 200,
    "CURVATURE_CELLS": 200,
    "CURVATURES_TOGETHER": 7,
    "TERMS_TOGETHER": 200,
    "SWEEP_CELLS": 200,
    "SWEEP_KEPT": 10,
    "PANELS_TOGETHER": 4,
    "LOOKED_UP": 1000,
    "DRAWN_TOGETHER": 200,
    "DRAWN_HELD": 200,
    "DRAWN_BY_THREADS": 1,
    "DRAWN_LONG": 0,
    "DRAWN_NEAR": 50,
    "FIT_CELLS": 200,
    "DEVICE_FIT_CELLS": 200,
    "DEVICE_CELLS": 200,
    "DEVICE_ROWS": 3,
    "COUPLES_TOGETHER": 5,
    "COUPLES_IN_TURN": 3,
    "SETS_TOGETHER": 3,
    "SET_PAIRS_TOGETHER": 30,
    "CODED_TOGETHER": 7,
    "LABELS_TOGETHER": 7,
    "UNITED_TOGETHER": 2,
    "UNITED_ROWS": 5,
    "NUMPY_CELLS": -1,
    "MANY_PATTERNS": 0,
    "PART_KEYS": 0,
    "SHUFFLED_TOGETHER": 50,
    "SHUFFLED_PATTERNS": 0,
    "PANEL_COUNTS": 0,
    "PANEL_KEYS": 0,
    "ROWS_SHARING": 1,
    "SPANS_MET": 0,
    "SUMS_BY_PANEL": 0,
    "PANEL_SUMS": 0,
    "FIT_LONG": 1,
    "FIT_ONE_STEP": 1,
    "LISTED_STEP": 0,
    "DENSE_STEP": 10**9,
    "DENSE_PRODUCTS": 1,
    "FAR_APART": 0,
    "FEW_LABELS": 0,
    "LONG_CROWD": 0,
    "SET_CELLS": 0,
    "SET_TABLE_CELLS": 0,
    "FORM_ROWS": 0,
    "MANY_LABEL_PAIRS": 0,
    "SETS_COMPARED": 0,
    "SLOT_COST": 0,
    "MANY_ANNOTATORS": 0,
    "TIMES_PANEL": 1,
    "SLOT_KEY_BITS": 8,
    "FEW_SLOTS": 0,
    "COUNTED_KEYS": 0,
    "KEY_BITS": 8,
    "EXACT_BITS": 0,
}
"""For each threshold of the code, a value that 48 items exceed."""

AS_THEY_ARE: Mapping[str, int] = {name: getattr(_thresholds, name) for name in LOW}

COMPILES = ("NUMPY_CELLS",)
"""The thresholds that make small data compile, which takes seconds per coefficient."""

NOT_TOGETHER = ("PART_KEYS", "SETS_COMPARED", "SLOT_COST")
"""Thresholds that would hide another low one: lowered alone."""

AT_ONCE = [name for name in LOW if name not in (*COMPILES, *NOT_TOGETHER)]


def lower(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for name in names:
        monkeypatch.setattr(_thresholds, name, LOW[name])


@contextmanager
def as_they_are() -> Iterator[None]:
    """The default thresholds, for fixtures shared by tests of both sides."""
    with pytest.MonkeyPatch.context() as patch:
        for name, size in AS_THEY_ARE.items():
            patch.setattr(_thresholds, name, size)
        yield


@pytest.fixture(params=["as they are", "low"])
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All thresholds at their defaults, or all low."""
    if request.param == "low":
        lower(monkeypatch, *AT_ONCE)
    return str(request.param)


EVERYTHING = os.environ.get("IAA_JAX_ROUTES") == "all"
"""Whether all combinations run, at true sizes: `.ci/run routes`."""

collect_ignore = [] if EVERYTHING else ["test_true_sizes.py"]
