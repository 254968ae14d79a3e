"""Real tables, as their authors published them, through ``iaa agree``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def reference(data_folder: Path, file: str, level: str) -> float:
    (figure,) = (
        figure
        for figure in json.loads((data_folder / "FIGURES.json").read_text(encoding="utf-8"))
        if figure["file"] == file and figure["options"].get("level") == level
        if figure["options"].get("unit") == "text x emotion"
    )
    return figure["recomputed"]


@pytest.mark.parametrize(
    ("name", "item", "annotators"),
    [
        ("afr", "text_content", [f"annotator_{k}" for k in (1, 2, 3)]),
        ("arq", "text_id", [f"Annotator-{k}" for k in range(1, 11)]),
        ("ron", "text", [f"annotator_{k}" for k in (1, 2, 3, 5, 6, 8, 9)]),
        ("swe", "text_id", [f"Annotator-{k}" for k in (1, 2, 3)]),
        ("ukr", "text_id", [f"Annotator-{k}" for k in (1, 2, 3)]),
    ],
)
def test_ordinal_alpha_of_emotions(
    ran, data_folder: Path, name: str, item: str, annotators: list[str]
) -> None:
    file = f"brighter/{name}_individuals.csv.gz"
    done = ran(
        *("agree", str(data_folder / file), "--item", f"{item},emotion"),
        *("--annotators", ",".join(annotators), "--level", "ordinal"),
        *("--coefficients", "krippendorff_alpha", "--interval", "none", "--json", "-"),
    )
    found = json.loads(done.stdout)["coefficients"]["krippendorff_alpha"]["estimate"]
    assert found == pytest.approx(reference(data_folder, file, "ordinal"), abs=5e-7)
