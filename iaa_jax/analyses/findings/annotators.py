"""Annotators who agree less than the others among themselves: who guess, or favour a label."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import stdtr

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, p_above, sums_of_annotators

_LEAST = 0.03
"""How far an annotator is behind, in agreement, who is named."""

_LEANS = 0.5
"""Share of what an annotator is behind from which leaning to one label explains it."""


def behind_others(ratings: LongRatings) -> Iterator[Cause]:
    """Annotators who agree less with the others than these do among themselves.

    Where the annotators of an item are alike, whoever they are, the mean of `LongRatings.behind` is
    0. Who is behind favours a label where leaning to it explains half of that; else he guesses.
    """
    size = ratings.annotators
    total, squares = sums_of_annotators(ratings, ratings.behind)
    known = np.isfinite(ratings.behind)
    number = np.bincount(ratings.annotator[known], ratings.times[known], size)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = total / np.sqrt(squares)
    least = _LEAST if ratings.numbers is None else 0.0
    for annotator in np.flatnonzero((number >= FEWEST) & (z > 2) & (total > least * number)):
        p_value = float(stdtr(number[annotator] - 1, -z[annotator]))
        rows = np.flatnonzero(ratings.annotator == annotator)
        kind, label, values = _described(ratings, int(annotator))
        yield Cause(
            kind,
            p_value,
            float(ratings.times[rows].sum()),
            float(total[annotator]),
            annotator=int(annotator),
            label=label,
            rows=rows,
            values=values,
        ).asked(size)


def _described(ratings: LongRatings, annotator: int) -> tuple[str, int, dict[str, float]]:
    """What an annotator does who is behind: the kind, the label, and figures of it."""
    rows = np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 2))
    times = ratings.times[rows]
    own = float(times @ ratings.agreement[rows] / times.sum())
    among = float(times @ ratings.among_others[rows] / times.sum())
    values = {"agreement": own, "among_others": among}
    if ratings.numbers is not None or ratings.pairs is not None:
        return "guesses", -1, values
    mine, theirs = label_use(ratings, annotator)
    similarity = ratings.similarity
    chance = float(mine @ theirs if similarity is None else mine @ similarity @ theirs)
    guessed = (among - own) / max(among - chance, 1e-9)
    as_guessed = {"guessed": float(np.clip(guessed, 0.0, 1.0))}
    if not ratings.are_labels:
        return "guesses", -1, values | as_guessed
    lean = mine - theirs
    label = int(np.argmax(lean))
    # giving it whatever the item shows, in a share f of the ratings, adds f (1 - its share) to it
    freely = lean[label] / max(1 - theirs[label], 1e-9)
    if lean[label] >= _LEANS * (among - own) and _leans(ratings, annotator, label) < 0.01:
        more = {"share": float(mine[label]), "of_others": float(theirs[label])}
        return "favours_label", label, values | more | {"guessed": float(min(freely, 1.0))}
    return "guesses", -1, values | as_guessed


def label_use(ratings: LongRatings, annotator: int) -> tuple[Floats, Floats]:
    """The share of each code among an annotator's ratings, and the others' on the same items."""
    rows = np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 1))
    times, codes = ratings.times[rows], ratings.codes
    mine = np.bincount(ratings.code[rows], times, codes) / times.sum()
    rating, code, share = ratings.others
    of_own = ratings.annotator[rating] == annotator
    weight = share[of_own] * ratings.times[rating[of_own]]
    return mine, np.bincount(code[of_own], weight, codes) / times.sum()


def _leans(ratings: LongRatings, annotator: int, label: int) -> float:
    """How sure it is that an annotator gives a label more often than the others."""
    rating, code, share = ratings.others
    entries = (ratings.annotator[rating] == annotator) & (code == label)
    theirs = np.bincount(rating[entries], share[entries], len(ratings.item))
    rows = np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 1))
    more = (ratings.code[rows] == label) - theirs[rows]
    return p_above(more, ratings.times[rows], ratings.unit_of(rows))
