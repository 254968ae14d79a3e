"""Reads scores of translations from Appraise, as used by WMT: one per row, without a header.

A row has eleven columns, or twelve if errors were marked (ESA). Rows of tutorials, references and
test items are read only on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from iaa_jax.data.labels import parse_number
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.columns import Row
from iaa_jax.io.export.headerless import headerless_rows, headerless_start
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

_FIRST = ("annotator", "system", "item", "type", "source", "target", "score", "document", "whole")
_TIMES = ("start", "end")
_NAMES = {11: (*_FIRST, *_TIMES), 12: (*_FIRST, "errors", *_TIMES)}
_LIKE = "engjpn01,system-A,12,TGT,eng,jpn,87,doc-3,False,1724108687.8,1724108688.6"
_TYPES = ("TGT", "BAD", "CHK", "REF")
# marks of documents that fill up a task or test its annotator
_FILLED = ("#bad", "#dup", "#incomplete")
_SCORE, _WHOLE = "score", "score of the document"


class Appraise:
    """Reads scores exported by Appraise."""

    name = "appraise"
    title = "Appraise"
    summary = "Appraise: CSV of scores of WMT (DA, SQM, ESA), of segments or documents"
    known_by = "11 or 12 columns without names, the fourth `TGT`, `BAD`, `CHK` or `REF`"
    example = "agree scores.csv --level interval"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of scores."""
        return [source for source in sources if _width(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the scores; an item is a system's translation of a segment or document."""
        export.note_format("CSV")
        export.named_by.annotators = "annotator"
        rows_of_source = [(source, [*_rows(source)]) for source in sources]
        every = [row for _, rows in rows_of_source for _, row in rows]
        pairs = any(a[name] != b[name] for a, b in pairwise(every) for name in ("source", "target"))
        names = [*(("source", "target") if pairs else ()), "system", "document"]
        export.named_by.items = [*names, "item"]
        checks = errors = 0
        for source, rows in rows_of_source:
            export.begin_file(source, "line")
            for line, row in rows:
                errors += row.get("errors", "[]") != "[]"
                if _is_check(row):
                    checks += 1
                    if "gold" not in export.options.include:
                        continue
                whole = row["whole"] == "True"
                question = export.question(_WHOLE if whole else _SCORE, "number")
                question.feature_of = _SCORE if whole else ""
                item = JOINT.join(row[name] for name in ([*names] if whole else [*names, "item"]))
                export.add(
                    question, item, row["annotator"], (row["score"],), line,
                    time=time_of(parse_number(row["end"])), fields=row,
                )  # fmt: skip
        if checks:
            counted = "gold" in export.options.include
            code = "appraise_checks_counted" if counted else "appraise_checks"
            export.remarks.cautions.append(Note(code, {"count": checks}, "caution"))
        if errors:
            export.remarks.leave_unread("errors", "marks")


TOOL = Appraise()


def _width(source: Source) -> int:
    for width, names in _NAMES.items():
        start = [dict(zip(names, row, strict=True)) for row in headerless_start(source, width)]
        if start and all(
            row["type"] in _TYPES
            and row["whole"] in ("True", "False")
            and parse_number(row["score"]) is not None
            for row in start
        ):
            return width
    return 0


def _rows(source: Source) -> list[tuple[int, Row]]:
    names = _NAMES[_width(source)]
    return [
        (line, dict(zip(names, cells, strict=True)))
        for line, cells in headerless_rows(source, len(names), _LIKE)
    ]


def _is_check(row: Row) -> bool:
    filled = any(mark in row["document"] for mark in _FILLED)
    return row["type"] != "TGT" or filled or "tutorial" in row["system"]
