"""The level of measurement of labels, and the note that asks for it if it was not given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._errors import OptionError
from iaa_jax._types import Attributes
from iaa_jax.catalog import resolve_name
from iaa_jax.data.kind import Kind
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.label_agreements import out_of_order
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.steps import steps_of
from iaa_jax.wording import Note, as_list, dump_notes, keyword, load_notes
from iaa_jax.wording.undecided import NUMBERS, QUESTIONS, UNDECIDED, is_open

if TYPE_CHECKING:
    import xarray as xr

_AT_EVERY_LEVEL = ("undefined", "perfect", "unanimous", "nobody", "untested")
"""Conclusions that are the same at every level."""


FEWEST_RANKS = 3
"""Minimum number of labels for which order and distance matter: two labels can only be
equal or not."""


def level_of(resolver: Resolver) -> str:
    """Return the assumed level of measurement; "" if weights or a distance were given instead."""
    if resolver.options.level is not None:
        return resolver.options.level
    if resolver.tables.kind is Kind.NUMBERS:
        return "interval"
    return "" if resolver.weights_given else "nominal"


def with_presupposed_level(
    options: LabelOptions, coefficient: CoefficientLike | None, tables: Rated
) -> LabelOptions:
    """Return the options with the level that a coefficient presupposes, if no other was given."""
    given = (options.level, options.weights, options.distance)
    numbers = tables.kind.has_one_label and tables.label_names.dtype.kind in "iuf"
    if not isinstance(coefficient, str) or not numbers or any(one is not None for one in given):
        return options
    return replace(options, level=resolve_name(coefficient).presupposes or None)


def possible_levels(resolver: Resolver, requests: Sequence[Request]) -> tuple[str, ...]:
    """Return the possible levels of measurement of the labels, the assumed level first.

    There are several only if there are three or more labels, which are numbers or in a declared
    order; no level, weights or distance was given; and a coefficient depends on the level.
    """
    undecided = (
        not resolver.agreement_given
        and resolver.tables.kind.has_one_label
        and resolver.tables.labels_in_order
        and len(resolver.tables.label_names) >= FEWEST_RANKS
        and any(request.takes_level for request in requests)
    )
    if not undecided:
        return (level_of(resolver),)
    labels = resolver.tables.label_names
    if out_of_order(labels):  # the order is ambiguous too, so the ordinal level is not offered
        return "nominal", "interval"
    numbers = labels.dtype.kind in "iuf"
    return ("nominal", "ordinal", "interval") if numbers else ("nominal", "ordinal")


def level_question(
    resolver: Resolver,
    requests: Sequence[Request],
    figures: Sequence[dict[str, object]] = (),
) -> list[Note]:
    """Return a note that asks for the level, if it is undecided.

    If only the words of the labels suggest a scale, the note asks for their order. ``figures``
    are the estimate and interval at each possible level, for the note.
    """
    levels = possible_levels(resolver, requests)
    labels = resolver.tables.label_names.tolist() if resolver.tables.kind.has_labels else []
    if len(levels) == 1:
        takes_level = any(request.takes_level for request in requests)
        steps = _steps(resolver, labels) if takes_level else []
        return [Note("steps_as_names", {"labels": steps}, "caution")] if steps else []
    values: dict[str, object] = {"levels": list(figures)} if figures else {}
    if "interval" not in levels:
        ends = {"lowest": labels[0], "highest": labels[-1]}
        return [Note("order_as_names", {**ends, **values}, "caution")]
    values |= {"lowest": min(labels), "highest": max(labels)}
    values["beside"] = "" if figures else Note("levels_elsewhere")
    return [Note(NUMBERS, values, "caution")]


def _steps(resolver: Resolver, labels: Sequence[object]) -> list[str]:
    """Return the labels, lowest first, if they look like a scale that was not declared; else []."""
    declared = resolver.agreement_given or resolver.tables.labels_declared
    words = [label for label in labels if isinstance(label, str)]
    if declared or not resolver.tables.kind.has_one_label or len(words) < len(labels):
        return []
    return steps_of(words)


def refuse_open(attrs: Attributes, what: str) -> None:
    """Raise an error for an option that judges agreement, if the level of the labels is undecided.

    ``what`` is the name of the option.
    """
    asked = [note for note in load_notes(attrs.get("notes", "")) if note.code in QUESTIONS]
    if not asked and attrs.get("conclusion") != UNDECIDED:
        return
    ordinal, nominal = keyword("level", "ordinal"), keyword("level", "nominal")
    why = "are numbers that may be a scale or names"
    give = f"{ordinal} or {keyword('level', 'interval')} for a scale, {nominal} for names"
    if asked and asked[0].code != NUMBERS:
        steps = as_list(asked[0].listed("labels")) if "labels" in asked[0].values else ""
        why = "look like steps" if steps else "were declared and may be in order"
        first = f"{keyword('labels', steps)} with " if steps else ""
        give = f"{first}{ordinal} if they are in order, {nominal} if not"
    raise OptionError(f"{what} judges agreement, and the labels {why}: give {give}")


def without_verdict(
    result: xr.Dataset, verdicts: Collection[str] = (), *, judged: bool = False
) -> xr.Dataset:
    """Remove the conclusion of a result while the level of its labels is undecided.

    The attribute ``conclusion``, and a variable of that name, become `UNDECIDED`, and notes with
    the codes in ``verdicts`` are removed. A conclusion that is the same at every level stays.
    If the labels are words, only a conclusion on a bound or a goal (``judged``) is removed.
    """
    notes = load_notes(result.attrs["notes"])
    asked = any(note.code in QUESTIONS for note in notes) if judged else is_open(notes)
    if not asked or result.attrs["conclusion"] in _AT_EVERY_LEVEL:
        return result
    if "conclusion" in result:
        rows = result["conclusion"]
        result = result.assign(conclusion=(rows.dims, np.full(rows.shape, UNDECIDED, object)))
    kept = [note for note in notes if note.code not in verdicts]
    return result.assign_attrs(conclusion=UNDECIDED, notes=dump_notes(kept))
