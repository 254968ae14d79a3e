"""MTurk and Turkle: batches, fields of every kind, several items in a HIT."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read, read_spans
from iaa_jax.pages import Facts
from iaa_jax.wording import load_notes

Write = Callable[..., Path]

BATCH = Path(__file__).parents[1] / "samples" / "mturk" / "synthetic_Batch_4242_batch_results.csv"


def batch(columns: str, *rows: tuple[str, ...]) -> str:
    """A batch of two HITs for two workers (rows: HIT, worker and answers)."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(["HITId", "WorkerId", *columns.split()])
    writer.writerows(rows)
    return text.getvalue()


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


ITEMS = batch(
    "Input.item_1 Input.item_2 Input.lang Answer.rating1 Answer.rating2 Answer.remark",
    ("H1", "w1", "i1", "i2", "en", "5", "3", "fine"),
    ("H1", "w2", "i1", "i2", "en", "4", "3", ""),
    ("H2", "w1", "i3", "", "de", "1", "", ""),
    ("H2", "w2", "i3", "", "de", "2", "", ""),
)


def test_batch() -> None:
    ratings = read(BATCH)
    assert ratings.item.values.tolist() == [f"3EXAMPLEHIT0H{k}" for k in (1, 2, 3, 4)]
    assert ratings.annotator.values.tolist() == [f"A1EXAMPLEW{k}" for k in (1, 2, 3)]
    assert ratings.label.values.tolist() == [
        "Difficult", "Easy", "Neutral", "Very Difficult", "Very Easy"
    ]  # fmt: skip
    assert ratings.primary.values.tolist() == [[1, 2, 1], [0, 3, -1], [4, 4, -1], [1, -1, -1]]
    assert ratings.attrs["read_as"] == ("MTurk CSV, items from 'HITId', annotators from 'WorkerId'")
    assert ratings.attrs["skipped"] == "1 rejected judgement; 1 empty answer"
    assert read(BATCH, include="rejected").annotator.size == 4


def test_posted_again() -> None:
    assert "repeats" in refused(BATCH, item="Input.sentence_id")
    last = read(BATCH, item="Input.sentence_id", duplicates="last", keep="WorkTimeInSeconds")
    # of the HIT that was posted again, the answer was submitted earlier
    assert last.sel(item="s-3").primary.values.tolist() == [4, 4, -1]
    first = read(BATCH, item="Input.sentence_id", duplicates="first")
    assert first.sel(item="s-3").primary.values.tolist() == [1, 4, -1]
    assert last.WorkTimeInSeconds.dims == ("item", "annotator")


def test_turkle(write: Write) -> None:
    rows = [("1", "7", "t", "a", "ann"), ("1", "8", "t", "b", "bob")]
    path = write(batch("Input.text Answer.tone Turkle.Username", *rows))
    ratings = read(path)
    assert ratings.annotator.values.tolist() == ["ann", "bob"]
    assert "annotators from 'Turkle.Username'" in ratings.attrs["read_as"]
    assert read(path, annotator="WorkerId").annotator.values.tolist() == ["7", "8"]


def test_boxes(write: Write) -> None:
    text = batch(
        "Answer.tone.sad Answer.tone.glad Answer.sure.on",
        ("H1", "w1", "true", "true", "true"),
        ("H1", "w2", "false", "true", "false"),
        ("H2", "w1", "false", "false", "true"),
        ("H2", "w2", "true", "false", "true"),
    )
    path = write(text)
    message = refused(path)
    assert "question='tone' (labels, 4 judgements), question='sure' (labels, 4" in message
    tones = read(path, question="tone")
    assert tones.label.values.tolist() == ["glad", "sad"]
    assert tones.mass.values.tolist() == [[[1, 1], [1, 0]], [[0, 0], [0, 1]]]
    assert read(path, question="sure").primary.values.tolist() == [[1, 0], [1, 1]]


def test_bars_between_boxes_of_one_name(write: Write) -> None:
    ratings = read(write(batch("Answer.tone", ("H1", "w1", "sad|glad"), ("H1", "w2", "sad"))))
    assert ratings.mass.values.tolist() == [[[1, 1], [0, 1]]]
    assert "1 answer holds '|', which MTurk puts between boxes" in ratings.attrs["notices"]


def crowd(**fields: object) -> str:
    return json.dumps([fields])


def test_crowd_elements_as_json(write: Write) -> None:
    entity = {"startOffset": 0, "endOffset": 4, "label": "City"}
    first = crowd(
        tone={"label": "sad"},
        topics={"labels": ["a", "b"]},
        sure={"yes": True, "no": False},
        found={"entities": [entity]},
        drawn={"polygons": [{"vertices": []}]},
        remark="so so",
    )
    second = crowd(tone={"label": "glad"}, topics={"labels": []}, found={"entities": []})
    path = write(batch("Answer.taskAnswers", ("H1", "w1", first), ("H1", "w2", second)))
    assert "5 questions" not in refused(path)
    assert read(path, question="tone").primary.values.tolist() == [[1, 0]]
    topics = read(path, question="topics")
    assert topics.mass.values.tolist() == [[[1, 1], [0, 0]]]
    assert "answers to 'drawn' (objects)" in topics.attrs["skipped"]
    spans = read_spans(path)
    assert spans.sizes["span"] == 1
    assert spans.seen.values.tolist() == [[True, True]]


