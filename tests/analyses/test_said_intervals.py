"""Of which kind an interval is, stands beside it in results, and pages say it of their own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.wording.formats import interval
from tests.data.marked.documents import random_documents
from tests.noted import notes_of

FAST: dict[str, Any] = {"replicates": 100}
BOOTSTRAP = "bootstrap over items (BCa), 100 resamples, seed 0"
POSTERIOR = "empirical Bayes over items, 100 draws, seed 0"
ALONE = f"{BOOTSTRAP}."
BY_DOCUMENT = iaa.Sampling(cluster="document")


def random_sets() -> xr.Dataset:
    rng = np.random.default_rng(0)
    truth = rng.random((24, 1, 3)) < 0.4
    given = np.where(rng.random((24, 3, 3)) < 0.15, ~truth, truth)
    rows = [[["abc"[k] for k in np.flatnonzero(cell)] for cell in row] for row in given]
    return iaa.from_sets(rows, labels=list("abc"))


SETS = random_sets().assign_coords(document=("item", np.arange(24) // 3))
SHARES = iaa.from_mass(np.random.default_rng(0).dirichlet(np.ones(3), size=(24, 3)))
MANY_LABELS = iaa.from_wide([["a", "a"], ["b", "c"], ["d", "d"], ["e", "e"]], labels=list("abcdef"))
NUMBERS = iaa.from_values(
    np.random.default_rng(1).normal(size=(24, 1)) + np.random.default_rng(2).normal(size=(24, 3))
).assign_coords(half=("item", np.arange(24) % 2))


def said(result: object) -> list[str]:
    """The sentences of a page about its intervals, without their beginning."""
    lines = " ".join(str(result).split()).split(" - ")
    start = "95 % intervals"
    return [line.removeprefix(start).removeprefix(": ") for line in lines if line.startswith(start)]


@pytest.mark.parametrize(
    ("study", "ratings"),
    [
        (iaa.per_label, SETS),
        (iaa.label_sets, SETS),
        (iaa.labels, SETS),
        (iaa.labels, SHARES),
        (iaa.labels, MANY_LABELS),
    ],
)
def test_the_kind_beside_an_interval_makes_the_same_one(
    study: Callable[..., xr.Dataset], ratings: xr.Dataset
) -> None:
    found = study(ratings, **FAST)
    names = [str(name).removesuffix("interval") for name in found if "interval" in str(name)]
    assert len(names) >= 2
    for name in names:
        (kind,) = set(found[f"{name}interval"].values.ravel().tolist())
        asked = study(ratings, interval=kind, **FAST)
        # unasked, shares that all items have alike have Jeffreys' interval
        varies = asked[f"{name}ci_low"] < asked[f"{name}ci_high"]
        for end in ("ci_low", "ci_high"):
            several = (each[f"{name}{end}"].where(varies) for each in (found, asked))
            np.testing.assert_allclose(*several, rtol=1e-12, err_msg=f"{name} {kind}")


def test_labels_and_sets_say_that_bands_have_another_kind() -> None:
    def sentences(ratings: xr.Dataset, **how: Any) -> list[str]:
        labels, sets = (each(ratings, **FAST, **how) for each in (iaa.per_label, iaa.label_sets))
        assert said(iaa.page(labels, sets))[1:] == said(iaa.page(sets))[1:]
        return said(iaa.page(labels, sets))

    first, second = sentences(SETS)
    assert first.startswith("empirical Bayes over items")
    assert second == f" of Items with agreement: {BOOTSTRAP}."
    assert sentences(SETS, interval="bca") == [ALONE]
    first, second = sentences(SETS, sampling=BY_DOCUMENT)
    assert first.startswith("jackknife t over 8 clusters")
    assert second == (
        " of Items with agreement: Student's t from the standard error over 8 clusters of items "
        "(document), kept within the range."
    )
    ranged = iaa.Interval("t", transform="range")
    asked, found = (
        iaa.label_sets(SETS, sampling=BY_DOCUMENT, interval=how) for how in (ranged, "auto")
    )
    np.testing.assert_array_equal(asked.band_ci_high, found.band_ci_high)


def test_more_sets_than_items_have_no_posterior() -> None:
    """Their titles hold commas."""
    rng = np.random.default_rng(3)
    rows = [[[k for k in range(9) if rng.random() < 0.5] for _ in "ab"] for _ in range(20)]
    ratings = iaa.from_sets(rows)
    shown = iaa.page(*(each(ratings, **FAST) for each in (iaa.per_label, iaa.label_sets)))
    of_labels, of_sets, of_bands = said(shown)
    assert of_labels.startswith("empirical Bayes")
    sets = " of A_m; Alpha, MASI; Alpha, Jaccard; Alpha, identical sets: jackknife t"
    assert of_sets.startswith(sets)
    assert of_bands == f" of Items with agreement: {BOOTSTRAP}."


def test_bands_without_an_interval_say_why() -> None:
    found = iaa.label_sets(SETS, interval="empirical_bayes", **FAST)
    assert np.isnan(found.band_ci_low).all()
    (note,) = notes_of(found, "no_prior")
    assert note.about == ("bands",)


def test_labels_say_whose_intervals_are_made_otherwise() -> None:
    first, second = said(iaa.page(iaa.labels(SHARES, **FAST)))
    assert first == ALONE
    assert second.startswith(" of Krippendorff's alpha: jackknife t")
    (first,) = said(iaa.page(iaa.labels(MANY_LABELS, **FAST)))
    assert first.startswith("empirical Bayes")


def test_annotators_and_groups_say_each_their_own() -> None:
    ratings = SETS.assign_coords(half=("item", np.arange(24) % 2))
    table = iaa.annotators(ratings, **FAST)
    assert said(iaa.page(table)) == [f"{POSTERIOR}."]
    asked = iaa.annotators(ratings, interval="bca", **FAST)
    groups = iaa.agreement_by(ratings, "half", "krippendorff_alpha", **FAST)
    first, second = said(iaa.page(asked, groups))
    assert first.startswith("empirical Bayes")
    assert second == f" of agreement with the others: {BOOTSTRAP}."


def test_two_annotators_of_spans_have_the_interval_of_all() -> None:
    spans = iaa.from_spans(random_documents(3, 30)).isel(annotator=slice(2))
    table, whole = iaa.annotators(spans, **FAST), iaa.span_f1(spans)
    np.testing.assert_allclose(table.agreement_ci_low, float(whole.ci_low), rtol=1e-12)
    assert table.attrs["interval"] == whole.interval.item()


@pytest.mark.parametrize("study", ["agreement", "agreement_by"])
def test_a_coefficient_over_annotators_by_its_name_is_said_by_its_note_alone(study: str) -> None:
    where = ("half",) if study == "agreement_by" else ()
    shown = iaa.page(getattr(iaa, study)(NUMBERS, *where, ["icc2"]))
    assert said(shown) == []
    text = " ".join(str(shown).split())
    assert "the interval generalises to other items and other annotators" in text
    assert "annotators='fixed' makes it about these annotators only" in text
    (both,) = said(iaa.page(getattr(iaa, study)(NUMBERS, *where, ["icc2", "icc3"])))
    assert both.startswith("jackknife t")


def test_another_seed_moves_printed_ends_by_one_unit_in_the_last_place() -> None:
    """Of tables with 8 to 400 items; with three decimals more than half moved further.

    Beside 0 ends have as many as show their side.
    """
    moved, with_three = [], []
    for items, (labels, annotators, knows) in product(
        (8, 12, 16, 24, 36, 60, 100, 400), ((2, 2, 0.6), (3, 4, 0.8), (5, 3, 0.9))
    ):
        rng = np.random.default_rng([items, labels])
        truth, guess = rng.integers(labels, size=(items, 1)), (items, annotators)
        codes = np.where(rng.random(guess) < knows, truth, rng.integers(labels, size=guess))
        ratings = iaa.from_wide(codes, labels=list(range(labels)))
        names = ["krippendorff_alpha", "percent_agreement"]
        both = [iaa.agreement(ratings, names, seed=seed) for seed in (1, 2)]
        for row in range(2):
            ends = [(float(one.ci_low[row]), float(one.ci_high[row])) for one in both]
            if min(abs(end) for each in ends for end in each) < 0.1:
                continue
            for one, other in zip(*(interval(each).split(" to ") for each in ends), strict=True):
                places = min(len(end.partition(".")[2]) for end in (one, other))
                moved.append(abs(round((float(one) - float(other)) * 10**places)))
            low, high = ends[0]
            assert float(interval((low, high)).split(" to ")[0]) <= both[0].estimate[row]
            assert float(interval((low, high)).split(" to ")[1]) >= both[0].estimate[row]
            with_three += [abs(round((a - b) * 1000)) for a, b in zip(*ends, strict=True)]
    assert np.mean(np.array(moved) <= 1) >= 0.95
    assert max(moved) <= 2
    assert np.mean(np.array(with_three) <= 1) < 0.5
