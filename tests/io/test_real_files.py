"""Real annotation sets from their native files, by naming columns only, against FIGURES.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa

# The last digit of a figure: 6 places, but for two sets.
PLACES = {"convabuse": 4, "argquality_novice": 3}


@pytest.fixture
def close(data_folder: Path) -> Callable[..., None]:
    """Compare an alpha with the one figure that has these fields and options."""
    figures = json.loads((data_folder / "FIGURES.json").read_text(encoding="utf-8"))

    def close(ratings: xr.Dataset, dataset: str, **wanted: object) -> None:
        found = [
            figure["recomputed"]
            for figure in figures
            if figure["dataset"] == dataset
            and "alpha" in figure["coefficient"]
            and all(
                (figure[key] if key in figure else figure["options"].get(key)) == value
                for key, value in wanted.items()
            )
        ]
        assert len(found) == 1, wanted
        metric: dict[str, Any] = {k: wanted[k] for k in ("level", "distance") if k in wanted}
        alpha = float(iaa.krippendorff_alpha(ratings, interval=None, **metric).estimate)
        assert alpha == pytest.approx(found[0], abs=0.51 * 10.0 ** -PLACES.get(dataset, 6))

    return close


def codes(ratings: xr.Dataset) -> np.ndarray:
    """The labels as numbers, items x annotators; NaN where not rated."""
    primary = ratings["primary"].values
    return np.where(primary < 0, np.nan, ratings["label"].values[primary])


def chosen(ratings: xr.Dataset, keep: Callable[[str], bool]) -> xr.Dataset:
    """The items whose names fit."""
    return ratings.isel(item=[keep(name) for name in ratings["item"].values.tolist()])


def set_alpha_input(rows: Iterable[tuple[str, str, np.ndarray]]) -> xr.Dataset:
    """Put (item, label, present or not or NaN by annotator) together as label sets."""
    sets: dict[str, list[set[str] | None]] = {}
    for item, label, present in rows:
        row = sets.setdefault(item, [None] * len(present))
        for k, answer in enumerate(present):
            if not np.isnan(answer):
                row[k] = (row[k] or set()) | ({label} if answer else set())
    return iaa.from_sets(list(sets.values()))


THREE = "Annotator-1,Annotator-2,Annotator-3"
BRIGHTER: dict[str, dict[str, Any]] = {
    "afr_individuals.csv.gz": {"item": "text_content,emotion", "annotators": "annotator_*"},
    "arq_individuals.csv.gz": {"item": "text_id,emotion", "annotators": "Annotator-*"},
    "ron_individuals.csv.gz": {"item": "text,emotion", "annotators": "annotator_*"},
    "swe_individuals.csv.gz": {"item": "text_id,emotion", "annotators": THREE},
    "ukr_individuals.csv.gz": {"item": "text_id,emotion", "annotators": THREE},
    "deu_individual_intensities.csv.zip": {"item": "id,emotion", "label": "intensity"},
    "ptbr_individual_intensities.csv.zip": {"item": "id,emotion", "label": "intensity"},
}


@pytest.mark.parametrize("name", BRIGHTER)
def test_brighter(data_folder: Path, close: Callable[..., None], name: str) -> None:
    file = f"brighter/{name}"
    ratings = iaa.read(data_folder / file, **BRIGHTER[name])
    close(ratings, "brighter", file=file, level="ordinal", unit="text x emotion")
    if name.endswith(".zip"):
        assert "__MACOSX" in ratings.attrs["skipped"]
    emotions = [item.rpartition(" | ")[2] for item in ratings["item"].values.tolist()]
    for emotion in sorted(set(emotions)):
        part = codes(chosen(ratings, lambda item, e=emotion: item.endswith(f" | {e}")))
        present = np.where(np.isnan(part), np.nan, part > 0)
        close(iaa.from_wide(present), "brighter", file=file, level="nominal", emotion=emotion)


@pytest.mark.parametrize("name", [name for name in BRIGHTER if name[:3] in ("afr", "ron", "swe")])
@pytest.mark.parametrize("distance", ["masi", "jaccard"])
def test_brighter_as_sets(
    data_folder: Path, close: Callable[..., None], name: str, distance: str
) -> None:
    file = f"brighter/{name}"
    ratings = iaa.read(data_folder / file, **BRIGHTER[name])
    found = codes(ratings)
    present = np.where(np.isnan(found), np.nan, found > 0)
    names = [item.rpartition(" | ") for item in ratings["item"].values.tolist()]
    rows = ((text, emotion, row) for (text, _, emotion), row in zip(names, present, strict=True))
    close(set_alpha_input(rows), "brighter", file=file, distance=distance)


def test_pandalm(data_folder: Path, close: Callable[..., None]) -> None:
    ratings = iaa.read(
        data_folder / "pandalm/testset-v1.json",
        item="idx",
        annotators="annotator1,annotator2,annotator3",
    )
    close(ratings, "pandalm", level="nominal", raters=3)
    figures = json.loads((data_folder / "FIGURES.json").read_text(encoding="utf-8"))
    pairs = [f for f in figures if f["dataset"] == "pandalm" and "pair" in f["options"]]
    assert len(pairs) == 3
    for figure in pairs:
        pair = ratings.sel(annotator=figure["options"]["pair"])
        kappa = float(iaa.cohen_kappa(pair, interval=None).estimate)
        assert kappa == pytest.approx(figure["recomputed"], abs=5.1e-7)


@pytest.mark.parametrize("perspective", ["reader", "writer"])
@pytest.mark.parametrize("dimension", ["V", "A", "D"])
@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_emobank(
    data_folder: Path, close: Callable[..., None], perspective: str, dimension: str, level: str
) -> None:
    file = f"emobank/individual_{perspective}_ratings.csv.gz"
    ratings = iaa.read(data_folder / file, item="id", label=dimension, anonymous=True)
    assert ratings.attrs["anonymous"] == 1
    assert "annotators unknown" in ratings.attrs["read_as"]
    close(ratings, "emobank", file=file, level=level, dimension=dimension)


def test_crema_d_votes(data_folder: Path, close: Callable[..., None]) -> None:
    file = data_folder / "crema_d_votes/tabulatedVotes.csv.gz"
    ratings = iaa.read(file, item="column 1", counts="A,D,F,H,N,S")
    assert iaa.summary(ratings).ratings == 212_000
    close(ratings, "crema_d_votes", level="nominal", rows="all three modalities")
    for start, rows in (
        ("1", "voice only (row id 1xxxxx)"),
        ("2", "face only (row id 2xxxxx)"),
        ("3", "audio-visual (row id 3xxxxx)"),
    ):
        part = chosen(ratings, lambda item, start=start: str(item).startswith(start))
        close(part, "crema_d_votes", level="nominal", rows=rows)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_convabuse(data_folder: Path, close: Callable[..., None], level: str) -> None:
    ratings = iaa.read(
        data_folder / "convabuse/ConvAbuseEMNLPfull.csv.gz",
        item="conv_id,prev_agent,prev_user,agent,user,bot",
        annotator="annotator_id",
        one_hot="is_abuse.*",
        duplicates="first",
    )
    assert ratings["label"].values.tolist() == [-3, -2, -1, 0, 1]
    assert (
        ratings.attrs["skipped"] == "357 repeated ratings (kept the first in the order of the file)"
    )
    unit = "conv_id+prev_agent+prev_user+agent+user+bot"
    close(ratings, "convabuse", level=level, unit=unit)
    if level == "nominal":
        found = codes(ratings)
        abusive = iaa.from_wide(np.where(np.isnan(found), np.nan, found < 0))
        close(abusive, "convabuse", level=level, value="abusive = is_abuse < 0")


def test_dices_990(data_folder: Path, close: Callable[..., None]) -> None:
    file = data_folder / "dices_990/dices_990.json.gz"
    column = "annotations.safety.individual_human_scores"
    ratings = iaa.read(file, item="id", label=column, anonymous=True)
    assert iaa.summary(ratings).ratings == 72_103
    close(ratings, "dices_990", level="nominal")
    with pytest.raises(iaa.IaaError, match=r"lists of 69 to 76 ratings.*anonymous=True"):
        iaa.read(file, item="id", annotators=column)


def test_argquality_novice(data_folder: Path, close: Callable[..., None]) -> None:
    ratings = iaa.read(
        data_folder / "argquality_novice/novice-annotations-unaggregated.zip",
        file_pattern="argquality23-{annotator}.json",
        item="key",
        label="value",
        missing="?",
    )
    assert (ratings.sizes["annotator"], ratings.sizes["item"]) == (108, 3_520)
    assert iaa.summary(ratings).ratings == 12_726 - 719
    whole = "all 11, unit = argument x dimension"
    close(ratings, "argquality_novice", level="ordinal", dimension=whole)
    figures = json.loads((data_folder / "FIGURES.json").read_text(encoding="utf-8"))
    dimensions = {f["options"]["dimension"] for f in figures if f["dataset"] == "argquality_novice"}
    for dimension in dimensions - {whole}:
        part = chosen(ratings, lambda item, d=dimension: item.endswith(f"-{d}"))
        close(part, "argquality_novice", level="ordinal", dimension=dimension)


@pytest.mark.parametrize("metric", ["Informativeness", "Relevance", "Fluency", "Coherence"])
@pytest.mark.parametrize("named", ["label", "annotators"])
def test_newsroom_ratings(
    data_folder: Path, close: Callable[..., None], metric: str, named: str
) -> None:
    ratings = iaa.read(
        data_folder / "newsroom_ratings/newsroom_without_text.json",
        item="id",
        anonymous=True,
        **{named: f"annotations.{metric}.individual_human_scores"},
    )
    assert "records from 'instances'" in ratings.attrs["read_as"]
    close(ratings, "newsroom_ratings", level="ordinal", metric=metric)


def frames(data_folder: Path, question: str) -> xr.Dataset:
    return iaa.read(
        data_folder / "narrative_frames/full_annotations.json",
        item="key",
        annotators=f"{question}.1",
        missing=["-1", "n/a: problem is resolved"],
    )


@pytest.mark.slow
def test_narrative_frames(data_folder: Path, close: Callable[..., None]) -> None:
    figures = json.loads((data_folder / "FIGURES.json").read_text(encoding="utf-8"))
    questions = [
        figure["options"]["question"]
        for figure in figures
        if figure["dataset"] == "narrative_frames" and "question" in figure["options"]
    ]
    assert len(questions) == 23
    for question in questions:
        ratings = frames(data_folder, question)
        close(ratings, "narrative_frames", level="nominal", question=question)


FRAMES = {
    "CO": ("co1", "co2", "co3"),
    "EC": ("ec1", "ec2", "ec3"),
    "HI": ("hi1", "hi2", "hi5"),
    "MO": ("mo1", "mo2"),
    "RE": ("re1", "re5"),
}


@pytest.mark.slow
@pytest.mark.parametrize("distance", ["masi", "jaccard"])
def test_narrative_frames_as_sets(
    data_folder: Path, close: Callable[..., None], distance: str
) -> None:
    rows = []
    for frame, questions in FRAMES.items():
        for question in questions:
            ratings = frames(data_folder, question)
            yes = ratings["primary"].values == ratings["label"].values.tolist().index("yes")
            present = np.where(ratings["primary"].values < 0, np.nan, yes)
            rows += [
                (item, frame, row)
                for item, row in zip(ratings["item"].values.tolist(), present, strict=True)
            ]
    close(set_alpha_input(rows), "narrative_frames", distance=distance)
