"""Ratings from ranked lists of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.analyses.doubles.made import made_rows, ratings_of


def test_rb1_two_ranks_are_primary_and_secondary() -> None:
    rows = made_rows(30, 3, 4, gaps=0.2)
    ranked = [
        [None if cell is None else [label for label in cell if label] for cell in row]
        for row in rows
    ]
    found = iaa.from_ranked(ranked, p=0.7, labels=list("abcd"))
    assert found.attrs["task"] == "soft"
    np.testing.assert_allclose(
        found.mass, iaa.data.mass(ratings_of(rows, "abcd"), p=0.7), atol=1e-15
    )


def test_rb1_more_ranks_are_geometric_and_rescaled() -> None:
    found = iaa.from_ranked([[["c", "a", "b"], ["a"]], [["b"], ["b"]]], p=0.6)
    wanted = np.array([0.6 * 0.4, 0.6 * 0.16, 0.6]) / (0.6 + 0.24 + 0.096)
    np.testing.assert_allclose(found.mass.values[0, 0], wanted, atol=1e-15)


def test_rb1_weights_of_the_users() -> None:
    found = iaa.from_ranked(
        [[["a", "b", "c"], ["b", "a"]], [["c"], ["a", "b", "c"]]], weights=(3, 2, 1)
    )
    wanted = [[[3 / 6, 2 / 6, 1 / 6], [2 / 5, 3 / 5, 0]], [[0, 0, 1], [3 / 6, 2 / 6, 1 / 6]]]
    np.testing.assert_allclose(found.mass, wanted, atol=1e-15)
    first = iaa.from_ranked([[["a", "b"], ["b"]], [["a"], ["a"]]], weights=(1, 0))
    assert first.mass.values[0, 0].tolist() == [1, 0]


@pytest.mark.parametrize("tie", [("b", "c"), ["b", "c"], {"b", "c"}, frozenset("bc")])
def test_rb1_tied_ranks_share(tie: Any) -> None:
    found = iaa.from_ranked([[["a", tie], [tie]], [["a"], ["b"]]], p=0.6)
    np.testing.assert_allclose(found.mass.values[0], [[0.6, 0.2, 0.2], [0, 0.5, 0.5]], atol=1e-15)


def test_what_is_missing_and_what_is_anonymous() -> None:
    found = iaa.from_ranked([[[1, 2], None], [[2], [1]], [float("nan"), [2, 1]]], p=0.8)
    assert found.label.values.tolist() == [1, 2]
    assert np.isnan(found.mass.values[[0, 2], [1, 0]]).all()
    ragged = iaa.from_ranked([[[1], [2], [1, 2]], [[2], [2]]], p=0.8, anonymous=True)
    assert ragged.attrs["anonymous"] == 1
    assert int(iaa.summary(ragged).ratings) == 5
    frame = pd.DataFrame({"x": [["a"], ["b", "a"]], "y": [["a"], ["b"]]}, index=["i", "k"])
    assert iaa.from_ranked(frame, p=0.6).annotator.values.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        ([[["a", "b", "a"], ["a"]]], {"p": 0.6}, "a at item 0, annotator 'annotator 1'"),
        ([[["a", ("b", "a")], ["a"]]], {"p": 0.6}, "naming a label twice"),
        ([["a", ["a"]]], {"p": 0.6}, r"write \[label\] for a single label"),
        ([[[], ["a"]]], {"p": 0.6}, "without a list of ranked labels"),
        ([[["a", None], ["a"]]], {"p": 0.6}, "missing"),
        ([[["a"], ["b"]]], {}, "give p"),
        ([[["a"], ["b"]]], {"p": 0.6, "weights": (1,)}, "give p"),
        ([[["a"], ["b"]]], {"p": 0.4}, "between 0.5 and 1"),
        ([[["a"], ["b"]]], {"p": "x"}, "between 0.5 and 1"),
        ([[["a"], ["b"]]], {"weights": (0, 1)}, "the first of them not 0"),
        ([[["a"], ["b"]]], {"weights": (1, -1)}, "from 0 up"),
        ([[["a", "b"], ["b"]]], {"weights": (1,)}, "ranks 2 labels, and weights are given for 1"),
        ([[["a", "x"], ["b"]]], {"p": 0.6, "labels": ["a", "b"]}, "x"),
    ],
)
def test_refusals(rows: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(IaaError, match=said):
        iaa.from_ranked([*rows, [["a"], ["b"]]], **options)
