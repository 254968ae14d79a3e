"""Prodigy: its views, who answered, what is no answer, and what of it is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import IaaError, krippendorff_alpha, read, read_spans
from iaa_jax.data import keep_labels
from iaa_jax.io.base import Options
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.prodigy import TOOL

Task = dict[str, Any]

SAMPLES = Path(__file__).parents[1] / "samples" / "prodigy"
BINARY = SAMPLES / "real_pydata_ams_2023_excerpt.jsonl"
CHOICES = SAMPLES / "synthetic_choice_multiple_sessions.jsonl"
NER = SAMPLES / "synthetic_ner_manual_sessions.jsonl"
OPTIONS = [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}, {"id": "c", "text": "C"}]


def task(item: int, annotator: str | None, view: str = "classification", **fields: object) -> Task:
    made = {"text": f"text {item}", "_input_hash": item, "_view_id": view, "answer": "accept"}
    return {**made, "_annotator_id": annotator, **fields}


def choice(item: int, annotator: str, *accept: object, **fields: object) -> Task:
    return task(item, annotator, "choice", options=OPTIONS, accept=[*accept], **fields)


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Path]:
    def write(tasks: Iterable[Task], name: str = "export.jsonl") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(one) + "\n" for one in tasks))
        return path

    return write


def refused(path: Path, reader: Callable[..., object] = read, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        reader(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize(
    ("duplicates", "skipped", "alpha"),
    [
        ("first", "missing", 0.4737),
        ("last", "missing", 0.5421),
        ("first", "category", 0.2917),
        ("last", "category", 0.3149),
    ],
)
def test_the_real_excerpt(duplicates: str, skipped: str, alpha: float) -> None:
    ratings = read(BINARY, duplicates=duplicates, skipped=skipped)
    assert (ratings.sizes["item"], ratings.sizes["annotator"]) == (14, 6)
    assert "10 repeated ratings" in ratings.attrs["skipped"]
    assert ("judgements without an answer" in ratings.attrs["skipped"]) == (skipped == "missing")
    figure = krippendorff_alpha(ratings, interval=None)
    assert float(figure.estimate) == pytest.approx(alpha, abs=5e-5)


def test_repeats_of_the_excerpt_are_refused() -> None:
    assert "10 repeated ratings of the same item by the same annotator" in refused(BINARY)


def test_several_options() -> None:
    ratings = read(CHOICES)
    assert ratings.label.values.tolist() == ["bug", "docs", "feature", "question"]
    assert ratings.mass.sel(item=1100208219).values.tolist() == [
        [0, 1, 1, 0],
        [0, 0, 1, 0],
        [0, 1, 1, 0],
    ]
    assert not ratings.mass.sel(item=1100224057, annotator="tickets-cem").any()  # empty
    assert ratings.mass.sel(item=1100231976).isnull().all()  # ignored, or rejected as bad
    assert ratings.mass.sel(item=1100216138, annotator="tickets-cem").isnull().all()  # never seen
    assert "3 judgements without an answer" in ratings.attrs["skipped"]
    assert "1 task was rejected where options or spans" in ratings.attrs["notices"]
    with_bad = read(CHOICES, include="rejected").mass.sel(item=1100231976)
    assert with_bad.notnull().all("label").values.tolist() == [False, True, False]


def test_spans() -> None:
    spans = read_spans(NER)
    assert (spans.sizes["span"], spans.sizes["document"]) == (14, 4)
    assert spans.label.values.tolist() == ["GPE", "ORG", "PERSON"]
    assert spans.seen.all()
    assert 2 not in spans.document_of.values  # seen by both, and nothing marked
    assert spans.length.values.tolist() == [35, 41, 21, 35]
    assert read(NER).identical(spans)


@pytest.mark.parametrize(
    ("sample", "reader", "given"),
    [(BINARY, read, {"duplicates": "first"}), (CHOICES, read, {}), (NER, read_spans, {})],
)
def test_a_file_for_each_annotator(
    made: Callable[..., Path], sample: Path, reader: Callable[..., Any], given: dict[str, str]
) -> None:
    """The session is a time stamp, so that the files name the annotators."""
    of_annotator: dict[str, list[Task]] = {}
    for line in sample.read_text().splitlines():
        one = json.loads(line)
        of_annotator.setdefault(one["_annotator_id"], []).append(one)
    paths = []
    for name, tasks in of_annotator.items():
        stamp = f"2024-04-23_14-00-{len(paths):02}"
        nameless = [one | {"_annotator_id": stamp, "_session_id": f"d-{stamp}"} for one in tasks]
        paths.append(made(nameless[::-1], f"files/{name}.jsonl"))
    together, apart = reader(sample, **given), reader(paths[0].parent, **given)
    assert sorted(apart.annotator.values.tolist()) == sorted(of_annotator)
    assert "annotators from file names" in apart.attrs["read_as"]
    assert {axis: apart.sizes[axis] for axis in together.sizes} == dict(together.sizes)
    if reader is read and sample is not BINARY:
        whole = apart.sel(item=together.item, annotator=together.annotator)
        assert whole.mass.equals(together.mass)


def test_files_of_one_name_are_told_apart_by_their_folders(made: Callable[..., Path]) -> None:
    tasks = [task(1, None), task(2, None, answer="reject")]
    paths = [made(tasks, f"{name}/export.jsonl") for name in ("ann", "bob")]
    assert read(paths).annotator.values.tolist() == ["ann/export", "bob/export"]


def test_a_session_that_names_nobody_among_others_is_said(made: Callable[..., Path]) -> None:
    tasks = [task(1, "d-ann"), task(2, "d-ann", answer="reject"), task(1, None)]
    ratings = read(made([*tasks, task(2, None, _session_id="2024-04-23_14-00-48")]))
    assert ratings.annotator.values.tolist() == ["d-ann", "export"]
    assert "2 tasks name no annotator, or only the time of a session" in ratings.attrs["notices"]


def test_the_caller_names_items_and_annotators(made: Callable[..., Path]) -> None:
    meta = [{"id": 7, "who": who} for who in ("ann", "bob")]
    path = made([task(k, None, meta=one, label="x") for k, one in enumerate(meta)])
    ratings = read(path, item="meta.id", annotator="meta.who")
    assert (ratings.item.values.tolist(), ratings.annotator.values.tolist()) == (
        [7],
        ["ann", "bob"],
    )
    assert "notices" not in ratings.attrs
    paths = [made([task(1, "d-x")], f"round-{name}.jsonl") for name in ("ann", "bob")]
    named = read(paths, file_pattern="round-{annotator}.jsonl", keep="text")
    assert named.annotator.values.tolist() == ["ann", "bob"]
    assert named.text.values.tolist() == ["text 1"]


def test_a_question_a_label(made: Callable[..., Path]) -> None:
    """One text is shown once for each label; the item is the text with the label."""
    tasks = [task(1, who, label=label) for who in ("a", "b") for label in ("x", "y")]
    ratings = read(made(tasks))
    assert ratings.item.values.tolist() == ["1 | x", "1 | y"]
    assert "items from '_input_hash', 'label'" in ratings.attrs["read_as"]


def test_spans_that_are_accepted_or_rejected(made: Callable[..., Path]) -> None:
    """A view that only shows spans asks about them; one text may be shown with several."""
    shown = [{"start": 0, "end": end, "label": "PER"} for end in (4, 6)]
    tasks = [
        task(1, who, "ner", spans=[span], tokens=[], answer=answer)
        for who in ("a", "b")
        for span, answer in zip(shown, ("accept", "reject"), strict=True)
    ]
    ratings = read(made(tasks))
    assert ratings.item.values.tolist() == ["1 | 0-4 PER", "1 | 0-6 PER"]
    assert ratings["primary"].values.tolist() == [[0, 0], [1, 1]]


def test_one_of_several_options(made: Callable[..., Path]) -> None:
    style = {"config": {"choice_style": "single"}}
    tasks = [choice(1, "a", "b", **style), choice(1, "b", "a", **style)]
    tasks += [choice(2, who, "c", **style) for who in ("a", "b")]
    path = made([*tasks, choice(2, "c", **style), choice(1, "c", "a", **style)])
    ratings = read(path)
    assert ratings.attrs["task"] == "single"
    assert ratings.attrs["skipped"] == "1 empty answer"
    path = made([*tasks, choice(3, "a", "a", "b", **style)])
    assert "line 5" in refused(path)
    assert "2 answers at once" in refused(path)
    mixed = [choice(1, "a", "b", **style), choice(1, "b", "a", config={"choice_style": "multiple"})]
    assert read(made(mixed)).attrs["task"] == "multi_label"


def test_ids_of_options_may_be_numbers(made: Callable[..., Path]) -> None:
    ids = [{"id": k} for k in (-1, 0, 1)]
    path = made([task(1, who, "choice", options=ids, accept=[k]) for k, who in enumerate("ab")])
    assert read(path).label.values.tolist() == [0, 1]


def test_blocks_ask_several_questions(made: Callable[..., Path]) -> None:
    both = {"options": OPTIONS, "tokens": [], "config": {"choice_style": "multiple"}}
    span = {"start": 0, "end": 4, "label": "PER"}
    tasks = [task(1, "a", "blocks", accept=["a"], spans=[span], **both)]
    tasks += [task(1, "b", "blocks", **both), task(2, "b", "blocks", accept=["a"], **both)]
    path = made(tasks)
    assert read(path).mass.sel(item=1).values.tolist() == [[1], [0]]
    spans = read_spans(path)
    assert (spans.sizes["span"], spans.seen.values.tolist()) == (1, [[True, True], [False, True]])


def test_what_review_makes_is_of_no_annotator(made: Callable[..., Path]) -> None:
    tasks = [task(1, "a"), task(1, "b", answer="reject")]
    review = {"view_id": "classification", "versions": [{"answer": "accept"}]}
    path = made([*tasks, task(1, "c", "review", **review)])
    ratings = read(path)
    assert ratings.sizes["annotator"] == 2
    assert ratings.attrs["skipped"] == "1 judgement of curators"
    assert read(path, include="curator").sizes["annotator"] == 3


def test_patterns_are_no_spans(made: Callable[..., Path]) -> None:
    spans = [{"start": 0, "end": 4, "pattern": 1}, {"start": 0, "end": 4, "label": "x"}]
    path = made([task(1, who, "ner_manual", spans=spans) for who in ("a", "b")])
    read_in = read_spans(path)
    assert read_in.sizes["span"] == 2
    assert "2 highlights of patterns without a label are no spans" in read_in.attrs["notices"]
    old = [task(1, who, "", spans=spans[:1], label="x") for who in ("a", "b")]
    assert read(made(old)).label.values.tolist() == ["accept"]


def test_tasks_without_hash_are_told_by_their_input(made: Callable[..., Path]) -> None:
    tasks = [task(k, who) for k in (1, 2) for who in ("a", "b")]
    for one in tasks:
        del one["_input_hash"]
    ratings = read(made(tasks))
    assert ratings.item.values.tolist() == ["text 1", "text 2"]
    assert "4 tasks have no _input_hash" in ratings.attrs["notices"]
    del tasks[2]["text"]
    assert "line 3: a task without _input_hash, and without text, image" in refused(made(tasks))


def test_what_holds_no_answer_is_counted(made: Callable[..., Path]) -> None:
    tasks = [task(1, who) for who in ("a", "b")]
    drawn = [task(2, "a", "image_manual", spans=[{"points": []}])]
    ratings = read(made([*tasks, task(3, "a", answer=None), *drawn]))
    left_out = "1 task without an answer; 1 task of other views ('image_manual')"
    assert ratings.attrs["skipped"] == left_out
    assert "tasks of the view 'image_manual', which are not read" in refused(made(drawn))


def test_questions_in_one_list_are_noticed(made: Callable[..., Path]) -> None:
    packed = [{"id": f"{q}: {a}"} for q in ("Tone", "Topic") for a in ("x", "y")]
    tasks = [
        task(1, who, "choice", options=packed, accept=["Tone: x", topic])
        for who, topic in (("a", "Topic: x"), ("b", "Topic: y"))
    ]
    ratings = read(made(tasks))
    assert "4 options answer several questions in one list" in ratings.attrs["notices"]
    kept = keep_labels(ratings, ["Topic: x", "Topic: y"])
    assert kept.label.values.tolist() == ["Topic: x", "Topic: y"]
    tasks = [one | {"options": [*packed, {"id": "none"}]} for one in tasks]
    assert "notices" not in read(made(tasks)).attrs


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"answer": "maybe"}, "the answer 'maybe' is none of accept, reject, ignore"),
        ({"answer": ["accept"]}, "is none of accept, reject, ignore"),
        ({"_view_id": ["choice"]}, "_view_id is no name but"),
        ({"_view_id": "choice", "accept": "a"}, "accept is no list but 'a'"),
        ({"_view_id": "choice", "accept": [{"id": "a"}]}, "but is not the id of an option"),
        ({"_view_id": "choice", "options": {"a": 1}}, "options is no list but"),
    ],
)
def test_what_prodigy_never_writes(made: Callable[..., Path], fields: Task, reason: str) -> None:
    message = refused(made([task(1, "a"), task(2, "a") | fields]))
    assert message.startswith("export.jsonl line 2: ")
    assert reason in message


@pytest.mark.parametrize(
    "span", ["x", {"start": 4, "end": 2, "label": "x"}, {"start": 0, "end": 10**30, "label": "x"}]
)
def test_spans_without_places(made: Callable[..., Path], span: object) -> None:
    path = made([task(1, "a", "ner_manual", spans=[span])])
    assert "export.jsonl line 1: " in refused(path, read_spans)


def test_judgements_of_one_annotator(made: Callable[..., Path]) -> None:
    export = Export(TOOL.title, Options())
    TOOL.read([Source(made([choice(1, "a", "b"), choice(2, "a")]))], export)
    question = export.questions["accept"]
    assert list(question.offered) == ["a", "b", "c"]
    assert list(question.answers) == [("b",), ()]
    assert dict(export.views) == {"choice": 2}
