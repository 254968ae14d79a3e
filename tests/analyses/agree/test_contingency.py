"""The contingency view of GATE's appendix F."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, chi2

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.agree.contingency import bowker, mcnemar_exact, stuart_maxwell
from iaa_jax.measure.intervals.family_wise import holm
from tests.analyses.made import LABELS, by_slot, random_rows, wide
from tests.noted import notes_of
from tests.oracles.diagnosis import davies_fleiss_literal, kappa_max_of_table, kappa_of_table

TABLE = [[20, 5], [10, 15]]
SECOND = [[1, 2], [3, 4]]


def view(table) -> object:
    return iaa.contingency(iaa.from_contingency(table))


def test_g1_observed_agreement() -> None:
    assert float(view(TABLE).observed_agreement) == pytest.approx(0.7)
    assert float(view([[5, 1, 0], [2, 6, 1], [0, 0, 5]]).observed_agreement) == pytest.approx(0.8)
    # of more annotators the mean over pairs
    rows = random_rows(1, missing=0)
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    mean = np.mean([np.mean([row[a] == row[b] for row in rows]) for a, b in pairs])
    assert float(iaa.contingency(wide(rows)).observed_agreement) == pytest.approx(mean)


@pytest.mark.parametrize(
    ("table", "expected"), [(TABLE, (0.7273, 0.6667)), (SECOND, (0.2857, 0.6154))]
)
def test_g3_specific_agreement(table, expected) -> None:
    found = view(table)
    np.testing.assert_allclose(found.specific_agreement.values, expected, atol=5e-5)
    ratings = iaa.from_contingency(table)
    alone = iaa.specific_agreement(ratings, replicates=50)
    np.testing.assert_allclose(alone.estimate.values, expected, atol=5e-5)
    assert (alone.ci_low.values < alone.estimate.values).all()


def test_g4_kappa_pi_alpha_ac1_and_s_of_the_manuals_table() -> None:
    ratings = iaa.from_contingency(SECOND)
    expected = {
        "cohen_kappa": (-0.0870, 0.54),
        "scott_pi": (-0.0989, 0.545),
        "krippendorff_alpha": (-0.0440, None),
        "gwet_ac1": (0.0826, None),
        "bennett_s": (0.0, 0.5),
    }
    found = iaa.agreement(ratings, list(expected), interval=None)
    for name, (estimate, chance) in expected.items():
        one = found.sel(coefficient=name)
        assert float(one.estimate) == pytest.approx(estimate, abs=5e-5)
        if chance is not None:
            assert float(one.expected) == pytest.approx(chance)
    assert float(view(SECOND).kappa) == pytest.approx(-0.0870, abs=5e-5)


def test_g4_minus_one_needs_expected_agreement_of_a_half() -> None:
    assert float(view([[0, 10], [10, 0]]).kappa) == pytest.approx(-1)
    # perfect disagreement with uneven margins
    assert float(view([[0, 15], [5, 0]]).kappa) == pytest.approx(-0.6)


def test_g5_the_mean_of_pairwise_kappas_is_not_the_pooled_one() -> None:
    # 60 items, 3 annotators, drawn at random; the source's own draw is not given
    codes = np.random.default_rng(25).integers(0, 3, (60, 3))
    truth = np.random.default_rng(1025).integers(0, 3, 60)
    near = np.random.default_rng(2025).random((60, 3)) < 0.55
    ratings = iaa.from_wide(np.where(near, truth[:, None], codes))
    found = iaa.contingency(ratings)
    mean, pooled = float(found.mean_pairwise_kappa), float(found.pooled_kappa)
    assert mean == pytest.approx(0.30635, abs=5e-6)
    assert pooled == pytest.approx(0.30631, abs=5e-6)
    asked = iaa.agreement(
        ratings, ["mean_pairwise_cohen_kappa", "davies_fleiss_kappa"], interval=None
    )
    np.testing.assert_allclose(asked.estimate.values, [mean, pooled], atol=1e-12)


@pytest.mark.parametrize("annotators", [2, 3, 5, 8])
def test_g6_the_literal_form_is_congers_kappa(annotators) -> None:
    rows = random_rows(annotators, annotators=annotators, missing=0)
    ratings = wide(rows)
    literal = float(iaa.contingency(ratings).davies_fleiss)
    assert literal == pytest.approx(davies_fleiss_literal(rows, LABELS), abs=1e-12)
    conger = float(iaa.conger_kappa(ratings, interval=None).estimate)
    assert literal == pytest.approx(conger, abs=1e-12)
    assert literal == pytest.approx(float(iaa.contingency(ratings).pooled_kappa), abs=1e-12)
    if annotators == 2:
        assert literal == pytest.approx(float(iaa.cohen_kappa(ratings, interval=None).estimate))


def test_g6_with_missing_ratings_there_is_no_literal_form() -> None:
    found = iaa.contingency(wide(random_rows(3)))
    assert np.isnan(float(found.davies_fleiss))
    assert notes_of(found, "davies_fleiss_needs_all")


def test_g7_siegel_and_castellan() -> None:
    assert float(view(TABLE).scott_pi) == pytest.approx(0.3939, abs=5e-5)
    for name in ("scott_pi", "fleiss_kappa"):
        found = getattr(iaa, name)(iaa.from_contingency(TABLE), interval=None)
        assert float(found.estimate) == pytest.approx(0.3939, abs=5e-5)


def test_g8_the_bundle() -> None:
    found = view(TABLE)
    expected = {"prevalence_index": 0.10, "bias_index": -0.10, "kappa_max": 0.80, "pabak": 0.40}
    for name, value in expected.items():
        assert float(found[name]) == pytest.approx(value)
    assert float(found.kappa) == pytest.approx(0.4)
    np.testing.assert_allclose(found.prevalence.values, [0.1, -0.1])
    np.testing.assert_allclose(found.bias.values, [-0.1, 0.1])
    np.testing.assert_allclose(found.table.values, TABLE)


@pytest.mark.parametrize("seed", range(4))
def test_g8_kappa_max_is_reached_by_the_most_agreeing_table(seed) -> None:
    table = np.random.default_rng(seed).integers(1, 20, (3, 3))
    found = view(table)
    assert float(found.kappa) == pytest.approx(kappa_of_table(table.tolist()))
    assert float(found.kappa_max) == pytest.approx(kappa_max_of_table(table.tolist()))
    # put as much on the diagonal as the margins allow, the rest anywhere
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    best = np.diag(np.minimum(rows, columns))
    left, right = rows - best.sum(axis=1), columns - best.sum(axis=0)
    best = best + np.outer(left, right) // max(left.sum(), 1)
    if (best.sum(axis=1) == rows).all():
        assert float(view(best).kappa) == pytest.approx(float(found.kappa_max))


def test_p7_high_ac1_beside_no_agreement_on_the_label() -> None:
    ratings = iaa.from_contingency([[0, 10], [0, 990]], labels=["yes", "no"])
    found = iaa.contingency(ratings)
    assert float(found.specific_agreement[0]) == 0
    assert float(found.kappa) == pytest.approx(0, abs=1e-12)
    assert float(iaa.gwet_ac1(ratings, interval=None).estimate) == pytest.approx(0.9899, abs=5e-5)
    assert float(found.prevalence_index) == pytest.approx(-0.99)


def test_one_label_alone_is_undefined() -> None:
    found = iaa.contingency(iaa.from_contingency([[7, 0], [0, 0]]))
    for name in ("kappa", "kappa_max", "scott_pi", "davies_fleiss"):
        assert np.isnan(float(found[name]))
    assert float(found.observed_agreement) == 1


def test_margins_of_the_tests_against_closed_forms() -> None:
    # two labels: all three are McNemar's
    for test in (stuart_maxwell(np.array(TABLE)), bowker(np.array(TABLE))):
        assert test.statistic == pytest.approx((5 - 10) ** 2 / 15)
        assert test.df == 1
        assert test.p_value == pytest.approx(chi2.sf(25 / 15, 1))
    assert mcnemar_exact(np.array(TABLE)) == pytest.approx(binomtest(5, 15, 0.5).pvalue)
    # three labels: Fleiss and Everitt's closed form of Stuart and Maxwell
    table = np.array([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    d = table.sum(axis=1) - table.sum(axis=0)
    n = (table + table.T) / 2
    top = n[1, 2] * d[0] ** 2 + n[0, 2] * d[1] ** 2 + n[0, 1] * d[2] ** 2
    bottom = 2 * (n[0, 1] * n[0, 2] + n[0, 1] * n[1, 2] + n[0, 2] * n[1, 2])
    found = stuart_maxwell(table)
    assert found.statistic == pytest.approx(top / bottom)
    assert found.df == 2
    symmetry = bowker(table)
    assert symmetry.statistic == pytest.approx(7**2 / 13 + 5**2 / 5 + 10**2 / 20)
    assert symmetry.df == 3


def test_the_same_margins_as_statsmodels() -> None:
    statsmodels = pytest.importorskip("statsmodels.stats.contingency_tables")
    table = np.array([[20, 10, 5, 1], [3, 30, 15, 2], [0, 5, 40, 3], [2, 2, 1, 9]])
    square = statsmodels.SquareTable(table, shift_zeros=False)
    found = stuart_maxwell(table)
    assert found.statistic == pytest.approx(square.homogeneity().statistic)
    assert found.p_value == pytest.approx(square.homogeneity().pvalue)
    assert bowker(table).statistic == pytest.approx(square.symmetry().statistic)


def test_labels_that_are_never_confused_count_for_nothing() -> None:
    small = np.array([[20, 5], [10, 15]])
    large = np.zeros((4, 4))
    large[:2, :2] = small
    large[2, 2] = 30
    assert stuart_maxwell(large) == pytest.approx(stuart_maxwell(small))
    assert bowker(large) == pytest.approx(bowker(small))
    nothing = stuart_maxwell(np.diag([3.0, 4.0]))
    assert nothing.df == 0
    assert np.isnan(nothing.p_value)
    assert np.isnan(mcnemar_exact(np.diag([3.0, 4.0])))


def test_holms_adjustment() -> None:
    np.testing.assert_allclose(
        holm(np.array([0.04, 0.01, np.nan, 0.03])), [0.06, 0.03, np.nan, 0.06]
    )
    assert len(holm(np.zeros(0))) == 0


@pytest.mark.parametrize("form", [wide, by_slot])
def test_each_pair_on_its_common_items(form) -> None:
    rows = random_rows(5)
    found = iaa.contingency(form(rows))
    assert found.sizes["pair"] == 6
    place = 0
    for a in range(4):
        for b in range(a + 1, 4):
            common = [[row[a], row[b]] for row in rows if row[a] and row[b]]
            two = iaa.contingency(wide(common))
            assert float(found.shared_items[place]) == len(common)
            for mine, theirs in (("pair_kappa", "kappa"), ("pair_kappa_max", "kappa_max")):
                assert float(found[mine][place]) == pytest.approx(float(two[theirs]))
            assert float(found.stuart_p[place]) == pytest.approx(float(two.stuart_p[0]))
            place += 1
    kappa = iaa.mean_pairwise_cohen_kappa(form(rows), interval=None, min_common=1)
    assert float(found.mean_pairwise_kappa) == pytest.approx(float(kappa.estimate))


def test_two_of_many_annotators() -> None:
    rows = random_rows(6)
    ratings = wide(rows)
    names = ratings.annotator.values[[1, 3]].tolist()
    found = iaa.contingency(ratings, annotators=names)
    common = [(row[1], row[3]) for row in rows if row[1] and row[3]]
    expected = [[sum(pair == (k, c) for pair in common) for c in LABELS] for k in LABELS]
    np.testing.assert_array_equal(found.table.values, expected)


def test_primary_and_secondary_labels_share_the_cells() -> None:
    rows = [
        ("x", "a", "a", "b"),
        ("x", "b", "a", None),
        ("y", "a", "b", None),
        ("y", "b", "b", None),
    ]
    frame = [dict(zip(("item", "annotator", "label", "second"), row, strict=True)) for row in rows]
    found = iaa.contingency(iaa.from_long(frame, secondary="second"), p=0.6)
    np.testing.assert_allclose(found.table.values, [[0.6, 0], [0.4, 1]])
    kappa = float(iaa.cohen_kappa(iaa.from_long(frame, secondary="second"), p=0.6).estimate)
    assert float(found.kappa) == pytest.approx(kappa)
    assert np.isnan(float(found.bowker_p))


@pytest.mark.parametrize("distinct", [2, 3, 4])
def test_shares_of_labels_whatever_the_number_of_distinct_ratings(distinct) -> None:
    """With as many distinct ratings as labels, a rating was once taken for its number."""
    known = np.array([[0.3, 0.7], [0.6, 0.4], [0.9, 0.1], [0.2, 0.8]])[:distinct]
    shares = known[np.arange(8).reshape(4, 2) * 3 % 8 % distinct]
    found = iaa.contingency(iaa.from_mass(shares, ["a", "b"]))
    table = sum(np.outer(first, second) for first, second in shares)
    np.testing.assert_allclose(found.table.values, table)
    observed, margins = np.trace(table) / 4, (table.sum(1) / 4, table.sum(0) / 4)
    expected = margins[0] @ margins[1]
    assert float(found.kappa) == pytest.approx((observed - expected) / (1 - expected))


def test_too_many_pairs_are_not_said_to_be_alike() -> None:
    rows = np.arange(5)[:, None] * np.ones((1, 64), dtype=int) % 2
    found = iaa.contingency(iaa.from_wide(rows))
    assert found.sizes["pair"] == 0
    assert found.attrs["conclusion"] == "margins_not_tested"
    assert iaa.contingency(iaa.from_wide(rows[:, :63])).attrs["conclusion"] == "margins_alike"


def test_refusals() -> None:
    with pytest.raises(IaaError, match="do not say who rated"):
        iaa.contingency(iaa.from_counts([[2, 1], [0, 3]]))
    with pytest.raises(IaaError, match="numbers without labels"):
        iaa.contingency(iaa.from_values([[1.0, 2.0], [2.0, 2.5]]))
