"""Tasks of Label Studio that tests make, and what is read of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import xarray as xr

from iaa_jax.io.base import Options
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.label_studio import TOOL

Json = Any

SAMPLES = Path(__file__).parent / "samples" / "label_studio"
PROJECT = SAMPLES / "synthetic_three_annotators_json_export.json"


def export_of(path: Path, **options: Any) -> Export:
    export = Export(TOOL.title, Options(**options))
    sources = TOOL.choose([Source(path)])
    assert sources
    TOOL.read(sources, export)
    return export


def judged(export: Export, name: str) -> list[tuple[Json, ...]]:
    """Item, annotator, status and answer of each judgement on a question."""
    question = export.questions[name]
    items, annotators, answers = map(list, (export.items, export.annotators, question.answers))
    return [
        (items[item], annotators[who] if who >= 0 else None, Status(status).name, answers[value])
        for item, who, status, value in zip(
            question.items, question.annotators, question.status, question.values, strict=True
        )
    ]


def grid(ratings: xr.Dataset) -> list[list[Json]]:
    labels = ratings["label"].values.tolist()
    rows = ratings["primary"].values.tolist()
    return [[None if code < 0 else labels[code] for code in row] for row in rows]


def task(number: Json, *annotations: Json, **more: Json) -> dict[str, Json]:
    data = {"text": f"text {number}", "source": {"page": 7}}
    return {"id": number, "data": data, "annotations": list(annotations), **more}


def by(who: Json, *results: Json, **more: Json) -> dict[str, Json]:
    return {"completed_by": who, "result": list(results), **more}


def answer(name: str, kind: str = "choices", **value: Json) -> dict[str, Json]:
    return {"from_name": name, "to_name": "text", "type": kind, "value": value}


def chosen(label: str, name: str = "topic") -> dict[str, Json]:
    return answer(name, choices=[label])
