"""Patterns of the names of files, which may tell who annotated."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from pathlib import Path

from iaa_jax._errors import OptionError
from iaa_jax.io.table.content import Piped
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.unpacking import unpacked_name

ANNOTATOR = "{annotator}"
_LONGEST_NAME = 255
"""Letters of the name of a file; members of archives may have more, on which patterns take long."""


class Naming:
    """A pattern of file names, as in "group-*-{annotator}.json"; None takes every file.

    A packed file has two names, of which that without the ending of its packing goes first. A
    pattern with a slash is one of ways: each of its parts is a folder's or the file's.

    Examples
    --------
    >>> naming = Naming("round?-{annotator}.csv")
    >>> naming.fits("round1-ann.csv"), naming.annotator("round1-ann.csv.gz")
    (True, 'ann')
    >>> Naming("{annotator}/*.csv").annotator("ann/q1.csv")
    'ann'
    """

    def __init__(self, pattern: str | None) -> None:
        self.pattern = pattern
        if pattern is None:
            return
        if pattern.count(ANNOTATOR) > 1:
            raise OptionError(f"the file pattern {pattern!r} names {ANNOTATOR} more than once")
        self._fits = [
            re.compile("(.+?)".join(map(_inner, part.split(ANNOTATOR))), re.DOTALL)
            for part in pattern.split("/")
        ]

    @property
    def parts(self) -> int:
        """Of how many folders and files a way has to consist."""
        return 1 if self.pattern is None else len(self._fits)

    def fits(self, name: str) -> bool:
        """Tell whether a file name, without its folders, or a way follows the pattern."""
        return self.pattern is None or self._match(name) is not None

    def _match(self, name: str) -> list[re.Match[str]] | None:
        for called in (unpacked_name(name), name):
            parts = called.split("/") if self.parts > 1 else [called]
            if len(parts) == self.parts and max(map(len, parts)) <= _LONGEST_NAME:
                matches = [
                    fits.fullmatch(part) for fits, part in zip(self._fits, parts, strict=True)
                ]
                if all(matches):
                    return [match for match in matches if match]
        return None

    def annotator(self, name: str) -> str | None:
        """Give the annotator whom a file name, or a way, tells."""
        match = self._match(name) if self.pattern is not None else None
        return next((part[1].strip() for part in match or () if part.re.groups), None)

    def way(self, path: Path | Piped) -> str:
        """The last parts of the way to a file that was named, as many as the pattern has."""
        if self.parts == 1 or isinstance(path, Piped):
            return path.name
        whole = path if len(path.parts) >= self.parts else path.resolve()
        return "/".join(whole.parts[-self.parts :])

    def named(self, files: Sequence[Source]) -> list[Source]:
        """Those of a folder's or archive's files that follow the pattern, with their annotators.

        Ways begin below what was named, or with its name if none fits otherwise.
        """
        ways: list[list[tuple[str, ...]]]
        if self.parts == 1:
            ways = [[(file.called, file.path.name) for file in files]]
        else:
            ways = [[(file.below,) for file in files]]
            ways.append([(f"{file.inside[0]}/{file.below}",) for file in files])
        for names in ways:
            found = [
                (file, next(filter(self.fits, each), None))
                for file, each in zip(files, names, strict=True)
            ]
            fitting = [(file, name) for file, name in found if name is not None]
            for file, name in fitting:
                file.annotator = self.annotator(name)
            if fitting:
                return [file for file, _ in fitting]
        return []


def _inner(part: str) -> str:
    """Bring a piece of a pattern with * and ? to a regular expression."""
    return re.sub(r"^\(\?s:(.*)\)\\[zZ]$", r"\1", fnmatch.translate(part), flags=re.DOTALL)
