"""How a command ends: one line on standard error, and an exit code."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import NoReturn

import typer

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.cli.context import as_option
from iaa_jax.cli.reading import Reading

UNUSABLE = 1
WRONG_USAGE = 2
NOT_MET = 3
INTERRUPTED = 130


@contextmanager
def exits(debug: bool) -> Iterator[None]:
    """Turn what goes wrong inside into one line and an exit code; ``debug`` lets errors through."""
    try:
        yield
    except KeyboardInterrupt:
        _end("interrupted", INTERRUPTED)
    except IaaError as error:
        if debug:
            raise
        wrong = isinstance(error, OptionError)
        _end(as_options(error.spelled(as_option)), WRONG_USAGE if wrong else UNUSABLE)
    except BrokenPipeError:
        raise  # whoever read our output has stopped reading: typer ends quietly
    except OSError as error:
        if debug:
            raise
        where = f"{error.filename}: " if error.filename else ""
        _end(f"{where}{error.strerror or error}", UNUSABLE)
    except Exception as error:
        if debug or _of_typer(error):
            raise
        _end(
            f"unexpected {type(error).__name__}: {error} (please report this; "
            "run again with --debug to see the traceback)",
            UNUSABLE,
        )


_KEYWORD = re.compile(r"\b([a-z_]+)=(\"[^\"]*\"|'[^']*'|True\b)?")
_NAMED = re.compile(r"(?<=\(named by )[a-z_, ]+(?=\))|\b[a-z_]+(?= is one of )")
_OPTIONS = frozenset(part.name for part in fields(Reading)) | {
    "coefficients",
    "level",
    "weights",
    "weights_on",
    "distance",
    "p",
    "min_common",
    "interval",
    "confidence",
    "replicates",
    "seed",
    "undefined",
    "scale",
    "sort",
    "top",
    "by",
    "bandwidth",
}


def as_options(message: str) -> str:
    """The message with Python's keywords as options: ``item="id"`` becomes ``--item id``.

    Examples
    --------
    >>> as_options("t.csv has no column 'x' (named by one_hot); give one_hot= or anonymous=True")
    "t.csv has no column 'x' (named by --one-hot); give --one-hot or --anonymous"
    """

    def option(found: re.Match[str]) -> str:
        name, value = found.groups()
        if name not in _OPTIONS:
            return found.group()
        spelt = _option(name)
        if value in (None, "True"):
            return spelt
        bare = value[1:-1]
        return f"{spelt} {bare}" if re.fullmatch(r"[\w.,:-]+", bare) else f"{spelt} '{bare}'"

    def named(found: re.Match[str]) -> str:
        return re.sub(r"[a-z_]+", lambda word: _option(word[0]), found[0])

    return _NAMED.sub(named, _KEYWORD.sub(option, message))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}" if name in _OPTIONS else name


def _of_typer(error: Exception) -> bool:
    return isinstance(error, (typer.Exit, typer.Abort)) or hasattr(error, "exit_code")


def complain(message: str) -> None:
    """Write one line to standard error."""
    line = " ".join(part.strip() for part in message.splitlines())
    print(f"iaa: {line}", file=sys.stderr)


def _end(message: str, code: int) -> NoReturn:
    complain(message)
    raise typer.Exit(code) from None
