"""The times at which items were rated: numbers, dates or ordered batches, from a coordinate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, NoReturn

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Values
from iaa_jax.data.coordinates import what_there_is
from iaa_jax.data.groups import natural
from iaa_jax.data.usual_names import mostly_dates
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.dates import dates_of_numbers, dates_of_texts
from iaa_jax.wording import Note, formats, keyword, named

ORDER = "order"
"""Name that stands for the order of the items, unless a coordinate has this name."""

FEW_TIMES = 12
"""Maximum number of distinct numbers or dates that count as batches, unless time is continuous."""

MOST_BATCHES = 200
"""Maximum number of batches; a column with more distinct texts does not hold batches."""

_DAY = np.timedelta64(1, "D") / np.timedelta64(1, "us")


@dataclass(frozen=True)
class Times:
    """The position of each item in time.

    Attributes
    ----------
    position : array (item,)
        Position on the time axis: days since the first date, the numbers themselves, or batches
        counted from 1. NaN where unknown.
    batches : array or None
        The positions of the batches, in order; None if time is continuous.
    names : array or None
        The names of the batches, if they are text.
    origin : datetime64 or None
        The date at position 0.
    in_order : bool
        Whether the order of batches is meaningful; False if they are in order of first appearance.
    middle : bool
        Whether ratings have times of their own; the time of an item is then their lower median.
    each : array (item, rating) or None
        The positions of ratings that have times of their own.
    """

    by: str
    position: Floats
    unit: str
    read_as: Note
    batches: Floats | None = None
    names: Values | None = None
    origin: np.datetime64 | None = None
    in_order: bool = True
    middle: bool = False
    each: Floats | None = None

    def coordinate_of(self, position: Floats) -> Values:
        """Return positions as values of the coordinate: dates, numbers, or names of batches."""
        position = np.asarray(position, dtype=np.float64)
        if self.names is not None and self.batches is not None:
            known = np.isfinite(position)
            index = np.searchsorted(self.batches, np.where(known, position, self.batches[0]))
            name = self.names[np.clip(index, 0, len(self.names) - 1)]
            return np.where(known, name, "")
        if self.origin is None:
            return position
        ticks = np.rint(np.nan_to_num(position) * _DAY).astype("timedelta64[us]")
        dates = (self.origin.astype("datetime64[us]") + ticks).astype("datetime64[ns]")
        return np.where(np.isfinite(position), dates, np.datetime64("NaT", "ns"))

    def note_of(self, time: str | float | np.datetime64) -> Note:
        """Return a note that states a value of the coordinate in words."""
        if self.names is not None:
            return Note("at_batch", {"name": str(time)})
        if self.origin is not None:
            period = np.array([np.nanmin(self.position), np.nanmax(self.position)])
            others = self.coordinate_of(period if self.batches is None else self.batches)
            dates = np.array([*others, time], dtype="datetime64[ns]")
            return Note("at_date", {"date": formats.times(dates)[-1]})
        code = "at_item" if self.unit == "item" else "at_number"
        return Note(code, {"by": self.by, "number": float(time)})


class _Coordinate(NamedTuple):
    """The values of a coordinate, by item or by rating: dates, numbers, or names of batches."""

    values: Values  # datetime64, float64 or str objects
    read_as: Note
    unit: str = ""


def times_of(
    ratings: Rated, by: str, continuous: bool = False, order: Sequence[object] | None = None
) -> Times:
    """Return the times of the items; if ``continuous``, numbers and dates are never batches.

    ``order`` lists the names of the batches; values are then read as names.
    """
    items, values = ratings.item_names, values_by(ratings, by)
    batches = None if order is None else [_name_of(name) for name in order]
    if batches is not None:
        coordinate = _Coordinate(_texts(values, _name_of), Note("batches_given"))
    elif by == ORDER and by not in ratings.dataset.coords:
        coordinate = _Coordinate(values, Note("items_as_they_stand"), "item")
    else:
        per_item = values.size // len(items)
        coordinate = _read(by, values, lambda cell: f"item {items[cell // per_item]}")
    if values.ndim == 1:
        return _on_axis(by, coordinate, continuous, batches)
    if coordinate.values.dtype.kind == "O":
        coordinate = coordinate._replace(values=_same(by, coordinate.values, items))
        return _on_axis(by, coordinate, continuous, batches)
    of_ratings = coordinate.values
    middle = coordinate._replace(values=_middle(of_ratings))
    times = _on_axis(by, middle, continuous, batches)
    if times.origin is None:
        return replace(times, middle=True, each=of_ratings.astype(np.float64))
    passed = of_ratings.astype("datetime64[us]") - times.origin.astype("datetime64[us]")
    days = np.where(np.isnat(passed), np.nan, passed / np.timedelta64(1, "us") / _DAY)
    return replace(times, middle=True, each=days)


def values_by(ratings: Rated, by: str) -> Values:
    """Return the values of a coordinate along items, or along items and their ratings.

    For the name `ORDER`, they are the numbers of the items, unless a coordinate has this name.
    """
    coordinates = ratings.dataset.coords
    if by in coordinates:
        coordinate = coordinates[by]
        if "item" in coordinate.dims and coordinate.ndim <= 2:
            return np.asarray(coordinate.transpose("item", ...).values)
        axis = ", ".join(map(str, coordinate.dims)) or "nothing"
        raise IaaError(f"{keyword('by', by)} is along {axis}: it takes times or batches of items")
    in_order = ratings.are_in_order
    if by == ORDER and not in_order:
        raise IaaError(
            f"{keyword('by', ORDER)} needs items in their order, and these are counted by pattern: "
            f"keep times or batches as well, and name them with {named('by')}"
        )
    if by == ORDER:
        return np.arange(1.0, ratings.items + 1)
    others = [
        str(name)
        for name, coordinate in coordinates.items()
        if coordinate.dims[:1] == ("item",) and name != "item"
    ]
    otherwise = f"{keyword('by', ORDER)} takes the items in their order"
    if not in_order:
        otherwise = "patterns keep what they are compressed by"
    hint = f"{what_there_is(others, by)}; {otherwise}"
    raise IaaError(f"{keyword('by', by)} names no coordinate along items: {hint}")


def _read(by: str, values: Values, where: Callable[[int], str]) -> _Coordinate:
    kind = values.dtype.kind
    if kind == "M":
        return _Coordinate(values, Note("dates"))
    if kind == "m":
        days = values.astype("timedelta64") / np.timedelta64(1, "D")
        return _from_numbers(by, days)._replace(unit="day")
    if kind in "iuf":
        return _from_numbers(by, values.astype(np.float64))
    texts = _texts(values, lambda value: str(value).strip())
    distinct = sorted({text for text in texts.ravel().tolist() if text})
    if not distinct:
        _refuse_empty(by)
    numbers = [_number(text) for text in distinct]
    if None not in numbers:
        return _from_numbers(by, _looked_up(texts, distinct, numbers, np.nan).astype(np.float64))
    if not mostly_dates(distinct):
        return _Coordinate(texts, Note("batches"))
    dates, read_as = dates_of_texts(
        by, distinct, lambda text: where(int(np.flatnonzero(texts.ravel() == text)[0]))
    )
    stamps = _looked_up(texts, distinct, dates, np.datetime64("NaT", "us"))
    return _Coordinate(stamps.astype("datetime64[us]"), read_as)


def _from_numbers(by: str, values: Floats) -> _Coordinate:
    values = np.where(np.isfinite(values), values, np.nan)
    if np.isnan(values).all():
        _refuse_empty(by)
    dates = dates_of_numbers(by, values.ravel())
    if dates is not None:
        return _Coordinate(dates[0].reshape(values.shape), dates[1])
    return _Coordinate(values, Note("numbers"), f"unit of {by}")


def _middle(values: Values) -> Values:
    """Return the median of the times of each item's ratings (item, rating).

    For an even number of ratings, it is the earlier of the two middle times, so that it is a time
    at which somebody rated.
    """
    ascending = np.sort(values, axis=1)  # missing times are sorted last
    known = (~np.isnan(values)).sum(axis=1)
    index = np.maximum(known - 1, 0) // 2
    return np.asarray(np.take_along_axis(ascending, index[:, None], axis=1)[:, 0])


def _same(by: str, texts: Values, items: Values) -> Values:
    """Return each item's batch, which all its ratings must share."""
    by_item = [[text for text in dict.fromkeys(row) if text] for row in texts.tolist()]
    for item, names in zip(items, by_item, strict=True):
        if len(names) > 1:
            raise IaaError(
                f"{keyword('by', by)} has several batches for ratings of item {item} "
                f"({shown(names, 3)}), and batches have no median: name a coordinate of items, or "
                "times of the ratings"
            )
    return np.array([names[0] if names else "" for names in by_item], dtype=object)


