"""A coefficient with items weighted by the inverse of their probability of being rated."""

from __future__ import annotations

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import OptionError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.analyses.missing import declared
from iaa_jax.data.groups import group_values
from iaa_jax.engine import Prepared, estimates, influences
from iaa_jax.kernels.intervals import student_t
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import keeps_empty_annotators
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient, patterns_of_items
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.measure.shared.probabilities import along_items, probabilities_of
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

FEWEST = 0.5
"""Minimum effective number of rated items, as a share of their number: if it is lower, weights are
extreme."""

_ROUNDING = 1e-12


@public
@keeps_empty_annotators
@gives(declared)
def missing_inverse_probability(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    by: str | None = None,
    probability: str | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "confidence"),
) -> xr.Dataset:
    """Estimate a coefficient of all items if some kinds of items were rated more often.

    Only items with two ratings or more are informative about agreement. If these were not selected
    with equal probability, each of them gets the weight ``1 / P``, where P is its probability of
    being rated twice, and all other items get weight 0 (Horvitz and Thompson 1952). P may be known,
    for example if items were sampled for a second rating. Otherwise it is the share of items with
    two ratings or more in each group of a column. The estimate is then about all items, provided
    that chance alone decides within a group which items are rated.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` return them. With ``by`` they must include
        the items with fewer than two ratings.
    coefficient : str or callable, optional
        The name of a coefficient with a single estimate, or a function with the signature of those
        in `iaa_jax.kernels`; Krippendorff's alpha by default, strict F1 for spans.
    by : str, optional
        A coordinate along items: the probability of an item is the share of items rated twice among
        the items with the same value.
    probability : str, optional
        A coordinate along items with the probability that an item is rated twice, above 0 and up to
        1. Give either ``probability`` or ``by``.
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        As scalars:

        WEIGHTED

        With ``by``, along ``group``:

        GROUPS

        The factor n / (n - 1) of the standard error, which some programs leave out, is also in the
        R package survey for samples with replacement (Lumley 2004). ``unweighted`` has the interval
        of `iaa_jax.agreement`, and so has ``estimate`` if weights change nothing.

        The attribute ``conclusion`` is "weighted", "alike" (all rated items have the same
        probability, so that weights make no difference between them) or "undefined".

    Raises
    ------
    IaaError
        If not exactly one of ``by`` and ``probability`` is given, if it is not a coordinate along
        items, or if a rated item has no probability above 0 and up to 1.

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
    One in four easy texts and all hard texts were rated twice.

    >>> import iaa_jax as iaa
    >>> easy, hard = [["a", "a"], ["b", "b"]], [["a", "b"], ["a", "a"], ["b", "a"], ["b", "b"]]
    >>> rows = easy * 5 + [["a", None]] * 30 + hard * 10
    >>> ratings = iaa.from_wide(rows).assign_coords(kind=("item", ["easy"] * 40 + ["hard"] * 40))
    >>> result = iaa.missing.inverse_probability(ratings, by="kind")
    >>> (
    ...     result.probability.values,
    ...     float(result.unweighted.round(3)),
    ...     float(result.estimate.round(3)),
    ... )
    (array([0.25, 1.  ]), 0.208, 0.505)
    """
    resolver = Resolver(ratings, label_options)
    if (by is None) == (probability is None):
        raise OptionError(
            f"the chance of being rated twice comes from {named('by')} (the share of each group's "
            f"items that were) or from {named('probability')} (a column with it): give one of them"
        )
    request = one_coefficient(resolver, coefficient)
    base = resolver.tables.item_weight
    identified = resolver.tables.identified
    pairable = (identified.panel[identified.pattern_of] >= 2) & (base > 0)
    notes = [*request.notes]
    if by is not None:
        chances, groups, coords = _shares(ratings, by, base, pairable)
        lost = coords["group"][groups["rated"][1] == 0].tolist()
        if lost:
            notes.append(Note("groups_unrated", {"groups": lost}, "caution"))
    else:
        groups, coords = {}, {}
        chances = probabilities_of(ratings, str(probability), pairable)
    weight: Floats = np.where(pairable, base / np.where(pairable, chances, 1.0), 0.0)
    weight *= (base * pairable).sum() / weight.sum()
    weighted = ratings.select_items(np.flatnonzero(pairable)).with_weight(weight[pairable])
    figure = _figure(Resolver(weighted, label_options), coefficient, base[pairable])
    whole = _figure(resolver, coefficient, base)
    # the weight of a row that stands for several items is divided among them
    single = weight[pairable] / base[pairable]
    effective = weight.sum() ** 2 / float((single**2) @ base[pairable])
    rated_items = float((base * pairable).sum())
    if effective < FEWEST * rated_items:
        values = {"effective": effective, "rated": rated_items, "largest": float(single.max())}
        notes.append(Note("extreme_weights", values, "caution"))
    variables: Variables = {}
    equal_weights = np.ptp(single) < _ROUNDING
    (plain,) = measure_full_sample(resolver, [request], options)
    for name, (estimate, error, number) in (("", figure), ("unweighted", whole)):
        low, high = student_t(np.asarray(estimate), error, max(number - 1, 1), options.confidence)
        # the interval is at least as wide as without weights, and wider with fewer effective items
        times = (rated_items / effective) ** (1.0 if error < _ROUNDING else 0.5)
        low = np.fmin(low, estimate - times * (whole[0] - plain.low))
        high = np.fmax(high, estimate + times * (plain.high - whole[0]))
        low, high = np.fmax(low, request.bounds.lower), np.fmin(high, request.bounds.highest)
        if name or (equal_weights and abs(estimate - whole[0]) < _ROUNDING):
            low, high = plain.low, plain.high
        prefix = f"{name}_" if name else ""
        variables[name or "estimate"] = ((), np.asarray(estimate))
        variables[f"{prefix}standard_error"] = ((), np.asarray(error))
        variables[f"{prefix}ci_low"] = ((), np.asarray(low))
        variables[f"{prefix}ci_high"] = ((), np.asarray(high))
    variables["rated_items"] = ((), np.asarray(rated_items))
    variables["effective_items"] = ((), np.asarray(effective))
    variables["largest_weight"] = ((), np.asarray(single.max()))
    attrs = {
        **provenance_of_figures(resolver, "missing.inverse_probability", [request], notes=notes),
        "coefficient": request.name,
        "weights": request.used,
        "from": by or str(probability),
        "confidence": options.confidence,
        "unweighted_interval": plain.interval,
        "conclusion": "undefined"
        if np.isnan(figure[0])
        else "alike"
        if equal_weights
        else "weighted",
    }
    return without_verdict(result_dataset({**variables, **groups}, {}, attrs, coords))


