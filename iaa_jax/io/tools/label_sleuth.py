"""Reads the labelled elements of a workspace of Label Sleuth.

A workspace belongs to one annotator. Each category is a question. Weak labels, given by rules, are
predictions.
"""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax.io.export.columns import columns_of, rows_of
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table import opening
from iaa_jax.io.table.source import Source

_COLUMNS = {"workspace_id", "uri", "label", "label_type"}
_TRUTH = {"true": "True", "false": "False"}


class LabelSleuth:
    """Reads Label Sleuth's exports."""

    name = "label_sleuth"
    title = "Label Sleuth"
    summary = "Label Sleuth: CSV of labelled elements, a file for each annotator"
    known_by = "columns workspace_id, uri, label and label_type"
    example = "agree ana.csv ben.csv"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with the columns of Label Sleuth."""
        return [source for source in sources if {*columns_of(source)} >= _COLUMNS]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the elements; without a category name, the question is "label"."""
        export.note_format("CSV")
        export.named_by.items = "uri"
        for source in sources:
            names = opening.head(source).names
            for number, row in rows_of(source, export, names):
                is_weak = row.get("label_type", "").casefold() == "weak"
                if is_weak and not export.remarks.wants("predictions"):
                    continue
                label = row.get("label", "")
                export.add(
                    export.question(row.get("category_name") or "label", several=False),
                    row.get("uri"),
                    source.stem,
                    (_TRUTH.get(label.casefold(), label),),
                    number,
                    fields=row,
                )


TOOL = LabelSleuth()
