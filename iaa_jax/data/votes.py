"""Handle several votes of an annotator on an item, as in Dawid and Skene (1979).

Such ratings are stored by slot (`iaa_jax.data.slots`), one slot per vote. Methods that weigh votes
accept them; methods that compare annotators refuse them (`refuse_votes`), since two votes of one
annotator do not show agreement between annotators.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Integers, Values
from iaa_jax.data.duplicates import DUPLICATES, ways_out
from iaa_jax.data.storage import array_of, further_votes, python_value
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import counted


def refuse_votes(ratings: xr.Dataset, reason: str) -> None:
    """Refuse ratings in which an annotator has several votes on an item; state the reason."""
    if message := unfit_of_votes(ratings, reason):
        raise IaaError(message)


def unfit_of_votes(ratings: xr.Dataset, reason: str, instead: str = "") -> str:
    """Return a message that refuses repeated votes, with remedies; "" if no vote is repeated."""
    again = further_votes(ratings)
    if again is None:
        return ""
    item, slot = np.argwhere(again)[0]
    name = array_of(ratings, "annotator")[array_of(ratings, "annotator_of")[item, slot]]
    first = (
        f"annotator {brief(python_value(name))} on item "
        f"{brief(python_value(array_of(ratings, 'item')[item]))}"
    )
    others = [name for name in DUPLICATES if name != "votes"]
    return (
        f"{reason}, and these ratings hold several votes of an annotator on an item "
        f"({counted(int(again.sum()), 'further vote')}, the first by {first}); "
        f"{keyword('duplicates', 'votes')} is for gold labels only: {instead}{ways_out(others)}; "
        f"{keyword('duplicates', 'error')} lists these votes"
    )


def notes_on_votes(ratings: xr.Dataset) -> list[Note]:
    """Return a note on the number of repeated votes, if there are any."""
    again = further_votes(ratings)
    return [] if again is None else [Note("read_as_votes", {"ratings": int(again.sum())})]


def notes_on_new_annotators(
    before: tuple[Integers, Values], after: tuple[Integers, Values]
) -> list[Note]:
    """Return a note on repeated ratings that were attributed to new annotators, if any were."""
    (codes, names), (new_codes, new_names) = before, after
    further = len(new_names) - len(names)
    if not further:
        return []
    values = {
        "ratings": int((new_codes != codes).sum()),
        "annotators": further,
        "name": str(new_names[len(names)]),
    }
    return [Note("read_as_apart", values)]