def _shares(
    ratings: Rated, by: str, base: Floats, pairable: NDArray[np.bool_]
) -> tuple[Floats, Variables, Columns]:
    """Return the share of pairable items in each item's group, and the groups."""
    names, member = group_values(along_items(ratings, by, "by"), by)
    items = np.bincount(member, base, len(names))
    rated = np.bincount(member, base * pairable, len(names))
    chance = np.divide(rated, items, out=np.zeros(len(names)), where=items > 0)
    groups = {"items": items, "rated": rated, "probability": chance}
    variables: Variables = {name: ("group", values) for name, values in groups.items()}
    return chance[member], variables, {"group": names.astype(str)}


def _figure(
    resolver: Resolver, coefficient: CoefficientLike | None, base: Floats
) -> tuple[float, float, float]:
    """Return a weighted coefficient, its linearized standard error, and the number of items.

    Each row stands for ``base`` items, which share the weight of the row.
    """
    problem = one_coefficient(resolver, coefficient).problem
    prepared = Prepared([problem])
    (agreement,) = estimates(prepared)
    (gradient,) = influences(prepared)
    slope = np.asarray(gradient, dtype=np.float64)[
        patterns_of_items(resolver.tables, problem.measure)
    ]
    identified = resolver.tables.identified
    counted = (identified.panel[identified.pattern_of] > 0) & (base > 0)
    weight, base = resolver.tables.item_weight[counted], base[counted]
    centred = slope[counted] - slope[counted] @ weight / weight.sum()
    items = float(base.sum())
    spread = float((weight * centred) ** 2 @ (1 / base))
    error = np.sqrt(spread * items / (items - 1)) if items > 1 else np.nan
    return float(agreement.estimate), float(error), items
