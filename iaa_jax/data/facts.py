"""Return facts about ratings, such as counts and names, which results keep as attributes."""

from __future__ import annotations

import json

import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.provenance import READING
from iaa_jax.data.schema import summary
from iaa_jax.data.storage import array_of

NAMES_KEPT = 1000
"""Maximum number of labels, and of annotators, whose names are listed."""

FACTS = (
    *READING,
    "items",
    "pairable_items",
    "single_rated_items",
    "unrated_items",
    "annotators",
    "annotator_names",
    "labels",
    "label_values",
    "labels_declared",
    "ratings",
    "spans",
    "missing_share",
    "smallest_panel",
    "largest_panel",
    "task",
    "anonymous",
    "slots",
)
"""Names of the attributes of a result that describe its ratings."""


def facts_of(ratings: xr.Dataset) -> dict[str, object]:
    """Return facts about ratings as texts and numbers, which files of results can hold.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> facts = facts_of(iaa.from_wide([["a", "b"], ["a", None]]))
    >>> facts["items"], facts["pairable_items"], facts["label_values"]
    (2, 1, '["a", "b"]')
    """
    ratings = span_ratings(ratings)
    counts = vars(summary(ratings))
    labels = array_of(ratings, "label").tolist() if counts["labels"] else []
    names = [] if counts["anonymous"] else array_of(ratings, "annotator").tolist()
    known = {
        **counts,
        "anonymous": int(counts["anonymous"]),
        "labels_declared": int(counts["labels_declared"]),
        "label_values": _listed(labels),
        "annotator_names": _listed([str(name) for name in names]),
        "slots": int(ratings.sizes.get("slot", 0)),
        **({"spans": _spans(ratings)} if counts["task"] == "spans" else {}),
        **{name: ratings.attrs[name] for name in READING if name in ratings.attrs},
    }
    return {name: known[name] for name in FACTS if name in known}


def _spans(ratings: xr.Dataset) -> int:
    from iaa_jax.data.marked.parts import units_of_cells

    return int(units_of_cells(ratings).sum())


def noun_of(attrs: Attributes, axis: str) -> str:
    """Return the noun for an item or annotator; items of spans are called documents.

    Examples
    --------
    >>> noun_of({"task": "spans"}, "item"), noun_of({"task": "single"}, "item")
    ('document', 'item')
    """
    return "document" if axis == "item" and attrs.get("task") == "spans" else axis


def code_for(attrs: Attributes, code: str) -> str:
    """Return the name of a sentence's template: ``code``, or its variant for spans."""
    return f"{code}_of_spans" if attrs.get("task") == "spans" else code


def _listed(names: list[object]) -> str:
    return json.dumps(names[:NAMES_KEPT], ensure_ascii=False)
