"""Read the gold labels of items: one label or one set each, known or with probabilities."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._cells import NO_LABEL, SEPARATORS, parts_of_cell
from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import is_dataset
from iaa_jax.measure.shared.controls import control_codes, is_missing, refuse_unknown, true_labels
from iaa_jax.measure.shared.labels import label_shares


class GoldLabels(NamedTuple):
    """The gold labels of items.

    ``codes`` (item,) are those of labels, or of label sets; -1 if an item has none. If some are
    not certain, ``probability`` (item, label) holds the probability of each, 0 for items without
    a gold label. ``members`` (set, label) is 1 for the labels of a set, and None without sets.
    ``of_ratings`` tells whether they were made from ratings by some of the same annotators.
    """

    codes: Integers
    probability: Floats | None = None
    members: Floats | None = None
    of_ratings: bool = False

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether each item has a gold label."""
        return np.asarray(self.codes >= 0)

    @property
    def groups(self) -> Integers:
        """A number for each item, which is the same where gold labels are the same."""
        if self.probability is None:
            return self.codes + 1
        return np.unique(self.probability, axis=0, return_inverse=True)[1].ravel()


def gold_labels(ratings: Rated, gold: Mapping[Any, Any] | str | xr.Dataset) -> GoldLabels:
    """Read the gold labels of the ratings' items; unknown labels and items raise an error.

    ``gold`` is labels by item, the name of a coordinate along items, or a result of `iaa_jax.gold`.
    """
    if is_dataset(gold):
        return _results(ratings, gold)
    if ratings.kind is Kind.SETS:
        return _sets(ratings, gold)
    codes = control_codes(ratings, gold, "gold")
    assert codes is not None
    return GoldLabels(codes)


def _results(ratings: Rated, gold: xr.Dataset) -> GoldLabels:
    if (
        ratings.kind is Kind.SETS
        or gold.attrs.get("made_by") != "gold"
        or "probability" not in gold
    ):
        raise IaaError(
            "gold must be labels by item, the name of a coordinate along items, or a result of "
            "iaa_jax.gold with one label per item"
        )
    if set(gold["label"].values.tolist()) != set(ratings.label_names.tolist()):
        raise IaaError(
            "the gold labels were made from ratings with other labels: declare them with labels"
        )
    voted = gold["probability"].where(gold["gold_code"] >= 0, 0.0)
    aligned = voted.reindex(item=ratings.item_names, label=ratings.label_names)
    probability = np.nan_to_num(aligned.values.astype(np.float64))
    codes = np.where(probability.any(axis=1), probability.argmax(axis=1), -1)
    same = bool(set(gold["annotator"].values.tolist()) & set(ratings.annotator_names.tolist()))
    certain = np.isin(probability, (0.0, 1.0)).all()
    return GoldLabels(codes, None if certain else probability, of_ratings=same)


def _sets(ratings: Rated, gold: Mapping[Any, Any] | str) -> GoldLabels:
    names = {str(label): code for code, label in enumerate(ratings.label_names.tolist())}
    values = true_labels(ratings, gold, "gold")
    given = {
        item: _labels_in(value, names) for item, value in enumerate(values) if not is_missing(value)
    }
    every = (label for labels in given.values() for label in labels)
    refuse_unknown(ratings, (label for label in every if label not in names), "gold")
    members = label_shares(ratings, sets_as_labels=False)
    code_of = {tuple(row): code for code, row in enumerate(members.tolist())}
    codes = np.full(ratings.items, -1)
    for item, labels in given.items():
        row = np.zeros(len(names))
        row[[names[label] for label in labels]] = 1.0
        codes[item] = code_of.setdefault(tuple(row.tolist()), len(code_of))
    return GoldLabels(codes, members=np.array([*code_of]))


def _labels_in(value: object, names: Mapping[str, int]) -> list[str]:
    """Return the labels of a set: a collection of them, or a text with a separator between them."""
    if not isinstance(value, str):
        return [str(label) for label in value] if isinstance(value, Iterable) else [str(value)]
    if value in names:
        return [value]
    if value == NO_LABEL:
        return []
    if value.startswith("["):
        with suppress(ValueError, RecursionError):
            return [str(label) for label in json.loads(value)]
    divided = (parts_of_cell(value, sign) for sign in SEPARATORS)
    known = (parts for parts in divided if all(part in names for part in parts))
    return next(known, [value])
