"""The quick way through regular text gives what the slower ways give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from iaa_jax import read
from iaa_jax.io.table import delimited
from iaa_jax.io.table.content import records
from iaa_jax.io.table.quick import regular_rows


@given(st.text(alphabet="a, \n", max_size=30))
def test_regular_rows_are_those_that_the_scan_finds(text: str) -> None:
    data = text.encode()
    rows = regular_rows(data, ",", 2)
    if rows is not None and rows >= 0:
        assert records(data, ",").cells.tolist() == [2] * (rows + 1)


@pytest.mark.parametrize(
    "text",
    [
        "item,annotator,label\n1,ann,x\n1,bob, y\n2,ann,\n2,bob,NA\n 1,cy,é",
        "id\tann\tbob\n007\t1\t1.0\n7\t\t2\n\xa07.0\t2\t1\n",
    ],
)
def test_with_and_without_pyarrow(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = write(text)
    quick = read(path)
    monkeypatch.setattr(delimited, "quick_columns", lambda *_: None)
    assert read(path).identical(quick)
