"""Every route gives equal estimates for equal ratings, on both sides of every threshold.

The reference is the plain kernel, called once on the dense arrays of all items. A new route must be
added to `ROUTES`, or its threshold to `LOW`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import iaa_jax as iaa
from iaa_jax import _thresholds
from iaa_jax.catalog import CATALOG
from iaa_jax.measure.options.interval import OVER_ANNOTATORS
from tests.routes.conftest import COMPILES, EVERYTHING, LOW, as_they_are, lower
from tests.routes.kinds import KINDS, Made
from tests.routes.routes import ROUTES, Figure, Figures, at_once, own
from tests.taken import one_of

ITEMS = 48
REPLICATES = 45
ALIKE = 1e-9
FIXED = iaa.Sampling(annotators="fixed")


@cache
def made(kind: str, items: int = ITEMS) -> Made:
    with as_they_are():
        return KINDS[kind](items, 1)


@cache
def plain(kind: str, items: int = ITEMS) -> dict[str, Figure]:
    """By the kernel alone: estimate, observed and expected agreement."""
    ratings = made(kind, items)
    found = {}
    with as_they_are():
        for name in ratings.names():
            agreement = ratings.plain(name)
            found[name] = Figure(*(float(part) for part in agreement[:3]))
    return found


@cache
def errors(kind: str) -> dict[str, float]:
    """``SE^2 = n / (n - 1) sum c (g - gbar)^2``, g by differences of the plain kernel."""
    ratings = made(kind)
    with as_they_are():
        return {name: _error(ratings, name) for name in ratings.names()}


def rated_items(ratings: Made) -> NDArray[np.bool_]:
    """Which items somebody rated."""
    if ratings.mass is None and ratings.value is None:
        return np.ones(ratings.ratings.sizes["item"], dtype=bool)
    cells = ratings.mass[..., 0] if ratings.mass is not None else ratings.value
    return np.asarray(~np.isnan(cells).all(axis=1))


def _error(ratings: Made, name: str) -> float:
    problem = ratings.resolver().request(name).problem
    if problem.measure.compares:
        count, first = problem.table.count.astype(float), np.arange(len(problem.table.count))
        alike, rated = first, count > 0
    else:
        rated = rated_items(ratings)
        count = np.ones(len(rated)) if ratings.weight is None else ratings.weight
        first, alike = distinct_items(ratings)
    slopes = np.zeros(len(first))
    for row, item in enumerate(first):
        if rated[item]:
            step = np.where(alike == row, 1e-4 * count, 0.0)
            up, down = (ratings.plain(name, count + sign * step).estimate for sign in (1, -1))
            slopes[row] = float(up - down) / (2 * step.sum())
    slope = slopes[alike][rated]
    n = count[rated].sum()
    away = slope - count[rated] @ slope / n
    return float(np.sqrt(n / (n - 1) * (count[rated] @ away**2)))


def distinct_items(ratings: Made) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """One item of each kind that has the same ratings, and the kind of each item."""
    cells = ratings.mass if ratings.mass is not None else ratings.value
    assert cells is not None
    rows = np.nan_to_num(cells.reshape(len(cells), -1), nan=-1e300)
    _, first, alike = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, alike.reshape(-1)


def same(found: Figures, wanted: dict[str, Figure], tolerance: float = ALIKE) -> None:
    """The parts that both have."""
    for name, figure in found.items():
        for part, value, other in zip(Figure._fields, figure, wanted[name], strict=True):
            if part not in ("estimate", "observed", "expected") and np.isnan(other):
                continue
            np.testing.assert_allclose(
                value, other, rtol=tolerance, atol=tolerance, err_msg=f"{name}: {part}"
            )


def test_every_threshold_has_a_low_size() -> None:
    thresholds = {name for name in vars(_thresholds) if name.isupper()}
    assert thresholds == set(LOW)


def test_every_coefficient_is_taken_by_some_kind() -> None:
    taken = set().union(*(plain(kind) for kind in KINDS))
    single = {name for name, row in CATALOG.items() if not row.measure.per_label}
    assert single - taken == set()


ESTIMATES = [
    (kind, route, sizes)
    for number, kind in enumerate(KINDS)
    for turn, route in enumerate(ROUTES)
    for sizes in ("as they are", "low")
    if EVERYTHING or (number + turn) % (2 if sizes == "low" else 5) == 0
]
"""By default every second route where sizes are low, and every fifth, in turn, where they are not:
`.ci/run routes` takes them all."""


@pytest.mark.parametrize(("kind", "route", "sizes"), ESTIMATES, indirect=["sizes"])
def test_estimates(kind: str, route: str, sizes: str, tmp_path: Path) -> None:
    wanted = plain(kind)
    found = ROUTES[route](made(kind), list(wanted), tmp_path, interval=None)
    same(found, wanted)


WITHHELD = {
    "crowd": {name for name in CATALOG if CATALOG[name].pair_counts is not None},
    "crowd_of_values": {"lin_ccc", "icc2", "icc2k", "icc3", "icc3k"},
}
"""Figures of pairs that share few items, and of items that all rated: they have no error."""


def half(cases: Iterable[object], first: int = 0) -> list[object]:
    """Every second case, the others as slow tests; or all."""
    return [*cases] if EVERYTHING else one_of(2, cases, first)


def crossed(one: Iterable[object], other: Sequence[object]) -> list[object]:
    """Half of the pairs of two lists, with every element of both; the others as slow tests."""
    pairs = [[(x, y) for y in other] for x in one]
    return [case for turn, row in enumerate(pairs) for case in half(row, first=turn % 2)]


@pytest.mark.parametrize("kind", half(KINDS))
def test_standard_errors(kind: str, sizes: str, tmp_path: Path) -> None:
    """Of one route, of another where sizes are low; or of all."""
    wanted, error = plain(kind), errors(kind)
    turn = list(KINDS).index(kind) + (sizes == "low")
    for route in some(ROUTES, turn, len(ROUTES)):
        found = ROUTES[route](made(kind), list(wanted), tmp_path, interval="t", sampling=FIXED)
        same(found, wanted)
        for name, figure in found.items():
            known = np.nan if name in WITHHELD.get(kind, ()) else error[name]
            told = f"{route}: {name}"
            np.testing.assert_allclose(figure.error, known, rtol=1e-6, atol=1e-12, err_msg=told)


def some(names: Iterable[str], turn: int, every: int = 8) -> list[str]:
    """Every so many of the names, in turn; all of them where everything is asked."""
    several = list(names)
    return several if EVERYTHING else several[turn % every :: every]


DRAWN = (
    "auto",
    "bca",
    "percentile",
    "basic",
    "studentized",
    "empirical_bayes",
    "likelihood",
    "abc",
)
"""Intervals that are drawn, or searched for; the others stand on the standard error."""

MANY = ("many_labels", "spans", "segments")
"""Kinds that take seconds an interval."""

ENDS = [
    (kind, interval)
    for kind in KINDS
    for interval in DRAWN
    if EVERYTHING or (interval == ("auto", "bca")[len(kind) % 2] and kind not in MANY)
]
"""By default one interval of every second kind."""


@pytest.mark.parametrize(("kind", "interval"), half(ENDS))
def test_ends_of_intervals(kind: str, interval: str, sizes: str, tmp_path: Path) -> None:
    """All routes draw alike, so intervals are equal to the digit."""
    ratings, names = made(kind), list(plain(kind))
    options = {"interval": interval, "replicates": REPLICATES}
    wanted = ends_at_once(kind, interval)
    turn = list(KINDS).index(kind)
    for route in some(ROUTES, turn, len(ROUTES)):
        same(ROUTES[route](ratings, names, tmp_path, **options), wanted)


@pytest.mark.parametrize("kind", ["real_values", "far_values"])
def test_ends_of_icc2_over_annotators(kind: str, tmp_path: Path) -> None:
    """By mean squares and by leaving items and annotators out, whichever way."""
    ratings, names = made(kind), ["icc2", "icc2k"]
    for interval in OVER_ANNOTATORS:
        wanted = at_once(ratings, names, tmp_path, interval=interval)
        assert all(figure.low < figure.high for figure in wanted.values())
        for route in some(ROUTES, list(KINDS).index(kind), len(ROUTES)):
            same(ROUTES[route](ratings, names, tmp_path, interval=interval), wanted)


@cache
def ends_at_once(kind: str, interval: str) -> Figures:
    with as_they_are():
        return at_once(
            made(kind), list(plain(kind)), Path(), interval=interval, replicates=REPLICATES
        )


@pytest.mark.parametrize("annotators", [None, "random"])
@pytest.mark.parametrize("kind", ["with_gaps", "crowd", "weights", "doubles", "real_values"])
def test_ends_over_clusters_and_annotators(
    kind: str, annotators: str | None, tmp_path: Path
) -> None:
    """Clusters of items, and annotators beside items, are drawn in the order of their names."""
    whole = made(kind)
    names = [
        name for name in plain(kind) if name.startswith(("conger", "mean_pair", "icc", "kripp"))
    ]
    names = names[: None if annotators is None else 1]
    documents = np.array([f"d{k % 11}" for k in range(whole.ratings.sizes["item"])])
    clustered = replace(whole, ratings=whole.ratings.assign_coords(document=("item", documents)))
    cluster = None if annotators else "document"
    sampling = iaa.Sampling(cluster=cluster, annotators=annotators)
    options = {"interval": "bca", "replicates": REPLICATES, "sampling": sampling}
    wanted = at_once(clustered, names, tmp_path, **options)
    for route in ("one by one", "shuffled", "by slot"):
        same(ROUTES[route](clustered, names, tmp_path, **options), wanted)


PANEL_SIZES = (
    ("SUMS_BY_PANEL",),
    ("PANEL_SUMS",),
    ("NUMPY_CELLS",),
    ("SUMS_BY_PANEL", "ROWS_SHARING"),
)
PANEL_KINDS = ("few_labels", "weights", "with_gaps", "doubles")


@pytest.mark.parametrize(
    ("low", "kind"),
    crossed(PANEL_SIZES, PANEL_KINDS),
)
def test_annotators_weigh_sums_or_ratings(
    kind: str, low: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Sums by panel on NumPy, compiled, or statistics from ratings, a row or for rows alike."""
    asked = [*plain(kind)] if EVERYTHING else ["conger_kappa", "krippendorff_alpha"]
    names = [name for name in asked if name in plain(kind)]
    sampling = iaa.Sampling(annotators="random")
    options = {"interval": "percentile", "replicates": REPLICATES, "sampling": sampling}
    wanted = at_once(made(kind), names, tmp_path, **options)
    lower(monkeypatch, *low)
    same(at_once(made(kind), names, tmp_path, **options), wanted)


