"""Values of options that are refused whatever the ratings: choices, whole numbers, shares."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from numbers import Real
from typing import TypeGuard

from iaa_jax._errors import IaaError
from iaa_jax.wording import named


def check_choice(option: str, value: object, choices: Iterable[str | None], also: str = "") -> None:
    """Refuse what is none of the choices; ``also`` names what else is taken."""
    names = list(choices)
    if value not in names:
        listed = ", ".join(map(str, names))
        message = f"{named(option)} must be one of {listed}{also}, not {value!r}"
        raise IaaError(message)


def check_whole(option: str, value: object, least: int) -> None:
    """Refuse what is not a whole number, or too small."""
    if not is_whole(value) or operator.index(value) < least:
        message = f"{named(option)} must be a whole number of {least} or more, not {value!r}"
        raise IaaError(message)


def check_share(option: str, value: object) -> None:
    """Refuse what does not lie between 0 and 1, both left out."""
    if not (is_number(value) and 0 < value < 1):
        message = f"{named(option)} must lie between 0 and 1, not {value!r}"
        raise IaaError(message)


def check_first_share(option: str, value: object, of: str = "primary label") -> None:
    """Refuse what is no share of the label that comes first: from 0.5 to 1."""
    if not (is_number(value) and 0.5 <= value <= 1):
        message = f"{named(option)} must be the {of}'s share, between 0.5 and 1, not {value!r}"
        raise IaaError(message)


def is_number(value: object) -> TypeGuard[float]:
    """Whether something is a real number, and not a truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether something is a whole number, and not a truth value."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return not isinstance(value, bool)
