"""Label Studio's JSON-MIN, CSV and TSV, and broken files of its."""

from __future__ import annotations

import copy
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_spans
from tests.io.alike import alike
from tests.io.tasks import PROJECT, SAMPLES, Json, export_of, grid, judged

Write = Callable[..., Path]
MIN = SAMPLES / "synthetic_three_annotators_json_min.json"
CSV = SAMPLES / "synthetic_three_annotators.csv"


def row(number: Json, who: Json, **more: Json) -> dict[str, Json]:
    """A record of JSON-MIN, in its order."""
    made = {"annotator": who, "annotation_id": who and f"{number}-{who}", "created_at": None}
    return {"text": f"text {number}", "id": number, **more, **made, "lead_time": 1.5}


def as_csv(rows: Sequence[dict[str, Json]], separator: str = ",") -> str:
    """Return the rows as CSV has them, columns in alphabetical order."""
    names = sorted({name for each in rows for name in each})
    lines = [names]
    for each in rows:
        cells = [each.get(name) for name in names]
        lines.append(
            [
                json.dumps(c) if isinstance(c, (dict, list)) else "" if c is None else c
                for c in cells
            ]
        )
    text = StringIO()
    csv.writer(text, delimiter=separator, quoting=csv.QUOTE_NONNUMERIC).writerows(lines)
    return text.getvalue()


@pytest.fixture(params=["JSON-MIN", "CSV", "TSV"])
def written(request: pytest.FixtureRequest, write: Write) -> Callable[..., Path]:
    """Rows in each of the formats."""

    def written(rows: Sequence[dict[str, Json]]) -> Path:
        if request.param == "JSON-MIN":
            return write(json.dumps(rows), "p.json")
        comma = request.param == "CSV"
        return write(as_csv(rows, "," if comma else "\t"), "p.csv" if comma else "p.tsv")

    return written


@pytest.mark.parametrize("path", [MIN, CSV], ids=["JSON-MIN", "CSV"])
@pytest.mark.parametrize("kept", ["first", "last"])
def test_the_same_ratings_in_all_formats(path: Path, kept: str) -> None:
    """But for gold, which these do not mark, and skipped annotations, which they lack."""
    options = {"duplicates": kept}
    for question in ("sentiment", "aspects", "quality", "topic", "pref"):
        whole = read(PROJECT, question=question, include="gold", **options)
        ours = read(path, question=question, **options)
        whole, ours = (each.sortby(["item", "annotator"]) for each in (whole, ours))
        alike(ours, whole)
    spans, known = (read_spans(each, **options) for each in (path, PROJECT))
    for name in ("document_of", "start", "end", "label_of"):
        assert sorted(spans[name].values) == sorted(known[name].values)
    assert "ground truth are not marked" in spans.attrs["notices"]


def test_columns_of_answers(written: Callable[..., Path]) -> None:
    """What differs between annotations of a task was answered, and so is what has the form."""
    rows = [row(1, 1, mood="a", note="n"), row(1, 2, mood="b", stars=[{"rating": 2}], note="n")]
    rows += [row(2, 1, mood="a"), row(2, 2, mood="a")]
    del rows[0]["note"], rows[1]["note"]
    export = export_of(written(rows))
    assert set(export.questions) == {"mood", "stars"}
    assert sorted(judged(export, "mood"))[:2] == [
        ("1", "1", "ANSWERED", ("a",)),
        ("1", "2", "ANSWERED", ("b",)),
    ]
    assert [row[2] for row in judged(export, "stars")] == ["EMPTY", "ANSWERED", "EMPTY", "EMPTY"]


def test_all_agree(written: Callable[..., Path]) -> None:
    """Nothing but the order of JSON-MIN tells an answer that is always the same."""
    rows = [row(task, who, mood="ab"[task % 2]) for task in (1, 2, 3) for who in (1, 2)]
    path = written(rows)
    ratings = read(path, question="mood")
    assert grid(ratings) == [["b", "b"], ["a", "a"], ["b", "b"]]
    if path.suffix == ".json":
        alike(read(path), ratings)
        return
    with pytest.raises(IaaError, match=r"2 questions: .*'mood' .*'text'"):
        read(path)
    untouched = row(4, None)
    alike(read(written([*rows, untouched])), ratings)  # it has a text, but no mood


def test_data_named_like_an_answer(write: Write) -> None:
    rows = [
        row(task, who, text="ab"[task % 2], _data_text=f"t{task}")
        for task in (1, 2)
        for who in (1, 2)
    ]
    for name in ("text", "data.text"):
        ratings = read(write(as_csv(rows), "p.csv"), question="text", item=name)
        assert ratings["item"].values.tolist() == ["t1", "t2"]
        assert grid(ratings) == [["b", "b"], ["a", "a"]]


def test_what_lost_its_place_is_named(written: Callable[..., Path]) -> None:
    """Of answers about regions JSON-MIN keeps the place only where several were given."""
    place = {"start": 1, "end": 4}
    rows = [
        row(1, 1, sure="yes", tags=["a", "b"], box=[{"x": 1.5, "rectanglelabels": ["car"]}]),
        row(1, 2, sure=[place | {"choices": ["no", "so"]}], tags="a", mood="a"),
    ]
    export = export_of(written(rows))
    assert set(export.questions) == {"mood", "tags"}
    unread = {(note.values["question"], note.values["kind"]) for note in export.remarks.notes}
    assert unread == {
        *(("sure", "parts of it without their position"), ("tags", "several texts")),
        ("box", "rectanglelabels"),
    }


