"""Repeated answers of annotators to an item: how they change, and their effect on agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.data.kind import Kind
from iaa_jax.engine import sampled_rows
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.pseudo_item import farther_ends, one_item_less
from iaa_jax.measure.ratings.magnitude import rescale
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.shared.closeness import Closeness, closeness_of

_PAIRS = 1 << 22
"""Number of pairs of answers processed in one batch."""

_SUMS = 4
"""Number of sums per annotator: cells, distances within cells and from others, and gains."""


@dataclass(frozen=True)
class Answers:
    """All ratings, sorted by pattern (a set of items with equal ratings), annotator and time.

    A *cell* holds the answers of one annotator to one item.

    Attributes
    ----------
    ratings : Rated
        The ratings.
    pattern, giver, run, code : array (answer,)
        Pattern, annotator, number in the cell (from 0), and code of each answer.
    names : list of str
        Annotators who rated items again, in alphabetical order.
    """

    ratings: Rated
    pattern: Integers
    giver: Integers
    run: Integers
    code: Integers
    names: list[str]

    @classmethod
    def of(cls, ratings: Rated) -> Answers:
        """Return the ratings as sorted answers."""
        patterns = ratings.identified
        pattern, column = np.nonzero((patterns.codes >= 0) & (patterns.count > 0)[:, None])
        slots = patterns.annotator_of
        annotator = column if slots is None else slots[pattern, column]
        all_names = [str(name) for name in ratings.annotator_names.tolist()]
        giver, run = np.arange(len(all_names)), np.zeros(len(all_names), dtype=np.int64)
        for name, again in ratings.further_ratings.items():
            for number, further in enumerate(again, 1):
                index = all_names.index(further)
                giver[index], run[index] = all_names.index(name), number
        order = np.lexsort((run[annotator], giver[annotator], pattern))
        pattern, annotator = pattern[order], annotator[order]
        code = patterns.codes[pattern, column[order]].astype(np.int64)
        names = sorted(ratings.further_ratings)
        return cls(ratings, pattern, giver[annotator], run[annotator], code, names)

    @cached_property
    def closeness(self) -> Closeness:
        """A function of two codes: how far labels agree, or how near numbers are."""
        score = "distance" if self.ratings.kind is Kind.NUMBERS else "match"
        return closeness_of(self.ratings, score)

    @cached_property
    def best(self) -> float:
        """Closeness of equal answers."""
        return 0.0 if self.ratings.kind is Kind.NUMBERS else 1.0

    @cached_property
    def unit(self) -> float:
        """The square of the unit of numbers, whose differences may be scaled."""
        if self.ratings.kind is not Kind.NUMBERS:
            return 1.0
        return float(4.0 ** rescale(self.ratings.distinct_numbers, "differences")[1])

    @cached_property
    def cell(self) -> Integers:
        """The cell of each answer."""
        starts = (np.diff(self.pattern, prepend=-1) != 0) | (np.diff(self.giver, prepend=-1) != 0)
        return np.cumsum(starts) - 1

    @cached_property
    def size(self) -> Integers:
        """Number of answers in each cell."""
        return np.bincount(self.cell)

    @cached_property
    def start(self) -> Integers:
        """The first answer of each cell."""
        return np.cumsum(self.size) - self.size

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """The earlier and the later answer of every pair of answers in a cell."""
        parts = [np.zeros((2, 0), dtype=np.int64)]
        for size in np.unique(self.size[self.size > 1]).tolist():
            starts = self.start[self.size == size][:, None]
            earlier, later = np.triu_indices(size, 1)
            parts.append(np.stack([(starts + offset).ravel() for offset in (earlier, later)]))
        first, second = np.concatenate(parts, axis=1)
        return first, second

    @cached_property
    def close(self) -> Floats:
        """Closeness of the two answers in each pair."""
        first, second = self.pairs
        return np.asarray(self.closeness(self.code[first], self.code[second]))

    @cached_property
    def weight(self) -> Floats:
        """Weight of each pair: its number of items, divided by n - 1 for n answers."""
        first, _ = self.pairs
        times = self.ratings.identified.count[self.pattern[first]]
        return np.asarray(times / (self.size[self.cell[first]] - 1))

    @cached_property
    def within(self) -> Floats:
        """Mean distance of two answers in each cell; 0 for a single answer."""
        first, _ = self.pairs
        summed = np.bincount(self.cell[first], self.best - self.close, len(self.size))
        return np.asarray(summed / np.maximum(self.size * (self.size - 1) / 2, 1))

    def from_others(self, answers: Integers) -> Floats:
        """Return the mean distance of each answer from the other annotators' answers to the item.

        Each annotator counts once. The distance is NaN if no other annotator answered.
        """
        sizes = np.bincount(self.pattern, minlength=len(self.ratings.identified.count))
        begin = np.cumsum(sizes) - sizes
        share = 1.0 / self.size[self.cell]
        others = np.bincount(self.pattern, share, len(sizes))[self.pattern[answers]] - 1
        others = np.rint(others)
        summed = np.zeros(len(answers))
        length = sizes[self.pattern[answers]]
        block = np.cumsum(length) // _PAIRS
        for number in np.unique(block).tolist():
            rows = np.flatnonzero(block == number)
            index = np.repeat(rows, length[rows])
            step = np.arange(len(index)) - np.repeat(np.cumsum(length[rows]), length[rows])
            step += np.repeat(length[rows], length[rows])
            other = begin[self.pattern[answers[index]]] + step
            by_another = self.giver[other] != self.giver[answers[index]]
            index, other = index[by_another], other[by_another]
            far = self.best - self.closeness(self.code[answers[index]], self.code[other])
            summed += np.bincount(index, far * share[other], len(answers))
        return np.where(others > 0, summed / np.where(others > 0, others, 1.0), np.nan)

    @cached_property
    def central(self) -> Floats:
        """Weight of each answer: 1 if closest to the others in its cell; ties share the weight."""
        first, second = self.pairs
        count = len(self.code)
        total = np.bincount(first, self.close, count) + np.bincount(second, self.close, count)
        highest = np.full(len(self.size), -np.inf)
        np.maximum.at(highest, self.cell, total)
        closest = np.isclose(total, highest[self.cell], rtol=1e-12, atol=1e-12)
        return np.asarray(closest / np.bincount(self.cell, closest)[self.cell])

    @cached_property
    def sums(self) -> csr_array:
        """The sums of each annotator by pattern (pattern, annotator and sum)."""
        again = np.flatnonzero(self.size[self.cell] > 1)
        distance = np.full(len(self.code), np.nan)
        distance[again] = self.from_others(again)
        one = np.bincount(self.cell, distance, len(self.size)) / self.size
        if (
            self.ratings.kind is Kind.NUMBERS
        ):  # gain of the mean of the answers, by the Koenig-Huygens identity
            gain = self.within * (self.size - 1) / (2 * self.size)
        else:
            gain = one - np.bincount(self.cell, self.central * distance, len(self.size))
        cells = np.flatnonzero((self.size > 1) & np.isfinite(one))
        names = [str(name) for name in self.ratings.annotator_names.tolist()]
        index = np.zeros(len(names), dtype=np.int64)
        for number, name in enumerate(self.names):
            index[names.index(name)] = number
        values = np.stack([np.ones(len(cells)), self.within[cells], one[cells], gain[cells]])
        column = index[self.giver[self.start[cells]]] * _SUMS + np.arange(_SUMS)[:, None]
        row = np.broadcast_to(self.pattern[self.start[cells]], column.shape)
        shape = len(self.ratings.identified.count), len(self.names) * _SUMS
        return csr_array((values.ravel(), (row.ravel(), column.ravel())), shape=shape)

    def figures(self, options: IntervalOptions) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Return ``occasion``, ``one_answer``, ``all_answers`` and ``answers_gain``.

        The first dictionary is by annotator; the second is for all annotators together.
        """
        tables = self.ratings
        relevant = np.diff(self.sums.indptr) > 0
        count = np.where(relevant, tables.identified.count, 0.0)
        table = one_item_less(tables.exchangeable_table.other(count))
        estimates = [self._figures(count[None] @ self.sums, whole)[0] for whole in (False, True)]
        drawn: list[list[Floats]] = [[], []]
        if options.interval is not None and count.sum() > 1:
            pattern_of = tables.identified.pattern_of
            row_of = np.where(relevant[pattern_of], pattern_of, -1)
            resampling = resampling_of(options.random, tables, [(table, row_of)])
            for (rows,) in sampled_rows([table], options.replicates, options.seed, resampling):
                for kept, whole in zip(drawn, (False, True), strict=True):
                    kept.append(self._figures(rows @ self.sums, whole))
        results = []
        for estimate, rows_of in zip(estimates, drawn, strict=True):
            low, high = np.full((2, *estimate.shape), np.nan)
            if rows_of:
                rows = np.concatenate(rows_of)[: options.replicates]
                low, high = farther_ends(estimate, options.confidence, rows)
            alike = low == high  # equal replicates do not show any uncertainty
            low, high = (np.where(alike, np.nan, end) for end in (low, high))
            scale = np.array([1.0, self.unit, self.unit, self.unit]).reshape(
                -1, *[1] * (estimate.ndim - 1)
            )
            names = ("occasion", "one_answer", "all_answers", "answers_gain")
            values = dict(zip(names, estimate * scale, strict=True))
            for name, row in (("occasion", 0), ("answers_gain", 3)):
                values[f"{name}_ci_low"] = (low * scale)[row]
                values[f"{name}_ci_high"] = (high * scale)[row]
            results.append(values)
        return results[0], results[1]

    def deviations(self) -> tuple[Floats, Floats]:
        """Return the standard deviation within annotators' answers to an item, for numbers.

        It is the root of the mean variance of an annotator's answers to the same item, weighted by
        their number minus 1: by annotator, and for all annotators together.
        """
        names = [str(name) for name in self.ratings.annotator_names.tolist()]
        giver, times = self.giver[self.start], self.ratings.identified.count
        freedom = times[self.pattern[self.start]] * (self.size - 1.0)
        of_each = np.bincount(giver, freedom, len(names))
        squares = np.bincount(giver, freedom * self.within / 2, len(names))  # mean d^2 = 2 variance
        rows = [names.index(name) for name in self.names]
        of_each, squares = of_each[rows], squares[rows]
        whole = np.sqrt(self.unit * squares.sum() / of_each.sum())
        return np.sqrt(self.unit * squares / of_each), np.asarray(whole)

    def _figures(self, sums: Floats, whole: bool) -> Floats:
        """Return estimates (replicate, name, annotator) from sums (replicate, annotator and sum).

        If ``whole``, estimates (replicate, name) are for all annotators together.
        """
        parts = sums.reshape(len(sums), -1, _SUMS)
        if whole:
            parts = parts.sum(axis=1)
        cells, within, distance, gain = np.moveaxis(parts, -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            one, better = distance / cells, gain / cells
            occasion = np.where(distance > 0, within / (2 * distance), np.nan)
        if self.best:
            return np.stack([occasion, 1 - one, 1 - one + better, better], axis=1)
        return np.stack([occasion, one, one - better, better], axis=1)

    def run_agreement(self, names: Sequence[str]) -> Variables:
        """Return each run's number of answers, and agreement with the annotators' other runs."""
        first, second = self.pairs
        run = np.concatenate([self.run[first], self.run[second]])
        weight = np.tile(self.weight, 2)
        count = np.bincount(run, weight, len(names))
        far = np.bincount(run, weight * np.tile(self.best - self.close, 2), len(names))
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = far / count
        return {
            "run_answers": ("run", count),
            "run_agreement": ("run", 1 - mean if self.best else mean),
        }

    def item_changes(self) -> tuple[Variables, NDArray[np.intp]]:
        """Return the changes of answers to the items rated again, and these items.

        The items with the most changes come first.
        """
        patterns = len(self.ratings.identified.count)
        of_cell = self.pattern[self.start]
        again = self.size > 1
        cells = np.bincount(of_cell[again], minlength=patterns)
        answers = np.bincount(of_cell[again], self.size[again], patterns)
        far = np.bincount(of_cell[again], self.within[again], patterns)
        changed = far / np.maximum(cells, 1)
        pattern_of = self.ratings.identified.pattern_of
        items = np.flatnonzero(cells[pattern_of] > 0)
        items = items[np.argsort(-changed[pattern_of[items]], kind="stable")]
        rows = pattern_of[items]
        return {"answers": ("item", answers[rows]), "changed": ("item", changed[rows])}, items

    def label_changes(self) -> Variables:
        """Return how often an answer with each label changes, and to which label."""
        if self.ratings.kind is not Kind.LABELS:
            return {}
        labels = len(self.ratings.label_names)
        first, second = self.pairs
        key = self.code[first] * labels + self.code[second]
        moved = np.bincount(key, self.weight, labels * labels).reshape(labels, labels)
        both = moved + moved.T
        with np.errstate(invalid="ignore", divide="ignore"):
            turned = 1 - np.diag(both) / both.sum(axis=1)
        return {"turned": ("label", turned), "moved": (("label", "later_label"), moved)}

    def shift(self, moved: Floats) -> dict[str, object]:
        """Return the attributes of the largest shift of answers from one label to another.

        The result is empty if no label gains answers from another, if an annotator gave more than
        two answers to an item, or if weights of items are not whole numbers. The test is McNemar's
        exact test, with Bonferroni's correction for the pairs of labels with moving answers.
        """
        from scipy.stats import binomtest

        by_one = moved - moved.T
        if (self.size > 2).any() or len(moved) < 2:
            return {}
        source, target = np.unravel_index(int(np.argmax(by_one)), moved.shape)
        forth, back = moved[source, target], moved[target, source]
        if forth <= back or not np.array_equal(moved, np.rint(moved)):
            return {}
        pairs = int(((moved + moved.T)[np.triu_indices(len(moved), 1)] > 0).sum())
        p_value = min(float(binomtest(int(forth), int(forth + back)).pvalue) * pairs, 1.0)
        names = self.ratings.label_names
        return {
            "shift_from": str(names[source]),
            "shift_to": str(names[target]),
            "shift_there": float(forth),
            "shift_back": float(back),
            "shift_p_value": p_value,
        }
