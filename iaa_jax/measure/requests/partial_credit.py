"""Agreement of label sets that match in part, to complement coefficients of whole sets."""

from __future__ import annotations

from iaa_jax.catalog import UNWEIGHTED
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Prepared, estimates
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver

PARTIAL_CREDIT = "am_agreement"
"""The coefficient that compares sets label by label."""


def partial_credit(
    resolver: Resolver, request: Request, coefficient: CoefficientLike | None
) -> dict[str, float]:
    """Return A_m of label sets as an attribute; {} if a ``coefficient`` or a distance was chosen.

    A_m (AM agreement) compares sets label by label. The result is also {} for ratings other than
    sets, for unknown annotators, for fewer than two labels, and if A_m is undefined.
    """
    tables = resolver.tables
    is_plain = tables.kind is Kind.SETS and request.used in UNWEIGHTED
    if coefficient is not None or not is_plain:
        return {}
    if resolver.anonymous or len(tables.label_names) < 2:
        return {}
    (agreement,) = estimates(Prepared([resolver.request(PARTIAL_CREDIT).problem]))
    return {} if int(agreement.code) else {"partial_estimate": float(agreement.estimate)}
