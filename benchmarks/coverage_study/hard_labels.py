"""Designs of labels on which a prior may drown the data, or the data say little.

Rare labels, long scales, many labels, panels of unequal size, control items that a crowd rated,
further annotators called in where the first two differ, and a handful of items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

import iaa_jax as iaa
from coverage_study.ratings import Draw

OF_LABELS = ("krippendorff_alpha", "gwet_ac1", "percent_agreement", "specific_agreement")
OF_PANELS = ("krippendorff_alpha", "gwet_ac1", "percent_agreement", "fleiss_kappa")
SCORES = range(101)


class Hard(NamedTuple):
    """Ratings of so many items, and the figures that are asked of them."""

    kind: str
    name: str
    items: int
    draw: Draw
    coefficients: Sequence[str]
    options: Mapping[str, Any] = {}
    many: int = 200_000


def _counts(codes: np.ndarray, labels: int) -> xr.Dataset:
    """Anonymous ratings of codes (item, annotator); -1 is a gap."""
    of_label = [(codes == label).sum(axis=1) for label in range(labels)]
    return iaa.from_counts(np.stack(of_label, axis=1), labels=range(labels))


def rare_label(share: float, annotators: int, finds: float) -> Draw:
    """The second label is so rare; each annotator finds it with a chance, and else makes it up."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        true = stream.random((items, 1)) < share
        chance = np.where(true, finds, share * (1 - finds) / (1 - share))
        return _counts((stream.random((items, annotators)) < chance).astype(int), 2)

    return drawn


def third_label(share: float, annotators: int, knows: float) -> Draw:
    """Three labels, of which the last is rare and taken for the second one as often as not."""
    confusion = np.array([[0.96, 0.035, 0.005], [0.15, 0.8, 0.05], [0.1, 0.9 - knows, knows]])

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        true = stream.choice(3, size=items, p=(0.7 - share, 0.3, share))
        reached = confusion[true].cumsum(axis=1)[:, None, :2]
        return _counts((stream.random((items, annotators, 1)) > reached).sum(axis=2), 3)

    return drawn


def panels(sizes: Mapping[int, float], share: float, knows: float, *, told: bool = False) -> Draw:
    """Panels of the sizes that occur; two labels, the second of a share, and annotators guess."""
    number, chance = [*sizes], np.array([*sizes.values()])
    crowd = max(number) + 10

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        size = stream.choice(number, size=items, p=chance / chance.sum())
        true = stream.random((items, 1)) < share
        guess = stream.random((items, crowd)) < share
        codes = np.where(stream.random((items, crowd)) < knows, true, guess).astype(int)
        place = stream.random((items, crowd)).argsort(axis=1)
        if not told:
            return _counts(np.where(place < size[:, None], codes, -1), 2)
        table = np.where(place < size[:, None], codes, np.nan)
        return iaa.from_wide(table, labels=range(2))

    return drawn


def third_where_two_differ(share: float, knows: float) -> Draw:
    """Two annotators, and three more where these differ: panels that go by the ratings."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        true = stream.random((items, 1)) < share
        guess = stream.random((items, 5)) < share
        codes = np.where(stream.random((items, 5)) < knows, true, guess).astype(int)
        differ = codes[:, 0] != codes[:, 1]
        codes[:, 2:] = np.where(differ[:, None], codes[:, 2:], -1)
        return _counts(codes, 2)

    return drawn


def many_labels(labels: int, annotators: int, knows: float) -> Draw:
    """Labels of which the k-th is chosen as 1 / k, and who does not know guesses alike."""
    share = 1 / np.arange(1, labels + 1)
    share /= share.sum()

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        true = stream.choice(labels, size=(items, 1), p=share)
        guess = stream.choice(labels, size=(items, annotators), p=share)
        known = stream.random((items, annotators)) < knows
        return iaa.from_wide(np.where(known, true, guess), labels=range(labels))

    return drawn


def scores(error: float, annotators: int, spread: float = 12.0, step: int = 1) -> Draw:
    """Scores of 0 to 100, most of them near 65, in steps."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        value = 65 + spread * stream.normal(size=(items, 1))
        value = value + error * stream.normal(size=(items, annotators))
        value = np.clip(step * np.round(value / step), 0, 100).astype(int)
        return iaa.from_wide(value, labels=SCORES)

    return drawn


def few_that_matter(stream: np.random.Generator, items: int) -> xr.Dataset:
    """Nine items of ten are plainly of the first label; the tenth is anyone's guess."""
    hard = stream.random((items, 1)) < 0.1
    chance = np.where(hard, 0.5, 0.002)
    return _counts((stream.random((items, 3)) < chance).astype(int), 2)


def rare_in_documents(stream: np.random.Generator, documents: int) -> xr.Dataset:
    """A label of 5 % that some documents have often; documents of 2 to 20 items."""
    sizes = 2 + np.arange(documents) * 7 % 19
    document = np.repeat(np.arange(documents), sizes)
    share = stream.beta(0.5, 9.5, size=documents)[document][:, None]
    true = stream.random((len(document), 1)) < share
    chance = np.where(true, 0.75, 0.01)
    ratings = iaa.from_wide((stream.random((len(document), 3)) < chance).astype(int), labels=(0, 1))
    return ratings.assign_coords(document=("item", document))


