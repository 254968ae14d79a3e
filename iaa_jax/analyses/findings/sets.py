"""Annotators of label sets: who leaves a label out, and who adds one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, p_above

_RATIO = 1.5
"""How many times as often one gives a label as the others, or they as he, to be named."""

_USES = 8
"""Items with the label, by the annotator or by the others, from which that is said."""


def label_use_in_sets(ratings: LongRatings, members: Floats) -> Iterator[Cause]:
    """Annotators who give a label less often, or more often, than others on the same items.

    ``members`` (code, label) says which labels the sets have.
    """
    questions = 2 * ratings.annotators * members.shape[1]
    for label in range(members.shape[1]):
        given = members[ratings.code, label]
        above = ratings.beside_others(given)
        for annotator in range(ratings.annotators):
            rows = np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 2))
            times = ratings.times[rows]
            if times.sum() < FEWEST:
                continue
            own = float(times @ given[rows])
            others = own - float(times @ above[rows])
            more = own > others
            least, most = sorted((own, others))
            if most < _USES or most < _RATIO * least:
                continue
            yield Cause(
                "adds_label" if more else "leaves_label_out",
                p_above(above[rows] if more else -above[rows], times, ratings.unit_of(rows)),
                abs(own - others),
                abs(own - others),
                annotator=annotator,
                label=label,
                rows=np.flatnonzero(ratings.annotator == annotator),
                values={"share": own / times.sum(), "of_others": others / times.sum()},
            ).asked(questions)
