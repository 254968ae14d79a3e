"""The command ``iaa compare``: whether one set of ratings agrees more than another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from iaa_jax._errors import IaaError
from iaa_jax.analyses.compare.sets import (
    PAIRED,
    Comparing,
    Second,
    Sets,
    check_sets,
    pairing,
    skipped_of,
    two_sets,
)
from iaa_jax.cli import choices, options
from iaa_jax.cli.drawing import Cluster
from iaa_jax.cli.exits import exits
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, console, write_json
from iaa_jax.cli.provenance import provenance
from iaa_jax.cli.reading import Reading, Resampling, reading_options, resampling_options, takes

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.analyses.compare.page import CompareReport
    from iaa_jax.cli.progress import LateProgress

_COLUMNS = "Which columns"
_RATINGS = "Which ratings"
_MEASURE = "What to measure"
_INTERVALS = "Intervals"
_TABLE = "The table"

MOST_LABELS = 50
"""Labels beyond which they are not compared one by one unless asked for."""

USUAL = ("krippendorff_alpha", "percent_agreement")


@takes(reading_options, resampling_options)
def compare(
    reading: Reading,
    resampling: Resampling,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="One file: compare the two values of a column, of items or of annotators.",
            rich_help_panel=_RATINGS,
        ),
    ] = None,
    between: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="With --by: these two of its values, A and B.",
            rich_help_panel=_RATINGS,
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="What to call the two sets.", rich_help_panel=_TABLE),
    ] = None,
    item_b: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="B: column with the item, if another.", rich_help_panel=_COLUMNS
        ),
    ] = None,
    annotator_b: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="B: column with the annotator, if another.",
            rich_help_panel=_COLUMNS,
        ),
    ] = None,
    label_b: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="B: column with the label, if another.", rich_help_panel=_COLUMNS
        ),
    ] = None,
    annotators_b: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="B: the annotators' columns, if others.", rich_help_panel=_COLUMNS
        ),
    ] = None,
    keep_annotators_b: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="B: keep these annotators, if others.", rich_help_panel=_RATINGS
        ),
    ] = None,
    paired: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Items with the same id are the same: yes, no, or auto (if 9 of 10 are shared).",
            rich_help_panel=_MEASURE,
        ),
    ] = "auto",
    coefficients: Annotated[
        str | None,
        typer.Option(
            "--coefficients",
            "--coefficient",
            metavar="A,B",
            help="Names from 'iaa coefficients', or 'all'; krippendorff_alpha and "
            "percent_agreement if not given. The first is the verdict's.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    level: options.Level = None,
    weights: options.Weights = None,
    weights_on: options.WeightsOn = "value",
    distance: options.Distance = None,
    p: options.P = 1.0,
    min_common: options.MinCommon = 2,
    margin: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="A difference too small to matter: test whether it lies within plus and minus X.",
            rich_help_panel=_MEASURE,
        ),
    ] = None,
    per_label: Annotated[
        bool | None,
        typer.Option(
            "--per-label/--no-labels",
            help=f"Compare each label too; by default up to {MOST_LABELS} labels.",
            rich_help_panel=_TABLE,
            show_default=False,
        ),
    ] = None,
    permutations: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Random exchanges of the permutation test; 0: none.",
            rich_help_panel=_INTERVALS,
        ),
    ] = 2000,
    cluster: Cluster = None,
    json: options.Json = None,
    debug: options.Debug = False,
) -> None:
    """Compare two panels, guidelines, rounds or kinds of annotators.

    Give two files, A and B; or one file with --by COLUMN; or one file and what
    is other in B (--label-b, --annotators-b, --keep-annotators-b). Sets with the
    same items are compared on these, item by item. The difference is B less A.
    """
    if coefficients == "all":
        asked = None
    else:
        asked = choices.several_of(coefficients, choices.NAMES, "--coefficients") or list(USUAL)
    comparing = Comparing(
        by=by,
        between=_two(between, "--between"),
        names=_two(names, "--names"),
        paired=choices.one_of(paired, tuple(PAIRED), "--paired"),
        coefficients=asked,
        level=choices.one_of(level, choices.LEVELS, "--level"),
        weights=choices.one_of(weights, choices.WEIGHTS, "--weights"),
        weights_on=choices.one_of(weights_on, choices.WEIGHTS_ON, "--weights-on"),
        distance=choices.one_of(distance, choices.DISTANCES, "--distance"),
        p=p,
        min_common=min_common,
        permutations=permutations,
        margin=margin,
        labels_too=per_label,
        cluster=cluster,
    )
    if cluster is not None and resampling.interval is None:
        message = "is drawn for an interval, and --interval none makes none"
        raise typer.BadParameter(message, param_hint="--cluster")
    second = Second(
        item=choices.listed(item_b, "--item-b"),
        annotator=annotator_b,
        label=label_b,
        annotators=choices.listed(annotators_b, "--annotators-b"),
        keep_annotators=choices.listed(keep_annotators_b, "--keep-annotators-b"),
    )
    check_sets(reading, comparing, second)
    with exits(debug):
        from iaa_jax.analyses.compare.page import print_comparison
        from iaa_jax.cli.progress import LateProgress

        check_target(json, reading.files)
        with LateProgress(console(stderr=True)) as progress:
            try:
                report = _compared(reading, second, resampling, comparing, progress)
            except IaaError as error:
                raise IaaError(_as_options(str(error))) from None
        if json is not None:
            write_json(report.record(), json)
        if json != STANDARD_OUTPUT:
            print_comparison(console(), report)


def _two(text: str | None, option: str) -> list[str] | None:
    parts = choices.listed(text, option)
    if parts is not None and (len(parts) != 2 or parts[0] == parts[1]):
        message = f"{text!r} does not name two: one for A and another for B"
        raise typer.BadParameter(message, param_hint=option)
    return parts


def _as_options(message: str) -> str:
    for said, option in (
        ("paired=True", "--paired yes"),
        ("paired=False", "--paired no"),
        ("between=", "--between A,B"),
    ):
        message = message.replace(said, option)
    return re.sub(r"\bcluster='([^']*)'", r"--cluster \1", message)


def _compared(
    reading: Reading,
    second: Second,
    resampling: Resampling,
    comparing: Comparing,
    progress: LateProgress,
) -> CompareReport:
    from iaa_jax.analyses.compare.page import CompareReport, Side
    from iaa_jax.analyses.compare.study import compare as study
    from iaa_jax.catalog import CATALOG, NAMES
    from iaa_jax.data import summary
    from iaa_jax.report.records import data_facts

    progress.step("Reading")
    sets = two_sets(reading, second, comparing, progress.done)
    a, b, names = sets.a, sets.b, sets.names
    progress.step("Comparing")
    asked = _asked(comparing, a, b)
    given = {
        "weights": comparing.weights,
        "weights_on": comparing.weights_on,
        "level": comparing.level,
        "distance": comparing.distance,
        "p": comparing.p,
        "min_common": comparing.min_common,
        "paired": pairing(comparing, a, b, one_file=len(reading.files) == 1),
        "permutations": comparing.permutations,
        "margin": comparing.margin,
        **comparing.drawing.options(resampling),
        "progress": progress.done,
    }
    found = study(a, b, asked, **given)
    if asked is None and USUAL[0] in found["coefficient"]:
        found = found.sel(coefficient=sorted(found["coefficient"].values, key=USUAL[0].__ne__))
    for said in ("pairing", "pairing_caution"):
        found.attrs[said] = _as_options(str(found.attrs[said]))
    if len(reading.files) == 1:
        # in one file the same id is the same item
        found.attrs["pairing_caution"] = ""
        if comparing.paired == "auto" and found.attrs["paired"]:
            found.attrs["pairing"] = f"{found.attrs['shared_items']:,} items were rated in both"
    _regroup(found, sets, comparing, resampling.seed)
    labels, why = None, ""
    first = str(found["coefficient"].values[0])
    if _labels_wanted(comparing, a, b):
        progress.step("Labels")
        given |= dict.fromkeys(("weights", "level", "distance", "margin"))
        try:
            labels = study(a, b, first, per_label=True, **given)
        except IaaError as error:
            why = _as_options(str(error))
            if comparing.labels_too:
                raise
    sides = [
        Side(name, heading, data_facts(ratings, summary(ratings)))
        for (name, heading), ratings in zip(names, (a, b), strict=True)
    ]
    one_file = len(reading.files) == 1
    skipped = (sides[0].data.skipped, sides[1].data.skipped)
    grouped = sets.axis == "annotator"
    told = skipped_of(*skipped, grouped=grouped) if one_file else ("", *skipped)
    titles = {
        name: CATALOG[NAMES[name]].title if name in NAMES else name
        for name in found["coefficient"].values.tolist()
    }
    return CompareReport(
        a=sides[0],
        b=sides[1],
        found=found,
        labels=labels,
        titles=titles,
        by=comparing.by,
        of_annotators=grouped,
        skipped=told,
        others=sets.others,
        without_labels=why,
        together=tuple(comparing.coefficients or ()) != USUAL,
        provenance=provenance(
            reading,
            found.attrs,
            comparing,
            {f"{k}_b": v for k, v in second.given.items()},
            resampling,
        ),
    )


def _asked(comparing: Comparing, a: xr.Dataset, b: xr.Dataset) -> list[str] | None:
    """The coefficients; of the usual ones those that numbers have."""
    asked = comparing.coefficients
    if asked is None:
        return None
    numbers = "value" in {a.attrs["task"], b.attrs["task"]}
    if tuple(asked) != USUAL:
        return list(asked)
    return [USUAL[0]] if numbers else list(USUAL)


def _regroup(found: xr.Dataset, sets: Sets, comparing: Comparing, seed: int) -> None:
    """Beside groups of few annotators: how far the same annotators differ in other groups."""
    from iaa_jax.analyses.compare.groups import regrouped

    if sets.whole is None or sets.axis != "annotator":
        return
    dealt = regrouped(
        sets.whole,
        sets.a["annotator"].values.tolist(),
        sets.b["annotator"].values.tolist(),
        found["coefficient"].values.tolist(),
        permutations=comparing.permutations,
        seed=seed,
        weights=comparing.weights,
        weights_on=comparing.weights_on,
        level=comparing.level,
        distance=comparing.distance,
        p=comparing.p,
        min_common=comparing.min_common,
    )
    if dealt is not None:
        found["annotator_p_value"] = ("coefficient", dealt.p_value)
        found.attrs |= {"annotator_ways": dealt.ways, "annotator_ways_all": int(dealt.every)}


def _labels_wanted(comparing: Comparing, a: xr.Dataset, b: xr.Dataset) -> bool:
    if "value" in {a.attrs["task"], b.attrs["task"]}:
        return bool(comparing.labels_too)
    if comparing.labels_too is not None:
        return comparing.labels_too
    together = {str(one) for ratings in (a, b) for one in ratings["label"].values.tolist()}
    return 2 < len(together) <= MOST_LABELS
