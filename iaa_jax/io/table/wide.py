"""Reader of tables with one row for each item and one column for each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Integers, Values
from iaa_jax.data.assemble import cell_name
from iaa_jax.data.build import wide_ratings
from iaa_jax.data.factorize import Column
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.labels import Where, parse_number
from iaa_jax.data.storage import python_value
from iaa_jax.data.usual_names import named_like_means, named_like_totals
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.blanks import notes_on_ticks
from iaa_jax.io.table.cells import BLANK, keep_used, missing_labels, slot_names
from iaa_jax.io.table.columns import items_from, other_columns, split_names, tells_apart
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.json_cells import refuse_objects
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.lists import Lists, as_labels, as_sets, member_rows
from iaa_jax.io.table.named_columns import item_columns, one_an_item, read_named, refuse_unnamed
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.repeated import are_separate_ratings, filled_in, rating_origins, read_repeated
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import OF_ROWS, Tables
from iaa_jax.wording import Note, keyword

ROUNDED = 0.0051  # maximum rounding error of a mean


class WideTable:
    """A table with one row for each item and one column for each annotator."""

    name = "wide"
    takes = ("item", "annotators", "anonymous", "unordered", "separator", "blank")
    summary = "table, one row per item: one column for each annotator"
    known_by = "columns of annotators, as they are usually named, or named by `--annotators`"
    example = "agree ratings.csv --item id --annotators ann,bob"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether annotator columns are named."""
        return options.annotators is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        names = head(sources[0]).names
        annotators = split_names(options.annotators or (), names)
        ids = item_columns(names, options, annotators)
        likely = () if ids or options.item else _only_identifier(sources, annotators)
        way_out = f", or name all annotators by {keyword('annotators')}"
        axes, holds = {"item": ids or likely}, {"annotators": annotators}
        bears = "holds the ratings of an annotator"
        table, kept = read_named(sources, options, axes, holds, bears, way_out)
        if likely and _differ(table.items(likely)[0]):
            ids = likely
        if are_separate_ratings(table, ids, options):
            read, rows = read_repeated(table, ids, annotators, options)
            ratings, skipped, understood, ticks = read.ratings, read.skipped, read.understood, []
            belonging = partial(rating_origins, read, rows, len(annotators))
            ratings = add_columns(ratings, table, kept, belonging, table.states)
        else:
            grid, skipped, noted = _grid(table, ids, annotators, options)
            ticks = notes_on_ticks(
                grid.cells[1], lambda: table.grid(annotators, BLANK)[0][grid.rows] < 0, options
            )
            refuse_objects(sources[0], "annotators", annotators, grid.cells[1])
            ratings, understood = _ratings(grid, options)
            understood = [*noted, *understood]
            ratings = add_columns(
                ratings, table, kept, lambda: Belonging.one_an_item(grid.rows, table.rows)
            )
        listed = {"names": list(annotators[:10]), "annotators": len(annotators)}
        in_columns = Note("read_annotators_in_columns", listed)
        if options.anonymous:
            in_columns = Note("read_annotators_unnamed")
        read_as = [
            Note("read_wide"),
            items_from(ids),
            in_columns,
            *table.trimmed(annotators, missing_labels(options.labels, options.missing)),
            *understood,
            *([Note("read_anonymous")] if options.anonymous else ()),
        ]
        return add_notes(ratings, read_as, [*table.notes, *skipped], ticks)


def _only_identifier(sources: Sequence[Source], annotators: Sequence[str]) -> tuple[str, ...]:
    """Return the only other column whose texts all differ, if there is one."""
    start, *others = map(head, sources)
    free = [
        name
        for name in other_columns(start.names, annotators)
        if name and all(name in other.positions for other in others)
    ]
    unique = [name for name in free if _are_texts(start, name) and tells_apart(start, [name])]
    return (unique[0],) if len(unique) == 1 else ()


def _are_texts(start: Head, name: str) -> bool:
    return any(parse_number(cell) is None for cell in start.column(name))


def _differ(codes: Integers) -> bool:
    return bool((codes >= 0).all()) and len(np.unique(codes)) == len(codes)


@dataclass(frozen=True)
class Grid:
    """The cells of a wide table."""

    cells: Column  # row by row
    rows: Integers  # row of the table for each row of cells
    items: Values
    annotators: Values
    where: Where


