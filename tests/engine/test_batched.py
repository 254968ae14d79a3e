"""Operations on arrays with rows equal NumPy's on each row."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from iaa_jax.engine.batched import NAMESPACE, Batched

ROWS = 5
SHAPES = [(3,), (3, 3), (2, 3, 3), (3, 3, 3)]
PAIRS = [*product(SHAPES[:3], SHAPES[:3]), *product(SHAPES[:2], SHAPES[3:]), (SHAPES[3], SHAPES[3])]


def random_array(shape: tuple[int, ...], *, rows: bool, seed: int) -> np.ndarray | Batched:
    rng = np.random.default_rng(seed)
    return Batched(rng.random((*shape, ROWS))) if rows else rng.random(shape)


def row(x: np.ndarray | Batched, number: int) -> np.ndarray:
    if not isinstance(x, Batched):
        return x
    return x.value[..., number if x.value.shape[-1] > 1 else 0]


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("rows", [(True, False), (False, True), (True, True)])
def test_matrix_products(
    first: tuple[int, ...], second: tuple[int, ...], rows: tuple[bool, bool]
) -> None:
    x, y = random_array(first, rows=rows[0], seed=0), random_array(second, rows=rows[1], seed=1)
    for found in (x @ y, NAMESPACE.matmul(x, y)):
        for number in range(ROWS):
            expected = np.matmul(row(x, number), row(y, number))
            np.testing.assert_allclose(row(found, number), expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
@pytest.mark.parametrize("rows", [(True, False), (False, True), (True, True), (False, False)])
def test_the_larger_of_two_is_none_where_one_is_none(name: str, rows: tuple[bool, bool]) -> None:
    numbers = np.array([[1.0, 2.0, np.nan, np.nan, 3.0], [2.0, 1.0, 0.0, np.nan, np.nan]])
    x, y = (
        Batched(np.tile(each[:, None], ROWS)) if own else each
        for each, own in zip(numbers, rows, strict=True)
    )
    found, expected = getattr(NAMESPACE, name)(x, y), getattr(np, name)(*numbers)
    for number in range(ROWS):
        np.testing.assert_array_equal(row(found, number), expected)
