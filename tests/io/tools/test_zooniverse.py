"""Zooniverse: tasks of classifications, surveys and what they ask of each choice."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
from tests.io.tools.test_crowdflower import nominal_alpha

EXPORT = Path(__file__).parents[1] / "samples" / "zooniverse" / "synthetic_classifications.csv"
HEAD = "classification_id,user_name,user_ip,workflow_id,created_at,gold_standard,annotations"


def task(value: object, name: str = "T0") -> dict[str, object]:
    return {"task": name, "value": value}


def chosen(*names: str) -> dict[str, object]:
    return task([{"choice": name, "answers": {}} for name in names])


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Path]:
    """An export of rows of a volunteer, a subject, annotations, and perhaps a workflow."""

    def make(*rows: tuple[str, str, object] | tuple[str, str, object, str]) -> Path:
        path = tmp_path / "classifications.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow([*HEAD.split(","), "subject_ids"])
            for number, (who, subject, annotations, *workflow) in enumerate(rows):
                cells = [number, who, f"ip{number}", *(workflow or "7"), "2020-01-01 10:00:00 UTC"]
                table.writerow([*cells, "", json.dumps(annotations), subject])
        return path

    return make


def test_a_survey(made: Callable[..., Path]) -> None:
    """The first command reads the choices; the small table of the second field trial."""
    each = [("ann", 901, "DEER"), ("bob", 901, "DEER"), ("ann", 902, "NONE"), ("cleo", 902, "FOX")]
    each += [("bob", 903, "FOX"), ("cleo", 903, "FOX")]
    ratings = read(made(*((who, item, [chosen(label)]) for who, item, label in each)))
    assert ratings.attrs["read_as"] == (
        "Zooniverse CSV, items from 'subject_ids', annotators from 'user_name'"
    )
    expected = nominal_alpha([["DEER", "DEER"], ["NONE", "FOX"], ["FOX", "FOX"]])
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(expected)
    assert expected == pytest.approx(0.545, abs=5e-4)


def test_tasks_are_questions(made: Callable[..., Path]) -> None:
    night = read(EXPORT, question="T1")
    assert night.primary.values.tolist() == [[1, 1, 0], [-1, 0, 0], [0, 0, -1]]  # one on a page
    assert night.annotator.values.tolist() == ["ann", "bob", "not-logged-in-0a1b2c"]
    assert "1 gold judgement" in night.attrs["skipped"]
    assert "answers to 'T2' (marks); answers to 'T5' (text)" in night.attrs["skipped"]
    assert "1 annotator was not logged in" in night.attrs["notices"]
    assert read(EXPORT, question="T1", include=["gold"]).sizes["annotator"] == 4
    animals = read(EXPORT, question="T0")
    assert animals.attrs["task"] == "multi_label"
    assert animals.label.values.tolist() == ["DEER", "FOX", "NOTHINGHERE"]
    with pytest.raises(IaaError, match=r"line 2.*where a list is needed"):
        read(made(("ann", "1", {"task": "T0"}), ("bob", "1", [])))


def test_what_a_survey_asks_is_about_the_subject_and_the_choice() -> None:
    ratings = read(EXPORT, question="T0.HOWMANY")
    assert ratings.attrs["read_as"].count("'subject_ids', 'choice'") == 1
    of_first = ratings.primary.values[0].tolist()  # a deer on 901: 1, 2, 1
    assert [ratings.label.values.tolist()[code] for code in of_first] == [1, 2, 1]
    assert sum(ratings.primary.values[1] >= 0) == 1  # only bob saw a fox there


def test_tasks_of_several_workflows_are_apart(made: Callable[..., Path]) -> None:
    rows = [(who, "1", [task("yes")], workflow) for workflow in "78" for who in ("ann", "bob")]
    with pytest.raises(IaaError, match=r"question='7\.T0'.*question='8\.T0'"):
        read(made(*rows))


def test_a_task_that_came_twice_is_answered_once(made: Callable[..., Path]) -> None:
    path = made(("ann", "1", [chosen("a"), chosen("b")]), ("", "1", [chosen("a")]))
    ratings = read(path)
    assert ratings.annotator.values.tolist() == ["ann", "not-logged-in-ip1"]
    assert (ratings.mass.values > 0).tolist() == [[[True, True], [True, False]]]
