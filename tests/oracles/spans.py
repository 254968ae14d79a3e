"""Matches of spans by trying every way to pair them, and F1 from what is found.

A unit is its parts, each a start and an end, and its label. What two annotators marked are two
lists of units; documents are ``{document: {annotator: [unit, ...]}}``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

Unit = tuple[tuple[tuple[int, int], ...], str]
Marks = list[Unit]
Documents = dict[str, dict[str, Marks]]
NONE = "(none)"


def places(unit: Unit) -> list[int]:
    """Every place that it covers, in all its parts."""
    return [place for start, end in unit[0] for place in range(start, end)]


def overlap(a: Unit, b: Unit) -> int:
    """How many places both cover."""
    return len(set(places(a)) & set(places(b)))


def touches(a: Unit, b: Unit) -> bool:
    """Whether they have a place in common, or the same boundaries."""
    return overlap(a, b) > 0 or a[0] == b[0]


def pairings(
    first: Marks, second: Marks, may: Callable[[Unit, Unit], bool]
) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair units one to one, some left alone, where two may be paired."""

    def rest(begin: int, free: frozenset[int]) -> Iterator[list[tuple[int, int]]]:
        if begin == len(first):
            yield []
            return
        yield from rest(begin + 1, free)
        for other in free:
            if may(first[begin], second[other]):
                for further in rest(begin + 1, free - {other}):
                    yield [(begin, other), *further]

    yield from rest(0, frozenset(range(len(second))))


def _most(first: Marks, second: Marks, may: Callable[[Unit, Unit], bool]) -> int:
    return max(len(pairing) for pairing in pairings(first, second, may))


def _by_label(first: Marks, second: Marks, may: Callable[[Unit, Unit], bool]) -> Counter[str]:
    labels = {unit[1] for unit in (*first, *second)}
    return Counter(
        {
            label: _most(*([u for u in marks if u[1] == label] for marks in (first, second)), may)
            for label in labels
        }
    )


def strict(first: Marks, second: Marks) -> Counter[str]:
    return _by_label(first, second, lambda a, b: a == b)


def partial(first: Marks, second: Marks) -> Counter[str]:
    return _by_label(first, second, lambda a, b: a[1] == b[1] and touches(a, b))


def boundary(first: Marks, second: Marks) -> Counter[str]:
    return Counter({"": _most(first, second, lambda a, b: a[0] == b[0])})


def half_credit(first: Marks, second: Marks) -> Counter[str]:
    best = max(
        (
            sum(first[a][0] == second[b][0] for a, b in pairing),
            sum(first[a][0] != second[b][0] for a, b in pairing),
        )
        for pairing in pairings(first, second, touches)
    )
    return Counter({"": best[0] + best[1] / 2})


def token(first: Marks, second: Marks) -> Counter[str]:
    tokens = [
        Counter((unit[1], place) for unit in marks for place in places(unit))
        for marks in (first, second)
    ]
    shared: Counter[str] = Counter()
    for (label, _), count in (tokens[0] & tokens[1]).items():
        shared[label] += count
    return shared


def gate(first: Marks, second: Marks, of_partial: float) -> Counter[str]:
    """One couple after another, the one that is worth most less its rivals before the others."""
    couples = [
        (a, b)
        for a in range(len(first))
        for b in range(len(second))
        if touches(first[a], second[b])
    ]
    worth = {
        (a, b): {(True, True): 3, (False, True): 2, (True, False): 1, (False, False): 0}[
            first[a][0] == second[b][0], first[a][1] == second[b][1]
        ]
        for a, b in couples
    }

    def rank(couple: tuple[int, int]) -> tuple[int, ...]:
        rivals = [c for c in couples if c != couple and (c[0] == couple[0] or c[1] == couple[1])]
        one, other = first[couple[0]], second[couple[1]]
        ends = [
            (min(start for start, _ in unit[0]), max(end for _, end in unit[0]))
            for unit in (one, other)
        ]
        return (
            -(worth[couple] - sum(worth[rival] for rival in rivals)),
            -worth[couple],
            -sum(
                max(0, min(e, f) - max(s, t)) for s, e in one[0] for t, f in other[0]
            ),  # parts of a unit do not overlap here
            min(ends[0][1], ends[1][1]),
            max(ends[0][1], ends[1][1]),
            min(ends[0][0], ends[1][0]),
            max(ends[0][0], ends[1][0]),
        )

    shared: Counter[str] = Counter()
    left = sorted(couples, key=rank)
    while left:
        a, b = left[0]
        left = [couple for couple in left if couple[0] != a and couple[1] != b]
        if first[a][1] == second[b][1]:
            shared[first[a][1]] += 1 if worth[a, b] == 3 else of_partial
    return shared


