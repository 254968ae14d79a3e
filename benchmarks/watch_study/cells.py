"""The designs, chosen by somebody who wants the sequence to fail."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from watch_study.laws import Kind, Law, alike, knowing, of_kinds

ORDINAL = {"level": "ordinal"}


def shared(prevalence: float, know: float, annotators: int) -> Law:
    """Two labels; annotators see an item's label with the same chance, else guess by prevalence."""
    return of_kinds(knowing((1 - prevalence, prevalence), know, annotators), 2)


def gaps_by_difficulty(coefficient: str = "krippendorff_alpha") -> Law:
    """Hard items, of which little is known, are rated by six; the others by two."""
    two = np.repeat((1.0, 0.0), (2, 4))
    easy = knowing((0.8, 0.2), 0.95, 6, two, share=0.7)
    return of_kinds([*easy, *knowing((0.8, 0.2), 0.15, 6, share=0.3)], 2, coefficient=coefficient)


def copying() -> Law:
    """Of four annotators two write down what the first says, nine times of ten."""
    kinds = []
    for kind in knowing((0.7, 0.3), 0.6, 4):
        for label, chance in enumerate(kind.said[0]):
            given = np.eye(2)[label]
            said = np.stack([given, *[0.9 * given + 0.1 * kind.said[1]] * 2, kind.said[3]])
            kinds.append(Kind(kind.share * chance, said, kind.rated))
    return of_kinds(kinds, 2)


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


def own_margins_weighted() -> Law:
    leaning = np.array([[0.7, 0.2, 0.05, 0.05], [0.05, 0.05, 0.1, 0.8]])
    kinds = knowing((0.4, 0.3, 0.2, 0.1), 0.6, 2, leaning=leaning)
    return of_kinds(kinds, 4, coefficient="cohen_kappa", options={"weights": "quadratic"})


def impossible() -> Law:
    """All agree on 95 % of the items, on the others they do not know."""
    sure = [
        Kind(0.95 * share, np.tile(np.eye(2)[at], (3, 1)), np.ones(3))
        for at, share in enumerate((0.9, 0.1))
    ]
    return of_kinds(
        [*sure, Kind(0.05, np.full((3, 2), 0.5), np.ones(3))], 2, coefficient="fleiss_kappa"
    )


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
    kinds = []
    for at in range(11):
        weight = np.exp(-0.8 * np.abs(np.arange(11) - at)) * (np.abs(np.arange(11) - at) <= 2)
        share = np.exp(-0.5 * (at - 4) ** 2 / 4)
        kinds.append((share, np.tile(weight / weight.sum(), (3, 1))))
    total = sum(share for share, _ in kinds)
    return of_kinds(
        [Kind(share / total, said, np.ones(3)) for share, said in kinds],
        11,
        numbers=tuple(range(11)),
        bounds=(0, 10),
    )


def outliers() -> Law:
    """Numbers from 0 to 4, but of two items in a thousand one annotator types 100."""
    usual, typed = (0.0, 1.0, 2.0, 3.0, 4.0), 0.002
    kinds = []
    for at in range(5):
        near = np.where(np.abs(np.arange(5) - at) == 1, 1.0, 0.0)
        said = np.append(0.8 * np.eye(5)[at] + 0.2 * near / near.sum(), 0.0)
        kinds.append(Kind((1 - typed) / 5, np.tile(said, (3, 1)), np.ones(3)))
        wrong = np.tile(said, (3, 1))
        wrong[0] = np.eye(6)[5]
        kinds.append(Kind(typed / 5, wrong, np.ones(3)))
    return of_kinds(kinds, 6, numbers=(*usual, 100.0), bounds=(0, 100))


def rare_with_many() -> Law:
    """Control items, one in 200, have 40 ratings that agree on nothing; the others two that do."""
    usual = [(0.995 / 2, 2, (0.97, 0.03)), (0.995 / 2, 2, (0.03, 0.97))]
    return alike([*usual, (0.005, 40, (0.5, 0.5))])


CELLS: dict[str, Callable[[], Law]] = {
    "2 people, .5": lambda: shared(0.5, 0.9, 2),
    "2 people, .2": lambda: shared(0.2, 0.5, 2),
    "2 people, .05": lambda: shared(0.05, 0.9, 2),
    "2 people, .01": lambda: shared(0.01, 0.8, 2),
    "3 people, .5": lambda: shared(0.5, 0.3, 3),
    "3 people, .2": lambda: shared(0.2, 0.85, 3),
    "3 people, .05": lambda: shared(0.05, 0.6, 3),
    "3 people, .01": lambda: shared(0.01, 0.95, 3),
    "6 people, .5": lambda: shared(0.5, 0.97, 6),
    "6 people, .2": lambda: shared(0.2, 0.6, 6),
    "6 people, .05": lambda: shared(0.05, 0.9, 6),
    "6 people, .01": lambda: shared(0.01, 0.5, 6),
    "gaps at random": lambda: of_kinds(knowing((0.8, 0.2), 0.7, 4, 0.6), 2),
    "gaps by difficulty": gaps_by_difficulty,
    "gaps, .02": lambda: of_kinds(knowing((0.98, 0.02), 0.8, 3, 0.7), 2),
    "five steps, ordinal": lambda: steps((0.2,) * 5, 0.6, 1.0),
    "five steps, skewed, gaps, ordinal": lambda: steps((0.82, 0.1, 0.05, 0.02, 0.01), 0.85, 0.9),
    "numbers": numbers,
    "numbers, far outliers": outliers,
    "copying": copying,
    "own margins, Cohen": own_margins,
    "own margins, Cohen, quadratic": own_margins_weighted,
    "own margins, Conger": own_margins_of_three,
    "5 % impossible, Fleiss": impossible,
    ".05, Gwet AC1": lambda: of_kinds(
        knowing((0.9, 0.05, 0.05), 0.7, 3), 3, coefficient="gwet_ac1"
    ),
    "gaps, Brennan-Prediger": lambda: of_kinds(
        knowing((0.7, 0.15, 0.1, 0.05), 0.8, 3, 0.8), 4, coefficient="brennan_prediger"
    ),
    "gaps by difficulty, percent": lambda: gaps_by_difficulty("percent_agreement"),
    "control items with 40 ratings": rare_with_many,
}
"""Two labels by default, of which the rarer one has the given share; alpha by default."""
