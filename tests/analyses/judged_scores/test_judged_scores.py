"""Corrected scores against plain loops, what they must equal, and what they refuse."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.noted import notes_of
from tests.oracles.judged_scores import Item, corrected, interval, off
from tests.taken import one_of

LABELS = "xyz"
PEOPLE = ["ann", "bob", "cy", "di"]
JUDGES = ["gpt", "lama"]
FIXED, RANDOM = (iaa.Sampling(annotators=kind) for kind in ("fixed", "random"))
NAMES = ("people_alone", "corrected")


def drawn(seed: int, *, items: int = 60, rated: int = 25, gaps: bool = True) -> np.ndarray:
    """Codes (item, two judges and four people), -1 where nobody rated."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (items, 1))
    knows = rng.random((items, 6)) < [0.8, 0.5, 0.8, 0.7, 0.9, 0.6]
    codes = np.where(knows, truth, rng.integers(0, 3, (items, 6)))
    codes[rng.permutation(items)[rated:], 2:] = -1
    if gaps:
        there = np.flatnonzero(codes[:, 2] >= 0)
        for item in there:
            codes[item, 2 + rng.permutation(4)[: rng.integers(0, 4)]] = -1
    return codes


def made(codes: np.ndarray, **columns: Any) -> xr.Dataset:
    rows = [[LABELS[code] if code >= 0 else None for code in row] for row in codes.tolist()]
    table = pd.DataFrame(rows, columns=[*JUDGES, *PEOPLE])
    ratings = iaa.from_wide(table, labels=list(LABELS))
    return ratings.assign_coords({name: ("item", values) for name, values in columns.items()})


SCORES = {
    "share": lambda y, g: (y, 1.0),
    "precision": lambda y, g: (y * g, g),
    "recall": lambda y, g: (y * g, y),
    "f1": lambda y, g: (2 * y * g, y + g),
    "specificity": lambda y, g: ((1 - y) * (1 - g), 1 - y),
}


def items_of(codes: np.ndarray, judges: list[int], measure: str, label: int, scored: int = 0):
    """The items as the oracle takes them."""
    pair = SCORES[measure]
    items: list[Item] = []
    for at, row in enumerate(codes.tolist()):
        given = float(row[scored] == label)
        people = {
            name: pair(float(code == label), given)
            for name, code in zip(PEOPLE, row[2:], strict=True)
            if code >= 0
        }
        by = [pair(float(row[judge] == label), given) for judge in judges]
        items.append({"judges": by, "people": people, "unit": at})
    rated = sum(bool(item["people"]) for item in items)
    for item in items:
        item["probability"] = rated / len(items)
    return items


