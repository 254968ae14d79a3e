"""Tests by exchange: rare labels, and sets that differ in more than their agreement."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from tests.analyses.compare.compared import FIRST, SECOND, quick
from tests.analyses.made import wide

ONCE = ["aaa"] * 20 + ["bbb"] * 16 + ["aac", "bbc", "abc", "abb"]
TWICE = ["aaa"] * 18 + ["bbb"] * 16 + ["ccc"] * 2 + ["abc", "abb", "cca", "bba"]


@pytest.mark.parametrize("paired", [True, False])
def test_a_rare_label_never_agreed_on_is_no_certainty(paired: bool) -> None:
    """Alpha of c is near -.02 in A with a standard error of .02: by that alone p is .0001."""
    a, b = (iaa.from_wide([list(row) for row in rows]) for rows in (ONCE, TWICE))
    found = iaa.compare(a, b, per_label=True, paired=paired).sel(label="c")
    assert float(found.standard_error_a) < 0.03
    assert abs(float(found.z)) > 3.5
    assert float(found.p_value) == float(found.permutation_p_value) > 0.05
    assert float(found.adjusted_p_value) >= float(found.p_value)
    assert float(found.ci_low) <= 0 < float(found.ci_high)
    assert float(found.band_low) <= 0 < float(found.band_high)
    assert str(found.conclusion.values) == "not_shown"
    assert str(found.interval.values) == "permutations"


def test_intervals_of_labels_hold_0_just_where_p_is_large() -> None:
    rng = np.random.default_rng(7)
    for k in range(6):
        a, b = (
            iaa.from_wide(
                [
                    [one if rng.random() < share else "abc"[rng.integers(3)] for _ in range(3)]
                    for one in rng.choice(list("abc"), 50, p=[0.6, 0.3, 0.1])
                ]
            )
            for share in (0.5, 0.6 + 0.06 * k)
        )
        found = iaa.compare(a, b, per_label=True, paired=False, permutations=199, replicates=40)
        holds = (found.ci_low <= 0) & (found.ci_high >= 0)
        np.testing.assert_array_equal(holds, found.p_value > 0.05)


def test_all_labels_at_once_are_those_of_the_largest() -> None:
    found = iaa.compare(wide(FIRST), wide(SECOND), per_label=True, replicates=40)
    assert found.attrs["family"] == "permutations"
    assert (found.adjusted_p_value >= found.p_value).all()
    assert (found.band_high - found.band_low > found.ci_high - found.ci_low).all()
    none = quick(wide(FIRST), wide(SECOND), None, per_label=True)
    assert none.attrs["family"] == "holm"
    assert "permutations" not in none.interval.values


def test_p_is_by_exchange_where_sets_can_be_exchanged() -> None:
    found = quick(wide(FIRST), wide(SECOND), permutations=99)
    assert float(found.p_value[0]) == float(found.permutation_p_value[0])
    page = " ".join(str(iaa.page(found)).split())
    assert "when the two sets' ratings of an item change sides at random (99 times)" in page
    without = quick(wide(FIRST), wide(SECOND))
    assert np.isnan(without.permutation_p_value[0])
    assert "normal with the standard error" in " ".join(str(iaa.page(without)).split())


def test_three_labels_of_unlike_panels_on_the_same_items() -> None:
    """Three people against two: patterns of a label alone are fewer than those of all labels."""
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=80)
    given = np.where(rng.random((80, 5)) < 0.8, truth[:, None], rng.integers(3, size=(80, 5)))
    people, models = (iaa.from_wide(part.tolist()) for part in (given[:, :3], given[:, 3:]))
    found = iaa.compare(people, models, per_label=True, replicates=200)
    for label in found.label.values:
        one = [
            iaa.from_wide(np.where(given[:, part] == label, "is", "not").tolist())
            for part in (slice(3), slice(3, 5))
        ]
        alone = [float(iaa.krippendorff_alpha(each, interval=None).estimate) for each in one]
        row = found.sel(label=label)
        assert [float(row.estimate_a), float(row.estimate_b)] == pytest.approx(alone)
        assert float(row.band_low) < float(row.difference) < float(row.band_high)
