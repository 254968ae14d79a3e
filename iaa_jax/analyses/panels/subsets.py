"""Coefficients of panels (sets of two or more annotators)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.engine import Problem
from iaa_jax.engine.drawing.within_items import WithinItems
from iaa_jax.engine.panels import PanelRows
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.measure.intervals.family_wise import max_t
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import data_of_codes, one_coefficient, with_identities
from iaa_jax.measure.requests.user_kernel import UserKernel

ROUNDING = 1e-12
"""Difference below which two coefficients count as equal."""

SMALLEST = 2
"""Number of annotators in the smallest panel."""

SPLITS = 50
"""Number of random splits of the items into two halves."""

MOST = 16
"""Maximum number of annotators for which every panel is computed."""

EXCHANGES = 199
"""Number of permutations of ratings among annotators."""

_FEWER = 99
"""Number of permutations with many annotators, as each permutation then takes long."""

_MANY = 12


def all_panels(annotators: int) -> NDArray[np.bool_]:
    """Return every panel (panel, annotator) of two or more, by size and then by members."""
    members = [
        (row, annotator)
        for row, panel in enumerate(
            panel
            for size in range(SMALLEST, annotators + 1)
            for panel in combinations(range(annotators), size)
        )
        for annotator in panel
    ]
    panels = np.zeros((2**annotators - annotators - 1, annotators), dtype=bool)
    panels[tuple(np.array(members).T)] = True
    return panels


def rows_of_size(annotators: int) -> list[slice]:
    """Return, for each size from 2 up, the slice of its panels in `all_panels`."""
    numbers = [comb(annotators, size) for size in range(SMALLEST, annotators + 1)]
    ends = np.cumsum([0, *numbers])
    return [slice(*ends_of) for ends_of in pairwise(ends.tolist())]


def shapley_weights(panels: NDArray[np.bool_]) -> Floats:
    """Return the weight (annotator, panel) of each panel's coefficient in each Shapley share.

    A panel of size s with annotator a has the weight ``(s - 1)! (A - s)! / A!``, for the panel
    after a has joined. A panel without a has the weight ``-s! (A - s - 1)! / A!``, for the panel
    before a joins.
    """
    annotators = panels.shape[1]
    size = panels.sum(axis=1)
    # s! (A - s)! / A! is one divided by the number of panels of that size
    among = 1 / np.array([comb(annotators, members) for members in size.tolist()])
    outside = np.where(size < annotators, annotators - size, 1)
    without = np.where(size < annotators, among / outside, 0.0)
    return np.where(panels.T, among / size, -without)


@dataclass(frozen=True)
class Leaders:
    """The indices of the best, second best and worst panel of each size; -1 if there is none."""

    best: NDArray[np.intp]
    second: NDArray[np.intp]
    worst: NDArray[np.intp]
    ties: NDArray[np.intp]  # number of other panels that agree as well as the best

    @classmethod
    def of(cls, estimate: Floats, annotators: int) -> Leaders:
        """Find the leaders from the coefficients of all panels; the first of equal panels leads."""
        sizes = rows_of_size(annotators)
        leading = {name: np.full(len(sizes), -1) for name in ("best", "second", "worst")}
        ties = np.zeros(len(sizes), dtype=np.intp)
        for number, rows in enumerate(sizes):
            figures = estimate[rows]
            # rounding must not decide ties
            order = np.argsort(-np.round(figures, 12), kind="stable")
            order = order[~np.isnan(figures[order])]
            if not len(order):
                continue
            leading["best"][number] = rows.start + order[0]
            leading["worst"][number] = rows.start + order[-1]
            if len(order) > 1:
                leading["second"][number] = rows.start + order[1]
            ties[number] = np.sum(figures > figures[order[0]] - ROUNDING) - 1
        return cls(ties=ties, **leading)


@dataclass(frozen=True)
class PanelReplicates:
    """Coefficients and Shapley shares on replicates, and on halves of the items.

    Attributes
    ----------
    shapley : array (annotator, replicate)
        Shapley shares, in which undefined panels count as 0.
    best, second, whole : array (size, replicate), (size, replicate), (replicate,)
        The coefficients of the panels that are best and second best in the data, and of all
        annotators.
    chosen : array (size, replicate)
        The index of the best panel in each replicate; -1 if there is none.
    lead_in_sample, lead_out_of_sample : array (size, half)
        For the best panel of a half, its coefficient minus the coefficient of all annotators, on
        this half and on the other.
    """

    shapley: Floats
    best: Floats
    second: Floats
    whole: Floats
    chosen: NDArray[np.intp]
    lead_in_sample: Floats
    lead_out_of_sample: Floats


def figures_of(
    run: PanelRows, panels: NDArray[np.bool_], progress: Progress | None, total: int
) -> Floats:
    """Return the coefficient of each panel."""
    counts = run.problem.table.count[None, :]
    blocks, done = [], 0
    for block in run.over(panels, counts):
        blocks.append(block[:, 0])
        done += len(block)
        tell(progress, done, total)
    return np.concatenate(blocks)


def replicates_of(
    run: PanelRows,
    panels: NDArray[np.bool_],
    few: NDArray[np.bool_],
    leaders: Leaders,
    drawn: Floats,
    halves: tuple[Floats, Floats],
    progress: Progress | None,
) -> PanelReplicates:
    """Compute the coefficients of panels with drawn weights, and on halves of the items.

    Each row of ``drawn`` and of both ``halves`` has one weight per pattern (items with the same
    ratings). Panels that share ``few`` items are never the best.
    """
    annotators, replicates = panels.shape[1], len(drawn)
    rows = np.concatenate([drawn, *halves])
    # the coefficient of all annotators comes first, because the leads of all panels need it
    (whole,) = run.over(panels[-1:], rows)
    shares = shapley_weights(panels)
    sizes = rows_of_size(annotators)
    state = _Running(len(sizes), replicates, len(rows) - replicates)
    shapley = np.zeros((annotators, replicates))
    named = {
        int(row): np.full(replicates, np.nan)
        for row in (*leaders.best, *leaders.second)
        if row >= 0
    }
    start = 0
    for block in run.over(panels, rows):
        stop = start + len(block)
        of_items = block[:, :replicates]
        shapley += shares[:, start:stop] @ np.nan_to_num(of_items)
        for row in range(start, stop):
            if row in named:
                named[row] = of_items[row - start]
        lead = np.where(few[start:stop, None], np.nan, block - whole)
        for number, of_size in enumerate(sizes):
            part = slice(max(of_size.start, start) - start, min(of_size.stop, stop) - start)
            if part.start < part.stop:
                state.see(number, start + part.start, lead[part])
        start = stop
        tell(progress, len(panels) + stop, 3 * len(panels))

    def figures(leading: NDArray[np.intp]) -> Floats:
        undefined = np.full(replicates, np.nan)
        return np.array([named.get(int(row), undefined) for row in leading])

    return PanelReplicates(
        shapley,
        figures(leaders.best),
        figures(leaders.second),
        whole[0, :replicates],
        state.place,
        state.lead_in_sample,
        state.lead_out_of_sample,
    )


class _Running:
    """The best panel of each size among those seen so far, in each replicate and half."""

    def __init__(self, sizes: int, replicates: int, halves: int) -> None:
        self.replicates, self.splits = replicates, halves // 2
        self._largest = np.full((sizes, replicates), -np.inf)
        self.place = np.full((sizes, replicates), -1)
        self.lead_in_sample = np.full((sizes, halves), np.nan)
        self.lead_out_of_sample = np.full((sizes, halves), np.nan)

    def see(self, number: int, start: int, lead: Floats) -> None:
        """Compare further panels of a size, whose indices begin at ``start``."""
        drawn, halves = lead[:, : self.replicates], lead[:, self.replicates :]
        if drawn.shape[1]:
            known = np.where(np.isnan(drawn), -np.inf, drawn)
            place = known.argmax(axis=0)
            largest = known[place, np.arange(len(place))]
            better = largest > self._largest[number]
            self._largest[number] = np.where(better, largest, self._largest[number])
            self.place[number] = np.where(better, start + place, self.place[number])
        if halves.shape[1]:
            other = np.roll(halves, self.splits, axis=1)
            # a panel can be chosen only if it is defined on both halves
            known = np.where(np.isnan(halves) | np.isnan(other), -np.inf, halves)
            place = known.argmax(axis=0)
            column = np.arange(len(place))
            largest = known[place, column]
            before = np.where(
                np.isnan(self.lead_in_sample[number]), -np.inf, self.lead_in_sample[number]
            )
            better = largest > before
            self.lead_in_sample[number] = np.where(better, largest, self.lead_in_sample[number])
            self.lead_out_of_sample[number] = np.where(
                better, other[place, column], self.lead_out_of_sample[number]
            )


class PanelRequest(NamedTuple):
    """A coefficient that can be computed without some of the annotators."""

    resolver: Resolver
    request: Request
    problem: Problem


def panel_request(
    ratings: Rated,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
) -> PanelRequest:
    """Return a coefficient that can leave annotators out; raise an error if it cannot."""
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    measure = request.problem.measure
    kernel = measure.kernel
    if isinstance(kernel, UserKernel) and kernel.known and "annotator_weight" not in kernel.known:
        raise IaaError(
            f"{request.name} cannot leave annotators out: let it take the keyword "
            "annotator_weight, as the functions in iaa_jax.kernels do"
        )
    if not resolver.tables.weighs_annotators(measure):
        raise IaaError(
            f"{request.name} compares the spans of all annotators together, so that nobody can be "
            "left out of it by a weight: use span_f1 or another F1 of spans, or iaa_jax.annotators "
            "for the coefficient without each annotator"
        )
    return PanelRequest(resolver, request, with_identities(resolver, request.problem))


def exchanges_of(annotators: int) -> int:
    """Return the number of permutations for a number of annotators."""
    return EXCHANGES if annotators < _MANY else _FEWER


def leads_of_exchanges(
    study: PanelRequest,
    run: PanelRows,
    panels: NDArray[np.bool_],
    few: NDArray[np.bool_],
    options: IntervalOptions,
    progress: Progress | None,
) -> Floats:
    """Return the best panel's lead over all annotators in permuted ratings (size, permutation)."""
    tables = study.resolver.tables
    order = tables.drawing_order
    grid = tables.grid_codes.codes
    # draws do not depend on the order of annotators and codes in the data
    numbered = np.arange(grid.shape[1])
    turn = numbered if order.annotators is None else np.argsort(order.annotators)
    ranks = np.arange(tables.codes.distinct) if order.codes is None else order.codes
    code_of = np.append(np.argsort(ranks), -1)
    ratings = _units(study, options.random.cluster, np.append(ranks, -1)[grid[:, turn]])
    sizes, data_of = rows_of_size(panels.shape[1]), data_of_codes(tables, study.problem)
    number_of = exchanges_of(panels.shape[1])
    best = np.full((len(sizes), number_of), -np.inf)
    done = 0
    for drawn, rows in ratings.blocks(number_of, options.seed):
        codes = code_of[drawn][:, np.argsort(turn)]
        part, start = slice(done, done + len(rows)), 0
        for block in run.for_ratings(grid, codes, data_of(codes)).over(panels, rows):
            unknown = np.isnan(block) | few[start : start + len(block), None]
            figures = np.where(unknown, -np.inf, block)
            for number, size in enumerate(sizes):
                of_size = figures[max(size.start - start, 0) : max(size.stop - start, 0)]
                leading = of_size.max(axis=0, initial=-np.inf)
                best[number, part] = np.maximum(best[number, part], leading)
            start += len(block)
        done += len(rows)
        at = 2 * len(panels) + len(panels) * done // number_of
        tell(progress, at, 3 * len(panels))
    best = np.where(np.isneginf(best), np.nan, best)
    return np.asarray(best[:-1] - best[-1])


