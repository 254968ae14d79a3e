"""How a command ends after an error: a line on standard error, remedies, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import typer

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.cli.context import as_option, files_named
from iaa_jax.cli.interrupts import INTERRUPTED
from iaa_jax.cli.repeated import whole
from iaa_jax.wording.formats import name as printable
from iaa_jax.wording.spelling import commands_in

UNUSABLE = 1
WRONG_USAGE = 2
NOT_MET = 3
UNDECIDED = 4
"""Exit code if a requirement is undecided, for instance if the bound lies within the interval."""

NOT_READ = 141
"""Exit code if the reader of the output stops early, as ``| head`` does; SIGPIPE has this code."""


@contextmanager
def exits(debug: bool) -> Iterator[None]:
    """Turn errors into a message and an exit code, unless ``debug`` is set."""
    try:
        yield
    except KeyboardInterrupt:
        _end("interrupted", INTERRUPTED)
    except IaaError as error:
        if debug:
            raise
        wrong = isinstance(error, OptionError)
        # line breaks in the data are already escaped here
        problem, *remedies = error.spelled(as_option, between="\n").split("\n")
        _end(problem, WRONG_USAGE if wrong else UNUSABLE, remedies, commands_in(error.message))
    except BrokenPipeError:
        raise  # not an error: `iaa_jax.cli.app.main` ends with NOT_READ
    except OSError as error:
        if debug:
            raise
        _end(in_words(error), UNUSABLE)
    except Exception as error:
        if debug or _is_from_typer(error):
            raise
        _end(
            f"unexpected {type(error).__name__}: {error} (please report this; "
            "run again with --debug to see the traceback)",
            UNUSABLE,
        )


def _is_from_typer(error: Exception) -> bool:
    return isinstance(error, (typer.Exit, typer.Abort)) or hasattr(error, "exit_code")


def in_words(error: OSError, file: str = "") -> str:
    """Return the text of a system error with its file, or with ``file`` if the error names none."""
    where = error.filename or file
    return f"{where}: {error.strerror or error}" if where else error.strerror or str(error)


def complain(message: str) -> None:
    """Write one line to standard error."""
    line = " ".join(part.strip() for part in message.splitlines())
    print(f"iaa: {printable(line)}", file=sys.stderr)


def _end(
    message: str, code: int, remedies: Sequence[str] = (), commands: Iterable[Sequence[str]] = ()
) -> NoReturn:
    complain(message)
    for remedy in remedies:
        print(f"  - {printable(remedy)}", file=sys.stderr)
    for name, *options in commands:
        print(f"    {whole(name, files_named(), options)}", file=sys.stderr)
    raise typer.Exit(code) from None
