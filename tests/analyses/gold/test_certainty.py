"""Intervals of gold labels and skills: against loops that fit every replicate by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.stats import beta

import iaa_jax as iaa
from iaa_jax.analyses.gold import certainty as module
from iaa_jax.analyses.gold.certainty import drawn_weights
from iaa_jax.analyses.gold.conclusion import OVERSTATED
from iaa_jax.analyses.gold.items import Tails, credible_sets
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.shares import share_ends
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.shared.labelling import VoteTables
from tests.noted import notes_of

ENDS = ("certainty_ci_low", "certainty_ci_high", "stable", "skill_ci_low", "skill_ci_high")
REPLICATES = 80


def panel(items: int = 30, seed: int = 0, gaps: float = 0.1) -> xr.Dataset:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    right = rng.random((items, 4)) < [0.9, 0.8, 0.7, 0.6]
    codes = np.where(right, truth[:, None], rng.integers(0, 3, (items, 4)))
    names = np.where(rng.random((items, 4)) < gaps, None, np.array(list("abc"))[codes])
    names[:, 0] = np.array(list("abc"))[codes[:, 0]]
    ratings = iaa.from_wide(names, labels=list("abc"))
    return ratings.assign_coords(document=("item", np.arange(items) // 5))


def counts_of(ratings: xr.Dataset) -> np.ndarray:
    """Votes (item, annotator, label)."""
    codes = ratings.primary.values
    return np.where((codes >= 0)[..., None], np.eye(3)[codes], 0.0)


def by_hand(
    counts: np.ndarray, item: np.ndarray, annotator: np.ndarray, start: np.ndarray
) -> dict[str, np.ndarray]:
    """Dawid and Skene on weighted items by loops, from a first probability.

    Near a saddle steps become small, and then larger again: the end is where they still fall, and
    are ten times smaller than the tolerance of 1e-9.
    """
    items, annotators, labels = counts.shape
    probability, change = start, np.inf
    for _ in range(10_000):
        prior = np.array([sum(item * probability[:, t]) / sum(item) for t in range(labels)])
        votes = np.einsum("i,it,ial->atl", item, probability, counts)
        confusion = np.empty_like(votes)
        for a in range(annotators):
            for t in range(labels):
                total = votes[a, t].sum()
                shares = votes[a, t] / total if total else np.zeros(labels)
                shares = np.maximum(shares, 1e-10)
                confusion[a, t] = shares / shares.sum()

        def posterior(confusion: np.ndarray, prior: np.ndarray = prior) -> np.ndarray:
            scores = np.log(np.maximum(prior, 1e-300)) * np.ones((items, 1))
            for a in range(annotators):
                scores += annotator[a] * counts[:, a] @ np.log(confusion[a]).T
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            return shares / shares.sum(axis=1, keepdims=True)

        moved = posterior(confusion)
        before, change = change, np.abs(moved - probability).max()
        probability = moved
        if change < 1e-10 and change <= before:
            break
    assert change < 1e-10
    # the matrices once more, as the last step leaves them
    prior = np.array([sum(item * probability[:, t]) / sum(item) for t in range(labels)])
    votes = np.einsum("i,it,ial->atl", item, probability, counts)
    total = votes.sum(axis=2, keepdims=True)
    shares = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    confusion = np.maximum(shares, 1e-10)
    confusion /= confusion.sum(axis=2, keepdims=True)
    milder = (total * confusion + 0.5) / (total + 1.5)
    skill = np.array([sum(prior * np.diag(confusion[a])) for a in range(annotators)])
    right = np.einsum("att->a", votes) / votes.sum(axis=(1, 2))
    return {
        "probability": probability,
        "smoothed": posterior(milder, prior),
        "skill": skill,
        "right": right,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "sampling",
    [
        iaa.Sampling(),
        iaa.Sampling(cluster="document"),
        iaa.Sampling(annotators="random"),
        iaa.Sampling(bayesian=True),
    ],
    ids=["items", "clusters", "annotators", "bayesian"],
)
def test_every_figure_is_that_of_a_loop_over_replicates(sampling: iaa.Sampling) -> None:
    ratings = panel(25)
    found = iaa.gold(
        ratings,
        "dawid_skene",
        tol=1e-9,
        sampling=sampling,
        replicates=REPLICATES,
        interval="percentile",
        seed=4,
    )
    votes = VoteTables(Rated(ratings))
    options = IntervalOptions(sampling=sampling, replicates=REPLICATES, seed=4)
    resampling = resampling_of(sampling, votes.tables)
    drawn = list(drawn_weights(votes, options, resampling))
    pattern = np.concatenate([part.item for part in drawn])
    annotator = np.concatenate([part.annotator for part in drawn])
    assert len(pattern) == REPLICATES
    alike = np.bincount(votes.pattern_of)[votes.pattern_of]
    code = found.gold_code.values
    counts, start = counts_of(ratings), found.probability.values
    fitted = [
        by_hand(counts, row[votes.pattern_of] / alike, whose, start)
        for row, whose in zip(pattern, annotator, strict=True)
    ]
    gold = np.array([fit["smoothed"][np.arange(25), code] for fit in fitted])
    low, high = np.quantile(gold, [0.025, 0.975], axis=0)
    certain = found.certainty.values
    np.testing.assert_allclose(found.certainty_ci_low, np.minimum(low, certain), atol=2e-7)
    np.testing.assert_allclose(found.certainty_ci_high, np.maximum(high, certain), atol=2e-7)
    same = np.mean([fit["probability"].argmax(axis=1) == code for fit in fitted], axis=0)
    np.testing.assert_allclose(found.stable, same, atol=1e-12)
    mean = np.mean([fit["smoothed"] for fit in fitted], axis=0)
    assert (found.credible.values == credible_sets(mean, 0.95)).all()
    skills = np.array([fit["skill"] for fit in fitted])
    np.testing.assert_allclose(found.skill_standard_error, skills.std(axis=0, ddof=1), atol=1e-7)
    np.testing.assert_allclose(found.skill_ci_low, np.quantile(skills, 0.025, axis=0), atol=1e-7)
    right = np.array([fit["right"] for fit in fitted])
    np.testing.assert_allclose(found.accuracy_ci_high, np.quantile(right, 0.975, axis=0), atol=1e-7)


@pytest.mark.parametrize("method", ["dawid_skene", "majority"])
def test_a_seed_gives_the_same_digits_and_blocks_change_none(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ratings = panel()
    first = iaa.gold(ratings, method, replicates=REPLICATES, seed=2)
    other = iaa.gold(ratings, method, replicates=REPLICATES, seed=3)
    monkeypatch.setattr(module, "_CELLS", 200)
    again = iaa.gold(ratings, method, replicates=REPLICATES, seed=2)
    monkeypatch.setattr("iaa_jax._thresholds.FIT_CELLS", 200)
    shorter = iaa.gold(ratings, method, replicates=REPLICATES, seed=2)
    for name in ENDS:
        np.testing.assert_array_equal(first[name], again[name])
        # compiled for fewer rows, sums may round otherwise
        np.testing.assert_allclose(first[name], shorter[name], rtol=1e-12)
    assert (first.certainty_ci_low != other.certainty_ci_low).any()


def test_the_order_of_items_and_the_names_of_annotators_change_nothing_of_votes() -> None:
    ratings = panel(gaps=0.0)
    once = iaa.gold(ratings, "one_coin", interval=None)
    assert not {"stable", "skill_ci_low", "credible", "expected_right"} & set(once)
    assert "interval" not in once.attrs


def test_ends_that_no_replicate_can_show() -> None:
    """An annotator who is never wrong: every replicate says 1, and 40 ratings do not."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 40)
    ratings = iaa.from_wide(np.stack([truth, truth, truth], axis=1))
    found = iaa.gold(ratings, "majority", replicates=REPLICATES)
    assert found.skill.values.tolist() == [1.0] * 3
    assert found.skill_standard_error.values.tolist() == [0.0] * 3
    assert found.skill_ci_high.values.tolist() == [1.0] * 3
    assert ((found.skill_ci_low > 0.9) & (found.skill_ci_low < 0.96)).all()
    # three votes for one of two labels: Dirichlet(3 + 1 / 2, 1 / 2)
    many = iaa.gold(ratings, "majority", replicates=4000)
    wanted = beta.ppf(0.025, 3.5, 0.5)
    np.testing.assert_allclose(many.certainty_ci_low.values, wanted, atol=0.03)


