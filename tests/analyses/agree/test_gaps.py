"""Whether items with more ratings agree more: the level of the test, its power, and the note."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.agree.gaps import MOST_DRAWN, more_rated_agree_more, note_on_gaps
from iaa_jax.measure.ratings.rated import Rated


def rated(rng: np.random.Generator, items: int, *, skipped: float) -> xr.Dataset:
    """Two of five items are hard, of which so many ratings more are missing."""
    hard = rng.random(items) < 0.4
    truth = rng.choice(3, items, p=[0.5, 0.3, 0.2])
    right = rng.random((items, 5)) < np.where(hard, 0.5, 0.95)[:, None]
    codes = np.where(right, truth[:, None], rng.integers(3, size=(items, 5)))
    missing = rng.random((items, 5)) < np.where(hard, 0.2 + skipped, 0.2 - skipped / 2)[:, None]
    labels = np.array(list("abc"), dtype=object)[codes]
    return iaa.from_wide(np.where(missing, None, labels), labels=list("abc"))


def test_statistics_4_8_missing_not_at_random_is_told() -> None:
    rng = np.random.default_rng(1)
    found = [
        note_on_gaps(Rated.of(rated(rng, 100, skipped=0.35)), 0) is not None for _ in range(12)
    ]
    assert sum(found) >= 10
    by_chance = [
        note_on_gaps(Rated.of(rated(rng, 60, skipped=0.0)), 0) is not None for _ in range(60)
    ]
    assert sum(by_chance) <= 7  # 3 expected at most


def test_the_level_where_items_of_few_ratings_vary_more() -> None:
    """Two ratings agree or not, of six there are shares between: a label of 3 %."""
    rng = np.random.default_rng(2)
    p_values = []
    for _ in range(150):
        sizes = np.where(rng.random(60) < 0.5, 2, 6)
        other = rng.random((60, 6)) < 0.08
        number = np.where(np.arange(6) < sizes[:, None], other, False).sum(axis=1)
        agreeing = number * (number - 1) + (sizes - number) * (sizes - number - 1)
        p_values.append(
            more_rated_agree_more(agreeing / (sizes * (sizes - 1)), sizes.astype(float), 0)
        )
    assert np.mean(np.array(p_values) <= 0.05) <= 0.09


def test_many_items_are_tested_by_the_normal_distribution() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.choice([2.0, 4.0], MOST_DRAWN)
    agreement = (rng.random(MOST_DRAWN) < 0.7 + 0.005 * sizes).astype(float)
    few = more_rated_agree_more(agreement, sizes, 0)
    many = more_rated_agree_more(np.append(agreement, 1.0), np.append(sizes, 3.0), 0)
    assert many == pytest.approx(few, abs=0.08)


def test_what_is_not_tested() -> None:
    full = iaa.from_wide([["a", "a"], ["a", "b"]] * 5)
    assert note_on_gaps(Rated.of(full), 0) is None
    assert note_on_gaps(Rated.of(iaa.from_values([[1.0, 2.0, 3.0], [2.0, 2.0, np.nan]])), 0) is None
    sets = iaa.from_sets([[["a"], ["a", "b"], None], [["b"], ["b"], ["a"]]])
    assert note_on_gaps(Rated.of(sets), 0) is None


def test_the_page_points_to_missing() -> None:
    from iaa_jax.analyses.agree.study import agree
    from iaa_jax.measure import IntervalOptions, LabelOptions
    from iaa_jax.wording import load_notes

    ratings = rated(np.random.default_rng(4), 100, skipped=0.35)
    results = agree(
        ratings,
        ["krippendorff_alpha"],
        label_options=LabelOptions(),
        options=IntervalOptions(interval=None),
    )
    codes = [note.code for note in load_notes(results["coefficients"].attrs["notes"])]
    assert "more_rated_agree_more" in codes
