"""Prodigy's metric.iaa.span by its worked examples: P8 to P11, and P12 for spans."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from tests.reference.spans import span_cases

CASES = {
    case.measure: case
    for case in span_cases("pairwise_f1_strict", "pairwise_f1_partial")
    if case.id.startswith("prodigy_doc")
}
STRICT, PARTIAL = CASES["pairwise_f1_strict"], CASES["pairwise_f1_partial"]


def measured(documents: dict[str, Any], *, partial: bool = False, **options: Any) -> Any:
    return iaa.prodigy(iaa.from_spans(documents), partial=partial, interval=None, **options)


def tasks_of(documents: dict[str, Any]) -> str:
    """The export of ner_manual that these documents are, a place a letter."""
    lines = [
        {
            "text": "x" * 30,
            "_input_hash": number,
            "_task_hash": -number,
            "_view_id": "ner_manual",
            "answer": "accept",
            "spans": [{"start": start, "end": end, "label": label} for start, end, label in spans],
            "_annotator_id": name,
        }
        for number, marked in enumerate(documents.values())
        for name, spans in marked.items()
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_P8_a_long_span_over_two_short_ones_is_one_match() -> None:
    """Matches are one to one and as many as possible, so no order matters."""
    long, first, second = (0, 9, "X"), (0, 4, "X"), (5, 9, "X")
    for order in itertools.permutations([first, second]):
        found = measured({"d": {"a": [long], "b": list(order)}}, partial=True)
        assert found.estimate.sel(average="micro").item() == pytest.approx(2 / 3)
    chain = [(0, 4, "X"), (3, 8, "X"), (7, 12, "X")]
    other = [(2, 4, "X"), (0, 3, "X"), (7, 9, "X")]
    figures = {
        float(measured({"d": {"a": list(one), "b": other}}, partial=True).estimate[0])
        for one in itertools.permutations(chain)
    }
    assert figures == {1.0}  # a greedy match in some orders loses one


def test_P8_labels_must_be_the_same() -> None:
    spans = {"d": {"a": [(0, 4, "X")], "b": [(0, 4, "Y")]}}
    assert measured(spans, partial=True).estimate[0] == 0


@pytest.mark.parametrize("case", [STRICT, PARTIAL], ids=["strict", "partial"])
def test_P9_the_worked_example(case: Any) -> None:
    found = measured(case.documents, partial=case is PARTIAL)
    expected = case.expected
    assert found.estimate.sel(average="micro").item() == pytest.approx(
        expected["micro"]["f1"], abs=case.abs_tol
    )
    for label, figures in expected["per_class"].items():
        of_label = found.sel(label=label)
        assert of_label.label_f1.item() == pytest.approx(figures["f1"], abs=case.abs_tol)
        assert of_label.support.item() == figures["support"]
    for pair, figures in expected["pairs"].items():
        two = {"d": {name: case.documents["d"][name] for name in pair.split("|")}}
        alone = measured(two, partial=case is PARTIAL)
        assert alone.estimate[0] == pytest.approx(figures["f1"], abs=case.abs_tol)


def test_P9_one_hit_one_false_positive_one_false_negative() -> None:
    found = measured({"d": {"a": [(0, 4, "X"), (5, 9, "X")], "b": [(0, 4, "X"), (6, 9, "X")]}})
    assert found.estimate.values.tolist() == [0.5] * 3


def test_P9_averages_by_their_names() -> None:
    """The manual's .50 (150) and .40 (200) are .45 in the mean, and .4429 by support."""

    def marked(label: str, at: int, hits: int, spans: int) -> tuple[list[Any], list[Any]]:
        both = [(at + 10 * k, at + 10 * k + 4, label) for k in range(spans)]
        moved = [(start + (k >= hits), end, name) for k, (start, end, name) in enumerate(both)]
        return both, moved

    person = marked("PERSON", 0, 30, 60)
    organisation = marked("ORGANISATION", 1000, 32, 80)
    rest = marked("PERSON", 3000, 7, 15)
    more = marked("ORGANISATION", 5000, 8, 20)
    documents = {
        "1": {"a": person[0] + organisation[0], "b": person[1] + organisation[1]},
        "2": {"a": rest[0] + more[0], "b": rest[1] + more[1]},
    }
    found = measured(documents)
    assert found.support.sel(label=["PERSON", "ORGANISATION"]).values.tolist() == [150, 200]
    by_label = found.label_f1.sel(label=["PERSON", "ORGANISATION"]).values
    np.testing.assert_allclose(by_label, [37 / 75, 0.4])
    averages = found.estimate.to_series()
    assert averages["macro"] == pytest.approx(by_label.mean())
    assert averages["weighted"] == pytest.approx((by_label * [150, 200]).sum() / 350)
    assert averages["micro"] == pytest.approx(averages["weighted"])


