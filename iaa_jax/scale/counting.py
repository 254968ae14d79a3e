"""Count the items of long tables by their ratings, in a query of DuckDB.

The query groups the ratings of each item, even if they are far apart or in different files. It
packs them into integer keys, with a few bits for the label of each annotator, and counts items with
equal keys. With many annotators, lists of ratings replace keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.scale.files import File
from iaa_jax.scale.occurrences import Occurrences
from iaa_jax.scale.tally import Tally, annotators_of_a_key, bits_of, twice, united
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

MOST_KEYS = 6
"""Maximum number of keys per item; if more are needed, an item's ratings are kept as a list."""


class Counting:
    """Queries that count the items of long tables by their ratings.

    Grouping columns are the columns that a scan keeps (``by``). ``rounds``, if given, describes two
    rounds of annotation by the codes that each round has in the first grouping column. Annotators
    are then numbered separately in each round, whereas an item is the same in both rounds.

    Attributes
    ----------
    apart : list of int
        Positions of the grouping columns that describe items.
    of_annotators : dict
        For each of the other grouping columns, the code of each annotator's value.
    starts : list of int
        Number of the first annotator of each table or round, then the number of all annotators.
    nameless_rows : list of int
        For each table, the number of rows without a label that also lack an item or annotator.
    """

    def __init__(
        self, occurrences: Occurrences, rounds: tuple[Sequence[int], Sequence[int]] | None = None
    ) -> None:
        self.found, self.database, self.rounds = occurrences, occurrences.database, rounds
        self.labels = max(len(occurrences.labels.texts), 1)
        sizes = [len(each.texts) for each in occurrences.annotators] * (1 if rounds is None else 2)
        self.starts = [0, *np.cumsum(sizes).tolist()]
        self.annotators = self.starts[-1]
        self.many, self.width = annotators_of_a_key(self.labels), bits_of(self.labels)
        keys = -(-max(self.annotators, 1) // self.many)
        self.keys = keys if keys <= MOST_KEYS else 0
        self.apart = list(range(0 if rounds is None else 1, len(occurrences.by)))
        self.of_annotators: dict[int, dict[int, int]] = {}
        self.nameless_rows = [0] * len(occurrences.tables)
        self._create_tables()

    def _create_tables(self) -> None:
        occurrences, annotator_column = self.found, len(self.found.tables[0].items)
        for number, annotators in enumerate(occurrences.annotators):
            codes = {key: self.starts[number] + code for key, code in annotators.known.items()}
            self.database.create(f"annotators{number}", occurrences.kinds[annotator_column], codes)
        self.database.create(
            "labels", occurrences.kinds[annotator_column + 1], occurrences.labels.known
        )
        for place, by in enumerate(occurrences.by):
            self.database.create(
                f"by{place}", occurrences.kinds[annotator_column + 2 + place], by.known
            )

    def rows(self, file: File | None = None) -> str:
        """Return the SQL that selects the rows of a file, or of all files.

        The columns are the item ``i0``, ``i1``, ..., the table ``t``, and the codes of the
        annotator ``a``, the label ``l`` and the groups ``b0``, ``b1``, ...
        """
        count = len(self.found.tables[0].items)
        selected = []
        for part in self.found.parts:
            files = part.files if file is None else [f for f in part.files if f == file.path]
            if not files:
                continue
            annotator, where = "who.code", ""
            if self.rounds is not None:
                first, second = (f"({', '.join(map(str, codes))})" for codes in self.rounds)
                annotator = f"who.code + {self.starts[1]} * CAST(by0.code IN {second} AS INTEGER)"
                where = f" WHERE by0.code IN {first} OR by0.code IN {second}"
            columns = [f"k{place} AS i{place}" for place in range(count)]
            columns += [f"{part.table} AS t", f"{annotator} AS a", "labels.code AS l"]
            columns += [f"by{place}.code AS b{place}" for place in self.apart]
            joined = (
                f"LEFT JOIN annotators{part.table} AS who ON k{count} = who.key "
                f"LEFT JOIN labels ON k{count + 1} = labels.key"
            )
            for place in range(len(self.found.by)):
                joined += f" LEFT JOIN by{place} ON k{count + 2 + place} = by{place}.key"
            selected.append(
                f"SELECT {', '.join(columns)} FROM ({part.rows(files)}) {joined}{where}"
            )
        return " UNION ALL ".join(selected)

    def _query(self, file: File | None) -> str:
        item = [f"i{place}" for place in range(len(self.found.tables[0].items))]
        nameless = " OR ".join(f"{name} IS NULL" for name in item)
        rated, many = "l IS NOT NULL", self.many
        sums = [f"count(*) FILTER ({rated}) AS n"]
        for key in range(self.keys):
            in_key = f"{rated} AND a // {many} = {key}"
            sums += [
                f"coalesce(bit_or((l + 1)::BIGINT << (a % {many} * {self.width})) "
                f"FILTER ({in_key}), 0) AS k{key}",
                f"coalesce(bit_count(bit_or(1::BIGINT << (a % {many})) FILTER ({in_key})), 0) "
                f"AS p{key}",
            ]
        keys = [f"k{key}" for key in range(self.keys)] or ["k0"]
        different = " + ".join(f"p{key}" for key in range(max(self.keys, 1)))
        if not self.keys:
            sums.append(f"list_sort(list(a::BIGINT * {self.labels} + l) FILTER ({rated})) AS k0")
            sums.append(f"count(DISTINCT a) FILTER ({rated}) AS p0")
        mixed = []
        for place in self.apart:
            sums += [f"min(b{place}) AS b{place}", f"min(b{place}) <> max(b{place}) AS u{place}"]
            mixed.append(f"count(*) FILTER (u{place} AND NOT ({nameless})) AS unlike{place}")
        kept = ", ".join([*keys, *(f"b{place}" for place in self.apart)])
        return (
            f"WITH items AS (SELECT {', '.join([*item, *sums])} FROM ({self.rows(file)}) GROUP BY "
            f"{', '.join(item)}) SELECT {kept}, count(*) FILTER (NOT ({nameless})) AS items, "
            "max(n) AS panel, "
            f"sum(n - ({different}))::BIGINT AS again, {', '.join(['0 AS unlike', *mixed])}, "
            f"sum(CASE WHEN {nameless} THEN n ELSE 0 END)::BIGINT AS nameless "
            f"FROM items GROUP BY {kept}"
        )

    def tally(self, *, whole: bool) -> Tally:
        """Return the tally of the items of all files: counts of items with the same ratings.

        ``whole`` states that no item is in two files; files are then counted one after another.
        """
        steps = [file for table in self.found.tables for file in table.files] if whole else [None]
        parts, patterns, needed = [], 0, 0.0
        for file in steps:
            self.database.rows(f"CREATE OR REPLACE TEMP TABLE counted AS {self._query(file)}")
            self.database.next_step()
            unlike = "".join(f", sum(unlike{place})" for place in self.apart)
            (sums,) = self.database.rows(
                "SELECT count(*), max(panel), sum(panel), sum(nameless), sum(again)"
                f"{unlike} FROM counted"
            )
            new, slots, ratings, nameless, again, *unlike_rows = (int(each or 0) for each in sums)
            self._check(nameless, again)
            if mixed := [p for p, rows in zip(self.apart, unlike_rows, strict=True) if rows]:
                for place in mixed:
                    self._leave_to_annotators(place)
                return self.tally(whole=whole)
            patterns, needed = patterns + new, needed + self._room(new, slots, ratings)
            self._check_room(patterns, needed)
            parts.append(self._part())
        if whole:
            self._check_whole()
        if self.found.unlabelled:
            self._count_nameless()
        return united(parts)

    def _room(self, patterns: int, slots: int, ratings: int) -> float:
        keys = _ANNOTATOR * self.annotators if self.keys else 0
        return _PATTERN * patterns + max(
            _SLOT * slots * patterns + _RATING * ratings, keys * patterns
        )

    def _check_room(self, patterns: int, needed: float) -> None:
        memory = self.database.memory
        if needed > memory:
            fewer = f"leave {named('by')} out, " if self.apart else ""
            raise IaaError(
                f"{patterns:,} different patterns of ratings take about {_amount(needed)}, and "
                f"{_amount(memory)} may be used: give more with {named('memory')}, {fewer}or scan "
                "a random sample of the items"
            )

    def _count_nameless(self) -> None:
        items = (f"i{place} IS NULL" for place in range(len(self.found.tables[0].items)))
        lacking = f"l IS NULL AND (a IS NULL OR {' OR '.join(items)})"
        for table, rows in self.database.rows(
            f"SELECT t, count(*) FROM ({self.rows()}) WHERE {lacking} GROUP BY t"
        ):
            self.nameless_rows[table] = int(rows)

    def _check(self, nameless: int, again: int) -> None:
        names = self.found.tables[0].items
        if nameless:
            raise IaaError(
                f"{counted(nameless, 'rating')} without {shown(names)}: fill the column in, or "
                "remove these rows"
            )
        if again:
            items = ", ".join(f"i{place}" for place in range(len(names)))
            *item, annotator, _ = self.database.rows(
                f"SELECT {items}, a, count(*) FROM ({self.rows()}) WHERE l IS NOT NULL "
                "GROUP BY ALL HAVING count(*) > 1 LIMIT 1"
            )[0]
            number = np.searchsorted(self.starts, annotator, side="right") - 1
            every = self.found.annotators
            names = list(every[0 if self.rounds is not None else number].texts)
            example = (
                f", such as item {_joined(item)!r} by {names[annotator - self.starts[number]]!r}"
            )
            raise IaaError(twice(again, example))

    def _leave_to_annotators(self, place: int) -> None:
        """Record a grouping column that describes annotators; refuse one that describes ratings."""
        rows = self.rows()
        of_each = self.database.rows(
            f"SELECT a, min(b{place}), max(b{place}) FROM ({rows}) WHERE a IS NOT NULL GROUP BY a"
        )
        if all(first == last for _, first, last in of_each):
            self.of_annotators[place] = {a: -1 if b is None else b for a, b, _ in of_each}
            self.apart.remove(place)
            return
        items = ", ".join(f"i{number}" for number in range(len(self.found.tables[0].items)))
        *item, _, _ = self.database.rows(
            f"SELECT {items}, min(b{place}) AS first, max(b{place}) AS last FROM ({rows}) "
            f"GROUP BY {items} HAVING first <> last LIMIT 1"
        )[0]
        raise IaaError(
            f"{self.found.tables[0].by[place]!r} describes single ratings, not items or "
            f"annotators: item {_joined(item)!r} has several values of it, and so has an annotator"
        )

    def _check_whole(self) -> None:
        """Refuse items that are in several files."""
        keys = [f"k{place}" for place in range(len(self.found.tables[0].items))]
        item, known = ", ".join(keys), " AND ".join(f"{key} IS NOT NULL" for key in keys)
        files = [(part, file) for part in self.found.parts for file in part.files]
        rows = " UNION ALL ".join(
            f"SELECT {item}, hash({item}) AS h, {number} AS f FROM ({part.rows([file])}) "
            f"WHERE {known}"
            for number, (part, file) in enumerate(files)
        )
        in_two_files = "HAVING min(f) <> max(f)"
        ((again,),) = self.database.rows(
            f"SELECT count(*) FROM (SELECT {item} FROM ({rows}) WHERE h IN "
            f"(SELECT h FROM ({rows}) GROUP BY h {in_two_files}) GROUP BY {item} {in_two_files})"
        )
        if again:
            raise IaaError(
                f"{counted(again, 'item')} in several files, contrary to {named('items_whole')}: "
                "without this option, the ratings of each item are brought together"
            )

    def _part(self) -> Tally:
        keys = [f"k{key}" for key in range(self.keys)]
        kept = ", ".join([*keys, *(f"b{place}" for place in self.apart), "items", "panel"])
        columns = self.database.columns(f"SELECT {kept} FROM counted")
        known = np.asarray(columns["items"]) > 0
        count = np.asarray(columns["items"], dtype=np.float64)[known]
        groups = tuple(
            np.ma.filled(columns[f"b{place}"], -1)[known].astype(np.int64) for place in self.apart
        )
        if not self.keys:
            listed = self.database.columns("SELECT unnest(k0) AS r FROM counted")["r"]
            laid = _laid(np.asarray(listed), np.asarray(columns["panel"]))
            return Tally(laid[known], count, groups)
        by_annotator = []
        for annotator in range(self.annotators):
            key = np.asarray(columns[f"k{annotator // self.many}"], dtype=np.int64)[known]
            label = ((key >> (annotator % self.many * self.width)) & ((1 << self.width) - 1)) - 1
            rating = np.where(label < 0, _NONE, annotator * self.labels + label)
            by_annotator.append(rating)
        ratings = np.sort(np.stack(by_annotator, axis=1), axis=1)
        ratings[ratings == _NONE] = -1
        used = max(int(np.count_nonzero((ratings >= 0).any(axis=0))), 1)
        return Tally(ratings[:, :used], count, groups)


_PATTERN, _SLOT, _RATING, _ANNOTATOR = 100, 40, 100, 25
"""Bytes that a pattern, a slot, a rating and an annotator take while patterns become arrays."""

_NONE = np.iinfo(np.int64).max
"""Number for a missing rating while ratings are sorted, so that it comes last."""


def _laid(ratings: Integers, panel: Integers) -> Integers:
    """Return ratings, which are listed row after row, as an array (row, slot), padded with -1.

    ``panel`` is the number of ratings of each row.
    """
    slots = np.arange(max(int(panel.max(initial=0)), 1))
    laid = np.full((len(panel), len(slots)), -1, dtype=np.int64)
    laid[slots < panel[:, None]] = ratings
    return laid


def _amount(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size > 1e9 else f"{size / 1e6:,.0f} MB"


def _joined(item: Sequence[Any]) -> str:
    """Join the parts of an item's name, from several columns, as `iaa_jax.read` does."""
    return JOINT.join(map(str, item))
