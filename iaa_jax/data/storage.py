"""Names of the variables in which ratings are stored, and functions that read these variables.

In the dense form, ratings have the dimensions item and annotator; in the slot form, they have item
and slot, and ``annotator_of`` is the annotator of each slot (see `iaa_jax.data.slots`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Literal, overload

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Attributes, Floats, Integers, Values

OfMarkings = Literal["marking_of", "label_of", "start", "end", "unit_of", "length"]
Codes = Literal["primary", "secondary", "marked", "annotator_of"] | OfMarkings
Numbers = Literal["mass", "value", "item_weight"]

TASKS: dict[str, tuple[str, ...]] = {
    "single": ("primary",),
    "primary_secondary": ("primary", "secondary"),
    "multi_label": ("mass",),
    "soft": ("mass",),
    "value": ("value",),
    "spans": ("marked",),
}
"""The variables in which ratings of each task are stored."""

STORAGES = ("primary", "secondary", "mass", "value", "marked")
"""The variables of all tasks."""

ALONG_SPAN = ("document_of", "annotator_of", "label_of", "start", "end", "unit_of")
"""Variables along ``span`` of a spans Dataset."""

MARKED_ALONG_SPAN: tuple[OfMarkings, ...] = ("marking_of", "label_of", "start", "end", "unit_of")
"""Variables along ``span`` of ratings of task "spans"."""

OF_MARKINGS: tuple[OfMarkings, ...] = (*MARKED_ALONG_SPAN, "length")
"""Variables that describe the markings to which the codes of ratings refer.

A marking is what an annotator marked in a document.
"""

REMEMBERED_LABELS = 1000
"""Maximum number of labels that the attribute ``label_order`` lists."""

REMEMBERED_ANNOTATORS = 200
"""Maximum number of annotators that the attribute ``annotator_order`` lists."""

CODING = "item_coding"
"""Name of the variable with a digest of the names that codes and slots refer to."""

REPEATED = "repeated"
"""Name of the attribute of ratings that are votes: an annotator may have several slots per item."""

OF_SLOTS = ("slots", "annotator_order", REPEATED)
"""Names of the attributes that only the slot form has."""


def label_memory(labels: Values) -> str:
    """Return the labels in the order of the codes, as text for ``attrs["label_order"]``.

    If xarray moves, drops or joins labels, it does not change the codes, and a comparison with this
    text shows the mismatch. If there are very many labels, the last entry is a digest of all.
    """
    texts = [str(label) for label in labels.tolist()]
    if len(texts) > REMEMBERED_LABELS:
        texts[REMEMBERED_LABELS:] = [f"{len(texts)} labels, {_digest(texts)}"]
    return json.dumps(texts)


def annotator_memory(names: Values) -> str:
    """Return the number of annotators, a digest of all names, and the first names in order.

    As ``attrs["annotator_order"]`` in the slot form, the text shows whether xarray has moved,
    dropped or joined annotators without changing ``annotator_of``.
    """
    texts = [str(name) for name in names.tolist()]
    return json.dumps([len(texts), _digest(texts), texts[:REMEMBERED_ANNOTATORS]])


def slot_attrs(names: Values, annotators: Integers) -> dict[str, int | str]:
    """Return the attributes that only the slot form has (`OF_SLOTS`)."""
    attrs: dict[str, int | str] = {
        "slots": annotators.shape[1],
        "annotator_order": annotator_memory(names),
    }
    return attrs | ({REPEATED: 1} if repeats_of(annotators).any() else {})


def marking_memory(variables: Mapping[str, Integers]) -> str:
    """Return a digest of the spans of all markings, for ``attrs["markings"]``."""
    digest = hashlib.sha256()
    for _, values in sorted(variables.items()):
        kind = np.float64 if values.dtype.kind == "f" else np.int64
        digest.update(np.ascontiguousarray(values, dtype=kind).tobytes())
    return digest.hexdigest()[:16]


def coding(*orders: str | None) -> int:
    """Return a digest of the labels, annotators and markings that codes and slots refer to.

    When xarray joins ratings, it keeps only the attributes of the first Dataset. Therefore each
    item stores this digest (``item_coding``), which is joined along with the codes.
    """
    memories = [None if memory is None else str(memory) for memory in orders]
    text = json.dumps(memories).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:4], "little", signed=True)


def codings(attrs: Attributes, items: int) -> dict[str, object]:
    """Return a dict with the variable ``item_coding``; it is empty if no code refers to a name."""
    memory = [attrs.get(name) for name in ("label_order", "annotator_order")]
    if memory == [None, None]:
        return {}
    if "markings" in attrs:
        memory.append(attrs["markings"])
    return {CODING: ("item", np.full(items, coding(*memory), dtype=np.int32))}


def with_coding(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings with the variable ``item_coding`` that matches their attributes."""
    bare = ratings.drop_vars(CODING, errors="ignore")
    return bare.assign(codings(bare.attrs, bare.sizes["item"]))


def _digest(texts: Sequence[str]) -> str:
    joined = "\x1f".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:16]


def annotator_of(ratings: xr.Dataset) -> Integers | None:
    """Return the annotator index of each slot (-1: empty); None in the dense form."""
    return array_of(ratings, "annotator_of") if "annotator_of" in ratings.variables else None


def rating_dim(ratings: xr.Dataset) -> Literal["annotator", "slot"]:
    """Return the second dimension of ratings, after item: "annotator" or "slot"."""
    return "slot" if "annotator_of" in ratings.variables else "annotator"