ONE_BY_ONE = [name for name in LOW if name not in COMPILES]


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_one_low_size_at_a_time(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What other low sizes would keep from its way: every second kind, or all."""
    lower(monkeypatch, name)
    for turn, kind in enumerate(KINDS):
        if (turn + ONE_BY_ONE.index(name)) % 2 and not EVERYTHING:
            continue
        wanted = plain(kind)
        interval = None if (turn + ONE_BY_ONE.index(name)) % 3 else "t"
        found = at_once(made(kind), list(wanted), tmp_path, interval=interval, sampling=FIXED)
        same(found, wanted)


COMPILED = [*KINDS] if EVERYTHING else ["with_gaps", "crowd", "real_values"]
"""Kinds that are compiled: `tests/engine/test_on_numpy.py` compiles every kernel."""


@pytest.mark.parametrize(
    ("kind", "low"),
    crossed(COMPILED, [(), ("KERNEL_CELLS", "MANY_PATTERNS", "LAID_OUT_TOGETHER")]),
)
def test_compiled(
    kind: str, low: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lower(monkeypatch, *COMPILES, *low)
    names = list(plain(kind))
    found = at_once(made(kind), names, tmp_path, interval="bca", replicates=REPLICATES)
    same(found, plain(kind))
    same(found, ends_at_once(kind, "bca"))


@pytest.mark.parametrize("kind", COMPILED)
def test_single_precision(kind: str, tmp_path: Path) -> None:
    names = [name for name in plain(kind) if EVERYTHING or name.startswith(("icc1", "kripp"))]
    options = {"interval": "bca", "replicates": REPLICATES, "sampling": FIXED}
    found = at_once(made(kind), names, tmp_path, dtype="float32", **options)
    same(
        {name: figure._replace(low=np.nan, high=np.nan) for name, figure in found.items()},
        {name: plain(kind)[name] for name in names},
        1e-5,
    )


@pytest.mark.parametrize("kind", half(kind for kind in KINDS if EVERYTHING or kind not in MANY))
def test_replicates_are_those_of_the_interval(kind: str, sizes: str) -> None:
    """`bootstrap` gives what percentiles are taken of."""
    ratings, names = made(kind), list(plain(kind))
    options = {"replicates": REPLICATES, "sampling": FIXED, **ratings.options}
    drawn = iaa.bootstrap(ratings.ratings, names, **options)
    ends = iaa.agreement(ratings.ratings, names, interval="percentile", **options)
    for name in names:
        row = drawn.sel(coefficient=name)
        np.testing.assert_allclose(row.estimate, plain(kind)[name].estimate, rtol=ALIKE, atol=ALIKE)
        if np.isnan(ends.ci_low.sel(coefficient=name)):
            assert name in WITHHELD[kind] or np.isnan(row.estimate)
            continue
        low, high = np.nanquantile(row.replicates, [0.025, 0.975])
        np.testing.assert_allclose(ends.ci_low.sel(coefficient=name), low, rtol=ALIKE, atol=ALIKE)
        np.testing.assert_allclose(ends.ci_high.sel(coefficient=name), high, rtol=ALIKE, atol=ALIKE)


@pytest.mark.parametrize("kind", half(KINDS, first=1))
def test_influence_is_the_slope_of_the_plain_kernel(kind: str, sizes: str) -> None:
    """``U_i = n (g_i - gbar)``, so that sums of squares are those of the standard error."""
    ratings = made(kind)
    for name in some(plain(kind), list(KINDS).index(kind)):
        own_options = own(name, ratings)
        taken = inspect.signature(iaa.influence).parameters
        options = {key: value for key, value in own_options.items() if key in taken}
        found = iaa.influence(ratings.ratings, name, **options)
        weight = ratings.ratings.get("item_weight")
        count = np.ones(found.sizes["item"]) if weight is None else weight.values
        rated = rated_items(ratings)
        n = count[rated].sum()
        error = np.sqrt(n / (n - 1) * (count[rated] @ found.influence.values[rated] ** 2)) / n
        if not np.isnan(found.estimate):
            np.testing.assert_allclose(error, errors(kind)[name], rtol=1e-6, atol=1e-12)
