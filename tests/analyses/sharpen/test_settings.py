"""Sharpening with many settings at once is sharpening with each."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine.compiled import TRACES


def doubles(seed: int = 3, items: int = 40) -> xr.Dataset:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    rows = []
    for item, k in enumerate(truth):
        for who, skill in enumerate((0.9, 0.7, 0.4)):
            label = k if rng.random() < skill else rng.integers(0, 3)
            second = "abc"[(label + 1) % 3] if rng.random() < 0.4 else None
            rows.append((item, f"ann{who}", "abc"[label], second))
    names = ("item", "annotator", "label", "secondary")
    frame = dict(zip(names, zip(*rows, strict=True), strict=True))
    return iaa.from_long(frame, secondary="secondary", labels=list("abc"))


def sets() -> xr.Dataset:
    rng = np.random.default_rng(4)
    rows = [
        [["xyz"[k] for k in range(3) if rng.random() < 0.5] for _ in range(3)] for _ in range(20)
    ]
    return iaa.from_sets(rows)


def crowd() -> xr.Dataset:
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (40, 1)) * (rng.random((40, 6)) < 0.8)
    names = np.array(["x", "y", "z", None], dtype=object)
    codes[rng.random(codes.shape) < 0.4] = 3
    return iaa.data.in_slots(iaa.from_wide(names[codes], labels=list("xyz")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ratings", "p"),
    [(doubles(), [0.5, 0.6, 1.0]), (sets(), [1.0]), (crowd(), [1.0])],
    ids=["doubles", "sets", "crowd"],
)
def test_every_setting_is_that_of_sharpen(ratings: xr.Dataset, p: list[float]) -> None:
    result = iaa.sharpen.settings(
        ratings, ["entropy", "none"], p=p, prior_strength=[0, 5], epsilon=[0.01, 0.2], omega=0.05,
        tol=1e-9,
    )  # fmt: skip
    assert result.sizes["setting"] == 2 * 2 * len(p) * 2 * 2
    for place in range(result.sizes["setting"]):
        one = result.isel(setting=place)
        alone = iaa.sharpen(
            ratings,
            str(one.concentration.values),
            str(one.link.values),
            p=float(one.p),
            epsilon=float(one.epsilon),
            omega=float(one.omega),
            prior_strength=float(one.prior_strength),
            tol=1e-9,
            interval=None,
        )
        assert one.annotator_weight.values == pytest.approx(alone.annotator_weight.values, abs=1e-8)
        assert one.kappa.values == pytest.approx(alone.kappa.values, abs=1e-8, nan_ok=True)
        assert int(one.iterations) == int(alone.iterations)
        assert one.gold.values.tolist() == alone.gold.values.tolist()
        assert str(one.status.values) == str(alone.status.values)


def test_a_sweep_over_p_is_one_batch() -> None:
    jax.clear_caches()
    ratings = doubles()
    iaa.sharpen.settings(ratings, "entropy", "linear", p=np.linspace(0.5, 1, 11))
    before = dict(TRACES)
    result = iaa.sharpen.settings(doubles(7), "entropy", "linear", p=np.linspace(0.6, 1, 5))
    assert dict(TRACES) == before
    assert result.attrs["conclusion"] in ("steady", "labels_change")
    changed = result.changed_items.values
    assert changed[0] == 0
    assert (changed > 0).any() == (result.attrs["conclusion"] == "labels_change")
    low, high = result.lowest_weight.values, result.highest_weight.values
    assert (low <= high).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"p": [0.5, 0.4]}, "p must"),
        ({"p": []}, "p must be a number or several"),
        ({"epsilon": "a"}, "epsilon must be a number or several"),
        ({"epsilon": [0.1, 2.0]}, "epsilon must be above 0 and below 1"),
        ({"concentration": ["gini"]}, "concentration must be one of"),
        ({"link": "log"}, "link must be one of"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], words: str) -> None:
    with pytest.raises(iaa.IaaError, match=words):
        iaa.sharpen.settings(doubles(), **options)


def test_p_needs_secondary_labels() -> None:
    with pytest.raises(iaa.IaaError, match="without secondary labels"):
        iaa.sharpen.settings(iaa.from_wide([["a", "b"], ["b", "b"]]), p=[0.5, 1.0])


@pytest.mark.parametrize("option", ["concentration", "link", "p"])
def test_none_of_an_option_is_refused(option: str) -> None:
    with pytest.raises(iaa.IaaError, match=option):
        iaa.sharpen.settings(sets(), **{option: []})  # type: ignore[arg-type]
