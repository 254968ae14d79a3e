"""Two rounds in one sheet: a column tells repeated ratings apart, and the refusal says which."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import iaa_jax
from iaa_jax import IaaError, read

PEOPLE = ("Anna", "Bogdan", "Chloe")
ROUNDS = {
    (f"c{k}", number): ["xyxz"[(k + (k % 7 == n + number)) % 4] for n in range(3)]
    for number in (1, 2)
    for k in range(20)
}
LONG = [
    f"{item},so this is what {item} said,{number},{who},{label}"
    for (item, number), labels in ROUNDS.items()
    for who, label in zip(PEOPLE, labels, strict=True)
]
WIDE = [
    f"{item},so this is what {item} said,{number},{','.join(labels)}"
    for (item, number), labels in ROUNDS.items()
]


def sheet(header: str, rows: list[str], name: str = "two.csv") -> Path:
    path = Path(name)
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def long() -> Path:
    return sheet("Comment ID,Comment,Round,Annotator,Label", LONG)


def wide(people: str = ",".join(PEOPLE)) -> Path:
    return sheet(f"Comment ID,Comment,Round,{people}", WIDE)


def refusal(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value)


def ways(done: Any) -> list[str]:
    """The options that a refusal advises, a way out each."""
    assert done.exit_code == 1
    found = (re.search(r"--.*", line.split(" (")[0]) for line in done.stderr.splitlines()[1:])
    return [way[0] for way in found if way]


def test_the_refusal_says_first_what_tells_the_repeats_apart(iaa: Callable[..., Any]) -> None:
    long()
    done = iaa("agree", "two.csv")
    every, compared, alone, *_ = done.stderr.splitlines()[1:]
    assert every == (
        "  - 'Round' tells the repeats apart: keep them as different items with "
        "--item 'Comment ID,Round'"
    )
    assert compared == "  - compare the two with 'iaa compare --by Round'"
    assert alone.endswith("leave the other out with --exclude Round=1")
    for way, items in (("--item 'Comment ID,Round'", 40), ("--exclude Round=1", 20)):
        done = iaa("agree", "two.csv", *shlex.split(way))
        assert done.exit_code == 0
        assert f"Items {items}, all" in " ".join(done.stdout.split())
    done = iaa("agree", "two.csv", "--by", "Round")
    assert "leave the other out" not in done.stderr
    assert "--item 'Comment ID,Round'" in done.stderr
    done = iaa("agree", "two.csv", "--by", "Round", "--item", "Comment ID,Round")
    assert done.exit_code == 0


@pytest.mark.parametrize("people", [PEOPLE, ("rater1", "rater2", "rater3")], ids=str)
def test_wide_sheets_of_two_rounds(iaa: Callable[..., Any], people: tuple[str, ...]) -> None:
    bare = [re.sub(",so this is[^,]*", "", row) for row in WIDE]
    sheet(f"Item,Batch,{','.join(people)}", bare)
    told = " ".join(iaa("agree", "two.csv").stdout.split())
    assert "'Item' repeats, and was read as another item in each 'Batch'" in told
    assert f"give --item Item and --annotators {','.join(people)} for the ways" in told
    again = iaa("agree", "two.csv", "--item", "Item", "--annotators", ",".join(people))
    assert "iaa compare --by Batch" in again.stderr
    for said in (["agree", "--item", "Item,Batch"], ["agree", "--by", "Batch"]):
        done = iaa(said[0], "two.csv", *said[1:])
        assert done.exit_code == 0
        assert "repeats, and was read" not in " ".join(done.stdout.split())
    wide(",".join(people))
    done = iaa("agree", "two.csv", "--item", "Comment ID")
    for way in ways(done):
        assert "first" not in way
        assert "--annotator " not in way
    done = iaa("agree", "two.csv", "--item", "Comment ID,Round")
    assert "Items 40, all" in " ".join(done.stdout.split())


def test_a_wide_sheet_is_asked_about_and_no_round_is_an_annotator(iaa: Callable[..., Any]) -> None:
    wide()
    told = f"item='Comment ID,Round' and annotators={','.join(PEOPLE)!r} (40 items, 3 annotators"
    said = refusal(Path("two.csv"))
    assert told in said
    assert "measure one 'Round' alone: leave the other out with exclude='Round=1'" in said
    assert told in refusal(Path("two.csv"), keep="Round")
    assert told in refusal(Path("two.csv"), item="Comment ID")
    for command in (("agree",), ("compare", "--by", "Round")):
        (way, *_) = ways(iaa(command[0], "two.csv", *command[1:]))
        options = [part for part in shlex.split(way.split(" (")[0]) if part != "and"]
        assert iaa(command[0], "two.csv", *command[1:], *options).exit_code == 0
    assert iaa("agree", "two.csv", "--exclude", "Round=1").exit_code == 0


@pytest.mark.parametrize("table", ["long", "wide", "plain"])
def test_rounds_are_compared(iaa: Callable[..., Any], table: str) -> None:
    given: tuple[str, ...] = ()
    if table == "long":
        long()
    elif table == "wide":
        wide()
        given = ("--item", "Comment ID,Round")
    else:
        rows = [re.sub(",so this is[^,]*", "", row) for row in WIDE]
        sheet(f"Comment ID,Round,{','.join(PEOPLE)}", rows)
    done = iaa("compare", "two.csv", "--by", "Round", *given)
    assert done.exit_code == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "A Round 1: 20 items, 3 annotators, 60 ratings" in said
    assert "20 items were rated in both" in said


def test_what_tells_a_few_repeats_apart_by_chance_is_not_named() -> None:
    head = "item,sure,annotator,label"
    rows = [f"{k},{'yes' if k % 2 else 'no'},{who},{'xy'[k % 2]}" for k in range(9) for who in "ab"]
    assert "tells the repeats apart" not in refusal(sheet(head, [*rows, "2,yes,a,x", "4,yes,a,y"]))
    every = [f"{k},{'no' if k % 2 else 'yes'},{who},x" for k in range(9) for who in "ab"]
    assert "'sure' tells the repeats apart" in refusal(sheet(head, [*rows, *every]))
    again = [*rows, *every, "8,yes,a,x"]
    assert "tells the repeats apart" not in refusal(sheet(head, again))


def test_rounds_of_spelled_columns_in_python() -> None:
    long()
    ratings = read("two.csv", item="Comment ID,Round", keep="Round")
    found = iaa_jax.compare(ratings, by="Round", interval=None)
    assert (found.attrs["name_a"], found.attrs["paired"]) == ("Round 1", 1)
