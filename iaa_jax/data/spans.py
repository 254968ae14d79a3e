"""Make spans Datasets: stretches of documents that annotators marked, each with a label.

A spans Dataset has the dimensions ``span``, ``document``, ``annotator`` and ``label``; all but
``span`` have a coordinate of names. The variables along ``span`` are whole numbers, except for
places that are measured, such as times:

============== =====================================================================
variable       meaning
============== =====================================================================
document_of    number of the span's document, as in ``document_number``
annotator_of   number of the span's annotator, as in ``annotator_number``
label_of       position of the span's label along ``label``
start, end     first place of the span (a character, token or time) in the document, and the first
               place after the span: whole numbers, or real numbers if measured (as in seconds)
unit_of        number of the unit: parts of one discontinuous span share it
============== =====================================================================

Documents and annotators may be selected and reordered with ``isel`` and ``sel``, because
``document_number`` and ``annotator_number`` are selected along with them. ``seen`` (document,
annotator) states who saw which document: an annotator without spans in a seen document marked
nothing there. ``length`` (document) is present if the lengths of all documents are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Floats, Integers, Places
from iaa_jax.data.assemble import IndexedNames, index_column
from iaa_jax.data.categories import ordered_categories, with_unused
from iaa_jax.data.cells import flat_column
from iaa_jax.data.factorize import Column, factorize
from iaa_jax.data.labels import EXACT, Where, code_columns, offenders
from iaa_jax.data.marked.numbers import as_places
from iaa_jax.data.notices.finished import noted_spans
from iaa_jax.data.provenance import with_caution, with_files_of
from iaa_jax.data.storage import ALONG_SPAN, label_memory, python_value
from iaa_jax.data.tables import as_frame, is_arrow
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

_NUMBER = (int, float, np.integer, np.floating)

Marked = Iterable[Sequence[object]]
"""Type of the spans of an annotator in a document, each as (start, end, label)."""


def from_spans(
    documents: Mapping[object, Mapping[object, Marked]] | pd.DataFrame,
    *,
    lengths: Mapping[object, int] | None = None,
    labels: Sequence[object] | None = None,
) -> xr.Dataset:
    """Make spans from what annotators marked in documents.

    Parameters
    ----------
    documents
        Either ``{document: {annotator: [(start, end, label), ...]}}``, in which an annotator who is
        missing has not seen the document, and an annotator with an empty list marked nothing; or a
        DataFrame of pandas or polars, or a table of Arrow, with the columns document, annotator,
        start, end, label and optionally unit. A row without places then means that the annotator
        saw the document and marked nothing, whatever its label, unless a column `status` has
        "skipped".
        `iaa_jax.read_long` returns such a table. A span whose start equals its end marks a point:
        it equals other spans at this point, but overlaps nothing and contains no token.
    lengths
        Lengths of the documents, in the unit of start and end. If any place or length is not a
        whole number, as with seconds, places count as measured, and no coefficient depends on their
        unit.
    labels
        All possible labels in their order; if None, the labels that occur.

    Returns
    -------
    xarray.Dataset
        Spans, with the variables `document_of`, `annotator_of`, `label_of`, `start`, `end` and
        `unit_of` (span), `seen` (document, annotator), `document_number`, `annotator_number` and,
        if the lengths of all documents are given, `length` (document). ``isel`` and ``sel`` along
        document and annotator also select their spans; to select labels, use
        `iaa_jax.data.keep_labels`.

    Raises
    ------
    IaaError
        If a span is not within its document, a label is not among the declared labels, or no
        document was seen by two annotators.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER")], "bob": [(0, 5, "ORG")]},
    ...         "d2": {"ann": [], "bob": [(3, 4, "PER")]},
    ...     }
    ... )
    >>> spans.sizes["span"], spans["label"].values.tolist(), spans["seen"].values.tolist()
    (3, ['ORG', 'PER'], [[True, True], [True, True]])
    """
    if isinstance(documents, pd.DataFrame) or is_arrow(documents):
        spans = _from_frame(as_frame(documents), lengths, labels)
        return with_files_of(spans, documents)
    if not isinstance(documents, Mapping):
        raise IaaError(
            f"{named('documents')} must be a dict of documents or a DataFrame, not "
            f"{type(documents).__name__}"
        )
    rows: list[tuple[object, ...]] = []
    for document, by_annotator in documents.items():
        if not isinstance(by_annotator, Mapping):
            raise IaaError(
                f"document {brief(document)} is {brief(by_annotator)}; write "
                "{annotator: [(start, end, label), ...]}"
            )
        for annotator, marked in by_annotator.items():
            if not isinstance(marked, Iterable):
                raise IaaError(
                    f"document {brief(document)}, annotator {brief(annotator)}: "
                    f"{brief(marked)} is no list of spans; write [] for nothing marked"
                )
            rows.append((document, annotator, None, None, None, None))
            for number, span in enumerate(marked, 1):
                if not _is_span(span):
                    raise IaaError(
                        f"span {number} (document {brief(document)}, annotator {brief(annotator)}) "
                        f"is {brief(span)}; write (start, end, label), with places from 0 and the "
                        "end last"
                    )
                start, end, label, *unit = span
                rows.append((document, annotator, start, end, label, *(unit or [None])))
    columns = ("document", "annotator", "start", "end", "label", "unit")
    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    return _from_frame(frame, lengths, labels, of_caller=False)


def span_dataset(
    documents: IndexedNames,
    annotators: IndexedNames,
    rows: tuple[Integers, Places, Places, Integers],
    answers: tuple[Integers, Sequence[str | float]],
    labels: Sequence[object] | None,
    where: Where,
    lengths: Mapping[str, float] | None = None,
) -> xr.Dataset:
    """Make spans from judgements, each of one document by one annotator.

    `documents` and `annotators` are coded for every judgement, including judgements without spans.
    `rows` are the judgement, start, end and unit of each span (unit -1: a unit of its own), and
    `answers` the labels. `where` describes a span in messages.
    """
    (document_codes, document_names), (annotator_codes, annotator_names) = documents, annotators
    judgement, start, end, unit = rows
    labelled = code_columns([answers], labels, where, parse=False)
    codes = labelled.codes[0].astype(np.int64)
    if (codes < 0).any():
        raise IaaError(f"spans without a label: {offenders(np.flatnonzero(codes < 0), where)}")
    seen = np.zeros((len(document_names), len(annotator_names)), dtype=bool)
    seen[document_codes, annotator_codes] = True
    document, annotator = document_codes[judgement], annotator_codes[judgement]
    # spans of a judgement with the same unit are one unit; units are numbered by first occurrence
    key = np.where(unit < 0, np.arange(len(unit)) + 1, -1)
    columns = pd.DataFrame({"judgement": judgement, "unit": unit, "key": key})
    numbers = columns.groupby([*columns], sort=False).ngroup()
    known = [(lengths or {}).get(str(name), -1) for name in document_names.tolist()]
    start, end, length = as_places(start, end, np.array(known))
    along = (document, annotator, codes, start, end, numbers)
    spans = xr.Dataset(
        {
            name: ("span", v if name in ("start", "end") else np.asarray(v, dtype=np.int64))
            for name, v in zip(ALONG_SPAN, along, strict=True)
        }
        | {"seen": (("document", "annotator"), seen)}
        | {
            f"{axis}_number": (axis, np.arange(size))
            for axis, size in zip(("document", "annotator"), seen.shape, strict=True)
        },
        coords={
            "document": document_names,
            "annotator": annotator_names,
            "label": labelled.values,
        },
        attrs={
            "task": "spans",
            "labels_declared": int(labelled.declared),
            "label_order": label_memory(labelled.values),
        },
    )
    if lengths:
        too_long = np.flatnonzero((length[document] >= 0) & (end > length[document]))
        if too_long.size:
            raise IaaError(
                f"{counted(too_long.size, 'span')} beyond the end of the document: "
                f"{offenders(too_long, where)}; check the unit of the places, or the lengths"
            )
        if (length >= 0).all():
            spans["length"] = ("document", length)
    check_spans(spans)
    for note in labelled.notes:
        spans = with_caution(spans, note)
    return spans


def check_spans(spans: xr.Dataset) -> None:
    """Refuse spans if no document was seen by two annotators."""
    if not spans.sizes["annotator"]:
        raise IaaError("nobody saw a document: there is nothing to compare")
    if spans.sizes["annotator"] < 2:
        names = shown(spans["annotator"].values.tolist())
        raise IaaError(f"only one annotator, {names}: agreement takes two or more")
    if (spans["seen"].values.sum(axis=1) < 2).all():
        raise IaaError(
            "no document was seen by two annotators; check that their files have the same names "
            "for the same documents"
        )


def _from_frame(
    frame: pd.DataFrame,
    lengths: Mapping[object, int] | None,
    labels: Sequence[object] | None,
    *,
    of_caller: bool = True,
) -> xr.Dataset:
    needed = ("document", "annotator", "start", "end", "label")
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise IaaError(
            f"there is no column {missing[0]!r}; spans need the columns {', '.join(needed)}"
        )
    if "status" in frame.columns:
        frame = frame[~frame["status"].eq("skipped").fillna(False).to_numpy(dtype=bool)]
    if "judgement" in frame.columns:
        _refuse_repeats(frame)
    indexed = []
    for name in ("document", "annotator"):
        codes, names = index_column(frame[name], name)
        if (codes < 0).any():
            raise IaaError(f"row {int(np.argmax(codes < 0))} has no {name}")
        indexed.append((codes, names))
    marked = np.flatnonzero(frame[["start", "end"]].notna().any(axis=1).to_numpy())

    def where(row: int) -> str:
        cells = (frame[name].iloc[marked[row]] for name in needed)
        document, annotator, start, end, _ = (brief(python_value(cell)) for cell in cells)
        named_by = f"row {marked[row]}" if of_caller else "the span"
        return f"{named_by} (document {document}, annotator {annotator}, {start} to {end})"

    start, end = (_places(frame[name].iloc[marked], name, where) for name in ("start", "end"))
    wrong = np.flatnonzero(start > end)
    if wrong.size:
        many = counted(wrong.size, "span")
        raise IaaError(f"{many} whose end is before its start: {offenders(wrong, where)}")
    unit = np.full(len(marked), -1)
    if "unit" in frame.columns:
        unit = pd.factorize(frame["unit"].iloc[marked])[0]
    (of_documents, _), (of_annotators, names) = indexed
    judgement, judgements = pd.factorize(of_documents * len(names) + of_annotators)
    documents, annotators = np.divmod(judgements, len(names))
    column = frame["label"].iloc[marked]
    declared = ordered_categories([column.dtype]) if labels is None else labels
    spans = span_dataset(
        (documents, indexed[0][1]),
        (annotators, indexed[1][1]),
        (judgement[marked], start, end, unit),
        _with_nameless(factorize(flat_column(column))),
        declared,
        where,
        None if lengths is None else checked_lengths(lengths),
    )
    marks_alone = of_caller and len(marked) == len(frame) and "status" not in frame.columns
    return noted_spans(with_unused(spans, [column.dtype], declared), marks_alone=marks_alone)


def _with_nameless(answers: Column) -> Column:
    """Return the codes of spans' labels, with "" as the label of spans without one."""
    codes, known = answers
    if (codes >= 0).all():
        return answers
    names = list(known) if "" in known else [*known, ""]
    return np.where(codes < 0, names.index(""), codes), names


