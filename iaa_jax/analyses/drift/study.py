"""Agreement over time or by batch: windows, a trend and the largest step, with tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import xarray as xr

from iaa_jax._checks import MOST_DRAWS, MOST_POINTS
from iaa_jax._errors import REASONS, IaaError, OptionError
from iaa_jax.analyses.drift import declared
from iaa_jax.analyses.drift.annotators import courses, who_rated
from iaa_jax.analyses.drift.batch_estimates import FINDINGS, batch_estimates, deviation_of, trend_of
from iaa_jax.analyses.drift.composition import compositions, counts_by_label, label_change
from iaa_jax.analyses.drift.conclusion import conclude
from iaa_jax.analyses.drift.contrasts import larger_p_values
from iaa_jax.analyses.drift.curve import curve_of
from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.analyses.drift.shuffles import shuffled_p_values
from iaa_jax.analyses.drift.steps import steps_of
from iaa_jax.analyses.drift.timeline import codes_of
from iaa_jax.analyses.drift.windows import usual_bandwidth
from iaa_jax.data.notices.similar import alike
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import FEW_ITEMS
from iaa_jax.measure.intervals.measurement import pair_counts_of
from iaa_jax.measure.intervals.uncertainty import unsteady_pairs_note
from iaa_jax.measure.options.declared import Whole
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.options.resolved_interval import for_differences, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import MANY_UNDEFINED, dataset_of, provenance_of_figures, with_notes
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.measure.shared.times import Times, times_of
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives


@public
@requires(points=Whole(2, MOST_POINTS), permutations=Whole(0, MOST_DRAWS))
@gives(declared)
def drift(
    ratings: Rated,
    by: str = "time",
    coefficient: CoefficientLike | None = None,
    *,
    order: Sequence[object] | None = None,
    bandwidth: float | str | np.timedelta64 | None = None,
    points: int = 50,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    permutations: int = 999,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Estimate how agreement changes over time or from batch to batch, and test whether it does.

    Local estimates are along ``point``: one for each batch, or one for each window in time. In a
    window with centre t and bandwidth h, an item at time t_i counts with its weight times
    ``1 - ((t_i - t) / h)^2`` (Epanechnikov). The weights are then scaled to add up to
    ``(sum w)^2 / sum w^2`` items (Kish). At both ends of the period, windows extend inwards only.

    The coefficient before and after each of up to 200 cuts is along ``cut``. If times are batches,
    it is the mean of the estimates of the batches before or after the cut, weighted by 1 / SE^2.

    There are tests for a trend, a step, and a deviation of a single batch or stretch of items, and
    a test of all three together. Each p-value is the larger of two. One compares the estimates of
    batches, or of stretches of items, with their distribution under equal agreement, and allows for
    labels that become rarer or more frequent. The other comes from shuffling the times among the
    items.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item``, or along items and their ratings. In the latter
        case an item gets the median time of its ratings (the earlier of two middle times).
    by : str
        Name of the coordinate. Its values are numbers, dates (also as text), or batches. Batches
        are text such as "batch 2" in natural order, months and days of the week in calendar order,
        other text in order of first appearance, and numbers or dates with at most 12 different
        values. "order", if no coordinate has that name, takes the items in their order in the data.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the signature of those in `iaa_jax.kernels`;
        Krippendorff's alpha by default, for spans strict F1.
    order : sequence of str, optional
        All batches in order of time, if their names do not show the order.
    bandwidth : float, str or timedelta, optional
        Half the width of a window in units of time (days for dates, or text such as "36h"). The
        default is chosen so that the median of the effective numbers of items around each item is
        ``n^(4/5)``, at least 30, for n items with two ratings, as far as the period allows. With a
        bandwidth, numbers and dates count as continuous, however few different values there are.
    points : int
        Number of windows, evenly spaced from the first item to the last; batches have one each.
    label_options : LabelOptions
    interval : {"auto", "percentile", "basic", "bca", "normal", "t"} or None
        Kind of the intervals and of the band. For labels, "auto" draws from a posterior
        ("empirical_bayes"), so that windows of few items have good coverage, too. The prior of each
        window is worth two average items and the pseudo-item of `iaa_jax.agreement`. Otherwise
        "auto" resamples items ("bca"). If either would take long, "auto" is "normal",
        and the band uses Gaussian multipliers of the influences; with clusters or random annotators
        it is then as wide as Student's t demands. ``overall`` has the interval of
        `iaa_jax.agreement`; intervals of ``slope`` and ``period_change`` are always normal
        (Student's t with random annotators). None gives neither intervals nor a band; standard
        errors, tests and the time of the step remain.
    sampling : Sampling, optional
        ``Sampling(cluster=)`` names a coordinate along items: whole clusters, such as documents,
        are drawn and shuffled, and "auto" is "t". With ``annotators="random"`` standard errors
        include the effect of leaving each annotator out of all times together, and "auto" is "t",
        too.
    options : IntervalOptions
    permutations : int
        Number of shuffles of times, and of draws under equal agreement, per p-value; 0 for none.
        With more than 5e8 combinations of a shuffle, a window or side of a cut, and a distinct row
        of ratings, the tests by shuffles use first-order statistics, for the data and the shuffles
        alike; the estimates in the result are exact.
    progress : callable, optional
        Called with the number of replicates or shuffles that are done, and their total number.

    Returns
    -------
    xarray.Dataset
        Along ``point``:

        POINTS

        Along ``cut``, whose coordinate is the first time after the cut:

        CUTS

        Along ``annotator``, and along ``label``:

        SIDES

        Along ``stretch`` (one of up to 12 batches, otherwise one of four parts with about equally
        many items; the coordinate is its first time) and ``annotator``, for up to 50 annotators;
        for numbers and spans without ``annotator_agreement``:

        COURSES

        Along ``finding`` ("slope", "step", "deviation"), the last variable also along ``given``:

        FINDINGS

        As scalars:

        SCALARS

        ``attrs["conclusion"]``, at the level 1 - ``confidence``: "step", "trend" or "deviation" (a
        single batch or stretch), whichever explains the estimates best (for batches in no known
        order, a deviation takes precedence); several of them, such as "step_or_trend", if the
        estimates do not show which; "unclear" (significant together, but none alone); "no_drift";
        for two batches "two_differ" or "two_alike"; "untested". The notes give the numbers.

        Further attributes: ``unit``, ``bandwidth``, ``band_cut`` (number of points where the band
        was truncated), ``kind`` ("batches" or "continuous"), ``overall_interval`` (the kind of
        interval of ``overall``), ``permuted`` ("anew" if coefficients are computed for each
        shuffle, otherwise "first_order"), and how the result was made.

    Raises
    ------
    IaaError
        If there is no such coordinate, it cannot be read as times, or an option does not fit.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a"], ["b", "b"]] * 30 + [["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]] * 15
    >>> ratings = iaa.from_wide(rows).assign_coords(week=("item", [i // 20 for i in range(120)]))
    >>> result = iaa.drift(ratings, "week", "cohen_kappa", replicates=200, permutations=199)
    >>> result.attrs["conclusion"], float(result.change_at), float(result.change_p_value)
    ('step', 3.0, 0.005)
    >>> round(float(result.change_before), 3), round(float(result.change_after), 3)
    (1.0, 0.0)
    """
    requested, options = options, _checked(options)
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    times = times_of(ratings, by, continuous=bandwidth is not None, order=order)
    reach = _in_units(bandwidth, times)
    setup = DriftSetup.of(resolver, request, times, options, points, reach, permutations)
    of_all, overall_interval = _full_sample(setup, resolver, coefficient, requested)
    local = curve_of(setup, progress)
    counts = counts_by_label(resolver, codes_of(resolver, setup.request))
    estimates = batch_estimates(setup, counts, permutations)
    steps = steps_of(setup, estimates)
    around, coords = compositions(resolver, times, steps.change)
    of_annotators, stretches = courses(resolver, times)
    shuffled, permuted = shuffled_p_values(setup, permutations, progress)
    untested = np.isnan(setup.overall) or not permutations
    p_values = {
        f"{name}p_value": ((), np.nan if untested else value)
        for name, value in zip(
            ("slope_", "change_", "deviation_", ""),
            larger_p_values(estimates.p_values(), shuffled),
            strict=True,
        )
    }
    variables: dict[str, object] = {
        **local.variables,
        **of_all,
        "overall_code": ((), setup.local.code(setup.total) if np.isnan(setup.overall) else 0),
        **trend_of(setup, estimates),
        **steps.variables,
        **around,
        **of_annotators,
        **deviation_of(setup, estimates),
        **p_values,
        "any_change_p_value": ((), np.nan if untested else shuffled.family_wise),
        **label_change(resolver, times, options.random.cluster),
        **estimates.findings(),
    }
    coords |= stretches | {"finding": list(FINDINGS), "given": list(FINDINGS)}
    coords |= {"cut": steps.cut, "point": times.coordinate_of(setup.windows.at)}
    attrs = {
        **provenance_of_figures(resolver, "drift", [setup.request], resolve(options)),
        **_attrs_of(setup),
        **local.attrs,
        "overall_interval": overall_interval,
        "stretches": 0 if setup.batches else len(estimates.starts),
        "stretch_items": 0.0
        if setup.batches
        else setup.timeline.pairable_weight.sum() / len(estimates.starts),
        "permutations": permutations,
        "permuted": permuted if permutations else "",
        "clusters_shuffled": setup.clusters_shuffled,
    }
    result = dataset_of(variables, coords, attrs)
    for variable in result.variables.values():
        if variable.dtype.kind == "M":
            # files cannot hold whole numbers large enough for fractions of seconds
            variable.encoding = {"units": "seconds since 1970-01-01", "dtype": "float64"}
    conclusion, answer = conclude(result, times)
    notes = [
        *answer,
        *who_rated(result, times),
        *_time_notes(resolver, times),
        *local.notes,
        *steps.notes,
        *_remarks(setup, result),
    ]
    result = with_notes(result, notes).assign_attrs(conclusion=conclusion)
    return without_verdict(result, {"any_change", *(note.code for note in answer)})


