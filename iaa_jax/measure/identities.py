"""Any coefficient on patterns that tell annotators apart, so that annotators can be weighted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.engine import Problem
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.request import Resolver
from iaa_jax.measure.tables import RatingTables


def with_identities(resolver: Resolver, problem: Problem) -> Problem:
    """The same coefficient on patterns that tell annotators apart, so that they can be weighted."""
    measure = problem.measure
    if measure.identified:
        return problem
    if resolver.anonymous:
        refuse_anonymous("this needs to know who gave which rating")
    tables = resolver.tables
    measure = replace(measure, identified=True)
    of_values = measure.takes_values
    data = _values_of_places(tables, problem) if of_values else tables.mass(measure)
    return replace(
        problem,
        measure=measure,
        table=tables.table(measure),
        data=data,
        annotator_of=tables.annotator_of(measure),
    )


def _values_of_places(tables: RatingTables, problem: Problem) -> Floats:
    """The numbers (pattern, place) of identified patterns, read off the exchangeable ones."""
    # numbers, or labels by number: the same for the same code
    codes = tables.exchangeable.codes
    values = np.full(tables.codes.distinct + 1, np.nan)
    values[codes[codes >= 0]] = problem.data[codes >= 0]
    places = tables.places if problem.measure.takes_slots else tables.grid
    return values[places.codes]


def refuse_anonymous(what: str) -> None:
    """Say that the annotators of these ratings are not known."""
    message = f"{what}, and these ratings are counts without annotators"
    raise IaaError(message)
