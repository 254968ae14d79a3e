"""Narrow terminals: the commands keep their keys and figures, and say what they leave out."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from iaa_jax.wording.formats import share_interval
from tests.program import widest

FAST = ("--replicates", "50")
DEMO = str(Path(__file__).parents[2] / "iaa_jax" / "demo" / "pandalm.csv")
NAMES = ("annotator1", "annotator2", "annotator3", "gpt-3.5-turbo", "pandalm-7b")


def lines_of(iaa: Any, monkeypatch: pytest.MonkeyPatch, width: int, *arguments: str) -> list[str]:
    monkeypatch.setattr("tests.program.PLAIN", {"COLUMNS": str(width)})
    done = iaa(*arguments)
    assert done.exit_code == 0, done.output
    assert widest(done.stdout) <= width
    return done.stdout.splitlines()


@pytest.mark.parametrize("width", [60, 80])
def test_annotators_keep_their_names(iaa, monkeypatch, folder, width) -> None:
    lines = lines_of(iaa, monkeypatch, width, "annotators", DEMO, *FAST, "--json", "out.json")
    rows = json.loads((folder / "out.json").read_text())["annotators"]
    keys = [row["annotator"] for row in rows]
    assert sorted(keys) == sorted(NAMES)
    table = [line for line in lines if line.split("  ")[0] in NAMES]
    assert [line.split()[0] for line in table] == keys
    for line, row in zip(table, rows, strict=True):
        ends = [row[f"agreement_ci_{end}"] for end in ("low", "high")]
        assert share_interval(ends) in line
    numbered = [line.split()[1] for line in lines if line[:1].isdigit()]
    assert numbered == [*keys, *keys]  # kappas and shared items in the order of the table
    first, second = (line.split() for line in lines if line.startswith("1  "))
    assert first[3:] == [f"{rows[0]['pair_kappa'][name]:.2f}" for name in keys[1:]]
    assert second[2:] == [f"{rows[0]['pair_shared_items'][name]:.0f}" for name in keys]
    assert any(line.startswith("- Not shown at this width:") for line in lines)


@pytest.mark.parametrize("width", [60, 80])
def test_labels_stand_by_their_ratings(iaa, monkeypatch, width) -> None:
    lines = lines_of(iaa, monkeypatch, width, "labels", DEMO, *FAST)
    table = [line for line in lines if line.split("  ")[0] in ("1", "2", "tie") and " to " in line]
    assert [line.split()[0] for line in table] == ["2", "1", "tie"]
    assert all(line.count(" to ") == 2 and "…" not in line for line in table)


@pytest.mark.parametrize("width", [60, 80])
def test_items_keep_their_key_beside_kept_columns(iaa, monkeypatch, folder, width) -> None:
    rows = [
        (f"conversation-{k:03d}", who, "xy"[(k + n) % 2], "many words " * 9, "more words " * 9)
        for k in range(8)
        for n, who in enumerate(("ann", "bob", "cleo"))
    ]
    with (folder / "kept.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("item", "who", "label", "user", "bot"), *rows])
    options = ("--annotator", "who", "--label", "label", "--keep", "bot,user")
    lines = lines_of(iaa, monkeypatch, width, "items", "kept.csv", *options)
    table = [line for line in lines if line.startswith("conversation-")]
    assert len({line.split()[0] for line in table}) == 8
    assert all("0.333" in line and "more w" in line and "many w" in line for line in table)


@pytest.mark.parametrize("width", [50, 60, 80, 100])
def test_columns_that_were_asked_for_are_never_left_out(iaa, monkeypatch, folder, width) -> None:
    above = ("0.3", "0.5", "0.667", "0.8")
    options = [part for level in above for part in ("--above", level)]
    options += ["--scale", "krippendorff", "--zero", "--weights", "identity", *FAST]
    lines = lines_of(iaa, monkeypatch, width, "agree", "wide.csv", *options)
    headings = " ".join(line for line in lines if line.startswith("Coefficient"))
    asked = ("At least", "p by chance", *(f"P > {level}" for level in above))
    assert all(heading in headings for heading in asked)
    for line in lines:
        if line.startswith("Fleiss' kappa"):
            assert line.split()[-1] not in ("kappa", "…")  # each part has figures of its own

    columns = [f"col{k}" for k in range(9)]
    rows = [[item, who, "xy"[item % 2], *(f"v{item}{k}" for k in range(9))]
            for item in range(4) for who in ("ann", "bob")]  # fmt: skip
    with (folder / "kept.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("item", "annotator", "label", *columns), *rows])
    lines = lines_of(iaa, monkeypatch, width, "items", "kept.csv", "--keep", ",".join(columns))
    said = " ".join(" ".join(lines).split())
    assert all(column in said.split("Not shown")[0] for column in columns)
    assert all(f"v{item}{k}" in said for item in range(4) for k in range(9))


@pytest.mark.parametrize("width", [50, 80, 120])
def test_paths_are_broken_behind_slashes(iaa, monkeypatch, folder, width) -> None:
    path = folder / "a-folder-of-the-project" / "with-another-folder-in-it-2024" / "wide.csv"
    path.parent.mkdir(parents=True)
    (folder / "wide.csv").rename(path)
    lines = lines_of(iaa, monkeypatch, width, "agree", str(path), "--interval", "none")
    first, last = (
        next(k for k, line in enumerate(lines) if line.startswith(f"{name} "))
        for name in ("File", "Items")
    )
    shown = lines[first:last]
    pieces = [line.removeprefix("File").strip() for line in shown]
    assert "".join(pieces) == str(path)
    assert all(piece.endswith("/") for piece in pieces[:-1])


@pytest.mark.parametrize("width", [60, 120, 160])
@pytest.mark.parametrize("command", ["agree", "compare", "plan"])
def test_help_is_as_wide_as_the_terminal(iaa, monkeypatch, width, command) -> None:
    lines = [line.rstrip() for line in lines_of(iaa, monkeypatch, width, command, "--help")]
    assert max(map(len, lines)) == width
    for line, following in pairwise(line.strip() for line in lines[3 : lines.index("", 5)]):
        full = not line or not following or len(f" {line} {following.split()[0]}") > width - 2
        assert full, line


LONG = "the {} of those who took part in the year 24"


@pytest.fixture
def long_names(folder: Path) -> tuple[str, ...]:
    """A file in which each name is long, and how to read it."""
    who = [f"annotator-of-the-first-university-number-{n:02d}" for n in range(3)]
    labels = [f"a label that says very much of {x} and of more" for x in "xyz"]
    rows = [
        (f"conversation-of-the-long-corpus-{k:04d}", who[n], labels[(k + n * (k % 3)) % 3],
         labels[(k + 1) % 3] if k % 4 == 0 and not n else "", LONG.format(f"week {k % 2}"))
        for k in range(24)
        for n in range(3)
    ]  # fmt: skip
    with (folder / "long.csv").open("w", newline="") as file:
        head = ("item", "who", "label", "second", LONG.format("week"))
        csv.writer(file).writerows([head, *rows])
    return "long.csv", "--annotator", "who", "--label", "label"


BY = ("--by", LONG.format("week"))
COMMANDS = {
    "agree": (),
    "items": BY,
    "annotators": BY,
    "labels": BY,
    "label-sets": (),
    "sweep": ("--secondary", "second"),
    "plan": ("--simulations", "0"),
    "drift": (*BY, "--permutations", "39"),
    "compare": (*BY, "--permutations", "39"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_is_wider_than_the_terminal(iaa, monkeypatch, long_names, command) -> None:
    lines_of(iaa, monkeypatch, 50, command, *long_names, *FAST, *COMMANDS[command])


@pytest.mark.parametrize("width", [50, 60, 80])
def test_sets_that_are_compared_keep_their_names(
    iaa, monkeypatch, folder, long_names, width
) -> None:
    names = LONG.format("students"), LONG.format("experts")
    more = (*BY, "--names", ",".join(names), "--permutations", "39", *FAST, "--output", "page.md")
    lines = lines_of(iaa, monkeypatch, width, "compare", *long_names, *more)
    assert (folder / "page.md").read_text().count(f"| {names[0]} | {names[1]} |") == 2
    said = " ".join(" ".join(lines).split())
    for table in ("Coefficient", "Label"):
        heading = next(line for line in lines if line.startswith(table) and "B - A" in line)
        assert heading.removeprefix(table).split("B - A")[0].split() == ["A", "B"]
    for letter, name in zip("AB", names, strict=True):
        assert f" {letter} {name}: " in said


def test_the_headline_names_the_level(iaa) -> None:
    for command in ("annotators", "items"):
        (Path("ranks.csv")).write_text("item,a,b,c\n1,1,2,1\n2,3,3,3\n3,2,3,2\n4,1,1,1\n")
        text = iaa(command, "ranks.csv", "--level", "ordinal", *FAST).stdout
        assert "Krippendorff's alpha (ordinal) is " in text
        assert "(level" not in iaa(command, "ranks.csv", *FAST).stdout


def test_what_may_be_meant_otherwise_is_said_by_every_command(iaa, folder) -> None:
    rows = "".join(
        f"{k},a,x,y,{k % 2}\n{k},b,{'NULL' if k == 3 else 'y'},,{k % 2}\n" for k in range(8)
    )
    (folder / "odd.csv").write_text("item,who,label,second,week\n" + rows)
    options = ("--annotator", "who", "--label", "label", *FAST)
    commands = {
        "agree": (),
        "items": (),
        "annotators": (),
        "labels": (),
        "label-sets": (),
        "sweep": ("--secondary", "second"),
        "plan": ("--simulations", "0"),
        "drift": ("--by", "week"),
        "compare": ("--by", "week"),
    }
    for command, more in commands.items():
        done = iaa(command, "odd.csv", *options, *more)
        assert done.exit_code == 0, (command, done.output)
        told = " ".join(done.stdout.split())
        assert "'NULL' (1 rating) may mean 'not rated' and was read as a label" in told, command
        assert "if so, give --missing NULL" in told, command
    data = json.loads(iaa("agree", "odd.csv", *options, "--json", "-").stdout)["data"]
    assert data["notices"] == [
        "'NULL' (1 rating) may mean 'not rated' and was read as a label; if so, give --missing NULL"
    ]
    asked = json.loads(iaa("agree", "odd.csv", *options, "--missing", "NULL", "--json", "-").stdout)
    assert asked["data"]["notices"] == []


def test_label_sets_shows_the_most_frequent_labels(iaa, folder) -> None:
    rows = [f"{k},l{min(k % 40, (7 * k) % 30):02d},l{k % 25:02d}\n" for k in range(120)]
    (folder / "many.csv").write_text("item,a,b\n" + "".join(rows))
    done = iaa("label-sets", "many.csv", "--interval", "none", "--json", "out.json")
    assert done.exit_code == 0, done.output
    labels = json.loads((folder / "out.json").read_text())["labels"]
    wanted = sorted(labels, key=lambda name: (-labels[name]["prevalence"], name))
    shown = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("l")]
    assert shown == wanted[:20]
    assert f"Shown: 20 of {len(labels)} labels, the most frequent first;" in done.stdout
    done = iaa("label-sets", "many.csv", "--interval", "none", "--top", "3")
    shown = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("l")]
    assert shown == wanted[:3]
