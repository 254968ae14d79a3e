"""Plans for clusters of items, annotators who are drawn anew, and finite populations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.analyses.plan.pilots import ratings
from tests.noted import notes_of

FAST: dict[str, Any] = {"simulations": 0, "replicates": 0}


def test_a_finite_population_needs_fewer() -> None:
    data = ratings(100, 3, 9)
    free, part = (
        iaa.plan(
            data,
            half_width=0.03,
            sampling=iaa.Sampling(population=size),
            simulations=100,
            replicates=50,
        )
        for size in (None, 800)
    )
    expected = 1 / (1 / free.needed_items.item() + 1 / 800)
    assert part.needed_items.item() == pytest.approx(expected, abs=1)
    assert part["items"].max() <= 800
    whole = iaa.plan(data, sampling=iaa.Sampling(population=100), items=[100], per_item=[3], **FAST)
    assert whole.standard_error.item() == 0


def in_documents(documents: int, seed: int, size: int = 5, alike: float = 0.6) -> xr.Dataset:
    """Items whose documents lead to one label, by three annotators."""
    rng = np.random.default_rng(seed)
    document = np.arange(documents * size) // size
    leads = rng.integers(0, 2, documents)[document]
    truth = np.where(rng.random(len(document)) < alike, leads, rng.integers(0, 2, len(document)))
    guess = rng.integers(0, 2, (len(document), 3))
    hard = np.where(rng.random(documents) < 0.5, 0.5, 0.95)[document]
    rows = np.where(rng.random(guess.shape) < hard[:, None], truth[:, None], guess)
    return iaa.from_wide(rows, labels=[0, 1]).assign_coords(document=("item", document))


CLUSTERS = iaa.Sampling(cluster="document")
RANDOM = iaa.Sampling(annotators="random")


def test_clusters_have_the_standard_error_and_interval_of_agree() -> None:
    data = in_documents(40, 1)
    found = iaa.plan(data, sampling=CLUSTERS, items=[200, 400], per_item=[3], **FAST)
    known = iaa.krippendorff_alpha(data, sampling=CLUSTERS, interval="t")
    assert found.pilot_standard_error.item() == pytest.approx(known.standard_error.item())
    plain = iaa.variance(data, sampling=CLUSTERS, items=[200], per_item=[3]).half_width
    assert plain.item() == pytest.approx(float(known.ci_high - known.estimate))
    assert found.half_width.values[0, 0] > plain.item()
    alone = iaa.plan(data, items=[200, 400], per_item=[3], **FAST)
    assert (found.standard_error > 1.2 * alone.standard_error).all()


def test_the_needed_items_in_documents_just_suffice() -> None:
    data = in_documents(40, 1)
    found = iaa.plan(data, half_width=0.07, sampling=CLUSTERS, **FAST)
    planned = int(found.planned_items)
    near = iaa.plan(
        data, half_width=0.07, sampling=CLUSTERS, items=[planned - 1, planned], per_item=[3], **FAST
    )
    assert near.half_width.values[0, 0] > 0.07 >= near.half_width.values[1, 0]
    assert found.planned_clusters == math.ceil(planned / 5)
    (note,) = notes_of(found, "items_for_width")
    assert note.values["clusters"].values == {
        "clusters": found.planned_clusters,
        "cluster": "document",
    }
    said = " ".join(str(iaa.page(found)).split())
    assert f"items in {int(found.planned_clusters)} clusters by document with 3 annotators" in said
    assert "clusters by document like the pilot's (5 items on" in said
    assert "independent" not in said


@pytest.mark.slow
def test_documents_planned_are_those_of_many_sets() -> None:
    """The standard error of 30 documents from pilots of 60, against sets of 30."""
    planned = [
        iaa.plan(in_documents(60, k), sampling=CLUSTERS, items=[150], per_item=[3], **FAST)
        for k in range(8)
    ]
    sets = [
        float(iaa.krippendorff_alpha(in_documents(30, 500 + k), interval=None).estimate)
        for k in range(200)
    ]
    error = np.mean([one.standard_error.item() for one in planned])
    assert error == pytest.approx(np.std(sets, ddof=1), rel=0.15)


def test_what_items_of_a_document_share_no_annotator_reduces() -> None:
    data = in_documents(60, 2)
    found = iaa.plan(data, sampling=CLUSTERS, per_item=[2, 3, 6], **FAST)
    alone = iaa.plan(data, per_item=[2, 3, 6], **FAST)
    more = found.variance.values - alone.variance.values
    assert more == pytest.approx(more[0])
    assert more[0] > 0
    assert found.attrs["between_items"] == pytest.approx(alone.attrs["between_items"] + more[0])


def test_documents_that_differ_less_than_items_plan_at_the_pilots_standard_error() -> None:
    document = ("item", np.arange(150) // 5)
    data = next(
        data
        for data in (ratings(150, 3, seed).assign_coords(document=document) for seed in range(20))
        if iaa.krippendorff_alpha(data, sampling=CLUSTERS, interval="t").standard_error
        < iaa.krippendorff_alpha(data, interval="normal").standard_error
    )
    found = iaa.plan(data, sampling=CLUSTERS, items=[150], per_item=[3, 5], **FAST)
    assert found.standard_error.values[0, 0] == pytest.approx(found.pilot_standard_error.item())
    assert found.standard_error.values[0, 1] < found.standard_error.values[0, 0]


def by_annotators(items: int, annotators: int, seed: int, spread: float = 0.25) -> xr.Dataset:
    """Annotators who see a label with chances of their own."""
    rng = np.random.default_rng(seed)
    skill = 0.7 + spread * rng.uniform(-1, 1, annotators)
    truth = rng.integers(0, 2, (items, 1))
    rows = np.where(
        rng.random((items, annotators)) < skill, truth, rng.integers(0, 2, (items, annotators))
    )
    return iaa.from_wide(rows, labels=[0, 1])


def test_random_annotators_leave_a_part_that_no_items_reduce() -> None:
    data = by_annotators(200, 26, 1)
    found = iaa.plan(
        data, half_width=0.1, sampling=RANDOM, items=[200, 10**6], per_item=[26], **FAST
    )
    fixed = iaa.plan(data, half_width=0.1, items=[200, 10**6], per_item=[26], **FAST)
    part = found.standard_error.values**2 - fixed.standard_error.values**2
    assert part[0] == pytest.approx(part[1])
    assert found.from_annotators == pytest.approx(
        part[0, 0] / found.standard_error.values[0, 0] ** 2
    )
    # agree counts what annotators do on single items in both parts
    known = iaa.krippendorff_alpha(data, sampling=RANDOM, interval="t")
    assert found.pilot_standard_error < known.standard_error
    twice = (fixed.variance.item() - fixed.attrs["between_items"]) / 200
    error = math.sqrt(found.pilot_standard_error.item() ** 2 + twice)
    assert error == pytest.approx(known.standard_error.item(), rel=1e-6)
    plain = iaa.variance(data, sampling=RANDOM, items=[10**6], per_item=[26]).half_width
    assert found.annotators_half_width == pytest.approx(plain.item(), rel=0.01)


def test_out_of_reach_by_items_alone_names_the_annotators() -> None:
    found = iaa.plan(by_annotators(200, 26, 1), half_width=0.03, sampling=RANDOM, **FAST)
    assert math.isnan(found.needed_items)
    (note,) = notes_of(found, "beyond_annotators")
    assert note.values["annotators"] == 26
    fewest = int(found.fewest_annotators)
    assert note.values["fewest"].values["annotators"] == fewest
    assert fewest > 26
    enough = found.annotators_in_all >= fewest
    assert np.isfinite(found.items_planned.values[enough.values]).all()
    assert np.isnan(found.items_planned.values[~enough.values]).all()
    said = " ".join(str(iaa.page(found)).split())
    more, items = int(found.more_annotators), int(found.items_of_more)
    assert (
        f"It takes {fewest} annotators or more, for example {more} and {items:,} items with" in said
    )
    assert items == found.items_planned.sel(annotators=more)


def test_a_crowd_gets_more_annotators_not_more_for_each_item() -> None:
    rows = by_annotators(240, 24, 4).primary.values.astype(float)
    rng = np.random.default_rng(5)
    rows[rng.random(rows.shape).argsort(axis=1) >= 3] = np.nan
    data = iaa.from_wide(rows, labels=[0, 1])
    found = iaa.plan(data, half_width=0.05, sampling=RANDOM, **FAST)
    assert found.pilot_annotators_in_all == 24
    assert found.more_annotators > found.fewest_annotators > 24
    assert found.more_per_item == 3
    assert found.annotators.max() < 10
    assert np.isfinite(found.items_of_more)


@pytest.mark.slow
def test_annotators_planned_are_those_of_many_sets() -> None:
    """The standard error of 8 annotators on 100 items from pilots of 30, against sets of 8."""
    planned = [
        iaa.plan(by_annotators(100, 30, k), sampling=RANDOM, items=[100], per_item=[8], **FAST)
        for k in range(8)
    ]
    sets = [
        float(iaa.krippendorff_alpha(by_annotators(100, 8, 500 + k), interval=None).estimate)
        for k in range(200)
    ]
    error = math.sqrt(np.mean([one.standard_error.item() ** 2 for one in planned]))
    assert error == pytest.approx(np.std(sets, ddof=1), rel=0.2)


def test_few_annotators_cannot_tell_and_that_is_said() -> None:
    found = iaa.plan(by_annotators(400, 5, 3), half_width=0.2, sampling=RANDOM, simulations=0)
    assert found.attrs["conclusion"] == "pilot_too_small"
    (note,) = notes_of(found, "too_few_annotators")
    assert note.values == {"annotators": 5, "wanted": found.wanted_annotators}
    assert f"have {int(found.wanted_annotators)} annotators rate" in str(iaa.page(found))


def test_the_name_of_a_coefficient_may_say_that_annotators_are_random() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(80, 1)) + rng.normal(size=5) / 2 + rng.normal(size=(80, 5)) / 2
    data = iaa.from_values(rows)
    found = iaa.plan(data, "icc2", **FAST)
    assert found.attrs["sampling_annotators"] == "random"
    fixed = iaa.plan(data, "icc2", sampling=iaa.Sampling(annotators="fixed"), **FAST)
    assert found.pilot_half_width > 1.5 * fixed.pilot_half_width


def test_what_is_random_is_recorded() -> None:
    sampling = iaa.Sampling(cluster="document", population=900)
    found = iaa.plan(in_documents(40, 1), sampling=sampling, **FAST)
    assert found.attrs["sampling_cluster"] == "document"
    assert found.attrs["sampling_population"] == 900
    assert found.attrs["clusters"] == 40
    assert "population" not in found.attrs
    assert notes_of(iaa.plan(in_documents(40, 1), sampling=CLUSTERS), "only_items_simulated")
