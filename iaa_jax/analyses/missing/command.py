"""The command ``iaa missing``: what missing ratings could change."""

from __future__ import annotations

from typing import Annotated

from iaa_jax.cli import options
from iaa_jax.cli.groups import plain_draws, takes
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, MEASURE, option
from iaa_jax.cli.run import Call, run_functions


@takes(measuring(plain_draws))
def missing(
    asked: Measuring,
    above: Annotated[
        float | None,
        option(
            MEASURE,
            "NUMBER",
            "Show whether the conclusion that agreement is at least this number could change.",
            common=True,
        ),
    ] = None,
    points: Annotated[
        int,
        option(
            MEASURE,
            "N",
            "Steps from agreement as observed to full agreement, and to no agreement.",
            min=1,
        ),
    ] = 10,
    imputations: Annotated[int, option(INTERVALS, "N", "Imputations at each step.", min=2)] = 20,
    by: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Weight items by the inverse of the share of their group rated twice.",
            common=True,
        ),
    ] = None,
    probability: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Weight items by the inverse of this probability of being rated twice.",
            common=True,
        ),
    ] = None,
    plot: options.Plot = None,
) -> None:
    """Show what missing ratings could change.

    Missing ratings are filled in so that they agree as much as observed ratings, more, or
    less; with --above, the page states where the coefficient crosses a threshold. It also
    shows the most extreme coefficients found. --by and --probability correct for items that
    were rated more often.

    Examples
    --------
    iaa missing ratings.csv --above 0.667
    iaa missing ratings.csv --by source
    """
    weights = {"by": by, "probability": probability}
    columns = [column for column in weights.values() if column is not None]
    filled = asked.keywords | {"above": above, "points": points, "imputations": imputations}
    weighted = Call("missing.inverse_probability", asked.keywords | weights, "Weighting items")
    run_functions(
        asked.reading,
        asked.output.also(plot),
        # weights come first, to report unsuitable columns before anything is filled in
        *([weighted] if columns else []),
        Call("missing", filled, "Filling gaps", where_it_fits=bool(columns)),
        columns=columns,
    )
