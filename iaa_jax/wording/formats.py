"""Numbers, shares, p-values, counts and names as text: one formatter per kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iaa_jax._types import Values

UNKNOWN = "-"
"""Text for a missing value."""

ENDLESS = 100.0
"""Ratio of upper to lower end above which an interval of counts is written without its upper end.
"""

MOVED = 0.0216
"""Usual change in an end of a 95 % interval with another seed, as a share of the interval's width.

The standard error of the q quantile of B draws is ``sqrt(q (1 - q) / B) / f``, where f is the
density of the draws at the quantile. The difference of the .025 quantiles of two sets of 2,000
normal draws has a standard error sqrt(2) times as large, which is .085 standard deviations of the
draws. The width of the interval is 3.92 standard deviations.
"""

_SMALL_ERROR = 0.001
_NO_ERROR = 1e-9  # values below this are rounding errors
_BRIEF_DAYS = 10
_LONGEST_NAME, _LONGEST_PATH = 80, 300  # characters


def decimals_for(standard_errors: Iterable[float]) -> int:
    """Return the number of decimals in a table: 3, or 4 if a standard error is below .001.

    Examples
    --------
    >>> decimals_for([0.02, float("nan")]), decimals_for([0.02, 0.0004]), decimals_for([1e-17])
    (3, 4, 3)
    """
    return 4 if any(_NO_ERROR < error < _SMALL_ERROR for error in standard_errors) else 3


def is_unknown(value: object) -> bool:
    """Tell whether a figure is missing: None or NaN."""
    return value is None or bool(value != value)


def number(value: float | None, decimals: int = 3) -> str:
    """Write a number with fixed decimals; zero has no minus sign.

    Examples
    --------
    >>> number(0.58014), number(-0.00001), number(float("nan"))
    ('0.580', '0.000', '-')
    """
    return UNKNOWN if is_unknown(value) else f"{value:z.{decimals}f}"


def signed(value: float | None, decimals: int = 3) -> str:
    """Write a difference with its sign.

    Examples
    --------
    >>> signed(0.12), signed(-0.5, 1)
    ('+0.120', '-0.5')
    """
    return UNKNOWN if is_unknown(value) else f"{value:+z.{decimals}f}"


def short(value: float | None) -> str:
    """Write a number with up to four digits, or from 1000 on as a whole number.

    Examples
    --------
    >>> short(0.05), short(1995.0), short(123456.7)
    ('0.05', '1995', '123,457')
    """
    if value is None or is_unknown(value):
        return UNKNOWN
    if abs(value) < 1000:
        return f"{value:.4g}"
    # four digits may be a year
    return f"{value:.0f}" if abs(value) < 10_000 else f"{value:,.0f}"


def interval(ends: Sequence[float | None], decimals: int = 3) -> str:
    """Write both ends of an interval, without decimals that another seed would usually change.

    Ends with fewer decimals are rounded outward, so that the estimate lies within the printed
    interval. An end close to 0 has enough decimals to show its sign.

    Examples
    --------
    >>> interval((0.5812, 0.6146)), interval((0.25, None))
    ('0.581 to 0.615', '-')
    >>> interval((0.4142, 0.6146)), interval((-0.351, 0.988)), interval((1.0, 1.0))
    ('0.41 to 0.62', '-0.4 to 1.0', '1.000 to 1.000')
    >>> interval((0.031, 0.647))
    '0.03 to 0.65'
    """
    low, high = ends
    if low is None or high is None or is_unknown(low) or is_unknown(high):
        return UNKNOWN
    low, high, decimals = _as_carried(low, high, decimals)
    return f"{number(low, decimals)} to {number(high, decimals)}"


def signed_interval(ends: Sequence[float | None], decimals: int = 3) -> str:
    """Write the interval of a difference, with signs.

    Examples
    --------
    >>> signed_interval((-0.121, 0.047)), signed_interval((None, None))
    ('-0.13 to +0.05', '-')
    """
    low, high = ends
    if low is None or high is None or is_unknown(low) or is_unknown(high):
        return UNKNOWN
    low, high, decimals = _as_carried(low, high, decimals)
    return f"{signed(low, decimals)} to {signed(high, decimals)}"


def _as_carried(low: float, high: float, decimals: int) -> tuple[float, float, int]:
    width = high - low
    if not 0 < width < math.inf:
        return low, high, decimals
    for carried in range(max(math.floor(-math.log10(MOVED * width)), 0), decimals):
        units = 10.0**carried
        outward = math.floor(low * units + _NO_ERROR), math.ceil(high * units - _NO_ERROR)
        if all(outward) or not (low and high):
            return outward[0] / units, outward[1] / units, carried
    return low, high, decimals


def count(value: float | None) -> str:
    """Write a count with a comma every three digits; weighted counts may have decimals.

    Examples
    --------
    >>> count(12345), count(12345.0), count(2.5), count(None)
    ('12,345', '12,345', '2.5', '-')
    """
    if value is None or is_unknown(value):
        return UNKNOWN
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"


def count_range(ends: Sequence[float | None]) -> str:
    """Write an interval of counts, without the upper end if it is far above the lower end.

    Examples
    --------
    >>> count_range((1589.0, 1762.0)), count_range((735, float("inf"))), count_range((None, 2))
    ('1,589 to 1,762', '735 or more', '-')
    """
    low, high = ends
    if low is None or high is None or is_unknown(low) or is_unknown(high) or low == math.inf:
        return UNKNOWN
    return f"{count(low)} or more" if high > ENDLESS * low else f"{count(low)} to {count(high)}"


def counted(value: float, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> counted(1, "item"), counted(2000, "item"), counted(2, "batch", "batches")
    ('1 item', '2,000 items', '2 batches')
    """
    return f"{count(value)} {noun if value == 1 else plural or f'{noun}s'}"


