"""Agreement between labels, against the definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.label_agreement import (
    DISTANCES,
    binary,
    dice,
    jaccard,
    label_agreement,
    label_agreement_matrix,
    masi,
)


def test_named_agreements_on_four_labels() -> None:
    """Written out from the definitions, as fractions of the largest distance."""
    labels = [1, 2, 3, 4]
    first_rows: dict[str, list[Any]] = {
        "linear": [1, Fraction(2, 3), Fraction(1, 3), 0],
        "quadratic": [1, Fraction(8, 9), Fraction(5, 9), 0],
        "ordinal": [1, Fraction(5, 6), Fraction(1, 2), 0],
        "radical": [1, 1 - math.sqrt(1 / 3), 1 - math.sqrt(2 / 3), 0],
        "ratio": [1, 1 - Fraction(1, 9) / Fraction(9, 25), 1 - Fraction(1, 4) * Fraction(25, 9), 0],
        "circular": [1, Fraction(1, 2), 0, Fraction(1, 2)],
        "bipolar": [1, Fraction(4, 5), Fraction(1, 2), 0],
    }
    for name, row in first_rows.items():
        found = label_agreement_matrix(name, labels)[0]
        assert found == pytest.approx([float(value) for value in row], abs=1e-12), name
    assert set(first_rows) == set(DISTANCES)


@pytest.mark.parametrize("name", [*DISTANCES, "identity"])
@pytest.mark.parametrize("labels", [[1, 2, 3, 4], [0, 1, 5], [2.5, 3.5], ["x", "y", "z"], ["x"]])
def test_named_agreements_are_shares(name: str, labels: list[Any]) -> None:
    matrix = label_agreement_matrix(name, labels)
    for row, line in enumerate(matrix):
        assert line[row] == 1.0
        for column, value in enumerate(line):
            assert 0.0 <= value <= 1.0
            assert value == matrix[column][row]
    if len(labels) > 1:
        assert min(map(min, matrix)) == 0.0


def test_text_has_ranks_and_numbers_have_values() -> None:
    by_rank = label_agreement_matrix("linear", [1, 2, 10], weights_on="rank")
    assert by_rank == label_agreement_matrix("linear", ["low", "mid", "high"])
    assert label_agreement("linear", [1, 2, 10])(1, 2) == pytest.approx(8 / 9)
    assert label_agreement("ordinal", [1, 2, 10])(1, 2) == pytest.approx(2 / 3)
    assert label_agreement("ratio", [0, 1, 2])(0, 0) == 1.0
    with pytest.raises(ValueError, match="zero or more"):
        label_agreement("ratio", [-1, 1])


def test_set_distances() -> None:
    assert masi({"a", "b"}, {"a"}) == pytest.approx(1 - 1 / 3)
    assert masi({"a", "b"}, {"b", "c"}) == pytest.approx(1 - 1 / 9)
    assert jaccard({"a", "b"}, {"b", "c"}) == pytest.approx(2 / 3)
    assert dice({"a", "b"}, {"b", "c", "d"}) == pytest.approx(3 / 5)
    for distance in (masi, jaccard, dice, binary):
        assert distance(set(), set()) == 0.0
        assert distance({"a"}, set()) == 1.0
        assert distance({"a"}, {"b"}) == 1.0
        assert distance({"a", "b"}, {"b", "a"}) == 0.0
