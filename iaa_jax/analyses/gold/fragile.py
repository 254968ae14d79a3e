"""Find gold labels that depend on one vote, or on one annotator.

Items with the same ratings form a pattern, which is examined once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.gold.conclusion import ResultPart
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.fits import Fit, Tolerance
from iaa_jax.engine.sparse import SparseVotes
from iaa_jax.kernels.labelling.method import Options, Weights, items_of
from iaa_jax.kernels.labelling.votes import ListedVotes
from iaa_jax.kernels.labelling.voting import shares_of
from iaa_jax.measure.shared.decisions import most_probable
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.wording import Note

MOST = 200
"""Maximum number of annotators left out in turn: those with the most ratings."""

_CELLS = 1 << 22
"""Maximum number of votes in one block."""


def fragile_labels(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    gold: Integers,
    limit: Tolerance,
    *,
    leave_out: bool,
) -> ResultPart:
    """Return which labels depend on a vote or an annotator; ``gold`` has codes, -1 for no label."""
    order = votes.pattern_of
    variables: Variables = {}
    if not row.strict:
        variables["decided_by_one_vote"] = (
            "item",
            decided_by_one_vote(votes, row, fit, gold)[order],
        )
    if not leave_out or votes.tables.anonymous or votes.annotators < 2:
        return ResultPart(variables, [])
    counts = np.bincount(votes.tables.codes.ratings()[2], minlength=votes.annotators)
    chosen = np.sort(np.argsort(-counts, kind="stable")[:MOST])
    changed, number, whose = without_each(votes, row, fit, gold, limit, chosen)
    names = np.append(votes.tables.annotator_names.astype(object), "")
    variables["annotators_decisive"] = ("item", number[order])
    variables["decisive_annotator"] = ("item", names[whose][order])
    variables["gold_changed"] = ("annotator", changed)
    values = {"left_out": MOST, "annotators": votes.annotators}
    notes = [Note("left_out_most", values)] if votes.annotators > MOST else []
    return ResultPart(variables, notes)


def decided_by_one_vote(
    votes: VoteTables, row: LabellingMethod, fit: Fit, gold: Integers
) -> NDArray[np.bool_]:
    """Tell for each pattern whether removing one rating changes the gold label or makes a tie.

    Skills are not estimated anew. The gold label of an item with one rating depends on this rating.
    """
    fragile = np.zeros(len(gold), dtype=bool)
    for pattern, data, left in _ratings_taken_away(votes):
        probability = _decided(votes, row, fit, pattern, data)
        front = most_probable(probability)
        moved = (front.sum(axis=1) > 1) | (front.argmax(axis=1) != gold[pattern]) | ~left
        np.logical_or.at(fragile, pattern, moved)
    return fragile & (gold >= 0)


def _ratings_taken_away(
    votes: VoteTables,
) -> Iterator[tuple[NDArray[np.intp], ListedVotes, NDArray[np.bool_]]]:
    """Yield patterns without one rating: indices, remaining votes, and whether any remain."""
    listed, rating = votes.listed, votes.rating_of
    pattern, column = np.nonzero(rating >= 0)
    size = int(rating.max(initial=0)) + 1
    # np.unique would hash the numbers, which are already nearly sorted
    numbers = np.sort(pattern * size + rating[pattern, column])
    taken = numbers[np.diff(numbers, prepend=-1) > 0]
    batch = max(1, _CELLS // max(listed.cell.shape[1], 1))
    for first in range(0, len(taken), batch):
        rows, which = np.divmod(taken[first : first + batch], size)
        share = np.where(rating[rows] == which[:, None], 0.0, listed.share[rows])
        known = None if listed.known is None else listed.known[rows]
        yield rows, ListedVotes(listed.cell[rows], share, known), share.sum(axis=1) > 0


def _decided(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    pattern: NDArray[np.intp],
    listed: ListedVotes,
) -> Floats:
    """Return probabilities of labels, given ``listed`` votes and the parameters of ``fit``."""
    data = SparseVotes.of(listed, votes.annotators * votes.labels)
    if not row.modelled:
        skill = np.nan_to_num(fit.skill) if row.weighted else np.ones(votes.annotators)
        return np.asarray(shares_of(data, skill, votes.labels))
    state = items_of(fit.state, pattern)
    weights = Weights(np.ones(len(pattern)), np.ones(votes.annotators))
    return np.asarray(row.method.step(data, weights, state, ()).probability)


def without_each(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    gold: Integers,
    limit: Tolerance,
    chosen: NDArray[np.intp],
) -> tuple[Floats, Integers, Integers]:
    """Leave out each of the chosen annotators, and refit starting where the fit to all data ended.

    The first array has, for each annotator, the number of items that change or lose their gold
    label (NaN for annotators who are not chosen). The second has, for each pattern, the number of
    decisive annotators, without whom its label changes or is lost. The third has the index of the
    decisive annotator without whom the label is least probable (-1 for none).
    """
    count = votes.weights.item
    changed = np.full(votes.annotators, np.nan)
    number = np.zeros(len(count), dtype=np.int64)
    whose = np.full(len(count), -1)
    least = np.full(len(count), np.inf)
    rated = _rated(votes)
    start = np.asarray(fit.state.probability)

    def rows() -> Iterator[tuple[Weights, Options]]:
        for first in range(0, len(chosen), BLOCK):
            left_out = chosen[first : first + BLOCK]
            annotator = np.ones((len(left_out), votes.annotators))
            annotator[np.arange(len(left_out)), left_out] = 0.0
            yield Weights(np.tile(count, (len(left_out), 1)), annotator), ()

    done = 0
    known = gold >= 0
    for fits in votes.fit_rows(row, rows(), start, limit):
        for probability in np.asarray(fits.state.probability):
            annotator = chosen[done]
            lost = rated[0] == rated[1][annotator].toarray().reshape(-1)
            moved = known & (lost | (most_probable(probability).argmax(axis=1) != gold))
            of_gold = np.where(lost, 0.0, probability[np.arange(len(gold)), np.maximum(gold, 0)])
            nearer = moved & (of_gold < least)
            whose[nearer], least[nearer] = annotator, of_gold[nearer]
            number += moved
            changed[annotator] = moved @ count
            done += 1
    return changed, number, whose


def _rated(votes: VoteTables) -> tuple[Integers, Any]:
    """Return the number of ratings of each pattern, in all and by annotator (annotator, pattern).

    The number in all is -1 for a pattern without ratings.
    """
    from scipy.sparse import csr_array

    pattern, _, annotator = votes.tables.slot_codes.ratings()
    shape = (votes.annotators, len(votes.weights.item))
    counts = csr_array((np.ones(len(pattern), dtype=np.int64), (annotator, pattern)), shape=shape)
    total = np.bincount(pattern, minlength=shape[1])
    return np.where(total > 0, total, -1), counts
