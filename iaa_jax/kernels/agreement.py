"""The result of every kernel, and functions for the disagreement of labels."""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import DEFINED, NO_EXPECTED_DISAGREEMENT, NO_PAIRABLE_ITEM
from iaa_jax.kernels.namespace import Array, Namespace, device_of, first_code, like, namespace


class Agreement(NamedTuple):
    """A coefficient, with its observed and expected agreement."""

    estimate: Array
    observed: Array
    expected: Array
    code: Array  # the reason why the estimate is undefined (`iaa_jax._errors`), or 0


def label_disagreement(
    data: Array, label_agreement: Array | None, xp: Namespace = None
) -> Array | None:
    """Return ``1 - label_agreement``, or None for nominal labels, whose disagreement is 0 or 1."""
    if label_agreement is None:
        return None
    xp = xp or namespace(data, label_agreement)
    labels, label_agreement = data.shape[-1], like(xp, label_agreement, data)
    if tuple(label_agreement.shape) != (labels, labels):
        raise ValueError(
            f"label_agreement must be (labels, labels) = {(labels, labels)}, "
            f"got {tuple(label_agreement.shape)}"
        )
    return 1 - label_agreement


def disagreement_with(masses: Array, disagreement: Array | None) -> Array:
    """Return each label's disagreement with a mass: ``masses @ D`` over the last axis.

    D is the disagreement (label, label); a mass has a share or a weight for each label. For nominal
    labels the result is the mass on the other labels, as a sum, not as a difference: it is exactly
    0 for a label that has all mass, and rare labels keep their digits.
    """
    xp = namespace(masses, disagreement)
    labels = masses.shape[-1]
    if disagreement is not None:
        # one product of two matrices, because a product per item would read all of D for each item
        flat = xp.reshape(masses, (math.prod(masses.shape[:-1]), labels))
        return xp.reshape(flat @ disagreement, masses.shape)
    if labels <= thresholds.FEW_LABELS:
        return masses @ (1 - xp.eye(labels, dtype=masses.dtype, device=device_of(masses)))
    after = xp.flip(_sum_before(xp, xp.flip(masses, axis=-1)), axis=-1)
    return _sum_before(xp, masses) + after


def mean_disagreement(shares: Array, disagreement: Array | None) -> Array:
    """Return ``x' D x`` for label shares or totals, over the last axis."""
    xp = namespace(shares, disagreement)
    if disagreement is None and shares.shape[-1] > thresholds.FEW_LABELS:
        return 2 * xp.sum(_sum_before(xp, shares) * shares, axis=-1)
    return xp.sum(disagreement_with(shares, disagreement) * shares, axis=-1)


def _sum_before(xp: Namespace, masses: Array) -> Array:
    zero = xp.zeros_like(masses[..., :1])
    return xp.concat([zero, xp.cumulative_sum(masses[..., :-1], axis=-1)], axis=-1)


def symmetrize(matrix: Array) -> Array:
    """Return the mean of a matrix and its transpose, for exchangeable ratings."""
    return (matrix + matrix.T) / 2


def chance_corrected(
    xp: Namespace,
    observed_disagreement: Array,
    expected_disagreement: Array,
    nothing_to_pair: Array,
    nothing_code: int = NO_PAIRABLE_ITEM,
    whole: Array | float = 1.0,
) -> Agreement:
    """Return ``1 - D_o / D_e``, which is undefined if there are no pairs or D_e is exactly 0.

    With ``whole=0`` the estimate is ``-D_o / D_e``, which keeps the digits of small disagreements.
    """
    no_chance = expected_disagreement == 0
    code = first_code(xp, (nothing_to_pair, nothing_code), (no_chance, NO_EXPECTED_DISAGREEMENT))
    safe = xp.where(no_chance, 1, expected_disagreement)
    estimate = xp.where(code == DEFINED, whole - observed_disagreement / safe, xp.nan)
    observed = xp.where(nothing_to_pair, xp.nan, 1 - observed_disagreement)
    expected = xp.where(nothing_to_pair, xp.nan, 1 - expected_disagreement)
    return Agreement(estimate, observed, expected, code)
