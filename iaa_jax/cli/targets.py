"""Check the files of a command: all outputs can be written, and destroy nothing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from iaa_jax._errors import IaaError, OptionError
from iaa_jax._files import is_protected
from iaa_jax.cli.context import file_pattern, files_of_options

STREAM = "-"
"""Name of standard input and of standard output."""


def is_standard(file: str) -> bool:
    """Tell whether a page goes to standard output, as "-.csv" does."""
    return file.startswith(f"{STREAM}.")


def check_files(
    sources: Sequence[str] = (), pages: Sequence[str] = (), others: Sequence[str] = ()
) -> None:
    """Refuse impossible or dangerous outputs before any work is done.

    Parameters
    ----------
    sources : sequence of str
        Files to read.
    pages : sequence of str
        Files for pages, in the format of their endings.
    others : sequence of str
        Other files to write.
    """
    from iaa_jax.pages.saving import check_ending, is_folder

    folders = [page for page in pages if is_folder(page)]
    files = [page for page in pages if page not in folders]
    for page in pages:
        check_ending(page)
    for target in (*folders, *files, *others):
        if target != STREAM and not is_standard(target):
            _check_place(target, folder=target in folders)
    written = [_Target.of(STREAM if is_standard(file) else file, sys.stdout) for file in files]
    written += [_Target.of(file, sys.stdout) for file in (*folders, *others)]
    _check_once([_Target.of(source, sys.stdin) for source in sources], written)
    _check_read(sources, written, folders)
    for folder in folders:
        _check_tables(folder, (*sources, *files_of_options()), (*files, *others))


def _check_place(target: str, *, folder: bool) -> None:
    path = Path(target)
    if not folder and (path.is_dir() or os.path.basename(target) in ("", os.curdir)):
        raise IaaError(f"{target} is a folder; name a file to write to")
    if is_protected(path):
        raise IaaError(f"cannot write {target}: it is write-protected")
    within = path if path.is_dir() else path.parent
    if not within.is_dir():
        raise IaaError(f"cannot write {target}: there is no folder {within}")
    if not os.access(within, os.W_OK):
        raise IaaError(f"cannot write {target}: the folder {within} is not writable")


class _Target(NamedTuple):
    """A file, by its name and by the identity that all links to it share."""

    name: str
    itself: Hashable
    is_regular: bool

    @classmethod
    def of(cls, name: str, stream: TextIO | None) -> _Target:
        try:
            status = (
                os.stat(name) if stream is None or name != STREAM else os.fstat(stream.fileno())
            )
        except OSError:
            from iaa_jax.pages.overwriting import identity

            is_file = name != STREAM
            return cls(name, identity(name) if is_file else name, is_regular=is_file)
        return cls(name, (status.st_dev, status.st_ino), stat.S_ISREG(status.st_mode))


def _check_once(read: Sequence[_Target], written: Sequence[_Target]) -> None:
    """Refuse files that would be written twice, and pipes or devices that would be read twice."""
    sources: dict[Hashable, _Target] = {}
    for file in read:
        if file.itself in sources and not file.is_regular:
            raise OptionError(f"{_named(file, 'input')} can be read only once")
        sources[file.itself] = file
    targets: dict[Hashable, _Target] = {}
    for file in written:
        first_use = targets.setdefault(file.itself, file)
        if first_use is not file and file.name != os.devnull:
            same = f"{_named(first_use)} and {_named(file)} are the same file"
            twice = f"{_named(file)} would be written twice"
            raise OptionError(
                f"{twice if first_use.name == file.name else same}: name a file for each output"
            )


def _check_read(sources: Sequence[str], written: Sequence[_Target], folders: Sequence[str]) -> None:
    """Refuse outputs that this or a later run would read, and sheets with decisions."""
    named = [file for file in written if file.name != STREAM]
    redirected = len(named) < len(written) and _Target.of(STREAM, sys.stdout).is_regular
    if not named and not redirected:
        return
    from iaa_jax.pages.decisions import check_decisions
    from iaa_jax.pages.overwriting import FilesRead

    read = FilesRead(sources, files_of_options(), file_pattern())
    if redirected:
        read.check_open("standard output", sys.stdout.fileno())
    for file in named:
        read.check(file.name, is_folder=file.name in folders)
        if file.is_regular:
            check_decisions(file.name, files_of_options())


def _check_tables(folder: str, sources: Sequence[str], files: Sequence[str]) -> None:
    for file in (*sources, *files):
        path = Path(os.path.realpath(file))
        if path.suffix.lower() == ".csv" and path.parent == Path(os.path.realpath(folder)):
            what = "the ratings" if file in sources else "another output"
            raise OptionError(
                f"{folder} would hold {what} ({file}) alongside tables: name another folder"
            )


def _named(file: _Target, stream: str = "output") -> str:
    return f"standard {stream}" if file.name == STREAM else file.name
