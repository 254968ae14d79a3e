"""Designs of labels chosen to make the automatic interval fail, after its rule was fixed.

Written down before any of them was looked at, and halved by a hash of the name: the half that is
kept was not looked at until the end. Each draws labels (item, annotator), -1 where there is none.
``EARLIER`` are those on which the rule before it was judged; ``AIMED`` came after the first half.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

Codes = np.ndarray
Draw = Callable[[np.random.Generator, int], Codes]

SEED = 20_261_129
WHOLE = ("alpha", "ac1", "percent", "specific")
WITHOUT = ("alpha", "ac1", "percent")
REGIMES = {"a": "rare, hardly agreed on", "b": "many labels, hardly an error", "c": "single labels"}
"""Where the rule before this one failed."""


class Hostile(NamedTuple):
    """So many items, drawn so, and the figures that are asked of them.

    Attributes
    ----------
    figures : sequence of str
        Of a single label (``specific``, ``alpha_of``) the rarest one, the last; with ``_first`` the
        commonest.
    distance : {"", "interval", "quadratic", "jaccard"}
        Of alpha and, as weights, of ``ac1``; labels are the integers, or sets as bits of them.
    """

    name: str
    items: int
    labels: int
    draw: Draw
    figures: Sequence[str] = WHOLE
    distance: str = ""
    regime: str = ""
    many: int = 300_000
    group: str = ""

    @property
    def title(self) -> str:
        """With the number of items."""
        return f"{self.name}, {self.items} items"

    @property
    def half(self) -> str:
        """Looked at first or kept for the end, if it is of no group of its own."""
        half = ("first", "kept")[zlib.crc32(f"{SEED} {self.title}".encode()) & 1]
        return self.group or half


def zipf(labels: int) -> np.ndarray:
    """Shares as 1, 1/2, 1/3, ..."""
    share = 1 / np.arange(1, labels + 1)
    return np.asarray(share / share.sum())


def even(labels: int) -> np.ndarray:
    """All alike."""
    return np.full(labels, 1 / labels)


def two(rare: float) -> np.ndarray:
    """Two labels, the second of such a share."""
    return np.array([1 - rare, rare])


def known(share: np.ndarray, knows: float | Sequence[float], annotators: int) -> Draw:
    """Who does not know the label guesses one as often as it is; by annotator where several."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        true = draw.choice(len(share), (items, 1), p=share)
        guess = draw.choice(len(share), (items, annotators), p=share)
        return np.where(draw.random((items, annotators)) < np.asarray(knows), true, guess)

    return drawn


def errors(share: np.ndarray, error: float, annotators: int) -> Draw:
    """One of the other labels in so many ratings."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        true = draw.choice(len(share), (items, 1), p=share)
        other = (true + draw.integers(1, len(share), (items, annotators))) % len(share)
        return np.where(draw.random((items, annotators)) < error, other, true)

    return drawn


def leaning(mean: float, concentration: float, annotators: int) -> Draw:
    """Items that get the second label with a chance from a beta distribution."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        a, b = mean * concentration, (1 - mean) * concentration
        chance = draw.beta(a, b, (items, 1))
        return (draw.random((items, annotators)) < chance).astype(int)

    return drawn


def opposed(share: np.ndarray, avoids: float, annotators: int) -> Draw:
    """Annotators beside the first who avoid its label in so many items."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        codes = known(share, 0.0, annotators)(draw, items)
        other = (codes[:, :1] + draw.integers(1, len(share), codes.shape)) % len(share)
        other[:, 0] = codes[:, 0]
        return np.where(draw.random(codes.shape) < avoids, other, codes)

    return drawn


def panels(whole: Draw, sizes: dict[int, float]) -> Draw:
    """Panels of such sizes, of the annotators there are."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        codes = whole(draw, items)
        chance = np.array([*sizes.values()])
        size = draw.choice([*sizes], (items, 1), p=chance / chance.sum())
        return np.where(draw.random(codes.shape).argsort(axis=1) < size, codes, -1)

    return drawn


def more_where_they_differ(whole: Draw, first: int = 2) -> Draw:
    """Further annotators only where the first ones differ."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        codes = whole(draw, items)
        differ = (codes[:, :first] != codes[:, :1]).any(axis=1)
        codes[:, first:] = np.where(differ[:, None], codes[:, first:], -1)
        return codes

    return drawn


def until(whole: Draw, votes: int) -> Draw:
    """Ratings until a label has so many votes."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        codes = whole(draw, items)
        labels = codes.max() + 1
        count = (codes[:, :, None] == np.arange(labels)).cumsum(axis=1).max(axis=2)
        before = np.concatenate([np.zeros((items, 1), int), count[:, :-1]], axis=1)
        return np.where(before < votes, codes, -1)

    return drawn


