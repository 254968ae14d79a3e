"""Labels one by one: how often, how far raters agree on each, and what they take it for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import LABEL_NOT_USED
from iaa_jax.analyses.diagnose.ranking import check_top, ranked
from iaa_jax.catalog import Measure
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels.agreement import Agreement, evaluate
from iaa_jax.kernels.counts import weighted_ratings
from iaa_jax.kernels.namespace import Array, divided, first_code, namespace
from iaa_jax.kernels.percent import specific_agreement_formula, specific_statistics
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure.confusions import confusions
from iaa_jax.measure.interval import IntervalLike, IntervalOptions
from iaa_jax.measure.items import resolver_of, single
from iaa_jax.measure.label_options import LabelOptions
from iaa_jax.measure.label_problems import (
    TOGETHER,
    codes_of,
    measure_of_labels,
    one_against_the_rest,
)
from iaa_jax.measure.label_shares import label_shares
from iaa_jax.measure.request import CoefficientLike, Request, Resolver
from iaa_jax.measure.results import provenance_of, variables_of
from iaa_jax.measure.sampling import Sampling, resampling_of
from iaa_jax.measure.uncertainty import measured

MOST_CONFUSED = 300
"""Labels beyond which there is no table of all pairs of labels."""

_FALLING = {"count": True, "share": True, "items": True}


class ShareStatistics(NamedTuple):
    """An item's ratings by label, and all of them."""

    labels: Array  # (item, label) r_il
    ratings: Array  # (item,) n_i


def share_statistics(mass: Array, raters: Raters, *_: Array | None) -> ShareStatistics:
    """Statistics of each item for the shares of labels among all ratings."""
    counted = weighted_ratings(mass, raters)
    return ShareStatistics(counted.labels, counted.ratings)


def share_formula(sums: ShareStatistics, *_: Array | None) -> Agreement:
    """``sum_i w_i r_il / sum_i w_i n_i``."""
    xp = namespace(sums.labels)
    share = divided(xp, sums.labels, xp.broadcast_to(sums.ratings, sums.labels.shape))
    code = first_code(xp, (xp.broadcast_to(sums.ratings == 0, share.shape), LABEL_NOT_USED))
    return Agreement(share, share, xp.zeros_like(share), code)


def _share(mass: Array, **given: Any) -> Agreement:
    weights = (given.get("item_weight"), given.get("annotator_weight"))
    return evaluate(share_statistics, share_formula, mass, *weights)


