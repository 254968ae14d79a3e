"""What was read, as the first lines of a report."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from iaa_jax.report.records import DataFacts
from iaa_jax.report.text import count, counted, listed, percent, put, visible

LABELS_NAMED = 20
"""Most labels that are named."""

_TASKS = {
    "single": "",
    "primary_secondary": "a primary and perhaps a secondary label a rating",
    "multi_label": "a set of labels a rating",
    "soft": "shares of labels a rating",
    "value": "a number a rating",
}


def print_facts(console: Console, facts: DataFacts, files: Sequence[object]) -> None:
    """Print all that was read."""
    grid = _grid()
    if files:
        grid.add_row("File" if len(files) == 1 else "Files", listed(files, len(files), 5))
    grid.add_row("Items", _items(facts))
    grid.add_row("Annotators", _annotators(facts))
    if facts.task == "value":
        grid.add_row("Labels", "none: ratings are numbers")
    else:
        names = listed(facts.label_values, facts.labels, LABELS_NAMED)
        grid.add_row("Labels", f"{count(facts.labels)}: {names}")
    grid.add_row("Ratings", f"{count(facts.ratings)} ({percent(facts.missing_share)} missing)")
    if _TASKS.get(facts.task):
        grid.add_row("", _TASKS[facts.task])
    if facts.read_as:
        grid.add_row("Read as", visible(facts.read_as))
    grid.add_row("Skipped", visible(facts.skipped) or "nothing")
    _add_notices(grid, facts)
    put(console, grid)


def print_short_facts(console: Console, facts: DataFacts) -> None:
    """Print how much was read, how it was understood, and what was not taken."""
    grid = _grid()
    grid.add_row("Items", _items(facts))
    names = _annotators(facts) if facts.anonymous else count(facts.annotators)
    grid.add_row("Annotators", names)
    if facts.read_as:
        grid.add_row("Read as", visible(facts.read_as))
    if facts.skipped:
        grid.add_row("Skipped", visible(facts.skipped))
    _add_notices(grid, facts)
    put(console, grid)
    console.print()


def _add_notices(grid: Table, facts: DataFacts) -> None:
    for notice in facts.notices:
        grid.add_row("Note", visible(notice))


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _items(facts: DataFacts) -> str:
    return (
        f"{count(facts.items)}: {count(facts.pairable_items)} with two ratings or more, "
        f"{count(facts.single_rated_items)} with one, {count(facts.unrated_items)} with none"
    )


def _annotators(facts: DataFacts) -> str:
    if facts.anonymous:
        return f"not told apart, at most {counted(facts.largest_panel, 'rating')} an item"
    return f"{count(facts.annotators)}: {listed(facts.annotator_names, facts.annotators)}"
