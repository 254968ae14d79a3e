"""Results as plain records: what the tables print and what the JSON says are the same objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.data.schema import Summary

NAMES_LIMIT = 1000
"""Most label values and annotator names that a record lists."""


@dataclass(frozen=True)
class DataFacts:
    """What was measured on."""

    items: int | float
    annotators: int
    labels: int
    ratings: int | float
    missing_share: float
    pairable_items: int | float
    single_rated_items: int | float
    unrated_items: int | float
    largest_panel: int
    task: str
    anonymous: bool
    labels_declared: bool
    label_values: tuple[Any, ...]
    annotator_names: tuple[str, ...]
    read_as: str
    skipped: str
    slots: int = 0  # places an item, where ratings are kept by slot
    notices: tuple[str, ...] = ()  # what may be meant otherwise


def data_facts(ratings: xr.Dataset, counts: Summary) -> DataFacts:
    """Put the summary of a ratings Dataset and its names together."""
    labels = ratings["label"].values.tolist() if "label" in ratings.coords else []
    names = [] if counts.anonymous else ratings["annotator"].values.tolist()
    return DataFacts(
        items=counts.items,
        annotators=counts.annotators,
        labels=counts.labels,
        ratings=counts.ratings,
        missing_share=counts.missing_share,
        pairable_items=counts.pairable_items,
        single_rated_items=counts.single_rated_items,
        unrated_items=counts.unrated_items,
        largest_panel=counts.largest_panel,
        task=counts.task,
        anonymous=counts.anonymous,
        labels_declared=counts.labels_declared,
        label_values=tuple(labels[:NAMES_LIMIT]),
        annotator_names=tuple(str(name) for name in names[:NAMES_LIMIT]),
        read_as=str(ratings.attrs.get("read_as", "")),
        skipped=str(ratings.attrs.get("skipped", "")),
        slots=int(ratings.sizes.get("slot", 0)),
        notices=tuple(str(ratings.attrs.get("notices", "")).splitlines()),
    )


def plain(value: Any) -> Any:
    """Bring a value to what JSON has; None for what is not a finite number."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
