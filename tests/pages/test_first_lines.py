"""What may be meant otherwise and decides all figures stands among the first lines."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa


def many() -> np.ndarray:
    base = np.arange(-60, 60, 3)
    return np.stack([base, base + np.arange(40) % 3], axis=1)


def fractions() -> np.ndarray:
    return np.array([[0.5, 0.5], [1.5, 1.0], [2.0, 2.0], [1.0, 1.5]])


def said(rows: object, analysis: str, **options: object) -> list[str]:
    options |= {} if analysis == "items" else {"interval": None}
    page = iaa.page(getattr(iaa, analysis)(iaa.from_wide(rows), **options))
    return [note.code for note in page.answer]


@pytest.mark.parametrize("analysis", ["labels", "agree"])
@pytest.mark.parametrize("rows", [many(), fractions()])
def test_field_13_numbers_do_not_lead_as_names(analysis, rows):
    assert said(rows, analysis) == ["numbers_as_names"]
    assert "numbers_as_names" not in said(rows, analysis, level="nominal")


@pytest.mark.parametrize("rows", [many() % 2, [["a", "a"], ["b", "c"]]])
def test_two_numbers_and_names_are_taken_as_they_are(rows):
    assert "numbers_as_names" not in said(rows, "annotators")
