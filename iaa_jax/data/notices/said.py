"""What the caller said of data, as far as it settles what else would be noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Said(Protocol):
    """Options of `iaa_jax.read` that settle something; None where nothing was said."""

    @property
    def item(self) -> str | Sequence[str] | None:
        """The item columns."""

    @property
    def annotators(self) -> str | Sequence[str] | None:
        """The columns of annotators."""

    @property
    def labels(self) -> Sequence[object] | None:
        """The declared labels."""

    @property
    def separator(self) -> str | None:
        """What stands between the labels of a cell."""

    @property
    def merge_labels(self) -> Sequence[str]:
        """The differences that make no other label."""


@dataclass(frozen=True)
class OfTable:
    """The same of a constructor, which asks for labels alone."""

    labels: Sequence[object] | None
    item: str | None = None
    annotators: str | None = None
    separator: str | None = None
    merge_labels: Sequence[str] = ()


TABLE = "table"
"""The layout of what constructors take, beside those of readers."""
