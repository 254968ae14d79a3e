"""The readable report of one set of ratings: what was read, the coefficients, what to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.report.contingency import print_contingency
from iaa_jax.report.notes import UNWEIGHTED, in_units_of_level, notes
from iaa_jax.report.records import AgreementReport, DataFacts, Row
from iaa_jax.report.text import (
    UNKNOWN,
    count,
    counted,
    decimals_for,
    interval,
    listed,
    number,
    percent,
    put,
    visible,
)

LABELS_SHOWN = 20
"""Most labels that get a line of their own without being asked for."""

NARROW = 60
"""Width below which the less needed columns are left out."""

WIDE = 100
"""Width from which there is room for every column and a word."""

_TASKS = {
    "single": "",
    "primary_secondary": "a primary and perhaps a secondary label a rating",
    "multi_label": "a set of labels a rating",
    "soft": "shares of labels a rating",
    "value": "a number a rating",
}


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
    _print_data(console, report.data, report.provenance.get("files", ()))
    if report.coefficients:
        _print_rows(console, "Coefficient", report.coefficients, confidence, chance=True)
    labels = report.specific_agreement
    show_labels = report.labels_asked or len(labels) <= LABELS_SHOWN
    if labels and show_labels:
        _print_rows(console, "Agreement on label", labels, confidence, chance=False)
    print_contingency(console, report.contingency)
    _print_notes(console, notes(report, labels_shown=show_labels))


def _print_data(console: Console, facts: DataFacts, files: Sequence[object]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    if files:
        grid.add_row("File" if len(files) == 1 else "Files", listed(files, len(files), 5))
    grid.add_row("Items", _items(facts))
    grid.add_row("Annotators", _annotators(facts))
    if facts.task == "value":
        grid.add_row("Labels", "none: ratings are numbers")
    else:
        names = listed(facts.label_values, facts.labels, LABELS_SHOWN)
        grid.add_row("Labels", f"{count(facts.labels)}: {names}")
    grid.add_row("Ratings", f"{count(facts.ratings)} ({percent(facts.missing_share)} missing)")
    if _TASKS.get(facts.task):
        grid.add_row("", _TASKS[facts.task])
    if facts.read_as:
        grid.add_row("Read as", visible(facts.read_as))
    grid.add_row("Skipped", visible(facts.skipped) or "nothing")
    put(console, grid)


def _items(facts: DataFacts) -> str:
    return (
        f"{count(facts.items)}: {count(facts.pairable_items)} with two ratings or more, "
        f"{count(facts.single_rated_items)} with one, {count(facts.unrated_items)} with none"
    )


def _annotators(facts: DataFacts) -> str:
    if facts.anonymous:
        return f"not told apart, at most {counted(facts.largest_panel, 'rating')} an item"
    return f"{count(facts.annotators)}: {listed(facts.annotator_names, facts.annotators)}"


def _print_rows(
    console: Console, heading: str, rows: Sequence[Row], confidence: float, *, chance: bool
) -> None:
    decimals = decimals_for(row.standard_error for row in rows)
    intervals = any(row.interval for row in rows)
    # names, estimates and intervals first: what does not fit stands in --json
    worded = any(row.words for row in rows)
    chance = chance and console.width >= (WIDE if worded else NARROW)
    errors = intervals and console.width >= NARROW
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(heading, overflow="fold")
    table.add_column("Estimate", justify="right", no_wrap=True)
    if intervals:
        table.add_column(f"{100 * confidence:g} % interval", justify="right", no_wrap=True)
    if errors:
        table.add_column("SE", justify="right", no_wrap=True)
    if worded:
        table.add_column("At least" if intervals else "Word", no_wrap=True)
    if chance:
        table.add_column("Observed", justify="right", no_wrap=True)
        table.add_column("Expected", justify="right", no_wrap=True)
    shared = _shared_weights(rows)
    for row in rows:
        cells = [_named(row, shared), number(row.estimate, decimals)]
        if intervals:
            cells.append(interval(row.ci_low, row.ci_high, decimals))
        if errors:
            cells.append(number(row.standard_error, decimals))
        if worded:
            word = "reached" if intervals else "word"
            cells.append((row.words[word] if row.words else "") or UNKNOWN)
        if chance:
            # squared distances in units of a level are no shares, and would widen the columns
            shares = ("-", "-") if in_units_of_level(row) else (row.observed, row.expected)
            cells += [x if isinstance(x, str) else number(x, decimals) for x in shares]
        table.add_row(*cells)
    console.print()
    if shared:
        console.print(f"Agreement between labels: {shared}, unless a row says another.\n")
    put(console, table)


def _shared_weights(rows: Sequence[Row]) -> str:
    """What most rows say about how labels agree; nothing where that is the usual."""
    (weights, times), *_ = Counter(row.weights for row in rows).most_common(1)
    return weights if times > 1 and weights not in UNWEIGHTED else ""


def _named(row: Row, shared: str) -> str:
    title = visible(row.title)
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