def in_order(annotators: Integers) -> bool:
    """Tell whether within each row annotators ascend or repeat, with empty slots (-1) last."""
    current, following = annotators[:, :-1], annotators[:, 1:]
    return bool((((current >= 0) & (current <= following)) | (following < 0)).all())


def repeats_of(annotators: Integers) -> NDArray[np.bool_]:
    """Tell which slots have the annotator of an earlier slot of the item; slots must be sorted.

    Examples
    --------
    >>> repeats_of(np.array([[0, 0, 2, -1, -1]]))
    array([[False,  True, False, False, False]])
    """
    again = np.zeros(annotators.shape, dtype=bool)
    again[:, 1:] = (annotators[:, 1:] == annotators[:, :-1]) & (annotators[:, 1:] >= 0)
    return again


def further_votes(ratings: xr.Dataset) -> NDArray[np.bool_] | None:
    """Tell which slots have a repeated vote of an annotator on an item; None if there are none."""
    annotators = annotator_of(ratings)
    if annotators is None or not ratings.attrs.get(REPEATED):
        return None
    again = repeats_of(annotators)
    return again if again.any() else None


def without_further_votes(ratings: xr.Dataset, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells (item, slot) without repeated votes: one per annotator and item is left."""
    again = further_votes(ratings)
    return cells if again is None else cells & ~again


def panel_sizes(known: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of ratings of each item, from cells (item, annotator) with ratings.

    Examples
    --------
    >>> panel_sizes(np.array([[True, False, True], [False, False, False]]))
    array([2, 0])
    """
    if known.shape[1] > thresholds.FEW_SLOTS:
        return np.asarray(np.count_nonzero(known, axis=1))
    return _sizes_of_few(known).astype(np.int64)


def items_by_panel(known: NDArray[np.bool_], weight: Floats | None) -> NDArray[np.number]:
    """Return the number (weight) of items with 0, 1, 2, ... ratings: three numbers or more.

    Examples
    --------
    >>> items_by_panel(np.array([[True, False, True], [False, False, False]]), None)
    array([1, 0, 1, 0])
    """
    columns, most = known.shape[1], max(known.shape[1], 2)
    if weight is None and columns <= thresholds.FEW_SLOTS:  # comparisons are faster than look-ups
        sizes = _sizes_of_few(known)
        return np.array([np.count_nonzero(sizes == size) for size in range(most + 1)])
    return np.bincount(panel_sizes(known), weights=weight, minlength=most + 1)


def _sizes_of_few(known: NDArray[np.bool_]) -> NDArray[np.int8]:
    sizes = np.zeros(len(known), dtype=np.int8)
    for column in known.view(np.int8).T:
        sizes += column
    return sizes


def rated(ratings: xr.Dataset) -> NDArray[np.bool_]:
    """Tell which cells (item, annotator) contain a rating.

    Parameters
    ----------
    ratings
        A ratings Dataset.

    Returns
    -------
    numpy.ndarray
        Boolean array, True if the annotator rated the item; (item, slot) for ratings by slot.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> from iaa_jax.data import rated
    >>> rated(from_wide([["a", None], ["a", "b"]])).tolist()
    [[True, False], [True, True]]
    """
    task = task_of(ratings)
    if task in ("single", "primary_secondary"):
        return np.asarray(array_of(ratings, "primary") >= 0)
    if task == "spans":
        seen = ratings.variables.get("seen")  # for spans that have not been converted to ratings
        return np.asarray(array_of(ratings, "marked") >= 0 if seen is None else seen.values)
    if task == "value":
        return ~np.isnan(array_of(ratings, "value"))
    # one label suffices, so that a large table of label sets is not made in full
    return np.asarray(~np.isnan(ratings.variables["mass"].data[:, :, 0]))


def task_of(ratings: xr.Dataset) -> str:
    """Return the task of ratings; refuse objects that are not ratings."""
    if not isinstance(ratings, xr.Dataset):
        raise IaaError(
            f"ratings must be an xarray Dataset, not {type(ratings).__name__}; "
            "make one with from_long, from_wide or another constructor"
        )
    task = ratings.attrs.get("task")
    if task not in TASKS:
        known = ", ".join(repr(name) for name in TASKS)
        raise IaaError(
            f'ratings.attrs["task"] is {task!r}, not one of {known}; '
            "make ratings with from_long, from_wide or another constructor"
        )
    return str(task)


@overload
def array_of(ratings: xr.Dataset, name: Codes) -> Integers: ...
@overload
def array_of(ratings: xr.Dataset, name: Numbers) -> Floats: ...
@overload
def array_of(ratings: xr.Dataset, name: str) -> Values: ...
def array_of(ratings: xr.Dataset, name: str) -> Values:
    """Return a variable of ratings as a NumPy array."""
    # unlike `ratings[name]`, `.variables` does not spend time on coordinates
    return np.asarray(ratings.variables[name].values)


def weight_of(ratings: xr.Dataset) -> NDArray[np.float64] | None:
    """Return the number of items that each row stands for; None if each row is one item."""
    if "item_weight" not in ratings.variables:
        return None
    return np.asarray(array_of(ratings, "item_weight"), dtype=np.float64)


def weights_of_items(ratings: xr.Dataset) -> NDArray[np.float64]:
    """Return the number of items that each row stands for, 1 by default."""
    weight = weight_of(ratings)
    return np.ones(ratings.sizes["item"]) if weight is None else weight


def python_value(value: object) -> object:
    """Return a NumPy scalar as a Python value, and other values unchanged."""
    return value.item() if isinstance(value, np.generic) else value