def test_the_interval_of_a_share_is_that_of_as_many_units_as_its_error_says() -> None:
    share, error = np.array([0.8, 0.8, 1.0, 0.3]), np.array([0.04, 0.01, 0.0, np.nan])
    units = np.array([1e7, 50.0, 40.0, 10.0])
    low, high = share_ends(share, error, units, units, 0.95)
    counted = 0.8 * 0.2 / 0.04**2
    assert low[0] == pytest.approx(beta.ppf(0.025, 0.8 * counted + 0.5, 0.2 * counted + 0.5), 1e-5)
    assert low[1] < 0.8 - 0.1  # no more than 50 units
    assert high[2] == 1.0
    assert low[2] == pytest.approx(beta.ppf(0.025, 40 * 0.92 + 0.5, 0.5), abs=0.01)
    assert np.isnan([low[3], high[3]]).all()


def test_tails_have_the_quantiles_of_all_replicates() -> None:
    values = np.random.default_rng(1).random((203, 7)).astype(np.float32)
    for confidence in (0.5, 0.9, 0.95, 0.99):
        tails = Tails(len(values), confidence)
        for first in range(0, 203, 64):
            tails.add(values[first : first + 64])
        tail = (1 - confidence) / 2
        expected = np.quantile(values.astype(np.float64), [tail, 1 - tail], axis=0)
        np.testing.assert_allclose(tails.ends, expected, atol=1e-12)


