"""Which ratings and judges can be compared, and what to do about the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax._checks import check_choice, check_names, numbers_of
from iaa_jax._errors import IaaError, shown, suggestion
from iaa_jax._types import Floats
from iaa_jax.data.kind import Kind
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.requirements import Excluded
from iaa_jax.measure.resolver import Resolver
from iaa_jax.wording import keyword, named

SCORES = ("match", "distance")
"""How close two ratings are: whether they are the same label, or how near as numbers."""


EXCLUDED = (
    Excluded("spans", "judges are compared by labels", "compare panels of iaa_jax.span_f1"),
    Excluded("counts without annotators", "it must be known who gave which rating"),
)
"""Ratings whose annotators cannot be compared with one another."""


def check_judges(ratings: Rated, judges: str | Sequence[str]) -> list[str]:
    """The names of the judges; refuse unknown ones, and fewer than two people beside them."""
    check_names("judges", [judges] if isinstance(judges, str) else judges)
    names = [judges] if isinstance(judges, str) else list(judges)
    annotators = [str(name) for name in ratings.annotator_names.tolist()]
    unknown = [name for name in names if name not in annotators]
    if unknown or not names:
        who = f"no annotator is called {shown(unknown)}" if unknown else "nobody is named"
        hint = suggestion(unknown[0], annotators) if unknown else ""
        message = f"{named('judges')}: {who}; the annotators are {shown(annotators)}{hint}"
        raise IaaError(message)
    if len(set(names)) < len(names):
        message = f"{keyword('judges', shown(names))} names one annotator twice"
        raise IaaError(message)
    people = [name for name in annotators if name not in names]
    if len(people) < 2:
        message = (
            "a judge is compared with two people or more, each of them with the others: beside "
            f"{shown(names)} there {'is only ' + shown(people) if people else 'is nobody'}. "
            "Against one person, or gold labels, use iaa_jax.judge.against_gold"
        )
        raise IaaError(message)
    return names


def check_score(resolver: Resolver, score: str | None) -> str:
    """How close two ratings are; by default what the ratings are."""
    tables = resolver.tables
    if score is None:
        return "distance" if tables.kind is Kind.NUMBERS else "match"
    check_choice("score", score, SCORES)
    numbers = tables.kind is Kind.LABELS and tables.labels.dtype.kind in "iuf"
    if score == "distance" and not (numbers or tables.kind is Kind.NUMBERS):
        message = f"{keyword('score', 'distance')} is for numbers, and these ratings are none"
        raise IaaError(message)
    return score


def check_epsilon(epsilon: float | Sequence[float]) -> Floats:
    """The costs of people at which a judge is tested, the first of them first."""
    grid = np.atleast_1d(numbers_of("epsilon", epsilon))
    if grid.ndim != 1 or not len(grid) or not ((grid >= 0) & (grid < 1)).all():
        message = f"{named('epsilon')} must be shares from 0 to below 1, not {epsilon!r}"
        raise IaaError(message)
    return grid
