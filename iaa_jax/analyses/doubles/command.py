"""The command ``iaa sweep``: primary and secondary labels over p, the share of the primary one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from iaa_jax.cli import choices, options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json, write_whole
from iaa_jax.cli.provenance import provenance
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    from iaa_jax.analyses.doubles.page import SweepReport
    from iaa_jax.cli.progress import LateProgress

_MEASURE = "What to measure"
_OUTPUT = "Output"

NORMALIZE = ("none", "ceiling")
POOL = ("pairs", "components")
UNDEFINED_PAIRS = ("omit", "zero")


@dataclass(frozen=True)
class Sweeping:
    """What to sweep, over which p, and where items and label pairs are told apart."""

    coefficient: str | None = None
    points: int = 51
    level: str | None = None
    weights: str | None = None
    weights_on: str = "value"
    distance: str | None = None
    min_common: int = 2
    normalize: str = "none"
    pool: str = "pairs"
    undefined_pairs: str = "omit"
    tau: float = 0.05
    high: float = 0.6
    top: int = 10


@takes(reading_options, resampling_options)
def sweep(
    reading: Reading,
    resampling: Resampling,
    coefficient: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="One of 'iaa coefficients'; augmented_kappa if not given, or fleiss_kappa where "
            "nobody knows who rated.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    points: Annotated[
        int,
        typer.Option(
            metavar="N", min=2, help="Values of p, from 0.5 to 1.", rich_help_panel=_MEASURE
        ),
    ] = 51,
    level: options.Level = None,
    weights: options.Weights = None,
    weights_on: options.WeightsOn = "value",
    distance: options.Distance = None,
    min_common: options.MinCommon = 2,
    normalize: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Augmented kappa: none, or ceiling (identical ratings score 1 at every p).",
            rich_help_panel=_MEASURE,
        ),
    ] = "none",
    pool: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Augmented kappa of more than two annotators: pairs (their mean), or components.",
            rich_help_panel=_MEASURE,
        ),
    ] = "pairs",
    undefined_pairs: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A pair of annotators that is 0/0: omit it, or count it as zero.",
            rich_help_panel=_MEASURE,
        ),
    ] = "omit",
    tau: Annotated[
        float,
        typer.Option(
            min=0.0,
            help="Classes: change of an item up to which it is constant.",
            rich_help_panel=_MEASURE,
        ),
    ] = 0.05,
    high: Annotated[
        float,
        typer.Option(
            help="Classes: figure of an item above which it is high.", rich_help_panel=_MEASURE
        ),
    ] = 0.6,
    top: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="So many pairs of labels.", rich_help_panel=_MEASURE),
    ] = 10,
    json: options.Json = None,
    plot: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Draw the curve: .png, .svg or .pdf. Needs matplotlib.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    debug: options.Debug = False,
) -> None:
    """Show how secondary labels are used: agreement over p, the share of the primary one.

    For ratings with a primary and sometimes a secondary label (--secondary COLUMN):
    the curve of a coefficient with bands, four classes of items, what pairs of
    ratings look like, and labels that go together. --json has every item.
    """
    sweeping = Sweeping(
        coefficient=choices.one_of(coefficient, choices.NAMES, "--coefficient"),
        points=points,
        level=choices.one_of(level, choices.LEVELS, "--level"),
        weights=choices.one_of(weights, choices.WEIGHTS, "--weights"),
        weights_on=choices.one_of(weights_on, choices.WEIGHTS_ON, "--weights-on"),
        distance=choices.one_of(distance, choices.DISTANCES, "--distance"),
        min_common=min_common,
        normalize=choices.one_of(normalize, NORMALIZE, "--normalize"),
        pool=choices.one_of(pool, POOL, "--pool"),
        undefined_pairs=choices.one_of(undefined_pairs, UNDEFINED_PAIRS, "--undefined-pairs"),
        tau=tau,
        high=high,
        top=top,
    )
    with exits(debug):
        from iaa_jax.analyses.doubles.curve import curve_picture
        from iaa_jax.analyses.doubles.page import print_sweep
        from iaa_jax.cli.progress import LateProgress
        from iaa_jax.report.picture import check_picture

        for target in (json, plot):
            check_target(target, reading.files)
        if plot is not None:
            check_picture(plot)
        with LateProgress(console(stderr=True)) as progress:
            report = _swept(reading, resampling, sweeping, progress)
        if plot is not None:
            suffix, source = Path(plot).suffix, _source(reading)
            picture = curve_picture(report.curve, report.title, suffix, source)
            write_whole(Path(plot), picture)
        if json is not None:
            write_json(report.record(), json)
        if json != STANDARD_OUTPUT:
            print_sweep(console(), report)


def _source(reading: Reading) -> str:
    """The files and the column of labels, as a picture names them."""
    files = reading.files
    name = Path(files[0]).name + (f" and {len(files) - 1} more" if len(files) > 1 else "")
    return f"{name}, column {reading.label}" if reading.label else name


def _swept(
    reading: Reading, resampling: Resampling, sweeping: Sweeping, progress: LateProgress
) -> SweepReport:
    from iaa_jax._errors import IaaError
    from iaa_jax.analyses.doubles.item_classes import item_classes, item_curves
    from iaa_jax.analyses.doubles.page import SweepReport
    from iaa_jax.analyses.doubles.patterns import labels as label_pairs, patterns as rating_patterns
    from iaa_jax.analyses.doubles.sweep import sweep as study
    from iaa_jax.catalog import CATALOG, NAMES
    from iaa_jax.data import summary
    from iaa_jax.report.records import data_facts

    progress.step("Reading")
    ratings = reading.ratings(progress.done)
    name = sweeping.coefficient
    if name is None:
        name = "fleiss_kappa" if ratings.attrs.get("anonymous", 0) else "augmented_kappa"
    if CATALOG[NAMES[name]].per_label:
        message = f"{name} has one figure a label: in Python, iaa_jax.sweep gives them all"
        raise IaaError(message)
    options_given = asdict(sweeping)
    points, top = options_given.pop("points"), options_given.pop("top")
    del options_given["coefficient"]
    progress.step("Sweeping")
    curve = study(
        ratings, name, p=points, **options_given, **asdict(resampling), progress=progress.done
    )
    progress.step("Items")
    tau, high, least = sweeping.tau, sweeping.high, sweeping.min_common
    at = sorted({0.5, 1.0, float(curve["p_at_maximum"])} - {float("nan")})
    ends = [p for p in at if p == p]
    return SweepReport(
        title=CATALOG[NAMES[name]].title,
        data=data_facts(ratings, summary(ratings)),
        curve=curve,
        classes=item_classes(ratings, tau=tau, high=high, min_common=least),
        items=item_curves(ratings, p=ends, cuts=(high,), min_common=least),
        patterns=rating_patterns(ratings, p=(0.5, 0.75, 1.0)),
        pairs=label_pairs(ratings, top=top, p=(0.5, 1.0), tau=tau, high=high, min_common=least),
        provenance=provenance(reading, curve.attrs, sweeping, resampling),
    )