def test_several_items_or_several_questions(write: Write) -> None:
    path = write(ITEMS)
    told = read(path)
    assert told.item.values.tolist() == ["i1", "i2", "i3"]
    assert told.label.values[told.primary.values].tolist() == [[5, 4], [3, 3], [1, 2]]
    assert told.record.values.tolist() == ["H1", "H1", "H2"]
    note = next(n for n in load_notes(told.attrs["reading"]) if n.code == "mturk_items")
    assert note.values["item"] == "Input.item"
    assert note.values["names"] == ["rating1", "rating2"]
    assert read(path, question="rating").equals(told)
    one = read(path, question="rating1")
    assert one.item.values.tolist() == ["H1", "H2"]
    assert one.primary.values.tolist() == [[3, 2], [0, 1]]
    items = read(path, item="Input.item", keep="Input.lang")
    assert items.item.values.tolist() == ["i1", "i2", "i3"]
    assert items.label.values[items.primary.values].tolist() == [[5, 4], [3, 3], [1, 2]]
    assert items.record.values.tolist() == ["H1", "H1", "H2"]
    assert items["Input.lang"].values.tolist() == ["en", "en", "de"]
    assert "items from 'Input.item'" in items.attrs["read_as"]
    assert "1 question on whole HITs and not on their items ('remark')" in items.attrs["skipped"]


IDS = batch(
    "Input.id1 Input.text1 Input.id2 Input.text2 "
    "Answer.tone1 Answer.tone2 Answer.sure1 Answer.sure2",
    ("H1", "w1", "i1", "good day", "i2", "so", "glad", "sad", "1", "2"),
    ("H1", "w2", "i1", "good day", "i2", "so", "glad", "glad", "1", "1"),
    ("H2", "w1", "i2", "so", "i3", "so", "sad", "sad", "2", "2"),
    ("H2", "w3", "i2", "so", "i3", "so", "sad", "glad", "2", "1"),
)


def test_items_are_named_by_what_tells_them_apart(write: Write) -> None:
    path = write(IDS)
    assert "question='tone' (labels, 8 judgements), question='sure' (labels, 8" in refused(path)
    assert "repeats" in refused(path, question="tone")  # w1 rated i2 in both HITs
    tones = read(path, question="tone", duplicates="first")
    assert tones.item.values.tolist() == ["i1", "i2", "i3"]
    assert tones.label.values.tolist() == ["glad", "sad"]
    assert tones.primary.values.tolist() == [[0, 0, -1], [1, 0, 1], [1, -1, 0]]
    # ids that are numbers of places on the page would merge items
    places = write(
        IDS.replace('"i3"', '"i1"').replace("good day", "a").replace('"so","i1"', '"b","i1"')
    )
    assert "name what was shown by item='Input.id' or item='Input.text'" in refused(places)


def test_answers_with_labels_of_their_own_are_questions(write: Write) -> None:
    path = write(
        IDS.replace('"1","2"', '"low","yes"')
        .replace('"1","1"', '"low","no"')
        .replace('"2","2"', '"high","no"')
        .replace('"2","1"', '"high","yes"')
    )
    message = refused(path)
    assert "differ only in a number" in message
    assert "question='tone1'" in message
    assert read(path, question="sure1").label.values.tolist() == ["high", "low"]


def test_several_items_are_said_in_the_first_lines(write: Write) -> None:
    page = iaa.page(iaa.agree(read(write(ITEMS)), interval=None))
    assert [note.code for note in page.answer].count("mturk_items") == 1
    facts = [row for block in page.blocks if isinstance(block, Facts) for row in block.rows]
    assert all(getattr(text, "code", "") != "mturk_items" for _, text in facts)


def test_numbers_of_questions_alone_are_questions(write: Write) -> None:
    text = ITEMS.replace("Input.item_", "Input.part")
    message = refused(write(text.replace("Input.part2", "Input.other")))
    assert "3 questions: read one of them by question='rating1'" in message
    spread = read(write(ITEMS), item="Input.lang", question="rating2", duplicates="first")
    assert spread.item.values.tolist() == ["en", "de"]


def test_empty_rows_and_bad_times(write: Write) -> None:
    rows = [("H1", "w1", "x", "soon"), ("H1", "w2", "x", ""), ("H2", "", "", "")]
    rows += [("H1", "w1", "y", "Mon Jun 03 09:11:00 PDT 99999999999999999999")]
    path = write(batch("Answer.a SubmitTime", *rows))
    assert read(path, duplicates="first").primary.values.tolist() == [[0, 0]]
    nobody = write(batch("Answer.a", ("H1", "", "x")))
    assert "1 judgement without annotator, as in t.csv line 2" in refused(nobody)


@pytest.mark.parametrize("start", ["-1", '"x"', "null", "[]", "10000000000000000000000"])
def test_spans_without_places(write: Write, start: str) -> None:
    entity = (
        f'[{{"x": {{"entities": [{{"startOffset": {start}, "endOffset": 3, "label": "A"}}]}}}}]'
    )
    path = write(batch("Answer.taskAnswers", ("H1", "w1", entity), ("H1", "w2", entity)))
    with pytest.raises(IaaError, match=r"t\.csv HIT H1: a span from"):
        read_spans(path)
