"""The commands ``iaa items``, ``iaa annotators`` and ``iaa labels``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from iaa_jax.cli import choices
from iaa_jax.cli.groups import (
    Keywords,
    Reading,
    cluster_options,
    coefficient_options,
    columns_of,
    label_options,
    reading_options,
    sampling_options,
    takes,
)
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.run import Call, Output, gated_output_options, run_functions
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class TableOptions:
    """Which rows, in which order, with which columns, and groups beside them."""

    top: int | None
    sort: str | None
    by: str | None
    keep: tuple[str, ...]

    def rows(self, usual: str) -> Keywords:
        """Which rows, sorted in the usual way where no other is given."""
        return {"top": self.top, "sort": self.sort or usual}

    def refuse_without_groups(self, options: str, *, is_given: bool) -> None:
        """Refuse options that are for groups alone where there are none."""
        if is_given and self.by is None:
            message = f"{options} change nothing but for --by: name a column, or leave them out"
            raise typer.BadParameter(message, param_hint="--by")


def table_options(
    top: Annotated[
        int | None, option(TABLE, "N", "Show only the first N.", min=1, common=True)
    ] = None,
    sort: Annotated[
        str | None,
        option(
            TABLE,
            "COLUMN",
            "Sort by this column of the CSV output, most noteworthy first; -COLUMN reverses the "
            "order.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        option(TABLE, "COLUMN", "Add the coefficient for each group in this column.", common=True),
    ] = None,
    keep: Annotated[
        str | None,
        option(TABLE, "A,B", "Show these columns of the file too, such as text or batch."),
    ] = None,
) -> TableOptions:
    """Which table."""
    return TableOptions(top, sort, by, tuple(choices.listed(keep, "--keep") or ()))


_SELECTING = (reading_options, coefficient_options, label_options)


@takes(*_SELECTING, sampling_options, table_options, gated_output_options, rare=("confidence",))
def items(
    reading: Reading,
    coefficient: str | None,
    how: LabelOptions,
    random: IntervalOptions,
    table: TableOptions,
    output: Output,
    text: Annotated[
        str | None,
        option(TABLE, "COLUMN", "Show this column with each item.", common=True),
    ] = None,
    votes: Annotated[
        bool,
        option(
            TABLE, None, "Show who gave which label: an adjudication sheet.", "--votes", common=True
        ),
    ] = False,
    blind: Annotated[
        bool,
        option(TABLE, None, "With --votes: a sheet without the annotators' names.", "--blind"),
    ] = False,
) -> None:
    """List items: agreement, labels, and influence on a coefficient.

    Items that lower the coefficient most come first. --output and --json hold all
    items unless --top is given. Intervals are given only with --by. --votes --output
    sheet.csv writes an adjudication sheet, which 'iaa gold --adjudicated' reads back.
    """
    usual_interval = isinstance(random.interval, str | None) and random.sampling is None
    table.refuse_without_groups("options about intervals", is_given=not usual_interval)
    if text is not None:
        table = replace(table, keep=(*table.keep, text))
    keywords = {"coefficient": coefficient, **table.rows("rank"), "votes": votes, "blind": blind}
    _diagnose("item", keywords, reading, how, random, table, output)


@takes(*_SELECTING, cluster_options, table_options, gated_output_options)
def annotators(
    reading: Reading,
    coefficient: str | None,
    how: LabelOptions,
    random: IntervalOptions,
    table: TableOptions,
    output: Output,
    ties: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            "If the others' most frequent label is tied: 'split' the credit, or 'skip' the item.",
        ),
    ] = "split",
    min_items: Annotated[
        int,
        option(
            TABLE,
            "N",
            "Show only annotators with at least this many items in common with others.",
            min=0,
        ),
    ] = 0,
    repeats: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Instead, measure how far annotators agree with themselves, on items rated twice.",
            "--repeats",
            common=True,
        ),
    ] = False,
) -> None:
    """List annotators: agreement with others, bias, influence.

    Whoever agrees least with the others comes first. --repeats compares the first and
    the second rating of an item by the same annotator.
    """
    if repeats:
        # first ratings against second ones
        apart = reading if reading.scan else reading.other(reading.files, duplicates="apart")
        given: Keywords = {"coefficient": coefficient, "label_options": how, "options": random}
        run_functions(apart, output, Call("annotators.repeats", given), single_items=True)
        return
    choices.one_of(ties, ("split", "skip"), "--ties")
    keywords = {
        "coefficient": coefficient,
        **table.rows("rank"),
        "ties": ties,
        "min_items": min_items,
    }
    _diagnose("annotator", keywords, reading, how, random, table, output)


@takes(*_SELECTING, sampling_options, table_options, gated_output_options)
def labels(
    reading: Reading,
    coefficient: str | None,
    how: LabelOptions,
    random: IntervalOptions,
    table: TableOptions,
    output: Output,
    suggest_merges: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Instead, suggest which labels to merge, and what that would lose.",
            "--suggest-merges",
            common=True,
        ),
    ] = False,
) -> None:
    """List labels: agreement, coefficients, and confusions.

    The label with the most ratings comes first. --suggest-merges looks at every
    merge of two labels: what it gains, what it loses, and whether chance explains it.

    Each label is measured against all others together, so --weights and --distance
    only matter with --by; --level says whether numbers are names or a scale.
    """
    if suggest_merges:
        drawn = {name: getattr(random, name) for name in _OF_MERGES}
        if random != replace(IntervalOptions(), **drawn) or replace(table, top=None) != _NO_TABLE:
            message = (
                "of options about intervals and tables only --top, --cluster, --confidence, "
                "--replicates and --seed matter: leave the others out"
            )
            raise typer.BadParameter(message, param_hint="--suggest-merges")
        given: Keywords = {"coefficient": coefficient, "label_options": how, **drawn}
        merged = Call("labels.merges", given, "Merging labels")
        shown = {"top": table.top}
        run_functions(reading, output, merged, columns=columns_of(random), shown=shown)
        return
    usual = how == LabelOptions(p=how.p, min_common=how.min_common, level=how.level)
    table.refuse_without_groups("--weights and --distance", is_given=not usual)
    keywords = {
        "coefficient": coefficient,
        **table.rows("count"),
    }
    _diagnose("label", keywords, reading, how, random, table, output)


_NO_TABLE = TableOptions(None, None, None, ())

_OF_MERGES = ("sampling", "confidence", "seed", "replicates")
"""What of the options about intervals suggestions of merges take."""


def _diagnose(
    axis: str,
    keywords: Keywords,
    reading: Reading,
    how: LabelOptions,
    random: IntervalOptions,
    table: TableOptions,
    output: Output,
) -> None:
    """Make the table of an axis, and its coefficient by groups."""
    shared: Keywords = {"label_options": how, "options": random}
    of_table = {"label_options": how} if axis == "item" else shared
    calls = [Call(f"{axis}s", {**keywords, **of_table})]
    if table.by is not None:
        calls.append(Call("agreement_by", {"by": table.by, **shared}, "Groups", _same_coefficient))
    usual = random in (IntervalOptions(), IntervalOptions(interval=None))
    run_functions(
        reading,
        output,
        *calls,
        columns=table.keep,
        named=[table.by],
        along=axis,
        single_items=axis == "item",
        noted=[] if usual or len(calls) > 1 or axis != "item" else [Note("intervals_of_groups")],
    )


def _same_coefficient(table: xr.Dataset) -> Keywords:
    """The coefficient of the table, for its groups."""
    return {"coefficients": table.attrs["coefficient"]}


EXAMPLES = {
    "items": (
        "iaa items ratings.csv --text text --top 20",
        "iaa items ratings.csv --votes --output sheet.csv",
    ),
    "annotators": (
        "iaa annotators ratings.csv --by team",
        "iaa annotators ratings.csv --repeats",
    ),
    "labels": (
        "iaa labels ratings.csv",
        "iaa labels ratings.csv --suggest-merges",
    ),
}
"""Two lines for the help of each command."""
