"""Generating models: the probability of each rating pattern in an endless population of items.

An item has a true label and is easy (7 in 10) or hard. An annotator knows the label with a chance
of his own, lower on hard items, and else guesses from a distribution of his own (near the right
label where labels are ordered). The chances are shifted together until Fleiss' kappa in the
population is what the design says.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from coverage_study.designs import PREVALENCE, Design
from iaa_jax import kernels

Floats = NDArray[np.floating]
Codes = NDArray[np.integer]

HARD, HARDER = 0.3, 1.5
"""Share of hard items, and how much harder they are, in logits."""

OFFSETS, OFFSET_SPREAD = 0.5, 0.7
"""Fixed annotators differ by so much from the middle one at most, random ones by this deviation."""

MISSING, OF_CROWD, TILT = 0.2, 3, 0.6
"""Share of missing ratings; ratings an item in a crowd; how much documents differ in labels."""

GUESS_SIZE = 10.0
"""Concentration of the guesses of random annotators around the prevalence."""


@dataclass(frozen=True)
class Population:
    """Patterns (-1: no rating) and their probabilities, a row for each kind of document."""

    codes: Codes  # (pattern, place)
    probability: Floats  # (kind, pattern)
    kinds: Floats  # (kind,) the share of each kind of document

    @property
    def overall(self) -> Floats:
        """The probability of each pattern, whatever the document."""
        return self.kinds @ self.probability


@dataclass(frozen=True)
class Annotators:
    """How annotators differ: (..., annotator) in logits, and (..., annotator, label) guesses."""

    offset: Floats
    guess: Floats

    def answers(self, shift: float, ordered: bool) -> Floats:
        """Probability (..., easy or hard, true label, annotator, label) of each answer."""
        labels = self.guess.shape[-1]
        knows = np.stack([expit(shift + self.offset - harder) for harder in (0, HARDER)], axis=-2)
        return _answers(knows[..., None, :], self.guess[..., None, None, :, :], labels, ordered)


def _answers(knows: Floats, guess: Floats, labels: int, ordered: bool) -> Floats:
    """``knows`` (..., difficulty, 1, annotator); ``guess`` (..., 1, 1, annotator, label)."""
    true = np.eye(labels)[:, None, :]
    if ordered:
        apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels)))
        guess = guess * np.exp(-apart)[:, None, :]
        guess = guess / guess.sum(axis=-1, keepdims=True)
    return knows[..., None] * true + (1 - knows[..., None]) * guess


def fixed_annotators(design: Design) -> Annotators:
    """Annotators of the design, from lenient to strict, each with a label that he likes."""
    prevalence = prevalence_of(design)
    liked = np.arange(design.annotators)[:, None] % design.labels == np.arange(design.labels)
    guess = prevalence * np.where(liked, 1.5, 1.0)
    offset = np.linspace(-OFFSETS, OFFSETS, design.annotators)
    return Annotators(offset, guess / guess.sum(axis=1, keepdims=True))


def random_annotators(design: Design, sets: int, stream: np.random.Generator) -> Annotators:
    """New annotators for each data set."""
    size = (sets, design.annotators)
    offset = stream.normal(scale=OFFSET_SPREAD, size=size)
    return Annotators(offset, stream.dirichlet(GUESS_SIZE * prevalence_of(design), size=size))


def mean_answers(design: Design, shift: float) -> Floats:
    """Answers (difficulty, true label, 2, label) of two annotators like all there are together.

    Random annotators know the label or guess independently of one another: a pair of them agrees
    as often as a pair that answers with the mean probabilities.
    """
    node, weight = np.polynomial.hermite_e.hermegauss(41)
    logit = shift + OFFSET_SPREAD * node
    knows = [expit(logit - harder) @ weight / weight.sum() for harder in (0, HARDER)]
    both = np.repeat(np.array(knows)[:, None, None], 2, axis=2)
    guess = np.broadcast_to(prevalence_of(design), (1, 1, 2, design.labels))
    return _answers(both, guess, design.labels, design.ordered)


def prevalence_of(design: Design) -> Floats:
    """Shares of the true labels."""
    return np.array(PREVALENCE[design.prevalence][design.labels])


def population(design: Design, answers: Floats) -> Population:
    """Patterns and probabilities of fixed annotators, from their answers."""
    prevalence = prevalence_of(design)
    hard = np.array([1 - HARD, HARD])
    if not design.document:
        codes, chance = _patterns(design, answers)
        whole = np.einsum("d,t,dtp->p", hard, prevalence, chance)
        return Population(codes, whole[None, :] / whole.sum(), np.ones(1))
    # documents are easy or hard as a whole, and lean to one label
    codes, chance = _patterns(design, answers)
    lean = (1 - TILT) * prevalence + TILT * np.eye(design.labels)
    of_kind = np.einsum("kt,dtp->dkp", lean, chance).reshape(-1, len(codes))
    return Population(codes, of_kind, np.outer(hard, prevalence).ravel())


def of_fixed_annotators(design: Design, shift: float) -> Population:
    """Patterns and probabilities of the annotators of the design."""
    return population(design, fixed_annotators(design).answers(shift, design.ordered))


def random_probability(design: Design, answers: Floats) -> tuple[Codes, Floats]:
    """Patterns, and their probabilities (data set, pattern), of annotators drawn anew."""
    codes = _all_codes(design.annotators, design.labels, gaps=False)
    chance = _identified(codes, answers)
    hard = np.array([1 - HARD, HARD])
    return codes, np.einsum("d,t,sdtp->sp", hard, prevalence_of(design), chance)


def shift_of(design: Design) -> float:
    """The shift of all chances at which Fleiss' kappa of the population is the design's."""
    hard, prevalence = np.array([1 - HARD, HARD]), prevalence_of(design)

    def above(shift: float) -> float:
        answers = (
            mean_answers(design, shift)
            if design.annotators_are == "random"
            else fixed_annotators(design).answers(shift, design.ordered)
        )
        # kappa is that of two ratings by any two of the annotators
        codes, chance = _exchangeable(_with_gaps(answers, 0.0), 2)
        weight = np.einsum("d,t,dtp->p", hard, prevalence, chance)
        return float(kernels.fleiss_kappa(mass_of(codes, design.labels), item_weight=weight)[0])

    return brentq(lambda shift: above(shift) - design.agreement, -12.0, 12.0, xtol=1e-10)


def mass_of(codes: Codes, labels: int) -> Floats:
    """One-hot rows, NaN where there is no rating: (..., place, label)."""
    mass = np.eye(labels)[codes]
    mass[codes < 0] = np.nan
    return mass


def _patterns(design: Design, answers: Floats) -> tuple[Codes, Floats]:
    """Patterns, and the probability (difficulty, true label, pattern) of each."""
    full = _with_gaps(answers, 0.0)
    if design.gaps == "crowd":
        return _exchangeable(full, OF_CROWD)
    if design.gaps == "random":
        full = _with_gaps(answers, MISSING)
    if not (design.identified or design.gaps):
        return _exchangeable(full, None)
    parts = [(1.0, full)]
    if design.gaps == "single":
        alone = [_alone(full, annotator) for annotator in range(design.annotators)]
        parts = [(0.5, full), *((0.5 / design.annotators, one) for one in alone)]
    codes = _all_codes(design.annotators, design.labels, gaps=bool(design.gaps))
    chance = sum(share * _identified(codes, part) for share, part in parts)
    rated = (codes >= 0).any(axis=1)  # an item that nobody rated is not in the data
    return codes[rated], chance[..., rated]


def _with_gaps(answers: Floats, missing: float) -> Floats:
    """Answers with a last place for none."""
    none = np.full((*answers.shape[:-1], 1), missing)
    return np.concatenate([(1 - missing) * answers, none], axis=-1)


def _alone(answers: Floats, annotator: int) -> Floats:
    """Only one annotator answers."""
    alone = np.zeros_like(answers)
    alone[..., -1] = 1.0
    alone[..., annotator, :] = answers[..., annotator, :]
    return alone


def _all_codes(annotators: int, labels: int, *, gaps: bool) -> Codes:
    return np.array(list(product(range(-1 if gaps else 0, labels), repeat=annotators)))


def _identified(codes: Codes, answers: Floats) -> Floats:
    """Probability (..., difficulty, true label, pattern) of the answers of all annotators."""
    chance = np.ones((*answers.shape[:-2], len(codes)))
    for annotator, code in enumerate(codes.T):
        chance = chance * answers[..., annotator, :][..., code]
    return chance


def _exchangeable(answers: Floats, chosen: int | None) -> tuple[Codes, Floats]:
    """The same by counts of labels; with ``chosen``, of so many annotators chosen at random."""
    *kinds, annotators, places = answers.shape
    chances: dict[tuple[int, ...], Floats] = {(0,) * (places - 1): np.ones(kinds)}
    for annotator in range(annotators):
        own = answers[..., annotator, :]
        found: dict[tuple[int, ...], Floats] = {}
        for counts, chance in chances.items():
            skipped = chance if chosen is not None else chance * own[..., -1]
            found[counts] = found.get(counts, 0.0) + skipped
            if sum(counts) == chosen:
                continue
            for label in range(places - 1):
                more = tuple(count + (place == label) for place, count in enumerate(counts))
                found[more] = found.get(more, 0.0) + chance * own[..., label]
        chances = found
    least = 1 if chosen is None else chosen
    kept = sorted(
        counts for counts, chance in chances.items() if sum(counts) >= least and np.any(chance > 0)
    )
    slots = max(sum(counts) for counts in kept)
    codes = np.full((len(kept), slots), -1)
    for row, counts in enumerate(kept):
        codes[row, : sum(counts)] = np.repeat(np.arange(places - 1), counts)
    ways = 1 if chosen is None else comb(annotators, chosen)
    return codes, np.stack([chances[counts] / ways for counts in kept], axis=-1)
