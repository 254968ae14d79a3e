"""The eleven patterns of two ratings, and label pairs worth a category of their own."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.analyses.doubles.made import Rating, made, made_rows, ratings_of
from tests.noted import notes_of
from tests.oracles import augmented_kappa, primary_secondary
from tests.oracles.augmented import credit, pattern

EXAMPLES: dict[str, tuple[Rating, Rating, float]] = {
    "{a,a}": (("a", None), ("a", None), 1.0),
    "{a,b}": (("a", None), ("b", None), 0.0),
    "{ab,a}": (("a", "b"), ("a", None), 0.6),
    "{ab,b}": (("a", "b"), ("b", None), 0.4),
    "{ab,c}": (("a", "b"), ("c", None), 0.0),
    "{ab,ab}": (("a", "b"), ("a", "b"), 0.52),
    "{ab,ba}": (("a", "b"), ("b", "a"), 0.48),
    "{ab,ac}": (("a", "b"), ("a", "c"), 0.36),
    "{ab,bc}": (("a", "b"), ("b", "c"), 0.24),
    "{ab,cb}": (("a", "b"), ("c", "b"), 0.16),
    "{ab,cd}": (("a", "b"), ("c", "d"), 0.0),
}
"""Credits at p = 0.6."""


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", EXAMPLES)
def test_rb3_each_pattern_and_its_credit(name: str, turned: bool) -> None:
    one, other, wanted = EXAMPLES[name]
    pair = [other, one] if turned else [one, other]
    # a further item, so that there are doubles at all
    found = iaa.doubles.patterns(ratings_of([pair, [("d", "c"), None]], "abcd"), p=[0.6])
    assert found.pairs.sel(pattern=name) == 1
    assert found.pairs.sum() == 1
    assert float(found.credit.sel(pattern=name, p=0.6)) == pytest.approx(wanted, abs=1e-15)
    assert float(found.mean_credit[0]) == pytest.approx(wanted, abs=1e-15)
    assert credit(*pair, 0.6) == pytest.approx(wanted)


def test_rb3_there_are_eleven() -> None:
    found = iaa.doubles.patterns(made(), p=[0.5, 1.0])
    assert found.pattern.values.tolist() == list(EXAMPLES)
    assert found.credit.sel(pattern="{ab,ba}").values.tolist() == [0.5, 0.0]


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_rb3_counts_are_those_of_a_loop(gaps: float) -> None:
    rows = made_rows(40, 4, 4, seed=2, gaps=gaps)
    found = iaa.doubles.patterns(ratings_of(rows, "abcd"), p=[0.5, 0.7, 1.0])
    pairs = [pair for row in rows for pair in combinations([cell for cell in row if cell], 2)]
    wanted = Counter(pattern(*pair) for pair in pairs)
    assert found.pairs.to_series().astype(int).to_dict() == {
        name: wanted[name] for name in EXAMPLES
    }
    for at, p in enumerate(found.p.values):
        mean = np.mean([credit(*pair, p) for pair in pairs])
        assert float(found.mean_credit[at]) == pytest.approx(mean, abs=1e-14)


def test_rb3_the_mean_credit_of_two_annotators_is_the_observed_agreement() -> None:
    ratings = made(50, 2, 4, seed=3)
    curve = iaa.sweep(ratings, p=11, interval=None)
    found = iaa.doubles.patterns(ratings, p=11)
    np.testing.assert_allclose(found.mean_credit, curve.observed, atol=1e-14)


def promoted(rows: list[list[Rating | None]], pair: tuple[str, str]) -> list[list[Rating | None]]:
    both = set(pair)
    return [
        [("+".join(pair), None) if cell and set(cell) == both else cell for cell in row]
        for row in rows
    ]


@pytest.mark.parametrize("p", [0.5, 0.8, 1.0])
def test_rb9_the_gain_is_that_of_new_labels(p: float) -> None:
    rows = made_rows(60, 3, 3, seed=7, gaps=0.1)
    found = iaa.doubles.labels(ratings_of(rows, "abc"), p=[p])
    assert found.sizes["pair"] == 3
    before = augmented_kappa(primary_secondary(rows, p), labels="abc").estimate
    assert float(found.estimate[0]) == pytest.approx(before, abs=1e-14)
    for place in range(3):
        pair = str(found["first"].values[place]), str(found["second"].values[place])
        new = promoted(rows, pair)
        after = augmented_kappa(
            primary_secondary(new, p), labels=["a", "b", "c", "+".join(pair)]
        ).estimate
        assert float(found.gain[place, 0]) == pytest.approx(after - before, abs=1e-13)


def test_rb9_how_often_and_where() -> None:
    rows: list[list[Rating | None]] = [
        [("a", "b"), ("b", "a")],
        [("b", "a"), ("a", "b")],
        [("a", "b"), ("a", None)],
        [("c", None), ("c", "b")],
        [("c", None), ("c", None)],
        [("b", "a"), None],
    ]
    found = iaa.doubles.labels(ratings_of(rows, "abc"))
    assert found.pair.values.tolist() == ["a + b", "b + c"]
    assert found.ratings.values.tolist() == [6, 1]
    assert found.first_is_primary.values.tolist() == [3, 0]
    np.testing.assert_allclose(found.share, [6 / 7, 1 / 7])
    assert found["items"].values.tolist() == [3, 1]
    assert found.class_4_items.values.tolist() == [2, 0]
    np.testing.assert_allclose(found.class_4_share, [2 / 3, 0])
    # exchanged labels agree once they are a category
    assert (found.gain.sel(pair="a + b") > 0.1).all()
    top = iaa.doubles.labels(ratings_of(rows, "abc"), top=1)
    assert top.pair.values.tolist() == ["a + b"]
    assert top.attrs["pairs_used"] == 2
    assert (top.attrs["conclusion"], found.attrs["conclusion"]) == ("gain", "gain")
    assert notes_of(top, "most_frequent")[0].values == {"shown": 1, "used": 2}
    assert not notes_of(found)


def test_rb9_by_slot_and_without_annotators() -> None:
    ratings = made(40, 5, 3, seed=4, gaps=0.3)
    dense, slots = (iaa.doubles.labels(one) for one in (ratings, iaa.data.in_slots(ratings)))
    np.testing.assert_allclose(dense.gain, slots.gain, atol=1e-13)
    anonymous = iaa.doubles.labels(ratings.assign_attrs(anonymous=1))
    assert anonymous.attrs["coefficient"] == "fleiss_kappa"
    assert np.isfinite(anonymous.gain).all()


def test_rb9_a_new_label_that_is_the_only_one() -> None:
    """0/0 once all ratings are on it."""
    rows: list[list[Rating | None]] = [[("a", "b"), ("b", "a")]] * 7 + [[("a", "b"), ("a", "b")]]
    rows += [[("b", "a"), None]]
    for p in (0.5, 0.7, 1.0):
        found = iaa.doubles.labels(ratings_of(rows, "ab"), p=[p])
        assert np.isnan(found.gain).all()


def test_refusals() -> None:
    with pytest.raises(IaaError, match="top must be a whole number"):
        iaa.doubles.labels(made(), top=0)
    with pytest.raises(IaaError, match="the credit of pairs of ratings would be the same"):
        iaa.doubles.patterns(iaa.from_wide([["a", "b"], ["b", "b"]]))