def p_values(gain: Floats, leads: Floats) -> Floats:
    """Return the p-value of each size, adjusted for all sizes by the step-down method.

    The leads of a size, including the observed one, are compared in standard deviations from their
    mean, so that no size counts more than another.
    """
    all_leads = np.concatenate([gain[:, None], leads], axis=1)
    known = ~np.isnan(all_leads)
    number = np.maximum(known.sum(axis=1), 1)
    centre = np.where(known, all_leads, 0.0).sum(axis=1) / number
    away = all_leads - centre[:, None]
    spread = np.sqrt(np.where(known, away**2, 0.0).sum(axis=1) / number)
    spread = np.where(spread < ROUNDING, 0.0, spread)
    size = away[:, 0]
    # under permutation, differences are centred at 0, not at the observed difference
    joint = max_t(size, spread, (size[:, None] + away[:, 1:]).T, 0.5, two_sided=False)
    adjusted = joint.step_down
    # a lead that no permutation changes is no evidence
    return np.where(np.isnan(gain), np.nan, np.where(np.isnan(adjusted), 1.0, adjusted))


def _units(study: PanelRequest, cluster: str | None, codes: Integers) -> WithinItems:
    """Return the units of permutation: patterns; or items, for clusters or fractional weights."""
    tables = study.resolver.tables
    count, pattern_of = tables.identified.count, tables.identified.pattern_of
    if cluster is not None:
        of_items, _ = cluster_codes(tables, cluster)
        return WithinItems(codes[pattern_of], tables.item_weight, of_items)
    if np.array_equal(count, np.rint(count)):
        shown = np.flatnonzero(count > 0)
        codes, count = codes[shown], count[shown]
    else:
        codes, count = codes[pattern_of], tables.item_weight
    order = np.lexsort((count, *codes.T[::-1]))
    return WithinItems(codes[order], count[order])
