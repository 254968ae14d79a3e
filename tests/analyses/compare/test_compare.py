"""Comparing two sets: against slow loops, scipy, whole enumerations, and the sets by themselves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax.analyses.compare.differences import Difference, Pair, compare_coefficients
from iaa_jax.analyses.compare.pairing import pool_sets
from iaa_jax.analyses.compare.permutations import Draws
from iaa_jax.analyses.compare.splitting import split_by
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.data.select import keep_annotators
from iaa_jax.data.storage import weights_of_items
from iaa_jax.engine import Prepared, estimates
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.family_wise import max_t
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.analyses.compare.compared import FIRST, NAMES, SECOND, named, quick
from tests.analyses.made import wide
from tests.noted import notes_of
from tests.oracles import comparing


@pytest.mark.parametrize("paired", [True, False])
def test_estimates_and_errors_are_those_of_each_set(paired: bool) -> None:
    a, b = wide(FIRST), wide(SECOND)
    found = quick(a, b, NAMES, paired=paired)
    for letter, ratings in (("a", a), ("b", b)):
        alone = iaa.agreement(ratings, NAMES)
        np.testing.assert_allclose(found[f"estimate_{letter}"], alone.estimate, atol=1e-14)
        np.testing.assert_allclose(
            found[f"standard_error_{letter}"], alone.standard_error, atol=1e-14
        )
    np.testing.assert_allclose(found.difference, found.estimate_b - found.estimate_a)


@pytest.mark.parametrize("name", NAMES)
def test_paired_error_and_acceleration_are_those_of_the_joint_influences(name: str) -> None:
    a, b = wide(FIRST), wide(SECOND)
    of_a, of_b = (iaa.influence(one, name).influence.values.tolist() for one in (a, b))
    pool = pool_sets(a, b)
    resolver = Resolver(Rated.of(pool.ratings))
    weight = weights_of_items(pool.ratings)
    for paired in (True, False):
        sets = TwoSets(resolver.tables, pool.items_of_a, weight, paired=paired)
        pair = Pair(pool, sets, ("A", "B"))
        (one,) = compare_coefficients(
            [resolver.request(name)], [""], pair, Draws(0, 0, 0), IntervalOptions()
        )
        if paired:
            assert one.error == pytest.approx(comparing.paired_error(of_a, of_b))
            assert one.skewness == pytest.approx(comparing.paired_acceleration(of_a, of_b))
            assert one.degrees == len(FIRST) - 1
        else:
            assert one.error == pytest.approx(np.hypot(one.error_a, one.error_b))
            assert one.skewness == pytest.approx(comparing.independent_acceleration(of_a, of_b))
            welch = stats.ttest_ind(of_a, of_b, equal_var=False)
            assert one.degrees == pytest.approx(welch.df)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("names", [["krippendorff_alpha"], ["conger_kappa"], NAMES])
def test_rows_of_weights_are_items_drawn_and_exchanged(paired: bool, names: list[str]) -> None:
    """Each row's difference is that of the ratings which its counts stand for."""
    a, b = wide(FIRST), wide(SECOND)
    pool = pool_sets(a, b)
    resolver = Resolver(Rated.of(pool.ratings))
    tables = resolver.tables
    sets = TwoSets(tables, pool.items_of_a, weights_of_items(pool.ratings), paired=paired)
    asked = [resolver.request(name) for name in names]
    pair = Pair(pool, sets, ("A", "B"))
    found = compare_coefficients(
        asked, ["bca"] * len(asked), pair, Draws(3, 3, 5), IntervalOptions()
    )
    first = tables.identified.pattern_of
    rows = pool.ratings.isel(item=[int(np.argmax(first == k)) for k in range(first.max() + 1)])
    drawn = [(row.a[0], row.b[0]) for row in sets.bootstrap([1], 3, 5)]
    exchanged = [(row.a, row.b) for row in sets.exchanges(3, 5)]
    for part, blocks in (("replicates", drawn), ("exchanged", exchanged)):
        of_a, of_b = (np.concatenate(side) for side in zip(*blocks, strict=True))
        for row, counts in enumerate(zip(of_a, of_b, strict=True)):
            assert counts[0].sum() == counts[1].sum() == len(FIRST)
            a, b = (
                iaa.agreement(rows.assign(item_weight=("item", count)), names) for count in counts
            )
            for place, one in enumerate(found):
                wanted = float(b.estimate[place] - a.estimate[place])
                if part == "replicates":
                    assert one.replicates[row] == pytest.approx(wanted, abs=1e-12)
                elif not paired:
                    # of paired sets the error is that of which items changed sides
                    least = comparing_least(one, sets)
                    error = np.hypot(float(a.standard_error[place]), float(b.standard_error[place]))
                    ours = [one.exchanged.statistic, *one.exchanged.drawn][row]
                    assert ours == pytest.approx(abs(wanted) / np.hypot(error, least))
        assert len(of_a) == (3 if part == "replicates" else 4)


