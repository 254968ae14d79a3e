"""The command ``iaa report``: all results for the ratings, in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import signature
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from iaa_jax._errors import OptionError
from iaa_jax.cli import choices, options
from iaa_jax.cli.context import WITHHELD, chosen_options
from iaa_jax.cli.groups import (
    InputOptions,
    columns_of,
    label_options,
    reading_options,
    sampling_options,
    takes,
)
from iaa_jax.cli.options import MEASURE, OUTPUT, TABLE, option
from iaa_jax.cli.repeated import as_typed
from iaa_jax.cli.requirements import verdicts
from iaa_jax.cli.run import Output, call, gated_output_options, run
from iaa_jax.measure import IntervalOptions, LabelOptions

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page

USUAL, USUAL_BRIEF = "report.html", "brief.html"
"""Default names of the report's file."""


@takes(reading_options, label_options, sampling_options, gated_output_options)
def report(
    reading: InputOptions,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    coefficients: options.Coefficients = None,
    title: Annotated[
        str | None, option(OUTPUT, "TEXT", "Title of the report.", common=True)
    ] = None,
    sections: Annotated[
        str | None,
        option(
            OUTPUT,
            "A,B",
            "Only these sections, in this order: labels, merges, annotators, items, label_sets, "
            "gold, sweep, drift, spans, judge, plan.",
            common=True,
        ),
    ] = None,
    brief: Annotated[
        bool,
        option(
            OUTPUT,
            None,
            "One page to print or mail: findings, one picture, methods.",
            "--brief",
            common=True,
        ),
    ] = False,
    scale: Annotated[
        str | None,
        option(OUTPUT, "NAME", f"Add the verbal grade on a scale: {', '.join(choices.SCALES)}."),
    ] = None,
    judges: Annotated[
        str | None,
        option(MEASURE, "A,B", "Annotators who are judges, such as models.", common=True),
    ] = None,
    by: Annotated[
        str | None,
        option(
            MEASURE,
            "COLUMN",
            "Column with dates, numbers or batches, or 'order' for the items in their order.",
            common=True,
        ),
    ] = None,
    text: Annotated[
        str | None, option(TABLE, "COLUMN", "Show this column with each item.", common=True)
    ] = None,
    texts: Annotated[
        bool,
        option(OUTPUT, None, "Show texts of the data, or keep them out.", "--texts/--no-texts"),
    ] = True,
) -> None:
    """Write all results for the ratings into one HTML file.

    The answer and the next steps come first, followed by sections on labels,
    annotators, items, gold labels, drift, spans, models, and a plan for more ratings,
    as far as they apply. The file needs no network and runs no script. The report can
    also be written as .md, .tex, .json, .xlsx, or a folder of CSV files.

    Examples
    --------
    iaa report ratings.csv
    iaa report ratings.csv --text sentence --output agreement.html
    iaa report ratings.csv --brief
    """
    choices.one_of(scale, choices.SCALES, "--scale")
    judged = choices.listed(judges, "--judges") or ()
    chosen = choices.listed(sections, "--sections")
    names = choices.coefficients_of(coefficients)
    if text is not None and not texts:
        raise OptionError(
            "--no-texts keeps texts out of the report, and --text names one: leave one out"
        )
    from iaa_jax.pages.saving import PICTURES

    for file in output.files:
        if Path(file).suffix.lower() in PICTURES:
            raise OptionError(
                f"a report is a page, and {file} would hold one picture: give -o report.html, open "
                "it and print it to a PDF; 'iaa agree FILE -o FILE.png' draws one picture"
            )
    usual = (USUAL_BRIEF if brief else USUAL) * (not output.files and output.json is None)
    if usual:
        output = output.also(_usual_file(usual))

    def work(progress: LateProgress) -> Page:
        from iaa_jax.overview.page import with_command, with_verdicts

        kept = [*columns_of(random), *(column for column in (by, text) if column is not None)]
        ratings = _read(reading, progress, list(dict.fromkeys(kept)), texts=texts and text is None)
        page: Page = call(
            "report",
            progress,
            ratings,
            names,
            title=title,
            sections=chosen,
            brief=brief,
            scale=scale,
            judges=judged,
            by=by,
            keep=[*kept, *_shown(ratings, texts=texts and text is None)],
            texts=texts,
            label_options=how,
            options=random,
        )
        files = [PurePath(name).name for name in reading.names]
        parameters = signature(report).parameters.items()
        defaults = {name: parameter.default for name, parameter in parameters}
        withheld = WITHHELD in chosen_options().values()
        required = [sentence for _, sentence in verdicts(output.requirements, page.results)]
        page = with_verdicts(page, required)
        return with_command(page, as_typed("report", defaults, files), withheld=withheld)

    run(work, output, reading.files)
    if usual:
        typer.echo(f"\nThe report is {usual}.")


def _usual_file(name: str) -> str:
    """Return the default path of a report; refuse to replace a file that is not a report."""
    from iaa_jax.pages.html import is_ours

    file = Path(name)
    if file.exists() and not is_ours(file):
        raise OptionError(
            f"{name} exists and is no report of this program: name a file with --output"
        )
    return name


def _read(
    reading: InputOptions, progress: LateProgress, kept: Sequence[str], *, texts: bool
) -> xr.Dataset:
    """Read ratings with all columns, since any may show a cause of disagreement."""
    ratings = reading.with_every_column(progress, kept)
    if ratings.attrs["task"] == "spans" and texts:
        return reading.spans(progress, texts=True)
    return ratings


def _shown(ratings: xr.Dataset, *, texts: bool) -> Iterator[str]:
    """Yield the columns shown by default: dates, texts of documents, and a single text of items."""
    from iaa_jax.data.free_texts import free_texts
    from iaa_jax.measure.shared.dates import holds_dates

    text_columns = free_texts(ratings) if texts else []
    if len(text_columns) == 1:
        yield text_columns[0]

    for name, coordinate in ratings.coords.items():
        if name == "item":  # all sections show the ids anyway
            continue
        text = name == "text" and ratings.attrs["task"] == "spans"
        if text or holds_dates(str(name), coordinate.values):
            yield str(name)
