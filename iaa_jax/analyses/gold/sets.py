"""Gold sets of labels: each label chosen by more than half, or the best annotator's set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Columns, Floats, Integers, Values, Variables
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.kernels.labelling.voting import TIED
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.decisions import (
    ADJUDICATED,
    EXPERT,
    EXPERT_TIE,
    MAJORITY,
    NO_MAJORITY,
    NOBODY,
    at_half,
    certainty_of_sets,
    set_names,
)
from iaa_jax.measure.shared.expert_coder import index_of_sets
from iaa_jax.measure.shared.labels import label_counts, label_shares
from iaa_jax.measure.shared.set_pairs import set_pairs
from iaa_jax.wording import keyword, named


def decide_sets(
    tables: Rated, row: LabellingMethod, ties: str, index: str
) -> tuple[Columns, Floats]:
    """Return the gold set of each pattern (distinct row of ratings), and each annotator's skill."""
    codes = tables.slot_codes.codes
    rated = codes >= 0
    votes = rated.sum(axis=1)
    voted = votes > 0
    each = label_shares(tables, sets_as_labels=False)
    shares = label_counts(codes, each) / np.maximum(votes, 1)[:, None]
    holds = shares > 0.5 + TIED
    without = voted & ~holds.any(axis=1)
    empty = label_counts(codes, (each.sum(axis=1) == 0).astype(np.float64)[:, None])[:, 0]
    by_none = empty > votes / 2
    tied = at_half(shares).any(axis=1) & voted
    half_or_more = holds | at_half(shares)
    decided_by = np.where(without & ~by_none, NO_MAJORITY, MAJORITY).astype(object)
    if not row.strict:
        skill = _agreement_with(tables, holds, each)
        winner = half_or_more & voted[:, None]
    else:
        pairs = set_pairs(tables, of_labels=False)
        skill = index_of_sets(pairs, tables, index).value
        expert, disagree = _expert_ratings(tables, skill)
        holds = np.where(without[:, None], each[expert] > 0.5, holds)
        decided_by = np.where(without, np.where(disagree, EXPERT_TIE, EXPERT), MAJORITY)
        tied = np.where(without, disagree, tied)
        winner = np.where(without[:, None], holds, half_or_more) & voted[:, None]
    decided_by = np.where(voted, decided_by, NOBODY).astype(object)
    known = voted & (~tied | (ties == "first"))
    labels = tables.label_names
    alike = [(slot >= 0) & ((each[slot] > 0.5) == holds).all(axis=1) for slot in codes.T]
    certainty = certainty_of_sets(holds, shares, voted)
    return {
        "gold": set_names(holds, known, labels),
        "holds": holds & known[:, None],
        "ungiven": known & ~np.any(alike, axis=0),
        "in_doubt": _in_doubt(np.where(voted[:, None], shares, 0.0), labels),
        "probability": shares,
        "certainty": certainty,
        "margin": 2 * certainty - 1,
        "winner": winner,
        "tied": tied,
        "decided_by": decided_by,
    }, skill


class Settled(NamedTuple):
    """Adjudicated sets of labels; ``decided`` is -1 for items without one."""

    decided: Integers
    holds: NDArray[np.bool_]


def settled_sets(ratings: Rated, adjudicated: object) -> Settled | None:
    """Return the adjudicated sets of labels."""
    if adjudicated is None:
        return None
    items = {item: index for index, item in enumerate(ratings.item_names.tolist())}
    codes = {str(label): code for code, label in enumerate(ratings.label_names.tolist())}
    if not isinstance(adjudicated, Mapping) or any(
        isinstance(labels, str) or not isinstance(labels, Collection)
        for labels in adjudicated.values()
    ):
        raise IaaError(
            f"{keyword('adjudicated')} must be a list of labels by item if labels are sets, as "
            "{'item 1': ['fear', 'joy']}"
        )
    if unknown := [*adjudicated.keys() - items.keys()]:
        raise IaaError(
            f"{named('adjudicated')} has items that the ratings do not have: {shown(unknown)}"
        )
    chosen = {str(label) for labels in adjudicated.values() for label in labels}
    if unknown := sorted(chosen - codes.keys()):
        raise IaaError(
            f"{named('adjudicated')} has labels that the ratings do not have: {shown(unknown)}; "
            f"the labels are {shown(codes)}, and {keyword('labels')} declares others"
        )
    decided = np.full(len(items), -1)
    holds = np.zeros((len(items), len(codes)), dtype=bool)
    for item, labels in adjudicated.items():
        decided[items[item]] = items[item]
        holds[items[item], [codes[str(label)] for label in labels]] = True
    return Settled(decided, holds)


def with_settled(variables: Variables, settled: Settled | None, labels: Values) -> Variables:
    """Return the items' variables, in which adjudicated sets are certain."""
    if settled is None:
        return variables
    known, sets = settled.decided >= 0, settled.holds
    row = known[:, None]
    figures: dict[str, Any] = {
        "gold": set_names(sets, known, labels),
        "holds": sets,
        "winner": sets,
        "ungiven": False,
        "tied": False,
        "certainty": 1.0,
        "margin": 1.0,
        "decided_by": ADJUDICATED,
    }
    return variables | {
        name: (axes, np.where(known if values.ndim == 1 else row, figures[name], values))
        for name, (axes, values) in variables.items()
        if name in figures
    }


def _in_doubt(shares: Floats, labels: Values) -> Values:
    names = [str(label) for label in labels.tolist()]
    texts = []
    for row in shares:
        divided = np.flatnonzero((row > TIED) & (row < 1 - TIED))
        order = divided[np.argsort(np.abs(row[divided] - 0.5).round(9), kind="stable")]
        texts.append(", ".join(f"{names[code]} {row[code]:.2f}" for code in order))
    return np.array(texts, dtype=object)


def _expert_ratings(tables: Rated, index: Floats) -> tuple[Integers, NDArray[np.bool_]]:
    """Return each pattern's rating by its annotator with the highest index (mean agreement).

    If several annotators have the highest index, the first counts. Also return whether they gave
    different sets.
    """
    slots = tables.slot_codes
    annotators = np.broadcast_to(np.arange(slots.codes.shape[1]), slots.codes.shape)
    owner = annotators if slots.annotator_of is None else slots.annotator_of
    known = np.where(np.isnan(index), -1.0, index)[owner]
    of_slot = np.where(slots.codes >= 0, known, -2.0)
    leads = of_slot >= of_slot.max(axis=1, keepdims=True) - TIED
    leads &= slots.codes >= 0
    first = leads.argmax(axis=1)
    chosen = slots.codes[np.arange(len(leads)), first]
    return chosen, (leads & (slots.codes != chosen[:, None])).any(axis=1)


def _agreement_with(tables: Rated, holds: NDArray[np.bool_], each: Floats) -> Floats:
    """Return the share of each annotator's answers, label by label, that match the gold set."""
    slots, count = tables.slot_codes, tables.identified_table.count
    rows, _, annotators = slots.ratings()
    chosen = each[slots.codes[slots.codes >= 0]] > 0.5
    same = (chosen == holds[rows]).mean(axis=1)
    size = tables.annotators
    total = np.bincount(annotators, count[rows], minlength=size)
    agreed = np.bincount(annotators, count[rows] * same, minlength=size)
    return np.where(total > 0, agreed / np.where(total > 0, total, 1.0), np.nan)
