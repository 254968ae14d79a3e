"""Answers of the same annotators to the same items, by loops over rows (item, annotator, label)."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from statistics import mean

Row = tuple[object, str, object]


def _cells(rows: list[Row]) -> dict[object, dict[str, list[object]]]:
    cells: dict[object, dict[str, list[object]]] = defaultdict(lambda: defaultdict(list))
    for item, annotator, label in rows:
        cells[item][annotator].append(label)
    return cells


def _far(x: object, y: object) -> float:
    return (x - y) ** 2 if isinstance(x, float) and isinstance(y, float) else float(x != y)


def occasions(rows: list[Row], who: set[str]) -> tuple[float, float, float]:
    """W / (2 B), and how far one answer, and the most frequent or the mean one, are from others."""
    within, one, together = [], [], []
    for of_item in _cells(rows).values():
        for annotator in who & of_item.keys():
            own = of_item[annotator]
            others = [answers for name, answers in of_item.items() if name != annotator]
            if len(own) < 2 or not others:
                continue
            within.append(mean(_far(x, y) for x, y in combinations(own, 2)))
            from_all = {
                x: mean(mean(_far(x, y) for y in answers) for answers in others) for x in own
            }
            one.append(mean(from_all[x] for x in own))
            if isinstance(own[0], float):
                together.append(
                    mean(mean(_far(mean(own), y) for y in answers) for answers in others)
                )
            else:
                most = max(Counter(own).values())
                top = [x for x, number in Counter(own).items() if number == most]
                together.append(mean(from_all[x] for x in top))
    return mean(within) / (2 * mean(one)), mean(one), mean(together)


def deviation(rows: list[Row], who: set[str]) -> float:
    """The root of the mean variance of an annotator's answers, n - 1 times for n answers."""
    squares, freedom = 0.0, 0
    for of_item in _cells(rows).values():
        for annotator in who & of_item.keys():
            own = of_item[annotator]
            squares += sum((x - mean(own)) ** 2 for x in own)
            freedom += len(own) - 1
    return (squares / freedom) ** 0.5


def turned(rows: list[Row]) -> dict[object, float]:
    """For answers with each label, the mean share of the annotator's other answers that differ."""
    shares = defaultdict(list)
    for of_item in _cells(rows).values():
        for own in of_item.values():
            for place, label in enumerate(own):
                others = own[:place] + own[place + 1 :]
                if others:
                    shares[label].append(mean(float(label != other) for other in others))
    return {label: mean(values) for label, values in shares.items()}


def changed(rows: list[Row]) -> dict[object, float]:
    """The mean distance of two answers by one annotator, for each item rated again."""
    found = {}
    for item, of_item in _cells(rows).items():
        far = [
            mean(_far(x, y) for x, y in combinations(own, 2))
            for own in of_item.values()
            if len(own) > 1
        ]
        if far:
            found[item] = mean(far)
    return found
