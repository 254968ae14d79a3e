"""The command ``iaa annotators``: who agrees with whom, and who leans where."""

from __future__ import annotations

from dataclasses import asdict
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
from iaa_jax.cli import choices, options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    import xarray as xr


@takes(reading_options, asking_options, showing_options, resampling_options)
def annotators(
    reading: Reading,
    asking: Asking,
    showing: Showing,
    resampling: Resampling,
    ties: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Items where the others' first label is tied: 'split' the credit, or 'skip'.",
            rich_help_panel="What to measure",
        ),
    ] = "split",
    min_items: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Show only annotators who share so many items with others.",
            rich_help_panel="The table",
        ),
    ] = 0,
    debug: options.Debug = False,
) -> None:
    """List annotators: agreement with the others, bias, and what each does.

    Who agrees least with the others comes first.
    """
    choices.one_of(ties, ("split", "skip"), "--ties")

    def study(ratings: xr.Dataset, progress: Any) -> xr.Dataset:
        from iaa_jax.analyses.diagnose.annotators import annotators as table

        usual = "disagreement" if ratings.attrs["task"] == "value" else "agreement"
        return table(
            ratings,
            asking.coefficient,
            top=showing.top,
            sort=usual if showing.sort is None else showing.sort,
            ties=ties,
            min_items=min_items,
            **measuring(asking),
            **asdict(resampling),
            progress=progress,
        )

    with exits(debug):
        diagnose(reading, asking, showing, resampling, study, "annotator")
