"""Models from several starts, and with other numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax._errors import OptionError
from iaa_jax.analyses.gold.certainty import drawn_weights
from iaa_jax.analyses.gold.refusals import with_numbers
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Tolerance
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.shared.labelling import VoteTables
from tests.analyses.made import random_rows, wide
from tests.taken import one_of

MODELS = [name for name, row in METHODS.items() if row.modelled]


def opponents() -> Any:
    """Two camps that contradict each other: the likelihood has two peaks."""
    random = np.random.default_rng(4)
    truth = random.integers(2, size=60)
    rows = []
    for label in truth:
        flips = random.random(7) < [0.1, 0.1, 0.1, 0.85, 0.85, 0.85, 0.6]
        rows.append(["ab"[int(label) ^ int(flip)] for flip in flips])
    return wide(rows)


@pytest.mark.parametrize("method", one_of(3, MODELS))
def test_the_highest_likelihood_wins_of_starts_that_the_seed_makes(method: str) -> None:
    """Further starts change none of the first, nor does another order or storage of ratings."""
    data = opponents()
    plain = iaa.gold(data, method, interval=None)
    found = iaa.gold(data, method, restarts=8, seed=5, interval=None)
    turned = data.isel(annotator=slice(None, None, -1))
    turned = iaa.gold(turned, method, restarts=8, seed=5, interval=None)
    np.testing.assert_allclose(turned.likelihoods, found.likelihoods, atol=1e-6)
    assert found.likelihoods.shape == (9,)
    assert found.likelihoods.values[0] == pytest.approx(float(plain.log_likelihood), abs=1e-9)
    best = found.likelihoods.values[found.best_start]
    assert float(found.log_likelihood) == pytest.approx(best, abs=1e-9)
    assert best >= found.likelihoods.max() - 0.01
    away = np.abs(found.likelihoods.values[1:] - best) > 0.01
    assert found.restarts_elsewhere >= away.sum()
    few = iaa.gold(data, method, restarts=3, seed=5, interval=None)
    np.testing.assert_allclose(found.likelihoods[:4], few.likelihoods, atol=1e-9)
    slots = iaa.gold(iaa.data.in_slots(data), method, restarts=3, seed=5, interval=None)
    np.testing.assert_allclose(slots.likelihoods, few.likelihoods, atol=1e-6)


def test_ends_elsewhere_are_counted_and_said() -> None:
    found = iaa.gold(opponents(), "one_coin", restarts=20, interval=None)
    assert 0 < found.restarts_elsewhere < 20
    assert "ended elsewhere" in str(iaa.page(found))
    one_peak = iaa.gold(wide([["a", "a"], ["b", "b"]] * 8), "one_coin", restarts=5, interval=None)
    assert one_peak.restarts_elsewhere == 0


def test_methods_take_numbers_of_their_own() -> None:
    data = wide(random_rows(1, 40, 4))
    usual = iaa.gold(data, "mace", interval=None)
    same = iaa.gold(data, "mace", numbers={"knows": 0.5, "spam_labels": 10}, interval=None)
    np.testing.assert_array_equal(same.probability, usual.probability)
    other = iaa.gold(data, "mace", numbers={"knows": 20.0}, interval=None)
    assert (other.skill > usual.skill).all()
    able = iaa.gold(data, "glad", numbers={"ability": -1.0, "ability_sd": 0.01}, interval=None)
    assert (able.skill < 0).all()
    slow = iaa.gold(data, "zero_based_skill", numbers={"rate": 0.1, "factor": 1.0}, interval=None)
    assert slow.iterations == 100


@pytest.mark.parametrize(
    ("method", "numbers"), [("mace", {"knows": 20.0}), ("glad", {"ability": 3.0})]
)
def test_replicates_are_fits_with_the_same_numbers(method: str, numbers: dict[str, float]) -> None:
    data = wide(random_rows(1, 40, 4))
    options = IntervalOptions(interval="percentile", replicates=80, seed=3)
    found = iaa.gold(
        data,
        method,
        numbers=numbers,
        replicates=80,
        seed=3,
        interval="percentile",
        leave_out=False,
    )
    votes, row = VoteTables(Rated(data)), with_numbers(METHODS[method], numbers)
    start = np.asarray(votes.fit(row, Tolerance()).state.probability)
    resampling = resampling_of(options.random, votes.tables)
    skills = [
        votes.fit(row, Tolerance(), weights=Weights(item, annotator), start=start).skill
        for block in drawn_weights(votes, options, resampling)
        for item, annotator in zip(*block, strict=True)
    ]
    low, high = np.quantile(skills, [0.025, 0.975], axis=0)
    np.testing.assert_allclose(found.skill_ci_low, low, atol=1e-9)
    np.testing.assert_allclose(found.skill_ci_high, high, atol=1e-9)
    usual = iaa.gold(data, method, interval=None, leave_out=False).skill
    assert not np.allclose(usual, found.skill, atol=0.01)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"method": "majority", "restarts": 3}, "always starts from the votes"),
        ({"method": "glad", "restarts": -1}, "whole number"),
        ({"method": "mace", "numbers": {"theta": 1}}, "no number 'theta': there are 'knows'"),
        ({"method": "wawa", "numbers": {"rate": 1}}, "it takes none"),
        ({"method": "mace", "numbers": {"knows": 0}}, "above 0"),
        ({"method": "glad", "numbers": {"ability": float("nan")}}, "finite number"),
    ],
)
def test_what_changes_nothing_is_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        iaa.gold(wide(random_rows(1, 20, 3)), **keywords)
