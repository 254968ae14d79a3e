"""Suggestions for a first word that is not a command: a file, a coefficient, a technical term."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

import typer

from iaa_jax._errors import near
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.cli.exits import WRONG_USAGE, complain
from iaa_jax.wording.formats import name as printable

_MOST = 3
"""Maximum number of coefficients to name for a word that is part of many names."""

_TO_LIST = "iaa coefficients"


def refuse(args: Sequence[str], commands: Sequence[str], words: Mapping[str, str]) -> NoReturn:
    """End with the commands that may be meant, one per line, ready to paste.

    ``words`` map technical terms to a command, perhaps with an option.
    """
    ways = list(dict.fromkeys(meant(args, commands, words)))
    what = "is no command"
    if _is_file(args[0]):
        what = f"{'is' if os.path.exists(args[0]) else 'looks like'} a file, not a command"
    hint = "did you mean:" if ways else "'iaa --help' lists them"
    complain(f"{args[0]!r} {what}; {hint}")
    for way in ways:
        print(f"    {printable(way)}", file=sys.stderr)
    raise typer.Exit(WRONG_USAGE)


def meant(args: Sequence[str], commands: Sequence[str], words: Mapping[str, str]) -> Iterator[str]:
    """Return the command lines that these arguments may mean, the likeliest first.

    Examples
    --------
    >>> list(meant(["votes.csv"], ["agree"], {}))
    ['iaa agree votes.csv']
    >>> list(meant(["confusion", "my votes.csv"], ["labels"], {"confusion": "labels"}))
    ["iaa labels 'my votes.csv'"]
    """
    word, *rest = args
    if _is_file(word):
        behind = [each for each in rest[:1] if each in commands]
        yield shlex.join(["iaa", *(behind or ["agree"]), word, *rest[len(behind) :]])
        return
    asked = word.casefold().replace("-", "_")
    parts = [each for each in NAMES if asked in each.split("_") or each.startswith(asked)]
    if asked in words:
        yield _line(words[asked], rest)
    elif asked in NAMES:
        yield _measured(asked, rest)
    elif close := near(word, commands):
        yield from (_line(each, rest) for each in close)
    elif lines := list(dict.fromkeys(_measured(each, rest) for each in parts)):
        yield from lines[:_MOST]
        yield from [_TO_LIST] if len(lines) > _MOST else []
    else:
        for each in near(asked, [*words, *NAMES]):
            yield from meant([each, *rest], commands, words)


def _is_file(word: str) -> bool:
    """Tell whether this is a file, or has a file's name."""
    return word == "-" or os.path.exists(word) or bool(os.path.splitext(word)[1]) or os.sep in word


def _measured(name: str, rest: Sequence[str]) -> str:
    """Return the command that measures a coefficient."""
    if CATALOG[NAMES[name]].measure.compares:
        return _line("spans", rest)
    return f"{_line('agree', rest)} --coefficient {name}"


def _line(command: str, rest: Sequence[str]) -> str:
    """Return a command with the other arguments, or a placeholder for the file."""
    first, *options = command.split()
    file = () if first.startswith("-") or command == "coefficients" else ("FILE",)
    return shlex.join(["iaa", first, *(rest or file), *options])
