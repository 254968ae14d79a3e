"""What ratings say, whatever the order of their items, annotators and labels."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.data.spans import check_spans

Said = list[tuple[object, ...]]


def said(ratings: xr.Dataset) -> Said:
    """Item, annotator, rating and weight of each rating, sorted; who is unknown has no name."""
    if "marked" not in ratings and "span" in ratings.dims:
        return _spans(ratings)
    items = [str(item) for item in ratings["item"].values]
    names = [str(name) for name in ratings["annotator"].values]
    weights = ratings["item_weight"].values if "item_weight" in ratings else np.ones(len(items))
    rated = iaa.data.rated(ratings)
    holders = ratings["annotator_of"].values if "annotator_of" in ratings else None
    found: Said = []
    for i, k in np.argwhere(rated).tolist():
        who = names[k if holders is None else holders[i, k]]
        rating = _rating(ratings, i, k)
        found.append((items[i], "" if ratings.attrs["anonymous"] else who, rating, weights[i]))
    return sorted(found, key=repr)


def _rating(ratings: xr.Dataset, item: int, slot: int) -> object:
    labels = ratings["label"].values
    if "value" in ratings:
        return float(ratings["value"].values[item, slot])
    if "mass" in ratings:
        shares = zip(labels, ratings["mass"].values[item, slot], strict=True)
        return tuple(sorted((str(label), float(share)) for label, share in shares if share > 0))
    codes = [
        ratings[name].values[item, slot] for name in ("primary", "secondary") if name in ratings
    ]
    return tuple(None if code < 0 else str(labels[code]) for code in codes)


def _spans(spans: xr.Dataset) -> Said:
    """Document, annotator, label and ends of each span, and who saw which document."""
    check_spans(spans)
    places = {
        name: [str(value) for value in spans[name].values]
        for name in ("document", "annotator", "label")
    }
    rows = zip(*(spans[f"{name}_of"].values for name in places), strict=True)
    ends = zip(spans["start"].values.tolist(), spans["end"].values.tolist(), strict=True)
    found: Said = [
        (*(places[name][code] for name, code in zip(places, row, strict=True)), *both)
        for row, both in zip(rows, ends, strict=True)
    ]
    return sorted(found, key=repr)


def figures(ratings: xr.Dataset) -> tuple[float, int, int]:
    """Agreement, and how many items and ratings there are."""
    rated = iaa.data.rated(ratings)
    name = "am_agreement" if ratings.attrs["task"] == "multi_label" else "krippendorff_alpha"
    try:
        estimate = iaa.agreement(ratings, name, interval=None)["estimate"].values.item()
    except iaa.IaaError:  # votes of one annotator, or nobody to agree with
        estimate = np.nan
    return estimate, ratings.sizes["item"], int(rated.sum())
