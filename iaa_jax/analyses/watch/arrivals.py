"""The items in the order in which they arrive and are watched; later items never change this order.

Items that came on the same day, in the same batch or with the same number are one arrival.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Values
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.times import ORDER, Times
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import counted

Indices = NDArray[np.intp]

_NAMED = 5
"""Maximum number of items named in an error."""

BEGIN_ANEW = f"to begin anew, delete or rename what {keyword('record')} names"
"""Advice at the end of errors about a record (earlier result) that does not match the ratings."""

_PAIR = 2

_AFTER = "after "
"""Prefix of an arrival's name, before the name of the earlier arrival that it followed."""

_OF_RATINGS, _OF_ANNOTATORS, _OF_CHANCES = -1, -2, -3
"""Seeds for the digests of ratings and for `chances`; users' seeds are never negative."""

_MIX = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True)
class Arrivals:
    """The items that have arrived, in the order in which they are watched.

    Attributes
    ----------
    items : array (watched,)
        Indices of the items in the ratings.
    ends : array (arrival,)
        Number of items up to and including each arrival.
    names : array (arrival,)
        Dates, numbers or names of batches, as text; numbers from 1 if there is no order.
    panel : array (watched,)
        Number of ratings of each item.
    notes : tuple of Note
        Notes on how times were read, and on items that are left out.
    """

    items: Indices
    ends: Indices
    names: Values
    panel: Indices
    notes: tuple[Note, ...] = ()

    @property
    def arrival_of(self) -> Indices:
        """The arrival of each item, counted from 0."""
        return np.repeat(np.arange(len(self.ends)), np.diff(self.ends, prepend=0))

    @property
    def pairable(self) -> NDArray[np.bool_]:
        """Which of the items have two ratings or more."""
        return self.panel >= _PAIR

    def after(self, seen: int) -> Arrivals:
        """Return the items after the first ``seen`` items, as a single arrival."""
        items, panel = self.items[seen:], self.panel[seen:]
        return Arrivals(items, np.array([len(items)]), self.names[-1:], panel)


def first_ratings(ratings: Rated, times: Times, number: int) -> tuple[Rated, Times]:
    """Return only the first ``number`` ratings of each item, if each rating has its own time.

    Ratings with the same time are ordered by the names of their annotators.
    """
    if times.each is None:
        return ratings, times
    codes = ratings.codes
    given = (codes.codes >= 0) & ~np.isnan(times.each)
    by_name = np.argsort(np.argsort(ratings.annotator_names.astype(str), kind="stable"))
    who = np.arange(given.shape[1]) if codes.annotator_of is None else codes.annotator_of
    times_given = np.where(given, times.each, np.inf)
    in_turn = np.lexsort((np.broadcast_to(by_name[who], given.shape), times_given), axis=1)
    turn = np.argsort(in_turn, axis=1, kind="stable")
    kept = given & (turn < number)
    if (kept == (codes.codes >= 0)).all():
        return ratings, times
    first = replace(codes, codes=np.where(kept, codes.codes, -1))
    return ratings.with_ratings(first), replace(times, each=np.where(kept, times.each, np.nan))


def arrivals_of(
    ratings: Rated,
    times: Times | None,
    seed: int,
    needed: int,
    record: xr.Dataset | None = None,
) -> Arrivals:
    """Return the items by arrival, in random order within an arrival.

    The random order depends only on the seed and the names of the items. An item has arrived once
    it has ``needed`` ratings.
    """
    number, names, notes = _by_times(ratings, times)
    ratings_each = ratings.identified.panel[ratings.identified.pattern_of]
    complete = ratings_each >= needed
    if waiting := int((~complete & (ratings_each > 0)).sum()):
        notes.append(Note("items_wait", {"items": waiting, "per_item": needed}))
    if unknown := int((complete & (number < 0)).sum()):
        notes.append(
            Note("without_arrival", {"items": unknown, "by": "" if times is None else times.by})
        )
    here = complete & (number >= 0)
    if record is not None:
        number, names = _after(
            ratings, number, names, here, record, needed, in_time=times is not None
        )
    if not here.any():
        raise IaaError(
            f"no item has arrived yet (an item needs {counted(needed, 'rating')}): nothing to watch"
        )
    places = np.flatnonzero(here)
    keys = _keys(ratings.item_names[places].tolist(), seed)
    items = places[np.lexsort((keys, number[places]))]
    arrived, first = np.unique(number[items], return_index=True)
    ends = np.append(first[1:], len(items))
    return Arrivals(items, ends, names[arrived], ratings_each[items], tuple(notes))


def _by_times(ratings: Rated, times: Times | None) -> tuple[Indices, Values, list[Note]]:
    """Return the arrival of each item (-1 if unknown), the names of the arrivals, and notes."""
    if times is None:
        single_arrival = np.zeros(ratings.items, dtype=np.intp)
        return single_arrival, np.array(["1"], dtype=object), []
    position = _whole(times, times.position)
    notes = [] if times.in_order else [Note("batches_as_seen", {"by": times.by})]
    if times.each is not None:
        each = _whole(times, times.each)
        known = ~np.isnan(each)
        first = np.where(known, each, np.inf).min(axis=1)
        last = np.where(known, each, -np.inf).max(axis=1)
        position = np.where(known.any(axis=1), last, np.nan)
        if several := int((first < last).sum()):
            notes.append(Note("over_arrivals", {"items": several}))
    if times.by == ORDER and times.unit == "item":
        notes.append(Note("as_they_stand"))
    known = np.isfinite(position)
    distinct, number = np.unique(position[known], return_inverse=True)
    arrival = np.full(len(position), -1, dtype=np.intp)
    arrival[known] = number
    return arrival, _names(times, distinct), notes


