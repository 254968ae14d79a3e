"""Sharpening of ratings of every kind, with what it says of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.wording import load_notes
from tests.oracles.sharpening import sharpen
from tests.reference.aggregation import AggregationCase, aggregation_cases

CASES = [
    case for case in aggregation_cases("sharpen", "sharpen_multilabel") if "entropy" in case.id
]


def panel(
    skills: list[float], items: int = 120, seed: int = 0, labels: str = "xyz", **_: Any
) -> np.ndarray[Any, Any]:
    """Codes of annotators who are right so often, and else guess."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), items)
    guess = rng.integers(0, len(labels), (items, len(skills)))
    return np.where(rng.random(guess.shape) < skills, truth[:, None], guess)


def ratings_of(codes: np.ndarray[Any, Any], labels: str = "xyz") -> xr.Dataset:
    names = np.array([*labels, None], dtype=object)
    return iaa.from_wide(names[codes], labels=list(labels))


def ratings_of_case(case: AggregationCase) -> xr.Dataset:
    """A reference case as ratings; repeated votes of an annotator are shares."""
    labels = case.options["labels"]
    if "multilabel_ratings" in case.record:
        given = case.record["multilabel_ratings"]
        names = sorted({who for row in given.values() for who in row})
        rows = [[list(row[who]) if who in row else None for who in names] for row in given.values()]
        made = iaa.from_sets(rows, labels=labels)
        return made.assign_coords(item=list(given), annotator=names)
    if "soft_ratings" not in case.record and not case.repeated:
        items, annotators, votes = zip(*case.rows, strict=True)
        frame = {"item": list(items), "annotator": list(annotators), "label": list(votes)}
        return iaa.from_long(frame, labels=labels)
    votes_of: dict[str, dict[str, list[list[float]]]] = {}
    for item, who, label in [] if "soft_ratings" in case.record else case.rows:
        vote = [float(one == label) for one in labels]
        votes_of.setdefault(item, {}).setdefault(who, []).append(vote)
    soft = case.record.get("soft_ratings", {})
    for item, row in soft.items():
        for who, vote in row.items():
            shares = [vote.get(label, 0.0) for label in labels]
            votes_of.setdefault(item, {})[who] = [shares]
    names = sorted({who for row in votes_of.values() for who in row})
    mass = np.full((len(votes_of), len(names), len(labels)), np.nan)
    for place, row in enumerate(votes_of.values()):
        for who, votes_given in row.items():
            mass[place, names.index(who)] = np.mean(votes_given, axis=0)
    made = iaa.from_mass(mass, labels=labels)
    return made.assign_coords(item=list(votes_of), annotator=names)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reference_cases_through_the_public_function(case: AggregationCase) -> None:
    result = iaa.sharpen(ratings_of_case(case), tol=1e-10, interval=None)
    expected, within = case.expected, case.abs_tol
    assert str(result.status.values) == expected.get("status", "converged")
    for who, weight in expected["annotator_weights"].items():
        assert float(result.annotator_weight.sel(annotator=who)) == pytest.approx(
            weight, abs=within
        )
    for who, kappa in expected["kappa"].items():
        known = float(result.kappa.sel(annotator=who))
        assert np.isnan(known) if kappa is None else known == pytest.approx(kappa, abs=within)
    for item, shares in expected["posterior"].items():
        of_item = result.sel(item=item)
        for label, share in shares.items():
            assert float(of_item.probability.sel(label=label)) == pytest.approx(share, abs=within)
        if item in expected.get("item_weights", {}):
            weight = expected["item_weights"][item]
            known = float(of_item.item_weight)
            assert np.isnan(known) if weight is None else known == pytest.approx(weight, abs=within)
        if "winners" in expected:
            winners = expected["winners"][item]
            assert str(of_item.gold.item()) == str(winners[0])
            assert bool(of_item.tied) == (len(winners) > 1)
        if "labels_over_half" in expected:
            holds = of_item.holds.values
            assert set(result.label.values[holds]) == set(expected["labels_over_half"][item])


