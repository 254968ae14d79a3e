"""Reads data of the Hugging Face Hub: a record per item, with lists of annotators and labels.

The lists are parallel fields (`annotators`, `annotations`) of a record or of an object in it, or
one list of objects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, usual_name
from iaa_jax.io.export.form_fields import Told, kind_of, labels_of, one_kind
from iaa_jax.io.export.json_records import Json, Record, keyed, listed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.records import (
    enter,
    first_of,
    item_of,
    name_items,
    records_of,
)
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named

_WHO = (*ANNOTATOR, *(f"{name}s" for name in ANNOTATOR), "annotatorsid", "annotatorsids")


class _Shape(NamedTuple):
    """The field that holds the lists ("" for the record itself), and the field of annotators."""

    field: str
    who: str
    is_objects: bool = False


class HuggingFace:
    """Reads records with lists of annotators."""

    name = "hugging_face"
    title = "Hugging Face"
    summary = "Hugging Face: JSON, JSONL or Parquet with lists of annotators and labels per item"
    known_by = (
        "records with lists `annotators` and `labels`, or a list of objects with both, also as "
        "text in cells"
    )
    example = "agree train.jsonl"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with two records or more, if the first has lists of annotators."""
        return [source for source in sources if _shape(first_of(source)) and _has_two(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the answers to the questions in lists or fields."""
        first = first_of(sources[0])
        single = [name for name, value in first.items() if not isinstance(value, (list, dict))]
        name_items(usual_name(single, ITEM) or usual_name(single, ("text",)) or "", sources, export)
        questions = _questions(sources, export)
        lists = _Lists()
        for source in sources:
            shape = _shape(first_of(source))
            if shape is None:
                continue
            export.named_by.annotators = ".".join(filter(None, shape[:2]))
            where = enter(source, export)
            for number, record in records_of(source, export.options.progress):
                item = item_of(record, number, export)
                for entry in lists.entries(record, shape, f"{where} {number}"):
                    fields = {**record, **entry, export.named_by.annotators: entry[shape.who]}
                    for name in questions:
                        answer = labels_of(entry.get(name))
                        question = export.question(name)
                        export.add(question, item, entry[shape.who], answer, number, fields=fields)


TOOL = HuggingFace()


def _shape(record: Record) -> _Shape | None:
    for name, value in record.items():
        first = value[0] if isinstance(value, list) and value else None
        if isinstance(first, dict):
            who = usual_name(list(first), _WHO)
            if who is not None and len(first) > 1 and _is_name(first[who]):
                return _Shape(name, who, is_objects=True)
    inner = [(name, value) for name, value in record.items() if isinstance(value, dict)]
    for field, columns in [("", record), *inner]:
        lists = {n: value for n, value in columns.items() if isinstance(value, list)}
        who = usual_name(list(lists), _WHO)
        if who is not None and all(map(_is_name, lists[who])):
            size = len(lists.pop(who))
            if any(len(column) == size for column in lists.values()):
                return _Shape(field, who)
    return None


def _is_name(value: Json) -> bool:
    return not isinstance(value, (list, dict, float))


def _has_two(source: Source) -> bool:
    try:
        return len([*islice(records_of(source), 2)]) == 2
    except IaaError:
        return False


class _Lists:
    """Splits records into entries, and learns which lists have one element per annotator."""

    def __init__(self) -> None:
        self.fitting: Counter[str] = Counter()
        self.others: dict[str, list[str]] = {}  # lists of another length, with their locations

    def entries(self, record: Record, shape: _Shape, where: str) -> Iterator[Record]:
        """Yield the answers of each annotator, by the name of the list or field."""
        held = record.get(shape.field) if shape.field else record
        if shape.is_objects:
            for entry in listed(held, where):
                yield {shape.who: None, **keyed(entry, where)}
            return
        columns = keyed(held, where)
        who = listed(columns.get(shape.who), where)
        fitting: dict[str, list[Json]] = {}
        for name, column in columns.items():
            if isinstance(column, list) and len(column) == len(who):
                fitting[name] = column
            elif isinstance(column, list):
                lengths = f"{len(column)} in {name!r} for {len(who)} in {shape.who!r}"
                self.others.setdefault(name, []).append(f"{where} has {lengths}")
        self.fitting.update(list(fitting))
        for place in range(len(who)):
            yield {name: column[place] for name, column in fitting.items()}

    def check(self, wanted: str | None) -> None:
        """Refuse a list that sometimes has another length than the list of annotators.

        If ``wanted`` names a question, only its list is refused; otherwise only a list that mostly
        has the right number of elements.
        """
        for name, where in self.others.items():
            is_meant = name == wanted if wanted else self.fitting[name] > len(where)
            if is_meant:
                raise IaaError(
                    f"{where[0]}; if this list holds no labels, name the one that does by "
                    f"{named('question')}"
                )


class _Ids:
    def __init__(self) -> None:
        self.seen: dict[str, set[str] | None] = {}  # None if they are no ids

    def see(self, name: str, value: Json) -> None:
        """Record a value, to learn whether values repeat."""
        seen = self.seen.setdefault(name, set() if usual_name([name], ITEM) else None)
        if seen is None or value is None:
            return
        if str(value) in seen:
            self.seen[name] = None
        seen.add(str(value))

    def names(self, name: str) -> bool:
        """Tell whether a field holds ids."""
        return len(self.seen.get(name) or ()) > 1


def _questions(sources: Sequence[Source], export: Export) -> list[str]:
    kinds: dict[str, set[Told]] = {}
    lists, ids = _Lists(), _Ids()
    for source in sources:
        shape = _shape(first_of(source))
        for number, record in records_of(source):
            if shape is not None:
                for entry in lists.entries(record, shape, f"{source} record {number}"):
                    for name, value in entry.items():
                        ids.see(name, value)
                        kind = kind_of(value)
                        kinds.setdefault(name, set()).update([kind] if kind else ())
                    del kinds[shape.who]
    lists.check(export.options.question)
    known = {name: one_kind(of_name) for name, of_name in kinds.items()}
    for name in [name for name in known if ids.names(name) and name != export.options.question]:
        del known[name]
        export.remarks.leave_unread(name, "ids")
    for name, kind in known.items():
        if kind != "labels" and name not in lists.others:
            export.remarks.leave_unread(name, kind)
    return [n for n, kind in known.items() if kind == "labels" and n not in lists.others]
