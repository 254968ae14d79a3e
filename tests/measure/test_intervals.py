"""Every kind of interval through the public functions: published examples, SciPy, slow loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax import Interval
from iaa_jax._errors import IaaError
from iaa_jax.kernels import Agreement, intervals
from iaa_jax.kernels.namespace import namespace
from iaa_jax.measure import Sampling
from tests.analyses.made import random_rows, wide
from tests.oracles import resampling

# Efron and Tibshirani 1993, An introduction to the bootstrap, table 14.1: spatial test, A
SPATIAL = (48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6)
SPATIAL += (0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41)

SEVERAL = ["krippendorff_alpha", "mean_pairwise_cohen_kappa", "gwet_ac1", "percent_agreement"]


def variance(value: Any, *, item_weight: Any = None, annotator_weight: Any = None) -> Agreement:
    """The variance of the first annotator's numbers, as a coefficient."""
    del annotator_weight
    xp = namespace(value, item_weight)
    items = item_weight.sum()
    mean = item_weight @ value[:, 0] / items
    found = item_weight @ (value[:, 0] - mean) ** 2 / items
    return Agreement(found, found, found * 0, xp.int32(0))


def spatial() -> xr.Dataset:
    return iaa.from_values(np.column_stack([SPATIAL, SPATIAL]).astype(float))


def ends(found: xr.Dataset) -> list[float]:
    return [float(found.ci_low.item()), float(found.ci_high.item())]


def clustered() -> xr.Dataset:
    """Forty items in ten documents of two to six, where items of a document are alike."""
    rng = np.random.default_rng(11)
    document = np.repeat(np.arange(10), [2, 6, 4, 4, 4, 3, 5, 4, 4, 4])
    hard = rng.random(10)[document] < 0.5
    truth = rng.integers(0, 3, 40)
    rows = np.where(
        rng.random((40, 4)) < np.where(hard, 0.3, 0.95)[:, None],
        truth[:, None],
        rng.integers(0, 3, (40, 4)),
    ).astype(float)
    rows[rng.random((40, 4)) < 0.1] = np.nan
    return iaa.from_wide(rows).assign_coords(document=("item", document))


class TestPublishedExample:
    """Efron and Tibshirani 1993, table 14.2: the variance of the spatial test data, 90 %."""

    def test_abc(self) -> None:
        found = iaa.agreement(spatial(), variance, interval="abc", confidence=0.9)
        assert found.estimate.item() == pytest.approx(171.5, abs=0.05)
        assert ends(found) == pytest.approx([116.7, 260.9], abs=0.05)

    def test_bca_and_percentile(self) -> None:
        drawn = iaa.bootstrap(spatial(), variance, replicates=20_000)
        assert drawn.acceleration.item() == pytest.approx(0.061, abs=0.0005)
        # printed from 2,000 replicates: an end varies by about two there
        assert ends(iaa.bootstrap.intervals(drawn, "bca", confidence=0.9)) == pytest.approx(
            [115.8, 259.6], abs=3
        )
        found = ends(iaa.bootstrap.intervals(drawn, "percentile", confidence=0.9))
        assert found == pytest.approx([100.8, 233.9], abs=4)


