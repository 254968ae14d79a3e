"""Coefficients in each group of items, or among the annotators of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Attributes, Columns, Floats, Integers, Values
from iaa_jax.data.groups import groups_of
from iaa_jax.data.kind import Kind
from iaa_jax.engine import CodedRatings, Problem
from iaa_jax.engine.drawing import Clusters
from iaa_jax.engine.middles import with_middles
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.figures import IN_GROUPS, OF_GROUPS
from iaa_jax.measure.intervals.coverage import FEW_ITEMS, few_clusters, held_in_study
from iaa_jax.measure.intervals.uncertainty import identify_drawn_annotators, measure_requests
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import ROUNDING
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import ItemPatterns, resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import single_figures, with_identities
from iaa_jax.measure.results import (
    certainty_notes,
    conclusion_of,
    dataset_of,
    notes_about,
    notes_on,
    provenance_of_figures,
    variables_of,
    with_doubt,
)
from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS, agreement_in_parts
from iaa_jax.wording import Note, as_list, keyword
from iaa_jax.wording.figures import gives

if TYPE_CHECKING:
    import xarray as xr

MOST_NAMED = 5
"""Maximum number of annotators of a group who are named."""

_TOTALS = tuple(figure.name for figure in OF_GROUPS)


@public
@gives({"FIGURES": IN_GROUPS, "GROUPS": OF_GROUPS, "ANNOTATORS": IN_PARTS})
def agreement_by(
    ratings: Rated,
    by: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Measure coefficients in each group of items, or among the annotators of each group.

    In each group, the items (or annotators) of other groups have a weight of 0. The labels are the
    same in all groups. Replicates are drawn within the group.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item`` (batch, topic, ...) or along ``annotator`` (kind
        of annotator, team, ...).
    by : str
        The name of that coordinate.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`; by
        default all coefficients that apply to the ratings as a whole.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished groups and the number of all groups.

    Returns
    -------
    xarray.Dataset
        Along ``group`` and ``coefficient``:

        FIGURES

        Along ``group``:

        GROUPS

        Along ``group`` and ``annotator``, for up to 12 groups of items and 50 known annotators;
        numbers and spans have only ``annotator_items``:

        ANNOTATORS

        Items (or annotators) for which ``by`` is missing, NaN or "" are the last group, "(none)".

        The attribute ``conclusion`` is as in `iaa_jax.agreement`, for all groups together:
        "undefined" if no coefficient is defined, "perfect" if every defined coefficient and its
        observed agreement are 1, "level_undecided" if the labels are three or more numbers that may
        be a scale or names, "estimated" if there are no intervals, and "measured" otherwise.
        ``axis`` tells whether groups divide items or annotators. If there is one coefficient, and
        it differs between groups, ``lowest_group`` and ``highest_group`` name the groups where it
        is lowest and highest, and ``lowest_estimate`` and ``highest_estimate`` are its values
        there. ``lowest_equal`` and ``highest_equal`` count the other groups with the same estimate.
        ``lowest_doubt`` and ``highest_doubt`` are the codes of doubts about the intervals of these
        two groups ("" without doubt).

    Raises
    ------
    IaaError
        If there is no coordinate ``by``, or an option is unknown or does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
    >>> ratings = ratings.assign_coords(batch=("item", [1, 1, 2, 2]))
    >>> groups = iaa.agreement_by(ratings, "batch", "percent_agreement", interval=None)
    >>> groups.group.values, groups.estimate.values.ravel()
    (array(['1', '2'], dtype=object), array([1., 0.]))
    """
    resolve(options).check()
    resolver = Resolver(ratings, label_options)
    axis, names, member = groups_of(ratings.dataset, by)
    requests = single_figures(resolver, coefficients)
    _check(requests, options, by, axis, annotators=ratings.annotators)
    requests = identify_drawn_annotators(requests, resolver, options)
    groups = _item_groups if axis == "item" else _annotator_groups
    rows: list[list[Columns]] = []
    totals: list[tuple[float, float, float]] = []
    noted: list[tuple[str, Note]] = []
    for group in groups(resolver, requests, member, len(names)):
        in_group = [
            replace(request, problem=problem)
            for request, problem in zip(requests, group.problems, strict=True)
        ]
        resampling = resampling_of(options.random, resolver.tables, group.places)
        figures = measure_requests(in_group, options, group.totals[1], resampling=resampling)
        row = []
        for request, figure in zip(in_group, figures, strict=True):
            columns = variables_of(request, figure, options)
            row.append(with_doubt(columns, None, request, figure.made_by))
            if figure.has_interval and resampling.clusters is not None:
                few = group.few_clusters(resampling.clusters, held_in_study(figure.made_by))
                noted += [(names[len(rows)], note) for note in few]
            if figure.agreement.code == 0:
                noted += [(names[len(rows)], note) for note in notes_on(request, figure)]
        rows.append(row)
        totals.append(group.totals)
        if progress is not None:
            progress(len(totals), len(names))
    variables = {
        name: np.array([[column[name] for column in row] for row in rows]) for name in rows[0][0]
    }
    of_groups = dict(zip(_TOTALS, np.array(totals).T, strict=True))
    noted += _noted(names, variables, of_groups["group_pairable_items"], options)
    doubt = variables.pop("doubt")  # notes state the doubts instead
    notes = notes_about((group, [note]) for group, note in dict.fromkeys(noted))
    if axis == "annotator":
        notes = [*notes, *_across(ratings, names, member)]
    interval = replace(requests[0].interval(options), random=options.random)
    attrs = {
        **provenance_of_figures(resolver, "agreement_by", requests, interval, notes),
        "by": by,
        "axis": axis,
        "conclusion": conclusion_of(variables),
        **(
            _extremes(names, variables["estimate"][:, 0], doubt[:, 0]) if len(requests) == 1 else {}
        ),
    }
    coords: Columns = {
        "group": names,
        "coefficient": np.array([request.name for request in requests]),
    }
    in_parts = agreement_in_parts(resolver, member, len(names), "group") if axis == "item" else {}
    if in_parts:
        coords["annotator"] = ratings.annotator_names
    result = dataset_of(
        {name: (("group", "coefficient"), values) for name, values in variables.items()}
        | {name: ("group", values) for name, values in of_groups.items()}
        | in_parts,
        coords,
        attrs,
    )
    return without_verdict(result)


