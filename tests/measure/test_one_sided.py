"""Replicates on one side of the figure, with the reason where it is known."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine import bootstrap, curvature
from iaa_jax.measure.intervals import replicates
from iaa_jax.measure.intervals.measurement import _one_sided_figures
from iaa_jax.measure.ratings.limits import FEW_SHARED
from iaa_jax.measure.requests.spread import Spread
from iaa_jax.wording import Note


class Pairs:
    """Pairs of annotators by their items in common."""

    def __init__(self, common: int) -> None:
        self.common_items = [common, common]


@pytest.mark.parametrize(("common", "few"), [(10, True), (FEW_SHARED, False), (990, False)])
def test_few_common_items_are_a_reason_only_if_few(common: int, few: bool) -> None:
    # the second figure has no defined replicate, which must not warn
    replicates = np.stack([np.linspace(0.5, 0.6, 200), np.full(200, np.nan)], axis=1)
    spread = Spread(np.array([0.1, np.nan]), 9.0, np.zeros(2), replicates=replicates)
    one_sided, note = _one_sided_figures(np.array([0.4, 0.4]), spread, Pairs(common))  # type: ignore[arg-type]
    assert one_sided[0]
    assert note is not None
    assert isinstance(note.values["why"], Note) is few


def batches(groups: int, items: int) -> xr.Dataset:
    """Groups of three annotators, who share so few items that pairwise figures are biased."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, groups * items)
    guess = rng.integers(0, 3, (groups * items, 3))
    labels = np.where(rng.random(guess.shape) < 0.6, truth[:, None], guess)
    item, column = np.indices(labels.shape)
    annotator = item // items * 3 + column
    table = {
        "item": item.ravel(),
        "annotator": annotator.ravel(),
        "label": np.array(list("abc"))[labels.ravel()],
    }
    return iaa.from_long(pd.DataFrame(table), item="item", annotator="annotator", label="label")


def about(found: xr.Dataset, code: str) -> list[str]:
    """Return the coefficients that notes with a code are about."""
    notes = json.loads(found.attrs["notes"])
    return [name for note in notes if note["code"] == code for name in note["about"]]


def test_a_first_block_ends_replicates_that_no_interval_would_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Other figures are as if all had been drawn."""
    ratings = batches(1000, 8)
    lengths: list[int] = []

    def counted(*given: Any, **options: Any) -> list[np.ndarray]:
        several = bootstrap(*given, **options)
        lengths.extend(len(rows) for rows in several)
        return several

    monkeypatch.setattr(replicates, "bootstrap", counted)
    monkeypatch.setattr("iaa_jax._thresholds.LONG_CROWD", 1 << 40)
    whole = iaa.agreement(ratings, interval="bca", replicates=500)
    assert lengths == [500] * len(whole.coefficient)
    lengths.clear()
    monkeypatch.setattr("iaa_jax._thresholds.LONG_CROWD", 0)
    ended = iaa.agreement(ratings, interval="bca", replicates=500)
    long = ["mean_pairwise_cohen_kappa", "conger_kappa", "davies_fleiss_kappa"]
    assert lengths == [64] * len(long) + [500] * (len(ended.coefficient) - 2)
    pairwise = ["mean_pairwise_cohen_kappa", "davies_fleiss_kappa"]
    for found in (whole, ended):
        assert about(found, "one_sided") == pairwise
        assert np.isnan(found.ci_low.sel(coefficient=pairwise)).all()
    others = ~ended.coefficient.isin(pairwise)
    for name in ("ci_low", "ci_high", "standard_error"):
        np.testing.assert_allclose(ended[name][others], whole[name][others], rtol=1e-12)
    np.testing.assert_array_equal(ended.standard_error, whole.standard_error)


def test_abc_is_refused_where_it_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = batches(10, 12)
    expected = iaa.agreement(ratings, interval="abc")
    monkeypatch.setattr(curvature, "LARGEST", 10_000)
    found = iaa.agreement(ratings, interval="abc")
    long = ["mean_pairwise_cohen_kappa", "conger_kappa", "davies_fleiss_kappa"]
    assert about(found, "abc_too_long") == long
    assert np.isnan(found.ci_low.sel(coefficient=long)).all()
    others = ~found.coefficient.isin(long)
    assert not np.isnan(found.ci_low[others]).any()
    np.testing.assert_array_equal(found.ci_low[others], expected.ci_low[others])
    np.testing.assert_array_equal(found.standard_error, expected.standard_error)
