"""Adjudication sheets: the labels filled in, whatever a spreadsheet did to the rest."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import xarray as xr

from iaa_jax._cells import for_spreadsheets, without_controls
from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.io.files import listing
from iaa_jax.io.overwriting import NO_RATINGS
from iaa_jax.io.sheet_names import SheetNames, UnknownNameError
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import TextColumn, known_cells
from iaa_jax.io.table.content import Allowance, Piped, Stored
from iaa_jax.io.table.opening import head, kind_of, table
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import counted, name as printable

ITEM, ADJUDICATED = "item", "adjudicated"


SPAN = ("document", "places", "label_of_span")
"""The columns that say which span a row is about."""

_ANSWERS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


_START = 65_536
_BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How workbooks begin, whatever they are called."""
_LONGEST = 40
"""Letters of the name of a column."""
_UNREADABLE = ("", "")
"""Stands for decisions that may be in a sheet that cannot be read."""
_MEGABYTES = 1000


class Adjudicated(NamedTuple):
    """What a sheet decides: by item or span, and cells that were taken for other spellings."""

    decided: dict[Any, Any]
    respelled: dict[str, str]


def adjudicated_labels(file: str, ratings: xr.Dataset) -> Adjudicated:
    """The label of each item whose cell in the column ``adjudicated`` is filled in.

    Columns are found by their names, whatever else the sheet has and in whatever order its rows
    stand. Items and labels are found as the sheet spells them, with an apostrophe in what looks
    like a formula, and as they are; else by what a spreadsheet program leaves of them: in other
    letters, with other blanks, as numbers with a point. No cell is taken for either of two names.

    Raises
    ------
    IaaError
        If the sheet lacks one of the two columns, names an item twice with different labels, has a
        cell that is no item or label, or no label filled in.
    """
    sheet = _sheet(file, (ITEM, ADJUDICATED))
    items = SheetNames(_names(ratings, "item"), sheet.written)
    labels = SheetNames(_names(ratings, "label"), sheet.written)
    decided: dict[object, str] = {}
    with _Wrong() as wrong:
        for where, (item, label) in sheet.filled():
            try:
                name = _found(items, item, sheet.columns[0], "item of the ratings")
                chosen = str(_found(labels, label, sheet.columns[1], "label of the ratings"))
            except _UnknownCellError as error:
                new = error.names is labels and not error.ambiguous
                declared = _listed([*map(str, labels.names), str(label)])
                ways = f"; if it is a new label, declare all: {keyword('labels', declared)}"
                wrong.add(f"{where}, {error}{ways if new else ''}")
                continue
            if decided.setdefault(name, chosen) != chosen:
                both = f"{decided[name]!r} and {chosen!r}"
                wrong.add(f"{where}: {item!r} has two labels, {both}")
    return Adjudicated(decided, items.respelled | labels.respelled)


def adjudicated_spans(file: str, result: xr.Dataset) -> Adjudicated:
    """Whether a span is gold, where the column ``adjudicated`` of its row says "yes" or "no".

    ``result`` is that of `iaa_jax.gold.spans`, whose spans the sheet names.

    Raises
    ------
    IaaError
        If the sheet lacks a column, names what is no span of the result, or says something else.
    """
    sheet = _sheet(file, (*SPAN, ADJUDICATED))
    known = [SheetNames(dict.fromkeys(result[n].values.tolist()), sheet.written) for n in SPAN]
    answers = SheetNames(_ANSWERS, str)
    keys = {*zip(*(map(str, result[name].values.tolist()) for name in SPAN), strict=True)}
    decided: dict[object, bool] = {}
    with _Wrong() as wrong:
        for where, (*cells, answer) in sheet.filled():
            try:
                key = tuple(
                    str(_found(names, cell, column, f"{column} of the spans"))
                    for names, cell, column in zip(known, cells, sheet.columns, strict=False)
                )
                gold = _ANSWERS[str(_found(answers, answer, sheet.columns[-1], "yes or no"))]
            except _UnknownCellError as error:
                wrong.add(f"{where}, {error}")
                continue
            if key not in keys:
                wrong.add(f"{where}: nobody marked the span {', '.join(key)}")
            elif decided.setdefault(key, gold) != gold:
                wrong.add(f"{where}: the span {', '.join(key)} has two answers")
    respelled = [names.respelled for names in known]
    return Adjudicated(decided, {cell: name for each in respelled for cell, name in each.items()})