def _across(ratings: Rated, names: Values, member: NDArray[np.intp]) -> Iterator[Note]:
    """Yield a note on how to measure agreement across two groups of annotators."""
    sizes = np.bincount(member, minlength=len(names))
    few, many = np.argsort(sizes, kind="stable")[[0, -1]]
    if len(names) != 2 or sizes[many] < 2 or ratings.kind is Kind.SPANS:
        return
    groups = {"few": names[few], "many": names[many]}
    if sizes[few] > MOST_NAMED:
        yield Note("next_across_large_groups", {**groups, "number": int(sizes[few])})
    else:
        judges = as_list(ratings.annotator_names[member == few].tolist())
        yield Note("next_across_groups", {**groups, "judges": judges})


def _extremes(names: Values, estimate: Floats, doubt: Values) -> dict[str, object]:
    if np.isnan(estimate).all() or (low := np.nanargmin(estimate)) == np.nanargmax(estimate):
        return {}
    high = np.nanargmax(estimate)
    return {
        "lowest_group": str(names[low]),
        "lowest_estimate": float(estimate[low]),
        "lowest_equal": equal_others(estimate, int(low)),
        "highest_group": str(names[high]),
        "highest_estimate": float(estimate[high]),
        "highest_equal": equal_others(estimate, int(high)),
        "lowest_doubt": str(doubt[low]),
        "highest_doubt": str(doubt[high]),
    }


def doubts_of_extremes(attrs: Attributes) -> dict[str, Note | str]:
    """Return, as values of a note, a doubt about each extreme group whose interval is wide."""
    return {
        f"{name}_in_doubt": Note("group_in_doubt")
        if attrs.get(f"{name}_doubt") == "wide_interval"
        else ""
        for name in ("lowest", "highest")
    }


def equal_others(values: Values, place: int, unit: float = 1.0) -> int:
    """Count the other values that equal ``values[place]``, up to rounding in units of ``unit``.

    Examples
    --------
    >>> equal_others(np.array([0.5, np.nan, 0.1 + 0.2, 0.3]), 3)
    1
    """
    rounding = ROUNDING * unit if np.isfinite(unit) else 0.0
    return int(np.isclose(values, values[place], rtol=0, atol=rounding).sum()) - 1


def _check(
    requests: Sequence[Request], options: IntervalOptions, by: str, axis: str, annotators: int
) -> None:
    for request in requests:
        if axis == "annotator" and request.problem.measure.annotators == 2 and annotators > 2:
            raise IaaError(f"{request.name} takes two annotators: name another coefficient")
    if axis == "annotator" and options.random.draws_annotators:
        random = keyword("annotators", "random")
        raise IaaError(f"{random} draws from all annotators, and {by!r} divides them")


def _noted(
    names: Values,
    variables: Mapping[str, Values],
    pairable: Floats,
    options: IntervalOptions,
) -> Iterator[tuple[str, Note]]:
    for group, reasons in zip(names, variables["reason"].tolist(), strict=True):
        for reason in filter(None, reasons):
            yield group, Note("group_undefined", {"reason": reason})
    measured = ~np.isnan(variables["ci_low"])
    for group in names[measured.any(axis=1) & (pairable < FEW_ITEMS)]:
        yield group, Note("group_has_few_items", {"least": FEW_ITEMS}, "caution")
    for coefficient, rows in enumerate(measured.T):
        column = {name: values[rows, coefficient] for name, values in variables.items()}
        for note in certainty_notes(names[rows].tolist(), column, options):
            yield from ((group, note.on(())) for group in note.about)


