"""No decision is lost, whatever people do: rounds of sheets in random orders of commands."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

ANSWERS = {
    "labels": ["nié", "oui", "=1+1"],
    "sets": ["nié; oui", "oui", "(none)", "oui + nié"],
    "spans": ["yes", "no", "oui"],
}
NAMES = ("a.csv", "a.xlsx", "b.csv", "b.xlsx", "tables/", "tables/sheet.csv")
KEYS = ("item", "document", "places", "label_of_span")
FAST = {"labels": ("--interval", "none", "--no-leave-out")}
PROGRAMS = ((",", "utf-8"), (";", "utf-8-sig"), ("\t", "utf-16"), (";", "cp1252"))
Rows = list[list[Any]]


def ratings(kind: str) -> tuple[str, ...]:
    """A file of a kind, and how it is read."""
    rng = random.Random(0)
    if kind == "spans":
        lines = ["document,annotator,start,end,label,said"]
        lines += [
            f"d{k},{who},{rng.randint(0, 2)},{rng.randint(3, 5)},{rng.choice(['nié', 'oui'])},"
            f"one two {k}"
            for k in range(5)
            for who in ("ann", "bob", "cleo")
        ]
        options: tuple[str, ...] = ()
    else:
        labels = {"labels": ["nié", "oui", "=1+1"], "sets": ["nié", "oui", "nié;oui"]}[kind]
        lines = ["item,ann,bob,cleo,said,page"]
        lines += [
            f"i{k},{','.join(rng.choice(labels) for _ in range(3))},this is the text {k},{k // 3}"
            for k in range(8)
        ]
        options = ("--item", "item", "--annotators", "ann,bob,cleo")
        options += ("--separator", ";") if kind == "sets" else ()
    Path("ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "ratings.csv", *options


def tables_of(file: Path) -> Iterator[Rows]:
    """The tables of a file as rows of texts, without the help of the package."""
    if file.suffix == ".xlsx":
        for sheet in load_workbook(file).worksheets:
            yield [[cell.value for cell in row] for row in sheet.iter_rows()]
        return
    content = file.read_bytes()
    for encoding in ("utf-16" if content[:2] == b"\xff\xfe" else "utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        first = text.splitlines()[0] if text else ""
        delimiter = max(",;\t", key=first.count)
        yield list(csv.reader(io.StringIO(text), delimiter=delimiter))
        return


def filled(rows: Rows) -> Iterator[tuple[int, int]]:
    """The cells of a table that are to be filled in: row and column."""
    head = [str(name) for name in rows[0]] if rows else []
    if "adjudicated" in head and any(key in head for key in KEYS):
        for number, row in enumerate(rows[1:], 1):
            if any(cell not in (None, "") for cell in row):
                yield number, head.index("adjudicated")


def decision(rows: Rows, number: int, place: int) -> tuple[str, ...]:
    """What a row is about, and the answer, whichever way a sheet spells it."""
    head = [str(name) for name in rows[0]]
    about = [str(rows[number][head.index(key)]) for key in KEYS if key in head]
    answer = str(rows[number][place] or "").lstrip("'").replace(" + ", "; ")
    return *about, "; ".join(sorted(answer.split("; "))).casefold()


def decisions(folder: Path) -> set[tuple[str, ...]]:
    found = set()
    for file in folder.rglob("*"):
        if file.suffix in (".csv", ".xlsx") and file.name != "ratings.csv":
            for rows in tables_of(file):
                cells = list(filled(rows))
                found |= {decision(rows, *cell) for cell in cells if rows[cell[0]][cell[1]]}
    return found


class Person:
    """Somebody who fills in sheets, and saves them in the ways of different programs."""

    def __init__(self, rng: random.Random, answers: list[str]) -> None:
        self.rng, self.answers = rng, answers
        self.made: set[tuple[str, ...]] = set()

    def fill_in(self, file: Path) -> None:
        if file.suffix == ".xlsx":
            book = load_workbook(file)
            for sheet in book.worksheets:
                rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
                for row, place, answer in self._filled(rows):
                    sheet.cell(row + 1, place + 1).value = answer
                    sheet.cell(row + 1, place + 1).data_type = "s"
            book.save(file)
            return
        for rows in tables_of(file):
            for row, place, answer in self._filled(rows):
                rows[row][place] = answer
            self._save(file, rows)

    def _filled(self, rows: Rows) -> Iterator[tuple[int, int, str]]:
        cells = list(filled(rows))
        for row, place in self.rng.sample(cells, min(2, len(cells))):
            self.made.discard(decision(rows, row, place))  # a change of mind is no loss
            rows[row][place] = answer = self.rng.choice(self.answers)
            self.made.add(decision(rows, row, place))
            yield row, place, answer

    def save_again(self, file: Path) -> None:
        """Save the rows in another order of rows and columns, with further columns."""
        if file.suffix == ".xlsx":
            book = Workbook()
            book.remove(book.active)
            for number, rows in enumerate(tables_of(file)):
                sheet = book.create_sheet(f"copy {number}")
                for row in self._changed(rows):
                    sheet.append(row)
                    for cell in sheet[sheet.max_row]:
                        if isinstance(cell.value, str):
                            cell.data_type = "s"
            book.save(file)
            return
        for rows in tables_of(file):
            self._save(file, self._changed(rows))

    def _changed(self, rows: Rows) -> Rows:
        if len(rows) < 2:
            return rows
        order = self.rng.sample(range(len(rows[0])), len(rows[0]))
        head, *below = [[row[k] for k in order] + [""] for row in rows]
        head[-1] = f"notes {len(head)}"
        self.rng.shuffle(below)
        return [head, *below, [""] * len(head)]

    def _save(self, file: Path, rows: Rows) -> None:
        delimiter, encoding = self.rng.choice(PROGRAMS)
        with file.open("w", encoding=encoding, newline="") as written:
            csv.writer(written, delimiter=delimiter).writerows(rows)


def command(rng: random.Random, kind: str, there: list[str], read: tuple[str, ...]) -> list[str]:
    """Some command that writes, with options as people give them."""
    name = rng.choice(NAMES)
    written = ["--sheet" if rng.random() < 0.8 and not name.endswith("/") else "--output", name]
    other = rng.random()
    if other < 0.1:
        return ["agree", *read, "--interval", "none", "--output", name]
    if other < 0.2 and kind != "spans":
        return ["items", *read, "--votes", "--interval", "none", *written]
    words = ["gold", *read, *FAST.get(kind, ()), *written]
    if there and rng.random() < 0.6:
        words += ["--adjudicated", rng.choice(there)]
    for option in (["--all-rows"], ["--blind"], ["--no-texts"], ["--text", "said"]):
        words += option if rng.random() < 0.25 and "--no-texts" not in words else []
    return words


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("seed", [*range(4), 115])
def test_every_decision_stands_in_some_file(
    iaa: Callable[..., Any], folder: Path, kind: str, seed: int
) -> None:
    rng = random.Random(seed)
    read, person = ratings(kind), Person(rng, ANSWERS[kind])
    done = iaa("gold", *read, *FAST.get(kind, ()), "--sheet", "a.csv")
    assert done.exit_code == 0, done.output
    person.fill_in(folder / "a.csv")
    assert person.made
    for _ in range(14):
        there = sorted(
            str(file.relative_to(folder))
            for file in folder.rglob("*")
            if file.suffix in (".csv", ".xlsx") and file.name != "ratings.csv"
        )
        before = decisions(folder)
        match rng.choice(["fill in", "save", "write", "write", "write"]):
            case "fill in":
                person.fill_in(folder / rng.choice(there))
                before = decisions(folder)
            case "save":
                person.save_again(folder / rng.choice(there))
            case _:
                words = command(rng, kind, there, read)
                done = iaa(*words)
                assert done.exit_code in (0, 1, 2), (words, done.output)
                assert "unexpected" not in done.stderr, (words, done.stderr)
                assert person.made <= decisions(folder), (words, done.stderr)
        assert decisions(folder) >= before & person.made


def test_the_next_sheet_is_named_and_takes_decisions_along(
    iaa: Callable[..., Any], folder: Path
) -> None:
    read = ratings("labels")
    person = Person(random.Random(0), ["oui"])
    fast = (*FAST["labels"], "--merge-ids", "case", "--text", "said")
    done = iaa("gold", *read, *fast)
    assert "--sheet sheet.xlsx'" in " ".join(done.stdout.split())
    assert iaa("gold", *read, *fast, "--sheet", "sheet.xlsx").exit_code == 0
    person.fill_in(folder / "sheet.xlsx")
    done = iaa("gold", *read, *fast, "--adjudicated", "sheet.xlsx")
    said = " ".join(done.stdout.split())
    assert "--adjudicated sheet.xlsx" in said
    assert "--sheet sheet2.xlsx'" in said
    assert "--merge-ids case" in said
    assert "--text said" in said
    (folder / "sheet2.xlsx").write_bytes(b"")
    said = iaa("gold", *read, *fast, "--adjudicated", "sheet.xlsx").stdout
    assert "--sheet sheet3.xlsx'" in " ".join(said.split())
    words = ("gold", *read, *fast, "--adjudicated", "sheet.xlsx", "--sheet")
    done = iaa(*words, "sheet.xlsx")
    assert (done.exit_code, "holds the decisions that are read" in done.stderr) == (2, True)
    assert iaa(*words, "sheet3.csv", "--json", "gold.json").exit_code == 0
    (rows,) = tables_of(folder / "sheet3.csv")
    kept = {decision(rows, *cell) for cell in filled(rows) if rows[cell[0]][cell[1]]}
    assert kept == person.made
    items = json.loads((folder / "gold.json").read_text())["items"]
    decided = {(row["item"], row["gold"]) for row in items if row["decided_by"] == "adjudicated"}
    assert decided == person.made
    assert {row["item"] for row in items if row["disputed"]} >= {item for item, _ in decided}


def test_sheets_of_two_people_are_brought_together(iaa: Callable[..., Any], folder: Path) -> None:
    given = ratings("labels")

    def decided(file: str, answers: dict[str, str], *named: str) -> None:
        rows = [["item", "suggested", "adjudicated", *named]]
        rows += [[item, "", answer, *("why" for _ in named)] for item, answer in answers.items()]
        Path(file).write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")

    decided("ann.csv", {"i0": "oui", "i1": "nié"}, "reason")
    decided("bob.csv", {"i1": "nié", "i2": "oui"})
    decided("eve.csv", {"i2": "nié", "i3": "oui"})
    both = ("--adjudicated", "ann.csv", "--adjudicated", "bob.csv")
    done = iaa("gold", *given, *FAST["labels"], *both, "--sheet", "both.csv")
    assert done.exit_code == 0, done.stderr
    assert "not read, and not carried over: the column reason of ann.csv" in done.stderr
    made = {("i0", "oui"), ("i1", "nié"), ("i2", "oui")}
    assert {*decisions(folder)} >= made
    (rows,) = tables_of(Path("both.csv"))
    assert {(row[0], row[-1]) for row in rows[1:] if row[-1]} == made
    done = iaa("gold", *given, *FAST["labels"], *both, "--adjudicated", "eve.csv")
    assert done.exit_code == 1
    assert "'i2' is 'oui' in bob.csv, and 'nié' in eve.csv" in done.stderr
    # a column that people called otherwise is nobody's of ours to write over
    text = Path("both.csv").read_text(encoding="utf-8-sig").replace("adjudicated", "final")
    Path("both.csv").write_text(text, encoding="utf-8")
    done = iaa("gold", *given, *FAST["labels"], "--sheet", "both.csv")
    assert (done.exit_code, "holds 'final', which would be lost" in done.stderr) == (2, True)
    done = iaa("gold", *given, "--sheet", "a.csv", "--sheet", "b.csv")
    assert (done.exit_code, "given twice" in done.stderr) == (2, True)
