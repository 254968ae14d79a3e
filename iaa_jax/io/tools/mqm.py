"""Reads MQM data of WMT: a row per error, marked by <v> and </v> in translation or source.

An item is a system's translation of a segment. Its errors are spans. Its score is the sum of their
weights (Freitag et al., 2021, doi:10.1162/tacl_a_00437).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import Span, separate_units, span_of
from iaa_jax.io.export.columns import Row
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

_NEEDED = ("system", "rater", "source", "target", "category", "severity")
# names of the column of segments
_SEGMENTS = ("globalSegId", "seg_id", "segment_id")
_LOOKED_AT = 1 << 12
_MARK = re.compile(r"</?v>")
_TEST = "hotw-test"  # a test of whether raters find inserted errors
_NO_ERROR = ("no-error", "no error", "")
_WEIGHTS = {"major": 5.0, "minor": 1.0, "neutral": 0.0}
_LIGHT, _HEAVY = ("fluency/punctuation", 0.1), ("non-translation", 25.0)

_ERRORS, _IN_SOURCE, _SEVERITY, _SCORE = "errors", "errors in source", "severity", "score"


class _Error(NamedTuple):
    """An error: its spans in translation and source, its severity and weight."""

    in_target: list[Span]
    in_source: list[Span]
    severity: str
    weight: float | None
    is_open: bool = False  # whether <v> and </v> do not pair


class Mqm:
    """Reads MQM annotation as published by WMT."""

    name = "mqm"
    title = "MQM"
    summary = "MQM: TSV of WMT, errors as spans by category or severity, and scores of segments"
    known_by = "columns system, rater, source, target, category and severity, separated by tabs"
    example = "agree mqm.tsv --question score"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with columns of systems, raters and errors."""
        return [source for source in sources if {*_NEEDED} <= {*_columns(source)}]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the errors of each segment by each rater."""
        export.note_format("TSV")
        export.named_by.annotators = "rater"
        segment = next((n for n in _SEGMENTS if n in _columns(sources[0])), "")
        export.named_by.items = [name for name in ("system", "doc", segment) if name]
        unweighted: set[str] = set()
        opened = 0
        rows_of_source = [(source, list(_rows(source))) for source in sources]
        has_source = any("<v>" in row["source"] for _, rows in rows_of_source for _, row in rows)
        for source, rows in rows_of_source:
            export.begin_file(source, "line")
            judged: dict[tuple[str, str], list[tuple[int, Row]]] = {}
            for line, row in rows:
                if row["severity"].lower() == _TEST and not export.remarks.wants("gold"):
                    continue
                parts = [row.get(name, "") for name in export.named_by.items]
                judged.setdefault((JOINT.join(parts), row["rater"]), []).append((line, row))
            for names, marked_rows in judged.items():
                errors = [_error(row, export.place(-1, line)) for line, row in marked_rows]
                opened += sum(error.is_open for error in errors)
                unweighted |= {error.severity for error in errors if error.weight is None}
                _add(export, names, marked_rows[0], errors, has_source=has_source)
        if opened:
            export.remarks.notes.append(Note("skipped_open_marks", {"count": opened}))
        for severity in sorted(unweighted):
            export.remarks.leave_unread(_SCORE, f"severity {severity!r} without a weight")


TOOL = Mqm()


def _columns(source: Source) -> Sequence[str]:
    """Return the names of the columns. Never raises."""
    if source.suffix not in (".tsv", ".txt", ".csv"):
        return ()
    first = source.beginning(_LOOKED_AT).partition("\n")[0]
    return [name.strip() for name in first.split("\t")]


def _rows(source: Source) -> Iterator[tuple[int, Row]]:
    """Yield the rows with their lines; quotation marks are text."""
    lines = source.content().decode("utf-8", "replace").split("\n")
    names = [name.strip() for name in lines[0].split("\t")]
    for line, text in enumerate(lines[1:], start=2):
        if text.strip():
            cells = text.split("\t")
            if len(cells) < max(names.index(name) for name in _NEEDED) + 1:
                raise IaaError(f"{source} line {line}: {len(cells)} cells for {len(names)} columns")
            yield line, {n: c.strip() for n, c in zip(names, cells, strict=False)}


def _add(
    export: Export,
    names: tuple[str, str],
    row: tuple[int, Row],
    errors: Sequence[_Error],
    *,
    has_source: bool,
) -> None:
    """Add a rater's errors in a segment, and the score if all have a weight."""
    (item, rater), (line, first) = names, row
    target = _MARK.sub("", first["target"])
    export.add_text(item, text_from_characters(target))
    ends = [span.end for error in errors for span in error.in_target]
    export.lengths[item] = max(len(target), *ends, export.lengths.get(item, 0))

    def add(name: str, spans: Iterator[Span], of: str = "") -> None:
        question = export.question(name, "spans")
        question.feature_of = of
        export.add(question, item or None, rater or None, separate_units(spans), line, fields=first)

    add(_ERRORS, (span for error in errors for span in error.in_target))
    severities = (s._replace(label=e.severity) for e in errors for s in e.in_target)
    add(f"{_ERRORS}:{_SEVERITY}", severities, _ERRORS)
    if has_source:
        add(_IN_SOURCE, (span for error in errors for span in error.in_source))
    weights = [error.weight for error in errors]
    if None not in weights:
        score = round(sum(weight or 0 for weight in weights), 6)
        text = str(int(score) if score % 1 == 0 else score)
        export.add(
            export.question(_SCORE, "number"),
            item or None,
            rater or None,
            (text,),
            line,
            fields=first,
        )


def _error(row: Row, where: str) -> _Error:
    category, severity = row["category"], row["severity"]
    if severity.lower() in _NO_ERROR:
        return _Error([], [], severity, 0.0)
    in_target, in_source = (
        _spans(row[name], category, f"{where}, {name}") for name in ("target", "source")
    )
    weight = _WEIGHTS.get(severity.lower())
    if category.lower().startswith(_HEAVY[0]):
        weight = _HEAVY[1]
    elif category.lower() == _LIGHT[0] and severity.lower() == "minor":
        weight = _LIGHT[1]
    is_open = in_target is None or in_source is None
    return _Error(in_target or [], in_source or [], severity, weight, is_open)


def _spans(text: str, label: str, where: str) -> list[Span] | None:
    """Return the marked spans, in the text without marks; None if the marks do not pair."""
    spans, begun, marks = [], -1, 0
    for mark in _MARK.finditer(text):
        place = mark.start() - marks
        marks += len(mark[0])
        ends = mark[0] == "</v>"
        if (begun < 0) == ends:
            return None
        if ends:
            spans.append(span_of(begun, place, label, where))
        begun = -1 if ends else place
    return spans if begun < 0 else None
