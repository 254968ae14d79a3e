"""Advice that a page advises, with the file that it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import xarray as xr

from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.wording import Guide
from iaa_jax.wording.formats import name as printable
from iaa_jax.wording.templates import elsewhere

_PLAIN = re.compile(r"[\w.,+:@%/=-]+")
_SPECIAL = re.compile(r"""([\\"$`])""")

Repeated = Callable[[str], Mapping[str, Sequence[str]]]
"""From the name of a command to options that it has to repeat, with a value each time that they are
given; "" for flags."""


@dataclass(frozen=True)
class Advice:
    """What a page knows of the commands that it advises, so that they work as they stand.

    Attributes
    ----------
    file : str
        What they call the file; by default that of the page's results, with its folder.
    repeated : callable, optional
        Options that a command has to repeat, or it would not read the file in the same way.
    sections : mapping, optional
        Headings of the sections of a report, by name, which stand in the place of commands; whoever
        has a report does not have the documentation.
    people : sequence of str
        The annotators whom a report is about, where it leaves judges out.
    """

    file: str = ""
    repeated: Repeated | None = None
    sections: Mapping[str, str] | None = None
    people: Sequence[str] = ()

    def guide(self, results: Iterable[xr.Dataset]) -> Guide:
        """How readers of a page with these results are sent to commands and documentation."""
        file = as_argument(self.file) if self.file else _file_of(results)
        names = [f'"{name}"' if "," in name else name for name in self.people]
        kept = f"--keep-annotators {as_argument(','.join(names))}" if names else ""

        def guide(what: str, where: str) -> str:
            if what == "docs":
                return elsewhere(what, where) if self.sections is None else ""
            command, _, options = where.partition(" ")
            section = command.replace("-", "_")
            if section in (self.sections or ()) and not options.strip():
                return f"the section '{(self.sections or {})[section]}'"
            given = " ".join(filter(None, [kept, options.strip()]))
            again = [
                f"--{option.replace('_', '-')} {as_argument(value) if value else ''}".strip()
                for option, values in (self.repeated(command) if self.repeated else {}).items()
                if f"--{option.replace('_', '-')} " not in f"{given} "
                for value in values
            ]
            return f"'{' '.join(filter(None, ['iaa', command, file, *again, given]))}'"

        return guide


def _file_of(results: Iterable[xr.Dataset]) -> str:
    """The one file of all results as a shell takes it, or a word for it."""
    listed = (result.attrs.get("files") for result in results)
    files = {tuple(json.loads(text)) for text in listed if text}
    if len(files) != 1 or len(*files) != 1 or files == {(file_name(STANDARD_INPUT),)}:
        return "FILE"
    ((file,),) = files
    return as_argument(file)


def as_argument(text: str) -> str:
    r"""A text as a shell takes it, in a command that stands between single quotes.

    Examples
    --------
    >>> print(as_argument("votes.csv"), as_argument("my votes.csv"), as_argument("$5.csv"))
    votes.csv "my votes.csv" "\$5.csv"
    """
    text = printable(text)
    if _PLAIN.fullmatch(text):
        return text
    return '"' + _SPECIAL.sub(r"\\\1", text) + '"'
