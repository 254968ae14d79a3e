"""The command ``iaa gold``: the best label of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from iaa_jax.catalog.labelling import METHODS
from iaa_jax.cli import choices
from iaa_jax.cli.groups import Reading, reading_options, shared, takes
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.run import Output, output_options, run
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.expert_coder import INDEXES

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


@takes(reading_options, shared(LabelOptions, MEASURE, "p"), output_options)
def gold(
    reading: Reading,
    how: LabelOptions,
    output: Output,
    method: Annotated[
        str, option(MEASURE, "NAME", f"How labels are decided: {', '.join(METHODS)}.")
    ] = "majority",
    ties: Annotated[
        str, option(MEASURE, "NAME", "Tied labels: 'first' in their order, or 'none'.")
    ] = "first",
    index: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            f"Sets of labels: what the Expert Coder Index averages: {', '.join(INDEXES)}.",
        ),
    ] = INDEXES[0],
    top: Annotated[int, option(TABLE, "N", "Show N items and N annotators.", min=1)] = 20,
    keep: Annotated[
        str | None,
        option(TABLE, "A,B", "Show these columns of the file too, such as the text or the batch."),
    ] = None,
    text: Annotated[
        str | None,
        option(TABLE, "COLUMN", "Show this column of the file beside each item; as --keep."),
    ] = None,
) -> None:
    """Decide the best label of each item, and say how sure it is.

    The least certain items come first, with who gave which label: a sheet for whoever
    decides on them. --output sheet.csv has all items, and a column for each annotator.
    """
    choices.one_of(method, tuple(METHODS), "--method")
    choices.one_of(ties, ("first", "none"), "--ties")
    choices.one_of(index, INDEXES, "--index")
    columns = [*(choices.listed(keep, "--keep") or ()), *(() if text is None else (text,))]

    def work(progress: LateProgress) -> Page:
        from iaa_jax.analyses.gold.page import page
        from iaa_jax.analyses.gold.study import gold
        from iaa_jax.measure.studies import check_along

        ratings = reading.ratings(progress, columns)
        check_along(ratings, "item", columns)
        progress.step("Deciding")
        return page(gold(ratings, method, ties=ties, p=how.p, index=index), top)

    run(work, output, reading.files)
