"""Convert a value from the data to a label, which is a number or a text."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

import numpy as np
import pandas as pd

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Values
from iaa_jax.wording import named

Label = str | float

EXACT = 2**53  # from here on, floats do not distinguish neighbouring whole numbers
AS_WHOLE = (
    "read them as whole numbers or as text, which takes the type 'Int64' or 'string' in "
    "pandas.read_csv"
)
SINGLE_ONLY = "a label must be a single value; lists and other label sets go to from_sets"

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_SCORE = re.compile(r"(\d{1,15}(?:[.,]\d{1,15})?)(\s?/\s?(\d{1,15}))")
_NOT_FINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)


def label_value(value: object) -> Label:
    """Return a value as an int, a float or a text, with all its digits.

    Examples
    --------
    >>> label_value(2.0), label_value(2**53 + 1), label_value(Decimal("0.1")), label_value(True)
    (2, '9007199254740993', 0.1, 'True')
    """
    if isinstance(value, (np.float32, np.float16)):
        value = written_number(value)
    value = _plain(value)
    if isinstance(value, (list, tuple, set, frozenset, dict, np.ndarray)):
        raise IaaError(SINGLE_ONLY)
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        return text_of(value)
    if isinstance(value, numbers.Rational) and value.denominator == 1:
        return _whole(int(value.numerator))
    number = float(value)
    if isinstance(value, Decimal) and value.is_finite():
        if value == value.to_integral_value():
            return _whole(int(value))
        if Decimal(repr(number)) != value:
            return str(value)  # more digits than a float holds
    return int(number) if number.is_integer() and abs(number) < EXACT else number


def written_number(short: np.generic) -> float:
    """Return a float32 or float16 as the decimal that it prints as, so that 0.1 is 0.1 in float64.

    Examples
    --------
    >>> written_number(np.float32(0.1)), written_number(np.float32(2**30))
    (0.1, 1073741824.0)
    """
    number = float(short.item())
    return number if number.is_integer() else float(str(short))


def scores_of_one(texts: Sequence[str]) -> dict[str, str]:
    """Return the numerator of each text that is a score, such as "7/10".

    The result is empty if scores have different denominators, or one exceeds its denominator.

    Examples
    --------
    >>> scores_of_one(["7/10", "7,5/10", "8"]), scores_of_one(["1/2", "1/4"])
    ({'7/10': '7', '7,5/10': '7.5'}, {})
    """
    matches = {text: match for text in texts if (match := _SCORE.fullmatch(text))}
    scores = {text: match[1].replace(",", ".") for text, match in matches.items()}
    if len({match[2] for match in matches.values()}) != 1:
        return {}
    most = float(next(iter(matches.values()))[3])
    return scores if all(float(score) <= most for score in scores.values()) else {}


def parse_number(text: str) -> int | float | None:
    """Return the number that a text spells; None for other texts.

    The result is also None for finite numbers from 2**53 up, which floats may not hold exactly. A
    number that is too large for a float is infinite.

    Examples
    --------
    >>> parse_number("1.0"), parse_number(" 2.5 "), parse_number("1_000"), parse_number("-inf")
    (1, 2.5, None, -inf)
    """
    text = text.strip()
    if _NUMBER.fullmatch(text) is None:
        return float(text) if _NOT_FINITE.fullmatch(text) else None
    number = float(text)
    if abs(number) >= EXACT:
        return None if math.isfinite(number) else number
    return int(number) if number.is_integer() else number


def text_of(value: object) -> str:
    """Return a value, such as an id, as text.

    Examples
    --------
    >>> text_of(np.str_("a")), text_of(np.datetime64("2024-01-02", "ns"))
    ('a', '2024-01-02 00:00:00')
    """
    value = _plain(value)
    return str.__str__(value) if isinstance(value, str) else str(value)


def booleans_as_text(flat: Values) -> Values:
    """Return values with True and False as texts, because in Python True equals 1."""
    if pd.api.types.infer_dtype(flat, skipna=True) not in ("boolean", "mixed", "mixed-integer"):
        return flat
    out = flat.copy()
    for position, value in enumerate(flat):
        if isinstance(value, (bool, np.bool_)):
            out[position] = str(bool(value))
    return out


def refuse_no_text(texts: Iterable[str]) -> None:
    """Refuse texts with a lone surrogate, which no file can hold."""
    if "".join(texts).isascii():
        return
    wrong = [text for text in texts if not _is_text(text)]
    if wrong:
        raise IaaError(
            f"{shown(wrong)} is no valid text, because it holds a lone surrogate: decode the "
            "source again, or write text.encode('utf-8', 'replace').decode()"
        )


def listed(labels: Sequence[object]) -> list[object]:
    """Return declared labels as a list; collections without an order are refused.

    Examples
    --------
    >>> listed(pd.Series(["low", "high"])), listed(np.array([1, 2]))
    (['low', 'high'], [1, 2])
    """
    if isinstance(labels, (str, bytes)):
        raise IaaError(f"{named('labels')} must be a list of labels, not the text {labels!r}")
    if hasattr(labels, "to_pylist"):
        return list(labels.to_pylist())
    if hasattr(labels, "__array__") and not isinstance(labels, (pd.Series, pd.Index)):
        labels = np.asarray(labels).ravel().tolist()
    if isinstance(labels, (set, frozenset)) or not hasattr(labels, "__iter__"):
        raise IaaError(
            f"{named('labels')} must be a list of labels in their order, not {shown([labels])}"
        )
    listed_labels = list(labels)
    if arrays := [label for label in listed_labels if getattr(label, "ndim", 0)]:
        raise IaaError(
            f"{named('labels')} must be a list of labels, and {shown(arrays)} is a list itself"
        )
    return listed_labels


def _plain(value: object) -> object:
    """Return the Python equivalent of a NumPy value; bytes and Arrow's scalars are refused."""
    if isinstance(value, np.datetime64):
        return pd.Timestamp(value)
    if isinstance(value, np.timedelta64):
        return pd.Timedelta(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (bytes, bytearray)):
        raise IaaError(
            f"{shown([value])} is bytes and no text: decode it, as array.astype(str) or "
            "column.str.decode('utf-8') do"
        )
    if hasattr(value, "as_py"):
        raise IaaError(
            f"{shown([value])} is a scalar of Arrow: give its value, as column.to_pylist() does"
        )
    return value


def _whole(number: int) -> Label:
    if abs(number) < EXACT:
        return number
    try:
        return str(number)
    except ValueError:
        raise IaaError(
            "a label is a number with more digits than Python converts to text: shorten it"
        ) from None


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
