"""One public function a coefficient, made from its row of the catalogue.

They share their keywords, so they share one body: what differs between them (equation, range,
source, example) stands in the catalogue and is written into their docstrings.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Protocol

import xarray as xr

from iaa_jax.catalog import Coefficient, resolve_name
from iaa_jax.engine.precision import DType
from iaa_jax.measure.agreement import measure_coefficient
from iaa_jax.measure.interval import IntervalLike, IntervalOptions
from iaa_jax.measure.label_options import Distance, LabelOptions, Weights
from iaa_jax.measure.sampling import Sampling


class CoefficientFunction(Protocol):
    """What every coefficient can be called with."""

    def __call__(
        self,
        ratings: xr.Dataset,
        *,
        weights: Weights = None,
        weights_on: str = "value",
        level: str | None = None,
        distance: Distance = None,
        p: float = 1.0,
        interval: IntervalLike = "auto",
        sampling: Sampling | None = None,
        confidence: float = 0.95,
        replicates: int = 2000,
        seed: int = 0,
        undefined: str = "nan",
        dtype: DType = "float64",
    ) -> xr.Dataset:
        """Measure the coefficient."""


class PercentAgreementFunction(Protocol):
    """Percent agreement, which can be averaged in more than one way."""

    def __call__(
        self,
        ratings: xr.Dataset,
        *,
        aggregation: str = "item_mean",
        weights: Weights = None,
        weights_on: str = "value",
        level: str | None = None,
        distance: Distance = None,
        p: float = 1.0,
        interval: IntervalLike = "auto",
        sampling: Sampling | None = None,
        confidence: float = 0.95,
        replicates: int = 2000,
        seed: int = 0,
        undefined: str = "nan",
        dtype: DType = "float64",
    ) -> xr.Dataset:
        """Measure percent agreement."""


class PairwiseFunction(Protocol):
    """A mean over pairs of annotators, some of which may be 0/0."""

    def __call__(
        self,
        ratings: xr.Dataset,
        *,
        undefined_pairs: str = "omit",
        min_common: int = 2,
        weights: Weights = None,
        weights_on: str = "value",
        level: str | None = None,
        distance: Distance = None,
        p: float = 1.0,
        interval: IntervalLike = "auto",
        sampling: Sampling | None = None,
        confidence: float = 0.95,
        replicates: int = 2000,
        seed: int = 0,
        undefined: str = "nan",
        dtype: DType = "float64",
    ) -> xr.Dataset:
        """Measure the mean over pairs."""


class AugmentedFunction(Protocol):
    """Augmented kappa: which ceiling, and how pairs of annotators are put together."""

    def __call__(
        self,
        ratings: xr.Dataset,
        *,
        normalize: str = "none",
        pool: str = "pairs",
        undefined_pairs: str = "omit",
        min_common: int = 2,
        weights: Weights = None,
        weights_on: str = "value",
        level: str | None = None,
        distance: Distance = None,
        p: float = 1.0,
        interval: IntervalLike = "auto",
        sampling: Sampling | None = None,
        confidence: float = 0.95,
        replicates: int = 2000,
        seed: int = 0,
        undefined: str = "nan",
        dtype: DType = "float64",
    ) -> xr.Dataset:
        """Measure augmented kappa."""


class PooledFunction(Protocol):
    """A figure pooled over pairs of annotators."""

    def __call__(
        self,
        ratings: xr.Dataset,
        *,
        min_common: int = 2,
        weights: Weights = None,
        weights_on: str = "value",
        level: str | None = None,
        distance: Distance = None,
        p: float = 1.0,
        interval: IntervalLike = "auto",
        sampling: Sampling | None = None,
        confidence: float = 0.95,
        replicates: int = 2000,
        seed: int = 0,
        undefined: str = "nan",
        dtype: DType = "float64",
    ) -> xr.Dataset:
        """Measure the figure over pairs."""


_SHARED_PARAMETERS = """\
weights, weights_on, level, distance, p
    How labels agree, and the share of a primary label: see `iaa_jax.agreement`.
interval, sampling, confidence, replicates, seed
    Options of the interval: see `iaa_jax.agreement`. ``interval=None`` gives only the estimate.
undefined : {"nan", "one", "zero", "raise"}
    What an undefined estimate becomes; its code and reason stay.
dtype : {"float64", "float32"}
    Precision of replicates and derivatives.
"""

_OWN_PARAMETERS = {
    "aggregation": """\
