"""Label sets: how far items, annotators and labels agree, and which labels are mixed up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import kernels
from iaa_jax._errors import NO_PAIRABLE_ITEM, IaaError
from iaa_jax.analyses.label_sets.set_pairs import SetPairs, pair_agreement, set_pairs
from iaa_jax.catalog import Measure
from iaa_jax.data.schema import validate
from iaa_jax.engine import Problem
from iaa_jax.kernels.agreement import Agreement, evaluate
from iaa_jax.kernels.namespace import divided, first_code, namespace
from iaa_jax.measure.interval import IntervalLike, IntervalOptions
from iaa_jax.measure.label_options import LabelOptions
from iaa_jax.measure.request import Request, Resolver
from iaa_jax.measure.results import provenance_of, variables_of
from iaa_jax.measure.sampling import Sampling, resampling_of
from iaa_jax.measure.tables import RatingTables
from iaa_jax.measure.uncertainty import measured

Floats = NDArray[np.floating]

_PAIRED_LABELS = 256
"""Labels beyond which their pairs are not listed."""

_COEFFICIENTS = {
    "am_agreement": ("am_agreement", None),
    "krippendorff_alpha_masi": ("krippendorff_alpha", "masi"),
    "krippendorff_alpha_jaccard": ("krippendorff_alpha", "jaccard"),
    "krippendorff_alpha": ("krippendorff_alpha", None),
}


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
    """Everything that the study of a multi-label annotation asks, on the same ratings.

    Two annotators with k matching labels of C agree on ``k (k - 1) / (C (C - 1))`` of the label
    pairs; joint absence of a label is a match. ``item_agreement`` P_i is the mean over the item's
    pairs of annotators, P_o the mean of P_i over items, and A_m is P_o beyond chance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "multi_label": any number of labels a rating.
    bands : sequence of (low, high)
        Ranges of P_i, both ends included, whose share of the items is wanted.
    bins : int
        Equal bins of the histogram of P_i on [0, 1]; the last one includes 1.
    index : {"percent_agreement", "am_agreement"}
        What the Expert Coder Index of an annotator is the mean of, over the other annotators:
        P_o of the two, or their A_m on their common items.
    min_common : int
        Common items that two annotators need to be compared.
    interval, sampling, confidence, replicates, seed
        Of the intervals: see `iaa_jax.agreement`. All are from the same replicates of items.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``: the variables of `iaa_jax.agreement`, for A_m, alpha over sets with
        MASI and with Jaccard distance, and alpha where only equal sets agree.

        Along ``item``: ``item_agreement`` (NaN with fewer than two ratings), ``item_ratings``,
        ``single_label`` (every rating has exactly one label), ``votes`` (item, label) as a share
        of the ratings, ``majority`` (more than half) and ``tied`` (exactly half) by (item, label),
        ``no_majority`` (no label has more than half of the ratings) and ``majority_empty`` (more
        than half chose no label: then none is the answer).

        Along ``band``: ``band_low``, ``band_high``, ``band_share``, its standard error and
        interval, ``band_items`` and ``band_single_label`` (share of these with one label a
        rating). Along ``bin``: ``bin_low``, ``bin_high``, ``bin_items``.

        Along ``annotator`` (not for anonymous ratings): ``expert_coder_index``, and by
        (annotator, other) ``pair_agreement`` and ``pair_items``.

        Along ``label_pair``, most disagreement first: ``first_label``, ``second_label``,
        ``pair_disagreement`` 1 - P_o(p) with its standard error, ``swapped_items`` and
        ``swapped_pairs`` (items, and pairs of annotators on them, where one has only the first
        label and the other only the second), and ``swapped_share`` of the pairs of annotators of
        which one at least has exactly one of the two.

        ``floor``: P_i of two annotators with one different label each, who share no label.

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
    >>> found = iaa.label_sets(ratings, interval=None)
    >>> found.item_agreement.round(3).values
    array([0.333, 0.   , 0.333, 1.   ])
    >>> float(found.band_share[0]), found.first_label.values[0], found.second_label.values[0]
    (0.25, 'fear', 'hope')
    """
    validate(ratings)
    options = IntervalOptions(interval, confidence, replicates, seed, sampling=sampling)
    options.check()
    if options.random.draws_annotators:
        message = "bands of items hold for these annotators: leave annotators='random' out"
        raise IaaError(message)
    _check(ratings, bands, bins, index)
    resolver = Resolver(ratings, LabelOptions(), 1.0, {"min_common": min_common})
    tables = resolver.tables
    labels = ratings.sizes["label"]
    found = set_pairs(tables, of_labels=labels <= _PAIRED_LABELS)
    names, coefficients, left_out = _coefficients(resolver, options, progress)
    variables: dict[str, Any] = {
        **coefficients,
        **_of_items(found, tables),
        **_of_bands(found, tables, bands, options),
        **_histogram(found, tables, bins),
        "floor": ((), float(pair_agreement(np.array(labels - 2.0), labels))),
    }
    if labels <= _PAIRED_LABELS:
        rated = float(resolver.tables.identified_table.items)
        variables |= _of_label_pairs(found, ratings.label.values, rated)
    else:
        left_out["pairs of labels"] = f"there are more than {_PAIRED_LABELS} labels"
    if not resolver.anonymous:
        variables |= _of_annotators(found, resolver, index, min_common)
    coords: dict[str, Any] = {
        name: ratings.coords[name] for name in ("item", "label") if name in ratings.coords
    }
    if not resolver.anonymous:
        coords["annotator"] = ratings.coords["annotator"]
        coords["other"] = ("other", ratings.annotator.values)
    attrs = provenance_of(resolver.ratings, "label_sets", options) | {
        "index": index,
        "min_common": min_common,
        "left_out": "; ".join(f"{name}: {why}" for name, why in left_out.items()),
    }
    return xr.Dataset(variables, {**coords, "coefficient": names}, attrs)


def _check(
    ratings: xr.Dataset, bands: Sequence[tuple[float, float]], bins: int, index: str
) -> None:
    if ratings.attrs["task"] != "multi_label":
        message = (
            "label_sets needs any number of labels a rating, and these ratings are not label sets: "
            "make them with from_sets, or read them with separator= or multi_hot="
        )
        raise IaaError(message)
    if ratings.sizes["label"] < 2:
        message = "label_sets compares pairs of labels, and there is one label: give labels="
        raise IaaError(message)
    if index not in ("percent_agreement", "am_agreement"):
        message = f"index is percent_agreement or am_agreement, not {index!r}"
        raise IaaError(message)
    for band in bands:
        if np.shape(band) != (2,) or not 0 <= band[0] <= band[1] <= 1:
            message = f"a band is two shares, low and high, between 0 and 1, not {band!r}"
            raise IaaError(message)
    if bins < 1:
        message = f"bins is a whole number of 1 or more, not {bins!r}"
        raise IaaError(message)


def _coefficients(
    resolver: Resolver, options: IntervalOptions, progress: Callable[[int, int], None] | None
) -> tuple[list[str], dict[str, Any], dict[str, str]]:
    """Figures over whole sets, all from the same replicates, and those that do not fit."""
    requests: list[Request] = []
    names: list[str] = []
    left_out: dict[str, str] = {}
    for name, (row, distance) in _COEFFICIENTS.items():
        given = LabelOptions(distance=distance)
        one = Resolver(resolver.ratings, given, 1.0, tables=resolver.tables)
        try:
            requests.append(one.request(row))
            names.append(name)
        except IaaError as error:
            left_out[name] = str(error)
    resampling = resampling_of(options.random, resolver.ratings, resolver.tables)
    pairable = resolver.tables.totals["pairable_items"]
    figures = measured(requests, options, pairable, progress, resampling)
    columns = [
        variables_of(one, figure, "nan", options.method)
        for one, figure in zip(requests, figures, strict=True)
    ]
    variables = {
        name: ("coefficient", np.array([column[name] for column in columns]))
        for name in (columns[0] if columns else ())
    }
    return names, variables, left_out


def _of_items(found: SetPairs, tables: RatingTables) -> dict[str, Any]:
    pattern_of = tables.identified.pattern_of
    with np.errstate(invalid="ignore"):
        # shares of whole numbers: exactly half is exactly .5
        majority, tied = found.votes > 0.5, found.votes == 0.5
    rated = found.panel > 0
    by_pattern = {
        "item_agreement": found.agreement,
        "item_ratings": found.panel,
        "single_label": found.single,
        "no_majority": rated & ~majority.any(axis=1),
        "majority_empty": rated & (found.empty > 0.5),
    }
    by_label = {"votes": found.votes, "majority": majority, "tied": tied}
    return {
        **{name: ("item", figure[pattern_of]) for name, figure in by_pattern.items()},
        **{name: (("item", "label"), figure[pattern_of]) for name, figure in by_label.items()},
    }


class BandStatistics(NamedTuple):
    """Whether an item's agreement lies in each band, and whether it has any."""

    inside: Any  # (item, band)
    known: Any  # (item,)


