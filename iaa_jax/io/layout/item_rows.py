"""Makes readings (options for a table) with a row per item: columns of annotators or counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from iaa_jax._errors import shown
from iaa_jax._types import Floats
from iaa_jax.data.duplicates import DistinguishingColumn
from iaa_jax.data.usual_names import ITEM, LABEL, bare_name
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import (
    APART,
    FAINT,
    MOST_LABELS,
    ODDS,
    PAIR,
    SURE,
    agreement_beside,
    agreement_of,
    follows,
    groups_of_labels,
    is_faint,
    is_mean,
    odds_of_consensus,
    stacked,
)
from iaa_jax.io.layout.names import (
    LIKELY,
    NUMBER,
    OF_PEOPLE,
    OF_TIME,
    PLACE,
    UNLIKELY,
    USUAL,
    are_annotators,
    as_item,
    choose_annotators,
    is_no_annotator,
    is_record,
)
from iaa_jax.io.layout.rating_rows import (
    TableReading,
    are_times,
    key_of,
    taken_columns,
    together,
)
from iaa_jax.io.layout.sample import FEWEST, SEEN, Sample, SampledColumn, side_by_side
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.lists import split_lists
from iaa_jax.io.table.proposal import PREFIX, each_by

MOST_COUNTS = 40  # maximum number of columns that are compared
PERCENT = 100
MOSTLY = 0.8  # share of rows with equal labels above which a small alpha shows nothing
LEAST = 0.2  # minimum share of all labels (or of their range) that an annotator must use on average


def wide_readings(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of rows as items."""
    taken = taken_columns(options, table) | _consensus_columns(table)
    free = {
        name: cells
        for name, cells in table.columns.items()
        if name not in taken
        and cells.distinct
        and not PLACE.search(name)
        and not (cells.are_times or table.counts_rows(name))
    }
    usual = choose_annotators(free)
    groups: list[list[str]] = [usual, *groups_of_labels(table.labels_of(free))]
    sides = numbered(replace(table, columns=free), taken)
    stems = [group for each in sides for group in each.values()]
    places = {cells.name for group in stems for cells in group if _is_rating_slot(cells.name)}
    called = {*usual, *places}
    groups += [[cells.name for cells in group] for group in stems]
    readings: dict[tuple[str, ...], TableReading] = {}
    for group in groups:
        likely = [
            name
            for name in group
            if name in called or (
                name in free and not is_no_annotator(name)
                and not (as_item(name) >= LIKELY and free[name].tells_apart)
                and not free[name].ascends
            )
        ]  # fmt: skip
        annotators = _without_summaries([free[name] for name in likely])
        if len(annotators) < PAIR or tuple(annotators) in readings:
            continue
        reading = _item_rows(table, options, annotators, [*free.values()])
        # columns such as label1 and label2 hold an item's first and second rating, by any annotator
        if reading is not None and places.issuperset(annotators):
            chosen = {**reading.told, "anonymous": True}
            readings[tuple(annotators)] = replace(reading, told=chosen, sure=False)
        elif reading is not None:
            readings[tuple(annotators)] = reading
    if table.has_annotators:  # columns of annotators are unlikely if a column names the annotators
        return [
            replace(each, sure=False, points=each.points + UNLIKELY) for each in readings.values()
        ]
    of_questions = [each for names, each in readings.items() if _are_questions(names, stems)]
    if of_questions:
        first = max(of_questions, key=lambda reading: reading.points)
        ways = {NUMBER.sub("*", group[0].name): len(group) for group in stems}
        fit = all(len(split_names([way], [*free])) == number for way, number in ways.items())
        each = shown([",".join(cells.name for cells in group) for group in stems])
        also = f"; {each_by(ways)}" if fit else f"; the questions are {each}"
        readings = {names: each for names, each in readings.items() if each not in of_questions}
        return [replace(first, sure=False, also=also), *readings.values()]
    return [*readings.values()]


