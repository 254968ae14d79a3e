"""Find the annotators, labels and values of grouping columns in the files of long tables.

A long table has one row per rating. Grouping columns are the columns that a scan keeps
(``by``). Values keep the order of their first rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.io.table.cells import BLANK, Missing
from iaa_jax.scale.cells import Distinct, comparable, named
from iaa_jax.scale.database import Database
from iaa_jax.scale.files import File, FileLayout, check_header, kind_of
from iaa_jax.wording.formats import counted


class ScannedTable(NamedTuple):
    """A long table in one or more files, and the names of its columns by role."""

    files: Sequence[File]
    items: Sequence[str]
    annotator: str
    label: str
    by: Sequence[str] = ()

    @property
    def names(self) -> list[str]:
        """Names of all columns: items, annotator, label, then grouping columns."""
        return [*self.items, self.annotator, self.label, *self.by]


class AlikeFiles(NamedTuple):
    """Files that belong to one table and have the same layout.

    Attributes
    ----------
    table : int
        Number of the table.
    keys : list of str
        SQL of each column, converted to the type that all files share.
    cells : list of str
        SQL of each column, without conversion.
    """

    table: int
    layout: FileLayout
    files: list[str]
    keys: list[str]
    cells: list[str]

    def rows(self, files: Sequence[str], *, numbered: bool = False) -> str:
        """Return the SQL of rows with the keys ``k0``, ``k1``, ...

        If ``numbered``, rows also have the unchanged cells ``c0``, ``c1``, ..., and the row number
        ``place``.
        """
        columns = [f"{key} AS k{place}" for place, key in enumerate(self.keys)]
        if numbered:
            columns += [f"{cell} AS c{place}" for place, cell in enumerate(self.cells)]
            columns.append(f"{self.layout.place} AS place")
        return f"SELECT {', '.join(columns)} FROM {self.layout.table(files, numbered=numbered)}"


class Occurrences:
    """The values that occur in one long table, or in two tables with common items.

    Attributes
    ----------
    parts : list of AlikeFiles
        The files, grouped by table and layout.
    kinds : list of str
        DuckDB's type of the keys of each column.
    annotators : list of Distinct
        Annotators of each table.
    labels : Distinct
        Labels of all tables.
    by : list of Distinct
        Values of each grouping column.
    together : list of dict
        For each table, the combinations of values of grouping columns, as codes, in the order of
        their first rows.
    unlabelled : bool
        Whether there are rows without a label.
    empty : list of list
        For each table, the files without rows.
    """

    def __init__(
        self, database: Database, tables: Sequence[ScannedTable], missing: Missing
    ) -> None:
        self.database, self.tables = database, tables
        self.parts, self.kinds = self._parts()
        self.annotators = [Distinct(missing) for _ in tables]
        self.labels = Distinct(missing)
        self.by = [Distinct(BLANK) for _ in tables[0].by]
        self.together: list[dict[tuple[int, ...], None]] = [{} for _ in tables]
        self.unlabelled = False
        self.empty: list[list[str]] = [[] for _ in tables]
        for number, table in enumerate(tables):
            for file in table.files:
                database.file = file.path
                self._look_into(number, file)
                database.next_step()
        database.file = ""
        if not self.labels.texts:
            raise IaaError(f"no row has a label in {tables[0].label!r}: nothing can be measured")

    def _parts(self) -> tuple[list[AlikeFiles], list[str]]:
        connection = self.database.connection
        groups: dict[tuple[int, FileLayout], list[File]] = {}
        for number, table in enumerate(self.tables):
            for file in table.files:
                check_header(connection, file)
                groups.setdefault((number, file.layout), []).append(file)
        keys, kinds = [], []
        for place in range(len(self.tables[0].names)):
            columns = []
            for (number, layout), files in groups.items():
                name = self.tables[number].names[place]
                columns.append((layout.column(name), kind_of(connection, files[0], name)))
            expressions, kind = comparable(columns)
            if place < len(self.tables[0].items):
                expressions = [named(key, kind) for key in expressions]
            keys.append(expressions)
            kinds.append(kind)
        parts = []
        for at, ((number, layout), files) in enumerate(groups.items()):
            cells = [layout.column(name) for name in self.tables[number].names]
            paths = [file.path for file in files]
            parts.append(AlikeFiles(number, layout, paths, [each[at] for each in keys], cells))
        return parts, kinds

    def part_of(self, table: int, file: File) -> AlikeFiles:
        """Return the group of files that have the same layout as this file."""
        return next(p for p in self.parts if p.table == table and p.layout == file.layout)

    def _look_into(self, number: int, file: File) -> None:
        table, part = self.tables[number], self.part_of(number, file)
        annotator_column = len(table.items)
        label_column, by = annotator_column + 1, range(annotator_column + 2, len(table.names))
        sets = f"(k{annotator_column}, k{label_column})" + (
            f", ({', '.join(f'k{k}' for k in by)})" if by else ""
        )
        columns = ", ".join(
            f"k{place}, any_value(c{place})" for place in range(annotator_column, len(table.names))
        )
        nul = "false"
        if part.layout.reader == "read_csv":
            nul = " OR ".join(
                f"bool_or(contains(c{place}, chr(0)))" for place in range(label_column + 1)
            )
        combinations = self.database.rows(
            f"SELECT {columns}, min(place) AS first, count(*), grouping(k{annotator_column}), "
            f"{nul} FROM ({part.rows([file.path], numbered=True)}) GROUP BY GROUPING SETS ({sets}) "
            "ORDER BY first",
            in_order=part.layout.reader == "read_csv",
        )
        if not combinations:
            self.empty[number].append(file.path)
        nameless, place = 0, 0
        for *cells, first, count, of_by, damaged in combinations:
            if damaged:
                raise IaaError(
                    f"{file.path}: a NUL byte; the file is damaged or not text: export it again as "
                    "UTF-8 text"
                )
            pairs = list(zip(cells[::2], cells[1::2], strict=True))
            if of_by:
                codes = (each.code(*pair) for each, pair in zip(self.by, pairs[2:], strict=True))
                self.together[number][tuple(codes)] = None
                continue
            annotator = self.annotators[number].code(*pairs[0])
            label = self.labels.code(*pairs[1])
            self.unlabelled |= label < 0
            if label >= 0 > annotator:
                nameless, place = nameless + count, place or first + part.layout.first
        if nameless:
            raise IaaError(
                f"{counted(nameless, 'rating')} without {table.annotator!r}, the first in "
                f"{file.path} row {place}: fill the column in, or remove these rows"
            )
