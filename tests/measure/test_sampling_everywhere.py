"""Other functions take clusters of items, or refuse them."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError, Sampling

DOCUMENTS = Sampling(cluster="document")


def by_documents(seed: int = 0, documents: int = 20, each: int = 4) -> xr.Dataset:
    """Two annotators who agree on all of a document or on little of it."""
    stream = np.random.default_rng(seed)
    easy = np.repeat(stream.random(documents) < 0.7, each)
    truth = stream.integers(0, 2, documents * each)
    second = np.where(easy, truth, stream.integers(0, 2, documents * each))
    codes = np.stack([truth, second], axis=1)
    return iaa.from_wide(codes).assign_coords(document=("item", np.repeat(range(documents), each)))


def test_annotators_over_clusters() -> None:
    ratings = by_documents()
    over = iaa.annotators(ratings, sampling=DOCUMENTS)
    # the figure of each is percent agreement, or kappa, of the two
    for name, other in (("agreement", "percent_agreement"), ("kappa", "cohen_kappa")):
        alone = getattr(iaa, other)(ratings, sampling=DOCUMENTS)
        np.testing.assert_allclose(over[name], alone.estimate)
        np.testing.assert_allclose(over[f"{name}_standard_error"], alone.standard_error)
        items = iaa.annotators(ratings)
        assert (over[f"{name}_standard_error"] > items[f"{name}_standard_error"]).all()
        width = over[f"{name}_ci_high"] - over[f"{name}_ci_low"]
        assert (width > items[f"{name}_ci_high"] - items[f"{name}_ci_low"]).all()
    drawn = iaa.annotators(ratings, sampling=DOCUMENTS, interval="percentile", replicates=4000)
    spread = (drawn.agreement_ci_high - drawn.agreement_ci_low) / (2 * 1.96)
    np.testing.assert_allclose(spread, over.agreement_standard_error, rtol=0.15)
    assert over.attrs["sampling_cluster"] == "document"
    assert over.attrs["clusters"] == 20
    with pytest.raises(IaaError, match="annotators='random' is not available here"):
        iaa.annotators(ratings, sampling=Sampling(annotators="random"))


def with_seconds(seed: int = 1) -> xr.Dataset:
    stream = np.random.default_rng(seed)
    ratings = by_documents(seed)
    rows = {"item": [], "annotator": [], "label": [], "secondary": []}
    for item, codes in enumerate(ratings.primary.values):
        for who, code in zip("xy", codes, strict=True):
            rows["item"].append(item)
            rows["annotator"].append(who)
            rows["label"].append("abc"[code])
            rows["secondary"].append("abc"[(code + 1) % 3] if stream.random() < 0.3 else None)
    found = iaa.from_long(rows, secondary="secondary")
    return found.assign_coords(document=("item", ratings.document.values))


def test_a_sweep_over_clusters() -> None:
    ratings = with_seconds()
    over = iaa.sweep(ratings, p=[0.5, 0.8, 1.0], sampling=DOCUMENTS, replicates=400)
    for p in (0.5, 0.8, 1.0):
        how = iaa.Interval("t", transform="range")
        alone = iaa.augmented_kappa(ratings, p=p, interval=how, sampling=DOCUMENTS)
        row = over.sel(p=p)
        for name in ("estimate", "standard_error", "ci_low", "ci_high"):
            np.testing.assert_allclose(row[name], alone[name], rtol=1e-8)
    items = iaa.sweep(ratings, p=[0.5, 0.8, 1.0], replicates=400)
    assert (over.standard_error > items.standard_error).all()
    assert over.attrs["clusters"] == 20
    assert np.isfinite([over.change_ci_low, over.change_ci_high]).all()


def test_the_band_of_a_sweep_ends_where_the_range_does() -> None:
    rows = {"item": [], "annotator": [], "label": [], "secondary": []}
    for item in range(24):
        for who in "xy":
            rows["item"].append(item)
            rows["annotator"].append(who)
            rows["label"].append("ab"[item % 2] if item or who == "x" else "b")
            rows["secondary"].append("c" if item == 1 and who == "x" else None)
    curve = iaa.sweep(iaa.from_long(rows, secondary="secondary"), p=[0.5, 0.75, 1.0])
    unbound = curve.estimate + curve.band_factor * curve.standard_error
    assert (unbound > 1).any()
    assert (curve.band_high <= 1).all()
    assert (curve.band_high >= curve.ci_high).all()


def test_a_test_of_zero_agreement_says_who_has_clusters() -> None:
    ratings = by_documents()
    for random in (Sampling(annotators="random"), Sampling(bayesian=True)):
        with pytest.raises(IaaError, match=r"item by item.*agreement_by.*compare"):
            iaa.zero_agreement(ratings, sampling=random)
    fixed = iaa.zero_agreement(ratings, "cohen_kappa", sampling=Sampling(annotators="fixed"))
    plain = iaa.zero_agreement(ratings, "cohen_kappa")
    assert float(fixed.p_value[0]) == float(plain.p_value[0])
