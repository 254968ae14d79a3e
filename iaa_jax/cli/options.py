"""Options that commands share: each is declared once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from iaa_jax.cli import choices
from iaa_jax.measure.declared import OneOf, Whole, option as declare

Names = Sequence[str] | None

# the panels of a command's help
COLUMNS = "Which columns"
RATINGS = "Which ratings"
MEASURE = "What to measure"
INTERVALS = "Intervals"
TABLE = "The table"
OUTPUT = "Output"
PANELS = (None, COLUMNS, RATINGS, MEASURE, INTERVALS, TABLE, OUTPUT)
"""In their order."""


def option(
    panel: str | None,
    metavar: str | None,
    help: str,
    *names: str,
    min: float | None = None,
    max: float | None = None,
    show_default: bool = True,
) -> object:
    """An option: where the help lists it, what it takes, and what it does."""
    return typer.Option(
        *names,
        metavar=metavar,
        help=help,
        rich_help_panel=panel,
        min=min,
        max=max,
        show_default=show_default,
    )


Files = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Tables of ratings.", show_default=False)
]

_NAME, _TEXT, _NAMES = choices.Text("NAME"), choices.Text("TEXT"), choices.Listed("A,B")


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns of a file hold what, by the keywords of `iaa_jax.read`."""

    item: Names = declare(None, _NAMES, "Column with the item; several: a,b.")
    annotator: str | None = declare(None, _NAME, "Long table: column with the annotator.")
    label: str | None = declare(None, _NAME, "Long table: column with the label.")
    secondary: str | None = declare(None, _NAME, "Long table: column with the second-choice label.")
    annotators: Names = declare(None, _NAMES, "Wide table: the annotators' columns.")
    counts: Names = declare(
        None,
        _NAMES,
        "Columns with the number of annotators who chose each label, or 'votes_*'.",
    )
    one_hot: Names = declare(
        None, _NAMES, "Long table: columns of 0 and 1, one for each label, or 'is_*'."
    )
    multi_hot: Names = declare(
        None, _NAMES, "Long table: the same, with any number of labels per row."
    )
    anonymous: bool = declare(
        False, choices.Flag(None), "It is unknown who rated: the ratings of an item are only slots."
    )
    records: str | None = declare(
        None, _NAME, "JSON: the field with the records; of a spreadsheet the sheet."
    )
    header_line: int | None = declare(
        None, Whole(1), "Line of the text with the names of the columns, below a title."
    )
    file_pattern: str | None = declare(
        None, _TEXT, "Files to read, in zip archives too; '{annotator}.csv' names the annotator."
    )
    encoding: str | None = declare(
        None, _NAME, "Encoding of the text; by default that of its byte-order mark, else UTF-8."
    )
    max_megabytes: int = declare(
        1000, Whole(1), "Most megabytes to take from packed files, unpacked, and from pipes."
    )
    format: str | None = declare(
        None,
        _NAME,
        "Format of the files, recognised if not given; 'iaa formats' lists them.",
    )
    question: str | None = declare(
        None, _NAME, "Which question, in formats with several; plain tables have columns instead."
    )


