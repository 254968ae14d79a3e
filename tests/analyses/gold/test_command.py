"""The command ``iaa gold``: its sentences, the sheet for an adjudicator, and what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROWS = """item,ann,bob,cleo,text,known
i1,x,y,x,the cat,x
i2,x,x,x,the dog,x
i3,y,z,x,=1+1,z
i4,,,z,foo,
i5,y,y,x,bar,y
"""
WIDE = ("--annotators", "ann,bob,cleo", "--item", "item")


def rows_of(file: str) -> list[dict[str, str]]:
    with Path(file).open(newline="", encoding="utf-8-sig") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture
def table(folder: Path) -> str:
    (folder / "votes.csv").write_text(ROWS)
    return "votes.csv"


def test_the_page_says_how_many_are_tied_or_thin_and_whom_to_follow(
    ran: Callable[..., Any], table: str
) -> None:
    done = ran("gold", table, *WIDE, "--text", "text")
    said = " ".join(done.stdout.split())
    for words in (
        "4 items have a gold label by majority; 1 more is a tie, without a label in files (the "
        "column 'tied' has the tied labels); figures here take the label that comes first in the "
        "order 'x', 'y', 'z'; 1 item has a single vote, so that nobody knows how certain it is.",
        "On average 66.7 % of the votes support the gold label (items with two votes or "
        "more); on 1 item it is less than 60 %.",
        "i3 =1+1 y z x (tied) 33.3 % 3",
        "i4 foo z z (one vote) 100.0 % 1",
        "Certainty: share of the votes for the gold label.",
    ):
        assert words in said
    assert "skill (0.83)" not in said  # of four ratings nobody is called the best
    # the least certain first, the weakest annotator first
    assert said.index("i3 ") < said.index("i1 ") < said.index("i4 ")
    tables = done.stdout.partition("Next: ")[0]
    assert tables.rindex("bob ") < tables.rindex("cleo ") < tables.rindex("ann ")


def test_a_file_has_all_items_and_leaves_ties_open_unless_their_order_decides(
    ran: Callable[..., Any], table: str
) -> None:
    done = ran("gold", table, *WIDE, "--text", "text", "--top", "1", "--output", "gold.csv")
    rows = rows_of("gold.csv")
    assert [row["item"] for row in rows] == ["i3", "i1", "i5", "i2", "i4"]
    given = {name: rows[0][name] for name in ("text", "by ann", "by bob", "by cleo", "gold")}
    assert given == {"text": "'=1+1", "by ann": "y", "by bob": "z", "by cleo": "x", "gold": ""}
    assert rows[0]["votes_by_label"] == "x: cleo; y: ann; z: bob"
    assert [row["tied"] for row in rows] == ["x / y / z", "", "", "", ""]
    assert rows[0]["gold_code"] == "-1"
    assert rows[4]["decided_by"] == "method"
    assert "got an apostrophe" in done.stderr
    ran("gold", table, *WIDE, "--ties", "first", "--output", "first.csv")
    assert [row["gold"] for row in rows_of("first.csv")] == ["x", "x", "y", "x", "z"]


def test_the_sheet_has_what_is_disputed_with_the_texts_it_finds(
    ran: Callable[..., Any], folder: Path
) -> None:
    lines = [f"i{k},x,{'xy'[k % 3 == 0]},x,this is text {k} of nine,b{k % 2}" for k in range(9)]
    (folder / "t.csv").write_text("\n".join(["item,ann,bob,cleo,said,batch", *lines]))
    done = ran("gold", "t.csv", *WIDE, "--keep", "batch", "--sheet", "sheet.csv")
    assert "sheet.csv has 3 of 9 items" in done.stderr
    assert "the texts of 'said': --text names another column" in done.stderr
    rows = rows_of("sheet.csv")
    given = ["by ann", "by bob", "by cleo"]
    assert [*rows[0]] == ["item", "said", "batch", *given, "suggested", "adjudicated"]
    assert [row["item"] for row in rows] == ["i0", "i3", "i6"]
    assert {row["suggested"] for row in rows} == {"x"}
    ran("gold", "t.csv", *WIDE, "--output", "gold.csv")
    assert rows_of("gold.csv")[0]["said"].startswith("this is text")
    ran("gold", "t.csv", *WIDE, "--output", "gold.csv", "--no-texts")
    assert "said" not in rows_of("gold.csv")[0]
    ran("gold", "t.csv", *WIDE, "--sheet", "all.csv", "--all-rows", "--no-texts")
    assert len(rows_of("all.csv")) == 9
    assert "said" not in rows_of("all.csv")[0]
    lines = [f"{line},and another text {k}" for k, line in enumerate(lines)]
    (folder / "t.csv").write_text("\n".join(["item,ann,bob,cleo,said,batch,more", *lines]))
    done = ran("items", "t.csv", *WIDE, "--sheet", "two.csv")
    assert "'said' and 'more' may hold the texts" in done.stderr
    assert "then 'iaa gold --adjudicated two.csv'" in " ".join(done.stdout.split())
    assert "said" not in rows_of("two.csv")[0]
    ran("items", "t.csv", *WIDE, "--text", "said", "--sheet", "one.csv")
    assert rows_of("one.csv")[0]["said"].startswith("this is text")


def test_the_best_is_named_where_intervals_are_apart(iaa: Callable[..., Any], folder: Path) -> None:
    lines = [f"i{k},x,x,{'y' if k % 3 else 'x'}" for k in range(60)]
    (folder / "apart.csv").write_text("\n".join(["item,ann,bob,cleo", *lines]))
    said = " ".join(iaa("gold", "apart.csv", *WIDE, "--top", "1").stdout.split())
    assert "ann is the best (skill 1.00), cleo the weakest (0.33)" in said
    lines = [f"i{k},x,{'xy'[k % 4 == 0]},{'xy'[k % 3 == 0]}" for k in range(20)]
    (folder / "close.csv").write_text("\n".join(["item,ann,bob,cleo", *lines]))
    said = " ".join(iaa("gold", "close.csv", *WIDE, "--top", "1").stdout.split())
    assert (
        "ann has the highest skill (0.90) and cleo the lowest (0.75), but their intervals" in said
    )


def test_what_a_label_depends_on_stands_beside_it(iaa: Callable[..., Any], folder: Path) -> None:
    lines = [f"i{k},x,x,x" for k in range(8)] + ["one,x,y,x"]
    (folder / "hangs.csv").write_text("\n".join(["item,ann,bob,cleo", *lines]))
    done = iaa("gold", "hangs.csv", *WIDE, "--top", "2", COLUMNS="120")
    first, second = (line for line in done.stdout.splitlines() if line.startswith(("one", "i0")))
    assert first.endswith("one vote")
    assert not second.endswith("one vote")
    assert "Would change: gold labels that change without the annotator" in done.stdout


def test_a_tied_item_may_have_no_label(iaa: Callable[..., Any], table: str) -> None:
    record = json.loads(iaa("gold", table, *WIDE, "--ties", "none", "--json", "-").stdout)
    assert [row["gold"] for row in record["items"]] == ["x", "x", "", "z", "y"]
    assert record["conclusion"] == "tied"
    said = " ".join(iaa("gold", table, *WIDE, "--ties", "none").stdout.split())
    assert "1 more is tied and has none" in said
    assert "(no label)" in said


def test_a_crowd_has_a_compact_line_for_each_item(ran: Callable[..., Any], folder: Path) -> None:
    lines = ["item,annotator,label"]
    lines += [f"i{k},w{(7 * k + j) % 60},{'xy'[(k * j) % 2]}" for k in range(40) for j in range(3)]
    Path("crowd.csv").write_text("\n".join(lines) + "\n")
    done = ran("gold", "crowd.csv", "--output", "sheet.csv")
    first = rows_of("sheet.csv")[0]
    assert first["votes_by_label"].startswith("x: w")
    assert not any(name.startswith("by ") for name in first)
    assert "Given" in done.stdout


def test_methods_are_compared_with_known_labels(ran: Callable[..., Any], table: str) -> None:
    asked = ("--compare", "majority,expert_coder_index", "--gold", "known")
    said = " ".join(ran("gold", table, *WIDE, *asked, "--output", "out/").stdout.split())
    assert "the same gold label on 4 of 5 items and differ on 1." in said
    assert "Of 4 items with a known label, Majority gets most right (83.3 %)." in said
    assert "y: expert_coder_index" in said
    rows = rows_of("out/items.csv")
    assert [row["item"] for row in rows] == ["i3"]
    assert rows[0]["known_label"] == "z"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--method", "best"), "'best' is not one of: majority, "),
        (("--ties", "skip"), "'skip' is not one of: first, none"),
        (("--keep", "nothing"), "nothing"),
        (("--gold", "known"), "changes nothing without --compare"),
        (("--compare", "all", "--method", "wawa"), "has no effect with --compare"),
        (("--compare", "all", "--seed", "7"), "has no intervals"),
        (("--replicates", "3"), "replicates"),
        (("--compare", "majority"), "must name two or more"),
        (("--compare", "majority,best"), "'best' is not one of"),
        (("--p", ".6"), "name their column with --secondary"),
        (("--coefficient", "am_agreement"), "is about sets of labels"),
    ],
)
def test_what_changes_nothing_is_refused(
    iaa: Callable[..., Any], table: str, options: tuple[str, ...], words: str
) -> None:
    done = iaa("gold", table, *WIDE, *options)
    assert done.exit_code in (1, 2)
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_many_ratings_have_intervals_only_if_asked(
    iaa: Callable[..., Any], table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iaa_jax.analyses.gold.certainty.REDRAW_BUDGET", 10)
    monkeypatch.setattr("iaa_jax.analyses.gold.certainty.FIT_BUDGET", 10)
    monkeypatch.setattr("iaa_jax.analyses.gold.certainty.LEAVE_OUT_BUDGET", 10)
    plain = iaa("gold", table, *WIDE).stdout
    assert "95 % interval" not in plain
    said = " ".join(plain.split())
    assert ": to have them, --replicates 500." in said
    assert ": to do it, --leave-out." in said
    asked = iaa("gold", table, *WIDE, "--replicates", "100", "--method", "one_coin").stdout
    assert "95 % interval" in asked
    assert "If the model holds" in asked


def test_sets_show_the_labels_in_doubt(iaa: Callable[..., Any], folder: Path) -> None:
    Path("sets.csv").write_text("item,ann,bob,cleo\n1,a;b,a,c\n2,a,b,c\n3,b,b,b;c\n")
    done = iaa("gold", "sets.csv", *WIDE, "--separator", ";", "--output", "sheet.csv")
    said = " ".join(done.stdout.split())
    assert "3 items have a gold set of labels by majority." in said
    assert "On 1 item no label has more than half of the votes: the gold set is empty" in said
    rows = {row["item"]: row for row in rows_of("sheet.csv")}
    assert rows["1"]["in_doubt"] == "a 0.67, b 0.33, c 0.33"
    assert [rows[name]["gold"] for name in "123"] == ["a", "", "b"]
    done = iaa("gold", "sets.csv", *WIDE, "--separator", ";", "--method", "expert_coder_index")
    assert "Skill: mean agreement with the others" in done.stdout
    done = iaa("gold", "sets.csv", *WIDE, "--separator", ";", "--method", "wawa")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "use --method majority or --method expert_coder_index" in done.stderr


def test_a_column_of_single_ratings_has_no_place_beside_items(
    iaa: Callable[..., Any], tmp_path: Path
) -> None:
    rows = ["item,annotator,label,time", "1,ann,x,1", "1,ann,y,2", "1,bob,x,3", "2,bob,x,4"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    done = iaa("gold", str(tmp_path / "t.csv"), "--duplicates", "votes", "--keep", "time")
    assert done.exit_code == 1
    assert "'time' describes ratings, not items: item 1 has 1 and 2" in done.stderr


def test_votes_on_the_page_and_on_the_sheet(iaa: Callable[..., Any], tmp_path: Path) -> None:
    rows = [
        "item,annotator,label",
        "1,ann,x",
        "1,ann,y",
        "1,ann,x",
        "1,bob,x",
        "2,bob,x",
        "2,bob,x",
    ]
    (tmp_path / "t.csv").write_text("\n".join([*rows, "2,ann,y"]))
    refused = iaa("gold", str(tmp_path / "t.csv"))
    assert refused.exit_code == 1
    assert "for gold labels, count each as a vote with --duplicates votes" in refused.stderr
    sheet = str(tmp_path / "sheet.csv")
    done = iaa("gold", str(tmp_path / "t.csv"), "--duplicates", "votes", "--output", sheet)
    assert done.exit_code == 0
    first = next(row for row in rows_of(sheet) if row["item"] == "1")
    assert (first["by ann"], first["by bob"], first["votes"]) == ("x; x; y", "x", "4")
    for command in ("agree", "items", "annotators"):
        refused = iaa(command, str(tmp_path / "t.csv"), "--duplicates", "votes")
        assert refused.exit_code == 1
        assert "3 further votes, the first by annotator 'ann' on item 1" in refused.stderr
        assert "--duplicates error lists these votes" in refused.stderr
