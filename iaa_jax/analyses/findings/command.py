"""The command ``iaa findings``: causes of disagreement that have a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from iaa_jax.cli.groups import Reading, plain_draws, takes
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import MEASURE, option
from iaa_jax.cli.progress import LateProgress
from iaa_jax.cli.run import output_options, page_of, run

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.pages import Page


@takes(measuring(plain_draws, output_options))
def findings(
    asked: Measuring,
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
    """Name the causes of disagreement, and what each costs.

    Who exchanges labels, gives one for another, guesses, favours a label, changes at a
    date or stops; labels that all confuse; items that all find hard. Each is tested, and
    what costs most stands first.

    Examples
    --------
    iaa findings ratings.csv
    iaa findings ratings.csv --by date
    """

    def work(progress: LateProgress) -> Page:
        ratings = _read(asked.reading, by, progress)
        progress.step("Looking for causes")
        return page_of("findings", progress, ratings, by=by, **asked.keywords)

    run(work, asked.output, asked.reading.files)


def _read(reading: Reading, by: str | None, progress: LateProgress) -> xr.Dataset:
    """The ratings with every further column, which may say since when and of which items."""
    from iaa_jax._errors import IaaError

    try:
        ratings = reading.ratings(progress, ["*"], single_items=True)
    except IaaError:  # a column may not fit; whatever else is wrong is said now
        return reading.ratings(progress, [] if by is None else [by], single_items=True)
    if by is None or by in ratings.coords:
        return ratings
    return reading.ratings(progress, [by], single_items=True)
