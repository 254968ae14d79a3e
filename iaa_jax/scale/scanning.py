"""Files with more ratings than memory, through DuckDB: it groups items across files, and spills.

One query finds the annotators and labels with their first rows, another brings the ratings of each
item to one key of whole numbers, a few bits for the label of each annotator, and counts the keys.
Only the distinct keys come to Python.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, OptionError, brief, shown, suggestion
from iaa_jax.io.base import add_notes
from iaa_jax.io.files import STANDARD_INPUT, file_name
from iaa_jax.io.noting import worded
from iaa_jax.io.table.cells import Missing, missing_labels
from iaa_jax.scale.tally import (
    UNLIKE,
    Tally,
    annotators_of_a_key,
    bits_of,
    ratings_of,
    twice,
    united,
)
from iaa_jax.wording import Note, named
from iaa_jax.wording.formats import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Progress = Callable[[int, int], None]

MOST_KEYS = 6
"""Keys of an item beyond which its ratings are a list."""

_AMOUNT = re.compile(r"\d+(\.\d+)? ?[KMGT]i?B", re.IGNORECASE)

_ENDINGS = {"parquet": "read_parquet", "csv": "read_csv", "tsv": "read_csv"}


def scan(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    item: str | Sequence[str] = "item",
    annotator: str = "annotator",
    label: str = "label",
    labels: Sequence[object] | None = None,
    missing: Sequence[object] | None = None,
    by: str | Sequence[str] | None = None,
    items_whole: bool = False,
    memory: str = "2GB",
    progress: Progress | None = None,
) -> xr.Dataset:
    """Read long tables that do not fit in memory, as their distinct patterns of ratings.

    DuckDB (``pip install 'iaa_jax[scan]'``) groups the ratings of an item wherever they stand, and
    spills to a temporary folder. The result is that of `iaa_jax.data.compress` on all ratings, to
    the digit: every function takes it. What needs single items (`iaa_jax.items`, a sheet to
    adjudicate on) finds them in the files: read those of interest with `iaa_jax.read`.

    Parameters
    ----------
    paths : path or sequence of paths
        Parquet or CSV (TSV) files, packed by gzip or not; with stars, as in "data/*.parquet".
    item, annotator, label : str
        The columns; several name an item together.
    labels : sequence, optional
        All possible labels in their order; those that occur by default.
    missing : sequence, optional
        Further codes that mean "not rated".
    by : str or sequence of str, optional
        Columns that describe items and stay, such as a document, a batch or a day: clusters,
        comparisons and drift need them.
    items_whole : bool
        Promise that all ratings of an item stand in one file: each file is then grouped by itself,
        in less memory. A broken promise is noticed, and refused.
    memory : str
        What DuckDB may use, as in "500MB".
    progress : callable, optional
        Called with the percent of the work done and 100.

    Returns
    -------
    xarray.Dataset
        Ratings of task "single" with ``item_weight``; items are patterns, without names.

    Raises
    ------
    IaaError
        If DuckDB or a column is missing, an annotator rated an item twice, a rating lacks its item
        or annotator, a label is not among the declared ones, or nothing can be paired.

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
    files = found_files(paths)
    ids = [item] if isinstance(item, str) else list(item)
    apart = [by] if isinstance(by, str) else list(by or ())
    with connection(memory) as database:
        table = _Table(database, files, [*ids, annotator, label, *apart])
        names = _Names.of(table, annotator, label, missing_labels(labels, missing))
        steps = [[file] for file in files] if items_whole else [files]
        query = _query(table, names, ids, annotator, label, apart)
        parts = []
        for number, step in enumerate(steps):
            rows = _run(
                database, query.format(source=table.source(step)), progress, number, len(steps)
            )
            _check(rows, table, ids, annotator, label)
            parts.append(_tally(rows, names, apart))
        if items_whole and len(files) > 1:
            _check_whole(table, ids, files)
    ratings = ratings_of(united(parts), names.annotators, names.labels, labels, apart)
    return _noted(ratings, files, ids, annotator, label)


