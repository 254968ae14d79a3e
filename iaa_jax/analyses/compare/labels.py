"""The labels of two sets: which only one of them has, and whether they are as frequent."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from iaa_jax._errors import IaaError
from iaa_jax._types import Attributes, Floats
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.data.kind import Kind
from iaa_jax.data.storage import array_of
from iaa_jax.measure.labels import label_use, of_all_labels
from iaa_jax.measure.rated import Rated
from iaa_jax.wording import Note

SHOWN = 12
"""Labels of one set alone that are named."""


def label_facts(tables: Rated, sets: TwoSets) -> dict[str, object]:
    """What a result says of labels: nothing of numbers.

    Returns
    -------
    dict
        ``label_shares_of`` ("ratings", or "units" of spans), ``labels_only_a`` and
        ``labels_only_b`` (the first of them, as JSON: files of results hold text),
        ``labels_in_both`` (a number),
        ``label_shift`` (half the sum of the absolute differences of labels' shares),
        ``label_p_value`` (whether labels are as frequent in both, for all of them together), and
        ``label_moved`` with ``label_share_a`` and ``label_share_b``: the label that moved most
        certainly.
    """
    if tables.kind is Kind.NUMBERS:
        return {}
    codes = tables.exchangeable.codes
    try:
        counts, whole = label_use(tables, codes)
    except IaaError:
        return {}  # too many labels to be laid out
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
    """Whether items' shares of labels differ, for all labels together, and which does most.

    ``whole`` (item,) is what the shares (item, label) are of: 1, or of spans the units of an item.
    z of each label, by the spread of all items (or clusters) as they would be without a difference;
    the smallest p-value times the number of labels (Bonferroni).
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
    return of_all_labels(2 * ndtr(-z[varies])), int(np.argmax(z + 1e-9 * shift))


def labels_in_one_set(attrs: Attributes) -> tuple[list[str], list[str]]:
    """The labels that only A has, and those that only B has."""
    a, b = (json.loads(attrs.get(f"labels_only_{letter}", "[]")) for letter in "ab")
    return a, b


def labels_moved(attrs: Attributes, confidence: float) -> bool:
    """Whether labels occur otherwise in B than in A: a coefficient may differ with that alone."""
    return bool(attrs.get("label_p_value", 1.0) <= 1 - confidence)


def label_notes(attrs: Attributes) -> Iterator[Note]:
    """Labels that one set alone has: often the same under another name; and how many both have."""
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
