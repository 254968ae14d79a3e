"""The command ``iaa drift``: agreement over time or from batch to batch."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax.analyses.diagnose.running import Asking, asking_options, measuring
from iaa_jax.cli import options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json, write_whole
from iaa_jax.cli.provenance import provenance
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.analyses.drift.page import DriftReport
    from iaa_jax.cli.progress import LateProgress

_MEASURE = "What to measure"
_INTERVALS = "Intervals"
_OUTPUT = "Output"


@takes(reading_options, asking_options, resampling_options)
def drift(
    reading: Reading,
    asking: Asking,
    resampling: Resampling,
    by: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            help="Column with dates, numbers or batches; 'order': the items as they stand.",
            rich_help_panel=_MEASURE,
        ),
    ] = "time",
    order: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C",
            help="Batches in the order of time, where their names do not tell it.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    bandwidth: Annotated[
        str | None,
        typer.Option(
            metavar="REACH",
            help="How far a window reaches to each side: a number (days for dates), or '36h'.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    points: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            help="Windows from the first item to the last; batches have one each.",
            rich_help_panel=_MEASURE,
        ),
    ] = 50,
    permutations: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Shuffles behind each p-value.", rich_help_panel=_INTERVALS
        ),
    ] = 999,
    json: options.Json = None,
    plot: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Draw the curve: .png, .svg or .pdf. Needs matplotlib.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    debug: options.Debug = False,
) -> None:
    """Show how agreement moves over time or from batch to batch, and whether it does.

    A table of windows or batches, then what it comes to: the largest step with its
    date, a trend, and what chance alone would do. A column that differs between the
    ratings of an item gives the item the middle of their times.
    """
    with exits(debug):
        from iaa_jax.analyses.drift.page import print_drift
        from iaa_jax.analyses.drift.picture import drift_picture
        from iaa_jax.cli.progress import LateProgress
        from iaa_jax.report.picture import check_picture

        for target in (json, plot):
            check_target(target, reading.files)
        if plot is not None:
            check_picture(plot)
        own: dict[str, Any] = {
            "by": by,
            "order": None if order is None else [name.strip() for name in order.split(",")],
            "bandwidth": bandwidth,
            "points": points,
            "permutations": permutations,
        }
        with LateProgress(console(stderr=True)) as progress:
            report = _followed(reading, asking, resampling, own, progress)
        if plot is not None:
            names = ", ".join(Path(file).name for file in reading.shown_files()[:2])
            picture = drift_picture(report.found, report.title, Path(plot).suffix, names)
            write_whole(Path(plot), picture)
        if json is not None:
            write_json(report.record(), json)
        if json != STANDARD_OUTPUT:
            print_drift(console(), report)


def _followed(
    reading: Reading,
    asking: Asking,
    resampling: Resampling,
    own: dict[str, Any],
    progress: LateProgress,
) -> DriftReport:
    from iaa_jax.analyses.drift.page import DriftReport
    from iaa_jax.analyses.drift.study import drift as study
    from iaa_jax.catalog import CATALOG, NAMES
    from iaa_jax.data import summary
    from iaa_jax.measure.items import DEFAULT
    from iaa_jax.report.records import data_facts

    progress.step("Reading")
    ratings, note = with_times(reading.ratings(progress.done), reading, own["by"])
    progress.step("Following")
    name = asking.coefficient or DEFAULT
    found = study(
        ratings,
        coefficient=name,
        **own,
        **measuring(asking),
        **asdict(resampling),
        progress=progress.done,
    )
    if note:
        notes = [part for part in (found.attrs["note"], note) if part]
        found.attrs["note"] = "; ".join(notes)
    return DriftReport(
        title=CATALOG[NAMES[name]].title,
        data=data_facts(ratings, summary(ratings)),
        found=found,
        provenance=provenance(reading, found.attrs, asking, own, resampling),
    )


def with_times(ratings: xr.Dataset, reading: Reading, by: str) -> tuple[xr.Dataset, str]:
    """Add the column of times, and say if it is the middle of several."""
    from iaa_jax._errors import IaaError
    from iaa_jax.analyses.drift.times import ORDER, middle_times
    from iaa_jax.cli.beside import Values, with_columns

    several: list[str] = []

    def middle(name: str, cells: Values, items: Values, size: int) -> Values | None:
        found = middle_times(name, cells, items, size)
        if found is not None:
            several.append(name)
        return found

    try:
        found = with_columns(ratings, reading, [by], middle)
    except IaaError as error:
        if by == ORDER:
            return ratings, ""
        if "has no column" not in str(error):
            raise
        message = (
            f"{error}; name the column with times or batches with --by, or give --by {ORDER} for "
            "the items as they stand"
        )
        raise IaaError(message) from None
    note = f"ratings of an item differ in {by}: the middle one is taken" if several else ""
    return found, note