def more_where_yes(whole: Draw, usual: int) -> Draw:
    """All annotators where the first says the last label, else the usual number."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        codes = whole(draw, items)
        codes[:, usual:] = np.where(codes[:, :1] == codes.max(), codes[:, usual:], -1)
        return codes

    return drawn


def luring(draw: np.random.Generator, items: int) -> Codes:
    """Three annotators; of one item in five most take the same wrong label."""
    true = draw.choice(4, (items, 1), p=(0.4, 0.3, 0.2, 0.1))
    lure = (draw.random((items, 1)) < 0.2) & (draw.random((items, 3)) < 0.7)
    answer = np.where(lure, (true + 1) % 4, true)
    return np.where(draw.random((items, 3)) < 0.08, draw.integers(4, size=(items, 3)), answer)


def mixed(share: np.ndarray, hard: float, annotators: int) -> Draw:
    """Items that nobody gets wrong, and some on which all guess evenly."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        true = draw.choice(len(share), (items, 1), p=share)
        guess = draw.integers(len(share), size=(items, annotators))
        return np.where(draw.random((items, 1)) < hard, guess, true)

    return drawn


def private(draw: np.random.Generator, items: int) -> Codes:
    """The third label is the first annotator's own, and nearly nobody else's."""
    true = (draw.random((items, 1)) < 0.3).astype(int)
    codes = np.where(draw.random((items, 4)) < 0.9, true, 1 - true)
    own = draw.random((items, 4)) < np.array([0.2, 0.01, 0.01, 0.01])
    return np.where(own, 2, codes)


def steps(points: int, error: float, annotators: int, *, floor: bool) -> Draw:
    """Points of a scale, most of them the lowest, or evenly."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        value = draw.gamma(0.5, 2.0, (items, 1)) if floor else points * draw.random((items, 1))
        value = value + error * draw.normal(size=(items, annotators))
        return np.clip(np.floor(value), 0, points - 1).astype(int)

    return drawn


def sets_of(chances: Sequence[float], knows: float, annotators: int) -> Draw:
    """Sets of labels, each in or out by itself: codes are the sets' bits."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        shape = (items, annotators, len(chances))
        true = draw.random((items, 1, len(chances))) < np.array(chances)
        member = np.where(draw.random(shape) < knows, true, draw.random(shape) < np.array(chances))
        return (member * 2 ** np.arange(len(chances))).sum(axis=2)

    return drawn


