"""Matches file names against a pattern, and finds the annotator in them."""

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
"""Maximum length of a file name; matching longer names in archives would take too long."""


class Naming:
    """A pattern of file names, such as "group-*-{annotator}.json"; None matches every file.

    The name of a compressed file matches with or without the ending of its compression. A
    pattern with slashes is matched against a path, part by part.

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
        """The number of parts of the pattern: folders and the file name."""
        return 1 if self.pattern is None else len(self._fits)

    def fits(self, name: str) -> bool:
        """Tell whether a file name without folders, or a path, follows the pattern."""
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
        """Return the annotator in a name or path; None if the pattern has none or does not fit."""
        match = self._match(name) if self.pattern is not None else None
        return next((part[1].strip() for part in match or () if part.re.groups), None)

    def path_end(self, path: Path | Piped) -> str:
        """Return the last parts of a path, as many as the pattern has."""
        if self.parts == 1 or isinstance(path, Piped):
            return path.name
        whole = path if len(path.parts) >= self.parts else path.resolve()
        return "/".join(whole.parts[-self.parts :])

    def named(self, files: Sequence[Source]) -> list[Source]:
        """Return the files of a folder or archive that follow the pattern; set their annotators.

        A pattern with folders is matched against paths below the folder or archive that the caller
        named. If no path fits, it is matched against paths that begin with the name of that folder
        or archive.
        """
        ways: list[list[tuple[str, ...]]]
        if self.parts == 1:
            ways = [[(file.called, file.path.name) for file in files]]
        else:
            ways = [[(file.below,) for file in files]]
            ways.append([(f"{file.inside[0]}/{file.below}",) for file in files])
        for names in ways:
            matches = [
                (file, next(filter(self.fits, each), None))
                for file, each in zip(files, names, strict=True)
            ]
            fitting = [(file, name) for file, name in matches if name is not None]
            for file, name in fitting:
                file.annotator = self.annotator(name)
            if fitting:
                return [file for file, _ in fitting]
        return []


def _inner(part: str) -> str:
    return re.sub(r"^\(\?s:(.*)\)\\[zZ]$", r"\1", fnmatch.translate(part), flags=re.DOTALL)