def _checked(options: IntervalOptions) -> IntervalOptions:
    random, options = options.random, for_differences(options)
    interval = resolve(options)
    for name, value in (("bayesian", random.bayesian or None), ("population", random.population)):
        if value is not None:
            raise IaaError(
                f"{keyword(name, value)} is not available here: changes over time are tested by "
                "shuffles and standard errors, which need items that are random; "
                "iaa_jax.agreement_by takes this option, batch by batch"
            )
    if random.draws_annotators and interval.by_replicates:
        raise IaaError(
            f"{keyword('interval', interval.method)} draws only items: with random annotators "
            "give auto, normal or t"
        )
    interval.check(SIMPLE, sampling=("cluster", "annotators"), band=True)
    return options


def _full_sample(
    setup: DriftSetup,
    resolver: Resolver,
    coefficient: CoefficientLike | None,
    options: IntervalOptions,
) -> tuple[dict[str, object], str]:
    timed = np.isfinite(setup.times.position)
    if not timed.all():
        resolver = Resolver(resolver.tables.select_items(timed), resolver.options)
    (measured,) = measure_full_sample(resolver, [one_coefficient(resolver, coefficient)], options)
    error = measured.standard_error if options.interval else setup.all_items.error[0]
    variables: dict[str, object] = {
        "overall": ((), setup.overall),
        "overall_standard_error": ((), float(error)),
        "overall_ci_low": ((), float(measured.low)),
        "overall_ci_high": ((), float(measured.high)),
    }
    return variables, measured.interval


