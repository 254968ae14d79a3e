"""A cause of disagreement: its kind, its annotator and labels, and its significance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.measure.shared.label_users import FEWEST as FEWEST, SURE as SURE

Correction = Callable[[LongRatings], LongRatings]

DATED = 0.01
"""If an annotator also differs over all times: maximum p-value for reporting a date."""

GAIN = 0.005
"""Minimum gain of the coefficient from mending; it must also exceed two standard errors."""


@dataclass(frozen=True)
class Cause:
    """A cause of disagreement, and how to mend it.

    Attributes
    ----------
    kind : str
        The kind of cause, such as "exchanged_labels".
    p_value : float
        P-value, which `corrected_for` multiplies by a number of tests.
    items : float
        Number of items concerned.
    lost : float
        What the cause costs, such as agreement summed over ratings; of several causes of a kind,
        the costliest is tried first.
    annotator, label, other_label, third_label : int
        Indices of the annotator and of the labels; -1 for none.
    since, until : float
        The time from which, or up to which, the cause is present; NaN if there is no limit.
    column, group : str
        The column of items that the cause is about, and the group in this column. For other kinds
        of causes, ``group`` names annotators with copied ratings, or is the code of a note on how
        the file was read.
    rows : array
        The ratings to be mended, by index among the ratings in which the cause was found.
    codes : array or None
        The new codes of these ratings (equal ratings have equal codes). None if the ratings are
        left out, or mended by ``correction``.
    numbers : array or None
        The numbers that additional codes stand for; None without additional codes.
    correction : callable or None
        A function that returns the mended ratings, if codes are not enough.
    values : mapping
        Values for the sentence about the cause.
    p_of_date : float
        P-value of the date, for an annotator who also differs over all times; otherwise 0.
    annotators : tuple of int
        The annotators of a joint cause. The most significant comes first; if their ratings are the
        same, the one whose ratings are kept comes first.
    """

    kind: str
    p_value: float
    items: float
    lost: float = 0.0
    annotator: int = -1
    label: int = -1
    other_label: int = -1
    third_label: int = -1
    since: float = np.nan
    until: float = np.nan
    column: str = ""
    group: str = ""
    rows: Integers = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    codes: Integers | None = None
    numbers: Floats | None = None
    correction: Correction | None = None
    values: dict[str, float] = field(default_factory=dict)
    p_of_date: float = 0.0
    annotators: tuple[int, ...] = ()

    @property
    def about(self) -> tuple[str, int, int]:
        """Kind, annotator and label, by which rejected causes are recognised."""
        return self.kind, self.annotator, self.label

    @property
    def mended_by(self) -> str:
        """How the cause is mended; "" if it cannot be."""
        if self.correction is not None or self.codes is not None:
            return "recoded"
        return "left_out" if len(self.rows) else ""

    def mend(self, ratings: LongRatings) -> LongRatings:
        """Return the mended ratings."""
        if self.correction is not None:
            return self.correction(ratings)
        if self.codes is not None:
            return ratings.recoded(self.rows, self.codes, self.numbers)
        return ratings.without(self.rows)

    def with_values(self, **figures: float) -> Cause:
        """Return the cause with further values for its sentence."""
        return replace(self, values=self.values | figures)

    def corrected_for(self, questions: float) -> Cause:
        """Return the cause with its p-value multiplied by a number of tests."""
        return replace(self, p_value=min(1.0, self.p_value * questions))


class RejectedCauses:
    """Causes that are not tried again.

    A cause is rejected if it was recorded here. It is also rejected if it costs no more than a
    recorded cause of its kind whose mending gained hardly anything.
    """

    def __init__(self) -> None:
        self.about: set[tuple[str, int, int]] = set()
        self.hardly: dict[str, float] = {}  # largest cost with hardly any gain, by kind

    def add(self, cause: Cause, gain: float) -> None:
        """Record a cause, and the gain from mending it."""
        self.about.add(cause.about)
        if gain < GAIN / 2:
            self.hardly[cause.kind] = max(cause.lost, self.hardly.get(cause.kind, 0.0))

    def __contains__(self, cause: Cause) -> bool:
        return cause.about in self.about or cause.lost <= self.hardly.get(cause.kind, -1.0)
