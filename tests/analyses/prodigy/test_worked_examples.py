"""The worked examples of Prodigy's manual, by their numbers: P1 to P7, P12 and P13.

The manual prints .1833 and .1681 for P4 and P5, which no table of its 17 examples reaches: both are
.1 too high. The table here has the counts, the percent agreement and the two corrected figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import agreement, from_wide, prodigy

Task = dict[str, Any]

ACCEPT, REJECT = "accept", "reject"
OF_THE_MANUAL = [
    *[(ACCEPT, ACCEPT)] * 5,
    *[(REJECT, REJECT)] * 4,
    *[(ACCEPT, REJECT), (REJECT, ACCEPT)] * 4,
    *[(REJECT, None)] * 3,
]
FAST = ("--replicates", "60")


def binary(rows: Iterable[Sequence[str | None]], names: Sequence[str] = ("d-ann", "d-bob")) -> Task:
    return [
        {
            "text": f"text {number}",
            "_input_hash": number,
            "_task_hash": -number,
            "_view_id": "classification",
            "label": "FRAUD",
            "answer": answer,
            "_annotator_id": name,
        }
        for number, row in enumerate(rows)
        for name, answer in zip(names, row, strict=False)
        if answer is not None
    ]


def choices(rows: Iterable[Sequence[Sequence[str] | None]], *options: str) -> list[Task]:
    return [
        {
            "text": f"text {number}",
            "_input_hash": number,
            "_view_id": "choice",
            "options": [{"id": option, "text": option.title()} for option in options],
            "accept": list(accept or ()),
            "answer": "ignore" if accept is None else "accept",
            "_annotator_id": f"d-{who}",
        }
        for number, row in enumerate(rows)
        for who, accept in zip("abc", row, strict=False)
    ]


@pytest.fixture
def measured(iaa, folder: Path) -> Callable[..., dict[str, Any]]:
    """The record of a command on tasks."""

    def measure(tasks: Iterable[Task], *arguments: str) -> dict[str, Any]:
        lines = "".join(json.dumps(task) + "\n" for task in tasks)
        (folder / "tasks.jsonl").write_text(lines)
        options = FAST if "--interval" not in arguments else ()
        done = iaa("prodigy", *arguments, "tasks.jsonl", *options, "--json", "-")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return measure


@pytest.fixture
def refused(iaa, folder: Path) -> Callable[..., str]:
    """What a command says of tasks that it cannot take."""

    def refuse(tasks: Iterable[Task], *arguments: str) -> str:
        lines = "".join(json.dumps(task) + "\n" for task in tasks)
        (folder / "tasks.jsonl").write_text(lines)
        done = iaa("prodigy", *arguments, "tasks.jsonl")
        assert done.exit_code == 1, done.output
        return done.stderr

    return refuse


def test_P1_binary_reads_the_answers(measured) -> None:
    rows = [*OF_THE_MANUAL, ("ignore", ACCEPT)]
    found = measured(binary(rows), "binary")
    assert (found["annotations"], found["examples"], found["categories"]) == (38, 21, 2)
    kept = measured(binary(rows), "binary", "--skipped", "category")
    assert (kept["annotations"], kept["categories"]) == (39, 3)


def test_P1_multiclass_takes_one_option_a_task(measured, refused) -> None:
    rows = [(["x"], ["x"], ["x"]), (["x"], ["y"], None), (["y"], ["y"], ["y"]), (["x"], ["x"], [])]
    found = measured(choices(rows, "x", "y", "z"), "doc", "multiclass")
    assert (found["annotations"], found["categories"]) == (10, 3)  # z was offered, and not chosen
    ratings = from_wide(
        [["x"] * 3, ["x", "y", None], ["y"] * 3, ["x", "x", None]], labels=list("xyz")
    )
    expected = agreement(ratings, ["gwet_ac2"], interval=None).estimate.item()
    assert found["coefficients"]["gwet_ac2"]["estimate"] == pytest.approx(expected)
    said = refused(choices([*rows, (["x", "y"],)], "x", "y", "z"), "doc", "multiclass")
    assert "1 task with several labels, as in tasks.jsonl line 13 ('x', 'y')" in said
    assert "run 'iaa prodigy doc multilabel'" in said


def test_P1_multilabel_takes_each_label_as_a_binary_problem(measured) -> None:
    rows = [(["x"], ["x", "y"]), (["y"], ["y"]), ([], ["y"]), (["x", "y"], ["x"]), (None, ["x"])]
    found = measured(choices(rows, "x", "y"), "doc", "multilabel", "--interval", "none")
    assert (found["annotations"], found["coincident_examples"]) == (9, 4)
    for label in "xy":
        yes = [[None if accept is None else int(label in accept) for accept in row] for row in rows]
        names = ["percent_agreement", "krippendorff_alpha", "gwet_ac2"]
        alone = agreement(from_wide(yes), names, level="nominal", interval=None)
        of_label = found["labels"][label]["estimate"]
        assert list(of_label) == names
        assert list(of_label.values()) == pytest.approx(alone.estimate.values.tolist())


def test_P2_statistics_count_rows_and_examples(measured) -> None:
    found = measured(binary(OF_THE_MANUAL), "binary")
    assert found["annotations"] == 37  # which the manual calls examples
    assert found["examples"] == 20
    assert found["categories"] == 2
    assert found["coincident_examples"] == 17
    assert found["single_annotation_examples"] == 3
    assert found["annotators"] == 2
    assert found["annotations_per_example"] == pytest.approx(1.85)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("percent_agreement", 0.5294, id="P3"),
        pytest.param("krippendorff_alpha", 0.0833, id="P4"),
        pytest.param("gwet_ac2", 0.0681, id="P5"),
    ],
)
def test_coefficients_of_the_manual(measured, name: str, value: float) -> None:
    figure = measured(binary(OF_THE_MANUAL), "binary")["coefficients"][name]
    assert figure["estimate"] == pytest.approx(value, abs=5e-5)
    assert figure["ci_low"] < figure["estimate"] < figure["ci_high"]


def test_P5_counts_of_the_community_plug_in() -> None:
    """The table of its readme, as labels: .4167, .1809 and .1640."""
    rows = [["b"] * 3, ["a", "b", "c"], ["a", "a", "c"], ["a", "a", "c"], ["a", None, None]]
    found = prodigy(from_wide(rows), interval=None)
    assert found.estimate.values == pytest.approx([0.4167, 0.1809, 0.1640], abs=5e-5)


def test_P6_alpha_is_not_fleiss(measured) -> None:
    """They differ by the ratings: alpha = 1 - (1 - kappa) (1 - 1/n)."""
    rows = [(ACCEPT, ACCEPT)] * 20 + [(ACCEPT, REJECT)] * 5 + [(REJECT, ACCEPT)] * 10
    rows += [(REJECT, REJECT)] * 15
    found = measured(binary(rows), "binary")["coefficients"]["krippendorff_alpha"]["estimate"]
    fleiss = agreement(from_wide(rows), ["fleiss_kappa"], interval=None).estimate.item()
    assert (found, fleiss) == pytest.approx((0.4, 0.3939), abs=5e-5)
    assert found == pytest.approx(1 - (1 - fleiss) * (1 - 1 / 100))


def test_P6_the_manuals_own_table(measured) -> None:
    """Also there they differ: alpha .0833 leaves examples with one annotation out."""
    found = measured(binary(OF_THE_MANUAL), "binary")["coefficients"]
    assert found["krippendorff_alpha"]["estimate"] == pytest.approx(0.0833, abs=5e-5)
    assert found["gwet_ac2"]["estimate"] == pytest.approx(0.0681, abs=5e-5)
    paired = from_wide([row for row in OF_THE_MANUAL if None not in row])
    fleiss = agreement(paired, ["fleiss_kappa"], interval=None).estimate.item()
    assert fleiss == pytest.approx(1 - (1 - 1 / 12) / (1 - 1 / 34))


def test_P7_a_rare_label(measured) -> None:
    """One annotator finds ten of a thousand, the other none: 99 % agreement, and none on those."""
    rows = [(ACCEPT, REJECT)] * 10 + [(REJECT, REJECT)] * 990
    figures = measured(binary(rows), "binary", "--interval", "none")["coefficients"]
    values = [figure["estimate"] for figure in figures.values()]
    assert values == pytest.approx([0.99, -0.0045, 0.9899], abs=5e-5)
    names = ["cohen_kappa", "scott_pi"]
    others = agreement(from_wide(rows), names, interval=None).estimate.values
    assert others == pytest.approx([0, -0.0050], abs=5e-5)


@pytest.mark.parametrize(
    ("tasks", "arguments", "said"),
    [
        (
            [*binary([(ACCEPT, ACCEPT)]), *choices([(["x"], ["x"])], "x")],
            ("binary",),
            "tasks of several views, 'classification' (2), 'choice' (2)",
        ),
        (choices([(["x"], ["x"])], "x"), ("binary",), "run 'iaa prodigy doc multiclass'"),
        (binary([(ACCEPT, ACCEPT)]), ("doc", "multilabel"), "run 'iaa prodigy binary'"),
        (
            [
                task | {"_view_id": "ner_manual", "spans": [], "label": None}
                for task in binary([(ACCEPT, ACCEPT)])
            ],
            ("binary",),
            "(view 'ner_manual') are answered by spans: run 'iaa prodigy span'",
        ),
        (
            [{**task, "_annotator_id": None} for task in binary([(ACCEPT, None), (REJECT, None)])],
            ("binary",),
            "no task names its annotator (_annotator_id), and all tasks are in one file",
        ),
        (
            [*binary([(ACCEPT, ACCEPT)]), *binary([(REJECT, None)])],
            ("binary",),
            "1 repeated rating of the same item by the same annotator: tasks.jsonl line 3 (item",
        ),
        (
            choices([(["x"], ["x"])], "x", "y"),
            ("doc", "multiclass", "-l", "x,z"),
            "there is no label 'z'; the labels are 'x', 'y'",
        ),
        (
            binary(OF_THE_MANUAL),
            ("binary", "-a", "d-ann,d-eve"),
            "there is no annotator 'd-eve'; the annotators are 'd-ann', 'd-bob'",
        ),
    ],
    ids=lambda value: None,
)
def test_P12_guards(refused, tasks: list[Task], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(tasks, *arguments)


def test_P12_a_hash_that_is_missing_is_assigned_and_said(measured) -> None:
    tasks = binary(OF_THE_MANUAL)
    for task in tasks:
        del task["_input_hash"]
    found = measured(tasks, "binary")
    assert (found["annotations"], found["examples"]) == (37, 20)
    assert "37 tasks have no _input_hash" in " ".join(found["data"]["notices"])


def test_P12_the_first_or_the_last_of_repeats_is_kept(measured) -> None:
    tasks = [*binary(OF_THE_MANUAL), *binary([(REJECT, REJECT)])]
    for keep, agreeing in (("first", 9), ("last", 9)):
        found = measured(tasks, "binary", "--duplicates", keep, "--interval", "none")
        percent = found["coefficients"]["percent_agreement"]["estimate"]
        assert percent == pytest.approx(agreeing / 17)
        assert f"(kept the {keep} in the order of the file)" in found["data"]["skipped"]


def test_P12_labels_and_annotators_are_selected(measured) -> None:
    rows = [(["x"], ["x"], ["y"]), (["y"], ["y"], ["y"]), (["z"], ["x"], ["z"]), (["x"], ["x"], [])]
    tasks = choices(rows, "x", "y", "z")
    found = measured(tasks, "doc", "multiclass", "-l", "x,y", "-a", "d-a,d-b")
    assert (found["annotators"], found["categories"], found["annotations"]) == (2, 2, 7)
    found = measured(tasks, "doc", "multilabel", "-l", "z", "--interval", "none")
    assert list(found["labels"]) == ["z"]
    assert found["annotations"] == 12


def test_P13_output_is_the_same_in_all_forms(ran, folder: Path) -> None:
    (folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, binary(OF_THE_MANUAL))))
    done = ran("prodigy", "binary", "tasks.jsonl", *FAST, "--json", "out.json", "--output", "o.md")
    record = json.loads((folder / "out.json").read_text())
    assert record["conclusion"] == "measured"
    page, markdown = done.stdout, (folder / "o.md").read_text()
    assert page.startswith("On 17 examples with two annotations or more: Percent agreement 0.5294")
    for text in ("Annotations", "Distinct examples", "Coincident examples", "Single-annotation"):
        assert text in page
        assert text in markdown
    for name, figure in record["coefficients"].items():
        assert f"{figure['estimate']:.4f}" in page, name
        assert f"{figure['estimate']:.4f}" in markdown, name
    for figure in ("37", "20", "17", "1.85"):
        assert figure in markdown


def test_the_mode_stands_before_or_after_the_files(iaa, ran, folder: Path) -> None:
    rows = [(["x"], ["x"]), (["y"], ["x"])]
    lines = "\n".join(map(json.dumps, choices(rows, "x", "y")))
    (folder / "tasks.jsonl").write_text(lines)
    quick = ("--interval", "none")
    first = ran("prodigy", "doc", "multiclass", "tasks.jsonl", *quick)
    assert iaa("prodigy", "doc", "tasks.jsonl", "multiclass", *quick).stdout == first.stdout
    wrong = iaa("prodigy", "doc", "tasks.jsonl", "tasks.jsonl")
    assert wrong.exit_code == 2
    assert "name one of multiclass and multilabel" in " ".join(wrong.stderr.split())
    assert iaa("prodigy", "binary", "wide.csv").exit_code == 1
