"""No file is written twice or over the ratings, and where none can be is said before any work."""

from __future__ import annotations

import csv
import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from typer.main import get_command

import iaa_jax
from iaa_jax import _files
from iaa_jax._errors import OptionError
from iaa_jax.cli import groups
from iaa_jax.cli.app import app
from iaa_jax.cli.options import FileWritten
from tests.program import environment

FAST = ("--interval", "none")


@pytest.mark.parametrize("suffix", ["pdf", "png", "svg"])
def test_a_report_is_no_picture(iaa: Any, unworked: None, suffix: str) -> None:
    done = iaa("report", "ratings.csv", "-o", f"boss.{suffix}")
    assert done.exit_code == 2
    assert "print it to a PDF" in done.stderr


@pytest.fixture
def unworked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read."""

    def too_late(*_: object, **__: object) -> None:
        pytest.fail("the files were read first")

    monkeypatch.setattr(groups.InputOptions, "ratings", too_late)


def refused(iaa: Any, *arguments: str) -> str:
    """Return the message of a usage error, which is printed once."""
    done = iaa("agree", *arguments)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.count("\n") == 1
    return str(done.stderr)


@pytest.mark.usefixtures("unworked")
def test_links_to_one_file_are_one_file(iaa, folder: Path) -> None:
    for link in (os.link, os.symlink):
        (folder / "out.json").write_text("old")
        link("out.json", "also.md")
        link("wide.csv", "ratings.json")
        said = refused(iaa, "wide.csv", "--json", "out.json", "--output", "also.md")
        assert "also.md and out.json are the same file" in said
        said = refused(iaa, "wide.csv", "--json", "ratings.json")
        assert "ratings.json holds the ratings" in said
        for name in ("wide.csv/", "./wide.csv//", "wide.csv/.", "new/"):
            said = iaa("agree", "wide.csv", "--json", name).stderr
            assert f"{name} is a folder; name a file to write to" in said
        assert (folder / "out.json").read_text() == "old"
        assert (folder / "wide.csv").read_text().startswith("item,")
        (folder / "also.md").unlink()
        (folder / "ratings.json").unlink()


SAME = {
    "figures and replicates": ("--json", "x", "--keep-replicates", "x"),
    "another spelling": ("--json", "x", "--keep-replicates", "./x"),
    "a page and figures": ("--output", "x.md", "--json", "x.md"),
    "two pages": ("--output", "x.md", "--output", "x.md"),
    "two folders": ("--output", "x/", "--output", "./x/"),
    "figures and a page on standard output": ("--json", "-", "--output", "-.csv"),
    "two pages on standard output": ("--output", "-.md", "--output", "-.csv"),
    "a folder and a file in it": ("--output", "./", "--keep-replicates", "labels.csv"),
}


@pytest.mark.usefixtures("unworked")
def test_two_outputs_are_two_files(iaa, folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "wide.csv").rename(folder / "data" / "wide.csv")
    for case, outputs in SAME.items():
        said = refused(iaa, "data/wide.csv", *outputs)
        assert any(words in said for words in ("the same file", "twice", "another output")), case
        assert sorted(path.name for path in folder.iterdir()) == ["data"], case


def commands(program: Any = None, names: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that reads ratings."""
    program = get_command(app) if program is None else program
    for name, command in program.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*names, name))
        elif any(option.name == "files" for option in command.params):
            yield " ".join((*names, name)), command


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_no_command_writes_over_what_it_reads_or_where_it_reads_the_next_time(iaa, folder) -> None:
    data = folder / "data"
    (data / "below").mkdir(parents=True)
    for name in ("data/labels.csv", "data/below/more.jsonl", "people.csv", "sheet.csv"):
        (folder / name).write_text((folder / "wide.csv").read_text())
    (data / "iaa.toml").write_text("")
    (data / "linked.csv").symlink_to(folder / "sheet.csv")  # is read, and lies outside
    (folder / "page.html").symlink_to(data / "labels.csv")
    (data / "later.html").symlink_to("new.csv")  # which is not there yet
    os.link(data / "labels.csv", data / "hard.html")
    (folder / "way").symlink_to(data, target_is_directory=True)
    refused = [
        *("data/labels.csv", "data/new.csv", "data/below/new.xlsx", "data/below/more.jsonl"),
        *("data/./below/../new.json", "way/new.csv", "page.html", "sheet.csv", "people.csv"),
        *(
            "data/later.html",
            "data/hard.html",
            "data/iaa.toml",
            "data/",
            "data/tables/",
            "data/IAA.toml",
        ),
    ]
    few = cycle(refused)
    beside = {"prodigy doc": ["multiclass"], "judge": ["--judges", "x"], "compare": ["--by", "x"]}
    before = snapshot(folder)
    asked = set()
    for command, made in commands():
        names = {option.name for option in made.params}
        joined = ("--join", "people.csv") if "join" in names else ()
        for option in made.params:
            if not isinstance(option.metavar, FileWritten):
                continue
            every = command == "agree" and option.name == "output"
            for target in refused if every else islice(few, 3 if command == "agree" else 1):
                if target == "people.csv" and not joined:
                    continue
                more = (*beside.get(command, ()), "data", *joined)
                words = (*command.split(), *more, option.opts[0], target)
                done = iaa(*words)
                assert (done.exit_code in (1, 2), done.stdout) == (True, ""), (words, done.output)
                said = ("is read", "project file", "is a folder;", "must end in")
                assert any(part in done.stderr for part in said), (words, done.stderr)
                asked.add(option.name)
    assert asked == {"json", "output", "plot", "keep_replicates", "record", "sheet"}
    words = ("gold", "wide.csv", "--adjudicated", "people.csv", "--join", "sheet.csv", "--json")
    for target, said in (("people.csv", "holds the decisions that are read"), ("sheet.csv", "is")):
        assert f"{target} {said}" in iaa(*words, target).stderr
    assert snapshot(folder) == before


