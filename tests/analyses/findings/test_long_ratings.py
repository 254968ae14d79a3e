"""The quantities behind findings, compared with plain loops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.analyses.findings.changes import p_of_largest
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.analyses.findings.mending import long_ratings_of, mended
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.versus_others import p_above

LABELS = "abcd"


def table(items: int = 40, annotators: int = 5, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    codes = random.integers(0, 4, (items, annotators))
    codes[random.random(codes.shape) < 0.3] = -1
    return codes


def given(codes: np.ndarray) -> LongRatings:
    rows = [[None if code < 0 else LABELS[code] for code in row] for row in codes]
    return long_ratings_of(Resolver(Rated.of(iaa.from_wide(rows)), LabelOptions()))


def by_loops(codes: np.ndarray) -> dict[tuple[int, int], tuple[float, float]]:
    """Return each rating's agreement with the others, and theirs with one another."""
    figures = {}
    for item, row in enumerate(codes):
        who = [annotator for annotator in range(len(row)) if row[annotator] >= 0]
        for annotator in who:
            others = [other for other in who if other != annotator]
            own = [float(row[annotator] == row[other]) for other in others]
            pairs = [float(row[a] == row[b]) for a, b in product(others, others) if a != b]
            figures[item, annotator] = (
                np.mean(own) if own else np.nan,
                np.mean(pairs) if pairs else np.nan,
            )
    return figures


def test_agreement_with_others_and_among_them_is_that_of_loops() -> None:
    codes = table()
    ratings, expected = given(codes), by_loops(codes)
    places = zip(ratings.item.tolist(), ratings.annotator.tolist(), strict=True)
    wanted = np.array([expected[place] for place in places])
    np.testing.assert_allclose(ratings.agreement, wanted[:, 0], rtol=1e-13)
    np.testing.assert_allclose(ratings.among_others, wanted[:, 1], rtol=1e-13, atol=1e-13)


def test_ratings_in_the_place_of_others_agree_as_if_they_were_theirs() -> None:
    codes = table()
    ratings = given(codes)
    rows = np.flatnonzero((ratings.annotator == 2) & (ratings.size > 1))
    then = np.full(len(rows), 1)
    recoded = ratings.recoded(rows, then)
    np.testing.assert_allclose(
        ratings.agreement_as(rows, then), recoded.agreement[rows], rtol=1e-13
    )


@pytest.mark.parametrize("slots", [False, True])
def test_mended_ratings_are_those_that_were_so_from_the_start(slots: bool) -> None:
    codes = table(60, 70 if slots else 5)
    if slots:
        random = np.random.default_rng(1)
        keep = np.argsort(random.random(codes.shape), axis=1) < 4
        codes = np.where(keep, np.maximum(codes, 0), -1)
    rows = [[None if code < 0 else LABELS[code] for code in row] for row in codes]
    rated = Rated.of(iaa.from_wide(rows))
    whole = long_ratings_of(Resolver(rated, LabelOptions()))
    turned = np.array([1, 0, 2, 3])
    own = np.flatnonzero(whole.annotator == 1)
    changed = whole.recoded(own, turned[whole.code[own]])
    changed = changed.without(np.flatnonzero(changed.annotator == 2))
    wanted = codes.copy()
    wanted[:, 1] = np.where(codes[:, 1] >= 0, turned[codes[:, 1]], -1)
    wanted[:, 2] = -1
    rows = [[None if code < 0 else LABELS[code] for code in row] for row in wanted]
    expected = float(iaa.krippendorff_alpha(iaa.from_wide(rows), interval=None).estimate)
    there = iaa.krippendorff_alpha(mended(rated, changed), interval=None)  # type: ignore[arg-type]
    assert float(there.estimate) == pytest.approx(expected, rel=1e-12)


def test_signs_are_as_random_as_the_bound_says() -> None:
    values = np.random.default_rng(0).exponential(size=12)
    signs = np.array([*product([-1.0, 1.0], repeat=12)]) * values
    reached = signs.sum(axis=1)
    for least in np.quantile(reached, [0.5, 0.9, 0.99, 0.999, 1.0]):
        row = signs[np.argmin(np.abs(reached - least))]
        assert np.mean(reached >= row.sum() - 1e-9) <= p_above(row, np.ones(12)) + 1e-12


def test_the_largest_of_many_cuts_is_as_large_as_chance_makes_it() -> None:
    random = np.random.default_rng(5)
    values = random.normal(size=(4000, 200))
    number = np.arange(20, 181)
    before = np.cumsum(values, axis=1)[:, number - 1]
    total, spread = values.sum(axis=1, keepdims=True), values.std(axis=1, keepdims=True)
    z = np.abs((total - before) / (200 - number) - before / number) / (
        spread * np.sqrt(1 / number + 1 / (200 - number))
    )
    reached = np.mean(z.max(axis=1) >= 3.0)
    assert reached <= p_of_largest(3.0, 0.1, 0.9, len(number)) <= 2.5 * reached
