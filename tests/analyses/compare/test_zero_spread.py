"""What two sets cannot show: no spread, few replicates, other groups of annotators."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.analyses.compare.permutations import Draws, regroup_annotators
from iaa_jax.data.select import keep_annotators
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from tests.analyses.compare.compared import FIRST, NAMES, SECOND, named, quick
from tests.analyses.made import by_slot, wide
from tests.noted import notes_of
from tests.oracles import comparing
from tests.taken import one_of

PERFECT = [["x", "x"], ["y", "y"]] * 10
CROSSED = [["x", "y"], ["y", "x"]] * 10
FLAT = ["krippendorff_alpha", "gwet_ac1"]


def test_no_spread_is_told() -> None:
    """Where no item moves the difference, its standard error says nothing, and is none."""
    perfect, crossed = iaa.from_wide(PERFECT), iaa.from_wide(CROSSED)
    given = {"replicates": 64, "permutations": 20, "margin": 0.1}
    same = iaa.compare(perfect, perfect, FLAT, **given)
    apart = iaa.compare(perfect, crossed, FLAT, **given)
    for found in (same, apart):
        assert np.isnan(found.standard_error).all()
        assert (found.interval == "square_and_add").all()
        for name in ("detectable", "items_needed_a", "items_needed_b"):
            assert np.isnan(found[name]).all()
    assert (same.p_value == 1).all()
    reach = (1 - 0.025 ** (1 / 20)) / (1 - iaa.agreement(perfect, FLAT, interval=None).expected)
    np.testing.assert_allclose(same.ci_high, reach)
    assert (same.band_high > same.ci_high).all()
    # 2 (1 - p^(1 / 20)) = 0.1 for AC1, whose step is 2
    assert float(same.equivalence_p_value[1]) == pytest.approx(0.95**20, rel=1e-6)
    assert "do not differ on any item" in str(same.note[0].values)
    assert same.attrs["conclusion"] == "not_shown"
    assert iaa.page(same).answer[0].code == "no_item_differs"
    assert "no_item_differs" not in [note.code for note in iaa.page(apart).answer]
    np.testing.assert_allclose(apart.p_value, apart.permutation_p_value)
    assert np.isnan(apart.ci_low).all()
    assert np.isnan(apart.equivalence_p_value).all()
    assert "the 20 items of B show no spread" in str(apart.note[0].values)
    assert np.isnan(iaa.compare(perfect, crossed, FLAT, permutations=0).p_value).all()


def test_bands_beside_one_without_spread() -> None:
    """Percent agreement is 0 on both sides here; of the first kind of labels alone it is not."""
    a, b = iaa.from_wide([["x", "y"]] * 6 + [["y", "x"]] * 3), iaa.from_wide(CROSSED)
    found = iaa.compare(a, b, ["percent_agreement", "cohen_kappa"], replicates=64, permutations=0)
    assert found.band_low.values[0] == -found.band_high.values[0] < 0
    assert found.band_low.values[1] < found.difference.values[1] < found.band_high.values[1]


def test_no_standard_error_where_replicates_differ() -> None:
    """At its minimum Cohen's kappa has a derivative of 0, and yet replicates lie above it."""
    a, b = iaa.from_wide(PERFECT), iaa.from_wide(CROSSED)
    found = iaa.compare(a, b, ["cohen_kappa", "percent_agreement"], replicates=64, permutations=0)
    assert np.ptp(found.estimate_b.values - [-1, 0]) < 1e-12
    assert "there is no interval, and there is no p-value" in str(found.note[0].values)
    assert np.isnan(found.band_low).all()


@pytest.mark.parametrize("slots", [False, True])
def test_annotators_without_ratings_are_none(slots: bool) -> None:
    a, b = ([row[:2] for row in rows] for rows in (FIRST, SECOND))
    empty = wide([[row[0], None, row[1]] for row in a])
    empty = empty.assign_coords(annotator=["annotator 1", "nobody", "annotator 2"])
    other = wide(b)
    if slots:
        empty, other = iaa.data.in_slots(empty), iaa.data.in_slots(other)
    given = {"interval": "percentile", "replicates": 40, "permutations": 40}
    for turned in (False, True):
        pair = (other, empty) if turned else (empty, other)
        plain = (wide(b), wide(a)) if turned else (wide(a), wide(b))
        found = quick(*pair, ["conger_kappa", "cohen_kappa"], **given)
        wanted = quick(*plain, ["conger_kappa", "cohen_kappa"], **given)
        xr.testing.assert_allclose(found.drop_attrs(), wanted.drop_attrs())
        assert found.attrs["annotators_a"] == found.attrs["annotators_b"] == 2
        assert found.attrs["shared_annotators"] == 2
        assert found.attrs["annotators_matched"] == "by name"


