"""A_m: the slide example as exact fractions, its identities, and sets in place of moments."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import jax
import numpy as np
import pytest

from iaa_jax import kernels
from iaa_jax._errors import NO_EXPECTED_DISAGREEMENT, NO_PAIRABLE_ITEM
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import PatternTable, Prepared, Problem, bootstrap, estimates, influences
from iaa_jax.kernels import label_agreement, multi_label
from iaa_jax.kernels.label_agreement import SET_DISTANCES
from iaa_jax.kernels.raters import Raters
from tests.kernels.cases import slots_of, weights
from tests.oracles import multi_label as oracle

# Labels A, D, S, H of annotators U1 and U2. The slide as it can be read; its rows paired another
# way; and U2's disgust in sentence 2 left out.
SLIDE = [("0110", "0111"), ("1010", "0110"), ("0010", "1010"), ("1011", "1010")]
PAIRED_ANEW = [("0110", "0111"), ("0010", "0110"), ("1011", "1010"), ("1010", "1010")]
ONE_CELL = [("0110", "0111"), ("1010", "0010"), ("0010", "1010"), ("1011", "1010")]
PUBLISHED = [
    (SLIDE, Fraction(-1, 55), Fraction(5, 12), Fraction(41, 96)),
    (PAIRED_ANEW, Fraction(19, 55), Fraction(5, 8), Fraction(41, 96)),
    (ONE_CELL, Fraction(1, 13), Fraction(1, 2), Fraction(11, 24)),
]

# The example of the public implementation (github.com/SyrupType/bhowmick_agreement_measure).
TEN_LABELS = ("fi", "ps", "em", "lr", "fn", "ind")
TEN_ITEMS = [
    (("fi",), ("fi",), ("fi", "ps")),
    (("ind",), ("fn",), ("ind",)),
    (("lr",), ("lr",), ("lr",)),
    (("ps",), ("ps",), ("ps",)),
    (("fn", "lr"), ("fn",), ("lr",)),
    (("em",), ("em",), ("em",)),
    (("em", "ps"), ("em",), ("em",)),
    (("ps",), ("ps", "fi"), ("ps",)),
    (("em",), ("em",), ("em",)),
    (("fn",), ("fn",), ("fn",)),
]


def mass_of(table: list[tuple[str, ...]]) -> np.ndarray:
    return np.array([[[int(x) for x in cell] for cell in row] for row in table], dtype=float)


def ten_items() -> np.ndarray:
    return np.array(
        [[[label in cell for label in TEN_LABELS] for cell in row] for row in TEN_ITEMS], float
    )


def cells_of(table: list[tuple[str, ...]]) -> list[list[dict[str, Fraction]]]:
    return [
        [{k: Fraction(1) for k, x in zip("ADSH", cell, strict=True) if x == "1"} for cell in row]
        for row in table
    ]


def random_sets(
    seed: int, shape: tuple[int, int, int] = (40, 5, 7), gaps: float = 0.25
) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.random((shape[0], 1, shape[2])) < 0.3
    mass = np.where(rng.random(shape) < 0.2, ~truth, truth).astype(float)
    mass[rng.random(shape[:2]) < gaps] = np.nan
    return mass


@pytest.mark.parametrize(("table", "estimate", "observed", "expected"), PUBLISHED)
def test_am3_slide_example_as_exact_fractions(
    table: list[tuple[str, ...]], estimate: Fraction, observed: Fraction, expected: Fraction
) -> None:
    one: list[Any] = [Fraction(1)]
    exact = oracle.am_agreement(
        cells_of(table), labels="ADSH", item_weight=4 * one, annotator_weight=2 * one
    )
    assert exact == (estimate, observed, expected)
    assert all(isinstance(part, Fraction) for part in exact)
    found = kernels.am_agreement(mass_of(table))
    np.testing.assert_allclose(
        [float(part) for part in found[:3]], [float(part) for part in exact], rtol=0, atol=1e-15
    )


def test_am1_item_agreement_of_the_slide() -> None:
    """P_1 = P_3 = .5 as printed; the printed .57 and .64 can be no item's and no table's."""
    row = [oracle.item_agreement(cells, "ADSH", [1, 1]) for cells in cells_of(SLIDE)]
    assert row == [Fraction(1, 2), Fraction(1, 6), Fraction(1, 2), Fraction(1, 2)]
    mass = mass_of(SLIDE)
    for item, wanted in zip(mass, row, strict=True):
        apart = multi_label.set_disagreement(np, item)
        np.testing.assert_allclose(1 - apart[0, 1], float(wanted), atol=1e-15)
    cells = cells_of(SLIDE)[0]
    pairs = [("A", "D"), ("A", "S"), ("A", "H"), ("D", "S"), ("D", "H"), ("S", "H")]
    assert [oracle.agree_on_pair(*cells, *pair) for pair in pairs] == [1, 1, 0, 1, 0, 0]


@pytest.mark.parametrize(("labels", "floor"), [(4, 1 / 6), (6, 0.40), (10, 28 / 45)])
def test_am1_one_different_label_each_still_agrees(labels: int, floor: float) -> None:
    two = np.eye(labels)[:2]
    np.testing.assert_allclose(1 - multi_label.set_disagreement(np, two)[0, 1], floor, atol=1e-15)


def test_am2_expected_agreement_of_the_slide() -> None:
    cells, one = cells_of(SLIDE), [Fraction(1)] * 4
    first = [oracle.joint(cells, 0, "A", "D", g, one) for g in oracle.CELLS]
    second = [oracle.joint(cells, 1, "A", "D", g, one) for g in oracle.CELLS]
    assert first == [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), 0]
    assert second == [0, Fraction(1, 2), Fraction(1, 2), 0]
    assert [a * b for a, b in zip(first, second, strict=True)] == [0, Fraction(1, 8), 0.25, 0]
    wanted = {"AD": "3/8", "AS": "1/2", "AH": "1/4", "DS": "1/2", "DH": "5/16", "SH": "5/8"}
    for (x, y), chance in wanted.items():
        assert oracle.pair_chance(cells, 0, 1, x, y, one) == Fraction(chance)


def test_am2_four_cells_are_kept_apart() -> None:
    """One label each, never the same: 01 and 10 are not one cell."""
    mass = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], dtype=float)
    assert kernels.am_agreement(mass).expected == 0.5
    assert kernels.am_agreement(mass).estimate == -1.0


def test_am3_ten_items_of_three_annotators() -> None:
    found = kernels.am_agreement(ten_items())
    np.testing.assert_allclose(found.observed, 0.85111, atol=5e-6)
    np.testing.assert_allclose(found.expected, 0.47956, atol=5e-6)
    np.testing.assert_allclose(found.estimate, 0.71392, atol=5e-6)


@pytest.mark.parametrize("shape", [(20, 3, 4), (15, 4, 2), (12, 2, 5)])
def test_am3_kernel_is_its_oracle_on_label_sets(shape: tuple[int, int, int]) -> None:
    mass = random_sets(5, shape)
    given = weights(5, shape)
    cells = [
        [None if np.isnan(x[0]) else {k: 1.0 for k in np.flatnonzero(x)} for x in row]
        for row in mass
    ]
    lists = {name: weight.tolist() for name, weight in given.items()}
    wanted = oracle.am_agreement(cells, labels=range(shape[2]), **lists)
    for one, other in zip(kernels.am_agreement(mass, **given), wanted, strict=False):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)


def problem(mass: np.ndarray, annotator_of: np.ndarray | None = None, **given: Any) -> Problem:
    table = PatternTable(given.pop("item_weight", np.ones(len(mass))))
    data = mass
    if annotator_of is not None:
        given["annotators"] = int(annotator_of.max()) + 1
    return Problem(CATALOG["am_agreement"].measure, table, data, annotator_of=annotator_of, **given)


@pytest.mark.slow
@pytest.mark.parametrize("many", [0, 1 << 12])
@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("labels", [2, 7, 70])
def test_sets_give_what_moments_give(
    labels: int, weighted: bool, slots: bool, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine sums distinct sets (in several parts here), or compares each two of them."""
    monkeypatch.setattr("iaa_jax._thresholds.MANY_LABEL_PAIRS", many)
    monkeypatch.setattr("iaa_jax._thresholds.LAID_OUT_TOGETHER", 50)
    monkeypatch.setattr("iaa_jax._thresholds.SETS_TOGETHER", 8)
    mass = random_sets(9, (40, 5, labels))
    mass[:2] = random_sets(9, (2, 5, labels), 0.0)  # the last annotator rates something
    given = weights(9, mass.shape) if weighted else {}
    wanted = kernels.am_agreement(mass, **given)
    data, annotator_of = slots_of(mass) if slots else (mass, None)
    prepared = Prepared([problem(data, annotator_of, **given)])
    for one, other in zip(estimates(prepared)[0], wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)
    rest = {name: weight for name, weight in given.items() if name != "item_weight"}
    count = given.get("item_weight", np.ones(40))
    with jax.enable_x64(True):
        slope = jax.jit(
            jax.grad(lambda w: kernels.am_agreement(mass, item_weight=w, **rest).estimate)
        )(count)
    np.testing.assert_allclose(influences(prepared)[0], slope, rtol=0, atol=1e-13)


