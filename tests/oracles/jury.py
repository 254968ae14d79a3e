"""Covariances of judges' errors, by loops over items: {item: {annotator: label}}."""

from __future__ import annotations

from itertools import permutations

import numpy as np

Given = dict[object, dict[str, str]]


def _covariance(pairs: list[tuple[np.ndarray, np.ndarray, float]]) -> np.ndarray:
    """Of vectors x and y, each pair with a weight; one weight an item in all."""
    total = sum(weight for _, _, weight in pairs)
    left = sum(weight * x for x, _, weight in pairs) / total
    right = sum(weight * y for _, y, weight in pairs) / total
    return sum(weight * np.outer(x - left, y - right) for x, y, weight in pairs) / total


def rho(given: Given, judges: list[str], labels: list[str], *, corrected: bool) -> float:
    """Mean covariance of two judges' errors within the people's label over the mean variance."""
    items = [
        of_item
        for of_item in given.values()
        if set(judges) <= of_item.keys() and len(of_item) > len(judges) + 1
    ]

    def vector(label: str) -> np.ndarray:
        return np.array([float(label == other) for other in labels])

    of_people, beside = [], {judge: [] for judge in judges}
    for of_item in items:
        people = [name for name in of_item if name not in judges]
        both = list(permutations(people, 2)) if corrected else [(name, name) for name in people]
        for first, second in both:
            pair = vector(of_item[first]), vector(of_item[second])
            of_people.append((*pair, 1 / len(both)))
        for judge in judges:
            for name in people:
                pair = vector(of_item[judge]), vector(of_item[name])
                beside[judge].append((*pair, 1 / len(people)))
    inverse = np.linalg.inv(_covariance(of_people)[:-1, :-1])
    errors = np.zeros((len(judges), len(judges)))
    for j, judge in enumerate(judges):
        for k, other in enumerate(judges):
            pairs = [(vector(of_item[judge]), vector(of_item[other]), 1.0) for of_item in items]
            here, there = (_covariance(beside[name])[:, :-1] for name in (judge, other))
            errors[j, k] = np.trace(_covariance(pairs) - here @ inverse @ there.T)
    between = errors.sum() - np.trace(errors)
    return float(between / (len(judges) - 1) / np.trace(errors))
