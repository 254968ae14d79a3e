"""Corrected scores by plain loops: every unit and every person is left out and all is done again.

An item is a dict: ``judges``, a pair (above, below) of each judge; ``people``, such a pair by name,
perhaps none; ``probability`` of being rated; ``unit``, what is drawn with it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import stats


class Found(NamedTuple):
    """A figure, its variance over items and in all, degrees of freedom, units, and weights."""

    estimate: float
    of_items: float
    variance: float
    degrees: float
    units: float
    weight: list[float]
    without: dict[Any, float]  # what leaving each unit out changes


Item = dict[str, Any]


def mean_of_people(item: Item, part: int) -> float:
    values = [pair[part] for pair in item["people"].values()]
    return sum(values) / len(values)


def average(pairs: list[tuple[float, float]]) -> float:
    """The weighted mean of (weight, value)."""
    return sum(w * x for w, x in pairs) / sum(w for w, _ in pairs)


def units_of(items: list[Item]) -> dict[Any, list[Item]]:
    units: dict[Any, list[Item]] = {}
    for item in items:
        units.setdefault(item["unit"], []).append(item)
    return units


def moments(items: list[Item], h, f) -> tuple[np.ndarray, int]:
    """Squares and products of unit sums of (judges, people) about their means."""
    rated = [item for item in items if item["people"]]
    weights = [1 / item["probability"] for item in rated]
    values = np.array([[*f(item), h(item)] for item in rated])
    centre = np.average(values, axis=0, weights=weights)
    sums: dict[Any, np.ndarray] = {}
    for item, weight, value in zip(rated, weights, values, strict=True):
        sums[item["unit"]] = sums.get(item["unit"], 0.0) + weight * (value - centre)
    return np.array([*sums.values()]), len(sums)


def tuned(items: list[Item], h, f, judges: int, kept) -> np.ndarray:
    sums, number = moments(items, h, f)
    squares = sums.T @ sums
    own, both, people = squares[:judges, :judges], squares[:judges, judges], squares[judges, judges]
    if not judges or not own.any() or people == 0:
        return np.zeros(judges)
    weight = np.linalg.lstsq(own, both, rcond=1e-9)[0]
    explained = float(weight @ both)
    chance = judges * max(people - explained, 0.0) / max(number - judges - 1, 1)
    if explained <= chance:
        return np.zeros(judges)
    return weight * kept * (1 - chance / explained)


def corrected(
    items: list[Item], *, judges: int, people: bool, finite: bool, use: bool = True
) -> Found:
    """A ratio of two means; without ``use`` of judges, of people alone."""
    rated = [item for item in items if item["people"]]
    design = [1 / item["probability"] for item in rated]
    tops = [mean_of_people(item, 0) for item in rated]
    bottoms = [mean_of_people(item, 1) for item in rated]
    above, below = average([*zip(design, tops)]), average([*zip(design, bottoms)])  # noqa: B905
    ratio = above / below
    used = judges if use else 0

    def h_of(pair: tuple[float, float]) -> float:
        return (pair[0] - ratio * pair[1]) / below

    def h(item: Item) -> float:
        return h_of((mean_of_people(item, 0), mean_of_people(item, 1)))

    def f(item: Item) -> list[float]:
        return [h_of(pair) for pair in item["judges"][:used]]

    sums, _ = moments(items, h, f)
    squared, fourth = (sums[:, :used] ** 2).sum(0) ** 2, (sums[:, :used] ** 4).sum(0)
    kept = np.array([s / (s + 2 * q) if s else 0.0 for s, q in zip(squared, fourth, strict=True)])
    whole = np.array([f(item) for item in items]).reshape(len(items), used).mean(0)

    def shift(some: list[Item], weight: np.ndarray, of_all: np.ndarray) -> float:
        of = [item for item in some if item["people"]]
        chances = [1 / item["probability"] for item in of]
        here = np.average(np.array([f(item) for item in of]).reshape(len(of), used), 0, chances)
        return average([*zip(chances, map(h, of))]) + float(weight @ (of_all - here))  # noqa: B905

    weight = tuned(items, h, f, used, kept)
    estimate = ratio + shift(items, weight, whole)
    units = units_of(items)
    changes, others, free, gained = [], [], [], {}
    for name, own in units.items():
        rest = [item for item in items if item["unit"] != name]
        left = np.array([f(item) for item in rest]).reshape(len(rest), used).mean(0)
        if not any(item["people"] for item in own):
            others.append(float(weight @ (whole - left)))
            gained[name] = 0.0 if finite else -others[-1]
            continue
        of = [item for item in rest if item["people"]]
        without = average([(1 / i["probability"], mean_of_people(i, 1)) for i in of])
        again = tuned(rest, h, f, used, kept)
        change = shift(rest, again, whole if finite else left)
        changes.append(change * (below / without if without > 1e-14 else 1.0))
        gained[name] = changes[-1]
        chances = [item["probability"] for item in own if item["people"]]
        free.append(1 - sum(chances) / len(chances) if finite else 1.0)
    n, middle = len(changes), sum(changes) / len(changes)
    of_items = (n - 1) / n * sum(k * (c - middle) ** 2 for k, c in zip(free, changes, strict=True))
    if not finite:
        of_items += (len(units) - 1) / len(units) * sum(c**2 for c in others)
    if used:
        alone = corrected(items, judges=judges, people=people, finite=finite, use=False)
        if of_items >= alone.of_items:  # nobody is followed
            return alone._replace(weight=[0.0] * used)
    sizes = {name: 0.0 for name in units}
    for item, chance, bottom in zip(rated, design, bottoms, strict=True):
        sizes[item["unit"]] += chance * bottom
    number = sum(sizes.values()) ** 2 / sum(size**2 for size in sizes.values())
    degrees = max(number - 1, 1.0)
    if not people:
        return Found(estimate, of_items, of_items, degrees, number, weight.tolist(), gained)
    variance, persons = over_people(rated, h_of, f, weight, of_items)
    degrees = min(degrees, persons - 1)
    return Found(estimate, of_items, variance, degrees, number, weight.tolist(), gained)


def off(items: list[Item], found: Found, *, judge: int, finite: bool) -> tuple[float, float]:
    """How far a judge alone is from a corrected figure, and the variance of that."""

    def alone(some: list[Item]) -> float:
        above, below = np.sum([item["judges"][judge] for item in some], axis=0)
        return above / below

    units = units_of(items)
    rated, others, free = [], [], []
    for name, own in units.items():
        change = 0.0
        if not finite:
            change = alone([item for item in items if item["unit"] != name]) - alone(items)
        change -= found.without[name]
        chances = [item["probability"] for item in own if item["people"]]
        if chances:
            rated.append(change)
            free.append(1 - sum(chances) / len(chances) if finite else 1.0)
        else:
            others.append(change)
    n, all_units = len(rated), len(units)
    variance = (n - 1) / n * float(free @ (np.array(rated) - np.mean(rated)) ** 2)
    variance += (all_units - 1) / all_units * sum(change**2 for change in others)
    return alone(items) - found.estimate, variance + found.variance - found.of_items


def over_people(rated, h_of, f, weight, of_items):
    """The variance with that of people, who are left out one by one."""
    names = sorted({name for item in rated for name in item["people"]})

    def rest(item: Item, people: dict[str, tuple[float, float]]) -> float:
        centred = np.array(f(item)) - middle
        return sum(map(h_of, people.values())) / len(people) - float(weight @ centred)

    chances = [1 / item["probability"] for item in rated]
    used = len(weight)
    middle = np.average(np.array([f(i) for i in rated]).reshape(len(rated), used), 0, chances)
    total = sum(chances)
    left_out = []
    for name in names:
        pairs = []
        for item, chance in zip(rated, chances, strict=True):
            others = {who: pair for who, pair in item["people"].items() if who != name}
            if others:
                pairs.append((chance, rest(item, others)))
        left_out.append(average(pairs))
    persons, centre = len(names), sum(left_out) / len(names)
    of_people = (persons - 1) / persons * sum((x - centre) ** 2 for x in left_out)
    cells: dict[Any, float] = {}
    for item, chance in zip(rated, chances, strict=True):
        panel = len(item["people"])
        mean = sum(map(h_of, item["people"].values())) / panel
        for name, pair in item["people"].items():
            if panel == 1:
                cell = rest(item, item["people"])
            else:
                cell = (h_of(pair) - mean) / math.sqrt(panel * (panel - 1))
            key = item["unit"], name
            cells[key] = cells.get(key, 0.0) + chance * cell
    in_both = sum(cell**2 for cell in cells.values()) / total**2
    return max(of_items + of_people - in_both, of_items, of_people), persons


def interval(found: Found, confidence: float, *, share: bool) -> tuple[float, float]:
    """Wilson's as the roots of (p - estimate)^2 = z^2 p (1 - p) / n, or Student's."""
    t = stats.t.ppf((1 + confidence) / 2, found.degrees)
    if not share:
        reach = t * math.sqrt(found.variance)
        return found.estimate - reach, found.estimate + reach
    z = stats.norm.ppf((1 + confidence) / 2)
    estimate = min(max(found.estimate, 0.0), 1.0)
    inside = min(max(estimate, 0.5 / (found.units + 1)), 1 - 0.5 / (found.units + 1))
    number = found.units
    if found.variance > 1e-14:
        number = inside * (1 - inside) / found.variance * (z / t) ** 2
    k = z**2 / max(number, 1.0)
    low, high = sorted(np.roots([1 + k, -(2 * estimate + k), estimate**2]).real)
    return max(low, 0.0), min(high, 1.0)
