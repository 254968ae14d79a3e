"""Find doubts about all results: how the file was read, and whether labels are steps.

Steps are labels in an order, on a scale; other labels are names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from iaa_jax.analyses.findings.causes import Cause
from iaa_jax.analyses.findings.mending import Measured
from iaa_jax.data.provenance import COPIED, doubts_of
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import level_question, possible_levels
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver


def doubtful_readings(rated: Rated) -> Iterator[Cause]:
    """Yield a cause for each doubt about how the file was read; ``group`` is the doubt's code."""
    for note in doubts_of(rated.dataset.attrs, rated.totals["items"]):
        column = note.values.get("column", note.values.get("columns", ""))
        kind = "copies" if note.code in COPIED else "doubtful_reading"
        yield Cause(kind, np.nan, np.nan, column=", ".join(_listed(column)), group=note.code)


def _listed(column: object) -> list[str]:
    return [*map(str, column)] if isinstance(column, (list, tuple)) else [str(column)]


def ordered_labels(
    measured: Measured, coefficient: CoefficientLike | None
) -> Iterator[tuple[Cause, float]]:
    """If labels taken for names look like steps, yield a cause and the coefficient of steps."""
    resolver, rated = measured.resolver, measured.resolver.tables
    for note in level_question(resolver, [measured.request]):
        names = [*map(str, rated.label_names.tolist())]
        # if only the words of the labels suggest steps, no other level is listed
        levels = possible_levels(resolver, [measured.request])
        level = levels[1] if len(levels) > 1 else "ordinal"
        steps = [*map(str, note.listed("labels"))] if "labels" in note.values else names
        step_of = np.array([*map(steps.index, names), -1])
        ordered = rated.other(rated.dataset.assign_attrs(labels_ordered=1)).at(rated.p)
        codes = replace(rated.codes, codes=step_of[rated.codes.codes])
        options = replace(resolver.options, level=level)
        then = Measured.of(Resolver(ordered.with_ratings(codes), options), coefficient)
        items = float(rated.totals["items"])
        low, high = (names.index(steps[end]) for end in (0, -1))
        cause = Cause("ordered_labels", np.nan, items, label=low, other_label=high)
        yield cause, then.estimate
