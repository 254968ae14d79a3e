"""Annotators as a sample: panels of others, the same annotators twice, and groups of one file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax.data.select import keep_annotators
from tests.analyses.compare.compared import quick
from tests.analyses.made import by_slot, wide
from tests.noted import notes_of


def skilled(seed: int) -> list[list[str]]:
    """Four annotators who know the label of 40 items more or less often, and guess else."""
    rng = np.random.default_rng(seed)
    return [
        [one if rng.random() < skill else "abc"[rng.integers(3)] for skill in (0.95, 0.8, 0.5, 0.2)]
        for one in np.random.default_rng(0).choice(list("abc"), 40)
    ]


FIRST, SECOND = skilled(1), skilled(2)

DRAWN: dict[str, Any] = {"interval": "auto", "sampling": iaa.Sampling(annotators="random")}
NAMES = ["krippendorff_alpha", "conger_kappa"]


def other(ratings: xr.Dataset) -> xr.Dataset:
    return ratings.assign_coords(annotator=[f"other {name}" for name in ratings.annotator.values])


def moves(ratings: xr.Dataset, name: str) -> np.ndarray:
    """sqrt((k - 1) / k) (t - mean) of the figure without each annotator."""
    names = ratings.annotator.values.tolist()
    left = np.array(
        [
            float(
                iaa.agreement(
                    keep_annotators(ratings, [one for one in names if one != out]),
                    name,
                    interval=None,
                ).estimate[0]
            )
            for out in names
        ]
    )
    return np.sqrt((len(left) - 1) / len(left)) * (left - left.mean())


def item_moves(ratings: xr.Dataset, name: str) -> np.ndarray:
    """Jackknife effects on the influence of each item: (annotator, item)."""
    names = ratings.annotator.values.tolist()
    left = np.array(
        [
            iaa.influence(
                keep_annotators(ratings, [one for one in names if one != out]), name
            ).influence.values
            for out in names
        ]
    )
    left = np.nan_to_num(left)
    return np.sqrt((len(left) - 1) / len(left)) * (left - left.mean(axis=0))


def on_items(moved: np.ndarray) -> float:
    """The part that the variance over items includes too."""
    items = moved.shape[1]
    return float(np.square(moved).sum() / (items * (items - 1)))


@pytest.mark.parametrize("form", [wide, by_slot])
@pytest.mark.parametrize("same", [True, False])
def test_annotators_by_hand(same: bool, form: Any) -> None:
    """Who rated in both is left out of both at once; others move one figure alone."""
    a, b = form(FIRST), form(SECOND)
    names = a.annotator.values.tolist()
    plain = quick(a, b, NAMES)
    found = quick(a, b if same else other(b), NAMES, **DRAWN)
    for place, name in enumerate(NAMES):
        one, two = moves(a, name), moves(b, name)
        items = float(plain.standard_error[place]) ** 2
        of_a, of_b = item_moves(a, name), item_moves(b, name)
        if same:
            parts = [(np.square(two - one).sum() - on_items(of_b - of_a), len(names) - 1)]
        else:
            parts = [
                (np.square(each).sum() - on_items(moved), len(names) - 1)
                for each, moved in ((one, of_a), (two, of_b))
            ]
            assert min(part for part, _ in parts) > 0
        parts = [(max(part, 0.0), degrees) for part, degrees in parts]
        parts.append((items, 39))
        whole = sum(part for part, _ in parts)
        degrees = whole**2 / sum(part**2 / df for part, df in parts)
        error = np.sqrt(whole)
        assert float(found.standard_error[place]) == pytest.approx(error)
        d = float(found.difference[place])
        assert float(found.p_value[place]) == pytest.approx(2 * stats.t.sf(abs(d) / error, degrees))
        assert float(found.ci_high[place]) == pytest.approx(d + stats.t.ppf(0.975, degrees) * error)
        wanted = np.hypot(float(plain.standard_error_a[place]), np.sqrt(np.square(one).sum()))
        assert float(found.standard_error_a[place]) == pytest.approx(wanted)
    assert np.isnan(found.permutation_p_value).all()
    assert np.isnan(found.items_needed_a).all()
    assert notes_of(found, "annotators_too")
    assert not notes_of(found, "items_are_random")


def test_some_annotators_in_both() -> None:
    a = wide(FIRST)
    names = a.annotator.values.tolist()
    b = wide(SECOND).assign_coords(annotator=[*names[:2], "new", "newer"])
    found = quick(a, b, NAMES[:1], **DRAWN)
    one, two = moves(a, NAMES[0]), moves(b, NAMES[0])
    annotators = (
        np.square(two - one)[:2].sum() + np.square(one)[2:].sum() + np.square(two)[2:].sum()
    )
    of_a, of_b = item_moves(a, NAMES[0]), item_moves(b, NAMES[0])
    for moved in ((of_b - of_a)[:2], of_a[2:], of_b[2:]):
        annotators -= on_items(moved)
    assert annotators > 0
    items = float(quick(a, b, NAMES[:1]).standard_error[0]) ** 2
    assert float(found.standard_error[0]) == pytest.approx(np.sqrt(items + annotators))


def test_clusters_and_annotators() -> None:
    documents = ("item", np.arange(40) // 5)
    a, b = (wide(rows).assign_coords(document=documents) for rows in (FIRST, SECOND))
    of_clusters = quick(a, b, interval="auto", sampling=iaa.Sampling("document"))
    both = iaa.Sampling("document", "random")
    found = quick(a, b, interval="auto", sampling=both)
    moved = moves(b, "krippendorff_alpha") - moves(a, "krippendorff_alpha")
    apart = item_moves(b, "krippendorff_alpha") - item_moves(a, "krippendorff_alpha")
    by_document = np.array([np.bincount(documents[1], weights=one) for one in apart]) / 40
    wanted = float(of_clusters.standard_error[0]) ** 2
    annotators = np.square(moved).sum() - 8 / 7 * np.square(by_document).sum()
    wanted += max(annotators, 0.0)
    assert float(found.standard_error[0]) == pytest.approx(np.sqrt(wanted))
    (note,) = notes_of(found, "annotators_too")
    assert note.values["units"].values == {"cluster": "document"}


def test_groups_of_one_file_are_tested_by_other_groups() -> None:
    """p comes from ways to divide the annotators; from Student's t if these are too few."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 40)
    skill = np.array([0.9] * 4 + [0.4] * 4)
    guess = rng.integers(0, 3, (40, 8))
    codes = np.where(rng.random((40, 8)) < skill, truth[:, None], guess)
    ratings = iaa.from_wide(np.array(list("abc"))[codes], labels=list("abc"))
    given = {"by": "team", "permutations": 2000, **DRAWN}
    four = ratings.assign_coords(team=("annotator", ["p"] * 4 + ["q"] * 4))
    found = quick(four, None, **given)
    assert float(found.p_value[0]) == float(found.annotator_p_value[0]) == pytest.approx(2 / 70)
    assert float(found.permutation_p_value[0]) == float(found.p_value[0])
    assert found.attrs["conclusion"] == "a_higher"
    assert not notes_of(found, "these_annotators_alone")
    few = keep_annotators(four, four.annotator.values[1:7].tolist())
    found = quick(few, None, **given)
    assert float(found.permutation_p_value[0]) >= 0.1
    d, error = float(found.difference[0]), float(found.standard_error[0])
    assert float(found.p_value[0]) < 2 * stats.t.sf(abs(d) / error, 2)
    assert "cannot be below 0.1" in str(found.note[0].values)
    assert "few_annotators_drawn" in [note.code for note in notes_of(found)]


def test_what_cannot_be_drawn() -> None:
    a, b = wide(FIRST), wide(SECOND)
    for sampling in (iaa.Sampling(population=500), iaa.Sampling(bayesian=True)):
        with pytest.raises(iaa.IaaError, match="is not available here"):
            quick(a, b, interval="auto", sampling=sampling)
    with pytest.raises(iaa.IaaError, match="give auto, normal, t or None"):
        quick(a, b, interval="bca", sampling=DRAWN["sampling"])
    counts = [iaa.from_counts([[3, 1], [2, 2], [0, 4]] * 4) for _ in "ab"]
    with pytest.raises(iaa.IaaError, match="counts without annotators"):
        quick(*counts, **DRAWN)
    two = [wide([row[:2] for row in rows]) for rows in (FIRST, SECOND)]
    found = quick(*two, **DRAWN)
    assert found.attrs["conclusion"] == "unknown"
    assert "without one of the annotators" in str(found.note[0].values)
