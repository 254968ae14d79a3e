"""Reads exports of Label Studio: JSON, JSON-MIN, CSV and TSV.

Each control of the labelling interface is a question. An answer about a region of a text is a span,
whose label is the answer. In JSON, each answer names its control; in the other formats, each
control has a column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iaa_jax._errors import IaaError
from iaa_jax.io.export.columns import columns_of
from iaa_jax.io.export.json_records import first_record
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.label_studio.answers import task_of
from iaa_jax.io.tools.label_studio.rows import MARKS, AnnotationRows
from iaa_jax.io.tools.label_studio.stars import are_ordinary
from iaa_jax.io.tools.label_studio.tasks import Tasks
from iaa_jax.wording import keyword


class LabelStudio:
    """Reads exports of Label Studio."""

    name = "label_studio"
    title = "Label Studio"
    summary = "Label Studio: JSON, JSON-MIN, CSV or TSV"
    known_by = (
        "tasks with `data` and `annotations`, or the columns `annotation_id`, `annotator` and "
        "`lead_time`"
    )
    example = "agree project-1-at-2024-06-08.json"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files that Label Studio exported."""
        return [source for source in sources if _form(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the annotations of each task."""
        forms = {_form(source): source for source in sources}
        if len(forms) > 1:
            (form, one), (other, second), *_ = forms.items()
            raise IaaError(
                f"{one} is {form} and {second} is {other}: if they are from one project, its "
                "annotations would count twice; choose the files of one format, as by "
                f"{keyword('file_pattern', _pattern(forms))}"
            )
        (form,) = forms
        export.note_format(form)
        export.named_by.items = "id"
        export.named_by.annotators = "completed_by" if export.form == "JSON" else "annotator"
        if export.form == "JSON":
            stars = "gold" not in export.options.include and are_ordinary(sources)
            tasks = Tasks(export, counts_stars=stars)
            for source in sources:
                tasks.read(source)
            tasks.close()
        else:
            for source in sources:
                AnnotationRows(source, export).read()
            export.remarks.notices["label_studio_min"] = 1


TOOL = LabelStudio()


def _pattern(forms: Mapping[str, Source]) -> str:
    """Return a pattern of file names that selects only files of one format.

    JSON is preferred, because it has the most information.
    """
    chosen = forms.get("JSON") or next(iter(forms.values()))
    alike = [source for source in forms.values() if source.suffix == chosen.suffix]
    return chosen.name if len(alike) > 1 else f"*{chosen.suffix}"


def _form(source: Source) -> str:
    """Return the format of a file; empty if it is not from Label Studio."""
    record = first_record(source)
    if record is not None and isinstance(task_of(record).get("data"), dict):
        lists = (task_of(record).get(name) for name in ("annotations", "completions"))
        return "JSON" if any(isinstance(value, list) for value in lists) else ""
    if record is not None:
        return "JSON-MIN" if record.keys() >= MARKS else ""
    if set(columns_of(source)) >= MARKS:
        return "TSV" if source.suffix == ".tsv" else "CSV"
    return ""
