"""Scores: shares of labels, means of numbers, and the accuracy of an annotator's labels.

Each score is a ratio of two means over items. An item that people rated contributes the mean over
these people. For a judge, the judge's rating takes the place of a person's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Values
from iaa_jax.analyses.judged_scores import estimation
from iaa_jax.analyses.judged_scores.sample import JudgedItems
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares

Ratio = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""Function from a label's shares, in a person's rating and in the scored one, to a ratio's parts.
"""

SCORES: dict[str, Ratio] = {
    "precision": lambda rated, scored: (rated * scored, scored),
    "recall": lambda rated, scored: (rated * scored, rated),
    "f1": lambda rated, scored: (2 * rated * scored, rated + scored),
    "specificity": lambda rated, scored: ((1 - rated) * (1 - scored), 1 - rated),
}
"""Scores of each label against all others."""


class ScoreRow(NamedTuple):
    """A score: what it measures, of which label, and by whose labels.

    Attributes
    ----------
    measure : str
        "share", "mean", "accuracy" or one of `SCORES`.
    label : object
        The label of the score; "" if the score is about all labels.
    scored : str
        Whose labels are scored; "" if people's own labels are counted.
    seen : bool
        Whether any person gave the label.
    centre, unit : float
        Origin and unit of numbers: values are shifted and scaled by them, so that numbers far from
        0, or of very different size, lose no digits.
    """

    measure: str
    label: object
    scored: str
    values: estimation.RatioParts
    seen: bool = True
    centre: float = 0.0
    unit: float = 1.0

    @property
    def name(self) -> str:
        """The name of the score."""
        return name_of(self.measure, self.label, self.scored)


def name_of(measure: object, label: object, scored: object = "") -> str:
    """Return the name of a score.

    Examples
    --------
    >>> name_of("share", "a"), name_of("accuracy", "", "gpt")
    ('share of a', 'accuracy by gpt')
    """
    return f"{measure}{f' of {label}' if label != '' else ''}{f' by {scored}' if scored else ''}"


def scores_of(
    tables: Rated, sample: JudgedItems, judges: int, scored: Sequence[tuple[str, int]]
) -> Iterator[ScoreRow]:
    """Yield all scores; ``scored`` has annotators' names and columns in ``sample.patterns``."""
    rated, its = sample.code, sample.patterns[:, :judges]
    numbers = _numbers_of(tables)
    if numbers is not None:
        centre = float(numbers[len(numbers) // 2])
        unit = float(np.ldexp(1.0, int(np.frexp(np.abs(numbers - centre).max(initial=0.0))[1])))
        numbers = (numbers - centre) / unit
        values = numbers[rated], np.ones(len(rated)), numbers[its], np.ones(its.shape)
        yield ScoreRow("mean", "", "", estimation.RatioParts(*values), True, centre, unit)
    if tables.kind is Kind.NUMBERS:
        return
    shares = label_shares(tables, sets_as_labels=False)
    labels = tables.label_names.tolist()
    seen = np.asarray((shares[np.unique(rated)] > 0).any(axis=0))
    for at, label in enumerate(labels):
        share = shares[:, at]
        values = share[rated], np.ones(len(rated)), share[its], np.ones(its.shape)
        yield ScoreRow("share", label, "", estimation.RatioParts(*values), bool(seen[at]))
    for name, column in scored:
        of_patterns = sample.patterns[:, column]
        of_ratings = of_patterns[sample.pattern_of[sample.rated[sample.item]]]
        if tables.kind is not Kind.SETS:
            common = [
                np.einsum("...l,...l->...", shares[by], shares[right])
                for by, right in ((rated, of_ratings), (its, of_patterns[:, None]))
            ]
            above, judged = common
            values = above, np.ones(len(above)), judged, np.ones(its.shape)
            yield ScoreRow("accuracy", "", name, estimation.RatioParts(*values))
        for at, label in enumerate(labels):
            share = shares[:, at]
            for measure, ratio in SCORES.items():
                people = ratio(share[rated], share[of_ratings])
                by_judges = ratio(
                    share[its], np.broadcast_to(share[of_patterns][:, None], its.shape)
                )
                yield ScoreRow(
                    measure, label, name, estimation.RatioParts(*people, *by_judges), bool(seen[at])
                )


def _numbers_of(tables: Rated) -> Floats | None:
    if tables.kind is Kind.NUMBERS:
        return tables.distinct_numbers
    labels: Values = tables.label_names
    if tables.kind is Kind.LABELS and labels.dtype.kind in "iuf":
        return labels.astype(np.float64)
    return None
