"""The command ``iaa drift``: agreement over time or from batch to batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from iaa_jax.cli import choices, options
from iaa_jax.cli.exits import complain
from iaa_jax.cli.groups import InputOptions, columns_of, takes, unit_options
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, MEASURE, option
from iaa_jax.cli.run import page_of, run
from iaa_jax.wording.formats import name as printable

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


@takes(measuring(unit_options))
def drift(
    asked: Measuring,
    by: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Column with dates, numbers or batches, or 'order' for the items in their order; by "
            "default 'time', or the one column of dates.",
            common=True,
        ),
    ] = None,
    order: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B,C",
            "Batches in order of time, if their names do not show it.",
            common=True,
        ),
    ] = None,
    bandwidth: Annotated[
        str | None,
        option(
            MEASURE,
            "REACH",
            "Half-width of a window: a number (days for dates), or a duration such as '36h'.",
            common=True,
        ),
    ] = None,
    points: Annotated[
        int,
        option(MEASURE, "N", "Number of windows; batches have one each.", min=2),
    ] = 50,
    permutations: Annotated[
        int, option(INTERVALS, "N", "Permutations for each p-value; 0 for none.", min=0)
    ] = 999,
    plot: options.Plot = None,
) -> None:
    """Show whether and how agreement changes over time or batches.

    The verdict comes first: the largest step with its date, a trend, and whether they
    may be due to chance. A table of windows or batches follows. If the ratings of an
    item have different times, the item gets their median.

    Examples
    --------
    iaa drift ratings.csv --by date
    iaa drift ratings.csv --by order --plot course.png
    """
    batches = choices.listed(order, "--order")

    def work(progress: LateProgress) -> Page:
        ratings, times = _read(asked.reading, by, columns_of(asked.random), progress)
        progress.step("Following")
        return page_of(
            "drift",
            progress,
            ratings,
            times,
            order=batches,
            bandwidth=bandwidth,
            points=points,
            permutations=permutations,
            **asked.keywords,
        )

    run(work, asked.output.also(plot), asked.reading.files)


def _read(
    reading: InputOptions, given: str | None, further: tuple[str, ...], progress: LateProgress
) -> tuple[xr.Dataset, str]:
    """Return the ratings, and the name of the column with times."""
    from iaa_jax._errors import IaaError, MissingColumnError
    from iaa_jax.measure.shared.dates import columns_of_dates
    from iaa_jax.measure.shared.times import ORDER
    from iaa_jax.wording import keyword, with_ways

    by = given or _BY
    try:
        return reading.ratings(progress, (*(() if by == ORDER else (by,)), *further)), by
    except MissingColumnError as error:
        if by in further or repr(by) not in error.message:
            raise
        message = error.message
        if given is None:
            ratings = reading.with_every_column(progress, further)
            dated = [*columns_of_dates(ratings)]
            if len(dated) == 1:
                column = printable(repr(dated[0]))
                complain(f"{column} holds the dates: --by names another column")
                return ratings, dated[0]
            # the user did not name this column
            before, _, after = message.partition(" (named by ")
            message = f"{before}, the default of {keyword('by')}{after.partition(')')[2]}"
        ways = [
            f"name the column of times or batches with {keyword('by')}",
            f"or give {keyword('by', ORDER)} for the items in their order",
        ]
        raise IaaError(with_ways(message, ways)) from None


_BY = "time"
"""Default column."""