def share(value: float | None) -> str:
    """Write a share in percent; only an exact 0 is written as 0 %.

    Examples
    --------
    >>> share(0), share(0.00001), share(0.005), share(0.2), share(None)
    ('0 %', '<0.1 %', '0.5 %', '20.0 %', '-')
    """
    if value is None or is_unknown(value):
        return UNKNOWN
    if 0 < value < 0.001:
        return "<0.1 %"
    return f"{100 * value:z.1f} %" if value else "0 %"


def share_interval(ends: Sequence[float | None]) -> str:
    """Write the interval of a share in percent, with decimals as in `interval`.

    Examples
    --------
    >>> share_interval((0.111, 0.127)), share_interval((0.111, 0.327)), share_interval((None, 0.5))
    ('11.1 % to 12.7 %', '11 % to 33 %', '-')
    """
    low, high = ends
    if low is None or high is None or is_unknown(low) or is_unknown(high):
        return UNKNOWN
    low, high, decimals = _as_carried(100 * low, 100 * high, 1)
    return " to ".join(f"{end:z.0f} %" if not decimals else share(end / 100) for end in (low, high))


def level(value: float) -> str:
    """Write a chosen share in percent, such as a confidence level or a power.

    Examples
    --------
    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * value:.6g} %"


def probability(value: float | None) -> str:
    """Write a probability in percent, but never as 0 % or 100 %, because it comes from draws.

    Examples
    --------
    >>> probability(0.973), probability(1.0), probability(0.0), probability(None)
    ('97 %', '>99 %', '<1 %', '-')
    >>> probability(0.996), probability(0.004)
    ('>99 %', '<1 %')
    """
    if value is None or is_unknown(value):
        return UNKNOWN
    if not 0.005 <= value < 0.995:
        return "<1 %" if value < 0.5 else ">99 %"
    return f"{100 * value:.0f} %"


def p_value(value: float | None) -> str:
    """Write a p-value; a value below .001 is written as <0.001.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.0001), p_value(float("nan"))
    ('0.031', '<0.001', '-')
    """
    if value is None or is_unknown(value):
        return UNKNOWN
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def p_phrase(value: float | None) -> str:
    """Write a p-value for a sentence.

    Examples
    --------
    >>> p_phrase(0.0312), p_phrase(0.0001)
    ('p = 0.031', 'p < 0.001')
    """
    text = p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def times(values: Sequence[object] | Values) -> list[str]:
    """Write dates to the day, and numbers as `short`.

    Dates that span less than ten days are written to the minute. If longer ones all begin a month,
    they are written to the month.

    Examples
    --------
    >>> import numpy as np
    >>> times(np.array(["2024-03-01", "NaT", "2024-04-01T12:30"], dtype="datetime64[m]"))
    ['2024-03-01', '-', '2024-04-01']
    >>> times(np.array(["2024-03-01T12:30"], dtype="datetime64[m]")), times([69.0, 82.469])
    (['2024-03-01 12:30'], ['69', '82.47'])
    >>> times(np.array(["2024-03-01", "2024-04-01"], dtype="datetime64[D]"))
    ['2024-03', '2024-04']
    """
    import numpy as np

    values = np.asarray(values)
    if values.dtype.kind != "M":
        return [short(value) for value in values.tolist()]
    dates = np.asarray(values, dtype=np.datetime64)
    unknown = np.isnat(dates)
    known = dates[~unknown]
    brief = not known.size or known.max() - known.min() < np.timedelta64(_BRIEF_DAYS, "D")
    months = not brief and bool((known.astype("datetime64[M]") == known).all())
    texts = np.datetime_as_string(dates, unit="m" if brief else "M" if months else "D").tolist()
    return [
        UNKNOWN if none else text.replace("T", " ")
        for text, none in zip(texts, unknown.tolist(), strict=True)
    ]


def whole_as_written(value: object) -> str:
    """Return a value as text; a float that is a whole number has no decimals.

    Examples
    --------
    >>> whole_as_written(2.0), whole_as_written(2.5), whole_as_written("2.0")
    ('2', '2.5', '2.0')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def name(value: object) -> str:
    r"""Write a name from the data with invisible characters escaped.

    Examples
    --------
    >>> name("a\x1b[31m\tb")
    'a\\x1b[31m\\tb'
    """
    text = whole_as_written(value)
    if text.isprintable():
        return text
    return "".join(part if part.isprintable() else repr(part)[1:-1] for part in text)


