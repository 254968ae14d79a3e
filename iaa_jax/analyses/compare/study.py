"""Two sets of ratings compared: panels, guidelines, rounds, kinds of annotators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import xarray as xr

from iaa_jax._errors import REASONS, IaaError
from iaa_jax.analyses.compare.clusters import Grouping, grouping
from iaa_jax.analyses.compare.design import Design
from iaa_jax.analyses.compare.family import together
from iaa_jax.analyses.compare.figures import (
    Compared,
    Drawing,
    compared,
    stacked_replicates,
    undefined_exchanges,
)
from iaa_jax.analyses.compare.labels import of_labels
from iaa_jax.analyses.compare.matching import matched, on_shared
from iaa_jax.analyses.compare.pool import pooled
from iaa_jax.analyses.compare.tests import DifferenceTests, difference_tests, ends_of_difference
from iaa_jax.analyses.compare.zero_spread import METHOD
from iaa_jax.data.schema import validate
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.interval import SIMPLE, IntervalLike, IntervalOptions
from iaa_jax.measure.items import resolver_of, single, weights_of_items
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.label_problems import TOGETHER, against_the_rest
from iaa_jax.measure.label_shares import label_shares
from iaa_jax.measure.request import CoefficientLike, Request, Resolver, is_whole, names_of_request
from iaa_jax.measure.results import provenance_of
from iaa_jax.measure.sampling import Sampling
from iaa_jax.measure.uncertainty import check_undefined
from iaa_jax.measure.words import note_text

POWER = 0.8
SMALL = 0.05
"""The difference that ``items_needed`` is told for where no margin is given."""


def compare(
    a: xr.Dataset,
    b: xr.Dataset,
    coefficient: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
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
    permutations: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    margin: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Compare the agreement of two sets of ratings: the difference B - A, how sure, and tests.

    Items are what is random; annotators are those who rated. Paired sets (the same items, rated by
    two panels, under two guidelines, or twice) draw items of both together, so that what makes an
    item hard counts in both and cancels. Independent sets are drawn each by itself. Both sets are
    measured on the labels of both together, so that coefficients that count labels see the same
    number.

    Parameters
    ----------
    a, b : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str, callable or sequence of them, optional
        Names from the catalogue, or functions of the kernels' shape; by default all that apply to
        both sets. With ``per_label`` one, by default Krippendorff's alpha.
    paired : {"auto", True, False}
        Whether items with the same id are the same items. "auto" pairs where nine tenths of the
        smaller set's items or more were rated in both, and half of those with two ratings have two
        in both. Paired sets are compared on these items
        alone; attributes say how many each set leaves out.
    per_label : bool
        Compare the coefficient of each label against all others together.
    weights, weights_on, level, distance, p, min_common, undefined
        See `iaa_jax.agreement`. A difference with an undefined side is as undefined as that side.
    interval : {"auto", "percentile", "basic", "bca", "normal", "t"}, Interval or None
        Of the difference. None gives no interval and draws no replicates.
    sampling : Sampling, optional
        ``Sampling(cluster=)`` names a coordinate along the items of both sets: whole clusters are
        drawn and exchanged, and p-values are Student's; the interval "auto" is then "t".
    confidence, replicates, seed
        Of the intervals, and of the simultaneous ones.
    permutations : int
        Random exchanges of the permutation test; 0 for none.
    margin : float, optional
        A difference too small to matter: gives the p-value of two one-sided tests that the
        difference lies within plus and minus it.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient`` (or ``label``): ``estimate_a``, ``estimate_b``, ``difference``
        (B - A), ``standard_error`` (infinitesimal jackknife) of the difference and, with ``_a``
        and ``_b``, of each, ``ci_low``, ``ci_high``, ``z`` and ``p_value`` (normal, over clusters
        Student's; two-sided),
        ``permutation_p_value``, ``adjusted_p_value`` (for all rows together: step-down max-t, or
        Holm where there are no replicates), ``band_low``, ``band_high`` (intervals that hold for
        all rows together), ``equivalence_p_value``, ``detectable`` (the true difference that such
        data show in four cases of five), ``items_needed_a``, ``items_needed_b`` (to show a
        difference of ``margin``, or .05), ``undefined_replicates``, ``code``, ``reason``,
        ``note``, ``interval`` (how ``ci_low`` and ``ci_high`` were made: "square_and_add" where a
        set, or the difference, shows no spread; there is no standard error then, and ``p_value``
        is that of the exchanges). Attributes say whether the sets were paired, on which items, and
        how all was made.

    Raises
    ------
    IaaError
        If the sets hold different kinds of ratings or labels in another order, if paired sets share
        too few items, or an option is unknown or does not fit.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.
    McKenzie, D. P. et al. (1996). Comparing correlated kappas by resampling: is one level of
    agreement significantly different from another? Journal of Psychiatric Research 30(6).
    Vanbelle, S. and Albert, A. (2008). A bootstrap method for comparing correlated kappa
    coefficients. Journal of Statistical Computation and Simulation 78.
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.
    Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods for multiple
    hypothesis testing. Journal of the American Statistical Association 100(469).
    https://doi.org/10.1198/016214504000000539

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> first = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    >>> second = iaa.from_wide([["a", "a"], ["b", "b"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    >>> found = iaa.compare(first, second, "krippendorff_alpha", permutations=200)
    >>> found.difference.round(3).values, found.attrs["design"], found.attrs["shared_items"]
    (array([0.353]), 'paired', 40)
    """
    options = _options(interval, sampling, confidence, replicates, seed)
    check_undefined(undefined)
    _check(paired, permutations, margin)
    for ratings in (a, b):
        validate(ratings)
    found = matched(a, b, paired)
    kept_a, kept_b = a, b
    if found.rows is not None:
        kept_a, kept_b = on_shared(a, b, found.rows)
    pool = pooled(kept_a, kept_b)
    resolver = resolver_of(pool.ratings, weights, weights_on, level, distance, p, min_common)
    is_paired = found.rows is not None
    cluster = options.random.cluster
    units = None if cluster is None else grouping(cluster, kept_a, kept_b, paired=is_paired)
    design = Design(
        resolver.tables,
        pool.items_of_a,
        weights_of_items(pool.ratings),
        paired=is_paired,
        grouping=units,
    )
    drawing = Drawing(replicates if interval is not None else 0, permutations, seed)
    if per_label:
        axis, (name, groups) = "label", _of_labels(resolver, coefficient)
        names = pool.ratings["label"].values
    else:
        requests = _of_coefficients(resolver, coefficient)
        axis, name, groups = "coefficient", "", [requests]
        names = np.array([request.name for request in requests])
    several = [one for group in groups for one in compared(group, pool, design, drawing, progress)]
    variables = _variables(several, options, undefined, margin, design)
    family = "" if len(several) < 2 else ("holm" if interval is None else "max-t")
    attrs = {
        **_provenance(resolver, options),
        **found.attrs(a, b, kept_a, kept_b, pool),
        **of_labels(resolver.tables, design.a.exchangeable.count, design.b.exchangeable.count),
        "coefficient": name,
        "permutations": permutations,
        "family": family,
        "power": POWER,
        "needed_for": SMALL if margin is None else margin,
    }
    if margin is not None:
        attrs["margin"] = margin
    if units is not None:
        attrs |= _of_clusters(str(cluster), units, design)
    return xr.Dataset(
        {key: (axis, value) for key, value in variables.items()}, {axis: names}, attrs
    )