def test_a_set_without_disagreement_wins_nothing() -> None:
    """Square and add, from the exact binomial end of one set and the t interval of the other."""
    few = named([["a", "a"], ["b", "b"]] * 2, "few ")
    many = named([["a", "a"], ["b", "b"], ["a", "a"], ["a", "b"], ["b", "b"]] * 40, "many ")
    given = {"replicates": 400, "permutations": 400}
    names = ["krippendorff_alpha", "percent_agreement"]
    found = iaa.compare(many, few, names, **given)
    expected = iaa.agreement(few, names, interval=None).expected.values
    ends = 1 - (1 - 0.025 ** (1 / 4)) / (1 - expected)
    for row, name in enumerate(names):
        how = iaa.Interval("t", transform="range")
        other = iaa.agreement(many, name, interval=how).isel(coefficient=0)
        low, high = comparing.square_and_add(
            (float(other.estimate), float(other.ci_low), float(other.ci_high)),
            (1.0, float(ends[row]), 1.0),
        )
        assert float(found.ci_low[row]) == pytest.approx(low)
        assert float(found.ci_high[row]) == pytest.approx(high)
        assert low < 0 < high
    assert (found.p_value != found.permutation_p_value).all()
    assert (found.p_value > 0.2).all()
    assert (found.adjusted_p_value >= found.p_value).all()
    assert np.isnan(found.z).all()
    assert np.isnan(found.items_needed_a).all()
    assert (found.band_low < found.ci_low).all()
    assert str(found.note[0].values).startswith("nothing disagrees in the 4 items of B")
    bare = iaa.compare(many, few, names, replicates=100, permutations=0)
    np.testing.assert_array_equal(bare.p_value, found.p_value)
    assert "no p" not in str(bare.note[0].values)
    turned = iaa.compare(few, many, names, **given)
    np.testing.assert_allclose(turned.ci_low, -found.ci_high)


@pytest.mark.slow
def test_square_and_add_holds_the_truth() -> None:
    """8 items that agree with a chance of .8, by luck on all, against 60 with .8 of their own."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(60):
        many = (rng.random(60) < 0.8).astype(int)
        a, b = (
            named([["a", "a" if one else "b"] for one in part], prefix)
            for part, prefix in ((many, "m"), ([1] * 8, "f"))
        )
        found = quick(a, b, "percent_agreement", interval="auto", replicates=40)
        held += float(found.ci_low[0]) <= 0 <= float(found.ci_high[0])
    assert held == 60


def test_pairs_are_items_with_two_ratings_in_both() -> None:
    """Two groups that share items, but hardly any that both rated twice."""
    full = [["a", "a", None] if place % 3 else ["a", "b", None] for place in range(40)]
    once = ["a", None, None]
    a = [row if place % 2 or not place else once for place, row in enumerate(full)]
    b = [once if place % 2 else row for place, row in enumerate(full)]
    found = quick(wide(a), wide(b))
    assert found.attrs["design"] == "independent"
    (why,) = notes_of(found, "pairing_few_pairable")
    assert [why.values[name] for name in ("shared", "a", "b", "both")] == [40, 21, 20, 1]
    assert (found.attrs["pairable_items_a"], found.attrs["pairable_items_b"]) == (21, 20)
    asked = quick(wide(a), wide(b), paired=True)
    assert (asked.attrs["items_a"], asked.attrs["pairable_items_both"]) == (40, 1)


def test_labels_of_one_set_alone() -> None:
    a = iaa.from_wide([["x", "x"], ["y", "x"], ["tie", "tie"]] * 4)
    b = iaa.from_wide([["x", "x"], ["y", "x"], ["Tie", "Tie"]] * 4)
    found = quick(a, b).attrs
    assert (found["labels_only_a"], found["labels_only_b"]) == ('["tie"]', '["Tie"]')
    assert found["labels_in_both"] == 2
    assert found["label_shift"] == pytest.approx(1 / 3)
    assert quick(a, a).attrs["label_shift"] == 0


def test_few_replicates_give_no_band_beside_intervals_that_need_none() -> None:
    options: dict[str, Any] = {"replicates": 1, "permutations": 0}
    with pytest.raises(IaaError, match="1 replicate is too few for an interval of 95 %"):
        iaa.compare(wide(FIRST), wide(SECOND), NAMES, **options)
    found = iaa.compare(wide(FIRST), wide(SECOND), NAMES, interval="normal", **options)
    assert np.isfinite(found.ci_low).all()
    assert np.isnan(found.band_low).all()


@pytest.mark.parametrize("form", [wide, by_slot])
def test_other_groups_of_the_same_annotators(form: Any) -> None:
    rng = np.random.default_rng(8)
    rows = [
        [one, *("abc"[rng.integers(3)] if rng.random() < share else one for share in (0.2, 0.5, 1))]
        for one in (["a", "b", "c"][rng.integers(3)] for _ in range(30))
    ]
    ratings = form(rows)
    names = ratings.annotator.values.tolist()
    several = [*NAMES, "percent_agreement"]
    groups = Rated(ratings), names[:2], names[2:], several, LabelOptions()
    found = regroup_annotators(*groups, Draws(0, 2000, 0))
    apart = []
    for chosen in combinations(names, 2):
        rest = [name for name in names if name not in chosen]
        ends = [
            iaa.agreement(keep_annotators(ratings, part), several, interval=None).estimate.values
            for part in (list(chosen), rest)
        ]
        apart.append(np.abs(ends[1] - ends[0]))
    assert found is not None
    assert (found.ways, found.exhaustive) == (6, True)
    wanted = (np.array(apart) >= apart[0] - 1e-12).mean(axis=0)
    assert wanted.min() < 1
    np.testing.assert_allclose(found.p_value, wanted)
    drawn = regroup_annotators(*groups, Draws(0, 5, 0))
    assert drawn is not None
    assert not drawn.exhaustive
    assert (drawn.p_value >= 1 / 6).all()
    assert regroup_annotators(*groups, Draws(0, 0, 0)) is None


def agreeing(items: int, share: float, seed: int, prefix: str) -> xr.Dataset:
    """Two annotators, of whom the second errs on so many of the items."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.3
    rows = np.column_stack([truth, truth ^ (rng.random(items) < share)])
    return named([["ab"[int(cell)] for cell in row] for row in rows], prefix)


