"""Random continua that tests of units share."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa
from tests.oracles.units import Document, Unit

LABELS = ("A", "B", "C")


def units_of(rng: np.random.Generator, length: int, labels: tuple[str, ...] = LABELS) -> list[Unit]:
    """Some units that do not overlap, and may touch."""
    cuts = np.sort(rng.choice(length + 1, size=min(int(rng.integers(2, 9)), length), replace=False))
    stretches = zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    return [(s, e, str(rng.choice(labels))) for s, e in stretches if rng.random() < 0.6]


def shaken(rng: np.random.Generator, units: list[Unit], length: int) -> list[Unit]:
    """The same units, with some moved, lost or of another label."""
    found: list[Unit] = []
    reached = 0
    for start, end, label in units:
        start = max(reached, start + int(rng.integers(-1, 2)))
        end = min(length, end + int(rng.integers(-1, 2)))
        if start < end and rng.random() < 0.8:
            found.append((start, end, label if rng.random() < 0.8 else str(rng.choice(LABELS))))
            reached = end
    return found


def documents(
    seed: int, number: int, annotators: int, seen: float = 0.8, longest: int = 25
) -> list[Document]:
    """Documents of any length; each seen by some of the annotators, now and then by one."""
    rng = np.random.default_rng(seed)
    made: list[Document] = []
    for _ in range(number):
        length = int(rng.integers(5, longest))
        truth = units_of(rng, length)
        # everybody sees the first
        names = [f"a{k}" for k in range(annotators) if not made or rng.random() < seen] or ["a0"]
        made.append((length, {name: shaken(rng, truth, length) for name in names}))
    return made


def dataset(made: list[Document], prefix: str = "d") -> xr.Dataset:
    """The same as spans."""
    named = {f"{prefix}{place:03}": marked for place, (_, marked) in enumerate(made)}
    lengths = {f"{prefix}{place:03}": length for place, (length, _) in enumerate(made)}
    return iaa.from_spans(named, lengths=lengths, labels=list(LABELS))