def comparing_least(one: Difference, sets: TwoSets) -> float:
    """What one item that disagrees takes from the difference."""
    (both,) = estimates(Prepared([one.request.problem]))
    return float(np.hypot(*(1 / (1 - both.expected) / units for units in sets.pairable)))


def test_paired_draws_keep_items_together() -> None:
    """With equal ratings on both sides every draw and every exchange has no difference at all."""
    a = wide(FIRST)
    found = iaa.compare(a, a, NAMES, replicates=100, permutations=100)
    assert (found.difference == 0).all()
    assert np.isnan(found.standard_error).all()
    for place, one in enumerate(iaa.agreement(a, NAMES, interval=None).expected.values):
        wanted = (1 - 0.025 ** (1 / 40)) / (1 - one)
        assert float(found.ci_high[place]) == pytest.approx(wanted)
        assert float(found.ci_low[place]) == pytest.approx(-wanted)
    assert found.p_value.values.tolist() == found.permutation_p_value.values.tolist() == [1.0] * 3


def test_draws_do_not_depend_on_what_else_is_asked() -> None:
    a, b = wide(FIRST), wide(SECOND)
    for paired in (True, False):
        together = iaa.compare(a, b, NAMES, paired=paired, replicates=100, permutations=100)
        for name in NAMES:
            alone = iaa.compare(a, b, name, paired=paired, replicates=100, permutations=100)
            for part in ("ci_low", "ci_high", "permutation_p_value"):
                np.testing.assert_allclose(alone[part][0], together[part].sel(coefficient=name))


@pytest.mark.parametrize("paired", [True, False])
def test_bca_against_scipy(paired: bool) -> None:
    """Two annotators: percent agreement is a mean, which scipy bootstraps."""
    rng = np.random.default_rng(4)
    agree = [(rng.random(90) < share).astype(float) for share in (0.6, 0.8)]
    a, b = (iaa.from_wide([["x", "x" if one else "y"] for one in part]) for part in agree)
    found = iaa.compare(a, b, "percent_agreement", paired=paired, replicates=8000, seed=1)
    expected = stats.bootstrap(
        agree,
        lambda x, y, axis=-1: y.mean(axis) - x.mean(axis),
        paired=paired,
        n_resamples=8000,
        method="BCa",
        rng=np.random.default_rng(1),
    )
    low, high = expected.confidence_interval
    assert float(found.ci_low[0]) == pytest.approx(low, abs=0.013)
    assert float(found.ci_high[0]) == pytest.approx(high, abs=0.013)
    assert float(found.standard_error[0]) == pytest.approx(expected.standard_error, rel=0.03)


def test_exchanges_against_all_exchanges() -> None:
    one = [list(row) for row in ("xx", "xy", "yy", "yx", "xx", "xy")]
    other = [list(row) for row in ("xx", "xx", "yy", "yy", "xx", "yx")]
    a, b = (iaa.from_wide(rows, labels=["x", "y"]) for rows in (one, other))
    alone = [[[row] for row in rows] for rows in (one, other)]  # each item its own document
    least = comparing.least_error(*alone)
    for paired, oracle in ((True, comparing.swapping_p_value), (False, comparing.dealing_p_value)):
        wanted = oracle(partial(comparing.studentized, paired=paired, least=least), *alone)
        found = quick(a, b, paired=paired, permutations=6000)
        assert float(found.permutation_p_value[0]) == pytest.approx(wanted, abs=0.02)


