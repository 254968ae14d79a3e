"""Reader of tables whose rows hold the strength of one label of one item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats
from iaa_jax.data.build import refuse_nameless
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import offenders, parse_number
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.building import Read, sets
from iaa_jax.io.table.cells import missing_labels
from iaa_jax.io.table.columns import items_from, split_names
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.lists import Lists
from iaa_jax.io.table.named_columns import item_columns, mark_of, numbers_of, read_named
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.repeated import cells_of, rating_origins
from iaa_jax.io.table.rows import (
    RatingRows,
    describe_unnamed,
    find_roles,
    index_rows,
    left_out_notes,
)
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables, repeats
from iaa_jax.wording import Note, keyword, named

CHOICES = ("error", "first", "last")


class ByLabelTable:
    """A table with a row for each item and label."""

    name = "by_label"
    takes = ("item", "annotator", "label", "annotators", "strength")
    summary = "table, one row per item and label: 0 and 1, or strengths"
    known_by = "columns named by `--strength`, or by `--label` and `--annotators` together"
    example = "agree ratings.csv --label emotion --strength score"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether the caller named a strength column, or labels together with annotators."""
        together = options.label is not None and options.annotators is not None
        return options.strength is not None or together

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        if options.label is None or (options.strength is None) == (options.annotators is None):
            raise IaaError(
                f"for a table with a row for each label, name the labels by {named('label')}, and "
                f"either their strengths by {named('strength')} or a column of them for each "
                f"annotator by {named('annotators')}"
            )
        if options.duplicates not in CHOICES:
            raise OptionError(
                f"{keyword('duplicates', options.duplicates)} does not apply to tables with a row "
                f"for each label, whose rows form one set: take {', '.join(map(repr, CHOICES))}"
            )
        read = _long if options.strength is not None else _wide
        strengths, table, kept, notes = read(sources, options.label, options)
        build = _ratings(strengths, options)
        width = strengths.width
        belonging = (
            build.rows if width == 1 else lambda: rating_origins(build, strengths.rows, width)
        )
        ratings = add_columns(build.ratings, table, kept, belonging, table.states)
        read_as = [
            Note("read_by_label"),
            *notes,
            Note("read_labels_from", {"column": options.label}),
        ]
        return add_notes(ratings, read_as, [*table.notes, *build.skipped])


class Strengths(NamedTuple):
    """Strengths of labels (NaN if missing), with their items, annotators and labels."""

    rows: RatingRows
    labels: Column
    values: Floats
    width: int  # number of strengths per row of the table


_Read = tuple[Strengths, Tables, list[str], list[Note]]


def _long(sources: Sequence[Source], label: str, options: Options) -> _Read:
    strength = str(options.strength)
    source = sources[0]
    roles = find_roles(sources, options, (label, strength))
    holds = {"label": [label], "strength": [strength]}
    bears = "describes ratings, and is their label"
    table, kept = read_named(sources, options, roles.by_role, holds, bears)
    missing = missing_labels(options.labels, options.missing)
    rows = index_rows(table, roles, missing)
    if rows.annotators is None:
        raise IaaError(
            f"{source}: the rows of an annotator are one set of labels: name {named('annotator')}"
        )
    column = table.column(strength, missing_labels(None, options.missing))
    values = _numbers(column, rows, strength)
    notes = [*roles.notes(), Note("read_strengths_from", {"column": strength})]
    labels = table.column(label, missing)
    return Strengths(rows, labels, values, 1), table, kept, notes


def _wide(sources: Sequence[Source], label: str, options: Options) -> _Read:
    """Read a table with a row for each item and label, and a column for each annotator."""
    source, names = sources[0], head(sources[0]).names
    annotators = split_names(options.annotators or (), names)
    ids = item_columns(names, options, [*annotators, label])
    if not ids:
        raise IaaError(describe_unnamed(source, "item"))
    holds = {"label": [label], "annotators": annotators}
    bears = "holds the ratings of an annotator"
    table, kept = read_named(sources, options, {"item": ids}, holds, bears)
    missing = missing_labels(None, options.missing)
    rows = cells_of(table, ids, annotators)
    grid, distinct = table.grid(annotators, missing)
    values = _numbers((grid.ravel(), distinct), rows, "")
    codes, known = table.column(label, missing_labels(options.labels, options.missing))
    width = len(annotators)
    labels: Column = (np.repeat(np.asarray(codes), width), known)
    listed = {"names": list(annotators[:10]), "annotators": width}
    notes = [items_from(ids), Note("read_annotators_in_columns", listed)]
    return Strengths(rows, labels, values, width), table, kept, notes


def _numbers(column: Column, rows: RatingRows, name: str) -> Floats:

    def parse(cell: str) -> float | None:
        if not cell:
            return np.nan
        number = parse_number(cell) if (mark := mark_of(cell)) is None else mark
        return number if number is not None and 0 <= number < np.inf else None

    of_column = f"of {name!r} " if name else ""
    return numbers_of(column, parse, ("cell", f"{of_column}no strength of 0 or more"), rows.where)


def _ratings(strengths: Strengths, options: Options) -> Read:
    """Build ratings: the labels to which an annotator gave a strength above 0 are a set."""
    rows, column, values, _ = strengths
    items, (annotators, people) = rows.items[0], rows.raters(values == values)
    (answers,) = merged_columns([column], options.merge_labels, options.labels)
    labels, known = np.asarray(answers[0]), [str(label) for label in answers[1]]
    has_strength = values == values
    rows.refuse_nameless(has_strength)
    refuse_nameless(has_strength, items, annotators, rows.where)
    nameless = np.flatnonzero(has_strength & (labels < 0))
    if nameless.size:
        raise IaaError(
            f"strengths without a label: {offenders(nameless, rows.where)}; fill the label in"
        )
    pair = items.astype(np.int64) * len(people) + annotators
    of_label = (pair * max(1, len(known)) + labels)[has_strength]
    describe = ("strength", "of a label by the same annotator", rows.where, rows.where)
    again = repeats(np.flatnonzero(has_strength), of_label, options.duplicates, describe, CHOICES)
    lacks_strength = ~has_strength & (items >= 0) & (annotators >= 0) & (labels >= 0)
    empty = int(np.isin(pair[lacks_strength], pair[has_strength]).sum())
    codes = np.where(values > 0, labels, np.where(has_strength, len(known), -1))
    codes[again] = -1
    lists: Lists = [*((label,) for label in known), ()]
    set_options = replace(options, duplicates="combine", labels=options.labels or known)
    skipped = left_out_notes(again.size, 0, options.duplicates)
    if empty:
        skipped.append(Note("skipped_strengths", {"cells": empty}))
    return sets(rows, (codes, []), lists, set_options)._replace(skipped=skipped)
