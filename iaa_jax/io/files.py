"""From what the caller named to the files to read: those of a zip archive, those of a pattern."""

from __future__ import annotations

import difflib
import fnmatch
import os
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import xarray as xr

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.data.reading import parts_of
from iaa_jax.io.table.content import Allowance, Held, Measured, Member, Stored
from iaa_jax.io.table.opening import DELIMITED, JSON
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import counted, name as printable

PathLike = str | os.PathLike[str]

ANNOTATOR = "{annotator}"
DATA = DELIMITED | JSON | {".parquet", ".pq"}
STRAY = "__MACOSX"
STANDARD_INPUT = "-"


class Naming:
    """A pattern of file names, as in "group-*-{annotator}.json"; None takes every file.

    Examples
    --------
    >>> naming = Naming("round?-{annotator}.csv")
    >>> naming.fits("round1-ann.csv"), naming.annotator("round1-ann.csv")
    (True, 'ann')
    """

    def __init__(self, pattern: str | None) -> None:
        self.pattern = pattern
        if pattern is None:
            return
        if pattern.count(ANNOTATOR) > 1:
            msg = f"the file pattern {pattern!r} names {ANNOTATOR} more than once"
            raise OptionError(msg)
        parts = [_inner(part) for part in pattern.split(ANNOTATOR)]
        self._fits = re.compile("(.+?)".join(parts), re.DOTALL)

    def fits(self, name: str) -> bool:
        """Tell whether a file name, without its folders, follows the pattern."""
        return self.pattern is None or self._fits.fullmatch(name) is not None

    def annotator(self, name: str) -> str | None:
        """Give the annotator whom a file name tells."""
        if self.pattern is None or ANNOTATOR not in self.pattern:
            return None
        match = self._fits.fullmatch(name)
        return match[1].strip() if match else None


def sources(
    paths: Sequence[PathLike],
    stack: ExitStack,
    *,
    file_pattern: str | None,
    encoding: str | None,
    records: str | None,
    max_megabytes: int,
    header_line: int | None,
) -> tuple[list[Source], list[Note]]:
    """Find the files, and note which members of archives were left aside."""
    if encoding is not None:
        try:
            "".encode(encoding)  # codecs.lookup also knows what is no text, such as base64
        except (LookupError, ValueError):
            msg = f"there is no encoding {encoding!r}; usual ones are utf-8, latin-1 and cp1252"
            raise OptionError(msg) from None
    naming = Naming(file_pattern)
    files: list[Stored] = []
    aside: list[Note] = []
    allowed = Allowance(max_megabytes)
    for path in _paths(paths, allowed):
        if _is_archive(path):
            members, set_aside = _members(path, stack, naming)
            files += members
            aside += set_aside
        elif naming.fits(path.name):
            files.append(path)
        else:
            msg = f"{printable(path)} does not follow the file pattern {file_pattern!r}"
            raise IaaError(msg)
    return [
        Source(
            path,
            annotator=naming.annotator(path.name),
            encoding=encoding,
            records=records,
            allowed=allowed,
            header_line=header_line,
        )
        for path in files
    ], aside


def check_naming(ratings: xr.Dataset, layout: str, pattern: str | None) -> None:
    """Refuse a pattern that names annotators where these are told in another way, or not."""
    told = any(part.code == "read_annotators_from_files" for part in parts_of(ratings, "read_as"))
    if pattern is None or ANNOTATOR not in pattern or told:
        return
    every = keyword("file_pattern", pattern.replace(ANNOTATOR, "*"))
    msg = (
        f"{keyword('file_pattern', pattern)} changes nothing: files of one annotator each are long "
        f"tables, and this was read as a {layout} table, which says itself who rated; give "
        f"{every}, or name the columns by {keyword('item')} and {keyword('label')}"
    )
    raise OptionError(msg)


