"""The request for a report, which is passed to every section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from iaa_jax.data.kind import Kind
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated

MOST_NUMBERS = 20
"""Maximum number of points on a scale for which figures of single points are shown."""

LONG = 1 << 21
"""Maximum number of cells for which a plan for more ratings takes less than 20 s.

Cells are (pattern, rating, label) or, with weights or distances, (pattern, label, label). A pattern
is a set of items with the same ratings.
"""


@dataclass(frozen=True)
class ReportRequest:
    """The request for a report; a section takes what it needs.

    Attributes
    ----------
    ratings : Rated
        The ratings by people, with the columns to show.
    coefficients : tuple of str
        Names from the catalogue, the leading one first; empty for the default coefficients.
    label_options : LabelOptions
    options : IntervalOptions
    scale : str, optional
        The name of a verbal scale, as in `iaa_jax.in_words`.
    judges : tuple of str
        Annotators who are not people.
    everyone : Rated
        The ratings by people and by judges; ``ratings`` has only those by people.
    described : Rated
        The ratings, as in ``ratings``, but with all their columns.
    by : str, optional
        A coordinate of times or batches.
    texts : bool
        Whether texts of the data may be shown.
    """

    ratings: Rated
    coefficients: tuple[str, ...]
    label_options: LabelOptions
    options: IntervalOptions
    scale: str | None
    judges: tuple[str, ...]
    everyone: Rated
    described: Rated
    by: str | None
    texts: bool
    progress: Callable[[int, int], None] | None

    @property
    def coefficient(self) -> str | None:
        """The leading coefficient, if coefficients were requested; otherwise None."""
        return self.coefficients[0] if self.coefficients else None

    @property
    def how(self) -> dict[str, Any]:
        """The keywords that most functions of ratings take."""
        return {
            "label_options": self.label_options,
            "options": self.options,
            "progress": self.progress,
        }

    @property
    def has_labels(self) -> bool:
        """Whether figures of single labels are shown: not for numbers, nor for long scales."""
        measured = self.label_options.level in ("interval", "ratio")
        many = measured and len(self.ratings.label_names) > MOST_NUMBERS
        return not (self.kind is Kind.NUMBERS or many)

    @property
    def kind(self) -> Kind:
        """The kind of ratings."""
        return self.ratings.kind

    @property
    def plan_takes_long(self) -> bool:
        """Whether a plan may take more than 20 s, estimated from counts alone."""
        if self.kind is Kind.SPANS:
            return False
        rows, width = self.ratings.exchangeable.codes.shape
        labels, options = max(len(self.ratings.label_names), 1), self.label_options
        weighted = options.weights is not None or options.distance or options.level == "ordinal"
        return bool(rows * labels * max(width, labels if weighted else 1) > LONG)
