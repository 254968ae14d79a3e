"""Finds rows whose ratings may not count, such as rejected ones.

A column is taken to hold states or flags if its name and its cells suggest this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import xarray as xr

from iaa_jax._types import Integers
from iaa_jax.data.storage import array_of
from iaa_jax.data.usual_names import bare_name
from iaa_jax.io.table.cells import BLANK, Rows
from iaa_jax.io.table.excluding import SIGN
from iaa_jax.wording import Note

_NAMED = re.compile(r"(.*[\W_])?(?i:status|state)|.*[a-z](Status|State)")
_NOT_COUNTED = frozenset(
    {
        "rejected", "reject", "declined", "discarded", "skipped", "ignored", "cancelled",
        "canceled", "draft", "invalid", "abandoned", "expired", "timed out", "timeout",
        "withdrawn", "excluded", "incomplete", "unfinished", "in progress", "not started",
        "not submitted", "spam", "preview", "practice", "disqualified", "screened out", "tainted",
    }
)  # fmt: skip
"""States in which a rating probably does not count, in lower case, with single blanks."""

_FLAG = re.compile(
    "(is|was)?(control|gold|golden|practice|quiz|testquestion|tainted|attentioncheck|honeypot|"
    "rejected|skipped|discarded|draft|excluded?|cancelled)"
)
_VAGUE_FLAGS = frozenset({"control", "gold", "practice", "quiz"})
"""Names, in lower case, of columns that may hold flags, but also labels."""

_YES = frozenset({"1", "true", "yes", "y", "t", "x", "1.0"})
_NO = frozenset({"0", "false", "no", "n", "f", "0.0"})


@lru_cache(maxsize=1 << 12)
def may_hold_states(name: str) -> bool:
    """Tell whether the name of a column suggests states or flags of ratings.

    Examples
    --------
    >>> [may_hold_states(name) for name in ("AssignmentStatus", "_golden", "estate", "statement")]
    [True, True, False, False]
    """
    return bool(_NAMED.fullmatch(name) or _FLAG.fullmatch(_bare(name)))


def notes_on_states(
    ratings: xr.Dataset, table: Rows, names: Sequence[str], rows: Integers
) -> list[Note]:
    """Return a warning for each state whose ratings may not be meant to count."""
    labels = {str(label) for label in array_of(ratings, "label")} if "label" in ratings else set()
    notes = []
    for name in names:
        codes, known = table.column(name, BLANK)
        rated, cells = np.asarray(codes)[np.unique(rows)], [str(cell) for cell in known]
        indices = [place for place in _told(name, cells, labels) if (rated == place).any()]
        if np.isin(rated, indices).all():
            continue
        for place in indices:
            rule = f"{name}{SIGN}{cells[place]}"
            count = int((rated == place).sum())
            values = {"rows": count, "column": name, "value": cells[place], "rule": rule}
            notes.append(Note("rows_of_state", values, "caution"))
    return notes


def _told(name: str, cells: Sequence[str], labels: set[str]) -> list[int]:
    """Return the indices of cells whose ratings probably do not count."""
    if _NAMED.fullmatch(name):
        words = [" ".join(re.split(r"[\W_]+", cell.casefold())).strip() for cell in cells]
        return [place for place, word in enumerate(words) if word in _NOT_COUNTED]
    lower = [cell.casefold() for cell in cells]
    if not {*lower} <= _YES | _NO or (_bare(name) in _VAGUE_FLAGS and labels & {*cells}):
        return []
    return [place for place, cell in enumerate(lower) if cell in _YES]


def _bare(name: str) -> str:
    return bare_name(name.rpartition(".")[2])
