"""Makes readings (options for a table) of special tables, such as paired or headerless ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual_names import named_like_records
from iaa_jax.io.base import Options
from iaa_jax.io.layout.crossed import MARKS, question_readings
from iaa_jax.io.layout.evidence import PAIR, agreement_of, groups_of_labels, is_faint
from iaa_jax.io.layout.item_rows import count_readings, numbered, wide_readings
from iaa_jax.io.layout.names import (
    CONCLUSION,
    are_annotators,
    as_annotator,
    as_item,
    is_no_annotator,
    is_record,
)
from iaa_jax.io.layout.plain import cells_of, is_cross_table, names_are_labels
from iaa_jax.io.layout.rating_rows import (
    TOLD,
    TableReading,
    key_of,
    long_readings,
    taken_columns,
)
from iaa_jax.io.layout.sample import SEEN, Sample, SampledColumn, sample, side_by_side
from iaa_jax.io.table import opening
from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.columns import recurring
from iaa_jax.io.table.lists import is_list, member_rows, nested_lists, split_lists
from iaa_jax.io.table.proposal import PREFIX
from iaa_jax.io.table.source import Source

SHAPED = 6.0  # points of a reading that the form of the cells suggests
INSIDE = re.compile(r"\.\d+\.")  # index in the name of a field of an object in a list
SHOWN = 12  # maximum number of columns listed one by one


def whole(table: Sample, files: Sequence[Source]) -> list[TableReading]:
    """Return readings of contingency, transposed and headerless tables."""
    readings = []
    start = table.start
    if is_cross_table(start):
        condition = "if rows and columns are the labels of two annotators, and cells count items"
        readings.append(TableReading("contingency", {"format": "contingency"}, TOLD, condition))
    first = table.columns.get(start.names[0])
    if first is not None and first.tells_apart and as_annotator(first.name) > 0 and table.names[2:]:
        condition = "if a row is one annotator"
        readings.append(
            TableReading("transposed", {"format": "transposed"}, TOLD, condition, sure=False)
        )
    if not start.nameless and _may_lack_names(files[0]) and _is_nameless(table):
        readings += _without_names(sample([file.with_header(0) for file in files]))
    return readings


def _is_nameless(table: Sample) -> bool:
    start = table.start
    labels_of = cells_of(start, start.names[1:])
    groups = groups_of_labels(labels_of)  # a name may be a label of another question
    if any(names_are_labels(start, {name: labels_of[name] for name in group}) for group in groups):
        return True
    if len(recurring(start, start.names)) >= PAIR:
        return True
    for name in start.positions:
        cells = [cell for cell in start.column(name) if cell]
        number = parse_number(name)
        if name.startswith("[") and is_list(name) and cells and all(map(is_list, cells)):
            return True
        figure = number is not None and (isinstance(number, float) or number < 0)
        if figure and cells and all(parse_number(cell) is not None for cell in cells):
            return True
    return False


def _may_lack_names(file: Source) -> bool:
    """Tell whether a file is text or a sheet, and the caller did not give the line of the names."""
    return file.header_line is None and opening.kind_of(file) in ("delimited", "xlsx")


def _without_names(below: Sample) -> list[TableReading]:
    readings = row_readings(below, Options())
    condition = "if the first line holds no names of columns"
    readings.sort(key=lambda reading: reading.points, reverse=True)
    return [
        TableReading(
            each.layout, {"header_line": 0, **each.told}, each.points, condition, sure=False
        )
        for each in readings
    ]


def row_readings(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of rows as ratings or as items, and readings that the cells suggest."""
    ratings, alike = long_readings(table, options), _alike_in_name(table, options)
    return [
        *ratings,
        *wide_readings(table, options),
        *count_readings(table, options),
        *alike,
        *_sets_of(ratings, alike),
        *_lists(table, options, ratings),
    ]


def _sets_of(
    ratings: Sequence[TableReading], alike: Sequence[TableReading]
) -> Iterator[TableReading]:
    """Yield a reading of columns of 0 and 1, if another reading takes one of them as the label."""
    for reading in alike[:1]:
        for option in {"one_hot", "multi_hot"} & {*reading.told}:
            prefix = str(reading.told[option]).removesuffix("*")
            with_label = (each for each in ratings if str(each.told["label"]).startswith(prefix))
            for each in islice(with_label, 1):
                chosen = {
                    name: each.told[name] for name in ("item", "annotator") if name in each.told
                }
                yield replace(
                    reading, told={**chosen, option: reading.told[option]}, points=each.points
                )


