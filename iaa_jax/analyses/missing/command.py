"""The command ``iaa missing``: what missing ratings could change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from iaa_jax.cli import options
from iaa_jax.cli.groups import (
    Reading,
    coefficient_options,
    label_options,
    reading_options,
    shared,
    takes,
)
from iaa_jax.cli.options import INTERVALS, MEASURE, option
from iaa_jax.cli.run import Output, gated_output_options, run
from iaa_jax.measure import IntervalOptions, LabelOptions

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page

drawing_options = shared(IntervalOptions, INTERVALS, "confidence", "seed")


@takes(reading_options, coefficient_options, label_options, drawing_options, gated_output_options)
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
    steps: Annotated[
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

    def work(progress: LateProgress) -> Page:
        from iaa_jax.analyses.missing.page import page
        from iaa_jax.analyses.missing.study import missing as study
        from iaa_jax.analyses.missing.weighting import missing_inverse_probability

        chances = [column for column in (by, probability) if column is not None]
        ratings = reading.ratings(progress, chances)
        weighted = None
        if chances:
            weighted = missing_inverse_probability(
                ratings,
                coefficient,
                by=by,
                probability=probability,
                label_options=how,
                options=random,
            )
            if "slot" in ratings.dims or ratings.attrs["task"] == "spans":
                return page(None, weighted)  # of which no table is meant to be complete
        progress.step("Filling gaps")
        result = study(
            ratings,
            coefficient,
            above=above,
            steps=steps,
            imputations=imputations,
            label_options=how,
            options=random,
            progress=progress.done,
        )
        return page(result, weighted)

    run(work, output.also(plot), reading.files)


EXAMPLES = {
    "missing": (
        "iaa missing ratings.csv --above 0.667",
        "iaa missing ratings.csv --by source",
    ),
}
"""Two lines for the help of each command."""
