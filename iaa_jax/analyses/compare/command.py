"""The command ``iaa compare``, which compares the agreement of two sets of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import iaa_jax
from iaa_jax._errors import IaaError, RepeatedError
from iaa_jax.catalog import UNWEIGHTED
from iaa_jax.cli import choices, options
from iaa_jax.cli.groups import (
    InputOptions,
    Keywords,
    columns_of,
    difference_options,
    label_options,
    reading_options,
    takes,
)
from iaa_jax.cli.options import COLUMNS, INTERVALS, MEASURE, RATINGS, TABLE, option
from iaa_jax.cli.run import Output, call, gated_output_options, run
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


_PAIRED: dict[str, str | bool] = {"auto": "auto", "yes": True, "no": False}
_ALL = "all"
_MOST_LABELS = 50
"""Maximum number of labels that are compared one by one by default."""

_LONGEST = 30
"""Maximum length of a set's name that is made of annotators' names."""


def second_options(
    item_b: Annotated[str | None, option(COLUMNS, "A,B", "Item column of B, if different.")] = None,
    annotator_b: Annotated[
        str | None, option(COLUMNS, "NAME", "Annotator column of B, if different.")
    ] = None,
    label_b: Annotated[
        str | None, option(COLUMNS, "NAME", "Label column of B, if different.")
    ] = None,
    annotators_b: Annotated[
        str | None, option(COLUMNS, "A,B", "Annotators' columns of B, if different.")
    ] = None,
    records_b: Annotated[
        str | None,
        option(COLUMNS, "NAME", "Sheet (xlsx) or field of records (JSON) of B, if different."),
    ] = None,
    keep_annotators_b: Annotated[
        str | None,
        option(RATINGS, "A,B", "Keep only these annotators of B, if different.", common=True),
    ] = None,
) -> Keywords:
    """Return the reading options for B alone."""
    arguments = {
        "item": choices.listed(item_b, "--item-b"),
        "annotator": annotator_b,
        "label": label_b,
        "annotators": choices.listed(annotators_b, "--annotators-b"),
        "records": records_b,
        "keep_annotators": choices.listed(keep_annotators_b, "--keep-annotators-b"),
    }
    return {name: value for name, value in arguments.items() if value is not None}


@takes(reading_options, second_options, label_options, difference_options, gated_output_options)
def compare(
    reading: InputOptions,
    second: Keywords,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    by: Annotated[
        str | None,
        option(RATINGS, "COLUMN", "Compare the two groups in this column (one file).", common=True),
    ] = None,
    between: Annotated[
        str | None, option(RATINGS, "A,B", "With --by: which two groups.", common=True)
    ] = None,
    names: Annotated[str | None, option(TABLE, "A,B", "Names for the two sets.")] = None,
    paired: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            "Match items by id: yes, no, or auto (if nine of ten are shared).",
        ),
    ] = "auto",
    coefficients: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B",
            "Names from 'iaa coefficients', or 'all'; the verdict is about the first; by default "
            "krippendorff_alpha and percent_agreement.",
            "--coefficients",
            "--coefficient",
            common=True,
        ),
    ] = None,
    margin: Annotated[
        float | None,
        option(
            MEASURE,
            "X",
            "Test whether the difference lies within plus or minus X.",
            common=True,
        ),
    ] = None,
    per_label: Annotated[
        bool | None,
        option(
            TABLE,
            None,
            "Compare each label too; by default if there are at most 50.",
            "--per-label/--no-labels",
            show_default=False,
        ),
    ] = None,
    permutations: Annotated[
        int, option(INTERVALS, "N", "Permutations of the test; 0 for none.", min=0)
    ] = 2000,
    plot: options.Plot = None,
) -> None:
    """Compare two sets of ratings: annotators, guidelines or rounds.

    Give files A and B, or one file with --by COLUMN or with B's columns or sheets
    (--label-b, --records-b). Items in both are compared one by one, B minus A.

    Examples
    --------
    iaa compare round1.csv round2.csv
    iaa compare ratings.csv --by guideline --margin 0.05
    """
    every = coefficients == _ALL
    chosen = None if every else choices.coefficients_of(coefficients)
    _check_files(reading.files, by, second)
    sets: Keywords = {
        "by": by,
        "between": _two_names(between, "--between"),
        "names": _two_names(names, "--names"),
        "paired": _PAIRED[choices.one_of(paired, tuple(_PAIRED), "--paired")],
    }

    def work(progress: LateProgress) -> Page:
        from iaa_jax.measure.requests.partial_credit import PARTIAL_CREDIT
        from iaa_jax.measure.results import with_notes

        columns = columns_of(random)
        if by is not None:
            a, b = _split(reading, by, sets["between"], columns, progress), None
        else:
            reading_of_a = replace(reading, files=reading.files[:1])
            reading_of_b = _reading_of_b(reading, second)
            if reading.scan:
                a, b = reading_of_a.scanned_with(reading_of_b, progress, columns)
            else:
                a = _read(reading_of_a, "A", columns, progress)
                b = _read(reading_of_b, "B", columns, progress)
            sets["names"] = sets["names"] or _set_names(reading, reading_of_b)
        shared: Keywords = {"options": random, "permutations": permutations, **sets}
        names = None if every else chosen or _usual(a, b)
        progress.step("Comparing")
        of_all = call("compare", progress, a, b, names, label_options=how, margin=margin, **shared)
        results = [of_all]
        if not every and chosen is None and _is_of_equal_sets(of_all):
            progress.step("Sets")
            results.append(call("compare", progress, a, b, PARTIAL_CREDIT, margin=margin, **shared))
        few = (
            kind_of(of_all.attrs) is not Kind.NUMBERS and 2 < of_all.attrs["labels"] <= _MOST_LABELS
        )
        if few if per_label is None else per_label:
            progress.step("Labels")
            shared["label_options"] = replace(how, weights=None, level=None, distance=None)
            lead = of_all.attrs["coefficient"]
            try:
                results.append(call("compare", progress, a, b, lead, per_label=True, **shared))
            except IaaError as error:
                if per_label:
                    raise
                note = Note("labels_not_compared", {"reason": str(error)})
                results[0] = with_notes(of_all, [note])
        made: Page = iaa_jax.page(*results)
        return made

    run(work, output.also(plot), reading.files)


def _is_of_equal_sets(result: xr.Dataset) -> bool:
    """Return whether known annotators gave label sets, and only equal sets agree."""
    attrs = result.attrs
    plain = set(result["weights"].values.tolist()) <= {*UNWEIGHTED}
    known = not attrs.get("anonymous", 0) and int(attrs["labels"]) > 1
    return kind_of(attrs) is Kind.SETS and plain and known


def _usual(*sets: xr.Dataset | None) -> list[str]:
    """Return the default coefficients."""
    from iaa_jax.measure.requests.studies import usual_of

    kind = Kind(min(ratings.attrs["task"] for ratings in sets if ratings is not None))
    usual = usual_of(kind)
    return [usual, "percent_agreement"] if kind.has_labels else [usual]


def _check_files(files: Sequence[str], by: str | None, second: Keywords) -> None:
    message, about = "", "FILE"
    if by is not None and second:
        message = "options for B alone do not go with --by, which splits one set of ratings"
        about = "--by"
    elif by is not None and len(files) > 1:
        message, about = "splits one file: give one, or two files without --by", "--by"
    elif by is None and len(files) == 1 and not second:
        raise choices.WrongUsage(
            "a comparison needs two sets: give two files, one file with --by COLUMN, or one file "
            "with --label-b, --annotators-b, --records-b or --keep-annotators-b"
        )
    elif len(files) > 2:
        message = f"give two files, A and B, or one with --by COLUMN, not {len(files)}"
    if message:
        raise typer.BadParameter(message, param_hint=about)


def _two_names(text: str | None, option: str) -> list[str] | None:
    parts = choices.listed(text, option)
    if parts is not None and (len(parts) != 2 or parts[0] == parts[1]):
        raise typer.BadParameter(
            f"{text!r} does not give two names, one for A and one for B", param_hint=option
        )
    return parts


def _split(
    reading: InputOptions,
    by: str,
    between: Sequence[str] | None,
    columns: Sequence[str],
    progress: LateProgress,
) -> xr.Dataset:
    """Return ratings with both groups of --by.

    If the same annotators rated an item in both groups, the column of --by becomes a part of the
    item ids.
    """
    kept = (by, *columns)
    item = reading.columns["item"]

    def rounds() -> xr.Dataset:
        from iaa_jax.analyses.compare.splitting import two_values

        return reading.rounds(by, lambda values: two_values(values, by, between), progress, columns)

    if reading.scan and by in (item or ()):
        return rounds()
    try:
        return reading.ratings(progress, kept)
    except IaaError as error:
        if reading.scan:
            try:
                return rounds()
            except IaaError:
                raise error from None
        item_columns = error.item if isinstance(error, RepeatedError) else ()
        if item is None and by in item_columns:
            return reading.other(reading.files, item=[*item_columns]).ratings(progress, kept)
        if item is None or by in item:
            raise
        try:
            return reading.other(reading.files, item=[*item, by]).ratings(progress, kept)
        except IaaError:
            raise error from None


def _reading_of_b(reading: InputOptions, second: Keywords) -> InputOptions:
    columns = dict(second)
    keep = columns.pop("keep_annotators", reading.keep_annotators)
    return replace(reading.other(reading.files[-1:], **columns), keep_annotators=keep)


def _read(
    reading: InputOptions, set_name: str, columns: Sequence[str], progress: LateProgress
) -> xr.Dataset:
    try:
        return reading.ratings(progress, columns)
    except IaaError as error:
        (file,) = reading.names
        if Path(file).name in str(error):
            raise
        raise IaaError(f"{set_name} ({file}): {error.message}") from None


def _set_names(reading: InputOptions, reading_of_b: InputOptions) -> tuple[str, str]:
    """Name the sets by the first of files, sheets, columns and annotators that differ."""
    files = reading.names[0], reading_of_b.names[-1]
    file_names = tuple(Path(file).name for file in files)
    for name_a, name_b in (
        tuple(name.split(".")[0] for name in file_names),
        file_names,
        files,
        (reading.columns["records"], reading_of_b.columns["records"]),
        (reading.columns["label"], reading_of_b.columns["label"]),
        tuple(_join_names(side.keep_annotators) for side in (reading, reading_of_b)),
        tuple(_join_names(side.columns["annotators"]) for side in (reading, reading_of_b)),
    ):
        if name_a and name_b and name_a != name_b:
            return name_a, name_b
    return "A", "B"


def _join_names(names: Sequence[str] | None) -> str:
    text = "+".join(names or ())
    return text if len(text) <= _LONGEST else ""
