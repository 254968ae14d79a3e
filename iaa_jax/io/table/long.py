"""Reader of tables with one row for each rating."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.data.factorize import Column
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.usual_names import LABEL, usual_name
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.blanks import notes_on_ticks, with_blanks
from iaa_jax.io.table.building import Read, sets, single
from iaa_jax.io.table.cells import BLANK, Rows, missing_labels
from iaa_jax.io.table.columns import check_columns, recurring, split_names
from iaa_jax.io.table.directions import notes_on_directions
from iaa_jax.io.table.json_cells import refuse_objects
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.lists import Lists, are_lists, as_labels, as_sets, member_rows
from iaa_jax.io.table.named_columns import read_named
from iaa_jax.io.table.opening import head, kind_of
from iaa_jax.io.table.repeated import MemberRows, lists_beside
from iaa_jax.io.table.rows import (
    RatingRows,
    describe_unnamed,
    find_roles,
    index_rows,
    left_out_notes,
)
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, named, with_ways


class LongTable:
    """A table with one row for each rating."""

    name = "long"
    takes = (
        *("item", "annotator", "label", "secondary"),
        *("anonymous", "unordered", "separator", "blank"),
    )
    summary = "table, one row per rating: item, annotator and label columns"
    known_by = (
        "columns with usual names for annotator and label, as in `item`, `annotator`, `label`"
    )
    example = "agree ratings.csv --item id --annotator who --label answer"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether options name columns of long tables only, or declare ratings anonymous."""
        named_columns = {*options.columns_named()}
        of_long = {"annotator", "label", "secondary", "anonymous"}
        return named_columns <= {*self.takes} and not of_long.isdisjoint(named_columns)

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        label = label_of(sources[0], options)
        of_items = options.annotator is None and options.anonymous
        of_items = of_items and may_list(sources[0], label, options)
        roles = find_roles(sources, options, (label, options.secondary), of_items=of_items)
        wanted = [name for name in (label, options.secondary) if name is not None]
        read_as = [Note("read_long"), *roles.notes(), Note("read_labels_from", {"column": label})]
        if options.secondary is not None:
            read_as.append(Note("read_secondary_from", {"column": options.secondary}))
        holds: dict[str, list[str | None]] = {"label": [label], "secondary": [options.secondary]}
        bears = "describes ratings, and is their label"
        table, kept = read_named(sources, options, roles.by_role, holds, bears)
        _refuse_row_as_names(sources[0], roles.ids, roles.annotators, label)
        missing = missing_labels(options.labels, options.missing)
        answers = [table.column(name, missing) for name in wanted]
        read_as += table.trimmed(wanted, missing)
        rows = index_rows(table, roles, missing)
        unknown = options.anonymous and rows.annotators is None
        if options.anonymous and not unknown:
            read_as.append(Note("read_anonymous"))
        if options.annotator is None and rows.annotators is not None and roles.annotators:
            refuse_objects(sources[0], "annotator", roles.annotators, rows.annotators[1].tolist())
        refuse_objects(sources[0], "label", [label], answers[0][1])
        raters = None if rows.annotators is None else np.asarray(rows.annotators[0])
        named_rows = (rows.items[0] >= 0) & (True if raters is None else raters >= 0)

        def empty() -> NDArray[np.bool_]:
            return named_rows & (np.asarray(table.column(label, BLANK)[0]) < 0)

        # a record with null is an answer; a row of other tables may stand for a missing rating
        nulls = kind_of(sources[0]) == "json_records" and options.blank is None
        unanswered = int(np.count_nonzero(empty())) if nulls else 0
        skipped = [Note("skipped_empty", {"answers": unanswered})] if unanswered else []
        otherwise = notes_on_ticks(answers[0][1], empty, options)
        if len(roles.ids) > 1 and not options.unordered:
            ids = [table.ids(name, BLANK) for name in roles.ids]
            otherwise += notes_on_directions(ids, rows.annotators, answers[0][0] >= 0)
        if options.blank is not None:
            answers[0], noted = with_blanks(answers[0], empty(), raters, options)
            read_as += noted
        whole: Rows = table
        from_lists = lists_beside(rows, answers[0], options) if len(answers) == 1 else None
        if from_lists is not None:
            rows, answers, whole = from_lists[0], [from_lists[1]], from_lists[0].table
            read_as.append(Note("read_names_beside"))
        answers, lists, understood = as_labels(answers, options)
        read_as += understood
        if lists is not None and not (unknown or nulls) and options.blank is None:
            blank = int(np.count_nonzero(empty()))
            no_label = {"cells": blank, "no": options.separator or "[]"}
            skipped += [Note("skipped_blank", no_label)] if blank else []
        if options.duplicates == "combine":
            _refuse_to_combine(options, unknown=unknown)
            lists = lists or [(str(cell),) for cell in answers[0][1]]
        if lists is None:
            read = single(rows, answers, options)
        else:
            if options.secondary is not None:
                raise IaaError(f"{label!r} holds lists of labels, which have no secondary labels")
            if unknown:
                read_as.append(Note("read_list_of_ratings"))
                read = _listed(rows, answers[0], lists, options)
            else:
                together = options.duplicates == "combine"
                lists, noted = as_sets(lists)
                read_as += noted
                read_as.append(Note("read_rows_as_sets" if together else "read_set_of_labels"))
                read = sets(rows, answers[0], lists, options)
        ratings = add_columns(read.ratings, whole, kept, read.rows, table.states)
        read_as += read.understood
        if lists and unknown:
            otherwise += _joined(rows, answers[0][0] >= 0)
        return add_notes(ratings, read_as, [*table.notes, *read.skipped, *skipped], otherwise)


