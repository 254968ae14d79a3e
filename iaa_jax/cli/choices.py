"""Parse and check the values of options: comma-separated lists, numbers, names from a fixed set."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

import typer

from iaa_jax._errors import brief, suggestion
from iaa_jax._options import Listed, OneOf, Option, Repeated, Share
from iaa_jax.catalog import LEVELS, NAMES as NAMES
from iaa_jax.catalog.scales import SCALES as SCALES
from iaa_jax.data.duplicates import DUPLICATES as DUPLICATES, REPEATS as REPEATS
from iaa_jax.io.export.answers import SKIPPED_AS as SKIPPED_AS
from iaa_jax.io.registry import READERS, TOOLS

TRANSFORMS = ("range",)
FORMATS = (*TOOLS, *READERS)
"""Formats that this package reads; other packages may add formats."""


class WrongUsage(typer.BadParameter):
    """An error about missing or conflicting options, rather than about the value of one option."""

    def format_message(self) -> str:
        """Return the message without the prefix that typer adds to errors about a value."""
        return self.message


def listed(text: str | None, option: str) -> list[str] | None:
    """Return the parts of a comma-separated list; a part that contains a comma is in double quotes.

    An empty part is refused. Without ``text``, the result is None.

    Examples
    --------
    >>> listed('a, b,"c,d"', "--labels")
    ['a', 'b', 'c,d']
    """
    if text is None:
        return None
    try:
        parts = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        raise typer.BadParameter(
            f"{brief(text)} has a line break: put double quotes around a name that has one",
            param_hint=option,
        ) from None
    parts = [part.strip() for part in parts]
    if not parts or "" in parts:
        raise typer.BadParameter(
            f"{text!r} has an empty part; separate the names with single commas", param_hint=option
        )
    return parts


def check_given(values: Mapping[str, object]) -> None:
    """Refuse values that no option takes: an empty text, or a number that is not finite."""
    for name, value in values.items():
        for each in value if isinstance(value, (list, tuple)) else (value,):
            hint = "FILE" if name == "files" else f"--{name.replace('_', '-')}"
            if each == "":
                raise typer.BadParameter("it is empty", param_hint=hint)
            if isinstance(each, float) and not math.isfinite(each):
                raise typer.BadParameter(f"{each} is not a finite number", param_hint=hint)


def refuse_given(given: Mapping[str, object], why: str) -> None:
    """Refuse all options that are not None; the error names the first, and says ``why``."""
    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter(why, param_hint=f"--{name.replace('_', '-')}")


Choice = TypeVar("Choice")


def one_of(value: Choice, valid: Collection[str], option: str, see: str = "") -> Choice:
    """Return a value that is valid or None; refuse others with a list of the valid values.

    In the message, ``see`` follows the list.
    """
    if value is None or value in valid:
        return value
    raise typer.BadParameter(
        f"{value!r} is not one of: {', '.join(valid)}{see}{suggestion(value, valid)}",
        param_hint=option,
    )


def several_of(
    text: str | None, valid: Collection[str], option: str, see: str = ""
) -> list[str] | None:
    """Return the distinct parts of a comma-separated list, if it is given; refuse invalid parts."""
    parts = listed(text, option)
    if parts is None:
        return None
    for part in parts:
        one_of(part, valid, option, see)
    return list(dict.fromkeys(parts))


def levels_of(text: str | None, option: str) -> str | dict[str, str] | None:
    """Return one level of measurement, or one per question, as in "tone=ordinal,topic=nominal".

    Examples
    --------
    >>> levels_of("ordinal", "--level"), levels_of("tone=ordinal, b=nominal", "--level")
    ('ordinal', {'tone': 'ordinal', 'b': 'nominal'})
    """
    if text is None or "=" not in text:
        return one_of(text, [*LEVELS], option)
    pairs = [part.rpartition("=") for part in listed(text, option) or ()]
    levels = {name.strip(): level.strip() for name, _, level in pairs}
    if "" in levels or len(levels) < len(pairs):
        raise typer.BadParameter(
            f"{text!r} needs one level for each question, as in 'tone=ordinal,topic=nominal'",
            param_hint=option,
        )
    for level in levels.values():
        one_of(level, [*LEVELS], option)
    return levels


def pairs_of(parts: Sequence[str] | None, option: str) -> dict[str, str] | None:
    """Return a mapping from old to new names, from parts such as "old=new", if given.

    Examples
    --------
    >>> pairs_of(["POS=pos", "neg = no"], "--recode")
    {'POS': 'pos', 'neg': 'no'}
    """
    if parts is None:
        return None
    pairs = [[name.strip() for name in part.split("=", 1)] for part in parts]
    wrong = [part for part, pair in zip(parts, pairs, strict=True) if len(pair) < 2 or "" in pair]
    if wrong:
        raise typer.BadParameter(
            f"{wrong[0]!r} is not of the form OLD=NEW, such as 'POS=pos,neg=no'", param_hint=option
        )
    return {old: new for old, new in pairs}


def before_recoding(
    labels: list[str] | None, recode: dict[str, str] | None
) -> tuple[list[str] | None, list[str]]:
    """Return the labels before recoding, and the old names that are not among ``labels``.

    ``labels`` are the declared labels after recoding, and ``recode`` has the new name of each old
    one. If either is None, the result has the labels as they are, and no old names.
    """
    if labels is None or recode is None:
        return labels, []
    from iaa_jax.data.recoding import labels_before

    return labels_before(labels, recode), [name for name in recode if name not in labels]


def whole_numbers_of(text: str | None, option: str) -> list[int] | None:
    """Return whole numbers that are separated by commas, if given.

    Examples
    --------
    >>> whole_numbers_of("100, 200", "--items")
    [100, 200]
    """
    return _converted(text, option, int, "whole numbers, such as 100,200,500")


def numbers_of(text: str | None, option: str) -> list[float] | None:
    """Return numbers that are separated by commas, if given."""
    return _converted(text, option, float, "numbers, such as 0.1,0.2")


def _converted(
    text: str | None, option: str, kind: Callable[[str], Choice], what: str
) -> list[Choice] | None:
    parts = listed(text, option)
    try:
        return None if parts is None else [kind(part) for part in parts]
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a list of {what}", param_hint=option) from None


def coefficients_of(text: str | None) -> list[str] | None:
    """Return the names in a comma-separated list of coefficients, if given."""
    return several_of(text, NAMES, "--coefficients (--coefficient)", " (see 'iaa coefficients')")


def declared(value: object, option: Option) -> object:
    """Return the value of a declared option in the form that functions take."""
    name, values = f"--{option.name.replace('_', '-')}", option.values
    message = ""
    if isinstance(values, Listed) and isinstance(value, str):
        return listed(value, name)
    if isinstance(values, Repeated):
        return value or None
    if isinstance(values, OneOf) and values.nothing:
        value = one_of(value, (*values.names, values.nothing), name)
        return None if value == values.nothing else value
    if isinstance(values, OneOf):
        return one_of(value, values.names, name)
    if isinstance(value, float) and isinstance(values, Share):
        if values.of_first and not 0.5 <= value <= 1:
            message = f"{option.name} must lie between 0.5 and 1, and {value} does not"
        elif not (values.of_first or 0 < value < 1):
            message = f"{value} is not between 0 and 1"
            if 1 < value < 100:
                message += f"; did you mean {value / 100:g}?"
    if message:
        raise typer.BadParameter(message, param_hint=name)
    return value


def format_of(value: str | None) -> str | None:
    """Return the format, if it is given; refuse one that no installed package reads."""
    if value is not None:
        from iaa_jax.io.registry import formats

        one_of(value, formats(), "--format")
    return value
