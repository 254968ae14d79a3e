"""Commands that a page advises, with the file that it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import xarray as xr

from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.wording import Words
from iaa_jax.wording.formats import name as printable

_COMMAND = re.compile(r"('iaa [a-z-]+) FILE\b")
_PLAIN = re.compile(r"[\w.,+:@%/-]+")
_SPECIAL = re.compile(r"""([\\"$`])""")


def with_file(words: Words, results: Iterable[xr.Dataset]) -> Words:
    """Words whose commands name the file of the results, if they are all of one."""
    listed = (result.attrs.get("files") for result in results)
    files = {tuple(json.loads(text)) for text in listed if text}
    if len(files) != 1 or len(*files) != 1:
        return words
    ((file,),) = files
    if file == file_name(STANDARD_INPUT):
        return words
    argument = as_argument(file).replace("{", "{{").replace("}", "}}")  # of a template
    return {
        code: _COMMAND.sub(lambda found: f"{found[1]} {argument}", text)
        for code, text in words.items()
    }


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