def file_name(path: PathLike) -> str:
    """A file as messages and pages name it."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def _inner(part: str) -> str:
    """Bring a piece of a pattern with * and ? to a regular expression."""
    return re.sub(r"^\(\?s:(.*)\)\\[zZ]$", r"\1", fnmatch.translate(part), flags=re.DOTALL)


def _paths(paths: Sequence[PathLike], allowed: Allowance) -> list[Path | Held]:
    files = [Path(path) for path in paths]
    if not files:
        msg = "no file to read: give a path or several"
        raise IaaError(msg)
    for path in files:
        if str(path) == STANDARD_INPUT:
            continue
        if not path.exists():
            folder = path.parent
            near = [p.name for p in folder.iterdir()] if folder.is_dir() else []
            near = [name for name in near if name != path.name]  # a link that leads nowhere
            close = difflib.get_close_matches(path.name, near, n=1)
            hint = f"; did you mean {printable(folder / close[0])}?" if close else ""
            what = "the link leads to no file" if path.is_symlink() else "there is no such file"
            msg = f"{printable(path)}: {what}{hint}"
            raise IaaError(msg)
        if path.is_dir():
            msg = f"{printable(path)} is a folder; name the files in it"
            raise IaaError(msg)
    return [_read_pipe(path, allowed) for path in files]


def _read_pipe(path: Path, allowed: Allowance) -> Path | Held:
    """Read what comes through a pipe, which cannot be read twice; leave files where they are."""
    name = file_name(path)
    if path.is_file() and str(path) != STANDARD_INPUT:
        return path
    try:
        if str(path) != STANDARD_INPUT:
            with path.open("rb") as file:
                return Held(name, Measured(file, printable(name), allowed).read())
        if sys.stdin is None or sys.stdin.closed:
            msg = f"{name} is closed: name a file, or send the ratings through a pipe"
            raise IaaError(msg)
        return Held(name, Measured(sys.stdin.buffer, name, allowed).read())
    except OSError as error:
        msg = f"{printable(name)} cannot be read: {error.strerror or error}"
        raise IaaError(msg) from None


def _is_archive(path: Path | Held) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False  # its reader says why


def _members(
    path: Path | Held, stack: ExitStack, naming: Naming
) -> tuple[list[Member], list[Note]]:
    """Choose the members of an archive by the pattern, or by their endings."""
    try:
        archive = stack.enter_context(zipfile.ZipFile(stack.enter_context(path.open("rb"))))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        msg = f"{printable(path)} is not a readable zip archive: {error}"
        raise IaaError(msg) from None
    archive.filename = archive.filename or str(path)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    if "[Content_Types].xml" in names:
        msg = f"{printable(path)} is a spreadsheet or another office file; save it as CSV"
        raise IaaError(msg)
    chosen, names_taken, aside = [], [], []
    for name in names:
        member = Member(archive, name)
        stray = STRAY in name.split("/") or member.name.startswith(".")
        endings = {part.strip().lower() for part in Path(name).suffixes}
        data = bool(endings & DATA) if naming.pattern is None else naming.fits(member.name)
        if data and not stray:
            chosen.append(member)
            names_taken.append(name)
        else:
            aside.append(name)
    if not chosen:
        msg = (
            f"{printable(path)} holds no table to read: its members are "
            f"{shown(names, 8) or 'none'}; "
            f"choose members by a file pattern, as in {keyword('file_pattern', '*.txt')}"
        )
        raise IaaError(msg)
    twice = [name for name, times in Counter(names_taken).items() if times > 1]
    if twice:
        msg = (
            f"{printable(path)}: {counted(len(twice), 'member name')} occurring more than once: "
            f"{shown(twice)}; an archive gives only one file per name: unpack it, or pack it again "
            "with unique names"
        )
        raise IaaError(msg)
    set_aside = {"files": len(aside), "archive": path.name, "names": aside[:3]}
    return chosen, [Note("skipped_files", set_aside)] if aside else []