def _consensus_columns(table: Sample) -> set[str]:
    """Return columns that hold the consensus of the ratings in another column's lists.

    The names of both columns begin alike, as in "tone.0" and "tone.1".
    """
    starts = {
        name: match[1] or match[2] for name in table.names if (match := PREFIX.fullmatch(name))
    }
    single = [name for name in starts if not table.columns[name].are_lists]
    summaries = set()
    for name in starts.keys() - {*single}:
        list_cells = table.columns[name]
        lists = split_lists(list_cells.known[:SEEN], None) or []
        for other in single if lists else ():
            if starts[other] == starts[name]:
                cells = table.columns[other]
                rows = [*zip(cells.codes[:SEEN], list_cells.codes[:SEEN], strict=True)]
                inside = [cells.known[k] in lists[j] for k, j in rows if k >= 0 and j >= 0]
                if 2 * sum(inside) > sum(k >= 0 for k, _ in rows):
                    summaries.add(other)
    return summaries


def _is_rating_slot(name: str) -> bool:
    return bare_name(NUMBER.sub("", name)) in LABEL


def _are_questions(annotators: Sequence[str], stems: Sequence[Sequence[SampledColumn]]) -> bool:
    """Tell whether columns include a group (tone1, tone2) whose labels are also in other groups."""
    labels = [
        {label for cells in group for label in cells.spelt}
        for group in stems
        if {cells.name for cells in group} <= {*annotators}
    ]
    labels_of_group = next(iter(labels), set())
    others = (group for group in stems if {cells.name for cells in group}.isdisjoint(annotators))
    return any(not labels_of_group.isdisjoint(cells.spelt) for group in others for cells in group)


def mixes_questions(table: Sample, annotators: Sequence[str]) -> bool:
    """Tell whether one numbered group of columns agrees far better than all columns together."""
    part = replace(table, columns={name: table.columns[name] for name in annotators})
    groups = [group for sides in numbered(part, set()) for group in sides.values()]
    if len(groups) < PAIR or sum(map(len, groups)) < len(annotators):
        return False
    together = agreement_beside([*part.columns.values()])[0]
    each = map(agreement_beside, groups)
    return any(strength > SURE and alpha > together + APART for alpha, strength in each)


def are_other_things(table: Sample, ids: Sequence[str], annotators: Sequence[str]) -> bool:
    """Tell whether columns are unlikely to be ratings of the same items.

    They are unlikely if they hardly agree, like different measurements, or if the item column holds
    times or fractions. Columns that are named like annotators are always likely.
    """
    if are_annotators(annotators):
        return False
    items = [table.columns[name] for name in ids if name in table.columns]
    if any(cells.is_fraction or are_times(cells) for cells in items):
        return True
    columns = [table.columns[name] for name in annotators]
    if any(cells.are_texts or cells.are_lists for cells in columns):
        return False
    grid = side_by_side(columns)
    if (
        all(cells.numbers is None for cells in columns)
        and grid.size
        and (grid == grid[0]).all(axis=0).mean() > MOSTLY
    ):
        return False  # if one label is very frequent, alpha is small for annotators, too
    times = np.sum([cells.filled for cells in columns], axis=0)
    return is_faint(agreement_beside(columns)[0], (times - 1).clip(0).sum())


def strays(table: Sample, annotators: Sequence[str]) -> list[str]:
    """Return columns, not named like annotators, that hardly agree with the others.

    There are none unless the other columns agree with each other.
    """
    left = {name: table.columns[name] for name in annotators}
    usual, odd = {*choose_annotators(annotators)}, list[str]()
    while PAIR < len(left) <= MOST_COUNTS and not usual.issuperset(left):
        size, (together, _) = len(left), agreement_beside([*left.values()])
        without = {
            name: agreement_beside([left[other] for other in left if other != name])
            for name in left
            if name not in usual
        }
        best = max(without, key=without.__getitem__)
        of_best = (size * together - (size - PAIR) * without[best][0]) / PAIR
        if not of_best < FAINT:
            break
        odd.append(best)
        del left[best]
    if not odd:
        return []
    alpha, strength = agreement_beside([*left.values()])
    return odd if strength > SURE and alpha > APART else []


