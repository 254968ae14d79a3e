"""The order of rows, records and what they list is nothing: the same ratings and spans are read."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import IaaError, read, read_spans
from tests.fuzz.said import Said, said
from tests.io.tools.test_span_table import NAMED

SAMPLES = Path(__file__).parents[1] / "samples"

CASES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("appraise/synthetic_esa.csv", {}, ()),
    *(
        ("argilla/synthetic_records_flattened_hf.jsonl", {"question": question}, ())
        for question in ("sentiment", "topics", "quality")
    ),
    ("crowdflower/synthetic_full_report.csv", {"question": "tone"}, ()),
    ("doccano/synthetic_two_annotators_classification/*.jsonl", {}, ()),
    ("inception/synthetic_agreement_export_labels.csv", {}, ()),
    ("label_sleuth/*.csv", {"question": "privacy"}, ()),
    ("lighttag/synthetic_task_download.json", {}, ("examples", "seen_by")),
    ("mqm/synthetic_marks.tsv", {"question": "score"}, ()),
    ("mqm/synthetic_marks.tsv", {"question": "errors"}, ()),
    ("mturk/synthetic_Batch_4242_batch_results.csv", {}, ()),
    ("potato/synthetic_export/annotations.jsonl", {"question": "topics"}, ()),
    ("prodigy/real_pydata_ams_2023_excerpt.jsonl", {"duplicates": "last"}, ()),
    ("teamware/synthetic_teamware_raw.jsonl", {"question": "sentiment"}, ()),
    ("toloka/synthetic_assignments.tsv", {}, ()),
    ("universal/synthetic_hf_parallel_lists.jsonl", {}, ("annotators", "annotations")),
    ("zooniverse/synthetic_classifications.csv", {"question": "T1"}, ()),
    (NAMED, {}, ()),
]
"""Samples, or the text of one, options, and the keys whose lists are turned round as well."""


def turned(value: Any, keys: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [turned(each, keys) for each in value]
    if not isinstance(value, dict):
        return value
    inner = {key: turned(each, keys) for key, each in value.items()}
    return {key: each[::-1] if key in keys else each for key, each in inner.items()}


def in_another_order(text: str, ending: str, keys: tuple[str, ...]) -> str:
    if ending == ".json":
        return json.dumps(turned(json.loads(text), keys))
    lines = text.splitlines()
    if ending == ".jsonl":
        return "\n".join(json.dumps(turned(json.loads(line), keys)) for line in lines[::-1])
    if ending == ".csv":  # whose cells may have several lines
        head, *rows = csv.reader(io.StringIO(text))
        file = io.StringIO()
        csv.writer(file).writerows([head, *rows[::-1]])
        return file.getvalue()
    return "\n".join([lines[0], *lines[:0:-1]])


@pytest.mark.parametrize(("sample", "options", "keys"), CASES)
def test_no_order_counts(
    sample: str, options: dict[str, Any], keys: tuple[str, ...], tmp_path: Path
) -> None:
    files = {"spans.csv": sample}
    if "\n" not in sample:
        files = {path.name: path.read_text() for path in SAMPLES.glob(sample)}
    found: dict[str, list[Said]] = {"plain": [], "turned": []}
    for name, results in found.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            other = in_another_order(text, Path(file).suffix, keys)
            (tmp_path / name / file).write_text(text if name == "plain" else other)
        paths = sorted((tmp_path / name).iterdir(), reverse=name == "turned")
        for reader in (read, read_spans):
            with suppress(IaaError):
                results.append(said(reader(paths, **options)))
    assert found["plain"] == found["turned"]
    assert any(found["plain"])