def _attrs_of(setup: DriftSetup) -> dict[str, object]:
    times, windows, timeline = setup.times, setup.windows, setup.timeline
    return {
        "coefficient": setup.request.name,
        "weights": setup.request.used,
        "by": times.by,
        "kind": "continuous" if times.batches is None else "batches",
        "in_order": int(times.in_order),
        "unit": times.unit,
        "span": float(timeline.time[-1] - timeline.time[0]),
        "bandwidth": np.nan if windows.bandwidth is None else windows.bandwidth,
        "usual_bandwidth": np.nan if setup.batches else usual_bandwidth(timeline, times.unit),
        "kernel": "batch" if setup.batches else "epanechnikov",
        "timed_items": float(timeline.weight.sum()),
        "windows_without_figure": int(windows.rows.few.sum()),
    }


def _time_notes(resolver: Resolver, times: Times) -> Iterator[Note]:
    """Yield notes on times, on similar batches, and on items without a time."""
    yield Note("times_read", {"by": times.by, "times": times.read_as})
    if times.middle:
        yield Note("middle_times", {"by": times.by})
    names = [] if times.names is None else [str(name) for name in times.names]
    if hardly_differ := [names[index] for group in alike(names) for index in group]:
        yield Note("batches_alike", {"names": hardly_differ}, "caution")
    untimed = float(resolver.tables.item_weight[~np.isfinite(times.position)].sum())
    if untimed:
        yield Note("untimed_items", {"items": untimed, "by": times.by}, "caution")


