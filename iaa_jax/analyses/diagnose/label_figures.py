"""Figures of each label, as columns."""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._types import Columns
from iaa_jax.wording import Note


class OfLabels(NamedTuple):
    """What the table of labels says: columns, what is noted of each label, and of several."""

    columns: Columns
    noted: list[tuple[Note, ...]]
    notes: list[Note]


def named_figures(name: str, figures: Columns, estimate: str | None = None) -> Columns:
    """The estimate and its uncertainty under a name."""
    parts = ("standard_error", "ci_low", "ci_high")
    return {estimate or name: figures["estimate"]} | {
        f"{name}_{part}": figures[part] for part in parts
    }
