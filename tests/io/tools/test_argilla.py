"""Argilla: nested and flattened records of 2.x, columns of 1.x, and settings beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "argilla"
NESTED = SAMPLES / "synthetic_records_nested.json"
FLAT = SAMPLES / "synthetic_records_flattened_hf.jsonl"
USERS = [f"0b9c2f3e-{str(k) * 4}-4a6b-9c11-00000000000{k}" for k in (1, 2, 3)]


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def records(**questions: list[Any]) -> str:
    """Nested records in which ann and bob answered, question by question."""
    (count,) = {len(pairs) for pairs in questions.values()}
    return json.dumps(
        [
            {
                "id": f"r{k}",
                "fields": {"text": f"t{k}"},
                "responses": {
                    name: [
                        {"value": value, "user_id": user}
                        for user, value in zip(("ann", "bob"), pairs[k], strict=True)
                    ]
                    for name, pairs in questions.items()
                },
                "suggestions": {},
            }
            for k in range(count)
        ]
    )


def test_questions_are_listed() -> None:
    assert refused(FLAT) == (
        f"{FLAT.name}: 3 questions: read one of them by question='sentiment' (labels, 9 "
        "judgements), question='topics' (labels, 9 judgements), question='quality' (number, 9 "
        "judgements)"
    )


def test_flattened() -> None:
    ratings = read(FLAT, question="sentiment")
    assert ratings.item.values.tolist() == ["r-1", "r-2", "r-3", "r-4", "r-5"]
    assert ratings.annotator.values.tolist() == USERS[:2]
    assert ratings.label.values.tolist() == ["mixed", "negative", "neutral", "positive"]
    assert ratings.primary.values.tolist() == [[3, 3], [1, 1], [2, -1], [-1, -1], [3, 0]]
    assert ratings.attrs["skipped"] == (
        f"1 draft; 4 predictions; 2 judgements without an answer ({USERS[1]}: 2)"
    )
    quality = read(FLAT, question="quality")
    assert quality.label.values.tolist() == [1, 2, 3, 4, 5]
    assert quality.primary.values.tolist() == [[4, 3], [0, 1], [2, -1], [-1, -1], [3, 3]]
    topics = read(FLAT, question="topics", skipped="drop")
    assert topics.item.values.tolist() == ["r-1", "r-2", "r-5"]
    assert topics.mass.sel(item="r-5").values.tolist() == [[0, 1, 0, 0, 1], [0, 1, 0, 0, 0]]


def test_what_is_left_out_can_be_included() -> None:
    ratings = read(FLAT, question="sentiment", include=["drafts", "predictions"])
    assert ratings.annotator.values.tolist() == [*USERS, "m1"]
    assert ratings.primary.values.tolist() == [
        [3, 3, 3, 3], [1, 1, -1, 1], [2, -1, -1, 2], [-1, -1, -1, -1], [3, 0, -1, 3]
    ]  # fmt: skip
    assert "draft" not in ratings.attrs["skipped"]


def test_nested_records_tell_no_status() -> None:
    ratings = read(NESTED, question="sentiment", item="fields.text", keep="metadata.source")
    assert ratings.item.values.tolist()[2] == "ok i guess"
    assert ratings["metadata.source"].values.tolist() == ["web"] * 5
    assert ratings.primary.values.tolist() == [
        [3, 3, 3], [1, 1, -1], [2, 1, -1], [-1, -1, -1], [3, 0, -1]
    ]  # fmt: skip
    assert "10 responses without a status" in ratings.attrs["notices"]
    assert f"1 judgement without an answer ({USERS[1]}: 1)" in ratings.attrs["skipped"]


def test_who_always_answers_an_empty_list_is_an_annotator(write: Write) -> None:
    pairs = [(["a", "b"], []), (["b"], []), ([], [])]
    ratings = read(write(records(q=pairs), "r.json"))
    assert ratings.annotator.values.tolist() == ["ann", "bob"]
    assert ratings.mass.values.tolist() == [[[1, 1], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [0, 0]]]
    # who left the question out, or discarded all records, is none
    left_out = [(labels, None) for labels, _ in pairs]
    assert "only one annotator" in refused(write(records(q=left_out), "r.json"))
    states = ["submitted", "discarded"]
    rows = [
        {
            "id": f"r{k}",
            "q.responses": pair,
            "q.responses.users": ["ann", "bob"],
            "q.responses.status": states,
        }
        for k, pair in enumerate(pairs)
    ]
    assert "only one annotator" in refused(write(json.dumps(rows), "r.json"))
    rows = [row | {"q.responses.status": ["submitted"] * 2} for row in rows]
    assert read(write(json.dumps(rows), "r.json")).mass.equals(ratings.mass)


def test_a_question_of_empty_lists_alone_is_not_the_one_to_read(write: Write) -> None:
    empty = [([], [])] * 3
    path = write(records(q=empty, p=[("x", "y"), ("x", "x"), ("y", "y")]), "r.json")
    assert read(path).primary.values.tolist() == [[0, 1], [0, 0], [1, 1]]


def test_parquet_of_the_hub(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in FLAT.read_text().splitlines()]
    path = tmp_path / "train.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    ratings = read(path, question="sentiment")
    assert ratings.attrs["read_as"].startswith("Argilla Parquet, question 'sentiment'")
    assert ratings.primary.values.tolist() == [[3, 3], [1, 1], [2, -1], [-1, -1], [3, 0]]
    path.write_bytes(path.read_bytes()[:-40])
    assert "t" in refused(path)


OLD = [
    {
        "text": text,
        "tone": [
            {"user_id": "ann", "value": tone, "status": "submitted"},
            {"user_id": "bob", "value": "sad", "status": status},
        ],
        "tone-suggestion": "glad",
        "tone-suggestion-metadata": {"type": None, "score": None, "agent": "m"},
        "order": {
            "user_id": ["ann", "bob"],
            "value": [
                [{"rank": 1, "value": "a"}, {"rank": 2, "value": "b"}],
                [{"rank": 1, "value": option} for option in "ba"]
                if status != "discarded"
                else None,
            ],
            "status": ["submitted", status],
        },
        "external_id": None,
        "metadata": "{}",
    }
    for text, tone, status in (("t1", "sad", "submitted"), ("t2", "glad", "discarded"))
]


def test_columns_of_1x(write: Write) -> None:
    path = write("\n".join(map(json.dumps, OLD)), "train.jsonl")
    tone = read(path, question="tone")
    assert "items are row numbers" in tone.attrs["read_as"]
    assert tone.primary.values.tolist() == [[1, 1], [0, -1]]
    assert tone.attrs["skipped"] == "2 predictions; 1 judgement without an answer (bob: 1)"
    tone = read(path, question="tone", item="text", include="predictions")
    assert tone.primary.values.tolist() == [[1, 1, 0], [0, -1, 0]]
    order = read(path, question="order", item="text")
    assert order.item.values.tolist() == ["t1 | a", "t1 | b", "t2 | a", "t2 | b"]
    assert order.record.values.tolist() == ["t1", "t1", "t2", "t2"]
    assert order.primary.values.tolist() == [[0, 0], [1, 0], [0, -1], [1, -1]]
    assert "2 judgements without an answer (bob: 2)" in order.attrs["skipped"]
    both = [path, write(path.read_text(), "test.jsonl")]
    with pytest.raises(IaaError, match="records have no id"):
        read(both, question="tone")


def test_responses_of_1x_by_user(write: Write) -> None:
    record = {
        "id": "r",
        "fields": {"text": "t"},
        "responses": [
            {"user_id": "ann", "values": {"q": {"value": "x"}}, "status": "submitted"},
            {"user_id": "bob", "values": {"q": {"value": "y"}}, "status": "submitted"},
            {"user_id": "cy", "values": None, "status": "discarded"},
        ],
        "suggestions": [{"question_name": "q", "value": "x", "agent": None}],
    }
    path = write(json.dumps(record), "r.json")
    assert read(path).primary.values.tolist() == [[0, 1]]
    assert read(path).attrs["skipped"] == "1 prediction; 'cy', who answered nothing"
    added = read(path, include="predictions")
    assert added.annotator.values.tolist() == ["ann", "bob", "suggestion"]


def test_lists_in_other_orders_are_rankings(write: Write) -> None:
    path = write(records(q=[(["a", "b"], ["b", "a"]), (["a", "b"], ["a", "b"])]), "r.json")
    ratings = read(path)
    assert ratings.item.values.tolist() == ["r0 | a", "r0 | b", "r1 | a", "r1 | b"]
    assert ratings.primary.values.tolist() == [[0, 1], [1, 0], [0, 0], [1, 1]]
    assert "different orders was read as a ranking" in ratings.attrs["notices"]
    sets = read(write(records(q=[(["a", "b"], ["a"]), (["b", "a"], [])]), "r.json"))
    assert sets.mass.values.tolist() == [[[1, 1], [1, 0]], [[1, 1], [0, 0]]]


def test_settings_tell_how_questions_are_asked(write: Write) -> None:
    answers = records(q=[(["a", "b"], ["b", "a"])], why=[("so", "so")], tone=[("x", "y")])
    kinds = {"q": "multi_label_selection", "why": "text", "tone": "label_selection"}

    def settings() -> Path:
        questions = [{"name": name, "settings": {"type": kind}} for name, kind in kinds.items()]
        told = {"guidelines": None, "fields": [], "questions": questions}
        return write(json.dumps(told), "settings.json")

    files = [write(answers, "records.json"), settings()]
    ratings = read(files, question="q")
    assert ratings.mass.values.tolist() == [[[1, 1], [1, 1]]]
    assert "answers to 'why' (text)" in ratings.attrs["skipped"]
    kinds["tone"] = "rating"
    settings()
    with pytest.raises(IaaError, match="'x' is no answer to 'tone', which takes a number"):
        read(files, question="q")


def test_texts_are_not_read(write: Write) -> None:
    path = write(records(why=[("so\nand so", "yes")], tone=[("x", "y")]), "r.json")
    ratings = read(path)
    assert "question 'tone'" not in ratings.attrs["read_as"]
    assert "answers to 'why' (text)" in ratings.attrs["skipped"]


def test_spans(write: Write) -> None:
    span = {"label": "PER", "start": 0, "end": 3}
    path = write(records(names=[([span], [span | {"end": 4}]), ([], [span])]), "r.json")
    spans = read_spans(path)
    assert spans.sizes["span"] == 3
    assert spans.seen.values.all()
    message = "a span from 5 to 3, which are not positions"
    bad = write(records(names=[([span | {"start": 5}], [])]), "r.json")
    with pytest.raises(IaaError, match=rf"r\.json record 1: {message}"):
        read_spans(bad)


def test_answered_twice(write: Write) -> None:
    text = records(q=[("x", "y"), ("x", "x")]).replace('"bob"', '"ann"', 1)
    path = write(text, "r.json")
    assert "'ann'" in refused(path)
    assert read(path, duplicates="last").primary.values.tolist() == [[1, -1], [0, 0]]


def test_lists_that_do_not_fit(write: Write) -> None:
    text = '{"id": 1, "q.responses": ["x", "y"], "q.responses.users": ["ann"]}'
    message = "r.jsonl record 1: 2 answers to 'q' by 1 users"
    assert message in refused(write(text, "r.jsonl"))
    text = text.replace('["x", "y"]', '"x"')
    assert "r.jsonl record 1: 'x' where a list is needed" in refused(write(text, "r.jsonl"))