@pytest.mark.parametrize("confidence", one_of(2, [0.95, 0.8]))
@pytest.mark.parametrize("seed", one_of(3, range(8)))
def test_referee_4_5_interval_p_and_verdict_are_of_one_law(seed: int, confidence: float) -> None:
    """Where nothing disagrees in a set: with exchanges, without, in either order, and together."""
    items, share = ((30, 0.1), (30, 0.3), (300, 0.05), (12, 0.4))[seed % 4]
    a, b = agreeing(30, 0.0, seed, "a"), agreeing(items, share, seed + 50, "b")
    names = ["krippendorff_alpha", "percent_agreement"]
    verdicts = []
    for permutations in (0, 400):
        for pair, higher in (((a, b), "a_higher"), ((b, a), "b_higher")):
            given = {"permutations": permutations, "confidence": confidence, "replicates": 100}
            found = iaa.compare(*pair, names, **given)
            assert (found.interval == "square_and_add").all()
            leaves_out = (found.ci_low > 0) | (found.ci_high < 0)
            shown = found.conclusion == higher
            np.testing.assert_array_equal(leaves_out, shown)
            np.testing.assert_array_equal(found.p_value <= 1 - confidence, shown)
            np.testing.assert_array_equal(found.conclusion[~shown], "not_shown")
            at_once = (found.band_low > 0) | (found.band_high < 0)
            np.testing.assert_array_equal(found.adjusted_p_value <= 1 - confidence, at_once)
            alone = iaa.compare(*pair, names[0], interval=None, **given)
            assert float(alone.p_value[0]) == float(found.p_value[0])
            assert alone.conclusion.item() == found.conclusion.values[0]
            verdicts.append((shown.values.tolist(), found.p_value.round(12).values.tolist()))
            page = " ".join(str(iaa.page(found)).split())
            assert f"below {1 - confidence:.2g} exactly where the interval excludes 0" in page
            assert "permutations give" not in page
    assert all(verdict == verdicts[0] for verdict in verdicts)


def test_referee_4_p_is_that_of_the_interval_that_ends_at_0() -> None:
    a, b = agreeing(30, 0.0, 1, "a"), agreeing(60, 0.1, 2, "b")
    found = iaa.compare(a, b, "krippendorff_alpha", permutations=0, replicates=100)
    p_value = float(found.p_value[0])
    at = {"permutations": 0, "replicates": 40_000, "confidence": 1 - p_value}
    again = iaa.compare(a, b, "krippendorff_alpha", **at)
    assert 0.001 < p_value < 0.05
    assert abs(float(again.ci_high[0])) < 1e-9


def test_what_nothing_bounds_is_unknown_without_exchanges() -> None:
    """Of numbers nobody knows how far one item more might go."""
    rng = np.random.default_rng(0)
    value = rng.normal(size=(20, 1)).repeat(2, axis=1)
    a, b = iaa.from_values(value), iaa.from_values(value + rng.normal(size=(20, 2)))
    found = iaa.compare(a, b, "icc1", permutations=0, replicates=100, paired=False)
    assert found.conclusion.item() == "unknown"
    tested = iaa.compare(a, b, "icc1", permutations=400, replicates=100, paired=False)
    assert tested.conclusion.item() == "a_higher"
    assert float(tested.p_value[0]) == float(tested.permutation_p_value[0]) < 0.05


def test_statistics_2_labels_of_a_set_without_disagreement_have_one_law_too() -> None:
    """Whatever is asked for: exchanges found a difference of p = .02 where the bound has .06."""
    a, b = agreeing(60, 0.0, 1, "a"), agreeing(60, 0.05, 2, "b")
    seen = []
    for given in ({}, {"interval": "bca"}, {"permutations": 0}, {"interval": None}):
        options = {"replicates": 100, "permutations": 99, **given}
        found = iaa.compare(a, b, per_label=True, paired=False, **options).sel(label=["a", "b"])
        assert (found.interval == "square_and_add").all()
        seen.append((found.p_value.values.round(9).tolist(), found.conclusion.values.tolist()))
    assert all(one == seen[0] for one in seen)
