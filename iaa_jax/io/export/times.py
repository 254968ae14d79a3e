"""Parses times of judgements: numbers, or dates in ISO format."""

from __future__ import annotations

import math
from datetime import UTC, datetime

FARTHEST = 1e15  # limit of plausible times: in milliseconds, some 30,000 years from now


def time_of(*values: object) -> float:
    """Return the first value that is a time; NaN if none is.

    A number is returned unchanged, a date as seconds since 1970.

    Examples
    --------
    >>> time_of(None, "1970-01-01T00:01:00.5Z"), time_of("1970-01-02"), time_of(17), time_of("soon")
    (60.5, 86400.0, 17.0, nan)
    >>> time_of("1970-01-01T02:01:00+02:00"), time_of("1969-12-31T23:01:00-01:00")
    (60.0, 60.0)
    """
    for time in values:
        if isinstance(time, (int, float)) and not isinstance(time, bool) and 0 <= time < FARTHEST:
            return float(time)
        if isinstance(time, str):
            try:
                at = datetime.fromisoformat(time.strip())
            except ValueError:
                continue
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    return math.nan