def test_max_t_against_loops() -> None:
    rng = np.random.default_rng(3)
    difference, error = np.array([0.3, -0.1, 0.02, 0.25]), np.array([0.1, 0.1, 0.05, 0.1])
    mixed = rng.normal(size=(200, 4)) @ np.linalg.cholesky(np.full((4, 4), 0.6) + 0.4 * np.eye(4)).T
    rows = difference + error * mixed
    found = max_t(difference, error, rows, 0.9)
    given = (difference.tolist(), error.tolist(), rows.tolist())
    np.testing.assert_allclose(found.single_step, comparing.single_step(*given))
    np.testing.assert_allclose(found.step_down, comparing.step_down(*given))
    assert (found.step_down <= found.single_step).all()
    inside = (np.abs(rows - difference) <= found.reach * error * (1 + 1e-12)).all(axis=1).mean()
    assert inside == pytest.approx(0.9, abs=0.01)


def test_max_t_leaves_out_what_is_undefined() -> None:
    rows = np.random.default_rng(0).normal(size=(300, 3)) * 0.1 + 0.2
    rows[:5, 0] = np.nan
    found = max_t(np.array([0.2, np.nan, 0.1]), np.array([0.1, 0.1, 0.0]), rows, 0.95)
    assert np.isnan(found.step_down[1:]).all()
    assert found.step_down[0] < 0.2
    alone = max_t(np.array([0.2]), np.array([0.1]), rows[5:, :1], 0.95)
    assert found.step_down[0] == pytest.approx(alone.step_down[0])


def test_labels_one_by_one_are_a_family() -> None:
    a, b = wide(FIRST), wide(SECOND)
    found = iaa.compare(a, b, per_label=True, interval="bca", replicates=400, permutations=0)
    assert found.label.values.tolist() == ["a", "b", "c"]
    assert found.attrs["family"] == "max-t"
    for letter, ratings in (("a", a), ("b", b)):
        alone = iaa.labels(ratings, interval=None).coefficient_estimate
        np.testing.assert_allclose(found[f"estimate_{letter}"], alone)
    assert (found.adjusted_p_value >= found.p_value).all()
    middle = (found.band_low + found.band_high) / 2
    np.testing.assert_allclose(middle, found.difference)
    assert ((found.band_high - found.band_low) / found.standard_error > 2 * 1.96).all()
    by_holm = quick(a, b, None, per_label=True)
    assert by_holm.attrs["family"] == "holm"
    p_values = by_holm.p_value.values
    order, so_far = np.argsort(p_values), 0.0
    for step, place in enumerate(order):
        so_far = max(so_far, min(1.0, p_values[place] * (len(order) - step)))
        assert by_holm.adjusted_p_value.values[place] == pytest.approx(so_far)


def test_order_of_items_and_names_do_not_matter() -> None:
    a, b = wide(FIRST), wide(SECOND)
    plain = quick(a, b, NAMES, permutations=200)
    shuffled = b.isel(item=np.random.default_rng(0).permutation(b.sizes["item"]))
    np.testing.assert_allclose(quick(a, shuffled, NAMES).standard_error, plain.standard_error)
    renamed = b.assign_coords(annotator=[f"other {name}" for name in b.annotator.values])
    found = quick(a, renamed, NAMES, permutations=200)
    xr.testing.assert_allclose(found.drop_attrs(), plain.drop_attrs())
    assert found.attrs["annotators_matched"] == "by name, then by order"


def test_a_weight_is_a_repetition() -> None:
    times = np.arange(len(FIRST)) % 3 + 1
    index = np.repeat(np.arange(len(FIRST)), times)
    weighed, repeated = [], []
    for rows in (FIRST, SECOND):
        ratings = wide(rows)
        weighed.append(ratings.assign(item_weight=("item", times.astype(float))))
        repeated.append(wide([rows[place] for place in index]))
    for paired in (True, False):
        given = {"paired": paired, "replicates": 100, "interval": "bca", "permutations": 50}
        one, other = (quick(*pair, NAMES, **given) for pair in (weighed, repeated))
        for name in ("difference", "standard_error", "ci_low", "permutation_p_value"):
            np.testing.assert_allclose(one[name], other[name], atol=1e-12)