def test_credible_sets_are_the_fewest_labels_that_reach_the_confidence() -> None:
    shares = np.array([[0.96, 0.03, 0.01], [0.6, 0.3, 0.1], [0.05, 0.35, 0.6], [0.5, 0.5, 0.0]])
    sets = credible_sets(shares, 0.95)
    assert sets.astype(int).tolist() == [[1, 0, 0], [1, 1, 1], [0, 1, 1], [1, 1, 0]]
    assert credible_sets(shares, 0.5).sum(axis=1).tolist() == [1, 1, 1, 1]


def test_three_votes_that_agree_are_less_certain_than_thirty() -> None:
    few = iaa.gold(iaa.from_wide([["a"] * 3, ["b"] * 3] * 4), replicates=400)
    many = iaa.gold(iaa.from_wide([["a"] * 30, ["b"] * 30] * 4), replicates=400)
    assert (few.certainty_ci_low < many.certainty_ci_low).all()
    assert (few.stable < many.stable).all()
    assert (few.certainty_ci_high == 1).all()


def test_what_nobody_rated_and_who_rated_nothing_have_no_figures() -> None:
    rows: list[list[Any]] = [["a", "a", None], ["b", "a", None], ["b", "b", None]] * 4
    ratings = iaa.from_wide([*rows, [None, None, None]])
    for method in ("majority", "dawid_skene"):
        found = iaa.gold(ratings, method, replicates=REPLICATES)
        assert np.isnan(found.stable[-1])
        assert np.isnan(found.certainty_ci_low[-1])
        assert not found.credible[-1].any()
        assert np.isnan(found.skill_ci_low[-1])
        assert (found.stable[:-1] >= 0).all()


def test_anonymous_counts_have_certainty_of_items_alone() -> None:
    found = iaa.gold(iaa.from_counts([[3, 0], [1, 2], [0, 3]], labels=["a", "b"]), replicates=60)
    assert np.isnan(found.skill_ci_low).all()
    assert (found.stable > 0.3).all()
    assert "annotators_decisive" not in found


def test_replicates_that_do_not_converge_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEPS", 2)
    found = iaa.gold(panel(), "dawid_skene", replicates=REPLICATES)
    assert notes_of(found, "replicates_not_converged")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dawid_skene", "sharpen", "glad"])