@dataclass(frozen=True)
class RatingOptions:
    """Which ratings there are, and which of them are kept."""

    labels: Names = declare(
        None, _NAMES, "All possible labels, in order; taken from the data if not given."
    )
    missing: Names = declare(None, _NAMES, "Further codes that mean 'not rated', as in '-1,?'.")
    merge_labels: Names = declare(
        None, _NAMES, "Differences that make no other label: case, form (of Unicode), blanks."
    )
    merge_ids: Names = declare(
        None, _NAMES, "Differences that make no other item or annotator: case, form, blanks."
    )
    separator: str | None = declare(
        None, _TEXT, "What stands between several labels in one cell, as in 'joy;fear'."
    )
    recode: Names = declare(
        None,
        _NAMES,
        "Other names for labels, as 'POS=pos,neg=no'; with the same name they are one.",
    )
    at_least: str | None = declare(
        None, _NAME, "Cut numbers, or labels in order, in two: below this, and from it on."
    )
    keep_labels: Names = declare(
        None, _NAMES, "Keep the ratings on these labels; others become missing."
    )
    keep_annotators: Names = declare(None, _NAMES, "Keep the ratings of these annotators.")
    duplicates: str = declare(
        "error", OneOf(choices.DUPLICATES), "If an annotator rated an item twice"
    )
    skipped: str = declare("missing", OneOf(choices.SKIPPED_AS), "What a skipped item counts as")
    scan: bool = declare(
        False,
        choices.Flag(None),
        "Long tables larger than memory (Parquet, CSV, TSV): count patterns with DuckDB.",
    )
    memory: str | None = declare(
        None, choices.Text("SIZE"), "With --scan: what it may use, as '500MB'; 2GB if not given."
    )
    include: Names = declare(
        None, _NAMES, "Count these too: drafts, gold, predictions, curator, rejected."
    )


Coefficients = Annotated[
    str | None,
    option(
        MEASURE,
        "A,B",
        "Names from 'iaa coefficients'; all that apply if not given.",
        "--coefficients",
        "--coefficient",
    ),
]
Coefficient = Annotated[
    str | None,
    option(MEASURE, "NAME", "One of 'iaa coefficients'; krippendorff_alpha if not given."),
]
Cluster = Annotated[
    str | None,
    option(
        INTERVALS,
        "COLUMN",
        "Draw whole clusters of items, such as documents: the column that names them.",
    ),
]
RandomAnnotators = Annotated[
    bool | None,
    option(
        INTERVALS,
        None,
        "Draw annotators too, so that intervals cover other annotators as well, or take them as "
        "fixed; fixed if not given, but random for icc2 and icc2k.",
        "--random-annotators/--fixed-annotators",
        show_default=False,
    ),
]
Bayesian = Annotated[
    bool, option(INTERVALS, None, "Bayesian bootstrap over the items.", "--bayesian")
]
Population = Annotated[
    float | None,
    option(INTERVALS, "N", "Number of all items, if these are a sample of them.", min=1),
]
StandardError = Annotated[
    str | None,
    option(
        INTERVALS,
        "NAME",
        "jackknife, grouped_jackknife, or an analytic form such as gwet_linearized; by default "
        "the infinitesimal jackknife.",
    ),
]
Transform = Annotated[
    str | None,
    option(
        INTERVALS, "NAME", "'range': normal, t, basic and studentized intervals that stay below 1."
    ),
]

Prior = Annotated[
    float | None,
    option(
        INTERVALS,
        "H",
        "Of the interval 'posterior': pseudo-items of agreement on each label that it begins with; "
        "0 for none.",
    ),
]

Output = Annotated[
    list[str] | None,
    option(
        OUTPUT,
        "FILE",
        "Write the page to FILE: .md, .tex, .xlsx, or .csv (its main table; a folder such as "
        "out/ gets all); '-.csv': to standard output, and nothing else there; may be repeated.",
        "--output",
        show_default=False,
    ),
]
Plot = Annotated[
    str | None, option(OUTPUT, "FILE", "Draw the picture: .png, .svg or .pdf. Needs matplotlib.")
]
Json = Annotated[
    str | None,
    option(
        OUTPUT,
        "FILE",
        "Write the figures to FILE; '-': to standard output, and nothing else there.",
        "--json",
    ),
]
Require = Annotated[
    list[str] | None,
    option(
        OUTPUT,
        "TEXT",
        "Exit with 3 unless this holds, as 'krippendorff_alpha.ci_low>=0.67'; any figure of "
        "--json, of one row as 'accuracy\\[model]>0.8', or else of all; may be repeated.",
        show_default=False,
    ),
]
Debug = Annotated[bool, option(OUTPUT, None, "Show the traceback of an error.", "--debug")]
