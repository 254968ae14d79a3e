"""Every way to read a table that its values allow, with points for what speaks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import takewhile

import numpy as np

from iaa_jax._types import Integers
from iaa_jax.data.usual import ANNOTATOR, ITEM, LABEL, bare_name, named_like_records
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import (
    ODDS,
    SURE,
    agreement,
    agreement_of,
    design,
    follows,
    is_mean,
    odds_of_consensus,
    share_of_pairs,
    stacked,
)
from iaa_jax.io.layout.sample import FEWEST, LONGEST, SCALE, SEEN, Cells, Sample, side_by_side
from iaa_jax.io.table.columns import (
    choose_annotators,
    groups_of_labels,
    is_no_annotator,
    split_names,
)
from iaa_jax.io.table.proposal import PREFIX, each_by

MOST = 5  # candidates for a role that are tried
PAIR = 2
MOST_COUNTS = 40  # columns that are added up, and compared with each other
SAME = 0.98  # agreement beyond which a column may describe items
APART = 0.2  # by how much annotators of one question agree more than with those of another
STRAY = 0.1  # share of the cells of texts that are labels as well, at most
LEAST = 0.2  # share of their labels that columns of annotators have on average
ONCE = 0.75  # share of pairs of item and annotator that stand once, at least
MEET = 0.5  # share of items that two annotators rated, at least

USUAL, LIKELY, UNLIKELY = 3.0, 2.0, -3.0
"""Points of a name that the role usually has, of one like it, and of one that others have."""

_WHO = re.compile(
    r"annotat|rater|person|coder|worker|judge|label+er|reviewer|reader|evaluat|participant|respondent|"
    r"observer|assessor|examiner|expert|panel+ist|physician|doctor|speaker|student|listener|"
    r"kodierer|codierer|beurteil|bewerter|codeur|juge|anotador|codificador|juez|evaluador|"
    r"annotatore|valutator|beoordel|"
    r"(^|[\W_])(user|who|by)([\W_]*(id|name|no|nr|num|number|key))?$",
    re.IGNORECASE,
)
_WHAT = re.compile(
    r"([\W_]|^)(id|no|nr|num|number|key|idx|doc|document|text|sentence|image|img|picture|video|clip|"
    r"audio|tweet|comment|post|question|prompt|query|passage|segment|utterance|sample|seq|line|turn|"
    r"position)([\W_]|$)|"
    r"[a-z]I[dD]$"
)
_OF_PEOPLE = re.compile(
    r"(^|[\W_])(age|gender|sex|education|ethnicity|country|nationality|income|native)([\W_]|$)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    r"(^|[\W_])(mean|avg|average|median|majority|consensus|gold|truth|sd|std|stdev|var|variance)([\W_]|$)",
    re.IGNORECASE,
)
_STEM = re.compile(r"\d+")


@dataclass(frozen=True)
class Reading:
    """A way to read a table: what to say of it, under what condition, and its points."""

    layout: str
    told: Mapping[str, object]
    points: float
    condition: str
    others: Sequence[str] = field(default=())  # columns of labels beside the one that is told
    sure: bool = True  # whether it may be read without a question
    also: str = ""


def long_readings(table: Sample, options: Options) -> list[Reading]:
    """A row is a rating: which columns name its item and its annotator, and which is the label."""
    found: list[Reading] = []
    people = _people(table, options)
    for who in people:
        units = _units(table, options, who)
        alone = [_rating_rows(table, options, what, who) for what in units]
        found += filter(None, alone)
        apart = any(
            share_of_pairs(table.joined(what), table.columns[who].codes)[0] == 1
            for what, way in zip(units, alone, strict=True)
            if way is not None
        )
        if not apart and options.item is None:
            found += filter(
                None, (_rating_rows(table, options, both, who) for both in _joint(table, who))
            )
    return found


def _people(table: Sample, options: Options) -> list[str]:
    """Columns that may name annotators, the likeliest first."""
    if options.annotator is not None:
        return [str(options.annotator)] if options.annotator in table.columns else []
    taken = taken_columns(options, table)
    points = {
        name: as_annotator(name)
        for name, cells in table.columns.items()
        if name not in taken and cells.recurs and not (
            cells.are_texts or cells.is_fraction or cells.are_times or cells.are_lists
            or table.counts_rows(name)
        )
    }  # fmt: skip
    people: list[str] = []
    for name in sorted(points, key=points.__getitem__, reverse=True):
        codes = table.columns[name].codes
        others = (table.columns[other].codes for other in people)
        if not any(follows(codes, other) and follows(other, codes) for other in others):
            people.append(name)  # else it is another name of the same annotators
    return people[:MOST]


def _units(table: Sample, options: Options, who: str) -> list[tuple[str, ...]]:
    """Columns that may name items, the likeliest first."""
    if options.item is not None:
        return [split_names(options.item, table.names)]
    taken = {*taken_columns(options, table), who}
    points = {
        name: as_item(name) + cells.are_texts
        for name, cells in table.columns.items()
        if name not in taken and 1 < cells.distinct < cells.count
        and not (cells.is_fraction or cells.are_lists or table.counts_rows(name))
    }  # fmt: skip
    stems: dict[str, list[str]] = {}
    for name in points:
        stems.setdefault(_STEM.sub("#", name), []).append(name)
    alike = [tuple(group) for stem, group in stems.items() if "#" in stem and len(group) == PAIR]
    return [
        *alike,
        *((name,) for name in sorted(points, key=points.__getitem__, reverse=True)[: 2 * MOST]),
    ]


def _joint(table: Sample, who: str) -> Iterator[tuple[str, ...]]:
    """A column that may name items beside another that tells their parts apart."""
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


def _rating_rows(table: Sample, options: Options, what: Sequence[str], who: str) -> Reading | None:
    """Rows as ratings of an item by an annotator; None if that cannot be."""
    if any(name not in table.columns for name in what):
        return None
    items, people = table.joined(what), table.columns[who].codes
    once, met = share_of_pairs(items, people)
    unordered = len(what) == PAIR and met < MEET
    if unordered:  # pairs may be the same in either order
        items = np.sort(side_by_side([table.columns[name] for name in what]), axis=0)
        items = np.unique(items, axis=1, return_inverse=True)[1].reshape(-1)
        once, met = share_of_pairs(items, people)
    if once < ONCE or met < MEET:
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
        points += 1 if len({_STEM.sub("#", name) for name in what}) == 1 else -1
    points += np.clip(by_item, -1, SURE) - np.clip(by_person, -1, SURE)
    points += np.log10(max(1, items.max() + 1)) - np.log10(max(1, table.columns[who].distinct))
    if {*map(str, table.columns[who].spelt)} & {*table.columns[label].known}:
        points += UNLIKELY  # names of annotators are no labels
    about = [cells for name, cells in table.columns.items() if name not in (*what, who, label)]
    points += _described(about, items, people)
    told: dict[str, object] = {"item": ",".join(what), "annotator": who, "label": label}
    if unordered:
        told["unordered"] = True
    usual = bare_name(label) in LABEL or options.label is not None
    rest = [] if usual else [name for name, of in labels[1:] if of > of_label - SURE]
    sure = as_annotator(who) > 0 or by_item >= SURE > by_person
    sure = sure and not unordered
    return Reading("long", told, float(points), "if a row is one rating", rest, sure=sure)


def _described(about: Sequence[Cells], items: Integers, people: Integers) -> float:
    """Points for columns that tell something of the items, as texts do, or of the annotators."""
    points = 0.0
    for cells in about[: 2 * MOST]:
        of_items, of_people = follows(items, cells.codes), follows(people, cells.codes)
        if of_items == of_people:
            continue
        if cells.are_texts:
            points += 1 if of_items else UNLIKELY
        if _OF_PEOPLE.search(cells.name):
            points += 0.5 if of_people else -0.5
    return points


def _labels(
    table: Sample, options: Options, what: Sequence[str], who: str, items: Integers
) -> list[tuple[str, float]]:
    """Columns that may hold labels, with their points, the likeliest first."""
    if options.label is not None:
        return [(options.label, USUAL)] if options.label in table.columns else []
    taken = {*taken_columns(options, table), *what, who}
    found = []
    many = len(items) - len(np.unique(items)) >= 2 * FEWEST
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
        points = _as_label(name)
        if points <= UNLIKELY:
            continue
        alpha, strength = agreement(items, cells)
        points += np.clip(strength, -1, SURE) / 2 - (2 if of_items else 0)
        points -= (cells.distinct > SCALE) + bool(alpha > SAME)  # as what is known of items
        found.append((name, float(points)))
    return sorted(found, key=lambda each: each[1], reverse=True)[:MOST]


def wide_readings(table: Sample, options: Options) -> list[Reading]:
    """A row is an item: which columns are annotators, and which name the item."""
    taken = taken_columns(options, table)
    free = {
        name: cells
        for name, cells in table.columns.items()
        if name not in taken and cells.distinct and not (cells.are_times or table.counts_rows(name))
    }
    labels_of = {name: {*cells.spelt} for name, cells in free.items()}
    usual = choose_annotators([*free])
    groups: list[list[str]] = [usual, *groups_of_labels(labels_of)]
    called = {*usual}
    stems = [group for sides in numbered(table, taken) for group in sides.values()]
    groups += [[cells.name for cells in group] for group in stems]
    found: dict[tuple[str, ...], Reading] = {}
    for group in groups:
        likely = [
            name
            for name in group
            if name in called or not (
                is_no_annotator(table.start, name)
                or (as_item(name) >= LIKELY and free[name].tells_apart)
            )
        ]  # fmt: skip
        annotators = _without_summaries([free[name] for name in likely])
        if len(annotators) < PAIR or tuple(annotators) in found:
            continue
        reading = _item_rows(table, options, annotators, [*free.values()])
        if reading is not None:
            found[tuple(annotators)] = reading
    if table.has_annotators:  # which columns of annotators do not need
        return [replace(each, sure=False, points=each.points + UNLIKELY) for each in found.values()]
    asked = [each for names, each in found.items() if _are_questions(names, stems)]
    if asked:
        first = max(asked, key=lambda reading: reading.points)
        ways = [_STEM.sub("*", group[0].name) for group in stems]
        also = f"; {each_by(dict.fromkeys(ways))}"
        found = {names: each for names, each in found.items() if each not in asked}
        return [replace(first, sure=False, also=also), *found.values()]
    return [*found.values()]


def _are_questions(annotators: Sequence[str], stems: Sequence[Sequence[Cells]]) -> bool:
    """Whether columns are one of several numbered groups with the same labels."""
    labels = [
        {label for cells in group for label in cells.spelt}
        for group in stems
        if {cells.name for cells in group} <= {*annotators}
    ]
    own = next(iter(labels), set())
    others = (group for group in stems if {cells.name for cells in group}.isdisjoint(annotators))
    return any(not own.isdisjoint(cells.spelt) for group in others for cells in group)


def mixes_questions(table: Sample, annotators: Sequence[str]) -> bool:
    """Whether columns are numbered groups, each of which agrees, and all together far less."""
    own = replace(table, columns={name: table.columns[name] for name in annotators})
    groups = [group for sides in numbered(own, set()) for group in sides.values()]
    if len(groups) < PAIR or sum(map(len, groups)) < len(annotators):
        return False
    together = agreement_of(*stacked([*own.columns.values()]))[0]
    each = [agreement_of(*stacked(group)) for group in groups]
    return all(strength > SURE and alpha > together + APART for alpha, strength in each)


def numbered(table: Sample, taken: Set[str]) -> list[dict[str, list[Cells]]]:
    """Columns whose names differ in their numbers alone, by what is the same of them.

    Those with the same numbers stand together: they are questions, or names beside labels.
    """
    groups: dict[str, list[Cells]] = {}
    for name, cells in table.columns.items():
        if cells.distinct and _STEM.search(name) and name not in taken:
            groups.setdefault(_STEM.sub("#", name), []).append(cells)
    found: dict[tuple[str, ...], dict[str, list[Cells]]] = {}
    for stem, columns in groups.items():
        by_number = {"-".join(_STEM.findall(cells.name)): cells for cells in columns}
        numbers = tuple(sorted(by_number))
        if len(numbers) >= PAIR:
            found.setdefault(numbers, {})[stem] = [by_number[number] for number in numbers]
    return [*found.values()]


def _without_summaries(columns: Sequence[Cells]) -> list[str]:
    """The names of columns but for means of the others, and names that hardly come again."""
    left: list[Cells] = []
    few = len(columns) <= MOST_COUNTS
    for cells in columns:
        renamed = (
            cells.count >= FEWEST
            and few
            and any(
                follows(cells.codes, other.codes) and {*cells.spelt}.isdisjoint(other.spelt)
                for other in left
            )
        )
        named = _OF_PEOPLE.search(cells.name) or _is_record(cells.name)
        if not (cells.are_ids or cells.are_lists or renamed or named):
            left.append(cells)
    for cells in columns if few else ():
        others = [other for other in left if other is not cells]
        if cells in left and len(others) >= PAIR and is_mean(cells, others):
            left = others
    return [cells.name for cells in left]


def _item_rows(
    table: Sample, options: Options, annotators: Sequence[str], free: Sequence[Cells]
) -> Reading | None:
    """Rows as items, with a column for each annotator.

    It is sure where all columns are called as annotators are, or agree far beyond chance, and no
    further one has their labels.
    """
    columns = [table.columns[name] for name in annotators]
    rows, values, ranked = stacked(columns)
    _, strength = agreement_of(rows, values, ranked)
    what = key_of(table, options, annotators)
    labels = [{*cells.spelt} for cells in columns]
    every = set[object]().union(*labels)
    overlap = (
        _overlap(columns) if ranked else float(np.mean([len(each) / len(every) for each in labels]))
    )
    if overlap < LEAST:
        return None
    joined = len(groups_of_labels(dict(zip(annotators, labels, strict=True)))) == 1
    usual = joined and len(choose_annotators(annotators)) == len(annotators)
    points = (USUAL if usual else 0.0) + 2 * overlap + np.clip(strength, -1, SURE)
    if not usual and len({_STEM.sub("#", name) for name in annotators}) == 1:
        points += LIKELY
    points += max(map(as_item, what)) + 1 - 0.5 * (len(what) > 1) if what else UNLIKELY / 2
    told: dict[str, object] = {"item": ",".join(what)} if what else {}
    told["annotators"] = together(annotators, table.start.names)
    known = {*annotators, *what}
    others = [cells for cells in free if cells.name not in known]
    alone = len(free) > MOST_COUNTS or all(
        every.isdisjoint(cells.spelt) or is_mean(cells, columns) for cells in others
    )
    sure = alone and bool(what) and (usual or strength > SURE)
    return Reading("wide", told, float(points), "if a row is one item", sure=sure)


def _overlap(columns: Sequence[Cells]) -> float:
    """The share of the range of all columns in which each has numbers, on average."""
    low, high = np.array([np.nanquantile(cells.values(), (0.05, 0.95)) for cells in columns]).T
    return float(np.mean(high - low) / max(high.max() - low.min(), 1e-300))


def key_of(table: Sample, options: Options, annotators: Sequence[str]) -> tuple[str, ...]:
    """The columns that name items: one that tells rows apart, else several together."""
    if options.item is not None:
        return split_names(options.item, table.names)
    taken = {*annotators, *taken_columns(options, table)}
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
    told = 0
    while len(key) < min(len(free), MOST):
        left = [cells.name for cells in free if cells.name not in key]
        best = max(left, key=lambda name: _number(table, [*key, name]))
        if (number := _number(table, [*key, best])) == told:
            break
        key, told = [*key, best], number
    return tuple(key) if told == table.rows else ()


def _number(table: Sample, names: Sequence[str]) -> int:
    codes = table.joined(names)
    return len(np.unique(codes[codes >= 0]))


def count_readings(table: Sample, options: Options) -> list[Reading]:
    """A row is an item, and columns count who chose a label: their sum is that of all rows."""
    taken = taken_columns(options, table)
    whole = [
        cells
        for name, cells in table.columns.items()
        if name not in taken and cells.are_counts and not table.counts_rows(name)
        and bare_name(name) not in ITEM
    ]  # fmt: skip
    grid = np.array([cells.values()[:SEEN] for cells in whole[:MOST_COUNTS]])
    for start in range(len(grid)):
        for end in range(len(grid), start + 1, -1):
            columns = grid[start:end]
            total = columns[:, 0].sum()
            if total < PAIR or (columns[:, :FEWEST].sum(axis=0) != total).any():
                continue
            names = [cells.name for cells in whole[start:end]]
            patterns = len(np.unique(columns, axis=1).T)
            if (
                (columns.sum(axis=0) != total).any() or patterns < FEWEST - PAIR
                or columns.shape[1] < FEWEST or columns.max() < PAIR
                or choose_annotators(names) == names
            ):  # fmt: skip
                continue
            what = key_of(table, options, names)
            told: dict[str, object] = {"item": ",".join(what)} if what else {}
            told["counts"] = together(names, table.start.names)
            condition = f"each row adds up to {int(total):,}: if the columns count annotators"
            # of two columns, one may be the opposite of the other
            return [Reading("counts", told, SURE * SURE, condition, sure=len(names) > PAIR)]
    return []


def together(names: Sequence[str], every: Sequence[str]) -> str:
    """Columns as an option takes them: by their beginning, if they are long."""
    listed, match = ",".join(names), PREFIX.fullmatch(names[0])
    if len(listed) <= LONGEST:
        return listed
    ends = zip(min(names), max(names), strict=False)  # what these share, all do
    shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    starts = [(match[1] or match[2]) if match else "", shared.rstrip("0123456789"), shared]
    for start in filter(None, starts):
        if [name for name in every if name.startswith(start)] == [*names]:
            return f"{start}*"
    return listed


def consensus(table: Sample, annotators: Sequence[str]) -> tuple[str, float] | None:
    """The column that holds what the others came to, and the odds; None if there is none."""
    if not PAIR < len(annotators) <= MOST_COUNTS:
        return None
    columns = {name: table.columns[name] for name in annotators if name in table.columns}
    odds = {
        name: odds_of_consensus(cells, [other for other in columns.values() if other is not cells])
        for name, cells in columns.items()
    }
    best = max(odds, key=odds.__getitem__)
    return (best, odds[best]) if odds[best] >= ODDS / 4 else None


def taken_columns(options: Options, table: Sample) -> set[str]:
    """The columns that the caller named."""
    named: set[str] = set()
    for option in ("item", "annotator", "label", "secondary", "annotators", "keep"):
        value = getattr(options, option)
        if value is not None:
            named |= {*split_names(value, table.names)}
    return named


def as_annotator(name: str) -> float:
    """Points of a name as that of annotators."""
    if (bare := bare_name(name)) in ANNOTATOR:
        return USUAL - ANNOTATOR.index(bare) / 100
    if _WHO.search(name):
        return LIKELY
    odd = _WHAT.search(name) or bare in ITEM + LABEL or _is_record(name)
    return UNLIKELY if odd else 0.0


def as_item(name: str) -> float:
    """Points of a name as that of items."""
    bare = bare_name(name)
    if bare in ITEM:
        return USUAL - ITEM.index(bare) / 100
    if bare in ANNOTATOR or _WHO.search(name) or bare in LABEL:
        return UNLIKELY / 2
    if _OF_PEOPLE.search(name):
        return UNLIKELY
    return LIKELY / 2 if _WHAT.search(name) else 0.0


def _is_record(name: str) -> bool:
    """Whether a column is called as what a platform says of an answer, perhaps numbered."""
    return named_like_records(_STEM.sub("", name).strip("-_. "))


def _as_label(name: str) -> float:
    """Points of a name as that of labels."""
    if (bare := bare_name(name)) in LABEL:
        return USUAL - LABEL.index(bare) / 10
    odd = _is_record(name) or choose_annotators([name]) or as_item(name) > 0
    return UNLIKELY if odd or _OF_PEOPLE.search(name) else 0.0
