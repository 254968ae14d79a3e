"""MQM: errors as spans of translations, and the scores of segments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iaa_jax import IaaError, krippendorff_alpha, read, read_spans, span_f1

MARKS = Path(__file__).parents[1] / "samples" / "mqm" / "synthetic_marks.tsv"
TEXT = MARKS.read_text()
SCORES = np.array([[5.1, 1], [5, 5], [1, 0], [0, 1], [25, 5]])
"""By hand: of sysA on segments 1 to 3, and of sysB on 1 and 2, by ann and bob."""


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_scores_of_segments() -> None:
    ratings = read(MARKS, question="score")
    assert ratings.item.values.tolist()[0] == "sysA | talk.1 | 1"
    assert ratings.attrs["read_as"] == (
        "MQM TSV, question 'score', items from 'system', 'doc', 'seg_id', annotators from 'rater'"
    )
    order = np.argsort(ratings.item.values.astype(str))
    values = ratings.label.values[ratings.primary.values][order]
    assert values.tolist() == SCORES.tolist()


def test_alpha_of_the_scores_by_hand() -> None:
    pooled = SCORES.reshape(-1)
    observed = 2 * ((SCORES[:, 0] - SCORES[:, 1]) ** 2).sum() / pooled.size
    squares = (pooled[:, None] - pooled[None, :]) ** 2
    expected = squares.sum() / (pooled.size * (pooled.size - 1))
    found = krippendorff_alpha(read(MARKS, question="score"), level="interval", interval=None)
    assert float(found.estimate) == pytest.approx(1 - observed / expected, abs=1e-12)


def test_errors_are_spans_of_the_translation() -> None:
    spans = read_spans(MARKS, question="errors", keep="text")
    first = {"start": 10, "end": 16}
    assert {name: int(spans[name][0]) for name in first} == first
    text = dict(zip(spans.document.values.tolist(), spans.text.values.tolist(), strict=True))
    assert text["sysA | talk.1 | 1"][10:16] == "drives"
    assert text["sysA | talk.1 | 2"] == 'He said: "None'
    assert spans.seen.values.all()
    # of 4 and 4 errors in translations, 2 have the same place and category
    assert float(span_f1(spans, interval=None).estimate) == pytest.approx(2 * 2 / 8)
    by_severity = read_spans(MARKS, question="errors:severity")
    assert by_severity.label.values.tolist() == ["Major", "Minor"]
    in_source = read_spans(MARKS, question="errors in source")
    assert in_source.sizes["span"] == 1
    assert in_source.seen.values.all()


def test_unknown_severities_and_test_errors(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(TEXT.replace("Style/Awkward\tMinor", "Style/Awkward\tBad"))
    ratings = read(path, question="score")
    assert ratings.attrs["skipped"] == "answers to 'score' (severity 'Bad' without a weight)"
    path.write_text(TEXT.replace("Style/Awkward\tMinor", "Found\tHOTW-test"))
    assert "1 gold judgement" in read(path, question="score").attrs["skipped"]


@pytest.mark.parametrize("mark", ["<v>drives", "</v>drives", "<v>dr<v>ives</v>"])
def test_marks_without_their_other_end_are_counted(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(TEXT.replace("<v>drives</v>", mark, 1))
    spans = read_spans(path, question="errors")
    assert spans.sizes["span"] == 7
    assert spans.attrs["skipped"] == "1 error with only one end marked"
    assert read(path, question="score").primary.equals(read(MARKS, question="score").primary)


def test_short_rows_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(TEXT.replace("\tMajor\n", "\n", 1))
    assert "line 2: 8 cells for 9 columns" in refused(path, question="score")
