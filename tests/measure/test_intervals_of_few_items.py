"""Intervals that allow for unseen items: posterior, likelihood, kurtosis t."""

from __future__ import annotations

import itertools

import jax
import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax import Interval
from iaa_jax.catalog import CATALOG
from iaa_jax.data.slots import in_grid, in_slots
from iaa_jax.measure import Sampling
from iaa_jax.measure.intervals.pseudo_items import by_annotator
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.prior import Labels, pseudo_items
from iaa_jax.measure.requests.resolver import Resolver
from tests.oracles import intervals as oracle
from tests.taken import one_of

LABELS = "abc"


def rated(rows: list[str]) -> xr.Dataset:
    return iaa.from_wide([list(row) for row in rows])


def ends(found: xr.Dataset) -> list[float]:
    return [float(found.ci_low.item()), float(found.ci_high.item())]


TWO = rated(["aa"] * 20 + ["bb"] * 3 + ["ab"] * 2)
THREE = rated(["aaa"] * 9 + ["bbb"] * 4 + ["ccc"] * 2 + ["aab"] * 3 + ["bcb"] * 2 + ["abc"])


def test_agreement_of_two_is_a_beta() -> None:
    """Of two labels and annotators it is Jeffreys' share, or Rubin's where that ends farther.

    25 items count as 24, and without a prior as they are.
    """
    found = iaa.percent_agreement(TWO, interval="empirical_bayes", replicates=20_000)
    jeffreys = stats.beta(23 * 0.96 + 0.5, 2 * 0.96 + 0.5).ppf([0.025, 0.975])
    rubin = stats.beta(23 * 0.96, 2 * 0.96).ppf([0.025, 0.975])
    exact = [min(jeffreys[0], rubin[0]), max(jeffreys[1], rubin[1])]
    assert exact == [jeffreys[0], rubin[1]]
    assert ends(found) == pytest.approx(exact, abs=0.004)
    by_number = Interval("empirical_bayes", prior=2.0)
    found = iaa.percent_agreement(TWO, interval=by_number, replicates=20_000)
    exact[0] = stats.beta(23 * 0.96 + 1, 2 * 0.96 + 1).ppf(0.025)
    assert ends(found) == pytest.approx(exact, abs=0.004)


@pytest.mark.parametrize("name", one_of(2, ["krippendorff_alpha", "conger_kappa", "gwet_ac1"]))
def test_the_posterior_follows_the_formula(name: str) -> None:
    """Dirichlet draws of every pattern of three annotators, and the coefficient of each."""
    rows = ["".join(row) for row in THREE.label.values[THREE.primary.values]]
    codes = [[LABELS.index(label) for label in row] for row in rows]
    prior = oracle.patterns_of_prior(3, 3, codes)
    less = (len(rows) - 1) / len(rows)
    shown = np.array([less * codes.count([*row]) for row in prior])
    table = np.array([list(row) for row in prior])
    mass = np.eye(3)[table]
    kernel = CATALOG[name].measure.kernel
    drawn = [
        # the ratings as item weights, which the coefficient takes as numbers of items
        jax.vmap(lambda each: kernel(mass, item_weight=each).estimate)(
            np.random.default_rng(5).dirichlet(shape + 1e-12, 40_000) * len(rows)
        )
        for shape in (shown + np.array([*prior.values()]), shown)
    ]
    found = getattr(iaa, name)(THREE, interval="empirical_bayes", replicates=20_000)
    # how much the ends of 2,000 draws vary says how much those of more do
    of_few = np.quantile(np.reshape(drawn[0], (20, 2000)), [0.025, 0.975], axis=1)
    error = of_few.std(axis=1, ddof=1) * np.sqrt(2000 / 40_000 + 2000 / 20_000)
    expected = np.array(oracle.farther_quantiles(*drawn, [0.025, 0.975]))
    assert (np.abs(ends(found) - expected) < 3 * error).all()


