"""The interval of labels in NumPy alone: what thousands of data sets are measured by.

Patterns of ratings become a row of sums each, so that draws are one product. The pseudo-items are
those of the package; `coverage_study.hostile_study --check` holds the ends to the public functions.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
from scipy.stats import beta

from iaa_jax.measure.intervals.pseudo_items import by_annotator
from iaa_jax.measure.requests import prior

Floats = np.ndarray
Codes = np.ndarray


def distances(name: str, labels: int) -> Floats:
    """Squared differences, or Jaccard's distance of sets that are bits; 0 and 1 by default."""
    code = np.arange(labels)
    if name == "quadratic":
        return np.asarray((code[:, None] - code) ** 2 / max(labels - 1, 1) ** 2)
    if name == "jaccard":
        member = code[:, None] >> np.arange(labels.bit_length()) & 1
        both = member @ member.T
        either = (member[:, None] | member[None]).sum(axis=2)
        return np.where(either == 0, 0.0, 1 - both / np.maximum(either, 1))
    return 1.0 - np.eye(labels)


class Figure(NamedTuple):
    """One figure: what it is, of which label, and how far labels are apart."""

    kind: str
    label: int
    distance: Floats
    plain: bool = True
    by_ratings: bool = False

    @property
    def of_label(self) -> bool:
        """Whether pseudo-items are those of a single label."""
        return self.kind == "specific"

    @property
    def bottom(self) -> float:
        """The least that a share can be."""
        return 0.0 if self.kind in ("percent", "specific") else -np.inf


def figure(name: str, labels: int, distance: str = "") -> Figure:
    """By its name in the designs."""
    kind = name.removesuffix("_first")
    label = 0 if name.endswith("_first") else labels - 1
    return Figure(kind, label, distances(distance, labels), not distance)


def heavy(codes: Codes) -> bool:
    """Whether a few items have most of the pairs: specific agreement then counts by ratings."""
    panel = (codes >= 0).sum(axis=1).astype(float)
    panel = panel[panel >= 2]
    pairs = panel * (panel - 1)
    return bool(np.abs(pairs / pairs.sum() - panel / panel.sum()).sum() / 2 > 0.25)


def sums(codes: Codes, asked: Figure) -> Floats:
    """A row for each pattern (item, annotator), of which any figure is made after adding up."""
    labels = len(asked.distance)
    count = np.stack([(codes == label).sum(axis=1) for label in range(labels)], axis=1)
    count = count.astype(float)
    if asked.kind == "kappa":
        rater = [(codes[:, [k]] == np.arange(labels)) for k in range(codes.shape[1])]
        m = count.sum(axis=1)
        agreed = ((count * (count - 1)).sum(axis=1) / (m * (m - 1)))[:, None]
        return np.concatenate([np.ones((len(codes), 1)), agreed, *rater], axis=1).astype(float)
    if asked.kind == "alpha_of":
        own = count[:, [asked.label]]
        count = np.concatenate([count.sum(axis=1, keepdims=True) - own, own], axis=1)
    m = count.sum(axis=1)
    several = m >= 2
    pairs = np.where(several, m * (m - 1), 1)
    apart = np.where(several, _apart(count, asked), 0)
    used = np.where(several[:, None], count, 0)
    if asked.kind == "percent":
        return np.stack([several, apart / pairs], axis=1).astype(float)
    if asked.kind == "specific":
        own = used[:, asked.label]
        each = np.maximum(m - 1, 1) if asked.by_ratings else 1.0
        return np.stack([own * (m - 1) / each, own * (own - 1) / each], axis=1)
    if asked.kind == "ac1":
        share = count / np.maximum(m, 1)[:, None]
        columns = [several, apart / pairs, m >= 1]
        return np.concatenate([np.stack(columns, axis=1), share], axis=1).astype(float)
    columns = [used.sum(axis=1), apart / np.maximum(m - 1, 1)]
    return np.concatenate([np.stack(columns, axis=1), used], axis=1)


