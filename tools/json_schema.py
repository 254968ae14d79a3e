"""The schema of what ``iaa COMMAND --json`` writes, from the figures that analyses declare.

docs/schema/iaa-json-N.json has a definition for each command. N is the value of ``schema`` in each
record; it increases when a key is removed or changes its meaning. Rows are in a list, or in an
object by their names; a figure along a further axis is an object by the names of that axis.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, get_args

from iaa_jax.analyses import ANALYSES
from iaa_jax.data.facts import FACTS
from iaa_jax.pages.records import SCHEMA
from iaa_jax.wording.figures import Figure
from iaa_jax.wording.notes import Level

FILE = f"iaa-json-{SCHEMA}.json"

WORDS = ("label", "text", "word", "time")
"""Kinds of figures that may be text; all others are numbers."""

NUMBERS = ("standard_error", "low", "high", "p_value")
"""Endings of the names of numbers that accompany a figure."""

OF_SETS = (
    "clusters", "effective_items", "label_share", "labels_only", "left_out_items", "name",
)  # fmt: skip
"""Facts about the data that records have only for each of two compared sets."""

AXES = (
    "annotator", "annotator_2", "annotators", "assumed", "average", "class_name", "coefficient",
    "coefficient_2", "component", "cut", "cut_off", "delta", "document", "epsilon", "figure",
    "finding", "first", "gold_label", "group", "item", "item_class", "item_class_number", "items",
    "iteration", "judge", "label", "label_2", "label_a", "label_b", "look", "method", "other", "p",
    "pair", "pattern", "person", "point", "question", "reading", "run", "second", "setting", "size",
    "stretch", "weighting",
)  # fmt: skip
"""Axes of rows, whose cells are names or numbers."""

ALSO: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "diagnose": {"agree": ("by",)},
    "judge": {"judged_scores": ()},
    "spans": {"agree": ("coefficients",)},
}
"""By analysis: the parts of other analyses that its commands also have; all parts if empty."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "agree": ("specific_agreement",),
    "label_sets": ("label_sets",),
    "missing": ("missing",),
    "spans": ("tokens",),
}
"""By analysis: parts of records with declared figures, in addition to the parts declared."""

FORMATS: Mapping[str, object] = {"formats": {"type": "array", "items": {"type": "object"}}}
"""The output of `iaa formats`, which has no figures."""

CELL = re.compile(r"""\{\s+("description": ".*"),\s+("\$ref": ".*")\s+\}""")
"""A figure, which becomes one line of the file."""

Schema = dict[str, Any]


def text() -> str:
    """Return the schema as it is committed."""
    written = json.dumps(schema(), indent=1, ensure_ascii=False)
    return CELL.sub(r"{\1, \2}", written) + "\n"


@cache
def schema() -> Schema:
    """Return the schema of all commands; the record of any command has the shape of the root."""
    defs, sections = _shared(), {}
    for row in ANALYSES:
        if row.commands:
            defs |= _of_analysis(row.folder)
            sections |= dict.fromkeys(row.commands, _ref(f"record of {row.folder}"))
    commands = {name: {**record, "required": ["schema"]} for name, record in sections.items()}
    commands["formats"] = _closed({**_record()["properties"], **FORMATS})
    of_report = {**defs["record of agree"]["properties"], "sections": _any_of(sections)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": FILE,
        "title": "What iaa COMMAND --json writes; the record of a command is in $defs by its name",
        "required": ["schema"],
        "$ref": "#/$defs/record",
        "$defs": {**defs, **commands, "report": _closed(of_report)},
    }


def _any_of(records: Schema) -> Schema:
    """Return the schema of a report's sections, by their names."""
    return {"type": "object", "properties": records, "additionalProperties": _ref("record")}


