"""Convert ratings back to a long table, with one row per rating."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Values
from iaa_jax.data.coordinates import values_by_rating
from iaa_jax.data.patterns import rating_codes
from iaa_jax.data.storage import annotator_of, array_of, rated, task_of


def long_rows(ratings: xr.Dataset) -> pd.DataFrame:
    """Return ratings as a table with the columns item, annotator (unless anonymous) and label.

    Label sets are lists in JSON. Secondary labels, and coordinates along items, annotators and
    ratings, are further columns. Shares and items with weights are refused.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> long_rows(from_wide([["a", "b"], [None, "a"]])).values.tolist()
    [[0, 'annotator 1', 'a'], [0, 'annotator 2', 'b'], [1, 'annotator 2', 'a']]
    """
    task = task_of(ratings)
    if task == "soft" or "item_weight" in ratings.variables:
        content = "shares of labels" if task == "soft" else "patterns with counts of items"
        raise IaaError(f"{content} cannot be written as a table with one row per rating")
    where = np.nonzero(rated(ratings))
    items, columns = where
    slots = annotator_of(ratings)
    annotators = columns if slots is None else slots[where]
    table: dict[str, Values] = {"item": ratings["item"].values[items]}
    if not ratings.attrs["anonymous"]:
        table["annotator"] = ratings["annotator"].values[annotators]
    if task == "value":
        table["label"] = array_of(ratings, "value")[where]
    elif task == "multi_label":
        known = [str(label) for label in ratings["label"].values.tolist()]
        set_of = rating_codes(ratings).codes[where]
        _, first = np.unique(set_of, return_index=True)
        members = ratings.variables["mass"].data[where[0][first], where[1][first]] > 0
        texts = [[known[k] for k in np.flatnonzero(row)] for row in members]
        written = [json.dumps(text, ensure_ascii=False) for text in texts]
        table["label"] = np.array([*written, None], dtype=object)[set_of]
    else:
        labels = np.array([*ratings["label"].values.tolist(), None], dtype=object)
        for name in {"single": ("primary",)}.get(task, ("primary", "secondary")):
            codes = array_of(ratings, name)[where]
            table["label" if name == "primary" else name] = labels[codes]
    dims = {("item",), ("annotator",), ("item", "annotator"), ("item", "slot")}
    reserved = ("item", "annotator", "slot", "annotator_of")
    for further, coordinate in ratings.coords.items():
        if further not in reserved and coordinate.dims in dims:
            table[str(further)] = values_by_rating(ratings, str(further))[0]
    return pd.DataFrame({k: pd.Series(v, dtype=v.dtype) for k, v in table.items()})