def test_replicates_are_the_kernel_on_the_same_rows() -> None:
    from iaa_jax.engine import bootstrap_rows

    mass = random_sets(2)
    asked = problem(mass)
    found = bootstrap(Prepared([asked]), replicates=20, seed=3)[0]
    rows = np.concatenate([part for (part,) in bootstrap_rows([asked.table], 20, 3)])[:20]
    wanted = [kernels.am_agreement(mass, item_weight=row).estimate for row in rows]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13)


@pytest.mark.parametrize("many", [0, 1 << 12])
@pytest.mark.parametrize("jit", [False, True])
def test_one_set_only_is_undefined_exactly(
    jit: bool, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iaa_jax._thresholds.MANY_LABEL_PAIRS", many)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        mass = np.tile([0.0, 1.0, 1.0], (11, 3, 1))
        mass[0, 0] = np.nan
        w, v = rng.dirichlet(np.ones(11)) * 11, rng.uniform(0.2, 3, 3)
        with jax.enable_x64(True):
            kernel = jax.jit(kernels.am_agreement) if jit else kernels.am_agreement
            found = kernel(mass, item_weight=w, annotator_weight=v)
            assert found.code == NO_EXPECTED_DISAGREEMENT
            by_set = kernels.Kernel(
                "by_set",
                kernels.am_agreement.statistics_among(mass, Raters(v)),
                kernels.am_agreement.formula,
                takes_sets=True,
            )(mass, item_weight=w, annotator_weight=v)
            assert by_set.code == NO_EXPECTED_DISAGREEMENT


def test_undefined_without_pairs_and_without_label_pairs() -> None:
    lonely = np.full((2, 2, 3), np.nan)
    lonely[0, 0] = lonely[1, 1] = 1.0
    assert kernels.am_agreement(lonely).code == NO_PAIRABLE_ITEM
    one_label = np.array([[[1.0], [0.0]], [[1.0], [1.0]]])
    found = kernels.am_agreement(one_label)
    assert np.isnan(found.estimate)
    assert found.code == NO_EXPECTED_DISAGREEMENT


def test_many_labels_are_keyed_by_their_bits() -> None:
    rng = np.random.default_rng(0)
    for labels in (3, 64, 65, 130):
        rows = (rng.random((50, labels)) < 0.5).astype(float)
        rows[25:] = rows[:25]
        found = multi_label.distinct_sets(rows[:, None, :], Raters(np.ones(1)))
        distinct = np.unique(rows, axis=0)
        assert np.array_equal(np.unique(found.sets[: len(distinct)], axis=0), distinct)
        assert not found.sets[len(distinct) :].any()
        soft = multi_label.distinct_sets(rows[:, None, :] * 0.5, Raters(np.ones(1)))
        assert np.array_equal(np.unique(soft.sets, axis=0), np.unique(found.sets, axis=0) * 0.5)


def test_sets_are_compared_once_however_items_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax._thresholds.MANY_LABEL_PAIRS", 0)
    rng = np.random.default_rng(3)
    mass = (rng.random((30, 3, 6)) < 0.4).astype(float)
    raters = Raters(np.ones(3))
    common = multi_label.distinct_sets(mass, raters)
    several = [
        multi_label.set_statistics(mass[start : start + 10], raters, None, common).between.value
        for start in (0, 10, 20)
    ]
    assert all(between is common.between for between in several)


@pytest.mark.parametrize("distance", SET_DISTANCES)
def test_distances_of_many_sets_are_those_of_two(distance: str) -> None:
    sets = (np.random.default_rng(1).random((40, 5)) < 0.4).astype(float)
    sets[0] = 0.0
    members = [tuple(np.flatnonzero(row)) for row in sets]
    wanted = label_agreement.table(SET_DISTANCES[distance], members)
    found = label_agreement.table_of_sets(distance, sets)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-15)