@pytest.mark.parametrize("interval", ["normal", "t", "basic", "percentile"])
def test_other_intervals_surround_the_skills(method: str, interval: str) -> None:
    found = iaa.gold(panel(), method, interval=interval, replicates=REPLICATES)
    assert found.attrs["interval"] == interval
    assert (found.skill_ci_low < found.skill_ci_high).all()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"interval": "bca"}, "not available here"),
        ({"replicates": 20}, "too few"),
        ({"sampling": iaa.Sampling(cluster="nothing")}, "not a coordinate along items"),
    ],
)
def test_what_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(iaa.IaaError, match=says):
        iaa.gold(panel(), "dawid_skene", **options)


@pytest.mark.slow
def test_the_share_of_right_labels_is_what_replicates_say() -> None:
    """With few ratings an annotator, the fit of all data claims too much, and the page does not."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 150)
    item, who = np.repeat(np.arange(150), 3), rng.integers(0, 50, 450)
    label = np.where(rng.random(450) < 0.75, truth[item], 1 - truth[item])
    _, first = np.unique(50 * item + who, return_index=True)
    columns = {"item": item[first], "annotator": who[first], "label": label[first]}
    found = iaa.gold(iaa.from_long(columns), "dawid_skene", replicates=REPLICATES)
    low, high = float(found.expected_right_ci_low), float(found.expected_right_ci_high)
    assert low < float(found.expected_right) < high < 1
    assert float(found.expected_right) < float(found.certainty.mean()) - 0.02
    assert found.attrs["mean_certainty"] == pytest.approx(float(found.expected_certainty.mean()))
    unsure = int((found.expected_certainty < 0.6).sum())
    assert found.attrs["unsure_items"] == unsure > int((found.certainty < 0.6).sum())
    page = iaa.page(found)
    (claimed,) = [note for note in page.answer if note.code == "claimed"]
    assert claimed.values["right"] == pytest.approx(found.attrs["mean_certainty"])
    (overstated,) = [note for note in page.blocks[-1].notes if note.code == "overstated"]
    assert overstated.values == {"overstated": OVERSTATED}
    right = float((found.gold_code.values == truth[found.item.values]).mean())
    assert right < low  # nine ratings an annotator are too few for this, too: it is noted
    assert notes_of(found, "few_ratings_of_annotators")


def test_statistics_gold_the_sheet_has_one_certainty_and_its_order() -> None:
    found = iaa.gold(panel(), "dawid_skene", replicates=REPLICATES)
    table = next(block for block in iaa.page(found).blocks if getattr(block, "id", "") == "items")
    columns = {column.key: column for column in table.columns}
    shown = columns["expected_certainty"].values
    assert (np.diff(shown) >= 0).all()
    assert np.sort(found.expected_certainty.values).tolist() == shown.tolist()
    assert columns["certainty"].in_files
    assert not columns["expected_certainty"].in_files
    headings = [columns[name].heading for name in ("certainty", "expected_certainty")]
    assert headings == ["Certainty", "Expected certainty"]
    by_votes = iaa.page(iaa.gold(panel(), "majority", replicates=REPLICATES))
    assert "If the model holds" not in str(by_votes)
    assert "If the model holds" in str(iaa.page(found))


def test_no_figure_stands_outside_its_own_interval() -> None:
    """With few items that nearly all agree, the share of right ones is no number of items."""
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]] * 5
    alike = iaa.from_wide([["a"] * 3, ["b"] * 3] * 6)
    lighter = iaa.from_wide(rows).assign(item_weight=("item", np.full(20, 0.1)))
    for ratings, method in (
        (alike, "dawid_skene"),
        (alike, "one_coin"),
        (lighter, "glad"),
        (lighter, "majority"),
    ):
        found = iaa.gold(ratings, method, replicates=REPLICATES)
        ends = [str(name) for name in found if str(name).endswith("_ci_low")]
        for name in (end.removesuffix("_ci_low") for end in ends):
            low, high = (found[f"{name}_ci_{end}"].values for end in ("low", "high"))
            assert not ((found[name].values < low) | (found[name].values > high)).any(), name
        if method != "majority":  # a model expects more than half of two labels to be right
            assert len(ends) == 4
            assert 0.5 < float(found.expected_right) < 1


@pytest.mark.slow
def test_the_certainty_over_replicates_adds_up_to_the_share_expected_right() -> None:
    for method in ("dawid_skene", "one_coin", "mace", "glad"):
        found = iaa.gold(panel(), method, replicates=REPLICATES)
        expected = float(found.expected_certainty.mean())
        assert expected == pytest.approx(float(found.expected_right), abs=1e-9)
        controlled = iaa.gold(panel(), method, control={0: "a", 1: "b"}, replicates=REPLICATES)
        assert controlled.expected_certainty.values[:2].tolist() == [1.0, 1.0]
        assert "expected_certainty" not in iaa.gold(panel(), method, interval=None)
    assert "expected_certainty" not in iaa.gold(panel(), "majority", replicates=REPLICATES)


@pytest.mark.slow
def test_referee_certainty_over_replicates_is_nearer_to_what_is_right() -> None:
    """Simulated truth, a crowd with few ratings each and a panel: calibration and Brier's score."""
    rng = np.random.default_rng(11)
    for items, annotators, each in ((120, 30, 4), (60, 5, 5)):
        right, plain, expected = [], [], []
        for _ in range(4):
            truth = rng.integers(0, 3, items)
            skill = rng.uniform(0.5, 0.9, annotators)
            votes = np.full((items, annotators), None, dtype=object)
            for item in range(items):
                for who in rng.choice(annotators, each, replace=False):
                    sees = rng.random() < skill[who]
                    votes[item, who] = "abc"[truth[item] if sees else rng.integers(0, 3)]
            ratings = iaa.from_wide(votes.tolist(), labels=list("abc"))
            found = iaa.gold(ratings, "dawid_skene", replicates=40)
            right += (found.gold.values == np.array(list("abc"))[truth]).tolist()
            plain += found.certainty.values.tolist()
            expected += found.expected_certainty.values.tolist()
        share = np.mean(right)
        assert share < np.mean(expected) < np.mean(plain)
        assert np.mean(expected) - share < 0.7 * (np.mean(plain) - share)
        brier = [np.mean((np.array(right, float) - given) ** 2) for given in (plain, expected)]
        assert brier[1] < 0.95 * brier[0]


