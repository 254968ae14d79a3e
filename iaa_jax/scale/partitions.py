"""Partitions of a Dask frame on any cluster: each becomes a tally, and only tallies travel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief, shown, suggestion
from iaa_jax.data.labels import factorize
from iaa_jax.io.table.cells import Missing, missing_labels
from iaa_jax.scale.tally import Tally, ratings_of, tally_of_rows, united
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

if TYPE_CHECKING:
    from dask.dataframe import DataFrame

TOGETHER = 8
"""Tallies that are united in one task."""


class _Columns(NamedTuple):
    item: list[str]
    annotator: str
    label: str
    by: list[str]
    missing: Missing


class _Known(NamedTuple):
    """The annotators and labels of a partition, in the order of their first rows."""

    annotators: list[Any]
    labels: list[Any]
    nameless: int


class _Part(NamedTuple):
    tally: Tally
    hashes: NDArray[np.uint64]


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
    """Make ratings of a Dask frame with one row a rating, as their distinct patterns.

    The work runs where Dask runs it: on threads, or on the workers of the current client. Distinct
    patterns with counts travel, and nothing else; a worker that is lost is made up for by Dask and
    changes no digit.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Rows of item, annotator and label (``pip install 'iaa_jax[dask]'``).
    item, annotator, label : str
        The columns; several name an item together.
    labels : sequence, optional
        All possible labels in their order; those that occur by default.
    missing : sequence, optional
        Further codes that mean "not rated".
    by : str or sequence of str, optional
        Columns that describe items and stay, such as a document, a batch or a day.
    items_whole : bool
        Promise that all ratings of an item stand in one partition. Else a shuffle brings them
        together first. A broken promise is noticed by hashes of 8 bytes an item, and refused.

    Returns
    -------
    xarray.Dataset
        What `iaa_jax.data.compress` makes of all ratings, to the digit.

    Raises
    ------
    IaaError
        If a column is missing, a partition cannot be read, an annotator rated an item twice, a
        rating lacks its item or annotator, a label is not among the declared ones, or nothing can
        be paired.

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
        from dask.delayed import delayed
    except ImportError:
        message = "this needs Dask: pip install 'iaa_jax[dask]'"
        raise IaaError(message) from None
    if not hasattr(frame, "to_delayed"):
        message = f"give a Dask frame, not {type(frame).__name__}; from_long takes pandas frames"
        raise IaaError(message)
    columns = _Columns(
        [item] if isinstance(item, str) else list(item),
        annotator,
        label,
        [by] if isinstance(by, str) else list(by or ()),
        missing_labels(labels, missing),
    )
    wanted = [*dict.fromkeys([*columns.item, annotator, label, *columns.by])]
    present = [str(name) for name in frame.columns]
    for name in wanted:
        if name not in present:
            message = (
                f"there is no column {name!r}; the columns are {shown(present, 12)}"
                f"{suggestion(name, present)}"
            )
            raise IaaError(message)
    frame = frame[wanted]
    known = _known_of_all(
        _computed([delayed(_known)(part, columns) for part in frame.to_delayed()]), annotator
    )
    if not items_whole:
        frame = frame.shuffle(on=columns.item)
    layer = [
        delayed(_part)(part, columns, known, items_whole)
        for part in frame.to_delayed(optimize_graph=True)
    ]
    while len(layer) > 1:
        layer = [
            delayed(_united)(layer[start : start + TOGETHER])
            for start in range(0, len(layer), TOGETHER)
        ]
    (whole,) = _computed(layer)
    together = np.sort(whole.hashes)
    if again := int(np.count_nonzero(together[1:] == together[:-1])):
        message = (
            f"{counted(again, 'item')} in several partitions, against {named('items_whole')}: "
            "leave it out, and they are brought together"
        )
        raise IaaError(message)
    return ratings_of(whole.tally, known.annotators, known.labels, labels, columns.by)


