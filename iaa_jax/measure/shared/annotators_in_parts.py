"""Each annotator's agreement with the others, and share of items rated, in parts of the items."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.labels import sparse_shares
from iaa_jax.wording.figures import Figure

MOST_PARTS, MOST_ANNOTATORS = 12, 50
"""Maximum numbers of parts and of annotators; a larger table would be too large to read."""

IN_PARTS = (
    Figure("annotator_agreement", "share of comparisons with others' ratings that agree", "share"),
    Figure("annotator_items", "share of the rated items that the annotator rated", "share"),
)


def agreement_in_parts(resolver: Resolver, member: Integers, parts: int, axis: str) -> Variables:
    """Return the variables of `IN_PARTS`, along ``axis`` (the parts) and annotators.

    ``member`` (item,) is the part of each item, or -1 for an item in no part. Each comparison
    counts once, as in `iaa_jax.annotators`. The result is empty if there are too many parts or
    annotators, or if annotators are unknown. For numbers and spans, it has only the shares of
    items.
    """
    from scipy.sparse import csr_array

    tables = resolver.tables
    if resolver.anonymous or parts > MOST_PARTS or tables.annotators > MOST_ANNOTATORS:
        return {}
    codes, identified = tables.slot_codes, tables.identified
    row, slot, annotator = codes.ratings()
    known, size = member >= 0, len(codes.codes)
    place = identified.pattern_of[known] * parts + member[known]
    weight = tables.item_weight[known].astype(np.float64)
    count = np.bincount(place, weight, size * parts).reshape(size, parts)
    rated = count[(codes.codes >= 0).any(axis=1)].sum(axis=0)
    dims = (axis, "annotator")

    def sums(values: Floats) -> Floats:
        summed = np.zeros((tables.annotators, parts))
        np.add.at(summed, annotator, count[row] * values[:, None])
        return summed.T

    with np.errstate(invalid="ignore", divide="ignore"):
        variables: Variables = {
            "annotator_items": (dims, sums(np.ones(len(row))) / rated[:, None]),
        }
        if tables.kind.has_labels:
            agreement = resolver.label_agreements.matrix(None)
            shares = sparse_shares(tables)[codes.codes[row, slot]]
            entries = (np.ones(len(row)), (row, np.arange(len(row))))
            of_others = (csr_array(entries, shape=(size, len(row))) @ shares)[row] - shares
            credit = shares if agreement is None else csr_array(shares @ agreement)
            agreeing = np.asarray(of_others.multiply(credit).sum(axis=1)).reshape(-1)
            others = np.bincount(row, minlength=size)[row] - 1.0
            variables["annotator_agreement"] = (dims, sums(agreeing) / sums(others))
    return variables
