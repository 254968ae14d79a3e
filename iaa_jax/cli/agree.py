"""The command ``iaa agree``: coefficients with intervals, for any table of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from iaa_jax.cli import choices, interrupts, options
from iaa_jax.cli.exits import NOT_MET, complain, exits
from iaa_jax.cli.measure import Measuring, Reading, measure
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json
from iaa_jax.cli.requirements import parse, unmet

if TYPE_CHECKING:
    from iaa_jax.report.records import AgreementReport


def agree(
    files: options.Files,
    item: options.Item = None,
    annotator: options.Annotator = None,
    label: options.Label = None,
    secondary: options.Secondary = None,
    annotators: options.Annotators = None,
    counts: options.Counts = None,
    one_hot: options.OneHot = None,
    multi_hot: options.MultiHot = None,
    anonymous: options.Anonymous = False,
    records: options.Records = None,
    file_pattern: options.FilePattern = None,
    encoding: options.Encoding = None,
    format: options.Format = None,
    question: options.Question = None,
    labels: options.Labels = None,
    missing: options.MissingCodes = None,
    separator: options.Separator = None,
    keep_labels: options.KeepLabels = None,
    keep_annotators: options.KeepAnnotators = None,
    duplicates: options.Duplicates = "error",
    skipped: options.Skipped = "missing",
    coefficients: options.Coefficients = None,
    level: options.Level = None,
    weights: options.Weights = None,
    weights_on: options.WeightsOn = "value",
    distance: options.Distance = None,
    p: options.P = 1.0,
    min_common: options.MinCommon = 2,
    undefined: options.Undefined = "nan",
    interval: options.Interval = "auto",
    confidence: options.Confidence = 0.95,
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
    json: options.Json = None,
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
    reading = Reading(
        files=tuple(files),
        item=choices.listed(item, "--item"),
        annotator=annotator,
        label=label,
        secondary=secondary,
        annotators=choices.listed(annotators, "--annotators"),
        counts=choices.listed(counts, "--counts"),
        one_hot=choices.listed(one_hot, "--one-hot"),
        multi_hot=choices.listed(multi_hot, "--multi-hot"),
        anonymous=anonymous,
        records=records,
        file_pattern=file_pattern,
        encoding=encoding,
        separator=separator,
        missing=choices.listed(missing, "--missing"),
        labels=choices.listed(labels, "--labels"),
        keep_labels=choices.listed(keep_labels, "--keep-labels"),
        keep_annotators=choices.listed(keep_annotators, "--keep-annotators"),
        format=choices.format_of(format),
        question=question,
        duplicates=choices.one_of(duplicates, choices.DUPLICATES, "--duplicates"),
        skipped=choices.one_of(skipped, choices.SKIPPED, "--skipped"),
    )
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
        interval=choices.interval_of(interval),
        confidence=choices.share(confidence, "--confidence"),
        replicates=replicates,
        seed=seed,
    )
    with exits(debug):
        check_target(json, files)
        report = watched(reading, measuring)
        show(report, json)
        failed = unmet(requirements, report.coefficients)
        for sentence in failed:
            complain(sentence)
        if failed:
            raise typer.Exit(NOT_MET)


def watched(reading: Reading, measuring: Measuring) -> AgreementReport:
    """Measure, with a progress bar on a terminal where it takes its time."""
    from iaa_jax.cli.progress import LateProgress

    with LateProgress(console(stderr=True)) as progress:
        return measure(reading, measuring, progress)


def show(report: AgreementReport, json: str | None) -> None:
    """Write the JSON that was asked for, and print the report unless that went to the terminal."""
    from iaa_jax.report.agreement import print_agreement

    interrupts.check()
    if json is not None:
        write_json(report.record(), json)
    if json != STANDARD_OUTPUT:
        print_agreement(console(), report)
