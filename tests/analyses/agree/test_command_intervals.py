"""Command options: sampling, standard errors, probabilities and kept replicates."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import iaa_jax
from iaa_jax import Interval, Sampling

FAST = ("--replicates", "64", "--seed", "5")


@pytest.fixture
def documents(folder: Path) -> Path:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 30)
    rows = ["item,document,ann,bob,cleo"]
    for item in range(30):
        labels = ["xy"[t if rng.random() < 0.8 else 1 - t] for t in [truth[item]] * 3]
        rows.append(",".join([str(item), f"d{item // 3}", *labels]))
    (folder / "documents.csv").write_text("\n".join(rows) + "\n")
    return folder / "documents.csv"


def ratings_of(file: Path) -> xr.Dataset:
    ratings = iaa_jax.read(file, annotators=["ann", "bob", "cleo"])
    return ratings.assign_coords(document=("item", [f"d{item // 3}" for item in range(30)]))


@pytest.mark.parametrize(
    ("arguments", "how", "said"),
    [
        (
            ("--cluster", "document"),
            {"sampling": Sampling(cluster="document")},
            "over 10 clusters of items (document)",
        ),
        (
            ("--random-annotators", "--interval", "t"),
            {"interval": "t", "sampling": Sampling(annotators="random")},
            "one annotator left out at a time",
        ),
        (("--bayesian",), {"sampling": Sampling(bayesian=True)}, "Bayesian bootstrap over items"),
        (("--population", "90"), {"sampling": Sampling(population=90)}, "from a population of 90"),
        (
            ("--interval", "t", "--standard-error", "jackknife"),
            {"interval": Interval("t", standard_error="jackknife")},
            "SE: standard error (jackknife)",
        ),
        (
            ("--interval", "studentized", "--transform", "range"),
            {"interval": Interval("studentized", transform="range")},
            "(studentized, kept within the range)",
        ),
        (("--interval", "abc"), {"interval": "abc"}, "ABC (approximate bootstrap)"),
        (
            ("--interval", "empirical_bayes", "--prior", "2"),
            {"interval": Interval("empirical_bayes", prior=2.0)},
            "a pseudo-item that counts as 2 items",
        ),
    ],
)
def test_agree(ran, documents: Path, arguments, how, said: str) -> None:
    columns = ("--annotators", "ann,bob,cleo", "--coefficients", "fleiss_kappa,gwet_ac1")
    done = ran("agree", "documents.csv", *columns, *arguments, *FAST, "--json", "out.json")
    assert said in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
    found = json.loads(Path("out.json").read_text())
    wanted = iaa_jax.agreement(
        ratings_of(documents), ["fleiss_kappa", "gwet_ac1"], **how, replicates=64, seed=5
    )
    for name in ("fleiss_kappa", "gwet_ac1"):
        for figure in ("standard_error", "ci_low", "ci_high"):
            one = wanted.sel(coefficient=name)[figure].item()
            assert found["coefficients"][name][figure] == pytest.approx(one, abs=1e-12)


@pytest.mark.parametrize("command", ["labels", "label-sets"])
def test_labels_over_clusters(iaa, ran, documents: Path, command: str) -> None:
    columns = ("--annotators", "ann,bob,cleo", "--cluster", "document", *FAST)
    done = ran(command, "documents.csv", *columns, "--json", "-")
    made = json.loads(done.stdout)["provenance"]
    assert made["sampling_cluster"] == "document"
    plain = iaa(command, "documents.csv", *columns[:2], *FAST, "--json", "-")
    assert json.loads(plain.stdout) != json.loads(done.stdout)


def test_groups_over_clusters(ran, documents: Path) -> None:
    text = documents.read_text().splitlines()
    rows = [text[0] + ",batch", *(f"{row},{'uv'[i > 14]}" for i, row in enumerate(text[1:]))]
    documents.write_text("\n".join(rows))
    columns = ("--annotators", "ann,bob,cleo", "--cluster", "document", "--by", "batch", *FAST)
    done = ran("items", "documents.csv", *columns, "--json", "-")
    part = ratings_of(documents).isel(item=slice(15))
    wanted = iaa_jax.krippendorff_alpha(part, sampling=Sampling(cluster="document"))
    (group,) = (one for one in json.loads(done.stdout)["by"] if one["group"] == "u")
    assert group["standard_error"] == pytest.approx(wanted.standard_error.item())


def test_probabilities(iaa, ran) -> None:
    arguments = ("--above", "0.5", "--above", ".8", *FAST)
    done = ran("agree", "wide.csv", *arguments, "--json", "out.json")
    assert "P > 0.5" in done.stdout
    said = "P > 0.5: the share of draws above this number, with or without a pseudo-item"
    assert said in " ".join(done.stdout.split())
    found = json.loads(Path("out.json").read_text())["coefficients"]
    drawn = iaa_jax.bootstrap(
        iaa_jax.read("wide.csv"),
        ["fleiss_kappa"],
        sampling=Sampling(bayesian=True),
        prior="auto",
        replicates=64,
        seed=5,
    )
    wanted = iaa_jax.bootstrap.probability_above(drawn, [0.5, 0.8]).probability.values.ravel()
    assert list(found["fleiss_kappa"]["above"].values()) == pytest.approx(wanted)
    assert list(found["fleiss_kappa"]["above"]) == ["0.5", "0.8"]
    plain = iaa("agree", "wide.csv", *FAST, "--json", "-")
    assert "above" not in json.loads(plain.stdout)["coefficients"]["fleiss_kappa"]
    other = iaa("agree", "wide.csv", *arguments, "--interval", "bca").stdout
    assert "P > 0.5: the share of Bayesian bootstrap resamples" in " ".join(other.split())


def test_forms_are_named_by_their_authors(iaa) -> None:
    """Of counts, whose annotators are not known."""
    rows = ["2,0", "1,1", "0,2", "2,0", "0,2", "1,1", "2,0"] * 4
    lines = [f"{number},{row}" for number, row in enumerate(rows)]
    Path("whole.csv").write_text("\n".join(["item,x,y", *lines, ""]))
    shown = " ".join(iaa("agree", "whole.csv", "--counts", "x,y", "--zero", *FAST).stdout.split())
    assert "Fleiss, Nee and Landis 1979" in shown
    assert "null_fleiss" not in shown


def test_zero_agreement(ran) -> None:
    done = ran("agree", "wide.csv", "--zero", *FAST, "--json", "out.json")
    assert "p by chance" in done.stdout
    assert "not whether there is enough" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
    found = json.loads(Path("out.json").read_text())["coefficients"]
    wanted = iaa_jax.zero_agreement(iaa_jax.read("wide.csv"), list(found), seed=5)
    for name, fields in found.items():
        assert fields["zero_p_value"] == wanted.p_value.sel(coefficient=name).item()


def test_kept_replicates(ran) -> None:
    done = ran("agree", "wide.csv", *FAST, "--keep-replicates", "rows.nc", "--json", "-")
    found = json.loads(done.stdout)["coefficients"]
    kept = iaa_jax.bootstrap.intervals(xr.load_dataset("rows.nc"))
    for name in kept.coefficient.values:
        assert found[str(name)]["ci_low"] == pytest.approx(float(kept.ci_low.sel(coefficient=name)))


def ranking(task: int, annotator: int, order: list[str]) -> dict[str, object]:
    value = {"ranker": {"rank": [f"{task}{name}" for name in order]}}
    answer = {"from_name": "rank", "to_name": "texts", "type": "ranker", "value": value}
    return {"completed_by": annotator, "result": [answer]}


def test_options_that_were_ranked_are_drawn_together(iaa, folder: Path) -> None:
    rng = np.random.default_rng(3)
    orders = [["a", "b", "c"], ["a", "c", "b"], ["c", "b", "a"]]
    tasks = [
        {
            "id": task,
            "data": {"text": f"text {task}"},
            "annotations": [ranking(task, who, orders[rng.integers(3)]) for who in range(3)],
        }
        for task in range(15)
    ]
    (folder / "ranked.json").write_text(json.dumps(tasks))
    name = "krippendorff_alpha"
    done = iaa("agree", "ranked.json", "--coefficients", name, "--json", "-")
    found = json.loads(done.stdout)["coefficients"][name]
    wanted = iaa_jax.agreement(iaa_jax.read("ranked.json"), name).isel(coefficient=0)
    assert wanted.attrs["clusters"] == 15
    ends = [found["ci_low"], found["ci_high"], found["standard_error"]]
    assert ends == [float(wanted[end]) for end in ("ci_low", "ci_high", "standard_error")]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--cluster", "thread"), 1, "no column 'thread'"),
        (("--interval", "f"), 1, "is for icc1"),
        (("--standard-error", "own"), 2, "--standard-error must be one of"),
        (("--transform", "range"), 2, "stay within the range by themselves"),
        (("--transform", "log"), 2, "range"),
        (("--keep-replicates", "-"), 2, "name a file for the replicates"),
        (("--population", "3"), 1, "smaller than the"),
        (("--interval", "studentized", "--random-annotators"), 1, "random"),
    ],
)
def test_refusals(iaa, arguments, code: int, said: str) -> None:
    done = iaa("agree", "wide.csv", *arguments, *FAST)
    assert done.exit_code == code
    assert said in " ".join(done.output.replace("│", " ").split())
    assert "Traceback" not in done.output
