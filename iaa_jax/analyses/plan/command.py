"""The commands ``iaa plan`` (how much more to annotate) and ``iaa variance``."""

from __future__ import annotations

from typing import Annotated

import typer

from iaa_jax.cli import choices, options
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import plain_draws, shared, takes, with_sampling
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, TABLE, option
from iaa_jax.cli.run import Call, output_options, run_functions
from iaa_jax.measure import IntervalOptions

CostItem = Annotated[
    float,
    option(None, "NUMBER", "Cost of an item without its ratings.", min=0),
]
CostRating = Annotated[float, option(None, "NUMBER", "Cost of a rating.", min=0)]
Items = Annotated[str | None, option(TABLE, "N,N", "Numbers of items in the table.", common=True)]
PerItem = Annotated[
    str | None,
    option(TABLE, "N,N", "Numbers of annotators per item in the table.", common=True),
]

SPENDING = ("obrien_fleming", "pocock", "power")


def _sampled(
    chosen: IntervalOptions,
    cluster: options.Cluster = None,
    random_annotators: options.RandomAnnotators = None,
    population: options.Population = None,
) -> IntervalOptions:
    return with_sampling(chosen, cluster, random_annotators, population=population)


planned_intervals = joined(_sampled, plain_draws)
planned_figures = joined(_sampled, shared(IntervalOptions, INTERVALS, "confidence", "seed"))


@takes(measuring(planned_intervals, output_options), rare=("keep_annotators",))
def plan(
    asked: Measuring,
    half_width: Annotated[
        float | None,
        option(
            None,
            "NUMBER",
            "Target half-width of the interval; 0.05 if there is no --null.",
            common=True,
        ),
    ] = None,
    null: Annotated[
        float | None,
        option(
            None, "NUMBER", "Value that the coefficient is to exceed, such as 0.667.", common=True
        ),
    ] = None,
    power: Annotated[
        float | None,
        option(None, "SHARE", "Power to show that it exceeds --null; 0.8 by default.", common=True),
    ] = None,
    assurance: Annotated[
        float | None,
        option(
            None,
            "SHARE",
            "Probability that the planned items reach the target; by default 0.8 for a "
            "half-width, 0.65 for a power.",
        ),
    ] = None,
    looks: Annotated[
        str | None,
        option(
            None, "N", "Number of interim looks, or the shares of the items at them, as in .5,.8,1."
        ),
    ] = None,
    spending: Annotated[
        str, option(None, "NAME", f"Error spending over looks: {', '.join(SPENDING)}.")
    ] = "obrien_fleming",
    exponent: Annotated[float, option(None, "NUMBER", "Exponent of --spending power.")] = 2.0,
    cost_item: CostItem = 0.0,
    cost_rating: CostRating = 1.0,
    items: Items = None,
    per_item: PerItem = None,
    replicates: Annotated[
        int,
        option(
            INTERVALS,
            "N",
            "Bootstrap replicates of the pilot, for the interval of the needed items; 0 for none.",
            min=0,
        ),
    ] = 500,
    simulations: Annotated[
        int,
        option(
            INTERVALS,
            "N",
            "Simulated sets of ratings for each design that is checked; 0 for none.",
            min=0,
        ),
    ] = 500,
) -> None:
    """Plan from a pilot: how many items or annotators are needed.

    The goal is an interval of a given half-width (--half-width), or to show that the
    coefficient exceeds a value (--null, --power), or both. For shares of labels that a
    model gave and people correct, use iaa judge --corrected --half-width.

    Examples
    --------
    iaa plan pilot.csv --half-width 0.05
    iaa plan pilot.csv --null 0.6 --power 0.8
    """
    planned = {
        "half_width": half_width,
        "null": null,
        "power": power,
        "assurance": assurance,
        "items": choices.whole_numbers_of(items, "--items"),
        "per_item": choices.whole_numbers_of(per_item, "--per-item"),
        "cost_item": cost_item,
        "cost_rating": cost_rating,
        "looks": _looks(looks),
        "spending": choices.one_of(spending, SPENDING, "--spending"),
        "exponent": exponent,
        "replicates": replicates,
        "simulations": simulations,
        **asked.keywords,
    }

    run_functions(asked.reading, asked.output, Call("plan", planned, "Planning"))


@takes(measuring(planned_figures, output_options), rare=("keep_annotators",))
def variance(
    asked: Measuring,
    target: Annotated[
        float,
        option(None, "SHARE", "Target dependability of the mean rating.", common=True),
    ] = 0.8,
    cost_item: CostItem = 0.0,
    cost_rating: CostRating = 1.0,
    items: Items = None,
    per_item: PerItem = None,
    plot: options.Plot = None,
) -> None:
    """Split variance by item and annotator; plan more annotators.

    The result shows how dependable the mean of several annotators is. For each design (numbers of
    items and annotators), it shows the error of the overall mean, the half-width of a coefficient
    and the cost.

    Examples
    --------
    iaa variance ratings.csv
    iaa variance ratings.csv --level interval --per-item 1,3,5 --cost-rating 0.2
    """
    chosen = {
        "target": target,
        "items": choices.whole_numbers_of(items, "--items"),
        "per_item": choices.whole_numbers_of(per_item, "--per-item"),
        "cost_item": cost_item,
        "cost_rating": cost_rating,
        **asked.keywords,
    }

    call = Call("variance", chosen, "Splitting variance")
    run_functions(asked.reading, asked.output.also(plot), call)


def _looks(text: str | None) -> int | list[float] | None:
    parts = choices.listed(text, "--looks")
    if parts is None:
        return None
    try:
        if len(parts) == 1 and parts[0].isdecimal():
            return int(parts[0])
        return [float(part) for part in parts]
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number of looks nor shares of the items, such as .5,1",
            param_hint="--looks",
        ) from None
