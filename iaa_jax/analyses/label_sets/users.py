"""Who gives labels that the others leave out, and who leaves out what they give."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Values, Variables
from iaa_jax.measure.shared.label_users import LabelUsers
from iaa_jax.wording import Note

_RATIO = 1.5
"""How many times as often one gives a label as the others, or they as he, to be named."""

_SURE = 0.05
"""The p-value, times annotators and labels, up to which somebody is named."""

_NAMED = 3
"""How many are named."""


def figures_of(users: LabelUsers) -> Variables:
    """What each annotator gives, along annotators and labels."""
    figures = {
        "given": users.given,
        "given_by_others": users.by_others,
        "given_p_value": users.p_value,
    }
    return {name: (("annotator", "label"), values) for name, values in figures.items()}


def users_named(
    users: LabelUsers, annotators: Values, labels: Values
) -> tuple[list[Note], set[str]]:
    """The annotators who surely give labels more often than the others, or less often.

    Of each label the one who is farthest from the others, who are apart from each other by that.
    Second, all labels that are told.
    """
    difference = users.difference
    far = np.nan_to_num(np.abs(difference))
    with np.errstate(invalid="ignore"):
        sure = (users.p_value * difference.size <= _SURE) & (far >= far.max(axis=0))
        more = sure & (users.given > _RATIO * users.by_others)
        less = sure & (users.by_others > _RATIO * users.given)
    found = []
    for code, named in (("gives_more", more), ("gives_less", less)):
        for place in np.flatnonzero(named.any(axis=1)):
            size = np.where(named[place], far[place], 0.0)
            order = np.argsort(-size, kind="stable")[: named[place].sum()]
            first, *others = (str(labels[label]) for label in order)
            values = {
                "name": str(annotators[place]),
                "label": first,
                "share": float(users.given[place, order[0]]),
                "others": float(users.by_others[place, order[0]]),
                "further": Note(f"{code}_too", {"labels": others}) if others else "",
            }
            found.append((float(size.sum()), Note(code, values)))
    found.sort(key=lambda each: -each[0])
    users_of = [note for _, note in found[:_NAMED]]
    told = {str(label) for label in labels[(more | less).any(axis=0)].tolist()}
    return [Note("label_users", {"users": users_of})] if users_of else [], told
