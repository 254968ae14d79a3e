"""Labels: shares, agreement on each, a coefficient for each, and confusions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax._errors import IaaError
from tests.analyses.made import LABELS, by_slot, random_rows, wide
from tests.oracles.diagnosis import coincidence

FORMS = pytest.mark.parametrize("form", [wide, by_slot])


def own_coefficient(mass, *, item_weight=None, annotator_weight=None):
    return kernels.gwet_ac1(mass, item_weight=item_weight, annotator_weight=annotator_weight)


@FORMS
@pytest.mark.parametrize(
    "coefficient",
    [
        "krippendorff_alpha",
        "conger_kappa",
        "gwet_ac1",
        "mean_pairwise_cohen_kappa",
        own_coefficient,
    ],
)
def test_the_coefficient_of_a_label_equals_recomputation(form, coefficient) -> None:
    rows = random_rows(1)
    found = iaa.labels(form(rows), coefficient, replicates=60)
    for label in LABELS:
        two = [
            [None if x is None else ("yes" if x == label else "no") for x in row] for row in rows
        ]
        again = iaa.agreement(
            iaa.from_wide(two, labels=["yes", "no"]), coefficient, interval="normal"
        )
        one = found.sel(label=label)
        assert float(one.coefficient_estimate) == pytest.approx(float(again.estimate[0]), abs=1e-12)
        error = float(one.coefficient_standard_error)
        assert error == pytest.approx(float(again.standard_error[0]), abs=1e-12)
        assert float(one.coefficient_ci_low) < float(one.coefficient_estimate)


@pytest.mark.parametrize("study", [iaa.labels, iaa.per_label])
def test_the_prior_of_a_label_does_not_know_how_many_others_there_are(study) -> None:
    """Present or not are two labels: an item that agrees, and half one that does not."""
    ratings = iaa.from_wide([[label, label] for label in "abcdefghij" * 4])
    found = study(ratings, "percent_agreement", replicates=4000)
    ends = found["ci_low" if "ci_low" in found else "coefficient_ci_low"].values
    np.testing.assert_allclose(ends, beta(40 + 1, 0.5).ppf(0.025), atol=0.008)


@FORMS
def test_counts_shares_and_specific_agreement(form) -> None:
    rows = random_rows(2)
    ratings = form(rows)
    found = iaa.labels(ratings, replicates=50)
    told = [x for row in rows for x in row if x is not None]
    for place, label in enumerate(LABELS):
        assert float(found["count"][place]) == told.count(label)
        assert float(found["share"][place]) == pytest.approx(told.count(label) / len(told))
        assert float(found["items"][place]) == sum(label in row for row in rows)
    specific = iaa.specific_agreement(ratings, replicates=50)
    for part, mine in (("estimate", ""), ("ci_low", "_ci_low"), ("ci_high", "_ci_high")):
        np.testing.assert_allclose(
            found[f"specific_agreement{mine}"].values, specific[part].values, atol=1e-12
        )


@FORMS
def test_coincidences_against_the_oracle(form) -> None:
    rows = random_rows(3)
    found = iaa.labels(form(rows), interval=None)
    expected = [[coincidence(rows, k, c) for c in LABELS] for k in LABELS]
    np.testing.assert_allclose(found.coincidences.values, expected, atol=1e-12)
    pairable = [row for row in rows if sum(x is not None for x in row) >= 2]
    ratings = sum(x is not None for row in pairable for x in row)
    assert float(found.coincidences.sum()) == pytest.approx(ratings)
    assert float(found.expected.sum()) == pytest.approx(ratings)
    # alpha is 1 - D_o / D_e of these two tables
    off = 1 - np.eye(3)
    alpha = 1 - (found.coincidences.values * off).sum() / (found.expected.values * off).sum()
    whole = float(iaa.krippendorff_alpha(wide(rows), interval=None).estimate)
    assert alpha == pytest.approx(whole, abs=1e-12)


def test_the_most_confused_pairs_come_first() -> None:
    rows = [["a", "b"]] * 5 + [["a", "c"]] * 2 + [["b", "c"]] + [["c", "c"]] * 4
    found = iaa.labels(iaa.from_wide(rows), interval=None)
    pairs = list(zip(found.confused_label_1.values, found.confused_label_2.values, strict=True))
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found.confused.values.tolist() == [5, 2, 1]
    np.testing.assert_allclose(found.confused_share.values, [5 / 8, 2 / 8, 1 / 8])
    # 7 a, 6 b among 24 ratings
    assert float(found.confused_lift[0]) == pytest.approx(5 / (7 * 6 / 23))
    assert iaa.labels(iaa.from_wide(rows), interval=None, top=1).sizes["pair"] == 1


def test_label_sets_are_measured_label_by_label() -> None:
    rng = np.random.default_rng(4)
    held = rng.random((30, 3, 4)) < 0.4
    names = np.array(list("wxyz"))
    rows = [[names[cell].tolist() for cell in row] for row in held]
    found = iaa.labels(iaa.from_sets(rows, labels=list("wxyz")), "fleiss_kappa", replicates=50)
    for place, label in enumerate("wxyz"):
        two = iaa.from_wide(np.where(held[:, :, place], 1, 0), labels=[1, 0])
        again = iaa.fleiss_kappa(two, replicates=50)
        one = found.sel(label=label)
        assert float(one.coefficient_estimate) == pytest.approx(float(again.estimate), abs=1e-12)
        specific = iaa.specific_agreement(two, interval=None).estimate.values[0]
        assert float(one.specific_agreement) == pytest.approx(specific, abs=1e-12)
    # w without x beside x without w, in pairs of ratings of the same item, each by 1 / (n - 1)
    apart = sum(
        bool(one[0] and not one[1] and other[1] and not other[0])
        for row in held
        for i, one in enumerate(row)
        for j, other in enumerate(row)
        if i != j
    )
    assert float(found.coincidences.sel(label="w", label_2="x")) == pytest.approx(apart / 2)


def test_sets_of_one_label_each_have_the_confusions_of_single_labels() -> None:
    rows = random_rows(5)
    sets = iaa.from_sets(
        [[None if x is None else [x] for x in row] for row in rows], labels=list(LABELS)
    )
    one = iaa.labels(sets, interval=None)
    two = iaa.labels(wide(rows), interval=None)
    for name in ("coincidences", "expected", "lift", "specific_agreement", "coefficient_estimate"):
        np.testing.assert_allclose(one[name].values, two[name].values, atol=1e-12)


def test_an_unused_label_is_undefined_and_says_why() -> None:
    ratings = iaa.from_wide([["a", "b"], ["a", "a"], ["b", "b"]], labels=["a", "b", "never"])
    found = iaa.labels(ratings, replicates=50)
    assert float(found["count"][2]) == 0
    assert np.isnan(float(found.coefficient_estimate[2]))
    assert "0/0" in str(found.coefficient_reason[2].values)


def test_many_labels_in_several_parts() -> None:
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 40, (200, 3))
    codes[:, 1] = np.where(rng.random(200) < 0.6, codes[:, 0], codes[:, 1])
    found = iaa.labels(iaa.from_wide(codes), replicates=40)
    two = iaa.from_wide(np.where(codes == 37, 1, 0), labels=[1, 0])
    again = float(iaa.krippendorff_alpha(two, interval=None).estimate)
    assert float(found.coefficient_estimate.sel(label=37)) == pytest.approx(again, abs=1e-12)


def test_top_sort_and_primary_secondary() -> None:
    rows = random_rows(7)
    found = iaa.labels(wide(rows), interval=None, top=2)
    assert found.specific_agreement.values.tolist() == sorted(found.specific_agreement.values)
    often = iaa.labels(wide(rows), interval=None, sort="count")
    assert often["count"].values.tolist() == sorted(often["count"].values, reverse=True)
    long = [
        {"item": i, "annotator": a, "label": x, "second": "b" if x == "a" and i % 2 else None}
        for i, row in enumerate(rows)
        for a, x in enumerate(row)
        if x is not None
    ]
    double = iaa.from_long(long, secondary="second", labels=list(LABELS))
    one, whole = iaa.labels(double, interval=None, p=0.7), iaa.labels(wide(rows), interval=None)
    doubles = sum(x == "a" for i, row in enumerate(rows) if i % 2 for x in row)
    assert float(one["count"][0]) == pytest.approx(float(whole["count"][0]) - 0.3 * doubles)


def test_refusals() -> None:
    with pytest.raises(IaaError, match="numbers without labels"):
        iaa.labels(iaa.from_values([[1.0, 2.0], [2.0, 2.5]]))
    with pytest.raises(IaaError, match="one estimate per label"):
        iaa.labels(wide(random_rows(8)), "specific_agreement")
    words = iaa.from_wide([["low", "low"], ["mid", "high"], ["high", "high"]])
    with pytest.raises(IaaError, match=r"needs labels in order.*give labels=.*low.*mid.*high"):
        iaa.labels(words, level="ordinal")
    with pytest.raises(IaaError, match="needs labels that are numbers"):
        iaa.labels(words, level="interval")
