"""Make ratings from tables of labels, with one row per rating or per item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_choice, check_name, check_names
from iaa_jax._errors import IaaError, OptionError, shown, suggestion
from iaa_jax._types import Integers, Values
from iaa_jax.data.assemble import (
    IndexedNames,
    describe_cell,
    grid_of,
    index_column,
    item_and_annotator,
    join_ids,
    name_of_rows,
    refuse_no_annotators,
    repeats_as_new_annotators,
    single_ratings,
    with_givers,
)
from iaa_jax.data.categories import ordered_categories, with_unused
from iaa_jax.data.cells import flat_column
from iaa_jax.data.duplicates import DUPLICATES, ways_of
from iaa_jax.data.factorize import Column, factorize
from iaa_jax.data.kept_columns import Belonging, wanted_columns, with_kept
from iaa_jax.data.labels import Where, code_columns, offenders
from iaa_jax.data.notices.finished import finished
from iaa_jax.data.provenance import with_files_of, with_skipped, with_understood
from iaa_jax.data.rating_cells import rating_cells
from iaa_jax.data.tables import FrameLike, TableLike, as_frame, as_table
from iaa_jax.data.votes import notes_on_new_annotators, notes_on_votes
from iaa_jax.wording import Note, keyword, named, with_ways
from iaa_jax.wording.formats import counted


def from_long(
    frame: FrameLike,
    item: str | Sequence[str] = "item",
    annotator: str = "annotator",
    label: str = "label",
    secondary: str | None = None,
    labels: Sequence[object] | None = None,
    duplicates: str = "error",
    keep: str | Sequence[str] | None = None,
) -> xr.Dataset:
    """Make ratings from a table with one row for each rating.

    Items and annotators keep the order of their first rows. Other columns are ignored, unless
    ``keep`` names them. A row without a label is a missing rating.

    Parameters
    ----------
    frame
        A DataFrame of pandas or polars, a table of Arrow, or anything that ``pandas.DataFrame``
        takes.
    item, annotator, label
        Names of the columns. Several item columns are joined into one id, as in ``"12 | joy"``.
    secondary
        Name of the column with the second-choice labels; a rating without one has an empty cell.
    labels
        All possible labels in their order; if None, the labels that occur, or the categories of an
        ordered categorical in their order.
    duplicates
        What to do if an annotator rates an item twice: "error" refuses it; "first" or "last" keeps
        one rating; "combine" unites the labels into one set; "apart" attributes the second rating
        to a new annotator, "ann (2)" (see `iaa_jax.annotators.repeats`); "votes" counts each row as
        a vote, which `iaa_jax.gold` accepts and coefficients do not.
    keep
        Further columns to keep as coordinates, for options such as ``by=``. A column is kept along
        `item` if every item has one value, otherwise along `annotator` if every annotator has one
        value, otherwise along both. "*" keeps all columns except labels.

    Returns
    -------
    xarray.Dataset
        Ratings of task "single", "primary_secondary" if `secondary` is given, or "multi_label" if
        rows are combined. If there are at least 100 annotators (a crowd), and no item was rated by
        more than a quarter of them, ratings are stored by slot, the position of a rating within its
        item (see `in_slots`), and ``attrs["slots"]`` is the number of slots. Functions accept both
        forms, unless they say otherwise. If annotators have several votes on an item, each vote has
        a slot, and ``attrs["repeated"]`` is 1.

    Raises
    ------
    IaaError
        If a column is missing, an annotator rates an item twice and ``duplicates`` is "error", a
        rating lacks its item or annotator, a label is not among the declared labels, a secondary
        label has no primary label or equals it, or no item has two ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [("t1", "ann", "yes"), ("t1", "bob", "no"), ("t2", "ann", "no")]
    >>> ratings = iaa.from_long(
    ...     {name: column for name, column in zip(("item", "annotator", "label"), zip(*rows))}
    ... )
    >>> ratings["primary"].values.tolist(), ratings["label"].values.tolist()
    ([[1, 0], [0, -1]], ['no', 'yes'])
    """
    check_choice("duplicates", duplicates, DUPLICATES)
    table = as_frame(frame)
    check_names("item", item)
    names = [item] if isinstance(item, str) else list(item)
    if not names:
        raise IaaError("item names no column")
    for option, column in {"annotator": annotator, "label": label, "secondary": secondary}.items():
        check_name(option, column)
    wanted = [*names, annotator, label, *([] if secondary is None else [secondary])]
    called = [*(names if len(names) == 1 else ()), annotator]
    kept = wanted_columns(keep, [*table.columns], called, [label, secondary])
    _check_columns(table, [*wanted, *kept])
    if len(table) == 0:
        raise IaaError("the table has no rows: there is no rating in the data")
    again = np.zeros(len(table), dtype=bool)
    if duplicates in ("first", "last"):
        rated = table[table[label].notna().to_numpy()]
        twice = rated.duplicated([*names, annotator], keep=duplicates)  # type: ignore[arg-type]
        again[np.flatnonzero(table[label].notna())[twice.to_numpy()]] = True
        table = table[~again]
    items = join_ids([index_column(table[name], "item") for name in names])
    known = raters = index_column(table[annotator], "annotator")
    understood: list[Note] = []
    if duplicates == "apart":
        raters = repeats_as_new_annotators(items, known, table[label].notna().to_numpy())
        understood = notes_on_new_annotators(known, raters)
    columns = [table[name] for name in wanted[len(names) + 1 :]]
    answers = [factorize(flat_column(column)) for column in columns]
    kinds = [column.dtype for column in columns]
    declared = ordered_categories(kinds) if labels is None else labels

    def where(row: int) -> str:
        return f"row {numbers[row]} ({item_and_annotator(items, raters, row)})"

    numbers = np.flatnonzero(~again)
    if duplicates == "combine":
        if secondary is not None:
            raise OptionError(
                f"{keyword('duplicates', 'combine')} makes sets, which have no secondary labels"
            )
        from iaa_jax.data.build_sets import set_ratings

        codes, values = answers[0]
        refuse_nameless(codes >= 0, items[0], raters[0], where)
        sets = (codes, [(value,) for value in values])
        ratings = set_ratings(items, raters, sets, declared, where, parse=False)
    else:
        votes = duplicates == "votes"
        ratings = long_ratings(items, raters, answers, declared, where, votes=votes)
    ratings = with_givers(ratings, known, raters)
    for note in [*understood, *notes_on_votes(ratings)]:
        ratings = with_understood(ratings, note)
    if again.any():
        order = Note("order_of_table")
        left_out = {"ratings": int(again.sum()), "kept": duplicates, "order": order}
        ratings = with_skipped(ratings, Note("skipped_repeated_ratings", left_out))
    ratings = finished(with_unused(ratings, kinds, declared))
    if kept:
        rated_rows = np.flatnonzero(answers[0][0] >= 0)
        of_ratings = rated_rows, items[0][rated_rows], raters[0][rated_rows]
        rows = Belonging(items[0], raters[0], of_ratings)
        ratings = with_kept(ratings, table, kept, rows, where)
    return with_files_of(ratings, frame)


def long_ratings(
    items: IndexedNames,
    annotators: IndexedNames,
    answers: Sequence[Column],
    labels: Sequence[object] | None,
    where: Where,
    *,
    parse: bool = False,
    anonymous: bool = False,
    votes: bool = False,
) -> xr.Dataset:
    """Make ratings from rows whose items, annotators and labels are already coded.

    `answers` are the columns of labels: primary, then any secondary labels. `where` describes a row
    in messages. If `anonymous`, annotators are mere positions among the ratings of an item. If
    `votes`, an annotator may rate an item several times.
    """
    (item_codes, item_names), (annotator_codes, annotator_names) = items, annotators
    labelled = code_columns(answers, labels, where, parse=parse)
    primary, secondary = labelled.codes[0], (*labelled.codes, None)[1]
    is_rated = primary >= 0
    if secondary is not None:
        _check_secondary(primary, secondary, where)
    refuse_nameless(is_rated, item_codes, annotator_codes, where)
    rows = item_codes, annotator_codes, *labelled.codes
    if not is_rated.all():
        rows = tuple(column[is_rated] for column in rows)
    rated_items, raters, *answered = rows
    names = (item_names, annotator_names)
    storage, repeats = rating_cells(rated_items, raters, names, anonymous=anonymous)
    grids = []
    if repeats is None:
        grids = [storage.filled(codes) for codes in answered]
        if np.count_nonzero(grids[0] >= 0) < storage.cell.size:
            repeats = np.flatnonzero(pd.Series(storage.cell).duplicated())
    if repeats is not None and repeats.size:
        if not votes:
            no_sets = [name for name in DUPLICATES if name != "combine" or secondary is None]
            again = np.flatnonzero(is_rated)[repeats]
            raise IaaError(
                with_ways(
                    f"{counted(again.size, 'rating')} by an annotator who had already rated the "
                    f"item: {offenders(again, where)}",
                    ways_of(no_sets),
                )
            )
        storage, _ = rating_cells(rated_items, raters, names, votes=True)
        grids = []
    return single_ratings(
        labelled,
        grids or [storage.filled(codes) for codes in answered],
        item_names,
        annotator_names,
        annotator_of=storage.annotator_of,
        anonymous=anonymous,
    )


def from_wide(
    frame_or_array: TableLike,
    labels: Sequence[object] | None = None,
    *,
    keep: str | Sequence[str] | None = None,
) -> xr.Dataset:
    """Make ratings from a table with one row for each item and one column for each annotator.

    Parameters
    ----------
    frame_or_array
        A DataFrame (index: items, columns: annotators) of pandas, polars or Arrow, a DataArray, an
        array of NumPy, JAX or anything NumPy accepts, or a list of rows. None, NaN and pd.NA mean
        not rated.
    labels
        All possible labels in their order; if None, the labels that occur, or the categories of
        ordered categoricals in their order.
    keep
        Columns of a DataFrame that describe items and are kept as coordinates, not as annotators.

    Returns
    -------
    xarray.Dataset
        Ratings of task "single"; ratings of a crowd are stored by slot, as in `from_long`.
        Except in a crowd, functions that measure agreement leave out annotators without ratings,
        and name them in ``attrs["skipped"]`` of the result.

    Raises
    ------
    IaaError
        If the table does not have two dimensions, a name occurs twice, a column of a DataFrame
        contains ids or texts instead of labels, a label is not among the declared labels, or no
        item has two ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "b"], ["a", None]])
    >>> ratings["primary"].values.tolist(), ratings["annotator"].values.tolist()
    ([[0, 1], [0, -1]], ['annotator 1', 'annotator 2'])
    """
    table = as_table(frame_or_array)
    kept: list[str] = []
    whole = table
    if isinstance(table, pd.DataFrame):
        kept = wanted_columns(keep, [*table.columns])
        _check_columns(table, kept)
        table = table.drop(columns=kept)
    elif keep is not None:
        raise OptionError(f"{named('keep')} is for columns of a DataFrame, and this is none")
    cells, items, annotators = grid_of(table)
    kinds = list(table.dtypes) if isinstance(table, pd.DataFrame) else []
    declared = ordered_categories(kinds) if labels is None else labels
    if labels is None and isinstance(table, pd.DataFrame):
        otherwise = (
            "and leave other texts out with frame.drop(columns=...), or declare "
            f"{named('labels')} if annotators gave these values"
        )
        refuse_no_annotators(cells, annotators, otherwise)
    where = describe_cell(items, annotators)

    ratings = wide_ratings(factorize(cells.ravel()), items, annotators, declared, where)
    ratings = with_unused(ratings, kinds, declared)
    ratings = finished(ratings, rows=name_of_rows(table))
    if kept:
        ratings = with_kept(ratings, whole, kept, Belonging(np.arange(len(whole))), where)
    return with_files_of(ratings, frame_or_array)


def wide_ratings(
    cells: Column,
    items: Values,
    annotators: Values,
    labels: Sequence[object] | None,
    where: Where,
    *,
    parse: bool = False,
    anonymous: bool = False,
) -> xr.Dataset:
    """Make ratings from the flat cells of a grid; `where` describes a flat position in messages."""
    labelled = code_columns([cells], labels, where, parse=parse)
    grid = labelled.codes[0].reshape(len(items), len(annotators))
    return single_ratings(labelled, [grid], items, annotators, anonymous=anonymous)


def refuse_nameless(
    is_rated: NDArray[np.bool_], items: Integers, annotators: Integers, where: Where
) -> None:
    """Refuse ratings that lack their item or annotator."""
    for column, codes in (("item", items), ("annotator", annotators)):
        nameless = np.flatnonzero(is_rated & (codes < 0))
        if nameless.size:
            raise IaaError(
                f"{counted(nameless.size, 'rating')} without {column}: "
                f"{offenders(nameless, where)}; fill the column in or remove these rows"
            )


def _check_columns(table: pd.DataFrame, wanted: Sequence[str]) -> None:
    known = list(table.columns)
    for name in wanted:
        if known.count(name) == 1:
            continue
        if name in known:
            raise IaaError(
                f"the column {name!r} occurs {known.count(name)} times; columns need unique names"
            )
        in_index = name in table.index.names
        hint = "; it is in the index: give frame.reset_index()" if in_index else ""
        raise IaaError(
            f"there is no column {name!r}; the columns are {shown(known, 12)}"
            f"{hint or suggestion(name, known)}"
        )


def _check_secondary(primary: Integers, secondary: Integers, where: Where) -> None:
    has_secondary = secondary >= 0
    for wrong, fault in (
        (has_secondary & (primary < 0), "a secondary label without a primary one"),
        (has_secondary & (primary == secondary), "a secondary label equal to the primary one"),
    ):
        rows = np.flatnonzero(wrong)
        if rows.size:
            raise IaaError(
                f"{counted(rows.size, 'rating')} with {fault}: {offenders(rows, where)}; "
                "correct these rows, or leave the secondary label empty there"
            )
