# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""The public names; `__init__.py` loads the same ones lazily."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from iaa_jax import data as data, doubles as doubles, kernels as kernels
from iaa_jax._errors import IaaError as IaaError
from iaa_jax.analyses import page as page
from iaa_jax.analyses.agree.from_replicates import probability_above as probability_above
from iaa_jax.analyses.coefficients.study import coefficients as coefficients
from iaa_jax.analyses.compare.study import Coefficients
from iaa_jax.analyses.sharpen.settings import Several
from iaa_jax.data.build import from_long as from_long, from_wide as from_wide
from iaa_jax.data.build_counts import (
    from_contingency as from_contingency,
    from_counts as from_counts,
)
from iaa_jax.data.build_mass import from_mass as from_mass
from iaa_jax.data.build_ranked import from_ranked as from_ranked
from iaa_jax.data.build_sets import from_sets as from_sets, from_values as from_values
from iaa_jax.data.marked.tokens import token_ratings as token_ratings
from iaa_jax.data.recoding import at_least as at_least, recode as recode
from iaa_jax.data.schema import mass as mass, summary as summary, validate as validate
from iaa_jax.data.select import keep_annotators as keep_annotators, keep_labels as keep_labels
from iaa_jax.data.spans import from_spans as from_spans
from iaa_jax.engine.devices import Device
from iaa_jax.engine.precision import DType
from iaa_jax.engine.rows import Progress
from iaa_jax.io.reading import read as read
from iaa_jax.io.reading_long import read_long as read_long
from iaa_jax.io.reading_spans import read_spans as read_spans
from iaa_jax.io.registry import formats as formats
from iaa_jax.measure.interval import Interval as Interval, IntervalLike
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.resolver import CoefficientLike
from iaa_jax.measure.sampling import Sampling as Sampling
from iaa_jax.scale.partitions import from_dask as from_dask
from iaa_jax.scale.scanning import scan as scan

def agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    device: Device | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Several coefficients at once, with standard errors and intervals.

    All are computed on the same replicates; a coefficient asked for alone has the same figures.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature. By default all that
        apply to the ratings, equal ones once.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``: ``estimate``, ``observed``, ``expected``, ``standard_error``
        (infinitesimal jackknife), ``ci_low``, ``ci_high``, ``code`` (0: defined), ``reason``,
        ``undefined_replicates``, ``interval``, ``random`` (what was: "items", "items and
        annotators", ...), ``doubt`` (why it may hold less often than it says: the code of a note),
        ``weights`` (how labels agree), ``level`` (alpha's metric), ``note``,
        ``pairs`` and ``undefined_pairs`` (annotator pairs of pairwise means, -1 for others). With
        fewer than two pairable items there is no standard error and interval.

        The attribute ``conclusion`` is "measured"; "perfect" if every figure is 1; "estimated" if
        there is no interval; "undefined" if nothing is defined. ``coefficient`` leads the page, the
        first that was asked for or Krippendorff's alpha (``leads``: "asked", "usual"). ``level`` is
        what labels were taken at; where that is open a note asks, with alpha at each level. Other
        attributes say how it was made, and ``notes`` what to know of the figures (`iaa_jax.page`
        words them).

    Raises
    ------
    IaaError
        If a name or option is unknown, or does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> figures = iaa.agreement(ratings, ["cohen_kappa", "krippendorff_alpha"], interval=None)
    >>> figures.estimate.round(4).values
    array([0.6154, 0.64  ])
    """

def agreement_by(
    ratings: xr.Dataset,
    by: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Coefficients in each group of items, or among the annotators of each group.

    In a group what belongs to it has a weight of 1, and all else 0: labels, and their number, stay
    those of all ratings. Replicates are drawn within the group.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item`` (batch, topic, ...) or along ``annotator`` (kind
        of annotator, team, ...).
    by : str
        The name of that coordinate.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature; by default all that
        apply to all ratings.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    progress : callable, optional
        Called with the groups done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``group`` and ``coefficient`` the variables of `iaa_jax.agreement`, and along
        ``group`` ``group_items``, ``group_pairable_items`` and ``group_ratings``. What has no value
        (missing, NaN, "") is the last group, "(none)".

        The attribute ``conclusion`` is that of `iaa_jax.agreement` for all groups together:
        "undefined" everywhere, "perfect" agreement wherever it is defined, "estimated" without
        intervals, or "measured". ``axis`` says what the groups divide, items or annotators. Of a
        single coefficient ``lowest_group`` and ``highest_group`` say where it is lowest and
        highest, with ``lowest_estimate`` and ``highest_estimate``.

    Raises
    ------
    IaaError
        If there is no such coordinate, or an option is unknown or does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
    >>> ratings = ratings.assign_coords(batch=("item", [1, 1, 2, 2]))
    >>> groups = iaa.agreement_by(ratings, "batch", "percent_agreement", interval=None)
    >>> groups.group.values, groups.estimate.values.ravel()
    (array(['1', '2'], dtype=object), array([1., 0.]))
    """

def percent_agreement(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Percent agreement.

    Share of agreeing pairs of ratings, the mean over items. Ignores chance.

    A = sum_i w_i (agree_i / pairs_i) / sum_i w_i, over pairable items

    Range: 0 to 1. Undefined: no item with two ratings.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    aggregation : {"item_mean", "rating_weighted", "all_agree"}
        Mean over items (the default); items weighted by their ratings; or the share of items on
        which all ratings agree.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Artstein and Poesio 2008, section 2.2; Gwet 2014. https://doi.org/10.1162/coli.07-034-R2

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.percent_agreement(ratings, interval=None).estimate.round(4).values
    array(0.7)
    """

def specific_agreement(
    ratings: xr.Dataset,
    *,
    weighting: str = "auto",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Specific agreement.

    Agreement on each label: of the ratings beside a rating c, the share that is c.

    P_c = sum_i w_i r_ic (r_ic - 1) / sum_i w_i r_ic (n_i - 1), for single labels; by ratings, both
    sums divide what an item brings by n_i - 1

    Range: 0 to 1, one figure per label. Undefined: nobody used the label on an item with two
    ratings.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weighting : {"auto", "pairs", "ratings"}
        What an item counts by: its pairs of ratings, as published, so that items with many ratings
        decide; or its ratings, as in Krippendorff's alpha. "auto" takes pairs, but ratings where
        more than a quarter of the weight would lie on other items, and a note says so.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, along ``label``.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Cicchetti and Feinstein 1990; Uebersax 1982. https://doi.org/10.1016/0895-4356(90)90159-M

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.specific_agreement(ratings, interval=None).estimate.round(4).values
    array([0.7273, 0.6667])
    """

def cohen_kappa(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Cohen's kappa.

    Two annotators, each with label margins of their own, on their common items.

    1 - D_o / D_e, D_e = p_1' D p_2, margins on the common items

    Range: -1 to 1 (the lower end only where expected agreement is 1/2). Undefined: no common item;
    both annotators used one and the same label only (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Cohen 1960; with weights Cohen 1968. https://doi.org/10.1177/001316446002000104

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.cohen_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def mean_pairwise_cohen_kappa(
    ratings: xr.Dataset,
    *,
    undefined_pairs: str = "omit",
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    device: Device | None = None,
) -> xr.Dataset:
    """Mean pairwise kappa.

    Light's kappa: the mean of Cohen's kappa over the pairs of annotators.

    mean over pairs a < b of kappa_ab, weighted v_a v_b

    Range: -1 to 1. Undefined: no pair with enough common items; kappa 0/0 for every pair.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    undefined_pairs : {"omit", "zero"}
        Leave a pair whose kappa is 0/0 out (the default; it is counted), or count it as 0.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Light 1971. https://doi.org/10.1037/h0031643

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.mean_pairwise_cohen_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def scott_pi(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Scott's pi.

    Two annotators, one label margin for both.

    1 - D_o / D_e, D_e = pi' D pi, pi_l = mean over rated items of r_il / n_i

    Range: -1 to 1. Undefined: no item with two ratings; every rating on one label (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Scott 1955. https://doi.org/10.1086/266577

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.scott_pi(ratings, interval=None).estimate.round(4).values
    array(0.3939)
    """

def fleiss_kappa(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Fleiss' kappa.

    Any number of annotators, one label margin for all (Siegel and Castellan).

    1 - D_o / D_e, D_e = pi' D pi, pi_l = mean over rated items of r_il / n_i

    Range: -1/(n - 1) to 1 for n ratings per item. Undefined: no item with two ratings; every rating
    on one label (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Fleiss 1971; Siegel and Castellan 1988. https://doi.org/10.1037/h0031619

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.fleiss_kappa(ratings, interval=None).estimate.round(4).values
    array(0.3939)
    """

def conger_kappa(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Conger's kappa.

    Any number of annotators, each with label margins of their own.

    1 - D_o / D_e, D_e = mean over pairs a < b (v_a v_b) of p_a' D p_b, own ratings

    Range: below 0 to 1. Undefined: no item with two ratings; every rating on one label (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Conger 1980. https://doi.org/10.1037/0033-2909.88.2.322

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.conger_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def davies_fleiss_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    device: Device | None = None,
) -> xr.Dataset:
    """Davies and Fleiss' kappa.

    Observed and expected agreement pooled over pairs, each on its common items.

    1 - mean D_o,ab / mean D_e,ab over pairs (v_a v_b), each on its common items

    Range: below 0 to 1. Undefined: no pair with enough common items; every rating on one label
    (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Davies and Fleiss 1982. https://doi.org/10.2307/2529886

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.davies_fleiss_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def brennan_prediger(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `bennett_s`, `randolph_kappa`, `pabak`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981; Randolph 2005. https://doi.org/10.1177/001316448104100307

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.brennan_prediger(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def bennett_s(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `brennan_prediger`, `randolph_kappa`, `pabak`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981; Randolph 2005. https://doi.org/10.1177/001316448104100307

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.bennett_s(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def randolph_kappa(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `brennan_prediger`, `bennett_s`, `pabak`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981; Randolph 2005. https://doi.org/10.1177/001316448104100307

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.randolph_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def pabak(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `brennan_prediger`, `bennett_s`, `randolph_kappa`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981; Randolph 2005. https://doi.org/10.1177/001316448104100307

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.pabak(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def gwet_ac1(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Gwet's AC1.

    Counts chance agreement only on hard items; high where one label is rare.

    (A - E) / (1 - E), E = sum_l pi_l (1 - pi_l) / (L - 1)

    Range: -1/(L - 1) to 1. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Gwet 2008. https://doi.org/10.1348/000711006X126600

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.gwet_ac1(ratings, interval=None).estimate.round(4).values
    array(0.4059)
    """

def gwet_ac2(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Gwet's AC2.

    AC1 with an agreement between labels.

    (A - E) / (1 - E), E = sum(S) sum_l pi_l (1 - pi_l) / (L (L - 1))

    Range: below 0 to 1. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Gwet 2008; with weights Gwet 2014, chapter 5. https://doi.org/10.1348/000711006X126600

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.gwet_ac2(ratings, interval=None).estimate.round(4).values
    array(0.4059)
    """

def krippendorff_alpha(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Krippendorff's alpha.

    Any number of annotators, gaps, and labels that are names, ranks or numbers.

    1 - D_o / D_e, D_o = sum_i w_i n_i d_i / sum_i w_i n_i with d_i the mean distance of the item's
    pairs, D_e = the mean distance of all pairs of ratings, self-pairs left out

    Range: -1/(m - 1) to 1 for m ratings or more on every item with two. Undefined: no item with two
    ratings; every rating on one label (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Krippendorff 2004, chapter 11; Hayes and Krippendorff 2007. https://doi.org/10.1080/19312450709336664

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.krippendorff_alpha(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def augmented_kappa(
    ratings: xr.Dataset,
    *,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    device: Device | None = None,
) -> xr.Dataset:
    """Augmented kappa.

    Cohen's kappa on divided labels: a primary label holds p of a rating, the secondary one 1 - p.
    The mean over pairs of annotators.

    mean over pairs a < b (v_a v_b) of (A - E) / (1 - E), A = mean_i m_ia' S m_ib and E = p_a' S p_b
    on the pair's common items; A reaches c = 1 - 2 d p (1 - p) at most, d the share of doubles

    Range: below 0 to (c - E) / (1 - E); with normalize='ceiling' to 1. Undefined: no pair with
    enough common items; 0/0 for every pair.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    normalize : {"none", "ceiling"}
        ``(A - E) / (1 - E)`` as published (the default), or ``(A - E) / (c - E)``, where c is the
        observed agreement that the pair would reach with the same ratings each: identical doubles
        agree by p^2 + (1 - p)^2 only. Both are 0 on average for independent annotators.
    pool : {"pairs", "components"}
        The mean of the pairs' own coefficients (the default), or one ratio of the means of A, E
        and c over the pairs.
    undefined_pairs : {"omit", "zero"}
        Leave a pair whose kappa is 0/0 out (the default; it is counted), or count it as 0.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Rosenberg and Binkowski 2004. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.augmented_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def am_agreement(
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
    device: Device | None = None,
) -> xr.Dataset:
    """A_m.

    Agreement of label sets, beyond chance from each annotator's own margins: the share of label
    pairs on which both indicators match. Joint absence counts as agreement.

    (P_o - P_e) / (1 - P_e), P_o = mean over items and pairs of annotators (v_a v_b) of k (k - 1) /
    (C (C - 1)), k the labels of C on which the two match; P_e = mean over pairs a, b (v_a v_b) and
    label pairs of sum_g P_a(g) P_b(g), g = 00, 01, 10, 11

    Range: below 0 to 1. Undefined: no item with two ratings; every rating the same set (0/0); one
    label only.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Bhowmick, Basu and Mitra 2008, Coling Workshop on Human Judgements, pages 58-65. https://doi.org/10.3115/1611628.1611637

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> iaa.am_agreement(ratings, interval=None).estimate.round(4).values
    array(0.5294)
    """

def icc1(
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
    device: Device | None = None,
) -> xr.Dataset:
    """ICC(1).

    Numbers: share of variance between items; whoever rates, one rating per item.

    s / (s + e), s = (MSB - MSW) / k_0, e = MSW of the one-way analysis of variance

    Range: -1/(k_0 - 1) to 1. Undefined: no item with two ratings; one item; all ratings the same
    number.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Shrout and Fleiss 1979; McGraw and Wong 1996. https://doi.org/10.1037/0033-2909.86.2.420

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.icc1(ratings, interval=None).estimate.round(4).values
    array(0.1657)
    """

def icc1k(
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
    device: Device | None = None,
) -> xr.Dataset:
    """ICC(1,k).

    ICC(1) of the mean of an item's k_0 ratings.

    s / (s + e / k_0) = (MSB - MSW) / MSB, s = (MSB - MSW) / k_0, e = MSW of the one-way analysis of
    variance

    Range: any number up to 1. Undefined: no item with two ratings; one item; all ratings the same
    number; items with the same mean rating.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Shrout and Fleiss 1979; McGraw and Wong 1996. https://doi.org/10.1037/0033-2909.86.2.420

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.icc1k(ratings, interval=None).estimate.round(4).values
    array(0.4428)
    """

def icc2(
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
    device: Device | None = None,
) -> xr.Dataset:
    """ICC(2).

    Numbers, the same annotators on every item: absolute agreement of one rating.

    s / (s + r + e), s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all rated

    Range: below 0 to 1. Undefined: no item that every annotator rated, or only one; all ratings the
    same number.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Shrout and Fleiss 1979; McGraw and Wong 1996. https://doi.org/10.1037/0033-2909.86.2.420

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.icc2(ratings, interval=None).estimate.round(4).values
    array(0.2898)
    """

def icc2k(
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
    device: Device | None = None,
) -> xr.Dataset:
    """ICC(2,k).

    ICC(2) of the mean of all k annotators.

    s / (s + (r + e) / k), s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all
    rated

    Range: any number up to 1. Undefined: no item that every annotator rated, or only one; all
    ratings the same number; items with the same mean rating.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Shrout and Fleiss 1979; McGraw and Wong 1996. https://doi.org/10.1037/0033-2909.86.2.420

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.icc2k(ratings, interval=None).estimate.round(4).values
    array(0.6201)
    """

def icc3(
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
    device: Device | None = None,
) -> xr.Dataset:
    """ICC(3).

    Numbers, the same annotators on every item: consistency of one rating.

    s / (s + e), s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all rated

    Range: -1/(k - 1) to 1. Undefined: no item that every annotator rated, or only one; all ratings
    the same number.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Shrout and Fleiss 1979; McGraw and Wong 1996. https://doi.org/10.1037/0033-2909.86.2.420

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.icc3(ratings, interval=None).estimate.round(4).values
    array(0.7148)
    """

def icc3k(
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
    device: Device | None = None,
) -> xr.Dataset:
    """ICC(3,k).

    ICC(3) of the mean of all k annotators (Cronbach's alpha).

    s / (s + e / k) = (MSR - MSE) / MSR, s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over
    items that all rated

    Range: any number up to 1. Undefined: no item that every annotator rated, or only one; all
    ratings the same number; items with the same mean rating.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Shrout and Fleiss 1979; McGraw and Wong 1996. https://doi.org/10.1037/0033-2909.86.2.420

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.icc3k(ratings, interval=None).estimate.round(4).values
    array(0.9093)
    """

def lin_ccc(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    device: Device | None = None,
) -> xr.Dataset:
    """Lin's concordance.

    Numbers of two annotators, or pooled over pairs (overall concordance).

    1 - sum_ab mean (x_a - x_b)^2 / sum_ab (s_a^2 + s_b^2 + (mean_a - mean_b)^2) over pairs a < b
    (v_a v_b), each on its common items, variances over n

    Range: -1 to 1 for two annotators. Undefined: no pair with enough common items; all ratings the
    same number (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Lin 1989; for more annotators Barnhart, Haber and Song 2002. https://doi.org/10.2307/2532051

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> iaa.lin_ccc(ratings, interval=None).estimate.round(4).values
    array(0.2537)
    """

def hubert_kappa(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Hubert's kappa.

    Annotators agree on an item only where all of them do; own label margins.

    (A - E) / (1 - E), A = share of unanimous items, E = sum_l prod_a p_al

    Range: below 0 to 1; -1 to 1 for two annotators. Undefined: no item that every annotator rated;
    every rating on one label (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hubert 1977; Martin Andres and Alvarez Hernandez 2020. https://doi.org/10.1037/0033-2909.84.2.289

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.hubert_kappa(ratings, interval=None).estimate.round(4).values
    array(0.4)
    """

def bangdiwala_b(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Bangdiwala's B.

    Two annotators: the agreed share of the area of their agreement chart.

    sum_l n_ll^2 / sum_l n_l. n_.l; with near misses sum_ljk n_lj n_kl min(S_lj, S_lk) / sum_l n_l.
    n_.l

    Range: 0 to 1. Undefined: no common item; no label that both annotators used (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Bangdiwala 1985; with near misses Munoz and Bangdiwala 1997. https://doi.org/10.1080/02664769723918

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.bangdiwala_b(ratings, interval=None).estimate.round(4).values
    array(0.5)
    """

def van_oest_ir2(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Van Oest's Ir2.

    Fleiss' kappa with a uniform prior on the labels; for very unequal labels.

    1 - D_o / D_e, D_e = pi' D pi, pi_l = (N_l + 1) / (N + L) over all ratings

    Range: below 0 to 1. Undefined: no item with two ratings; only one label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Van Oest 2019; with gaps and weights van Oest and Girard 2022. https://doi.org/10.1037/met0000183

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> iaa.van_oest_ir2(ratings, interval=None).estimate.round(4).values
    array(0.3942)
    """

def span_f1(
    spans: xr.Dataset,
    match: str = "strict",
    *,
    average: str = "micro",
    duplicates: str = "set",
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    device: Device | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """F1 of the spans of each two annotators, with all that stands behind it.

    Each pair of annotators is compared once, on the documents that both saw, either as the other's
    gold. With tp the spans that match one to one, and n_a and n_b those of the two,

    ``F1 = sum_pairs 2 tp / sum_pairs (n_a + n_b)``

    which is the harmonic mean of precision and recall. All figures with an interval stand on the
    same replicates.

    Parameters
    ----------
    spans : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read` make them.
    match : str
        What two spans must have in common to be one: "strict" their boundaries and label; "partial"
        (or "type") their label and a place, one to one, as many as can be; "boundary" their
        boundaries; "half_credit" counts 1 for the same boundaries and 0.5 for a place in common,
        whatever the labels; "token" compares the labels of places; "gate" is the average of GATE,
        where what is marked twice counts twice.
    average : {"micro", "macro", "weighted", "pairs"}
        What ``estimate`` is, with its interval; the others stand under their names.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once, or twice.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        The variables of `iaa_jax.agreement` as scalars, and with ``NAME_standard_error``,
        ``NAME_ci_low`` and ``NAME_ci_high`` each: ``f1`` (micro),
        ``macro_f1`` (the mean over labels that anybody used), ``weighted_f1`` (that of the labels'
        F1 weighted by their support: the same as micro, as support counts both sides of a pair),
        ``strict_f1``, ``partial_f1``, and ``gap``, what partial gains on strict.
        ``mean_pair_f1`` and ``sd_pair_f1`` (population) are over the pairs. ``boundaries_share``,
        ``labels_share`` and ``missed_share`` say what happened to all spans that have no strict
        match: the other annotator's span there has other boundaries, another label, or is missing;
        with ``strict_f1`` they make 1.

        Along ``label``: ``label_f1`` and ``label_gap`` with their intervals, and ``support`` (spans
        with the label on both sides of all pairs), ``label_unmatched`` (those without a match;
        places by "token"). NaN where the match has no F1 of a label.
        Along ``pair``: ``first``, ``second``, ``pair_f1``, ``pair_documents``, ``n_a``, ``n_b``,
        ``tp``, ``fp``, ``fn``. Along ``annotator``: ``annotator_f1`` (with all others),
        ``annotator_documents``, ``annotator_spans``, ``times_as_many`` and ``times_as_long`` (spans
        as those of the others in the same documents). Along ``document``: ``document_f1``,
        ``document_annotators``, ``document_spans`` and ``document_disputed`` (spans that another
        annotator does not match, the mean over the others).

        ``confusion`` (label_a, label_b) counts the spans of the first annotator of each pair by
        label, and that of their partner, ``NONE`` where there is none; ``confusion_share`` is the
        share of its row. Partners have the same boundaries under strict and boundary matches, and
        else a place in common.

        The ``conclusion`` is what most of the disagreement is: "boundaries", "labels", "missed";
        "mixed" where it is none of them; "perfect" if all spans match strictly; "undefined" if
        nothing was marked.

    Raises
    ------
    IaaError
        If the match or an option is unknown, or these are no spans.

    References
    ----------
    Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
    information retrieval. Journal of the American Medical Informatics Association 12(3).
    https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER")]},
    ...         "d2": {"ann": [(3, 8, "ORG")], "bob": [(3, 7, "ORG"), (9, 11, "PER")]},
    ...     }
    ... )
    >>> result = iaa.span_f1(spans, interval=None)
    >>> float(result.f1.round(4)), float(result.partial_f1.round(4)), float(result.gap.round(4))
    (0.3333, 0.6667, 0.3333)
    >>> result.label_f1.to_series().to_dict(), result.attrs["conclusion"]
    ({'ORG': 0.0, 'PER': 0.6666666666666666}, 'mixed')
    """

def partial_span_f1(
    ratings: xr.Dataset,
    *,
    average: str = "micro",
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Partial F1.

    As strict F1, with matches of the same label that have a place in common: one to one, and as
    many as can be, so that the order of spans does not matter. Partial in Prodigy; "type" in
    nervaluate and SemEval 2013, where pairs are made in the order of the list and may be fewer.
    What nervaluate calls partial is half_credit_span_f1.

    The same coefficient as `type_span_f1`.

    F1 = 2 sum_i w_i sum_ab most_matches_iab / sum_i w_i sum_ab (units_ia + units_ib)

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    average : {"micro", "macro", "weighted", "pairs"}
        Sums over labels and pairs of annotators first, then the ratio (the default); the mean of
        the F1 of each label that anybody used; the same weighted by the labels' support, which is
        equal to "micro", since support counts both annotators; or the mean of the F1 of each pair
        of annotators that marked anything. Without labels, there are "micro" and "pairs" alone.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.partial_span_f1(spans, interval=None).estimate.round(4).values
    array(1.)
    """

def type_span_f1(
    ratings: xr.Dataset,
    *,
    average: str = "micro",
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Partial F1.

    As strict F1, with matches of the same label that have a place in common: one to one, and as
    many as can be, so that the order of spans does not matter. Partial in Prodigy; "type" in
    nervaluate and SemEval 2013, where pairs are made in the order of the list and may be fewer.
    What nervaluate calls partial is half_credit_span_f1.

    The same coefficient as `partial_span_f1`.

    F1 = 2 sum_i w_i sum_ab most_matches_iab / sum_i w_i sum_ab (units_ia + units_ib)

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    average : {"micro", "macro", "weighted", "pairs"}
        Sums over labels and pairs of annotators first, then the ratio (the default); the mean of
        the F1 of each label that anybody used; the same weighted by the labels' support, which is
        equal to "micro", since support counts both annotators; or the mean of the F1 of each pair
        of annotators that marked anything. Without labels, there are "micro" and "pairs" alone.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.type_span_f1(spans, interval=None).estimate.round(4).values
    array(1.)
    """

def boundary_span_f1(
    ratings: xr.Dataset,
    *,
    average: str = "micro",
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Boundary F1.

    As strict F1, with labels ignored: the share of units whose boundaries the other annotator
    marked too. "Exact" in nervaluate. A stretch with two labels counts twice.

    F1 = 2 sum_i w_i sum_ab matches_iab / sum_i w_i sum_ab (units_ia + units_ib)

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    average : {"micro", "macro", "weighted", "pairs"}
        Sums over labels and pairs of annotators first, then the ratio (the default); the mean of
        the F1 of each label that anybody used; the same weighted by the labels' support, which is
        equal to "micro", since support counts both annotators; or the mean of the F1 of each pair
        of annotators that marked anything. Without labels, there are "micro" and "pairs" alone.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.boundary_span_f1(spans, interval=None).estimate.round(4).values
    array(0.5)
    """

def token_span_f1(
    ratings: xr.Dataset,
    *,
    average: str = "micro",
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Token F1.

    Share of places, tokens or characters as the spans are counted in, that the other annotator of a
    pair gave the same label. A place in two spans of a label counts twice. The token mode of
    bratiaa.

    F1 = 2 sum_i w_i sum_ab sum_l,t min(n_ialt, n_iblt) / sum_i w_i sum_ab sum_l,t (n_ialt +
    n_iblt), n_ialt the spans of label l at place t

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    average : {"micro", "macro", "weighted", "pairs"}
        Sums over labels and pairs of annotators first, then the ratio (the default); the mean of
        the F1 of each label that anybody used; the same weighted by the labels' support, which is
        equal to "micro", since support counts both annotators; or the mean of the F1 of each pair
        of annotators that marked anything. Without labels, there are "micro" and "pairs" alone.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.token_span_f1(spans, interval=None).estimate.round(4).values
    array(0.8889)
    """

def half_credit_span_f1(
    ratings: xr.Dataset,
    *,
    average: str = "micro",
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Half-credit F1.

    Labels ignored: as many matches with the same boundaries as can be count 1, and then as many as
    can be with a place in common count 0.5. What nervaluate, MUC and SemEval 2013 call partial;
    there pairs are made in the order of the list, and may be fewer.

    F1 = 2 sum_i w_i sum_ab (exact_iab + overlapping_iab / 2) / sum_i w_i sum_ab (units_ia +
    units_ib)

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    average : {"micro", "macro", "weighted", "pairs"}
        Sums over labels and pairs of annotators first, then the ratio (the default); the mean of
        the F1 of each label that anybody used; the same weighted by the labels' support, which is
        equal to "micro", since support counts both annotators; or the mean of the F1 of each pair
        of annotators that marked anything. Without labels, there are "micro" and "pairs" alone.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Chinchor and Sundheim 1993. https://doi.org/10.3115/1072017.1072026

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.half_credit_span_f1(spans, interval=None).estimate.round(4).values
    array(0.75)
    """

def gate_span_f1(
    ratings: xr.Dataset,
    *,
    credit: str = "average",
    average: str = "micro",
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
    device: Device | None = None,
) -> xr.Dataset:
    """GATE's F1.

    Matches by GATE's rule, strict, lenient (a place in common is enough) or the average of both:
    couples are taken one after another, by their worth less that of the couples that they rule out.
    This can find fewer matches than partial_span_f1. Where couples are equal, overlap and place
    decide here, in GATE the order of the list. What is marked twice counts twice; with
    average="pairs", a pair that marked nothing has 1.

    F1 = 2 sum_i w_i sum_ab (correct_iab + c partial_iab) / sum_i w_i sum_ab (units_ia + units_ib),
    c = 1/2, 0 or 1

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    credit : {"average", "strict", "lenient"}
        Matches of other boundaries count half (the default: the mean of the other two figures), not
        at all, or as much as those with the same.
    average : {"micro", "macro", "weighted", "pairs"}
        Sums over labels and pairs of annotators first, then the ratio (the default); the mean of
        the F1 of each label that anybody used; the same weighted by the labels' support, which is
        equal to "micro", since support counts both annotators; or the mean of the F1 of each pair
        of annotators that marked anything. Without labels, there are "micro" and "pairs" alone.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Cunningham et al. 2013. https://doi.org/10.1371/journal.pcbi.1002854

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.gate_span_f1(spans, interval=None).estimate.round(4).values
    array(0.75)
    """

def label_span_f1(
    ratings: xr.Dataset,
    *,
    match: str = "strict",
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """F1 by label.

    F1 of the units of each label; of a match in other boundaries or by place too.

    F1_l = 2 sum_i w_i sum_ab matches_iabl / sum_i w_i sum_ab (units_ial + units_ibl)

    Range: 0 to 1, one figure per label. Undefined: nobody used the label in a document that two
    annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    match : {"strict", "partial", "token"}
        As in `span_f1` (the default), `partial_span_f1` or `token_span_f1`.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, along ``label``.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.label_span_f1(spans, interval=None).estimate.round(4).values
    array([0., 1.])
    """

def partial_gain(
    ratings: xr.Dataset,
    *,
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Partial less strict F1.

    What partial F1 gains on strict F1: the share of units that meet one with the same label and
    other boundaries. Where it is large, boundaries are the trouble.

    2 sum_i w_i sum_ab (most_matches_iab - matches_iab) / sum_i w_i sum_ab (units_ia + units_ib)

    Range: 0 to 1. Undefined: nobody marked anything in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.partial_gain(spans, interval=None).estimate.round(4).values
    array(0.5)
    """

def label_partial_gain(
    ratings: xr.Dataset,
    *,
    duplicates: str = "set",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Partial less strict F1 by label.

    What partial F1 of the units of each label gains on strict F1.

    2 sum_i w_i sum_ab (most_matches_iabl - matches_iabl) / sum_i w_i sum_ab (units_ial + units_ibl)

    Range: 0 to 1, one figure per label. Undefined: nobody used the label in a document that two
    annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    duplicates : {"set", "multiset"}
        What an annotator marked twice, with the same boundaries and label, counts once (the
        default), or twice.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, along ``label``.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Hripcsak and Rothschild 2005. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.label_partial_gain(spans, interval=None).estimate.round(4).values
    array([1., 0.])
    """

def unitizing_alpha(
    ratings: xr.Dataset,
    *,
    form: str = "alpha_u",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Unitizing alpha.

    Krippendorff's alpha_u: chance-corrected agreement on where units lie in documents, and on their
    labels.

    1 - sum_l D_ol / sum_l D_el, D_ol = sum_i m_i mean_ab d_iabl / (M m), D_el = 2 / m (sum_units
    ((N_l - 1) (2 u^3 - 3 u^2 + u) / 3 + u^2 sum_gaps>=u (g - u + 1)) / (M (M - 1) - sum_units u (u
    - 1))); d adds up the squares of how far the starts and the ends of two units that meet are
    apart, and of lengths of units in a gap of the other annotator; u, g lengths of the N_l units
    and of gaps, M = sum_i m_i length_i over the m_i annotators of document i, m the mean length of
    a document

    Range: below 0 to 1. Undefined: nobody marked a unit in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    form : {"alpha_u", "u", "ub", "cu", "ku"}
        Alpha_u of 1995 and 2004 (the default); or, of 2016, u of labels and gaps, ub of units and
        gaps, cu of labels where units of two annotators meet, or ku, the same of each label, with
        its ``coverage``: the share of the length of its units at which others have units too.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    Notes
    -----
    Several documents are one continuum in which no unit, and no gap, runs over the end of a
    document: nothing can be marked across it, so neither does chance mark there. The 1995 form
    divides by the squared length of the continuum; here that is the mean length of a document, so
    that D_o and D_e do not shrink with every document that is added. Alpha does not depend on it,
    and for one document all three are as published.

    A document counts by its annotators: what its pairs differ by enters as m_i times the mean over
    its pairs, and its units and gaps as often as they were marked, as ratings do in
    `krippendorff_alpha`. So a document that everybody saw does not outweigh by its many pairs, and
    documents seen by all of the same annotators give Krippendorff's own formulas. A document that
    one annotator saw alone tells of no agreement, and enters neither term.

    The parts of a unit that has several are a unit each here; a note counts them. Units are
    distinct stretches (marked twice, they count once) that do not overlap: in the 1995 form those
    of one label and annotator, in those of 2016 all of one annotator. Other spans are refused.

    Forms of 2016 (Krippendorff, Mathet, Bouvry and Widlocher, doi:10.1007/s11135-015-0266-1): ``1 -
    (sum_c!=k L_ck / L) / (sum_c!=k L_c L_k / (L^2 - self))``, where L_ck is the length at which one
    annotator has c and another k, each pair of a document counted 1 / (m_i - 1). In u the values
    are the labels and the gap, in ub unit and gap; self adds up squared lengths of units, and
    lengths of gaps, since a unit is placed by chance as a whole and gaps place by place. In cu only
    lengths count at which units of two annotators meet, and self has the squares of the parts of
    units that any others meet; ku is the same of each label against all others. Where units that
    meet have one label alone, cu and ku are 1: no other label could differ, which says little. Cu
    and ku take all annotators of a document at once, so annotators cannot be drawn or left out.

    The example of Krippendorff (2004) is printed as 0.8591, and is 0.8587 in full precision. Beside
    that of 1995 he prints limits for long continua, from which 1,200 places are up to 0.013 away.

    References
    ----------
    Krippendorff 1995 and 2004. https://doi.org/10.2307/271061

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.unitizing_alpha(spans, interval=None).estimate.round(4).values
    array(0.92)
    """

def label_unitizing_alpha(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Unitizing alpha by label.

    Alpha_u of the units of each label, as if there were no others.

    1 - D_ol / D_el, D_ol = sum_i m_i mean_ab d_iabl / (M m), D_el = 2 / m (sum_units ((N_l - 1) (2
    u^3 - 3 u^2 + u) / 3 + u^2 sum_gaps>=u (g - u + 1)) / (M (M - 1) - sum_units u (u - 1))); d adds
    up the squares of how far the starts and the ends of two units that meet are apart, and of
    lengths of units in a gap of the other annotator; u, g lengths of the N_l units and of gaps, M =
    sum_i m_i length_i over the m_i annotators of document i, m the mean length of a document

    Range: below 0 to 1, one figure per label. Undefined: nobody used the label in a document that
    two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, along ``label``.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    Notes
    -----
    Several documents are one continuum in which no unit, and no gap, runs over the end of a
    document: nothing can be marked across it, so neither does chance mark there. The 1995 form
    divides by the squared length of the continuum; here that is the mean length of a document, so
    that D_o and D_e do not shrink with every document that is added. Alpha does not depend on it,
    and for one document all three are as published.

    A document counts by its annotators: what its pairs differ by enters as m_i times the mean over
    its pairs, and its units and gaps as often as they were marked, as ratings do in
    `krippendorff_alpha`. So a document that everybody saw does not outweigh by its many pairs, and
    documents seen by all of the same annotators give Krippendorff's own formulas. A document that
    one annotator saw alone tells of no agreement, and enters neither term.

    The parts of a unit that has several are a unit each here; a note counts them. Units are
    distinct stretches (marked twice, they count once) that do not overlap: in the 1995 form those
    of one label and annotator, in those of 2016 all of one annotator. Other spans are refused.

    References
    ----------
    Krippendorff 1995 and 2004. https://doi.org/10.2307/271061

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.label_unitizing_alpha(spans, interval=None).estimate.round(4).values
    array([0.7764, 1.    ])
    """

def boundary_similarity(
    ratings: xr.Dataset,
    *,
    n_t: int = 2,
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
    device: Device | None = None,
) -> xr.Dataset:
    """Boundary similarity.

    Share of the boundaries between segments that two annotators agree on.

    B = 1 - (additions + sum_t d_t / n_t) / (additions + transpositions + matches), d_t the places
    that a transposition spans, less than n_t

    Range: 0 to 1. Undefined: nobody set a boundary in a document that two annotators saw.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    n_t : int
        Boundaries of two annotators that are fewer places apart are near misses, and count in part;
        1 takes none.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    Notes
    -----
    Edits are found as in the paper's own program: boundaries of the two that are the nearest are
    transposed first, from the left, and what is left over is added. Where nobody set a boundary
    there is nothing to agree on: 0/0, where that program gives 1.

    Spans have to tile their documents: every place lies in one segment of each annotator who saw
    the document. Labels are ignored. Counts are added up over pairs of annotators and over
    documents, and then divided, so that long documents count by their length.

    References
    ----------
    Fournier 2013. https://aclanthology.org/P13-1167

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {"d1": {"ann": [(0, 4, "-"), (4, 12, "-")], "bob": [(0, 5, "-"), (5, 12, "-")]}},
    ...     lengths={"d1": 12},
    ... )
    >>> iaa.boundary_similarity(spans, interval=None).estimate.round(4).values
    array(0.5)
    """

def window_diff(
    ratings: xr.Dataset,
    *,
    reference: str = "both",
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
    device: Device | None = None,
) -> xr.Dataset:
    """WindowDiff.

    Share of windows in which two annotators set different numbers of boundaries.

    sum windows [b_a != b_b] / windows, b the boundaries in a window

    Range: 0 (all windows agree) to 1. Undefined: no document that two annotators saw is longer than
    a window.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    reference : {"both", "second"}
        Who decides the length of the windows: each annotator of a pair in turn (the default), or
        the second, in the order of the annotators.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    Notes
    -----
    Both ends of a window lie k places apart, k being half the mean length of a segment of the
    reference in this document, rounded, and at least 2. A reference decides k and nothing else.
    Annotators are none of them a reference: by default each of a pair is it in turn, and windows of
    both sizes are counted, so that the order of annotators does not matter. With reference="second"
    it is the later one of each pair, in the order of the annotators: for an annotator (or a
    program) and a gold standard, as published. Less is better here, and 0 is perfect; ``observed``
    is the share of windows that agree. A document no longer than its window has none.

    Spans have to tile their documents: every place lies in one segment of each annotator who saw
    the document. Labels are ignored. Counts are added up over pairs of annotators and over
    documents, and then divided, so that long documents count by their length.

    References
    ----------
    Pevzner and Hearst 2002. https://doi.org/10.1162/089120102317341756

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {"d1": {"ann": [(0, 4, "-"), (4, 12, "-")], "bob": [(0, 5, "-"), (5, 12, "-")]}},
    ...     lengths={"d1": 12},
    ... )
    >>> iaa.window_diff(spans, interval=None).estimate.round(4).values
    array(0.2222)
    """

def pk(
    ratings: xr.Dataset,
    *,
    reference: str = "both",
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
    device: Device | None = None,
) -> xr.Dataset:
    """Pk.

    Share of windows whose ends only one of two annotators put into one segment.

    sum windows [b_a > 0 != b_b > 0] / windows, b the boundaries in a window

    Range: 0 (all windows agree) to 1. Undefined: no document that two annotators saw is longer than
    a window.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    reference : {"both", "second"}
        Who decides the length of the windows: each annotator of a pair in turn (the default), or
        the second, in the order of the annotators.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    Notes
    -----
    Both ends of a window lie k places apart, k being half the mean length of a segment of the
    reference in this document, rounded, and at least 2. A reference decides k and nothing else.
    Annotators are none of them a reference: by default each of a pair is it in turn, and windows of
    both sizes are counted, so that the order of annotators does not matter. With reference="second"
    it is the later one of each pair, in the order of the annotators: for an annotator (or a
    program) and a gold standard, as published. Less is better here, and 0 is perfect; ``observed``
    is the share of windows that agree. A document no longer than its window has none.

    Spans have to tile their documents: every place lies in one segment of each annotator who saw
    the document. Labels are ignored. Counts are added up over pairs of annotators and over
    documents, and then divided, so that long documents count by their length.

    References
    ----------
    Beeferman, Berger and Lafferty 1999. https://doi.org/10.1023/A:1007506220214

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {"d1": {"ann": [(0, 4, "-"), (4, 12, "-")], "bob": [(0, 5, "-"), (5, 12, "-")]}},
    ...     lengths={"d1": 12},
    ... )
    >>> iaa.pk(spans, interval=None).estimate.round(4).values
    array(0.2222)
    """

def gamma(
    ratings: xr.Dataset,
    *,
    alpha: float = 3.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    label_dissimilarity: ArrayLike | None = None,
    unaligned: bool = False,
    precision: float = 0.05,
    samples: int = 30,
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
    device: Device | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Gamma: agreement on where units are and which labels they have, in one figure.

    The units of a document are put into unitary alignments, which hold at most one unit of each of
    its n annotators and cost the mean dissimilarity of their n (n - 1) / 2 pairs ::

        d(u, v) = alpha delta ((|ds| + |de|) / (length_u + length_v))^2 + beta delta D(u, v)

    where D is 0 for equal labels and 1 for others, and delta stands for a pair with an empty unit.
    The disorder of the document is the cost of the best alignment by the mean number of units of
    its annotators; by chance it is the mean over chance continua, in which each line is that of one
    of the annotators, moved along the document as a ring. ::

        gamma = 1 - sum_i n_i disorder_i / sum_i n_i mean chance disorder_i

    over documents, where n_i is that mean number of units. Gamma-cat (of the labels of aligned
    units) and gamma-k (label by label) take the same alignments; there a document counts by the
    pairs that are aligned in it. Intervals are over documents, with the chance part as drawn;
    ``chance_error`` is what that part is uncertain by.

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them. A discontinuous unit is
        from its first place to its last. Chance moves units within the document where its length
        is known, else from its first unit to its last.
    alpha, beta : float
        What places and labels count; one of them more than 0. Where places count nothing, or next
        to it, any units can be partners: that takes long for more than a few of them.
    delta_empty : float
        The dissimilarity of a unit and none.
    label_dissimilarity : array (label, label), optional
        D, symmetric, with 0 for equal labels, in the order of the labels.
    unaligned : bool
        Whether gamma-cat and gamma-k count a unit beside an empty one as another label, as
        pygamma-agreement does.
    precision : float
        Chance continua are drawn until half the 95 % interval of the expected disorder is this
        share of it.
    samples : int
        The fewest chance continua of a document.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.
    progress : callable, optional
        Called with the chance continua done and their total.

    Returns
    -------
    xarray.Dataset
        The variables of `iaa_jax.agreement` as scalars, of gamma: ``observed`` is 1 less the
        disorder as a share of that of units without any partner, ``expected`` the same by chance.
        ``observed_disorder`` and ``expected_disorder`` are in units of delta; ``chance_error`` is
        the standard error of gamma due to the draws, ``chance_precision`` the precision reached,
        ``samples`` how many continua were drawn. ``gamma_cat``, and ``gamma_k`` along ``label``,
        have ``..._standard_error``, ``..._ci_low`` and ``..._ci_high``. Along ``document``:
        ``document_gamma``, ``document_observed_disorder``, ``document_expected_disorder``,
        ``document_chance_error``, ``document_units`` and ``document_samples``.

        The attribute ``conclusion`` is "measured"; "perfect" if gamma is 1; "estimated" if there is
        no interval; "undefined" if nothing was marked.

    Raises
    ------
    IaaError
        If an option does not fit, annotators are to be drawn, or so many units lie close together
        that the best alignment is out of reach.

    References
    ----------
    Mathet, Widlöcher and Métivier 2015. https://doi.org/10.1162/COLI_a_00227

    Mathet 2017. https://doi.org/10.1162/COLI_a_00296

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 4, "x"), (6, 9, "y")], "bob": [(0, 4, "x"), (5, 9, "y")]},
    ...         "d2": {"ann": [(3, 8, "x")], "bob": [(3, 8, "y")]},
    ...     },
    ...     lengths={"d1": 20, "d2": 20},
    ... )
    >>> result = iaa.gamma(spans, interval=None)
    >>> result.observed_disorder.round(4).item(), bool(0 < result.estimate < 1)
    (0.3537, True)
    """

def gamma_cat(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Gamma-cat.

    Agreement on the labels of units that the best alignment of gamma brings together; pairs count
    the more the closer their places are. A document counts by its pairs.

    gamma_cat = 1 - sum_i w_i n_i disorder_i / sum_i w_i n_i mean chance disorder_i, disorder =
    sum_uv c_uv d_cat(u, v) / sum_uv c_uv, c_uv = max(0, 1 - alpha d_pos(u, v)) / (k - 1)

    Range: below 0 (less than chance) to 1. Undefined: no two units are aligned, or no label differs
    by chance (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, as scalars.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Mathet 2017. https://doi.org/10.1162/COLI_a_00296

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.gamma_cat(spans, interval=None).estimate.round(4).values
    array(1.)
    """

def gamma_k(
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
    device: Device | None = None,
) -> xr.Dataset:
    """Gamma-k.

    Gamma-cat of the aligned pairs in which a unit has the label, label by label.

    gamma_k = gamma_cat over the pairs with a unit of label k

    Range: below 0 (less than chance) to 1, one figure per label. Undefined: no unit with the label
    is aligned with another (0/0).

    Parameters
    ----------
    ratings : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.

    Returns
    -------
    xarray.Dataset
        The variables and ``conclusion`` of `iaa_jax.agreement`, along ``label``.

    Raises
    ------
    IaaError
        If an option is unknown, or does not fit the ratings.

    References
    ----------
    Mathet 2017. https://doi.org/10.1162/COLI_a_00296

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {
    ...             "ann": [(0, 5, "PER"), (9, 12, "ORG")],
    ...             "bob": [(0, 5, "PER"), (9, 14, "ORG")],
    ...         }
    ...     },
    ...     lengths={"d1": 20},
    ... )
    >>> iaa.gamma_k(spans, interval=None).estimate.round(4).values
    array([1., 1.])
    """

def contingency(
    ratings: xr.Dataset,
    *,
    annotators: Sequence[object] | None = None,
    p: float = 1.0,
) -> xr.Dataset:
    """What lies behind a kappa: tables of labels, prevalence, bias, ceilings and margins.

    Of two annotators with the table n_kl (labels of the first in rows, shares p_1k and p_2k):
    specific agreement on k is ``2 n_kk / (n_k. + n_.k)``; prevalence of k is ``p_1k + p_2k - 1``
    and bias ``p_1k - p_2k``: for two labels a table a, b / c, d has the prevalence index
    ``(a - d) / n`` and the bias index ``(b - c) / n``, those of its first label. ``kappa_max`` is
    ``(sum_k min(p_1k, p_2k) - P_e) / (1 - P_e)``, the largest kappa that these margins allow;
    ``pabak`` is ``(L P_o - 1) / (L - 1)`` for L labels. ``davies_fleiss`` is

        1 - (I J^2 - sum_ic Y_ic^2) / (I (J (J - 1) sum_c p_c (1 - p_c) + sum_cj (p_cj - p_c)^2))

    for I items, J annotators and Y_ic ratings of item i with label c. I multiplies the whole
    denominator. It needs every rating, and is then Conger's kappa: the pooled one, not the mean
    of the pairs' kappas (``mean_pairwise_kappa``), which differs a little.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them; annotators known.
    annotators : sequence, optional
        Names of the annotators to look at, such as a pair; all by default.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1. Tests need
        whole labels: with p below 1 they are NaN where cells are not whole.

    Returns
    -------
    xarray.Dataset
        Always: ``coincidences`` and ``coincidences_expected`` (label, label_2), ``margins``
        (annotator, label), ``specific_agreement`` (label), ``observed_agreement`` (mean over
        pairs), ``mean_pairwise_kappa``, ``pooled_kappa`` (mean observed and mean expected of the
        pairs on their common items), ``davies_fleiss`` (NaN with missing ratings), and along
        ``pair``: ``first``, ``second``, ``shared_items``, ``pair_kappa``, ``pair_kappa_max``,
        ``stuart`` with ``stuart_df``, ``stuart_p`` and ``stuart_p_holm`` (marginal homogeneity;
        Holm's adjustment for all pairs). Of two annotators also ``table`` (label, label_2),
        ``prevalence`` and ``bias`` (label), ``prevalence_index`` and ``bias_index`` (two labels),
        ``kappa``, ``kappa_max``, ``scott_pi``, ``pabak``, all on the common items, ``bowker`` with
        ``bowker_df`` and ``bowker_p`` (symmetry); ``mcnemar``, ``mcnemar_p`` and
        ``mcnemar_exact_p`` (two labels). The ``conclusion`` is "margins_differ" where the two of
        some pair use labels with different frequencies (``pairs_differ`` pairs; Stuart-Maxwell, p
        below .05 for all pairs together), else "margins_alike".

    Raises
    ------
    IaaError
        If annotators are unknown, ratings are numbers, or no two annotators share an item.

    References
    ----------
    Cunningham, H. et al., Developing Language Processing Components with GATE, appendix F.
    Davies, M. and Fleiss, J. L. (1982). Measuring agreement for multinomial data. Biometrics
    38(4). https://doi.org/10.2307/2529886
    Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical
    Epidemiology 46(5). https://doi.org/10.1016/0895-4356(93)90018-V

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> result = iaa.contingency(iaa.from_contingency([[20, 5], [10, 15]]))
    >>> result.specific_agreement.round(4).values
    array([0.7273, 0.6667])
    >>> names = ("prevalence_index", "bias_index", "kappa_max", "pabak", "scott_pi")
    >>> [round(float(result[name]), 4) for name in names]
    [0.1, -0.1, 0.8, 0.4, 0.3939]
    """

def in_words(
    source: xr.Dataset | float,
    scale: str = "landis_koch",
    *,
    standard_error: float | None = None,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    method: str = "auto",
    certainty: float = 0.95,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    replicates: int = 2000,
    seed: int = 0,
) -> xr.Dataset:
    """A word for each coefficient: that of the estimate, and the best that is certain.

    The word of the estimate ignores that another sample of items would give another estimate. The
    word that is certain is that of the lower end of the interval, the same that a table shows.
    There is none where there is no interval, or where it is in doubt.

    Parameters
    ----------
    source : xarray.Dataset or float
        Ratings; or a result of `iaa_jax.agreement`, of one coefficient or of `iaa_jax.bootstrap`;
        or a number, such as a published one.
    scale : {"landis_koch", "altman", "fleiss", "cicchetti", "krippendorff"}
        Whose words; all are conventions.
    standard_error : float, optional
        Standard error of a number; without it there is only the word of the estimate.
    coefficients : str, callable or sequence of them, optional
        For ratings: which ones. By default all that apply and correct for chance: the scales were
        made for these, and have no word for percent agreement.
    method : {"auto", "interval", "replicates", "normal"}
        The lower end of the interval; or Gwet's probabilistic benchmarking, which gives each band a
        probability, and takes the best one whose band and all better ones together have enough:
        the share of bootstrap replicates in each band, or a normal distribution from the estimate
        and its standard error, cut at -1 and 1. "auto" is "interval", and "normal" for a number.
    certainty : float
        The confidence of the interval; or the probability that a band and the better ones must have
        together.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.

    Returns
    -------
    xarray.Dataset
        Along the dimensions of the source: ``estimate``, ``standard_error``, ``word``, ``reached``
        (empty where nothing is certain), ``certain`` (how far), and ``withheld``, the code of why
        nothing is: "undefined", "no_interval", "no_spread", or that of the ``doubt``. By intervals
        ``ci_low`` and ``ci_high``; else along ``band``, worst first, ``probability`` and
        ``at_least``, that of this band or a better one. Coordinates ``lower`` and ``upper`` are the
        ends of the bands. The ``conclusion`` is "named" where some word is reached, else "unnamed".

    Raises
    ------
    IaaError
        If the scale or method is unknown, or the source has no estimate, or lacks what the method
        needs.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 6. Landis, J. R.
    and Koch, G. G. (1977). The measurement of observer agreement for categorical data. Biometrics
    33, 159-174. https://doi.org/10.2307/2529310

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> result = iaa.in_words(ratings, coefficients="cohen_kappa")
    >>> result.word.item(), result.reached.item()
    ('fair', 'slight')
    """

def bootstrap(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    replicates: int = 2000,
    seed: int = 0,
    dtype: DType = "float64",
    device: Device | None = None,
    errors: bool = False,
    prior: float | str = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """The bootstrap replicates of a coefficient, over items drawn with replacement.

    With the same seed the intervals of `iaa_jax.agreement` use the same replicates. Several
    coefficients are computed on one draw, so that their differences can be taken row by row. The
    result can be saved (``to_netcdf``) and read again (``xarray.load_dataset``) for
    `iaa_jax.intervals` and `iaa_jax.probability_above`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str or callable, or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature; Krippendorff's alpha by
        default, of spans strict F1.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.
    sampling : Sampling, optional
        What is random: see `iaa_jax.Sampling`. With ``Sampling(bayesian=True)`` the replicates are
        draws from the posterior.
    prior : float or "auto"
        Of Bayesian replicates of labels: items of agreement on each label that the posterior begins
        with, as `iaa_jax.Interval` has it; with "auto" they are those of the interval "posterior".
    errors : bool
        Also the standard error of each replicate, which studentized intervals need.
    replicates, seed
        How many, and from which random streams; asking for more keeps the first ones.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        ``replicates`` along ``replicate`` (NaN where undefined), with ``estimate``,
        ``standard_error``, ``acceleration``, ``degrees`` of freedom, the bounds of the range
        (``lower_bound``, ``upper_bound``) and of what can be reached (``lowest_bound``,
        ``highest_bound``), ``withheld`` (why there can be no interval, "" where
        there can), ``random`` (what was: "items", "items and annotators", ...), ``doubt``,
        ``unanimous_units``, ``unanimous_step`` and ``unshared_units`` (where nothing disagrees, or
        a share is 0: what the automatic interval needs), and ``replicate_standard_error`` where
        asked for; along ``label`` too where there is a figure per label, along ``coefficient`` for
        a sequence. The ``conclusion`` is "drawn", or "undefined" where no estimate is defined.

    Raises
    ------
    IaaError
        If a coefficient is unknown or does not fit the ratings, or an option is out of range.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> result = iaa.bootstrap(ratings, "percent_agreement", replicates=500)
    >>> result.sizes["replicate"], float(result.estimate)
    (500, 0.8)
    """

def intervals(
    drawn: xr.Dataset,
    method: str = "auto",
    *,
    confidence: float = 0.95,
    transform: str | None = None,
) -> xr.Dataset:
    """Intervals from replicates that exist already: nothing is computed again.

    Parameters
    ----------
    drawn : xarray.Dataset
        What `iaa_jax.bootstrap` returned, also when saved and read again.
    method : {"auto", "percentile", "basic", "bca", "studentized", "normal", "t"}
        See `iaa_jax.Interval`; "studentized" needs ``errors=True`` in `iaa_jax.bootstrap`. "auto"
        is "bca" where that of `iaa_jax.agreement` is one that replicates cannot make.
    confidence : float
        Confidence level, between 0 and 1.
    transform : {None, "range"}
        See `iaa_jax.Interval`.

    Returns
    -------
    xarray.Dataset
        ``estimate``, ``standard_error``, ``ci_low``, ``ci_high``, ``undefined_replicates`` and
        ``withheld``: why there is no interval, where one could not be trusted. The ``conclusion``
        is "measured", "estimated" where no figure has an interval, or "undefined".

    Raises
    ------
    IaaError
        If the replicates lack what the interval needs.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> drawn = iaa.bootstrap(ratings, "cohen_kappa", replicates=2000)
    >>> result = iaa.intervals(drawn, "bca", confidence=0.9)
    >>> again = iaa.cohen_kappa(ratings, interval="bca", confidence=0.9)
    >>> bool(result.ci_low == again.ci_low)
    True
    """

def covariance(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> xr.Dataset:
    """The covariance of several coefficients on the same items, and simultaneous intervals.

    With g_ki the derivative of coefficient k with respect to the weight of item i, c_i that weight,
    n their sum and gbar_k the weighted mean, the covariance is the infinitesimal jackknife's

    ``C_kl = n / (n - 1) sum_i c_i (g_ki - gbar_k)(g_li - gbar_l)``

    Figures over random annotators have the jackknife's over annotators added, ``(k - 1) / k sum_a
    (t_k(a) - tbar_k) (t_l(a) - tbar_l)`` with t_k(a) the figure without annotator a. The band is
    ``t_k +- q sqrt(C_kk)``, q the quantile of the largest absolute value of variables with
    Student's t distribution and the correlations of C (max-t), and the fewest degrees of freedom of
    all: with the given confidence all coefficients lie in it at once. It is cut at what each of
    them can be.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature; by default all that
        apply.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence, seed
        Confidence of the band, and seed of the 200,000 draws behind its factor.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``: ``estimate``, ``standard_error``, ``band_low``, ``band_high``,
        ``note``; along ``coefficient`` and ``coefficient_2``: ``covariance`` and ``correlation``;
        and ``factor``, the q of the band. Undefined coefficients (NaN), and those that no item
        moves (standard error 0), are left out of it; ``note`` says so. The
        ``conclusion`` is "measured", or "undefined" where there is no band.

    Raises
    ------
    IaaError
        If a coefficient is unknown or does not fit the ratings.

    References
    ----------
    Hothorn, T., Bretz, F. and Westfall, P. (2008). Simultaneous inference in general parametric
    models. Biometrical Journal 50(3). https://doi.org/10.1002/bimj.200810425

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.covariance(ratings, ["cohen_kappa", "gwet_ac1"])
    >>> result.correlation.round(3).values
    array([[1.   , 0.982],
           [0.982, 1.   ]])
    """

def zero_agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    per_label: bool = False,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    null: str = "auto",
    alternative: str = "two-sided",
    permutations: int = 999,
    sampling: Sampling | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Whether coefficients differ from what chance alone would give.

    The standard error here is that of ratings which agree by chance alone, not that of the
    interval, which holds for the agreement observed: an interval without 0 and a test need not say
    the same.

    "permutation" shuffles each annotator's ratings among the items that this annotator rated, and
    asks how many of the shuffled data are at least as extreme as the data: ``p = (1 + as many) / (1
    + permutations)``, exact whatever the coefficient. What the annotators rated, and how often each
    used a label, stays. "Extreme" means the value itself for "greater", and two-sided the distance
    from the mean of all values, the data's own included. "analytic" takes a published null standard
    error: ``z = estimate / SE_0`` and the normal distribution; for intraclass correlations their F
    test. It is for many items, and but for Cohen's kappa only for annotators who use labels alike:
    of annotators with different habits it calls agreement by chance alone "less than chance", the
    more often the more items there are.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature. By default all that
        apply and correct for chance; with ``per_label`` one, by default Fleiss' kappa.
    per_label : bool
        Test the coefficient of each label against all others together. For Fleiss' kappa with m
        ratings on each of n items the analytic standard error is ``sqrt(2 / (n m (m - 1)))`` for
        every label (Fleiss, Nee and Landis 1979).
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    null : {"auto", "analytic", "permutation"}
        How chance is found; "auto" is permutation wherever it is known who gave which rating. Of
        counts without annotators it is the analytic form, where the coefficient has one for these
        ratings, and they are enough for it (20 items, and 5 pairs of ratings that chance has agree
        on anything but the commonest label). So it is, with a caution, where items have weights
        that are not whole numbers, or where all permutations together would move more than 200
        million ratings (not where few labels of few annotators make few patterns: these take no
        longer for a million items).
    alternative : {"two-sided", "greater"}
        Whether less agreement than chance counts as well.
    permutations : int
        Random shuffles.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the permutations done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``: ``estimate``, ``null_mean`` and ``null_standard_error`` (mean and
        spread under chance), ``z`` (the estimate's distance from that mean in these standard
        errors), ``p_value``, ``method`` (the analytic form or the kind of permutation),
        ``undefined_permutations`` (left out), ``code`` (0: defined), ``reason`` and ``note``. An F
        test has no z. Along ``label`` with ``per_label``, and ``adjusted_p_value`` (Holm): one
        below .05 holds among all labels together. The ``conclusion`` is "beyond_chance" where every
        p-value (adjusted, of labels) is below .05, "partly" where some are, "not_shown" where none
        is, and "undefined" where there is no p-value.

    Raises
    ------
    IaaError
        If an option is unknown or does not fit the ratings, the ratings are spans, or with
        ``null="analytic"`` no coefficient asked for has an analytic form.

    References
    ----------
    Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large sample standard errors of kappa and
    weighted kappa. Psychological Bulletin 72(5). https://doi.org/10.1037/h0028106
    Fleiss, J. L., Nee, J. C. M. and Landis, J. R. (1979). Large sample variance of kappa in the
    case of different sets of raters. Psychological Bulletin 86(5).
    https://doi.org/10.1037/0033-2909.86.5.974
    Phipson, B. and Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical
    Applications in Genetics and Molecular Biology 9(1). https://doi.org/10.2202/1544-6115.1585

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 9 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.zero_agreement(ratings, ["cohen_kappa", "krippendorff_alpha"])
    >>> result.method.values.tolist()
    ['permutation within annotators', 'permutation within annotators']
    >>> result.z.round(2).values
    array([3.29, 3.29])
    """

def items(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    votes: bool = False,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
) -> xr.Dataset:
    """Every item: its agreement, the spread of its labels, and its influence on a coefficient.

    Of an item with label shares p_l (the mean over its ratings) of L labels: ``entropy`` is
    ``-sum_l p_l ln p_l / ln L`` and ``gini`` is ``(1 - sum_l p_l^2) L / (L - 1)``, both 0 where
    raters are unanimous and 1 where labels are equally frequent. ``agreement`` is the mean
    agreement of the item's pairs of ratings; its mean over items is percent agreement. Each
    different label set counts as a label here.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        Whose influence: a name from the catalogue, or a function with the kernels' signature;
        Krippendorff's alpha by default, of spans strict F1.
    top : int, optional
        Give only this many items, the first by ``sort``.
    sort : str, optional
        A variable or coordinate to sort by, what deserves a look first: low agreement, influence
        and share, high entropy and change; "-NAME" reverses the order. By default items stay in
        their order, and ``top`` alone sorts by ``rank``.
    votes : bool
        Say too who gave which label, as on a sheet for whoever adjudicates.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.

    Returns
    -------
    xarray.Dataset
        Along ``item``: ``ratings``, ``agreement`` (NaN for fewer than two ratings), ``entropy``,
        ``gini``, ``most_frequent`` (label; the first in order of those that are tied), ``share``
        (of it), ``tied`` (labels that share the first place; 1 if only one has it), ``influence``
        and ``change`` (see `iaa_jax.influence`), ``rank`` (1 for the lowest influence), and the
        ratings' own coordinates (as "own_NAME" where a variable has that name). For ratings that
        are numbers, instead of what needs labels: ``mean``, and ``disagreement``, the mean squared
        difference of the item's pairs. For spans an item is a document, ``ratings`` are the
        annotators who saw it, ``spans`` what they marked in all, and ``agreement`` is the
        coefficient on the document alone (NaN where it is undefined there). With ``votes``
        ``votes_by_label``, one line an item, and of up to 40 annotators ``label_given`` (item,
        annotator).

        The attribute ``conclusion`` is "disputed" where the ratings of some item differ, else
        "unanimous"; ``disputed_items`` counts these items, and ``tied_items`` those of them where
        labels tie for the first place. ``estimate`` is the coefficient of all items, with the
        ``reason`` why it is undefined.

    Raises
    ------
    IaaError
        If an option is unknown or does not fit the ratings.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "a"], ["a", "b", "b"], ["b", "b", "b"]])
    >>> worst = iaa.items(ratings, "fleiss_kappa", top=1)
    >>> worst.item.values, worst.agreement.round(4).values, worst.most_frequent.values
    (array([1]), array([0.3333]), array(['b'], dtype=object))
    """

def annotators(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    min_items: int = 0,
    ties: str = "split",
    annotator_weight: ArrayLike | None = None,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Every annotator: agreement with the others, bias, and the coefficient without them.

    With m_a an annotator's label (as shares), q_i the shares of the others' labels on item i, D the
    disagreement of labels, and all means over the items that both annotator a and somebody else
    rated: ``kappa`` is ``1 - mean_i m_ai' D q_i / (p_a' D q)``, where p_a and q are the means of
    m_ai and of q_i (the annotator as one rater, the rest of the group as the other); ``agreement``
    is the share of comparisons with another annotator's rating that agree; ``majority_agreement``
    is the share of items where a chose the others' most frequent label; ``bias`` of a label is p_a
    - q.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them; annotators must be known.
    coefficient : str or callable, optional
        The coefficient to compute without each annotator: a name from the catalogue, or a function
        with the kernels' signature; Krippendorff's alpha by default, of spans strict F1.
    top : int, optional
        Give only this many annotators, the first by ``sort``.
    sort : str, optional
        A variable or coordinate to sort by, low agreement first; "-NAME" reverses the order. By
        default annotators stay in their order, and ``top`` alone sorts by ``rank``.
    min_items : int
        Annotators who share fewer items with others are left out of the table, but stay among the
        others.
    ties : {"split", "skip"}
        What an item counts where the others' first place is tied: equal credit for each of the tied
        labels, or nothing.
    annotator_weight : array (annotator,), optional
        How much each counts as one of the others; equal by default.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``: ``ratings``, ``shared_items`` (with somebody else's rating),
        ``agreement``, ``kappa`` and ``majority_agreement``, each with ``_standard_error``,
        ``_ci_low``, ``_ci_high`` and ``_undefined_replicates``; ``leans_to``, the label with the
        largest bias among those whose interval excludes 0 (else ""), and ``leaning``, that bias;
        ``without`` (the coefficient without the annotator) and ``change`` (``without`` minus the
        ``estimate`` with everybody); ``rank`` (1 for the lowest agreement). Along ``label`` too:
        ``bias`` with the first three. Along ``annotator_2`` too: ``pair_shared_items``,
        ``pair_agreement``, ``pair_kappa`` (NaN without common items), unless there are more than
        1,000 annotators. For ratings that are numbers, ``bias`` is the mean difference from the
        others' mean, and ``disagreement`` the mean squared difference from another's rating, both
        without intervals. For spans ``agreement`` and ``pair_agreement`` are the coefficient on the
        annotator's pairs with others, and on each pair; ``spans`` is how many he marked,
        ``spans_ratio`` that divided by the others' mean on the same documents, and ``bias`` how
        many more of a label he marks in a document than they do.

        The attribute ``conclusion`` is "two_annotators" (without one of them nothing is left),
        "unanimous" (nobody disagrees), "undefined" (nobody's agreement is), "nobody" where
        ``min_items`` leaves nobody, or "compared": then ``farthest`` is who agrees least with the
        others, with ``farthest_agreement`` (or ``farthest_disagreement``), ``farthest_items``
        (shared) and ``farthest_without``; ``farthest_equal`` others agree as little.
        ``estimate`` is the coefficient of all, with the ``reason`` why it is undefined.

    Raises
    ------
    IaaError
        If annotators are unknown, or an option is unknown or does not fit the ratings.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004.
    https://doi.org/10.3115/1613984.1614004
    Fleiss, J. L. (1975). Measuring agreement between two judges on the presence or absence of a
    trait. Biometrics 31(3). https://doi.org/10.2307/2529549

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"]])
    >>> table = iaa.annotators(ratings, interval=None)
    >>> table.agreement.round(4).values, table.majority_agreement.round(4).values
    (array([0.6667, 0.6667, 0.3333]), array([0.6667, 0.6667, 0.3333]))
    >>> table.change.round(4).values, table.farthest
    (array([-0.3611, -0.3611,  0.8889]), 'annotator 3')
    """

def labels(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Every label: its share, agreement on it, a coefficient for it alone, and its confusions.

    The coefficient of a label takes it against all others together (a binary problem). For label
    sets it asks whether the label is in the set, and of spans it takes those with the label alone.
    Coincidences ``o_kl`` count pairs of ratings of
    the same item with labels k and l, each item by its ratings: ``sum_i w_i sum_{a != b} m_ak m_bl
    / (n_i - 1)``; ``expected`` is the same for ratings paired at random (self-pairs left out), and
    ``lift`` is o / e: below 1 off the diagonal where raters tell two labels apart better than
    chance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the kernels' signature; Krippendorff's alpha
        by default, of spans strict F1.
    top : int, optional
        Give only this many labels, the first by ``sort``, and this many of the most confused pairs.
    sort : str, optional
        A variable to sort by, low agreement and many ratings first; "-NAME" reverses the order. By
        default labels stay in their order, and ``top`` alone sorts by ``rank``.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``label``: ``count`` (ratings with it), ``items`` (with it), and ``share``,
        ``specific_agreement`` and ``coefficient_estimate``, each with ``_standard_error``,
        ``_ci_low``, ``_ci_high`` and ``_interval`` (its kind); ``coefficient_code`` and
        ``coefficient_reason``; ``rank`` (1 for the lowest specific agreement). Along ``label`` and
        ``label_2``: ``coincidences``, ``expected``, ``lift``. Along ``pair``, the most confused
        first: ``confused_label_1``, ``confused_label_2``, ``confused`` (coincidences of the two:
        pairs of ratings, each item counted by its ratings), ``confused_expected``,
        ``confused_lift``, ``confused_share`` (of all confusions). For spans ``count`` are
        spans and ``share`` is that of all spans; ``coefficient_estimate`` stands in place of
        specific agreement; and ``confused`` counts spans of two annotators that overlap, matched
        one to one, with ``unmatched`` (label), the share of a label's spans that have no partner,
        in place of ``expected`` and ``lift``.

        The attribute ``conclusion`` is "undefined" where no label can be agreed on, "unanimous"
        where nobody disagrees on any, else "disputed". ``lowest_label`` is the one with the lowest
        specific agreement, with ``lowest_agreement`` and ``lowest_count``; ``confused_pairs``
        counts the pairs of labels that are confused at all.

    Raises
    ------
    IaaError
        If the ratings are numbers, or an option is unknown or does not fit the ratings.

    References
    ----------
    Krippendorff, K. (2004). Content Analysis, chapter 11 (coincidences). Cicchetti, D. V. and
    Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal of
    Clinical Epidemiology 43(6). https://doi.org/10.1016/0895-4356(90)90159-M

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "c"], ["c", "b"], ["c", "c"], ["a", "b"]])
    >>> table = iaa.labels(ratings, interval=None)
    >>> table.specific_agreement.round(4).values, table.lowest_label
    (array([0.6667, 0.    , 0.5   ]), 'b')
    >>> [str(table[name].values[0]) for name in ("confused_label_1", "confused_label_2")]
    ['b', 'c']
    >>> float(table.confused[0]), round(float(table.confused_lift[0]), 3)
    (2.0, 1.5)
    """

def influence(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    dtype: DType = "float64",
) -> xr.Dataset:
    """How much each item moves a coefficient, from the derivative by its weight.

    With g_i the derivative of the estimate with respect to the weight of item i, w_i that weight, n
    the sum of the weights of rated items and gbar the weighted mean of g, the influence is ``U_i =
    n (g_i - gbar)``: positive where the item raises the coefficient. The weighted mean of U is 0,
    and ``sqrt(sum w U^2 / (n (n - 1)))`` is the standard error. Without the item the estimate
    changes by ``-w_i g_i``, to first order.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the kernels' signature; Krippendorff's alpha
        by default, of spans strict F1.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.

    Returns
    -------
    xarray.Dataset
        Along ``item`` (and ``label``, where there is a figure per label): ``influence``, and
        ``change``, what leaving the item out does to the estimate; with the ``estimate`` itself.
        NaN where the coefficient is undefined, as ``code`` and ``reason`` say; 0 for items that
        nobody rated. The attribute ``conclusion`` is "measured", or "undefined" where every figure
        is.

    Raises
    ------
    IaaError
        If the coefficient is unknown or does not fit the ratings.

    References
    ----------
    Jaeckel, L. A. (1972). The infinitesimal jackknife. Bell Laboratories Memorandum.
    DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical Science
    11(3). https://doi.org/10.1214/ss/1032280214

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> result = iaa.influence(ratings, "cohen_kappa")
    >>> result.influence.round(3).values
    array([ 0.355,  0.355, -1.42 ,  0.355,  0.355])
    """

def label_merges(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    replicates: int = 1000,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Which labels to merge: what every merge of two brings and costs, and then greedily further.

    Merging labels that are taken for one another raises agreement, and loses what they told apart:
    ``(p_a + p_b) h(p_a / (p_a + p_b))`` bits a rating, h the binary entropy. Any merge can raise a
    coefficient by luck, so one is suggested only if the two labels are confused more often than
    chance explains, in whichever way chance is taken: errors that give each label as often as it is
    given, errors that give all labels alike, and with four labels or more errors that draw each
    label in as often as it is (products and sums of a number for each label). The p-value is the
    largest of the one-sided tests, each adjusted for all pairs of labels (max-T over replicates of
    the items, Westfall and Young 1993). Two labels are never merged; with three, one of them may be
    confused with both others and then no pair stands out.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with one label, two, or shares of labels.
    coefficient : str or callable, optional
        A coefficient with a single figure; Krippendorff's alpha by default.
    replicates : int
        Bootstrap replicates over items behind the p-values.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the merges done and their total in each step.

    Returns
    -------
    xarray.Dataset
        Along ``pair``, by falling gain: ``first`` and ``second``, ``confused`` (pairs of ratings of
        the same item, each item by its ratings) and ``by_chance`` (by the chance that explains
        most), ``p_value``, ``agreement`` with the two merged, its ``gain`` with a normal interval,
        ``bits_lost`` and ``share_lost`` (of the entropy of all labels). Along ``step``, of each
        suggested merge on top of those before it: ``merged`` (the name that the two get),
        ``labels_left``, ``agreement_then``, ``gain_then`` and ``share_lost_then`` against no merge,
        and ``p_value_then``. ``estimate``, and ``picked`` and ``elsewhere``: the mean gain of the
        best merge on one half of the items there, and on the other half, over 20 random halves.

        The attribute ``conclusion`` is "merge", "keep" (no pair is shown to be confused), "no_gain"
        (some are, but the coefficient would not rise) or "two_labels"; ``recode`` says what to
        merge, as `iaa_jax.recode` and ``--recode`` take it.

    Raises
    ------
    IaaError
        If ratings are numbers, sets or spans, there are more than 40 labels, or an option does not
        fit.

    References
    ----------
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.
    Goodman, L. A. (1968). The analysis of cross-classified data: independence, quasi-independence,
    and interactions in contingency tables with or without missing entries. Journal of the American
    Statistical Association 63(324). https://doi.org/10.1080/01621459.1968.10480916

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["joy", "joy"], ["fear", "worry"], ["worry", "fear"], ["fear", "fear"]] * 9
    >>> result = iaa.label_merges(iaa.from_wide(rows + [["worry", "worry"], ["joy", "fear"]] * 3))
    >>> result.attrs["conclusion"], result.attrs["recode"]
    ('merge', 'fear=fear / worry,worry=fear / worry')
    """

def repeats(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """How far annotators agree with themselves, where they rated the same items twice.

    The first and the second rating of an item by the same annotator are measured as those of two
    annotators, of each one alone and of all together. Nobody can be expected to agree with others
    more than with himself.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings that were read with ``duplicates="apart"``, so that second ratings by "ann" are
        those of an annotator "ann (2)". Third ones and further are left out.
    coefficient : str or callable, optional
        Krippendorff's alpha by default.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        That of `iaa_jax.agreement_by` with the annotators as groups, of which each has
        ``group_items`` rated twice, and along ``coefficient`` what all come to together:
        ``estimate_of_all``, ``ci_low_of_all`` and ``ci_high_of_all``, with ``repeated_items``.
        The ``conclusion`` is "measured"; "perfect" where all repeat themselves, "estimated"
        without intervals, "undefined" where no figure has a value.

    Raises
    ------
    IaaError
        If nobody rated an item twice.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = {"item": [1, 2, 3, 1, 2, 3], "annotator": ["ann"] * 6, "label": list("xyyxyx")}
    >>> result = iaa.repeats(iaa.from_long(rows, duplicates="apart"), "percent_agreement")
    >>> result.estimate_of_all.round(3).values
    array([0.667])
    """

def label_sets(
    ratings: xr.Dataset,
    *,
    bands: Sequence[tuple[float, float]] = ((0.7, 1.0),),
    bins: int = 10,
    index: str = "percent_agreement",
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Label sets as a whole: coefficients, items, annotators, and pairs of labels.

    Two annotators with k matching labels of C agree on ``k (k - 1) / (C (C - 1))`` of the label
    pairs; joint absence of a label is a match. ``item_agreement`` P_i is the mean over the item's
    pairs of annotators, P_o the mean of P_i over items, and A_m is P_o beyond chance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "multi_label": any number of labels per rating.
    bands : sequence of (low, high)
        Ranges of P_i, both ends included: the share of items in each is given.
    bins : int
        Equal bins of the histogram of P_i on [0, 1]; the last one includes 1.
    index : {"percent_agreement", "am_agreement"}
        What the Expert Coder Index averages over the other annotators: P_o of the two, or their A_m
        on their common items.
    min_common : int
        Common items that two annotators need to be compared.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``: the variables of `iaa_jax.agreement`, for A_m, alpha over sets with
        MASI and with Jaccard distance, and alpha where only equal sets agree.

        Along ``item``: ``item_agreement`` (NaN with fewer than two ratings), ``item_ratings``,
        ``single_label`` (every rating has exactly one label), ``votes`` (item, label) as a share of
        the ratings, ``majority`` (more than half) and ``tied`` (exactly half) by (item, label),
        ``no_majority`` (no label has more than half of the ratings) and ``majority_empty`` (more
        than half chose no label: the answer is "none").

        Along ``band``: ``band_low``, ``band_high``, ``band_share``, its standard error and
        interval, the kind of that (``band_interval``), ``band_items`` and ``band_single_label``
        (share of these with one label per rating). Along ``bin``: ``bin_low``, ``bin_high``,
        ``bin_items``.

        Along ``annotator`` (not for anonymous ratings): ``expert_coder_index``, and by
        (annotator, other) ``pair_agreement`` and ``pair_items``.

        Along ``label_pair``, most disagreement first: ``first_label``, ``second_label``,
        ``pair_disagreement`` 1 - P_o(p) with its ``pair_standard_error`` over items (NaN where
        clusters or annotators are random), ``swapped_items`` and
        ``swapped_pairs`` (items, and pairs of annotators on them, where one has only the first
        label and the other only the second), and ``swapped_share`` of the pairs of annotators of
        whom at least one has exactly one of the two.

        ``floor``: P_i of two annotators who give one label each, not the same.

        The ``conclusion`` is about label pairs: "labels_swapped" where one is swapped on three
        items or more (the note "most_swapped" has the pairs with the largest ``swapped_share``),
        else "no_labels_swapped"; "many_labels" where there are too many to list their pairs.

    Raises
    ------
    IaaError
        If the ratings are not label sets, have one label only, or an option does not fit.

    References
    ----------
    Bhowmick, Basu and Mitra 2008, Coling Workshop on Human Judgements in Computational
    Linguistics, pages 58-65. https://doi.org/10.3115/1611628.1611637

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["hope"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> result = iaa.label_sets(ratings, interval=None)
    >>> result.item_agreement.round(3).values
    array([0.333, 0.   , 0.333, 1.   ])
    >>> float(result.band_share[0]), result.first_label.values[0], result.second_label.values[0]
    (0.25, 'fear', 'hope')
    """

def per_label(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Coefficients of each label alone, as present or absent in a rating.

    Of label sets, a label is present in a rating or absent; of single labels, it is the one chosen
    or not. A rating that does not hold the label counts as "absent", a missing one as missing. So
    each label is a question of two answers, and a posterior begins with what two labels begin with.
    Specific agreement of single labels is that of `iaa_jax.specific_agreement`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "multi_label" or "single".
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature. By default
        Krippendorff's alpha, the specific agreement, and percent agreement. Specific agreement is
        that on presence: how often another annotator gives a label that one gave.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        The variables of `iaa_jax.agreement` along (``label``, ``coefficient``), and along ``label``
        the ``prevalence`` (mean over items of the share of their ratings that give the label),
        ``prevalence_standard_error``, ``prevalence_ci_low``, ``prevalence_ci_high`` and
        ``prevalence_interval`` (its kind), ``present_ratings``, and ``present_items`` with the
        label in at least one rating. The ``conclusion`` is "measured"; "perfect" where nothing
        disagrees, "estimated" without intervals, "undefined" without a figure.

    Raises
    ------
    IaaError
        If the ratings are numbers, shares, or have a secondary label, or an option does not fit.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> result = iaa.per_label(ratings, "krippendorff_alpha", interval=None)
    >>> result.estimate.squeeze().round(3).to_series().to_dict()
    {'fear': 0.533, 'hope': 0.533, 'joy': 1.0}
    >>> result.prevalence.values
    array([0.375, 0.375, 0.25 ])
    """

def sweep(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    p: object = 51,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    min_common: int = 2,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    tau: float = 0.05,
    high: float = 0.6,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    dtype: DType = "float64",
    device: Device | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """A coefficient as a function of p, the share of the primary label, from 0.5 to 1.

    At p = 1 secondary labels are ignored, at p = 0.5 both labels count the same. Every sum behind a
    coefficient is a polynomial in p, so that a few p fix the whole curve; the same draws of items
    serve every p. Labels stay the same over the sweep: one that is only used as a secondary label
    still counts at p = 1.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the kernels' signature (computed directly at
        every p). By default augmented kappa; Fleiss' kappa where it is unknown who rated.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    normalize, pool, undefined_pairs
        Options of `iaa_jax.augmented_kappa`.
    tau, high : float
        Thresholds of the classes: see `iaa_jax.doubles.item_classes`.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``p`` (and ``label``, for one figure per label):

        - ``estimate``, ``observed``, ``expected``, ``code``, ``reason``;
        - ``standard_error``, ``ci_low``, ``ci_high``: at each p by itself;
        - ``band_low``, ``band_high``: for all p together. The band is the estimate and
          ``band_factor`` standard errors to each side, with the quantile of the largest
          ``|replicate - estimate| / standard_error`` over the grid; where the interval reaches
          further (BCa is not symmetric), it reaches as far, and it ends where the range does. One
          set of replicates serves all p, so that "auto" is "bca"; `iaa_jax.agreement` with one
          ``p`` has a posterior;
        - ``ceiling``, the observed agreement if both annotators of each pair gave the same
          ratings, ``estimate_at_ceiling``, and the estimate as a share of that,
          ``share_of_ceiling`` (for two annotators what ``normalize="ceiling"`` gives). NaN for
          coefficients whose observed agreement is not a plain mean over items or ratings (means
          over pairs of annotators other than augmented kappa, Hubert's kappa, your own).

        As scalars: ``maximum`` and ``p_at_maximum`` (the largest p of equal ones), ``at_one``,
        ``at_half``, and ``change`` from p = 1 to 0.5 with its ``change_standard_error``,
        ``change_ci_low`` and ``change_ci_high``; ``doubles``, the number of ratings with two
        labels, and ``double_share``; ``class_count`` along ``reading`` and ``item_class``.

        The ``conclusion`` is about ``change``: "falls" or "rises" (as secondary labels count more)
        where its interval excludes 0, else "unclear"; "estimated" without an interval, "undefined"
        without a figure at one of the ends, "per_label" with a figure for each label.

    Raises
    ------
    IaaError
        If nothing depends on p, or an option is unknown or does not fit the ratings.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004, 77-80.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> curve = iaa.sweep(ratings, p=[0.5, 0.75, 1.0], interval=None)
    >>> curve.estimate.round(3).values, float(curve.p_at_maximum)
    (array([0.217, 0.355, 0.5  ]), 1.0)
    """

def compare(
    a: xr.Dataset,
    b: xr.Dataset | None = None,
    coefficients: Coefficients = None,
    *,
    by: str | None = None,
    between: Sequence[object] | None = None,
    names: Sequence[str] | None = None,
    paired: bool | Literal["auto"] = "auto",
    per_label: bool = False,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    permutations: int = 2000,
    margin: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Compare the agreement of two sets of ratings: the difference B - A, its interval, and tests.

    Items are random, annotators fixed unless ``sampling`` says otherwise. Paired sets (the same
    items, rated by two panels, under two guidelines, or twice) draw items of both together, so that
    what makes an item hard cancels out.
    Independent sets are drawn separately. Both sets are measured on the labels of both together, so
    that coefficients that count labels see the same number.

    Parameters
    ----------
    a, b : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them: two sets, or one and ``by``.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature; by default all that
        apply to both sets. The overall conclusion is about the first (Krippendorff's alpha, of
        spans strict F1, if none is given). With ``per_label`` one, by default the same.
    by : str, optional
        Splits one set of ratings: a coordinate along ``item`` (round, batch), ``annotator`` (kind,
        team) or both (the time of a rating) with two values. Where its value is part of every
        item's id (``"12 | round 1"``), items are matched by the rest of it.
    between : two values, optional
        The values of A and of B, where ``by`` has more than two.
    names : two names, optional
        Names of the sets in notes and on pages; A and B, or the values of ``by``, by default.
    paired : {"auto", True, False}
        Whether items with the same id are the same items. "auto" pairs where at least nine tenths
        of the smaller set's items were rated in both (half within one file, where the same id is
        the same item), and half of those with two ratings have two in both. Paired sets are
        compared on these items alone; attributes say how many each set leaves out.
    per_label : bool
        Compare the coefficient of each label against all others together; of spans that of the
        units with the label.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : {"auto", "posterior", "percentile", "basic", "bca", "normal", "t"}, Interval or None
        Interval of the difference. "auto" is that of the posterior of labels over items, in which
        each set begins with the pseudo-items of `iaa_jax.Interval`, those of paired sets whatever
        the other set has; of numbers over items "kurtosis_t", the intervals of both figures,
        squared and added; else "bca". None gives no interval and draws no replicates.
    sampling : Sampling, optional
        ``Sampling(cluster=)`` names a coordinate along the items of both sets: whole clusters are
        drawn and exchanged. With ``Sampling(annotators="random")`` annotators are a sample too:
        each is left out in turn, of both sets at once who rated in both; nothing is resampled, and
        only groups of annotators of one file (``by``) are exchanged. The interval "auto" is then
        "t".
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    permutations : int
        Random exchanges of the permutation test; 0 for none.
    margin : float, optional
        A difference too small to matter: adds the p-value of two one-sided tests that the
        difference lies within plus or minus it.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient`` (or ``label``): ``estimate_a``, ``estimate_b``, ``difference`` (B -
        A), ``standard_error`` (infinitesimal jackknife) of the difference and, with ``_a`` and
        ``_b``, of each, ``ci_low``, ``ci_high``, ``z``, ``p_value`` (twice the share of the
        posterior on the other side of 0; of "square_and_add" one less the confidence of the
        interval that ends at 0; of other intervals by exchange of items, or clusters; where there
        is no such test normal, over clusters Student's; two-sided), ``permutation_p_value`` (that
        by exchange), ``adjusted_p_value`` (for all rows together: step-down max-t, Bonferroni's of
        "square_and_add", or Holm's without exchanges and replicates), ``band_low``, ``band_high``
        (intervals that hold for all rows together), ``equivalence_p_value``, ``detectable`` (the
        true difference that such data show four times in five), ``items_needed_a``,
        ``items_needed_b`` (to show a difference of ``margin``, or .05), ``undefined_replicates``,
        ``code``, ``reason``, ``note``, ``interval`` (how ``ci_low`` and ``ci_high`` were made:
        "square_and_add" where a set, or the difference, shows no spread; then there is no standard
        error; "exchange" for labels, by default), and ``conclusion``. For groups of annotators also
        ``annotator_p_value``: the share of ways to divide the same annotators into groups of these
        sizes that differ as much (NaN for coefficients that are defined for two annotators alone).
        Attributes say whether the sets were paired, on which items, and how all was made. Where
        labels are not as frequent in both sets (attribute ``label_p_value``) also ``common_a``,
        ``common_b``, ``common_difference``, ``common_standard_error``, ``common_ci_low``,
        ``common_ci_high`` and ``common_p_value``: the same at common margins, items reweighted so
        that each label is as frequent in both and as many pairs of ratings agree as before
        (Student's t; NaN where there are no such weights).

        ``conclusion`` is "b_higher" or "a_higher" where a difference is shown (by the posterior, by
        square and add, by exchanges, or by the row's own interval; for labels by
        ``adjusted_p_value``), "kind_not_shown" where these groups of annotators differ, and other
        groups of them differ as much (``annotator_p_value`` above 1 - ``confidence``), "alike"
        where the difference lies within the margin, "not_shown" where neither is, "unreliable"
        where more than one replicate in twenty is undefined, "unknown" where nothing tells how
        certain the difference is, and "undefined". The attribute ``conclusion`` is that of the
        coefficient in the attribute ``coefficient``; for labels it is "labels_differ",
        "no_label_differs", "no_label_moved", "unreliable" or "undefined".

    Raises
    ------
    IaaError
        If the sets hold different kinds of ratings or labels in another order, if paired sets share
        too few items, ``by`` does not have two values, or an option is unknown or does not fit.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.
    McKenzie, D. P. et al. (1996). Comparing correlated kappas by resampling: is one level of
    agreement significantly different from another? Journal of Psychiatric Research 30(6).
    Vanbelle, S. and Albert, A. (2008). A bootstrap method for comparing correlated kappa
    coefficients. Journal of Statistical Computation and Simulation 78.
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.
    Chung, E. and Romano, J. P. (2013). Exact and asymptotically robust permutation tests. Annals of
    Statistics 41(2). https://doi.org/10.1214/13-AOS1090
    Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods for multiple
    hypothesis testing. Journal of the American Statistical Association 100(469).
    https://doi.org/10.1198/016214504000000539

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> first = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    >>> second = iaa.from_wide([["a", "a"], ["b", "b"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    >>> result = iaa.compare(first, second, "krippendorff_alpha", permutations=200)
    >>> result.difference.round(3).values, result.attrs["conclusion"], result.attrs["shared_items"]
    (array([0.353]), 'b_higher', 40)
    >>> [note.code for note in iaa.page(result).answer[:2]]
    ['labels_occur_differently', 'b_higher']
    """

def plan(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    half_width: float | None = None,
    null: float | None = None,
    power: float | None = None,
    assurance: float | None = None,
    items: Sequence[int] | None = None,
    per_item: Sequence[int] | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    looks: int | Sequence[float] | None = None,
    spending: str = "obrien_fleming",
    exponent: float = 2.0,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    replicates: int = 500,
    simulations: int = 500,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """How many items and annotators a target needs, from a pilot.

    With U_i the influences of the pilot's n items, the variance of an item is ``V = sum U_i^2 / (n
    - 1)``, and the standard error of N items ``sqrt(V / N)``. With m ratings per item it is ``V(m)
    = a + b / m + c / (m (m - 1))``, found by leaving out ratings of the pilot (any of an item's, or
    whole annotators where the coefficient depends on who rated). Only more items reduce the part
    from a. What items of a cluster have in common, and annotators who are drawn anew, come on top.
    V is itself uncertain, here and in the sample that is planned: by the F distribution a plan
    allows for both. Some designs are checked on simulated ratings: the pilot's own as far as it has
    them, and those of a model beyond. Of spans there is none: further annotators are taken to help
    as little as the pilot allows, and two of them tell nothing of a third.

    Parameters
    ----------
    ratings : xarray.Dataset
        The pilot: ratings as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the kernels' signature; Krippendorff's alpha
        by default, of spans strict F1.
    half_width : float, optional
        How far the interval may reach to each side; 0.05 if neither this nor ``null`` is given.
    null : float, optional
        The value to rule out: the lower end of the interval is to lie above it.
    power : float, optional
        How likely that is to succeed; 0.8 if not given.
    assurance : float, optional
        How surely the planned items keep what is asked. For a half-width the share of samples of
        that size whose interval is no wider, 0.8 if not given; for a power the chance that they
        have it or more, 0.65 if not given, since .8 takes several times as many.
    items, per_item : sequence of int, optional
        Rows and columns of the table: items in all, and annotators (ratings) per item.
    cost_item, cost_rating : float
        Cost of an item (to find and prepare) and of a rating; the cheapest design is named.
    looks : int or sequence of float, optional
        Interim looks at the figures: see `iaa_jax.interim_looks`.
    spending, exponent
        How looks spend the error: see `iaa_jax.interim_looks`.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    sampling : Sampling, optional
        What is random: items drawn one by one, unless an `iaa_jax.Sampling` names clusters of
        items (such as documents), random annotators, or a finite population. Not ``bayesian``.
    replicates : int
        Bootstrap replicates of the pilot, for the interval of the needed items, and to see whether
        the pilot can tell them; 0 for none.
    simulations : int
        Simulated sets of ratings for each design checked; 0 for none.
    progress : callable, optional
        Called with the steps done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``items`` and ``annotators``: ``standard_error``, ``half_width``, ``ratings``,
        ``cost``, ``reaches_half_width``, and with ``null`` ``power`` (if the pilot's estimate is
        the true value), ``assured_power`` and ``reaches_power``. ``half_width`` and
        ``assured_power`` are what a sample keeps as surely as is asked (``assurance``). Where
        simulated (NaN elsewhere; a design reaches a target by both then):
        ``simulated_standard_error``, ``simulated_estimate``, ``simulated_half_width`` (with the
        same allowance), ``simulated_share`` (of sets whose half-width is at most the target, if
        the pilot's spread is the true one), ``simulated_power``, ``simulated_assured_power``,
        ``simulated_on_model`` (not from the pilot's own ratings) and ``simulated_differs`` (from
        the formula by more than 5 %, or a power by more than .02, and two Monte-Carlo errors).

        Along ``annotators``: ``variance`` V(m); ``items_planned``, which keep the goal as surely as
        is asked, with ``ratings_planned`` and ``cost_planned``; ``items_needed`` if the pilot's
        figures are the true ones, with ``items_needed_low`` and ``items_needed_high`` (its
        interval); ``doubted``, where the simulation of the planned items differs; with random
        annotators ``annotators_in_all``.

        As scalars: ``estimate``, ``pilot_standard_error``, ``pilot_half_width``, ``pilot_low`` and
        ``pilot_high`` (the interval that `iaa_jax.agreement` gives it), ``pilot_items``,
        ``pilot_annotators`` (ratings per item on average, ``_fewest``, ``_most``). For items that
        all have ``planned_annotators``, the whole number nearest the pilot's: ``needed_items``
        (``_low``, ``_high``) and ``planned_items`` as above. With both ``half_width`` and
        ``null``, these also for each alone, as ``needed_items_half_width`` and
        ``needed_items_null``. ``needed_annotators`` on as many items as the pilot has; the cheapest
        design of the table (of those where formula and simulation agree), ``best_items``,
        ``best_annotators``, ``best_cost``. NaN where a target cannot be reached. Where annotators
        can be varied: ``between_share`` (``_low``, ``_high``), the share of the pilot's V that only
        more items reduce, and ``enough_annotators``, beyond which one more saves less than 5 % of
        the items.

        How far the pilot can tell: ``half_width_doubt``, how far the logarithm of the planned
        half-width varies over draws of the pilot (above .21 it cannot); ``heavy_items``, the few
        items with five times the ratings of others (``heavy_usual``) or more, at least
        ``heavy_ratings``, and ``heavy_share``, their share of V (from .5 on it cannot);
        ``telling_items``, the
        number of items (or clusters) that the variance stands on, ``(sum U^2)^2 / sum U^4``, and
        the pilot that could tell, ``wanted_items`` or ``wanted_annotators``. With clusters
        ``pilot_clusters`` and ``planned_clusters``, with them or random annotators
        ``pilot_degrees`` of freedom (below 22 it cannot tell), with random annotators
        ``from_annotators``, their share of the pilot's squared standard error,
        ``annotators_half_width``, what they leave open by themselves, ``fewest_annotators``, with
        whom some number of items is enough, and ``items_of_more`` with ``more_per_item`` for
        ``more_annotators``, a quarter more. With ``looks``, along ``look``: ``look_items``,
        ``look_fraction``, ``look_confidence`` and ``look_replicates`` of that look's interval (NaN:
        it has none yet), ``look_half_width`` of it and ``look_single_half_width`` of an interval
        looked at once, ``look_z``, ``look_reach``, ``look_p_value``, ``look_spent``.

        ``attrs["conclusion"]``: "annotate" (``planned_items`` with ``planned_annotators`` each);
        "pilot_suffices" (the pilot's interval is as narrow as wanted, and lies above ``null``:
        items are for ratings that leave the pilot out); "pilot_too_small" (it does not tell how
        many items it takes); "few_items_decide" (nor does this one: half of its variance or more
        comes from a few items that many rated, such as control items, without which to plan again);
        "out_of_reach" (if the pilot's estimate is the true value, no number of items shows that it
        lies above ``null``, or none makes up for so few annotators). Of what is refused there are
        no items and no designs, all are NaN; of two goals the other has its own. The notes give the
        numbers, and what the plan rests on. Further attributes: the goal, the components
        (``between_items`` a, ``between_ratings`` b, ``between_pairs`` c, and ``components``, their
        source), the ``model``, and how it was made.

    Raises
    ------
    IaaError
        If the pilot shows no variation or its coefficient is undefined, or an option is unknown or
        out of range.

    References
    ----------
    Hoeffding, W. (1948). A class of statistics with asymptotically normal distribution. Annals of
    Mathematical Statistics 19(3), 293-325. https://doi.org/10.1214/aoms/1177730196

    Kupper, L. L. and Hafner, K. B. (1989). How appropriate are popular sample size formulas? The
    American Statistician 43(2), 101-105. https://doi.org/10.1080/00031305.1989.10475628

    Anderson, S. F., Kelley, K. and Maxwell, S. E. (2017). Sample-size planning for more accurate
    statistical power. Psychological Science 28(11), 1547-1562.
    https://doi.org/10.1177/0956797617723724

    Examples
    --------
    >>> import numpy as np, iaa_jax as iaa
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, (60, 1))
    >>> pilot = iaa.from_wide(np.where(rng.random((60, 3)) < 0.8, truth, 1 - truth))
    >>> result = iaa.plan(pilot, "fleiss_kappa", half_width=0.1, simulations=0)
    >>> result.attrs["conclusion"], int(result.pilot_items), int(result.planned_items)
    ('annotate', 60, 179)
    """

def interim_looks(
    looks: int | Sequence[float],
    *,
    confidence: float = 0.95,
    spending: str = "obrien_fleming",
    exponent: float = 2.0,
    items: float | None = None,
) -> xr.Dataset:
    """When to look at the figures during annotation, and how far the interval reaches then.

    Looking at a 95 % interval five times, and stopping at will, errs far more often than once in
    twenty. An error-spending function says how much of the error ``alpha = 1 - confidence`` may be
    spent when a share t of the items is there; the boundary z of each look is what a normal figure
    crosses with just that chance. The interval of a look (a repeated confidence interval) is the
    usual one at the level of the look, ``2 Phi(reach) - 1``: ask for it by ``confidence=`` and
    ``replicates=``, the figures beside z. It holds at all looks together with about the given
    confidence, whenever one stops. Among several looks ``reach = 1.05 z``, as usual intervals, of
    which no figure is quite normal, err a little oftener than they say, and looks add this up.

    ``estimate +- z SE`` does not: of a label of 3 % among 300 items, five looks err in 27 to 34 %
    of cases by it, and in 4 % by posterior intervals.

    With ``a(t)`` the error spent on each side:

    - "obrien_fleming": ``a(t) = 2 (1 - Phi(z_{alpha/4} / sqrt(t)))``, hardly anything early;
    - "pocock": ``a(t) = alpha / 2 log(1 + (e - 1) t)``, about the same boundary each time;
    - "power": ``a(t) = alpha / 2 t^exponent``.

    Parameters
    ----------
    looks : int or sequence of float
        How many looks, evenly spaced; or the share of the information (of all items) at each,
        ascending, the last one 1.
    confidence : float
        Confidence level of all looks together, between 0 and 1.
    spending : {"obrien_fleming", "pocock", "power"}
        How the error is spent.
    exponent : float
        Exponent of "power", above 0: 1 is near Pocock's, 3 near O'Brien and Fleming's.
    items : float, optional
        All items, at the last look; each look then has its number of items.

    Returns
    -------
    xarray.Dataset
        Along ``look``: ``fraction``, the boundary ``z`` (infinite where hardly anything may be
        spent), ``p_value`` (two-sided, below which the look is significant), ``spent`` (of alpha,
        so far), ``reach`` (1.05 z; z where there is one look), ``confidence`` (``2 Phi(reach) -
        1``, the level of that look's interval) with the ``replicates`` that its ends take (20
        beyond each; NaN where that is more than a million: there the look has no interval), and
        ``items`` if given. ``attrs["conclusion"]`` is "each_look" where the interval of every look
        has finite ends, "later_looks" where the first has hardly anything to spend.
        Further attributes say how it was made.

    Raises
    ------
    IaaError
        If the looks or an option are out of range.

    Notes
    -----
    The density of the paths that have crossed no boundary is carried from look to look by
    Gauss-Legendre integration (Armitage, McPherson and Rowe 1969).

    References
    ----------
    Lan, K. K. G. and DeMets, D. L. (1983). Discrete sequential boundaries for clinical trials.
    Biometrika 70(3), 659-663. https://doi.org/10.1093/biomet/70.3.659
    Armitage, P., McPherson, C. K. and Rowe, B. C. (1969). Repeated significance tests on
    accumulating data. Journal of the Royal Statistical Society A 132(2), 235-244.
    https://doi.org/10.2307/2343787

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> looks = iaa.interim_looks(5)
    >>> looks.z.round(3).values
    array([4.877, 3.357, 2.68 , 2.29 , 2.031])

    The third look is due; its interval:

    >>> third = looks.sel(look=3)
    >>> level, draws = float(third.confidence), int(third.replicates)
    >>> round(level, 4), draws
    (0.9951, 8183)
    >>> ratings = iaa.from_wide([["a", "a"]] * 40 + [["a", "b"]] * 6 + [["b", "b"]] * 14)
    >>> found = iaa.krippendorff_alpha(ratings, confidence=level, replicates=draws)
    >>> bool(found.ci_low < 0.6 < found.ci_high)
    True
    """

def variance(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    target: float = 0.8,
    items: Sequence[int] | None = None,
    per_item: Sequence[int] | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> xr.Dataset:
    """How ratings vary by item, by annotator and by the rest, and what more annotators bring.

    A rating is ``x = mean + item + annotator + rest``, effects of random items and annotators
    with variances s_i, s_a and s_e; the rest holds the interaction of both, unless annotators rated
    items again. With numbers they are estimated by Henderson's method I, on complete data the
    analysis of variance: ``s_i = (MSI - MSE) / k``, ``s_a = (MSA - MSE) / n``, ``s_e = MSE``, of n
    items and k annotators. With labels, a disagreement d acts as a squared distance, and a variance
    is half its mean: half the mean d is ``s_a + s_e`` of two annotators on one item, ``s_i + s_e``
    of two items by one annotator, and ``s_i + s_a + s_e`` of two items by two annotators. No
    distribution is assumed, and gaps must not depend on the ratings.

    The mean of k annotators has the error variances ``s_e / k`` (relative: between items that the
    same annotators rated) and ``(s_a + s_e) / k`` (absolute). The share of s_i in its sum with the
    first is the generalizability coefficient, with the second the dependability index Phi: of
    numbers, ICC(3,k) and ICC(2,k). Of labels it is the mean of their points, so the labels' shares.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings as the constructors and `iaa_jax.read` make them, of two annotators or more. Read
        with ``duplicates="apart"``, second ratings by "ann" ("ann (2)") are taken as hers again,
        and tell the interaction from the rest.
    coefficient : str or callable, optional
        The coefficient whose half-width is forecast; Krippendorff's alpha by default.
    target : float
        The dependability that annotators are counted for.
    items, per_item : sequence of int, optional
        Rows and columns of the table: items in all, and annotators per item.
    cost_item, cost_rating : float
        Cost of an item (to find and prepare) and of a rating.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    sampling : Sampling, optional
        What is random in the half-width, as in `iaa_jax.plan`.

    Returns
    -------
    xarray.Dataset
        Along ``component`` ("item", "annotator", "interaction" where it can be told, "rest"):
        ``variance`` as estimated, which may fall below 0 where the true one is small; ``share`` of
        the sum, with those below 0 as 0, as in all that follows; ``standard_error``, from
        ``error_from_items`` and ``error_from_annotators`` squared and added, each by leaving one
        out at a time. That counts chance in single ratings twice, on the safe side. With two
        annotators it is from items alone.

        Along ``annotators``: ``relative_error``, ``absolute_error``, ``generalizability``,
        ``dependability``. Along ``items`` and ``annotators``: ``mean_error``, the variance of the
        overall mean, ``s_i / n + s_a / k + s_e / (n k)``; ``half_width``, from the standard error
        of `iaa_jax.plan`, as if that were known (a plan allows for what is not), NaN where it has
        none; ``ratings`` and ``cost``.

        As scalars ``needed_annotators`` for the target (NaN for none), ``pilot_items``,
        ``pilot_annotators`` per item, ``pilot_dependability`` of the mean of so many, and
        ``repeated_cells``, items that an annotator rated again.

        ``attrs["conclusion"]``: "dependable" (as many annotators as in the ratings reach the
        target); "more_annotators" (``needed_annotators`` do); "out_of_reach" (items do not differ,
        beyond what annotators and the rest make of them); "nothing_varies" (all ratings are the
        same).

    Raises
    ------
    IaaError
        For fewer than two annotators or items, for ratings that do not tell the components apart,
        such as where no item has two annotators, and for spans.

    References
    ----------
    Brennan, R. L. (2001). Generalizability Theory. Springer.
    https://doi.org/10.1007/978-1-4757-3456-0

    Cronbach, L. J., Gleser, G. C., Nanda, H., and Rajaratnam, N. (1972). The Dependability of
    Behavioral Measurements. Wiley.

    Shavelson, R. J., and Webb, N. M. (1991). Generalizability Theory: A Primer. Sage.

    Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics 9(2),
    226-252. https://doi.org/10.2307/3001853

    Rizzo, M. L., and Szekely, G. J. (2010). DISCO analysis: A nonparametric extension of analysis
    of variance. Annals of Applied Statistics 4(2), 1034-1055. https://doi.org/10.1214/09-AOAS245

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> result = iaa.variance(ratings, per_item=[1, 4])
    >>> result.variance.to_series().round(3).to_dict()
    {'item': 2.556, 'annotator': 5.244, 'rest': 1.019}
    >>> result.generalizability.values.round(2), result.dependability.values.round(2)
    (array([0.71, 0.91]), array([0.29, 0.62]))
    """

def drift(
    ratings: xr.Dataset,
    by: str = "time",
    coefficient: CoefficientLike | None = None,
    *,
    order: Sequence[object] | None = None,
    bandwidth: float | str | np.timedelta64 | None = None,
    points: int = 50,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    permutations: int = 999,
    progress: Progress | None = None,
) -> xr.Dataset:
    """How agreement changes over time or from batch to batch, and whether it changes at all.

    Along ``point`` are local estimates: of each batch, or in windows in time, where an item counts
    with its weight times ``1 - ((t_i - t) / h)^2`` (Epanechnikov), h the bandwidth, and the weights
    are scaled to ``(sum w)^2 / sum w^2`` items (Kish). Windows are not reflected at the ends: there
    they reach inwards only. Along ``cut`` is the coefficient before and after each of up to 200
    cuts; between batches the means of the batches' estimates, weighted by 1 / SE^2. A p-value is
    the larger of two: one from local estimates and their distribution if they are equal, which
    allows for labels that become rarer or more frequent, and one from shuffling the times among the
    items.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item``, or along items and their ratings: an item gets the
        median time of its ratings (of an even number the earlier middle one).
    by : str
        Name of the coordinate. Numbers, dates (text too), or batches: text such as "batch 2" in
        natural order, months and days of the week in theirs, other text in order of first
        appearance, and numbers or dates with at most 12 different values. "order", if no coordinate
        has that name, takes the items in their order in the data.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the kernels' signature; Krippendorff's alpha
        by default, of spans strict F1.
    order : sequence of str, optional
        All batches in order of time, where their names do not show it.
    bandwidth : float, str or timedelta, optional
        Half the width of a window in units of time (days for dates, or such as "36h"). By default
        the middle item's window is worth ``n^(4/5)`` items, at least 30. If given, numbers and
        dates count as continuous, however few.
    points : int
        Number of windows, evenly from the first item to the last; batches have one each.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : {"auto", "percentile", "basic", "bca", "normal", "t"} or None
        Kind of the intervals and of the band. "auto" resamples items; where that would take long it
        is "normal", and the band uses Gaussian multipliers of the influences. ``overall`` has the
        interval of `iaa_jax.agreement`; those of ``slope`` and ``period_change`` are always normal.
        None gives neither intervals nor a band; standard errors and tests stay, and so does the
        place of the step.
    sampling : Sampling, optional
        ``Sampling(cluster=)`` names a coordinate along items: whole clusters, such as documents,
        are drawn and shuffled. With ``annotators="random"`` the errors are also those of leaving
        each annotator out of all times at once. "auto" is then "t".
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    permutations : int
        Shuffles of the times behind each p-value, and draws of equal figures; 0 for none. Beyond
        5e8 cells (shuffle, window or side, pattern) p-values compare statistics to first order, of
        the data and of the shuffles; the figures shown stay exact.
    progress : callable, optional
        Called with the steps done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``point``: ``estimate``, ``standard_error``, ``ci_low``, ``ci_high`` (at this point),
        ``band_low``, ``band_high`` (all points together, cut at the coefficient's own bounds),
        ``effective_items``, ``code``, ``reason``, ``undefined_replicates``. Along ``cut`` (the
        first time after it): ``cut_from`` (the last before it), ``before``, ``after``,
        ``difference``, ``difference_standard_error``,
        ``z``, ``items_before``. Along ``annotator`` and ``label``: ``ratings_before``,
        ``ratings_after`` and ``label_share_before``, ``label_share_after`` (of spans, of all
        units) of the largest step. As scalars: ``overall``; ``slope`` per unit of time with
        ``slope_p_value``, and
        ``period_change``, the slope over the whole time; ``change_at`` (the first time after the
        largest step), ``change_low``, ``change_high``, ``change_before``, ``change_after``,
        ``change_p_value``; ``deviation_at``, ``deviation_estimate``, ``deviation_others`` (the
        others' mean, weighted by 1 / SE^2) and ``deviation_p_value`` of the window farthest from
        the others; ``p_value`` of all three tests together; ``any_change_p_value``, by shuffles
        alone: of any change, label frequencies included; ``label_p_value``, of whether labels are
        equally frequent at all times, with the label that differs most and its ``label_lowest`` and
        ``label_highest`` share; ``panel_change``, the share of ratings that moved to other
        annotators after the step. Along ``finding`` ("slope", "step", "deviation"): ``finding_z``,
        the largest in standard errors, ``finding_share``, how well it explains the figures (of all
        three), and ``left_over_p_value``, of what is left of it beside another one (along
        ``given``).

        ``attrs["conclusion"]``, at the level 1 - ``confidence``: "step", "trend" or
        "deviation" (a single batch or stretch), whichever explains the figures best (of batches in
        no known order a deviation first); two of them, such as "step_or_trend", where the figures
        do not tell which;
        "unclear" (the three together, but none alone); "no_drift"; of two batches "two_differ" or
        "two_alike"; "untested". The notes give the numbers. Further attributes: ``unit``,
        ``bandwidth``, ``band_cut`` (points where the band was cut), ``kind`` ("batches",
        "continuous"), ``overall_interval`` (the kind of that of ``overall``), ``permuted`` (what
        shuffles compare: coefficients computed "anew", or to "first_order"), and how it was made.

    Raises
    ------
    IaaError
        If there is no such coordinate, it cannot be read as times, or an option does not fit.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a"], ["b", "b"]] * 30 + [["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]] * 15
    >>> ratings = iaa.from_wide(rows).assign_coords(week=("item", [i // 20 for i in range(120)]))
    >>> result = iaa.drift(ratings, "week", "cohen_kappa", replicates=200, permutations=199)
    >>> result.attrs["conclusion"], float(result.change_at), float(result.change_p_value)
    ('step', 3.0, 0.005)
    >>> round(float(result.change_before), 3), round(float(result.change_after), 3)
    (1.0, 0.0)
    """

def gold(
    ratings: xr.Dataset,
    method: str = "majority",
    *,
    ties: str = "first",
    p: float = 1.0,
    index: str = "percent_agreement",
    tolerance: float = 1e-06,
    max_iterations: int | None = None,
    control: Mapping[Any, Any] | str | None = None,
    adjudicated: Mapping[Any, Any] | str | None = None,
    numbers: Mapping[str, float] | None = None,
    restarts: int = 0,
    replicates: int | None = None,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    leave_out: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Gold labels: the best label of each item by a method, and how good each annotator is.

    With n_ial the votes of annotator a for label l on item i, each method makes probabilities P_il;
    the gold label is the one with the largest. An annotator may have several votes on an item
    (``duplicates="votes"`` of `iaa_jax.read` and `iaa_jax.from_long`), as in Dawid and Skene's
    example; "expert_coder_index" and "sharpen" take one each. Of sets of labels, a label holds that
    more than half of the item's annotators chose; where none has a majority, "majority" gives the
    empty set, and "expert_coder_index" the set of the annotator there with the highest index.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them.
    method : str
        "majority", "wawa", "zero_based_skill", "expert_coder_index", "dawid_skene",
        "fast_dawid_skene", "one_coin", "mace", "glad" or "sharpen"; sets of labels take "majority"
        and "expert_coder_index", and counts without annotators take "majority".
    ties : {"first", "none"}
        What an item takes whose first place is tied: the first of these labels in their order, or
        no label. Either way it is ``tied``. A set is tied where exactly half chose some label,
        which by "first" does not hold.
    p : float
        The share of the primary label, where ratings have a secondary one.
    index : {"percent_agreement", "am_agreement"}
        What the Expert Coder Index of label sets averages over the other annotators (see
        `iaa_jax.label_sets`).
    tolerance : float
        A method that repeats its steps ends when no probability changes by more.
    max_iterations : int, optional
        ... or after so many steps; the method's own number by default.
    control : mapping or str, optional
        Control items, whose true label is known beforehand: labels by item, or the name of a
        coordinate along items, empty or missing where the label is not known. They have this label.
        Models are held to it at every step; "wawa" and "zero_based_skill" take the skills of
        annotators from their control items, of those without any from the method as usual. Other
        methods learn nothing from them.
    adjudicated : mapping or str, optional
        Labels that somebody decided on afterwards, by item or as a column like that of ``control``.
        They are the gold labels, and nothing is learned from them: whoever adjudicates sees what is
        disputed, which says little of how right annotators are elsewhere.
    numbers : mapping, optional
        The method's own numbers by name, where they are not its usual ones: "mace" takes ``knows``,
        ``spams`` and ``spam_labels`` (0.5, 0.5 and 10), the numbers of its priors; "glad" the means
        ``ability`` and ``log_ease`` and the deviations ``ability_sd`` and ``log_ease_sd`` of its
        priors (all 1); "zero_based_skill" ``rate``, ``factor``, ``every`` and ``above_chance``.
    restarts : int
        Models end at a peak of the likelihood that need not be the highest: so many random starts,
        each with annotators weighted at random, come beside the usual one, and the best end counts.
    replicates : int, optional
        Replicates behind all intervals, each fitted by itself: 500 if not given, where these
        would take minutes fewer, or none, and a note. Models draw the items anew; of votes
        without a model the votes of each item are drawn anew, from what they say of all annotators.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    leave_out : bool, optional
        Whether to leave each annotator out in turn, and fit the others: of more than 200 those with
        the most ratings. Not if it would take minutes and is not given, and a note.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``item``: ``gold`` (where there is none "", or NaN among labels that are numbers),
        ``gold_code`` (its place among the labels, -1 for none), ``certainty`` (the probability of
        the gold label, by methods of votes its share of them), ``margin`` (to the best other
        label), ``tied``, ``decided_by`` and ``votes``, and ``votes_by_label``, who gave what.
        Along ``item`` and ``label``: ``probability``, and ``winner``, true for all labels in the
        first place. Along ``annotator``: ``skill``, in the method's own terms, ``ratings``, and
        ``agreement`` and ``kappa`` (Cohen's) with the gold labels, in which own votes have a part;
        along both item and annotator, for few annotators, ``label_given``, several votes side by
        side. Nothing is known of annotators who are anonymous. Along ``label``: ``gold_count``,
        ``gold_share`` of the items with a gold label, and ``vote_share`` of the ratings. By models
        also ``prior`` (label), ``log_likelihood`` (by "mace" the bound that its steps raise, by
        "glad" with its priors), and ``confusion`` (annotator, true_label, label), the probability
        of each label given the true one; by "glad" ``difficulty`` (item) instead.

        ``decided_by`` is "method", "tie" for the order of tied labels, "nobody" without a vote,
        "control" for a label known beforehand, or "adjudicated";
        by the Expert Coder Index "majority" (more than half), "expert_coder", or
        "expert_coder_tie" where several share the highest index and disagree: the first label, or
        of sets the first annotator, is taken.

        Of sets, ``gold`` is text as "fear + joy", or "(none)", ``holds`` (item, label) its labels,
        ``in_doubt`` the labels that some chose and some did not, most even first,
        ``probability`` the share of annotators who chose each, and ``certainty`` the smallest share
        that agrees with the gold set on a label; ``decided_by`` is "majority", "no_majority" where
        no label, nor the empty set, has more than half, "nobody", or as above.

        With control items along ``annotator``: ``control_items`` that each had, and
        ``control_agreement``, the share of own answers there that are right; by methods of votes
        ``probability`` is still their share. With restarts along ``start``, the usual one first:
        ``likelihoods``; and the attributes ``best_start`` and ``restarts_elsewhere``, which ended
        elsewhere than the best (by 0.01 in likelihood, or 0.1 in some probability).

        From replicates along ``item``: ``certainty_ci_low`` and ``certainty_ci_high``, how far the
        probability (the share of votes) of the gold label would move, and ``stable``, the share of
        replicates with the same gold label; along ``item`` and ``label`` ``credible``, the fewest
        labels that are the true one (have the most votes of all annotators there could be) with the
        probability ``confidence``; along ``annotator`` ``skill_standard_error``, ``skill_ci_low``
        and ``skill_ci_high``, and by models ``accuracy``, the expected share of own votes that are
        right, with its interval. By models also ``expected_certainty`` (item), the mean of the
        probability of the gold label over replicates: ``certainty`` takes the parameters as known,
        and claims more than how often such labels are right. ``expected_right`` is its mean, the
        share of gold labels beside those of control items that are right, with its interval: as far
        as the model holds.

        Along ``item`` ``hangs_on_vote``, whether a vote less, skills as they are, changes the
        gold label or makes a tie (not by the Expert Coder Index, whose annotators decide in turn),
        and with ``leave_out`` ``hangs_on``, how many annotators there are without whom the gold
        label is another or none, and ``hangs_on_annotator``, of these the one without whom it is
        least probable; along ``annotator`` ``gold_changed``, such items. Labels of control items
        are certain, and hang on nobody.

        Scalars: ``iterations``. Attributes: ``status``, "converged" or "max_iterations"; and
        ``conclusion``, "tied" where labels of some item share the first place, else "decided", with
        ``gold_items``, ``tied_items``, ``one_vote_items``, ``unsure_items`` (certainty below 0.6),
        and ``mean_certainty``, both of ``expected_certainty`` where there is one. Where skills
        differ, ``best_by_skill`` and ``weakest_by_skill`` are annotators, of those with 10 ratings
        where there are several, and ``skills_overlap`` says whether their intervals do;
        ``best_by_control`` and ``weakest_by_control`` on control items.

    Raises
    ------
    IaaError
        If the method is unknown, or does not fit the ratings.

    References
    ----------
    Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates
    using the EM algorithm. Journal of the Royal Statistical Society C 28(1).
    https://doi.org/10.2307/2346806
    Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data. Survey Methodology 24(2).
    https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X19980024356

    Hovy, D. et al. (2013). Learning whom to trust with MACE. NAACL-HLT.
    https://aclanthology.org/N13-1132/

    Whitehill, J. et al. (2009). Whose vote should count more: optimal integration of labels from
    labelers of unknown expertise. Advances in Neural Information Processing Systems 22.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> result = iaa.gold(ratings)
    >>> result.gold.values.tolist(), result.certainty.round(3).values
    (['a', 'b', 'b'], array([0.667, 1.   , 0.667]))
    """

def gold_methods(
    ratings: xr.Dataset,
    methods: Sequence[str] | None = None,
    *,
    truth: str | Mapping[object, object] | None = None,
    p: float = 1.0,
) -> xr.Dataset:
    """Gold labels by several methods: where they differ, and how often each is right.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them.
    methods : sequence of str, optional
        Two names or more as `iaa_jax.gold` takes them; all that fit the ratings by default. The
        others are compared with the first.
    truth : str or mapping, optional
        Labels that are known: the name of a coordinate of items (a column that was kept), or labels
        by item; items without one are left out.
    p : float
        The share of the primary label, where ratings have a secondary one.

    Returns
    -------
    xarray.Dataset
        Along ``method``: ``gold_items``, ``changed_items`` (with another gold label than by the
        first method), ``tied_items``, ``unsure_items`` (certainty below 0.6), ``mean_certainty``
        and ``right``, the share of items with a known label on which the method gives it (one of
        several labels in the first place counts in part; NaN without ``truth``). Along ``method``
        and ``other``: ``same``, the share of items with the same gold label. Along ``item`` and
        ``method``: ``gold``, as text. Along ``item``: ``choices``, how many different labels there
        are, ``by_label``, which methods give which, ``votes``, ``votes_by_label``, and
        ``known_label`` ("" where none is). Tied items take the first of their labels here.

        The ``conclusion`` is "methods_agree" or "methods_differ", with ``differing_items``, and
        ``truth_items`` that have a known label.

    Raises
    ------
    IaaError
        If a method is unknown or does not fit the ratings, or no known label is one of theirs.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None], ["a", "a", "a"]]
    >>> result = iaa.gold_methods(iaa.from_wide(rows), ["majority", "expert_coder_index"])
    >>> result.changed_items.values, result.by_label.values[2]
    (array([0, 0]), 'a: majority, expert_coder_index')
    """

def sharpen(
    ratings: xr.Dataset,
    concentration: str = "entropy",
    link: str = "linear",
    *,
    tol: float = 1e-06,
    max_iter: int = 500,
    eps: float = 0.01,
    omega: float = 0.01,
    prior_strength: float = 0.0,
    coefficient: CoefficientLike | None = None,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Sharpening: annotators count by their kappa with the others, items by how these agree.

    With x_ijk the share of annotator j's rating of item i that falls on label k, and a_j the weight
    of annotator j, at first 1, a step takes for each annotator the group without him,

        p_ik = sum_l a_l x_ilk / sum_l a_l  (over l != j),

    the weight of each item that somebody else rated too, ``w_i = max(omega, A(p_i))``, and his
    weighted kappa with the group,

        Po = sum_i w_i sum_k x_ijk p_ik / W,   Pe = sum_k (sum_i w_i x_ijk / W) (sum_i w_i p_ik / W)

    with ``W = sum_i w_i`` and ``kappa_j = (Po - Pe) / (1 - Pe)``. The next weights are the kappas,
    none below ``eps``, divided by their mean. That is repeated until no weight would change by
    ``tol`` or more. The probability of a label is ``P_ik = sum_j a_j x_ijk / sum_j a_j``. In label
    sets every label of an item is a question of its own, with the shares x and 1 - x; Pe is then
    the mean of those of the labels, and a label holds where its P exceeds 1/2.

    Annotators who guess, or always give one label, end up counting next to nothing. Annotators who
    copy one another look like experts, and a majority that is wrong in the same way wins: no method
    that sees labels alone can tell.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them; annotators must be
        known.
    concentration : {"entropy", "variance", "none"}
        What makes the weight A of an item, of K labels: ``1 + sum_k p_k ln p_k / ln K``, or
        ``(sum_k p_k^2 - 1/K) / (1 - 1/K)``, 1 where all agree and 0 where all labels are as
        frequent; or 1 for every item.
    link : {"linear", "logodds"}
        Weights are kappas, or ``ln((1 + (K - 1) kappa) / (1 - kappa))``, with kappa at most 0.99.
    tol : float
        It has converged where a step would change no weight by this much.
    max_iter : int
        Steps at most. A step that stops getting nearer is halved.
    eps : float
        The floor of kappas.
    omega : float
        The floor of the weights of items.
    prior_strength : float
        Items that the mean kappa of all counts as, beside the own items of an annotator: draws
        annotators with few items to the mean.
    coefficient : str or callable, optional
        The coefficient of agreement before and after: a name from the catalogue, or a function with
        the kernels' signature; Krippendorff's alpha by default.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    interval : {"auto", "percentile", "basic", "normal"} or None
        Kind of the intervals. Sharpening is repeated in every replicate. "auto" is "percentile", on
        fewer replicates (at least 200) where all would take minutes.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``: ``annotator_weight`` (1 on average) and ``kappa`` with the others,
        before the floor, each with ``_standard_error``, ``_ci_low``, ``_ci_high`` and
        ``_undefined_replicates``; ``on_floor``, ``ratings`` and ``shared_items`` (that others rated
        too; without one the kappa is NaN and the weight 1). Along ``item``: ``gold`` (the label
        with the largest probability, of tied ones the first; of sets the labels joined by " + ";
        "" without a rating), its ``certainty``, ``tied``, ``votes``, and ``item_weight``, the
        concentration A of P (of sets the mean of the labels; NaN with one rating). Along ``item``
        and ``label``: ``probability``. Along ``iteration``, from equal weights on:
        ``weight_trace`` (iteration, annotator), what each step led to, and ``residual``, the
        largest change of a weight by a whole step. Along ``weighting`` ("equal", "annotators",
        "annotators_and_items"): ``agreement``, the coefficient with these weights, ``code`` and
        ``reason``, and ``change`` from equal weights, with intervals from the same replicates; of
        equal weights ``agreement`` has the interval of `iaa_jax.agreement`
        (``agreement_interval``: of which kind each is).
        Scalars: ``iterations``, and ``status``, "converged" or "max_iter" (then the weights are
        those of the smallest residual).

        The attribute ``conclusion`` is "not_converged", "undefined" (no annotator shares an item),
        "nobody_above_floor" (all weights are 1), "equal" (all weights are, as with two annotators),
        "floored" (some annotators count next to nothing: the names are in ``floored``), or
        "weighted". ``highest`` and ``lowest`` name who counts most and least. Agreement rises by
        making: those who agree count more. It is no sign of better labels by itself.

    Raises
    ------
    IaaError
        If ratings are numbers, spans or counts without annotators, if there are fewer than two
        labels or annotators, or if an option does not fit.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004 (section 8 has the
    idea without formulas; the definition above is this package's).
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"], ["b", "a", "b"]]
    >>> result = iaa.sharpen(iaa.from_wide(rows), interval=None)
    >>> result.annotator_weight.round(3).values, result.attrs["status"]
    (array([1.538, 1.438, 0.024]), 'converged')
    """

def sharpen_settings(
    ratings: xr.Dataset,
    concentration: str | Sequence[str] = ("entropy", "variance", "none"),
    link: str | Sequence[str] = ("linear", "logodds"),
    *,
    p: Several = 1.0,
    eps: Several = 0.01,
    omega: Several = 0.01,
    prior_strength: Several = 0.0,
    tol: float = 1e-06,
    max_iter: int = 500,
) -> xr.Dataset:
    """Sharpening with every combination of settings: how far weights and labels hang on them.

    Each option is one value or several; all combinations are tried, those of numbers in one batch.
    With several ``p`` it is a sweep over the share of the primary label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as for `iaa_jax.sharpen`.
    concentration, link : str or sequence of str
        As for `iaa_jax.sharpen`; all there are by default.
    p : float or sequence of float
        Shares of the primary label, where ratings have secondary ones.
    eps, omega, prior_strength : float or sequence of float
        As for `iaa_jax.sharpen`.
    tol, max_iter
        As for `iaa_jax.sharpen`.

    Returns
    -------
    xarray.Dataset
        Along ``setting``, with the coordinates ``concentration``, ``link``, ``p``, ``eps``,
        ``omega`` and ``prior_strength`` along it: ``iterations``, ``status``, and
        ``changed_items``, how many have another gold label than in the first setting. Along
        ``annotator`` too: ``annotator_weight`` and ``kappa``. Along ``item`` too: ``gold``. Along
        ``annotator`` alone ``lowest_weight`` and ``highest_weight`` over settings, and along
        ``item`` alone ``steady``: whether its label is the same in all.

        The attribute ``conclusion`` is "steady" where all labels are the same in all settings, else
        "labels_change", with ``unsteady_items``.

    Raises
    ------
    IaaError
        As `iaa_jax.sharpen`.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"], ["b", "a", "b"]]
    >>> result = iaa.sharpen_settings(iaa.from_wide(rows), prior_strength=[0, 10])
    >>> result.sizes["setting"], result.attrs["conclusion"]
    (12, 'steady')
    """

def panels(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    size: int | None = None,
    top: int | None = None,
    replicates: int | None = None,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Every panel of two annotators or more: which agrees best, and what each annotator adds.

    With v(S) the coefficient of the ratings of panel S alone, annotator a's Shapley share of that
    of all A annotators is ``sum_S s! (A - s - 1)! / A! (v(S + a) - v(S))`` over the panels S of s
    others: what a adds to those before, the mean over all orders in which annotators could join. A
    panel of one or of none has v = 0, and so has one whose coefficient is undefined. The shares add
    up to the coefficient of all; annotators who rated alike have the same; one who rated nothing
    has 0.

    The best of many panels looks better than it is. Two figures allow for that. ``gain_p_value`` is
    the share of replicates of the items in which the lead of any panel of that size over all
    annotators rises by as much as the best one's lead is (White 2000), adjusted for the number of
    sizes (Holm). And the items are parted in random halves, 50 times: ``picked`` is the lead of the
    panel that is best on one half, there, and ``elsewhere`` its lead on the other half.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of 2 to 16 annotators, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue with a single figure, or a function with the kernels' signature;
        Krippendorff's alpha by default.
    size : int, optional
        Say which panel of so many annotators agrees best; by default the largest size at which one
        agrees better than all.
    top : int, optional
        Give only this many panels along ``panel``, those that agree best; of ``size``, if given.
    replicates : int, optional
        Bootstrap replicates over items for intervals and p-values; 0 for none. By default 2,000,
        and from 12 annotators on fewer, 200 at the least.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the panels done and their total, in all that is asked of them.

    Returns
    -------
    xarray.Dataset
        Along ``panel``: ``estimate``, ``size_of_panel``, and ``members`` (panel, annotator), by
        size and then in the order of annotators; with ``top`` the best first. Along ``size``, from
        2 to all: ``panels``, ``undefined`` (those without a figure), ``best``, ``second``,
        ``worst`` and ``mean`` of the figures; ``best_members``, ``second_members``,
        ``worst_members`` (size, annotator); ``equal`` (others as good as the best); ``lead`` (of
        the best over the second) and ``gain`` (over all annotators), each with ``_ci_low`` and
        ``_ci_high``, normal intervals from paired replicates; ``gain_p_value``; ``chosen`` (the
        share of replicates in which the same panel is the best); ``picked`` and ``elsewhere``.
        Along ``annotator``: ``shapley`` with its interval, ``without`` (the coefficient without the
        annotator) and ``rank`` (1 for the smallest share). ``estimate_of_all``.

        The attribute ``conclusion`` is "two_annotators" (there is one panel), "undefined" (all
        annotators have no figure, or no smaller panel has), "tied" (all panels have one figure),
        "estimated" (without replicates), "everybody" (``size`` is that of all), "better" (some
        panel agrees better than all by more than picking it explains; the attribute ``size`` is the
        largest) or "noise".

    Raises
    ------
    IaaError
        If there are more than 16 annotators, they are unknown, or an option does not fit.

    References
    ----------
    Shapley, L. S. (1953). A value for n-person games. Contributions to the Theory of Games II.
    https://doi.org/10.1515/9781400881970-018
    White, H. (2000). A reality check for data snooping. Econometrica 68(5).
    https://doi.org/10.1111/1468-0262.00152

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"]] * 4)
    >>> result = iaa.panels(ratings, replicates=0)
    >>> result.best.round(3).values, result.best_members[0].values.tolist()
    (array([1.   , 0.028]), [1, 1, 0])
    >>> result.shapley.round(3).values, float(result.shapley.sum().round(3))
    (array([ 0.249,  0.249, -0.47 ]), 0.028)
    """

def what_if(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    annotators: Sequence[object] | None = None,
    gold: ArrayLike | None = None,
    draws: int = 200,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """The coefficient with a spammer, an echo or an expert in the place of each annotator in turn.

    They rate exactly the items that the annotator rated; all other ratings stay. A *spammer* draws
    each rating from all ratings of the panel, whatever the item shows. An *echo* copies another
    annotator where both rated. An *expert* gives the gold label, or else what most of the others
    gave: the annotator's own rating where that is tied with it or nobody else rated, else the first
    of those tied; of numbers the others' median, the lower of two.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them; not spans, nor a crowd by slot.
    coefficient : str or callable, optional
        A name from the catalogue with a single figure, or a function with the kernels' signature;
        Krippendorff's alpha by default.
    annotators : sequence, optional
        Whom to replace; everybody in turn by default.
    gold : array (item,), optional
        What an expert would say; labels must be those of the ratings. Items with "" or NaN have
        none. The majority of the others by default.
    draws : int
        Spammers drawn for each annotator.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replacements done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``: ``with_spammer`` (mean over draws), ``spammer_low`` and
        ``spammer_high`` (2.5 % and 97.5 % of them), ``with_echo`` (mean over those copied),
        ``echo_low`` and ``echo_high`` (the least and the most), ``with_expert``; and ``position``,
        ``(estimate - with_spammer) / (with_expert - with_spammer)``: 0 for an annotator whose
        ratings do no more for the coefficient than a spammer's, 1 for one who does as much as an
        expert. It measures agreement with this panel: who is right against the others is low too.
        ``estimate`` is the coefficient as it is.

        The attribute ``conclusion`` is "replaced", or "undefined" where ``estimate`` is.

    Raises
    ------
    IaaError
        If annotators are unknown, or an option does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"]] * 10
    >>> result = iaa.what_if(iaa.from_wide(rows))
    >>> float(result.estimate.round(2)), result.with_expert.round(2).values
    (0.34, array([0.34, 0.34, 1.  ]))
    >>> result.position.round(1).values
    array([1., 1., 0.])
    """

def missing(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    above: float | None = None,
    steps: int = 10,
    imputations: int = 20,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """How far missing ratings would have to differ for the conclusion to change.

    A coefficient takes the ratings that are there, as if those missing agreed like them. Here every
    gap of the table of items x annotators is filled many times. At ``delta = 0`` missing ratings
    are like the others: one copies a rating that its item has with probability ``n r / (n r + 1 -
    r)``, n of them being there, else it is drawn from all ratings; r is Krippendorff's alpha, from
    0 to 1. By this urn pairs with a missing rating disagree, on average, as much as observed
    pairs: ``1 - r`` times what chance would make, by whatever distance. For delta above 0 the share
    delta of them has nothing to do with the item: drawn from all ratings. For delta below 0 the
    share ``-delta`` gives what most gave of the item (of numbers the lower median). So delta runs
    from all missing ratings agreeing, at -1, to none that agrees beyond chance, at 1. Each delta is
    a model of its own (a pattern mixture), and the ratings cannot tell which holds.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them; not spans, nor a crowd by slot.
    coefficient : str or callable, optional
        A name from the catalogue with a single figure, or a function with the kernels' signature;
        Krippendorff's alpha by default.
    above : float, optional
        The level that the figure is held against. By default the largest of .667 and .8
        (Krippendorff) that the lower end of its interval reaches, else that it reaches itself, else
        .667.
    steps : int
        Values of delta on each side of 0.
    imputations : int
        Fillings at each delta, on the same random numbers.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the figures done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``delta``: ``estimate``, the mean over fillings; ``standard_error``, ``ci_low`` and
        ``ci_high`` by Rubin's rules, with the degrees of freedom of Barnard and Rubin and a
        standard error within each filling by the infinitesimal jackknife; ``monte_carlo_error`` of
        the mean; ``undefined`` (fillings without a figure, which are left out). Away from 0 these
        intervals leave as large a part to the missing ratings as at 0 (they are
        information-anchored, Cro, Carpenter and Kenward 2019): wider than if delta were known.

        ``as_rated``, with ``as_rated_ci_low`` and ``as_rated_ci_high``: the coefficient of the
        ratings that are there, with its interval in `iaa_jax.agreement` (the attribute
        ``as_rated_interval`` is its kind). ``tipping_estimate`` and
        ``tipping_low``: the delta nearest to 0 where the estimate, and the lower end, crosses the
        level, between two values of delta on a line; NaN where it never does. ``least`` and
        ``greatest``: the most extreme figures of complete tables *found* by a search along
        derivatives, so that the true extremes are at least as far out; NaN where there are too many
        ways to fill the gaps. ``pairs_least`` and ``pairs_greatest``: exact bounds of the share of
        equal pairs of ratings (what percent agreement is of a complete table), over all fillings
        with the labels of the ratings. ``gaps``, their number, and ``missing_share`` of all cells.

        The attribute ``claim`` says what is concluded of the ratings that are there: "low" (the
        lower end reaches ``above``), "estimate" (the estimate alone does) or "below" (it does not).
        The attribute ``conclusion`` is "complete" (no gaps), "undefined" (no figure as rated),
        "holds" (the claim stands at every delta), "tips" (at some) or "fails" (at none). Other
        values of delta than those of the figures, as deliberate disagreement, are what ``least``
        is for.

    Raises
    ------
    IaaError
        If the ratings are spans or stored by slot, or an option does not fit them.

    References
    ----------
    Rubin, D. B. (1976). Inference and missing data. Biometrika 63(3).
    https://doi.org/10.1093/biomet/63.3.581
    Little, R. J. A. (1993). Pattern-mixture models for multivariate incomplete data. Journal of the
    American Statistical Association 88(421). https://doi.org/10.1080/01621459.1993.10594302
    Barnard, J. and Rubin, D. B. (1999). Small-sample degrees of freedom with multiple imputation.
    Biometrika 86(4). https://doi.org/10.1093/biomet/86.4.948
    Cro, S., Carpenter, J. R. and Kenward, M. G. (2019). Information-anchored sensitivity analysis.
    Journal of the Royal Statistical Society A 182(2). https://doi.org/10.1111/rssa.12423
    Manski, C. F. (2003). Partial identification of probability distributions. Springer.
    https://doi.org/10.1007/b97478

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", None], ["b", "b", "b"], ["a", "a", "a"], ["b", None, "b"]] * 12
    >>> result = iaa.missing(iaa.from_wide(rows + [["a", "b", "b"]]), above=0.8)
    >>> result.attrs["claim"], result.attrs["conclusion"], int(result.gaps)
    ('low', 'tips', 24)
    >>> bool(0 < result.tipping_low < result.tipping_estimate < 1)
    True
    """

def inverse_probability(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    by: str | None = None,
    probability: str | None = None,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    confidence: float = 0.95,
) -> xr.Dataset:
    """A coefficient of all items, of which some kinds were rated more often than others.

    Only an item with two ratings or more says something of agreement. Where these items were not
    picked alike, each stands for as many as its probability P of being among them says: it has the
    weight ``1 / P``, and all others have none (Horvitz and Thompson 1952). Either P is known, as
    where items were sampled for a second rating, or it is the share of items with two ratings or
    more in each group of a column. Then the figure is that of all items, if within a group chance
    alone decides which are rated.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them. With ``by`` they must hold the
        items with fewer than two ratings as well.
    coefficient : str or callable, optional
        A name from the catalogue with a single figure, or a function with the kernels' signature;
        Krippendorff's alpha by default, of spans strict F1.
    by : str, optional
        A coordinate along items: the groups whose shares of rated items are the probabilities.
    probability : str, optional
        A coordinate along items with the probability of each, above 0 and up to 1. Either this or
        ``by``.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    confidence : float
        Confidence level, between 0 and 1.

    Returns
    -------
    xarray.Dataset
        ``estimate``, weighted, with ``standard_error``, the linearized error of a weighted sample,
        which takes probabilities as known: ``sqrt(n / (n - 1) sum (w (g - gbar))^2)`` over the n
        items that count, w their weights, g the derivative by each and gbar its weighted mean. The
        factor n / (n - 1), which some programs leave out, is that of the package survey in R for
        samples with replacement (Lumley 2004), and of all our standard errors. ``ci_low`` and
        ``ci_high`` by Student's t with n - 1 degrees of freedom (other intervals take weights for
        numbers of items). ``unweighted``, with the same: the coefficient as it is, and its interval
        in `iaa_jax.agreement`, which ``estimate`` has too where weights change nothing.
        ``rated_items``, those with two ratings or more, and ``effective_items``, ``(sum w)^2 / sum
        w^2`` of them (Kish 1965): as many of one weight would tell as much of a mean.
        ``largest_weight``, of their mean. With ``by``, along ``group``: ``items``, ``rated`` and
        ``probability``.

        The attribute ``conclusion`` is "weighted", "alike" (all probabilities are the same, so that
        nothing changes but for items with one rating) or "undefined".

    Raises
    ------
    IaaError
        If not just one of ``by`` and ``probability`` is given, it is no coordinate along items, or
        a rated item has no probability above 0 and up to 1.

    References
    ----------
    Horvitz, D. G. and Thompson, D. J. (1952). A generalization of sampling without replacement from
    a finite universe. Journal of the American Statistical Association 47(260).
    https://doi.org/10.1080/01621459.1952.10483446
    Kish, L. (1965). Survey Sampling. Wiley.
    Lumley, T. (2004). Analysis of complex survey samples. Journal of Statistical Software 9(8).
    https://doi.org/10.18637/jss.v009.i08

    Examples
    --------
    Of easy texts one in four was rated twice, of hard ones all.

    >>> import iaa_jax as iaa
    >>> easy, hard = [["a", "a"], ["b", "b"]], [["a", "b"], ["a", "a"], ["b", "a"], ["b", "b"]]
    >>> rows = easy * 5 + [["a", None]] * 30 + hard * 10
    >>> ratings = iaa.from_wide(rows).assign_coords(kind=("item", ["easy"] * 40 + ["hard"] * 40))
    >>> result = iaa.inverse_probability(ratings, by="kind")
    >>> (
    ...     result.probability.values,
    ...     float(result.unweighted.round(3)),
    ...     float(result.estimate.round(3)),
    ... )
    (array([0.25, 1.  ]), 0.208, 0.505)
    """

def judge(
    ratings: xr.Dataset,
    judges: str | Sequence[str],
    coefficient: CoefficientLike | None = None,
    *,
    epsilon: float | Sequence[float] = (0.1, 0.0, 0.05, 0.15, 0.2, 0.25, 0.3),
    false_discovery_rate: float = 0.05,
    fewest: int = 30,
    score: str | None = None,
    margin: float = 0.1,
    sizes: Sequence[int] = (50, 100, 200, 400, 800),
    replicates: int = 2000,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Whether a judge may take the place of people: the alternative annotator test.

    Each person a is left out in turn. On every item both are scored against the other people, and
    the judge's advantage ``rho_f`` is the share of items on which it is as close to them or closer,
    that of the person ``rho_a`` likewise. As a judge costs less than a person, it beats person a if
    ``rho_f > rho_a - epsilon``: a one-sided paired t-test, over all people with Benjamini and
    Yekutieli's control of false discoveries. Its winning rate is the share of people that it beats;
    it passes from 1/2 on.

    Beside it stands how far the judge agrees with people, as the mean of a coefficient over all
    pairs, and how far people agree with each other, which no judge needs to exceed.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of the judges and of two people or more, as the constructors and `iaa_jax.read` make
        them: one label, soft or two labels, sets of labels, or numbers.
    judges : str or sequence of str
        Which of the annotators are judges, such as models; all others are people.
    coefficient : str or callable, optional
        For agreement by pairs; Krippendorff's alpha by default.
    epsilon : float or sequence of float
        By how much a person may be better than the judge. The conclusion is about the first of
        them. The authors suggest 0.1 against crowd workers, 0.15 against skilled annotators and 0.2
        against experts.
    false_discovery_rate : float
        Of the people that a judge is said to beat, this share at most in error.
    fewest : int
        Items (or clusters) that a judge and a person need in common; others are not tested.
    score : {"match", "distance"}, optional
        How close two ratings are. "match", of all labels: 1 if they are the same; of soft or two
        labels the mass in common, of sets of labels the share of labels in common (Jaccard).
        "distance", of numbers: the smaller root mean square error is the closer.
    margin : float
        A judge is not worse than people if it agrees with them less than they do with each other by
        less than this.
    sizes : sequence of int
        Numbers of items for which the power is given.
    replicates : int
        Bootstrap replicates over items behind intervals and power; 0 for none.
    weights : str or array (label, label), optional
        Agreement between labels, for the coefficients that take one: "identity", "linear",
        "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", or a matrix with 1 on
        the diagonal. With ``level`` given as well, Krippendorff's alpha takes that. By default as
        the level has it: "ordinal", "quadratic" for interval, "ratio".
    weights_on : {"value", "rank"}
        Whether named weights use the labels' numbers or their ranks. Text labels have only ranks.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement, the metric of Krippendorff's alpha; nominal for labels and interval
        for numbers by default.
    distance : {"binary", "masi", "jaccard"}, array (label, label) or callable, optional
        Distance between label sets (or any labels), 0 on the diagonal; agreement is 1 minus the
        distance.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient, in the data
        and in each replicate.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``judge``: ``advantage_probability``, the mean of rho_f over the people tested, with a
        BCa interval; ``least_epsilon``, the smallest epsilon at which it passes (to 1/4096; 1 where
        there is none below), with a percentile interval; ``conclusion``, "passes", "fails" or
        "untested". Along ``judge`` and ``epsilon``: ``winning_rate`` with a percentile interval,
        ``passes``, and ``passes_again``, the share of replicates in which it does; along ``size``
        too ``power``, the share of data sets of so many items, drawn from these, in which it does.
        Along ``judge``, ``person``: ``advantage`` (rho_f) and ``advantage_of_person``,
        ``items_compared``, ``tested``; and with ``epsilon`` ``p_value`` and ``beaten``.

        Of the coefficient by pairs, along ``judge``: ``agreement`` with people, ``difference`` to
        ``agreement_of_people`` among each other, and ``not_worse_p_value``, one-sided, that it is
        ``-margin`` or less; along ``person`` ``agreement_of_person`` with the other people. Normal
        intervals from paired replicates: the same items, and people, are on both sides.

        The attribute ``conclusion`` is "all" (every judge passes), "some", "none" or "untested".

    Raises
    ------
    IaaError
        If ratings are spans or counts without annotators, judges are unknown, fewer than two people
        remain, or an option does not fit.

    References
    ----------
    Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-
    judge: how to statistically justify replacing human annotators with LLMs. ACL 2025.
    https://doi.org/10.18653/v1/2025.acl-long.782
    Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple
    testing under dependency. Annals of Statistics 29(4). https://doi.org/10.1214/aos/1013699998

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import pandas as pd
    >>> rows = [["a", "a", "a", "a"], ["b", "b", "b", "b"], ["a", "b", "a", "a"]] * 12
    >>> people_and_model = iaa.from_wide(pd.DataFrame(rows, columns=["ann", "ben", "cy", "model"]))
    >>> result = iaa.judge(people_and_model, "model", replicates=0)
    >>> result.winning_rate.sel(judge="model", epsilon=0.1).item()
    1.0
    """

def against_gold(
    ratings: xr.Dataset,
    gold: Mapping[Any, Any] | str | xr.Dataset,
    *,
    replicates: int = 2000,
    p: float = 1.0,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """How right every annotator is, people and models alike, by gold labels.

    With P_it the probability that t is the gold label of item i (1 for a label that is known) and
    m_al the share of annotator a's rating on label l, ``T_tl = sum_i P_it m_ial`` over the items
    that a rated. Accuracy is ``sum_t T_tt / sum T``, kappa Cohen's of this table, and the confusion
    ``T_tl / sum_l T_tl``.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with one label, two, or soft ones, as the constructors and `iaa_jax.read` make them.
    gold : mapping, str or xarray.Dataset
        Labels by item, the name of a coordinate along items (empty or missing where a label is not
        known), or a result of `iaa_jax.gold`: then labels are as uncertain as it says.
    replicates : int
        Bootstrap replicates over items behind intervals; 0 for none.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``: ``accuracy`` and ``kappa`` with percentile intervals, and
        ``items_compared``. Along ``annotator``, ``gold_label`` and ``label``: ``confusion``, the
        share of each label on items with that gold label, with percentile intervals unless there
        are very many; along the first two ``items_of_label``. Replicates draw items, and of
        uncertain gold labels one for each item from its probabilities.

        The attribute ``conclusion`` is "apart" (the intervals of the best and the weakest annotator
        do not overlap), "overlap", "one" or "nobody" (rated an item with a gold label); ``best``
        and ``weakest`` name them.

    Raises
    ------
    IaaError
        If ratings are numbers, sets, spans or counts without annotators, gold labels are of other
        items or labels, or an option does not fit.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import pandas as pd
    >>> rows = [["a", "a"], ["b", "a"], ["b", "b"]]
    >>> table = pd.DataFrame(rows, [1, 2, 3], ["ann", "model"])
    >>> ratings = iaa.from_wide(table)
    >>> result = iaa.against_gold(ratings, {1: "a", 2: "b", 3: "b"}, replicates=0)
    >>> result.accuracy.to_series().round(3).to_dict()
    {'ann': 1.0, 'model': 0.667}
    """

def prodigy(
    ratings: xr.Dataset,
    *,
    partial: bool = False,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Statistics of the annotations and agreement, as Prodigy's commands give them.

    Labels are the same or not: alpha is nominal, and AC2 with identity weights is AC1. Of label
    sets each label is a question of its own, present or absent. Of spans it is F1: each pair of
    annotators is compared once, on the examples that both saw, and the pairs' counts are added up.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "single" or "multi_label", or spans.
    partial : bool
        Of spans: one that overlaps another with the same label is a match too, one to one and as
        many as can be, where otherwise both boundaries must be the same.
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        As scalars ``annotations`` (ratings: Prodigy calls them examples), ``examples`` (distinct,
        with one annotation or more), ``categories`` (possible labels), ``coincident_examples`` (two
        annotations or more), ``single_annotation_examples``, ``annotators`` and
        ``annotations_per_example``, the mean. Along ``coefficient``, and first ``label`` for label
        sets, the variables of `iaa_jax.agreement`; of label sets also those along ``label`` of
        `iaa_jax.per_label`.

        Of spans along ``average`` ("micro", "macro": the mean over labels, "weighted": by their
        support), ``estimate``, ``standard_error``, ``ci_low``, ``ci_high``, ``code`` and
        ``reason``; along ``label`` ``label_f1``, ``support`` (spans on both sides of all pairs) and
        ``label_gap``, what partial matches gain on strict ones, which ``gap`` is of all labels,
        each with its ends; ``confusion`` and ``confusion_share`` (of rows) between ``label_a`` and
        ``label_b``, the labels of each two spans that are partners, "NONE" where there is none.

        The ``conclusion`` is "measured"; "perfect" where nothing disagrees,
        "estimated" without intervals, "undefined" without a figure.

    Raises
    ------
    IaaError
        If the ratings are numbers, shares, or have a secondary label, or an option does not fit.

    References
    ----------
    Gwet 2015, On Krippendorff's alpha coefficient (manuscript). Of F1: Hripcsak, G. and Rothschild,
    A. S. (2005). https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["yes", "yes"]] * 5 + [["no", "no"]] * 4 + [["yes", "no"]] * 8 + [["no", None]] * 3
    >>> result = iaa.prodigy(iaa.from_wide(rows), interval=None)
    >>> int(result.annotations), int(result.examples), float(result.annotations_per_example)
    (37, 20, 1.85)
    >>> result.estimate.round(4).values
    array([0.5294, 0.0833, 0.0681])
    """

__version__: str
