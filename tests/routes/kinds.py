"""Ratings of every kind, with the dense arrays for a plain kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.engine import Problem
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver

Floats = NDArray[np.float64]
P = 0.7


@dataclass(frozen=True, eq=False)
class Made:
    """Ratings, with their dense arrays.

    ``mass`` (item, annotator, label) or ``value`` (item, annotator) hold one row an item, without
    any pattern, slot or code; ``weight`` is how many items each row counts as. ``rows`` are the
    ratings one by one, where they are single labels.
    """

    ratings: xr.Dataset
    mass: Floats | None = None
    value: Floats | None = None
    weight: Floats | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    rows: pd.DataFrame | None = None
    scale: float = 1.0

    def resolver(self) -> Resolver:
        return Resolver(Rated.of(self.ratings), LabelOptions(**self.options))

    def names(self) -> list[str]:
        """All coefficients of the catalogue that take these ratings and have one figure."""
        resolver, taken = self.resolver(), []
        for name in CATALOG:
            try:
                request = resolver.request(name)
            except iaa.IaaError:
                continue
            if not request.problem.measure.per_label:
                taken.append(name)
        return taken

    def plain(self, name: str, weight: Floats | None = None) -> Agreement:
        """The coefficient by its kernel, called once on all items as they stand."""
        problem = self._problem(name)
        measure = problem.measure
        if measure.compares:
            data = problem.data
            given: dict[str, Any] = {
                "item_weight": problem.table.count if weight is None else weight
            }
            given["annotator_of"] = problem.annotator_of
            if problem.annotator_of is not None:
                given["annotator_weight"] = problem.weight
        else:
            data = self.value if measure.takes_values else self._mass(problem)
            items = self.weight if weight is None else weight
            given = {"item_weight": np.ones(len(data)) if items is None else items}
            given["label_agreement"] = problem.label_agreement
        given = {key: value for key, value in given.items() if value is not None}
        return measure.kernel(data, **given, **problem.options)

    @cache  # noqa: B019  # kinds are made once
    def _problem(self, name: str) -> Problem:
        return self.resolver().request(name).problem

    def _mass(self, problem: Problem) -> Floats:
        assert self.mass is not None
        if self.ratings.attrs["task"] != "multi_label" or problem.measure.label_sets:
            return self.mass
        # sets as labels of their own, in the order in which agreement between them is laid out
        sets = self.resolver().tables.distinct_masses
        missing = np.isnan(self.mass[..., :1])
        alike = (self.mass[:, :, None, :] == sets).all(axis=-1).astype(float)
        return np.where(missing, np.nan, alike)


def single(codes: Floats, labels: int, **more: Any) -> Made:
    """Codes (item, annotator), NaN where not rated, as labels "l0", "l1", ..."""
    items, annotators = codes.shape
    names = np.array([f"l{k}" for k in range(labels)], dtype=object)
    table = np.full(codes.shape, None, dtype=object)
    rated = ~np.isnan(codes)
    table[rated] = names[codes[rated].astype(int)]
    who = [f"ann{k}" for k in range(annotators)]
    items_named = [f"i{k}" for k in range(items)]
    frame = pd.DataFrame(table, index=pd.Index(items_named, name="item"), columns=who)
    mass = np.full((*codes.shape, labels), np.nan)
    mass[rated] = np.eye(labels)[codes[rated].astype(int)]
    long = frame.reset_index().melt(id_vars="item", var_name="annotator", value_name="label")
    long = long.dropna().reset_index(drop=True)
    return Made(iaa.from_wide(frame, labels=list(names)), mass, rows=long, **more)


def codes_of(rng: np.random.Generator, shape: tuple[int, int], labels: int) -> Floats:
    """Return annotators who agree more often than not, each with a bias of their own."""
    truth = rng.integers(0, labels, shape[0])
    lean = rng.dirichlet(np.ones(labels) * 2, shape[1])
    own = np.stack([rng.choice(labels, shape[0], p=chance) for chance in lean], axis=1)
    codes = np.where(rng.random(shape) < 0.65, truth[:, None], own).astype(float)
    codes[: shape[1]] = np.minimum(np.arange(shape[1]), labels - 1)[None, :]  # all labels occur
    return codes


def gaps(rng: np.random.Generator, codes: Floats, share: float) -> Floats:
    missing = rng.random(codes.shape) < share
    missing[: codes.shape[1]] = False
    missing[-1, 1:] = True
    return np.where(missing, np.nan, codes)


def few_labels(items: int, seed: int) -> Made:
    return single(codes_of(np.random.default_rng(seed), (items, 4), 3), 3)


def with_gaps(items: int, seed: int, annotators: int = 5, labels: int = 3) -> Made:
    rng = np.random.default_rng(seed)
    return single(gaps(rng, codes_of(rng, (items, annotators), labels), 0.3), labels)


def two_annotators(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    return single(gaps(rng, codes_of(rng, (items, 2), 3), 0.1), 3)


def many_labels(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    return single(gaps(rng, codes_of(rng, (items, 3), 300), 0.2), 300)


def unused_label(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    return single(gaps(rng, codes_of(rng, (items, 4), 3), 0.2), 4)


def weighted_labels(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    return single(gaps(rng, codes_of(rng, (items, 4), 4), 0.2), 4, options={"weights": "linear"})


def crowd(items: int, seed: int, annotators: int = 9, labels: int = 3) -> Made:
    """Return a crowd: a few of many annotators rate each item, in panels of different sizes."""
    rng = np.random.default_rng(seed)
    codes = codes_of(rng, (items, annotators), labels)
    return single(np.where(panels(rng, codes.shape), codes, np.nan), labels)


def panels(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Who rates which item: one to four annotators."""
    kept = np.argsort(rng.random(shape), axis=1) < rng.integers(1, 5, shape[0])[:, None]
    kept[:2] = np.arange(shape[1]) < 4
    return kept


