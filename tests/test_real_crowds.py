"""Real crowds, of hundreds and thousands of annotators, within the memory that is allowed them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from tests.cifar10n import long_table
from tests.compilation import as_for_a_user
from tests.test_real_data import figure

GIGABYTE = 10**9
GUARD = Path(__file__).parents[1] / "benchmarks" / "children" / "guard.py"


def agree_within(gigabytes: float, folder: Path, *arguments: object) -> dict[str, Any]:
    """Run ``iaa agree`` in a process that is ended above this memory; its figures."""
    limit = int(gigabytes * GIGABYTE)
    figures = folder / "figures.json"
    program = "from iaa_jax.cli.app import main; main()"
    command = ["-c", program, "agree", *map(str, arguments), "--json", str(figures)]
    done = subprocess.run(
        [sys.executable, str(GUARD), str(limit), *command],
        env=as_for_a_user(),
        capture_output=True,
        check=True,
        text=True,
    )
    told = json.loads(done.stdout)
    assert told["ended"] == ""
    assert told["peak"] < limit
    return json.loads(figures.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cifar10n(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cifar10n") / "cifar10n.csv"
    long_table(data_folder).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_cifar10n_all_coefficients_with_intervals(
    data_folder: Path, cifar10n: Path, tmp_path: Path
) -> None:
    found = agree_within(2, tmp_path, cifar10n, "--replicates", "500")
    assert found["data"]["items"] == 50_000
    assert found["data"]["annotators"] == 747
    assert found["data"]["ratings"] == 150_000
    assert found["data"]["slots"] == 3
    rows = found["coefficients"]
    wanted = figure(data_folder, dataset="cifar10n", level="nominal")
    assert rows["krippendorff_alpha"]["estimate"] == pytest.approx(wanted, abs=5.1e-7)
    pairwise = {"mean_pairwise_cohen_kappa", "davies_fleiss_kappa"}
    for name in {*rows} - pairwise:
        assert rows[name]["ci_low"] < rows[name]["estimate"] < rows[name]["ci_high"], name
    assert {"conger_kappa", "fleiss_kappa", "gwet_ac1", *pairwise} < {*rows}
    for name in pairwise:
        # about ten images a pair: the figure is biased, and the interval kept back
        assert rows[name]["standard_error"] > 0
        assert rows[name]["ci_low"] is None
        assert "one side" in rows[name]["note"]


def test_cifar10n_pair_by_pair(cifar10n: Path) -> None:
    """Against a loop over the pairs of workers."""
    ratings = iaa.read(str(cifar10n))
    codes, who = ratings["primary"].values, ratings["annotator_of"].values
    common: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for labels, workers in zip(codes.tolist(), who.tolist(), strict=True):
        for k, first in enumerate(workers):
            for j in range(k + 1, len(workers)):
                pair = common.setdefault((first, workers[j]), [])
                pair.append((labels[k], labels[j]))
    kappas, observed, expected = [], [], []
    for pair in common.values():
        table = np.zeros((10, 10))
        for one, other in pair:
            table[one, other] += 1
        table /= table.sum()
        observed.append(np.trace(table))
        expected.append(table.sum(axis=1) @ table.sum(axis=0))
        if expected[-1] < 1:
            kappas.append((observed[-1] - expected[-1]) / (1 - expected[-1]))
    light = iaa.mean_pairwise_cohen_kappa(ratings, interval=None)
    assert int(light.pairs) == len(kappas)
    assert float(light.estimate) == pytest.approx(np.mean(kappas), abs=1e-12)
    pooled = iaa.davies_fleiss_kappa(ratings, interval=None)
    wanted = 1 - (1 - np.mean(observed)) / (1 - np.mean(expected))
    assert float(pooled.estimate) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.slow
def test_thousands_of_annotators(data_folder: Path, tmp_path: Path) -> None:
    """One comment was rated by 357 workers, the others by three to seven."""
    import pandas as pd

    source = data_folder / "toxic_spans" / "annotations.csv.gz"
    columns = ("--item", "comment_id", "--annotator", "worker", "--label", "not toxic")
    found = agree_within(1.5, tmp_path, source, *columns, "--duplicates", "first")
    assert found["data"]["annotators"] == 3_579
    assert found["data"]["slots"] == 356
    table = pd.read_csv(source)
    sizes = table.groupby("comment_id")["worker"].transform("size")
    part = tmp_path / "part.csv"
    table[sizes < 300].to_csv(part, index=False)
    names = {"item": "comment_id", "annotator": "worker", "label": "not toxic"}
    alone = iaa.read(part, duplicates="first", **names)
    assert alone.sizes["slot"] == 7
    wanted = figure(data_folder, dataset="toxic_spans", value="'not toxic' flag")
    rows = iaa.agreement(alone, interval=None)["estimate"]
    assert float(rows.sel(coefficient="krippendorff_alpha")) == pytest.approx(wanted, abs=5.1e-7)
    assert np.isfinite(rows.sel(coefficient="mean_pairwise_cohen_kappa"))


@pytest.mark.slow
def test_brighter_enlarged(data_folder: Path, tmp_path: Path) -> None:
    """Seven languages, 1.4 million ratings."""
    enlarged = tmp_path / "enlarged.csv"
    script = data_folder / "brighter" / "scale_up.py"
    subprocess.run(
        [sys.executable, str(script), str(enlarged), "--factor", "2", "--seed", "1"], check=True
    )
    found = agree_within(1.5, tmp_path, enlarged, "--replicates", "500")
    assert found["data"]["ratings"] == 1_387_769
    assert found["data"]["annotators"] == 41
    for name, row in found["coefficients"].items():
        assert row["ci_low"] < row["estimate"] < row["ci_high"], name
    assert "mean_pairwise_cohen_kappa" in found["coefficients"]
