"""What a rating is: one enumeration in the place of the texts that Datasets keep."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Kind(Enum):
    """What a rating is; the values are those of the attribute ``task``."""

    LABELS = "single"
    DOUBLES = "primary_secondary"
    SETS = "multi_label"
    SHARES = "soft"
    NUMBERS = "value"
    SPANS = "spans"

    @property
    def has_one_label(self) -> bool:
        """Whether a rating names one label before all others."""
        return self in (Kind.LABELS, Kind.DOUBLES)

    @property
    def has_labels(self) -> bool:
        """Whether a rating is labels of a whole item, which agree or do not."""
        return self not in (Kind.NUMBERS, Kind.SPANS)


def kind_of(attrs: Mapping[str, object]) -> Kind | None:
    """The kind that attributes of ratings, or of a result on them, tell; None if they tell none.

    Examples
    --------
    >>> kind_of({"task": "soft"}), kind_of({})
    (<Kind.SHARES: 'soft'>, None)
    """
    try:
        return Kind(attrs.get("task"))
    except ValueError:
        return None
