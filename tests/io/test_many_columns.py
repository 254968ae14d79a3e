"""The work on columns grows with their number, not with its square."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.columns import check_columns, is_likely_wide, split_names, wide_layout
from iaa_jax.io.table.content import Piped
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.kept import kept_columns
from iaa_jax.io.table.rows import find_roles
from iaa_jax.io.table.source import Source

FEW, MANY = 1500, 24_000  # 16 times as many; in squares 256 times


def table(columns: int) -> tuple[Source, Head]:
    names = ["item", "annotator", *(f"a{k}" for k in range(columns))]
    # each label of the first row stands in one other column, the last ones
    cells = [f"x{min(k, columns - 1 - k)}" for k in range(columns)]
    head = Head(names, [["1", "ann", *cells], ["2", "ann", *cells]])
    source = Source(Piped("t.csv", b""))
    source.once("head", lambda: head)
    return source, head


WORK: dict[str, Callable[[Source, Head], object]] = {
    "names": lambda source, head: split_names(list(head.names), head.names),
    "checks": lambda source, head: check_columns(source, head.names, head.names),
    "wide": lambda source, head: wide_layout(head, None, head.names[2::2], Missing()),
    "recognised": lambda source, head: is_likely_wide(head, "item", (), Missing()),
    "roles": lambda source, head: find_roles(source, Options(), head.names[2:]),
    "kept": lambda source, head: kept_columns(
        source, Options(keep=head.names[2::2]), {"item": ["item"], "is": head.names[3::2]}
    ),
}


@pytest.mark.parametrize("work", WORK)
def test_work_on_columns_grows_with_their_number(work: str) -> None:
    def taken(columns: int) -> float:
        times = []
        for _ in range(3):
            given = table(columns)
            gc.disable()  # what other tests left is not this work
            start = time.process_time()
            WORK[work](*given)
            times.append(time.process_time() - start)
            gc.enable()
        return min(times)

    # in squares, many columns take seconds; the floor keeps a busy machine out of the ratio
    assert taken(MANY) < 64 * max(taken(FEW), 1e-2)
