"""What a report asks of every section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from iaa_jax.data.kind import Kind
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated

MOST_NUMBERS = 20
"""Numbers on a scale beyond which each by itself says nothing."""

LONG = 1 << 21
"""Cells of ratings and labels from which on a plan takes some 20 s, or more."""


@dataclass(frozen=True)
class ReportRequest:
    """What a report is about; a section takes what it needs of it.

    Attributes
    ----------
    ratings : Rated
        The ratings, opened.
    coefficients : tuple of str
        Names from the catalogue, of which the first leads; none for the usual ones.
    label_options : LabelOptions
    options : IntervalOptions
    scale : str, optional
        The scale of words for the coefficients.
    judges : tuple of str
        Annotators who are no people.
    everyone : Rated
        The ratings with those of judges, which ``ratings`` are without.
    described : Rated
        The ratings with all their columns, which sections show some of.
    by : str, optional
        A coordinate of times or batches.
    texts : bool
        Whether texts of the data may be shown.
    progress : callable, optional
        Called with the replicates done and their total.
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
        """The coefficient that leads, where one was asked for."""
        return self.coefficients[0] if self.coefficients else None

    @property
    def how(self) -> dict[str, Any]:
        """What most functions of ratings take by name."""
        return {
            "label_options": self.label_options,
            "options": self.options,
            "progress": self.progress,
        }

    @property
    def has_labels(self) -> bool:
        """Whether single labels say something: not of numbers, nor of many that are measured."""
        measured = self.label_options.level in ("interval", "ratio")
        many = measured and len(self.ratings.label_names) > MOST_NUMBERS
        return not (self.kind is Kind.NUMBERS or many)

    @property
    def kind(self) -> Kind:
        """What a rating is."""
        return self.ratings.kind

    @property
    def plan_takes_long(self) -> bool:
        """Whether a plan may take more than 20 s, told by counts alone."""
        if self.kind is Kind.SPANS:
            return False
        rows, width = self.ratings.exchangeable.codes.shape
        labels, options = max(len(self.ratings.label_names), 1), self.label_options
        weighted = options.weights is not None or options.distance or options.level == "ordinal"
        return bool(rows * labels * max(width, labels if weighted else 1) > LONG)
