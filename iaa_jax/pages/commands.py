"""What a page advises, on the files that it is about: commands, functions and documentation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import xarray as xr

from iaa_jax._names import MODULES
from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.wording import Guide
from iaa_jax.wording.commands import in_python, in_shell
from iaa_jax.wording.templates import elsewhere

MOST_FILES = 3
"""Files that a command names; of more, as of members of a folder, it is not known how."""

STEPS = ("next", "step_", "sheet")
"""How codes of notes begin that say what to do next."""

Repeated = Callable[[str], Mapping[str, Sequence[str]]]
"""From the name of a command to options that it has to repeat, with a value each time that they are
given; "" for flags."""


@dataclass(frozen=True)
class Advice:
    """What a page knows of the commands that it advises, so that they work as they stand.

    Attributes
    ----------
    files : sequence of str
        What they call the files; by default those of the page's results, with their folders.
    repeated : callable, optional
        Options that a command has to repeat, or it would not read the files in the same way.
    sections : mapping, optional
        Headings of the sections of a report, by name, which stand in the place of commands; whoever
        has a report does not have the documentation.
    people : sequence of str
        The annotators whom a report is about, where it leaves judges out.
    """

    files: Sequence[str] = ()
    repeated: Repeated | None = None
    sections: Mapping[str, str] | None = None
    people: Sequence[str] = ()

    def in_shell(self, results: Iterable[xr.Dataset], below: list[str]) -> Guide:
        """Readers who type commands: a sentence names them, and they are whole ``below``."""
        files = self.files or _files_of(results)
        if len(files) > MOST_FILES or file_name(STANDARD_INPUT) in files:
            files = ()

        def guide(what: str, where: Sequence[str]) -> str:
            if section := self._instead(what, where):
                return section
            if what == "iaa" and files:
                below.append(self._whole(files, *where))
            elif what == "below":
                below.extend(where)
            elif what == "docs" and self.sections is not None:
                return ""
            return elsewhere(what, where)

        return guide

    def in_python(self, what: str, where: Sequence[str]) -> str:
        """The guide of readers who call functions."""
        if what == "docs":
            return f" (help(iaa.{where[0]}))" if where[0] in MODULES else ""
        if what in ("iaa", "try"):
            return self._instead(what, where) or in_python(where[0], where[1:])
        return elsewhere(what, where)

    def _instead(self, what: str, where: Sequence[str]) -> str:
        """The section of a report that has what a command would say."""
        name = where[0].replace("-", "_") if what == "iaa" and len(where) == 1 else ""
        heading = (self.sections or {}).get(name)
        return f"the section '{heading}'" if heading else ""

    def _whole(self, files: Sequence[str], command: str, *options: str) -> str:
        """A command with the files and all options that it needs, each once."""
        words = ["iaa", command, *files]
        if self.people:
            names = (f'"{name}"' if "," in name else name for name in self.people)
            options = ("--keep-annotators", ",".join(names), *options)
        for name, values in (self.repeated(command) if self.repeated else {}).items():
            flag = f"--{name.replace('_', '-')}"
            if flag not in options:
                words += [part for value in values for part in (flag, value) if part]
        return in_shell([*words, *options])


def nowhere(what: str, where: Sequence[str]) -> str:  # noqa: ARG001
    """The guide of readers who run nothing."""
    return ""


def _files_of(results: Iterable[xr.Dataset]) -> Sequence[str]:
    """The files of all results, where these are the same."""
    listed = (result.attrs.get("files") for result in results)
    files = {tuple(json.loads(text)) for text in listed if text}
    return next(iter(files)) if len(files) == 1 else ()