def test_a_share_p_is_a_soft_vote() -> None:
    rng = np.random.default_rng(3)
    rows = [
        (item, who, "abc"[k], "abc"[(k + 1) % 3] if rng.random() < 0.4 else None)
        for item, row in enumerate(panel([0.9, 0.7, 0.4], 40).tolist())
        for who, k in enumerate(row)
    ]
    names = ("item", "annotator", "label", "secondary")
    frame = dict(zip(names, zip(*rows, strict=True), strict=True))
    doubles = iaa.from_long(frame, secondary="secondary")
    soft = iaa.from_mass(iaa.data.mass(doubles, p=0.6).values, labels=list("abc"))
    one = iaa.sharpen(doubles, p=0.6, interval=None, tol=1e-10)
    other = iaa.sharpen(soft, interval=None, tol=1e-10)
    assert one.annotator_weight.values == pytest.approx(other.annotator_weight.values, abs=1e-9)
    assert one.probability.values == pytest.approx(other.probability.values, abs=1e-9)


def test_rows_that_stand_for_items_are_items() -> None:
    codes = panel([0.9, 0.8, 0.5], 30)
    times = np.random.default_rng(1).integers(1, 4, 30)
    rows = ratings_of(codes).assign(item_weight=("item", times.astype(float)))
    one = iaa.sharpen(rows, interval=None, prior_strength=2)
    other = iaa.sharpen(
        ratings_of(np.repeat(codes, times, axis=0)), interval=None, prior_strength=2
    )
    assert one.annotator_weight.values == pytest.approx(other.annotator_weight.values, abs=1e-9)
    assert one.agreement.values == pytest.approx(other.agreement.values, abs=1e-9)
    assert one.ratings.values.tolist() == other.ratings.values.tolist()


def test_the_trace_is_that_of_the_oracle() -> None:
    codes = panel([0.9, 0.7, 0.5, 0.1], 20)
    by_loops = sharpen(
        {
            str(item): {f"a{who}": np.eye(3)[k].tolist() for who, k in enumerate(row)}
            for item, row in enumerate(codes)
        }
    )
    result = iaa.sharpen(ratings_of(codes), interval=None)
    trace = [list(step.values()) for step in by_loops.trace]
    assert result.weight_trace.values == pytest.approx(np.array(trace), abs=1e-10)
    assert result.residual.values[1:] == pytest.approx(by_loops.residuals, abs=1e-10)
    assert np.isnan(result.residual.values[0])
    assert int(result.iterations) == by_loops.iterations


def test_replicates_are_sharpened_anew() -> None:
    """The first replicate, worked out on the items that it draws."""
    from iaa_jax.engine import sampled_rows
    from iaa_jax.measure.ratings.rated import Rated

    codes = panel([0.9, 0.7, 0.5, 0.2], 40)
    ratings = ratings_of(codes)
    tables = Rated(ratings)
    (drawn,) = next(iter(sampled_rows([tables.identified_table], 40, 5)))
    weights, changes = [], []
    for row in drawn[:40]:
        shown = ratings_of(tables.identified.codes[np.repeat(np.arange(len(row)), row.astype(int))])
        alone = iaa.sharpen(shown, interval=None)
        weights.append(alone.annotator_weight.values)
        changes.append(alone.change.values)
    result = iaa.sharpen(ratings, replicates=40, seed=5)
    assert result.annotator_weight_standard_error.values == pytest.approx(
        np.std(weights, axis=0, ddof=1), abs=1e-6
    )
    assert result.change_standard_error.values == pytest.approx(
        np.std(changes, axis=0, ddof=1), abs=1e-6
    )
    assert result.change_ci_low.values[1:] == pytest.approx(
        np.quantile(changes, 0.025, axis=0)[1:], abs=0.02
    )


