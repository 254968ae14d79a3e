"""Figures of items, annotators and labels as slow, literal loops over ratings.

Rows are items, columns annotators, a cell is a label or None. Rosenberg, A. and Binkowski, E.
(2004), HLT-NAACL; GATE user guide, appendix F; Krippendorff, K. (2004), Content Analysis,
chapter 11 (coincidences).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

Rows = Sequence[Sequence[Any]]


def item_agreement(row: Sequence[Any]) -> float:
    """Share of agreeing pairs."""
    told = [label for label in row if label is not None]
    pairs = [(a, b) for i, a in enumerate(told) for b in told[i + 1 :]]
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else math.nan


def entropy_in_nats(row: Sequence[Any]) -> float:
    """The sum of -p ln p."""
    told = [label for label in row if label is not None]
    shares = [times / len(told) for times in Counter(told).values()]
    return sum(-p * math.log(p) for p in shares)


def gini(row: Sequence[Any], labels: int) -> float:
    """One minus the sum of p squared, over its largest value."""
    told = [label for label in row if label is not None]
    shares = [times / len(told) for times in Counter(told).values()]
    return (1 - sum(p * p for p in shares)) / (1 - 1 / labels)


def agreement_with_others(rows: Rows, annotator: int) -> float:
    """Share of agreeing ones among all comparisons with another's rating."""
    same = [
        row[annotator] == label
        for row in rows
        if row[annotator] is not None
        for other, label in enumerate(row)
        if other != annotator and label is not None
    ]
    return sum(same) / len(same) if same else math.nan


def agreement_by_item(rows: Rows, annotator: int) -> float:
    """The share of others who agree, item by item, and the mean over items."""
    shares = []
    for row in rows:
        others = [x for k, x in enumerate(row) if k != annotator and x is not None]
        if row[annotator] is not None and others:
            shares.append(sum(x == row[annotator] for x in others) / len(others))
    return sum(shares) / len(shares)


def kappa_against_others(
    rows: Rows, annotator: int, labels: Sequence[Any], weight: Sequence[float] | None = None
) -> float:
    """Kappa of one annotator and the weighted label distribution of the others."""
    observed = 0.0
    own = dict.fromkeys(labels, 0.0)
    group = dict.fromkeys(labels, 0.0)
    items = 0
    for row in rows:
        if row[annotator] is None:
            continue
        shares = dict.fromkeys(labels, 0.0)
        total = 0.0
        for other, label in enumerate(row):
            if other != annotator and label is not None:
                shares[label] += 1.0 if weight is None else weight[other]
                total += 1.0 if weight is None else weight[other]
        if total == 0:
            continue
        items += 1
        observed += shares[row[annotator]] / total
        own[row[annotator]] += 1
        for label in labels:
            group[label] += shares[label] / total
    if not items:
        return math.nan
    expected = sum(own[label] * group[label] for label in labels) / items**2
    return (observed / items - expected) / (1 - expected) if expected != 1 else math.nan


def majority_agreement(rows: Rows, annotator: int, ties: str) -> float:
    """Mean credit against the others' most frequent labels; ties split equally, or skipped."""
    credits = []
    for row in rows:
        others = [x for a, x in enumerate(row) if a != annotator and x is not None]
        if row[annotator] is None or not others:
            continue
        times = Counter(others)
        first = [label for label in times if times[label] == max(times.values())]
        if ties == "skip" and len(first) > 1:
            continue
        credits.append((row[annotator] in first) / len(first))
    return sum(credits) / len(credits) if credits else math.nan


def label_bias(rows: Rows, annotator: int, label: Any) -> float:
    """Own share of a label less that of the others, on the same items."""
    gaps = []
    for row in rows:
        others = [x for a, x in enumerate(row) if a != annotator and x is not None]
        if row[annotator] is not None and others:
            gaps.append((row[annotator] == label) - others.count(label) / len(others))
    return sum(gaps) / len(gaps) if gaps else math.nan


def mean_difference(rows: Rows, annotator: int) -> float:
    """Own number less the mean of the others, on the same items."""
    differences = []
    for row in rows:
        others = [value for a, value in enumerate(row) if a != annotator and value is not None]
        if row[annotator] is not None and others:
            differences.append(float(row[annotator]) - sum(map(float, others)) / len(others))
    return sum(differences) / len(differences) if differences else math.nan


def coincidence(rows: Rows, first: Any, second: Any) -> float:
    """Ordered pairs of ratings with these labels, each item by its ratings less one."""
    total = 0.0
    for row in rows:
        told = [label for label in row if label is not None]
        if len(told) < 2:
            continue
        pairs = [(a, b) for i, a in enumerate(told) for j, b in enumerate(told) if i != j]
        total += pairs.count((first, second)) / (len(told) - 1)
    return total


def davies_fleiss_literal(rows: Rows, labels: Sequence[Any]) -> float:
    """F.4: 1 - (I J^2 - sum Y^2) / (I [J (J - 1) sum p (1 - p) + sum sum (p_cj - p_c)^2])."""
    items, raters = len(rows), len(rows[0])
    squares = sum(list(row).count(label) ** 2 for row in rows for label in labels)
    spread = within = 0.0
    for label in labels:
        each = [sum(row[j] == label for row in rows) / items for j in range(raters)]
        mean = sum(each) / raters
        within += mean * (1 - mean)
        spread += sum((share - mean) ** 2 for share in each)
    top = items * raters**2 - squares
    return 1 - top / (items * (raters * (raters - 1) * within + spread))


def kappa_of_table(table: Sequence[Sequence[float]]) -> float:
    """Cohen's kappa of a contingency table."""
    total = sum(map(sum, table))
    size = range(len(table))
    observed = sum(table[k][k] for k in size) / total
    expected = sum(sum(table[k]) * sum(row[k] for row in table) for k in size) / total**2
    return (observed - expected) / (1 - expected)


def kappa_max_of_table(table: Sequence[Sequence[float]]) -> float:
    """The largest kappa with these margins."""
    total = sum(map(sum, table))
    size = range(len(table))
    rows = [sum(table[k]) / total for k in size]
    columns = [sum(row[k] for row in table) / total for k in size]
    most = sum(min(rows[k], columns[k]) for k in size)
    expected = sum(rows[k] * columns[k] for k in size)
    return (most - expected) / (1 - expected)
