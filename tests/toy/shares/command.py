"""The command ``iaa shares``."""

from __future__ import annotations

from iaa_jax.cli.groups import InputOptions, reading_options, shared, takes
from iaa_jax.cli.options import MEASURE
from iaa_jax.cli.run import Call, Output, output_options, run_functions
from iaa_jax.measure import LabelOptions


@takes(reading_options, shared(LabelOptions, MEASURE, "p"), output_options)
def shares(reading: InputOptions, how: LabelOptions, output: Output) -> None:
    """Say how often each label is used.

    Examples
    --------
    iaa shares ratings.csv
    iaa shares ratings.csv --p 0.6
    """
    run_functions(reading, output, Call("shares", {"label_options": how}))
