"""Ratings for the kernel tests: sizes differ pairwise, annotators above and below labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax import kernels
from iaa_jax.catalog import CATALOG, Measure
from iaa_jax.kernels.kernel import KernelFunction

Floats = NDArray[np.floating]

MEASURES: dict[str, Measure] = {
    f"{row.name}/{option}={choice}" if choice else row.name: measure
    for row in CATALOG.values()
    for option, choice, measure in [
        ("", "", row.measure),
        *((o, c, m) for o, choices in row.variants.items() for c, m in choices.items()),
        *(("level", name, level.over_labels) for name, level in row.levels.items()),
    ]
    if not (measure.takes_values or measure.compares)
}
"""Every way to compute a coefficient of labels, by name."""

VALUES: dict[str, Measure] = {
    level: measure.over_values for level, measure in CATALOG["krippendorff_alpha"].levels.items()
}
"""Alpha over numbers, by level."""

SHAPES = ((13, 3, 4), (9, 5, 2), (17, 2, 3))
"""items, annotators, labels"""

KERNELS: dict[str, KernelFunction] = {
    name: getattr(kernels, name) for name in kernels.__all__ if name not in ("Agreement", "Kernel")
}


def allowed(name: str, annotators: int) -> bool:
    """Whether a coefficient is defined for so many annotators."""
    measure = MEASURES.get(name) or CATALOG[name].measure
    return measure.annotators in (None, annotators)


def takes_values(name: str) -> bool:
    return name.startswith(("icc", "lin")) or name.endswith(("_interval", "_ratio", "_values"))


def hard_mass(seed: int, shape: tuple[int, int, int], gaps: float = 0.2) -> Floats:
    """One label per rating; annotators agree more often than not, one label is never used."""
    items, annotators, labels = shape
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    guess = rng.integers(0, labels, (items, annotators))
    codes = np.where(rng.random((items, annotators)) < 0.6, truth[:, None], guess)
    return with_gaps(rng, np.eye(labels)[codes], gaps)


def soft_mass(seed: int, shape: tuple[int, int, int], gaps: float = 0.2) -> Floats:
    """Primary and secondary labels at p = 0.7, single labels, and fully spread masses."""
    items, annotators, labels = shape
    rng = np.random.default_rng(seed)
    mass = hard_mass(seed, shape, 0.0)
    other = np.roll(mass, 1, axis=2)
    kind = rng.integers(0, 3, (items, annotators, 1))
    spread = rng.dirichlet(np.ones(labels), (items, annotators))
    mass = np.where(kind == 0, mass, np.where(kind == 1, 0.7 * mass + 0.3 * other, spread))
    return with_gaps(rng, mass, gaps)


def with_gaps(rng: np.random.Generator, mass: Floats, gaps: float) -> Floats:
    missing = rng.random(mass.shape[:2]) < gaps
    missing[:2] = False  # some items stay whole
    if gaps:
        missing[-1] = True  # nobody rated the last item
        missing[-2, 1:] = True  # and one annotator the one before
    return np.where(missing[..., None], np.nan, mass)


def weights(seed: int, shape: tuple[int, int, int]) -> dict[str, Floats]:
    """Item weights, some of them 0, and annotator weights."""
    items, annotators, _ = shape
    rng = np.random.default_rng(seed + 1000)
    item_weight = rng.integers(0, 4, items).astype(float) * rng.uniform(0.5, 1.5)
    item_weight[:3] += 2.0
    return {
        "item_weight": item_weight,
        "annotator_weight": rng.uniform(0.3, 2.0, annotators),
    }


def agreement_matrix(seed: int, labels: int, symmetric: bool = False) -> Floats:
    """A random agreement between labels, 1 on the diagonal."""
    rng = np.random.default_rng(seed + 2000)
    matrix = rng.uniform(0, 0.9, (labels, labels))
    if symmetric:
        matrix = (matrix + matrix.T) / 2
    np.fill_diagonal(matrix, 1.0)
    return matrix


def run(name: str, mass: Any, **keywords: Any) -> kernels.Agreement:
    """A measure by its name in MEASURES."""
    return MEASURES[name].kernel(mass, **keywords)


def codes_to_values(mass: Floats, numbers: Floats) -> Floats:
    """The number of each rating's label, NaN where not rated."""
    codes = np.argmax(np.where(np.isnan(mass), -1, mass), axis=2)
    return np.where(np.isnan(mass[..., 0]), np.nan, numbers[codes])


def slots_of(data: Floats, seed: int | None = None) -> tuple[Floats, NDArray[np.int32]]:
    """Return the ratings by slot, with their annotators; with a seed, slots in random order."""
    rated = ~np.isnan(data.reshape(*data.shape[:2], -1)[..., 0])
    slots = rated.sum(axis=1).max()
    found = np.full((len(data), slots, *data.shape[2:]), np.nan)
    annotator_of = np.full((len(data), slots), -1, dtype=np.int32)
    rng = np.random.default_rng(seed)
    for item, row in enumerate(rated):
        who = np.flatnonzero(row)
        places = np.arange(len(who))
        if seed is not None:
            who, places = rng.permutation(who), rng.permutation(slots)[: len(who)]
        found[item, places] = data[item, who]
        annotator_of[item, places] = who
    return found, annotator_of
