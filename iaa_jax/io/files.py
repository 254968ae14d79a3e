"""Finds the files that the caller named, directly or by folders, archives and patterns."""

from __future__ import annotations

import codecs
import difflib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import xarray as xr

from iaa_jax._errors import IaaError, OptionError, brief, shown
from iaa_jax._types import PathLike
from iaa_jax.data.groups import natural
from iaa_jax.data.provenance import parts_of
from iaa_jax.io.archives import ENDINGS, Archive, open_archive
from iaa_jax.io.base import Options
from iaa_jax.io.file_names import ANNOTATOR, Naming
from iaa_jax.io.table.content import Allowance, Limited, Member, Piped, raw
from iaa_jax.io.table.opening import DELIMITED, JSON, PARQUET, SHEETS, SPSS, STATA, R
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.unpacking import unpacked_name
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import name as printable

DATA = DELIMITED | JSON | PARQUET | STATA | SPSS | R
STRAY = "__MACOSX"
_PROJECT = ".qdpx"  # project of REFI-QDA: a zip archive that programs show as one file
_PACKED = (".zip", ".7z", ".rar", _PROJECT, *ENDINGS)
STANDARD_INPUT = "-"
STARS = "*?["
# encodings of internet addresses, which are slow on long texts
_OF_ADDRESSES = ("idna", "punycode")


_ORIGINS: dict[str, set[str]] = {}
"""Absolute paths and patterns, by the path that the caller gave."""


class Listing:
    """The files that the caller named, and those in the named folders and archives.

    Attributes
    ----------
    files : list of Source
        Files that match the file pattern, without hidden and special files of folders and archives.
    """

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.files: list[Source] = []
        self._others: dict[str, list[str]] = {}  # members that are not offered to readers

    def offer(self, container: str, files: Iterable[Source], aside: Iterable[str] = ()) -> None:
        """Add files from a folder or archive, except hidden, special or non-matching ones.

        ``aside`` names members that cannot be read; messages list them among the members left out.
        """
        others = self._others.setdefault(container, [])
        others += aside
        every = list(files)
        inside = [
            file
            for file in every
            if STRAY not in file.inside
            and not any(part.startswith(".") and part.strip(".") for part in file.inside[1:])
            and file.is_regular()
        ]
        fitting = self.naming.named(inside)
        taken = {*map(id, fitting)}
        others += [file.below for file in every if id(file) not in taken]
        for file in fitting:
            file.container, file.was_offered = container, True
        self.files += fitting

    @property
    def containers(self) -> list[str]:
        """Names of the folders and archives, for messages."""
        return list(self._others)

    def tables(self) -> list[Source]:
        """Files that may be tables: those named directly or by a pattern, or with known endings.

        Spreadsheets in a folder or archive often serve other purposes. Without a file pattern, they
        are read only if no other tables lie beside them.
        """
        data = {file.container for file in self.files if _is_data(file)}
        return [
            file
            for file in self.files
            if file.container is None
            or self.naming.pattern is not None
            or _is_data(file)
            or (file.container not in data and _is_sheet(file))
        ]

    def check(self, chosen: Sequence[Source], what: str) -> None:
        """Refuse a folder or archive from which no file is read, or two files of the same name."""
        for container, (read, aside) in self._names(chosen).items():
            if not read:
                archives = [name for name in aside if name.lower().endswith(_PACKED)]
                pattern = self.naming.pattern
                unfit = f"; none follows the file pattern {pattern!r}" if pattern else ""
                instead = (
                    f"archives in archives or folders are not opened: unpack {shown(archives, 2)}"
                    if archives
                    else "choose members by a file pattern, as in "
                    f"{keyword('file_pattern', '*.txt')}"
                )
                raise IaaError(
                    f"{container} holds no {what} to read: its members are "
                    f"{shown(aside, 8) or 'none'}{unfit}; {instead}"
                )
            alike = Counter(map(unpacked_name, read))
            if both := [name for name in read if alike[unpacked_name(name)] > 1]:
                raise IaaError(
                    f"{container}: {shown(both)} have the same name, packed or not: keep one of "
                    "them, or rename them"
                )

    def left_aside(self, chosen: Sequence[Source]) -> list[Note]:
        """Return notes on the members of folders and archives that are not read."""
        return [
            Note(
                "skipped_files",
                {
                    "files": len(aside),
                    "archive": folder.name or folder.resolve().name,
                    "names": aside[:3],
                },
            )
            for container, (_, aside) in self._names(chosen).items()
            for folder in [Path(container)]
            if aside
        ]

    def _names(self, chosen: Sequence[Source]) -> dict[str, tuple[list[str], list[str]]]:
        names: dict[str, tuple[list[str], list[str]]] = {
            container: ([], list(others)) for container, others in self._others.items()
        }
        read = set(map(id, chosen))
        for file in self.files:
            if file.container is not None:
                names[file.container][id(file) not in read].append(file.below)
        return names


