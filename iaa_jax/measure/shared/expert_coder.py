"""The Expert Coder Index of label sets: the mean agreement of an annotator with the others.

For single labels, the index is a labelling method: see `iaa_jax.kernels.labelling.expert_coder`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax import kernels
from iaa_jax._types import Floats
from iaa_jax.catalog.labelling import INDEXES
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.set_pairs import SetPairs


class ExpertCoderIndex(NamedTuple):
    """The index of each annotator, which is the mean over pairs with the other annotators."""

    value: Floats  # (annotator,) NaN for annotators who are compared with nobody
    others: NDArray[np.intp]  # (annotator,) number of others with whom they are compared
    of_pairs: Floats  # (annotator, other)


def index_of_sets(
    pairs: SetPairs, tables: Rated, averages: str = INDEXES[0], min_common: int = 1
) -> ExpertCoderIndex:
    """Return the mean agreement of each annotator with the others on common items.

    Only pairs of annotators with ``min_common`` common items or more count.
    """
    enough = pairs.shared > min_common - 0.5
    if averages == "am_agreement":
        figure = _am_of_pairs(tables, enough)
    else:
        shared = np.where(enough, pairs.shared, 1.0)
        figure = np.where(enough, pairs.of_annotators / shared, np.nan)
    compared = np.isfinite(figure)
    total, others = np.where(compared, figure, 0.0).sum(axis=1), compared.sum(axis=1)
    index = np.where(others > 0, total / np.maximum(others, 1), np.nan)
    return ExpertCoderIndex(index, others, figure)


def _am_of_pairs(tables: Rated, enough: NDArray[np.bool_]) -> Floats:
    codes, count = tables.grid_codes.codes, tables.identified_table.count
    distinct = tables.distinct_masses
    figure = np.full(enough.shape, np.nan)
    for pair in np.argwhere(np.triu(enough, 1)):
        common = (codes[:, pair] >= 0).all(axis=1)
        mass = distinct[codes[common][:, pair]]
        estimate = float(kernels.am_agreement(mass, item_weight=count[common]).estimate)
        figure[tuple(pair)] = figure[tuple(pair[::-1])] = estimate
    return figure
