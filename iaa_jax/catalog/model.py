"""Classes for the entries of the catalogue: coefficients, and how they are computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from iaa_jax._checks import check_whole, is_number
from iaa_jax._errors import OptionError
from iaa_jax.catalog.attainable_minimum import Design
from iaa_jax.catalog.works import Sourced
from iaa_jax.kernels.analytic import AnalyticForm
from iaa_jax.kernels.icc_intervals import FInterval
from iaa_jax.kernels.intervals import Ends
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.kernels.kernel import Formula, Kernel, KernelFunction
from iaa_jax.kernels.namespace import Array
from iaa_jax.wording import named


@dataclass(frozen=True)
class Measure:
    """One way to compute a coefficient, and what it requires of the ratings.

    Attributes
    ----------
    kernel : Kernel or callable
        A `Kernel` has statistics of each item and a formula that takes their sums over items. Any
        other function, with the same arguments, is called once for each replicate (one resample's
        weights of all items).
    identified : bool
        Whether it needs to know who gave which rating.
    takes_values : bool
        Whether it takes numbers (item, annotator) instead of masses (the share of each rating that
        falls on each label).
    depends_on : {"", "order", "differences", "ratios"}
        The property of numbers that it uses: their order, their differences, or their ratios; "" if
        unknown. With "differences", observed and expected disagreement are multiplied by c^2 if all
        numbers are multiplied by c.
    annotators : int, optional
        The only number of annotators for which it is defined; None if it takes any number.
    per_label : bool
        Whether it gives one estimate per label.
    by_pair : bool
        Whether it has statistics for each pair of annotators.
    takes_slots : bool
        Whether it also takes ratings stored by slot (an item's first, second, ... rating), with the
        annotator of each rating in ``annotator_of``.
    complete : bool
        Whether items count only if every annotator rated them.
    polynomial : bool
        Whether its statistics are polynomials in p, the share of a primary label.
    observed_over : str
        What its observed agreement is a mean over: "items" with two or more ratings, the "ratings"
        of such items, or "pairs" of ratings; "" for anything else.
    label_sets : bool
        Whether it takes a label set as a mass of 0 or 1 for each label; other kernels treat each
        set as one label.
    compares : str
        The name of the comparison of spans that provides its data; "" if it takes ratings of items.
    numbers : tuple of (name, number)
        Numeric options of this comparison that differ from the defaults.
    has_attainable_minimum : bool
        Whether the attainable minimum of its coefficient also applies to this measure.
    beside : tuple of (name, function)
        Names of further variables of the result, with the functions that compute them from the
        sums.
    """

    kernel: KernelFunction
    identified: bool = False
    takes_values: bool = False
    depends_on: str = ""
    annotators: int | None = None
    per_label: bool = False
    by_pair: bool = False
    takes_slots: bool = True
    complete: bool = False
    polynomial: bool = True
    observed_over: str = ""
    label_sets: bool = False
    compares: str = ""
    numbers: tuple[tuple[str, float], ...] = ()
    has_attainable_minimum: bool = True
    beside: tuple[tuple[str, Callable[..., Array]], ...] = ()

    @property
    def ordered_pairs(self) -> bool:
        """Whether an asymmetric agreement between labels is used as given."""
        return isinstance(self.kernel, Kernel) and self.kernel.ordered_pairs

    @property
    def item_share(self) -> Callable[[Any, Any], Array] | None:
        """The function for each item's share of the estimate; None if all items count equally."""
        return self.kernel.item_share if isinstance(self.kernel, Kernel) else None


@dataclass(frozen=True)
class Level:
    """How Krippendorff's alpha is computed at one level of measurement, for labels and for numbers.

    ``weights`` is the named agreement between labels that other coefficients use at this level.
    """

    over_labels: Measure
    over_values: Measure
    distance: Callable[[Array], Array] | None = None
    weights: str | None = None
    needs_order: bool = False
    needs_numbers: bool = False


@dataclass(frozen=True)
class Number:
    """A numeric option of a coefficient: its default and its minimum, and whether it is whole."""

    default: float
    least: float
    whole: bool = False

    def check(self, name: str, value: object) -> None:
        """Refuse a value that is too small or not finite, or that is not whole if ``whole``."""
        if self.whole:
            check_whole(name, value, int(self.least))
        elif not (is_number(value) and self.least <= value < math.inf):
            raise OptionError(
                f"{named(name)} must be a number from {self.least:g} up, not {value!r}"
            )


@dataclass(frozen=True)
class AnalyticError:
    """A standard error by a published formula, and the ratings to which it applies.

    Attributes
    ----------
    error : AnalyticForm
        The formula.
    formula : callable
        The formula of the kernel for which the error is valid. The error is not valid for variants
        of the coefficient with another formula.
    source, doi : str
        Where it was published.
    two : bool
        Whether it applies only if every rated item has exactly two ratings.
    balanced : bool
        Whether it applies only if every rated item has the same number of ratings.
    single_labels : bool
        Whether it applies only to one label per rating and annotators of equal weight.
    weighted : bool
        Whether it also applies to weighted agreement between labels.
    """

    error: AnalyticForm
    formula: Formula
    source: str
    doi: str
    two: bool = False
    balanced: bool = False
    single_labels: bool = False
    weighted: bool = True


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
class Coefficient(Sourced):
    """An entry of the catalogue.

    Attributes
    ----------
    name, title, short, weighted_title : str
        ``short`` is a title for narrow columns. If different labels can agree in part, a
        ``weighted_title`` replaces the title.
    summary, equation, range, undefined : str
        Texts for its documentation; ``undefined`` states when it is undefined.
    sources : str
        The works that define it, by keys of `works.bib`; the first with a DOI is linked.
    example : float or tuple of float
        The estimate, to four decimals, for the data of the example: for labels, two annotators with
        the contingency table 20, 5 / 10, 15.
    marked : str
        The spans or segments of its example, if they differ from those of other coefficients.
    notes : str
        Further paragraphs for its documentation.
    measure : Measure
        How it is computed by default.
    variants, combined : Mapping
        ``variants`` has a measure for each choice of an option; ``combined`` has one for each
        combination of choices, in the order of the options.
    why_not : Mapping
        For each option, why a choice that other coefficients offer is missing.
    uneven : Mapping
        For an option, the choice that "auto" stands for if a few items have most pairs of ratings.
    numbers : Mapping
        The numeric options of a comparison of spans.
    listed : str
        When the coefficient is shown without being named: with "doubles", if ratings can be divided
        between labels; with "asked", never. If several coefficients coincide on the
        data, only one of them is shown.
    beyond_chance : bool
        Whether it is corrected for chance. Verbal scales apply only to coefficients that are.
    distance : bool
        Whether it measures disagreement: less is better, and 0 is perfect.
    chance_from_labels_only : bool
        Whether expected agreement depends on the set of labels alone, not on the ratings.
    insensitive_to_rare_labels : bool
        Whether expected agreement stays low if nearly all ratings have one label, so that the
        coefficient is then high whatever the agreement on the other labels.
    self_pairs_left_out : bool
        Whether expected agreement leaves out pairs of a rating with itself. The coefficient would
        then leave its range if ratings had weights below one.
    bounds : tuple of float
        The lowest and the highest possible estimate for any ratings.
    attainable_minimum : callable, optional
        Function that returns the lowest possible estimate for given labels and numbers of ratings.
    analytic, null_error : Mapping
        Analytic standard errors, by the name of the formula. The errors in ``null_error`` are for
        annotators who agree only by chance.
    f_interval : callable, optional
        Function that returns an interval and a test by the F distribution, from the values, the
        counts and the confidence.
    ends_over_annotators : Mapping
        Functions for the ends of intervals over items and annotators, by name.
    random_annotators : bool
        Whether its definition treats annotators as a sample, so that by default intervals are over
        items and annotators.
    within : str
        The function call that computes it, if it has no function of its own.
    by_label : str
        The coefficient that gives its estimates for each label.
    """

    name: str
    title: str
    summary: str
    equation: str
    range: str
    undefined: str
    sources: str
    example: float | tuple[float, ...]
    measure: Measure
    short: str = ""
    weighted_title: str = ""
    aliases: tuple[str, ...] = ()
    takes_weights: bool = True
    levels: Mapping[str, Level] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Measure]] = field(default_factory=dict)
    why_not: Mapping[str, str] = field(default_factory=dict)
    combined: Mapping[tuple[str, ...], Measure] = field(default_factory=dict)
    numbers: Mapping[str, Number] = field(default_factory=dict)
    uneven: Mapping[str, str] = field(default_factory=dict)
    pair_counts: Callable[..., PairCounts | None] | None = None
    weighted_form: str | None = None
    listed: Listed = "always"
    beyond_chance: bool = True
    distance: bool = False
    chance_from_labels_only: bool = False
    insensitive_to_rare_labels: bool = False
    self_pairs_left_out: bool = False
    degree_in_p: int = 2
    bounds: tuple[float, float] = (-math.inf, 1.0)
    attainable_minimum: Callable[[Design], float] | None = None
    analytic: Mapping[str, AnalyticError] = field(default_factory=dict)
    null_error: Mapping[str, AnalyticError] = field(default_factory=dict)
    f_interval: Callable[[Array, Array, float], FInterval] | None = None
    ends_over_annotators: Mapping[str, Callable[[Array, Array, float], Ends]] = field(
        default_factory=dict
    )
    random_annotators: bool = False
    notes: str = ""
    marked: str = ""
    within: str = ""
    by_label: str = ""

    @property
    def identified(self) -> bool:
        """Whether it needs to know who gave which rating."""
        return self.measure.identified

    @property
    def options(self) -> Mapping[str, float]:
        """Its numeric options, with their defaults."""
        kernel = self.measure.kernel
        return dict(kernel.options) if isinstance(kernel, Kernel) else {}

    @property
    def presupposes(self) -> str:
        """The level of measurement that it takes for granted; "" if it takes any or several."""
        return "interval" if self.measure.takes_values and not self.levels else ""

    @property
    def per_label(self) -> bool:
        """Whether it gives one estimate per label."""
        return self.measure.per_label

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)
