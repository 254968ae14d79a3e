"""A file to read, and the options given for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

from iaa_jax._errors import IaaError
from iaa_jax.io.table.content import (
    Allowance,
    Readable,
    Short,
    Stored,
    Watched,
    beginning_of,
    blocks,
    content,
    raw,
)
from iaa_jax.io.table.head import DeclaredMissing, Head
from iaa_jax.io.table.unpacking import BEGINNINGS, ending_of, unpacked_name

LOOKED_AT = 1 << 12  # number of first bytes from which most readers recognise a file

Kept = TypeVar("Kept")


class ExcludedRows(NamedTuple):
    """Rows of a file that the caller excluded by their value in a column.

    If ``others``, the rows without this value were excluded. ``rows`` counts the excluded rows,
    without those that an earlier rule excludes. ``found`` tells whether the value occurs, and
    ``cells`` are all values of the column.
    """

    column: str
    value: str
    others: bool
    rows: int
    found: bool
    cells: list[str]


class _Refused(NamedTuple):
    """An error that was raised earlier, without its traceback."""

    kind: type[IaaError]
    message: str


@dataclass(eq=False)
class Source:
    """A file that readers use like a path."""

    path: Stored
    _: KW_ONLY
    inside: tuple[str, ...] = ()  # the named folder or archive, with the path below it
    called: str = ""  # name of a project that its program saves as an archive
    annotator: str | None = None  # annotator, if the file, its folder or its sheet names one
    encoding: str | None = None
    records: str | None = None
    allowed: Allowance | None = None
    header_line: int | None = None
    exclude: Sequence[str] = ()  # excluded rows, as "column=value" or "column!=value"
    container: str | None = None  # the folder or archive, as messages name it
    named_columns: tuple[str | Sequence[str], ...] = ()  # columns as the caller named them
    opens_cells: bool = False  # whether fields of objects in cells are columns, as in plain tables
    was_offered: bool = False  # whether a folder, an archive or a pattern of sheets led to the file
    is_sheet: bool = False  # whether the file is one of several sheets that are read together

    def __post_init__(self) -> None:
        if isinstance(self.path, Path):
            self.path = Watched(self.path)
        way = self.inside or (self.path.name,)
        self.inside = (*way[:-1], unpacked_name(way[-1]))
        self.called = self.called or self.name
        self._forget()

    def _forget(self) -> None:
        self.excluded: list[ExcludedRows] | None = None  # None before rows were read
        self.gaps: dict[str, None] = {}  # words read as "not rated"
        self.used: dict[str, None] = {}  # columns that were read
        self.truths: dict[str, None] = {}  # columns of JSON with both text and truth values
        self._kept: dict[str, object] = {}

    def __str__(self) -> str:
        return str(self.path)

    @cached_property
    def name(self) -> str:
        """The name without the folder, and without the ending of a compression."""
        return unpacked_name(self.path.name)

    @cached_property
    def stem(self) -> str:
        """The name without its ending."""
        return Path(self.name).stem

    @property
    def annotators_note(self) -> str:
        """The code of the note on what names the annotators: sheets, files or folders."""
        if self.is_sheet and self.annotator == self.records:
            return "read_annotators_from_sheets"
        if any((self.annotator or "") in name for name in (self.called, self.path.name)):
            return "read_annotators_from_files"
        return "read_annotators_from_folders"

    @property
    def below(self) -> str:
        """The path below the named folder or archive."""
        return "/".join([*self.inside[1:-1], self.path.name])

    @cached_property
    def endings(self) -> list[str]:
        """All endings of the name, in lower case."""
        return [part.strip().lower() for part in Path(self.name).suffixes]

    @cached_property
    def suffix(self) -> str:
        """The ending that shows the format, in lower case."""
        return next((part for part in reversed(self.endings) if part not in BEGINNINGS), "")

    def with_header(self, line: int) -> Source:
        """Return the file with its column names on another line."""
        other = self._unread()
        other.header_line = line
        return other

    def with_sheet(self, title: str) -> Source:
        """Return one sheet of this workbook."""
        other = self._unread()
        other._kept = {name: value for name, value in self._kept.items() if name == "workbook"}
        other.records, other.is_sheet = title, True
        return other

    def _unread(self) -> Source:
        other = copy(self)
        other._forget()
        return other

    def size(self) -> int:
        """Return the size of a plain file on disk, otherwise 0."""
        path = self.path.path if isinstance(self.path, Watched) else None
        return path.stat().st_size if path is not None and not ending_of(path.name) else 0

    def is_short(self, size: int) -> bool:
        """Tell whether the file, unpacked, is known to hold fewer than ``size`` bytes."""
        start = self._looked_at()
        return start is not None and len(start) < min(size, LOOKED_AT)

    def is_regular(self) -> bool:
        """Tell whether the content is ready to read, in contrast to a pipe or a dangling link.

        A link to a file of size 0 is not ready: the system may generate its content without end.
        """
        if not isinstance(self.path, Watched):
            return True
        path = self.path.path
        return path.is_file() and not (path.is_symlink() and path.stat().st_size == 0)

    def place(self) -> Path | None:
        """Return the path of a file on disk."""
        return self.path.path.resolve() if isinstance(self.path, Watched) else None

    def is_link(self) -> bool:
        """Tell whether the file is a link in the named folder."""
        path = self.path.path if isinstance(self.path, Watched) and self.container else None
        return path is not None and path.is_symlink()

    def leads_out(self) -> bool:
        """Tell whether the file is a link that leads out of the named folder."""
        if not isinstance(self.path, Watched) or not self.is_link():
            return False
        folder = self.path.path.parents[len(self.inside) - 2]
        return not self.path.path.resolve().is_relative_to(folder.resolve())

    def open(self) -> IO[bytes]:
        """Open the file for reading bytes."""
        return self.path.open("rb")

    def raw(self, limit: int = -1) -> bytes:
        """Return the bytes of the file, unpacked."""
        start = self._looked_at()
        if start is None or (len(start) == LOOKED_AT and not 0 <= limit <= LOOKED_AT):
            return raw(self.path, limit, self.allowed)
        return start if limit < 0 else start[:limit]

    def start(self, size: int) -> bytes:
        """Return the first bytes, unpacked; empty if the file is unreadable. Never raises."""
        try:
            return self.raw(size)
        except IaaError:
            return b""

    def beginning(self, size: int) -> str:
        """Return the text of the first bytes, without a byte-order mark. Never raises."""
        return beginning_of(self.start(size), self.encoding)

    def content(self, limit: int = -1, fewest: int = 1) -> bytes:
        """Return the text as UTF-8; with a limit in bytes, its first whole lines."""
        return content(self._readable(), limit, self.encoding, self.allowed, fewest)

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yield the text of the file as UTF-8, in blocks."""
        return blocks(self._readable(), size, self.encoding, self.allowed)

    def _looked_at(self) -> bytes | None:
        """Return the first bytes, or all of a short file; None if it is unreadable.

        These bytes are read once, because opening many small files takes most of the time.
        """

        def read() -> bytes | None:
            try:
                return raw(self.path, LOOKED_AT, self.allowed)
            except IaaError:
                return None  # reported when the file is read

        return self.once("looked at", read)

    def _readable(self) -> Readable:
        start = self._looked_at()
        return self.path if start is None or len(start) == LOOKED_AT else Short(str(self), start)

    def take(self, size: int) -> None:
        """Count unpacked bytes, and refuse more than are allowed."""
        if self.allowed is not None:
            self.allowed.take(str(self), size)

    @property
    def known_head(self) -> Head | None:
        """The head of the file, if it was read."""
        head = self._kept.get("head")
        return head if isinstance(head, Head) else None

    def declared(self) -> dict[str, DeclaredMissing]:
        """Return the columns that were read, with cells that the file declares missing."""
        known = {} if self.known_head is None else self.known_head.declared
        return {name: known[name] for name in self.used if name in known}

    def look_inside(self, records: str | None) -> None:
        """Read the records from another place in the file."""
        self.records = records
        for name in ("head", "opened", "kept start", "document"):
            self._kept.pop(name, None)

    def forget_rows(self) -> None:
        """Forget the first rows, unless there are notes on them."""
        head = self.known_head
        if head is None or not (head.note or head.cautions or head.skipped or head.declared):
            self._kept.pop("head", None)

    def once(self, name: str, make: Callable[[], Kept]) -> Kept:
        """Return the result of ``make`` for the file; it runs once, and errors are kept too."""
        kept: Any = self._kept.get(name, _Refused)
        if kept is _Refused:
            try:
                kept = self._kept[name] = make()
            except IaaError as error:
                # an exception would keep its frames alive
                self._kept[name] = _Refused(type(error), error.message)
                raise
        if type(kept) is _Refused:
            raise kept.kind(kept.message)
        result: Kept = kept
        return result
