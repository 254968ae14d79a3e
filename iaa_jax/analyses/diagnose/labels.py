"""Each label's frequency, agreement, and confusions with other labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
import xarray as xr

from iaa_jax._errors import LABEL_NOT_USED
from iaa_jax._types import Columns, Floats, Integers
from iaa_jax.analyses.diagnose import declared, spans
from iaa_jax.analyses.diagnose.label_estimates import (
    MOST_CONFUSED,
    LabelTable,
    Survey,
    coefficient_of_labels,
    estimate_columns,
    named_estimates,
    with_confusions,
)
from iaa_jax.analyses.diagnose.ranking import RANK, ranks, sort_rows
from iaa_jax.catalog import Measure
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import int_if_whole
from iaa_jax.engine import CodedRatings
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.counts import weighted_ratings
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, first_code, namespace
from iaa_jax.kernels.percent import SpecificStatistics, specific_agreement_formula
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import coverage_notes
from iaa_jax.measure.options.declared import Whole
from iaa_jax.measure.options.requirements import Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import level_question, without_verdict
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import (
    certainty_notes,
    code_of_width,
    dataset_of,
    notes_about,
    notes_on,
    provenance_of,
    usual_interval,
    variables_of,
)
from iaa_jax.measure.shared.labels import (
    label_shares,
    measure_of_labels,
    one_versus_rest,
)
from iaa_jax.measure.shared.lowest_label import lowest_label
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

_FALLING = ("count", "share", "items")
"""Variables that are sorted from high to low; other variables are sorted from low to high."""


class LabelStatistics(NamedTuple):
    """The number of an item's ratings with each label, and of all its ratings."""

    labels: Array  # (item, label) r_il
    ratings: Array  # (item,) n_i


def share_statistics(mass: Array, raters: Raters, *_: Array | None) -> LabelStatistics:
    """Return the numbers of each item's ratings, in all and by label."""
    counted = weighted_ratings(mass, raters)
    return LabelStatistics(counted.labels, counted.ratings)


def share_formula(sums: LabelStatistics, *_: Array | None) -> Agreement:
    """Return the share of each label, ``sum_i w_i r_il / sum_i w_i n_i``."""
    xp = namespace(sums.labels)
    share = divided(xp, sums.labels, xp.broadcast_to(sums.ratings, sums.labels.shape))
    code = first_code(xp, (xp.broadcast_to(sums.ratings == 0, share.shape), LABEL_NOT_USED))
    return Agreement(share, share, xp.zeros_like(share), code)


def _on_presence(specific: Measure) -> Measure:
    """Turn specific agreement of labels into agreement on the presence of one label."""
    kernel = replace(cast("Kernel", specific.kernel), formula=_presence_formula)
    return replace(specific, kernel=kernel, per_label=False)


