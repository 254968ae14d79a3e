"""The options of a call to what the engine takes: which coefficients, how labels agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from iaa_jax._errors import IaaError
from iaa_jax.catalog import (
    CATALOG,
    DISTANCES,
    LEVELS,
    WEIGHTS,
    Coefficient,
    Level,
    Measure,
    resolve_name,
)
from iaa_jax.engine import Problem
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels import label_agreement
from iaa_jax.metrics.own import own_kernel
from iaa_jax.metrics.tables import RatingTables

Weights = str | ArrayLike | None
Distance = str | ArrayLike | Callable[[Any, Any], float] | None
CoefficientLike = str | Callable[..., Any]

MANY_LABELS = 64
"""Number labels beyond which alpha's metrics are taken from the numbers, not from a table."""


@dataclass(frozen=True)
class LabelOptions:
    """How labels agree, as the caller said it."""

    weights: Weights = None
    weights_on: str = "value"
    level: str | None = None
    distance: Distance = None


@dataclass(frozen=True)
class Asked:
    """One coefficient of a call, ready to run."""

    name: str
    row: Coefficient | None
    problem: Problem
    used: str
    note: str = ""


class Chooser:
    """Turns coefficient names and label options into problems on one set of ratings."""

    def __init__(self, ratings: xr.Dataset, options: LabelOptions, p: float) -> None:
        _check_options(options)
        if not _is_share(p):
            message = f"p is the share of the primary label, between 0.5 and 1, not {p!r}"
            raise IaaError(message)
        if isinstance(options.weights, str) and options.weights == "identity":
            options = replace(options, weights=None)  # what every coefficient does unasked
        self.ratings = ratings
        self.options = options
        self.tables = RatingTables(ratings, p)
        self.anonymous = bool(ratings.attrs.get("anonymous", 0))
        self.left_out: dict[str, str] = {}
        self._agreements: dict[str, Floats | None] = {}

    def applicable(self) -> list[str]:
        """Every coefficient that these ratings and options allow, of equal ones only one."""
        two = self.ratings.sizes["annotator"] == 2 and not self.anonymous
        weighted = self.options.weights is not None or self.options.distance is not None
        listed = {
            "always",
            "two annotators" if two else "more annotators",
            "weighted" if weighted else "unweighted",
        }
        return [row.name for row in CATALOG.values() if row.listed in listed and self._fits(row)]

    def _fits(self, row: Coefficient) -> bool:
        if row.per_label or (row.identified and self.anonymous):
            return False
        if row.levels:
            return True
        if self.tables.task == "value":
            return False
        reason = self.tables.misfit(row.measure)
        if reason:
            self.left_out[row.name] = reason
        return not reason

    def asked(self, coefficient: CoefficientLike, variants: dict[str, str] | None = None) -> Asked:
        """The problem of one coefficient."""
        if callable(coefficient):
            return self._own(coefficient)
        row = resolve_name(coefficient)
        self._check(row, coefficient)
        if variants and (unknown := [name for name in variants if name not in row.variants]):
            message = f"{coefficient} has no option {unknown[0]!r}"
            raise IaaError(message)
        level = self._level(row)
        if level is not None:
            return self._with_level(coefficient, row, *level)
        if self.tables.task == "value":
            self._refuse_values(coefficient)
        measure = _variant(row, variants or {})
        agreement = self._label_agreement(row)
        note = ""
        if agreement is not None and not measure.ordered_pairs and not _is_symmetric(agreement):
            note = "the agreement matrix is not symmetric: the mean of it and its transpose is used"
        return Asked(coefficient, row, self._problem(measure, agreement), self._used(row), note)

    def _own(self, function: Callable[..., Any]) -> Asked:
        """A coefficient of the caller's: a function of the kernels' shape."""
        name = getattr(function, "__name__", "coefficient")
        values = self.tables.task == "value"
        identified = not self.anonymous
        measure = Measure(own_kernel(function), identified=identified, takes_values=values)
        if values:
            return Asked(name, None, self._on_values(measure, None), "identity")
        return Asked(
            name, None, self._problem(measure, self._label_agreement(None)), self._used(None)
        )

    def _problem(self, measure: Measure, agreement: Floats | None) -> Problem:
        data = self.tables.mass(measure)
        return Problem(measure, self.tables.table(measure), data, agreement)

    def _check(self, row: Coefficient, name: str) -> None:
        if row.identified and self.anonymous:
            others = ", ".join(other.name for other in CATALOG.values() if not other.identified)
            message = (
                f"{name} needs to know who gave which rating, and these ratings are counts without "
                f"annotators; these do not need it: {others}"
            )
            raise IaaError(message)
        annotators = self.ratings.sizes["annotator"]
        if row.measure.annotators is not None and annotators != row.measure.annotators:
            message = (
                f"{name} is defined for two annotators, and these ratings have {annotators}; use "
                "mean_pairwise_cohen_kappa or conger_kappa, or keep two annotators"
            )
            raise IaaError(message)
        options = self.options
        if not row.takes_weights and (options.weights is not None or options.distance is not None):
            instead = row.weighted_form
            hint = f"use {instead}" if instead else "leave weights and distance out"
            message = f"{name} takes no agreement between labels: {hint}"
            raise IaaError(message)

    def _level(self, row: Coefficient) -> tuple[str, Level] | None:
        """The level that a coefficient with levels works at; None where weights say it."""
        options = self.options
        if not row.levels:
            return None
        if options.level is not None:
            return options.level, row.levels[options.level]
        if options.weights is not None or options.distance is not None:
            return None
        name = "interval" if self.tables.task == "value" else "nominal"
        return name, row.levels[name]

    def _with_level(self, asked: str, row: Coefficient, name: str, level: Level) -> Asked:
        labels = None if self.tables.task == "value" else self.ratings.label.values
        used = f"level {name}"
        if labels is None:
            self._check_ratio(name, self.ratings.variables["value"].values)
            return Asked(asked, row, self._on_values(level.over_values, None), used)
        numbers = labels.dtype.kind in "iuf"
        if self.tables.task in ("multi_label", "soft") and name != "nominal":
            message = f"level={name!r} needs one label a rating; these ratings are {self._kind()}"
            raise IaaError(message)
        if level.needs_numbers and not numbers:
            message = (
                f"level={name!r} needs labels that are numbers, and these are text "
                f"({', '.join(map(str, labels[:5]))}); use level='ordinal' with labels declared in "
                "order, or number the labels"
            )
            raise IaaError(message)
        if level.needs_order:
            self._check_order(f"level={name!r}")
        if numbers:
            self._check_ratio(name, labels)
        if self.tables.task == "single":
            if name == "ordinal" and self.tables.many_label_pairs:
                ranks = np.arange(float(len(labels)))
                return Asked(asked, row, self._on_values(level.over_values, ranks), used)
            if level.needs_numbers and len(labels) > MANY_LABELS:
                return Asked(asked, row, self._on_values(level.over_values, labels), used)
            if name == "nominal" and self.tables.misfit(level.over_labels):
                codes = np.arange(float(len(labels)))
                return Asked(asked, row, self._on_values(level.over_values, codes), used)
        agreement = None
        if level.distance is not None:
            agreement = 1 - np.asarray(level.distance(labels.astype(np.float64)))
        return Asked(asked, row, self._problem(level.over_labels, agreement), used)

    def _on_values(self, measure: Measure, labels: Any) -> Problem:
        data = self.tables.values(measure, labels)
        return Problem(measure, self.tables.table(measure), data)

    def _check_ratio(self, level: str, numbers: Any) -> None:
        if level == "ratio" and np.nanmin(numbers) < 0:
            message = (
                "level='ratio' needs numbers from 0 up, with 0 meaning none; the smallest is "
                f"{np.nanmin(numbers)}; use level='interval'"
            )
            raise IaaError(message)

    def _check_order(self, what: str) -> None:
        if not self.ratings.attrs.get("labels_ordered", 0):
            labels = ", ".join(map(str, self.ratings.label.values[:8]))
            message = (
                f"{what} needs labels in order, and these are text whose order was not declared "
                f"({labels}): give labels= (on the command line --labels) from lowest to highest"
            )
            raise IaaError(message)

    def _refuse_values(self, name: str) -> None:
        takes = ", ".join(row.name for row in CATALOG.values() if row.levels)
        message = (
            f"{name} compares labels, and these ratings are numbers without labels; {takes} takes "
            "numbers; if each number is a label, use from_wide"
        )
        raise IaaError(message)

    def _kind(self) -> str:
        return {"multi_label": "label sets", "soft": "shares of labels"}[self.tables.task]

    def _used(self, row: Coefficient | None) -> str:
        """What a row of the result says about how labels agree."""
        options = self.options
        if row is not None and not row.takes_weights:
            return "identity"
        if options.distance is not None:
            named = options.distance if isinstance(options.distance, str) else "given"
            return f"distance {named}"
        if options.weights is None:
            return "identity"
        named = options.weights if isinstance(options.weights, str) else "given"
        on_rank = isinstance(options.weights, str) and self._values_are_ranks()
        return f"{named} on ranks" if on_rank else named

    def _values_are_ranks(self) -> bool:
        return self.options.weights_on == "rank" or self.ratings.label.dtype.kind not in "iuf"

    def _label_agreement(self, row: Coefficient | None) -> Floats | None:
        if row is not None and not row.takes_weights:
            return None
        if "used" not in self._agreements:
            self._agreements["used"] = self._make_agreement()
        return self._agreements["used"]

    def _make_agreement(self) -> Floats | None:
        weights, distance = self.options.weights, self.options.distance
        if weights is None and distance is None:
            return None
        if distance is not None:
            return 1 - self._distance_table(distance)
        if isinstance(weights, str):
            return self._named_weights(weights)
        return self._given(weights, "weights", diagonal=1.0)

    def _named_weights(self, name: str) -> Floats | None:
        if self.tables.task == "multi_label":
            message = f"weights={name!r} compares single labels; for label sets use distance="
            raise IaaError(message)
        if self._values_are_ranks() or name == "ordinal":
            self._check_order(f"weights={name!r}")
            values = np.arange(1.0, self.tables.label_count + 1)
        else:
            values = self.ratings.label.values.astype(np.float64)
            if name == "ratio" and values.min() < 0:
                message = "weights='ratio' needs labels from 0 up; use weights_on='rank'"
                raise IaaError(message)
        return np.asarray(label_agreement.NAMED[name](values))

    def _distance_table(self, distance: Distance) -> Floats:
        sets = self.tables.task == "multi_label"
        if isinstance(distance, str):
            if not sets and distance != "binary":
                message = f"distance={distance!r} compares label sets; make them with from_sets"
                raise IaaError(message)
            function = label_agreement.SET_DISTANCES[distance]
        elif callable(distance):
            function = distance
        else:
            return self._given(distance, "distance", diagonal=0.0)
        labels = self.tables.set_labels if sets else self.ratings.label.values.tolist()
        if not sets and isinstance(distance, str):
            labels = [(label,) for label in labels]
        return self._given(label_agreement.table(function, labels), "distance", diagonal=0.0)

    def _given(self, matrix: Any, name: str, diagonal: float) -> Floats:
        labels = self.tables.label_count
        try:
            table = np.asarray(matrix, dtype=np.float64)
        except (TypeError, ValueError):
            message = f"{name} must be a name or a table of numbers ({labels} x {labels} labels)"
            raise IaaError(message) from None
        if table.shape != (labels, labels):
            message = (
                f"{name} must be a {labels} x {labels} table, a row and a column for each label in "
                f"order; it is {' x '.join(map(str, table.shape)) or 'a single number'}"
            )
            raise IaaError(message)
        beyond = table < 0 if diagonal == 0 else table > 1
        if not np.isfinite(table).all() or beyond.any():
            bound = "from 0 up" if diagonal == 0 else "up to 1"
            message = f"the entries of {name} must be finite numbers {bound}"
            raise IaaError(message)
        if not np.allclose(np.diagonal(table), diagonal, rtol=0, atol=1e-12):
            message = (
                f"the diagonal of {name} must be {diagonal:g}: each label "
                f"{'agrees fully with' if diagonal else 'has no distance from'} itself"
            )
            raise IaaError(message)
        return table


