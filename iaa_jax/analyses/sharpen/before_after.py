"""Agreement with equal weights and with those of sharpening, and replicates of both."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.sharpen.alternation import Alternation
from iaa_jax.engine import Prepared, Problem, Resampling, sampled_rows
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.engine.route import over_rows
from iaa_jax.kernels.agreement import Agreement

WEIGHTINGS = ("equal", "annotators", "annotators_and_items")
"""Whose weights a coefficient is computed with: nobody's, the annotators', and the items' too."""

LEAST_REPLICATES = 200
_WORK = 1 << 27
"""Cells of ratings and of what is compared, over all replicates, of automatic intervals."""


class Replicates(NamedTuple):
    """What each replicate comes to."""

    weight: Floats  # (replicate, annotator), NaN for who shares no item there
    kappa: Floats  # (replicate, annotator)
    agreement: Floats  # (replicate, weighting)
    unsettled: int  # replicates that did not converge


def agreement_of(sharpening: Alternation, problem: Problem) -> list[Agreement]:
    """The coefficient with each of the weightings."""
    state, count = sharpening.last, problem.table.count
    of_items = weighted_items(sharpening, state.probability, count)
    equal = np.ones(sharpening.votes.annotators)
    pairs = ((equal, count), (state.skill, count), (state.skill, of_items))
    found = []
    for annotators, items in pairs:
        weighted = replace(problem, annotator_weight=np.asarray(annotators))
        found.append(estimate_at(Prepared([weighted]), weighted, items))
    return found


def weighted_items(sharpening: Alternation, probability: Floats, count: Floats) -> Floats:
    """Weights of items times their counts (..., pattern), worth ``(sum w)^2 / sum w^2`` items.

    An item with one rating has the mean weight: nobody knows how far others would agree.
    """
    own = np.maximum(sharpening.item_weight(probability), sharpening.numbers.least)
    known = np.where(np.isnan(own), 0.0, own)
    counted = np.where(np.isnan(own), 0.0, count)
    mean = _ratio((known * counted).sum(axis=-1), counted.sum(axis=-1))
    weight = np.where(np.isnan(own), mean[..., None], known)
    total, squares = (weight * count).sum(axis=-1), (weight**2 * count).sum(axis=-1)
    return np.asarray(weight * count * _ratio(total, squares)[..., None])


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    return np.asarray(numerator / np.where(denominator > 0, denominator, 1.0))


def affordable(sharpening: Alternation, problem: Problem, replicates: int) -> int:
    """The replicates that automatic intervals take: fewer of large data, or of many sets."""
    cells = int(sharpening.votes.masses.mass.size) + len(WEIGHTINGS) * int(problem.data.size)
    return min(replicates, max(LEAST_REPLICATES, _WORK // cells))


def replicates_of(
    sharpening: Alternation,
    problem: Problem,
    replicates: int,
    seed: int,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> Replicates:
    """Sharpening, and the coefficient with and without it, on the same items drawn anew."""
    table = problem.table
    weights: list[Floats] = []
    kappas: list[Floats] = []
    settled: list[NDArray[np.bool_]] = []
    waiting: deque[Floats] = deque()

    def rows() -> Iterator[tuple[Floats, ...]]:
        for drawn in _whole_blocks(sampled_rows([table], replicates, seed, resampling)):
            fits = list(sharpening.rows([drawn]))
            skill = np.concatenate([fit.state.skill for fit in fits])
            kappa = np.concatenate([fit.state.kappa for fit in fits])
            shares = np.concatenate([fit.state.probability for fit in fits])
            weights.append(np.where(np.isnan(kappa), np.nan, skill))
            kappas.append(kappa)
            settled.append(np.concatenate([fit.converged for fit in fits]))
            waiting.extend([np.ones_like(skill), skill, skill])
            yield (drawn,)
            yield (drawn,)
            yield (weighted_items(sharpening, shares, drawn),)

    def annotators(_: int) -> Iterator[Floats]:
        while waiting:
            yield waiting.popleft()

    blocks = -(-replicates // BLOCK)
    (agreement,) = over_rows(
        Prepared([problem]),
        [table],
        rows(),
        blocks * len(WEIGHTINGS) * BLOCK,
        annotators=annotators,
        progress=None if progress is None else _of_replicates(progress, replicates),
    )
    by_block = agreement.reshape(blocks, len(WEIGHTINGS), BLOCK)
    return Replicates(
        np.concatenate(weights)[:replicates],
        np.concatenate(kappas)[:replicates],
        by_block.transpose(0, 2, 1).reshape(-1, len(WEIGHTINGS))[:replicates],
        int((~np.concatenate(settled))[:replicates].sum()),
    )


def _of_replicates(progress: Callable[[int, int], None], total: int) -> Callable[[int, int], None]:
    """Progress over blocks of all weightings as that of replicates."""
    return lambda done, rows: progress(min(total, done * total // rows), total)


def _whole_blocks(parts: Iterable[tuple[Floats, ...]]) -> Iterator[Floats]:
    """Rows in blocks of one size: of a large table they come in smaller parts."""
    block: list[Floats] = []
    for (part,) in parts:
        block.append(part)
        if sum(map(len, block)) >= BLOCK:
            yield np.concatenate(block)
            block = []
    if block:
        yield np.concatenate(block)
