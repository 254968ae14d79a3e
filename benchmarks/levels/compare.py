"""How often `compare` rejects where two sets agree equally well, and where they do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import xarray as xr

import iaa_jax as iaa
from levels import Outcomes, main

LEVEL = 0.05
DRAWS = {"replicates": 400, "permutations": 400}
FIVE = (0.4, 0.25, 0.2, 0.1, 0.05)
LABELS = "abcde"


def truths(rng: np.random.Generator, items: int, prevalence: Sequence[float]) -> np.ndarray:
    return rng.choice(len(prevalence), size=items, p=np.asarray(prevalence) / np.sum(prevalence))


def rated(
    rng: np.random.Generator,
    truth: np.ndarray,
    skill: Sequence[float],
    prevalence: Sequence[float],
    prefix: str = "",
) -> xr.Dataset:
    """Each annotator knows the truth with a chance of ``skill``, or draws from ``prevalence``."""
    guesses = rng.choice(
        len(prevalence),
        size=(len(truth), len(skill)),
        p=np.asarray(prevalence) / np.sum(prevalence),
    )
    knows = rng.random(guesses.shape) < np.asarray(skill)
    codes = np.where(knows, truth[:, None], guesses)
    ratings = iaa.from_wide(np.array(list(LABELS))[codes], labels=list(LABELS[: len(prevalence)]))
    names = [f"{prefix}{index}" for index in range(len(skill))]
    items = [f"q{index}" if prefix else f"{index}" for index in range(len(truth))]
    return ratings.assign_coords(annotator=names, item=items)


def per_label(
    rng: np.random.Generator,
    prevalence: Sequence[float],
    items: int,
    *,
    paired: bool,
    skill: tuple[float, float] = (0.8, 0.8),
) -> Outcomes:
    """The rarest label by its own p, and any label with all tested at once."""
    first = truths(rng, items, prevalence)
    second = first if paired else truths(rng, items, prevalence)
    a, b = (
        rated(rng, truth, [one] * 3, prevalence)
        for truth, one in zip((first, second), skill, strict=True)
    )
    found = iaa.compare(a, b, per_label=True, paired=paired, **DRAWS)
    rarest = found.isel(label=-1)
    defined = np.isfinite(float(rarest.difference))
    p_value = float(rarest.p_value)
    low, high = float(rarest.ci_low), float(rarest.ci_high)
    return {
        "rarest label, p": p_value <= LEVEL if defined else None,
        "its interval": not low <= 0 <= high if np.isfinite(low) else None,
        "any label, adjusted p": bool((found.adjusted_p_value <= LEVEL).any()),
    }


def whole(
    rng: np.random.Generator,
    prevalences: tuple[Sequence[float], Sequence[float]],
    items: int,
    *,
    paired: bool = False,
    skill: tuple[float, float] = (0.8, 0.8),
    uniform: bool = False,
) -> Outcomes:
    """Alpha of two sets; who does not know draws from all labels alike, or as they are in the set.

    With the first accuracy is the same whatever the prevalence; with the second alpha is.
    """
    first = truths(rng, items, prevalences[0])
    second = first if paired else truths(rng, items, prevalences[1])
    a, b = (
        rated(rng, truth, [one] * 3, np.ones(len(prevalence)) if uniform else prevalence)
        for truth, prevalence, one in zip((first, second), prevalences, skill, strict=True)
    )
    found = iaa.compare(a, b, "krippendorff_alpha", paired=paired, **DRAWS)
    bca = iaa.compare(a, b, "krippendorff_alpha", paired=paired, interval="bca", **DRAWS)
    outcomes: dict[str, bool | None] = {
        "alpha, p": float(found.p_value[0]) <= LEVEL,
        "its interval": _leaves_out_0(found),
        "by exchange": float(found.permutation_p_value[0]) <= LEVEL,
        "BCa": _leaves_out_0(bca),
    }
    if "common_p_value" in found:
        p_value = float(found.common_p_value[0])
        outcomes["at common margins"] = p_value <= LEVEL if np.isfinite(p_value) else None
    return outcomes


def _leaves_out_0(found: xr.Dataset) -> bool | None:
    low, high = float(found.ci_low[0]), float(found.ci_high[0])
    return not low <= 0 <= high if np.isfinite(low) else None


def panels(
    rng: np.random.Generator,
    annotators: int,
    *,
    same: bool = False,
    groups: bool = False,
    better: float = 0.0,
) -> Outcomes:
    """Panels of annotators of varying skill, drawn anew, on the same 60 items.

    The annotators of both are the ``same``, or others, who may be two ``groups`` of one file.
    """
    prevalence = (0.5, 0.3, 0.2)
    truth = truths(rng, 60, prevalence)
    skill = rng.uniform(0.4, 0.9, size=(2, annotators))
    skill[1] = np.minimum((skill[0] if same else skill[1]) + better, 1.0)
    a, b = (
        rated(rng, truth, one, prevalence, "x" if same else prefix)
        for one, prefix in zip(skill, "xy", strict=True)
    )
    drawn = {"sampling": iaa.Sampling(annotators="random"), **DRAWS}
    name = "krippendorff_alpha"
    if not groups:
        found = iaa.compare(a, b, name, paired=True, **drawn)
    else:
        whole = iaa.from_wide(np.concatenate([a.primary, b.primary], axis=1))
        team = ("annotator", np.repeat(["first", "second"], annotators))
        found = iaa.compare(whole.assign_coords(team=team), by="team", coefficients=name, **drawn)
    return {
        "alpha, p": float(found.p_value[0]) <= LEVEL,
        "its interval": _leaves_out_0(found),
    }


THREE, RARE, EVEN, SKEWED = (0.5, 0.3, 0.2), (0.6, 0.35, 0.05), (0.5, 0.5), (0.9, 0.1)
OTHER, FEW = (0.85, 0.1, 0.05), (0.95, 0.05)
BETTER = (0.3, 0.9)

CELLS: dict[str, Callable[[np.random.Generator], Outcomes]] = {
    "label 5 %, 60 items, independent": partial(per_label, prevalence=RARE, items=60, paired=False),
    "label 5 %, 60 items, paired": partial(per_label, prevalence=RARE, items=60, paired=True),
    "five labels, 40 items, independent": partial(
        per_label, prevalence=FIVE, items=40, paired=False
    ),
    "five labels, 80 items, independent": partial(
        per_label, prevalence=FIVE, items=80, paired=False
    ),
    "three labels, 60 items, independent": partial(whole, prevalences=(THREE, THREE), items=60),
    "three labels, 60 items, paired": partial(
        whole, prevalences=(THREE, THREE), items=60, paired=True
    ),
    "two labels, one of 5 %, 60 items, independent": partial(
        whole, prevalences=(FEW, FEW), items=60
    ),
    "two labels, one of 5 %, 60 items, paired": partial(
        whole, prevalences=(FEW, FEW), items=60, paired=True
    ),
    "two labels, one of 10 %, hardly any errors, 30 items, independent": partial(
        whole, prevalences=(SKEWED, SKEWED), items=30, skill=(0.9, 0.9)
    ),
    "two labels, one of 10 %, hardly any errors, 30 items, paired": partial(
        whole, prevalences=(SKEWED, SKEWED), items=30, paired=True, skill=(0.9, 0.9)
    ),
    "other prevalence, same alpha (accuracy differs), 150 items": partial(
        whole, prevalences=(THREE, OTHER), items=150
    ),
    "other prevalence, same accuracy (alpha differs), two labels, 150 items": partial(
        whole, prevalences=(EVEN, SKEWED), items=150, uniform=True
    ),
    "other prevalence, same accuracy (alpha differs), three labels, 150 items": partial(
        whole, prevalences=(THREE, OTHER), items=150, uniform=True
    ),
    "5 annotators each, drawn anew": partial(panels, annotators=5),
    "8 annotators each, drawn anew": partial(panels, annotators=8),
    "5 annotators each, drawn anew, groups of one file": partial(panels, annotators=5, groups=True),
    "5 annotators, the same twice": partial(panels, annotators=5, same=True),
    "power: label 5 %, 60 items, independent": partial(
        per_label, prevalence=RARE, items=60, paired=False, skill=BETTER
    ),
    "power: label 5 %, 60 items, paired": partial(
        per_label, prevalence=RARE, items=60, paired=True, skill=BETTER
    ),
    "power: two labels, one of 5 %, 60 items, independent": partial(
        whole, prevalences=(FEW, FEW), items=60, skill=(0.7, 0.9)
    ),
    "power: two labels, one of 5 %, 60 items, paired": partial(
        whole, prevalences=(FEW, FEW), items=60, paired=True, skill=(0.7, 0.9)
    ),
    "power: better and other prevalence, 150 items": partial(
        whole, prevalences=(EVEN, SKEWED), items=150, uniform=True, skill=(0.75, 0.85)
    ),
    "power: 8 annotators each, drawn anew, better by .2": partial(panels, annotators=8, better=0.2),
}

if __name__ == "__main__":
    main("compare", "Levels and power of compare", CELLS)
