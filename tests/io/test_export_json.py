"""Records of JSON files, one after the other: what is read, and what is refused, and where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError
from iaa_jax.io.export.json_records import first_record, json_records, lines_or_records
from iaa_jax.io.table.source import Source

Write = Callable[..., Path]
RECORDS = [{"a": 1, "b": "é\u2028"}, {"a": [2]}, {"a": {"c": None}}]
LINES = "\n".join(json.dumps(record, ensure_ascii=False) for record in RECORDS)
ARRAY = json.dumps(RECORDS, ensure_ascii=False)


def records(path: Path, **options: object) -> list[tuple[int, object]]:
    return list(json_records(Source(path, **options)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [LINES, f"{LINES}\n", ARRAY, json.dumps(RECORDS, indent=2), f" \n{ARRAY}\n "],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_records_are_the_same_however_they_are_written(
    write: Write, text: str, encoding: str, end: str
) -> None:
    path = write(text.replace("\n", end).encode(encoding), "t.json")
    assert records(path) == [*enumerate(RECORDS, start=1)]
    assert first_record(Source(path)) == RECORDS[0]


def test_other_encodings_are_told(write: Write) -> None:
    path = write('{"a": "é"}'.encode("latin-1"), "t.jsonl")
    assert records(path, encoding="latin-1") == [(1, {"a": "é"})]
    assert first_record(Source(path, encoding="latin-1")) == {"a": "é"}
    with pytest.raises(IaaError, match=r"t\.jsonl line 1: byte 8 of the file .* is not UTF-8"):
        records(path)


def test_lines_are_numbered_as_in_the_file(write: Write) -> None:
    path = write('\n{"a": 1}\n \n{"a": 2}\n\n', "t.jsonl")
    assert records(path) == [(2, {"a": 1}), (4, {"a": 2})]
    assert lines_or_records(Source(path)) == "line"
    assert lines_or_records(Source(write(ARRAY))) == "record"


def test_one_object_is_one_record(write: Write) -> None:
    assert records(write('{\n"a": 1,\n"b": 2}', "t.jsonl")) == [(1, {"a": 1, "b": 2})]
    assert records(write('{"a":\n1}\n{"a":\n2}', "t.jsonl")) == [(1, {"a": 1}), (2, {"a": 2})]
    assert records(write('{"a": 1} {"b": 2}')) == [(1, {"a": 1}), (2, {"b": 2})]
    assert records(write("[]")) == records(write("")) == records(write(" \n ")) == []


DEEP = '{"a": ' * 100_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\n{"a": \n', "line 2: this is not JSON"),
        ('{"a": 1}\nx\n', "line 2: this is not JSON"),
        ('{"a": 1}\n[2]', "line 2: list where an object with named fields is needed"),
        ('{"a": 1}\n{"a": 1, "a": 2}', "line 2: the key 'a' occurs more than once in one object"),
        (f'{{"a": 1}}\n{DEEP}', "line 2: this is nested too deeply"),
        (f'{{"a": 1}}\n{{"a": {"9" * 5000}}}', "line 2: a number has thousands of digits"),
        ('{"a": 1}\n{"a": "\0"}', "line 2: a NUL byte"),
        ('[{"a": 1}, {"a": ', "line 1: this is not JSON"),
        ('[{"a": 1}', "ends within its records, after record 1|a comma or ] is missing"),
        ('[{"a": 1},', "ends within its records, after record 1"),
        (
            '[{"a": 1}\n{"a": 2}]',
            "line 2: this is not JSON: a comma and a record, or ], must follow record 1",
        ),
        ('[{"a": 1}, 2]', "record 2: int where an object with named fields is needed: 2"),
        ('[{"a": 1}]\n[{"a": 2}]', "line 2: .*text after the end of the records"),
        (f'[{{"a": 1}},{DEEP}]', "record 2: this is nested too deeply"),
        ('[{"a": 1},{"b": {"a": 1, "a": 2}}]', "record 2: the key 'a' occurs more than once"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(write: Write, text: str, message: str) -> None:
    with pytest.raises(IaaError, match=f"t.csv.*({message})"):
        records(write(text))


@pytest.mark.parametrize(
    "data",
    [b"", b"[", b"{", b"[[]]", b"1", b"null", b"\xff\xfe", b"\0", b"item,label\n", b"PK\3\4"],
)
def test_what_has_no_first_record(write: Write, data: bytes) -> None:
    assert first_record(Source(write(data))) is None


def test_the_first_record_may_be_large(write: Write) -> None:
    large = {"text": "x" * 200_000, "a": 1}
    for text in (json.dumps(large), json.dumps([large, large]), f"{json.dumps(large)}\n{{}}"):
        assert first_record(Source(write(text))) == large
        assert next(iter(records(write(text))))[1] == large


def test_a_first_record_whose_keys_repeat_is_known_and_refused(write: Write) -> None:
    path = write('{"a": 1, "a": 2}')
    assert first_record(Source(path)) == {"a": 2}
    with pytest.raises(IaaError, match="line 1: the key 'a' occurs more than once"):
        records(path)


@pytest.mark.parametrize("text", [LINES, ARRAY])
def test_progress_ends_at_its_total(write: Write, text: str) -> None:
    said: list[tuple[int, int]] = []
    list(json_records(Source(write(text)), lambda done, total: said.append((done, total))))
    assert said[-1][0] == said[-1][1]
    assert [done for done, _ in said] == sorted(done for done, _ in said)
