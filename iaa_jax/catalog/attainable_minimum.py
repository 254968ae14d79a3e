"""The lowest value that a coefficient can attain for given labels and ratings per item.

If disagreements are of negative type (squared distances between points: nominal, linear, quadratic
and ordinal weights), the mean disagreement of an item's pairs is at most ``m / (m - 1)`` times the
mean disagreement of two ratings drawn with replacement from its m ratings. On average over items,
this second mean is at most the mean disagreement of two ratings drawn from all items (Schoenberg
1938). So the observed disagreement is at most twice the expected disagreement, or less with more
ratings per item. The functions return -inf if no minimum is known.

Schoenberg, I. J. (1938). Metric spaces and positive definite functions. Transactions of the
American Mathematical Society 44(3). https://doi.org/10.1090/S0002-9947-1938-1501980-0
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from iaa_jax._types import Floats

_ROUNDING = 1e-9
_MOST_LABELS = 300
"""Maximum number of labels for which disagreements are tested to be of negative type."""


class Design(NamedTuple):
    """The labels of the ratings, and how many items have how many ratings.

    For each pattern (distinct combination of an item's ratings), ``ratings`` is the number of its
    ratings, and ``items`` the number of items with this pattern. ``disagreement`` is None for
    nominal labels and for numbers. ``annotators`` is the number of annotators, or of slots
    (a slot is an item's first, second, ... rating).
    """

    labels: int
    disagreement: Floats | None
    ratings: Floats
    items: Floats
    annotators: int


def with_label_chance(design: Design) -> float:
    """Return the minimum for coefficients that expect most agreement from equally frequent labels.

    Their expected disagreement is at least the mean of ``disagreement`` over all pairs of labels.
    Their observed disagreement is at most the maximum of ``disagreement``.
    """
    if design.labels < 2:
        return -math.inf
    if design.disagreement is None:
        return -1 / (design.labels - 1)
    mean = min(float(design.disagreement.mean()), 1.0)
    return 1 - float(design.disagreement.max()) / mean if mean > 0 else -math.inf


def with_pair_mean(design: Design) -> float:
    """Return the minimum of a mean over pairs of annotators, each pair on its common items."""
    return -1.0 if _is_negative_type(design.disagreement) else -math.inf


def with_pooled_pairs(design: Design) -> float:
    """Return the minimum if pairs of annotators, each pair on its common items, are pooled.

    Let ``X_a`` be the point of annotator a's label, where the disagreement of two labels is the
    squared distance between their points. Summed over pairs ``a < b``, observed disagreement is
    expected disagreement minus ``2 sum_ab Cov(X_a, X_b) = Var(sum_a X_a) - sum_a Var(X_a)``. So it
    exceeds expected disagreement by at most ``sum_a Var(X_a)``. If all k annotators rated the same
    items, expected disagreement is at least ``(k - 1) sum_a Var(X_a)``, and the minimum is
    ``-1 / (k - 1)``. Otherwise it is -1.
    """
    if not _is_negative_type(design.disagreement):
        return -math.inf
    return -1 / (design.annotators - 1) if _is_complete(design, 2) else -1.0


def with_own_margins(design: Design) -> float:
    """Return the minimum if chance agreement comes from each annotator's own label margin.

    It is known only if all annotators rated all items.
    """
    if not _is_complete(design, 1) or not _is_negative_type(design.disagreement):
        return -math.inf
    return -1 / (design.annotators - 1)


def with_pairable_margin(design: Design) -> float:
    """Return the minimum if chance agreement comes from items with two or more ratings."""
    pairable = (design.ratings >= 2) & (design.items > 0)
    if not pairable.any() or not _is_negative_type(design.disagreement):
        return -math.inf
    return -1 / (float(design.ratings[pairable].min()) - 1)


def with_rated_margin(design: Design) -> float:
    """Return the minimum if chance agreement comes from all ratings."""
    pairable = design.items[design.ratings >= 2].sum()
    if not pairable:
        return -math.inf
    share = float(pairable / design.items[design.ratings >= 1].sum())
    return 1 - (1 - with_pairable_margin(design)) / share


def with_smoothed_margin(design: Design) -> float:
    """Return the minimum if chance agreement comes from all ratings and one more of each label.

    The bound counts every item with two or more ratings as if it had m ratings, where m is the
    smallest number of ratings of such an item.
    """
    pairable = (design.ratings >= 2) & (design.items > 0)
    if not pairable.any():
        return -math.inf
    counted = float(design.ratings[pairable].min() * design.items[pairable].sum())
    share = counted / (float(design.ratings @ design.items) + design.labels)
    return 1 - (1 - with_pairable_margin(design)) / share


def for_one_way(design: Design) -> float:
    """Return the minimum of a one-way ICC, ``-1 / (k_0 - 1)``.

    k_0 is the adjusted mean number of ratings per item that the analysis of variance uses.
    """
    rated = design.ratings * design.items
    all_ratings = float(rated.sum())
    items = float(design.items[design.ratings >= 1].sum())
    if items <= 1:
        return -math.inf
    usual = (all_ratings - float(design.ratings @ rated) / all_ratings) / (items - 1)
    return -1 / (usual - 1) if usual > 1 else -math.inf


def for_two_way(design: Design) -> float:
    """Return the minimum of a two-way ICC, ``-1 / (k - 1)`` for k annotators.

    It is attained if all items have the same mean rating.
    """
    annotators = float(design.ratings.max(initial=0))
    return -1 / (annotators - 1) if annotators > 1 else -math.inf


def for_absolute_agreement(design: Design) -> float:
    """Return the minimum of an ICC of agreement, ``-1 / (k - 1 - k / n)``, for n items.

    It is attained if all items, and all k annotators, have the same mean rating.
    """
    annotators = float(design.ratings.max(initial=0))
    items = float(design.items[design.ratings == annotators].sum())
    room = annotators - 1 - annotators / items if items else 0.0
    return -1 / room if room > 0 else -math.inf


def _is_complete(design: Design, least: int) -> bool:
    rated = design.ratings[(design.ratings >= least) & (design.items > 0)]
    return len(rated) > 0 and 2 <= float(rated.min()) == design.annotators


def _is_negative_type(disagreement: Floats | None) -> bool:
    if disagreement is None:
        return True
    import numpy as np  # imported here, because listing coefficients does not need it

    if len(disagreement) > _MOST_LABELS or not np.array_equal(disagreement, disagreement.T):
        return False
    centred = disagreement - disagreement.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    return bool(np.linalg.eigvalsh(centred)[-1] <= _ROUNDING * float(disagreement.max()))
