"""Gold labels from the probability of each label, and who decided."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Columns, Floats, Values
from iaa_jax.kernels.labelling.voting import TIED

TIES = ("first", "none")
"""What a tied item takes: the first of its tied labels in their order, or no label."""

METHOD, TIE, NOBODY = "method", "tie", "nobody"
"""Who decided: the method, the order of tied labels, or nobody, as there is no vote."""


def decide(probability: Floats, voted: NDArray[np.bool_], labels: Values, ties: str) -> Columns:
    """The gold label of each item (item, ...), with its certainty and margin.

    ``voted`` says which items got a vote; the others have no label, and so have tied ones where
    ``ties`` is "none".
    """
    best = np.where(voted, probability.max(axis=1), np.nan)
    in_front = probability >= probability.max(axis=1, keepdims=True) - TIED
    tied = (in_front.sum(axis=1) > 1) & voted
    first = in_front.argmax(axis=1)
    has_gold = voted & (~tied | (ties == "first"))
    second = np.partition(probability, -2, axis=1)[:, -2] if len(labels) > 1 else 0.0
    decided_by = np.where(tied, TIE, METHOD)
    gold = np.array(
        [str(label) if known else "" for label, known in zip(labels[first], has_gold, strict=True)],
        dtype=object,
    )
    return {
        "gold": gold,
        "gold_code": np.where(has_gold, first, -1),
        "certainty": best,
        "margin": best - second,
        "tied": tied,
        "decided_by": np.where(voted, decided_by, NOBODY).astype(object),
    }
