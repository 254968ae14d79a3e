"""Count matched and marked units for pairs of annotators, by different rules of matching.

A marking is all that an annotator marked in a document, a unit is one or several spans with a
label, and a place is a position in a document, such as a character or a token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.matches import (
    GATE_MATCHES,
    boundary_matches,
    half_credit_matches,
    partial_matches,
    strict_matches,
)
from iaa_jax.data.marked.numbers import expanded, joint


class Match(NamedTuple):
    """A rule of matching; if it ignores labels, counts have one column, not one for each label.

    Attributes
    ----------
    matched : callable
        ``matched(markings, pairs)`` returns the number of matches (pair, label).
    marked : callable
        ``marked(markings)`` returns the number of units, or of places (marking, label).
    """

    matched: Callable[[Markings, Pairs], Floats]
    marked: Callable[[Markings], Floats]


class MarkedPairCounts(NamedTuple):
    """Counts for each pair of annotators of a document.

    Attributes
    ----------
    pairs : Pairs
    matched : array (pair, label)
        Number of matches; partial matches may count in part.
    first, second : array (pair, label)
        Number of units that the first and the second annotator marked; for the rule "token", number
        of places.
    """

    pairs: Pairs
    matched: Floats
    first: Floats
    second: Floats


def units_by_label(markings: Markings) -> Floats:
    """Return the number of units of each marking with each label (marking, label)."""
    cells = markings.units.marking_of.astype(np.int64) * markings.labels + markings.units.label_of
    counts = np.bincount(cells, minlength=markings.number * markings.labels)
    return counts.reshape(markings.number, markings.labels).astype(np.float64)


def units_in_all(markings: Markings) -> Floats:
    """Return the number of units of each marking (marking, 1)."""
    return np.diff(markings.units.begins).astype(np.float64)[:, None]


def token_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Return, for each label, the number of places that have it in both markings (pair, label).

    If both markings label a place several times, it counts several times. If positions are measured
    (as times are), the length with a label in both markings is returned instead of a number.
    """
    labels, many = markings.labels, len(pairs.first)
    events: list[tuple[Integers, ...]] = []
    for side, of in enumerate((pairs.first, pairs.second)):
        pair, span = expanded(markings.begins[of], markings.begins[of + 1])
        cell = pair * labels + markings.label_of[span]
        for place, step in ((markings.start, 1), (markings.end, -1)):
            steps = np.zeros((2, len(span)), dtype=np.int8)
            steps[side] = step
            events.append((cell, place[span], *steps))
    cells, places, *steps_of = (np.concatenate(each) for each in zip(*events, strict=True))
    order = np.argsort(joint(cells, places))
    # a cell's counts are back at 0 before the next cell begins, so one running count serves all
    first, second = (np.cumsum(steps[order]) for steps in steps_of)
    extent = np.diff(places[order], append=0)
    matched = np.bincount(cells[order], np.minimum(first, second) * extent, minlength=many * labels)
    return np.asarray(markings.as_given(matched.reshape(many, labels)), dtype=np.float64)


def places_of_markings(markings: Markings) -> Floats:
    """Return the number of places with each label in each marking (marking, label).

    A place that a marking labels several times counts several times.
    """
    cells = markings.marking_of.astype(np.int64) * markings.labels + markings.label_of
    extent = markings.end - markings.start
    marked = np.bincount(cells, extent, minlength=markings.number * markings.labels)
    return np.asarray(markings.as_given(marked.reshape(markings.number, -1)), dtype=np.float64)


MATCHES: Mapping[str, Match] = MappingProxyType(
    {
        "strict": Match(strict_matches, units_by_label),
        "partial": Match(partial_matches, units_by_label),
        "boundary": Match(boundary_matches, units_in_all),
        "half_credit": Match(half_credit_matches, units_in_all),
        "token": Match(token_matches, places_of_markings),
        **{
            f"gate_{name}": Match(matched, units_by_label) for name, matched in GATE_MATCHES.items()
        },
    }
)

DUPLICATES = ("set", "multiset")
"""The choices for duplicate units of an annotator: count them once ("set"), or all ("multiset")."""


def pair_counts(
    documents: Documents, match: str = "strict", duplicates: str = "set"
) -> MarkedPairCounts:
    """Count matched and marked units for each pair of annotators of a document.

    ``match`` is the name of a rule in `MATCHES`, and ``duplicates`` one of `DUPLICATES`.

    Examples
    --------
    >>> from iaa_jax.data.marked.documents import documents_of
    >>> from iaa_jax.data.as_ratings import span_ratings
    >>> from iaa_jax.data.spans import from_spans
    >>> marked = {"ann": [(0, 5, "PER")], "bob": [(0, 4, "PER"), (7, 9, "ORG")]}
    >>> names, documents = documents_of(span_ratings(from_spans({"d1": marked})))
    >>> counts = pair_counts(documents, "partial")
    >>> counts.matched.tolist(), counts.first.tolist(), counts.second.tolist()
    ([[0.0, 1.0]], [[0.0, 1.0]], [[1.0, 1.0]])
    """
    markings = documents.markings if duplicates == "multiset" else documents.markings.distinct
    rule, pairs = MATCHES[match], documents.pairs
    marked = rule.marked(markings)
    return MarkedPairCounts(
        pairs, rule.matched(markings, pairs), marked[pairs.first], marked[pairs.second]
    )
