"""Checks that writing a file destroys no decisions or other entries that people made in sheets."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from iaa_jax._cells import ADJUDICATED, SUGGESTED
from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.io.adjudicated import ITEM, SPAN, matched_columns, texts
from iaa_jax.io.table.content import Allowance, Piped, Stored
from iaa_jax.io.table.opening import head, kind_of, table
from iaa_jax.io.table.source import Source
from iaa_jax.pages.overwriting import NO_RATINGS
from iaa_jax.wording.formats import counted, name as printable

_START = 65_536
_BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""First bytes of workbooks, whatever the files are called."""
_LONGEST = 40
"""Maximum length of the name of a column to fill in."""
_UNREADABLE = ("", "")
"""Placeholder for decisions that may be in an unreadable sheet."""
_OF_ANNOTATOR = "by "
"""Prefix of columns with an annotator's labels."""
_OF_NAMES = (_OF_ANNOTATOR, "bias ", "with_", "given_")
"""Prefixes of all columns named after an annotator or a label."""
_OF_PAIRS = {"number", "annotator"}
"""Columns that occur together only in tables whose further columns are named after annotators."""
_COMMENTS = "comments"
"""Substring in the names of workbook parts that hold comments."""
_MEGABYTES = 1000


def check_decisions(file: str, kept_in: Sequence[str] = (), content: bytes | None = None) -> None:
    """Refuse to overwrite a sheet that people filled in, if decisions would be lost.

    Decisions are safe if they are also in a file in ``kept_in``, or in the content to be written.
    Further columns, sheets and comments that people added must be in the content, if it is given.

    Raises
    ------
    OptionError
        If decisions, or other entries, would be lost.
    """
    target = Path(os.path.realpath(file))  # writing to a link replaces its target
    if not target.is_file():
        return
    filled = _decisions(target)
    lost = set(filled)
    for other in kept_in if lost else ():
        if os.path.isfile(other):  # a pipe can be read only once, so not here
            lost -= _decisions(Path(other))
    if lost and content is not None:
        lost -= _decisions(Piped(file, content))
    if not lost and content is not None:
        names = _further_entries(target, Piped(file, content), filled=bool(filled))
        if names:
            held = f"decisions of people, and {shown(names)} next to them"
            if not filled:
                held = _COMMENTS if names == [_COMMENTS] else shown(names)
            raise OptionError(
                f"{printable(file)} holds {held}, which would be lost: name another file to write "
                "to"
            )
    if lost:
        known = f"holds {counted(len(lost), 'decision')} under {ADJUDICATED!r}, which would"
        unread = f"cannot be read, and decisions under {ADJUDICATED!r} in it, if any, would"
        what = unread if _UNREADABLE in lost else known
        raise OptionError(
            f"{printable(file)} {what} be lost: name another file to write to; --adjudicated of "
            "'iaa gold' carries decisions over to it"
        )


def _further_entries(target: Path, content: Piped, *, filled: bool) -> list[str]:
    """Return the names of entries that people may have added and that the new content lacks.

    Entries are columns, sheets of a workbook, and "comments".
    """
    is_book = _is_book(target)
    if target.name.lower().endswith(NO_RATINGS) and not is_book:
        return []
    parts = _parts(target)
    if not (filled or is_book or SUGGESTED in parts):
        return []
    missing = parts - _parts(content)
    if not filled:  # without decisions, only comments and columns that are not empty can be lost
        missing &= _held(target) | ({_COMMENTS} if any(map(_is_to_fill_in, parts)) else set())
    # options may leave out an annotator's column, in which nobody fills in anything
    return sorted(name for name in missing if not name.startswith(_OF_ANNOTATOR))


def _held(file: Stored) -> set[str]:
    """Return the non-empty columns of all sheets to fill in, whatever the sheets are called."""
    columns = set()
    for source in _opened(file):
        with suppress(IaaError):
            for sheet in _sheets_of(source):
                names = head(sheet).names
                if SUGGESTED in names and len({*names}) == len(names):
                    rows = table(sheet, names)
                    columns |= {name for name in names if any(texts(rows.column(name)))}
            return columns
    return columns