def _presence_formula(
    sums: SpecificStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    agreement = specific_agreement_formula(sums, annotator_weight, disagreement)
    return Agreement(*(part[0] for part in agreement))


_SHARE = Measure(Kernel("share", share_statistics, share_formula), per_label=True)


@public
@requires(options=Intervals(), top=Whole(1))
@gives(declared)
def labels(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    label_options: LabelOptions = select(LabelOptions, "p", "min_common", "level"),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Return each label's share, specific agreement, coefficient, and confusions.

    The coefficient of a label compares it with all others together (a binary problem). For label
    sets, it is about whether the label is in the set; for spans, it uses only the spans with the
    label. Coincidences ``o_kl`` count pairs of ratings of the same item with labels k and l, each
    divided by the item's number of ratings minus 1: ``sum_i w_i sum_{a != b} m_ak m_bl / (n_i -
    1)``. ``expected`` is their number if ratings are paired at random (without self-pairs), and
    ``lift`` is ``o_kl`` divided by ``expected``. The lift of two different labels is below 1 if
    annotators distinguish them better than by chance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the signature of those in `iaa_jax.kernels`;
        the default is Krippendorff's alpha, for spans strict F1.
    top : int, optional
        Return only this many labels, the first by ``sort``, and this many of the most confused
        pairs.
    sort : str, optional
        A variable to sort by, low agreement and many ratings first; "-NAME" reverses the order. By
        default labels stay in their order, and ``top`` alone sorts by ``rank``.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``label``, as far as the ratings allow:

        LABELS

        Along ``label`` and ``label_2``, for up to 300 labels:

        CONFUSIONS

        Along ``label_2`` alone:

        LABEL_ORDER

        Along ``pair``, the most confused first:

        CONFUSED

        Along ``case``, the items with both labels of a pair, for up to three pairs that are
        confused most, and more often than by random errors (not for sets):

        CASES

        The attribute ``conclusion`` is "undefined" if agreement is undefined for every label,
        "unanimous" if nobody disagrees on any label, "level" if three labels or more differ no more
        than their standard errors allow (Cochran's Q, p > .05), otherwise "disputed".
        ``lowest_label`` has the lowest specific agreement (for spans, coefficient), with
        ``lowest_agreement`` and ``lowest_count``. Only frequent labels are compared if several
        labels are frequent, and annotators disagree on one of them. Frequent labels have
        ``lowest_from`` ratings or more: a quarter of an even share, but at least 10 and at most 200
        (0 if all labels count). ``lowest_doubt`` is the reason why the interval of ``lowest_label``
        is in doubt.
        ``confused_pairs`` counts the pairs of labels that are ever confused, and
        ``confused_above_chance`` is the position of the first pair that is confused more often than
        by chance (-1 if there is none).

    Raises
    ------
    IaaError
        If the ratings are numbers, or an option is unknown or does not apply to the ratings.

    References
    ----------
    Krippendorff, K. (2004). Content Analysis, chapter 11 (coincidences). Cicchetti, D. V. and
    Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal of
    Clinical Epidemiology 43(6). https://doi.org/10.1016/0895-4356(90)90159-M

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "c"], ["c", "b"], ["c", "c"], ["a", "b"]])
    >>> table = iaa.labels(ratings, interval=None)
    >>> table.specific_agreement.round(4).values, table.lowest_label
    (array([0.6667, 0.    , 0.5   ]), 'b')
    >>> [str(table[name].values[0]) for name in ("confused_label_1", "confused_label_2")]
    ['b', 'c']
    >>> float(table.confused[0]), round(float(table.confused_lift[0]), 3)
    (2.0, 1.5)
    """
    # a label against all others is nominal, whatever the labels are
    resolver = Resolver(ratings, replace(label_options, level=None))
    tables = resolver.tables
    request = one_coefficient(resolver, coefficient)
    as_given = Resolver(tables, label_options)
    if request.takes_level:
        as_given.check_level()
    resampling = resampling_of(options.random, tables)
    of_kind = spans.labels if tables.kind is Kind.SPANS else _labels_of_ratings
    survey = Survey(resolver, options, resampling, progress)
    variables, noted, notes = of_kind(survey, request)
    names = ratings.label_names
    agreement = variables.get("specific_agreement", variables["coefficient_estimate"])
    figure = "specific_agreement" if "specific_agreement" in variables else "coefficient"
    errors = variables.get(f"{figure}_standard_error", np.full(len(names), np.nan))
    variables[RANK] = ranks(agreement)
    columns = {name: ("label", values) for name, values in variables.items()}
    table = dataset_of(columns, {"label": names})
    bounds = (request if figure == "coefficient" else resolver.request(figure)).bounds
    low, high = (variables[f"{figure}_ci_{end}"] for end in ("low", "high"))
    doubt = code_of_width(low, high, bounds)
    concluded = lowest_label(names, agreement, errors, variables["count"], doubt)
    if concluded["conclusion"] == "disputed" and concluded["lowest_from"]:
        notes.append(_rarer(table, figure, concluded, options.confidence))
    clusters = None if resampling.clusters is None else int(resampling.clusters.number)
    notes += [
        *level_question(as_given, [request]),
        *coverage_notes(tables, options, resampling.clusters, "labels"),
        *notes_about(zip(map(str, names), noted, strict=True)),
    ]
    if len(names) <= MOST_CONFUSED:
        table = with_confusions(table, resolver, top)
        notes += [Note("no_label_confused")] * (
            len(names) > 1 and not table.attrs["confused_pairs"]
        )
    else:
        notes.append(Note("label_pairs_not_compared", {"labels": len(names)}))
    attrs = {
        **provenance_of(tables, "labels", usual_interval(options, tables.kind), notes),
        **({} if clusters is None else {"clusters": clusters}),
        "coefficient": request.name,
        "level": "nominal",  # a label against all others has no order
        **concluded,
        **table.attrs,
    }
    return sort_rows(without_verdict(table.assign_attrs(attrs)), "label", sort, top, _FALLING)


def _labels_of_ratings(survey: Survey, request: Request) -> LabelTable:
    tables = survey.resolver.tables
    shares = label_shares(tables, sets_as_labels=False)
    of_labels = _LabelEstimator(survey, shares)
    codes, count = tables.exchangeable.codes, tables.exchangeable_table.count
    rating_counts, items = _used(codes, count, shares)
    variables: Columns = {"count": rating_counts, "items": items}
    of_each, noted = of_labels.one_by_one(request, measure_of_labels(request))
    specific_request = Resolver(tables).request("specific_agreement")
    specific_measure = specific_request.problem.measure
    if tables.kind is Kind.SETS:
        (share,) = of_labels.together([_SHARE])
        specific, _ = of_labels.one_by_one(specific_request, _on_presence(specific_measure))
    else:
        share, specific = of_labels.together([_SHARE, specific_measure])
    variables |= named_estimates("share", share) | named_estimates("specific_agreement", specific)
    variables |= coefficient_of_labels(of_each)
    notes = [
        *(Note("on_labels", {"note": note}) for note in specific_request.notes),
        *certainty_notes(tables.label_names.tolist(), of_each, survey.options),
    ]
    return LabelTable(variables, noted, notes)


def _rarer(table: xr.Dataset, figure: str, concluded: Mapping[str, Any], confidence: float) -> Note:
    """Return a note on labels that are too rare to be ranked.

    It names the rare label with the lowest agreement, if agreement on all ranked labels is higher.
    """
    figures = figure if figure in table else f"{figure}_estimate"
    known = table.isel(label=np.isfinite(table[figures].values))
    rare = known.isel(label=known["count"].values < concluded["lowest_from"])
    order = np.lexsort([-rare["count"].values, rare[figures].values])
    worst = rare.isel(label=order[0])
    values: dict[str, object] = {
        "label": str(worst["label"].item()),
        "agreement": float(worst[figures]),
        "count": int_if_whole(float(worst["count"])),
        "ends": "",
    }
    looks: Note | str = ""
    if float(worst[figures]) < concluded["lowest_agreement"]:
        ends = [float(worst[f"{figure}_ci_{end}"]) for end in ("low", "high")]
        if np.isfinite(ends).all():
            values["ends"] = Note("ends_of_label", {"confidence": confidence, "ends": ends})
        looks = Note("looks_worst", values)
    return Note("rarer_labels", {"names": [*map(str, rare["label"].values)], "looks_worst": looks})


def _used(codes: Integers, count: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Return each label's sum of shares in ratings, and its number of items."""
    distinct = len(shares)
    rows, slots = np.nonzero(codes >= 0)
    code = codes[rows, slots]
    ratings = np.bincount(code, weights=count[rows], minlength=distinct) @ shares
    items = np.zeros(shares.shape[1])
    for label in range(shares.shape[1]):
        with_label = rows[shares[code, label] > 0]
        items[label] = count[np.unique(with_label)].sum()
    return ratings, items