def listing(
    paths: Sequence[PathLike],
    stack: ExitStack,
    options: Options = Options(),  # noqa: B008
) -> Listing:
    """Find the files that the caller named."""
    encoding = options.encoding
    if encoding is not None:
        try:
            "".encode(encoding)  # codecs.lookup also knows encodings of binary data, such as base64
            known = codecs.lookup(encoding).name not in _OF_ADDRESSES
        except (LookupError, ValueError):
            known = False
        if not known:
            raise OptionError(
                f"there is no encoding {encoding!r}; usual ones are utf-8, latin-1 and cp1252"
            ) from None
    naming = Naming(options.file_pattern)
    # two limits on unpacked bytes: members of archives count in the first one; archives that are
    # unpacked as a whole count in the second, so that no bytes count twice
    allowed, unpacking = (Allowance(options.max_megabytes) for _ in range(2))
    listed = Listing(naming)

    source = partial(
        Source,
        encoding=encoding,
        records=options.records,
        allowed=allowed,
        header_line=options.header_line,
        exclude=options.exclude,
    )

    def found(file: Path | Member, way: tuple[str, ...], called: str = "") -> Iterator[Source]:
        """Yield the file at a path, or, if it is a project archive, the files in it."""
        one, archive = source(file, inside=way, called=called), None
        # a project holds no other projects
        if _is_project(file.name) and not called and one.is_regular():
            data = Piped(str(file), raw(file, -1, unpacking)) if isinstance(file, Member) else file
            archive = open_archive(data, stack, unpacking)
        yield from [one] if archive is None else members(archive, way[:-1], one.name)

    def members(archive: Archive, way: tuple[str, ...], called: str) -> Iterator[Source]:
        for member in archive.members:
            yield from found(member, (*way, archive.stem, *member.entry.split("/")), called)

    for path in _paths(paths, allowed):
        if isinstance(path, Path) and path.is_dir():
            folder = path.name or path.resolve().name
            ways = {file: (folder, *file.relative_to(path).parts) for file in _files_of(path)}
            inner = [each for file, way in ways.items() for each in found(file, way)]
            listed.offer(printable(path), inner)
        elif (archive := open_archive(path, stack, unpacking)) is not None:
            called = unpacked_name(path.name) if _is_project(path.name) else ""
            listed.offer(printable(path), members(archive, (), called), archive.aside)
        elif naming.fits(called := naming.path_end(path)):
            listed.files.append(source(path, annotator=naming.annotator(called)))
        else:
            raise IaaError(
                f"{printable(path)} does not follow the file pattern {options.file_pattern!r}"
            )
    return listed


def remember(names: Iterable[str], patterns: Iterable[str] = ()) -> None:
    """Remember, for each name of a file, its absolute path and all patterns with wildcards.

    This keeps results from being saved over files that were read, even if the current folder has
    changed.
    """
    meant = {os.path.abspath(each) for each in patterns if any(star in each for star in STARS)}
    for name in names:
        _ORIGINS.setdefault(name, set()).update({os.path.abspath(name)} | meant)


def origins_of(name: str) -> list[str]:
    """Return the paths and patterns that a name may stand for, now and when it was remembered."""
    here = [name] if os.path.lexists(name) else []
    return here + sorted(_ORIGINS.get(name, set()) - {os.path.abspath(name)})


def check_naming(ratings: xr.Dataset, layout: str, pattern: str | None) -> None:
    """Refuse a pattern with ``{annotator}`` if no names of files or folders gave the annotators."""
    codes = {part.code for part in parts_of(ratings, "read_as")}
    from_names = codes & {"read_annotators_from_files", "read_annotators_from_folders"}
    if pattern is None or ANNOTATOR not in pattern or from_names:
        return
    every = keyword("file_pattern", pattern.replace(ANNOTATOR, "*"))
    raise OptionError(
        f"{keyword('file_pattern', pattern)} changes nothing: files of one annotator each are long "
        f"tables, and this was read as a {layout} table, which names the annotators itself; give "
        f"{every}, or name the columns by {keyword('item')} and {keyword('label')}"
    )


