"""Spell options in messages: `labels=` for callers of functions, `--labels` on the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator

from iaa_jax.wording import commands
from iaa_jax.wording.formats import name as printable

Spelling = Callable[[str, str | None], str]
"""Function that writes an option as the reader types it, from its name and the advised value.

The value is None if the reader has to choose one, and "" if only the name is mentioned.
"""

# Options and remedies are marked by Unicode noncharacters, which ordinary text does not contain.
_OPEN, _VALUE, _CLOSE, _NAMED, _WAY = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3", "\ufdd4"
COMMAND = "iaa"
"""Name that marks a command instead of an option; its value holds the words of the command."""

_MARKED = re.compile(f"{_OPEN}([^{_VALUE}]*){_VALUE}([^{_CLOSE}]*){_CLOSE}")


def keyword(name: str, value: object = None) -> str:
    """Mark an option in an error message, to be spelt as a keyword or as a command-line option.

    Examples
    --------
    >>> respelled(f"give {keyword('labels')} in order", in_python)
    'give labels= in order'
    >>> respelled(f"give {keyword('paired', False)}", in_python)
    'give paired=False'
    """
    return f"{_OPEN}{name}{_VALUE}{'' if value is None else repr(value)}{_CLOSE}"


def as_list(names: Iterable[object]) -> str:
    """Write names as the value of an option: with commas between, and quoted if need be.

    Examples
    --------
    >>> as_list(["ann", "Doe, Jane", 1])
    'ann,"Doe, Jane",1'
    """
    quoted = re.compile('.*[,\\n\\r]|"', re.DOTALL)
    texts = [str(name) for name in names]
    return ",".join(
        '"' + text.replace('"', '""') + '"' if quoted.match(text) else text for text in texts
    )


def named(name: str) -> str:
    """Mark an option that a message mentions without advising a value.

    Examples
    --------
    >>> respelled(f"{named('level')} must be nominal or ordinal", in_python)
    'level must be nominal or ordinal'
    """
    return f"{_OPEN}{name}{_VALUE}{_NAMED}{_CLOSE}"


def command(*words: str) -> str:
    """Mark a command that an error message advises; in Python it becomes a function call.

    Examples
    --------
    >>> respelled(f"use {command('label-sets')}", in_python)
    'use iaa.label_sets(ratings)'
    """
    return f"{_OPEN}{COMMAND}{_VALUE}{shlex.join(words)}{_CLOSE}"


def commands_in(message: str) -> Iterator[list[str]]:
    """Return the commands that a message advises, each as a list of words."""
    return (shlex.split(match[2]) for match in _MARKED.finditer(message) if match[1] == COMMAND)


def with_ways(message: str, ways: Iterable[str]) -> str:
    """Return a message with several remedies, which the command line prints on separate lines.

    Examples
    --------
    >>> respelled(with_ways("two files", ["name one", f"give {keyword('format')}"]), in_python)
    'two files; name one; give format='
    """
    return _WAY.join([message, *ways])


def first_clause(message: str) -> str:
    """Return the part of a message that states the problem, without remedies.

    Examples
    --------
    >>> first_clause(with_ways("a.csv line 3 has 2 cells; check quotes", ["name another"]))
    'a.csv line 3 has 2 cells'
    """
    return message.partition(_WAY)[0].partition("; ")[0]


def respelled(message: str, spelling: Spelling, between: str = "; ") -> str:
    r"""Return a message with its options as the reader types them; escape invisible characters.

    If the message has several remedies, ``between`` is written before each.

    Examples
    --------
    >>> print(respelled("a\x1b[31m.csv is empty", in_python))
    a\x1b[31m.csv is empty
    """
    if _WAY in message:
        return between.join(respelled(part, spelling) for part in message.split(_WAY))
    text, *marks = _MARKED.split(message)
    parts = [printable(text)]
    for name, value, text in zip(marks[::3], marks[1::3], marks[2::3], strict=True):
        parts += [spelling(name, "" if value == _NAMED else value or None), printable(text)]
    return "".join(parts)


def keywords_in(message: str) -> Iterator[str]:
    """Return the names of the options in a message."""
    return (match[1] for match in _MARKED.finditer(message) if match[1] != COMMAND)


def marked(name: str, value: str | None = None) -> str:
    """Mark an option as `keyword` does, but with an advised value that is already text.

    Examples
    --------
    >>> respelled(f"give {marked('merge_labels', repr('case'))}", in_python)
    "give merge_labels='case'"
    """
    return f"{_OPEN}{name}{_VALUE}{_NAMED if value == '' else value or ''}{_CLOSE}"


def in_python(name: str, value: str | None = None) -> str:
    """Write an option as a keyword of a function call, and a command as a function call.

    Examples
    --------
    >>> in_python("labels"), in_python("paired", "False"), in_python("level", "")
    ('labels=', 'paired=False', 'level')
    """
    if name == COMMAND and value:
        name, *options = shlex.split(value)
        return commands.in_python(name, options)
    return name if value == "" else f"{name}={value or ''}"
