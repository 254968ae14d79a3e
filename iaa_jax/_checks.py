"""Checks of options for which no ratings are needed: choices, whole numbers, shares and names."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from numbers import Real
from types import NoneType, UnionType
from typing import TYPE_CHECKING, TypeGuard, get_args, get_origin

from iaa_jax._errors import OptionError
from iaa_jax.wording import named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_choice(option: str, value: object, choices: Iterable[str | None], also: str = "") -> None:
    """Refuse anything but the choices; in the message, ``also`` follows the list of choices."""
    names = list(choices)
    if not (value is None or isinstance(value, str)) or value not in names:
        listed = ", ".join(map(str, names))
        raise OptionError(f"{named(option)} must be one of {listed}{also}, not {value!r}")


MOST_DRAWS = 10_000_000
"""Maximum number of replicates, permutations and other draws."""

MOST_POINTS = 10_000
"""Maximum number of points of a curve."""


def check_whole(option: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse anything but a whole number in range."""
    number = operator.index(value) if is_whole(value) else None
    if number is not None and most is not None and number > most:
        raise OptionError(f"{named(option)} must be {most:,} or less, not {number:,}")
    if number is None or number < least:
        raise OptionError(
            f"{named(option)} must be a whole number of {least} or more, not {value!r}"
        )


def check_progress(progress: object) -> None:
    """Refuse anything that is neither callable nor None."""
    if not (progress is None or callable(progress)):
        raise OptionError(
            f"{named('progress')} must be a function of the steps done and their total, or None, "
            f"not {progress!r}"
        )


def check_share(option: str, value: object) -> None:
    """Refuse anything but a number strictly between 0 and 1."""
    if not (is_number(value) and 0 < value < 1):
        raise OptionError(f"{named(option)} must lie between 0 and 1, not {value!r}")


def check_first_share(option: str, value: object, of: str = "primary label") -> None:
    """Refuse anything but a share from 0.5 to 1; ``of`` names what has this share."""
    if not (is_number(value) and 0.5 <= value <= 1):
        raise OptionError(
            f"{named(option)} must be the {of}'s share, between 0.5 and 1, not {value!r}"
        )


_KINDS: dict[object, tuple[str, Callable[[object], bool]]] = {
    bool: ("True or False", lambda value: str(type(value).__name__) in ("bool", "bool_")),
    int: ("a whole number", lambda value: is_whole(value)),
    float: ("a number", lambda value: is_number(value) or getattr(value, "ndim", None) == 0),
    str: ("text", lambda value: isinstance(value, str)),
    Sequence: ("a list", lambda value: isinstance(value, Sequence) or hasattr(value, "tolist")),
}
"""For each plain type, a description and a function that tells whether a value has the type."""


def check_kind(option: str, value: object, hint: object) -> None:
    """Refuse a value that is not of the type ``hint``.

    Only the types in ``_KINDS`` are checked, and any of them together with None, as in
    ``int | None``.
    """
    types = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kind, *others = (get_origin(each) or each for each in types)
    if kind not in _KINDS or others not in ([], [NoneType]) or (others and value is None):
        return
    words, accepts = _KINDS[kind]
    if not accepts(value):
        raise OptionError(
            f"{named(option)} must be {words}{' or None' * bool(others)}, not {value!r}"
        )


def check_names(option: str, names: object) -> None:
    """Refuse anything but a name or a list of names."""
    if not isinstance(names, Iterable) or getattr(names, "ndim", 1) != 1:
        raise OptionError(f"{named(option)} must be a name or a list of names, not {names!r}")
    # an iterator yields its names only once, so they are not checked here
    for name in names if isinstance(names, Collection) else ():
        check_name(option, name)


def check_name(option: str, name: object) -> None:
    """Refuse values that cannot be a name, such as an array."""
    if not isinstance(name, Hashable):
        raise OptionError(f"{named(option)} must be a name, not {name!r}")


def is_auto(value: object) -> bool:
    """Tell whether an option is "auto", which leaves the choice to the data."""
    return isinstance(value, str) and value == "auto"


def numbers_of(option: str, value: object) -> NDArray[np.float64]:
    """Return a number or a list of numbers as an array."""
    import numpy

    try:
        return numpy.asarray(value, dtype=numpy.float64)
    except (TypeError, ValueError):
        raise OptionError(
            f"{named(option)} must be a number or a list of numbers, not {value!r}"
        ) from None


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a real number and not a boolean."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether a value is a whole number and not a boolean."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return not isinstance(value, bool)


def names_like(names: Iterable[str], known: Sequence[str]) -> dict[str, list[str]]:
    """Return the known names that each of the given names stands for.

    A ``*`` in a name that is not known itself stands for any text.

    Examples
    --------
    >>> names_like(["ann", "gpt-*", "cleo"], ["ann", "gpt-4", "gpt-5"])
    {'ann': ['ann'], 'gpt-*': ['gpt-4', 'gpt-5'], 'cleo': []}
    """
    like = {}
    for name in names:
        if "*" not in str(name) or name in known:
            like[name] = [each for each in known if each == name]
        else:
            like[name] = [each for each in known if text_of_star(name, each) is not None]
    return like


def text_of_star(pattern: str, name: str) -> str | None:
    """Return the longest text that the first star matches in a name; None without a match.

    Examples
    --------
    >>> text_of_star("votes.*", "votes.yes")
    'yes'
    """
    first, *inner, last = pattern.split("*")
    end = len(name) - len(last)
    if end < len(first) or not (name.startswith(first) and name.endswith(last)):
        return None
    for part in reversed(inner):
        end = name.rfind(part, len(first), end)
        if end < 0:
            return None
    return name[len(first) : end]
