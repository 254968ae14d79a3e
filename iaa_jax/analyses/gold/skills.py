"""Skills of annotators, and the shares of their votes that are right, with intervals."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Variables
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.data.storage import further_votes
from iaa_jax.engine.fits import Fit
from iaa_jax.kernels.intervals import Ends
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.namespace import divided
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.interval import fewest_replicates
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.measure.resampling import cluster_codes
from iaa_jax.measure.resolved_interval import resolve
from iaa_jax.measure.shares import share_ends
from iaa_jax.measure.spread import SHARE, Bounds, Spread, ends_of, error_of


class Skills:
    """Figures of annotators from replicates."""

    def __init__(
        self, votes: VoteTables, row: LabellingMethod, fit: Fit, options: IntervalOptions
    ) -> None:
        self._votes, self._row, self._fit, self._options = votes, row, fit, options
        self.ratings, self._items, self._still = _units(votes, options)
        self._skills: list[Floats] = []
        self._right: list[Floats] = []

    def add(self, replicates: Fit, weights: Weights) -> None:
        """Some further replicates."""
        self._skills.append(replicates.skill)
        if self._row.modelled:
            rows = zip(weights.item, np.asarray(replicates.state.probability), strict=True)
            self._right.append(np.stack([right_votes(self._votes, *row) for row in rows]))

    def variables(self) -> Variables:
        """The figures along annotators."""
        nothing = np.full(len(self.ratings), np.nan)
        found = {"skill": np.where(self.ratings > 0, self._fit.skill, np.nan), "accuracy": nothing}
        if self._row.modelled:
            probability = np.asarray(self._fit.state.probability)
            found["accuracy"] = right_votes(self._votes, self._votes.weights.item, probability)
        variables: Variables = {"accuracy": ("annotator", found["accuracy"])}
        for name, parts in (("skill", self._skills), ("accuracy", self._right)):
            replicates = np.concatenate(parts) if parts else np.full((2, len(nothing)), np.nan)
            is_share = name == "accuracy" or self._row.skill_is_share
            error, ends = self._interval(found[name], replicates, is_share)
            if name == "skill":
                variables["skill_standard_error"] = ("annotator", error)
            variables[f"{name}_ci_low"] = ("annotator", ends.low)
            variables[f"{name}_ci_high"] = ("annotator", ends.high)
        return variables

    def _interval(
        self, estimate: Floats, replicates: Floats, is_share: bool
    ) -> tuple[Floats, Ends]:
        options, items = self._options, self._items
        defined = ~np.isnan(replicates)
        enough = defined.sum(axis=0) >= fewest_replicates((1 - options.confidence) / 2)
        enough &= (items >= 2) & ~np.isnan(estimate)
        error = np.where(enough, error_of(replicates), np.nan)
        automatic = options.how.method == "auto"
        if automatic and is_share:
            share = np.clip(estimate, 0, 1)
            return error, share_ends(share, error, self.ratings, self._still, options.confidence)
        interval = resolve(options)
        interval = interval.by("percentile") if automatic else interval
        bounds = SHARE if is_share else Bounds(upper=np.inf)
        spread = Spread.of_replicates(replicates, error, items - 1)
        ends = ends_of(estimate, spread, interval, bounds)
        return error, Ends(*(np.where(enough, end, np.nan) for end in ends))


def right_votes(votes: VoteTables, item_weight: Floats, probability: Floats) -> Floats:
    """The expected share of each annotator's votes that are right: ``sum w n P / sum w n``."""
    totals = votes.alone.totals(item_weight[:, None] * probability, votes.annotators, votes.labels)
    right = np.einsum("all->a", totals)
    given = totals.sum(axis=(1, 2))
    return np.where(given > 0, divided(np, right, given), np.nan)


def _units(votes: VoteTables, options: IntervalOptions) -> tuple[Floats, Floats, Floats]:
    """How many ratings an annotator's figures stand on, of how many items, and items or clusters.

    Items are drawn as wholes, with all votes of an annotator on them.
    """
    ratings, codes = votes.tables, votes.tables.codes
    row, slot, annotator = codes.ratings()
    weight = votes.tables.item_weight[row]
    size = votes.annotators
    units = np.bincount(annotator, weight, minlength=size).astype(np.float64)
    items = units
    if (again := further_votes(ratings.dataset)) is not None:
        once = ~again[row, slot]
        items = np.bincount(annotator[once], weight[once], minlength=size).astype(np.float64)
    if options.random.cluster is None:
        return units, items, items
    clusters, _ = cluster_codes(ratings, options.random.cluster)
    pairs = np.unique(np.stack([annotator, clusters[row]]), axis=1)
    return units, items, np.bincount(pairs[0], minlength=size).astype(np.float64)
