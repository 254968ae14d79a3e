"""Annotators whose judgements are another's: a file that was copied is no annotator of its own."""

from __future__ import annotations

from collections import defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.io.export.answers import Status
from iaa_jax.wording import Note

if TYPE_CHECKING:
    from iaa_jax.io.export.ratings import Judgements

_TIMED = 5  # answers that are alike to the second only if they are copied
_UNTIMED = 20  # answers that seldom are all alike


def notes_on_copies(judgements: Judgements) -> list[Note]:
    """Name annotators of several files who answered everything alike."""
    if len(set(judgements.codes("files").tolist())) < 2:
        return []
    times = judgements.codes("times")
    who, known = judgements.annotators()
    columns = [judgements.codes(name) for name in ("items", "values", "status")]
    order = np.lexsort((times, columns[0], who))
    ends = np.flatnonzero(np.diff(who[order])) + 1
    alike: dict[tuple[int, bytes], list[str]] = defaultdict(list)
    for rows in np.split(order, ends):
        answers = int((columns[2][rows] == Status.ANSWERED).sum())
        least = _UNTIMED if np.isnan(times[rows]).any() else _TIMED
        if answers >= least and who[rows[0]] >= 0:
            cells = b"".join(column[rows].tobytes() for column in (*columns, times))
            alike[answers, blake2b(cells).digest()].append(str(known[who[rows[0]]]))
    return [
        Note("same_judgements", {"names": names, "count": answers}, "caution")
        for (answers, _), names in alike.items()
        if len(names) > 1
    ]
