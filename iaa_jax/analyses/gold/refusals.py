"""Refuse ratings, methods and options that do not fit together, and name alternatives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from iaa_jax._checks import is_number
from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.catalog.labelling import INDEXES, METHODS, TIES, LabellingMethod
from iaa_jax.data.kind import Kind
from iaa_jax.data.votes import unfit_of_votes
from iaa_jax.measure.options.requirements import Excluded
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.label_agreements import out_of_order
from iaa_jax.wording import command, keyword

MEANS = ("ability", "log_ease")
"""Names of the method parameters that may be negative."""


EXCLUDED = (
    Excluded(
        "spans",
        "gold labels are chosen among the labels of each item",
        "iaa.gold.spans gives gold spans, and so does 'iaa gold' of files with spans",
    ),
    Excluded(
        "numbers",
        "gold labels are chosen among labels",
        "iaa.items has the mean of each item; if each number is a label, use from_wide or "
        "from_long",
    ),
)
"""Kinds of ratings that are refused, each with the reason and an alternative."""


def check_gold(ratings: Rated, method: str, p: float, index: str) -> LabellingMethod:
    """Return the method's catalogue row; refuse ratings and options that it does not take."""
    row = METHODS[method]
    if reason := misfit(ratings, row):
        raise IaaError(reason)
    if p != 1 and ratings.kind is not Kind.DOUBLES:
        raise OptionError(
            f"{keyword('p', p)} changes nothing for ratings without secondary labels: name their "
            f"column with {keyword('secondary')}, or leave it out"
        )
    if index != INDEXES[0] and (ratings.kind is not Kind.SETS or method != "expert_coder_index"):
        raise OptionError(
            f"{keyword('coefficient', index)} is about sets of labels by "
            f"{keyword('method', 'expert_coder_index')}: leave it out"
        )
    return row


def with_numbers(row: LabellingMethod, numbers: Mapping[str, float] | None) -> LabellingMethod:
    """Return the method's catalogue row with the user's parameters."""
    if numbers is None:
        return row
    usual = row.options._asdict() if row.options else {}
    if not isinstance(numbers, Mapping):
        raise OptionError(f"{keyword('numbers')} must be numbers by name, not {numbers!r}")
    for name, value in numbers.items():
        if name not in usual:
            choices = f"there are {shown(usual)}" if usual else "it takes none"
            raise OptionError(f"{row.name} has no number {name!r}: {choices}")
        if not is_number(value) or not math.isfinite(value) or (value <= 0 and name not in MEANS):
            kind = "finite number" if name in MEANS else "number above 0"
            raise OptionError(f"{name} of {keyword('numbers')} must be a {kind}, not {value!r}")
    return replace(row, options=row.options._replace(**numbers))


def check_restarts(row: LabellingMethod, restarts: int) -> None:
    """Refuse random starts for methods without a likelihood to compare them by."""
    if restarts and not row.modelled:
        models = [name for name, other in METHODS.items() if other.modelled]
        raise OptionError(
            f"{keyword('restarts', restarts)} changes nothing by {row.name}, which always starts "
            f"from the votes: leave it out, or take one of {', '.join(models)}"
        )


def check_ties(ratings: Rated, ties: str) -> None:
    """Refuse a median of labels without an order."""
    if ties == TIES[2] and (ratings.kind is Kind.SETS or not in_order(ratings)):
        raise OptionError(
            f"{keyword('ties', ties)} takes labels in an order: declare it with {keyword('labels')}"
        )


def in_order(ratings: Rated) -> bool:
    """Tell whether the order of labels is a scale."""
    return ratings.labels_in_order and not out_of_order(ratings.label_names)


def refuse_control_of_sets(control: object) -> None:
    """Refuse control items if labels are sets."""
    if control is not None:
        raise IaaError(
            f"{keyword('control')} names one label per item, and these ratings are sets of labels: "
            "leave it out"
        )


def misfit(ratings: Rated, row: LabellingMethod) -> str:
    """Return why a method does not take such ratings, with an alternative; "" if it takes them."""
    if ratings.anonymous and not row.anonymous:
        return (
            f"{row.name} needs to know who gave which label, and these ratings are counts without "
            f"annotators: use {_others('anonymous')}"
        )
    reason = f"{row.name} compares annotators with one rating of an item each"
    if not row.votes and (
        message := unfit_of_votes(ratings.dataset, reason, f"use {_others('votes')}, or ")
    ):
        return message
    if ratings.kind is not Kind.SETS:
        return ""
    if row.name == "sharpen":
        return f"sets of labels are sharpened by a function of their own: use {command('sharpen')}"
    if not row.sets:
        return (
            f"{row.name} decides on one label per item, and these ratings are sets of labels: use "
            f"{_others('sets')}"
        )
    if row.strict and len(ratings.label_names) < 2:
        return (
            "the Expert Coder Index of sets compares pairs of labels, and there is one label: use "
            f"{keyword('method', 'majority')}"
        )
    return ""


def _others(field: str) -> str:
    """Return the methods whose ``field`` in the catalogue is true, worded as options."""
    names = [name for name, row in METHODS.items() if getattr(row, field)]
    return " or ".join(keyword("method", name) for name in names)
