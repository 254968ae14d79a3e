"""The command ``iaa label-sets``: each label alone, and label sets as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import iaa_jax as iaa
from iaa_jax.cli.app import app
from tests.kernels.test_multi_label import TEN_ITEMS, TEN_LABELS
from tests.program import widest

COLUMNS = ["--labels", ",".join(TEN_LABELS), "--separator", ";", "--replicates", "100"]


@pytest.fixture
def ten(tmp_path: Path) -> str:
    file = tmp_path / "sets.csv"
    rows = [",".join(["item", "a", "b", "c"])]
    rows += [
        ",".join([f"s{k}", *(";".join(cell) for cell in row)]) for k, row in enumerate(TEN_ITEMS)
    ]
    file.write_text("\n".join(rows) + "\n")
    return str(file)


def test_labels_sets_bands_and_label_pairs(ten: str) -> None:
    done = CliRunner().invoke(app, ["label-sets", ten, *COLUMNS], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    for words in ("0.714", "Alpha, MASI", "0.7 to 1", "80.0 %", "0.870", "Other label", "0.400"):
        assert words in done.output
    assert widest(done.output) <= 80


def test_the_same_figures_are_written(ten: str) -> None:
    asked = ["--json", "-", "--band", "0,0.6", "--coefficient", "am_agreement"]
    done = CliRunner().invoke(app, ["label-sets", ten, *COLUMNS, *asked])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    ratings = iaa.from_sets([list(map(list, row)) for row in TEN_ITEMS], labels=TEN_LABELS)
    found = iaa.per_label(ratings, replicates=100)
    for label in TEN_LABELS:
        row = record["labels"][label]
        own = found.sel(label=label, coefficient="krippendorff_alpha")
        for name in ("estimate", "ci_low"):
            np.testing.assert_allclose(row[name]["krippendorff_alpha"], own[name])
    sets = record["label_sets"]
    np.testing.assert_allclose(sets["coefficients"]["am_agreement"]["estimate"], 0.71392, atol=5e-6)
    assert sets["bands"][0]["band_items"] == 2
    assert sets["bands"][0]["band_interval"] == row["prevalence_interval"] == "bca"
    assert row["interval"]["krippendorff_alpha"] == "empirical_bayes"
    assert len(sets["label_pairs"]) == 15
    indexes = [row["expert_coder_index"] for row in sets["annotators"]]
    np.testing.assert_allclose(indexes, [0.75175, 0.66680, 0.72273], atol=5e-6)
    assert record["provenance"]["seed"] == 0


def test_single_labels_have_no_sets(folder: Path) -> None:
    done = CliRunner().invoke(app, ["label-sets", "wide.csv", "--item", "item", "--json", "-"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert set(record["labels"]) == {"x", "y", "z"}
    assert "label_sets" not in record
    shown = CliRunner().invoke(app, ["label-sets", "wide.csv", "--interval", "none"])
    said = " ".join(shown.stdout.split())
    assert said.startswith("These ratings have one label each")
    assert "give --separator or --multi-hot" in said


def test_sets_of_one_label_have_nothing_to_compare(folder: Path) -> None:
    (folder / "one.csv").write_text("item,ann,bob\n1,x;x,x\n2,,x\n3,x,x\n")
    done = CliRunner().invoke(app, ["label-sets", "one.csv", "--separator", ";"])
    assert done.stdout.startswith("There is only one label"), done.output


def test_what_is_no_band_is_refused(ten: str) -> None:
    done = CliRunner().invoke(app, ["label-sets", ten, "--band", "0.9"])
    assert done.exit_code == 2
    assert "low,high" in done.output


def test_agree_lists_am_and_points_to_distances(ten: str) -> None:
    done = CliRunner().invoke(app, ["agree", ten, *COLUMNS], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert "A_m" in done.output
    assert "--distance masi" in done.output