def _options(
    interval: IntervalLike,
    sampling: Sampling | None,
    confidence: float,
    replicates: int,
    seed: int,
) -> IntervalOptions:
    """The options, checked; over clusters "auto" is t, as a difference has no range to keep to."""
    options = IntervalOptions(interval, confidence, replicates, seed, sampling=sampling)
    if options.random.cluster is not None and options.how.method == "auto" and interval is not None:
        options = replace(options, interval=replace(options.how, method="t"))
    options.check(SIMPLE, clusters=True)
    return options


def _of_clusters(cluster: str, units: Grouping, design: Design) -> dict[str, int | str]:
    """What a result says of the clusters."""
    assert design.grouped is not None
    numbers = design.grouped.numbers
    caution = ""
    if units.shared and not design.paired:
        values = f"{units.shared:,} value{'s' * (units.shared != 1)}"
        caution = f"{values} of {cluster} in both sets, taken as different clusters"
    return {
        "clusters_a": numbers[0],
        "clusters_b": numbers[1],
        "shared_clusters": units.shared,
        "cluster_caution": caution,
    }


def _check(paired: object, permutations: int, margin: float | None) -> None:
    if not (isinstance(paired, bool) or paired == "auto"):
        message = f"paired is True, False or 'auto', not {paired!r}"
        raise IaaError(message)
    if not is_whole(permutations) or permutations < 0:
        message = f"permutations is a whole number of 0 or more, not {permutations!r}"
        raise IaaError(message)
    if margin is not None and not 0 < margin < np.inf:
        message = f"margin is a difference above 0, not {margin!r}"
        raise IaaError(message)


def _of_coefficients(
    resolver: Resolver, coefficient: CoefficientLike | Sequence[CoefficientLike] | None
) -> list[Request]:
    requests = [resolver.request(name) for name in names_of_request(coefficient, resolver)]
    for one in requests:
        if one.problem.measure.per_label:
            message = (
                f"{one.name} has one figure a label: name coefficients with a single figure, and "
                "per_label=True compares each label"
            )
            raise IaaError(message)
    level = resolver.options.level
    if level is not None and not any(
        request.row is not None and request.row.levels for request in requests
    ):
        message = (
            f"level={level!r} is for krippendorff_alpha, which was not asked for; use weights="
        )
        raise IaaError(message)
    return requests