def _apart(count: Floats, asked: Figure) -> Floats:
    """The distances between all pairs of such labels, each with itself too."""
    if asked.kind == "alpha_of" or asked.plain:
        return np.asarray(count.sum(axis=1) ** 2 - (count**2).sum(axis=1))
    return np.asarray(((count @ asked.distance) * count).sum(axis=1))


def value(total: Floats, asked: Figure, annotators: int) -> Floats:
    """The figure of sums (draw, column)."""
    with np.errstate(all="ignore"):
        if asked.kind == "percent":
            return 1 - total[:, 1] / total[:, 0]
        if asked.kind == "specific":
            return total[:, 1] / total[:, 0]
        if asked.kind == "kappa":
            share = total[:, 2:].reshape(len(total), annotators, -1) / total[:, :1, None]
            both = (share.sum(axis=1) ** 2 - (share**2).sum(axis=1)).sum(axis=1)
            chance = both / (annotators * (annotators - 1))
            return (total[:, 1] / total[:, 0] - chance) / (1 - chance)
        if asked.kind == "ac1":
            agreed = 1 - total[:, 1] / total[:, 0]
            share = total[:, 3:] / total[:, [2]]
            labels = share.shape[1]
            likeness = (1 - asked.distance).sum() / (labels * (labels - 1))
            chance = likeness * (share * (1 - share)).sum(axis=1)
            return (agreed - chance) / (1 - chance)
        given = total[:, 2:]
        number = given.sum(axis=1)
        chance = _apart(given, asked) / (number * (number - 1))
        return 1 - total[:, 1] / total[:, 0] / chance


class Patterns(NamedTuple):
    """The patterns of a data set, as few as a figure tells apart, and how many items show each."""

    codes: Codes
    count: Floats


def patterns(codes: Codes, *, identified: bool) -> Patterns:
    """Those of a table."""
    rows = codes if identified else np.sort(codes, axis=1)
    rows = np.ascontiguousarray(rows.astype(np.int16))
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))[:, 0]
    _, first, count = np.unique(whole, return_index=True, return_counts=True)
    return Patterns(rows[first].astype(int), count.astype(float))


def _labels(
    seen: Patterns, declared: int, *, of_label: bool, of_pairs: bool
) -> prior.Labels | None:
    rated = seen.codes >= 0
    several = rated.sum(axis=1)
    used = np.unique(seen.codes[rated])
    if len(used) == 1:  # others could have been given
        used = np.arange(declared)
    if not 1 < len(used) <= prior.MOST_LABELS:
        return None
    item, at = np.nonzero(rated & (several >= 2)[:, None])
    given = np.bincount(seen.codes[item, at], seen.count[item], declared)[used]
    number = seen.count
    if of_label and not of_pairs:  # items of other labels say nothing of the rarest one
        rarest = used[given == given[given > 0].min(initial=np.inf)]
        number = number * np.isin(seen.codes, rarest).any(axis=1)
    sizes = np.bincount(several, number)
    sizes[:2] = 0
    if of_pairs:
        sizes = sizes * np.arange(len(sizes)) * (np.arange(len(sizes)) - 1)
    occurring = np.flatnonzero(sizes)
    mean = sizes @ np.arange(len(sizes)) / sizes.sum()
    ratings = int(occurring[np.argmin(np.abs(occurring - mean).round(9))])
    return prior.Labels(used, ratings, given.astype(float), of_label and len(used) > 2)


def pseudo_items(seen: Patterns, asked: Figure) -> Patterns | None:
    """The package's, as patterns; of a single label those that hold it."""
    if asked.kind == "alpha_of":
        seen = _of_two(seen, asked.label)
    declared = 2 if asked.kind == "alpha_of" else len(asked.distance)
    of_pairs = asked.of_label and not asked.by_ratings
    labels = _labels(seen, declared, of_label=asked.of_label, of_pairs=of_pairs)
    if labels is None:
        return None
    made = prior.pseudo_items(labels)
    if asked.kind == "kappa":
        made, _ = by_annotator(made)
    codes, number = made
    if labels.by_label:
        holds = (codes == asked.label).any(axis=1)
        codes, number = codes[holds], number[holds]
    return Patterns(_back(codes, asked), number)


