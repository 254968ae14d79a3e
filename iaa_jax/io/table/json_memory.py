"""Estimates the memory that parsed JSON needs: far more than its text."""

from __future__ import annotations

import re

from iaa_jax._errors import IaaError
from iaa_jax.io.table.content import MEGABYTE
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

LARGE = 1 << 24
"""Maximum size in bytes of unchecked JSON; once parsed, it may need dozens of times its size."""

_DEFAULT = 1000  # number of megabytes that are allowed by default


def json_memory_needed(data: bytes) -> int:
    """Return an upper bound, in bytes, of the memory of parsed JSON, from counts of characters.

    Examples
    --------
    >>> json_memory_needed(b"{}," * 1000) > 64_000, json_memory_needed(b'"a long text"') < 500
    (True, True)
    """
    objects, lists, commas, colons, quotes = (
        data.count(sign) for sign in (b"{", b"[", b",", b":", b'"')
    )
    # in bytes, for Python 3.11 to 3.14: an empty object, an object of five fields, a further field;
    # a list with its first elements; an element that is a number; a text
    return (
        64 * objects
        + 120 * min(objects, colons)
        + 40 * max(colons - 5 * objects, 0)
        + 88 * lists
        + 40 * commas
        + 56 * max(quotes // 2 - colons, 0)
        + (width(data) + 1) * len(data)
    )


def width(data: bytes) -> int:
    """Return the bytes per character of a Python text, which depend on its widest character."""
    if data.isascii():
        return 1
    return 4 if re.search(rb"[\xf0-\xf7]", data) else 2


def check_json_memory(source: Source, data: bytes) -> bytes:
    """Refuse JSON that may take more than twice the memory allowed for text."""
    if len(data) > LARGE:
        check_memory(
            source,
            len(data),
            json_memory_needed(data),
            "JSON",
            "write one record per line (.jsonl), ",
        )
    return data


def check_memory(source: Source, size: int, memory: int, kind: str, instead: str = "") -> None:
    """Refuse text that may take more than twice the memory allowed for text."""
    allowed = _DEFAULT if source.allowed is None else source.allowed.megabytes
    if memory > 2 * allowed * MEGABYTE:
        needed = -(-memory // (2 * MEGABYTE))
        raise IaaError(
            f"{source}: {size // MEGABYTE:,} MB of {kind} in so many parts may take "
            f"{memory // MEGABYTE:,} MB of memory; {instead}leave out what is not needed, or, if "
            "there is that much memory, allow it, as in "
            f"{keyword('max_megabytes', -(-needed // 1000) * 1000)}"
        )
