"""Checks of the annotators that an option names."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax._checks import check_names, names_like
from iaa_jax._errors import IaaError, shown, suggestion
from iaa_jax.data.provenance import ways_to_read
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import keyword, named, with_ways


def annotators_named(ratings: Rated, option: str, given: str | Sequence[str]) -> list[str]:
    """Return the annotators that an option names, all of whom must be known and unique.

    A ``*`` in a name stands for any text.
    """
    names = [given] if isinstance(given, str) else given
    check_names(option, names)
    like = names_like(names, [str(name) for name in ratings.annotator_names.tolist()])
    names = [each for name in names for each in like[name] or [name]]
    check_known(ratings, option, names)
    if not names:
        everyone = shown([str(name) for name in ratings.annotator_names.tolist()])
        raise IaaError(f"{named(option)}: nobody is named; the annotators are {everyone}")
    if len(set(names)) < len(names):
        raise IaaError(f"{keyword(option, shown(names))} names one annotator twice")
    return names


def people_besides(ratings: Rated, others: Sequence[str]) -> list[str]:
    """Return all annotators except ``others``; names that only hold further votes are left out."""
    again = {name for names in ratings.further_ratings.values() for name in names}
    everyone = map(str, ratings.annotator_names.tolist())
    return [name for name in everyone if name not in again and name not in others]


def check_known(ratings: Rated, option: str, names: Sequence[str]) -> None:
    """Raise an error for names that no annotator has."""
    annotators = [str(name) for name in ratings.annotator_names.tolist()]
    if unknown := [name for name in names if name not in annotators]:
        problem = (
            f"{named(option)}: no annotator is called {shown(unknown)}; the annotators are "
            f"{shown(annotators)}{suggestion(unknown[0], annotators)}"
        )
        raise IaaError(with_ways(problem, ways_to_read(ratings.dataset, unknown)))
