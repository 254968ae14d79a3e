"""Panels of simulated annotators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from labelled import Codes

Random = np.random.Generator

Votes = Callable[[Random, Codes, int], Codes]
"""Makes labels (item, annotator) of the truth and the number of labels."""


@dataclass(frozen=True)
class Panel:
    """Annotators and items; ``published`` has figures of such a panel, by column."""

    name: str
    votes: Votes
    published: dict[str, float]
    items: int = 300
    labels: int = 3

    def drawn(self, rng: Random) -> tuple[Codes, Codes]:
        """Labels (item, annotator), -1 for none, and the truth."""
        truth = rng.integers(0, self.labels, self.items)
        return self.votes(rng, truth, self.labels), truth


def skilled(*skills: float) -> Votes:
    """Right with these probabilities, and else any of the other labels."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        shape = (len(truth), len(skills))
        wrong = (truth[:, None] + rng.integers(1, labels, shape)) % labels
        return np.where(rng.random(shape) < np.array(skills), truth[:, None], wrong)

    return votes


def knowing(*shares: float) -> Votes:
    """Right in these shares of items, and else any label, the true one as well."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        shape = (len(truth), len(shares))
        known = rng.random(shape) < np.array(shares)
        return np.where(known, truth[:, None], rng.integers(0, labels, shape))

    return votes


def good(count: int, low: float = 0.69, high: float = 0.79) -> Votes:
    """Skills evenly spread."""
    return skilled(*np.linspace(low, high, count))


def random(count: int) -> Votes:
    """Any label."""
    return lambda rng, truth, labels: rng.integers(0, labels, (len(truth), count))


def constant(count: int) -> Votes:
    """Always the first label."""
    return lambda _, truth, __: np.zeros((len(truth), count), dtype=np.intp)


def adversaries(count: int, share: float) -> Votes:
    """The label after the true one in this share of items, and else any."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        shape = (len(truth), count)
        other = np.broadcast_to((truth[:, None] + 1) % labels, shape)
        return np.where(rng.random(shape) < share, other, rng.integers(0, labels, shape))

    return votes


def clique(count: int, skill: float | None) -> Votes:
    """All copy one of them, who has this skill or draws any label."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        leader = random(1) if skill is None else skilled(skill)
        return np.repeat(leader(rng, truth, labels), count, axis=1)

    return votes


def biased(count: int, share: float, skill: float) -> Votes:
    """Each has a favourite label, given in this share of items whatever they are."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        shape = (len(truth), count)
        favourite = np.broadcast_to(np.arange(count) % labels, shape)
        own = skilled(*[skill] * count)(rng, truth, labels)
        return np.where(rng.random(shape) < share, favourite, own)

    return votes


def sparse(count: int, each: int, low: float, high: float) -> Votes:
    """A crowd of which each item has a few votes."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        table = skilled(*rng.uniform(low, high, count))(rng, truth, labels)
        chosen = rng.random(table.shape).argsort(axis=1) < each
        return np.where(chosen, table, -1)

    return votes


def hard(count: int, skill: float, on_hard: float) -> Votes:
    """Even annotators, and a half of the items on which all are worse."""

    def votes(rng: Random, truth: Codes, labels: int) -> Codes:
        easy = rng.random((len(truth), 1)) < 0.5
        rights = (skilled(*[each] * count)(rng, truth, labels) for each in (skill, on_hard))
        return np.where(easy, *rights)

    return votes


def together(*parts: Votes) -> Votes:
    """Several side by side."""
    return lambda rng, truth, labels: np.hstack([part(rng, truth, labels) for part in parts])


OF_TABLE = "majority wawa dawid_skene one_coin sharpen"


def published(
    *figures: float, names: str = "majority wawa dawid_skene one_coin sharpen"
) -> dict[str, float]:
    """Figures in the order of the published table."""
    return dict(zip(names.split(), figures, strict=False))


PANELS = (
    Panel(
        "4 good, 6 random",
        together(good(4), random(6)),
        published(0.743, 0.822, 0.886, 0.895, 0.890),
    ),
    Panel(
        "4 good, 4 constant",
        together(good(4), constant(4)),
        published(0.426, 0.320, 0.890, 0.320, 0.891),
    ),
    Panel(
        "6 good, 3 adversaries",
        together(good(6), adversaries(3, 0.95)),
        published(0.694, 0.786, 0.959, 0.961, 0.886),
    ),
    Panel(
        "4 good, 5 adversaries",
        together(good(4), adversaries(5, 0.6)),
        published(0.391, 0.332, 0.021, 0.021, 0.109),
    ),
    Panel(
        "5 good, clique of 3",
        together(good(5, 0.55, 0.85), clique(3, 0.6)),
        published(0.777, 0.709, 0.601, 0.601, 0.620),
    ),
    Panel("5 class-biased", biased(5, 0.3, 0.85), published(0.904, 0.904, 0.919, 0.754, 0.898)),
    Panel(
        "100 workers, 5 per item",
        sparse(100, 5, 0.35, 0.9),
        published(0.801, 0.845, 0.822, 0.866, 0.875),
    ),
    Panel(
        "hard items, even annotators",
        hard(5, 0.8, 0.47),
        {"majority": 0.765, "sharpen": 0.765},
    ),
)
"""The panels of the published table."""

_OF_TRIAL = "majority wawa sharpen left_in noItem dawid_skene"


def _trial(name: str, votes: Votes, *figures: float) -> Panel:
    of = published(*figures, names=_OF_TRIAL)
    return Panel(name, votes, {key.replace("_in", " in"): each for key, each in of.items()}, 400, 4)


TRIAL = (
    _trial(
        "skills .9 .8 .7 .5 .2",
        knowing(0.9, 0.8, 0.7, 0.5, 0.2),
        0.944,
        0.967,
        0.967,
        0.967,
        0.970,
        0.965,
    ),
    _trial(
        "one expert, four weak",
        knowing(0.93, 0.42, 0.42, 0.42, 0.42),
        0.858,
        0.919,
        0.919,
        0.919,
        0.919,
        0.947,
    ),
    _trial(
        "three good, three spammers",
        together(knowing(0.85, 0.85, 0.85), random(3)),
        0.875,
        0.969,
        0.972,
        0.972,
        0.974,
        0.972,
    ),
    _trial(
        "three good, a clique of two copying noise",
        together(knowing(0.8, 0.8, 0.8), clique(2, None)),
        0.801,
        0.883,
        0.943,
        0.892,
        0.955,
        0.952,
    ),
)
"""The panels of the trial."""
