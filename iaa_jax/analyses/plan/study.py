"""How many more items or annotators a target needs, planned from a pilot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import xarray as xr

from iaa_jax._checks import MOST_DRAWS
from iaa_jax._errors import OptionError
from iaa_jax.analyses.plan import declared
from iaa_jax.analyses.plan.conclusion import OF_DESIGNS, conclude
from iaa_jax.analyses.plan.error_model import refuse_sampling
from iaa_jax.analyses.plan.figures import (
    MOST_PER_ITEM,
    Costs,
    annotators_of,
    cheapest_of,
    figures_of_plan,
    figures_of_sampling,
    items_of,
    looks_of,
    needs_of,
    table_of,
    whole_numbers,
)
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.looks import EXPONENT, SPENT, plan_looks
from iaa_jax.analyses.plan.model import too_large
from iaa_jax.analyses.plan.pilot import (
    VarianceCurve,
    curve_of,
    pilot_of,
    rated_twice,
    replicates_of_pilot,
)
from iaa_jax.analyses.plan.pilot_adequacy import freedom_of, half_widths, overlap_items_of, wider_of
from iaa_jax.analyses.plan.projection import Projection, error_model_of
from iaa_jax.analyses.plan.simulated import (
    SimulatedItems,
    designs_to_simulate,
    mark_designs,
    simulate_designs,
)
from iaa_jax.engine.rows import tell
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import Whole
from iaa_jax.measure.options.interval import check_replicates
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import dataset_of, provenance_of_figures, with_notes
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives

HALF_WIDTH = 0.05

POWER = 0.8


@public
@requires(replicates=Whole(0, MOST_DRAWS), simulations=Whole(0, MOST_DRAWS))
@gives(declared)
def plan(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    half_width: float | None = None,
    null: float | None = None,
    power: float | None = None,
    assurance: float | None = None,
    items: Sequence[int] | None = None,
    per_item: Sequence[int] | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    looks: int | Sequence[float] | None = None,
    spending: str = SPENT,
    exponent: float = EXPONENT,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    replicates: int = 500,
    simulations: int = 500,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Plan from a pilot how many items and annotators a target needs.

    Items with one rating are left out, except in the pilot's own estimate and interval.

    With U_i the influences of the pilot's n items, the variance that one item contributes is ``V =
    sum U_i^2 / (n - 1)``, and the standard error of N items is ``sqrt(V / N)``. With m ratings per
    item, the variance is ``V(m) = a + b / m + c / (m (m - 1))``. It is estimated by leaving out
    ratings of the pilot: any ratings of an item, or whole annotators if the coefficient depends on
    who rated. Only more items reduce the part due to a. The covariance of items of a cluster, and
    the variance of random annotators, are added. V is itself uncertain, in the pilot and in the
    planned sample; a plan allows for both by the F distribution. Some designs are checked on
    simulated ratings, which are drawn from the pilot if it has enough, and otherwise from a model.
    For spans, there is no model: further annotators are assumed to help as little as is compatible
    with the pilot, and two annotators show nothing about a third.

    Parameters
    ----------
    ratings : xarray.Dataset
        The pilot: ratings as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the signature of those in `iaa_jax.kernels`;
        Krippendorff's alpha by default, strict F1 for spans.
    half_width : float, optional
        Target half-width of the interval; 0.05 if neither ``half_width`` nor ``null`` is given.
    null : float, optional
        The value to rule out, above which the lower end of the interval must lie.
    power : float, optional
        The probability of ruling out ``null``; by default 0.8.
    assurance : float, optional
        The probability that the planned items reach the target. For a half-width, this is the share
        of samples of that size whose interval is no wider, by default 0.8. For a power, it is the
        probability that this number of items gives that power, by default 0.65, because .8 takes
        several times as many items.
    items, per_item : sequence of int, optional
        Rows and columns of the table: items in all, and annotators (ratings) per item. If
        ``per_item`` is a single number, it is m below; otherwise m is the pilot's.
    cost_item, cost_rating : float
        Cost of an item (to find and prepare) and of a rating, for the choice of the cheapest
        design.
    looks : int or sequence of float, optional
        Interim looks at the results: see `iaa_jax.plan.looks`.
    spending, exponent
        How the looks spend the error: see `iaa_jax.plan.looks`.
    label_options : LabelOptions
    options : IntervalOptions
    sampling : Sampling, optional
        Which units are random: by default items drawn one by one; with `iaa_jax.Sampling`, also
        clusters of items (such as documents), annotators, or items of a finite population.
        ``bayesian`` is refused.
    replicates : int
        Number of bootstrap replicates of the pilot, for the interval of the needed items, and to
        judge whether the pilot suffices; 0 for none.
    simulations : int
        Number of simulated sets of ratings for each design that is checked; 0 for none.
    progress : callable, optional
        Called with the steps done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``items`` and ``annotators``:

        DESIGNS

        For simulated designs, which must reach a target by both formula and simulation (NaN for
        other designs):

        SIMULATED

        Along ``annotators``:

        NEEDS
        ANNOTATORS

        As scalars, NaN where a target cannot be reached; m is ``planned_annotators``:

        PILOT
        NEEDED
        CHEAPEST
        VARIED

        With both ``half_width`` and ``null``, the result also has the needed and planned numbers
        for each of them alone, such as ``needed_items_half_width`` and ``needed_items_null``.

        Further scalars, which show whether the pilot is informative enough:

        CERTAINTY
        SAMPLED

        With ``looks``, along ``look``:

        OF_PLANNED_LOOKS

        ``attrs["conclusion"]``: "annotate" (``planned_items`` with ``planned_annotators`` each);
        "pilot_suffices" (the pilot's interval is narrow enough, and lies above ``null``; the
        planned items are for a study without the pilot); "pilot_too_small" (the pilot does not show
        how many items are needed); "few_items_decide" (the same, because at least half of the
        pilot's variance comes from a few items that many annotators rated, such as control items:
        plan again without them); "out_of_reach" (if the pilot's estimate is the true value, no
        number of items shows that it lies above ``null``, or no number makes up for too few
        annotators). A goal is refused if the pilot's estimate does not exceed ``null``, or if the
        pilot does not show how many items the goal needs. Then the items and designs for this goal
        are NaN; another goal keeps its figures. The notes give the numbers and the assumptions.
        Further attributes are the goal, the components (``between_items`` a, ``between_ratings`` b,
        ``between_pairs`` c, and their source, ``components``), the ``model``, and the options.

    Raises
    ------
    IaaError
        If the pilot shows no variation or its coefficient is undefined, or an option is unknown or
        out of range.

    References
    ----------
    Hoeffding, W. (1948). A class of statistics with asymptotically normal distribution. Annals of
    Mathematical Statistics 19(3), 293-325. https://doi.org/10.1214/aoms/1177730196

    Kupper, L. L. and Hafner, K. B. (1989). How appropriate are popular sample size formulas? The
    American Statistician 43(2), 101-105. https://doi.org/10.1080/00031305.1989.10475628

    Anderson, S. F., Kelley, K. and Maxwell, S. E. (2017). Sample-size planning for more accurate
    statistical power. Psychological Science 28(11), 1547-1562.
    https://doi.org/10.1177/0956797617723724

    Examples
    --------
    >>> import numpy as np, iaa_jax as iaa
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, (60, 1))
    >>> pilot = iaa.from_wide(np.where(rng.random((60, 3)) < 0.8, truth, 1 - truth))
    >>> result = iaa.plan(pilot, "fleiss_kappa", half_width=0.1, simulations=0)
    >>> result.attrs["conclusion"], int(result.pilot_items), int(result.planned_items)
    ('annotate', 60, 179)
    """
    costs = Costs(cost_item, cost_rating)
    costs.check()
    if looks is None and (spending, exponent) != (SPENT, EXPONENT):
        raise OptionError(
            f"{named('spending')} and {named('exponent')} set how interim looks spend the error: "
            f"give {keyword('looks')} as well"
        )
    if replicates:
        what = f"an interval of {100 * options.confidence:g} %"
        check_replicates(replicates, (1 - options.confidence) / 2, what, "0 for none")
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    random = request.interval(options).random
    refuse_sampling(random, looks=looks is not None)
    twice = rated_twice(resolver, label_options)
    of_twice = one_coefficient(twice, coefficient)
    resampling = resampling_of(random, twice.tables)
    pilot = pilot_of(twice, of_twice, resampling.clusters)
    (measured,) = measure_full_sample(resolver, [request], options)
    pilot = pilot.with_estimate(float(measured.agreement.estimate))
    is_default = half_width is None and null is None
    if is_default:
        half_width = HALF_WIDTH
    goal = Goal(
        half_width,
        null,
        POWER if power is None else power,
        options.confidence,
        assurance=assurance,
    ).checked(power)
    if per_item is not None:
        per_item = whole_numbers("per_item", per_item, most=MOST_PER_ITEM).tolist()
    steps = _Steps(progress)
    curve, fixed = curve_of(twice, of_twice, pilot, wanted=per_item is not None, seed=options.seed)
    steps.done()
    error_model = error_model_of(twice, of_twice, pilot, curve, random)
    requested = float(per_item[0]) if per_item is not None and len(per_item) == 1 else None
    projection = Projection(pilot, curve, goal, error_model, requested=requested)
    goal = goal.for_pilot(pilot.estimate, projection.pilot_half_width)
    projection = projection.for_goal(goal)
    of_pilot = replicates_of_pilot(pilot, curve, error_model, replicates, options.seed)
    projection = replace(projection, freedom=freedom_of(pilot, of_pilot))
    steps.done()
    columns = annotators_of(projection, per_item)
    rows = items_of(projection, items)
    variables = table_of(projection, rows, columns, costs)
    variables |= needs_of(projection, columns, of_pilot, costs)
    interval = float(measured.low), float(measured.high)
    heavy = overlap_items_of(twice, of_twice.problem)
    wider = wider_of(projection, half_widths(of_twice, options, resampling, pilot.items))
    variables |= figures_of_plan(projection, of_pilot, interval, heavy, wider)
    variables |= figures_of_sampling(projection)
    coords: dict[str, object] = {"items": rows, "annotators": columns}
    attrs = {
        **provenance_of_figures(resolver, "plan", [request], clusters=resampling.cluster_count),
        "coefficient": request.name,
        "weights": request.used,
        "confidence": options.confidence,
        "replicates": int(replicates),
        "seed": options.seed,
        **random.record(),
        **goal.attrs(),
        "goal_is_default": int(is_default),
        **_components_of(curve),
        "undefined_replicates": of_pilot.undefined,
        "cost_item": float(cost_item),
        "cost_rating": float(cost_rating),
        "simulations": int(simulations),
        "model": "",
    }
    if looks is not None:
        boundaries = plan_looks(
            looks, confidence=options.confidence, spending=spending, exponent=exponent
        )
        variables |= looks_of(projection, boundaries)
        coords["look"] = boundaries["look"].values
        attrs |= {k: boundaries.attrs[k] for k in ("spending", "exponent") if k in boundaries.attrs}
    notes = [] if fixed is None else [Note("fixed", {"why": fixed})]
    if attrs["single_rated_items"]:
        notes.insert(0, Note("single_ratings", {"items": attrs["single_rated_items"]}))
    if simulations and not error_model.plain:
        notes.append(Note("only_items_simulated"))
    elif simulations and too_large(pilot.problem):
        notes.append(Note("nothing_simulated"))
    elif simulations:
        steps.more(len(designs_to_simulate(projection, rows, columns)))
        source = SimulatedItems(twice, projection, options.seed)
        sets = simulate_designs(
            projection, source, rows, columns, simulations, options.seed, steps.done
        )
        variables |= sets.variables
        variables |= mark_designs(projection, variables)
        attrs["model"] = sets.model
        notes += sets.notes
    best = cheapest_of(variables, projection, columns)
    result = dataset_of({**variables, **best}, coords, attrs)
    answer = conclude(result)
    if answer.refused:
        notes = [note for note in notes if note.code not in OF_DESIGNS]
    result = with_notes(answer.without_refused(result), [*answer.notes, *notes])
    result = result.assign_attrs(conclusion=answer.conclusion)
    return without_verdict(result, {note.code for note in answer.notes}, judged=True)


class _Steps:
    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._progress, self._count, self._total = progress, 0, 2

    def more(self, steps: int) -> None:
        self._total += steps

    def done(self) -> None:
        self._count += 1
        tell(self._progress, self._count, self._total)


def _components_of(curve: VarianceCurve | None) -> dict[str, object]:
    if curve is None:
        return {"components": "none"}
    components = curve.components
    return {
        "components": components.source,
        "between_items": float(components.fitted[0]),
        "between_ratings": float(components.fitted[1]),
        "between_pairs": float(components.fitted[2]),
    }
