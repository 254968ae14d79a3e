"""The page of spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from iaa_jax.analyses.spans.words import WORDS
from iaa_jax.catalog import title_of
from iaa_jax.measure.words import OF_FIGURES, OF_LABELS, OF_RESULTS
from iaa_jax.pages import Block, Column, Page, Remarks, Table, intervals
from iaa_jax.pages.ratings import WORDS as RATINGS, ratings_facts
from iaa_jax.wording import joined, load_notes
from iaa_jax.wording.formats import decimals_for

ALL_WORDS = joined(RATINGS, intervals.WORDS, OF_FIGURES, OF_LABELS, OF_RESULTS, WORDS)


def page(results: Mapping[str, xr.Dataset]) -> Page:
    """The page of all coefficients, and of F1 by label."""
    result, labels = results["coefficients"], results["label_span_f1"]
    decimals = decimals_for(np.atleast_1d(result["standard_error"].values))
    names = result["coefficient"].values.tolist()
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", [title_of(name) for name in names], "word", in_words=True),
        Column("estimate", "Estimate", result["estimate"].values, decimals=decimals),
        intervals.column(result, decimals=decimals),
    ]
    of_labels = [
        Column("label", "Label", labels["label"].values, "label"),
        Column("estimate", "F1", labels["estimate"].values, decimals=decimals),
        intervals.column(labels, decimals=decimals),
    ]
    remarks = [
        *(note for note in load_notes(result.attrs["notes"])),
        *intervals.description(result.attrs),
    ]
    blocks: list[Block] = [
        ratings_facts(result.attrs),
        Table("coefficients", columns, noun="coefficients"),
        Table("labels", of_labels, noun="labels"),
        Remarks(remarks),
    ]
    return Page("Spans", [], blocks, ALL_WORDS, dict(results))


PAGES: Mapping[str, Callable[[xr.Dataset], Page]] = {}
"""Results that have a page of their own."""
