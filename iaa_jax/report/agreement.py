"""The readable report of one set of ratings: what was read, the coefficients, what to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.report.columns import not_shown
from iaa_jax.report.contingency import print_contingency
from iaa_jax.report.facts import print_facts
from iaa_jax.report.notes import UNWEIGHTED, in_units_of_level, notes, of_numbers
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

NARROW = 60
"""Width below which the less needed columns are left out."""

WIDE = 100
"""Width from which there is room for every column and a word."""


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
    intervals = any(row.interval for row in rows)
    # names, estimates and intervals first: what does not fit stands in --json
    worded = any(row.words or row.above or row.zero for row in rows)
    left_out = []
    if chance and console.width < (WIDE if worded else NARROW):
        chance = False
        left_out = ["Observed", "Expected"]
    errors = intervals and console.width >= NARROW
    if intervals and not errors:
        left_out.insert(0, "SE")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(heading, overflow="fold")
    table.add_column("Estimate", justify="right", no_wrap=True)
    if intervals:
        table.add_column(f"{100 * confidence:g} % interval", justify="right", no_wrap=True)
    if errors:
        table.add_column("SE", justify="right", no_wrap=True)
    if any(row.words for row in rows):
        table.add_column("At least" if intervals else "Word", no_wrap=True)
    tested = any(row.zero for row in rows)
    if tested:
        table.add_column("p of 0", justify="right", no_wrap=True)
    cut_offs = list(next((row.above for row in rows if row.above), {}))
    for cut_off in cut_offs:
        table.add_column(f"P > {cut_off}", justify="right", no_wrap=True)
    if chance:
        table.add_column("Observed", justify="right", no_wrap=True)
        table.add_column("Expected", justify="right", no_wrap=True)
    for row in rows:
        cells = [_named(row, shared), number(row.estimate, decimals)]
        if intervals:
            cells.append(interval(row.ci_low, row.ci_high, decimals))
        if errors:
            cells.append(number(row.standard_error, decimals))
        if any(one.words for one in rows):
            word = "reached" if intervals else "word"
            cells.append((row.words[word] if row.words else "") or UNKNOWN)
        if tested:
            cells.append(p_value(row.zero["p_value"]) if row.zero else UNKNOWN)
        cells += [probability((row.above or {}).get(cut_off)) for cut_off in cut_offs]
        if chance:
            # squared distances in units of a level are no shares, and would widen the columns
            shares = ("-", "-") if in_units_of_level(row) else (row.observed, row.expected)
            cells += [x if isinstance(x, str) else number(x, decimals) for x in shares]
        table.add_row(*cells)
    console.print()
    if shared:
        console.print(f"Agreement between labels: {shared}, unless a row says another.\n")
    put(console, table)
    return left_out


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
