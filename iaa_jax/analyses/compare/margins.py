"""Test whether label frequencies differ, and estimate coefficients at common margins.

At common margins items are reweighted so that labels are equally frequent in both sets. If label
frequencies differ, more agreement is expected by chance in one of the sets. A coefficient that
corrects for chance then differs even if annotators err equally often. The weights make each label's
share of the ratings the mean of its shares in both sets. They keep the number of items, and the
number of agreeing pairs, because the agreement to be compared must not change. Among all such
weights, they are the closest to uniform (least Kullback-Leibler divergence: Deming and Stephan's
raking, Hainmueller's entropy balancing). They have the form ``w = exp(lambda' z)``, where z holds
the quantities to be balanced: an item's number of ratings with each label, 1 for the item, and its
number of agreeing pairs. Standard errors allow for the estimation of weights: influences are
residuals of a regression on z (Deville and Sarndal 1992), plus the effect of an item on the common
shares.

Deville, J.-C. and Sarndal, C.-E. (1992). Calibration estimators in survey sampling. Journal of the
American Statistical Association 87(418). https://doi.org/10.1080/01621459.1992.10475217
Hainmueller, J. (2012). Entropy balancing for causal effects. Political Analysis 20(1).
https://doi.org/10.1093/pan/mpr025
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from iaa_jax._errors import IaaError
from iaa_jax._types import Attributes, Floats, Integers
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.data.kind import Kind
from iaa_jax.data.storage import array_of
from iaa_jax.engine import Prepared, Problem, estimates, influences
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import bonferroni, label_counts, label_shares, label_use
from iaa_jax.wording import Note

MOST_LABELS = 50
"""Maximum number of labels whose frequencies are made equal."""

_MET = 1e-8
"""Maximum distance of weighted counts from their targets, per item."""

_LARGEST = 50.0
"""Maximum logarithm of a weight."""

SHOWN = 12
"""Maximum number of labels that are named as used in only one set."""


class Commons(NamedTuple):
    """One coefficient of both sets at common margins.

    ``derivatives`` of the difference are with respect to the weight of an item of each pattern
    (items with the same ratings); for A the sign is reversed.
    """

    a: float
    b: float
    derivatives: tuple[Floats, Floats]


@dataclass(frozen=True)
class Calibrated:
    """The weights of one set's patterns, which ignore who gave which rating.

    ``z`` has the balanced quantities (counts of labels, items, agreeing pairs), and ``hessian`` the
    weighted sum of their products. ``own`` and ``other`` are derivatives of this set's targets,
    with respect to item weights in this set and in the other set. ``effective`` is the effective
    number of items.
    """

    weight: Floats
    z: Floats
    hessian: Floats
    own: Floats
    other: Floats
    effective: float


class BalancedSets:
    """Both sets with weights that make their labels equally frequent.

    Parameters
    ----------
    codes : array (pattern, rating)
        Codes of ratings, -1 for a missing rating.
    shares : array (code, label)
        The share of each label in a rating with this code.
    sets : TwoSets
    """

    def __init__(self, codes: Integers, shares: Floats, sets: TwoSets) -> None:
        self.sets = sets
        counts, squares = label_counts(codes, shares), label_counts(codes, np.square(shares))
        ratings = (codes >= 0).sum(axis=1)
        pairable = ratings >= 2
        # agreeing pairs of ratings, divided by the number of other ratings
        pairs = np.square(counts).sum(axis=1) - squares.sum(axis=1)
        pairs = np.where(pairable, pairs / np.maximum(ratings - 1, 1), 0.0)
        numbers = [np.where(pairable, side.exchangeable.count, 0.0) for side in (sets.a, sets.b)]
        sums = [number @ counts for number in numbers]
        totals = [number @ ratings for number in numbers]
        of_sets = [one / total for one, total in zip(sums, totals, strict=True)]
        target = (of_sets[0] + of_sets[1]) / 2
        z = np.column_stack([counts, np.ones(len(counts)), pairs])
        # how an item changes the label shares of its set, times the set's ratings
        moved = [
            np.where(pairable[:, None], counts - ratings[:, None] * of_set, 0.0)
            for of_set in of_sets
        ]
        self.sides: list[Calibrated] = []
        for side, other in ((0, 1), (1, 0)):
            number = numbers[side]
            wanted = np.concatenate([target * totals[side], [number.sum(), number @ pairs]])
            weight = calibrated_weights(z, number, wanted)
            if weight is None:
                self.sides = []
                return
            held = number * weight
            own, others = np.zeros_like(z), np.zeros_like(z)
            labels = len(target)
            own[:, :labels] = ratings[:, None] * target + moved[side] / 2
            own[:, labels:] = z[:, labels:]
            own[~pairable] = 0.0
            others[:, :labels] = moved[other] / 2 * totals[side] / totals[other]
            self.sides.append(
                Calibrated(
                    np.where(pairable, weight, 0.0),
                    z,
                    z.T @ (held[:, None] * z),
                    own,
                    others,
                    float(held.sum() ** 2 / (held @ weight)),
                )
            )

    @property
    def met(self) -> bool:
        """Whether weights that meet the targets exist."""
        return bool(self.sides)

    @property
    def facts(self) -> dict[str, object]:
        """Attributes of a result: whether there are weights, and effective numbers of items.

        The effective number of items is ``(sum w)^2 / sum w^2``.
        """
        effective = {
            f"effective_items_{letter}": side.effective
            for letter, side in zip("ab", self.sides, strict=False)
        }
        return {"common_margins": int(self.met), **effective}

    def compare(self, a: Problem, b: Problem) -> Commons | None:
        """Estimate a coefficient of both sets with these weights; None if impossible."""
        if not self.met:
            return None
        index = 1 if a.measure.identified else 0
        own, others, figures = [], [], []
        for problem, side, table in zip(
            (a, b), self.sides, (self.sets.a[index], self.sets.b[index]), strict=True
        ):
            of = self.sets.coarse_of if index else np.arange(len(side.weight))
            weight, z = side.weight[of], side.z[of]
            weighted = replace(problem, table=table.other(table.count * weight))
            prepared = Prepared([weighted])
            (figure,) = estimates(prepared)
            if figure.code != 0:
                return None
            (gradient,) = influences(prepared)
            gradient = np.where(weighted.table.count > 0, gradient, 0.0)
            slope = np.linalg.pinv(side.hessian) @ (z.T @ (weighted.table.count * gradient))
            own.append(weight * (gradient - z @ slope) + side.own[of] @ slope)
            others.append(side.other[of] @ slope)
            figures.append(float(figure.estimate))
        return Commons(figures[0], figures[1], (own[0] - others[1], own[1] - others[0]))


def common_margins(tables: Rated, sets: TwoSets) -> BalancedSets | None:
    """Return balanced sets; None if there are too many labels."""
    if len(tables.label_names) > MOST_LABELS:
        return None
    shares = label_shares(tables, sets_as_labels=False)
    return BalancedSets(tables.exchangeable.codes, shares, sets)


def calibrated_weights(z: Floats, number: Floats, wanted: Floats) -> Floats | None:
    """Return weights ``exp(lambda' z)`` that make the weighted sums of z equal to ``wanted``.

    The result is None if there are none. ``number`` counts the items of each row of z. The
    multipliers lambda minimise the convex function ``sum n exp(lambda' z) - lambda' wanted``.
    """
    from scipy.optimize import minimize, root

    total = number.sum()
    present = number > 0
    share, wanted = number[present] / total, wanted / total
    _, spread, directions = np.linalg.svd(np.sqrt(share)[:, None] * z[present], full_matrices=False)
    basis = (directions[spread > 1e-10 * spread[0]] / spread[spread > 1e-10 * spread[0], None]).T
    rows, goal = z[present] @ basis, wanted @ basis

    def at(multipliers: Floats) -> Floats:
        return np.asarray(share * np.exp(np.minimum(rows @ multipliers, _LARGEST)))

    def missed(multipliers: Floats) -> Floats:
        return np.asarray(at(multipliers) @ rows - goal)

    def slope(multipliers: Floats) -> Floats:
        return np.asarray(rows.T @ (at(multipliers)[:, None] * rows))

    def objective(multipliers: Floats) -> float:
        return float(at(multipliers).sum() - multipliers @ goal)

    start = np.zeros(len(goal))
    near = minimize(objective, start, method="trust-exact", jac=missed, hess=slope, tol=1e-4)
    solution = root(missed, near.x, jac=slope)
    if not np.abs(at(solution.x) @ z[present] - wanted).max() < _MET:
        return None
    return np.asarray(np.exp(np.minimum(z @ basis @ solution.x, _LARGEST)))


def label_facts(tables: Rated, sets: TwoSets) -> dict[str, object]:
    """Return attributes of a result on label frequencies; none for numbers or too many labels.

    Returns
    -------
    dict
        ``label_shares_of`` ("ratings", or "units" of spans), ``labels_only_a`` and
        ``labels_only_b`` (the first few, as JSON, since files hold text), ``labels_in_both`` (a
        number), ``label_shift`` (half the sum of the absolute differences of labels' shares),
        ``label_p_value`` (one test of equal frequencies for all labels), and ``label_moved`` with
        ``label_share_a`` and ``label_share_b``: the label with the most significant shift.
    """
    if tables.kind is Kind.NUMBERS:
        return {}
    codes = tables.exchangeable.codes
    try:
        counts, whole = label_use(tables, codes)
    except IaaError:
        return {}  # too many labels for a table
    names = array_of(tables.dataset, "label").tolist()
    ratings = np.maximum((codes >= 0).sum(axis=1), 1)
    of_sets = [side.exchangeable.count @ counts for side in (sets.a, sets.b)]
    used = [of_set > 0 for of_set in of_sets]
    only_in = [
        [str(names[code]) for code in np.flatnonzero(used_here & ~used_there)[:SHOWN]]
        for used_here, used_there in (used, used[::-1])
    ]
    set_shares = [of_set / max(float(of_set.sum()), 1e-300) for of_set in of_sets]
    shift = set_shares[1] - set_shares[0]
    p_value, moved = _test(counts / ratings[:, None], whole / ratings, sets, np.abs(shift))
    return {
        "label_shares_of": "ratings" if tables.kind.has_labels else "units",
        "labels_only_a": json.dumps(only_in[0], ensure_ascii=False),
        "labels_only_b": json.dumps(only_in[1], ensure_ascii=False),
        "labels_in_both": int((used[0] & used[1]).sum()),
        "label_shift": float(np.abs(shift).sum() / 2),
        "label_p_value": p_value,
        "label_moved": str(names[moved]),
        "label_share_a": float(set_shares[0][moved]),
        "label_share_b": float(set_shares[1][moved]),
    }


def _test(share: Floats, whole: Floats, sets: TwoSets, shift: Floats) -> tuple[float, int]:
    """Return the p-value of equal label frequencies, and the label that differs most.

    ``share`` (pattern, label) has each label's uses per rating of an item, and ``whole`` (pattern,)
    its sum over labels: 1, or for spans the units per rating. The z of a label has the null
    variance over all items or clusters. The smallest p-value is adjusted for the number of labels
    (Bonferroni).
    """
    counts = [side.exchangeable.count for side in (sets.a, sets.b)]
    both = counts[0] + counts[1]
    share = share - whole[:, None] * (both @ share) / max(float(both @ whole), 1e-300)
    if sets.clustered is not None:
        of_a, of_b = sets.clustered.sums(share)
    elif sets.paired:
        of_a, of_b = (share[number] for number in (sets.coarse_of_a, sets.coarse_of_b))
    else:
        of_a = of_b = share
    if sets.paired:
        count = sets.coarse_joint.count if sets.clustered is None else np.ones(len(of_a))
        moved, spread = count @ (of_b - of_a), count @ np.square(of_b - of_a)
    else:
        moved = counts[1] @ share / counts[1].sum() - counts[0] @ share / counts[0].sum()
        if sets.clustered is None:
            squares = both @ np.square(share)
        else:
            squares = np.square(of_a).sum(axis=0) + np.square(of_b).sum(axis=0)
        spread = squares / both.sum() * sum(1 / count.sum() for count in counts)
    varies = spread > 1e-12
    if not varies.any():
        return 1.0, int(np.argmax(shift))
    z = np.where(varies, np.abs(moved) / np.sqrt(np.where(varies, spread, 1.0)), -1.0)
    return bonferroni(2 * ndtr(-z[varies])), int(np.argmax(z + 1e-9 * shift))


def labels_in_one_set(attrs: Attributes) -> tuple[list[str], list[str]]:
    """Return the labels used only in A, and the labels used only in B."""
    a, b = (json.loads(attrs.get(f"labels_only_{letter}", "[]")) for letter in "ab")
    return a, b


def labels_moved(attrs: Attributes, confidence: float) -> bool:
    """Return whether label frequencies differ significantly."""
    return bool(attrs.get("label_p_value", 1.0) <= 1 - confidence)


def label_notes(attrs: Attributes) -> Iterator[Note]:
    """Yield notes on labels that only one set uses, and on the number of labels in each set."""
    only_in, names = labels_in_one_set(attrs), (attrs["name_a"], attrs["name_b"])
    if any(only_in):
        sides = [
            Note("labels_only_in", {"labels": labels, "set": name})
            for labels, name in zip(only_in, names, strict=True)
            if labels
        ]
        written = [{label.strip().casefold() for label in labels} for labels in only_in]
        question = ""
        if written[0] & written[1]:
            question = "written_in_two_ways"
        elif not attrs["labels_in_both"]:
            question = "no_label_in_both"
        values = {"sides": sides, "question": Note(question) if question else ""}
        yield Note("labels_of_one_set", values)
    used = attrs["labels_a"], attrs["labels_b"]
    if attrs["labels"] and used != (attrs["labels"],) * 2:
        values = {"labels": attrs["labels"], "a": used[0], "b": used[1]}
        yield Note("labels_of_both_sets", {**values, "name_a": names[0], "name_b": names[1]})
