"""Each annotator's agreement with the others, and the coefficient without each annotator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from iaa_jax._checks import numbers_of
from iaa_jax._errors import REASONS, IaaError
from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.diagnose import cases, declared, spans
from iaa_jax.analyses.diagnose.against_others import (
    AnnotatorEstimates,
    estimate_each_annotator,
    interval_of_each,
    lower_than_next,
)
from iaa_jax.analyses.diagnose.comparisons import comparisons
from iaa_jax.analyses.diagnose.conclusion import LeftOut, conclude
from iaa_jax.analyses.diagnose.influence import compare_without_each, leave_each_out
from iaa_jax.analyses.diagnose.label_estimates import Survey
from iaa_jax.analyses.diagnose.leanings import leanings_of
from iaa_jax.analyses.diagnose.pairs import (
    agreement_of_pairs,
    in_unit,
    items_left,
    numbers_of_annotators,
    ratings_of_each,
    too_many,
)
from iaa_jax.analyses.diagnose.ranking import (
    RANK,
    places_of_pairs,
    ranked_by,
    ranks,
    sort_rows,
    with_row_count,
)
from iaa_jax.analyses.diagnose.shifts import shift_notes, shifts_of
from iaa_jax.catalog import LEVELS
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Prepared, estimates
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import coverage_notes, informative_items
from iaa_jax.measure.options.declared import OneOf, Whole, keeps_empty_annotators
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Excluded, Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.partial_credit import partial_credit
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient, with_identities
from iaa_jax.measure.results import (
    MANY_UNDEFINED,
    provenance_of_figures,
    result_dataset,
    usual_interval,
    with_notes,
)
from iaa_jax.measure.shared.labels import sparse_shares
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

_FALLING = ("disagreement", "change", "leaning", "spans", "spans_ratio")
"""Variables that are sorted from high to low; other variables are sorted from low to high."""

_ALIKE = 1e-12
"""Maximum disagreement that counts as 0, because it is only rounding."""


@public
@keeps_empty_annotators
@requires(
    Excluded(
        "counts without annotators", "a table of annotators needs to know who gave which rating"
    ),
    options=Intervals(SIMPLE, sampling=("cluster",)),
    min_items=Whole(0),
    ties=OneOf(("split", "skip")),
    top=Whole(1),
)
@gives(declared)
def annotators(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    min_items: int = 0,
    ties: str = "split",
    annotator_weight: ArrayLike | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, without=("undefined", "dtype")),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Return each annotator's agreement with the others, bias, and effect on a coefficient.

    Let m_ai be the label of annotator a on item i (as shares), q_i the shares of the others' labels
    on item i, and D the disagreement of labels. Means are over the items that both annotator a and
    somebody else rated. ``kappa`` is ``1 - mean_i m_ai' D q_i / (p_a' D q)``, where p_a and q are
    the means of m_ai and q_i. It is Cohen's kappa of annotator a and the group of all others.
    ``agreement`` is the share of agreeing comparisons with other annotators' ratings.
    ``majority_agreement`` is the share of items on which annotator a chose the others' most
    frequent label. ``bias`` of a label is p_a - q. Automatic intervals for labels use percentiles
    of two posteriors: without a pseudo-item, and with a pseudo-item that half agrees and half
    disagrees. Each end of the interval is the percentile that is farther from the estimate.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them; annotators must be known.
    coefficient : str or callable, optional
        The coefficient to compute without each annotator: a name from the catalogue, or a function
        with the signature of those in `iaa_jax.kernels`; the default is Krippendorff's alpha, for
        spans strict F1.
    top : int, optional
        Return only this many annotators, the first by ``sort``.
    sort : str, optional
        A variable or coordinate to sort by, low agreement first; "-NAME" reverses the order. By
        default annotators stay in their order, and ``top`` alone sorts by ``rank``.
    min_items : int
        Minimum number of items that an annotator in the table shares with others. Annotators who
        share fewer items still count among the others.
    ties : {"split", "skip"}
        How an item counts if the others' most frequent label is tied. "split" gives equal credit
        for each of the tied labels; "skip" leaves out the item.
    annotator_weight : array (annotator,), optional
        Weight of each annotator among the others; equal by default.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``, as far as the ratings allow:

        ANNOTATORS

        Along ``annotator`` and ``label`` (for numbers, along ``annotator`` alone):

        BIAS

        Along ``annotator`` and ``annotator_2``, for up to 1,000 annotators (fewer with many
        labels):

        PAIRS

        Along ``annotator_2`` alone:

        PAIR_ORDER

        Along ``case``, the items on which the two annotators who agree least differ:

        CASES

        The attributes ``lowest_pair_1`` and ``lowest_pair_2`` name these two annotators;
        ``highest_pair_1`` and ``highest_pair_2`` name the two who agree most. Only pairs that share
        20 items (for spans, ten documents) or more count.

        An annotator has enough data if 20 items are shared with others or, for spans, if 20 spans
        are marked in ten documents. The attribute ``conclusion`` is "two_annotators" (without one
        of them no pair is left), "unanimous" (nobody disagrees), "undefined" (no annotator's
        agreement is defined), "nobody" (``min_items`` excludes everyone), "few" (fewer than two
        annotators have enough data, so that nobody is named), "level" (exactly two have enough
        data, and it is uncertain which of them agrees less), "close" (more than two have enough
        data, and it is uncertain who agrees least), or "compared".

        Unless the conclusion is "nobody", ``farthest`` is the annotator who agrees least with the
        others. If some annotators, but not all, have enough data, only these annotators are
        compared, and ``farthest_from`` is 20 (otherwise 0). Further attributes describe
        ``farthest``. ``farthest_agreement`` (for numbers, ``farthest_disagreement``),
        ``farthest_without`` and ``farthest_items_left`` are values of the table, and
        ``farthest_items`` is the number of shared items. ``farthest_others`` is
        ``others_agreement``, if known, unless all annotators rated nine tenths of the items or
        more. In its place, ``farthest_partner`` may name the only other annotator who rated nearly
        all items of ``farthest``. ``farthest_equal`` counts other annotators who agree as little.

        If labels have intervals, ``next_higher`` is the annotator with the next higher agreement,
        and ``next_higher_probability`` is the probability that this agreement is truly higher
        (uncertain below .9). ``rises_most`` is another annotator without whom the coefficient rises
        by more than .01. The rise is significant, and significantly larger than without
        ``farthest``. Further attributes of these two annotators begin with ``next_higher`` or
        ``rises_most``, such as ``rises_most_without``. If a few items (``heavy_items``) hold half
        of all comparisons, the order is by ``item_agreement``, and ``farthest_item_agreement``
        replaces ``farthest_agreement``.

        ``estimate`` is the coefficient of all annotators, with the ``reason`` if it is undefined.
        For label sets, ``partial_estimate`` is A_m, in addition to alpha.

    Raises
    ------
    IaaError
        If annotators are unknown, or an option is unknown or does not apply to the ratings.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004.
    https://doi.org/10.3115/1613984.1614004
    Fleiss, J. L. (1975). Measuring agreement between two judges on the presence or absence of a
    trait. Biometrics 31(3). https://doi.org/10.2307/2529549

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"]])
    >>> table = iaa.annotators(ratings, interval=None)
    >>> table.agreement.round(4).values, table.majority_agreement.round(4).values
    (array([0.6667, 0.6667, 0.3333]), array([0.6667, 0.6667, 0.3333]))
    >>> table.change.round(4).values, table.farthest
    (array([-0.3611, -0.3611,  0.8889]), 'annotator 3')
    """
    resolver = Resolver(ratings, label_options)
    size = ratings.annotators
    weight = _checked(annotator_weight, size)
    request = one_coefficient(resolver, coefficient)
    (of_all,) = estimates(Prepared([request.problem]))
    estimate = float(of_all.estimate)
    tables = resolver.tables
    if tables.weighs_annotators(request.problem.measure):
        problem = with_identities(resolver, request.problem)
        without, not_left_out = leave_each_out(
            problem, size, identified=request.problem.measure.identified
        )
    else:
        problem = None
        without, not_left_out = compare_without_each(tables, request.problem, size)
    rating_counts = ratings_of_each(tables.compact_codes, tables.identified_table.count, size)
    item_counts = items_left(tables.compact_codes, tables.identified_table.count, size)
    variables: Variables = {
        "ratings": ("annotator", rating_counts),
        "items_left": ("annotator", item_counts),
    }
    power = 0
    of_labels = tables.kind.has_labels
    resampling = resampling_of(options.random, tables)
    survey = Survey(resolver, options, resampling, progress)
    if of_labels:
        variables |= _agreement_with_others(survey, weight, ties)
    elif tables.kind is Kind.SPANS:
        spans.refuse_options_of_labels(ties, annotator_weight)
        variables |= spans.annotators(survey, request)
    else:
        of_numbers, power = numbers_of_annotators(resolver)
        variables |= of_numbers
    has_intervals = "agreement" in variables
    ranked = ranked_by(variables)
    rank = ranks(variables[ranked][1], falling=not has_intervals)
    of_pairs = "pair_shared_items" in variables
    variables |= places_of_pairs(variables)
    if not has_intervals:
        variables |= in_unit(variables, power)
    variables |= {
        "without": ("annotator", without),
        "change": ("annotator", without - estimate),
        RANK: ("annotator", rank),
    }
    notes = coverage_notes(tables, options, resampling.clusters) if has_intervals else []
    if not_left_out is not None:
        notes.append(not_left_out)
    if options.interval is not None and spans.too_many_to_draw(resolver):
        notes.append(Note("annotators_not_drawn", {"annotators": size}))
    if not of_pairs:
        values = {"annotators": size, "pairs": size * (size - 1) // 2}
        notes.append(Note("pairs_not_compared", values))
    # for spans, each estimate is the coefficient, with its usual interval
    of_spans_made = tables.kind is Kind.SPANS
    made = usual_interval(options, ratings.kind) if of_spans_made else interval_of_each(options)
    attrs = {
        **provenance_of_figures(
            resolver,
            "annotators",
            [request],
            made if has_intervals else None,
            notes,
            resampling.cluster_count if has_intervals else None,
        ),
        "coefficient": request.name,
        "weights": request.used,
        "estimate": estimate,
        "reason": REASONS[int(of_all.code)],
        **partial_credit(resolver, request, coefficient),
        "ties": ties,
        "heavy_items": tables.heavy_items if "item_agreement" in variables else 0,
    }
    label_coord = {"label": tables.labels} if has_intervals else {}
    if of_pairs:
        label_coord["annotator_2"] = ratings.annotator_names
    table = result_dataset(variables, ratings.along("annotator"), attrs, label_coord)
    # annotators whom ``min_items`` excludes still count here
    agreed = has_intervals and float((1 - table["agreement"]).max()) <= _ALIKE
    unanimous = agreed if has_intervals else not informative_items(tables)["disagreeing"]
    rows = np.flatnonzero(table["shared_items"].values >= min_items)
    table = table.isel(annotator=rows)
    left_out = None if problem is None else LeftOut(problem, rows, resampling.clusters)
    noted = [*_unsteady(table, options), *shift_notes(table, options.confidence)]
    table = with_notes(table, noted)
    table = without_verdict(conclude(table, size, left_out, unanimous=unanimous))
    table = cases.with_pair_cases(table, resolver, variables)
    if sort is None and top is None:
        return with_row_count(table, "annotator", size)
    return sort_rows(table, "annotator", sort, top, _FALLING)


def _checked(weight: ArrayLike | None, size: int) -> Floats:
    if weight is None:
        return np.ones(size)
    weights = numbers_of("annotator_weight", weight)
    if weights.shape != (size,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise IaaError(f"annotator_weight holds {size} finite numbers from 0 up, one per annotator")
    return weights


def _unsteady(table: xr.Dataset, options: IntervalOptions) -> list[Note]:
    """Return a caution on annotators whose agreement is undefined in many replicates.

    If the table has no replicates of ``agreement``, the replicates of ``kappa`` are counted.
    """
    replicates = [f"{name}_undefined_replicates" for name in ("agreement", "kappa")]
    known = [name for name in replicates if name in table]
    if not known or options.interval is None:
        return []
    unsteady = table[known[0]].values > MANY_UNDEFINED * options.replicates
    names = table["annotator"].values[unsteady].tolist()
    values = {"annotators": len(names), "share": MANY_UNDEFINED}
    note = Note("often_without_items", values, "caution")
    return [note.on(map(str, names))] if names else []


def _agreement_with_others(survey: Survey, weight: Floats, ties: str) -> Variables:
    tables = survey.resolver.tables
    shares = sparse_shares(tables)
    size, labels = len(weight), shares.shape[1]
    agreement = survey.resolver.label_agreements.matrix(None)
    disagreement = None if agreement is None else 1 - agreement
    codes, table = tables.compact_codes, tables.identified_table
    by_item = tables.heavy_items > 0
    compared = comparisons(codes, shares, disagreement, table, weight, ties, by_item=by_item)
    figures, items = estimate_each_annotator(compared, survey)
    variables: Variables = {
        "shared_items": ("annotator", items),
        "others_agreement": ("annotator", compared.among_others()),
    }
    of_items = ["item_agreement"] if by_item else []
    for name in ("agreement", *of_items, "kappa", "majority_agreement"):
        variables |= _variables(name, ("annotator",), figures[name])
    variables |= _variables("bias", ("annotator", "label"), figures["bias"])
    if survey.options.interval is not None and table.items >= 2:
        ranked = lower_than_next(compared, survey, "item_agreement" if by_item else "agreement")
        variables["lower_than_next"] = ("annotator", ranked)
    variables |= leanings_of(figures["bias"], items, tables, survey.options)
    level = survey.resolver.options.level
    if level is not None and LEVELS[level].needs_numbers:
        variables |= shifts_of(compared, tables.labels.astype(np.float64), survey)
    if too_many(size, labels):
        return variables
    pairs = agreement_of_pairs(codes, table.count, size, shares, disagreement)
    dims = ("annotator", "annotator_2")
    return variables | {f"pair_{name}": (dims, table) for name, table in pairs.items()}


def _variables(name: str, dims: tuple[str, ...], figures: AnnotatorEstimates) -> Variables:
    """Return an estimate as variables; estimates by label lack counts of undefined replicates."""
    parts = figures._asdict()
    variables: Variables = {name: (dims, parts.pop("estimate"))}
    if len(dims) > 1:
        del parts["undefined_replicates"]
    return variables | {f"{name}_{part}": (dims, values) for part, values in parts.items()}
