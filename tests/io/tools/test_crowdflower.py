"""CrowdFlower and Figure Eight: full reports, with several answers by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from iaa_jax import IaaError, krippendorff_alpha, read, read_spans

Write = Callable[..., Path]

REPORT = Path(__file__).parents[1] / "samples" / "crowdflower" / "synthetic_full_report.csv"
HEAD = "_unit_id,_worker_id,_tainted,tone,text\n"
ROWS = "1,a,false,good,x\n1,b,false,bad,x\n2,a,false,bad,y\n2,b,false,bad,y\n"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def nominal_alpha(rows: list[list[str]]) -> float:
    """Krippendorff's alpha of the labels of each item, by its definition."""
    rows = [row for row in rows if len(row) > 1]
    pooled = np.array([label for row in rows for label in row])
    unlike = sum(sum(a != b for a in row for b in row) / (len(row) - 1) for row in rows)
    by_chance = (pooled[:, None] != pooled[None, :]).sum() / (len(pooled) - 1)
    return float(1 - unlike / by_chance)


def test_a_full_report() -> None:
    ratings = read(REPORT, question="tone", keep="review_id")
    assert ratings.item.values.tolist() == [901, 902, 903]
    assert ratings.annotator.values.tolist() == ["w1", "w2", "w3"]
    assert ratings.label.values.tolist() == ["bad", "good", "mixed"]
    assert ratings.primary.values.tolist() == [[1, 1, 0], [2, 2, 0], [0, 0, 0]]
    assert ratings.review_id.values.tolist() == ["r901", "r902", "r903"]
    assert ratings.attrs["read_as"] == (
        "CrowdFlower CSV, question 'tone', items from '_unit_id', annotators from '_worker_id'"
    )
    assert ratings.attrs["notices"].splitlines() == [
        "2 tainted judgements were left out: the platform does not trust their workers. To count "
        "them, give include='rejected'.",
        "3 judgements of 1 test question ('904') were left out; to count them, give "
        "include='gold'.",
    ]
    rows = [["good", "good", "bad"], ["mixed", "mixed", "bad"], ["bad", "bad", "bad"]]
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(nominal_alpha(rows))


def test_answers_by_line_are_sets() -> None:
    ratings = read(REPORT, question="topics")
    assert ratings.attrs["task"] == "multi_label"
    names = np.array(ratings.label.values.tolist())
    first = [set(names[row > 0].tolist()) for row in ratings.mass.values[0]]
    assert first == [{"room"}, {"price", "room"}, {"room"}]


def test_what_is_left_out_is_told_first_and_can_be_read() -> None:
    ratings = read(REPORT, question="tone", include=["gold", "rejected"])
    assert ratings.sizes["item"] == 4
    assert ratings.annotator.values.tolist() == ["w1", "w2", "w3", "w9"]
    tainted, tests = ratings.attrs["notices"].splitlines()
    assert tainted.endswith("To leave them out, give exclude='_tainted=true'.")
    assert tests.startswith("3 judgements of 1 test question ('904') count")
    without = read(REPORT, question="tone", include=["rejected"], exclude="_tainted=true")
    assert without.primary.equals(read(REPORT, question="tone").primary)
    assert without.attrs["skipped"] == "2 rows with '_tainted' = 'true'"


def test_questions_are_named(write: Write) -> None:
    message = refused(REPORT)
    assert "question='tone'" in message
    assert "question='topics'" in message
    assert "comment" not in message  # nobody wrote one
    with pytest.raises(IaaError, match="answered by labels of whole items"):
        read_spans(REPORT, question="tone")


def test_without_gold_columns_questions_are_where_workers_differ(write: Write) -> None:
    ratings = read(write(HEAD + ROWS))
    assert ratings.primary.values.tolist() == [[1, 0], [0, 0]]
    rows = [["good", "bad"], ["bad", "bad"]]
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(nominal_alpha(rows))


def test_nothing_but_tests_or_tainted_judgements_is_refused(write: Write) -> None:
    message = refused(write(HEAD + ROWS.replace("false", "true")))
    assert message.endswith("to read them, give include='rejected'")


def test_repeats_are_refused(write: Write) -> None:
    message = refused(write(HEAD + ROWS + "2,b,false,good,y\n"))
    assert "'b'" in message
    assert "line 6" in message
