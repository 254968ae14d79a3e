"""When each item was rated: numbers, dates or ordered batches, read off a coordinate."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.engine.problem import Floats

ORDER = "order"
"""Where there is no coordinate of that name: the place of each item among the items."""

FEW_TIMES = 12
"""Distinct numbers or dates up to which each is a batch, unless a bandwidth is given."""

MOST_BATCHES = 200
"""Batches beyond which texts are taken for something else."""

_EPOCH = (946_684_800, 4_102_444_800)  # 2000 to 2100, in seconds since 1970
_STAMP = re.compile(r"time|date|stamp|created|updated|modified|submitted", re.IGNORECASE)
_DATE = re.compile(
    r"\d{4}-\d{1,2}(-\d{1,2})?([T ].*)?|\d{4}[./]\d{1,2}[./]\d{1,2}\b.*"
    r"|\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})\b.*"
    r"|.*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*\d.*",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(\d{1,2})([./-])(\d{1,2})[./-](?:\d{4}|\d{2})\b")
_DAY = np.timedelta64(1, "D") / np.timedelta64(1, "us")


@dataclass(frozen=True)
class Times:
    """The place of each item in time.

    Attributes
    ----------
    position : array (item,)
        On the axis on which trends are measured: days since the first, numbers as they stand, or
        batches counted from 1. NaN where nothing is known.
    unit : str
        What a step of 1 is.
    batches : array or None
        The positions of the batches, in order; None where time is continuous.
    read_as : str
        What was taken for what, in words.
    in_order : bool
        False where batches stand as they first appear: that order need not mean anything.
    """

    by: str
    position: Floats
    unit: str
    read_as: str
    batches: Floats | None = None
    names: NDArray[Any] | None = None
    origin: np.datetime64 | None = None
    in_order: bool = True

    def shown(self, position: Floats) -> NDArray[Any]:
        """Positions as the coordinate has them: dates, numbers, or the batches' names."""
        position = np.asarray(position, dtype=np.float64)
        if self.names is not None and self.batches is not None:
            known = np.isfinite(position)
            place = np.searchsorted(self.batches, np.where(known, position, self.batches[0]))
            named = self.names[np.clip(place, 0, len(self.names) - 1)]
            return np.where(known, named, "")
        if self.origin is None:
            return position
        ticks = np.rint(np.nan_to_num(position) * _DAY).astype("timedelta64[us]")
        dates = (self.origin.astype("datetime64[us]") + ticks).astype("datetime64[ns]")
        return np.where(np.isfinite(position), dates, np.datetime64("NaT", "ns"))


def times_of(
    ratings: xr.Dataset,
    by: str,
    continuous: bool = False,
    order: Sequence[Any] | None = None,
) -> Times:
    """The times of the items; ``continuous`` where few numbers or dates are no batches."""
    names = ratings["item"].values
    values = _values(ratings, by)
    if order is not None:
        texts = np.array([_text(value) for value in values.tolist()], object)
        return _of_batches(by, texts, [_text(value) for value in order])
    return times_from(by, values, lambda place: f"item {names[place]}", continuous)


def _text(value: Any) -> str:
    if _is_nothing(value):
        return ""
    return f"{value:.15g}" if isinstance(value, float) else str(value).strip()


def times_from(
    by: str, values: NDArray[Any], where: Callable[[int], str], continuous: bool = False
) -> Times:
    """Times of any cells; ``where`` says of a place where it stands."""
    if values.dtype.kind == "M":
        return _of_dates(by, values, "dates", continuous)
    if values.dtype.kind in "iuf":
        return _of_numbers(by, values.astype(np.float64), continuous)
    if values.dtype.kind == "m":
        days = values / np.timedelta64(1, "D")
        return _of_numbers(by, np.asarray(days, dtype=np.float64), continuous, "day")
    objects = values.tolist()
    texts = np.array(
        ["" if _is_nothing(value) else str(value).strip() for value in objects], object
    )
    distinct = sorted({text for text in texts.tolist() if text})
    if not distinct:
        message = f"by={by!r} is empty for every item: name a coordinate with times or batches"
        raise IaaError(message)
    numbers = [_number(text) for text in distinct]
    if None not in numbers:
        found = dict(zip(distinct, numbers, strict=True))
        return _of_numbers(
            by, np.array([found.get(text, np.nan) for text in texts.tolist()], float), continuous
        )
    dated = [text for text in distinct if _DATE.fullmatch(text)]
    if 2 * len(dated) > len(distinct):
        dates, read_as = dates_of(by, distinct, _first(texts, where))
        found_dates = dict(zip(distinct, dates, strict=True))
        nothing = np.datetime64("NaT", "us")
        stamps = np.array(
            [found_dates.get(text, nothing) for text in texts.tolist()], dtype="datetime64[us]"
        )
        return _of_dates(by, stamps, read_as, continuous)
    return _of_batches(by, texts)


