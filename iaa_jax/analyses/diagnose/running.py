"""What the commands of diagnosis share: their options, and where their tables go."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax._errors import IaaError
from iaa_jax.cli import choices, options
from iaa_jax.cli.drawing import Drawing
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json, write_whole
from iaa_jax.cli.provenance import provenance
from iaa_jax.cli.reading import Reading, Resampling

if TYPE_CHECKING:
    import xarray as xr


_MEASURE = "What to measure"
_TABLE = "The table"
_OUTPUT = "Output"


@dataclass(frozen=True)
class Asking:
    """Which coefficient, and how labels agree."""

    coefficient: str | None = None
    level: str | None = None
    weights: str | None = None
    weights_on: str = "value"
    distance: str | None = None
    p: float = 1.0
    min_common: int = 2


def asking_options(
    coefficient: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="One of 'iaa coefficients'; krippendorff_alpha if not given.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    level: options.Level = None,
    weights: options.Weights = None,
    weights_on: options.WeightsOn = "value",
    distance: options.Distance = None,
    p: options.P = 1.0,
    min_common: options.MinCommon = 2,
) -> Asking:
    """The options, checked."""
    return Asking(
        coefficient=choices.one_of(coefficient, choices.NAMES, "--coefficient"),
        level=choices.one_of(level, choices.LEVELS, "--level"),
        weights=choices.one_of(weights, choices.WEIGHTS, "--weights"),
        weights_on=choices.one_of(weights_on, choices.WEIGHTS_ON, "--weights-on"),
        distance=choices.one_of(distance, choices.DISTANCES, "--distance"),
        p=p,
        min_common=min_common,
    )


@dataclass(frozen=True)
class Showing:
    """Which rows, with which columns beside them, and where they go."""

    top: int | None = None
    sort: str | None = None
    by: str | None = None
    keep: Sequence[str] = ()
    json: str | None = None
    csv: str | None = None


def showing_options(
    top: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Show only so many, the first.", rich_help_panel=_TABLE
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Sort by this column of the CSV, what deserves a look first; -COLUMN turns it "
            "round.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The coefficient for each value of a column, of items or of annotators.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Show these columns of the file too, such as the text or the batch.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    json: options.Json = None,
    csv: Annotated[
        str | None,
        typer.Option(
            "--csv",
            metavar="FILE",
            help="Write the table to FILE; '-': to standard output, and nothing else there.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
) -> Showing:
    """The options, checked."""
    if json == STANDARD_OUTPUT == csv:
        message = "only one of --json and --csv can go to standard output"
        raise typer.BadParameter(message)
    kept = choices.listed(keep, "--keep") or []
    return Showing(top, sort, by, tuple(kept), json, csv)


def diagnose(
    reading: Reading,
    asking: Asking,
    showing: Showing,
    resampling: Resampling,
    study: Callable[[xr.Dataset, Any], xr.Dataset],
    axis: str,
    drawing: Drawing | None = None,
) -> None:
    """Read, run a study, break the coefficient down if asked, and write and print all of it."""
    from iaa_jax.analyses.diagnose.page import print_diagnosis
    from iaa_jax.analyses.diagnose.records import Diagnosis, record, wide_rows
    from iaa_jax.cli.beside import with_columns
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.data import summary
    from iaa_jax.report.records import data_facts

    for target in (showing.json, showing.csv):
        check_target(target, reading.files)
    with LateProgress(console(stderr=True)) as progress:
        progress.step("Reading")
        ratings = reading.ratings(progress.done)
        drawing = drawing or Drawing()
        beside = [*showing.keep, *([showing.by] if showing.by else []), *drawing.columns]
        ratings = with_columns(ratings, reading, beside)
        _check_kept(ratings, showing.keep, axis)
        progress.step("Measuring")
        found = study(ratings, progress.done)
        groups = None
        if showing.by is not None:
            progress.step("Groups")
            groups = _by(ratings, asking, showing.by, drawing.options(resampling), progress.done)
    diagnosis = Diagnosis(
        axis=axis,
        data=data_facts(ratings, summary(ratings)),
        found=found,
        groups=groups,
        title=_title(str(found.attrs["coefficient"])),
        kept=tuple(name for name in showing.keep if name in found.coords),
        provenance=provenance(
            reading, found.attrs, asking, showing, resampling, drawing, without=("json", "csv")
        ),
        limited=showing.top is not None,
    )
    if showing.json is not None:
        write_json(record(diagnosis), showing.json)
    if showing.csv is not None:
        _write_csv(wide_rows(found, axis), showing.csv)
    if STANDARD_OUTPUT not in (showing.json, showing.csv):
        print_diagnosis(console(), diagnosis)


def _check_kept(ratings: xr.Dataset, kept: Sequence[str], axis: str) -> None:
    for name in kept:
        (where,) = ratings[name].dims
        if where != axis:
            message = f"column {name!r} describes {where}s, not {axis}s: it cannot be kept here"
            raise IaaError(message)


def measuring(asking: Asking) -> dict[str, Any]:
    """The options of a study that say how labels agree."""
    given = asdict(asking)
    del given["coefficient"]
    return given


def _by(
    ratings: xr.Dataset,
    asking: Asking,
    by: str,
    intervals: Mapping[str, Any],
    progress: Callable[[int, int], None],
) -> xr.Dataset:
    from iaa_jax.analyses.diagnose.groups import agreement_by
    from iaa_jax.measure.items import DEFAULT

    return agreement_by(
        ratings,
        by,
        asking.coefficient or DEFAULT,
        **measuring(asking),
        **intervals,
        progress=progress,
    )


def _title(name: str) -> str:
    from iaa_jax.catalog import CATALOG, NAMES

    return CATALOG[NAMES[name]].title if name in NAMES else name


def _write_csv(rows: Sequence[Mapping[str, Any]], target: str) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    if target == STANDARD_OUTPUT:
        typer.echo(text.getvalue(), nl=False)
        return
    write_whole(Path(target), text.getvalue().encode("utf-8", errors="backslashreplace"))