def test_a_crowd_in_slots_and_as_a_grid_has_the_same_figures() -> None:
    """Default intervals and leaving out depend on the ratings, not on how they are stored."""
    rng = np.random.default_rng(3)
    items, annotators = 120, 104
    item = np.repeat(np.arange(items), 4)
    who = (np.arange(items)[:, None] * 4 + np.arange(4) + rng.integers(0, 5, (items, 1))).ravel()
    truth = rng.integers(0, 2, items)[item]
    label = np.where(rng.random(len(item)) < 0.75, truth, 1 - truth)
    ratings = iaa.from_long({"item": item, "annotator": who % annotators, "label": label})
    assert ratings.sizes["annotator"] == annotators
    grid = iaa.data.in_grid(ratings)
    assert "slot" in ratings.dims
    assert "slot" not in grid.dims
    # all that is worked out, and what it would take, comes of these
    listed, of_grid = (VoteTables(Rated(form)).votes for form in (ratings, grid))
    assert type(of_grid) is type(listed)
    np.testing.assert_array_equal(listed[0], of_grid[0])
    one_coin = ("one_coin", {"replicates": 40, "leave_out": False})
    for method, asked in (("majority", {}), one_coin):
        one, other = (iaa.gold(form, method, **asked) for form in (ratings, grid))
        assert {"skill_ci_low", "certainty_ci_low"} <= set(one)
        assert set(one) == set(other)
        assert one.attrs["notes"] == other.attrs["notes"]
        for name in set(one) - {"label_given"}:
            same = np.testing.assert_array_equal
            if one[name].dtype.kind == "f":
                same = np.testing.assert_allclose
            same(other.sel(annotator=one.annotator)[name].values, one[name].values, err_msg=name)