_SHARE = Measure(_share, share_statistics, share_formula, per_label=True)
_SPECIFIC = Measure(_share, specific_statistics, specific_agreement_formula, per_label=True)


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

    The coefficient of a label takes it against all others together (a binary problem). Of label
    sets, a label is in the set or not. Coincidences ``o_kl`` count pairs of ratings of the same
    item with labels k and l, each item by its ratings: ``sum_i w_i sum_{a != b} m_ak m_bl /
    (n_i - 1)``; ``expected`` is the same for ratings paired at random (self-pairs left out), and
    ``lift`` is o / e: below 1 off the diagonal where raters tell two labels apart better than
    chance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function of the kernels' shape; Krippendorff's alpha by
        default.
    top : int, optional
        Give only so many labels, the first by ``sort``, and so many of the most confused pairs.
    sort : str, optional
        A variable to sort by, low agreement and many ratings first; "-NAME" turns it round.
        ``top`` alone takes the lowest agreement.
    p : float
        Share of the primary label where there is a secondary one, from 0.5 to 1.
    min_common : int
        Common items that a pair of annotators needs to enter a pairwise coefficient.
    interval, sampling, confidence, replicates, seed
        Of the intervals, over items: see `iaa_jax.agreement`; ``interval=None`` gives the figures
        alone.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``label``: ``count`` (ratings with it), ``items`` (with it), and ``share``,
        ``specific_agreement`` and ``coefficient_estimate``, each with ``_standard_error``,
        ``_ci_low``, ``_ci_high``; ``coefficient_code`` and ``coefficient_reason``. Along
        ``label`` and ``label_2``: ``coincidences``, ``expected``, ``lift``. Along ``pair``, the
        most confused first: ``confused_label_1``, ``confused_label_2``, ``confused``
        (coincidences of the two: pairs of ratings, each item counted by its ratings),
        ``confused_expected``, ``confused_lift``, ``confused_share`` (of
        all confusions).

    Raises
    ------
    IaaError
        If the ratings are numbers, or an option is unknown or does not fit.

    References
    ----------
    Krippendorff, K. (2004). Content Analysis, chapter 11 (coincidences). Cicchetti, D. V. and
    Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal of
    Clinical Epidemiology 43(6). https://doi.org/10.1016/0895-4356(90)90159-M

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "c"], ["c", "b"], ["c", "c"], ["a", "b"]])
    >>> found = iaa.labels(ratings, interval=None)
    >>> found.specific_agreement.round(4).values
    array([0.6667, 0.    , 0.5   ])
    >>> [str(found[name].values[0]) for name in ("confused_label_1", "confused_label_2")]
    ['b', 'c']
    >>> float(found.confused[0]), round(float(found.confused_lift[0]), 3)
    (2.0, 1.5)
    """
    check_top(top)
    options = IntervalOptions(interval, confidence, replicates, seed, sampling=sampling)
    options.check()
    resolver = resolver_of(ratings, p=p, min_common=min_common)
    shares = label_shares(resolver.tables, sets_as_labels=False)
    wanted = single(resolver, coefficient)
    names = ratings["label"].values
    variables: dict[str, Any] = {}
    codes = resolver.tables.exchangeable.codes
    count = resolver.tables.exchangeable_table.count
    used = _used(codes, count, shares)
    variables["count"], variables["items"] = (("label", figures) for figures in used)
    pairable = resolver.tables.totals["pairable_items"]
    apart = options.random.draws_annotators
    resampling = resampling_of(options.random, ratings, resolver.tables)
    requests = [_all_labels(resolver, _SHARE, shares, apart)]
    if resolver.tables.task != "multi_label":
        requests.append(_all_labels(resolver, _SPECIFIC, shares, apart))
    for name, one, figures in zip(
        ("share", "specific_agreement"),
        requests,
        measured(requests, options, pairable, progress, resampling),
        strict=False,
    ):
        _add(variables, name, _spread(variables_of(one, figures, "nan", options.method), names))
    binary = _against_the_rest(resolver, wanted, shares, options, progress)
    if resolver.tables.task == "multi_label":
        specific = _specific_of_sets(resolver, shares, options, progress)
        _add(variables, "specific_agreement", specific)
    _add(variables, "coefficient", binary, "coefficient_estimate")
    variables["coefficient_code"] = ("label", binary["code"])
    variables["coefficient_reason"] = ("label", binary["reason"])
    note = ""
    coords: dict[str, Any] = {"label": names}
    if len(names) <= MOST_CONFUSED:
        _add_confusions(resolver, shares, names, top, variables, coords)
    else:
        note = f"{len(names):,} labels are too many for a table of their pairs"
    attrs = {
        **provenance_of(resolver.ratings, "labels", options),
        "coefficient": wanted.name,
        "note": note,
        "task": resolver.tables.task,
    }
    found = xr.Dataset(variables, coords, attrs)
    return ranked(found, "label", sort, top, usual="specific_agreement", descending=_FALLING)


def _used(codes: NDArray[Any], count: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Ratings with each label (by their share), and items with it."""
    distinct = len(shares)
    rows, places = np.nonzero(codes >= 0)
    code = codes[rows, places]
    ratings = np.bincount(code, weights=count[rows], minlength=distinct) @ shares
    items = np.zeros(shares.shape[1])
    for label in range(shares.shape[1]):
        shown = rows[shares[code, label] > 0]
        items[label] = count[np.unique(shown)].sum()
    return ratings, items


