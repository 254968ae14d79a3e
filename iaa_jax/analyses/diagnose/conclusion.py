"""Conclusions about annotators: who agrees least, and without whom agreement rises most."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.diagnose.ranking import RANK, ranked_by
from iaa_jax.data.schema import int_if_whole
from iaa_jax.engine import Clusters, Prepared, Problem, influences
from iaa_jax.engine.units import unit_influences
from iaa_jax.kernels.intervals import infinitesimal_jackknife
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS, ROUNDING, enough_to_name
from iaa_jax.measure.shared.agreement_by import equal_others

SURE = 0.9
"""Minimum probability that one annotator agrees less than the next; below it, both may be named."""

_RISES = 0.01
"""Minimum rise of the coefficient without an annotator for the page to begin with this annotator.
"""

_SAME_ITEMS = 0.9
"""Minimum share of items in common that counts as the same items."""


_FEW_PARTNERS = 3
"""Minimum number of annotators for naming a partner; with two, it is obvious who that is."""


class LeftOut(NamedTuple):
    """A coefficient to compute without one annotator, and the annotator of each table row."""

    problem: Problem
    annotator: Integers
    clusters: Clusters | None


def conclude(
    table: xr.Dataset, size: int, left_out: LeftOut | None, *, unanimous: bool
) -> xr.Dataset:
    """Add the conclusion about annotators, with its figures, as attributes."""
    if not table.sizes["annotator"]:
        return table.assign_attrs(conclusion="nobody")
    figure = ranked_by(table)
    shared = table["shared_items"].values
    compared, documents = (table["spans"].values, shared) if "spans" in table else (shared, None)
    compared = np.where(np.isnan(table[figure].values), 0, compared)
    enough = enough_to_name(compared, documents)
    row_number = int(np.argmin(np.where(enough | ~enough.any(), table[RANK].values, size + 1)))
    among = np.where(enough | ~enough.any(), table[figure].values, np.nan)
    # squared distances have any unit, so that rounding errors are relative to their size
    unit = float(table[figure].values[row_number]) if figure == "disagreement" else 1.0
    equal = equal_others(among, row_number, unit)
    next_higher = _next_higher(table, figure, row_number)
    conclusion = "compared"
    if np.isnan(table[figure].values).all():
        conclusion = "undefined"
    elif size == 2:
        conclusion = "two_annotators"
    elif unanimous:
        conclusion = "unanimous"
    elif not enough.any():
        conclusion = "few"
    elif next_higher.get("next_higher_probability", 1.0) < SURE:
        if enough.sum() == 2:
            conclusion = "level"
        # in the order by item_agreement, one annotator is named even if this is uncertain
        elif not equal and figure != "item_agreement":
            conclusion = "close"
    attrs = {
        "conclusion": conclusion,
        **_role_values("farthest", table, figure, row_number),
        "farthest_equal": equal,
        "farthest_from": ANNOTATOR_RATINGS if enough.any() and not enough.all() else 0,
        "farthest_items": int_if_whole(shared[row_number].item()),
        **next_higher,
    }
    if conclusion in ("compared", "close") and left_out is not None:
        attrs |= _rises_most(table, np.flatnonzero(enough), row_number, left_out)
    return table.assign_attrs(attrs)


def _role_values(role: str, table: xr.Dataset, figure: str, row_number: int) -> dict[str, object]:
    """Return an annotator's attributes, whose names begin with ``role`` (such as "farthest")."""
    row = table.isel(annotator=row_number)
    attributes: dict[str, object] = {
        role: str(row["annotator"].item()),
        f"{role}_{figure}": float(row[figure]),
        f"{role}_without": float(row["without"]),
        f"{role}_items_left": int_if_whole(row["items_left"].item()),
    }
    alike = float(table["shared_items"].min()) >= _SAME_ITEMS * table.attrs["pairable_items"]
    if not alike and "others_agreement" in row and np.isfinite(row["others_agreement"]):
        attributes[f"{role}_others"] = float(row["others_agreement"])
    elif (partner := _only_partner(row)) is not None:
        attributes[f"{role}_partner"] = partner
    return attributes


def _only_partner(row: xr.Dataset) -> str | None:
    """Return the only other annotator who rated nearly all of an annotator's items, or None."""
    if "pair_shared_items" not in row or row.sizes["annotator_2"] < _FEW_PARTNERS:
        return None
    others = row.isel(annotator_2=row["annotator_2"].values != row["annotator"].item())
    shared = np.nan_to_num(others["pair_shared_items"].values.astype(np.float64))
    items = float(row["shared_items"])
    second, first = np.argsort(shared)[-2:]
    if shared[first] < _SAME_ITEMS * items or 2 * shared[second] >= items:
        return None
    return str(others["annotator_2"].values[first])


def _next_higher(table: xr.Dataset, figure: str, row_number: int) -> dict[str, Any]:
    if "lower_than_next" not in table:
        return {}
    probability = table["lower_than_next"].values[row_number]
    if np.isnan(probability):
        return {}
    values = np.where(
        np.arange(table.sizes["annotator"]) == row_number, np.nan, table[figure].values
    )
    values = np.where(values >= table[figure].values[row_number], values, np.nan)
    return {
        **_role_values("next_higher", table, figure, int(np.nanargmin(values))),
        "next_higher_probability": float(probability),
    }


def _rises_most(
    table: xr.Dataset, enough: Integers, farthest: int, left_out: LeftOut
) -> dict[str, object]:
    """Return the attributes of the annotator whose absence raises the coefficient most.

    The result is empty if this is also the annotator who agrees least (``farthest``), or if the
    rise is at most .01. It is also empty if the rise is not significant (allowing for the number of
    annotators), or not significantly larger than the rise without ``farthest``.
    """
    without, change = table["without"].values, table["change"].values
    gains = np.where(np.isfinite(change), change, -np.inf)[enough]
    first = int(enough[np.argmax(gains)])
    if first == farthest or not change[first] > _RISES:
        return {}
    gains_over = {None: change[first], farthest: without[first] - without[farthest]}
    sure = 1 - (1 - SURE) / len(enough)
    derivatives = _influences(left_out, first)
    for other, gain in gains_over.items():
        error = _error(derivatives - _influences(left_out, other), left_out)
        if not gain > 0 or not ndtr(gain / max(error, ROUNDING)) >= sure:
            return {}
    return _role_values("rises_most", table, ranked_by(table), first)


def _influences(left_out: LeftOut, row: int | None) -> Floats:
    """Return derivatives of the coefficient without an annotator, with respect to item weights.

    ``row`` is the row of the annotator to leave out, or None to keep all.
    """
    problem = left_out.problem
    if row is not None:
        weight = np.array(problem.weight[: problem.annotator_count], dtype=np.float64)
        weight[left_out.annotator[row]] = 0.0
        problem = replace(problem, annotator_weight=weight)
    gradient = np.asarray(influences(Prepared([problem]))[0], dtype=np.float64)
    return np.where(problem.table.count > 0, gradient, 0.0)


def _error(gradient: Floats, left_out: LeftOut) -> float:
    """Return the standard error of a quantity from its derivatives."""
    table, clusters = left_out.problem.table, left_out.clusters
    if clusters is None:
        return float(infinitesimal_jackknife(gradient, table.count))
    of_clusters = unit_influences(gradient, table, clusters)
    return float(infinitesimal_jackknife(of_clusters, clusters.count))
