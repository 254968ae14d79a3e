"""Ratings, opened once: what they are, their patterns, and the dense arrays on these."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers, Values, Variables
from iaa_jax.catalog import Measure
from iaa_jax.data.compression import PATTERNS
from iaa_jax.data.drawing_order import DrawingOrder, places_of_annotators, places_of_codes
from iaa_jax.data.facts import facts_of
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import (
    Codes,
    Patterns,
    by_slot,
    exchangeable_patterns,
    identified_patterns,
    rating_codes,
    slots_of,
)
from iaa_jax.data.schema import validate
from iaa_jax.data.select import keep_annotators
from iaa_jax.data.slots import by_code
from iaa_jax.data.storage import REPEATED, repeats_of, weight_of, weights_of_items
from iaa_jax.data.votes import refuse_votes
from iaa_jax.engine import CodedRatings, PatternTable
from iaa_jax.measure.ratings.magnitude import from_middle, rescale
from iaa_jax.wording.formats import label_set

if TYPE_CHECKING:
    from iaa_jax.data.marked.comparison import Comparison
    from iaa_jax.measure.ratings.compared import ComparedSpans

_PAIR_CELLS = 1 << 22
"""Cells of label pairs over all patterns up to which ordinal alpha is taken from them."""

_MOVED = 0.25
"""Share of the weight that lies elsewhere by pairs than by ratings where a few items are heavy."""

ONE_RATING_EACH = "agreement is between annotators with one rating of an item each"
"""Why it takes no votes."""


class Rated:
    """One set of ratings; what is worked out of them is made when first asked for, and shared.

    Attributes
    ----------
    dataset : xarray.Dataset
        The ratings, as the data layer knows them; checked by whoever made them.
    kind : Kind
        What a rating is.
    anonymous : bool
        Whether nobody knows who rated.
    p : float
        The weight of a primary label beside a secondary one.
    """

    def __init__(
        self,
        dataset: xr.Dataset,
        comparisons: Mapping[str, Comparison] | None = None,
        groups: Integers | None = None,
    ) -> None:
        self.dataset = dataset
        self.kind = Kind(dataset.attrs["task"])
        self.anonymous = bool(dataset.attrs.get("anonymous", 0))
        self.p = 1.0
        self._groups = groups
        self._comparisons = comparisons
        self._at: dict[float, Rated] = {self.p: self}
        self._masses: dict[str, CodedRatings | Floats] = {}
        self._values: dict[tuple[str, bytes], Floats] = {}
        self.measured: dict[Hashable, Any] = {}

    @classmethod
    def of(cls, ratings: object) -> Self:
        """Open a Dataset: it is checked here, and nowhere behind."""
        jax = sys.modules.get("jax")
        if jax is not None and isinstance(ratings, jax.Array):
            message = (
                "ratings are an xarray Dataset here; on JAX arrays, and inside jit, vmap or grad, "
                "use the function of the same name in iaa_jax.kernels"
            )
            raise IaaError(message)
        dataset = cast(xr.Dataset, ratings)
        validate(dataset)
        return cls(dataset)

    def at(self, p: float) -> Rated:
        """The same ratings at another p: patterns, and so counts, do not depend on it."""
        if p not in self._at:
            if self.kind is not Kind.NUMBERS:
                _ = self.identified_table, self.compact_codes  # made once, and shared
            other = copy(self)
            other.p = p
            other._masses, other._values, other.measured = {}, {}, {}
            self._at[p] = other
        return self._at[p]

    def with_votes(self) -> Rated:
        """The same ratings for what weighs votes, of which an annotator may have several."""
        return Rated(by_code(self.dataset, rating_codes)).at(self.p)

    def compared_by(self, comparisons: Mapping[str, Comparison]) -> Rated:
        """The same spans, compared in other ways."""
        return Rated(self.dataset, comparisons)

    def in_groups(self, groups: Integers | None) -> Rated:
        """The same, where items of different groups, numbers from 0, are different patterns."""
        return self if groups is None else Rated(self.dataset, groups=groups).at(self.p)

    def refuse_votes(self) -> None:
        """Refuse several votes of an annotator on an item, for what compares annotators."""
        refuse_votes(self.dataset, ONE_RATING_EACH)

    def of_items(self, items: NDArray[Any]) -> Rated:
        """The ratings of some items, by their places or by whether they are meant."""
        return Rated(self.dataset.isel(item=items)).at(self.p)

    def with_codes(self, codes: Integers, weight: Floats) -> Rated:
        """A complete table (row, annotator) of codes of these ratings, a row for so many items."""
        other, order, distinct = Rated(self.dataset), self.drawing_order, self.codes.distinct
        if not self.kind.has_one_label:  # whose codes are what occurs
            known, codes = np.unique(codes, return_inverse=True)
            codes, distinct = codes.reshape(len(weight), -1), len(known)
            places = None if order.codes is None else np.argsort(np.argsort(order.codes[known]))
            order = order._replace(codes=places)
            if self.kind is Kind.NUMBERS:
                other.__dict__["distinct_numbers"] = self.distinct_numbers[known]
            else:
                other.__dict__["distinct_masses"] = self.distinct_masses[known]
        other.__dict__ |= {
            "codes": Codes(codes, distinct),
            "drawing_order": order,
            "weight": weight,
            "item_weight": weight,
        }
        return other.at(self.p)

    def with_ratings(self, ratings: Codes, numbers: Floats | None = None) -> Rated:
        """The same items with other codes of these ratings, or with other numbers for codes."""
        other, distinct = Rated(self.dataset), ratings.distinct
        codes, order = ratings.codes, self.drawing_order
        if self.kind is Kind.SPANS:
            other = self.compared_by(self.spans.comparisons)
        elif not self.kind.has_one_label:  # whose codes are what occurs
            known, place = np.unique(codes, return_inverse=True)
            place = place.reshape(codes.shape) - int(known[0] < 0)
            known = known[known >= 0]
            if self.kind is Kind.NUMBERS:
                values = self.distinct_numbers if numbers is None else numbers
                occurring, same = np.unique(values[known], return_inverse=True)
                place = np.where(place < 0, -1, same[place])
                other.__dict__["distinct_numbers"] = occurring
                known = known[np.unique(same, return_index=True)[1]]
            else:
                other.__dict__["distinct_masses"] = self.distinct_masses[known]
            codes, distinct = place, len(known)
            places = None if order.codes is None else np.argsort(np.argsort(order.codes[known]))
            order = order._replace(codes=places)
        other.__dict__ |= {
            "codes": Codes(codes, distinct, ratings.annotator_of),
            "drawing_order": order,
        }
        return other.at(self.p)

    def of_annotators(self, names: Sequence[object]) -> Rated:
        """The ratings of some annotators."""
        return Rated(keep_annotators(self.dataset, names)).at(self.p)

    def with_weight(self, weight: Floats) -> Rated:
        """The same ratings, each row of items for so many."""
        return Rated(self.dataset.assign(item_weight=("item", weight))).at(self.p)

    def without_coordinates(self, names: Iterable[str]) -> Rated:
        """The same ratings without columns that describe them."""
        other = copy(self)
        other.dataset = self.dataset.drop_vars(list(names), errors="ignore")
        other.__dict__.pop("facts", None)
        other._at = {self.p: other}
        return other

    def coordinate(self, name: str) -> Values:
        """The values of a coordinate."""
        return np.asarray(self.dataset.variables[name].values)

    def along(self, axis: str) -> Variables:
        """The coordinates of one axis: its names, and the user's own."""
        return {
            str(name): (axis, coordinate.values)
            for name, coordinate in self.dataset.coords.items()
            if coordinate.dims == (axis,)
        }

    @cached_property
    def facts(self) -> dict[str, object]:
        """What the ratings hold, as the attributes of results keep it."""
        return facts_of(self.dataset)

    @property
    def items(self) -> int:
        """How many rows of items there are, each for its weight of items."""
        return int(self.dataset.sizes["item"])

    @property
    def item_names(self) -> Values:
        """The items."""
        return self.coordinate("item")

    @cached_property
    def spans(self) -> ComparedSpans:
        """The spans, where ratings are such, as measures compare them."""
        from iaa_jax.measure.ratings.compared import ComparedSpans  # with all that compares spans

        return ComparedSpans(self.dataset, self._comparisons)

    @property
    def annotators(self) -> int:
        """How many annotators there are, with those who rated nothing."""
        return int(self.dataset.sizes["annotator"])

    @cached_property
    def annotator_names(self) -> Values:
        """The annotators."""
        return self.coordinate("annotator")

    @cached_property
    def label_names(self) -> Values:
        """The labels that are declared; of label sets the labels in them, of numbers none."""
        if self.kind is Kind.NUMBERS:
            return np.empty(0, dtype=object)
        return self.coordinate("label")

    @property
    def has_further_votes(self) -> bool:
        """Whether an annotator may have several votes on an item."""
        return bool(self.dataset.attrs.get(REPEATED, 0))

    @property
    def are_in_order(self) -> bool:
        """Whether items stand in their order: not where they are counted by pattern."""
        return PATTERNS not in self.dataset.attrs

    @property
    def labels_in_order(self) -> bool:
        """Whether the labels are numbers, or were declared in an order."""
        return bool(self.dataset.attrs.get("labels_ordered", 0))

    @property
    def labels_declared(self) -> bool:
        """Whether somebody said which labels there are."""
        return bool(self.dataset.attrs.get("labels_declared", 0))

    @cached_property
    def item_weight(self) -> NDArray[np.float64]:
        """For how many items each row of the ratings stands."""
        return weights_of_items(self.dataset)

    @cached_property
    def weight(self) -> NDArray[np.float64] | None:
        """The same, where rows have weights; None where each is one item."""
        return weight_of(self.dataset)

    @cached_property
    def codes(self) -> Codes:
        """A code a rating."""
        return rating_codes(self.dataset)

    @cached_property
    def identified(self) -> Patterns:
        """Patterns that tell annotators apart."""
        patterns = identified_patterns(self.codes, self.weight)
        patterns = self.drawing_order.identified(patterns, self.codes.distinct)
        return patterns if self._groups is None else patterns.told_apart(self._groups, self.weight)

    @cached_property
    def exchangeable(self) -> Patterns:
        """Patterns that do not; found among the identified ones."""
        identified, distinct = self.identified, self.codes.distinct
        patterns = exchangeable_patterns(Codes(identified.codes, distinct), identified.count)
        return self.drawing_order.exchangeable(patterns, distinct)

    @cached_property
    def drawing_order(self) -> DrawingOrder:
        """The order in which patterns and annotators are drawn."""
        masses = None if self.kind not in (Kind.SHARES, Kind.SETS) else self.distinct_masses
        return DrawingOrder(
            places_of_codes(self.dataset, masses), places_of_annotators(self.dataset)
        )

    @cached_property
    def exchangeable_of_items(self) -> NDArray[np.intp]:
        """The exchangeable pattern of each item."""
        return self.exchangeable.pattern_of[self.identified.pattern_of]

    @cached_property
    def compact_codes(self) -> Codes:
        """The identified patterns, annotator by annotator or slot by slot: the smaller way."""
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
        """The identified patterns annotator by annotator, whatever it takes."""
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
        """The identified patterns slot by slot, whatever it takes."""
        patterns = self.identified
        return by_slot(Codes(patterns.codes, self.codes.distinct, patterns.annotator_of))

    @cached_property
    def first_votes(self) -> NDArray[np.bool_]:
        """Which ratings (pattern, slot) of `slot_codes` are the first of their annotators."""
        codes, annotator_of = slots_of(self.slot_codes)
        return (codes >= 0) & ~repeats_of(annotator_of)

    @cached_property
    def totals(self) -> dict[str, int | float]:
        """Items, ratings and pairable items, from the patterns."""
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
        """The few items with half of all pairs of ratings; 0 where pairs are spread as ratings are.

        They are not where the items' shares of all pairs, and of all ratings, differ by more than
        a quarter in all.
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
        """Items that every annotator rated."""
        patterns = self.identified
        return float(patterns.count[patterns.panel == self.annotators].sum())

    @cached_property
    def exchangeable_table(self) -> PatternTable:
        """Counts of the exchangeable patterns."""
        return PatternTable(_rated_count(self.exchangeable))

    @cached_property
    def identified_table(self) -> PatternTable:
        """Counts of the identified patterns, drawn as parts of the exchangeable ones."""
        return PatternTable(
            _rated_count(self.identified), self.exchangeable_table, self.exchangeable.pattern_of
        )

    def table(self, measure: Measure) -> PatternTable:
        """The table that a measure works on."""
        return self.identified_table if measure.identified else self.exchangeable_table

    @cached_property
    def set_labels(self) -> list[tuple[object, ...]]:
        """For label sets: the distinct sets, in the order of their codes."""
        labels = self.label_names.tolist()
        return [
            tuple(label for label, contained in zip(labels, row, strict=True) if contained)
            for row in self.distinct_masses
        ]

    @cached_property
    def distinct_masses(self) -> Floats:
        """The mass (code, label) of each distinct rating of a soft or multi-label task."""
        codes = self.codes.codes
        rows, places = np.nonzero(codes >= 0)
        _, first = np.unique(codes[rows, places], return_index=True)
        mass: Floats = self.dataset.variables["mass"].data[rows[first], places[first]]
        return mass

    @property
    def labels(self) -> Values:
        """The values of the mass's labels; label sets as text."""
        if self.kind is not Kind.SETS:
            return self.label_names
        names = [*map(label_set, self.set_labels)]
        return np.array(names, dtype=object)

    @cached_property
    def label_count(self) -> int:
        """Labels of the mass: for label sets, the distinct sets."""
        if self.kind is Kind.SETS:
            return self.codes.distinct
        return len(self.label_names)

    @property
    def coded_labels(self) -> int:
        """Labels, where a rating is one of them and nothing else; 0 otherwise."""
        return self.label_count if self.kind is Kind.LABELS else 0

    @property
    def many_label_pairs(self) -> bool:
        """Whether a table of label pairs for each pattern would be large."""
        return len(self.exchangeable.codes) * self.label_count**2 > _PAIR_CELLS

    def weighs_annotators(self, measure: Measure) -> bool:
        """Whether a measure can leave annotators out, or count them more, by their weights."""
        return not measure.compares or self.spans.weighs_annotators(measure)

    def masses(self, measure: Measure) -> CodedRatings | Floats:
        """The mass (pattern, column, label) of a measure's patterns, or what it compares."""
        key = _kind(measure)
        if key not in self._masses:
            codes = self.codes_of(measure).codes
            if measure.compares:
                self._masses[key] = self.spans.data(measure, codes)
            else:
                lay_out = self._sets if measure.label_sets else self._mass
                self._masses[key] = CodedRatings(
                    codes, lay_out, self.coded_labels, self.drawing_order.codes
                )
        return self._masses[key]

    def mass(self, measure: Measure) -> Floats:
        """The same, laid out."""
        masses = self.masses(measure)
        return masses.data if isinstance(masses, CodedRatings) else masses

    def values(self, measure: Measure, label_values: Values | None) -> tuple[Floats, int]:
        """The numbers (pattern, column), of ratings that are numbers or have number labels.

        Beside them stands the power of two that they must be multiplied with, where they are very
        large or small.
        """
        distinct = self.distinct_numbers
        if label_values is not None:
            distinct = np.asarray(label_values, dtype=np.float64)
        if measure.depends_on == "differences":
            # single precision has no room for what all of them have in common
            distinct, power = from_middle(distinct)
        else:
            distinct, power = rescale(distinct, measure.depends_on)
        # the same ratings may stand for the numbers of their labels, and for ranks
        usual = label_values is None and distinct is self.distinct_numbers
        key = (_kind(measure), b"" if usual else distinct.tobytes())
        if key not in self._values:
            codes = self.codes_of(measure).codes
            self._values[key] = np.append(distinct, np.nan)[codes]
        return self._values[key], power

    @cached_property
    def distinct_numbers(self) -> Floats:
        """For numbers: those that occur, in the order of their codes."""
        if self.kind is not Kind.NUMBERS:
            return np.empty(0)
        stored = self.dataset.variables["value"].values
        return np.unique(stored[~np.isnan(stored)] + 0.0)

    def annotator_of(self, measure: Measure) -> Integers | None:
        """The annotator of each slot, where a measure's patterns stand by slot."""
        return self.codes_of(measure).annotator_of if measure.identified else None

    def codes_of(self, measure: Measure) -> Codes:
        """The patterns that a measure works on."""
        if not measure.identified:
            return Codes(self.exchangeable.codes, self.codes.distinct)
        if measure.label_sets:
            cells = len(self.identified.codes) * self.annotators
            few = cells * len(self.label_names) <= thresholds.SET_CELLS
            return self.grid_codes if few else self.slot_codes
        return self.compact_codes if measure.takes_slots else self.grid_codes

    def _sets(self, codes: Integers) -> Floats:
        """The stored masses (pattern, column, label) of soft and multi-label ratings."""
        distinct = self.distinct_masses
        return np.concatenate([distinct, np.full((1, distinct.shape[1]), np.nan)])[codes]

    def _mass(self, codes: Integers) -> Floats:
        if self.kind is Kind.SHARES:
            return self._sets(codes)
        labels = self.label_count
        if self.kind is Kind.DOUBLES:
            primary, secondary = codes // (labels + 1), codes % (labels + 1) - 1
        else:
            primary, secondary = codes, np.full_like(codes, -1)
        mass = np.zeros((*codes.shape, labels))
        rows, slots = np.nonzero(codes >= 0)
        mass[rows, slots, primary[rows, slots]] = 1.0
        mass[codes < 0] = np.nan
        rows, slots = np.nonzero((codes >= 0) & (secondary >= 0))
        mass[rows, slots, primary[rows, slots]] = self.p
        mass[rows, slots, secondary[rows, slots]] = 1.0 - self.p
        return mass


def presence_view(ratings: xr.Dataset) -> xr.Dataset:
    """Who rates, and what they may say, where a label is seen as present or absent."""
    return xr.Dataset(
        coords={"annotator": ratings.annotator, "label": ["absent", "present"]},
        attrs={**ratings.attrs, "task": Kind.LABELS.value, "labels_ordered": 0},
    )


def _kind(measure: Measure) -> str:
    """Measures of one kind share their arrays."""
    if measure.label_sets:
        return "label sets"
    kind = ("places" if measure.takes_slots else "grid") if measure.identified else "exchangeable"
    return f"{measure.compares} {measure.numbers} {kind}" if measure.compares else kind


def _rated_count(patterns: Patterns) -> Floats:
    """Counts of items, 0 for items that nobody rated: these enter no term."""
    return np.where(patterns.panel > 0, patterns.count, 0.0)