def _all_labels(resolver: Resolver, measure: Measure, shares: Floats, apart: bool) -> Request:
    """A measure with a figure a label, on the members of label sets."""
    measure = replace(measure, identified=apart)
    plain = Resolver(resolver.ratings, LabelOptions(), resolver.tables.p, tables=resolver.tables)
    problem = plain.request("percent_agreement").problem
    table = np.concatenate([shares, np.full((1, shares.shape[1]), np.nan)])
    data = table[codes_of(resolver, measure)]
    tables = resolver.tables
    problem = replace(
        problem,
        measure=measure,
        table=tables.table(measure),
        data=data,
        annotator_of=tables.annotator_of(measure),
    )
    return Request("label", None, problem, "identity")


def _against_the_rest(
    resolver: Resolver,
    wanted: Request,
    shares: Floats,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]:
    measure = measure_of_labels(wanted)
    if options.random.draws_annotators:
        measure = replace(measure, identified=True)
    every = [one_against_the_rest(resolver, wanted, measure, share) for share in shares.T]
    return _one_by_one(resolver, every, options, progress)


def _specific_of_sets(
    resolver: Resolver,
    shares: Floats,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]:
    """Agreement on the presence of each member of label sets."""
    plain = Resolver(resolver.ratings, LabelOptions(), 1.0, tables=resolver.tables)
    some = plain.request("percent_agreement")
    apart = options.random.draws_annotators
    measure = Measure(_share, specific_statistics, _present_formula, identified=apart)
    every = [one_against_the_rest(resolver, some, measure, share) for share in shares.T]
    return _one_by_one(resolver, every, options, progress)


def _present_formula(sums: Any, annotator_weight: Array, disagreement: Array | None) -> Agreement:
    found = specific_agreement_formula(sums, annotator_weight, disagreement)
    return Agreement(*(part[0] for part in found))


def _one_by_one(
    resolver: Resolver,
    every: list[Request],
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]:
    """Figures of one coefficient on many tables, along label."""
    pairable = resolver.tables.totals["pairable_items"]
    resampling = resampling_of(options.random, resolver.ratings, resolver.tables)
    columns = []
    for start in range(0, len(every), TOGETHER):
        part = every[start : start + TOGETHER]
        found = measured(part, options, pairable, progress, resampling)
        for one, figures in zip(part, found, strict=True):
            columns.append(variables_of(one, figures, "nan", options.method))
    return {name: np.array([column[name] for column in columns]) for name in columns[0]}


def _spread(variables: dict[str, Any], names: NDArray[Any]) -> dict[str, Any]:
    return {name: np.broadcast_to(value, len(names)).copy() for name, value in variables.items()}


def _add(
    variables: dict[str, Any], name: str, figures: dict[str, Any], estimate: str | None = None
) -> None:
    variables[estimate or name] = ("label", figures["estimate"])
    for part in ("standard_error", "ci_low", "ci_high"):
        variables[f"{name}_{part}"] = ("label", figures[part])


def _add_confusions(
    resolver: Resolver,
    shares: Floats,
    names: NDArray[Any],
    top: int | None,
    variables: dict[str, Any],
    coords: dict[str, Any],
) -> None:
    tables = resolver.tables
    table = confusions(
        tables.exchangeable.codes,
        tables.exchangeable_table.count,
        shares,
        sets=tables.task == "multi_label",
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        lift = np.where(table.expected > 0, table.coincidences / table.expected, np.nan)
    dims = ("label", "label_2")
    variables["coincidences"] = (dims, table.coincidences)
    variables["expected"] = (dims, table.expected)
    variables["lift"] = (dims, lift)
    coords["label_2"] = names
    if len(names) < 2:
        return
    one, two = np.array(list(combinations(range(len(names)), 2))).T
    confused = table.coincidences[one, two]
    by_chance = table.expected[one, two]
    order = np.argsort(-confused, kind="stable")
    if top is not None:
        order = order[: int(top)]
    one, two, total = one[order], two[order], confused.sum()
    variables["confused_label_1"] = ("pair", names[one])
    variables["confused_label_2"] = ("pair", names[two])
    variables["confused"] = ("pair", confused[order])
    variables["confused_expected"] = ("pair", by_chance[order])
    with np.errstate(invalid="ignore", divide="ignore"):
        variables["confused_lift"] = ("pair", confused[order] / by_chance[order])
        variables["confused_share"] = ("pair", confused[order] / total)
