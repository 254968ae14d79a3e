"""Joint covariance against replicates and loops, and the band against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.analyses.made import by_slot, random_rows, wide

SEVERAL = ["krippendorff_alpha", "mean_pairwise_cohen_kappa", "gwet_ac1", "percent_agreement"]


@pytest.mark.parametrize("form", [wide, by_slot])
def test_from_influences_by_hand(form) -> None:
    ratings = form(random_rows(1))
    several = SEVERAL if form is wide else SEVERAL[:2]
    found = iaa.covariance(ratings, several)
    influences = np.array([iaa.influence(ratings, name).influence.values for name in several])
    items = influences.shape[1]
    wanted = influences @ influences.T / (items * (items - 1))
    np.testing.assert_allclose(found.covariance, wanted, atol=1e-15)
    errors = iaa.agreement(ratings, several, interval="t").standard_error
    np.testing.assert_allclose(found.standard_error, errors, rtol=1e-12)
    np.testing.assert_allclose(found.correlation, wanted / np.outer(errors, errors), rtol=1e-10)


def test_from_replicates() -> None:
    ratings = wide(random_rows(2, items=150))
    found = iaa.covariance(ratings, SEVERAL)
    drawn = iaa.bootstrap(ratings, SEVERAL, replicates=4000).replicates
    np.testing.assert_allclose(np.corrcoef(drawn), found.correlation, atol=0.05)


def test_clusters() -> None:
    ratings = wide(random_rows(3)).assign_coords(document=("item", np.arange(40) // 4))
    found = iaa.covariance(ratings, SEVERAL, sampling=iaa.Sampling(cluster="document"))
    influences = np.array([iaa.influence(ratings, name).influence.values for name in SEVERAL]) / 40
    sums = influences.reshape(len(SEVERAL), 10, 4).sum(axis=2)
    np.testing.assert_allclose(found.covariance, 10 / 9 * sums @ sums.T, atol=1e-15)


def test_random_annotators() -> None:
    """Standard errors follow `agreement` for every sampling; one distribution for all."""
    rng = np.random.default_rng(5)
    skill = rng.normal(size=(30, 1)) + rng.normal(size=(30, 4)) * [0.3, 1.0, 0.7, 2.0]
    ratings, several = iaa.from_values(skill), ["icc2", "krippendorff_alpha", "icc3"]
    for sampling in (None, iaa.Sampling(annotators="random"), iaa.Sampling(annotators="fixed")):
        found = iaa.covariance(ratings, several, sampling=sampling)
        errors = iaa.agreement(ratings, several, interval="t", sampling=sampling).standard_error
        np.testing.assert_allclose(found.standard_error, errors, rtol=1e-9)
        assert np.linalg.eigvalsh(found.covariance).min() > -1e-12
    random = iaa.covariance(ratings, several, sampling=iaa.Sampling(annotators="random"))
    figures = iaa.agreement(ratings, several, interval=None).estimate.values
    without = np.array(
        [
            iaa.agreement(
                iaa.from_values(np.delete(skill, k, axis=1)), several, interval=None
            ).estimate
            for k in range(4)
        ]
    )
    away = without - without.mean(axis=0)
    fixed = iaa.covariance(ratings, several, sampling=iaa.Sampling(annotators="fixed"))
    np.testing.assert_allclose(random.covariance - fixed.covariance, 3 / 4 * away.T @ away)
    np.testing.assert_allclose(random.estimate, figures)


def test_factor_of_one_and_of_independent_figures() -> None:
    ratings = wide(random_rows(4))
    one = iaa.covariance(ratings, "gwet_ac1")
    assert float(one.factor) == pytest.approx(stats.t.ppf(0.975, 39), abs=0.02)
    found = iaa.covariance(ratings, SEVERAL)
    bonferroni = stats.t.ppf(1 - 0.025 / len(SEVERAL), 39)
    assert float(one.factor) < float(found.factor) < bonferroni
    reach = float(found.factor) * found.standard_error
    np.testing.assert_allclose(found.band_low, found.estimate - reach)


def test_undefined_figures_take_no_part() -> None:
    ratings = iaa.from_wide([["a", "a"]] * 10)
    found = iaa.covariance(ratings, ["percent_agreement", "cohen_kappa", "gwet_ac1"])
    assert np.isnan(found.standard_error[1])
    assert all("expected" in note for note in found.note.values[1:].tolist())
    with pytest.raises(IaaError, match="one estimate per label"):
        iaa.covariance(ratings, "specific_agreement")


def test_population_and_weights() -> None:
    ratings = wide(random_rows(5))
    whole = iaa.covariance(ratings, SEVERAL)
    half = iaa.covariance(ratings, SEVERAL, sampling=iaa.Sampling(population=80))
    np.testing.assert_allclose(half.covariance, whole.covariance / 2)
    weighted = ratings.assign(item_weight=("item", np.full(40, 2.0)))
    doubled = iaa.covariance(weighted, SEVERAL)
    np.testing.assert_allclose(
        doubled.correlation, iaa.covariance(iaa.data.compress(weighted), SEVERAL).correlation
    )


def test_a_figure_without_spread_has_no_band() -> None:
    unanimous = iaa.from_wide([["a", "a"]] * 6 + [["b", "b"]] * 4)
    found = iaa.covariance(unanimous, ["percent_agreement", "gwet_ac1"])
    assert np.isnan(found.band_low).all()
    assert np.isnan(found.band_high).all()
    assert found.attrs["conclusion"] == "undefined"
    assert all("no spread" in note for note in found.note.values.tolist())
    assert np.isnan(found.factor)
    crossed = iaa.from_wide([["a", "b"]] * 8 + [["b", "a"]] * 3)
    beside = iaa.covariance(crossed, ["percent_agreement", "cohen_kappa"])
    alone = iaa.covariance(crossed, "cohen_kappa")
    assert float(beside.factor) == float(alone.factor)
    assert np.isnan([beside.band_low[0], beside.band_high[0]]).all()
    assert float(beside.band_low[1]) == float(alone.band_low[0])


def test_pairable_items_in_one_cluster_say_nothing() -> None:
    rows = [
        row if place < 5 else [row[0], None, None, None] for place, row in enumerate(random_rows(3))
    ]
    ratings = wide(rows).assign_coords(document=("item", np.arange(40) // 5))
    found = iaa.covariance(ratings, SEVERAL[0], sampling=iaa.Sampling(cluster="document"))
    assert np.isnan(found.standard_error).all()
    assert "only 1 of the clusters has items with two ratings" in str(found.note[0].values)


def test_referee_8_the_band_of_several_ends_where_their_ranges_do() -> None:
    ratings = iaa.from_wide([["a", "a"]] * 14 + [["b", "b"]] * 9 + [["a", "b"]])
    found = iaa.covariance(ratings, ["percent_agreement", "cohen_kappa"])
    assert ((found.estimate + found.factor * found.standard_error) > 1).all()
    np.testing.assert_array_equal(found.band_high, 1.0)
