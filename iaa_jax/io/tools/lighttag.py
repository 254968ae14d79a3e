"""Reads JSON of a LightTag task, in which each annotation names all its annotators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.io.export.answers import Kind, Span, span_of
from iaa_jax.io.export.json_records import Json, Record, first_record, json_records, listed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.measured import TextLengths
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source

_REVIEWER = "(reviewer)"  # author of annotations that no annotator made
_MADE_BY = ("annotated_by", "classified_by")
_CLASS = ("classname", "class", "name", "tag")
_ASKED: Mapping[str, tuple[str, Kind]] = {
    "annotations": ("tags", "spans"),
    "classifications": ("classes", "labels"),
}


class LightTag:
    """Reads LightTag's exports."""

    name = "lighttag"
    title = "LightTag"
    summary = "LightTag: JSON of a task, with spans and classes"
    known_by = "JSON with `examples`, each with `example_id` and `seen_by` or `annotations`"
    example = "agree task.json"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of a task with examples."""
        return [source for source in sources if _is_task(first_record(source) or {})]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the examples of each task."""
        export.note_format("JSON")
        export.named_by.items, export.named_by.annotators = "example_id", "annotator"
        texts = TextLengths()
        for source in sources:
            export.begin_file(source, "example")
            for _, task in json_records(source, export.options.progress):
                examples = _objects(task.get("examples"), f"{source}")
                schema = task.get("schema")
                known = schema if isinstance(schema, dict) else {}
                asked = [
                    name
                    for name, (of_schema, _) in _ASKED.items()
                    if known.get(of_schema) or any(example.get(name) for example in examples)
                ]
                for number, example in enumerate(examples, start=1):
                    content = example.get("content")
                    if isinstance(content, str):
                        texts.see(example.get("example_id"), content)
                        export.add_text(example.get("example_id"), text_from_characters(content))
                    _add(example, number, asked, f"{source} example {number}", export)
        texts.note(export)


TOOL = LightTag()


def _is_task(record: Record) -> bool:
    examples = record.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    return (
        isinstance(first, dict)
        and "example_id" in first
        and ("seen_by" in first or "annotations" in first)
    )


def _add(example: Record, number: int, asked: Sequence[str], where: str, export: Export) -> None:
    given: dict[str, dict[str, list[object]]] = {name: {} for name in asked}
    seen = {_who(entry, where): math.nan for entry in listed(example.get("seen_by"), where)}
    for name in asked:
        for made in _objects(example.get(name), where):
            makers = [m for key in _MADE_BY for m in listed(made.get(key), where)]
            if not makers and export.remarks.wants("curator"):
                makers = [_REVIEWER]
            answer = _span(made, where) if _ASKED[name][1] == "spans" else _class(made, where)
            for maker in makers:
                who = _who(maker, where)
                made_at = time_of(maker.get("timestamp") if isinstance(maker, dict) else None)
                times = (seen.get(who, math.nan), made_at)
                seen[who] = max((t for t in times if not math.isnan(t)), default=math.nan)
                given[name].setdefault(who, []).append(answer)
    for who, time in seen.items():
        for name in asked:
            question = export.question(name, _ASKED[name][1])
            export.add(
                question,
                example.get("example_id"),
                who,
                given[name].get(who, ()),
                number,
                time=time,
                fields=example,
            )


def _who(entry: Json, where: str) -> str:
    if isinstance(entry, dict):
        entry = entry.get("annotator") or entry.get("annotator_id")
    if isinstance(entry, (str, int)) and not isinstance(entry, bool) and entry != "":
        return str(entry)
    raise IaaError(f"{where}: {brief(entry)} where an annotator is needed")


def _span(made: Record, where: str) -> Span:
    return span_of(made.get("start"), made.get("end"), made.get("tag"), where)


def _class(made: Record, where: str) -> Json:
    for name in _CLASS:
        if isinstance(made.get(name), str):
            return made[name]
    raise IaaError(f"{where}: a classification without the name of its class: {brief(made)}")


def _objects(value: Json, where: str) -> list[Record]:
    objects = [part for part in listed(value, where) if isinstance(part, dict)]
    if value is not None and len(objects) < len(listed(value, where)):
        raise IaaError(
            f"{where}: a list of objects with named fields is needed, not {brief(value)}"
        )
    return objects
