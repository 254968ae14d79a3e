"""Advice that pages advise: they name the file of the results as a shell takes it."""

from __future__ import annotations

import json
import subprocess

import pytest
import xarray as xr

from iaa_jax.pages.commands import Advice, as_argument
from iaa_jax.wording import Note, say

WORDS = {"next": "{count:count item}: {iaa:items --votes}, then {iaa:agree}; a FILE more"}


def of(*files: str) -> xr.Dataset:
    return xr.Dataset(attrs={"files": json.dumps(files)} if files else {})


def said(*results: xr.Dataset) -> str:
    return say(Note("next", {"count": 2}), WORDS, guide=Advice().guide(results))


def test_the_one_file_is_named_wherever_a_command_takes_it() -> None:
    wanted = "2 items: 'iaa items a/b.csv --votes', then 'iaa agree a/b.csv'; a FILE more"
    assert said(of("a/b.csv")) == said(of("a/b.csv"), of(), of("a/b.csv")) == wanted


@pytest.mark.parametrize(
    "results",
    [(), (of(),), (of("a.csv", "b.csv"),), (of("a.csv"), of("b.csv")), (of("standard input"),)],
)
def test_without_one_file_the_command_says_what_it_takes(results: tuple[xr.Dataset, ...]) -> None:
    assert said(*results) == say(Note("next", {"count": 2}), WORDS)


@pytest.mark.parametrize("name", ["a b.csv", "it's.csv", '"q".csv', "$HOME.csv", "a`b`.csv", "{x}"])
def test_a_shell_reads_the_name_back(name: str) -> None:
    command = f"printf %s {as_argument(name)}"
    assert subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout == name
    assert f"'iaa agree {as_argument(name)}'" in said(of(name))