def numbered(table: Sample, taken: Set[str]) -> list[dict[str, list[SampledColumn]]]:
    """Group columns whose names differ only in numbers, by the common part.

    Groups with the same numbers are returned together.
    """
    groups: dict[str, list[SampledColumn]] = {}
    for name, cells in table.columns.items():
        if cells.distinct and NUMBER.search(name) and name not in taken and not PLACE.search(name):
            groups.setdefault(NUMBER.sub("#", name), []).append(cells)
    by_numbers: dict[tuple[str, ...], dict[str, list[SampledColumn]]] = {}
    for stem, columns in groups.items():
        by_number = {"-".join(NUMBER.findall(cells.name)): cells for cells in columns}
        numbers = tuple(sorted(by_number))
        if len(numbers) >= PAIR:
            by_numbers.setdefault(numbers, {})[stem] = [by_number[number] for number in numbers]
    return [*by_numbers.values()]


def _without_summaries(columns: Sequence[SampledColumn]) -> list[str]:
    left: list[SampledColumn] = []
    few = len(columns) <= MOST_COUNTS
    for cells in columns:
        renamed = (
            cells.count >= FEWEST
            and few
            and any(
                follows(cells.codes, other.codes) and cells.labels.isdisjoint(other.labels)
                for other in left
            )
        )
        named = OF_PEOPLE.search(cells.name) or OF_TIME.search(cells.name) or is_record(cells.name)
        if not (cells.are_ids or cells.are_lists or renamed or named):
            left.append(cells)
    for cells in columns if few else ():
        if cells in left and has_mean(cells, left):
            left.remove(cells)
    return [cells.name for cells in left]


def _item_rows(
    table: Sample, options: Options, annotators: Sequence[str], free: Sequence[SampledColumn]
) -> TableReading | None:
    columns = [table.columns[name] for name in annotators]
    rows, values, ranked = stacked(columns)
    _, strength = agreement_of(rows, values, ranked)
    what = key_of(table, options, annotators)
    labels = [cells.labels for cells in columns]
    every = set[object]().union(*labels)
    overlap = (
        _overlap(columns) if ranked else float(np.mean([len(each) / len(every) for each in labels]))
    )
    if overlap < LEAST:
        return None
    joined = len(groups_of_labels(dict(zip(annotators, labels, strict=True)))) == 1
    usual = joined and are_annotators(annotators)
    points = (USUAL if usual else 0.0) + 2 * overlap + np.clip(strength, -1, SURE)
    if not usual and len({NUMBER.sub("#", name) for name in annotators}) == 1:
        points += LIKELY
    points += max(map(as_item, what)) + 1 - 0.5 * (len(what) > 1) if what else UNLIKELY / 2
    chosen: dict[str, object] = {"item": ",".join(what)} if what else {}
    chosen["annotators"] = together(annotators, table.start.names)
    known = {*annotators, *what}
    others = [cells for cells in free if cells.name not in known]
    alone = len(free) > MOST_COUNTS or all(
        every.isdisjoint(cells.spelt) or is_mean(cells, columns) for cells in others
    )
    timed = options.item is None and any(are_times(table.columns[name]) for name in what)
    sure = alone and bool(what) and (usual or (strength > SURE and not timed))
    one_round = _one_round([table.columns[name] for name in what], options)
    also = "" if one_round is None else f"; {one_round}"
    return TableReading("wide", chosen, float(points), "if a row is one item", sure=sure, also=also)


def _one_round(items: Sequence[SampledColumn], options: Options) -> str | None:
    if len(items) != PAIR or options.item is not None:
        return None
    first, last = sorted(items, key=are_times)
    if not are_times(last):
        return None
    kept = options.keep is not None
    return DistinguishingColumn(last.name, tuple(last.known), (first.name,), kept).one_alone()


def _overlap(columns: Sequence[SampledColumn]) -> float:
    """Return the mean share of the range that the middle 90% of the numbers of a column cover."""
    low, high = np.array([np.nanquantile(cells.values(), (0.05, 0.95)) for cells in columns]).T
    return float(np.mean(high - low) / max(high.max() - low.min(), 1e-300))


