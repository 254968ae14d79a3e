"""A row for each item, with a list of names of annotators beside a list of their labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Integers
from iaa_jax.data.factorize import Column
from iaa_jax.data.notices.alike import merged_columns
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK, Missing, missing_labels, names
from iaa_jax.io.table.lists import member_rows, nested_lists, split_lists
from iaa_jax.io.table.rows import RatingRows
from iaa_jax.io.table.tables import Rows
from iaa_jax.wording.formats import counted


@dataclass(frozen=True)
class MemberRows:
    """The rows of a table, each as often as it holds a label."""

    table: Rows
    origin: Integers

    def where(self, row: int) -> str:
        """Say where a label stands."""
        return self.table.where(int(self.origin[row]))

    def column(self, name: str, missing: Missing) -> Column:
        """A column of the table, once for each label."""
        codes, distinct = self.table.column(name, missing)
        return np.asarray(codes)[self.origin], distinct


def lists_beside(
    rows: RatingRows, answers: Column, options: Options
) -> tuple[RatingRows, Column] | None:
    """The members of lists of names and labels as rows of their own; None if names are no lists.

    Raises
    ------
    IaaError
        If a row has not as many labels as names.
    """
    if rows.annotators is None or not len(rows.annotators[1]):
        return None
    people = split_lists([str(name) for name in rows.annotators[1]], None)
    labels = None if people is None else nested_lists(answers[1])
    if people is None or labels is None:
        return None
    of_names, of_labels = rows.annotators[0], np.asarray(answers[0])
    sizes = np.array([*map(len, people), 0])[of_names]
    given = np.array([*map(len, labels), 0])[of_labels]
    odd = np.flatnonzero((sizes != given) & (of_labels >= 0))
    if odd.size:
        row = int(odd[0])
        some = [str(name) for name in people[of_names[row]]] if of_names[row] >= 0 else []
        msg = (
            f"{rows.table.where(row)}: {counted(len(some), 'name')} ({shown(some, 3) or 'none'}) "
            f"beside {counted(int(given[row]), 'label')} ({brief(answers[1][of_labels[row]])}), as "
            f"in {counted(len(odd), 'row')}: each label needs the name of its annotator"
        )
        raise IaaError(msg)
    both = (of_names >= 0) & (of_labels >= 0)
    origin, who = member_rows((np.where(both, of_names, -1), []), people, BLANK)
    missing = missing_labels(options.labels, options.missing)
    _, what = member_rows((np.where(both, of_labels, -1), []), labels, missing)
    items, known = rows.items
    people_of = names(*merged_columns([who], options.merge_ids))
    table = MemberRows(rows.table, origin)
    return RatingRows(table, (items[origin], known), people_of, rows.roles), what
