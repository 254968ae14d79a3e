"""Options of sharpening and ratings that it takes, and what is refused."""

from __future__ import annotations

import math

from iaa_jax._checks import check_whole, is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.kernels.labelling.sharpening import Numbers
from iaa_jax.measure.resolver import Resolver
from iaa_jax.measure.studies import refuse_spans
from iaa_jax.wording import named


def checked_numbers(
    tol: float, max_iter: int, eps: float, omega: float, prior_strength: float
) -> Numbers:
    """The numbers as the kernel takes them."""
    check_whole("max_iter", max_iter, 1)
    for name, value, most in (
        ("tol", tol, math.inf),
        ("eps", eps, 1.0),
        ("omega", omega, 1.0),
        ("prior_strength", prior_strength, math.inf),
    ):
        positive = name in ("tol", "eps")
        high_enough = is_number(value) and (value > 0 if positive else value >= 0)
        if not (high_enough and value < most):
            above = "above 0" if positive else "0 or more"
            below = f" and below {most:g}" if most < math.inf else ""
            message = f"{named(name)} must be {above}{below}, not {value!r}"
            raise OptionError(message)
    return Numbers(eps, omega, prior_strength, tol)


def refuse_unfit(resolver: Resolver) -> None:
    """Refuse ratings that have no labels, or nobody to compare."""
    tables, sizes = resolver.tables, resolver.ratings.sizes
    refuse_spans(
        resolver.ratings,
        "sharpening weighs annotators by their labels of items",
        "iaa_jax.span_f1 compares those",
    )
    if tables.task == "value":
        message = (
            "sharpening weighs annotators by labels, and these ratings are numbers: if each number "
            "is a label, read them as labels"
        )
        raise IaaError(message)
    if resolver.anonymous:
        message = (
            "sharpening weighs annotators, and these ratings are counts without annotators: gold "
            "labels by majority need none"
        )
        raise IaaError(message)
    if sizes["annotator"] < 2:
        message = "sharpening compares annotators with each other, and there is only one"
        raise IaaError(message)
    if sizes["label"] < 2 and tables.task != "multi_label":
        message = (
            f"sharpening needs two labels or more, and all ratings have the same: declare the "
            f"others with {named('labels')}, if there are any"
        )
        raise IaaError(message)