def test_auto_pairs_what_shares_its_items() -> None:
    a, b = wide(FIRST), wide(SECOND)
    found = quick(a, b)
    assert found.attrs["design"] == "paired"
    assert found.attrs["shared_items"] == 40
    assert notes_of(found, "pairing_row_numbers")
    apart = quick(named(FIRST, "a"), named(SECOND, "b"))
    assert apart.attrs["design"] == "independent"
    assert apart.attrs["pairing"] == "nothing_shared"
    assert not notes_of(apart, "pairing_row_numbers")
    few = b.assign_coords(item=np.arange(30, 70))
    found = quick(a, few)
    assert found.attrs["paired"] == 0
    assert found.attrs["pairing"] == "few_shared"
    assert notes_of(found, "pairing_few_shared")[0].values == {"shared": 10, "items": 40}
    asked = quick(a, few, paired=True)
    assert (asked.attrs["items_a"], asked.attrs["left_out_items_b"]) == (10, 30)
    wanted = iaa.krippendorff_alpha(a.isel(item=np.arange(30, 40)), interval=None).estimate
    assert float(asked.estimate_a[0]) == pytest.approx(float(wanted))
    with pytest.raises(iaa.IaaError, match="share 0: give the same items the same ids"):
        quick(named(FIRST, "a"), named(SECOND, "b"), paired=True)


def test_panels_of_other_sizes() -> None:
    a, b = wide(FIRST), wide([[*row, row[0]] for row in SECOND])
    found = quick(a, b, NAMES, permutations=50)
    alone = iaa.agreement(b, NAMES)
    np.testing.assert_allclose(found.estimate_b, alone.estimate)
    np.testing.assert_allclose(found.standard_error_b, alone.standard_error, atol=1e-14)
    assert np.isnan(found.permutation_p_value).all()
    why = [note.values["why"] for note in notes_of(found, "not_exchanged")]
    assert {note.code for note in why} == {"annotators_differ", "panels_differ"}
    ratings = [
        np.mean([number for row in rows if (number := sum(each is not None for each in row)) > 1])
        for rows in (FIRST, [[*row, row[0]] for row in SECOND])
    ]
    of_items = next(note.values for note in why if note.code == "panels_differ")
    np.testing.assert_allclose([of_items["a"], of_items["b"]], ratings)
    assert "and cannot be permuted" in " ".join(str(iaa.page(found)).split())


def test_margin_and_plan() -> None:
    a, b = wide(FIRST), wide(SECOND)
    found = quick(a, b, margin=0.2)
    d, error = float(found.difference[0]), float(found.standard_error[0])
    wanted = max(stats.norm.cdf((d - 0.2) / error), stats.norm.sf((d + 0.2) / error))
    assert float(found.equivalence_p_value[0]) == pytest.approx(wanted)
    detectable = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error
    assert float(found.detectable[0]) == pytest.approx(detectable)
    assert float(found.items_needed_a[0]) == np.ceil(40 * (detectable / 0.2) ** 2)
    assert float(found.p_value[0]) == pytest.approx(2 * stats.norm.sf(abs(d) / error))


def test_undefined_sides_are_told() -> None:
    a = iaa.from_wide([["x", "x"]] * 6, labels=["x", "y"])
    b = iaa.from_wide([["x", "y"], ["y", "y"]] * 3, labels=["x", "y"])
    found = iaa.compare(a, b, NAMES[:1], replicates=50)
    assert int(found.code[0]) == 2
    assert str(found.reason[0].values).startswith("A: expected")
    assert np.isnan(found.difference).all()
    assert np.isnan(found.p_value).all()
    shown = quick(a, b, undefined="one")
    assert float(shown.estimate_a[0]) == 1.0
    assert np.isnan(shown.p_value[0])
    with pytest.raises(iaa.IaaError, match="undefined in A"):
        quick(a, b, undefined="raise")


