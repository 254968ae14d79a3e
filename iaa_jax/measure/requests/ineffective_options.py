"""Errors for options that would have no effect: the caller must have meant something else."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax._errors import OptionError
from iaa_jax.data.kind import Kind
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import keyword


def refuse_unused(requests: Sequence[Request], resolver: Resolver) -> None:
    """Raise an error for a ``level``, ``p``, ``weights_on`` or ``min_common`` without effect."""
    options, names = resolver.options, ", ".join(request.name for request in requests)
    rows = [request.row for request in requests if request.row is not None]
    unused: dict[str, tuple[bool, str]] = {
        "level": (
            options.level is not None
            and not any(request.takes_level for request in requests)
            and not any(row.presupposes == options.level for row in rows),
            f"for {names}: leave it out",
        ),
        "p": (
            options.p != 1 and resolver.tables.kind is not Kind.DOUBLES,
            f"for ratings without secondary labels: name their column with {keyword('secondary')}, "
            "or leave it out",
        ),
        "weights_on": (
            options.weights_on != "value"
            and not any(request.used.endswith("on ranks") for request in requests),
            f"without named weights: give {keyword('weights')} to a coefficient that takes them, "
            "or leave it out",
        ),
        "min_common": (
            options.min_common != LabelOptions.min_common
            and not any("min_common" in row.options for row in rows),
            f"for {names}, which {'leaves' if len(requests) == 1 else 'leave'} no pairs of "
            "annotators out: do without it",
        ),
    }
    for option, (is_unused, reason) in unused.items():
        if is_unused:
            setting = keyword(option, getattr(options, option))
            raise OptionError(f"{setting} changes nothing {reason}")
