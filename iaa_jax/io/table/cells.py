"""Cells as they come in text files: what counts as missing, and indexed columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax.data.labels import Column

# Cells of label and annotator columns that say "nothing here"; a declared label is never missing.
# Item ids are missing only if blank: "NA" or "null" may be the very word that was rated.
MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "None", "null"})
BLANK = frozenset({""})


def missing_labels(labels: Sequence[object] | None) -> frozenset[str]:
    """Give the cells that mean "not rated", without the declared labels."""
    return MISSING - {str(label).strip() for label in labels or ()}


def indexed(column: NDArray[Any], missing: frozenset[str]) -> Column:
    """Index a column of text by its distinct cells; blanks around a cell do not count."""
    codes, distinct = pd.factorize(column)
    cells = distinct.tolist()
    texts = [cell.strip() for cell in cells]
    if texts == cells and missing.isdisjoint(texts):
        return codes, texts
    place: dict[str, int] = {}
    lookup = [-1 if t in missing else place.setdefault(t, len(place)) for t in texts]
    return np.array(lookup, dtype=np.int64)[codes], list(place)


def names(column: Column) -> tuple[NDArray[np.integer[Any]], NDArray[Any]]:
    """Give an indexed column of ids with its names as an array."""
    codes, distinct = column
    texts = np.empty(len(distinct), dtype=object)
    texts[:] = distinct
    return codes, texts


def merged(columns: Sequence[Column]) -> tuple[NDArray[np.int64], list[object]]:
    """Put indexed columns side by side, as a grid that indexes one list of distinct cells."""
    place: dict[object, int] = {}
    grid = np.empty((len(columns[0][0]), len(columns)), dtype=np.int64)
    for k, (codes, distinct) in enumerate(columns):
        lookup = [place.setdefault(cell, len(place)) for cell in distinct]
        grid[:, k] = np.array([*lookup, -1], dtype=np.int64)[codes]  # the last answers for -1
    return grid, list(place)


def used(column: Column, keep: NDArray[np.bool_]) -> Column:
    """Make the cells outside `keep` missing, and forget what occurs no more."""
    codes, distinct = column
    again, places = pd.factorize(np.where(keep & (codes >= 0), codes, -1))
    lookup = np.where(places < 0, -1, np.cumsum(places >= 0) - 1)
    return lookup[again], [distinct[place] for place in places if place >= 0]
