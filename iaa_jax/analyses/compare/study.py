"""Compare two sets of ratings: panels, guidelines, rounds, kinds of annotators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import xarray as xr

from iaa_jax._checks import MOST_DRAWS, is_auto
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.analyses.compare import declared
from iaa_jax.analyses.compare.clusters import item_clusters
from iaa_jax.analyses.compare.conclusions import OBSERVED, conclude, conclusions
from iaa_jax.analyses.compare.differences import (
    Difference,
    Pair,
    compare_coefficients,
    reason_against_permutation,
)
from iaa_jax.analyses.compare.margins import common_margins, label_facts, labels_moved
from iaa_jax.analyses.compare.pairing import (
    Pairing,
    facts_of_sets,
    on_shared,
    paired_items,
    pool_sets,
)
from iaa_jax.analyses.compare.permutations import Draws, regroup_annotators
from iaa_jax.analyses.compare.splitting import Halves, two_halves
from iaa_jax.analyses.compare.tests import BY_PERMUTATIONS
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.analyses.compare.variables import POWER, SMALL, variables_of
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import Whole
from iaa_jax.measure.options.interval import OF_NO_KIND, SIMPLE
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, for_differences, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request
from iaa_jax.measure.requests.studies import (
    DEFAULT,
    lead_of,
    one_coefficient,
    refuse_anonymous,
    single_figures,
)
from iaa_jax.measure.results import (
    dataset_of,
    left_out_of,
    notes_about,
    provenance_of_figures,
    with_notes,
)
from iaa_jax.measure.shared.labels import LABELS_TOGETHER, one_per_label
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives

Coefficients = CoefficientLike | Sequence[CoefficientLike] | None

USUAL = (DEFAULT, OBSERVED)
"""Coefficients of labels that ``iaa compare`` compares by default."""

COMPARED = ("empirical_bayes", *SIMPLE)
"""Methods of intervals if only items or clusters are random."""

BY_ERROR = ("normal", "t")
"""Methods of intervals if annotators, who are never resampled, are random."""

_OF_BOTH = ("task", "labels", "label_values", "labels_declared", "anonymous")


@public
@requires(permutations=Whole(0, MOST_DRAWS))
@gives(declared)
def compare(
    a: xr.Dataset,
    b: xr.Dataset | None = None,
    coefficients: Coefficients = None,
    *,
    by: str | None = None,
    between: Sequence[object] | None = None,
    names: Sequence[str] | None = None,
    paired: bool | Literal["auto"] = "auto",
    per_label: bool = False,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    permutations: int = 2000,
    margin: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Compare the agreement of two sets of ratings: the difference, its interval and tests.

    Items are random; annotators are fixed, unless ``sampling`` says otherwise. Paired sets hold the
    same items rated by two panels, under two guidelines, or twice. Their items are drawn jointly,
    so that the difficulty of an item cancels out. Independent sets are drawn separately. Both sets
    are measured on their combined labels, so that coefficients use the same number of labels.

    Parameters
    ----------
    a, b : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` return them: two sets, or one with ``by``.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`;
        by default all that apply to both sets. The overall conclusion is about the first
        coefficient named, or by default about Krippendorff's alpha (for spans, strict F1).
        ``per_label`` takes one coefficient, with the same default.
    by : str, optional
        Split one set of ratings by a coordinate along ``item`` (round, batch), ``annotator`` (kind,
        team) or both (the time of a rating) with two values. If the value is part of every item's
        id (``"12 | round 1"``), items are matched by the rest of the id.
    between : two values, optional
        The values of A and of B, if ``by`` has more than two. Of two values the first in order is
        A, or the earlier of two such as "before" and "after".
    names : two names, optional
        Names of the sets in notes and on pages; by default A and B, or with ``by`` its two values.
        If these are numbers, the name of the coordinate precedes them ("round 1").
    paired : {"auto", True, False}
        Whether items with the same id are the same items. "auto" pairs the sets if at least nine
        tenths of the smaller set's items were rated in both sets. Half is enough if both sets are
        from one file, where the same id means the same item. In addition, the number of shared
        items with two ratings in both sets must be at least half the number with two ratings in A
        or in B, whichever is smaller. Paired sets are compared only on the shared items; attributes
        give the number of items left out of each set.
    per_label : bool
        Compare, for each label, the coefficient of this label against all other labels together;
        for spans, the coefficient of the units with this label.
    label_options : LabelOptions
    interval : str, Interval or None
        Interval of the difference. For labels and random items, "auto" is the posterior interval,
        in which each set has its own pseudo-item (see `iaa_jax.Interval`). With ``per_label``,
        "auto" is the interval of the permutation test, if there is one. For numbers and random
        items, and for spans in sets that cannot be permuted, it is "kurtosis_t", which combines the
        intervals of both estimates by squaring and adding. For clusters it is "t", and otherwise
        "bca". None gives no interval and draws no replicates.
    sampling : Sampling, optional
        ``Sampling(cluster=)`` names a coordinate along the items of both sets: whole clusters are
        drawn and permuted. With ``Sampling(annotators="random")`` annotators are random too: each
        annotator is left out in turn, from both sets together if the annotator rated in both.
        Nothing is then resampled, the interval "auto" is "t", and there is a permutation test only
        for two groups of annotators (``by``).
    options : IntervalOptions
    permutations : int
        Number of random permutations of items between the sets; 0 for no permutation test.
    margin : float, optional
        Largest difference that is too small to matter; adds the p-value of two one-sided tests that
        the difference lies within plus or minus ``margin``.
    progress : callable, optional
        Called with the number of replicates or permutations computed so far, and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient`` (or ``label``):

        ALL

        ``annotator_p_value`` exists only if ``by`` divides annotators into two groups of fewer than
        ten each. The ``common_...`` variables exist only for labelled items with at most 50 labels,
        if label frequencies differ significantly (attribute ``label_p_value``) and annotators are
        not random. For them, items are reweighted so that each label is equally frequent in both
        sets and as many pairs of ratings agree as before; they are NaN if no such weights exist.
        With ``per_label`` there are none of these variables. Attributes say whether the sets were
        paired, how many items they share, and how the results were computed.

        ``conclusion`` is "b_higher" or "a_higher" if a difference is shown. For labels,
        ``adjusted_p_value`` decides. For coefficients, ``p_value`` decides if it comes from
        permutations or if there is no interval; otherwise the interval decides. ``conclusion`` is
        "kind_not_shown" if two groups of annotators differ, but other groupings of the same
        annotators differ as much, or too few other groupings exist (``annotator_p_value`` above
        1 - ``confidence``). It is "alike" if the difference lies within the margin, "unreliable" if
        more than one replicate in twenty is undefined, "unknown" if the spread of the difference is
        unknown, "undefined" if an estimate is undefined, and otherwise "not_shown".

        The attribute ``conclusion`` is about the coefficient in the attribute ``coefficient``. With
        ``per_label`` it is "labels_differ", "no_label_differs", "no_label_moved", "unreliable" or
        "undefined".

    Raises
    ------
    IaaError
        If the sets hold different kinds of ratings or labels in different orders, if paired sets
        share too few items, ``by`` does not have two values, or an option is unknown or does not
        apply.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.
    McKenzie, D. P. et al. (1996). Comparing correlated kappas by resampling: is one level of
    agreement significantly different from another? Journal of Psychiatric Research 30(6).
    Vanbelle, S. and Albert, A. (2008). A bootstrap method for comparing correlated kappa
    coefficients. Journal of Statistical Computation and Simulation 78.
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.
    Chung, E. and Romano, J. P. (2013). Exact and asymptotically robust permutation tests. Annals of
    Statistics 41(2). https://doi.org/10.1214/13-AOS1090
    Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods for multiple
    hypothesis testing. Journal of the American Statistical Association 100(469).
    https://doi.org/10.1198/016214504000000539

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> first = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    >>> second = iaa.from_wide([["a", "a"], ["b", "b"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    >>> result = iaa.compare(first, second, "krippendorff_alpha", permutations=200)
    >>> result.difference.round(3).values, result.attrs["conclusion"], result.attrs["shared_items"]
    (array([0.353]), 'b_higher', 40)
    >>> [note.code for note in iaa.page(result).answer[:2]]
    ['b_higher', 'at_equal_rates']
    """
    automatic = options.interval is not None and options.how.method == "auto"
    by_exchange = per_label and automatic
    options = _checked(options)
    _check(paired, margin)
    halves = two_halves(a, b, by, between, names)
    sets = halves.a, halves.b
    one_file = by is not None or _are_from_one_file(*sets)
    pairing = paired_items(*sets, halves.names, paired, one_file=one_file)
    is_paired = pairing.rows is not None
    kept = sets if pairing.rows is None else on_shared(*sets, pairing.rows, halves.names)
    pool = pool_sets(*kept)
    resolver = Resolver(Rated.of(pool.ratings, options.computing), label_options)
    cluster = options.random.cluster
    clusters = (
        None if cluster is None else item_clusters(cluster, *kept, halves.names, paired=is_paired)
    )
    weight = resolver.tables.item_weight
    both = TwoSets(resolver.tables, pool.items_of_a, weight, paired=is_paired, clusters=clusters)
    if per_label:
        axis, (lead, groups) = "label", _label_requests(resolver, coefficients)
        rows, requests = resolver.tables.label_names, []
    else:
        further = f", and {keyword('per_label', True)} compares each label"
        requests = single_figures(resolver, coefficients, further)
        rows = np.array([request.name for request in requests])
        lead = lead_of(rows.tolist(), in_order=coefficients is not None)
        axis, groups = "coefficient", [requests]
    of_labels = label_facts(resolver.tables, both)
    margins = None
    drawn = options.random.draws_annotators
    if drawn and resolver.anonymous:
        refuse_anonymous(f"{keyword('annotators', 'random')} needs to know who gave which rating")
    reweighted = resolver.tables.kind.has_labels and not (per_label or drawn)
    if reweighted and labels_moved(of_labels, options.confidence):
        margins = common_margins(resolver.tables, both)
    pair = Pair(pool, both, halves.names, margins, resolver if drawn else None)
    replicates = options.replicates if options.interval is not None and not drawn else 0
    draws = Draws(replicates, permutations, options.seed, options.how.prior)
    figures = []
    for part in groups:
        methods = [
            _method(request, options, pair, draws, per_label=by_exchange) for request in part
        ]
        figures += compare_coefficients(part, methods, pair, draws, options, progress)
    interval = _interval(options, figures, automatic=automatic)
    regrouping, least = None, both.smallest_p_value
    if halves.axis == "annotator" and not per_label:
        of_a, of_b = (half["annotator"].values.tolist() for half in (halves.a, halves.b))
        names_used = names_of_request(coefficients, resolver)
        regrouping = regroup_annotators(
            Rated.of(a, options.computing), of_a, of_b, names_used, label_options, draws
        )
    if drawn and regrouping is not None:
        least = regrouping.least
        figures = [
            replace(row, regrouped=float(p_value))
            for row, p_value in zip(figures, regrouping.p_value, strict=True)
        ]
    variables, notes, family = variables_of(
        figures, pair, interval, margin, by_exchange=by_exchange, least=least
    )
    attrs = {
        **provenance_of_figures(resolver, "compare", requests, interval, facts=_OF_BOTH),
        **facts_of_sets(halves, kept, pool, pairing),
        **of_labels,
        **({} if margins is None else margins.facts),
        "coefficient": lead,
        "permutations": permutations,
        **({"interval": BY_PERMUTATIONS} if by_exchange and family == BY_PERMUTATIONS else {}),
        "family": family,
        "power": POWER,
        "needed_for": SMALL if margin is None else margin,
        **({} if margin is None else {"margin": margin}),
        **({} if by is None else {"by": by, "by_axis": halves.axis}),
    }
    if clusters is not None and both.clustered is not None:
        attrs |= dict(zip(("clusters_a", "clusters_b"), both.clustered.numbers, strict=True))
        attrs["shared_clusters"] = clusters.shared
    columns = {name: (axis, values) for name, values in variables.items()}
    result = dataset_of(columns, {axis: rows}, attrs)
    if regrouping is not None:
        result["annotator_p_value"] = (axis, regrouping.p_value)
        ways = {
            "annotator_ways": regrouping.ways,
            "annotator_least_p_value": regrouping.least,
        }
        result = result.assign_attrs(ways, annotator_ways_all=int(regrouping.exhaustive))
    result["conclusion"] = (axis, conclusions(result))
    conclusion, remarks = conclude(result)
    row_notes = notes_about(zip(map(str, rows.tolist()), notes, strict=True))
    noted = [*_notes_on_sets(halves, by, pairing), *row_notes, *left_out_of(resolver), *remarks]
    result = with_notes(result.assign_attrs(conclusion=conclusion), noted)
    return without_verdict(result, {note.code for note in remarks})


