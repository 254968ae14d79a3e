"""Notes on annotators who give some labels more often or less often than the others."""

from __future__ import annotations

from iaa_jax._types import Values
from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.shared.label_users import LabelUsers, find_label_preferences
from iaa_jax.wording import Note

_NAMED = 3
"""Maximum number of annotators whom the note names."""


def users_named(
    users: LabelUsers, annotators: Values, labels: Values
) -> tuple[list[Note], set[str]]:
    """Return a note on annotators who give labels significantly more or less often than the others.

    The second value is the set of all labels for which annotators differ in this way.
    """
    preferences = find_label_preferences(users.ratings, users.codes, users.shares)
    named = sorted(preferences, key=lambda amounts: -sum(amount.difference for amount in amounts))
    notes = []
    for first, *further in named[:_NAMED]:
        code = "gives_more" if first.more else "gives_less"
        others = [str(labels[amount.label]) for amount in further]
        values = {
            "name": str(annotators[first.annotator]),
            "label": str(labels[first.label]),
            "share": first.own,
            "others": first.others,
            "items": int_if_whole(first.items),
            "further": Note(f"{code}_too", {"labels": others}) if others else "",
        }
        notes.append(Note(code, values))
    differing = {str(labels[amount.label]) for amounts in named for amount in amounts}
    return [Note("label_users", {"users": notes})] if notes else [], differing
