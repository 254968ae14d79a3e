"""The readable report of one set of ratings: what was read, the coefficients, what to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.analyses.agree.contingency_page import print_contingency
from iaa_jax.report.columns import LONGEST, Column, not_shown
from iaa_jax.report.facts import print_facts
from iaa_jax.report.notes import BY_CHANCE, UNWEIGHTED, in_units_of_level, notes, of_numbers
from iaa_jax.report.records import AgreementReport, Row
from iaa_jax.report.text import (
    UNKNOWN,
    decimals_for,
    interval,
    number,
    p_value,
    probability,
    put,
    visible,
)

LABELS_SHOWN = 20
"""Most labels that get a line of their own without being asked for."""


def print_agreement(console: Console, report: AgreementReport) -> None:
    """Print the whole report.

    Parameters
    ----------
    console
        Where to print.
    report
        What to say.
    """
    confidence = float(report.provenance.get("confidence", 0.95))
    print_facts(console, report.data, report.provenance.get("files", ()))
    left_out: list[str] = []
    if report.coefficients:
        shared = _shared_weights(report)
        rows = report.coefficients
        left_out = _print_rows(console, "Coefficient", rows, confidence, shared, chance=True)
    labels = report.specific_agreement
    show_labels = report.labels_asked or len(labels) <= LABELS_SHOWN
    if labels and show_labels:
        _print_rows(console, "Agreement on label", labels, confidence, "", chance=False)
    print_contingency(console, report.contingency)
    sentences = notes(report, labels_shown=show_labels, left_out=left_out)
    _print_notes(console, [*sentences, *not_shown(left_out, "--json has them")])


def _print_rows(
    console: Console,
    heading: str,
    rows: Sequence[Row],
    confidence: float,
    shared: str,
    *,
    chance: bool,
) -> list[str]:
    """Print a table; return the headings of the columns that have no room."""
    decimals = decimals_for(row.standard_error for row in rows)
    names = [_named(row, shared) for row in rows]
    columns = list(_columns(rows, confidence, decimals, chance=chance))
    kept = _with_room(console.width, heading, names, columns)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(heading, overflow="fold")
    for column in kept:
        table.add_column(column.heading, justify=_justify(column), no_wrap=True)
    for place, name in enumerate(names):
        table.add_row(name, *(column.cells[place] for column in kept))
    console.print()
    if shared:
        console.print(f"Agreement between labels: {shared}, unless a row says another.\n")
    put(console, table)
    return [column.heading for column in columns if column not in kept]


def _columns(
    rows: Sequence[Row], confidence: float, decimals: int, *, chance: bool
) -> Iterator[Column]:
    """The columns of figures; the highest ``spare`` goes first where there is no room."""
    yield Column("Estimate", [number(row.estimate, decimals) for row in rows])
    intervals = any(row.interval for row in rows)
    if intervals:
        cells = [interval(row.ci_low, row.ci_high, decimals) for row in rows]
        yield Column(f"{100 * confidence:g} % interval", cells)
        cells = [number(row.standard_error, decimals) for row in rows]
        yield Column("SE", cells, spare=6)
    if any(row.words for row in rows):
        word = "reached" if intervals else "word"
        cells = [(row.words[word] if row.words else "") or UNKNOWN for row in rows]
        yield Column("At least" if intervals else "Word", cells, "label", spare=1)
    if any(row.zero for row in rows):
        cells = [p_value(row.zero["p_value"]) if row.zero else UNKNOWN for row in rows]
        yield Column(BY_CHANCE, cells, spare=2)
    cut_offs = list(next((row.above for row in rows if row.above), {}))
    for place, cut_off in enumerate(cut_offs):
        cells = [probability((row.above or {}).get(cut_off)) for row in rows]
        yield Column(f"P > {cut_off}", cells, spare=3 + (place > 0))
    if chance:
        for heading, spare in (("Observed", 8), ("Expected", 8)):
            # squared distances in units of a level are no shares, and would widen the columns
            cells = [
                UNKNOWN
                if in_units_of_level(row)
                else number(row.observed if heading == "Observed" else row.expected, decimals)
                for row in rows
            ]
            yield Column(heading, cells, spare=spare)


def _with_room(
    width: int, heading: str, names: Sequence[str], columns: Sequence[Column]
) -> list[Column]:
    """The columns that fit beside names of which a whole line is there."""
    lines = [line for name in names for line in name.split("\n")]
    name = min(max(map(cell_len, [heading, *lines])), LONGEST)
    kept = list(columns)
    while name + sum(column.natural + 2 for column in kept) > width:
        most = max(column.spare for column in kept)
        if not most:
            break
        kept = [column for column in kept if column.spare != most]
    return kept


def _justify(column: Column) -> Literal["left", "right"]:
    return "left" if column.kind == "label" else "right"


def _shared_weights(report: AgreementReport) -> str:
    """What most rows say about how labels agree; nothing where it is usual or nobody chose it."""
    options = report.provenance.get("options", {})
    if not any(options.get(name) for name in ("weights", "level", "distance")):
        return ""
    rows = [row for row in report.coefficients if not of_numbers(row)]
    if report.data.task == "value" or not rows:
        return ""
    (weights, times), *_ = Counter(row.weights for row in rows).most_common(1)
    return weights if times > 1 and weights not in UNWEIGHTED else ""


def _named(row: Row, shared: str) -> str:
    title = visible(row.title)
    if of_numbers(row):
        return title
    usual = row.weights == shared if shared else row.weights in UNWEIGHTED
    return title if usual else f"{title}\n  {row.weights}"


def _print_notes(console: Console, sentences: Sequence[str]) -> None:
    if not sentences:
        return
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for sentence in sentences:
        grid.add_row("-", Text(sentence))
    console.print()
    put(console, grid)
