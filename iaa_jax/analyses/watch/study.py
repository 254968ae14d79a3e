"""A coefficient as ratings come in, with an interval that holds at all looks together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._checks import is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Variables
from iaa_jax.analyses.watch import declared
from iaa_jax.analyses.watch.arrivals import (
    BEGIN_ANEW,
    Arrivals,
    arrivals_of,
    digests_of,
    first_ratings,
)
from iaa_jax.analyses.watch.looks import Looks, figure_of, looks_at
from iaa_jax.analyses.watch.sequence import LEAST_ITEMS
from iaa_jax.analyses.watch.terms import bounds_of
from iaa_jax.engine.computing import Computing
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import OneOf, Whole
from iaa_jax.measure.options.requirements import Excluded, Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.spread import Bounds
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import dataset_of, provenance_of_figures
from iaa_jax.measure.shared.times import ORDER, Times, times_of
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives

_SAME = 1e-8
"""Ends closer than this count as equal."""

_FAR_WIDER = 3.0
"""Threshold: if the interval is this many times as wide as for one look, a note says so."""


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
    record: xr.Dataset | None = None,
    method: str | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed"),
) -> xr.Dataset:
    """Watch agreement as ratings come in: look as often as you like, stop when it is decided.

    A 95 % interval that is inspected every day until it shows what one hopes for is wrong far more
    often than once in twenty times. The ends given here hold at all looks together (a confidence
    sequence), whenever and for whatever reason watching stops.

    The ends are exact for most coefficients. Take disjoint pairs of items, i and j, in random
    order. With m the number of ratings of an item, w the mean distance between two of its ratings,
    and b_ij the mean distance between a rating of i and a rating of j,

        g(k) = m_i m_j ((w_i + w_j) / 2 - (1 - k) b_ij)

    has mean 0 if k is Krippendorff's alpha, whatever the labels, their skew, the distance and the
    missing ratings. So a gambler who bets on g gains nothing on average. If the bets have
    multiplied the stake by 2 / (1 - confidence), at any time, k is ruled out. The coefficients of
    Fleiss, Scott and Gwet have similar terms if no item has only one rating, and so have those of
    Cohen and Conger if all annotators rate the same items. Terms of ordinal alpha come from groups
    of four items. Brennan-Prediger and percent agreement are plain means. For every other
    coefficient the confidence sequence is computed from influences: with many items it is as exact
    as a normal interval at one look.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of the items so far: neither spans, nor rows that each stand for several items.
    coefficient : str or callable, optional
        A name from the catalogue with a single figure, or a function with the signature of those in
        `iaa_jax.kernels`; Krippendorff's alpha by default.
    order : str, optional
        A coordinate that states when each item came, or each rating (an item then comes with its
        last rating): dates by the day, numbers, or batches; "order" for the order of the data.
        Items that came together are put in random order, by the seed and their names. By default
        all items came together, except for those in a ``record``.
    bar : float, optional
        The level that the coefficient is to reach.
    bounds : tuple of float, optional
        The least and the largest possible rating, if ratings are numbers; with bounds, the ends for
        interval alpha are exact.
    per_item : int, optional
        Number of ratings with which an item has arrived; by default two, or one with a finite
        population. If ratings have times of their own, only an item's first ratings up to this
        number count.
    against : xarray.Dataset, optional
        Other ratings, in which all items have arrived; the difference from them is also watched.
    record : xarray.Dataset, optional
        An earlier result. Its items keep their order, and new items come after them. It is refused
        if its options differ, ratings of its items have changed, or its ends would change.
    method : {"betting", "influence"}, optional
        By default "betting" if it is exact for the coefficient. Intervals by influence are narrower
        for numbers, and often wrong for rare labels.
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        Along ``look`` (after each of the first hundred arrivals, some later ones, and the last):

        LOOKS

        DIFFERENCE

        Along ``item``:

        ITEMS

        The attribute ``conclusion`` is "above" or "below" (on which side of ``bar`` the coefficient
        lies, by all looks together), "open" (undecided), "fallen" (below ``bar`` after the arrival
        ``fallen_since``), "followed" (if there is no bar), "moved" (the estimate lies outside the
        ends: later items differ from earlier ones) or "undefined". ``items_that_decide`` is the
        number of items that would decide an open question if the estimate did not change, NaN if
        the estimate is too close to the bar; ``estimate_since`` is the coefficient on the items
        after a fall; ``held_until`` is the last arrival whose estimate lay within the ends.
        ``method`` is "betting" or "influence"; ``why_not_exact`` is the reason for "influence".

    Raises
    ------
    IaaError
        If rows stand for several items each, an option does not fit the ratings, or an earlier item
        has changed.

    Notes
    -----
    The interval is 1.4 to 2.3 times as wide as for a single look, and wider still for rare labels
    and numbers. If the looks can be planned, `iaa_jax.plan.looks` needs fewer items. With
    ``Sampling(population=N)`` the target is the coefficient on N items in all, and the ends meet at
    the last item; Brennan-Prediger and percent agreement are exact then, too.

    Items of a pair are exchangeable only in random order. If days differ in difficulty or topic, or
    if agreement changes, the coefficient is not the same for all items, and the conclusion is
    "moved" as soon as this shows. The target is the coefficient of these annotators on infinitely
    many items, so alpha's small-sample correction of 1 / (ratings - 1) vanishes. The labels and the
    largest number of ratings of an item are assumed to be known beforehand.

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
    times = None if order is None else _times(ratings, order)
    if per_item is not None and times is not None:
        ratings, times = first_ratings(ratings, times, per_item)
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    bounds = bounds_of(ratings, request, bounds)
    sampling = options.random
    settings: dict[str, object] = {
        "coefficient": request.name,
        "weights": request.used,
        "order": order or "",
        "per_item": per_item or 0,
        "bounds": "" if bounds is None else "{:g} to {:g}".format(*bounds),
        "cluster": sampling.cluster or "",
        "population": float(sampling.population or 0),
        "confidence": float(options.confidence),
        "seed": int(options.seed),
    }
    if record is not None:
        _check_record(record, settings)
    needed = per_item or (2 if sampling.population is None else 1)
    arrivals = arrivals_of(ratings, times, options.seed, needed, record)
    looks = looks_at(
        ratings, request, arrivals, bar, bounds, options, method, compared=against is not None
    )
    settings["method"] = "influence" if looks.why else "betting"
    if record is not None:
        _check_seen(record, settings, looks)
    variables = _variables(looks, arrivals, options.confidence, request.bounds)
    attrs: dict[str, object] = {}
    if against is not None:
        other = _against(
            against, ratings.computing, coefficient, bounds, label_options, options, method
        )
        variables |= _differences(looks, other)
        attrs["against_estimate"] = float(other.estimate[-1])
        attrs["differs"] = _side_of_zero(variables)
    variables |= {
        "arrived": ("item", arrivals.arrival_of + 1),
        "came": ("item", arrivals.names[arrivals.arrival_of]),
        "digest": ("item", digests_of(ratings)[arrivals.items]),
    }
    threshold = 2 / (1 - options.confidence)
    fall, conclusion = looks.fall_at(threshold), _conclude(looks, bar, threshold)
    names = arrivals.names[looks.arrivals]
    decided = looks.decided_at(bar) if conclusion in ("above", "below") else None
    fallen = ("", "") if fall is None else (str(names[fall[0]]), str(names[fall[1]]))
    notes = [*request.notes, *arrivals.notes, *_notes(looks, arrivals, order)]
    attrs |= {
        **provenance_of_figures(resolver, "watch", [request], notes=notes),
        **settings,
        "bar": np.nan if bar is None else float(bar),
        "side": {"above": 1, "below": -1, "fallen": -1}.get(conclusion, 0),
        "why_not_exact": looks.why,
        "conclusion": conclusion,
        "latest": "look",
        "arrivals": len(arrivals.ends),
        "decided_at": "" if decided is None else str(names[decided]),
        "fallen_since": fallen[0],
        "fall_shown_at": fallen[1],
        "items_that_decide": np.nan,
        "estimate_since": np.nan,
        "held_until": "" if (held := looks.held_until) is None else str(names[held]),
        "times_as_wide": np.nan if looks.moved else looks.times_as_wide(options.confidence),
        "begins_at": LEAST_ITEMS,
    }
    if conclusion == "open":
        attrs["items_that_decide"] = looks.items_that_decide(bar, options.confidence)
    if fall is not None:
        since = arrivals.after(int(looks.items[fall[0]]))
        attrs["estimate_since"] = figure_of(ratings, request, since)
    coords = {"look": looks.arrivals + 1, "item": ratings.item_names[arrivals.items]}
    return without_verdict(dataset_of(variables, coords, attrs), judged=bar is not None)