def test_spans_and_orders_of_rows(written: Callable[..., Path]) -> None:
    place = {"start": 1, "end": 4}
    rows = [
        row(1, 1, ner=[place | {"labels": ["A"]}], rank=[{"ranker": {"rank": ["x", "y"]}}]),
        row(1, 2, rank=[{"ranker": {"rank": ["y", "x"]}}]),
    ]
    spans = read_spans(written(rows))
    assert spans["start"].values.tolist() == [1]
    assert spans["seen"].values.all()
    assert grid(read(written(rows), question="rank")) == [[1, 2], [2, 1]]


def test_annotators_of_rows(written: Callable[..., Path]) -> None:
    rows = [row(1, "a@x.org", mood="a"), row(1, "b@x.org", mood="b")]
    assert read(written(rows))["annotator"].values.tolist() == ["a@x.org", "b@x.org"]
    rows[0]["annotator"] = None
    with pytest.raises(IaaError, match="1 judgement without annotator"):
        read(written(rows))


def test_times_of_rows(written: Callable[..., Path]) -> None:
    rows = [
        row(1, 1, mood=mood) | {"created_at": f"2024-01-0{day}"}
        for mood, day in (("a", 2), ("b", 1))
    ]
    rows.append(row(1, 2, mood="b"))
    assert grid(read(written(rows), duplicates="first")) == [["b", "b"]]
    assert grid(read(written(rows), duplicates="last")) == [["a", "b"]]


def test_the_tab_separated_sample() -> None:
    """Nothing tells which of its columns was answered: the interface was not exported."""
    path = SAMPLES / "real_csv_test2_result.tsv"
    found = judged(export_of(path), "title")
    assert found == [("4", "test@heartex.com", "ANSWERED", ("TAN BAI",))]
    with pytest.raises(IaaError, match=r"5 questions: .*question='title' \(labels, 1 judgement\)"):
        read(path)


def test_one_format_at_a_time(tmp_path: Path) -> None:
    for path in (MIN, CSV, PROJECT):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for advised in (PROJECT.name, "*.json"):
        with pytest.raises(IaaError, match="would count twice") as caught:
            read(tmp_path, question="pref", duplicates="first")
        assert str(caught.value).endswith(f"file_pattern={advised!r}")
        ratings = read(tmp_path, question="pref", duplicates="first", file_pattern=advised)
        assert ratings.sizes["annotator"] == 3
        (tmp_path / MIN.name).unlink(missing_ok=True)


def places(value: Json, way: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """The ways to all fields."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*way, key)
        if isinstance(inner, (dict, list)):
            yield from places(inner, (*way, key))


def refusal(path: Path, **options: Json) -> str:
    """What the file is refused with, if it is."""
    try:
        read(path, **options) if options["question"] != "ner" else read_spans(path, **options)
    except IaaError as error:
        return str(error)
    return ""


def test_wrong_types_end_in_a_message(write: Write) -> None:
    """Each field of the project in turn is something else."""
    project = json.loads(PROJECT.read_text())[:1]
    del project[0]["annotations"][1:]
    options = {"duplicates": "first", "include": ["predictions", "gold"]}
    refused = 0
    for number, (*way, last) in enumerate(places(project)):
        for other in (None, [[7]], {"a": [-1e300]}):
            broken = field = copy.deepcopy(project)
            for key in way:
                field = field[key]
            field[last] = other
            path = write(json.dumps(broken), "p.json")
            message = refusal(path, question=("topic", "ner")[number % 2], **options)
            assert not message or "p.json" in message
            refused += bool(message)
    assert refused > 100


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda text: text[: len(text) // 2], "line [0-9]+: this is not JSON"),
        (lambda text: text.replace("Positive", "\udcff"), "is not UTF-8"),
        (lambda text: text.replace('"rating": 4', f'"rating": {"9" * 5000}'), "thousands of dig"),
        (lambda text: text.replace('"rating": 4', '"rating": ' + "[" * 99999), "deeply"),
        (
            lambda text: text.replace('"start": 37', f'"start": {"9" * 30}'),
            "not positions in a text",
        ),
        (lambda text: text.replace('"start": 37', '"start": 77'), "from 77 to 43"),
        (lambda text: text.replace('"Neutral"', '{"a": 1}'), "where a label is needed"),
        (lambda text: text.replace('"result": [', '"result": [7,'), "list of objects is needed"),
    ],
)
def test_broken_files(write: Write, broken: Callable[[str], str], said: str) -> None:
    text = broken(json.dumps(json.loads(PROJECT.read_text()), indent=1))
    path = write(text.encode("utf-8", "surrogateescape"), "p.json")
    with pytest.raises(IaaError, match=said) as caught:
        read(path, question="topic", duplicates="first")
    assert "p.json" in str(caught.value)


def test_a_record_without_its_annotator(write: Write) -> None:
    rows = json.loads(MIN.read_text())
    del rows[0]["annotator"]
    path = write(json.dumps(rows), "p.json")
    assert "p.json" in refusal(path, question="sentiment", duplicates="first")
