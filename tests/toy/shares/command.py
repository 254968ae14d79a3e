"""The command ``iaa shares``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax.cli.groups import Reading, reading_options, shared, takes
from iaa_jax.cli.options import MEASURE
from iaa_jax.cli.run import Output, output_options, run
from iaa_jax.measure import LabelOptions

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


@takes(reading_options, shared(LabelOptions, MEASURE, "p"), output_options)
def shares(reading: Reading, how: LabelOptions, output: Output) -> None:
    """Say how often each label is used."""

    def work(progress: LateProgress) -> Page:
        from iaa_jax.analyses.shares.study import shares as study

        from iaa_jax.analyses import page

        return page(study(reading.ratings(progress), label_options=how))

    run(work, output, reading.files)


EXAMPLES = {"shares": ("iaa shares ratings.csv", "iaa shares ratings.csv --p 0.6")}