def _check_options(options: LabelOptions) -> None:
    given = [
        name for name in ("weights", "level", "distance") if getattr(options, name) is not None
    ]
    if "distance" in given and len(given) > 1:
        message = f"{' and '.join(given)} both say how labels agree: give one of them"
        raise IaaError(message)
    choices = (
        ("weights", options.weights, WEIGHTS, "or a matrix of agreement between labels"),
        ("level", options.level, LEVELS, ""),
        ("distance", options.distance, DISTANCES, "or a matrix or function of two labels"),
        ("weights_on", options.weights_on, ("value", "rank"), ""),
    )
    for name, value, valid, further in choices:
        if (isinstance(value, str) or name == "level") and value is not None and value not in valid:
            message = f"{name} is one of {', '.join(valid)} {further}".rstrip() + f", not {value!r}"
            raise IaaError(message)


def _is_share(p: object) -> bool:
    return isinstance(p, int | float | np.number) and bool(0.5 <= p <= 1)


def _variant(row: Coefficient, variants: dict[str, str]) -> Measure:
    measure = row.measure
    for option, value in variants.items():
        choices = row.variants[option]
        if value not in choices:
            message = f"{option} is one of {', '.join(choices)}, not {value!r}"
            raise IaaError(message)
        measure = choices[value]
    return measure


def _is_symmetric(agreement: Floats) -> bool:
    return bool(np.array_equal(agreement, agreement.T))


def names_asked(
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None, chooser: Chooser
) -> list[CoefficientLike]:
    """The coefficients of a call: those given, or all that apply."""
    if coefficients is None:
        return list(chooser.applicable())
    if isinstance(coefficients, str) or callable(coefficients):
        return [coefficients]
    if not isinstance(coefficients, Sequence):
        message = f"coefficients are names or functions, or a list of them, not {coefficients!r}"
        raise IaaError(message)
    asked = list(coefficients)
    if not asked:
        message = "no coefficient was asked for: give names, or None for all that apply"
        raise IaaError(message)
    return asked
