"""Measures texts, for tools whose positions count characters or UTF-16 units."""

from __future__ import annotations

from typing import cast

from iaa_jax.io.export.answers import Span, text_of
from iaa_jax.io.export.judgements import Export


class TextLengths:
    """Collects the lengths of texts whose characters are all single UTF-16 units."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}

    def see(self, item: object, text: str) -> None:
        """Store the length of a text, if it is the same in characters and in UTF-16 units."""
        if text.isascii() or max(text) <= "\uffff":
            self._sizes.setdefault(text_of(item), len(text))

    def note(self, export: Export) -> None:
        """Pass the lengths to the export.

        If a span ends beyond its text, a caution is passed instead.
        """
        names, beyond = list(export.items), set()
        for question in export.questions.values():
            if question.kind != "spans":
                continue
            answers = (cast("tuple[Span, ...]", answer) for answer in question.answers)
            last = [max((span.end for span in answer), default=0) for answer in answers]
            for item, value in zip(question.items, question.values, strict=True):
                if item >= 0 and last[value] > self._sizes.get(names[item], last[value]):
                    beyond.add(item)
        if beyond:
            export.remarks.notice("spans_beyond_text", len(beyond))
        else:
            export.lengths.update(self._sizes)