def hard_labels() -> Iterator[Hard]:
    """All designs."""
    for share, items, annotators, finds in (
        *((0.002, 3000, 2, 0.6), (0.002, 20_000, 3, 0.3), (0.005, 1000, 3, 0.8)),
        *((0.01, 300, 2, 0.7), (0.01, 1000, 3, 0.4), (0.01, 5000, 5, 0.15)),
        *((0.03, 100, 2, 0.6), (0.03, 300, 3, 0.2), (0.03, 1000, 2, 0.9), (0.03, 60, 5, 0.7)),
        *((0.1, 30, 3, 0.7), (0.1, 60, 2, 0.4), (0.1, 200, 3, 0.3), (0.1, 600, 2, 0.2)),
    ):
        draw = rare_label(share, annotators, finds)
        name = f"label of {100 * share:g} % found by {finds:g} a={annotators}"
        yield Hard("rare label", name, items, draw, OF_LABELS)
    for share, items, annotators, knows in (
        *((0.01, 400, 2, 0.5), (0.02, 150, 3, 0.3), (0.05, 80, 3, 0.6), (0.05, 800, 2, 0.2)),
    ):
        draw = third_label(share, annotators, knows)
        name = f"third label of {100 * share:g} % known by {knows:g} a={annotators}"
        yield Hard("rare label", name, items, draw, OF_LABELS)
    of_sizes = {
        "2 or 5 to 8": {2: 0.5, 5: 0.125, 6: 0.125, 7: 0.125, 8: 0.125},
        "2 or 3": {2: 0.6, 3: 0.4},
        "1 to 3, and 40 of some": {1: 0.3, 2: 0.5, 3: 0.18, 40: 0.02},
        "3, and 100 on controls": {3: 0.985, 100: 0.015},
        "2 to 12": {k: 1.0 for k in range(2, 13)},
    }
    for name, items, share, knows in (
        *(("2 or 5 to 8", 20, 0.4, 0.7), ("2 or 5 to 8", 40, 0.4, 0.6), ("2 or 3", 60, 0.1, 0.5)),
        *(("2 or 5 to 8", 150, 0.05, 0.6), ("2 or 3", 300, 0.05, 0.3), ("2 or 3", 25, 0.3, 0.8)),
        *(("1 to 3, and 40 of some", 150, 0.1, 0.4), ("1 to 3, and 40 of some", 600, 0.02, 0.5)),
        *(("3, and 100 on controls", 300, 0.1, 0.3), ("3, and 100 on controls", 1500, 0.03, 0.1)),
        *(("2 to 12", 30, 0.3, 0.6), ("2 to 12", 100, 0.05, 0.5)),
    ):
        title = f"panels of {name}, share {share:g} known by {knows:g}"
        yield Hard("unequal panels", title, items, panels(of_sizes[name], share, knows),
                   (*OF_PANELS, "specific_agreement"), {}, 60_000)  # fmt: skip
    for share, items, knows in ((0.3, 40, 0.7), (0.05, 200, 0.6), (0.1, 60, 0.9)):
        title = f"three more where two differ, share {share:g} known by {knows:g}"
        draw = third_where_two_differ(share, knows)
        yield Hard("unequal panels", title, items, draw, OF_PANELS)
    for items in (60, 200):
        sizes = {2: 0.7, 3: 0.3}
        draw = panels(sizes, 0.1, 0.5, told=True)
        yield Hard("unequal panels", "a crowd told apart, share 0.1 known by 0.5", items, draw,
                   ("krippendorff_alpha", "conger_kappa", "gwet_ac1"))  # fmt: skip
    for labels, items, annotators, knows in (
        *((20, 60, 2, 0.5), (20, 300, 3, 0.8), (50, 100, 3, 0.4), (50, 400, 2, 0.7)),
        *((200, 300, 2, 0.6), (200, 1000, 3, 0.3), (30, 120, 2, 0.6), (30, 80, 5, 0.3)),
        *((20, 150, 2, 0.2), (100, 200, 3, 0.5)),
    ):
        kappa = "cohen_kappa" if annotators == 2 else "conger_kappa"
        yield Hard("many labels", f"{labels} labels known by {knows:g} a={annotators}", items,
                   many_labels(labels, annotators, knows), (*OF_LABELS[:3], kappa))  # fmt: skip
    for error, items, annotators, spread, step in (
        *((12.0, 40, 2, 12.0, 10), (6.0, 80, 3, 12.0, 5), (20.0, 120, 3, 12.0, 5)),
        *((6.0, 150, 2, 12.0, 1), (3.0, 250, 3, 5.0, 1), (12.0, 600, 2, 12.0, 1)),
    ):
        draw = scores(error, annotators, spread, step)
        title = f"scores in steps of {step}, {spread:g} beside {error:g} a={annotators}"
        for level in ("nominal", "interval"):  # ordinal takes a second a data set
            yield Hard("long scale", f"{title} {level}", items, draw, ("krippendorff_alpha",),
                       {"level": level})  # fmt: skip
        yield Hard("long scale", f"{title} AC2", items, draw, ("gwet_ac2",),
                   {"weights": "quadratic"})  # fmt: skip
    for items, annotators, share, knows in (
        *((6, 3, 0.4, 0.7), (8, 2, 0.4, 0.8), (8, 5, 0.3, 0.6), (10, 2, 0.3, 0.9)),
        *((10, 3, 0.5, 0.5), (12, 2, 0.4, 0.6), (12, 5, 0.2, 0.8), (15, 3, 0.2, 0.9)),
        *((7, 4, 0.3, 0.7), (10, 2, 0.5, 0.7), (12, 3, 0.3, 0.7), (10, 8, 0.4, 0.4)),
    ):
        draw = panels({annotators: 1.0}, share, knows)
        title = f"share {share:g} known by {knows:g} a={annotators}"
        yield Hard("few items", title, items, draw, (*OF_PANELS, "specific_agreement"))
    for items in (60, 250):
        yield Hard("rare label", "one item of ten matters", items, few_that_matter, OF_LABELS)
    for documents in (15, 40):
        yield Hard("rare label", "a label of some documents", documents, rare_in_documents,
                   OF_LABELS, {"sampling": iaa.Sampling("document")}, 20_000)  # fmt: skip