def _of_analysis(folder: str) -> Schema:
    """Return the schemas of an analysis' records, of their rows, and of the figures of both."""
    declared = [*_declared(folder)]
    for other, wanted in ALSO.get(folder, {}).items():
        for parts in _declared(other):
            declared.append({part: parts[part] for part in wanted or parts if part in parts})
    named = {name for parts in declared for key in parts for name in re.split(r"\.|, ", key)}
    names = sorted((named | {*PARTS.get(folder, ())}) - {""})
    figures = _cells(each for parts in declared for of_part in parts.values() for each in of_part)
    scalars = _cells(each for parts in declared for each in parts.get("", ()))
    row, rows = _ref(f"row of {folder}"), _ref(f"rows of {folder}")
    axes = {axis: _ref("value") for axis in AXES if axis not in figures}
    others = {name: cell["$ref"] for name, cell in figures.items() if name not in names}
    patterns = {
        f"^({'|'.join(name for name, of_name in others.items() if of_name == kind)})$": {
            "$ref": kind
        }
        for kind in sorted({*others.values()})
    }
    of_part = {"anyOf": [_ref("value"), rows, _ref(f"part of {folder}")]}
    return {
        f"figures of {folder}": {
            "type": "object",
            "properties": figures | axes,
            "patternProperties": {"^case_own_": _ref("value by name")},
        },
        f"row of {folder}": {
            "anyOf": [
                {**_ref(f"figures of {folder}"), "unevaluatedProperties": False},
                *(
                    {
                        "description": f"one {of_whom}, with further columns of the files",
                        **_ref(f"figures of {folder}"),
                        "required": [of_whom],
                        "unevaluatedProperties": _ref("value by name"),
                    }
                    for of_whom in ("item", "annotator")
                ),
            ]
        },
        f"rows of {folder}": {
            "anyOf": [
                {"type": "array", "items": row},
                {"type": "object", "additionalProperties": {"anyOf": [row, _list(row)]}},
            ]
        },
        f"part of {folder}": _closed(
            {name: {"anyOf": [_ref("value"), rows]} for name in names}, patterns
        ),
        f"record of {folder}": {
            "$ref": "#/$defs/record",
            **_closed(_record()["properties"] | scalars | dict.fromkeys(names, of_part), patterns),
        },
    }


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _closed(properties: Schema, patterns: Schema | None = None) -> Schema:
    """Return an object with these properties, some by patterns of their names, and no others."""
    by_pattern = {"patternProperties": patterns} if patterns else {}
    return {
        "type": "object",
        "properties": properties,
        **by_pattern,
        "additionalProperties": False,
    }


def _declared(folder: str) -> Iterator[Mapping[str, tuple[Figure, ...]]]:
    """Yield the figures of an analysis by the parts of records that have them."""
    name = f"iaa_jax.analyses.{folder}.declared"
    if find_spec(name) is not None:
        declared = import_module(name)
        yield declared.IN_JSON
        yield from getattr(declared, "IN_JSON_OF", {}).values()


def _cells(figures: Iterable[Figure]) -> Schema:
    """Return figures and the numbers that accompany them, each a value or values by name."""
    cells: Schema = {}
    for figure in figures:
        for name in figure.names:
            number = figure.kind not in WORDS if name == figure.name else name.endswith(NUMBERS)
            cell = _ref("number by name" if number else "value by name")
            cells[name] = {"description": figure.meaning.replace("``", "`"), **cell}
    return cells


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _record() -> Schema:
    """Return the schema of a record: what was read, the conclusion, and how the result was made."""
    properties: Schema = {
        "schema": {"description": "the version of this schema", "const": SCHEMA},
        "data": _ref("data"),
        "conclusion": {"description": "the conclusion of the result, in a word", "type": "string"},
        "conclusions": {
            "description": "the conclusions of the further results, by name",
            "type": "object",
            "additionalProperties": {"type": "string"},
        },
        "notes": {
            "description": "notes on the data and the figures",
            "type": "array",
            "items": _ref("note"),
        },
        "provenance": {
            "description": "how the result was made: every option, and versions of programs",
            "type": "object",
            "required": ["iaa_jax_version"],
        },
    }
    return {
        "type": "object",
        "properties": properties,
        "required": ["data", "provenance"],
    }


def _shared() -> Schema:
    """Return the definitions that all records share."""
    facts: Schema = dict.fromkeys((*FACTS, "notices"), True)
    number: Schema = {"type": ["number", "boolean", "null"]}
    single = {"type": ["number", "string", "boolean", "null"]}
    note = {
        "code": {"type": "string"},
        "values": {"type": "object"},
        "level": {"enum": [*get_args(Level)]},
        "about": {"type": "array"},
    }
    return {
        "record": _record(),
        "value": {"anyOf": [single, _list(_ref("value"))]},
        "value by name": {"anyOf": [_ref("value"), _by_name("value by name")]},
        "number by name": {
            "description": "null if undefined",
            "anyOf": [number, _by_name("number by name")],
        },
        "note": {**_closed(note), "required": ["code", "values", "level"]},
        "data": {
            "description": "what was read; of two compared sets, each by itself",
            **_closed(facts | dict.fromkeys("ab", _closed(facts | dict.fromkeys(OF_SETS, True)))),
        },
    }


def _by_name(cell: str) -> Schema:
    return {"type": "object", "additionalProperties": _ref(cell)}
