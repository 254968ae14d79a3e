"""How often two labels are expected to be confused by chance, under several models of chance."""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, divided, floating, namespace

_STEPS = 60
"""The number of iterations that fit the ``factors`` of `Chances`."""

FEWEST_FOR_FACTORS = 4
"""Minimum number of labels for ``factors`` and ``terms``; with fewer, the fit would be exact."""


class Chances(NamedTuple):
    """Expected confusions of each pair of labels (..., label, label), 0 on the diagonal."""

    by_share: Array  # errors give labels in proportion to their shares
    even: Array  # errors give every label equally often
    factors: Array  # products of a factor per label, fitted to its confusions
    terms: Array  # sums of a term per label, fitted to its confusions


def chances(coincidences: Array) -> Chances:
    """Return chance confusions, scaled to the observed total, from a symmetric coincidence table.

    With p the label shares, chance is proportional to ``p_a p_b`` (``by_share``), or to ``p_a +
    p_b`` minus a term for items that both annotators got wrong (``even``). With four labels or more
    there are also ``f_a f_b`` (quasi-independence, ``factors``) and ``u_a + u_b`` (``terms``),
    fitted to the confusions of each label. With fewer labels, these two repeat the first two.

    Parameters
    ----------
    coincidences : array (..., label, label)
        Pairs of ratings of the same item, as `iaa_jax.labels` counts them.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[9.0, 3.0, 3.0], [3.0, 9.0, 3.0], [3.0, 3.0, 9.0]])
    >>> chances(table).by_share[0].round(3)
    array([0., 3., 3.])
    """
    xp = namespace(coincidences)
    table = floating(xp, coincidences)
    size = table.shape[-1]
    off_diagonal = 1 - xp.eye(size, dtype=table.dtype)
    confused = table * off_diagonal
    share = divided(xp, xp.sum(table, axis=-1), xp.sum(table, axis=(-2, -1))[..., None])
    all_confused = xp.sum(confused, axis=(-2, -1))[..., None, None]

    def to_scale(parts: Array) -> Array:
        parts = parts * off_diagonal
        return all_confused * divided(xp, parts, xp.sum(parts, axis=(-2, -1))[..., None, None])

    by_share = to_scale(share[..., :, None] * share[..., None, :])
    # with c the probability that an error gives a certain label, and D of N pairs of ratings
    # confused, the sum of c (p_a + p_b) - c^2 over pairs of labels is D / N
    wrong = divided(xp, all_confused, xp.sum(table, axis=(-2, -1))[..., None, None])
    root = 1 - wrong * size / (size - 1)
    error = (1 - xp.sqrt(xp.where(root > 0, root, xp.zeros_like(root)))) / size
    even = to_scale(share[..., :, None] + share[..., None, :] - error)
    if size < FEWEST_FOR_FACTORS:
        return Chances(by_share, even, by_share, even)
    of_label = xp.sum(confused, axis=-1)
    term = (of_label - xp.sum(of_label, axis=-1)[..., None] / (2 * (size - 1))) / (size - 2)
    terms = (term[..., :, None] + term[..., None, :]) * off_diagonal
    factor = xp.sqrt(of_label)
    for _ in range(_STEPS):
        others = xp.sum(factor, axis=-1)[..., None] - factor
        factor = xp.sqrt(factor * divided(xp, of_label, others))
    return Chances(
        by_share, even, factor[..., :, None] * factor[..., None, :] * off_diagonal, terms
    )


def neighbour_chances(chance: Array, coincidences: Array) -> Array:
    """Return chance confusions of neighbouring labels, scaled to their observed total.

    Pairs that are not neighbours keep their observed confusions.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[9.0, 4.0, 1.0], [4.0, 9.0, 2.0], [1.0, 2.0, 9.0]])
    >>> neighbour_chances(1 - np.eye(3), table)[0]
    array([9., 3., 1.])
    """
    xp = namespace(chance, coincidences)
    rank = xp.arange(chance.shape[-1])
    are_neighbours = xp.abs(rank[:, None] - rank[None, :]) == 1
    observed, expected = (
        xp.sum(xp.where(are_neighbours, table, 0.0), axis=(-2, -1))[..., None, None]
        for table in (coincidences, chance)
    )
    return xp.where(are_neighbours, chance * divided(xp, observed, expected), coincidences)