def _remarks(setup: DriftSetup, result: xr.Dataset) -> Iterator[Note]:
    request, alpha = setup.request, 1 - setup.options.confidence
    yield from request.notes
    if setup.options.interval is not None and request.interval(setup.options).by_name:
        yield Note("annotators_as_they_are", {"coefficient": request.name})
    if code := int(result["overall_code"]):
        yield Note("undefined_overall", {"reason": REASONS[code]})
    lost = result["undefined_replicates"]
    if int(lost.max()) > MANY_UNDEFINED * setup.options.replicates:
        yield Note("undefined_replicates", {"count": int(lost.sum())}, "caution")
    if float(result["p_value"]) > alpha >= float(result["any_change_p_value"]):
        yield Note("any_change", {"p": float(result["any_change_p_value"])})
    if loose := unsteady_pairs_note(request, pair_counts_of(setup.local.prepared, request)):
        yield Note("pairs_come_and_go", {"common": loose.values["common"]}, "caution")
    pairable = float(result.attrs["pairable_items"])
    if setup.options.interval is not None and pairable < FEW_ITEMS:
        yield Note("few_items", {"items": pairable}, "caution")
    if setup.options.interval is not None and setup.few_clusters is not None:
        yield setup.few_clusters


def _in_units(bandwidth: float | str | np.timedelta64 | None, times: Times) -> float | None:
    if bandwidth is None:
        return None
    if times.names is not None:
        raise IaaError(
            f"{keyword('bandwidth')} is for numbers and dates, and {keyword('by', times.by)} are "
            "batches"
        )
    number: float | str | np.timedelta64 = bandwidth
    if isinstance(bandwidth, str):
        try:
            number = float(bandwidth)
        except ValueError:
            number = bandwidth
    if not isinstance(number, int | float | np.floating | np.integer):
        import pandas as pd

        try:
            number = pd.Timedelta(number) / pd.Timedelta(days=1)
        except ValueError:
            raise OptionError(
                f"{named('bandwidth')} must be a number, or a time such as '36h' or '7D', not "
                f"{bandwidth!r}"
            ) from None
        if times.origin is None:
            raise IaaError(
                f"{keyword('by', times.by)} are numbers: give {keyword('bandwidth')} in the same "
                "unit"
            )
    if not (np.isfinite(number) and number > 0) or isinstance(bandwidth, bool):
        raise OptionError(f"{named('bandwidth')} must be above 0, not {bandwidth!r}")
    return float(number)
