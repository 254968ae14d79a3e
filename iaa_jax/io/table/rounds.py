"""Finds columns that distinguish repeated ratings, such as the round of annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from iaa_jax._types import Integers
from iaa_jax.data.duplicates import DistinguishingColumn
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.columns import other_columns
from iaa_jax.io.table.opening import head, table as columns_of
from iaa_jax.io.table.tables import Tables

MOST = 12  # maximum number of values of a distinguishing column
CHANCE = 0.001  # maximum probability that a column differs in all repeats by chance


def told_apart(
    table: Tables, ids: Sequence[str], rows: Integers, key: Integers
) -> DistinguishingColumn | None:
    """Return the first column that distinguishes all repeats of a key; None if there is none.

    ``key`` has a value for each of ``rows``. Columns that the caller keeps are tried first; any
    other must be unlikely to differ by chance.
    """
    repeats = int(pd.Series(key).duplicated().sum())
    for name in _candidates(table, ids):
        parts = [columns_of(source, [name]) for source in table.sources]
        if sum(part.rows for part in parts) != table.rows:
            return None  # some rows only repeat the column names
        codes, known = replace(table, parts=parts).column(name, BLANK)
        of_rows = np.asarray(codes)[rows]
        if (of_rows < 0).any() or not 1 < len(known) <= MOST:
            continue
        alike = float(np.square(np.bincount(of_rows) / len(of_rows)).sum())
        likely = name in table.kept or (1 - alike) ** repeats < CHANCE
        if likely and not pd.DataFrame({"key": key, "value": of_rows}).duplicated().any():
            return DistinguishingColumn(
                name, tuple(map(str, known)), tuple(ids), name in table.kept
            )
    return None


def _candidates(table: Tables, ids: Sequence[str]) -> Iterator[str]:
    starts = [head(source) for source in table.sources]
    used = {*table.wanted, *ids}
    for name in [*table.kept, *other_columns(starts[0].names, [*used, *table.kept])]:
        few = name in table.kept or len({*starts[0].column(name)}) <= MOST
        if few and name not in used and all(start.names.count(name) == 1 for start in starts):
            yield name