def _of_two(seen: Patterns, label: int) -> Patterns:
    codes = np.where(seen.codes < 0, -1, (seen.codes == label).astype(int))
    return Patterns(codes, seen.count)


def _back(codes: Codes, asked: Figure) -> Codes:
    """Codes of a label and the rest, as labels that stand for them."""
    if asked.kind != "alpha_of":
        return codes
    other = 0 if asked.label else 1
    return np.where(codes == 1, asked.label, other)


class Before:
    """The rule that was the default before: of a checkout of that commit."""

    def __init__(self, checkout: str | Path) -> None:
        path = Path(checkout) / "iaa_jax" / "measure" / "prior.py"
        spec = importlib.util.spec_from_file_location("prior_before", path)
        assert spec is not None
        assert spec.loader is not None
        self.prior: ModuleType = importlib.util.module_from_spec(spec)
        import sys

        sys.modules["prior_before"] = self.prior
        spec.loader.exec_module(self.prior)

    def pseudo_items(self, seen: Patterns, asked: Figure) -> Patterns | None:
        """Its pseudo-items for labels that agree or not; none by rater, or of other distances."""
        if asked.kind == "kappa" or not asked.plain:
            return None
        if asked.kind == "alpha_of":
            seen = _of_two(seen, asked.label)
        rated = seen.codes >= 0
        several = rated.sum(axis=1)
        pairable = several >= 2
        used = np.unique(seen.codes[rated])
        if len(used) == 1:
            used = np.arange(2 if asked.kind == "alpha_of" else len(asked.distance))
        count = np.stack([(seen.codes[pairable] == label).sum(axis=1) for label in used], axis=1)
        number, size = seen.count[pairable], several[pairable]
        again = number @ (count * (count - 1) / (size - 1)[:, None])
        given = number @ count
        alone = number @ (count == size[:, None])
        agreed = number @ ((count * (count - 1)).sum(axis=1) / (size * (size - 1)))
        told = self.prior.Told(
            np.divide(again, given, out=np.ones(len(used)), where=given > 0),
            number @ (count > 0),
            number.sum() - alone[given.argmax()],
            agreed / number.sum(),
        )
        panels = self.prior._panels(np.bincount(size, number), len(used))
        labels = self.prior.Labels(used, panels, told, None, asked.of_label)
        made = self.prior.pseudo_items(labels)
        return Patterns(_back(made.codes, asked), made.number)


class Ends(NamedTuple):
    """Of one figure of one data set: with the rule as it is, as it was, and of no prior.

    Intervals are arrays (end, level), NaN where there is none.
    """

    estimate: float
    now: Floats
    before: Floats
    without: Floats


LEVELS = (0.95, 0.9, 0.99)
TAILS = np.array([[(1 - level) / 2 for level in LEVELS], [(1 + level) / 2 for level in LEVELS]])
NEAR = 1e-12
MANY = 2.0**40
NONE = np.full((2, len(LEVELS)), np.nan)


def ends(
    codes: Codes,
    asked: Sequence[Figure],
    draw: np.random.Generator,
    replicates: int = 400,
    before: Before | None = None,
) -> list[Ends]:
    """The estimates and their intervals at all levels; figures of all labels share their draws."""
    shared: dict[object, list[int]] = {}
    for place, each in enumerate(asked):
        alone = each.kind in ("specific", "alpha_of", "kappa")
        shared.setdefault(place if alone else "whole", []).append(place)
    found: dict[int, Ends] = {}
    for places in shared.values():
        together = _ends(codes, [asked[k] for k in places], draw, replicates, before)
        found |= dict(zip(places, together, strict=True))
    return [found[place] for place in range(len(asked))]


