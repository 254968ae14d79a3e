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

Files = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Tables of ratings.", show_default=False)
]

Item = Annotated[
    str | None,
    typer.Option(
        metavar="A,B", help="Column with the item; several: a,b.", rich_help_panel=COLUMNS
    ),
]
Annotator = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Long table: column with the annotator.", rich_help_panel=COLUMNS
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Long table: column with the label.", rich_help_panel=COLUMNS
    ),
]
Secondary = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Long table: column with the second-choice label.",
        rich_help_panel=COLUMNS,
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        metavar="A,B", help="Wide table: the annotators' columns.", rich_help_panel=COLUMNS
    ),
]
Counts = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Columns with the number of annotators who chose each label, or 'votes_*'.",
        rich_help_panel=COLUMNS,
    ),
]
OneHot = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Long table: columns of 0 and 1, one for each label, or 'is_*'.",
        rich_help_panel=COLUMNS,
    ),
]
MultiHot = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Long table: the same, with any number of labels per row.",
        rich_help_panel=COLUMNS,
    ),
]
Anonymous = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help="It is unknown who rated: the ratings of an item are only slots.",
        rich_help_panel=COLUMNS,
    ),
]
Records = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="JSON: the field with the records; needed if several lists hold records.",
        rich_help_panel=COLUMNS,
    ),
]
FilePattern = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Files to read, in zip archives too; '{annotator}.csv' names the annotator.",
        rich_help_panel=COLUMNS,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Encoding of the text; by default that of its byte-order mark, else UTF-8.",
        rich_help_panel=COLUMNS,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Format of the files, recognised if not given: {', '.join(choices.FORMATS)}.",
        rich_help_panel=COLUMNS,
    ),
]
Question = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Which question, in formats with several; plain tables have columns instead.",
        rich_help_panel=COLUMNS,
    ),
]

Labels = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="All possible labels, in order; taken from the data if not given.",
        rich_help_panel=RATINGS,
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="What stands between several labels in one cell, as in 'joy;fear'.",
        rich_help_panel=RATINGS,
    ),
]
MissingCodes = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="A,B",
        help="Further codes that mean 'not rated', as in '-1,?'.",
        rich_help_panel=RATINGS,
    ),
]
KeepLabels = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Keep the ratings on these labels; others become missing.",
        rich_help_panel=RATINGS,
    ),
]
KeepAnnotators = Annotated[
    str | None,
    typer.Option(
        metavar="A,B", help="Keep the ratings of these annotators.", rich_help_panel=RATINGS
    ),
]
Duplicates = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"If an annotator rated an item twice: {', '.join(choices.DUPLICATES)}.",
        rich_help_panel=RATINGS,
    ),
]
Skipped = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"What a skipped item counts as: {', '.join(choices.SKIPPED)}.",
        rich_help_panel=RATINGS,
    ),
]

Coefficients = Annotated[
    str | None,
    typer.Option(
        "--coefficients",
        "--coefficient",
        metavar="A,B",
        help="Names from 'iaa coefficients'; all that apply if not given.",
        rich_help_panel=MEASURE,
    ),
]
Coefficient = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="One of 'iaa coefficients'; krippendorff_alpha if not given.",
        rich_help_panel=MEASURE,
    ),
]
Level = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Metric of Krippendorff's alpha: {', '.join(choices.LEVELS)}.",
        rich_help_panel=MEASURE,
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Agreement between labels: {', '.join(choices.WEIGHTS)}.",
        rich_help_panel=MEASURE,
    ),
]
WeightsOn = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Take weights from the labels' numbers or their ranks: "
        f"{', '.join(choices.WEIGHTS_ON)}.",
        rich_help_panel=MEASURE,
    ),
]
Distance = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Distance between label sets: {', '.join(choices.DISTANCES)}.",
        rich_help_panel=MEASURE,
    ),
]
P = Annotated[
    float,
    typer.Option(
        "--p",
        metavar="SHARE",
        callback=choices.primary_share,
        help="Share of the primary label where there is a secondary one.",
        rich_help_panel=MEASURE,
    ),
]
MinCommon = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="Common items that a pair of annotators needs to enter a pairwise coefficient.",
        rich_help_panel=MEASURE,
    ),
]

Interval = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"Kind of interval: {', '.join(choices.INTERVALS)}.",
        rich_help_panel=INTERVALS,
    ),
]
Confidence = Annotated[
    float,
    typer.Option(metavar="SHARE", help="Confidence of the intervals.", rich_help_panel=INTERVALS),
]
Replicates = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="Bootstrap replicates over items, 40 or more for 95 %.",
        rich_help_panel=INTERVALS,
    ),
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Seed of the replicates.", rich_help_panel=INTERVALS),
]

Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Draw whole clusters of items, such as documents: the column that names them.",
        rich_help_panel=INTERVALS,
    ),
]
RandomAnnotators = Annotated[
    bool,
    typer.Option(
        "--random-annotators",
        help="Draw annotators too: intervals then cover other annotators as well.",
        rich_help_panel=INTERVALS,
    ),
]
Bayesian = Annotated[
    bool,
    typer.Option(
        "--bayesian", help="Bayesian bootstrap over the items.", rich_help_panel=INTERVALS
    ),
]
Population = Annotated[
    float | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Number of all items, if these are a sample of them.",
        rich_help_panel=INTERVALS,
    ),
]
StandardError = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="infinitesimal_jackknife, jackknife, grouped_jackknife, or an analytic form such as "
        "gwet_linearized.",
        rich_help_panel=INTERVALS,
    ),
]
Transform = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="'range': normal, t, basic and studentized intervals that stay below 1.",
        rich_help_panel=INTERVALS,
    ),
]

Output = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        metavar="FILE",
        help="Write the page to FILE: .md, .tex, or .csv (its main table; a folder such as out/ "
        "gets all); '-.csv': to standard output, and nothing else there; may be repeated.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
Plot = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Draw the picture: .png, .svg or .pdf. Needs matplotlib.",
        rich_help_panel=OUTPUT,
    ),
]
Json = Annotated[
    str | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the figures to FILE; '-': to standard output, and nothing else there.",
        rich_help_panel=OUTPUT,
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="Exit with 3 unless this holds, as in 'krippendorff_alpha>=0.67' or "
        "'gwet_ac1.ci_low>0.6'; may be repeated.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
Debug = Annotated[
    bool,
    typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=OUTPUT),
]