def _method(
    request: Request, options: IntervalOptions, pair: Pair, draws: Draws, *, per_label: bool
) -> str:
    """Return the method of the interval of a difference.

    It is the method for a single estimate, if this suits a difference, and otherwise the usual
    method. Spans and single labels have the usual method if a permutation test is possible.
    """
    usual, own = resolve(options).method, request.interval(options).method
    exchanged = draws.permutations and reason_against_permutation(request, pair) is None
    if exchanged and (per_label or request.kind == "spans"):
        return usual
    by_distributions = own == "kurtosis_t" and request.kind in ("numbers", "spans")
    return (
        own
        if own == "empirical_bayes" or (by_distributions and not options.random.cluster)
        else usual
    )


def _interval(
    options: IntervalOptions, rows: Sequence[Difference], *, automatic: bool
) -> ResolvedInterval:
    """Return the interval of the differences; "auto" is the posterior, if a difference has one."""
    interval = resolve(options)
    if automatic and any(row.posterior is not None for row in rows):
        return replace(interval.with_method("empirical_bayes"), cut=True)
    if interval.method == "empirical_bayes" and all(row.posterior is None for row in rows):
        return resolve(replace(options, interval=OF_NO_KIND))
    return interval


def _checked(options: IntervalOptions) -> IntervalOptions:
    options = for_differences(options)
    methods = BY_ERROR if options.random.draws_annotators else COMPARED
    resolve(options).check(methods, sampling=("cluster", "annotators"))
    return options


