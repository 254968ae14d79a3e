"""One rule for label values: what is a number, what is missing, what is refused."""

from __future__ import annotations

import time
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from iaa_jax import IaaError
from iaa_jax.data.factorize import factorize
from iaa_jax.data.labels import CodedLabels, code_columns, parse_number


def labelled(values: Sequence[Any], labels: Sequence[object] | None = None, **options: bool) -> Any:
    column = np.fromiter(values, dtype=object, count=len(values))
    return code_columns([factorize(column)], labels, "place {}".format, **options)


def decoded(found: CodedLabels) -> list[object]:
    values = found.values.tolist()
    return [None if code < 0 else values[code] for code in found.codes[0].tolist()]


@pytest.mark.parametrize(
    ("values", "labels", "ordered"),
    [
        ([3, 1, 2, 1], [1, 2, 3], True),
        ([1.0, 2, 1], [1, 2], True),
        ([1.5, 1], [1.0, 1.5], True),
        ([Decimal("2"), 1], [1, 2], True),
        (["b", "a", "b"], ["a", "b"], False),
        (["10", "9"], ["10", "9"], False),
        ([1, "a", 2.0, "1.0", "2e0"], ["1", "2", "a"], False),
        ([True, False], ["False", "True"], False),
        ([True, 2, 0, False], ["0", "2", "False", "True"], False),
        ([np.int8(2), np.float32(1.0)], [1, 2], True),
        ([-1, 10**6, 0], [-1, 0, 10**6], True),
        ([2**60, 2**60 + 1], [str(2**60), str(2**60 + 1)], False),
        ([0.5, 1e300], [0.5, 1e300], True),
        ([pd.Timestamp("2024-01-02"), "x"], ["2024-01-02 00:00:00", "x"], False),
    ],
)
def test_labels_that_occur(values: list[Any], labels: list[Any], ordered: bool) -> None:
    found = labelled(values)
    assert found.values.tolist() == labels
    assert found.values.dtype.kind in ("if" if ordered else "O")
    assert (found.ordered, found.declared) == (ordered, False)
    whole = {"1.0": "1", "2.0": "2", "2e0": "2"}
    by_text = [whole.get(str(v), str(v)) for v in values]
    expected = values if ordered else by_text
    assert decoded(found) == [label for label in expected]


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT, np.float32("nan")])
def test_missing_values_have_no_code(nothing: Any) -> None:
    assert labelled(["a", nothing, "b"]).codes[0].tolist() == [0, -1, 1]
    assert labelled([5, nothing, 7]).values.tolist() == [5, 7]


def test_declared_labels_keep_their_order_and_need_not_occur() -> None:
    found = labelled(["low", "high"], ["low", "mid", "high"])
    assert found.values.tolist() == ["low", "mid", "high"]
    assert found.codes[0].tolist() == [0, 2]
    assert found.declared
    assert found.ordered


@pytest.mark.parametrize(
    ("values", "labels", "codes"),
    [
        ([1.0, 3], [3, 2, 1], [2, 0]),
        (["1", "3.0"], [3, 2, 1], [2, 0]),
        ([1, 2], ["1", "2"], [0, 1]),
        ([True, False], [0, 1], [1, 0]),
        ([True, False], [True, False], [0, 1]),
        ([True, False], ["True", "False"], [0, 1]),
        ([1, 2.0], np.array([2.0, 1.0]), [1, 0]),
        ([1, "2.0", "x"], ["x", "02", "1"], [2, 1, 0]),
    ],
)
def test_declared_labels_match_by_number_or_by_text(
    values: list[Any], labels: Any, codes: list[int]
) -> None:
    assert labelled(values, labels).codes[0].tolist() == codes


def test_a_label_that_was_not_declared_says_what_where_and_how_many() -> None:
    with pytest.raises(IaaError) as caught:
        labelled(["a", "z", "z", "y", "z", "z"], ["a", "b"])
    message = str(caught.value)
    assert "5 ratings with a label that was not declared: 'z', 'y'" in message
    assert "at place 1; place 2; place 3; and 2 more" in message
    assert "the declared labels are 'a', 'b'" in message


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", "b", "a"], "1 label declared more than once: 'a'"),
        ([1, 1.0], "1 label declared more than once: 1"),
        (["x", 1, "1.0"], "1 label declared more than once: '1'"),
        ([], "list of labels is empty"),
        (["a", None], "declared label is missing"),
        ([1, float("nan")], "declared label is missing"),
        ([1, float("inf")], "not a finite number"),
        ("ab", "must be a list of labels, not the text 'ab'"),
    ],
)
def test_declarations_that_make_no_sense(labels: Any, words: str) -> None:
    with pytest.raises(IaaError, match=words):
        labelled(["a", "b"], labels)


