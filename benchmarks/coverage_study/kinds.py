"""Designs of numbers, documents, spans and annotators drawn anew, for the intervals of each kind.

A cell draws data sets the way annotation projects make them; each goes the way of users, through
the public functions. Half of the cells, by a seeded hash of their names, are there to choose the
automatic interval and its doubts; the other half judges what was chosen.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa
from coverage_study import populations
from coverage_study.cells import truths_of
from coverage_study.designs import DESIGNS, Design
from coverage_study.ratings import Draw, documents, numbers
from coverage_study.spans import KINDS as OF_SPANS
from coverage_study.unlike import (
    NUMBERS,
    OF_LABELS,
    SIZES,
    WAYS,
    labels_of_drawn,
    truths_of_labels,
    unlike_numbers,
)

SEED = 20_261_125

CANDIDATES = {
    "numbers": ("bca", "kurtosis_t"),
    "unlike numbers": ("bca", "kurtosis_t"),
    "documents": ("t", "kurtosis_t"),
    "annotators drawn": ("t", "f", "modified_large_sample"),
    "unlike annotators": ("t", "modified_large_sample"),
    "random annotators": ("t",),
    "labels of unlike annotators": ("t",),
    "spans": ("bca", "kurtosis_t"),
}
"""The candidates of a kind of design."""

FIXED = iaa.Sampling(annotators="fixed")
BY_DOCUMENT = {"sampling": iaa.Sampling(cluster="document")}


@dataclass(frozen=True)
class Cell:
    """Data sets of one design, and the figures whose intervals are counted.

    ``units`` are items, or documents; ``truths`` gives the coefficients of the population, by
    default those of a sample of ``many``.
    """

    kind: str
    name: str
    units: int
    draw: Draw
    coefficients: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    truths: Callable[[], Sequence[float]] | None = None
    many: int = 200_000
    before: bool = False  # one of the cells of the study before

    @property
    def title(self) -> str:
        """All that sets it apart."""
        level = self.options.get("confidence", 0.95)
        return f"{self.name} n={self.units}" + ("" if level == 0.95 else f" at {100 * level:g} %")

    @property
    def judges(self) -> bool:
        """Whether it belongs to the half that chooses nothing."""
        return bool(zlib.crc32(f"{SEED} {self.name} {self.units}".encode()) & 1)

    @property
    def candidates(self) -> tuple[str, ...]:
        """Intervals that may become the automatic one of such ratings."""
        return CANDIDATES[self.kind]


def of_design(design: Design) -> Cell:
    """A cell of the study before, with its truths; documents and annotators as it draws them."""

    @cache
    def shift() -> float:
        return populations.shift_of(design)

    @cache
    def population() -> populations.Population:
        return populations.of_fixed_annotators(design, shift())

    def patterns(stream: np.random.Generator, units: int) -> np.ndarray:
        if design.annotators_are == "random":
            drawn = populations.random_annotators(design, 1, stream)
            answers = drawn.answers(shift(), design.ordered)
            codes, (share,) = populations.random_probability(design, answers)
            return codes[stream.choice(len(codes), size=units, p=share)]
        made = population()
        if not design.document:
            share = made.overall / made.overall.sum()
            return made.codes[stream.choice(len(share), size=units, p=share)]
        shares = made.probability[stream.choice(len(made.kinds), size=units, p=made.kinds)]
        places = [stream.choice(len(p), size=design.document, p=p) for p in shares]
        return made.codes[np.concatenate(places)]

    def draw(stream: np.random.Generator, units: int) -> xr.Dataset:
        rows = patterns(stream, units)
        if design.identified or design.gaps in ("random", "single"):
            table = np.where(rows < 0, np.nan, rows)
            return iaa.from_wide(table, labels=range(design.labels))
        of_label = [(rows == label).sum(axis=1) for label in range(design.labels)]
        ratings = iaa.from_counts(np.stack(of_label, axis=1))
        if not design.document:
            return ratings
        return ratings.assign_coords(document=("item", np.arange(len(rows)) // design.document))

    cluster = "document" if design.document else None
    return Cell(
        design.family,
        design.name.replace(f" n={design.items}", ""),
        design.items // max(design.document, 1),
        draw,
        design.coefficients,
        {"sampling": iaa.Sampling(cluster, annotators=design.annotators_are)},
        lambda: truths_of(design, shift()),
        before=True,
    )


def over_annotators(differ: float, annotators: int, *, far: int = 0) -> Draw:
    """Numbers of annotators drawn anew, who differ by so much where items do by 1."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        def noise(size: tuple[int, ...]) -> np.ndarray:
            if far:
                return stream.standard_t(far, size) / np.sqrt(far / (far - 2))
            return stream.normal(size=size)

        value = noise((items, 1)) + 0.5 * noise((items, annotators))
        return iaa.from_values(value + differ * stream.normal(size=(1, annotators)))

    return drawn