def _on_axis(
    by: str, coordinate: _Coordinate, continuous: bool, order: Sequence[str] | None
) -> Times:
    values, read_as, unit = coordinate
    if values.dtype.kind == "O":
        return _from_batches(by, values, order)
    origin = None
    if values.dtype.kind != "M":
        position: Floats = np.asarray(values, dtype=np.float64)
    else:
        stamps, unit = values.astype("datetime64[us]"), "day"
        known = ~np.isnat(stamps)
        if not known.any():
            _refuse_empty(by)
        origin = stamps[known].min()
        position = np.full(len(stamps), np.nan)
        position[known] = (stamps[known] - origin) / np.timedelta64(1, "us") / _DAY
    distinct = np.unique(position[np.isfinite(position)])
    if len(distinct) <= FEW_TIMES and not continuous:
        note = Note("each_a_batch", {"values": read_as})
        return Times(by, position, unit, note, distinct, origin=origin)
    return Times(by, position, unit, read_as, origin=origin)


def _from_batches(by: str, texts: Values, order: Sequence[str] | None) -> Times:
    distinct = list(dict.fromkeys(text for text in texts.tolist() if text))
    if not distinct:
        _refuse_empty(by)
    if len(distinct) > MOST_BATCHES:
        raise IaaError(
            f"{keyword('by', by)} has {len(distinct):,} different texts ({shown(distinct, 3)}), "
            f"which are not dates and too many for batches (at most {MOST_BATCHES}): name a column "
            f"with dates, numbers or batches, or {keyword('by', ORDER)} for the items in their "
            "order"
        )
    if order is None:
        distinct, read_as, in_order = _ordered(distinct)
    else:
        distinct, read_as, in_order = _given_order(by, distinct, order), Note("batches_given"), True
    position_of = {text: float(number) for number, text in enumerate(distinct, 1)}
    position = np.array([position_of.get(text, np.nan) for text in texts.tolist()])
    names = np.array(distinct, dtype=object)
    batches = np.arange(1.0, len(distinct) + 1)
    return Times(by, position, "batch", read_as, batches, names, in_order=in_order)


