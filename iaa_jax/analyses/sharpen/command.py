"""The command ``iaa sharpen``: annotators weighted by their agreement with the others."""

from __future__ import annotations

from typing import Annotated

from iaa_jax.cli import choices, options
from iaa_jax.cli.groups import cluster_options, takes
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.run import Call, run_functions
from iaa_jax.kernels.labelling.sharpening import CONCENTRATIONS, LINKS


@takes(measuring(cluster_options))
def sharpen(
    asked: Measuring,
    concentration: Annotated[
        str,
        option(MEASURE, "NAME", f"Weight items by: {', '.join(CONCENTRATIONS)} (all equal)."),
    ] = "entropy",
    link: Annotated[
        str,
        option(MEASURE, "NAME", "Weight annotators by: kappa (linear), or its log odds (logodds)."),
    ] = "linear",
    tol: Annotated[
        float, option(MEASURE, "NUMBER", "Stop when no weight changes by this much.")
    ] = 1e-6,
    max_iter: Annotated[int, option(MEASURE, "N", "Maximum number of steps.", min=1)] = 500,
    epsilon: Annotated[float, option(MEASURE, "NUMBER", "Minimum kappa of annotators.")] = 0.01,
    omega: Annotated[float, option(MEASURE, "NUMBER", "Minimum weight of items.")] = 0.01,
    prior_strength: Annotated[
        float,
        option(
            MEASURE,
            "ITEMS",
            "Shrink annotators with few items to the mean, which counts as this many items.",
            min=0.0,
        ),
    ] = 0.0,
    top: Annotated[
        int, option(TABLE, "N", "Show N items and N annotators.", min=1, common=True)
    ] = 20,
    plot: options.Plot = None,
) -> None:
    """Weight annotators by agreement, and decide labels by weight.

    Annotators and items are weighted in turn until nothing changes. The page names the
    annotators with the most and the least weight, and shows how agreement changes with
    these weights, and on which items annotators disagree most. --output and --json have
    all labels.

    Examples
    --------
    iaa sharpen ratings.csv
    iaa sharpen ratings.csv --plot weights.png
    """
    choices.one_of(concentration, CONCENTRATIONS, "--concentration")
    choices.one_of(link, LINKS, "--link")

    chosen = {
        "concentration": concentration,
        "link": link,
        "tol": tol,
        "max_iter": max_iter,
        "epsilon": epsilon,
        "omega": omega,
        "prior_strength": prior_strength,
        **asked.keywords,
    }
    sharpened, output = Call("sharpen", chosen, "Sharpening"), asked.output.also(plot)
    run_functions(asked.reading, output, sharpened, single_items=True, shown={"top": top})
