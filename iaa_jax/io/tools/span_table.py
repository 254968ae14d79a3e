"""Reads tables of spans, with column names or, like those of pygamma-agreement, without them.

pygamma-agreement has a file for each document. A row without positions means that the annotator
marked nothing in the document, or skipped it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, usual_name
from iaa_jax.io.export.answers import Span, Status, time_span
from iaa_jax.io.export.columns import rows_of
from iaa_jax.io.export.headerless import headerless_rows, headerless_start
from iaa_jax.io.export.json_records import first_record
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table import opening
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

_BARE = ("annotator", "label", "start", "end")
_PLACES = ("start", "end", "label")
_NAMED = ("document", "annotator", *_PLACES)
_LIKE = "ann,PERSON,0,15"
_SKIPPED = "skipped"


class SpanTable:
    """Reads tables with a row for each span."""

    name = "spans"
    title = "span table"
    summary = "span table: a row for each span, with or without names of columns (pygamma)"
    known_by = (
        "columns document, annotator, start, end and label; or annotator, label, start and end "
        "without names, a file for each document"
    )
    example = "spans spans.csv"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of spans; only those with column names, if there are any."""
        return [s for s in sources if _is_named(s)] or [s for s in sources if _is_bare(s)]

    def take(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return tables of spans whose documents and annotators the caller names."""
        return [source for source in sources if _has_places(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the rows of each document by each annotator."""
        question = export.question("spans", "spans")
        export.named_by.annotators = "annotator"
        export.lists_marks_alone = True
        for source in sources:
            rows = _named(source, export) if _has_places(source) else _bare(source, export)
            for _, group in rows.items():
                line, first = group[0]
                spans = [s for at, row in group if (s := _span(row, export.place(-1, at)))]
                export.lists_marks_alone &= bool(spans) and "status" not in first
                status = Status.SKIPPED if first.get("status") == _SKIPPED else None
                export.add(
                    question,
                    first.get("document") or None,
                    first.get("annotator") or None,
                    spans,
                    line,
                    status=status,
                    time=_time_of(first),
                    fields=first,
                )


TOOL = SpanTable()

_Row = Mapping[str, str]
_Groups = dict[tuple[str, ...], list[tuple[int, _Row]]]


def _is_named(source: Source) -> bool:
    return source.once("span columns", lambda: {*_NAMED} <= {*_names(source)})


def _has_places(source: Source) -> bool:
    return {*_PLACES} <= {*_names(source)}


def _names(source: Source) -> Sequence[str]:
    try:
        if source.suffix in opening.JSON:
            return list(first_record(source) or ())
        if source.suffix in opening.DELIMITED | opening.PARQUET:
            return opening.head(source).names
    except IaaError:
        pass
    return ()


def _is_bare(source: Source) -> bool:
    rows = headerless_start(source, len(_BARE))
    names = {row[0] for row in rows}
    texts = any(parse_number(cell) is None for row in rows for cell in row[:2])
    return (
        texts
        and len(names) < len(rows)
        and all(
            (start := parse_number(row[2])) is not None
            and (end := parse_number(row[3])) is not None
            and 0 <= start <= end
            for row in rows
        )
    )


def _named(source: Source, export: Export) -> _Groups:
    names = opening.head(source).names
    items = export.named_fields.item or ("document",)
    annotator = export.named_fields.annotator or "annotator"
    for option, own, usual in (("item", items[0], ITEM), ("annotator", annotator, ANNOTATOR)):
        of_file = option == "annotator" and source.annotator is not None
        if own not in names and getattr(export.options, option) is None and not of_file:
            column = keyword(option, usual_name(names, usual) or "COLUMN")
            raise IaaError(
                f"{source} has no column {own!r}: name the column of the {own}s by {column}; its "
                f"columns are {shown(names, 12)}"
            )
    export.note_format("with names of columns")
    export.named_by.items = "document"
    groups: _Groups = {}
    for number, row in rows_of(source, export, names):
        key = tuple(row.get(name, "") for name in (*items, annotator, "judgement"))
        groups.setdefault(key, []).append((number, row))
    return groups


def _bare(source: Source, export: Export) -> _Groups:
    export.note_format("without names of columns")
    export.named_by.is_by_file = True
    export.begin_file(source, "line")
    groups: _Groups = {}
    for line, cells in headerless_rows(source, len(_BARE), _LIKE):
        row = dict(zip(_BARE, cells, strict=True), document=source.stem)
        groups.setdefault((row["annotator"],), []).append((line, row))
    return groups


def _time_of(row: _Row) -> float:
    dates = (cell for name, cell in row.items() if "date" in name.casefold())
    when = row.get("time") or next(dates, "")
    return time_of(parse_number(when), when)


def _span(row: _Row, where: str) -> Span | None:
    places = row["start"], row["end"]
    if not any(places):
        return None
    numbers = [parse_number(place) for place in places]
    start, end = numbers
    if start is None or end is None:
        raise IaaError(
            f"{where}: a span from {brief(places[0])} to {brief(places[1])}; positions are numbers"
        )
    unit = parse_number(row.get("unit", ""))
    span = time_span(start, end, row["label"], where)
    return span._replace(unit=unit if isinstance(unit, int) else None)
