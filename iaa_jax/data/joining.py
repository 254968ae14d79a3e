"""Join two sets of ratings: unite their labels and annotators, and concatenate their items."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Values
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.checks import check
from iaa_jax.data.label_names import names_as_declared, names_by_value
from iaa_jax.data.labels import label_array, label_text
from iaa_jax.data.rating_cells import wants_slots
from iaa_jax.data.slots import sort_slots, to_grid, to_slots
from iaa_jax.data.storage import (
    OF_MARKINGS,
    OF_SLOTS,
    STORAGES,
    annotator_of,
    array_of,
    further_votes,
    label_memory,
    rated,
    rating_dim,
    weight_of,
    with_coding,
)
from iaa_jax.wording import keyword


@dataclass(frozen=True)
class JoinedLabels:
    """The united labels of two sets of ratings, and whether they are declared and ordered."""

    values: Values
    declared: bool
    ordered: bool


def join_labels(first: xr.Dataset, second: xr.Dataset) -> JoinedLabels:
    """Return the united labels of two sets of ratings, in a declared order if one set has it.

    If numbers and texts are mixed, all labels become texts. Different spellings of a number are one
    label, unless a set has several spellings as labels. If one set declares an order of all labels
    of both sets, this order is used. Otherwise, equal lists of labels are kept, and two lists of
    ascending numbers become one. In all other cases the order is undeclared: labels are sorted
    (numbers ascending, text alphabetically). These rules make joining associative.

    Declared labels whose orders contradict each other are refused.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> few = from_wide([["low", "mid"], ["mid", "mid"]], labels=["low", "mid"])
    >>> more = from_wide([["low", "low"], ["top", "mid"]], labels=["low", "mid", "top"])
    >>> join_labels(few, more).values.tolist()
    ['low', 'mid', 'top']
    """
    first, second = span_ratings(first), span_ratings(second)
    lists = [array_of(ratings, "label").tolist() for ratings in (first, second)]
    if not all(_are_numbers(labels) for labels in lists):
        lists = _as_texts(lists)
    declared, ordered = (
        [bool(ratings.attrs.get(name, 0)) for ratings in (first, second)]
        for name in ("labels_declared", "labels_ordered")
    )
    stated = [both == (True, True) for both in zip(declared, ordered, strict=True)]
    if all(stated):
        _refuse_another_order(*lists)
    all_labels = {*lists[0], *lists[1]}
    for labels, known in zip(lists, stated, strict=True):
        if known and all_labels == {*labels}:
            return JoinedLabels(label_array(labels), True, True)
    if lists[0] == lists[1]:
        return JoinedLabels(label_array(lists[0]), any(declared), all(ordered))
    ascend = _are_numbers(all_labels) and all(labels == sorted(labels) for labels in lists)
    return JoinedLabels(label_array(sorted(all_labels)), any(declared), ascend and all(ordered))


def _as_texts(lists: Sequence[Sequence[object]]) -> list[list[object]]:
    """Return the labels of several sets as texts, with one spelling for each number.

    If a set has several spellings of a number as labels, all spellings are kept.
    """
    texts: list[list[object]] = [[label_text(label) for label in labels] for labels in lists]
    names = names_by_value(str(text) for known in texts for text in known)
    merged: list[list[object]] = [[names.get(str(text), text) for text in known] for known in texts]
    still_differ = all(len({*known}) == len(known) for known in merged)
    return merged if still_differ else texts


def _are_numbers(labels: Collection[object]) -> bool:
    return all(isinstance(label, (int, float)) for label in labels)


def _refuse_another_order(first: Sequence[object], second: Sequence[object]) -> None:
    common = [label for label in first if label in second]
    in_second = [label for label in second if label in first]
    if common != in_second:
        raise IaaError(
            "the declared labels are in different orders in the two sets of ratings: "
            f"{shown(common, 12)} in the first, {shown(in_second, 12)} in the second; give both "
            f"the same {keyword('labels')}, from lowest to highest"
        )


def concatenate(first: xr.Dataset, second: xr.Dataset, *, pairable: bool = True) -> xr.Dataset:
    """Concatenate the items of two sets of ratings of the same task.

    Annotators are matched by name, labels by `join_labels`, and items are renumbered. Whether the
    result is stored by annotator or by slot (the position of a rating within its item) depends on
    its size only. If ``pairable``, each set needs an item with two ratings. Equal markings (the
    spans of an annotator in a document) are merged.
    """
    first, second = span_ratings(first), span_ratings(second)
    parts = [_bare(first, pairable), _bare(second, pairable)]
    attrs = dict(parts[0].attrs)
    if attrs["task"] != "value":
        labels = join_labels(first, second)
        parts = [_with_labels(part, labels.values) for part in parts]
        attrs |= {"labels_declared": int(labels.declared), "labels_ordered": int(labels.ordered)}
    markings = None
    if attrs["task"] == "spans":
        from iaa_jax.data.marked.parts import markings_together

        parts, markings = markings_together(parts)
    names = [*first["annotator"].values]
    known = set(names)
    names += [name for name in second["annotator"].values if name not in known]
    parts = _with_same_annotators(parts, names)
    both = xr.concat(parts, dim="item", coords="minimal", compat="override", join="override")
    both.attrs = attrs
    if "label_order" in attrs:
        both.attrs["label_order"] = label_memory(both["label"].values)
    if annotator_of(both) is not None:
        both = sort_slots(both)
    else:
        for attribute in OF_SLOTS:
            both.attrs.pop(attribute, None)
    if markings is not None:
        from iaa_jax.data.marked.parts import renewed

        both = renewed(both.merge(markings))
    return with_coding(both.assign_coords(item=np.arange(both.sizes["item"])))


def _bare(ratings: xr.Dataset, pairable: bool) -> xr.Dataset:
    check(ratings, pairable=pairable)
    variables = [name for name in (*STORAGES, *OF_MARKINGS, "annotator_of") if name in ratings]
    bare = ratings[variables].reset_coords(drop=True)
    axes = [name for name in ("item", "annotator", "label") if name in ratings.coords]
    bare = bare.assign_coords({name: (name, ratings[name].values) for name in axes})
    weight = weight_of(ratings)
    ones = np.ones(ratings.sizes["item"])
    return bare.assign(item_weight=("item", ones if weight is None else weight))


def _with_labels(ratings: xr.Dataset, labels: Values) -> xr.Dataset:
    text = labels.dtype.kind == "O"
    code_of = {label: index for index, label in enumerate(labels.tolist())}
    old = ratings["label"].values.tolist()
    if text:
        texts = [label_text(label) for label in old]
        names = names_as_declared(texts, labels.tolist())
        old = [names.get(name, name) for name in texts]
    recoding = np.array([code_of[label] for label in old])
    dims = ("item", rating_dim(ratings), "label")
    if "marked" in ratings:
        recoded: dict[str, object] = {"label_of": ("span", recoding[ratings["label_of"].values])}
    elif "mass" in ratings:
        mass = array_of(ratings, "mass")
        spread = np.zeros((*mass.shape[:2], len(labels)))
        spread[..., recoding] = mass
        spread[np.isnan(mass[..., 0])] = np.nan
        recoded = {"mass": (dims, spread)}
    else:
        # the last entry is for code -1, not rated
        lookup = np.append(recoding, -1).astype(np.int32)
        recoded = {
            name: (dims[:2], lookup[ratings[name].values])
            for name in ("primary", "secondary")
            if name in ratings
        }
    part = ratings.drop_vars(["label", *recoded])
    return part.assign(recoded).assign_coords(label=labels)


def _with_same_annotators(parts: list[xr.Dataset], names: list[object]) -> list[xr.Dataset]:
    """Return both parts with the same annotators, and stored alike: by annotator or by slot."""
    empty: dict[str, float] = dict.fromkeys(("primary", "secondary", "marked", "annotator_of"), -1)
    empty |= dict.fromkeys(("value", "mass"), np.nan)
    empty = {name: value for name, value in empty.items() if name in parts[0] or name in parts[1]}
    are_integers = all(isinstance(name, (int, np.integer)) for name in names)
    coordinate = np.array(names, dtype=np.int64 if are_integers else object)
    largest = max(int(np.count_nonzero(rated(part), axis=1).max(initial=0)) for part in parts)
    anonymous = parts[0].attrs.get("anonymous", 0)
    votes = any(further_votes(part) is not None for part in parts)
    if anonymous or not (votes or wants_slots(len(names), largest)):
        grids = [part if annotator_of(part) is None else to_grid(part) for part in parts]
        empty.pop("annotator_of", None)
        together = (part.reindex(annotator=names, fill_value=empty) for part in grids)
        return [part.assign_coords(annotator=coordinate) for part in together]
    position = {name: index for index, name in enumerate(names)}
    padded = []
    for part in parts:
        slots = to_slots(part) if annotator_of(part) is None else part
        columns = [position[name] for name in slots["annotator"].values]
        # the last entry is for empty slots
        annotators = np.array([*columns, -1], dtype=np.int32)[array_of(slots, "annotator_of")]
        slots = slots.assign(annotator_of=(("item", "slot"), annotators)).drop_vars("annotator")
        further = max(largest - slots.sizes["slot"], 0)
        # one by one: older xarray takes a dict of fill values as one of dimensions, and pads with 0
        filled = {
            name: slots[name].pad(slot=(0, further), constant_values=value)
            for name, value in empty.items()
            if name in slots
        }
        slots = slots.drop_vars([*filled]).assign(filled)
        padded.append(slots.isel(slot=slice(largest)).assign_coords(annotator=coordinate))
    return padded
