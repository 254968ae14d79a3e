"""Write the commands that messages advise: quoted for a shell, or as calls of functions."""

from __future__ import annotations

import csv
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

_PLAIN = re.compile(r"[\w.,+:@%/=-]+")
_BETWEEN_QUOTES = re.compile(r"[^\"$`\\!]*")
"""Text that shells leave unchanged within double quotes (except %NAME% in the cmd of Windows)."""


def as_argument(text: str) -> str:
    r"""Quote an argument for a POSIX shell, in one line of visible characters.

    Examples
    --------
    >>> print(as_argument("votes.csv"), as_argument("my votes.csv"), as_argument("$5.csv"))
    votes.csv "my votes.csv" '$5.csv'
    >>> print(as_argument("two\nlines"))
    "$(printf 'two\012lines')"
    """
    if not text.isprintable():
        return f"\"$(printf '{''.join(map(_octal, os.fsencode(text)))}')\""
    if _PLAIN.fullmatch(text):
        return text
    return f'"{text}"' if text and _BETWEEN_QUOTES.fullmatch(text) else shlex.quote(text)


def _octal(byte: int) -> str:
    if byte == ord("%"):
        return "%%"
    plain = chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in " ._,/")
    return chr(byte) if plain else f"\\{byte:03o}"


def in_shell(words: Iterable[str]) -> str:
    """Return the words of a command as one line for a shell, quoted where necessary."""
    return " ".join(map(as_argument, words))


def whole_command(
    name: str,
    files: Iterable[str],
    options: Sequence[str],
    repeated: Mapping[str, Sequence[str]],
) -> str:
    """Return a complete command: the files, the ``repeated`` options, and the ``options``.

    ``repeated`` holds the options that the reader has already given, each with its values ("" for a
    flag). An option that is also in ``options`` is not repeated.

    Examples
    --------
    >>> whole_command("items", ["a.csv"], ["--votes"], {"no_header": [""], "label": ["a b"]})
    'iaa items a.csv --no-header --label "a b" --votes'
    """
    words = ["iaa", *name.split(), *files]
    for option, values in repeated.items():
        flag = f"--{option.replace('_', '-')}"
        if flag not in options:
            words += [part for value in values for part in (flag, value) if part]
    return in_shell([*words, *options])


_FUNCTIONS = {
    "annotators --repeats": "annotators.repeats",
    "judge --corrected": "judged_scores",
    "judge --gold": "judge.against_gold",
    "judge --jury": "judge.jury",
    "labels --suggest-merges": "labels.merges",
    "spans": "span_f1",
    "spans --show": "span_f1.passages",
}
"""Functions whose names differ from their commands, by command (or command with an option)."""

_OF_NO_RATINGS = ("coefficients",)
"""Commands whose functions take no ratings."""

_ARGUMENTS = {
    "--adjudicated": "adjudicated=...",
    "--by": "by={0!r}",
    "--cluster": "sampling=iaa.Sampling(cluster={0!r})",
    "--coefficients": "coefficients={0!r}",
    "--gold": "{0!r}",
    "--judges": "{1!r}",
    "--brief": "brief=True",
    "--show": "{0}",
    "--votes": "votes=True",
}
"""Templates of the arguments that stand for options in a function call.

``{0}`` is the value of the option, and ``{1}`` the list of its parts between commas.
"""


def in_python(command: str, options: Sequence[str]) -> str:
    """Return the function call equivalent to a command; options without an equivalent are omitted.

    Examples
    --------
    >>> in_python("label-sets", [])
    'iaa.label_sets(ratings)'
    >>> in_python("items", ["--votes", "--output", "sheet.csv"])
    "iaa.page(iaa.items(ratings, votes=True)).save('sheet.csv')"
    """
    values = dict(_pairs(options))
    named = (_FUNCTIONS.get(f"{command} {option}") for option in values)
    usual = _FUNCTIONS.get(command, command.replace("-", "_"))
    data = ", ".join(map(repr, options)) if command in _OF_NO_RATINGS else "ratings"
    if annotators := values.get("--keep-annotators"):
        data = f"iaa.data.keep_annotators(ratings, {next(csv.reader([annotators]))})"
    arguments = [
        _ARGUMENTS[option].format(value, value.split(","))
        for option, value in values.items()
        if option in _ARGUMENTS
    ]
    call = f"iaa.{next(filter(None, named), usual)}({', '.join([data, *arguments])})"
    if target := values.get("--output"):
        return f"iaa.page({call}).save({target!r})"
    if target := values.get("--sheet"):
        return f"iaa.page({call}).save({target!r}, table='sheet')"
    return call


def _pairs(options: Sequence[str]) -> Iterator[tuple[str, str]]:
    for index, word in enumerate(options):
        if word.startswith("--"):
            value = options[index + 1] if index + 1 < len(options) else ""
            yield word, "" if value.startswith("--") else value
