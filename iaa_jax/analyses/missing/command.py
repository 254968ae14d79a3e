"""The command ``iaa missing``: what missing ratings could change."""

from __future__ import annotations

from typing import Annotated

from iaa_jax.cli import options
from iaa_jax.cli.groups import (
    Keywords,
    Reading,
    coefficient_options,
    label_options,
    plain_draws,
    reading_options,
    takes,
)
from iaa_jax.cli.options import INTERVALS, MEASURE, option
from iaa_jax.cli.run import Call, Output, gated_output_options, run_functions
from iaa_jax.measure import IntervalOptions, LabelOptions


@takes(reading_options, coefficient_options, label_options, plain_draws, gated_output_options)
def missing(
    reading: Reading,
    coefficient: str | None,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    above: Annotated[
        float | None,
        option(
            MEASURE,
            "NUMBER",
            "Threshold of the conclusion; by default .8 or .667, the largest that is reached.",
            common=True,
        ),
    ] = None,
    points: Annotated[
        int,
        option(
            MEASURE,
            "N",
            "Steps from agreement as observed to full agreement, and to none.",
            min=1,
        ),
    ] = 10,
    imputations: Annotated[int, option(INTERVALS, "N", "Imputations at each step.", min=2)] = 20,
    by: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Weight items by the share of their group that was rated twice.",
            common=True,
        ),
    ] = None,
    probability: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Weight items by the inverse of this probability of being rated.",
            common=True,
        ),
    ] = None,
    plot: options.Plot = None,
) -> None:
    """Say whether missing ratings could change the conclusion.

    Missing ratings are filled in that agree as much as those observed, or more, or
    less, until the coefficient crosses a threshold; the most extreme tables are shown
    too. --by and --probability correct for items that were rated more often.
    """
    chances = {"by": by, "probability": probability}
    columns = [column for column in chances.values() if column is not None]
    shared: Keywords = {"coefficient": coefficient, "label_options": how, "options": random}
    filled = shared | {"above": above, "points": points, "imputations": imputations}
    weighted = Call("missing.inverse_probability", shared | chances, "Weighting items")
    run_functions(
        reading,
        output.also(plot),
        # first, since it tells of columns that do not fit before anything is filled in
        *([weighted] if columns else []),
        Call("missing", filled, "Filling gaps", where_it_fits=bool(columns)),
        columns=columns,
    )


EXAMPLES = {
    "missing": (
        "iaa missing ratings.csv --above 0.667",
        "iaa missing ratings.csv --by source",
    ),
}
"""Two lines for the help of each command."""
