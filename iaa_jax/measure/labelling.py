"""Ratings as votes, and methods that make gold labels of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.engine.fits import Fit, SparseVotes, Tolerance, fit, fit_rows, sparse
from iaa_jax.kernels.labelling.masses import DenseMasses, ListedMasses, Masses
from iaa_jax.kernels.labelling.method import Data, Options, Weights
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from iaa_jax.kernels.labelling.voting import shares_of
from iaa_jax.measure.labels import label_shares
from iaa_jax.measure.tables import RatingTables


class VoteTables:
    """The votes of ratings, a row for each distinct pattern of them."""

    def __init__(self, tables: RatingTables) -> None:
        self.tables = tables

    @property
    def annotators(self) -> int:
        """How many annotators there are."""
        return int(self.tables.ratings.sizes["annotator"])

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return int(self.tables.ratings.sizes["label"])

    @property
    def pattern_of(self) -> NDArray[np.intp]:
        """The pattern of each item."""
        return self.tables.identified.pattern_of

    def of_patterns(self, figures: NDArray[Any]) -> NDArray[Any]:
        """Figures of items that are alike within each pattern, for the patterns."""
        found = np.zeros(len(self.weights.item), dtype=figures.dtype)
        found[self.pattern_of] = figures
        return found

    @cached_property
    def weights(self) -> Weights:
        """For how many items each pattern stands, and a 1 for each annotator."""
        return Weights(self.tables.identified_table.count, np.ones(self.annotators))

    @cached_property
    def votes(self) -> DenseVotes | ListedVotes:
        """The votes: side by side, or of a crowd one after the other."""
        codes, shares = self.tables.identified, label_shares(self.tables, sets_as_labels=False)
        known = codes.codes >= 0
        if codes.annotator_of is None:
            counts = np.zeros((*known.shape, self.labels))
            counts[known] = shares[codes.codes[known]]
            return DenseVotes(counts)
        rows, slots = np.nonzero(known)
        given = shares[codes.codes[rows, slots]]
        vote, label = np.nonzero(given)
        owner = codes.annotator_of[rows, slots][vote]
        row = rows[vote]
        place = np.arange(len(row)) - np.searchsorted(row, row)
        cell = np.zeros((len(known), int(place.max(initial=0)) + 1), dtype=np.int64)
        share = np.zeros(cell.shape)
        cell[row, place] = owner * self.labels + label
        share[row, place] = given[vote, label]
        return ListedVotes(cell, share)

    @cached_property
    def masses(self) -> DenseMasses | ListedMasses:
        """The ratings as masses: side by side, or of a crowd one after the other."""
        codes, shares = self.tables.identified, label_shares(self.tables, sets_as_labels=False)
        rated = (codes.codes >= 0).astype(np.float64)
        mass = shares[codes.codes] * rated[..., None]
        if codes.annotator_of is None:
            return DenseMasses(mass, rated)
        return ListedMasses(mass, rated, np.maximum(codes.annotator_of, 0))

    @cached_property
    def alone(self) -> DenseVotes | SparseVotes:
        """The form that is fastest for one fit."""
        votes: DenseVotes | SparseVotes = sparse(self.votes, self.annotators, self.labels)
        return votes

    @cached_property
    def masses_alone(self) -> Masses:
        """The same of masses."""
        masses: Masses = sparse(self.masses, self.annotators, self.labels)
        return masses

    @cached_property
    def shares(self) -> Floats:
        """Shares of the votes (pattern, label): where methods start; equal where there are none."""
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
        """One fit of all items, by default with every weight 1 and from the shares of the votes."""
        return fit(
            row.method,
            self.masses_alone if row.data == "masses" else self.alone,
            weights or self.weights,
            self.shares if start is None else start,
            tolerance,
            options,
        )

    def fit_rows(
        self,
        row: LabellingMethod,
        rows: Iterable[tuple[Weights, Options]],
        start: Floats,
        tolerance: Tolerance,
    ) -> Iterator[Fit]:
        """Fits for rows of weights, block by block, from one start."""
        data: Data = self.masses if row.data == "masses" else self.votes
        return fit_rows(row.method, data, rows, start, tolerance)