def anonymous(items: int, seed: int) -> Made:
    """Return counts of labels, without annotators."""
    rng = np.random.default_rng(seed)
    codes = gaps(rng, codes_of(rng, (items, 4), 3), 0.2)
    made = single(codes, 3)
    counts = np.stack([(codes == label).sum(axis=1) for label in range(3)], axis=1)
    return Made(iaa.from_counts(counts, labels=["l0", "l1", "l2"]), made.mass)


def weights(items: int, seed: int) -> Made:
    """Rows that stand for many items, or for a part of one."""
    rng = np.random.default_rng(seed)
    made = with_gaps(items, seed)
    weight = rng.uniform(0.2, 3, items)
    weight[::5] = 33_554_433.0  # which single precision does not hold
    weighted = made.ratings.assign(item_weight=("item", weight))
    return Made(weighted, made.mass, weight=weight)


def parts(items: int, seed: int) -> Made:
    """Far more patterns than pairs of labels: sums are made of parts; heavy whole weights."""
    rng = np.random.default_rng(seed)
    made = single(gaps(rng, codes_of(rng, (9 * items, 5), 2), 0.3), 2)
    weight = rng.integers(1, 4, 9 * items).astype(float)
    weight[::5] = 33_554_433.0  # which single precision does not hold
    weighted = made.ratings.assign(item_weight=("item", weight))
    return Made(weighted, made.mass, weight=weight)


def value_ratings(value: Floats, **more: Any) -> Made:
    who = [f"ann{k}" for k in range(value.shape[1])]
    frame = pd.DataFrame(value, index=[f"i{k}" for k in range(len(value))], columns=who)
    return Made(iaa.from_values(frame), value=value, **more)