class TestWithoutReplicates:
    def test_normal_and_t(self) -> None:
        ratings = wide(random_rows(3))
        items = ratings.sizes["item"]
        for method, quantile in (
            ("normal", stats.norm.ppf(0.95)),
            ("t", stats.t.ppf(0.95, items - 1)),
        ):
            found = iaa.agreement(ratings, SEVERAL, interval=method, confidence=0.9)
            reach = quantile * found.standard_error
            np.testing.assert_allclose(found.ci_low, found.estimate - reach, atol=1e-14)
            np.testing.assert_allclose(found.ci_high, found.estimate + reach, atol=1e-14)
            assert set(found.interval.values) == {method}

    def test_abc_of_figures_by_label(self) -> None:
        ratings = wide(random_rows(5))
        together = iaa.specific_agreement(ratings, interval="abc")
        bca = iaa.specific_agreement(ratings, interval="bca", replicates=2000)
        gap = abs(together.ci_low - bca.ci_low) / together.standard_error
        assert float(gap.max()) < 0.4

    @pytest.mark.parametrize("bounds", [(-math.inf, 1.0), (-1.0, 1.0), (0.0, 1.0)])
    def test_the_scale_without_bounds(self, bounds: tuple[float, float]) -> None:
        value = np.array([0.05, 0.5, 0.93])
        line = intervals.to_line(value, *bounds)
        np.testing.assert_allclose(intervals.from_line(line, *bounds), value, atol=1e-14)
        step = 1e-6
        slope = (
            intervals.to_line(value + step, *bounds) - intervals.to_line(value - step, *bounds)
        ) / (2 * step)
        np.testing.assert_allclose(intervals.line_slope(value, *bounds), slope, rtol=1e-7)

    def test_range_keeps_within_one(self) -> None:
        ratings = iaa.from_wide([["a", "a"]] * 11 + [["a", "b"]] + [["b", "b"]] * 8)
        plain = iaa.cohen_kappa(ratings, interval="t")
        within = iaa.cohen_kappa(ratings, interval=Interval("t", transform="range"))
        assert float(plain.ci_high) > 1 > float(within.ci_high)
        # by the delta method on log((1 + x) / (1 - x)), which is twice Fisher's transformation
        x, error = float(plain.estimate), float(plain.standard_error)
        reach = stats.t.ppf(0.975, 19) * error / (1 - x**2)
        wanted = [math.tanh(math.atanh(x) - reach), math.tanh(math.atanh(x) + reach)]
        assert ends(within) == pytest.approx(wanted, abs=1e-12)
        assert within.attrs["interval_transform"] == "range"

    def test_perfect_agreement_has_no_width_on_any_scale(self) -> None:
        ratings = iaa.from_wide([["a", "a"]] * 5 + [["b", "b"]] * 5)
        for how in ("t", Interval("t", transform="range"), "normal"):
            assert ends(iaa.cohen_kappa(ratings, interval=how)) == [1.0, 1.0]


class TestStandardErrors:
    def test_jackknife_is_the_loop(self) -> None:
        ratings = wide(random_rows(6))
        items = ratings.sizes["item"]
        for name in SEVERAL:
            found = iaa.agreement(ratings, name, interval=Interval("t", standard_error="jackknife"))
            left = resampling.delete_one_estimates(
                lambda kept, name=name: float(
                    iaa.agreement(ratings.isel(item=kept), name, interval=None).estimate[0]
                ),
                items,
            )
            wanted = resampling.jackknife_standard_error(left)
            assert found.standard_error.item() == pytest.approx(wanted, rel=1e-10)

    def test_jackknife_of_repeated_items(self) -> None:
        ratings = wide(random_rows(7, items=12))
        how = Interval("t", standard_error="jackknife")
        weighted = ratings.assign(item_weight=("item", np.full(12, 3.0)))
        repeated = xr.concat(
            [ratings.assign_coords(item=ratings.item.values + 100 * k) for k in range(3)], "item"
        ).assign_attrs(ratings.attrs)
        one, other = (iaa.agreement(x, SEVERAL, interval=how) for x in (weighted, repeated))
        np.testing.assert_allclose(one.standard_error, other.standard_error, rtol=1e-10)
        np.testing.assert_allclose(one.ci_low, other.ci_low, rtol=1e-9)

    def test_grouped_jackknife(self) -> None:
        ratings = wide(random_rows(8, items=300))
        plain = iaa.agreement(ratings, SEVERAL, interval="t")
        grouped = [
            iaa.agreement(
                ratings,
                SEVERAL,
                interval=Interval("t", standard_error="grouped_jackknife", groups=30),
                seed=seed,
            ).standard_error
            for seed in range(8)
        ]
        ratio = np.sqrt(np.mean([one**2 for one in grouped], axis=0)) / plain.standard_error
        assert float(abs(ratio - 1).max()) < 0.15
        assert not np.allclose(grouped[0], grouped[1])

    def test_analytic_forms_are_refused_where_there_are_none(self) -> None:
        ratings = wide(random_rows(9))
        how = Interval("t", standard_error="no_such_form")
        with pytest.raises(IaaError, match="standard_error must be one of infinitesimal_jackknife"):
            iaa.krippendorff_alpha(ratings, interval=how)
        several = iaa.agreement(
            ratings,
            ["fleiss_kappa", "davies_fleiss_kappa"],
            interval=Interval("t", standard_error="gwet_linearized"),
        )
        assert several.standard_error[0] > 0
        assert np.isnan(several.standard_error[1])
        assert "gwet_linearized" in str(several.note[1].item())


