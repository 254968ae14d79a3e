"""Make ratings from rankings: lists of labels in order of preference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set as AbstractSet

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_first_share
from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Integers, Values
from iaa_jax.data.assemble import describe_cell, grid_of, ratings_dataset
from iaa_jax.data.cells import is_missing
from iaa_jax.data.factorize import factorize
from iaa_jax.data.labels import Where, code_columns
from iaa_jax.data.notices.finished import finished
from iaa_jax.data.rating_cells import rating_cells
from iaa_jax.data.storage import python_value
from iaa_jax.data.tables import TableLike, as_table
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

Ranks = list[list[object]]
"""The labels of a rating, as a list for each rank; several labels in a rank are tied."""


def from_ranked(
    rows: TableLike,
    *,
    p: float | None = None,
    weights: Sequence[float] | None = None,
    labels: Sequence[object] | None = None,
    anonymous: bool = False,
) -> xr.Dataset:
    """Make ratings in which an annotator ranks any number of labels.

    A single label receives the whole rating. If there are two ranks, the first receives p and the
    second 1 - p, as in Rosenberg and Binkowski (2004). The authors define no weights for more
    ranks. Here, three or more ranks receive p, p (1 - p), p (1 - p)^2, ..., rescaled to sum to 1.
    Other ``weights`` may be given. Tied labels share the weight of their rank equally.

    Parameters
    ----------
    rows
        A table of items x annotators whose cells are lists of labels, best label first. An entry
        that is itself a tuple, list or set is a tie. None means not rated.
    p : float, optional
        Share of the first of two ranks, from 0.5 to 1. Give either ``p`` or ``weights``.
    weights : sequence of float, optional
        Weights of the ranks, first rank first. In each rating, the weights of its ranks are
        rescaled to sum to 1.
    labels : sequence, optional
        All possible labels in their order; if None, the labels that occur.
    anonymous : bool
        Whether annotators are unknown, so that columns do not stand for annotators; rows may then
        differ in length.

    Returns
    -------
    xarray.Dataset
        Ratings of task "soft": each rating has a share (mass) on each label.

    Raises
    ------
    IaaError
        If a cell is not a list, contains a label twice or no label, p or the weights are out of
        range, or a rating has more ranks than there are weights.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004, section 5.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_ranked([[["a", "b"], ["b"]], [["b", ("a", "c")], None]], p=0.6)
    >>> ratings.mass.values.tolist()
    [[[0.6, 0.4, 0.0], [0.0, 1.0, 0.0]], [[0.2, 0.6, 0.2], [nan, nan, nan]]]
    """
    checked_weights = _checked(p, weights)
    table = as_table(rows)
    if anonymous and not isinstance(table, pd.DataFrame | np.ndarray):
        table = _even(table)
    cells, items, annotators = grid_of(table)
    flat = cells.ravel()
    where = describe_cell(items, annotators)

    ranked = [None if is_missing(cell) else _ranks(cell) for cell in flat]
    rated_cells = [k for k, ranks in enumerate(ranked) if ranks is not None]
    wrong = [k for k in rated_cells if not ranked[k]]
    if wrong:
        raise IaaError(
            f"{counted(len(wrong), 'cell')} without a list of ranked labels: {flat[wrong[0]]!r} at "
            f"{where(wrong[0])}; write [label] for a single label and None for not rated"
        )
    entries = [
        (k, label, share)
        for k in rated_cells
        for group, rank_share in zip(
            ranked[k] or [], _rank_shares(checked_weights, ranked[k] or [], where, k), strict=True
        )
        for label, share in ((label, rank_share / len(group)) for label in group)
    ]
    named = np.fromiter((label for _, label, _ in entries), dtype=object, count=len(entries))
    labelled = code_columns([factorize(named)], labels, lambda k: where(entries[k][0]))
    codes = labelled.codes[0]
    cell_of = np.array([k for k, _, _ in entries], dtype=np.intp)
    absent = np.flatnonzero(codes < 0)
    if absent.size:
        raise IaaError(
            f"{counted(absent.size, 'ranked label')} missing (None or NaN), the first at "
            f"{where(int(cell_of[absent[0]]))}; leave it out of the list"
        )
    _refuse_twice(cell_of, codes, labelled.values, where)
    mass = np.zeros((len(rated_cells), len(labelled.values)))
    mass[np.searchsorted(rated_cells, cell_of), codes] = [share for _, _, share in entries]
    item, annotator = np.divmod(np.array(rated_cells, dtype=np.intp), max(len(annotators), 1))
    size = mass.itemsize * mass.shape[1]
    storage, _ = rating_cells(item, annotator, (items, annotators), anonymous=anonymous, size=size)
    ratings = ratings_dataset(
        {"mass": storage.filled(mass)},
        items,
        annotators,
        task="soft",
        labelled=labelled,
        annotator_of=storage.annotator_of,
        anonymous=anonymous,
    )
    return finished(ratings)


def rank_weights(p: float, ranks: int) -> Floats:
    """Return the shares of the ranks, first rank first.

    Examples
    --------
    >>> rank_weights(0.6, 2).round(3), rank_weights(0.6, 3).round(3)
    (array([0.6, 0.4]), array([0.641, 0.256, 0.103]))
    """
    if ranks == 2:
        return np.array([p, 1 - p])
    shares: Floats = p * (1 - p) ** np.arange(ranks)
    return np.asarray(shares / shares.sum())


def _checked(p: float | None, weights: Sequence[float] | None) -> float | NDArray[np.float64]:
    if (p is None) == (weights is None):
        raise IaaError(
            f"give {named('p')}, the share of the first of two ranks, or {named('weights')}, one "
            "for each rank"
        )
    if p is not None:
        check_first_share("p", p, "first rank")
        return float(p)
    try:
        shares = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.array([np.nan])
    good = shares.ndim == 1 and shares.size and np.isfinite(shares).all() and (shares >= 0).all()
    if not good or shares[0] == 0:
        raise IaaError(
            f"{named('weights')} are finite numbers from 0 up, the first of them not 0, not "
            f"{weights!r}"
        )
    return shares


def _rank_shares(
    checked_weights: float | NDArray[np.float64], ranks: Ranks, where: Where, position: int
) -> Floats:
    if isinstance(checked_weights, float):
        return rank_weights(checked_weights, len(ranks))
    if len(ranks) > len(checked_weights):
        raise IaaError(
            f"{where(position)} ranks {len(ranks):,} labels, and {named('weights')} are given for "
            f"{len(checked_weights):,} ranks: give more (0 for ranks that do not count)"
        )
    shares = checked_weights[: len(ranks)]
    return np.asarray(shares / shares.sum())


def _ranks(cell: object) -> Ranks:
    """Return the ranks in a cell; an empty list if the cell is not a list of labels."""
    if isinstance(cell, np.ndarray):
        cell = cell.tolist()
    if not isinstance(cell, list | tuple):
        return []
    groups: Ranks = [
        sorted(entry, key=str)
        if isinstance(entry, AbstractSet)
        else list(entry)
        if isinstance(entry, list | tuple)
        else [entry]
        for entry in cell
    ]
    return groups if all(groups) else []


def _even(rows: Iterable[Iterable[object]]) -> list[list[object]]:
    lists = [list(row) for row in rows]
    width = max((len(row) for row in lists), default=0)
    return [row + [None] * (width - len(row)) for row in lists]


def _refuse_twice(cell_of: NDArray[np.intp], codes: Integers, values: Values, where: Where) -> None:
    keys = cell_of * len(values) + codes
    _, first, times = np.unique(keys, return_index=True, return_counts=True)
    twice = first[times > 1]
    if twice.size:
        names = [
            f"{python_value(values[codes[k]])} at {where(int(cell_of[k]))}" for k in twice.tolist()
        ]
        raise IaaError(
            f"{counted(twice.size, 'rating')} naming a label twice: {shown(names)}; each label has "
            "one rank"
        )
