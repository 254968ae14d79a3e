"""Recognises common tables, by usual column names or a column per annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, LABEL, named_like_totals, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import PAIR, groups_of_labels
from iaa_jax.io.layout.names import is_no_annotator
from iaa_jax.io.layout.sample import LONG, Sample, as_written, counts_rows, sample_head
from iaa_jax.io.table.cells import MISSING, missing_labels
from iaa_jax.io.table.columns import other_columns, split_names
from iaa_jax.io.table.excluding import rules_of
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

SHARED = 0.1  # maximum share of item names that are also labels

Columns = tuple[str, ...]


def is_plain(start: Head) -> bool:
    """Tell whether the first rows have usual column names of ratings, or a column per annotator."""
    if usual_name(start.names, ANNOTATOR) and usual_name(start.names, LABEL):
        return True
    table = sample_head(start)
    return WideColumns(table, *every_column(table, None, ())).are_likely(is_named=False)


def usual_rows(source: Source) -> bool:
    """Tell whether rows are ratings, with a usual label column and known annotators."""
    start = head(source)
    known = source.annotator is not None or usual_name(start.names, ANNOTATOR) is not None
    label = usual_name(start.names, LABEL)
    return known and label is not None and not counts_rows(start, label)


@dataclass(frozen=True)
class WideColumns:
    """A table with a row per item: its item columns, and all other columns as annotators."""

    table: Sample
    ids: Columns
    annotators: Columns

    @classmethod
    def of(cls, source: Source, options: Options) -> WideColumns:
        """Infer the columns from the first rows, and from the caller's options."""
        start = head(source)
        kept = () if not options.keep else split_names(options.keep, start.names)
        others = [*kept, *(rule.column for rule in rules_of(source, start.names))]
        table = sample_head(start, missing_labels(options.labels, options.missing))
        return cls(table, *every_column(table, options.item, others))

    def are_likely(self, *, is_named: bool) -> bool:
        """Tell whether a table very likely has a row per item, and a column per annotator.

        Unless the caller named it, the item column must have a usual name, or more than half as
        many values as rows. All other columns must share labels. Their names must be neither labels
        nor unusual for annotators.
        """
        start, labels_of = self.table.start, self.table.labels_of(self.annotators)
        times = Counter(start.names)
        unknown = {*self.annotators} - self.table.columns.keys()
        if any(times[name] == 1 for name in unknown):
            return False  # the column holds objects, whose fields are also columns
        # the other unknown columns have repeated names, which reading the file will report
        if len(labels_of) + len(unknown) < PAIR:
            return False
        if any(is_no_annotator(name) or self.table.counts_rows(name) for name in self.annotators):
            return False
        cells = {name: self.table.columns[name].written for name in labels_of}
        if is_cross_table(start) or names_are_labels(start, cells):
            return False
        if groups_of_labels(labels_of)[1:]:
            return False
        if is_named or not self.ids or self.ids[0] == usual_name(start.names, ITEM):
            return True
        first = _labels(self.table, self.ids)
        return PAIR * len(first) > self.table.rows and not first <= _labels(
            self.table, self.annotators
        )

    def told(self, files: Sequence[Source], options: Options) -> dict[str, object]:
        """Return the columns as inferred options."""
        check_same(files)
        inferred: dict[str, object] = {"annotators": [*self.annotators], "duplicates": "error"}
        return {"item": [*self.ids], **inferred} if self.ids and options.item is None else inferred


def check_same(sources: Sequence[Source]) -> None:
    """Refuse files whose columns differ from those of the first file."""
    first = head(sources[0]).names
    for source in sources[1:]:
        names = head(source).names
        new = other_columns(names, first)
        if new or len(names) != len(first):
            lacking = other_columns(first, names)
            raise IaaError(
                f"{source} does not have the columns of {sources[0]} "
                f"(new: {shown(new) or 'none'}; lacking: {shown(lacking) or 'none'}); "
                f"name the annotators that all files have with {keyword('annotators')}"
            )


def every_column(
    table: Sample, item: str | Sequence[str] | None, keep: Sequence[str]
) -> tuple[Columns, Columns]:
    """Return the item columns of a table with a row per item, and all others as annotators.

    Columns to keep are annotators only if they share labels with other columns.
    """
    names = table.start.names
    ids: Columns = (usual_name(names, ITEM) or names[0],)
    if item is not None:
        ids = split_names(item, names)
    elif table.start.nameless and not _names_items(table, names[0]):
        ids = ()
    # the line "a,b," names no third column: such a column counts only if a cell is filled
    empty = {f"column {number}" for number, name in enumerate(names, start=1)} - table.filled
    others = [name for name in other_columns(names, ids) if name not in empty]
    labels = _labels(table, other_columns(others, keep))
    repeating = {
        name
        for name in {*keep}.intersection(others)
        if is_no_annotator(name) or labels.isdisjoint(_labels(table, [name]))
    }
    return ids, tuple(name for name in others if name not in repeating)


def _labels(table: Sample, names: Sequence[str]) -> Set[object]:
    return frozenset[object]().union(*table.labels_of(names).values())


def _names_items(table: Sample, name: str) -> bool:
    """Tell whether a column has many different values, of which few are in other columns."""
    values = _labels(table, [name])
    shared = values & _labels(table, other_columns(table.names, [name]))
    few = all(isinstance(cell, str) for cell in values) and len(shared) <= SHARED * len(values)
    return PAIR * len(values) > table.rows and (not shared or few)


def is_cross_table(start: Head) -> bool:
    """Tell whether rows and columns have the same names, and all other cells are whole numbers.

    A row and a column of totals are disregarded.
    """
    width = len(start.names)
    rows = [row for row in start.rows if len(row) == width]
    above = [name for name in start.names[1:] if not named_like_totals(name)]
    row_names = [row[0].strip() for row in rows if not named_like_totals(row[0])]
    if len(above) < PAIR or sorted(above) != sorted(row_names):
        return False
    cells = [parse_number(cell.strip()) for row in rows for cell in row[1:]]
    return all(isinstance(cell, int) and cell >= 0 for cell in cells)


def cells_of(start: Head, names: Sequence[str]) -> dict[str, frozenset[object]]:
    """Return the distinct cells of columns as written, without usual missing values."""
    cells = {name: {*start.column(name)} - MISSING for name in names}
    return {name: frozenset(map(as_written, each)) for name, each in cells.items() if each}


def names_are_labels(start: Head, cells: Mapping[str, Set[object]]) -> bool:
    """Tell whether column names occur among the cells, which suggests that they are no header.

    Capitals count: the name "A" above the cells "a" and "b" is a header. Names that number the
    columns are a header if the first column has a usual name for items.
    """
    numbers = [int(name) for name in cells if name.isdecimal() and len(name) < LONG]
    in_order = len(numbers) == len(cells) and numbers[:1] in ([0], [1])
    in_order = in_order and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    if start.nameless or (in_order and usual_name(start.names, ITEM) == start.names[0]):
        return False
    known = frozenset[object]().union(*cells.values())
    return any(as_written(name) in known for name in cells)
