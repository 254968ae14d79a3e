"""Levels and power of tests by simulation: what the studies of this folder share.

A study is a module with cells, each a function from a random stream to what one data set showed:
`python -m levels.compare --write`, from ``benchmarks/``, writes its table to ``levels/compare.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

FOLDER = Path(__file__).parent

Outcomes = Mapping[str, "bool | None"]
"""By column: whether one data set did it (rejected, held); None where nothing was said."""

Cells = Mapping[str, Callable[[np.random.Generator], Outcomes]]


class Share(NamedTuple):
    """How many data sets did it, of how many that said something."""

    number: int = 0
    of: int = 0

    def __str__(self) -> str:
        """The share and its Monte-Carlo error, in percent."""
        if not self.of:
            return ""
        share = self.number / self.of
        return f"{share:.1%} ± {sqrt(share * (1 - share) / self.of):.1%}".replace("%", "")


def shares(
    one: Callable[[np.random.Generator], Outcomes], data_sets: int, seed: int
) -> dict[str, Share]:
    """What so many data sets did, each of a stream of its own, so that any can be drawn again."""
    found: dict[str, Share] = {}
    for index in range(data_sets):
        for column, outcome in one(np.random.default_rng([seed, index])).items():
            so_far = found.get(column, Share())
            if outcome is not None:
                so_far = Share(so_far.number + bool(outcome), so_far.of + 1)
            found[column] = so_far
    return found


def main(name: str, about: str, cells: Cells, data_sets: int = 1000, seed: int = 0) -> None:
    """Simulate the cells and print them; --write puts each into the table as soon as it is done."""
    parser = argparse.ArgumentParser(prog=f"python -m levels.{name}", description=about)
    parser.add_argument("--data-sets", type=int, default=data_sets)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--only", default="", help="cells whose name holds this text")
    parser.add_argument("--write", action="store_true", help=f"write levels/{name}.md")
    given = parser.parse_args()
    file = FOLDER / f"{name}.md"
    rows = _rows_of(file) if given.write else {}
    for cell, one in cells.items():
        if given.only not in cell:
            continue
        done = shares(one, given.data_sets, given.seed)
        rows[cell] = {"data sets": f"{given.data_sets:,}"}
        rows[cell] |= {key: str(value) for key, value in done.items()}
        print(cell, *(f"{key}: {value}" for key, value in rows[cell].items()))
        if given.write:
            made = f"`python -m levels.{name} --seed {given.seed} --write`, from `benchmarks/`; "
            made += "± is the Monte-Carlo error."
            kept = {cell: rows[cell] for cell in cells if cell in rows}
            file.write_text(f"# {about}\n\n{made}\n\n{_table(kept)}\n", encoding="utf-8")


def _table(rows: Mapping[str, Mapping[str, str]]) -> str:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    lines = [["%", *columns], ["---", *["---:"] * len(columns)]]
    lines += [[cell, *(row.get(key, "") for key in columns)] for cell, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _rows_of(file: Path) -> dict[str, dict[str, str]]:
    """The cells of a table that was written before."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    table = [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {
        row[0]: {key: value for key, value in zip(table[0][1:], row[1:], strict=True) if value}
        for row in table[2:]
    }
