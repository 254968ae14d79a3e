"""The study of label sets, and each label as present or absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.kernels.test_multi_label import SLIDE, TEN_ITEMS, TEN_LABELS, mass_of
from tests.noted import notes_of
from tests.oracles import multi_label as oracle


def ratings_of(mass: np.ndarray, labels: Any = None) -> xr.Dataset:
    names = [f"l{k}" for k in range(mass.shape[2])] if labels is None else list(labels)
    rows = [
        [None if np.isnan(x[0]) else [names[k] for k in np.flatnonzero(x)] for x in row]
        for row in mass
    ]
    return iaa.from_sets(rows, labels=names)


def cells_of(ratings: xr.Dataset) -> list[list[dict[str, float] | None]]:
    names = ratings.label.values.tolist()
    return [
        [None if np.isnan(x[0]) else {names[k]: 1.0 for k in np.flatnonzero(x)} for x in row]
        for row in iaa.data.mass(ratings).values
    ]


@pytest.fixture
def ten() -> xr.Dataset:
    return iaa.from_sets([list(map(list, row)) for row in TEN_ITEMS], labels=TEN_LABELS)


@pytest.fixture
def gaps() -> xr.Dataset:
    rng = np.random.default_rng(4)
    mass = (rng.random((30, 4, 5)) < 0.35).astype(float)
    mass[rng.random((30, 4)) < 0.3] = np.nan
    mass[0], mass[1, 1:] = np.nan, np.nan
    mass[1, 0] = 0.0
    return ratings_of(mass)


def test_am1_item_agreement_and_floor() -> None:
    found = iaa.label_sets(ratings_of(mass_of(SLIDE), "ADSH"), interval=None)
    np.testing.assert_allclose(found.item_agreement, [1 / 2, 1 / 6, 1 / 2, 1 / 2])
    np.testing.assert_allclose(found.floor, 1 / 6)


def test_am1_item_agreement_is_its_oracle(gaps: xr.Dataset) -> None:
    found = iaa.label_sets(gaps, interval=None)
    labels = gaps.label.values.tolist()
    wanted = [oracle.item_agreement(row, labels, [1] * 4) for row in cells_of(gaps)]
    known = np.array([np.nan if p is None else p for p in wanted])
    np.testing.assert_allclose(found.item_agreement, known, atol=1e-14)
    observed = found.observed.sel(coefficient="am_agreement")
    np.testing.assert_allclose(np.nanmean(known), observed, atol=1e-14)


def test_am3_public_function(ten: xr.Dataset) -> None:
    found = iaa.am_agreement(ten)
    np.testing.assert_allclose(found.estimate, 0.71392, atol=5e-6)
    assert found.ci_low < found.estimate < found.ci_high
    assert "am_agreement" in iaa.agreement(ten, interval=None).coefficient


def test_am3_goes_through_the_other_studies(ten: xr.Dataset) -> None:
    """Left-out annotators, groups of items and influences, with no line of code for A_m in them."""
    without = iaa.annotators(ten, "am_agreement", interval=None).without.values
    kept = [ten.isel(annotator=[b for b in range(3) if b != a]) for a in range(3)]
    alone = [float(iaa.am_agreement(part, interval=None).estimate) for part in kept]
    np.testing.assert_allclose(without, alone, atol=1e-13)
    halves = ten.assign_coords(batch=("item", list("aaaaabbbbb")))
    by = iaa.agreement_by(halves, "batch", ["am_agreement"], interval=None).estimate.squeeze()
    parts = [ten.isel(item=slice(0, 5)), ten.isel(item=slice(5, 10))]
    wanted = [float(iaa.am_agreement(part, interval=None).estimate) for part in parts]
    np.testing.assert_allclose(by, wanted, atol=1e-13)
    influence = iaa.influence(ten, "am_agreement").influence
    error = np.sqrt(float((influence**2).sum()) / (10 * 9))
    np.testing.assert_allclose(iaa.am_agreement(ten, interval="normal").standard_error, error)


def test_bands_whose_interval_shows_nothing_are_noted() -> None:
    alike, apart = [["p"], ["p"]], [["p"], ["q"]]
    everywhere = iaa.from_sets([alike, [["q"], ["q"]]] * 10, labels=["p", "q", "r"])
    result = iaa.label_sets(everywhere, interval="bca", replicates=50)
    assert result.band_ci_low == result.band_ci_high == 1
    unasked = iaa.label_sets(everywhere, replicates=50)
    assert 0.85 < unasked.band_ci_low < 0.9  # Jeffreys' of 20 of 20
    assert not notes_of(unasked, "bands_without_width")
    (note,) = notes_of(result, "bands_without_width")
    assert [band.values for band in note.values["bands"]] == [{"low": 0.7, "high": 1.0}]
    assert "Items with agreement 0.7 to 1: the interval has no width" in str(iaa.page(result))
    mixed = iaa.from_sets([alike, apart] * 10, labels=["p", "q", "r"])
    assert not notes_of(iaa.label_sets(mixed, replicates=50), "bands_without_width")


def test_bands_over_clusters_are_those_of_one_item_each(ten: xr.Dataset) -> None:
    """Clusters of three copies say as much as the item that was copied."""
    how: dict[str, Any] = {"bands": [(0.7, 1), (0.4, 0.6)], "interval": "t"}
    copies = ten.isel(item=np.repeat(np.arange(10), 3)).assign_coords(item=np.arange(30))
    copies = copies.assign_coords(of=("item", np.repeat(np.arange(10), 3)))
    found = iaa.label_sets(copies, sampling=iaa.Sampling(cluster="of"), **how)
    wanted = iaa.label_sets(ten, **how)
    for name in ("band_share", "band_standard_error", "band_ci_low", "band_ci_high"):
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-12, err_msg=name)


def test_more_sets_than_are_compared_may_have_too_many_pairs_of_labels(
    gaps: xr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iaa_jax._thresholds.SETS_COMPARED", 2)
    whole = iaa.am_agreement(gaps, interval=None)
    monkeypatch.setattr("iaa_jax.measure.ratings.limits.SET_PAIRS", 2)
    with pytest.raises(iaa.IaaError, match="pairs of labels are too many to compare: leave rare"):
        iaa.am_agreement(gaps)
    monkeypatch.setattr("iaa_jax._thresholds.SETS_COMPARED", 1000)
    assert float(iaa.am_agreement(gaps, interval=None).estimate) == float(whole.estimate)


def test_am4_majority_ties_and_none() -> None:
    rows = [
        [["a", "b"], ["a"], ["b"]],  # 2 of 3 each
        [["a"], ["b"], ["c"]],  # 1 of 3 each: no majority
        [["a"], ["b"], None],  # tied
        [[], [], ["a"]],  # none is the answer
        [["c"], None, None],
    ]
    found = iaa.label_sets(iaa.from_sets(rows), interval=None)
    assert found.majority.values.astype(int).tolist() == [
        [1, 1, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 1],
    ]
    assert found.tied.values.sum(axis=1).tolist() == [0, 0, 2, 0, 0]
    assert found.no_majority.values.tolist() == [False, True, True, True, False]
    assert found.majority_empty.values.tolist() == [False, False, False, True, False]
    np.testing.assert_allclose(found.votes.values[0], [2 / 3, 2 / 3, 0])
    assert np.isnan(found.item_agreement.values[4])


def test_am5_expert_coder_index(ten: xr.Dataset) -> None:
    found = iaa.label_sets(ten, interval=None)
    np.testing.assert_allclose(found.expert_coder_index, [0.87, 0.82667, 0.85667], atol=5e-6)
    other = iaa.label_sets(ten, coefficient="am_agreement", interval=None)
    np.testing.assert_allclose(other.expert_coder_index, [0.75175, 0.66680, 0.72273], atol=5e-6)
    assert found.compared_annotators.values.tolist() == [2, 2, 2]


def test_am5_annotators_without_enough_common_items_are_not_compared() -> None:
    rows = [[["a"], ["a"], None], [["b"], ["b"], None], [["a"], None, ["b"]]]
    found = iaa.label_sets(iaa.from_sets(rows), interval=None)
    assert found.compared_annotators.values.tolist() == [1, 1, 0]
    assert np.isnan(found.expert_coder_index.values[2])
    assert iaa.label_sets(iaa.from_sets(rows), min_common=1).compared_annotators.sum() == 4


def test_am6_bands_and_histogram(ten: xr.Dataset) -> None:
    found = iaa.label_sets(ten, bands=[(0.7, 1), (0.4, 0.6)])
    agreement = found.item_agreement.values
    assert found.band_items.values.tolist() == [8, 2]  # 5 + 3; .6 and .578
    np.testing.assert_allclose(found.band_share, [0.8, 0.2])
    inside = agreement >= 0.7
    single = found.single_label.values
    assert single.tolist() == [all(len(cell) == 1 for cell in row) for row in TEN_ITEMS]
    np.testing.assert_allclose(found.band_single_label[0], single[inside].mean())
    # .6 lies on an edge, and belongs above it
    assert found.bin_items.values.reshape(5, 2).sum(axis=1).tolist() == [0, 0, 1, 4, 5]
    # the share is a mean: its error is known
    np.testing.assert_allclose(found.band_standard_error[0], np.sqrt(0.8 * 0.2 / 9))
    assert 0.4 <= found.band_ci_low[0] < 0.8 < found.band_ci_high[0] <= 1


def test_am7_label_pairs_are_their_oracle(gaps: xr.Dataset) -> None:
    found = iaa.label_sets(gaps, interval=None)
    labels, cells = gaps.label.values.tolist(), cells_of(gaps)
    agreed = oracle.label_pair_agreement(cells, labels, [1] * len(cells))
    swapped = oracle.swaps(cells, labels, [1] * len(cells))
    pairs = list(zip(found.first_label.values, found.second_label.values, strict=True))
    assert set(pairs) == set(agreed)
    for place, pair in enumerate(pairs):
        np.testing.assert_allclose(found.pair_disagreement[place], 1 - agreed[pair], atol=1e-13)
        names = ("swapped_items", "swapped_pairs", "swapped_alone_items")
        assert tuple(found[name].values[place] for name in names) == swapped[pair]
    assert np.all(np.diff(found.pair_disagreement) <= 1e-12)
    per_item = [
        oracle.label_pair_agreement([row], labels, [1])[pairs[0]]
        for row in cells
        if sum(cell is not None for cell in row) > 1
    ]
    paired, rated = len(per_item), sum(any(cell is not None for cell in row) for row in cells)
    assert rated > paired
    error = np.std(per_item) / np.sqrt(paired) * np.sqrt(rated / (rated - 1))
    np.testing.assert_allclose(found.pair_standard_error[0], error)
    some = iaa.label_sets(gaps, interval=None, sampling=iaa.Sampling(population=2 * rated))
    np.testing.assert_allclose(some.pair_standard_error[0], error * np.sqrt(1 / 2))
    documents = gaps.assign_coords(document=("item", np.arange(gaps.sizes["item"]) // 2))
    by_document = iaa.Sampling(cluster="document")
    clustered = iaa.label_sets(documents, interval=None, sampling=by_document)
    assert np.isnan(clustered.pair_standard_error).all()


def test_am7_swapped_share() -> None:
    rows = [[["a"], ["b"]], [["a"], ["a"]], [["a", "b"], ["a", "b"]], [["a"], ["a", "b"]]]
    found = iaa.label_sets(iaa.from_sets(rows), interval=None)
    # three pairs of annotators with exactly one of a, b on either side; one is swapped
    np.testing.assert_allclose(found.swapped_share, [1 / 3])


def test_weights_are_repeated_items(gaps: xr.Dataset) -> None:
    times = np.random.default_rng(0).integers(0, 3, gaps.sizes["item"])
    times[:5] = 1
    weighted = gaps.assign(item_weight=("item", times.astype(float)))
    repeated = gaps.isel(item=np.repeat(np.arange(len(times)), times))
    repeated = repeated.assign_coords(item=np.arange(repeated.sizes["item"]))
    one, other = (iaa.label_sets(r, interval=None) for r in (weighted, repeated))
    for name in ("estimate", "band_share", "bin_items", "pair_disagreement", "swapped_items"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-12)
    np.testing.assert_allclose(one.expert_coder_index, other.expert_coder_index, atol=1e-12)


def test_each_label_alone_is_a_table_of_0_and_1(gaps: xr.Dataset) -> None:
    found = iaa.per_label(gaps, ["krippendorff_alpha", "specific_agreement", "conger_kappa"])
    mass = iaa.data.mass(gaps).values
    for place, label in enumerate(gaps.label.values):
        alone = iaa.from_wide(pd.DataFrame(mass[:, :, place]), labels=[0, 1])
        own = found.sel(label=label)
        alpha = iaa.krippendorff_alpha(alone, interval=None)
        np.testing.assert_allclose(
            own.estimate.sel(coefficient="krippendorff_alpha"), alpha.estimate, atol=1e-13
        )
        presence = iaa.specific_agreement(alone, interval="normal")
        both = own.sel(coefficient="specific_agreement")
        np.testing.assert_allclose(both.estimate, presence.estimate[1], atol=1e-13)
        np.testing.assert_allclose(both.standard_error, presence.standard_error[1], atol=1e-13)
        shares = np.nanmean(mass[1:, :, place], axis=1)
        np.testing.assert_allclose(own.prevalence, shares.mean(), atol=1e-13)
        error = shares.std(ddof=1) / np.sqrt(len(shares))
        np.testing.assert_allclose(own.prevalence_standard_error, error, atol=1e-13)
        assert own.present_ratings == np.nansum(mass[:, :, place])
        assert own.present_items == np.nanmax(mass[1:, :, place], axis=1).sum()


def test_labels_share_their_replicates(gaps: xr.Dataset) -> None:
    """A label that is the copy of another has its figures, interval and all."""
    mass = iaa.data.mass(gaps).values
    twice = ratings_of(np.concatenate([mass, mass[..., :1]], axis=2))
    found = iaa.per_label(twice)
    first, last = found.isel(label=0), found.isel(label=-1)
    for name in ("estimate", "ci_low", "ci_high", "prevalence_ci_low"):
        np.testing.assert_array_equal(first[name], last[name])
    every = iaa.per_label(gaps, ["krippendorff_alpha"])
    np.testing.assert_array_equal(
        every.estimate, iaa.per_label(gaps, "krippendorff_alpha").estimate
    )


def test_single_labels() -> None:
    ratings = iaa.from_wide([["a", "a"], ["b", "a"], ["c", "c"], ["b", "b"]])
    found = iaa.per_label(ratings, "percent_agreement", interval=None)
    assert found.estimate.squeeze().values.tolist() == [0.75, 0.75, 1.0]
    assert found.prevalence.values.tolist() == [0.375, 0.375, 0.25]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s, _: iaa.am_agreement(s), "am_agreement compares label sets"),
        (lambda s, _: iaa.label_sets(s), "from_sets"),
        (
            lambda _, m: iaa.label_sets(m, coefficient="kappa"),
            "coefficient must be one of percent_agreement",
        ),
        (lambda _, m: iaa.label_sets(m, bands=[(0.7, 2)]), "a band must be two shares"),
        (lambda _, m: iaa.per_label(m, "am_agreement"), "compares pairs of labels"),
        (lambda _, m: iaa.am_agreement(m, distance="masi"), "takes no agreement between labels"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    single = iaa.from_wide([["a", "b"], ["a", "a"]])
    multi = iaa.from_sets([[["a"], ["b"]], [["a"], ["a", "b"]]])
    with pytest.raises(iaa.IaaError, match=message):
        call(single, multi)


def test_the_conclusion_is_about_swapped_labels() -> None:
    rows = [[["a"], ["b"]]] * 3 + [[["b"], ["c"]]] * 2 + [[["b", "d"], ["c"]], [["c"], ["c"]]]
    found = iaa.label_sets(iaa.from_sets(rows), interval=None)
    assert found.attrs["conclusion"] == "labels_swapped"
    (note,) = notes_of(found, "most_swapped")
    (pair,) = note.values["pairs"]  # two items say nothing of b and c, nor one with d
    assert pair.values == {"first": "a", "second": "b", "share": 1 / 2, "items": 3, "alone": ""}
    fewer = iaa.label_sets(iaa.from_sets(rows[1:]), interval=None)
    assert fewer.attrs["conclusion"] == "no_labels_swapped"
    assert not notes_of(fewer, "most_swapped")


def test_pairs_that_are_swapped_as_often_are_counted() -> None:
    rows = [[[a], [b]] for a, b in ("ab", "cd", "ef", "gh", "ij") for _ in range(3)]
    found = iaa.label_sets(iaa.from_sets(rows), interval=None)
    (note,) = notes_of(found, "most_swapped")
    assert len(note.listed("pairs")) == 3
    answer = " ".join(str(iaa.page(found)).split("\n\n")[0].split())
    assert answer.endswith("(100.0 %, 3 items); 2 other pairs equally often.")


def test_items_without_a_majority_are_counted() -> None:
    found = iaa.label_sets(iaa.from_sets([[["a"], ["b"]], [[], []], [["a"], ["a"]]]), interval=None)
    (note,) = notes_of(found, "without_majority")
    assert note.values["items"] == 2
    assert note.values["none"].values == {"items": 1}


def test_notes_on_labels(gaps: xr.Dataset) -> None:
    mass = iaa.data.mass(gaps).values
    never = ratings_of(np.concatenate([mass, 0 * mass[..., :1]], axis=2))
    found = iaa.per_label(never, ["krippendorff_alpha", "percent_agreement"], replicates=50)
    assert found.attrs["conclusion"] == "measured"
    of_code = {note.values["note"].code: note for note in notes_of(found, "on_labels")}
    assert set(of_code) == {"undefined", "unanimous_by_prior"}
    assert float(found.ci_low.sel(label="l5", coefficient="percent_agreement")) < 1
    assert all(note.about == ("l5",) for note in of_code.values())
    assert of_code["undefined"].values["coefficient"] == "Krippendorff's alpha"


def figures(data: Path, dataset: str, part: str) -> list[dict[str, Any]]:
    every = json.loads((data / "FIGURES.json").read_text())
    return [x for x in every if x["dataset"] == dataset and part in x["file"]]


def test_am_on_narrative_frames(data_folder: Path) -> None:
    articles = json.loads((data_folder / "narrative_frames" / "full_annotations.json").read_text())
    questions = [name for name in next(iter(articles.values())) if not name.startswith("_")]
    rows = [
        [
            None if one["re1"][1][a] == -1 else [q for q in questions if one[q][1][a] == "yes"]
            for a in range(4)
        ]
        for one in articles.values()
    ]
    ratings = iaa.from_sets(rows, labels=questions)
    found = iaa.per_label(ratings, "krippendorff_alpha", interval=None).estimate.squeeze()
    published = figures(data_folder, "narrative_frames", "full")
    asked = [x for x in published if "question" in x["options"]]
    for figure in asked:
        question = figure["options"]["question"]
        if question == "re4":  # there "n/a" is an answer here, and missing in the figure
            continue
        np.testing.assert_allclose(found.sel(label=question), figure["recomputed"], atol=5e-7)
    study = iaa.label_sets(ratings, interval=None)
    hardest = {study.first_label.values[0], study.second_label.values[0]}
    assert "hi1" in hardest  # the question with the lowest alpha but one
    alone = iaa.am_agreement(ratings, interval=None)
    np.testing.assert_allclose(study.estimate.sel(coefficient="am_agreement"), alone.estimate)


def test_am_on_brighter(data_folder: Path) -> None:
    table = pd.read_csv(data_folder / "brighter" / "ukr_individuals.csv.gz")
    names = [name for name in table if name.startswith("Annotator")]
    long = table.melt(["text_id", "emotion"], names, "annotator", "intensity")
    wide = (long.assign(present=long.intensity > 0)).pivot_table(
        index=["text_id", "annotator"], columns="emotion", values="present", aggfunc="max"
    )
    emotions = list(wide.columns)
    sets = wide.apply(lambda row: [e for e in emotions if row[e]], axis=1).unstack()
    ratings = iaa.from_sets(sets.to_numpy(), labels=emotions)
    found = iaa.per_label(ratings, "krippendorff_alpha", interval=None).estimate.squeeze()
    study = iaa.label_sets(ratings, interval=None)
    for figure in figures(data_folder, "brighter", "ukr"):
        if "emotion" in figure["options"]:
            wanted = found.sel(label=figure["options"]["emotion"])
        elif "distance" in figure["options"]:
            name = f"krippendorff_alpha_{figure['options']['distance']}"
            wanted = study.estimate.sel(coefficient=name)
        else:
            continue
        np.testing.assert_allclose(wanted, figure["recomputed"], atol=5e-7)
    swapped = study.swapped_share.values
    worst = int(np.nanargmax(np.where(study.swapped_items > 20, swapped, 0)))
    names = {study.first_label.values[worst], study.second_label.values[worst]}
    assert names == {"Anger", "Disgust"}


@pytest.mark.parametrize("labels", [3, 64, 65])
def test_sets_are_coded_in_the_order_of_their_rows(labels: int) -> None:
    from iaa_jax.data.patterns import rating_codes

    mass = (np.random.default_rng(labels).random((60, 3, labels)) < 0.2).astype(float)
    mass[30:] = mass[:30]
    codes = rating_codes(ratings_of(mass))
    distinct, wanted = np.unique(mass.reshape(-1, labels), axis=0, return_inverse=True)
    assert codes.distinct == len(distinct)
    np.testing.assert_array_equal(codes.codes.reshape(-1), wanted.reshape(-1))
