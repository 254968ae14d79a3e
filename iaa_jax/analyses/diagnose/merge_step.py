"""All merges of two labels, with the gain in agreement, the loss of information, and a p-value."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.data.recoding import recode
from iaa_jax.engine import Prepared
from iaa_jax.engine.drawing.halves import random_halves
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.kernels.intervals import normal
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.requests.floors import worth_merging
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import cluster_codes, resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient, patterns_of_items
from iaa_jax.measure.shared.confused_pairs import confused_by_one, confused_pairs
from iaa_jax.measure.shared.item_influence import influence_by_item
from iaa_jax.measure.shared.labels import bits_lost

SPLITS = 20
_TOGETHER = " / "


class _Merges(NamedTuple):
    """The coefficient after each merge, with its influences, and its values on random halves."""

    estimate: Floats  # (pair,)
    influence: Floats  # (pair, item)
    halves: Floats  # (pair, half, split)


class MergeStep:
    """All merges of two of the labels in ratings, with their gains, losses and p-values."""

    def __init__(
        self,
        resolver: Resolver,
        coefficient: CoefficientLike | None,
        replicates: int,
        options: IntervalOptions,
        progress: Progress | None,
    ) -> None:
        self.resolver, self.options = resolver, options
        self.request: Request = one_coefficient(resolver, coefficient)
        self.coefficient = coefficient
        self.names = [str(name) for name in resolver.tables.label_names.tolist()]
        self.pairs = [*combinations(range(len(self.names)), 2)] if len(self.names) > 2 else []
        self.resampling = resampling_of(options.random, resolver.tables)
        self.clusters = self.resampling.cluster_count
        self.weight = resolver.tables.item_weight
        self.rows, self.halves = self._halves()
        self.whole = self._figures(resolver, self.request)
        self.ordered = resolver.options.level == "ordinal"
        self.confused, self.by_chance, self.p_value = confused_pairs(
            *(resolver.tables, self.pairs, replicates, options, self.resampling),
            ordered=self.ordered,
        )
        self.replicates = replicates
        self.merges = self._merges(progress)
        self.gain = self.merges.estimate - self.whole.estimate[0]
        self.bits_lost, self.entropy = bits_lost(resolver.tables, self.pairs)
        self.share_lost = self.bits_lost / self.entropy if self.entropy else self.bits_lost
        self.errors = self._errors()

    def _halves(self) -> tuple[NDArray[np.intp], Floats]:
        """Draw random halves of the items; return rows, and their weights in each half."""
        rows, count = np.arange(len(self.weight)), self.weight
        # with whole weights, a row is a set of equal items, which are split between the halves
        if np.array_equal(count, np.rint(count)):
            patterns = self.resolver.tables.identified
            rows, count = patterns.first, patterns.count
        table = self.resolver.tables.exchangeable_table.other(count)
        return rows, np.stack(random_halves(table, SPLITS, self.options.seed, None))

    def merge(self, at: int) -> Resolver:
        """Return the ratings with the labels of a pair merged."""
        # keep the order of labels, even if labels are numbers and the merged name is a text
        declared = self.resolver.tables.dataset.assign_attrs(labels_declared=1)
        return Resolver(
            self.resolver.tables.other(recode(declared, self.new_names(at))), self.resolver.options
        )

    def new_names(self, at: int) -> dict[str, str]:
        """Return the name of the merged label for both labels of a pair."""
        both = [self.names[label] for label in self.pairs[at]]
        return dict.fromkeys(both, _TOGETHER.join(both))

    @cached_property
    def shown(self) -> NDArray[np.bool_]:
        """Whether each merge is worthwhile, and its labels are confused beyond chance."""
        agreement = float(self.whole.estimate[0])
        worth = worth_merging(self.gain, self.errors, agreement, self.share_lost)
        return np.asarray(worth & (self.p_value < 1 - self.options.confidence))

    @cached_property
    def confused_by(self) -> dict[int, str]:
        """The single annotator who causes the confusion, for worthwhile merges that have one."""
        annotators = {
            at: confused_by_one(
                *(self.resolver.tables, self.pairs[at], self.replicates, self.options),
                ordered=self.ordered,
            )
            for at in np.flatnonzero(self.shown).tolist()
        }
        return {at: name for at, name in annotators.items() if name is not None}

    @cached_property
    def suggested(self) -> int | None:
        """The worthwhile merge with the largest gain, among those not due to one annotator."""
        candidates = self.shown.copy()
        candidates[[*self.confused_by]] = False
        if not candidates.any():
            return None
        return int(np.argmax(np.where(candidates, self.gain, -np.inf)))

    def _figures(self, resolver: Resolver, request: Request) -> _Merges:
        influence, _, whole = influence_by_item(resolver, request)
        problem = request.problem
        prepared = Prepared([problem])
        patterns = patterns_of_items(resolver.tables, problem.measure)[self.rows]
        size = len(problem.table.count)
        on_halves = [
            [
                float(estimate_at(prepared, problem, _counts(patterns, row, size)).estimate)
                for row in half
            ]
            for half in self.halves
        ]
        return _Merges(
            np.atleast_1d(np.asarray(whole.estimate)),
            np.asarray(influence[None], dtype=np.float64),
            np.array([on_halves]),
        )

    def _merges(self, progress: Progress | None) -> _Merges:
        parts = []
        for at in range(len(self.pairs)):
            merged = self.merge(at)
            parts.append(self._figures(merged, one_coefficient(merged, self.coefficient)))
            tell(progress, at + 1, len(self.pairs))
        if not parts:
            return _Merges(np.zeros(0), np.zeros((0, len(self.weight))), np.zeros((0, 2, SPLITS)))
        return _Merges(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def table(self) -> Variables:
        """Return the variables of all merges, by falling gain, and those without an axis."""
        order = np.argsort(-np.round(self.gain, 12), kind="stable")
        names = np.array(self.names, dtype=object)
        left, right = np.array(self.pairs, dtype=np.intp).reshape(-1, 2)[order].T
        low, high = normal(self.gain, self.errors, self.options.confidence)
        columns = {
            "first": names[left],
            "second": names[right],
            "confused": self.confused[order],
            "by_chance": self.by_chance[order],
            "p_value": self.p_value[order],
            "confused_by": np.array(
                [self.confused_by.get(at, "") for at in order.tolist()], dtype=object
            ),
            "agreement": self.merges.estimate[order],
            "gain": self.gain[order],
            "gain_ci_low": np.asarray(low)[order],
            "gain_ci_high": np.asarray(high)[order],
            "bits_lost": self.bits_lost[order],
            "share_lost": self.share_lost[order],
        }
        picked, elsewhere = self._on_halves()
        return {
            **{name: ("pair", values) for name, values in columns.items()},
            "estimate": ((), self.whole.estimate[0]),
            "entropy": ((), np.asarray(self.entropy)),
            "picked": ((), np.asarray(picked)),
            "elsewhere": ((), np.asarray(elsewhere)),
        }

    def _errors(self) -> Floats:
        difference = (self.merges.influence - self.whole.influence) * self.weight
        cluster = self.options.random.cluster
        items = self.weight.sum()
        if cluster is None:
            squares = np.where(self.weight > 0, difference**2, 0.0) / np.maximum(
                self.weight, 1e-300
            )
            return np.asarray(np.sqrt(squares.sum(axis=1) / (items * (items - 1))))
        codes, _ = cluster_codes(self.resolver.tables, cluster)
        number = int(codes.max()) + 1
        sums = np.array([np.bincount(codes, row, minlength=number) for row in difference])
        sums = sums.reshape(len(difference), number)  # two dimensions, even without merges
        return np.asarray(np.sqrt((sums**2).sum(axis=1) * number / (number - 1)) / items)

    def _on_halves(self) -> tuple[float, float]:
        """Return two mean gains of the best merge of a half: on this half, and on the other."""
        if not self.pairs:
            return np.nan, np.nan
        gain = self.merges.halves - self.whole.halves  # (pair, half, split)
        both = np.concatenate([gain, gain[:, ::-1]], axis=2)
        one_half, other_half = both[:, 0], both[:, 1]
        known = ~np.isnan(one_half).all(axis=0)
        best = np.argmax(np.where(np.isnan(one_half), -np.inf, one_half), axis=0)
        splits = np.arange(one_half.shape[1])
        return float(np.nanmean(one_half[best, splits][known])), float(
            np.nanmean(other_half[best, splits][known])
        )


def _counts(patterns: Integers, weight: Floats, size: int) -> Floats:
    sums = np.bincount(patterns[patterns >= 0], weight[patterns >= 0], minlength=size)
    return np.asarray(sums, dtype=np.float64)
