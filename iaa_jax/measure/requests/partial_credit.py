"""Agreement of label sets that match in part, beside a coefficient of equal sets alone."""

from __future__ import annotations

from iaa_jax.data.kind import Kind
from iaa_jax.engine import Prepared, estimates
from iaa_jax.measure.options.label_options import UNWEIGHTED
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver

PARTIAL_CREDIT = "am_agreement"
"""The coefficient that compares sets label by label."""


def partial_credit(
    resolver: Resolver, request: Request, asked: CoefficientLike | None
) -> dict[str, float]:
    """Return A_m of all ratings as attributes; nothing where something else was asked for.

    It complements the usual coefficient, for which sets that differ in one label of ten are as far
    apart as any others, unless a distance between sets was chosen.
    """
    tables = resolver.tables
    is_plain = tables.kind is Kind.SETS and request.used in UNWEIGHTED
    if asked is not None or not is_plain or resolver.anonymous or len(tables.label_names) < 2:
        return {}
    (agreement,) = estimates(Prepared([resolver.request(PARTIAL_CREDIT).problem]))
    return {} if int(agreement.code) else {"partial_estimate": float(agreement.estimate)}
