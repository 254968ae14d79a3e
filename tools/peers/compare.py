"""Compare our values with those of other programs on every table, and explain differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import conformance_reasons
import xarray as xr

import iaa_jax as iaa
from tests.reference.peers import PeerTable, PeerValue, peer_tables, peer_values

NEAR = 5e-7
"""Tolerance within which two values are the same."""

LEVELS = ("ordinal", "interval")
"""Weights of Krippendorff's alpha, which takes a level."""


class Comparison(NamedTuple):
    """A program's value and ours; NaN if a program has none, or fails."""

    theirs: PeerValue
    ours: float
    reason: Reason | None

    @property
    def same(self) -> bool:
        """Whether both are the same, or both undefined."""
        return alike(number(self.theirs.value), self.ours)


class Reason(NamedTuple):
    """A reason why a program differs, with a formula for its value.

    Attributes
    ----------
    program : str
        The program.
    words : str
        The reason.
    coefficients : tuple of str
        Coefficients that it applies to; all if empty.
    value : callable
        ``(value of the program, table) -> the value implied``; NaN for none, None if the reason
        does not apply.
    """

    program: str
    words: str
    coefficients: tuple[str, ...]
    value: Callable[[PeerValue, PeerTable], float | None]


def number(value: str) -> float:
    """Read a program's value; the kind of an error becomes NaN."""
    try:
        made = float(value)
    except ValueError:
        return math.nan
    return made if math.isfinite(made) else math.nan


def alike(first: float, second: float) -> bool:
    """Tell whether two values are the same, or both undefined."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return abs(first - second) <= NEAR


def ratings(table: PeerTable) -> xr.Dataset:
    """Read a table with its labels as 0, 1, ..., in their order."""
    codes = {label: code for code, label in enumerate(table.labels)}
    rows = [[None if label is None else codes[label] for label in row] for row in table.rows]
    return iaa.from_wide(rows, labels=list(range(len(table.labels))))


@cache
def ours(table: str, coefficient: str, weights: str) -> float:
    """Return our value; NaN if it is undefined, or the coefficient does not apply."""
    options: dict[str, object] = {}
    if coefficient == "krippendorff_alpha":
        level = "interval" if weights == "quadratic" else weights
        options = {"level": level} if level else {}
    elif weights:
        options = {"weights": weights}
    return estimate(peer_tables()[table], coefficient, options)


def estimate(table: PeerTable, coefficient: str, options: dict[str, object]) -> float:
    """Return the estimate; NaN if the table cannot be used, or the coefficient does not apply."""
    try:
        return float(getattr(iaa, coefficient)(ratings(table), interval=None, **options).estimate)
    except iaa.IaaError:
        return math.nan


def comparisons() -> Iterator[Comparison]:
    """Yield every value of a program, in the order of the file."""
    for theirs in peer_values():
        our_value = ours(theirs.table, theirs.coefficient, theirs.weights)
        reason = None
        if not alike(number(theirs.value), our_value):
            reason = next((each for each in REASONS if explains(each, theirs)), None)
        yield Comparison(theirs, our_value, reason)


def explains(reason: Reason, theirs: PeerValue) -> bool:
    """Tell whether a reason implies the program's value."""
    if reason.program != theirs.program:
        return False
    if reason.coefficients and theirs.coefficient not in reason.coefficients:
        return False
    implied = reason.value(theirs, peer_tables()[theirs.table])
    return implied is not None and alike(implied, number(theirs.value))


def _has_gaps(table: PeerTable) -> bool:
    return any(None in row for row in table.rows)


def fails_with_gaps(_: PeerValue, table: PeerTable) -> float | None:
    """Return NaN if an annotator left an item out."""
    return math.nan if _has_gaps(table) else None


def fails_on_one_item(_: PeerValue, table: PeerTable) -> float | None:
    """Return NaN for a single item."""
    return math.nan if len(table.rows) == 1 else None


def fails_without_ratings(_: PeerValue, table: PeerTable) -> float | None:
    """Return NaN if an annotator rated nothing."""
    return (
        math.nan if any(set(column) == {None} for column in zip(*table.rows, strict=True)) else None
    )


def perfect_is_one(theirs: PeerValue, table: PeerTable) -> float | None:
    """Return 1 if all ratings have the same label and our value is undefined."""
    used = {label for row in table.rows for label in row if label is not None}
    return 1.0 if len(used) == 1 and math.isnan(ours(*theirs[2:5])) else None


def pairs_undefined_as_one(_: PeerValue, table: PeerTable) -> float | None:
    """Return the mean of Cohen's kappa over pairs, where 0/0 counts as 1."""
    return conformance_reasons.undefined_as_one(None, ratings(table))


def pairs_of_one_item(theirs: PeerValue, table: PeerTable) -> float | None:
    """Return the estimate if pairs of annotators need only one common item."""
    return estimate(table, theirs.coefficient, {"min_common": 1})


def labels_in_use(theirs: PeerValue, table: PeerTable) -> float | None:
    """Return the coefficient with only the labels that somebody used."""
    return conformance_reasons.with_labels_in_use(theirs, ratings(table))


def fails_on_unequal_panels(_: PeerValue, table: PeerTable) -> float | None:
    """Return NaN if items have different numbers of ratings."""
    panels = {sum(label is not None for label in row) for row in table.rows}
    return math.nan if len(panels) > 1 else None


ONE = "0/0 counts as 1 where all ratings are the same label; here it is undefined"

REASONS = (
    Reason("nltk", "takes no gaps: it fails", (), fails_with_gaps),
    Reason("nltk", ONE, (), perfect_is_one),
    Reason(
        "nltk",
        "kappa 0/0 of a pair counts as 1",
        ("mean_pairwise_cohen_kappa",),
        pairs_undefined_as_one,
    ),
    Reason(
        "nltk",
        "a pair of annotators counts from one common item on, here from two (`min_common`)",
        ("mean_pairwise_cohen_kappa", "davies_fleiss_kappa"),
        pairs_of_one_item,
    ),
    Reason("nltk", "labels that nobody used do not count", ("brennan_prediger",), labels_in_use),
    Reason(
        "irrCAC (Python)",
        "fails on a single item, which has no standard error",
        (),
        fails_on_one_item,
    ),
    Reason("irrCAC (Python)", ONE, (), perfect_is_one),
    Reason("crowd-kit", ONE, (), perfect_is_one),
    Reason(
        "statsmodels",
        "takes the same number of ratings for every item: it fails",
        ("fleiss_kappa", "brennan_prediger"),
        fails_on_unequal_panels,
    ),
    Reason(
        "irrCAC (Python)",
        "undefined where an annotator rated nothing; here nobody without ratings counts",
        ("conger_kappa",),
        fails_without_ratings,
    ),
)
"""If several fit, the first is used."""