def _times(ratings: Rated, order: str) -> Times:
    """Return the times at which items arrived; errors name the option ``order``."""
    try:
        return times_of(ratings, order)
    except IaaError as error:
        here = error.message.replace(keyword("by", order), keyword("order", order))
        raise IaaError(here) from None


def _variables(looks: Looks, arrivals: Arrivals, confidence: float, bounds: Bounds) -> Variables:
    one_look = looks.at_one_look(confidence)
    columns = {
        "arrival": arrivals.names[looks.arrivals],
        "items": looks.items,
        "estimate": looks.estimate,
        "ci_low": looks.ends.low,
        "ci_high": looks.ends.high,
        "standard_error": looks.error,
        "one_look_ci_low": np.fmax(one_look.low, bounds.lower),
        "one_look_ci_high": np.fmin(one_look.high, bounds.highest),
    }
    if looks.evidence is not None:
        columns |= {
            "e_value": looks.evidence.above,
            "e_value_below": looks.evidence.below,
            "e_value_fallen": looks.fallen,
        }
    return {name: ("look", values) for name, values in columns.items()}


def _notes(looks: Looks, arrivals: Arrivals, order: str | None) -> Iterator[Note]:
    ratings_each = arrivals.panel
    before, most = int(ratings_each[: arrivals.ends[0]].max()), int(ratings_each.max())
    if most > before and not looks.why:
        came = str(arrivals.names[arrivals.arrival_of[int(np.argmax(ratings_each == most))]])
        yield Note("most_rose", {"most": most, "before": before, "at": came}, "caution")
    if order is None:
        yield Note("no_order" if len(arrivals.ends) == 1 else "runs_are_arrivals")
    elif order != ORDER:
        yield Note("random_order")
    times = looks.times_as_wide(0.95)
    if not looks.why and times >= _FAR_WIDER:
        yield Note("far_wider")


