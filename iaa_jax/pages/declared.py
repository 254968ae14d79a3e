"""Columns of tables from figures: the analysis declares the heading and format of each figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.pages import intervals
from iaa_jax.pages.blocks import Column, Table, Text, column_of
from iaa_jax.pages.cells import texts_of
from iaa_jax.pages.generic import SHOWN, columns_of
from iaa_jax.pages.records import part_of
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Figure, Kind, by_name
from iaa_jax.wording.formats import UNKNOWN, decimals_for, spaced

_LAST = 9
"""Value of ``spare`` for columns that a page does not choose itself: they are left out first."""


class FigureColumns:
    """Makes the columns of a table from figures, which are named values of a result.

    Parameters
    ----------
    figures : iterable of Figure
        Figures that the analysis declares for these rows.
    rows : xarray.Dataset
        The rows, in the order of the table.
    **values
        Values that footnotes mention.

    Examples
    --------
    >>> share = Figure("share", "of all ratings", "share", "Share")
    >>> columns = FigureColumns([share], xr.Dataset({"share": ("label", [0.25, 0.75])}))
    >>> columns("share", spare=2).heading, columns("share").kind
    ('Share', 'share')
    """

    def __init__(self, figures: Iterable[Figure], rows: xr.Dataset, **values: object) -> None:
        self._figures = by_name(figures)
        self._rows = rows
        self._values = values

    def __call__(
        self,
        name: str,
        *,
        heading: Text = "",
        decimals: int | None = None,
        spare: int = 0,
        meaning: Note | None = None,
        in_files: bool = False,
    ) -> Column:
        """Return the column of a figure; arguments replace the declared settings."""
        figure = self._figures[name]
        column = column_of(figure, self._rows[name].values)
        if meaning is None and figure.footnote:
            meaning = Note(figure.note, self._values)
        return replace(
            column,
            heading=heading or column.heading,
            decimals=column.decimals if decimals is None else decimals,
            spare=spare,
            meaning=meaning,
            in_files=in_files,
        )

    def key(self, name: str, heading: Text) -> Column:
        """Return the column that names the rows."""
        return Column(name, heading, self._rows[name].values, "label")

    def ends(
        self, name: str, *, heading: Text = "", decimals: int | None = None, spare: int = 0
    ) -> Iterator[Column]:
        """Yield the column of a figure's interval, if any row has an interval.

        The ends are ``NAME_ci_low`` and ``NAME_ci_high``, or ``ci_low`` and ``ci_high`` if the name
        is empty. By default, the number of decimals follows from the widths of the intervals.
        """
        of_share = name in self._figures and self._figures[name].kind == "share"
        kind: Kind = "share_interval" if of_share else "interval"
        key = f"{name}_ci".removeprefix("_")
        column = intervals.column(self._rows, key, kind=kind, spare=spare)
        ends = np.asarray(column.values, dtype=np.float64)
        if not np.isnan(ends).all():
            known = decimals_for(ends[:, 1] - ends[:, 0]) if decimals is None else decimals
            yield replace(column, heading=heading or column.heading, decimals=known)

    def with_ends(
        self, name: str, *, spare: int = 0, meaning: Note | None = None
    ) -> Iterator[Column]:
        """Yield the columns of a figure and its interval; the interval is left out first."""
        yield self(name, spare=spare, meaning=meaning)
        yield from self.ends(name, spare=spare + 1)

    def with_the_rest(
        self, columns: Iterable[Column], axis: str, in_files: Iterable[str] = ()
    ) -> list[Column]:
        """Return a page's columns, followed by all other columns along an axis.

        Declared figures that have a heading and a value are shown if there is room. All others, and
        the figures named ``in_files``, are in files only.
        """
        listed = list(columns)
        known = {column.key for column in listed}
        shown = {name for name, figure in self._figures.items() if figure.heading} - {*in_files}
        for column in columns_of(self._rows, axis, self._figures):
            if column.key not in known:
                texts = column.key in shown and {*texts_of(column, range(len(column.values)))}
                hidden = not texts or texts <= {UNKNOWN, ""}
                listed.append(replace(column, in_files=hidden, spare=_LAST))
        return listed

    def table(
        self,
        id: str,
        columns: Iterable[Column],
        axis: str,
        caption: Text = "",
        noun: Text = "",
        shown: int | Sequence[int] | None = None,
        *,
        notes: Sequence[Note] = (),
        in_files: bool = False,
        first_in_files: Sequence[str] = (),
        beside: Iterable[str] = (),
    ) -> Table:
        """Return the table of an axis, with the columns that `with_the_rest` returns.

        The ``noun`` for the rows is by default the ``id``; ``beside`` names figures that are in
        files only.
        """
        return Table(
            id,
            self.with_the_rest(columns, axis, beside),
            caption,
            noun or spaced(id),
            shown,
            notes,
            in_files=in_files,
            first_in_files=first_in_files,
        )

    def further(self, axis: str, *keys: Column, always: bool = True) -> Iterator[Table]:
        """Yield the table of an axis that has no other table.

        If no figure has a heading, the table is in files only; if ``always`` is false, there is
        then no table at all.
        """
        if axis not in self._rows.dims:
            return
        known = list(keys)
        if not known and axis in self._rows.coords:
            known = [self.key(axis, spaced(axis).capitalize())]
        columns = self.with_the_rest(known, axis)
        unseen = all(column.in_files for column in columns[len(known) :])
        if always or not unseen:
            name = part_of(axis)
            yield Table(name, columns, noun=spaced(name), shown=SHOWN, in_files=unseen)
