"""The command ``iaa gold``: the best label of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.cli import choices
from iaa_jax.cli.groups import Reading, reading_options, takes
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.run import Output, output_options, run

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


@takes(reading_options, output_options)
def gold(
    reading: Reading,
    output: Output,
    method: Annotated[
        str, option(MEASURE, "NAME", f"How labels are decided: {', '.join(METHODS)}.")
    ] = "majority",
    ties: Annotated[
        str, option(MEASURE, "NAME", "Tied labels: 'first' in their order, or 'none'.")
    ] = "first",
    top: Annotated[int, option(TABLE, "N", "Show N items and N annotators.", min=1)] = 20,
) -> None:
    """Decide the best label of each item, and say how sure it is.

    The least certain items come first. --output has all of them.
    """
    choices.one_of(method, tuple(METHODS), "--method")
    choices.one_of(ties, ("first", "none"), "--ties")

    def work(progress: LateProgress) -> Page:
        from iaa_jax.analyses.gold.page import page
        from iaa_jax.analyses.gold.study import gold

        progress.step("Deciding")
        ratings = reading.ratings(progress)
        return page(gold(ratings, method, ties=ties), top)

    run(work, output, reading.files)