MATCHES: dict[str, Callable[[Marks, Marks], Counter[str]]] = {
    "strict": strict,
    "partial": partial,
    "boundary": boundary,
    "half_credit": half_credit,
    "token": token,
    "gate_strict": lambda a, b: gate(a, b, 0.0),
    "gate_lenient": lambda a, b: gate(a, b, 1.0),
    "gate_average": lambda a, b: gate(a, b, 0.5),
}


def held(match: str, marks: Marks) -> Counter[str]:
    """The number of an annotator's marks: units, or places by token."""
    if match in ("boundary", "half_credit"):
        return Counter({"": len(marks)})
    counts: Counter[str] = Counter()
    for unit in marks:
        counts[unit[1]] += len(places(unit)) if match == "token" else 1
    return counts


def pair_sums(
    documents: Documents, match: str, *, repeated: bool
) -> dict[tuple[str, str], tuple[Counter[str], Counter[str]]]:
    """For each pair of annotators: matched marks by label, and the marks of both."""
    names = sorted({name for marks in documents.values() for name in marks})
    sums = {}
    for a, b in combinations(names, 2):
        shared: Counter[str] = Counter()
        both: Counter[str] = Counter()
        met = False
        for marks in documents.values():
            if a in marks and b in marks:
                one, other = (
                    marks[name] if repeated else list(dict.fromkeys(marks[name])) for name in (a, b)
                )
                met = True
                shared.update(MATCHES[match](one, other))
                both.update(held(match, one))
                both.update(held(match, other))
        if met:
            sums[a, b] = shared, both
    return sums


def f1(documents: Documents, match: str, average: str, *, repeated: bool = False) -> float:
    """By sums over pairs and labels, or the mean over labels or pairs; NaN where it is 0/0."""
    if average == "documents":
        return _mean_of_documents(documents, match, repeated=repeated)
    sums = pair_sums(documents, match, repeated=repeated)
    shared: Counter[str] = sum((each for each, _ in sums.values()), Counter())
    both: Counter[str] = sum((each for _, each in sums.values()), Counter())
    if average == "pairs":
        figures = [_ratio(s.total(), h.total(), match) for s, h in sums.values()]
    elif average == "macro":
        figures = [2 * shared[label] / both[label] for label in both if both[label]]
    else:
        figures = [_ratio(shared.total(), both.total(), "")]
    figures = [each for each in figures if each == each]
    return sum(figures) / len(figures) if figures else float("nan")


def _mean_of_documents(documents: Documents, match: str, *, repeated: bool) -> float:
    """Task by task the mean over pairs of annotators, then the mean over tasks.

    From HumanSignal's guide (docs/source/guide/stats.md of label-studio): the agreement of a task
    is the mean of the scores of its pairs of annotations, F1 = 2 P R / (P + R), and two empty ones
    score 1.
    """
    means = []
    for marks in documents.values():
        scores = []
        for a, b in combinations(sorted(marks), 2):
            one, other = (
                marks[name] if repeated else list(dict.fromkeys(marks[name])) for name in (a, b)
            )
            true = MATCHES[match](one, other).total()
            of_one, of_other = held(match, one).total(), held(match, other).total()
            if not of_one and not of_other:
                scores.append(1.0)
            elif not true:
                scores.append(0.0)
            else:
                precision, recall = true / of_other, true / of_one
                scores.append(2 * precision * recall / (precision + recall))
        if scores:
            means.append(sum(scores) / len(scores))
    return sum(means) / len(means) if means else float("nan")


def _ratio(shared: float, both: float, match: str) -> float:
    if not both:
        return 1.0 if match.startswith("gate") else float("nan")
    return 2 * shared / both


def best_tables(first: Marks, second: Marks, match: str) -> list[dict[Any, int]]:
    """The tables of labels of all best pairings: most equal labels, most others, most overlap."""

    def may(a: Unit, b: Unit) -> bool:
        return a[0] == b[0] if match == "strict" else touches(a, b)

    def value(pairing: list[tuple[int, int]]) -> tuple[int, ...]:
        units = [(first[a], second[b]) for a, b in pairing]
        same = sum(a[1] == b[1] for a, b in units)
        return same, len(units) - same, sum(overlap(a, b) for a, b in units)

    every = list(pairings(first, second, may))
    best = max(map(value, every))
    tables = []
    for pairing in every:
        if value(pairing) == best:
            rows, columns = ({pair[side] for pair in pairing} for side in (0, 1))
            table = Counter((first[a][1], second[b][1]) for a, b in pairing)
            table.update((u[1], NONE) for n, u in enumerate(first) if n not in rows)
            table.update((NONE, u[1]) for n, u in enumerate(second) if n not in columns)
            tables.append(dict(table))
    return tables