@pytest.mark.parametrize("case", [STRICT, PARTIAL], ids=["strict", "partial"])
def test_P10_rows_of_the_confusion_matrix_sum_to_one(case: Any) -> None:
    found = measured(case.documents, partial=case is PARTIAL)
    for row, cells in case.expected["confusion"].items():
        of_row = found.confusion.sel(label_a=row)
        assert {name: of_row.sel(label_b=name).item() for name in cells} == cells
    share = found.confusion_share
    sums = share.sum("label_b").values[found.confusion.sum("label_b").values > 0]
    np.testing.assert_allclose(sums, 1)
    assert np.isnan(share.sel(label_a="NONE", label_b="NONE").item())


def test_P10_a_label_may_be_called_none() -> None:
    found = measured({"d": {"a": [(0, 1, "NONE")], "b": []}})
    assert found.label_a.values.tolist() == ["NONE", "(NONE)"]
    assert found.confusion.sel(label_a="NONE", label_b="(NONE)").item() == 1


def test_P11_the_gap_between_partial_and_strict_has_an_interval() -> None:
    documents = {
        f"d{k}": {
            "a": [(0, 4, "X"), (9, 12, "Y")],
            "b": [(0, 4 + k % 2, "X"), (9, 12, "Y" if k % 5 else "X")],
        }
        for k in range(30)
    }
    found = iaa.prodigy(iaa.from_spans(documents), replicates=200)
    strict, partial = (measured(documents, partial=each) for each in (False, True))
    assert found.gap.item() == pytest.approx(partial.estimate.values[0] - strict.estimate.values[0])
    np.testing.assert_allclose(found.label_gap, partial.label_f1 - strict.label_f1, atol=1e-12)
    assert 0 < found.gap_ci_low.item() < found.gap.item() < found.gap_ci_high.item()
    assert found.label_gap.sel(label="X") > found.label_gap.sel(label="Y") == 0
    assert (found.label_gap_ci_low.sel(label="X") < found.label_gap.sel(label="X")).item()


def test_the_command_has_the_figures_of_the_function(iaa: Callable[..., Any], folder: Path) -> None:
    (folder / "tasks.jsonl").write_text(tasks_of(STRICT.documents))
    for arguments, case in (((), STRICT), (("--partial",), PARTIAL)):
        options = ("--interval", "none", "--json", "x.json")
        done = iaa("prodigy", "span", "tasks.jsonl", *arguments, *options)
        assert not done.exit_code, done.output
        record = json.loads((folder / "x.json").read_text())
        micro = next(row for row in record["averages"] if row["average"] == "micro")
        assert micro["estimate"] == pytest.approx(case.expected["micro"]["f1"], abs=case.abs_tol)
        assert (record["annotations"], record["examples"]) == (3, 1)
        assert f"{case.expected['micro']['f1']:.4f}, micro-averaged" in " ".join(
            done.stdout.split()
        )
        assert "NONE stands for no matching span" in done.stdout


def test_labels_and_annotators_alone(iaa: Callable[..., Any], folder: Path) -> None:
    (folder / "tasks.jsonl").write_text(tasks_of(STRICT.documents))
    options = ("--interval", "none", "--json", "-")
    done = iaa("prodigy", "span", "tasks.jsonl", "-l", "LOC", "-a", "Alice,Bob", *options)
    record = json.loads(done.stdout)
    assert (record["categories"], record["annotators"]) == (1, 2)
    assert {row["estimate"] for row in record["averages"]} == {1.0}


def test_P12_guards(iaa: Callable[..., Any], folder: Path) -> None:
    tasks = [json.loads(line) for line in tasks_of(STRICT.documents).splitlines()]
    cases = [
        ([*tasks, tasks[0]], "duplicates"),
        ([tasks[0], {**tasks[1], "_view_id": "spans_manual"}], "tasks of several views"),
        ([{**task, "_view_id": "choice", "accept": ["x"]} for task in tasks], "iaa prodigy doc"),
        ([tasks[0]], "only one annotator"),
    ]
    for lines, said in cases:
        (folder / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        done = iaa("prodigy", "span", "tasks.jsonl")
        assert done.exit_code == 1
        assert said in done.stderr


def test_labels_are_matched_by_nothing() -> None:
    with pytest.raises(iaa.IaaError, match="partial=True matches spans"):
        iaa.prodigy(iaa.from_wide([["a", "b"], ["a", "a"]]), partial=True)