def test_split_by_a_coordinate() -> None:
    ratings = wide(FIRST).assign_coords(
        round=("item", np.arange(40) % 2), kind=("annotator", ["p", "p", "m", "m"])
    )
    rounds = split_by(ratings, "round")
    assert rounds.names == ("round 0", "round 1")
    assert rounds.axis == "item"
    assert quick(rounds.a, rounds.b).attrs["design"] == "independent"
    kinds = split_by(ratings, "kind", ["p", "m"])
    assert kinds.names == ("p", "m")
    found = quick(kinds.a, kinds.b, "conger_kappa", paired=True)
    alone = iaa.conger_kappa(kinds.b, interval=None).estimate
    shared = found.attrs["items_b"]
    assert shared <= 40
    if shared == 40:
        assert float(found.estimate_b[0]) == pytest.approx(float(alone))
    three = ratings.assign_coords(part=("item", np.arange(40) % 3))
    with pytest.raises(iaa.IaaError, match=r"has 3 values .*between="):
        split_by(three, "part")
    one = ratings.assign_coords(part=("item", ["x"] * 40))
    with pytest.raises(iaa.IaaError, match=r"has 1 value \('x'\), and comparing takes two"):
        split_by(one, "part")
    with pytest.raises(iaa.IaaError, match="has no value '9'"):
        split_by(three, "part", ["0", "9"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"paired": "yes"}, "paired must be True, False or 'auto'"),
        ({"permutations": -1}, "permutations must be a whole number"),
        ({"margin": 0}, "margin must be a difference above 0"),
        ({"interval": "abc"}, "is not available here"),
        ({"coefficients": "specific_agreement"}, "one estimate per label"),
        (
            {"coefficients": ["gwet_ac1"], "level": "nominal"},
            "changes nothing for gwet_ac1",
        ),
        ({"coefficients": ["gwet_ac1", "scott_pi"], "per_label": True}, "name one"),
    ],
)
def test_refusals(given: dict[str, Any], said: str) -> None:
    with pytest.raises(iaa.IaaError, match=said):
        iaa.compare(wide(FIRST), wide(SECOND), **given)


def test_people_against_models() -> None:
    """PandaLM: people agree on its 999 items, two language models less so."""
    ratings = iaa.read(Path(iaa.__file__).parent / "demo" / "pandalm.csv")
    people = keep_annotators(ratings, ["annotator1", "annotator2"])
    models = keep_annotators(ratings, ["gpt-3.5-turbo", "pandalm-7b"])
    found = iaa.compare(people, models, "cohen_kappa", replicates=200, permutations=200)
    assert found.attrs["items_a"] == 999
    assert float(found.ci_high[0]) < -0.25
    assert float(found.permutation_p_value[0]) == pytest.approx(1 / 201)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (range(40), True),
        (range(7, 87, 2), True),
        ([f"{place} | joy" for place in range(40)], True),
        ([f"q{place}" for place in range(40)], False),
        ([place * place for place in range(40)], False),
    ],
)
def test_ids_that_count_are_no_proof(names: Any, said: bool) -> None:
    a, b = (wide(rows).assign_coords(item=list(names)) for rows in (FIRST, SECOND))
    assert bool(notes_of(quick(a, b), "pairing_row_numbers")) is said


