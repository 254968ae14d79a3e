"""Items one by one: how far their raters agree, and what each does to a coefficient."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._errors import REASONS, IaaError, OptionError
from iaa_jax._types import Columns, Variables
from iaa_jax.analyses.diagnose.declared import ITEMS
from iaa_jax.analyses.diagnose.influence import influence_by_item
from iaa_jax.analyses.diagnose.of_spans import documents
from iaa_jax.analyses.diagnose.ranking import RANK, ranks, sort_rows
from iaa_jax.data.schema import int_if_whole
from iaa_jax.data.storage import weight_of
from iaa_jax.kernels.agreement import label_disagreement
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure import LabelOptions, public, select
from iaa_jax.measure.coverage import informative_items
from iaa_jax.measure.declared import Whole
from iaa_jax.measure.distribution import BINS, along_bins
from iaa_jax.measure.given import given_labels
from iaa_jax.measure.labels import label_shares
from iaa_jax.measure.magnitude import rescale, restore_squares
from iaa_jax.measure.partial_credit import partial_credit
from iaa_jax.measure.request import Request
from iaa_jax.measure.requirements import requires
from iaa_jax.measure.resolver import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of_figures
from iaa_jax.measure.studies import (
    coordinates,
    one_coefficient,
    resolver_of,
    result_dataset,
)
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives

_NEAR = 1e-9
"""Shares of labels nearer than this are equal: sums of p and 1 - p round."""

_CELLS = 1 << 22
"""Cells (item, rating, label) that are worked on at once."""

_FALLING = ("entropy", "gini", "disagreement", "change", "tied", "spans")
"""What deserves a look where it is high."""

_OF_PANELS = ("entropy", "gini")
"""What depends on how many ratings an item has."""


@public
@requires(top=Whole(1))
@gives({"ITEMS": ITEMS, "BINS": BINS})
def items(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    votes: bool = False,
    blind: bool = False,
    label_options: LabelOptions = select(LabelOptions),
) -> xr.Dataset:
    """Every item: its agreement, the spread of its labels, its influence on a coefficient.

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
    blind : bool
        With ``votes``, leave out who gave what, so that whoever adjudicates does not know.
    label_options : LabelOptions

    Returns
    -------
    xarray.Dataset
        Along ``item``, those that the ratings allow:

        ITEMS

        The ratings' own coordinates stand beside them (as "own_NAME" where a variable has that
        name). With ``votes`` also ``votes_by_label``, one line an item, of up to 40 annotators
        ``label_given`` (item, annotator), and along ``label`` what may be decided. If ``blind``,
        counts stand in place of names, and nothing is given by annotator.

        Along ``bin``, of ``agreement`` or ``disagreement`` of all items:

        BINS

        The attribute ``conclusion`` is "disputed" where the ratings of some item differ, else
        "unanimous"; ``disputed_items`` counts these items, and ``tied_items`` those of them where
        labels tie for the first place. ``estimate`` is the coefficient of all items, with the
        ``reason`` why it is undefined; of label sets ``partial_estimate`` is A_m beside alpha.

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
    if blind and not votes:
        message = f"{named('blind')} changes nothing without {keyword('votes', True)}"
        raise OptionError(message)
    resolver = resolver_of(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    influence, change, of_all = influence_by_item(resolver, request)
    of_kind = {"labels": _of_labels, "numbers": _of_values, "spans": documents}
    variables = of_kind[resolver.tables.kind](resolver, request)
    variables |= {"influence": influence, "change": change, RANK: ranks(influence)}
    if (weight := weight_of(ratings)) is not None:
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
    figure = variables["agreement" if "agreement" in variables else "disagreement"]
    along |= along_bins(figure, None if weight is None else np.asarray(weight))
    user = coordinates(ratings, "item")
    if votes:
        _refuse_no_labels(resolver)
        along |= given_labels(resolver.tables, blind=blind)
        user |= coordinates(ratings, "annotator") if "label_given" in along else {}
        user |= coordinates(ratings, "label")
        attrs["blind"] = int(blind)
    table = result_dataset(along, user, attrs)
    return sort_rows(table, "item", sort, top, _FALLING)


def _refuse_no_labels(resolver: Resolver) -> None:
    if resolver.tables.kind != "labels":
        what = {"numbers": "numbers", "spans": "spans of documents"}[resolver.tables.kind]
        message = f"{named('votes')} says who gave which label, and these ratings are {what}"
        raise IaaError(message)


def _conclude(resolver: Resolver, variables: Columns) -> dict[str, object]:
    """What the items come to, and the numbers of it."""
    weight = resolver.tables.item_weight
    if "tied" in variables:
        codes = resolver.tables.exchangeable.codes
        lowest = np.where(codes >= 0, codes, np.iinfo(codes.dtype).max).min(axis=1)
        differ = (lowest != codes.max(axis=1))[resolver.tables.exchangeable_of_items]
        differ &= variables["agreement"] < 1 - _NEAR  # second labels may not count
        disputed = float(weight[differ].sum())
    else:
        disputed = informative_items(resolver.tables)["disagreeing"]
    concluded: dict[str, object] = {
        "conclusion": "disputed" if disputed else "unanimous",
        "disputed_items": int_if_whole(disputed),
    }
    if "tied" in variables:
        tied = (variables["tied"] > 1) & (variables["ratings"] > 1) & differ
        concluded["tied_items"] = int_if_whole(resolver.tables.item_weight[tied].sum())
    return concluded


def _notes(variables: Columns, sort: str | None) -> list[Note]:
    """What the figures do not say by themselves."""
    notes = []
    panels = np.unique(variables["ratings"][variables["ratings"] > 0])
    if sort is not None and sort.removeprefix("-") in _OF_PANELS and len(panels) > 1:
        values = {"figure": sort.removeprefix("-"), "least": panels[0], "most": panels[-1]}
        notes.append(Note("panels_differ", values, "caution"))
    return notes


def _of_labels(resolver: Resolver, _: Request) -> Columns:
    """Agreement and the shares of labels, by item."""
    tables = resolver.tables
    codes = tables.exchangeable.codes
    of_code = label_shares(tables, sets_as_labels=True)
    labels = of_code.shape[1]
    mass_of_code = np.concatenate([of_code, np.full((1, labels), np.nan)])
    matrix = resolver.label_agreements.matrix(None)
    parts = []
    step = max(1, _CELLS // max(codes.shape[1] * labels, 1))
    for start in range(0, len(codes), step):
        mass = mass_of_code[codes[start : start + step]]
        counted = weighted_ratings(mass, Raters(np.ones(mass.shape[1])))
        disagreement = pair_disagreement(counted, label_disagreement(mass, matrix))
        parts.append((counted.ratings, counted.pairable, disagreement, counted.labels))
    ratings, pairable, disagreement, sums = map(np.concatenate, zip(*parts, strict=True))
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = sums / ratings[:, None]
        logs = np.log(np.where(shares > 0, shares, 1.0))
        entropy = -(shares * logs).sum(axis=1) / np.log(labels) if labels > 1 else 0 * ratings
        gini = (1 - (shares**2).sum(axis=1)) * (labels / (labels - 1) if labels > 1 else 0.0)
    rated = ratings > 0
    largest = shares.max(axis=1)
    in_front = shares >= largest[:, None] - _NEAR
    names = np.append(np.asarray(tables.labels, dtype=object), "")
    if not rated.all():
        names = names.astype(str).astype(object)  # no file holds numbers beside text
    by_pattern: Columns = {
        "ratings": ratings.astype(np.int64),
        "agreement": np.where(pairable > 0, 1 - disagreement, np.nan),
        "entropy": np.where(rated, np.abs(entropy), np.nan),
        "gini": np.where(rated, np.abs(gini), np.nan),
        "most_frequent": names[np.where(rated, np.argmax(in_front, axis=1), labels)],
        "share": np.where(rated, largest, np.nan),
        "tied": np.where(rated, in_front.sum(axis=1), 0).astype(np.int64),
    }
    return {name: values[tables.exchangeable_of_items] for name, values in by_pattern.items()}


def _of_values(resolver: Resolver, _: Request) -> Columns:
    """Mean and distance of ratings that are numbers, by item."""
    value = resolver.ratings.variables["value"].values
    known = ~np.isnan(value)
    numbers, power = rescale(resolver.tables.distinct_numbers, "differences")
    if power:
        value = np.append(numbers, np.nan)[resolver.tables.codes.codes]
    ratings = known.sum(axis=1)
    filled = np.where(known, value, 0.0)
    mean = np.divide(
        filled.sum(axis=1), ratings, where=ratings > 0, out=np.full(len(value), np.nan)
    )
    squares = (np.where(known, value - mean[:, None], 0.0) ** 2).sum(axis=1)
    # the mean of (x - y)^2 over pairs is twice the variance with n - 1
    distance = np.full(len(value), np.nan)
    np.divide(2 * squares, ratings - 1, where=ratings > 1, out=distance)
    return {
        "ratings": ratings,
        "mean": np.ldexp(mean, power) if power else mean,
        "disagreement": restore_squares(distance, power),
    }
