"""Count the items of a Dask frame by their ratings, partition by partition.

The counts of all partitions are added up. If the ratings of an item may be in several partitions,
each partition packs its ratings into integers, and a shuffle groups these by item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError, brief, shown, suggestion
from iaa_jax.data.categories import ordered_categories
from iaa_jax.data.cells import flat_column
from iaa_jax.data.factorize import factorize
from iaa_jax.data.label_values import AS_WHOLE
from iaa_jax.data.notices.finished import finished
from iaa_jax.data.tables import are_inexact
from iaa_jax.io.table.cells import Missing, missing_labels
from iaa_jax.scale.tally import (
    SingleRatings,
    Tally,
    order_of,
    packed,
    ratings_of,
    tally_of_rows,
    united,
    unpacked,
)
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

if TYPE_CHECKING:
    from dask.dataframe import DataFrame


_HASHES = pd.DataFrame({"hash": np.zeros(0, dtype=np.uint64)})


class _Columns(NamedTuple):
    item: list[str]
    annotator: str
    label: str
    by: list[str]
    missing: Missing


class _Known(NamedTuple):
    """Values that occur in a partition, in the order of their first rows.

    Attributes
    ----------
    together : pandas.DataFrame
        Combinations of values in the grouping columns.
    kinds : list of frozenset
        For each column that names items: whether its cells are text, numbers or of another kind.
    nameless : int
        Number of rows with a label and without an annotator.
    rows : int
        Number of rows.
    """

    annotators: list[Any]
    labels: list[Any]
    together: pd.DataFrame
    kinds: list[frozenset[str]]
    nameless: int
    rows: int


def from_dask(
    frame: DataFrame,
    item: str | Sequence[str] = "item",
    annotator: str = "annotator",
    label: str = "label",
    labels: Sequence[object] | None = None,
    *,
    missing: Sequence[object] | None = None,
    by: str | Sequence[str] | None = None,
    items_whole: bool = False,
) -> xr.Dataset:
    """Return the distinct patterns of ratings of a Dask frame with one row per rating.

    The work runs where Dask runs it: on threads, or on the workers of the current client. Only
    distinct values, patterns, counts and shuffled data are transferred. The shuffle moves each item
    with its ratings packed into integers, or with ``items_whole`` only a hash of the item. If a
    worker is lost, Dask repeats its work, with the same result.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Table with columns for item, annotator and label. Dask comes with
        ``pip install 'iaa_jax[dask]'``.
    item, annotator, label : str
        Names of these columns. For ``item``, several columns may be named, which together identify
        an item.
    labels : sequence, optional
        All possible labels in their order; by default those that occur, or all categories of an
        ordered categorical.
    missing : sequence, optional
        Further codes that mean "not rated".
    by : str or sequence of str, optional
        Columns that describe items and are kept, such as a document, a batch or a day.
    items_whole : bool
        Whether all ratings of an item are known to be in one partition. If an item is in several
        partitions after all, hashes of 8 bytes per item show this, and the frame is refused. By
        default, a shuffle first brings the ratings of each item together, packed into integers.

    Returns
    -------
    xarray.Dataset
        Compressed ratings, identical to those that `iaa_jax.data.compress` makes of all ratings.

    Raises
    ------
    IaaError
        If a column is missing, a partition cannot be read, an annotator rated an item twice, a
        rating lacks its item or annotator, a label is not among the declared labels, or no item has
        two ratings.

    Examples
    --------
    >>> import dask.dataframe, pandas
    >>> import iaa_jax as iaa
    >>> rows = {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": list("xyxx")}
    >>> frame = dask.dataframe.from_pandas(pandas.DataFrame(rows), npartitions=2)
    >>> iaa.from_dask(frame).item_weight.values
    array([1., 1.])
    """
    try:
        from dask.dataframe import from_delayed
        from dask.delayed import delayed
    except ImportError:
        raise IaaError("reading a Dask frame needs Dask: pip install 'iaa_jax[dask]'") from None
    if not hasattr(frame, "to_delayed"):
        raise IaaError(
            f"give a Dask frame, not {type(frame).__name__}; for pandas frames, use from_long"
        )
    columns = _Columns(
        [item] if isinstance(item, str) else list(item),
        annotator,
        label,
        [by] if isinstance(by, str) else list(by or ()),
        _missing(labels, missing),
    )
    needed = [*dict.fromkeys([*columns.item, annotator, label, *columns.by])]
    present = [str(name) for name in frame.columns]
    for name in needed:
        if name not in present:
            raise IaaError(
                f"there is no column {name!r}; the columns are {shown(present, 12)}"
                f"{suggestion(name, present)}"
            )
    frame = frame[needed]
    if labels is None:
        labels = _ordered(frame[label])
    # cells are examined only if the type leaves open whether items are named by text or numbers
    unsure = [name for name in columns.item if frame[name].dtype.kind in "fO"]
    seen = [*dict.fromkeys([annotator, label, *columns.by, *unsure])]
    occurring = frame[seen].to_delayed()
    of_all = _known_of_all(
        _computed([delayed(_known)(part, columns) for part in occurring]), columns
    )
    # every task gets a copy of these values
    known = of_all._replace(together=of_all.together[:0])
    size = -(-known.rows // thresholds.UNITED_ROWS)
    if items_whole:
        parts = [delayed(_tally)(part, columns, known) for part in frame.to_delayed()]
        tallies = [part[0] for part in parts]
        hashes = from_delayed([part[1] for part in parts], meta=_HASHES)
        together = hashes.shuffle(on="hash", npartitions=min(size, len(parts)))
        again = [delayed(_again)(part) for part in together.to_delayed()]
    else:
        rows = frame.map_partitions(
            _packed, columns, known, meta=_packed(frame._meta, columns, known)
        )
        together = rows.shuffle(
            on=_travelling(columns)[: len(columns.item)],
            npartitions=min(size, frame.npartitions),
        )
        tallies = [delayed(_unpacked)(part, columns, known) for part in together.to_delayed()]
        again = []
    while len(tallies) > 1:
        tallies = [
            delayed(united)(tallies[start : start + thresholds.UNITED_TOGETHER])
            for start in range(0, len(tallies), thresholds.UNITED_TOGETHER)
        ]
    tally, *repeated = _computed([*tallies, *again])
    if sum(repeated):
        raise IaaError(
            f"{counted(sum(repeated), 'item')} in several partitions, contrary to "
            f"{named('items_whole')}: without this option, the ratings of each item are brought "
            "together"
        )
    if columns.by:
        tally = tally.rows(order_of(tally, pd.MultiIndex.from_frame(of_all.together)))
    group_values = dict(zip(columns.by, tally.apart, strict=True))
    ratings = ratings_of(tally, known.annotators, known.labels, labels, group_values)
    return finished(ratings, made_up_items=True)


def _ordered(column: Any) -> list[object] | None:
    if ordered_categories([column.dtype]) is None:
        return None
    if not column.cat.known:
        raise IaaError(
            f"the categories of {column.name!r} are ordered, but Dask does not know them yet: give "
            f"frame.categorize(columns=[{column.name!r}]), or declare {named('labels')}"
        )
    return ordered_categories([column.dtype])


def _missing(labels: Sequence[object] | None, missing: Sequence[object] | None) -> Missing:
    """Return the codes of missing values; as in `from_long`, words such as "NA" are labels."""
    known = missing_labels(labels, missing)
    return Missing(frozenset(str(code).strip() for code in missing or ()), known.numbers)


def _computed(tasks: Sequence[Any]) -> list[Any]:
    from dask.base import compute

    try:
        return list(compute(*tasks))
    except IaaError:
        raise
    except Exception as error:
        raise IaaError(
            f"Dask cannot compute a partition: {type(error).__name__}: {brief(str(error))}"
        ) from error


def _known(part: pd.DataFrame, columns: _Columns) -> _Known:
    labels = _labels(part[columns.label], columns.missing)
    annotators = _annotators(part[columns.annotator])
    occurring = [value for value in labels[1] if value is not None]
    # without grouping columns, no rows are returned, because their index would be transferred
    together = part[columns.by].drop_duplicates() if columns.by else part[[]][:0]
    nameless = int(np.count_nonzero(_has(labels) & (annotators[0] < 0)))
    kinds = [_kinds_of(part[name]) if name in part else frozenset[str]() for name in columns.item]
    return _Known(annotators[1], occurring, together, kinds, nameless, len(part))


def _kinds_of(column: pd.Series) -> frozenset[str]:
    """Return the kinds of the cells of a column of item names: "text", "numbers" or another kind.

    Whole numbers that floats cannot represent exactly are refused.
    """
    if column.dtype.kind == "f" and are_inexact(column):
        raise IaaError(f"{column.name!r} has ids that floats cannot hold exactly: {AS_WHOLE}")
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind == "empty":
        return frozenset()
    if not kind.startswith("mixed") or kind == "mixed-integer-float":
        numbers = kind in ("integer", "floating", "decimal", "mixed-integer-float")
        return frozenset({"numbers" if numbers else "text" if kind == "string" else kind})
    values = column.dropna().unique()
    return frozenset("text" if isinstance(each, str) else "numbers" for each in values)


def _known_of_all(parts: Sequence[_Known], columns: _Columns) -> _Known:
    annotator = columns.annotator
    for place, name in enumerate(columns.item):
        kinds = frozenset().union(*(part.kinds[place] for part in parts))
        if len(kinds) > 1:
            raise IaaError(
                f"the column {name!r} holds {' and '.join(sorted(kinds))}, so that 1 and '1' would "
                f"be two items: convert it to one kind first, as frame[{name!r}].astype(str) does"
            )
    nameless = sum(part.nameless for part in parts)
    if nameless:
        raise IaaError(
            f"{counted(nameless, 'row')} without {annotator!r}: fill the column in, or remove "
            "these rows"
        )
    annotators, labels = (
        list(dict.fromkeys(value for part in parts for value in values(part)))
        for values in (lambda part: part.annotators, lambda part: part.labels)
    )
    if not labels:
        raise IaaError("no row has a label: nothing can be measured")
    together = pd.concat([part.together for part in parts]).drop_duplicates()
    return _Known(annotators, labels, together, [], 0, sum(part.rows for part in parts))


def _numbered_rows(
    part: pd.DataFrame, columns: _Columns, known: _Known
) -> tuple[pd.DataFrame, SingleRatings]:
    items = _items(part, columns.item)
    labels = _numbered(_labels(part[columns.label], columns.missing), known.labels)
    whole = items >= 0
    if nameless := int(np.count_nonzero((labels >= 0) & ~whole)):
        raise IaaError(
            f"{counted(nameless, 'rating')} without {shown(columns.item)}: fill the column in, or "
            "remove these rows"
        )
    annotators = _numbered(_annotators(part[columns.annotator]), known.annotators)
    frame = part if whole.all() else part[whole]
    return frame, SingleRatings(items[whole], annotators[whole], labels[whole])


def _tally(part: pd.DataFrame, columns: _Columns, known: _Known) -> tuple[Tally, pd.DataFrame]:
    """Return the tally of a partition, and hashes of its items.

    The partition has all ratings of its items.
    """
    frame, numbers = _numbered_rows(part, columns, known)
    groups = [frame[name].to_numpy() for name in columns.by]
    distinct = frame[columns.item].drop_duplicates()
    hashes = pd.util.hash_pandas_object(distinct, index=False)
    tally = tally_of_rows(numbers, len(known.labels), groups)
    return tally, pd.DataFrame({"hash": hashes.to_numpy(dtype=np.uint64)})


def _packed(part: pd.DataFrame, columns: _Columns, known: _Known) -> pd.DataFrame:
    """Return the ratings of a partition, packed by item, as rows to shuffle."""
    frame, numbers = _numbered_rows(part, columns, known)
    groups = [frame[name].to_numpy() for name in columns.by]
    first, which, key = packed(numbers, len(known.labels), groups)
    names = [*columns.item, *columns.by]
    rows = frame[names].iloc[first].set_axis(_travelling(columns), axis=1)
    return rows.assign(part=which.astype(np.int32), key=key).reset_index(drop=True)


def _unpacked(rows: pd.DataFrame, columns: _Columns, known: _Known) -> Tally:
    names = _travelling(columns)
    ids, by = names[: len(columns.item)], names[len(columns.item) :]
    part, key = (rows[name].to_numpy() for name in ("part", "key"))
    numbers, where = unpacked(_items(rows, ids), part, key, len(known.labels))
    groups = [rows[name].to_numpy()[where] for name in by]
    return tally_of_rows(numbers, len(known.labels), groups)


def _travelling(columns: _Columns) -> list[str]:
    return [
        *(f"item{place}" for place in range(len(columns.item))),
        *(f"by{place}" for place in range(len(columns.by))),
    ]


def _items(rows: pd.DataFrame, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of the item of each row, -1 where a part of its name is missing."""
    item = np.zeros(len(rows), dtype=np.int64)
    whole = np.ones(len(rows), dtype=np.bool_)
    for place, name in enumerate(columns):
        codes, distinct = pd.factorize(rows[name])
        whole &= codes >= 0
        item = pd.factorize(item * len(distinct) + codes)[0] if place else codes
    if len(columns) > 1 or not whole.all():
        item = np.where(whole, item, -1)
        item[whole] = pd.factorize(item[whole])[0]
    return item


def _again(hashes: pd.DataFrame) -> int:
    return int(hashes["hash"].duplicated().sum())


_Cells = tuple[NDArray[np.int64], list[Any]]
"""The code of each cell of a column (-1: missing), and the distinct values (None: missing)."""


def _labels(column: pd.Series, missing: Missing) -> _Cells:
    codes, distinct = factorize(flat_column(column))
    return np.asarray(codes, dtype=np.int64), [
        None if str(value) in missing else value for value in distinct
    ]


def _annotators(column: pd.Series) -> _Cells:
    codes, distinct = pd.factorize(column)
    return codes.astype(np.int64), list(distinct)


def _has(cells: _Cells) -> NDArray[np.bool_]:
    return _numbered(cells, [value for value in cells[1] if value is not None]) >= 0


def _numbered(cells: _Cells, known: Sequence[Any]) -> NDArray[np.int64]:
    codes, distinct = cells
    position = {value: number for number, value in enumerate(known)}
    numbers = [position.get(value, -1) for value in distinct]
    return np.array([*numbers, -1], dtype=np.int64)[codes]
