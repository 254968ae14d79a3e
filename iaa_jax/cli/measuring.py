"""The options of commands that measure one coefficient: of what, how, and for which page."""

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
    """Which coefficient of which ratings, and where the page goes."""

    reading: InputOptions
    coefficient: str | None
    how: LabelOptions
    random: IntervalOptions
    output: Output

    @property
    def options(self) -> Keywords:
        """What public functions take of it beside the ratings and the coefficient."""
        return {"label_options": self.how, "options": self.random}

    @property
    def keywords(self) -> Keywords:
        """The same with the coefficient."""
        return {"coefficient": self.coefficient, **self.options}


def measuring(
    drawing: Callable[..., IntervalOptions], output: Callable[..., Output] = gated_output_options
) -> Callable[..., Measuring]:
    """The group of these options, with those about intervals, and about the page."""
    return joined(Measuring, reading_options, coefficient_options, label_options, drawing, output)
