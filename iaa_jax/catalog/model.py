"""What a row of the catalogue says of a coefficient."""

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
    """One way to compute a coefficient, and what it needs of the ratings.

    Attributes
    ----------
    kernel : Kernel or callable
        A `Kernel` is statistics of each item and a formula on their sums: replicates are matrix
        products. A function of the kernels' signature (a user's own) is called for each.
    identified : bool
        Needs to know who gave which rating.
    takes_values : bool
        Takes a value (item, annotator) for the mass.
    depends_on : {"", "order", "differences", "ratios"}
        Of numbers: their order alone, their differences (observed and expected agreement are 1 less
        a disagreement in squared units), or their ratios; "" where that is not known.
    annotators : int, optional
        The only number of annotators it is defined for.
    per_label : bool
        Gives one figure per label.
    by_pair : bool
        Its statistics have a place for each pair of annotators and label: many for many annotators.
    takes_slots : bool
        Takes ``annotator_of``, and so ratings slot by slot.
    complete : bool
        Counts only items that every annotator rated.
    polynomial : bool
        Its statistics are polynomials in p, the share of a primary label.
    observed_over : str
        What its observed agreement is the plain mean over: pairable "items", the "ratings" on
        them, or "pairs" of these; "" for anything else.
    label_sets : bool
        Takes the mass of 0 and 1 over the labels of label sets; others see each set as a label.
    compares : str
        Of spans: the name of the comparison that its data come from; "" for ratings of items.
    numbers : tuple of (name, number)
        What the comparison takes by name; its own defaults where there is none.
    has_attainable_minimum : bool
        Whether the lowest figure of its row holds for it.
    beside : tuple of (name, function)
        Further variables of a result, functions of the sums.
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
        """Whether an asymmetric agreement between labels is read as it stands."""
        return isinstance(self.kernel, Kernel) and self.kernel.ordered_pairs

    @property
    def item_share(self) -> Callable[[Any, Any], Array] | None:
        """What each item would take from the figure, where items do not all count alike."""
        return self.kernel.item_share if isinstance(self.kernel, Kernel) else None


@dataclass(frozen=True)
class Level:
    """Krippendorff's metric of one level of measurement, over labels and over numbers.

    ``weights`` is the named agreement between labels that other coefficients take for it.
    """

    over_labels: Measure
    over_values: Measure
    distance: Callable[[Array], Array] | None = None
    weights: str | None = None
    needs_order: bool = False
    needs_numbers: bool = False


@dataclass(frozen=True)
class Number:
    """A number that a coefficient takes by name: its default, and the least that it can be."""

    default: float
    least: float
    whole: bool = False

    def check(self, name: str, value: object) -> None:
        """Refuse what is no number, or too small."""
        if self.whole:
            check_whole(name, value, int(self.least))
        elif not (is_number(value) and self.least <= value < math.inf):
            raise OptionError(
                f"{named(name)} must be a number from {self.least:g} up, not {value!r}"
            )


@dataclass(frozen=True)
class AnalyticError:
    """A standard error by a published formula, and the ratings that it is for.

    Attributes
    ----------
    error : AnalyticForm
        The formula.
    formula : callable
        Of the kernel that it belongs to: a coefficient's other variants have none.
    source, doi : str
        Where it was published.
    two : bool
        Only where every rated item has exactly two ratings.
    balanced : bool
        Only where every rated item has the same number of ratings.
    single_labels : bool
        Only for one label per rating, and annotators that count the same.
    weighted : bool
        Also with an agreement between labels.
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
    """A row of the catalogue.

    ``beyond_chance`` is false where chance agreement is not taken out: no scale has a word for it.
    ``distance`` is true where less is better: 0 is perfect.
    ``chance_from_labels_only`` is true where chance agreement depends on the labels alone, not on
    ratings.
    ``self_pairs_left_out`` is true where chance agreement leaves pairs of a rating with itself out:
    of ratings that count for less than one it would leave its range.
    ``insensitive_to_rare_labels`` is true where chance agreement does not grow with a label that
    takes nearly all ratings: the coefficient stays high there, whatever the agreement on the
    others.
    ``short`` is a title for narrow columns. ``example`` is the coefficient of the table 20, 5 / 10,
    15 of two annotators, to four places.
    ``listed`` says for which ratings the row stands in a list of all that apply, so that of those
    that are equal there only one does ("doubles": where ratings can be divided between labels;
    "asked": only where it is asked for by name).
    ``numbers`` are those that a comparison of spans takes by name.
    ``why_not`` says of a variant, by its name, why it has not the choices that it has elsewhere.
    ``combined`` has the measure of each choice of several variants together, in their order.
    ``bounds`` are those of its range that hold whatever the ratings, and ``attainable_minimum`` is
    what it can reach with such labels and numbers of ratings.
    ``analytic`` are standard errors by a formula, ``null_error`` those where agreement is chance
    alone, by the names of their forms; ``f_interval`` (of value, count and confidence) gives the
    interval and the test that stand on F, ``ends_over_annotators``, by their names, those over
    items and annotators. ``random_annotators``: its name denotes annotators drawn
    from many, so that intervals are over them too unless the caller says otherwise. ``uneven`` are
    the variants that stand for "auto" where a few items have most pairs of ratings. ``notes`` are
    paragraphs for its documentation, ``marked`` what its example takes, where that is no usual
    kind of ratings. ``sources`` name the works that it comes from by their keys in `works.bib`, the
    one that is linked first. ``within`` is the call of another function that gives it, where it has
    none of its own, and ``by_label`` the row of its figures label by label.
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
        """Numbers that it takes by name, with their defaults."""
        kernel = self.measure.kernel
        return dict(kernel.options) if isinstance(kernel, Kernel) else {}

    @property
    def per_label(self) -> bool:
        """Whether it gives one figure per label."""
        return self.measure.per_label

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)
