"""List the files of a scan, and write the SQL with which DuckDB reads them.

DuckDB receives the column names and delimiters that the readers of `iaa_jax.io` find, and guesses
none, so that it reads a file as `iaa_jax.read` does.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.io.files import STANDARD_INPUT, remember
from iaa_jax.io.table import delimited, opening, parquet
from iaa_jax.io.table.content import MARKS
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROW_NUMBER = "file_row_number"

_GZIP = b"\x1f\x8b"

_PACKED = (b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
"""First bytes of compressed files other than gzip."""


class FileLayout(NamedTuple):
    """How DuckDB reads a file; files with the same layout are read as one table.

    Attributes
    ----------
    reader, options : str
        DuckDB's function that reads the file, and the function's options.
    names : tuple of str
        Names of the columns.
    columns : tuple of str
        SQL expression of each column.
    kinds : tuple of str
        Arrow's type of each column of a Parquet file; empty for text.
    """

    reader: str
    options: str
    names: tuple[str, ...]
    columns: tuple[str, ...]
    kinds: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The SQL expression of a row's number in its file."""
        return _ROW_NUMBER if self.reader == "read_parquet" else "row_number() OVER ()"

    @property
    def first(self) -> int:
        """The offset to add to a row's number, so that the first row is number 1."""
        return int(self.reader == "read_parquet")

    def column(self, name: str) -> str:
        """Return the SQL of a column; refuse names and types that DuckDB cannot read."""
        same_name = [each for each in self.names if each.casefold() == name.casefold()]
        if len(same_name) > 1 and self.reader == "read_parquet":
            raise IaaError(
                f"a scan does not distinguish the columns {shown(same_name)}: rename one of them"
            )
        if not name and self.reader == "read_parquet":
            raise IaaError("a scan cannot read a column without a name: give it one")
        position = self.names.index(name)
        if "halffloat" in self.kinds[position : position + 1]:
            raise IaaError(
                f"{name!r} holds floats of two bytes, which a scan cannot read: convert them to "
                "float64"
            )
        return self.columns[position]

    def table(self, files: Sequence[str], *, numbered: bool = False) -> str:
        """Return the SQL that reads files of this layout; ``numbered`` adds numbers of rows."""
        # stars and brackets in the names of files are escaped, so that they match only themselves
        listed = ", ".join(_text(re.sub(r"[*?[]", r"[\g<0>]", file)) for file in files)
        numbers = numbered and self.reader == "read_parquet"
        return (
            f"{self.reader}([{listed}], {self.options}{', file_row_number=true' if numbers else ''}"
            ", hive_partitioning=false)"
        )


class File(NamedTuple):
    """A file of a long table."""

    path: str
    source: Source
    layout: FileLayout

    @property
    def delimiter(self) -> str:
        """The delimiter of a text file."""
        return opening.head(self.source).delimiter


