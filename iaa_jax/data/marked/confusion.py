"""Which labels two annotators give to units that they match, and what has no partner."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents
from iaa_jax.data.marked.overlaps import best_couples, overlapping, same_boundaries


def confusions(
    documents: Documents,
    match: str = "strict",
    duplicates: str = "set",
    weight: Floats | None = None,
) -> Floats:
    """Units by the label of the first annotator of each pair and that of the second.

    Every unit of each pair counts exactly once: on the diagonal with a partner of the same label,
    beside it with one of another label, else in the last row or column, which stands for none.

    Parameters
    ----------
    documents
        With a column for each annotator, the first of a pair in rows.
    match
        "strict": partners have the same boundaries; "partial": a place in common. As many couples
        of equal labels as can be, of these choices as many of other labels as can be, and of these
        the one with most overlap; where several are best still, the order of places and labels
        decides.
    duplicates
        As in `iaa_jax.data.marked.counts.pair_counts`.
    weight : array (document,), optional
        How much each document counts; 1 by default.

    Returns
    -------
    array (label + 1, label + 1)

    Examples
    --------
    >>> from iaa_jax.data.marked.documents import documents_of
    >>> from iaa_jax.data.door import span_ratings
    >>> from iaa_jax.data.spans import from_spans
    >>> marked = {"ann": [(0, 5, "PER")], "bob": [(0, 5, "ORG"), (7, 9, "ORG")]}
    >>> names, documents = documents_of(span_ratings(from_spans({"d1": marked})))
    >>> confusions(documents).tolist()  # ORG, PER, none
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    markings = documents.markings if duplicates == "multiset" else documents.markings.distinct
    pairs, label_of, labels = documents.pairs, markings.units.label_of, markings.labels
    couples = overlapping(markings, pairs)
    if match == "strict":
        couples = couples.take(same_boundaries(couples, markings))
    couples = best_couples(couples, label_of[couples.first] == label_of[couples.second])
    of_document = np.ones(len(documents.marked)) if weight is None else weight
    of_pair = of_document[pairs.document]
    table = np.zeros((labels + 1, labels + 1))
    cells = label_of[couples.first], label_of[couples.second]
    np.add.at(table, cells, of_pair[couples.pair])
    weights = (
        np.bincount(each, of_pair, minlength=markings.number)[markings.units.marking_of]
        for each in (pairs.first, pairs.second)
    )
    rows, columns = (np.bincount(label_of, each, minlength=labels) for each in weights)
    table[:-1, -1] = rows - table[:-1, :-1].sum(axis=1)
    table[-1, :-1] = columns - table[:-1, :-1].sum(axis=0)
    return table
