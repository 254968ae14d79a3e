"""A column with a usual name of labels that may say of what kind items are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.io.base import Options
from iaa_jax.io.layout.evidence import share_of_pairs
from iaa_jax.io.layout.readings import taken_columns
from iaa_jax.io.layout.sample import sample
from iaa_jax.io.table.rows import find_roles
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

FIRST = 1024  # items, which mostly tell
FEW = 10  # items with several ratings, of which fewer may be alike by chance
AGAIN = 3  # times that an answer is given, on average


def refuse_labels_of_items(files: Sequence[Source], options: Options, ratings: xr.Dataset) -> None:
    """Refuse labels that nobody named, which are the same in all rows of each item.

    Where another column is not, they may say of what kind an item is.
    """
    cells = ratings.variables.get("primary")
    if cells is None or cells.dims[:1] != ("item",) or not _of_items(np.asarray(cells.values)):
        return
    from iaa_jax.io.table.long import label_of

    label = label_of(files[0], options)
    roles = find_roles(files[0], options, (label, options.secondary))
    table = sample(files)
    used = {*roles.columns, label, *taken_columns(options, table)}
    groups = [table.joined(columns) for columns in (roles.ids, roles.annotators) if columns]
    answered = [
        name
        for name, cells in table.columns.items()
        if name not in used and AGAIN * cells.distinct <= cells.count
        and all(share_of_pairs(rows, cells.codes)[1] for rows in groups)
    ]  # fmt: skip
    if answered:
        msg = (
            f"{files[0]}: {label!r} is the same in all rows of an item, so it may say what kind "
            f"of item it is, and not what anybody answered: name the column of labels, as in "
            f"{keyword('label', answered[0])}, or {keyword('label', label)} if all agree; columns "
            f"that may hold answers are {shown(answered)}"
        )
        raise IaaError(msg)


def _of_items(cells: Integers) -> bool:
    """Whether labels are the same for whoever rated an item, and differ between items."""
    if _differ(cells[:FIRST]) or _differ(cells):
        return False
    several = cells[(cells >= 0).sum(axis=1) > 1]
    return len(several) >= FEW and len(np.unique(several.max(axis=1))) > 1


def _differ(cells: Integers) -> bool:
    """Whether some item has two labels."""
    most = cells.max(axis=1, initial=-1, keepdims=True)
    return bool(((cells >= 0) & (cells != most)).any())
