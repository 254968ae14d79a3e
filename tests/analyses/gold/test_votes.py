"""Several votes of an annotator on an item, as in Dawid and Skene (1979): gold labels of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.data.slots import in_slots
from tests.data.votes import COLUMNS, ROWS, Row, random_rows, votes
from tests.oracles import labelling as loops
from tests.reference.aggregation import AggregationCase, aggregation_cases
from tests.taken import one_of

OF_VOTES = [name for name, row in METHODS.items() if row.votes]
ROUNDS = 5


def task_of(rows: list[Row], ratings: xr.Dataset) -> loops.Task:
    """Return the votes by number, for slow loops."""
    names = [ratings[axis].values.tolist() for axis in ("item", "annotator", "label")]
    told = [tuple(axis.index(name) for axis, name in zip(names, row, strict=True)) for row in rows]
    return loops.Task(told, *map(len, names))


def by_item(result: xr.Dataset, expected: dict[str, dict[str, float]]) -> Any:
    labels = [str(label) for label in result["label"].values.tolist()]
    return [[expected[str(i)][label] for label in labels] for i in result["item"].values.tolist()]


REPEATED = [
    case
    for case in aggregation_cases("majority_vote", "dawid_skene")
    if "patterns" not in case.record and case.repeated
]


def test_the_published_example_is_among_the_references() -> None:
    ids = [case.id for case in REPEATED]
    assert "anaesthetists__dawid_skene_converged" in ids
    assert len(ids) > 3


@pytest.mark.parametrize("case", REPEATED, ids=lambda case: case.id)
def test_referee_spans_2_references_with_several_votes(case: AggregationCase) -> None:
    ratings = case.ratings()
    assert ratings.attrs["repeated"] == 1
    if case.method == "majority_vote":
        found = iaa.gold(ratings, interval=None)
        wanted = by_item(found, case.expected["probabilities"])
        np.testing.assert_allclose(found.probability, wanted, atol=case.abs_tol)
        return
    rounds = case.options["n_iter"]
    steps = {"tol": 1e-13, "max_iter": 10_000}
    if rounds != "until converged":
        steps = {"tol": 1e-300, "max_iter": rounds}
    found = iaa.gold(ratings, "dawid_skene", interval=None, **steps)
    prior = [case.expected["prior"][str(label)] for label in found["label"].values.tolist()]
    np.testing.assert_allclose(found.prior, prior, atol=case.abs_tol)
    if "posterior" in case.expected:
        wanted = by_item(found, case.expected["posterior"])
        np.testing.assert_allclose(found.probability, wanted, atol=case.abs_tol)
    if "error_rates" in case.expected:
        names = found["annotator"].values.tolist()
        rates = [case.expected["error_rates"][str(name)] for name in names]
        np.testing.assert_allclose(found.confusion, rates, atol=case.abs_tol)
    if rounds == "until converged":
        likelihood = case.expected["log_likelihood"]
        assert found.log_likelihood.item() == pytest.approx(likelihood, abs=case.abs_tol)


def test_referee_spans_2_five_clinicians_of_whom_one_saw_each_patient_three_times() -> None:
    (case,) = [case for case in REPEATED if case.id.startswith("anaesthetists__dawid")]
    found = iaa.gold(case.ratings(), "dawid_skene", replicates=60)
    assert (found.sizes["item"], found.sizes["annotator"]) == (45, 5)
    assert found.ratings.values.tolist() == [135, 45, 45, 45, 45]
    assert set(found.votes.values.tolist()) == {7}
    # as printed, in two decimals
    np.testing.assert_allclose(found.prior, [0.40, 0.42, 0.11, 0.07], atol=0.005)
    first = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]
    np.testing.assert_allclose(found.confusion[0], first, atol=0.005)
    assert found.attrs["annotators"] == 5
    assert found.attrs["ratings"] == 315
    assert np.isfinite(found.skill_ci_low).all()


def state_of(rows: list[Row], name: str) -> xr.Dataset:
    few = {"tol": 1e-300, "max_iter": ROUNDS} if METHODS[name].modelled else {}
    return iaa.gold(votes(rows, ["x", "y", "z"]), name, interval=None, leave_out=False, **few)


@pytest.mark.parametrize("seed", one_of(4, range(4)))
@pytest.mark.parametrize("name", OF_VOTES)
def test_referee_spans_2_every_method_is_that_of_slow_loops(name: str, seed: int) -> None:
    rows = random_rows(seed)
    found = state_of(rows, name)
    task = task_of(rows, found)
    assert len(task.votes) > len({vote[:2] for vote in task.votes}) + 10
    if name == "majority":
        posterior: Any = loops.vote_shares(task)
    elif name == "wawa":
        posterior, skills = loops.wawa(task)
    elif name == "zero_based_skill":
        posterior, skills = loops.zero_based_skill(task)
    elif name == "mace":
        mace = loops.mace(task, ROUNDS)
        posterior, skills = mace.posterior, mace.competence
    elif name == "glad":
        found = iaa.gold(votes(rows), "glad", interval=None, leave_out=False, tol=1e-12)
        ability, ease = found.skill.values.tolist(), -np.log(found.difficulty.values)
        skills = ability
        posterior, total = loops.glad_posterior(task, ability, ease.tolist())
        assert found.log_likelihood.item() == pytest.approx(total, abs=1e-6)
    else:
        matrices = loops.one_coin_matrices if name == "one_coin" else loops.confusion_matrices
        model = loops.dawid_skene(task, ROUNDS, matrices, hard=name == "fast_dawid_skene")
        posterior = model.posterior
        skills = [
            sum(p * matrix[k][k] for k, p in enumerate(model.prior)) for matrix in model.confusion
        ]
        np.testing.assert_allclose(found.confusion, model.confusion, atol=1e-8)
        assert found.log_likelihood.item() == pytest.approx(model.log_likelihood, abs=1e-7)
    np.testing.assert_allclose(found.probability, posterior, atol=1e-7)
    if name != "majority":
        np.testing.assert_allclose(found.skill, skills, atol=1e-7)


@pytest.mark.parametrize("name", one_of(2, OF_VOTES))
def test_without_repeats_votes_are_plain_ratings(name: str) -> None:
    frame = pd.DataFrame(random_rows(1), columns=COLUMNS).drop_duplicates(["item", "annotator"])
    plain, voted = (iaa.from_long(frame, duplicates=how) for how in ("error", "votes"))
    found, wanted = (iaa.gold(each, name, replicates=40) for each in (voted, plain))
    assert found.identical(wanted)


@pytest.mark.parametrize("name", one_of(2, OF_VOTES))
def test_the_order_of_rows_and_of_annotators_changes_nothing(name: str) -> None:
    rows = random_rows(2)
    renamed = [(item, who.replace("a", "z" if who == "a0" else "b"), x) for item, who, x in rows]
    found = iaa.gold(votes(rows), name, replicates=60)
    for others in (rows[::-1], sorted(rows), sorted(rows, key=lambda row: row[1:])):
        same = iaa.gold(votes(others), name, replicates=60)
        same = same.sel(item=found["item"], annotator=found["annotator"])
        for figure in (
            "probability",
            "skill",
            "certainty",
            "votes",
            "ratings",
            "decided_by_one_vote",
        ):
            np.testing.assert_allclose(same[figure], found[figure], atol=1e-6, err_msg=figure)
    other = iaa.gold(votes(renamed), name, interval=None).sel(item=found["item"])
    np.testing.assert_allclose(other.probability, found.probability, atol=1e-6)


def test_draws_are_the_same_in_whichever_order_votes_came() -> None:
    rows = sorted(random_rows(3), key=lambda row: row[:2])
    turned = sorted(random_rows(3), key=lambda row: (row[:2], -ord(row[2])))
    assert rows != turned
    found, same = (iaa.gold(votes(each), "dawid_skene", replicates=60) for each in (rows, turned))
    for figure in ("skill_ci_low", "skill_ci_high", "certainty_ci_low", "stable"):
        np.testing.assert_allclose(same[figure], found[figure], atol=1e-6, err_msg=figure)


def twice(rows: list[Row]) -> list[Row]:
    return [*rows, *rows]


def test_to_say_all_twice_makes_no_vote_surer() -> None:
    """Votes are uncertain in who voted; for skills, whole items are resampled."""
    once = [(i, a, x) for (i, a), x in {row[:2]: row[2] for row in random_rows(4)}.items()]
    plain, voted = (
        iaa.gold(votes(rows), "majority", interval="percentile", replicates=100)
        for rows in (once, twice(once))
    )
    assert voted.attrs["ratings"] == 2 * plain.attrs["ratings"]
    for figure in (
        *("probability", "certainty_ci_low", "certainty_ci_high", "stable", "credible"),
        *("skill", "skill_standard_error", "skill_ci_low", "skill_ci_high"),
    ):
        np.testing.assert_allclose(voted[figure], plain[figure], atol=1e-9, err_msg=figure)
    auto = iaa.gold(votes(twice([(i, a, "x") for i, a, _ in once])), replicates=100)
    same = iaa.gold(iaa.from_long(pd.DataFrame(once, columns=COLUMNS).assign(label="x")))
    np.testing.assert_allclose(auto.skill_ci_low, same.skill_ci_low, atol=1e-9)


@pytest.mark.parametrize("seed", one_of(3, range(3)))
def test_skills_by_items_drawn_as_wholes(seed: int) -> None:
    """The standard error against a bootstrap by hand, of whole items."""
    rows = random_rows(seed, items=40)
    found = iaa.gold(votes(rows), "majority", replicates=4000)
    gold = dict(zip(found.item.values.tolist(), found.gold.values.tolist(), strict=True))
    tied = dict(zip(found.item.values.tolist(), found.tied.values.tolist(), strict=True))
    right: dict[str, Counter[str]] = defaultdict(Counter)
    given: dict[str, Counter[str]] = defaultdict(Counter)
    front = found.winner / found.winner.sum("label")
    for item, who, label in rows:
        share = front.sel(item=item, label=label).item() if tied[item] else label == gold[item]
        right[who][item] += share  # type: ignore[assignment]
        given[who][item] += 1
    items = found.item.values.tolist()
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(items), np.full(len(items), 1 / len(items)), size=4000)
    for who in found.annotator.values.tolist():
        hits, all_of = ([one[who][item] for item in items] for one in (right, given))
        shares = drawn @ np.array(hits) / (drawn @ np.array(all_of))
        error = found.skill_standard_error.sel(annotator=who).item()
        assert error == pytest.approx(shares.std(), rel=0.08)


def test_a_label_depends_on_one_vote_not_on_all_of_its_annotator() -> None:
    rows = [
        *(("i1", "ann", "x"), ("i1", "ann", "x"), ("i1", "ann", "x"), ("i1", "bob", "y")),
        *(("i2", "ann", "x"), ("i2", "ann", "x"), ("i2", "bob", "y")),
        *(("i3", "ann", "x"), ("i3", "bob", "x"), ("i3", "bob", "x")),
    ]
    found = iaa.gold(votes(rows), interval=None, leave_out=True)
    assert found.decided_by_one_vote.values.tolist() == [False, True, False]
    assert found.annotators_decisive.values.tolist() == [1, 1, 0]  # without Ann they are y
    assert found.decisive_annotator.values.tolist() == ["ann", "ann", ""]


@pytest.mark.parametrize("second", [False, True], ids=["", "second choices"])
@pytest.mark.parametrize("seed", one_of(3, range(3)))
def test_every_vote_is_taken_away_in_turn(seed: int, second: bool) -> None:
    rows = random_rows(seed, most=2)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    p = 1.0
    frame["second"] = None
    if second:
        p = 0.7
        rng = np.random.default_rng(seed)
        others = frame["label"].map({"x": "y", "y": "z", "z": "x"})
        frame["second"] = others.where(rng.random(len(frame)) < 0.5, None)
    ratings = iaa.from_long(
        frame, secondary="second" if second else None, duplicates="votes", labels=["x", "y", "z"]
    )
    found = iaa.gold(ratings, p=p, interval=None)

    def leads(part: pd.DataFrame) -> set[str]:
        counts = dict.fromkeys("xyz", 0.0)
        for label, other in zip(part["label"], part["second"], strict=True):
            double = other is not None and other == other
            counts[label] += p if double else 1.0
            if double:
                counts[other] += 1 - p
        most = max(counts.values())
        return {x for x, count in counts.items() if count >= most - 1e-9}

    for item, part in frame.groupby("item"):
        gold = found.gold.sel(item=item).item()
        fragile = any(len(part) == 1 or leads(part.drop(row)) != {gold} for row in part.index)
        assert found.decided_by_one_vote.sel(item=item).item() == fragile, item


def test_what_each_said_is_shown_vote_by_vote() -> None:
    found = iaa.gold(votes(ROWS), interval=None)
    assert found.label_given.values.tolist() == [
        ["x; x; y", "y", ""],
        ["y", "x; x", ""],
        ["", "x", "y"],
    ]
    assert found.votes_by_label.values.tolist() == [
        "x: ann, ann; y: ann, bob",
        "x: bob, bob; y: ann",
        "x: bob; y: cleo",
    ]
    assert found.vote_share.values.tolist() == pytest.approx([5 / 9, 4 / 9])


def test_control_items_count_once_and_answers_vote_by_vote() -> None:
    found = iaa.gold(votes(ROWS), "wawa", control={"i1": "x", "i2": "x"}, interval=None)
    assert found.control_items.values.tolist() == [2, 2, 0]
    np.testing.assert_allclose(found.control_agreement, [2 / 4, 2 / 3, np.nan])
    np.testing.assert_allclose(found.skill[:2], [2 / 4, 2 / 3])


def test_restarts_clusters_and_random_annotators_take_votes() -> None:
    ratings = votes(random_rows(5, items=20))
    ratings = ratings.assign_coords(doc=("item", np.arange(ratings.sizes["item"]) // 4))
    for sampling in (iaa.Sampling(cluster="doc"), iaa.Sampling(annotators="random")):
        found = iaa.gold(
            ratings, "dawid_skene", restarts=3, sampling=sampling, replicates=60, seed=1
        )
        assert np.isfinite(found.skill_ci_low).all()
        assert found.sizes["start"] == 4


def test_sets_of_labels_by_majority_of_votes(tmp_path: Any) -> None:
    path = tmp_path / "sets.csv"
    rows = ["1,ann,x;y", "1,ann,x", "1,bob,y", "2,ann,x", "2,bob,x", "2,bob,y", "2,bob,x;y"]
    path.write_text("\n".join(["item,annotator,label", *rows]))
    found = iaa.gold(iaa.read(path, separator=";", duplicates="votes"))
    np.testing.assert_allclose(found.probability, [[2 / 3, 2 / 3], [3 / 4, 2 / 4]])
    assert found.votes.values.tolist() == [3, 4]
    assert found.tied.values.tolist() == [False, True]


def test_compressed_votes_have_the_same_gold_labels() -> None:
    rows = [*random_rows(6), *[(f"j{item[1:]}", who, x) for item, who, x in random_rows(6)]]
    whole = votes(rows)
    packed = iaa.data.compress(whole)
    assert packed.sizes["item"] < whole.sizes["item"]
    for name in ("majority", "dawid_skene"):
        found, wanted = (iaa.gold(each, name, interval=None) for each in (packed, whole))
        np.testing.assert_allclose(found.skill, wanted.skill, atol=1e-6)
        np.testing.assert_array_equal(found.gold_count, wanted.gold_count)


def test_votes_in_slots_in_another_order_are_the_same() -> None:
    ratings = votes(ROWS)
    turned = in_slots(ratings.isel(slot=[3, 2, 1, 0]))
    found, wanted = (iaa.gold(each, replicates=60) for each in (turned, ratings))
    xr.testing.assert_equal(found, wanted)