def _check(paired: object, margin: float | None) -> None:
    if not (isinstance(paired, bool) or is_auto(paired)):
        raise IaaError(f"{named('paired')} must be True, False or 'auto', not {paired!r}")
    if margin is not None and not 0 < margin < np.inf:
        raise OptionError(f"{named('margin')} must be a difference above 0, not {margin!r}")


def _are_from_one_file(a: xr.Dataset, b: xr.Dataset) -> bool:
    return bool(a.attrs.get("files")) and a.attrs["files"] == b.attrs.get("files")


def _notes_on_sets(halves: Halves, by: str | None, pairing: Pairing) -> list[Note]:
    notes = [pairing.why, *filter(None, [pairing.caution])]
    if halves.others:
        notes.append(Note("values_not_compared", {"values": list(halves.others), "by": by}))
    return notes


def _label_requests(
    resolver: Resolver, coefficients: Coefficients
) -> tuple[str, list[list[Request]]]:
    if not (coefficients is None or isinstance(coefficients, str) or callable(coefficients)):
        if len(coefficients) != 1:
            option = keyword("per_label", True)
            raise IaaError(f"{option} compares one coefficient of each label: name one")
        (coefficients,) = coefficients
    wanted = one_coefficient(resolver, coefficients)
    requests = one_per_label(resolver, wanted)
    groups = [
        requests[start : start + LABELS_TOGETHER]
        for start in range(0, len(requests), LABELS_TOGETHER)
    ]
    return wanted.name, groups