def dates_of(
    by: str, texts: Sequence[str], where: Callable[[str], str]
) -> tuple[NDArray[Any], str]:
    """Distinct texts as dates, and how they were read; refused where they can be read two ways."""
    first = _day_first(by, texts)
    zoned = any(re.search(r":\d{2}.*(Z|[+-]\d{2}:?\d{2})$", text) for text in texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas, on formats that differ: each is read alone
        found = pd.to_datetime(
            pd.Series(list(texts), dtype="object"),
            format="mixed",
            dayfirst=bool(first),
            errors="coerce",
            utc=True,
        ).dt.tz_localize(None)
    missing = found.isna().tolist()
    lost = [text for text, none in zip(texts, missing, strict=True) if none]
    if lost:
        places = ", ".join(f"{text!r}{where(text)}" for text in lost[:3])
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        message = (
            f"by={by!r} holds dates, but also {places}{more}: write them as 2024-03-31 or leave "
            "them empty"
        )
        raise IaaError(message)
    order = {True: ", day first", False: ", month first", None: ""}[first]
    zone = ", in UTC" if zoned else ""
    return found.to_numpy(dtype="datetime64[us]"), f"text as dates{order}{zone}"


def _day_first(by: str, texts: Sequence[str]) -> bool | None:
    """Whether short dates have the day first; None where there are none."""
    short = [found for text in texts if (found := _SHORT.match(text))]
    if not short:
        return None
    day = any(int(found[1]) > 12 for found in short)
    month = any(int(found[3]) > 12 for found in short)
    if day and month:
        message = (
            f"by={by!r} has dates with the day first and with the month first: write them as "
            "2024-03-31"
        )
        raise IaaError(message)
    if not day and not month:
        if all(found[2] == "." for found in short):
            return True
        message = (
            f"by={by!r}: dates such as {short[0][0]!r} may have the day or the month first: write "
            "them as 2024-03-31"
        )
        raise IaaError(message)
    return day


def _values(ratings: xr.Dataset, by: str) -> NDArray[Any]:
    if by in ratings.coords and ratings[by].dims == ("item",):
        return np.asarray(ratings[by].values)
    if by in ratings.coords:
        axis = ", ".join(map(str, ratings[by].dims)) or "nothing"
        message = f"by={by!r} stands along {axis}: drift needs a time or batch of each item"
        raise IaaError(message)
    if by == ORDER:
        return np.arange(1, ratings.sizes["item"] + 1)
    others = [
        str(name)
        for name, coordinate in ratings.coords.items()
        if coordinate.dims == ("item",) and name != "item"
    ]
    hint = f"the coordinates are {shown(others, 12)}" if others else "there is none"
    message = (
        f"by={by!r} names no coordinate along items: {hint}; by={ORDER!r} takes the items in the "
        "order in which they stand"
    )
    raise IaaError(message)


def _first(texts: NDArray[Any], where: Callable[[int], str]) -> Callable[[str], str]:
    return lambda text: f" ({where(int(np.flatnonzero(texts == text)[0]))})"


def middle_times(
    by: str, cells: NDArray[Any], place: NDArray[np.intp], size: int
) -> NDArray[Any] | None:
    """Of cells that belong to the ratings of items, the middle time of each item.

    ``place`` is the item of each cell, -1 for none. None where the cells are batches.
    """
    times = times_from(by, cells, lambda row: f"row {row + 1}", continuous=True)
    if times.names is not None:
        return None
    held = (place >= 0) & np.isfinite(times.position)
    # of an even number the earlier: a time between two would be one at which nobody rated
    groups = pd.Series(times.position[held]).groupby(place[held])
    middle = groups.quantile(0.5, interpolation="lower")
    position = np.full(size, np.nan)
    position[middle.index.to_numpy()] = middle.to_numpy()
    return times.shown(position)


def _of_numbers(by: str, position: Floats, continuous: bool, unit: str = "") -> Times:
    position = np.where(np.isfinite(position), position, np.nan)
    known = position[np.isfinite(position)]
    if not len(known):
        message = f"by={by!r} is empty for every item: name a coordinate with times or batches"
        raise IaaError(message)
    dates = _written_as_days(known)
    if dates is not None:
        stamps = np.full(len(position), np.datetime64("NaT", "us"), dtype="datetime64[us]")
        stamps[np.isfinite(position)] = dates
        return _of_dates(by, stamps, "numbers as dates (year, month, day)", continuous)
    for scale, name in ((1.0, "seconds"), (1e3, "milliseconds")):
        within = known.min() >= _EPOCH[0] * scale and known.max() <= _EPOCH[1] * scale
        if within and _STAMP.search(by):
            stamps = np.full(len(position), np.datetime64("NaT", "us"), dtype="datetime64[us]")
            ticks = np.rint(known / scale * 1e6).astype("timedelta64[us]")
            stamps[np.isfinite(position)] = np.datetime64("1970-01-01", "us") + ticks
            return _of_dates(by, stamps, f"numbers as {name} since 1970, in UTC", continuous)
    distinct = np.unique(known)
    unit = unit or ("item" if by == ORDER else f"unit of {by}")
    if len(distinct) <= FEW_TIMES and not continuous:
        return Times(by, position, unit, "numbers, each a batch", distinct)
    return Times(by, position, unit, "numbers")


def _written_as_days(known: Floats) -> NDArray[Any] | None:
    """Numbers such as 20240331 as dates, where all are."""
    if not (known % 1 == 0).all() or known.min() < 19000101 or known.max() > 21001231:
        return None
    texts = known.astype(np.int64).astype(str)
    found = pd.to_datetime(pd.Series(texts), format="%Y%m%d", errors="coerce")
    return None if found.isna().any() else found.to_numpy(dtype="datetime64[us]")


def _of_dates(by: str, dates: NDArray[Any], read_as: str, continuous: bool) -> Times:
    stamps = np.asarray(dates, dtype="datetime64[us]")
    known = ~np.isnat(stamps)
    if not known.any():
        message = f"by={by!r} is empty for every item: name a coordinate with times or batches"
        raise IaaError(message)
    origin = stamps[known].min()
    position = np.full(len(stamps), np.nan)
    position[known] = (stamps[known] - origin) / np.timedelta64(1, "us") / _DAY
    distinct = np.unique(position[known])
    if len(distinct) <= FEW_TIMES and not continuous:
        return Times(by, position, "day", f"{read_as}, each a batch", distinct, origin=origin)
    return Times(by, position, "day", read_as, origin=origin)


def _of_batches(by: str, texts: NDArray[Any], order: Sequence[str] | None = None) -> Times:
    distinct = list(dict.fromkeys(text for text in texts.tolist() if text))
    if not distinct:
        message = f"by={by!r} is empty for every item: name a coordinate with times or batches"
        raise IaaError(message)
    if len(distinct) > MOST_BATCHES:
        message = (
            f"by={by!r} has {len(distinct):,} different texts ({shown(distinct, 3)}), which are no "
            f"dates and too many for batches (at most {MOST_BATCHES}): name a column with dates, "
            f"numbers or batches, or by={ORDER!r} for the items as they stand"
        )
        raise IaaError(message)
    if order is None:
        distinct, read_as, in_order = _ordered(distinct)
    else:
        distinct, read_as, in_order = (
            _given(by, distinct, order),
            "batches in the order given",
            True,
        )
    place = {text: float(number) for number, text in enumerate(distinct, 1)}
    position = np.array([place.get(text, np.nan) for text in texts.tolist()])
    names = np.array(distinct, dtype=object)
    batches = np.arange(1.0, len(distinct) + 1)
    return Times(by, position, "batch", read_as, batches, names, in_order=in_order)


def _given(by: str, distinct: Sequence[str], order: Sequence[str]) -> list[str]:
    """The order that was said, which names every batch once."""
    for problem, names in (
        ("names twice", [name for name in dict.fromkeys(order) if list(order).count(name) > 1]),
        (f"names what {by!r} does not hold", [name for name in order if name not in distinct]),
        ("leaves out", [name for name in distinct if name not in order]),
    ):
        if names:
            message = f"order= {problem}: {shown(names, 3)}; {by!r} holds {shown(distinct, 12)}"
            raise IaaError(message)
    return list(order)


def _ordered(distinct: list[str]) -> tuple[list[str], str, bool]:
    """Batches by their numbers, months, days of the week; else as they first appear."""
    small = [text.casefold().rstrip(".") for text in distinct]
    for known, said in (
        (_MONTHS, "months in the order of the calendar"),
        (_WEEKDAYS, "days of the week, from Monday"),
    ):
        names = {name[:size]: place for place, name in enumerate(known) for size in (3, len(name))}
        places = [names.get(text, -1) for text in small]
        if min(places) >= 0 and len(set(places)) == len(places):
            ranks = np.argsort(places).tolist()
            return [distinct[place] for place in ranks], f"{said}; --order says another", True
    stems = {re.sub(r"[\W_]+", "", re.split(r"\d", text, maxsplit=1)[0]) for text in small}
    numbered = all(re.search(r"\d", text) for text in small)
    if (len(stems) == 1 and numbered) or len(distinct) == 1:
        return sorted(distinct, key=natural), "batches in natural order", True
    said = f"order: as they first appear: {shown(distinct, 6)}; --order says another"
    return distinct, said.replace("'", ""), False


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def natural(text: str) -> list[tuple[int, float, str]]:
    """A key to sort by: numbers inside a text by their value.

    Examples
    --------
    >>> sorted(["batch 10", "batch 2", "batch 1"], key=natural)
    ['batch 1', 'batch 2', 'batch 10']
    """
    parts = re.split(r"(\d+)", text.casefold())
    return [(0, float(part), "") if part.isdecimal() else (1, 0.0, part) for part in parts if part]


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) and "_" not in text else None


def _is_nothing(value: Any) -> bool:
    return value is None or value is pd.NaT or value == "" or bool(value != value)