def _computed(tasks: Sequence[Any]) -> list[Any]:
    from dask.base import compute

    try:
        return list(compute(*tasks))
    except IaaError:
        raise
    except Exception as error:
        message = f"Dask cannot work out a partition: {type(error).__name__}: {brief(str(error))}"
        raise IaaError(message) from error


def _known(part: pd.DataFrame, columns: _Columns) -> _Known:
    labels = _cells(part[columns.label], columns.missing)
    annotators = _cells(part[columns.annotator])
    occurring = [value for value in labels[1] if value is not None]
    nameless = int(np.count_nonzero(_has(labels) & ~_has(annotators)))
    return _Known([value for value in annotators[1] if value is not None], occurring, nameless)


def _known_of_all(parts: Sequence[_Known], annotator: str) -> _Known:
    nameless = sum(part.nameless for part in parts)
    if nameless:
        message = (
            f"{counted(nameless, 'row')} without {annotator!r}: fill the column in, or remove "
            "these rows"
        )
        raise IaaError(message)
    annotators, labels = (
        list(dict.fromkeys(value for part in parts for value in values(part)))
        for values in (lambda part: part.annotators, lambda part: part.labels)
    )
    if not labels:
        message = "no row has a label: nothing can be measured"
        raise IaaError(message)
    return _Known(annotators, labels, 0)


def _part(part: pd.DataFrame, columns: _Columns, known: _Known, hashed: bool) -> _Part:
    ids = [_cells(part[name]) for name in columns.item]
    labels = _numbered(_cells(part[columns.label], columns.missing), known.labels)
    whole = np.logical_and.reduce([_has(each) for each in ids]) if len(part) else np.array([], bool)
    if nameless := int(np.count_nonzero((labels >= 0) & ~whole)):
        message = (
            f"{counted(nameless, 'rating')} without {shown(columns.item)}: fill the column in, or "
            "remove these rows"
        )
        raise IaaError(message)
    rows = part[whole]
    items = rows.groupby(columns.item, sort=False, observed=True).ngroup().to_numpy()
    tally = tally_of_rows(
        items,
        _numbered(_cells(part[columns.annotator]), known.annotators)[whole],
        labels[whole],
        len(known.labels),
        [rows[name].to_numpy() for name in columns.by],
    )
    hashes = np.zeros(0, dtype=np.uint64)
    if hashed:
        distinct = rows[columns.item].drop_duplicates()
        hashes = np.asarray(pd.util.hash_pandas_object(distinct, index=False), dtype=np.uint64)
    return _Part(tally, hashes)


def _united(parts: Sequence[_Part]) -> _Part:
    return _Part(
        united([part.tally for part in parts]), np.concatenate([part.hashes for part in parts])
    )


_BLANK = Missing(frozenset({""}))

_Cells = tuple[NDArray[np.int64], list[Any]]
"""The index of each cell's distinct value (-1: none), and these values; None where it is empty."""


def _cells(column: pd.Series, missing: Missing = _BLANK) -> _Cells:
    values = column.to_numpy(dtype=object) if column.dtype.kind == "O" else column.to_numpy()
    if values.dtype.kind not in "iufbO":
        values = column.astype(object).to_numpy()
    codes, distinct = factorize(values)
    cleaned = [value.strip() if isinstance(value, str) else value for value in distinct]
    return np.asarray(codes, dtype=np.int64), [
        None if str(value) in missing else value for value in cleaned
    ]


def _has(cells: _Cells) -> NDArray[np.bool_]:
    return _numbered(cells, [value for value in cells[1] if value is not None]) >= 0


def _numbered(cells: _Cells, known: Sequence[Any]) -> NDArray[np.int64]:
    codes, distinct = cells
    position = {value: number for number, value in enumerate(known)}
    numbers = [position.get(value, -1) for value in distinct]
    return np.array([*numbers, -1], dtype=np.int64)[codes]
