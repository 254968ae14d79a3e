"""Options in messages: `labels=` for who calls a function, `--labels` for who types a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Spelling = Callable[[str, str | None], str]
"""From an option's name, and its value where one is advised, to how the reader writes it."""

# noncharacters of Unicode, which no text may hold for interchange: they set an option apart
_OPEN, _VALUE, _CLOSE = "\ufdd0", "\ufdd1", "\ufdd2"
_MARKED = re.compile(f"{_OPEN}([^{_VALUE}]*){_VALUE}([^{_CLOSE}]*){_CLOSE}")


def keyword(name: str, value: object = None) -> str:
    """An option in the message of an error, which each reader sees as he or she writes it.

    Examples
    --------
    >>> respelled(f"give {keyword('labels')} in order", in_python)
    'give labels= in order'
    >>> respelled(f"give {keyword('paired', False)}", in_python)
    'give paired=False'
    """
    return f"{_OPEN}{name}{_VALUE}{'' if value is None else repr(value)}{_CLOSE}"


def respelled(message: str, spelling: Spelling) -> str:
    """A message with its options as a reader writes them."""
    return _MARKED.sub(lambda found: spelling(found[1], found[2] or None), message)


def keywords_in(message: str) -> Iterator[str]:
    """The names of the options that a message speaks of."""
    return (found[1] for found in _MARKED.finditer(message))


def in_python(name: str, value: str | None = None) -> str:
    """An option of a call: its keyword.

    Examples
    --------
    >>> in_python("labels"), in_python("paired", "False")
    ('labels=', 'paired=False')
    """
    return f"{name}={value or ''}"
