"""Each label against all others together: a problem of two labels on the same patterns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.catalog import Measure
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.request import Request, Resolver

TOGETHER = 16
"""Labels whose coefficients are compiled as one."""


def against_the_rest(resolver: Resolver, wanted: Request, shares: Floats) -> list[Request]:
    """One coefficient of each label in turn; ``shares`` is (code, label)."""
    measure = measure_of_labels(wanted)
    return [one_against_the_rest(resolver, wanted, measure, share) for share in shares.T]


def measure_of_labels(wanted: Request) -> Measure:
    """How the coefficient is computed on two labels."""
    measure = wanted.problem.measure
    if measure.takes_values and wanted.row is not None:
        measure = wanted.row.measure  # of many labels one by one there are only two
    if measure.takes_values:
        message = f"{wanted.name} compares numbers: name a coefficient of labels"
        raise IaaError(message)
    return measure


def one_against_the_rest(
    resolver: Resolver, wanted: Request, measure: Measure, share: Floats
) -> Request:
    """A label, by its share in each distinct rating, and the rest as the other label."""
    two = np.stack([share, 1 - share], axis=1)
    table = np.concatenate([two, np.full((1, 2), np.nan)])
    tables = resolver.tables
    problem = replace(
        wanted.problem,
        measure=measure,
        table=tables.table(measure),
        data=table[codes_of(resolver, measure)],
        label_agreement=None,
        annotator_of=tables.annotator_of(measure),
    )
    return Request(wanted.name, wanted.row, problem, "identity")


def codes_of(resolver: Resolver, measure: Measure) -> NDArray[Any]:
    """The codes of the patterns that a measure works on."""
    tables = resolver.tables
    if not measure.identified:
        return tables.exchangeable.codes
    return tables.places.codes if measure.takes_slots else tables.grid.codes