def listed_files(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[File]:
    """Return the files of paths; a path with stars stands for all files that match it."""
    single = isinstance(paths, (str, os.PathLike))
    listed = [paths] if single else list(paths) if isinstance(paths, Iterable) else [None]
    if not all(isinstance(path, (str, os.PathLike)) for path in listed):
        raise IaaError(f"{named('paths')} must be a file or a list of files, not {brief(paths)}")
    files = [file for path in listed for file in _matching(str(path))]
    if not files:
        raise IaaError("name one file or more")
    if twice_named := [file for file, times in Counter(files).items() if times > 1]:
        raise IaaError(f"{counted(len(twice_named), 'file')} named twice: {shown(twice_named)}")
    if unnamed := [file for file in files if not _is_text(file)]:
        raise IaaError(
            f"{brief(unnamed[0])} cannot be scanned, since its name is not valid UTF-8: rename it, "
            "or the folder with such a name"
        )
    remember(files, map(str, listed))
    return [_opened(file) for file in files]


def _is_text(name: str) -> bool:
    return os.fsencode(name) == name.encode("utf-8", errors="replace")


def _matching(path: str) -> list[str]:
    if "://" in path:  # DuckDB would take the relative path for a URL
        path = str(Path(path).absolute())
    if Path(path).is_file():
        if "\\" in path and re.search(r"[*?[]", path):
            raise IaaError(
                f"{path!r} cannot be scanned: rename it without backslashes, or without stars"
            )
        return [path]
    if any(star in path for star in "*?["):
        matches = [file for file in sorted(glob.glob(path, recursive=True)) if Path(file).is_file()]
        if matches:
            return matches
        message = f"no file is named like {path!r}"
    elif Path(path).is_dir():
        message = f"{path!r} is a folder: name its files, as in {str(Path(path, '*.parquet'))!r}"
    elif path == STANDARD_INPUT:
        message = "a pipe cannot be scanned: a scan reads its input more than once"
    else:
        message = f"there is no file {path!r}"
    raise IaaError(message)


def _opened(path: str) -> File:
    source = Source(Path(path))
    kind = opening.kind_of(source)
    if kind == "parquet":
        return File(path, source, _parquet_layout(path, source))
    if kind == "delimited":
        return File(path, source, _text_layout(path, source))
    raise IaaError(
        f"{path}: only Parquet and delimited text, such as CSV, can be scanned; use "
        "iaa_jax.read for others"
    )


def _parquet_layout(path: str, source: Source) -> FileLayout:
    schema = parquet.schema(source, path)
    source.once("head", lambda: Head(list(schema.names), []))
    if any(name.casefold() == _ROW_NUMBER for name in schema.names):
        raise IaaError(
            f"{path}: a scan numbers the rows in a column {_ROW_NUMBER!r}, and the file has a "
            "column of this name: rename it"
        )
    kinds = [str(field.type) for field in schema]
    columns = map(_parquet_column, schema.names, kinds)
    # some old programs store text as bytes (see `iaa_jax.io.table.parquet`)
    options = "union_by_name=false, binary_as_string=true"
    return FileLayout("read_parquet", options, tuple(schema.names), (*columns,), (*kinds,))


def _parquet_column(name: str, kind: str) -> str:
    """Return the SQL of a column; a float32 becomes the float64 with the same shortest decimal."""
    quoted = '"' + name.replace('"', '""') + '"'
    return f"CAST(CAST({quoted} AS VARCHAR) AS DOUBLE)" if kind == "float" else quoted


def _text_layout(path: str, source: Source) -> FileLayout:
    with open(path, "rb") as file:
        start = file.read(8)
    if start.startswith(_PACKED):
        raise IaaError(
            f"{path}: only gzip can be scanned among compressed files: decompress this file"
        )
    head = source.once("head", lambda: delimited.head(source, empty=True))
    text = source.raw(4)
    encoding = next((name for mark, name in MARKS.items() if text.startswith(mark)), "utf-8")
    columns = [f"c{place}" for place in range(len(head.names))]
    types = ", ".join(f"{column}: 'VARCHAR'" for column in columns)
    settings = {
        **dict.fromkeys(("auto_detect", "header"), "false"),
        "strict_mode": "true",
        "comment": "''",
        **dict.fromkeys(("quote", "escape"), "'\"'"),
        "delim": _text(head.delimiter),
        "columns": f"{{{types}}}",
        "encoding": _text(encoding),
        "compression": _text("gzip" if start.startswith(_GZIP) else "none"),
        "skip": str(head.header_lines),
    }
    options = ", ".join(f"{name}={value}" for name, value in settings.items())
    # a line break within a cell becomes a single newline, whichever system wrote the file
    plain = (
        f"CASE WHEN contains({column}, chr(13)) THEN replace(replace({column}, chr(13) || chr(10), "
        f"chr(10)), chr(13), chr(10)) ELSE {column} END"
        for column in columns
    )
    return FileLayout("read_csv", options, (*map(str.strip, head.names),), (*plain,))


def check_header(database: DuckDBPyConnection, file: File) -> None:
    """Refuse a text file in which DuckDB would skip lines other than the header."""
    if file.layout.reader != "read_csv":
        return
    names = file.layout.names
    options, lines = file.layout.options.rsplit("=", 1)
    above = file.layout._replace(options=f"{options}={int(lines) - 1}")
    header = database.execute(f"SELECT * FROM {above.table([file.path])} LIMIT 1").fetchone()
    cells = [(cell or "").strip("\ufeff").strip() for cell in header or [""] * len(names)]
    # a column whose header cell is blank was given a name by the reader
    if any(cell not in ("", name) for cell, name in zip(cells, names, strict=True)) or not any(
        cells
    ):
        raise IaaError(
            f"{file.path}: a title or a column name spans several lines, or has a stray "
            "quotation mark: write the names of the columns on a line of their own"
        )


def kind_of(database: DuckDBPyConnection, file: File, name: str) -> str:
    """Return DuckDB's type of a column."""
    if file.layout.reader == "read_csv":
        return "VARCHAR"
    column, table = file.layout.column(name), file.layout.table([file.path])
    row = database.execute(f"DESCRIBE SELECT {column} FROM {table}").fetchone()
    return str(row[1]) if row else "VARCHAR"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
