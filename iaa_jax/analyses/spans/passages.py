"""The most disputed passages: stretches of text with spans that not every annotator marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._checks import check_whole
from iaa_jax._errors import IaaError
from iaa_jax._types import Columns, Variables
from iaa_jax.analyses.spans import declared
from iaa_jax.data.kind import Kind
from iaa_jax.data.marked.documents import Documents, documents_of
from iaa_jax.data.marked.excerpts import Excerpt, around, busiest
from iaa_jax.data.marked.numbers import expanded
from iaa_jax.measure import public
from iaa_jax.measure.options.declared import keeps_empty_annotators
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import dataset_of, provenance_of
from iaa_jax.wording.figures import gives

ADJACENT = 1
"""Maximum number of positions (such as a blank) between two disputed spans of the same passage."""

_OF_STRETCHES = ("document", "start", "end")

_OF_MARKS = (
    *("passage_of", "mark_annotator", "mark_start", "mark_end", "mark_label", "unit_of"),
    *("is_disputed", "text_from", "text_to"),
)


@public
@keeps_empty_annotators
@gives(declared)
def span_f1_passages(spans: Rated, number: int = 5) -> xr.Dataset:
    """Return the passages on which pairs of annotators differ most.

    A passage is a stretch in which disputed spans overlap or follow each other with at most one
    position (such as a blank) between them. A span is disputed if another annotator who saw the
    document did not mark it with the same label. ``disputed`` counts a span once for each such
    annotator, and is divided by the number of pairs of annotators who saw the document. The text of
    a long passage is cut to the 400 characters (and some context) in which most disputed spans
    begin or end.

    Parameters
    ----------
    spans : xarray.Dataset
        Spans, as `iaa_jax.from_spans` and `iaa_jax.read` make them, perhaps with their texts.
    number : int
        Maximum number of passages, the most disputed first, ties in the order of the data.

    Returns
    -------
    xarray.Dataset
        Along ``passage``:

        PASSAGES

        Along ``mark``, the parts of the spans that annotators marked in the passages:

        MARKS

        The attribute ``disputed_passages`` is the number of all passages. The ``conclusion`` is
        "disputed", or "undisputed" if there are no passages.

    Raises
    ------
    IaaError
        If the data are not spans, or ``number`` is not a whole number of 0 or more.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER")]},
    ...         "d2": {"ann": [(3, 8, "ORG")], "bob": [(3, 7, "ORG"), (9, 11, "PER")]},
    ...     }
    ... )
    >>> iaa.span_f1.passages(spans, 1).document.values.tolist()
    ['d2']
    """
    check_whole("number", number, 0)
    if spans.kind is not Kind.SPANS:
        raise IaaError(
            "passages are found in spans, and these ratings are not spans: use iaa_jax.items"
        )
    names, documents = documents_of(spans.dataset)
    as_given = documents.markings.as_given
    units = _units(documents)
    passages = _passages(units, documents).head(number)
    texts = spans.coordinate("text") if "text" in spans.along("item") else None
    stretches = [*zip(*(passages[name].tolist() for name in _OF_STRETCHES), strict=True)]
    disputed = [
        units[(units["without"] > 0) & (units["document"] == document)]
        for document, *_ in stretches
    ]
    excerpts = [
        _shown("" if texts is None else str(texts[document]), start, end, own)
        for (document, start, end), own in zip(stretches, disputed, strict=True)
    ]
    variables: Variables = {
        "document": ("passage", spans.item_names[passages["document"].to_numpy(np.intp)]),
        "start": ("passage", as_given(passages["start"].to_numpy(np.int64))),
        "end": ("passage", as_given(passages["end"].to_numpy(np.int64))),
        "disputed": ("passage", passages["disputed"].to_numpy(np.float64)),
        "pairs": ("passage", passages["pairs"].to_numpy(np.int64)),
        "seen": (("passage", "annotator"), documents.marked[passages["document"]] >= 0),
        "text": ("passage", np.array([each.text for each in excerpts], dtype=object)),
        "text_begins": ("passage", as_given(np.array([each.start for each in excerpts], np.int64))),
        "text_ends": ("passage", as_given(np.array([each.end for each in excerpts], np.int64))),
        "text_goes_on": ("passage", np.array([each.goes_on for each in excerpts], dtype=bool)),
    }
    marks = _marks(units, documents, passages, excerpts)
    marks |= {name: as_given(marks[name]) for name in ("mark_start", "mark_end")}
    marks["mark_annotator"] = names[marks["mark_annotator"]]
    marks["mark_label"] = spans.label_names[marks["mark_label"]]
    variables |= {name: ("mark", values) for name, values in marks.items()}
    count = int(passages.attrs["all"])
    attrs = {
        **provenance_of(spans, "span_f1.passages"),
        "disputed_passages": count,
        "conclusion": "disputed" if count else "undisputed",
    }
    return dataset_of(variables, {"annotator": names}, attrs)


def _units(documents: Documents) -> pd.DataFrame:
    """Return each annotator's distinct spans, and how many other annotators did not mark each."""
    markings = documents.markings.distinct
    units = markings.units
    start, end = markings.extents
    document, column = np.nonzero(documents.marked >= 0)
    marking = documents.marked[document, column]
    row, unit = expanded(units.begins[marking], units.begins[marking + 1])
    table = pd.DataFrame(
        {
            "document": document[row],
            "annotator": column[row],
            "unit": unit,
            "kind": markings.kinds[unit],
            "start": start[unit],
            "end": end[unit],
        }
    )
    seen = (documents.marked >= 0).sum(axis=1)
    same = table.groupby(["document", "kind"])["unit"].transform("size")
    table["without"] = seen[table["document"]] - same
    return table


