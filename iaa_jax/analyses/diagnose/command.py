"""The commands ``iaa items``, ``iaa annotators`` and ``iaa labels``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax.analyses.diagnose.running import (
    Asking,
    Showing,
    asking_options,
    diagnose,
    measuring,
    showing_options,
)
from iaa_jax.cli import choices, options
from iaa_jax.cli.drawing import Drawing, drawing_options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    import xarray as xr


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


@takes(reading_options, asking_options, showing_options, resampling_options, drawing_options)
def labels(
    reading: Reading,
    asking: Asking,
    showing: Showing,
    resampling: Resampling,
    drawing: Drawing,
    debug: options.Debug = False,
) -> None:
    """List labels: agreement on each, a coefficient for each, and confusions.

    The label with the most ratings comes first.

    Each label is measured against all others together, so that --level, --weights
    and --distance only say how labels agree in --by.
    """

    def study(ratings: xr.Dataset, progress: Any) -> xr.Dataset:
        from iaa_jax.analyses.diagnose.labels import labels as table

        return table(
            ratings,
            asking.coefficient,
            top=showing.top,
            sort="count" if showing.sort is None else showing.sort,
            p=asking.p,
            min_common=asking.min_common,
            **drawing.options(resampling),
            progress=progress,
        )

    with exits(debug):
        diagnose(reading, asking, showing, resampling, study, "label", drawing)
