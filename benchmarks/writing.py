"""Results as tables in Markdown, and where they stand in README.md."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path

from results import Note, Row, Step

README = Path(__file__).parent / "README.md"

PACKAGES = ("jax", "numpy", "pandas", "krippendorff", "scikit-learn", "statsmodels")


TEXT = (
    *("work", "method", "step", "compared with", "target", "met", "limit", "device", "precision"),
    *("over", "what is behind it"),
)
"""Columns that stand on the left."""


def table(results: Sequence[Row | Note]) -> str:
    """Results of one group: a table for each kind of row, sentences as they stand."""
    parts = []
    for kind, same in groupby(results, type):
        rows = list(same)
        if kind is Note:
            parts += [row.text for row in rows if isinstance(row, Note)]
            continue
        lines = [row.cells() for row in rows if not isinstance(row, Note)]
        columns = header(rows[0])
        ruler = ["---" if _is_text(column) else "---:" for column in columns]
        parts.append("\n".join(f"| {' | '.join(cells)} |" for cells in (columns, ruler, *lines)))
    return "\n\n".join(parts)


def header(row: Row | Note) -> tuple[str, ...]:
    """The names of a row's columns."""
    if isinstance(row, Step):
        return (*row.columns, *row.works)
    return () if isinstance(row, Note) else row.columns


def _is_text(column: str) -> bool:
    return column in TEXT


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    import jax

    import iaa_jax

    found = {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "cores": str(len(os.sched_getaffinity(0))),
        "load before": f"{os.getloadavg()[0]:.1f}",
        "device": str(jax.devices()[0].device_kind),
        "iaa_jax": iaa_jax.__version__,
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    return found


def as_line(machine: dict[str, str]) -> str:
    """The machine in one line."""
    return ", ".join(f"{key} {value}" for key, value in machine.items())


def rewritten(text: str, sections: dict[str, str]) -> str:
    """A text with new tables between its markers ``<!-- begin NAME -->`` and ``<!-- end NAME -->``.

    Examples
    --------
    >>> rewritten("<!-- begin a -->old<!-- end a --> rest", {"a": "new"}).split()[3:6]
    ['-->', 'new', '<!--']
    """
    for name, section in sections.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"no place for {name}: the text wants {begin} and {end} once each")
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{section}\n{end}{rest.split(end)[1]}"
    return text
