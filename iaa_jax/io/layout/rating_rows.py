"""Makes readings (options for a table) of rows as ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from iaa_jax._types import Integers
from iaa_jax.data.usual_names import LABEL, bare_name
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import PAIR, SURE, agreement, design, follows, share_of_pairs
from iaa_jax.io.layout.names import (
    LIKELY,
    NUMBER,
    OF_PEOPLE,
    OF_TIME,
    SIDE,
    UNLIKELY,
    USUAL,
    as_annotator,
    as_item,
    as_label,
    is_round,
)
from iaa_jax.io.layout.sample import FEWEST, LONGEST, SCALE, Sample, SampledColumn, distinct
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.proposal import PREFIX

MOST = 5  # maximum number of candidates for a role
TOLD = 12.0  # points of a reading that the whole table suggests
SAME = 0.98  # a column with a larger alpha may be a property of the items
ONCE = 0.75  # minimum number of distinct pairs of item and annotator per row
FEW_MEET = 0.01  # minimum share of items with two annotators if their column has a usual name
MEET = 0.5  # minimum share of items with two annotators in all other cases


@dataclass(frozen=True)
class TableReading:
    """Options to read a table, the condition under which they are right, and points of evidence."""

    layout: str
    told: Mapping[str, object]
    points: float
    condition: str
    others: Sequence[str] = field(default=())  # label columns besides the chosen one
    sure: bool = True  # whether the reading may be used without asking
    also: str = ""

    def is_named_better(self, other: TableReading) -> bool:
        """Tell whether the other reading swaps items and annotators, contrary to their names."""
        own, its = ((each.told.get("item"), each.told.get("annotator")) for each in (self, other))
        return own == its[::-1] and as_annotator(str(own[1])) > max(0, as_annotator(str(its[1])))


def long_readings(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of rows as ratings."""
    readings: list[TableReading] = []
    people = _people(table, options)
    for who in people:
        units = _units(table, options, who)
        alone = [_rating_rows(table, options, what, who) for what in units]
        readings += filter(None, alone)
        are_unique = any(
            share_of_pairs(table.joined(what), table.columns[who].codes)[0] == 1
            for what, way in zip(units, alone, strict=True)
            if way is not None
        )
        if not are_unique and options.item is None:
            readings += filter(
                None, (_rating_rows(table, options, both, who) for both in _joint(table, who))
            )
    return readings


def _people(table: Sample, options: Options) -> list[str]:
    if options.annotator is not None:
        return [str(options.annotator)] if options.annotator in table.columns else []
    taken = taken_columns(options, table)
    points = {
        name: as_annotator(name)
        for name, cells in table.columns.items()
        if name not in taken and cells.recurs and not is_round(name) and not (
            cells.are_texts or cells.is_fraction or cells.are_times or cells.are_lists
            or table.counts_rows(name)
        )
    }  # fmt: skip
    people: list[str] = []
    for name in sorted(points, key=points.__getitem__, reverse=True):
        codes = table.columns[name].codes
        others = (table.columns[other].codes for other in people)
        if not any(follows(codes, other) and follows(other, codes) for other in others):
            people.append(name)  # otherwise the column is a second name of the same annotators
        if len(people) == MOST:
            break
    return people


def _units(table: Sample, options: Options, who: str) -> list[tuple[str, ...]]:
    """Return columns that may name items: pairs first, then single columns, likeliest first."""
    if options.item is not None:
        return [split_names(options.item, table.names)]
    taken = {*taken_columns(options, table), who}
    points = {
        name: as_item(name) + cells.are_texts
        for name, cells in table.columns.items()
        if name not in taken and 1 < cells.distinct < cells.count
        and not (cells.is_fraction or cells.are_lists or table.counts_rows(name))
    }  # fmt: skip
    return [
        *_sides(points),
        *((name,) for name in sorted(points, key=points.__getitem__, reverse=True)[: 2 * MOST]),
    ]