def _passages(units: pd.DataFrame, documents: Documents) -> pd.DataFrame:
    disputed = units[units["without"] > 0].sort_values(["document", "start", "end"], kind="stable")
    reached = disputed.groupby("document")["end"].cummax().groupby(disputed["document"]).shift()
    begins = reached.isna() | (disputed["start"] > reached + ADJACENT)
    passages = disputed.groupby(begins.cumsum().to_numpy()).agg(
        document=("document", "first"),
        start=("start", "min"),
        end=("end", "max"),
        disputed=("without", "sum"),
    )
    seen = (documents.marked >= 0).sum(axis=1)[passages["document"].to_numpy(np.intp)]
    passages["pairs"] = seen * (seen - 1) // 2
    passages["disputed"] = passages["disputed"] / passages["pairs"]
    order = np.lexsort([passages["start"], passages["document"], -passages["disputed"]])
    passages = passages.iloc[order].reset_index(drop=True)
    passages.attrs["all"] = len(passages)
    return passages


def _shown(text: str, start: int, end: int, disputed: pd.DataFrame) -> Excerpt:
    """Return the text to show; a long passage is cut to where most disputed spans begin or end."""
    within = disputed[(disputed["start"] <= end) & (disputed["end"] >= start)]
    ends = np.concatenate([within["start"], within["end"]])
    times = np.tile(within["without"].to_numpy(np.float64), 2)
    return around(text, *busiest(text, start, end, ends, times))


def _marks(
    units: pd.DataFrame, documents: Documents, passages: pd.DataFrame, excerpts: Sequence[Excerpt]
) -> Columns:
    """Return the parts of the spans that each annotator marked in the shown passages."""
    markings = documents.markings.distinct
    parts = np.argsort(markings.units.unit, kind="stable")
    of_unit = markings.units.unit[parts]
    begins = np.searchsorted(units["document"], passages["document"])
    ends = np.searchsorted(units["document"], passages["document"], side="right")
    rows: list[tuple[int, ...]] = []
    whole = zip(passages["start"].tolist(), passages["end"].tolist(), strict=True)
    stretches = zip(begins, ends, excerpts, whole, strict=True)
    for passage, (first, last, where, (low, high)) in enumerate(stretches):
        near = units.iloc[first:last]
        start, end = near["start"], near["end"]
        # the shown text includes some context of the passage
        low, high = min(low, where.start), max(high, where.end)
        empty = (start == end) & (start >= low) & (start <= high)
        near = near[empty | ((start < high) & (end > low))]
        for at, annotator, unit, without in zip(
            near.index, near["annotator"], near["unit"], near["without"], strict=True
        ):
            parts_of_unit = slice(*np.searchsorted(of_unit, [unit, unit + 1]))
            for part in parts[parts_of_unit].tolist():
                ends_of = int(markings.start[part]), int(markings.end[part])
                label = int(markings.units.label_of[unit])
                known = (passage, annotator, *ends_of, label, at, without > 0)
                rows.append((*known, *map(where.character, ends_of)))
    table = np.array(rows, dtype=np.int64).reshape(-1, len(_OF_MARKS))
    columns: Columns = {name: table[:, place] for place, name in enumerate(_OF_MARKS)}
    return columns | {"is_disputed": columns["is_disputed"].astype(bool)}