class TestSampling:
    def test_clusters_by_hand(self) -> None:
        ratings = clustered()
        influence = iaa.influence(ratings, "krippendorff_alpha").influence
        document = ratings.document.values
        sums = np.bincount(document, weights=influence.values / len(document))
        wanted = math.sqrt(10 / 9 * (sums**2).sum())
        found = iaa.krippendorff_alpha(ratings, interval="t", sampling=Sampling(cluster="document"))
        assert float(found.standard_error) == pytest.approx(wanted, rel=1e-12)
        reach = stats.t.ppf(0.975, 9) * wanted
        assert float(found.ci_high) == pytest.approx(float(found.estimate) + reach, rel=1e-12)
        # documents are alike inside: items taken for independent are too sure
        plain = iaa.krippendorff_alpha(ratings, interval="t")
        assert wanted > 1.2 * float(plain.standard_error)

    def test_cluster_names(self) -> None:
        ratings = clustered()
        with pytest.raises(IaaError, match="the coordinates are 'document'"):
            iaa.krippendorff_alpha(ratings, sampling=Sampling(cluster="thread"))
        names = ratings.document.values.astype(object)
        names[3] = None
        lost = ratings.assign_coords(document=("item", names))
        found = iaa.krippendorff_alpha(lost, sampling=Sampling(cluster="document"))
        names[3] = "of its own"
        named = ratings.assign_coords(document=("item", names))
        same = iaa.krippendorff_alpha(named, sampling=Sampling(cluster="document"))
        assert float(found.ci_low) == pytest.approx(float(same.ci_low), rel=1e-12)
        assert "1 item has no document: each is a cluster of its own" in str(iaa.page(found))

    def test_population_of_an_analytic_form(self) -> None:
        ratings = wide(random_rows(11, items=60))
        whole, half = (
            iaa.fleiss_kappa(
                ratings,
                interval=Interval("t", standard_error="gwet_linearized"),
                sampling=Sampling(population=population),
            )
            for population in (None, 120)
        )
        wanted = float(whole.standard_error) / math.sqrt(2)
        assert float(half.standard_error) == pytest.approx(wanted)

    def test_population(self) -> None:
        ratings = wide(random_rows(11, items=60))
        plain = iaa.agreement(ratings, SEVERAL)
        for population in (60, 100, 1e9):
            found = iaa.agreement(ratings, SEVERAL, sampling=Sampling(population=population))
            left = math.sqrt(1 - 60 / population)
            np.testing.assert_allclose(
                found.standard_error, left * plain.standard_error, rtol=1e-5, atol=1e-6
            )
            width, whole = (one.ci_high - one.ci_low for one in (found, plain))
            assert float(abs(width / whole - left).max()) < 0.06
        with pytest.raises(IaaError, match="smaller than the 60 rated items"):
            iaa.agreement(ratings, SEVERAL, sampling=Sampling(population=59))

    def test_random_annotators(self) -> None:
        ratings = wide(random_rows(12, items=60))
        fixed = iaa.agreement(ratings, SEVERAL, interval="t")
        random = iaa.agreement(
            ratings, SEVERAL, interval="t", sampling=Sampling(annotators="random")
        )
        degrees = []
        for place, name in enumerate(SEVERAL):
            left = [
                float(
                    iaa.agreement(ratings.drop_sel(annotator=who), name, interval=None).estimate[0]
                )
                for who in ratings.annotator.values
            ]
            of_items = float(fixed.standard_error[place])
            of_annotators = resampling.jackknife_standard_error(left)
            wanted = math.hypot(of_items, of_annotators)
            degrees.append(wanted**4 / (of_items**4 / 59 + of_annotators**4 / 3))
            assert float(random.standard_error[place]) == pytest.approx(wanted, rel=1e-9)
        reach = stats.t.ppf(0.975, degrees) * random.standard_error
        np.testing.assert_allclose(random.ci_high, random.estimate + reach)

    def test_bayesian(self) -> None:
        ratings = wide(random_rows(13, items=80))
        found = iaa.agreement(ratings, SEVERAL, sampling=Sampling(bayesian=True))
        assert set(found.interval.values) == {"percentile"}
        drawn = iaa.bootstrap(ratings, SEVERAL, replicates=4000, sampling=Sampling(bayesian=True))
        ratio = drawn.replicates.std("replicate") / drawn.standard_error
        assert float(abs(ratio - 1).max()) < 0.06
        again = iaa.bootstrap.intervals(drawn.isel(replicate=slice(2000)))
        np.testing.assert_allclose(again.ci_low, found.ci_low)


