"""Find annotators who agree less than the others do, because they guess or favour a label.

The shortfall of a rating is the agreement of the item's other ratings with one another, minus the
agreement of the rating with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings

_LEAST = 0.03
"""Minimum mean shortfall of an annotator who is reported (0 for numbers, and for labels that agree
in part).
"""

_LEANS = 0.5
"""Share of a shortfall that favouring a label must explain."""

_OFTEN = 0.05
"""On a scale: minimum share of ratings that have the favoured label regardless of the item."""


def behind_others(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators who agree less with the others than the others do with one another.

    The mean shortfall is 0 if annotators are exchangeable. An annotator with a shortfall is said to
    favour a label if this explains at least half of the shortfall, and otherwise to guess.
    """
    size = ratings.annotators
    total, squares = (
        ratings.by_annotator(ratings.shortfall),
        ratings.summed_squares(ratings.shortfall),
    )
    number = ratings.by_annotator(np.isfinite(ratings.shortfall))
    with np.errstate(invalid="ignore", divide="ignore"):
        z = total / np.sqrt(squares)
    least = 0.0 if ratings.is_weighted else _LEAST
    named = (number >= FEWEST) & (z > 2) & (total > least * number)
    for annotator in np.flatnonzero(named).tolist():
        p_value = float(stdtr(number[annotator] - 1, -z[annotator]))
        rows = ratings.rows_of(annotator)
        kind, label, values = _described(ratings, annotator)
        yield Cause(
            kind,
            p_value,
            float(ratings.times[rows].sum()),
            float(total[annotator]),
            annotator=annotator,
            label=label,
            rows=rows,
            values=values,
        ).corrected_for(size)


def _described(ratings: LongRatings, annotator: int) -> tuple[str, int, dict[str, float]]:
    rows = ratings.rows_of(annotator, others=2)
    own, among = (ratings.mean(of, rows) for of in (ratings.agreement, ratings.among_others))
    compared = ratings.items_of_three(annotator, partners=False)
    values = {"agreement": own, "among_others": among, "compared": compared}
    if ratings.numbers is not None or ratings.pairs is not None:
        return "guesses", -1, values
    if ratings.is_weighted:
        return _described_on_scale(ratings, annotator, own, among)
    mine, theirs = _label_use(ratings, annotator)
    similarity = ratings.similarity
    chance = float(mine @ theirs if similarity is None else mine @ similarity @ theirs)
    guessed = (among - own) / max(among - chance, 1e-9)
    as_guessed = {"guessed": float(np.clip(guessed, 0.0, 1.0))}
    if not ratings.are_labels:
        return "guesses", -1, values | as_guessed
    label, _ = _leaning(mine, theirs)
    lean = mine[label] - theirs[label]
    if lean >= _LEANS * (among - own) and _leans(ratings, annotator, label) < 0.01:
        return "favours_label", label, values | _favoured(mine, theirs, label)
    return "guesses", -1, values | as_guessed


def _described_on_scale(
    ratings: LongRatings, annotator: int, own: float, among: float
) -> tuple[str, int, dict[str, float]]:
    mine, theirs = _label_use(ratings, annotator)
    label, freely = _leaning(mine, theirs)
    similarity = np.eye(ratings.codes) if ratings.similarity is None else ratings.similarity
    lost = freely * (among - similarity[label] @ theirs)
    often = freely >= _OFTEN and lost >= _LEANS * (among - own)
    if often and _leans(ratings, annotator, label) < 0.01:
        return "favours_label", label, _favoured(mine, theirs, label)
    steps = np.arange(ratings.codes, dtype=np.float64)
    return _described(replace(ratings, numbers=steps), annotator)


def _leaning(mine: Floats, theirs: Floats) -> tuple[int, float]:
    """Return the favoured label, and the share of ratings that have it regardless of the item."""
    lean = mine - theirs
    label = int(np.argmax(lean))
    # if a share f of ratings has the label whatever the item, its share s rises by f (1 - s)
    return label, float(lean[label] / max(1 - theirs[label], 1e-9))


def _favoured(mine: Floats, theirs: Floats, label: int) -> dict[str, float]:
    guessed = min(_leaning(mine, theirs)[1], 1.0)
    return {"share": float(mine[label]), "of_others": float(theirs[label]), "guessed": guessed}


def _label_use(ratings: LongRatings, annotator: int) -> tuple[Floats, Floats]:
    """Return the share of each code (distinct rating) with the annotator, and with the others."""
    rows = ratings.rows_of(annotator, others=1)
    times, codes = ratings.times[rows], ratings.codes
    mine = np.bincount(ratings.code[rows], times, codes) / times.sum()
    rating, code, share = ratings.others
    of_own = ratings.annotator[rating] == annotator
    weight = share[of_own] * ratings.times[rating[of_own]]
    return mine, np.bincount(code[of_own], weight, codes) / times.sum()


def _leans(ratings: LongRatings, annotator: int, label: int) -> float:
    """Return the p-value of giving the label more often than others do."""
    rows = ratings.rows_of(annotator, others=1)
    more = ratings.above_others((ratings.code == label) * 1.0)[rows]
    return ratings.p_above(more, rows)