@dataclass(frozen=True)
class _LabelEstimator:
    """Estimates measures for all labels together, or for each label against the rest."""

    survey: Survey
    shares: Floats

    def together(self, measures: Sequence[Measure]) -> list[Columns]:
        """Return the columns of measures that have an estimate per label."""
        requests = [self._all_labels_request(self._as_sampled(measure)) for measure in measures]
        columns = [
            variables_of(request, figures, self.survey.options)
            for request, figures in self.survey.measured(requests)
        ]
        labels = self.shares.shape[1]
        return [
            {name: np.broadcast_to(values, labels).copy() for name, values in column.items()}
            for column in columns
        ]

    def one_by_one(
        self, request: Request, measure: Measure
    ) -> tuple[Columns, list[tuple[Note, ...]]]:
        """Return the columns and notes of a measure, for each label against the rest."""
        measure = self._as_sampled(measure)
        requests = [
            one_versus_rest(self.survey.resolver, request, measure, share)
            for share in self.shares.T
        ]
        measured = [*self.survey.measured(requests)]
        columns = estimate_columns(measured, self.survey.options)
        return columns, [notes_on(*estimate) for estimate in measured]

    def _as_sampled(self, measure: Measure) -> Measure:
        drawn = self.survey.options.random.draws_annotators
        return replace(measure, identified=True) if drawn else measure

    def _all_labels_request(self, measure: Measure) -> Request:
        tables = self.survey.resolver.tables
        unweighted = Resolver(tables)
        mass_of_code = np.concatenate([self.shares, np.full((1, self.shares.shape[1]), np.nan)])
        problem = replace(
            unweighted.request("percent_agreement").problem,
            measure=measure,
            table=tables.table(measure),
            ratings=CodedRatings(
                tables.codes_of(measure).codes,
                mass_of_code.__getitem__,
                tables.coded_labels,
                tables.drawing_order.codes,
            ),
            annotator_of=tables.annotator_of(measure),
        )
        return Request("label", None, problem, "identity", is_share=True)
