"""Limits on the size of arrays, with error messages that advise what to do beyond them."""

from __future__ import annotations

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax.catalog import Measure
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings import MOST_CELLS
from iaa_jax.measure.ratings.rated import Rated

FEW_SHARED = 30
"""Threshold: with fewer common items per pair than this, means over pairs of annotators are
biased."""

PAIRS_WITHIN = 1 << 29
"""Maximum number of pairs of ratings within patterns (4 GB), if labels are too many for a table.

A pattern is a set of items with the same ratings, kept once with a count.
"""

PAIR_SUMS = 1 << 25
"""Maximum number of sums over pairs of annotators (256 MB per replicate). For label sets, it
also limits the number of distinct sets times the number of labels or, if larger, of annotators."""

SET_PAIRS = 1 << 27
"""Maximum number of distinct label sets times pairs of labels (1 GB), unless the sets are few
enough to be compared with one another."""

LONG = 1 << 28
"""Number of sums over pairs of annotators, for all patterns and 2,000 replicates, that take about
20 s."""

LABELS = 4096
"""Maximum number of labels for a table of label pairs."""

_INSTEAD = (
    "krippendorff_alpha, fleiss_kappa and others that do not depend on who rated need no such table"
)


def too_large(tables: Rated, measure: Measure) -> str:
    """Return why the arrays of a measure would be too large, and advice; "" if they would not."""
    labels, annotators = tables.label_count, tables.annotators
    if measure.compares:
        return tables.spans.misfit(measure, tables.codes_of(measure).codes.shape)
    if measure.takes_values:
        labels = 1  # one number per rating, whatever the number of labels
    codes = tables.codes_of(measure)
    if measure.label_sets:
        labels = len(tables.label_names)
        if max(labels, annotators) * tables.label_count > PAIR_SUMS:
            return (
                f"{annotators:,} annotators gave {tables.label_count:,} different label sets, "
                "too many to lay out: keep some annotators, or leave rare labels out"
            )
        pairs = labels * (labels - 1) // 2
        if tables.label_count > thresholds.SETS_COMPARED and tables.label_count * pairs > SET_PAIRS:
            return (
                f"{tables.label_count:,} different label sets with {pairs:,} pairs of labels are "
                "too many to compare: leave rare labels out, or use iaa_jax.per_label"
            )
    rows, width = codes.codes.shape
    columns = 2 + 2 * labels
    if measure.by_pair:
        pairs = annotators * (annotators - 1) // 2
        cells = rows * pairs * columns
        if codes.annotator_of is not None:
            panel = tables.identified.panel
            within = int((panel * (panel - 1) // 2).sum())
            cells = within * 2 * thresholds.SLOT_COST
            pairs = min(pairs, within)
        if cells > MOST_CELLS or pairs * columns > PAIR_SUMS:
            return (
                f"{annotators:,} annotators make up to {pairs:,} pairs, too many to lay out "
                f"for {rows:,} rating patterns: {_INSTEAD}, or keep some annotators"
            )
    excess = rows * width * labels > MOST_CELLS
    if excess and measure.identified and width > labels:
        return (
            f"{annotators:,} annotators on {rows:,} rating patterns are too many to lay out as "
            f"a table: {_INSTEAD}, or keep some annotators"
        )
    if tables.kind is Kind.SETS and (excess or labels > LABELS):
        return (
            f"{labels:,} different label sets on {rows:,} rating patterns are too many to "
            "compare set by set: use am_agreement or iaa_jax.per_label, or leave rare labels "
            "out"
        )
    if excess or labels > LABELS:
        return (
            f"{labels:,} labels on {rows:,} rating patterns of {width:,} ratings are too "
            "many to lay out as a table: if the labels are numbers, use krippendorff_alpha at "
            "the level interval, ordinal or ratio, which needs none; else merge rare labels"
        )
    return ""


def check_size(tables: Rated, measure: Measure) -> None:
    """Raise an error for a measure whose arrays would be too large."""
    if reason := too_large(tables, measure):
        raise IaaError(reason)


def takes_long(tables: Rated, measure: Measure) -> str:
    """Return why a measure takes too long to be computed by default; "" if it does not."""
    if not measure.by_pair or measure.takes_values or measure.compares:
        return ""
    labels = len(tables.label_names) if measure.label_sets else tables.label_count
    panel = tables.identified.panel
    within = int((panel * (panel - 1) // 2).sum())
    pairs = min(tables.annotators * (tables.annotators - 1) // 2, within)
    of_crowd = tables.identified.annotator_of is not None
    if of_crowd and within < FEW_SHARED * pairs:  # pairs with so few items are not resampled
        return ""
    if pairs * (2 + 2 * labels) * (len(panel) + 2000) <= LONG:
        return ""
    return (
        f"{pairs:,} pairs of annotators with {labels:,} labels may take minutes: request the "
        "coefficient by name"
    )


def check_pairs(tables: Rated) -> None:
    """Raise an error for too many pairs of ratings within patterns."""
    rows, width = tables.exchangeable.codes.shape
    if rows * width**2 > PAIRS_WITHIN:
        raise IaaError(
            f"{tables.label_count:,} labels on {rows:,} rating patterns of up to {width:,} "
            "ratings are too many to compare pair by pair: are these labels at all? Merge rare "
            "ones, or leave items with very many ratings out"
        )
