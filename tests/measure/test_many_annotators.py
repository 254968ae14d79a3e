"""Coefficients of crowds, where few of many annotators rate an item."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.noted import sentences_of


def crowd_table() -> NDArray[np.float64]:
    """Three of 300 annotators rate each item."""
    rng = np.random.default_rng(0)
    table = np.full((6000, 300), np.nan)
    truth = rng.integers(0, 8, 6000)
    for place in range(3):
        annotator = rng.integers(100 * place, 100 * (place + 1), 6000)
        guess = rng.integers(0, 8, 6000)
        table[np.arange(6000), annotator] = np.where(rng.random(6000) < 0.8, truth, guess)
    return table


def test_many_annotators() -> None:
    table = crowd_table()
    found = iaa.agreement(iaa.from_wide(table), interval=None)
    panel = np.sort(table, axis=1)[:, :3]
    same = iaa.agreement(iaa.from_wide(panel), ["fleiss_kappa"], interval=None)
    assert float(found.estimate.sel(coefficient="fleiss_kappa")) == pytest.approx(
        float(same.estimate[0]), abs=1e-13
    )
    assert set(found.coefficient.values) > {
        "mean_pairwise_cohen_kappa",
        "davies_fleiss_kappa",
        "conger_kappa",
    }


def test_too_many_pairs_to_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coefficients of all pairs are left out then, with a note."""
    monkeypatch.setattr("iaa_jax.measure.ratings.limits.PAIR_SUMS", 1 << 18)
    ratings = iaa.from_wide(crowd_table())
    found = iaa.agreement(ratings, interval=None)
    assert "conger_kappa" in found.coefficient
    assert "mean_pairwise_cohen_kappa" not in found.coefficient
    assert "up to 17,994 pairs" in sentences_of(found)
    with pytest.raises(IaaError, match=r"17,994 pairs, too many .* keep some annotators"):
        iaa.mean_pairwise_cohen_kappa(ratings)


def test_slow_pairs_are_measured_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "mean_pairwise_cohen_kappa", "davies_fleiss_kappa"
    table = np.random.default_rng(3).integers(0, 4, (60, 9))
    ratings = iaa.from_wide(table)
    before = iaa.agreement(ratings, interval=None)
    monkeypatch.setattr("iaa_jax.measure.ratings.limits.LONG", 36 * 10 * 2059)  # of 36 pairs
    after = iaa.agreement(ratings, interval=None)
    assert not {*names} & {*after.coefficient.values}
    assert "36 pairs of annotators with 4 labels may take minutes: request" in sentences_of(after)
    asked = iaa.agreement(ratings, names, interval=None)
    assert asked.estimate.equals(before.estimate.sel(coefficient=[*names]))


def test_pairs_that_share_few_items_have_no_interval() -> None:
    """They come and go between replicates, so that neither spread nor derivative is theirs."""
    rng = np.random.default_rng(1)
    table = np.full((300, 60), np.nan)
    truth = rng.integers(0, 3, 300)
    for item in range(300):
        panel = rng.choice(60, 3, replace=False)
        table[item, panel] = np.where(rng.random(3) < 0.7, truth[item], rng.integers(0, 3, 3))
    found = iaa.agreement(iaa.from_wide(table), replicates=100)
    for name in ("mean_pairwise_cohen_kappa", "davies_fleiss_kappa"):
        row = found.sel(coefficient=name)
        assert np.isfinite(row.estimate)
        assert np.isnan(row.standard_error)
        assert np.isnan(row.ci_low)
        assert "share few items" in str(row.note.values)
        assert int(row.pairs) > 100
    assert np.isfinite(found.ci_low.sel(coefficient="conger_kappa"))
