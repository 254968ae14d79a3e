"""Each item's agreement, spread of labels, and influence on a coefficient."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._errors import REASONS, IaaError, OptionError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.analyses.diagnose import declared
from iaa_jax.analyses.diagnose.comparisons import entries_of, summed
from iaa_jax.analyses.diagnose.ranking import RANK, ranks, sort_rows
from iaa_jax.analyses.diagnose.spans import documents
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import int_if_whole
from iaa_jax.kernels.agreement import symmetrize
from iaa_jax.measure import LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import informative_items
from iaa_jax.measure.options.declared import Whole
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.magnitude import rescale, restore_squares
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.partial_credit import partial_credit
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.distribution import along_bins
from iaa_jax.measure.shared.item_influence import influence_by_item
from iaa_jax.measure.shared.labels import sparse_shares
from iaa_jax.measure.shared.votes_by_item import given_labels
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives

_NEAR = 1e-9
"""Maximum difference of equal shares (sums like p + (1 - p) are rounded)."""

_CELLS = 1 << 22
"""Number of cells (item, label) computed in one batch."""

_FALLING = ("entropy", "gini", "disagreement", "change", "tied", "spans")
"""Variables that are sorted from high to low; other variables are sorted from low to high."""

_OF_PANELS = ("entropy", "gini")
"""Variables that depend on an item's number of ratings."""


