"""Commands that a page advises work as they stand: they read the files as the page was told to."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

COLUMNS = ("--item", "thing", "--annotator", "who", "--label", "my answer")
ROWS = [(f"t{k}", who, "yn"[(k * n) % 3 == 1]) for k in range(12) for n, who in enumerate("abc")]


@pytest.fixture
def data(folder: Path) -> Path:
    lines = [f"{item},{who},{label},{k}" for k, (item, who, label) in enumerate(ROWS)]
    lines += ["t11,c,y,99"]  # the last one again, with another label
    file = folder / "my votes.csv"
    file.write_text("\n".join(["thing,who,my answer,number", *lines]) + "\n")
    return file


def advised(text: str) -> list[list[str]]:
    """The commands of a page, as a shell takes them."""
    return [shlex.split(found) for found in re.findall(r"'iaa ([^']*)'", " ".join(text.split()))]


@pytest.mark.parametrize("command", ["agree", "items", "labels", "gold", "plan", "panels"])
def test_what_is_advised_can_be_pasted(iaa, data, command: str) -> None:
    given = (*COLUMNS, "--duplicates", "last", "--keep-annotators", "a,c")
    done = iaa(command, "my votes.csv", *given)
    assert done.exit_code == 0, done.output
    commands = [words for words in advised(done.stdout) if "my votes.csv" in words]
    assert commands or command in ("plan", "panels")
    for words in commands:
        for option, value in zip(given[::2], given[1::2], strict=True):
            assert words[words.index(option) + 1] == value
        if "--adjudicated" in words:
            continue  # a sheet that is to be filled in
        again = iaa(*words, "--json", "again.json")
        assert again.exit_code == 0, again.output
        record = json.loads((data.parent / "again.json").read_text())
        assert record["data"]["annotators"] == 2


def test_dates_are_sent_to_drift_on_the_same_files(iaa, folder: Path) -> None:
    rows = [f"t{k},{who},{'yn'[k % 2]},{1 + k:02}.03.2026" for k in range(12) for who in "abA"]
    file = folder / "my votes.csv"
    file.write_text("\n".join(["thing,who,answer,on the day", *rows, "t1,a,y,01.04.2026"]) + "\n")
    given = ("--label", "answer", "--duplicates", "last", "--merge-ids", "case")
    done = iaa("agree", "my votes.csv", *given, "--by", "on the day")
    *_, line = done.stderr.splitlines()
    command = shlex.split(line)
    assert (done.exit_code, command[:3]) == (1, ["iaa", "drift", "my votes.csv"])
    assert command[-2:] == ["--by", "on the day"]
    assert {*given} < {*command}
    assert iaa(*command[1:], "--replicates", "99").exit_code == 0


def test_flags_and_numbers_are_repeated(iaa, data) -> None:
    lines = data.read_text().splitlines()[1:-1]
    data.write_text("\n".join(lines) + "\n")
    columns = ("--item", "1", "--annotator", "2", "--label", "3")
    done = iaa("agree", "my votes.csv", "--no-header", *columns)
    (words, *_) = advised(done.stdout)
    assert "--no-header" in words
    assert iaa(*words).exit_code == 0


def test_nothing_is_repeated_that_nobody_gave(iaa, data) -> None:
    data.write_text("item,annotator,label\n" + "".join(f"{','.join(row)}\n" for row in ROWS))
    done = iaa("agree", "my votes.csv", "--seed", "3")
    assert {tuple(words[1:]) for words in advised(done.stdout)} == {("my votes.csv",)}


def test_an_option_of_both_commands_is_given_as_each_takes_it(iaa, folder: Path) -> None:
    rows = ["document,annotator,start,end,label"]
    rows += [f"d{k},{who},{n},{5 + k},{'xy'[n]}" for k in range(4) for n, who in enumerate("ab")]
    (folder / "s.csv").write_text("\n".join(rows) + "\n")
    done = iaa("spans", "s.csv", "--duplicates", "last,multiset", "--keep-annotators", "a,b")
    found = {words[0]: words for words in advised(done.stdout)}
    assert found["spans"][found["spans"].index("--duplicates") + 1] == "last,multiset"
    assert found["labels"][found["labels"].index("--duplicates") + 1] == "last"


def test_what_the_project_file_gives_to_all_is_left_to_it(iaa, data) -> None:
    (data.parent / "iaa.toml").write_text(
        'item = "thing"\nannotator = "who"\nlabel = "my answer"\n[agree]\nduplicates = "first"\n'
    )
    (words, *_) = advised(iaa("agree", "my votes.csv").stdout)
    assert words == ["findings", "my votes.csv", "--duplicates", "first"]
    assert iaa(*words).exit_code == 0


def scale_of(folder: Path, steps: tuple[str, ...]) -> None:
    """A table of three people who miss each other by a step now and then."""
    ends = len(steps) - 1
    rows = [
        [k % len(steps), min(k % len(steps) + k % 2, ends), k * k % len(steps)] for k in range(30)
    ]
    lines = [f"i{k},{','.join(steps[place] for place in row)}" for k, row in enumerate(rows)]
    (folder / "scale.csv").write_text("\n".join(["item,ann,bob,cat", *lines]) + "\n")


VERDICTS = re.compile("Next:|usual bars|least with the others|Merge|agree least")


@pytest.mark.parametrize("command", ["report", "labels"])
def test_numbers_that_may_be_a_scale_are_asked_about_and_judged_by_nobody(
    iaa, folder: Path, command: str
) -> None:
    scale_of(folder, ("1", "2", "3", "4"))
    fast = ("--interval", "none", "--output", "page.md")
    done = iaa(command, "scale.csv", *fast)
    assert done.stdout.startswith("Are the labels (numbers from 1 to 4) a scale or names?")
    assert not VERDICTS.search(done.stdout + (folder / "page.md").read_text())
    done = iaa(command, "scale.csv", *fast, "--level", "nominal")
    assert "a scale or names" not in done.stdout
    assert VERDICTS.search(done.stdout)


def test_a_gate_on_numbers_needs_their_level(iaa, folder: Path) -> None:
    scale_of(folder, ("1", "2", "3", "4"))
    gate = ("agree", "scale.csv", "--interval", "none", "--require")
    done = iaa(*gate, "krippendorff_alpha>=-1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--level nominal for names" in done.stderr
    assert iaa(*gate, "krippendorff_alpha>=-1", "--level", "ordinal").exit_code == 0
    done = iaa(*gate, "gwet_ac1>=-1", "--json", "-")  # which knows names alone
    record = json.loads(done.stdout)
    assert record["conclusion"] == "level_undecided"
    assert record["coefficients"]["krippendorff_alpha"]["level"] == "nominal"


def test_words_that_look_like_steps_stay_names_and_come_with_their_order(iaa, folder: Path) -> None:
    scale_of(folder, ("never", "rarely", "often", "always"))
    done = iaa("agree", "scale.csv", "--interval", "none", "--require", "krippendorff_alpha>=-1")
    assert done.exit_code == 0
    lead, asked, *_ = done.stdout.splitlines()
    assert lead.startswith("Krippendorff's alpha (nominal) is")
    assert asked.startswith("The labels look like steps")
    assert "--labels never,rarely,often,always with --level" in " ".join(done.stdout.split())