def found_files(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that are meant, stars resolved, of one kind."""
    one = isinstance(paths, (str, os.PathLike))
    given = [paths] if one else list(paths) if isinstance(paths, Iterable) else [None]
    if not all(isinstance(path, (str, os.PathLike)) for path in given):
        message = f"{named('paths')} must be a file or a list of files, not {brief(paths)}"
        raise IaaError(message)
    files = [file for path in given for file in _meant(str(path))]
    if not files:
        message = "name one file or more"
        raise IaaError(message)
    if twice_named := [file for file, times in Counter(files).items() if times > 1]:
        message = f"{counted(len(twice_named), 'file')} named twice: {shown(twice_named)}"
        raise IaaError(message)
    kinds = {_kind(file) for file in files}
    if len(kinds) > 1:
        message = f"scan one kind of files at a time, not {shown(sorted(kinds))}"
        raise IaaError(message)
    return files


def _meant(path: str) -> list[str]:
    """The files that a path stands for: one that is there, or all that it is a pattern of."""
    if Path(path).is_file():
        return [path]
    if any(star in path for star in "*?["):
        import glob

        matches = [file for file in sorted(glob.glob(path, recursive=True)) if Path(file).is_file()]
        if matches:
            return matches
        message = f"no file is named like {path!r}"
    elif Path(path).is_dir():
        message = f"{path!r} is a folder: name its files, as {str(Path(path, '*.parquet'))!r} does"
    elif path == STANDARD_INPUT:
        message = "what comes through a pipe cannot be scanned: it is gone through more than once"
    else:
        message = f"there is no file {path!r}"
    raise IaaError(message)


def _kind(file: str) -> str:
    ending = next((e for e in reversed(Path(file).suffixes) if e not in (".gz", ".zst")), "")
    kind = ending.lstrip(".").lower()
    if kind not in _ENDINGS:
        message = f"{file}: only Parquet, CSV and TSV files can be scanned; read others with read"
        raise IaaError(message)
    return kind


@contextmanager
def connection(memory: str) -> Iterator[DuckDBPyConnection]:
    """A database in memory with a limit, and a folder of its own to spill to."""
    try:
        import duckdb
    except ImportError:
        message = "scanning needs DuckDB: pip install 'iaa_jax[scan]'"
        raise IaaError(message) from None
    if not _AMOUNT.fullmatch(str(memory)):
        message = f"{named('memory')} is an amount such as '2GB', not {memory!r}"
        raise OptionError(message)
    with tempfile.TemporaryDirectory(prefix="iaa_scan_") as folder:
        database = duckdb.connect()
        try:
            database.execute("SET preserve_insertion_order=false")
            database.execute("SET enable_progress_bar=false")
            database.execute("SET temp_directory=?", [folder])
            database.execute("SET memory_limit=?", [memory])
            yield database
        except duckdb.OutOfMemoryException as error:
            message = (
                f"{memory} of memory does not suffice: give more with {named('memory')}, or, if "
                "each item stands in one file, promise that to iaa.scan (items_whole) "
                f"({_said(error)})"
            )
            raise IaaError(message) from None
        except duckdb.Error as error:
            message = f"cannot scan: {_said(error)}"
            raise IaaError(message) from None
        finally:
            database.close()


class _Table:
    """The files as one table of texts, numbers as they are in Parquet."""

    def __init__(
        self, database: DuckDBPyConnection, files: Sequence[str], columns: Sequence[str]
    ) -> None:
        self.database, self.files = database, list(files)
        self.kind = _kind(files[0])
        described = database.execute(f"DESCRIBE SELECT * FROM {self.source(files)}").fetchall()
        self.types = {str(row[0]): str(row[1]) for row in described}
        for name in columns:
            if name not in self.types:
                message = (
                    f"{files[0]}: there is no column {name!r}; the columns are "
                    f"{shown(list(self.types), 12)}{suggestion(name, list(self.types))}"
                )
                raise IaaError(message)

    def source(self, files: Sequence[str], *, numbered: bool = False) -> str:
        """The table function for files."""
        # a star or bracket that belongs to the name of a file stands for itself
        listed = ", ".join(_text(re.sub(r"[*?[]", r"[\g<0>]", file)) for file in files)
        if self.kind == "parquet":
            options = ", union_by_name=true"
            options += ", file_row_number=true" if numbered else ""
        else:
            delimiter = ", delim='\t'" if self.kind == "tsv" else ""
            options = f", all_varchar=true, header=true, union_by_name=true{delimiter}"
        return f"{_ENDINGS[self.kind]}([{listed}]{options})"

    def cell(self, name: str) -> str:
        """A column as text without blanks around it, where it is no number."""
        quoted = '"' + name.replace('"', '""') + '"'
        kind = self.types[name]
        if kind == "BOOLEAN":
            return f"CASE WHEN {quoted} THEN 'True' WHEN NOT {quoted} THEN 'False' END"
        if kind == "VARCHAR":
            return f"nullif(trim({quoted}), '')"
        return f"CAST({quoted} AS VARCHAR)" if kind.startswith(("ENUM", "UUID")) else quoted


class _Names(NamedTuple):
    """The annotators and labels that occur, in the order of their first rows."""

    annotators: list[Any]
    labels: list[Any]

    @property
    def bits(self) -> int:
        """That the label of an annotator takes, 0 for none."""
        return bits_of(len(self.labels))

    @property
    def of_a_key(self) -> int:
        """Annotators whose labels one key holds."""
        return annotators_of_a_key(len(self.labels))

    @property
    def keys(self) -> int:
        """Keys of an item; 0 where there would be too many."""
        keys = -(-max(len(self.annotators), 1) // self.of_a_key)
        return keys if keys <= MOST_KEYS else 0

    @classmethod
    def of(cls, table: _Table, annotator: str, label: str, missing: Missing) -> _Names:
        """Looked up in all files."""
        cells = ", ".join(
            f"{table.cell(name)} AS {alias}" for name, alias in ((annotator, "a"), (label, "l"))
        )
        rows = [pair for file in table.files for pair in _pairs_in_order(table, file, cells)]
        annotators: dict[Any, None] = {}
        labels: dict[Any, None] = {}
        for who, what in rows:
            known = what is not None and what == what and str(what) not in missing
            if known and who is None:
                source = table.source(table.files)
                count = f"SELECT count(*) FROM (SELECT {cells} FROM {source}) WHERE a IS NULL"
                found = table.database.execute(count).fetchone()
                message = (
                    f"{counted(int(found[0]) if found else 1, 'row')} without {annotator!r}: fill "
                    "the column in, or remove these rows"
                )
                raise IaaError(message)
            if who is not None:
                annotators[who] = None
            if known:
                labels[what] = None
        if not labels:
            message = f"no row has a label in {label!r}: nothing can be measured"
            raise IaaError(message)
        return cls(list(annotators), list(labels))


def _pairs_in_order(table: _Table, file: str, cells: str) -> list[tuple[Any, Any]]:
    """Each pair of annotator and label in a file, in the order of their first rows."""
    of_parquet = table.kind == "parquet"
    place = "file_row_number" if of_parquet else "row_number() OVER ()"
    table.database.execute(f"SET preserve_insertion_order={'false' if of_parquet else 'true'}")
    pairs = table.database.execute(
        f"SELECT a, l FROM (SELECT {cells}, {place} AS place FROM "
        f"{table.source([file], numbered=of_parquet)}) GROUP BY a, l ORDER BY min(place)"
    ).fetchall()
    table.database.execute("SET preserve_insertion_order=false")
    return [(row[0], row[1]) for row in pairs]


def _query(
    table: _Table,
    names: _Names,
    ids: Sequence[str],
    annotator: str,
    label: str,
    apart: Sequence[str],
) -> str:
    """Count the keys of items; ``{source}`` is left open for the files."""
    for name, values in (("annotators", names.annotators), ("labels", names.labels)):
        table.database.execute(
            f"CREATE TEMP TABLE {name} AS SELECT unnest($1) AS value, unnest($2) AS code",
            [values, list(range(len(values)))],
        )
    cells = [f"{table.cell(name)} AS i{k}" for k, name in enumerate(ids)]
    cells += [f"{table.cell(name)} AS b{k}" for k, name in enumerate(apart)]
    cells += [f"{table.cell(annotator)} AS a", f"{table.cell(label)} AS l"]
    item = [f"i{k}" for k in range(len(ids))]
    rated = "labels.code IS NOT NULL"
    sums = [f"count(*) FILTER ({rated}) AS n"]
    if names.keys:
        width, many = names.bits, names.of_a_key
        for key in range(names.keys):
            own = f"{rated} AND annotators.code // {many} = {key}"
            sums.append(
                f"coalesce(bit_or((labels.code + 1)::BIGINT << (annotators.code % {many} * {width})"
                f"::INT) FILTER ({own}), 0) AS k{key}"
            )
            sums.append(
                f"coalesce(bit_count(bit_or(1::BIGINT << (annotators.code % {many})::INT) "
                f"FILTER ({own})), 0) AS p{key}"
            )
        keys = [f"k{key}" for key in range(names.keys)]
        annotators_counted = " + ".join(f"p{key}" for key in range(names.keys))
    else:
        rating = f"annotators.code * {len(names.labels)} + labels.code"
        sums.append(f"list_sort(list({rating}) FILTER ({rated})) AS k0")
        sums.append(f"count(DISTINCT annotators.code) FILTER ({rated}) AS p0")
        keys, annotators_counted = ["k0"], "p0"
    for k in range(len(apart)):
        sums += [f"min(b{k}) AS b{k}", f"min(b{k}) IS DISTINCT FROM max(b{k}) AS u{k}"]
    unlike = " OR ".join(f"u{k}" for k in range(len(apart))) or "false"
    nameless = " OR ".join(f"{name} IS NULL" for name in item)
    kept = [*keys, *(f"b{k}" for k in range(len(apart)))]
    return (
        f"WITH cells AS (SELECT {', '.join(cells)} FROM {{source}}), "
        f"items AS (SELECT {', '.join([*item, *sums])} FROM cells "
        "LEFT JOIN annotators ON cells.a = annotators.value "
        f"LEFT JOIN labels ON cells.l = labels.value GROUP BY {', '.join(item)}) "
        f"SELECT {', '.join(kept)}, count(*) AS items, "
        f"sum(n - ({annotators_counted}))::BIGINT AS again, "
        f"(count(*) FILTER ({unlike})) AS unlike, "
        f"sum(CASE WHEN {nameless} THEN n ELSE 0 END)::BIGINT AS nameless "
        f"FROM items GROUP BY {', '.join(kept)}"
    )


def _run(
    database: DuckDBPyConnection, query: str, progress: Progress | None, step: int, steps: int
) -> Mapping[str, np.ma.MaskedArray]:
    """The result of a query, column by column; it can be watched and interrupted."""
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(lambda: database.execute(query).fetchnumpy())
        try:
            while not wait([result], timeout=0.2).done:
                if progress is not None:
                    done = max(database.query_progress(), 0.0)
                    progress(int((100 * step + done) / steps), 100)
        except BaseException:
            database.interrupt()
            raise
        if progress is not None:
            progress(100 * (step + 1) // steps, 100)
        return {name: np.ma.asarray(column) for name, column in result.result().items()}


def _check(
    rows: Mapping[str, np.ma.MaskedArray],
    table: _Table,
    ids: Sequence[str],
    annotator: str,
    label: str,
) -> None:
    nameless, again, unlike = (int(np.sum(rows[name])) for name in ("nameless", "again", "unlike"))
    if nameless:
        message = (
            f"{counted(nameless, 'rating')} without {shown(ids)}: fill the column in, or remove "
            "these rows"
        )
        raise IaaError(message)
    if again:
        cells = ", ".join(table.cell(name) for name in (*ids, annotator))
        first = table.database.execute(
            f"SELECT {cells}, count(*) FROM {table.source(table.files)} WHERE "
            f"{table.cell(label)} IN (SELECT value FROM labels) GROUP BY ALL HAVING count(*) > 1 "
            "LIMIT 1"
        ).fetchone()
        example = ""
        if first is not None:
            *item, who, _ = first
            example = f", such as item {' | '.join(map(str, item))!r} by {str(who)!r}"
        raise IaaError(twice(again, example))
    if unlike:
        raise IaaError(UNLIKE)


def _check_whole(table: _Table, ids: Sequence[str], files: Sequence[str]) -> None:
    """Refuse items that stand in several files, by hashes of 8 bytes an item."""
    cells = ", ".join(table.cell(name) for name in ids)
    hashes = [
        np.asarray(
            table.database.execute(
                f"SELECT DISTINCT hash({cells}) AS h FROM {table.source([file])}"
            ).fetchnumpy()["h"]
        )
        for file in files
    ]
    together = np.sort(np.concatenate(hashes))
    if again := int(np.count_nonzero(together[1:] == together[:-1])):
        message = (
            f"{counted(again, 'item')} in several files, against {named('items_whole')}: leave it "
            "out, and they are brought together"
        )
        raise IaaError(message)


def _tally(rows: Mapping[str, np.ma.MaskedArray], names: _Names, apart: Sequence[str]) -> Tally:
    """The distinct keys as ratings of annotators."""
    count = np.asarray(rows["items"], dtype=np.float64)
    values = tuple(
        np.asarray(np.ma.filled(rows[f"b{k}"].astype(object), None)) for k in range(len(apart))
    )
    many = len(names.labels)
    if not names.keys:
        lists = [[] if each is None else list(each) for each in rows["k0"].tolist()]
        width = max(max(map(len, lists), default=0), 1)
        laid = np.full((len(lists), width), -1, dtype=np.int64)
        for row, each in enumerate(lists):
            laid[row, : len(each)] = each
        return Tally(laid, count, values)
    columns = []
    for annotator in range(len(names.annotators)):
        key = np.asarray(rows[f"k{annotator // names.of_a_key}"], dtype=np.int64)
        shift = annotator % names.of_a_key * names.bits
        label = ((key >> shift) & ((1 << names.bits) - 1)) - 1
        columns.append(np.where(label < 0, np.iinfo(np.int64).max, annotator * many + label))
    ratings = np.sort(np.stack(columns, axis=1), axis=1)
    ratings[ratings == np.iinfo(np.int64).max] = -1
    used = max(int(np.count_nonzero((ratings >= 0).any(axis=0))), 1)
    return Tally(ratings[:, :used], count, values)


def _noted(
    ratings: xr.Dataset, files: Sequence[str], ids: Sequence[str], annotator: str, label: str
) -> xr.Dataset:
    """The ratings with what was understood, as readers say it."""
    understood = [
        Note("read_scanned", {"files": len(files)}),
        Note("read_items_from", {"columns": list(ids)}),
        Note("read_annotators_from", {"column": annotator}),
        Note("read_labels_from", {"column": label}),
    ]
    names = json.dumps([file_name(file) for file in files], ensure_ascii=False)
    return worded(add_notes(ratings, understood), [], []).assign_attrs(files=names)


def _said(error: Exception) -> str:
    """What DuckDB says, without the query."""
    return str(error).split("\n")[0]


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
