"""Reads the items and annotators of tables with a row for each rating."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Integers
from iaa_jax.data.assemble import (
    IndexedNames,
    item_and_annotator,
    join_ids,
    repeats_as_new_annotators,
)
from iaa_jax.data.duplicates import DUPLICATES, DistinguishingColumn
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.labels import offenders
from iaa_jax.data.storage import python_value
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, usual_name
from iaa_jax.data.votes import notes_on_new_annotators
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import Missing, Rows, names, slot_names
from iaa_jax.io.table.columns import check_columns, other_columns, split_names, usual_item
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.proposal import OF_ONE_EACH, named_by_files
from iaa_jax.io.table.rounds import told_apart
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables, kept_one, repeats
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

# up to this many pairs of item and annotator per rating, a table of all pairs is made
ROOM = 32


@dataclass(frozen=True)
class Roles:
    """The columns that name item and annotator."""

    ids: tuple[str, ...]
    annotators: tuple[str, ...]  # several columns may name the annotator together
    from_file: str = ""  # the note code for files that name the annotator

    @property
    def columns(self) -> list[str]:
        """The columns of all roles."""
        return [*self.ids, *self.annotators]

    @property
    def by_role(self) -> dict[str, Sequence[str | None]]:
        """The columns of each role."""
        return {"item": self.ids, "annotator": self.annotators}

    def notes(self) -> list[Note]:
        """Return notes on the columns."""
        annotators = Note("read_annotators_unknown")
        if len(self.annotators) == 1:
            annotators = Note("read_annotators_from", {"column": self.annotators[0]})
        elif self.annotators:
            annotators = Note("read_annotators_joined", {"columns": list(self.annotators)})
        elif self.from_file:
            annotators = Note(self.from_file)
        return [Note("read_items_from", {"columns": list(self.ids)}), annotators]


@dataclass(frozen=True)
class RatingRows:
    """Items and annotators of the rows of all files."""

    table: Rows
    items: IndexedNames
    annotators: IndexedNames | None  # None if anonymous
    roles: Roles | None = None  # None if a row here is not a row of the table

    def where(self, row: int) -> str:
        """Return the location of a row with its item and annotator, for messages."""
        if self.annotators is None:
            codes, known = self.items
            item = None if codes[row] < 0 else python_value(known[codes[row]])
            return f"{self.table.where(row)} (item {brief(item)})"
        return f"{self.table.where(row)} ({item_and_annotator(self.items, self.annotators, row)})"

    def raters(self, labelled: NDArray[np.bool_]) -> IndexedNames:
        """Return the annotator of each row.

        An anonymous annotator is a slot: an item's first, second, ... rating.
        """
        if self.annotators is not None:
            return self.annotators
        return number_slots(self.items[0], labelled)

    def with_new_annotators(
        self, labelled: NDArray[np.bool_], how: str
    ) -> tuple[RatingRows, list[Note]]:
        """Return the rows, with new annotators for repeats if ``how`` is "apart", and notes."""
        if self.annotators is None or how != "apart":
            return self, []
        further = repeats_as_new_annotators(self.items, self.annotators, labelled)
        return replace(self, annotators=further), notes_on_new_annotators(self.annotators, further)

    def repeated(
        self,
        labelled: NDArray[np.bool_],
        how: str,
        choices: Collection[str] = DUPLICATES,
        ways: Sequence[str] = (),
    ) -> Integers:
        """Return the rows to leave out so that no annotator rates an item twice.

        None is left out if annotators are unknown, or if ``how`` keeps all. If ``how`` is "error",
        repeats are refused; the error lists ``ways`` to proceed and the ``choices`` for ``how``.
        """
        if self.annotators is None or how in ("combine", "apart", "votes"):
            return np.empty(0, dtype=np.int64)
        items, (annotators, known) = self.items[0], self.annotators
        rated = labelled & (items >= 0) & (annotators >= 0)
        if not rated.all():
            items, annotators = items[rated], annotators[rated]
        key = items * np.int64(len(known))
        key += annotators
        size = len(self.items[1]) * len(known)
        if size <= ROOM * len(key):
            marked = np.zeros(size, dtype=bool)
            marked[key] = True
            if np.count_nonzero(marked) == len(key):
                return np.empty(0, dtype=np.int64)
        what = "of the same item by the same annotator"
        rows = np.flatnonzero(rated)
        return repeats(
            rows,
            key,
            how,
            ("rating", what, self.where, self.table.where),
            choices,
            ways,
            lambda: self._told_apart(rows, key),
        )

    def _told_apart(self, rows: Integers, key: Integers) -> DistinguishingColumn | None:
        if self.roles is None or not isinstance(self.table, Tables):
            return None
        return told_apart(self.table, self.roles.ids, rows, key)

    def belonging(
        self, raters: IndexedNames, labelled: NDArray[np.bool_], again: Integers
    ) -> Belonging:
        """Return the item and annotator of each row and each rating; rows in ``again`` have -1."""
        items, annotators = self.items[0], None if self.annotators is None else self.annotators[0]
        if again.size:
            items, labelled = items.copy(), labelled.copy()
            items[again], labelled[again] = -1, False
            if annotators is not None:
                annotators = annotators.copy()
                annotators[again] = -1
        rated = np.flatnonzero(labelled)
        return Belonging(items, annotators, (rated, items[rated], raters[0][rated]))

    def refuse_nameless(self, rated: NDArray[np.bool_]) -> None:
        """Refuse ratings without an item, or without an annotator if a column names annotators."""
        if self.roles is None:
            return
        named_by = {"item": (self.roles.ids, self.items)}
        if self.roles.annotators and self.annotators is not None:
            named_by["annotator"] = (self.roles.annotators, self.annotators)
        for noun, (columns, (codes, _)) in named_by.items():
            lost = np.flatnonzero(rated & (codes < 0))
            if lost.size:
                way = to_exclude(self.table, columns, int(lost[0]))
                raise IaaError(
                    f"{counted(lost.size, 'rating')} without {noun}: "
                    f"{offenders(lost, self.where)}; fill the column in, or leave such rows out "
                    f"with {way}"
                )

    def count_empty_rows(self, labelled: NDArray[np.bool_]) -> int:
        """Count the rows without a rating that also lack an item or annotator."""
        lacking = self.items[0] < 0
        if self.annotators is not None:
            lacking = lacking | (self.annotators[0] < 0)
        return int(np.count_nonzero(lacking & ~labelled))


def find_roles(
    files: Sequence[Source],
    options: Options,
    others: Sequence[str | None],
    *,
    of_items: bool = False,
) -> Roles:
    """Return the columns of item and annotator: those named by options, or with usual names.

    ``of_items`` means that a row has all ratings of an item.
    """
    source = files[0]
    columns = head(source).names
    from_file = options.annotator is None and source.annotator is not None
    named_ids = () if options.item is None else split_names(options.item, columns)
    annotators = () if options.annotator is None else split_names(options.annotator, columns)
    free = other_columns(columns, [*annotators, *others, *named_ids])
    if not annotators and not options.anonymous and not from_file:
        annotator = usual_name(free, ANNOTATOR)
        if annotator is None:
            hint = f", or give {keyword('anonymous', True)} if the file does not say who rated"
            if files[1:] and not source.is_sheet:
                hint += f", or, {OF_ONE_EACH}, {named_by_files(files)}"
            raise IaaError(describe_unnamed(source, "annotator", hint))
        annotators = (annotator,)
    ids = named_ids
    if options.item is None:
        left = other_columns(free, annotators)
        usual = usual_item(head(source), left) if of_items else usual_name(left, ITEM)
        best = usual or (left[0] if len(left) == 1 else None)
        if best is None:
            raise IaaError(describe_unnamed(source, "item"))
        ids = (best,)
    check_columns(source, columns, ids, named("item"))
    check_columns(source, columns, annotators, named("annotator"))
    return Roles(ids, annotators, source.annotators_note if from_file else "")


def describe_unnamed(source: Source, option: str, hint: str = "") -> str:
    """Return a message that no column has a usual name."""
    return (
        f"{source}: no {option} column was recognised: name it with {keyword(option)}{hint}; the "
        f"columns are {shown(head(source).names, 12)}"
    )


def index_rows(table: Tables, roles: Roles, missing: Missing) -> RatingRows:
    """Index the items and annotators of all rows."""
    items = table.items(roles.ids)
    annotators: IndexedNames | None = None
    if roles.annotators:
        columns = [table.ids(name, missing) for name in roles.annotators]
        annotators = join_ids(columns, "annotator")
    elif roles.from_file:
        annotators = names(table.annotators())
    return RatingRows(table, items, annotators, roles)


def number_slots(items: Integers, labelled: NDArray[np.bool_]) -> IndexedNames:
    """Number the ratings of each item in their order; -1 for rows without a rating.

    Examples
    --------
    >>> codes, names = number_slots(np.array([0, 1, 0, 0]), np.array([True, True, False, True]))
    >>> codes.tolist(), names.tolist()
    ([0, 0, -1, 1], ['rating 1', 'rating 2'])
    """
    rated = labelled & (items >= 0)
    # a rating without an item keeps a slot, so that it is refused later
    codes = np.where(labelled, 0, -1)
    codes[rated] = pd.Series(items[rated]).groupby(items[rated], sort=False).cumcount()
    return codes, slot_names(int(codes.max(initial=-1)) + 1)


def left_out_notes(
    again: int, empty_rows: int, how: str, order: str = "order_of_file"
) -> list[Note]:
    """Return notes on what was left out; ``order`` is the code of a note on the order of rows."""
    notes = []
    if again:
        notes.append(Note("skipped_repeated_ratings", {"ratings": again, **kept_one(how, order)}))
    if empty_rows:
        notes.append(Note("skipped_rows_of_nobody", {"rows": empty_rows}))
    return notes
