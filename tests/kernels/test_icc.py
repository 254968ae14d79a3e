"""Intraclass correlations and Lin's concordance: oracles, laws, and data without an answer."""

from __future__ import annotations

from typing import Any

import array_api_strict
import jax
import numpy as np
import pytest

from iaa_jax import _errors, kernels
from tests.kernels.cases import slots_of
from tests.oracles.icc import icc_by_expectations, icc_of_mean_squares
from tests.oracles.lin import lin_ccc
from tests.taken import one_of

ONE_WAY = ("icc1", "icc1k")
TWO_WAY = ("icc2", "icc2k", "icc3", "icc3k")
FORMS = (*ONE_WAY, *TWO_WAY)
NUMBERS = (*FORMS, "lin_ccc")

SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)


@pytest.fixture(autouse=True)
def _float64() -> Any:
    with jax.enable_x64(True):
        yield


def numbers(seed: int, shape: tuple[int, int] = (12, 4), gaps: float = 0.25) -> np.ndarray:
    rng = np.random.default_rng(seed)
    items, annotators = shape
    value = 20 + 3 * rng.normal(size=(items, 1)) + rng.normal(size=annotators)
    value = value + rng.normal(size=shape)
    missing = rng.random(shape) < gaps
    missing[:4] = False
    if gaps:
        missing[-1] = True  # nobody rated the last item
        missing[-2, 1:] = True  # and one annotator the one before
    return np.where(missing, np.nan, value)


def weights(seed: int, shape: tuple[int, int] = (12, 4)) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed + 100)
    item_weight = rng.integers(0, 4, shape[0]).astype(float) * rng.uniform(0.5, 1.5)
    item_weight[:4] += 1.0
    return {"item_weight": item_weight, "annotator_weight": rng.uniform(0.3, 2.0, shape[1])}


def rows_of(value: np.ndarray) -> list[list[float | None]]:
    return [[None if np.isnan(x) else float(x) for x in row] for row in value]


def run(name: str, value: Any, **given: Any) -> kernels.Agreement:
    return getattr(kernels, name)(value, **given)


