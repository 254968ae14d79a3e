"""A coefficient with items weighted by the inverse of their chance of being rated."""

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
from iaa_jax.measure.shared.full_sample import measure_of_all
from iaa_jax.measure.shared.probabilities import along_items, probabilities_of
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

FEWEST = 0.5
"""Share of the rated items, as an effective number, below which weights are called extreme."""

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
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        As scalars:

        WEIGHTED

        With ``by``, along ``group``:

        GROUPS

        The factor n / (n - 1), which some programs leave out, is that of the package survey in R
        for samples with replacement (Lumley 2004), and of all our standard errors. ``unweighted``
        has its interval in `iaa_jax.agreement`, which ``estimate`` has too where weights change
        nothing.

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
            f"the chance of being rated comes from {named('by')} (its share in groups of items) or "
            f"from {named('probability')} (a column with it): give one of them"
        )
    request = one_coefficient(resolver, coefficient)
    base = resolver.tables.item_weight
    identified = resolver.tables.identified
    telling = (identified.panel[identified.pattern_of] >= 2) & (base > 0)
    notes = [*request.notes]
    if by is not None:
        chances, groups, coords = _shares(ratings, by, base, telling)
        lost = coords["group"][groups["rated"][1] == 0].tolist()
        if lost:
            notes.append(Note("groups_unrated", {"groups": lost}, "caution"))
    else:
        groups, coords = {}, {}
        chances = probabilities_of(ratings, str(probability), telling)
    weight: Floats = np.where(telling, base / np.where(telling, chances, 1.0), 0.0)
    weight *= (base * telling).sum() / weight.sum()
    weighted = ratings.select_items(np.flatnonzero(telling)).with_weight(weight[telling])
    figure = _figure(Resolver(weighted, label_options), coefficient, base[telling])
    whole = _figure(resolver, coefficient, base)
    # an item that stands for several is so many of their weight
    single = weight[telling] / base[telling]
    effective = weight.sum() ** 2 / float((single**2) @ base[telling])
    rated_items = float((base * telling).sum())
    if effective < FEWEST * rated_items:
        values = {"effective": effective, "rated": rated_items, "largest": float(single.max())}
        notes.append(Note("extreme_weights", values, "caution"))
    variables: Variables = {}
    alike = np.ptp(single) < _ROUNDING
    (plain,) = measure_of_all(resolver, [request], options)
    for name, (estimate, error, number) in (("", figure), ("unweighted", whole)):
        low, high = student_t(np.asarray(estimate), error, max(number - 1, 1), options.confidence)
        # no nearer than those of all: fewer items leave as much more unseen where all agree
        times = (rated_items / effective) ** (1.0 if error < _ROUNDING else 0.5)
        low = np.fmin(low, estimate - times * (whole[0] - plain.low))
        high = np.fmax(high, estimate + times * (plain.high - whole[0]))
        low, high = np.fmax(low, request.bounds.lower), np.fmin(high, request.bounds.highest)
        if name or (alike and abs(estimate - whole[0]) < _ROUNDING):
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
        "conclusion": "undefined" if np.isnan(figure[0]) else "alike" if alike else "weighted",
    }
    return without_verdict(result_dataset({**variables, **groups}, {}, attrs, coords))


def _shares(
    ratings: Rated, by: str, base: Floats, telling: NDArray[np.bool_]
) -> tuple[Floats, Variables, Columns]:
    """The share of each item's group that has two ratings or more, and the groups."""
    names, member = group_values(along_items(ratings, by, "by"), by)
    items = np.bincount(member, base, len(names))
    known = np.bincount(member, base * telling, len(names))
    chance = np.divide(known, items, out=np.zeros(len(names)), where=items > 0)
    groups = {"items": items, "rated": known, "probability": chance}
    variables: Variables = {name: ("group", values) for name, values in groups.items()}
    return chance[member], variables, {"group": names.astype(str)}


def _figure(
    resolver: Resolver, coefficient: CoefficientLike | None, base: Floats
) -> tuple[float, float, float]:
    """A coefficient at the weights of the ratings, its linearized error, and its items.

    Each row stands for ``base`` items, which share its weight.
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