def numbers(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    lean = rng.normal(0, 0.3, shape[1])
    return rng.normal(0, 1, (shape[0], 1)) + lean + rng.normal(0, 0.6, shape)


def real_values(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    return value_ratings(gaps(rng, numbers(rng, (items, 3)), 0.1))


def far_values(items: int, seed: int) -> Made:
    """Far from 0, in ascending order: each part of the items has another middle."""
    rng = np.random.default_rng(seed)
    value = 1e6 + numbers(rng, (items, 3)) * np.sqrt(items)
    value = value[np.argsort(value[:, 0])]
    value += np.arange(items)[:, None]
    return value_ratings(value)


def values_above_zero(items: int, seed: int) -> Made:
    """Over forty decades, and one that is far below: more sums than usual numbers have."""
    rng = np.random.default_rng(seed)
    value = np.exp(12 * numbers(rng, (items, 3)))
    value[3, 1], value[5, 0] = 0.0, 1e-300
    return value_ratings(gaps(rng, value, 0.1), options={"level": "ratio"})


def ranks(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    value = np.rint(np.clip(3 + numbers(rng, (items, 4)) * 1.5, 1, 7))
    return value_ratings(gaps(rng, value, 0.15), options={"level": "ordinal"})


def crowd_of_values(items: int, seed: int, annotators: int = 9) -> Made:
    """Numbers that rise with the panel: parts by size of panel have other middles."""
    rng = np.random.default_rng(seed)
    value = numbers(rng, (items, annotators))
    kept = panels(rng, value.shape)
    return value_ratings(np.where(kept, value + 3.0 * kept.sum(axis=1)[:, None], np.nan))


def numbered_labels(items: int, seed: int) -> Made:
    """Labels that are numbers."""
    rng = np.random.default_rng(seed)
    codes = gaps(rng, codes_of(rng, (items, 4), 5), 0.15)
    frame = pd.DataFrame(codes + 1, index=[f"i{k}" for k in range(items)])
    mass = np.full((*codes.shape, 5), np.nan)
    rated = ~np.isnan(codes)
    mass[rated] = np.eye(5)[codes[rated].astype(int)]
    ratings = iaa.from_wide(frame, labels=[1, 2, 3, 4, 5])
    return Made(ratings, mass, codes + 1, options={"level": "interval"})


def shares(items: int, seed: int) -> Made:
    """Soft labels: shares of each judgement."""
    rng = np.random.default_rng(seed)
    mass = rng.dirichlet([0.4, 0.4, 0.4], (items, 3))
    mass[rng.random((items, 3)) < 0.5] = [0.0, 1.0, 0.0]
    mass[rng.random((items, 3)) < 0.1] = np.nan
    mass[:3] = np.eye(3)
    return Made(iaa.from_mass(mass, labels=["x", "y", "z"]), mass)


def sets(items: int, seed: int, **options: Any) -> Made:
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "d"]
    truth = rng.random((items, 1, 4)) < 0.45
    mass = np.where(rng.random((items, 3, 4)) < 0.8, truth, ~truth).astype(float)
    mass[rng.random((items, 3)) < 0.1] = np.nan
    mass[:2] = np.eye(4)[[0, 1, 2]]
    table = [
        [
            None if np.isnan(cell[0]) else {n for n, x in zip(names, cell, strict=True) if x}
            for cell in row
        ]
        for row in mass
    ]
    return Made(iaa.from_sets(table, labels=names), mass, options=options)


def distant_sets(items: int, seed: int) -> Made:
    return sets(items, seed, distance="masi")


def doubles(items: int, seed: int) -> Made:
    """A primary and, at times, a secondary label."""
    rng = np.random.default_rng(seed)
    codes = gaps(rng, codes_of(rng, (items, 3), 3), 0.15)
    second = np.where(rng.random(codes.shape) < 0.4, (codes + 1) % 3, np.nan)
    names = np.array(["l0", "l1", "l2"], dtype=object)
    item, who = np.nonzero(~np.isnan(codes))
    first_of, second_of = codes[item, who].astype(int), second[item, who]
    frame = pd.DataFrame(
        {
            "item": item,
            "annotator": [f"ann{k}" for k in who],
            "label": names[first_of],
            "second": [None if np.isnan(k) else names[int(k)] for k in second_of],
        }
    )
    mass = np.full((*codes.shape, 3), np.nan)
    mass[item, who] = np.eye(3)[first_of]
    double = ~np.isnan(second_of)
    d = item[double], who[double]
    mass[d] = P * np.eye(3)[first_of[double]] + (1 - P) * np.eye(3)[second_of[double].astype(int)]
    ratings = iaa.from_long(frame, secondary="second", labels=list(names))
    return Made(ratings, mass, options={"p": P})


def spans(items: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    documents: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    for document in range(items // 3):  # of several spans each
        truth = [(10 * k, 10 * k + int(rng.integers(3, 7)), "xy"[k % 2]) for k in range(3)]
        marked = {}
        for who in ("ann0", "ann1", "ann2")[: 3 - document % 2]:
            marked[who] = [
                (start, end + int(rng.random() < 0.2), label)
                for start, end, label in truth
                if rng.random() < 0.8
            ]
        documents[f"d{document}"] = marked
    lengths = {name: 35 for name in documents}
    return Made(span_ratings(iaa.from_spans(documents, lengths=lengths, labels=["x", "y"])))


def segments(items: int, seed: int) -> Made:
    """Documents that all annotators cut into segments without gaps."""
    rng = np.random.default_rng(seed)
    documents: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    for document in range(items // 3):  # of several spans each
        marked = {}
        for who in ("ann0", "ann1", "ann2"):
            ends = [0, *sorted(rng.choice(np.arange(1, 20), 2, replace=False).tolist()), 20]
            marked[who] = [
                (start, end, "xy"[k % 2]) for k, (start, end) in enumerate(pairwise(ends))
            ]
        documents[f"d{document}"] = marked
    lengths = dict.fromkeys(documents, 20)
    return Made(span_ratings(iaa.from_spans(documents, lengths=lengths, labels=["x", "y"])))


KINDS: dict[str, Callable[[int, int], Made]] = {
    make.__name__: make
    for make in (
        few_labels,
        with_gaps,
        two_annotators,
        many_labels,
        unused_label,
        weighted_labels,
        crowd,
        anonymous,
        weights,
        parts,
        real_values,
        far_values,
        values_above_zero,
        ranks,
        crowd_of_values,
        numbered_labels,
        shares,
        sets,
        distant_sets,
        doubles,
        spans,
        segments,
    )
}
