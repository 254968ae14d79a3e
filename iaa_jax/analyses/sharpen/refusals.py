"""Options of sharpening and ratings that it takes, and what is refused."""

from __future__ import annotations

import math

from iaa_jax._checks import check_whole, is_number
from iaa_jax._errors import OptionError
from iaa_jax.kernels.labelling.sharpening import Numbers
from iaa_jax.measure.requirements import Excluded
from iaa_jax.wording import named


def checked_numbers(
    tol: float, max_iter: int, epsilon: float, omega: float, prior_strength: float
) -> Numbers:
    """The numbers as the kernel takes them."""
    check_whole("max_iter", max_iter, 1)
    for name, value, most in (
        ("tol", tol, math.inf),
        ("epsilon", epsilon, 1.0),
        ("omega", omega, 1.0),
        ("prior_strength", prior_strength, math.inf),
    ):
        positive = name in ("tol", "epsilon")
        high_enough = is_number(value) and (value > 0 if positive else value >= 0)
        if not (high_enough and value < most):
            above = "above 0" if positive else "0 or more"
            below = f" and below {most:g}" if most < math.inf else ""
            message = f"{named(name)} must be {above}{below}, not {value!r}"
            raise OptionError(message)
    return Numbers(epsilon, omega, prior_strength, tol)


EXCLUDED = (
    Excluded(
        "spans",
        "sharpening weighs annotators by their labels of items",
        "iaa_jax.span_f1 compares those",
    ),
    Excluded(
        "numbers",
        "sharpening weighs annotators by labels",
        "if each number is a label, read them as labels",
    ),
    Excluded(
        "counts without annotators",
        "sharpening weighs annotators",
        "gold labels by majority need none",
    ),
    Excluded("one annotator", "sharpening compares annotators with each other"),
    Excluded(
        "one label",
        "sharpening needs two labels or more",
        f"declare the others with {named('labels')}, if there are any",
    ),
)
"""Ratings that have no labels, or nobody to compare."""