def _grid(
    table: Tables, ids: Sequence[str], annotators: Sequence[str], options: Options
) -> tuple[Grid, list[Note], list[Note]]:
    missing = missing_labels(options.labels, options.missing)
    grid, distinct = table.grid(annotators, missing)
    rows: Integers = np.arange(table.rows)
    skipped = []
    if ids:
        codes, items = table.items(ids)
        rows, lost = _named_rows(table, ids, codes, grid)
        if lost:
            skipped.append(Note("skipped_rows_of_nothing", {"rows": lost}))

        def where(row: int) -> str:
            return f"{table.where(row)} (item {brief(python_value(items[codes[row]]))})"

        if not np.array_equal(codes[rows], np.arange(len(items))):
            choices = (
                options.without("combine", "apart", "votes")
                if options.anonymous
                else options.choices
            )
            ways = [] if options.anonymous else _ways_together(codes[rows], grid[rows])
            choices = OF_ROWS if ways else choices
            rows, again = one_an_item(
                table, ids, rows, codes[rows], where, options.duplicates, choices, ways
            )
            skipped += again
            items = items[codes[rows]]
    else:
        items = rows + 1

    def cell(position: int) -> str:
        row, column = divmod(position, len(annotators))
        return f"{table.where(rows[row])} ({cell_name(items[row], annotators[column])})"

    named_rows = np.isin(np.arange(table.rows), rows)
    answers, noted = filled_in(table, annotators, (grid.ravel(), distinct), named_rows, options)
    grid, distinct = np.asarray(answers[0]).reshape(grid.shape), list(answers[1])
    flat: Column = (grid.ravel(), distinct)
    if len(rows) < table.rows:
        cells = grid[rows].ravel()
        flat = keep_used((cells, distinct), np.ones(len(cells), dtype=bool))
    if _holds_totals(grid[rows], distinct, items):
        last = int(rows[-1])
        raise IaaError(
            f"{table.where(last)}: the row {str(items[-1])!r} holds the totals or means of the "
            f"rows above, which are no ratings: leave it out with {to_exclude(table, ids, last)}"
        )
    return Grid(flat, rows, items, np.array(annotators, dtype=object), cell), skipped, noted


def _ways_together(items: Integers, grid: Integers) -> list[str]:
    """Return advice on items with several rows, if no annotator rated an item in two of them."""
    row, column = np.nonzero(grid >= 0)
    key = items[row].astype(np.int64) * grid.shape[1] + column
    if len(np.unique(key)) < len(key):
        return []
    together = keyword("duplicates", "apart")
    return [f"nobody rated an item twice: take the rows of an item together with {together}"]


def _holds_totals(grid: Integers, distinct: Sequence[object], items: Values) -> bool:
    """Tell whether the last row holds totals or means."""
    name = str(items[-1]) if len(items) > 1 else ""
    if not (named_like_totals(name) or named_like_means(name)):
        return False
    numbers = [parse_number(str(cell)) for cell in distinct]
    values = np.array([*(np.nan if n is None else n for n in numbers), np.nan])[grid]
    above, last = values[:-1], values[-1]
    with np.errstate(invalid="ignore"):
        of_columns = np.nansum(above, axis=0), np.nansum(above, axis=0) / (above == above).sum(0)
    return any(np.allclose(last, of_column, rtol=0, atol=ROUNDED) for of_column in of_columns)


def _ratings(grid: Grid, options: Options) -> tuple[xr.Dataset, list[Note]]:
    (cells,), lists, notes = as_labels([grid.cells], options)
    annotators, where, width = grid.annotators, grid.where, len(grid.annotators)
    if lists is not None and width > 1:
        lists, noted = as_sets(lists)
        from iaa_jax.data.build_sets import set_ratings

        cell = np.arange(len(cells[0]))
        ratings = set_ratings(
            (cell // width, grid.items),
            (cell % width, slot_names(width) if options.anonymous else annotators),
            (grid.cells[0], list(lists)),
            options.labels,
            where,
            anonymous=options.anonymous,
        )
        return ratings, [Note("read_cells_as_sets"), *noted]
    if lists is not None:
        cells, width = _places(grid, lists, options)
        annotators = slot_names(width, "annotator")
        notes = [Note("read_places_of_lists")]

        def place(position: int) -> str:
            row, index = divmod(position, width)
            return f"{grid.where(row)}, position {index + 1} in the list"

        where = place
    ratings = wide_ratings(
        cells,
        grid.items,
        slot_names(width) if options.anonymous else annotators,
        options.labels,
        where,
        parse=True,
        anonymous=options.anonymous,
    )
    return ratings, notes


def _places(grid: Grid, lists: Lists, options: Options) -> tuple[Column, int]:
    """Return the members of lists as cells, and the common length of the lists.

    Each position in the lists stands for an annotator.
    """
    sizes = np.array([len(group) for group in lists])
    if (sizes != sizes[0]).any():
        odd = int(np.argmax(sizes[grid.cells[0]] != sizes[0]))
        raise IaaError(
            f"lists of {sizes.min()} to {sizes.max()} ratings, as at {grid.where(odd)}: positions "
            "in the list are not annotators; if it is unknown who rated, name the column with "
            f"{keyword('label')}, and give {keyword('anonymous', True)}"
        )
    missing = missing_labels(options.labels, options.missing)
    rows, (codes, members) = member_rows(grid.cells, lists, missing)
    cells = np.full((len(grid.items), int(sizes[0])), -1, dtype=np.int64)
    cells[np.unique(rows)] = codes.reshape(-1, int(sizes[0]))
    return (cells.ravel(), members), int(sizes[0])


def _named_rows(
    table: Tables, ids: Sequence[str], codes: Integers, grid: Integers
) -> tuple[Integers, int]:
    """Return the rows that name an item, and the number of rows with neither item nor rating."""
    nameless = np.flatnonzero(codes < 0)
    rated = nameless[(grid[nameless] >= 0).any(axis=1)]
    refuse_unnamed(table, ids, rated, "item", "with ratings but ")
    return np.flatnonzero(codes >= 0), len(nameless)
