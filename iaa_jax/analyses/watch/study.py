"""A coefficient as ratings come in, with an interval that holds at all looks together."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._checks import is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Variables
from iaa_jax.analyses.watch import declared
from iaa_jax.analyses.watch.arrivals import Indices, arrivals_of, digests_of
from iaa_jax.analyses.watch.looks import Looks, looks_at
from iaa_jax.analyses.watch.terms import check_bounds
from iaa_jax.engine.computing import Computing
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import OneOf, Whole
from iaa_jax.measure.options.requirements import Excluded, Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import dataset_of, provenance_of_figures
from iaa_jax.wording import keyword, named
from iaa_jax.wording.figures import gives

_SAME = 1e-8
"""How far ends that are the same may lie apart."""

MOST_LOOKS = 100
"""Looks that are shown of more arrivals: what others would show is in the last of them."""


@public
@requires(
    Excluded("spans", "this watches items that are rated one by one"),
    options=Intervals(sampling=("cluster", "population")),
    per_item=Whole(1),
    method=OneOf(("betting", "influence")),
)
@gives(declared)
def watch(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    order: str | None = None,
    bar: float | None = None,
    bounds: tuple[float, float] | None = None,
    per_item: int | None = None,
    against: xr.Dataset | None = None,
    earlier: xr.Dataset | None = None,
    method: str | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed"),
) -> xr.Dataset:
    """Agreement as ratings come in: look as often as you like, and stop when it is decided.

    An interval of 95 % that is looked at every day, until it says what one hopes for, errs far more
    often than once in twenty. Here the ends hold at all looks together (a confidence sequence),
    whenever one stops and for whatever reason.

    Most coefficients are exact. In disjoint pairs of items, in random order, with ``w`` the mean
    distance of two ratings of an item, ``b`` that of a rating of i and one of j, and m ratings,

        g(k) = m_i m_j ((w_i + w_j) / 2 - (1 - k) b_ij)

    has the mean 0 where k is Krippendorff's alpha, whatever the labels, their skew, the distance
    and the gaps. So a gambler who bets on g wins nothing in the long run, and the values of k at
    which he or she has won 2 / (1 - confidence) times the stake are ruled out, at any time.
    Cohen's, Conger's, Fleiss' and Scott's coefficients and Gwet's have such pairs where annotators
    rate the same items, ordinal alpha has them in fours, Brennan-Prediger and percent agreement
    are plain means. For every other coefficient the sequence is by influence: as exact as a normal
    interval of one look is, for many items.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of items, as they have come so far; not spans, nor patterns without an order.
    coefficient : str or callable, optional
        A name from the catalogue with a single figure, or a function with the kernels' signature;
        Krippendorff's alpha by default.
    order : str, optional
        A coordinate that says when an item came, along items or along their ratings (the last one
        counts): dates by the day, numbers, or batches; "order" for items as they stand. Items that
        came together are in random order, which the seed and their names decide: further items
        change nothing of what was seen. Without it all came together.
    bar : float, optional
        The level that is to be reached.
    bounds : tuple of float, optional
        The least and the largest number that can be given, of ratings that are numbers: with it
        interval alpha is exact.
    per_item : int, optional
        An item comes once it has so many ratings.
    against : xarray.Dataset, optional
        Other ratings, all of which have come: the difference from them is watched as well.
    earlier : xarray.Dataset, optional
        An earlier result: its items stay in their order, and what is new comes after them. Refused
        where the ratings of such an item have changed.
    method : {"betting", "influence"}, optional
        By default betting where it is exact. By influence intervals of numbers, and of few items,
        are narrower, and hold as far as a normal interval of one look would.
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        Along ``look``, one for each arrival, or a hundred of these:

        LOOKS

        DIFFERENCE

        Along ``item``:

        ITEMS

        The attribute ``conclusion`` is "above" or "below" (on which side of ``bar`` the
        coefficient lies, by all looks together), "open", without a bar "followed", "moved" (the
        ends have crossed: these items are not in random order from one whole) or "undefined".
        ``fallen_since`` is the arrival after which it fell below the bar, "" if that is not shown;
        ``items_that_decide`` are those by which it would be decided if the figure stayed.
        ``method`` is "betting" or "influence", and ``why_not_exact`` the code of a reason.

    Raises
    ------
    IaaError
        If the ratings have no order, an option does not fit them, or an earlier item has changed.

    Notes
    -----
    The ends are 1.3 to 2 times as far apart as those of a single look: where looks can be planned,
    `iaa_jax.plan.looks` is cheaper. With ``Sampling(population=N)`` the figure meant is that of N
    items in all, and the ends meet at the last; the plain means are exact there too.

    Only random order makes the items of a pair alike. Where items come by difficulty or topic, what
    the ends hold is a mean of what was true as they came. The figure meant is that of annotators
    who are given, and of infinitely many items: alpha's own correction of 1 / (ratings - 1) is
    none.

    References
    ----------
    Waudby-Smith, I. and Ramdas, A. (2024). Estimating means of bounded random variables by betting.
    Journal of the Royal Statistical Society B 86(1). https://doi.org/10.1093/jrsssb/qkad009
    Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E. H. and Ramdas, A. (2024). Time-uniform
    central limit theory and asymptotic confidence sequences. Annals of Statistics 52(6).
    https://doi.org/10.1214/24-AOS2408

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a"], ["b", "b"], ["a", "a"], ["b", "b"], ["a", "b"]] * 60
    >>> ratings = iaa.from_wide(rows).assign_coords(day=("item", [k // 50 for k in range(300)]))
    >>> result = iaa.watch(ratings, order="day", bar=0.4)
    >>> result.attrs["conclusion"], result.sizes["look"]
    ('above', 6)
    >>> bool((result.ci_low[1:] >= result.ci_low[:-1].values).all())
    True
    """
    _check(ratings, bar)
    check_bounds(ratings, bounds)
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    settings = _settings(request, order, options, per_item)
    if earlier is not None:
        _check_earlier(earlier, settings)
    arrivals = arrivals_of(ratings, order, options.seed, per_item, earlier)
    alpha = 1 - options.confidence
    if against is not None:
        alpha /= 2  # of each of the two, so that the difference has it all
    watched = looks_at(ratings, request, arrivals, bar, bounds, alpha, options, method)
    if earlier is not None:
        _check_ends(earlier, watched)
    looks = _shown(len(arrivals.ends))
    variables: Variables = {
        "arrival": ("look", arrivals.names[looks]),
        "items": ("look", arrivals.ends[looks]),
        **{name: ("look", values[looks]) for name, values in watched.columns.items()},
    }
    attrs: dict[str, object] = {}
    notes = [*request.notes, *arrivals.notes]
    if against is not None:
        other = _against(
            against, ratings.computing, coefficient, bounds, label_options, options, alpha, method
        )
        variables |= _differences(watched, other, looks)
        attrs["against_estimate"] = float(other.columns["estimate"][-1])
    variables |= {
        "arrived": ("item", arrivals.of_items + 1),
        "digest": ("item", digests_of(ratings)[arrivals.items]),
    }
    conclusion = _conclude(watched, bar)
    attrs |= {
        **provenance_of_figures(resolver, "watch", [request], notes=notes),
        **settings,
        "weights": request.used,
        "bar": np.nan if bar is None else bar,
        "population": options.random.population or np.nan,
        "method": "influence" if watched.why else "betting",
        "why_not_exact": watched.why,
        "conclusion": conclusion,
        "latest": "look",
        "decided_at": watched.decided_at(bar, arrivals.names),
        "fallen_since": watched.fallen_since(arrivals.names, options.confidence),
        "items_that_decide": watched.items_that_decide(bar, arrivals.ends),
    }
    coords = {
        "look": np.arange(1, len(arrivals.ends) + 1)[looks],
        "item": ratings.item_names[arrivals.items],
    }
    return without_verdict(dataset_of(variables, coords, attrs))


def _against(
    against: xr.Dataset,
    computing: Computing,
    coefficient: CoefficientLike | None,
    bounds: tuple[float, float] | None,
    label_options: LabelOptions,
    options: IntervalOptions,
    alpha: float,
    method: str | None,
) -> Looks:
    """The other ratings, all of which have come."""
    ratings = Rated.of(against, computing)
    _check(ratings, None)
    check_bounds(ratings, bounds)
    request = one_coefficient(Resolver(ratings, label_options), coefficient)
    arrivals = arrivals_of(ratings, None, options.seed)
    return looks_at(ratings, request, arrivals, None, bounds, alpha, options, method)


def _differences(watched: Looks, other: Looks, looks: Indices) -> Variables:
    """The difference at each look, and how far it can reach while both sequences hold."""
    last = {name: float(values[-1]) for name, values in other.columns.items()}
    figures = {
        "difference": watched.columns["estimate"] - last["estimate"],
        "difference_ci_low": watched.ends.low - last["ci_high"],
        "difference_ci_high": watched.ends.high - last["ci_low"],
    }
    return {name: ("look", values[looks]) for name, values in figures.items()}


def _shown(arrivals: int) -> Indices:
    """All arrivals, or so many of them as are shown, with the first and the last."""
    if arrivals <= MOST_LOOKS:
        return np.arange(arrivals)
    return np.unique(np.linspace(0, arrivals - 1, MOST_LOOKS).round().astype(np.intp))


def _conclude(watched: Looks, bar: float | None) -> str:
    low, high = (float(each[-1]) for each in watched.ends)
    if np.isnan(watched.columns["estimate"][-1]):
        return "undefined"
    if low > high:
        return "moved"
    if bar is None:
        return "followed"
    return {1: "above", -1: "below", 0: "open"}[int(watched.side(bar)[-1])]


def _settings(
    request: Request,
    order: str | None,
    options: IntervalOptions,
    per_item: int | None,
) -> dict[str, object]:
    """What an earlier result must have been made with, too."""
    return {
        "coefficient": request.name,
        "order": order or "",
        "confidence": options.confidence,
        "seed": options.seed,
        "per_item": per_item or 0,
    }


def _check_earlier(earlier: xr.Dataset, settings: dict[str, object]) -> None:
    if earlier.attrs.get("made_by") != "watch":
        raise IaaError(f"{named('earlier')} is a result of iaa_jax.watch, and this is none")
    for name, value in settings.items():
        before = earlier.attrs.get(name)
        if before != value:
            raise IaaError(
                f"the ratings were watched with {name.replace('_', ' ')} {before!r}, now it is "
                f"{value!r}, and a sequence does not look back: keep to it, or begin another one"
            )


def _check_ends(earlier: xr.Dataset, watched: Looks) -> None:
    """Refuse what would change ends that were seen: another number of labels, or more ratings."""
    then = earlier["look"].values.astype(np.intp) - 1
    for name, now in zip(("ci_low", "ci_high"), watched.ends, strict=True):
        # below 0 ends may stand at what such ratings can reach, which is not what was seen
        before, again = np.fmax(earlier[name].values, 0.0), np.fmax(now[then], 0.0)
        if not np.allclose(before, again, rtol=0, atol=_SAME, equal_nan=True):
            raise IaaError(
                "what was seen would change with what came since: there are labels that were not "
                f"there before (declare all with {keyword('labels')}), or items have more ratings "
                "than any had; begin another sequence"
            )


def _check(ratings: Rated, bar: float | None) -> None:
    if bar is not None and not (is_number(bar) and bar < 1):
        raise OptionError(f"{named('bar')} must be a number below 1, not {bar!r}")
    if ratings.weight is not None or not ratings.are_in_order:
        raise IaaError(
            "watching takes items one by one, and these rows stand for several: give the ratings "
            "as they were made"
        )