aggregation : {"item_mean", "rating_weighted", "all_agree"}
    Mean over items (the default); items weighted by their ratings; or the share of items on which
    all ratings agree.
""",
    "normalize": """\
normalize : {"none", "ceiling"}
    ``(A - E) / (1 - E)`` as published (the default), or ``(A - E) / (c - E)``, where c is the
    observed agreement that the pair would reach with the same ratings each: identical doubles
    agree by p^2 + (1 - p)^2 only. Both are 0 on average for independent annotators.
""",
    "pool": """\
pool : {"pairs", "components"}
    The mean of the pairs' own coefficients (the default), or one ratio of the means of A, E and c
    over the pairs.
""",
    "undefined_pairs": """\
undefined_pairs : {"omit", "zero"}
    Leave a pair whose kappa is 0/0 out (the default; it is counted), or count it as 0.
""",
    "min_common": """\
min_common : int
    Common items (in their weights) that a pair of annotators needs to enter a pairwise coefficient,
    in the data and in each replicate.
""",
}


def _docstring(name: str, row: Coefficient) -> str:
    shape = "along ``label``" if row.per_label else "as scalars"
    parameters = "".join(_OWN_PARAMETERS[option] for option in (*row.variants, *row.options))
    also = [synonym for synonym in row.names if synonym != name]
    alias = f"\nThe same coefficient as {', '.join(f'`{synonym}`' for synonym in also)}.\n"
    return f"""{row.title}. {row.summary}
{alias if also else ""}
{textwrap.fill(row.equation, 96)}

{textwrap.fill(f"Range: {row.range}. Undefined: {row.undefined}.", 96)}

Parameters
----------
ratings : xarray.Dataset
    Ratings, as the constructors and `iaa_jax.read` make them.
{parameters}{_SHARED_PARAMETERS}
Returns
-------
xarray.Dataset
    The variables and ``conclusion`` of `iaa_jax.agreement`, {shape}.

Raises
------
IaaError
    If an option is unknown, or does not fit the ratings.

References
----------
{row.source}. https://doi.org/{row.doi}

Examples
--------
{_example(name, row)}"""


def _example(name: str, row: Coefficient) -> str:
    if row.measure.takes_values:
        return f""">>> import iaa_jax as iaa
>>> ratings = iaa.from_values(
...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
... )
>>> iaa.{name}(ratings, interval=None).estimate.round(4).values
array({row.example})
"""
    if row.measure.label_sets:
        return f""">>> import iaa_jax as iaa
>>> ratings = iaa.from_sets(
...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
... )
>>> iaa.{name}(ratings, interval=None).estimate.round(4).values
array({row.example})
"""
    return f""">>> import iaa_jax as iaa
>>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
>>> iaa.{name}(ratings, interval=None).estimate.round(4).values
array({list(row.example) if isinstance(row.example, tuple) else row.example})
"""


def coefficient_function(name: str) -> Any:
    """The public function of a name of the catalogue."""
    row = resolve_name(name)

    def coefficient(ratings: xr.Dataset, **keywords_given: Any) -> xr.Dataset:
        bound = signature.bind(ratings, **keywords_given)
        bound.apply_defaults()
        keywords = bound.arguments
        return measure_coefficient(
            name,
            ratings,
            LabelOptions(
                keywords["weights"], keywords["weights_on"], keywords["level"], keywords["distance"]
            ),
            keywords["p"],
            IntervalOptions(
                keywords["interval"],
                keywords["confidence"],
                keywords["replicates"],
                keywords["seed"],
                keywords["dtype"],
                keywords["sampling"],
            ),
            keywords["undefined"],
            {option: keywords[option] for option in row.variants},
            {option: keywords[option] for option in row.options},
        )

    shape: Any = CoefficientFunction
    if "aggregation" in row.variants:
        shape = PercentAgreementFunction
    elif "normalize" in row.variants:
        shape = AugmentedFunction
    elif "undefined_pairs" in row.variants:
        shape = PairwiseFunction
    elif row.options:
        shape = PooledFunction
    shape_signature = inspect.signature(shape.__call__)
    signature = shape_signature.replace(parameters=list(shape_signature.parameters.values())[1:])
    coefficient.__name__ = coefficient.__qualname__ = name
    coefficient.__doc__ = _docstring(name, row)
    coefficient.__signature__ = signature  # type: ignore[attr-defined]
    return coefficient
