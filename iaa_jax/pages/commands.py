"""Advice on a page: the commands, functions and documentation that its sentences name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import xarray as xr

from iaa_jax._names import MODULES
from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.wording import Guide, as_list
from iaa_jax.wording.commands import in_python, whole_command
from iaa_jax.wording.templates import elsewhere

MOST_FILES = 3
"""Maximum number of files in a whole command; with more files, a page only names the command."""

STEPS = ("next", "step_", "sheet")
"""Prefixes of the codes of notes that advise a next step."""

Repeated = Callable[[str], Mapping[str, Sequence[str]]]
"""A function from a command's name to the options to repeat, with their values ("" for flags)."""


@dataclass(frozen=True)
class Advice:
    """Information from which complete commands on a page are made.

    Attributes
    ----------
    files : sequence of str
        Names of the files in commands; by default the files of the page's results, with their
        folders.
    repeated : callable, optional
        Function from a command's name to the options with which it reads the files as before.
    sections : mapping, optional
        Headings of the sections of a report, by name. They replace commands and documentation,
        which readers of a report do not have.
    people : sequence of str
        The annotators that a report covers, if it leaves out judges (such as models).
    """

    files: Sequence[str] = ()
    repeated: Repeated | None = None
    sections: Mapping[str, str] | None = None
    people: Sequence[str] = ()

    def guide(self, results: Iterable[xr.Dataset], below: list[str], *, python: bool) -> Guide:
        """Return the function that words advice, as function calls for Python or as commands.

        A sentence names only the command. If files are known, the function adds the whole command
        to the list ``below``, for the lines below the sentence, unless the reader has to complete
        it.
        """
        files = () if python else self._files(results)

        def guide(what: str, where: Sequence[str]) -> str:
            if what == "below":
                below.extend(where)
                return ""
            if what == "docs" and self.sections is not None:
                return ""
            if what == "docs" and python:
                return f" (help(iaa.{where[0]}))" if where[0] in MODULES else ""
            if what not in ("iaa", "try"):
                return elsewhere(what, where)
            if section := self._section(where):
                return f"the section '{section}'"
            if python:
                return in_python(where[0], self._about(where[1:]))
            if what == "iaa" and files:
                repeated = self.repeated(where[0]) if self.repeated else {}
                below.append(whole_command(where[0], files, self._about(where[1:]), repeated))
            return elsewhere(what, where)

        return guide

    def _section(self, where: Sequence[str]) -> str | None:
        return (self.sections or {}).get(where[0].replace("-", "_")) if len(where) == 1 else None

    def _about(self, options: Sequence[str]) -> Sequence[str]:
        """Return ``options``, after an option that keeps only the annotators of the report."""
        kept = ["--keep-annotators", as_list(self.people)] if self.people else []
        return [*kept, *options]

    def _files(self, results: Iterable[xr.Dataset]) -> Sequence[str]:
        """Return the files to name in commands.

        There are none if results have different files, too many, or standard input.
        """
        listed = (result.attrs.get("files") for result in results)
        read = {tuple(json.loads(text)) for text in listed if text}
        files = self.files or (next(iter(read)) if len(read) == 1 else ())
        return files if len(files) <= MOST_FILES and file_name(STANDARD_INPUT) not in files else ()


def no_advice(below: list[str]) -> Guide:
    """Return a function that gives no advice, for readers who cannot run commands.

    It only adds lines that stand below a sentence to the list ``below``.
    """

    def guide(what: str, where: Sequence[str]) -> str:
        if what == "below":
            below.extend(where)
        return ""

    return guide
