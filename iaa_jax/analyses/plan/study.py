"""From a pilot, how many more items or annotators a target needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.analyses.plan.design import (
    Design,
    Pilot,
    Replicates,
    Shape,
    pilot_of,
    quantiles,
    replicates_of_pilot,
    shape_of,
)
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.grid import (
    cheapest_of,
    columns_of,
    needs_of,
    rows_of,
    table_of,
)
from iaa_jax.analyses.plan.looks import drift_for, interim_looks
from iaa_jax.analyses.plan.model import too_large
from iaa_jax.analyses.plan.simulated import Source, checked, marked, simulated
from iaa_jax.analyses.plan.variance import Components
from iaa_jax.measure.interval import IntervalOptions, check_replicates
from iaa_jax.measure.items import resolver_of, single
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.request import CoefficientLike, Resolver, is_whole
from iaa_jax.measure.results import provenance_of

HALF_WIDTH = 0.05
"""What is planned for unasked."""

POWER = 0.8

SMALL = 50
"""Items below which a pilot's own variance is hardly known."""

HARDLY = 0.05
"""Share of the items that an annotator more has to save to be worth a word."""

_MOST_ANNOTATORS = 50


def plan(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    half_width: float | None = None,
    null: float | None = None,
    power: float | None = None,
    items: Sequence[int] | None = None,
    annotators: Sequence[int] | None = None,
    population: float | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    looks: int | Sequence[float] | None = None,
    spending: str = "obrien_fleming",
    exponent: float = 2.0,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    confidence: float = 0.95,
    replicates: int = 500,
    simulations: int = 500,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """How many items and annotators a target needs, from a pilot.

    With U_i the influences of the n items of the pilot, an item brings the variance ``V = sum
    U_i^2 / (n - 1)``; the standard error of N items is ``sqrt(V / N)``. With m ratings an item it
    is ``V(m) = a + b / m + c / (m (m - 1))``, found by leaving ratings of the pilot out (any of an
    item's, or whole annotators where the coefficient asks who rated). Only more items make a
    smaller. Some designs are checked on simulated ratings.

    Parameters
    ----------
    ratings : xarray.Dataset
        The pilot: ratings as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function of the kernels' shape; Krippendorff's alpha by
        default.
    half_width : float, optional
        The interval is to reach so far to each side. 0.05 if neither this nor ``null`` is given.
    null : float, optional
        The value to be ruled out: the lower end of the interval is to lie above it.
    power : float, optional
        How likely that is to be; 0.8 if not given.
    items, annotators : sequence of int, optional
        Rows and columns of the table: items in all, and annotators (ratings) an item.
    population : float, optional
        Number of items of the finite population that the items are drawn from.
    cost_item, cost_rating : float
        What an item costs (to find and prepare), and a rating; the cheapest design is named.
    looks : int or sequence of float, optional
        Looks at the figures on the way: see `iaa_jax.interim_looks`, also for ``spending`` and
        ``exponent``.
    weights, weights_on, level, distance, p, min_common
        How labels agree, and the options of pairwise coefficients: see `iaa_jax.agreement`.
    confidence : float
        Of the interval that is planned, and of those of the needed items.
    replicates : int
        Bootstrap replicates of the pilot, for the interval of the needed items; 0 for none.
    simulations : int
        Simulated sets of ratings for each design that is checked; 0 for none.
    seed : int
        Of both.
    progress : callable, optional
        Called with the steps done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``items`` and ``annotators``: ``standard_error``, ``half_width``, ``power`` and
        ``cautious_power`` (with ``null``), ``reaches_half_width``, ``reaches_power`` (both by the
        simulation as well where it differs), ``ratings``, ``cost``, and where simulated (NaN
        elsewhere) ``simulated_standard_error``, ``simulated_estimate``, ``simulated_half_width``,
        ``simulated_share`` (of sets whose half-width is at most the target), ``simulated_power``
        and ``simulated_cautious_power`` (moved to the true value that is planned for),
        ``simulated_on_model`` (not on the pilot's own ratings) and ``simulated_differs`` (from the
        formula by more than 5 %, or a power by more than .02, and two Monte-Carlo errors).

        Along ``annotators``: ``variance`` V(m), ``items_needed`` if the pilot's estimate is the
        true value, with ``items_needed_low`` and ``items_needed_high`` (its interval);
        ``items_planned``, with ``null`` the items if the true value is only ``cautious_estimate``,
        the lower end of the pilot's 80 % interval (unless that takes 10 times as many), with
        ``ratings_planned`` and ``cost_planned``; ``doubted``, where the simulation of the planned
        items differs.

        Without an axis: ``estimate``, ``pilot_standard_error``, ``pilot_half_width``,
        ``pilot_low``, ``pilot_high``, ``pilot_items``, ``pilot_annotators`` (ratings an item on
        average, ``_fewest``, ``_most``). Of items that all have ``planned_annotators``, the whole
        number next to the pilot's: ``needed_items`` (``_low``, ``_high``), ``cautious_items`` and
        ``planned_items`` as above; ``uneven_items``, the planned ones with panels as in the pilot.
        With both ``half_width`` and ``null`` all of these also for each alone, as
        ``needed_items_half_width`` and ``needed_items_null``. ``needed_annotators`` on as many
        items as in the pilot; the cheapest design of the table (of those where formula and
        simulation agree), ``best_items``, ``best_annotators``, ``best_cost``. NaN where a target
        cannot be reached. Where annotators can be varied: ``between_share`` (``_low``, ``_high``),
        the share of the pilot's V that only more items reduce, and ``enough_annotators``, beyond
        whom one more saves less than 5 % of the items. With ``looks``, along ``look``:
        ``look_items``, ``look_fraction``, ``look_z``, ``look_half_width`` of the repeated interval,
        ``look_single_half_width`` of an interval that is looked at once, ``look_p_value``,
        ``look_spent``.

        Attributes: how it was made, the components (``between_items`` a, ``between_ratings`` b,
        ``between_pairs`` c, and their source), the model, and a ``note``.

    Raises
    ------
    IaaError
        If the pilot shows no variation or its coefficient is undefined, or an option is unknown or
        out of range.

    References
    ----------
    Hoeffding, W. (1948). A class of statistics with asymptotically normal distribution. Annals of
    Mathematical Statistics 19(3), 293-325. https://doi.org/10.1214/aoms/1177730196

    Examples
    --------
    >>> import numpy as np, iaa_jax as iaa
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, (60, 1))
    >>> pilot = iaa.from_wide(np.where(rng.random((60, 3)) < 0.8, truth, 1 - truth))
    >>> found = iaa.plan(pilot, "fleiss_kappa", half_width=0.1, simulations=0)
    >>> int(found.pilot_items), int(found.needed_items)
    (60, 174)
    """
    options = IntervalOptions(None, confidence, max(int(replicates), 1), seed)
    options.check()
    _check(population, cost_item, cost_rating, replicates, simulations)
    if replicates:
        what = f"an interval of {100 * confidence:g} %"
        check_replicates(replicates, (1 - confidence) / 2, what, "0 for none")
    resolver = resolver_of(ratings, weights, weights_on, level, distance, p, min_common)
    request = single(resolver, coefficient)
    pilot = pilot_of(resolver, request, math.inf if population is None else float(population))
    if half_width is None and null is None:
        half_width = HALF_WIDTH
    goal = Goal(half_width, null, POWER if power is None else power, confidence)
    goal = goal.checked(pilot, power)
    told = _Steps(progress)
    shape, fixed = shape_of(resolver, request, pilot, wanted=annotators is not None, seed=seed)
    told.done()
    drawn = replicates_of_pilot(pilot, shape, replicates, seed)
    told.done()
    design = Design(pilot, shape, goal)
    columns = columns_of(pilot, shape, annotators)
    rows = rows_of(design, items)
    variables = table_of(design, rows, columns, cost_item, cost_rating)
    variables |= needs_of(design, columns, drawn, cost_item, cost_rating)
    variables |= _scalars(design, drawn)
    coords: dict[str, Any] = {"items": rows, "annotators": columns}
    attrs = {
        "coefficient": request.name,
        "weights": request.used,
        **_provenance(resolver, options, replicates),
        **goal.attrs(),
        **_said_of(shape),
        "fixed": fixed,
        "undefined_replicates": drawn.undefined,
        "population": design.population,
        "cost_item": float(cost_item),
        "cost_rating": float(cost_rating),
        "simulations": int(simulations),
    }
    if looks is not None:
        found, extra = _looks(design, looks, confidence, spending, exponent)
        variables |= found
        coords["look"] = np.arange(1, len(found["look_z"][1]) + 1)
        attrs |= extra
    notes = _warnings(pilot)
    if simulations and too_large(pilot.problem):
        notes.append("nothing is simulated: there are too many labels")
    elif simulations:
        told.more(len(checked(design, rows, columns)))
        source = Source(resolver, design, seed)
        sets = simulated(design, source, rows, columns, simulations, seed, told.done)
        variables |= sets.variables
        variables |= marked(design, variables)
        attrs["model"] = sets.model
        notes += sets.notes
    variables |= cheapest_of(variables, design, columns)
    attrs["note"] = "; ".join(notes)
    return xr.Dataset(variables, coords, attrs)


def _scalars(design: Design, replicates: Replicates) -> dict[str, Any]:
    pilot, goal = design.pilot, design.goal
    variance, (fewest, most) = design.variance(design.usual), pilot.panels
    low, high = goal.interval(pilot)
    found = {
        "estimate": pilot.estimate,
        "pilot_standard_error": pilot.error,
        "pilot_half_width": goal.z * pilot.error,
        "pilot_low": low,
        "pilot_high": high,
        "pilot_items": pilot.items,
        "pilot_annotators": pilot.ratings,
        "pilot_annotators_fewest": fewest,
        "pilot_annotators_most": most,
        "planned_annotators": design.usual,
        "planned_estimate": goal.planned(pilot),
        "needed_annotators": design.needed_annotators(),
    }
    if goal.null is not None:
        found["cautious_estimate"] = goal.cautious(pilot)
    for end, one in goal.parts().items():
        part = design.asking(one)
        low, high = part.left_open(replicates, design.usual)
        found |= {
            f"needed_items{end}": part.needed(variance),
            f"needed_items{end}_low": low,
            f"needed_items{end}_high": high,
            f"planned_items{end}": part.planned(variance),
            f"uneven_items{end}": part.planned(pilot.variance),
        }
        if one.null is not None:
            wanted = one.error(found["cautious_estimate"])
            found[f"cautious_items{end}"] = part.needed(variance, wanted)
    if design.shape is not None:
        own = design.shape.own
        ends = replicates.between_shares(design.usual)
        low = quantiles(ends[0], goal.confidence)[0]
        high = quantiles(ends[1], goal.confidence)[1]
        found["between_share"] = own.a / float(own.variance(design.usual))
        found["enough_annotators"] = _enough(own)
        found |= {"between_share_low": low, "between_share_high": high}
    return {name: ((), value) for name, value in found.items()}


def _enough(components: Components) -> float:
    """The fewest annotators beyond whom one more saves hardly any items; NaN for very many."""
    sizes = np.arange(2.0, _MOST_ANNOTATORS + 2)
    variance = components.variance(sizes)
    hardly = variance[1:] > (1 - HARDLY) * variance[:-1]
    return float(sizes[np.argmax(hardly)]) if hardly.any() else math.nan


def _looks(
    design: Design,
    looks: int | Sequence[float],
    confidence: float,
    spending: str,
    exponent: float,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """When to look, and how wide the intervals are then; with as many items as that needs."""
    found = interim_looks(looks, confidence=confidence, spending=spending, exponent=exponent)
    z, fraction = found["z"].values, found["fraction"].values
    goal, pilot = design.attainable.goal, design.pilot
    variance = design.variance(design.usual)
    drift = drift_for(fraction, z, goal.power) if goal.null is not None else math.nan
    items = design.needed(variance, goal.error(goal.planned(pilot), float(z[-1]), drift))
    if math.isnan(items):
        items = pilot.items
    # information is 1 / SE^2: with a finite population it grows faster than the items
    rest = 1 / design.population
    at = np.ceil(1 / ((1 / items - rest) / fraction + rest) - 1e-9)
    variables = {
        "look_items": ("look", at),
        "look_fraction": ("look", fraction),
        "look_z": ("look", z),
        "look_p_value": ("look", found["p_value"].values),
        "look_spent": ("look", found["spent"].values),
        "look_half_width": ("look", z * design.error(at, variance)),
        "look_single_half_width": ("look", goal.z * design.error(at, variance)),
    }
    return variables, {name: found.attrs[name] for name in found.attrs if name != "confidence"}


class _Steps:
    """Counts what is done, for whoever shows it."""

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._progress, self._count, self._total = progress, 0, 2

    def more(self, steps: int) -> None:
        self._total += steps

    def done(self) -> None:
        self._count += 1
        if self._progress is not None:
            self._progress(self._count, self._total)


def _said_of(shape: Shape | None) -> dict[str, Any]:
    if shape is None:
        return {"components": "none"}
    own = shape.own
    return {
        "components": own.source,
        "between_items": own.a,
        "between_ratings": own.b,
        "between_pairs": own.c,
    }


def _provenance(resolver: Resolver, options: IntervalOptions, replicates: int) -> dict[str, Any]:
    return provenance_of(resolver.ratings, "plan") | {
        "confidence": options.confidence,
        "replicates": int(replicates),
        "seed": options.seed,
    }


def _warnings(pilot: Pilot) -> list[str]:
    found = []
    if pilot.items < SMALL:
        found.append(
            f"the pilot has {pilot.items:g} items only: its spread, and so the plan, is hardly "
            "known, so plan again when more are there"
        )
    if pilot.pairable < 1:
        found.append(
            f"{100 * (1 - pilot.pairable):.1f} % of the pilot's items have one rating only, and "
            "the table is for items that all have as many ratings as its columns say"
        )
    return found


def _check(
    population: float | None,
    cost_item: float,
    cost_rating: float,
    replicates: int,
    simulations: int,
) -> None:
    if population is not None and not population >= 2:
        message = f"the population has 2 items or more, not {population!r}"
        raise IaaError(message)
    if not (cost_item >= 0 and cost_rating >= 0 and cost_item + cost_rating > 0):
        message = "costs of an item and of a rating are 0 or more, and one of them above 0"
        raise IaaError(message)
    for name, value in (("replicates", replicates), ("simulations", simulations)):
        if not is_whole(value) or value < 0:
            message = f"{name} is a whole number of 0 or more, not {value!r}"
            raise IaaError(message)
