"""Checks that writing a file destroys no data, and that the file will not be read as ratings later.

Files are compared by identity, not by name, since several names may lead to one file.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import NoReturn

from iaa_jax._errors import OptionError
from iaa_jax._files import PROJECT
from iaa_jax._types import PathLike
from iaa_jax.io.file_names import Naming
from iaa_jax.io.files import STANDARD_INPUT, STARS
from iaa_jax.wording.formats import name as printable

NO_RATINGS = (".html", ".md", ".tex", ".png", ".svg", ".pdf", ".nc")
"""Endings of files that are never read as ratings: pages, pictures, and replicates."""


class FilesRead:
    """The files that are read: the named files, and all files in the named folders.

    Parameters
    ----------
    sources : sequence of str
        Files, folders, and patterns of files.
    others : sequence of str
        Further files, such as a table to join.
    file_pattern : str, optional
        Pattern of names: in folders, files with such a name are read, whatever their ending.
    """

    def __init__(
        self,
        sources: Sequence[str],
        others: Sequence[str] = (),
        file_pattern: str | None = None,
    ) -> None:
        self._named: dict[Hashable, str] = {}  # identity of each file: what it is used for
        self._listed: dict[
            Hashable, list[tuple[str, str]]
        ] = {}  # identity of each file in a named folder: its names, with that folder
        self._folders: dict[Hashable, str] = {}
        self._patterns: list[str] = []
        self._data_folders: list[str] = []
        # the last part of a pattern of paths is a pattern of names
        self._naming = Naming(file_pattern and file_pattern.rpartition("/")[2])
        for source in sources:
            self._take(source, "holds the ratings")
        for other in others:
            self._take(other, "is read, too")

    def _take(self, source: str, what: str) -> None:
        if source == STANDARD_INPUT:
            with suppress(OSError, ValueError, AttributeError):  # standard input may be closed
                status = os.fstat(sys.stdin.fileno())
                if stat.S_ISREG(status.st_mode):  # "- < ratings.csv"
                    self._named[status.st_dev, status.st_ino] = what
            return
        within = source if os.path.isdir(source) else os.path.dirname(source)
        self._data_folders.append(within)
        project = os.path.join(within, PROJECT)
        self._named.setdefault(identity(project), "is the project file")
        if os.path.isdir(source):
            self._folders[identity(source)] = source
            for root, _, names in os.walk(source):
                for name in names:
                    itself = identity(os.path.join(root, name))
                    self._listed.setdefault(itself, []).append((name, source))
        elif not os.path.lexists(source) and any(star in source for star in STARS):
            self._patterns.append(source)
            for file in glob.iglob(source, recursive=True):
                self._named[identity(file)] = what
        elif not os.path.exists(source) or os.path.isfile(source):  # neither a device nor a pipe
            self._named[identity(source)] = what

    def check(self, target: str, *, is_folder: bool = False, is_named: bool = True) -> None:
        """Refuse to overwrite a file that is read, or to write a file that would be read next time.

        A project file, and a link that leads out of a folder of data, are refused, too.

        Parameters
        ----------
        target : str
            Path to write to.
        is_folder : bool
            Whether the target is a folder of tables.
        is_named : bool
            Whether the user named this file, rather than a folder for it.

        Raises
        ------
        OptionError
            If the target is refused.
        """
        itself = identity(target)
        if itself in self._named:
            self._refuse(target, f"{self._named[itself]}: name another file to write to")
        if PROJECT in (PurePath(name).name.lower() for name in (target, os.path.realpath(target))):
            self._refuse(target, "is the name of a project file: name another file to write to")
        if os.path.islink(target) or (is_named and os.path.isfile(target)):
            self._check_link(target)
        pages = map(self._is_page, (target, os.path.realpath(target)))  # the target may be a link
        is_page = all(pages) and not is_folder
        for name, folder in self._listed.get(itself, []):
            if not (is_page and self._is_page(name)):
                self._refuse_below(target, folder)
        for pattern in self._patterns:  # the user's patterns include files of any ending
            if _takes_tables(target, pattern) if is_folder else _fits(target, pattern):
                what = f"would be read as one of {printable(pattern)} the next time"
                self._refuse(target, f"{what}: name another file to write to")
        for folder_above in () if is_page else _folders_of(target, is_folder=is_folder):
            if (itself := identity(folder_above)) in self._folders:
                self._refuse_below(target, self._folders[itself])

    def _check_link(self, target: str) -> None:
        """Refuse to write through a link in a data folder, if it leads out of the folder.

        The link may be the target itself, or a folder that holds it. Somebody else may have made
        the link.
        """
        resolved = os.path.realpath(target)
        for folder in self._data_folders:
            is_inside = Path(os.path.abspath(target)).is_relative_to(os.path.abspath(folder))
            if is_inside and not Path(resolved).is_relative_to(os.path.realpath(folder)):
                kind = "is a link that" if os.path.islink(target) else "is behind a link that"
                what = f"{kind} leads out of {printable(folder or os.curdir)}, where the data lie"
                self._refuse(target, f"{what}: to write there, name {printable(resolved)} itself")

    def check_open(self, name: str, number: int) -> None:
        """Refuse to write to standard output, or another open file, if that file is read."""
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            return
        itself = status.st_dev, status.st_ino
        if itself in self._named:
            self._refuse(name, f"{self._named[itself]}: name another file to write to")
        for listed, folder in self._listed.get(itself, []):
            if not self._is_page(listed):
                self._refuse(name, f"goes to {printable(listed)} in {printable(folder)}, {_READ}")

    def _is_page(self, name: str) -> bool:
        """Tell whether a file of this name is never read as ratings."""
        name = PurePath(name).name
        chosen = self._naming.pattern is not None and self._naming.fits(name)
        return name.lower().endswith(NO_RATINGS) and not chosen

    def _refuse_below(self, target: str, folder: str) -> NoReturn:
        self._refuse(target, f"lies in {printable(folder)}, {_READ}")

    @staticmethod
    def _refuse(target: str, what: str) -> NoReturn:
        raise OptionError(f"{printable(target)} {what}")


_READ = "all of which is read, so it would be read as ratings next time: name a file outside"


def identity(path: PathLike) -> Hashable:
    """Return the identity that all names of a file share; for a missing file, its resolved path."""
    resolved = os.path.realpath(path)
    for name in (path, resolved):  # "file/" does not exist, but its resolved path does
        with suppress(OSError, ValueError):
            status = os.stat(name)
            return status.st_dev, status.st_ino
    return resolved


def _folders_of(target: str, *, is_folder: bool) -> Iterator[Path]:
    """Yield the folders that hold a target, as named and with links resolved.

    If the target is a folder itself, it is yielded, too.
    """
    for path in (Path(os.path.abspath(target)), Path(os.path.realpath(target))):
        if is_folder:
            yield path
        yield from path.parents


def _takes_tables(folder: str, pattern: str) -> bool:
    """Tell whether a pattern would match the tables written to a folder."""
    above, last = os.path.split(pattern)
    any_file = pattern if last == "**" else os.path.join(above, "*")
    may_match = last.lower().endswith((".csv", *"*?]"))
    return may_match and _fits(os.path.join(folder, "x.csv"), any_file)


def _fits(target: str, pattern: str) -> bool:
    """Tell whether a pattern matches a file; ** matches any number of folders."""
    parts = Path(os.path.abspath(pattern)).parts
    first = next(k for k, part in enumerate(parts) if any(star in part for star in STARS))
    spelt = {str(Path(*parts)), str(Path(os.path.realpath(Path(*parts[:first])), *parts[first:]))}
    return any(
        fnmatch(path, name.replace("**/", "*")) if "**" in name else PurePath(path).match(name)
        for path in (os.path.abspath(target), os.path.realpath(target))
        for name in spelt
    )
