"""One set of ratings with its patterns, and the dense arrays that coefficients take.

The mass of a rating is the amount of each label in it: 1 for a single label, shares for soft
labels. A pattern is a set of items with the same ratings, kept once with a count. A measure is the
formula of a coefficient.
"""

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
from iaa_jax._types import Floats, Integers, Values
from iaa_jax.catalog import Measure
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import Codes, rating_codes
from iaa_jax.data.schema import validate
from iaa_jax.data.select import only_annotators
from iaa_jax.data.slots import by_code
from iaa_jax.engine import CodedRatings, PatternTable
from iaa_jax.engine.computing import UNASKED, Computing
from iaa_jax.measure.ratings.by_pattern import RatingPatterns
from iaa_jax.measure.ratings.magnitude import from_middle, rescale

if TYPE_CHECKING:
    from iaa_jax.data.marked.comparison import Comparison
    from iaa_jax.data.marked.documents import Markings
    from iaa_jax.measure.ratings.compared import ComparedSpans


class Rated(RatingPatterns):
    """One set of ratings, whose derived arrays are computed when first needed and then kept.

    ``p`` is the share of a primary label if there is a secondary one.
    """

    def __init__(
        self,
        dataset: xr.Dataset,
        comparisons: Mapping[str, Comparison] | None = None,
        groups: Integers | None = None,
        computing: Computing = UNASKED,
    ) -> None:
        super().__init__(dataset, groups, computing)
        self.p = 1.0
        self._comparisons = comparisons
        self._at: dict[float, Rated] = {self.p: self}
        self._masses: dict[str, CodedRatings | Floats] = {}
        self._values: dict[tuple[str, bytes], Floats] = {}
        self.measured: dict[Hashable, Any] = {}

    @classmethod
    def of(cls, ratings: object, computing: Computing = UNASKED) -> Self:
        """Check a Dataset of ratings, and open it."""
        jax = sys.modules.get("jax")
        if jax is not None and isinstance(ratings, jax.Array):
            raise IaaError(
                "ratings are an xarray Dataset here; on JAX arrays, and inside jit, vmap or grad, "
                "use the function of the same name in iaa_jax.kernels"
            )
        dataset = cast(xr.Dataset, ratings)
        validate(dataset)
        return cls(dataset, computing=computing)

    def other(
        self,
        dataset: xr.Dataset,
        comparisons: Mapping[str, Comparison] | None = None,
        groups: Integers | None = None,
    ) -> Rated:
        """Open other ratings for the same computing device and precision."""
        return Rated(dataset, comparisons, groups, self.computing)

    def at(self, p: float) -> Rated:
        """Return the ratings with another share ``p`` of primary labels, and the same patterns."""
        if p not in self._at:
            if self.kind is not Kind.NUMBERS:
                _ = (
                    self.identified_table,
                    self.compact_codes,
                )  # now cached for both copies
            other = copy(self)
            other.p = p
            other._masses, other._values, other.measured = {}, {}, {}
            self._at[p] = other
        return self._at[p]

    def with_votes(self) -> Rated:
        """Return the ratings for a study that takes several votes of an annotator on an item."""
        return self.other(by_code(self.dataset, rating_codes)).at(self.p)

    def compared_by(self, comparisons: Mapping[str, Comparison]) -> Rated:
        """Return the ratings with other comparisons of their spans."""
        return self.other(self.dataset, comparisons)

    def in_groups(self, groups: Integers | None) -> Rated:
        """Return the ratings, with different identified patterns for items of different groups."""
        return self if groups is None else self.other(self.dataset, groups=groups).at(self.p)

    def select_items(self, items: NDArray[Any]) -> Rated:
        """Return the ratings of some items, by index or by mask."""
        return self.other(self.dataset.isel(item=items)).at(self.p)

    def with_ratings(
        self,
        ratings: Codes,
        meaning: Floats | Markings | None = None,
        weight: Floats | None = None,
    ) -> Rated:
        """Return the ratings with other codes, or with another meaning of the codes.

        Codes may stand for labels, numbers, masses, or markings (what an annotator marked in a
        document). A rating with the code -1 is left out. With a ``weight`` (row,), the rows are new
        items with these weights.
        """
        other, distinct = self.other(self.dataset), ratings.distinct
        order, codes, annotator_of = self.drawing_order, ratings.codes, ratings.annotator_of
        if annotator_of is not None:  # sort empty slots last
            last = np.argsort(codes < 0, axis=1, kind="stable")
            codes = np.take_along_axis(codes, last, axis=1)
            annotator_of = np.take_along_axis(annotator_of, last, axis=1)
            annotator_of = np.where(codes < 0, -1, annotator_of)
        if self.kind is Kind.SPANS:
            other = self.compared_by(self.spans.comparisons)
            if meaning is not None:
                other.spans.__dict__["markings"] = meaning
                order = order._replace(codes=None)
        elif not self.kind.has_one_label:  # renumber the codes, so that none is unused
            known, renumbered = np.unique(codes, return_inverse=True)
            renumbered = renumbered.reshape(codes.shape) - int(known[0] < 0)
            known = known[known >= 0]
            if self.kind is Kind.NUMBERS:
                values = self.distinct_numbers if meaning is None else np.asarray(meaning)
                occurring, index = np.unique(values[known], return_inverse=True)
                renumbered = np.where(renumbered < 0, -1, index[renumbered])
                other.__dict__["distinct_numbers"] = occurring
                known = known[np.unique(index, return_index=True)[1]]
            else:
                masses = self.distinct_masses if meaning is None else np.asarray(meaning)
                other.__dict__["distinct_masses"] = masses[known]
                order = order if meaning is None else order._replace(codes=None)
            codes, distinct = renumbered, len(known)
            ranks = None if order.codes is None else np.argsort(np.argsort(order.codes[known]))
            order = order._replace(codes=ranks)
        other.__dict__ |= {
            "codes": Codes(codes, distinct, annotator_of),
            "drawing_order": order,
        }
        if weight is not None:
            other.__dict__ |= {"weight": weight, "item_weight": weight}
        return other.at(self.p)

    def with_numbers(self, numbers: Floats) -> Rated:
        """Return the ratings with numbers (item, annotator or slot) instead of labels."""
        plain = self.dataset.drop_vars(["primary", "label"])
        dims = self.dataset.variables["primary"].dims
        return self.other(plain.assign(value=(dims, numbers)).assign_attrs(task=Kind.NUMBERS.value))

    def select_annotators(self, names: Sequence[object]) -> Rated:
        """Return the ratings by some of the annotators."""
        return self.other(only_annotators(self.dataset, names)).at(self.p)

    def with_weight(self, weight: Floats) -> Rated:
        """Return the ratings with another weight of each row along ``item``."""
        return self.other(self.dataset.assign(item_weight=("item", weight))).at(self.p)

    def without_coordinates(self, names: Iterable[str]) -> Rated:
        """Return the ratings without some of their descriptive columns."""
        other = copy(self)
        other.dataset = self.dataset.drop_vars(list(names), errors="ignore")
        other.__dict__.pop("facts", None)
        other._at = {self.p: other}
        return other

    @cached_property
    def spans(self) -> ComparedSpans:
        """The spans in the form in which measures compare them, if the ratings are spans."""
        from iaa_jax.measure.ratings.compared import (
            ComparedSpans,
        )  # slow to load

        return ComparedSpans(self.dataset, self._comparisons)

    def table(self, measure: Measure) -> PatternTable:
        """Return the table of patterns that a measure uses."""
        return self.identified_table if measure.identified else self.exchangeable_table

    def weighs_annotators(self, measure: Measure) -> bool:
        """Tell whether annotators can be weighted, or left out, in a measure."""
        return not measure.compares or self.spans.weighs_annotators(measure)

    def masses(self, measure: Measure) -> CodedRatings | Floats:
        """Return the mass (pattern, column, label) that a measure takes, or its data of spans."""
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
        """Return the mass (pattern, column, label) as a dense array."""
        masses = self.masses(measure)
        return masses.data if isinstance(masses, CodedRatings) else masses

    def values(self, measure: Measure, label_values: Values | None) -> tuple[Floats, int]:
        """Return the numbers (pattern, column) of ratings; labels become ``label_values``.

        For a measure of differences, the upper median of the numbers is subtracted. The second
        value is the exponent of the power of two that restores the unit of very large or small
        numbers.
        """
        distinct = self.distinct_numbers
        if label_values is not None:
            distinct = np.asarray(label_values, dtype=np.float64)
        if measure.depends_on == "differences":
            # single precision would lose the differences between large numbers
            distinct, power = from_middle(distinct)
        else:
            distinct, power = rescale(distinct, measure.depends_on)
        # labels may be used in two forms: as numbers, and as their ranks
        usual = label_values is None and distinct is self.distinct_numbers
        key = (_kind(measure), b"" if usual else distinct.tobytes())
        if key not in self._values:
            codes = self.codes_of(measure).codes
            self._values[key] = np.append(distinct, np.nan)[codes]
        return self._values[key], power

    def annotator_of(self, measure: Measure) -> Integers | None:
        """Return the annotator of each slot; None if a measure's patterns are not by slot."""
        return self.codes_of(measure).annotator_of if measure.identified else None

    def codes_of(self, measure: Measure) -> Codes:
        """Return the patterns that a measure uses."""
        if not measure.identified:
            return Codes(self.exchangeable.codes, self.codes.distinct)
        if measure.label_sets:
            cells = len(self.identified.codes) * self.annotators
            few = cells * len(self.label_names) <= thresholds.SET_CELLS
            return self.grid_codes if few else self.slot_codes
        return self.compact_codes if measure.takes_slots else self.grid_codes

    def _sets(self, codes: Integers) -> Floats:
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
    """Return a Dataset of annotators without ratings, whose labels are "absent" and "present"."""
    return xr.Dataset(
        coords={"annotator": ratings.annotator, "label": ["absent", "present"]},
        attrs={**ratings.attrs, "task": Kind.LABELS.value, "labels_ordered": 0},
    )


def _kind(measure: Measure) -> str:
    """Return the key under which measures share their arrays."""
    if measure.label_sets:
        return "label sets"
    kind = ("places" if measure.takes_slots else "grid") if measure.identified else "exchangeable"
    return f"{measure.compares} {measure.numbers} {kind}" if measure.compares else kind