@pytest.mark.parametrize("paired", [True, False])
def test_numbers_have_the_intervals_of_both_figures_put_together(paired: bool) -> None:
    """BCa left 0 out in 13 to 23 % of data sets of lognormal numbers, the more the more items."""
    rng = np.random.default_rng(4)
    item = rng.normal(size=(30, 1))
    a, b = (
        iaa.from_values(np.exp((item if paired else rng.normal(size=(30, 1))) + 0.5 * error))
        for error in rng.normal(size=(2, 30, 3))
    )
    found = iaa.compare(a, b, "krippendorff_alpha", paired=paired, permutations=99).isel(
        coefficient=0
    )
    assert found.interval.item() == "kurtosis_t"
    of_a, of_b = (iaa.krippendorff_alpha(each) for each in (a, b))
    error_a, error_b = float(of_a.standard_error), float(of_b.standard_error)
    common = 0.0
    if paired:
        squares = error_a**2 + error_b**2 - float(found.standard_error) ** 2
        common = squares / (2 * error_a * error_b)
        assert abs(common) > 0.01
    down_a, down_b = (float(each.estimate - each.ci_low) for each in (of_a, of_b))
    up_a, up_b = (float(each.ci_high - each.estimate) for each in (of_a, of_b))
    difference = float(of_b.estimate - of_a.estimate)
    low = difference - np.sqrt(up_a**2 + down_b**2 - 2 * common * up_a * down_b)
    high = difference + np.sqrt(down_a**2 + up_b**2 - 2 * common * down_a * up_b)
    np.testing.assert_allclose([found.ci_low, found.ci_high], [low, high], rtol=1e-9)
    by_name = iaa.compare(a, b, "krippendorff_alpha", paired=paired, interval="bca")
    assert by_name.interval.item() == "bca"


USUAL = {"spans": ["span_f1", "token_span_f1"], "numbers": ["krippendorff_alpha", "icc1"]}


def marked(rng: np.random.Generator, annotators: int) -> xr.Dataset:
    """Twenty texts with three units of two labels, of which each annotator misses some."""
    spans = {}
    for text in range(20):
        units = [(30 * k, 30 * k + 5, str(rng.choice(["x", "y"]))) for k in range(3)]
        spans[f"d{text}"] = {
            f"a{k}": [unit for unit in units if rng.random() < 0.8] for k in range(annotators)
        }
    return iaa.from_spans(spans, labels=["x", "y"])


@pytest.mark.parametrize("kind", ["labels of spans", "spans", "numbers"])
def test_where_sets_cannot_be_exchanged_p_is_that_of_the_interval(kind: str) -> None:
    """Panels of two and of five: the interval at the confidence 1 - p ends at 0."""
    rng = np.random.default_rng(9)
    if kind == "numbers":
        a, b = (
            iaa.from_values(rng.normal(size=(20, 1)) + rng.normal(size=(20, k))) for k in (2, 5)
        )
    else:
        a, b = (marked(rng, k) for k in (2, 5))
    how: dict[str, Any] = {"paired": False, "per_label": kind == "labels of spans"}
    how |= {"permutations": 50, "replicates": 400, "coefficients": USUAL.get(kind)}
    found = iaa.compare(a, b, margin=0.15, **how)
    assert set(found.interval.values.tolist()) == {"kurtosis_t"}
    assert np.isnan(found.permutation_p_value).all()
    axis, looked_at = "label" if how["per_label"] else "coefficient", 0
    for row in found[axis].values:
        own = found.sel({axis: row})
        for p_value, end in ((own.p_value, 0.0), (2 * own.equivalence_p_value, 0.15)):
            if 0.02 < p_value < 0.98:
                at = iaa.compare(a, b, confidence=1 - float(p_value), **how).sel({axis: row})
                reached = np.abs([float(at.ci_low), float(at.ci_high)])
                assert np.abs(reached - end).min() < 1e-6
                looked_at += 1
    assert looked_at > 1
    if how["per_label"]:
        assert (found.adjusted_p_value >= found.p_value).all()
        assert (found.band_low <= found.ci_low).all()


def test_a_label_that_nobody_marked_has_no_difference() -> None:
    def marked(people: str, seed: int) -> xr.Dataset:
        rng = np.random.default_rng(seed)
        spans = {
            f"d{k}": {
                who: [(at, at + 3, str(rng.choice(["x", "y"]))) for at in (0, 10, 20)]
                for who in people
            }
            for k in range(12)
        }
        return iaa.from_spans(spans, labels=["x", "y", "z"])

    sets = marked("ab", 1), marked("abcde", 2)
    found = iaa.compare(*sets, "span_f1", per_label=True, replicates=60, permutations=19)
    assert np.isnan(found.p_value.values).tolist() == [False, False, True]
