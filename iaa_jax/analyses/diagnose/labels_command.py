"""The command ``iaa labels``: which labels hold, and which are taken for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from iaa_jax.analyses.diagnose.command import (
    Asking,
    Showing,
    asking_options,
    diagnose,
    showing_options,
)
from iaa_jax.cli import options
from iaa_jax.cli.drawing import Drawing, drawing_options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    import xarray as xr


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
