"""Write to standard output; a terminal gets no control characters except the program's own."""

from __future__ import annotations

import sys

from iaa_jax._errors import IaaError
from iaa_jax.wording.formats import name as printable

_ENDS = "\n\t"


def print_file(content: bytes) -> None:
    """Print the content of a file, made safe if it goes to a terminal, and otherwise unchanged.

    Raises
    ------
    IaaError
        If it would go to a terminal and is not text.
    """
    check_open()
    if sys.stdout.isatty():
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            raise IaaError(
                "this is not text, so a terminal cannot show it: name a file to write to"
            ) from None
        sys.stdout.write(for_terminal(text))
        sys.stdout.flush()
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def check_open() -> None:
    """Refuse to write to standard output if it is closed."""
    if sys.stdout is None:
        raise IaaError("standard output is closed: name a file to write to")


def for_terminal(text: str) -> str:
    r"""Escape all invisible characters of a text, except line breaks and tabs.

    Examples
    --------
    >>> print(for_terminal("a\x1b[31m\nb"))
    a\x1b[31m
    b
    """
    if text.isprintable():
        return text
    return "".join(part if part in _ENDS else printable(part) for part in text)
