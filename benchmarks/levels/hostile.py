"""Levels and power of `compare` and of looks with the intervals of labels, where these were wrong.

`python -m levels.hostile --write`, from ``benchmarks/``, writes ``levels/hostile.md``. With
``PYTHONPATH`` at a checkout of commit 0fc6436a, of which the prior was another, it writes
``levels/hostile_before.md``: the same data sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import xarray as xr
from coverage_study.spans import Texts

import iaa_jax as iaa
from iaa_jax.measure.requests import prior
from levels import Outcomes, main

LEVEL = 0.05
DRAWS = {"replicates": 500, "permutations": 199}
Codes = np.ndarray


def known(
    rng: np.random.Generator, items: int, share: Sequence[float], knows: float, annotators: int
) -> Codes:
    """Who does not know the label guesses one as often as it is."""
    true = rng.choice(len(share), (items, 1), p=share)
    guess = rng.choice(len(share), (items, annotators), p=share)
    return np.where(rng.random((items, annotators)) < knows, true, guess)


def keyed(rng: np.random.Generator, items: int, labels: int, error: float) -> Codes:
    """Two annotators who are hardly ever wrong."""
    true = rng.integers(labels, size=(items, 1))
    return np.where(rng.random((items, 2)) < error, (true + 1) % labels, true)


def table(codes: Codes, labels: int) -> xr.Dataset:
    """As ratings of annotators with names."""
    return iaa.from_wide(codes, labels=range(labels))


def outcomes(a: xr.Dataset, b: xr.Dataset, coefficient: str, *, paired: bool) -> Outcomes:
    """Whether a difference is found, by p and by the interval, and whether these contradict."""
    found = iaa.compare(a, b, coefficient, paired=paired, **DRAWS)
    return row_outcomes(found, 0, found.attrs["conclusion"] in ("a_higher", "b_higher"))


def row_outcomes(found: xr.Dataset, row: int, verdict: bool) -> Outcomes:
    """What one row of a comparison shows, beside the verdict."""
    p_value = float(found.p_value[row])
    low, high = float(found.ci_low[row]), float(found.ci_high[row])
    if not (np.isfinite(p_value) and np.isfinite(low)):
        return {"p": None, "interval": None, "verdict": None, "p and interval contradict": None}
    out = not low <= 0 <= high
    return {
        "p": p_value <= LEVEL,
        "interval": out,
        "verdict": verdict,
        "p and interval contradict": out != (p_value <= LEVEL) and abs(p_value - LEVEL) > 0.01,
    }


def of_known(
    rng: np.random.Generator,
    *,
    share: Sequence[float] = (0.95, 0.05),
    items: tuple[int, int] = (60, 60),
    knows: tuple[float, float] = (0.8, 0.8),
    annotators: tuple[int, int] = (3, 3),
    paired: bool = False,
) -> Outcomes:
    """Alpha of sets that are known by so much."""
    if paired:
        true = rng.choice(len(share), (items[0], 1), p=share)
        shape = (items[0], annotators[0])
        codes = [
            np.where(rng.random(shape) < k, true, rng.choice(len(share), shape, p=share))
            for k in knows
        ]
    else:
        codes = [
            known(rng, *each) for each in zip(items, (share, share), knows, annotators, strict=True)
        ]
    a, b = (table(each, len(share)) for each in codes)
    return outcomes(a, b, "krippendorff_alpha", paired=paired)


def of_labels(
    rng: np.random.Generator,
    *,
    share: Sequence[float] = (0.8, 0.2),
    items: tuple[int, int] = (50, 200),
    knows: tuple[float, float] = (0.8, 0.8),
    annotators: tuple[int, int] = (2, 5),
    paired: bool = False,
) -> Outcomes:
    """Alpha of the last label; the verdict is whether any label is said to differ."""
    if paired:
        both = known(rng, items[0], share, knows[0], sum(annotators))
        codes = np.split(both, annotators[:1], axis=1)
    else:
        codes = [
            known(rng, *each) for each in zip(items, (share, share), knows, annotators, strict=True)
        ]
    a, b = (table(each, len(share)) for each in codes)
    found = iaa.compare(a, b, "krippendorff_alpha", per_label=True, paired=paired, **DRAWS)
    return row_outcomes(found, -1, found.attrs["conclusion"] == "labels_differ")


def of_spans(
    rng: np.random.Generator,
    *,
    documents: tuple[int, int] = (30, 30),
    annotators: tuple[int, int] = (2, 5),
    paired: bool = False,
) -> Outcomes:
    """Units of the rarest label but one; the verdict is whether any of four labels differs."""
    if paired:
        whole = Texts(6, 0.5, (0.2,) * sum(annotators), 0.5)(rng, documents[0])
        names = whole.annotator.values.tolist()
        a = iaa.data.keep_annotators(whole, names[: annotators[0]])
        b = iaa.data.keep_annotators(whole, names[annotators[0] :])
    else:
        a, b = (
            Texts(6, 0.5, (0.2,) * size, 0.5)(rng, number)
            for number, size in zip(documents, annotators, strict=True)
        )
    found = iaa.compare(a, b, per_label=True, paired=paired, **DRAWS)
    return row_outcomes(found, 2, found.attrs["conclusion"] == "labels_differ")


def of_numbers(rng: np.random.Generator) -> Outcomes:
    """ICC(1) of numbers of five and of two annotators."""
    a, b = (
        iaa.from_values(rng.normal(size=(40, 1)) + rng.normal(size=(40, size))) for size in (5, 2)
    )
    return outcomes(a, b, "icc1", paired=False)


def of_keyed(
    rng: np.random.Generator, *, items: tuple[int, int], labels: int, error: float, coefficient: str
) -> Outcomes:
    """Sets of very unlike size that are as good."""
    a, b = (table(keyed(rng, number, labels, error), labels) for number in items)
    return outcomes(a, b, coefficient, paired=False)


def corrected(rng: np.random.Generator) -> Outcomes:
    """Six items of 80 on which two annotators differed are corrected in B."""
    codes = known(rng, 80, (0.85, 0.15), 0.85, 2)
    better = codes.copy()
    six = np.flatnonzero(codes[:, 0] != codes[:, 1])[:6]
    better[six, 1] = better[six, 0]
    return outcomes(table(codes, 2), table(better, 2), "krippendorff_alpha", paired=True)


def looks(rng: np.random.Generator, *, share: float, annotators: int, items: int) -> Outcomes:
    """Whether any of four looks by Pocock leaves 0 out, or is sure that alpha is above it."""
    codes = known(rng, items, (1 - share, share), 0.0, annotators)
    planned = iaa.plan.looks(4, spending="pocock")
    missed = above = False
    for number in planned.look.values:
        look = planned.sel(look=number)
        seen = codes[: round(items * float(look.fraction))]
        if not seen.any():
            continue
        level = float(look.confidence)
        draws = 4000
        found = iaa.krippendorff_alpha(table(seen, 2), confidence=level, replicates=draws)
        low, high = float(found.ci_low), float(found.ci_high)
        missed |= not low <= 0 <= high
        above |= low > 0
    return {"interval": missed, "above": above}


CELLS: dict[str, Callable[[np.random.Generator], Outcomes]] = {
    "label 5 %, 60 items, independent": of_known,
    "label 5 %, 60 items, paired": partial(of_known, paired=True),
    "40 labels, .4 % errors, 300 v 3,000 items, percent": partial(
        of_keyed, items=(300, 3000), labels=40, error=0.004, coefficient="percent_agreement"
    ),
    "50 labels, .5 % errors, 200 v 2,000 items, alpha": partial(
        of_keyed, items=(200, 2000), labels=50, error=0.005, coefficient="krippendorff_alpha"
    ),
    "guessing, label 4 %, 12 annotators, 25 v 400 items": partial(
        of_known, share=(0.96, 0.04), items=(25, 400), knows=(0.0, 0.0), annotators=(12, 12)
    ),
    "20 items by 2 v 300 by 5, label 20 %": partial(
        of_known, share=(0.8, 0.2), items=(20, 300), annotators=(2, 5)
    ),
    "by label: label 20 %, 50 items by 2 v 200 by 5": of_labels,
    "by label: label 20 %, 60 items by 5 and by 2, paired": partial(
        of_labels, items=(60, 60), annotators=(5, 2), paired=True
    ),
    "by label: 3 labels, rarest 20 %, 60 items by 5 v 60 by 2": partial(
        of_labels, share=(0.5, 0.3, 0.2), items=(60, 60), annotators=(5, 2)
    ),
    "spans by label: 30 documents by 2 v 30 by 5": of_spans,
    "spans by label: 15 documents by 2 v 60 by 5": partial(of_spans, documents=(15, 60)),
    "spans by label: 30 documents by 5 and by 2, paired": partial(
        of_spans, annotators=(5, 2), paired=True
    ),
    "numbers: 40 items by 5 v 40 by 2": of_numbers,
    "power: by label, label 20 %, 50 items by 2 v 200 by 5, .6 v .9 known": partial(
        of_labels, knows=(0.6, 0.9)
    ),
    "power: label 5 %, 60 items, paired, .7 v .9 known": partial(
        of_known, paired=True, knows=(0.7, 0.9)
    ),
    "power: label 5 %, 60 items, independent, .7 v .9 known": partial(of_known, knows=(0.7, 0.9)),
    "power: three labels, 60 items, paired, .7 v .9 known": partial(
        of_known, share=(0.5, 0.3, 0.2), paired=True, knows=(0.7, 0.9)
    ),
    "power: 6 differing items corrected": corrected,
    "4 looks, Pocock, guessing, label 4 %, 10 annotators, 200 items": partial(
        looks, share=0.04, annotators=10, items=200
    ),
}

if __name__ == "__main__":
    name = "hostile" if hasattr(prior, "farther") else "hostile_before"
    main(name, "Levels and power where the intervals of labels were wrong", CELLS)