def test_agreement_before_is_the_plain_coefficient() -> None:
    ratings = ratings_of(panel([0.9, 0.7, 0.4], 50))
    result = iaa.sharpen(ratings, coefficient="fleiss_kappa", interval=None)
    plain = iaa.fleiss_kappa(ratings, interval=None)
    assert float(result.agreement[0]) == pytest.approx(float(plain.estimate), abs=1e-12)
    kernel = iaa.kernels.fleiss_kappa(
        iaa.data.mass(ratings).values, annotator_weight=result.annotator_weight.values
    )
    assert float(result.agreement[1]) == pytest.approx(float(kernel.estimate), abs=1e-10)


def test_seed_and_batch_change_nothing_else() -> None:
    ratings = ratings_of(panel([0.9, 0.7, 0.4], 50))
    one, again, other = (iaa.sharpen(ratings, replicates=80, seed=seed) for seed in (1, 1, 2))
    assert (
        one.annotator_weight_ci_low.values.tolist() == again.annotator_weight_ci_low.values.tolist()
    )
    assert (one.annotator_weight_ci_low.values != other.annotator_weight_ci_low.values).any()
    assert one.annotator_weight.values.tolist() == other.annotator_weight.values.tolist()


def conclusion(result: xr.Dataset) -> str:
    return str(result.attrs["conclusion"])


def test_spammers_are_floored_and_named() -> None:
    codes = panel([0.9, 0.9, 0.9, 0.0], 150)
    codes[:, 3] = 0
    result = iaa.sharpen(ratings_of(codes), replicates=100)
    assert conclusion(result) == "floored"
    assert json.loads(result.attrs["floored"]) == ["annotator 4"]
    assert result.on_floor.values.tolist() == [False] * 3 + [True]
    assert float(result.change_ci_low[1]) > 0
    assert "annotator 4 counts next to nothing" in str(iaa.page(result))


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (panel([0.9, 0.7, 0.5], 60), "weighted"),
        (panel([0.9, 0.7], 60), "equal"),
        (np.array([[0, 1], [1, 0], [0, 1], [1, 0]]), "nobody_above_floor"),
        (np.zeros((5, 3), dtype=int), "nobody_above_floor"),
    ],
)
def test_what_it_comes_to(codes: np.ndarray[Any, Any], expected: str) -> None:
    result = iaa.sharpen(ratings_of(codes), interval=None)
    assert conclusion(result) == expected
    assert str(iaa.page(result)).strip()
    if expected != "weighted":
        assert result.annotator_weight.values == pytest.approx(np.ones(codes.shape[1]), abs=1e-9)


def test_too_few_steps_are_said() -> None:
    result = iaa.sharpen(ratings_of(panel([0.9, 0.5, 0.2], 60)), max_iter=2, interval=None)
    assert conclusion(result) == "not_converged"
    assert str(result.status.values) == "max_iter"
    assert "did not converge in 2 steps" in str(iaa.page(result))


def codes_of(result: xr.Dataset) -> set[str]:
    return {note.code for note in load_notes(result.attrs["notes"])}


def test_two_who_copy_each_other_are_named() -> None:
    codes = panel([0.7, 0.7, 0.7, 0.7, 0.2], 100)
    codes = np.column_stack([codes, codes[:, 4]])
    result = iaa.sharpen(ratings_of(codes), interval=None)
    (note,) = [note for note in load_notes(result.attrs["notes"]) if note.code == "nearly_alike"]
    assert note.about == ("annotator 5", "annotator 6")
    assert "annotator 5, annotator 6 give nearly the same labels" in str(iaa.page(result)).replace(
        "\n  ", " "
    )


@pytest.mark.parametrize("skills", [[0.95] * 5, [0.97] * 4 + [0.1] * 2, [0.6] * 5])
def test_a_good_majority_is_no_clique(skills: list[float]) -> None:
    result = iaa.sharpen(ratings_of(panel(skills, 100)), interval=None)
    assert "nearly_alike" not in codes_of(result)


