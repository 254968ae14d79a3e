"""Items one by one: how far their raters agree, and what each does to a coefficient."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax.analyses.diagnose.ranking import check_top, ranked
from iaa_jax.data.storage import weight_of
from iaa_jax.kernels.agreement import label_disagreement
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure.influence import influence_by_item
from iaa_jax.measure.items import assembled, coordinates, resolver_of, single
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.label_shares import label_shares
from iaa_jax.measure.magnitude import in_squares, moderate
from iaa_jax.measure.request import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of

_NEAR = 1e-9
"""Shares of labels nearer than this are equal: sums of p and 1 - p round."""

_FALLING = {"entropy": True, "gini": True, "disagreement": True, "change": True, "tied": True}


def items(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
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
    raters are unanimous and 1 where labels are even. ``agreement`` is the mean agreement of the
    item's pairs of ratings; its mean over items is percent agreement. Label sets count as labels
    of their own here.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        Whose influence: a name from the catalogue, or a function of the kernels' shape;
        Krippendorff's alpha by default.
    top : int, optional
        Give only so many items, the first by ``sort``.
    sort : str, optional
        A variable or coordinate to sort by, what deserves a look first: low agreement, influence
        and share, high entropy and change; "-NAME" turns it round. By default items stay in their
        order, and ``top`` alone takes the lowest influence.
    weights, weights_on, level, distance, p, min_common
        How labels agree, and the options of pairwise coefficients: see `iaa_jax.agreement`.

    Returns
    -------
    xarray.Dataset
        Along ``item``: ``ratings``, ``agreement`` (NaN for fewer than two ratings), ``entropy``,
        ``gini``, ``most_frequent`` (label; the first in order of those that are tied), ``share``
        (of it), ``tied`` (labels that share the first place, 1 if there is one alone),
        ``influence`` and ``change`` (see `iaa_jax.influence`), and the ratings' own coordinates (as
        "own_NAME" where a variable has that name).
        Of ratings that are numbers: ``mean``, and ``disagreement``, the mean squared difference
        of the item's pairs, in place of what needs labels.

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
    >>> found = iaa.items(ratings, "fleiss_kappa", top=1)
    >>> found.item.values, found.agreement.round(4).values, found.most_frequent.values
    (array([1]), array([0.3333]), array(['b'], dtype=object))
    """
    check_top(top)
    resolver = resolver_of(ratings, weights, weights_on, level, distance, p, min_common)
    request = single(resolver, coefficient)
    by_item, change, estimate = influence_by_item(resolver, request)
    variables = _of_values(resolver) if resolver.tables.task == "value" else _of_labels(resolver)
    variables |= {"influence": by_item, "change": change}
    if (weight := weight_of(ratings)) is not None:
        variables["item_weight"] = weight
    attrs = provenance_of(resolver.ratings, "items") | {
        "coefficient": request.name,
        "weights": request.used,
        "estimate": float(estimate),
    }
    along = {name: ("item", values) for name, values in variables.items()}
    found = assembled(along, coordinates(ratings, "item"), attrs)
    return ranked(found, "item", sort, top, usual="influence", descending=_FALLING)


def _of_labels(resolver: Resolver) -> dict[str, NDArray[Any]]:
    tables = resolver.tables
    codes = tables.exchangeable.codes
    shares_of_code = label_shares(tables, sets_as_labels=True)
    labels = shares_of_code.shape[1]
    parts = []
    rows = max(1, (1 << 22) // max(codes.shape[1] * labels, 1))
    table = np.concatenate([shares_of_code, np.full((1, labels), np.nan)])
    matrix = resolver.label_agreements.matrix(None)
    for start in range(0, len(codes), rows):
        mass = table[codes[start : start + rows]]
        counted = weighted_ratings(mass, Raters(np.ones(mass.shape[1])))
        apart = pair_disagreement(counted, label_disagreement(mass, matrix))
        parts.append((counted.ratings, counted.pairable, apart, counted.labels))
    ratings, pairable, apart, sums = (np.concatenate(part) for part in zip(*parts, strict=True))
    of_item = tables.exchangeable_of_items
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = sums / ratings[:, None]
        logs = np.log(np.where(shares > 0, shares, 1.0))
        entropy = -(shares * logs).sum(axis=1) / np.log(labels) if labels > 1 else 0 * ratings
        gini = (1 - (shares**2).sum(axis=1)) * (labels / (labels - 1) if labels > 1 else 0.0)
    rated = ratings > 0
    largest = shares.max(axis=1)
    first = np.argmax(shares >= largest[:, None] - _NEAR, axis=1)
    names = np.append(np.asarray(tables.labels, dtype=object), "")
    tied = (shares >= largest[:, None] - _NEAR).sum(axis=1)
    patterns: dict[str, NDArray[Any]] = {
        "ratings": ratings.astype(np.int64),
        "agreement": np.where(pairable > 0, 1 - apart, np.nan),
        "entropy": np.where(rated, np.abs(entropy), np.nan),
        "gini": np.where(rated, np.abs(gini), np.nan),
        "most_frequent": names[np.where(rated, first, labels)],
        "share": np.where(rated, largest, np.nan),
        "tied": np.where(rated, tied, 0).astype(np.int64),
    }
    return {name: values[of_item] for name, values in patterns.items()}


def _of_values(resolver: Resolver) -> dict[str, NDArray[Any]]:
    value = resolver.ratings.variables["value"].values
    known = ~np.isnan(value)
    numbers, power = moderate(resolver.tables.distinct_numbers, "differences")
    if power:
        value = np.append(numbers, np.nan)[resolver.tables.codes.codes]
    ratings = known.sum(axis=1)
    filled = np.where(known, value, 0.0)
    mean = np.divide(
        filled.sum(axis=1), ratings, where=ratings > 0, out=np.full(len(value), np.nan)
    )
    squares = (np.where(known, value - mean[:, None], 0.0) ** 2).sum(axis=1)
    # the mean of (x - y)^2 over pairs is twice the variance with n - 1
    apart = np.full(len(value), np.nan)
    np.divide(2 * squares, ratings - 1, where=ratings > 1, out=apart)
    return {
        "ratings": ratings,
        "mean": np.ldexp(mean, power) if power else mean,
        "disagreement": in_squares(apart, power),
    }
