"""Annotators who agree among themselves far beyond their agreement with anybody else.

They may be the best of all, or copy one another: labels alone cannot tell which, and sharpening
counts them most either way.
"""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.kind import Kind
from iaa_jax.measure.annotator_pairs import meetings
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.measure.labels import label_shares
from iaa_jax.wording import Note

COMMON = 20
"""Items that two annotators need in common to be compared."""

NEARLY = 0.95
"""Agreement from which labels are nearly the same."""

FARTHER = 4.0
"""How many times as much they disagree with everybody else."""

_ANNOTATORS = 500
"""Annotators beyond whom pairs are not compared."""

_MEETINGS = 1 << 24
"""Pairs of ratings of an item beyond which they are not either."""


def nearly_alike(votes: VoteTables) -> Note | None:
    """The group of annotators that stands apart most, if there is one."""
    size = votes.annotators
    panel = votes.masses.rated.sum(axis=1)
    if size < 3 or size > _ANNOTATORS or float((panel**2).sum()) > _MEETINGS:
        return None
    agreement = _agreement(votes)
    group = _group(agreement)
    if group is None:
        return None
    inside = agreement[np.ix_(group, group)]
    others = np.delete(agreement[group], group, axis=1)
    names = votes.tables.annotator_names[group]
    values = {
        "names": [str(name) for name in names],
        "within": float(np.nanmean(inside)),
        "highest": float(np.nanmax(others)),
    }
    return Note("nearly_alike", values, "caution").on(map(str, names))


def _agreement(votes: VoteTables) -> Floats:
    """How far labels of each pair agree on common items; NaN for too few, and for oneself.

    The mass that both give to the same label; of sets the share of labels on which both agree.
    """
    tables, size = votes.tables, votes.annotators
    shares = label_shares(tables, sets_as_labels=False)
    sets = tables.kind is Kind.SETS
    agreed, common = np.zeros(size * size), np.zeros(size * size)
    codes, count = tables.slot_codes, tables.identified_table.count
    for first, second, code, other, weight in meetings(codes, count):
        if sets:
            alike = 1 - np.abs(shares[code] - shares[other]).mean(axis=1)
        else:
            alike = np.minimum(shares[code], shares[other]).sum(axis=1)
        pair = first.astype(np.int64) * size + second
        agreed += np.bincount(pair, weights=weight * alike, minlength=size * size)
        common += np.bincount(pair, weights=weight, minlength=size * size)
    agreed, common = (
        part.reshape(size, size) + part.reshape(size, size).T for part in (agreed, common)
    )
    return np.where(common >= COMMON, agreed / np.where(common > 0, common, 1.0), np.nan)


def _group(agreement: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]] | None:
    """Up to half of all (or two of three) with nearly the same labels, and far from all others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(agreement)
    near = csr_array((np.nan_to_num(agreement) >= NEARLY).astype(np.int64))
    _, number = connected_components(near, directed=False)
    best: tuple[float, np.ndarray[tuple[int], np.dtype[np.intp]]] | None = None
    for one in np.flatnonzero(np.bincount(number) >= 2):
        group = np.flatnonzero(number == one)
        others = np.delete(agreement[group], group, axis=1)
        if len(group) > max(2, size // 2) or not np.isfinite(others).any():
            continue
        apart = 1 - float(np.nanmean(agreement[np.ix_(group, group)]))
        away = 1 - float(np.nanmax(others))
        if away >= FARTHER * apart and away > 1 - NEARLY and (best is None or away > best[0]):
            best = (away, group)
    return None if best is None else best[1]
