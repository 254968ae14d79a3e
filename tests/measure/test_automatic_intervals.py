"""The interval of "auto", by the kind of figure and by what is random."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.kernels import Agreement
from iaa_jax.measure import Interval, IntervalOptions, Sampling
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.prior import labels_of, pseudo_items
from iaa_jax.measure.requests.resolver import Resolver
from tests.noted import notes_of


def drawn(items: int = 40, labels: int = 3, annotators: int = 3, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, (items, 1))
    guess = rng.integers(0, labels, (items, annotators))
    return np.where(rng.random((items, annotators)) < 0.7, truth, guess)


LABELS = iaa.from_wide(drawn())
SCALE = iaa.from_wide(drawn(labels=5), labels=range(5))
NUMBERS = iaa.from_values(drawn(labels=9) + np.random.default_rng(1).normal(size=(40, 3)))
BY_DOCUMENT = LABELS.assign_coords(document=("item", np.arange(40) // 2))


def soft() -> xr.Dataset:
    shares = np.random.default_rng(2).dirichlet(np.ones(3), size=(20, 3))
    return iaa.from_mass(shares)


def share_of_first(
    mass: Any, *, item_weight: Any = None, annotator_weight: Any = None
) -> Agreement:
    del annotator_weight
    share = item_weight @ mass[:, 0, 0] / item_weight.sum()
    return Agreement(share, share, share * 0, share.astype("int32") * 0)


@pytest.mark.parametrize(
    ("ratings", "coefficient", "options", "interval"),
    [
        (LABELS, "krippendorff_alpha", {}, "empirical_bayes"),
        (LABELS, "conger_kappa", {}, "empirical_bayes"),
        (LABELS, "specific_agreement", {}, "empirical_bayes"),
        (SCALE, "krippendorff_alpha", {"level": "ordinal"}, "empirical_bayes"),
        (SCALE, "gwet_ac2", {"weights": "quadratic"}, "empirical_bayes"),
        (NUMBERS, "krippendorff_alpha", {}, "kurtosis_t"),
        (NUMBERS, "icc3", {}, "kurtosis_t"),
        (NUMBERS, "icc2", {}, "widened_large_sample"),
        (NUMBERS, "icc2k", {}, "widened_large_sample"),
        (NUMBERS, "icc2", {"sampling": Sampling(annotators="fixed")}, "kurtosis_t"),
        (NUMBERS, "icc2", {"sampling": Sampling(population=900)}, "t"),
        (LABELS, "krippendorff_alpha", {"sampling": Sampling(annotators="random")}, "t"),
        (LABELS, "krippendorff_alpha", {"sampling": Sampling(bayesian=True)}, "percentile"),
        (LABELS, "krippendorff_alpha", {"sampling": Sampling(population=90)}, "empirical_bayes"),
        (BY_DOCUMENT, "gwet_ac1", {"sampling": Sampling(cluster="document")}, "kurtosis_t"),
        (LABELS, "gwet_ac1", {"interval": "bca"}, "bca"),
    ],
)
def test_by_kind(
    ratings: xr.Dataset, coefficient: str, options: dict[str, Any], interval: str
) -> None:
    found = getattr(iaa, coefficient)(ratings, replicates=200, **options)
    assert set(np.atleast_1d(found.interval.values)) == {interval}
    assert (found.ci_low < found.estimate).all()
    assert (found.estimate < found.ci_high).all()


def test_shares_of_labels_that_all_differ_are_numbers() -> None:
    found = iaa.agreement(soft(), ["krippendorff_alpha", "fleiss_kappa"], replicates=200)
    assert set(found.interval.values) == {"kurtosis_t"}
    assert np.isfinite(found.ci_low).all()


def test_a_users_coefficient_has_the_usual_interval() -> None:
    found = iaa.agreement(LABELS, share_of_first, replicates=200)
    assert found.interval.values.tolist() == ["bca"]


def test_each_kind_has_its_own_interval_the_same_as_alone() -> None:
    names = ["krippendorff_alpha", "icc2", "icc3", "lin_ccc"]
    together = iaa.agreement(NUMBERS, names)
    for index, name in enumerate(names):
        alone = getattr(iaa, name)(NUMBERS)
        assert float(alone.ci_low) == pytest.approx(float(together.ci_low[index]), rel=1e-12)
        assert str(alone.interval.values) == str(together.interval.values[index])


def test_a_weighted_coefficient_is_the_same_beside_an_unweighted_one() -> None:
    names = ["fleiss_kappa", "krippendorff_alpha", "gwet_ac2"]
    together = iaa.agreement(SCALE, names, weights="quadratic")
    for index, name in enumerate(names):
        alone = getattr(iaa, name)(SCALE, weights="quadratic")
        for end in ("ci_low", "ci_high"):
            assert float(alone[end]) == pytest.approx(float(together[end][index]), rel=1e-12)


def test_a_label_that_nobody_gave_makes_no_scale_longer() -> None:
    table = drawn(60, 3)
    near = np.subtract.outer(np.arange(9), np.arange(9)) ** 2.0
    priors = []
    for labels in (3, 9):
        request = Resolver(Rated.of(iaa.from_wide(table, labels=range(labels)))).request(
            "krippendorff_alpha"
        )
        priors.append(pseudo_items(labels_of(request.problem, near[:labels, :labels])))
    assert priors[1].number == pytest.approx(priors[0].number)


def test_the_probability_above_a_level_is_that_of_the_interval() -> None:
    """2.5 % of the draws lie below the lower end."""
    few = iaa.from_wide(drawn(15, 2, 2))
    found = iaa.krippendorff_alpha(few)
    bayesian = Sampling(bayesian=True)
    posterior = iaa.bootstrap(few, "krippendorff_alpha", sampling=bayesian, prior="auto")
    above = iaa.bootstrap.probability_above(posterior, [float(found.ci_low), float(found.ci_high)])
    np.testing.assert_allclose(above.probability, [0.975, 0.025], atol=1e-3)
    assert posterior.attrs["prior"] == "auto"
    with pytest.raises(iaa.IaaError, match="bayesian=True"):
        iaa.bootstrap(few, "krippendorff_alpha", prior="auto")


def test_one_label_alone_counts_with_those_declared() -> None:
    same = iaa.from_wide([["a", "a"]] * 12, labels=["a", "b"])
    found = iaa.percent_agreement(same)
    assert 0.7 < float(found.ci_low) < 0.95
    assert float(found.ci_high) == 1.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["percent_agreement", "brennan_prediger", "gwet_ac2"])
def test_labels_that_count_as_one_are_as_one_label_alone(name: str) -> None:
    """Nobody gave the third label, from which alone the others differ."""
    alike = np.array([[1.0, 1, 0], [1, 1, 0], [0, 0, 1]])
    two = iaa.from_wide(drawn(80, 2), labels=range(3))
    one = iaa.from_wide(np.zeros((80, 3)), labels=range(3))
    ends = [getattr(iaa, name)(ratings, weights=alike) for ratings in (two, one)]
    assert [float(each.estimate) for each in ends] == [1.0, 1.0]
    assert float(ends[0].ci_low) == pytest.approx(float(ends[1].ci_low), abs=0.02)
    assert float(ends[0].ci_low) < 0.99


def test_weights_below_0_move_the_range_of_percent_agreement() -> None:
    two = iaa.from_wide(np.random.default_rng(0).integers(0, 2, (80, 3)) * 1.0)
    weights = np.array([[1.0, -5], [-5, 1]])
    found = iaa.percent_agreement(two, weights=weights)
    plain = iaa.percent_agreement(two)  # of which it is a linear function
    assert float(found.estimate) == pytest.approx(1 - 6 * (1 - float(plain.estimate)))
    for end in ("ci_low", "ci_high"):
        assert float(found[end]) == pytest.approx(1 - 6 * (1 - float(plain[end])), abs=0.05)


def test_replicates_are_too_few_only_where_they_are_drawn() -> None:
    measured = iaa.icc3(NUMBERS, replicates=10)
    assert str(measured.interval.values) == "kurtosis_t"
    with pytest.raises(iaa.IaaError, match="10 replicates are too few"):
        iaa.krippendorff_alpha(SCALE, replicates=10)
    with pytest.raises(iaa.IaaError, match="10 replicates are too few"):
        iaa.icc3(NUMBERS, interval="bca", replicates=10)


def test_figures_without_a_prior_have_rubins_draws() -> None:
    bayesian = Sampling(bayesian=True)
    with_prior, plain = (
        iaa.bootstrap(SCALE, ["gwet_ac1", "icc3"], sampling=bayesian, prior=prior, replicates=100)
        for prior in ("auto", 0.0)
    )
    both = (with_prior.replicates == plain.replicates).mean("replicate")
    assert both.values.tolist() == [0.0, 1.0]
    assert not with_prior.withheld.values.any()


def test_automatic_intervals_stay_within_the_range_by_themselves() -> None:
    for method, said in (
        ("auto", "automatic ones stay"),
        ("kurtosis_t", "others \\(kurtosis_t\\)"),
    ):
        with pytest.raises(iaa.IaaError, match=said):
            iaa.krippendorff_alpha(SCALE, interval=Interval(method, transform="range"))


def test_large_sample_limits_are_about_random_annotators() -> None:
    fixed = Sampling(annotators="fixed")
    with pytest.raises(iaa.IaaError, match="is about random annotators: leave annotators='fixed'"):
        iaa.icc2(NUMBERS, interval="modified_large_sample", sampling=fixed)


def test_a_device_changes_no_interval() -> None:
    for options in ({}, {"sampling": iaa.Sampling(cluster="batch")}):
        for kind in ("labels", "numbers", "spans"):
            methods = {
                resolve(IntervalOptions(device=device, **options), kind).method
                for device in (None, "gpu")
            }
            assert len(methods) == 1


def test_without_a_prior_no_note_mentions_one() -> None:
    same = iaa.from_wide([["a", "a"]] * 10 + [["b", "b"]] * 10)
    for prior, codes in ((None, ["unanimous_by_prior"]), (0, [])):
        found = iaa.percent_agreement(same, interval=Interval("empirical_bayes", prior=prior))
        noted = [note.code for note in notes_of(found)]
        assert [code for code in noted if code == "unanimous_by_prior"] == codes
        assert str(found.doubt.values) == ("" if prior is None else "no_width")


def test_shares_of_a_label_end_at_0() -> None:
    """One document of ten has it: on the figure's own scale Student's t would go below 0."""
    rows = [["a", "b"] if item == 0 else ["b", "b"] for item in range(50)]
    ratings = iaa.from_wide(rows).assign_coords(
        document=("item", [item // 5 for item in range(50)])
    )
    for how in ({"sampling": Sampling(cluster="document")}, {"interval": "kurtosis_t"}):
        found = iaa.labels(ratings, **how)
        assert 0 <= float(found.share_ci_low[0]) < float(found.share_ci_high[0]) < 0.5


def test_one_document_with_most_of_the_spread_is_in_doubt() -> None:
    rows = [["a", "a"], ["b", "b"]] * 30
    ratings = iaa.from_wide([["a", "b"], *rows[1:]])
    by_document = Sampling(cluster="document")
    documents = ratings.assign_coords(document=("item", [item // 5 for item in range(60)]))
    found = iaa.krippendorff_alpha(documents, sampling=by_document)
    assert str(found.doubt.values) == "few_carriers"


def test_results_say_that_limits_over_annotators_are_cut() -> None:
    drawn_anew = Sampling(annotators="random")
    few = iaa.from_wide(drawn(12, 2, 3))
    for how, cut in (("auto", True), ("t", False)):
        found = iaa.gwet_ac1(few, interval=how, sampling=drawn_anew)
        assert (float(found.ci_high) <= 1) is cut
        assert ("not cut at 1" not in str(iaa.page(found)).replace("\n  ", " ")) is cut


def test_attributes_name_the_interval_of_the_leading_figure() -> None:
    """They were of the kind of the ratings, whatever the figure was of."""
    scores = iaa.from_wide(np.random.default_rng(2).integers(1, 6, (30, 3)))
    ratings = iaa.from_wide([["a", "a"], ["a", "b"], ["b", "b"]] * 9)

    def own(mass, **options):  # type: ignore[no-untyped-def]
        return iaa.kernels.percent_agreement(mass, **options)

    for found in (
        iaa.agreement(ratings, own, replicates=100),
        iaa.agreement(scores, ["icc1", "fleiss_kappa"], replicates=100),
        iaa.agreement_by(
            scores.assign_coords(half=("item", np.arange(30) % 2)), "half", "icc1", replicates=100
        ),
        iaa.icc1(scores, replicates=100),
    ):
        rows = found.interval.values.ravel().tolist()
        assert found.attrs["interval"] == rows[0]
        assert rows[0] in ("bca", "kurtosis_t")
