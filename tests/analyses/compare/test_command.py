"""The command compare: which two sets, what it says, and the JSON beside it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax

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


def test_two_files_read_as_advice(ran, two) -> None:
    done = ran("compare", *two, *WIDE)
    said = words(done.stdout)
    assert said.startswith("Krippendorff's alpha is higher for 'second' than for 'first': 0.")
    assert said.index("Percent agreement") < said.index("Label rates differ: label 'x' is ")
    assert "Design paired, item by item: 30 items were rated in both" in said
    assert "Note" not in said  # q0, q1, ... are names
    assert max(map(len, done.stdout.splitlines())) <= 80
    with pd.ExcelWriter("both.xlsx") as book, pd.ExcelWriter("rows.xlsx") as rows:
        for place, name in enumerate(two, start=1):
            table, sheet = pd.read_csv(name), f"Round {place}"
            table.to_excel(book, sheet_name=sheet, index=False)
            table[["ann", "bob"]].to_excel(rows, sheet_name=sheet, index=False)
    sheets = ("both.xlsx", "--records", "Round 1", "--records-b", "Round 2")
    of_sheets = words(ran("compare", *sheets, *WIDE).stdout)
    renamed = said.replace("first", "Round 1").replace("second", "Round 2")
    assert of_sheets.split("95 %")[0] == renamed.split("95 %")[0]
    by_row = words(ran("compare", "rows.xlsx", *sheets[1:], *WIDE).stdout)
    assert "Note item ids look like row numbers: if these are different items, use" in by_row


def test_json_has_what_is_printed(iaa, ran, two, folder) -> None:
    done = ran("compare", *two, *WIDE, "--json", "-", "--seed", "5", "--margin", "0.3")
    found = json.loads(done.stdout)
    assert (found["provenance"]["design"], found["provenance"]["shared_items"]) == ("paired", 30)
    assert (found["data"]["a"]["name"], found["data"]["b"]["name"]) == ("first", "second")
    assert (found["data"]["a"]["items"], found["data"]["b"]["files"]) == (30, ["second.csv"])
    row = found["coefficients"]["krippendorff_alpha"]
    assert row["difference"] == pytest.approx(row["estimate_b"] - row["estimate_a"])
    assert row["ci_low"] < row["difference"] < row["ci_high"]
    assert list(found["labels"]) == ["x", "y", "z"]
    assert found["provenance"]["seed"] == 5
    assert found["provenance"]["margin"] == 0.3
    assert found["provenance"]["options"]["margin"] == 0.3
    assert found["conclusion"] == row["conclusion"] == "b_higher"
    codes = {note["code"] for note in found["notes"]}
    assert {"pairing_shared", "not_within_margin", "items_are_random"} <= codes
    again = json.loads(iaa("compare", *two, *WIDE, "--json", "-", "--seed", "5").stdout)
    assert (
        again["coefficients"]["percent_agreement"]["ci_low"]
        == (found["coefficients"]["percent_agreement"]["ci_low"])
    )


def test_the_command_says_what_the_function_says(iaa, two) -> None:
    done = iaa("compare", *two, *WIDE, "--json", "-")
    found = json.loads(done.stdout)["coefficients"]["krippendorff_alpha"]
    a, b = (iaa_jax.read(file, annotators=["ann", "bob"]) for file in two)
    row = iaa_jax.compare(
        a, b, ["krippendorff_alpha", "percent_agreement"], replicates=50, permutations=50
    ).sel(coefficient="krippendorff_alpha")
    for name, value in found.items():
        if isinstance(value, float):
            assert value == pytest.approx(float(row[name]), rel=1e-12), name


def test_files_beside_the_page(ran, two, folder) -> None:
    ran("compare", *two, *WIDE, "--output", "tables/", "--output", "page.md")
    header, *rows = Path("tables/coefficients.csv").read_text().splitlines()
    columns = header.split(",")
    assert {"coefficient", "difference", "ci_low", "detectable", "conclusion"} <= set(columns)
    assert len(columns) == len(set(columns))
    assert len(rows) == 2
    assert len(Path("tables/labels.csv").read_text().splitlines()) == 4
    assert "| Krippendorff's alpha |" in Path("page.md").read_text()


@pytest.mark.parametrize("again", [True, False])
def test_rounds_of_one_file(ran, folder, again) -> None:
    (folder / "rounds.csv").write_text(rounds(again))
    said = words(ran("compare", "rounds.csv", "--item", "item", "--by", "round", *LONG).stdout)
    assert "for 'round 2' than for 'round 1'" in said
    assert ("paired, item by item" in said) is again
    assert ("independent sets: no item is in both" in said) is not again


def test_kinds_of_annotators(ran, folder) -> None:
    (folder / "rounds.csv").write_text(rounds(again=False))
    options = ("--no-labels", "--json", "found.json")
    done = ran("compare", "rounds.csv", "--item", "item", "--by", "team", *LONG, *options)
    found = json.loads(Path("found.json").read_text())
    assert found["conclusion"] == "kind_not_shown"
    assert "labels_occur_differently" in {note["code"] for note in found["notes"]}
    said = words(done.stdout)
    assert "is higher for" not in said
    assert "Label " not in said.split("Coefficient")[1].split("Label rates")[0]
    assert "Adjusted p" not in said


def test_other_annotators_of_one_file(ran) -> None:
    done = ran(
        "compare", "wide.csv", "--keep-annotators", "ann,bob", "--keep-annotators-b", "bob,cleo",
        "--names", "old,new", *FAST,
    )  # fmt: skip
    said = words(done.stdout)
    assert "old" in said
    assert "new" in said
    assert "1 item left out, not rated in the other" in said or "No difference" in said


def test_no_difference_says_what_it_would_take(iaa, two) -> None:
    done = iaa("compare", two[0], two[0], *WIDE, "--names", "a,b", "--json", "-")
    assert json.loads(done.stdout)["conclusion"] == "not_shown"
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
    assert "with 80 % power" in said
    default = "(the default; --margin asks for another)"
    assert f"Next: to detect a difference of 0.05 {default}, rate about" in said


@pytest.fixture
def talks(folder: Path) -> str:
    """Two rounds of talks with five items each."""
    rows = [line.split(",") for line in rounds(again=True).splitlines()]
    rows = [[*rows[0], "talk"], *([*row, f"t{int(row[0]) // 5}"] for row in rows[1:])]
    (folder / "talks.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    return "talks.csv"


def test_clusters(iaa, ran, talks) -> None:
    by = (talks, "--item", "item", "--by", "round", *LONG)
    said = words(ran("compare", *by, "--cluster", "talk", "--json", "found.json").stdout)
    assert "the two sets' ratings of a cluster change sides at random" in said
    found = json.loads(Path("found.json").read_text())
    assert found["provenance"]["sampling_cluster"] == "talk"
    assert found["data"]["b"]["clusters"] == 6
    plain = json.loads(iaa("compare", *by, "--json", "-").stdout)
    errors = [one["coefficients"]["percent_agreement"]["standard_error"] for one in (found, plain)]
    assert errors[0] != errors[1]
    done = iaa("compare", *by, "--cluster", "talk", "--interval", "none")
    assert "clusters of items by talk (6 here)" in words(done.stdout)
    two = ("--keep-annotators", "ann,bob", "--keep-annotators-b", "cleo,dan", "--paired", "no")
    done = ran("compare", talks, "--item", "item,round", *LONG, *two, "--cluster", "talk")
    assert "6 values of talk occur in both sets" in words(done.stdout)


def test_clusters_that_cannot_be(iaa, talks) -> None:
    by = (talks, "--item", "item", "--by", "round", *LONG)
    done = iaa("compare", *by, "--cluster", "label")
    assert done.exit_code == 1
    assert "'label'" in done.stderr
    done = iaa("compare", *by, "--cluster", "who")
    assert done.exit_code == 1
    assert "round 1: --cluster who is not a coordinate along items" in words(done.stderr)


def test_no_spread(ran, folder) -> None:
    Path("same.csv").write_text(
        "item,ann,bob\n" + "".join(f"q{k},{k % 2},{k % 2}\n" for k in range(9))
    )
    done = ran("compare", "same.csv", "same.csv", *WIDE, "--margin", "0.9", "--names", "a,b")
    said = words(done.stdout)
    assert said.startswith("Krippendorff's alpha differs by less than")


def test_an_annotator_without_ratings_is_none(ran, folder) -> None:
    for name in ("one", "two"):
        lines = [f"q{k},{'xy'[k % 2]},,{'xy'[k % 3 % 2]}" for k in range(12)]
        Path(f"{name}.csv").write_text("\n".join(["item,ann,gone,bob", *lines]) + "\n")
    done = ran(
        "compare", "one.csv", "two.csv", "--annotators", "ann,gone,bob", "--coefficient",
        "cohen_kappa", *FAST,
    )  # fmt: skip
    assert "12 items, 2 annotators, 24 ratings" in words(done.stdout)


def test_few_items_without_disagreement_win_nothing(ran, folder) -> None:
    lines = [
        f"{k},{'xy'[k % 2]},{'xy'[(k + (k % 7 == 0)) % 2]},{'AB'[1 <= k < 5]}" for k in range(90)
    ]
    Path("groups.csv").write_text("\n".join(["item,ann,bob,group", *lines]) + "\n")
    said = words(ran("compare", "groups.csv", "--item", "item", "--by", "group", *WIDE).stdout)
    assert said.startswith(
        "Krippendorff's alpha is not shown to differ between 'A' and 'B': 0.699 and 1.000"
    )
    assert "4 items without disagreement (B) are too few to show a difference." in said
    assert "lie on either side" not in said
    assert "BCa" not in said


def test_a_verdict_keeps_to_its_replicates(ran, folder) -> None:
    """One rating off the rest: many replicates hold none, and are undefined."""
    for name, apart in (("one", 1), ("two", 12)):
        lines = [f"{k},x,{'y' if k < apart else 'x'}" for k in range(40)]
        Path(f"{name}.csv").write_text("\n".join(["item,ann,bob", *lines]) + "\n")
    options = ("--interval", "bca", "--json", "found.json")
    done = ran("compare", "one.csv", "two.csv", *options, *WIDE)
    assert json.loads(Path("found.json").read_text())["conclusion"] == "unreliable"
    said = words(done.stdout)
    assert said.startswith("No verdict: ")
    assert "95 %:" not in said.split("Percent agreement")[0]


def test_groups_of_annotators_are_these_annotators(iaa, folder) -> None:
    (folder / "rounds.csv").write_text(rounds(again=False))
    said = words(iaa("compare", "rounds.csv", "--item", "item", "--by", "team", *LONG).stdout)
    assert "Of the 6 ways to split the annotators into groups of 2 and 2" in said
    assert "other annotators left out" not in said


def test_labels_in_two_ways_and_levels(ran, folder) -> None:
    for name, label in (("one", "tie"), ("two", "Tie")):
        lines = [
            f"q{k},{('x', 'y', label)[k % 3]},{('x', 'y', label)[k % 4 % 3]}" for k in range(24)
        ]
        Path(f"{name}.csv").write_text("\n".join(["item,ann,bob", *lines]) + "\n")
    said = words(ran("compare", "one.csv", "two.csv", *WIDE, "--level", "nominal").stdout)
    assert "'tie' only in one, 'Tie' only in two. One label written in two ways?" in said
    assert "Percent agreement" in said
    assert "difference of 0.00" not in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("wide.csv",), 2, "a comparison needs two sets"),
        (("wide.csv", "wide.csv", "wide.csv"), 2, "give two files, A and B"),
        (("wide.csv", "wide.csv", "--by", "x"), 2, "splits one file"),
        (("wide.csv", "wide.csv", "--between", "a,b"), 2, "--by, which is missing"),
        (("wide.csv", "--by", "ann", "--between", "a"), 2, "does not give two names"),
        (("wide.csv", "--by", "x", "--label-b", "y"), 2, "do not go with --by"),
        (("wide.csv", "wide.csv", "--paired", "maybe"), 2, "not one of: auto, yes, no"),
        (("wide.csv", "wide.csv", "--names", "a"), 2, "does not give two names"),
        (("wide.csv", "--by", "nothing"), 1, "nothing"),
        (("wide.csv", "gone.csv"), 1, "gone.csv"),
        (("wide.csv", "wide.csv", "--interval", "abc"), 1, "--interval abc is not available here"),
        (("wide.csv", "wide.csv", "--margin", "-1"), 2, "margin must be a difference above 0"),
    ],
)
def test_wrong_usage_is_one_line(iaa, arguments, code, said) -> None:
    done = iaa("compare", *arguments)
    assert done.exit_code == code, done.output
    assert said in words(done.stderr.replace("│", " "))
    assert "Traceback" not in done.output


def test_the_prior_of_differences_is_said_and_can_be_left_out(iaa, ran, folder) -> None:
    for name, apart in (("one", 4), ("two", 12)):
        lines = [
            f"{k},{'xy'[k % 2]},{'yx'[k % 2] if k < apart else 'xy'[k % 2]}" for k in range(40)
        ]
        Path(f"{name}.csv").write_text("\n".join(["item,ann,bob", *lines]) + "\n")
    said = {}
    for prior in ((), ("--prior", "0")):
        said[prior] = words(ran("compare", "one.csv", "two.csv", *prior, *WIDE).stdout)
    assert "intervals of labels" not in said[()]  # there are two, and no table of them
    assert "95 % intervals: empirical Bayes over items" in said[()]
    assert ", no prior, " in said["--prior", "0"]
    refused = iaa("compare", "one.csv", "two.csv", "--prior", "0", "--cluster", "item", *WIDE)
    assert refused.exit_code != 0
    assert "Traceback" not in refused.output


def test_intervals_of_labels_are_said_where_they_are_others(ran, folder) -> None:
    rng = np.random.default_rng(3)
    for name in ("one", "two"):
        rows = [f"{k},{x},{x if rng.random() < 0.8 else 'x'}" for k, x in enumerate("xyz" * 20)]
        Path(f"{name}.csv").write_text("\n".join(["item,ann,bob", *rows]) + "\n")
    said = words(ran("compare", "one.csv", "two.csv", *WIDE).stdout)
    assert "% intervals: empirical Bayes over items of both sets together" in said
    assert "intervals of labels are computed by permutations" in said
