"""Gold spans, marked by more than half of a document's annotators, and all other spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Columns, Floats, Integers, Values, Variables
from iaa_jax.analyses.gold import declared
from iaa_jax.catalog.labelling import SPAN_MATCHES, STRICT
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import int_if_whole, ints_if_whole
from iaa_jax.measure import public
from iaa_jax.measure.options.declared import OneOf
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.measure.shared.decisions import ADJUDICATED, MAJORITY
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

if TYPE_CHECKING:
    from iaa_jax.data.marked.documents import Documents
    from iaa_jax.data.marked.majorities import SharedSpans

SpanKey = tuple[object, str, str]
"""The key of a span in a result: its document, its positions, and its label."""


@public
@requires(match=OneOf(SPAN_MATCHES))
@gives(declared)
def gold_spans(
    spans: Rated,
    match: str = STRICT,
    *,
    adjudicated: Mapping[SpanKey, bool | str] | None = None,
    blind: bool = False,
) -> xr.Dataset:
    """Return gold spans, which more than half of those who saw the document marked.

    Every span that somebody marked is in the result, with the share of the document's annotators
    who marked it. Spans with a share above one half are gold, unless adjudicated otherwise.

    Parameters
    ----------
    spans : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read` return them.
    match : {"strict", "partial", "boundary"}
        When spans of two annotators count as one: "strict", with equal positions and label;
        "partial", with equal label and a position in common; "boundary", with equal positions. With
        "partial", the boundaries are taken from a span that somebody marked: the span that matches
        spans of as many annotators as possible; among several, the span that most annotators marked
        exactly, then the one with most positions in common, then the first. With "boundary", the
        label is the most frequent one, the first if tied.
    adjudicated : mapping, optional
        Decisions on spans, by document, positions and label as in the result: whether the span is
        gold, or another label with which it is gold.
    blind : bool
        Leave out which annotator marked which span, for a sheet on which adjudicators decide
        blindly.

    Returns
    -------
    xarray.Dataset
        Along ``span``, in the order of documents and positions:

        SPANS

        Along ``label``:

        SPANS_OF_LABELS

        Along ``annotator``, unless ``blind``:

        SPANS_OF_ANNOTATORS

        The attribute ``conclusion`` is "tied" if exactly half of a document's annotators marked a
        span that is not adjudicated (such a span is not gold), "undefined" if nobody marked any
        span, and "decided" otherwise. ``gold_spans``, ``tied_spans``, ``other_spans`` and
        ``one_vote_spans`` are numbers of spans. The last counts spans that are gold without
        adjudication, in documents that only one annotator saw. ``mean_share`` is the mean ``share``
        of gold spans.

    Raises
    ------
    IaaError
        If the ratings are not spans, or ``adjudicated`` names a span that nobody marked or a label
        that the spans do not have.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> marked = {
    ...     "ann": [(0, 5, "PER")],
    ...     "bob": [(0, 5, "PER"), (9, 12, "ORG")],
    ...     "cleo": [(0, 4, "PER")],
    ... }
    >>> spans = iaa.from_spans({"d1": marked})
    >>> result = iaa.gold.spans(spans, "partial")
    >>> [result[name].values.tolist() for name in ("places", "label_of_span", "share", "gold")]
    [['0 to 5', '9 to 12'], ['PER', 'ORG'], [1.0, 0.3333333333333333], [True, False]]
    """
    if spans.kind is not Kind.SPANS:
        raise IaaError(
            "gold spans are chosen from marked spans, and these ratings are not spans: use iaa.gold"
        )
    from iaa_jax.data.marked.documents import documents_of  # imports for spans only
    from iaa_jax.data.marked.majorities import shared_spans

    names, documents = documents_of(spans.dataset)
    shared = shared_spans(documents, match)
    weight = spans.item_weight[shared.document]
    share = shared.votes / np.maximum(shared.seen, 1)
    tied = 2 * shared.votes == shared.seen
    variables = _span_columns(spans, documents, shared)
    decided, label_of = _adjudicated(variables, adjudicated, shared.label_of, spans.label_names)
    gold = np.where(decided < 0, 2 * shared.votes > shared.seen, decided == 1)
    tied &= decided < 0
    columns: Columns = {
        "votes": shared.votes,
        "seen": shared.seen,
        "share": share,
        "exact": shared.exact,
        "gold": gold,
        "gold_label": np.where(gold, spans.label_names[label_of].astype(object), ""),
        "tied": tied,
        "label_tied": shared.label_tied,
        "decided_by": np.where(decided < 0, MAJORITY, ADJUDICATED).astype(object),
    }
    variables |= columns
    if not blind:
        variables["marked_by"] = _names_by_span(shared, names)
    along: Variables = {name: ("span", values) for name, values in variables.items()}
    along |= _label_counts(shared, label_of, gold, weight, len(spans.label_names))
    coords: Columns = {"label": spans.label_names}
    if not blind:
        as_marked = label_of == shared.label_of
        along |= _annotator_figures(shared, gold, as_marked, spans.item_weight, documents)
        coords["annotator"] = names
    thin = gold & (shared.seen == 1) & (decided < 0)
    counts = {"gold": gold, "tied": tied, "other": ~gold & ~tied, "one_vote": thin}
    total = weight[gold].sum()
    attrs = {
        **provenance_of(spans, "gold.spans", notes=_notes(decided, shared)),
        "match": match,
        "blind": int(blind),
        **{f"{name}_spans": int_if_whole(float(weight[x].sum())) for name, x in counts.items()},
        "mean_share": float(weight[gold] @ share[gold] / total) if total else float("nan"),
        "conclusion": "undefined" if not len(gold) else "tied" if tied.any() else "decided",
    }
    return result_dataset(along, {}, attrs, coords)


def _span_columns(spans: Rated, documents: Documents, shared: SharedSpans) -> Columns:
    from iaa_jax.data.marked.majorities import parts_of_units
    from iaa_jax.data.marked.texts import in_context, places_of

    markings = documents.markings.distinct
    start, end = (markings.as_given(each[shared.unit]) for each in markings.extents)
    parts = parts_of_units(markings, shared.unit.tolist())
    positions = [markings.as_given(np.array(part)).tolist() for part in parts]
    texts = ["; ".join(f"{a} to {b}" for a, b in part) for part in positions]
    columns: Columns = {
        "document": spans.item_names[shared.document],
        "start": start,
        "end": end,
        "places": np.array(texts, dtype=object),
        "label_of_span": spans.label_names[shared.label_of],
    }
    if "text" in spans.along("item"):
        known = [places_of(str(text)) for text in spans.coordinate("text").tolist()]
        of_span = [
            (known[document], each)
            for document, each in zip(shared.document.tolist(), parts, strict=True)
        ]
        texts = [" ... ".join("".join(text[a:b]) for a, b in each) for text, each in of_span]
        columns["text"] = np.array(texts, dtype=object)
        columns["passage"] = np.array([in_context(*each) for each in of_span], dtype=object)
    return columns


def _adjudicated(
    variables: Columns,
    adjudicated: Mapping[SpanKey, bool | str] | None,
    marked: Integers,
    labels: Values,
) -> tuple[Integers, Integers]:
    """Return the decision on each span (1 gold, 0 not, -1 undecided), and its label."""
    keys = zip(
        *(map(str, variables[name].tolist()) for name in ("document", "places", "label_of_span")),
        strict=True,
    )
    index_of: dict[tuple[str, ...], int] = {key: index for index, key in enumerate(keys)}
    decided, label_of = np.full(len(index_of), -1), marked.copy()
    if adjudicated is None:
        return decided, label_of
    if not isinstance(adjudicated, Mapping):
        raise IaaError(
            f"{named('adjudicated')} must be True, False or a label by document, places and label, "
            "as {('d1', '0 to 5', 'PER'): True}"
        )
    codes = {str(label): code for code, label in enumerate(labels.tolist())}
    wanted = {_key(key): value for key, value in adjudicated.items()}
    if unknown := [key for key in wanted if key not in index_of]:
        raise IaaError(f"{named('adjudicated')} has spans that nobody marked: {shown(unknown)}")
    if unknown_labels := [v for v in wanted.values() if isinstance(v, str) and v not in codes]:
        raise IaaError(
            f"{named('adjudicated')} has labels that the spans do not have: "
            f"{shown(unknown_labels)}; the labels are {shown(codes)}"
        )
    for key, value in wanted.items():
        decided[index_of[key]] = bool(value)
        if isinstance(value, str):
            decided[index_of[key]], label_of[index_of[key]] = 1, codes[value]
    return decided, label_of


def _key(key: object) -> tuple[str, ...]:
    """Return the key of a span as text; a key that is not a tuple names no span."""
    return tuple(map(str, key)) if isinstance(key, tuple) else (str(key),)


def _names_by_span(shared: SharedSpans, names: Values) -> Values:
    whose: list[list[str]] = [[] for _ in shared.votes]
    marks = sorted({*zip(shared.span_of.tolist(), shared.annotator_of.tolist(), strict=True)})
    for span, annotator in marks:
        whose[span].append(str(names[annotator]))
    return np.array([", ".join(each) for each in whose], dtype=object)


def _label_counts(
    shared: SharedSpans, label_of: Integers, gold: NDArray[np.bool_], weight: Floats, labels: int
) -> Variables:
    counts = {
        "gold_count": np.bincount(label_of[gold], weight[gold], minlength=labels),
        "span_count": np.bincount(shared.label_of, weight, minlength=labels),
    }
    return {name: ("label", ints_if_whole(values)) for name, values in counts.items()}


def _annotator_figures(
    shared: SharedSpans,
    gold: NDArray[np.bool_],
    as_marked: NDArray[np.bool_],
    item_weight: Floats,
    documents: Documents,
) -> Variables:
    """Compare annotators with the gold spans.

    A span whose label adjudicators changed (not ``as_marked``) counts as found by nobody.
    """
    size = documents.marked.shape[1]
    own = np.unique(np.stack([shared.span_of, shared.annotator_of]), axis=1)
    weight = item_weight[shared.document]
    marked = np.bincount(own[1], weight[own[0]], minlength=size)
    right = np.bincount(own[1], weight[own[0]] * (gold & as_marked)[own[0]], minlength=size)
    of_document = np.bincount(shared.document[gold], minlength=len(item_weight)) * item_weight
    gold_seen = of_document @ (documents.marked >= 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        figures = {
            "marked": ints_if_whole(marked),
            "in_gold": right / marked,
            "found": right / gold_seen,
        }
    return {name: ("annotator", np.asarray(values)) for name, values in figures.items()}


def _notes(decided: Integers, shared: SharedSpans) -> Iterator[Note]:
    if (decided >= 0).any():
        yield Note("adjudicated_spans", {"spans": int((decided >= 0).sum())})
    if shared.label_tied.any():
        yield Note("label_tied", {"spans": int(shared.label_tied.sum())}, "caution")
