"""Convert spans to ratings.

The ratings have the task "spans" and the variable ``marked`` (item, annotator), or (item, slot) if
ratings are stored by slot (`iaa_jax.data.slots`): the code of what the annotator marked in the
document, or -1 if the annotator has not seen it or the slot is empty. Annotators who marked
the same spans, in documents of the same length, have the same marking. The variables along ``span``
describe the spans of all markings:

=================== ================================================================
variable            meaning
=================== ================================================================
marking_of          code of the marking that the span belongs to
label_of            position of its label along ``label``
start, end          first place in the document, and the first place after the span
unit_of             number of its unit; parts of a discontinuous span share it
=================== ================================================================

If the lengths of all documents are known, there is also ``length`` (marking). The spans of a
marking are sorted by start, end and label.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Integers, Values, Variables
from iaa_jax.data.checks import check_along_span
from iaa_jax.data.coordinates import lay_out
from iaa_jax.data.marked.numbers import first_of_each, joint
from iaa_jax.data.orders import check_label_order
from iaa_jax.data.provenance import READING
from iaa_jax.data.rating_cells import rating_cells
from iaa_jax.data.storage import (
    ALONG_SPAN,
    label_memory,
    marking_memory,
    slot_attrs,
    with_coding,
)
from iaa_jax.wording.formats import counted


def ratings_of_spans(data: xr.Dataset) -> xr.Dataset:
    """Return a spans Dataset as ratings, for `iaa_jax.data.as_ratings.span_ratings`."""
    check_along_span(data, ALONG_SPAN)
    check_label_order(data)
    seen = np.asarray(data.variables["seen"].values)
    documents, annotators = np.nonzero(seen)
    of_span = {name: np.asarray(data.variables[name].values) for name in ALONG_SPAN}
    key, wanted = _judgements(data, (documents, annotators), of_span)
    # if a document is repeated, so are its judgements
    judgement, shown, again = np.unique(key, return_index=True, return_inverse=True)
    rows = np.searchsorted(judgement, wanted)
    lost = np.append(judgement, -1)[rows] != wanted
    if lost.any():
        _refuse_unseen(data, {name: values[lost] for name, values in of_span.items()})
        of_span = {name: values[~lost] for name, values in of_span.items()}
        rows = rows[~lost]
    of_span = {name: of_span[name] for name in ALONG_SPAN[2:]}
    length = np.asarray(data.variables["length"].values) if "length" in data else None
    of_judgement = None if length is None else length[documents[shown]]
    codes, first, spans = distinct_markings(rows, of_span, len(judgement), of_judgement)
    codes = codes[again.reshape(-1)]
    names = tuple(np.asarray(data.variables[name].values) for name in ("document", "annotator"))
    cells, _ = rating_cells(documents, annotators, cast("tuple[Values, Values]", names))
    dims = ("item", "annotator" if cells.annotator_of is None else "slot")
    variables: Variables = {name: ("span", values) for name, values in spans.items()}
    variables["marked"] = (dims, cells.filled(codes.astype(np.int32)))
    attrs = {"task": "spans", "anonymous": 0, "labels_ordered": 0}
    attrs |= {"label_order": label_memory(np.asarray(data.variables["label"].values))}
    attrs["markings"] = marking_memory(spans)
    if cells.annotator_of is not None:
        variables["annotator_of"] = (dims, cells.annotator_of)
        attrs |= slot_attrs(names[1], cells.annotator_of)
    if of_judgement is not None:
        variables["length"] = ("marking", of_judgement[first])
    kept = ("labels_declared", *READING)
    attrs |= {name: data.attrs[name] for name in kept if name in data.attrs}
    ratings = with_coding(xr.Dataset(variables, _coords(data), attrs))
    of_ratings = {
        str(name): lay_out(ratings, documents, annotators, values.values[documents, annotators])
        for name, values in data.coords.items()
        if values.dims == ("document", "annotator")
    }
    return ratings.assign_coords(of_ratings)


def _numbers(data: xr.Dataset, axis: str) -> Integers:
    """Return the numbers by which spans refer to documents or annotators."""
    name = f"{axis}_number"
    return np.asarray(data[name].values) if name in data.variables else np.arange(data.sizes[axis])


def _judgements(
    data: xr.Dataset,
    judged: tuple[NDArray[np.intp], NDArray[np.intp]],
    of_span: dict[str, Integers],
) -> tuple[Integers, Integers]:
    """Return a key for each judgement (a document and an annotator), and the key of each span."""
    document, annotator = (_numbers(data, axis) for axis in ("document", "annotator"))
    width = max(int(each.max(initial=0)) for each in (annotator, of_span["annotator_of"])) + 1
    key = document[judged[0]] * width + annotator[judged[1]]
    return key, of_span["document_of"] * width + of_span["annotator_of"]


def _refuse_unseen(data: xr.Dataset, of_span: dict[str, Integers]) -> None:
    axes = ("document", "annotator")
    present = np.logical_and(*(np.isin(of_span[f"{x}_of"], _numbers(data, x)) for x in axes))
    if present.any():
        first = int(np.argmax(present))
        document, annotator = (
            data.variables[axis].values[
                np.argmax(_numbers(data, axis) == of_span[f"{axis}_of"][first])
            ]
            for axis in axes
        )
        raise IaaError(
            f"{counted(int(present.sum()), 'span')} of annotators who, according to `seen`, have "
            f"not seen the document, the first in document {brief(document)} by {brief(annotator)}"
        )


def _coords(data: xr.Dataset) -> Variables:
    return {
        {"document": "item"}.get(str(name), str(name)): (
            {"document": "item"}.get(str(dim), str(dim)),
            np.asarray(coordinate.values),
        )
        for name, coordinate in data.coords.items()
        if len(coordinate.dims) == 1 and (dim := coordinate.dims[0]) != "span"
    }


_MARK = ("start", "end", "label_of")


def _ranks(values: Integers) -> Integers:
    if values.dtype.kind != "f":
        return values
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def distinct_markings(
    rows: Integers, of_span: dict[str, Integers], judgements: int, length: Integers | None
) -> tuple[NDArray[np.intp], NDArray[np.intp], dict[str, Integers]]:
    """Return the marking of each judgement, the first judgement with each marking, and the spans.

    A judgement is a document as one annotator saw it. ``rows`` is the judgement of each span, and
    ``length`` the length of each judgement's document. Each marking has its spans once, and units
    have new numbers.
    """
    ranked = {name: _ranks(of_span[name]) for name in (*_MARK, "unit_of")}
    order = np.argsort(joint(rows, *ranked.values()), kind="stable")
    rows = rows[order]
    sorted_spans = {name: values[order] for name, values in of_span.items()}
    begins = np.searchsorted(rows, np.arange(judgements + 1))
    # a unit is numbered by its first span in the judgement, so that equal markings have equal bytes
    unit, first_span = first_of_each(sorted_spans["unit_of"])
    within = first_span[unit] - begins[rows]
    cells = joint(*(ranked[name][order] for name in _MARK), within)
    buffer, width = cells.tobytes(), cells.itemsize
    head = [b""] * judgements if length is None else [f"{n} ".encode() for n in length.tolist()]
    keys = np.empty(judgements, dtype=object)
    keys[:] = [
        size + buffer[begin * width : end * width]
        for size, begin, end in zip(head, begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    ]
    codes, first = first_of_each(keys)
    kept = first[codes[rows]] == rows
    spans = {name: values[kept] for name, values in sorted_spans.items()}
    spans["unit_of"], _ = pd.factorize(spans["unit_of"])
    return codes, first, {"marking_of": codes[rows][kept], **spans}
