"""Label Studio's JSON: what its annotations come to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read, read_spans
from iaa_jax.io.export.answers import Span
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.registry import formats
from iaa_jax.pages.ratings import reading_rows
from iaa_jax.wording import load_notes
from tests.io.alike import alike
from tests.io.tasks import PROJECT, SAMPLES, Json, answer, by, chosen, export_of, grid, judged, task

Write = Callable[..., Path]


@pytest.fixture
def export(write: Write) -> Callable[..., Export]:
    """The export of some tasks."""
    return lambda *tasks, **options: export_of(write(json.dumps(tasks), "project.json"), **options)


@pytest.mark.parametrize(
    ("question", "kept", "wanted"),
    [
        ("sentiment", "first", ["PPN", "N-N", "UU-", "--U", "P--"]),
        ("sentiment", "last", ["PPN", "N-N", "PU-", "--U", "P--"]),
        ("quality", "first", ["432", "1-1", "33-", "--3", "5--"]),
        ("pref", "last", ["llr", "r-r", "ll-", "---", "l--"]),
    ],
)
def test_single_answers(question: str, kept: str, wanted: list[str]) -> None:
    letters = {"P": "Positive", "N": "Negative", "U": "Neutral", "l": "left", "r": "right"}
    names: dict[str, Json] = letters | {"-": None} | {str(n): n for n in range(1, 6)}
    ratings = read(PROJECT, question=question, duplicates=kept)
    assert ratings["item"].values.tolist() == [101, 102, 103, 104, 106]
    assert ratings["annotator"].values.tolist() == ["1", "2", "3"]
    assert grid(ratings) == [[names[letter] for letter in row] for row in wanted]


def test_sets_of_labels() -> None:
    """Nothing chosen of several is an answer; what was cancelled or never seen is none."""
    ratings = read(PROJECT, question="aspects", duplicates="first")
    sets = [
        [
            None if np.isnan(mass).any() else set(ratings["label"].values[mass > 0])
            for mass in of_item
        ]
        for of_item in ratings["mass"].values
    ]
    both = {"Battery", "Sound"}
    assert sets == [
        [both, {"Battery"}, both],
        [{"Service"}, None, {"Service"}],
        [{"Price"}, {"Price"}, None],
        [None, None, set()],
        [{"Overall"}, set(), None],
    ]
    topics = read(PROJECT, question="topic", duplicates="first")["label"].values.tolist()
    assert topics == [
        *("Electronics", "Electronics / Audio", "General"),
        *("Logistics / Damage", "Logistics / Delay", "Pricing"),
    ]


def test_spans_of_the_project() -> None:
    spans = read_spans(PROJECT, duplicates="first")
    columns = ("document_of", "annotator_of", "start", "end", "label_of")
    assert [tuple(int(spans[c][n]) for c in columns) for n in range(3)] == [
        (0, 0, 37, 43, 0),
        (0, 1, 37, 43, 0),
        (3, 2, 14, 19, 1),
    ]
    assert spans["label"].values.tolist() == ["LOC", "ORG"]
    assert spans["seen"].values.sum() == 10  # two of them marked nothing and answered nothing


def test_what_was_left_out_is_said() -> None:
    with pytest.raises(IaaError, match=r"record 3 annotation 2 .*repeats .* annotation 1;"):
        read(PROJECT, question="sentiment")
    skipped = read(PROJECT, question="sentiment", duplicates="last").attrs["skipped"]
    assert skipped == (
        "1 prediction; 1 gold judgement; answers to 'comment' (textarea); 1 repeated rating (kept "
        "the last by time); 1 judgement without an answer (2: 1); 1 empty answer"
    )
    with pytest.raises(IaaError, match=r"5 questions: read one .*question='pref' \(labels, 12"):
        read(PROJECT, duplicates="first")
    with pytest.raises(IaaError, match="there is no question 'mood'"):
        read(PROJECT, question="mood")
    with pytest.raises(IaaError, match=r"else it asks \('ner'\) was answered by spans, which"):
        read(PROJECT, duplicates="first")
    assert read(PROJECT, question="ner", duplicates="first").attrs["task"] == "spans"


def test_gold_and_predictions_on_request() -> None:
    options = {"question": "sentiment", "duplicates": "first"}
    with pytest.raises(
        IaaError, match=r"no annotator is called 'm1'.*1 prediction.* left out"
    ) as e:
        iaa.judge(read(PROJECT, **options), "m1")
    assert str(e.value).endswith("to count each model as an annotator, give include='predictions'")
    assert "9" in read(PROJECT, include="gold", **options)["annotator"].values
    with_both = read(PROJECT, include=["predictions", "gold"], **options)
    assert with_both["annotator"].values.tolist() == ["1", "2", "3", "m1", "9"]
    assert grid(with_both)[0][3] == "Positive"


def test_skipped_as_a_label_or_dropped() -> None:
    options = {"question": "sentiment", "duplicates": "first"}
    assert grid(read(PROJECT, skipped="category", **options))[1][1] == "(skipped)"
    dropped = read(PROJECT, skipped="drop", **options)["item"].values.tolist()
    assert dropped == [101, 103, 104, 106]


@pytest.mark.parametrize("duplicates", ["first", "apart"])
def test_annotators_may_be_left_unnamed(duplicates: str) -> None:
    options = {"question": "sentiment", "duplicates": duplicates}
    named, unnamed = read(PROJECT, **options), read(PROJECT, anonymous=True, **options)
    assert unnamed.attrs["anonymous"] == 1
    assert "taken as anonymous" in unnamed.attrs["read_as"]
    assert unnamed["annotator"].values.tolist()[0] == "rating 1"
    assert "without an answer (" in named.attrs["skipped"]
    assert "without an answer" in unnamed.attrs["skipped"]
    assert "without an answer (" not in unnamed.attrs["skipped"]
    both = [
        iaa.krippendorff_alpha(each, interval=None).estimate.item() for each in (named, unnamed)
    ]
    assert both[0] == pytest.approx(both[1])
    with pytest.raises(IaaError, match="cannot be used with spans: it matters who marked"):
        read(PROJECT, question="ner", duplicates="first", anonymous=True)


def test_items_and_annotators_by_other_fields() -> None:
    options = {"question": "quality", "duplicates": "last"}
    ratings = read(PROJECT, **options)
    for name in ("review_id", "data.review_id"):
        named = read(PROJECT, item=name, keep=["inner_id", "data.text"], **options)
        assert named["item"].values.tolist() == ["rv-101", "rv-102", "rv-103", "rv-104", "rv-106"]
        assert grid(named) == grid(ratings)
        assert named["inner_id"].values.tolist() == [1, 2, 3, 4, 6]
    dated = read(PROJECT, keep=["created_at"], **options)  # of annotations, not of the task
    assert {*map(str, dated["created_at"].values[0])} == {
        "2024-06-03T09:15:00.000000Z",
        "2024-06-04T09:15:00.000000Z",
        "2024-06-04T11:15:00.000000Z",
    }
    by_updater = read(PROJECT, annotator="annotation.updated_by", item="data.text", **options)
    assert grid(by_updater) == grid(ratings)
    with pytest.raises(
        IaaError,
        match=r"annotation 1 has no field 'nowhere'.*its fields are 'text', 'review_id', 'id'",
    ):
        read(PROJECT, item="nowhere", **options)


def test_another_order_of_tasks_and_annotations(write: Write) -> None:
    tasks = json.loads(PROJECT.read_text())[::-1]
    for each in tasks:
        each["annotations"].reverse()
        for annotation in each["annotations"]:
            annotation["result"].reverse()
    for question in ("sentiment", "aspects", "quality", "topic", "pref"):
        for kept in ("first", "last"):
            path = write(json.dumps(tasks), "p.json")
            ours = read(path, question=question, duplicates=kept).sortby("item")
            theirs = read(PROJECT, question=question, duplicates=kept)
            alike(ours, theirs)


def test_a_file_for_each_annotator(tmp_path: Path) -> None:
    """Where each had a project of their own, ids differ and a field of the data names items."""
    for start, who in ((0, "ann"), (50, "bob")):
        tasks = [task(start + n, by(1, chosen("xy"[n % 2]))) for n in range(4)]
        for n, each in enumerate(tasks):
            each["data"]["text"] = f"text {n}"
        (tmp_path / f"of-{who}.json").write_text(json.dumps(tasks[:: -1 if start else 1]))
    ratings = read(tmp_path, item="text", file_pattern="of-{annotator}.json")
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert grid(ratings) == [["x", "x"], ["y", "y"]] * 2


def test_who_annotated(export: Callable[..., Export]) -> None:
    people = [
        {"id": 3, "email": "ann@x.org", "first_name": ""},
        {"id": 4, "email": ""},
        5,
        "six",
        {},
        None,
        [1],
    ]
    found = judged(export(task(1, *(by(who, chosen("a")) for who in people))), "topic")
    assert [who for _, who, _, _ in found] == ["ann@x.org", "4", "5", "six", None, None, None]
    named = judged(
        export(task(1, by(people[0], chosen("a"))), annotator="completed_by.id"), "topic"
    )
    assert named[0][1] == "3"


def test_a_question_that_others_left_out(export: Callable[..., Export]) -> None:
    """Who answered before it was first met left it out too, or skipped it."""
    found = export(
        task(1, by(1, chosen("a")), by(2, was_cancelled=True)),
        task(2, by(1, answer("ner", "labels", start=0, end=4, labels=["X"]))),
        task(3, by(2)),
    )
    assert judged(found, "ner") == [
        ("1", "1", "EMPTY", ()),
        ("1", "2", "SKIPPED", ()),
        ("2", "1", "ANSWERED", (Span(0, 4, "X"),)),
        ("3", "2", "EMPTY", ()),
    ]
    assert [status for _, _, status, _ in judged(found, "topic")] == [
        *("ANSWERED", "SKIPPED", "EMPTY", "EMPTY")
    ]


def test_old_exports(export: Callable[..., Export]) -> None:
    old = {"id": 1, "data": {"text": "t"}, "completions": [by(1, chosen("a"), created_at=99)]}
    old["completions"] += [by(2, skipped=True), by(1, chosen("b"), created_at=98)]
    found = export(old)
    assert [row[2] for row in judged(found, "topic")] == ["ANSWERED", "SKIPPED", "ANSWERED"]
    assert found.questions["topic"].times[2] == 98


def test_a_file_for_each_annotation(tmp_path: Path) -> None:
    """As a target storage has them: the task in the annotation."""
    for who in (1, 2):
        for number in (11, 12):
            made = by({"id": who, "email": f"{who}@x"}, chosen("ab"[number % 2]))
            made["task"] = {"id": number, "data": {"text": "t"}}
            (tmp_path / f"{who}{number}").write_text(json.dumps(made))
    ratings = read(tmp_path)
    assert grid(ratings) == [["b", "b"], ["a", "a"]]


def test_drafts_on_request(export: Callable[..., Export]) -> None:
    draft = {"user": "b@x.org", "created_username": "Bo B b@x.org, 2", "result": [chosen("b")]}
    for first, wanted in ((1, "2"), ({"id": 1, "email": "a@x.org"}, "b@x.org")):
        found = export(task(1, by(first, chosen("a")), drafts=[draft]), include=("drafts",))
        assert judged(found, "topic")[1] == ("1", wanted, "ANSWERED", ("b",))
    assert export(task(1, drafts=[draft, draft])).remarks.left_out["drafts"] == 2


def test_notices_on_gold_and_predictions(write: Write) -> None:
    tasks = [
        task(n, by(1, chosen("a"), ground_truth=n == 1), by(2, chosen("a"), parent_prediction=7))
        for n in range(1, 4)
    ]
    ratings = read(write(json.dumps(tasks), "p.json"))
    notices = ratings.attrs["notices"]
    assert "1 annotation marked as ground truth was left out" in notices
    # what a note tells of is not told again as left out
    assert "gold" in ratings.attrs["skipped"]
    assert "Left out" not in [heading for heading, _ in reading_rows(ratings.attrs)]
    assert "3 annotations were begun from a prediction" in notices
    assert "ground truth" not in read(PROJECT, question="pref", duplicates="first").attrs.get(
        "notices", ""
    )


def starred(*stars: str) -> list[Json]:
    """Tasks of two coders; in each those named are starred ("" if none is)."""
    labels = {"1": "aabb", "2": "abbb"}
    return [
        task(n, *(by(int(who), chosen(labels[who][n]), ground_truth=who in star) for who in "12"))
        for n, star in enumerate(stars)
    ]


def test_use_1_3_a_star_a_task_by_a_coder_counts(write: Write) -> None:
    ratings = read(write(json.dumps(starred("1", "2", "2", "1")), "p.json"))
    assert grid(ratings) == [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]
    notes = {note.code: note.values for note in load_notes(ratings.attrs["reading"])}
    assert notes["label_studio_gold_counted"] == {"count": 4}
    assert "skipped" not in notes
    page = iaa.page(iaa.krippendorff_alpha(ratings, interval=None))
    assert "label_studio_gold_counted" in [note.code for note in page.answer]
    kept = read(write(json.dumps(starred("1", "2", "2", "1")), "p.json"), keep="ground_truth")
    assert (kept.ground_truth.values == "True").tolist() == [
        [True, False], [False, True], [False, True], [True, False]
    ]  # fmt: skip
    asked = read(write(json.dumps(starred("1", "2", "2", "1")), "p.json"), include="gold")
    assert asked.equals(ratings)
    assert "label_studio_gold_counted" not in asked.attrs["reading"]


@pytest.mark.parametrize(
    ("stars", "left_out"), [(("1", "2", "", "1"), 3), (("1", "12", "2", "1"), 5)]
)
def test_other_stars_are_left_out_and_said_first(write: Write, stars: list[str], left_out: int):
    tasks = [*starred(*stars), task(9, by(1, chosen("a")), by(2, chosen("a")))]
    ratings = read(write(json.dumps(tasks), "p.json"))
    notes = {note.code: note.values for note in load_notes(ratings.attrs["reading"])}
    assert notes["label_studio_gold"]["count"] == left_out
    assert int((ratings.primary >= 0).sum()) == 10 - left_out
    page = iaa.page(iaa.krippendorff_alpha(ratings, interval=None))
    assert "label_studio_gold" in [note.code for note in page.answer]


@pytest.mark.parametrize("twice", [True, False])
def test_stars_of_a_manager_or_beside_another_answer_are_left_out(write: Write, twice: bool):
    who = 1 if twice else 7
    tasks = [
        task(n, by(1, chosen("a")), by(2, chosen("b")), by(who, chosen("a"), ground_truth=True))
        for n in range(3)
    ]
    ratings = read(write(json.dumps(tasks), "p.json"))
    assert ratings.annotator.values.tolist() == ["1", "2"]
    told = ratings.attrs.get("notices", "")
    assert ("and duplicates='first' (some repeat a rating" in told) == twice


def test_answers_about_regions_are_no_other_question_of_spans(write: Write) -> None:
    def marked(who: int, sure: str) -> Json:
        place = {"start": 3, "end": 9}
        return by(
            who,
            answer("ner", "labels", **place, labels=["A"]) | {"id": f"r{who}"},
            answer("sure", "choices", **place, choices=[sure]) | {"id": f"r{who}"},
            answer("why", "choices", choices=["guess"]) | {"id": f"r{who}"},
        )

    path = write(json.dumps([task(n, marked(1, "yes"), marked(2, "no")) for n in (1, 2)]), "p.json")
    spans = read_spans(path)
    assert spans.label.values.tolist() == ["A"]
    assert spans.sizes["span"] == 4
    assert sorted(read_spans(path, question="sure").label.values.tolist()) == ["no", "yes"]
    assert read_spans(path, question="why").label.values.tolist() == ["guess"]


def test_spans_of_texts_pages_and_regions(export: Callable[..., Export]) -> None:
    """Places of pages are those in the whole page; answers about a region are spans as well."""
    page = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 1, "endOffset": 5}
    place = {"start": 3, "end": 9}
    found = export(
        task(
            1,
            by(
                1,
                answer(
                    "page", "hypertextlabels", **page, globalOffsets=place, hypertextlabels=["T"]
                ),
                answer("old", "hypertextlabels", **page, globalOffsets=place, htmllabels=["T"]),
                answer("lost", "hypertextlabels", **page, hypertextlabels=["T"]),
                answer("ner", "labels", **place, labels=["A", "B"]) | {"id": "r1"},
                answer("none", "labels", **place),
                answer("sure", "rating", **place, rating=4) | {"id": "r1"},
                answer("why", "choices", choices=["guess"]) | {"id": "r1"},
                answer("note", "textarea", **place, text=["hm"]) | {"id": "r1"},
                answer("sound", "labels", start=0, end=3, labels=["A"]) | {"original_length": 9.5},
                answer("noise", "labels", start=0.5, end=3.25, channel=0, labels=["A"]),
                answer("said", "paragraphlabels", **page | {"start": "0"}, paragraphlabels=["A"]),
                answer("box", "rectanglelabels", x=1, y=2, width=3, rectanglelabels=["A"]),
                answer("car", "choices", x=1, y=2, width=3, choices=["A"]),
                answer("picture", "choices", choices=["A"]) | {"item_index": 1},
                {"from_id": "r1", "to_id": "r2", "type": "relation", "direction": "right"},
            ),
        )
    )
    assert {name: judged(found, name)[0][3] for name in found.questions} == {
        "page": (Span(3, 9, "T"),),
        "old": (Span(3, 9, "T"),),
        "ner": (Span(3, 9, "A"), Span(3, 9, "B")),
        "none": (Span(3, 9, ""),),
        "sure": (Span(3, 9, "4"),),
        "why": (Span(3, 9, "guess"),),
    }
    unread = {(note.values["question"], note.values["kind"]) for note in found.remarks.notes}
    assert unread == {
        *(("lost", "hypertextlabels"), ("note", "textarea"), ("sound", "labels")),
        *(("noise", "labels"), ("said", "paragraphlabels"), ("box", "rectanglelabels")),
        *(("car", "choices"), ("picture", "choices"), ("relation", "relation")),
    }


def test_lengths_of_texts(write: Write) -> None:
    """In units of 16 bits, as spans are, of the field that the spans are in."""

    def marked(start: int, end: int, text: str) -> Json:
        return answer("ner", "labels", start=start, end=end, text=text, labels=["A"])

    tasks = [task(n, by(1), by(2)) for n in (1, 2)]
    tasks[0]["data"] = {"title": "ab", "body": "a 😀 bc"}
    tasks[1]["data"] = {"title": "abc", "body": "plain"}
    tasks[0]["annotations"][0]["result"] = [marked(5, 7, "bc")]
    tasks[1]["annotations"][1]["result"] = [marked(0, 5, "plain")]
    spans = read_spans(write(json.dumps(tasks), "p.json"))
    assert spans["length"].values.tolist() == [7, 5]
    for end, text in ((8, "bc"), (7, "xy")):
        tasks[0]["annotations"][0]["result"] = [marked(5, end, text)]
        assert "length" not in read_spans(write(json.dumps(tasks), "p.json"))
    tasks[0]["annotations"][0]["result"] = [marked(5, 70, "bc")]
    spans = read_spans(write(json.dumps(tasks), "p.json"))
    assert "in 1 document a span ends beyond the text" in spans.attrs["notices"]


def test_orders_and_groups(export: Callable[..., Export]) -> None:
    found = export(
        task(1, by(1, answer("rank", "ranker", ranker={"rank": ["b", "a"]}))),
        task(1, by(1, answer("rank2", "ranker", ranker=["b", "a"]))),
        task(2, by(1, answer("pile", "ranker", ranker={"good": ["a"], "_": ["b"]}))),
        task(3, by(1, answer("odd", "ranker", ranker=7), answer("why", "ranker", ranker={"a": 1}))),
    )
    wanted = [("1 | b", "1", "ANSWERED", ("1",)), ("1 | a", "1", "ANSWERED", ("2",))]
    assert judged(found, "rank") == judged(found, "rank2") == wanted
    assert found.questions["rank"].kind == "number"
    assert [(item, *given) for item, _, _, given in judged(found, "pile")] == [
        ("2 | a", "good"),
        ("2 | b", "_"),
    ]
    assert [note.values["question"] for note in found.remarks.notes] == ["odd", "why"]


def test_real_samples_of_one_annotator() -> None:
    sentiment = judged(export_of(SAMPLES / "real_csv_test_history.json"), "sentiment")
    assert sentiment == [("6141", "sergei@heartex.test", "ANSWERED", ("Positive",))]
    polygons = SAMPLES / "real_json_min_source_data.json"
    assert not export_of(polygons).questions
    with pytest.raises(IaaError, match=r"it asks 'label' \(polygonlabels\)"):
        read(polygons)
    with pytest.raises(IaaError, match="only one annotator"):
        read(SAMPLES / "real_csv_test_history.json")


def test_the_format_by_name() -> None:
    assert "label_studio" in formats()
    named = read(PROJECT, format="label_studio", question="pref", duplicates="first")
    assert grid(named)[0] == ["left", "left", "right"]


LEOKA = {1: (389, 3257, 5), 3: (390, 3512, 11), 8: (313, 2799, 2), 11: (520, 5114, 32)}
"""Annotations of a team, spans but for those that one annotation has twice, drafts."""


@pytest.mark.parametrize("team", LEOKA)
def test_leoka(data_folder: Path, team: int) -> None:
    """A real export: spans and a taxonomy, ground truth among the annotators' own."""
    annotations, spans, drafts = LEOKA[team]
    path = data_folder / "leoka" / f"LEOKA_team_{team}.json.gz"
    whole = export_of(path, include=("gold",))
    assert len(whole.questions["Category"].items) == annotations
    found = [status for _, _, status, _ in judged(whole, "label")]
    marked = sum(len(answer) for _, _, _, answer in judged(whole, "label"))
    assert (marked, found.count("SKIPPED")) == (spans - 29 * (team == 8), 2 * (team == 8))
    for reader in (read, read_spans):
        ratings = reader(path)
        stars_count = team in (1, 3)  # of the others a task has several, or none
        gold = "" if stars_count else "130 gold judgements; "
        assert ratings.attrs["skipped"].startswith(f"{gold}{drafts} drafts")
        assert "130 annotations marked as ground truth" in ratings.attrs["notices"]
        told = ": 129 tasks would have two annotators or more, not 52"
        assert (told in ratings.attrs["notices"]) == (team == 8)
        assert ("label_studio_gold_counted" in ratings.attrs["reading"]) == stars_count
    assert (ratings["length"] > 8).all()


def test_leoka_by_its_texts(data_folder: Path) -> None:
    """The first texts are those of all teams; one team had them twice, as tasks of their own."""
    paths = [data_folder / "leoka" / f"LEOKA_team_{team}.json.gz" for team in (1, 3, 11)]
    assert "30 tasks repeat the data of another one" in read(paths[2]).attrs["notices"]
    with pytest.raises(IaaError, match=r"record 31 annotation 3 .* repeats .* record 1 annotation"):
        read(paths[2], item="text")
    assert read(paths[2], item="text", duplicates="first").sizes["item"] == 99
    ratings = read(paths[:2], item="data.text", duplicates="first")
    assert (ratings.sizes["item"], ratings.sizes["annotator"]) == (
        223,
        6,
    )  # one with a blank at its end
    assert "data of another" not in ratings.attrs.get("notices", "")


def test_progress_is_shown(write: Write) -> None:
    told: list[tuple[int, int]] = []
    tasks = [task(n, by(1, chosen("a")), by(2, chosen("b"))) for n in range(50)]
    path = write(json.dumps(tasks), "p.json")
    read(path, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert len(told) >= 50
    assert told[-1][0] >= told[-1][1] - 1
