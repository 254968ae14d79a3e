"""The command ``iaa sweep``: agreement as a function of p, the share of the primary label."""

from __future__ import annotations

from typing import Annotated

from iaa_jax.catalog import CATALOG
from iaa_jax.cli import choices, options
from iaa_jax.cli.groups import (
    InputOptions,
    Keywords,
    cluster_options,
    reading_options,
    shared,
    takes,
)
from iaa_jax.cli.options import MEASURE, option
from iaa_jax.cli.run import Call, Output, output_options, run_functions
from iaa_jax.measure import IntervalOptions, LabelOptions

NORMALIZE, POOL, UNDEFINED_PAIRS = map(tuple, CATALOG["augmented_kappa"].variants.values())


_OF_LABELS = ("weights", "weights_on", "level", "distance", "min_common")
label_options = shared(LabelOptions, MEASURE, *_OF_LABELS)


@takes(reading_options, label_options, cluster_options, output_options, common=("secondary",))
def sweep(
    reading: InputOptions,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    coefficient: Annotated[
        str | None,
        option(
            MEASURE,
            "NAME",
            "Name from 'iaa coefficients'; by default augmented_kappa, or fleiss_kappa if "
            "annotators are unknown.",
            common=True,
        ),
    ] = None,
    points: Annotated[
        int, option(MEASURE, "N", "Number of values of p, from 0.5 to 1.", min=2)
    ] = 51,
    normalize: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            "Normalise augmented kappa: none, or ceiling (identical ratings score 1 at every p).",
        ),
    ] = "none",
    pool: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            "Pool augmented kappa over: pairs of annotators (mean), or components.",
        ),
    ] = "pairs",
    undefined_pairs: Annotated[
        str,
        option(MEASURE, "NAME", "Pairs of annotators with kappa 0/0: omit, or zero (count as 0)."),
    ] = "omit",
    tau: Annotated[
        float,
        option(
            MEASURE,
            "NUMBER",
            "Classes: largest change at which an item counts as constant.",
            min=0.0,
        ),
    ] = 0.05,
    high: Annotated[
        float, option(MEASURE, "NUMBER", "Classes: items with a larger kappa are high.")
    ] = 0.6,
    top: Annotated[int, option(MEASURE, "N", "Show N pairs of labels.", min=1, common=True)] = 10,
    plot: options.Plot = None,
) -> None:
    """Show how agreement changes when second choices count.

    Ratings have a primary and sometimes a secondary label (--secondary COLUMN); p is
    the share of the primary label. The page shows the curve of a coefficient over p
    with bands, four classes of items, patterns of two ratings, and labels used
    together. --json has every item.

    Examples
    --------
    iaa sweep ratings.csv --secondary second
    iaa sweep ratings.csv --secondary second --plot curve.png
    """
    name = choices.one_of(coefficient, choices.NAMES, "--coefficient")
    variants: Keywords = {
        "normalize": choices.one_of(normalize, NORMALIZE, "--normalize"),
        "pool": choices.one_of(pool, POOL, "--pool"),
        "undefined_pairs": choices.one_of(undefined_pairs, UNDEFINED_PAIRS, "--undefined-pairs"),
    }

    shared: Keywords = {"label_options": how}
    classed = {"tau": tau, "high": high, **shared}
    swept = {"coefficient": name, "p": points, "options": random, **variants, **classed}
    run_functions(
        reading,
        output.also(plot),
        Call("sweep", swept, "Sweeping"),
        Call("doubles.item_classes", classed, "Items"),
        Call(
            "doubles.item_curves", {"above": (high,), **shared}, "Items", lambda curve: {"p": curve}
        ),
        Call("doubles.patterns", {"p": (0.5, 0.75, 1.0)}, "Patterns"),
        Call("doubles.labels", {"top": top, "p": (0.5, 1.0), **classed}, "Labels"),
    )
