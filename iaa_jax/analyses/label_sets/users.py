"""Annotators who give labels that the others leave out, or leave out labels that they give."""

from __future__ import annotations

from iaa_jax._types import Values
from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.shared.label_users import LabelUsers, find_label_preferences
from iaa_jax.wording import Note

_NAMED = 3
"""Maximum number of annotators that are named."""


def users_named(
    users: LabelUsers, annotators: Values, labels: Values
) -> tuple[list[Note], set[str]]:
    """Note annotators who give labels significantly more often than the others, or less often.

    The second result has all labels that are named.
    """
    each = find_label_preferences(users.ratings, users.codes, users.shares)
    named = sorted(each, key=lambda amounts: -sum(amount.difference for amount in amounts))
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
    told = {str(labels[amount.label]) for amounts in named for amount in amounts}
    return [Note("label_users", {"users": notes})] if notes else [], told
