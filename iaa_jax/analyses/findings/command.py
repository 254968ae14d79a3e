"""The command ``iaa findings``: causes of disagreement that have a name."""

from __future__ import annotations

from typing import Annotated

from iaa_jax.cli.groups import (
    Keywords,
    Reading,
    coefficient_options,
    label_options,
    plain_draws,
    reading_options,
    takes,
)
from iaa_jax.cli.options import MEASURE, option
from iaa_jax.cli.run import Call, Output, output_options, run_functions
from iaa_jax.measure import IntervalOptions, LabelOptions


@takes(reading_options, coefficient_options, label_options, plain_draws, output_options)
def findings(
    reading: Reading,
    coefficient: str | None,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    by: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Column with dates, numbers or batches; by default one with dates.",
            common=True,
        ),
    ] = None,
) -> None:
    """Name the causes of disagreement, and what mending each would bring.

    Who exchanges labels, gives one for another, guesses, favours a label, changes at a
    date or stops; labels that all confuse; items that all find hard. Each is tested, and
    what brings most stands first.
    """
    shared: Keywords = {"coefficient": coefficient, "label_options": how, "options": random}
    asked = Call("findings", shared | {"by": by}, "Looking for causes")
    run_functions(reading, output, asked, columns=[by] if by else [], single_items=True)


EXAMPLES = {
    "findings": (
        "iaa findings ratings.csv",
        "iaa findings ratings.csv --by date",
    ),
}
"""Two lines for the help of each command."""
