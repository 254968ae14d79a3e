"""Compare how close judges and people are to other people, and refuse what cannot be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._checks import check_choice, numbers_of
from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Integers
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import slots_of
from iaa_jax.kernels.judging import UnitSums, leads, unit_sums
from iaa_jax.measure.options.requirements import Excluded
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.closeness import Closeness, closeness_of, has_numbers
from iaa_jax.measure.shared.named_annotators import annotators_named, people_besides
from iaa_jax.measure.shared.votes_by_item import names_of_codes
from iaa_jax.wording import command, keyword, named

_CELLS = 1 << 22
"""Maximum number of pairs of ratings compared in one batch."""

_CANDIDATES = 256
"""A constant judge gives all items one rating, chosen from this number of most frequent ratings."""

SCORES = ("match", "distance")
"""Closeness of two ratings: whether their labels are equal, or how near they are as numbers."""

EXCLUDED = (
    Excluded("spans", "judges are compared by labels", f"see each pair in {command('spans')}"),
    Excluded("counts without annotators", "it must be known who gave which rating"),
)
"""Ratings that are refused, with the reason."""


class ComparedJudges(NamedTuple):
    """Judges and constant judges compared with people.

    Units are patterns (items with the same ratings), or clusters of items.
    """

    sums: UnitSums  # (unit, judge, person)
    of_constant: UnitSums  # the same, if each judge gave the rating `constant` to all its items
    weight: Floats  # (unit,)
    constant: str


def compared(
    tables: Rated,
    judges: Integers,
    people: Integers,
    score: str,
    clusters: Integers | None,
) -> ComparedJudges:
    """Compare judges with people; ``clusters`` (item,) are the clusters of items, if any."""
    closeness = closeness_of(tables, score)
    constant = _constant_rating(tables, people, closeness)
    lead = _leads(tables, judges, people, closeness, constant)
    sums, count = unit_sums(lead), tables.identified_table.count
    if clusters is not None:
        pattern_of = tables.identified.pattern_of
        weight = np.where(count[pattern_of] > 0, tables.item_weight, 0.0)
        sums, count = _by_cluster(sums, pattern_of, weight, clusters)
    own, of_constant = (
        UnitSums(*(part[:, half] for part in sums))
        for half in (slice(len(judges)), slice(len(judges), None))
    )
    names = (
        [f"{number:g}" for number in tables.distinct_numbers.tolist()]
        if tables.kind is Kind.NUMBERS
        else names_of_codes(tables).tolist()
    )
    return ComparedJudges(own, of_constant, count, names[constant] if names else "")


def _constant_rating(tables: Rated, people: Integers, closeness: Closeness) -> int:
    """Return the code of the rating that is closest to people's ratings on average."""
    codes, who = slots_of(tables.slot_codes)
    row, slot = np.nonzero((codes >= 0) & np.isin(who, people))
    count = tables.identified_table.count[row]
    used, index = np.unique(codes[row, slot], return_inverse=True)
    times = np.bincount(index, count, len(used))
    frequent = used[np.argsort(-times, kind="stable")[:_CANDIDATES]]
    totals = [float(closeness(np.full(len(used), code), used) @ times) for code in frequent]
    return int(frequent[np.argmax(totals)]) if totals else 0


def _by_cluster(
    sums: UnitSums, pattern_of: Integers, weight: Floats, clusters: Integers
) -> tuple[UnitSums, Floats]:
    from scipy.sparse import csr_array

    shape = (int(clusters.max()) + 1, len(sums[0]))
    matrix = csr_array((weight, (clusters, pattern_of)), shape=shape)
    parts = [(matrix @ part.reshape(len(part), -1)).reshape(-1, *part.shape[1:]) for part in sums]
    return UnitSums(*parts), np.ones(shape[0])


