"""The command ``iaa spans``: agreement on the spans that annotators marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax.cli.groups import Reading, columns_of, reading_options, sampling_options, takes
from iaa_jax.cli.run import Output, output_options, run
from iaa_jax.measure import IntervalOptions

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


@takes(reading_options, sampling_options, output_options)
def spans(reading: Reading, random: IntervalOptions, output: Output) -> None:
    """Measure how far annotators agree on spans, such as entities.

    Reads the exports of annotation tools that hold spans: see 'iaa formats'.
    """

    def work(progress: LateProgress) -> Page:
        from iaa_jax.analyses.spans.page import page
        from iaa_jax.analyses.spans.study import measure_spans

        ratings = reading.ratings(progress, columns_of(random))
        progress.step("Measuring")
        return page(measure_spans(ratings, random, progress.done))

    run(work, output, reading.files)
