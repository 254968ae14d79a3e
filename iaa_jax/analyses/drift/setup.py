"""The data of a study of drift: a coefficient, items in time, windows, cuts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.contrasts import NO_ERROR
from iaa_jax.analyses.drift.cuts import Cuts
from iaa_jax.analyses.drift.timeline import (
    ClusteredTimeline,
    ClustersInTime,
    Indices,
    Timeline,
    check_timeline,
    clustered_errors,
    timeline_of,
)
from iaa_jax.analyses.drift.windows import (
    AnnotatorJackknife,
    Figures,
    Local,
    Windows,
    WindowWeights,
    jackknife_annotators,
    totals,
    windows_of,
)
from iaa_jax.engine.middles import with_middles
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.coverage import few_clusters
from iaa_jax.measure.intervals.standard_errors import satterthwaite
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities
from iaa_jax.measure.shared.times import Times
from iaa_jax.wording import Note


class WindowEstimates(NamedTuple):
    """Estimates in windows or on sides of cuts, and their degrees of freedom."""

    figures: Figures
    degrees: Floats
    annotators: AnnotatorJackknife | None


@dataclass(frozen=True)
class DriftSetup:
    """The items along time, the windows and cuts in use, and the coefficient on them."""

    request: Request
    times: Times
    options: IntervalOptions
    items: Timeline  # one cell per item, to be drawn and shuffled
    windows: Windows  # with equal items merged
    local: Local

    @classmethod
    def of(
        cls,
        resolver: Resolver,
        request: Request,
        times: Times,
        options: IntervalOptions,
        points: int,
        bandwidth: float | None,
        permutations: int = 0,
    ) -> DriftSetup:
        """Return the data; refuse ratings without two times or without two items to compare."""
        random = options.random
        if random.draws_annotators:
            request = replace(request, problem=with_identities(resolver, request.problem))
        items = timeline_of(resolver, request, times, random.cluster)
        check_timeline(items, times)
        windows = windows_of(times, items.merged(), points, bandwidth)
        request = replace(request, problem=with_middles(request.problem, windows.rows.weight))
        local = Local(request.problem, (permutations + 1) * len(windows.at))
        return cls(request, times, options, items.units(), windows, local)

    @property
    def timeline(self) -> Timeline:
        """Items, with equal items at the same time merged into one cell."""
        return self.windows.timeline

    @property
    def batches(self) -> bool:
        """Whether the windows are batches."""
        return self.windows.bandwidth is None

    @cached_property
    def cuts(self) -> Cuts:
        """The possible cuts in time."""
        return Cuts(self.timeline)

    @cached_property
    def clusters(self) -> ClustersInTime | None:
        """Clusters of items, if clusters are random."""
        return ClustersInTime(self.items) if isinstance(self.items, ClusteredTimeline) else None

    @cached_property
    def batch_of_clusters(self) -> Indices | None:
        """Batch of each cluster; None unless every cluster lies in a single batch."""
        if self.clusters is None or not self.batches:
            return None
        return self.clusters.batches(np.searchsorted(self.windows.at, self.items.time))

    @property
    def clusters_shuffled(self) -> str:
        """How clusters are shuffled: "nested" in batches, "one_after_the_other", or ""."""
        if self.clusters is None:
            return ""
        return "one_after_the_other" if self.batch_of_clusters is None else "nested"

    def doubts_of_clusters(self, cells: Iterable[Floats]) -> list[Note | None]:
        """Return, for each row of weights (cell,), a note if it has few clusters, or None."""
        timeline = self.timeline
        if not isinstance(timeline, ClusteredTimeline):
            return [None for _ in cells]
        pairable = timeline.pairable[timeline.pattern]
        sizes = [np.bincount(timeline.cluster, weight * pairable) * 1.0 for weight in cells]
        return [few_clusters(float((size > 0).sum()), size) for size in sizes]

    @cached_property
    def few_clusters(self) -> Note | None:
        """A note if there are few clusters altogether."""
        return self.doubts_of_clusters([self.timeline.weight])[0]

    def without_each(self, rows: WindowWeights) -> AnnotatorJackknife | None:
        """Return the jackknife over annotators; None unless annotators are random."""
        if not self.options.random.draws_annotators:
            return None
        return jackknife_annotators(self.local, rows)

    def measured(
        self, rows: WindowWeights, cells: Iterable[Floats], keep: bool = True
    ) -> WindowEstimates:
        """Return estimates, with standard errors over items or clusters and random annotators.

        ``cells`` gives the weights (cell,) of each of the ``rows``.
        """
        timeline = self.timeline
        figures = self.local.at(rows, keep=keep or isinstance(timeline, ClusteredTimeline))
        degrees: Floats = np.maximum(rows.weight.sum(axis=1) - 1, 1e-9)
        if isinstance(timeline, ClusteredTimeline):
            error, degrees = clustered_errors(timeline, cells, figures.centred)
            error = np.where(np.isnan(figures.estimate), np.nan, error)
            figures = figures._replace(error=error)
        annotators = self.without_each(rows)
        if annotators is not None:
            of_annotators = np.sqrt(np.diag(annotators.covariance))
            both = np.hypot(figures.error, of_annotators)
            variances = figures.error**2, of_annotators**2
            degrees = satterthwaite(variances, (degrees, annotators.degrees))
            figures = figures._replace(error=both)
        return WindowEstimates(figures, degrees, annotators)

    @cached_property
    def at_windows(self) -> WindowEstimates:
        """The coefficient in each window."""
        return self.measured(self.windows.rows, self.windows.cell_weights())

    @cached_property
    def figures(self) -> Figures:
        """The coefficient in each window; NaN for too few items."""
        rows, figures = self.windows.rows, self.at_windows.figures
        return figures._replace(
            estimate=np.where(rows.few, np.nan, figures.estimate),
            error=np.where(rows.few, np.nan, figures.error),
        )

    @cached_property
    def total(self) -> Floats:
        """The weight of the items with each pattern of ratings."""
        return totals(self.timeline.pattern, self.timeline.weight, self.timeline.patterns)

    @cached_property
    def all_items(self) -> Figures:
        """Coefficient of all items, with error and derivatives."""
        total = self.total[None]
        rows = WindowWeights(total, total, total.sum(axis=1), total)
        return self.measured(rows, [self.timeline.weight]).figures

    @property
    def least_error(self) -> float:
        """Maximum standard error that counts as 0."""
        size = abs(float(self.all_items.missing[0])) if self.local.whole else 1.0
        return NO_ERROR if np.isnan(size) else NO_ERROR * min(size, 1.0)

    @property
    def overall(self) -> float:
        """The coefficient of all items."""
        return float(self.all_items.estimate[0])

    @cached_property
    def influence(self) -> Floats:
        """The influence of each pattern on the coefficient of all items."""
        return np.asarray(np.nan_to_num(self.all_items.centred[0]) * self.total.sum())

    @cached_property
    def sides(self) -> Figures | None:
        """Coefficient before and after each cut; None without cuts."""
        if not len(self.cuts.starts):
            return None
        return self.measured(self.cuts.sides(), self.cuts.cell_weights(), keep=False).figures

    @property
    def spread(self) -> float:
        """Standard error of `overall`, times the square root of the number of items."""
        return float(self.all_items.error[0] * np.sqrt(self.total.sum()))
