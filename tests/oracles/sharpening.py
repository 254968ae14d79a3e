"""Sharpening by plain loops, from its written definition."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

Votes = Mapping[str, Mapping[str, list[float]]]
"""For each item the vote of each annotator who rated it: shares of labels (or degrees of each)."""


class Result(NamedTuple):
    """The result of the alternation."""

    weights: dict[str, float]
    kappas: dict[str, float | None]
    posterior: dict[str, list[float]]
    item_weights: dict[str, float | None]
    iterations: int
    status: str
    residuals: list[float]
    trace: list[dict[str, float]]


def concentration(shares: list[float], kind: str) -> float:
    """A(p): 1 for unanimity, 0 for the uniform distribution."""
    size = len(shares)
    if kind == "none":
        return 1.0
    if kind == "variance":
        value = (sum(p * p for p in shares) - 1 / size) / (1 - 1 / size)
    else:
        value = 1 + sum(p * math.log(p) for p in shares if p > 0) / math.log(size)
    return min(1.0, max(0.0, value))


def group_without(
    votes: Mapping[str, list[float]], left_out: str, weights: Mapping[str, float]
) -> list[float] | None:
    """The label shares of all other annotators on an item; None without others."""
    others = [who for who in votes if who != left_out]
    if not others:
        return None
    total = sum(weights[who] for who in others)
    size = len(votes[left_out])
    return [sum(weights[who] * votes[who][k] for who in others) / total for k in range(size)]


def kappa_of_labels(
    who: str, votes: Votes, weights: Mapping[str, float], kind: str, omega: float
) -> tuple[float | None, int]:
    """The weighted kappa of one annotator against the group, and the items that it stands on."""
    agreed = total = 0.0
    own: list[float] = []
    group: list[float] = []
    items = 0
    for of_item in votes.values():
        if who not in of_item:
            continue
        p = group_without(of_item, who, weights)
        if p is None:
            continue
        items += 1
        x = of_item[who]
        own = own or [0.0] * len(x)
        group = group or [0.0] * len(x)
        w = max(omega, concentration(p, kind))
        total += w
        for k in range(len(x)):
            agreed += w * x[k] * p[k]
            own[k] += w * x[k]
            group[k] += w * p[k]
    if not items:
        return None, 0
    expected = sum(f / total * g / total for f, g in zip(own, group, strict=True))
    if 1 - expected < 1e-9:
        return 0.0, items
    return (agreed / total - expected) / (1 - expected), items


def kappa_of_sets(
    who: str, votes: Votes, weights: Mapping[str, float], kind: str, omega: float
) -> tuple[float | None, int]:
    """Kappa for label sets: each label of an item is a yes or no of its own."""
    size = len(next(iter(next(iter(votes.values())).values())))
    agreed = 0.0
    total, own, group = [0.0] * size, [0.0] * size, [0.0] * size
    items = 0
    for of_item in votes.values():
        if who not in of_item:
            continue
        q = group_without(of_item, who, weights)
        if q is None:
            continue
        items += 1
        x = of_item[who]
        for k in range(size):
            w = max(omega, concentration([q[k], 1 - q[k]], kind))
            agreed += w * (x[k] * q[k] + (1 - x[k]) * (1 - q[k]))
            total[k] += w
            own[k] += w * x[k]
            group[k] += w * q[k]
    if not items:
        return None, 0
    expected = 0.0
    for k in range(size):
        f, g = own[k] / total[k], group[k] / total[k]
        expected += total[k] / sum(total) * (f * g + (1 - f) * (1 - g))
    if 1 - expected < 1e-9:
        return 0.0, items
    return (agreed / sum(total) - expected) / (1 - expected), items


def sharpen(
    votes: Votes,
    *,
    kind: str = "entropy",
    link: str = "linear",
    eps: float = 0.01,
    omega: float = 0.01,
    tol: float = 1e-6,
    max_iter: int = 500,
    n0: float = 0.0,
    sets: bool = False,
) -> Result:
    """The alternation to its end."""
    names = sorted({who for of_item in votes.values() for who in of_item})
    labels = 2 if sets else len(next(iter(next(iter(votes.values())).values())))
    kappa_of = kappa_of_sets if sets else kappa_of_labels

    def step(a: dict[str, float]) -> tuple[dict[str, float], dict[str, float | None]]:
        found = {who: kappa_of(who, votes, a, kind, omega) for who in names}
        known = {who: (kappa, n) for who, (kappa, n) in found.items() if kappa is not None}
        b: dict[str, float] = {}
        if known:
            mean = sum(n * kappa for kappa, n in known.values())
            mean /= sum(n for _, n in known.values())
            for who, (kappa, n) in known.items():
                shrunk = (n * kappa + n0 * mean) / (n + n0)
                b[who] = max(shrunk, eps)
                if link == "logodds":
                    t = min(b[who], 0.99)
                    b[who] = math.log((1 + (labels - 1) * t) / (1 - t))
        scale = sum(b.values()) / len(b) if b else 1.0
        mapped = {who: b[who] / scale if who in b else 1.0 for who in names}
        return mapped, {who: kappa for who, (kappa, _) in found.items()}

    a = dict.fromkeys(names, 1.0)
    eta, best, waited = 1.0, math.inf, 0
    least, kept = math.inf, (a, dict.fromkeys(names, None))
    residuals: list[float] = []
    trace = [a]
    status = "max_iter"
    for _ in range(max_iter):
        mapped, kappas = step(a)
        r = max(abs(mapped[who] - a[who]) for who in names)
        residuals.append(r)
        if r < tol:
            kept, status = (mapped, kappas), "converged"
            trace.append(mapped)
            break
        if r < least:
            least, kept = r, (a, kappas)
        if r < 0.99 * best:
            best, waited = r, 0
        else:
            waited += 1
            if waited == 5:
                eta, best, waited = max(eta / 2, 1 / 64), r, 0
        a = {who: a[who] + eta * (mapped[who] - a[who]) for who in names}
        trace.append(a)
    weights, kappas = kept
    posterior: dict[str, list[float]] = {}
    item_weights: dict[str, float | None] = {}
    for item, of_item in votes.items():
        total = sum(weights[who] for who in of_item)
        size = len(next(iter(of_item.values())))
        shares = [
            sum(weights[who] * x[k] for who, x in of_item.items()) / total for k in range(size)
        ]
        posterior[item] = shares
        each = [concentration([q, 1 - q], kind) for q in shares]
        together = sum(each) / len(each) if sets else concentration(shares, kind)
        item_weights[item] = together if len(of_item) > 1 else None
    return Result(
        weights, kappas, posterior, item_weights, len(residuals), status, residuals, trace
    )
