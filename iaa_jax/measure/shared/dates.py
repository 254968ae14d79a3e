"""Dates that are read from text and numbers; ambiguous dates raise an error."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Values
from iaa_jax.data.usual_names import mostly_dates
from iaa_jax.wording import Note, keyword

_EPOCH = (946_684_800, 4_102_444_800)  # 2000 to 2100, in seconds since 1970
_STAMP = re.compile(r"time|date|stamp|created|updated|modified|submitted", re.IGNORECASE)
_SHORT = re.compile(r"(\d{1,2})([./-])(\d{1,2})[./-](?:\d{4}|\d{2})\b")
_ZONED = re.compile(r":\d{2}.*(Z|[+-]\d{2}:?\d{2})$")
_NAMED = 3
"""Maximum number of cells without a date that an error message names."""


def dates_of_texts(
    by: str, texts: Sequence[str], where: Callable[[str], str]
) -> tuple[NDArray[np.datetime64], Note]:
    """Return distinct texts as dates, and a note on how they were read.

    ``where`` returns the name of an item that has a text, for the error message.
    """
    first = _day_first(by, texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas warns about mixed formats
        dates = pd.to_datetime(
            pd.Series(list(texts), dtype="object"),
            format="mixed",
            dayfirst=bool(first),
            errors="coerce",
            utc=True,
        ).dt.tz_localize(None)
    is_missing = dates.isna().tolist()
    others = [text for text, missing in zip(texts, is_missing, strict=True) if missing]
    if others:
        examples = ", ".join(f"{text!r} ({where(text)})" for text in others[:_NAMED])
        more = f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else ""
        raise IaaError(
            f"{keyword('by', by)} holds dates, but also {examples}{more}: write them as 2024-03-31 "
            "or leave them empty"
        )
    values = {
        "day": "" if first is None else Note("day_first" if first else "month_first"),
        "zone": Note("in_utc") if any(map(_ZONED.search, texts)) else "",
    }
    return dates.to_numpy(dtype="datetime64[us]"), Note("text_as_dates", values)


def columns_of_dates(ratings: xr.Dataset) -> Iterator[str]:
    """Yield the columns of items, or of their ratings, that hold dates."""
    for name, column in ratings.coords.items():
        of_items = column.dims[:1] == ("item",) and name != "item"
        if of_items and holds_dates(str(name), column.values):
            yield str(name)


def holds_dates(name: str, values: Values) -> bool:
    """Tell whether values are dates, or two or more numbers or texts that look like dates.

    All numbers must look like dates, but only more than half of the texts.
    """
    if values.dtype.kind == "M":
        return True
    if values.dtype.kind in "iuf" and (numbers := np.unique(values[np.isfinite(values)])).size > 1:
        return dates_of_numbers(name, numbers.astype(np.float64)) is not None
    if values.dtype.kind not in "OU":
        return False
    texts = sorted(text for text in pd.unique(values.ravel()) if isinstance(text, str) and text)
    return len(texts) > 1 and mostly_dates(texts)


def dates_of_numbers(by: str, numbers: Floats) -> tuple[NDArray[np.datetime64], Note] | None:
    """Return numbers as dates, with a note; None if they cannot be read as dates.

    They must be written like 20240331, or, in a column whose name suggests times, count seconds or
    milliseconds from 1970 and fall between 2000 and 2100.
    """
    known = np.isfinite(numbers)
    values = numbers[known]
    dates = np.full(len(numbers), np.datetime64("NaT", "us"), dtype="datetime64[us]")
    written = _written_as_days(values)
    if written is not None:
        dates[known] = written
        return dates, Note("numbers_as_dates")
    for scale, unit in ((1.0, "seconds"), (1e3, "milliseconds")):
        within = values.min() >= _EPOCH[0] * scale and values.max() <= _EPOCH[1] * scale
        if within and _STAMP.search(by):
            ticks = np.rint(values / scale * 1e6).astype("timedelta64[us]")
            dates[known] = np.datetime64("1970-01-01", "us") + ticks
            return dates, Note(f"{unit}_since_1970")
    return None


def _written_as_days(numbers: Floats) -> NDArray[np.datetime64] | None:
    if not (numbers % 1 == 0).all() or numbers.min() < 19000101 or numbers.max() > 21001231:
        return None
    texts = pd.Series(numbers.astype(np.int64).astype(str))
    dates = pd.to_datetime(texts, format="%Y%m%d", errors="coerce")
    return None if dates.isna().any() else dates.to_numpy(dtype="datetime64[us]")


def _day_first(by: str, texts: Sequence[str]) -> bool | None:
    """Tell whether short dates such as 31/3/24 have the day first; None without short dates."""
    short = [match for match in map(_SHORT.match, texts) if match]
    if not short:
        return None
    day = any(int(match[1]) > 12 for match in short)
    month = any(int(match[3]) > 12 for match in short)
    if day and month:
        raise IaaError(
            f"{keyword('by', by)} has dates with the day first and with the month first: write "
            "them as 2024-03-31"
        )
    if day or month:
        return day
    if all(match[2] == "." for match in short):
        return True
    raise IaaError(
        f"{keyword('by', by)}: dates such as {short[0][0]!r} may have the day or the month first: "
        "write them as 2024-03-31"
    )