def check_decisions(file: str, kept_in: Sequence[str] = (), content: bytes | None = None) -> None:
    """Refuse to write over a sheet that people filled in, whose decisions would be lost.

    They are not if they stand in another file, too, or in the content that is to be written.

    Raises
    ------
    OptionError
        If they would.
    """
    place = Path(os.path.realpath(file))  # what is written through a link
    if not place.is_file():
        return
    lost = _decisions(place)
    for other in kept_in if lost else ():
        if os.path.isfile(other):  # what comes through a pipe is read once, and not here
            lost -= _decisions(Path(other))
    if lost and content is not None:
        lost -= _decisions(Piped(file, content))
    if lost:
        known = f"holds {counted(len(lost), 'decision')} under {ADJUDICATED!r}, which would"
        unread = f"cannot be read, and decisions under {ADJUDICATED!r} in it, if any, would"
        what = unread if _UNREADABLE in lost else known
        message = f"{printable(file)} {what} be lost: name another file to write to"
        raise OptionError(message)


def _decisions(file: Stored) -> set[tuple[str, ...]]:
    """The rows of a sheet in which something was filled in: what they are about, and the answer."""
    if file.name.lower().endswith(NO_RATINGS):
        return set()
    for encoding in (None, "latin-1"):  # as spreadsheet programs save CSV here and there
        with suppress(IaaError):
            source = Source(file, encoding=encoding, allowed=Allowance(_MEGABYTES))
            kind = kind_of(source)
            if kind == "xlsx":
                return _of_workbook(source)
            if kind == "delimited":
                return _filled_rows(source)
            with suppress(IaaError):  # records of anything else are those of no sheet
                return _filled_rows(source)
            return set()
    # no table that can be read: one that may be a sheet is kept, as a workbook with a password
    start = Source(file).raw(_START)
    text = start.replace(b"\0", b"").decode("latin-1").lower()
    is_book = start.startswith(_BOOKS) or (file.name.lower().endswith(".xlsx") and text != "")
    return {_UNREADABLE} if is_book or ADJUDICATED in text else set()


def _of_workbook(source: Source) -> set[tuple[str, ...]]:
    """The same of all sheets of a workbook, hidden ones too: people copy them, and move them."""
    from iaa_jax.io.table.workbook import opened

    book = opened(source)
    found: set[tuple[str, ...]] = set()
    for title in book.titles:
        rows = book.sheet(title).rows
        # beside the names of what is decided: the labels to choose from stand on a sheet alone
        names = [[cell.strip().casefold() for cell in row.values()] for row in rows.values()]
        named = any(
            any(map(_is_to_fill_in, row)) and not {ITEM, *SPAN}.isdisjoint(row) for row in names
        )
        if named and len(rows) > 1:
            try:
                found |= _filled_rows(source.with_sheet(title))
            except IaaError:
                found.add(_UNREADABLE)
    return found


def _is_to_fill_in(name: str) -> bool:
    """Whether a column may be the one to fill in; notes on a sheet speak of it in sentences."""
    return ADJUDICATED in name.casefold() and len(name.strip()) <= _LONGEST


def _filled_rows(source: Source) -> set[tuple[str, ...]]:
    """Those of a table, in all columns that people may have made of the one to fill in."""
    answers = [name for name in head(source).names if _is_to_fill_in(name)]
    if not answers:
        return set()
    if len({*answers}) < len(answers):
        return {_UNREADABLE}  # sheets of two people side by side
    about = _found_columns(source, (ITEM, *SPAN)).values()
    rows = table(source, [*about, *answers])
    columns = {name: _texts(rows.column(name)) for name in (*about, *answers)}
    return {
        ("" if about else str(number), *((cell or "").strip().casefold() for cell in cells))
        for answer in answers
        for number, cells in enumerate(
            zip(*(columns[name] for name in (*about, answer)), strict=True)
        )
        if cells[-1] is not None
    }


class _UnknownCellError(Exception):
    """A cell that names nothing, with the names that it was looked for in."""

    def __init__(self, text: str, names: SheetNames, *, ambiguous: bool) -> None:
        super().__init__(text)
        self.names, self.ambiguous = names, ambiguous


