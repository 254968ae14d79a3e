"""Patterns of ratings: items with the same ratings, kept once with a count.

Identified patterns tell which annotator gave which rating; exchangeable patterns do not. Patterns
have a column for each annotator or for each slot. A slot is an item's first, second, ... rating, no
matter which annotator gave it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.data.assemble import GIVEN_BY, further_ratings
from iaa_jax.data.drawing_order import DrawingOrder, places_of_annotators, places_of_codes
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import (
    Codes,
    Patterns,
    by_slot,
    exchangeable_patterns,
    identified_patterns,
    slots_of,
)
from iaa_jax.data.storage import repeats_of
from iaa_jax.engine import PatternTable
from iaa_jax.engine.computing import Computing
from iaa_jax.measure.ratings.stored import StoredRatings

_PAIR_CELLS = 1 << 22
"""Maximum number of cells (patterns times label pairs) for which ordinal alpha uses label pairs."""

_MOVED = 0.25
"""Items can be weighted by their numbers of ratings, or of pairs of ratings. If the two weightings
differ by at most this share of the total weight, `RatingPatterns.heavy_items` is 0."""


class RatingPatterns(StoredRatings):
    """Ratings by pattern: items with the same pattern are processed as one.

    ``groups`` (item,) are numbers from 0; items of different groups get different identified
    patterns.
    """

    def __init__(self, dataset: xr.Dataset, groups: Integers | None, computing: Computing) -> None:
        super().__init__(dataset)
        self._groups, self.computing = groups, computing

    @cached_property
    def drawing_order(self) -> DrawingOrder:
        """The order in which patterns and annotators are drawn."""
        masses = None if self.kind not in (Kind.SHARES, Kind.SETS) else self.distinct_masses
        return DrawingOrder(
            places_of_codes(self.dataset, masses), places_of_annotators(self.dataset)
        )

    @cached_property
    def identified(self) -> Patterns:
        """The patterns that identify annotators."""
        patterns = identified_patterns(self.codes, self.weight)
        patterns = self.drawing_order.identified(patterns, self.codes.distinct)
        return patterns if self._groups is None else patterns.split_by(self._groups, self.weight)

    @cached_property
    def exchangeable(self) -> Patterns:
        """The patterns that do not identify annotators, made from the identified ones."""
        identified, distinct = self.identified, self.codes.distinct
        patterns = exchangeable_patterns(Codes(identified.codes, distinct), identified.count)
        return self.drawing_order.exchangeable(patterns, distinct)

    @cached_property
    def exchangeable_of_items(self) -> NDArray[np.intp]:
        """The exchangeable pattern of each item."""
        return self.exchangeable.pattern_of[self.identified.pattern_of]

    @cached_property
    def exchangeable_table(self) -> PatternTable:
        """The counts of the exchangeable patterns."""
        return PatternTable(_rated_count(self.exchangeable), computing=self.computing)

    @cached_property
    def identified_table(self) -> PatternTable:
        """The counts of the identified patterns, with the exchangeable pattern of each."""
        coarse = self.exchangeable_table
        return coarse.other(_rated_count(self.identified), coarse, self.exchangeable.pattern_of)

    @cached_property
    def compact_codes(self) -> Codes:
        """The identified patterns, by slot or by annotator.

        They are by slot if they are stored so, or if this is estimated to be faster.
        """
        patterns = self.identified
        codes = Codes(patterns.codes, self.codes.distinct, patterns.annotator_of)
        annotators = codes.codes.shape[1]
        if codes.annotator_of is not None or annotators <= 2 or self.anonymous:
            return codes
        panel = patterns.panel
        of_slots = float((panel * (panel - 1) // 2).sum()) * 4 * thresholds.SLOT_COST
        of_annotators = len(panel) * annotators * (annotators - 1) // 2
        return by_slot(codes) if of_slots < of_annotators * (2 + 2 * self.label_count) else codes

    @cached_property
    def grid_codes(self) -> Codes:
        """The identified patterns by annotator, even if the array is large."""
        compact = self.compact_codes
        codes, annotator_of = compact.codes, compact.annotator_of
        if annotator_of is None:
            return compact
        grid = np.full((len(codes), self.annotators), -1, dtype=codes.dtype)
        rows, slots = np.nonzero(codes >= 0)
        grid[rows, annotator_of[rows, slots]] = codes[rows, slots]
        return Codes(grid, compact.distinct)

    @cached_property
    def slot_codes(self) -> Codes:
        """The identified patterns by slot, however the ratings are stored."""
        patterns = self.identified
        return by_slot(Codes(patterns.codes, self.codes.distinct, patterns.annotator_of))

    @cached_property
    def first_votes(self) -> NDArray[np.bool_]:
        """A mask (pattern, slot) of `slot_codes`: each annotator's first rating of the item."""
        codes, annotator_of = slots_of(self.slot_codes)
        return (codes >= 0) & ~repeats_of(annotator_of)

    @cached_property
    def further_ratings(self) -> dict[str, list[str]]:
        """The names of further votes, for each annotator with several votes on an item."""
        if GIVEN_BY not in self.along("annotator"):
            return {}
        given_by = self.coordinate(GIVEN_BY).tolist()
        return further_ratings(self.annotator_names.tolist(), given_by)

    @cached_property
    def totals(self) -> dict[str, int | float]:
        """The numbers of items, ratings and pairable items."""
        patterns = self.identified
        panel = patterns.panel
        totals = {
            "items": patterns.count.sum(),
            "ratings": panel @ patterns.count,
            "pairable_items": patterns.count[panel >= 2].sum(),
        }
        return {name: int(x) if float(x).is_integer() else float(x) for name, x in totals.items()}

    @cached_property
    def heavy_items(self) -> float:
        """The least number of items that hold half of all pairs of ratings, or 0.

        It is 0 without pairs. It is also 0 if the weights of items by ratings and by pairs of
        ratings differ by at most a quarter of the total weight.
        """
        patterns = self.exchangeable
        order = np.argsort(-patterns.panel, kind="stable")
        panel = patterns.panel[order]
        count = np.where(panel >= 2, patterns.count[order], 0.0)
        ratings, pairs = count * panel, count * panel * (panel - 1.0)
        if not pairs.any():
            return 0.0
        ratings, pairs = ratings / ratings.sum(), pairs / pairs.sum()
        if np.abs(pairs - ratings).sum() / 2 <= _MOVED:
            return 0.0
        reached = np.cumsum(pairs)
        last = int(np.argmax(reached >= 0.5))
        before = reached[last] - pairs[last]
        return float(count[:last].sum() + np.ceil((0.5 - before) / pairs[last] * count[last]))

    @cached_property
    def complete_items(self) -> float:
        """The number of items that every annotator rated."""
        patterns = self.identified
        return float(patterns.count[patterns.panel == self.annotators].sum())

    @property
    def many_label_pairs(self) -> bool:
        """Whether a table of label pairs for each pattern would be large."""
        return len(self.exchangeable.codes) * self.label_count**2 > _PAIR_CELLS


def _rated_count(patterns: Patterns) -> Floats:
    return np.where(patterns.panel > 0, patterns.count, 0.0)