def test_a_second_run_reads_what_the_first_one_read(iaa, folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "wide.csv").rename(folder / "data" / "ann.csv")
    rows = set()
    for _ in range(2):
        assert iaa("convert", "data", "--output", "data/all.csv").exit_code == 2
        assert iaa("convert", "data", "--output", "all.csv").exit_code == 0
        pages = ("--output", "data/page.html", "--output", "data/page.md")
        assert iaa("agree", "data", *FAST, *pages).exit_code == 0
        rows.add((folder / "all.csv").read_text().count("\n"))
    assert rows == {1 + 18}
    with (folder / "data" / "all.csv").open("w") as redirected:
        done = subprocess.run(
            [sys.executable, "-m", "iaa_jax", "convert", "data"],
            env=environment(folder),
            stdout=redirected,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert b"standard output goes to all.csv in data, all of which is read" in done.stderr


def test_a_scan_of_a_pattern_never_reads_its_own_results(iaa, folder: Path) -> None:
    (folder / "r1.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    for pattern, target in (
        ("r*.csv", "r2.csv"),
        ("**/r*.csv", "r2.csv"),
        ("r?.csv", "r1.csv"),
        ("r*", "r.html"),
    ):
        said = refused(iaa, pattern, "--scan", *FAST, "--output", target)
        assert "the next time" in said or "holds the ratings" in said
    assert iaa("agree", "r*.csv", "--scan", *FAST, "--output", "out.csv").exit_code == 0
    (folder / "data").mkdir()
    (folder / "r1.csv").rename(folder / "data" / "r1.csv")
    (folder / "way").symlink_to("data")
    before = snapshot(folder)
    for pattern, target in (("dat?/*.csv", "data/"), ("**/*.csv", "new/"), ("way/*", "data/x.csv")):
        (folder / "out.csv").unlink(missing_ok=True)
        said = refused(iaa, pattern, "--scan", *FAST, "--output", target)
        assert "the next time" in said, pattern
    assert snapshot(folder) == {name: before[name] for name in before if name != "out.csv"}


@pytest.fixture
def sheets(iaa, folder: Path) -> list[Path]:
    """Adjudication sheets as spreadsheet programs save them, each with two decisions."""
    assert iaa("items", "wide.csv", "--all-rows", "--sheet", "sheet.csv").exit_code == 0
    assert iaa("items", "wide.csv", "--all-rows", "--sheet", "sheet.csv").exit_code == 0  # none yet
    lines = (folder / "sheet.csv").read_text(encoding="utf-8-sig").splitlines()
    place = lines[0].split(",").index("adjudicated")
    rows = [next(csv.reader([line])) for line in lines]
    for row in rows[1:3]:
        row[place] = "x"
    rows[3][1] = "\u00e9"
    made = []
    for name, separator, encoding in (
        ("sheet.csv", ",", "utf-8"),
        ("excel.csv", ";", "latin-1"),
        ("tabs.tsv", "\t", "utf-16"),
    ):
        with (folder / name).open("w", newline="", encoding=encoding) as file:
            csv.writer(file, delimiter=separator).writerows(rows)
        made.append(folder / name)
    book = openpyxl.Workbook()
    book.create_sheet("sorted", 1)
    for row in rows:
        book.worksheets[1].append(row)
    book.worksheets[0].append(["what", "this is"])
    book.save(folder / "book.xlsx")
    return [*made, folder / "book.xlsx"]


def odd_sheets() -> dict[str, bytes]:
    """Sheets with a decision that are hard to read, or where nobody looks for it."""
    odd = {
        "torn.csv": b'item,adjudicated\n1,"x\n2,y,z\n',
        "unmarked.csv": "item,adjudicated\n1,x\n".encode("utf-16-le"),
        "two.csv": b"item,Adjudicated,ADJUDICATED\n1,x,\n2,,y\n",
        "named.csv": b"item,adjudicated (ann),Final: adjudicated\n1,,x\n",
        "merged.csv": b"item,adjudicated,adjudicated\n1,,x\n",
        "records.json": b'[{"item": 1, "adjudicated": "x"}, {"item": 2, "adjudicated": ""}]',
        "password.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(range(256)),
    }
    copied: list[tuple[str, str, list[list[str | None]], str]] = [
        ("copied.xlsx", "item", [["1", "x"]], "visible"),
        ("hidden.xlsx", "Text ID", [["1", "x"]], "hidden"),
        ("computed.xlsx", "item", [["1", '="x"'], ["2", "=B2"]], "visible"),
    ]
    for name, what, rows, state in copied:
        book = openpyxl.Workbook()
        for sheet, below in ((book.worksheets[0], [["1", None]]), (book.create_sheet("ann"), rows)):
            for row in [[what, "adjudicated"], *below]:
                sheet.append(row)
        book.worksheets[1].sheet_state = state
        written = io.BytesIO()
        book.save(written)
        odd[name] = written.getvalue()
    cut = odd["copied.xlsx"]
    return odd | {"cut.xlsx": cut[: len(cut) // 2], "renamed.csv": odd["hidden.xlsx"]}


def test_decisions_of_people_are_never_written_over(iaa, folder: Path, sheets: list[Path]) -> None:
    before = snapshot(folder)
    (folder / "page.html").symlink_to("sheet.csv")
    assert iaa("agree", "wide.csv", "--output", "page.html").exit_code == 2
    (folder / "page.html").unlink()
    for sheet in sheets:
        for words in (
            ("items", "wide.csv", "--sheet", sheet.name),
            ("gold", "wide.csv", "--sheet", sheet.name),
            ("convert", "wide.csv", "--output", sheet.name),
            ("agree", "wide.csv", "--json", sheet.name),
            ("coefficients", "--json", sheet.name),
        ):
            done = iaa(*words)
            assert done.exit_code == 2, (words, done.output)
            said = f"{sheet.name} holds 2 decisions under 'adjudicated', which would be lost"
            assert said in done.stderr or "must end in" in done.stderr, (
                words,
                done.stderr,
            )
    for name, content in odd_sheets().items():
        (folder / name).write_bytes(content)
        done = iaa(
            "gold", "wide.csv", "--sheet" if name[-4:] in (".csv", "xlsx") else "--output", name
        )
        assert done.exit_code == 2, name
        assert "under 'adjudicated'" in done.stderr, (name, done.stderr)
        assert (folder / name).read_bytes() == content
        (folder / name).unlink()
    (folder / "tables").mkdir()
    (folder / "sheet.csv").rename(folder / "tables" / "sheet.csv")
    done = iaa("items", "wide.csv", "--votes", "--output", "tables/")
    assert (done.exit_code, "tables/sheet.csv holds 2 decisions" in done.stderr) == (2, True)
    page = iaa_jax.page(iaa_jax.gold(iaa_jax.read("wide.csv"), interval=None))
    with pytest.raises(OptionError, match="holds 2 decisions"):
        page.save("book.xlsx")
    (folder / "tables" / "sheet.csv").rename(folder / "sheet.csv")
    (folder / "tables").rmdir()
    assert snapshot(folder) == before


def test_decisions_that_are_carried_over_are_not_lost(iaa, folder: Path, sheets) -> None:
    for _ in range(2):
        done = iaa("gold", "wide.csv", "--adjudicated", "sheet.csv", "--sheet", "gold.csv")
        assert done.exit_code == 0, done.output
    assert iaa("gold", "wide.csv", "--sheet", "gold.csv").exit_code == 2
    decided = ("gold", "wide.csv", "--adjudicated", "sheet.csv", "--sheet")
    for name in ("gold.csv", "gold.xlsx"):  # what people wrote beside decisions goes with them
        assert iaa(*decided, name).exit_code == 0
        assert iaa(*decided, name, "--keep-annotators", "ann,bob").exit_code == 0
    lines = (folder / "gold.csv").read_text().splitlines()
    (folder / "gold.csv").write_text(
        "\n".join(f"{line},{k and 'why'}" for k, line in enumerate(lines))
    )
    (folder / "gold.csv").write_text((folder / "gold.csv").read_text().replace(",0\n", ",notes\n"))
    before = (folder / "gold.csv").read_bytes()
    for option in ("--sheet", "--json"):
        done = iaa(*decided[:-1], option, "gold.csv")
        assert (done.exit_code, "next to them, which would be lost" in done.stderr) == (2, True)
        assert (folder / "gold.csv").read_bytes() == before
    for write in (
        lambda book: book["sheet"].cell(1, 60).__setattr__("value", "notes"),
        lambda book: book["sheet"]["A2"].__setattr__("comment", Comment("why", "ann")),
        lambda book: book.create_sheet("talk").append(["why"]),
    ):
        book = openpyxl.load_workbook("gold.xlsx")
        write(book)
        book.save("noted.xlsx")
        done = iaa(*decided, "noted.xlsx")
        assert (done.exit_code, "would be lost" in done.stderr) == (2, True)
    assert iaa("gold", "wide.csv", "--output", "open.xlsx").exit_code == 0
    book = openpyxl.load_workbook("open.xlsx")
    book["sheet"]["B2"].comment = Comment("of both", "ann")
    book.save("open.xlsx")
    done = iaa("gold", "wide.csv", "--output", "open.xlsx")
    assert (done.exit_code, "open.xlsx holds comments, which would" in done.stderr) == (2, True)
    assert iaa("gold", "wide.csv", "--output", "new.csv").exit_code == 0
    read, write = os.pipe()  # what comes through it is read once, and not to look for decisions
    os.write(write, b"item,adjudicated\n1,x\n")
    os.close(write)
    words = ("--adjudicated", f"/dev/fd/{read}", "--output", "new.csv")
    assert iaa("gold", "wide.csv", *words).exit_code == 0
    os.close(read)


def test_a_folder_of_tables_is_whole_or_as_before(iaa, folder: Path, monkeypatch) -> None:
    assert iaa("gold", "wide.csv", *FAST, "--output", "old/").exit_code == 0
    (folder / "old" / "labels.csv").unlink()  # is new the next time
    assert len(snapshot(folder / "old")) == 3
    words = ("gold", "wide.csv", *FAST, "--keep-annotators", "ann,bob", "--output")
    before, done = snapshot(folder), []
    full, busy = OSError(28, "No space left on device"), OSError(16, "Device or resource busy")
    for target, function, call, error in (
        ("old/", "chmod", 2, full),
        ("old/", "replace", 1, busy),
        ("old/", "replace", 3, busy),  # as of a file that is a mount
        ("new/", "chmod", 1, full),
        ("new/", "rename", 1, busy),
    ):
        kept, stuck = getattr(os, function), set[Any]()

        def fails(*words: Any, kept=kept, call=call, error=error, stuck=stuck, **more: Any) -> None:
            done.append(words)
            if len(done) != call:
                kept(*words, **more)
            if len(done) == call or words[-1] in stuck:
                stuck.add(words[-1])
                raise error

        done.clear()
        with monkeypatch.context() as patched:
            patched.setattr(_files.os, function, fails)
            ended = iaa(*words, target)
        case = (target, function, call, error)
        assert ended.exit_code == 1, case
        assert ".iaa-" not in ended.stderr, (case, ended.stderr)
        assert snapshot(folder) == before, case
        assert sorted(os.listdir(folder)) == ["old", "wide.csv"], case
    assert iaa(*words, "new/").exit_code == iaa(*words, "old/").exit_code == 0
    assert snapshot(folder / "new") == snapshot(folder / "old")
    assert (folder / "new").stat().st_mode == (folder / "old").stat().st_mode
    # tables of somebody's own, and those of another command, share some columns of that name
    assert iaa("items", "wide.csv", *FAST, "--output", "items/").exit_code == 0
    for command, name, header in (
        ("gold", "items", "item,gold"),
        ("items", "items", "item,text"),
        ("annotators", "annotators", "annotator,ratings,age"),
        ("labels", "labels", "label,count,definition"),
        ("gold", "items", ""),
    ):
        mine = folder / "items" if not header else folder / f"mine {command} {name}"
        mine.mkdir(exist_ok=True)
        if header:
            (mine / f"{name}.csv").write_text(f"{header}\n1,a,b\n")
        before = snapshot(mine)
        refused = iaa(command, "wide.csv", *FAST, "--output", f"{mine.name}/")
        assert "is another table" in refused.stderr, (command, header)
        assert snapshot(mine) == before


def test_ctrl_c_time_and_again_leaves_nothing_in_part(
    iaa, folder: Path, monkeypatch, request
) -> None:
    # programs in the background are started with Ctrl-C ignored
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, handler))
    words = ("gold", "wide.csv", *FAST, "--output")
    assert iaa(*words, "whole/").exit_code == 0
    whole = snapshot(folder / "whole")
    for module, function, target in (
        *((_files.os, name, "old/") for name in ("chmod", "link", "replace", "unlink")),
        *((_files.os, name, "new/") for name in ("chmod", "rename")),
        (_files.tempfile, "mkstemp", "old/"),
        (_files.tempfile, "mkdtemp", "new/"),
    ):
        (folder / "old").mkdir()
        for name in whole:
            (folder / "old" / name).write_bytes(whole[name] + b"\n")
        before, kept = snapshot(folder / "old"), getattr(module, function)

        def interrupted(*words: Any, kept=kept, **more: Any) -> object:
            made = kept(*words, **more)
            signal.raise_signal(signal.SIGINT)
            return made

        with monkeypatch.context() as patched:
            patched.setattr(module, function, interrupted)
            assert iaa(*words, target).exit_code == 130, function
        left = {name: snapshot(folder / name) for name in os.listdir(folder) if name != "wide.csv"}
        assert left.pop("whole") == whole
        assert left.pop("old") in (before, whole), function
        assert left in ({}, {"new": whole}), function
        shutil.rmtree(folder / "old")
        shutil.rmtree(folder / "new", ignore_errors=True)


def test_pages_of_python_spare_what_was_read(folder: Path, monkeypatch) -> None:
    (folder / "data").mkdir()
    (folder / "wide.csv").rename(folder / "data" / "labels.csv")
    before = snapshot(folder)
    for named in ("data", "data/labels.csv"):
        page = iaa_jax.page(iaa_jax.fleiss_kappa(iaa_jax.read(named), interval=None))
        for target in ("data/labels.csv", *(["data/", "data/new.csv"] if named == "data" else [])):
            with pytest.raises(iaa_jax.IaaError):
                page.save(target)
        assert snapshot(folder) == before
    people = folder / "people.csv"
    people.write_text("annotator,team\nann,1\nbob,2\ncleo,2\n")
    table = iaa_jax.read_long("data/labels.csv", join="people.csv")
    page = iaa_jax.page(iaa_jax.fleiss_kappa(iaa_jax.from_long(table), interval=None))
    for name in ("data/labels.csv", "people.csv"):
        with pytest.raises(OptionError, match="holds the ratings"):
            page.save(name)
    first = iaa_jax.read("data/labels.csv", join="people.csv")
    (folder / "second.csv").write_bytes((folder / "data" / "labels.csv").read_bytes())
    both = iaa_jax.compare(first, iaa_jax.read("second.csv"), replicates=50)
    pages = [iaa_jax.page(each) for each in (both, iaa_jax.fleiss_kappa(first, interval=None))]
    for page in pages:
        for name in (
            "data/labels.csv",
            "people.csv",
            *(["second.csv"] if page is pages[0] else []),
        ):
            with pytest.raises(OptionError, match=r"is read, too|holds the ratings"):
                page.save(name)
    monkeypatch.chdir(folder / "data")  # their names lead elsewhere now
    for name in ("labels.csv", "../second.csv", "../people.csv"):
        with pytest.raises(OptionError, match=r"is read, too|holds the ratings"):
            pages[0].save(name)
    monkeypatch.chdir(folder)
    (folder / "long1.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    scanned = iaa_jax.page(iaa_jax.fleiss_kappa(iaa_jax.scan("long*.csv"), interval=None))
    with pytest.raises(OptionError, match="would be read as one of"):
        scanned.save("long2.csv")
    page = pages[1]
    for name in ("x" * 250 + ".html", "data/page.html", "tables/"):
        page.save(name)
        assert Path(name).exists()
    for name in ("x" * 251 + ".html", "a\0.html"):
        with pytest.raises(iaa_jax.IaaError, match="cannot write"):
            page.save(name)


@pytest.mark.usefixtures("unworked")
def test_a_folder_of_tables_is_not_that_of_the_ratings(iaa, folder: Path) -> None:
    (folder / "wide.csv").rename(folder / "labels.csv")  # the name of a table
    assert "would hold the ratings (labels.csv)" in refused(iaa, "labels.csv", "--output", "./")


def test_a_file_on_standard_input_is_not_written_over(folder: Path) -> None:
    before = snapshot(folder)
    with (folder / "wide.csv").open() as file:
        for words in (("agree", "-", "--json"), ("convert", "-", "--output")):
            done = subprocess.run(
                [sys.executable, "-m", "iaa_jax", *words, "wide.csv"],
                env=environment(folder),
                stdin=file,
                capture_output=True,
                check=False,
            )
            assert done.returncode == 2
            assert b"wide.csv holds the ratings" in done.stderr
    assert snapshot(folder) == before


@pytest.mark.usefixtures("unworked")
def test_standard_input_is_read_once(iaa) -> None:
    for command in ("agree", "compare"):
        done = iaa(command, "-", "-")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == "iaa: standard input can be read only once\n"


def test_a_page_and_figures_in_one_redirected_file(program, folder: Path) -> None:
    done = program("agree", "wide.csv", *FAST, "--json", "/dev/stdout")
    assert done.returncode == 2
    assert b"standard output and /dev/stdout are the same file" in done.stderr


def test_what_a_shell_has_opened_is_not_replaced(iaa, folder: Path) -> None:
    """As by `3>>log`: what stands there stays, and whoever else writes to it goes on."""
    log = folder / "log"
    for name in ("/dev/fd/{}", "/proc/self/fd/{}", "link.json"):
        log.write_text("old\n")
        with log.open("a") as file:
            (folder / "link.json").symlink_to(f"/dev/fd/{file.fileno()}")
            target = name.format(file.fileno())
            assert iaa("agree", "wide.csv", *FAST, "--json", target).exit_code == 0
            file.write("more\n")
        text = log.read_text()
        assert (text[:6], text[-7:]) == ("old\n{\n", "}\nmore\n")
        assert "fleiss_kappa" in text
        (folder / "link.json").unlink()
    with log.open() as file:  # only to read
        target = f"/dev/fd/{file.fileno()}"
        assert iaa("agree", "wide.csv", *FAST, "--json", target).exit_code == 1
    assert log.read_text() == text


def test_what_lies_with_the_data_leads_nowhere_else(iaa, folder: Path) -> None:
    """A folder that somebody downloads holds links, and the user's own folder other tables."""
    (folder / "data" / "tables").mkdir(parents=True)
    (folder / "wide.csv").rename(folder / "data" / "wide.csv")
    (folder / "labels.csv").write_text("label,what it means\nx,a cross\n")
    (folder / "mine.html").write_text("<p>mine")
    (folder / "data" / "page.html").symlink_to("../mine.html")
    (folder / "data" / "away.html").symlink_to(folder / "new.html")
    (folder / "data" / "up").symlink_to("..")
    before = snapshot(folder)
    for source in ("data", "data/wide.csv"):
        for target in ("data/page.html", "data/away.html", "data/up/mine.html", "./"):
            said = iaa("agree", source, *FAST, "--output", target).stderr
            assert "leads out of data" in said or "labels.csv is another table" in said, target
    assert snapshot(folder) == before
    (folder / "data" / "tables" / "labels.csv").symlink_to("../../labels.csv")
    before = snapshot(folder)
    assert "leads out" in iaa("agree", "data/wide.csv", *FAST, "--output", "data/tables/").stderr
    assert snapshot(folder) == before
    (folder / "data" / "tables" / "labels.csv").unlink()
    for make in (os.mkfifo, os.mkdir):  # nobody reads the pipe
        make(folder / "data" / "tables" / "labels.csv")
        done = iaa("agree", "data/wide.csv", *FAST, "--output", "data/tables/")
        assert (done.exit_code, "labels.csv is not a file" in done.stderr) == (2, True), done.output
        assert os.listdir(folder / "data" / "tables") == ["labels.csv"]
        if make is os.mkfifo:
            (folder / "data" / "tables" / "labels.csv").unlink()
    os.mkfifo(folder / "data" / "project.qdpx")  # nor this one
    assert iaa("agree", "data", *FAST).exit_code == 0
    (folder / "scratch").mkdir()
    (folder / "data" / "out").symlink_to("../scratch")  # as on a cluster
    for more in (FAST, FAST, ("--replicates", "50")):
        done = iaa("agree", "data/wide.csv", *more, "--output", "data/out/")
        assert done.exit_code == 0, done.output
    assert (folder / "scratch" / "coefficients.csv").is_file()


def test_a_second_run_may_replace_its_files(iaa, folder: Path, monkeypatch) -> None:
    (folder / "tables").mkdir()
    rows = [
        f"{item},{annotator},{label}"
        for item, labels in (("1", "xyx"), ("2", "yyy"), ("3", "xxy"), ("adjudicated", "yxy"))
        for annotator, label in zip(("adjudicated", "bob", "cleo"), labels, strict=True)
    ]
    table = "\n".join(["item,annotator,label", *rows]).replace("x", "not adjudicated")
    (folder / "named.csv").write_text(table)
    for _ in range(2):
        for command in ("gold", "report", "items --votes", "annotators"):  # notes speak of it, too
            words = (*command.split(), "named.csv", "--output", f"{command.split()[0]}.xlsx")
            done = iaa(*words)
            assert done.exit_code == 0, done.output
        for names in (("ann", "bob"), ("bob", "cleo")):
            for command in ("annotators", "agree"):
                words = ("--output", f"{command}/", "--keep-annotators", ",".join(names))
                done = iaa(command, "wide.csv", *words)
                assert done.exit_code == 0, done.output
    for _ in range(2):
        done = iaa("agree", "wide.csv", *FAST, "--json", "out.json", "--output", "out.md")
        assert done.exit_code == 0
    assert iaa("agree", "wide.csv", *FAST, "--json", os.devnull).exit_code == 0
    (folder / "out.md").chmod(0o444)  # somebody keeps it
    for _ in range(2):
        done = iaa("agree", "wide.csv", *FAST, "--output", "out.md")
        assert (done.exit_code, "out.md: it is write-protected" in done.stderr) == (1, True)
        # somebody else's, in a folder where one may replace it
        (folder / "out.md").chmod(0o644)
        monkeypatch.setattr(_files.os, "access", lambda file, _: Path(file).name != "out.md")
    page = iaa_jax.page(iaa_jax.fleiss_kappa(iaa_jax.read("wide.csv"), interval=None))
    with pytest.raises(OSError, match="write-protected"):
        page.save("out.md")
