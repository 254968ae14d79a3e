"""Items as p moves: curves, classes, cut-offs."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.analyses.doubles.made import Rating, made, made_rows, ratings_of
from tests.noted import notes_of
from tests.oracles.augmented import cosine, item_agreement

P = np.linspace(0.5, 1, 11)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_rb6_an_items_agreement_is_the_mean_over_its_pairs(gaps: float) -> None:
    rows = made_rows(30, 4, 4, seed=3, gaps=gaps)
    found = iaa.doubles.item_curves(ratings_of(rows, "abcd"), p=P)
    for at, p in enumerate(P):
        wanted = [item_agreement(row, p) for row in rows if any(row)]
        np.testing.assert_allclose(found.agreement.values[:, at], wanted, atol=1e-14)
    beyond = (found.agreement - found.expected) / (1 - found.expected)
    np.testing.assert_allclose(found.estimate, beyond.transpose("item", "p"), atol=1e-14)


@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_rb6_the_mean_over_items_is_the_coefficient(annotators: int) -> None:
    ratings = made(40, annotators, 4, seed=annotators)
    found = iaa.doubles.item_curves(ratings, p=P).estimate.mean("item")
    curve = iaa.sweep(ratings, p=P, pool="components", interval=None)
    np.testing.assert_allclose(found, curve.estimate, atol=1e-14)
    if annotators == 2:
        wanted = iaa.sweep(ratings, p=P, interval=None).estimate
        np.testing.assert_allclose(found, wanted, atol=1e-14)


def test_rb6_with_weights_and_missing_items() -> None:
    ratings = made(30, 2, 3, seed=8, gaps=0.2)
    weight = np.random.default_rng(0).integers(1, 4, ratings.sizes["item"]).astype(float)
    ratings = ratings.assign(item_weight=("item", weight))
    found = iaa.doubles.item_curves(ratings, p=P).estimate.values
    rated = ~np.isnan(found[:, 0])
    assert not rated.all()
    mean = weight[rated] @ found[rated] / weight[rated].sum()
    curve = iaa.sweep(ratings, p=P, interval=None)
    np.testing.assert_allclose(mean, curve.estimate, atol=1e-14)


CLASSES: list[tuple[list[Rating], int, int]] = [
    ([("a", None), ("a", None)], 1, 1),
    ([("b", None), ("b", None)], 1, 1),
    ([("c", None), ("c", None)], 1, 1),
    ([("a", None), ("b", None)], 2, 2),
    ([("c", None), ("a", "b")], 2, 2),
    ([("a", "b"), ("c", "d")], 2, 2),
    ([("a", "b"), ("a", None)], 3, 3),
    ([("b", "c"), ("b", "d")], 3, 3),
    ([("a", "b"), ("a", "b")], 3, 1),
    ([("a", "b"), ("b", "a")], 4, 4),
    ([("a", "b"), ("b", None)], 4, 4),
    ([("c", "d"), ("d", "a")], 4, 4),
]
"""Two ratings, and their class in the literal and in the normalised reading."""


def test_rb7_the_four_classes() -> None:
    found = iaa.doubles.item_classes(ratings_of([row for row, *_ in CLASSES], "abcd"))
    literal, normalised = found.item_class.values.tolist()
    assert literal == [one for _, one, _ in CLASSES]
    assert normalised == [other for *_, other in CLASSES]
    assert found["count"].values.tolist() == [[3, 3, 3, 3], [4, 3, 2, 3]]
    assert found.share.values.tolist() == [[0.25] * 4, [4 / 12, 0.25, 2 / 12, 0.25]]
    # perfect agreement on a double is the one that moves, and is named
    assert found.item[found.moved].values.tolist() == [8]
    assert (found.attrs["conclusion"], found.attrs["moved_items"]) == ("readings_differ", 1)
    (moved,) = notes_of(found, "moved")
    assert moved.values == {"items": 1, "names": ["8"]}
    alike = ratings_of([CLASSES[place][0] for place in (0, 1, 2, 4)], "abcd")
    assert iaa.doubles.item_classes(alike).attrs["conclusion"] == "readings_agree"


def test_rb7_unit_lengths() -> None:
    rows = [row for row, *_ in CLASSES]
    found = iaa.doubles.item_classes(ratings_of(rows, "abcd"))
    for end, p in (("at_half", 0.5), ("at_one", 1.0)):
        agreement = np.array([item_agreement(row, p, of=cosine) for row in rows])
        primary = np.array([["abcd".index(cell[0]) for cell in row] for row in rows])
        expected = float(
            (np.eye(4)[primary[:, 0]].mean(0) * np.eye(4)[primary[:, 1]].mean(0)).sum()
        )
        wanted = (agreement - expected) / (1 - expected)
        np.testing.assert_allclose(found[end].sel(reading="normalised"), wanted, atol=1e-14)
    # identical doubles score 1 at both ends, exchanged ones fall from 1, a single label rises
    np.testing.assert_allclose(
        [item_agreement(rows[i], p, of=cosine) for i in (8, 9, 6) for p in (0.5, 1.0)],
        [1, 1, 1, 0, 0.5**0.5, 1],
        atol=1e-15,
    )


def test_rb7_thresholds_are_parameters() -> None:
    ratings = made(60, 3, 4, seed=1)
    assert (
        iaa.doubles.item_classes(ratings, tau=2)["count"].sel(item_class_number=[3, 4]).sum() == 0
    )
    low = iaa.doubles.item_classes(ratings, high=10)
    assert low["count"].sel(item_class_number=1).sum() == 0
    high = iaa.doubles.item_classes(ratings, high=-10)
    assert high["count"].sel(item_class_number=2).sum() == 0
    # exactly on a threshold: constant, and not high
    usual = iaa.doubles.item_classes(ratings)
    delta = float(np.abs(usual.delta.sel(reading="literal")).max())
    edge = iaa.doubles.item_classes(ratings, tau=delta, high=float(usual.at_one[0].max()))
    assert edge["count"].sel(reading="literal").values.tolist() == [0, 60, 0, 0]
    with pytest.raises(IaaError, match="tau must be"):
        iaa.doubles.item_classes(ratings, tau=float("nan"))


def test_rb7_classes_1_and_3_are_those_above_the_cut_at_p_1() -> None:
    """As in the source, where 92 + 58 items are the 150 above 0.6."""
    found = iaa.doubles.item_classes(ratings_of([row for row, *_ in CLASSES], "abcd"))
    above = iaa.doubles.item_curves(ratings_of([row for row, *_ in CLASSES], "abcd"), p=[1.0])
    counts = found["count"].sel(reading="literal").values
    assert float(above.items_above[0, 0]) == counts[0] + counts[2]


def test_rb7_items_without_a_pair_have_no_class() -> None:
    rows: list[list[Rating | None]] = [[("a", "b"), None], *([list(row) for row, *_ in CLASSES])]
    found = iaa.doubles.item_classes(ratings_of(rows, "abcd"))
    assert found.item_class.values[:, 0].tolist() == [0, 0]
    assert found.attrs["without_pair"] == 1
    assert notes_of(found, "without_pair")
    assert found["count"].sum("item_class_number").values.tolist() == [12, 12]


def test_rb8_items_above_a_cut() -> None:
    ratings = made(50, 3, 4, seed=4, gaps=0.2)
    found = iaa.doubles.item_curves(ratings, p=P, above=(0.2, 0.6, 0.99))
    for at, cut in enumerate((0.2, 0.6, 0.99)):
        wanted = (found.estimate > cut).sum("item")
        np.testing.assert_array_equal(found.items_above.values[at], wanted)
    pairable = np.isfinite(found.estimate[:, 0]).sum()
    np.testing.assert_allclose(found.share_above, found.items_above / pairable)


def test_ratings_without_annotators_take_one_margin() -> None:
    ratings = made(30, 4, 3, seed=5)
    anonymous = ratings.assign_attrs(anonymous=1)
    found = iaa.doubles.item_curves(anonymous, p=P)
    assert found.attrs["chance"] == "fleiss_kappa"
    curve = iaa.sweep(anonymous, "fleiss_kappa", p=P, interval=None)
    np.testing.assert_allclose(found.expected, curve.expected, atol=1e-14)
    np.testing.assert_allclose(found.estimate.mean("item"), curve.estimate, atol=1e-13)
    assert iaa.doubles.item_classes(anonymous)["count"].sum() == 60