def hostile() -> Iterator[Hostile]:
    """The new ones."""
    of_label = ("specific", "specific_first", "alpha_of", "alpha_of_first")
    told = ("alpha", "ac1", "percent", "kappa", "specific")
    few = {2: 0.9, 50: 0.1}
    yield Hostile("guessing, label 2 %, 30 annotators", 40, 2, known(two(0.02), 0, 30), regime="a")
    yield Hostile("guessing, label 5 %, 8 annotators", 150, 2, known(two(0.05), 0, 8), regime="a")
    yield Hostile("leaning .03 by 32, 15 annotators", 60, 2, leaning(0.03, 32, 15), regime="a")
    yield Hostile("leaning .02 by 9, 6 annotators", 400, 2, leaning(0.02, 9, 6), regime="a")
    yield Hostile("guessing, label .1 %, 5 annotators", 3000, 2, known(two(0.001), 0, 5),
                  regime="a")  # fmt: skip
    yield Hostile("label .5 % known by .1, 50 annotators", 100, 2, known(two(0.005), 0.1, 50),
                  regime="a")  # fmt: skip
    for labels, error, annotators, items in (
        *((20, 0.0002, 2, 1500), (100, 0.001, 2, 600), (30, 0.0005, 2, 3000)),
    ):
        title = f"keyed twice, {labels} labels, {error:g} wrong"
        draw = errors(even(labels), error, annotators)
        yield Hostile(title, items, labels, draw, WITHOUT, regime="b")
    yield Hostile("12 Zipf labels, .001 wrong, 3 annotators", 400, 12, errors(zipf(12), 0.001, 3),
                  WITHOUT, regime="b")  # fmt: skip
    for share, name, knows, annotators, items in (
        *((zipf(40), "Zipf", 0.6, 2, 300), (even(25), "even", 0.9, 2, 100)),
        *((zipf(60), "Zipf", 0.8, 3, 500), (zipf(15), "Zipf", 0.5, 5, 40)),
    ):
        title = f"each of {len(share)} {name} labels known by {knows}, {annotators} annotators"
        draw = known(share, knows, annotators)
        yield Hostile(title, items, len(share), draw, of_label, regime="c")
    yield Hostile("two labels known by .8, a handful", 8, 2, known(two(0.5), 0.8, 2), told)
    yield Hostile("label 30 % known by .5", 25, 2, known(two(0.3), 0.5, 2), told)
    yield Hostile("label 10 % known by .9", 60, 2, known(two(0.1), 0.9, 2), told)
    yield Hostile("label 10 %, pair opposed in .3", 30, 2, opposed(two(0.1), 0.3, 2), told)
    yield Hostile("three labels, pair opposed in .7", 50, 3, opposed(even(3), 0.7, 2), told)
    yield Hostile("leaning .3 by 1, 50 annotators", 15, 2, leaning(0.3, 1, 50))
    yield Hostile("5 even labels known by .6, 10 annotators", 20, 5, known(even(5), 0.6, 10))
    yield Hostile("100 Zipf labels known by .3", 200, 100, known(zipf(100), 0.3, 2), WITHOUT)
    yield Hostile("100 Zipf labels known by .9, 4 annotators", 300, 100, known(zipf(100), 0.9, 4),
                  WITHOUT)  # fmt: skip
    yield Hostile("10 Zipf labels known by .7, 3 annotators", 40, 10, known(zipf(10), 0.7, 3),
                  (*WHOLE, "alpha_of"))  # fmt: skip
    draw = known(two(0.1), 0.6, 20)
    yield Hostile("panels of 2 to 20, label 10 %", 40, 2, panels(draw, {2: 1, 5: 1, 20: 1}))
    draw = known(two(0.05), 0.3, 50)
    yield Hostile("panels of 2, some of 50, label 5 %", 80, 2, panels(draw, few))
    draw = known(two(0.02), 0.0, 20)
    yield Hostile("panels of 3 or 20, label 2 %, guessing", 150, 2, panels(draw, {3: 0.7, 20: 0.3}))
    draw = known(two(0.1), 0.8, 4)
    yield Hostile("two more where two differ, label 10 %", 100, 2, more_where_they_differ(draw))
    yield Hostile("up to 6 until 3 agree, 3 labels", 60, 3, until(known(zipf(3), 0.6, 6), 3))
    draw = known(two(0.05), 0.6, 10)
    yield Hostile("ten where the first says yes, label 5 %", 120, 2, more_where_yes(draw, 2))
    yield Hostile("4 labels, one knows .9, one .5", 40, 4, known(zipf(4), (0.9, 0.5), 2), told)
    skills = (0.9, 0.9, 0.9, 0.9, 0.0)
    yield Hostile("one of five guesses, label 15 %", 50, 2, known(two(0.15), skills, 5), told)
    yield Hostile("label 3 % known by .8", 200, 2, known(two(0.03), 0.8, 2), told)
    yield Hostile("items that lure", 50, 4, luring)
    yield Hostile("one item of ten is noise, 8 labels", 120, 8, mixed(zipf(8), 0.1, 3))
    yield Hostile("private label of one of four", 30, 3, private)
    yield Hostile("7 points at the floor, quadratic", 25, 7, steps(7, 0.8, 3, floor=True),
                  ("alpha", "ac1"), "quadratic")  # fmt: skip
    yield Hostile("5 points evenly, interval", 40, 5, steps(5, 0.7, 2, floor=False),
                  ("alpha", "ac1"), "quadratic")  # fmt: skip
    yield Hostile("sets of three labels", 40, 8, sets_of((0.5, 0.3, 0.1), 0.7, 2),
                  ("alpha",), "jaccard")  # fmt: skip
    yield Hostile("rare sets of four labels", 120, 16, sets_of((0.1, 0.05, 0.03, 0.02), 0.6, 3),
                  ("alpha",), "jaccard")  # fmt: skip
    yield Hostile("label .1 %, .0005 wrong, 3 annotators", 3000, 2, errors(two(0.001), 0.0005, 3))
    yield Hostile("4 even labels, .01 wrong, 4 annotators", 12, 4, errors(even(4), 0.01, 4))
    yield Hostile("label 1 % known by .5, 4 annotators", 300, 2, known(two(0.01), 0.5, 4))


