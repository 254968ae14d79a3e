"""Read files of ratings that do not fit in memory: DuckDB groups the ratings by item."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.kept_columns import spread
from iaa_jax.data.notices.finished import rating_notices
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.files import file_name
from iaa_jax.io.noting import notes_on_files, worded
from iaa_jax.io.table.cells import missing_labels, with_plain_numbers
from iaa_jax.io.table.columns import check_apart, check_columns, split_names
from iaa_jax.io.table.json_cells import parts_of
from iaa_jax.io.table.kept import kept_columns, valued
from iaa_jax.io.table.lists import split_lists
from iaa_jax.io.table.long import label_of
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.rows import find_roles
from iaa_jax.scale.cells import Distinct
from iaa_jax.scale.counting import Counting
from iaa_jax.scale.database import MEMORY, Progress, database
from iaa_jax.scale.files import listed_files
from iaa_jax.scale.occurrences import Occurrences, ScannedTable
from iaa_jax.scale.tally import Tally, order_of, ratings_of
from iaa_jax.wording import Note, keyword, named

LAYOUT = "scanned"


Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def scan(
    paths: Paths,
    *,
    item: str | Sequence[str] | None = None,
    annotator: str | None = None,
    label: str | None = None,
    labels: Sequence[object] | None = None,
    missing: Sequence[object] | None = None,
    by: str | Sequence[str] | None = None,
    items_whole: bool = False,
    memory: str = MEMORY,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Return the distinct patterns of ratings of long tables that do not fit in memory.

    DuckDB (``pip install 'iaa_jax[scan]'``) groups the ratings by item, in whatever rows and files
    they are, and writes to a temporary folder when memory is short. The result is identical to
    `iaa_jax.data.compress` of the ratings that `iaa_jax.read` returns, and almost all functions
    accept it. Only functions about single items, such as `iaa_jax.items`, need the items
    themselves: read the items of interest with `iaa_jax.read`.

    Parameters
    ----------
    paths : path or sequence of paths
        Parquet files, or delimited text such as CSV, which may be compressed by gzip. A path may
        have stars, as in "data/*.parquet".
    item, annotator, label : str, optional
        Names of the columns with items, annotators and labels. For ``item``, several columns may be
        named, which together identify an item. By default the usual names are recognised, as in
        `iaa_jax.read`.
    labels : sequence, optional
        All possible labels in their order; by default those that occur.
    missing : sequence, optional
        Further codes that mean "not rated".
    by : str or sequence of str, optional
        Columns that describe items and are kept, such as a document, a batch or a day. Clustered
        intervals, comparisons and drift need them. Columns that describe annotators may be named as
        well.
    items_whole : bool
        Whether all ratings of an item are known to be in one file. Each file is then grouped by
        itself, which needs less memory. If an item is in several files after all, the files are
        refused.
    memory : str
        Memory limit, such as "500MB". It applies first to DuckDB, and then to the patterns.
    progress : callable, optional
        Called with the percentage of the work that is done, and with 100.

    Returns
    -------
    xarray.Dataset
        Ratings of task "single" (one label per rating). Their items are distinct patterns of
        ratings, without names; ``item_weight`` is the number of items that show a pattern.

    Raises
    ------
    IaaError
        If DuckDB or a column is missing, a file is damaged, an annotator rated an item twice, a
        rating lacks its item or annotator, a label is a list or is not among the declared labels,
        no item has two ratings, or the memory does not suffice.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import tempfile
    >>> from pathlib import Path
    >>> rows = ["item,annotator,label", "1,a,x", "1,b,x", "2,b,y", "2,a,y", "3,a,x", "3,b,x"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ratings.csv").write_text(chr(10).join(rows))
    ...     ratings = iaa.scan(f"{folder}/*.csv")
    >>> ratings.item_weight.values
    array([2., 1.])
    """
    request = ScanRequest(paths, item, annotator, label, labels, missing, by)
    with database(memory, progress) as opened:
        table, notes = request.table()
        opened.steps = len(table.files) * (2 if items_whole else 1) + (not items_whole)
        occurrences = Occurrences(opened, [table], missing_labels(labels, missing))
        counting = Counting(occurrences)
        tally = counting.tally(whole=items_whole and len(table.files) > 1)
    kept = Kept(counting)
    known, understood = labels_of(list(occurrences.labels.texts), table, labels)
    tally = tally.rows(kept.order(tally, 0))
    annotators = texts_of(occurrences.annotators[0])
    ratings = ratings_of(tally, annotators, known, labels, kept.item_coordinates(tally), parse=True)
    ratings = ratings.assign_coords(kept.annotator_coordinates(range(len(annotators))))
    return noted(ratings, counting, 0, [*notes, *understood], request)


