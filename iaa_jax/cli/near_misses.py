"""Suggestions for words that are no command, and for options that a command lacks.

The words may be names of files, coefficients, other terms, or misspelt commands.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import typer

from iaa_jax._errors import near, shown
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.cli.exits import WRONG_USAGE, complain
from iaa_jax.wording.formats import name as printable

_MOST = 3
"""Maximum number of coefficients to name for a word that is part of many names."""

_SEVERAL = "--questions"
"""Option of the command that takes several questions at once."""

_TO_LIST = "iaa coefficients"


def refuse(args: Sequence[str], commands: Sequence[str], words: Mapping[str, str]) -> NoReturn:
    """End the program with suggestions of commands, one per line, ready to paste."""
    suggestions = list(dict.fromkeys(meant(args, commands, words)))
    problem = "is not a command"
    if _is_file(args[0]):
        problem = f"{'is' if os.path.exists(args[0]) else 'looks like'} a file, not a command"
    hint = "did you mean:" if suggestions else "'iaa --help' lists the commands"
    complain(f"{args[0]!r} {problem}; {hint}")
    for command in suggestions:
        print(f"    {printable(command)}", file=sys.stderr)
    raise typer.Exit(WRONG_USAGE)


def having(option: str, commands: Mapping[str, Any]) -> str:
    """Return a clause that names commands with an option; "" if there is none."""
    names = [
        f"iaa {name}"
        for name, command in commands.items()
        if any(option in param.opts for param in command.params)
    ]
    return f"; {shown(names, _MOST)} {'has' if len(names) == 1 else 'have'} it" if names else ""


def one_at_a_time(option: str, command: Any) -> str:
    """Return a clause on asking one question at a time, if the option is ``--questions``.

    The result is "" for other options, and for commands without the option ``--label``.
    """
    if option != _SEVERAL or not any("--label" in param.opts for param in command.params):
        return ""
    return (
        "; this command takes one question at a time: run it for each, with --label COLUMN in "
        f"place of {_SEVERAL}"
    )


def repeatable(option: str, problem: str) -> str:
    """Return a clause on repeating an option, if the problem is that its value is not valid.

    Examples
    --------
    >>> repeatable("--above", "Input should be a valid number")
    '; give --above once for each value: --above A --above B'
    """
    several = f"; give {option} once for each value: {option} A {option} B"
    return several if "valid" in problem else ""


def meant(args: Sequence[str], commands: Sequence[str], words: Mapping[str, str]) -> Iterator[str]:
    """Yield the command lines that these arguments may mean, the likeliest first.

    Examples
    --------
    >>> list(meant(["votes.csv"], ["agree"], {}))
    ['iaa agree votes.csv']
    >>> list(meant(["confusion", "my votes.csv"], ["labels"], {"confusion": "labels"}))
    ["iaa labels 'my votes.csv'"]
    """
    word, *rest = args
    if _is_file(word):
        command_after = [each for each in rest[:1] if each in commands]
        yield shlex.join(["iaa", *(command_after or ["agree"]), word, *rest[len(command_after) :]])
        return
    term = word.casefold().replace("-", "_")
    parts = [each for each in NAMES if term in each.split("_") or each.startswith(term)]
    if term in words:
        yield _line(words[term], rest)
    elif term in NAMES:
        yield _measured(term, rest)
    elif close := near(word, commands):
        yield from (_line(each, rest) for each in close)
    elif lines := list(dict.fromkeys(_measured(each, rest) for each in parts)):
        yield from lines[:_MOST]
        yield from [_TO_LIST] if len(lines) > _MOST else []
    else:
        for each in near(term, [*words, *NAMES]):
            yield from meant([each, *rest], commands, words)


def _is_file(word: str) -> bool:
    return word == "-" or os.path.exists(word) or bool(os.path.splitext(word)[1]) or os.sep in word


def _measured(name: str, rest: Sequence[str]) -> str:
    if CATALOG[NAMES[name]].measure.compares:
        return _line("spans", rest)
    return f"{_line('agree', rest)} --coefficient {name}"


def _line(command: str, rest: Sequence[str]) -> str:
    first, *options = command.split()
    file = () if first.startswith("-") or command == "coefficients" else ("FILE",)
    return shlex.join(["iaa", first, *(rest or file), *options])
