"""Appraise: scores of segments and documents, without what tests annotators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iaa_jax import krippendorff_alpha, read

EXPORT = Path(__file__).parents[1] / "samples" / "appraise" / "synthetic_esa.csv"


def without_errors(path: Path) -> Path:
    """Return the rows as direct assessments, which have no column of errors."""
    cells = [line.split(",") for line in EXPORT.read_text(encoding="utf-8").splitlines()]
    rows = [",".join([*row[:9], *row[-2:]]) for row in cells]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_scores_of_segments(tmp_path: Path) -> None:
    for path in (EXPORT, without_errors(tmp_path / "da.csv")):
        ratings = read(path)
        assert ratings.item.values.tolist() == [
            "sys-A | news_1 | 688", "sys-B | news_1 | 688", "sys-B | news_1 | 689",
        ]  # fmt: skip
        assert "3 rows of quality control" in ratings.attrs["notices"]
        scores = np.array([[90.0, 80], [40, 55], [70, 65]])
        pooled = scores.ravel()
        by_chance = ((pooled[:, None] - pooled) ** 2).sum() / (6 * 5)
        expected = 1 - ((scores[:, 0] - scores[:, 1]) ** 2).mean() / by_chance
        alpha = krippendorff_alpha(ratings, level="interval")
        assert float(alpha.estimate) == pytest.approx(expected)


def test_documents_and_quality_control() -> None:
    whole = read(EXPORT, question="score of the document")
    assert whole.item.values.tolist() == ["sys-B | news_1"]
    every = read(EXPORT, include=["gold"])
    assert every.sizes["item"] == 6
    assert "3 rows of quality control" in every.attrs["notices"]


def test_items_of_two_pairs_of_languages_are_apart(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    text = EXPORT.read_text(encoding="utf-8")
    path.write_text(text + text.replace("jpn", "zho"), encoding="utf-8")
    assert read(path).sizes["item"] == 6