@pytest.mark.parametrize("name", FORMS)
def test_mean_squares_of_shrout_and_fleiss(name: str) -> None:
    """Table 2 of the paper, and its printed results to two places."""
    printed = {"icc1": 0.17, "icc2": 0.29, "icc3": 0.71, "icc1k": 0.44, "icc2k": 0.62}
    found = run(name, SHROUT_FLEISS)
    wanted = icc_of_mean_squares(SHROUT_FLEISS.tolist())[name]
    np.testing.assert_allclose(found.estimate, wanted, rtol=1e-13)
    assert round(float(found.estimate), 2) == printed.get(name, 0.91)
    beyond = (found.observed - found.expected) / (1 - found.expected)
    np.testing.assert_allclose(beyond, found.estimate, rtol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_complete_tables_are_mean_squares(seed: int) -> None:
    value = numbers(seed, (9, 5), 0.0)
    wanted = icc_of_mean_squares(value.tolist())
    for name in FORMS:
        np.testing.assert_allclose(run(name, value).estimate, wanted[name], rtol=1e-11)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_gaps_and_annotator_weights_by_expectations(seed: int, weighted: bool) -> None:
    value = numbers(seed)
    v = weights(seed)["annotator_weight"] if weighted else np.ones(4)
    if weighted and seed == 2:
        v[1] = 0.0
    wanted = icc_by_expectations(rows_of(value), v.tolist())
    assert len(wanted) == 6
    for name in FORMS:
        found = run(name, value, annotator_weight=v)
        np.testing.assert_allclose(found.estimate, wanted[name], rtol=1e-10, err_msg=name)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_concordance_is_its_oracle(seed: int, weighted: bool) -> None:
    value, given = numbers(seed), weights(seed) if weighted else {}
    keywords = {name: weight.tolist() for name, weight in given.items()}
    for least in (2, 5):
        wanted = lin_ccc(rows_of(value), min_common=least, **keywords)
        found = kernels.lin_ccc(value, min_common=least, **given)
        np.testing.assert_allclose(found.estimate, wanted, rtol=1e-12)


def same(found: kernels.Agreement, wanted: kernels.Agreement, tolerance: float = 1e-10) -> None:
    assert found.code == wanted.code
    for one, other in zip(found[:3], wanted[:3], strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", NUMBERS)
def test_laws(name: str) -> None:
    value, given = numbers(7), weights(7)
    wanted = run(name, value, **given)
    rng = np.random.default_rng(0)
    order = rng.permutation(len(value))
    same(run(name, value[order], **{**given, "item_weight": given["item_weight"][order]}), wanted)
    turned = np.roll(np.arange(4), 1)
    moved = {**given, "annotator_weight": given["annotator_weight"][turned]}
    same(run(name, value[:, turned], **moved), wanted)
    rated = ~np.isnan(value).all(axis=1)
    same(run(name, value[rated], **{**given, "item_weight": given["item_weight"][rated]}), wanted)
    times = rng.integers(0, 3, len(value))
    times[:4] += 1
    repeated = run(name, np.repeat(value, times, axis=0))
    same(run(name, value, item_weight=times.astype(float)), repeated)
    without = {**given, "annotator_weight": given["annotator_weight"] * [1, 0, 1, 1]}
    kept = {**given, "annotator_weight": given["annotator_weight"][[0, 2, 3]]}
    same(run(name, value, **without), run(name, value[:, [0, 2, 3]], **kept))
    doubled = {**given, "annotator_weight": 2 * given["annotator_weight"]}
    np.testing.assert_allclose(run(name, value, **doubled).estimate, wanted.estimate, rtol=1e-10)
    scaled = run(name, 1e6 + 3 * value, **given)
    np.testing.assert_allclose(scaled.estimate, wanted.estimate, rtol=1e-8)
    agreed = np.repeat(value[:4, :1], 4, axis=1)
    assert run(name, agreed).estimate == 1.0


def test_no_digits_are_lost_far_from_zero() -> None:
    """Spread 1 at 100 million: moments about 0 would have none left."""
    value = np.round(numbers(4, gaps=0.0) * 8) / 8
    for name in NUMBERS:
        known = run(name, value).estimate
        np.testing.assert_allclose(run(name, value + 1e8).estimate, known, rtol=1e-12)
        small = run(name, (value + 1e3).astype(np.float32))
        assert np.asarray(small.estimate).dtype == np.float32
        np.testing.assert_allclose(small.estimate, known, atol=1e-5)


UNDEFINED = [
    ("icc1", [[1, None], [None, 2]], _errors.NO_PAIRABLE_ITEM),
    ("icc1", [[1, 2]], _errors.ONE_ITEM),
    ("icc1", [[3, 3], [3, 3]], _errors.NO_VARIANCE),
    ("icc1k", [[3, 3], [3, 3]], _errors.NO_VARIANCE),
    ("icc1k", [[1, 3], [3, 1], [2, 2]], _errors.NO_VARIANCE_OF_MEANS),
    ("icc2", [[1, None], [None, 2]], _errors.NO_COMPLETE_ITEM),
    ("icc2", [[1, 2], [None, 2]], _errors.ONE_ITEM),
    ("icc2", [[3, 3], [3, 3]], _errors.NO_VARIANCE),
    ("icc3", [[1], [2]], _errors.NO_PAIRABLE_ITEM),
    ("icc3", [[3, 3], [3, 3]], _errors.NO_VARIANCE),
    ("icc3k", [[1, 3], [3, 1], [2, 2]], _errors.NO_VARIANCE_OF_MEANS),
    ("icc2k", [[1, 3], [3, 1], [2, 2]], _errors.NO_VARIANCE_OF_MEANS),
    ("icc3", [[2, 5], [2, 5], [2, 5]], _errors.NO_VARIANCE),
    ("lin_ccc", [[1, None], [None, 2]], _errors.NO_SHARED_ITEM),
    ("lin_ccc", [[3, 3], [3, 3]], _errors.NO_EXPECTED_DISAGREEMENT),
]


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(("name", "rows", "code"), one_of(2, UNDEFINED))
def test_undefined(name: str, rows: list[list[float | None]], code: int, jit: bool) -> None:
    value = np.array(rows, dtype=float) * 0.1
    kernel = getattr(kernels, name)
    found = (jax.jit(kernel) if jit else kernel)(value)
    assert np.isnan(found.estimate)
    assert found.code == code
    assert _errors.REASONS[int(found.code)]


@pytest.mark.parametrize("name", NUMBERS)
def test_one_number_under_any_weights(name: str) -> None:
    """Decided exactly, also where a replicate holds one of several numbers only."""
    rng = np.random.default_rng(1)
    for number in (0.0, 0.1, 1e6 / 3):
        value = np.full((7, 3), number)
        value[1] = 5.0
        alone = rng.dirichlet(np.ones(7)) * 7
        alone[1] = 0.0
        found = run(name, value, item_weight=alone)
        assert np.isnan(found.estimate)
        assert found.code in (_errors.NO_VARIANCE, _errors.NO_EXPECTED_DISAGREEMENT)


def test_nothing_counts() -> None:
    for name in NUMBERS:
        found = run(name, SHROUT_FLEISS, item_weight=np.zeros(6))
        assert np.isnan(found.estimate)
        assert found.code != 0


@pytest.mark.parametrize("name", one_of(2, NUMBERS))
def test_compiled_differentiated_by_slot_and_on_another_library(name: str) -> None:
    value, given = numbers(5), weights(5)
    wanted = run(name, value, **given)
    kernel = getattr(kernels, name)
    same(jax.jit(lambda value, given: kernel(value, **given))(value, given), wanted)
    slots, annotator_of = slots_of(value, 2)
    same(run(name, slots, annotator_of=annotator_of, **given), wanted)
    strict = {key: array_api_strict.asarray(part) for key, part in given.items()}
    found = run(name, array_api_strict.asarray(value), **strict)
    np.testing.assert_allclose(float(found.estimate), wanted.estimate, rtol=1e-12)
    rows = np.stack([given["item_weight"], np.ones(len(value))])
    batched = jax.jit(jax.vmap(lambda w: kernel(value, item_weight=w).estimate))(rows)
    looped = [run(name, value, item_weight=row).estimate for row in rows]
    np.testing.assert_allclose(batched, looped, rtol=1e-11)

    def estimate(value: Any, w: Any, v: Any) -> Any:
        return kernel(value, item_weight=w, annotator_weight=v).estimate

    arguments = (value, given["item_weight"], given["annotator_weight"])
    gradients = jax.jit(jax.grad(estimate, argnums=(0, 1, 2)))(*arguments)
    rng = np.random.default_rng(0)
    for place, gradient in enumerate(gradients):
        assert np.all(np.isfinite(gradient))
        step = 1e-6 * rng.normal(size=gradient.shape)
        ends = []
        for sign in (1, -1):
            moved = list(arguments)
            moved[place] = moved[place] + sign * step
            ends.append(estimate(*moved))
        slope = (ends[0] - ends[1]) / 2
        np.testing.assert_allclose(np.sum(gradient * step), slope, rtol=1e-4, atol=1e-13)