def _refuse_to_combine(options: Options, *, unknown: bool) -> None:
    for option, is_given, why in (
        ("secondary", options.secondary is not None, "a set of labels has no secondary ones"),
        ("anonymous", unknown, "it is unknown which rows are of one annotator"),
    ):
        if is_given:
            raise OptionError(
                f"{keyword('duplicates', 'combine')} cannot be used with {named(option)}: {why}"
            )


def _refuse_row_as_names(
    source: Source, ids: Sequence[str], annotators: Sequence[str], label: str
) -> None:
    """Refuse a header that looks like the rows below it."""
    start = head(source)
    again = recurring(start, [*ids, *annotators, label])
    if len(again) < _ALIKE or source.header_line or kind_of(source) not in ("delimited", "xlsx"):
        return
    raise IaaError(
        with_ways(
            f"{source}: {shown(again)} are taken for names of columns, but also occur below in "
            "these columns: the first row may be a rating",
            [
                f"if there are no names, give {keyword('header_line', 0)} and columns by number",
                f"if these are the names, give {keyword('header_line', start.header_lines or 1)}",
            ],
        )
    )


_ALIKE = 2
"""If at least this many column names occur among their own cells, the header may be a rating."""


def label_of(source: Source, options: Options) -> str:
    """Return the label column."""
    columns = head(source).names
    items = () if options.item is None else split_names(options.item, columns)
    people = () if options.annotator is None else split_names(options.annotator, columns)
    used = {*items, *people, options.secondary}
    label = options.label or usual_name([name for name in columns if name not in used], LABEL)
    if label is None:
        hint = ""
        if options.anonymous:
            columns_of_annotators = f"{keyword('item')} and {keyword('annotators')}"
            hint = f", or, if each annotator has a column, name them: {columns_of_annotators}"
            hint += f" ({named('anonymous')} only leaves out who gave which rating)"
        else:  # if the annotator column is missing too, this raises the error about it
            find_roles([source], options, (options.secondary,))
        raise IaaError(describe_unnamed(source, "label", hint))
    check_columns(source, columns, [label], named("label"))
    return label


def _listed(rows: RatingRows, answers: Column, lists: Lists, options: Options) -> Read:
    """Build ratings from cells that hold several ratings each."""
    missing = missing_labels(options.labels, options.missing)
    origin, members = member_rows(answers, lists, missing)
    codes, known = rows.items
    each = RatingRows(MemberRows(rows.table, origin), (codes[origin], known), None)
    read = single(each, [members], options)

    def belonging() -> Belonging:
        places, items, raters = read.rows().ratings
        return Belonging(codes, None, (origin[places], items, raters))

    skipped = left_out_notes(0, rows.count_empty_rows(answers[0] >= 0), options.duplicates)
    return read._replace(skipped=skipped, rows=belonging)


def may_list(source: Source, label: str, options: Options) -> bool:
    """Tell whether a separator is given, or the first cells of the label column are lists."""
    start = head(source)
    if options.separator is not None or label not in start.positions:
        return options.separator is not None
    return are_lists(start.column(label))


def _joined(rows: RatingRows, listed: NDArray[np.bool_]) -> list[Note]:
    """Return a warning if lists in several rows were joined as ratings of one item."""
    items = rows.items[0][listed]
    _, times = np.unique(items[items >= 0], return_counts=True)
    joined = int(np.count_nonzero(times > 1))
    if not joined:
        return []
    values = {"items": joined, "rows": int(times[times > 1].sum())}
    return [Note("lists_joined", values, "caution")]