def file_name(path: PathLike) -> str:
    """Return the name of a file, as messages and results show it."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def _paths(paths: Sequence[PathLike], allowed: Allowance) -> list[Path | Piped]:
    files = [Path(path) for path in paths]
    # an empty path would be the current folder
    if not files or any(os.fspath(path) == "" for path in paths):
        raise IaaError("no file to read: give one path or several")
    for path in files:
        if str(path) == STANDARD_INPUT:
            continue
        try:
            is_there = path.exists()
        except OSError as error:
            raise IaaError(
                f"{brief(str(path))} cannot be read: {error.strerror or error}"
            ) from None
        if not is_there:
            folder = path.parent
            near = [p.name for p in folder.iterdir()] if folder.is_dir() else []
            # if the name itself is there, it is a dangling link
            near = [name for name in near if name != path.name]
            close = difflib.get_close_matches(path.name, near, n=1)
            hint = f"; did you mean {printable(folder / close[0])}?" if close else ""
            what = "the link leads to no file" if path.is_symlink() else "there is no such file"
            raise IaaError(f"{printable(path)}: {what}{hint}")
    _refuse_twice([path for path in files if path.is_file() or path.is_dir()])
    return [_once(path, allowed) for path in files]


def _refuse_twice(paths: Sequence[Path]) -> None:
    """Refuse a file that is named twice, or also lies in a named folder: it would count twice."""
    known: dict[tuple[int, int], Path] = {}
    for path in paths:
        status = path.stat()
        other = known.setdefault((status.st_dev, status.st_ino), path)
        if other is not path:
            raise IaaError(
                f"{printable(other)} and {printable(path)} are the same file: name it once"
            )
    folders = {os.path.realpath(path): path for path in paths if path.is_dir()}
    for path in paths if folders else ():
        for place in Path(os.path.realpath(path)).parents:
            if (folder := folders.get(str(place))) is not None:
                raise IaaError(
                    f"{printable(path)} lies in {printable(folder)}, which is read as a whole: "
                    "name one of them"
                )


_KEPT: ContextVar[dict[Path, Piped] | None] = ContextVar("kept", default=None)


@contextmanager
def pipes_kept() -> Iterator[None]:
    """Keep the content of pipes, so that the same files can be read several times."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def _once(path: Path, allowed: Allowance) -> Path | Piped:
    """Return a file, or the content of a pipe, which is read only once within `pipes_kept`."""
    if (path.is_file() or path.is_dir()) and str(path) != STANDARD_INPUT:
        return path
    kept = _KEPT.get()
    if kept is None:
        return _read_pipe(path, allowed)
    if path not in kept:
        kept[path] = _read_pipe(path, allowed)
    return kept[path]


def _read_pipe(path: Path, allowed: Allowance) -> Piped:
    name = file_name(path)
    try:
        if str(path) != STANDARD_INPUT:
            with path.open("rb") as file:
                return Piped(name, Limited(file, printable(name), allowed).read())
        if sys.stdin is None or sys.stdin.closed:
            raise IaaError(f"{name} is closed: name a file, or send the ratings through a pipe")
        return Piped(name, Limited(sys.stdin.buffer, name, allowed).read())
    except OSError as error:
        raise IaaError(f"{printable(name)} cannot be read: {error.strerror or error}") from None


def _files_of(folder: Path) -> list[Path]:
    """Return all files in a folder and below, in natural order.

    Links to folders are not followed.
    """

    def refuse(error: OSError) -> None:
        raise IaaError(f"{printable(error.filename)} cannot be read: {error.strerror or error}")

    files = [
        Path(root, name) for root, _, names in os.walk(folder, onerror=refuse) for name in names
    ]
    return sorted(files, key=lambda file: natural(str(file.relative_to(folder))))


def _is_project(name: str) -> bool:
    return unpacked_name(name).lower().endswith(_PROJECT) and not name.startswith(".")


def _is_sheet(file: Source) -> bool:
    """Tell whether a file is a spreadsheet, rather than the lock file of an open spreadsheet."""
    return file.suffix in SHEETS and not file.name.startswith("~$")


def _is_data(file: Source) -> bool:
    return not DATA.isdisjoint(file.endings)
