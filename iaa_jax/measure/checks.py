"""Values of options that are refused whatever the ratings: choices, whole numbers, shares."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.wording import named


def check_choice(option: str, value: object, choices: Iterable[str]) -> None:
    """Refuse what is none of the choices."""
    names = list(choices)
    if value not in names:
        message = f"{named(option)} must be one of {', '.join(names)}, not {value!r}"
        raise IaaError(message)


def check_whole(option: str, value: Any, least: int) -> None:
    """Refuse what is not a whole number, or too small."""
    if not is_whole(value) or value < least:
        message = f"{named(option)} must be a whole number of {least} or more, not {value!r}"
        raise IaaError(message)


def check_share(option: str, value: object) -> None:
    """Refuse what does not lie between 0 and 1, both left out."""
    number = isinstance(value, int | float | np.number)
    if not (number and 0 < value < 1):  # type: ignore[operator]
        message = f"{named(option)} must lie between 0 and 1, not {value!r}"
        raise IaaError(message)


def is_whole(value: object) -> bool:
    """Whether something is a whole number, and not a truth value."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return not isinstance(value, bool)
