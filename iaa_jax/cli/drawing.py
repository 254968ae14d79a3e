"""What is random in the ratings, and which standard error: options of commands with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax.cli import choices
from iaa_jax.cli.reading import Resampling

if TYPE_CHECKING:
    from iaa_jax.measure.interval import Interval
    from iaa_jax.measure.sampling import Sampling

_INTERVALS = "Intervals"
TRANSFORMS = ("range",)


@dataclass(frozen=True)
class Drawing:
    """What differs from items drawn one by one, and the infinitesimal jackknife."""

    cluster: str | None = None
    random_annotators: bool = False
    bayesian: bool = False
    population: float | None = None
    standard_error: str | None = None
    transform: str | None = None

    @property
    def columns(self) -> Sequence[str]:
        """Columns of the file that it needs."""
        return () if self.cluster is None else (self.cluster,)

    def sampling(self, *, bayesian: bool | None = None) -> Sampling | None:
        """What is random."""
        from iaa_jax.measure.sampling import Sampling

        annotators = "random" if self.random_annotators else None
        posterior = self.bayesian if bayesian is None else bayesian
        made = Sampling(self.cluster, annotators, self.population, bayesian=posterior)
        return None if made == Sampling() else made

    def options(self, resampling: Resampling) -> dict[str, Any]:
        """The options of intervals, as studies take them."""
        interval = self.interval(resampling)
        return {**asdict(resampling), "interval": interval, "sampling": self.sampling()}

    def interval(self, resampling: Resampling) -> str | Interval | None:
        """The interval in full."""
        if resampling.interval is None or not (self.standard_error or self.transform):
            return resampling.interval
        from iaa_jax.measure.interval import Interval

        return Interval(
            resampling.interval,
            self.standard_error or "infinitesimal_jackknife",
            self.transform,
        )


Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Draw whole clusters of items, such as documents: the column that names them.",
        rich_help_panel=_INTERVALS,
    ),
]


def drawing_options(
    cluster: Cluster = None,
    random_annotators: Annotated[
        bool,
        typer.Option(
            "--random-annotators",
            help="Draw annotators too: intervals speak about other annotators as well.",
            rich_help_panel=_INTERVALS,
        ),
    ] = False,
    bayesian: Annotated[
        bool,
        typer.Option(
            "--bayesian", help="Bayesian bootstrap over the items.", rich_help_panel=_INTERVALS
        ),
    ] = False,
    population: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Items in the population that these were taken from.",
            rich_help_panel=_INTERVALS,
        ),
    ] = None,
    standard_error: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="infinitesimal_jackknife, jackknife, grouped_jackknife, or an analytic form such "
            "as gwet_linearized.",
            rich_help_panel=_INTERVALS,
        ),
    ] = None,
    transform: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="'range': normal, t, basic and studentized intervals that stay below 1.",
            rich_help_panel=_INTERVALS,
        ),
    ] = None,
) -> Drawing:
    """The options, checked."""
    return Drawing(
        cluster,
        random_annotators,
        bayesian,
        population,
        standard_error,
        choices.one_of(transform, TRANSFORMS, "--transform"),
    )
