"""A request for one coefficient: its data and formula for the engine, its range, its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import UNWEIGHTED, Coefficient
from iaa_jax.catalog.attainable_minimum import Design
from iaa_jax.engine import Problem
from iaa_jax.measure.options.interval import FigureKind
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.requests.prior import Labels, labels_of, takes_prior
from iaa_jax.measure.requests.spread import NO_BOUNDS, SHARE, Bounds
from iaa_jax.wording import Note


@dataclass(frozen=True)
class Request:
    """A request for one coefficient, ready for the engine.

    ``used`` describes the agreement between labels ("identity", "linear on ranks", "level
    ordinal"), and ``level`` is the level of measurement, if there is one. ``row`` is the row of the
    catalogue. Without a row, ``is_share`` marks a figure that is a share, with a minimum of 0.
    """

    name: str
    row: Coefficient | None
    problem: Problem
    used: str
    notes: tuple[Note, ...] = ()
    level: str = ""
    is_share: bool = False

    @property
    def takes_level(self) -> bool:
        """Whether the figure depends on the level of measurement."""
        if self.row is not None and self.row.levels:
            return True
        return not self.problem.measure.takes_values and (
            self.row is None or self.row.takes_weights
        )

    @property
    def taken_as_seen(self) -> str:
        """The quantity whose value in the sample is taken as its true value; "" if there is none.

        Because of it, the lower end of an interval for unanimous ratings is only approximate.
        "chance" is expected agreement; "sizes" are the weights of items by the amount marked in
        them. Without either, the figure depends only on a share of items.
        """
        if self.row is None or (self.row.beyond_chance and not self.row.chance_from_labels_only):
            return "chance"
        return "sizes" if self.problem.measure.item_share is not None else ""

    @cached_property
    def bounds(self) -> Bounds:
        """The range of the figure."""
        if self.row is None:
            return SHARE if self.is_share else NO_BOUNDS
        problem = self.problem
        lower, upper = self.row.bounds
        if self.row.attainable_minimum is not None and problem.measure.has_attainable_minimum:
            rated = ~np.isnan(problem.data.reshape(*problem.data.shape[:2], -1)).any(axis=-1)
            design = Design(
                problem.data.shape[-1],
                None if problem.measure.takes_values else problem.disagreement,
                rated.sum(axis=1),
                problem.table.count,
                problem.annotators or rated.shape[1],
            )
            lower = max(lower, self.row.attainable_minimum(design))
        if not self.row.beyond_chance and problem.disagreement is not None:
            lower = min(lower, 1 - float(problem.disagreement.max()))  # weights can be below 0
        return Bounds(lower, upper, upper)

    def interval(self, options: IntervalOptions, *, by_kind: bool = True) -> ResolvedInterval:
        """Return the interval with a method in place of "auto".

        The kind of figure determines the method that "auto" means, unless ``by_kind`` is False: the
        interval must then come from existing bootstrap replicates.
        """
        by_name = self.row is not None and self.row.random_annotators
        kind = self.kind if by_kind and options.interval is not None else ""
        return resolve(options, kind, random_annotators=by_name)

    @property
    def label_distance(self) -> Floats | None:
        """The distances between labels; None for numbers, or if unequal labels never agree."""
        problem = self.problem
        if self.used in UNWEIGHTED or problem.measure.takes_values:
            return None
        if problem.disagreement is not None or not self.level:
            return problem.disagreement
        # ordinal alpha: its distances depend on the frequencies of labels, so squared differences
        # of ranks stand in for them
        ranks = np.arange(float(problem.rows(slice(1)).shape[-1]))
        return np.asarray((ranks[:, None] - ranks[None, :]) ** 2)

    @cached_property
    def labels(self) -> Labels | None:
        """The possible labels, and the number of ratings, of the pseudo-item of the prior.

        None if no prior applies, see `iaa_jax.measure.requests.prior`.
        """
        problem = self.problem
        return labels_of(problem, self.label_distance) if takes_prior(problem) else None

    @cached_property
    def kind(self) -> FigureKind:
        """The kind of figure, for the choice of the interval; "" if coverage was not studied."""
        measure = self.problem.measure
        if not self.problem.factored:
            return ""  # a user's function
        if measure.compares:
            return "spans"
        if measure.takes_values or not takes_prior(self.problem):
            # for numbers, or without a prior, only coefficients of the catalogue were studied
            return "" if self.row is None else "numbers"
        annotators = self.problem.annotators or self.problem.columns
        of_pairs = self.row is not None and self.row.pair_counts is not None
        if of_pairs and self.problem.labels_in_use[1] < annotators:
            return ""  # most pairs of many annotators share few items, unlike pairs in a prior
        unweighted = self.used in UNWEIGHTED and not measure.label_sets
        return "labels" if unweighted else "weighted labels"


def refuse_several_figures(requests: Sequence[Request], instead: str) -> None:
    """Raise an error for coefficients with an estimate per label, with advice on what to do.

    In ``instead``, ``{call}`` stands for the function to call, with its arguments if it needs any.
    """
    for request in requests:
        if request.problem.measure.per_label:
            call = request.name if request.row is None else request.row.within or request.name
            hint = instead.replace("{call}", call)
            raise IaaError(f"{request.name} has one estimate per label: {hint}")