def _ends(
    codes: Codes,
    asked: Sequence[Figure],
    draw: np.random.Generator,
    replicates: int,
    before: Before | None,
) -> list[Ends]:
    one, annotators = asked[0], codes.shape[1]
    seen = patterns(codes, identified=one.kind == "kappa")
    parts = [sums(seen.codes, each) for each in asked]
    split = np.cumsum([part.shape[1] for part in parts])[:-1]
    rows, count = np.concatenate(parts, axis=1), seen.count
    if one.kind in ("specific", "alpha_of"):  # far fewer are told apart
        rows, of = np.unique(rows, axis=0, return_inverse=True)
        count = np.bincount(of.ravel(), seen.count)
    n = count.sum()
    weight = draw.standard_gamma(count * (n - 1) / n, (replicates, len(count)))
    drawn, number = weight @ rows, weight.sum(axis=1)

    def values(total: Floats) -> list[Floats]:
        each = np.split(total, split, axis=1)
        return [value(part, figure, annotators) for part, figure in zip(each, asked, strict=True)]

    def beside(made: Patterns | None) -> list[Floats]:
        if made is None:
            return [NONE for _ in asked]
        added = draw.standard_gamma(np.maximum(made.count, 1e-12), (replicates, len(made.count)))
        more = np.concatenate([sums(made.codes, each) for each in asked], axis=1)
        total = drawn + added @ more
        return [_quantiles(one) for one in values(total * _to(n, number + added.sum(axis=1)))]

    def alone(made: Patterns | None) -> list[Floats]:
        """The ends with half an item of one pattern alone, or of all items very often."""
        if made is None:
            return [NONE for _ in asked]
        more = np.concatenate([sums(made.codes, each) for each in asked], axis=1)[made.count > 0]
        share = beta.ppf(TAILS[1], made.count.sum() / 2, n - 1)[:, None, None]
        one = (1 - share) * (count @ rows) + share * n * more
        often = np.broadcast_to(count @ rows * MANY, (len(LEVELS), 1, rows.shape[1]))
        both = np.concatenate([one, often], axis=1)
        found = values(both.reshape(-1, rows.shape[1]))
        far = [each.reshape(len(LEVELS), -1) for each in found]
        return [np.stack([np.fmin.reduce(e, axis=1), np.fmax.reduce(e, axis=1)]) for e in far]

    estimates = [float(each[0]) for each in values((count @ rows)[None])]
    plain = [_quantiles(each) for each in values(drawn * _to(n, number))]
    with_item = beside(pseudo_items(seen, one))
    was = beside(before.pseudo_items(seen, one) if before else None)
    still = [
        bool(np.ptp(rubin) < NEAR) and each.bottom + NEAR < estimate < 1 - NEAR
        for rubin, estimate, each in zip(plain, estimates, asked, strict=True)
    ]
    if any(still):
        far = alone(pseudo_items(seen, one))
        plain = [
            other if point else rubin for rubin, other, point in zip(plain, far, still, strict=True)
        ]
    return [
        Ends(
            estimate,
            np.stack([np.fmin(new[0], rubin[0]), np.fmax(new[1], rubin[1])]),
            np.stack([np.minimum(old[0], estimate), np.maximum(old[1], estimate)]),
            rubin,
        )
        for estimate, new, old, rubin in zip(estimates, with_item, was, plain, strict=True)
    ]


def _to(items: float, drawn: Floats) -> Floats:
    return np.asarray((items / drawn)[:, None])


def _quantiles(found: Floats) -> Floats:
    found = np.sort(found[~np.isnan(found)])
    if not len(found):
        return NONE
    place = TAILS * (len(found) - 1)
    below = np.minimum(place.astype(int), max(len(found) - 2, 0))
    part = place - below
    return np.asarray(
        found[below] * (1 - part) + found[np.minimum(below + 1, len(found) - 1)] * part
    )
