"""Estimate the covariances of the judges' errors, given the people's labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.judge.comparing import codes_of
from iaa_jax.data.patterns import slots_of
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.decisions import most_probable
from iaa_jax.measure.shared.labels import label_shares

ENOUGH = 20
"""Minimum number of items that two people or more rated, to estimate the errors of people."""

LEAST_TOLD = 0.05
"""Minimum reliability of people's labels along a contrast (a linear combination of labels).

Below it, the contrast is ignored: the judges' covariances along it count as errors.
"""

_DRAWS = 4096
"""Number of juries simulated for each label that people give."""


class Within(NamedTuple):
    """Estimates for each row of item weights (the data's counts, or a replicate).

    Rho is the correlation of two judges' errors: corrected for people's errors (``rho``), without
    the correction (``plain``), and for each pair of judges (``of_pairs``). ``one`` and ``majority``
    are the shares of people's labels that one judge and the majority of judges give.
    """

    rho: Floats
    plain: Floats
    one: Floats
    majority: Floats
    of_pairs: Floats
    untold: Floats  # number of contrasts in which people's errors are not corrected
    reliability: Floats  # reliability of one person's label, averaged over contrasts


@dataclass(frozen=True)
class Jury:
    """The answers of judges and people on the items that all judges rated.

    Items with the same ratings form a pattern.

    Attributes
    ----------
    given : array (pattern, judge, label)
        The answer of each judge, as shares of labels.
    people : array (pattern, label)
        The mean answer of the people.
    same, pairs : array (pattern, label, label)
        Mean outer product of a person's answer with itself, and with another person's.
    count : array (pattern,)
        The number of items with each pattern; 0 if a judge is missing, or people are too few.
    two : bool
        Whether people's errors can be estimated; then only items with two people or more count.
    """

    given: Floats
    people: Floats
    same: Floats
    pairs: Floats
    count: Floats
    two: bool

    @classmethod
    def of(cls, tables: Rated, judges: Integers) -> Jury:
        """Collect the answers on each pattern."""
        codes, who = slots_of(tables.slot_codes)
        shares = label_shares(tables, sets_as_labels=False)
        patterns, labels = len(codes), shares.shape[1]
        judged = codes_of(codes, who, judges)
        given = np.where(judged[:, :, None] >= 0, shares[judged], 0.0)
        person = (codes >= 0) & ~np.isin(who, judges)
        row, slot = np.nonzero(person)
        answer = shares[codes[row, slot]]
        number = person.sum(axis=1)
        total, same = np.zeros((patterns, labels)), np.zeros((patterns, labels, labels))
        np.add.at(total, row, answer)
        np.add.at(same, row, answer[:, :, None] * answer[:, None, :])
        pairs = total[:, :, None] * total[:, None, :] - same
        rated = (judged >= 0).all(axis=1) & (number > 0)
        count = np.where(rated, tables.identified_table.count, 0.0)
        two = bool(count[number > 1].sum() >= ENOUGH)
        count = np.where(number > 1, count, 0.0) if two else count
        panel, others = np.maximum(number, 1), np.maximum(number * (number - 1), 1)
        return cls(
            given,
            total / panel[:, None],
            same / panel[:, None, None],
            pairs / others[:, None, None],
            count,
            two,
        )

    @property
    def majority(self) -> Floats:
        """The label that most judges give, as shares (pattern, label); ties are split."""
        return _most(self.given.sum(axis=1))

    def sums(self) -> csr_array:
        """Return what an item of each pattern adds to the sums that `within` takes."""
        patterns, judges, _ = self.given.shape
        both = self.given @ self.given.transpose(0, 2, 1)
        right = np.stack(
            [
                np.einsum("pjl,pl->p", self.given, self.people) / judges,
                np.einsum("pl,pl->p", self.majority, self.people),
            ],
            axis=1,
        )
        parts = [self.given, both, self.people, self.same, self.pairs, right]
        crossed = [self.given[:, j, :, None] * self.people[:, None, :] for j in range(judges)]
        flat = [csr_array(part.reshape(patterns, -1)) for part in (*parts, *crossed)]
        return csr_array(hstack([*flat, csr_array(np.ones((patterns, 1)))]))

    def within(self, sums: Floats) -> Within:
        """Compute the correlations and accuracies from each row of ``sums``."""
        _, judges, labels = self.given.shape
        rows = len(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.nan_to_num(sums / sums[:, -1:])
        square = labels * labels
        sizes = [judges * labels, judges**2, labels, square, square, 2]
        *parts, crossed = np.split(mean[:, :-1], np.cumsum(sizes), axis=1)
        given, both, people, same, pairs, right = parts
        given = given.reshape(rows, judges, labels)
        crossed = crossed.reshape(rows, judges, labels, labels)
        outer = people[:, :, None] * people[:, None, :]
        across = both.reshape(rows, judges, judges) - given @ given.transpose(0, 2, 1)
        crossed = crossed - given[..., None] * people[:, None, None, :]
        spread, reliable = np.linalg.eigh(same.reshape(rows, labels, labels) - outer)
        kept = spread > 1e-9 * np.maximum(spread[:, -1:], 1e-300)
        root = np.where(kept, 1 / np.sqrt(np.where(kept, spread, 1.0)), 0.0)
        whitened = reliable * root[:, None, :]
        plain = _common(crossed, whitened, np.ones_like(spread))
        agreed = pairs.reshape(rows, labels, labels) - outer
        reliable_part, turned = np.linalg.eigh(whitened.transpose(0, 2, 1) @ agreed @ whitened)
        enough = reliable_part >= LEAST_TOLD
        untold = kept.sum(axis=1) - enough.sum(axis=1)
        known = np.where(enough, 1 / np.where(enough, reliable_part, 1.0), 0.0)
        errors = across - _common(crossed, whitened @ turned, known)
        if not self.two:
            errors = np.full_like(errors, np.nan)
        variance = np.diagonal(errors, axis1=1, axis2=2)
        with np.errstate(invalid="ignore", divide="ignore"):
            root = np.sqrt(variance)
            of_pairs = errors / (root[:, :, None] * root[:, None, :])
        rho = _mean_correlation(errors)
        plain_rho = _mean_correlation(across - plain)
        reliability = reliable_part.sum(axis=1) / np.maximum(kept.sum(axis=1), 1)
        return Within(rho, plain_rho, right[:, 0], right[:, 1], of_pairs, untold, reliability)

    def independent(self, reliability: float, seed: int) -> float:
        """Estimate the share of people's labels that a majority of independent judges would give.

        Given the people's label t, a judge gives label x with probability ``P(x | t)``. The
        people's errors shrink the deviation of this probability from ``P(x)`` by a factor c, where
        c^2 is the reliability of one person's label. If a wrong label of the people is any label
        as often as it occurs, the judge's probability given the true label is therefore ``P(x) +
        (P(x | t) - P(x)) / c``.
        """
        if not self.two or not reliability > 0:
            return np.nan
        left = np.sqrt(reliability)
        gold = self.people * self.count[:, None]
        often = gold.sum(axis=0) / gold.sum()
        usual = np.einsum("p,pjl->jl", self.count, self.given) / self.count.sum()
        random, right = stream(seed, Purpose.JURIES), 0.0
        for label in np.flatnonzero(often > 0).tolist():
            blurred = np.einsum("p,pjl->jl", gold[:, label], self.given) / gold[:, label].sum()
            chance = np.clip(usual + (blurred - usual) / left, 0.0, None)
            votes = np.zeros((_DRAWS, len(often)))
            for of_judge in chance:
                votes += random.multinomial(1, of_judge / of_judge.sum(), _DRAWS)
            share = _most(votes).mean(axis=0)
            right += often[label] * (left * share[label] + (1 - left) * (share @ often))
        return float(right)


def _most(votes: Floats) -> Floats:
    """Return 1 for the label with the most votes (row, label), split among tied labels."""
    top = most_probable(votes)
    return np.asarray(top / top.sum(axis=1, keepdims=True))


def _common(crossed: Floats, contrasts: Floats, inverse: Floats) -> Floats:
    """Return the judges' covariances that are due to the people's labels (row, judge, judge)."""
    rows, judges = crossed.shape[:2]
    part = crossed @ contrasts[:, None]
    scaled = (part * inverse[:, None, None, :]).reshape(rows, judges, -1)
    return np.asarray(scaled @ part.reshape(rows, judges, -1).transpose(0, 2, 1))


def _mean_correlation(errors: Floats) -> Floats:
    """Return the mean covariance of errors divided by their mean variance."""
    judges = errors.shape[1]
    variance = np.trace(errors, axis1=1, axis2=2)
    between = errors.sum(axis=(1, 2)) - variance
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = between / (judges - 1) / variance
    return np.asarray(np.where(variance > 1e-12, ratio, np.nan))
