"""Chooses the reader of a plain table, and infers the options that the reader needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, LayoutError, RepeatedError, shown
from iaa_jax._types import Integers
from iaa_jax.data.notices.ambiguous import column_notices
from iaa_jax.data.storage import panel_sizes, rated
from iaa_jax.io.base import Options, Reader
from iaa_jax.io.layout.apart import doubts_on_columns
from iaa_jax.io.layout.crossed import crossed
from iaa_jax.io.layout.deciding import (
    Trial,
    advice_on_repeats,
    decide,
    doubts,
    doubts_on_items,
    wide_of,
)
from iaa_jax.io.layout.evidence import PAIR, share_of_pairs
from iaa_jax.io.layout.plain import WideColumns, usual_rows
from iaa_jax.io.layout.rater_files import describe_files, told_by_files
from iaa_jax.io.layout.rating_rows import taken_columns
from iaa_jax.io.layout.sample import distinct, sample
from iaa_jax.io.registry import READERS, formats, readers
from iaa_jax.io.sheets import describe_one_sheet
from iaa_jax.io.table import opening
from iaa_jax.io.table.columns import check_columns, refuse_options, split_names
from iaa_jax.io.table.rows import find_roles
from iaa_jax.io.table.source import Source
from iaa_jax.io.unfolding import describe_lists, told_by_lists, told_by_path
from iaa_jax.wording import Note, first_clause, keyword, named, with_ways

OF_ROWS = {"item", "unordered", "separator", "blank"}
"""Options that do not show the layout of a table."""
FEWEST = 20  # minimum number of items with two ratings, if these are less than half of the items
FIRST = 1024  # number of items that are compared first, which usually suffice
FEW = 10  # minimum number of items with several ratings
AGAIN = 3  # minimum mean number of rows with the same answer

ChosenReader = tuple[Reader, Mapping[str, Any], Sequence[Note]]


def choose_reader(files: Sequence[Source], options: Options) -> ChosenReader:
    """Return the reader of tables, the options inferred from the files, and notes.

    The option ``keep`` is used only if the layout is unclear without it.
    """
    if options.anonymous and options.annotator is not None:  # the names are forgotten once read
        return choose_reader(files, replace(options, anonymous=False))
    if options.keep is not None:
        try:
            return _reader_by(files, replace(options, keep=None), options.keep)
        except IaaError:
            pass
    return _reader_by(files, options)


def _reader_by(
    files: Sequence[Source], options: Options, kept: str | Sequence[str] = ()
) -> ChosenReader:
    if options.anonymous and (by_name := _by_name(files, options)) is not None:
        return by_name
    if options.format is not None:
        return _format_reader(files, options.format, options)
    by_files = told_by_path(files, options) or told_by_files(files, options)
    options = replace(options, **by_files)
    known = readers()
    for reader in islice(known, len(READERS)):
        if reader.can_open(files, options):
            inferred = _item_of(files, options) if reader.name == "long" else {}
            return reader, {**by_files, **inferred}, []
    plain = _plain(files, options)
    if plain is not None:
        reader, inferred, notes = plain
        return reader, {**by_files, **inferred}, notes
    for reader in known:
        if reader.can_open(files, options):
            return reader, by_files, []
    inside = told_by_lists(files, options)
    if inside is not None:
        return _called("long"), inside, []
    _refuse_files_of_raters(files, options)
    start = opening.head(files[0])
    for columns, named_by in ((options.item, named("item")), (options.keep, "")):
        if columns is not None:
            check_columns(files[0], start.names, split_names(columns, start.names), named_by)
    # an error on ragged rows helps more than one on the layout
    opening.table(files[0], start.names[:1])
    inferred = decide(files, options, partial(_trial, files, options), describe_lists(files[0]))
    notes = doubts_on_items(start.names, options, inferred, kept)
    notes += doubts_on_columns(files, options, inferred, kept)
    return *_reader_of(files, options, inferred), notes


def _by_name(files: Sequence[Source], options: Options) -> ChosenReader | None:
    """Return how anonymous ratings are read from files that name the annotators.

    The names are forgotten once read. Return None if the files name no annotators, or if the names
    do not change how the files are read.
    """
    from iaa_jax.io.table.long import label_of, may_list

    known = replace(options, anonymous=False)
    if not {*known.columns_named()} <= {"item", "label", "secondary", *OF_ROWS}:
        return None
    readings: list[Callable[[], ChosenReader]] = [
        lambda: _reader_by(files, known),
        lambda: _reader_by(files, replace(known, item=None)),
    ]
    can_be_unknown = may_be_lists = False
    try:
        label = label_of(files[0], options)
        find_roles(files, options, (label, options.secondary))
        can_be_unknown, may_be_lists = True, may_list(files[0], label, options)
        if not may_be_lists:  # names can only be usual ones
            readings = [lambda: (_called("long"), {}, [])]
    except IaaError:
        pass
    for reading in readings if options.item is not None else readings[:1]:
        try:
            reader, told, notes = reading()
            with_told = replace(known, **told)
            if not _same_columns(files[0], options.item, told.get("item", options.item)):
                continue
            if with_told.anonymous or (reader.name == "wide" and not can_be_unknown):
                return reader, told, notes
            if reader.name == "long":
                label = label_of(files[0], with_told)
                roles = find_roles(files, with_told, (label, options.secondary))
                if not _same_columns(files[0], options.item, list(roles.ids)):
                    continue
                told = {**told, "item": list(roles.ids)}
                told |= {"annotator": list(roles.annotators)} if roles.annotators else {}
                # a name next to a list of all ratings of an item is not who rated
                if not may_be_lists or _trial(files, known, told) is not None:
                    return reader, told, notes
        except IaaError:
            continue
    return None


def _same_columns(
    source: Source, named: str | Sequence[str] | None, found: str | Sequence[str] | None
) -> bool:
    names = opening.head(source).names
    return named is None or split_names(named, names) == split_names(found or (), names)


def ratings_by(reader: Reader, files: Sequence[Source], options: Options) -> xr.Dataset:
    """Return the ratings from a reader; refuse options that the reader does not take."""
    if (takes := getattr(reader, "takes", None)) is not None:
        refuse_options(options, reader.name, takes)
    return reader.read(files, options)


def _called(format: str) -> Reader:
    reader = next((each for each in readers() if each.name == format), None)
    if reader is None:
        raise IaaError(f"there is no format {format!r}; the formats are {shown(formats(), 40)}")
    return reader


def _format_reader(files: Sequence[Source], format: str, options: Options) -> ChosenReader:
    reader = _called(format)
    if format != "wide" or not {*options.columns_named()} <= {*OF_ROWS, "anonymous"}:
        return reader, {}, []
    wide = WideColumns.of(files[0], options)
    if crossed(wide.annotators) is not None:
        decide(files, options, partial(_trial, files, options))
    notes = [] if options.item is not None else column_notices(wide.ids, wide.annotators)
    return reader, wide.told(files, options), notes


def _plain(files: Sequence[Source], options: Options) -> ChosenReader | None:
    """Return the reader of a table that has usual column names, or a column for each annotator."""
    if not {*options.columns_named()} <= {*OF_ROWS, "anonymous"}:
        return None
    try:
        usual = usual_rows(files[0])
        wide = None if usual else WideColumns.of(files[0], options)
    except IaaError:
        return None  # reading will report it
    if wide is None:
        return _called("long"), _item_of(files, options), []
    if not wide.are_likely(is_named=options.item is not None):
        return None
    _refuse_files_of_raters(files, options)
    notes = doubts(wide, options)
    return None if notes is None else (_called("wide"), wide.told(files, options), notes)


def _reader_of(
    files: Sequence[Source], options: Options, said: Mapping[str, object]
) -> tuple[Reader, Mapping[str, Any]]:
    taken = {name: value for name, value in said.items() if name not in ("format", "header_line")}
    with_taken = replace(options, **taken)  # type: ignore[arg-type]
    if (format := said.get("format")) is not None:
        return _called(str(format)), taken
    return next(each for each in readers() if each.can_open(files, with_taken)), taken


def _item_of(files: Sequence[Source], options: Options) -> Mapping[str, Any]:
    if options.item is not None or options.anonymous:
        return {}
    from iaa_jax.io.table.long import label_of

    try:
        find_roles(files, options, (label_of(files[0], options), options.secondary))
    except IaaError as error:
        return decide(files, options, partial(_trial, files, options), fallback=error)
    return {}


def _trial(files: Sequence[Source], options: Options, told: Mapping[str, object]) -> Trial | None:
    """Return the size of the ratings that the options ``told`` yield.

    Return None if the files cannot be read with these options, or if too few items have two
    ratings.
    """
    header_line = told.get("header_line")
    sources = files
    if header_line is not None:
        sources = [file.with_header(int(str(header_line))) for file in files]
    quiet = replace(options, progress=None, keep=None)
    for duplicates in dict.fromkeys((options.duplicates, "first")):
        with_duplicates = replace(quiet, duplicates=duplicates)
        try:
            reader, taken = _reader_of(sources, with_duplicates, told)
            ratings = ratings_by(reader, sources, replace(with_duplicates, **taken))
        except RepeatedError as error:
            if error.item and told.get("item") != (item := ",".join(error.item)):
                trial = _trial(files, options, {**told, "item": item})
                return None if trial is None else trial._replace(item=item)
            continue
        except (IaaError, StopIteration):
            continue
        panel = panel_sizes(rated(ratings))
        rated_twice = int((panel >= PAIR).sum())
        if 2 * rated_twice < (panel > 0).sum() and not (
            rated_twice >= FEWEST and "annotator" in told
        ):
            return None
        repeat = duplicates != options.duplicates
        return Trial(int((panel > 0).sum()), ratings.sizes["annotator"], int(panel.sum()), repeat)
    return None


def refuse_repeated(files: Sequence[Source], options: Options, error: IaaError) -> None:
    """Raise an error with advice if items have several rows."""
    if isinstance(error, RepeatedError) and error.ways:
        raise error.reworded(with_ways(first_clause(error.message), error.ways)) from None
    table = sample(files)
    ids = split_names(options.item or (), table.names) if options.item else ()
    if not ids or not {*ids} <= table.columns.keys():
        return
    codes = table.joined(ids)
    if codes.min(initial=0) == 0 and len(distinct(codes)) < len(codes):
        free = replace(options, item=None, annotators=None)
        annotators = split_names(options.annotators or (), table.names)
        ways = advice_on_repeats(table, ids, annotators, partial(_trial, files, free))
        message = with_ways(first_clause(error.message), ways)
        raise LayoutError(message, partial(wide_of, table, free)) from None


def _refuse_files_of_raters(files: Sequence[Source], options: Options) -> None:
    described = describe_files(files, options) or describe_one_sheet(files, options)
    if described is not None:
        raise IaaError(described)


def refuse_labels_of_items(files: Sequence[Source], options: Options, ratings: xr.Dataset) -> None:
    """Refuse a label column that is constant within each item, if another column varies.

    The constant column may hold categories of the items.
    """
    cells = ratings.variables.get("primary")
    if (
        cells is None
        or cells.dims[:1] != ("item",)
        or not _is_constant_by_item(np.asarray(cells.values))
    ):
        return
    from iaa_jax.io.table.long import label_of

    label = label_of(files[0], options)
    roles = find_roles(files, options, (label, options.secondary))
    table = sample(files)
    used = {*roles.columns, label, *taken_columns(options, table)}
    groups = [table.joined(columns) for columns in (roles.ids, roles.annotators) if columns]
    answered = [
        name
        for name, cells in table.columns.items()
        if name not in used and AGAIN * cells.distinct <= cells.count
        and all(share_of_pairs(rows, cells.codes)[1] for rows in groups)
    ]  # fmt: skip
    if answered:
        raise IaaError(
            f"{files[0]}: {label!r} is the same in all rows of an item, so it may describe the "
            f"item: name the column of labels, as in {keyword('label', answered[0])} "
            f"(may be {shown(answered)}), or {keyword('label', label)} if all agree"
        )


def _is_constant_by_item(cells: Integers) -> bool:
    """Tell whether labels are equal for all annotators of an item, and differ between items."""
    if _differ(cells[:FIRST]) or _differ(cells):
        return False
    shared = cells[(cells >= 0).sum(axis=1) > 1]
    return len(shared) >= FEW and len(np.unique(shared.max(axis=1))) > 1


def _differ(cells: Integers) -> bool:
    most = cells.max(axis=1, initial=-1, keepdims=True)
    return bool(((cells >= 0) & (cells != most)).any())
