"""The command ``iaa agree``: coefficients with intervals, for any table of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from iaa_jax.analyses.agree.measuring import Measuring, measure
from iaa_jax.analyses.agree.requirements import parse, unmet
from iaa_jax.cli import choices, interrupts, options
from iaa_jax.cli.drawing import Drawing, drawing_options
from iaa_jax.cli.exits import NOT_MET, complain, exits
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    from iaa_jax.report.records import AgreementReport


@takes(reading_options, resampling_options, drawing_options)
def agree(
    reading: Reading,
    resampling: Resampling,
    drawing: Drawing,
    coefficients: options.Coefficients = None,
    level: options.Level = None,
    weights: options.Weights = None,
    weights_on: options.WeightsOn = "value",
    distance: options.Distance = None,
    p: options.P = 1.0,
    min_common: options.MinCommon = 2,
    undefined: options.Undefined = "nan",
    scale: options.Scale = None,
    above: options.Above = None,
    zero: options.Zero = False,
    json: options.Json = None,
    keep_replicates: options.KeepReplicates = None,
    require: options.Require = None,
    debug: options.Debug = False,
) -> None:
    """Measure how far annotators agree: coefficients with intervals.

    Reads CSV, TSV, JSON, JSONL and Parquet, compressed or in a zip archive: a long
    table (one row a rating: item, annotator, label), a wide one (one row an item,
    one column an annotator), counts of labels, one-hot columns, and others.
    """
    asked = choices.several_of(coefficients, choices.NAMES, "--coefficients")
    requirements = [parse(text, asked) for text in require or ()]
    measuring = Measuring(
        coefficients=asked,
        further=tuple(requirement.coefficient for requirement in requirements),
        level=choices.one_of(level, choices.LEVELS, "--level"),
        weights=choices.one_of(weights, choices.WEIGHTS, "--weights"),
        weights_on=choices.one_of(weights_on, choices.WEIGHTS_ON, "--weights-on"),
        distance=choices.one_of(distance, choices.DISTANCES, "--distance"),
        p=p,
        min_common=min_common,
        undefined=choices.one_of(undefined, choices.UNDEFINED, "--undefined"),
        scale=choices.one_of(scale, choices.SCALES, "--scale"),
        drawing=drawing,
        above=tuple(above or ()),
        zero=zero,
        interval=resampling.interval,
        confidence=resampling.confidence,
        replicates=resampling.replicates,
        seed=resampling.seed,
    )
    if keep_replicates == STANDARD_OUTPUT:
        message = "replicates go to a file: name one, such as replicates.nc"
        raise typer.BadParameter(message, param_hint="--keep-replicates")
    with exits(debug):
        for target in (json, keep_replicates):
            check_target(target, reading.files)
        report = watched(reading, measuring, keep_replicates)
        show(report, json)
        failed = unmet(requirements, report.coefficients)
        for sentence in failed:
            complain(sentence)
        if failed:
            raise typer.Exit(NOT_MET)


def watched(
    reading: Reading, measuring: Measuring, keep_replicates: str | None = None
) -> AgreementReport:
    """Measure, with a progress bar on a terminal where it takes its time."""
    from iaa_jax.cli.progress import LateProgress

    with LateProgress(console(stderr=True)) as progress:
        return measure(reading, measuring, progress, keep_replicates)


def show(report: AgreementReport, json: str | None) -> None:
    """Write the JSON that was asked for, and print the report unless that went to the terminal."""
    from iaa_jax.analyses.agree.page import print_agreement

    interrupts.check()
    if json is not None:
        write_json(report.record(), json)
    if json != STANDARD_OUTPUT:
        print_agreement(console(), report)