def sized(mean: tuple[float, float], hard: bool) -> Draw:
    """One to twenty ratings, more on items that are hard, or easy; items lean as a beta says."""

    def drawn(draw: np.random.Generator, items: int) -> Codes:
        chance = np.clip(draw.beta(*mean, items), 0.01, 0.99)
        spread = 4 * chance * (1 - chance)
        size = 1 + np.round(19 * (spread if hard else 1 - spread) * draw.random(items))
        codes = (draw.random((items, 20)) < chance[:, None]).astype(int)
        return np.where(np.arange(20) < size[:, None], codes, -1)

    return drawn


def spammer(draw: np.random.Generator, items: int) -> Codes:
    """One of four says the first label always."""
    codes = errors(two(0.2), 0.07, 4)(draw, items)
    codes[:, 3] = 0
    return codes


def swapper(draw: np.random.Generator, items: int) -> Codes:
    """One of three has two labels the other way round."""
    codes = known(np.array([0.5, 0.3, 0.2]), 0.85, 3)(draw, items)
    codes[:, 2] = np.array([0, 2, 1])[codes[:, 2]]
    return codes


def own_label(draw: np.random.Generator, items: int) -> Codes:
    """The third label is one annotator's own, but for 2 % of another."""
    codes = errors(two(0.3), 0.08, 3)(draw, items)
    own = draw.random((items, 3)) < np.array([0.25, 0.02, 0.0])
    return np.where(own, 2, codes)


def two_crowds(draw: np.random.Generator, items: int) -> Codes:
    """Items of a skilled crowd, and of one that guesses otherwise."""
    good = draw.random((items, 1)) < 0.5
    true = draw.choice(3, (items, 1), p=(0.6, 0.3, 0.1))
    guess = draw.choice(3, (items, 3), p=(0.1, 0.2, 0.7))
    return np.where(draw.random((items, 3)) < np.where(good, 0.95, 0.25), true, guess)


def bimodal(draw: np.random.Generator, items: int) -> Codes:
    """Twelve annotators; items are plainly no, or anyone's guess."""
    low, middle = draw.beta(1, 15, items), draw.beta(3, 3, items)
    chance = np.where(draw.random(items) < 0.5, low, middle)
    return (draw.random((items, 12)) < chance[:, None]).astype(int)


def drifting(draw: np.random.Generator, items: int) -> Codes:
    """The second label becomes frequent over the items."""
    true = draw.random(items) < 0.02 + 0.58 * draw.random(items)
    return (true[:, None] ^ (draw.random((items, 2)) > 0.9)).astype(int)


def opposed_pair(draw: np.random.Generator, items: int) -> Codes:
    """The second of two turns its labels round on six items of ten."""
    codes = errors(even(2), 0.1, 2)(draw, items)
    codes[:, 1] = np.where(draw.random(items) < 0.6, 1 - codes[:, 1], codes[:, 1])
    return codes