def band_statistics(mass: Any, raters: Any, *_: Any) -> BandStatistics:
    """Statistics of each item; the mass (item, 1, band) is 1 inside, NaN for one rating only."""
    del raters
    xp = namespace(mass)
    unknown = xp.isnan(mass[:, 0, 0])
    inside = xp.where(unknown[:, None], xp.zeros_like(mass[:, 0]), mass[:, 0])
    return BandStatistics(inside, xp.astype(~unknown, mass.dtype))


def band_formula(sums: BandStatistics, *_: Any) -> Agreement:
    """The share of items inside, among those with two ratings."""
    xp = namespace(sums.inside)
    known = xp.broadcast_to(sums.known, sums.inside.shape)
    code = first_code(xp, (known == 0, NO_PAIRABLE_ITEM))
    share = divided(xp, sums.inside, known)
    return Agreement(share, share, xp.zeros_like(share), code)


def _band_kernel(mass: Any, **given: Any) -> Agreement:
    weights = (given.get("item_weight"), given.get("annotator_weight"))
    return evaluate(band_statistics, band_formula, mass, *weights)


_BANDS = Measure(_band_kernel, band_statistics, band_formula, identified=True, per_label=True)


def _of_bands(
    found: SetPairs,
    tables: RatingTables,
    bands: Sequence[tuple[float, float]],
    options: IntervalOptions,
) -> dict[str, Any]:
    table = tables.identified_table
    low, high = np.array(bands, dtype=np.float64).T
    agreement = found.agreement[:, None]
    slack = 1e-12  # P_i is a mean of shares: .7 must not fall out by rounding
    with np.errstate(invalid="ignore"):
        inside = ((agreement >= low - slack) & (agreement <= high + slack)).astype(np.float64)
    items = table.count @ inside
    data = np.where(found.panel[:, None] >= 2, inside, np.nan)[:, None, :]
    request = Request("bands", None, Problem(_BANDS, table, data), "")
    resampling = resampling_of(options.random, tables.ratings, tables)
    (figures,) = measured([request], options, found.items, resampling=resampling)
    share = np.asarray(figures.agreement.estimate)
    share = np.where(figures.agreement.code == 0, share, np.nan)
    single = (table.count * found.single) @ inside
    of_single = np.divide(single, items, where=items > 0, out=np.full(len(bands), np.nan))
    return {
        "band_low": ("band", low),
        "band_high": ("band", high),
        "band_items": ("band", items),
        "band_share": ("band", share),
        "band_standard_error": ("band", figures.standard_error),
        "band_ci_low": ("band", figures.low),
        "band_ci_high": ("band", figures.high),
        "band_single_label": ("band", of_single),
    }


