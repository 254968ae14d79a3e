"""The command line gives of scanned files what it gives of the same files in memory."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from iaa_jax.cli import groups, large_files
from tests.scale.test_scan import rows

COLUMNS = ["--item", "id", "--annotator", "who", "--label", "label"]
FILES = ["part 1.csv", "part 2.parquet"]
ROUNDS = ["rounds.parquet"]


def table() -> pd.DataFrame:
    """Labels that are numbers, in two batches of which the later begins, for days and documents."""
    frame = rows(160, seed=3)
    number = frame["id"].str[1:].astype(int)
    return frame.assign(
        label=frame["label"].str[-1],
        batch=np.where(number < 70, "second", "first"),
        day=number // 10,
        doc=[f"d{(3 * (each // 20)) % 8}" for each in number],
        team=np.where(frame["who"] < "ann 2", "old", "new"),
        gold=(number % 3).astype(str),
    )


@pytest.fixture
def files(folder: Path) -> Path:
    """The table in a file of each kind, and one with a second round of other labels."""
    frame = table()
    frame[::2].to_csv(folder / FILES[0], index=False)
    frame[1::2].to_parquet(folder / FILES[1])
    other = frame["label"].sample(frac=1, random_state=2).to_numpy()
    both = frame.assign(round="one"), frame.assign(round="two", label=other)
    pd.concat(both).sample(frac=1, random_state=1).to_parquet(folder / ROUNDS[0])
    return folder


def figures(page: Any) -> Any:
    """All of a record but how the files were read, and single items, which a scan has not."""
    if isinstance(page, dict):
        of_reading = {"read_as", "reading", "layout", "scan", "notices", "cases"}
        return {name: figures(each) for name, each in page.items() if name not in of_reading}
    return [figures(each) for each in page] if isinstance(page, list) else page


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "agree --replicates 99",
        "agree --replicates 99 --level interval --labels 0,1,2,3 --random-annotators",
        "agree --replicates 99 --weights quadratic --keep-annotators 'ann 1,ann 2,ann 3'",
        "agree --interval none --keep-labels 0,1 --missing 2",
        "agree --interval none --recode 2=1 --require krippendorff_alpha.estimate>0.99",
        "agree --interval none --at-least 1 --by batch",
        "agree --interval none --by team",
        "agree --replicates 99 --cluster doc",
        "labels",
        "labels --suggest-merges --cluster doc",
        "annotators",
        "annotators --by batch",
        "drift --by day --permutations 19",
        "drift --by batch --permutations 19 --cluster doc",
        "plan --half-width 0.05",
        "plan --half-width 0.05 --cluster doc",
        "panels --cluster doc",
        "missing --points 1 --imputations 2",
        "missing --points 1 --imputations 2 --by batch",
        "judge --judges 'ann 0' --min-items 2 --cluster doc",
        "judge --gold gold",
        "label-sets",
        "compare --by batch --permutations 19",
        "compare --by team --permutations 19",
        "compare --keep-annotators-b 'ann 0,ann 1' --permutations 19",
        "compare --label-b gold --permutations 19",
    ],
)
def test_a_table(iaa: Callable[..., Any], files: Path, command: str) -> None:
    name, *options = shlex.split(command)
    given = ["all.csv"] if name == "compare" else FILES
    if name == "compare":
        table().to_csv("all.csv", index=False)
    assert_same(iaa, [name, *given, *COLUMNS, *options])


@pytest.mark.parametrize(
    "command",
    [
        f"'{FILES[0]}' '{FILES[1]}' --cluster doc",
        f"{ROUNDS[0]} --by round",
        f"{ROUNDS[0]} --by round --item id,round --cluster doc",
    ],
)
def test_sets_of_the_same_items(iaa: Callable[..., Any], files: Path, command: str) -> None:
    """Items are known to be the same, though patterns have no names."""
    columns = COLUMNS[2:] if "--item" in command else COLUMNS
    found = assert_same(iaa, ["compare", *columns, *shlex.split(command), "--permutations", "19"])
    assert "paired" in json.dumps(found)


def assert_same(iaa: Callable[..., Any], command: list[str]) -> Any:
    done = [iaa(*command, *how, "--json", "-") for how in ([], ["--scan"])]
    assert done[0].exit_code in (0, 3), done[0].output
    assert [each.exit_code for each in done] == [done[0].exit_code] * 2, done[1].output
    read, scanned = (figures(json.loads(each.stdout)) for each in done)
    sums = "--cluster" in command or (command[0] == "missing" and "--by" in command)
    assert_alike(scanned, read, not sums)
    return scanned


def assert_alike(one: Any, other: Any, exactly: bool) -> None:
    """Equal; sums over clusters, and of weights, but for what rounding does to them."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name, value in one.items():
            assert_alike(value, other[name], exactly)
    elif isinstance(one, list):
        assert len(one) == len(other)
        for each, its in zip(one, other, strict=True):
            assert_alike(each, its, exactly)
    elif isinstance(one, float) and not exactly:
        assert one == pytest.approx(other, rel=1e-11, abs=1e-13)
    else:
        assert one == other


@pytest.mark.parametrize("command", ["items", "gold", "sharpen", "annotators --repeats"])
def test_single_items_are_taken_out_of_the_files(
    iaa: Callable[..., Any], files: Path, command: str
) -> None:
    """What refuses a scan says how to have items, in words that a shell takes."""
    name, *options = command.split()
    done = iaa(name, ROUNDS[0], "--item", "id,round", *COLUMNS[2:], *options, "--scan")
    assert done.exit_code == 2
    (advised,) = (line.partition("python ")[2] for line in done.stderr.splitlines())
    subprocess.run([sys.executable, *shlex.split(advised)], check=True)
    taken = pd.read_parquet("some_items.parquet").groupby(["id", "round"])["label"].nunique()
    whole = pd.read_parquet(ROUNDS[0]).groupby(["id", "round"])["label"].nunique()
    assert (taken > 1).all()
    assert len(taken) == (whole > 1).sum()
    if name == "items":
        assert iaa(name, "some_items.parquet", "--item", "id,round", *COLUMNS[2:]).exit_code == 0


def test_what_is_not_for_scans(iaa: Callable[..., Any], files: Path) -> None:
    for wrong in (["--secondary", "doc"], ["--duplicates", "first"], ["--encoding", "latin-1"]):
        done = iaa("agree", *FILES, *COLUMNS, "--scan", *wrong)
        assert done.exit_code == 2
        assert f"{wrong[0]} is not for scans" in " ".join(done.stderr.split())
    done = iaa("drift", *FILES, *COLUMNS, "--scan", "--by", "order")
    assert "--by order needs items in their order" in done.stderr


def test_files_that_memory_may_not_suffice_for(
    iaa: Callable[..., Any], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_files, "free_memory", lambda: 1000.0)
    done = iaa("agree", *FILES, *COLUMNS, "--interval", "none")
    assert done.exit_code == 0
    assert "0.0 GB of memory are free: if that does not suffice, --scan counts" in done.stderr
    done = iaa("agree", *FILES, *COLUMNS, "--interval", "none", "--scan")
    assert done.stderr == ""
    assert large_files.free_memory() == 1000.0
    assert groups.advice_on(["-", "export.json"]) == ""
