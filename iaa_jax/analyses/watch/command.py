"""The command ``iaa watch``: agreement as ratings come in, with as many looks as you like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import iaa_jax
from iaa_jax._errors import suggestion
from iaa_jax.catalog import NAMES
from iaa_jax.cli import choices, options
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import InputOptions, columns_of, shared, takes, with_sampling
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, MEASURE, OUTPUT, RATINGS, READ, WRITTEN, option
from iaa_jax.cli.requirements import coefficients_required
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
            "Column that states when an item or a rating came (dates, numbers or batches).",
            common=True,
        ),
    ] = None,
    bar: Annotated[
        float | None,
        option(
            MEASURE, "NUMBER", "The level that agreement is to reach, such as 0.667.", common=True
        ),
    ] = None,
    record: Annotated[
        str | None,
        option(
            OUTPUT,
            WRITTEN,
            "Keep a record of the looks in this file, and continue from it the next time.",
            common=True,
        ),
    ] = None,
    per_item: Annotated[
        int | None,
        option(
            RATINGS,
            "N",
            "An item comes with its Nth rating, and later ratings do not count; by default it "
            "comes with its last rating, if it has at least two.",
            min=1,
        ),
    ] = None,
    against: Annotated[
        str | None,
        option(
            MEASURE,
            READ,
            "Other ratings, such as an earlier round; the difference from them is watched.",
        ),
    ] = None,
    bounds: Annotated[
        str | None,
        option(
            MEASURE,
            "LOW,HIGH",
            "The least and the largest possible rating, if ratings are numbers.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        option(
            INTERVALS,
            "NAME",
            "'betting' is exact; 'influence' is narrower for numbers and for few items; by default "
            "betting if possible.",
        ),
    ] = None,
    plot: options.Plot = None,
) -> None:
    """Watch agreement as ratings come in, and stop when decided.

    The interval holds at all looks together, however often you look; other commands' intervals hold
    at one look. With --bar, the page states whether agreement lies above or below that level, and
    whether it fell below after an earlier look. --require does the same and sets the exit code
    (--help-all).

    Examples
    --------
    iaa watch ratings.csv --order date --bar 0.667
    iaa watch ratings.csv --order date --require 'krippendorff_alpha>=0.667'
    """
    ends = choices.numbers_of(bounds, "--bounds")
    if ends is not None and len(ends) != 2:
        raise typer.BadParameter("name two numbers, as in 0,100", param_hint="--bounds")
    choices.one_of(method, METHODS, "--method")
    if record == STREAM:
        raise typer.BadParameter("name a file, such as watch.nc", param_hint="--record")
    of_coefficients = [each for each in asked.output.requirements if each.name in NAMES]
    coefficient, level = asked.coefficient, bar
    if of_coefficients:  # the first required level is the bar by default
        first = of_coefficients[0]
        coefficient = first.name if coefficient is None else coefficient
        level = first.bound if bar is None else bar
        other_names = {NAMES[each.name] for each in of_coefficients} - {NAMES.get(coefficient)}
        if other_names:
            raise typer.BadParameter(
                f"iaa watch follows one coefficient, here {coefficient}: run it once for each",
                param_hint="--require",
            )
    coefficients_required(
        [each for each in asked.output.requirements if suggestion(each.name, NAMES)], None
    )

    def work(progress: LateProgress) -> Page:
        from iaa_jax._files import write_whole
        from iaa_jax.measure.shared.times import ORDER

        named = () if order in (None, ORDER) else (str(order),)
        reading = asked.reading
        ratings = _read(reading, named, columns_of(asked.random), progress)
        other_ratings = None
        if against is not None:
            other_ratings = replace(reading, files=(against,)).ratings(progress, ())
        progress.step("Watching")
        result: xr.Dataset = call(
            "watch",
            progress,
            ratings,
            order=order,
            bar=level,
            bounds=None if ends is None else (ends[0], ends[1]),
            per_item=per_item,
            against=other_ratings,
            record=None if record is None else _kept(record),
            method=method,
            **{**asked.keywords, "coefficient": coefficient},
        )
        if record is not None:
            kept = _respelled(result, lambda name: str(name).encode("unicode_escape").decode())
            write_whole(Path(record), bytes(kept.to_netcdf(engine="scipy")))
        return iaa_jax.page(result)

    record_files = () if record is None else (record,)
    output = replace(asked.output.also(plot), others=record_files)
    run(work, output, (*asked.reading.files, *(() if against is None else (against,))))


def _read(
    reading: InputOptions, named: tuple[str, ...], further: tuple[str, ...], progress: LateProgress
) -> xr.Dataset:
    """Return the ratings with the column that states when they came; errors name ``order``."""
    from iaa_jax._errors import MissingColumnError
    from iaa_jax.wording import keyword

    try:
        return reading.ratings(progress, (*named, *further))
    except MissingColumnError as error:
        if not named or repr(named[0]) not in error.message:
            raise
        before, _, after = error.message.partition(" (named by ")
        after = after.partition(")")[2]
        raise MissingColumnError(
            f"{before} (named by {keyword('order', named[0])}){after}"
        ) from None


def _kept(record: str) -> xr.Dataset | None:
    """Return the record of an earlier run; None if the file does not exist."""
    import xarray

    from iaa_jax._errors import IaaError

    if not Path(record).exists():
        return None
    try:
        with xarray.open_dataset(record, engine="scipy") as kept:
            loaded = kept.load()
    except (OSError, ValueError, TypeError, LookupError, EOFError, AssertionError):
        loaded = xarray.Dataset()
    if loaded.attrs.get("made_by") != "watch":
        raise IaaError(
            f"{record} is not a record of iaa watch, and was not changed: name another file"
        )
    return _respelled(loaded, lambda name: str(name).encode().decode("unicode_escape"))


def _respelled(result: xr.Dataset, spelling: Callable[[object], str]) -> xr.Dataset:
    """Return the result with its names respelled: encoded for a record, or decoded."""
    names = {
        name: (result[name].dims, [spelling(each) for each in result[name].values.tolist()])
        for name in ("item", "came", "arrival")
    }
    return result.assign_coords(item=names.pop("item")).assign(names)
