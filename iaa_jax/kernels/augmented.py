"""Augmented kappa K'(p): Cohen's kappa on divided labels, and its ceiling.

A divided rating gives a share p to its primary label and the rest to other labels. Two ratings that
divide their mass in the same way still disagree in part: if two annotators give identical masses,
their observed disagreement is the self-disagreement s, not 0. The observed agreement therefore
cannot exceed its ceiling c = 1 - s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax._errors import DEFINED, NO_DEFINED_PAIR, NO_SHARED_ITEM
from iaa_jax.kernels.agreement import Agreement, mean_disagreement
from iaa_jax.kernels.kernel import Kernel, PolynomialFormula
from iaa_jax.kernels.namespace import Array, Namespace, divided, first_code, namespace
from iaa_jax.kernels.pairs import (
    MIN_COMMON,
    PairStatistics,
    annotator_pairs,
    pair_statistics,
    pairs_of_columns,
)
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Indexed

_ROUNDING = 256
"""With ``to_ceiling``, D_e minus s counts as 0 up to this many units of rounding error."""


class AugmentedStatistics(NamedTuple):
    """The fields of `PairStatistics`, and the self-disagreement of each pair's ratings."""

    annotators: Array
    shared: Array
    disagreement: Array
    first: Array
    second: Array
    self_disagreement: Array  # (item, pair) (m_a' D m_a + m_b' D m_b) / 2


class AugmentedPairs(NamedTuple):
    """Disagreements (pair,) of pairs of annotators on their common items; polynomials in p."""

    weight: Array  # v_a v_b for pairs with enough common items, otherwise 0
    observed_disagreement: Array
    expected_disagreement: Array
    self_disagreement: Array


def augmented_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> AugmentedStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight, disagreement, raters.annotator_of)
    statistics = pair_statistics(mass, raters, disagreement)
    shared = (
        statistics.shared.value if isinstance(statistics.shared, Indexed) else statistics.shared
    )
    rated = ~xp.any(xp.isnan(mass), axis=-1, keepdims=True)
    m = xp.where(rated, mass, 0)
    of_rating = mean_disagreement(m, disagreement)
    of_first, of_second = (xp.take(of_rating, k, axis=1) for k in pairs_of_columns(xp, mass))
    of_pair = shared * (of_first + of_second) / 2
    if isinstance(statistics.shared, Indexed):
        of_pair = statistics.shared._replace(value=of_pair)
    return AugmentedStatistics(*statistics, of_pair)


def augmented_pairs(
    sums: AugmentedStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float = MIN_COMMON,
) -> AugmentedPairs:
    """Return observed, expected and self-disagreement of each pair on its common items."""
    xp = namespace(sums.shared, disagreement)
    pairs = annotator_pairs(
        xp, PairStatistics(*sums[:-1]), annotator_weight, disagreement, min_common
    )
    return AugmentedPairs(*pairs, divided(xp, sums.self_disagreement, sums.shared))


@dataclass(frozen=True)
class AugmentedFormula(PolynomialFormula[AugmentedStatistics, AugmentedPairs]):
    """The formula of K', with A and E the observed and expected agreement.

    Attributes
    ----------
    to_ceiling : bool
        Whether to use ``(A - E) / (c - E)`` instead of ``(A - E) / (1 - E)``:
        ``normalize="ceiling"`` in `iaa_jax`.
    pooled : bool
        Whether to take one ratio of the means of A, E and c over pairs, instead of the mean of the
        pairs' ratios: ``pool="components"``.
    undefined_as_zero : bool
        Whether a pair with 0/0 counts as 0 in the mean of ratios, instead of being left out:
        ``undefined_pairs="zero"``.
    """

    to_ceiling: bool = False
    pooled: bool = False
    undefined_as_zero: bool = False

    def terms(
        self,
        sums: AugmentedStatistics,
        annotator_weight: Array,
        disagreement: Array | None,
        min_common: Array | float,
    ) -> AugmentedPairs:
        """Return the disagreements of each pair, which, like the sums, are polynomials in p."""
        return augmented_pairs(sums, annotator_weight, disagreement, min_common)

    def from_terms(self, terms: AugmentedPairs) -> Agreement:
        """Return K' from the disagreements of each pair."""
        pairs = terms
        xp = namespace(pairs.weight)
        used, code = self._used(xp, pairs)
        counted = xp.where(xp.sum(used) == 0, pairs.weight, used)
        means = AugmentedPairs(counted, *(_mean(xp, counted, value) for value in pairs[1:]))
        if self.pooled:
            ratio, defined = self._ratio(xp, means)
            code = xp.where((code == DEFINED) & ~defined, NO_DEFINED_PAIR, code)
        else:
            ratio = _mean(xp, used, self._ratio(xp, pairs)[0])
        none = xp.sum(counted) == 0
        return Agreement(
            xp.where(code == DEFINED, ratio, xp.nan),
            xp.where(none, xp.nan, 1 - means.observed_disagreement),
            xp.where(none, xp.nan, 1 - means.expected_disagreement),
            code,
        )

    def ceiling(self, terms: AugmentedPairs) -> tuple[Array, Array]:
        """Return what A and K' would be if all pairs agreed as far as their masses allow."""
        agreement = self.from_terms(terms._replace(observed_disagreement=terms.self_disagreement))
        return agreement.observed, agreement.estimate

    def _used(self, xp: Namespace, pairs: AugmentedPairs) -> tuple[Array, Array]:
        used = pairs.weight
        if not (self.pooled or self.undefined_as_zero):
            used = xp.where(self._ratio(xp, pairs)[1], used, xp.zeros_like(used))
        nobody = xp.sum(pairs.weight) == 0
        code = first_code(xp, (nobody, NO_SHARED_ITEM), (xp.sum(used) == 0, NO_DEFINED_PAIR))
        return used, code

    def _ratio(self, xp: Namespace, pairs: AugmentedPairs) -> tuple[Array, Array]:
        """Return ``1 - D_o / D_e`` or (A - E) / (c - E), 0 for 0/0, and whether it is defined."""
        above, below = pairs.observed_disagreement, pairs.expected_disagreement
        if self.to_ceiling:
            floor = pairs.self_disagreement
            above, room = above - floor, below - floor
            # if all ratings are the same divided label, the difference is only rounding error
            least = _ROUNDING * xp.finfo(room.dtype).eps * (xp.abs(below) + xp.abs(floor))
            below = xp.where(xp.abs(room) > least, room, xp.zeros_like(room))
        defined = below != 0
        return xp.where(defined, 1 - divided(xp, above, below), xp.zeros_like(below)), defined


augmented_kappa = Kernel(
    "augmented_kappa",
    augmented_statistics,
    AugmentedFormula(),
    "Cohen's kappa on divided labels, the mean over pairs",
    ordered_pairs=True,
    options=(("min_common", MIN_COMMON),),
    by_pair=AugmentedStatistics._fields,
    weighs_annotators=False,
)


def _mean(xp: Namespace, weight: Array, value: Array) -> Array:
    return divided(xp, xp.sum(weight * value), xp.sum(weight))
