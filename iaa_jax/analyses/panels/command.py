"""The command ``iaa panels``: which panel of the annotators agrees best."""

from __future__ import annotations

from typing import Annotated

from iaa_jax.cli import options
from iaa_jax.cli.groups import drawing_options, takes
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, MEASURE, TABLE, option
from iaa_jax.cli.run import Call, run_functions
from iaa_jax.measure import IntervalOptions


@takes(measuring(drawing_options))
def panels(
    asked: Measuring,
    size: Annotated[
        int | None,
        option(
            MEASURE, "N", "Find the panel of N annotators that agrees best.", min=2, common=True
        ),
    ] = None,
    replicates: Annotated[
        int | None,
        option(
            INTERVALS,
            "N",
            "Bootstrap replicates over items; 0 for none; by default "
            f"{IntervalOptions.replicates}, fewer for many annotators.",
            min=0,
        ),
    ] = None,
    draws: Annotated[
        int,
        option(
            MEASURE, "N", "Simulated spammers in the place of each annotator; 0 for none.", min=0
        ),
    ] = 200,
    top: Annotated[
        int | None,
        option(TABLE, "N", "Show N panels of that size; 5 by default.", min=1, common=True),
    ] = None,
    plot: options.Plot = None,
) -> None:
    """Find the panels that agree best, and what each annotator adds.

    Every subset of the annotators (16 at most) is measured, with a test of whether the best subset
    agrees better than all annotators by more than luck explains. The page also shows what a
    spammer, an echo (who copies another annotator) or an expert in the place of each annotator
    would change.

    Examples
    --------
    iaa panels ratings.csv
    iaa panels ratings.csv --size 3 --top 10
    """
    of_panels = asked.keywords | {"size": size, "replicates": replicates}
    calls = [Call("panels", of_panels, "Comparing panels")]
    if draws:
        of_others = asked.keywords | {"draws": draws}
        part = "Replacing annotators"
        calls.append(Call("panels.what_if", of_others, part, where_it_fits=True))
    run_functions(asked.reading, asked.output.also(plot), *calls, shown={"top": top})