@public
@requires(top=Whole(1))
@gives(declared)
def items(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    votes: bool = False,
    blind: bool = False,
    label_options: LabelOptions = select(LabelOptions),
) -> xr.Dataset:
    """Return each item's agreement, spread of labels, and influence on a coefficient.

    For an item with shares p_l of L labels (means over its ratings), ``entropy`` is ``-sum_l p_l ln
    p_l / ln L`` and ``gini`` is ``(1 - sum_l p_l^2) L / (L - 1)``. Both are 0 if annotators are
    unanimous, and 1 if labels are equally frequent. ``agreement`` is the mean agreement of the
    item's pairs of ratings; its mean over items is percent agreement. Each distinct label set
    counts as a label here.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        The coefficient for influences: a name from the catalogue, or a function with the
        signature of those in `iaa_jax.kernels`; the default is Krippendorff's alpha, for spans
        strict F1.
    top : int, optional
        Return only this many items, the first by ``sort``.
    sort : str, optional
        A variable or coordinate to sort by. Noteworthy values come first: low ``agreement``,
        ``influence`` and ``share``, but high ``entropy`` and ``change``. "-NAME" reverses the
        order. By default, items stay in their order, and ``top`` alone sorts by ``rank``.
    votes : bool
        Whether to list who gave which label, as on a sheet for an adjudicator.
    blind : bool
        With ``votes``, whether to hide from the adjudicator who gave which label.
    label_options : LabelOptions

    Returns
    -------
    xarray.Dataset
        Along ``item``, as far as the ratings allow:

        ITEMS

        The coordinates of the ratings are included (as "own_NAME" if a variable has that name).
        With ``votes``, the result also has ``votes_by_label``, a text per item; ``label_given``
        (item, annotator), for up to 40 annotators; and the possible decisions, along ``label``. If
        ``blind``, counts replace names, and ``label_given`` is omitted.

        Along ``bin``, for ``agreement`` or ``disagreement`` of all items:

        BINS

        The attribute ``conclusion`` is "disputed" if the ratings of some item differ, otherwise
        "unanimous". ``disputed_items`` counts these items, and ``tied_items`` counts those in which
        several labels tie as most frequent. ``estimate`` is the coefficient of all items, with the
        ``reason`` if it is undefined. For label sets, ``partial_estimate`` is the agreement A_m, in
        addition to alpha.

    Raises
    ------
    IaaError
        If an option is unknown or does not apply to the ratings.

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
    if blind and not votes:
        raise OptionError(f"{named('blind')} changes nothing without {keyword('votes', True)}")
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    influence, change, of_all = influence_by_item(resolver, request)
    of_kind = {Kind.NUMBERS: _number_agreement, Kind.SPANS: documents}
    variables = of_kind.get(ratings.kind, _label_agreement)(resolver, request)
    variables |= {"influence": influence, "change": change, RANK: ranks(influence)}
    if (weight := ratings.weight) is not None:
        variables["item_weight"] = weight
    attrs = {
        **provenance_of_figures(resolver, "items", [request], notes=_notes(variables, sort)),
        "coefficient": request.name,
        "weights": request.used,
        "estimate": float(of_all.estimate),
        "reason": REASONS[int(of_all.code)],
        **partial_credit(resolver, request, coefficient),
        **_conclude(resolver, variables),
    }
    along: Variables = {name: ("item", values) for name, values in variables.items()}
    shares = "agreement" in variables
    figure = variables["agreement" if shares else "disagreement"]
    weights = None if weight is None else np.asarray(weight)
    along |= along_bins(figure, weights, of_shares=shares)
    user = ratings.along("item")
    if votes:
        _refuse_no_labels(resolver)
        along |= given_labels(resolver.tables, blind=blind)
        user |= ratings.along("annotator") if "label_given" in along else {}
        user |= ratings.along("label")
        attrs["blind"] = int(blind)
    table = result_dataset(along, user, attrs)
    return sort_rows(without_verdict(table), "item", sort, top, _FALLING)


def _refuse_no_labels(resolver: Resolver) -> None:
    if not resolver.tables.kind.has_labels:
        what = "numbers" if resolver.tables.kind is Kind.NUMBERS else "spans of documents"
        raise IaaError(f"{named('votes')} lists who gave which label, and these ratings are {what}")


def _conclude(resolver: Resolver, variables: Columns) -> dict[str, object]:
    weight = resolver.tables.item_weight
    if "tied" in variables:
        codes = resolver.tables.exchangeable.codes
        lowest = np.where(codes >= 0, codes, np.iinfo(codes.dtype).max).min(axis=1)
        differ = (lowest != codes.max(axis=1))[resolver.tables.exchangeable_of_items]
        differ &= (
            variables["agreement"] < 1 - _NEAR
        )  # ratings may differ only in secondary labels, which may not count
        disputed = float(weight[differ].sum())
    else:
        disputed = informative_items(resolver.tables)["disagreeing"]
    concluded: dict[str, object] = {
        "conclusion": "disputed" if disputed else "unanimous",
        "disputed_items": int_if_whole(disputed),
    }
    if "spans" in variables:
        unmarked = variables["spans"] == 0
        concluded["unmarked_items"] = int_if_whole(float(weight[unmarked].sum()))
    if "tied" in variables:
        tied = (variables["tied"] > 1) & (variables["ratings"] > 1) & differ
        concluded["tied_items"] = int_if_whole(resolver.tables.item_weight[tied].sum())
    return concluded


def _notes(variables: Columns, sort: str | None) -> Iterator[Note]:
    """Yield a caution if the table is sorted by a figure that depends on the number of ratings."""
    panels = np.unique(variables["ratings"][variables["ratings"] > 0])
    if sort is not None and sort.removeprefix("-") in _OF_PANELS and len(panels) > 1:
        values = {"figure": sort.removeprefix("-"), "least": panels[0], "most": panels[-1]}
        yield Note("panels_differ", values, "caution")


def _label_agreement(resolver: Resolver, _: Request) -> Columns:
    tables = resolver.tables
    codes = tables.exchangeable.codes
    shares_of_code = sparse_shares(tables)
    labels = shares_of_code.shape[1]
    pattern, column = np.nonzero(codes >= 0)
    code = codes[pattern, column]
    ratings = np.bincount(pattern, minlength=len(codes))
    shape = len(codes), shares_of_code.shape[0]
    counted = csr_array((np.ones(len(code)), (pattern, code)), shape)
    sums = (counted @ shares_of_code).tocsr()
    row, label, share = entries_of(sums)
    share = share / ratings[row]

    def over_labels(values: Floats | NDArray[np.bool_]) -> Floats:
        return summed(row, values, len(codes))

    agreement = np.full(len(codes), np.nan)
    matrix = resolver.label_agreements.matrix(None)
    of_self, of_all = _disagreements(shares_of_code, sums, matrix)
    with_self = summed(pattern, of_self[code], len(codes))
    pairs = ratings * (ratings - 1.0)
    np.divide(of_all - with_self, pairs, where=ratings > 1, out=agreement)
    entropy = -over_labels(share * np.log(share)) / (np.log(labels) if labels > 1 else 1.0)
    gini = (1 - over_labels(share**2)) * (labels / (labels - 1) if labels > 1 else 0.0)
    largest = np.zeros(len(codes))
    np.maximum.at(largest, row, share)
    in_front = share >= largest[row] - _NEAR
    first = np.full(len(codes), labels)
    np.minimum.at(first, row[in_front], label[in_front])
    rated = ratings > 0
    names = np.append(np.asarray(tables.labels, dtype=object), "")
    if not rated.all():
        names = names.astype(str).astype(object)  # files cannot mix numbers and texts in a column
    by_pattern: Columns = {
        "ratings": ratings,
        "agreement": 1 - agreement,
        "entropy": np.where(rated, np.abs(entropy), np.nan),
        "gini": np.where(rated, np.abs(gini), np.nan),
        "most_frequent": names[np.where(rated, first, labels)],
        "share": np.where(rated, largest, np.nan),
        "tied": over_labels(in_front).astype(np.int64),
    }
    return {name: values[tables.exchangeable_of_items] for name, values in by_pattern.items()}


def _disagreements(
    shares: csr_array, sums: csr_array, agreement: Floats | None
) -> tuple[Floats, Floats]:
    """Return the disagreement within each distinct rating, and within each pattern of ratings.

    A pattern's disagreement is the sum over all ordered pairs of ratings, including each rating
    with itself.
    """
    both = []
    for table in (shares, sums):
        row, _, share = entries_of(table)
        if agreement is None:
            rest: Floats = table.sum(axis=1)[row] - share
        else:
            rest = _towards(table, 1 - symmetrize(agreement))
        both.append(summed(row, share * rest, table.shape[0]))
    return both[0], both[1]


def _towards(table: csr_array, disagreement: Floats) -> Floats:
    parts = []
    step = max(1, _CELLS // table.shape[1])
    for start in range(0, table.shape[0], step):
        rows = table[start : start + step]
        row, label, _ = entries_of(rows)
        parts.append((rows @ disagreement)[row, label])
    return np.concatenate(parts)


def _number_agreement(resolver: Resolver, _: Request) -> Columns:
    value = resolver.tables.coordinate("value")
    known = ~np.isnan(value)
    numbers, power = rescale(resolver.tables.distinct_numbers, "differences")
    if power:
        value = np.append(numbers, np.nan)[resolver.tables.codes.codes]
    ratings = known.sum(axis=1)
    # relative to the item's lowest number: far from 0, the rounding error of a mean would exceed
    # the differences
    lowest = np.min(value, axis=1, initial=np.inf, where=known)
    lowest = np.where(ratings > 0, lowest, 0.0)
    above = np.where(known, value - lowest[:, None], 0.0)
    mean = np.divide(above.sum(axis=1), ratings, where=ratings > 0, out=np.full(len(value), np.nan))
    squares = (np.where(known, above - mean[:, None], 0.0) ** 2).sum(axis=1)
    mean = lowest + mean
    # the mean of (x - y)^2 over pairs is twice the variance with n - 1
    distance = np.full(len(value), np.nan)
    np.divide(2 * squares, ratings - 1, where=ratings > 1, out=distance)
    return {
        "ratings": ratings,
        "mean": np.ldexp(mean, power) if power else mean,
        "disagreement": restore_squares(distance, power),
    }
