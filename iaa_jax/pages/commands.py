"""Commands that a page advises, with the file that it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import xarray as xr

from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.wording import Words
from iaa_jax.wording.formats import name as printable

_COMMAND = re.compile(r"'iaa ([a-z-]+) FILE\b([^']*)")
_PLAIN = re.compile(r"[\w.,+:@%/=-]+")
_SPECIAL = re.compile(r"""([\\"$`])""")

Repeated = Callable[[str], Mapping[str, Sequence[str]]]
"""From the name of a command to options that it has to repeat, with a value each time that they are
given; "" for flags."""


def as_run(
    words: Words,
    results: Iterable[xr.Dataset],
    repeated: Repeated | None = None,
    file: str = "",
) -> Words:
    """Words whose commands work as they stand.

    They name the ``file``, or that of the results, if they are all of one, and the options of
    reading it.
    """
    file = as_argument(file) if file else _file_of(results)

    def command(found: re.Match[str]) -> str:
        name, rest = found.groups()
        options = {} if repeated is None else repeated(name)
        given = [
            f" --{option.replace('_', '-')}{value and f' {as_argument(value)}'}"
            for option, values in options.items()
            if not _says(rest, option)
            for value in values
        ]
        said = "".join([file, *given]).replace("{", "{{").replace("}", "}}")  # of a template
        return f"'iaa {name} {said}{rest}"

    return {code: _COMMAND.sub(command, text) for code, text in words.items()}


def _file_of(results: Iterable[xr.Dataset]) -> str:
    """The one file of all results as a shell takes it, or a word for it."""
    listed = (result.attrs.get("files") for result in results)
    files = {tuple(json.loads(text)) for text in listed if text}
    if len(files) != 1 or len(*files) != 1 or files == {(file_name(STANDARD_INPUT),)}:
        return "FILE"
    ((file,),) = files
    return as_argument(file)


def _says(rest: str, option: str) -> bool:
    """Whether the rest of a command has an option, or a place for it."""
    return f"--{option.replace('_', '-')} " in f"{rest} " or f"{{{option}}}" in rest


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
