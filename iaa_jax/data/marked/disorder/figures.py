"""Compute the observed and expected disorders of documents, the data of gamma and gamma-cat.

The disorder of an alignment is its cost, divided by the mean number of units per annotator. The
expected disorder is the mean over chance continua: random markings made from the units of the
document (module `chance`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.comparison import Comparison
from iaa_jax.data.marked.disorder.alignment import Alignments, best_alignments
from iaa_jax.data.marked.disorder.chance import ChanceContinua
from iaa_jax.data.marked.disorder.continua import (
    Continua,
    Dissimilarity,
    Stretches,
    joined,
    stretches_of,
)
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.data.marked.numbers import expanded

_UNITS = 50_000
"""Approximate number of units that are aligned in one batch."""

CONFIDENT = 1.96
"""Half the width of a 95 % interval, in standard errors."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Disorders:
    """Disorders of documents; NaN where there is nothing to align.

    Attributes
    ----------
    annotators, units, samples : array (document,)
        Number of annotators who saw the document, of units (0 for fewer than two annotators), and
        of chance continua.
    observed, expected, deviation : array (document,)
        Disorder of the best alignment, and its mean and standard deviation over chance continua.
    label_weight : array (document, 1 + label)
        Total weight of aligned pairs, first for all labels together, then for each label.
    observed_labels, expected_labels : array (document, 1 + label)
        Disorder of labels, observed and as a mean over chance continua, in the same order.
    """

    annotators: Integers
    units: Integers
    samples: Integers
    observed: Floats
    expected: Floats
    deviation: Floats
    label_weight: Floats
    observed_labels: Floats
    expected_labels: Floats

    @property
    def weight(self) -> Floats:
        """The mean number of units per annotator of each document."""
        return np.asarray(self.units / np.maximum(self.annotators, 1))

    def precision(self, count: Floats) -> float:
        """Return the precision of the expected disorder of all documents together.

        The precision is half the width of the 95 % interval, divided by the expected disorder.
        ``count`` is how often each document counts.
        """
        drawn, weight = self.samples > 0, count * self.weight
        error = (weight * self.deviation)[drawn] / np.sqrt(self.samples[drawn])
        expected = float((weight * self.expected)[drawn].sum())
        return CONFIDENT * float(np.sqrt((error**2).sum())) / expected if expected else np.nan


@dataclass
class GammaComparison:
    """Settings of gamma, and the computation of its data: disorders of documents.

    Attributes
    ----------
    dissimilarity : Dissimilarity
    unaligned : bool
        Whether a unit that is aligned with an empty unit lowers the agreement on labels.
    precision : float
        Chance continua are drawn until half the width of the 95 % interval of their mean disorder
        is at most this share of the mean.
    least, seed : int
        Minimum number of chance continua of a document, and the seed of the draws.
    disorders : Disorders, optional
        The disorders that `data` computed last.
    """

    dissimilarity: Dissimilarity = field(default_factory=Dissimilarity)
    unaligned: bool = False
    precision: float = 0.05
    least: int = 30
    seed: int = 0
    progress: Progress | None = None
    disorders: Disorders | None = None

    def as_comparison(self) -> Comparison:
        """Return the object that the catalogue uses for a comparison."""
        return Comparison(self.data, cells=_cells, weighs_annotators=False)

    def data(self, documents: Documents, identified: bool) -> Floats:  # noqa: ARG002
        """Return weights, observed and expected disorders (document, 2, 2 + label, 3).

        The second axis has two equal entries, which stand for all annotators together. Along the
        third axis, the disorder of units comes first, then the disorder of all labels together, and
        then the disorders of single labels. Disorders are multiplied by their weights. The disorder
        of units is relative to the disorder without aligned units.
        """
        disorders = self.disorders = self.for_documents(documents)
        largest = self.dissimilarity.empty * np.maximum(disorders.annotators, 1)
        rows = np.stack(
            [
                np.column_stack([disorders.units, disorders.label_weight]),
                np.column_stack([disorders.observed / largest, disorders.observed_labels]),
                np.column_stack([disorders.expected / largest, disorders.expected_labels]),
            ],
            axis=-1,
        )
        rows[np.isnan(rows).any(axis=-1)] = 0
        rows[..., 1:] *= rows[..., :1]
        rows[disorders.annotators < 2] = np.nan
        return np.stack([rows, rows], axis=1)

    def for_documents(self, documents: Documents) -> Disorders:
        """Return the disorders of documents, with as many chance continua as `precision` needs."""
        number, labels = len(documents.marked), documents.markings.labels
        marked = list(marked_documents(documents))
        measured = documents.markings.steps > 0
        drawers = {
            each.place: ChanceContinua(each.continuum, each.reach, self.seed, measured=measured)
            for each in marked
        }
        units = np.zeros(number, dtype=np.int64)
        units[[each.place for each in marked]] = [len(each.continuum.label) for each in marked]
        observed, expected = slice(number), slice(number, None)
        tallies = _Tallies(2 * number, labels)
        samples, wanted = np.zeros(number, dtype=np.int64), np.where(units > 0, self.least, 0)
        observations = ((each.place, each.continuum) for each in marked)
        while True:
            drawn = (
                (number + place, continua)
                for place, drawer in drawers.items()
                for continua in drawer.draws(int(wanted[place] - samples[place]), _UNITS)
            )
            for places, batch in _batches(chain(observations, drawn)):
                tallies.enter(places, *self._measured(batch, labels))
                if self.progress is not None:
                    self.progress(int(tallies.count[expected].sum()), int(wanted.sum()))
            samples = wanted
            means = [tallies.means(part) for part in (observed, expected)]
            disorders = _disorders(documents, units, samples, *means)
            reached = disorders.precision(np.ones(number))
            if not reached > self.precision:
                return disorders
            wanted = np.ceil(samples * (reached / self.precision) ** 2).astype(np.int64)

    def _measured(self, continua: Continua, labels: int) -> tuple[Floats, Floats, Floats]:
        alignments = best_alignments(continua, self.dissimilarity)
        of_labels = label_disorders(
            alignments, self.dissimilarity, labels, unaligned=self.unaligned
        )
        return alignments.disorder, *of_labels