def _sheets_of(source: Source) -> list[Source]:
    if kind_of(source) != "xlsx":
        return [source]
    from iaa_jax.io.table.workbook import opened

    book = opened(source)
    return [source.with_sheet(title) for title in book.titles if len(book.sheet(title).rows) > 1]


def _is_book(file: Path) -> bool:
    with file.open("rb") as content:
        return content.read(len(_BOOKS[0])) == _BOOKS[0]


def _decisions(file: Stored) -> set[tuple[str, ...]]:
    """Return the item or span, and the decision, of each filled-in row of a sheet."""
    if file.name.lower().endswith(NO_RATINGS):
        return set()
    for source in _opened(file):
        with suppress(IaaError):
            if kind_of(source) == "xlsx":
                return _filled_in_workbook(source)
            if kind_of(source) == "delimited":
                return _filled_rows(source)
            with suppress(IaaError):  # records of any other kind are not from a sheet
                return _filled_rows(source)
            return set()
    # an unreadable file is kept if it may be a sheet, such as a workbook with a password
    start = Source(file).raw(_START)
    text = start.replace(b"\0", b"").decode("latin-1").lower()
    is_book = start.startswith(_BOOKS) or (file.name.lower().endswith(".xlsx") and text != "")
    return {_UNREADABLE} if is_book or ADJUDICATED in text else set()


def _filled_in_workbook(source: Source) -> set[tuple[str, ...]]:
    """Return the filled-in rows of all sheets of a workbook, hidden ones too."""
    from iaa_jax.io.table.workbook import opened

    book = opened(source)
    filled: set[tuple[str, ...]] = set()
    for title in book.titles:
        rows = book.sheet(title).rows
        # a sheet has other columns next to the one to fill in; a list of choices has none
        names = ({cell.strip().casefold() for cell in row.values()} - {""} for row in rows.values())
        if len(rows) > 1 and any(any(map(_is_to_fill_in, row)) and len(row) > 1 for row in names):
            try:
                filled |= _filled_rows(source.with_sheet(title))
            except IaaError:
                filled.add(_UNREADABLE)
    return filled


def _is_to_fill_in(name: str) -> bool:
    """Tell whether a header may name the column to fill in, rather than be a sentence about it."""
    name = name.strip().casefold()
    return ADJUDICATED in name and len(name) <= _LONGEST and not name.startswith(_OF_NAMES)


def _filled_rows(source: Source) -> set[tuple[str, ...]]:
    """Return the filled-in rows of a table, from all copies of the column to fill in."""
    names = head(source).names
    answers = [name for name in names if _is_to_fill_in(name)]
    if not answers or {*names} >= _OF_PAIRS:
        return set()
    if len({*answers}) < len(answers):
        return {_UNREADABLE}  # two people's sheets may be side by side
    about = matched_columns(source, (ITEM, *SPAN)).values()
    rows = table(source, [*about, *answers])
    columns = {name: texts(rows.column(name)) for name in (*about, *answers)}
    return {
        ("" if about else str(number), *((cell or "").strip().casefold() for cell in cells))
        for answer in answers
        for number, cells in enumerate(
            zip(*(columns[name] for name in (*about, answer)), strict=True)
        )
        if cells[-1] is not None
    }


def _parts(file: Stored) -> set[str]:
    """Return the names of columns; for a workbook, also of its sheets, and "comments" if any."""
    for source in _opened(file):
        with suppress(IaaError):
            if kind_of(source) != "xlsx":
                return {name.strip() for name in head(source).names} - {""}
            return _parts_of_workbook(source)
    return set()


def _opened(file: Stored) -> Iterator[Source]:
    """Yield the file as a source, first as UTF-8, then in an encoding of CSV from spreadsheets."""
    for encoding in (None, "latin-1"):
        yield Source(file, encoding=encoding, allowed=Allowance(_MEGABYTES))


def _parts_of_workbook(source: Source) -> set[str]:
    from iaa_jax.io.table.workbook import opened

    book = opened(source)
    with zipfile.ZipFile(io.BytesIO(source.raw())) as archive:
        comments = {_COMMENTS for name in archive.namelist() if _COMMENTS in name.lower()}
    rows = (next(iter(book.sheet(title).rows.values()), {}) for title in book.titles)
    return comments.union(book.titles, *(row.values() for row in rows))
