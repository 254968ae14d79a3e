"""Chooses a reading (options for a table), or asks the user to decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from iaa_jax._errors import IaaError, LayoutError, brief, shown
from iaa_jax.data.notices.ambiguous import column_notices, turned
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, LABEL, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.layout.crossed import crossed
from iaa_jax.io.layout.evidence import ODDS, PAIR, follows
from iaa_jax.io.layout.item_rows import (
    are_other_things,
    consensus,
    count_readings,
    has_mean,
    mixes_questions,
    strays,
    wide_readings,
)
from iaa_jax.io.layout.names import are_annotators, are_right_answers, as_annotator, as_item
from iaa_jax.io.layout.plain import WideColumns
from iaa_jax.io.layout.rating_rows import TableReading, are_times, key_of, together
from iaa_jax.io.layout.sample import Sample, sample
from iaa_jax.io.layout.special import (
    lists_beside,
    pairs,
    questions,
    questions_beside,
    row_readings,
    whole,
)
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.excluding import nothing_left
from iaa_jax.io.table.proposal import OF_ONE_EACH, Told, advice, each_by, named_by_files
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, with_ways
from iaa_jax.wording.formats import counted
from iaa_jax.wording.spelling import command

TRIED = 8  # maximum number of readings tried on the file
SHOWN = 2  # maximum number of readings that a message proposes
CLEAR = 2.0  # minimum lead in points of a reading that is used, or proposed alone
ENOUGH = 4.0  # minimum points of a reading that is used without asking


class Trial(NamedTuple):
    """The size of the ratings that a reading yields.

    ``item`` is set if the reading needs further item columns so that no rating is repeated.
    """

    items: int
    annotators: int
    ratings: int
    repeat: bool = False
    item: str = ""

    def __str__(self) -> str:
        """The size, as shown in advice."""
        once = " counting each repeated pair once" if self.repeat else ""
        return (
            f"{counted(self.items, 'item')}, {counted(self.annotators, 'annotator')}, "
            f"{counted(self.ratings, 'rating')}{once}"
        )


Try = Callable[[Told], Trial | None]


def decide(
    files: Sequence[Source],
    options: Options,
    attempt: Try,
    further: str = "",
    fallback: IaaError | None = None,
) -> Mapping[str, object]:
    """Return the options for a table of unknown layout, if one reading leads clearly.

    Raises
    ------
    IaaError
        If no reading leads clearly. If none works, the error is ``fallback``, if given.
    """
    table = sample(files)
    if files[0].exclude and not table.rows:
        raise nothing_left(files)
    tried = [*_tried(table, files, options, attempt)]
    if (
        tried
        and not (tried[0][1].repeat or tried[0][1].item)
        and _leads([each for each, _ in tried])
    ):
        return tried[0][0].told
    if not tried and options.item is None and fallback is None:
        tried = [*_in_several_rows(table, options, attempt)]
    if fallback is not None and not tried:
        raise fallback
    if options.item is None:
        tried = [each for one in tried for each in _rated_again(table, *one, attempt)]
    raise LayoutError(_explained(files, table, tried, further), partial(wide_of, table, options))


def wide_of(table: Sample, options: Options, names: Sequence[str]) -> Mapping[str, object] | None:
    """Return the options that read the columns of these annotators, with a row per item.

    The result is None if not all names are columns, if a column names the annotators, or if no
    single other column names the items.
    """
    named = {*options.columns_named()} - {"item"}
    if named or table.has_annotators or not names or not {*names} <= {*table.names}:
        return None
    items = key_of(table, options, names)
    if len(items) != 1:
        return None
    return {"item": [*items], "annotators": [*names]}


def doubts(wide: WideColumns, options: Options) -> list[Note] | None:
    """Return warnings on a table that seems to have a row per item.

    The result is None if the evidence is too weak, so that the user has to say how to read it.
    """
    table, ids, annotators = wide.table, wide.ids, wide.annotators
    if count_readings(table, options):
        return None
    columns = {name: table.columns[name] for name in annotators if name in table.columns}
    likely = consensus(columns)
    if (
        crossed([*columns]) is not None
        or mixes_questions(table, [*columns])
        or are_other_things(table, ids, [*columns])
        or (likely is not None and likely[1] >= ODDS)
        or any(has_mean(cells, [*columns.values()]) for cells in columns.values())
    ):
        return None
    notes = [] if options.item is not None else column_notices(ids, annotators)
    has_clear_item = options.item is not None or notes
    if ids and not has_clear_item and as_annotator(ids[0]) > 0 and not are_annotators(columns):
        notes.append(turned("rows_of_annotators", {"column": ids[0]}))
    odd = [] if likely is not None else strays(table, [*columns])
    if odd:
        others = together([each for each in annotators if each not in odd], table.start.names)
        notes.append(Note("columns_apart", {"columns": odd, "others": others}, "caution"))
    return notes


def doubts_on_items(
    names: Sequence[str],
    options: Options,
    told: Mapping[str, object],
    kept: str | Sequence[str] = (),
) -> list[Note]:
    """Return a note if a column such as a batch became a part of the items' names.

    Rows that differ only in this column may be one item that was rated again.
    """
    ids = split_names(str(told.get("item", "")), names) if "annotators" in told else ()
    known = split_names(kept, names) if kept else ()
    rounds = [name for name in ids if as_item(name) <= 0 and name not in known]
    items = [name for name in ids if as_item(name) > 0]
    if options.item is not None or not rounds or not items:
        return []
    values = {"columns": items, "rounds": rounds, "item": ",".join(items), "every": ",".join(ids)}
    return [Note("items_of_rounds", values | {"annotators": told["annotators"]}, "caution")]


def _tried(
    table: Sample, files: Sequence[Source], options: Options, attempt: Try
) -> Iterator[tuple[TableReading, Trial]]:
    makers: Sequence[Callable[[], list[TableReading]]] = (
        lambda: whole(table, files),
        lambda: questions(table, options),
        lambda: _ranked(table, options),
    )
    for make in makers:  # later makers are called only if no earlier reading works
        done: set[tuple[object, ...]] = set()
        for reading in make()[:TRIED]:
            kind = (reading.layout, reading.condition)
            if kind in done and reading.layout == "kinds":
                continue
            trial = attempt(reading.told)
            if trial is not None:
                done.add(kind)
                yield reading, trial
        if done:
            return


def _rated_again(
    table: Sample, reading: TableReading, trial: Trial, attempt: Try
) -> list[tuple[TableReading, Trial]]:
    """Return a reading, or two readings if a time is part of the names of its items.

    The first of these takes rows that differ only in the time for one item, rated again.
    """
    named = trial.item or reading.told.get("item")
    if reading.layout != "long" or named is None or "header_line" in reading.told:
        return [(reading, trial)]
    ids = split_names(str(named), table.names)
    times = [name for name in ids if name in table.columns and are_times(table.columns[name])]
    items = [name for name in ids if name not in times]
    told = {**reading.told, "item": ",".join(items), "duplicates": "last"}
    once = attempt(told) if times and items else None
    if once is None:
        return [(reading, trial)]
    again = replace(
        reading,
        told=told,
        condition=f"if {shown(times)} tells when an item was rated again",
        also=f"; {keyword('duplicates', 'apart')} takes the later ratings for those of additional "
        "annotators, as 'iaa annotators --repeats' does",
    )
    apart = replace(reading, condition=f"if each {shown(times)} is another item")
    return [(again, once), (apart, trial)]


def _ranked(table: Sample, options: Options) -> list[TableReading]:
    every = [*pairs(table, options), *lists_beside(table, options), *row_readings(table, options)]
    every.sort(key=lambda reading: reading.points, reverse=True)
    ranked: list[TableReading] = []
    known: list[object] = []
    for reading in every:
        columns = _columns(reading.told, table)
        if reading.points > 0 and columns not in known:
            ranked.append(reading)
            known.append(columns)
    if ranked and ranked[0].layout == "wide":
        ranked = [*_without_consensus(table, ranked[0]), *ranked]
    if not ranked or not _leads(ranked):
        ranked = [*questions_beside(table, options), *ranked]
    return ranked


def _columns(told: Mapping[str, object], table: Sample) -> dict[str, object]:
    """Return the options of a reading, with columns as sets, because their order is irrelevant."""
    names = {"item", "annotator", "label", "annotators", "counts"}
    return {
        name: {*split_names(str(value), table.start.names)} if name in names else value
        for name, value in told.items()
    }


def _without_consensus(table: Sample, reading: TableReading) -> list[TableReading]:
    annotators = split_names(str(reading.told["annotators"]), table.names)
    likely = consensus({name: table.columns[name] for name in annotators if name in table.columns})
    if likely is None or likely[1] < ODDS:
        return []
    name, _ = likely
    left = [each for each in annotators if each != name]
    condition = f"if {brief(name)} is a consensus of the others"
    fewer = {**reading.told, "annotators": together(left, table.start.names)}
    return [replace(reading, told=fewer, condition=condition)]


def _leads(readings: Sequence[TableReading]) -> bool:
    first, *others = readings
    near = others and others[0].points > first.points - CLEAR
    return first.sure and not near and first.points >= ENOUGH and not first.others


def advice_on_repeats(
    table: Sample, ids: Sequence[str], annotators: Sequence[str], attempt: Try
) -> list[str]:
    """Return advice on a table in which several rows have the same cells in the columns ``ids``.

    A later column without repeated cells may name the items, and surely does if its numbers ascend.
    The annotators are then columns to the right of it. A column with one value for each value of
    ``ids`` is no annotator.
    """
    chosen = {"item": ",".join(ids), "label": annotators[0], "anonymous": True}
    readings = [
        TableReading("long", chosen, 0, "if a row is one rating", annotators[1:]),
        TableReading("wide", {"annotators": ",".join(annotators)}, 0, "if a row is one item"),
    ]
    tried = [
        *_together(ids, annotators, attempt),
        *((way, trial) for way in readings if (trial := attempt(way.told)) is not None),
    ]
    known = [table.columns[name] for name in annotators if name in table.columns]
    unique = [cells for cells in known if cells.tells_apart and not cells.is_fraction]
    if len(unique) == 1:
        (item,) = unique
        after, codes = known[known.index(item) + 1 :], table.joined(ids)
        rated = [cells.name for cells in after if not follows(codes, cells.codes)]
        told = {"item": item.name, "annotators": ",".join(rated)}
        way = TableReading("wide", told, 0, f"if {brief(item.name)} names the items")
        if len(rated) >= PAIR and (trial := attempt(told)) is not None:
            tried = [(way, trial), *([] if item.ascends or item.numbers is None else tried)]
    return [_advice(way, trial) for way, trial in tried]


def _in_several_rows(
    table: Sample, options: Options, attempt: Try
) -> Iterator[tuple[TableReading, Trial]]:
    """Yield a reading of a table in which each annotator of an item may have a row of their own."""
    for reading in wide_readings(table, options)[:SHOWN]:
        annotators = split_names(str(reading.told["annotators"]), table.names)
        for item in [name for name in table.names if name not in annotators][:TRIED]:
            if found := [*_together([item], annotators, attempt)]:
                yield from found
                return


def _together(
    ids: Sequence[str], annotators: Sequence[str], attempt: Try
) -> Iterator[tuple[TableReading, Trial]]:
    """Yield a reading of rows with equal ``ids`` as one item, if nobody rated in two such rows."""
    names = {"item": ",".join(ids), "annotators": ",".join(annotators)}
    told = {**names, "duplicates": "apart"}
    trial = attempt(told)
    if trial is not None and trial.annotators == len(annotators):
        which = shown([*ids])
        yield TableReading("wide", told, 0, f"if rows with the same {which} are one item"), trial


def _explained(
    files: Sequence[Source],
    table: Sample,
    tried: Sequence[tuple[TableReading, Trial]],
    further: str,
) -> str:
    rows = f"; its first rows are {table.start.first_rows()}" if table.start.rows else ""
    return with_ways(
        f"{files[0]}: cannot tell how the table is laid out; its columns are "
        f"{shown(table.start.names, 12)}{rows}",
        [
            *filter(None, [further]),
            *dict.fromkeys(_best_advice(table, tried) if tried or not further else ()),
            *_gold_advice(table, tried),
            *_file_advice(files),
        ],
    )


def _best_advice(table: Sample, tried: Sequence[tuple[TableReading, Trial]]) -> list[str]:
    names = table.start.names
    near = [
        (reading, trial) for reading, trial in tried
        if reading.points > tried[0][0].points - CLEAR or reading.is_named_better(tried[0][0])
    ]  # fmt: skip
    if tried:
        return [_advice(reading, trial) for reading, trial in near[:SHOWN]]
    item = keyword("item", usual_name(names, ITEM) or "NAME")
    label = keyword("label", usual_name(names, LABEL) or "NAME")
    who = usual_name(names, ANNOTATOR)
    if who is not None:
        return [f"if a row is one rating, give {item}, {keyword('annotator', who)} and {label}"]
    return [
        f"if a row is one rating, give {item}, {keyword('annotator', 'NAME')} and {label} "
        f"(without annotators: {keyword('anonymous', True)})",
        f"if a row is one item, give {item} and {keyword('annotators', 'NAME,NAME')}",
    ]


def _advice(reading: TableReading, trial: Trial) -> str:
    also = reading.also
    if reading.others:
        also = f"; {each_by([str(reading.told['label']), *reading.others])}"
    chosen = {**reading.told, **({"duplicates": "first"} if trial.repeat else {})}
    chosen |= {"item": trial.item} if trial.item else {}
    return f"{advice(reading.condition, chosen)} ({trial}){also}"


def _gold_advice(table: Sample, tried: Sequence[tuple[TableReading, Trial]]) -> Iterator[str]:
    listed = tried[0][0].told.get("annotators") if tried else None
    if listed is None:
        return
    names = split_names(str(listed), table.names)
    labels = frozenset[object]().union(*table.labels_of(names).values())
    for name, cells in table.columns.items():
        if name not in names and are_right_answers(name) and not labels.isdisjoint(cells.labels):
            known = command("judge", "--gold", name)
            yield f"if {brief(name)} holds the right answers, {known} compares everyone with them"
            return


def _file_advice(files: Sequence[Source]) -> list[str]:
    if files[0].is_sheet:
        how = f"{keyword('item', 'NAME')} and {keyword('label', 'NAME')}"
        return [f"if each sheet is of one annotator, give {how}"]
    return [f"{OF_ONE_EACH}, give {named_by_files(files)}"] if files[1:] else []
