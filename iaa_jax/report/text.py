"""Numbers, names and lists as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

UNKNOWN = "-"
"""What stands in a table where there is no figure."""

_SMALL_ERROR = 0.001
_NO_ERROR = 1e-9  # what rounding leaves of 0


def decimals_for(standard_errors: Iterable[float]) -> int:
    """How many decimals a table needs: 3, or 4 where a standard error is below .001.

    Examples
    --------
    >>> decimals_for([0.02, float("nan")]), decimals_for([0.02, 0.0004]), decimals_for([1e-17])
    (3, 4, 3)
    """
    return 4 if any(_NO_ERROR < error < _SMALL_ERROR for error in standard_errors) else 3


def number(value: float, decimals: int = 3) -> str:
    """A number with fixed decimals; no minus before a zero.

    Examples
    --------
    >>> number(0.58014), number(-0.00001), number(float("nan"))
    ('0.580', '0.000', '-')
    """
    return UNKNOWN if math.isnan(value) else f"{value:z.{decimals}f}"


def interval(low: float, high: float, decimals: int = 3) -> str:
    """Both ends of an interval.

    Examples
    --------
    >>> interval(0.25, 0.5)
    '0.250 to 0.500'
    """
    if math.isnan(low) or math.isnan(high):
        return UNKNOWN
    return f"{number(low, decimals)} to {number(high, decimals)}"


def count(value: int | float) -> str:
    """A count with a comma every three digits; weighted counts may have decimals.

    Examples
    --------
    >>> count(12345), count(2.5)
    ('12,345', '2.5')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def probability(share: float | None) -> str:
    """A probability in percent; never quite 0 or 100, from finitely many draws.

    Examples
    --------
    >>> probability(0.973), probability(1.0), probability(0.0), probability(None)
    ('97 %', '>99 %', '<1 %', '-')
    """
    if share is None or math.isnan(share):
        return UNKNOWN
    if not 0.005 <= share < 0.995:
        return "<1 %" if share < 0.5 else ">99 %"
    return f"{100 * share:.0f} %"


def p_value(value: float | None) -> str:
    """A p-value; what is not nothing never looks like nothing.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.0001), p_value(float("nan"))
    ('0.031', '<0.001', '-')
    """
    if value is None or math.isnan(value):
        return UNKNOWN
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def percent(share: float) -> str:
    """A share in percent; what is not nothing never looks like nothing.

    Examples
    --------
    >>> percent(0), percent(0.00001), percent(0.005), percent(0.2)
    ('0 %', '<0.1 %', '0.5 %', '20.0 %')
    """
    if 0 < share < 0.001:
        return "<0.1 %"
    return f"{100 * share:.1f} %" if share else "0 %"


def counted(value: int | float, noun: str) -> str:
    """A count with its noun.

    Examples
    --------
    >>> counted(1, "item"), counted(2000, "item")
    ('1 item', '2,000 items')
    """
    return f"{count(value)} {noun}" if value == 1 else f"{count(value)} {noun}s"


def visible(name: object) -> str:
    r"""A name from the data, safe to print: what cannot be seen is escaped.

    Examples
    --------
    >>> visible("a\x1b[31m\tb")
    'a\\x1b[31m\\tb'
    """
    text = str(name)
    if text.isprintable():
        return text
    return "".join(part if part.isprintable() else repr(part)[1:-1] for part in text)


def listed(names: Sequence[object], total: int, limit: int = 10) -> str:
    """The first names of a list, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b", "c"], 3), listed(["a", "b", "c"], 30, limit=2)
    ('a, b, c', 'a, b and 28 more')
    """
    first = [visible(name) for name in names[:limit]]
    more = total - len(first)
    text = ", ".join(first)
    return f"{text} and {count(more)} more" if more > 0 else text


def put(console: Console, renderable: RenderableType) -> None:
    """Print without the blanks that tables leave at the ends of lines."""
    with console.capture() as captured:
        console.print(renderable)
    lines = captured.get().splitlines()
    for line in lines:
        console.print(Text.from_ansi(line.rstrip()), soft_wrap=True)