def _given_order(by: str, distinct: Sequence[str], order: Sequence[str]) -> list[str]:
    for problem, names in (
        ("names twice", [name for name in dict.fromkeys(order) if list(order).count(name) > 1]),
        (f"names what {by!r} lacks", [name for name in order if name not in distinct]),
        ("leaves out", [name for name in distinct if name not in order]),
    ):
        if names:
            raise IaaError(
                f"{named('order')} {problem}: {shown(names, 3)}; {by!r} holds {shown(distinct, 12)}"
            )
    return list(order)


def _ordered(distinct: list[str]) -> tuple[list[str], Note, bool]:
    """Order batches by their numbers, months or weekdays; otherwise by first appearance."""
    small = [text.casefold().rstrip(".") for text in distinct]
    for known, code in ((_MONTHS, "months"), (_WEEKDAYS, "weekdays")):
        names = {name[:size]: index for index, name in enumerate(known) for size in (3, len(name))}
        ranks_of = [names.get(text, -1) for text in small]
        if min(ranks_of) >= 0 and len(set(ranks_of)) == len(ranks_of):
            ranks = np.argsort(ranks_of).tolist()
            return [distinct[index] for index in ranks], Note(code), True
    stems = {re.sub(r"[\W_]+", "", re.split(r"\d", text, maxsplit=1)[0]) for text in small}
    numbered = all(re.search(r"\d", text) for text in small)
    if (len(stems) == 1 and numbered) or len(distinct) == 1:
        return sorted(distinct, key=natural), Note("batches_natural"), True
    return distinct, Note("batches_as_seen", {"names": distinct}), False


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _texts(values: Values, text_of: Callable[[object], str]) -> Values:
    if values.dtype.kind == "M":
        dates = np.asarray(values, dtype=np.datetime64)
        values = np.where(np.isnat(dates), "", np.datetime_as_string(dates, unit="auto"))
    texts = ["" if _is_nothing(value) else text_of(value) for value in values.ravel().tolist()]
    return np.array(texts, dtype=object).reshape(values.shape)


def _name_of(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value).strip()


def _looked_up(
    texts: Values, distinct: Sequence[str], values: Iterable[object], missing: object
) -> Values:
    table = np.array([*values, missing])
    index_of = {text: number for number, text in enumerate(distinct)}
    return table[[index_of.get(text, -1) for text in texts.ravel().tolist()]].reshape(texts.shape)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) and "_" not in text else None


def _is_nothing(value: object) -> bool:
    return value is None or value == "" or bool(value != value)


def _refuse_empty(by: str) -> NoReturn:
    raise IaaError(
        f"{keyword('by', by)} is empty for every item: name another, with times or batches"
    )