def earlier() -> Iterator[Hostile]:
    """Those of the refereeing that the rule answers."""
    of_label = ("specific", "specific_first", "alpha_of")
    told = ("alpha", "ac1", "percent", "kappa", "specific")
    for share, annotators, items in (
        *((0.03, 20, 50), (0.03, 20, 300), (0.04, 10, 100), (0.04, 10, 400), (0.04, 10, 1500)),
        *((0.04, 5, 60), (0.04, 5, 300), (0.1, 8, 30), (0.02, 3, 200)),
    ):
        draw = known(two(share), 0, annotators)
        yield Hostile(f"guessing, label {100 * share:g} %, {annotators} annotators", items, 2, draw,
                      regime="a")  # fmt: skip
    for mean, concentration, annotators, items in (
        *((0.04, 15, 25, 20), (0.04, 15, 10, 40), (0.04, 15, 10, 150), (0.04, 15, 10, 600)),
        *((0.1, 8, 10, 15), (0.02, 4, 8, 60), (0.05, 9, 5, 60), (0.05, 9, 5, 250)),
        (0.03, 4, 12, 60),
    ):
        title = f"leaning {mean:g} by {concentration}, {annotators} annotators"
        yield Hostile(title, items, 2, leaning(mean, concentration, annotators), regime="a")
    for labels, error, items in (
        *((10, 0.0001, 1000), (50, 0.0005, 1000), (50, 0.001, 1000), (25, 0.002, 300)),
        *((50, 0.01, 500), (100, 0.005, 1000), (5, 0.002, 100)),
    ):
        draw = errors(even(labels), error, 2)
        yield Hostile(f"keyed twice, {labels} labels, {error:g} wrong", items, labels, draw,
                      WITHOUT, regime="b" if labels > 5 else "")  # fmt: skip
    for share, name, knows, annotators, items in (
        *((zipf(50), "Zipf", 0.7, 2, 400), (even(50), "even", 0.9, 2, 300)),
        *((zipf(20), "Zipf", 0.9, 2, 150), (even(10), "even", 0.85, 3, 60)),
        *((even(20), "even", 0.8, 2, 150), (even(8), "even", 0.95, 3, 60)),
    ):
        title = f"each of {len(share)} {name} labels known by {knows}, {annotators} annotators"
        yield Hostile(title, items, len(share), known(share, knows, annotators), of_label,
                      regime="c")  # fmt: skip
    for share, error, annotators, items in (
        *((two(0.5), 0.005, 3, 40), (two(0.1), 0.01, 2, 25), (two(0.03), 0.005, 3, 100)),
        (np.array([0.5, 0.3, 0.2]), 0.02, 2, 12),
    ):
        title = f"rarest of {share[-1]:g}, {error} wrong, {annotators} annotators"
        yield Hostile(title, items, len(share), errors(share, error, annotators))
    for items in (8, 10, 12, 15):
        draw = errors(np.array([0.5, 0.3, 0.2]), 0.25, 3)
        yield Hostile("three labels, .25 wrong", items, 3, draw)
        yield Hostile("label 15 %, .1 wrong", items, 2, errors(two(0.15), 0.1, 2), told)
    yield Hostile("label 15 %, .15 wrong, 3 annotators", 30, 2, errors(two(0.15), 0.15, 3))
    yield Hostile("8 labels, .4 wrong", 12, 8, errors(even(8), 0.4, 4))
    yield Hostile("one of four says one label", 20, 2, spammer, told)
    yield Hostile("one of three swaps two labels", 25, 3, swapper, told)
    five = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    for items in (25, 80):
        yield Hostile("15 % noise, 5 labels", items, 5, mixed(five, 0.15, 3))
    yield Hostile("two crowds", 30, 3, two_crowds)
    for items in (15, 40, 60):
        yield Hostile("1 to 20 ratings, more on hard items", items, 2, sized((0.5, 0.8), True))
        yield Hostile("1 to 20 ratings, more on easy items", items, 2, sized((0.4, 1.2), False))
    unseen = known(np.array([0.6, 0.39, 0.01]), 0.85, 3)
    for items in (15, 30, 100):
        yield Hostile("third label 1 %", items, 3, unseen, WITHOUT)
    yield Hostile("opposed pair", 20, 2, opposed_pair, told)
    for items in (20, 60):
        yield Hostile("own label of one of three", items, 3, own_label)
    for items in (12, 30):
        yield Hostile("12 annotators, two kinds of items", items, 2, bimodal)
    yield Hostile("prevalence drifts", 40, 2, drifting, told)
    yield Hostile("mean of 4, label 20 %", 25, 2, known(two(0.2), 0.8, 4), told)


HOSTILE = (*hostile(),)
"""The new designs."""


def aimed() -> Iterator[Hostile]:
    """Aimed at what the first half showed: one size of pseudo-items where panels are unlike."""
    draw = known(two(0.1), 0.6, 50)
    for sizes, items in (
        *(({2: 1, 5: 1, 20: 1}, 150), ({2: 1, 4: 1, 8: 1}, 40), ({2: 0.7, 5: 0.3}, 60)),
        *(({3: 0.9, 10: 0.1}, 60), ({2: 0.5, 3: 0.5}, 60)),
    ):
        name = " or ".join(map(str, sizes))
        share = "" if len({*sizes.values()}) == 1 else f" ({100 * [*sizes.values()][-1]:g} %)"
        yield Hostile(f"panels of {name}{share}, label 10 %", items, 2, panels(draw, sizes))
    yield Hostile("leaning .02 by 2, 20 annotators", 12, 2, leaning(0.02, 2, 20))


EARLIER = (*(design._replace(group="earlier") for design in earlier()),)
"""The designs before."""

AIMED = (*(design._replace(group="aimed") for design in aimed()),)
"""Designs that were added after the first half was seen."""
