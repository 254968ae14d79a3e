"""How many ratings rows of cells hold, whatever their number and their place in memory."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from iaa_jax.data.storage import panel_sizes

Cells = np.ndarray[Any, Any]


def slow_sizes(known: Cells) -> list[int]:
    return [sum(1 for cell in row if cell) for row in known.tolist()]


def some(rows: int, columns: int, share: float) -> Cells:
    return np.random.default_rng(rows * columns).random((rows, columns)) < share


@pytest.mark.parametrize("columns", [0, 1, 5, 63, 64, 65, 128, 129, 300])
def test_sizes_of_rows(columns: int) -> None:
    for rows, share in product((0, 1, 100), (0, 0.3, 1)):
        known = some(rows, columns, share)
        found = panel_sizes(known)
        assert found.shape == (rows,)
        assert found.dtype == np.int64
        assert found.tolist() == slow_sizes(known)


@pytest.mark.parametrize("columns", [3, 64, 65])
def test_any_place_in_memory(columns: int) -> None:
    known = some(20, 2 * columns, 0.5)
    views = {
        "the first columns": known[:, :columns],
        "every other column": known[:, ::2],
        "columns backwards": known[:, ::-2],
        "every third row": known[::3, :columns],
        "rows backwards": known[::-1, :columns],
        "Fortran order": np.asfortranarray(known[:, :columns]),
        "a table on its side": known[:, :20].T[:, :columns],
        "one row for all": np.broadcast_to(known[0, :columns], (20, columns)),
    }
    for name, view in views.items():
        before = view.copy()
        assert panel_sizes(view).tolist() == slow_sizes(view), name
        assert np.array_equal(view, before), name


def test_cells_that_may_not_be_written_and_sizes_that_may() -> None:
    known = some(6, 4, 0.5)
    known.flags.writeable = False
    sizes = panel_sizes(known)
    sizes[:] = 9  # a caller sets those of items without weight to 0
    assert panel_sizes(known).tolist() == slow_sizes(known)
