"""Replicates that are kept: other intervals from them, saved and read again, probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax import Interval, Sampling
from iaa_jax._errors import IaaError
from iaa_jax.engine.compiled import TRACES
from tests.analyses.made import by_slot, random_rows, wide

SEVERAL = ["krippendorff_alpha", "mean_pairwise_cohen_kappa", "gwet_ac1"]


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized", "normal", "t"])
@pytest.mark.parametrize("form", [wide, pytest.param(by_slot, marks=pytest.mark.slow)])
def test_the_same_interval_without_computing_again(method, form) -> None:
    ratings = form(random_rows(1))
    drawn = iaa.bootstrap(ratings, SEVERAL, errors=method == "studentized", replicates=500, seed=3)
    traces = TRACES.copy()
    found = iaa.bootstrap.intervals(drawn, method, confidence=0.9)
    assert traces == TRACES
    wanted = iaa.agreement(
        ratings, SEVERAL, interval=method, confidence=0.9, replicates=500, seed=3
    )
    for name in ("estimate", "standard_error", "ci_low", "ci_high", "undefined_replicates"):
        np.testing.assert_array_equal(found[name], wanted[name], err_msg=name)
    assert found.attrs["interval"] == method
    assert found.attrs["confidence"] == 0.9


def test_on_the_scale_without_bounds() -> None:
    ratings = wide(random_rows(2))
    drawn = iaa.bootstrap(ratings, "krippendorff_alpha", errors=True, replicates=500)
    for method in ("basic", "studentized", "t"):
        found = iaa.bootstrap.intervals(drawn, method, transform="range")
        wanted = iaa.krippendorff_alpha(
            ratings, interval=Interval(method, transform="range"), replicates=500
        )
        assert float(found.ci_low) == float(wanted.ci_low)
        assert float(found.ci_high) == float(wanted.ci_high) < 1


@pytest.mark.parametrize("coefficient", [SEVERAL, "specific_agreement", "gwet_ac1"])
def test_saved_and_read_again(coefficient, tmp_path: Path) -> None:
    ratings = wide(random_rows(3)).assign_coords(batch=("item", np.arange(40) // 4))
    drawn = iaa.bootstrap(
        ratings, coefficient, replicates=300, seed=5, sampling=Sampling(cluster="batch")
    )
    drawn.to_netcdf(tmp_path / "replicates.nc")
    again = xr.load_dataset(tmp_path / "replicates.nc")
    one, other = iaa.bootstrap.intervals(drawn), iaa.bootstrap.intervals(again)
    for name in ("estimate", "standard_error", "ci_low", "ci_high"):
        np.testing.assert_array_equal(one[name], other[name])
    assert again.attrs["seed"] == 5
    assert again.attrs["sampling_cluster"] == "batch"


def test_figures_by_label_stand_along_label() -> None:
    ratings = wide(random_rows(4))
    drawn = iaa.bootstrap(ratings, "specific_agreement", replicates=300)
    assert drawn.replicates.dims == ("replicate", "label")
    found = iaa.bootstrap.intervals(drawn, "bca")
    wanted = iaa.specific_agreement(ratings, interval="bca", replicates=300)
    np.testing.assert_array_equal(found.ci_low, wanted.ci_low)


def test_probability_above() -> None:
    ratings = wide(random_rows(5))
    drawn = iaa.bootstrap(ratings, SEVERAL, replicates=1000, sampling=Sampling(bayesian=True))
    cut_offs = [-1.0, float(drawn.estimate[0]), 1.0]
    found = iaa.bootstrap.probability_above(drawn, cut_offs)
    assert found.probability.dims == ("cut_off", "coefficient")
    for place, cut_off in enumerate(cut_offs):
        wanted = (drawn.replicates > cut_off).mean("replicate")
        np.testing.assert_allclose(found.probability[place], wanted)
    assert 0.3 < float(found.probability[1, 0]) < 0.7
    error = found.monte_carlo_error[1, 0]
    p = float(found.probability[1, 0])
    assert float(error) == pytest.approx((p * (1 - p) / 1000) ** 0.5)


def test_probability_where_nothing_disagrees() -> None:
    drawn = iaa.bootstrap(
        iaa.from_wide([["a", "a"]] * 4 + [["b", "b"]] * 4),
        ["percent_agreement", "cohen_kappa"],
        sampling=Sampling(bayesian=True),
    )
    found = iaa.bootstrap.probability_above(drawn, 0.667).probability.values.ravel()
    # kappa is above .667 where the share of items that agree is above 1 - .333 * (1 - E), E = .5
    wanted = [1 - 0.667**9, 1 - (1 - 0.333 * 0.5) ** 9]
    np.testing.assert_allclose(found, wanted)


def test_probability_over_annotators_is_that_of_t() -> None:
    drawn = iaa.bootstrap(
        wide(random_rows(8)), SEVERAL, sampling=Sampling(annotators="random", bayesian=True)
    )
    found = iaa.bootstrap.probability_above(drawn, 0.3).probability.values.ravel()
    ratio = (drawn.estimate - 0.3) / drawn.standard_error
    np.testing.assert_allclose(found, stats.t.cdf(ratio, drawn.degrees))


def test_where_no_probability_is_defined() -> None:
    drawn = iaa.bootstrap(iaa.from_wide([["a", "a"]] * 9), "cohen_kappa", replicates=50)
    assert drawn.conclusion == "undefined"
    assert iaa.bootstrap.probability_above(drawn, 0.5).conclusion == "undefined"
    rng = np.random.default_rng(0)
    given = [(i, who, rng.integers(2)) for i in range(60) for who in rng.permutation(12)[:3]]
    crowd = iaa.from_long(
        [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in given]
    )
    names = ["fleiss_kappa", "davies_fleiss_kappa", "mean_pairwise_cohen_kappa"]
    drawn = iaa.bootstrap(crowd, names, replicates=50, sampling=Sampling(bayesian=True))
    found = iaa.bootstrap.probability_above(drawn, 0.5)
    assert np.isnan(found.probability[0]).values.tolist() == [False, True, True]
    assert [why[:35] for why in found.withheld.values] == [
        "",
        *["pairs of annotators share few items"] * 2,
    ]
    above = iaa.agree(crowd, names, above=[0.5])["coefficients"].above
    assert np.isnan(above[:, 0]).values.tolist() == [False, True, True]


def test_undefined_replicates_take_no_part() -> None:
    rows = [["a", "a"]] * 9 + [["a", "b"]]
    drawn = iaa.bootstrap(iaa.from_wide(rows), "cohen_kappa", replicates=400)
    undefined = int(np.isnan(drawn.replicates).sum())
    assert undefined > 50  # (9/10)^10 of all draws lack the only item with b
    found = iaa.bootstrap.probability_above(drawn, -0.5)
    assert int(found.undefined_replicates) == undefined
    assert float(found.probability[0]) == 1.0
    assert int(iaa.bootstrap.intervals(drawn).undefined_replicates) == undefined


def test_what_is_refused() -> None:
    ratings = wide(random_rows(6))
    drawn = iaa.bootstrap(ratings, SEVERAL, replicates=50)
    with pytest.raises(IaaError, match="errors=True"):
        iaa.bootstrap.intervals(drawn, "studentized")
    with pytest.raises(IaaError, match="uses no replicates"):
        iaa.bootstrap.intervals(drawn, "abc")
    with pytest.raises(IaaError, match=r"a result of iaa_jax\.bootstrap"):
        iaa.bootstrap.intervals(ratings)
    with pytest.raises(IaaError, match=r"a result of iaa_jax\.bootstrap"):
        iaa.bootstrap.probability_above(ratings, 0.5)
    with pytest.raises(IaaError, match="cut_off must be a number"):
        iaa.bootstrap.probability_above(drawn, 1.2)
    with pytest.raises(IaaError, match="cut_off must be a number"):
        iaa.bootstrap.probability_above(drawn, np.nan)
    with pytest.raises(IaaError, match="one estimate per label"):
        iaa.bootstrap(ratings, ["specific_agreement", "gwet_ac1"])


class TestStudiesOverClusters:
    """Clusters of items in every study that measures coefficients."""

    def ratings(self) -> xr.Dataset:
        rows = random_rows(7, items=48)
        document = np.arange(48) // 4
        return wide(rows).assign_coords(
            document=("item", document), batch=("item", np.where(document < 7, "one", "two"))
        )

    def test_groups(self) -> None:
        ratings = self.ratings()
        how = {"interval": "t", "sampling": Sampling(cluster="document")}
        found = iaa.agreement_by(ratings, "batch", SEVERAL, **how)
        for batch in ("one", "two"):
            part = ratings.isel(item=ratings.batch.values == batch)
            wanted = iaa.agreement(part, SEVERAL, **how)
            np.testing.assert_allclose(
                found.standard_error.sel(group=batch), wanted.standard_error, rtol=1e-10
            )

    def test_labels(self) -> None:
        ratings = self.ratings()
        found = iaa.labels(
            ratings, "fleiss_kappa", interval="t", sampling=Sampling(cluster="document")
        )
        for label in ratings.label.values:
            two = iaa.from_wide(
                [[x if x is None else str(x == label) for x in row] for row in random_rows(7, 48)],
                labels=["True", "False"],
            ).assign_coords(document=("item", ratings.document.values))
            wanted = iaa.fleiss_kappa(two, interval="t", sampling=Sampling(cluster="document"))
            ends = found.sel(label=label)
            assert float(ends.coefficient_standard_error) == pytest.approx(
                float(wanted.standard_error), rel=1e-9
            )

    def test_each_label(self) -> None:
        ratings = self.ratings()
        how = {"interval": "t", "sampling": Sampling(cluster="document")}
        found = iaa.per_label(ratings, "fleiss_kappa", **how)
        wanted = iaa.labels(ratings, "fleiss_kappa", **how)
        np.testing.assert_allclose(
            found.standard_error.squeeze("coefficient").sel(label=wanted.label),
            wanted.coefficient_standard_error,
            rtol=1e-9,
        )

    @pytest.mark.parametrize("study", ["labels", "per_label"])
    def test_random_annotators(self, study: str) -> None:
        ratings = self.ratings()
        fixed = getattr(iaa, study)(ratings, "fleiss_kappa", interval="t")
        random = getattr(iaa, study)(
            ratings, "fleiss_kappa", interval="t", sampling=Sampling(annotators="random")
        )
        name = "coefficient_standard_error" if study == "labels" else "standard_error"
        np.testing.assert_array_less(fixed[name], random.sel(label=fixed.label)[name])

    def test_random_annotators_in_groups(self) -> None:
        ratings = self.ratings()
        how = {"interval": "t", "sampling": Sampling(annotators="random")}
        found = iaa.agreement_by(ratings, "batch", SEVERAL, **how)
        part = ratings.isel(item=ratings.batch.values == "one")
        wanted = iaa.agreement(part, SEVERAL, **how)
        np.testing.assert_allclose(found.standard_error[0], wanted.standard_error, rtol=1e-10)
        team = ratings.assign_coords(team=("annotator", ["x", "x", "y", "y"]))
        with pytest.raises(IaaError, match="'team' divides them"):
            iaa.agreement_by(team, "team", SEVERAL, **how)
