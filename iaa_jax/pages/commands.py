"""What a page advises, on the files that it is about: commands, functions and documentation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import xarray as xr

from iaa_jax._names import MODULES
from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.wording import Guide
from iaa_jax.wording.commands import in_python, whole_command
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

    def guide(self, results: Iterable[xr.Dataset], below: list[str], *, python: bool) -> Guide:
        """How readers are sent on: those of Python to functions, others to commands.

        A sentence names a command, which is whole ``below``, where it is known of which files.
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
        """The heading of the section of a report that has what a command would say."""
        return (self.sections or {}).get(where[0].replace("-", "_")) if len(where) == 1 else None

    def _about(self, options: Sequence[str]) -> Sequence[str]:
        """The options of a command that is about the people of the report."""
        names = [f'"{name}"' if "," in name else name for name in self.people]
        return ["--keep-annotators", ",".join(names), *options] if names else options

    def _files(self, results: Iterable[xr.Dataset]) -> Sequence[str]:
        """The files of all results, where these are the same, and few."""
        listed = (result.attrs.get("files") for result in results)
        read = {tuple(json.loads(text)) for text in listed if text}
        files = self.files or (next(iter(read)) if len(read) == 1 else ())
        return files if len(files) <= MOST_FILES and file_name(STANDARD_INPUT) not in files else ()


def nowhere(what: str, where: Sequence[str]) -> str:  # noqa: ARG001
    """The guide of readers who run nothing."""
    return ""
