"""Converts the judgements of an export to spans: which spans count, and their positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.label_names import names_as_declared, names_by_value, note_on_one
from iaa_jax.data.marked.numbers import expanded
from iaa_jax.data.notices.ambiguous import span_notices, unmarked_notices
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.data.spans import span_dataset
from iaa_jax.data.storage import ALONG_SPAN
from iaa_jax.io.base import add_notes
from iaa_jax.io.export.answers import Span, Status
from iaa_jax.io.export.choice import SPANS, choose
from iaa_jax.io.export.counting import (
    judgements_that_count,
    notes_on,
    notes_on_copies,
    refuse_nobody,
)
from iaa_jax.io.export.fields import TEXT
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.kept import add_columns
from iaa_jax.wording import Note, keyword, named

RESERVED = (
    *("document", "span", "seen", "length", "document_number", "annotator_number"),
    *ALONG_SPAN,
)
"""Names of variables that spans have and ratings lack."""


def spans_of(export: Export) -> xr.Dataset:
    """Return the spans of the chosen question (a layer in some tools), or of the only one."""
    options = export.options
    for option, value, why in (
        ("anonymous", True, "it matters who marked"),
        ("skipped", "category", "a skipped document is no span"),
        ("duplicates", "combine", "spans of two answers may be meant to replace one another"),
        ("duplicates", "votes", "votes are counted for gold labels, and spans have none"),
    ):
        if getattr(options, option) == value:
            raise OptionError(f"{keyword(option, value)} cannot be used with spans: {why}")
    if options.missing is not None:
        raise OptionError(
            f"{named('missing')} cannot be used with spans: a span without its label is no gap"
        )
    question = choose(export, SPANS)
    taken = [name for name in question.kept if name in RESERVED]
    if taken:
        raise OptionError(
            f"{keyword('keep', taken[0])} names a variable that spans have anyway: leave it out"
        )
    texts = export.texts_of_spans()
    judgements, skipped = judgements_that_count(export, question)
    refuse_nobody(judgements)
    nameless = np.flatnonzero(judgements.codes("items") < 0)
    if nameless.size:
        raise IaaError(f"{judgements.where(int(nameless[0]))} names no document")
    seen = judgements.codes("status") != Status.SKIPPED
    judgements = replace(judgements, rows=judgements.rows[seen])
    known = cast("list[tuple[Span, ...]]", list(question.answers))
    lengths = np.array([len(answer) for answer in known], dtype=np.int64)
    of_row, index = _spread(lengths, judgements.codes("values"))
    labels: dict[str, int] = {}

    def column(part: Callable[[Span], float]) -> Floats:
        return np.fromiter((part(span) for answer in known for span in answer), np.float64)[index]

    def codes_of(part: Callable[[Span], int]) -> Integers:
        return column(part).astype(np.int64)

    places = (
        column(lambda span: span.start),
        column(lambda span: span.end),
        codes_of(lambda span: -1 if span.unit is None else span.unit),
    )
    codes = codes_of(lambda span: labels.setdefault(span.label, len(labels)))
    used, codes = np.unique(codes, return_inverse=True)  # only labels of judgements that count
    names = np.array(list(labels), dtype=object)[used].tolist()
    ((codes, spelt),) = merged_columns([(codes, names)], options.merge_labels, options.labels)
    written = [*map(str, spelt)]
    if options.labels is None:
        name_of = names_by_value(written)
    else:
        name_of = names_as_declared(written, [str(label) for label in options.labels])
    every = np.ones(len(judgements.rows), dtype=bool)
    rows, understood = judgements.as_rows().with_new_annotators(every, options.duplicates)
    annotators = rows.raters(every)
    spans = span_dataset(
        rows.items,
        annotators,
        (of_row, *places),
        (codes, [name_of.get(name, name) for name in written]),
        options.labels,
        lambda span: rows.where(int(of_row[span])),
        export.lengths if options.item is None else None,
    )
    items, raters = rows.items[0], annotators[0]
    belonging = Belonging(items, raters, (np.arange(len(items)), items, raters))
    documents = spans[["seen"]].rename(document="item")
    names_kept = [name for name in question.kept if not (name == TEXT and texts)]
    kept = add_columns(documents, judgements, names_kept, lambda: belonging)
    spans = spans.assign_coords(kept.rename(item="document").coords)
    if texts:
        shown = [texts.get(str(name), "") for name in spans["document"].values.tolist()]
        spans = spans.assign_coords({TEXT: ("document", np.array(shown, dtype=object))})
    notices = [
        *export.remarks.otherwise,
        *([Note("spans_repeated", {"count": question.repeated})] if question.repeated else []),
        *notes_on_copies(judgements),
        *([] if options.labels is not None else note_on_one(written)),
        *span_notices(spans, options.labels),
        *(unmarked_notices(spans) if export.lists_marks_alone else []),
    ]
    return add_notes(spans, [*notes_on(export, question), *understood], skipped, notices)


def _spread(lengths: Integers, answers: Integers) -> tuple[Integers, Integers]:
    """Return the judgement of each span, and its index among the spans of all answers.

    Examples
    --------
    >>> _spread(np.array([2, 0, 1]), np.array([2, 0, 0, 1]))
    (array([0, 1, 1, 2, 2]), array([2, 0, 1, 0, 1]))
    """
    begins = np.cumsum(lengths) - lengths
    return expanded(begins[answers], (begins + lengths)[answers])
