"""The minimum of a coefficient: no table is lower, some reach it, and intervals end there."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray
from scipy.optimize import minimize

import iaa_jax as iaa
from iaa_jax import Sampling
from iaa_jax.catalog import CATALOG
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.oracles.icc import icc_by_expectations
from tests.taken import one_of

WEIGHTS = (None, "linear", "quadratic", "ordinal")
NAMES = (
    "brennan_prediger",
    "gwet_ac2",
    "krippendorff_alpha",
    "davies_fleiss_kappa",
    "fleiss_kappa",
)


def lowest(ratings: xr.Dataset, name: str, weights: object = None) -> float:
    return Resolver(Rated.of(ratings), LabelOptions(weights=weights)).request(name).bounds.lower


def scattered(stream: np.random.Generator) -> xr.Dataset:
    """Few items on few labels, ratings that mostly differ, and gaps."""
    items, annotators, labels = stream.integers([2, 2, 2], [7, 5, 5])
    start = stream.integers(labels, size=(items, 1))
    codes = (start + np.arange(annotators) * stream.integers(1, 3)) % labels
    rows = codes.astype(object) + 1
    rows[stream.random(rows.shape) < stream.choice([0, 0.3])] = None
    rows[0, :2] = [1, 2]
    return iaa.from_wide(rows.tolist(), labels=range(1, labels + 1))


@pytest.mark.parametrize("weights", one_of(2, WEIGHTS))
def test_no_table_is_below_the_minimum(weights: str | None) -> None:
    stream = np.random.default_rng(3)
    nearest = dict.fromkeys(NAMES, np.inf)
    for _ in range(25):
        ratings = scattered(stream)
        for name in NAMES:
            found = iaa.agreement(ratings, name, weights=weights, interval=None)
            if not found.code.item():
                above = found.estimate.item() - lowest(ratings, name, weights)
                assert above >= -1e-9, name
                nearest[name] = min(nearest[name], above)
    assert all(np.isfinite(above) for above in nearest.values())


def test_some_tables_reach_the_minimum() -> None:
    each_pair = [[a, b] for a in "abcd" for b in "abcd" if a != b]
    split = [["a", "b"], ["b", "a"]]
    for rows, name, value in (
        (each_pair, "gwet_ac1", -1 / 3),
        (each_pair, "brennan_prediger", -1 / 3),
        (split, "gwet_ac1", -1),
        (split, "fleiss_kappa", -1),
        ([["a", "a", "b", "b"]] * 3, "fleiss_kappa", -1 / 3),
    ):
        ratings = iaa.from_wide(rows)
        assert float(iaa.agreement(ratings, name, interval=None).estimate[0]) == pytest.approx(
            value
        )
        assert lowest(ratings, name) == pytest.approx(value)


@pytest.mark.parametrize("name", ["icc1", "icc3"])
@pytest.mark.parametrize(("items", "annotators"), one_of(3, [(2, 3), (4, 2), (3, 4)]))
def test_intraclass_correlations_are_least_where_nothing_is_between_items(
    name: str, items: int, annotators: int
) -> None:
    """MSB = 0 leaves -MSW / ((k - 1) MSW), and MSR = 0 the same of MSE."""
    rated = np.ones((items, annotators), dtype=bool)
    bound = lowest(numbers_where(rated), name)
    assert bound == pytest.approx(-1 / (annotators - 1))
    assert least_by_search(name, rated) == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize("design", ["111 110", "110 011 100", "1111 1111 0011", "11 11 10 01 01"])
def test_with_gaps_a_search_finds_the_minimum_of_icc1(design: str) -> None:
    rated = np.array([[cell == "1" for cell in row] for row in design.split()])
    bound = lowest(numbers_where(rated), "icc1")
    assert least_by_search("icc1", rated) == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize("name", ["krippendorff_alpha", "icc2", "lin_ccc"])
@pytest.mark.parametrize(("items", "annotators"), [(4, 2), (5, 3), (3, 4)])
def test_no_complete_numbers_are_below_the_minimum(name: str, items: int, annotators: int) -> None:
    """Where items have one mean: ICC(2) with annotators of one mean, the others in the limit."""
    rated = np.ones((items, annotators), dtype=bool)
    bound = lowest(numbers_where(rated), name)
    below = annotators / items if name == "icc2" else 0
    assert bound == pytest.approx(-1 / (annotators - 1 - below))
    values = np.resize(np.arange(annotators, dtype=float), (items, annotators))
    turned = np.stack([np.roll(row, turn) for turn, row in enumerate(values)])
    ratings = iaa.from_values(turned - turned.mean(axis=0) if name == "icc2" else turned)
    found = float(iaa.agreement(ratings, name, interval=None).estimate[0])
    assert bound - 1e-9 <= found < bound / 2


def test_single_ratings_and_unequal_panels_let_alpha_be_lower() -> None:
    """-1 / (m - 1) for the fewest ratings of an item with two: all spread is in the pairs."""
    pairs = [[10.0, -10.0, None, None]] * 6
    panels = [[0.0, 0.0, 0.0, 0.1]] * 40
    single = [[50.0, None, None, None]]
    ratings = iaa.from_values(pairs + panels + single)
    assert lowest(ratings, "krippendorff_alpha") == -1
    found = iaa.krippendorff_alpha(ratings)
    assert -1 < float(found.ci_low) < float(found.estimate) < -1 / 3
    threes = iaa.from_values([[10.0, -10.0, 0.0, None]] * 6 + panels)
    assert lowest(threes, "krippendorff_alpha") == -1 / 2


def test_pairs_that_share_different_items_let_lin_s_concordance_be_lower() -> None:
    apart = [[1.0, -1.0, None], [-1, 1, None], [None, 1, -1], [None, -1, 1], [1, None, -1]]
    ratings = iaa.from_values([*apart, [-1.0, None, 1]])
    assert lowest(ratings, "lin_ccc") == -1
    assert float(iaa.lin_ccc(ratings, interval=None).estimate) == pytest.approx(-1)


def numbers_where(rated: NDArray[np.bool_]) -> xr.Dataset:
    """Items that repeat one another, so that few patterns stand for them."""
    return iaa.from_values(np.where(rated, np.arange(rated.shape[1], dtype=float), np.nan))


def least_by_search(name: str, rated: NDArray[np.bool_]) -> float:
    """Find the minimum of the oracle by descent from random numbers."""

    def figure(numbers: NDArray[np.float64]) -> float:
        cells = np.full(rated.shape, None, dtype=object)
        cells[rated] = numbers
        try:
            return icc_by_expectations(cells.tolist(), [1.0] * rated.shape[1])[name]
        except ZeroDivisionError:  # a form of the mean rating, where items are all alike
            return np.inf

    stream = np.random.default_rng(0)
    starts = [stream.normal(size=int(rated.sum())) for _ in range(2)]
    return min(float(minimize(figure, start, method="Nelder-Mead").fun) for start in starts)


def test_weights_that_are_not_distances_leave_alpha_unbounded() -> None:
    """Labels of two groups, each the opposite of one of the other."""
    weights = 1 - np.kron(np.eye(3), [[0, 1], [1, 0]])
    ratings = iaa.from_wide([["a", "b"], ["c", "d"], ["e", "f"]], labels=list("abcdef"))
    found = iaa.fleiss_kappa(ratings, weights=weights, interval=None)
    assert float(found.estimate) < -1
    assert lowest(ratings, "fleiss_kappa", weights) == -np.inf
    assert lowest(ratings, "krippendorff_alpha", weights) == -np.inf
    assert -np.inf < lowest(ratings, "gwet_ac2", weights) < -1


EQUAL_OF_TWO = (
    (
        *("cohen_kappa", "conger_kappa", "mean_pairwise_cohen_kappa"),
        *("davies_fleiss_kappa", "hubert_kappa", "augmented_kappa"),
    ),
    ("scott_pi", "fleiss_kappa"),
    ("gwet_ac1", "gwet_ac2"),
)
"""Coefficients that are one number where two annotators rated the same items."""

EQUAL_OF_MORE = (("conger_kappa", "davies_fleiss_kappa"), ("gwet_ac1", "gwet_ac2"))


def lowest_by_hand(name: str, labels: int, annotators: int) -> float:
    """The minimum of complete tables, from the papers; AC1's and S's by the labels in use."""
    if name in ("percent_agreement", "bangdiwala_b"):
        return 0.0
    if name in ("gwet_ac1", "gwet_ac2", "brennan_prediger"):
        return -1 / (labels - 1)
    if name in ("mean_pairwise_cohen_kappa", "hubert_kappa", "augmented_kappa"):
        return -1.0
    return -np.inf if name == "van_oest_ir2" else -1 / (annotators - 1)


def test_no_interval_leaves_the_range_and_equal_figures_have_one_interval() -> None:
    """Cohen's kappa went from -.805, Conger's from -7.549 and A_m from -8.824 to .99."""
    of_labels = [
        name
        for name, row in CATALOG.items()
        if not (row.per_label or row.measure.takes_values or row.measure.compares)
        and not row.measure.label_sets
    ]
    ways: list[dict[str, Any]] = [
        {"replicates": 100},
        {"sampling": Sampling(cluster="document")},
        {"interval": "kurtosis_t"},
        {"interval": iaa.Interval("t", transform="range")},
        {"sampling": Sampling(annotators="random")},
    ]
    narrow = 0
    for seed, how in itertools.product((0, 3, 5), ways):
        stream = np.random.default_rng(seed)
        labels, annotators, items = 2 + seed % 2, 2 + seed // 4, 4 + seed
        codes = np.where(
            stream.random((items, annotators)) < 0.6,
            stream.integers(labels, size=(items, 1)),
            stream.integers(labels, size=(items, annotators)),
        )
        codes[:labels] = np.arange(labels)[:, None]
        codes[-1, 0] = 1 - min(codes[-1, 1], 1)
        ratings = iaa.from_wide(codes.tolist(), labels=range(labels))
        ratings = ratings.assign_coords(document=("item", np.arange(items) // 1.5 // 1))
        alone = [
            name for name in of_labels if annotators == 2 or CATALOG[name].measure.annotators != 2
        ]
        found = iaa.agreement(ratings, alone, **how)
        for name in alone:
            low, high = (float(found[end].sel(coefficient=name)) for end in ("ci_low", "ci_high"))
            if np.isfinite(low):
                assert lowest_by_hand(name, labels, annotators) - 1e-9 <= low <= high <= 1, name
                narrow += high < 1
        for equal in EQUAL_OF_TWO if annotators == 2 else EQUAL_OF_MORE:
            same = found.sel(coefficient=list(equal))
            for figure in ("estimate", "ci_low", "ci_high"):
                np.testing.assert_allclose(
                    same[figure], same[figure][0], rtol=1e-9, err_msg=str(how)
                )
    assert narrow > 100

    sets = [["LP", "PL"], ["O", "O"], ["P", "L"], ["PO", "OP"]]
    four = iaa.from_sets([[[*each] for each in pair] for pair in sets])
    numbers = iaa.from_values(np.random.default_rng(2).exponential(size=(6, 2)) ** 2)
    for ratings in (four, numbers):
        found = iaa.agreement(ratings, sampling=Sampling(annotators="fixed"), replicates=100)
        k_ratings = found.coefficient.isin(["icc1k", "icc2k", "icc3k"]).values
        least = np.where(found.coefficient == "icc2", -1 / (1 - 2 / 6), -1)
        assert ((found.ci_low.values >= least - 1e-9) | k_ratings).all()


def test_intervals_of_few_clusters_end_at_the_minimum() -> None:
    """They went down to -3,181."""
    rows = iaa.from_wide([["a", "a"], ["a", "b"], ["b", "b"]])
    rows = rows.assign_coords(document=("item", ["x", "x", "y"]))
    how = {"sampling": Sampling(cluster="document"), "replicates": 100}
    names = ["gwet_ac1", "brennan_prediger", "fleiss_kappa"]
    for low in (
        iaa.agreement(rows, names, **how).ci_low.values,
        iaa.bootstrap.intervals(iaa.bootstrap(rows, names, **how)).ci_low.values,
    ):
        assert ((low >= -1) & (low < -0.9)).all()


def test_intervals_over_few_annotators_end_where_the_range_does() -> None:
    """They went from -1.015 to 1.681; asked for by name, t keeps its own scale."""
    rows = iaa.from_wide([list("aab"), list("abb"), list("bbb"), list("aaa")])
    how = {"sampling": Sampling(annotators="random")}
    found = iaa.agreement(rows, ["gwet_ac1", "percent_agreement"], **how)
    np.testing.assert_allclose(found.ci_high, 1)
    assert found.ci_low.values[0] == -1
    asked = iaa.agreement(rows, ["gwet_ac1"], interval="t", **how)
    assert float(asked.ci_high[0]) > 1


def test_the_end_of_unanimous_items_is_not_below_the_minimum() -> None:
    rare = iaa.from_wide([["a"] * 3] * 40 + [["b"] * 3])
    rare = rare.assign_coords(document=("item", np.arange(41)))
    found = iaa.fleiss_kappa(rare, sampling=Sampling(cluster="document"))
    assert float(found.ci_low) == -0.5
