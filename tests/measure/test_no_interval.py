"""Figures without an interval, and figures without disagreement."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax import Interval
from iaa_jax._errors import IaaError
from iaa_jax.measure import Sampling
from tests.analyses.made import random_rows, wide
from tests.noted import notes_of

SEVERAL = ["krippendorff_alpha", "mean_pairwise_cohen_kappa", "gwet_ac1", "percent_agreement"]


class TestNoInterval:
    """Intervals that would say more than the ratings do are withheld, with the reason."""

    @pytest.mark.parametrize("method", ["auto", "percentile", "bca", "t"])
    def test_one_cluster_with_ratings(self, method: str) -> None:
        rows = random_rows(14)
        for row in rows[30:]:
            row[1:] = [None] * 3  # one rating each
        ratings = wide(rows).assign_coords(document=("item", [0] * 30 + [1] * 10))
        found = iaa.agreement(
            ratings, SEVERAL, interval=method, sampling=Sampling(cluster="document")
        )
        assert np.isnan(found.standard_error).all()
        assert np.isnan(found.ci_low).all()
        (note,) = notes_of(found, "few_telling_clusters")
        assert set(note.about) == set(found.coefficient.values)

    def test_two_random_annotators(self) -> None:
        ratings = wide(random_rows(15)).isel(annotator=[0, 1])
        found = iaa.agreement(
            ratings, ["cohen_kappa"], interval="percentile", sampling=Sampling(annotators="random")
        )
        assert np.isnan(found.ci_low).all()
        assert notes_of(found, "undefined_without_annotator")

    def test_annotators_without_ratings_are_not_drawn(self) -> None:
        rows = random_rows(16)
        drawn = []
        for empty in (0, 6):
            more = [[*row, *[None] * empty] for row in rows]
            ratings = wide(more)
            found = iaa.bootstrap(
                ratings, "krippendorff_alpha", sampling=Sampling(annotators="random")
            )
            drawn.append(found.replicates.values)
        np.testing.assert_allclose(drawn[0], drawn[1], atol=1e-12)

    def test_replicates_at_the_bound(self) -> None:
        ratings = iaa.from_wide([["a", "a"]] * 20 + [["b", "b"]] * 18 + [["a", "b"]] * 2)
        for method in ("basic", "studentized"):
            found = iaa.cohen_kappa(ratings, interval=Interval(method, transform="range"))
            assert np.isnan(found.ci_low)
            assert "use bca, percentile or t" in str(found.note.item())

    def test_stored_replicates_withhold_the_same_intervals(self) -> None:
        crowd = np.full((60, 40), np.nan)
        rng = np.random.default_rng(0)
        for item in range(60):
            crowd[item, rng.choice(40, 3, replace=False)] = rng.integers(0, 2, 3)
        ratings = iaa.from_wide(crowd)
        names = ["mean_pairwise_cohen_kappa", "krippendorff_alpha"]
        direct = iaa.agreement(ratings, names, interval="percentile")
        kept = iaa.bootstrap.intervals(iaa.bootstrap(ratings, names), "percentile")
        assert np.isnan(direct.ci_low[0])
        np.testing.assert_array_equal(direct.ci_low, kept.ci_low)
        assert "share few items" in str(kept.withheld[0].item())

    def test_the_jackknife_leaves_whole_items_out(self) -> None:
        ratings = wide(random_rows(18)).assign(item_weight=("item", np.full(40, 0.3)))
        ratings["item_weight"][::2] = 0.7
        for name in ("jackknife", "grouped_jackknife"):
            with pytest.raises(IaaError, match="leaves whole items out"):
                iaa.agreement(ratings, SEVERAL, interval=Interval("t", standard_error=name))


class TestNothingDisagrees:
    def ratings(self, items: int = 16) -> xr.Dataset:
        return iaa.from_wide([["a", "a"]] * (items - 6) + [["b", "b"]] * 6)

    def test_the_binomial_end(self) -> None:
        """Over documents of one item; over items labels have a posterior."""
        ratings = self.ratings().assign_coords(document=("item", np.arange(16)))
        found = iaa.agreement(
            ratings,
            ["percent_agreement", "cohen_kappa", "gwet_ac1"],
            sampling=Sampling(cluster="document"),
        )
        low = stats.binomtest(16, 16).proportion_ci(0.95, method="exact").low
        wanted = 1 - (1 - low) / (1 - found.expected)
        np.testing.assert_allclose(found.ci_low, wanted, rtol=1e-12)
        np.testing.assert_array_equal(found.ci_high, 1)
        told = notes_of(found, "unanimous")
        assert {row for note in told for row in note.about} == set(found.coefficient.values)
        assert {note.values["units"] for note in told} == {16}
        plain = iaa.agreement(self.ratings(), ["cohen_kappa"], interval="bca")
        assert float(plain.ci_low[0]) == 1

    def test_only_items_with_two_ratings_count(self) -> None:
        rows = [["a", "a"]] * 10 + [["b", "b"]] * 6 + [["a", None]] * 9
        ratings = iaa.from_wide(rows).assign_coords(document=("item", np.arange(25)))
        found = iaa.gwet_ac1(ratings, sampling=Sampling(cluster="document"))
        assert "for 16 clusters" in str(found.note.item())

    def test_over_clusters(self) -> None:
        ratings = self.ratings().assign_coords(document=("item", np.arange(16) // 4))
        found = iaa.cohen_kappa(ratings, sampling=Sampling(cluster="document"))
        low = 0.025 ** (1 / 4)
        wanted = 1 - (1 - low) / (1 - float(found.expected))
        assert float(found.ci_low) == pytest.approx(wanted)
        assert "for 4 clusters" in str(found.note.item())

    def test_stored_replicates(self) -> None:
        names = ["cohen_kappa", "percent_agreement"]
        ratings = self.ratings()
        posterior = iaa.bootstrap(ratings, names, sampling=Sampling(bayesian=True), prior="auto")
        kept = iaa.bootstrap.intervals(posterior)
        wanted = iaa.agreement(ratings, names)
        np.testing.assert_array_equal(kept.ci_low, wanted.ci_low)
        # without a prior replicates show nothing, and the end is the binomial one
        low = stats.binomtest(16, 16).proportion_ci(0.95, method="exact").low
        plain = iaa.bootstrap.intervals(iaa.bootstrap(ratings, names))
        assert float(plain.ci_low[1]) == pytest.approx(low)

    def test_numbers_have_no_largest_disagreement(self) -> None:
        found = iaa.krippendorff_alpha(iaa.from_values([[1.0, 1.0], [2.0, 2.0], [5.0, 5.0]] * 4))
        assert float(found.ci_low) == 1

    def test_coverage_where_few_disagree(self) -> None:
        """Percent agreement .98, 12 items: resampling alone misses whenever all agree."""
        rng = np.random.default_rng(3)
        held = 0
        for _ in range(60):
            agree = rng.random(12) < 0.98
            rows = [["a" if i % 2 else "b", "a" if i % 2 else "b"] for i in range(12)]
            for item in np.flatnonzero(~agree):
                rows[item] = ["a", "b"]
            found = iaa.percent_agreement(iaa.from_wide(rows), replicates=200)
            held += float(found.ci_low) <= 0.98 <= float(found.ci_high)
        assert held >= 55