def questions(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of columns whose names combine a question and an annotator."""
    names, items = _may_cross(table, options)
    return [*question_readings(table, names, items)]


def questions_beside(table: Sample, options: Options) -> list[TableReading]:
    """Return a reading of such columns beside others, if it is clear which part is the question."""
    if table.has_annotators:
        return []
    names, items = _may_cross(table, options)
    for mark in MARKS:
        marked = [name for name in names if mark in name]
        readings = [*question_readings(table, marked, items)]
        if len(readings) == 1:
            return readings
    return []


def _may_cross(table: Sample, options: Options) -> tuple[list[str], dict[str, object]]:
    """Return columns that may be of a question and an annotator, and the option of the items."""
    taken = taken_columns(options, table)
    free = [name for name in table.names if name not in taken]
    what = key_of(table, options, [])
    names = [
        name
        for name in free
        if name not in what and not (is_no_annotator(name) or table.counts_rows(name))
        and not (table.columns[name].are_lists or CONCLUSION.search(name))
    ]  # fmt: skip
    return names, _named(what)


def pairs(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of name columns next to label columns: ``judge1, vote1, judge2, vote2``."""
    readings = []
    for sides in numbered(table, taken_columns(options, table)):
        people = {stem: columns for stem, columns in sides.items() if _are_people(columns)}
        for stem, columns in people.items():
            for other, labels in sides.items():
                if other == stem or other in people or named_like_records(other.strip("#-_. ")):
                    continue
                names, marks = ([cells.name for cells in side] for side in (columns, labels))
                what = key_of(table, options, [*names, *marks])
                chosen = {"annotator": ",".join(names), "label": ",".join(marks)}
                condition = (
                    f"if {_several(names)} name annotators and {_several(marks)} hold their labels"
                )
                readings.append(TableReading("paired", {**_named(what), **chosen}, TOLD, condition))
    return readings


def _are_people(columns: Sequence[SampledColumn]) -> bool:
    """Tell whether columns name people: names recur in several columns, but not within a row."""
    if len(columns) < PAIR or any(cells.is_fraction or cells.are_texts for cells in columns):
        return False
    if is_record(columns[0].name) and as_annotator(columns[0].name) <= 0:
        return False
    grid = side_by_side(columns)
    filled = np.sort(np.where(grid < 0, -1 - np.arange(len(grid))[:, None], grid), axis=0)
    once = (np.diff(filled, axis=0) != 0).all()
    recurring = [{*row.tolist()} - {-1} for row in grid]
    shared = sum(map(len, recurring)) > len(set().union(*recurring)) >= len(columns)
    return bool(once and shared and ((grid >= 0).sum(axis=0) > 1).any())


def lists_beside(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of a list of names next to a list of labels."""
    lists = {
        name: members
        for name, cells in table.columns.items()
        if (members := nested_lists(cells.known[:SEEN])) is not None
    }
    readings = []
    for who, names in lists.items():
        every = [name for each in names for name in each]
        once = all(len({*each}) == len(each) for each in names)
        if not once or len({*every}) == len(every):
            continue
        for label, labels in lists.items():
            sizes = zip(table.columns[who].codes, table.columns[label].codes, strict=True)
            known = {
                (len(names[k]), len(labels[j]))
                for k, j in sizes
                if 0 <= k < len(names) and 0 <= j < len(labels)
            }
            repeat = any(len({*each}) < len(each) for each in labels)
            if label != who and repeat and all(one == other for one, other in known):
                what = key_of(table, options, [who, label])
                chosen = {"item": ",".join(what), "annotator": who, "label": label}
                condition = f"if {who!r} lists annotators, and {label!r} their labels"
                readings.append(TableReading("long", chosen, TOLD, condition, sure=bool(what)))
    return readings


def _lists(table: Sample, options: Options, ratings: Sequence[TableReading]) -> list[TableReading]:
    """Return readings of lists: an item's ratings, a label set, or a rating by each annotator."""
    every = [cells for cells in table.columns.values() if cells.are_lists]
    fit = [
        cells for cells in every
        if cells.name != options.item and not _list_people(cells)
        and not INSIDE.search(cells.name)  # an object in a list is only one of several rows
    ]  # fmt: skip
    if not fit:
        return []
    name, first = fit[0].name, fit[0].known[0]
    mark = None if first.startswith("[") else next((m for m in ";|," if m in first), ";")
    separated = {} if mark is None else {"separator": mark}
    condition = f"if a row is one rating and {name!r} a set of labels"
    readings = [
        replace(each, told={**each.told, **separated}, points=TOLD, condition=condition, others=())
        for each in ratings
        if each.told["label"] == name and as_annotator(str(each.told["annotator"])) > 0
    ]
    also = "does another" if len(fit) == PAIR else f"do {len(fit) - 1:,} others"
    more = f" (so {also})" if fit[1:] else ""
    condition = f"{name!r} holds lists{more}: if each has all ratings of an item"
    what = key_of(table, options, [name])
    chosen = {**_named(what), "label": name, "anonymous": True, **separated}
    others = [cells.name for cells in every if cells.name != name]
    sure = bool(what) and _may_agree(fit[0], mark)
    readings.append(TableReading("kinds", chosen, SHAPED, condition, others, sure=sure))
    parallel = fit if others and mark is None else []  # parallel lists need several columns
    lists = [split_lists(cells.known[:SEEN], None) or () for cells in parallel]
    sizes = {len(members) for each in lists for members in each}
    if len(sizes) == 1 and min(sizes) >= PAIR:
        places = {**_named(what), "annotators": name}
        condition = f"if each position in {name!r} is an annotator"
        readings.append(TableReading("kinds", places, SHAPED - 0.1, condition, sure=False))
    return readings


def _named(what: Sequence[str]) -> dict[str, object]:
    return {"item": ",".join(what)} if what else {}


def _may_agree(cells: SampledColumn, separator: str | None) -> bool:
    lists = split_lists(cells.known[:SEEN], separator)
    if lists is None:
        return False
    rows, (codes, known) = member_rows((cells.codes[:SEEN], []), lists, Missing())
    members = SampledColumn("", np.asarray(codes), list(map(str, known)))
    ways = {False, members.numbers is not None}
    alpha = max(agreement_of(rows, members.values(), ranked)[0] for ranked in ways)
    rated = rows[members.filled]
    return bool(rated.size) and not is_faint(alpha, len(rated) - len({*rated.tolist()}))


def _marked(table: Sample) -> tuple[str, ...]:
    fit = [
        name for name, cells in table.columns.items() if as_item(name) > 0 and not cells.tells_apart
    ]
    return (max(fit, key=as_item),) if fit else ()


def _several(names: Sequence[str]) -> str:
    return ", ".join(names if len(names) <= SHOWN else (*names[:2], "...", names[-1]))


def _list_people(cells: SampledColumn) -> bool:
    """Tell whether lists name annotators, each of them once."""
    lists = split_lists(cells.known, None) if as_annotator(cells.name) > 0 else None
    return lists is not None and all(len({*members}) == len(members) for members in lists)


def _alike_in_name(table: Sample, options: Options) -> list[TableReading]:
    """Return readings of the first columns with a common prefix that hold counts, or 0 and 1.

    There are none if the names of several groups end alike, as in "ann_yes" and "bob_yes".
    """
    groups: dict[str, list[SampledColumn]] = {}
    for cells in table.columns.values():
        match = PREFIX.fullmatch(cells.name)
        if match and cells.are_counts and cells.name != options.item:
            groups.setdefault(match[1] or match[2], []).append(cells)
    groups_of_prefix = {
        prefix: group
        for prefix, group in groups.items()
        if len(group) > 1 and not are_annotators(cells.name for cells in group)
    }
    ends = [
        each.name.removeprefix(prefix)
        for prefix in groups_of_prefix
        for each in groups_of_prefix[prefix]
    ]
    if not groups_of_prefix or len(set(ends)) < len(ends):
        return []
    prefix, group = next(iter(groups_of_prefix.items()))
    grid = np.array([cells.values() for cells in group])
    if grid.max() > 1 and (grid == 0).any():
        condition = f"if the columns '{prefix}*' count annotators"
        what = key_of(table, options, [cells.name for cells in group])
        chosen = {**_named(what), "counts": f"{prefix}*"}
        return [TableReading("kinds", chosen, SHAPED, condition, sure=False)]
    if grid.max() != 1:
        return []
    option = "one_hot" if (grid.sum(axis=0) == 1).all() else "multi_hot"
    condition = f"if a row is one rating and the columns '{prefix}*' are its labels"
    chosen = {**_named(_marked(table) or key_of(table, options, [])), option: f"{prefix}*"}
    return [
        TableReading("kinds", variant, points, condition, sure=False)
        for points, variant in ((SHAPED, chosen), (SHAPED - 0.1, {**chosen, "anonymous": True}))
    ]
