"""Fragile gold labels, compared with fits of tables without a vote or an annotator."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.gold import fragile as module
from iaa_jax.analyses.gold.fragile import _decided
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Tolerance
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labelling import VoteTables
from tests.noted import notes_of

LABELS = np.array(list("abc"), dtype=object)


def table(items: int = 40, seed: int = 0) -> np.ndarray:
    """Labels (item, annotator) with gaps, every item rated."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    right = rng.random((items, 5)) < [0.9, 0.8, 0.7, 0.6, 0.4]
    names = LABELS[np.where(right, truth[:, None], rng.integers(0, 3, (items, 5)))]
    names[rng.random(names.shape) < 0.3] = None
    names[np.equal(names, None).all(axis=1), 0] = "a"
    return names


def wide(names: np.ndarray) -> xr.Dataset:
    return iaa.from_wide(names, labels=list("abc"))


def in_rows(names: np.ndarray) -> xr.Dataset:
    """Ratings as of a crowd: each item by itself, stored by slot where that is smaller."""
    item, annotator = np.nonzero(~np.equal(names, None))
    columns = {"item": item, "annotator": annotator, "label": names[item, annotator]}
    return iaa.from_long(columns, labels=list("abc"))


def test_a_majority_depends_on_a_vote_where_one_less_changes_or_ties_it() -> None:
    found = iaa.gold(
        iaa.from_wide(
            [
                ["a", "a", "b", None],  # a against b: tied without one a
                ["a", "a", "a", "b"],
                ["a", "b", None, None],  # tied: without a it is b
                ["a", None, None, None],
                [None, None, None, None],
                ["a", "a", None, None],
            ]
        ),
        interval=None,
    )
    assert found.decided_by_one_vote.values.tolist() == [True, False, True, True, False, False]


def test_majority_without_each_vote_by_brute_force() -> None:
    names = table()
    found = iaa.gold(wide(names), interval=None)
    for item, gold in enumerate(found.gold_code.values):
        fragile = False
        for annotator in np.flatnonzero(~np.equal(names[item], None)):
            votes = np.array([np.sum(np.delete(names[item], annotator) == x) for x in LABELS])
            first = np.flatnonzero(votes == votes.max())
            fragile |= len(first) > 1 or first[0] != gold or not votes.any()
        assert bool(found.decided_by_one_vote[item]) == fragile


def test_dawid_and_skene_without_each_vote_by_brute_force() -> None:
    """Bayes' theorem with the fit's parameters, and one vote less."""
    names = table(seed=1)
    found = iaa.gold(wide(names), "dawid_skene", interval=None, leave_out=False)
    confusion, prior = found.confusion.values, found.prior.values
    number = 0
    for item, gold in enumerate(found.gold_code.values):
        given = np.flatnonzero(~np.equal(names[item], None))
        fragile = len(given) == 1
        for left_out in given:
            score = np.log(np.maximum(prior, 1e-300))
            for annotator in given[given != left_out]:
                label = int(np.flatnonzero(names[item, annotator] == LABELS)[0])
                score = score + np.log(confusion[annotator, :, label])
            fragile |= bool(score.argmax() != gold)
        assert bool(found.decided_by_one_vote[item]) == fragile
        number += fragile
    assert 0 < number < len(names)


@pytest.mark.parametrize("method", ["majority", "wawa", "dawid_skene", "one_coin", "glad"])
def test_leaving_an_annotator_out_is_a_table_without_them(method: str) -> None:
    names = table(seed=2)
    found = iaa.gold(wide(names), method, interval=None)
    changed = np.zeros((len(names), 5), dtype=bool)
    votes = VoteTables(Rated(wide(names)))
    row = METHODS[method]
    start = found.probability.values
    for annotator in range(5):
        others = names.copy()
        others[:, annotator] = None
        left = VoteTables(Rated(wide(others)))
        first = np.zeros_like(left.shares)
        first[left.pattern_of] = start if row.modelled else left.shares[left.pattern_of]
        # equal patterns may have started from different points: only the end counts
        fit = left.fit(row, Tolerance(1e-9, 20_000), start=first)
        code = np.asarray(fit.state.probability)[left.pattern_of].argmax(axis=1)
        lost = np.equal(others, None).all(axis=1)
        changed[:, annotator] = lost | (code != found.gold_code.values)
    assert found.gold_changed.values.tolist() == changed.sum(axis=0).tolist()
    assert found.annotators_decisive.values.tolist() == changed.sum(axis=1).tolist()
    named = found.decisive_annotator.values
    for item, names_one in enumerate(named):
        whose = found.annotator.values[changed[item]].tolist()
        assert names_one in whose if whose else names_one == ""
    assert len(votes.weights.item) <= len(names)


@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if not row.strict])
def test_with_all_votes_nothing_is_decided_anew(method: str) -> None:
    row, votes = METHODS[method], VoteTables(Rated(wide(table(seed=3))))
    fit = votes.fit(row, Tolerance(1e-10, 50_000))
    everything = np.arange(len(votes.weights.item))
    again = _decided(votes, row, fit, everything, votes.listed)
    np.testing.assert_allclose(again, fit.state.probability, atol=1e-6)


@pytest.mark.parametrize("method", ["majority", "one_coin"])
def test_a_crowd_has_the_same_and_parts_of_it_change_nothing(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = table(seed=4)
    once, crowd = (
        iaa.gold(ratings, method, interval=None, tol=1e-9)
        for ratings in (wide(names), in_rows(names))
    )
    assert (once.decided_by_one_vote.values == crowd.decided_by_one_vote.values).all()
    assert (once.annotators_decisive.values == crowd.annotators_decisive.values).all()
    monkeypatch.setattr(module, "_CELLS", 7)
    parts = iaa.gold(wide(names), method, interval=None, tol=1e-9)
    assert (once.decided_by_one_vote.values == parts.decided_by_one_vote.values).all()


def test_of_many_annotators_those_with_most_ratings_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    names = table()
    found = iaa.gold(wide(names), interval=None)
    given = (~np.equal(names, None)).sum(axis=0)
    most = np.argsort(-given, kind="stable")[:2]
    assert np.flatnonzero(~np.isnan(found.gold_changed.values)).tolist() == sorted(most.tolist())
    assert notes_of(found, "left_out_most")[0].values == {"left_out": 2, "annotators": 5}


def test_nobody_is_left_out_unasked_for() -> None:
    found = iaa.gold(wide(table()), interval=None, leave_out=False)
    assert "decided_by_one_vote" in found
    assert not {"annotators_decisive", "gold_changed"} & set(found)


def test_an_item_of_weight_three_is_three_items_that_change() -> None:
    rows = [["a", "b", "a"], ["b", "b", "a"], ["a", None, "b"], ["a", None, None]]
    weights = [3, 1, 2, 1]
    weighted = wide(rows).assign(item_weight=("item", np.array(weights, dtype=float)))
    repeated = wide([row for row, times in zip(rows, weights, strict=True) for _ in range(times)])
    found = iaa.gold(weighted, interval=None).gold_changed.values
    assert found.tolist() == iaa.gold(repeated, interval=None).gold_changed.values.tolist()
    assert found.max() > 3
