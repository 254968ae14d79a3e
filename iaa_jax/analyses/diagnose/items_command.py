"""The command ``iaa items``: which items to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax.analyses.diagnose.command import (
    Asking,
    Showing,
    asking_options,
    diagnose,
    measuring,
    showing_options,
)
from iaa_jax.cli import options
from iaa_jax.cli.drawing import Drawing, drawing_options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    import xarray as xr

SHOWN = 20
"""Items that are printed unless another number is asked for."""


@takes(reading_options, asking_options, showing_options, resampling_options, drawing_options)
def items(
    reading: Reading,
    asking: Asking,
    showing: Showing,
    resampling: Resampling,
    drawing: Drawing,
    text: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Show this column of the file beside each item; as --keep.",
            rich_help_panel="The table",
        ),
    ] = None,
    debug: options.Debug = False,
) -> None:
    """List items: agreement, spread of labels, and influence on a coefficient.

    What lowers the coefficient most comes first. All items go to --csv and --json
    unless --top says how many. Intervals are for --by alone.
    """
    from dataclasses import replace

    kept = [*showing.keep, *([text] if text is not None else [])]
    showing = replace(showing, keep=tuple(dict.fromkeys(kept)))

    def study(ratings: xr.Dataset, _: Any) -> xr.Dataset:
        from iaa_jax.analyses.diagnose.items import items as table

        sort = "influence" if showing.sort is None else showing.sort
        return table(ratings, asking.coefficient, top=showing.top, sort=sort, **measuring(asking))

    if drawing != Drawing() and showing.by is None:
        message = "what is drawn matters to intervals, and here --by alone has any: name a column"
        raise typer.BadParameter(message, param_hint="--by")
    with exits(debug):
        diagnose(reading, asking, showing, resampling, study, "item", drawing)
