"""Which ratings and coefficients panels can be made of, and what to do about the others."""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.engine import Problem
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.request import Request
from iaa_jax.measure.resolver import CoefficientLike, Resolver
from iaa_jax.measure.studies import (
    one_coefficient,
    with_identities,
)
from iaa_jax.measure.user_kernel import UserKernel

MOST = 16
"""Annotators whose panels are looked at, every one."""


class PanelRequest(NamedTuple):
    """A coefficient that can be had of some of the annotators."""

    resolver: Resolver
    request: Request
    problem: Problem


def checked(
    ratings: Rated,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
) -> PanelRequest:
    """The coefficient on patterns that tell annotators apart; refuse what has none."""
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    measure = request.problem.measure
    kernel = measure.kernel
    if isinstance(kernel, UserKernel) and kernel.known and "annotator_weight" not in kernel.known:
        message = (
            f"{request.name} cannot leave annotators out: let it take the keyword "
            "annotator_weight, as the functions in iaa_jax.kernels do"
        )
        raise IaaError(message)
    if not resolver.tables.weighs_annotators(measure):
        message = (
            f"{request.name} compares all that annotators marked at once, so that nobody can be "
            "left out of it by a weight: use span_f1 or another F1 of spans, or iaa_jax.annotators "
            "for the figure without each"
        )
        raise IaaError(message)
    return PanelRequest(resolver, request, with_identities(resolver, request.problem))
