"""Checks and reads the columns that options name, and further columns to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Floats, Integers
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import Where, offenders, parse_number
from iaa_jax.data.usual_names import ITEM, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.columns import check_apart, check_columns, other_columns, split_names
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.kept import kept_columns
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.rounds import told_apart
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import OF_ROWS, Tables, kept_one, read_tables, repeats
from iaa_jax.wording import Note, named
from iaa_jax.wording.formats import counted

YES, NO = {"true", "yes", "x", "t", "y"}, {"false", "no", "f", "n"}


def item_columns(names: Sequence[str], options: Options, taken: Sequence[str]) -> tuple[str, ...]:
    """Return the item columns: the named ones, or one with a usual name."""
    if options.item is not None:
        return split_names(options.item, names)
    best = usual_name(other_columns(names, taken), ITEM)
    return () if best is None else (best,)


def read_named(
    sources: Sequence[Source],
    options: Options,
    axes: Mapping[str, Sequence[str | None]],
    holds: Mapping[str, Sequence[str | None]],
    bears: str,
    way_out: str = "",
) -> tuple[Tables, list[str]]:
    """Read the columns of a layout, and return them with the names of kept columns.

    ``axes`` are the columns of items and annotators, ``holds`` the columns of ratings, by the
    options that name them. If the caller also keeps a column of ratings, the error says what it
    holds (``bears``), and what to do instead (``way_out``).
    """
    source, names = sources[0], head(sources[0]).names
    both = {**axes, **holds}
    columns = {
        option: [name for name in several if name is not None] for option, several in both.items()
    }
    for option, wanted in columns.items():
        check_columns(source, names, wanted, named(option))
    check_apart(columns)
    every = [name for option in holds for name in columns[option]]
    kept = kept_columns(source, options, {**axes, bears: every}, way_out)
    wanted = [name for several in columns.values() for name in several]
    first, last = ", ".join(map(named, [*columns][:-1])), named([*columns][-1])
    return read_tables(sources, wanted, f"{first} or {last}", options, kept), kept


def refuse_unnamed(
    table: Tables, columns: Sequence[str], rows: Integers, role: str, but: str = ""
) -> None:
    """Refuse rows without an item or annotator."""
    if rows.size:
        raise IaaError(
            f"{counted(rows.size, 'row')} {but}without {role} (from {shown(columns)}): "
            f"{offenders(rows, table.where)}; fill the {role} in, or leave such rows out with "
            f"{to_exclude(table, columns, int(rows[0]))}"
        )


def one_an_item(
    table: Tables,
    ids: Sequence[str],
    rows: Integers,
    items: Integers,
    where: Where,
    how: str,
    choices: Sequence[str] = OF_ROWS,
    ways: Sequence[str] = (),
) -> tuple[Integers, list[Note]]:
    """Return one row per item, with notes; ``items`` has the item of each row.

    The error on repeated items offers ``ways`` first, and then ``choices``.
    """
    describe = ("row", f"of the same item (from {shown(ids)})", where, table.where)
    again = repeats(
        rows, items, how, describe, choices, ways, lambda: told_apart(table, ids, rows, items)
    )
    if not again.size:
        return rows, []
    note = Note("skipped_repeated_rows", {"rows": again.size, **kept_one(how)})
    return rows[~np.isin(rows, again)], [note]


def numbers_of(
    column: Column,
    parse: Callable[[str], float | None],
    what: tuple[str, str],
    where: Where,
    way_out: str = "",
) -> Floats:
    """Return the number of each row: what ``parse`` gives for its cell, or for "" if it is blank.

    ``parse`` returns None for a wrong cell. ``what`` has the noun for a cell, and the reason why a
    cell is wrong.
    """
    codes, cells = np.asarray(column[0]), [*map(str, column[1]), ""]
    numbers = [*map(parse, cells)]
    wrong = np.flatnonzero(np.array([number is None for number in numbers])[codes])
    if wrong.size:
        cell = brief(cells[codes[wrong[0]]])
        places = f"{cell} at {offenders(wrong, where)}{way_out}"
        raise IaaError(f"{counted(wrong.size, what[0])} {what[1]}: {places}")
    return np.array(numbers, dtype=np.float64)[codes]


def counts_of(table: Tables, name: str, where: Where) -> Integers:
    """Return a column of counts; refuse cells other than whole numbers of 0 or more."""
    wrong = f"of {name!r} not a whole number from 0"
    way_out = "; write 0 where nobody chose the label"
    counts = numbers_of(table.column(name, BLANK), count_in, ("count", wrong), where, way_out)
    return counts.astype(np.int64)


def count_in(cell: str) -> int | None:
    """Return the whole number of 0 or more in a cell; None for any other cell."""
    number = parse_number(cell)
    return number if isinstance(number, int) and number >= 0 else None


def mark_of(cell: str) -> int | None:
    """Return 1 if a cell means that a label was given, 0 if it was not, otherwise None."""
    number = parse_number(cell)
    if number in (0, 1):
        return int(number)
    return 1 if cell.lower() in YES else 0 if cell.lower() in NO else None
