"""How often `compare` rejects where two sets agree equally well, and where they do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import xarray as xr

import iaa_jax as iaa
from levels import Outcomes, main

LEVEL = 0.05
DRAWS = {"replicates": 200, "permutations": 400}
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
    guess: Sequence[float] | None = None,
) -> Outcomes:
    """Alpha of two sets; who does not know draws from ``guess``, or as labels are in the set."""
    first = truths(rng, items, prevalences[0])
    second = first if paired else truths(rng, items, prevalences[1])
    a, b = (
        rated(rng, truth, [one] * 3, guess or prevalence)
        for truth, prevalence, one in zip((first, second), prevalences, skill, strict=True)
    )
    found = iaa.compare(a, b, "krippendorff_alpha", paired=paired, **DRAWS)
    low, high = float(found.ci_low[0]), float(found.ci_high[0])
    outcomes: dict[str, bool | None] = {
        "alpha, p": float(found.p_value[0]) <= LEVEL,
        "alpha, interval": not low <= 0 <= high,
    }
    if "common_p_value" in found:
        p_value = float(found.common_p_value[0])
        outcomes["at common margins"] = p_value <= LEVEL if np.isfinite(p_value) else None
    return outcomes


def panels(
    rng: np.random.Generator, annotators: int, items: int, *, same: bool, better: float = 0.0
) -> Outcomes:
    """Panels drawn anew, of annotators of varying skill, on the same items."""
    truth = truths(rng, items, (0.5, 0.3, 0.2))
    skill = rng.uniform(0.5, 0.95, size=(2, annotators))
    skill[1] = skill[0] if same else skill[1]
    skill[1] = np.minimum(skill[1] + better, 1)
    a, b = (
        rated(rng, truth, one, (0.5, 0.3, 0.2), "x" if same else prefix)
        for one, prefix in zip(skill, "xy", strict=True)
    )
    drawn = iaa.Sampling(annotators="random")
    found = iaa.compare(a, b, "krippendorff_alpha", paired=True, sampling=drawn, **DRAWS)
    return {"alpha, p": float(found.p_value[0]) <= LEVEL}


RARE = (0.95, 0.05)
CELLS: dict[str, Callable[[np.random.Generator], Outcomes]] = {
    "label 5 %, 60 items, independent": partial(
        per_label, prevalence=(0.6, 0.35, 0.05), items=60, paired=False
    ),
    "label 5 %, 60 items, paired": partial(
        per_label, prevalence=(0.6, 0.35, 0.05), items=60, paired=True
    ),
    "five labels, 40 items, independent": partial(
        per_label, prevalence=FIVE, items=40, paired=False
    ),
    "five labels, 80 items, independent": partial(
        per_label, prevalence=FIVE, items=80, paired=False
    ),
    "five labels, 80 items, paired": partial(per_label, prevalence=FIVE, items=80, paired=True),
}

if __name__ == "__main__":
    main("compare", "Levels and power of compare", CELLS)
