"""Clusters of items and random annotators in drift."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm, t as student

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.drift.null_model import tilted
from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.analyses.drift.timeline import ClusteredTimeline, ClustersInTime
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.shared.times import times_of
from tests.analyses.drift.made import figure_of, made, with_times
from tests.analyses.made import LABELS
from tests.noted import codes_on
from tests.oracles import drift as oracle

FAST: dict[str, Any] = {"replicates": 60, "permutations": 39}
DOCUMENTS = iaa.Sampling(cluster="document")
ANNOTATORS = iaa.Sampling(annotators="random")


def documents(seed: int, number: int = 24, batches: int = 4) -> tuple[list[list[str]], Any, Any]:
    """Return documents of different quality, with the document and batch of each row."""
    rng = np.random.default_rng(seed)
    of_item = np.repeat(np.arange(number), rng.integers(2, 10, number))
    quality = rng.beta(4, 1.2, number)[of_item]
    return made(len(of_item), seed, quality), of_item, of_item * batches // number


def in_documents(seed: int, **options: int) -> xr.Dataset:
    rows, document, batch = documents(seed, **options)
    return with_times(rows, batch).assign_coords(document=("item", document))


def test_local_errors_are_those_of_clusters() -> None:
    ratings = in_documents(1)
    found = iaa.drift(ratings, "time", sampling=DOCUMENTS, permutations=0)
    groups = iaa.agreement_by(
        ratings, "time", "krippendorff_alpha", sampling=DOCUMENTS, interval="t"
    )
    for name in ("estimate", "standard_error", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[name], groups[name].squeeze(), rtol=1e-9)
    # the largest of four independent normal numbers, at the t distribution of six documents
    factor = found.attrs["band_factor"]
    assert factor == pytest.approx(norm.ppf((1 + 0.95 ** (1 / 4)) / 2), rel=0.03)
    reach = student.ppf(norm.cdf(factor), 5) * found.standard_error
    # to either side on the scale log((x - lower) / (1 - x)); three annotators have -1/2 or more
    estimate = found.estimate
    half = reach * (1 / (estimate + 0.5) + 1 / (1 - estimate))
    odds = [(estimate + 0.5) / (1 - estimate) * np.exp(sign * half) for sign in (-1, 1)]
    low, high = ((each - 0.5) / (1 + each) for each in odds)
    np.testing.assert_allclose(found.band_low, low, rtol=1e-9)
    np.testing.assert_allclose(found.band_high, np.maximum(high, found.ci_high), rtol=1e-9)
    assert (found.band_low < found.ci_low - 0.01).all()
    drawn = iaa.drift(ratings, "time", sampling=DOCUMENTS, interval="bca", **FAST)
    assert "clusters" in drawn.attrs["resampling"]
    np.testing.assert_allclose(drawn.standard_error, found.standard_error)


@pytest.mark.slow
def test_what_is_compared_has_the_errors_of_all_clusters() -> None:
    rows, document, batch = documents(2, 12)
    ratings = with_times(rows, batch).assign_coords(document=("item", document))
    found = iaa.drift(ratings, "time", sampling=DOCUMENTS, **FAST)
    counts = [[row.count(label) for label in LABELS] for row in rows]
    figure = figure_of(rows, "krippendorff_alpha")
    weights = oracle.tilted(counts, batch, document)
    errors = [oracle.tilted_error(figure, one, document) for one in weights]
    slope, error = oracle.own_line([0, 1, 2, 3], found.estimate.values.tolist(), errors)
    assert float(found.slope) == pytest.approx(slope, rel=1e-4)
    assert float(found.slope_standard_error) == pytest.approx(error, rel=1e-4)


def test_weights_hold_the_labels_of_each_batch() -> None:
    from scipy.sparse import csr_array

    features = np.array([[2.0, 0], [1, 1], [0, 2]])
    count = np.array([100.0, 50, 250])
    rows = np.array([[80.0, 20, 100], [20, 30, 150]])
    share = tilted(csr_array(np.eye(3)), count, rows, features)
    mean = count @ features / 400
    own = rows @ features / rows.sum(axis=1)[:, None]
    factors = (share @ features - mean) / (own - mean)
    assert np.ptp(factors) < 1e-6
    assert 0.9 < factors.mean() < 1
    # exponential in the features: the middle weighs the geometric mean of the ends
    ratio = share / count
    np.testing.assert_allclose(ratio[:, 1] ** 2, ratio[:, 0] * ratio[:, 2])
    # no more different than by chance: equal
    alike = np.array([[50.0, 25, 125], [50, 25, 125]])
    np.testing.assert_allclose(
        tilted(csr_array(np.eye(3)), count, alike, features), [count / 400] * 2
    )


def test_whole_clusters_are_shuffled_and_drawn() -> None:
    rng = np.random.default_rng(3)
    number = np.repeat(np.arange(6), [3, 1, 4, 2, 5, 2])
    time = np.sort(rng.uniform(0, 9, len(number)))
    timeline = ClusteredTimeline(
        time, rng.integers(0, 4, 17), np.ones(17), np.ones(4, bool), number
    )
    clusters = ClustersInTime(timeline)
    order = clusters.cells_of(np.array([4, 0, 2]))
    assert number[order].tolist() == [4] * 5 + [0] * 3 + [2] * 4
    assert (np.diff(time[order[:5]]) >= 0).all()
    assert sorted(clusters.cells_of(rng.permutation(6)).tolist()) == list(range(17))
    assert len(clusters.drawn(np.array([1, 1]))) == 17
    assert clusters.batches(np.array([0] * 8 + [1] * 9)) is not None
    assert clusters.batches(np.array([0] * 7 + [1] * 10)) is None


def test_documents_are_no_drift() -> None:
    """Differences between documents look like drift over items, but not over documents."""
    hits = []
    options: dict[str, Any] = {"interval": None, "replicates": 20, "permutations": 59}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        quality = np.repeat(rng.choice([0.2, 1.0], 24), 20)
        ratings = with_times(made(480, seed, quality), np.arange(480) // 80)
        ratings = ratings.assign_coords(document=("item", np.arange(480) // 20))
        found = [iaa.drift(ratings, sampling=one, **options) for one in (None, DOCUMENTS)]
        hits.append([float(one.p_value) < 0.05 for one in found])
    items, whole = np.sum(hits, axis=0)
    assert items >= 12
    # more than 5 of 20 are seen with a chance below .0003 where 5 % are right
    assert whole <= 5


def test_clusters_in_several_batches() -> None:
    rows, document, _ = documents(5, number=30)
    batch = np.arange(len(rows)) * 4 // len(rows)
    ratings = with_times(rows, batch).assign_coords(document=("item", document))
    found = iaa.drift(ratings, sampling=DOCUMENTS, **FAST)
    assert found.attrs["clusters_shuffled"] == "one_after_the_other"
    assert 0 < float(found.p_value) <= 1
    assert float(found.slope_standard_error) > 0


def without(ratings: xr.Dataset, annotator: int) -> xr.Dataset:
    return ratings.isel(annotator=[k for k in range(ratings.sizes["annotator"]) if k != annotator])


def test_local_errors_with_random_annotators() -> None:
    ratings = with_times(made(160, 6, 0.8, annotators=4), np.arange(160) // 40)
    found = iaa.drift(ratings, sampling=ANNOTATORS, **FAST)
    groups = iaa.agreement_by(
        ratings, "time", "krippendorff_alpha", sampling=ANNOTATORS, interval="t"
    )
    for name in ("estimate", "standard_error", "ci_low"):
        np.testing.assert_allclose(found[name], groups[name].squeeze(), rtol=1e-6)


def test_annotators_are_left_out_of_all_times_together() -> None:
    """Two annotators who see worse rate only after the middle: the step is due to them."""
    quality = np.where(np.arange(240) < 120, 0.95, 0.6)
    rows: list[list[Any]] = made(240, 7, 0.9, annotators=6)
    worse = made(240, 8, quality, annotators=6)
    for item, row in enumerate(rows):
        row[:] = (
            [*row[:2], *row[2:4], None, None]
            if item < 120
            else [*row[:2], None, None, *worse[item][4:]]
        )
    ratings = with_times(rows, np.arange(240) // 40)
    fixed = iaa.drift(ratings, **FAST)
    random = iaa.drift(ratings, sampling=ANNOTATORS, **FAST)
    np.testing.assert_allclose(random.estimate, fixed.estimate)
    assert float(random.change_difference_standard_error) > 1.3 * float(
        fixed.change_difference_standard_error
    )
    assert abs(float(random.change_z)) < abs(float(fixed.change_z)) / 1.3
    assert random.period_change_ci_high > fixed.period_change_ci_high


@pytest.mark.parametrize(
    ("sampling", "options", "said"),
    [
        (
            iaa.Sampling(bayesian=True),
            {},
            "bayesian=True is not available here",
        ),
        (iaa.Sampling(population=900), {}, "population=900 is not available here"),
        (ANNOTATORS, {"interval": "bca"}, "draws only items: with random annotators give auto"),
        (iaa.Sampling(cluster="nosuch"), {}, "cluster='nosuch' is not a coordinate along items"),
    ],
)
def test_refusals(sampling: iaa.Sampling, options: dict[str, Any], said: str) -> None:
    ratings = with_times(made(60, 9, 0.8), np.arange(60) // 20)
    with pytest.raises(IaaError, match=said):
        iaa.drift(ratings, sampling=sampling, **FAST, **options)


def test_two_annotators_are_too_few_to_be_random() -> None:
    ratings = with_times(made(60, 9, 0.8, annotators=2), np.arange(60) // 20)
    with pytest.raises(IaaError, match="2 annotators are too few to treat as random"):
        iaa.drift(ratings, sampling=ANNOTATORS, **FAST)
    counts = iaa.from_counts([[2, 1], [1, 2], [3, 0]] * 20)
    with pytest.raises(IaaError, match="counts without annotators"):
        iaa.drift(counts, "order", sampling=ANNOTATORS, **FAST)


@pytest.mark.parametrize("by", ["time", "order"])
def test_the_page_says_what_is_random(by: str) -> None:
    ratings = in_documents(10)
    found = iaa.drift(ratings, by, sampling=DOCUMENTS, **FAST)
    assert found.attrs["clusters_shuffled"] == {"time": "nested"}.get(by, "one_after_the_other")
    independent = {"items_independent", "independent_in_order"}
    assert independent.isdisjoint(codes_on(iaa.page(found)))
    told = independent.intersection(codes_on(iaa.page(iaa.drift(ratings, by, **FAST))))
    assert told == {"items_independent" if by == "time" else "independent_in_order"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_each_annotator_is_left_out_as_by_the_loop(name: str) -> None:
    """Of five annotators one comes and one goes; figures of batches, and the error of the slope."""
    rows: list[list[Any]] = made(36, 3, 0.8, annotators=5)
    batch = np.arange(36) // 12
    for item, row in enumerate(rows):
        row[3 if batch[item] == 0 else 4] = None
    ratings = with_times(rows, batch)
    resolver = Resolver(Rated.of(ratings))
    request = one_coefficient(resolver, name)
    options = IntervalOptions(sampling=ANNOTATORS)
    setup = DriftSetup.of(resolver, request, times_of(Rated.of(ratings), "time"), options, 3, None)
    found = setup.without_each(setup.windows.rows)
    assert found is not None
    figures = [
        figure_of([[*row[:away], *row[away + 1 :]] for row in rows], name) for away in range(5)
    ]
    windows = [(batch == one).astype(float).tolist() for one in range(3)]
    covariance, sampled = oracle.without_each(figures, windows)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.sampled, sampled, rtol=1e-5)
    assert found.degrees == 4
    # what is left of both is never less than nothing
    left = np.array(covariance) - np.diag(sampled)
    value, vector = np.linalg.eigh(left)
    assert value.min() < 0 < value.max()
    np.testing.assert_allclose(
        found.annotator_covariance, (vector * np.maximum(value, 0)) @ vector.T, rtol=1e-4, atol=1e-9
    )