def _sides(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return pairs of columns of compared items, whose names differ in a number or last letter."""
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(SIDE.sub("#", name), []).append(name)
    return [tuple(group) for stem, group in stems.items() if "#" in stem and len(group) == PAIR]


def _joint(table: Sample, who: str) -> Iterator[tuple[str, ...]]:
    fit = [
        name
        for name, cells in table.columns.items()
        if name != who and 1 < cells.distinct < cells.count and not cells.is_fraction
    ]
    for first in sorted(fit, key=as_item, reverse=True)[:PAIR]:
        for other in fit if as_item(first) > 0 else ():
            if other != first:
                both = (first, other)
                if share_of_pairs(table.joined(both), table.columns[who].codes)[0] == 1:
                    yield both


def _rating_rows(
    table: Sample, options: Options, what: Sequence[str], who: str
) -> TableReading | None:
    if any(name not in table.columns for name in what):
        return None
    items, people = table.joined(what), table.columns[who].codes
    once, met = share_of_pairs(items, people)
    least = FEW_MEET if as_annotator(who) > LIKELY else MEET
    alike = len({NUMBER.sub("#", name) for name in what}) == 1
    if once < ONCE or met < least:
        return None
    labels = _labels(table, options, what, who, items)
    if not labels:
        return None
    label, of_label = labels[0]
    by_item = agreement(items, table.columns[label])[1]
    by_person = agreement(people, table.columns[label])[1]
    points = as_annotator(who) + sum(map(as_item, what)) / len(what) + of_label
    points += np.clip(design(items, people), -SURE, SURE) + met
    if len(what) > 1:
        points += 1 if alike else -1
    points -= any(table.columns[name].may_be_stamps for name in (*what, who))
    points += np.clip(by_item, -1, SURE) - np.clip(by_person, -1, SURE)
    points += np.log10(max(1, items.max() + 1)) - np.log10(max(1, table.columns[who].distinct))
    shared = table.columns[who].labels & table.columns[label].labels
    if any(isinstance(each, str) for each in shared):
        points += UNLIKELY  # names of annotators are not labels
    about = [cells for name, cells in table.columns.items() if name not in (*what, who, label)]
    points += _described(about, items, people)
    roles: dict[str, object] = {"item": ",".join(what), "annotator": who, "label": label}
    usual = bare_name(label) in LABEL or options.label is not None
    other_labels = [] if usual else [name for name, of in labels[1:] if of > of_label - SURE]
    crossed = len(what) > 1 and _cross(table, what)
    timed = options.item is None and any(are_times(table.columns[name]) for name in what)
    compared = any(
        not follows(items, table.columns[side].codes)
        for sides in _sides(cells.name for cells in about if cells.numbers is None)
        for side in sides
    )
    sure = as_annotator(who) > 0 and not (crossed or timed or compared)
    return TableReading(
        "long", roles, float(points), "if a row is one rating", other_labels, sure=sure
    )


def _cross(table: Sample, what: Sequence[str]) -> bool:
    sizes = [table.columns[name].distinct for name in what]
    return int(table.joined(what).max(initial=-1)) + 1 == math.prod(sizes)


def are_times(cells: SampledColumn) -> bool:
    """Tell whether the name or the cells of a column suggest times."""
    return OF_TIME.search(cells.name) is not None or cells.are_times


def _described(about: Sequence[SampledColumn], items: Integers, people: Integers) -> float:
    """Return points for columns that describe the items (such as texts) or the annotators."""
    points = 0.0
    for cells in about[: 2 * MOST]:
        of_items, of_people = follows(items, cells.codes), follows(people, cells.codes)
        if of_items == of_people:
            continue
        if cells.are_texts:
            points += 1 if of_items else UNLIKELY
        if OF_PEOPLE.search(cells.name):
            points += 0.5 if of_people else -0.5
    return points


def _labels(
    table: Sample, options: Options, what: Sequence[str], who: str, items: Integers
) -> list[tuple[str, float]]:
    if options.label is not None:
        return [(options.label, USUAL)] if options.label in table.columns else []
    taken = {*taken_columns(options, table), *what, who}
    labels = []
    many = len(items) - len(distinct(items)) >= 2 * FEWEST
    alone = len(table.columns) == len(taken) + 1
    for name, cells in table.columns.items():
        if name in taken or cells.distinct <= 1 or cells.are_times or table.counts_rows(name):
            continue
        usual = bare_name(name) in LABEL or alone
        of_items, of_people = (
            follows(items, cells.codes),
            follows(table.columns[who].codes, cells.codes),
        )
        if of_people or (of_items and many and not usual):
            continue
        many_kinds = cells.numbers is None and not cells.recurs and not cells.are_lists
        if ((cells.are_texts and not cells.are_lists) or many_kinds) and not usual:
            continue
        points = as_label(name)
        if points <= UNLIKELY:
            continue
        alpha, strength = agreement(items, cells)
        points += np.clip(strength, -1, SURE) / 2 - (2 if of_items else 0)
        points -= (cells.distinct > SCALE) + bool(alpha > SAME)  # too many values, or too alike
        labels.append((name, float(points)))
    return sorted(labels, key=lambda each: each[1], reverse=True)[:MOST]


def key_of(table: Sample, options: Options, annotators: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that name items: a column without repeats, otherwise several together.

    A column to keep, such as a round, is one of them only if the other columns do not suffice.
    """
    if options.item is not None:
        return split_names(options.item, table.names)
    kept = () if options.keep is None else split_names(options.keep, table.names)
    taken = {*annotators, *taken_columns(options, table)}
    return _key(table, taken) or _key(table, taken - {*kept} | {*annotators})


def _key(table: Sample, taken: Set[str]) -> tuple[str, ...]:
    free = [
        cells
        for name, cells in table.columns.items()
        if name not in taken and cells.distinct > 1
        and not cells.is_fraction and not cells.are_lists
    ]  # fmt: skip
    free.sort(key=lambda cells: as_item(cells.name) - cells.are_times, reverse=True)
    for cells in free:
        if cells.tells_apart:
            return (cells.name,)
    key: list[str] = []
    distinct_rows = 0
    while len(key) < min(len(free), MOST):
        left = [cells.name for cells in free if cells.name not in key]
        best = max(left, key=lambda name: _number(table, [*key, name]))
        if (number := _number(table, [*key, best])) == distinct_rows:
            break
        key, distinct_rows = [*key, best], number
    return tuple(key) if distinct_rows == table.rows else ()


def _number(table: Sample, names: Sequence[str]) -> int:
    codes = table.joined(names)
    return len(distinct(codes[codes >= 0]))


def together(names: Sequence[str], every: Sequence[str]) -> str:
    """Return columns as the value of an option; a long list becomes a common prefix and a star."""
    listed, match = ",".join(names), PREFIX.fullmatch(names[0])
    if len(listed) <= LONGEST:
        return listed
    ends = zip(min(names), max(names), strict=False)  # all names begin like these two
    shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    starts = [(match[1] or match[2]) if match else "", shared.rstrip("0123456789"), shared]
    for start in filter(None, starts):
        if [name for name in every if name.startswith(start)] == [*names]:
            return f"{start}*"
    return listed


def taken_columns(options: Options, table: Sample) -> set[str]:
    """Return the columns that the caller named."""
    named: set[str] = set()
    for option in ("item", "annotator", "label", "secondary", "annotators", "keep"):
        value = getattr(options, option)
        if value is not None:
            named |= {*split_names(value, table.names)}
    return named
