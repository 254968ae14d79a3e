"""Select ratings by annotator or by label, and drop annotators without ratings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._checks import check_names, names_like
from iaa_jax._errors import IaaError, shown, suggestion
from iaa_jax._types import Values
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.assemble import GIVEN_BY, further_ratings
from iaa_jax.data.coded_sets import coded_sets, times_given
from iaa_jax.data.facts import code_for
from iaa_jax.data.orders import check_coding
from iaa_jax.data.provenance import CONSENSUS, ways_to_read, with_skipped, without_notes
from iaa_jax.data.schema import int_if_whole, summary, validate
from iaa_jax.data.slots import sort_slots, to_usual_form
from iaa_jax.data.storage import (
    TASKS,
    annotator_of,
    array_of,
    label_memory,
    rated,
    rating_dim,
    task_of,
    with_coding,
)
from iaa_jax.wording import Note, with_ways

FIRST = 1024  # number of items that are examined first


def keep_annotators(ratings: xr.Dataset, names: Sequence[object]) -> xr.Dataset:
    """Return only the ratings of the named annotators, as if nobody else had rated.

    Undeclared labels that only other annotators used are also dropped. ``attrs["skipped"]`` counts
    the ratings and annotators that were left out.

    Parameters
    ----------
    ratings
        A ratings Dataset, or spans.
    names
        Names of annotators, compared as text, in any order; a ``*`` stands for any text. "ann"
        also keeps the repeated ratings that ``duplicates="apart"`` reads as those of "ann (2)".

    Returns
    -------
    xarray.Dataset
        A new ratings Dataset, or the given one if nothing is left out.

    Raises
    ------
    IaaError
        If the annotators are anonymous, a name is unknown, or no item has two ratings any more.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> ratings = from_wide([["a", "b", "c"], ["a", "a", "a"]])
    >>> two = keep_annotators(ratings, ["annotator 1", "annotator 2"])
    >>> two["label"].values.tolist(), two.attrs["skipped"]
    (['a', 'b'], '2 ratings by 1 annotator')
    """
    ratings = span_ratings(ratings)
    task_of(ratings)
    ratings = without_notes(ratings, CONSENSUS)  # the choice of names settles whether it counts
    if GIVEN_BY not in ratings.coords:
        return only_annotators(ratings, names)
    known = array_of(ratings, "annotator")
    further = further_ratings(known.tolist(), array_of(ratings, GIVEN_BY).tolist())
    named = known[find_names(known, names, "annotator", ratings)].tolist()
    return only_annotators(
        ratings, [*named, *(again for name in named for again in further.get(str(name), ()))]
    )


def only_annotators(ratings: xr.Dataset, names: Sequence[object]) -> xr.Dataset:
    """Return only the ratings under these names, as `keep_annotators` does.

    Repeated ratings that were read apart are kept only if their own name ("ann (2)") is given.
    """
    ratings = span_ratings(ratings)
    task_of(ratings)
    if ratings.attrs.get("anonymous", 0):
        raise IaaError("these ratings are counts without annotators: annotators cannot be chosen")
    check_coding(ratings)
    keep = find_names(array_of(ratings, "annotator"), names, "annotator", ratings)
    if keep.all():
        return ratings
    part = _drop_unused_labels(select_annotators(ratings, keep))
    validate(part)
    others = {"annotators": int(np.count_nonzero(~keep)), **_lost(part, ratings)}
    return with_skipped(part, Note(code_for(ratings.attrs, "skipped_annotators"), others))


def ratings_to_measure(data: xr.Dataset) -> xr.Dataset:
    """Convert spans to ratings, and drop annotators without ratings, before agreement is measured.

    Objects that are not ratings are returned unchanged, so that the calling function refuses them.
    """
    data = span_ratings(data)
    attrs, variables = getattr(data, "attrs", None), getattr(data, "variables", {})
    if not isinstance(attrs, dict) or "task" not in attrs or "made_by" in attrs:
        return data
    stored = TASKS.get(str(attrs["task"]), ())[:1]
    known = [name for name in stored if name in variables and "annotator" in variables]
    if not known or variables[known[0]].dims[:2] != ("item", rating_dim(data)):
        return data
    return drop_empty_annotators(data)


def drop_empty_annotators(ratings: xr.Dataset) -> xr.Dataset:
    """Drop annotators without ratings; ``attrs["skipped"]`` names them.

    With an empty column, every item would be incomplete. Annotators without ratings are kept if
    ratings are anonymous, and in a crowd (100 annotators or more), where they make no difference.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> rated = drop_empty_annotators(from_wide([["a", "b", None], ["a", "a", None]]))
    >>> rated["annotator"].values.tolist(), rated.attrs["skipped"]
    (['annotator 1', 'annotator 2'], "'annotator 3', who answered nothing")
    """
    if (
        ratings.attrs.get("anonymous", 0)
        or ratings.sizes["annotator"] >= thresholds.MANY_ANNOTATORS
    ):
        return ratings
    active = _who_rated(ratings)
    if active.all() or not active.any():
        return ratings
    names = [str(name) for name in array_of(ratings, "annotator")[~active].tolist()]
    note = Note("skipped_idle_annotators", {"names": names, "count": len(names)})
    return with_skipped(select_annotators(ratings, active), note)


def _who_rated(ratings: xr.Dataset) -> NDArray[np.bool_]:
    slots, count = annotator_of(ratings), ratings.sizes["annotator"]
    if slots is not None and int(slots.max(initial=-1)) >= count:
        return np.ones(count, dtype=bool)  # the function that measures will refuse invalid slots
    many = ratings.sizes["item"] > FIRST
    for items in (slice(FIRST), slice(None))[not many :]:
        if slots is None:
            part = ratings if items.stop is None else ratings.isel(item=items)
            seen = rated(part).any(axis=0)
        else:
            seen = np.zeros(count + 1, dtype=bool)  # the last entry is for empty slots
            seen[slots[items].ravel()] = True
            seen = seen[:-1]
        if seen.all():
            break
    return np.asarray(seen)


def keep_labels(ratings: xr.Dataset, labels: Sequence[object]) -> xr.Dataset:
    """Return only the ratings with the named labels; ratings with other labels become missing.

    Other labels are removed from label sets. Ratings with a share on another label become missing.
    If only the secondary label of a rating is another label, only the secondary label is dropped.
    Spans with other labels are dropped; their documents still count as seen. ``attrs["skipped"]``
    counts what was left out.

    Parameters
    ----------
    ratings
        A ratings Dataset with labels, or spans.
    labels
        Labels to keep, compared as text: "1" names the label 1. Labels stay in their order.

    Returns
    -------
    xarray.Dataset
        A new ratings Dataset, or the given one if nothing is left out.

    Raises
    ------
    IaaError
        If the ratings are numbers, a label is unknown, or no item has two ratings any more.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> ratings = from_wide([["a", "b"], ["c", "b"], ["a", "a"]])
    >>> kept = keep_labels(ratings, ["a", "b"])
    >>> kept["primary"].values.tolist(), kept.attrs["skipped"]
    ([[0, 1], [-1, 1], [0, 0]], '1 rating of 1 label')
    """
    ratings = span_ratings(ratings)
    task = task_of(ratings)
    if task == "value":
        raise IaaError("these ratings are numbers without labels: labels cannot be chosen")
    check_coding(ratings)
    keep = find_names(array_of(ratings, "label"), labels, "label")
    if keep.all():
        return ratings
    part = _select_labels(ratings, keep)
    if task == "soft":
        untouched = array_of(ratings, "mass")[:, :, ~keep].sum(axis=2) == 0
        part = part.assign(mass=part["mass"].where(untouched[:, :, None]))
    if annotator_of(part) is not None:
        part = to_usual_form(sort_slots(part))
    validate(part)
    others: dict[str, object] = {"labels": int(np.count_nonzero(~keep))}
    if task == "multi_label":
        return with_skipped(part, Note("skipped_members", others))
    lost = others | _lost(part, ratings)
    return with_skipped(part, Note(code_for(ratings.attrs, "skipped_labels"), lost))


def find_names(
    known: Values, names: Sequence[object], noun: str, ratings: xr.Dataset | None = None
) -> NDArray[np.bool_]:
    """Tell which of the known names are among the wanted names; refuse unknown names.

    A ``*`` in a wanted name stands for any text. With ``ratings``, the message says how to read
    annotators whom the ratings lack.
    """
    check_names(f"{noun}s", names)
    texts = [str(name) for name in known.tolist()]
    given = [str(name) for name in ([names] if isinstance(names, str) else names)]
    wanted = {each for name, like in names_like(given, texts).items() for each in like or [name]}
    unknown = sorted(wanted.difference(texts))
    if unknown or not wanted:
        problem = f"there is no {noun} {shown(unknown)}" if unknown else f"no {noun} is named"
        hint = suggestion(unknown[0], texts) if unknown else ""
        ways = [] if ratings is None else ways_to_read(ratings, unknown)
        raise IaaError(with_ways(f"{problem}; the {noun}s are {shown(texts, 12)}{hint}", ways))
    return np.array([text in wanted for text in texts])


def select_annotators(ratings: xr.Dataset, keep: NDArray[np.bool_]) -> xr.Dataset:
    """Return the ratings of some annotators."""
    part = ratings.isel(annotator=np.flatnonzero(keep))
    slots = annotator_of(ratings)
    if slots is None:
        return part
    # the last entry is for the empty slots
    slots = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1).astype(np.int32)[slots]
    part["annotator_of"] = (("item", "slot"), slots)
    return select_cells(part, slots >= 0)


def select_cells(ratings: xr.Dataset, keep: NDArray[np.bool_]) -> xr.Dataset:
    """Return the ratings in some cells (item, annotator) or (item, slot); empty the other cells."""
    dims = ("item", rating_dim(ratings))
    mask = xr.DataArray(keep, dims=dims)
    part, coded = ratings.copy(), coded_sets(ratings)
    for name in TASKS[task_of(ratings)]:
        cells = part[name]
        if coded is not None:
            part[name] = (cells.dims, coded.kept(keep))
            continue
        empty = np.nan if cells.dtype.kind == "f" else cells.dtype.type(-1)
        part[name] = cells.where(mask, empty)
    return part if dims[1] == "annotator" else to_usual_form(sort_slots(part))


def _select_labels(ratings: xr.Dataset, keep: NDArray[np.bool_]) -> xr.Dataset:
    part = ratings.isel(label=np.flatnonzero(keep))
    # the last entry is for code -1, not rated
    lookup = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1)
    if task_of(ratings) == "spans":
        from iaa_jax.data.marked.parts import renewed

        part = renewed(part, lookup)
    for name in TASKS[task_of(ratings)]:
        if name in ("mass", "marked"):
            continue
        codes = array_of(ratings, name)
        codes = lookup.astype(codes.dtype)[codes]
        if name == "secondary":
            codes[array_of(part, "primary") < 0] = -1
        part[name] = (part[name].dims, codes)
    if "label_order" in part.attrs:
        part.attrs["label_order"] = label_memory(part["label"].values)
    return with_coding(part)


def given_labels(ratings: xr.Dataset) -> list[str]:
    """Return the labels that ratings use, as text."""
    ratings = span_ratings(ratings)
    if task_of(ratings) == "value":
        return []
    return [str(label) for label in array_of(ratings, "label")[_used_labels(ratings)].tolist()]


def _drop_unused_labels(ratings: xr.Dataset) -> xr.Dataset:
    if task_of(ratings) == "value" or ratings.attrs.get("labels_declared", 0):
        return ratings
    return _select_labels(ratings, _used_labels(ratings))


def _used_labels(ratings: xr.Dataset) -> NDArray[np.bool_]:
    if task_of(ratings) == "spans":
        from iaa_jax.data.marked.parts import used_labels

        return used_labels(ratings)
    used = np.zeros(ratings.sizes["label"], dtype=bool)
    for name in TASKS[task_of(ratings)]:
        if name == "mass":
            used |= times_given(ratings) > 0
        else:
            cells = array_of(ratings, name).ravel()
            used |= np.bincount(cells + 1, minlength=len(used) + 1)[1:] > 0
    return used


def _lost(part: xr.Dataset, ratings: xr.Dataset) -> dict[str, object]:
    left, before = summary(part), summary(ratings)
    items = left.unrated_items - before.unrated_items
    emptied = code_for(ratings.attrs, "skipped_all_of_items")
    lost = before.ratings - left.ratings
    if task_of(ratings) == "spans":
        from iaa_jax.data.marked.parts import unit_count

        lost = int_if_whole(unit_count(ratings) - unit_count(part))
    return {"ratings": lost, "emptied": Note(emptied, {"items": items}) if items else ""}
