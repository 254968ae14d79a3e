"""`read_spans`: reads the exports of annotation tools as spans."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._options import select, taking_options
from iaa_jax._types import PathLike
from iaa_jax.io.choosing import ToolFiles
from iaa_jax.io.export.spans import spans_of
from iaa_jax.io.noting import notes_on_files, worded
from iaa_jax.io.options import ReadColumns, ReadRatings
from iaa_jax.io.request import request


@taking_options
def read_spans(
    paths: PathLike | Sequence[PathLike],
    *,
    columns: ReadColumns = select(
        ReadColumns,
        *("item", "annotator", "file_pattern", "encoding", "max_megabytes", "format", "question"),
    ),
    of_ratings: ReadRatings = select(
        ReadRatings, without=("missing", "blank", "separator", "join")
    ),
    keep: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    r"""Read spans from the export of an annotation tool, or from a table of spans.

    Positions are counted as the tool counts them. A document counts
    as seen if the annotator worked on it, even without marking anything; it is not seen if the
    annotator skipped it, or if their export lacks it.

    Parameters
    ----------
    paths
        Files, folders and archives, as for `read`.
    format
        Name of the format (`iaa_jax.formats` lists them); None recognises it.
    item, annotator
        Fields of the tool's records that name the document and the annotator, instead of the tool's
        own fields.
    labels
        All possible labels in their order; any other label is an error.
    question
        Layer or question to read, if the export has several.
    duplicates
        What to do if an annotator worked on a document twice: raise an "error"; keep the "first" or
        "last", by time if the tool records it; or "apart": the second judgement counts as a further
        annotator's.
    skipped
        How to count a document that an annotator saw but skipped: as "missing" (not seen by that
        annotator), or "drop" the document (not seen by anybody).
    empty
        How to count a document in which an annotator marked nothing: as "answered"; or as "missing"
        (not seen by that annotator), for tools that also list documents that were not assigned.
    exclude
        As for `read`.
    include
        Further judgements to read: "drafts", "gold", "predictions", "curator", "rejected".
    merge_labels, merge_ids
        Differences in spelling to ignore in labels, or in names of documents and annotators:
        "case", "form" and "blanks".
    columns : ReadColumns
    of_ratings : ReadRatings
    progress
        As for `read`.
    keep
        Fields of the tool's records to keep as coordinates: along `document` if every document has
        one value ("batch"), otherwise along `annotator`, otherwise along both. "time" is when an
        annotator worked on a document, and "text" the text of the document, if the tool has it. If
        positions count tokens or UTF-16 units instead of characters, each token or unit of the text
        is followed by the character U+001F (unit separator).

    Returns
    -------
    xarray.Dataset
        Spans, as `from_spans` makes them. The attribute `read_as` says how the files were
        understood, `skipped` what was left out and why, and `notices` what may have been misread.

    Raises
    ------
    IaaError
        If a file cannot be read, holds no spans, or its data cannot be used.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> import iaa_jax as iaa
    >>> task = {"text": "In Rome", "_input_hash": 7, "_view_id": "ner_manual", "answer": "accept"}
    >>> span = {"start": 3, "end": 7, "label": "PLACE"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "export.jsonl")
    ...     lines = [
    ...         {**task, "spans": spans, "_annotator_id": who}
    ...         for who, spans in (("ann", [span]), ("bob", [span, {**span, "start": 0}]))
    ...     ]
    ...     _ = file.write_text("\n".join(map(json.dumps, lines)))
    ...     spans = iaa.read_spans(file)
    >>> spans.sizes["span"], spans["seen"].values.tolist()
    (3, [[True, True]])
    """
    parameters = {"paths": paths, **vars(columns), **vars(of_ratings), "progress": progress}
    file_request = request(parameters, keep=keep, spans_alone=True)
    with file_request.opened() as chosen:
        if not isinstance(chosen, ToolFiles):
            raise IaaError(f"the format {chosen.name} holds no spans")
        spans = spans_of(chosen.export(file_request.options, chooses=True))
        spans = worded(spans, notes_on_files(chosen.files), chosen.left_out(), chosen.cautions)
    return spans.assign_attrs(files=file_request.names, layout=chosen.name)