def test_who_shares_no_item_has_weight_1() -> None:
    codes = panel([0.9, 0.8, 0.7, 0.5], 30)
    codes[:-1, 3] = -1
    codes[-1, :3] = -1
    result = iaa.sharpen(ratings_of(codes), replicates=60)
    assert np.isnan(result.kappa.values[3])
    assert float(result.annotator_weight[3]) == 1
    assert np.isnan(float(result.annotator_weight_ci_low[3]))
    assert np.isnan(float(result.item_weight[-1]))
    assert result.gold.values[-1] == "xyz"[codes[-1, 3]]
    assert "nobody_beside" in codes_of(result)


def test_an_item_without_ratings_has_no_label() -> None:
    codes = np.concatenate([panel([0.9, 0.8, 0.7], 20), np.full((1, 3), -1)])
    result = iaa.sharpen(ratings_of(codes), replicates=60)
    last = result.isel(item=-1)
    assert (last.gold.item(), int(last.votes), bool(last.tied)) == ("", 0, False)
    assert np.isnan(last.probability.values).all()


def test_gold_takes_it_as_a_method() -> None:
    ratings = ratings_of(panel([0.9, 0.7, 0.4], 50))
    result, gold = iaa.sharpen(ratings, interval=None), iaa.gold(ratings, "sharpen")
    assert gold.skill.values == pytest.approx(result.annotator_weight.values, abs=1e-12)
    assert gold.gold.values.tolist() == result.gold.values.tolist()


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        (lambda: iaa.from_values([[1.0, 2.0], [2.0, 2.5]]), "these ratings are numbers"),
        (lambda: iaa.from_counts([[2, 1], [3, 0]]), "do not say who rated"),
        (lambda: iaa.from_wide([["a", "a"], ["a", "a"]]), "needs two labels or more"),
        (
            lambda: iaa.from_spans({"d": {"a": [(0, 2, "x")], "b": [(1, 2, "x")]}}),
            "these are spans of documents",
        ),
    ],
)
def test_what_cannot_be_sharpened(ratings: Any, words: str) -> None:
    with pytest.raises(iaa.IaaError, match=words):
        iaa.sharpen(ratings())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"concentration": "gini"}, "concentration must be one of entropy, variance, none"),
        ({"link": "log"}, "link must be one of linear, logodds"),
        ({"tol": 0.0}, "tol must be above 0"),
        ({"epsilon": 1.0}, "epsilon must be above 0 and below 1"),
        ({"omega": -0.1}, "omega must be 0 or more and below 1"),
        ({"max_iter": 0}, "max_iter must be a whole number of 1 or more"),
        ({"prior_strength": -1.0}, "prior_strength must be 0 or more"),
        ({"interval": "bca"}, "not available here"),
        ({"sampling": iaa.Sampling(annotators="random")}, "not available here"),
        ({"replicates": 10}, "too few"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], words: str) -> None:
    with pytest.raises(iaa.IaaError, match=words):
        iaa.sharpen(ratings_of(panel([0.9, 0.7], 20)), **options)


def test_clusters_are_drawn_whole() -> None:
    ratings = ratings_of(panel([0.9, 0.7, 0.4], 60))
    ratings = ratings.assign_coords(page=("item", np.arange(60) // 6))
    plain = iaa.sharpen(ratings, replicates=60)
    drawn = iaa.sharpen(ratings, replicates=60, sampling=iaa.Sampling(cluster="page"))
    assert drawn.attrs["clusters"] == 10
    assert (
        plain.annotator_weight_standard_error.values != drawn.annotator_weight_standard_error.values
    ).any()


def test_the_picture_has_the_weights_of_every_step() -> None:
    result = iaa.sharpen(ratings_of(panel([0.9, 0.7, 0.4], 50)), interval=None)
    (picture,) = iaa.page(result).pictures
    drawn = {tuple(curve.y.round(9)) for curve in picture.curves}
    assert drawn == {tuple(row.round(9)) for row in result.weight_trace.values.T}
    assert picture.curves[0].y[-1] == pytest.approx(float(result.annotator_weight.max()))
