"""Options that commands share: each is declared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, ClassVar

import typer

from iaa_jax._errors import OptionError
from iaa_jax.cli import choices
from iaa_jax.measure.declared import OneOf, Whole, option as declare
from iaa_jax.wording import named

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


class FileRead(str):
    """The metavar of an option that names a file to read."""

    __slots__ = ()


class FileWritten(str):
    """The metavar of an option that names a file to write."""

    __slots__ = ()


class Guard(str):
    """The metavar of an option that keeps data from taking more of the machine than it may."""

    __slots__ = ()


READ, WRITTEN = FileRead("FILE"), FileWritten("FILE")


@dataclass(frozen=True)
class _Megabytes(Whole):
    """How much may be unpacked."""

    metavar: ClassVar[str] = Guard(Whole.metavar)


def option(
    panel: str | None,
    metavar: str | None,
    help: str,
    *names: str,
    min: float | None = None,
    max: float | None = None,
    show_default: bool = True,
    common: bool = False,
) -> object:
    """An option: where the help lists it, what it takes, and what it does.

    The first screen of the help has it if it is ``common``.
    """
    return typer.Option(
        *names,
        metavar=metavar or "",
        help=help,
        rich_help_panel=panel,
        min=min,
        max=max,
        show_default=show_default,
        hidden=not common,
    )


def that_read(parameters: Iterable[Parameter]) -> list[str]:
    """The options that name a file to read."""
    return [
        parameter.name
        for parameter in parameters
        for declared in parameter.annotation.__metadata__
        if isinstance(declared.metavar, FileRead)
    ]


Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE", help="Tables of ratings.", show_default=False, hidden=True),
]

_NAME, _TEXT, _NAMES = choices.Text("NAME"), choices.Text("TEXT"), choices.Listed("A,B")


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns of a file hold what, by the keywords of `iaa_jax.read`."""

    item: Names = declare(None, _NAMES, "Item column, or several: a,b.", common=True)
    annotator: str | None = declare(
        None, _NAME, "Annotator column, or a,b (long tables).", common=True
    )
    label: str | None = declare(None, _NAME, "Label column (long tables).", common=True)
    secondary: str | None = declare(None, _NAME, "Column of second-choice labels (long tables).")
    annotators: Names = declare(None, _NAMES, "Annotators' columns (wide tables).", common=True)
    counts: Names = declare(
        None, _NAMES, "Columns counting the annotators who chose each label, or 'votes_*'."
    )
    one_hot: Names = declare(
        None, _NAMES, "Columns of 0 and 1, one per label, or 'is_*' (long tables)."
    )
    multi_hot: Names = declare(
        None, _NAMES, "Columns of 0 and 1, several labels per row, or 'is_*' (long tables)."
    )
    strength: str | None = declare(
        None, _NAME, "Column of 0 and 1, or strengths, of the label in each row: sets of labels."
    )
    anonymous: bool = declare(
        False, choices.Flag(None), "It is unknown which annotator gave which rating."
    )
    unordered: bool = declare(
        False,
        choices.Flag(None),
        "Items named by several columns are the same in any order: pairs without direction.",
    )
    records: str | None = declare(
        None,
        _NAME,
        "Field of records (JSON), as in 'texts[].answers[]', or sheets (xlsx), as in 'Dr.*'.",
    )
    header_line: int | None = declare(
        None, Whole(0), "Line with the column names, if a title stands above it; 0: none."
    )
    no_header: bool = declare(
        False, choices.Flag(None), "There are no column names: columns are called 1, 2, ..."
    )
    file_pattern: str | None = declare(
        None,
        _TEXT,
        "Read only files that match, in archives too; '{annotator}.csv' or '{annotator}/*.csv' "
        "takes the annotator from the name of the file or folder.",
    )
    encoding: str | None = declare(
        None, _NAME, "Text encoding; by default UTF-8, unless a byte-order mark says otherwise."
    )
    max_megabytes: int = declare(
        1000, _Megabytes(1), "Maximum size (MB) of unpacked archives and of pipes."
    )
    format: str | None = declare(
        None, _NAME, "File format, if it is not recognised; see 'iaa formats'."
    )
    question: str | None = declare(None, _NAME, "Which question, if an export has several.")

    @property
    def keywords(self) -> dict[str, object]:
        """What `iaa_jax.read` is told."""
        keywords = {**vars(self)}
        if keywords.pop("no_header"):
            if self.header_line is not None:
                message = f"{named('no_header')} and {named('header_line')} exclude each other"
                raise OptionError(message)
            keywords["header_line"] = 0
        return keywords


