"""Commands that a page advises repeat what was said of the files, or they would not read them."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from iaa_jax.cli.choices import DUPLICATES
from iaa_jax.cli.context import as_option, chosen_options, files_given, given_options, typed
from iaa_jax.cli.options import ColumnOptions, RatingOptions
from iaa_jax.wording.spelling import called

_OPTIONS_OF: ContextVar[Mapping[str, Any] | None] = ContextVar("options_of", default=None)
_UNASKED: ContextVar[Collection[str]] = ContextVar("unasked", default=())


@contextmanager
def among(commands: Mapping[str, Any], unasked: Collection[str]) -> Iterator[None]:
    """While one of these commands runs; ``unasked`` options the project file gives to all."""
    token, other = _OPTIONS_OF.set(commands), _UNASKED.set(unasked)
    try:
        yield
    finally:
        _OPTIONS_OF.reset(token)
        _UNASKED.reset(other)


def options_of_reading(command: str) -> dict[str, list[str]]:
    """What was said of the files and of what labels are, as far as this command takes it.

    "" for a flag.
    """
    usual = vars(ColumnOptions()) | vars(RatingOptions()) | {"level": None}
    unasked = _UNASKED.get()
    given = {name: value for name, value in given_options(usual).items() if name not in unasked}
    if not given:
        return {}  # before a command is loaded for nothing
    if command != "spans" and "duplicates" in given:  # `iaa spans` says two things by it
        rated = [name for name in given.pop("duplicates")[0].split(",") if name in DUPLICATES]
        given |= {"duplicates": rated[:1]} if rated else {}
    known = (_OPTIONS_OF.get() or {}).get(command)
    taken = {parameter.name for parameter in getattr(known, "params", ())}
    return {name: value for name, value in given.items() if name in taken}


def as_option_or_command(name: str, value: str | None = None) -> str:
    """An option as `as_option` has it, and another command on the files as they are read here."""
    command, option = called(name)
    if not command:
        return as_option(name, value)
    parts = ["iaa", command, *map(str, files_given())]
    for again, values in options_of_reading(command).items():
        for each in values:
            parts += [f"--{again.replace('_', '-')}", *([each] if each else [])]
    return f"{shlex.join(parts)} --{option.replace('_', '-')} {typed(value or '')}"


def as_typed(command: str, usual: Mapping[str, object], files: Sequence[str]) -> str:
    """The running command as somebody types it who wants the same, wherever it is written to."""
    parts = ["iaa", command, *files]
    for name, value in chosen_options().items():
        if name not in usual or value == usual[name]:
            continue
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            parts.append(flag if value else flag.replace("--", "--no-", 1))
        else:
            for each in value if isinstance(value, list) else [value]:
                parts += [flag, str(each)]
    return shlex.join(parts)
