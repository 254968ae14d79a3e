"""Find answers that differ when an annotator is asked again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.analyses.findings.mending import long_ratings_of
from iaa_jax.data.kind import Kind
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.versus_others import p_above
from iaa_jax.wording import Note

_NOISE = 0.5
"""Minimum ratio of disagreement with oneself to disagreement with others."""

_SURELY = 0.25
"""Disagreement with oneself must significantly exceed this share of disagreement with others."""


class _Again(NamedTuple):
    """First ratings of items rated again by the same annotator (rating,)."""

    annotator: Integers
    times: Floats
    units: Integers | None
    with_oneself: Floats  # how far the second rating disagrees with the first
    with_others: Floats


class Repeats(NamedTuple):
    """All ratings; an annotator's second ratings are under another name."""

    every: LongRatings
    names: list[str]
    further: dict[str, list[str]]

    @classmethod
    def of(cls, rated: Rated, options: LabelOptions, clusters: Integers | None) -> Repeats | None:
        """Return ratings with second ratings; None without any, and for spans."""
        if rated.kind is Kind.SPANS or not rated.further_ratings:
            return None
        names = [*map(str, rated.annotator_names.tolist())]
        every = long_ratings_of(Resolver(rated, options))
        same = clusters is not None and len(clusters) == len(every.weight)
        every = replace(every, clusters=clusters) if same else every
        return cls(every, names, rated.further_ratings)


def first_ratings(rated: Rated) -> tuple[Rated, list[Note]]:
    """Return the ratings without second ratings, and a note if any were left out."""
    further = [name for names in rated.further_ratings.values() for name in names]
    if not further:
        return rated, []
    names = [*map(str, rated.annotator_names.tolist())]
    left_out = Note("second_ratings", {"names": [name for name in names if name in further]})
    return rated.select_annotators([name for name in names if name not in further]), [left_out]


def self_disagreement(repeats: Repeats, known: Sequence[str], sure: float) -> Iterator[Cause]:
    """Find annotators whose second answers differ from their first, separately or all together.

    An annotator is named separately if their answers differ significantly more than the others'.
    ``known`` has the names of all annotators.
    """
    every, names, _ = repeats
    again = _rated_again(repeats, known)
    who = np.unique(again.annotator)
    remaining = np.ones(len(again.times), dtype=bool)
    for annotator in who.tolist():
        own = again.annotator == annotator
        if _differs_more(again, own) * (len(who) + 1) < sure:
            for cause in _noise(again, own, every):
                remaining &= ~own
                yield replace(cause, annotator=known.index(names[annotator])).corrected_for(
                    len(who) + 1
                )
    others = np.unique(again.annotator[remaining])
    for cause in _noise(again, remaining, every):
        annotator = known.index(names[others[0]]) if len(others) == 1 else -1
        yield replace(cause, annotator=annotator).corrected_for(len(who) + 1)


def _rated_again(repeats: Repeats, known: Sequence[str]) -> _Again:
    """Return first ratings of items that the annotator rated twice and that others rated, too."""
    every, names, further_of = repeats
    second_of, later = np.full(len(names), -1), []
    for name, again in further_of.items():
        later += [names.index(each) for each in again]
        if name in known:
            second_of[names.index(name)] = names.index(again[0])
    further = np.isin(every.annotator, later)
    key = every.item * len(names) + every.annotator  # each annotator has one rating of an item
    order = np.argsort(key)
    wanted = every.item * len(names) + second_of[every.annotator]
    match = order[np.minimum(np.searchsorted(key, wanted, sorter=order), len(key) - 1)]
    firsts = every.taken(~further)
    agreement = np.full(len(key), np.nan)
    agreement[~further] = firsts.agreement
    twice = (second_of[every.annotator] >= 0) & (key[match] == wanted) & np.isfinite(agreement)
    first, second = np.flatnonzero(twice), match[twice]
    best = 1.0 if every.numbers is None else 0.0
    return _Again(
        every.annotator[first],
        every.times[first],
        every.unit_of(first),
        best - _agreement_of(every, every.code[first], every.code[second]),
        best - agreement[first],
    )


def _agreement_of(every: LongRatings, first: Integers, second: Integers) -> Floats:
    if every.numbers is not None:
        return np.asarray(-((every.numbers[first] - every.numbers[second]) ** 2))
    if every.similarity is not None:
        return np.asarray(every.similarity[first, second])
    return np.asarray(first == second, dtype=np.float64)


def _differs_more(again: _Again, own: NDArray[np.bool_]) -> float:
    """Return the p-value of more disagreement with oneself in ``own`` than elsewhere."""
    times, values = again.times, again.with_oneself
    number, remaining = float(times[own].sum()), float(times[~own].sum())
    if min(number, remaining) < FEWEST:
        return 1.0
    more = times[own] @ values[own] / number - times[~own] @ values[~own] / remaining
    spread = times @ (values - times @ values / times.sum()) ** 2 / times.sum()
    return (
        float(ndtr(-more / np.sqrt(spread * (1 / number + 1 / remaining)))) if spread > 0 else 1.0
    )


def _noise(again: _Again, rows: NDArray[np.bool_], every: LongRatings) -> Iterator[Cause]:
    """Yield a cause if disagreement with oneself is at least half of disagreement with others."""
    times, own, others = again.times[rows], again.with_oneself[rows], again.with_others[rows]
    number = float(times.sum())
    if number < FEWEST or not times @ own > 0 or times @ own < _NOISE * (times @ others):
        return
    units = None if again.units is None else again.units[rows]
    best = 1.0 if every.numbers is None else 0.0
    with_oneself, with_others = times @ own / number, times @ others / number
    values = {
        "with_oneself": float(best - with_oneself),
        "agreement": float(best - with_others),
        "noise": float(with_oneself / with_others) if with_others > 0 else 1.0,
    }
    p_value = p_above(own - _SURELY * others, times, units)
    yield Cause("self_disagreement", p_value, number, values=values)
