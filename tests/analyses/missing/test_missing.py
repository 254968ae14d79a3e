"""What missing ratings could change: bounds, fillings, and where a conclusion changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.missing.extremes import draw, grid_of, shares_of
from iaa_jax.data.patterns import Codes
from iaa_jax.measure.ratings.rated import Rated
from tests.analyses.made import LABELS, random_rows, wide
from tests.analyses.marked import marked
from tests.noted import notes_of
from tests.oracles import (
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    single_labels,
)
from tests.oracles.missing import equal_pairs, extremes
from tests.taken import one_of

FEW: dict[str, Any] = {"points": 2, "imputations": 3}
ORACLES = {
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
    "fleiss_kappa": fleiss_kappa,
    "conger_kappa": conger_kappa,
}


def with_gaps(seed: int, labels: str, gaps: int, items: int = 6) -> list[list[str | None]]:
    rng = np.random.default_rng(seed)
    cells = rng.choice(list(labels), (items, 3)).astype(object)
    cells.reshape(-1)[rng.permutation(cells.size)[:gaps]] = None
    return [[None if cell is None else str(cell) for cell in row] for row in cells]


def crowd(
    seed: int, items: int, reliability: float, *, gone: float = 0.3, astray: float = 0.0
) -> tuple[xr.Dataset, xr.Dataset]:
    """Return all ratings, and those left after a loss; the share ``astray`` was random."""
    rng = np.random.default_rng(seed)
    shares = [0.5, 0.3, 0.2]
    truth = rng.choice(3, (items, 1), p=shares)
    knows = rng.random((items, 4)) < np.sqrt(reliability)
    missing = rng.random((items, 4)) < gone
    knows &= ~(missing & (rng.random((items, 4)) < astray))
    codes = np.where(knows, truth, rng.choice(3, (items, 4), p=shares))
    cells = np.array(LABELS, dtype=object)[codes]
    left = np.where(missing, None, cells)
    return wide(cells.tolist()), wide(left.tolist())


@pytest.mark.parametrize("coefficient", ORACLES)
@pytest.mark.parametrize(("seed", "labels", "gaps"), [(0, "ab", 6), (1, "abc", 4), (4, "ab", 7)])
def test_the_extremes_are_those_of_all_fillings(
    coefficient: str, seed: int, labels: str, gaps: int
) -> None:
    rows = with_gaps(seed, labels, gaps)
    found = iaa.missing(iaa.from_wide(rows, labels=list(labels)), coefficient, **FEW)

    def figure(filled):
        return ORACLES[coefficient](single_labels(filled), labels=list(labels)).estimate

    least, greatest = extremes(rows, labels, figure)
    # a search may miss them, but never goes beyond; on tables so small it does not miss
    np.testing.assert_allclose([found.least, found.greatest], [least, greatest], atol=1e-12)


@pytest.mark.parametrize(("seed", "labels", "gaps"), [(0, "ab", 6), (1, "abc", 5), (2, "abcd", 4)])
def test_the_bounds_of_equal_pairs_are_those_of_all_fillings(
    seed: int, labels: str, gaps: int
) -> None:
    rows = with_gaps(seed, labels, gaps)
    found = iaa.missing(iaa.from_wide(rows, labels=list(labels)), "percent_agreement", **FEW)
    bounds = extremes(rows, labels, equal_pairs)
    np.testing.assert_allclose([found.pairs_least, found.pairs_greatest], bounds, atol=1e-12)
    # of a complete table this is percent agreement, and the search reaches both ends
    np.testing.assert_allclose([found.least, found.greatest], bounds, atol=1e-12)


@pytest.mark.parametrize("coefficient", ["krippendorff_alpha", "percent_agreement"])
def test_without_gaps_all_is_as_rated(coefficient: str) -> None:
    ratings = wide(random_rows(2, missing=0.0))
    found = iaa.missing(ratings, coefficient, **FEW)
    plain = iaa.agreement(ratings, coefficient).isel(coefficient=0)
    assert found.attrs["conclusion"] == "complete"
    for name in ("estimate", "standard_error", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[name], np.full(5, plain[name]), atol=1e-12)
    np.testing.assert_allclose([found.least, found.greatest], [plain.estimate] * 2, atol=1e-12)
    assert float(found.gaps) == 0
    assert "No rating is missing" in str(iaa.page(found))


def test_ratings_like_the_others_agree_as_far_as_these_do() -> None:
    """Pairs with one missing rating, and pairs of two, have the observed disagreement on average.

    Whatever the number of ratings that the item has.
    """
    _, left = crowd(3, 30_000, 0.6, gone=0.5)
    tables = Rated(left)
    grid = grid_of(tables)
    alpha = float(iaa.krippendorff_alpha(left, interval=None).estimate)
    shares = shares_of(grid, grid.weight)
    drawn = draw(grid, alpha, shares, np.random.default_rng(0), numbers=False)
    observed = alpha + (1 - alpha) * float(shares @ shares)
    weight = np.repeat(np.arange(len(grid.codes)), grid.weight.astype(int))
    codes, gaps = drawn.like[weight], grid.gaps[weight]
    rated = (~gaps).sum(axis=1)
    for a, b in ((0, 1), (2, 3)):
        equal = codes[:, a] == codes[:, b]
        for number in (1, 2, 3):
            mixed = equal[(gaps[:, a] != gaps[:, b]) & (rated == number)]
            assert abs(mixed.mean() - observed) < 4 * np.sqrt(0.25 / len(mixed))
        both = equal[gaps[:, a] & gaps[:, b]]
        assert abs(both.mean() - observed) < 4 * np.sqrt(0.25 / len(both))
    # of ratings at random, pairs agree by chance
    random = drawn.random[weight]
    both = (random[:, 0] == random[:, 1])[gaps[:, 0] & ~gaps[:, 1]]
    assert abs(both.mean() - shares @ shares) < 4 * np.sqrt(0.25 / len(both))


@pytest.mark.parametrize("astray", one_of(3, [0.0, 0.4, 1.0]))
def test_the_figure_of_all_ratings_is_found_at_the_true_delta(astray: float) -> None:
    differences, spreads = [], []
    for seed in range(4):
        everything, left = crowd(seed, 400, 0.7, astray=astray)
        truth = float(iaa.krippendorff_alpha(everything, interval=None).estimate)
        found = iaa.missing(left, points=5, imputations=5)
        at = found.sel(delta=astray, method="nearest")
        differences.append(float(at.estimate) - truth)
        spreads.append(float(at.standard_error))
        assert float(found.least) <= truth <= float(found.greatest)
        assert abs(differences[-1]) < 2 * spreads[-1]
    assert abs(np.mean(differences)) < np.mean(spreads)
    if astray == 1.0:  # what is rated tells nothing of it
        assert float(found.as_rated) - truth > 3 * spreads[-1]


@pytest.mark.slow
def test_intervals_cover_the_figure_of_all_items() -> None:
    """At the true delta, of samples of one population: 95 % of them within binomial error."""
    held = []
    for seed in range(30):
        _, left = crowd(100 + seed, 150, 0.7, gone=0.4, astray=0.5)
        found = iaa.missing(left, points=2, imputations=5, seed=seed).sel(delta=0.5)
        # the alpha of the population: pairs of known ratings of equal chances to be astray
        knows = 0.6 + 0.4 * 0.5
        held.append(float(found.ci_low) <= 0.7 * knows**2 <= float(found.ci_high))
    assert 0.95 - 3 * np.sqrt(0.95 * 0.05 / 30) <= np.mean(held)


def test_the_order_of_items_changes_nothing_and_weights_are_repetition() -> None:
    ratings = wide(random_rows(5, items=30, missing=0.6))
    several = xr.concat([ratings] * 3, "item").assign_coords(item=np.arange(90))
    several.attrs = ratings.attrs
    found = iaa.missing(several, **FEW)
    turned = iaa.missing(several.isel(item=np.random.default_rng(0).permutation(90)), **FEW)
    pressed = iaa.missing(iaa.data.compress(several), **FEW)
    for name in found.data_vars:
        np.testing.assert_allclose(turned[name], found[name], atol=1e-10)
        np.testing.assert_allclose(pressed[name], found[name], atol=1e-10)


def numbers() -> xr.Dataset:
    rng = np.random.default_rng(8)
    values = rng.normal(size=(60, 1)) + rng.normal(size=(60, 3)) / 2
    values[rng.random((60, 3)) < 0.2] = np.nan
    return iaa.from_values(values)


def sets() -> xr.Dataset:
    rng = np.random.default_rng(9)
    truth = rng.random((40, 2)) < 0.5
    rows: list[list[list[str] | None]] = []
    for one in truth:
        given = [np.where(rng.random(2) < 0.9, one, ~one) for _ in range(3)]
        row: list[list[str] | None] = [
            [x for x, has in zip("xy", each, strict=True) if has] for each in given
        ]
        if rng.random() < 0.5:
            row[int(rng.integers(3))] = None
        rows.append(row)
    return iaa.from_sets(rows)


def doubles() -> xr.Dataset:
    rng = np.random.default_rng(2)
    rows = [
        (item, f"ann{who}", "xyz"[k], "xyz"[(k + 1) % 3] if rng.random() < 0.4 else None)
        for item, row in enumerate(rng.integers(0, 3, (30, 1)) + (rng.random((30, 3)) < 0.2))
        for who, k in enumerate(row % 3)
        if rng.random() < 0.8
    ]
    names = ("item", "annotator", "label", "secondary")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return iaa.from_long(columns, secondary="secondary")


def counts() -> xr.Dataset:
    table = [[3, 0, 0], [0, 3, 0], [0, 2, 0], [1, 1, 0], [0, 0, 3], [2, 0, 0], [0, 1, 2]]
    return iaa.from_counts(table * 6, labels=["x", "y", "z"])


@pytest.mark.parametrize("made", [numbers, sets, doubles, counts])
def test_every_kind_of_rating_is_filled_with_its_like(made) -> None:
    ratings = made()
    tables = Rated(ratings)
    grid = grid_of(tables)
    filled = np.where(grid.gaps, 0, grid.codes)
    again = tables.with_ratings(Codes(filled, grid.distinct), weight=grid.weight)
    assert again.totals["ratings"] == grid.weight.sum() * grid.codes.shape[1]
    found = iaa.missing(ratings, imputations=8, points=1)
    assert found.attrs["conclusion"] == "filled"
    low, like, high = found.estimate.values[::-1]
    assert low < like < high
    assert abs(like - found.as_rated) < float(found.standard_error[1])


def test_items_without_a_rating_are_gaps_too() -> None:
    rows = [["a", "a"], ["b", "b"], ["a", "b"], [None, None], ["b", None]]
    found = iaa.missing(iaa.from_wide(rows), "percent_agreement", **FEW)
    assert float(found.gaps) == 3
    np.testing.assert_allclose([found.pairs_least, found.pairs_greatest], [0.4, 0.8])


@pytest.mark.parametrize(
    ("above", "claim", "conclusion"),
    [
        (0.2, "low", "holds"),
        (0.55, "low", "tips"),
        (0.63, "estimate", "tips"),
        (0.7, "below", "tips"),
        (0.95, "below", "holds"),
    ],
)
def test_the_claim_and_where_it_changes(above: float, claim: str, conclusion: str) -> None:
    _, left = crowd(11, 300, 0.66, gone=0.2)
    found = iaa.missing(left, above=above, imputations=5)
    assert (found.attrs["claim"], found.attrs["conclusion"]) == (claim, conclusion)
    curve = found.ci_low if claim == "low" else found.estimate
    tipping = float(found.tipping_low if claim == "low" else found.tipping_estimate)
    page = str(iaa.page(found))
    if conclusion == "tips":
        np.testing.assert_allclose(curve.interp(delta=tipping), above, atol=1e-9)
        assert ("at random" in page.partition("Coefficient")[0]) == (tipping > 0)
    else:
        assert np.isnan(tipping)
        assert "stays on that side" in page


def test_no_level_is_held_against_figures_unasked() -> None:
    _, left = crowd(1, 200, 0.85)
    page = iaa.page(iaa.missing(left, **FEW))
    assert "filled in, it would be" in " ".join(str(page).split())
    assert not any(level in str(page) for level in ("0.667", "0.800", "above", "below"))


def test_what_is_undefined_or_too_much_is_said() -> None:
    found = iaa.missing(iaa.from_wide([["a", "a"], ["a", None]]), **FEW)
    assert found.attrs["conclusion"] == "undefined"
    assert "undefined" in str(iaa.page(found))
    rng = np.random.default_rng(0)
    cells = rng.choice(list("abcdefgh"), (60, 12)).astype(object)
    cells[rng.random(cells.shape) < 0.5] = None
    found = iaa.missing(iaa.from_wide(cells.tolist()), "conger_kappa", points=1, imputations=2)
    assert np.isnan(found.least)
    assert notes_of(found, "too_many_ways")


def test_what_has_no_gaps_to_fill_is_refused() -> None:
    with pytest.raises(IaaError, match="spans"):
        iaa.missing(marked(6, 1))
    with pytest.raises(IaaError, match="by design"):
        iaa.missing(iaa.data.in_slots(wide(random_rows(1))))
    for options in ({"points": 0}, {"imputations": 1}, {"above": float("nan")}):
        with pytest.raises(IaaError, match=next(iter(options))):
            iaa.missing(wide(random_rows(1)), **options)
