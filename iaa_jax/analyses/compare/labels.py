"""The labels of two sets: which only one of them has, and whether they are as frequent."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Attributes, Floats
from iaa_jax.data.storage import array_of
from iaa_jax.measure.labels import label_shares
from iaa_jax.measure.tables import RatingTables
from iaa_jax.wording import Note

SHOWN = 12
"""Labels of one set alone that are named."""


def label_facts(tables: RatingTables, a: Floats, b: Floats) -> dict[str, object]:
    """What a result says of labels: nothing of numbers.

    Parameters
    ----------
    tables : RatingTables
        Of both sets.
    a, b : arrays (exchangeable pattern,)
        How often each pattern counts in either.

    Returns
    -------
    dict
        ``labels_only_a`` and ``labels_only_b`` (the first of them, as JSON: files
        of results hold text), ``labels_in_both`` (a number),
        ``label_shift`` (half the sum of the absolute differences of labels' shares), and
        ``label_moved`` with ``label_share_a`` and ``label_share_b``: the label whose share differs
        most.
    """
    if tables.task == "value":
        return {}
    try:
        shares = label_shares(tables, sets_as_labels=False)
    except IaaError:
        return {}  # too many labels to be laid out
    names = array_of(tables.ratings, "label").tolist()
    codes = tables.exchangeable.codes
    label_counts = []
    for count in (a, b):
        rows, columns = np.nonzero(codes >= 0)
        times = np.bincount(
            codes[rows, columns], weights=count[rows].astype(np.float64), minlength=len(shares)
        )
        label_counts.append(times[: len(shares)] @ shares)
    used = [counts > 0 for counts in label_counts]
    only_in = [
        [str(names[code]) for code in np.flatnonzero(used_here & ~used_there)[:SHOWN]]
        for used_here, used_there in (used, used[::-1])
    ]
    set_shares = [counts / max(float(counts.sum()), 1e-300) for counts in label_counts]
    shift = set_shares[1] - set_shares[0]
    largest = int(np.argmax(np.abs(shift)))
    return {
        "labels_only_a": json.dumps(only_in[0], ensure_ascii=False),
        "labels_only_b": json.dumps(only_in[1], ensure_ascii=False),
        "labels_in_both": int((used[0] & used[1]).sum()),
        "label_shift": float(np.abs(shift).sum() / 2),
        "label_moved": str(names[largest]),
        "label_share_a": float(set_shares[0][largest]),
        "label_share_b": float(set_shares[1][largest]),
    }


def labels_in_one_set(attrs: Attributes) -> tuple[list[str], list[str]]:
    """The labels that only A has, and those that only B has."""
    a, b = (json.loads(attrs.get(f"labels_only_{letter}", "[]")) for letter in "ab")
    return a, b


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
