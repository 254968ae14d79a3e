"""Reference values for spans, units and segment boundaries, each verified by a peer or by hand.

``spans.json`` holds 135 cases; its ``conventions`` say what each field means.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import iaa_jax as iaa

PATH = Path(__file__).with_name("spans.json")


@dataclass(frozen=True)
class SpanCase:
    """One measure on one set of documents, with what it must come to."""

    id: str
    measure: str
    options: dict[str, Any]
    expected: dict[str, Any]
    abs_tol: float
    record: dict[str, Any]

    @property
    def documents(self) -> dict[str, dict[str, list[tuple[int, int, str]]]]:
        """``{document: {annotator: [(start, end, label), ...]}}``, starting at 0."""
        begin = self.record.get("continuum_begin", 0)
        return {
            each.get("doc_id", "d"): {
                name: [(start - begin, end - begin, label) for start, end, label in spans]
                for name, spans in each["annotators"].items()
            }
            for each in self._documents()
        }

    @property
    def lengths(self) -> dict[str, int] | None:
        """Lengths of the documents, where the case has them."""
        known = self._documents()
        if any(each.get("doc_length") is None for each in known):
            return None
        return {each.get("doc_id", "d"): each["doc_length"] for each in known}

    def spans(self, **options: Any) -> Any:
        """The same as a Dataset."""
        return iaa.from_spans(self.documents, lengths=self.lengths, **options)

    def _documents(self) -> list[dict[str, Any]]:
        of = self.record.get("docs_from")
        record = _records()[of] if of else self.record
        return record.get("docs") or [record]


def span_cases(*measures: str) -> list[SpanCase]:
    """The cases of some measures, all if none is named."""
    return [
        SpanCase(
            record["id"],
            record["measure"],
            record["options"],
            record["expected"],
            record["abs_tol"],
            record,
        )
        for record in _records().values()
        if not measures or record["measure"] in measures
    ]


@cache
def _records() -> dict[str, dict[str, Any]]:
    cases = json.loads(PATH.read_text(encoding="utf-8"))["cases"]
    return {case["id"]: case for case in cases}
