"""A first word that is no command: what was meant stands below, as it can be pasted."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from iaa_jax.catalog import NAMES
from iaa_jax.cli.app import Commands, words


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wide.csv --labels x,y,z", "iaa agree wide.csv --labels x,y,z"),
        ("wide.csv --label labels", "iaa agree wide.csv --label labels"),
        ("no/such.csv", "iaa agree no/such.csv"),
        ("wide.csv gold --seed 1", "iaa gold wide.csv --seed 1"),
        ("- --json -", "iaa agree - --json -"),
        ("agre wide.csv", "iaa agree wide.csv"),
        ("Gold wide.csv", "iaa gold wide.csv"),
        ("fleiss wide.csv", "iaa agree wide.csv --coefficient fleiss_kappa"),
        ("alpha wide.csv", "iaa agree wide.csv --coefficient krippendorff_alpha"),
        ("krippendorf-alpha", "iaa agree FILE --coefficient krippendorff_alpha"),
        ("kapa wide.csv", "iaa agree wide.csv --coefficient cohen_kappa"),
        ("kappa wide.csv", "iaa agree wide.csv --coefficient fleiss_kappa"),
        ("kappa", "iaa coefficients"),
        ("f1 marked.json", "iaa spans marked.json"),
        ("confusion wide.csv", "iaa labels wide.csv"),
        ("confuson wide.csv", "iaa labels wide.csv"),
        ("influence 'my votes.csv'", "iaa items 'my votes.csv'"),
        ("merges wide.csv", "iaa labels wide.csv --suggest-merges"),
        ("adjudicate", "iaa gold FILE"),
        ("help", "iaa --help"),
    ],
)
def test_what_was_meant_is_named(iaa, folder: Path, typed: str, meant: str) -> None:
    (folder / "iaa.toml").write_text('labels = ["x"]\n')  # which hides nothing of it
    done = iaa(*shlex.split(typed))
    first, *ways = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (2, "")
    assert first.startswith(f"iaa: {shlex.split(typed)[0]!r} ")
    assert f"    {meant}" in ways
    assert len(ways) <= 4


def test_a_word_that_is_like_nothing_is_refused_with_the_list(iaa) -> None:
    done = iaa("zzz", "wide.csv")
    assert (done.exit_code, done.stderr) == (
        *(2, "iaa: 'zzz' is not a command; 'iaa --help' lists the commands\n"),
    )


def test_words_of_the_field_stand_for_commands_that_there_are() -> None:
    """With options that these have; none hides a coefficient of ratings."""
    commands = Commands()
    for word, line in words().items():
        command, *options = line.split()
        if command.startswith("--"):
            continue
        known = {spelt for option in commands[command].params for spelt in option.opts}
        assert {each for each in options if each.startswith("--")} <= known, word
        assert word not in NAMES or command == "spans", word


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("spans x.csv --sentence", "No such option: --sentence; 'iaa agree' has it"),
        ("plan x.csv --above 0.8", "'iaa agree', 'iaa missing' have it"),
        ("agree x.csv --nonsense", "No such option: --nonsense (Possible"),
        ("findings x.csv --questions a,b", "run it for each, with --label COLUMN in place of"),
        ("agree x.csv --above 0.667,0.8", "once for each value: --above A --above B"),
        ("agree x.csv --label", "Option '--label' requires an argument. ╰"),
    ],
)
def test_an_option_of_other_commands_names_these(iaa, line: str, said: str) -> None:
    done = iaa(*line.split())
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
