"""Agreement as it comes in: `iaa_jax.watch`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.watch.arrivals import chances
from tests.oracles import watch as oracle

LABELS = np.array(["no", "some", "yes"])


def table(seed: int, items: int, know: float = 0.8, annotators: int = 3) -> Any:
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, (items, 1), p=(0.6, 0.3, 0.1))
    guess = rng.choice(3, (items, annotators), p=(0.6, 0.3, 0.1))
    return LABELS[np.where(rng.random((items, annotators)) < know, truth, guess)].astype(object)


def rated(rows: Any, days: int = 6, first: int = 0) -> xr.Dataset:
    names = [f"item{first + number}" for number in range(len(rows))]
    frame = pd.DataFrame(rows, index=names, columns=[f"a{k}" for k in range(rows.shape[1])])
    ratings = iaa.from_wide(frame, labels=LABELS.tolist())
    per_day = -(-len(rows) // days)
    return ratings.assign_coords(day=("item", (first + np.arange(len(rows))) // per_day))


def with_gaps(rows: Any) -> Any:
    rows = rows.copy()
    rows[np.random.default_rng(9).random(rows.shape) < 0.25] = None
    return rows


def test_ends_are_those_of_slow_loops() -> None:
    """Of alpha with gaps, at each look, in the order that the result tells.

    Items of two ratings are taken with a chance of two in three, which their names decide.
    """
    rows = with_gaps(table(1, 150))
    ratings = rated(rows, 5)
    result = iaa.watch(ratings, order="day", bar=0.4, per_item=1)
    assert result.attrs["method"] == "betting"
    given = {f"item{k}": [x for x in row if x is not None] for k, row in enumerate(rows)}
    names = result.item.values.tolist()
    chance = dict(zip(names, chances(names), strict=True))
    for look in (0, 2, 4):
        came = names[: int(result["items"][look])]
        seen = [given[name] for name in came if chance[name] < len(given[name]) / 3]
        low, high = oracle.ends(seen, 0.05, -1.0, 3)
        assert float(result.ci_low[look]) == pytest.approx(low, abs=1e-8)
        assert float(result.ci_high[look]) == pytest.approx(high, abs=1e-8)
        for name, above in (("e_value", True), ("e_value_below", False)):
            wealth = oracle.wealth(seen, 0.4, 0.05, above=above, unit=3)[-1]
            assert float(result[name][look]) == pytest.approx(wealth, rel=1e-9)
    figure = iaa.krippendorff_alpha(ratings, interval=iaa.Interval("normal"))
    assert float(result.estimate[-1]) == pytest.approx(float(figure.estimate), abs=1e-12)
    assert float(result.one_look_ci_low[-1]) == pytest.approx(float(figure.ci_low), abs=1e-9)


def test_what_was_seen_stays_when_more_come() -> None:
    rows = table(2, 240)
    whole, part = rated(rows), rated(rows[:160], 4)
    today = iaa.watch(whole, order="day", bar=0.5)
    before = iaa.watch(part, order="day", bar=0.5)
    xr.testing.assert_equal(
        today.isel(look=slice(4), item=slice(160)).drop_vars(("arrived", "digest")),
        before.drop_vars(("arrived", "digest")),
    )
    assert (np.diff(today.ci_low) >= 0).all()
    assert (np.diff(today.ci_high) <= 0).all()


def test_neither_rows_nor_annotators_nor_names_of_labels_matter() -> None:
    rows = with_gaps(table(3, 120))
    ratings = rated(rows)
    one = iaa.watch(ratings, order="day", bar=0.5)
    shuffled = ratings.isel(item=np.random.default_rng(0).permutation(120), annotator=[2, 0, 1])
    renamed = ratings.assign_coords(label=["c", "b", "a"])
    for other in (shuffled, renamed):
        result = iaa.watch(other, order="day", bar=0.5)
        for name in ("items", "estimate", "ci_low", "ci_high", "e_value"):
            np.testing.assert_allclose(result[name], one[name], rtol=1e-12, atol=1e-12)
    other = iaa.watch(ratings, order="day", seed=1)
    assert (other.ci_low.values != one.ci_low.values).any()


EXACT = {
    "krippendorff_alpha": {},
    "fleiss_kappa": {},
    "conger_kappa": {},
    "gwet_ac1": {},
    "brennan_prediger": {},
    "percent_agreement": {},
    "gwet_ac2": {"weights": "linear"},
}


def test_ends_hold_the_truth_at_all_looks() -> None:
    """Of 30 sets at most 12: at 20 % more are found in one of 300 trials, of each coefficient."""
    whole = rated(table(77, 60_000), 1)
    known = {
        name: iaa.agreement(whole, [name], interval=None, **options).estimate.item()
        for name, options in EXACT.items()
    }
    missed = dict.fromkeys(EXACT, 0)
    for seed in range(30):
        ratings = rated(table(seed, 300), 12)
        for name, options in EXACT.items():
            result = iaa.watch(ratings, name, order="day", confidence=0.8, **options)
            assert result.attrs["method"] == "betting"
            truth = known[name]
            missed[name] += bool(((result.ci_low > truth) | (result.ci_high < truth)).any())
    assert max(missed.values()) <= 12, missed


def test_others_are_watched_by_influence() -> None:
    ratings = rated(table(4, 300))
    for name, why in (("mean_pairwise_cohen_kappa", "no_terms"), ("krippendorff_alpha", "asked")):
        method = "influence" if why == "asked" else None
        result = iaa.watch(ratings, name, order="day", method=method)
        assert (result.attrs["method"], result.attrs["why_not_exact"]) == ("influence", why)
        result = result.isel(look=slice(1, None))  # from 100 items on
        n, alpha = result["items"].values.astype(float), 0.05
        rate = (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))) / 250
        spread = (result.one_look_ci_high - result.estimate).values / 1.959963984540054 * n**0.5
        reach = spread * np.sqrt(
            2 * (n * rate + 1) / (n**2 * rate) * np.log(np.sqrt(n * rate + 1) / alpha)
        )
        ends = np.minimum.accumulate(np.minimum(result.estimate.values + reach, 1.0))
        np.testing.assert_allclose(result.ci_high, ends)
    gaps = rated(with_gaps(table(4, 100)))
    assert iaa.watch(gaps, "conger_kappa").attrs["why_not_exact"] == "gaps"
    with pytest.raises(iaa.IaaError, match="not all annotators rated the same items"):
        iaa.watch(gaps, "conger_kappa", method="betting")


def test_clusters_count_as_one() -> None:
    """Each item twice, in a cluster, is worth what it is once."""
    rows = table(5, 84)
    once = iaa.watch(rated(rows), order="day", method="influence")
    twice = rated(np.repeat(rows, 2, axis=0)).assign_coords(
        pair=("item", np.repeat([f"p{k}" for k in range(84)], 2))
    )
    result = iaa.watch(twice, order="day", sampling=iaa.Sampling(cluster="pair"))
    assert result.attrs["why_not_exact"] == "clusters"
    np.testing.assert_allclose(
        result.ci_high - result.ci_low, once.ci_high - once.ci_low, rtol=0.01
    )


@pytest.mark.parametrize("name", ["brennan_prediger", "krippendorff_alpha"])
def test_of_a_given_number_of_items_the_ends_meet(name: str) -> None:
    rows = table(6, 200)
    in_all = iaa.Sampling(population=200)
    result = iaa.watch(rated(rows), name, order="day", sampling=in_all)
    last = result.isel(look=-1)
    assert float(last.ci_low) == pytest.approx(float(last.estimate), abs=1e-9)
    assert float(last.ci_high) == pytest.approx(float(last.estimate), abs=1e-9)
    assert (result.ci_low <= float(last.estimate) + 1e-9).all()
    assert (result.ci_high >= float(last.estimate) - 1e-9).all()
    with pytest.raises(iaa.IaaError, match="200 items have come already"):
        iaa.watch(rated(rows), name, sampling=iaa.Sampling(population=199))


def test_numbers_are_exact_within_their_bounds() -> None:
    rng = np.random.default_rng(7)
    truth = rng.uniform(2, 8, (200, 1))
    values = iaa.from_values(np.clip(truth + rng.normal(0, 1, (200, 3)), 0, 10))
    wide = iaa.watch(values, bounds=(0, 10))
    assert wide.attrs["method"] == "betting"
    shifted = values.assign(value=1000 + 7 * values["value"])
    moved = iaa.watch(shifted, bounds=(1000, 1070))
    assert float(moved.ci_low[0]) == pytest.approx(float(wide.ci_low[0]), abs=1e-9)
    assert iaa.watch(values).attrs["why_not_exact"] == "no_bounds"
    with pytest.raises(iaa.IaaError, match="no possible rating may lie outside"):
        iaa.watch(values, bounds=(0, 5))
    with pytest.raises(iaa.IaaError, match="krippendorff_alpha uses labels here"):
        iaa.watch(rated(table(1, 9)), bounds=(0, 5))


def long_table(items: int) -> pd.DataFrame:
    """Two ratings each, the second of every third item on the next day."""
    rows = table(8, items, annotators=2)
    start = pd.Timestamp("2026-03-01 22:00")
    return pd.DataFrame(
        [
            (f"i{k}", who, rows[k, a], start + pd.Timedelta(days=k // 20 + (a and k % 3 == 0)))
            for k in range(items)
            for a, who in enumerate("pq")
        ],
        columns=["item", "annotator", "label", "when"],
    )


def test_an_item_comes_with_its_last_rating_by_the_day() -> None:
    frame = long_table(60)
    ratings = iaa.from_long(frame, keep=["when"])
    result = iaa.watch(ratings, order="when")
    last = frame.groupby("item")["when"].max().dt.date.astype(str)
    arrivals = sorted(set(last))
    assert result.arrival.values.tolist() == arrivals
    assert result["items"].values.tolist() == [int((last <= day).sum()) for day in arrivals]
    for item, arrived in zip(result.item.values, result.arrived.values, strict=True):
        assert arrivals[arrived - 1] == last[item]


def test_what_was_seen_is_kept_to() -> None:
    rows = table(9, 90)
    first = iaa.watch(rated(rows[:60], 2), bar=0.5)
    ratings = rated(rows, 3)
    second = iaa.watch(ratings, bar=0.5, record=first)
    assert second["items"].values.tolist() == [60, 90]
    assert float(second.ci_low[0]) == float(first.ci_low[0])
    assert second.item.values[:60].tolist() == first.item.values.tolist()
    again = iaa.watch(ratings, bar=0.5, record=second)
    xr.testing.assert_identical(again, second)
    changed = rows.copy()
    changed[3, 1] = "yes" if rows[3, 1] != "yes" else "no"
    with pytest.raises(iaa.IaaError, match=r"different ratings .*1: 'item3'"):
        iaa.watch(rated(changed, 3), bar=0.5, record=first)
    with pytest.raises(iaa.IaaError, match=r"missing now .*1: 'item0'"):
        iaa.watch(rated(rows, 3).isel(item=slice(1, None)), record=first)
    with pytest.raises(iaa.IaaError, match="with seed 0, and now it is 1"):
        iaa.watch(ratings, record=first, seed=1)
    with pytest.raises(iaa.IaaError, match="this is not"):
        iaa.watch(ratings, record=iaa.items(ratings))


def test_labels_that_come_later_change_nothing_or_are_refused() -> None:
    rows = np.concatenate([table(9, 60), np.full((30, 3), "new", dtype=object)])
    whole = iaa.from_wide(pd.DataFrame(rows, index=[f"i{k}" for k in range(90)]))
    part = iaa.from_wide(pd.DataFrame(rows[:60], index=[f"i{k}" for k in range(60)]))
    first = iaa.watch(part)
    second = iaa.watch(whole, record=first)
    assert float(second.ci_low[0]) == float(first.ci_low[0])
    with pytest.raises(iaa.IaaError, match="because there are new labels"):
        iaa.watch(whole, "gwet_ac1", record=iaa.watch(part, "gwet_ac1"))


def test_what_comes_late_comes_after_what_was_seen() -> None:
    rows = table(10, 80)
    ratings = rated(rows, 4)
    there = np.ones(80, dtype=bool)
    there[[5, 25]] = False
    first = iaa.watch(ratings.isel(item=there & (ratings.day.values < 3)), order="day")
    second = iaa.watch(ratings, order="day", record=first)
    assert second.arrival.values.tolist() == ["0", "1", "2", "after 2", "3"]
    assert second["items"].values.tolist() == [19, 38, 58, 60, 80]
    np.testing.assert_array_equal(second.ci_low[:3], first.ci_low)


def test_items_wait_for_their_ratings() -> None:
    rows = table(11, 60)
    rows[::4, 2] = None
    result = iaa.watch(rated(rows), per_item=3)
    assert int(result["items"][-1]) == 45
    assert '"items_wait"' in result.attrs["notes"]
    with pytest.raises(iaa.IaaError, match=r"no item has arrived yet \(an item needs 4 ratings\)"):
        iaa.watch(rated(rows), per_item=4)


def conclusion_of(know: float, bar: float | None, items: int = 400) -> xr.Dataset:
    return iaa.watch(rated(table(12, items, know), 10), order="day", bar=bar, level="nominal")


def test_it_says_on_which_side_of_a_bar_it_is() -> None:
    above, below = conclusion_of(0.95, 0.6), conclusion_of(0.4, 0.6)
    assert [each.attrs["conclusion"] for each in (above, below)] == ["above", "below"]
    assert above.attrs["decided_at"] < str(above.arrival.values[-1])
    near = conclusion_of(0.8, float(conclusion_of(0.8, None).estimate[-1]) - 0.06)
    assert near.attrs["conclusion"] == "open"
    assert near.attrs["items_that_decide"] > 400
    assert conclusion_of(0.8, None).attrs["conclusion"] == "followed"
    same = iaa.from_wide([["a", "a"]] * 20)
    assert iaa.watch(same).attrs["conclusion"] == "undefined"


def test_a_fall_below_the_bar_is_told() -> None:
    rows = np.concatenate([table(13, 400, 0.95), table(14, 400, 0.3)])
    result = iaa.watch(rated(rows, 16), order="day", bar=0.6, level="nominal")
    assert result.attrs["fallen_since"] in {"6", "7", "8"}
    assert float(result.e_value_fallen[7]) < 1
    assert (result.attrs["conclusion"], result.attrs["side"]) == ("fallen", -1)
    steady = iaa.watch(rated(table(13, 800, 0.95), 16), order="day", bar=0.6, level="nominal")
    assert steady.attrs["fallen_since"] == ""
    risen = np.concatenate([rows, table(18, 2000, 0.95)])
    again = iaa.watch(rated(risen, 56), order="day", bar=0.6, level="nominal")
    assert again.attrs["fallen_since"] in {"6", "7", "8"}
    assert again.attrs["conclusion"] in ("above", "moved")


def test_days_of_unlike_topics_are_told() -> None:
    """Where a day has one label mostly, and the next another, no interval holds the figure."""
    rng = np.random.default_rng(20)
    days = []
    for day in range(20):
        share = 0.95 if day % 2 else 0.03
        truth = rng.random((40, 1)) < share
        guess = rng.random((40, 3)) < share
        days.append(np.where(rng.random((40, 3)) < 0.75, truth, guess))
    rows = np.array(["no", "yes"], dtype=object)[np.concatenate(days).astype(int)]
    result = iaa.watch(rated(rows, 20), order="day", bar=0.667, level="nominal")
    last = result.isel(look=-1)
    assert not float(last.ci_low) <= float(last.estimate) <= float(last.ci_high)
    assert (result.attrs["conclusion"], result.attrs["side"]) == ("moved", 0)


def test_two_rounds_differ_where_both_sequences_say_so() -> None:
    early, late = rated(table(15, 300, 0.5)), rated(table(16, 300, 0.95))
    result = iaa.watch(late, order="day", against=early)
    last = result.isel(look=-1)
    each = [iaa.watch(r, order=o, confidence=0.975) for r, o in ((late, "day"), (early, None))]
    assert float(last.difference_ci_low) == pytest.approx(
        float(each[0].ci_low[-1] - each[1].ci_high[-1]), abs=1e-9
    )
    assert float(last.difference_ci_low) > 0


@pytest.mark.parametrize("method", ["betting", "influence"])
def test_many_arrivals_show_some_looks_which_stay(method: str) -> None:
    ratings = rated(table(17, 300), 300)
    result = iaa.watch(ratings, order="day", method=method)
    assert result.look.values[[99, 100, 101, -1]].tolist() == [100, 101, 103, 300]
    assert result.sizes["look"] < 170
    part = iaa.watch(ratings.isel(item=slice(250)), order="day", method=method)
    both = np.intersect1d(part.look, result.look)
    np.testing.assert_array_equal(part.ci_low.sel(look=both), result.ci_low.sel(look=both))
    later = iaa.watch(ratings, order="day", method=method, record=part)
    assert later.arrived.values.tolist() == [*range(1, 301)]
    xr.testing.assert_identical(iaa.watch(ratings, order="day", method=method, record=later), later)


def test_items_that_have_not_come_have_no_part() -> None:
    """A single rating, or an item of many that has no day, would change what others say."""
    rows = table(19, 120)
    rows[::10, 1:] = None
    for name in ("fleiss_kappa", "conger_kappa", "gwet_ac1"):
        assert iaa.watch(rated(rows), name).attrs["method"] == "betting"
    rows = table(19, 120, annotators=4)
    rows[np.arange(120) != 7, 3] = None
    days = np.where(np.arange(120) == 7, np.nan, np.arange(120) // 20)
    mixed = rated(rows).assign_coords(day=("item", days))
    alone = mixed.isel(item=np.arange(120) != 7)
    np.testing.assert_array_equal(
        iaa.watch(mixed, order="day").ci_low, iaa.watch(alone, order="day").ci_low
    )


def test_labels_that_nearly_agree_leave_no_exact_terms_of_ac2() -> None:
    near = np.full((3, 3), 0.7) + 0.3 * np.eye(3)
    result = iaa.watch(rated(table(21, 200)), "gwet_ac2", order="day", weights=near)
    assert (result.attrs["method"], result.attrs["why_not_exact"]) == ("influence", "no_terms")


def test_weighted_rows_are_refused() -> None:
    with pytest.raises(iaa.IaaError, match="rows stand for several items"):
        iaa.watch(iaa.from_contingency(np.array([[20, 5], [10, 15]])))
