"""The lead of the best panel compared with leads after exchanging ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, groupby, permutations, product
from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.panels import subsets
from iaa_jax.engine.drawing import within_items
from tests.oracles import krippendorff_alpha, single_labels, strict_f1

DRAWN = 299
_FEW_ORDERS = within_items._FEW_ORDERS
_ = None


def alpha(rows: list[list[Any]]) -> float:
    return krippendorff_alpha(single_labels(rows), labels=["a", "b"]).estimate


def spans(rows: list[list[Any]]) -> float:
    """Strict F1 by loops."""
    return strict_f1.f1(documents(rows))


def numbers(rows: list[list[Any]]) -> float:
    """Interval alpha, pair by pair."""
    items = [[each for each in row if each is not None] for row in rows]
    items = [each for each in items if len(each) > 1]
    every = [each for item in items for each in item]
    inside = sum(
        (x - y) ** 2 / (len(item) - 1) for item in items for x in item for y in item
    ) / len(every)
    among = sum((x - y) ** 2 for x in every for y in every) / len(every) / (len(every) - 1)
    return 1 - inside / among


def documents(rows: list[list[Any]]) -> list[dict[str, Any]]:
    people = range(len(rows[0]))
    return [{f"w{k}": row[k] for k in people if row[k] is not None} for row in rows]


def marked(rows: list[list[Any]]) -> xr.Dataset:
    return iaa.from_spans({f"d{number}": each for number, each in enumerate(documents(rows))})


def every_exchange(rows: list[list[Any]], clusters: list[int]) -> Iterator[list[list[Any]]]:
    """All ways to deal out each cluster's columns among annotators who rated the same of it."""
    places = [[*of] for _, of in groupby(range(len(rows)), clusters.__getitem__)]
    ways = []
    for of in places:
        orders = []
        for order in permutations(range(len(rows[0]))):
            rated = [[rows[item][who] is None for item in of] for who in range(len(order))]
            if all(rated[who] == rated[source] for who, source in enumerate(order)):
                orders.append(order)
        ways.append(orders)
    for chosen in product(*ways):
        yield [
            [rows[item][source] for source in order]
            for of, order in zip(places, chosen, strict=True)
            for item in of
        ]


def lead(rows: list[list[Any]], size: int, coefficient: Callable[..., float]) -> float:
    figures = [
        coefficient([[row[who] for who in panel] for row in rows])
        for panel in combinations(range(len(rows[0])), size)
    ]
    return max(each for each in figures if not isnan(each)) - coefficient(rows)


ROWS = [list("aab"), list("bba"), ["a", "a", _], list("bbb"), list("aba")]
LONG = [list("aaba"), list("bbaa"), ["a", "a", _, "b"], list("bbba")]
MARKED = [[[(0, 4, "x")], [(0, 4, "x")], [(2, 6, "x")]], [[(1, 3, "y")], [(1, 3, "y")], []]]


def test_p_is_the_share_of_all_exchanges_that_lead_as_far(monkeypatch) -> None:
    """With few orders of an item's ratings all are listed, with many each is drawn."""
    monkeypatch.setattr(subsets, "EXCHANGES", DRAWN)
    own, both = range(len(ROWS)), (_FEW_ORDERS, 0)
    for rows, clusters, ratings, size, coefficient, orders in (
        (ROWS, own, iaa.from_wide(ROWS), 2, alpha, both),
        (ROWS, [0, 0, 1, 1, 1], iaa.from_wide(ROWS), 2, alpha, both),
        ([[1.0, 1.2, 3], [2, 2.5, 1], [5, 5, 3], [4, 4.1, _]], range(4), None, 2, numbers, [0]),
        (MARKED, range(2), marked(MARKED), 2, spans, [_FEW_ORDERS]),
    ):
        clusters = [*clusters]
        if ratings is None:
            ratings = iaa.from_values([[np.nan if x is None else x for x in r] for r in rows])
        options = {}
        if len({*clusters}) < len(rows):
            ratings = ratings.assign_coords(page=("item", clusters))
            options = {"sampling": iaa.Sampling(cluster="page")}
        observed = lead(rows, size, coefficient)
        several = [lead(each, size, coefficient) for each in every_exchange(rows, clusters)]
        share = np.mean([each >= observed - 1e-12 for each in several])
        assert 0.01 < share < 0.9
        for few_orders in orders:
            monkeypatch.setattr(within_items, "_FEW_ORDERS", few_orders)
            at = iaa.panels(ratings, replicates=50, **options).sel(size=size)
            np.testing.assert_allclose(at.gain, observed, atol=1e-12)
            assert abs(at.gain_p_value - share) < 4 * sqrt(share * (1 - share) / DRAWN) + 1 / DRAWN


def test_sizes_are_adjusted_together_step_by_step() -> None:
    """Standardised leads; the largest over a size and those less sure than it."""
    rng = np.random.default_rng(2)
    drawn = rng.normal([[0.0], [0.1], [0.3], [0.0]], [[1.0], [3.0], [0.2], [0.0]], (4, 59))
    drawn[1, :7] = np.nan
    gain = np.array([2.1, 5.0, 0.7, 0.0])
    found = subsets.p_values(gain, drawn)
    t = []
    for own, row in zip(gain[:3], drawn, strict=False):
        known = [own, *row[~np.isnan(row)]]
        middle = sum(known) / len(known)
        spread = sqrt(sum((each - middle) ** 2 for each in known) / len(known))
        t.append([(each - middle) / spread for each in [own, *row]])
    order = sorted(range(3), key=lambda size: -t[size][0])
    expected, least = [0.0] * 3, 0.0
    for step, size in enumerate(order):
        reached = sum(
            any(t[other][e] >= t[size][0] for other in order[step:]) for e in range(1, 60)
        )
        least = max(least, (1 + reached) / 60)
        expected[size] = least
    np.testing.assert_allclose(found, [*expected, 1.0])


@pytest.mark.slow
def test_neither_orders_nor_forms_change_p(monkeypatch) -> None:
    ratings = iaa.from_wide([[*row] for row in LONG * 4]).assign_coords(
        page=("item", np.arange(16) // 3)
    )
    for few, sampling, coefficient in (
        (within_items._FEW_ORDERS, {}, "conger_kappa"),
        (0, {}, "krippendorff_alpha"),
        (0, {"sampling": iaa.Sampling(cluster="page")}, "krippendorff_alpha"),
    ):
        monkeypatch.setattr(within_items, "_FEW_ORDERS", few)
        p_values = [
            iaa.panels(each, coefficient, replicates=50, **sampling).gain_p_value
            for each in (
                ratings,
                ratings.isel(annotator=[2, 0, 3, 1], item=np.arange(16)[::-1]),
                iaa.data.in_slots(ratings),
            )
        ]
        for other in p_values[1:]:
            np.testing.assert_array_equal(other, p_values[0])
