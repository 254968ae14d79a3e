"""The data of coefficients of spans: each coefficient needs one of several comparisons of spans.

A measure is the formula of a coefficient. A marking is what an annotator marked in a document.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import xarray as xr

from iaa_jax._types import Floats, Integers
from iaa_jax.catalog import Measure
from iaa_jax.data.marked.comparison import Comparison
from iaa_jax.data.marked.comparisons import COMPARISONS
from iaa_jax.data.marked.documents import Documents, Markings, markings_of, where_marked
from iaa_jax.measure.ratings import MOST_CELLS
from iaa_jax.wording import Note


class ComparedSpans:
    """The spans of one set of ratings, as measures compare them."""

    def __init__(
        self, ratings: xr.Dataset, comparisons: Mapping[str, Comparison] | None = None
    ) -> None:
        self.ratings = ratings
        self.comparisons = COMPARISONS if comparisons is None else comparisons

    @cached_property
    def markings(self) -> Markings:
        """All marked spans."""
        return markings_of(self.ratings)

    def data(self, measure: Measure, codes: Integers, label: int | None = None) -> Floats:
        """Return the data of a measure for codes of markings, with all labels or only one."""
        markings = self.markings if label is None else self.markings.only_label(label)
        compare = self.comparisons[measure.compares]
        return compare(Documents(codes, markings), measure.identified, **dict(measure.numbers))

    def weighs_annotators(self, measure: Measure) -> bool:
        """Tell whether a measure can weight annotators, or leave them out."""
        return self.comparisons[measure.compares].weighs_annotators

    def notes_on(self, measure: Measure) -> tuple[Note, ...]:
        """Return notes on the comparison that a measure makes of the spans."""
        return self.comparisons[measure.compares].notes(self.markings)

    def misfit(self, measure: Measure, shape: tuple[int, ...]) -> str:
        """Return why a measure cannot compare codes of this shape, and advice; "" if it can."""
        comparison = self.comparisons[measure.compares]
        if unfit := comparison.unfit(self.markings):
            of_whom = unfit.marking is not None and where_marked(self.ratings, unfit.marking)
            return f"{unfit.reason} ({of_whom})" if of_whom else unfit.reason
        if measure.identified and not comparison.weighs_annotators:
            return (
                "all annotators of a document enter this figure together, so that no annotator can "
                "be weighted, drawn or left out: take annotators as fixed and documents as drawn, "
                "or keep some annotators with keep_annotators"
            )
        rows, width = shape
        cells = comparison.cells(self.markings, width if measure.identified else 2)
        if rows * cells <= MOST_CELLS:
            return ""
        if measure.identified:
            return (
                f"{width:,} annotators of a document make too many pairs to lay out for {rows:,} "
                "documents: keep some annotators, or take annotators as fixed"
            )
        return (
            f"what is marked in {rows:,} documents with {self.markings.labels:,} labels is too "
            "much to lay out: keep some labels, or some documents"
        )