def skewed_numbers(stream: np.random.Generator, items: int) -> xr.Dataset:
    """Three annotators on numbers whose logarithm is normal."""
    value = stream.normal(size=(items, 1)) + 0.6 * stream.normal(size=(items, 3))
    return iaa.from_values(np.exp(value))


def _sizes(pattern: Sequence[int]) -> Callable[[int], np.ndarray]:
    return lambda number: np.resize(np.array(pattern), number)


def _numbers() -> list[Cell]:
    asked, fixed = ("krippendorff_alpha", "icc2", "icc3"), {"sampling": FIXED}
    one = 1 / (1 + 0.49)
    far = 1 / (1 + 0.49 + 0.03 * 36)
    skewed = float(np.expm1(1) / np.expm1(1.36))
    return [
        Cell(
            "numbers",
            name,
            n,
            draw,
            asked,
            fixed,
            lambda t=truth: [t] * 3,
        )
        for name, draw, truth, sizes in (
            ("normal", numbers(), one, (8, 15, 30, 100)),
            ("t3", numbers("t3"), one, (30, 150)),
            ("3 % outliers", numbers("outliers"), far, (30, 100, 300)),
            ("log-normal", skewed_numbers, skewed, (30, 100)),
        )
        for n in sizes
    ]


def _documents() -> list[Cell]:
    asked = ("krippendorff_alpha", "gwet_ac1", "percent_agreement")
    one_to_twelve = [1 + k % 12 for k in range(12)]
    kinds = (
        ("1 to 12 items", one_to_twelve, (6, 12, 20, 40)),
        ("geometric sizes", [1, 1, 1, 1, 2, 2, 3, 4, 6, 9, 13, 20], (12, 24)),
        ("one of 30 items", [30, 5, 4, 5, 3, 5, 4, 5, 6, 5, 4, 5], (12,)),
        ("5 items", [5], (6, 10, 20, 50)),
    )
    return [
        Cell("documents", f"documents of {name}", n, documents(_sizes(sizes)), asked, BY_DOCUMENT,
             None, 12 * 4000)
        for name, sizes, numbers_of in kinds
        for n in numbers_of
    ]  # fmt: skip


def _over_annotators() -> list[Cell]:
    cells = []
    for items, annotators, differ, how in (
        *((20, 3, 0.3, {}), (50, 3, 0.3, {}), (50, 3, 0.6, {}), (300, 3, 0.3, {})),
        *((300, 3, 0.6, {}), (50, 2, 0.3, {}), (50, 2, 0.6, {}), (50, 5, 0.6, {})),
        *((50, 10, 0.3, {}), (20, 10, 0.6, {})),
        *((50, 3, 0.3, {"far": 5}), (50, 5, 0.3, {"far": 3})),
    ):
        name = f"annotators drawn a={annotators} differ {differ} {how or ''}".strip()
        single = 1 / (1 + differ**2 + 0.25)
        mean = 1 / (1 + (differ**2 + 0.25) / annotators)
        cells.append(
            Cell(
                "annotators drawn",
                name,
                items,
                over_annotators(differ, annotators, **how),
                ("icc2", "icc2k"),
                {},
                lambda s=single, m=mean: [s, m],
            )
        )
    return cells


def _unlike() -> list[Cell]:
    of_numbers = ("krippendorff_alpha", "icc2", "icc3")
    of_labels = ("krippendorff_alpha", "gwet_ac1", "percent_agreement")
    drawn_anew = {"sampling": iaa.Sampling(annotators="random")}
    cells = [
        Cell("unlike numbers", shape, n, unlike_numbers(shape), of_numbers, {"sampling": FIXED})
        for shape, n in NUMBERS
    ]
    cells += [
        Cell("unlike annotators", f"{way} a={k}", n, WAYS[way].draw(k), ("icc2", "icc2k"), {},
             lambda way=way, k=k: WAYS[way].truths(k))
        for way, sizes in SIZES.items()
        for n, k in sizes
    ]  # fmt: skip
    cells += [
        Cell("labels of unlike annotators", f"skills and favourites a={k}", n, labels_of_drawn(k),
             of_labels, drawn_anew, truths_of_labels)
        for n, k in OF_LABELS
    ]  # fmt: skip
    return cells


def _spans() -> list[Cell]:
    matches = ("span_f1", "partial_span_f1")
    return [
        Cell("spans", name, documents, texts, matches, {}, None, 30_000)
        for name, texts in OF_SPANS
        for documents in (12, 30, 60, 200)
    ]


CELLS = (
    *(of_design(each) for each in DESIGNS if each.document or each.annotators_are == "random"),
    *_numbers(),
    *_documents(),
    *_over_annotators(),
    *_unlike(),
    *_spans(),
)
"""All cells of the study of kinds; labels over items alone have one of their own, `hostile`."""
