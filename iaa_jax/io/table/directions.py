"""Makes one item of (u, v) and (v, u), if two columns name the items, or warns of such pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax.data.assemble import IndexedNames, join_ids
from iaa_jax.io.table.cells import merge_columns, names
from iaa_jax.wording import Note


def in_one_order(ids: Sequence[IndexedNames]) -> list[IndexedNames]:
    """Return the columns, with the names in each row sorted.

    Examples
    --------
    >>> pair = (np.array([0, 1]), np.array(["u", "v"])), (np.array([0, 1]), np.array(["v", "u"]))
    >>> [known[codes].tolist() for codes, known in in_one_order(pair)]
    [['u', 'u'], ['v', 'v']]
    """
    grid, known = merge_columns([(codes, distinct.tolist()) for codes, distinct in ids])
    return [names((column.astype(np.int64), known)) for column in np.sort(grid, axis=1).T]


def notes_on_directions(
    ids: Sequence[IndexedNames],
    annotators: IndexedNames | None,
    rated: NDArray[np.bool_],
) -> list[Note]:
    """Return a warning on items that different annotators name in different orders."""
    if len(ids) < 2 or not {*ids[0][1].tolist()} & {*ids[1][1].tolist()}:
        return []
    items, spelt = join_ids(ids)
    groups = join_ids(in_one_order(ids))[0]
    raters = np.zeros(len(items), dtype=np.int64) if annotators is None else annotators[0]
    rows = pd.DataFrame({"group": groups, "item": items, "rater": raters})
    rows = rows[(items >= 0) & (raters >= 0) & rated].drop_duplicates()
    orders = rows.drop_duplicates(["group", "item"])
    turned = orders["group"][orders["group"].duplicated()].unique()
    both = rows["group"][rows.duplicated(["group", "rater"])].unique()
    rated_both = {*both.tolist()}
    one_order = [group for group in turned.tolist() if group not in rated_both]
    if annotators is None or len(one_order) <= len(both):
        return []
    first = orders[orders["group"] == one_order[0]]["item"].tolist()[:2]
    values = {"pairs": len(one_order), "names": [str(spelt[item]) for item in first]}
    return [Note("directions", values, "caution")]
