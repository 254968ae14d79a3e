"""Reads the folders of Potato's users, Potato's exports, and files of version 1.

Up to version 2.7.1, Potato kept every clicked option of a question that takes only one. Only the
changes in ``user_state.json`` show the last click.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from iaa_jax.io.export.answers import Kind
from iaa_jax.io.export.folders import by_folder
from iaa_jax.io.export.json_records import first_record
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.potato.forms import (
    IDS,
    OLD,
    STATE,
    ItemAnswers,
    answers_in_json,
    answers_in_table,
    is_export,
    is_old,
    together,
)
from iaa_jax.io.tools.potato.schemas import Schemas, chosen_of


class Potato:
    """Reads Potato's files and exports."""

    name = "potato"
    title = "Potato"
    summary = "Potato: user_state.json, a folder for each user; exported CSV, JSONL, Parquet; 1.x"
    known_by = f"JSON with `{STATE}` or `{OLD}`; columns instance_id, user_id and schema.label"
    example = "agree annotation_output/"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the states of users, or without any, exports; and all files named singly."""
        states = {id(source) for source in sources if STATE in (first_record(source) or {})}
        known = [source for source in sources if id(source) in states or is_export(source)]
        above = {source.inside[:-2] for source in known if is_old(source)}
        return [
            source
            for source in known
            if source.container is None
            or id(source) in states
            # version 1 also writes all answers, without names, in the folder above
            or not (states or (is_old(source) and source.inside[:-1] in above))
        ]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the answers of each user to each item."""
        export.named_by.items, export.named_by.annotators = IDS
        all_answers: list[ItemAnswers] = []
        for number, (source, (folder, _)) in enumerate(
            zip(sources, by_folder(sources), strict=True)
        ):
            is_json = first_record(source) is not None
            export.note_format("JSON" if is_json else "tables")
            read = (
                answers_in_json(source, folder, export)
                if is_json
                else answers_in_table(source, export)
            )
            all_answers += (replace(answers, file=number) for answers in read)
            if export.options.progress is not None:
                export.options.progress(number + 1, len(sources))
        all_answers = together(all_answers)
        places = [answers.where for answers in all_answers]
        schemas = Schemas(all_answers)
        for schema in sorted(schemas.single):
            export.question(schema, several=False)
        entered = -1
        for place, answers in enumerate(all_answers):
            if answers.file != entered:
                entered = answers.file
                export.begin_file(sources[entered], places.__getitem__)
            _add(answers, place, schemas, export)


TOOL = Potato()


def _add(answers: ItemAnswers, place: int, schemas: Schemas, export: Export) -> None:
    """Add the answers to an item; without an answer, it is unknown whether the item was seen."""
    given: dict[str, tuple[Kind, Iterable[object]]] = {}
    for schema, options in answers.labels.items():
        if chosen_of(options):
            name = f"{schema}.labels" if schema in schemas.marked else schema
            given[name] = ("labels", schemas.answer(schema, answers, export))
    for schema, spans in answers.spans.items():
        given[schema] = ("spans", spans)
    times = [time_of(change.get("timestamp")) for change in answers.changes]
    if given:
        time = max(times, default=math.nan)
        export.add_all(answers.item, answers.user, given, place, time=time, fields=answers.fields)
