"""How many independent judges a jury is worth."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.oracles import jury as oracle

JUDGES = ["gpt", "llama", "qwen"]
PEOPLE = ["ann", "bob", "cleo"]
LABELS = np.array(["a", "b", "c"], dtype=object)


def made(
    items: int, shared: float, noise: float, seed: int = 0, judges: int = 3, people: int = 2
) -> pd.DataFrame:
    """Judges who answer together with a probability, and people who guess with another."""
    rng = np.random.default_rng(seed)
    true = rng.integers(3, size=items)

    def answers(count: int, right: float) -> np.ndarray:
        guess = rng.integers(3, size=(items, count))
        return np.where(rng.random((items, count)) < right, true[:, None], guess)

    together = rng.random((items, 1)) < shared
    codes = np.where(together, answers(1, 0.75), answers(judges, 0.75))
    names = [f"judge {k}" for k in range(judges)] if judges > 3 else JUDGES[:judges]
    table = np.hstack([codes, answers(people, 1 - noise)])
    return pd.DataFrame(LABELS[table], columns=[*names, *PEOPLE[:people]])


@pytest.fixture(scope="module")
def ragged() -> pd.DataFrame:
    """With gaps, of people and judges."""
    table = made(200, 0.4, 0.3, people=3)
    rng = np.random.default_rng(1)
    holes = rng.random(table.shape) < np.array([0.05, 0, 0.02, 0.3, 0.3, 0.3])
    return table.mask(holes, None)


def worth(table: pd.DataFrame, **options: object) -> xr.Dataset:
    judges = [name for name in table.columns if name not in PEOPLE]
    return iaa.judge.jury(iaa.from_wide(table), judges, **{"replicates": 0, **options})


def test_rho_is_that_of_loops(ragged):
    given = {
        item: {name: row[name] for name in table_names if isinstance(row[name], str)}
        for table_names in [list(ragged.columns)]
        for item, row in ragged.iterrows()
    }
    result = worth(ragged)
    for name, corrected in (("rho", True), ("plain_rho", False)):
        expected = oracle.rho(given, JUDGES, list(LABELS), corrected=corrected)
        assert result[name].item() == pytest.approx(expected, rel=1e-9)
    assert result.n_eff.item() == pytest.approx(3 / (1 + 2 * result.rho.item()))
    right = [
        np.mean(
            [
                row[judge] == row[name]
                for judge in JUDGES
                for name in PEOPLE
                if isinstance(row[name], str)
            ]
        )
        for _, row in ragged.iterrows()
        if row[JUDGES].notna().all() and row[PEOPLE].notna().sum() > 1
    ]
    assert result.attrs["items_compared"] == len(right)
    assert result.one_judge.item() == pytest.approx(np.mean(right))


@pytest.mark.parametrize("shared", [0.0, 0.4, 1.0])
def test_people_who_err_are_taken_out(shared):
    """The judges' common errors are estimated as from people who never err; not without it."""
    result = worth(made(8000, shared, 0.3, judges=5))
    exact = worth(made(8000, shared, 0.0, judges=5))
    assert result.rho.item() == pytest.approx(shared, abs=0.04)
    assert exact.rho.item() == pytest.approx(shared, abs=0.04)
    assert exact.plain_rho.item() == pytest.approx(exact.rho.item())
    if shared < 1:
        assert result.plain_rho.item() > shared + 0.15
    assert result.n_eff.item() == pytest.approx(5 / (1 + 4 * shared), rel=0.12)
    alone = worth(made(8000, 0.0, 0.3, judges=5)).majority.item()
    assert result.independent.item() == pytest.approx(alone, abs=0.015)
    if shared == 1:
        assert result.n_eff.item() == pytest.approx(1)
        assert result.majority.item() == pytest.approx(result.one_judge.item())


@pytest.mark.parametrize("cluster", [None, "half"])
def test_intervals_hold_what_was_made(cluster):
    table = made(400, 0.4, 0.25)
    ratings = iaa.from_wide(table).assign_coords(half=("item", np.arange(400) // 2))
    sampling = None if cluster is None else iaa.Sampling(cluster=cluster)
    result = iaa.judge.jury(ratings, JUDGES, replicates=300, sampling=sampling)
    assert result.rho_ci_low.item() < 0.4 < result.rho_ci_high.item()
    assert 0.1 < result.rho_ci_high.item() - result.rho_ci_low.item() < 0.5
    assert result.n_eff_ci_low.item() < 3 / 1.8 < result.n_eff_ci_high.item()
    assert result.attrs["conclusion"] == "fewer"
    assert worth(made(400, 0.0, 0.25), replicates=300).attrs["conclusion"] == "open"


def test_one_person_tells_no_noise_and_rho_is_assumed():
    result = worth(made(200, 0.4, 0.25, people=1), replicates=64)
    assert result.attrs["conclusion"] == "untold"
    assert np.isnan(result.rho.item())
    assert np.isnan(result.independent.item())
    assert result.plain_rho.item() > 0.4
    assert result.n_eff_if.sel(assumed=0.5).item() == 1.5
    assert result.n_eff_if.values[[0, -1]].tolist() == [3, 1]
    assert "20 items have two people" in " ".join(str(iaa.page(result)).split())


def test_juries_that_are_none_are_refused():
    ratings = iaa.from_wide(made(30, 0.4, 0.25))
    for judges, message in (
        (["gpt"], "two judges or more"),
        (["gpt", "gpt"], "names one annotator twice"),
        (["gpt", "lama"], "no annotator is called 'lama'"),
        ([*JUDGES, *PEOPLE[:2]], "all annotators are judges"),
    ):
        with pytest.raises(IaaError, match=message):
            iaa.judge.jury(ratings, judges)


def test_the_command(request, folder):
    command = request.getfixturevalue("iaa")
    table = made(200, 0.4, 0.25).rename_axis("item")
    table.to_csv("t.csv")
    judges = ("judge", "t.csv", "--judges", ",".join(JUDGES), "--replicates", "64", "--jury")
    done = command(*judges)
    assert done.exit_code == 0, done.stderr
    assert "3 judges are worth" in " ".join(done.stdout.split())
    record = json.loads(command(*judges, "--json", "-").stdout)
    assert 1 < record["n_eff"] < 3
    assert command("judge", "t.csv", "--judges", "gpt", "--jury").exit_code == 2
    refused = command(*judges, "--epsilon", "0.1")
    assert refused.exit_code == 2
    assert "--epsilon" in refused.stderr
