"""Large exports of annotation tools, against Python's json on the same file, each in a process."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from processes import CHILDREN, GIGABYTE, guarded
from results import Export

SIZE, SMALL = 200_000_000, 5_000_000
"""Bytes of a file."""

RUNS = 3
LIMIT = 4 * GIGABYTE
WORDS = ("the", "of", "and", "to", "in", "that", "was", "for", "are", "with", "they", "this", "😀")
# the last makes Python keep four bytes for each character of the whole text
LABELS = ("Positive", "Negative", "Neutral", "Mixed", "Off topic")


class Case(NamedTuple):
    """A file to read, and what is wanted.

    Attributes
    ----------
    write
        Writes a file of about so many bytes.
    question
        What is read of it, where it asks several.
    peer
        How `export_work.py` reads it with json.
    way
        How it reads it with ours.
    holds
        How it reads what is to be held of it: the memory of both is then that beyond what each
        process has before.
    most_memory, most_time
        Ours over the peer's, at most.
    """

    work: str
    name: str
    write: Callable[[Path, int], None]
    question: str
    peer: str
    most_memory: float | None
    most_time: float | None
    way: str = "read"
    holds: str = ""


def exports(quick: bool) -> Iterator[Export]:
    """Each case: the best time and the highest peak of several runs in turn."""
    size = SMALL if quick else SIZE
    with tempfile.TemporaryDirectory() as folder:
        for case in (label_studio(), prodigy_answers(), prodigy_spans()):
            file = Path(folder) / case.name
            case.write(file, size)
            ways = [case.way, case.peer, case.holds or case.peer]
            runs = [
                {way: _measured(way, file, case.question) for way in dict.fromkeys(ways)}
                for _ in range(1 if quick else RUNS)
            ]
            ours, theirs, held = ([run[way] for run in runs] for way in ways)
            yield Export(
                f"{case.work}, {file.stat().st_size / 1e6:.0f} MB, {ours[0]['ratings']:,} ratings",
                min(run["seconds"] for run in ours),
                {"load": "json.load", "lines": "json.loads, line by line"}[case.peer],
                min(run["seconds"] for run in theirs),
                max(_memory(run, case) for run in ours),
                min(_memory(run, case) for run in held),
                case.most_time,
                case.most_memory,
                min(run["progress"] for run in ours),
            )


def label_studio() -> Case:
    """Tasks with a text, three annotators, choices, a rating and spans."""
    return Case("Label Studio JSON", "project.json", _tasks, "topic", "load", 1.3, None)


def _tasks(file: Path, size: int) -> None:
    draw = random.Random(0)
    with file.open("w", encoding="utf-8") as out:
        separator, number = "[", 0
        while out.tell() < size:
            number += 1
            out.write(f"{separator}{json.dumps(_task(draw, number), ensure_ascii=False)}")
            separator = ","
        out.write("]")


def _task(draw: random.Random, number: int) -> dict[str, Any]:
    text = " ".join(draw.choices(WORDS, k=120))
    made = f"2024-06-{number % 28 + 1:02}T09:15:00.000000Z"
    annotations = [
        {
            "id": 10 * number + who,
            "completed_by": {"id": who, "email": f"{who}@example.org", "first_name": ""},
            "result": _results(draw, text),
            "was_cancelled": draw.random() < 0.02,
            "ground_truth": False,
            "created_at": made,
            "updated_at": made,
            "lead_time": round(draw.uniform(3, 90), 3),
            "prediction": {},
            "result_count": 7,
            "unique_id": f"{draw.getrandbits(128):032x}",
            "last_action": None,
            "task": number,
            "project": 7,
            "updated_by": who,
            "parent_prediction": None,
            "parent_annotation": None,
        }
        for who in draw.sample(range(1, 13), 3)
    ]
    return {
        "id": number,
        "annotations": annotations,
        "file_upload": "0a1b2c3d-reviews.json",
        "drafts": [],
        "predictions": [],
        "data": {"text": text, "source": f"review-{number}.txt"},
        "meta": {},
        "created_at": made,
        "updated_at": made,
        "inner_id": number,
        "total_annotations": 3,
        "cancelled_annotations": 0,
        "total_predictions": 0,
        "project": 7,
    }


def _results(draw: random.Random, text: str) -> list[dict[str, Any]]:
    values: list[tuple[str, str, dict[str, Any]]] = [
        ("topic", "choices", {"choices": [draw.choice(LABELS)]}),
        ("quality", "rating", {"rating": draw.randint(1, 5)}),
    ]
    for _ in range(draw.randint(2, 6)):
        start = draw.randrange(len(text) - 20)
        end = start + draw.randint(3, 20)
        span = {"start": start, "end": end, "text": text[start:end], "labels": [draw.choice("ABC")]}
        values.append(("entity", "labels", span))
    return [
        {
            "value": value,
            "id": f"{draw.getrandbits(40):010x}",
            "from_name": name,
            "to_name": "text",
            "type": kind,
            "origin": "manual",
        }
        for name, kind, value in values
    ]


def prodigy_answers() -> Case:
    """Texts that are accepted or rejected, by three of twelve annotators each."""
    work = "Prodigy JSONL, answers (memory: beyond the modules, beside the ratings as objects)"
    return Case(work, "answers.jsonl", _answers, "", "lines", 3, 3, holds="rows")


def prodigy_spans() -> Case:
    """Texts with their tokens, and spans of names in them."""
    work = "Prodigy JSONL, spans (likewise)"
    return Case(work, "spans.jsonl", _spans, "", "lines", 3, 3, "spans", "rows")


def _answers(file: Path, size: int) -> None:
    _write_tasks(file, size, lambda _, __: {"label": "NEWS", "_view_id": "classification"})


def _spans(file: Path, size: int) -> None:
    _write_tasks(file, size, _marked)


def _marked(draw: random.Random, text: str) -> dict[str, Any]:
    tokens: list[dict[str, Any]] = []
    place = 0
    for number, word in enumerate(text.split(" ")):
        end = place + len(word)
        tokens.append({"text": word, "start": place, "end": end, "id": number, "ws": True})
        place = end + 1
    spans = [
        {
            "start": tokens[at]["start"],
            "end": tokens[at]["end"],
            "token_start": at,
            "token_end": at,
            "label": draw.choice(("PERSON", "ORG", "GPE")),
        }
        for at in sorted(draw.sample(range(len(tokens)), draw.randint(0, 4)))
    ]
    return {"_is_binary": False, "tokens": tokens, "_view_id": "ner_manual", "spans": spans}


def _write_tasks(
    file: Path, size: int, asked: Callable[[random.Random, str], dict[str, Any]]
) -> None:
    draw = random.Random(0)
    with file.open("w", encoding="utf-8") as out:
        number = 0
        while out.tell() < size:
            number += 1
            text = " ".join(draw.choices(WORDS[:-1], k=draw.randint(12, 40)))
            for who in draw.sample(range(1, 13), 3):
                task = {
                    "text": text,
                    "meta": {"source": "news"},
                    "_input_hash": number * 7919 - (1 << 31),
                    "_task_hash": draw.getrandbits(32) - (1 << 31),
                    **asked(draw, text),
                    "answer": draw.choices(("accept", "reject", "ignore"), (70, 28, 2))[0],
                    "_timestamp": 1718000000 + number,
                    "_annotator_id": f"news-annotator{who}",
                    "_session_id": f"news-annotator{who}",
                }
                out.write(f"{json.dumps(task)}\n")


def _memory(run: dict[str, Any], case: Case) -> int:
    """The peak of a process, or what it has more than before."""
    return int(run["peak"] - (run["before"] if case.holds else 0))


def _measured(way: str, file: Path, question: str) -> dict[str, Any]:
    report = file.with_name("report")
    child = str(CHILDREN / "export_work.py")
    found = guarded(LIMIT, child, way, str(file), question, str(report))
    if found["ended"]:
        raise RuntimeError(f"{way} {file.name}: {found['ended']}")
    return {**found, **json.loads(report.read_text(encoding="utf-8"))}
