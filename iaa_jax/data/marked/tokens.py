"""Convert spans to labels of every place (token or character) of the documents.

A run of neighbouring places on which no annotator's labels change is one item, weighted by its
number of places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypedDict

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_choice
from iaa_jax._errors import IaaError, brief, shown
from iaa_jax._types import Integers, Values, Variables
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.assemble import ratings_dataset, single_ratings
from iaa_jax.data.coordinates import lay_out, rating_coordinates
from iaa_jax.data.labels import CodedLabels, label_array
from iaa_jax.data.marked.documents import Markings, markings_of
from iaa_jax.data.marked.numbers import expanded
from iaa_jax.data.provenance import READING, with_caution, with_understood
from iaa_jax.data.select import find_names
from iaa_jax.data.spans import checked_lengths
from iaa_jax.data.storage import annotator_of, array_of, rating_dim, task_of, weight_of
from iaa_jax.wording import Note, named

READINGS = ("combined", "any", "sets")
"""The choices for the label of a place."""

UNMARKED = "(unmarked)"
"""The label of places that the annotator did not mark."""

MARKED = "marked"
"""The label of marked places if labels are ignored."""

_JOINT = " + "


def token_ratings(
    spans: xr.Dataset,
    reading: str = "combined",
    *,
    labels: Sequence[object] | None = None,
    lengths: Mapping[object, int] | None = None,
) -> xr.Dataset:
    """Return ratings of every place (token or character) of the documents, made from spans.

    Coefficients of single labels accept these ratings; with "sets", coefficients of label sets do.
    The places of a document are not independent: a span of ten tokens is one decision, not ten.
    Therefore intervals draw whole documents, which the coordinate `document` names. From the places
    of a single document, no meaningful interval can be computed.

    Parameters
    ----------
    spans
        Spans, as `from_spans`, `read_spans` or `read` return them.
    reading
        The label of a place: "combined" joins all its labels into one, such as "direct + reported";
        "any" states only whether the place is marked; "sets" makes a label set. Places without a
        mark have the label "(unmarked)", or the empty set.
    labels
        Labels that count, compared as text; if None, all labels. Other labels are ignored. If a
        single label counts, places with it are compared with all other places.
    lengths
        Lengths of the documents, if the spans do not have them.

    Returns
    -------
    xarray.Dataset
        Ratings with an item for each run of places on which no annotator's labels change;
        `item_weight` is its number of places, times the weight of the document if documents are
        weighted. The coordinates along `item` are `document`, `start`, `end` (the first place after
        the run), and those of the spans along `document`. Annotators who have not seen a document
        have no ratings of its places.

    Raises
    ------
    IaaError
        If the length of a document is unknown, places are measured, or a span ends beyond its
        document.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> spans = iaa.from_spans(
    ...     {
    ...         "d1": {"ann": [(0, 5, "PER")], "bob": [(0, 4, "PER"), (3, 4, "ORG")]},
    ...         "d2": {"ann": [], "bob": []},
    ...     },
    ...     lengths={"d1": 20, "d2": 10},
    ... )
    >>> ratings = iaa.data.token_ratings(spans)
    >>> ratings["item"].values.tolist(), ratings["item_weight"].values.tolist()
    (['d1:0-3', 'd1:3-4', 'd1:4-5', 'd1:5-20', 'd2:0-10'], [3.0, 1.0, 1.0, 15.0, 10.0])
    >>> ratings["label"].values.tolist(), ratings["primary"].values.tolist()
    (['(unmarked)', 'ORG + PER', 'PER'], [[2, 2], [2, 1], [2, 0], [0, 0], [0, 0]])
    >>> round(
    ...     float(iaa.fleiss_kappa(iaa.data.token_ratings(spans, "any"), interval=None).estimate), 3
    ... )
    0.869
    """
    check_choice("reading", reading, READINGS)
    ratings = span_ratings(spans)
    if task_of(ratings) != "spans":
        raise IaaError("token_ratings takes spans, and these are ratings of whole items")
    names = array_of(ratings, "label")
    counts = (
        np.ones(len(names), dtype=bool) if labels is None else find_names(names, labels, "label")
    )
    markings = markings_of(ratings)
    if markings.steps:
        raise IaaError(_MEASURED)
    places = _places(ratings, markings, counts, _lengths(ratings, lengths))
    if not len(places.item):
        raise IaaError("the documents have no places: all lengths are 0")
    if reading == "sets":
        return _described(_sets(places, names, counts, ratings), places, ratings)
    singles = _singles(places, names, counts, ratings, any_mark=reading == "any")
    return _described(singles, places, ratings)


_MEASURED = (
    "the places of these spans are measured, as times are, and not tokens: compare the spans with "
    "unitizing_alpha, gamma or span_f1(match='token')"
)


class _Weights(TypedDict):
    item_weight: NDArray[np.float64]
    annotator_of: NDArray[np.int32] | None


@dataclass(frozen=True)
class _Places:
    """Runs of places, in the order of documents, and their labels.

    Attributes
    ----------
    item, start, end : array (run,)
        Document of each run, its first place, and the first place after it.
    seen : array (run, column)
        Whether the annotator has seen the document.
    cell, label : array (mark,)
        For each label that an annotator gave to a run, the flat cell (run, column) and the label,
        in ascending order.
    """

    item: Integers
    start: Integers
    end: Integers
    seen: NDArray[np.bool_]
    cell: Integers
    label: Integers


def _lengths(ratings: xr.Dataset, lengths: Mapping[object, int] | None) -> Integers:
    """Return the length of each document; without ``lengths``, 0 for a document nobody has seen."""
    marked = array_of(ratings, "marked")
    items = array_of(ratings, "item")
    if lengths is not None:
        known = checked_lengths(lengths)
        of_item = np.array([known.get(str(name), -1) for name in items.tolist()])
        if (of_item % 1 != 0).any():
            raise IaaError(_MEASURED)
        of_item = of_item.astype(np.int64)
        if (of_item < 0).any():
            raise IaaError(
                f"{named('lengths')} lack the documents {shown(items[of_item < 0].tolist())}"
            )
        return of_item
    if "length" not in ratings:
        raise IaaError(
            "without the lengths of the documents, the number of places that nobody marked is not "
            "known, and agreement by chance depends on it: read an export with the texts, "
            f"give {named('lengths')} of all documents to from_spans, in the unit of the places, "
            "or compare spans with span_f1"
        )
    length = np.append(array_of(ratings, "length"), 0).astype(np.int64)
    return np.asarray(length[marked.max(axis=1)])


def _places(
    ratings: xr.Dataset, markings: Markings, counts: NDArray[np.bool_], length: Integers
) -> _Places:
    """Return the runs of all documents; a new run starts wherever a span begins or ends."""
    marked = array_of(ratings, "marked")
    columns = marked.shape[1]
    rating = np.flatnonzero(marked >= 0)
    codes = marked.ravel()[rating]
    shown, span = expanded(markings.begins[codes], markings.begins[codes + 1])
    kept = counts[markings.label_of[span]]
    of_rating: Integers = rating[shown[kept]]
    span = span[kept]
    start, end, label = markings.start[span], markings.end[span], markings.label_of[span]
    late = np.flatnonzero(end > length[of_rating // columns])
    if late.size:
        raise IaaError(_beyond(ratings, int(of_rating[late[0]]), (start, end), int(late[0])))
    of_rating, start, end, label = _united(of_rating, start, end, label)

    documents = np.arange(len(length))
    item = of_rating // columns
    items = np.concatenate([item, item, documents, documents])
    values, rank = np.unique(
        np.concatenate([start, end, np.zeros_like(length), length]), return_inverse=True
    )
    cuts, place = np.unique(items * len(values) + rank.reshape(-1), return_inverse=True)
    place = place.reshape(-1)
    item, at = np.divmod(cuts, len(values))
    # a run begins at each cut except the last cut of a document
    is_run = np.append(item[1:] == item[:-1], False)
    run_of = np.cumsum(is_run) - 1
    first, last = place[: len(start)], place[len(start) : 2 * len(start)]
    mark, run = expanded(run_of[first], run_of[first] + last - first)
    cell = run * columns + of_rating[mark] % columns
    pairs = np.unique(cell * len(counts) + label[mark])
    cell, label = np.divmod(pairs, len(counts))
    begins = np.flatnonzero(is_run)
    return _Places(
        item[begins],
        values[at[begins]],
        values[at[begins + 1]],
        marked[item[begins]] >= 0,
        cell,
        label,
    )


def _united(
    rating: Integers, start: Integers, end: Integers, label: Integers
) -> tuple[Integers, Integers, Integers, Integers]:
    order = np.lexsort([start, label, rating])
    rating, start, end, label = (column[order] for column in (rating, start, end, label))
    reached = pd.Series(end).groupby([rating, label]).cummax().to_numpy()
    begins = np.ones(len(start), dtype=bool)
    same = (rating[1:] == rating[:-1]) & (label[1:] == label[:-1])
    begins[1:] = ~same | (start[1:] > reached[:-1])
    first = np.flatnonzero(begins)
    ends = np.append(first[1:], len(start))[: len(first)] - 1
    return rating[first], start[first], reached[ends], label[first]


def _beyond(ratings: xr.Dataset, cell: int, places: tuple[Integers, Integers], row: int) -> str:
    item, column = divmod(cell, ratings.sizes[rating_dim(ratings)])
    slots = ratings.variables.get("annotator_of")
    annotator = column if slots is None else int(slots.values[item, column])
    start, end = (int(part[row]) for part in places)
    return (
        f"the span from {start} to {end} ends beyond the document (document "
        f"{brief(array_of(ratings, 'item')[item])}, annotator "
        f"{brief(array_of(ratings, 'annotator')[annotator])}); check the unit of the places, or "
        "the lengths"
    )


def _singles(
    places: _Places,
    names: Values,
    counts: NDArray[np.bool_],
    ratings: xr.Dataset,
    *,
    any_mark: bool,
) -> xr.Dataset:
    """Return ratings with one label per place: its labels combined, or whether it has a label."""
    two = any_mark or int(counts.sum()) == 1  # both labels count, even if only one occurs
    if two:
        codes = np.where(places.seen, 0, -1)
        codes.reshape(-1)[places.cell] = 1
        texts = [UNMARKED, MARKED if any_mark else str(names[counts][0])]
    else:
        codes, texts = _combined(places, names)
    known = np.arange(2) if two else np.unique(codes[codes >= 0])
    values = sorted(texts[k] for k in known.tolist())
    twice = [text for text, after in pairwise(values) if text == after]
    if twice:
        raise IaaError(
            f"two different labels of places would both be {brief(twice[0])}: rename one"
        )
    lookup = np.full(len(texts) + 1, -1)  # the last entry is for code -1, not seen
    lookup[known] = np.searchsorted(values, [texts[k] for k in known.tolist()])
    kind = np.int8 if len(values) <= np.iinfo(np.int8).max else np.int32
    coded: NDArray[np.signedinteger] = lookup[codes].astype(kind)
    labelled = CodedLabels((coded,), label_array(values), declared=two, ordered=False)
    return single_ratings(labelled, [coded], *_names(places, ratings), **_weights(places, ratings))


def _combined(places: _Places, names: Values) -> tuple[Integers, list[str]]:
    """Return the code of the label set in each cell (run, column), and the label sets as texts."""
    codes = np.where(places.seen, 0, -1)
    flat = codes.reshape(-1)
    sets: list[tuple[int, ...]] = [()]
    order = np.argsort(places.label, kind="stable")
    labels, begins = np.unique(places.label[order], return_index=True)
    cells = np.split(places.cell[order], begins[1:])
    # each label extends the sets of its cells
    for label, of_label in zip(labels.tolist(), cells, strict=False):
        before, which = np.unique(flat[of_label], return_inverse=True)
        flat[of_label] = len(sets) + which.reshape(-1)
        sets += [(*sets[k], label) for k in before.tolist()]
    texts = [_JOINT.join(str(names[k]) for k in members) for members in sets]
    return codes, [UNMARKED, *texts[1:]]


def _sets(
    places: _Places, names: Values, counts: NDArray[np.bool_], ratings: xr.Dataset
) -> xr.Dataset:
    mass = np.where(places.seen, 0.0, np.nan)[..., None].repeat(int(counts.sum()), axis=2)
    place = np.cumsum(counts) - 1
    mass.reshape(-1, mass.shape[2])[places.cell, place[places.label]] = 1.0
    declared = bool(ratings.attrs.get("labels_declared", 0))
    labelled = CodedLabels((), names[counts], declared=declared, ordered=False)
    return ratings_dataset(
        {"mass": mass},
        *_names(places, ratings),
        task="multi_label",
        labelled=labelled,
        **_weights(places, ratings),
    )


def _names(places: _Places, ratings: xr.Dataset) -> tuple[Values, Values]:
    documents = array_of(ratings, "item")[places.item]
    items = np.empty(len(documents), dtype=object)
    columns = (column.tolist() for column in (documents, places.start, places.end))
    items[:] = [f"{name}:{start}-{end}" for name, start, end in zip(*columns, strict=True)]
    return items, array_of(ratings, "annotator")


def _weights(places: _Places, ratings: xr.Dataset) -> _Weights:
    weight, slots = weight_of(ratings), annotator_of(ratings)
    size = (places.end - places.start).astype(np.float64)
    return {
        "item_weight": size if weight is None else size * weight[places.item],
        "annotator_of": None if slots is None else slots[places.item].astype(np.int32),
    }


def _described(rated: xr.Dataset, places: _Places, ratings: xr.Dataset) -> xr.Dataset:
    coordinates: Variables = {
        "document": ("item", array_of(ratings, "item")[places.item]),
        "start": ("item", places.start),
        "end": ("item", places.end),
    }
    for name, coordinate in ratings.coords.items():
        axis = coordinate.dims
        if name not in ("item", "annotator") and axis in (("item",), ("annotator",)):
            values = coordinate.values[places.item] if axis == ("item",) else coordinate.values
            coordinates[str(name)] = (axis[0], values)
    runs, columns = np.nonzero(places.seen)
    slots = annotator_of(ratings)
    for name in rating_coordinates(ratings):
        of_run = places.item[runs]
        annotators = columns if slots is None else slots[of_run, columns]
        coordinates[name] = lay_out(rated, runs, annotators, ratings[name].values[of_run, columns])
    documents, size = len(np.unique(places.item)), places.end - places.start
    kept = {name: ratings.attrs[name] for name in READING if name in ratings.attrs}
    rated = rated.assign_coords(coordinates).assign_attrs(**kept, shown_together="document")
    values = {"documents": documents, "places": int(size.sum()), "runs": len(size)}
    rated = with_understood(rated, Note("read_places", values))
    return rated if documents > 1 else with_caution(rated, Note("places_of_one_document"))
