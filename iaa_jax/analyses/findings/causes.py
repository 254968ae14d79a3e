"""A cause of disagreement: of what kind it is, whom and what it is about, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.measure.shared.label_users import FEWEST as FEWEST, SURE as SURE

PutRight = Callable[[LongRatings], LongRatings]

DATED = 0.01
"""How sure it is, at the least, that one who is off is so from a date on."""

GAIN = 0.005
"""What mending a cause gains, at the least, to be told."""


@dataclass(frozen=True)
class Cause:
    """What was found.

    Attributes
    ----------
    kind : str
        As "exchanged_labels".
    p_value : float
        Times the number of questions, up to 1.
    items : float
        Items that it is about.
    lost : float
        How much agreement it costs, over all ratings: what is looked at first.
    annotator, label, other_label, third_label : int
        Their places; -1 for none.
    since, until : float
        From or up to where in time; NaN for always.
    rows : array
        The ratings that are mended, as places among the ratings that it was found in.
    codes : array or None
        What they become; None where they are left out.
    numbers : array or None
        Numbers that further codes stand for, behind those that there are.
    put_right : callable or None
        What makes other ratings of them, where codes are not enough.
    values : mapping
        Figures for its sentence.
    p_of_date : float
        Of one who is off whatever the date: that it is so on one side of it.
    annotators : tuple of int
        Of several at once who they are, the surest first.
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
    put_right: PutRight | None = None
    values: dict[str, float] = field(default_factory=dict)
    p_of_date: float = 0.0
    annotators: tuple[int, ...] = ()

    @property
    def about(self) -> tuple[str, int, int]:
        """Its kind, its annotator and its label: what one that was refused is known by."""
        return self.kind, self.annotator, self.label

    @property
    def mended_by(self) -> str:
        """How it is mended; "" where these ratings do not tell."""
        if self.put_right is not None or self.codes is not None:
            return "recoded"
        return "left_out" if len(self.rows) else ""

    def mend(self, ratings: LongRatings) -> LongRatings:
        """The ratings that it was found in, mended."""
        if self.put_right is not None:
            return self.put_right(ratings)
        if self.codes is not None:
            return ratings.recoded(self.rows, self.codes, self.numbers)
        return ratings.without(self.rows)

    def with_values(self, **figures: float) -> Cause:
        """The same with more figures for its sentence."""
        return replace(self, values=self.values | figures)

    def asked(self, questions: float) -> Cause:
        """The same, one of so many questions."""
        return replace(self, p_value=min(1.0, self.p_value * questions))


class TooLittle:
    """Causes whose mending gains too little, and those that cost less than one that hardly does."""

    def __init__(self) -> None:
        self.about: set[tuple[str, int, int]] = set()
        self.hardly: dict[str, float] = {}  # of each kind the most that costs hardly anything

    def add(self, cause: Cause, gain: float) -> None:
        """One more, and what mending it gains."""
        self.about.add(cause.about)
        if gain < GAIN / 2:
            self.hardly[cause.kind] = max(cause.lost, self.hardly.get(cause.kind, 0.0))

    def __contains__(self, cause: Cause) -> bool:
        return cause.about in self.about or cause.lost <= self.hardly.get(cause.kind, -1.0)