def _leads(
    tables: Rated, judges: Integers, people: Integers, closeness: Closeness, constant: int
) -> Floats:
    """Return who is closer to the other people: 1 for the judge, -1 for the person, 0 for neither.

    The array is (pattern, judge, person), with NaN where the two cannot be compared. After the
    judges come as many constant ones, which rate the judges' items with the code ``constant``.
    """
    annotators = tables.annotators
    slots = tables.slot_codes
    codes, who = slots.codes, slots.annotator_of
    assert who is not None
    index_of = np.full(annotators + 1, -1)  # the last entry is for missing ratings
    index_of[people] = np.arange(len(people))
    person = index_of[np.where(codes >= 0, who, annotators)]
    of_judges = codes_of(codes, who, judges)
    of_judges = np.concatenate([of_judges, np.where(of_judges >= 0, constant, -1)], axis=1)
    panel = int((person >= 0).sum(axis=1).max(initial=0))
    # move the ratings by people to the front of each row
    order = np.argsort(person < 0, axis=1, kind="stable")[:, :panel]
    of_people = np.take_along_axis(np.where(person >= 0, codes, -1), order, axis=1)
    person = np.take_along_axis(person, order, axis=1)
    lead = np.full((len(codes), 2 * len(judges), len(people)), np.nan)
    step = max(1, _CELLS // max(panel * (panel + 2 * len(judges)), 1))
    for start in range(0, len(codes), step):
        rows = slice(start, start + step)
        theirs, its = of_people[rows], of_judges[rows]
        ahead = leads(_close(closeness, its, theirs), _close(closeness, theirs, theirs))
        row, slot = np.nonzero(person[rows] >= 0)
        lead[start + row, :, person[rows][row, slot]] = ahead[row, :, slot]
    return lead


def codes_of(codes: Integers, who: Integers, judges: Integers) -> Integers:
    """Return the codes of the judges' ratings (pattern, judge), -1 if missing."""
    judged = np.full((len(codes), len(judges)), -1, dtype=np.int64)
    for number, judge in enumerate(judges.tolist()):
        row, slot = np.nonzero((who == judge) & (codes >= 0))
        judged[row, number] = codes[row, slot]
    return judged


def judged_alone(tables: Rated, judges: Integers) -> float:
    """Return the number of items that every judge rated and no person."""
    codes, who = slots_of(tables.slot_codes)
    by_people = (codes >= 0) & ~np.isin(who, judges)
    alone = (codes_of(codes, who, judges) >= 0).all(axis=1) & ~by_people.any(axis=1)
    return float(tables.identified_table.count[alone].sum())


def _close(closeness: Closeness, first: Integers, second: Integers) -> Floats:
    """Return the closeness of every two ratings of an item; NaN if one of them is missing."""
    x, y = np.broadcast_arrays(first[:, :, None], second[:, None, :])
    return np.where((x >= 0) & (y >= 0), closeness(x, y), np.nan)


def check_judges(ratings: Rated, judges: str | Sequence[str]) -> list[str]:
    """Return the judges' names; refuse unknown judges, and fewer than two people.

    Repeated ratings of a judge that were read apart, as those of "gpt (2)", are a judge's, too.
    """
    names = annotators_named(ratings, "judges", judges)
    again = [each for name in names for each in ratings.further_ratings.get(name, ())]
    names += [name for name in again if name not in names]
    people = people_besides(ratings, names)
    if len(people) < 2:
        raise IaaError(
            "a judge is compared with two people or more, each of them with the others: besides "
            f"{shown(names)} there {'is only ' + shown(people) if people else 'is nobody'}. "
            "Against one person, or gold labels, use iaa_jax.judge.against_gold"
        )
    return names


def check_score(resolver: Resolver, score: str | None) -> str:
    """Return the name of the measure of closeness; its default depends on the kind of ratings."""
    tables = resolver.tables
    if score is None:
        return "distance" if tables.kind is Kind.NUMBERS else "match"
    check_choice("score", score, SCORES)
    if score == "distance" and tables.kind not in (Kind.LABELS, Kind.NUMBERS):
        raise IaaError(
            f"{keyword('score', score)} is for numbers and for labels in order: leave it out, and "
            "ratings count by the labels that they share"
        )
    if score == "distance" and tables.kind is Kind.LABELS and not has_numbers(tables):
        resolver.label_agreements.check_order(keyword("score", score))
    return score


def check_epsilon(epsilon: float | Sequence[float]) -> Floats:
    """Return the values of epsilon at which a judge is tested, the main one first."""
    grid = np.atleast_1d(numbers_of("epsilon", epsilon))
    if grid.ndim != 1 or not len(grid) or not ((grid >= 0) & (grid < 1)).all():
        raise IaaError(f"{named('epsilon')} must be shares from 0 to below 1, not {epsilon!r}")
    return grid