def _against(
    against: xr.Dataset,
    computing: Computing,
    coefficient: CoefficientLike | None,
    bounds: tuple[float, float] | None,
    label_options: LabelOptions,
    options: IntervalOptions,
    method: str | None,
) -> Looks:
    """Return a single look at the other ratings, in which all items count as arrived."""
    ratings = Rated.of(against, computing)
    _check(ratings, None)
    request = one_coefficient(Resolver(ratings, label_options), coefficient)
    bounds = bounds_of(ratings, request, bounds)
    arrivals = arrivals_of(ratings, None, options.seed, 2)
    plain = replace(options, sampling=None)
    return looks_at(ratings, request, arrivals, None, bounds, plain, method, compared=True)


def _differences(looks: Looks, other: Looks) -> Variables:
    """Return the difference at each look, and its ends, which hold while both intervals hold."""
    low, high = (float(end[-1]) for end in other.apart)
    return {
        "difference": ("look", looks.estimate - float(other.estimate[-1])),
        "difference_ci_low": ("look", looks.apart.low - high),
        "difference_ci_high": ("look", looks.apart.high - low),
    }


def _side_of_zero(variables: Variables) -> int:
    low, high = (float(variables[f"difference_ci_{end}"][1][-1]) for end in ("low", "high"))
    return int(low > 0) - int(high < 0)


def _conclude(looks: Looks, bar: float | None, threshold: float) -> str:
    if np.isnan(looks.estimate[-1]):
        return "undefined"
    side = 0 if bar is None else int(looks.side(bar)[-1])
    fallen = looks.fallen[-1] >= threshold and looks.since[-1] > 0
    if fallen and (looks.moved or side >= 0):
        return "fallen"
    if looks.moved:
        return "moved"
    if bar is None:
        return "followed"
    return {1: "above", -1: "below", 0: "open"}[side]


def _check_record(record: xr.Dataset, settings: dict[str, object]) -> None:
    made_by = getattr(record, "attrs", {}).get("made_by")
    if made_by != "watch" or not {"digest", "came"} <= {*record.data_vars}:
        raise IaaError(f"{named('record')} must be a result of iaa_jax.watch, and this is not one")
    for name, value in settings.items():
        _check_setting(record, name, value)


def _check_setting(record: xr.Dataset, name: str, value: object) -> None:
    before = record.attrs.get(name)
    if before != value:
        was, now = (
            "none" if each in ("", 0) and name != "seed" else repr(_plain(each))
            for each in (before, value)
        )
        raise IaaError(
            f"the {keyword('record')} was made with {name.replace('_', ' ')} {was}, and now it is "
            f"{now}: keep to it, or {BEGIN_ANEW}"
        )


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def _check_seen(record: xr.Dataset, settings: dict[str, object], looks: Looks) -> None:
    """Refuse ratings that would change ends shown earlier, because of new labels, for example."""
    _check_setting(record, "method", settings["method"])
    _, here, there = np.intersect1d(looks.arrivals + 1, record["look"].values, return_indices=True)
    for name, now in zip(("ci_low", "ci_high"), looks.ends, strict=True):
        # an end below 0 may be the least possible coefficient, which depends on the ratings
        before, again = (np.fmax(each, 0.0) for each in (record[name].values[there], now[here]))
        if not np.allclose(before, again, rtol=0, atol=_SAME, equal_nan=True):
            raise IaaError(
                "the new ratings would change intervals that were shown before, because there are "
                f"new labels (declare all labels with {keyword('labels')}), or items with more "
                f"ratings than any before; {BEGIN_ANEW}"
            )


def _check(ratings: Rated, bar: float | None) -> None:
    if bar is not None and not (is_number(bar) and bar < 1):
        raise OptionError(f"{named('bar')} must be a number below 1, not {bar!r}")
    if ratings.weight is not None or not ratings.are_in_order:
        raise IaaError(
            "watching takes items one by one, and these rows stand for several items each: give "
            "the ratings as they were made, without counts"
        )
