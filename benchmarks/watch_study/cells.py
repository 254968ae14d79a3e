"""The designs, chosen by somebody who wants the sequence to fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from watch_study.laws import Kind, Law, knowing, of_kinds

ORDINAL = {"level": "ordinal"}


def shared(prevalence: float, know: float, annotators: int, **call: object) -> Law:
    """Two labels; annotators see an item's label with the same chance, else guess by prevalence."""
    return of_kinds(knowing((1 - prevalence, prevalence), know, annotators), 2, **call)


def gaps_by_difficulty(coefficient: str = "krippendorff_alpha") -> Law:
    """Hard items, of which little is known, are rated by six; the others by two."""
    two = np.repeat((1.0, 0.0), (2, 4))
    easy = knowing((0.8, 0.2), 0.95, 6, two, share=0.7)
    return of_kinds([*easy, *knowing((0.8, 0.2), 0.15, 6, share=0.3)], 2, coefficient=coefficient)


def own_margins() -> Law:
    """A lenient and a severe annotator, a tenth of the items rated by one of them alone."""
    return of_kinds(
        knowing((0.5, 0.5), 0.5, 2, 0.95, leaning=np.array([[0.9, 0.1], [0.3, 0.7]])),
        2,
        coefficient="cohen_kappa",
    )


def own_margins_of_three() -> Law:
    leaning = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
    kinds = knowing((0.6, 0.3, 0.1), (0.9, 0.6, 0.3), 3, leaning=leaning)
    return of_kinds(kinds, 3, coefficient="conger_kappa")


def steps(prevalence: tuple[float, ...], know: float, rated: float) -> Law:
    """Ordered labels: who does not see it says the next one, or anything."""
    labels = len(prevalence)
    kinds = []
    for at, share in enumerate(prevalence):
        near = np.array([1.0 if abs(at - label) == 1 else 0.1 for label in range(labels)])
        near[at] = 0.0
        said = know * np.eye(labels)[at] + (1 - know) * near / near.sum()
        kinds.append(Kind(share, np.tile(said, (3, 1)), np.full(3, rated)))
    return of_kinds(kinds, labels, options=ORDINAL)


def numbers() -> Law:
    """Numbers from 0 to 10, each annotator off by up to 2."""
    at = np.arange(11)
    share = np.exp(-((at - 4) ** 2) / 8)
    away = np.abs(at[:, None] - at)
    said = np.exp(-0.8 * away) * (away <= 2)
    kinds = [
        Kind(part, np.tile(row / row.sum(), (3, 1)), np.ones(3))
        for part, row in zip(share / share.sum(), said, strict=True)
    ]
    return of_kinds(kinds, 11, numbers=tuple(range(11)), bounds=(0, 10))


def outliers() -> Law:
    """Numbers from 0 to 4, but of two items in a thousand one annotator types 100."""
    kinds = []
    for at in range(5):
        near = np.abs(np.arange(6) - at) == 1
        near[5] = False
        said = np.tile(0.8 * np.eye(6)[at] + 0.2 * near / near.sum(), (3, 1))
        wrong = np.vstack([np.eye(6)[5], said[1:]])
        kinds += [Kind(0.998 / 5, said, np.ones(3)), Kind(0.002 / 5, wrong, np.ones(3))]
    return of_kinds(kinds, 6, numbers=(0.0, 1.0, 2.0, 3.0, 4.0, 100.0), bounds=(0, 100))


def with_many(ratings: int, share: float = 0.005) -> Law:
    """Two ratings that agree, but control items have more that agree on nothing."""
    of_items = [((1 - share) / 2, 2, 0.97), ((1 - share) / 2, 2, 0.03), (share, ratings, 0.5)]
    patterns, chances = [], []
    for part, number, one in of_items:
        for ones in range(number + 1):
            gaps = max(ratings, 2) - number
            patterns.append([1] * ones + [0] * (number - ones) + [-1] * gaps)
            ways = math.comb(number, ones)
            chances.append(part * ways * one**ones * (1 - one) ** (number - ones))
    return Law(np.array(patterns), np.array([chances]), labels=2)


KNOWN = {2: (0.9, 0.5, 0.9, 0.8), 3: (0.3, 0.85, 0.6, 0.95), 6: (0.97, 0.6, 0.9, 0.5)}
"""By annotators: how often a label is seen where the rarer one has .5, .2, .05 or .01."""

CELLS: dict[str, Callable[[], Law]] = {
    **{
        f"{annotators} people, {rare:g}".replace("0.", "."): partial(shared, rare, know, annotators)
        for annotators, row in KNOWN.items()
        for rare, know in zip((0.5, 0.2, 0.05, 0.01), row, strict=True)
    },
    "gaps at random": lambda: of_kinds(knowing((0.8, 0.2), 0.7, 4, 0.6), 2),
    "gaps by difficulty": gaps_by_difficulty,
    "gaps, .02": lambda: of_kinds(knowing((0.98, 0.02), 0.8, 3, 0.7), 2),
    "five steps, ordinal": lambda: steps((0.2,) * 5, 0.6, 1.0),
    "five steps, skewed, gaps, ordinal": lambda: steps((0.82, 0.1, 0.05, 0.02, 0.01), 0.85, 0.9),
    "numbers": numbers,
    "numbers, far outliers": outliers,
    "own margins, Cohen": own_margins,
    "own margins, Conger": own_margins_of_three,
    "3 people, .1, Fleiss": lambda: shared(0.1, 0.9, 3, coefficient="fleiss_kappa"),
    ".05, Gwet AC1": lambda: of_kinds(
        knowing((0.9, 0.05, 0.05), 0.7, 3), 3, coefficient="gwet_ac1"
    ),
    "gaps, Brennan-Prediger": lambda: of_kinds(
        knowing((0.7, 0.15, 0.1, 0.05), 0.8, 3, 0.8), 4, coefficient="brennan_prediger"
    ),
    "gaps by difficulty, percent": lambda: gaps_by_difficulty("percent_agreement"),
    "control items with 40 ratings": lambda: with_many(40),
}
"""Two labels by default, of which the rarer one has the given share; alpha by default."""
