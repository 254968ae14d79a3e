"""Many weights of the primary label at once, and label sets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from results import Line, Target
from tables import label_sets, primary_secondary
from timing import in_turn

import iaa_jax as iaa
from iaa_jax import kernels


def sweeps(quick: bool) -> Iterator[Line]:
    """Against one plain evaluation, as often as the sweep evaluates."""
    points, replicates = (51, 200) if quick else (1001, 2000)
    ratings = primary_secondary(380, 3, 10)
    mass = iaa.data.mass(ratings, p=0.7).values
    for name in ("augmented_kappa", "krippendorff_alpha", "mean_pairwise_cohen_kappa"):
        ours, plain = in_turn(
            3,
            lambda name=name: iaa.sweep(ratings, name, p=points, replicates=replicates),
            lambda: plain_kappa(mass),
        )
        yield Line(
            f"{name}, {points:,} p x {replicates:,} replicates, 380 x 3 x 10, with bands",
            ours,
            "K' in plain NumPy, as often",
            plain * points * replicates,
            Target(seconds=1.0),
        )
    yield from _sets(*((5_000, 200) if quick else (100_000, 2000)))


def _sets(items: int, replicates: int) -> Iterator[Line]:
    ratings = label_sets(items, 5, 28)
    mass = ratings.mass.values
    ours, once = in_turn(
        1,
        lambda: iaa.am_agreement(ratings, replicates=replicates),
        lambda: kernels.am_agreement(mass),
    )
    yield Line(
        f"A_m with BCa interval, {items:,} x 5 x 28 labels, {replicates:,} replicates",
        ours,
        "A_m on the dense table, as often",
        once * replicates,
        Target(seconds=15.0),
    )

    labels = 97 if items < 100_000 else 388
    many = label_sets(840, 3, labels)
    ours, once = in_turn(
        1,
        lambda: iaa.am_agreement(many),
        lambda: iaa.am_agreement(many, interval=None),
    )
    yield Line(f"A_m with its interval, 840 x 3 x {labels} labels", ours, "A_m alone", once)


def plain_kappa(mass: NDArray[np.float64]) -> float:
    """Mean over pairs of K' on masses without gaps."""
    found = []
    for a in range(mass.shape[1]):
        for b in range(a):
            observed = np.einsum("il,il->", mass[:, a], mass[:, b]) / len(mass)
            expected = mass[:, a].mean(axis=0) @ mass[:, b].mean(axis=0)
            found.append((observed - expected) / (1 - expected))
    return float(np.mean(found))