def test_the_pseudo_item_is_half_agreed_on_and_favours_no_annotator() -> None:
    for labels, ratings in ((2, 2), (3, 3), (3, 5), (2, 10), (5, 4), (6, 8), (3, 40)):
        often = np.arange(1.0, labels + 1)
        prior = pseudo_items(Labels(np.arange(labels), ratings, often))
        assert prior.items == pytest.approx(1)
        alike = (prior.codes == prior.codes[:, :1]).all(axis=1)
        assert prior.number[alike].sum() == pytest.approx(0.5)
        assert prior.number[alike] * often == pytest.approx(prior.number[0])
        told, which = by_annotator(prior)
        assert np.bincount(which, told.number) == pytest.approx(prior.number)
        assert (np.sort(told.codes) == np.sort(prior.codes)[which]).all()
        given = np.array([np.bincount(row, told.number, labels) for row in told.codes.T])
        # all patterns, in which every rater has every turn; or some of them, and some of the turns
        exact = (labels, ratings) in ((2, 2), (3, 3), (3, 5), (2, 10))
        assert np.ptp(given, axis=0).max() <= (1e-12 if exact else 0.1)
        differing = given - prior.number[alike]
        assert np.ptp(differing, axis=1).max() <= (1e-12 if exact else 0.1)
        # of single labels each has half an item that agrees on it and as much that does not
        single = pseudo_items(Labels(np.arange(labels), ratings, often, by_label=True))
        alike = (single.codes == single.codes[:, :1]).all(axis=1)
        assert np.bincount(single.codes[alike, 0], single.number[alike]) == pytest.approx(0.5)
        number, given = (
            single.number[~alike],
            np.array([(single.codes[~alike] == label).sum(axis=1) for label in range(labels)]),
        )
        if labels >= ratings:  # all different, each label as often as if by half of the raters
            assert given.max() == 1
            assert given @ number == pytest.approx(ratings / 4)
            continue
        # the commonest, which is the last one, stands beside each that is given once
        shared = np.isin(given, [ratings // 2, ratings - ratings // 2, 0]).all(axis=0)
        alone = (given == 1).any(axis=0) & (given[-1] == ratings - 1)
        assert (shared | alone).all()
        assert (given[:, shared] @ number[shared]).min() >= ratings / 8 - 1e-12
        assert (((given[:-1] == 1) & alone) @ number >= 0.25 - 1e-12).all()


def test_patterns_by_annotator_sum_to_those_by_count() -> None:
    rows = [[0, 0, 1], [1, 2, 0], [0, 0, 0]]
    prior = oracle.patterns_of_prior(3, 3, rows)
    often = np.bincount(np.ravel(rows)).astype(float)
    given, _ = by_annotator(pseudo_items(Labels(np.arange(3), 3, often)))
    counted: dict[tuple[int, ...], float] = {}
    for row, number in zip(given.codes.tolist(), given.number.tolist(), strict=True):
        counted[tuple(row)] = counted.get(tuple(row), 0) + number
    assert counted == pytest.approx(prior)


@pytest.mark.parametrize("ratings", [TWO, THREE], ids=["two", "three"])
def test_without_a_prior_it_is_the_bayesian_bootstrap(ratings: xr.Dataset) -> None:
    names = ["krippendorff_alpha", "conger_kappa", "percent_agreement"]
    found = iaa.agreement(ratings, names, interval=Interval("empirical_bayes", prior=0.0))
    plain = iaa.agreement(ratings, names, interval="percentile", sampling=Sampling(bayesian=True))
    np.testing.assert_allclose(found.ci_low, plain.ci_low, rtol=1e-12)
    np.testing.assert_allclose(found.ci_high, plain.ci_high, rtol=1e-12)


def test_a_crowd_and_gaps_have_a_posterior() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 40)
    given = np.where(rng.random((40, 30)) < 0.8, truth[:, None], rng.integers(0, 3, (40, 30)))
    table = given.astype(float)
    for row in table:
        row[rng.permutation(30)[:26]] = np.nan
    crowd = iaa.from_wide(table)
    names = ["krippendorff_alpha", "conger_kappa"]
    grid, slots = (
        iaa.agreement(ratings, names, interval="empirical_bayes")
        for ratings in (in_grid(crowd), in_slots(crowd))
    )
    assert (grid.ci_low < grid.estimate).all()
    assert (grid.estimate < grid.ci_high).all()
    for end in ("ci_low", "ci_high"):
        np.testing.assert_allclose(slots[end], grid[end], rtol=0, atol=1e-12)


def test_a_unanimous_table_has_a_lower_end() -> None:
    same = rated(["aa"] * 8 + ["bb"] * 4)
    found = iaa.agreement(
        same,
        ["krippendorff_alpha", "percent_agreement"],
        interval="empirical_bayes",
        replicates=20_000,
    )
    assert (found.ci_low < 0.95).all()
    exact = stats.beta(12 * 11 / 12 + 0.5, 0.5).ppf(0.025)
    assert float(found.ci_low[1]) == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize("name", one_of(2, ["krippendorff_alpha", "percent_agreement"]))
def test_likelihood_region_is_the_constrained_optimum(name: str) -> None:
    """Over all patterns of two annotators; SLSQP on the shares from several starts."""
    rows = ["aa"] * 12 + ["bb"] * 3 + ["ab"] * 2 + ["ba"]
    found = getattr(iaa, name)(rated(rows), interval="likelihood")
    patterns = [*itertools.product(range(2), repeat=2)]
    count = np.array([rows.count("".join("ab"[i] for i in row)) for row in patterns], float)
    mass = np.eye(2)[np.array(patterns)]
    kernel = CATALOG[name].measure.kernel
    bound = (stats.norm.ppf(0.975) ** 2 + stats.t.ppf(0.975, len(rows) - 1) ** 2) / 2
    expected = oracle.likelihood_region(
        lambda weight: float(kernel(mass, item_weight=weight).estimate), count, bound
    )
    assert ends(found) == pytest.approx(expected, abs=2e-4)


def numbers(items: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_t(4, size=(items, 1)) + 0.6 * rng.standard_normal((items, 3))


def test_kurtosis_t_equals_a_plain_loop() -> None:
    """Also where one item has most of the spread, which leaves three degrees of freedom, or two."""

    def alpha(rows: list[list[float]]) -> float:
        values = np.array(rows)
        within = np.mean(
            [(x - y) ** 2 for row in values for x, y in itertools.permutations(row, 2)]
        )
        flat = values.ravel()
        between = ((flat[:, None] - flat[None, :]) ** 2).sum() / (len(flat) * (len(flat) - 1))
        return float(1 - within / between)

    for items, far in ((8, 1), (25, 1), (25, 40), (3, 1)):
        table = numbers(items, items)
        table[0] *= far
        found = iaa.krippendorff_alpha(iaa.from_values(table), interval="kurtosis_t")
        assert ends(found) == pytest.approx(
            oracle.kurtosis_t(alpha, table.tolist(), -1 / 2, 0.95), rel=1e-9
        )


NUMBERS_END = {"krippendorff_alpha": -1 / 3, "icc1": -1 / 3, "icc3": -1 / 3, "lin_ccc": -1 / 3}


def test_statistics_4_4_no_interval_of_numbers_ends_below_the_minimum() -> None:
    """Of noise alone, 5 % of the lower ends lay below -1 / (m - 1)."""
    fixed = Sampling(annotators="fixed")
    for seed in range(10):
        noise = np.random.default_rng(seed).normal(size=(6, 4))
        found = iaa.agreement(iaa.from_values(noise), [*NUMBERS_END, "icc2"], sampling=fixed)
        least = np.array([*NUMBERS_END.values(), -1 / (3 - 4 / 6)])
        assert (found.interval == "kurtosis_t").all()
        assert (least < found.ci_low).all()
        assert (found.ci_low < found.estimate).all()
        assert (found.estimate < found.ci_high).all()


def test_statistics_4_4_the_mean_of_k_ratings_has_the_interval_of_one_by_spearman_and_brown() -> (
    None
):
    """-log(1 - x) of ICC(1,k) is log((x + 1 / (k - 1)) / (1 - x)) of ICC(1), and a constant."""
    table = numbers(12, 4)
    ratings = iaa.from_values(table)
    for one, mean in (("icc1", "icc1k"), ("icc3", "icc3k")):
        single = np.array(ends(getattr(iaa, one)(ratings)))
        assert ends(getattr(iaa, mean)(ratings)) == pytest.approx(3 * single / (1 + 2 * single))


def test_a_figure_at_its_minimum_has_an_end_there() -> None:
    """Items of the same mean: without any one of them ICC(1) and ICC(3) are as low."""
    table = np.array([[0.0, 1, 2], [1, 2, 0], [3, 0, 0], [2, 2, -1.0]])
    found = iaa.agreement(iaa.from_values(table), ["icc1", "icc3", "krippendorff_alpha"])
    np.testing.assert_allclose(found.estimate[:2], -0.5)
    assert (found.ci_low >= -0.5 - 1e-12).all()
    assert (found.ci_low <= found.estimate + 1e-12).all()
    assert np.isfinite(found.ci_high).all()


def test_kurtosis_t_by_derivatives_is_near_that_by_leaving_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from iaa_jax.measure.intervals import direct_ends

    ratings = iaa.from_values(numbers(1500, 1))
    exact = ends(iaa.krippendorff_alpha(ratings, interval="kurtosis_t"))
    monkeypatch.setattr(direct_ends, "_LEFT_OUT_CELLS", 0)
    near = ends(iaa.krippendorff_alpha(ratings, interval="kurtosis_t"))
    assert near == pytest.approx(exact, abs=0.002)
    assert near != exact


def test_kurtosis_without_a_maximum_counts_one_influential_item_fewer() -> None:
    from iaa_jax.kernels.intervals import kurtosis_degrees

    rng = np.random.default_rng(0)
    table = rng.standard_t(3, size=(30, 4))
    table -= table.mean(axis=0)
    count = np.ones(30)
    b = 30 * (table**4).sum(axis=0) / (table**2).sum(axis=0) ** 2
    found = kurtosis_degrees(table, count, largest=False)
    np.testing.assert_allclose(found, np.clip(60 / (b * 29 / (30 - b) - 1), 3, 29))
    assert (found <= kurtosis_degrees(table, count)).all()
    alone = np.eye(30)[:, :1] - 1 / 30
    assert kurtosis_degrees(1e6 * alone, count, largest=False) == 3
    assert kurtosis_degrees(np.zeros((30, 1)), count, largest=False) == 29
    repeated = kurtosis_degrees(np.repeat(table, 2, axis=0), np.ones(60), largest=False)
    np.testing.assert_allclose(kurtosis_degrees(table, 2 * count, largest=False), repeated)


def test_size_degrees() -> None:
    from iaa_jax.kernels.intervals import size_degrees

    for sizes in ([5.0] * 7, [1, 2, 3, 4, 9, 30.0], [12, 1.0]):
        expected = oracle.size_degrees(sizes)
        assert float(size_degrees(np.array(sizes))) == pytest.approx(expected, rel=1e-12)
    assert oracle.size_degrees([5.0] * 7) == pytest.approx(6)


@pytest.mark.parametrize(("items", "annotators"), one_of(3, [(50, 3), (12, 2), (300, 5)]))
def test_large_sample_ends_equal_a_plain_loop(items: int, annotators: int) -> None:
    rng = np.random.default_rng(items)
    table = (
        rng.standard_normal((items, 1))
        + 0.4 * rng.standard_normal((1, annotators))
        + 0.5 * rng.standard_normal((items, annotators))
    )
    found = iaa.icc2(iaa.from_values(table), interval="modified_large_sample")
    expected = oracle.large_sample_icc2(table, 0.95)
    assert ends(found) == pytest.approx(expected, abs=1e-6)
    mean = iaa.icc2k(iaa.from_values(table), interval="modified_large_sample")
    k = annotators
    assert ends(mean) == pytest.approx([k * r / (1 + (k - 1) * r) for r in expected], abs=1e-6)


@pytest.mark.slow
def test_large_sample_ends_hold_icc2_over_annotators() -> None:
    """Where F holds it in 84 % (three annotators that differ by .6)."""
    held = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        table = (
            rng.standard_normal((50, 1))
            + 0.6 * rng.standard_normal((1, 3))
            + 0.5 * rng.standard_normal((50, 3))
        )
        low, high = CATALOG["icc2"].ends_over_annotators["modified_large_sample"](
            table, np.ones(50), 0.95
        )
        held += low <= 1 / (1 + 0.36 + 0.25) <= high
    assert held >= 182  # 95 % of 200, less three errors


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (Interval("empirical_bayes"), "pseudo-items"),
        (Interval("likelihood"), "one by one"),
    ],
)
def test_intervals_that_draw_single_items_refuse_clusters(interval: Interval, words: str) -> None:
    ratings = TWO.assign_coords(document=("item", np.arange(25) // 5))
    with pytest.raises(iaa.IaaError, match=words):
        iaa.krippendorff_alpha(ratings, interval=interval, sampling=Sampling(cluster="document"))


def test_numbers_have_no_prior() -> None:
    found = iaa.krippendorff_alpha(iaa.from_values(numbers(20, 2)), interval="empirical_bayes")
    assert np.isnan(found.ci_low)
    assert "pseudo-items" in str(found.note.values)


def test_only_a_posterior_takes_a_prior() -> None:
    with pytest.raises(iaa.IaaError, match="empirical_bayes"):
        Interval("bca", prior=0.5)
    with pytest.raises(iaa.IaaError, match="from 0 up"):
        Interval("empirical_bayes", prior=-1)


def test_a_pseudo_item_has_as_many_ratings_as_items_on_average() -> None:
    """A control item that a hundred rated is one of many, and not the measure of all."""
    table = np.full((60, 100), np.nan)
    table[:, :2] = np.random.default_rng(0).integers(0, 2, (60, 2))
    table[30:, 2] = 0
    table[0] = 1
    for column, usual in ((100, 3), (2, 2)):
        request = Resolver(Rated.of(iaa.from_wide(table[:, :column]))).request("krippendorff_alpha")
        assert request.labels is not None
        assert request.labels.ratings == usual
        given = [(table[:, :column] == label).sum() for label in range(2)]
        assert request.labels.given.tolist() == given
    panels = np.full((300, 4), np.nan)
    panels[:, :2] = np.arange(300)[:, None] % 2
    panels[150:] = np.arange(150)[:, None] % 2
    uneven = np.full((40, 5), np.nan)
    uneven[:, :2] = 0
    uneven[30:] = 0
    uneven[30:, :3] = np.arange(10)[:, None] % 2  # a rare label, on items that five rated
    for table, name, usual in (
        (panels, "krippendorff_alpha", 2),  # 3 on average
        (panels, "specific_agreement", 4),  # 3.7 of pairs
        (uneven, "krippendorff_alpha", 2),
        (uneven, "specific_agreement", 5),  # counted by ratings: 5 of items with the rarest label
    ):
        request = Resolver(Rated.of(iaa.from_wide(table))).request(name)
        assert request.labels is not None
        assert request.labels.ratings == usual


def test_1_no_interval_contradicts_its_data_where_a_rare_label_is_hardly_agreed_on() -> None:
    """100 items x 25 raters, few of whom say yes: the estimate was the lower end."""
    yes = np.repeat([0, 1, 2, 3], [50, 30, 15, 5])
    ratings = iaa.from_counts(np.column_stack([25 - yes, yes]), labels=["no", "yes"])
    alpha, each = iaa.krippendorff_alpha(ratings), iaa.specific_agreement(ratings)
    assert float(alpha.ci_low) < -0.003 < 0.004 < 0.3 < float(alpha.ci_high)
    assert (each.ci_low < each.estimate).all()
    assert (each.estimate < each.ci_high).all()


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_a_rare_label_of_a_crowd_is_not_drowned(name: str) -> None:
    """With five controls that all rated, ends lie near those without a prior."""
    rng = np.random.default_rng(2)
    table = np.full((900, 40), np.nan)
    for item, row in enumerate(table):
        who = rng.permutation(40)[: 40 if item < 5 else 3]
        row[who] = rng.random(len(who)) < 0.1
    crowd = iaa.from_wide(table)
    options = {"replicates": 400}
    found = getattr(iaa, name)(crowd, interval="empirical_bayes", **options)
    without = getattr(iaa, name)(crowd, interval=Interval("empirical_bayes", prior=0), **options)
    error = float(found.standard_error)
    for end in ("ci_low", "ci_high"):
        assert abs(float(found[end]) - float(without[end])) < 0.75 * error
    assert found.ci_low + error / 2 < found.estimate < found.ci_high - error / 2


@pytest.mark.parametrize("population", [None, 20])
def test_where_items_are_alike_each_end_comes_from_one_pattern(
    population: int | None,
) -> None:
    """Fourteen items on which three of four say one label: no end was theirs but the estimate."""
    ratings = rated(["aaab"] * 14)
    left = 1.0 if population is None else np.sqrt(1 - 14 / population)
    share = left * stats.beta(0.5, 13).ppf(0.975)
    names = ["percent_agreement", "gwet_ac1", "krippendorff_alpha"]
    found = iaa.agreement(ratings, names, sampling=Sampling(population=population))
    often = 1e9 if population is None else float(population)
    tables = [([], [often])] + [
        ([alone], [14 * (1 - share), 14 * share]) for alone in ("aaaa", "bbbb", "abbb", "aabb")
    ]
    figures = []
    for rows, count in tables:
        weighed = rated(["aaab", *rows]).assign_coords(item_weight=("item", count))
        figures.append(iaa.agreement(weighed, names, interval=None).estimate.values)
    np.testing.assert_allclose(found.ci_low, np.min(figures, axis=0), rtol=0, atol=5e-5)
    np.testing.assert_allclose(found.ci_high, np.max(figures, axis=0), rtol=0, atol=5e-5)
    assert (found.ci_low < found.estimate).all()
    assert (found.estimate < found.ci_high).all()


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1"])
def test_a_label_has_the_interval_of_the_ratings_with_it_and_another(name: str) -> None:
    """To the last digit: what is drawn for a label are the patterns that differ for it."""
    rng = np.random.default_rng(0)
    truth = rng.integers(5, size=(60, 1))
    codes = np.where(rng.random((60, 3)) < 0.6, truth, rng.integers(5, size=(60, 3)))
    given = np.array(list("abcde"), dtype=object)[codes]
    given[rng.random(given.shape) < 0.15] = None
    found = iaa.per_label(iaa.from_wide(given), name)
    for label in "ace":
        two = np.where(given == label, "this", np.where(given == None, None, "another"))  # noqa: E711
        alone = getattr(iaa, name)(iaa.from_wide(two, labels=["another", "this"]))
        own = found.sel(label=label).squeeze()
        for end in ("ci_low", "ci_high", "standard_error"):
            assert float(own[end]) == pytest.approx(float(alone[end]), abs=1e-12)
