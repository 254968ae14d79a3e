"""Every panel of some annotators: at the items as they are, at replicates, at random halves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.engine import Problem
from iaa_jax.engine.panels import PanelRows
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.request import Request
from iaa_jax.measure.resolver import CoefficientLike, Resolver
from iaa_jax.measure.studies import one_coefficient, with_identities
from iaa_jax.measure.user_kernel import UserKernel

ROUNDING = 1e-12
"""What is no difference between two figures."""

SMALLEST = 2
"""Annotators that it takes to agree."""

SPLITS = 50
"""Times that the items are parted in two random halves."""


def ties_of_least(figures: Floats) -> int:
    """How many of the figures are the least one, but for rounding; none of undefined ones."""
    least = np.nanmin(figures, initial=np.inf)
    return int(np.sum(figures < least + ROUNDING))


def all_panels(annotators: int) -> NDArray[np.bool_]:
    """Every panel (panel, annotator) of two or more, by size, and by its first members."""
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
    """Where the panels of each size stand, from 2 up."""
    numbers = [comb(annotators, size) for size in range(SMALLEST, annotators + 1)]
    ends = np.cumsum([0, *numbers])
    return [slice(*ends_of) for ends_of in pairwise(ends.tolist())]


def shapley_weights(panels: NDArray[np.bool_]) -> Floats:
    """What each panel's figure counts in each annotator's share: (annotator, panel).

    A panel with annotator a counts ``(s - 1)! (A - s)! / A!``, s its size, as what a made of it,
    and one without a counts ``-s! (A - s - 1)! / A!``, as what a found.
    """
    annotators = panels.shape[1]
    size = panels.sum(axis=1)
    # s! (A - s)! / A! is one in so many panels of that size
    among = 1 / np.array([comb(annotators, each) for each in size.tolist()])
    outside = np.where(size < annotators, annotators - size, 1)
    found = np.where(size < annotators, among / outside, 0.0)
    return np.where(panels.T, among / size, -found)


@dataclass(frozen=True)
class Leaders:
    """The panels of each size that agree best, second best and worst, by row; -1 for none."""

    best: NDArray[np.intp]
    second: NDArray[np.intp]
    worst: NDArray[np.intp]
    ties: NDArray[np.intp]  # others that agree as well as the best

    @classmethod
    def of(cls, estimate: Floats, annotators: int) -> Leaders:
        """By the figures of all panels; the first of those that are equal."""
        sizes = rows_of_size(annotators)
        places = {name: np.full(len(sizes), -1) for name in ("best", "second", "worst")}
        ties = np.zeros(len(sizes), dtype=np.intp)
        for number, rows in enumerate(sizes):
            figures = estimate[rows]
            # rounding decides no tie
            order = np.argsort(-np.round(figures, 12), kind="stable")
            order = order[~np.isnan(figures[order])]
            if not len(order):
                continue
            places["best"][number] = rows.start + order[0]
            places["worst"][number] = rows.start + order[-1]
            if len(order) > 1:
                places["second"][number] = rows.start + order[1]
            ties[number] = np.sum(figures > figures[order[0]] - ROUNDING) - 1
        return cls(ties=ties, **places)


@dataclass(frozen=True)
class PanelReplicates:
    """What replicates and halves of the items make of all panels.

    Attributes
    ----------
    shapley : array (annotator, replicate)
        Shares, in which a panel without a figure counts 0.
    best, second, whole : array (size, replicate), (size, replicate), (replicate,)
        The figures of the panels that lead, and of all annotators.
    chosen : array (size, replicate)
        Which panel is the best in each.
    picked, elsewhere : array (size, half)
        The lead over all annotators of the panel that is best in a half, there and in the other
        half.
    """

    shapley: Floats
    best: Floats
    second: Floats
    whole: Floats
    chosen: NDArray[np.intp]
    picked: Floats
    elsewhere: Floats


def figures_of(
    run: PanelRows, panels: NDArray[np.bool_], progress: Progress | None, total: int
) -> Floats:
    """The coefficient of each panel."""
    counts = run.problem.table.count[None, :]
    blocks, done = [], 0
    for block in run.over(panels, counts):
        blocks.append(block[:, 0])
        done += len(block)
        if progress is not None:
            progress(done, total)
    return np.concatenate(blocks)


def replicates_of(
    run: PanelRows,
    panels: NDArray[np.bool_],
    leaders: Leaders,
    drawn: Floats,
    halves: tuple[Floats, Floats],
    progress: Progress | None,
) -> PanelReplicates:
    """The same panels at each row ``drawn``, and at halves of the items (split, pattern) twice.

    Only what is asked of all panels together is kept of each block of them.
    """
    annotators, replicates = panels.shape[1], len(drawn)
    rows = np.concatenate([drawn, *halves])
    # every panel's lead is over all annotators, whose figures come first
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
        lead = block - whole
        for number, of_size in enumerate(sizes):
            part = slice(max(of_size.start, start) - start, min(of_size.stop, stop) - start)
            if part.start < part.stop:
                state.see(number, start + part.start, lead[part])
        start = stop
        if progress is not None:
            progress(len(panels) + stop, 3 * len(panels))

    def figures(places: NDArray[np.intp]) -> Floats:
        nothing = np.full(replicates, np.nan)
        return np.array([named.get(int(place), nothing) for place in places])

    return PanelReplicates(
        shapley,
        figures(leaders.best),
        figures(leaders.second),
        whole[0, :replicates],
        state.place,
        state.picked,
        state.elsewhere,
    )


class _Running:
    """What is best so far among the panels of each size, in each replicate and half."""

    def __init__(self, sizes: int, replicates: int, halves: int) -> None:
        self.replicates, self.splits = replicates, halves // 2
        self._largest = np.full((sizes, replicates), -np.inf)
        self.place = np.full((sizes, replicates), -1)
        self.picked = np.full((sizes, halves), np.nan)
        self.elsewhere = np.full((sizes, halves), np.nan)

    def see(self, number: int, start: int, lead: Floats) -> None:
        """Further panels of a size, the first of them at the row ``start``."""
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
            # a panel is picked where both halves have a figure of it
            known = np.where(np.isnan(halves) | np.isnan(other), -np.inf, halves)
            place = known.argmax(axis=0)
            column = np.arange(len(place))
            largest = known[place, column]
            before = np.where(np.isnan(self.picked[number]), -np.inf, self.picked[number])
            better = largest > before
            self.picked[number] = np.where(better, largest, self.picked[number])
            self.elsewhere[number] = np.where(better, other[place, column], self.elsewhere[number])


MOST = 16
"""Annotators whose panels are looked at, every one."""


class PanelRequest(NamedTuple):
    """A coefficient that can be had of some of the annotators."""

    resolver: Resolver
    request: Request
    problem: Problem


def checked(
    ratings: Rated,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
) -> PanelRequest:
    """The coefficient on patterns that tell annotators apart; refuse what has none."""
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    measure = request.problem.measure
    kernel = measure.kernel
    if isinstance(kernel, UserKernel) and kernel.known and "annotator_weight" not in kernel.known:
        message = (
            f"{request.name} cannot leave annotators out: let it take the keyword "
            "annotator_weight, as the functions in iaa_jax.kernels do"
        )
        raise IaaError(message)
    if not resolver.tables.weighs_annotators(measure):
        message = (
            f"{request.name} compares all that annotators marked at once, so that nobody can be "
            "left out of it by a weight: use span_f1 or another F1 of spans, or iaa_jax.annotators "
            "for the figure without each"
        )
        raise IaaError(message)
    return PanelRequest(resolver, request, with_identities(resolver, request.problem))