def _histogram(found: SetPairs, tables: RatingTables, bins: int) -> dict[str, Any]:
    known = found.panel >= 2
    edges = np.linspace(0, 1, bins + 1)
    # a value on an edge belongs to the bin above, whatever its rounding
    place = np.floor(found.agreement[known] * bins + 1e-9).astype(np.intp)
    count = tables.identified_table.count[known]
    items = np.bincount(np.clip(place, 0, bins - 1), count, minlength=bins)
    return {
        "bin_low": ("bin", edges[:-1]),
        "bin_high": ("bin", edges[1:]),
        "bin_items": ("bin", items),
    }


def _of_annotators(
    found: SetPairs, resolver: Resolver, index: str, min_common: int
) -> dict[str, Any]:
    shared = found.shared
    enough = shared > min_common - 0.5
    agreement = np.where(enough, found.of_annotators / np.where(enough, shared, 1.0), np.nan)
    figure = agreement
    if index == "am_agreement":
        figure = _pairwise(resolver.tables, enough)
    compared = np.isfinite(figure)
    total, others = np.where(compared, figure, 0.0).sum(axis=1), compared.sum(axis=1)
    mean = np.where(others > 0, total / np.maximum(others, 1), np.nan)
    return {
        "expert_coder_index": ("annotator", mean),
        "compared_annotators": ("annotator", others),
        "pair_agreement": (("annotator", "other"), figure),
        "pair_items": (("annotator", "other"), shared),
    }


def _pairwise(tables: RatingTables, enough: NDArray[np.bool_]) -> Floats:
    """A_m of each two annotators, with their margins on their common items."""
    codes, count = tables.grid.codes, tables.identified_table.count
    distinct = tables.distinct_masses
    figure = np.full(enough.shape, np.nan)
    for one, other in np.argwhere(np.triu(enough, 1)):
        both = (codes[:, one] >= 0) & (codes[:, other] >= 0)
        mass = distinct[codes[both][:, [one, other]]]
        estimate = float(kernels.am_agreement(mass, item_weight=count[both]).estimate)
        figure[one, other] = figure[other, one] = estimate
    return figure


def _of_label_pairs(found: SetPairs, labels: NDArray[Any], rated: float) -> dict[str, Any]:
    one, other = np.array(list(combinations(range(len(labels)), 2)), dtype=np.intp).T
    items = found.items
    agreeing = found.agreeing[one, other] / items if items else np.full(len(one), np.nan)
    error = np.full(len(one), np.nan)
    if items > 1:
        variance = np.maximum(found.squares[one, other] / items - agreeing**2, 0.0)
        # over all rated items, as every other standard error
        error = np.sqrt(variance / items * rated / (rated - 1))
    swapped, either = found.swapped[one, other], found.either[one, other]
    disagreement = 1 - agreeing
    # equal figures in the order of the labels, not of their rounding
    order = np.lexsort((np.arange(len(one)), -swapped, -disagreement.round(12)))
    share = np.divide(swapped, either, where=either > 0, out=np.full(len(one), np.nan))
    columns = {
        "first_label": labels[one],
        "second_label": labels[other],
        "pair_disagreement": disagreement,
        "pair_standard_error": error,
        "swapped_items": found.swapped_items[one, other],
        "swapped_pairs": swapped,
        "swapped_share": share,
    }
    return {name: ("label_pair", column[order]) for name, column in columns.items()}
