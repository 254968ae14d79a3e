"""Check the names of judges and people, and refuse samples that are too small."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax.analyses.judged_scores.sample import JudgedItems
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.named_annotators import annotators_named, people_besides
from iaa_jax.wording import keyword

FEWEST_ITEMS_A_JUDGE = 10
"""Minimum number of rated items for each judge."""

_GOLD, _VOTED = "gold", "by "
"""In a file of gold labels: the column of labels, and the prefix of columns of votes."""


def people_of(
    ratings: Rated, judges: list[str], scored: list[str], people: str | Sequence[str] | None
) -> list[str]:
    """Return the people: those named, or all who are neither judges nor scored."""
    chosen = _chosen(ratings, judges, scored, people)
    if _GOLD in chosen and (voted := [name for name in judges if name.startswith(_VOTED)]):
        raise IaaError(
            f"{shown(voted)} voted for {shown([_GOLD])}: a judge cannot be corrected by its own "
            "votes; make gold labels from only people's ratings, or name people's own columns"
        )
    return chosen


def _chosen(
    ratings: Rated, judges: list[str], scored: list[str], people: str | Sequence[str] | None
) -> list[str]:
    if people is None:
        chosen = people_besides(ratings, [*judges, *scored])
        if not chosen:
            raise IaaError(
                f"there is nobody besides {shown(judges)}: people's labels are needed on a part "
                "of the items"
            )
        return chosen
    chosen = annotators_named(ratings, "people", people)
    for others, what in ((judges, "a judge"), (scored, "scored")):
        if both := [name for name in chosen if name in others]:
            raise IaaError(
                f"{shown(both)} cannot be {what} and one of the people: nobody can be corrected by "
                "their own labels"
            )
    return chosen


def check_sample(sample: JudgedItems, judges: list[str], people: list[str], *, drawn: bool) -> None:
    """Refuse samples without judged items, or with too few rated items.

    If people are a sample (``drawn``), two or more of them must have rated items.
    """
    if not len(sample.judged):
        raise IaaError(f"no item has a label of {shown(judges)}: they must judge the same items")
    rated = float(sample.rated_weight.sum())
    if rated < 2:
        raise IaaError(
            f"{shown(people)} rated {rated:g} of the items that {shown(judges)} judged: two or "
            "more are needed, drawn at random"
        )
    if len(judges) * FEWEST_ITEMS_A_JUDGE > rated:
        raise IaaError(
            f"each judge needs {FEWEST_ITEMS_A_JUDGE} rated items, so {shown(judges)} "
            f"{len(judges) * FEWEST_ITEMS_A_JUDGE}, and there are {rated:g}: name fewer judges, or "
            "have more items rated"
        )
    if drawn and len(np.unique(sample.person)) < 2:
        raise IaaError(
            "one person does not show how far people differ: say that people are fixed "
            f"({keyword('annotators', 'fixed')}), or have others rate items too"
        )
