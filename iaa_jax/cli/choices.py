"""Values of options: lists with commas, and names out of a fixed set."""

from __future__ import annotations

import csv
from collections.abc import Collection
from typing import TypeVar

import typer

from iaa_jax.catalog import DISTANCES, LEVELS, NAMES, WEIGHTS
from iaa_jax.catalog.scales import SCALES
from iaa_jax.io.registry import READERS

INTERVALS = ("auto", "percentile", "basic", "bca", "studentized", "abc", "normal", "t", "f", "none")
UNDEFINED = ("nan", "one", "zero", "raise")
WEIGHTS_ON = ("value", "rank")
TRANSFORMS = ("range",)
DUPLICATES = ("error", "first", "last")
SKIPPED = ("missing",)
FORMATS = tuple(READERS)
"""Those of this package; others may add more."""

__all__ = [
    "DISTANCES",
    "DUPLICATES",
    "FORMATS",
    "INTERVALS",
    "LEVELS",
    "NAMES",
    "SCALES",
    "SKIPPED",
    "TRANSFORMS",
    "UNDEFINED",
    "WEIGHTS",
    "WEIGHTS_ON",
    "format_of",
    "interval_of",
    "listed",
    "one_of",
    "primary_share",
    "several_of",
    "share",
]


def listed(text: str | None, option: str) -> list[str] | None:
    """Split at commas; a part with a comma of its own stands in double quotes.

    Examples
    --------
    >>> listed('a, b,"c,d"', "--labels")
    ['a', 'b', 'c,d']
    """
    if text is None:
        return None
    parts = next(csv.reader([text], skipinitialspace=True), [])
    parts = [part.strip() for part in parts]
    if not parts or "" in parts:
        message = f"{text!r} has an empty part; separate the names with single commas"
        raise typer.BadParameter(message, param_hint=option)
    return parts


Choice = TypeVar("Choice", bound=str | None)


def one_of(value: Choice, valid: Collection[str], option: str) -> Choice:
    """The value, if it is one of the valid ones."""
    if value is None or value in valid:
        return value
    message = f"{value!r} is not one of: {', '.join(valid)}"
    raise typer.BadParameter(message, param_hint=option)


def several_of(text: str | None, valid: Collection[str], option: str) -> list[str] | None:
    """The parts of a list with commas, each once, if all are valid."""
    parts = listed(text, option)
    if parts is None:
        return None
    for part in parts:
        one_of(part, valid, option)
    return list(dict.fromkeys(parts))


def interval_of(value: str) -> str | None:
    """The kind of interval; None for "none"."""
    one_of(value, INTERVALS, "--interval")
    return None if value == "none" else value


def share(value: float, option: str) -> float:
    """A number between 0 and 1, both left out."""
    if not 0 < value < 1:
        message = f"{value} does not lie between 0 and 1"
        raise typer.BadParameter(message, param_hint=option)
    return value


def primary_share(value: float) -> float:
    """The share of the primary label: from 0.5 to 1."""
    if not 0.5 <= value <= 1:
        message = f"p must lie between 0.5 and 1, and {value} does not"
        raise typer.BadParameter(message, param_hint="--p")
    return value


def format_of(value: str | None) -> str | None:
    """The name of a reader, those of other packages included."""
    if value is not None:
        from iaa_jax.io.registry import readers

        one_of(value, [reader.name for reader in readers()], "--format")
    return value
