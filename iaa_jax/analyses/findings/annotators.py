"""Annotators who agree less than the others among themselves: who guess, or favour a label."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import stdtr

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.judgements import Judgements, p_above, sums_of

_LEAST = 0.03
"""How far an annotator is behind, in agreement, who is named."""

_LEANS = 0.5
"""Share of what an annotator is behind from which leaning to one label explains it."""


def behind_others(judgements: Judgements) -> Iterator[Cause]:
    """Annotators who agree less with the others than these do among themselves.

    Where the annotators of an item are alike, whoever they are, the mean of `Judgements.behind` is
    0. Who is behind favours a label where leaning to it explains half of that; else he guesses.
    """
    size = judgements.annotators
    total, squares = sums_of(judgements.behind, judgements.annotator, judgements.times, size)
    known = np.isfinite(judgements.behind)
    number = np.bincount(judgements.annotator[known], judgements.times[known], size)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = total / np.sqrt(squares)
    least = _LEAST if judgements.numbers is None else 0.0
    for annotator in np.flatnonzero((number >= FEWEST) & (z > 2) & (total > least * number)):
        p_value = float(stdtr(number[annotator] - 1, -z[annotator]))
        rows = np.flatnonzero(judgements.annotator == annotator)
        kind, label, values = _described(judgements, int(annotator))
        yield Cause(
            kind,
            p_value,
            float(judgements.times[rows].sum()),
            float(total[annotator]),
            annotator=int(annotator),
            label=label,
            rows=rows,
            values=values,
        ).asked(size)


def _described(judgements: Judgements, annotator: int) -> tuple[str, int, dict[str, float]]:
    """What an annotator does who is behind: the kind, the label, and figures of it."""
    rows = np.flatnonzero((judgements.annotator == annotator) & (judgements.size > 2))
    times = judgements.times[rows]
    own = float(times @ judgements.agreement[rows] / times.sum())
    among = float(times @ judgements.among_others[rows] / times.sum())
    values = {"agreement": own, "among_others": among}
    if judgements.numbers is not None:
        return "guesses", -1, values
    mine, theirs = label_use(judgements, annotator)
    similarity = judgements.similarity
    chance = float(mine @ theirs if similarity is None else mine @ similarity @ theirs)
    guessed = (among - own) / max(among - chance, 1e-9)
    as_guessed = {"guessed": float(np.clip(guessed, 0.0, 1.0))}
    if not judgements.are_labels:
        return "guesses", -1, values | as_guessed
    lean = mine - theirs
    label = int(np.argmax(lean))
    # giving it whatever the item shows, in a share f of the ratings, adds f (1 - its share) to it
    freely = lean[label] / max(1 - theirs[label], 1e-9)
    if lean[label] >= _LEANS * (among - own) and _leans(judgements, annotator, label) < 0.01:
        more = {"share": float(mine[label]), "of_others": float(theirs[label])}
        return "favours_label", label, values | more | {"guessed": float(min(freely, 1.0))}
    return "guesses", -1, values | as_guessed


def label_use(judgements: Judgements, annotator: int) -> tuple[Floats, Floats]:
    """The share of each code among an annotator's ratings, and the others' on the same items."""
    rows = np.flatnonzero((judgements.annotator == annotator) & (judgements.size > 1))
    times, codes = judgements.times[rows], judgements.codes
    mine = np.bincount(judgements.code[rows], times, codes) / times.sum()
    rating, code, share = judgements.others
    of_own = judgements.annotator[rating] == annotator
    weight = share[of_own] * judgements.times[rating[of_own]]
    return mine, np.bincount(code[of_own], weight, codes) / times.sum()


def _leans(judgements: Judgements, annotator: int, label: int) -> float:
    """How sure it is that an annotator gives a label more often than the others."""
    rating, code, share = judgements.others
    entries = (judgements.annotator[rating] == annotator) & (code == label)
    theirs = np.bincount(rating[entries], share[entries], len(judgements.item))
    rows = np.flatnonzero((judgements.annotator == annotator) & (judgements.size > 1))
    return p_above((judgements.code[rows] == label) - theirs[rows], judgements.times[rows])
