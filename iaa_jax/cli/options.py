"""Options that commands share, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated

import typer

from iaa_jax._errors import OptionError
from iaa_jax._options import Flag, Listed, Text, option as declare
from iaa_jax.io.options import (
    READ as READ,
    FileRead as FileRead,
    Guard as Guard,
    ReadColumns,
    ReadRatings,
)
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
"""Panels in the order of the help."""


class FileWritten(str):
    """Metavar of an option that names a file to write."""

    __slots__ = ()


WRITTEN = FileWritten("FILE")


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
    """Return the declaration of an option: its panel in the help, its values, and its description.

    A ``common`` option is on the first screen of the help.
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
    """Return the names of the options that name a file to read."""
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

_NAME, _NAMES = Text("NAME"), Listed("A,B")


@dataclass(frozen=True)
class ColumnOptions(ReadColumns):
    """Options for the columns of a file; all but ``no_header`` are keywords of `iaa_jax.read`."""

    no_header: bool = declare(
        False, Flag(None), "There are no column names: columns are called 1, 2, ..."
    )

    @property
    def keywords(self) -> dict[str, object]:
        """The keywords of `iaa_jax.read`."""
        keywords = {**vars(self)}
        if keywords.pop("no_header"):
            if self.header_line is not None:
                raise OptionError(
                    f"{named('no_header')} and {named('header_line')} exclude each other"
                )
            keywords["header_line"] = 0
        return keywords


@dataclass(frozen=True)
class RatingOptions(ReadRatings):
    """Options for how ratings are read, and for which ratings are kept."""

    recode: Names = declare(
        None,
        _NAMES,
        "Rename labels, as in 'POS=pos,neg=no' or 'J*=J'; the same new name merges them.",
    )
    at_least: str | None = declare(
        None,
        _NAME,
        "Split numbers or ordered labels in two: below this one, and this one or above.",
    )
    keep_labels: Names = declare(
        None, _NAMES, "Keep only ratings with these labels; other ratings become missing."
    )
    keep_annotators: Names = declare(None, _NAMES, "Keep only these annotators.", common=True)
    scan: bool = declare(
        False,
        Flag(None),
        "Count patterns with DuckDB, for long tables larger than memory (Parquet, CSV, TSV).",
    )
    memory: str | None = declare(
        None, Text(Guard("SIZE")), "Memory limit of --scan, as in '500MB'; 2GB by default."
    )


Coefficients = Annotated[
    str | None,
    option(
        MEASURE,
        "A,B",
        "Names from 'iaa coefficients'; by default the usual ones that apply.",
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
        "Also resample annotators, so that intervals apply to other annotators, or take them as "
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
        "For interval 'empirical_bayes': how many items its pseudo-item counts as; 0 for none.",
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
    option(OUTPUT, WRITTEN, "Drawing as .png, .svg or .pdf.", common=True),
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
        "Exit with code 3 if this fails, or 4 if the interval leaves it open, as in "
        "'krippendorff_alpha>=0.667' or, for one row, 'accuracy\\[model]>0.8' ('.estimate' "
        "ignores the interval); any figure in --json; repeatable.",
        show_default=False,
    ),
]
Debug = Annotated[bool, option(OUTPUT, None, "Show the traceback of errors.", "--debug")]
