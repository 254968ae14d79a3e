"""The options of commands that measure one coefficient: ratings, intervals and page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import (
    InputOptions,
    Keywords,
    coefficient_options,
    label_options,
    reading_options,
)
from iaa_jax.cli.run import Output, gated_output_options
from iaa_jax.measure import IntervalOptions, LabelOptions


@dataclass(frozen=True)
class Measuring:
    """The options of a command: the ratings, the coefficient, and the page's destinations."""

    reading: InputOptions
    coefficient: str | None
    how: LabelOptions
    random: IntervalOptions
    output: Output

    @property
    def options(self) -> Keywords:
        """The keyword arguments of public functions, without the ratings and the coefficient."""
        return {"label_options": self.how, "options": self.random}

    @property
    def keywords(self) -> Keywords:
        """The keyword arguments of public functions, including the coefficient."""
        return {"coefficient": self.coefficient, **self.options}


def measuring(
    drawing: Callable[..., IntervalOptions], output: Callable[..., Output] = gated_output_options
) -> Callable[..., Measuring]:
    """Return a function that makes a `Measuring` from options."""
    return joined(Measuring, reading_options, coefficient_options, label_options, drawing, output)
