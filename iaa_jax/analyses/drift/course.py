"""One coefficient along one line of times: what all parts of the study look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.cuts import Cuts
from iaa_jax.analyses.drift.line import Line, check_line, line_of
from iaa_jax.analyses.drift.local import Figures, Local
from iaa_jax.analyses.drift.times import Times
from iaa_jax.analyses.drift.windows import Windows, WindowWeights, totals, windows_of
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.request import Request, Resolver


@dataclass(frozen=True)
class Course:
    """The items along time, the windows and cuts that are looked at, and the coefficient there."""

    request: Request
    times: Times
    options: IntervalOptions
    items: Line  # what is drawn and shuffled
    windows: Windows  # of the items merged
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
    ) -> Course:
        """Refused where there is nothing to follow."""
        items = line_of(resolver, request, times)
        check_line(items, times)
        windows = windows_of(times, items.merged(), points, bandwidth)
        return cls(request, times, options, items.units(), windows, Local(request.problem))

    @property
    def line(self) -> Line:
        """The items merged."""
        return self.windows.line

    @property
    def batches(self) -> bool:
        """Whether the windows are batches."""
        return self.windows.bandwidth is None

    @cached_property
    def cuts(self) -> Cuts:
        """Where the items are cut in two."""
        return Cuts(self.line)

    @cached_property
    def figures(self) -> Figures:
        """The coefficient in each window; NaN where it is worth too few items."""
        rows = self.windows.rows
        figures = self.local.at(rows, keep=True)
        return figures._replace(
            estimate=np.where(rows.few, np.nan, figures.estimate),
            error=np.where(rows.few, np.nan, figures.error),
        )

    @cached_property
    def total(self) -> Floats:
        """The weight of all items on each pattern."""
        return totals(self.line.pattern, self.line.weight, self.line.patterns)

    @cached_property
    def of_all_items(self) -> Figures:
        """The coefficient of all items."""
        total = self.total[None]
        return self.local.at(WindowWeights(total, total, total.sum(axis=1), total), keep=True)

    @property
    def overall(self) -> float:
        """The coefficient of all items."""
        return float(self.of_all_items.estimate[0])

    @cached_property
    def influence(self) -> Floats:
        """Of each pattern on the coefficient of all items."""
        return np.asarray(np.nan_to_num(self.of_all_items.centred[0]) * self.total.sum())

    @cached_property
    def sides(self) -> Figures | None:
        """The coefficient before and after each cut; None where there is no cut."""
        return self.local.at(self.cuts.sides()) if len(self.cuts.starts) else None

    def error_for(self, effective: Floats) -> Floats:
        """The standard error that so many items have, as far as all items tell."""
        spread = self.of_all_items.error[0] * np.sqrt(self.total.sum())
        return np.asarray(spread / np.sqrt(np.maximum(effective, 1.0)))
