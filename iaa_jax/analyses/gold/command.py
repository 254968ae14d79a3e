"""The command ``iaa gold``: the best label of each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from iaa_jax._errors import OptionError
from iaa_jax.catalog.labelling import INDEXES, METHODS, SPAN_MATCHES, STRICT, TIES
from iaa_jax.cli import choices
from iaa_jax.cli.exits import complain
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import (
    InputOptions,
    Keywords,
    columns_of,
    reading_options,
    shared,
    takes,
    with_sampling,
)
from iaa_jax.cli.options import INTERVALS, MEASURE, READ, TABLE, option
from iaa_jax.cli.run import Output, call, gated_output_options, page_of, run
from iaa_jax.cli.sheets import SheetRequest, sheet_options
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording import keyword, named
from iaa_jax.wording.formats import enumerated

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.io.adjudicated import Adjudicated
    from iaa_jax.pages import Page


_unit_options = joined(
    with_sampling,
    shared(IntervalOptions, INTERVALS, "interval", "confidence", "seed", "device"),
    only=("cluster", "random_annotators"),
)


@takes(
    reading_options,
    shared(LabelOptions, MEASURE, "p"),
    _unit_options,
    gated_output_options,
    sheet_options,
    rare=("confidence", "text"),
)
def gold(
    reading: InputOptions,
    how: LabelOptions,
    random: IntervalOptions,
    output: Output,
    sheet: SheetRequest,
    method: Annotated[
        str, option(MEASURE, "NAME", f"Method: {', '.join(METHODS)}.", common=True)
    ] = "majority",
    ties: Annotated[
        str | None,
        option(
            MEASURE,
            "NAME",
            "If labels are tied: 'first' in their order, 'none', or for ordered labels 'median', "
            "the label nearest to the middle of the votes, between two the lower; by default files "
            "leave ties open.",
        ),
    ] = None,
    coefficient: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            f"Average in the Expert Coder Index (label sets): {', '.join(INDEXES)}.",
        ),
    ] = INDEXES[0],
    compare: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B",
            "Compare methods instead, the first with the others: names, or 'all'.",
            common=True,
        ),
    ] = None,
    gold: Annotated[
        str | None,
        option(MEASURE, "COLUMN", "With --compare: column of known labels."),
    ] = None,
    control: Annotated[
        str | None,
        option(MEASURE, "COLUMN", "Column of true labels of control items.", common=True),
    ] = None,
    adjudicated: Annotated[
        list[str] | None,
        option(
            MEASURE,
            READ,
            "Sheet from --sheet whose column 'adjudicated' was filled in (.xlsx, .csv); may be "
            "given several times.",
            common=True,
        ),
    ] = None,
    match: Annotated[
        str,
        option(
            MEASURE,
            "NAME",
            f"When spans of two annotators count as one: {', '.join(SPAN_MATCHES)}.",
        ),
    ] = STRICT,
    blind: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Leave out who gave which label, for a sheet without annotators.",
            "--blind",
        ),
    ] = False,
    restarts: Annotated[
        int, option(MEASURE, "N", "Models: N random starts besides the usual one.", min=0)
    ] = 0,
    replicates: Annotated[
        int | None,
        option(
            INTERVALS,
            "N",
            "Bootstrap replicates; by default 500, or fewer if they would take long.",
            min=1,
        ),
    ] = None,
    leave_out: Annotated[
        bool | None,
        option(
            MEASURE,
            None,
            "Leave out each annotator in turn, to see which gold labels depend on one; by default "
            "unless it would take long.",
            "--leave-out/--no-leave-out",
            show_default=False,
        ),
    ] = None,
    top: Annotated[int, option(TABLE, "N", "Show N items and N annotators.", min=1)] = 20,
    keep: Annotated[
        str | None,
        option(TABLE, "A,B", "Show these columns of the file too, such as text or batch."),
    ] = None,
) -> None:
    """Decide the best label of each item, and say how certain it is.

    The least certain items come first. --output gold.csv has all labels, --sheet
    sheet.xlsx the disputed and the uncertain items, to fill in and hand back with
    --adjudicated. A span is gold if more than half of its document's annotators marked it.

    Examples
    --------
    iaa gold ratings.csv --method dawid_skene --output gold.csv
    iaa gold ratings.csv --adjudicated sheet.xlsx --output gold.csv
    """
    choices.one_of(method, tuple(METHODS), "--method")
    if ties is not None:
        choices.one_of(ties, TIES, "--ties")
    choices.one_of(coefficient, INDEXES, "--coefficient")
    choices.one_of(match, SPAN_MATCHES, "--match")
    keywords: Keywords = {
        "method": method,
        "ties": ties,
        "coefficient": coefficient,
        "control": control,
        "restarts": restarts,
        "replicates": replicates,
        "leave_out": leave_out,
    }
    sheets = adjudicated or []
    _refuse_beside(compare, gold, **keywords, adjudicated=sheets or None, blind=blind, match=match)
    if compare is not None and random != IntervalOptions():
        raise typer.BadParameter(
            "a comparison of methods has no intervals: leave options about them out",
            param_hint="--compare",
        )
    methods = None if compare == "all" else choices.several_of(compare, METHODS, "--compare")
    if compare is not None and sheet.file is not None:
        raise OptionError(
            f"{named('sheet')} is about the labels of one method, and {named('compare')} has "
            "several: leave one out"
        )
    sheet.check_apart(sheets, output)
    output = sheet.beside(output)
    reading_texts = sheet.reading(reading, output)
    shown = [
        *(() if sheet.text is None else (sheet.text,)),
        *(choices.listed(keep, "--keep") or ()),
    ]
    of_sheet = sheet.options(sheets, ties_apart=ties is None)
    known = [name for name in (gold, control) if name is not None]

    def work(progress: LateProgress) -> Page:
        from iaa_jax.io.adjudicated import adjudicated_labels, adjudicated_spans, combined_decisions
        from iaa_jax.measure.requests.studies import check_along

        kept = [*shown, *known, *columns_of(random)]
        ratings = reading_texts.ratings(progress, kept, single_items=True)
        check_along(ratings, "item", [*shown, *known])
        settled: Mapping[object, object] | None = None
        if kind_of(ratings.attrs) is Kind.SPANS:
            _refuse_beside_spans(keywords, compare=compare, gold=gold, confidence=random)
            if sheets:
                # spans of a sheet are looked up among the marked spans
                marked = call("gold.spans", progress, ratings, match)
                of_files = {file: adjudicated_spans(file, marked) for file in sheets}
                decisions = combined_decisions(of_files)
                settled = decisions.decided
                _report_cells(sheets, decisions)
            return page_of(
                "gold.spans",
                progress,
                ratings,
                match,
                adjudicated=settled,
                blind=blind,
                shown={"top": top, "sheet": of_sheet},
            )
        if match != STRICT:
            raise OptionError(
                f"{keyword('match', match)} is about spans, and these are labels: leave it out"
            )
        if sheets:
            of_files = {file: adjudicated_labels(file, ratings) for file in sheets}
            decisions = combined_decisions(of_files)
            settled = decisions.decided
            _report_cells(sheets, decisions)
        progress.step("Deciding")
        if compare is not None:
            compared: Keywords = {"gold": gold, "p": how.p, "shown": {"top": top}}
            return page_of("gold.methods", progress, ratings, methods, **compared)
        return page_of(
            "gold",
            progress,
            ratings,
            method,
            ties=ties or TIES[0],
            p=how.p,
            coefficient=coefficient,
            control=control,
            adjudicated=settled,
            restarts=restarts,
            replicates=replicates,
            leave_out=leave_out,
            blind=blind,
            options=random,
            shown={"top": top, "sheet": of_sheet},
        )

    run(work, output, reading.files)


_USUAL: Mapping[str, object] = {
    "method": "majority",
    "coefficient": INDEXES[0],
    "restarts": 0,
    "blind": False,
    "match": STRICT,
}
"""The defaults of options whose default is not None."""


def _report_cells(sheets: Sequence[str], decisions: Adjudicated) -> None:
    if decisions.unread:
        complain(f"not read, and not carried over: the column {enumerated(decisions.unread)}")
    respelled = decisions.respelled
    if respelled:
        cell, name = next(iter(respelled.items()))
        more = f", and {len(respelled) - 1:,} more" if len(respelled) > 1 else ""
        complain(f"{', '.join(sheets)}: took {cell!r} for {name!r}, which the ratings have{more}")


def _refuse_beside(compare: str | None, gold: str | None, **options: object) -> None:
    if compare is None and gold is not None:
        raise typer.BadParameter(
            "it changes nothing without --compare: name methods there, or 'all'",
            param_hint="--gold",
        )
    for name, value in options.items():
        if compare is not None and value != _USUAL.get(name):
            raise typer.BadParameter(
                "it has no effect with --compare, which runs each method with its defaults",
                param_hint=f"--{name.replace('_', '-')}",
            )


def _refuse_beside_spans(options: Mapping[str, object], **others: object) -> None:
    changed = [name for name, value in options.items() if value != _USUAL.get(name)]
    changed += [name for name, value in others.items() if value not in (None, IntervalOptions())]
    if changed:
        raise OptionError(
            f"{named(changed[0])} is about labels of items, and these are spans, which are gold "
            "if more than half marked them: leave it out"
        )