def _cells(markings: Markings, columns: int) -> int:
    return columns * (2 + markings.labels) * 3


class Marked(NamedTuple):
    """A document with at least two annotators and one unit.

    ``place`` is its position among the documents, and ``reach`` where its continuum begins and
    ends.
    """

    place: int
    continuum: Continua
    reach: tuple[float, float]


def marked_documents(documents: Documents) -> Iterator[Marked]:
    """Yield the documents with two annotators and one unit or more; others have no disorder."""
    markings, stretches = documents.markings, stretches_of(documents.markings)
    starts, ends = stretches.start.tolist(), stretches.end.tolist()
    places = [
        tuple(zip(starts[begin:end], ends[begin:end], strict=True))
        for begin, end in pairwise(stretches.begins.tolist())
    ]
    ranks = {of_marking: rank for rank, of_marking in enumerate(sorted(set(places)))}
    rank = np.array([ranks[of_marking] for of_marking in places])
    for number, row in enumerate(documents.marked):
        codes = _in_order(row[row >= 0], rank, places, stretches)
        line, unit = expanded(stretches.begins[codes], stretches.begins[codes + 1])
        if len(codes) < 2 or not len(unit):
            continue
        start, end = stretches.start[unit], stretches.end[unit]
        continuum = Continua(
            1, len(codes), np.zeros_like(line), line, start, end, stretches.label[unit]
        )
        reach = float(start.min()), float(end.max())
        if markings.length is not None:
            reach = 0.0, float(markings.length[codes[0]])
        yield Marked(number, continuum, reach)


def _in_order(
    codes: Integers,
    rank: Integers,
    places: Sequence[tuple[tuple[float, float], ...]],
    stretches: Stretches,
) -> Integers:
    """Return the markings of a document, one by each annotator, in an order that ignores names.

    Markings are sorted by the places of their units. If two markings have the same places, each of
    their labels counts as the list of all places that it has in the document, and these lists are
    compared. So neither names of annotators nor names of labels matter.
    """
    ranks = rank[codes]
    if len(np.unique(ranks)) == len(codes):
        return codes[np.argsort(ranks)]
    labels = {
        code: stretches.label[begin:end].tolist()
        for code, begin, end in zip(
            codes.tolist(), stretches.begins[codes], stretches.begins[codes + 1], strict=True
        )
    }
    places_of: dict[int, list[tuple[float, float]]] = {}
    for code in codes.tolist():
        for label, place in zip(labels[code], places[code], strict=True):
            places_of.setdefault(label, []).append(place)
    keys = {
        code: [sorted(places_of[label]) for label in of_code] for code, of_code in labels.items()
    }
    return np.array(sorted(codes.tolist(), key=lambda code: (rank[code], keys[code])))


def _disorders(
    documents: Documents, units: Integers, samples: Integers, observed: _Means, expected: _Means
) -> Disorders:
    return Disorders(
        (documents.marked >= 0).sum(axis=1),
        units,
        samples,
        observed.disorder,
        expected.disorder,
        expected.deviation,
        observed.weight,
        observed.labels,
        expected.labels,
    )


