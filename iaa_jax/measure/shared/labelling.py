"""Ratings in the form of votes, and fits of the methods that make gold labels from votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.data.patterns import Codes
from iaa_jax.data.rating_cells import wants_slots
from iaa_jax.engine.drawing import BLOCK, Purpose, stream
from iaa_jax.engine.fits import Fit, Tolerance, fit
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.engine.sparse import SparseVotes, sparse
from iaa_jax.kernels.labelling.masses import DenseMasses, ListedMasses, Masses
from iaa_jax.kernels.labelling.method import Data, Options, Weights
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from iaa_jax.kernels.labelling.voting import agreement_with, shares_of
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares

ELSEWHERE = (0.01, 0.1)
"""Maximum differences in the log likelihood and in a probability between fits that are at the same
optimum."""


class Restarted(NamedTuple):
    """The best of several fits from different starting points."""

    fit: Fit
    likelihoods: Floats  # (start,) log likelihoods, with the usual start first
    elsewhere: NDArray[np.bool_]  # (start,) whether the fit ended in another optimum
    best: int  # the index of the best start


def groups_of(*known: Integers | None) -> Integers | None:
    """Return the group of each item, numbered from 0, by its known labels; None if none are known.

    The arguments are codes of known labels (item,), -1 for other items, or None.
    """
    groups: Integers | None = None
    for codes in known:
        if codes is not None:
            groups = codes + 1 if groups is None else groups * (codes.max() + 2) + codes + 1
    return groups


class VoteTables:
    """The votes of annotators, with one row per distinct pattern of ratings.

    ``control`` (item,) is the code of the true label of a control item, -1 for all others.
    ``settled`` (item,) is the code of an adjudicated label, -1 for all others; labelling methods
    learn nothing from it. Items that differ in these codes must have different patterns
    (`groups_of`).
    """

    def __init__(
        self,
        tables: Rated,
        control: Integers | None = None,
        settled: Integers | None = None,
    ) -> None:
        self.tables = tables
        self.control = control
        self.settled = settled

    @property
    def annotators(self) -> int:
        """The number of annotators."""
        return self.tables.annotators

    @property
    def labels(self) -> int:
        """The number of labels."""
        return len(self.tables.label_names)

    @property
    def pattern_of(self) -> NDArray[np.intp]:
        """The pattern of each item."""
        return self.tables.identified.pattern_of

    def by_pattern(self, figures: NDArray[Any]) -> NDArray[Any]:
        """Return values of items by pattern; values must be equal within each pattern."""
        values = np.zeros(len(self.weights.item), dtype=figures.dtype)
        values[self.pattern_of] = figures
        return values

    @cached_property
    def weights(self) -> Weights:
        """The weight of each pattern in items, and a weight of 1 for each annotator."""
        return Weights(self.tables.identified_table.count, np.ones(self.annotators))

    @cached_property
    def known(self) -> Floats | None:
        """The true labels of control items, as shares (pattern, label); None without controls."""
        return None if self.control is None else self._labels_of(self.control)

    @cached_property
    def adjudicated(self) -> Floats | None:
        """The labels of adjudicated items, as shares (pattern, label); None without any."""
        return None if self.settled is None else self._labels_of(self.settled)

    @cached_property
    def fixed(self) -> Floats:
        """The labels of control and adjudicated items (pattern, label), which no vote changes."""
        labels = np.zeros((len(self.weights.item), self.labels))
        for known in (self.known, self.adjudicated):
            if known is not None:
                labels = np.where(known.sum(axis=1, keepdims=True) > 0, known, labels)
        return labels

    @property
    def is_fixed(self) -> NDArray[np.bool_]:
        """A mask of the patterns with a fixed label."""
        return np.asarray(self.fixed.sum(axis=1) > 0)

    def _labels_of(self, codes: Integers) -> Floats:
        return np.eye(self.labels + 1)[codes[self.tables.identified.first], : self.labels]

    @cached_property
    def _placed(self) -> Codes:
        """The patterns by annotator, or by slot for many annotators with few ratings each.

        They are also by slot if annotators voted repeatedly. A slot is an item's first, second, ...
        rating, whoever gave it. The choice does not depend on how the ratings are stored, so that
        equal ratings have equal results.
        """
        tables = self.tables
        panel = int(tables.identified.panel.max(initial=0))
        if tables.has_further_votes or wants_slots(self.annotators, panel):
            return tables.slot_codes
        return tables.grid_codes

    @cached_property
    def votes(self) -> DenseVotes | ListedVotes:
        """The votes, as a dense array, or as a list if that is faster."""
        if not self._are_dense:
            return self.listed
        listed = self.listed
        counts = np.zeros((len(listed.cell), self.annotators * self.labels))
        np.add.at(counts, (np.arange(len(counts))[:, None], listed.cell), listed.share)
        return DenseVotes(counts.reshape(len(counts), self.annotators, self.labels), self.known)

    @cached_property
    def _are_dense(self) -> bool:
        """Whether votes are dense: on a CPU if that is faster, on a GPU unless they are by slot."""
        listed, dense = self._products
        by_counts, on_device = dense < listed, self._placed.annotator_of is None
        if by_counts == on_device:  # avoid loading JAX
            return by_counts
        return by_counts if self.tables.computing.on_processor else on_device

    @property
    def products_of_a_step(self) -> int:
        """The cost of a step of a fit on a CPU; a multiplication over a list of votes costs 1."""
        return min(self._products)

    @cached_property
    def _products(self) -> tuple[int, int]:
        ratings = len(self.tables.slot_codes.ratings()[0])
        cells = len(self.weights.item) * self.annotators * self.labels**2
        listed = ratings * self.labels + thresholds.LISTED_STEP
        return listed, cells // thresholds.DENSE_PRODUCTS + thresholds.DENSE_STEP

    @property
    def listed(self) -> ListedVotes:
        """The votes as a list, for any number of annotators."""
        return self._listed[0]

    @property
    def rating_of(self) -> Integers:
        """The slot of the rating of each listed vote (pattern, vote); -1 in the padding."""
        return self._listed[1]

    @cached_property
    def _listed(self) -> tuple[ListedVotes, Integers]:
        """The listed votes, padded at the end of each pattern, and the slots of their ratings."""
        slots = self.tables.slot_codes
        rows, rating, annotators = slots.ratings()
        shares = label_shares(self.tables, sets_as_labels=False)[slots.codes[rows, rating]]
        vote, label = np.nonzero(shares != 0)
        row = rows[vote]
        first = np.flatnonzero(np.diff(row, prepend=-1))
        place = np.arange(len(row)) - np.repeat(first, np.diff(first, append=len(row)))
        shape = (len(self.weights.item), int(place.max(initial=0)) + 1)
        cell, share = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        ratings = np.full(shape, -1)
        cell[row, place] = annotators[vote] * self.labels + label
        share[row, place], ratings[row, place] = shares[vote, label], rating[vote]
        return ListedVotes(cell, share, self.known), ratings

    def control_answers(self) -> tuple[Floats, Floats]:
        """Return the number of control items of each annotator, and the share answered correctly.

        The share is NaN for annotators without control items.
        """
        if self.known is None:
            return np.zeros(self.annotators), np.full(self.annotators, np.nan)
        controlled = self.weights.item * self.known.sum(axis=1)
        rows, _, annotators = self.tables.slot_codes.ratings(self.tables.first_votes)
        items = np.bincount(annotators, controlled[rows], minlength=self.annotators)
        right = agreement_with(self.alone, self.known, self.weights)
        return items.astype(np.float64), np.asarray(right)

    @cached_property
    def masses(self) -> DenseMasses | ListedMasses:
        """The ratings as masses (shares of labels): dense, or as a list if they are by slot."""
        codes, shares = self._placed, label_shares(self.tables, sets_as_labels=False)
        rated = (codes.codes >= 0).astype(np.float64)
        mass = shares[codes.codes] * rated[..., None]
        if codes.annotator_of is None:
            return DenseMasses(mass, rated)
        return ListedMasses(mass, rated, np.maximum(codes.annotator_of, 0))

    @cached_property
    def alone(self) -> DenseVotes | SparseVotes:
        """The form of the votes that is fastest for a single fit."""
        votes: DenseVotes | SparseVotes = sparse(self.votes, self.annotators, self.labels)
        return votes

    @cached_property
    def masses_alone(self) -> Masses:
        """The form of the masses that is fastest for a single fit."""
        masses: Masses = sparse(self.masses, self.annotators, self.labels)
        return masses

    @cached_property
    def shares(self) -> Floats:
        """The shares of votes (pattern, label), from which fits start; uniform without votes."""
        shares = np.asarray(shares_of(self.alone, self.weights.annotator, self.labels))
        return np.where(shares.sum(axis=1, keepdims=True) > 0, shares, 1 / self.labels)

    def fit(
        self,
        row: LabellingMethod,
        tolerance: Tolerance,
        options: Options = (),
        weights: Weights | None = None,
        start: Floats | None = None,
    ) -> Fit:
        """Fit all items, by default with their own weights, starting from the shares of votes.

        This uses NumPy, which takes less time than a compilation, unless a GPU is requested.
        """
        weights, start = weights or self.weights, self.shares if start is None else start
        options = options or row.options
        if self.tables.computing.device == "gpu":
            one = Weights(*(part[None] for part in weights))
            numbers = type(options)(*(np.full(1, number) for number in options))
            (fitted,) = self.fit_rows(row, [(one, numbers)], start, tolerance)
            return fitted.row(0)
        data = self.masses_alone if row.data == "masses" else self.alone
        return fit(row.method, data, weights, start, tolerance, options)

    def fit_rows(
        self,
        row: LabellingMethod,
        rows: Iterable[tuple[Weights, Options]],
        start: Floats,
        tolerance: Tolerance,
    ) -> Iterator[Fit]:
        """Fit rows of weights, block by block, from one common start or one start per row.

        A row holds the weights of items and annotators for one fit. A row whose options are () uses
        the options of the method.
        """
        data: Data = self.masses if row.data == "masses" else self.votes
        numbered = ((weights, options or _rows_of(row, weights)) for weights, options in rows)
        computing = self.tables.computing
        return fit_rows(row.method, data, numbered, start, tolerance, computing=computing)

    def fit_restarts(
        self,
        row: LabellingMethod,
        tolerance: Tolerance,
        restarts: int,
        seed: int,
    ) -> Restarted:
        """Return the fit with the highest likelihood, from the shares of votes or random starts.

        The fit from the shares of votes is preferred if its likelihood is not clearly lower.
        A random start weights every annotator by a draw from the exponential distribution.
        """
        usual = self.fit(row, tolerance)
        ends = [usual]
        drawn = stream(seed, Purpose.RANDOM_STARTS).exponential(size=(restarts, self.annotators))
        places = self.tables.drawing_order.annotators
        drawn = drawn if places is None else drawn[:, places]
        for first in range(0, restarts, BLOCK):
            starts = self._starts(drawn[first : first + BLOCK])
            rows = Weights(*(np.tile(part, (len(starts), 1)) for part in self.weights))
            for fits in self.fit_rows(row, [(rows, ())], starts, tolerance):
                ends.extend(fits.row(number) for number in range(len(fits.iterations)))
        likelihoods = np.array([float(end.state.log_likelihood) for end in ends])
        likelihood_gap, probability_gap = ELSEWHERE
        best = int(np.argmax(likelihoods))
        if likelihoods[best] - likelihoods[0] <= likelihood_gap:
            best = 0  # the same optimum, or one that is no better
        probability = np.asarray(ends[best].state.probability)
        differs = [
            np.abs(np.asarray(end.state.probability) - probability).max() > probability_gap
            for end in ends
        ]
        elsewhere = np.array(differs) | (np.abs(likelihoods - likelihoods[best]) > likelihood_gap)
        return Restarted(ends[best], likelihoods, elsewhere, best)

    def _starts(self, drawn: Floats) -> Floats:
        shares = [np.asarray(shares_of(self.alone, row, self.labels)) for row in drawn]
        voted = shares[0].sum(axis=1, keepdims=True) > 0
        return np.stack([np.where(voted, of_row, 1 / self.labels) for of_row in shares])


def _rows_of(row: LabellingMethod, weights: Weights) -> Options:
    numbers = row.options
    return type(numbers)(*(np.full(len(weights.item), number) for number in numbers))
