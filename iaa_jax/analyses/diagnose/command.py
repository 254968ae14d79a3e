"""The commands ``iaa items``, ``iaa annotators`` and ``iaa labels``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from iaa_jax.cli import choices
from iaa_jax.cli.groups import Keywords, cluster_options, columns_of, sampling_options, takes
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.run import Call, Readable, run_functions
from iaa_jax.cli.sheets import SheetRequest, sheet_options
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class TableOptions:
    """Options on the rows, order, further columns and groups of a table."""

    top: int | None
    sort: str | None
    by: str | None
    keep: tuple[str, ...]

    def rows(self, usual: str) -> Keywords:
        """Return the options on rows, in the order ``usual`` by default."""
        return {"top": self.top, "sort": self.sort or usual}

    def refuse_without_groups(self, options: str, *, is_given: bool) -> None:
        """Refuse options that matter only for groups if there are no groups."""
        if is_given and self.by is None:
            raise typer.BadParameter(
                f"{options} change nothing without --by: name a column, or leave them out",
                param_hint="--by",
            )


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
    """Return the options on the table."""
    return TableOptions(top, sort, by, tuple(choices.listed(keep, "--keep") or ()))


@takes(measuring(sampling_options), table_options, sheet_options, rare=("confidence",))
def items(
    asked: Measuring,
    table: TableOptions,
    sheet: SheetRequest,
    votes: Annotated[
        bool,
        option(TABLE, None, "Show who gave which label.", "--votes", common=True),
    ] = False,
    blind: Annotated[
        bool,
        option(TABLE, None, "With --votes or --sheet: without the annotators' names.", "--blind"),
    ] = False,
) -> None:
    """List items: agreement, labels, and influence on a coefficient.

    Items that lower the coefficient most come first. --output and --json hold all
    items unless --top is given. Only groups (--by) have intervals. --sheet sheet.xlsx
    writes the disputed items for decisions, which 'iaa gold --adjudicated' reads back.

    Examples
    --------
    iaa items ratings.csv --text text --top 20
    iaa items ratings.csv --sheet sheet.xlsx
    """
    random = asked.random
    usual_interval = isinstance(random.interval, str | None) and random.sampling is None
    table.refuse_without_groups("options about intervals", is_given=not usual_interval)
    votes |= sheet.file is not None
    output = sheet.beside(asked.output) if votes else asked.output
    reading = sheet.reading(asked.reading, output) if votes else None
    if sheet.text is not None:
        table = replace(table, keep=(sheet.text, *table.keep))
    chosen = {**table.rows("rank"), "votes": votes, "blind": blind}
    asked = replace(asked, output=output)
    shown = {"sheet": sheet.options()} if votes else None
    _diagnose("item", asked, table, chosen, reading, shown)


@takes(measuring(cluster_options), table_options)
def annotators(
    asked: Measuring,
    table: TableOptions,
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
            "Instead, measure how far annotators agree with themselves, on items rated again.",
            "--repeats",
            common=True,
        ),
    ] = False,
    runs: Annotated[
        str | None,
        option(
            MEASURE,
            "A*,B*",
            "With --repeats: annotators that count as the same one, such as a model with two "
            "prompts or two orders of answers; one pattern of names for each such group.",
        ),
    ] = None,
) -> None:
    """List annotators: agreement with others, bias, influence.

    The annotator who agrees least with the others comes first. --repeats compares all
    ratings of an item by the same annotator. It shows how far these ratings agree, which
    labels and items change, how much of the disagreement with others the changes
    explain, and what several answers gain over one.

    Examples
    --------
    iaa annotators ratings.csv --by team
    iaa annotators ratings.csv --repeats --runs 'gpt*'
    """
    patterns = choices.listed(runs, "--runs")
    if patterns and not repeats:
        raise typer.BadParameter("it changes nothing without --repeats", param_hint="--runs")
    if repeats:
        # compare the ratings of an item by the same annotator with one another
        of_the_table = {
            "sort": table.sort,
            "keep": table.keep or None,
            "ties": None if ties == "split" else ties,
            "min_items": min_items or None,
        }
        choices.refuse_given(of_the_table, "it changes nothing with --repeats")
        arguments = asked.keywords if patterns is None else {**asked.keywords, "runs": patterns}
        arguments |= {} if table.by is None else {"by": table.by}
        reading, repeated = asked.reading, Call("annotators.repeats", arguments)
        separate = reading if reading.scan else reading.other(reading.files, duplicates="apart")
        shown = {"top": table.top}
        run_functions(
            separate,
            asked.output,
            repeated,
            shown=shown,
            named=[table.by],
            along="item",
            single_items=True,
        )
        return
    choices.one_of(ties, ("split", "skip"), "--ties")
    chosen = {**table.rows("rank"), "ties": ties, "min_items": min_items}
    _diagnose("annotator", asked, table, chosen)


@takes(measuring(sampling_options), table_options)
def labels(
    asked: Measuring,
    table: TableOptions,
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

    The label with the most ratings comes first. --suggest-merges tests every merge of
    two labels: what it gains, what it loses, and whether chance explains the confusion.

    Each label is measured against all others together, so --weights and --distance
    only matter with --by. --level states whether numbers are names or a scale.

    Examples
    --------
    iaa labels ratings.csv
    iaa labels ratings.csv --suggest-merges
    """
    how, random = asked.how, asked.random
    if suggest_merges:
        drawn = {name: getattr(random, name) for name in _OF_MERGES}
        if random != replace(IntervalOptions(), **drawn) or replace(table, top=None) != _NO_TABLE:
            raise typer.BadParameter(
                "of the options about intervals and tables only --top, --cluster, --confidence, "
                "--replicates and --seed matter here: leave the others out",
                param_hint="--suggest-merges",
            )
        arguments = {"coefficient": asked.coefficient, "label_options": how, **drawn}
        merged, columns = Call("labels.merges", arguments, "Merging labels"), columns_of(random)
        shown = {"top": table.top}
        run_functions(asked.reading, asked.output, merged, columns=columns, shown=shown)
        return
    usual = how == LabelOptions(p=how.p, min_common=how.min_common, level=how.level)
    table.refuse_without_groups("--weights and --distance", is_given=not usual)
    _diagnose("label", asked, table, table.rows("count"))


_NO_TABLE = TableOptions(None, None, None, ())

_OF_MERGES = ("sampling", "confidence", "seed", "replicates")
"""Interval options that apply to merges."""


def _diagnose(
    axis: str,
    asked: Measuring,
    table: TableOptions,
    chosen: Keywords,
    reading: Readable | None = None,
    shown: Keywords | None = None,
) -> None:
    of_table = asked.keywords
    if axis == "item":
        del of_table["options"]  # a table of items has no intervals
    calls = [Call(f"{axis}s", {**of_table, **chosen})]
    if table.by is not None:
        by = {"by": table.by, **asked.options}
        calls.append(Call("agreement_by", by, "Groups", _same_coefficient))
    usual = asked.random in (IntervalOptions(), IntervalOptions(interval=None))
    run_functions(
        reading or asked.reading,
        asked.output,
        *calls,
        columns=table.keep,
        shown=shown,
        named=[table.by],
        along=axis,
        single_items=axis == "item",
        noted=[] if usual or len(calls) > 1 or axis != "item" else [Note("intervals_of_groups")],
    )


def _same_coefficient(table: xr.Dataset) -> Keywords:
    return {"coefficients": table.attrs["coefficient"]}
