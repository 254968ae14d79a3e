"""Models from several starts: the best end, and how many others there are."""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._types import Variables
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.engine.fits import Fit, Tolerance
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.wording import Note


class Starts(NamedTuple):
    """What a result says of them; nothing where there was one."""

    variables: Variables
    attrs: dict[str, object]
    notes: list[Note]


def fitted(
    votes: VoteTables, row: LabellingMethod, tolerance: Tolerance, restarts: int, seed: int
) -> tuple[Fit, Starts]:
    """The fit from the usual start, or the best with ``restarts`` random ones."""
    if not restarts:
        return votes.fit(row, tolerance), Starts({}, {}, [])
    found = votes.fit_restarts(row, tolerance, restarts, seed)
    elsewhere = int(found.elsewhere[1:].sum())
    attrs: dict[str, object] = {
        "restarts": restarts,
        "restarts_elsewhere": elsewhere,
        "best_start": found.best,
        "seed": seed,
    }
    notes = []
    if found.best:
        gain = float(found.likelihoods[found.best] - found.likelihoods[0])
        notes.append(Note("better_start", {"gain": gain}, "caution"))
    if elsewhere:
        notes.append(Note("elsewhere", {"restarts": restarts, "elsewhere": elsewhere}))
    return found.fit, Starts({"likelihoods": ("start", found.likelihoods)}, attrs, notes)