class TestRefusals:
    @pytest.mark.parametrize(
        ("keywords", "said"),
        [
            ({"method": "wide"}, "interval must be one of auto"),
            ({"transform": "log"}, "transform must be one of None, range"),
            ({"bayesian": True, "cluster": 3}, "cluster must name a coordinate"),
            ({"annotators": "some"}, "annotators must be one of fixed"),
            ({"population": 0}, "population must be a number above 0"),
            ({"groups": 1, "standard_error": "grouped_jackknife"}, "whole number of 2"),
            ({"groups": 5}, "are only for standard_error='grouped_jackknife'"),
            ({"method": "bca", "transform": "range"}, "stay within the range by themselves"),
            ({"method": "abc", "cluster": "document"}, "leave cluster='document' out"),
            ({"standard_error": "gwet_linearized", "cluster": "a"}, "leave cluster='a' out"),
            ({"standard_error": "grouped_jackknife", "cluster": "a"}, "groups of its own"),
            ({"method": "studentized", "annotators": "random"}, "leave annotators="),
            (
                {"method": "studentized", "standard_error": "jackknife"},
                "leave standard_error='jackknife' out",
            ),
        ],
    )
    def test_options_that_do_not_fit_together(self, keywords: dict[str, Any], said: str) -> None:
        ratings = wide(random_rows(1))
        own = ("cluster", "annotators", "population", "bayesian")
        random = {name: keywords[name] for name in own if name in keywords}
        others = {name: value for name, value in keywords.items() if name not in own}

        def measured() -> xr.Dataset:
            return iaa.cohen_kappa(
                ratings, interval=Interval(**others), sampling=Sampling(**random)
            )

        with pytest.raises(IaaError, match=said):
            measured()

    def test_f_is_for_intraclass_correlations(self) -> None:
        with pytest.raises(IaaError, match="interval='f' is for icc1"):
            iaa.krippendorff_alpha(wide(random_rows(1)), interval="f")

    def test_studies_with_intervals_of_their_own(self) -> None:
        ratings = wide(random_rows(1))
        doubles = {
            "item": [1, 1],
            "annotator": ["x", "y"],
            "label": ["a", "b"],
            "other": ["b", "a"],
        }
        for study, rated in (
            (iaa.annotators, ratings),
            (iaa.sweep, iaa.from_long(doubles, secondary="other")),
        ):
            with pytest.raises(IaaError, match="is not available here"):
                study(rated, interval=Interval("t", transform="range"))
        found = iaa.annotators(ratings, interval="t")
        assert np.isfinite(found.agreement_ci_low).all()
