"""Figures of annotators against gold labels from the tables of both, and their intervals."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Variables
from iaa_jax.kernels.intervals import Ends, student_t
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.pseudo_item import (
    PseudoItem,
    farther_ends,
    labels_agreed_on,
    labels_picked_evenly,
)
from iaa_jax.measure.shares import share_ends
from iaa_jax.measure.spread import error_of

_CELLS = 1 << 26
"""Cells of confusions over all replicates up to which these have intervals."""


def figures_of_tables(
    tables: Floats, rows: Floats, units: Floats, clusters: int | None, options: IntervalOptions
) -> Variables:
    """Figures of the tables (annotator, gold label, label), and what replicates of these say."""
    items, of_label = tables.sum(axis=(1, 2)), tables.sum(axis=2)
    variables: Variables = {
        "items_compared": ("annotator", items),
        "items_of_label": (("annotator", "gold_label"), of_label),
    }
    accuracy, kappa, confusion = _accuracy(tables), _kappa(tables), _shares(tables)
    own = np.minimum(units[:, None], of_label)[..., None]
    drawn = rows if rows.size <= _CELLS else rows[:0]
    level = options.confidence
    parts = {
        "accuracy": share_ends(accuracy, error_of(_accuracy(rows)), items, units, level),
        "kappa": _ends_of_kappa(tables, rows, units, clusters, options),
        "confusion": share_ends(
            confusion, error_of(_shares(drawn)), of_label[..., None], own, level
        ),
    }
    axes = {"confusion": ("annotator", "gold_label", "label")}
    for name, estimate in (("accuracy", accuracy), ("kappa", kappa), ("confusion", confusion)):
        along = axes.get(name, ("annotator",))
        variables[name] = (along, estimate)
        for end, values in zip(("low", "high"), parts[name], strict=True):
            variables[f"{name}_ci_{end}"] = (along, np.asarray(values))
    return variables


def _ends_of_kappa(
    tables: Floats, rows: Floats, units: Floats, clusters: int | None, options: IntervalOptions
) -> Ends:
    """Intervals of kappa from replicates with a pseudo-item and without one."""
    estimate = np.where(units >= 2, _kappa(tables), np.nan)
    if not len(rows):
        return Ends(*np.full((2, *estimate.shape), np.nan))
    items, gold, given = tables.sum(axis=(1, 2)), tables.sum(axis=2).T, tables.sum(axis=1).T
    number = float(rows[0].sum(axis=(1, 2)).max()) if clusters is None else float(clusters)
    item = PseudoItem.drawn(len(rows), number, options.seed)
    size = items / np.maximum(units, 1)  # of a cluster in items
    agreeing, differing = (half[:, None] * size for half in item[:2])
    sides = (agreeing[..., None] * labels_agreed_on(gold, given).T) + (
        differing[..., None] * labels_picked_evenly(gold, given).T
    )
    with_item = _kappa_of(
        np.trace(rows, axis1=-2, axis2=-1) + agreeing,
        rows.sum(axis=-1) + sides,
        rows.sum(axis=-2) + sides,
    )
    without = _kappa(rows)
    over_clusters = None
    if clusters is not None:
        low, high = student_t(
            estimate, error_of(without), np.maximum(units - 1, 1), options.confidence
        )
        over_clusters = Ends(np.maximum(low, -1.0), np.minimum(high, 1.0))
    return farther_ends(estimate, options.confidence, with_item, without, other=over_clusters)


def _accuracy(tables: Floats) -> Floats:
    return _divided(np.trace(tables, axis1=-2, axis2=-1), tables.sum(axis=(-2, -1)))


def _kappa(tables: Floats) -> Floats:
    """Cohen's kappa of tables (..., label, label)."""
    agreeing = np.trace(tables, axis1=-2, axis2=-1)
    return _kappa_of(agreeing, tables.sum(axis=-1), tables.sum(axis=-2))


def _kappa_of(agreeing: Floats, gold: Floats, given: Floats) -> Floats:
    """The same of what agrees (...,), and of both sides (..., label)."""
    total = gold.sum(axis=-1)
    expected = _divided((gold * given).sum(axis=-1), total**2)
    above = 1 - expected
    return _divided(_divided(agreeing, total) - expected, np.where(above < 1e-12, 0.0, above))


def _shares(tables: Floats) -> Floats:
    return _divided(tables, tables.sum(axis=-1, keepdims=True))


def _divided(part: Floats, whole: Floats) -> Floats:
    """Quotients, NaN where there is nothing to divide by."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)