class ScanRequest(NamedTuple):
    """The arguments of a scan of one long table."""

    paths: Paths
    item: str | Sequence[str] | None = None
    annotator: str | None = None
    label: str | None = None
    labels: Sequence[object] | None = None
    missing: Sequence[object] | None = None
    by: str | Sequence[str] | None = None

    @property
    def options(self) -> Options:
        """The arguments of the scan as options of readers."""
        _, item, annotator, label, labels, missing, by = self
        return Options(item, annotator, label, labels=labels, missing=missing, keep=by)

    def table(self) -> tuple[ScannedTable, list[Note]]:
        """Return the table, with the roles of its columns, and notes on how these were found."""
        files, options = listed_files(self.paths), self.options
        first = files[0].source
        label = label_of(first, options)
        roles = find_roles([first], options, (label,))
        if len(roles.annotators) > 1:
            raise IaaError(
                f"{keyword('annotator', self.annotator)} names several columns, and a scan takes "
                "one: join them into one column, or read the files without a scan"
            )
        check_apart({**roles.by_role, "label": [label]})
        of_ratings = {"describes ratings, and is their label": [label]}
        of_by = named("by")
        names = head(first).names
        if self.by:
            check_columns(first, names, [*dict.fromkeys(split_names(self.by, names))], of_by)
        by = kept_columns(first, options, {**roles.by_role, **of_ratings})
        if self.by and "item" in split_names(self.by, ()) and "item" not in by:
            raise IaaError(
                f"{keyword('by', 'item')} groups by single items, and a scan has only patterns: "
                "read the items of interest without a scan"
            )
        options_of_roles = f"{named('item')}, {named('annotator')} or {named('label')}"
        for file in files:
            check_columns(file.source, file.layout.names, [*roles.columns, label], options_of_roles)
            check_columns(file.source, file.layout.names, by, of_by)
        return ScannedTable(files, roles.ids, roles.annotators[0], label, by), roles.notes()


class Kept:
    """The grouping columns (``by``) of scanned tables, as coordinates of items and annotators."""

    def __init__(self, counting: Counting) -> None:
        self.counting, self.found = counting, counting.found
        self.names = self.found.tables[0].by
        self.columns = self.columns_of(self.found)

    @staticmethod
    def columns_of(occurrences: Occurrences) -> list[tuple[Integers, Values]]:
        """Return, for each column, the index of the value that each code means, and the values.

        Values are numbers if all cells are numbers, otherwise text.
        """
        columns = (valued(np.arange(len(by.texts)), list(by.texts)) for by in occurrences.by)
        return [(codes.astype(np.int64), values) for codes, values in columns]

    def values(self, place: int, codes: Integers) -> Values:
        """Return the values that codes stand for in the column at position ``place``."""
        of_texts, values = self.columns[place]
        return spread(np.append(of_texts, -1)[codes], values)

    def order(self, tally: Tally, number: int) -> Integers:
        """Return an order of a tally's rows (see `Tally`): by the first appearance of their group.

        ``number`` is the index of the table, or of the round, that the tally belongs to.
        """
        group_columns, rounds = self.counting.apart, self.counting.rounds
        if not group_columns:
            return np.arange(len(tally.items))
        groups = iter(self.found.together[number if rounds is None else 0])
        if rounds is not None:
            groups = (row for row in groups if row[0] in rounds[number])
        together = dict.fromkeys(tuple(row[place] for place in group_columns) for row in groups)
        return order_of(tally, pd.MultiIndex.from_tuples(together))

    def item_coordinates(self, tally: Tally) -> dict[str, Values]:
        """Return the coordinates that describe items, with a value for each row of a tally."""
        return {
            self.names[place]: self.values(place, codes.astype(np.int64))
            for place, codes in zip(self.counting.apart, tally.apart, strict=True)
        }

    def annotator_coordinates(self, annotators: Sequence[int]) -> dict[str, object]:
        """Return the coordinates that describe annotators."""
        return {
            self.names[place]: (
                "annotator",
                self.values(place, np.array([of_each.get(a, -1) for a in annotators])),
            )
            for place, of_each in self.counting.of_annotators.items()
        }