def names(values: Sequence[object], limit: int = 10, total: int | None = None) -> str:
    """Write the first ``limit`` names of a list, and the number of further names.

    Examples
    --------
    >>> names(["a", "b", "c"]), names(["a", "b", "c"], limit=2), names(["a", "b"], total=30)
    ('a, b, c', 'a, b and 1 more', 'a, b and 28 more')
    """
    return _listed([in_brief(name(value)) for value in values[:limit]], values, total)


def in_brief(text: str) -> str:
    """Shorten a long text in the middle; a text without blanks, such as a path, may be longer.

    Examples
    --------
    >>> in_brief("a label"), in_brief("so it was, " * 9)
    ('a label', 'so it was, so it was, so it was, so it w... was, so it was, ')
    """
    is_name = len(text) <= _LONGEST_NAME or (" " not in text and len(text) <= _LONGEST_PATH)
    return text if is_name else f"{text[:40]}...{text[-17:]}"


def spaced(identifier: str) -> str:
    """Write an identifier in words.

    Examples
    --------
    >>> spaced("grouped_jackknife")
    'grouped jackknife'
    """
    return identifier.replace("_", " ")


def quoted(value: object, limit: int = 10, total: int | None = None) -> str:
    r"""Write a name, or the first names of a list, in quotes; invisible characters are escaped.

    Examples
    --------
    >>> print(quoted("a\x1b[31m"), quoted(["a", 2, "c"], limit=2))
    'a\x1b[31m' 'a', 2 and 1 more
    """
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return _listed([in_brief(repr(each)) for each in values[:limit]], values, total)


def _listed(first: Sequence[str], values: Sequence[object], total: int | None) -> str:
    more = (len(values) if total is None else total) - len(first)
    text = ", ".join(first)
    return f"{text} and {count(more)} more" if more > 0 else text


def weights(kind: object) -> str:
    """Write the kind of weights between labels, without the word "level" before a level.

    Examples
    --------
    >>> weights("level ordinal"), weights("linear on ranks")
    ('ordinal', 'linear on ranks')
    """
    return str(kind).removeprefix("level ")


def enumerated(parts: Sequence[str]) -> str:
    """Join texts with commas, and the last two with "and".

    Examples
    --------
    >>> enumerated(["a step", "a trend", "a single batch"]), enumerated(["a step"])
    ('a step, a trend and a single batch', 'a step')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def label_set(labels: Iterable[object]) -> str:
    """Write the labels of a set as one name.

    Examples
    --------
    >>> label_set(["fear", "joy"]), label_set([])
    ('fear + joy', '(none)')
    """
    return " + ".join(map(str, labels)) or "(none)"
