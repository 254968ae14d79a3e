"""The contents of a Dataset of ratings: names, coordinates, and an integer code per rating."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats, Values, Variables
from iaa_jax.data.compression import PATTERNS
from iaa_jax.data.facts import facts_of
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import Codes, rating_codes
from iaa_jax.data.storage import REPEATED, weight_of, weights_of_items
from iaa_jax.data.votes import refuse_votes
from iaa_jax.wording.formats import label_set

ONE_RATING_EACH = "agreement is between annotators with one rating of an item each"
"""Reason why a study takes only one rating of an item by each annotator."""


class StoredRatings:
    """The contents of a Dataset of ratings, each read when first needed.

    The annotators of ``anonymous`` ratings are unknown.
    """

    def __init__(self, dataset: xr.Dataset) -> None:
        self.dataset = dataset
        self.kind = Kind(dataset.attrs["task"])
        self.anonymous = bool(dataset.attrs.get("anonymous", 0))

    def refuse_votes(self) -> None:
        """Raise an error for several votes of an annotator on an item."""
        refuse_votes(self.dataset, ONE_RATING_EACH)

    def coordinate(self, name: str) -> Values:
        """Return the values of a coordinate."""
        return np.asarray(self.dataset.variables[name].values)

    def along(self, axis: str) -> Variables:
        """Return the coordinates along an axis: its names, and the user's own coordinates."""
        return {
            str(name): (axis, coordinate.values)
            for name, coordinate in self.dataset.coords.items()
            if coordinate.dims == (axis,)
        }

    @cached_property
    def facts(self) -> dict[str, object]:
        """The facts about the ratings that results keep as attributes."""
        return facts_of(self.dataset)

    @property
    def items(self) -> int:
        """The number of rows along ``item``; a row may have the weight of several items."""
        return int(self.dataset.sizes["item"])

    @property
    def item_names(self) -> Values:
        """The names of the items."""
        return self.coordinate("item")

    @property
    def annotators(self) -> int:
        """The number of annotators, including those who rated nothing."""
        return int(self.dataset.sizes["annotator"])

    @cached_property
    def annotator_names(self) -> Values:
        """The names of the annotators."""
        return self.coordinate("annotator")

    @cached_property
    def label_names(self) -> Values:
        """The labels, or the labels that label sets consist of; empty for numbers."""
        if self.kind is Kind.NUMBERS:
            return np.empty(0, dtype=object)
        return self.coordinate("label")

    @property
    def has_further_votes(self) -> bool:
        """Whether annotators may have several votes on an item."""
        return bool(self.dataset.attrs.get(REPEATED, 0))

    @property
    def are_in_order(self) -> bool:
        """Whether items keep their original order; False if items with equal ratings share rows."""
        return PATTERNS not in self.dataset.attrs

    @property
    def labels_in_order(self) -> bool:
        """Whether the labels are numbers, or were declared in an order."""
        return bool(self.dataset.attrs.get("labels_ordered", 0))

    @property
    def labels_declared(self) -> bool:
        """Whether the labels were declared."""
        return bool(self.dataset.attrs.get("labels_declared", 0))

    @cached_property
    def item_weight(self) -> NDArray[np.float64]:
        """The number of items that each row stands for."""
        return weights_of_items(self.dataset)

    @cached_property
    def weight(self) -> NDArray[np.float64] | None:
        """The number of items that each row stands for; None if each row is one item."""
        return weight_of(self.dataset)

    @cached_property
    def codes(self) -> Codes:
        """The codes of the ratings: equal ratings have equal codes."""
        return rating_codes(self.dataset)

    @cached_property
    def distinct_masses(self) -> Floats:
        """The amount of each label (code, label) in each distinct soft rating or label set."""
        codes = self.codes.codes
        rows, places = np.nonzero(codes >= 0)
        _, first = np.unique(codes[rows, places], return_index=True)
        mass: Floats = self.dataset.variables["mass"].data[rows[first], places[first]]
        return mass

    @cached_property
    def distinct_numbers(self) -> Floats:
        """The distinct numbers, in the order of their codes."""
        if self.kind is not Kind.NUMBERS:
            return np.empty(0)
        stored = self.dataset.variables["value"].values
        return np.unique(stored[~np.isnan(stored)] + 0.0)

    @cached_property
    def set_labels(self) -> list[tuple[object, ...]]:
        """The distinct label sets, in the order of their codes."""
        labels = self.label_names.tolist()
        return [
            tuple(label for label, contained in zip(labels, row, strict=True) if contained)
            for row in self.distinct_masses
        ]

    @property
    def labels(self) -> Values:
        """The labels; if ratings are label sets, the distinct sets as text."""
        if self.kind is not Kind.SETS:
            return self.label_names
        names = [*map(label_set, self.set_labels)]
        return np.array(names, dtype=object)

    @cached_property
    def label_count(self) -> int:
        """The number of labels, or of distinct sets if ratings are label sets."""
        if self.kind is Kind.SETS:
            return self.codes.distinct
        return len(self.label_names)

    @property
    def coded_labels(self) -> int:
        """The number of labels if each rating is exactly one of them; 0 otherwise."""
        return self.label_count if self.kind is Kind.LABELS else 0
