"""One coefficient of a call: what the engine takes, what its figure is of, and what it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import Coefficient
from iaa_jax.catalog.attainable_minimum import Design
from iaa_jax.engine import Problem
from iaa_jax.measure.options.interval import FigureKind
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import UNWEIGHTED
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.requests.prior import Labels, labels_of, takes_prior
from iaa_jax.measure.requests.spread import NO_BOUNDS, SHARE, Bounds
from iaa_jax.wording import Note


@dataclass(frozen=True)
class Request:
    """One coefficient of a call, ready to run.

    ``used`` says how labels agree ("identity", "linear on ranks", "level ordinal"), ``level`` the
    level of measurement alone, where there is one. Without a row of the catalogue ``is_share`` says
    that the figure is a share, which nothing takes below 0.
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
        """Whether a level of measurement says how labels agree, by itself or by its weights."""
        if self.row is not None and self.row.levels:
            return True
        return not self.problem.measure.takes_values and (
            self.row is None or self.row.takes_weights
        )

    @property
    def taken_as_seen(self) -> str:
        """What a lower end takes from the ratings where all agree, so that it is no exact bound.

        "chance", the agreement by chance; "sizes", where items count by what is marked in them; ""
        where the figure stands on a share of items alone, and so does its lower end.
        """
        if self.row is None or (self.row.beyond_chance and not self.row.chance_from_labels_only):
            return "chance"
        return "sizes" if self.problem.measure.item_share is not None else ""

    @cached_property
    def bounds(self) -> Bounds:
        """What the figure can be."""
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
        """Its interval: its name may say what is random, and its kind which one.

        Without ``by_kind`` it is made of bootstrap replicates that are there already.
        """
        by_name = self.row is not None and self.row.random_annotators
        kind = self.kind if by_kind and options.interval is not None else ""
        return resolve(options, kind, random_annotators=by_name)

    @property
    def label_distance(self) -> Floats | None:
        """How far labels are from one another; None where they agree or do not."""
        problem = self.problem
        if self.used in UNWEIGHTED or problem.measure.takes_values:
            return None
        if problem.disagreement is not None or not self.level:
            return problem.disagreement
        # of ranks as far as can be said before they are given
        ranks = np.arange(float(problem.rows(slice(1)).shape[-1]))
        return np.asarray((ranks[:, None] - ranks[None, :]) ** 2)

    @cached_property
    def labels(self) -> Labels | None:
        """What can be said of an item, where a prior can count it."""
        problem = self.problem
        return labels_of(problem, self.label_distance) if takes_prior(problem) else None

    @cached_property
    def kind(self) -> FigureKind:
        """What the figure is of, as far as its interval goes."""
        measure = self.problem.measure
        if not self.problem.factored:
            return ""  # a function of the caller's
        if measure.compares:
            return "spans"
        if measure.takes_values or not takes_prior(self.problem):
            return "" if self.row is None else "numbers"  # of a share no study knows
        annotators = self.problem.annotators or self.problem.columns
        of_pairs = self.row is not None and self.row.pair_counts is not None
        if of_pairs and self.problem.labels_in_use[1] < annotators:
            return ""  # pairs of a crowd share few items, of which pseudo-items know nothing
        unweighted = self.used in UNWEIGHTED and not measure.label_sets
        return "labels" if unweighted else "weighted labels"


def refuse_several_figures(requests: Sequence[Request], instead: str) -> None:
    """Refuse coefficients with one figure per label; ``{call}`` in the hint is what gives them."""
    for request in requests:
        if request.problem.measure.per_label:
            call = request.name if request.row is None else request.row.within or request.name
            hint = instead.replace("{call}", call)
            raise IaaError(f"{request.name} has one figure per label: {hint}")
