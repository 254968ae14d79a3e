"""The level of measurement of labels, and the question where nobody said it."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax.measure.label_agreements import out_of_order
from iaa_jax.measure.request import Request
from iaa_jax.measure.resolver import Resolver
from iaa_jax.wording import Note

FEWEST_RANKS = 3
"""Labels from which order and distance can count: two only agree or do not."""


def level_of(resolver: Resolver) -> str:
    """The level that ratings are taken at; "" where weights or a distance say how they agree."""
    if resolver.options.level is not None:
        return resolver.options.level
    if resolver.tables.task == "value":
        return "interval"
    return "" if resolver.weights_given else "nominal"


def possible_levels(resolver: Resolver, requests: Sequence[Request]) -> tuple[str, ...]:
    """The levels that labels may be meant at, the one they were taken at first.

    One alone, unless labels are numbers or were declared in an order, nobody said what they are,
    and it matters for a coefficient.
    """
    ratings = resolver.ratings
    open_ = (
        not resolver.agreement_said
        and resolver.tables.task in ("single", "primary_secondary")
        and ratings.attrs.get("labels_ordered", 0)
        and ratings.sizes["label"] >= FEWEST_RANKS
        and any(request.takes_level for request in requests)
    )
    if not open_:
        return (level_of(resolver),)
    labels = resolver.tables.label_names
    if out_of_order(labels):  # which order is meant is a question of its own
        return "nominal", "interval"
    numbers = labels.dtype.kind in "iuf"
    return ("nominal", "ordinal", "interval") if numbers else ("nominal", "ordinal")


def level_question(
    resolver: Resolver,
    requests: Sequence[Request],
    figures: Sequence[dict[str, object]] = (),
) -> list[Note]:
    """The question what labels are, where it is open; with figures of each level if there are."""
    levels = possible_levels(resolver, requests)
    if len(levels) == 1:
        return []
    labels = resolver.tables.label_names.tolist()
    values = {"lowest": labels[0], "highest": labels[-1]}
    if "interval" in levels:
        values = {"lowest": min(labels), "highest": max(labels)}
    code = "numbers_as_names" if "interval" in levels else "order_as_names"
    return [Note(code, {**values, **({"levels": list(figures)} if figures else {})}, "caution")]
