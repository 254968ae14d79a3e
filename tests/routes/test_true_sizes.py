"""Data that are beyond the thresholds as they are: by `.ci/run routes` alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from tests.routes import kinds
from tests.routes.kinds import Made
from tests.routes.routes import ROUTES, Figure, Figures, at_once
from tests.routes.test_routes import FIXED, REPLICATES, same

SIZES: Mapping[str, Callable[[], Made]] = {
    **{
        f"{make.__name__} of {items:,}": partial(make, items, 3)
        for make in (kinds.real_values, kinds.far_values, kinds.values_above_zero)
        for items in (2_047, 2_049, 20_000)
    },
    "numbered labels, some thousand patterns": partial(kinds.numbered_labels, 100_000, 3),
    "ranks, some thousand patterns": partial(kinds.ranks, 100_000, 3),
    "parts of patterns": partial(kinds.with_gaps, 100_000, 3, labels=4),
    "keys beyond a table": partial(kinds.with_gaps, 3_000, 3, annotators=13),
    "keys beyond 62 bits": partial(kinds.with_gaps, 600, 3, annotators=40),
    "a crowd by slot": partial(kinds.crowd, 5_000, 3, annotators=150),
    "a crowd of numbers laid out in parts": partial(
        kinds.crowd_of_values, 400_000, 3, annotators=25
    ),
    "a crowd of numbers by slot": partial(kinds.crowd_of_values, 4_000, 3, annotators=150),
    "many labels": partial(kinds.many_labels, 3_000, 3),
    "sets": partial(kinds.sets, 3_000, 3),
    "doubles": partial(kinds.doubles, 30_000, 3),
    "weights": partial(kinds.weights, 20_000, 3),
    "spans": partial(kinds.spans, 300, 3),
}


@cache
def made(size: str) -> Made:
    return SIZES[size]()


@cache
def plain(size: str) -> dict[str, Figure]:
    ratings = made(size)
    names = ratings.names()
    return {name: Figure(*(float(part) for part in ratings.plain(name)[:3])) for name in names}


@cache
def first(size: str, interval: str) -> Figures:
    options = {"interval": interval, "replicates": REPLICATES, "sampling": FIXED}
    return at_once(made(size), list(plain(size)), Path(), **options)


@pytest.mark.parametrize("interval", [None, "t", "auto"])
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("size", SIZES)
def test_true_sizes(size: str, route: str, interval: str | None, tmp_path: Path) -> None:
    names = list(plain(size))
    options = {"interval": interval, "replicates": REPLICATES, "sampling": FIXED}
    found = ROUTES[route](made(size), names, tmp_path, **options)
    same(found, plain(size))
    if interval is not None:
        same(found, first(size, interval))


def test_these_are_beyond_them() -> None:
    """The sizes above are no longer so where a threshold has been raised."""
    from iaa_jax import _thresholds

    def patterns(size: str) -> int:
        return len(made(size).resolver().tables.identified.codes)

    assert patterns("real_values of 2,047") < _thresholds.SUMMED_TOGETHER
    assert patterns("real_values of 2,049") > _thresholds.SUMMED_TOGETHER
    assert patterns("parts of patterns") > 4 * _thresholds.MANY_PATTERNS
    crowd = made("a crowd of numbers laid out in parts").resolver().tables.slot_codes
    panel = (crowd.codes >= 0).sum(axis=1)
    assert (panel * np.maximum((panel - 1) // 2, 1)).sum() > _thresholds.LAID_OUT_TOGETHER / 4
    assert 13 * np.log2(4) > np.log2(_thresholds.COUNTED_KEYS)
    assert 40 * np.log2(4) > _thresholds.KEY_BITS
