"""Items weighted by the inverse of their chance of being rated."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.analyses.made import random_rows, wide
from tests.noted import notes_of
from tests.oracles import fleiss_kappa, percent_agreement, single_labels

LABELS = ["a", "b", "c"]


def rows_of(seed: int) -> tuple[list[list[str]], np.ndarray]:
    """Whole ratings of two kinds of item, a third of them hard."""
    rng = np.random.default_rng(seed)
    hard = rng.random(600) < 1 / 3
    truth = rng.integers(0, 3, (600, 1))
    knows = rng.random((600, 2)) < np.where(hard, 0.5, 0.95)[:, None]
    codes = np.where(knows, truth, rng.integers(0, 3, (600, 2)))
    return np.array(LABELS)[codes].tolist(), hard


def test_weights_give_the_figure_of_all_items_back() -> None:
    """Hard items are rated twice four times as often: unweighted they count too much."""
    weighted, plain, held = [], [], []
    for seed in range(40):
        rows, hard = rows_of(seed)
        whole = float(iaa.krippendorff_alpha(iaa.from_wide(rows), interval=None).estimate)
        rng = np.random.default_rng(1000 + seed)
        twice = rng.random(600) < np.where(hard, 0.8, 0.2)
        left = [row if both else [row[0], None] for row, both in zip(rows, twice, strict=True)]
        ratings = iaa.from_wide(left).assign_coords(
            kind=("item", np.where(hard, "hard", "easy")), p=("item", np.where(hard, 0.8, 0.2))
        )
        found = iaa.missing.inverse_probability(ratings, by="kind")
        known = iaa.missing.inverse_probability(ratings, probability="p")
        weighted.append([float(found.estimate) - whole, float(known.estimate) - whole])
        plain.append(float(found.unweighted) - whole)
        held.append(float(known.ci_low) <= 0.95**2 * 2 / 3 + 0.5**2 / 3 <= float(known.ci_high))
    error = np.std(weighted, axis=0, ddof=1) / np.sqrt(40)
    assert (np.abs(np.mean(weighted, axis=0)) < 3 * error).all()
    assert np.mean(plain) < -5 * error.max()
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 40)


@pytest.mark.parametrize(
    ("coefficient", "oracle"),
    [("fleiss_kappa", fleiss_kappa), ("percent_agreement", percent_agreement)],
)
def test_a_weight_is_a_repetition(coefficient: str, oracle) -> None:
    rows = random_rows(4, missing=0.0)
    times = np.resize([1, 2, 4], len(rows))
    ratings = wide(rows).assign_coords(p=("item", 1 / times))
    found = iaa.missing.inverse_probability(ratings, coefficient, probability="p")
    repeated = [row for row, time in zip(rows, times, strict=True) for _ in range(time)]
    expected = oracle(single_labels(repeated), labels=LABELS).estimate
    np.testing.assert_allclose(found.estimate, expected, atol=1e-12)
    effective = times.sum() ** 2 / (times**2).sum()  # Kish
    np.testing.assert_allclose(found.effective_items, effective)


def test_the_error_is_that_of_a_weighted_mean() -> None:
    """Percent agreement is a mean over items: its linearized error by hand (Cochran 1977)."""
    rows = random_rows(7, missing=0.0)
    p = np.resize([0.2, 0.5, 1.0], len(rows))
    found = iaa.missing.inverse_probability(
        wide(rows).assign_coords(p=("item", p)), "percent_agreement", probability="p"
    )
    each = np.array(
        [percent_agreement(single_labels([row]), labels=LABELS).estimate for row in rows]
    )
    weight = 1 / p
    mean = each @ weight / weight.sum()
    n = len(rows)
    spread = n / (n - 1) * np.sum((weight * (each - mean)) ** 2) / weight.sum() ** 2
    np.testing.assert_allclose(
        [found.estimate, found.standard_error**2], [mean, spread], atol=1e-12
    )


def test_equal_chances_change_nothing() -> None:
    ratings = wide(random_rows(3)).assign_coords(p=("item", np.full(40, 0.3)))
    found = iaa.missing.inverse_probability(ratings, probability="p")
    plain = iaa.krippendorff_alpha(ratings)
    assert found.attrs["conclusion"] == "alike"
    for name in ("estimate", "standard_error", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[name], plain[name], atol=1e-12)
        other = "unweighted" + ("" if name == "estimate" else f"_{name}")
        np.testing.assert_allclose(found[other], plain[name], atol=1e-12)


def test_counted_patterns_are_items() -> None:
    ratings = wide(random_rows(3, missing=0.5))
    several = xr.concat([ratings] * 3, "item").assign_coords(
        item=np.arange(120), kind=("item", np.repeat(["x", "y", "z"], 40))
    )
    several.attrs = ratings.attrs
    found = iaa.missing.inverse_probability(several, by="kind")
    pressed = iaa.missing.inverse_probability(iaa.data.compress(several, by="kind"), by="kind")
    for name in found.data_vars:
        np.testing.assert_allclose(pressed[name], found[name], atol=1e-12)


def test_what_weights_cannot_mend_is_said() -> None:
    rows = [["a", "a"], ["a", "b"], ["b", "b"], ["b", None], ["a", None]] * 4
    kinds = np.resize(["x", "x", "x", "y", "y"], len(rows))
    ratings = iaa.from_wide(rows).assign_coords(kind=("item", kinds))
    (note,) = notes_of(iaa.missing.inverse_probability(ratings, by="kind"), "groups_unrated")
    assert note.values["groups"] == ["y"]
    p = np.where(np.arange(20) == 0, 0.001, 1.0)
    found = iaa.missing.inverse_probability(ratings.assign_coords(p=("item", p)), probability="p")
    assert notes_of(found, "extreme_weights")
    assert float(found.effective_items) < 1.1
    assert "Weights are extreme" in str(iaa.page(found))


def test_a_chance_that_is_none_is_refused() -> None:
    ratings = wide(random_rows(1)).assign_coords(
        p=("item", np.resize([0.5, 1.5], 40)), team=("annotator", list("xxyy"))
    )
    with pytest.raises(IaaError, match="give one of them"):
        iaa.missing.inverse_probability(ratings)
    with pytest.raises(IaaError, match="give one of them"):
        iaa.missing.inverse_probability(ratings, by="p", probability="p")
    with pytest.raises(IaaError, match=r"20 rated items have none: item 1 has 1\.5"):
        iaa.missing.inverse_probability(ratings, probability="p")
    for name in ("team", "nothing"):
        with pytest.raises(IaaError, match="along items: the coordinates are 'p'"):
            iaa.missing.inverse_probability(ratings, by=name)
