"""Find annotators who exchange labels, or give one label where the others give another.

An annotator's shortfall is how much less the annotator agrees with the others than the others agree
with one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings

_CELLS = 1 << 25
"""Maximum number of cells (annotator, label, label)."""

_MEANT = 0.5
"""If a label stands for another one: minimum share of the latter in the others' ratings."""

_ALWAYS = 0.8
"""A label tells nothing in an annotator's ratings if it has more than this share of them."""

_EXPLAINS = 0.5
"""Giving one label for two must explain at least this share of a shortfall."""

_USES = 8
"""Minimum number of ratings for a cause about labels."""


def exchanged_labels(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators who agree more with the others once labels are exchanged.

    For each annotator, the permutation of labels with the highest agreement is split into cycles.
    The mean gain of the ratings in each cycle is tested against 0.
    """
    codes = ratings.codes
    questions = ratings.annotators * codes * (codes - 1) / 2
    for annotator, credit, uses in _credits(ratings):
        for cycle in _cycles(credit):
            if min(uses[cycle]) < _USES:
                continue
            turned = np.arange(codes)
            turned[cycle] = np.roll(cycle, -1)
            label, other = sorted(sorted(cycle, key=lambda each: -uses[each])[:2])
            cause = _recoded("exchanged_labels", ratings, annotator, turned)
            if cause is not None:
                yield replace(cause, label=label, other_label=other).corrected_for(questions)


def one_for_another(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators who give one label where others give another.

    They do so significantly more often than the others.
    """
    codes = ratings.codes
    questions = ratings.annotators * codes * (codes - 1)
    for annotator, credit, uses in _credits(ratings):
        meant, right = credit.max(axis=1), np.diagonal(credit)
        candidates = (meant > _MEANT * credit.sum(axis=1)) & (right < meant / 2) & (uses >= _USES)
        for label in np.flatnonzero(candidates).tolist():
            other = int(np.argmax(credit[label]))
            if not _is_meant(ratings, annotator, label, other):
                continue
            turned = np.arange(codes)
            turned[label] = other
            cause = _recoded("one_for_another", ratings, annotator, turned)
            if cause is not None:
                beyond = ratings.p_above(*_beyond_others(ratings, annotator, label, other))
                cause = replace(cause, p_value=max(cause.p_value, beyond))
                yield replace(cause, label=label, other_label=other).corrected_for(questions)


def _is_meant(ratings: LongRatings, annotator: int, label: int, other: int) -> bool:
    """Return whether most others give ``other`` where the annotator gives ``label``.

    Others who nearly always give ``other`` do not count.
    """
    own = ratings.rows_of(annotator)
    items = ratings.item[own[ratings.code[own] == label]]
    rows = np.isin(ratings.item, items) & (ratings.annotator != annotator)
    has_other = (ratings.code == other).astype(np.float64)
    often = ratings.by_annotator(has_other) > _ALWAYS * ratings.by_annotator(np.ones(len(rows)))
    rows &= ~often[ratings.annotator]
    return bool(ratings.times[rows] @ has_other[rows] > _MEANT * ratings.times[rows].sum())


def lumped_labels(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators who give one label for two.

    The correction leaves out their ratings with this label.
    """
    codes = ratings.codes
    questions = ratings.annotators * codes * (codes - 1)
    rating, code, share = ratings.others
    shortfall = ratings.by_annotator(ratings.shortfall)
    for annotator, table in _tables(ratings):
        own, of_own = ratings.rows_of(annotator), ratings.annotator[rating] == annotator
        usual_label = np.argmax(table, axis=0)
        for other in np.flatnonzero(usual_label != np.arange(codes)).tolist():
            label = int(usual_label[other])
            entries = of_own & (code == other)
            mine = ratings.code[rating[entries]]
            times = ratings.times[rating[entries]]
            if times.sum() < _USES:
                continue
            values = share[entries] * ((mine == label) * 1.0 - (mine == other))
            beyond, rows = _beyond_others(ratings, annotator, label, other)
            if not beyond @ ratings.times[rows] > max(_EXPLAINS * shortfall[annotator], 0):
                continue
            p_value = max(ratings.p_above(values, rating[entries]), ratings.p_above(beyond, rows))
            yield Cause(
                "one_for_another",
                p_value,
                float(times[(mine == label)].sum()),
                float(times @ values),
                annotator=annotator,
                label=label,
                other_label=other,
                rows=own[ratings.code[own] == label],
            ).corrected_for(questions)


def _tables(ratings: LongRatings) -> Iterator[tuple[int, Floats]]:
    """Yield annotators with enough ratings, and the others' shares (own label, others' label)."""
    if ratings.annotators * ratings.codes**2 > _CELLS or ratings.numbers is not None:
        return
    compared = ratings.size > 2  # with two ratings it is unknown who is wrong
    number = np.bincount(ratings.annotator[compared], minlength=ratings.annotators)
    every = ratings.beside()
    for annotator in np.flatnonzero(number >= FEWEST).tolist():
        yield annotator, every[annotator]


def _credits(ratings: LongRatings) -> Iterator[tuple[int, Floats, Floats]]:
    """Yield annotators who would agree more with the others if they had given other labels.

    With each annotator come the agreement (own label, new label) and the number of ratings by
    label.
    """
    for annotator, table in _tables(ratings):
        credit = table if ratings.similarity is None else table @ ratings.similarity
        if (credit.max(axis=1) > np.diagonal(credit)).any():
            own = ratings.rows_of(annotator)
            uses = np.bincount(ratings.code[own], ratings.times[own], ratings.codes)
            yield annotator, credit, np.asarray(uses, dtype=np.float64)


def _cycles(credit: Floats) -> Iterator[list[int]]:
    """Yield the cycles, longer than one label, of the permutation with the highest agreement."""
    if (np.diagonal(credit) == credit.max(axis=1)).all():
        return  # no permutation agrees more than the unchanged labels
    from scipy.optimize import linear_sum_assignment  # slow to load

    # among equally good permutations, the one that changes the fewest labels
    bonus = 1e-9 * max(float(credit.max()), 1.0)
    _, turned = linear_sum_assignment(credit + bonus * np.eye(len(credit)), maximize=True)
    remaining = {int(label) for label in np.flatnonzero(turned != np.arange(len(turned)))}
    while remaining:
        cycle = [min(remaining)]
        while (label := int(turned[cycle[-1]])) != cycle[0]:
            cycle.append(label)
        remaining -= {*cycle}
        yield cycle


def _recoded(kind: str, ratings: LongRatings, annotator: int, turned: Integers) -> Cause | None:
    """Return the cause of recoding label k to ``turned[k]``; None without a gain."""
    moved = turned != np.arange(len(turned))
    own, compared = (ratings.rows_of(annotator, others=number) for number in (0, 2))
    every, rows = (of[moved[ratings.code[of]]] for of in (own, compared))
    then = ratings.agreement_as(rows, turned[ratings.code[rows]])
    gain, times = then - ratings.agreement[rows], ratings.times[rows]
    gained = float(times @ gain)
    if gained <= 0:
        return None
    before = ratings.mean(ratings.agreement, compared)
    return Cause(
        kind,
        ratings.p_above(gain, rows),
        float(times.sum()),
        gained,
        annotator=annotator,
        rows=every,
        codes=turned[ratings.code[every]],
        values={"agreement": before, "then": before + gained / ratings.times[compared].sum()},
    )


def _beyond_others(
    ratings: LongRatings, annotator: int, label: int, other: int
) -> tuple[Floats, Integers]:
    """Return how much more than others an annotator gives ``label`` for ``other``.

    There is one value per rating of the annotator. The indices of these ratings come second.
    """
    items = len(ratings.weight)
    counts = [np.bincount(ratings.item, ratings.code == code, items) for code in (label, other)]
    rows = ratings.rows_of(annotator, others=2)
    item, code, size = ratings.item[rows], ratings.code[rows], ratings.size[rows]
    first = counts[0][item] - (code == label)
    second = counts[1][item] - (code == other)
    own = (code == label) * second / (size - 1)
    among_others = first * second / ((size - 1.0) * (size - 2))
    return own - among_others, rows
