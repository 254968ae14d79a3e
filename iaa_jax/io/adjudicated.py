"""Reads the answers that adjudicators filled into a sheet made by ``iaa gold --sheet``."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from decimal import Decimal
from typing import Any, NamedTuple

import xarray as xr

from iaa_jax._cells import (
    ADJUDICATED,
    NO_LABEL,
    SEPARATORS,
    SUGGESTED,
    for_spreadsheets,
    parts_of_cell,
    without_controls,
)
from iaa_jax._errors import IaaError, brief, shown, suggestion
from iaa_jax.io.files import listing
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import TextColumn, known_cells
from iaa_jax.io.table.opening import head, kind_of, table
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

ITEM = "item"

SPAN = ("document", "places", "label_of_span")
"""Columns that identify the span of a row."""

# no exponents: a spreadsheet program that wrote an id with an exponent may have lost digits
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_ANSWERS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


class Adjudicated(NamedTuple):
    """The decisions of a sheet, by item or span.

    ``respelled`` maps each cell that spells a name in its own way to the name. ``unread`` lists
    filled columns that were ignored.
    """

    decided: dict[Any, Any]
    respelled: dict[str, str]
    unread: Sequence[str] = ()


def combined_decisions(sheets: Mapping[str, Adjudicated]) -> Adjudicated:
    """Combine the decisions of several sheets, for example of two adjudicators.

    Raises
    ------
    IaaError
        If two sheets decide differently on an item or span.
    """
    decided: dict[Any, Any] = {}
    of_file: dict[Any, str] = {}
    differ = []
    for file, sheet in sheets.items():
        for about, answer in sheet.decided.items():
            if decided.setdefault(about, answer) != answer:
                what = ", ".join(map(str, about)) if isinstance(about, tuple) else str(about)
                first = f"{brief(decided[about])} in {of_file[about]}"
                differ.append(f"{brief(what)} is {first}, and {brief(answer)} in {file}")
            of_file.setdefault(about, file)
    if differ:
        more = f" ({len(differ) - 1:,} more)" if len(differ) > 1 else ""
        raise IaaError(f"the sheets differ: {differ[0]}{more}; correct one of them")
    respelled = {cell: name for sheet in sheets.values() for cell, name in sheet.respelled.items()}
    unread = [f"{name} of {file}" for file, sheet in sheets.items() for name in sheet.unread]
    return Adjudicated(decided, respelled, unread)


class UnknownNameError(Exception):
    """Raised for a cell that matches no name, or several; callers add the row to its message."""

    def __init__(self, text: str, *, ambiguous: bool, name: str | None = None) -> None:
        super().__init__(text)
        self.ambiguous, self.name = ambiguous, name


class SheetNames:
    """Finds the name that a cell means, even if case, blanks or the form of a number differ.

    Examples
    --------
    >>> names = SheetNames(["Yes", "no", "07"], str)
    >>> names.find("no"), names.find(" YES "), names.find("7.0")
    ('no', 'Yes', '07')
    >>> names.respelled
    {' YES ': 'Yes', '7.0': '07'}
    """

    def __init__(self, names: Iterable[Hashable], written: Callable[[str], str]) -> None:
        self.names = list(names)
        texts = {str(name): name for name in self.names}
        # a cell means the name that a sheet writes in this way, even if another name has this text
        self._exact = texts | {written(str(name)): name for name in self.names}
        self._folded = _groups(self._exact, _folded)
        self._numbers = _groups(texts, _number)
        self.respelled: dict[str, str] = {}

    def find(self, cell: str) -> Hashable:
        """Return the name that a cell means.

        Raises
        ------
        UnknownNameError
            If no name matches, or if the cell may mean several names.
        """
        if cell in self._exact:
            return self._exact[cell]
        number = _number(cell)
        alike = self._folded.get(_folded(cell)) or (
            [] if number is None else self._numbers.get(number, [])
        )
        if len(alike) == 1:
            self.respelled[cell] = str(alike[0])
            return alike[0]
        if alike:
            raise UnknownNameError(f"{brief(cell)}, which may be {shown(alike)}", ambiguous=True)
        text = f"{brief(cell)}{suggestion(cell, self._exact)}"
        raise UnknownNameError(text, ambiguous=False, name=cell)


class SetNames(SheetNames):
    """Finds the set of names in a cell, separated by semicolons or other usual separators.

    Examples
    --------
    >>> names = SetNames(["fear", "joy", "a; b"], str)
    >>> names.find("joy; Fear"), names.find("joy + fear"), names.find('"a; b"; joy')
    (('fear', 'joy'), ('fear', 'joy'), ('joy', 'a; b'))
    >>> names.find("a; b"), names.find("(none)")
    (('a; b',), ())
    """

    def find(self, cell: str) -> Hashable:
        """Return the set of names in a cell, as a tuple."""
        errors = []
        for parts in ([cell], *(parts_of_cell(cell, sign) or [cell] for sign in SEPARATORS)):
            try:
                members = {super(SetNames, self).find(part) for part in parts}
            except UnknownNameError as error:
                errors.append(error)
            else:
                return tuple(name for name in self.names if name in members)
        if _folded(cell).strip("()") == NO_LABEL.strip("()"):
            return ()
        raise errors[1]  # the error for parts separated by semicolons


def adjudicated_labels(file: str, ratings: xr.Dataset) -> Adjudicated:
    """Return the label, or label set, of each item with an entry in the column ``adjudicated``.

    A cell may differ from an item or label in case, blanks, or the form of a number, because
    spreadsheet programs change these.

    Raises
    ------
    IaaError
        If ``file`` is a folder or an archive, lacks the column ``item`` or ``adjudicated``, or has
        no label filled in; if rows or sheets differ on an item; or if a cell matches no item or
        label, or matches several.
    """
    sheet = _sheet(file, (ITEM, ADJUDICATED))
    of_sets = ratings.attrs["task"] == "multi_label"
    kind = SetNames if of_sets else SheetNames
    names = [
        SheetNames(_names(ratings, "item"), sheet.written),
        kind(_names(ratings, "label"), sheet.written),
    ]
    decisions = _decided(sheet, names, ("item of the ratings", "label of the ratings"))
    decided = {
        item: [*map(str, label)] if isinstance(label, tuple) else str(label)
        for (item,), label in decisions.decided.items()
    }
    return Adjudicated(decided, decisions.respelled, sheet.unread)


def adjudicated_spans(file: str, result: xr.Dataset) -> Adjudicated:
    """Return whether each answered span is gold: "yes" or "no" in the column ``adjudicated``.

    A label in this column also makes the span gold, and becomes its label. ``result`` is the result
    of `iaa_jax.gold.spans`, whose spans the sheet names.

    Raises
    ------
    IaaError
        If the sheet lacks a column or has no answer; if a span has two answers or is not in the
        result; or if an answer means neither "yes", "no" nor a label.
    """
    sheet = _sheet(file, (*SPAN, ADJUDICATED))
    names = [SheetNames(dict.fromkeys(result[n].values.tolist()), sheet.written) for n in SPAN]
    spans = {*zip(*(map(str, result[name].values.tolist()) for name in SPAN), strict=True)}
    nouns = [*(f"{name} of the spans" for name in SPAN), "yes, no or label of the spans"]
    labels = {str(name): str(name) for name in _names(result, "label")}
    # a label such as "1" has precedence over the answer "1"
    answers = {**_ANSWERS, **labels, "yes": True, "no": False}
    decisions = _decided(sheet, [*names, SheetNames(answers, sheet.written)], nouns, spans)
    decided = {
        tuple(map(str, key)): answers[str(answer)] for key, answer in decisions.decided.items()
    }
    return Adjudicated(decided, decisions.respelled, sheet.unread)


def _decided(
    sheet: _Filled,
    names: Sequence[SheetNames],
    nouns: Sequence[str],
    spans: Container[tuple[str, ...]] | None = None,
) -> Adjudicated:
    decided: dict[tuple[Hashable, ...], Hashable] = {}
    wrong = []
    for where, cells in sheet.rows:
        values: list[Hashable] = []
        try:
            for cell, column, known, noun in zip(cells, sheet.columns, names, nouns, strict=True):
                values.append(_found(cell, column, known, noun))
        except UnknownNameError as error:
            ways = ""
            new = cells[-1] if error.name is None else error.name
            if spans is None and len(values) == len(names) - 1 and not error.ambiguous:
                declared = keyword("labels", _listed([*map(str, names[-1].names), str(new)]))
                ways = f"; if it is a new label, declare all: {declared}, or"
            wrong.append(f"{where}, {error}{ways}")
            continue
        *key, answer = values
        about = ", ".join(map(str, key))
        if spans is not None and tuple(map(str, key)) not in spans:
            wrong.append(f"{where}: nobody marked the span {about}")
        elif (before := decided.setdefault((*key,), answer)) != answer:
            wrong.append(f"{where}: {about} has two answers, {before!r} and {answer!r}")
    if wrong:
        more = len(wrong) - 1
        rows = f" ({more:,} more {'row is' if more == 1 else 'rows are'} wrong)" if more else ""
        between = " " if wrong[0].endswith(", or") else "; "
        raise IaaError(f"{wrong[0]}{between}correct the sheet{rows}")
    # "Yes" is an answer, not another spelling of a name
    of_names = names if spans is None else names[:-1]
    return Adjudicated(decided, {c: n for each in of_names for c, n in each.respelled.items()})


def _found(cell: str | None, column: str, names: SheetNames, noun: str) -> Hashable:
    if cell is None:
        raise UnknownNameError(
            f"column {column!r}: the row has an answer, but no name", ambiguous=True
        )
    try:
        return names.find(cell)
    except UnknownNameError as error:
        raise UnknownNameError(
            f"column {column!r}: no {noun} is {error}", ambiguous=error.ambiguous, name=error.name
        ) from None


class _Filled(NamedTuple):
    """The answered rows of a sheet, each with its position and its cells, the answer last."""

    columns: list[str]
    rows: list[tuple[str, tuple[str | None, ...]]]
    written: Callable[[str], str]
    unread: Sequence[str]


def _sheet(file: str, wanted: Sequence[str]) -> _Filled:
    """Return the answered rows of a sheet; ``wanted`` has the columns, the answer last."""
    with ExitStack() as stack:
        sources = listing([file], stack).files
        if len(sources) != 1:
            raise IaaError(f"{file} is a folder or an archive: name the sheet itself")
        if kind_of(sources[0]) == "xlsx":  # the filled sheet need not be the first
            from iaa_jax.io.table.workbook import opened
            from iaa_jax.io.table.xlsx import readable

            # hidden sheets last
            titles = dict.fromkeys([*readable(sources[0]), *opened(sources[0]).titles])
            named = map(sources[0].with_sheet, titles)
            sources = [each for each in named if _is_table(each)] or sources
        columns_of = {source: matched_columns(source, wanted) for source in sources}
        sheets = [
            _filled(s, columns) for s, columns in columns_of.items() if len(columns) == len(wanted)
        ]
        if not sheets:
            source, columns = next(iter(columns_of.items()))
            missing = [name for name in wanted if name not in columns]
            names = head(source).names
            raise IaaError(
                f"{source} has no column {shown(missing)}; its columns are {shown(names, 12)}. A "
                "sheet is made by 'iaa gold FILE --sheet sheet.xlsx' (or .csv), and its column "
                "'adjudicated' filled in"
            )
    filled = [sheet for sheet in sheets if sheet.rows]
    if not filled:
        raise IaaError(f"{file}: no cell of the column {ADJUDICATED!r} is filled in")
    first, *others = ({cells for _, cells in sheet.rows} for sheet in filled)
    if any(other - first for other in others):
        places = [sheet.rows[0][0] for sheet in filled]
        raise IaaError(
            f"{file}: several sheets have decisions, and not the same ones: {shown(places)}; "
            "combine them on the first one"
        )
    return filled[0]


def _is_table(sheet: Source) -> bool:
    try:
        return bool(head(sheet).names)
    except IaaError:
        return False


def _filled(source: Source, found: dict[str, str]) -> _Filled:
    columns = list(found.values())
    rows = table(source, columns)
    cells = zip(*(texts(rows.column(name)) for name in columns), strict=True)
    placed = [(rows.where(row), each) for row, each in enumerate(cells) if each[-1] is not None]
    written = for_spreadsheets if kind_of(source) == "delimited" else without_controls
    return _Filled(columns, placed, written, _further_columns(source, columns[-1]))


def _further_columns(source: Source, answers: str) -> list[str]:
    """Return the names of filled columns that were added after the column of suggested labels."""
    names = head(source).names
    behind = names[names.index(SUGGESTED) + 1 :] if SUGGESTED in names else []
    further = [name for name in behind if name != answers and names.count(name) == 1]
    rows = table(source, further) if further else None
    return [name for name in further if rows is not None and any(texts(rows.column(name)))]


def matched_columns(source: Source, wanted: Sequence[str]) -> dict[str, str]:
    """Return the spelling of each wanted column that the sheet has."""
    names = head(source).names
    return {name: column for name in wanted if (column := _column(names, name)) is not None}


def _names(ratings: xr.Dataset, axis: str) -> list[Hashable]:
    return ratings[axis].values.tolist() if axis in ratings.coords else []


def _column(names: Sequence[str], wanted: str) -> str | None:
    """Return the wanted column, or the only one that differs just in case or outer blanks."""
    if wanted in names:
        return wanted
    alike = [name for name in names if name.strip().casefold() == wanted]
    return alike[0] if len(alike) == 1 else None


def _listed(labels: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(labels)
    return line.getvalue()


def texts(column: TextColumn) -> list[str | None]:
    """Return the cell of each row as text; None if it is empty."""
    (codes, cells), _ = known_cells(column, BLANK)
    return [None if code < 0 else str(cells[code]) for code in codes.tolist()]


def _groups(
    texts: dict[str, Hashable], key: Callable[[str], Hashable | None]
) -> dict[Hashable, list[Hashable]]:
    groups: dict[Hashable, list[Hashable]] = {}
    for text, name in texts.items():
        if (made := key(text)) is not None and name not in groups.setdefault(made, []):
            groups[made].append(name)
    return groups


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _number(text: str) -> Decimal | None:
    return Decimal(text.replace(",", ".")) if _NUMBER.fullmatch(text.strip()) else None
