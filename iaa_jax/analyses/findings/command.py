"""The command ``iaa findings``: causes of disagreement, and the gain from mending each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from iaa_jax.cli import options
from iaa_jax.cli.groups import InputOptions, plain_draws, takes
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
            "Column with dates, numbers or batches, or 'order' for the items in their order; by "
            "default one with dates.",
            common=True,
        ),
    ] = None,
    plot: options.Plot = None,
) -> None:
    """Name the causes of disagreement, and what each costs.

    Causes are annotators who exchange labels, give one for another, guess, favour a
    label, change at a date or stop; labels that all confuse; items that all find hard;
    and answers that differ when somebody is asked again. Each cause is tested. Doubts
    about how the file was read come first, and then causes that can be mended.

    Examples
    --------
    iaa findings ratings.csv
    iaa findings ratings.csv --by date
    """

    def work(progress: LateProgress) -> Page:
        # further columns may hold dates, or kinds of items
        ratings = asked.reading.with_every_column(progress, [] if by is None else [by])
        repeats = _asked_again(asked.reading, ratings, progress)
        progress.step("Looking for causes")
        return page_of("findings", progress, ratings, by=by, repeats=repeats, **asked.keywords)

    run(work, asked.output.also(plot), asked.reading.files)


def _asked_again(
    reading: InputOptions, ratings: xr.Dataset, progress: LateProgress
) -> xr.Dataset | None:
    """Read the ratings again, with repeated ratings; None if none were left out, and for spans."""
    from iaa_jax.data.provenance import parts_of

    skipped = [note.code for note in parts_of(ratings, "skipped")]
    if "skipped_repeated_ratings" not in skipped or ratings.attrs["task"] == "spans":
        return None
    return reading.other(reading.files, duplicates="apart").ratings(progress, single_items=True)
