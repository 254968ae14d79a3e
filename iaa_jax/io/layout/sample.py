"""A sample of a table, from which its layout is inferred."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual_names import ANNOTATOR, WITH_MONTH, named_like_records, usual_name
from iaa_jax.io.table.cells import Missing
from iaa_jax.io.table.coded import known_cells, text_column
from iaa_jax.io.table.head import FileColumns, Head
from iaa_jax.io.table.json_cells import holders
from iaa_jax.io.table.lists import are_lists
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.source import Source

LARGE = 20_000_000  # maximum size of files in bytes; of larger ones, only first rows are examined
MOST_CELLS = 800_000  # maximum number of cells examined
MOST_COLUMNS = 200  # maximum number of columns; of wider tables, only first rows are examined
LONGEST = 60  # maximum number of characters of a name
WORDS = 4  # maximum number of words of a name
SEEN = 2_000  # number of distinct cells from which the kind of a column is inferred
ID = 0.8  # share of distinct cells above which a column holds ids or texts
FEWEST = 5  # minimum number of rows in which a regularity is not due to chance
STAMPS = (631_152_000, 1 << 31)  # start of 1990, and a time in 2038, in seconds since 1970
SCALE = 12  # number of distinct numbers above which a column is a numeric scale
NUMBERED = 20  # minimum number of rows whose consecutive numbers are not due to chance
LONG = 20  # number of digits that no row number has

_TIME = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[./]\d\d?[./]\d{2,4}( .*)?|\d\d?:\d\d(:\d\d.*)?|"
    rf"https?://.*|{WITH_MONTH}",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class SampledColumn:
    """A column: its distinct cells, and for each row the index of its cell (-1 if empty)."""

    name: str
    codes: Integers
    known: Sequence[str]

    @cached_property
    def filled(self) -> NDArray[np.bool_]:
        """A mask of the rows with a value."""
        return np.asarray(self.codes >= 0)

    @cached_property
    def count(self) -> int:
        """The number of rows with a value."""
        return int(self.filled.sum())

    @property
    def distinct(self) -> int:
        """The number of distinct cells."""
        return len(self.known)

    @cached_property
    def numbers(self) -> Floats | None:
        """The number in each distinct cell; None unless all are finite numbers."""
        if not self.known or any(isinstance(cell, str) for cell in self.spelt):
            return None
        numbers = np.array(self.spelt, dtype=np.float64)
        return numbers if np.isfinite(numbers).all() else None

    @cached_property
    def spelt(self) -> Sequence[object]:
        """The distinct cells, each as the function `spelt` writes it."""
        return [*map(spelt, self.known)]

    @cached_property
    def labels(self) -> frozenset[object]:
        """The set of distinct cells, each as the function `spelt` writes it."""
        return frozenset(self.spelt)

    @cached_property
    def written(self) -> frozenset[object]:
        """The set of distinct cells, each as the function `as_written` returns it."""
        return frozenset(map(as_written, self.known))

    @cached_property
    def is_fraction(self) -> bool:
        """Whether the cells are numbers, some of them with fractions."""
        return self.numbers is not None and bool((self.numbers % 1 != 0).any())

    @cached_property
    def are_counts(self) -> bool:
        """Whether every row has a whole number of at least 0."""
        numbers = self.numbers
        if numbers is None or self.is_fraction or not self.filled.all():
            return False
        return bool((numbers >= 0).all())

    @cached_property
    def are_texts(self) -> bool:
        """Whether some cell is too long, or has too many words, for a name."""
        return any(len(cell) > LONGEST or len(cell.split()) > WORDS for cell in self.known[:SEEN])

    @cached_property
    def are_times(self) -> bool:
        """Whether the cells are dates, times or addresses."""
        return bool(self.known) and all(map(_TIME.fullmatch, self.known[:SEEN]))

    @cached_property
    def may_be_stamps(self) -> bool:
        """Whether there are many distinct numbers, which may all be times in seconds since 1970."""
        numbers = self.numbers
        if numbers is None or self.distinct <= SCALE:
            return False
        return bool((numbers >= STAMPS[0]).all() and (numbers < STAMPS[1]).all())

    @cached_property
    def are_lists(self) -> bool:
        """Whether the cells are lists."""
        return are_lists(self.known[:SEEN])

    @property
    def tells_apart(self) -> bool:
        """Whether no row is empty, and no two rows have the same cell."""
        return self.distinct == len(self.codes)

    @cached_property
    def ascends(self) -> bool:
        """Whether every row has a larger whole number than the row above; text never ascends."""
        known = self.tells_apart and self.numbers is not None and not self.is_fraction
        return known and self.count >= FEWEST and bool((np.diff(self.values()) > 0).all())

    @cached_property
    def are_ids(self) -> bool:
        """Whether nearly all cells differ; numbers count only in a column named like metadata."""
        named = self.numbers is None or named_like_records(self.name)
        return named and self.count >= FEWEST and self.distinct > ID * self.count

    @property
    def recurs(self) -> bool:
        """Whether there are two distinct cells, or more that on average occur at least twice."""
        return 1 < self.distinct <= max(2, self.count / 2)

    @cached_property
    def numbers_alone(self) -> Floats:
        """The number in each row; NaN if the cell is empty or text."""
        numbers = [np.nan if isinstance(cell, str) else cell for cell in self.spelt]
        return np.array([*numbers, np.nan], dtype=np.float64)[self.codes]

    def values(self) -> Floats:
        """Return the value of each row as a number (a code for text); NaN if empty."""
        numbers = (
            np.arange(self.distinct, dtype=np.float64) if self.numbers is None else self.numbers
        )
        return np.append(numbers, np.nan)[self.codes]


@dataclass(frozen=True)
class Sample:
    """Sampled columns of a table, by name."""

    columns: Mapping[str, SampledColumn]
    start: Head
    rows: int

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [*self.columns]

    @cached_property
    def has_annotators(self) -> bool:
        """Whether a column with a usual name holds the annotators."""
        name = usual_name(self.names, ANNOTATOR)
        return name is not None and self.columns[name].recurs

    @property
    def filled(self) -> set[str]:
        """The names of columns with values."""
        return {name for name, cells in self.columns.items() if cells.distinct}

    def labels_of(self, names: Iterable[str]) -> dict[str, frozenset[object]]:
        """Return the distinct labels of the given columns."""
        known = {name: self.columns[name].labels for name in names if name in self.columns}
        return {name: labels for name, labels in known.items() if labels}

    def counts_rows(self, name: str) -> bool:
        """Tell whether a column only numbers the rows."""
        return counts_rows(self.start, name)

    def joined(self, names: Sequence[str]) -> Integers:
        """Return the code of each row's values in several columns; -1 if one is empty."""
        codes = self.columns[names[0]].codes.astype(np.int64)
        for name in names[1:]:
            other = self.columns[name]
            both = codes * (other.distinct + 1) + other.codes
            lacking = (codes < 0) | (other.codes < 0)
            known, codes = np.unique(np.where(lacking, -1, both), return_inverse=True)
            codes = codes.reshape(-1) - int(known[0] == -1)
        return codes


