"""The command ``iaa watch``: agreement as it comes in, looked at as often as one likes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import iaa_jax
from iaa_jax.cli import choices, options
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import columns_of, shared, takes, with_sampling
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, MEASURE, OUTPUT, RATINGS, READ, WRITTEN, option
from iaa_jax.cli.run import call, run
from iaa_jax.cli.targets import STREAM
from iaa_jax.measure import IntervalOptions

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page

METHODS = ("betting", "influence")

watched_figures = joined(
    with_sampling,
    shared(IntervalOptions, INTERVALS, "confidence", "seed"),
    only=("cluster", "population"),
)


@takes(measuring(watched_figures))
def watch(
    asked: Measuring,
    order: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Column that says when items came (dates, numbers, batches), or 'order'.",
            common=True,
        ),
    ] = None,
    bar: Annotated[
        float | None,
        option(MEASURE, "NUMBER", "The level that is to be reached, as in 0.667.", common=True),
    ] = None,
    record: Annotated[
        str | None,
        option(
            OUTPUT,
            WRITTEN,
            "Keep what was seen in this file, and go on from it the next time.",
            common=True,
        ),
    ] = None,
    per_item: Annotated[
        int | None,
        option(RATINGS, "N", "An item comes once it has so many ratings.", min=1),
    ] = None,
    against: Annotated[
        str | None,
        option(
            MEASURE,
            READ,
            "Other ratings, such as an earlier round, from which the difference is watched.",
        ),
    ] = None,
    bounds: Annotated[
        str | None,
        option(
            MEASURE,
            "LOW,HIGH",
            "The least and the largest number that can be given, of ratings that are numbers.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        option(
            INTERVALS,
            "NAME",
            "'betting' is exact, 'influence' narrower for numbers and few items; by default "
            "betting where it can be.",
        ),
    ] = None,
    plot: options.Plot = None,
) -> None:
    """Watch agreement as ratings come in, and stop when decided.

    The interval holds at all looks together, however often you look; that of other
    commands holds at one. With --bar it says on which side agreement is, or how many items more
    it takes.

    Examples
    --------
    iaa watch ratings.csv --order date --bar 0.667
    iaa watch ratings.csv --record watch.nc --require 'krippendorff_alpha>=0.667'
    """
    ends = choices.numbers_of(bounds, "--bounds")
    if ends is not None and len(ends) != 2:
        raise typer.BadParameter("name two numbers, as in 0,100", param_hint="--bounds")
    choices.one_of(method, METHODS, "--method")
    if record == STREAM:
        raise typer.BadParameter("name a file, such as watch.nc", param_hint="--record")

    def work(progress: LateProgress) -> Page:
        from iaa_jax._files import write_whole
        from iaa_jax.measure.shared.times import ORDER

        named = () if order in (None, ORDER) else (str(order),)
        reading = asked.reading
        ratings = reading.ratings(progress, (*named, *columns_of(asked.random)))
        other = None
        if against is not None:
            other = replace(reading, files=(against,)).ratings(progress, ())
        progress.step("Watching")
        result: xr.Dataset = call(
            "watch",
            progress,
            ratings,
            order=order,
            bar=bar,
            bounds=None if ends is None else (ends[0], ends[1]),
            per_item=per_item,
            against=other,
            earlier=None if record is None else _earlier(record),
            method=method,
            **asked.keywords,
        )
        if record is not None:
            write_whole(Path(record), bytes(result.to_netcdf(engine="scipy")))
        return iaa_jax.page(result)

    also = () if record is None else (record,)
    output = replace(asked.output.also(plot), others=also)
    run(work, output, (*asked.reading.files, *(() if against is None else (against,))))


def _earlier(record: str) -> xr.Dataset | None:
    """What an earlier run has kept; None where there was none."""
    import xarray

    from iaa_jax._errors import IaaError

    if not Path(record).exists():
        return None
    try:
        with xarray.open_dataset(record, engine="scipy") as kept:
            return kept.load()
    except (OSError, ValueError, TypeError) as error:
        raise IaaError(
            f"{record} is no record of iaa watch, and is left as it is: name another file"
        ) from error
