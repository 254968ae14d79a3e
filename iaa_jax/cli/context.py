"""The running command: its options, and the values given for them."""

from __future__ import annotations

import shlex
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from iaa_jax.wording.spelling import COMMAND, in_python

_OPTIONS: ContextVar[Mapping[str, object] | None] = ContextVar("options", default=None)
_READ_TOO: ContextVar[Sequence[str]] = ContextVar("read_too", default=())

_YES_OR_NO = ("paired",)
"""Options with the values yes, no or auto."""

_OF_COLUMNS = ("keep", "text", "by", "cluster", "control", "gold", "probability")
"""Options that name columns to keep with the ratings."""

_OF_SAMPLING = ("'random'", "'fixed'")
"""Values of ``annotators`` in `Sampling`; other values belong to ``--annotators`` (columns)."""

_OF_OUTPUT = ("files", "json", "output", "plot", "debug")

_OF_PEOPLE = ("annotators", "keep_annotators")
"""Options whose values name annotators; pages and JSON withhold these if ratings are anonymous."""

WITHHELD = "..."
"""What stands for the values of options that name annotators, if ratings are anonymous."""


@contextmanager
def running(options: Mapping[str, object]) -> Iterator[None]:
    """Set the options of the running command within a context."""
    token = _OPTIONS.set(dict(options))
    try:
        yield
    finally:
        _OPTIONS.reset(token)


@contextmanager
def speaking_of(*names: str) -> Iterator[None]:
    """Within a context, let messages mention these options as if the running command had them."""
    with running(dict.fromkeys(names) | dict(_OPTIONS.get() or {})):
        yield


@contextmanager
def reading_too(files: Sequence[str]) -> Iterator[None]:
    """Within a context, set the files that are read because options of the command name them."""
    token = _READ_TOO.set(files)
    try:
        yield
    finally:
        _READ_TOO.reset(token)


def files_of_options() -> Sequence[str]:
    """Return the files that are read because an option of the running command names them."""
    return _READ_TOO.get()


def files_named() -> Sequence[str]:
    """Return the files that the running command was given."""
    given = (_OPTIONS.get() or {}).get("files")
    return given if isinstance(given, (list, tuple)) else ()


def file_pattern() -> str | None:
    """Return the pattern of the names of files to read in folders, if one is given."""
    given = (_OPTIONS.get() or {}).get("file_pattern")
    return given if isinstance(given, str) else None


def chosen_options() -> dict[str, object]:
    """Return the options of the running command for the JSON record, without names of files.

    With ``anonymous``, `WITHHELD` stands for the names of annotators.
    """
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in _shown().items()
        if name not in _OF_OUTPUT
    }


def _shown() -> dict[str, object]:
    given = _OPTIONS.get() or {}
    hidden = _OF_PEOPLE if given.get("anonymous") else ()
    return {name: WITHHELD if value and name in hidden else value for name, value in given.items()}


@contextmanager
def as_if_given(options: Mapping[str, object]) -> Iterator[None]:
    """Within a context, act as if these further options had been given to the running command."""
    with running({**(_OPTIONS.get() or {}), **options}):
        yield


def given_options(usual: Mapping[str, object]) -> dict[str, list[str]]:
    """Return the given values of the options in ``usual`` that differ from the usual values.

    Values are texts, as typed. An option that is given several times has several texts, and the
    text of a flag is "".
    """
    given = _shown()
    return {
        name: list(map(str, chosen))
        if isinstance(chosen, list)
        else ["" if chosen is True else str(chosen)]
        for name, value in usual.items()
        if (chosen := given.get(name, value)) not in (value, [])
    }


def as_option(name: str, value: str | None = None) -> str:
    """Return an option as the running command spells it; outside of a command, as a keyword.

    Examples
    --------
    >>> as_option("labels")
    'labels='
    >>> with running({"labels": None, "paired": "auto"}):
    ...     print(as_option("labels"), as_option("labels", "'a, b'"), as_option("paired", "False"))
    --labels --labels 'a, b' --paired no
    >>> with running({"keep": None, "by": "batch"}):
    ...     print(as_option("keep", "'batch'"))
    --by batch
    """
    options = _OPTIONS.get() or {}
    if name == COMMAND:
        return f"'{COMMAND} {value}'"
    if name == "annotators" and value in _OF_SAMPLING and "random_annotators" in options:
        return f"--{literal_eval(value)}-annotators"
    if name == "keep" and value:
        name = _that_names(literal_eval(value), options)
    if name not in options:
        return in_python(name, value)
    option = f"--{name.replace('_', '-')}"
    if value in (None, ""):
        return option
    if name in _YES_OR_NO:
        return f"{option} {'yes' if value == 'True' else 'no'}"
    return option if value == "True" else f"{option} {_typed(value)}"


def _that_names(column: str, options: Mapping[str, object]) -> str:
    """Return the option of the running command that names this column; "keep" if none does."""
    given = {name: str(options.get(name) or "") for name in _OF_COLUMNS}
    named = (name for name, text in given.items() if column in (text, *text.split(",")))
    return next(named, "keep")


def _typed(value: str) -> str:
    return shlex.quote(str(literal_eval(value)) if value[:1] in "'\"" else value)
