"""Real spans from their native files, by token and by character, against independent figures."""

from __future__ import annotations

import tarfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.test_real_data import figure


@pytest.fixture(scope="module")
def corpus(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("redewiedergabe")
    with tarfile.open(data_folder / "redewiedergabe/primary_tsv_subset_a.tar.gz") as archive:
        archive.extractall(path, filter="data")
    return path


def first_two(ratings: xr.Dataset) -> xr.Dataset:
    """The ratings of the first two annotators of each document, by their names."""
    order = np.argsort(ratings.annotator.values)
    seen = ratings.primary.values[:, order] >= 0
    kept = np.empty_like(seen)
    kept[:, order] = seen & (seen.cumsum(axis=1) <= 2)
    assert (kept.sum(axis=1) == 2).all()
    return ratings.assign(
        primary=ratings.primary.where(xr.DataArray(kept, dims=("item", "annotator")), -1)
    )


@pytest.mark.parametrize("what", ["type", pytest.param("type+medium", marks=pytest.mark.slow)])
def test_redewiedergabe(corpus: Path, data_folder: Path, what: str) -> None:
    """Fleiss's kappa by token, of all types at once and of each type against the others."""
    spans = iaa.read_spans(corpus, question=f"stwr.{what}", format="redewiedergabe")
    names = spans.label.values.tolist()
    for variant in ("all", "direct", "indirect", "reported"):
        labels = [name for name in names if variant in ("all", name.split(".")[0])]
        ratings = iaa.data.token_ratings(spans, labels=labels)
        assert ratings.item_weight.values.sum() == 99_111
        assert ratings.sizes["item"] < 10_000
        kappa = iaa.fleiss_kappa(first_two(ratings), interval=None).estimate
        wanted = figure(data_folder, dataset="redewiedergabe", variant=f"{variant} {what}")
        assert float(kappa) == pytest.approx(wanted, abs=1e-6), variant


@pytest.mark.slow
def test_redewiedergabe_draws_samples(corpus: Path) -> None:
    """An interval over samples is wider than one that takes tokens for independent."""
    spans = iaa.read_spans(corpus, question="stwr.type", format="redewiedergabe")
    ratings = iaa.data.token_ratings(spans)
    by_sample = iaa.krippendorff_alpha(ratings)
    assert by_sample.attrs["clusters"] == 170
    of_tokens = dict(ratings.attrs)
    del of_tokens["shown_together"]
    by_token = iaa.krippendorff_alpha(ratings.drop_attrs().assign_attrs(of_tokens))
    assert by_sample.standard_error > 4 * by_token.standard_error


class Toxic:
    """The tables of Toxic Spans, and what the figures leave out of them."""

    def __init__(self, folder: Path) -> None:
        tables = (pd.read_csv(folder / f"toxic_spans/{name}.csv.gz") for name in self.NAMES)
        annotations, self.spans, comments = tables
        self.lengths = comments.set_index("comment_id").comment_text.str.len()
        quiz = annotations.comment_id.value_counts().idxmax()
        annotations = annotations[annotations.comment_id != quiz]
        self.annotations = annotations.drop_duplicates(["comment_id", "worker"])

    NAMES = ("annotations", "spans", "comments")

    def several(self, annotations: pd.DataFrame) -> pd.DataFrame:
        """Annotations of comments that have two or more."""
        count = annotations.comment_id.map(annotations.comment_id.value_counts())
        return annotations[count > 1]

    def joined(self, annotations: pd.DataFrame) -> xr.Dataset:
        """Spans of such annotations; who marked none, or only what is beyond, marked nothing."""
        comment_of = annotations.set_index("annotation").comment_id
        end = np.minimum(self.spans.end, self.spans.annotation.map(comment_of).map(self.lengths))
        inside = self.spans.assign(end=end)[self.spans.start < end]
        frame = self.several(annotations).merge(inside, on="annotation", how="left")
        names = {"comment_id": "document", "worker": "annotator", "type": "label"}
        return iaa.from_spans(frame.rename(columns=names), lengths=self.lengths.to_dict())


@pytest.fixture(scope="module")
def toxic(data_folder: Path) -> Toxic:
    return Toxic(data_folder)


@pytest.mark.parametrize(
    ("of", "comments"),
    [
        ("all annotations, an annotation without spans marks nothing", 16_099),
        ("only annotations with at least one span", 12_586),
    ],
)
def test_toxic_spans(toxic: Toxic, data_folder: Path, of: str, comments: int) -> None:
    marked = toxic.annotations.annotation.isin(toxic.spans.annotation)
    annotations = toxic.annotations[marked] if of.startswith("only") else toxic.annotations
    spans = toxic.joined(annotations)
    assert spans.sizes["document"] == comments
    ratings = iaa.data.token_ratings(spans, "any")
    wanted = figure(data_folder, dataset="toxic_spans", annotations=of)
    alpha = iaa.krippendorff_alpha(ratings)
    assert float(alpha.estimate) == pytest.approx(wanted, abs=1e-6)
    assert alpha.attrs["clusters"] == comments


def test_toxic_spans_take_little(toxic: Toxic) -> None:
    """Three million characters stand in 72,000 rows."""
    spans = toxic.joined(toxic.annotations)
    tracemalloc.start()
    begun = time.perf_counter()
    ratings = iaa.data.token_ratings(spans, "any")
    taken = time.perf_counter() - begun
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ratings.item_weight.values.sum() == 3_360_314
    assert ratings.sizes["item"] == 72_498
    assert peak < 150e6
    assert taken < 20


def test_toxic_flag(toxic: Toxic, data_folder: Path) -> None:
    frame = toxic.several(toxic.annotations)
    ratings = iaa.from_long(frame, item="comment_id", annotator="worker", label="not toxic")
    wanted = figure(data_folder, dataset="toxic_spans", value="'not toxic' flag")
    alpha = iaa.krippendorff_alpha(ratings, interval=None).estimate
    assert float(alpha) == pytest.approx(wanted, abs=1e-6)