class _Group(NamedTuple):
    """The coefficients in a group, with counts of its items, pairable items and ratings.

    ``places`` are its tables of patterns (sets of items with the same ratings); ``panel`` is the
    number of ratings of each pattern of the last table.
    """

    problems: list[Problem]
    totals: tuple[float, float, float]
    places: ItemPatterns
    panel: Integers

    def few_clusters(self, clusters: Clusters, held: bool) -> Iterator[Note]:
        pairable = np.where(self.panel >= 2, 1.0, 0.0)
        sizes = None if held else clusters.matrix_of(self.places[-1][0]) @ pairable
        if few := few_clusters(clusters.number, sizes):
            yield Note("group_has_few_clusters", {"least": few.values["least"]}, "caution")


def _item_groups(
    resolver: Resolver, requests: Sequence[Request], member: NDArray[np.intp], groups: int
) -> Iterator[_Group]:
    tables = resolver.tables
    weight = resolver.tables.item_weight
    panel = tables.identified.panel
    pattern_of = tables.identified.pattern_of
    for group in range(groups):
        inside = np.where(member == group, weight, 0.0)
        count = np.bincount(pattern_of, weights=inside, minlength=len(panel)).astype(np.float64)
        count = np.where(panel > 0, count, 0.0)
        part = _Part(tables, count)
        totals = (float(inside.sum()), float(count[panel >= 2].sum()), float(count @ panel))
        problems = [part.problem(request.problem) for request in requests]
        yield _Group(problems, totals, part.places(member == group), part.picked(panel))


def _annotator_groups(
    resolver: Resolver, requests: Sequence[Request], member: NDArray[np.intp], groups: int
) -> Iterator[_Group]:
    tables = resolver.tables
    problems = [with_identities(resolver, request.problem) for request in requests]
    codes, count = tables.compact_codes, tables.identified_table.count
    raters = codes.annotator_of
    if raters is None:
        raters = np.broadcast_to(np.arange(codes.codes.shape[1]), codes.codes.shape)
    everywhere = np.ones(len(tables.identified.pattern_of), dtype=bool)
    for group in range(groups):
        weight = (member == group).astype(np.float64)
        inside = (codes.codes >= 0) & (member[np.where(raters < 0, 0, raters)] == group)
        panel = inside.sum(axis=1)
        part = _Part(tables, np.where(panel > 0, count, 0.0))
        totals = (
            float(count[panel > 0].sum()),
            float(count[panel >= 2].sum()),
            float(count @ panel),
        )
        weighted = [replace(part.problem(problem), annotator_weight=weight) for problem in problems]
        weighted = [with_middles(problem, problem.table.count[None]) for problem in weighted]
        yield _Group(weighted, totals, part.places(everywhere), part.picked(panel))


class _Part:
    """The tables of a part of the items, and problems of coefficients on this part."""

    def __init__(self, tables: Rated, count: Floats) -> None:
        self._tables = tables
        self._identified = tables.identified_table.restricted(count)
        self._exchangeable = self._identified.coarse or self._identified
        self._ratings: dict[int, Floats | CodedRatings] = {}
        self._annotators: dict[int, Integers] = {}

    def places(self, inside: NDArray[np.bool_]) -> ItemPatterns:
        """Return the tables, each with the pattern (index) of each item; -1 for items outside."""
        tables, coarse, fine = self._tables, self._exchangeable, self._identified
        of_fine = np.where(inside, fine.indices(tables.identified.pattern_of), -1)
        of_coarse = coarse.indices(tables.exchangeable_of_items)
        return [(coarse.table, np.where(of_fine < 0, -1, of_coarse)), (fine.table, of_fine)]

    def picked(self, values: Integers) -> Integers:
        return values[self._identified.patterns]

    def problem(self, problem: Problem) -> Problem:
        identified = problem.table is self._tables.identified_table
        part = self._identified if identified else self._exchangeable
        # problems that share arrays must also share the parts of these arrays
        ratings = problem.ratings
        if id(ratings) not in self._ratings:
            self._ratings[id(ratings)] = (
                replace(ratings, codes=ratings.codes[part.patterns])
                if isinstance(ratings, CodedRatings)
                else ratings[part.patterns]
            )
        annotator_of = problem.annotator_of
        if annotator_of is not None:
            known = self._annotators
            annotator_of = known.setdefault(id(annotator_of), annotator_of[part.patterns])
        return replace(
            problem,
            table=part.table,
            ratings=self._ratings[id(ratings)],
            annotator_of=annotator_of,
        )
