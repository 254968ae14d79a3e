"""From the judgements of an export to spans: which of them count, and where they are."""

from __future__ import annotations

from typing import cast

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.data.spans import span_dataset
from iaa_jax.io.base import add_notes
from iaa_jax.io.export.choice import SPANS, choose
from iaa_jax.io.export.judgements import Export, Span, Status
from iaa_jax.io.export.ratings import judgements_that_count, notes_on, refuse_nobody
from iaa_jax.io.table.alike import merged_columns
from iaa_jax.wording import Note, keyword


def spans_of(export: Export) -> xr.Dataset:
    """Spans of the layer that was asked for, or of the only one."""
    options = export.options
    for option, value, why in (
        ("skipped", "category", "a skipped document is no span"),
        ("duplicates", "combine", "spans of two answers may be meant to replace one another"),
    ):
        if getattr(options, option) == value:
            msg = f"{keyword(option, value)} cannot be used with spans: {why}"
            raise OptionError(msg)
    question = choose(export, SPANS)
    judgements, skipped = judgements_that_count(export, question)
    refuse_nobody(judgements)
    nameless = np.flatnonzero(judgements.codes("items") < 0)
    if nameless.size:
        msg = f"{judgements.where(int(nameless[0]))} names no document"
        raise IaaError(msg)
    judgements = judgements.where_not(judgements.codes("status") == Status.SKIPPED)
    known = cast("list[tuple[Span, ...]]", list(question.answers))
    marked = [
        (row, span)
        for row, code in enumerate(judgements.codes("values").tolist())
        for span in known[code]
    ]
    of_row = np.array([row for row, _ in marked], dtype=np.int64)
    start, end, unit = (
        np.array(column, dtype=np.int64)
        for column in (
            [span.start for _, span in marked],
            [span.end for _, span in marked],
            [-1 if span.unit is None else span.unit for _, span in marked],
        )
    )
    labels: dict[str, int] = {}
    codes = np.array([labels.setdefault(s.label, len(labels)) for _, s in marked], dtype=np.int64)
    (answers,) = merged_columns([(codes, list(labels))], options.merge_labels, options.labels)
    rows = judgements.as_rows()
    spans = span_dataset(
        rows.items,
        rows.raters(np.ones(len(judgements.rows), dtype=bool)),
        (of_row, start, end, unit),
        answers,
        options.labels,
        lambda span: rows.where(int(of_row[span])),
        export.lengths if options.item is None else None,
    )
    notices = [Note(code, {"count": n}, "caution") for code, n in export.notices.items()]
    return add_notes(spans, notes_on(export, question), skipped, notices)
