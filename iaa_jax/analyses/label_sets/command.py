"""The command ``iaa label-sets``: each label as present or absent, and label sets as a whole."""

from __future__ import annotations

from typing import Annotated

import typer

from iaa_jax.catalog.labelling import INDEXES
from iaa_jax.cli import choices
from iaa_jax.cli.groups import (
    InputOptions,
    Keywords,
    reading_options,
    sampling_options,
    shared,
    takes,
)
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.run import Call, Output, gated_output_options, run_functions
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording import named


@takes(
    reading_options,
    shared(LabelOptions, MEASURE, "min_common"),
    sampling_options,
    gated_output_options,
    common=("separator", "multi_hot"),
)
def label_sets(
    reading: InputOptions,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    coefficients: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B",
            "Names from 'iaa coefficients'; by default krippendorff_alpha, specific_agreement and "
            "percent_agreement.",
            "--coefficients",
            "--coefficient",
            common=True,
        ),
    ] = None,
    band: Annotated[
        list[str] | None,
        option(
            MEASURE,
            "LOW,HIGH",
            "Give the share of items with agreement in this range; 0.7,1 by default; repeatable.",
            show_default=False,
        ),
    ] = None,
    coefficient: Annotated[
        str, option(MEASURE, "NAME", f"Average in the Expert Coder Index: {', '.join(INDEXES)}.")
    ] = "percent_agreement",
    top: Annotated[
        int | None,
        option(
            TABLE,
            "N",
            "Show N labels and N pairs of labels; 20 and 10 by default.",
            min=1,
            common=True,
        ),
    ] = None,
) -> None:
    """Measure agreement on label sets as a whole, and on each label.

    Each label is present or absent in a rating. The command shows how often it is given,
    and how much annotators agree on it. For label sets, the command also shows A_m, alpha
    over sets, bands of agreement, the Expert Coder Index, and which labels are confused.

    Examples
    --------
    iaa label-sets ratings.csv --separator ';'
    iaa label-sets ratings.csv --multi-hot 'is_*'
    """
    names = choices.coefficients_of(coefficients)
    choices.one_of(coefficient, INDEXES, "--coefficient")
    bands = [_band(text) for text in band or ("0.7,1",)]

    shared: Keywords = {"label_options": how, "options": random}
    usual = band is None and coefficient == "percent_agreement"
    of_sets = {"bands": bands, "coefficient": coefficient, **shared}
    run_functions(
        reading,
        output,
        Call("per_label", {"coefficients": names, **shared}, "Labels"),
        Call(
            "label_sets",
            of_sets,
            "Label sets",
            where_it_fits=usual,
            asked_by="" if usual else f"{named('band')} or {named('coefficient')}",
        ),
        shown={"top": top},
    )


def _band(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low, high = 1.0, 0.0
    if not 0 <= low <= high <= 1:
        raise typer.BadParameter(
            f"{text!r} is not of the form 'low,high' with two shares between 0 and 1",
            param_hint="--band",
        )
    return low, high
