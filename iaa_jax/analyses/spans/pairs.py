"""F1 and counts of spans for pairs of annotators, for annotators and for documents."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Columns, Floats, Integers, Values
from iaa_jax.data.marked.counts import MarkedPairCounts, places_of_markings, units_in_all
from iaa_jax.data.marked.documents import Documents


def pair_variables(names: Values, counts: MarkedPairCounts, weight: Floats) -> Columns:
    """Return F1 and numbers of spans of each pair of annotators, from documents that both saw."""
    pairs, size = counts.pairs, len(names)
    key, number = np.unique(
        pairs.first_column.astype(np.int64) * size + pairs.second_column, return_inverse=True
    )
    of_pair = weight[pairs.document]

    def total(of_labels: Floats) -> Floats:
        return _sums(number, of_pair * of_labels.sum(axis=1), len(key))

    tp, n_a, n_b = total(counts.matched), total(counts.first), total(counts.second)
    return {
        "first": names[key // size],
        "second": names[key % size],
        "pair_f1": ratio(2 * tp, n_a + n_b),
        "pair_documents": _sums(number, of_pair, len(key)),
        "n_a": n_a,
        "n_b": n_b,
        "tp": tp,
        "fp": n_a - tp,
        "fn": n_b - tp,
    }


def document_variables(counts: MarkedPairCounts, documents: Documents) -> Columns:
    """Return the number of annotators, F1 and numbers of spans of each document.

    F1 and the numbers of spans are NaN if fewer than two annotators saw the document, and F1 also
    if they marked nothing.
    """
    panel = (documents.marked >= 0).sum(axis=1)
    pair = counts.pairs.document

    def total(of_labels: Floats) -> Floats:
        return _sums(pair, of_labels.sum(axis=1), len(panel))

    matched, spans = 2 * total(counts.matched), total(counts.first + counts.second)
    # sums over pairs count each span once for every other annotator who saw the document
    others = np.where(panel > 1, panel - 1.0, np.nan)
    return {
        "document_f1": ratio(matched, spans),
        "document_annotators": panel,
        "document_spans": spans / others,
        "document_disputed": (spans - matched) / others,
    }


def annotator_variables(
    names: Values, counts: MarkedPairCounts, documents: Documents, weight: Floats
) -> Columns:
    """Return each annotator's F1 with the others, and the numbers of documents and spans.

    Ratios compare the number and the mean length of the spans with the other annotators' in the
    same documents.
    """
    pairs, size = counts.pairs, len(names)
    units, length = _sizes(documents)
    who = np.concatenate([pairs.first_column, pairs.second_column])
    mine = np.concatenate([pairs.first, pairs.second])
    theirs = np.concatenate([pairs.second, pairs.first])
    of_pair = np.tile(weight[pairs.document], 2)

    def total(each: Floats) -> Floats:
        return _sums(who, of_pair * each, size)

    matched = np.tile(2 * counts.matched.sum(axis=1), 2)
    spans = np.tile((counts.first + counts.second).sum(axis=1), 2)
    numbers, others_numbers = total(units[mine]), total(units[theirs])
    document, column = np.nonzero(documents.marked >= 0)
    marked = units[documents.marked[document, column]]
    return {
        "annotator_f1": ratio(total(matched), total(spans)),
        "annotator_documents": _sums(column, weight[document], size),
        "annotator_spans": _sums(column, weight[document] * marked, size),
        "times_as_many": ratio(numbers, others_numbers),
        "times_as_long": ratio(
            ratio(total(length[mine]), numbers), ratio(total(length[theirs]), others_numbers)
        ),
    }


def ratio(above: Floats, below: Floats) -> Floats:
    """Return ``above / below``; NaN if ``below`` is 0."""
    result: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return result


def _sums(places: Integers, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(places, values, minlength=size), dtype=np.float64)


def _sizes(documents: Documents) -> tuple[Floats, Floats]:
    """Return the number and total length of the distinct spans of each annotator in a document."""
    markings = documents.markings.distinct
    return units_in_all(markings)[:, 0], places_of_markings(markings).sum(axis=1)
