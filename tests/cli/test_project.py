"""``iaa.toml``: options that hold for the data beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from typer.main import get_command

from iaa_jax.cli.app import app
from iaa_jax.cli.options import FileRead, FileWritten

TABLE = "id,who,answer,second\n" + "".join(
    f"{k},{who},{'xy'[(k + n) % 3 == 0]},{'xyz'[k % 3]}\n"
    for k in range(12)
    for n, who in enumerate(("ann", "bob", "cleo"))
)


@pytest.fixture
def data(folder: Path) -> Path:
    (folder / "project").mkdir()
    (folder / "project" / "r.csv").write_text(TABLE)
    return folder / "project"


def toml(data: Path, text: str) -> None:
    (data / "iaa.toml").write_text(text)


NAMED = (
    *("--item", "id", "--annotator", "who", "--label", "answer", "--interval", "none"),
    *("--coefficients", "fleiss_kappa"),
)
COLUMNS = 'item = "id"\nannotator = "who"\nlabel = "answer"\n'


def test_columns_hold_for_every_command(iaa, data) -> None:
    given = ("--item", "id", "--annotator", "who", "--label", "answer", "--interval", "none")
    plain = iaa("agree", "project/r.csv", *given)
    assert plain.exit_code == 0
    toml(data, COLUMNS)
    done = iaa("agree", "project/r.csv", "--interval", "none")
    figures, _, advice = done.stdout.partition("Next: ")
    assert figures == plain.stdout.partition("Next: ")[0]
    assert "--item" not in advice  # which the file gives to what is advised, too
    assert "from project/iaa.toml: --item=id --annotator=who --label=answer" in done.stderr
    assert iaa("gold", "project/r.csv", "--interval", "none").exit_code == 0
    assert iaa("items", "project").exit_code == 0


def test_the_command_line_and_its_own_table_count_more(iaa, data) -> None:
    toml(
        data,
        COLUMNS + 'seed = 5\n[agree]\nseed = 7\ncoefficients = ["fleiss_kappa", "gwet_ac1"]\n',
    )

    def record(*options: str) -> dict:
        return json.loads(iaa("agree", "project/r.csv", "--json", "-", *options).stdout)

    assert list(record()["coefficients"]) == ["fleiss_kappa", "gwet_ac1"]
    assert record()["provenance"]["seed"] == 7
    assert record("--seed", "9")["provenance"]["seed"] == 9
    other = json.loads(iaa("labels", "project/r.csv", "--json", "-").stdout)
    assert other["provenance"]["seed"] == 5


def test_lists_flags_and_repeated_options(iaa, data) -> None:
    toml(
        data,
        COLUMNS + 'keep-annotators = ["ann", "bob"]\n[agree]\nzero = true\ninterval = "none"\n'
        'require = ["percent_agreement.estimate>=0", "percent_agreement.estimate<0"]\n',
    )
    done = iaa("agree", "project/r.csv")
    assert done.exit_code == 3
    assert "required percent_agreement.estimate < 0" in done.stderr
    assert "2: ann, bob" in done.stdout


WRONG = [
    ("item = ", "is not valid TOML"),
    ('itm = "id"', "'itm' is not an option; did you mean 'item'"),
    ("[agre]\nseed = 1", "'agre' is not a command; did you mean 'agree'"),
    ("[agree]\nepsilon = 1", "'epsilon' is not an option of agree"),
    ('seed = "many"', "--seed=many Usage: iaa agree"),
    ("item = true", "item must be a text, a number or a list, not true"),
    ("[agree]\nzero = 3", "zero must be true or false, not 3"),
]


def test_what_is_wrong_is_said(iaa, data) -> None:
    for text, words in WRONG:
        toml(data, text)
        done = iaa("agree", "project/r.csv")
        assert done.exit_code == 2
        assert words in " ".join(done.stderr.replace("│", " ").split())


def test_a_command_named_as_an_option_has_its_table_too(iaa, data) -> None:
    toml(data, COLUMNS + 'labels = ["x", "y", "z"]\n["iaa labels"]\nsort = "share"\n')
    done = iaa("labels", "project/r.csv", "--interval", "none")
    assert done.exit_code == 0, done.stderr
    assert "--labels=x,y,z --sort=share" in done.stderr


def test_options_of_other_commands_are_left_to_them(iaa, data) -> None:
    toml(
        data, COLUMNS + 'epsilon = "0.2"\n[judge]\njudges = "cleo"\nmin-items = 5\nreplicates = 0\n'
    )
    assert iaa("agree", "project/r.csv", "--interval", "none").exit_code == 0
    done = iaa("judge", "project/r.csv")
    assert "at epsilon 0.2" in done.stdout, done.output


PEOPLE = "who,team\nann,red\nbob,red\ncleo,blue\n"


def test_a_file_to_join_is_named_from_where_the_project_file_stands(iaa, data) -> None:
    path = data / "more" / "people.csv"
    path.parent.mkdir()
    path.write_text(PEOPLE)
    for name in ("more/people.csv", str(path.resolve())):
        toml(data, COLUMNS + f'join = "{name}"\n')
        record = json.loads(iaa("annotators", "project/r.csv", "--json", "-").stdout)
        assert "'team' from" in record["data"]["read_as"]
        done = iaa("convert", "project/r.csv", "--output", "long.csv")
        assert done.exit_code == 0, done.output
        lines = (data.parent / "long.csv").read_text().splitlines()
        assert lines[0] == "item,annotator,label,team"
        assert {line.split(",", 1)[1][-4:] for line in lines if ",ann," in line} == {",red"}


def commands(program: Any = None, names: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command by its name."""
    program = get_command(app) if program is None else program
    for name, command in program.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*names, name))
        else:
            yield " ".join((*names, name)), command