def _whole(times: Times, position: Floats) -> Floats:
    """Return dates as whole days since the first day, and other times unchanged."""
    if times.origin is None:
        return position
    origin = times.origin.astype("datetime64[us]")
    since_midnight = (origin - origin.astype("datetime64[D]")) / np.timedelta64(1, "D")
    return np.asarray(np.floor(position + float(since_midnight)))


def _names(times: Times, distinct: Floats) -> Values:
    names = times.coordinate_of(distinct)
    if times.origin is not None:
        return np.datetime_as_string(names.astype("datetime64[D]")).astype(object)
    texts = [f"{name:.15g}" if isinstance(name, float) else str(name) for name in names.tolist()]
    return np.array(texts, dtype=object)


def _after(
    ratings: Rated,
    number: Indices,
    names: Values,
    here: NDArray[np.bool_],
    record: xr.Dataset,
    needed: int,
    *,
    in_time: bool,
) -> tuple[Indices, Values]:
    """Return the arrival of each item, and the names of all arrivals, recorded ones first.

    Items that are not in the record (an earlier result) come after all its arrivals, even if they
    are dated earlier.
    """
    watched = {str(name): place for place, name in enumerate(record["item"].values.tolist())}
    texts = [str(name) for name in ratings.item_names.tolist()]
    place = np.array([watched.get(name, -1) for name in texts], dtype=np.intp)
    seen = (place >= 0) & here
    missing = watched.keys() - {texts[item] for item in np.flatnonzero(seen)}
    if missing:
        _refuse("items that were watched are missing now", missing)
    changed = seen & (digests_of(ratings) != record["digest"].values[place])
    if changed.any():
        names_of_changed = [texts[item] for item in np.flatnonzero(changed)]
        waits = f", and give {keyword('per_item', 3)} if items get three ratings in time"
        what = "items have different ratings than when they were watched"
        _refuse(what, names_of_changed, waits if needed <= _PAIR else "")
    before = record["arrived"].values.astype(np.intp) - 1
    arrival_names = [
        *dict(sorted(zip(before.tolist(), map(str, record["came"].values), strict=True))).values()
    ]
    new = here & ~seen
    late = new & (number <= number[seen].max(initial=-1))
    distinct = np.unique(number[new & ~late])
    arrival = len(arrival_names) + int(late.any()) + np.searchsorted(distinct, number)
    arrival = np.where(late, len(arrival_names), arrival)
    arrival = np.where(seen, before[place], arrival)
    if late.any():
        arrival_names.append(
            f"{_AFTER}{arrival_names[-1].removeprefix(_AFTER)}"
            if in_time
            else str(len(arrival_names) + 1)
        )
    return arrival, np.array([*arrival_names, *names[distinct].tolist()], dtype=object)


def _refuse(what: str, items: Collection[str], waits: str = "") -> NoReturn:
    raise IaaError(
        f"{what} ({len(items):,}: {shown(sorted(items), _NAMED)}), and counted ratings must not "
        f"change: {BEGIN_ANEW}{waits}"
    )


def _keys(names: Sequence[object], seed: int) -> NDArray[np.uint64]:
    """Return random numbers that depend only on the seed and the names."""
    key = hashlib.blake2b(str(int(seed)).encode()).digest()
    digests = (
        hashlib.blake2b(str(name).encode("utf-8", "surrogatepass"), digest_size=8, key=key)
        for name in names
    )
    return np.frombuffer(b"".join(each.digest() for each in digests), dtype=np.uint64)


def chances(names: Sequence[object]) -> Floats:
    """Return random numbers between 0 and 1 that depend only on the names."""
    return np.ldexp(_keys(names, _OF_CHANCES).astype(np.float64), -64)


def digests_of(ratings: Rated) -> Values:
    """Return a hexadecimal digest of each item's ratings; other columns do not affect it."""
    rows, places, annotators = ratings.codes.ratings()
    used, code = np.unique(ratings.codes.codes[rows, places], return_inverse=True)
    each = _keys([*_said(ratings, used)], _OF_RATINGS)[code]
    if not ratings.anonymous:
        each = each ^ _keys(ratings.annotator_names.tolist(), _OF_ANNOTATORS)[annotators]
    each = (each ^ (each >> np.uint64(29))) * _MIX
    total = np.zeros(ratings.items, dtype=np.uint64)
    np.add.at(total, rows, each ^ (each >> np.uint64(32)))
    return np.array([f"{value:016x}" for value in total.tolist()])


def _said(ratings: Rated, codes: Values) -> Iterable[str]:
    """Return the ratings that codes stand for as texts, which do not depend on the other labels."""
    labels = [*map(repr, map(str, ratings.label_names.tolist()))]
    if ratings.kind is Kind.NUMBERS:
        return map(repr, ratings.distinct_numbers[codes].tolist())
    if ratings.kind is Kind.LABELS:
        return (labels[code] for code in codes.tolist())
    if ratings.kind is Kind.DOUBLES:
        width = len(labels) + 1
        pairs = (divmod(code, width) for code in codes.tolist())
        return (f"{labels[primary]} {['', *labels][secondary]}" for primary, secondary in pairs)
    masses = ratings.distinct_masses[codes]
    return (
        " ".join(sorted(f"{labels[label]}:{row[label]!r}" for label in np.flatnonzero(row)))
        for row in masses
    )