def _of_labels(
    resolver: Resolver, coefficient: CoefficientLike | Sequence[CoefficientLike] | None
) -> tuple[str, list[list[Request]]]:
    if not (coefficient is None or isinstance(coefficient, str) or callable(coefficient)):
        message = "per_label compares one coefficient of each label: name one"
        raise IaaError(message)
    shares = label_shares(resolver.tables, sets_as_labels=False)
    wanted = single(resolver, coefficient)
    every = against_the_rest(resolver, wanted, shares)
    groups = [every[start : start + TOGETHER] for start in range(0, len(every), TOGETHER)]
    return wanted.name, groups


def _variables(
    several: Sequence[Compared],
    options: IntervalOptions,
    undefined: str,
    margin: float | None,
    design: Design,
) -> dict[str, Any]:
    ends = [ends_of_difference(one, options) for one in several]
    of_clusters = design.grouped is not None
    tests = [difference_tests(one, margin, of_clusters=of_clusters) for one in several]
    p_values = np.array([test.p_value for test in tests])
    error = np.array([one.error for one in several])
    low, high = (np.array([getattr(one, name) for one in ends]) for name in ("low", "high"))
    drawn = stacked_replicates(several)
    adjusted, bands = together(several, ends, p_values, drawn, options)
    figures = [_figures(one, undefined) for one in several]
    degrees = np.array([one.degrees for one in several]) if of_clusters else np.inf
    detectable = _detectable(error, degrees, options.confidence)
    times = (detectable / (SMALL if margin is None else margin)) ** 2
    found: dict[str, Any] = {
        name: np.array([figure[name] for figure in figures]) for name in figures[0]
    }
    notes = [
        "; ".join(
            part
            for part in (
                note_text(one.request.notes),
                one.withheld,
                _of_spread(one, test, options),
                end.note,
                _of_exchanges(one, design, 1 - options.confidence),
            )
            if part
        )
        for one, end, test in zip(several, ends, tests, strict=True)
    ]
    return found | {
        "standard_error": error,
        "ci_low": low,
        "ci_high": high,
        "z": np.array([test.z for test in tests]),
        "p_value": p_values,
        "permutation_p_value": np.array([test.exchanged for test in tests]),
        "adjusted_p_value": adjusted,
        "band_low": bands[0],
        "band_high": bands[1],
        "equivalence_p_value": np.array([test.equivalence for test in tests]),
        "detectable": detectable,
        "items_needed_a": np.ceil(times * design.a.exchangeable.items),
        "items_needed_b": np.ceil(times * design.b.exchangeable.items),
        "undefined_replicates": np.array(
            [
                0 if one.replicates is None else int(np.isnan(one.replicates).sum())
                for one in several
            ]
        ),
        "undefined_permutations": np.array([undefined_exchanges(one) for one in several]),
        "interval": np.array([options.method if one.unseen is None else METHOD for one in several]),
        "weights": np.array([one.request.used for one in several]),
        "note": np.array(notes),
    }


def _of_spread(one: Compared, test: DifferenceTests, options: IntervalOptions) -> str:
    if one.unseen is None:
        return ""
    return one.unseen.note(
        p_value=bool(np.isfinite(test.p_value)),
        exchanged=bool(np.isfinite(test.exchanged)),
        interval=options.interval is not None,
    )


def _of_exchanges(one: Compared, design: Design, alpha: float) -> str:
    if one.not_exchanged:
        return f"no p by exchange: {one.not_exchanged}"
    least = 0.0 if design.grouped is None or one.exchanged is None else design.grouped.least
    if least <= alpha:
        return ""
    return f"so few clusters can be exchanged in so few ways that no such p is below {least:.2g}"


def _figures(one: Compared, undefined: str) -> dict[str, Any]:
    """Both estimates and their difference, and why there is none."""
    codes = int(one.a.code), int(one.b.code)
    reasons = [f"{name}: {REASONS[code]}" for name, code in zip("AB", codes, strict=True) if code]
    if reasons and undefined == "raise":
        message = f"{one.request.name} is undefined in {'; '.join(reasons)}"
        raise IaaError(message)
    instead = {"one": 1.0, "zero": 0.0}.get(undefined, np.nan)
    a, b = (
        instead if code else float(side.estimate)
        for code, side in zip(codes, (one.a, one.b), strict=True)
    )
    return {
        "estimate_a": a,
        "estimate_b": b,
        "difference": b - a,
        "standard_error_a": one.error_a,
        "standard_error_b": one.error_b,
        "code": codes[0] or codes[1],
        "reason": "; ".join(reasons),
    }


def _detectable(error: Floats, degrees: Floats | float, confidence: float) -> Floats:
    """The true difference that a test at this confidence finds with the usual power.

    NaN where there is no spread: what that says of further items is not known.
    """
    from scipy.special import stdtrit

    reach = stdtrit(degrees, (1 + confidence) / 2) + stdtrit(degrees, POWER)
    return np.where(error > 0, reach * error, np.nan)


def _provenance(resolver: Resolver, options: IntervalOptions) -> dict[str, Any]:
    attrs = provenance_of(resolver.ratings, "compare", options)
    for name in ("items", "ratings", "pairable_items", "annotators"):
        attrs.pop(name)  # those of each set stand beside
    return attrs