def label_disorders(
    alignments: Alignments, dissimilarity: Dissimilarity, labels: int, *, unaligned: bool
) -> tuple[Floats, Floats]:
    """Return the disorder of labels in alignments, and its weight, each (continuum, 1 + label).

    The disorder of labels is ::

        sum w d_cat / sum w / delta,  w = max(0, 1 - alpha d_pos / delta) / (k - 1)

    over the pairs of units in unitary alignments of k units (Mathet 2017, 4.2.5): first over all
    pairs, then over the pairs with a unit of each label. Here d_cat and d_pos are the dissimilarity
    of two units' labels and places, alpha is the factor of d_pos, and delta is the dissimilarity of
    a unit and an empty unit. If ``unaligned``, a unit with an empty unit is a pair of weight and
    disorder 1, as in pygamma-agreement. Disorders are NaN if no aligned pair has positive weight.
    """
    continua, members = alignments.continua, alignments.units
    size = (members >= 0).sum(axis=1)
    first, second = np.triu_indices(continua.annotators, 1)
    chosen, pair = np.nonzero((members[:, first] >= 0) & (members[:, second] >= 0))
    one, other = members[chosen, first[pair]], members[chosen, second[pair]]
    near = 1 - dissimilarity.alpha * dissimilarity.positional(continua, one, other) / (
        dissimilarity.empty
    )
    weight = np.maximum(near, 0) / (size[chosen] - 1)
    disorder = weight * dissimilarity.categorical(continua, one, other) / dissimilarity.empty
    cells, cell = continua.number * labels, continua.continuum * labels + continua.label
    differ = continua.label[one] != continua.label[other]
    sums = []
    for values in (disorder, weight):
        of_one = np.bincount(cell[one], values, cells)
        of_label = of_one + np.bincount(cell[other], np.where(differ, values, 0), cells)
        of_all = np.bincount(continua.continuum[one], values, continua.number)
        sums.append(np.column_stack([of_all, of_label.reshape(continua.number, labels)]))
    if unaligned:
        empty_partners = np.full(len(continua.label), continua.annotators - 1)
        rows, columns = np.nonzero(members >= 0)
        empty_partners[members[rows, columns]] = continua.annotators - size[rows]
        alone = np.bincount(cell, empty_partners, cells).reshape(continua.number, labels)
        empty = np.column_stack([alone.sum(axis=1), alone])
        aligned = sums[1] > 0
        sums = [np.where(aligned, each + empty, 0) for each in sums]
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[0] / sums[1], sums[1]


class _Means(NamedTuple):
    disorder: Floats
    deviation: Floats
    labels: Floats
    weight: Floats


class _Tallies:
    """Sums of disorders over the continua of each document."""

    def __init__(self, documents: int, labels: int) -> None:
        self.count = np.zeros(documents)
        self.sums = np.zeros((documents, 2))
        self.labels = np.zeros((documents, 1 + labels, 3))

    def enter(self, place: Integers, disorder: Floats, labels: Floats, weight: Floats) -> None:
        np.add.at(self.count, place, 1)
        np.add.at(self.sums, place, np.stack([disorder, disorder**2], axis=1))
        known = ~np.isnan(labels)
        values = np.stack([known, np.where(known, labels, 0), weight], axis=-1)
        np.add.at(self.labels, place, values)

    def means(self, part: slice) -> _Means:
        count = self.count[part, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = self.sums[part] / count
            deviation = np.sqrt(np.maximum(means[:, 1] - means[:, 0] ** 2, 0))
            known, labels, weight = np.moveaxis(self.labels[part], -1, 0)
            return _Means(means[:, 0], deviation, labels / known, weight / count)


def _batches(
    several: Iterable[tuple[int, Continua]],
) -> Iterator[tuple[Integers, Continua]]:
    """Yield batches of continua with equal numbers of annotators, and their rows in `_Tallies`."""
    waiting: dict[int, list[tuple[int, Continua]]] = {}
    for place, continua in several:
        held = waiting.setdefault(continua.annotators, [])
        held.append((place, continua))
        if sum(len(each.label) for _, each in held) > _UNITS:
            yield _together(waiting.pop(continua.annotators))
    for held in waiting.values():
        yield _together(held)


def _together(held: list[tuple[int, Continua]]) -> tuple[Integers, Continua]:
    places = np.array([place for place, _ in held]).repeat([each.number for _, each in held])
    return places, joined([each for _, each in held])