@pytest.mark.parametrize("value", [float("inf"), -np.inf, np.float32("inf")])
def test_numbers_must_be_finite(value: float) -> None:
    with pytest.raises(IaaError, match=r"1 rating with a label that is not a finite number: .*inf"):
        labelled([1, value, 2])
    with pytest.raises(IaaError, match="at place 1"):
        code_columns([factorize(np.array([1.0, value, 2.0]))], [1, 2], "place {}".format)


@pytest.mark.parametrize("cell", [["a"], {"a"}, ("a", "b"), frozenset("a")])
def test_collections_are_not_labels(cell: Any) -> None:
    with pytest.raises(IaaError, match="go to from_sets"):
        labelled(["a", cell])


def test_numbers_are_read_from_text_only_on_request() -> None:
    texts = labelled(["1", "1.0", "2"])
    assert texts.values.tolist() == ["1", "1.0", "2"]
    assert [note.code for note in texts.notes] == ["labels_of_number_apart"]
    found = labelled(["1", "1.0", "2", None], parse=True)
    assert found.values.tolist() == [1, 2]
    assert found.codes[0].tolist() == [0, 0, 1, -1]
    assert labelled(["1", "x"], parse=True).values.tolist() == ["1", "x"]
    assert labelled(["2", "1"], ["2", "1.0"], parse=True).values.tolist() == [2, 1]
    # "inf" is a number among numbers, and a word among words (finite and infinitive verbs)
    assert labelled(["inf", "fin"], parse=True).values.tolist() == ["fin", "inf"]
    with pytest.raises(IaaError, match="not a finite number"):
        labelled(["1", "inf"], parse=True)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7), ("-7.50", -7.5), ("+1", 1), (".5", 0.5), ("5.", 5), ("1e3", 1000), (" 2 ", 2),
        ("1_000", None), ("0x10", None), ("", None), ("nan", None), ("1,5", None),
        ("9007199254740993", None),
    ],
)  # fmt: skip
def test_plain_numbers(text: str, number: float | None) -> None:
    assert parse_number(text) == number
    assert type(parse_number(text)) is type(number)


@given(st.lists(st.one_of(st.none(), st.integers(-5, 5), st.sampled_from([0.5, 2.0, -3.0]))))
def test_every_way_to_store_numbers_gives_the_same_codes(values: list[Any]) -> None:
    plain = labelled(values)
    numbers = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    as_float = code_columns([factorize(numbers)], None, str)
    assert decoded(plain) == values
    assert decoded(as_float) == values
    if values and all(isinstance(v, int) for v in values):
        for dtype in (np.int8, np.int64, np.int16):
            found = code_columns([factorize(np.array(values, dtype=dtype))], None, str)
            assert found.codes[0].tolist() == plain.codes[0].tolist()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int64, np.float64, np.float32])
@pytest.mark.parametrize("values", [[0, 3, 200], [7, 7], [0, 100_000]])
def test_numeric_arrays(dtype: Any, values: list[int]) -> None:
    array = np.array(values, dtype=dtype) if max(values) < 256 or dtype != np.uint8 else None
    if array is not None:
        assert decoded(code_columns([factorize(array)], None, str)) == values


@pytest.mark.parametrize(("count", "dtype"), [(2, np.int8), (127, np.int8), (128, np.int16)])
def test_codes_take_the_smallest_type(count: int, dtype: Any) -> None:
    assert labelled(list(range(count))).codes[0].dtype == dtype


def test_figures_without_end_are_no_matter_of_minutes() -> None:
    begun = time.monotonic()
    assert parse_number("9" * 200_000 + "x") is None
    assert time.monotonic() - begun < 5


def test_many_declared_labels_are_no_matter_of_minutes() -> None:
    labels = [f"l{number}" for number in range(60_000)]
    begun = time.monotonic()
    assert decoded(labelled(["l7", "l59999"], labels)) == ["l7", "l59999"]
    with pytest.raises(IaaError, match="1 label declared more than once: 'l3'"):
        labelled(["l7"], [*labels, "l3"])
    assert time.monotonic() - begun < 20
