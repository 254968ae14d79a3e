"""The work on columns and on files grows with their number, not with its square."""

from __future__ import annotations

import json
import random
import re
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from iaa_jax import IaaError, read
from iaa_jax.io.base import Options
from iaa_jax.io.layout.item_rows import count_readings
from iaa_jax.io.layout.sample import sample_head
from iaa_jax.io.table import content, delimited, head as heads, json_fields, json_records
from iaa_jax.io.table.columns import expand_stars
from iaa_jax.io.table.head import Head
from tests.archives import packed
from tests.taken import one_of

Write = Callable[..., Path]

FEW, MANY = 150, 600  # four times as many; in squares sixteen times


class Name(str):
    """The name of a column, which counts how often it is compared with another."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def steps(work: Callable[[], object]) -> int:
    """How many functions are called, and names compared."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    Name.compared = 0
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls + Name.compared


def label(row: int, column: int) -> str:
    return "xy"[row * column % 3 == 0]


def half_people(columns: int) -> Callable[[int, int], str]:
    def cell(row: int, column: int) -> str:
        return f"p{(row + column) % 9}" if column < columns // 2 else label(row, column)

    return cell


Shape = Callable[[int], tuple[Sequence[str], Callable[[int, int], str]]]

SHAPES: dict[str, Shape] = {
    "annotators": lambda n: ([f"a{k}" for k in range(n)], label),
    "beside a text": lambda n: (["text", *(f"a{k}" for k in range(n))], label),
    "nothing in common": lambda n: (["text", *(f"a{k}" for k in range(n))], "w{1}_{0}".format),
    "counts": lambda n: (["text", *(f"n_{k}" for k in range(n))], lambda r, k: str((r + k) % 3)),
    "zeros": lambda n: (["text", *(f"c{k}" for k in range(n))], lambda r, k: "0"),
    "sums": lambda n: (["text", *(f"c{k}x" for k in range(n))], lambda r, k: str((7 * r + k) % 5)),
    "fields": lambda n: (["text", *(f"o{k % 9}.f{k}" for k in range(n))], label),
    "objects": lambda n: (["text", *(f"a{k}" for k in range(n))], lambda r, k: f'{{"k": {r}}}'),
    "people": lambda n: (["text", *(f"rater_{k}_id" for k in range(n))], label),
    "equal names": lambda n: (["text", *["a"] * n], label),
    "questions": lambda n: ([f"q{k // 2}_{'ann' if k % 2 else 'bob'}" for k in range(n)], label),
    "pairs": lambda n: (
        [f"{what}{k}" for what in ("judge", "vote") for k in range(n // 2)], half_people(n),
    ),
}  # fmt: skip


def table(shape: str, columns: int) -> str:
    names, cell = SHAPES[shape](columns)
    rows = [[cell(row, k) for k in range(len(names))] for row in range(3)]
    quoted = [[f'"{c}"'.replace('{"k"', '{""k""') for c in row] for row in rows]
    lines = [["item", *names], *([str(k), *row] for k, row in enumerate(quoted))]
    return "".join(",".join(line) + "\n" for line in lines)


def refusal(path: Path) -> str:
    """Why a file is not read; nothing where it is."""
    try:
        read(path, duplicates="first")
    except IaaError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("shape", one_of(6, SHAPES))
def test_work_on_columns_grows_with_their_number(
    shape: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    names_of = delimited._names
    monkeypatch.setattr(delimited, "_names", lambda *given: [*map(Name, names_of(*given))])
    monkeypatch.setattr(delimited, "MOST_OF_ARROW", 0)  # its threads are not counted

    def taken(columns: int) -> int:
        path = write(table(shape, columns))
        assert len(refusal(path)) < 1500  # and what is loaded once is no work on columns
        return steps(lambda: refusal(path))

    assert taken(MANY) / taken(FEW) < 6


def test_work_on_keys_and_lines_grows_with_their_number(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_records, "SAMPLE_CELLS", 0)  # of the first rows alone

    def taken_by_keys(records: int) -> int:
        rows = [{"id": k, f"k{k}": "x", "in": {f"f{k}": True}} for k in range(records)]
        lines = write("\n".join(map(json.dumps, rows)), "t.jsonl")
        assert refusal(lines)
        return steps(lambda: refusal(lines))

    assert taken_by_keys(MANY) / taken_by_keys(FEW) < 6
    line_ends = write("\n" * 30_000)
    assert "is empty" in refusal(line_ends)
    assert steps(lambda: refusal(line_ends)) < 30_000  # less than one a line


@pytest.mark.slow
def test_a_line_of_names_may_be_longer_than_the_sample(write: Write) -> None:
    text = table("annotators", 4500)
    assert content.SAMPLE / 2 < len(text.partition("\n")[0]) < content.SAMPLE
    assert read(write(table("annotators", 9000))).sizes["annotator"] == 9000
    path = write(table("beside a text", 4500))
    assert read(path).equals(read(path, item="item", annotators="a*"))


def test_so_many_columns_are_none_of_ratings(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "MOST_COLUMNS", 150)
    path = write(table("annotators", 150))
    with pytest.raises(IaaError, match="has 151 columns, and a table of ratings at most 150"):
        read(path)
    monkeypatch.setattr(heads, "MOST_LETTERS", 150)
    for name, text in (("t.csv", "item,{}\n1,x\n"), ("t.json", '[{{"item": 1, "{}": 2}}]')):
        with pytest.raises(IaaError, match="with 155 letters in all, and a table of ratings at"):
            read(write(text.format("x" * 151), name))
    monkeypatch.setattr(json_fields, "ROOM", 3000)
    rows = [{"item": k, "annotator": "a", "label": "x", f"k{k}": 1} for k in range(200)]
    path = write(json.dumps(rows), "t.json")
    with pytest.raises(IaaError, match=r"199 after it have 203 different .* each record only 4"):
        read(path)


def test_columns_beside_their_sum_are_found_as_a_loop_finds_them() -> None:
    draw = random.Random(5)
    told = 0
    for _ in range(200):
        names = [*"pqrstuvw"[: draw.randint(2, 8)]]
        rows = [[draw.choice((0, 0, 1, 1, 2)) for _ in names] for _ in range(draw.randint(2, 3))]
        table = sample_head(
            Head(["id", *names], [[f"t{k}", *map(str, r)] for k, r in enumerate(rows)])
        )
        expected = {
            ",".join(names[start:end])
            for start in range(len(names))
            for end in range(start + 2, len(names) + 1)
            for place in (start - 1, end)
            if 0 <= place < len(names) and any(row[place] for row in rows)
            and all(sum(row[start:end]) == row[place] for row in rows)
        }  # fmt: skip
        found = count_readings(table, Options(item="id"))
        said = {str(each.told["counts"]) for each in found if "is the sum" in each.condition}
        told += bool(expected)
        assert said <= expected
        assert bool(said) == bool(expected)
    assert told > 20


def test_a_short_file_is_opened_once_and_its_head_looked_for_once(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    opened: list[str] = []

    def counting(found: list[str], way: Callable[..., Any]) -> Callable[..., Any]:
        def counted(of: object, *given: Any, **options: Any) -> Any:
            found.append(str(of))
            return way(of, *given, **options)

        return counted

    monkeypatch.setattr(delimited, "head", counting(looked, delimited.head))
    monkeypatch.setattr(content.Member, "open", counting(opened, content.Member.open))
    for text in ("", "item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,y\n"):
        path = write(packed({f"{k}.csv": text for k in range(3)}), "t.zip")
        assert ("is empty" in refusal(path)) == (not text)
        assert sorted(looked) == sorted(opened) == [f"{path}/{k}.csv" for k in range(3)]
        looked.clear()
        opened.clear()


def test_no_pattern_of_names_takes_long(tmp_path: Path) -> None:
    rng = random.Random(1)
    for _ in range(5000):  # a star stands for as much as it can
        part = "".join(rng.choices("ab*", k=rng.randint(1, 6)))
        name = "".join(rng.choices("ab", k=rng.randint(0, 8)))
        if "*" in part:
            match = re.fullmatch("(.*)".join(part.split("*")), name)
            assert expand_stars([part], [name]) == [(name, match[1]) if match else (part, part)]
    begun = monotonic()
    names = ["a" * 1000 + str(k) for k in range(1900)]
    assert expand_stars("*a*a*a*a*a*a*a*b*," + "a*" * 300, names)[0][1] == "*a*a*a*a*a*a*a*b*"
    with zipfile.ZipFile(tmp_path / "long.zip", "w") as archive:
        archive.writestr("x" * 30_000, "item,label\n1,x\n")
        archive.writestr("ann", "item,label\n1,x\n2,x\n")
        archive.writestr("bob", "item,label\n1,x\n2,x\n")
    with pytest.raises(IaaError, match="holds no table to read"):
        read(tmp_path / "long.zip", file_pattern="*x{annotator}x*y")
    ratings = read(tmp_path / "long.zip", file_pattern="{annotator}")
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert monotonic() - begun < 5
