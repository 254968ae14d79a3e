"""Every analysis runs on the labels, or spans, that exports of annotation tools give."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.io.samples import HERE, name_of, questions, samples
from tests.taken import one_of

NO_INTERVAL: dict[str, Any] = {"interval": None}

ALWAYS: dict[str, Callable[[xr.Dataset], xr.Dataset]] = {
    "agreement": lambda ratings: iaa.agreement(ratings, **NO_INTERVAL),
    "items": lambda ratings: iaa.items(ratings),
    "annotators": lambda ratings: iaa.annotators(ratings, **NO_INTERVAL),
    "labels": lambda ratings: iaa.labels(ratings, **NO_INTERVAL),
}
"""Analyses that any ratings allow."""

OTHERS: dict[str, Callable[[xr.Dataset], xr.Dataset]] = {
    "agreement_by": lambda ratings: iaa.agreement_by(ratings, "half", **NO_INTERVAL),
    "influence": lambda ratings: iaa.influence(ratings),
    "label_sets": lambda ratings: iaa.label_sets(ratings, **NO_INTERVAL),
    "per_label": lambda ratings: iaa.per_label(ratings, **NO_INTERVAL),
    "sweep": lambda ratings: iaa.sweep(ratings, p=3, **NO_INTERVAL),
    "compare": lambda ratings: iaa.compare(ratings, ratings, permutations=9, **NO_INTERVAL),
    "drift": lambda ratings: iaa.drift(ratings, by="half", permutations=9, **NO_INTERVAL),
    "plan": lambda ratings: iaa.plan(ratings, half_width=0.1, simulations=0, replicates=0),
    "zero_agreement": lambda ratings: iaa.zero_agreement(ratings, permutations=9),
    "prodigy": lambda ratings: iaa.prodigy(ratings, **NO_INTERVAL),
}
"""Analyses that need more than some samples have: these are refused, and it is said why."""

OPTIONS: dict[str, dict[str, Any]] = {
    "doccano/synthetic_two_annotators_classification": {"file_pattern": "*.jsonl"},
    "mturk/synthetic_Batch_4242_batch_results.csv": {"item": "Input.sentence_id"},
}


def read(path: Path) -> xr.Dataset | None:
    """What a sample holds, of its first question that two annotators answered; None without."""
    options = {"duplicates": "last", **OPTIONS.get(name_of(path), {})}
    with suppress(IaaError):
        return iaa.read(path, **options)
    with suppress(IaaError):
        for question, _ in questions(path):
            with suppress(IaaError):
                return iaa.read(path, question=question, **options)
    return None


PATHS = [*samples(vendored=True), HERE / "label_sleuth"]
EVERY = [ratings for path in PATHS if (ratings := read(path)) is not None]
READ = {ratings.attrs["layout"]: ratings for ratings in reversed(EVERY)}
"""Ratings of one sample of each format."""


def test_most_tools_have_a_sample_with_labels() -> None:
    of_tools = {"label_studio", "prodigy", "inception", "doccano", "argilla", "mturk", "toloka"}
    assert of_tools | {"potato", "teamware", "lighttag", "label_sleuth", "nltk"} <= set(READ)


@pytest.mark.parametrize("layout", one_of(4, READ))
def test_every_analysis_runs(layout: str) -> None:
    ratings = READ[layout]
    axis = "document" if "document" in ratings.dims else "item"
    half = np.where(np.arange(ratings.sizes[axis]) % 2, "b", "a").astype(object)
    ratings = ratings.assign_coords(half=(axis, half))
    for made_by, analysis in ALWAYS.items():
        assert analysis(ratings).attrs["made_by"] == made_by
    for made_by, analysis in OTHERS.items():
        with suppress(IaaError):
            assert analysis(ratings).attrs["made_by"] == made_by