def assert_as_loops(result: xr.Dataset, items: list[Item], **options: Any) -> None:
    judges = len(items[0]["judges"])
    for name in NAMES:
        found = corrected(items, judges=judges, use=name == "corrected", **options)
        share = result["measure"].item() != "mean"
        known = min(max(found.estimate, 0.0), 1.0) if share else found.estimate
        ends = interval(found, 0.95, share=share)
        told = [float(result[f"{name}{end}"]) for end in ("", "_ci_low", "_ci_high")]
        np.testing.assert_allclose(told, [known, *ends], rtol=1e-7, atol=1e-9)
        error = float(result[f"{name}_standard_error"])
        np.testing.assert_allclose(error, np.sqrt(found.variance), rtol=1e-7, atol=1e-10)
    for judge in range(judges):
        own = result.isel(judge=judge)
        differs, variance = off(items, found, judge=judge, finite=options["finite"])
        low, high = (float(own[f"judge_alone_ci_{end}"]) for end in ("low", "high"))
        alone, differs = differs + found.estimate, differs + found.estimate - known
        error = float(own["judge_alone_standard_error"])
        half = 0.5 / (found.units + 1) if share else 0.0
        least = half * (1 - half) / found.units
        both = found.variance + error**2 - max(variance, least)  # twice the covariance
        alike = np.clip(both / 2 / error / np.sqrt(found.variance), -1, 1) if error else 0.0
        reaches = []
        for one, other in ((alone - low, ends[1] - known), (high - alone, known - ends[0])):
            reaches.append(np.sqrt(one**2 + other**2 - 2 * alike * one * other))
        told = [float(own[f"off{end}"]) for end in ("", "_standard_error", "_ci_low", "_ci_high")]
        wanted = [differs, np.sqrt(variance), differs - reaches[0], differs + reaches[1]]
        np.testing.assert_allclose(told, wanted, rtol=1e-6, atol=1e-9)
    if result["scored"].item() not in result["judge"].values:
        np.testing.assert_allclose(result["weight"], found.weight, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", one_of(3, range(3)))
@pytest.mark.parametrize("finite", [False, True])
@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("measure", [*SCORES])
def test_every_figure_is_that_of_loops(measure, people: bool, finite: bool, seed: int) -> None:
    codes = drawn(seed)
    sampling = RANDOM if people else FIXED
    result = iaa.judged_scores(
        made(codes), "gpt", PEOPLE, scored="lama", these_items=finite, sampling=sampling
    )
    scored = "" if measure == "share" else "lama"
    at = (result["measure"] == measure) & (result["label"] == "y") & (result["scored"] == scored)
    items = items_of(codes, [0], measure, 1, scored=1)
    assert_as_loops(result.isel(figure=at.values).squeeze("figure"), items, people=people,
                    finite=finite)  # fmt: skip


@pytest.mark.parametrize("design", ["judges", "clusters", "probability", "numbers"])
@pytest.mark.parametrize("people", [False, True])
def test_every_design_is_that_of_loops(design: str, people: bool) -> None:
    codes = drawn(7, items=80, rated=40)
    rng = np.random.default_rng(1)
    cluster, chance = rng.integers(0, 20, 80), rng.choice([0.2, 0.5, 1.0], 80)
    ratings = made(codes, text=cluster, chance=chance)
    judges, options = ["gpt"], {}
    items = items_of(codes, [0], "share", 1)
    if design == "judges":
        judges, items = JUDGES, items_of(codes, [0, 1], "share", 1)
    elif design == "clusters":
        options = {"cluster": "text"}
        for item, unit in zip(items, cluster, strict=True):
            item["unit"] = unit
    elif design == "probability":
        for item, each in zip(items, chance, strict=True):
            item["probability"] = each
    else:
        values = np.where(codes < 0, np.nan, codes * 1.5)
        ratings = iaa.from_values(values).assign_coords(annotator=[*JUDGES, *PEOPLE])
        for item, row in zip(items, values.tolist(), strict=True):
            item["judges"] = [(row[0], 1.0)]
            item["people"] = {
                name: (value, 1.0)
                for name, value in zip(PEOPLE, row[2:], strict=True)
                if not np.isnan(value)
            }
    sampling = iaa.Sampling(annotators="random" if people else "fixed", **options)
    given = {"probability": "chance"} if design == "probability" else {}
    result = iaa.judged_scores(ratings, judges, PEOPLE, sampling=sampling, **given)
    name = "mean" if design == "numbers" else "share of y"
    assert_as_loops(result.sel(figure=name), items, people=people, finite=False)


def test_a_constant_judge_gives_people_alone() -> None:
    codes = drawn(3)
    codes[:, 0] = 1
    result = iaa.judged_scores(made(codes), "gpt", PEOPLE)
    for ending in ("", "_standard_error", "_ci_low", "_ci_high"):
        alone, told = (result[f"{name}{ending}"].values for name in NAMES)
        np.testing.assert_array_equal(alone[:3], told[:3])
    assert not result["saved"].values[:3].any()
    assert result.attrs["conclusion"] == "no_gain"


@pytest.mark.parametrize("finite", [False, True])
def test_with_all_items_rated_every_way_is_the_plain_mean(finite: bool) -> None:
    codes = drawn(4, rated=60, gaps=False)
    result = iaa.judged_scores(made(codes), JUDGES, PEOPLE, sampling=FIXED, these_items=finite).sel(
        figure="share of x"
    )
    people = (codes[:, 2:] == 0).mean(axis=1)
    error = 0.0 if finite else people.std(ddof=1) / np.sqrt(60)
    for name in NAMES:
        np.testing.assert_allclose(result[name], people.mean(), rtol=1e-12)
        np.testing.assert_allclose(result[f"{name}_standard_error"], error, rtol=1e-9, atol=1e-15)
    assert result.attrs["conclusion"] == "all_rated"


FIGURES = [*NAMES, "saved", "from_people", *(f"{name}_ci_low" for name in NAMES)]


@pytest.mark.parametrize("sampling", [FIXED, RANDOM])
def test_a_weight_is_a_repetition(sampling: iaa.Sampling) -> None:
    codes = drawn(8)
    times = np.resize([1, 2, 3], len(codes))
    once = made(codes, item_weight=times.astype(float))
    once = once.reset_coords("item_weight")
    known = iaa.judged_scores(made(codes.repeat(times, axis=0)), "gpt", PEOPLE, sampling=sampling)
    told = iaa.judged_scores(once, "gpt", PEOPLE, sampling=sampling)
    for name in FIGURES:
        np.testing.assert_allclose(told[name], known[name], rtol=1e-9, atol=1e-12)


def test_items_without_a_judge_do_not_count() -> None:
    codes = drawn(9)
    lost = codes.copy()
    lost[::5, 0] = -1
    told = iaa.judged_scores(made(lost), "gpt", PEOPLE, scored="gpt")
    known = iaa.judged_scores(made(codes[lost[:, 0] >= 0]), "gpt", PEOPLE, scored="gpt")
    for name in FIGURES:
        np.testing.assert_allclose(told[name], known[name], rtol=1e-9)
    note = next(note for note in notes_of(told) if note.code == "not_judged")
    assert note.values["items"] == int((codes[::5, 2:] >= 0).any(axis=1).sum())


def test_sets_are_shares_of_items_with_a_label() -> None:
    codes = drawn(10)
    rows = [[None if code < 0 else {LABELS[code], "always"} for code in row] for row in codes]
    sets = iaa.from_sets(rows).assign_coords(annotator=[*JUDGES, *PEOPLE])
    told = iaa.judged_scores(sets, "gpt", PEOPLE, scored="lama")
    known = iaa.judged_scores(made(codes), "gpt", PEOPLE, scored="lama")
    for label, name in itertools.product(LABELS, FIGURES):
        for figure in (f"share of {label}", f"recall of {label} by lama"):
            one, other = (float(each[name].sel(figure=figure)) for each in (told, known))
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    assert float(told["corrected"].sel(figure="share of always")) == 1.0


def test_a_label_that_people_never_gave_has_no_corrected_figure() -> None:
    codes = drawn(11)
    codes[:, 2:] = np.where(codes[:, 2:] == 2, 1, codes[:, 2:])
    codes[0, 0] = 2
    result = iaa.judged_scores(made(codes), "gpt", PEOPLE)
    own = result.isel(figure=(result["label"] == "z").values)
    assert np.isnan(own["corrected"]).all()
    assert (own["code"] == 1).all()
    others = result.isel(
        figure=(result["measure"] == "share").values & (result["code"] == 0).values
    )
    assert not np.isnan(others["corrected"]).any()
    assert "People never gave 'z'" in str(iaa.page(result))


def test_a_cluster_without_ratings_is_named() -> None:
    codes = drawn(12)
    text = np.where((codes[:, 2:] >= 0).any(axis=1), "seen", "other").astype(object)
    text[::7] = "third"
    ratings = made(codes, text=text)
    result = iaa.judged_scores(
        ratings, "gpt", PEOPLE, sampling=iaa.Sampling(cluster="text", annotators="fixed")
    )
    note = next(note for note in notes_of(result) if note.code == "clusters_unrated")
    assert note.values["names"] == ["other"]


def test_people_are_a_sample_from_three_on() -> None:
    codes = drawn(13, gaps=False)
    told = {
        number: iaa.judged_scores(made(codes), "gpt", PEOPLE[:number]).attrs["of_people"]
        for number in (1, 2, 3)
    }
    assert told == {1: "these", 2: "these", 3: "like_these"}
    fixed = iaa.judged_scores(made(codes), "gpt", PEOPLE, sampling=FIXED)
    like = iaa.judged_scores(made(codes), "gpt", PEOPLE)
    wider = like["corrected_standard_error"] >= fixed["corrected_standard_error"]
    assert wider.values[~np.isnan(fixed["corrected"].values)].all()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"judges": "nobody"}, "no annotator is called 'nobody'"),
        ({"judges": "gpt", "people": ["ann", "gpt"]}, "'gpt' cannot be a judge and one of"),
        ({"judges": "gpt", "people": "ann", "scored": "ann"}, "'ann' cannot be scored and"),
        ({"judges": [*JUDGES, *PEOPLE]}, "there is nobody"),
        ({"judges": ["gpt", "lama", "bob", "cy"], "people": "ann"}, "so .* 40, and there are 30"),
        ({"judges": "gpt", "people": "ann", "sampling": RANDOM}, "one person does not show"),
    ],
)
def test_what_cannot_be_corrected_is_refused(given: dict[str, Any], said: str) -> None:
    codes = drawn(14, rated=30, gaps=False)
    codes[:, 3:5] = np.maximum(codes[:, 3:5], 0)
    with pytest.raises(IaaError, match=said):
        iaa.judged_scores(made(codes), **given)
