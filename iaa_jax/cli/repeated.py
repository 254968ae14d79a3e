"""Options that commands shown on a page must repeat, to read the files in the same way."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from iaa_jax.cli.choices import DUPLICATES
from iaa_jax.cli.context import WITHHELD, chosen_options, given_options
from iaa_jax.cli.options import ColumnOptions, FileRead, Guard, RatingOptions
from iaa_jax.wording.commands import in_shell, whole_command

_OPTIONS_OF: ContextVar[Mapping[str, Any] | None] = ContextVar("options_of", default=None)
_UNASKED: ContextVar[Collection[str]] = ContextVar("unasked", default=())


_OF_ITEMS: dict[str, object] = {
    **dict.fromkeys(("level", "distance", "weights", "cluster", "text")),
    "texts": True,
}
"""Further options to repeat, with their defaults: for labels, clusters and the column of texts."""

_DECISIONS = "adjudicated"
_DECIDING = (
    *("method", "ties", "coefficient", "control", _DECISIONS, "match", "blind", "p", "keep"),
)
"""Options that decide labels; commands that also read people's decisions repeat them."""


@contextmanager
def among(commands: Mapping[str, Any], unasked: Collection[str]) -> Iterator[None]:
    """Set the program's commands, and the options that the project file sets for all of them."""
    token, other = _OPTIONS_OF.set(commands), _UNASKED.set(unasked)
    try:
        yield
    finally:
        _OPTIONS_OF.reset(token)
        _UNASKED.reset(other)


def options_of_reading(command: str) -> dict[str, list[str]]:
    """Return the given options for files and labels that ``command`` also takes, as typed.

    The value of a flag is "". Options that decide labels are included if both the running command
    and ``command`` read people's decisions.
    """
    given, decides = _said_of_files(), _DECISIONS in chosen_options()
    if not given and not decides:
        return {}  # so that no command is loaded unnecessarily
    known = (_OPTIONS_OF.get() or {}).get(command)
    parameters = {each.name: each for each in getattr(known, "params", ())}
    if decides and _DECISIONS in parameters:
        defaults = {name: parameters[name].default for name in _DECIDING if name in parameters}
        given |= _asked_of(defaults)
    if command != "spans" and "duplicates" in given:  # `iaa spans` takes further values
        rated = [name for name in given.pop("duplicates")[0].split(",") if name in DUPLICATES]
        given |= {"duplicates": rated[:1]} if rated else {}
    repeated = {name: value for name, value in given.items() if name in parameters}
    if repeated.pop("texts", None):
        repeated["no_texts"] = [""]
    return repeated


def _said_of_files() -> dict[str, list[str]]:
    given = _asked_of(vars(ColumnOptions()) | vars(RatingOptions()) | _OF_ITEMS)
    if "=" in given.get("level", [""])[0]:  # a level for each question; other commands take one
        del given["level"]
    return given


def _asked_of(usual: Mapping[str, object]) -> dict[str, list[str]]:
    unasked = _UNASKED.get()
    return {name: texts for name, texts in given_options(usual).items() if name not in unasked}


def whole(command: str, files: Sequence[str], options: Sequence[str]) -> str:
    """Return a command on the given files as it is to be typed."""
    return whole_command(command, files or ["FILE"], options, options_of_reading(command))


SEVERAL = 2
"""Minimum number of options for which keeping them in a file is worthwhile."""


def lines_to_keep() -> list[str]:
    """Return lines for a project file that set the given options, if there are several of them.

    The lines set only options that `iaa agree` takes and a project file may set, and no files,
    because their paths would differ.
    """
    if len(_said_of_files()) < SEVERAL:
        return []  # so that no command is loaded unnecessarily
    repeated = options_of_reading("agree")
    if len(repeated) < SEVERAL:
        return []
    params = {each.name: each for each in getattr((_OPTIONS_OF.get() or {})["agree"], "params", ())}
    lines, given = [], chosen_options()
    for name, values in repeated.items():
        if given.get(f"{name}_b"):
            continue  # the option is for the first of two sets only
        option = params.get(name)
        if option is not None and not isinstance(option.metavar, FileRead | Guard):
            typed = [True if option.is_flag else value for value in values]
            value = _in_toml(typed if option.multiple else typed[0])
            withheld = "  # their names, not shown here" if WITHHELD in values else ""
            lines.append(f"{name.replace('_', '-')} = {value}{withheld}")
    return lines


def _in_toml(value: bool | str | list[bool | str]) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in text)


def as_typed(command: str, usual: Mapping[str, object], files: Sequence[str]) -> str:
    """Return the running command as it is to be typed, without its output files."""
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
    return in_shell(parts)
