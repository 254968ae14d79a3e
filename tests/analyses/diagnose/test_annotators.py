"""Annotators: each against the others, and the coefficient without each."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy.stats import ttest_1samp

import iaa_jax as iaa
from iaa_jax import _thresholds, kernels
from iaa_jax._errors import IaaError
from iaa_jax.catalog import CATALOG
from iaa_jax.data import in_slots
from iaa_jax.engine import Prepared, Problem
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.analyses.made import LABELS, by_slot, random_rows, wide
from tests.noted import notes_of
from tests.oracles.diagnosis import (
    agreement_by_item,
    agreement_with_others,
    kappa_against_others,
    label_bias,
    majority_agreement,
    mean_difference,
)
from tests.routes.conftest import lower

FORMS = pytest.mark.parametrize("form", [wide, by_slot])


@FORMS
@pytest.mark.parametrize("weight", [None, [1.0, 0.5, 0.0, 3.0]], ids=["", "weighted"])
def test_rb10_kappa_against_the_distribution_of_the_others(form, weight) -> None:
    rows = random_rows(1)
    found = iaa.annotators(form(rows), annotator_weight=weight, interval=None)
    expected = [kappa_against_others(rows, a, LABELS, weight) for a in range(4)]
    np.testing.assert_allclose(found.kappa.values, expected, atol=1e-12)


def with_controls() -> list[list[str | None]]:
    """Five controls that all twenty rated, and forty items of two: the first errs on the latter."""
    rows: list[list[str | None]] = [["a"] * 20 for _ in range(5)]
    for number in range(40):
        row: list[str | None] = [None] * 20
        pair = (0, 1 + number % 19) if number < 20 else (1 + number % 19, 1 + (number + 7) % 19)
        for who in pair:
            row[who] = "b" if who == 0 and number % 4 else "a"
        rows.append(row)
    return rows


@FORMS
def test_use_4_items_that_everybody_rated_do_not_rule_agreement(form) -> None:
    rows = with_controls()
    found = iaa.annotators(form(rows), interval=None)
    expected = [agreement_by_item(rows, a) for a in range(20)]
    np.testing.assert_allclose(found.item_agreement.values, expected, atol=1e-12)
    pooled = [agreement_with_others(rows, a) for a in range(20)]
    np.testing.assert_allclose(found.agreement.values, pooled, atol=1e-12)
    first = found.isel(annotator=0)
    # 5 controls with 19 others, 20 items with one, of which a fourth agree
    assert float(first.agreement) == pytest.approx((5 * 19 + 5) / (5 * 19 + 20))
    assert float(first.item_agreement) == pytest.approx((5 + 5) / 25)
    assert int(first["rank"]) == 1
    assert found.attrs["farthest"] == str(first.annotator.item())
    assert found.attrs["farthest_item_agreement"] == pytest.approx(10 / 25)
    assert found.attrs["heavy_items"] == 3


def test_use_4_an_interval_by_item_is_that_of_a_mean() -> None:
    rows = with_controls()
    found = iaa.annotators(wide(rows), interval="t", confidence=0.9)
    shares = [1.0] * 5 + [float(k % 4 == 0) for k in range(20)]
    # the jackknife over all 45 items of a mean over 25 of them
    spread = np.sum((np.array(shares) - np.mean(shares)) ** 2) * 45 / 44
    assert float(found.item_agreement_standard_error[0]) == pytest.approx(np.sqrt(spread) / 25)


def test_use_4_even_panels_have_no_figure_by_item() -> None:
    found = iaa.annotators(wide(random_rows(1)), interval=None)
    assert "item_agreement" not in found
    assert found.attrs["heavy_items"] == 0


@FORMS
@pytest.mark.parametrize("ties", ["split", "skip"])
def test_g2_agreement_with_the_majority_of_the_others(form, ties) -> None:
    rows = random_rows(3)
    found = iaa.annotators(form(rows), ties=ties, interval=None)
    expected = [majority_agreement(rows, a, ties) for a in range(4)]
    np.testing.assert_allclose(found.majority_agreement.values, expected, atol=1e-12)


@FORMS
def test_agreement_and_bias_against_the_oracle(form) -> None:
    rows = random_rows(4)
    found = iaa.annotators(form(rows), interval=None)
    np.testing.assert_allclose(
        found.agreement.values, [agreement_with_others(rows, a) for a in range(4)], atol=1e-12
    )
    expected = [[label_bias(rows, a, label) for label in LABELS] for a in range(4)]
    np.testing.assert_allclose(found.bias.values, expected, atol=1e-12)
    np.testing.assert_allclose(found.bias.values.sum(axis=1), 0, atol=1e-12)


def own_coefficient(mass, *, item_weight=None, annotator_weight=None):
    return kernels.conger_kappa(mass, item_weight=item_weight, annotator_weight=annotator_weight)


@FORMS
@pytest.mark.parametrize(
    "coefficient",
    [
        "percent_agreement",
        "fleiss_kappa",
        "conger_kappa",
        "mean_pairwise_cohen_kappa",
        "davies_fleiss_kappa",
        "gwet_ac1",
        "krippendorff_alpha",
        own_coefficient,
    ],
)
def test_leaving_an_annotator_out_equals_recomputation(form, coefficient) -> None:
    rows = random_rows(6, missing=0.6)
    found = iaa.annotators(form(rows), coefficient, interval=None)
    for left_out in range(4):
        reduced = wide([[x for a, x in enumerate(row) if a != left_out] for row in rows])
        again = iaa.agreement(reduced, coefficient, interval=None)
        assert float(found.without[left_out]) == pytest.approx(float(again.estimate[0]), abs=1e-12)
    whole = float(iaa.agreement(form(rows), coefficient, interval=None).estimate[0])
    assert found.attrs["estimate"] == pytest.approx(whole)
    np.testing.assert_allclose(found.change.values, found.without.values - whole, atol=1e-12)


@FORMS
@pytest.mark.parametrize("sampling", [None, iaa.Sampling(cluster="text")])
def test_some_annotators_at_a_time_have_the_same_figures(form, sampling, monkeypatch) -> None:
    ratings = form(random_rows(21, missing=0.6)).assign_coords(text=("item", list("xyzu") * 10))
    several = {"replicates": 150, "interval": "bca", "sampling": sampling}
    whole = iaa.annotators(ratings, **several)
    done = []
    lower(monkeypatch, "FIGURES_HELD", "LAID_OUT_TOGETHER")
    monkeypatch.setattr(_thresholds, "ROWS_TOGETHER", 100)
    parts = iaa.annotators(ratings, **several, progress=lambda *told: done.append(told))
    xr.testing.assert_allclose(parts, whole, rtol=1e-12, atol=1e-12)
    assert done == sorted(done)
    assert done[-1] == (150, 150)
    assert len(done) > 4


def test_a_formula_of_ratings_that_are_alike_reads_no_weights_of_annotators() -> None:
    resolver = Resolver(Rated.of(wide(random_rows(23))))
    problems = [asked(resolver, name) for name in CATALOG]
    alike = [each for each in problems if each and each.factored and not each.measure.identified]
    assert len(alike) >= 5
    for problem in alike:
        sums = Prepared([problem]).summed(problem)
        unknown = problem.from_sums(sums, np.full_like(problem.weight, np.nan))
        np.testing.assert_array_equal(unknown.estimate, problem.from_sums(sums).estimate)


def asked(resolver: Resolver, name: str) -> Problem | None:
    try:
        return resolver.request(name).problem
    except IaaError:
        return None


def test_leaving_out_with_levels_and_weights() -> None:
    rows = [[{"a": 1, "b": 2, "c": 5}.get(label) for label in row] for row in random_rows(7)]
    ratings = iaa.from_wide(rows)
    cases = (
        ("krippendorff_alpha", {"level": "ordinal"}),
        ("krippendorff_alpha", {"level": "interval"}),
        ("gwet_ac2", {"weights": "quadratic"}),
    )
    for coefficient, options in cases:
        found = iaa.annotators(ratings, coefficient, interval=None, **options)
        reduced = ratings.isel(annotator=[0, 1, 3])
        again = getattr(iaa, coefficient)(reduced, interval=None, **options)
        assert float(found.without[2]) == pytest.approx(float(again.estimate), abs=1e-12)


@pytest.mark.parametrize("coefficient", ["krippendorff_alpha", "icc1", "icc2", "icc3k"])
def test_leaving_out_of_numbers_with_gaps(coefficient) -> None:
    rng = np.random.default_rng(20)
    values = rng.normal(size=(30, 1)) + 0.5 * rng.normal(size=(30, 4)) + [0, 3, 0, 0]
    ratings = iaa.from_values(np.where(rng.random((30, 4)) < 0.1, np.nan, values))
    found = iaa.annotators(ratings, coefficient)
    for left_out in range(4):
        reduced = ratings.isel(annotator=np.delete(np.arange(4), left_out))
        again = getattr(iaa, coefficient)(reduced, interval=None)
        assert float(found.without[left_out]) == pytest.approx(float(again.estimate), abs=1e-10)


def test_the_only_one_with_a_second_label_leaves_nothing_to_measure() -> None:
    # thirds of items: what is left must be 0 exactly, not by rounding
    rows = [["a", "a", "a", "b"], ["a", "a", "a", None], ["a", "a", None, "b"]]
    found = iaa.annotators(iaa.from_wide(rows), "fleiss_kappa", interval=None)
    assert np.isnan(float(found.without[3]))
    assert not np.isnan(found.without.values[:3]).any()


def test_of_two_annotators_nobody_can_be_left_out() -> None:
    found = iaa.annotators(wide(random_rows(8, annotators=2)), interval=None)
    assert np.isnan(found.without.values).all()
    assert found.conclusion == "two_annotators"


@FORMS
def test_the_matrix_of_pairs_is_cohens_kappa_of_each(form) -> None:
    rows = random_rows(9)
    found = iaa.annotators(form(rows), interval=None)
    for a in range(4):
        for b in range(4):
            if a == b:
                own = sum(row[a] is not None for row in rows)
                assert float(found.pair_shared_items[a, a]) == own
                assert np.isnan(float(found.pair_kappa[a, a]))
                continue
            common = [(row[a], row[b]) for row in rows if row[a] and row[b]]
            two = wide([list(pair) for pair in common])
            assert float(found.pair_shared_items[a, b]) == len(common)
            kappa = float(iaa.cohen_kappa(two, interval=None).estimate)
            assert float(found.pair_kappa[a, b]) == pytest.approx(kappa, abs=1e-12)
            same = np.mean([x == y for x, y in common])
            assert float(found.pair_agreement[a, b]) == pytest.approx(same)


def test_pairs_under_an_asymmetric_agreement() -> None:
    matrix = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.2, 0.0, 1.0]])
    rows = random_rows(10, annotators=2, missing=0)
    found = iaa.annotators(wide(rows), "cohen_kappa", weights=matrix, interval=None)
    one = float(iaa.cohen_kappa(wide(rows), weights=matrix, interval=None).estimate)
    turned = wide([row[::-1] for row in rows])
    other = float(iaa.cohen_kappa(turned, weights=matrix, interval=None).estimate)
    assert float(found.pair_kappa[0, 1]) == pytest.approx(one)
    assert float(found.pair_kappa[1, 0]) == pytest.approx(other)
    assert one != pytest.approx(other)


def test_intervals_hold_the_estimate_and_follow_the_standard_error() -> None:
    ratings = wide(random_rows(11, items=300))
    found = iaa.annotators(ratings, replicates=400)
    for name in ("agreement", "kappa", "majority_agreement", "bias"):
        low, high = found[f"{name}_ci_low"].values, found[f"{name}_ci_high"].values
        assert (low < found[name].values).all()
        assert (high > found[name].values).all()
        width = 2 * 1.96 * found[f"{name}_standard_error"].values
        np.testing.assert_allclose(high - low, width, rtol=0.25)


def test_standard_errors_are_the_infinitesimal_jackknifes() -> None:
    base = wide(random_rows(12, items=25))
    found = iaa.annotators(base, interval="normal")
    step, moved = 1e-5, []
    for item in range(25):
        for sign in (1, -1):
            weight = np.ones(25)
            weight[item] += sign * step
            weighted = base.assign(item_weight=("item", weight))
            moved.append(iaa.annotators(weighted, interval=None))
    for name in ("agreement", "kappa", "majority_agreement", "bias"):
        values = np.array([each[name].values for each in moved])
        slopes = (values[::2] - values[1::2]) / (2 * step)
        expected = np.sqrt(25 / 24 * (slopes**2).sum(axis=0))
        np.testing.assert_allclose(found[f"{name}_standard_error"].values, expected, rtol=1e-5)


def test_whole_weights_are_repeated_items() -> None:
    rows = random_rows(15, items=10)
    times = np.arange(10) % 3 + 1
    weighted = wide(rows).assign(item_weight=("item", times.astype(float)))
    repeated = wide([row for row, count in zip(rows, times, strict=True) for _ in range(count)])
    one = iaa.annotators(weighted, "conger_kappa", replicates=60)
    two = iaa.annotators(repeated, "conger_kappa", replicates=60)
    for name in ("ratings", "agreement", "kappa", "majority_agreement", "without", "bias"):
        np.testing.assert_allclose(one[name].values, two[name].values, atol=1e-12)
    for name in ("kappa_standard_error", "kappa_ci_low", "agreement_ci_high"):
        np.testing.assert_allclose(one[name].values, two[name].values, atol=1e-12)


def test_top_sort_and_least_items() -> None:
    rows = [*random_rows(16), *([["a", None, None, "a"]] * 5)]
    ratings = wide(rows).assign_coords(team=("annotator", ["x", "y", "x", "y"]))
    whole = iaa.annotators(ratings, interval=None)
    assert whole.annotator.values.tolist() == ratings.annotator.values.tolist()
    top = iaa.annotators(ratings, top=2, interval=None)
    assert top.agreement.values.tolist() == sorted(whole.agreement.values)[:2]
    assert top.sizes["annotator_2"] == 4
    assert set(top.team.values.tolist()) <= {"x", "y"}
    many = int(np.sort(whole.shared_items.values)[-2])
    busy = iaa.annotators(ratings, min_items=many, interval=None)
    assert (busy.shared_items.values >= many).all()
    assert busy.sizes["annotator"] < 4


def test_numbers_have_a_bias_and_a_distance() -> None:
    ratings = iaa.from_values([[1.0, 2.0, 3.0], [3.0, 4.0, 8.0]])
    found = iaa.annotators(ratings)
    np.testing.assert_allclose(found.bias.values, [-2.25, -0.75, 3.0])
    np.testing.assert_allclose(
        found.disagreement.values,
        [(1 + 4 + 1 + 25) / 4, (1 + 1 + 1 + 16) / 4, (4 + 1 + 25 + 16) / 4],
    )
    np.testing.assert_allclose(found.pair_disagreement.values[0, 1:], [1, 14.5])
    without = iaa.krippendorff_alpha(ratings.isel(annotator=[0, 1]), interval=None)
    assert float(found.without[2]) == pytest.approx(float(without.estimate), abs=1e-12)


@pytest.mark.parametrize("form", [iaa.from_wide, lambda rows: in_slots(iaa.from_wide(rows))])
def test_who_is_above_the_others_on_a_scale(form) -> None:
    number_of = dict(zip(LABELS, (-1.0, 2.0, 7.5), strict=True)) | {None: None}
    rows = [[*map(number_of.get, row), None] for row in random_rows(4)] + [[None] * 4 + [2.0]]
    found = iaa.annotators(form(rows), level="interval", interval=None)
    expected = [mean_difference(rows, a) for a in range(5)]
    assert np.isnan(expected[4])
    np.testing.assert_allclose(found.mean_difference.values, expected, atol=1e-12)
    assert "Higher by" in str(iaa.page(found))
    assert "Leans to" not in str(iaa.page(found))
    assert "mean_difference" not in iaa.annotators(form(rows), level="nominal", interval=None)


def test_who_is_higher_beyond_chance_comes_first() -> None:
    """By a t test of the differences, corrected for the number of annotators; patients count."""
    draw = np.random.default_rng(5)
    size = draw.normal(20, 6, (60, 1)) + draw.normal(0, 1, (60, 4)) + [0, 0, 1.0, 0.25]
    rows = size.round(1).tolist()
    ratings = iaa.from_wide(rows).assign_coords(patient=("item", np.arange(60) // 2))
    found = iaa.annotators(ratings, level="interval", replicates=64)
    by_hand = [[row[a] - np.mean(row[:a] + row[a + 1 :]) for row in rows] for a in range(4)]
    for a, differences in enumerate(by_hand):
        test = ttest_1samp(differences, 0)
        one = found.isel(annotator=a)
        assert float(one.mean_difference_p_value) == pytest.approx(test.pvalue)
        ends = [float(one.mean_difference_ci_low), float(one.mean_difference_ci_high)]
        assert ends == pytest.approx([*test.confidence_interval()])
    page = iaa.page(found)
    assert page.answer[0].code == "numbers_differ"
    assert str(page).startswith("Compared with the others on the same items, annotator 3 is higher")
    tested = 4 * found.mean_difference_p_value.values <= 0.05
    assert [note.values["name"] for note in page.answer[0].values["each"]] == [
        f"annotator {a + 1}" for a in np.argsort(-np.abs(found.mean_difference.values)) if tested[a]
    ]
    pairs = ratings.isel(annotator=[0, 2])
    assert "Compared with annotator 1 on the same items, annotator 3 is higher by" in str(
        iaa.page(iaa.annotators(pairs, level="interval", replicates=64))
    )
    sampling = iaa.Sampling(cluster="patient")
    clustered = iaa.annotators(ratings, level="interval", replicates=64, sampling=sampling)
    of_patients = np.mean(np.reshape(by_hand[2], (30, 2)), axis=1)
    expected = ttest_1samp(of_patients, 0).pvalue
    assert float(clustered.mean_difference_p_value[2]) == pytest.approx(expected)
    none = iaa.annotators(ratings.isel(item=slice(10)), level="interval", replicates=64)
    assert iaa.page(none).answer[0].code != "numbers_differ"


def test_label_sets() -> None:
    ratings = iaa.from_sets([[["a"], ["a", "b"], ["a"]], [["b"], ["b"], []], [["a"], ["a"], ["a"]]])
    found = iaa.annotators(ratings, "krippendorff_alpha", distance="jaccard", replicates=50)
    # {a} beside {a, b} and {a}, {b} beside {b} and {}, {a} beside {a} twice
    assert float(found.agreement[0]) == pytest.approx((0.5 + 1 + 1 + 0 + 1 + 1) / 6)


def test_a_crowd_has_no_table_of_pairs_and_says_so() -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"item": item, "annotator": f"w{worker}", "label": "ab"[rng.integers(2)]}
        for item in range(1200)
        for worker in (item, (item + 1) % 1200, (item + 2) % 1200)
    ]
    ratings = iaa.from_long(rows)
    assert "slot" in ratings.dims
    found = iaa.annotators(ratings, replicates=64)
    assert "pair_kappa" not in found
    (note,) = notes_of(found, "pairs_not_compared")
    assert note.values == {"annotators": 1200, "pairs": 719_400}
    assert found.sizes["annotator"] == 1200
    assert not np.isnan(found.without.values).any()


def test_refusals() -> None:
    ratings = wide(random_rows(17))
    with pytest.raises(IaaError, match="do not say who rated"):
        iaa.annotators(iaa.from_counts([[2, 1], [0, 3]]))
    with pytest.raises(IaaError, match="ties must be one of split, skip"):
        iaa.annotators(ratings, ties="random")
    with pytest.raises(IaaError, match="annotator_weight holds 4"):
        iaa.annotators(ratings, annotator_weight=[1, 2])
    with pytest.raises(IaaError, match="min_items"):
        iaa.annotators(ratings, min_items=-1)


def test_few_items_that_all_show_the_same_are_no_leaning() -> None:
    for items, leaning in ((2, ["", ""]), (5, ["", ""]), (6, ["a", "b"])):
        found = iaa.annotators(iaa.from_wide([["a", "b"]] * items), replicates=200)
        assert found.leans_to.values.tolist() == leaning, items


def test_one_item_with_others_has_no_interval() -> None:
    rows = [["a", None, None], [None, "b", "a"], [None, "b", None]]
    found = iaa.annotators(iaa.from_wide(rows), replicates=200)
    assert found.agreement.sel(annotator="annotator 2") == 0
    for name in ("agreement", "kappa", "bias"):
        for part in ("standard_error", "ci_low", "ci_high"):
            assert np.isnan(found[f"{name}_{part}"].values).all(), (name, part)
    assert (found.leans_to == "").all()


def test_thousands_of_labels_are_no_table() -> None:
    """4,000 x 3 real numbers, 10,000 of them distinct: figures by hand, pairs and items too."""
    items = 4000
    first = np.arange(items, dtype=np.float64)
    second = np.where(first % 2 == 0, first, first + 0.5)  # every other item as the first
    third = first + 0.25
    ratings = iaa.from_wide(np.stack([first, second, third], axis=1))
    assert ratings.sizes["label"] == items * 2.5
    table = iaa.annotators(ratings, replicates=40)
    np.testing.assert_allclose(table.agreement, [0.25, 0.25, 0.0], atol=1e-12)
    np.testing.assert_allclose(table.majority_agreement, [0.25, 0.25, 0.0], atol=1e-12)
    # the others' shares meet an annotator's own of half of the labels, a half each
    expected = 1 - 0.75 / (1 - 0.25 / items)
    np.testing.assert_allclose(table.kappa, [expected, expected, 0.0], atol=1e-12)
    np.testing.assert_allclose(table.pair_agreement[0, 1], 0.5, atol=1e-12)
    np.testing.assert_allclose(table.pair_kappa[0, 1], 1 - 0.5 / (1 - 0.5 / items), atol=1e-12)
    # a bias is the mean of what is 1 on one item, less 1/2 for half of them, and 0 on the others
    own = table.bias.sel(annotator="annotator 3", label=0.25)
    error = table.bias_standard_error.sel(annotator="annotator 3", label=0.25)
    assert own == pytest.approx(1 / items)
    assert error == pytest.approx(1 / items)
    of_items = iaa.items(ratings)
    np.testing.assert_allclose(of_items.agreement[:2], [1 / 3, 0], atol=1e-12)
    assert of_items.tied[:2].values.tolist() == [1, 3]
    assert of_items.most_frequent[:2].values.tolist() == [0.0, 1.0]
