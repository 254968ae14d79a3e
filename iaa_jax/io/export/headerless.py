"""Reads delimited files whose first line has no column names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from iaa_jax._errors import IaaError
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, LABEL, usual_name
from iaa_jax.io.table.content import SAMPLE
from iaa_jax.io.table.opening import DELIMITED
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.splitting import DELIMITERS, Records, first_width, lines_of, records_of

BLANKS = ""  # stands for blanks as the separator


def headerless_start(source: Source, width: int) -> Sequence[Sequence[str]]:
    """Return the first rows of a file without a header.

    The result is empty if any row does not have ``width`` filled cells, if the first row has usual
    column names, or if a file in a folder or archive is not named like delimited text. Never
    raises.
    """
    if source.suffix not in DELIMITED and source.container is not None:
        return ()
    return source.once(f"bare {width}", lambda: _start(source, width)[1])


def headerless_rows(source: Source, width: int, like: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows of a file with their line numbers; errors quote the example row `like`."""
    mark, _ = _start(source, width)
    data = source.content()
    for line, row in _cut(data, mark):
        cells = [cell.strip() for cell in row]
        if len(cells) != width or not all(cells):
            raise IaaError(f"{source} line {line}: {width} cells are needed, as in {like!r}: {row}")
        yield line, cells


def _start(source: Source, width: int) -> tuple[str, Sequence[Sequence[str]]]:
    for mark in source.once("bare", lambda: _marks(source)).get(width, ()):
        try:
            rows = [[cell.strip() for cell in row] for _, row in _cut(_sample(source), mark)]
        except IaaError:
            continue
        if rows and all(len(row) == width and all(row) for row in rows):
            named = [usual_name(rows[0], known) for known in (ITEM, ANNOTATOR, LABEL)]
            return mark, () if any(named) else rows
    return BLANKS, ()


def _marks(source: Source) -> dict[int, list[str]]:
    """Return possible separators, by the number of cells into which they split the first line."""
    marks: dict[int, list[str]] = {}
    data = _sample(source)
    # text with empty lines, JSON and XML are not tables
    if b"\n\n" in data.strip() or data.lstrip()[:1] in (b"{", b"[", b"<"):
        return marks
    first = data.lstrip(b"\n").partition(b"\n")[0]
    for mark in ("\t", *DELIMITERS, BLANKS):  # tabs first, since labels may contain commas
        with suppress(IaaError):
            width = first_width(first, mark) if mark != BLANKS else len(first.decode().split())
            marks.setdefault(width, []).append(mark)
    return marks


def _sample(source: Source) -> bytes:
    try:
        return source.content(SAMPLE)
    except IaaError:
        return b""


def _cut(data: bytes, mark: str) -> Records:
    if mark != BLANKS:
        return records_of(data, mark)
    return [(line, text.split()) for line, text in enumerate(lines_of(data), 1) if text.strip()]
