"""What a row of the catalogue says of a coefficient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from iaa_jax.kernels.kappa import PairCounts


@dataclass(frozen=True)
class Measure:
    """One way to compute a coefficient: a kernel, and its two steps where it has them.

    Attributes
    ----------
    kernel : callable
        Of the kernels' shape; enough by itself (a user's own coefficient has nothing else).
    statistics, formula : callable, optional
        The kernel as statistics per item and a formula on their sums: replicates are then matrix
        products.
    identified : bool
        Needs to know who gave which rating.
    takes_values : bool
        Takes a value (item, annotator) for the mass.
    annotators : int, optional
        The only number of annotators it is defined for.
    per_label : bool
        Gives one figure a label.
    ordered_pairs : bool
        Reads an asymmetric agreement between labels as it stands, rows for the first annotator;
        others take the mean of it and its transpose.
    of_pairs : bool
        Its statistics have a place for each pair of annotators and label: many for many annotators.
    takes_slots : bool
        Takes ``annotator_of``, and so ratings slot by slot.
    complete : bool
        Counts only items that every annotator rated.
    polynomial : bool
        Its statistics are polynomials in p, the share of a primary label.
    terms, of_terms : callable, optional
        The formula in two steps, for a sweep over p: from sums to few terms that are polynomials
        in p too (a tuple of arrays), and from these to the coefficient.
    ceiling : callable, optional
        Of the terms: the observed agreement that the ratings can reach, and the estimate there.
    observed_over : str
        What its observed agreement is the plain mean over: pairable "items", or the "ratings" on
        them; "" for anything else.
    shared : callable, optional
        Of all data: what the statistics of each item have in common, and take as a fourth argument.
    label_sets : bool
        Takes the mass of 0 and 1 over the labels of label sets; others see each set as a label.
    """

    kernel: Callable[..., Any]
    statistics: Callable[..., Any] | None = None
    formula: Callable[..., Any] | None = None
    identified: bool = False
    takes_values: bool = False
    annotators: int | None = None
    per_label: bool = False
    ordered_pairs: bool = False
    of_pairs: bool = False
    takes_slots: bool = True
    complete: bool = False
    polynomial: bool = True
    terms: Callable[..., Any] | None = None
    of_terms: Callable[..., Any] | None = None
    ceiling: Callable[..., Any] | None = None
    observed_over: str = ""
    shared: Callable[..., Any] | None = None
    label_sets: bool = False


@dataclass(frozen=True)
class Level:
    """Krippendorff's metric of one level of measurement, over labels and over numbers."""

    over_labels: Measure
    over_values: Measure
    distance: Callable[[Any], Any] | None = None
    needs_order: bool = False
    needs_numbers: bool = False


Listed = Literal[
    "always",
    "two annotators",
    "more annotators",
    "weighted",
    "unweighted",
    "doubles",
    "asked",
]


@dataclass(frozen=True)
class Coefficient:
    """A row of the catalogue.

    ``beyond_chance`` is false where chance agreement is not taken out: no scale has a word for it.
    ``example`` is the coefficient of the table 20, 5 / 10, 15 of two annotators, to four places.
    ``listed`` says for which ratings the row stands in a list of all that apply, so that of those
    that are equal there only one does ("doubles": where ratings can be divided between labels;
    "asked": only where it is asked for by name).
    ``combined`` has the measure of each choice of several variants together, in their order.
    ``options`` are numbers that it takes by name, with their
    defaults.
    """

    name: str
    title: str
    summary: str
    equation: str
    range: str
    undefined: str
    source: str
    doi: str
    example: float | tuple[float, ...]
    measure: Measure
    aliases: tuple[str, ...] = ()
    takes_weights: bool = True
    levels: Mapping[str, Level] = field(default_factory=lambda: MappingProxyType({}))
    variants: Mapping[str, Mapping[str, Measure]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    combined: Mapping[tuple[str, ...], Measure] = field(
        default_factory=lambda: MappingProxyType({})
    )
    options: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    pair_counts: Callable[..., PairCounts] | None = None
    weighted_form: str | None = None
    listed: Listed = "always"
    beyond_chance: bool = True
    degree_in_p: int = 2

    @property
    def identified(self) -> bool:
        """Whether it needs to know who gave which rating."""
        return self.measure.identified

    @property
    def per_label(self) -> bool:
        """Whether it gives one figure a label."""
        return self.measure.per_label

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)
