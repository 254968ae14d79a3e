"""The command ``iaa binary``: each label alone, and label sets as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax.catalog import CATALOG
from iaa_jax.cli import choices, interrupts, options
from iaa_jax.cli.drawing import Drawing, drawing_options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json
from iaa_jax.cli.provenance import provenance
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    from iaa_jax.analyses.label_sets.page import BinaryReport

_TABLE = "The table"
_MEASURE = "What to measure"
INDEXES = ("percent_agreement", "am_agreement")

_SETS = {
    "am_agreement": "A_m",
    "krippendorff_alpha_masi": "Alpha, MASI",
    "krippendorff_alpha_jaccard": "Alpha, Jaccard",
    "krippendorff_alpha": "Alpha, equal sets",
}


@takes(reading_options, resampling_options, drawing_options)
def label_sets(
    reading: Reading,
    resampling: Resampling,
    drawing: Drawing,
    coefficients: options.Coefficients = None,
    min_common: options.MinCommon = 2,
    band: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Share of items whose agreement lies here; may be repeated. 0.7,1 if not given.",
            rich_help_panel=_MEASURE,
            show_default=False,
        ),
    ] = None,
    index: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"What the Expert Coder Index is the mean of: {', '.join(INDEXES)}.",
            rich_help_panel=_MEASURE,
        ),
    ] = "percent_agreement",
    top: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Show so many labels, and so many pairs of labels; 20 and 10 if not given.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    json: options.Json = None,
    debug: options.Debug = False,
) -> None:
    """Measure each label as a binary problem, and label sets as a whole.

    For every label: how often it is given, and how far annotators agree on it. For
    sets of labels also A_m, alpha over sets, bands of agreement, the Expert Coder
    Index, and which labels are taken for each other.
    """
    asked = choices.several_of(coefficients, choices.NAMES, "--coefficients")
    choices.one_of(index, INDEXES, "--index")
    bands = [_band(text) for text in band or ("0.7,1",)]
    with exits(debug):
        check_target(json, reading.files)
        report = _measured(reading, resampling, drawing, asked, min_common, bands, index, top)
        show(report, json)


def show(report: BinaryReport, json: str | None) -> None:
    """Write the JSON that was asked for, and print the report unless that went to the terminal."""
    from iaa_jax.analyses.label_sets.page import print_binary

    interrupts.check()
    if json is not None:
        write_json(report.record(), json)
    if json != STANDARD_OUTPUT:
        print_binary(console(), report)


def _measured(
    reading: Reading,
    resampling: Resampling,
    drawing: Drawing,
    asked: Any,
    min_common: int,
    bands: list[tuple[float, float]],
    index: str,
    top: int | None,
) -> BinaryReport:
    from iaa_jax.analyses.label_sets.page import BinaryReport
    from iaa_jax.analyses.label_sets.per_label import per_label as each_label
    from iaa_jax.analyses.label_sets.study import label_sets as whole_sets
    from iaa_jax.cli.beside import with_columns
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.data import summary
    from iaa_jax.report.records import data_facts

    with LateProgress(console(stderr=True)) as progress:
        progress.step("Reading")
        ratings = with_columns(reading.ratings(progress.done), reading, drawing.columns)
        progress.step("Labels")
        how = {**drawing.options(resampling), "min_common": min_common, "progress": progress.done}
        labels = each_label(ratings, asked, **how)
        sets = None
        if ratings.attrs["task"] == "multi_label" and ratings.sizes["label"] > 1:
            progress.step("Label sets")
            sets = whole_sets(ratings, bands=bands, index=index, **how)
    chosen = {"coefficients": asked, "bands": bands, "index": index, "min_common": min_common}
    return BinaryReport(
        data=data_facts(ratings, summary(ratings)),
        labels=labels,
        sets=sets,
        titles={name: row.title for row in CATALOG.values() for name in row.names},
        set_titles=_SETS,
        provenance=provenance(reading, labels.attrs, chosen, resampling, drawing),
        top=top,
    )


def _band(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low, high = 1.0, 0.0
    if not 0 <= low <= high <= 1:
        message = f"{text!r} is not of the form 'low,high' with two shares between 0 and 1"
        raise typer.BadParameter(message, param_hint="--band")
    return low, high