def _found(names: SheetNames, cell: str | None, column: str, what: str) -> Hashable:
    """The name that a cell means."""
    if cell is None:
        text = f"column {column!r}: nothing is named, where an answer stands"
        raise _UnknownCellError(text, names, ambiguous=True)
    try:
        return names.find(cell)
    except UnknownNameError as error:
        text = f"column {column!r}: no {what} is {error}"
        raise _UnknownCellError(text, names, ambiguous=error.ambiguous) from None


class _Wrong:
    """What is wrong in a sheet: at the end all rows are counted, and the first one is named."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, text: str) -> None:
        """One row that is wrong."""
        self._found.append(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if not self._found or raised[0] is not None:
            return
        more = len(self._found) - 1
        rows = f" ({more:,} more {'row is' if more == 1 else 'rows are'} wrong)" if more else ""
        message = f"{self._found[0]}; correct the sheet{rows}"
        raise IaaError(message)


class _Filled(NamedTuple):
    """Columns of a sheet: where each row stands, and its cells, the last one to fill in."""

    columns: list[str]
    rows: list[tuple[str, tuple[str | None, ...]]]
    written: Callable[[str], str]

    def filled(self) -> Iterator[tuple[str, tuple[str | None, ...]]]:
        """The rows with an answer."""
        return (row for row in self.rows if row[1][-1] is not None)


def _sheet(file: str, wanted: Sequence[str]) -> _Filled:
    """The columns of a sheet by their names; refused where one is missing, or nothing filled in."""
    with ExitStack() as stack:
        source = _source(file, stack, wanted)
        found = _found_columns(source, wanted)
        note = head(source).note
        for title in note.listed("others") if note is not None and "others" in note.values else ():
            if len(found) == len(wanted):
                break
            # somebody moved the sheets of the workbook
            other = _source(file, stack, wanted, str(title))
            if len(in_other := _found_columns(other, wanted)) == len(wanted):
                source, found = other, in_other
        if missing := [name for name in wanted if name not in found]:
            names = head(source).names
            message = (
                f"{source} has no column {shown(missing)}; its columns are {shown(names, 12)}. A "
                "sheet is made by 'iaa gold FILE --output sheet.csv' (or .xlsx), and its column "
                "'adjudicated' filled in"
            )
            raise IaaError(message)
        columns = list(found.values())
        rows = table(source, columns)
        cells = zip(*(_texts(rows.column(name)) for name in columns), strict=True)
        placed = [(rows.where(row), each) for row, each in enumerate(cells)]
        written = for_spreadsheets if kind_of(source) == "delimited" else without_controls
    sheet = _Filled(columns, placed, written)
    if not any(sheet.filled()):
        message = f"{file}: no cell of the column {ADJUDICATED!r} is filled in"
        raise IaaError(message)
    return sheet


def _source(
    file: str, stack: ExitStack, wanted: Sequence[str], records: str | None = None
) -> Source:
    """The sheet, or one of a workbook by its name."""
    files = listing(
        [file],
        stack,
        file_pattern=None,
        encoding=None,
        records=records,
        max_megabytes=1000,
        header_line=None,
    ).files
    if len(files) != 1:
        message = f"{file} is a folder or an archive: name the sheet itself"
        raise IaaError(message)
    files[0].wanted = tuple(wanted)
    return files[0]


def _found_columns(source: Source, wanted: Sequence[str]) -> dict[str, str]:
    names = head(source).names
    return {name: column for name in wanted if (column := _column(names, name)) is not None}


def _names(ratings: xr.Dataset, axis: str) -> list[Hashable]:
    return ratings[axis].values.tolist() if axis in ratings.coords else []


def _column(names: Sequence[str], wanted: str) -> str | None:
    """The column with a name, or the one that has it in other letters or between blanks."""
    if wanted in names:
        return wanted
    alike = [name for name in names if name.strip().casefold() == wanted]
    return alike[0] if len(alike) == 1 else None


def _listed(labels: Sequence[str]) -> str:
    """Labels as an option takes them: one with a comma stands in quotes."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(labels)
    return line.getvalue()


def _texts(column: TextColumn) -> list[str | None]:
    """Cells as text, None where there is nothing."""
    (codes, cells), _ = known_cells(column, BLANK)
    return [None if code < 0 else str(cells[code]) for code in codes.tolist()]