def count_readings(table: Sample, options: Options) -> list[TableReading]:
    """Return a reading of columns as counts, if their sum is constant or is itself a column."""
    taken = taken_columns(options, table)
    whole = [
        cells
        for name, cells in table.columns.items()
        if name not in taken and cells.are_counts and not table.counts_rows(name)
        and bare_name(name) not in ITEM
    ]  # fmt: skip
    grid = np.array([cells.values()[:SEEN] for cells in whole[:MOST_COUNTS]])
    if len(grid) < PAIR or grid.shape[1] < PAIR:
        return []
    above = np.vstack([np.zeros(grid.shape[1]), np.cumsum(grid, axis=0)])
    ranges = [
        (start, end) for start in range(len(grid)) for end in range(len(grid), start + 1, -1)
        if not are_annotators([cells.name for cells in whole[start:end]])
    ]  # fmt: skip
    for start, end in ranges:
        total = above[end] - above[start]
        for place in (end, start - 1):
            if 0 <= place < len(grid) and total.any() and (grid[place] == total).all():
                condition = f"{whole[place].name!r} is the sum of columns: if they count annotators"
                return [_counts(table, options, whole[start:end], SURE * SURE + 2, condition)]
    for start, end in ranges:
        sums, columns = above[end] - above[start], grid[start:end]
        if (sums != sums[0]).any() or sums[0] < PAIR or columns.max() < PAIR or _are_ranks(columns):
            continue
        patterns = len(np.unique(columns, axis=1).T)
        if patterns >= FEWEST - PAIR and len(sums) >= FEWEST:
            condition = f"each row adds up to {int(sums[0]):,}: if the columns count annotators"
            reading = _counts(table, options, whole[start:end], SURE * SURE, condition)
            # otherwise a constant sum proves nothing: two columns may be complements, and
            # percentages add up to 100
            return [replace(reading, sure=len(columns) > PAIR and sums[0] != PERCENT)]
    return []


def _counts(
    table: Sample, options: Options, columns: Sequence[SampledColumn], points: float, condition: str
) -> TableReading:
    names = [cells.name for cells in columns]
    what = key_of(table, options, names)
    chosen: dict[str, object] = {"item": ",".join(what)} if what else {}
    chosen["counts"] = together(names, table.start.names)
    return TableReading("counts", chosen, points, condition, sure=False)


def _are_ranks(columns: Floats) -> bool:
    rows = np.sort(columns, axis=0)
    return bool((rows == rows[:, :1]).all() and (np.diff(rows[:, 0]) > 0).all())


def has_mean(column: SampledColumn, columns: Sequence[SampledColumn]) -> bool:
    """Tell whether a column holds the means of the other columns."""
    others = [other for other in columns if other is not column]
    return PAIR <= len(others) <= MOST_COUNTS and is_mean(column, others)


def consensus(columns: Mapping[str, SampledColumn]) -> tuple[str, float] | None:
    """Return the column that may be a consensus of the others, with its odds, or None.

    A column with the majority label of the others is a consensus only if it stands first or last,
    or has more ratings than each of them. Otherwise it is that of the best annotator. The odds are
    halved, because the column at either end may have the majority label by chance. In simulated
    tables of 50 items and 4 to 7 annotators of unequal skill, an annotator was taken for a
    consensus in 4 % of the tables (10 % if the consensus may be any column), and a consensus was
    found in 97 % (91 %).
    """
    if not PAIR < len(columns) <= MOST_COUNTS:
        return None
    grid = side_by_side([*columns.values()])[:, :SEEN]
    labels = np.arange(int(grid.max(initial=-1)) + 1)
    if len(labels) > MOST_LABELS:
        return None
    times = np.array([(grid == label).sum(axis=0) for label in labels])
    filled = (grid >= 0).sum(axis=1)
    most = (filled == filled.max()) & ((filled == filled.max()).sum() == 1)
    most[[0, -1]] = True
    odds = {
        name: odds_of_consensus(own, times - (labels[:, None] == own), may_follow=bool(may))
        for name, own, may in zip(columns, grid, most, strict=True)
    }
    best = max(odds, key=odds.__getitem__)
    likely = odds[best] / PAIR
    return (best, likely) if likely >= ODDS / 4 else None
