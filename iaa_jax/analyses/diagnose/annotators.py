"""Annotators one by one: against the others, and a coefficient without each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from iaa_jax._errors import IaaError
from iaa_jax.analyses.diagnose.against_others import Figure, comparisons, figures
from iaa_jax.analyses.diagnose.leaving_out import without_each
from iaa_jax.analyses.diagnose.ranking import check_top, ranked
from iaa_jax.engine import Prepared, estimates
from iaa_jax.engine.problem import Floats
from iaa_jax.measure import annotator_pairs
from iaa_jax.measure.interval import SIMPLE, IntervalLike, IntervalOptions
from iaa_jax.measure.items import (
    assembled,
    coordinates,
    refuse_anonymous,
    resolver_of,
    single,
    with_identities,
)
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.label_shares import label_shares
from iaa_jax.measure.magnitude import in_squares, moderate
from iaa_jax.measure.request import CoefficientLike, Resolver, is_whole
from iaa_jax.measure.results import provenance_of

_FALLING = {"disagreement": True, "change": True}


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
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Every annotator: agreement with the others, bias, and the coefficient without them.

    With m_a an annotator's label (as shares), q_i the shares of the others' labels on item i, D
    the disagreement of labels and all means over the items that annotator a and somebody else
    rated: ``kappa`` is ``1 - mean_i m_ai' D q_i / (p_a' D q)``, where p_a and q are the means of
    m_ai and of q_i (the annotator as one rater, the group without him as the other);
    ``agreement`` is the share of agreeing ones among all comparisons with another annotator's
    rating; ``majority_agreement`` is the share of items where a chose the others' most frequent
    label; ``bias`` of a label is p_a - q.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them; annotators must be known.
    coefficient : str or callable, optional
        Which coefficient to take without each annotator: a name from the catalogue, or a function
        of the kernels' shape; Krippendorff's alpha by default.
    top : int, optional
        Give only so many annotators, the first by ``sort``.
    sort : str, optional
        A variable or coordinate to sort by, low agreement first; "-NAME" turns it round.
    min_items : int
        Leave out of the table who shares fewer items with others (they stay among the others).
    ties : {"split", "skip"}
        What an item counts for where the others' first place is tied: credit in equal parts for
        each of the tied labels, or nothing.
    annotator_weight : array (annotator,), optional
        How much each counts as one of the others; equal by default.
    weights, weights_on, level, distance, p, min_common
        How labels agree, and the options of pairwise coefficients: see `iaa_jax.agreement`. The
        majority, and bias, know equal labels only.
    interval, confidence, replicates, seed
        Of the intervals, over items: see `iaa_jax.agreement`; ``interval=None`` gives the figures
        alone.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``: ``ratings``, ``shared_items`` (with somebody else's rating),
        ``agreement``, ``kappa`` and ``majority_agreement``, each with ``_standard_error``,
        ``_ci_low``, ``_ci_high`` and ``_undefined_replicates``; ``without`` (the coefficient
        without the annotator) and ``change`` (``without`` less the ``estimate`` with everybody).
        Along ``label`` too: ``bias`` with the first three. Along ``annotator_2`` too:
        ``pair_shared_items``, ``pair_agreement``, ``pair_kappa`` (NaN without common items),
        unless there are more than 1,000 annotators. Of ratings that are numbers: ``bias`` is the
        mean difference from the others' mean, and ``disagreement`` the mean squared difference
        from another's rating. The attribute ``note`` says what was left out and why.

    Raises
    ------
    IaaError
        If the annotators are not known, or an option is unknown or does not fit the ratings.

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
    >>> found = iaa.annotators(ratings, interval=None)
    >>> found.agreement.round(4).values, found.majority_agreement.round(4).values
    (array([0.6667, 0.6667, 0.3333]), array([0.6667, 0.6667, 0.3333]))
    >>> found.change.round(4).values
    array([-0.3611, -0.3611,  0.8889])
    """
    check_top(top)
    options = IntervalOptions(interval, confidence, replicates, seed)
    options.check(SIMPLE)
    if not is_whole(min_items) or min_items < 0:
        message = f"min_items is a whole number of 0 or more, not {min_items!r}"
        raise IaaError(message)
    if ties not in ("split", "skip"):
        message = f"ties is 'split' or 'skip', not {ties!r}"
        raise IaaError(message)
    resolver = resolver_of(ratings, weights, weights_on, level, distance, p, min_common)
    if resolver.anonymous:
        refuse_anonymous("a table of annotators needs to know who gave which rating")
    size = ratings.sizes["annotator"]
    weight = _checked(annotator_weight, size)
    request = single(resolver, coefficient)
    problem = with_identities(resolver, request.problem)
    estimate = float(estimates(Prepared([request.problem]))[0].estimate)
    without, reason = without_each(problem, size)
    notes = [reason]
    if size == 2:
        notes.append("of two annotators nothing is left to compare without one of them")
    variables: dict[str, Any] = {"ratings": ("annotator", _ratings(resolver, size))}
    further: dict[str, Any] = {}
    if resolver.tables.task == "value":
        _add_values(resolver, variables, further, notes)
    else:
        _add_labels(resolver, weight, ties, options, progress, variables, further, notes)
    variables["without"] = ("annotator", without)
    variables["change"] = ("annotator", without - estimate)
    attrs = {
        **provenance_of(resolver.ratings, "annotators", options),
        "coefficient": request.name,
        "weights": request.used,
        "estimate": estimate,
        "ties": ties,
        "note": "; ".join(note for note in notes if note),
    }
    found = assembled(variables, coordinates(ratings, "annotator"), attrs, further)
    found = found.isel(annotator=np.flatnonzero(found["shared_items"].values >= min_items))
    usual = "disagreement" if resolver.tables.task == "value" else "agreement"
    return ranked(found, "annotator", sort, top, usual=usual, descending=_FALLING)