def test_nothing_is_written_or_read_elsewhere_for_a_file_beside_data(iaa, data) -> None:
    precious = data.parent / "precious"
    (data / "away.csv").symlink_to(precious)
    (data / "loop.csv").symlink_to("loop.csv")
    (data / "below").mkdir()
    (data / "below" / "away.csv").symlink_to(precious)
    os.mkfifo(data / "pipe.csv")
    guarded = set()
    out = ("../precious", "away.csv", "below", "loop.csv", "pipe.csv", "-")
    places = cycle((f"{precious}", *out))
    asked_for: set[str] = set()
    for command, made in commands():
        if not any(option.name == "files" for option in made.params):
            continue  # it reads no data
        for option in made.params:
            name = option.opts[0].removeprefix("--")
            if "FILE" not in str(option.metavar) or not option.opts[0].startswith("-"):
                continue
            written = isinstance(option.metavar, FileWritten)
            assert written or isinstance(option.metavar, FileRead), (command, name)
            if command in asked_for and name in asked_for:
                continue  # each command and each option once
            asked_for |= {command, name}
            there = "../precious" if written else next(places)
            precious.write_text(PEOPLE)
            toml(data, f'item = "nope"\n["iaa {command}"]\n{name} = "{there}"\n')
            done = iaa(*command.split(), "project/r.csv")
            said = f"project/iaa.toml comes with the data, so it may not set --{name}: ignored"
            assert said in done.stderr, (command, name, there, done.output)
            assert precious.read_text() == PEOPLE
            guarded.add((command, name))
    assert {"agree", "gold", "convert"} <= {command for command, _ in guarded}
    assert {"json", "adjudicated", "output"} <= {name for _, name in guarded}
    toml(data, COLUMNS + 'replicates = 10000000\n[gold]\nrestarts = "1_000_000"\nseed = 1000000\n')
    model = ("--method", "dawid_skene")
    for command, left, more in (
        ("agree", "--replicates", ()),
        ("gold", "--replicates, --restarts", model),
    ):
        done = iaa(command, "project/r.csv", "--interval", "none", *more)
        assert f"may not set {left}: ignored" in done.stderr
        assert done.exit_code == 0, done.output
    toml(data, COLUMNS + 'max-megabytes = 1000000\nmemory = "1TB"\nscan = true\n')
    done = iaa("agree", "project/r.csv", "--interval", "none")
    assert "may not set --max-megabytes, --memory: ignored" in done.stderr
    assert done.exit_code == 0


HOSTILE = {
    "deep": "label = " + "[" * 30_000 + "]" * 30_000,
    "deep tables": "label = " + "{a=" * 20_000,
    "a name in parts": "a." * 31_000 + "a = 1",
    "tables in parts": "[" + "a." * 31_000 + "a]",
    "parts in a value": "label = {" + "a." * 31_000 + "a = 1}",
    "parts on many lines": "\n".join("a." * 150 + f"b{k} = 1" for k in range(200)),
    "large": "# " + "x" * 64_000,
    "a long number": "seed = " + "9" * 60_000,
    "a long number of base 16": "seed = 0x" + "f" * 60_000,
    "no text": "label = '\udcff'",
    "a list of lists": "[agree]\nkeep-labels = [['a']]",
    "a table for an option": "[agree]\nstrength = {a = 1}",
    "a table for all": "agree = [{item = 'a'}]",
    "a line break": 'keep-labels = "a\\nb"',
    "an escape": 'seed = "\\u001b]0;pwn\\u0007"',
    "an escape in a name": '"\\u001b]0;pwn\\u0007" = 1',
    "an escape in a choice": 'skipped = "\\u001b]0;pwn\\u0007"',
    "an escape in a limit": '[agree]\nrequire = ["\\u001b]0;pwn\\u0007"]',
    "an escape raw": 'seed = "\x1b]0;pwn\x07"',
}


def test_no_project_file_ends_in_a_traceback_or_takes_long(iaa, data) -> None:
    for case, text in HOSTILE.items():
        (data / "iaa.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
        begun = monotonic()
        done = iaa("agree", "project/r.csv", *NAMED)
        assert done.exit_code in (1, 2), (case, done.output)
        assert isinstance(done.exception, SystemExit), (case, done.exception)
        assert "unexpected" not in done.output, (case, done.output)
        assert not {"\x1b", "\x07"} & {*done.output}, case
        assert len(done.stderr) < 3000, case
        assert monotonic() - begun < 5, case


def test_what_is_no_file_is_no_project_file(iaa, data) -> None:
    path = data / "iaa.toml"
    plain = iaa("agree", "project/r.csv", *NAMED)
    assert plain.exit_code == 0, plain.output
    plain, hint, _ = plain.output.partition("- To keep these options")
    assert hint  # nowhere is anything kept yet
    for make in (path.mkdir, lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")):
        make()
        assert iaa("agree", "project/r.csv", *NAMED).output == plain
        path.rmdir() if path.is_dir() else path.unlink()
    (data.parent / "mine.toml").write_text('label = "second"\n')
    path.symlink_to("../mine.toml")
    done = iaa("agree", "project/r.csv", *NAMED)
    assert done.stdout == plain
    assert "project/iaa.toml is a link that leads out of its folder: ignored" in done.stderr
    path.unlink()
    (data / "own.toml").write_text('label = "second"\n')
    path.symlink_to("own.toml")
    assert "from project/iaa.toml: --label=second" in iaa("agree", "project", *NAMED[:4]).stderr
