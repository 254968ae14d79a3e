"""Two sets compared: a verdict in words, the figures behind it, and the labels that moved."""

from __future__ import annotations

import math
from collections.abc import Sequence

import xarray as xr
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iaa_jax.analyses.compare.report import (
    CompareReport,
    Row,
    Side,
    p_shown,
    signed,
    undefined_too_often,
)
from iaa_jax.analyses.compare.verdict import verdict
from iaa_jax.analyses.compare.words import (
    EXCHANGE,
    LABELS_SHOWN,
    compare_notes,
    label_sentences,
    moved,
)
from iaa_jax.analyses.diagnose.records import rows_of
from iaa_jax.report.columns import Column, not_shown, print_columns, shortened
from iaa_jax.report.text import count, counted, decimals_for, interval, number, put, visible

_HEADING = 14  # characters of a set's name above a column
_SPARE = 100


def print_comparison(console: Console, report: CompareReport) -> None:
    """Print the verdict, the tables, and what to know beside them."""
    for sentence in verdict(report):
        put(console, Text(visible(sentence)))
    console.print()
    _print_sets(console, report)
    console.print()
    rows = rows_of(report.found, "coefficient")
    left_out = _print_rows(console, report, rows)
    sentences = [*not_shown(left_out, "--json has them")]
    if report.labels is not None:
        console.print()
        left_out = _print_labels(console, report, report.labels)
        sentences += not_shown(left_out, "--json has them")
        sentences += label_sentences(report, report.labels)
    elif report.without_labels:
        sentences.append(f"Labels are not compared one by one: {visible(report.without_labels)}.")
    sentences += compare_notes(report, rows)
    console.print()
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for sentence in dict.fromkeys(sentences):
        grid.add_row("-", Text(sentence))
    put(console, grid)


def _print_sets(console: Console, report: CompareReport) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    attrs = report.found.attrs
    for letter, side in (("A", report.a), ("B", report.b)):
        facts = side.data
        who = (
            f"at most {counted(facts.largest_panel, 'rating')} an item, by whomever"
            if facts.anonymous
            else counted(attrs[f"annotators_{letter.lower()}"], "annotator")
        )
        rated = facts.items - facts.unrated_items
        told = f"{counted(rated, 'item')}"
        if facts.pairable_items != rated:
            told += f" ({count(facts.pairable_items)} with two ratings or more)"
        told += f", {who}, {counted(facts.ratings, 'rating')}"
        left_out = attrs[f"left_out_items_{letter.lower()}"]
        if left_out:
            told += f"; {counted(left_out, 'item')} left out, not rated in the other"
        grid.add_row(letter, f"{visible(side.name)}: {told}")
    read_as = [side.data.read_as for side in (report.a, report.b)]
    same = bool(read_as[0]) and read_as[0] == read_as[1]
    common, *skipped = report.skipped
    for letter, what, text in (
        ("", "read as", read_as[0] if same else ""),
        ("A", "read as", "" if same else read_as[0]),
        ("B", "read as", "" if same else read_as[1]),
        ("", "skipped in the file:", common),
        ("A", "skipped:", skipped[0]),
        ("B", "skipped:", skipped[1]),
        ("", "", report.others),
        *_notices(report),
    ):
        if text:
            grid.add_row("", " ".join(part for part in (letter, what, visible(text)) if part))
    why = visible(attrs["pairing"])
    how = f"Paired, item by item: {why}." if attrs["paired"] else f"Independent sets: {why}."
    grid.add_row("", how)
    if attrs["pairing_caution"]:
        grid.add_row("", f"Note: {visible(attrs['pairing_caution'])}.")
    put(console, grid)


def _notices(report: CompareReport) -> list[tuple[str, str, str]]:
    """What may be meant otherwise in both sets, and in each."""
    one, other = report.a.data.notices, report.b.data.notices
    return [
        *(("", "note:", notice) for notice in one if notice in other),
        *(("A", "note:", notice) for notice in one if notice not in other),
        *(("B", "note:", notice) for notice in other if notice not in one),
    ]


def _headings(report: CompareReport) -> tuple[str, str]:
    headings = [shortened(visible(side.heading), _HEADING) for side in (report.a, report.b)]
    if headings[0] == headings[1]:
        return "A", "B"
    return headings[0], headings[1]


def _print_rows(console: Console, report: CompareReport, rows: Sequence[Row]) -> list[str]:
    attrs = report.found.attrs
    decimals = decimals_for([row["standard_error"] or math.nan for row in rows])
    one, other = _headings(report)
    columns = [
        Column(
            "Coefficient", [visible(report.titles[str(row["coefficient"])]) for row in rows], "name"
        ),
        Column(one, [_number(row["estimate_a"], decimals) for row in rows]),
        Column(other, [_number(row["estimate_b"], decimals) for row in rows]),
        Column("B - A", [signed(row["difference"], decimals) for row in rows]),
    ]
    if any(row["ci_low"] is not None for row in rows):
        heading = f"{100 * float(attrs['confidence']):g} % interval"
        columns.append(Column(heading, [_ends(report.found, row, "ci", decimals) for row in rows]))
    columns.append(Column("p", [p_shown(row["p_value"], bare=True) for row in rows]))
    if any(row["permutation_p_value"] is not None for row in rows):
        cells = [p_shown(row["permutation_p_value"], bare=True) for row in rows]
        columns.append(Column(EXCHANGE, cells, spare=_SPARE))
    if attrs["family"] and report.together:
        cells = [p_shown(row["adjusted_p_value"], bare=True) for row in rows]
        columns.append(Column("Adjusted", cells, spare=_SPARE + 1))
    return print_columns(console, columns)


def _print_labels(console: Console, report: CompareReport, labels: xr.Dataset) -> list[str]:
    rows = moved(labels)[:LABELS_SHOWN]
    decimals = decimals_for([row["standard_error"] or math.nan for row in rows])
    one, other = _headings(report)
    several = bool(labels.attrs["family"])
    columns = [
        Column("Label", [visible(row["label"]) for row in rows], "name"),
        Column(one, [_number(row["estimate_a"], decimals) for row in rows]),
        Column(other, [_number(row["estimate_b"], decimals) for row in rows]),
        Column("B - A", [signed(row["difference"], decimals) for row in rows]),
    ]
    if any(row["band_low"] is not None for row in rows):
        level = f"{100 * float(labels.attrs['confidence']):g} %{' at once' * several}"
        columns.append(Column(level, [_ends(labels, row, "band", decimals) for row in rows]))
    cells = [p_shown(row["adjusted_p_value"], bare=True) for row in rows]
    columns.append(Column("Adjusted p" if several else "p", cells))
    return print_columns(console, columns)


def _number(value: float | None, decimals: int) -> str:
    return number(math.nan if value is None else value, decimals)


def _ends(found: xr.Dataset, row: Row, name: str, decimals: int) -> str:
    low, high = (row[f"{name}_{end}"] for end in ("low", "high"))
    if low is None or high is None or undefined_too_often(row, found):
        return "-"
    return interval(low, high, decimals)


__all__: Sequence[str] = ("CompareReport", "Side", "print_comparison", "verdict")