@dataclass(frozen=True)
class RatingOptions:
    """Which ratings there are, and which of them are kept."""

    labels: Names = declare(
        None, _NAMES, "All possible labels, in order; by default those in the data."
    )
    missing: Names = declare(None, _NAMES, "Further values that mean 'not rated', as in '-1,?'.")
    blank: str | None = declare(
        None, _NAME, "Label that blank cells are, as in 'no' where only ticks were made."
    )
    merge_labels: Names = declare(
        None,
        _NAMES,
        "Treat labels as equal if they differ only in: case, form (Unicode), blanks.",
    )
    merge_ids: Names = declare(
        None,
        _NAMES,
        "Treat items and annotators as equal if their names differ only in: case, form, blanks.",
    )
    separator: str | None = declare(
        None, _TEXT, "Separator between labels in one cell, as in 'joy;fear'."
    )
    recode: Names = declare(
        None, _NAMES, "Rename labels, as in 'POS=pos,neg=no'; the same new name merges them."
    )
    at_least: str | None = declare(
        None, _NAME, "Split numbers or ordered labels in two: below this, and from it on."
    )
    keep_labels: Names = declare(
        None, _NAMES, "Keep only ratings with these labels; others become missing."
    )
    keep_annotators: Names = declare(None, _NAMES, "Keep only these annotators.", common=True)
    duplicates: str = declare(
        "error", OneOf(choices.DUPLICATES), "If an annotator rated an item twice"
    )
    skipped: str = declare("missing", OneOf(choices.SKIPPED_AS), "Count skipped items as")
    exclude: Names = declare(
        None,
        choices.Repeated("COLUMN=VALUE"),
        "Leave out rows of a table with this value, as in 'status=rejected'; repeatable.",
    )
    join: str | None = declare(
        None,
        choices.Text(READ),
        "Table about items or annotators, as batches or teams, for --by and --cluster.",
    )
    scan: bool = declare(
        False,
        choices.Flag(None),
        "Count patterns with DuckDB: long tables larger than memory (Parquet, CSV, TSV).",
    )
    memory: str | None = declare(
        None, choices.Text(Guard("SIZE")), "Memory limit of --scan, as in '500MB'; 2GB by default."
    )
    include: Names = declare(
        None, _NAMES, "Count these too: drafts, gold, predictions, curator, rejected."
    )


Coefficients = Annotated[
    str | None,
    option(
        MEASURE,
        "A,B",
        "Names from 'iaa coefficients'; by default all that apply.",
        "--coefficients",
        "--coefficient",
        common=True,
    ),
]
Coefficient = Annotated[
    str | None,
    option(
        MEASURE,
        "NAME",
        "Name from 'iaa coefficients'; krippendorff_alpha by default.",
        common=True,
    ),
]
Cluster = Annotated[
    str | None,
    option(
        INTERVALS,
        "COLUMN",
        "Column of clusters, such as documents, whose items are resampled together.",
    ),
]
RandomAnnotators = Annotated[
    bool | None,
    option(
        INTERVALS,
        None,
        "Resample annotators too, so that intervals apply to other annotators, or take them as "
        "fixed; fixed by default, but random for icc2 and icc2k.",
        "--random-annotators/--fixed-annotators",
        show_default=False,
    ),
]
Bayesian = Annotated[
    bool, option(INTERVALS, None, "Use a Bayesian bootstrap over items.", "--bayesian")
]
Population = Annotated[
    float | None,
    option(INTERVALS, "N", "Size of the finite population that the items are sampled from.", min=1),
]
StandardError = Annotated[
    str | None,
    option(
        INTERVALS,
        "NAME",
        "jackknife, grouped_jackknife, or an analytic form such as gwet_linearized; the "
        "infinitesimal jackknife by default.",
    ),
]
Transform = Annotated[
    str | None,
    option(INTERVALS, "NAME", "'range' keeps normal, t, basic and studentized intervals below 1."),
]

Prior = Annotated[
    float | None,
    option(
        INTERVALS,
        "H",
        "Interval 'empirical_bayes': as how many items its pseudo-item counts; 0 for none.",
    ),
]

Output = Annotated[
    list[str] | None,
    option(
        OUTPUT,
        WRITTEN,
        "Page as .html, .md, .tex, .xlsx or .csv (folder: all tables); "
        "'-.csv': standard output; repeatable.",
        "--output",
        "-o",
        show_default=False,
        common=True,
    ),
]
Plot = Annotated[
    str | None,
    option(OUTPUT, WRITTEN, "Figure as .png, .svg or .pdf.", common=True),
]
Json = Annotated[
    str | None,
    option(
        OUTPUT,
        WRITTEN,
        "Results as JSON; '-': standard output.",
        "--json",
        common=True,
    ),
]
Require = Annotated[
    list[str] | None,
    option(
        OUTPUT,
        "TEXT",
        "Exit with code 3 unless this holds, as in 'krippendorff_alpha.ci_low>=0.67', or of one "
        "row 'accuracy\\[model]>0.8'; any number of --json; repeatable.",
        show_default=False,
    ),
]
Debug = Annotated[bool, option(OUTPUT, None, "Show the traceback of errors.", "--debug")]
