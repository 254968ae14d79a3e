"""Functions that studies share: requests for coefficients, their data, and common errors.

A study is a public function that analyses ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.catalog import Measure
from iaa_jax.data.coordinates import refuse_of_ratings
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Problem
from iaa_jax.measure.ratings.limits import check_size
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.ineffective_options import refuse_unused
from iaa_jax.measure.requests.request import Request, refuse_several_figures
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request

if TYPE_CHECKING:
    import xarray as xr

DEFAULT = "krippendorff_alpha"
"""The default coefficient of a study: it takes every kind of label."""

DEFAULT_OF_SPANS = "span_f1"


def lead_of(names: Sequence[str], *, in_order: bool) -> str:
    """Return the coefficient that the conclusion of a result is about.

    It is the default coefficient. If ``names`` lack the default, or are in the user's order
    (``in_order``), it is the first name.
    """
    return names[0] if in_order or DEFAULT not in names else DEFAULT


def usual_of(kind: Kind) -> str:
    """Return the default coefficient of a study, which depends on the kind of ratings."""
    return DEFAULT_OF_SPANS if kind is Kind.SPANS else DEFAULT


def one_coefficient(resolver: Resolver, coefficient: CoefficientLike | None) -> Request:
    """Return the request for a coefficient with one figure, by default the usual one."""
    usual = usual_of(resolver.tables.kind)
    return single_figures(resolver, [usual if coefficient is None else coefficient])[0]


def single_figures(
    resolver: Resolver,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None,
    further: str = "",
) -> list[Request]:
    """Return requests for coefficients with one figure each, by default all that apply.

    A coefficient with one estimate per label is refused with advice that ends with ``further``.
    """
    requests = [resolver.request(name) for name in names_of_request(coefficients, resolver)]
    refuse_several_figures(requests, f"name a coefficient with a single figure{further}")
    refuse_unused(requests, resolver)
    return requests


def with_identities(resolver: Resolver, problem: Problem) -> Problem:
    """Return the problem on data that tell annotators apart, so that annotators can be weighted."""
    measure = problem.measure
    if measure.identified:
        return problem
    if resolver.anonymous:
        refuse_anonymous("this needs to know who gave which rating")
    tables = resolver.tables
    measure = replace(measure, identified=True)
    of_values = measure.takes_values
    if not of_values:
        check_size(tables, measure)
    codes = tables.codes_of(measure).codes
    data = data_of_codes(tables, problem)(codes) if of_values else tables.masses(measure)
    return replace(
        problem,
        measure=measure,
        table=tables.table(measure),
        ratings=data,
        annotator_of=tables.annotator_of(measure),
    )


def data_of_codes(tables: Rated, problem: Problem) -> Callable[[Integers], Floats]:
    """Return a function from codes (row, column) to the data that the problem takes."""
    measure, data = problem.measure, problem.data
    if measure.compares:
        return partial(tables.spans.data, measure)
    known = tables.codes_of(measure).codes
    cells = np.full((tables.codes.distinct + 1, *data.shape[2:]), np.nan, dtype=data.dtype)
    cells[known[known >= 0]] = data[known >= 0]  # the last row, NaN, is for the code -1
    return cells.__getitem__


def announce(part: str, progress: Callable[[int, int], None] | None) -> None:
    """Tell a progress display which part of the work begins, if it shows parts."""
    step = getattr(progress, "step", None)
    if step is not None:
        step(part)


def check_along(ratings: xr.Dataset, axis: str, columns: Iterable[str]) -> None:
    """Raise an error for columns of ``ratings`` that do not lie along the axis ``axis``."""
    for name in columns:
        refuse_of_ratings(ratings, name, f"{axis}s")
        (along,) = ratings[name].dims
        if along != axis:
            raise IaaError(
                f"column {name!r} describes {along}s, not {axis}s: it cannot be kept here"
            )


def refuse_anonymous(refusal: str) -> None:
    """Raise an error because annotators are unknown; ``refusal`` states what needs to know them."""
    raise IaaError(f"{refusal}, and these ratings are counts without annotators")


def patterns_of_items(tables: Rated, measure: Measure) -> NDArray[np.intp]:
    """Return the index of each item's pattern of ratings, in the table that a measure takes."""
    return tables.identified.pattern_of if measure.identified else tables.exchangeable_of_items