def texts_of(column: Distinct) -> Values:
    """Return the distinct cells of a column as an array."""
    return np.array([*column.texts, None], dtype=object)[:-1]


def labels_of(
    texts: list[str], table: ScannedTable, labels: Sequence[object] | None
) -> tuple[list[str], list[Note]]:
    """Return the labels, with numbers in plain notation, and notes on how they were read."""
    understood = [Note("read_labels_from", {"column": table.label})]
    parts = parts_of(texts)
    if parts or split_lists(texts, None) is not None:
        raise IaaError(
            f"{table.label!r} holds {'JSON objects' if parts else 'lists of labels'}, such as "
            f"{shown(texts[:1])}, and a scan reads one label per rating: write a column for each "
            f"{'field' if parts else 'label'}, and scan the columns one after another"
        )
    ((_, plain),), noted = with_plain_numbers([(np.arange(len(texts)), texts)], labels)
    return [str(text) for text in plain], [*understood, *noted]


def noted(
    ratings: xr.Dataset,
    counting: Counting,
    number: int,
    roles: Sequence[Note],
    request: ScanRequest,
) -> xr.Dataset:
    """Return scanned ratings with the notes that readers add, on files and on possible errors."""
    occurrences, options, nameless_rows = (
        counting.found,
        request.options,
        counting.nameless_rows[number],
    )
    files = occurrences.tables[number].files
    files[0].source.gaps.update(occurrences.annotators[number].gaps | occurrences.labels.gaps)
    understood = notes_on_files([file.source for file in files])
    if "slot" in ratings.dims:
        understood.append(Note("read_by_slot", {"slots": ratings.sizes["slot"]}))
    skipped = [Note("skipped_rows_of_nobody", {"rows": nameless_rows})] if nameless_rows else []
    ratings = add_notes(ratings, [Note("read_scanned"), *roles], skipped)
    empty = occurrences.empty[number]
    values = {"names": empty, "count": len(empty)}
    otherwise = [
        *([Note("files_empty", values, "caution")] if empty else []),
        *rating_notices(ratings, options.labels, LAYOUT, options.separator),
    ]
    names = json.dumps([file_name(file.path) for file in files], ensure_ascii=False)
    return worded(ratings, understood, [], otherwise).assign_attrs(files=names)


SOME = "some_items.parquet"
"""Name of the file that the command of `command_for_some` writes."""

MOST = 1000
"""Maximum number of items that the command of `command_for_some` selects."""


def command_for_some(request: ScanRequest) -> str:
    r"""Return a shell command that writes all ratings of some disputed items to a file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ratings.csv")
    ...     _ = file.write_text("id,who,label")
    ...     command = command_for_some(ScanRequest([file], "id", "who", "label"))
    >>> print(command.partition("; d.")[2].partition(" GROUP")[0])
    sql("FROM t WHERE (\"id\") IN (SELECT (\"id\") FROM t
    """
    table, _ = request.table()
    listed = [request.paths] if isinstance(request.paths, (str, os.PathLike)) else request.paths
    paths = [str(path) for path in listed]
    layout = table.files[0].layout
    of_text = ""
    if layout.reader == "read_csv":
        of_text = f", all_varchar=True, delimiter={json.dumps(table.files[0].delimiter)}"
    items = ", ".join(map(_quoted, table.items))
    disputed = f"HAVING count(DISTINCT {_quoted(table.label)}) > 1 LIMIT {MOST}"
    reader = f"d.{layout.reader}({json.dumps(paths, ensure_ascii=False)}{of_text})"
    query = f"FROM t WHERE ({items}) IN (SELECT ({items}) FROM t GROUP BY {items} {disputed})"
    code = (
        f"import duckdb as d; t = {reader}; d.sql({json.dumps(query, ensure_ascii=False)})"
        f".write_parquet({json.dumps(SOME)})"
    )
    return f"python -c {shlex.quote(code)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