def checked_lengths(lengths: Mapping[object, object]) -> dict[str, float]:
    """Return the lengths of documents by the documents' names as text; refuse invalid lengths."""
    if not isinstance(lengths, (Mapping, pd.Series)):
        raise IaaError(
            f"{named('lengths')} must be a dict of documents, not {type(lengths).__name__}"
        )
    known: dict[str, float] = {}
    for name, length in lengths.items():
        if not isinstance(length, _NUMBER) or not 0 <= length < EXACT:
            raise IaaError(
                f"{named('lengths')}: the length of document {brief(name)} is {brief(length)}, no "
                "number of 0 or more"
            )
        known[str(name)] = float(length) if length % 1 else int(length)
    return known


def _refuse_repeats(frame: pd.DataFrame) -> None:
    judgements = frame[["document", "annotator", "judgement"]].drop_duplicates()
    again = judgements[judgements.duplicated(["document", "annotator"])]
    if len(again):
        document, annotator = again.iloc[0][["document", "annotator"]]
        raise IaaError(
            f"{counted(len(again), 'judgement')} of a document by an annotator who had already "
            f"judged it (document {brief(document)}, annotator {brief(annotator)}): keep one of "
            "them"
        )


def _places(column: pd.Series, name: str, where: Where) -> Floats:
    numeric = pd.to_numeric(column, errors="coerce")
    numbers = numeric.to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~((numbers >= 0) & (numbers < EXACT)))
    if wrong.size:
        raise IaaError(f"{name} is no number of 0 or more at {offenders(wrong, where)}")
    return numbers


def _is_span(span: object) -> TypeGuard[Sequence[object]]:
    if not isinstance(span, Sequence) or isinstance(span, str) or len(span) not in (3, 4):
        return False
    start, end = span[:2]
    if not (isinstance(start, _NUMBER) and isinstance(end, _NUMBER)):
        return False
    return bool(0 <= start <= end < EXACT) and bool not in (type(start), type(end))
