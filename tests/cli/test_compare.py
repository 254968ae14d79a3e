"""The command compare: which two sets, what it says, and the JSON beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FAST = ("--replicates", "50", "--permutations", "50")
LONG = ("--annotator", "who", "--label", "label", *FAST)
WIDE = ("--annotators", "ann,bob", *FAST)


def rounds(again: bool) -> str:
    """Two rounds of 30 items, the second with agreement on more of them."""
    rows = ["item,who,label,round,team"]
    for item in range(30):
        for turn, every in (("1", 3), ("2", 15)):
            one = "xyz"[item % 3]
            other = "xyz"[(item + 1) % 3] if item % every == 0 else one
            name = item if again else f"{turn}-{item}"
            rows += [f"{name},ann,{one},{turn},red", f"{name},bob,{other},{turn},red"]
            rows += [f"{name},cleo,{one},{turn},blue", f"{name},dan,{one},{turn},blue"]
    return "\n".join(rows) + "\n"


@pytest.fixture
def two(folder: Path) -> tuple[str, str]:
    """Two wide tables of the same items."""
    for name, every in (("first", 3), ("second", 15)):
        lines = ["item,ann,bob"]
        for item in range(30):
            one = "xyz"[item % 3]
            other = "xyz"[(item + 1) % 3] if item % every == 0 else one
            lines.append(f"q{item},{one},{other}")
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return "first.csv", "second.csv"


def words(text: str) -> str:
    return " ".join(text.split())


def test_two_files_read_as_advice(iaa, two) -> None:
    done = iaa("compare", *two, *WIDE)
    assert done.exit_code == 0, done.output
    said = words(done.stdout)
    assert said.startswith("Agreement is higher for second than for first: Krippendorff's alpha")
    assert "on the same 30 items." in said  # q0, q1, ... are names
    assert "Paired, item by item: 30 items were rated in both." in said
    assert "not of other annotators. Their names are the same in both sets." in said
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json_has_what_is_printed(iaa, two, folder) -> None:
    done = iaa("compare", *two, *WIDE, "--json", "-", "--seed", "5", "--margin", "0.3")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["design"]["paired"] is True
    assert (found["a"]["name"], found["b"]["name"]) == ("first", "second")
    row = found["coefficients"]["krippendorff_alpha"]
    assert row["difference"] == pytest.approx(row["estimate_b"] - row["estimate_a"])
    assert row["ci_low"] < row["difference"] < row["ci_high"]
    assert [one["label"] for one in found["labels"]] == ["x", "y", "z"]
    assert found["provenance"]["seed"] == 5
    assert found["provenance"]["margin"] == 0.3
    assert found["verdict"].startswith("Agreement is higher")
    again = json.loads(iaa("compare", *two, *WIDE, "--json", "-", "--seed", "5").stdout)
    assert (
        again["coefficients"]["percent_agreement"]["ci_low"]
        == (found["coefficients"]["percent_agreement"]["ci_low"])
    )


@pytest.mark.parametrize("again", [True, False])
def test_rounds_of_one_file(iaa, folder, again) -> None:
    (folder / "rounds.csv").write_text(rounds(again))
    done = iaa("compare", "rounds.csv", "--item", "item", "--by", "round", *LONG)
    assert done.exit_code == 0, done.output
    said = words(done.stdout)
    assert "for round 2 than for round 1" in said
    assert ("Paired, item by item" in said) is again
    assert ("Independent sets: no two items stand in both." in said) is not again


def test_kinds_of_annotators(iaa, folder) -> None:
    (folder / "rounds.csv").write_text(rounds(again=False))
    done = iaa("compare", "rounds.csv", "--item", "item", "--by", "team", *LONG, "--no-labels")
    assert done.exit_code == 0, done.output
    said = words(done.stdout)
    assert said.startswith("Agreement is higher for blue than for red: Krippendorff's alpha 1.000")
    assert "on the same 60 items" in said
    assert "Label " not in said


def test_other_annotators_of_one_file(iaa) -> None:
    done = iaa(
        "compare", "wide.csv", "--keep-annotators", "ann,bob", "--keep-annotators-b", "bob,cleo",
        "--names", "old,new", *FAST,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    said = words(done.stdout)
    assert "old" in said
    assert "new" in said
    assert "1 item left out, not rated in the other" in said or "No difference" in said


def test_no_difference_says_what_it_would_take(iaa, two) -> None:
    done = iaa("compare", two[0], two[0], *WIDE, "--names", "a,b")
    assert words(done.stdout).startswith("No difference can be shown between a and b")
    done = iaa(
        "compare",
        *two,
        *WIDE,
        "--paired",
        "no",
        "--confidence",
        "0.9999999",
        "--interval",
        "normal",
    )
    said = words(done.stdout)
    assert "Four times in five these data would show a true difference of" in said
    assert "One of 0.05 takes about" in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("wide.csv",), 2, "one file is one set"),
        (("wide.csv", "wide.csv", "wide.csv"), 2, "two files are compared"),
        (("wide.csv", "wide.csv", "--by", "x"), 2, "splits one file"),
        (("wide.csv", "--between", "a,b"), 2, "column of --by, which is not given"),
        (("wide.csv", "--by", "x", "--label-b", "y"), 2, "do not go with --by"),
        (("wide.csv", "wide.csv", "--paired", "maybe"), 2, "not one of: auto, yes, no"),
        (("wide.csv", "wide.csv", "--names", "a"), 2, "does not name two"),
        (("wide.csv", "--by", "nothing"), 1, "nothing"),
        (("wide.csv", "gone.csv"), 1, "gone.csv"),
        (("wide.csv", "wide.csv", "--interval", "abc"), 1, "--interval abc cannot be had here"),
        (("wide.csv", "wide.csv", "--margin", "-1"), 1, "margin is a difference above 0"),
    ],
)
def test_wrong_usage_is_one_line(iaa, arguments, code, said) -> None:
    done = iaa("compare", *arguments)
    assert done.exit_code == code, done.output
    assert said in words(done.stderr.replace("│", " "))
    assert "Traceback" not in done.output