def _checked(weight: ArrayLike | None, size: int) -> Floats:
    if weight is None:
        return np.ones(size)
    given = np.asarray(weight, dtype=np.float64)
    if given.shape != (size,) or not np.isfinite(given).all() or (given < 0).any():
        message = f"annotator_weight holds {size} finite numbers from 0 up, one an annotator"
        raise IaaError(message)
    return given


def _ratings(resolver: Resolver, size: int) -> NDArray[Any]:
    places, count = resolver.tables.places, resolver.tables.identified_table.count
    rows, slots = np.nonzero(places.codes >= 0)
    whose = slots if places.annotator_of is None else places.annotator_of[rows, slots]
    return np.bincount(whose, weights=count[rows], minlength=size).astype(np.float64)


def _add_labels(
    resolver: Resolver,
    weight: Floats,
    ties: str,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None,
    variables: dict[str, Any],
    further: dict[str, Any],
    notes: list[str],
) -> None:
    tables = resolver.tables
    shares = label_shares(tables, sets_as_labels=True)
    labels = shares.shape[1]
    agreement = resolver.label_agreements.matrix(None)
    disagreement = 1 - (np.eye(labels) if agreement is None else agreement)
    places = tables.places
    found, items = figures(
        comparisons(
            places.codes,
            places.annotator_of,
            shares,
            disagreement,
            tables.identified_table,
            weight,
            skip_ties=ties == "skip",
        ),
        options,
        progress,
    )
    variables["shared_items"] = ("annotator", items)
    for name in ("agreement", "kappa", "majority_agreement"):
        _add(variables, name, ("annotator",), found[name])
    _add(variables, "bias", ("annotator", "label"), found["bias"])
    further["label"] = tables.labels
    reason = annotator_pairs.too_many(len(weight), labels)
    if reason:
        notes.append(f"no agreement of pairs: {reason}")
        return
    table = annotator_pairs.matrices(
        places, tables.identified_table.count, len(weight), shares, disagreement
    )
    _add_pairs(
        resolver,
        variables,
        further,
        {"shared_items": table.shared, "agreement": table.agreement, "kappa": table.kappa},
    )


def _add_values(
    resolver: Resolver, variables: dict[str, Any], further: dict[str, Any], notes: list[str]
) -> None:
    tables = resolver.tables
    values, power = moderate(tables.distinct_numbers, "differences")
    places, count = tables.places, tables.identified_table.count
    size = resolver.ratings.sizes["annotator"]
    known = (places.codes >= 0) & ((places.codes >= 0).sum(axis=1) >= 2)[:, None]
    rows, slots = np.nonzero(known)
    whose = slots if places.annotator_of is None else places.annotator_of[rows, slots]
    own = values[places.codes[rows, slots]]
    panel = np.bincount(rows, minlength=len(count))[rows]
    total = np.bincount(rows, weights=own, minlength=len(count))[rows]
    squares = np.bincount(rows, weights=own**2, minlength=len(count))[rows]
    each = count[rows]

    def summed(figure: Any) -> Floats:
        return np.bincount(whose, weights=each * figure, minlength=size).astype(np.float64)

    items = summed(1.0)
    others = (total - own) / (panel - 1)
    # sum over others of (x - y)^2
    apart = (panel - 1) * own**2 - 2 * own * (total - own) + (squares - own**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        variables["shared_items"] = ("annotator", items)
        squared = in_squares(summed(apart) / summed(panel - 1), power)
        variables["disagreement"] = ("annotator", squared)
        variables["bias"] = ("annotator", np.ldexp(summed(own - others) / items, power))
    reason = annotator_pairs.too_many(size, 1)
    if reason:
        notes.append(f"no differences of pairs: {reason}")
        return
    shared, mean = annotator_pairs.squared_differences(places, count, size, values)
    mean = in_squares(mean, power)
    _add_pairs(resolver, variables, further, {"shared_items": shared, "disagreement": mean})


def _add_pairs(
    resolver: Resolver,
    variables: dict[str, Any],
    further: dict[str, Any],
    tables: dict[str, Floats],
) -> None:
    further["annotator_2"] = resolver.ratings["annotator"].values
    for name, table in tables.items():
        variables[f"pair_{name}"] = (("annotator", "annotator_2"), table)


def _add(variables: dict[str, Any], name: str, dims: tuple[str, ...], figure: Figure) -> None:
    variables[name] = (dims, figure.estimate)
    variables[f"{name}_standard_error"] = (dims, figure.standard_error)
    variables[f"{name}_ci_low"] = (dims, figure.low)
    variables[f"{name}_ci_high"] = (dims, figure.high)
    if len(dims) == 1:
        variables[f"{name}_undefined_replicates"] = (dims, figure.undefined_replicates)
