"""What the tables of documents, annotators and labels say of spans.

Every figure is the coefficient itself: on a document alone, on the pairs of an annotator, on the
spans of a label as if nothing else had been marked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.analyses.diagnose.figures_of_groups import RatingPairs, figures_of_groups
from iaa_jax.analyses.diagnose.label_figures import (
    OfLabels,
    coefficient_of_labels,
    columns_of_figures,
    measured_in_parts,
)
from iaa_jax.analyses.diagnose.pairs import MOST_ANNOTATORS, ratings_of_each
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Resampling
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.labels import each_label, label_counts, label_shares
from iaa_jax.measure.request import Request
from iaa_jax.measure.resolver import Resolver
from iaa_jax.measure.results import certainty_notes, notes_on
from iaa_jax.measure.studies import patterns_of_items, with_identities
from iaa_jax.wording import named

_DRAWN = 1 << 22
"""Documents, over all annotators, beyond which annotators have no intervals."""

FIGURES = ("estimate", "standard_error", "ci_low", "ci_high", "undefined_replicates")
"""Of a figure with its uncertainty: the estimate, and what is named after it."""


def documents(resolver: Resolver, request: Request) -> Columns:
    """Who saw each document, what they marked, and the coefficient on it alone."""
    tables = resolver.tables
    codes = tables.exchangeable.codes
    spans = label_counts(codes, label_shares(tables, sets_as_labels=False)).sum(axis=1)
    panel = (codes >= 0).sum(axis=1)
    agreement = figures_of_groups(request.problem)
    of_items = tables.exchangeable_of_items
    return {
        "ratings": panel.astype(np.int64)[of_items],
        "spans": spans.astype(np.int64)[of_items],
        "agreement": agreement[patterns_of_items(tables, request.problem.measure)],
    }


def annotators(
    resolver: Resolver,
    request: Request,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> Variables:
    """Each annotator's pairs with the others, what he marks beside them, and each two."""
    tables = resolver.tables
    size = resolver.tables.annotators
    pairs = RatingPairs.of(request, tables)
    shared, spans, bias = _use_of_each(resolver, size)
    figures: Columns = dict.fromkeys(FIGURES, np.full(size, np.nan))
    figures |= {"undefined_replicates": np.zeros(size, dtype=np.int64)}
    if options.interval is None or too_many_to_draw(resolver):
        figures["estimate"] = pairs.of_each(size)
    else:
        wanted = (pairs.of_annotator(annotator) for annotator in range(size))
        pairable = tables.totals["pairable_items"]
        measured = measured_in_parts(wanted, options, pairable, progress, resampling)
        figures = columns_of_figures(measured, options)
    # of one document alone nothing is known of the spread between documents
    for name in ("standard_error", "ci_low", "ci_high"):
        figures[name] = np.where(shared >= 2, figures[name], np.nan)
    variables: Variables = {"shared_items": ("annotator", shared)}
    variables |= {name: ("annotator", values) for name, values in spans.items()}
    variables |= {
        "agreement" if name == "estimate" else f"agreement_{name}": ("annotator", figures[name])
        for name in FIGURES
    }
    variables["bias"] = (("annotator", "label"), bias)
    if size > MOST_ANNOTATORS:
        return variables
    both = pairs.documents_of_two(size)
    own = ratings_of_each(tables.compact_codes, tables.identified_table.count, size)
    np.fill_diagonal(both, own)
    dims = ("annotator", "annotator_2")
    return variables | {
        "pair_shared_items": (dims, both),
        "pair_agreement": (dims, pairs.of_two(size)),
    }


def labels(
    resolver: Resolver,
    request: Request,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> OfLabels:
    """How often each label was marked, and the coefficient of it alone."""
    tables = resolver.tables
    codes, count = tables.exchangeable.codes, tables.exchangeable_table.count
    units = label_counts(codes, label_shares(tables, sets_as_labels=False))
    spans = count @ units
    if options.random.draws_annotators:
        request = replace(request, problem=with_identities(resolver, request.problem))
    measured = [
        *measured_in_parts(
            each_label(resolver, request),
            options,
            tables.totals["pairable_items"],
            progress,
            resampling,
        )
    ]
    figures = columns_of_figures(measured, options)
    columns = {
        "count": spans,
        "items": count @ (units > 0),
        "share": spans / max(float(spans.sum()), 1.0),
        **coefficient_of_labels(figures),
    }
    notes = certainty_notes(resolver.tables.label_names.tolist(), figures, options)
    return OfLabels(columns, [notes_on(*each) for each in measured], notes)


def too_many_to_draw(resolver: Resolver) -> bool:
    """Whether there are too many annotators to draw documents for the interval of each."""
    if resolver.tables.kind is not Kind.SPANS:
        return False
    patterns = len(resolver.tables.identified_table.count)
    return resolver.tables.annotators * patterns > _DRAWN


def refuse_options_of_labels(ties: str, annotator_weight: object) -> None:
    """Refuse what says how an annotator's label is compared with those of all others."""
    given = [("ties", ties != "split"), ("annotator_weight", annotator_weight is not None)]
    if names := [named(name) for name, is_given in given if is_given]:
        message = (
            f"{' and '.join(names)} is about the label that most others gave, and these are spans: "
            "leave it out"
        )
        raise IaaError(message)


def _use_of_each(resolver: Resolver, size: int) -> tuple[Floats, Columns, Floats]:
    """Of each annotator: documents with others, spans there beside theirs, and those by label."""
    tables = resolver.tables
    codes, count = tables.compact_codes, tables.identified_table.count
    units = label_shares(tables, sets_as_labels=False)
    rows, slots, raters = codes.ratings()
    own = units[codes.codes[rows, slots]]
    weight = count[rows]
    panel = (codes.codes >= 0).sum(axis=1)
    total = label_counts(codes.codes, units)
    others = (total[rows] - own) / np.maximum(panel[rows] - 1, 1)[:, None]
    together = np.where(panel[rows] >= 2, weight, 0.0)

    def summed(values: Floats, weights: Floats) -> Floats:
        sums = np.zeros((size, *values.shape[1:]))
        np.add.at(sums, raters, weights.reshape(-1, *(1,) * (values.ndim - 1)) * values)
        return sums

    shared = summed(np.ones(len(rows)), together)
    by_him, by_others = summed(own, together), summed(others, together)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = by_him.sum(axis=1) / by_others.sum(axis=1)
        bias = (by_him - by_others) / np.where(shared > 0, shared, np.nan)[:, None]
    ratio[~np.isfinite(ratio)] = np.nan
    return shared, {"spans": summed(own.sum(axis=1), weight), "spans_ratio": ratio}, bias
