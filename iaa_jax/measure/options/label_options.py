"""Options for the agreement between labels, and for the common items of pairs of annotators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from iaa_jax._errors import IaaError
from iaa_jax.catalog import DISTANCES, LEVELS, UNWEIGHTED, WEIGHTS
from iaa_jax.measure.options.declared import OneOf, Share, Whole, check_values, option
from iaa_jax.wording import named

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Weights: TypeAlias = "str | ArrayLike | None"
Distance: TypeAlias = "str | ArrayLike | Callable[[Any, Any], float] | None"

_WEIGHTS = OneOf(WEIGHTS, " or a matrix of agreement between labels")
_DISTANCES = OneOf(DISTANCES, " or a matrix or function of two labels")
_ON = OneOf(("value", "rank"))

UNSAID = (*UNWEIGHTED, "numbers")
"""Descriptions of label agreement that are not mentioned after the name of a coefficient."""


@dataclass(frozen=True)
class LabelOptions:
    """Options for how labels agree, and for the common items that pairs of annotators need.

    Parameters
    ----------
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that use it: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on the
        diagonal. If ``level`` is given too, Krippendorff's alpha uses the level, and other
        coefficients use the weights. By default the level determines the weights: "ordinal",
        "ratio", or "quadratic" for interval.
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; by default nominal for labels and
        interval for numbers.
    distance : {"binary", "masi", "jaccard", "dice"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label if there is a secondary one, from 0.5 to 1.
    min_common : int
        Minimum number of common items with which a pair of annotators enters a pairwise
        coefficient, in the data and in each replicate.
    """

    weights: Weights = option(None, _WEIGHTS, "Agreement weights between labels")
    weights_on: str = option("value", _ON, "Base weights on the labels' numbers or ranks")
    level: str | None = option(
        None, OneOf(tuple(LEVELS)), "Level (order of words: --labels)", common=True
    )
    distance: Distance = option(None, _DISTANCES, "Distance between label sets")
    p: float = option(
        1.0, Share(of_first=True), "Share of the primary label if there is a secondary one."
    )
    min_common: int = option(
        2,
        Whole(1),
        "Pairwise coefficients: minimum number of common items of a pair of annotators.",
    )

    def __post_init__(self) -> None:
        alternatives = ("weights", "level", "distance")
        chosen = [named(name) for name in alternatives if getattr(self, name) is not None]
        if self.distance is not None and len(chosen) > 1:
            raise IaaError(
                f"{' and '.join(chosen)} both set how far labels agree: give one of them"
            )
        check_values(self)
