"""Translation of coefficient names and options into problems for the engine.

A problem is the formula of a coefficient (a measure) with its data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import check_choice, check_names, is_auto
from iaa_jax._errors import NO_COMPLETE_ITEM, REASONS, IaaError, OptionError
from iaa_jax._types import Floats, Values
from iaa_jax.catalog import CATALOG, LEVELS, Coefficient, Level, Measure, resolve_name
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Problem
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.limits import check_pairs, check_size, takes_long, too_large
from iaa_jax.measure.ratings.magnitude import LEAST_OF_LABELS, rescale
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.applicability import unfit, unfit_for_numbers, unfit_for_spans
from iaa_jax.measure.requests.label_agreements import LabelAgreements
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.user_kernel import user_kernel
from iaa_jax.wording import Note, keyword, named

CoefficientLike = str | Callable[..., Any]

MANY_LABELS = 64
"""Maximum number of labels for which alpha at the level interval or ratio uses a table of label
pairs; with more labels, alpha uses the numbers themselves."""

_KINDS = {
    Kind.SETS: "label sets",
    Kind.SHARES: "shares of labels",
    Kind.DOUBLES: "primary and secondary labels",
}


class Resolver:
    """Turns coefficient names and options into problems on one set of ratings."""

    def __init__(
        self,
        ratings: Rated,
        options: LabelOptions | None = None,
    ) -> None:
        ratings.refuse_votes()
        self.tables = ratings if options is None else ratings.at(options.p)
        options = options or LabelOptions()
        given = options.weights is not None or options.distance is not None
        self.agreement_given = given or options.level is not None
        if isinstance(options.weights, str) and options.weights == "identity":
            options = replace(options, weights=None)  # the default of every coefficient
        self.weights_given = options.weights is not None or options.distance is not None
        if options.level and not given and self.tables.kind is not Kind.NUMBERS:
            options = replace(options, weights=LEVELS[options.level].weights)
        self.options = options
        self.anonymous = self.tables.anonymous
        self.left_out: dict[str, str] = {}
        self.label_agreements = LabelAgreements(self.tables, options)

    @property
    def counts_near_misses(self) -> bool:
        """Whether unequal labels may partly agree, by a level, weights or a distance."""
        return self.options.weights is not None or self.options.distance is not None

    def applicable(self) -> list[str]:
        """Return the names of the coefficients that apply to these ratings and options.

        Of coefficients that coincide, only one is listed.
        """
        two = self.tables.annotators == 2 and not self.anonymous
        weighted = self.options.weights is not None or self.options.distance is not None
        listed = {
            "always",
            "two annotators" if two else "more annotators",
            "weighted" if weighted else "unweighted",
        }
        if self.tables.kind in (Kind.DOUBLES, Kind.SHARES):
            listed.add("doubles")
        return [row.name for row in CATALOG.values() if row.listed in listed and self._fits(row)]

    def _fits(self, row: Coefficient) -> bool:
        if row.per_label or unfit(row, row.name, self.tables):
            return False
        if row.levels:
            return True
        if row.measure.takes_values != (self.tables.kind is Kind.NUMBERS):
            return False
        if row.measure.takes_values and self.options.weights is not None:
            return False
        if row.measure.complete and not self.tables.complete_items:
            self.left_out[row.name] = REASONS[NO_COMPLETE_ITEM]
            return False
        reason = too_large(self.tables, row.measure) or takes_long(self.tables, row.measure)
        if reason:
            self.left_out[row.name] = reason
        return not reason

    def request(
        self, coefficient: CoefficientLike, variants: Mapping[str, Any] | None = None
    ) -> Request:
        """Return the request for one coefficient; ``variants`` are its further options by name."""
        if callable(coefficient):
            return self._user_request(coefficient)
        if not isinstance(coefficient, str):
            raise IaaError(f"a coefficient must be a name or a function, not {coefficient!r}")
        row = resolve_name(coefficient)
        self._check(row, coefficient)
        if row.levels or row.takes_weights:
            self.check_level()
        known = {*row.variants, *row.numbers}
        if variants and (unknown := [name for name in variants if name not in known]):
            raise OptionError(f"{coefficient} has no option {unknown[0]!r}")
        level = self._level(row)
        if level is not None:
            problem = self._at_level(*level)
            return Request(coefficient, row, problem, f"level {level[0]}", level=level[0])
        if row.measure.takes_values:
            return self._numeric_request(coefficient, row)
        if self.tables.kind is Kind.NUMBERS:
            raise IaaError(unfit_for_numbers(coefficient))
        measure, noted = self._varied(row, variants or {})
        agreement = self.label_agreements.matrix(row)
        of_spans = self.tables.spans.notes_on(measure) if measure.compares else ()
        notes = (*noted, *self._on_gaps(measure), *of_spans)
        if agreement is not None and not measure.ordered_pairs and not _is_symmetric(agreement):
            notes = (*notes, Note("matrix_not_symmetric"))
        options = {name: getattr(self.options, name) for name in row.options}
        problem = self._problem(measure, agreement, options)
        return Request(coefficient, row, problem, self.label_agreements.used(row), notes)

    def _varied(
        self, row: Coefficient, variants: Mapping[str, Any]
    ) -> tuple[Measure, tuple[Note, ...]]:
        if numbers := tuple((name, variants[name]) for name in row.numbers if name in variants):
            chosen = {name: value for name, value in variants.items() if name in row.variants}
            measure, noted = self._varied(row, chosen)
            for name, value in numbers:
                row.numbers[name].check(name, value)
            return replace(measure, numbers=numbers), noted
        chosen = {name: value for name, value in variants.items() if not is_auto(value)}
        if not row.uneven or chosen.keys() & row.uneven or not self.tables.heavy_items:
            return _variant(row, variants), ()
        values = {"heavy": self.tables.heavy_items, "items": self.tables.totals["pairable_items"]}
        return _variant(row, {**variants, **row.uneven}), (Note("counted_by_ratings", values),)

    def _user_request(self, function: Callable[..., Any]) -> Request:
        name = getattr(function, "__name__", "coefficient")
        if self.tables.kind is Kind.SPANS:
            raise IaaError(unfit_for_spans(name))
        values = self.tables.kind is Kind.NUMBERS
        identified = not self.anonymous
        kernel = user_kernel(function)
        measure = Measure(
            kernel, identified=identified, takes_values=values, takes_slots=kernel.takes_slots
        )
        if values:
            return Request(name, None, self._on_values(measure, None), "identity")
        return Request(
            name,
            None,
            self._problem(measure, self.label_agreements.matrix(None)),
            self.label_agreements.used(None),
        )

    def _problem(
        self, measure: Measure, agreement: Floats | None, options: Mapping[str, float] | None = None
    ) -> Problem:
        check_size(self.tables, measure)
        return Problem(
            measure,
            self.tables.table(measure),
            self.tables.masses(measure),
            agreement,
            annotator_of=self.tables.annotator_of(measure),
            annotators=self.tables.annotators,
            options=options or {},
            annotator_place=self.tables.drawing_order.annotators,
        )

    def _check(self, row: Coefficient, name: str) -> None:
        if reason := unfit(row, name, self.tables):
            raise IaaError(reason)
        if not row.takes_weights and self.weights_given:
            without = f"leave {keyword('weights')} and {keyword('distance')} out"
            hint = f"use {row.weighted_form}" if row.weighted_form else without
            raise IaaError(f"{name} takes no agreement between labels: {hint}")

    def _level(self, row: Coefficient) -> tuple[str, Level] | None:
        level = self.options.level
        if not row.levels:
            return None
        if level is not None:
            return level, row.levels[level]
        if self.weights_given:
            return None
        name = "interval" if self.tables.kind is Kind.NUMBERS else "nominal"
        return name, row.levels[name]

    def check_level(self) -> None:
        """Raise an error if the labels do not have the level that was given."""
        name = self.options.level
        if name is None:
            return
        level = LEVELS[name]
        if self.tables.kind is Kind.NUMBERS:
            self._check_ratio(name, self.tables.distinct_numbers)
            return
        labels = self.tables.label_names
        numbers = labels.dtype.kind in "iuf"
        if self.tables.kind in (Kind.SETS, Kind.SHARES) and name != "nominal":
            raise IaaError(
                f"{keyword('level', name)} needs one label per rating; these ratings are "
                f"{self._kind()}"
            )
        if level.needs_numbers and not numbers:
            raise IaaError(
                f"{keyword('level', name)} needs labels that are numbers, and these are text "
                f"({', '.join(map(str, labels[:5]))}); use {keyword('level', 'ordinal')} with "
                "labels declared in order, or number the labels"
            )
        if level.needs_order:
            self.label_agreements.check_order(keyword("level", name))
        if numbers:
            self._check_ratio(name, labels)

    def _at_level(self, name: str, level: Level) -> Problem:
        if self.tables.kind is Kind.NUMBERS:
            return self._on_values(level.over_values, None)
        labels = self.tables.label_names
        if self.tables.kind is Kind.LABELS:
            if name == "ordinal" and self.tables.many_label_pairs:
                ranks = np.arange(float(len(labels)))
                return self._on_values(level.over_values, ranks)
            if level.needs_numbers and len(labels) > MANY_LABELS:
                return self._on_values(level.over_values, labels)
            if name == "nominal" and too_large(self.tables, level.over_labels):
                check_pairs(self.tables)
                codes = np.arange(float(len(labels)))
                return self._on_values(level.over_values, codes)
        if level.distance is None:
            return self._problem(level.over_labels, None)
        depends_on = level.over_values.depends_on
        values, power = rescale(labels.astype(np.float64), depends_on, LEAST_OF_LABELS)
        problem = self._problem(level.over_labels, 1 - np.asarray(level.distance(values)))
        power = power if depends_on == "differences" else 0
        return replace(problem, power=power)

    def _on_values(
        self, measure: Measure, labels: Values | None, options: Mapping[str, float] | None = None
    ) -> Problem:
        numbers, power = self.tables.values(measure, labels)
        kernel = measure.kernel
        if isinstance(kernel, Kernel):
            measure = replace(measure, kernel=kernel.for_data(numbers))
        return Problem(
            measure,
            self.tables.table(measure),
            numbers,
            power=power if measure.depends_on == "differences" else 0,
            annotator_of=self.tables.annotator_of(measure),
            annotators=self.tables.annotators,
            options=options or {},
            annotator_place=self.tables.drawing_order.annotators,
        )

    def _numeric_request(self, coefficient: str, row: Coefficient) -> Request:
        labels = None if self.tables.kind is Kind.NUMBERS else self.tables.label_names
        if labels is not None and (
            self.tables.kind is not Kind.LABELS or labels.dtype.kind not in "iuf"
        ):
            kind = _KINDS.get(self.tables.kind, "text")
            or_number = ", or number the labels" if self.tables.kind is Kind.LABELS else ""
            raise IaaError(
                f"{coefficient} needs ratings that are numbers, and these are {kind}: for them use "
                f"krippendorff_alpha or fleiss_kappa{or_number}"
            )
        check_size(self.tables, row.measure)
        options = {name: getattr(self.options, name) for name in row.options}
        problem = self._on_values(row.measure, labels, options)
        return Request(coefficient, row, problem, "numbers", self._on_gaps(row.measure))

    def _on_gaps(self, measure: Measure) -> tuple[Note, ...]:
        """Return a note on the incomplete items that a measure leaves out; () if there are none."""
        items = self.tables.totals["items"]
        left_out = items - self.tables.complete_items if measure.complete else 0
        return (Note("incomplete_items", {"left_out": left_out, "items": items}),) * bool(left_out)

    def _check_ratio(self, level: str, numbers: NDArray[Any]) -> None:
        if level == "ratio" and np.nanmin(numbers) < 0:
            raise IaaError(
                f"{keyword('level', level)} needs numbers from 0 up, with 0 meaning none; the "
                f"smallest is {np.nanmin(numbers)}; use {keyword('level', 'interval')}"
            )

    def _kind(self) -> str:
        return _KINDS[self.tables.kind]


def _variant(row: Coefficient, variants: Mapping[str, str]) -> Measure:
    measure = row.measure
    for option, value in variants.items():
        check_choice(option, value, row.variants[option], row.why_not.get(option, ""))
        measure = row.variants[option][value]
    if row.combined and variants:
        usual = {option: next(iter(choices)) for option, choices in row.variants.items()}
        measure = row.combined[tuple((usual | dict(variants)).values())]
    return measure


def _is_symmetric(agreement: Floats) -> bool:
    return bool(np.array_equal(agreement, agreement.T))


def names_of_request(
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None, resolver: Resolver
) -> list[CoefficientLike]:
    """Return the coefficients of a call: the requested ones, or by default all that apply."""
    if coefficients is None:
        return list(resolver.applicable())
    if isinstance(coefficients, str) or callable(coefficients):
        return [coefficients]
    if not isinstance(coefficients, Sequence):
        what = f"{named('coefficients')} must be names or functions, or a list of them"
        raise IaaError(f"{what}, not {coefficients!r}")
    names = list(coefficients)
    if not names:
        raise IaaError("no coefficient was requested: give names, or None for all that apply")
    return names


def names_beside(also: str | Sequence[str]) -> list[str]:
    """Return the names of the coefficients that ``also`` adds to a call."""
    check_names("also", also)
    names = [also] if isinstance(also, str) else [*also]
    for name in names:
        resolve_name(name)
    return names
