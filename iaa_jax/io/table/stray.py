"""Finds parts of a sheet outside its table: columns without a name, notes, another table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from iaa_jax.data.labels import parse_number
from iaa_jax.io.table.workbook import Sheet

# a text below this many numbers or more may be the header of another table
FEWEST = 3
Cells = Sequence[str | None]


def unnamed(sheet: Sheet, first: int, header: Mapping[int, str]) -> dict[int, int]:
    """Return columns without a name, each with its first filled row below ``first``."""
    first_rows: dict[int, int] = {}
    for number, row in sheet.rows.items():
        for column in row.keys() - header.keys() if number > first else ():
            first_rows.setdefault(column, number)
    return first_rows


def may_hold_ratings(cells: Cells, others: Sequence[Cells]) -> bool:
    """Tell whether a column varies as labels do, and shares labels with another column.

    Examples
    --------
    >>> may_hold_ratings(["y", "n", "y"], [["t1", "t2", "t3"], ["n", "n", "y"]])
    True
    >>> may_hold_ratings(["x", "x", "x"], [["x", "y", "x"]])  # a constant
    False
    >>> may_hold_ratings(["1", "2", "3"], [["1", "3", "2"]])  # row numbers
    False
    """
    labels = {cell for cell in cells if cell is not None}
    if len({*cells}) < 2 or len(labels) == sum(cell is not None for cell in cells):
        return False
    return any(2 * len(labels.intersection(other)) >= len(labels) for other in others)


def rows_below(sheet: Sheet, first: int, columns: Sequence[int]) -> list[int]:
    """Return the rows below an empty one that are notes, or another table.

    A row looks like a rating if it repeats a text from above, or has a number in a column of
    numbers. A block of rows holds ratings if its first row looks like a rating. If the first row
    does not look like a header (text below many numbers), a later row suffices.
    """
    blocks: list[list[int]] = []
    for number, row in sheet.rows.items():
        if number > first and not row.keys().isdisjoint(columns):
            if not blocks or number > blocks[-1][-1] + 1:
                blocks.append([])
            blocks[-1].append(number)
    if len(blocks) < 2:
        return []
    above: dict[int, set[str]] = {column: set() for column in columns}
    numbers: dict[int, bool] = {}

    def take(block: Sequence[int]) -> None:
        for number in block:
            for column, cell in sheet.rows[number].items():
                if column in above:
                    above[column].add(cell)
        for column, cells in above.items():
            numbers[column] = bool(cells) and all(parse_number(cell) is not None for cell in cells)

    def like(number: int, fits: Callable[[int, str], bool]) -> bool:
        cells = sheet.rows[number].items()
        return any(column in above and fits(column, cell) for column, cell in cells)

    def is_label(column: int, cell: str) -> bool:
        return cell in above[column] or (numbers[column] and parse_number(cell) is not None)

    def is_name(column: int, cell: str) -> bool:
        many = len(above[column]) >= FEWEST
        return many and numbers[column] and parse_number(cell) is None

    take(blocks[0])
    stray: list[int] = []
    for block in blocks[1:]:
        full = [number for number in block if len(sheet.rows[number].keys() & above.keys()) > 1]
        begins = full[0] if full else block[0]
        of_ratings = like(begins, is_label) or (
            not like(begins, is_name) and any(like(number, is_label) for number in full)
        )
        if of_ratings:
            take(block)
        else:
            stray += block
    return stray


def column_groups(sheet: Sheet, first: int, columns: Sequence[int]) -> list[list[int]]:
    """Return groups of columns that empty columns separate."""
    used = sorted({*columns}.union(*(row for number, row in sheet.rows.items() if number > first)))
    groups: list[list[int]] = []
    for column in used:
        if not groups or column > groups[-1][-1] + 1:
            groups.append([])
        groups[-1].append(column)
    named = {*columns}
    return [kept for group in groups if (kept := [c for c in group if c in named])]
