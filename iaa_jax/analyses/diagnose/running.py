"""Options for analyses that do not take them from `iaa_jax.cli.groups` yet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from iaa_jax.cli import choices, options

_MEASURE = "What to measure"


@dataclass(frozen=True)
class Asking:
    """Which coefficient, and how labels agree."""

    coefficient: str | None = None
    level: str | None = None
    weights: str | None = None
    weights_on: str = "value"
    distance: str | None = None
    p: float = 1.0
    min_common: int = 2


def asking_options(
    coefficient: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="One of 'iaa coefficients'; krippendorff_alpha if not given.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    level: options.Level = None,
    weights: options.Weights = None,
    weights_on: options.WeightsOn = "value",
    distance: options.Distance = None,
    p: options.P = 1.0,
    min_common: options.MinCommon = 2,
) -> Asking:
    """The options, checked."""
    return Asking(
        coefficient=choices.one_of(coefficient, choices.NAMES, "--coefficient"),
        level=choices.one_of(level, choices.LEVELS, "--level"),
        weights=choices.one_of(weights, choices.WEIGHTS, "--weights"),
        weights_on=choices.one_of(weights_on, choices.WEIGHTS_ON, "--weights-on"),
        distance=choices.one_of(distance, choices.DISTANCES, "--distance"),
        p=p,
        min_common=min_common,
    )


def measuring(asking: Asking) -> dict[str, Any]:
    """The options of a study that say how labels agree."""
    given = asdict(asking)
    del given["coefficient"]
    return given
