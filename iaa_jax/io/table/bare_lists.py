"""Lists in lists without names, as a constructor takes them: JSON that is no table."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax.io.table.json_fields import Json
from iaa_jax.io.table.source import Source
from iaa_jax.wording import with_ways

_SEEN = 1000
_SINGLE, _SETS, _TIERS = 2, 3, 4
"""How deep labels stand: in a list of each item one of an annotator, with lists in it, or twice."""


def refusal(source: Source, records: Sequence[Json]) -> str:
    """Why lists without names are not read, and which constructor takes them.

    Examples
    --------
    >>> from pathlib import Path
    >>> refusal(Source(Path("t.json")), [["x", "y"]]).split("from_")[1].partition("(")[0]
    'wide'
    """
    depth = 1 + max(map(_depth, records[:_SEEN]), default=0)
    lengths = {len(row) for row in records if isinstance(row, list)}
    load = f"json.load(open({str(source)!r}))"
    anonymous = ", anonymous=True" if len(lengths) > 1 else ""
    ranked = f"iaa.from_ranked({load}, p=0.75{anonymous})"
    known = {
        _SINGLE: [f"if each is a list of annotators' labels, call iaa.from_wide({load})"],
        _SETS: [
            f"if the labels of a rating have no order, call iaa.from_sets({load})",
            f"if the best stands first, call {ranked}, p being the share of the first of two",
        ],
        _TIERS: [
            "if each holds a list of annotators, each of these ranks, best first, and a rank its "
            f"labels, call {ranked}, p being the share of the first of two"
        ],
    }
    what = f"{source}: lists where objects with named fields are needed"
    ways = known.get(depth, [])
    return with_ways(
        f"{what}; without names they are for Python" if ways else what,
        [*ways, "write a record for each rating, with item, annotator and label"],
    )


def _depth(value: Json) -> int:
    """How many lists stand in one another."""
    depth, level = 0, [value]
    while inner := [part for part in level if isinstance(part, list)]:
        depth += 1
        level = [each for part in inner for each in part]
    return depth
