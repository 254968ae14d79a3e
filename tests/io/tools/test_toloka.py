"""Toloka: assignments as TSV, and crowd-kit's long table, which is a plain one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, krippendorff_alpha, read, read_spans

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "toloka"
ASSIGNMENTS = SAMPLES / "synthetic_assignments.tsv"
HEAD = "INPUT:text\tOUTPUT:result\tASSIGNMENT:worker_id\tASSIGNMENT:status\n"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_assignments() -> None:
    ratings = read(ASSIGNMENTS)
    assert ratings.item.values.tolist() == ["0001--t1", "0002--t2", "0003--t3"]
    assert ratings.annotator.values.tolist() == ["1" * 32, "2" * 32, "3" * 32]
    assert ratings.label.values.tolist() == ["cat", "dog", "none"]
    assert ratings.primary.values.tolist() == [[0, 0, 1], [1, -1, 1], [0, 2, 0]]
    # the column of comments is blank throughout, so that there is one question
    assert ratings.attrs["read_as"] == (
        "Toloka TSV, question 'result', items from 'ASSIGNMENT:task_id', "
        "annotators from 'ASSIGNMENT:worker_id'"
    )
    assert ratings.attrs["skipped"] == "1 rejected judgement; 2 gold judgements"


def test_what_is_left_out_can_be_included() -> None:
    ratings = read(ASSIGNMENTS, include=["gold", "rejected"], item="INPUT:id", keep="INPUT:image")
    assert ratings.item.values.tolist() == ["im-1", "im-2", "im-3", "im-4"]
    assert ratings.primary.values.tolist() == [[0, 0, 1], [1, 1, 1], [0, 2, 0], [1, 0, -1]]
    assert ratings["INPUT:image"].values.tolist() == [f"img/{k}.jpg" for k in (1, 2, 3, 4)]
    assert ratings.attrs["skipped"] == ""


def test_tasks_without_id_are_told_by_what_was_shown(write: Write) -> None:
    rows = ("a\tx\tw1\tAPPROVED", "a\ty\tw2\tSUBMITTED", "b\tx\tw1\tSKIPPED", "b\tx\tw2\tACTIVE")
    path = write(HEAD + "\n".join(rows), "a.tsv")
    ratings = read(path)
    assert "items from 'INPUT:text'" in ratings.attrs["read_as"]
    assert ratings.primary.values.tolist() == [[0, 1], [-1, -1]]
    assert "1 judgement without an answer (w1: 1)" in ratings.attrs["skipped"]
    assert "1 draft" in ratings.attrs["skipped"]
    assert read(path, skipped="drop", include="drafts").item.values.tolist() == ["a"]
    two = "INPUT:lang\t" + HEAD + "\n".join(f"en\t{row}" for row in rows)
    ratings = read(write(two, "b.tsv"))
    assert ratings.item.values.tolist() == ["en | a", "en | b"]
    assert read(path, item="INPUT:text", annotator="ASSIGNMENT:worker_id").equals(read(path))


def test_lists_and_boxes_are_sets_and_shapes_are_not_read(write: Write) -> None:
    rows = [f'a\t"{cell}"\tw{k}\tAPPROVED' for k, cell in enumerate(('[""x"",""y""]', '[""x""]'))]
    ratings = read(write(HEAD + "\n".join(rows), "a.tsv"))
    assert ratings.mass.values.tolist() == [[[1, 1], [1, 0]]]
    ticked = HEAD + 'a\t{"x":true,"y":true}\tw1\tAPPROVED\na\t{"x":false,"y":true}\tw2\tAPPROVED\n'
    assert read(write(ticked, "a.tsv")).mass.values.tolist() == [[[1, 1], [0, 1]]]
    shape = HEAD + 'a\t[{"type":"point"}]\tw1\tAPPROVED\na\t[{"type":"box"}]\tw2\tAPPROVED\n'
    assert "it asks 'result' (objects)" in refused(write(shape, "a.tsv"))


def test_repeats_and_questions(write: Write) -> None:
    text = HEAD + "a\tx\tw1\tAPPROVED\na\ty\tw1\tAPPROVED\na\tx\tw2\tAPPROVED\n"
    message = refused(write(text, "a.tsv"))
    assert "'w1'" in message
    assert "a.tsv line 2" in message
    assert read(write(text, "a.tsv"), duplicates="last").primary.values.tolist() == [[1, 0]]
    both = text.replace("OUTPUT:result", "OUTPUT:a").replace("INPUT:text", "OUTPUT:b")
    assert "question='b' (labels, 3 judgements)" in refused(write(both, "a.tsv"))
    assert "there is no question" in refused(ASSIGNMENTS, question="other")
    with pytest.raises(IaaError, match="answered by labels of whole items"):
        read_spans(ASSIGNMENTS)


def test_crowd_kit_is_a_plain_table() -> None:
    ratings = read(SAMPLES / "real_crowdkit_toy_answers.csv")
    assert ratings.attrs["layout"] == "long"
    assert float(krippendorff_alpha(ratings).estimate) == 0.14219114219114215