def counts_rows(start: Head, name: str) -> bool:
    """Tell whether a column only numbers the rows, as ids of ratings do."""
    cells = start.column(name)
    # a number with thousands of digits numbers nothing, and Python refuses to parse it
    numbers = [int(cell) for cell in cells if cell.isdecimal() and len(cell) < LONG]
    one_more = [number + 1 for number in numbers[:-1]] == numbers[1:]
    return len(numbers) == len(cells) >= NUMBERED and one_more


def as_written(cell: str) -> object:
    """Return a numeric cell as a number (a decimal comma is allowed); other cells unchanged."""
    number = parse_number(cell.replace(",", ".", 1))
    return cell if number is None else float(number)


def spelt(cell: str) -> object:
    """Return a numeric cell as a number, any other in one spelling.

    Examples
    --------
    >>> spelt("1,50"), spelt("Not  Sure ")
    (1.5, 'not sure')
    """
    value = as_written(cell)
    return " ".join(value.casefold().split()) if isinstance(value, str) else value


def distinct(keys: Integers) -> Integers:
    """Return the distinct keys in order; sorting takes a tenth of the time of hashing."""
    ordered = np.sort(keys)
    different: Integers = ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0]
    return different


def side_by_side(columns: Sequence[SampledColumn]) -> Integers:
    """Return the cells of columns as one grid (column, row) with common codes; -1 if empty."""
    number: dict[object, int] = {}
    grid = [
        np.append([number.setdefault(value, len(number)) for value in cells.spelt], -1)[cells.codes]
        for cells in columns
    ]
    return np.array(grid, dtype=np.int64)


def sample(sources: Sequence[Source]) -> Sample:
    """Sample a table; of large or very wide files, only the first rows."""
    start = head(sources[0])
    names = _names(start)
    large = sum(source.size() for source in sources) > LARGE
    if large or not 0 < len(names) <= MOST_COLUMNS:
        return sample_head(start)
    most = MOST_CELLS // max(1, len(names))
    same = [source for source in sources if {*names} <= {*head(source).names}]
    parts = [table(source, names) for source in same]
    whole = columns_of(parts, names, Missing())
    columns = {name: _first(cells, most) for name, cells in whole.items()}
    rows = min(most, sum(part.rows for part in parts))
    return Sample(columns, start, rows)


def columns_of(
    parts: Sequence[FileColumns], names: Sequence[str], missing: Missing
) -> dict[str, SampledColumn]:
    """Return the given columns from all parts of a table."""
    columns = {}
    for name in names:
        cells = [each for part in parts for each in part.column(name)]
        (codes, known), _ = known_cells(cells, missing)
        columns[name] = SampledColumn(name, np.asarray(codes), list(map(str, known)))
    return columns


def sample_head(start: Head, missing: Missing = Missing()) -> Sample:  # noqa: B008
    """Return a sample of the first rows."""
    names = _names(start)
    rows = len(start.column(names[0])) if names else 0
    part = FileColumns(rows, lambda name: text_column(start.column(name)), str)
    return Sample(columns_of([part], names, missing), start, rows)


def _names(start: Head) -> list[str]:
    """Return the columns with unique names, except those that hold objects."""
    objects, times = holders(start.names), Counter(start.names)
    return [name for name in times if times[name] == 1 and name not in objects]


def _first(cells: SampledColumn, most: int) -> SampledColumn:
    if len(cells.codes) <= most:
        return cells
    codes = cells.codes[:most]
    used = int(codes.max(initial=-1)) + 1  # codes of cells are in the order of their first rows
    return SampledColumn(cells.name, codes, cells.known[:used])
