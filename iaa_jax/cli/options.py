"""Options that commands share: each is declared once."""

from __future__ import annotations

from typing import Annotated

import typer

from iaa_jax.cli import choices

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

Item = Annotated[str | None, option(COLUMNS, "A,B", "Column with the item; several: a,b.")]
Annotator = Annotated[str | None, option(COLUMNS, "NAME", "Long table: column with the annotator.")]
Label = Annotated[str | None, option(COLUMNS, "NAME", "Long table: column with the label.")]
Secondary = Annotated[
    str | None, option(COLUMNS, "NAME", "Long table: column with the second-choice label.")
]
Annotators = Annotated[str | None, option(COLUMNS, "A,B", "Wide table: the annotators' columns.")]
Counts = Annotated[
    str | None,
    option(
        COLUMNS, "A,B", "Columns with the number of annotators who chose each label, or 'votes_*'."
    ),
]
OneHot = Annotated[
    str | None,
    option(COLUMNS, "A,B", "Long table: columns of 0 and 1, one for each label, or 'is_*'."),
]
MultiHot = Annotated[
    str | None, option(COLUMNS, "A,B", "Long table: the same, with any number of labels per row.")
]
Anonymous = Annotated[
    bool,
    option(
        COLUMNS,
        None,
        "It is unknown who rated: the ratings of an item are only slots.",
        "--anonymous",
    ),
]
Records = Annotated[
    str | None,
    option(
        COLUMNS, "NAME", "JSON: the field with the records; needed if several lists hold records."
    ),
]
FilePattern = Annotated[
    str | None,
    option(
        COLUMNS,
        "TEXT",
        "Files to read, in zip archives too; '{annotator}.csv' names the annotator.",
    ),
]
Encoding = Annotated[
    str | None,
    option(
        COLUMNS, "NAME", "Encoding of the text; by default that of its byte-order mark, else UTF-8."
    ),
]
Format = Annotated[
    str | None,
    option(
        COLUMNS,
        "NAME",
        f"Format of the files, recognised if not given: {', '.join(choices.FORMATS)}.",
    ),
]
Question = Annotated[
    str | None,
    option(
        COLUMNS,
        "NAME",
        "Which question, in formats with several; plain tables have columns instead.",
    ),
]

Labels = Annotated[
    str | None,
    option(RATINGS, "A,B", "All possible labels, in order; taken from the data if not given."),
]
Separator = Annotated[
    str | None,
    option(RATINGS, "TEXT", "What stands between several labels in one cell, as in 'joy;fear'."),
]
MissingCodes = Annotated[
    str | None,
    option(RATINGS, "A,B", "Further codes that mean 'not rated', as in '-1,?'.", "--missing"),
]
KeepLabels = Annotated[
    str | None, option(RATINGS, "A,B", "Keep the ratings on these labels; others become missing.")
]
KeepAnnotators = Annotated[
    str | None, option(RATINGS, "A,B", "Keep the ratings of these annotators.")
]
Duplicates = Annotated[
    str,
    option(
        RATINGS, "NAME", f"If an annotator rated an item twice: {', '.join(choices.DUPLICATES)}."
    ),
]
Skipped = Annotated[
    str, option(RATINGS, "NAME", f"What a skipped item counts as: {', '.join(choices.SKIPPED)}.")
]

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
    bool,
    option(
        INTERVALS,
        None,
        "Draw annotators too: intervals then cover other annotators as well.",
        "--random-annotators",
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
        "infinitesimal_jackknife, jackknife, grouped_jackknife, or an analytic form such as "
        "gwet_linearized.",
    ),
]
Transform = Annotated[
    str | None,
    option(
        INTERVALS, "NAME", "'range': normal, t, basic and studentized intervals that stay below 1."
    ),
]

Output = Annotated[
    list[str] | None,
    option(
        OUTPUT,
        "FILE",
        "Write the page to FILE: .md, .tex, or .csv (its main table; a folder such as out/ "
        "gets all); '-.csv': to standard output, and nothing else there; may be repeated.",
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
        "Exit with 3 unless this holds, as in 'krippendorff_alpha>=0.67' or "
        "'gwet_ac1.ci_low>0.6'; may be repeated.",
        show_default=False,
    ),
]
Debug = Annotated[bool, option(OUTPUT, None, "Show the traceback of an error.", "--debug")]
