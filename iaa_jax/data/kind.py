"""The kinds of ratings, as an enumeration of the values of the attribute ``task``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Kind(Enum):
    """What a rating consists of: labels, shares, numbers or spans."""

    LABELS = "single"
    DOUBLES = "primary_secondary"
    SETS = "multi_label"
    SHARES = "soft"
    NUMBERS = "value"
    SPANS = "spans"

    @property
    def has_one_label(self) -> bool:
        """Whether a rating has a primary label."""
        return self in (Kind.LABELS, Kind.DOUBLES)

    @property
    def has_labels(self) -> bool:
        """Whether ratings are labels of whole items, rather than numbers or spans."""
        return self not in (Kind.NUMBERS, Kind.SPANS)


def kind_of(attrs: Mapping[str, object]) -> Kind | None:
    """Return the kind of ratings from the attributes of ratings, or of a result; None if unknown.

    Examples
    --------
    >>> kind_of({"task": "soft"}), kind_of({})
    (<Kind.SHARES: 'soft'>, None)
    """
    try:
        return Kind(attrs.get("task"))
    except ValueError:
        return None
